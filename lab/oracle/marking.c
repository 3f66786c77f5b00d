/* SPDX-License-Identifier: Apache-2.0 */

/* When a growing queue marks its first packet. */

#include <config.h>

#include "lab/oracle/marking.h"

#include <math.h>

/* Below this nothing is left to expect. */
#define NEVER 1e-12

/* How likely no mark may be. */
#define UNLIKELY 1e-3

/* The queue while it grows. */
struct growth {
    const struct marking_queue *queue;
    uint64_t n;         /* Frames in it. */
    int64_t free_ps;    /* When the link is free. */
    double unmarked;    /* Probability of no mark so far. */
    double expected_ps; /* Of the marks so far. */
};

static double
probability_of(const struct marking_queue *queue, uint64_t bytes)
{
    if (bytes <= queue->kmin_bytes) {
        return 0;
    }
    if (bytes > queue->kmax_bytes) {
        return 1;
    }
    return queue->pmax * (double)(bytes - queue->kmin_bytes) /
           (double)(queue->kmax_bytes - queue->kmin_bytes);
}

/* Judges a frame at 'now_ps' by the present length. */
static void
judge(struct growth *growth, int64_t now_ps)
{
    const double p =
        probability_of(growth->queue, growth->n * growth->queue->frame_bytes);

    growth->expected_ps += growth->unmarked * p * (double)now_ps;
    growth->unmarked *= 1 - p;
}

/* Takes a frame out at 'now_ps'. */
static void
depart(struct growth *growth, int64_t now_ps)
{
    growth->n--;
    growth->free_ps = now_ps + growth->queue->out_ps;
    if (growth->queue->at_departure) {
        judge(growth, now_ps);
    }
}

static void
arrive(struct growth *growth, int64_t now_ps)
{
    if (!growth->queue->at_departure) {
        judge(growth, now_ps);
    }
    growth->n++;
    if (growth->free_ps <= now_ps) {
        depart(growth, now_ps);
    }
}

double
marking_first_ps(const struct marking_queue *queue)
{
    struct growth growth = {
        .queue = queue, .free_ps = queue->first_ps, .unmarked = 1};
    int64_t now_ps = queue->first_ps;

    if ((double)queue->n * (double)queue->out_ps <= (double)queue->in_ps) {
        return INFINITY;
    }
    while (growth.unmarked > NEVER && (double)now_ps < queue->until_ps) {
        while (growth.n > 0 && growth.free_ps <= now_ps) {
            depart(&growth, growth.free_ps);
        }
        for (uint32_t i = 0; i < queue->n; i++) {
            arrive(&growth, now_ps);
        }
        now_ps += queue->in_ps;
    }
    return growth.unmarked > UNLIKELY
               ? INFINITY
               : growth.expected_ps / (1 - growth.unmarked);
}
