/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_DETECTOR_H
#define ORCHD_WATCHDOG_DETECTION_DETECTOR_H

/* Is this queue in a storm?  The state machine of one queue.
 *
 *            paused for the detection time
 *      CALM ------------------------------> STORMED
 *           <------------------------------
 *            quiet for the restoration time
 *
 * Samples come in whenever somebody polls; all that counts is the time between
 * them as measured, so that late, missed and jittered polls delay a verdict and
 * never falsify it.
 *
 * Detection.  Evidence is time that is known to have been paused: intervals of
 * which a clause of the rule holds (storm_rule.h) and, where the chip tells how
 * long and whether it is paused, the part of the interval in which the pause
 * began.  A gap in the pause, a packet that got out, a link that went down:
 * evidence begins at nothing.  When it reaches the detection time there is a
 * storm.  At least two intervals have to agree unless one poll is all that the
 * detection time has room for.
 *
 * So with polls at most P apart, a pause shorter than the detection time D is
 * never a storm, and one longer than D + P always is.  For this detector_due()
 * asks for a look of its own at the moment when the evidence would be complete:
 * the storm is found then and not at the end of the poll after.
 *
 * Restoration.  The mirror image: an interval is quiet if the priority was
 * paused for at most half of it (a port may be congested as any other), or,
 * where no duration is measured, by on/off changes, status or pause frames.
 * Between 50 and 99 percent nothing changes: that is the hysteresis.
 *
 * Blindness.  What gets rid of a storm (PFC disabled) may also hide it: most
 * counters then stand still, and frames alone do not tell a pause from its end.
 * Where the rule's live measures cannot decide, the detector asks for a probe:
 * PFC is enabled again for a look of DETECTOR_LOOK_NS, and for the whole
 * restoration time if nothing is seen.  A probe is repeated after the
 * restoration time, and where it costs something (the action "forward", which
 * lets traffic wait during a probe) ever later.  If a restoration that was
 * decided without a probe turns out wrong at once, counters are not trusted
 * again while PFC is disabled. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/sample.h"
#include "orchd/watchdog/detection/storm_rule.h"

#define DETECTOR_LOOK_NS (INT64_C(10) * 1000 * 1000)

/* A paused interval is paused for this part of it at least; a quiet one at most
 * for that. */
enum { DETECTOR_PAUSED_PERCENT = 99, DETECTOR_QUIET_PERCENT = 50 };

/* How rare costly probes become, in restoration times. */
enum { DETECTOR_BACKOFF_MAX = 16 };

/* There is nothing to look at before the next poll. */
#define DETECTOR_NO_DUE INT64_MAX

enum detector_verdict {
    DETECTOR_NOTHING,
    DETECTOR_STORM,
    DETECTOR_RESTORED,
    DETECTOR_PROBE,     /* Enable PFC, to see; traffic stays as it is. */
    DETECTOR_PROBE_OFF, /* It is still a storm: disable it again. */
};

/* May be changed at any time. */
struct detector_times {
    int64_t detection_ns;   /* Above 0. */
    int64_t restoration_ns; /* 0: never. */
    int64_t poll_ns;        /* How often samples are meant to come. */
    bool probes_cost;       /* A probe stops traffic. */
};

/* The members are for reading. */
struct detector {
    const struct storm_rule *rule;
    struct detector_times times;
    bool stormed;
    bool probing;   /* The storm goes on, but PFC should be enabled. */
    bool distrusts; /* Counters lie while PFC is disabled. */

    struct storm_sample last; /* Valid if 'has_last'. */
    bool has_last;
    bool framed;          /* Pause frames were received, ... */
    int64_t framed_at_ns; /* ... last before this. */

    /* While calm: since when it looks like a storm, with the pause counter
     * then, what was known to be paused before, and how much is known by
     * now. */
    bool suspects;
    int64_t since_ns;
    uint64_t since_pause_us;
    int64_t head_ns;
    int64_t evidence_ns;
    unsigned int n_paused; /* Intervals that agree. */

    /* While stormed. */
    bool is_quiet;
    int64_t quiet_ns; /* How long it has been. */
    int64_t probe_at_ns;
    unsigned int backoff;

    int64_t restored_at_ns;
    bool restored_blind; /* Without a probe, while PFC was disabled. */
};

/* Makes '*detector' one that has seen nothing.  'rule' is borrowed. */
void detector_init(struct detector *detector, const struct storm_rule *rule,
                   const struct detector_times *times);

/* Changes the times; evidence and quiet time that were seen count on. */
void detector_set_times(struct detector *detector,
                        const struct detector_times *times);

/* Makes it stormed at 'now_ns' although nothing was seen: a storm of an earlier
 * run, or one that somebody says there is.  It ends like any other. */
void detector_assume_storm(struct detector *detector, int64_t now_ns);

/* Takes in 'sample' and returns what follows from it. */
enum detector_verdict detector_take(struct detector *detector,
                                    const struct storm_sample *sample);

/* Takes in 'sample' without judging it: somebody else does.  What was suspected
 * is forgotten. */
void detector_skip(struct detector *detector,
                   const struct storm_sample *sample);

/* Returns when another sample would bring a verdict if all stays as it is, or
 * DETECTOR_NO_DUE. */
int64_t detector_due(const struct detector *detector);

#endif /* orchd/watchdog/detection/detector.h */
