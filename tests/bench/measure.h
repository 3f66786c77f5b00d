/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_MEASURE_H
#define ORCHD_TESTS_BENCH_MEASURE_H

/* What benchmarks measure with.
 *
 * A machine that does other things as well makes everything slower, by turns.
 * So subjects that are to be compared take turns too, each for some
 * milliseconds, and the result is the median of the ratios of turns that
 * followed each other. */

#include <stddef.h>
#include <stdint.h>

/* Returns the time that this process has been running, in nanoseconds. */
double measure_cpu_ns(void);

/* Sorts the 'n' (not 0) 'values'.  Returns their median. */
double measure_median(double *values, size_t n);

/* Returns the median of as[i] / bs[i]; 'n' is at most 64. */
double measure_median_ratio(const double *as, const double *bs, size_t n);

/* Returns the bytes of this process that are in memory, 0 if the system does
 * not tell. */
uint64_t measure_resident_bytes(void);

#endif /* tests/bench/measure.h */
