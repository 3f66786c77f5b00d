/* SPDX-License-Identifier: Apache-2.0 */

/* Asks for the number of swaps every second. */

#include <config.h>

#include "orchd/db/swapdb.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/db/link.h"
#include "process/loop.h"

struct swapdb {
    struct loop *loop;
    void (*swapped)(void *context);
    void *context;
    struct link *link; /* NULL: there is none, or it does not permit INFO. */
    struct timer due;
    bool known; /* 'n' is known. */
    uint64_t n;
};

static void
set_timer(struct swapdb *swaps)
{
    timeline_set(loop_timeline(swaps->loop), &swaps->due,
                 loop_now(swaps->loop) + SWAPDB_INTERVAL_NS);
}

uint64_t
swapdb_count(const char *info)
{
    static const char name[] = "cmdstat_swapdb:calls=";
    const char *found = strstr(info, name);

    return found ? strtoull(found + sizeof name - 1, NULL, 10) : 0;
}

/* The answer.  Without permission for INFO only the periodic reading detects
 * swaps. */
static void
on_info(void *swaps_, redisReply *reply)
{
    struct swapdb *swaps = swaps_;
    uint64_t n;

    if (!reply || reply->type == REDIS_REPLY_ERROR || !reply->str) {
        return;
    }
    n = swapdb_count(reply->str);
    if (swaps->known && n != swaps->n && n != 0) {
        swaps->swapped(swaps->context);
    }
    swaps->known = true;
    swaps->n = n;
    set_timer(swaps);
}

static void
ask(struct swapdb *swaps)
{
    link_command(swaps->link, -1, on_info, swaps, "INFO", "commandstats", NULL);
}

static void
on_due(struct timer *timer, int64_t when)
{
    (void)when;
    ask(timer->owner);
}

struct swapdb *
swapdb_create(struct loop *loop, void (*swapped)(void *context), void *context)
{
    struct swapdb *swaps = check_calloc(1, sizeof *swaps);

    swaps->loop = loop;
    swaps->swapped = swapped;
    swaps->context = context;
    swaps->due.fire = on_due;
    swaps->due.owner = swaps;
    return swaps;
}

void
swapdb_destroy(struct swapdb *swaps)
{
    if (swaps) {
        timeline_cancel(loop_timeline(swaps->loop), &swaps->due);
        free(swaps);
    }
}

void
swapdb_attach(struct swapdb *swaps, struct link *link)
{
    timeline_cancel(loop_timeline(swaps->loop), &swaps->due);
    swaps->link = link;
    swaps->known = false;
    if (link) {
        ask(swaps);
    }
}
