/* SPDX-License-Identifier: Apache-2.0 */

/* Barriers in the order of the requests. */

#include <config.h>

#include "orchd/db/barrier.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <unistd.h>
#include <utlist.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/link.h"
#include "orchd/db/reader.h"
#include "process/loop.h"

enum stage {
    STAGE_TOKEN,   /* Waits for its token. */
    STAGE_TRIP,    /* Waits for the round trip. */
    STAGE_READING, /* Waits for a complete reading. */
};

struct barrier {
    struct barriers *list;
    uint64_t token;
    enum stage stage;
    uint64_t wanted; /* Number of the round trip or reading. */
    int64_t since;
    bool suspect; /* The token is overdue; this is its last chance. */
    redis_done_fn *done;
    void *context;
    struct barrier *prev, *next;
};

struct barriers {
    struct loop *loop;
    struct reader *reader;
    struct link *link;
    bool notified;
    void (*deaf)(void *context);
    void *deaf_context;
    struct barrier *first;
    uint64_t token; /* Token of the last barrier. */
    uint64_t trips_sent, trips_back;
    struct timer timer;
    char channel[64];
};

/* Checks whether a token is overdue.  The first pending barrier is the
 * oldest. */
static void
on_timer(struct timer *timer, int64_t when)
{
    struct barriers *barriers = timer->owner;
    struct barrier *barrier = barriers->first;
    int64_t now = loop_now(barriers->loop);

    (void)when;
    while (barrier && barrier->stage != STAGE_TOKEN) {
        barrier = barrier->next;
    }
    if (!barrier) {
        return;
    }
    if (now - barrier->since < REDIS_STALL_NS) {
        timeline_set(loop_timeline(barriers->loop), timer,
                     barrier->since + REDIS_STALL_NS);
    } else if (!barrier->suspect) {
        /* orchd itself may have been blocked. */
        barrier->suspect = true;
        timeline_set(loop_timeline(barriers->loop), timer,
                     now + REDIS_LAST_CHANCE_NS);
    } else {
        barriers->deaf(barriers->deaf_context);
    }
}

struct barriers *
barriers_create(struct loop *loop, struct reader *reader,
                void (*deaf)(void *context), void *context)
{
    struct barriers *barriers = check_calloc(1, sizeof *barriers);

    barriers->loop = loop;
    barriers->reader = reader;
    barriers->deaf = deaf;
    barriers->deaf_context = context;
    barriers->timer.fire = on_timer;
    barriers->timer.owner = barriers;
    text_format(barriers->channel, sizeof barriers->channel,
                "ORCHD_BARRIER@%ld.%llx", (long)getpid(),
                (unsigned long long)loop_now(loop));
    return barriers;
}

/* Removes 'barrier' from its list and reports its result. */
static void
finish(struct barrier *barrier, enum st status)
{
    struct err err = {0};

    DL_DELETE(barrier->list->first, barrier);
    if (status) {
        err_set(&err, status, "redis-lost",
                "the connection to Redis is lost, so it is not known whether "
                "everything was seen");
    }
    if (barrier->done) {
        barrier->done(barrier->context, status, &err);
    }
    free(barrier);
}

void
barriers_destroy(struct barriers *barriers)
{
    if (barriers) {
        barriers_attach(barriers, NULL, false);
        free(barriers);
    }
}

const char *
barriers_channel(const struct barriers *barriers)
{
    return barriers->channel;
}

void
barriers_attach(struct barriers *barriers, struct link *link, bool notified)
{
    barriers->link = link;
    barriers->notified = notified;
    if (link) {
        return;
    }
    timeline_cancel(loop_timeline(barriers->loop), &barriers->timer);
    barriers->trips_sent = 0;
    barriers->trips_back = 0;
    while (barriers->first) {
        finish(barriers->first, ST_IO);
    }
}

void
barriers_add(struct barriers *barriers, redis_done_fn *done, void *context)
{
    struct barrier *barrier = check_calloc(1, sizeof *barrier);
    char token[32];

    barrier->list = barriers;
    barrier->done = done;
    barrier->context = context;
    barrier->since = loop_now(barriers->loop);
    barrier->token = ++barriers->token;
    DL_APPEND(barriers->first, barrier);
    if (!barriers->link) {
        finish(barrier, ST_IO);
        return;
    }
    barrier->stage = STAGE_TOKEN;
    if (!barriers->notified) {
        barrier->stage = STAGE_READING;
        barrier->wanted = reader_start(barriers->reader);
        return;
    }
    text_format(token, sizeof token, "%llu",
                (unsigned long long)barrier->token);
    link_command(barriers->link, -1, NULL, NULL, "PUBLISH", barriers->channel,
                 token, NULL);
    if (!timer_pending(&barriers->timer)) {
        timeline_set(loop_timeline(barriers->loop), &barriers->timer,
                     barrier->since + REDIS_STALL_NS);
    }
}

void
barriers_distrust(struct barriers *barriers)
{
    const uint64_t wanted = reader_start(barriers->reader);
    struct barrier *barrier;

    DL_FOREACH(barriers->first, barrier)
    {
        barrier->stage = STAGE_READING;
        barrier->wanted = wanted;
    }
}

/* Finishes all barriers in 'stage' that wait for number 'reached' or a lower
 * one. */
static void
finish_reached(struct barriers *barriers, enum stage stage, uint64_t reached)
{
    struct barrier *barrier, *next;

    DL_FOREACH_SAFE(barriers->first, barrier, next)
    {
        if (barrier->stage == stage && barrier->wanted <= reached) {
            finish(barrier, ST_OK);
        }
    }
}

/* A round trip is over: all rows requested before it have arrived. */
static void
on_trip(void *barriers_, redisReply *reply)
{
    struct barriers *barriers = barriers_;

    if (reply) {
        barriers->trips_back++;
        finish_reached(barriers, STAGE_TRIP, barriers->trips_back);
    }
}

void
barriers_heard(struct barriers *barriers, const char *token)
{
    struct barrier *barrier;
    uint64_t heard;

    if (!barriers->link || parse_u64(token, 0, UINT64_MAX, &heard)) {
        return;
    }
    barriers->trips_sent++;
    DL_FOREACH(barriers->first, barrier)
    {
        if (barrier->stage == STAGE_TOKEN && barrier->token <= heard) {
            barrier->stage = STAGE_TRIP;
            barrier->wanted = barriers->trips_sent;
        }
    }
    reader_flush_all(barriers->reader);
    link_command(barriers->link, -1, on_trip, barriers, "PING", NULL);
}

void
barriers_reading_ended(struct barriers *barriers)
{
    finish_reached(barriers, STAGE_READING, reader_ended(barriers->reader));
}
