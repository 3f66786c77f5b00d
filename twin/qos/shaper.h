/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_SHAPER_H
#define ORCHD_TWIN_QOS_SHAPER_H

/* A token bucket whose arithmetic is exact.
 *
 * Problem: a queue, a group of queues or a port is to send at most (or at
 * least) R bytes or packets per second, and however long it runs the rate must
 * be R to the byte.
 *
 * Idea: a bucket holds up to B bytes and fills at R.  Instead of its level we
 * keep the instant at which it will be full (the generic cell rate algorithm's
 * "theoretical arrival time"): sending n bytes puts that off by n / R seconds.
 * n / R is in general no whole number of picoseconds; what is left of the
 * division is carried, so nothing is ever lost to rounding.
 *
 * What may be sent: a frame may start when the bucket holds the smallest one
 * (SHAPER_GRAIN_BYTES, or one packet), and may leave the bucket in debt by the
 * rest of itself.  So nobody has to know how long the next frame is, which in a
 * tree of queues is not known before it is chosen.  In any interval t at most
 * R t + B + one frame are sent; a queue that always has something sends frame
 * after frame at exactly length / R distance.  A bucket always has room for one
 * grain, whatever burst was asked for.
 *
 * A bucket starts empty.  A rate of 1 byte per second, by which testers block a
 * port, therefore lets nothing through for 64 seconds, and a frame per its
 * length in seconds from then on.  A rate of 0 means that there is no limit, or
 * no guarantee.
 *
 * Reference: ITU-T I.371 annex A (virtual scheduling algorithm); RFC 2697. */

#include <stdbool.h>
#include <stdint.h>

enum {
    SHAPER_GRAIN_BYTES = 64,
    SHAPER_DEFAULT_BURST_BYTES = 16384,
    SHAPER_DEFAULT_BURST_PACKETS = 16,
    SHAPER_MAX_FRAME_BYTES = 1 << 17, /* That can be charged at once. */
};

/* Zeroed, it has no limit.  The members are the shaper's. */
struct shaper {
    uint64_t rate;     /* Per second; 0: off. */
    uint64_t capacity; /* B, in the same unit. */
    bool by_packets;
    uint64_t burst;     /* As it was asked for. */
    int64_t fill_ps;    /* From empty to full. */
    int64_t slack_ps;   /* From one grain to full. */
    int64_t full_ps;    /* When the bucket is full. */
    uint64_t remainder; /* Of 'full_ps', in 1/rate ps. */
};

/* Makes 'shaper' one of 'rate' bytes (or packets, 'by_packets') per second with
 * bursts of 'burst'.  Equal values as before change nothing; others start with
 * an empty bucket at 'now_ps'. */
void shaper_set(struct shaper *shaper, uint64_t rate, uint64_t burst,
                bool by_packets, int64_t now_ps);

/* Returns whether there is a rate at all. */
static inline bool
shaper_is_on(const struct shaper *shaper)
{
    return shaper->rate != 0;
}

/* Returns from when on a frame may start; in the past, or INT64_MIN without a
 * rate: now. */
int64_t shaper_ready_ps(const struct shaper *shaper);

/* Takes a frame of 'length_bytes' out, which started at 'now_ps', whether it
 * was allowed or not. */
void shaper_charge(struct shaper *shaper, uint32_t length_bytes,
                   int64_t now_ps);

/* Like shaper_charge(), but the bucket does not become emptier than empty: for
 * a guarantee, which may be exceeded without regret. */
void shaper_drain(struct shaper *shaper, uint32_t length_bytes, int64_t now_ps);

#endif /* twin/qos/shaper.h */
