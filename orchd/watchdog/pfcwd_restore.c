/* SPDX-License-Identifier: Apache-2.0 */

/* Reads what a previous run, tests and other tools have written. */

#include <config.h>

#include "base/pfc.h"
#include "orchd/watchdog/pfcwd_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/watchdog/storm_store.h"

/* Queues whose rows are requested per poll. */
enum { ASK_PER_POLL = 16 };

/* --- The previous run --------------------------------------------------- */

/* Receives the statistics of a previous run, if there are any. */
static void
on_account(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;
    struct polled_queue *polled =
        pfcwd_find_oid__(pfcwd, storm_rows_parse_key(key));
    struct storm_account earlier = {0};

    if (polled && !polled->resumed) {
        storm_rows_read_account(fields, n, &earlier);
        storm_account_resume(&polled->queue->account, &earlier);
        polled->resumed = true;
    }
    if (polled) {
        polled->known = true;
    }
}

/* Returns whether the switch was recovering from the storm of queue 'index' in
 * hardware. */
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

/* Receives the storms of a port that a previous run recorded. */
static void
on_noted(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;

    for (size_t i = 0; i < n; i++) {
        struct past_storm *past;
        int64_t index;

        if (strcmp(fields[i].value, STORM_ROWS_STORM) != 0 ||
            parse_s64(fields[i].name, 0, PFC_N_PRIORITIES - 1, &index)) {
            continue; /* Not written by orchd. */
        }
        past = check_calloc(1, sizeof *past);
        past->port = check_strdup(key + strlen(STORM_ROWS_IN_STORM));
        past->index = (unsigned int)index;
        past->dead = is_by_switch(fields, n, fields[i].name);
        past->next = pfcwd->past_storms;
        pfcwd->past_storms = past;
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
        pfcwd_forget_past_storms__(pfcwd);
        pfcwd->store->ops->fetch_all(pfcwd->store, APPL_DB, STORM_ROWS_IN_STORM,
                                     on_noted, on_noted_all, pfcwd);
    }
    for (struct polled_queue *polled = pfcwd->polled_queues; polled;
         polled = polled->hh.next) {
        polled->written_ns = INT64_MIN;
        polled->described = polled->described_port = SAI_NULL_OBJECT_ID;
        polled->fetched = polled->known;
        pfcwd_note__(pfcwd, polled);
    }
}

/* Returns whether it is not known yet if the switch recovers 'queue' in
 * hardware. */
static bool
awaits_hardware(const struct pfcwd *pfcwd, const struct watchdog_queue *queue)
{
    const struct polled_queue *polled = pfcwd_find__(pfcwd, queue);

    return pfcwd->hardware.offered && watchdog_may_be_in_hardware(queue) &&
           (!polled || polled->oid == SAI_NULL_OBJECT_ID);
}

/* A queue that is already in a storm needs no resumption. */
void
pfcwd_resume_storms__(struct pfcwd *pfcwd, int64_t now_ns)
{
    struct past_storm **link = &pfcwd->past_storms;

    while (*link) {
        struct past_storm *past = *link;
        struct watchdog_queue *queue =
            watchdog_find(pfcwd->watchdog, past->port, past->index);

        if (!queue || !queue->watched ||
            (past->dead && awaits_hardware(pfcwd, queue))) {
            link = &past->next;
            continue;
        }
        if (past->dead && queue->in_hardware) {
            watchdog_assume_deadlock(pfcwd->watchdog, queue, now_ns);
        } else {
            watchdog_assume(pfcwd->watchdog, queue, true, now_ns);
        }
        *link = past->next;
        free(past->port);
        free(past);
    }
}

void
pfcwd_forget_past_storms__(struct pfcwd *pfcwd)
{
    while (pfcwd->past_storms) {
        struct past_storm *past = pfcwd->past_storms;

        pfcwd->past_storms = past->next;
        free(past->port);
        free(past);
    }
}

void
pfcwd_fetch__(struct pfcwd *pfcwd, struct polled_queue *polled)
{
    char key[STORM_ROWS_KEY_SIZE];

    polled->fetched = true;
    polled->written_ns = INT64_MIN;
    pfcwd->store->ops->fetch(pfcwd->store, COUNTERS_DB,
                             storm_rows_key(polled->oid, key), on_account,
                             pfcwd);
}

/* --- Storms on request -------------------------------------------------- */

/* Receives a row that may have DEBUG_STORM. */
static void
on_debug(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    const struct pfcwd *pfcwd = pfcwd_;
    struct polled_queue *polled =
        pfcwd_find_oid__(pfcwd, storm_rows_parse_key(key));
    bool forced = false;

    for (size_t i = 0; i < n; i++) {
        forced |= !strcmp(fields[i].name, "DEBUG_STORM") &&
                  !strcmp(fields[i].value, "enabled");
    }
    if (polled) {
        polled->forced = forced;
    }
}

/* Logs once that a row has an invalid field. */
static void
log_invalid(const struct pfcwd *pfcwd, const char *port,
            const struct field *field)
{
    struct text text = {0};

    text_addf(&text,
              "APPL_DB PFC_WD_TABLE:%s has the field '%.40s' with the value "
              "'%.40s', which is ignored: a field must be the number of a "
              "queue, 0 to %d, and its value 'storm'",
              port, field->name, field->value, PFC_N_PRIORITIES - 1);
    pfcwd_log__(pfcwd, true, "pfcwd-order", port, text_string(&text));
    text_fini(&text);
}

/* Returns whether 'field' requests a storm, and stores the queue. */
static bool
is_request(const struct field *field, int64_t *index)
{
    return !strcmp(field->value, "storm") &&
           parse_s64(field->name, 0, PFC_N_PRIORITIES - 1, index) == ST_OK;
}

/* Receives a row PFC_WD_TABLE: storms begin with their field, and cannot end
 * before it is removed. */
static void
on_requests(void *pfcwd_, const char *key, const struct field *fields, size_t n)
{
    struct pfcwd *pfcwd = pfcwd_;
    const char *port = key + strlen(STORM_ROWS_REQUESTS);
    const struct field *odd = NULL;
    unsigned int queues = 0;
    bool was_logged = false;

    for (size_t i = 0; i < n; i++) {
        int64_t index;

        if (is_request(&fields[i], &index)) {
            queues |= 1u << index;
        } else {
            odd = &fields[i];
        }
    }
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        struct watchdog_queue *queue = watchdog_find(pfcwd->watchdog, port, i);
        struct polled_queue *polled = queue ? pfcwd_find__(pfcwd, queue) : NULL;
        bool requested = queues >> i & 1;

        if (polled && requested && !polled->requested) {
            watchdog_assume(pfcwd->watchdog, queue, false,
                            pfcwd->clock(pfcwd->clock_context));
        }
        if (polled) {
            polled->requested = requested;
            was_logged |= polled->invalid_logged;
            polled->invalid_logged = odd != NULL;
        }
    }
    if (odd && !was_logged) {
        log_invalid(pfcwd, port, odd);
    }
}

/* Requests the rows by which storms of 'polled' can be started. */
static void
ask_for(struct pfcwd *pfcwd, const struct polled_queue *polled)
{
    const struct storm_store_ops *ops = pfcwd->store->ops;
    char key[STORM_ROWS_KEY_SIZE];
    struct text requests = {0};

    ops->fetch(pfcwd->store, COUNTERS_DB, storm_rows_key(polled->oid, key),
               on_debug, pfcwd);
    if (pfcwd->accepts_requests) {
        text_addf(&requests, STORM_ROWS_REQUESTS "%s", polled->port);
        ops->fetch(pfcwd->store, APPL_DB, text_string(&requests), on_requests,
                   pfcwd);
        text_fini(&requests);
    }
}

void
pfcwd_ask__(struct pfcwd *pfcwd)
{
    unsigned int i = 0, n = 0;

    for (const struct polled_queue *polled = pfcwd->polled_queues; polled;
         polled = polled->hh.next, i++) {
        if (i >= pfcwd->ask_next && n < ASK_PER_POLL) {
            ask_for(pfcwd, polled);
            n++;
        }
    }
    pfcwd->ask_next = pfcwd->ask_next + n >= i ? 0 : pfcwd->ask_next + n;
}

void
pfcwd_accept_requests(struct pfcwd *pfcwd)
{
    pfcwd->accepts_requests = true;
}
