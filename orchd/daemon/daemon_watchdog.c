/* SPDX-License-Identifier: Apache-2.0 */

/* Implements the store and the listener of the watchdog, and its timer. */

#include <config.h>

#include "orchd/daemon/daemon_watchdog.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/redis.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/watchdog/detection/watchdog.h"
#include "orchd/watchdog/memory_store.h"
#include "orchd/watchdog/storm_counters.h"
#include "orchd/watchdog/storm_store.h"
#include "process/log.h"
#include "process/loop.h"

#define NS_PER_MS INT64_C(1000000)

struct daemon_watchdog {
    struct storm_store store; /* First, for daemon_watchdog_of(). */
    struct daemon_watchdog_options options;
    struct pfcwd *pfcwd;
    pfcwd_clock_fn *clock; /* Of the switch; NULL while there is none. */
    void *clock_context;
    bool own_time;
    bool catching_up; /* The agent has still to carry out what a poll found. */
    struct timer timer;
    struct memory_store published; /* What Redis has about queues. */

    /* The callbacks of store_fetch_all(): for each hash, and at the end. */
    storm_hash_fn *on_hash;
    void (*on_end)(void *context);
    void *on_hash_context;
};

static struct daemon_watchdog *
daemon_watchdog_of(struct storm_store *store)
{
    return (struct daemon_watchdog *)(void *)store;
}

/* --- The store ----------------------------------------------------------- */

static void
store_set(struct storm_store *store, enum database database, const char *key,
          const struct field *fields, size_t n)
{
    struct daemon_watchdog *watchdog = daemon_watchdog_of(store);
    struct storm_store *published = &watchdog->published.store;

    redis_hset(watchdog->options.redis, database, key, fields, n);
    if (database != FLEX_COUNTER_DB) {
        published->ops->set(published, database, key, fields, n);
    }
}

static void
store_unset(struct storm_store *store, enum database database, const char *key,
            const char *field)
{
    struct daemon_watchdog *watchdog = daemon_watchdog_of(store);
    struct storm_store *published = &watchdog->published.store;

    redis_hdel(watchdog->options.redis, database, key, field);
    published->ops->unset(published, database, key, field);
}

static void
store_fetch(struct storm_store *store, enum database database, const char *key,
            storm_hash_fn *on_hash, void *context)
{
    redis_fetch(daemon_watchdog_of(store)->options.redis, database, key,
                on_hash, context);
}

static void
on_key(void *watchdog_, const char *key)
{
    struct daemon_watchdog *watchdog = watchdog_;

    redis_fetch(watchdog->options.redis, APPL_DB, key, watchdog->on_hash,
                watchdog->on_hash_context);
}

/* A redis_fetch_fn: all answers to earlier requests have arrived. */
static void
on_last(void *watchdog_, const char *key, const struct field *fields, size_t n)
{
    const struct daemon_watchdog *watchdog = watchdog_;

    (void)key;
    (void)fields;
    (void)n;
    watchdog->on_end(watchdog->on_hash_context);
}

/* If Redis refuses access to APPL_DB, there are no earlier storms to read. */
static void
on_keys_end(void *watchdog_, enum st status)
{
    struct daemon_watchdog *watchdog = watchdog_;

    if (status == ST_OK) {
        redis_fetch(watchdog->options.redis, APPL_DB, "PFC_WD_TABLE_INSTORM",
                    on_last, watchdog);
    } else {
        watchdog->on_end(watchdog->on_hash_context);
    }
}

static void
store_fetch_all(struct storm_store *store, enum database database,
                const char *prefix, storm_hash_fn *on_hash,
                void (*done)(void *context), void *context)
{
    struct daemon_watchdog *watchdog = daemon_watchdog_of(store);
    struct text pattern = {0};

    orch_assert(database == APPL_DB);
    watchdog->on_hash = on_hash;
    watchdog->on_end = done;
    watchdog->on_hash_context = context;
    text_addf(&pattern, "%s*", prefix);
    redis_find(watchdog->options.redis, database, text_string(&pattern), on_key,
               on_keys_end, watchdog);
    text_fini(&pattern);
}

static void
store_publish(struct storm_store *store, const char *channel,
              const char *message)
{
    redis_publish(daemon_watchdog_of(store)->options.redis, channel, message);
}

static const struct storm_store_ops store_ops = {
    .set = store_set,
    .unset = store_unset,
    .fetch = store_fetch,
    .fetch_all = store_fetch_all,
    .publish = store_publish,
};

/* --- The listener -------------------------------------------------------- */

static void
on_log(void *watchdog_, bool warns, const char *code, const char *object,
       const char *text)
{
    const struct daemon_watchdog *watchdog = watchdog_;

    log_write(watchdog->options.log, warns ? LOG_WARN : LOG_INFO, code, object,
              "%s", text);
}

static void
on_event(void *watchdog_, const char *port, const char *from, const char *to,
         const char *reason)
{
    const struct daemon_watchdog *watchdog = watchdog_;

    publisher_event(watchdog->options.publisher, TABLE_PFC_WD, port, from, to,
                    reason);
}

static bool
publishes_pauses(void *watchdog_)
{
    const struct daemon_watchdog *watchdog = watchdog_;
    struct poller_figures figures;

    poller_figures(publisher_poller(watchdog->options.publisher),
                   COUNTER_GROUP_PORT, &figures);
    return figures.enabled;
}

/* --- Creation and events -------------------------------------------------- */

struct daemon_watchdog *
daemon_watchdog_create(const struct daemon_watchdog_options *options)
{
    struct daemon_watchdog *watchdog = check_calloc(1, sizeof *watchdog);
    const struct pfcwd_listener listener = {.log = on_log,
                                            .event = on_event,
                                            .publishes_pauses =
                                                publishes_pauses,
                                            .context = watchdog};

    watchdog->store.ops = &store_ops;
    watchdog->options = *options;
    watchdog->timer.fire = timer_wake;
    memory_store_init(&watchdog->published);
    watchdog->pfcwd = pfcwd_create(options->agent, &watchdog->store, &listener);
    if (options->orders) {
        pfcwd_accept_requests(watchdog->pfcwd);
    }
    return watchdog;
}

void
daemon_watchdog_destroy(struct daemon_watchdog *watchdog)
{
    if (watchdog) {
        timeline_cancel(loop_timeline(watchdog->options.loop),
                        &watchdog->timer);
        pfcwd_destroy(watchdog->pfcwd);
        memory_store_fini(&watchdog->published);
        free(watchdog);
    }
}

void
daemon_watchdog_attach(struct daemon_watchdog *watchdog,
                       struct sai_backend *backend,
                       const struct storm_rule *rule, pfcwd_clock_fn *clock,
                       void *context, bool own_time)
{
    watchdog->clock = clock;
    watchdog->clock_context = context;
    watchdog->own_time = own_time;
    pfcwd_attach(watchdog->pfcwd, backend, rule, clock, context);
}

void
daemon_watchdog_use_hardware(struct daemon_watchdog *watchdog)
{
    pfcwd_use_hardware(watchdog->pfcwd);
}

void
daemon_watchdog_deadlock(struct daemon_watchdog *watchdog,
                         sai_object_id_t queue, bool dead)
{
    pfcwd_deadlock(watchdog->pfcwd, queue, dead);
}

void
daemon_watchdog_resync(struct daemon_watchdog *watchdog)
{
    pfcwd_resync(watchdog->pfcwd);
}

bool
daemon_watchdog_know_past(const struct daemon_watchdog *watchdog)
{
    return pfcwd_knows_past(watchdog->pfcwd);
}

void
daemon_watchdog_message(struct daemon_watchdog *watchdog, const char *channel,
                        const char *payload)
{
    pfcwd_message(watchdog->pfcwd, channel, payload);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *
ms_or_null(int64_t ns)
{
    return ns ? json_integer((json_int_t)(ns / NS_PER_MS)) : json_null();
}

static void
add_counts(json_t *shown, const char *prefix, const struct storm_counts *counts)
{
    const struct {
        const char *name;
        uint64_t value;
    } members[] = {{"tx_packets", counts->tx_packets},
                   {"tx_dropped", counts->tx_dropped},
                   {"rx_packets", counts->rx_packets},
                   {"rx_dropped", counts->rx_dropped}};
    char name[32];

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        text_format(name, sizeof name, "%s%s", prefix, members[i].name);
        json_object_set_new(shown, name,
                            json_integer((json_int_t)members[i].value));
    }
}

static json_t *
show_queue(const struct watchdog_queue *queue)
{
    const struct detector_times *times = &queue->detector.times;
    json_t *shown = json_pack(
        "{s:s, s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:I, s:I}", "port",
        queue->port, "index", (int)queue->index, "state",
        watchdog_stormed(queue) ? "stormed" : "operational", "detects",
        queue->red           ? "nobody"
        : queue->in_hardware ? "switch"
                             : "orchd",
        "action", policy_action_word(queue->red ? POLICY_DROP : queue->action),
        "poll_ms", ms_or_null(times->poll_ns), "detection_ms",
        ms_or_null(times->detection_ns), "restoration_ms",
        ms_or_null(times->restoration_ns), "detected",
        (json_int_t)queue->account.detected, "restored",
        (json_int_t)queue->account.restored);

    add_counts(shown, "", &queue->account.total);
    add_counts(shown, "last_", &queue->account.last);
    if (queue->keeps_history) {
        json_object_set_new(shown, "paused_us",
                            json_integer((json_int_t)queue->total_us));
        json_object_set_new(shown, "recent_us",
                            json_integer((json_int_t)queue->recent_us));
    }
    return shown;
}

json_t *
daemon_watchdog_list(const struct daemon_watchdog *watchdog, const char *port)
{
    json_t *list = json_array();

    /* That list begins with the newest queue. */
    for (const struct watchdog_queue *queue =
             watchdog_queues(agent_watchdog(watchdog->options.agent));
         queue; queue = queue->next) {
        if (queue->watched && (!port || !strcmp(port, queue->port))) {
            json_array_insert_new(list, 0, show_queue(queue));
        }
    }
    return list;
}

/* A storm_counter_fn. */
static void
add_counter(void *counters, const char *name, uint64_t value)
{
    json_object_set_new(counters, name, json_integer((json_int_t)value));
}

void
daemon_watchdog_add_counters(const struct daemon_watchdog *watchdog,
                             const char *port, unsigned int index,
                             sai_object_id_t queue, json_t *counters)
{
    storm_counters_each(&watchdog->published, port, index, queue, add_counter,
                        counters);
}

/* --- Turns ---------------------------------------------------------------- */

/* Arms the timer for the next poll. */
static void
wait(struct daemon_watchdog *watchdog)
{
    struct loop *loop = watchdog->options.loop;
    int64_t next_ns = pfcwd_next(watchdog->pfcwd), now_ns, left_ns;

    if (next_ns == INT64_MAX) {
        timeline_cancel(loop_timeline(loop), &watchdog->timer);
        return;
    }
    now_ns = watchdog->clock(watchdog->clock_context);
    left_ns = next_ns > now_ns ? next_ns - now_ns : 0;
    /* The time of the switch need not follow the loop's: read it as often as
     * queues are polled. */
    if (watchdog->own_time) {
        left_ns =
            watchdog_policy(agent_watchdog(watchdog->options.agent))->poll_ns;
    }
    timeline_set(loop_timeline(loop), &watchdog->timer,
                 loop_now(loop) + left_ns);
}

bool
daemon_watchdog_turn(struct daemon_watchdog *watchdog, bool agent_works)
{
    bool more = pfcwd_turn(watchdog->pfcwd, loop_wall(watchdog->options.loop));

    watchdog->catching_up = more || (watchdog->catching_up && agent_works);
    wait(watchdog);
    return more;
}

int64_t
daemon_watchdog_next(const struct daemon_watchdog *watchdog)
{
    return pfcwd_next(watchdog->pfcwd);
}

bool
daemon_watchdog_catching_up(const struct daemon_watchdog *watchdog)
{
    return watchdog->catching_up;
}
