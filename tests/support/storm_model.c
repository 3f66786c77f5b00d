/* SPDX-License-Identifier: Apache-2.0 */

/* Counters by integration over spans. */

#include <config.h>

#include "tests/support/storm_model.h"

#include "base/check.h"

/* A pause frame every so often, and a packet that takes so long. */
#define FRAME_NS  (INT64_C(300) * 1000)
#define PACKET_NS INT64_C(100)

void
storm_model_add(struct storm_model *model, int64_t begin_ns, int64_t end_ns,
                bool xon)
{
    orch_assert(model->n_spans < STORM_SPANS_MAX && begin_ns <= end_ns);
    model->spans[model->n_spans++] = (struct storm_span){begin_ns, end_ns, xon};
}

/* Returns the span that holds at 'at_ns', or NULL. */
static const struct storm_span *
span_at(const struct storm_model *model, int64_t at_ns)
{
    for (size_t i = 0; i < model->n_spans; i++) {
        if (at_ns >= model->spans[i].begin_ns &&
            at_ns < model->spans[i].end_ns) {
            return &model->spans[i];
        }
    }
    return NULL;
}

/* Returns when what holds at 'at_ns' changes, at most 'limit_ns'. */
static int64_t
change_after(const struct storm_model *model, int64_t at_ns, int64_t limit_ns)
{
    for (size_t i = 0; i < model->n_spans; i++) {
        const struct storm_span *span = &model->spans[i];

        if (span->begin_ns > at_ns && span->begin_ns < limit_ns) {
            limit_ns = span->begin_ns;
        }
        if (span->end_ns > at_ns && span->end_ns < limit_ns) {
            limit_ns = span->end_ns;
        }
    }
    return limit_ns;
}

static void
set_paused(struct storm_model *model, bool paused)
{
    model->ends += model->is_paused && !paused;
    model->is_paused = paused;
}

void
storm_model_run(struct storm_model *model, int64_t to_ns)
{
    while (model->now_ns < to_ns) {
        const struct storm_span *span =
            model->link_down ? NULL : span_at(model, model->now_ns);
        int64_t end_ns = change_after(model, model->now_ns, to_ns);
        int64_t elapsed_ns = end_ns - model->now_ns;

        set_paused(model, span && !span->xon && !model->pfc_off);
        if (model->is_paused) {
            model->paused_ns += elapsed_ns;
        } else if (!model->empty) {
            model->sending_ns += elapsed_ns;
        }
        if (span && !(model->freezes && model->pfc_off)) {
            /* The first frame begins the span. */
            int64_t before = model->now_ns - span->begin_ns;

            model->frames +=
                (uint64_t)((before + elapsed_ns + FRAME_NS - 1) / FRAME_NS -
                           (before + FRAME_NS - 1) / FRAME_NS);
        }
        model->now_ns = end_ns;
    }
}

struct storm_sample
storm_model_sample(const struct storm_model *model)
{
    const struct storm_span *span = span_at(model, model->now_ns);

    return (struct storm_sample){
        .at_ns = model->now_ns,
        .measures = model->measures,
        .packets = (uint64_t)(model->sending_ns / PACKET_NS),
        .occupancy_bytes = model->empty ? 0 : 1000,
        .frames = model->frames,
        .pause_us = (uint64_t)(model->paused_ns / 1000),
        .ends = model->ends +
                (model->is_paused && (!span || span->xon || model->pfc_off)),
        .paused = span && !span->xon && !model->pfc_off && !model->link_down,
        .link_up = !model->link_down,
        .pfc_off = model->pfc_off,
        .forced = model->forced,
    };
}

void
storm_model_set_off(struct storm_model *model, bool off)
{
    if (off) {
        set_paused(model, false);
    }
    model->pfc_off = off;
}

/* Returns whether the poll that is planned is late, early, or does not come. */
static int64_t
plan(struct storm_poller *poller)
{
    int64_t jitter_ns = poller->poll_ns / 100 * poller->jitter_percent;

    do {
        poller->next_ns += poller->poll_ns;
    } while (poller->missed_percent &&
             random_below(poller->random, 100) < poller->missed_percent);
    return poller->next_ns +
           (jitter_ns
                ? (int64_t)random_below(poller->random, (uint64_t)jitter_ns) -
                      jitter_ns / 2
                : 0);
}

enum detector_verdict
storm_poller_run(struct storm_poller *poller, int64_t end_ns)
{
    struct storm_model *model = poller->model;
    int64_t regular_ns = plan(poller);

    for (;;) {
        int64_t due_ns = detector_due(poller->detector);
        int64_t at_ns = due_ns < regular_ns ? due_ns : regular_ns;
        enum detector_verdict verdict;
        struct storm_sample sample;

        if (at_ns > end_ns) {
            /* What was planned has not been polled. */
            poller->next_ns -= poller->poll_ns;
            storm_model_run(model, end_ns);
            return DETECTOR_NOTHING;
        }
        storm_model_run(model, at_ns);
        if (poller->n_samples++ &&
            at_ns - poller->last_ns > poller->most_apart_ns) {
            poller->most_apart_ns = at_ns - poller->last_ns;
        }
        poller->last_ns = at_ns;
        sample = storm_model_sample(model);
        verdict = detector_take(poller->detector, &sample);
        if (at_ns == regular_ns) {
            regular_ns = plan(poller);
        }
        if (verdict == DETECTOR_PROBE || verdict == DETECTOR_PROBE_OFF) {
            storm_model_set_off(model, verdict == DETECTOR_PROBE_OFF);
        } else if (verdict != DETECTOR_NOTHING) {
            if (poller->acts) {
                storm_model_set_off(model, verdict == DETECTOR_STORM);
            }
            poller->next_ns -= poller->poll_ns;
            return verdict;
        }
    }
}
