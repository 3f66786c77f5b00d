/* SPDX-License-Identifier: Apache-2.0 */

/* Frames through a whole switch, and what ports that do nothing cost.
 *
 * Hosts on a given number of ports send to each other at line rate; all
 * other ports of the switch are up and idle.  Then a frame at a time is flooded
 * to a given number of members of a VLAN.  Last, frames wait for one port, with
 * and without queues that would trim them.  Frames per second are those that
 * have come out, of wall time of the processor.  Prints one JSON object per
 * line.  Usage: bench_sim [FRAMES], the number per run. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/parse.h"
#include "twin/fabric/fabric.h"

enum {
    SPEED_MBPS = 100000,
    LENGTH = 1000,
    RUNS = 3,
    VLAN = 10,
    BURST = 1000, /* Frames that wait at a time. */
    PAIRS = 15,
};

#define FLOODED UINT64_C(0x0200000000ff)

static double
cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t
mac_of(uint32_t port)
{
    return UINT64_C(0x020000000001) + port;
}

/* Adds the host of 'port', which sends 'n' frames to the next one. */
static struct host *
add_host(struct fabric *fabric, struct sim *sim, uint32_t port, uint32_t active,
         uint64_t n)
{
    const struct host_config config = {.mac = mac_of(port),
                                       .speed_mbps = SPEED_MBPS};
    struct fabric_end ends[2] = {{.host = NULL}, {.sim = sim, .port = port}};
    const struct flow_config flow = {
        .flow = port,
        .pace = {.n_frames = n, .interval = {0, 1}},
        .frame = {.dst_mac = mac_of((port + 1) % active),
                  .length_bytes = LENGTH,
                  .dscp = 0}};
    enum st status = fabric_add_host(fabric, &config, &ends[0].host);

    orch_assert(status == ST_OK);
    orch_assert(fabric_connect(fabric, ends, 5, 9216, NULL) == ST_OK);
    orch_assert(host_add_flow(ends[0].host, &flow) == ST_OK);
    return ends[0].host;
}

/* Returns the frames per second. */
static double
run(const struct chip *chip, uint32_t active, uint64_t n)
{
    struct fabric *fabric = fabric_create(1);
    struct sim *sim = fabric_add_switch(fabric, chip);
    struct host **hosts = check_calloc(active, sizeof *hosts);
    uint64_t received = 0;
    double start;
    double took;

    for (uint32_t i = 0; i < chip->ports; i++) {
        orch_assert(sim_port_add(sim, i, i,
                                 &(struct sim_port_config){
                                     .speed_mbps = SPEED_MBPS,
                                     .admin_up = true,
                                     .tx_enabled = true}) == ST_OK);
        orch_assert(sim_fdb_set(sim, mac_of(i), i) == ST_OK);
    }
    for (uint32_t i = 0; i < active; i++) {
        hosts[i] = add_host(fabric, sim, i, active, n / active);
    }
    start = cpu_s();
    engine_run_until(fabric_engine(fabric), EVENT_NEVER);
    took = cpu_s() - start;
    for (uint32_t i = 0; i < active; i++) {
        received += host_receiver(hosts[i])->frames;
    }
    orch_assert(received == n / active * active);
    fabric_destroy(fabric);
    free(hosts);
    return (double)received / took;
}

static void
bench(uint32_t ports, uint32_t active, uint64_t n)
{
    struct chip chip;
    double best = 0;

    chip_init(&chip);
    chip.ports = ports;
    for (int i = 0; i < RUNS; i++) {
        double rate = run(&chip, active, n);

        best = rate > best ? rate : best;
    }
    printf("{\"bench\":\"sim-forward\",\"params\":{\"ports\":%u,\"active\":%u,"
           "\"frames\":%llu},\"value\":%.0f,\"unit\":\"frames/s\"}\n",
           (unsigned int)ports, (unsigned int)active, (unsigned long long)n,
           best);
}

/* Returns the copies per second of 'n' that are flooded to 'members' others. */
static double
run_flood(const struct chip *chip, uint32_t members, uint64_t n)
{
    struct sim *sim = sim_create(chip);
    const struct sim_frame frame = {
        .dst_mac = FLOODED, .length_bytes = LENGTH, .dscp = 0, .tag = VLAN};
    double start;
    double took;

    bridge_vlan_add(sim_bridge(sim), VLAN);
    for (uint32_t i = 0; i < chip->ports; i++) {
        orch_assert(sim_port_add(sim, i, i,
                                 &(struct sim_port_config){
                                     .speed_mbps = SPEED_MBPS,
                                     .admin_up = true,
                                     .tx_enabled = true}) == ST_OK);
        if (i <= members) {
            bridge_member_set(sim_bridge(sim), VLAN, i, BRIDGE_TAGGED);
        }
    }
    start = cpu_s();
    orch_assert(sim_send(sim, 0, &frame, n / members, 0, NULL) == ST_OK);
    sim_settle(sim);
    took = cpu_s() - start;
    for (uint32_t i = 0; i < chip->ports; i++) {
        struct sim_port_stats stats;

        orch_assert(sim_port_get_stats(sim, i, &stats) == ST_OK);
        orch_assert(stats.tx_non_ucast_packets + stats.tx_ucast_packets ==
                    (i > 0 && i <= members ? n / members : 0));
    }
    sim_destroy(sim);
    return (double)(n / members * members) / took;
}

static void
bench_flood(uint32_t ports, uint32_t members, uint64_t n)
{
    struct chip chip;
    double best = 0;

    chip_init(&chip);
    chip.ports = ports;
    for (int i = 0; i < RUNS; i++) {
        double rate = run_flood(&chip, members, n);

        best = rate > best ? rate : best;
    }
    printf("{\"bench\":\"sim-flood\",\"params\":{\"ports\":%u,\"members\":%u,"
           "\"copies\":%llu},\"value\":%.0f,\"unit\":\"copies/s\"}\n",
           (unsigned int)ports, (unsigned int)members, (unsigned long long)n,
           best);
}

/* Returns the frames per second of 'n' that wait for one port; 'trims': all
 * queues would trim what they do not admit, but admit it all. */
static double
run_waiting(const struct chip *chip, bool trims, uint64_t n)
{
    struct sim *sim = sim_create(chip);
    const struct sim_frame frame = {
        .dst_mac = mac_of(1), .length_bytes = LENGTH, .dscp = 0};
    struct sim_port_stats stats;
    double start;
    double took;

    for (uint32_t i = 0; i < chip->ports; i++) {
        orch_assert(sim_port_add(sim, i, i,
                                 &(struct sim_port_config){
                                     .speed_mbps = SPEED_MBPS,
                                     .admin_up = true,
                                     .tx_enabled = true}) == ST_OK);
        for (uint32_t k = 0; trims && k < chip->queues_per_port; k++) {
            orch_assert(sim_queue_set_trim(sim, i, k, true) == ST_OK);
        }
    }
    orch_assert(sim_fdb_set(sim, mac_of(1), 1) == ST_OK);
    start = cpu_s();
    for (uint64_t sent = 0; sent < n; sent += BURST) {
        orch_assert(sim_send(sim, 0, &frame, BURST, 0, NULL) == ST_OK);
        sim_settle(sim);
    }
    took = cpu_s() - start;
    orch_assert(sim_port_get_stats(sim, 1, &stats) == ST_OK);
    orch_assert(stats.tx_ucast_packets == (n + BURST - 1) / BURST * BURST);
    sim_destroy(sim);
    return (double)stats.tx_ucast_packets / took;
}

static int
compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* What it costs a frame that its queue would trim it: pairs of runs, with and
 * without, and the median of their quotients. */
static void
bench_trimming(uint64_t n)
{
    struct chip chip;
    double quotients[PAIRS];

    chip_init(&chip);
    chip.ports = 32;
    for (int i = 0; i < PAIRS; i++) {
        const bool first = i & 1;
        const double one = run_waiting(&chip, first, n);
        const double other = run_waiting(&chip, !first, n);

        quotients[i] = first ? other / one : one / other;
    }
    qsort(quotients, PAIRS, sizeof quotients[0], compare);
    printf("{\"bench\":\"sim-trimming\",\"params\":{\"ports\":32,"
           "\"frames\":%llu},\"value\":%.1f,\"unit\":\"percent more\"}\n",
           (unsigned long long)n, 100 * (quotients[PAIRS / 2] - 1));
}

int
main(int argc, char **argv)
{
    uint64_t n = 1000000;

    if (argc > 2 ||
        (argc == 2 && parse_u64(argv[1], 512, UINT32_MAX, &n) != ST_OK)) {
        fprintf(stderr, "usage: bench_sim [FRAMES]\n");
        return 2;
    }
    bench(32, 32, n);
    bench(512, 32, n);
    bench(512, 512, n);
    bench_flood(32, 4, n);
    bench_flood(512, 4, n);
    bench_flood(512, 256, n);
    bench_trimming(n);
    return 0;
}
