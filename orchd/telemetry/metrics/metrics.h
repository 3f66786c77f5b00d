/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_METRICS_METRICS_H
#define ORCHD_TELEMETRY_METRICS_METRICS_H

/* The metrics for Prometheus, which docs/reference/counters.md lists.
 *
 * All values come from memory: counters are those of the last poll, because
 * CONFIG_DB, not the scraper, decides when the switch is polled.  A series of a
 * queue, priority group or PFC priority exists from its first value other than
 * 0 on; else a switch of 512 ports would have a hundred thousand series, nearly
 * all of them 0. */

#include <stdint.h>

#include "orchd/telemetry/metrics/durations.h"

struct agent;
struct meter;
struct publisher;
struct redis;
struct text;

/* Where the values come from; borrowed for the call. */
struct metrics_sources {
    struct agent *agent;
    const struct publisher *publisher;
    const struct redis *redis;
    const struct meter *meter; /* NULL while there is no switch. */
    const struct durations *plans;
    int64_t started; /* Time of day of the daemon's start, ns since 1970. */
};

/* Appends all metrics to 'text'. */
void metrics_print(struct text *text, const struct metrics_sources *sources);

/* Append the counters and the pauses of the switch; internal to metrics/. */
void metrics_print_counters(struct text *text,
                            const struct metrics_sources *sources);
void metrics_print_pauses(struct text *text,
                          const struct metrics_sources *sources);

#endif /* orchd/telemetry/metrics/metrics.h */
