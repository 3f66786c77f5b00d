/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_DETECTOR_H
#define ORCHD_WATCHDOG_DETECTION_DETECTOR_H

/* Decides whether a queue is in a PFC storm: the state machine of one queue.
 *
 *            paused for the detection time
 *      OPERATIONAL ----------------------> STORMED
 *                  <----------------------
 *            quiet for the restoration time
 *
 * Samples arrive whenever the poller takes them.  Only the measured time
 * between them counts, so late, missed and jittered polls delay a verdict but
 * never falsify it.
 *
 * Detection.  Evidence is time that is known to have been paused: intervals in
 * which a clause of the rule holds (storm_rule.h) and, if the chip reports how
 * long and whether it is paused, the part of an interval in which a pause
 * began.  A gap in the pause, a packet that got out, or a link that went down
 * resets the evidence. When the evidence reaches the detection time, there is a
 * storm.  At least two intervals have to agree, unless the detection time has
 * room for only one poll.
 *
 * So with polls at most P apart, a pause shorter than the detection time D is
 * never a storm, and one longer than D + P always is.  detector_due() asks for
 * an extra poll at the moment when the evidence would be complete, so the storm
 * is found then and not at the next regular poll: between D and D + P after the
 * pause began.  (By a rule that knows a pause by its duration alone, without
 * its end and status, up to 2 us later: it is counted in
 * microseconds.)
 *
 * Two samples are otherwise at least four lags of the counters apart, because
 * closer ones measure the lag rather than the pause.  A sample that comes
 * earlier is put off.  The one that completes the evidence, or the quiet time,
 * may be closer; if it does not suffice (a counter lags), the next one may not.
 *
 * Restoration.  The mirror image: an interval is quiet if the priority was
 * paused for at most half of it (any port may be congested), or, if the chip
 * reports no duration, judging by on/off changes, status or pause frames.
 * Between 50 and 99 percent nothing changes: that is the hysteresis.
 *
 * Blindness.  The measure against a storm (PFC disabled) may also hide it: most
 * counters then stop, and frames alone do not distinguish a pause from its end.
 * If the counters that still work cannot decide, the detector asks for a probe:
 * PFC is enabled again for DETECTOR_LOOK_NS, and for the whole restoration time
 * if the storm is not seen.  A probe is repeated after the restoration time; if
 * probes cost something (with the action "forward", traffic waits during a
 * probe), they become less frequent.  If a restoration that was decided without
 * a probe turns out wrong at once, counters are not trusted again while PFC is
 * disabled. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/sample.h"
#include "orchd/watchdog/detection/storm_rule.h"

#define DETECTOR_LOOK_NS (INT64_C(10) * 1000 * 1000)

/* An interval counts as paused if at least this part of it was, and as quiet if
 * at most this part of it was. */
enum { DETECTOR_PAUSED_PERCENT = 99, DETECTOR_QUIET_PERCENT = 50 };

/* The longest time between costly probes, in restoration times. */
enum { DETECTOR_BACKOFF_MAX = 16 };

/* No sample is needed before the next poll. */
#define DETECTOR_NO_DUE INT64_MAX

enum detector_verdict {
    DETECTOR_NOTHING,
    DETECTOR_STORM,
    DETECTOR_RESTORED,
    DETECTOR_PROBE,     /* Enable PFC to look; drop or forward as before. */
    DETECTOR_PROBE_OFF, /* Still a storm: disable PFC again. */
};

/* May be changed at any time. */
struct detector_times {
    int64_t detection_ns;   /* Above 0. */
    int64_t restoration_ns; /* 0: never. */
    int64_t poll_ns;        /* The nominal poll interval. */
    bool probes_cost;       /* A probe stops traffic. */
};

/* For reading only. */
struct detector {
    const struct storm_rule *rule;
    struct detector_times times;
    bool stormed;
    bool probing;   /* The storm continues, but PFC should be enabled. */
    bool distrusts; /* Counters are not trusted while PFC is disabled. */

    struct storm_sample last; /* Valid if 'has_last'. */
    bool has_last;
    bool was_close; /* It was too close to the one before. */
    bool put_off;   /* A sample was, as it was too close to the last one. */
    bool framed;    /* Pause frames were received, ... */
    int64_t framed_at_ns; /* ... the last ones before this. */

    /* While operational: when the suspicion began, what was read then, the time
     * known to be paused before that, and the evidence so far. */
    bool suspects;
    int64_t since_ns;
    uint64_t since_pause_us;
    uint64_t since_ends;
    bool since_paused;
    int64_t head_ns;
    int64_t evidence_ns;
    unsigned int n_paused; /* Number of paused intervals. */

    /* While stormed. */
    bool is_quiet;
    int64_t quiet_ns; /* For how long. */
    int64_t probe_at_ns;
    unsigned int backoff;

    int64_t restored_at_ns;
    bool restored_blind; /* Without a probe, while PFC was disabled. */
};

/* Initialises '*detector', which has seen nothing.  'rule' is borrowed. */
void detector_init(struct detector *detector, const struct storm_rule *rule,
                   const struct detector_times *times);

/* Changes the times; the evidence and quiet time seen so far still count. */
void detector_set_times(struct detector *detector,
                        const struct detector_times *times);

/* Starts a storm at 'now_ns' without evidence: one of a previous run, or one
 * that a user requests.  It ends like any other. */
void detector_assume_storm(struct detector *detector, int64_t now_ns);

/* Takes in 'sample' and returns the verdict. */
enum detector_verdict detector_take(struct detector *detector,
                                    const struct storm_sample *sample);

/* Takes in 'sample' without a verdict, because the switch decides.  Clears any
 * suspicion. */
void detector_skip(struct detector *detector,
                   const struct storm_sample *sample);

/* Returns when another sample would lead to a verdict if nothing changes, or
 * DETECTOR_NO_DUE. */
int64_t detector_due(const struct detector *detector);

#endif /* orchd/watchdog/detection/detector.h */
