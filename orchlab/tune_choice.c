/* SPDX-License-Identifier: Apache-2.0 */

/* Which candidates "orchlab tune" tries, and which it recommends. */

#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "orchlab/tune.h"

/* A goodput of so much of the present one counts as equal. */
#define EQUAL_GOODPUT 0.99

/* Returns whether 'a' is as good as 'b' in all of the 'n' figures, of which
 * less is better, and better in one. */
static bool
beats(const double a[], const double b[], size_t n)
{
    bool is_better = false;

    for (size_t i = 0; i < n; i++) {
        if (a[i] > b[i]) {
            return false;
        }
        is_better |= a[i] < b[i];
    }
    return is_better;
}

/* Stage 1 ------------------------------------------------------------------ */

/* A candidate and the figures by which it is ranked. */
struct ranked {
    struct tune_candidate candidate;
    double figures[3];
    size_t rank;
};

static int
by_rank(const void *a_, const void *b_)
{
    const struct ranked *a = a_, *b = b_;

    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return (a->figures[0] > b->figures[0]) - (a->figures[0] < b->figures[0]);
}

/* Numbers the fronts from 1. */
static void
rank(struct ranked *ranked, size_t n)
{
    size_t n_left = 0;

    for (size_t i = 0; i < n; i++) {
        n_left += !ranked[i].rank;
    }
    for (size_t front = 1; n_left; front++) {
        for (size_t i = 0; i < n; i++) {
            bool is_beaten = ranked[i].rank != 0;

            for (size_t k = 0; k < n && !is_beaten; k++) {
                is_beaten = (!ranked[k].rank || ranked[k].rank == front) &&
                            beats(ranked[k].figures, ranked[i].figures, 3);
            }
            if (!is_beaten) {
                ranked[i].rank = front;
                n_left--;
            }
        }
    }
}

/* Moves candidates from all over the first front to where stage 2 takes them:
 * evenly by completion, the quickest first. */
static void
spread(struct tune *tune, struct ranked *ranked, size_t n, size_t n_wanted)
{
    size_t n_front = 0, taken = 0;

    while (n_front < n && ranked[n_front].rank == 1) {
        n_front++;
    }
    if (n_front <= n_wanted) {
        n_front = n_wanted < n ? n_wanted : n;
    }
    for (size_t i = 0; i < n_wanted && i < n_front; i++) {
        const size_t at = i * n_front / n_wanted;

        if (n_front > n_wanted) {
            tune->candidates[1 + taken++] = ranked[at].candidate;
        } else {
            tune->candidates[1 + taken++] = ranked[i].candidate;
        }
    }
}

void
tune_choice_order(struct tune *tune)
{
    const size_t n = tune->n_candidates - 1;
    struct ranked *ranked = arena_alloc(tune->arena, n + 1, sizeof *ranked);
    const size_t n_wanted = tune->n_tried - 1;

    for (size_t i = 0; i < n; i++) {
        const struct tune_candidate *candidate = &tune->candidates[i + 1];

        ranked[i] = (struct ranked){
            *candidate,
            {candidate->done, candidate->queue_bytes, candidate->paused_s},
            0};
        if (!candidate->is_forecast) {
            ranked[i].figures[0] = (double)i;
            ranked[i].rank = 1;
        }
    }
    rank(ranked, n);
    qsort(ranked, n, sizeof *ranked, by_rank);
    spread(tune, ranked, n, n_wanted < n ? n_wanted : n);
}

/* Stage 2 ------------------------------------------------------------------ */

/* Compares 'candidate' with 'present' on the loads that are unseen, or not. */
static void
compare(const struct tune *tune, const struct tune_candidate *present,
        const struct tune_candidate *candidate, bool is_unseen, double *p99,
        double *goodput, double *paused_s, double *more_drops)
{
    double log_sum = 0;
    size_t n = 0;

    *goodput = (double)INFINITY;
    *paused_s = *more_drops = 0;
    for (size_t i = 0; i < tune->n_loads; i++) {
        const struct tune_outcome *a = &present->outcomes[i];
        const struct tune_outcome *b = &candidate->outcomes[i];

        if (tune->loads[i].is_unseen == is_unseen) {
            log_sum += isinf(a->p99_s) && isinf(b->p99_s)
                           ? 0
                           : log(b->p99_s) - log(a->p99_s);
            *goodput =
                fmin(*goodput,
                     a->goodput_bps > 0 ? b->goodput_bps / a->goodput_bps : 1);
            *paused_s += b->paused_s;
            *more_drops = fmax(*more_drops, b->dropped - a->dropped);
            n++;
        }
    }
    *p99 = exp(log_sum / (double)n);
}

static int
by_p99(const void *a_, const void *b_)
{
    const struct tune_candidate *a = a_, *b = b_;

    if (a->is_equal != b->is_equal) {
        return a->is_equal ? -1 : 1;
    }
    if (a->p99_ratio != b->p99_ratio) {
        return a->p99_ratio < b->p99_ratio ? -1 : 1;
    }
    return (a->paused_sum_s > b->paused_sum_s) -
           (a->paused_sum_s < b->paused_sum_s);
}

void
tune_choice_judge(struct tune *tune)
{
    for (size_t i = 0; i < tune->n_tried; i++) {
        struct tune_candidate *candidate = &tune->candidates[i];
        double more_drops;

        compare(tune, &tune->candidates[0], candidate, false,
                &candidate->p99_ratio, &candidate->goodput_ratio,
                &candidate->paused_sum_s, &more_drops);
        candidate->is_equal =
            candidate->goodput_ratio >= EQUAL_GOODPUT && more_drops <= 0;
    }
    qsort(&tune->candidates[1], tune->n_tried - 1, sizeof *tune->candidates,
          by_p99);
    for (size_t i = 0; i < tune->n_tried; i++) {
        struct tune_candidate *a = &tune->candidates[i];
        const double of_a[] = {a->p99_ratio, -a->goodput_ratio,
                               a->paused_sum_s};

        a->is_on_front = true;
        for (size_t k = 0; k < tune->n_tried; k++) {
            const struct tune_candidate *b = &tune->candidates[k];
            const double of_b[] = {b->p99_ratio, -b->goodput_ratio,
                                   b->paused_sum_s};

            a->is_on_front &= !beats(of_b, of_a, 3);
        }
    }
}

/* Stage 3 ------------------------------------------------------------------ */

void
tune_choice_confirm(struct tune *tune, size_t n)
{
    tune->chosen = 0;
    tune->candidates[0].unseen_p99_ratio = 1;
    tune->candidates[0].unseen_goodput_ratio = 1;
    for (size_t i = n; i > 0; i--) {
        struct tune_candidate *candidate = &tune->candidates[i];
        double paused_s, more_drops;

        compare(tune, &tune->candidates[0], candidate, true,
                &candidate->unseen_p99_ratio, &candidate->unseen_goodput_ratio,
                &paused_s, &more_drops);
        if (candidate->is_equal && candidate->p99_ratio < 1 &&
            candidate->unseen_p99_ratio < 1 &&
            candidate->unseen_goodput_ratio >= EQUAL_GOODPUT &&
            more_drops <= 0) {
            tune->chosen = i;
        }
    }
}
