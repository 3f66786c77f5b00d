/* SPDX-License-Identifier: Apache-2.0 */

/* Time of one packet through the buffer: enqueue and dequeue.
 *
 * Packets of mixed sizes and priorities arrive at random ports for random
 * ports, while a given number is queued per port.  Three subjects take turns
 * (measure.h) with the same packets:
 *   bare  arrays without features (bare_mmu.h), the yardstick
 *   mmu   admission, watermarks, XOFF, departure: twin/mmu alone; the queue
 *         that sends is the highest that has something
 *   full  besides: classification by DSCP, the average and the judgement of
 *         WRED at arrival, the scheduler of the port, counting what is marked
 * Then the same number of packets per port in larger and larger chips, whose
 * other ports and queues are idle: they cost nothing.  Then memory.  Prints one
 * JSON object per line.  Usage: bench_mmu [PACKETS [SIZE]]: the number per
 * turn, and which size alone (from 0), for profilers. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/pfc.h"
#include "tests/bench/bare_mmu.h"
#include "tests/bench/measure.h"
#include "twin/mmu/mmu.h"
#include "twin/qos/classify_table.h"
#include "twin/qos/scheduler.h"
#include "twin/qos/wred.h"

enum {
    PATTERN = 1 << 16,
    TURNS = 15,
    WARM_UP = 2, /* Turns that are not counted. */
    MEAN_CELLS = 5,
    MIN_CELLS = 655360,
    CELL_BYTES = 256,
    MBPS_100G = 80, /* Picoseconds per byte. */
};

/* The size of what is measured: 'active' of 'ports' ports have traffic. */
struct size {
    uint32_t active;
    uint32_t ports;
    uint32_t queues_per_port;
    uint32_t depth; /* Packets per active port. */
};

/* What packets go through. */
struct testbench {
    struct size size;
    struct chip chip;
    struct mmu *mmu;
    uint32_t pgs; /* Distance of the PGs, queues of two ports. */
    uint32_t queues;
    struct offer offers[PATTERN];
    /* For the full way. */
    struct classify_headers headers[PATTERN];
    struct classify_tables *tables;
    const struct classify_table *table; /* Of all ports. */
    struct wred_profile wred;
    struct wred_queue *averages;
    struct scheduler **schedulers;
    struct random_stream random;
    uint64_t marked;
    int64_t now_ps;
};

static struct classify_map by_dscp;
static const struct classify_map identity = {
    .entries = {0, 1, 2, 3, 4, 5, 6, 7}};

static uint64_t
random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

/* Setting up ----------------------------------------------------------- */

static uint32_t
make_profile(struct mmu *mmu, const struct mmu_profile_config *config)
{
    uint32_t profile = MMU_NONE;
    enum st status = mmu_profile_create(mmu, config, &profile, NULL);

    orch_assert(status == ST_OK);
    return profile;
}

/* Configures a lossless and a lossy class on all ports. */
static void
configure(struct mmu *mmu, const struct size *size)
{
    uint64_t memory = mmu_chip(mmu)->memory_bytes;
    uint32_t pools[2] = {0};
    uint32_t pgs[2];
    uint32_t queues[2];
    struct mmu_pool_config in = {.direction = MMU_INGRESS,
                                 .size_bytes = memory / 2,
                                 .xoff_bytes = memory / 8};
    struct mmu_pool_config out = {.direction = MMU_EGRESS,
                                  .size_bytes = memory};

    orch_assert(mmu_pool_create(mmu, &in, &pools[0], NULL) == ST_OK);
    orch_assert(mmu_pool_create(mmu, &out, &pools[1], NULL) == ST_OK);
    for (int lossless = 0; lossless < 2; lossless++) {
        pgs[lossless] =
            make_profile(mmu, &(struct mmu_profile_config){
                                  .pool = pools[0],
                                  .reserved_bytes = 2048,
                                  .dynamic_th = -3,
                                  .xoff_bytes = lossless ? 100000 : 0,
                                  .xon_offset_bytes = lossless ? 2560 : 0});
        queues[lossless] = make_profile(
            mmu, &(struct mmu_profile_config){.pool = pools[1],
                                              .reserved_bytes = 2048,
                                              .dynamic_th = 0});
    }
    for (uint32_t port = 0; port < size->ports; port++) {
        orch_assert(mmu_port_add(mmu, port, 0) == ST_OK);
        for (uint32_t i = 0; i < PFC_N_PRIORITIES; i++) {
            int lossless = i == 3 || i == 4;

            orch_assert(mmu_pg_attach(mmu, mmu_pg_id(mmu, port, i),
                                      pgs[lossless], NULL) == ST_OK);
            orch_assert(mmu_queue_attach(mmu, mmu_queue_id(mmu, port, i),
                                         queues[lossless], NULL) == ST_OK);
        }
    }
}

static void
make_pattern(struct offer *offers, uint32_t ports)
{
    static const uint32_t lengths[] = {64, 64, 128, 256, 576, 1500, 4096, 1500};
    uint64_t state = 88172645463325252u;

    for (int i = 0; i < PATTERN; i++) {
        offers[i] = (struct offer){
            .in = (uint32_t)(random_next(&state) % ports),
            .out = (uint32_t)(random_next(&state) % ports),
            .priority = (uint32_t)(random_next(&state) % PFC_N_PRIORITIES),
            .length_bytes = lengths[random_next(&state) % 8],
        };
    }
}

/* Makes the scheduler of a port as SAI has it: a group per queue, below one of
 * all.  Half of the priorities are strict, the others share by weight. */
static struct scheduler *
make_scheduler(uint32_t n_queues)
{
    struct scheduler *scheduler = scheduler_create(NULL, n_queues);
    uint32_t top;
    uint32_t group;

    orch_assert(scheduler_wrap(scheduler, &top) == ST_OK);
    for (uint32_t i = 0; i < n_queues; i++) {
        const struct scheduler_config config = {
            .type = i < 4 ? SCHEDULER_DWRR : SCHEDULER_STRICT,
            .weight = (uint8_t)(10 + i)};

        orch_assert(scheduler_add(scheduler, scheduler_root(scheduler),
                                  &group) == ST_OK);
        orch_assert(scheduler_move(scheduler, i, group, 0) == ST_OK);
        orch_assert(scheduler_move(scheduler, group, top, 0) == ST_OK);
        orch_assert(scheduler_set(scheduler, group, &config, 0) == ST_OK);
    }
    return scheduler;
}

/* Makes the rules and schedulers that packets meet besides the buffer. */
static void
make_qos(struct testbench *bench)
{
    for (uint8_t i = 0; i < CLASSIFY_DSCPS; i++) {
        by_dscp.entries[i] = i % PFC_N_PRIORITIES;
    }
    for (uint32_t i = 0; i < PATTERN; i++) {
        bench->headers[i] = (struct classify_headers){
            (int8_t)bench->offers[i].priority, -1, -1};
    }
    bench->tables =
        classify_tables_create(PFC_N_PRIORITIES, bench->size.queues_per_port);
    bench->table =
        classify_tables_get(bench->tables, &(struct classify_rules){0},
                            &(struct classify_rules){.dscp_to_tc = &by_dscp,
                                                     .tc_to_pg = &identity,
                                                     .tc_to_queue = &identity});
    bench->wred = (struct wred_profile){
        .colors = {
            {.marks = true, .mark = {100 * CELL_BYTES, 400 * CELL_BYTES, 10}}}};
    wred_prepare(&bench->wred);
    bench->averages =
        check_calloc((size_t)bench->size.ports * bench->size.queues_per_port,
                     sizeof *bench->averages);
    bench->schedulers =
        check_calloc(bench->size.ports, sizeof *bench->schedulers);
    for (uint32_t port = 0; port < bench->size.ports; port++) {
        bench->schedulers[port] = make_scheduler(bench->size.queues_per_port);
    }
}

static struct testbench *
make_bench(const struct size *size)
{
    struct testbench *bench = check_calloc(1, sizeof *bench);
    const uint64_t cells = 4ull * MEAN_CELLS * size->active * size->depth;

    bench->size = *size;
    chip_init(&bench->chip);
    bench->chip.ports = size->ports;
    bench->chip.queues_per_port = size->queues_per_port;
    /* A port may have half of what is free: enough for what is to be queued. */
    bench->chip.memory_bytes =
        (cells > MIN_CELLS ? cells : MIN_CELLS) * CELL_BYTES;
    random_stream_init(&bench->random, 1, 0, RANDOM_WRED);
    bench->mmu = mmu_create(&bench->chip, NULL);
    bench->pgs = mmu_pg_id(bench->mmu, 1, 0);
    bench->queues = mmu_queue_id(bench->mmu, 1, 0);
    configure(bench->mmu, size);
    make_pattern(bench->offers, size->active);
    make_qos(bench);
    return bench;
}

static void
free_bench(struct testbench *bench)
{
    mmu_destroy(bench->mmu);
    for (uint32_t port = 0; port < bench->size.ports; port++) {
        scheduler_destroy(bench->schedulers[port]);
    }
    free(bench->schedulers);
    free(bench->averages);
    classify_tables_destroy(bench->tables);
    free(bench);
}

/* Queues what the size says.  Returns the number of packets. */
static uint64_t
fill(struct testbench *bench)
{
    const uint64_t n = (uint64_t)bench->size.active * bench->size.depth;
    uint64_t queued = 0;

    for (uint64_t i = 0; i < n; i++) {
        const struct offer *offer = &bench->offers[i & (PATTERN - 1)];
        uint32_t packet;

        queued +=
            mmu_enqueue(bench->mmu,
                        mmu_pg_id(bench->mmu, offer->in, offer->priority),
                        mmu_queue_id(bench->mmu, offer->out, offer->priority),
                        offer->length_bytes, &packet) == MMU_ADMITTED;
    }
    return queued;
}

/* The subjects ---------------------------------------------------------- */

/* Offers 'n' packets, taking one out at the destination after each. */
__attribute__((noinline)) static void
run_mmu(struct testbench *bench, uint64_t n)
{
    struct mmu *mmu = bench->mmu;

    for (uint64_t i = 0; i < n; i++) {
        const struct offer *offer = &bench->offers[i & (PATTERN - 1)];
        struct mmu_departure departure;
        uint64_t backlog;
        uint32_t packet;

        mmu_enqueue(mmu, offer->in * bench->pgs + offer->priority,
                    offer->out * bench->queues + offer->priority,
                    offer->length_bytes, &packet);
        backlog = mmu_port_backlog(mmu, offer->out);
        if (backlog) {
            uint32_t index = 63 - (uint32_t)__builtin_clzll(backlog);

            mmu_dequeue(mmu, offer->out * bench->queues + index, &departure);
        }
    }
}

/* One packet arrives: which class, whether WRED lets it in, the buffer. */
static void
arrive(struct testbench *bench, const struct offer *offer,
       const struct classify_headers *headers)
{
    const struct classify_class class = classify_look_up(bench->table, headers);
    const uint32_t pg = offer->in * bench->pgs + class.pg;
    const uint32_t queue =
        offer->out * bench->queues + classify_queue_of(bench->table, class.tc);
    const enum wred_verdict verdict = wred_judge(
        &bench->wred, class.color, true,
        wred_average(&bench->averages[queue], &bench->wred,
                     mmu_queue_cells(bench->mmu, queue) * CELL_BYTES),
        &bench->random);
    uint32_t packet;

    if (verdict == WRED_DROP) {
        mmu_refuse(bench->mmu, pg, queue, offer->length_bytes, MMU_WRED);
    } else if (mmu_enqueue(bench->mmu, pg, queue, offer->length_bytes,
                           &packet) == MMU_ADMITTED) {
        bench->marked += verdict == WRED_MARK;
    }
}

__attribute__((noinline)) static void
run_full(struct testbench *bench, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const struct offer *offer = &bench->offers[i & (PATTERN - 1)];
        struct scheduler *scheduler = bench->schedulers[offer->out];
        struct mmu_departure departure;
        uint64_t backlog;
        int64_t again_ps;
        uint32_t index;

        scheduler_prefetch(scheduler);
        arrive(bench, offer, &bench->headers[i & (PATTERN - 1)]);
        backlog = mmu_port_backlog(bench->mmu, offer->out);
        index = backlog ? scheduler_pick(scheduler, backlog, bench->now_ps,
                                         &again_ps)
                        : SCHEDULER_NONE;
        if (index != SCHEDULER_NONE &&
            mmu_dequeue(bench->mmu, offer->out * bench->queues + index,
                        &departure)) {
            scheduler_sent(scheduler, index, departure.length_bytes,
                           bench->now_ps);
            bench->now_ps += (int64_t)departure.length_bytes * MBPS_100G;
        }
    }
}

/* What is measured ------------------------------------------------------ */

static void
print(const char *bench, const struct size *size, double value,
      const char *unit)
{
    printf("{\"bench\":\"%s\",\"params\":{\"ports\":%u,\"active\":%u,"
           "\"queues\":%u,\"depth\":%u},\"value\":%.2f,\"unit\":\"%s\"}\n",
           bench, (unsigned int)size->ports, (unsigned int)size->active,
           (unsigned int)size->queues_per_port, (unsigned int)size->depth,
           value, unit);
}

enum subject { BARE, MMU, FULL, N_SUBJECTS };

static void
bench(const struct size *size, uint64_t n)
{
    double ns[N_SUBJECTS][TURNS];
    struct testbench *benches[N_SUBJECTS] = {NULL, make_bench(size),
                                             make_bench(size)};
    struct testbench *mmu = benches[MMU];
    struct testbench *full = benches[FULL];
    const uint32_t cells =
        (uint32_t)(mmu->chip.memory_bytes / mmu->chip.cell_bytes);
    struct bare_mmu *bare = bare_mmu_create(size->active, cells, cells);
    const uint64_t held = (uint64_t)size->active * size->depth;

    print("mmu-queued-share", size, (double)fill(mmu) / (double)held, "ratio");
    fill(full);
    bare_mmu_fill(bare, mmu->offers, PATTERN, held);
    for (int turn = -WARM_UP; turn < TURNS; turn++) {
        const int i = turn < 0 ? 0 : turn;
        double times[N_SUBJECTS + 1];

        times[0] = measure_cpu_ns();
        bare_mmu_run(bare, mmu->offers, PATTERN, n);
        times[1] = measure_cpu_ns();
        run_mmu(mmu, n);
        times[2] = measure_cpu_ns();
        run_full(full, n);
        times[3] = measure_cpu_ns();
        for (int s = 0; s < N_SUBJECTS; s++) {
            ns[s][i] = (times[s + 1] - times[s]) / (double)n;
        }
    }
    print("mmu-ratio", size, measure_median_ratio(ns[MMU], ns[BARE], TURNS),
          "ratio");
    print("mmu-full-ratio", size,
          measure_median_ratio(ns[FULL], ns[BARE], TURNS), "ratio");
    print("mmu-bare", size, measure_median(ns[BARE], TURNS), "ns");
    print("mmu-enqueue-dequeue", size, measure_median(ns[MMU], TURNS), "ns");
    print("mmu-full", size, measure_median(ns[FULL], TURNS), "ns");
    print("mmu-full-marked", size, (double)full->marked, "packets");
    bare_mmu_destroy(bare);
    free_bench(mmu);
    free_bench(full);
}

/* Prints what memory ports take, and then packets. */
static void
bench_memory(const struct size *size)
{
    struct chip chip;
    struct mmu *mmu;
    struct testbench *bench = check_calloc(1, sizeof *bench);
    uint64_t resident[3];
    uint64_t queued;

    chip_init(&chip);
    chip.ports = size->ports;
    chip.queues_per_port = size->queues_per_port;
    make_pattern(bench->offers, size->active);
    bench->size = *size;
    resident[0] = measure_resident_bytes();
    mmu = mmu_create(&chip, NULL);
    configure(mmu, size);
    resident[1] = measure_resident_bytes();
    bench->mmu = mmu;
    queued = fill(bench);
    resident[2] = measure_resident_bytes();
    print("mmu-memory-per-port", size,
          (double)(resident[1] - resident[0]) / size->ports, "bytes");
    print("mmu-memory-per-queued-packet", size,
          (double)(resident[2] - resident[1]) / (double)queued, "bytes");
    mmu_destroy(mmu);
    free(bench);
}

int
main(int argc, char **argv)
{
    static const struct size sizes[] = {
        {32, 32, 20, 64},
        {512, 512, 20, 64},
        {512, 512, 20, 512},
        /* As many packets, and more that is idle. */
        {32, 32, 8, 64},
        {32, 1024, 20, 64},
        {32, 32, 64, 64},
    };
    const size_t n_sizes = sizeof sizes / sizeof sizes[0];
    uint64_t n = 200000;
    uint64_t only = n_sizes;

    if (argc > 3 ||
        (argc >= 2 && parse_u64(argv[1], 1, UINT32_MAX, &n) != ST_OK) ||
        (argc == 3 && parse_u64(argv[2], 0, n_sizes - 1, &only) != ST_OK)) {
        fprintf(stderr, "usage: bench_mmu [PACKETS [SIZE]]\n");
        return 2;
    }
    if (only < n_sizes) {
        bench(&sizes[only], n);
        return 0;
    }
    bench_memory(&sizes[1]);
    for (size_t i = 0; i < n_sizes; i++) {
        bench(&sizes[i], n);
    }
    return 0;
}
