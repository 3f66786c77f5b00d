/* SPDX-License-Identifier: Apache-2.0 */

/* Counts durations, and prints them in seconds. */

#include <config.h>

#include "orchd/telemetry/metrics/durations.h"

#include "orchd/telemetry/metrics/exposition.h"

#define NS_PER_S 1e9

void
durations_add(struct durations *durations, int64_t ns)
{
    for (int i = 0; i < METER_BOUNDS; i++) {
        durations->within[i] += ns <= METER_BOUND_NS(i);
    }
    durations->count++;
    durations->sum_ns += ns;
}

void
durations_print(struct text *text, const char *name, const struct label *labels,
                size_t n, const struct durations *durations)
{
    double bounds[METER_BOUNDS];
    const struct exposition_histogram histogram = {
        bounds, durations->within, METER_BOUNDS, durations->count,
        (double)durations->sum_ns / NS_PER_S};

    for (int i = 0; i < METER_BOUNDS; i++) {
        bounds[i] = (double)METER_BOUND_NS(i) / NS_PER_S;
    }
    exposition_histogram(text, name, labels, n, &histogram);
}
