/* SPDX-License-Identifier: Apache-2.0 */

/* Time of a packet through the buffer while PFC holds the senders.
 *
 * 32 ports send lossless packets to one of them; each departure makes room for
 * the next arrival.  A port whose PG is XOFF goes on for a while, as real ones
 * do, so that packets reach the headroom, and then waits for XON.  Most packets
 * find their PG near its limit: where a buffer is slow if only packets far from
 * all limits are fast.
 *
 * Prints, per chip, the time of an arrival with a departure, the share of them
 * that took the slow path, and XOFFs per 1,000 packets: one JSON object per
 * line.  Usage: bench_incast [PACKETS]. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/parse.h"
#include "tests/bench/measure.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/mmu/mmu.h"

enum {
    PORTS = 32,
    PRIORITY = 3,
    LENGTH_BYTES = 1086,
    RESPONSE = 40, /* Packets that a port sends after XOFF. */
    TURNS = 9,
};

struct incast {
    struct mmu *mmu;
    bool xoff[PORTS];
    uint32_t left[PORTS]; /* Packets that a port that is XOFF still sends. */
    uint64_t n_xoffs;
    uint64_t n_dropped;
    uint32_t next; /* Port to send. */
};

static void
on_flow(void *context, uint32_t pg, bool xoff)
{
    struct incast *incast = context;
    const uint32_t port = pg / mmu_chip(incast->mmu)->pgs_per_port;

    incast->xoff[port] = xoff;
    incast->left[port] = RESPONSE;
    incast->n_xoffs += xoff;
}

/* Gives the PG and the queue of all ports a profile; 'limits' says whether
 * ports have one, too, as on switches whose ports share headroom. */
static void
configure(struct mmu *mmu, bool limits)
{
    const uint64_t memory = mmu_chip(mmu)->memory_bytes;
    struct mmu_pool_config pool = {.direction = MMU_INGRESS,
                                   .size_bytes = memory / 2,
                                   .xoff_bytes = memory / 4};
    struct mmu_profile_config in = {.reserved_bytes = 9216,
                                    .dynamic_th = -4,
                                    .xoff_bytes = 100000,
                                    .xon_bytes = 9216,
                                    .xon_offset_bytes = 9216};
    struct mmu_profile_config out = {.reserved_bytes = 0, .dynamic_th = 3};
    struct mmu_profile_config port = {.dynamic_th = 7};
    uint32_t ids[3];

    orch_assert(mmu_pool_create(mmu, &pool, &in.pool, NULL) == ST_OK);
    pool =
        (struct mmu_pool_config){.direction = MMU_EGRESS, .size_bytes = memory};
    orch_assert(mmu_pool_create(mmu, &pool, &out.pool, NULL) == ST_OK);
    port.pool = in.pool;
    orch_assert(mmu_profile_create(mmu, &in, &ids[0], NULL) == ST_OK);
    orch_assert(mmu_profile_create(mmu, &out, &ids[1], NULL) == ST_OK);
    orch_assert(mmu_profile_create(mmu, &port, &ids[2], NULL) == ST_OK);
    for (uint32_t i = 0; i < PORTS; i++) {
        orch_assert(mmu_port_add(mmu, i, 0) == ST_OK);
        mmu_port_set_speed(mmu, i, 100000);
        orch_assert(mmu_pg_attach(mmu, mmu_pg_id(mmu, i, PRIORITY), ids[0],
                                  NULL) == ST_OK);
        orch_assert(mmu_queue_attach(mmu, mmu_queue_id(mmu, i, PRIORITY),
                                     ids[1], NULL) == ST_OK);
        orch_assert(!limits ||
                    mmu_port_attach(mmu, i, in.pool, ids[2], NULL) == ST_OK);
    }
}

/* Returns a port that may send, PORTS if all wait. */
static uint32_t
sender(struct incast *incast)
{
    for (uint32_t i = 0; i < PORTS; i++) {
        const uint32_t port = (incast->next + i) % PORTS;

        if (!incast->xoff[port] || incast->left[port]) {
            incast->next = port + 1;
            incast->left[port] -= incast->xoff[port];
            return port;
        }
    }
    return PORTS;
}

/* Lets 'n' packets arrive, and as many leave once senders are held. */
static void
run(struct incast *incast, uint64_t n)
{
    const uint32_t queue = mmu_queue_id(incast->mmu, 0, PRIORITY);
    struct mmu_departure departure;

    while (n) {
        const uint32_t port = sender(incast);
        const bool has_room = port != PORTS;

        if (has_room) {
            incast->n_dropped +=
                mmu_admit(incast->mmu, mmu_pg_id(incast->mmu, port, PRIORITY),
                          queue, LENGTH_BYTES, 0) != MMU_ADMITTED;
            n--;
        }
        /* Two arrive for each that leaves, until PFC holds them. */
        if (!has_room || n % 2) {
            mmu_dequeue(incast->mmu, queue, &departure);
        }
    }
}

static void
print(const char *bench, const char *chip, double value, const char *unit)
{
    printf("{\"bench\":\"%s\",\"params\":{\"chip\":\"%s\"},\"value\":%.2f,"
           "\"unit\":\"%s\"}\n",
           bench, chip, value, unit);
}

static void
bench(const char *name, uint64_t n)
{
    struct incast *incast = check_calloc(1, sizeof *incast);
    const struct mmu_options options = {.flow = on_flow, .context = incast};
    double ns[TURNS];
    struct chip *chip;
    uint64_t slow;

    orch_assert(chip_file_load(CHIPS_DIR, name, &chip, NULL) == ST_OK);
    incast->mmu = mmu_create(chip, &options);
    configure(incast->mmu, chip->headroom == CHIP_HEADROOM_PER_PORT_SHARE);
    run(incast, n);
    incast->n_xoffs = 0;
    slow = mmu_slow_count(incast->mmu);
    for (int i = 0; i < TURNS; i++) {
        const double start = measure_cpu_ns();

        run(incast, n);
        ns[i] = (measure_cpu_ns() - start) / (double)n;
    }
    slow = mmu_slow_count(incast->mmu) - slow;
    n *= TURNS;
    print("incast-packet", name, measure_median(ns, TURNS), "ns");
    print("incast-slow-share", name, (double)slow / (2 * (double)n), "ratio");
    print("incast-xoffs", name, 1000 * (double)incast->n_xoffs / (double)n,
          "per 1000");
    print("incast-dropped", name, (double)incast->n_dropped, "packets");
    mmu_destroy(incast->mmu);
    chip_file_destroy(chip);
    free(incast);
}

int
main(int argc, char **argv)
{
    static const char *const chips[] = {"td2", "td3", "th",   "th2", "th3",
                                        "th5", "th6", "spc1", "spc3"};
    uint64_t n = 200000;

    if (argc > 2 ||
        (argc == 2 && parse_u64(argv[1], 1, UINT32_MAX, &n) != ST_OK)) {
        fprintf(stderr, "usage: bench_incast [PACKETS]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        bench(chips[i], n);
    }
    return 0;
}
