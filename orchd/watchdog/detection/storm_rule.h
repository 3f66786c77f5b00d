/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_STORM_RULE_H
#define ORCHD_WATCHDOG_DETECTION_STORM_RULE_H

/* The counters by which a switch reveals that a queue is paused permanently, as
 * data.
 *
 * Motivation: IEEE 802.1Q clause 36 limits a single pause, but not how often it
 * is renewed.  So "paused for too long" must be derived from counters, and
 * these differ: one chip measures how long it was paused, another counts frames
 * and reports whether it is paused now.  What counts as a storm is therefore a
 * row of a table; the detector evaluates any of them.
 *
 * A rule has one or two clauses; an interval between two samples is paused if
 * all conditions of either clause hold.  Every condition is about the whole
 * interval or about both of its ends.  An interval in which the pause began is
 * not a paused one, so a pause shorter than the detection time is never taken
 * for a storm.
 *
 * The scripts of SONiC (pfc_detect_*.lua) look only at the end of an interval,
 * assume the nominal poll interval as its length, and accept 80 % of it; see
 * docs/explanation/watchdog.md. */

#include <stdbool.h>
#include <stdint.h>

/* What can be read from a queue and its priority; bits. */
enum storm_measure {
    STORM_PACKETS = 1 << 0,   /* Packets that left the queue. */
    STORM_OCCUPANCY = 1 << 1, /* Bytes in the queue. */
    STORM_FRAMES =
        1 << 2, /* PFC frames received, including those with quanta of 0. */
    STORM_DURATION = 1 << 3, /* Time paused, in microseconds. */
    STORM_ENDS = 1 << 4,     /* Changes from paused to not paused. */
    STORM_STATUS = 1 << 5,   /* Whether it is paused now. */
};

enum { N_STORM_MEASURES = 6 };

/* Conditions on an interval; bits. */
enum storm_condition {
    STORM_IF_STALLED = 1 << 0,  /* Occupied at both ends, and no packet left. */
    STORM_IF_IDLE = 1 << 1,     /* Empty at its end, and no packet left. */
    STORM_IF_FRAMES = 1 << 2,   /* Pause frames were received. */
    STORM_IF_UNBROKEN = 1 << 3, /* No pause ended. */
    STORM_IF_PAUSED = 1 << 4,   /* Paused at both ends. */
    STORM_IF_WHOLE = 1 << 5, /* Paused all the time, by the duration counter. */
    STORM_IF_STUCK = 1 << 6, /* Occupied at its end, and no packet left. */
};

enum { N_STORM_CLAUSES = 2 };

/* How the action "drop" is implemented. */
enum storm_drop {
    STORM_DROP_ZERO_BUFFER, /* A profile that admits nothing. */
    STORM_DROP_RECOVERY,    /* SAI_QUEUE_ATTR_PFC_DLR_INIT. */
};

struct storm_rule {
    const char *name;
    unsigned int needs; /* Required measures. */
    unsigned int uses;  /* Measures to read if the switch offers them. */
    unsigned int clauses[N_STORM_CLAUSES]; /* 0: none. */

    /* Measures that still work for a priority whose PFC is disabled because of
     * a storm; by the others the storm would seem to be over. */
    unsigned int live_disabled;

    enum storm_drop drop;
    bool forwards; /* The switch can forward in spite of pauses. */

    /* The lag of a counter in microseconds: two samples are at least a few
     * times this apart. */
    uint32_t lag_us;
};

/* Returns the rule 'name' (of a platform, or "exact", "duration", "stalled",
 * "status"), or NULL. */
const struct storm_rule *storm_rule_find(const char *name);

/* Returns the best rule that belongs to no platform and works with the measures
 * 'offered'; NULL if they are not enough for any. */
const struct storm_rule *storm_rule_choose(unsigned int offered);

/* Returns whether 'offered' is enough for 'rule'. */
bool storm_rule_suits(const struct storm_rule *rule, unsigned int offered);

/* Calls 'visit' for each rule. */
void storm_rule_each(void (*visit)(const struct storm_rule *rule,
                                   void *context),
                     void *context);

#endif /* orchd/watchdog/detection/storm_rule.h */
