/* SPDX-License-Identifier: Apache-2.0 */

/* What theory says (lab/oracle) of fabrics that are built from scenarios: round
 * trips and fair rates. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/oracle/delay.h"
#include "lab/oracle/fairness.h"
#include "tests/support/lab_run.h"

enum {
    PS_PER_NS = 1000,
    WIRE_BYTES = 20, /* Preamble and gap. */
    HEADER_BYTES = 62,
    ACK_BYTES = 66, /* With AETH. */
    HOPS_MAX = 10,
};

/* Round trips -------------------------------------------------------------- */

/* Stores the links between two hosts by breadth-first search, in which all
 * shortest paths are equal; returns their number. */
static uint32_t
find_path(const struct topology *topology, uint32_t from, uint32_t to,
          struct delay_hop hops[HOPS_MAX])
{
    uint32_t *via = calloc(topology->n_nodes, sizeof *via);
    uint32_t *queue = calloc(topology->n_nodes, sizeof *queue);
    uint32_t first = 0, last = 0, n = 0;

    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        via[i] = TOPOLOGY_NONE;
    }
    queue[last++] = to;
    via[to] = 0;
    while (first < last) {
        const uint32_t node = queue[first++];

        for (uint32_t p = 0; p < topology->nodes[node].n_ports; p++) {
            const struct topology_port *port = topology_port(topology, node, p);

            if (via[port->peer] == TOPOLOGY_NONE) {
                via[port->peer] = port->peer_port;
                queue[last++] = port->peer;
            }
        }
    }
    while (from != to) {
        const struct topology_port *port =
            topology_port(topology, from, via[from]);
        const struct topology_link *link = &topology->links[port->link];

        assert_true(n < HOPS_MAX);
        hops[n++] = (struct delay_hop){link->rate_bps, link->length_mm, 0};
        from = port->peer;
    }
    free(queue);
    free(via);
    return n;
}

/* Checks the round trip of each ping of 'text'; returns the number of links of
 * the longest path. */
static uint32_t
check_pings(const char *text, uint32_t payload)
{
    struct lab_run *lab = lab_run_create(text);
    const struct topology *topology = &lab->experiment.topology;
    uint32_t longest = 0;

    lab_run_all(lab, 0);
    assert_true(lab->n_messages >= lab->experiment.flows.n);
    for (size_t i = 0; i < lab->n_messages; i++) {
        const struct sink_message *message = &lab->messages[i];
        const struct flow *flow = &lab->experiment.flows.flows[message->flow];
        struct delay_hop hops[HOPS_MAX];
        const uint32_t n =
            find_path(topology, flow->source, flow->destination, hops);
        const uint32_t bytes = payload + HEADER_BYTES + WIRE_BYTES;
        /* The receiver acknowledges the request before it answers. */
        const int64_t turn_ps =
            delay_send_ps(ACK_BYTES + WIRE_BYTES, hops[n - 1].rate_bps);
        const int64_t wanted =
            delay_round_trip_ps(hops, n, bytes, bytes, turn_ps);
        const int64_t took = message->end_ps - message->start_ps;

        longest = n > longest ? n : longest;
        if (llabs(took - wanted) > PS_PER_NS) {
            fail_msg("%s to %s, %u links: %lld ps, not %lld",
                     topology->nodes[flow->source].name,
                     topology->nodes[flow->destination].name, n,
                     (long long)took, (long long)wanted);
        }
    }
    lab_run_destroy(lab);
    return longest;
}

/* Appends one ping from host 'from' of 'topology' to each other, one after the
 * other, to 'text'; returns the number of pings so far, of which 'number' were
 * there. */
static int
add_pings(const struct topology *topology, uint32_t from, uint32_t payload,
          int number, char *text, size_t size)
{
    size_t length = strlen(text);

    for (uint32_t to = topology->n_switches; to < topology->n_nodes; to++) {
        if (to != from) {
            length += (size_t)snprintf(
                text + length, size - length,
                "  - {start: %dms, ping: {pattern: pairs, from: %s, to: %s, "
                "size: %uB, repeat: 1, every: 1ms}}\n",
                2 * number++, topology->nodes[from].name,
                topology->nodes[to].name, payload);
            assert_true(length < size);
        }
    }
    return number;
}

/* Checks pings of 'payload' bytes between hosts of 'fabric', one after the
 * other: from the first and the last host to all others, or between all pairs.
 * The longest path has 'links' links. */
static void
check_fabric(const char *fabric, uint32_t payload, uint32_t links, bool all)
{
    enum { TEXT_MIN = 1 << 14, PING_SIZE = 128 };
    char *text = calloc(1, TEXT_MIN);
    struct lab_run *lab;
    const struct topology *topology;
    size_t size;
    int number = 0;

    (void)snprintf(text, TEXT_MIN, "name: x\nfabric: {%s}\nstop: 500s\n",
                   fabric);
    lab = lab_run_create(text);
    topology = &lab->experiment.topology;
    size = TEXT_MIN + (size_t)PING_SIZE * topology->n_hosts *
                          (all ? topology->n_hosts : 2);
    text = realloc(text, size);
    assert_non_null(text);
    (void)strncat(text, "record: {messages: true}\ntraffic:\n", size);
    for (uint32_t i = topology->n_switches; i < topology->n_nodes; i++) {
        if (all || i == topology->n_switches || i == topology->n_nodes - 1) {
            number = add_pings(topology, i, payload, number, text, size);
        }
    }
    assert_int_equal(check_pings(text, payload), links);
    lab_run_destroy(lab);
    free(text);
}

/* All pairs of tiers: within a T0, a podset, a DC, and the region. */
static void
test_round_trips(void **state)
{
    static const struct {
        const char *fabric;
        uint32_t links;
    } rows[] = {
        {"region: {dcs: 2, podsets: 2, t0: 2, t1: 2, t2: 2, rh: 2, hosts: 2}, "
         "links: {t2_rh: [10km, 40km], host: 1250mm}",
         8},
        {"fat_tree: {k: 4}", 6},
        {"star: {hosts: 4}", 2},
        {"clos: {t0: 2, t1: 2, hosts: 2, rate: 40G}, "
         "links: {t0_t1: 17m, host: 7m}",
         4},
    };
    static const uint32_t payloads[] = {4, 512};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < sizeof payloads / sizeof *payloads; k++) {
            check_fabric(rows[i].fabric, payloads[k], rows[i].links, false);
        }
    }
}

/* Every pair of hosts, in both directions, with cables of different lengths and
 * links of different speeds.  LAB_PAIRS=1 ("make check-full") adds a fat tree
 * of 128 hosts. */
static void
test_every_pair(void **state)
{
    static const struct {
        const char *fabric;
        uint32_t links;
        bool is_large;
    } rows[] = {
        /* Hosts of 40G below links of 100G: the echo waits for the slower. */
        {"clos: {t0: 3, t1: 2, hosts: 3}, "
         "links: {host: {rate: 40G, length: 7m}, t0_t1: 30m}, "
         "switch: {t1: {config: t1-64x100g}, t0: {config: t0-32x100g, set: {"
         "'PORT|Ethernet8': {speed: '40000'}, "
         "'PORT|Ethernet12': {speed: '40000'}, "
         "'PORT|Ethernet16': {speed: '40000'}}}}",
         4, false},
        {"region: {dcs: 2, podsets: 2, t0: 1, t1: 2, t2: 2, rh: 2, hosts: 2}, "
         "links: {t2_rh: [10km, 40km], t1_t2: 222m, t0_t1: 17m, host: 1250mm}",
         8, false},
        {"fat_tree: {k: 4, rate: 40G}, "
         "links: {t1_t2: 300m, t0_t1: 19m, host: 2m}",
         6, false},
        {"fat_tree: {k: 8}, links: {t1_t2: 277m, t0_t1: 13m, host: 3m}", 6,
         true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].is_large || getenv("LAB_PAIRS")) {
            check_fabric(rows[i].fabric, 1024, rows[i].links, true);
        }
    }
}

/* Fair rates --------------------------------------------------------------- */

/* The goodput of a flow next to the max-min fair one.  Under PFC alone, rates
 * are not max-min fair: a pause stops all flows of a link.  They have to be
 * where each flow has a bottleneck of its own kind: its host's link, or a link
 * that equal flows of different hosts share, of which round robin over the
 * ingress makes equal parts as long as all of their packets pass the same
 * pauses. */
static void
check_rates(const char *traffic, uint32_t n, const uint32_t *bottlenecks,
            uint32_t n_links)
{
    enum { N_MAX = 16, MS = 2 };
    static const double payload = 1024.0 / (1024 + HEADER_BYTES + WIRE_BYTES);
    struct fairness_flow flows[N_MAX];
    double rates[N_MAX], capacities[N_MAX];
    uint32_t links[N_MAX][2];
    char text[2048];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\nfabric: {star: {hosts: 16}, switch: {t0: {set: "
                   "{'WRED_PROFILE|*': {wred_green_enable: 'false'}}}}}\n"
                   "traffic: [%s]\nstop: %dms\n",
                   traffic, MS);
    for (uint32_t i = 0; i < n; i++) {
        links[i][0] = i;              /* Of the sender. */
        links[i][1] = bottlenecks[i]; /* Of the receiver. */
        flows[i] = (struct fairness_flow){links[i], 2, INFINITY};
    }
    for (uint32_t i = 0; i < n_links; i++) {
        capacities[i] = 100e9;
    }
    fairness_max_min(capacities, n_links, flows, n, rates);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    assert_int_equal(lab->n_flows, n);
    for (uint32_t i = 0; i < n; i++) {
        const double got = (double)lab->flows[i].bytes * 8 * 1000 / MS;
        if (fabs(got / (rates[i] * payload) - 1) > 0.02) {
            fail_msg("flow %u: %.3f Gbit/s, not %.3f", i, got / 1e9,
                     rates[i] * payload / 1e9);
        }
    }
    lab_run_destroy(lab);
}

static void
test_fair_rates(void **state)
{
    static const uint32_t incast[] = {8, 8, 8, 8, 8, 8, 8, 8};
    static const uint32_t pairs[] = {8, 9, 10, 11, 12, 13, 14, 15};

    (void)state;
    check_rates("{rc: {pattern: incast, from: 'h-0-[0..7]', to: h-0-8, "
                "size: inf}}",
                8, incast, 16);
    check_rates("{rc: {pattern: pairs, from: 'h-0-[0..7]', to: 'h-0-[8..15]', "
                "size: inf}}",
                8, pairs, 16);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_every_pair),
        cmocka_unit_test(test_fair_rates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
