/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_METRICS_EXPOSITION_H
#define ORCHD_TELEMETRY_METRICS_EXPOSITION_H

/* Numbers in the text format that Prometheus reads (exposition format 0.0.4).
 *
 * A family is a name with a type and a help text, followed immediately by its
 * samples, which differ in their labels.
 *
 * Pure. */

#include <stddef.h>
#include <stdint.h>

struct text;

enum exposition_type {
    EXPOSITION_COUNTER, /* Names of counters end in "_total". */
    EXPOSITION_GAUGE,
    EXPOSITION_HISTOGRAM,
};

struct label {
    const char *name;
    const char *value; /* Bytes other than printable ASCII become '?'. */
};

/* Begins a family; 'help' is one line. */
void exposition_family(struct text *text, const char *name,
                       enum exposition_type type, const char *help);

/* Adds a sample with 'n' labels. */
void exposition_count(struct text *text, const char *name,
                      const struct label *labels, size_t n, uint64_t value);
void exposition_number(struct text *text, const char *name,
                       const struct label *labels, size_t n, double value);

/* A histogram: how many values are at most each bound, how many values there
 * are, and their sum. */
struct exposition_histogram {
    const double *bounds; /* Rising. */
    const uint64_t *within;
    size_t n_bounds;
    uint64_t count;
    double sum;
};

/* Adds all samples of one histogram; at most 7 labels. */
void exposition_histogram(struct text *text, const char *name,
                          const struct label *labels, size_t n,
                          const struct exposition_histogram *histogram);

#endif /* orchd/telemetry/metrics/exposition.h */
