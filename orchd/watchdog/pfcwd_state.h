/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_PFCWD_STATE_H
#define ORCHD_WATCHDOG_PFCWD_STATE_H

/* The inside of the driver of the watchdog, shared by its own files only.
 *
 *   pfcwd_poll.c   polls, and has done what follows from samples
 *   pfcwd_hardware.c  leaves queues to the switch, where it can
 *   pfcwd_restore.c   what others have written: an earlier run, tests, tools
 *   pfcwd_report.c   what is written for others
 *   pfcwd_flex_rows.c  what is polled, for those who want to know */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/watchdog.h"
#include "orchd/watchdog/hardware_recovery.h"
#include "orchd/watchdog/pfcwd.h"
#include "orchd/watchdog/storm_reader.h"
#include "orchd/watchdog/storm_rows.h"

/* What the driver knows of a queue. */
struct polled_queue {
    struct watchdog_queue *queue; /* Key; lives as long as this does. */
    char *port;                   /* Of the queue, owned: for replies. */
    unsigned int index;
    sai_object_id_t oid; /* As it was found last; null: not there. */
    sai_object_id_t port_oid;
    bool fetched;    /* Its statistics of an earlier run were asked for. */
    bool known;      /* And are there, or there are none. */
    bool resumed;    /* They were added to the account. */
    bool forced;     /* DEBUG_STORM. */
    bool requested;  /* By PFC_WD_TABLE, ... */
    bool complained; /* ... in which there is something else, too. */
    int64_t written_ns;
    struct detector_times times; /* As they were written, ... */
    enum policy_action action;
    bool keeps_history, red, watched, in_hardware;

    /* The ids under which its polling is described; null: it is not. */
    sai_object_id_t described, described_port;

    struct hardware_recovery recovery;
    enum st hardware_status;      /* Why it is not on. */
    unsigned int n_ready;         /* Of the following, the newest first. */
    struct storm_counts ready[2]; /* At polls at which it was paused. */
    UT_hash_handle hh;
};

/* A storm of an earlier run whose queue is not watched yet, or not in_hardware
 * by a switch that was recovering from it. */
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
    bool may_use_hardware;     /* The switch may. */
    bool accepts_requests;     /* Of PFC_WD_TABLE. */

    struct storm_reader reader; /* Its backend is NULL before the switch. */
    struct hardware_recovery_switch hardware;
    struct sai_backend *backend;
    const struct storm_rule *rule, *forced_rule;
    bool rule_chosen;
    pfcwd_clock_fn *clock;
    void *clock_context;
    int64_t wall_ns; /* Of this turn. */

    int64_t audited_ns; /* When hardware were looked at, last. */
    bool has_polled;
    int64_t polled_ns; /* When all queues were, last. */
    struct polled_queue *polled_queues;
    struct past_storm *past_storms;
    bool knows_past; /* What an earlier run has noted. */
    unsigned int ask_next;
};

/* pfcwd_poll.c */

/* Returns what is known of 'queue', or of the queue with that id; NULL if
 * nothing is. */
struct polled_queue *pfcwd_find__(const struct pfcwd *pfcwd,
                                  const struct watchdog_queue *queue);
struct polled_queue *pfcwd_find_oid__(const struct pfcwd *pfcwd,
                                      sai_object_id_t oid);

/* pfcwd_hardware.c */

/* Finds out whether the switch can guard queues, by the one at 'place'. */
void pfcwd_hardware_init__(struct pfcwd *pfcwd,
                           const struct reader_place *place);

/* Has all queues in_hardware that can be, and others no longer. */
void pfcwd_hardware_follow__(struct pfcwd *pfcwd, int64_t now_ns);

/* pfcwd_restore.c */

/* Asks for what an earlier run has written of 'polled', whose id has become
 * known; for some of the rows by which others may make storms. */
void pfcwd_fetch__(struct pfcwd *pfcwd, struct polled_queue *polled);
void pfcwd_ask__(struct pfcwd *pfcwd);

/* Begins storms again that an earlier run has noted, as far as their queues are
 * watched by now, and those in_hardware of which the switch should say more. */
void pfcwd_resume_storms__(struct pfcwd *pfcwd, int64_t now_ns);
void pfcwd_forget_past_storms__(struct pfcwd *pfcwd);

/* pfcwd_flex_rows.c */

/* Describes how a queue is polled that is there, unless it is not watched;
 * takes the description back. */
void pfcwd_describe__(struct pfcwd *pfcwd, struct polled_queue *polled);
void pfcwd_undescribe__(struct pfcwd *pfcwd, struct polled_queue *polled);

/* pfcwd_report.c */

void pfcwd_log__(const struct pfcwd *pfcwd, bool warns, const char *code,
                 const char *object, const char *text);

/* Writes the rows of a queue; those of all for which that is due; those of one
 * that is not watched any more. */
void pfcwd_write__(struct pfcwd *pfcwd, struct polled_queue *polled,
                   int64_t now_ns);
void pfcwd_write_due__(struct pfcwd *pfcwd, int64_t now_ns);
void pfcwd_write_last__(struct pfcwd *pfcwd, struct polled_queue *polled);

/* Notes for after a restart whether a queue is in a storm. */
void pfcwd_note__(struct pfcwd *pfcwd, const struct polled_queue *polled);

/* Tells of 'event'. */
void pfcwd_report__(struct pfcwd *pfcwd, const struct watchdog_event *event,
                    int64_t now_ns);

#endif /* orchd/watchdog/pfcwd_state.h */
