/* SPDX-License-Identifier: Apache-2.0 */

/* A timer, and one write at a time. */

#include <config.h>

#include "orchd/db/refusals.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/db/link.h"
#include "process/loop.h"

struct refusals {
    struct loop *loop;
    struct link *link; /* NULL while there is none. */
    int database;
    void (*recovered)(void *context);
    void *context;
    bool probing;     /* Redis refuses; the timer or an answer is pending. */
    int64_t interval; /* Until the next attempt. */
    int64_t accepted; /* When Redis accepted writes again; 0: never. */
    struct timer timer;
};

/* Codes of errors that end without a change of what orchd sends. */
static const char *const passing[] = {
    "BUSY", "LOADING", "MASTERDOWN", "MISCONF", "NOREPLICAS", "OOM", "READONLY",
};

/* Returns whether 'error' starts with the word 'code'. */
static bool
has_code(const char *error, const char *code)
{
    const size_t length = strlen(code);

    return !strncmp(error, code, length) &&
           (error[length] == ' ' || error[length] == '\0');
}

/* Returns whether 'error' passes by itself. */
static bool
is_passing(const char *error)
{
    size_t i = 0;

    while (i < sizeof passing / sizeof *passing &&
           !has_code(error, passing[i])) {
        i++;
    }
    return i < sizeof passing / sizeof *passing;
}

bool
refusals_is_loading(const char *error)
{
    return has_code(error, "LOADING");
}

/* Plans the next attempt, and makes the interval after it longer. */
static void
plan(struct refusals *refusals)
{
    timeline_set(loop_timeline(refusals->loop), &refusals->timer,
                 loop_now(refusals->loop) + refusals->interval);
    refusals->interval *= 2;
    if (refusals->interval > REFUSALS_RETRY_MAX_NS) {
        refusals->interval = REFUSALS_RETRY_MAX_NS;
    }
}

/* The answer to the write.  Another error than a passing one, such as a missing
 * permission for the key, says that Redis works again. */
static void
on_probe(void *refusals_, redisReply *reply)
{
    struct refusals *refusals = refusals_;

    if (!reply || !refusals->probing) {
        return;
    }
    if (reply->type == REDIS_REPLY_ERROR && is_passing(reply->str)) {
        plan(refusals);
        return;
    }
    refusals->probing = false;
    refusals->accepted = loop_now(refusals->loop);
    refusals->recovered(refusals->context);
}

static void
on_timer(struct timer *timer, int64_t when)
{
    struct refusals *refusals = timer->owner;

    (void)when;
    link_command(refusals->link, refusals->database, on_probe, refusals, "SET",
                 "ORCHD_PROBE", "1", "PX", "1", NULL);
}

struct refusals *
refusals_create(struct loop *loop, int database,
                void (*recovered)(void *context), void *context)
{
    struct refusals *refusals = check_calloc(1, sizeof *refusals);

    refusals->loop = loop;
    refusals->database = database;
    refusals->recovered = recovered;
    refusals->context = context;
    refusals->timer.fire = on_timer;
    refusals->timer.owner = refusals;
    return refusals;
}

void
refusals_destroy(struct refusals *refusals)
{
    if (refusals) {
        refusals_attach(refusals, NULL);
        free(refusals);
    }
}

void
refusals_attach(struct refusals *refusals, struct link *link)
{
    timeline_cancel(loop_timeline(refusals->loop), &refusals->timer);
    refusals->link = link;
    refusals->probing = false;
}

bool
refusals_note(struct refusals *refusals, const char *error)
{
    const int64_t now = loop_now(refusals->loop);

    if (!refusals->link || !is_passing(error)) {
        return false;
    }
    if (!refusals->probing) {
        if (!refusals->accepted ||
            now - refusals->accepted > REFUSALS_RELAPSE_NS) {
            refusals->interval = REFUSALS_RETRY_MIN_NS;
        }
        refusals->probing = true;
        plan(refusals);
    }
    return true;
}
