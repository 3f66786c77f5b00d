/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_METER_H
#define ORCHD_SAI_STACK_METER_H

/* How many calls of which kind, how many failed, and how long they took.
 *
 * A backend that wraps another and counts per operation and object type.
 * Latencies go into a histogram of four buckets per octave, so a percentile is
 * at most a quarter too high and never too low; the maximum is exact.
 * BUFFER_OVERFLOW is an answer and not a failure: that is how the length of a
 * list is asked for.
 *
 * Cost per call: two readings of the clock and a few additions. */

#include <stdint.h>

#include "sai/core/backend.h"
#include "sai/core/op.h"

struct meter;

/* Reads a clock that never goes back, in nanoseconds. */
typedef int64_t meter_clock_fn(void *context);

/* Bounds for a coarser histogram: 1, 8, 66, 524 us, 4.2, 34, 268 ms. */
#define METER_BOUNDS      7
#define METER_BOUND_NS(i) (INT64_C(1) << (10 + 3 * (i)))

/* What there is to tell of one operation on one object type. */
struct meter_line {
    enum op op;
    sai_object_type_t type;
    uint64_t n_calls;
    uint64_t n_failures;
    int64_t total_ns;
    int64_t p50_ns, p99_ns; /* Rounded up to the end of a bucket. */
    int64_t max_ns;
    uint64_t within[METER_BOUNDS]; /* Calls below METER_BOUND_NS(i). */
};

/* Returns a meter around 'inner', which is borrowed.  End with
 * meter_destroy(). */
struct meter *meter_create(struct sai_backend *inner, meter_clock_fn *clock,
                           void *context);

/* Frees 'meter'.  Accepts NULL. */
void meter_destroy(struct meter *meter);

/* The meter as a backend.  Borrowed; lives as long as the meter. */
struct sai_backend *meter_backend(struct meter *meter);

/* Calls 'fn' for each operation and type that was called at least once, by type
 * and then by operation. */
void meter_each(const struct meter *meter,
                void (*fn)(void *context, const struct meter_line *line),
                void *context);

/* Starts to count anew. */
void meter_clear(struct meter *meter);

#endif /* sai/stack/meter.h */
