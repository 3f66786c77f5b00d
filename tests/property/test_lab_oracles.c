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
 * other, to 'text'; returns the number of pings so far. */
static int
add_pings(const struct topology *topology, uint32_t from, uint32_t payload,
          int number, char *text, size_t size)
{
    for (uint32_t to = topology->n_switches; to < topology->n_nodes; to++) {
        const size_t length = strlen(text);

        if (to != from) {
            (void)snprintf(text + length, size - length,
                           "  - {start: %dms, ping: {pattern: pairs, from: %s, "
                           "to: %s, size: %uB, repeat: 1, every: 1ms}}\n",
                           2 * number++, topology->nodes[from].name,
                           topology->nodes[to].name, payload);
        }
    }
    return number;
}

/* Checks pings between the first and the last host of 'fabric' and all
 * others; the longest path has 'links' links. */
static void
check_fabric(const char *fabric, uint32_t payload, uint32_t links)
{
    enum { TEXT_SIZE = 1 << 14 };
    char *text = calloc(1, TEXT_SIZE);
    struct lab_run *lab;
    const struct topology *topology;
    int number;

    (void)snprintf(text, TEXT_SIZE, "name: x\nfabric: {%s}\nstop: 1s\n",
                   fabric);
    lab = lab_run_create(text);
    topology = &lab->experiment.topology;
    (void)snprintf(text + strlen(text), TEXT_SIZE - strlen(text),
                   "record: {messages: true}\ntraffic:\n");
    number =
        add_pings(topology, topology->n_switches, payload, 0, text, TEXT_SIZE);
    (void)add_pings(topology, topology->n_nodes - 1, payload, number, text,
                    TEXT_SIZE);
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
    static const uint32_t payloads[] = {4, 512, 1024};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < sizeof payloads / sizeof *payloads; k++) {
            check_fabric(rows[i].fabric, payloads[k], rows[i].links);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
