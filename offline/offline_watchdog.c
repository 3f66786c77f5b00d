/* SPDX-License-Identifier: Apache-2.0 */

/* Polls the PFC watchdog in virtual time. */

#include <config.h>

#include "offline/offline_watchdog.h"

#include <string.h>

#include "base/arena.h"
#include "base/picoseconds.h"
#include "breakpoint/target.h"
#include "offline/offline_trace.h"
#include "offline/pipeline.h"
#include "orchd/testbench/testbench.h"
#include "orchd/watchdog/pfcwd.h"
#include "orchd/watchdog/storm_counters.h"
#include "vendors/softasic/softasic.h"

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

/* A reading to which counters are added. */
struct addition {
    struct arena *arena;
    struct target_stat *stats;
    size_t n, room;
};

/* A storm_counter_fn. */
static void
add_counter(void *addition_, const char *name, uint64_t value)
{
    struct addition *addition = addition_;

    if (addition->n == addition->room) {
        struct target_stat *stats = addition->stats;

        addition->room = 2 * addition->room + 16;
        addition->stats =
            arena_alloc(addition->arena, addition->room, sizeof *stats);
        memcpy(addition->stats, stats, addition->n * sizeof *stats);
    }
    addition->stats[addition->n++] =
        (struct target_stat){arena_strdup(addition->arena, name), value};
}

void
offline_watchdog_read(const struct offline_watchdog *watchdog,
                      const struct target_object *object, sai_object_id_t oid,
                      struct arena *arena, struct target_reading *reading)
{
    struct addition addition = {arena,
                                (struct target_stat *)(uintptr_t)reading->stats,
                                reading->n, reading->n};

    storm_counters_each(&watchdog->store, object->name, object->index, oid,
                        add_counter, &addition);
    *reading = (struct target_reading){addition.n, addition.stats};
}
