/* SPDX-License-Identifier: Apache-2.0 */

/* The two connections to Redis: connecting, using them, and handling a loss.
 *
 *   DOWN -> CONNECTING -> PREPARING -> READING -> UP
 *
 * PREPARING enables notifications and subscribes; READING is the first complete
 * reading, during which output is already sent.  A loss in any phase closes
 * both connections and leads to DOWN, where a timer starts over. */

#include <config.h>

#include "orchd/db/redis_state.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/barrier.h"
#include "orchd/db/notify.h"
#include "orchd/db/outbox.h"
#include "orchd/db/owner.h"
#include "orchd/db/pending.h"
#include "orchd/db/reader.h"
#include "orchd/db/refusals.h"
#include "orchd/db/rows.h"
#include "orchd/db/silent_commands.h"
#include "process/log.h"
#include "process/loop.h"

#define NOTIFY_OPTION "notify-keyspace-events"

/* The channel of invalidation messages for a client that tracks keys. */
#define INVALIDATE_CHANNEL "__redis__:invalidate"

/* No key starts with this, so tracking reports only that a database was
 * flushed, which it reports to every client. */
#define TRACKING_PREFIX "__orchd_tells_of_flushes_only__"

/* How long orchd waits before it logs that Redis does not answer yet. */
#define REDIS_PATIENCE (INT64_C(1) * 1000 * 1000 * 1000)

/* Subscriptions to wait for: notifications, barriers, invalidations, the lock;
 * if buffer tables are pushed, also their notifications and messages of
 * producers. */
#define N_SUBSCRIPTIONS        4
#define N_SUBSCRIPTIONS_PUSHED 2

static void connect_links(struct redis *redis);
static void ask_notify(struct redis *redis);

/* Arms one of our timers; one that is pending is moved. */
static void
set_timer(struct redis *redis, struct timer *timer, int64_t delay)
{
    timeline_set(loop_timeline(redis->loop), timer,
                 loop_now(redis->loop) + delay);
}

/* Closes both links and resets everything that depends on them. */
static void
close_links(struct redis *redis, bool flush)
{
    struct link *commands = redis->commands;
    struct link *subscriber = redis->subscriber;

    redis->commands = NULL;
    redis->subscriber = NULL;
    redis->phase = PHASE_DOWN;
    redis->flushed = redis->swapped = false;
    redis->refused = redis->enabling = false;
    redis->owned = false;
    silent_commands_attach(redis->silent, NULL);
    refusals_attach(redis->refusals, NULL);
    owner_attach(redis->owner, NULL);
    timeline_cancel(loop_timeline(redis->loop), &redis->audit);
    outbox_clear(redis->outbox);
    reader_attach(redis->reader, NULL);
    link_close(subscriber, false);
    link_close(commands, flush);
    barriers_attach(redis->barriers, NULL, false);
}

/* A link failed, was lost or is unusable because of 'reason': starts over after
 * a delay. */
static void
fail(void *redis_, const char *reason)
{
    struct redis *redis = redis_;
    bool was_ready = redis->phase >= PHASE_READING;

    if (redis->phase == PHASE_DOWN) {
        return;
    }
    text_copy(redis->reason, sizeof redis->reason, reason);
    if (was_ready) {
        redis->since = loop_now(redis->loop);
    }
    if (!redis->options.is_private && !redis->waiting_logged) {
        redis->waiting_logged = true;
        log_write(redis->log, LOG_INFO, "redis-waiting", redis->name,
                  "orchd waits for Redis: %s", redis->reason);
    }
    /* Redis may just be starting, which is not worth a warning. */
    if ((was_ready || loop_now(redis->loop) - redis->since > REDIS_PATIENCE) &&
        strcmp(redis->logged, redis->reason) != 0) {
        text_copy(redis->logged, sizeof redis->logged, redis->reason);
        log_write(redis->log, LOG_WARN, "redis-lost", redis->name,
                  "%s; the ASIC keeps what it has, and orchd keeps trying",
                  redis->reason);
    }
    close_links(redis, false);
    set_timer(redis, &redis->retry, redis->backoff);
    redis->backoff *= 2;
    if (redis->backoff > REDIS_BACKOFF_MAX_NS) {
        redis->backoff = REDIS_BACKOFF_MAX_NS;
    }
    if (was_ready) {
        redis->listener.link_down(redis->context, redis->reason);
    }
}

static void
on_retry(struct timer *timer, int64_t when)
{
    (void)when;
    connect_links(timer->owner);
}

/* Returns the time until the next complete reading. */
static int64_t
audit_interval(const struct redis *redis)
{
    bool poll = !redis->notified && redis->options.audit_ns > REDIS_POLL_NS;

    return poll ? REDIS_POLL_NS : redis->options.audit_ns;
}

void
redis_set_audit(struct redis *redis, int64_t audit_ns)
{
    redis->options.audit_ns = audit_ns;
    if (redis->phase >= PHASE_READING) {
        set_timer(redis, &redis->audit, audit_interval(redis));
    }
}

/* The periodic audit checks that notifications are still enabled, that the
 * subscription works, that Redis accepted the output, and that CONFIG_DB equals
 * what was read. */
static void
on_audit(struct timer *timer, int64_t when)
{
    struct redis *redis = timer->owner;

    (void)when;
    ask_notify(redis);
    if (redis->notified) {
        barriers_add(redis->barriers, NULL, NULL);
    }
    if (redis->refused) {
        redis_republish(redis);
    } else {
        redis->listener.audit(redis->context);
    }
    reader_start(redis->reader);
    set_timer(redis, &redis->audit, audit_interval(redis));
}

/* Both connections are ready: starts to read rows and to send output. */
static void
ready(struct redis *redis)
{
    redis->phase = PHASE_READING;
    redis->n_connects++;
    reader_attach(redis->reader, redis->commands);
    barriers_attach(redis->barriers, redis->commands, redis->notified);
    silent_commands_attach(redis->silent, redis->commands);
    refusals_attach(redis->refusals, redis->commands);
    redis->listener.resync(redis->context);
    reader_start(redis->reader);
    set_timer(redis, &redis->audit, audit_interval(redis));
}

/* Returns the length of a list that is ended by NULL, or is NULL. */
static unsigned int
length_of(const char *const *list)
{
    unsigned int n = 0;

    while (list && list[n]) {
        n++;
    }
    return n;
}

static unsigned int
n_subscriptions(const struct redis *redis)
{
    unsigned int n_watched = 0;

    for (const struct redis_keys *p = redis->options.watched; p && p->pattern;
         p++) {
        n_watched++;
    }
    return N_SUBSCRIPTIONS + length_of(redis->options.channels) +
           length_of(redis->options.state_keys) + n_watched +
           (redis->options.buffers_pushed ? N_SUBSCRIPTIONS_PUSHED : 0);
}

/* Continues when all parts of the preparation are done, in any order: the lock
 * is ours, it is known whether Redis sends notifications, and all subscriptions
 * are confirmed.  Only then may CONFIG_DB be read, or a change between the
 * reading and the subscription would be missed. */
static void
check_ready(struct redis *redis)
{
    if (redis->phase == PHASE_PREPARING && redis->owned &&
        redis->notify_known && redis->n_subscribed == n_subscriptions(redis)) {
        ready(redis);
    }
}

/* The lock is ours. */
static void
on_owned(void *redis_)
{
    struct redis *redis = redis_;

    redis->owned = true;
    check_ready(redis);
}

/* Another process has the lock: sends nothing more, not even what is already
 * in the outbox. */
static void
on_disowned(void *redis_, const struct err *err)
{
    struct redis *redis = redis_;

    text_copy(redis->reason, sizeof redis->reason, err->reason);
    close_links(redis, false);
    redis->listener.disowned(redis->context, err);
}

/* The connection counts as up after the first complete reading, and only that
 * resets the back-off: a Redis that accepts connections but cannot be read (for
 * example while it loads its data) must not be flooded with attempts. */
static void
on_reading_ended(void *redis_)
{
    struct redis *redis = redis_;

    if (redis->phase == PHASE_READING) {
        redis->phase = PHASE_UP;
        redis->waiting_logged = true; /* From now on it can only be lost. */
        redis->backoff = REDIS_BACKOFF_MIN_NS;
        redis->logged[0] = '\0';
        if (redis->notified) {
            redis->reason[0] = '\0';
        }
        log_write(redis->log, LOG_INFO, "redis-up", redis->name,
                  "connected; CONFIG_DB has been read");
    }
    barriers_reading_ended(redis->barriers);
}

static void
on_swapped(void *redis_)
{
    struct redis *redis = redis_;

    redis->swapped = true;
}

/* Notifications may have been disabled for a while, so changes may have been
 * missed.  While orchd connects, CONFIG_DB is not read yet. */
static void
distrust(struct redis *redis)
{
    if (redis->phase >= PHASE_READING) {
        barriers_distrust(redis->barriers);
    }
}

/* Another client has set an option of Redis, perhaps to disable notifications,
 * and perhaps to enable them again. */
static void
on_configured(void *redis)
{
    ask_notify(redis);
    distrust(redis);
}

/* Redis would have delivered the token if the subscription worked, even if TCP
 * reports no error. */
static void
on_deaf(void *redis)
{
    fail(redis, "the subscription no longer delivers messages");
}

/* Records whether Redis sends notifications; 'error' says why not. */
static void
set_notified(struct redis *redis, bool notified, const char *error)
{
    if (!notified && (redis->notified || !redis->notify_known)) {
        text_format(redis->reason, sizeof redis->reason,
                    "no keyspace notifications: %s", error);
        log_write(redis->log, LOG_ERROR, "redis-notify", redis->name,
                  "Redis sends no keyspace notifications and refuses to "
                  "enable them (%s); CONFIG_DB is read completely every second "
                  "instead; run: redis-cli CONFIG SET " NOTIFY_OPTION
                  " AKE, or put " NOTIFY_OPTION " AKE into redis.conf",
                  error);
    } else if (notified && !redis->notified && redis->notify_known) {
        redis->reason[0] = '\0';
        log_write(redis->log, LOG_INFO, "redis-notify", redis->name,
                  "Redis sends keyspace notifications now");
    }
    if (redis->phase >= PHASE_READING && notified != redis->notified) {
        barriers_attach(redis->barriers, redis->commands, notified);
    }
    redis->notified = notified;
    redis->notify_known = true;
    check_ready(redis);
}

static void
on_notify_set(void *redis_, redisReply *reply)
{
    struct redis *redis = redis_;

    redis->enabling = false;
    if (reply) {
        bool refused = reply->type == REDIS_REPLY_ERROR;

        set_notified(redis, !refused, refused ? reply->str : "");
    }
}

/* Enables the notifications that Redis does not send: 'present' are the flags
 * of those that it sends, 'wanted' are to be set. */
static void
enable_notify(struct redis *redis, const char *present, const char *wanted)
{
    if (redis->phase >= PHASE_READING) {
        log_write(
            redis->log, LOG_WARN, "redis-notify-set", redis->name,
            "another client has disabled keyspace notifications: " NOTIFY_OPTION
            " was '%s' and is set to '%s'; CONFIG_DB is "
            "read completely, because changes may have been missed",
            present, wanted);
    } else {
        log_write(redis->log, LOG_INFO, "redis-notify-set", redis->name,
                  NOTIFY_OPTION " was '%s' and is set to '%s'", present,
                  wanted);
    }
    redis->enabling = true;
    silent_commands_except(redis->silent);
    link_command(redis->commands, -1, on_notify_set, redis, "CONFIG", "SET",
                 NOTIFY_OPTION, wanted, NULL);
    distrust(redis);
}

/* The answer to CONFIG GET.  Another client may disable notifications while
 * orchd runs, so each barrier and each audit asks again. */
static void
on_notify_get(void *redis_, redisReply *reply)
{
    struct redis *redis = redis_;
    char wanted[64];

    if (!reply || redis->enabling) {
        return; /* The answer to CONFIG SET follows, and decides. */
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        set_notified(redis, false, reply->str);
    } else if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
               reply->element[1]->type != REDIS_REPLY_STRING) {
        set_notified(redis, false, "it does not know " NOTIFY_OPTION);
    } else if (notify_lacks(reply->element[1]->str, wanted, sizeof wanted)) {
        enable_notify(redis, reply->element[1]->str, wanted);
    } else {
        set_notified(redis, true, "");
    }
}

/* Asks which notifications Redis sends, and enables those that orchd needs. */
static void
ask_notify(struct redis *redis)
{
    link_command(redis->commands, -1, on_notify_get, redis, "CONFIG", "GET",
                 NOTIFY_OPTION, NULL);
}

void
redis_check_notifications__(struct redis *redis)
{
    silent_commands_check(redis->silent);
    ask_notify(redis);
}

/* Without tracking everything works, but with more delay. */
static void
on_tracking(void *redis_, redisReply *reply)
{
    struct redis *redis = redis_;

    if (reply && reply->type == REDIS_REPLY_ERROR) {
        log_write(redis->log, LOG_INFO, "redis-tracking", redis->name,
                  "Redis does not report when a database is flushed (%s); the "
                  "periodic reading detects it",
                  reply->str);
    }
}

/* Subscribes to notifications about the watched keys. */
static void
subscribe_watched(struct redis *redis)
{
    for (const struct redis_keys *p = redis->options.watched; p && p->pattern;
         p++) {
        char pattern[128];

        text_format(pattern, sizeof pattern, "__keyspace@%d__:%s",
                    redis_number__(redis, p->database), p->pattern);
        link_subscribe(redis->subscriber, "PSUBSCRIBE", pattern);
    }
}

/* The id of the subscriber is known: requests invalidation messages there, and
 * subscribes.  (After subscribing a client cannot ask for its id.) */
static void
on_client_id(void *redis_, redisReply *reply)
{
    struct redis *redis = redis_;
    char id[32];

    if (!reply) {
        return;
    }
    if (reply->type == REDIS_REPLY_INTEGER) {
        text_format(id, sizeof id, "%lld", reply->integer);
        link_command(redis->commands, -1, on_tracking, redis, "CLIENT",
                     "TRACKING", "ON", "REDIRECT", id, "BCAST", "PREFIX",
                     TRACKING_PREFIX, NULL);
    } else {
        on_tracking(redis, reply);
    }
    link_subscribe(redis->subscriber, "PSUBSCRIBE", redis->pattern);
    link_subscribe(redis->subscriber, "SUBSCRIBE",
                   barriers_channel(redis->barriers));
    link_subscribe(redis->subscriber, "SUBSCRIBE", INVALIDATE_CHANNEL);
    link_subscribe(redis->subscriber, "SUBSCRIBE", OWNER_CHANNEL);
    if (redis->options.buffers_pushed) {
        link_subscribe(redis->subscriber, "PSUBSCRIBE", redis->pushed_pattern);
        link_subscribe(redis->subscriber, "PSUBSCRIBE",
                       redis->producer_pattern);
    }
    for (const char *const *p = redis->options.channels; p && *p; p++) {
        link_subscribe(redis->subscriber, "SUBSCRIBE", *p);
    }
    for (const char *const *p = redis->options.state_keys; p && *p; p++) {
        char pattern[96];

        text_format(pattern, sizeof pattern, "%s%s", redis->state_prefix, *p);
        link_subscribe(redis->subscriber, "PSUBSCRIBE", pattern);
    }
    subscribe_watched(redis);
}

/* Passes on a notification if it is about a watched key.  Returns whether it
 * is. */
static bool
pass_watched(struct redis *redis, const char *channel)
{
    for (const struct redis_keys *p = redis->options.watched; p && p->pattern;
         p++) {
        char start[160];
        const size_t length = strcspn(p->pattern, "*");
        size_t prefix;

        text_format(start, sizeof start, "__keyspace@%d__:%.*s",
                    redis_number__(redis, p->database), (int)length,
                    p->pattern);
        prefix = strlen(start);
        if (!strncmp(channel, start, prefix)) {
            redis->listener.watched_key(redis->context, p->database,
                                        channel + prefix - length);
            return true;
        }
    }
    return false;
}

/* One of the two connections is established. */
static void
on_up(void *redis_)
{
    struct redis *redis = redis_;

    if (++redis->n_linked == 2) {
        redis->phase = PHASE_PREPARING;
        owner_attach(redis->owner, redis->commands);
        ask_notify(redis);
        link_command(redis->subscriber, -1, on_client_id, redis, "CLIENT", "ID",
                     NULL);
    }
}

void
redis_republish(struct redis *redis)
{
    redis->refused = false;
    redis->listener.resync(redis->context);
}

/* Redis refused a command without a callback. */
static void
on_refused(void *redis_, const char *error)
{
    struct redis *redis = redis_;
    const bool passing = refusals_note(redis->refusals, error);

    redis->n_errors++;
    redis->refused |= !passing;
    log_write(redis->log, LOG_WARN, "redis-refused", redis->name,
              "what orchd publishes was refused: %s", error);
}

/* Redis accepts writes again. */
static void
on_recovered(void *redis_)
{
    struct redis *redis = redis_;

    log_write(redis->log, LOG_INFO, "redis-accepts", redis->name,
              "Redis accepts writes again; orchd publishes everything again");
    redis_republish(redis);
}

/* A message for a pattern: all notifications have the form
 * "__keyspace@N__:key". */
static void
on_pattern(struct redis *redis, const char *channel)
{
    const size_t length = strlen(redis->pattern) - 1;
    const size_t state = strlen(redis->state_prefix);

    if (!strncmp(channel, redis->pattern, length)) {
        reader_dirty(redis->reader, channel + length);
    } else if (pass_watched(redis, channel)) {
        return;
    } else if (!strncmp(channel, redis->state_prefix, state)) {
        redis->listener.state_key(redis->context, channel + state);
    } else if (!strncmp(channel, "__keyspace@", strlen("__keyspace@"))) {
        reader_dirty_pushed(redis->reader, strchr(channel, ':') + 1);
    } else if (redis->phase >= PHASE_READING) {
        pending_take(redis->commands, redis_number__(redis, APPL_DB), channel);
    }
}

/* A message for the subscriber: a key has changed, a barrier token, a flush of
 * a database (an invalidation without a key), or a message for our owner. */
static void
on_message(void *redis_, const char *kind, const char *channel,
           const char *payload)
{
    struct redis *redis = redis_;

    if (!strcmp(kind, "pmessage")) {
        on_pattern(redis, channel);
    } else if (!strcmp(kind, "message")) {
        if (!strcmp(channel, INVALIDATE_CHANNEL)) {
            redis->flushed |= !payload;
        } else if (payload &&
                   !strcmp(channel, barriers_channel(redis->barriers))) {
            barriers_heard(redis->barriers, payload);
        } else if (!strcmp(channel, OWNER_CHANNEL)) {
            owner_renew(redis->owner);
        } else if (payload) {
            redis->listener.message(redis->context, channel, payload);
        }
    } else if (!strcmp(kind, "subscribe") || !strcmp(kind, "psubscribe")) {
        redis->n_subscribed++;
        check_ready(redis);
    }
}

/* Starts both connections. */
static void
connect_links(struct redis *redis)
{
    const struct link_listener commands = {
        .up = on_up, .down = fail, .refused = on_refused, .context = redis};
    const struct link_listener subscriber = {
        .up = on_up, .down = fail, .message = on_message, .context = redis};
    struct err err;

    redis->phase = PHASE_CONNECTING;
    redis->n_linked = 0;
    redis->n_subscribed = 0;
    redis->notify_known = false;
    redis->notified = false;
    if (!redis->resolved) {
        if (endpoint_resolve(&redis->options.endpoint, &err)) {
            fail(redis, err.reason);
            return;
        }
        redis->resolved = true;
    }
    redis->commands =
        link_open(redis->loop, &redis->options.endpoint, &commands);
    redis->subscriber =
        link_open(redis->loop, &redis->options.endpoint, &subscriber);
}

static struct owner *
create_owner(struct redis *redis)
{
    const struct owner_options options = {
        .database = redis_number__(redis, STATE_DB),
        .name = redis->name,
        .control = redis->options.control,
        .force = redis->options.force_owner,
    };
    const struct owner_listener owner_listener = {on_owned, on_disowned, fail,
                                                  redis};

    return owner_create(redis->loop, redis->log, &options, &owner_listener);
}

struct redis *
redis_create(struct loop *loop, struct log *log,
             const struct redis_options *options,
             const struct redis_listener *listener, void *context)
{
    struct redis *redis = check_calloc(1, sizeof *redis);
    const struct reader_listener reader_listener = {
        .ended = on_reading_ended, .refused = fail, .context = redis};
    const struct silent_commands_listener silent_listener = {
        .swapped = on_swapped, .configured = on_configured, .context = redis};

    orch_assert(options->endpoint.kind != ENDPOINT_SPAWN);
    redis->loop = loop;
    redis->log = log;
    redis->options = *options;
    redis->listener = *listener;
    redis->context = context;
    redis->backoff = REDIS_BACKOFF_MIN_NS;
    redis->since = loop_now(loop);
    redis->retry.fire = on_retry;
    redis->retry.owner = redis;
    redis->audit.fire = on_audit;
    redis->audit.owner = redis;
    endpoint_format(&options->endpoint, redis->name);
    text_format(redis->pattern, sizeof redis->pattern, "__keyspace@%d__:*",
                redis_number__(redis, CONFIG_DB));
    text_format(redis->state_prefix, sizeof redis->state_prefix,
                "__keyspace@%d__:", redis_number__(redis, STATE_DB));
    text_format(redis->pushed_pattern, sizeof redis->pushed_pattern,
                "__keyspace@%d__:" PENDING_ROWS,
                redis_number__(redis, APPL_DB));
    text_format(redis->producer_pattern, sizeof redis->producer_pattern,
                PENDING_CHANNELS, redis_number__(redis, APPL_DB));
    text_copy(redis->reason, sizeof redis->reason, "not connected yet");
    redis->reader = reader_create(log, &redis->options, &redis->listener,
                                  context, &reader_listener);
    redis->outbox = outbox_create();
    redis->barriers = barriers_create(loop, redis->reader, on_deaf, redis);
    redis->silent = silent_commands_create(loop, &silent_listener);
    redis->refusals = refusals_create(loop, redis_number__(redis, STATE_DB),
                                      on_recovered, redis);
    redis->owner = create_owner(redis);
    set_timer(redis, &redis->retry, 0);
    return redis;
}

void
redis_destroy(struct redis *redis)
{
    if (redis) {
        redis_flush(redis);
        owner_release(redis->owner);
        close_links(redis, true);
        timeline_cancel(loop_timeline(redis->loop), &redis->retry);
        barriers_destroy(redis->barriers);
        silent_commands_destroy(redis->silent);
        refusals_destroy(redis->refusals);
        owner_destroy(redis->owner);
        reader_destroy(redis->reader);
        link_args_fini(&redis->args);
        outbox_destroy(redis->outbox);
        free(redis);
    }
}

void
redis_turn(struct redis *redis)
{
    if (redis->subscriber) {
        link_drain(redis->subscriber);
    }
    if (redis->flushed || redis->swapped) {
        log_write(redis->log, LOG_WARN,
                  redis->flushed ? "redis-flushed" : "redis-swapped",
                  redis->name,
                  "a database was %s; nothing is removed from the ASIC until "
                  "CONFIG_DB is filled again",
                  redis->flushed ? "emptied with FLUSHDB or FLUSHALL"
                                 : "exchanged with SWAPDB");
        redis->flushed = redis->swapped = false;
        owner_renew(redis->owner);
        redis->listener.flushed(redis->context);
        redis->listener.resync(redis->context);
        reader_start(redis->reader);
    }
    reader_flush(redis->reader);
    if (redis->commands) {
        link_write(redis->commands); /* Redis reads while this turn works. */
    }
}

static void
send_command(void *redis_, enum database database, const char *command,
             size_t length)
{
    struct redis *redis = redis_;
    bool message = (int)database == OUTBOX_MESSAGES;

    link_send_formatted(redis->commands,
                        message ? -1 : redis_number__(redis, database), command,
                        length);
}

void
redis_flush(struct redis *redis)
{
    if (redis->commands) {
        outbox_flush(redis->outbox, send_command, redis);
    }
}

void
redis_send(struct redis *redis)
{
    redis_flush(redis);
    if (redis->commands) {
        link_write(redis->commands);
    }
}

bool
redis_buffers_pushed(const struct redis *redis)
{
    return redis->options.buffers_pushed;
}

bool
redis_idle(const struct redis *redis)
{
    return !redis->commands ||
           (outbox_empty(redis->outbox) && link_idle(redis->commands));
}

void
redis_status(const struct redis *redis, struct redis_status *status)
{
    memset(status, 0, sizeof *status);
    status->up = redis->phase == PHASE_UP;
    status->notified = redis->notified;
    status->is_private = redis->options.is_private;
    status->endpoint = redis->name;
    status->reason = redis->reason;
    status->n_connects = redis->n_connects;
    status->n_readings = reader_n_readings(redis->reader);
    status->n_rows_read = reader_n_rows(redis->reader);
    status->n_writes = redis->n_writes;
    status->n_dropped = redis->n_dropped;
    status->n_errors = redis->n_errors;
}
