/* SPDX-License-Identifier: Apache-2.0 */

/* Hops per second of fabrics of adapters that run RoCEv2 with DCQCN.
 *
 * A hop is a frame that crosses one link; acknowledgements, notifications and
 * pauses are frames, too.  Switches have everything on: the buffer of a real
 * chip, PFC, ECN, counters, routing with ECMP.  Two loads:
 *   permutation  in a fat tree of k-port switches each host sends one message
 *                to one other, with a window of 64 packets
 *   incast       in a star all hosts send one message to the last one
 * Every packet is acknowledged.  Links are 100 Gb/s and 200 m (1 us) long.
 *
 * Prints one JSON object per line: the speed, memory, and what happened.
 * 'hash' is the digest of all completion times, drops and pauses: it depends on
 * nothing but the parameters.
 *
 * Usage: bench_fabric [permutation K [PACKETS [PROFILE [ORDER [LLR [LANES]]]]]]
 *        bench_fabric incast SENDERS [PACKETS [PROFILE [ORDER]]]
 * Without arguments it runs a permutation of 128 hosts and an incast of 48:1.
 * PACKETS are those of a message.  PROFILE is a name of DCQCN parameters
 * (twin/transport/dcqcn.h), "none", or "tcp": messages over TCP (reno) instead
 * of RoCEv2, with the same packets, window and acknowledgements.  ORDER is that
 * of building.  With LLR 1 all links have link-level retry.  LANES is the most
 * parts that take turns (fabric_divide()), 1: not divided; without it, what
 * suits the size. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/parse.h"
#include "base/random.h"
#include "process/huge_pages.h"
#include "tests/bench/measure.h"
#include "tests/support/fat_tree.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/rc.h"
#include "twin/transport/tcp.h"

enum {
    SPEED_MBPS = 100000,
    METRES = 200,
    MTU_BYTES = 4096,
    WINDOW = 64,
    HEADROOM_BYTES = 60000,
    LLR_BYTES = 60000, /* 2 us, and two frames. */
};

#define LLR_TIMER_PS INT64_C(10000000)

/* Marks from 400 KB on, all above 1,600 KB. */
static const struct wred_profile wred = {
    .colors = {{.marks = true, .mark = {400000, 1600000, 20}}}};

struct bench {
    const char *load;
    uint32_t size; /* K, or senders. */
    uint32_t packets;
    const char *profile; /* NULL: none. */
    bool is_tcp;
    uint64_t order;
    bool has_llr;
    uint32_t n_lanes; /* 0: by size. */

    struct rc_config rc;
    struct tcp_config tcp;
    struct dcqcn dcqcn;
    struct fat_tree tree;
    struct star star;
    struct fabric *fabric;
    struct nic **nics;
    uint32_t n_nics;
    uint32_t n_flows;
    struct connection *connections;
    int64_t *done_ps; /* By sender; 0: not yet. */
};

/* The completion of a sender's message. */
struct sender {
    struct bench *bench;
    uint32_t number;
};

static void
on_completion(void *context, uint32_t qp,
              const struct rc_completion *completion, int64_t now_ps)
{
    const struct sender *sender = context;

    (void)qp;
    orch_assert(completion->status == RC_STATUS_OK);
    if (completion->is_receive) {
        return;
    }
    sender->bench->done_ps[sender->number] = now_ps;
}

/* Building ----------------------------------------------------------------- */

static void
make_transport(struct bench *bench)
{
    bench->rc = rc_config_default;
    bench->rc.mtu_bytes = MTU_BYTES;
    bench->rc.ack_every = 1;
    bench->rc.window_bytes = (uint64_t)WINDOW * MTU_BYTES;
    bench->tcp = tcp_config_default;
    bench->tcp.algorithm = TCP_RENO;
    bench->tcp.mss_bytes = MTU_BYTES;
    bench->tcp.ack_every = 1;
    bench->tcp.window_bytes = WINDOW * MTU_BYTES;
    bench->tcp.initial_segments = WINDOW;
    if (bench->profile) {
        const struct dcqcn_profile *profile = dcqcn_profile_get(bench->profile);

        orch_assert(profile);
        orch_assert(dcqcn_init(&bench->dcqcn, profile,
                               (int64_t)SPEED_MBPS * 1000000, NULL) == ST_OK);
        bench->rc.echo_ce = profile->np_mode == DCQCN_NP_ON_ACK;
    }
}

/* Sends one message from 'from' to 'to'. */
static void
start_flow(struct bench *bench, struct sender *sender,
           const struct connection_end ends[2])
{
    const struct nic_qp_config qp = {.kind = bench->is_tcp ? NIC_TCP : NIC_RC,
                                     .rc = &bench->rc,
                                     .tcp = &bench->tcp,
                                     .dcqcn =
                                         bench->profile ? &bench->dcqcn : NULL};
    const struct rc_request request = {
        .operation = RC_SEND, .length_bytes = bench->packets * MTU_BYTES};
    struct connection *connection = &bench->connections[bench->n_flows++];

    connection_init(connection, ends, &qp,
                    (uint16_t)(49152 + sender->number % 16384));
    nic_set_listener(ends[0].nic, on_completion, sender);
    orch_assert(nic_post(ends[0].nic, connection->qps[0], &request) == ST_OK);
}

/* Gives all links of the fat tree link-level retry. */
static void
add_llr(struct bench *bench)
{
    const struct llr_port port = {.sends = true,
                                  .receives = true,
                                  .profile = {.max_frames = LLR_MAX_FRAMES,
                                              .max_bytes = LLR_BYTES,
                                              .replay_timer_ps = LLR_TIMER_PS,
                                              .max_replays = LLR_REPLAY_ENDLESS,
                                              .in_init = LLR_BLOCK,
                                              .in_flush = LLR_BLOCK,
                                              .reinit = true,
                                              .spacing_bytes = 2048},
                                  .speed_mbps = SPEED_MBPS,
                                  .mtu_bytes = 9216};

    for (uint32_t i = 0; i < bench->tree.n_links; i++) {
        llr_set_port(link_llr(bench->tree.links[i]), 0, &port);
        llr_set_port(link_llr(bench->tree.links[i]), 1, &port);
    }
}

/* Makes 'targets' a permutation without fixed points (Sattolo's algorithm). */
static void
permute(uint32_t *targets, uint32_t n)
{
    struct random random;

    random_init(&random, 1);
    for (uint32_t i = 0; i < n; i++) {
        targets[i] = i;
    }
    for (uint32_t i = n - 1; i > 0; i--) {
        const uint32_t j = (uint32_t)random_below(&random, i);
        const uint32_t swap = targets[i];

        targets[i] = targets[j];
        targets[j] = swap;
    }
}

static void
make_permutation(struct bench *bench, const struct switch_setup *setup,
                 const struct nic_config *nic, struct sender *senders)
{
    uint32_t *targets;

    fat_tree_init(&bench->tree,
                  &(struct fat_tree_config){.setup = *setup,
                                            .length_m = METRES,
                                            .seed = 1,
                                            .nic = *nic,
                                            .order = bench->order,
                                            .memory = &huge_pages});
    bench->fabric = bench->tree.fabric;
    bench->nics = bench->tree.nics;
    bench->n_nics = bench->tree.n_hosts;
    if (bench->has_llr) {
        add_llr(bench);
    }
    targets = check_malloc(bench->n_nics * sizeof *targets);
    permute(targets, bench->n_nics);
    for (uint32_t i = 0; i < bench->n_nics; i++) {
        senders[i] = (struct sender){bench, i};
        start_flow(
            bench, &senders[i],
            (struct connection_end[2]){fat_tree_end(&bench->tree, i),
                                       fat_tree_end(&bench->tree, targets[i])});
    }
    free(targets);
}

static void
make_incast(struct bench *bench, const struct switch_setup *setup,
            const struct nic_config *nic, struct sender *senders)
{
    const uint32_t target = bench->size;

    star_init(&bench->star, setup, nic, METRES, 1);
    bench->fabric = bench->star.fabric;
    bench->nics = bench->star.nics;
    bench->n_nics = bench->star.n_hosts;
    for (uint32_t i = 0; i < bench->size; i++) {
        senders[i] = (struct sender){bench, i};
        start_flow(bench, &senders[i],
                   (struct connection_end[2]){
                       {.nic = bench->nics[i], .mac = star_mac(i)},
                       {.nic = bench->nics[target], .mac = star_mac(target)}});
    }
}

/* Results ------------------------------------------------------------------ */

/* What happened in a fabric. */
struct outcome {
    struct fabric_census census;
    uint64_t hops;
    uint64_t marks;
    uint64_t pauses; /* Sent by switches and adapters. */
    uint64_t done;
    int64_t last_ps;
    double mean_us;
    uint64_t hash;
};

static struct outcome
look(const struct bench *bench)
{
    struct outcome out = {.hash = DIGEST_START};
    double sum_us = 0;

    fabric_take_census(bench->fabric, &out.census);
    out.hops = out.census.hops;
    for (uint32_t i = 0; i < bench->n_flows; i++) {
        const struct connection *c = &bench->connections[i];
        const int64_t done_ps = bench->done_ps[i];

        (void)c;
        out.done += done_ps != 0;
        out.last_ps = done_ps > out.last_ps ? done_ps : out.last_ps;
        sum_us += (double)done_ps / 1e6;
        out.hash = digest_bytes(out.hash, &done_ps, sizeof done_ps);
    }
    for (uint32_t i = 0; i < bench->n_nics; i++) {
        for (uint32_t qp = 0; qp < nic_n_qps(bench->nics[i]); qp++) {
            out.marks += nic_received(bench->nics[i], qp)->marked;
        }
    }
    out.pauses = out.census.pauses;
    out.mean_us = sum_us / bench->n_flows;
    out.hash = digest_bytes(out.hash, &out.pauses, sizeof out.pauses);
    out.hash = digest_bytes(out.hash, &out.census.discarded,
                            sizeof out.census.discarded);
    return out;
}

static void
print(const struct bench *bench, double run_ns)
{
    const struct outcome out = look(bench);
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    printf("{\"bench\":\"fabric-%s\",\"params\":{\"size\":%u,\"hosts\":%u,"
           "\"packets\":%u,\"dcqcn\":\"%s\",\"lanes\":%u},\"value\":%.2f,"
           "\"unit\":\"Mhops/s\",\"ns_per_hop\":%.1f,\"hops\":%llu,"
           "\"rss_mb\":%ld,\"done\":%llu,\"fct_mean_us\":%.1f,"
           "\"fct_max_us\":%.1f,\"drops\":%llu,\"pauses\":%llu,"
           "\"marks\":%llu,\"hash\":\"%016llx\"}\n",
           bench->load, bench->size, bench->n_nics, bench->packets,
           bench->is_tcp    ? "tcp"
           : bench->profile ? bench->profile
                            : "none",
           bench->n_lanes, (double)out.hops * 1e3 / run_ns,
           run_ns / (double)out.hops, (unsigned long long)out.hops,
           usage.ru_maxrss / 1024, (unsigned long long)out.done, out.mean_us,
           (double)out.last_ps / 1e6,
           (unsigned long long)(out.census.discarded + out.census.dropped),
           (unsigned long long)out.pauses, (unsigned long long)out.marks,
           (unsigned long long)out.hash);
}

/* Runs 'bench' with 'chip'.  Of an incast all packets are in the partition of
 * one port, so PGs pause earlier. */
static void
run(struct bench *bench, const struct chip *chip)
{
    const bool is_incast = strcmp(bench->load, "incast") == 0;
    const uint32_t k = bench->size;
    const uint32_t n_hosts = is_incast ? k + 1 : k * k * k / 4;
    const struct switch_setup setup = {.chip = chip,
                                       .n_ports = is_incast ? k + 1 : k,
                                       .speed_mbps = SPEED_MBPS,
                                       .dynamic_th = is_incast ? -6 : -3,
                                       .reserved_bytes = 2000,
                                       .headroom_bytes = HEADROOM_BYTES,
                                       .xon_offset_bytes = 4000,
                                       .wred = &wred};
    struct sender *senders = check_calloc(n_hosts, sizeof *senders);
    struct nic_config nic;
    double start_ns;

    nic_config_init(&nic, SPEED_MBPS);
    nic.ack_priority = SWITCH_SETUP_STRICT;
    nic.ack_dscp = SWITCH_SETUP_STRICT << 3;
    make_transport(bench);
    bench->connections = check_calloc(n_hosts, sizeof *bench->connections);
    bench->done_ps = check_calloc(n_hosts, sizeof *bench->done_ps);
    if (is_incast) {
        make_incast(bench, &setup, &nic, senders);
    } else {
        make_permutation(bench, &setup, &nic, senders);
    }
    bench->n_lanes = fabric_divide(bench->fabric, bench->n_lanes);
    start_ns = measure_cpu_ns();
    engine_run_until(fabric_engine(bench->fabric), EVENT_NEVER);
    print(bench, measure_cpu_ns() - start_ns);
    if (is_incast) {
        star_fini(&bench->star);
    } else {
        fat_tree_fini(&bench->tree);
    }
    for (uint32_t i = 0; i < bench->n_flows; i++) {
        connection_fini(&bench->connections[i]);
    }
    free(bench->connections);
    free(bench->done_ps);
    free(senders);
}

/* Returns argument 'i' as a number, 'otherwise' if there is none. */
static uint64_t
number(int argc, char **argv, int i, uint64_t otherwise)
{
    uint64_t value = otherwise;

    if (i < argc && parse_u64(argv[i], 0, UINT32_MAX, &value) != ST_OK) {
        fprintf(stderr, "bench_fabric: '%s' is not a number\n", argv[i]);
        exit(2);
    }
    return value;
}

/* Runs '*bench' with chip th, with as many ports as the load needs: others
 * would cost memory only. */
static void
run_sized(struct bench *bench)
{
    const uint32_t n_ports = bench->size + (strcmp(bench->load, "incast") == 0);
    struct chip *chip = NULL;
    struct chip *sized = NULL;
    struct err err = {0};
    char text[64];

    snprintf(text, sizeof text, "ports: %u\ndefault_ports: %u\n", n_ports,
             n_ports);
    if (chip_file_load(CHIPS_DIR, "th", &chip, &err) != ST_OK ||
        chip_file_vary(chip, text, "bench_fabric", &sized, &err) != ST_OK) {
        fprintf(stderr, "bench_fabric: %s\n", err.reason);
        exit(2);
    }
    run(bench, sized);
    chip_file_destroy(sized);
    chip_file_destroy(chip);
}

int
main(int argc, char **argv)
{
    static struct bench benches[] = {
        {.load = "permutation", .size = 8, .packets = 300, .profile = "paper"},
        {.load = "incast", .size = 48, .packets = 2000, .profile = "paper"}};
    struct bench bench = {.profile = "paper"};

    if (argc < 2) {
        run_sized(&benches[0]);
        run_sized(&benches[1]);
        return 0;
    }
    bench.load = argv[1];
    bench.size = (uint32_t)number(argc, argv, 2, 8);
    bench.packets = (uint32_t)number(argc, argv, 3, 300);
    if (argc > 4) {
        bench.is_tcp = strcmp(argv[4], "tcp") == 0;
        bench.profile =
            bench.is_tcp || strcmp(argv[4], "none") == 0 ? NULL : argv[4];
    }
    bench.order = number(argc, argv, 5, 0);
    bench.has_llr = number(argc, argv, 6, 0) != 0;
    bench.n_lanes = (uint32_t)number(argc, argv, 7, 0);
    if ((strcmp(bench.load, "permutation") != 0 &&
         strcmp(bench.load, "incast") != 0) ||
        bench.size < 2 || bench.size > FAT_TREE_MAX_K ||
        (bench.load[0] == 'p' && bench.size % 2) || bench.packets == 0 ||
        bench.n_lanes > ENGINE_MAX_LANES ||
        (bench.profile && !dcqcn_profile_get(bench.profile))) {
        fprintf(stderr,
                "usage: bench_fabric [permutation|incast SIZE "
                "[PACKETS [PROFILE [ORDER [LLR [LANES]]]]]], K even, SIZE up "
                "to %d, LANES up to %d\n",
                FAT_TREE_MAX_K, ENGINE_MAX_LANES);
        return 2;
    }
    run_sized(&bench);
    return 0;
}
