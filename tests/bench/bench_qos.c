/* SPDX-License-Identifier: Apache-2.0 */

/* Time of the decisions of QoS: classifying a frame, metering it, judging it by
 * WRED, choosing the next queue.
 *
 * All queues of a port always have frames, of mixed lengths; then one frame
 * after another is chosen and booked.  Prints one JSON object per line.  Usage:
 * bench_qos [DECISIONS], the number per run. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/parse.h"
#include "twin/qos/classify.h"
#include "twin/qos/policer.h"
#include "twin/qos/scheduler.h"
#include "twin/qos/wred.h"

enum { RUNS = 5, LENGTHS = 8 };

static const uint32_t lengths[LENGTHS] = {64,  64,   128,  256,
                                          576, 1500, 4096, 1500};

static double
cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Something to measure: 'run' decides 'n' times and returns a number that
 * depends on all of them, so that none is left out. */
struct subject {
    const char *bench;
    const char *kind;
    uint32_t n_queues;
    uint64_t (*run)(void *state, uint64_t n);
    void *state;
};

static void
measure(const struct subject *subject, uint64_t n)
{
    double results[RUNS];
    uint64_t sum = 0;

    for (int i = 0; i < RUNS; i++) {
        const double start = cpu_ns();

        sum += subject->run(subject->state, n);
        results[i] = (cpu_ns() - start) / (double)n;
    }
    orch_assert(sum != 1);
    qsort(results, RUNS, sizeof results[0], compare);
    printf("{\"bench\":\"%s\",\"params\":{\"kind\":\"%s\",\"queues\":%u,"
           "\"decisions\":%llu},\"value\":%.1f,\"unit\":\"ns\"}\n",
           subject->bench, subject->kind, (unsigned int)subject->n_queues,
           (unsigned long long)n, results[RUNS / 2]);
}

/* Schedulers ---------------------------------------------------------- */

struct port {
    struct scheduler *scheduler;
    uint64_t ready;
    int64_t now_ps;
};

static uint64_t
run_scheduler(void *state, uint64_t n)
{
    struct port *p = state;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < n; i++) {
        const uint32_t length = lengths[i % LENGTHS];
        int64_t again_ps;
        uint32_t queue =
            scheduler_pick(p->scheduler, p->ready, p->now_ps, &again_ps);

        if (queue == SCHEDULER_NONE) {
            p->now_ps = again_ps;
            queue =
                scheduler_pick(p->scheduler, p->ready, p->now_ps, &again_ps);
        }
        scheduler_sent(p->scheduler, queue, length, p->now_ps);
        p->now_ps += (int64_t)length * 80;
        sum += queue;
    }
    return sum;
}

enum tree { FLAT, LEAVES, LIMITED };

/* Makes 'n' queues of 'type' compete: all below the port, or each below a group
 * of its own, or so and with a maximum rate each that is now and then hit. */
static struct port
make_port(uint32_t n, enum scheduler_type type, enum tree tree)
{
    struct port p = {.scheduler = scheduler_create(NULL, n),
                     .ready = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1};
    uint32_t root = scheduler_root(p.scheduler);

    if (tree != FLAT) {
        orch_assert(scheduler_add(p.scheduler, root, &root) == ST_OK);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct scheduler_config config = {
            .type = type,
            .weight = (uint8_t)(1 + i * 7 % 40),
            .max_rate = tree == LIMITED ? UINT64_C(20000000000) / n : 0,
        };
        uint32_t node = i;

        if (tree != FLAT) {
            orch_assert(scheduler_add(p.scheduler, root, &node) == ST_OK);
            orch_assert(scheduler_move(p.scheduler, i, node, 0) == ST_OK);
        }
        orch_assert(scheduler_set(p.scheduler, node, &config, 0) == ST_OK);
    }
    return p;
}

static void
bench_schedulers(uint64_t n)
{
    static const struct {
        const char *kind;
        enum scheduler_type type;
        enum tree tree;
    } kinds[] = {
        {"strict", SCHEDULER_STRICT, FLAT},
        {"dwrr", SCHEDULER_DWRR, FLAT},
        {"dwrr-in-groups", SCHEDULER_DWRR, LEAVES},
        {"dwrr-in-groups-with-rates", SCHEDULER_DWRR, LIMITED},
    };
    static const uint32_t sizes[] = {8, 20};

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            struct port p = make_port(sizes[s], kinds[k].type, kinds[k].tree);

            measure(&(struct subject){"qos-pick", kinds[k].kind, sizes[s],
                                      run_scheduler, &p},
                    n);
            scheduler_destroy(p.scheduler);
        }
    }
}

/* WRED and classification --------------------------------------------- */

static uint64_t
run_wred(void *state, uint64_t n)
{
    const struct wred_profile *profile = state;
    struct wred_queue queue = {0};
    struct random_stream random;
    uint64_t sum = 0;

    random_stream_init(&random, 4711, 0, RANDOM_WRED);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t average =
            wred_average(&queue, profile, (i * 7919) % 1000000);

        sum += (uint64_t)wred_judge(profile, 0, true, average, &random);
    }
    return sum;
}

static uint64_t
run_classify(void *state, uint64_t n)
{
    const struct classify_map *map = state;
    const struct classify_rules base = {.dscp_to_tc = map,
                                        .dscp_to_color = map};
    const struct classify_rules port = {
        .tc_to_pg = map, .tc_to_queue = map, .dot1p_to_tc = map};
    uint64_t sum = 0;

    for (uint64_t i = 0; i < n; i++) {
        const struct classify_headers headers = {(int8_t)(i % 64), -1,
                                                 (int8_t)(i % 8)};
        const struct classify_verdict verdict =
            classify_frame(&base, &port, &headers);

        sum += 0u + verdict.color + classify_pg(&base, &port, verdict.tc) +
               classify_queue(&base, &port, verdict.tc);
    }
    return sum;
}

/* Meters frames at half of 100 Gbit/s that arrive at 100 Gbit/s. */
static uint64_t
run_policer(void *state, uint64_t n)
{
    struct policer policer;
    int64_t now_ps = 0;
    uint64_t sum = 0;

    policer_init(&policer, state, now_ps);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t length = lengths[i % LENGTHS];

        sum += policer_meter(&policer, length, POLICER_GREEN, now_ps);
        now_ps += INT64_C(80) * (length + 24);
    }
    return sum;
}

int
main(int argc, char **argv)
{
    static struct classify_map map;
    struct wred_profile profile = {
        .colors = {{.marks = true, .mark = {100000, 900000, 20}}}, .weight = 3};
    uint64_t n = 5000000;

    if (argc > 2 ||
        (argc == 2 && parse_u64(argv[1], 1, UINT32_MAX, &n) != ST_OK)) {
        fprintf(stderr, "usage: bench_qos [DECISIONS]\n");
        return 2;
    }
    for (uint8_t i = 0; i < CLASSIFY_DSCPS; i++) {
        map.entries[i] = i % CLASSIFY_COLORS;
    }
    bench_schedulers(n);
    measure(&(struct subject){"qos-policer", "two-rates", 1, run_policer,
                              &(struct policer_config){
                                  .has_two_rates = true,
                                  .cir = 3125000000,
                                  .cbs = 100000,
                                  .pir = 6250000000,
                                  .pbs = 200000,
                              }},
            n);
    measure(&(struct subject){"qos-wred", "ect", 1, run_wred, &profile}, n);
    measure(
        &(struct subject){"qos-classify", "ip-with-tag", 1, run_classify, &map},
        n);
    return 0;
}
