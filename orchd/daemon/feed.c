/* SPDX-License-Identifier: Apache-2.0 */

/* Passes rows on, and asks the gate whether intent may believe removals. */

#include <config.h>

#include "orchd/daemon/feed.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/db/gate.h"
#include "orchd/intent/intent.h"
#include "process/log.h"
#include "process/loop.h"

struct feed {
    struct loop *loop;
    struct log *log;
    struct intent *intent;
    struct gate gate;
    bool held; /* The last intent_hold(). */
    struct timer timer;
};

/* Logs that removals are held back, or no longer are. */
static void
log_hold(const struct feed *feed)
{
    if (feed->held) {
        log_write(feed->log, LOG_WARN, "hold", "CONFIG_DB", "%s",
                  feed_hold(feed));
    } else if (gate_is_open_by_patience(&feed->gate)) {
        log_write(feed->log, LOG_WARN, "hold-over", "CONFIG_DB",
                  "removals resume although clients have not stopped writing "
                  "for 5 s: orchd removes objects that no row of CONFIG_DB "
                  "wants; fill CONFIG_DB in one step (orchctl config load, or "
                  "MULTI and EXEC) if that takes longer than 5 s");
    } else {
        log_write(feed->log, LOG_INFO, "hold-over", "CONFIG_DB",
                  "removals resume: orchd removes objects that no row of "
                  "CONFIG_DB wants");
    }
}

/* Asks the gate, and passes its answer to intent if it has changed. */
static void
update(struct feed *feed)
{
    int64_t now = loop_now(feed->loop);
    bool held = !gate_open(&feed->gate, now);
    int64_t next = gate_next(&feed->gate);

    if (next != INT64_MAX && !timer_pending(&feed->timer)) {
        timeline_set(loop_timeline(feed->loop), &feed->timer, next);
    }
    if (held != feed->held) {
        feed->held = held;
        intent_hold(feed->intent, held, now);
        log_hold(feed);
    }
}

/* Fires when the gate may open. */
static void
on_timer(struct timer *timer, int64_t when)
{
    (void)when;
    update(timer->owner);
}

struct feed *
feed_create(struct loop *loop, struct log *log, struct intent *intent)
{
    struct feed *feed = check_calloc(1, sizeof *feed);

    feed->loop = loop;
    feed->log = log;
    feed->intent = intent;
    feed->timer.fire = on_timer;
    feed->timer.owner = feed;
    feed->held = true;
    gate_init(&feed->gate, loop_now(loop));
    intent_hold(intent, true, loop_now(loop));
    return feed;
}

void
feed_destroy(struct feed *feed)
{
    if (feed) {
        timeline_cancel(loop_timeline(feed->loop), &feed->timer);
        free(feed);
    }
}

void
feed_row(struct feed *feed, enum table table, const char *key,
         const struct field *fields, size_t n)
{
    int64_t now = loop_now(feed->loop);

    if (n) {
        gate_row(&feed->gate, table == TABLE_PORT, now);
        intent_put(feed->intent, table, key, fields, n, now);
        update(feed);
    } else {
        intent_remove(feed->intent, table, key, now);
    }
}

void
feed_bad_row(struct feed *feed, enum table table, const char *key,
             const struct err *err)
{
    intent_put_bad(feed->intent, table, key, err, loop_now(feed->loop));
}

void
feed_reading_begin(struct feed *feed)
{
    gate_reading_begin(&feed->gate);
    intent_resync_begin(feed->intent);
}

void
feed_reading_end(struct feed *feed, const struct redis_reading *reading)
{
    gate_reading_end(&feed->gate, reading->initialized, reading->n_ports > 0,
                     loop_now(feed->loop));
    update(feed);
    intent_resync_end(feed->intent, loop_now(feed->loop));
}

void
feed_initialized(struct feed *feed, bool initialized)
{
    gate_initialized(&feed->gate, initialized);
    update(feed);
}

void
feed_flushed(struct feed *feed)
{
    gate_flushed(&feed->gate);
    update(feed);
}

void
feed_link_down(struct feed *feed)
{
    gate_link_lost(&feed->gate);
    update(feed);
}

void
feed_resume(struct feed *feed)
{
    gate_resume(&feed->gate);
    update(feed);
}

const char *
feed_hold(const struct feed *feed)
{
    return feed->held ? gate_reason_sentence(gate_why(&feed->gate)) : "";
}

bool
feed_is_opening(const struct feed *feed)
{
    return feed->held && gate_next(&feed->gate) != INT64_MAX;
}
