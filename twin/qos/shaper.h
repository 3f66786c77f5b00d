/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_SHAPER_H
#define ORCHD_TWIN_QOS_SHAPER_H

/* A token bucket with exact arithmetic.
 *
 * Problem: a queue, a group of queues or a port should send at most (or at
 * least) R bytes or packets per second, and the rate must be R to the byte over
 * any length of time.
 *
 * Idea: a bucket holds up to B bytes and fills at R.  Instead of its level we
 * store the time at which it will be full (the "theoretical arrival time" of
 * the generic cell rate algorithm): sending n bytes moves that time by n / R
 * seconds.  The remainder of the division is carried, so no fraction of a
 * picosecond is lost.
 *
 * A frame may start when the bucket holds one grain (SHAPER_GRAIN_BYTES, the
 * smallest frame, or one packet), and may leave the bucket in debt for the rest
 * of it.  So the shaper need not know the length of the next frame, which in a
 * tree of queues is not known before the choice.  In any interval t at most R t
 * + B + one frame are sent; a queue that always has frames sends them at a
 * distance of exactly length / R.  A bucket always has room for one grain, even
 * if the configured burst is smaller.
 *
 * A bucket starts empty.  So a rate of 1 byte per second, which testers use to
 * block a port, sends nothing for 64 seconds, and from then on a frame per its
 * length in seconds.  A rate of 0 means that there is no limit, or no
 * guarantee.
 *
 * Reference: ITU-T I.371 annex A (virtual scheduling algorithm); RFC 2697. */

#include <stdbool.h>
#include <stdint.h>

enum {
    SHAPER_GRAIN_BYTES = 64,
    SHAPER_DEFAULT_BURST_BYTES = 16384,
    SHAPER_DEFAULT_BURST_PACKETS = 16,
    SHAPER_MAX_FRAME_BYTES = 1 << 17, /* The most that can be charged at
                                       * once. */
};

/* Zero-initialised it has no limit.  The members are private. */
struct shaper {
    uint64_t rate;     /* Per second; 0: off. */
    uint64_t capacity; /* B, in the same unit. */
    bool by_packets;
    uint64_t burst;     /* As configured. */
    int64_t fill_ps;    /* From empty to full. */
    int64_t slack_ps;   /* From one grain to full. */
    int64_t full_ps;    /* When the bucket is full. */
    uint64_t remainder; /* Of 'full_ps', in 1/rate ps. */
};

/* Sets the rate of 'shaper' to 'rate' bytes (or packets, 'by_packets') per
 * second with bursts of 'burst'.  If the values are the same as before nothing
 * changes, else it starts with an empty bucket at 'now_ps'. */
void shaper_set(struct shaper *shaper, uint64_t rate, uint64_t burst,
                bool by_packets, int64_t now_ps);

/* Returns whether the shaper has a rate. */
static inline bool
shaper_is_on(const struct shaper *shaper)
{
    return shaper->rate != 0;
}

/* Returns the earliest time at which a frame may start, which may be in the
 * past; INT64_MIN without a rate. */
int64_t shaper_ready_ps(const struct shaper *shaper);

/* Charges a frame of 'length_bytes' that started at 'now_ps', even if it was
 * not allowed. */
void shaper_charge(struct shaper *shaper, uint32_t length_bytes,
                   int64_t now_ps);

/* Like shaper_charge(), but without debt: for a guarantee, which may be
 * exceeded without a penalty. */
void shaper_drain(struct shaper *shaper, uint32_t length_bytes, int64_t now_ps);

#endif /* twin/qos/shaper.h */
