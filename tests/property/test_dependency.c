/* SPDX-License-Identifier: Apache-2.0 */

/* Dependencies between channels.
 *
 * Packets that climb and then descend cannot wait for each other in a cycle,
 * whatever links have failed: 1,000 random fabrics with valley-free routes have
 * no cycle.  With the shortest routes the same fabrics do have cycles when
 * links fail, and so have rings; and each cycle that is found is one: for each
 * of its channels there is a packet that goes from it to the next. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/random.h"
#include "lab/builder/dependency.h"
#include "lab/builder/experiment.h"
#include "lab/builder/routes.h"

enum { FABRICS = 1000, LOSSLESS = 1 << 3 };

/* A fabric with its routes. */
struct fixture {
    struct arena *arena;
    struct experiment experiment;
    struct routes *routes;
};

static void
open_fabric(struct fixture *f, const char *fabric, enum routing routing)
{
    char text[1024];
    struct scenario_input input = {.file = "x.yaml", .text = text};
    struct err err = {0};

    (void)snprintf(text, sizeof text,
                   "name: x\nfabric: %s\ntraffic:\n"
                   "  - {rc: {pattern: permutation, size: 1MB}}\nstop: 1ms\n",
                   fabric);
    input.length = strlen(text);
    f->arena = arena_create(0);
    if (experiment_load(&input, 0, f->arena, &f->experiment, &err)) {
        fail_msg("%s: %s", fabric, err.reason);
    }
    f->routes = fabric_routes_create(&f->experiment.topology, routing);
}

static void
close_fabric(struct fixture *f)
{
    fabric_routes_destroy(f->routes);
    arena_destroy(f->arena);
}

/* A dependency_forward_fn: as the routes say. */
static void
forward(void *context, const struct dependency_packet *packet,
        dependency_leave_fn *leave, void *visitor)
{
    const struct fixture *f = context;
    const struct next_hops ways =
        fabric_routes_towards(f->routes, packet->node, packet->host);

    for (uint32_t i = 0; i < ways.n; i++) {
        leave(visitor, ways.ports[i], packet->is_copy);
    }
}

/* Returns the graph of packets to all hosts. */
static struct dependency *
graph_of(struct fixture *f)
{
    const struct topology *topology = &f->experiment.topology;
    uint32_t *hosts = calloc(topology->n_hosts, sizeof *hosts);
    struct dependency *graph;

    for (uint32_t i = 0; i < topology->n_hosts; i++) {
        hosts[i] = topology->n_switches + i;
    }
    graph = dependency_create(topology, hosts, topology->n_hosts, LOSSLESS,
                              forward, f);
    free(hosts);
    return graph;
}

/* Takes some links between switches down. */
static void
fail_links(struct fixture *f, struct random *random, unsigned int one_of)
{
    const struct topology *topology = &f->experiment.topology;

    for (uint32_t i = 0; i < topology->n_links; i++) {
        if (topology->links[i].node[0] < topology->n_switches &&
            random_below(random, one_of) == 0) {
            (void)fabric_routes_set_link(f->routes, i, false);
        }
    }
}

/* Writes a random preset. */
static void
draw_fabric(struct random *random, char *text, size_t size)
{
    const unsigned int n[5] = {1 + (unsigned int)random_below(random, 3),
                               1 + (unsigned int)random_below(random, 4),
                               1 + (unsigned int)random_below(random, 3),
                               1 + (unsigned int)random_below(random, 2),
                               1 + (unsigned int)random_below(random, 2)};

    switch (random_below(random, 4)) {
    case 0:
        (void)snprintf(text, size, "{clos: {t0: %u, t1: %u, hosts: %u}}",
                       1 + n[1], n[2], 1 + n[3]);
        break;
    case 1:
        (void)snprintf(text, size, "{fat_tree: {k: 4}}");
        break;
    case 2:
        (void)snprintf(text, size,
                       "{podsets: {podsets: %u, t0: %u, t1: %u, t2: %u, "
                       "hosts: 2, planes: false}}",
                       n[0], n[1], n[2], n[0]);
        break;
    default:
        (void)snprintf(text, size,
                       "{region: {dcs: %u, podsets: %u, t0: %u, t1: %u, t2: "
                       "%u, rh: %u, hosts: 2}}",
                       n[3], n[4], n[2], n[3], n[4], n[0]);
    }
}

/* Asserts that packets to 'host' go from each channel to the next. */
static void
check_cycle(const struct fixture *f, const struct dependency_channel *cycle,
            size_t n)
{
    const struct topology *topology = &f->experiment.topology;

    for (size_t i = 0; i < n; i++) {
        const struct dependency_channel *at = &cycle[i];
        const struct dependency_channel *next = &cycle[(i + 1) % n];
        const struct next_hops here =
            fabric_routes_towards(f->routes, at->node, at->host);
        const struct next_hops there =
            fabric_routes_towards(f->routes, next->node, at->host);
        bool leaves = false, goes_on = false;

        assert_int_equal(topology_port(topology, at->node, at->port)->peer,
                         next->node);
        for (uint32_t k = 0; k < here.n; k++) {
            leaves |= here.ports[k] == at->port;
        }
        for (uint32_t k = 0; k < there.n; k++) {
            goes_on |= there.ports[k] == next->port;
        }
        assert_true(leaves && goes_on);
    }
}

static void
test_up_and_down_has_no_cycle(void **state)
{
    const struct dependency_channel *cycle;
    struct random random;
    size_t n_edges = 0;

    (void)state;
    random_init(&random, 1);
    for (int i = 0; i < FABRICS; i++) {
        struct dependency *graph;
        struct fixture f;
        char text[256];

        draw_fabric(&random, text, sizeof text);
        open_fabric(&f, text, ROUTING_VALLEY_FREE);
        if (i % 4) {
            fail_links(&f, &random, 2 + (unsigned int)random_below(&random, 9));
        }
        graph = graph_of(&f);
        n_edges += dependency_n_edges(graph);
        if (dependency_find_cycle(graph, &cycle)) {
            fail_msg("fabric %d, %s: a cycle", i, text);
        }
        dependency_destroy(graph);
        close_fabric(&f);
    }
    assert_true(n_edges > (size_t)10 * FABRICS);
}

static void
test_the_shortest_ways_bounce(void **state)
{
    unsigned int n_cyclic = 0;
    struct random random;

    (void)state;
    random_init(&random, 2);
    for (int i = 0; i < 200; i++) {
        const struct dependency_channel *cycle;
        struct dependency *graph;
        struct fixture f;
        size_t n;

        open_fabric(&f, "{clos: {t0: 5, t1: 3, hosts: 1}}", ROUTING_SHORTEST);
        fail_links(&f, &random, 3);
        graph = graph_of(&f);
        n = dependency_find_cycle(graph, &cycle);
        check_cycle(&f, cycle, n);
        n_cyclic += n > 0;
        dependency_destroy(graph);
        close_fabric(&f);
    }
    assert_true(n_cyclic > 20);
}

static void
test_two_failures_and_four_racks(void **state)
{
    struct fixture f;
    const struct dependency_channel *cycle;
    struct dependency *graph;
    uint32_t link;

    (void)state;
    open_fabric(&f, "{clos: {t0: 4, t1: 2, hosts: 1}}", ROUTING_SHORTEST);
    graph = graph_of(&f);
    assert_int_equal(dependency_n_channels(graph), 16);
    assert_int_equal(dependency_find_cycle(graph, &cycle), 0);
    dependency_destroy(graph);
    /* t0-0 has only t1-0 now, and t0-1 only t1-1: what they send to each other
     * bounces at t0-2 and t0-3. */
    link = topology_find_link(&f.experiment.topology, "t0-0.t1-1", NULL);
    (void)fabric_routes_set_link(f.routes, link, false);
    graph = graph_of(&f);
    assert_int_equal(dependency_find_cycle(graph, &cycle), 0);
    dependency_destroy(graph);
    link = topology_find_link(&f.experiment.topology, "t0-1.t1-0", NULL);
    (void)fabric_routes_set_link(f.routes, link, false);
    graph = graph_of(&f);
    assert_int_equal(dependency_find_cycle(graph, &cycle), 4);
    check_cycle(&f, cycle, 4);
    dependency_destroy(graph);
    close_fabric(&f);
}

static void
test_a_ring(void **state)
{
    struct fixture f;
    const struct dependency_channel *cycle;
    struct dependency *graph;

    (void)state;
    open_fabric(&f,
                "{graph: {switches: [a, b, c, d, e], hosts: [ha, hb, hc, hd, "
                "he], links: [{ends: [a, b]}, {ends: [b, c]}, {ends: [c, d]}, "
                "{ends: [d, e]}, {ends: [e, a]}, {ends: [ha, a]}, {ends: [hb, "
                "b]}, {ends: [hc, c]}, {ends: [hd, d]}, {ends: [he, e]}]}}",
                ROUTING_SHORTEST);
    graph = graph_of(&f);
    assert_int_equal(dependency_n_channels(graph), 10);
    assert_int_equal(dependency_n_edges(graph), 10);
    assert_int_equal(dependency_find_cycle(graph, &cycle), 5);
    check_cycle(&f, cycle, 5);
    dependency_destroy(graph);
    close_fabric(&f);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_up_and_down_has_no_cycle),
        cmocka_unit_test(test_the_shortest_ways_bounce),
        cmocka_unit_test(test_two_failures_and_four_racks),
        cmocka_unit_test(test_a_ring),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
