/* SPDX-License-Identifier: Apache-2.0 */

/* Passes what Redis reports to the parts that want it. */

#include <config.h>

#include "orchd/daemon/daemon_redis.h"

#include "base/text.h"
#include "orchd/daemon/chip_rows.h"
#include "orchd/daemon/daemon_state.h"
#include "orchd/daemon/daemon_status.h"
#include "orchd/daemon/daemon_watchdog.h"
#include "orchd/daemon/feed.h"
#include "orchd/daemon/writeback.h"
#include "orchd/db/redis.h"
#include "orchd/history/burst.h"
#include "orchd/history/history.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "process/loop.h"

void
daemon_remember_row(struct daemon *daemon, enum table table, const char *key,
                    const struct field *fields, size_t n)
{
    struct text whole = {0};

    if (daemon->history) {
        table_add_row(&whole, table, key);
        history_row(daemon->history, text_string(&whole), n ? fields : NULL, n);
        burst_row(daemon->burst, loop_now(daemon->loop));
        text_fini(&whole);
    }
}

/* Handles a row of CONFIG_DB as it is now; no fields: it was removed. */
static void
on_row(void *daemon_, enum table table, const char *key,
       const struct field *fields, size_t n)
{
    struct daemon *daemon = daemon_;

    daemon->written |= daemon->read && !daemon->reading;
    if (daemon->writeback &&
        writeback_row(daemon->writeback, table, key, fields, n)) {
        n = 0; /* orchd wrote it: not user-owned. */
    }
    feed_row(daemon->feed, table, key, fields, n);
    daemon_remember_row(daemon, table, key, fields, n);
    daemon->provider->ops->row(daemon->provider, table, key, fields, n);
}

static void
on_bad_row(void *daemon_, enum table table, const char *key,
           const struct err *err)
{
    struct daemon *daemon = daemon_;

    daemon->written |= daemon->read && !daemon->reading;
    feed_bad_row(daemon->feed, table, key, err);
    daemon_remember_row(daemon, table, key, NULL, 0);
}

static void
on_reading_begin(void *daemon_)
{
    struct daemon *daemon = daemon_;

    daemon->reading = true;
    feed_reading_begin(daemon->feed);
    if (daemon->history) {
        history_reading_begin(daemon->history);
    }
    daemon->provider->ops->reading(daemon->provider, false);
}

static void
on_reading_end(void *daemon_, const struct redis_reading *reading)
{
    struct daemon *daemon = daemon_;

    daemon->reading = false;
    if (!daemon->read) {
        struct agent_figures figures;

        agent_figures(daemon->agent, &figures);
        daemon->read = true;
        daemon->read_generation = figures.generation;
    }
    feed_reading_end(daemon->feed, reading);
    chip_rows_audit(daemon->chip_rows);
    if (daemon->history) {
        history_reading_end(daemon->history);
        burst_row(daemon->burst, loop_now(daemon->loop));
    }
    daemon->provider->ops->reading(daemon->provider, true);
}

static void
on_initialized(void *daemon_, bool initialized)
{
    struct daemon *daemon = daemon_;

    feed_initialized(daemon->feed, initialized);
}

static void
on_flushed(void *daemon_)
{
    struct daemon *daemon = daemon_;

    feed_flushed(daemon->feed);
    chip_rows_flushed(daemon->chip_rows);
}

/* Another orchd works on this Redis: run_parts() ends. */
static void
on_disowned(void *daemon_, const struct err *err)
{
    struct daemon *daemon = daemon_;

    daemon->disowned = *err;
    loop_stop(daemon->loop);
}

static void
on_link_down(void *daemon_, const char *reason)
{
    struct daemon *daemon = daemon_;

    (void)reason;
    feed_link_down(daemon->feed);
    chip_rows_link_down(daemon->chip_rows);
}

/* Passes an object to the publisher as if it had just appeared. */
static void
publish_object(void *publisher, const struct object *object)
{
    const struct listener *observer = publisher_listener(publisher);
    const struct object_view view = {object->name.table, object->name.name,
                                     object->name.index, object->type,
                                     object->oid};

    observer->object_appeared(observer->context, &view);
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->held) {
            observer->object_attribute(observer->context, &view, slot->meta,
                                       &slot->value);
        }
    }
}

/* Redis has become reachable, with unknown content: publishes everything again
 * from memory. */
static void
on_resync(void *daemon_)
{
    struct daemon *daemon = daemon_;

    daemon->provider->ops->resync(daemon->provider);
    publisher_resync_begin(daemon->publisher);
    daemon_status_publish(daemon->redis, daemon_identity(daemon));
    chip_rows_resync(daemon->chip_rows);
    agent_unexplain(daemon->agent);
    agent_each_row(daemon->agent, publisher_resync_row, daemon->publisher);
    agent_each_object(daemon->agent, publish_object, daemon->publisher);
    daemon_watchdog_resync(daemon->watchdog);
}

/* An audit of Redis. */
static void
on_audit(void *daemon_)
{
    const struct daemon *daemon = daemon_;

    publisher_audit(daemon->publisher);
}

static void
on_message(void *daemon_, const char *channel, const char *payload)
{
    struct daemon *daemon = daemon_;

    publisher_message(daemon->publisher, channel, payload);
    daemon_watchdog_message(daemon->watchdog, channel, payload);
}

static void
on_watched_key(void *daemon_, enum database database, const char *key)
{
    struct daemon *daemon = daemon_;

    daemon->provider->ops->watched_key(daemon->provider, database, key);
}

static void
on_state_key(void *daemon_, const char *key)
{
    struct daemon *daemon = daemon_;

    chip_rows_key(daemon->chip_rows, key);
}

const struct redis_listener daemon_redis_listener = {
    .row = on_row,
    .bad_row = on_bad_row,
    .reading_begin = on_reading_begin,
    .reading_end = on_reading_end,
    .initialized = on_initialized,
    .flushed = on_flushed,
    .resync = on_resync,
    .audit = on_audit,
    .message = on_message,
    .state_key = on_state_key,
    .watched_key = on_watched_key,
    .link_down = on_link_down,
    .disowned = on_disowned,
};
