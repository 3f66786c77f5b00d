/* SPDX-License-Identifier: Apache-2.0 */

/* Draws a trial, runs it, and compares what was said with what was. */

#include <config.h>

#include "tests/support/storm_trial.h"

#include <stdbool.h>
#include <string.h>

#include "base/check.h"
#include "tests/support/storm_model.h"

#define US_NS INT64_C(1000)
#define MS_US INT64_C(1000)

/* The distance of samples that measure the lag of a counter, at most. */
#define CLOSE_US (4 * MS_US)

enum { N_PAUSES = 12 };

struct drawn {
    const char *rule;
    bool sampled;  /* It cannot see what is between two samples. */
    bool measured; /* It knows a pause by its duration alone, in us. */
};

static const struct drawn drawn_rules[] = {
    {"exact", false, false},     {"exact", false, false},
    {"duration", false, true},   {"stalled", false, false},
    {"vs", false, false},        {"mellanox", false, false},
    {"broadcom", false, false},  {"status", true, false},
    {"cisco-8000", true, false}, {"marvell-teralynx", false, true},
};

struct run {
    struct storm_trial *trial;
    struct random random;
    struct storm_model model;
    struct detector detector;
    struct storm_poller poller;
    bool sampled;
    int64_t resolution_ns; /* Of two readings of the duration. */
    bool stormed;
    const struct storm_span *span; /* Of the storm. */
    bool detected[STORM_SPANS_MAX];
    int64_t detected_ns[STORM_SPANS_MAX];
    int64_t restored_ns[STORM_SPANS_MAX]; /* Of spans that were detected. */
};

static int64_t
draw(struct run *run, int64_t from_ns, int64_t to_ns)
{
    return from_ns +
           (int64_t)random_below(&run->random, (uint64_t)(to_ns - from_ns + 1));
}

static void
draw_setup(struct run *run)
{
    struct storm_trial *trial = run->trial;
    const struct drawn *drawn = &drawn_rules[random_below(
        &run->random, sizeof drawn_rules / sizeof *drawn_rules)];
    struct detector_times times = {0};
    const struct storm_rule *rule = storm_rule_find(drawn->rule);
    /* Polls on time, and at about the moment when a storm is detected. */
    const bool punctual = random_below(&run->random, 2);

    trial->rule = drawn->rule;
    run->sampled = drawn->sampled;
    run->resolution_ns = drawn->measured ? 2 * US_NS : 0;
    trial->detection_ns = draw(run, 100 * MS_US, 1000 * MS_US) * US_NS;
    trial->poll_ns = draw(run, 50 * MS_US, 200 * MS_US) * US_NS;
    if (trial->poll_ns > trial->detection_ns) {
        trial->poll_ns = trial->detection_ns;
    }
    if (punctual) {
        trial->detection_ns =
            trial->detection_ns / trial->poll_ns * trial->poll_ns +
            (random_below(&run->random, 2) ? draw(run, 0, CLOSE_US) * US_NS
                                           : 0);
    }
    trial->restoration_ns = draw(run, trial->poll_ns, 1000 * MS_NS);
    times.detection_ns = trial->detection_ns;
    times.restoration_ns = trial->restoration_ns;
    times.poll_ns = trial->poll_ns;
    detector_init(&run->detector, rule, &times);
    run->model.measures = (1 << N_STORM_MEASURES) - 1;
    run->poller = (struct storm_poller){
        .model = &run->model,
        .detector = &run->detector,
        .random = &run->random,
        .poll_ns = trial->poll_ns,
        .jitter_percent =
            punctual ? 0 : (unsigned int)random_below(&run->random, 40),
        .missed_percent = punctual || drawn->sampled
                              ? 0
                              : (unsigned int)random_below(&run->random, 10),
        .acts = rule->drop == STORM_DROP_ZERO_BUFFER &&
                random_below(&run->random, 4) != 0,
    };
}

/* Adds one pause from 'at_ns' on, and returns when the next may begin. */
static int64_t
draw_pause(struct run *run, int64_t at_ns)
{
    const struct storm_trial *trial = run->trial;
    int64_t gap_ns = run->sampled ? 5 * trial->poll_ns : 25 * MS_NS;
    int64_t length_ns, begin_ns = at_ns;

    switch (random_below(&run->random, 4)) {
    case 0: /* Bursts. */
        for (uint64_t i = random_below(&run->random, 4); i > 0; i--) {
            length_ns = draw(run, 1 * MS_NS, trial->detection_ns * 9 / 10);
            storm_model_add(&run->model, begin_ns, begin_ns + length_ns, false);
            begin_ns += length_ns + draw(run, gap_ns, 3 * gap_ns);
        }
        return begin_ns + trial->restoration_ns * 3;
    case 1: /* Nearly, or just. */
        length_ns = draw(run, trial->detection_ns * 8 / 10,
                         trial->detection_ns * 12 / 10 + trial->poll_ns);
        break;
    default:
        /* Another one before it, perhaps within the same poll. */
        if (random_below(&run->random, 2)) {
            length_ns = draw(run, 1 * MS_NS, 2 * MS_NS);
            storm_model_add(&run->model, begin_ns, begin_ns + length_ns, false);
            begin_ns += length_ns + gap_ns;
        }
        length_ns = trial->detection_ns +
                    draw(run, trial->poll_ns, 20 * trial->poll_ns);
    }
    storm_model_add(&run->model, begin_ns, begin_ns + length_ns, false);
    begin_ns += length_ns;
    if (random_below(&run->random, 5) == 0) {
        length_ns = trial->restoration_ns * 4 + 10 * trial->poll_ns;
        storm_model_add(&run->model, begin_ns, begin_ns + length_ns, true);
        begin_ns += length_ns;
    }
    return begin_ns + draw(run, trial->poll_ns,
                           6 * trial->restoration_ns + 6 * trial->poll_ns);
}

/* Returns whether anything of a pause is within the two times. */
static bool
any_pause(const struct run *run, int64_t from_ns, int64_t to_ns)
{
    for (size_t i = 0; i < run->model.n_spans; i++) {
        const struct storm_span *span = &run->model.spans[i];

        if (!span->xon && span->begin_ns < to_ns && span->end_ns > from_ns) {
            return true;
        }
    }
    return false;
}

/* Returns whether a restoration now is too early: the storm, or another long
 * pause, has lasted until less than the restoration time ago.  What is no
 * longer than a poll may be congestion, and what has just begun is another
 * pause; the last frame comes a little before its pause ends. */
static bool
is_early(const struct run *run)
{
    int64_t now_ns = run->model.now_ns;
    int64_t poll_ns = run->poller.most_apart_ns;

    for (size_t i = 0; i < run->model.n_spans; i++) {
        const struct storm_span *span = &run->model.spans[i];

        if (!span->xon && span->begin_ns < now_ns - poll_ns &&
            span->end_ns > now_ns - run->trial->restoration_ns + MS_NS &&
            (span == run->span || span->end_ns - span->begin_ns > poll_ns)) {
            return true;
        }
    }
    return false;
}

/* Returns the pause that has lasted for the detection time, NULL if none. */
static const struct storm_span *
storm_at(const struct run *run, int64_t at_ns)
{
    for (size_t i = 0; i < run->model.n_spans; i++) {
        const struct storm_span *span = &run->model.spans[i];

        if (!span->xon && span->begin_ns + run->trial->detection_ns <= at_ns &&
            span->end_ns >= at_ns) {
            return span;
        }
    }
    return NULL;
}

static void
judge_storm(struct run *run)
{
    int64_t now_ns = run->model.now_ns;
    struct storm_trial *trial = run->trial;

    run->stormed = true;
    run->span = storm_at(run, now_ns);
    if (!run->span) {
        trial->n_false++;
        return;
    }
    run->detected[run->span - run->model.spans] = true;
    run->detected_ns[run->span - run->model.spans] = now_ns;
    if (trial->n_detections < STORM_TRIAL_LATENCIES) {
        trial->detection_late_ns[trial->n_detections++] =
            now_ns - run->span->begin_ns - trial->detection_ns;
    }
}

static void
judge_restoration(struct run *run)
{
    run->stormed = false;
    run->trial->n_flaps += is_early(run);
    if (run->span) {
        run->restored_ns[run->span - run->model.spans] = run->model.now_ns;
    }
}

/* Returns whether it can be decided when the storm of 'span' began: an earlier
 * storm was over. */
static bool
begins_calm(const struct run *run, const struct storm_span *span)
{
    for (const struct storm_span *other = run->model.spans; other < span;
         other++) {
        size_t i = (size_t)(other - run->model.spans);

        if (run->detected[i] &&
            (!run->restored_ns[i] || run->restored_ns[i] > span->begin_ns)) {
            return false;
        }
    }
    return true;
}

/* Looks at each pause after the fact. */
static void
judge_pause(struct run *run, size_t i)
{
    const int64_t apart_ns = run->poller.most_apart_ns;
    const struct storm_span *span = &run->model.spans[i];
    struct storm_trial *trial = run->trial;
    const bool xon = i + 1 < run->model.n_spans && run->model.spans[i + 1].xon;
    int64_t over_ns = span->end_ns + trial->restoration_ns;
    /* What has to be asked for by a probe. */
    int64_t probe_ns = xon || run->detector.distrusts
                           ? trial->restoration_ns + apart_ns + DETECTOR_LOOK_NS
                           : 0;
    /* The pause may end in a probe, which is no quiet time yet. */
    int64_t allowed_ns =
        apart_ns + probe_ns + (run->poller.acts ? DETECTOR_LOOK_NS : 0);
    int64_t storm_ns = apart_ns + run->resolution_ns, late_ns;

    if (span->end_ns - span->begin_ns > trial->detection_ns + storm_ns &&
        begins_calm(run, span)) {
        trial->n_storms++;
        late_ns = run->detected_ns[i] - span->begin_ns - trial->detection_ns;
        trial->n_misses += !run->detected[i] || late_ns > storm_ns;
    }
    if (!run->detected[i] ||
        any_pause(run, span->end_ns, over_ns + allowed_ns)) {
        return;
    }
    late_ns = run->restored_ns[i] - over_ns;
    if (!run->restored_ns[i] || late_ns > allowed_ns) {
        trial->n_overdue++;
    } else if (!probe_ns && trial->n_restorations < STORM_TRIAL_LATENCIES) {
        trial->restoration_late_ns[trial->n_restorations++] = late_ns;
    }
}

void
storm_trial_run(struct storm_trial *trial, uint64_t seed)
{
    struct run run = {.trial = trial};
    int64_t at_ns = 500 * MS_NS, end_ns;
    enum detector_verdict verdict;

    memset(trial, 0, sizeof *trial);
    random_init(&run.random, seed);
    draw_setup(&run);
    while (trial->n_pauses < N_PAUSES &&
           run.model.n_spans + 6 < STORM_SPANS_MAX) {
        at_ns = draw_pause(&run, at_ns);
        trial->n_pauses++;
    }
    end_ns = at_ns + 10 * trial->restoration_ns + 20 * trial->poll_ns;
    while ((verdict = storm_poller_run(&run.poller, end_ns)) !=
           DETECTOR_NOTHING) {
        if (verdict == DETECTOR_STORM) {
            orch_assert(!run.stormed);
            judge_storm(&run);
        } else {
            orch_assert(run.stormed);
            judge_restoration(&run);
        }
    }
    for (size_t i = 0; i < run.model.n_spans; i++) {
        if (!run.model.spans[i].xon) {
            judge_pause(&run, i);
        }
    }
}
