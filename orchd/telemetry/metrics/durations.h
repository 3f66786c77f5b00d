/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_METRICS_DURATIONS_H
#define ORCHD_TELEMETRY_METRICS_DURATIONS_H

/* A histogram of durations.
 *
 * The bounds are those of the latencies of SAI (sai/stack/meter.h), powers of
 * eight from a microsecond to a third of a second, so that the two can be
 * compared. Pure. */

#include <stddef.h>
#include <stdint.h>

#include "sai/stack/meter.h"

struct label;
struct text;

struct durations {
    uint64_t within[METER_BOUNDS]; /* Not above METER_BOUND_NS(i). */
    uint64_t count;
    int64_t sum_ns;
};

/* Adds one duration. */
void durations_add(struct durations *durations, int64_t ns);

/* Adds the samples of histogram 'name', in seconds, to 'text'. */
void durations_print(struct text *text, const char *name,
                     const struct label *labels, size_t n,
                     const struct durations *durations);

#endif /* orchd/telemetry/metrics/durations.h */
