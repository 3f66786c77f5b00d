/* SPDX-License-Identifier: Apache-2.0 */

/* The twin: a small switch, or chassis, whose buffer is reconfigured under
 * traffic.
 *
 * The first bytes choose the mechanisms of the chip, the rest is a program of
 * operations.  mmu_check() holds after each; and when all ports are gone, no
 * cell is in use. */

#include <config.h>

#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/snapshot.h"
#include "twin/switch/sim.h"
#include "twin/switch/voq.h"

enum {
    PORTS = 4,
    PER_PORT = 4, /* PGs, and queues. */
    POOLS = 4,
    PROFILES = 6,
    MAX_STEPS = 300,
    MAX_FRAMES = 40,
};

struct world {
    struct chip chip;
    struct sim *sim;
    struct mmu *mmu;
    struct classify_map maps[3];
};

static void
choose_chip(struct chip *chip, struct bytes *bytes)
{
    static const uint32_t cells[] = {1, 64, 208, 256};
    uint8_t bits = bytes_u8(bytes);

    chip_init(chip);
    chip->cell_bytes = cells[bits & 3];
    chip->unit = chip->cell_bytes == 1 ? CHIP_UNIT_BYTE : CHIP_UNIT_CELL;
    chip->threshold = bits & 4 ? CHIP_THRESHOLD_CHARGE_THEN_CHECK
                               : CHIP_THRESHOLD_CHECK_THEN_CHARGE;
    chip->egress_threshold = bits & 8 ? CHIP_THRESHOLD_CHARGE_THEN_CHECK
                                      : CHIP_THRESHOLD_CHECK_THEN_CHARGE;
    chip->xon = bits & 16 ? CHIP_XON_ABSOLUTE : CHIP_XON_RELATIVE_LATCHED;
    chip->static_zero_blocks = bits & 32;
    chip->pg_guarantee = bits & 64    ? CHIP_GUARANTEE_SIZE_MINUS_XOFF
                         : bits & 128 ? CHIP_GUARANTEE_NONE
                                      : CHIP_GUARANTEE_SIZE;
    bits = bytes_u8(bytes);
    chip->partitions = 1 + (bits & 1);
    chip->port_partition = CHIP_PORT_PARTITION_INTERLEAVE;
    chip->shared_limit.minus_shp = bits & 2;
    chip->shared_limit.minus_pg_size = bits & 4;
    chip->shared_limit.minus_pg_min = bits & 8;
    chip->shared_limit.divided = bits & 16;
    chip->shared_limit.minus_extra = bits & 32;
    chip->extra_cells = 3;
    chip->egress_lag_cells = bits & 64 ? 2 : 0;
    chip->packet_round_bytes = bits & 128 ? 16 : 1;
    bits = bytes_u8(bytes);
    chip->packet_overhead_bytes = bits & 15;
    chip->memory_bytes = (uint64_t)chip->cell_bytes * (20 + (bits & 0xf0));
    chip->memory_bytes *= chip->cell_bytes == 1 ? 100 : 1;
    bits = bytes_u8(bytes);
    chip->headroom =
        bits & 1 ? CHIP_HEADROOM_PER_PORT_SHARE : CHIP_HEADROOM_PER_PG;
    chip->headroom_overhead.otherwise = bits & 2 ? 1 : 0;
    chip->port_alpha = bits & 4 ? CHIP_PORT_ALPHA_NESTED : CHIP_PORT_ALPHA_NONE;
    chip->egress_shared = bits & 8 ? CHIP_EGRESS_SHARED_INGRESS_SHARED
                                   : CHIP_EGRESS_SHARED_OWN_POOL;
    chip->egress_pg_absorbs_queue_min = bits & 16;
    chip->voq_cap_bytes = bits & 32 ? chip->memory_bytes / 4 : 0;
    chip->alpha_exponents[128 + 7] =
        bits & 64 ? CHIP_ALPHA_UNLIMITED : (int8_t)6;
    if (bits & 128) {
        chip->voq = (struct chip_voq){.credit_bytes = 512,
                                      .credit_rate_percent = 102,
                                      .credit_rtt_ns = 100,
                                      .egress_bytes = 4096,
                                      .cell_payload_bytes = 64,
                                      .cell_header_bytes = 4,
                                      .fabric_links = 3,
                                      .fabric_link_mbps = 50000,
                                      .fabric_latency_ns = 50,
                                      .sram_bytes = 2048,
                                      .dram_mbps = 100000};
    }
    chip->ports = PORTS;
    chip->pgs_per_port = PER_PORT;
    chip->queues_per_port = PER_PORT;
    chip->unicast_queues_per_port = PER_PORT;
    chip->pools = POOLS;
    chip->profiles = PROFILES;
}

/* Returns a handle, sometimes of nothing. */
static uint32_t
handle(struct bytes *bytes, uint32_t n)
{
    uint32_t i = bytes_below(bytes, n + 1);

    return i < n ? i : MMU_NONE;
}

/* Returns a size within reach of the memory, or any. */
static uint64_t
some_bytes(struct world *w, struct bytes *bytes)
{
    uint8_t form = bytes_u8(bytes);

    return form < 200 ? w->chip.memory_bytes * form / 128 : bytes_number(bytes);
}

static struct sim_port_config
port_config(struct bytes *bytes)
{
    static const uint32_t speeds[] = {10000, 40000, 100000, 1, 0, 3200000};
    uint8_t bits = bytes_u8(bytes);

    return (struct sim_port_config){
        .speed_mbps = speeds[(bits & 15) % 6],
        .admin_up = !(bits & 16),
        .tx_enabled = !(bits & 32),
        .pfc_tx_enabled = bytes_u8(bytes),
    };
}

static void
do_pool(struct world *w, struct bytes *bytes)
{
    uint8_t op = bytes_u8(bytes);
    uint32_t pool = handle(bytes, POOLS);
    struct mmu_pool_config config = {
        .direction = op & 4 ? MMU_EGRESS : MMU_INGRESS,
        .size_bytes = some_bytes(w, bytes),
        .xoff_bytes = op & 8 ? some_bytes(w, bytes) : 0};
    struct err err = {0};
    enum st st;

    switch (op & 3) {
    case 0:
    case 1:
        st = mmu_pool_create(w->mmu, &config, &pool, &err);
        break;
    case 2:
        st = mmu_pool_set(w->mmu, pool, &config, &err);
        break;
    default:
        st = mmu_pool_remove(w->mmu, pool, &err);
        break;
    }
    FUZZ_CHECK(st == ST_OK || err.reason[0]);
}

static void
do_profile(struct world *w, struct bytes *bytes)
{
    uint8_t op = bytes_u8(bytes);
    uint32_t profile = handle(bytes, PROFILES);
    struct mmu_profile_config config = {
        .pool = handle(bytes, POOLS),
        .reserved_bytes = op & 4 ? some_bytes(w, bytes) / 16 : 0,
        .is_static = op & 8,
        .dynamic_th = (int8_t)bytes_u8(bytes),
        .static_bytes = some_bytes(w, bytes),
        .xoff_bytes = op & 16 ? some_bytes(w, bytes) / 4 : 0,
        .xon_bytes = op & 32 ? some_bytes(w, bytes) : 0,
        .xon_offset_bytes = op & 64 ? some_bytes(w, bytes) : 0};
    struct err err = {0};
    enum st st;

    switch (op & 3) {
    case 0:
    case 1:
        st = mmu_profile_create(w->mmu, &config, &profile, &err);
        break;
    case 2:
        st = mmu_profile_set(w->mmu, profile, &config, &err);
        break;
    default:
        st = mmu_profile_remove(w->mmu, profile, &err);
        break;
    }
    FUZZ_CHECK(st == ST_OK || err.reason[0]);
}

static void
do_attach(struct world *w, struct bytes *bytes)
{
    uint8_t op = bytes_u8(bytes);
    uint32_t port = op % PORTS;
    uint32_t index = (op >> 2) % PER_PORT;
    uint32_t profile = handle(bytes, PROFILES);
    struct err err = {0};
    enum st st;

    if (op & 32) {
        st = mmu_port_attach(w->mmu, port, (op >> 2) % POOLS, profile, &err);
        mmu_port_set_speed(w->mmu, port, 1000u << (op >> 6));
    } else if (op & 16) {
        st = mmu_pg_attach(w->mmu, mmu_pg_id(w->mmu, port, index), profile,
                           &err);
    } else {
        st = mmu_queue_attach(w->mmu, mmu_queue_id(w->mmu, port, index),
                              profile, &err);
    }
    FUZZ_CHECK(st == ST_OK || err.reason[0]);
}

static void
do_port(struct world *w, struct bytes *bytes)
{
    uint8_t op = bytes_u8(bytes);
    uint32_t port = handle(bytes, PORTS + 1);
    struct sim_port_config config = port_config(bytes);
    enum st st;

    switch (op & 3) {
    case 0:
        st = sim_port_add(w->sim, port, op, &config);
        break;
    case 1:
        st = sim_port_remove(w->sim, port);
        break;
    default:
        st = sim_port_set(w->sim, port, &config);
        break;
    }
    FUZZ_CHECK(port < PORTS || st != ST_OK);
}

/* Sends frames of one kind. */
static void
do_send(struct world *w, struct bytes *bytes)
{
    uint8_t to = bytes_u8(bytes);
    uint32_t port = bytes_below(bytes, PORTS);
    struct sim_frame frame = {.dst_mac = UINT64_C(0x020000000000) + to % 8};
    struct sim_send_result result = {0};
    uint64_t n = 1 + bytes_below(bytes, MAX_FRAMES);
    enum st st;

    if (to & 128) {
        frame.dst_mac = UINT64_C(0xffffffffffff);
    }
    frame.dscp = (int8_t)(bytes_below(bytes, 66) - 2);
    frame.ecn = to & 3u;
    frame.length_bytes = bytes_below(bytes, 1600);
    st = sim_send(w->sim, port, &frame, n, (to >> 4) & 3, &result);
    if (st == ST_OK) {
        FUZZ_CHECK(result.sent >= 1 && result.sent <= n);
    }
}

static void
do_time(struct world *w, struct bytes *bytes)
{
    uint8_t op = bytes_u8(bytes);
    int64_t now = sim_now_ps(w->sim);

    if (op < 128) {
        sim_run_until(w->sim, now + (int64_t)op * 50000);
    } else {
        (void)sim_settle(w->sim);
    }
    FUZZ_CHECK(sim_now_ps(w->sim) >= now);
}

static void
do_forwarding(struct world *w, struct bytes *bytes)
{
    uint8_t op = bytes_u8(bytes);
    uint64_t mac = UINT64_C(0x020000000000) + (op & 7);
    uint32_t port = handle(bytes, PORTS);
    struct classify_rules *rules =
        op & 64 ? sim_port_rules(w->sim, op % PORTS) : sim_rules(w->sim);

    if (op & 8) {
        if (sim_fdb_set(w->sim, mac, port) == ST_OK) {
            FUZZ_CHECK(sim_fdb_get(w->sim, mac) == port);
        }
    } else if (op & 16) {
        bool there = sim_fdb_get(w->sim, mac) != MMU_NONE;

        FUZZ_CHECK((sim_fdb_remove(w->sim, mac) == ST_OK) == there);
        FUZZ_CHECK(sim_fdb_get(w->sim, mac) == MMU_NONE);
    } else if (rules) {
        rules->dscp_to_tc = op & 32 ? &w->maps[0] : NULL;
        rules->tc_to_pg = op & 1 ? &w->maps[1] : NULL;
        rules->tc_to_queue = op & 2 ? &w->maps[2] : NULL;
        rules->default_tc = op & 4 ? PER_PORT - 1 : 0;
    }
}

static void
do_clear(struct world *w, struct bytes *bytes)
{
    uint8_t op = bytes_u8(bytes);
    uint32_t pg = mmu_pg_id(w->mmu, op % PORTS, (op >> 2) % PER_PORT);
    struct mmu_pg_stats stats;
    struct mmu_pool_stats pool;

    if (!sim_port_get(w->sim, op % PORTS)) {
        return;
    }
    mmu_pg_clear_watermarks(w->mmu, pg, op >> 5);
    mmu_queue_clear_watermarks(w->mmu, pg, op >> 5);
    if (mmu_pool_get(w->mmu, op % POOLS, &pool) == ST_OK) {
        mmu_pool_clear_watermarks(w->mmu, op % POOLS, op >> 5);
    }
    if (op & 16) {
        sim_port_clear_stats(w->sim, op % PORTS);
    }
    mmu_pg_get(w->mmu, pg, &stats);
    FUZZ_CHECK(stats.shared_watermark >= stats.shared);
    FUZZ_CHECK(stats.headroom_watermark >= stats.headroom);
}

static void
check(const struct world *w)
{
    const char *wrong = mmu_check(w->mmu);

    if (wrong) {
        fprintf(stderr, "mmu_check: %s\n", wrong);
    }
    FUZZ_CHECK(wrong == NULL);
    wrong = voq_check(w->sim);
    if (wrong) {
        fprintf(stderr, "voq_check: %s\n", wrong);
    }
    FUZZ_CHECK(wrong == NULL);
}

/* Sets up what most programs need: pools, two profiles, ports with addresses
 * behind them. */
static void
furnish(struct world *w)
{
    const struct mmu_pool_config pools[] = {
        {MMU_INGRESS, w->chip.memory_bytes / 2, 0},
        {MMU_EGRESS, w->chip.memory_bytes / 2, 0}};
    struct sim_port_config port = {.speed_mbps = 40000,
                                   .admin_up = true,
                                   .tx_enabled = true,
                                   .pfc_tx_enabled = 0xff};
    uint32_t made;

    for (uint32_t i = 0; i < 2; i++) {
        struct mmu_profile_config profile = {
            .pool = i, .xoff_bytes = i ? 0 : w->chip.memory_bytes / 16};

        FUZZ_CHECK(mmu_pool_create(w->mmu, &pools[i], &made, NULL) == ST_OK);
        FUZZ_CHECK(mmu_profile_create(w->mmu, &profile, &made, NULL) == ST_OK);
    }
    for (uint32_t i = 0; i + 1 < PORTS; i++) {
        FUZZ_CHECK(sim_port_add(w->sim, i, i, &port) == ST_OK);
        FUZZ_CHECK(sim_fdb_set(w->sim, UINT64_C(0x020000000000) + i, i) ==
                   ST_OK);
    }
    for (uint32_t i = 0; i < CLASSIFY_TCS; i++) {
        w->maps[0].entries[i] = (uint8_t)(i % 8);
        w->maps[1].entries[i] = (uint8_t)(i % PER_PORT);
        w->maps[2].entries[i] = (uint8_t)((i / 2) % PER_PORT);
    }
}

/* Takes all ports away.  What is left in the buffer then is lost. */
static void
clear_out(struct world *w)
{
    for (uint32_t i = 0; i < PORTS; i++) {
        bool there = sim_port_get(w->sim, i) != NULL;

        FUZZ_CHECK((sim_port_remove(w->sim, i) == ST_OK) == there);
        check(w);
    }
    (void)sim_settle(w->sim);
    check(w);
    FUZZ_CHECK(mmu_used_cells(w->mmu) == 0);
    for (uint32_t i = 0; i < POOLS; i++) {
        struct mmu_pool_stats stats;

        if (mmu_pool_get(w->mmu, i, &stats) == ST_OK) {
            FUZZ_CHECK(stats.reserved + stats.shared + stats.headroom == 0);
        }
    }
}

static void
run(const uint8_t *data, size_t size)
{
    typedef void step_fn(struct world *, struct bytes *);
    static step_fn *const steps[] = {
        do_send,   do_send,       do_send,    do_time,    do_time,   do_pool,
        do_port,   do_port,       do_profile, do_profile, do_attach, do_attach,
        do_attach, do_forwarding, do_clear,   do_send};
    struct bytes bytes = {data, size};
    struct world w = {0};

    choose_chip(&w.chip, &bytes);
    w.sim = sim_create(&w.chip);
    w.mmu = sim_mmu(w.sim);
    furnish(&w);
    check(&w);
    for (int i = 0; i < MAX_STEPS && bytes_more(&bytes); i++) {
        steps[bytes_u8(&bytes) % 16](&w, &bytes);
        check(&w);
    }
    clear_out(&w);
    sim_destroy(w.sim);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct snapshot_job job = {.run = run};

    snapshot_run(&job, data, size);
    return 0;
}
