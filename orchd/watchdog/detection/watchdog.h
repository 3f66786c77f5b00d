/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_WATCHDOG_H
#define ORCHD_WATCHDOG_DETECTION_WATCHDOG_H

/* The PFC watchdog: all queues that are watched, what is to be done about those
 * in a storm, and what there is to tell.
 *
 *     rows -> policy --+
 *                      v            effects -> reconciler -> SAI
 *     samples --> watchdog queues <
 *                                   events, statistics -> publisher
 *
 * It reads no counter and changes no switch.  Whoever drives it hands in rows
 * and samples; an *effect* is what a queue needs for as long as its storm lasts
 * (PFC disabled for its priority, a profile that admits nothing), and goes
 * with it.  The reconciler lays effects over what rows want, so what is
 * configured during a storm is kept apart from what is in force, and whatever
 * is configured when it ends is what comes back.
 *
 * A queue whose storm is over, or that is not watched any more, stays in the
 * list until watchdog_settle() has closed its account: what is dropped until
 * its effect is undone counts.
 *
 * An effect that the switch refuses is taken back (watchdog_refuse): "drop"
 * falls back to "forward", and that to nothing; the next storm tries again.
 *
 * Guards.  Some switches detect storms and recover from them by themselves (DLD
 * and DLR of SAI).  A queue that its switch guards is not judged here: the
 * switch says when it is in a storm and when no longer, and needs no effect.
 * All else is the same: account, events, what a restart finds.  A guard serves
 * "drop" and "forward" with a restoration time; for the rest, for storms that
 * began without it and for those that somebody orders, there is none.  When it
 * goes during a storm the storm goes on as one of ours.  A switch whose
 * recovery ends before the storm does, and starts again with the next
 * detection, is found out by that, and its queue not in_hardware any more: it
 * would flap for as long as the storm lasts.
 *
 * The big red switch drops on all watched queues, storm or not, until it is
 * switched off; nothing is detected meanwhile. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/intent.h"
#include "orchd/watchdog/detection/detector.h"
#include "orchd/watchdog/detection/policy.h"
#include "orchd/watchdog/detection/sample.h"
#include "orchd/watchdog/detection/storm_account.h"

/* What a queue needs of the switch. */
struct watchdog_effect {
    bool pfc_off;     /* Its priority is not to be obeyed, nor sent. */
    bool zero_buffer; /* Nothing is to be admitted to it. */
    bool recovery;    /* The switch is to get it going (DLR). */
};

/* A queue that is watched.  The members are for reading. */
struct watchdog_queue {
    const char *port; /* Lives as long as the watchdog. */
    unsigned int index;
    bool watched; /* Else it is only to be settled. */
    bool present; /* The port is on the switch: set by the reader. */

    enum policy_action action; /* As configured. */
    bool keeps_history;
    struct detector detector;
    struct storm_account account;

    bool red;                       /* It is dropped by the big red switch. */
    bool in_hardware;               /* By the switch: said by who drives. */
    bool dead;                      /* And it says that there is a storm. */
    bool distrusted;                /* It is not to be in_hardware any more. */
    bool was_dead;                  /* There was another one, over ... */
    int64_t recovered_at_ns;        /* ... then. */
    bool refused_drop, refused_off; /* During this storm. */
    struct watchdog_effect effect;

    /* Pauses, for those who keep a history: when the recent one began, on the
     * clock of the samples, how long it is, and all together. */
    bool was_paused;
    int64_t recent_at_ns;
    uint64_t recent_us, total_us;

    struct watchdog_queue *next;
};

enum watchdog_event_kind {
    WATCHDOG_STORM,
    WATCHDOG_RESTORED,
    WATCHDOG_REFUSED,    /* An effect; the action is what is done instead. */
    WATCHDOG_DISTRUSTED, /* The switch ended a storm that goes on. */
};

struct watchdog_event {
    enum watchdog_event_kind kind;
    const char *port;
    unsigned int index;
    enum policy_action action;
    bool from_earlier_run; /* The storm is one of an earlier run. */
    bool red;
};

struct watchdog;

/* Returns a watchdog that watches nothing.  End with watchdog_destroy(), which
 * accepts NULL. */
struct watchdog *watchdog_create(void);
void watchdog_destroy(struct watchdog *watchdog);

/* Says by which counters storms are detected; NULL: the switch has not what it
 * takes, and rows are told so.  Before, nothing is watched.  Borrowed. */
void watchdog_set_rule(struct watchdog *watchdog,
                       const struct storm_rule *rule);

/* Takes in a row; see policy.h. */
void watchdog_put_row(struct watchdog *watchdog, const struct row *row);

/* Works out which queues are watched by now, and what they need.  To be called
 * when rows were handed in, before anything else is asked. */
void watchdog_update(struct watchdog *watchdog);

/* Returns the next port whose row PFC_WD has another answer than before: '*err'
 * says why nothing is watched, its status is ST_OK if all is well.  NULL if
 * there is none. */
const char *watchdog_take_answer(struct watchdog *watchdog, struct err *err);

const struct policy *watchdog_policy(const struct watchdog *watchdog);

/* Returns the first queue; others follow by 'next'. */
struct watchdog_queue *watchdog_queues(struct watchdog *watchdog);

/* Finds one, or NULL. */
struct watchdog_queue *watchdog_find(struct watchdog *watchdog,
                                     const char *port, unsigned int index);

/* Takes in a sample, with the packets counted (NULL: cannot be read). */
void watchdog_sample(struct watchdog *watchdog, struct watchdog_queue *queue,
                     const struct storm_sample *sample,
                     const struct storm_counts *counts);

/* Says that 'queue' is in a storm: it was when an earlier run ended
 * ('from_earlier_run'), or somebody wants it to be. */
void watchdog_assume(struct watchdog *watchdog, struct watchdog_queue *queue,
                     bool from_earlier_run, int64_t now_ns);

/* The same of a storm from which the switch was recovering when an earlier run
 * ended, and of a queue that it guards again: it goes on to do so.  The storm
 * is over when the switch says so; or by samples, for it may have said so when
 * nobody listened. */
void watchdog_assume_deadlock(struct watchdog *watchdog,
                              struct watchdog_queue *queue, int64_t now_ns);

/* Says that it is not, whatever was measured. */
void watchdog_release(struct watchdog *watchdog, struct watchdog_queue *queue);

/* Returns whether the switch may guard 'queue' now.  Whoever drives says what
 * came of it by watchdog_set_in_hardware(); 'now_ns' is the clock of samples.
 */
bool watchdog_may_be_in_hardware(const struct watchdog_queue *queue);
void watchdog_set_in_hardware(struct watchdog *watchdog,
                              struct watchdog_queue *queue, bool in_hardware,
                              int64_t now_ns);

/* The switch says that 'queue' is 'dead', or has recovered.  'counts' are the
 * packets counted when it was paused already and not yet dead, at most two
 * polls ago (NULL: not known); what was counted since belongs to the storm. */
void watchdog_deadlock(struct watchdog *watchdog, struct watchdog_queue *queue,
                       bool dead, const struct storm_counts *counts,
                       int64_t now_ns);

/* Says that the switch refused the effect of 'queue': to disable PFC ('pfc'),
 * else to drop.  The queue then has another one. */
void watchdog_refuse(struct watchdog *watchdog, struct watchdog_queue *queue,
                     bool pfc);

/* Returns whether the account of 'queue' is to be closed: once its effect was
 * undone. */
bool watchdog_unsettled(const struct watchdog_queue *queue);

/* Closes it, with the packets counted by then (NULL: cannot be read); a queue
 * that is not watched any more is freed. */
void watchdog_settle(struct watchdog *watchdog, struct watchdog_queue *queue,
                     const struct storm_counts *counts);

/* Returns whether 'queue' is in a storm, or dropped as if it were. */
bool watchdog_stormed(const struct watchdog_queue *queue);

/* Returns the next thing to tell; false if there is none. */
bool watchdog_take_event(struct watchdog *watchdog,
                         struct watchdog_event *event);

/* Returns whether effects may have changed since this was last asked. */
bool watchdog_take_change(struct watchdog *watchdog);

/* The same, without having asked. */
bool watchdog_changed(const struct watchdog *watchdog);

/* Returns whether some queue may come to need a profile that admits nothing: it
 * is to be there beforehand. */
bool watchdog_needs_zero(const struct watchdog *watchdog);

/* Returns when the next samples are to be taken, if the last poll was at
 * 'polled_ns'; INT64_MAX: nothing is watched. */
int64_t watchdog_next(const struct watchdog *watchdog, int64_t polled_ns);

#endif /* orchd/watchdog/detection/watchdog.h */
