/* SPDX-License-Identifier: Apache-2.0 */

/* DCQCN beside the public ns-3 RDMA simulator of HPCC.
 *
 * A star of 65 hosts with 100 Gb/s and 1 us links: N hosts send 2 MB each to
 * the last one at the same time.  The adapters, the switch and the parameters
 * of DCQCN are those of that simulator, as data: NIC profile hpcc, DCQCN
 * profile fork-dcqcn, chips/hpcc-fork.yaml.  The targets are the results of
 * one run of it.  Nothing here is fitted to them.
 *
 * ECN marks are random, and with few senders the number of cuts that a flow
 * gets decides its completion time.  So each N is run with several seeds.  The
 * results are the median over the seeds of the mean and the maximum completion
 * time (FCT, from the start to the last acknowledgement) of the N flows, and
 * the least and the greatest mean, and in how many runs the mean was below the
 * target.
 *
 * Then the first pause of 48:1 with the profile fork-dcqcn-paper, as the switch
 * sends it and as the host has received it.
 *
 * That simulator has a clock of whole nanoseconds and rounds down, so its
 * frames of 1,048 bytes take 83 ns instead of 83.84 ns: links of 100 Gb/s carry
 * 101.  All of this is printed twice: with exact times, and with times rounded
 * down to TIME_STEP_PS ('time_step_ps' of adapters and ports).
 *
 * Then once more in steps, with one run per N and the random numbers of that
 * simulator ("draws":"ns-3").  It makes a generator for each mark that it
 * decides by chance, with the next stream of its seed, and takes one number
 * from it.  In this topology NS3_STREAMS streams are given out before: six by
 * the protocol stack of each of the 66 nodes (five IPv6 extensions, ARP), two
 * by the error model of the links.  This tells what differs because of other
 * random numbers from what differs because of the model: with two senders the
 * completion times depend on very few marks.
 *
 * Prints one JSON object per line.  Fails unless the last runs are within 3 %
 * of the means and 8 % of the maxima, and the first pause in steps within 0.3
 * us.
 *
 * Usage: anchor_dcqcn [SEEDS [TIME_STEP_PS]] */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/parse.h"
#include "tests/bench/measure.h"
#include "tests/support/mrg32k3a.h"
#include "tests/support/switch_setup.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/transport/dcqcn.h"
#include "twin/transport/opcode.h"
#include "twin/transport/rc.h"

enum {
    HOSTS = 65,
    TARGET = HOSTS - 1,
    SPEED_MBPS = 100000,
    TIME_STEP_PS = 1000,
    METRES = 200, /* 1 us */
    FLOW_BYTES = 2000000,
    MAX_SEEDS = 1000,
    MAX_STEP_PS = 1000000,
    PAUSE_SENDERS = 48,
    PAUSE_WIRE_BYTES = 84,
    RESERVED_BYTES = 4096,
    XON_OFFSET_BYTES = 3072,
    /* 3 * rate * delay */
    HEADROOM_BYTES = 37500,
};

/* Kmin 400 KB, Kmax 1,600 KB, Pmax 20 %. */
static const struct wred_profile wred = {
    .colors = {{.marks = true, .mark = {400000, 1600000, 20}}}};

static const struct anchor {
    uint32_t n;
    double mean_us;
    double max_us;
} anchors[] = {
    {2, 527, 540},    {8, 1921, 1974},  {16, 3237, 3438},
    {32, 5064, 6026}, {48, 7024, 8450},
};

#define FIRST_PAUSE_US 46.9

/* Random numbers as ns-3 draws them: the first of each stream. */
enum {
    NS3_SEED = 1,
    NS3_RUN = 1,
    NS3_STREAMS = 66 * 6 + 2,
    NS3_STREAM_POWER = 127,
    NS3_RUN_POWER = 76,
};

struct draws {
    struct mrg32k3a stream; /* The next one. */
    struct wred_chance chance;
    struct wred_profile wred;
};

/* Of a struct wred_chance. */
static uint32_t
draw(void *context)
{
    struct draws *draws = context;
    struct mrg32k3a generator = draws->stream;

    for (int i = 0; i < NS3_RUN; i++) {
        mrg32k3a_jump(&generator, NS3_RUN_POWER);
    }
    mrg32k3a_jump(&draws->stream, NS3_STREAM_POWER);
    return (uint32_t)(mrg32k3a_next(&generator) * 4294967296.0);
}

/* Prepares 'draws' for a run. */
static void
draws_init(struct draws *draws)
{
    mrg32k3a_init(&draws->stream, NS3_SEED);
    for (int i = 0; i < NS3_STREAMS; i++) {
        mrg32k3a_jump(&draws->stream, NS3_STREAM_POWER);
    }
    draws->chance = (struct wred_chance){draw, draws};
    draws->wred = wred;
    draws->wred.chance = &draws->chance;
}

/* The buffer of that simulator counts what it sends: 1,048 bytes.  Here a frame
 * on the wire has 24 bytes that the buffer does not count, so the frames of the
 * profile are 1,024 bytes long. */
#define FRAME_OVERHEAD "packet_overhead_bytes: 24\n"

struct incast {
    struct star star;
    struct rc_config rc;
    struct dcqcn dcqcn;
    struct connection connections[HOSTS];
    uint32_t n;
    uint32_t n_done;
    double mean_us;
    double max_us;
    int64_t first_pause_ps; /* -1: none yet. */
    uint64_t drops;
};

static void
on_completion(void *context, uint32_t qp,
              const struct rc_completion *completion, int64_t now_ps)
{
    struct incast *incast = context;
    const double us = (double)now_ps / 1e6;

    (void)qp;
    orch_assert(completion->status == RC_STATUS_OK);
    incast->n_done++;
    incast->mean_us += us / incast->n;
    incast->max_us = us > incast->max_us ? us : incast->max_us;
}

static void
on_pfc(void *context, uint32_t port, unsigned int priority, unsigned int quanta,
       int64_t now_ps)
{
    struct incast *incast = context;

    (void)port;
    (void)priority;
    if (quanta && incast->first_pause_ps < 0) {
        incast->first_pause_ps = now_ps;
    }
}

static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct incast *incast = context;

    (void)port;
    (void)why;
    (void)frame;
    (void)now_ps;
    incast->drops++;
}

/* What is the same for all runs. */
struct set_up {
    const struct chip *chip;
    uint32_t time_step_ps;
    uint64_t seeds;
    struct draws *draws; /* NULL: streams of this project, by seed. */
};

/* Builds the star with the DCQCN of 'profile'. */
static void
build(struct incast *incast, const struct set_up *set_up, const char *profile,
      uint64_t seed)
{
    const struct switch_setup setup = {
        .chip = set_up->chip,
        .n_ports = HOSTS,
        .speed_mbps = SPEED_MBPS,
        .time_step_ps = set_up->time_step_ps,
        .dynamic_th = -3,
        .reserved_bytes = RESERVED_BYTES + HEADROOM_BYTES,
        .xon_bytes = RESERVED_BYTES,
        .headroom_bytes = HEADROOM_BYTES,
        .xon_offset_bytes = XON_OFFSET_BYTES,
        .wred = set_up->draws ? &set_up->draws->wred : &wred,
        .uses_all = true};
    const struct sim_listener listener = {
        .pfc = on_pfc, .drop = on_drop, .context = incast};
    /* As "hpcc" of lab/scenario/section_hosts.c: frames of 1,048 and 60 bytes,
     * without preamble and gap. */
    static const struct transport_framing framing = {
        .base_bytes = 28, .ack_bytes = 40, .pad_bytes = 1};
    struct nic_config nic;

    if (set_up->draws) {
        draws_init(set_up->draws);
    }
    incast->first_pause_ps = -1;
    incast->rc = rc_config_default;
    incast->rc.echo_ce = true;
    nic_config_init(&nic, SPEED_MBPS);
    nic.time_step_ps = set_up->time_step_ps;
    nic.framing = &framing;
    nic.ack_priority = 6;
    nic.ack_dscp = 48;
    incast->rc.mtu_bytes = 1000;
    incast->rc.recovery = RC_GO_BACK_N;
    incast->rc.recovery_delay_ps = 0;
    incast->rc.ack_every = 1;
    orch_assert(dcqcn_init(&incast->dcqcn, dcqcn_profile_get(profile),
                           (int64_t)SPEED_MBPS * 1000000, NULL) == ST_OK);
    star_init(&incast->star, &setup, &nic, METRES, seed);
    sim_set_listener(incast->star.sim, &listener);
}

/* Starts the flow of host 'from'. */
static void
start(struct incast *incast, uint32_t from)
{
    const struct connection_end ends[2] = {
        {.nic = incast->star.nics[from], .mac = star_mac(from)},
        {.nic = incast->star.nics[TARGET], .mac = star_mac(TARGET)}};
    const struct nic_qp_config qp = {
        .kind = NIC_RC, .rc = &incast->rc, .dcqcn = &incast->dcqcn};
    const struct rc_request request = {.operation = RC_SEND,
                                       .length_bytes = FLOW_BYTES};

    nic_set_listener(ends[0].nic, on_completion, incast);
    connection_init(&incast->connections[from], ends, &qp, 1);
    orch_assert(nic_post(ends[0].nic, incast->connections[from].qps[0],
                         &request) == ST_OK);
}

/* Runs n:1 into '*incast'. */
static void
run(struct incast *incast, const struct set_up *set_up, const char *profile,
    uint32_t n, uint64_t seed)
{
    *incast = (struct incast){.n = n};
    build(incast, set_up, profile, seed);
    for (uint32_t from = 0; from < n; from++) {
        start(incast, from);
    }
    engine_run_until(fabric_engine(incast->star.fabric), EVENT_NEVER);
    orch_assert(incast->n_done == n);
    star_fini(&incast->star);
    for (uint32_t from = 0; from < n; from++) {
        connection_fini(&incast->connections[from]);
    }
}

/* Returns by how many percent 'value' is above 'target'. */
static double
off(double value, double target)
{
    return 100 * (value / target - 1);
}

/* Returns whether the results are within 3 and 8 % of 'anchor'. */
static bool
compare(const struct set_up *set_up, const struct anchor *anchor)
{
    struct incast *incast = check_calloc(1, sizeof *incast);
    double means[MAX_SEEDS];
    double maxima[MAX_SEEDS];
    uint64_t n_below = 0;
    uint64_t drops = 0;
    double mean_us;
    double max_us;

    for (uint64_t seed = 0; seed < set_up->seeds; seed++) {
        run(incast, set_up, "fork-dcqcn", anchor->n, seed);
        means[seed] = incast->mean_us;
        maxima[seed] = incast->max_us;
        n_below += incast->mean_us < anchor->mean_us;
        drops += incast->drops;
    }
    mean_us = measure_median(means, set_up->seeds);
    max_us = measure_median(maxima, set_up->seeds);
    printf("{\"anchor\":\"dcqcn\",\"draws\":\"%s\",\"time_step_ps\":%u,\"n\":%"
           "u,\"seeds\":%llu,"
           "\"mean_us\":%.1f,\"mean_target_us\":%.0f,"
           "\"mean_off_percent\":%.1f,\"max_us\":%.1f,"
           "\"max_target_us\":%.0f,\"max_off_percent\":%.1f,"
           "\"least_mean_us\":%.1f,\"greatest_mean_us\":%.1f,"
           "\"seeds_below_target\":%llu,\"drops\":%llu}\n",
           set_up->draws ? "ns-3" : "own", set_up->time_step_ps, anchor->n,
           (unsigned long long)set_up->seeds, mean_us, anchor->mean_us,
           off(mean_us, anchor->mean_us), max_us, anchor->max_us,
           off(max_us, anchor->max_us), means[0], means[set_up->seeds - 1],
           (unsigned long long)n_below, (unsigned long long)drops);
    free(incast);
    return drops == 0 && fabs(off(mean_us, anchor->mean_us)) <= 3 &&
           fabs(off(max_us, anchor->max_us)) <= 8;
}

/* Returns whether the host receives the first pause within 0.3 us of the
 * target. */
static bool
compare_first_pause(const struct set_up *set_up)
{
    struct incast *incast = check_calloc(1, sizeof *incast);
    const double wire_us =
        (double)frame_step_ps(
            frame_wire_ps(PAUSE_WIRE_BYTES - ETHERNET_WIRE_OVERHEAD_BYTES,
                          SPEED_MBPS),
            set_up->time_step_ps) /
        1e6;
    double sent_us;

    run(incast, set_up, "fork-dcqcn-paper", PAUSE_SENDERS, 0);
    sent_us = (double)incast->first_pause_ps / 1e6;
    printf("{\"anchor\":\"first-pause\",\"time_step_ps\":%u,\"n\":%d,"
           "\"sent_us\":%.2f,\"received_us\":%.2f,\"target_us\":%.1f}\n",
           set_up->time_step_ps, PAUSE_SENDERS, sent_us, sent_us + wire_us + 1,
           FIRST_PAUSE_US);
    free(incast);
    return fabs(sent_us + wire_us + 1 - FIRST_PAUSE_US) <= 0.3;
}

/* Returns argument 'i' as a number from 1 to 'max', 'otherwise' if there is
 * none. */
static uint64_t
number(int argc, char **argv, int i, uint64_t max, uint64_t otherwise)
{
    uint64_t value = otherwise;

    if (i < argc && parse_u64(argv[i], 1, max, &value) != ST_OK) {
        fprintf(stderr, "anchor_dcqcn: '%s' is not a number from 1 to %llu\n",
                argv[i], (unsigned long long)max);
        exit(2);
    }
    return value;
}

int
main(int argc, char **argv)
{
    static struct draws draws;
    struct chip *base = NULL;
    struct chip *chip = NULL;
    struct err err = {0};
    bool agrees = true;
    uint32_t step_ps;

    if (chip_file_load(CHIPS_DIR, "hpcc-fork", &base, &err) != ST_OK ||
        chip_file_vary(base, FRAME_OVERHEAD, "anchor_dcqcn", &chip, &err) !=
            ST_OK) {
        fprintf(stderr, "anchor_dcqcn: %s\n", err.reason);
        return 2;
    }
    step_ps = (uint32_t)number(argc, argv, 2, MAX_STEP_PS, TIME_STEP_PS);
    for (int rounds = 0; rounds < 3; rounds++) {
        const bool as_ns3 = rounds == 2;
        const struct set_up set_up = {
            .chip = chip,
            .seeds = as_ns3 ? 1 : number(argc, argv, 1, MAX_SEEDS, 5),
            .time_step_ps = rounds ? step_ps : 0,
            .draws = as_ns3 ? &draws : NULL};

        for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
            agrees &= compare(&set_up, &anchors[i]) || !as_ns3;
        }
        if (!as_ns3) {
            agrees &= compare_first_pause(&set_up) || !rounds;
        }
    }
    chip_file_destroy(chip);
    chip_file_destroy(base);
    return agrees ? 0 : 1;
}
