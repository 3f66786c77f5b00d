/* SPDX-License-Identifier: Apache-2.0 */

/* Long flows on random paths of a leaf-spine fabric get max-min fair rates.
 *
 * PFC alone does not give fair rates: a pause stops all flows of a priority on
 * a link, whatever their bottleneck, and a round of a queue is one per ingress.
 * DCQCN makes equal flows of one bottleneck alike, not flows of several.  With
 * a queue per flow at every hop, round robin and backpressure, rates are
 * max-min fair (Hahne, "Round-robin scheduling for max-min fairness in data
 * networks", 1991).  So here all priorities are lossless with equal weights,
 * and flows that share a link have different ones: a greedy colouring of the
 * paths that the flows take.
 *
 * The rates that theory wants are from water filling over these paths.
 *
 * Usage: test_lab_fairness [SEED [SEEDS]]. */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/random.h"
#include "lab/exec/run_state.h"
#include "lab/oracle/fairness.h"
#include "tests/support/lab_run.h"

enum {
    FLOWS = 20,
    T0S = 4,
    HOSTS = 3, /* Of each T0. */
    PORTS = 32,
    COLOURS = 7, /* Priorities 0..6. */
    LINKS_MAX = 6,
    FRAME_BYTES = 4000, /* With FCS. */
    FCS_BYTES = 4,
    WIRE_BYTES = 20, /* Preamble and gap. */
    TEXT_SIZE = 1 << 15,
};

#define US       INT64_C(1000000)
#define SPEED    100e9
#define WARM_PS  (600 * US)
#define UNTIL_PS (3600 * US)

/* The flows of a trial. */
struct trial {
    uint32_t n_links; /* Directions of links. */
    struct {
        uint32_t source, destination; /* Hosts. */
        uint32_t links[LINKS_MAX];    /* 2 * link, plus 1 if backward. */
        uint32_t n_links;
        int colour; /* -1: none is free, so it does not send. */
    } flows[FLOWS];
};

/* Writes the list of ports of a configuration. */
static void
add_ports(char *text, size_t size)
{
    for (int i = 0; i < PORTS; i++) {
        const size_t length = strlen(text);

        (void)snprintf(text + length, size - length, "%sEthernet%d",
                       i ? "," : "", 4 * i);
    }
}

/* Appends the configuration of 'role': priorities 0 to 6 are lossless, with
 * small buffers and equal weights. */
static void
add_role(const char *role, char *text)
{
    const size_t length = strlen(text);
    char ports[1024] = "";

    add_ports(ports, sizeof ports);
    (void)snprintf(
        text + length, TEXT_SIZE - length,
        "    %s:\n"
        "      config: t0-32x100g\n"
        "      set:\n"
        "        'BUFFER_PROFILE|pg_lossless_100000_40m_profile':\n"
        "          {dynamic_th: '-4', size: '4160'}\n"
        "        'BUFFER_PG|*': {profile: pg_lossless_100000_40m_profile}\n"
        "        'BUFFER_PG|%s|1-2':\n"
        "          {profile: pg_lossless_100000_40m_profile}\n"
        "        'BUFFER_PG|%s|5-6':\n"
        "          {profile: pg_lossless_100000_40m_profile}\n"
        "        'BUFFER_QUEUE|*': {profile: egress_lossless_profile}\n"
        "        'QUEUE|*': {scheduler: scheduler.1, wred_profile: null}\n"
        "        'TC_TO_PRIORITY_GROUP_MAP|AZURE':\n"
        "          {'1': '1', '2': '2', '5': '5', '6': '6'}\n"
        "        'PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|AZURE':\n"
        "          {'0': '0', '1': '1', '2': '2', '5': '5', '6': '6'}\n"
        "        'PORT_QOS_MAP|*': {pfc_enable: '0,1,2,3,4,5,6'}\n",
        role, ports, ports);
}

/* Writes the scenario of 'trial' into 'text'. */
static void
write_scenario(const struct trial *trial, bool finds_paths, char *text)
{
    size_t n;

    (void)snprintf(
        text, TEXT_SIZE,
        "name: x\n"
        "hosts: {default: {strict: [], pfc: {obeys: 0..6, sends: []}}}\n"
        "record: {paths: true}\n"
        "stop: %s\n"
        "fabric:\n"
        "  clos: {t0: %d, t1: 2, hosts: %d}\n"
        "  switch:\n",
        finds_paths ? "20us" : "10ms", T0S, HOSTS);
    add_role("t0", text);
    add_role("t1", text);
    n = strlen(text);
    n += (size_t)snprintf(text + n, TEXT_SIZE - n, "traffic:\n");
    for (int i = 0; i < FLOWS; i++) {
        const uint32_t from = trial->flows[i].source;
        const uint32_t to = trial->flows[i].destination;
        const int colour = trial->flows[i].colour;

        n += (size_t)snprintf(
            text + n, TEXT_SIZE - n,
            "  - {priority: %d, raw: {pattern: pairs, from: h-%u-%u, "
            "to: h-%u-%u, frame: %d%s}}\n",
            colour < 0 ? 0 : colour, (unsigned int)(from / HOSTS),
            (unsigned int)(from % HOSTS), (unsigned int)(to / HOSTS),
            (unsigned int)(to % HOSTS), FRAME_BYTES,
            finds_paths || colour < 0 ? ", frames: 1" : "");
    }
}

/* Reads the path of flow 'i' from the run 'lab'. */
static void
read_path(const struct lab_run *lab, struct trial *trial, int i)
{
    const struct topology *topology = &lab->experiment.topology;
    const struct run_flow *flow = &lab->run->flows[i];
    uint32_t node = flow->source, port = 0;

    trial->flows[i].n_links = 0;
    for (uint32_t h = 0; h <= flow->n_hops; h++) {
        const struct topology_port *to = topology_port(topology, node, port);
        const bool is_forward = topology->links[to->link].node[0] == node;

        trial->flows[i].links[trial->flows[i].n_links++] =
            2 * to->link + !is_forward;
        if (h < flow->n_hops) {
            node = flow->hops[h].node;
            port = flow->hops[h].port;
        }
    }
}

/* Gives the flows colours so that those of each link differ. */
static void
colour_flows(struct trial *trial)
{
    uint32_t *used = calloc(trial->n_links, sizeof *used);

    for (int i = 0; i < FLOWS; i++) {
        uint32_t taken = 0;
        uint32_t left;

        for (uint32_t k = 0; k < trial->flows[i].n_links; k++) {
            taken |= used[trial->flows[i].links[k]];
        }
        left = ~taken & ((1U << COLOURS) - 1);
        trial->flows[i].colour = left ? __builtin_ctz(left) : -1;
        for (uint32_t k = 0; left && k < trial->flows[i].n_links; k++) {
            used[trial->flows[i].links[k]] |= left & -left;
        }
    }
    free(used);
}

/* Stores the fair rates, in bits per second on the wire. */
static void
fill_fair_rates(const struct trial *trial, double rates[FLOWS])
{
    double *capacities = calloc(trial->n_links, sizeof *capacities);
    struct fairness_flow flows[FLOWS];
    double fair[FLOWS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < trial->n_links; i++) {
        capacities[i] = SPEED;
    }
    for (int i = 0; i < FLOWS; i++) {
        if (trial->flows[i].colour >= 0) {
            flows[n++] =
                (struct fairness_flow){.links = trial->flows[i].links,
                                       .n_links = trial->flows[i].n_links,
                                       .cap = INFINITY};
        }
    }
    fairness_max_min(capacities, trial->n_links, flows, n, fair);
    n = 0;
    for (int i = 0; i < FLOWS; i++) {
        rates[i] = trial->flows[i].colour < 0 ? 0 : fair[n++];
    }
    free(capacities);
}

static uint64_t
received(const struct lab_run *lab, int i)
{
    return run_flow_bytes(&lab->run->flows[i]);
}

/* Compares the rates of 'trial' with the fair ones.  Returns how many flows
 * were compared, -1 if one is wrong. */
static int
check_rates(const struct trial *trial, const char *text, uint64_t seed)
{
    struct lab_run *lab = lab_run_create(text);
    double rates[FLOWS];
    uint64_t before[FLOWS];
    int n = 0, wrong = 0;

    fill_fair_rates(trial, rates);
    (void)run_until(lab->run, WARM_PS);
    for (int i = 0; i < FLOWS; i++) {
        before[i] = received(lab, i);
    }
    (void)run_until(lab->run, UNTIL_PS);
    for (int i = 0; i < FLOWS; i++) {
        const double frames =
            (double)(received(lab, i) - before[i]) / (FRAME_BYTES - FCS_BYTES);
        const double got = frames * 8 * (FRAME_BYTES + WIRE_BYTES) /
                           ((double)(UNTIL_PS - WARM_PS) / 1e12);

        if (trial->flows[i].colour < 0) {
            continue;
        }
        n++;
        if (fabs(got / rates[i] - 1) > 0.02) {
            fprintf(stderr,
                    "seed %llu: flow %d over %u links has %.3f Gbit/s, not "
                    "%.3f\n",
                    (unsigned long long)seed, i,
                    (unsigned int)trial->flows[i].n_links, got / 1e9,
                    rates[i] / 1e9);
            wrong++;
        }
    }
    if (lab->n_drops) {
        fprintf(stderr, "seed %llu: frames were dropped\n",
                (unsigned long long)seed);
        wrong++;
    }
    lab_run_finish(lab);
    lab_run_destroy(lab);
    return wrong ? -1 : n;
}

/* Returns how many flows of the trial with 'seed' were compared, -1 if it
 * fails. */
static int
run_trial(uint64_t seed)
{
    struct trial trial = {.n_links = 0};
    char *text = calloc(1, TEXT_SIZE);
    struct random random;
    struct lab_run *lab;
    int n;

    random_init(&random, seed);
    for (int i = 0; i < FLOWS; i++) {
        const uint32_t n_hosts = T0S * HOSTS;
        const uint32_t from = (uint32_t)random_below(&random, n_hosts);
        const uint32_t step = 1 + (uint32_t)random_below(&random, n_hosts - 1);

        trial.flows[i].source = from;
        trial.flows[i].destination = (from + step) % n_hosts;
        trial.flows[i].colour = i % COLOURS;
    }
    write_scenario(&trial, true, text);
    lab = lab_run_create(text);
    trial.n_links = 2 * lab->experiment.topology.n_links;
    lab_run_all(lab, 0);
    for (int i = 0; i < FLOWS; i++) {
        read_path(lab, &trial, i);
    }
    lab_run_destroy(lab);
    colour_flows(&trial);
    write_scenario(&trial, false, text);
    n = check_rates(&trial, text, seed);
    free(text);
    return n;
}

int
main(int argc, char **argv)
{
    uint64_t first = 1, n = 3;
    int n_flows = 0, n_failed = 0;

    if ((argc > 1 && parse_u64(argv[1], 0, UINT64_MAX, &first)) ||
        (argc > 2 && parse_u64(argv[2], 1, 100000, &n))) {
        fprintf(stderr, "usage: test_lab_fairness [SEED [SEEDS]]\n");
        return 2;
    }
    for (uint64_t seed = first; seed < first + n; seed++) {
        const int flows = run_trial(seed);

        n_failed += flows < 0;
        n_flows += flows < 0 ? 0 : flows;
    }
    printf("%d flows of %llu seeds have fair rates\n", n_flows,
           (unsigned long long)n);
    /* Nearly all flows have a priority of their own. */
    return n_failed || n_flows < (int)n * FLOWS * 3 / 4;
}
