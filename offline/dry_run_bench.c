/* SPDX-License-Identifier: Apache-2.0 */

/* Configuration of a switch in this process. */

#include <config.h>

#include "offline/dry_run_bench.h"

#include <string.h>

#include "base/arena.h"
#include "offline/pipeline.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "sai/stack/journal.h"
#include "vendors/softasic/softasic.h"

static struct dry_run_bench *
dry_run_bench_of(struct target *target)
{
    return (struct dry_run_bench *)(void *)target;
}

/* Works with the flow that 'local' has now. */
static void
use_flow(struct dry_run_bench *stand)
{
    struct testbench *rig = &stand->rig;

    rig->agent = pipeline_agent(stand->local);
    rig->backend = journal_backend(pipeline_journal(stand->local));
    rig->facts = switch_query_create(rig->agent, rig->backend, rig->softasic);
    dry_run_watchdog_start(&stand->watch, stand->local, rig->backend,
                           rig->softasic);
}

/* Makes the flow and its switch, of the rows that are there by then. */
static enum st
start(struct dry_run_bench *stand, struct err *err)
{
    struct testbench *rig = &stand->rig;
    const struct softasic_ops *ops = NULL;
    softasic_ops_fn *get_ops;
    void *symbol;
    enum st st = pipeline_start(stand->local, err);

    if (st) {
        return st;
    }
    symbol = pipeline_symbol(stand->local, SOFTASIC_OPS_SYMBOL);
    if (symbol) {
        memcpy(&get_ops, &symbol, sizeof get_ops);
        ops = get_ops(SOFTASIC_OPS_VERSION);
    }
    if (!ops) {
        return err_set(err, ST_UNSUPPORTED, "not-softasic",
                       "%s is not softasic: it cannot send packets or stop "
                       "time",
                       stand->sai);
    }
    rig->softasic = ops;
    use_flow(stand);
    return ST_OK;
}

/* Hands one row in; '*answer' is filled if orchd does not know its table. */
static void
put_row(struct dry_run_bench *stand, const struct target_row *row,
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
    if (!pipeline_put_row(stand->local, &put)) {
        *answer = (struct target_answer){"unsupported", "unknown-table",
                                         "orchd has no table of that name"};
    }
}

static enum st
target_configure(struct target *target, const struct target_row *rows, size_t n,
                 struct arena *arena, struct target_answer *answers,
                 struct err *err)
{
    struct dry_run_bench *stand = dry_run_bench_of(target);
    struct intent *intent = agent_intent(pipeline_agent(stand->local));
    bool first = !stand->rig.facts;
    enum st st = ST_OK;

    if (first) {
        intent_resync_begin(intent);
    }
    for (size_t i = 0; i < n; i++) {
        put_row(stand, &rows[i], arena, &answers[i]);
    }
    if (first) {
        intent_resync_end(intent, 0);
        st = start(stand, err);
    }
    if (st) {
        return st;
    }
    dry_run_watchdog_settle(&stand->watch);
    for (size_t i = 0; i < n; i++) {
        if (!*answers[i].state) {
            row_log_get(&stand->answers, rows[i].key, arena, &answers[i]);
        }
    }
    return ST_OK;
}

static enum st
target_restart(struct target *target, struct err *err)
{
    struct dry_run_bench *stand = dry_run_bench_of(target);
    enum st st;

    dry_run_watchdog_pause(&stand->watch);
    switch_query_destroy(stand->rig.facts);
    stand->rig.facts = NULL;
    st = pipeline_restart(stand->local, err);
    if (!st) {
        use_flow(stand);
        dry_run_watchdog_settle(&stand->watch);
        pipeline_end_adoption(stand->local);
    }
    return st;
}

/* --- The watchdog beside the rig ----------------------------------------- */

static enum st
target_send(struct target *target, const struct target_send *send,
            struct target_sent *sent, struct err *err)
{
    enum st st = testbench_target_ops.send(target, send, sent, err);

    dry_run_watchdog_catch_up(&dry_run_bench_of(target)->watch);
    return st;
}

static enum st
target_settle(struct target *target, struct err *err)
{
    enum st st = testbench_target_ops.settle(target, err);

    dry_run_watchdog_catch_up(&dry_run_bench_of(target)->watch);
    return st;
}

static enum st
target_run(struct target *target, uint64_t ns, struct err *err)
{
    return dry_run_watchdog_run(&dry_run_bench_of(target)->watch, target, ns,
                                err);
}

static enum st
target_read(struct target *target, const struct target_object *objects,
            size_t n, struct arena *arena, struct target_reading *readings,
            struct err *err)
{
    struct dry_run_bench *stand = dry_run_bench_of(target);
    enum st st =
        testbench_target_ops.read(target, objects, n, arena, readings, err);

    for (size_t i = 0; !st && i < n; i++) {
        struct switch_query_object queue;

        if (objects[i].kind == TARGET_QUEUE) {
            st = switch_query_find(stand->rig.facts, "queue", objects[i].name,
                                   objects[i].index, &queue, err);
            if (!st) {
                dry_run_watchdog_read(&stand->watch, &objects[i], queue.oid,
                                      arena, &readings[i]);
            }
        }
    }
    return st;
}

void
dry_run_bench_init(struct dry_run_bench *stand)
{
    stand->ops = testbench_target_ops;
    stand->ops.configure = target_configure;
    stand->ops.restart = target_restart;
    stand->ops.send = target_send;
    stand->ops.settle = target_settle;
    stand->ops.run = target_run;
    stand->ops.read = target_read;
    stand->rig.target.ops = &stand->ops;
    /* All begins and ends with the switch. */
    stand->ops.start = NULL;
    stand->ops.restore = NULL;
    stand->rig.changes.is_temporary = true;
}

void
dry_run_bench_fini(struct dry_run_bench *stand)
{
    dry_run_watchdog_fini(&stand->watch);
    switch_query_destroy(stand->rig.facts);
    testbench_fini(&stand->rig);
    pipeline_destroy(stand->local);
    row_log_fini(&stand->answers);
    memset(stand, 0, sizeof *stand);
}
