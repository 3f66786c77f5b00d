/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_STORM_RULE_H
#define ORCHD_WATCHDOG_DETECTION_STORM_RULE_H

/* By which counters a switch tells that a queue is paused for good, as data.
 *
 * Motivation: IEEE 802.1Q clause 36 bounds a single pause, not how often it is
 * renewed, so "paused for too long" has to be seen in counters, and these
 * differ: one chip measures how long it was paused, another counts frames and
 * says whether it is paused now.  What counts as a storm is therefore a row of
 * a table; orchd/watchdog evaluates any of them.
 *
 * A rule has one or two clauses; an interval between two samples is a paused
 * one if all conditions of either hold.  All conditions speak of the whole
 * interval or of both of its ends: an interval in which the pause began is not
 * a paused one, so that what is shorter than the detection time cannot be taken
 * for a storm.
 *
 * Deviations from the scripts that SONiC runs (pfc_detect_*.lua): they look at
 * the end of an interval only, take the nominal poll period for its length, and
 * are content with 80 % of it; see docs/explanation/watchdog.md. */

#include <stdbool.h>
#include <stdint.h>

/* What can be read of a queue and its priority; bits. */
enum storm_measure {
    STORM_PACKETS = 1 << 0,   /* Frames that left the queue. */
    STORM_OCCUPANCY = 1 << 1, /* Bytes in the queue. */
    STORM_FRAMES = 1 << 2,    /* Pause frames received, quanta of 0 too. */
    STORM_DURATION = 1 << 3,  /* Time paused, in microseconds. */
    STORM_ENDS = 1 << 4,      /* Changes from paused to not paused. */
    STORM_STATUS = 1 << 5,    /* Whether it is paused now. */
};

enum { N_STORM_MEASURES = 6 };

/* Conditions on an interval; bits. */
enum storm_condition {
    STORM_IF_STALLED = 1 << 0,  /* Occupied at both ends, and nothing left. */
    STORM_IF_IDLE = 1 << 1,     /* Empty at its end, and nothing left. */
    STORM_IF_FRAMES = 1 << 2,   /* Pause frames were received. */
    STORM_IF_UNBROKEN = 1 << 3, /* No pause ended. */
    STORM_IF_PAUSED = 1 << 4,   /* Paused at both ends. */
    STORM_IF_WHOLE = 1 << 5,    /* Paused all the time, by its duration. */
    STORM_IF_STUCK = 1 << 6,    /* Occupied at its end, and nothing left. */
};

enum { N_STORM_CLAUSES = 2 };

/* How the action "drop" is done. */
enum storm_drop {
    STORM_DROP_ZERO_BUFFER, /* A profile that admits nothing. */
    STORM_DROP_RECOVERY,    /* SAI_QUEUE_ATTR_PFC_DLR_INIT. */
};

struct storm_rule {
    const char *name;
    unsigned int needs; /* Measures that it cannot do without. */
    unsigned int uses;  /* Measures to read, if they are offered. */
    unsigned int clauses[N_STORM_CLAUSES]; /* 0: none. */

    /* Measures that go on, as before, for a priority whose PFC was disabled to
     * get rid of a storm: by the others it looks over then. */
    unsigned int live_disabled;

    enum storm_drop drop;
    bool forwards; /* There is a way to forward in spite of pauses. */

    /* By how much a counter may lag behind, in microseconds: two samples are
     * not closer than a few times this. */
    uint32_t lag_us;
};

/* Returns the rule 'name' (of a platform, or "exact", "duration", "stalled",
 * "status"), or NULL. */
const struct storm_rule *storm_rule_find(const char *name);

/* Returns the best of the rules that are of no platform, where 'offered' is
 * what the switch can tell; NULL if it tells too little for any. */
const struct storm_rule *storm_rule_choose(unsigned int offered);

/* Returns whether 'offered' is enough for 'rule'. */
bool storm_rule_suits(const struct storm_rule *rule, unsigned int offered);

/* Calls 'visit' for each rule there is. */
void storm_rule_each(void (*visit)(const struct storm_rule *rule,
                                   void *context),
                     void *context);

#endif /* orchd/watchdog/detection/storm_rule.h */
