/* SPDX-License-Identifier: Apache-2.0 */

/* Compares the counts of commands. */

#include <config.h>

#include "orchd/db/silent_commands.h"

#include <hiredis/hiredis.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/db/link.h"
#include "process/loop.h"

/* How often clients have sent each command, without our own CONFIG SET. */
struct counts {
    uint64_t swaps;
    uint64_t settings;
};

struct silent_commands {
    struct loop *loop;
    struct silent_commands_listener listener;
    struct link *link; /* NULL while there is none. */
    struct timer due;
    uint64_t own; /* Our own CONFIG SET on this link. */
    bool known;   /* 'seen' is known. */
    struct counts seen;
};

/* A request.  Answers are in the order of the requests. */
struct request {
    struct silent_commands *commands;
    uint64_t own; /* Our own CONFIG SET before it. */
};

static void
set_timer(struct silent_commands *commands)
{
    timeline_set(loop_timeline(commands->loop), &commands->due,
                 loop_now(commands->loop) + SILENT_COMMANDS_INTERVAL_NS);
}

/* Returns the number of calls that follows 'name' in 'info', 0 if Redis has not
 * counted any. */
static uint64_t
count_of(const char *info, const char *name)
{
    const char *found = strstr(info, name);

    return found ? strtoull(found + strlen(name), NULL, 10) : 0;
}

/* The answer.  Without permission for INFO only the periodic reading detects
 * these commands. */
static void
on_info(void *request_, redisReply *reply)
{
    struct request *request = request_;
    struct silent_commands *commands = request->commands;
    struct counts now, before = commands->seen;
    bool known = commands->known;

    if (reply && reply->type != REDIS_REPLY_ERROR && reply->str) {
        now.swaps = count_of(reply->str, "cmdstat_swapdb:calls=");
        now.settings =
            count_of(reply->str, "cmdstat_config|set:calls=") - request->own;
        commands->seen = now;
        commands->known = true;
        set_timer(commands);
        if (known && now.swaps != before.swaps && now.swaps != 0) {
            commands->listener.swapped(commands->listener.context);
        }
        if (known && now.settings != before.settings) {
            commands->listener.configured(commands->listener.context);
        }
    }
    free(request);
}

void
silent_commands_check(struct silent_commands *commands)
{
    struct request *request = check_malloc(sizeof *request);

    request->commands = commands;
    request->own = commands->own;
    link_command(commands->link, -1, on_info, request, "INFO", "commandstats",
                 NULL);
}

static void
on_due(struct timer *timer, int64_t when)
{
    (void)when;
    silent_commands_check(timer->owner);
}

struct silent_commands *
silent_commands_create(struct loop *loop,
                       const struct silent_commands_listener *listener)
{
    struct silent_commands *commands = check_calloc(1, sizeof *commands);

    commands->loop = loop;
    commands->listener = *listener;
    commands->due.fire = on_due;
    commands->due.owner = commands;
    return commands;
}

void
silent_commands_destroy(struct silent_commands *commands)
{
    if (commands) {
        timeline_cancel(loop_timeline(commands->loop), &commands->due);
        free(commands);
    }
}

void
silent_commands_attach(struct silent_commands *commands, struct link *link)
{
    timeline_cancel(loop_timeline(commands->loop), &commands->due);
    commands->link = link;
    commands->known = false;
    commands->own = 0;
    if (link) {
        silent_commands_check(commands);
    }
}

void
silent_commands_except(struct silent_commands *commands)
{
    commands->own++;
}
