/* SPDX-License-Identifier: Apache-2.0 */

/* Accumulates evidence over the intervals between samples. */

#include <config.h>

#include "orchd/watchdog/detection/detector.h"

#include <stddef.h>

#define NS_PER_US 1000

/* The minimum distance of two samples in lags of a counter: closer ones measure
 * the lag rather than the pause. */
enum { LAGS_PER_INTERVAL = 4 };

/* If samples show only single moments, an interval proves nothing beyond this
 * many tenths of a poll. */
enum { GAP_TENTHS = 15 };

/* The interval between two samples. */
struct interval {
    const struct storm_sample *begin, *end;
    unsigned int measures; /* Measures in both samples. */
    int64_t elapsed_ns;
    uint64_t packets, frames, ends, pause_us; /* Increments. */
};

static bool
has(const struct interval *interval, unsigned int measures)
{
    return (interval->measures & measures) == measures;
}

/* Returns whether no counter of 'measures' decreased. */
static bool
counters_grow(const struct storm_sample *a, const struct storm_sample *b,
              unsigned int measures)
{
    return (!(measures & STORM_PACKETS) || a->packets <= b->packets) &&
           (!(measures & STORM_FRAMES) || a->frames <= b->frames) &&
           (!(measures & STORM_ENDS) || a->ends <= b->ends) &&
           (!(measures & STORM_DURATION) || a->pause_us <= b->pause_us);
}

static int64_t
shortest_interval(const struct detector *detector)
{
    return (int64_t)detector->rule->lag_us * NS_PER_US * LAGS_PER_INTERVAL;
}

/* Returns whether 'sample' is too close to the last one. */
static bool
is_close(const struct detector *detector, const struct storm_sample *sample)
{
    return sample->at_ns - detector->last.at_ns < shortest_interval(detector);
}

/* Fills '*interval' with the interval from the last sample to 'sample'.
 * Returns false if nothing can be derived from it. */
static bool
interval_make(struct interval *interval, const struct detector *detector,
              const struct storm_sample *sample)
{
    const struct storm_sample *last = &detector->last;
    unsigned int measures =
        detector->rule->uses & last->measures & sample->measures;

    if (!detector->has_last || last->pfc_off != sample->pfc_off ||
        last->link_up != sample->link_up) {
        return false;
    }
    if (!counters_grow(last, sample, measures)) {
        return false;
    }
    if (sample->pfc_off) {
        measures &= detector->distrusts ? 0 : detector->rule->live_disabled;
    }
    interval->begin = last;
    interval->end = sample;
    interval->measures = measures;
    interval->elapsed_ns = sample->at_ns - last->at_ns;
    interval->packets = sample->packets - last->packets;
    interval->frames = sample->frames - last->frames;
    interval->ends = sample->ends - last->ends;
    interval->pause_us = sample->pause_us - last->pause_us;
    return true;
}

/* --- Detection ---------------------------------------------------------- */

/* Returns the time since the suspicion began, or since 'interval' did. */
static int64_t
suspected_ns(const struct detector *detector, const struct interval *interval)
{
    return detector->suspects
               ? interval->end->at_ns - detector->since_ns + detector->head_ns
               : interval->elapsed_ns;
}

/* Returns how much of that time was paused, according to the duration counter.
 */
static int64_t
measured_ns(const struct detector *detector, const struct interval *interval)
{
    uint64_t since_us = detector->suspects ? detector->since_pause_us
                                           : interval->begin->pause_us;

    return (int64_t)(interval->end->pause_us - since_us) * NS_PER_US +
           (detector->suspects ? detector->head_ns : 0);
}

/* Returns whether a single pause lasted for the whole time of the suspicion. */
static bool
is_single(const struct detector *detector, const struct interval *interval)
{
    return has(interval, STORM_ENDS | STORM_STATUS) && detector->since_paused &&
           interval->end->paused && interval->end->ends == detector->since_ends;
}

/* Returns whether the whole time of the suspicion was paused, except for 1 %
 * and the lag of the counter. */
static bool
is_whole(const struct detector *detector, const struct interval *interval)
{
    int64_t lag_ns = (int64_t)detector->rule->lag_us * NS_PER_US;

    return has(interval, STORM_DURATION) &&
           (measured_ns(detector, interval) + lag_ns) /
                   DETECTOR_PAUSED_PERCENT * 100 >=
               suspected_ns(detector, interval);
}

/* Returns whether pause frames arrived in 'interval', or within one poll before
 * its end: at 1 Gb/s, one frame can pause for 33 ms. */
static bool
frames_come(const struct detector *detector, const struct interval *interval)
{
    return interval->frames > 0 ||
           (detector->framed && interval->end->at_ns - detector->framed_at_ns <=
                                    detector->times.poll_ns);
}

static bool
clause_holds(const struct detector *detector, unsigned int clause,
             const struct interval *i)
{
    bool queue = has(i, STORM_PACKETS | STORM_OCCUPANCY) && i->packets == 0;
    bool occupied = i->end->occupancy_bytes > 0;
    unsigned int holds = 0;

    if (!clause) {
        return false;
    }
    holds |= queue && occupied ? STORM_IF_STUCK : 0;
    holds |= queue && occupied && i->begin->occupancy_bytes > 0
                 ? STORM_IF_STALLED
                 : 0;
    holds |= queue && !occupied ? STORM_IF_IDLE : 0;
    holds |=
        has(i, STORM_FRAMES) && frames_come(detector, i) ? STORM_IF_FRAMES : 0;
    holds |= has(i, STORM_ENDS) && i->ends == 0 ? STORM_IF_UNBROKEN : 0;
    holds |= has(i, STORM_STATUS) && i->begin->paused && i->end->paused
                 ? STORM_IF_PAUSED
                 : 0;
    holds |= is_whole(detector, i) ? STORM_IF_WHOLE : 0;
    return (holds & clause) == clause;
}

/* Returns the clause of the rule that holds for 'interval', 0 if none does. */
static unsigned int
paused_by(const struct detector *detector, const struct interval *interval)
{
    for (int i = 0; i < N_STORM_CLAUSES; i++) {
        unsigned int clause = detector->rule->clauses[i];

        if (clause_holds(detector, clause, interval)) {
            return clause;
        }
    }
    return 0;
}

/* Returns how long the end of 'interval' was certainly paused without a gap: if
 * it was not paused at its beginning, is paused now, and no pause ended in
 * between, there was a single pause, and the counted duration belongs to it. */
static int64_t
tail_ns(const struct detector *detector, const struct interval *interval)
{
    /* Both readings were rounded down: the difference may be 1 us less. */
    int64_t tail_ns = ((int64_t)interval->pause_us - 1) * NS_PER_US;
    unsigned int clauses =
        detector->rule->clauses[0] | detector->rule->clauses[1];

    if (!has(interval, STORM_DURATION | STORM_ENDS | STORM_STATUS) ||
        !(clauses & STORM_IF_WHOLE) || interval->begin->paused ||
        !interval->end->paused || interval->ends > 0 ||
        ((clauses & STORM_IF_STUCK) && !interval->end->occupancy_bytes) ||
        tail_ns < 0) {
        return 0;
    }
    return tail_ns < interval->elapsed_ns ? tail_ns : interval->elapsed_ns;
}

/* Begins a suspicion at 'sample', before which the priority was paused for
 * 'head_ns'. */
static void
suspect(struct detector *detector, const struct storm_sample *sample,
        int64_t head_ns)
{
    detector->suspects = true;
    detector->since_ns = sample->at_ns;
    detector->since_pause_us = sample->pause_us;
    detector->since_ends = sample->ends;
    detector->since_paused = sample->paused;
    detector->head_ns = detector->evidence_ns = head_ns;
    detector->n_paused = head_ns > 0;
}

/* Returns whether 'interval' ends with what may be a continuing pause. */
static bool
looks_paused(const struct detector *detector, const struct interval *interval)
{
    unsigned int clauses =
        detector->rule->clauses[0] | detector->rule->clauses[1];

    if ((clauses & (STORM_IF_STUCK | STORM_IF_STALLED)) &&
        !(clauses & (STORM_IF_IDLE | STORM_IF_UNBROKEN)) &&
        !interval->end->occupancy_bytes) {
        return false;
    }
    return has(interval, STORM_STATUS)
               ? interval->end->paused
               : interval->frames > 0 || interval->pause_us > 0;
}

/* Adds a paused interval to the evidence. */
static void
gather(struct detector *detector, const struct interval *interval,
       unsigned int clause)
{
    const unsigned int continuous =
        STORM_IF_WHOLE | STORM_IF_STALLED | STORM_IF_UNBROKEN;
    int64_t gap_ns = detector->times.poll_ns / 10 * GAP_TENTHS;

    if (!detector->suspects) {
        suspect(detector, interval->begin, 0);
    }
    if (!(clause & continuous) && interval->elapsed_ns > gap_ns) {
        detector->since_ns += interval->elapsed_ns - gap_ns;
    }
    detector->n_paused += !is_close(detector, interval->end);
    detector->evidence_ns = suspected_ns(detector, interval);
    /* Both readings were rounded down: the difference may be 1 us less. */
    if ((clause & STORM_IF_WHOLE) && !is_single(detector, interval) &&
        measured_ns(detector, interval) - NS_PER_US < detector->evidence_ns) {
        detector->evidence_ns = measured_ns(detector, interval) - NS_PER_US;
    }
}

static bool
evidence_suffices(const struct detector *detector)
{
    const struct detector_times *times = &detector->times;

    return detector->evidence_ns >= times->detection_ns &&
           (detector->n_paused >= 2 ||
            times->detection_ns < 2 * times->poll_ns);
}

static void
forget_quiet(struct detector *detector)
{
    detector->is_quiet = false;
    detector->quiet_ns = 0;
}

static void
begin_storm(struct detector *detector, int64_t at_ns)
{
    const struct detector_times *times = &detector->times;

    /* Then the storm never ended. */
    if (detector->restored_blind && detector->suspects &&
        detector->since_ns - detector->head_ns <=
            detector->restored_at_ns + 2 * times->poll_ns) {
        detector->distrusts = true;
    }
    detector->stormed = true;
    detector->suspects = detector->probing = false;
    forget_quiet(detector);
    detector->backoff = 1;
    detector->probe_at_ns = at_ns + times->restoration_ns;
}

static enum detector_verdict
take_operational(struct detector *detector, const struct interval *interval)
{
    /* DEBUG_STORM makes every interval count as paused, whatever was measured.
     */
    unsigned int clause = interval->end->forced ? STORM_IF_STALLED
                                                : paused_by(detector, interval);

    if (!clause) {
        detector->suspects = false;
        if (looks_paused(detector, interval)) {
            suspect(detector, interval->end, tail_ns(detector, interval));
        }
    } else {
        gather(detector, interval, clause);
    }
    if (!detector->suspects || !evidence_suffices(detector)) {
        return DETECTOR_NOTHING;
    }
    begin_storm(detector, interval->end->at_ns);
    return DETECTOR_STORM;
}

/* --- Restoration -------------------------------------------------------- */

enum activity {
    QUIET,
    BUSY,
    UNCLEAR, /* Only a probe can decide. */
};

/* Decides by pause frames alone.  While the switch ignores pauses, frames that
 * end a pause look like any other. */
static enum activity
activity_by_frames(const struct detector *detector,
                   const struct interval *interval)
{
    unsigned int hidden = detector->rule->uses & detector->last.measures &
                          ~detector->rule->live_disabled;

    if (!interval->frames) {
        return QUIET;
    }
    return interval->end->pfc_off && (hidden & (STORM_DURATION | STORM_STATUS))
               ? UNCLEAR
               : BUSY;
}

static enum activity
activity_of(const struct detector *detector, const struct interval *interval)
{
    int64_t lag_ns = (int64_t)detector->rule->lag_us * NS_PER_US;
    int64_t paused_ns = (int64_t)interval->pause_us * NS_PER_US;

    if (interval->end->forced) {
        return BUSY;
    }
    if (!interval->end->link_up) {
        return QUIET;
    }
    if (has(interval, STORM_DURATION)) {
        return paused_ns - lag_ns <=
                       interval->elapsed_ns / 100 * DETECTOR_QUIET_PERCENT
                   ? QUIET
                   : BUSY;
    }
    if (has(interval, STORM_STATUS)) {
        return interval->begin->paused || interval->end->paused ||
                       (has(interval, STORM_ENDS) && interval->ends > 0)
                   ? BUSY
                   : QUIET;
    }
    if (has(interval, STORM_FRAMES)) {
        return activity_by_frames(detector, interval);
    }
    return interval->end->pfc_off ? UNCLEAR : BUSY;
}

static enum detector_verdict
end_storm(struct detector *detector, const struct storm_sample *sample)
{
    detector->stormed = detector->probing = false;
    detector->restored_at_ns = sample->at_ns;
    detector->restored_blind = sample->pfc_off;
    return DETECTOR_RESTORED;
}

/* Ends a probe that found that the storm continues. */
static enum detector_verdict
end_probe(struct detector *detector, int64_t at_ns)
{
    detector->probing = false;
    detector->probe_at_ns =
        at_ns + detector->times.restoration_ns * detector->backoff;
    if (detector->times.probes_cost &&
        detector->backoff < DETECTOR_BACKOFF_MAX) {
        detector->backoff *= 2;
    }
    return DETECTOR_PROBE_OFF;
}

static enum detector_verdict
take_stormed(struct detector *detector, const struct interval *interval)
{
    const struct storm_sample *sample = interval->end;

    if (!detector->times.restoration_ns) {
        return DETECTOR_NOTHING;
    }
    switch (activity_of(detector, interval)) {
    case QUIET:
        /* The storm may have ended within the first quiet interval. */
        if (detector->is_quiet || !has(interval, STORM_DURATION) ||
            !interval->pause_us) {
            detector->quiet_ns += interval->elapsed_ns;
        }
        detector->is_quiet = true;
        return detector->quiet_ns >= detector->times.restoration_ns
                   ? end_storm(detector, sample)
                   : DETECTOR_NOTHING;
    case UNCLEAR:
        forget_quiet(detector);
        if (!detector->probing && sample->at_ns >= detector->probe_at_ns) {
            detector->probing = true;
            return DETECTOR_PROBE;
        }
        return DETECTOR_NOTHING;
    case BUSY:
        break;
    }
    forget_quiet(detector);
    return detector->probing ? end_probe(detector, sample->at_ns)
                             : DETECTOR_NOTHING;
}

/* --- Interface ---------------------------------------------------------- */

void
detector_init(struct detector *detector, const struct storm_rule *rule,
              const struct detector_times *times)
{
    *detector = (struct detector){.rule = rule, .times = *times, .backoff = 1};
}

void
detector_set_times(struct detector *detector,
                   const struct detector_times *times)
{
    int64_t later_ns = times->restoration_ns - detector->times.restoration_ns;

    detector->probe_at_ns += later_ns;
    detector->times = *times;
}

void
detector_assume_storm(struct detector *detector, int64_t now_ns)
{
    detector->has_last = false;
    begin_storm(detector, now_ns);
}

enum detector_verdict
detector_take(struct detector *detector, const struct storm_sample *sample)
{
    struct interval interval;
    enum detector_verdict verdict;

    if (detector->has_last && is_close(detector, sample) &&
        sample->at_ns < detector_due(detector) &&
        sample->pfc_off == detector->last.pfc_off &&
        sample->link_up == detector->last.link_up) {
        detector->put_off = true;
        return DETECTOR_NOTHING;
    }
    detector->put_off = detector->was_close = false;
    if (!interval_make(&interval, detector, sample)) {
        detector->last = *sample;
        detector->has_last = true;
        detector->suspects = false;
        return DETECTOR_NOTHING;
    }
    if (has(&interval, STORM_FRAMES) && interval.frames > 0) {
        detector->framed = true;
        detector->framed_at_ns = sample->at_ns;
    }
    if (detector->stormed) {
        verdict = take_stormed(detector, &interval);
    } else if (sample->link_up && !sample->pfc_off) {
        verdict = take_operational(detector, &interval);
    } else {
        detector->suspects = false;
        verdict = DETECTOR_NOTHING;
    }
    detector->was_close = is_close(detector, sample);
    detector->last = *sample;
    return verdict;
}

void
detector_skip(struct detector *detector, const struct storm_sample *sample)
{
    detector->last = *sample;
    detector->has_last = true;
    detector->suspects = detector->put_off = detector->was_close = false;
}

/* Returns how long after the last sample another one is needed for a verdict,
 * DETECTOR_NO_DUE if none is.  Sets '*completes' to whether that one completes
 * the evidence, or the quiet time. */
static int64_t
wait_for_verdict(const struct detector *detector, bool *completes)
{
    const struct detector_times *times = &detector->times;

    *completes = !detector->stormed || detector->is_quiet;
    if (!detector->stormed) {
        return detector->suspects ? times->detection_ns - detector->evidence_ns
                                  : DETECTOR_NO_DUE;
    }
    if (!times->restoration_ns) {
        return DETECTOR_NO_DUE;
    }
    if (detector->is_quiet) {
        return times->restoration_ns - detector->quiet_ns;
    }
    if (detector->probing) {
        /* First, a sample to measure from. */
        return detector->last.pfc_off ? 0 : DETECTOR_LOOK_NS;
    }
    return detector->last.pfc_off &&
                   detector->probe_at_ns > detector->last.at_ns
               ? detector->probe_at_ns - detector->last.at_ns
               : times->poll_ns;
}

int64_t
detector_due(const struct detector *detector)
{
    int64_t shortest_ns = shortest_interval(detector);
    bool completes;
    int64_t wait_ns = wait_for_verdict(detector, &completes);

    if (!detector->has_last) {
        return DETECTOR_NO_DUE;
    }
    if (wait_ns < shortest_ns &&
        (!completes || wait_ns <= 0 || detector->was_close)) {
        wait_ns = shortest_ns;
    }
    if (detector->put_off && wait_ns > shortest_ns) {
        wait_ns = shortest_ns;
    }
    return wait_ns == DETECTOR_NO_DUE ? DETECTOR_NO_DUE
                                      : detector->last.at_ns + wait_ns;
}
