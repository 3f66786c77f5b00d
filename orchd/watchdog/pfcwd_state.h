/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_PFCWD_STATE_H
#define ORCHD_WATCHDOG_PFCWD_STATE_H

/* The internals of pfcwd, shared by its own files only.
 *
 *   pfcwd_poll.c       polls, and handles what follows from samples
 *   pfcwd_hardware.c   enables and ends hardware recovery
 *   pfcwd_restore.c    reads what others wrote: a previous run, tests, tools
 *   pfcwd_report.c     writes rows, log lines and events
 *   pfcwd_flex_rows.c  describes in FLEX_COUNTER_DB what is polled */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/watchdog.h"
#include "orchd/watchdog/hardware_recovery.h"
#include "orchd/watchdog/pfcwd.h"
#include "orchd/watchdog/storm_reader.h"
#include "orchd/watchdog/storm_rows.h"

/* What pfcwd knows about a queue. */
struct polled_queue {
    struct watchdog_queue *queue; /* Key; outlives this. */
    char *port;                   /* Of the queue; owned, for replies. */
    unsigned int index;
    sai_object_id_t oid; /* As last found; null: not on the switch. */
    sai_object_id_t port_oid;
    bool fetched;   /* The statistics of a previous run were requested, ... */
    bool known;     /* ... have arrived (or there are none), ... */
    bool resumed;   /* ... and were added to the account. */
    bool forced;    /* DEBUG_STORM. */
    bool requested; /* A storm is requested in PFC_WD_TABLE, ... */
    bool invalid_logged; /* ... whose invalid fields were logged. */
    int64_t written_ns;
    struct detector_times times; /* As last written, ... */
    enum policy_action action;
    bool keeps_history, red, watched, in_hardware;

    /* The ids under which its polling is described in FLEX_COUNTER_DB; null: it
     * is not. */
    sai_object_id_t described, described_port;

    struct hardware_recovery recovery;
    enum st hardware_status;      /* Why it is not in hardware recovery. */
    unsigned int n_ready;         /* Of the following, the newest first. */
    struct storm_counts ready[2]; /* At polls that found it paused. */
    UT_hash_handle hh;
};

/* A storm of a previous run whose queue is not watched yet, or is to return to
 * hardware recovery but has not yet. */
struct past_storm {
    char *port;
    unsigned int index;
    bool dead;
    struct past_storm *next;
};

struct pfcwd {
    struct pfcwd_listener listener;
    struct storm_store *store;
    struct agent *agent;
    struct watchdog *watchdog; /* The agent's. */
    bool may_use_hardware;     /* Hardware recovery is enabled. */
    bool accepts_requests;     /* In PFC_WD_TABLE. */

    struct storm_reader reader; /* Its backend is NULL before pfcwd_attach(). */
    struct hardware_recovery_switch hardware;
    struct sai_backend *backend;
    const struct storm_rule *rule, *forced_rule;
    bool rule_chosen;
    pfcwd_clock_fn *clock;
    void *clock_context;
    int64_t wall_ns; /* In this turn. */

    int64_t audited_ns; /* The last check of hardware recovery. */
    bool has_polled;
    int64_t polled_ns;     /* The last poll of all queues. */
    uint64_t n_port_reads; /* The agent's, when the queues were found. */
    struct polled_queue *polled_queues;
    struct past_storm *past_storms;
    bool knows_past; /* The storms of a previous run are known. */
    unsigned int ask_next;
};

/* pfcwd_poll.c */

/* Returns the entry of 'queue', or of the queue with that id; NULL if there is
 * none. */
struct polled_queue *pfcwd_find__(const struct pfcwd *pfcwd,
                                  const struct watchdog_queue *queue);
struct polled_queue *pfcwd_find_oid__(const struct pfcwd *pfcwd,
                                      sai_object_id_t oid);

/* pfcwd_hardware.c */

/* Determines whether the switch supports hardware recovery, using the queue at
 * 'ids'. */
void pfcwd_hardware_init__(struct pfcwd *pfcwd, const struct reader_ids *ids);

/* Enables hardware recovery for all queues that can have it, and ends it for
 * others. */
void pfcwd_hardware_follow__(struct pfcwd *pfcwd, int64_t now_ns);

/* pfcwd_restore.c */

/* pfcwd_fetch__() requests what a previous run wrote about 'polled', whose id
 * is known now; pfcwd_ask__() requests some of the rows by which others may
 * start storms. */
void pfcwd_fetch__(struct pfcwd *pfcwd, struct polled_queue *polled);
void pfcwd_ask__(struct pfcwd *pfcwd);

/* Resumes the storms that a previous run recorded, as far as their queues
 * are watched now; for those in hardware recovery the switch will report the
 * end. */
void pfcwd_resume_storms__(struct pfcwd *pfcwd, int64_t now_ns);
void pfcwd_forget_past_storms__(struct pfcwd *pfcwd);

/* pfcwd_flex_rows.c */

/* Describes how a queue is polled, or removes the description if it is not
 * watched; removes it. */
void pfcwd_describe__(struct pfcwd *pfcwd, struct polled_queue *polled);
void pfcwd_undescribe__(struct pfcwd *pfcwd, struct polled_queue *polled);

/* pfcwd_report.c */

void pfcwd_log__(const struct pfcwd *pfcwd, bool warns, const char *code,
                 const char *object, const char *text);

/* Write the rows of a queue; those of all queues for which that is due; those
 * of a queue that is no longer watched. */
void pfcwd_write__(struct pfcwd *pfcwd, struct polled_queue *polled,
                   int64_t now_ns);
void pfcwd_write_due__(struct pfcwd *pfcwd, int64_t now_ns);
void pfcwd_write_last__(struct pfcwd *pfcwd, struct polled_queue *polled);

/* Records whether a queue is in a storm, for the time after a restart. */
void pfcwd_note__(struct pfcwd *pfcwd, const struct polled_queue *polled);

/* Reports 'event' to the listener and the store. */
void pfcwd_report__(struct pfcwd *pfcwd, const struct watchdog_event *event,
                    int64_t now_ns);

#endif /* orchd/watchdog/pfcwd_state.h */
