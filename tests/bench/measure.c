/* SPDX-License-Identifier: Apache-2.0 */

/* Time, memory and medians. */

#include <config.h>

#include "tests/bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"

enum { MAX_VALUES = 64 };

double
measure_cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

double
measure_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
    return values[n / 2];
}

double
measure_median_ratio(const double *as, const double *bs, size_t n)
{
    double ratios[MAX_VALUES];

    orch_assert(n > 0 && n <= MAX_VALUES);
    for (size_t i = 0; i < n; i++) {
        ratios[i] = as[i] / bs[i];
    }
    return measure_median(ratios, n);
}

uint64_t
measure_resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long long total;
    unsigned long long resident = 0;

    if (file) {
        if (fscanf(file, "%llu %llu", &total, &resident) != 2) {
            resident = 0;
        }
        fclose(file);
    }
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
