/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_WATCHDOG_H
#define ORCHD_WATCHDOG_DETECTION_WATCHDOG_H

/* The PFC watchdog: the watched queues, what is to be done about those in a
 * storm, and the events to report.
 *
 *     rows -> policy --+
 *                      v            effects -> reconciler -> SAI
 *     samples --> watchdog queues <
 *                                   events, statistics -> publisher
 *
 * It reads no counter and changes no switch.  Its owner passes it rows and
 * samples.  An *effect* is what a queue needs for the duration of its storm
 * (PFC disabled for its priority, a profile that admits nothing).  The
 * reconciler applies effects on top of what rows want.  So changes of the
 * configuration during a storm take effect when it ends.
 *
 * A queue whose storm is over, or that is no longer watched, stays in the list
 * until watchdog_settle() has closed its account, because packets dropped until
 * its effect is undone count.
 *
 * An effect that the switch refuses is withdrawn (watchdog_refuse()): "drop"
 * falls back to "forward", and that to no effect; the next storm tries again.
 *
 * Hardware recovery.  Some switches detect storms and recover from them in
 * hardware (DLD and DLR of SAI).  For a queue 'in_hardware' the detector does
 * not run: the switch reports when a deadlock begins and ends, and no effect is
 * needed.  Accounts, events and the state for a restart are the same.  Hardware
 * recovery handles "drop" and "forward" with a restoration time, and no storms
 * that began without it or that a user requests.  If it ends during a storm,
 * the storm continues as a detected one.  If the recovery of a switch ends
 * before the storm does, and starts again with the next detection, the queue is
 * taken out of hardware recovery; otherwise its state would flap for the
 * duration of the storm.
 *
 * The big red switch drops on all watched queues, storm or not, until it is
 * disabled; nothing is detected in the meantime. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/intent.h"
#include "orchd/watchdog/detection/detector.h"
#include "orchd/watchdog/detection/policy.h"
#include "orchd/watchdog/detection/sample.h"
#include "orchd/watchdog/detection/storm_account.h"

/* What a queue needs from the switch. */
struct watchdog_effect {
    bool pfc_off;     /* Ignore received PFC of its priority, and send none. */
    bool zero_buffer; /* Admit no packets to it. */
    bool recovery;    /* Let the switch recover it (DLR). */
};

/* A watched queue.  For reading. */
struct watchdog_queue {
    const char *port; /* Valid as long as the watchdog. */
    unsigned int index;
    bool watched; /* Otherwise it only has to be settled. */
    bool present; /* Its port is on the switch; set by the poller. */

    enum policy_action action; /* As configured. */
    bool keeps_history;
    struct detector detector;
    struct storm_account account;

    bool red;                /* Dropped by the big red switch. */
    bool in_hardware;        /* In hardware recovery; set by the owner. */
    bool dead;               /* The switch reports a deadlock. */
    bool distrusted;         /* Must not be in hardware recovery any more. */
    bool was_dead;           /* There was an earlier deadlock, over ... */
    int64_t recovered_at_ns; /* ... at this time. */
    bool refused_drop, refused_off; /* In this storm. */
    struct watchdog_effect effect;

    /* Pause history, if kept: the time of day when the last pause began, its
     * length, and the total, both by the clock of the samples. */
    bool was_paused;
    int64_t recent_wall_ns;
    uint64_t recent_us, total_us;

    struct watchdog_queue *next;
};

enum watchdog_event_kind {
    WATCHDOG_STORM,
    WATCHDOG_RESTORED,
    WATCHDOG_REFUSED,    /* The switch refused an effect. */
    WATCHDOG_DISTRUSTED, /* Hardware recovery ended before the storm. */
};

struct watchdog_event {
    enum watchdog_event_kind kind;
    const char *port;
    unsigned int index;
    enum policy_action action;
    bool from_earlier_run; /* The storm began in a previous run. */
    bool red;
};

struct watchdog;

/* Returns a watchdog that watches nothing.  Free it with watchdog_destroy(),
 * which accepts NULL. */
struct watchdog *watchdog_create(void);
void watchdog_destroy(struct watchdog *watchdog);

/* Sets the rule by which storms are detected; NULL: the switch lacks the
 * counters, and the rows get that answer.  Before the first call, nothing is
 * watched. Borrowed. */
void watchdog_set_rule(struct watchdog *watchdog,
                       const struct storm_rule *rule);

/* Takes in a row; see policy.h. */
void watchdog_put_row(struct watchdog *watchdog, const struct row *row);

/* Updates which queues are watched, and what they need.  Call it after rows
 * were handed in, before any other query. */
void watchdog_update(struct watchdog *watchdog);

/* Returns the next port whose row PFC_WD has a new answer: '*err' is the reason
 * why nothing is watched, with status ST_OK if all is well.  NULL if there is
 * none. */
const char *watchdog_take_answer(struct watchdog *watchdog, struct err *err);

const struct policy *watchdog_policy(const struct watchdog *watchdog);

/* Returns the first queue; others follow by 'next'. */
struct watchdog_queue *watchdog_queues(struct watchdog *watchdog);

/* Finds one, or NULL. */
struct watchdog_queue *watchdog_find(struct watchdog *watchdog,
                                     const char *port, unsigned int index);

/* Takes in a sample, with the packet counts (NULL: cannot be read). */
void watchdog_sample(struct watchdog *watchdog, struct watchdog_queue *queue,
                     const struct storm_sample *sample,
                     const struct storm_counts *counts);

/* Starts a storm of 'queue': one that was in progress when a previous run ended
 * ('from_earlier_run'), or one that a user requests. */
void watchdog_assume(struct watchdog *watchdog, struct watchdog_queue *queue,
                     bool from_earlier_run, int64_t now_ns);

/* The same for a storm from which the switch was recovering when a previous run
 * ended, and for a queue that is in hardware recovery again.  The storm ends
 * when the switch reports it, or by samples, because the report may have come
 * while orchd did not run. */
void watchdog_assume_deadlock(struct watchdog *watchdog,
                              struct watchdog_queue *queue, int64_t now_ns);

/* Ends the storm of 'queue', whatever was measured. */
void watchdog_release(struct watchdog *watchdog, struct watchdog_queue *queue);

/* Returns whether 'queue' may be in hardware recovery now.  The owner reports
 * by watchdog_set_in_hardware() whether it is; 'now_ns' is on the clock of
 * samples. */
bool watchdog_may_be_in_hardware(const struct watchdog_queue *queue);
void watchdog_set_in_hardware(struct watchdog *watchdog,
                              struct watchdog_queue *queue, bool in_hardware,
                              int64_t now_ns);

/* Records that the switch reports 'queue' as 'dead', or recovered.  'counts'
 * are the packet counts from a time when it was paused but not yet dead, at
 * most two polls ago (NULL: unknown); what was counted since belongs to the
 * storm. */
void watchdog_deadlock(struct watchdog *watchdog, struct watchdog_queue *queue,
                       bool dead, const struct storm_counts *counts,
                       int64_t now_ns);

/* Records that the switch refused an effect of 'queue': to disable PFC ('pfc'),
 * or to drop.  The queue then gets another effect. */
void watchdog_refuse(struct watchdog *watchdog, struct watchdog_queue *queue,
                     bool pfc);

/* Returns whether the account of 'queue' has to be closed, once its effect was
 * undone. */
bool watchdog_unsettled(const struct watchdog_queue *queue);

/* Closes the account with the current packet counts (NULL: cannot be read), and
 * frees a queue that is no longer watched. */
void watchdog_settle(struct watchdog *watchdog, struct watchdog_queue *queue,
                     const struct storm_counts *counts);

/* Returns whether 'queue' is in a storm, or dropped by the big red switch. */
bool watchdog_stormed(const struct watchdog_queue *queue);

/* Returns the next event in '*event'; false if there is none. */
bool watchdog_take_event(struct watchdog *watchdog,
                         struct watchdog_event *event);

/* Returns whether effects may have changed since the last call. */
bool watchdog_take_change(struct watchdog *watchdog);

/* The same, without resetting it. */
bool watchdog_changed(const struct watchdog *watchdog);

/* Returns whether some queue may need a profile that admits nothing: it has to
 * exist beforehand. */
bool watchdog_needs_zero(const struct watchdog *watchdog);

/* Returns when the next samples are due, if the last poll was at 'polled_ns';
 * INT64_MAX: nothing is watched. */
int64_t watchdog_next(const struct watchdog *watchdog, int64_t polled_ns);

#endif /* orchd/watchdog/detection/watchdog.h */
