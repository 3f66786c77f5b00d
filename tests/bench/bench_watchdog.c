/* SPDX-License-Identifier: Apache-2.0 */

/* How fast and how well storms are detected: 10,000 storms of random trials
 * (tests/support/storm_trial.h), and what a sample costs. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "tests/support/storm_model.h"
#include "tests/support/storm_trial.h"

enum { N_STORMS = 10000, N_QUEUES = 1024, N_ROUNDS = 2000 };

static int
compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void
print(const char *what, double value, const char *unit)
{
    printf("{\"bench\": \"watchdog\", \"params\": {\"figure\": \"%s\"}, "
           "\"value\": %.3f, "
           "\"unit\": \"%s\"}\n",
           what, value, unit);
}

/* Prints how late verdicts came after the earliest moment at which they would
 * have been right. */
static void
print_latencies(const char *what, int64_t *late_ns, size_t n)
{
    static const struct {
        const char *name;
        unsigned int per_mille;
    } points[] = {{"p0", 0}, {"p50", 500}, {"p99", 990}, {"p100", 1000}};

    qsort(late_ns, n, sizeof *late_ns, compare);
    for (size_t i = 0; n && i < sizeof points / sizeof *points; i++) {
        char name[64];

        snprintf(name, sizeof name, "%s late %s", what, points[i].name);
        print(name, (double)late_ns[(n - 1) * points[i].per_mille / 1000] / 1e6,
              "ms");
    }
}

static double
seconds(void)
{
    struct timespec time;

    orch_assert(!clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time));
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void
bench_storms(void)
{
    const size_t room = 4 * N_STORMS;
    int64_t *detections = check_calloc(room, sizeof *detections);
    int64_t *restorations = check_calloc(room, sizeof *restorations);
    size_t n_detections = 0, n_restorations = 0, n_storms = 0;
    struct storm_trial sum = {0};
    uint64_t seed = 0;

    for (; n_storms < N_STORMS; seed++) {
        struct storm_trial trial;

        storm_trial_run(&trial, 1000000 + seed);
        n_storms += trial.n_storms;
        sum.n_pauses += trial.n_pauses;
        sum.n_misses += trial.n_misses;
        sum.n_false += trial.n_false;
        sum.n_flaps += trial.n_flaps;
        sum.n_overdue += trial.n_overdue;
        for (size_t i = 0; i < trial.n_detections && n_detections < room; i++) {
            detections[n_detections++] = trial.detection_late_ns[i];
        }
        for (size_t i = 0; i < trial.n_restorations && n_restorations < room;
             i++) {
            restorations[n_restorations++] = trial.restoration_late_ns[i];
        }
    }
    print("storms", (double)n_storms, "storms");
    print("misses", sum.n_misses, "storms");
    print("false positives", sum.n_false, "storms");
    print("restored too early", sum.n_flaps, "storms");
    print("restored too late", sum.n_overdue, "storms");
    print_latencies("detection", detections, n_detections);
    print_latencies("restoration", restorations, n_restorations);
    free(detections);
    free(restorations);
}

/* A poll of 512 ports with two queues each, without reading counters. */
static void
bench_samples(void)
{
    struct detector *detectors = check_calloc(N_QUEUES, sizeof *detectors);
    const struct detector_times times = {.detection_ns = 200 * MS_NS,
                                         .restoration_ns = 200 * MS_NS,
                                         .poll_ns = 100 * MS_NS};
    struct storm_model model = {.measures = (1 << N_STORM_MEASURES) - 1};
    double begin;
    unsigned int n = 0;

    for (int i = 0; i < N_QUEUES; i++) {
        detector_init(&detectors[i], storm_rule_find("exact"), &times);
    }
    begin = seconds();
    for (int64_t round = 1; round <= N_ROUNDS; round++) {
        struct storm_sample sample;

        storm_model_run(&model, round * times.poll_ns);
        sample = storm_model_sample(&model);
        for (int i = 0; i < N_QUEUES; i++) {
            n += detector_take(&detectors[i], &sample) != DETECTOR_NOTHING;
        }
    }
    print("sample", (seconds() - begin) * 1e9 / N_ROUNDS / N_QUEUES, "ns");
    orch_assert(n == 0);
    free(detectors);
}

int
main(void)
{
    bench_storms();
    bench_samples();
    return 0;
}
