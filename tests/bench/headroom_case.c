/* SPDX-License-Identifier: Apache-2.0 */

/* One PG: the worst phase, and the least headroom that survives it. */

#include <config.h>

#include "tests/bench/headroom_case.h"

#include "base/check.h"
#include "orchd/derive/terms.h"
#include "tests/bench/headroom_setup.h"
#include "twin/forwarding/frame.h"

enum {
    SHARED_BYTES = 4096,
    SHORTEST_BYTES = 60,
    AMPLE_BYTES = 512 * 1024, /* Beyond a multiple of what the formula says. */
};

static const char *const traffic_names[PROOF_N_TRAFFICS] = {
    [PROOF_SMALL] = "64 B",        [PROOF_STRADDLE] = "cell + 1 B",
    [PROOF_LONG] = "lossless mtu", [PROOF_CHANGE] = "64 B, last one long",
    [PROOF_JUMBO] = "MTU of port",
};

/* A case on its way. */
struct work {
    struct chip chip;
    struct bench_sender sender;
    struct bench_config bench;
    struct proof *proof;
};

const char *
proof_traffic_name(enum proof_traffic traffic)
{
    return traffic_names[traffic];
}

static uint32_t
first_bytes(const struct proof_case *c)
{
    switch (c->traffic) {
    case PROOF_STRADDLE:
        return c->chip->headroom_params.cell_size_bytes + 1;
    case PROOF_LONG:
        return c->mix.mtu;
    case PROOF_JUMBO:
        return c->port.mtu + PROOF_ETHERNET_BYTES;
    case PROOF_SMALL:
    case PROOF_CHANGE:
    case PROOF_N_TRAFFICS:
    default:
        return SHORTEST_BYTES;
    }
}

int64_t
proof_response_ps(const struct plan_question *question,
                  const struct headroom_port *port)
{
    static const char *const names[] = {"peer", "mac_phy", "gearbox", "tile"};
    const struct headroom_rules rules = plan_rules(question);
    struct terms terms = {.n = 0};
    struct headroom headroom;
    int64_t milli_bytes = 0;

    headroom_compute(&rules, port, true, &headroom, &terms);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        milli_bytes += terms_find(&terms, names[i])->value_milli;
    }
    /* 8 bits, 1,000,000 ps per bit at 1 Mb/s, and thousandths. */
    return milli_bytes * 8000 / port->speed_mbps;
}

static struct bench_outcome
run(struct work *work)
{
    struct bench_outcome outcome = {0};
    enum st status = bench_run(&work->bench, &outcome, NULL);

    orch_assert(status == ST_OK);
    work->proof->frames += outcome.frames;
    return outcome;
}

/* Runs with so much headroom; the pool, if there is one, has no more. */
static struct bench_outcome
run_with(struct work *work, const struct proof_case *c, uint64_t xoff_bytes)
{
    work->bench.xoff_bytes = xoff_bytes;
    work->bench.pool_xoff_bytes =
        c->shared
            ? chip_cells_to_bytes(
                  &work->chip, chip_bytes_to_cells_up(&work->chip, xoff_bytes))
            : 0;
    return run(work);
}

/* Returns more than is needed, whatever comes. */
static uint64_t
ample_bytes(const struct proof *proof)
{
    return 4 * proof->xoff_bytes + AMPLE_BYTES;
}

/* Prepares 'work': ample memory, and the formula's headroom in '*proof'. */
static void
begin(struct work *work, const struct proof_case *c, struct proof *proof)
{
    const struct plan_question question = {
        .chip = c->chip, .platform = c->platform, .traffic = c->mix};
    const struct headroom_rules rules = plan_rules(&question);
    struct headroom headroom;

    headroom_compute(&rules, &c->port, c->shared, &headroom, NULL);
    *proof =
        (struct proof){.xoff_bytes = headroom.xoff,
                       .worst_is_latest = true,
                       .response_ps = proof_response_ps(&question, &c->port)};
    *work =
        (struct work){.chip = *c->chip,
                      .sender = {.first_bytes = first_bytes(c),
                                 .then_bytes = first_bytes(c),
                                 .own_start_ps = -1},
                      .bench = {.speed_mbps = c->port.speed_mbps,
                                .cable_m = c->port.cable_m,
                                .response_ps = proof->response_ps,
                                .own_bytes = c->port.mtu + PROOF_ETHERNET_BYTES,
                                .guarantee_bytes = headroom.xon,
                                .shared_bytes = SHARED_BYTES,
                                .n_senders = 1},
                      .proof = proof};
    work->chip.partitions = 1;
    work->chip.port_partition = CHIP_PORT_PARTITION_BLOCK;
    work->chip.default_ports = 1;
    work->chip.ports = 2;
    work->bench.pool_bytes =
        ample_bytes(proof) + headroom.xon + (uint64_t)AMPLE_BYTES;
    work->chip.memory_bytes = work->bench.pool_bytes + AMPLE_BYTES;
    work->bench.chip = &work->chip;
    work->bench.senders = &work->sender;
}

/* Makes the phase the worst one, and returns the headroom that it takes. */
static uint64_t
find_worst_phase(struct work *work, const struct proof_case *c)
{
    const uint64_t ample = ample_bytes(work->proof);
    const int64_t own_ps =
        frame_wire_ps(work->bench.own_bytes, work->bench.speed_mbps);
    struct bench_outcome worst;
    int64_t xoff_ps;

    work->bench.xoff_bytes = ample;
    work->bench.pool_xoff_bytes = c->shared ? ample : 0;
    xoff_ps = bench_xoff_ps(&work->bench, first_bytes(c));
    work->sender.own_start_ps = xoff_ps - 1;
    worst = run_with(work, c, ample);
    for (uint32_t i = 1; i <= c->n_phases; i++) {
        work->sender.own_start_ps = xoff_ps - own_ps * i / c->n_phases;
        if (run_with(work, c, ample).headroom_bytes > worst.headroom_bytes) {
            work->proof->worst_is_latest = false;
        }
    }
    work->sender.own_start_ps = xoff_ps - 1;
    if (c->traffic == PROOF_CHANGE) {
        work->sender.n_frames = worst.frames - 1;
        work->sender.then_bytes = c->mix.mtu;
        worst = run_with(work, c, ample);
    }
    orch_assert(worst.lost_packets == 0);
    return worst.headroom_bytes;
}

/* Tries 'xoff_bytes'.  The last that lost, lost with least too little. */
static bool
loses(struct work *work, const struct proof_case *c, uint64_t xoff_bytes)
{
    uint64_t lost = run_with(work, c, xoff_bytes).lost_packets;

    if (lost) {
        work->proof->lost_with_less = lost;
    }
    return lost > 0;
}

/* Finds the least headroom that loses nothing, at or near 'guess'. */
static uint64_t
find_needed(struct work *work, const struct proof_case *c, uint64_t guess)
{
    const uint64_t cell = chip_cells_to_bytes(&work->chip, 1);
    uint64_t low = guess, high = guess; /* Loses, does not. */

    for (uint64_t step = cell; loses(work, c, high); step *= 2) {
        low = high;
        high += step;
    }
    for (uint64_t step = cell; low == high; step *= 2) {
        low -= step;
        if (!loses(work, c, low)) {
            high = low;
        }
    }
    while (high - low > cell) {
        uint64_t middle = low + (high - low) / cell / 2 * cell;

        if (loses(work, c, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

void
proof_find(const struct proof_case *c, struct proof *proof)
{
    struct work work;
    uint64_t guess;

    begin(&work, c, proof);
    guess = find_worst_phase(&work, c);
    if (!c->shared) {
        /* What the chip takes off. */
        guess += chip_cells_to_bytes(
            &work.chip,
            chip_at_speed(&work.chip.headroom_overhead, c->port.speed_mbps));
    }
    proof->needed_bytes = find_needed(&work, c, guess);
    proof->lost_packets = run_with(&work, c, proof->xoff_bytes).lost_packets;
}
