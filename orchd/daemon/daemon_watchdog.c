/* SPDX-License-Identifier: Apache-2.0 */

/* The watchdog between Redis, the log and the loop. */

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
#include "orchd/watchdog/detection/watchdog.h"
#include "orchd/watchdog/storm_store.h"
#include "process/log.h"
#include "process/loop.h"

#define NS_PER_MS INT64_C(1000000)

struct daemon_watchdog {
    struct storm_store store; /* First: what the watchdog holds. */
    struct daemon_watchdog_options options;
    struct pfcwd *pfcwd;
    pfcwd_clock_fn *clock; /* Of the switch; NULL before there is one. */
    void *clock_context;
    bool own_time;
    struct timer timer;

    /* Who is told the hashes of fetch_all(), and that these were all. */
    storm_hash_fn *told;
    void (*told_all)(void *context);
    void *told_context;
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
    redis_hset(daemon_watchdog_of(store)->options.redis, database, key, fields,
               n);
}

static void
store_unset(struct storm_store *store, enum database database, const char *key,
            const char *field)
{
    redis_hdel(daemon_watchdog_of(store)->options.redis, database, key, field);
}

static void
store_fetch(struct storm_store *store, enum database database, const char *key,
            storm_hash_fn *told, void *context)
{
    redis_fetch(daemon_watchdog_of(store)->options.redis, database, key, told,
                context);
}

static void
on_key(void *storms_, const char *key)
{
    struct daemon_watchdog *storms = storms_;

    redis_fetch(storms->options.redis, APPL_DB, key, storms->told,
                storms->told_context);
}

/* A redis_fetch_fn: what was asked for before was told. */
static void
on_last(void *storms_, const char *key, const struct field *fields, size_t n)
{
    const struct daemon_watchdog *storms = storms_;

    (void)key;
    (void)fields;
    (void)n;
    storms->told_all(storms->told_context);
}

/* Where APPL_DB is not for us to read there is nothing to be known. */
static void
on_keys_end(void *storms_, enum st status)
{
    struct daemon_watchdog *storms = storms_;

    if (status == ST_OK) {
        redis_fetch(storms->options.redis, APPL_DB, "PFC_WD_TABLE_INSTORM",
                    on_last, storms);
    } else {
        storms->told_all(storms->told_context);
    }
}

static void
store_fetch_all(struct storm_store *store, enum database database,
                const char *prefix, storm_hash_fn *told,
                void (*done)(void *context), void *context)
{
    struct daemon_watchdog *storms = daemon_watchdog_of(store);
    struct text pattern = {0};

    orch_assert(database == APPL_DB);
    storms->told = told;
    storms->told_all = done;
    storms->told_context = context;
    text_addf(&pattern, "%s*", prefix);
    redis_find(storms->options.redis, database, text_string(&pattern), on_key,
               on_keys_end, storms);
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

/* --- What is told -------------------------------------------------------- */

static void
on_say(void *storms_, bool warns, const char *code, const char *object,
       const char *text)
{
    const struct daemon_watchdog *storms = storms_;

    log_write(storms->options.log, warns ? LOG_WARN : LOG_INFO, code, object,
              "%s", text);
}

static void
on_event(void *storms_, const char *port, const char *from, const char *to,
         const char *reason)
{
    const struct daemon_watchdog *storms = storms_;

    publisher_event(storms->options.publisher, TABLE_PFC_WD, port, from, to,
                    reason);
}

/* --- Life ---------------------------------------------------------------- */

/* Being woken is all that is needed. */
static void
on_timer(struct timer *timer, int64_t when)
{
    (void)timer;
    (void)when;
}

struct daemon_watchdog *
daemon_watchdog_create(const struct daemon_watchdog_options *options)
{
    struct daemon_watchdog *storms = check_calloc(1, sizeof *storms);
    const struct pfcwd_listener listener = {on_say, on_event, storms};

    storms->store.ops = &store_ops;
    storms->options = *options;
    storms->timer.fire = on_timer;
    storms->pfcwd = pfcwd_create(options->agent, &storms->store, &listener);
    if (options->orders) {
        pfcwd_accept_requests(storms->pfcwd);
    }
    return storms;
}

void
daemon_watchdog_destroy(struct daemon_watchdog *storms)
{
    if (storms) {
        timeline_cancel(loop_timeline(storms->options.loop), &storms->timer);
        pfcwd_destroy(storms->pfcwd);
        free(storms);
    }
}

void
daemon_watchdog_attach(struct daemon_watchdog *storms,
                       struct sai_backend *backend,
                       const struct storm_rule *rule, pfcwd_clock_fn *clock,
                       void *context, bool own_time)
{
    storms->clock = clock;
    storms->clock_context = context;
    storms->own_time = own_time;
    pfcwd_attach(storms->pfcwd, backend, rule, clock, context);
}

void
daemon_watchdog_guard(struct daemon_watchdog *storms)
{
    pfcwd_use_hardware(storms->pfcwd);
}

void
daemon_watchdog_deadlock(struct daemon_watchdog *storms, sai_object_id_t queue,
                         bool dead)
{
    pfcwd_deadlock(storms->pfcwd, queue, dead);
}

void
daemon_watchdog_resync(struct daemon_watchdog *storms)
{
    pfcwd_resync(storms->pfcwd);
}

bool
daemon_watchdog_know_past(const struct daemon_watchdog *storms)
{
    return pfcwd_knows_past(storms->pfcwd);
}

void
daemon_watchdog_message(struct daemon_watchdog *storms, const char *channel,
                        const char *payload)
{
    pfcwd_message(storms->pfcwd, channel, payload);
}

/* --- What there is to see ------------------------------------------------- */

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
daemon_watchdog_list(const struct daemon_watchdog *storms, const char *port)
{
    json_t *list = json_array();

    /* The newest is the first there. */
    for (const struct watchdog_queue *queue =
             watchdog_queues(agent_watchdog(storms->options.agent));
         queue; queue = queue->next) {
        if (queue->watched && (!port || !strcmp(port, queue->port))) {
            json_array_insert_new(list, 0, show_queue(queue));
        }
    }
    return list;
}

/* --- Turns ---------------------------------------------------------------- */

/* Arms the timer for the next poll. */
static void
wait(struct daemon_watchdog *storms)
{
    struct loop *loop = storms->options.loop;
    int64_t next_ns = pfcwd_next(storms->pfcwd), now_ns, left_ns;

    if (next_ns == INT64_MAX) {
        timeline_cancel(loop_timeline(loop), &storms->timer);
        return;
    }
    now_ns = storms->clock(storms->clock_context);
    left_ns = next_ns > now_ns ? next_ns - now_ns : 0;
    /* Whether a clock of the switch's own moves by itself is not known: it is
     * looked at as often as queues are polled. */
    if (storms->own_time) {
        left_ns =
            watchdog_policy(agent_watchdog(storms->options.agent))->poll_ns;
    }
    timeline_set(loop_timeline(loop), &storms->timer, loop_now(loop) + left_ns);
}

bool
daemon_watchdog_turn(struct daemon_watchdog *storms)
{
    bool more = pfcwd_turn(storms->pfcwd, loop_wall(storms->options.loop));

    wait(storms);
    return more;
}
