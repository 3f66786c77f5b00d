/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NET_PACE_H
#define ORCHD_TWIN_NET_PACE_H

/* When the frames of a flow become due.
 *
 * A pace is a sequence of times in picoseconds that never goes back.  It knows
 * no wire: what is due and cannot leave yet waits, and does not delay what is
 * due later.
 *
 * Precision.  An interval is a fraction of picoseconds (a frame of 1,518 bytes
 * at 3 Gb/s takes 4,048,000.00 ps, one of 64 bytes 170,666.67).  The times are
 * those of the fractions, each rounded down once: frame k of a constant pace is
 * due at start + floor(k * interval), so nothing drifts, however long it runs.
 *
 * Kinds:
 *   constant  one frame per interval;
 *   burst     'n' frames at once, then the same after each 'period_ps';
 *   on-off    for 'on_ps' a frame per interval, then nothing for 'off_ps'; each
 *             on begins with a frame;
 *   Poisson   intervals of an exponential distribution with the interval as
 *             mean, rounded down;
 *   list      the times of a list, counted from the start.
 * An interval of 0 makes all frames due at the start: the flow then takes what
 * the wire gives it.  For an incast several stations have one start. */

#include <stdint.h>

#include "base/random.h"
#include "base/status.h"
#include "twin/event/event_queue.h"

/* An interval of 'ps' / 'per' picoseconds. */
struct pace_interval {
    uint64_t ps;  /* At most 2^62. */
    uint64_t per; /* Not 0; at most 2^62. */
};

enum pace_kind {
    PACE_CONSTANT,
    PACE_BURST,
    PACE_ON_OFF,
    PACE_POISSON,
    PACE_LIST,
};

struct pace_config {
    enum pace_kind kind;
    int64_t start_ps;  /* 0..2^62, which is 53 days. */
    uint64_t n_frames; /* 0: without end.  Of a list its length. */

    struct pace_interval interval; /* Not of bursts and lists. */
    uint64_t n;                    /* Of a burst; not 0. */
    int64_t period_ps;             /* Of bursts; not 0. */
    int64_t on_ps;                 /* Not 0. */
    int64_t off_ps;
    uint64_t seed; /* Of Poisson. */

    /* Of a list.  Not negative, never going back; borrowed. */
    const int64_t *times_ps;
};

/* The members are private. */
struct pace {
    struct pace_config config;
    struct random random;
    int64_t due_ps; /* Of the next frame; EVENT_NEVER: there is none. */
    uint64_t given; /* Frames before that. */
    uint64_t rest;  /* Of a picosecond, in 1 / per. */
    uint64_t left;  /* Of the burst. */
    int64_t on_until_ps;
};

/* Returns the interval at which frames of 'length_bytes' carry 'bits_per_s'
 * (not 0): of all that is on the wire with preamble and gap ('on_wire', 24
 * bytes more), or of the frames alone, without FCS. */
struct pace_interval pace_of_bits(uint64_t bits_per_s, uint32_t length_bytes,
                                  bool on_wire);

/* Returns the interval of 'frames_per_s' (not 0). */
struct pace_interval pace_of_frames(uint64_t frames_per_s);

/* Makes '*pace' one that has given nothing yet.  ST_INVALID if the
 * configuration is not as said above. */
enum st pace_init(struct pace *pace,
                  const struct pace_config *config) ST_WARN_UNUSED;

/* Returns when the next frame is due, EVENT_NEVER if there is none. */
int64_t pace_due_ps(const struct pace *pace);

/* Goes on to the frame after that. */
void pace_advance(struct pace *pace);

/* Ends it: no further frame becomes due. */
void pace_end(struct pace *pace);

#endif /* twin/net/pace.h */
