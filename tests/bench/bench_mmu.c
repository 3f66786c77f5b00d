/* SPDX-License-Identifier: Apache-2.0 */

/* Time of one packet through the buffer: enqueue and dequeue.
 *
 * Packets of mixed sizes and priorities arrive at random ports for random
 * ports, while a given number is queued per port; then the memory that this
 * took, per port and per queued packet.  Prints one JSON object per line.
 * Usage: bench_mmu [PACKETS], the number per run. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/parse.h"
#include "twin/mmu/mmu.h"

enum {
    PRIORITIES = 8,
    PATTERN = 1 << 16,
    RUNS = 5,
};

struct offer {
    uint32_t pg;
    uint32_t queue;
    uint32_t port;
    uint32_t length_bytes;
};

static uint64_t
random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

static double
cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns the bytes of this process that are in memory, 0 if the system does
 * not tell. */
static uint64_t
resident_bytes(void)
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

/* Prints what 'bytes' are per one of 'n'. */
static void
print_memory(const char *of, uint32_t ports, uint32_t depth, uint64_t bytes,
             uint64_t n)
{
    printf("{\"bench\":\"mmu-memory-per-%s\",\"params\":{\"ports\":%u,"
           "\"depth\":%u},\"value\":%llu,\"unit\":\"bytes\"}\n",
           of, (unsigned int)ports, (unsigned int)depth,
           (unsigned long long)(n ? bytes / n : 0));
}

static uint32_t
make_profile(struct mmu *mmu, const struct mmu_profile_config *config)
{
    uint32_t profile = MMU_NONE;
    enum st status = mmu_profile_create(mmu, config, &profile, NULL);

    orch_assert(status == ST_OK);
    return profile;
}

/* Configures a lossless and a lossy class on all of 'ports' ports. */
static void
configure(struct mmu *mmu, uint32_t ports)
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
    for (uint32_t port = 0; port < ports; port++) {
        orch_assert(mmu_port_add(mmu, port, 0) == ST_OK);
        for (uint32_t i = 0; i < PRIORITIES; i++) {
            int lossless = i == 3 || i == 4;

            orch_assert(mmu_pg_attach(mmu, mmu_pg_id(mmu, port, i),
                                      pgs[lossless], NULL) == ST_OK);
            orch_assert(mmu_queue_attach(mmu, mmu_queue_id(mmu, port, i),
                                         queues[lossless], NULL) == ST_OK);
        }
    }
}

static void
make_pattern(const struct mmu *mmu, struct offer *offers, uint32_t ports)
{
    static const uint32_t lengths[] = {64, 64, 128, 256, 576, 1500, 4096, 1500};
    uint64_t state = 88172645463325252u;

    for (int i = 0; i < PATTERN; i++) {
        uint32_t in = (uint32_t)(random_next(&state) % ports);
        uint32_t out = (uint32_t)(random_next(&state) % ports);
        uint32_t priority = (uint32_t)(random_next(&state) % PRIORITIES);

        offers[i] = (struct offer){
            .pg = mmu_pg_id(mmu, in, priority),
            .queue = mmu_queue_id(mmu, out, priority),
            .port = out,
            .length_bytes = lengths[random_next(&state) % 8],
        };
    }
}

/* Offers 'n' packets, taking one out at the destination after each.  Returns
 * nanoseconds per packet. */
static double
run(struct mmu *mmu, const struct offer *offers, uint64_t n)
{
    double start = cpu_ns();

    for (uint64_t i = 0; i < n; i++) {
        const struct offer *offer = &offers[i & (PATTERN - 1)];
        struct mmu_departure departure;
        uint64_t backlog;
        uint32_t packet;

        mmu_enqueue(mmu, offer->pg, offer->queue, offer->length_bytes, &packet);
        backlog = mmu_port_backlog(mmu, offer->port);
        if (backlog) {
            uint32_t index = 63 - (uint32_t)__builtin_clzll(backlog);

            mmu_dequeue(mmu, mmu_queue_id(mmu, offer->port, index), &departure);
        }
    }
    return (cpu_ns() - start) / (double)n;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void
bench(uint32_t ports, uint32_t depth, uint64_t n)
{
    struct chip chip;
    struct mmu *mmu;
    struct offer *offers = check_calloc(PATTERN, sizeof *offers);
    double results[RUNS];
    uint64_t resident[3];
    uint64_t queued = 0;

    model_init(&chip);
    chip.ports = ports;
    resident[0] = resident_bytes();
    mmu = mmu_create(&chip, NULL);
    configure(mmu, ports);
    resident[1] = resident_bytes();
    make_pattern(mmu, offers, ports);
    resident[2] = resident_bytes();
    for (uint64_t i = 0; i < (uint64_t)ports * depth; i++) {
        const struct offer *offer = &offers[i & (PATTERN - 1)];
        uint32_t packet;

        queued += mmu_enqueue(mmu, offer->pg, offer->queue, offer->length_bytes,
                              &packet) == MMU_ADMITTED;
    }
    print_memory("port", ports, depth, resident[1] - resident[0], ports);
    print_memory("queued-packet", ports, depth, resident_bytes() - resident[2],
                 queued);
    for (int i = 0; i < RUNS; i++) {
        results[i] = run(mmu, offers, n);
    }
    qsort(results, RUNS, sizeof results[0], compare);
    printf("{\"bench\":\"mmu-enqueue-dequeue\",\"params\":{\"ports\":%u,"
           "\"depth\":%u,\"packets\":%llu},\"value\":%.1f,\"unit\":\"ns\"}\n",
           (unsigned int)ports, (unsigned int)depth, (unsigned long long)n,
           results[RUNS / 2]);
    mmu_destroy(mmu);
    free(offers);
}

int
main(int argc, char **argv)
{
    uint64_t n = 5000000;

    if (argc > 2 ||
        (argc == 2 && parse_u64(argv[1], 1, UINT32_MAX, &n) != ST_OK)) {
        fprintf(stderr, "usage: bench_mmu [PACKETS]\n");
        return 2;
    }
    bench(32, 64, n);
    bench(512, 64, n);
    bench(512, 512, n);
    return 0;
}
