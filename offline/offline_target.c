/* SPDX-License-Identifier: Apache-2.0 */

/* Configures and restarts a switch in this process. */

#include <config.h>

#include "offline/offline_target.h"

#include <string.h>

#include "base/arena.h"
#include "offline/pipeline.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "sai/stack/journal.h"
#include "vendors/softasic/softasic.h"

static struct offline_target *
offline_target_of(struct target *target)
{
    return (struct offline_target *)(void *)target;
}

/* Attaches the test bench and the watchdog to the current pipeline. */
static void
use_flow(struct offline_target *offline)
{
    struct testbench *testbench = &offline->testbench;

    testbench->agent = pipeline_agent(offline->pipeline);
    testbench->backend = journal_backend(pipeline_journal(offline->pipeline));
    testbench->query = switch_query_create(testbench->agent, testbench->backend,
                                           testbench->softasic);
    offline_watchdog_start(&offline->watchdog, offline->pipeline,
                           testbench->backend, testbench->softasic,
                           &offline->trace);
}

/* Creates the switch from the rows written so far. */
static enum st
start(struct offline_target *offline, struct err *err)
{
    struct testbench *testbench = &offline->testbench;
    const struct softasic_ops *ops;
    enum st st = pipeline_start(offline->pipeline, err);

    if (st) {
        return st;
    }
    ops = pipeline_softasic(offline->pipeline);
    if (!ops) {
        return err_set(err, ST_UNSUPPORTED, "not-softasic",
                       "%s is not softasic: it cannot send packets or stop  "
                       "time",
                       offline->sai);
    }
    testbench->softasic = ops;
    use_flow(offline);
    return offline->sink ? offline_trace_start(&offline->trace, offline->sink,
                                               offline->pipeline, err)
                         : ST_OK;
}

/* Writes one row.  Fills '*answer' if orchd does not know its table. */
static void
put_row(struct offline_target *offline, const struct target_row *row,
        struct arena *arena, struct target_answer *answer)
{
    struct field *fields =
        arena_alloc(arena, row->n_fields + 1, sizeof *fields);
    struct field_row put = {row->key, row->removed ? NULL : fields,
                            row->n_fields};

    for (size_t i = 0; i < row->n_fields; i++) {
        fields[i] = (struct field){row->fields[i].name, row->fields[i].value};
    }
    *answer = (struct target_answer){"", "", ""};
    if (!pipeline_put_row(offline->pipeline, &put)) {
        *answer = (struct target_answer){"unsupported", "unknown-table",
                                         "orchd has no table of that name"};
    }
}

static enum st
target_configure(struct target *target, const struct target_row *rows, size_t n,
                 struct arena *arena, struct target_answer *answers,
                 struct err *err)
{
    struct offline_target *offline = offline_target_of(target);
    struct intent *intent = agent_intent(pipeline_agent(offline->pipeline));
    bool first = !offline->testbench.query;
    enum st st = ST_OK;

    if (first) {
        intent_resync_begin(intent);
    }
    for (size_t i = 0; i < n; i++) {
        put_row(offline, &rows[i], arena, &answers[i]);
    }
    if (first) {
        intent_resync_end(intent, 0);
        st = start(offline, err);
    }
    if (st) {
        return st;
    }
    offline_watchdog_settle(&offline->watchdog);
    for (size_t i = 0; i < n; i++) {
        if (!*answers[i].state) {
            row_log_get(&offline->answers, rows[i].key, arena, &answers[i]);
        }
    }
    return ST_OK;
}

static enum st
target_restart(struct target *target, struct err *err)
{
    struct offline_target *offline = offline_target_of(target);
    enum st st;

    offline_watchdog_pause(&offline->watchdog);
    offline->trace.pipeline = NULL; /* It has no agent meanwhile. */
    switch_query_destroy(offline->testbench.query);
    offline->testbench.query = NULL;
    st = pipeline_restart(offline->pipeline, err);
    if (!st) {
        use_flow(offline);
        offline->trace.pipeline = offline->pipeline;
        offline_watchdog_settle(&offline->watchdog);
        pipeline_end_adoption(offline->pipeline);
    }
    return st;
}

/* --- Operations that let the watchdog catch up --------------------------- */

static enum st
target_send(struct target *target, const struct target_send *send,
            struct target_sent *sent, struct err *err)
{
    enum st st = testbench_target_ops.send(target, send, sent, err);

    offline_watchdog_catch_up(&offline_target_of(target)->watchdog);
    return st;
}

static enum st
target_settle(struct target *target, struct err *err)
{
    enum st st = testbench_target_ops.settle(target, err);

    offline_watchdog_catch_up(&offline_target_of(target)->watchdog);
    return st;
}

static enum st
target_run(struct target *target, uint64_t ns, struct err *err)
{
    return offline_watchdog_run(&offline_target_of(target)->watchdog, target,
                                ns, err);
}

static enum st
target_read(struct target *target, const struct target_object *objects,
            size_t n, struct arena *arena, struct target_reading *readings,
            struct err *err)
{
    struct offline_target *offline = offline_target_of(target);
    enum st st =
        testbench_target_ops.read(target, objects, n, arena, readings, err);

    for (size_t i = 0; !st && i < n; i++) {
        struct switch_query_object queue;

        if (objects[i].kind == TARGET_QUEUE) {
            st = switch_query_find(offline->testbench.query, "queue",
                                   objects[i].name, objects[i].index, &queue,
                                   err);
            if (!st) {
                offline_watchdog_read(&offline->watchdog, &objects[i],
                                      queue.oid, arena, &readings[i]);
            }
        }
    }
    return st;
}

void
offline_target_init(struct offline_target *offline)
{
    offline->ops = testbench_target_ops;
    offline->ops.configure = target_configure;
    offline->ops.restart = target_restart;
    offline->ops.send = target_send;
    offline->ops.settle = target_settle;
    offline->ops.run = target_run;
    offline->ops.read = target_read;
    offline->testbench.target.ops = &offline->ops;
    /* Each scenario has a new switch, so nothing needs to be reset or
     * restored. */
    offline->ops.start = NULL;
    offline->ops.restore = NULL;
    offline->testbench.saved.is_temporary = true;
}

void
offline_target_fini(struct offline_target *offline)
{
    /* What its end causes is not part of the next trace of the bench. */
    offline_trace_stop(&offline->trace);
    offline_watchdog_fini(&offline->watchdog);
    switch_query_destroy(offline->testbench.query);
    testbench_fini(&offline->testbench);
    pipeline_destroy(offline->pipeline);
    offline_trace_fini(&offline->trace);
    row_log_fini(&offline->answers);
    memset(offline, 0, sizeof *offline);
}
