/* SPDX-License-Identifier: Apache-2.0 */

/* What an earlier run, tests and other tools have written. */

#include <config.h>

#include "base/pfc.h"
#include "orchd/watchdog/pfcwd_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/watchdog/storm_store.h"

/* Queues whose rows are asked for at each poll. */
enum { ASK_PER_POLL = 16 };

/* --- An earlier run ----------------------------------------------------- */

/* The statistics of an earlier run, if there are any. */
static void
on_account(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;
    struct driven *driven = pfcwd_find_oid__(pfcwd, storm_rows_parse_key(key));
    struct storm_account earlier = {0};

    if (driven && !driven->resumed) {
        storm_rows_read_account(fields, n, &earlier);
        storm_account_resume(&driven->queue->account, &earlier);
        driven->resumed = true;
    }
    if (driven) {
        driven->known = true;
    }
}

/* Returns whether the switch was recovering from the storm of queue 'index'. */
static bool
is_by_switch(const struct field *fields, size_t n, const char *index)
{
    const size_t length = strlen(index);

    for (size_t i = 0; i < n; i++) {
        if (!strncmp(fields[i].name, index, length) &&
            !strcmp(fields[i].name + length, STORM_ROWS_BY)) {
            return !strcmp(fields[i].value, STORM_ROWS_SWITCH);
        }
    }
    return false;
}

/* Storms that an earlier run has noted of a port. */
static void
on_noted(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;

    for (size_t i = 0; i < n; i++) {
        struct replay *replay;
        int64_t index;

        if (strcmp(fields[i].value, STORM_ROWS_STORM) != 0 ||
            parse_s64(fields[i].name, 0, PFC_N_PRIORITIES - 1, &index)) {
            continue; /* Whoever wrote it: it is nothing that we do. */
        }
        replay = check_calloc(1, sizeof *replay);
        replay->port = check_strdup(key + strlen(STORM_ROWS_IN_STORM));
        replay->index = (unsigned int)index;
        replay->dead = is_by_switch(fields, n, fields[i].name);
        replay->next = pfcwd->replays;
        pfcwd->replays = replay;
    }
}

static void
on_noted_all(void *pfcwd_)
{
    struct pfcwd *pfcwd = pfcwd_;

    pfcwd->knows_past = true;
}

bool
pfcwd_knows_past(const struct pfcwd *pfcwd)
{
    return pfcwd->knows_past;
}

void
pfcwd_resync(struct pfcwd *pfcwd)
{
    if (!pfcwd->knows_past) {
        pfcwd_forget_replays__(pfcwd);
        pfcwd->store->ops->fetch_all(pfcwd->store, APPL_DB, STORM_ROWS_IN_STORM,
                                     on_noted, on_noted_all, pfcwd);
    }
    for (struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next) {
        driven->written_ns = INT64_MIN;
        driven->described = driven->described_port = SAI_NULL_OBJECT_ID;
        driven->fetched = driven->known;
        pfcwd_note__(pfcwd, driven);
    }
}

/* Returns whether it is still to be found out if the switch guards 'queue'. */
static bool
awaits_guard(const struct pfcwd *pfcwd, const struct watchdog_queue *queue)
{
    const struct driven *driven = pfcwd_find__(pfcwd, queue);

    return pfcwd->guards.offered && watchdog_may_guard(queue) &&
           (!driven || driven->oid == SAI_NULL_OBJECT_ID);
}

/* A queue that is in a storm needs no word from the past. */
void
pfcwd_replay__(struct pfcwd *pfcwd, int64_t now_ns)
{
    struct replay **link = &pfcwd->replays;

    while (*link) {
        struct replay *replay = *link;
        struct watchdog_queue *queue =
            watchdog_find(pfcwd->watchdog, replay->port, replay->index);

        if (!queue || !queue->watched ||
            (replay->dead && awaits_guard(pfcwd, queue))) {
            link = &replay->next;
            continue;
        }
        if (replay->dead && queue->guarded) {
            watchdog_assume_dead(pfcwd->watchdog, queue, now_ns);
        } else {
            watchdog_assume(pfcwd->watchdog, queue, true, now_ns);
        }
        *link = replay->next;
        free(replay->port);
        free(replay);
    }
}

void
pfcwd_forget_replays__(struct pfcwd *pfcwd)
{
    while (pfcwd->replays) {
        struct replay *replay = pfcwd->replays;

        pfcwd->replays = replay->next;
        free(replay->port);
        free(replay);
    }
}

void
pfcwd_fetch__(struct pfcwd *pfcwd, struct driven *driven)
{
    char key[STORM_ROWS_KEY_SIZE];

    driven->fetched = true;
    driven->written_ns = INT64_MIN;
    pfcwd->store->ops->fetch(pfcwd->store, COUNTERS_DB,
                             storm_rows_key(driven->oid, key), on_account,
                             pfcwd);
}

/* --- Storms that others make ---------------------------------------------- */

/* A row of DEBUG_STORM. */
static void
on_debug(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    const struct pfcwd *pfcwd = pfcwd_;
    struct driven *driven = pfcwd_find_oid__(pfcwd, storm_rows_parse_key(key));
    bool forced = false;

    for (size_t i = 0; i < n; i++) {
        forced |= !strcmp(fields[i].name, "DEBUG_STORM") &&
                  !strcmp(fields[i].value, "enabled");
    }
    if (driven) {
        driven->forced = forced;
    }
}

/* Tells once that a row has what means nothing. */
static void
complain(const struct pfcwd *pfcwd, const char *port, const struct field *field)
{
    struct text text = {0};

    text_addf(&text,
              "APPL_DB PFC_WD_TABLE:%s has a field '%.40s' of '%.40s', which "
              "is ignored: a field is the number of a queue, 0 to %d, and its "
              "value 'storm'",
              port, field->name, field->value, PFC_N_PRIORITIES - 1);
    pfcwd_say__(pfcwd, true, "pfcwd-order", port, text_string(&text));
    text_fini(&text);
}

/* Returns whether 'field' orders a storm; of which queue is stored. */
static bool
is_order(const struct field *field, int64_t *index)
{
    return !strcmp(field->value, "storm") &&
           parse_s64(field->name, 0, PFC_N_PRIORITIES - 1, index) == ST_OK;
}

/* A row of PFC_WD_TABLE: storms begin with it, and cannot end before it does.
 */
static void
on_orders(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;
    const char *port = key + strlen(STORM_ROWS_ORDERS);
    const struct field *odd = NULL;
    unsigned int queues = 0;
    bool told = false;

    for (size_t i = 0; i < n; i++) {
        int64_t index;

        if (is_order(&fields[i], &index)) {
            queues |= 1u << index;
        } else {
            odd = &fields[i];
        }
    }
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        struct watchdog_queue *queue = watchdog_find(pfcwd->watchdog, port, i);
        struct driven *driven = queue ? pfcwd_find__(pfcwd, queue) : NULL;
        bool ordered = queues >> i & 1;

        if (driven && ordered && !driven->ordered) {
            watchdog_assume(pfcwd->watchdog, queue, false,
                            pfcwd->clock(pfcwd->clock_context));
        }
        if (driven) {
            driven->ordered = ordered;
            told |= driven->complained;
            driven->complained = odd != NULL;
        }
    }
    if (odd && !told) {
        complain(pfcwd, port, odd);
    }
}

/* Asks for the rows by which storms of 'driven' can be made. */
static void
ask_for(struct pfcwd *pfcwd, const struct driven *driven)
{
    const struct storm_store_ops *ops = pfcwd->store->ops;
    char key[STORM_ROWS_KEY_SIZE];
    struct text orders = {0};

    ops->fetch(pfcwd->store, COUNTERS_DB, storm_rows_key(driven->oid, key),
               on_debug, pfcwd);
    if (pfcwd->takes_orders) {
        text_addf(&orders, STORM_ROWS_ORDERS "%s", driven->port);
        ops->fetch(pfcwd->store, APPL_DB, text_string(&orders), on_orders,
                   pfcwd);
        text_fini(&orders);
    }
}

void
pfcwd_ask__(struct pfcwd *pfcwd)
{
    unsigned int i = 0, n = 0;

    for (const struct driven *driven = pfcwd->driven; driven;
         driven = driven->hh.next, i++) {
        if (i >= pfcwd->ask_next && n < ASK_PER_POLL) {
            ask_for(pfcwd, driven);
            n++;
        }
    }
    pfcwd->ask_next = pfcwd->ask_next + n >= i ? 0 : pfcwd->ask_next + n;
}

void
pfcwd_take_orders(struct pfcwd *pfcwd)
{
    pfcwd->takes_orders = true;
}
