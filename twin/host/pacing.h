/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_PACING_H
#define ORCHD_TWIN_HOST_PACING_H

/* When the frames of a flow become due.
 *
 * A pace is a non-decreasing sequence of times in picoseconds.  It is
 * independent of the wire: a frame that is due but cannot be sent yet waits,
 * and does not delay the times of later frames.
 *
 * Precision.  An interval is a fraction of picoseconds (a frame of 1,518 bytes
 * at 3 Gb/s takes 4,048,000.00 ps, one of 64 bytes 170,666.67).  Each time is
 * computed exactly and rounded down once: frame k of a constant pace is due at
 * start + floor(k * interval), so the times never drift.
 *
 * Kinds:
 *   constant  one frame per interval;
 *   burst     'n' frames at once, then the same after each 'period_ps';
 *   on-off    for 'on_ps' a frame per interval, then nothing for 'off_ps'; each
 *             on period begins with a frame;
 *   Poisson   exponentially distributed intervals with the interval as mean,
 *             rounded down;
 *   list      the times of a list, relative to the start.
 * With an interval of 0 all frames are due at the start: the flow then sends at
 * the speed of the wire.  For an incast, give several hosts the same start. */

#include <stdint.h>

#include "base/random.h"
#include "base/status.h"
#include "twin/event/event.h"

/* An interval of 'ps' / 'per' picoseconds. */
struct pacing_interval {
    uint64_t ps;  /* At most 2^62. */
    uint64_t per; /* Not 0; at most 2^62. */
};

enum pacing_kind {
    PACING_CONSTANT,
    PACING_BURST,
    PACING_ON_OFF,
    PACING_POISSON,
    PACING_LIST,
};

struct pacing_config {
    enum pacing_kind kind;
    int64_t start_ps;  /* 0..2^62, which is 53 days. */
    uint64_t n_frames; /* 0: without end.  Of a list: its length. */

    struct pacing_interval interval; /* Not used by bursts and lists. */
    uint64_t n;                      /* Frames per burst; not 0. */
    int64_t period_ps;               /* Of bursts; not 0. */
    int64_t on_ps;                   /* Not 0. */
    int64_t off_ps;
    uint64_t seed; /* Of a Poisson pace. */

    /* Of a list.  Not negative, non-decreasing; borrowed. */
    const int64_t *times_ps;
};

/* The members are private. */
struct pacing {
    struct pacing_config config;
    struct random random;
    int64_t due_ps; /* Of the next frame; EVENT_NEVER: there is none. */
    uint64_t given; /* Frames before that one. */
    uint64_t rest;  /* The fraction of a picosecond, in units of 1 / per. */
    uint64_t left;  /* Frames left of the burst. */
    int64_t on_until_ps;
};

/* Returns the interval at which frames of 'length_bytes' give a rate of
 * 'bits_per_s' (not 0).  With 'on_wire' FCS, preamble and gap count (24 bytes
 * per frame), else only the frames, without FCS. */
struct pacing_interval pacing_of_bits(uint64_t bits_per_s,
                                      uint32_t length_bytes, bool on_wire);

/* Returns the interval of 'frames_per_s' (not 0). */
struct pacing_interval pacing_of_frames(uint64_t frames_per_s);

/* Initialises '*pace', which has given no frame yet.  ST_INVALID if a member of
 * 'config' is out of the range given above. */
enum st pacing_init(struct pacing *pace,
                    const struct pacing_config *config) ST_WARN_UNUSED;

/* Returns when the next frame is due, EVENT_NEVER if there is none. */
int64_t pacing_due_ps(const struct pacing *pace);

/* Advances to the frame after that. */
void pacing_advance(struct pacing *pace);

/* Ends 'pace': no further frame becomes due. */
void pacing_end(struct pacing *pace);

#endif /* twin/host/pacing.h */
