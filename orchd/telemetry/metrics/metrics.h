/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_METRICS_METRICS_H
#define ORCHD_TELEMETRY_METRICS_METRICS_H

/* What orchd tells Prometheus: docs/reference/counters.md lists it.
 *
 * Everything is taken from memory: counters as they were read last, because the
 * switch is polled as CONFIG_DB says and not by whoever scrapes.  Series of
 * queues, priority groups and PFC priorities appear when they are not 0 for the
 * first time, or a switch of 512 ports would have a hundred thousand of them,
 * nearly all of them 0. */

#include <stdint.h>

#include "orchd/telemetry/metrics/durations.h"

struct agent;
struct meter;
struct publisher;
struct redis;
struct text;

/* Whom to ask; all is borrowed for the call. */
struct metrics_sources {
    struct agent *agent;
    const struct publisher *publisher;
    const struct redis *redis;
    const struct meter *meter; /* NULL while there is no switch. */
    const struct durations *plans;
    int64_t started; /* Time of day of the daemon's start, ns since 1970. */
};

/* Appends everything to 'text'. */
void metrics_print(struct text *text, const struct metrics_sources *sources);

/* Parts of it, internal to metrics/: what is counted on the switch. */
void metrics_print_counters(struct text *text,
                            const struct metrics_sources *sources);
void metrics_print_pauses(struct text *text,
                          const struct metrics_sources *sources);

#endif /* orchd/telemetry/metrics/metrics.h */
