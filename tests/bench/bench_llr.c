/* SPDX-License-Identifier: Apache-2.0 */

/* What link-level retry costs a frame.
 *
 * A host sends to another one at line rate over two switches.  The cable
 * between these, which has no errors, has retry of both directions or not, by
 * turns.  The result is the median of the differences, in nanoseconds of the
 * processor per frame; beside it the median of the frames without.  Prints one
 * JSON object per length of frames. Usage: bench_llr [FRAMES], the number per
 * run. */

#include <config.h>

#include <stdio.h>

#include "base/check.h"
#include "base/parse.h"
#include "tests/bench/measure.h"
#include "twin/fabric/fabric.h"

enum { SPEED_MBPS = 100000, METRES = 20, MTU_BYTES = 9216, PAIRS = 31 };

/* The round trip, the distance of ACKs, and two frames. */
enum { WINDOW_BYTES = 40000, SPACING_BYTES = 2048 };

#define TIMER_PS INT64_C(10000000)

/* When INIT is over, so that no frame waits for it: else the others would wait
 * behind it, which costs something without retry, too. */
#define START_PS INT64_C(20000000)

static void
add_llr(struct link *link)
{
    const struct llr_port port = {.sends = true,
                                  .receives = true,
                                  .profile = {.max_frames = LLR_MAX_FRAMES,
                                              .max_bytes = WINDOW_BYTES,
                                              .replay_timer_ps = TIMER_PS,
                                              .max_replays = LLR_REPLAY_ENDLESS,
                                              .in_init = LLR_BLOCK,
                                              .in_flush = LLR_BLOCK,
                                              .reinit = true,
                                              .spacing_bytes = SPACING_BYTES},
                                  .speed_mbps = SPEED_MBPS,
                                  .mtu_bytes = MTU_BYTES};

    llr_set_port(link_llr(link), 0, &port);
    llr_set_port(link_llr(link), 1, &port);
}

/* Connects two ends of 'fabric'; returns the link. */
static struct link *
join(struct fabric *fabric, struct fabric_end one, struct fabric_end other)
{
    const struct fabric_end ends[2] = {one, other};
    struct link *link;

    orch_assert(fabric_connect(fabric, ends, METRES, MTU_BYTES, &link) ==
                ST_OK);
    return link;
}

/* Adds a switch that has host 'i' + 1 at port 'i', and the other one at the
 * other port. */
static struct sim *
add_switch(struct fabric *fabric, unsigned int i, struct host **host)
{
    const struct host_config config = {.mac = i + 1, .speed_mbps = SPEED_MBPS};
    struct chip chip;
    struct sim *sim;

    chip_init(&chip);
    chip.ports = 2;
    sim = fabric_add_switch(fabric, &chip);
    for (uint32_t port = 0; port < 2; port++) {
        orch_assert(sim_port_add(sim, port, port,
                                 &(struct sim_port_config){
                                     .speed_mbps = SPEED_MBPS,
                                     .admin_up = true,
                                     .tx_enabled = true}) == ST_OK);
        orch_assert(sim_fdb_set(sim, port + 1, port) == ST_OK);
    }
    orch_assert(fabric_add_host(fabric, &config, host) == ST_OK);
    (void)join(fabric, (struct fabric_end){.host = *host},
               (struct fabric_end){.sim = sim, .port = i});
    return sim;
}

/* Returns the nanoseconds of the processor per frame of 'n'. */
static double
run(bool has_llr, uint32_t length_bytes, uint64_t n)
{
    struct fabric *fabric = fabric_create(1);
    struct host *hosts[2];
    struct sim *sims[2];
    struct link *link;
    const struct flow_config flow = {
        .pace = {.start_ps = START_PS, .n_frames = n, .interval = {0, 1}},
        .frame = {.dst_mac = 2, .length_bytes = length_bytes, .dscp = 0}};
    double start_ns, took_ns;

    for (unsigned int i = 0; i < 2; i++) {
        sims[i] = add_switch(fabric, i, &hosts[i]);
    }
    link = join(fabric, (struct fabric_end){.sim = sims[0], .port = 1},
                (struct fabric_end){.sim = sims[1], .port = 0});
    if (has_llr) {
        add_llr(link);
    }
    orch_assert(host_add_flow(hosts[0], &flow) == ST_OK);
    start_ns = measure_cpu_ns();
    engine_run_until(fabric_engine(fabric), EVENT_NEVER);
    took_ns = measure_cpu_ns() - start_ns;
    orch_assert(host_receiver(hosts[1])->frames == n);
    if (has_llr) {
        struct llr_stats stats;

        llr_get_stats(link_llr(link), 1, &stats);
        orch_assert(stats.rx_expected_seq_good == n);
    }
    fabric_destroy(fabric);
    return took_ns / (double)n;
}

static void
bench(uint32_t length_bytes, uint64_t n)
{
    double more_ns[PAIRS], without_ns[PAIRS];

    for (int i = 0; i < PAIRS; i++) {
        const bool first = i & 1;
        const double one = run(first, length_bytes, n);
        const double other = run(!first, length_bytes, n);

        without_ns[i] = first ? other : one;
        more_ns[i] = first ? one - other : other - one;
    }
    printf("{\"bench\":\"llr\",\"params\":{\"frame\":%u,\"frames\":%llu,"
           "\"without_ns\":%.1f},\"value\":%.1f,\"unit\":\"ns more/frame\"}\n",
           (unsigned int)length_bytes, (unsigned long long)n,
           measure_median(without_ns, PAIRS), measure_median(more_ns, PAIRS));
}

int
main(int argc, char **argv)
{
    uint64_t n = 200000;

    if (argc > 2 ||
        (argc == 2 && parse_u64(argv[1], 1, UINT32_MAX, &n) != ST_OK)) {
        fprintf(stderr, "usage: bench_llr [FRAMES]\n");
        return 2;
    }
    bench(60, n);
    bench(1514, n);
    return 0;
}
