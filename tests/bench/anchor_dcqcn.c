/* SPDX-License-Identifier: Apache-2.0 */

/* DCQCN beside the public ns-3 RDMA simulator of HPCC.
 *
 * A star of 65 hosts with 100 Gb/s and 1 us links: N hosts send 2 MB each to
 * the last one at the same time.  The adapters, the switch and the parameters
 * of DCQCN are those of that simulator, as data: NIC profile hpcc, DCQCN
 * profile fork-dcqcn, chip file hpcc-fork.yaml.  The numbers beside the results
 * were measured with it.  ECN marks depend on random numbers, so the results
 * can only be near; nothing here is fitted to them.
 *
 * Prints one JSON object per line: a completion time (FCT) is from the start to
 * the last acknowledgement.  Then the first pause of 48:1 with the profile
 * fork-dcqcn-paper.
 *
 * Usage: anchor_dcqcn CHIP_FILE [CHECK], where CHECK is any word: the exit
 * status is 1 if a mean is off by more than 3 %, a maximum by more than 8 %, or
 * the first pause by more than 0.3 us. */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "tests/support/switch_setup.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/nic/nic_profile.h"
#include "twin/transport/dcqcn.h"

enum {
    HOSTS = 65,
    TARGET = HOSTS - 1,
    SPEED_MBPS = 100000,
    METRES = 200, /* 1 us */
    FLOW_BYTES = 2000000,
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

struct incast {
    struct star star;
    struct rc_config rc;
    struct dcqcn dcqcn;
    struct connection connections[HOSTS];
    uint32_t n_done;
    double sum_us;
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
    incast->sum_us += us;
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

/* Builds the star with the DCQCN of 'profile'. */
static void
build(struct incast *incast, const struct chip *chip, const char *profile)
{
    const struct switch_setup setup = {.chip = chip,
                                       .n_ports = HOSTS,
                                       .speed_mbps = SPEED_MBPS,
                                       .dynamic_th = -3,
                                       .reserved_bytes = RESERVED_BYTES,
                                       .headroom_bytes = HEADROOM_BYTES,
                                       .xon_offset_bytes = XON_OFFSET_BYTES,
                                       .wred = &wred,
                                       .uses_all = true};
    const struct sim_listener listener = {
        .pfc = on_pfc, .drop = on_drop, .context = incast};
    const struct nic_profile *adapter = nic_profile_get("hpcc");
    struct pacer_config pacer;
    struct nic_config nic;

    incast->first_pause_ps = -1;
    incast->rc = rc_config_default;
    incast->rc.echo_ce = true;
    nic_config_init(&nic, SPEED_MBPS);
    nic_profile_apply(adapter, &nic, &incast->rc, &pacer);
    orch_assert(dcqcn_init(&incast->dcqcn, dcqcn_profile_get(profile),
                           (int64_t)SPEED_MBPS * 1000000, NULL) == ST_OK);
    star_init(&incast->star, &setup, &nic, METRES, 1);
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

/* Runs N:1 into '*incast'. */
static void
run(struct incast *incast, const struct chip *chip, const char *profile,
    uint32_t n)
{
    *incast = (struct incast){0};
    build(incast, chip, profile);
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

static bool
compare(const struct chip *chip, const struct anchor *anchor)
{
    struct incast *incast = check_calloc(1, sizeof *incast);
    double mean_us;
    bool is_near;

    run(incast, chip, "fork-dcqcn", anchor->n);
    mean_us = incast->sum_us / anchor->n;
    printf("{\"anchor\":\"dcqcn\",\"n\":%u,\"mean_us\":%.1f,"
           "\"mean_target_us\":%.0f,\"mean_off_percent\":%.1f,"
           "\"max_us\":%.1f,\"max_target_us\":%.0f,\"max_off_percent\":%.1f,"
           "\"first_pause_us\":%.2f,\"drops\":%llu}\n",
           anchor->n, mean_us, anchor->mean_us, off(mean_us, anchor->mean_us),
           incast->max_us, anchor->max_us, off(incast->max_us, anchor->max_us),
           (double)incast->first_pause_ps / 1e6,
           (unsigned long long)incast->drops);
    is_near = fabs(off(mean_us, anchor->mean_us)) <= 3 &&
              fabs(off(incast->max_us, anchor->max_us)) <= 8;
    free(incast);
    return is_near;
}

static bool
compare_first_pause(const struct chip *chip)
{
    struct incast *incast = check_calloc(1, sizeof *incast);
    double pause_us;

    run(incast, chip, "fork-dcqcn-paper", HOSTS - 17);
    pause_us = (double)incast->first_pause_ps / 1e6;
    printf("{\"anchor\":\"first-pause\",\"n\":%d,\"us\":%.2f,"
           "\"target_us\":%.1f}\n",
           HOSTS - 17, pause_us, FIRST_PAUSE_US);
    free(incast);
    return fabs(pause_us - FIRST_PAUSE_US) <= 0.3;
}

int
main(int argc, char **argv)
{
    struct chip *chip = NULL;
    struct err err = {0};
    bool is_near = true;

    if (argc < 2 || chip_file_load_file(argv[1], &chip, &err) != ST_OK) {
        fprintf(stderr, "anchor_dcqcn: %s\n",
                argc < 2 ? "usage: anchor_dcqcn CHIP_FILE [CHECK]"
                         : err.reason);
        return 2;
    }
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        is_near &= compare(chip, &anchors[i]);
    }
    is_near &= compare_first_pause(chip);
    chip_file_destroy(chip);
    return argc > 2 && !is_near;
}
