/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_WRED_H
#define ORCHD_TWIN_QOS_WRED_H

/* Weighted random early detection, dropping and marking.
 *
 * Problem: senders should be notified of a growing queue before it is full.
 * RED drops or marks a packet with a probability that depends on the length of
 * the queue; *weighted* RED has one curve per color.
 *
 * The curve, over the length L in bytes of the queue without the packet itself:
 *
 *   100 % |                  .-------     0             L <= min
 *         |                  |            P (L-min)/(max-min)  up to max
 *     P % |               _/ |            1             L > max
 *         |           _/     |
 *     0 % |________/_________|________    'gentle': from P at max to 1 at
 *                min        max           2 max instead of the step.
 *
 * A min of WRED_NEVER is never exceeded.  With min = max the curve is the step
 * of DCTCP.
 *
 * Average.  L is the moving average of the queue lengths that packets find:
 * with weight n each packet moves it by 2^-n of the difference.  With n = 0 it
 * is the length itself.  The time that a queue is idle does not count, as in
 * most hardware.
 *
 * Verdict.  A packet is of an ECN-capable transport (ECT, or already CE) or
 * not.  For ECT packets of a color with 'marks' the marking curve applies: WRED
 * never drops them, but marks them CE with that probability.  For all others
 * the dropping curve applies if 'drops' is set.
 *
 * Arithmetic is in integers.  The caller owns the stream of random numbers, so
 * runs are repeatable.  A random number is drawn only if the
 * probability is neither 0 nor 1.  A verdict costs two wide multiplications and
 * no division.
 *
 * The caller decides whether a packet is judged when it is queued or when it
 * leaves, and maintains the counters.
 *
 * Reference: Floyd and Jacobson, "Random early detection gateways for
 * congestion avoidance" (1993); RFC 3168; Alizadeh et al., "Data center TCP"
 * (2010). */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/random_stream.h"

enum { WRED_COLORS = 3, WRED_MAX_WEIGHT = 15 };

/* A threshold beyond any queue. */
#define WRED_NEVER (UINT64_C(1) << 48)

struct wred_curve {
    uint64_t min_bytes; /* At most WRED_NEVER, as is 'max_bytes'. */
    uint64_t max_bytes; /* If less than min_bytes, min_bytes counts. */
    uint32_t percent;   /* P, 0..100. */
};

struct wred_color {
    bool drops;
    bool marks;
    struct wred_curve drop;
    struct wred_curve mark;
};

/* Where a profile gets its random words from, instead of the stream of the
 * queue: only to compare results with a simulator that draws others. */
struct wred_chance {
    uint32_t (*draw)(void *context);
    void *context;
};

/* A profile, shared read-only by queues; its owner fills it, and then may call
 * wred_prepare(), again after each change. */
struct wred_profile {
    struct wred_color colors[WRED_COLORS];
    uint8_t weight; /* 0..WRED_MAX_WEIGHT */
    bool gentle;
    uint64_t quiet_bytes; /* All packets pass up to this length, which
                           * wred_prepare() sets; else 0. */
    const struct wred_chance *chance; /* NULL: the stream. */
};

/* Prepares 'profile' so that short queues cost one comparison.  It makes no
 * other difference. */
void wred_prepare(struct wred_profile *profile);

/* State of a queue; zero-initialised. */
struct wred_queue {
    uint64_t average; /* Bytes, times 2^WRED_MAX_WEIGHT. */
};

enum wred_verdict { WRED_PASS, WRED_MARK, WRED_DROP };

/* Returns whether 'curve' of 'profile' selects a packet that found 'length',
 * which is above the minimum of the curve. */
bool wred_falls__(const struct wred_profile *profile,
                  const struct wred_curve *curve, uint64_t length,
                  struct random_stream *random);

/* Updates the average of 'queue' for a packet that found 'length_bytes' in it.
 * Returns the average in bytes, to judge the packet by. */
static inline uint64_t
wred_average(struct wred_queue *queue, const struct wred_profile *profile,
             uint64_t length_bytes)
{
    const uint64_t length = length_bytes << WRED_MAX_WEIGHT;
    uint64_t sign;
    uint64_t distance;
    uint64_t step;

    if (profile->weight == 0) { /* Does not wait for the previous average. */
        queue->average = length;
        return length_bytes;
    }
    /* All bits set if the average is to fall.  Right shifts of negative numbers
     * are not portable C, and whether a queue grows is unpredictable. */
    sign = -(uint64_t)(length < queue->average);
    distance = ((length - queue->average) ^ sign) - sign;
    step = distance >> profile->weight;
    queue->average += (step ^ sign) - sign;
    return queue->average >> WRED_MAX_WEIGHT;
}

/* Judges a packet of 'color' (below WRED_COLORS) when the average is
 * 'average_bytes'. */
static inline enum wred_verdict
wred_judge(const struct wred_profile *profile, unsigned int color, bool is_ect,
           uint64_t average_bytes, struct random_stream *random)
{
    const struct wred_color *rule = &profile->colors[color];
    const bool marks = is_ect && rule->marks;
    const struct wred_curve *curve = marks ? &rule->mark : &rule->drop;

    if (average_bytes <= profile->quiet_bytes) {
        return WRED_PASS;
    }
    if ((!marks && !rule->drops) || average_bytes <= curve->min_bytes ||
        !wred_falls__(profile, curve, average_bytes, random)) {
        return WRED_PASS;
    }
    return marks ? WRED_MARK : WRED_DROP;
}

#endif /* twin/qos/wred.h */
