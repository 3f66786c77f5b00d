/* SPDX-License-Identifier: Apache-2.0 */

/* Polls the PFC watchdog in virtual time. */

#include <config.h>

#include "offline/offline_watchdog.h"

#include <string.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/picoseconds.h"
#include "base/text.h"
#include "breakpoint/target.h"
#include "offline/offline_trace.h"
#include "offline/pipeline.h"
#include "orchd/testbench/testbench.h"
#include "orchd/watchdog/pfcwd.h"
#include "orchd/watchdog/storm_rows.h"
#include "vendors/softasic/softasic.h"

#define STATUS "PFC_WD_STATUS"
#define STATS  "PFC_WD_QUEUE_STATS_"

/* A pfcwd_clock_fn. */
static int64_t
now_ns(void *watch_)
{
    const struct offline_watchdog *watchdog = watch_;
    int64_t now_ps = 0;

    (void)watchdog->softasic->now(&now_ps);
    return now_ps / PS_PER_NS;
}

/* Of a struct pfcwd_listener. */
static void
on_storm(void *context, const char *port, unsigned int index, bool begins,
         const char *action)
{
    const struct offline_watchdog *watchdog = context;
    int64_t now_ps = 0;

    (void)watchdog->softasic->now(&now_ps);
    if (watchdog->trace) {
        offline_trace_storm(watchdog->trace, now_ps, port, index, begins,
                            action);
    }
}

void
offline_watchdog_start(struct offline_watchdog *watchdog,
                       struct pipeline *pipeline, struct sai_backend *backend,
                       const struct softasic_ops *softasic,
                       const struct offline_trace *trace)
{
    const struct pfcwd_listener listener = {.storm = on_storm,
                                            .context = watchdog};

    watchdog->pipeline = pipeline;
    watchdog->softasic = softasic;
    watchdog->trace = trace;
    if (!watchdog->store.store.ops) {
        memory_store_init(&watchdog->store);
    }
    watchdog->pfcwd = pfcwd_create(pipeline_agent(pipeline),
                                   &watchdog->store.store, &listener);
    pfcwd_resync(watchdog->pfcwd);
    pfcwd_attach(watchdog->pfcwd, backend, NULL, now_ns, watchdog);
}

void
offline_watchdog_fini(struct offline_watchdog *watchdog)
{
    pfcwd_destroy(watchdog->pfcwd);
    memory_store_fini(&watchdog->store);
}

void
offline_watchdog_pause(struct offline_watchdog *watchdog)
{
    pfcwd_destroy(watchdog->pfcwd);
    watchdog->pfcwd = NULL;
}

void
offline_watchdog_settle(struct offline_watchdog *watchdog)
{
    do {
        pipeline_settle(watchdog->pipeline);
    } while (pfcwd_turn(watchdog->pfcwd, now_ns(watchdog)));
}

void
offline_watchdog_catch_up(struct offline_watchdog *watchdog)
{
    if (pfcwd_next(watchdog->pfcwd) <= now_ns(watchdog)) {
        offline_watchdog_settle(watchdog);
    }
}

enum st
offline_watchdog_run(struct offline_watchdog *watchdog,
                     struct target *testbench, uint64_t ns, struct err *err)
{
    enum st st;

    do {
        int64_t next_ns = pfcwd_next(watchdog->pfcwd), at_ns = now_ns(watchdog);
        uint64_t step_ns = ns;

        /* Do not wait for a poll that could not be done. */
        if (next_ns > at_ns && (uint64_t)(next_ns - at_ns) < ns) {
            step_ns = (uint64_t)(next_ns - at_ns);
        }
        st = testbench_target_ops.run(testbench, step_ns, err);
        ns -= step_ns;
        offline_watchdog_catch_up(watchdog);
    } while (!st && ns);
    return st;
}

/* --- Counters ------------------------------------------------------------ */

/* Converts a field to a counter.  Returns false if it is not one. */
static bool
take_field(const struct field *field, struct arena *arena,
           struct target_stat *stat)
{
    bool counts = !strncmp(field->name, STATS, strlen(STATS)) &&
                  parse_u64(field->value, 0, UINT64_MAX, &stat->value) == ST_OK;
    char name[64];

    if (!strcmp(field->name, STATUS)) {
        *stat =
            (struct target_stat){"stormed", !strcmp(field->value, "stormed")};
        return true;
    }
    if (counts) {
        text_format(name, sizeof name, "storm_%s", field->name + strlen(STATS));
        for (char *p = name; *p; p++) {
            *p = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
        }
        stat->name = arena_strdup(arena, name);
    }
    return counts;
}

/* Returns whether PFC_WD_TABLE_INSTORM lists 'object'. */
static bool
is_noted(const struct offline_watchdog *watchdog,
         const struct target_object *object)
{
    struct text key = {0};
    const struct field *fields;
    char index[16];
    bool noted = false;
    size_t n;

    text_addf(&key, STORM_ROWS_IN_STORM "%s", object->name);
    text_format(index, sizeof index, "%u", object->index);
    fields = memory_store_get(&watchdog->store, APPL_DB, text_string(&key), &n);
    for (size_t i = 0; i < n; i++) {
        noted |= !strcmp(fields[i].name, index);
    }
    text_fini(&key);
    return noted;
}

void
offline_watchdog_read(const struct offline_watchdog *watchdog,
                      const struct target_object *object, sai_object_id_t oid,
                      struct arena *arena, struct target_reading *reading)
{
    char key[STORM_ROWS_KEY_SIZE];
    size_t n, n_stats = reading->n;
    const struct field *fields = memory_store_get(&watchdog->store, COUNTERS_DB,
                                                  storm_rows_key(oid, key), &n);
    struct target_stat *stats;

    if (!n) {
        return;
    }
    stats = arena_alloc(arena, n_stats + n + 1, sizeof *stats);
    memcpy(stats, reading->stats, n_stats * sizeof *stats);
    for (size_t i = 0; i < n; i++) {
        n_stats += take_field(&fields[i], arena, &stats[n_stats]);
    }
    stats[n_stats++] =
        (struct target_stat){"storm_noted", is_noted(watchdog, object)};
    *reading = (struct target_reading){n_stats, stats};
}
