/* SPDX-License-Identifier: Apache-2.0 */

/* A token bucket, stored as the time at which it is full. */

#include <config.h>

#include "twin/qos/shaper.h"

#define PS_PER_SECOND UINT64_C(1000000000000)

/* A frame costs at most 2^17 * 10^12 plus a remainder below the rate, which
 * must fit in 63 bits. */
#define MAX_RATE UINT64_C(1000000000000000000)

/* Times are limited to this (over a month), so that their sums fit. */
#define MAX_WAIT_PS (INT64_MAX / 4)

__extension__ typedef unsigned __int128 wide;

/* Returns the time that 'amount' takes, rounded down. */
static int64_t
duration_ps(const struct shaper *shaper, uint64_t amount)
{
    const wide ps = (wide)amount * PS_PER_SECOND / shaper->rate;

    return ps < (wide)MAX_WAIT_PS ? (int64_t)ps : MAX_WAIT_PS;
}

/* The bucket is empty now. */
static void
empty(struct shaper *shaper, int64_t now_ps)
{
    shaper->full_ps = now_ps + shaper->fill_ps;
    shaper->remainder = 0;
}

/* Returns the capacity of a bucket for bursts of 'burst'. */
static uint64_t
capacity_of(uint64_t burst, bool by_packets)
{
    const uint64_t grain = by_packets ? 1 : SHAPER_GRAIN_BYTES;

    if (burst == 0) {
        return by_packets ? SHAPER_DEFAULT_BURST_PACKETS
                          : SHAPER_DEFAULT_BURST_BYTES;
    }
    return burst > grain ? burst : grain;
}

void
shaper_set(struct shaper *shaper, uint64_t rate, uint64_t burst,
           bool by_packets, int64_t now_ps)
{
    rate = rate < MAX_RATE ? rate : MAX_RATE;
    if (rate == shaper->rate && burst == shaper->burst &&
        by_packets == shaper->by_packets) {
        return;
    }
    *shaper = (struct shaper){.rate = rate,
                              .burst = burst,
                              .capacity = capacity_of(burst, by_packets),
                              .by_packets = by_packets};
    if (rate) {
        shaper->fill_ps = duration_ps(shaper, shaper->capacity);
        shaper->slack_ps = duration_ps(
            shaper, shaper->capacity - (by_packets ? 1 : SHAPER_GRAIN_BYTES));
        empty(shaper, now_ps);
    }
}

int64_t
shaper_ready_ps(const struct shaper *shaper)
{
    if (!shaper->rate) {
        return INT64_MIN;
    }
    /* Rounded up: not before the tokens are there. */
    return shaper->full_ps - shaper->slack_ps + (shaper->remainder != 0);
}

void
shaper_charge(struct shaper *shaper, uint32_t length_bytes, int64_t now_ps)
{
    uint64_t cost;

    if (!shaper->rate) {
        return;
    }
    /* A frame that starts in the first allowed picosecond is not late, although
     * the bucket was full a fraction earlier. */
    if (shaper->full_ps + (shaper->remainder != 0) < now_ps) {
        shaper->full_ps = now_ps;
        shaper->remainder = 0;
    }
    cost = PS_PER_SECOND * (shaper->by_packets ? 1 : length_bytes) +
           shaper->remainder;
    shaper->full_ps += (int64_t)(cost / shaper->rate);
    shaper->remainder = cost % shaper->rate;
}

void
shaper_drain(struct shaper *shaper, uint32_t length_bytes, int64_t now_ps)
{
    shaper_charge(shaper, length_bytes, now_ps);
    if (shaper->rate && shaper->full_ps - now_ps > shaper->fill_ps) {
        empty(shaper, now_ps);
    }
}
