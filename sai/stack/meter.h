/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_METER_H
#define ORCHD_SAI_STACK_METER_H

/* Counts calls and failures, and measures latencies.
 *
 * The meter wraps a backend and counts per operation and object type. Latencies
 * go into a histogram with four buckets per octave, so a percentile is at most
 * a quarter too high and never too low; the maximum is exact.  BUFFER_OVERFLOW
 * does not count as a failure, because callers use it to get the length of a
 * list.
 *
 * Cost per call: two reads of the clock and a few additions. */

#include <stdint.h>

#include "sai/core/backend.h"
#include "sai/core/op.h"

struct meter;

/* Reads a monotonic clock, in nanoseconds. */
typedef int64_t meter_clock_fn(void *context);

/* Bounds for a coarser histogram: 1, 8, 66, 524 us, 4.2, 34, 268 ms. */
#define METER_BOUNDS      7
#define METER_BOUND_NS(i) (INT64_C(1) << (10 + 3 * (i)))

/* The counts of one operation on one object type. */
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

/* Returns a meter around 'inner', which is borrowed.  Destroy it with
 * meter_destroy(). */
struct meter *meter_create(struct sai_backend *inner, meter_clock_fn *clock,
                           void *context);

/* Frees 'meter'.  Accepts NULL. */
void meter_destroy(struct meter *meter);

/* Returns the meter as a backend.  Borrowed; valid until meter_destroy(). */
struct sai_backend *meter_backend(struct meter *meter);

/* Calls 'fn' for each operation and type with at least one call, ordered by
 * type and then by operation. */
void meter_each(const struct meter *meter,
                void (*fn)(void *context, const struct meter_line *line),
                void *context);

/* Clears all counts. */
void meter_clear(struct meter *meter);

#endif /* sai/stack/meter.h */
