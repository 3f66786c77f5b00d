/* SPDX-License-Identifier: Apache-2.0 */

/* Routes of fabrics: numbers of paths, aggregates, failed links. */

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
#include "lab/builder/routes.h"
#include "lab/builder/topology.h"
#include "lab/scenario/scenario.h"

struct built {
    struct arena *arena;
    struct topology *topology; /* In the arena. */
    struct routes *routes;
};

static struct built
build(const char *fabric)
{
    struct built built = {.arena = arena_create(0)};
    struct scenario scenario;
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "name: x\nfabric: {%s}\nstop: 1ms\n", fabric);
    const struct scenario_input input = {
        .file = "x.yaml", .text = text, .length = (size_t)length};
    struct err err = {0};

    built.topology = arena_alloc(built.arena, 1, sizeof *built.topology);
    if (scenario_parse(&input, 0, built.arena, &scenario, &err) ||
        topology_build(&scenario.fabric, "x.yaml", built.arena, built.topology,
                       &err)) {
        fail_msg("%s", err.reason);
    }
    built.routes =
        fabric_routes_create(built.topology, scenario.fabric.routing);
    return built;
}

static void
destroy(struct built *built)
{
    fabric_routes_destroy(built->routes);
    arena_destroy(built->arena);
}

static uint64_t
n_paths(const struct built *built, const char *from, const char *to)
{
    return fabric_routes_n_paths(built->routes,
                                 topology_find(built->topology, from),
                                 topology_find(built->topology, to));
}

static uint32_t
distance(const struct built *built, const char *from, const char *to)
{
    return fabric_routes_distance(built->routes,
                                  topology_find(built->topology, from),
                                  topology_find(built->topology, to));
}

static void
test_paths_of_a_fat_tree(void **state)
{
    (void)state;
    for (unsigned int k = 4; k <= 16; k += 4) {
        char fabric[64];
        struct built built;

        snprintf(fabric, sizeof fabric, "fat_tree: {k: %u}", k);
        built = build(fabric);
        assert_int_equal(fabric_routes_check(built.routes, NULL), ST_OK);
        assert_int_equal(n_paths(&built, "h-0-0-0", "h-1-0-0"), k * k / 4);
        assert_int_equal(n_paths(&built, "h-0-0-0", "h-0-1-0"), k / 2);
        assert_int_equal(n_paths(&built, "h-0-0-0", "h-0-0-1"), 1);
        assert_int_equal(distance(&built, "h-0-0-0", "h-1-0-0"), 6);
        assert_int_equal(distance(&built, "h-0-0-0", "h-0-1-0"), 4);
        assert_int_equal(distance(&built, "h-0-0-0", "h-0-0-1"), 2);
        assert_int_equal(distance(&built, "h-0-0-0", "h-0-0-0"), 0);
        destroy(&built);
    }
}

static void
test_paths_of_clos_networks(void **state)
{
    static const struct {
        const char *fabric, *from, *to;
        uint64_t paths;
        uint32_t distance;
    } rows[] = {
        {"clos: {t0: 3, t1: 4, hosts: 1}", "h-0-0", "h-2-0", 4, 4},
        {"clos: {t0: 3, t1: 4, hosts: 1}, links: {t0_t1: {parallel: 3}}",
         "h-0-0", "h-2-0", 36, 4},
        /* Row B5: 4 leaves with 16 spines each. */
        {"podsets: {podsets: 2, t0: 24, t1: 4, t2: 64, hosts: 1}", "h-0-3-0",
         "h-1-3-0", 64, 6},
        {"podsets: {podsets: 2, t0: 2, t1: 4, t2: 8, hosts: 1, planes: false}",
         "h-0-0-0", "h-1-0-0", 4 * 8 * 4, 6},
        /* Row A2: through a T2 within a DC, through an RH between them. */
        {"region: {dcs: 2, podsets: 2, t0: 2, t1: 2, t2: 3, rh: 5, hosts: 1}",
         "h-0-0-0-0", "h-0-1-0-0", 2 * 3 * 2, 6},
        {"region: {dcs: 2, podsets: 2, t0: 2, t1: 2, t2: 3, rh: 5, hosts: 1}",
         "h-0-0-0-0", "h-1-1-0-0", 2 * 3 * 5 * 3 * 2, 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct built built = build(rows[i].fabric);

        assert_int_equal(fabric_routes_check(built.routes, NULL), ST_OK);
        assert_int_equal(n_paths(&built, rows[i].from, rows[i].to),
                         rows[i].paths);
        assert_int_equal(distance(&built, rows[i].from, rows[i].to),
                         rows[i].distance);
        destroy(&built);
    }
}

/* The routes of a switch as text, "10.0.0.8/29 0,1; ...". */
struct listing {
    char text[2048];
    uint32_t last;
};

/* Implements route_fn. */
static void
add_route(void *context, const struct route *route)
{
    struct listing *listing = context;
    size_t used = strlen(listing->text);
    char *at = listing->text + used;
    size_t room = sizeof listing->text - used;
    int n =
        snprintf(at, room, "%s%u.%u.%u.%u/%u ", used ? "; " : "",
                 route->prefix.address >> 24, route->prefix.address >> 16 & 255,
                 route->prefix.address >> 8 & 255, route->prefix.address & 255,
                 route->prefix.length);

    assert_true(route->next_hops.n > 0);
    assert_true(!used || route->prefix.address > listing->last);
    listing->last = route->prefix.address;
    for (uint32_t i = 0; i < route->next_hops.n; i++) {
        n += snprintf(at + n, room - (size_t)n, "%s%u", i ? "," : "",
                      route->next_hops.ports[i]);
    }
}

static const char *
list(const struct built *built, const char *name, struct listing *listing)
{
    *listing = (struct listing){.last = 0};
    fabric_routes_each(built->routes, topology_find(built->topology, name),
                       add_route, listing);
    return listing->text;
}

static void
test_equal_next_hops_are_aggregated(void **state)
{
    /* 1 bit of podset, 1 of T0, 2 of host. */
    struct built built =
        build("podsets: {podsets: 2, t0: 2, t1: 2, t2: 4, hosts: 2}");
    struct listing listing;

    (void)state;
    /* Its own hosts, the other rack of the podset, the other podset. */
    assert_string_equal(list(&built, "t0-0-0", &listing),
                        "10.0.0.2/32 2; 10.0.0.3/32 3; 10.0.0.4/30 0,1; "
                        "10.0.0.8/29 0,1");
    /* T1 have T2 on ports 0 and 1, T0 on 2 and 3. */
    assert_string_equal(list(&built, "t1-1-0", &listing),
                        "10.0.0.0/29 0,1; 10.0.0.8/30 2; 10.0.0.12/30 3");
    assert_string_equal(list(&built, "t2-3", &listing),
                        "10.0.0.0/29 0; 10.0.0.8/29 1");
    destroy(&built);

    built = build("region: {dcs: 2, podsets: 2, t0: 2, t1: 1, t2: 1, rh: 2, "
                  "hosts: 2}");
    assert_string_equal(list(&built, "t2-1-0", &listing),
                        "10.0.0.0/28 0,1; 10.0.0.16/29 2; 10.0.0.24/29 3");
    assert_string_equal(list(&built, "rh-0", &listing),
                        "10.0.0.0/28 0; 10.0.0.16/28 1");
    destroy(&built);
}

static void
set_link(struct built *built, const char *name, bool up, uint32_t expected)
{
    uint32_t link = topology_find_link(built->topology, name, NULL);

    assert_true(link != TOPOLOGY_NONE);
    assert_int_equal(fabric_routes_set_link(built->routes, link, up), expected);
}

static void
test_failed_links_change_the_racks_that_used_them(void **state)
{
    struct built built =
        build("podsets: {podsets: 2, t0: 2, t1: 2, t2: 4, hosts: 2}");
    struct listing listing;
    struct err err = {0};

    (void)state;
    /* Rack 0, which it leads to, and all others from T0 0. */
    set_link(&built, "t0-0-0.t1-0-0", false, 4);
    set_link(&built, "t0-0-0.t1-0-0", false, 0);
    assert_int_equal(n_paths(&built, "h-0-0-0", "h-1-0-0"), 2);
    assert_int_equal(n_paths(&built, "h-0-1-0", "h-1-0-0"), 4);
    assert_int_equal(n_paths(&built, "h-1-0-0", "h-0-0-0"), 2);
    assert_int_equal(fabric_routes_check(built.routes, &err), ST_OK);
    assert_string_equal(list(&built, "t0-0-0", &listing),
                        "10.0.0.2/32 2; 10.0.0.3/32 3; 10.0.0.4/30 1; "
                        "10.0.0.8/29 1");
    /* The T0 of the other podset do not climb to where no way down is: no
     * aggregate, since the racks of podset 0 differ. */
    assert_string_equal(list(&built, "t0-1-0", &listing),
                        "10.0.0.0/30 1; 10.0.0.4/30 0,1; 10.0.0.10/32 2; "
                        "10.0.0.11/32 3; 10.0.0.12/30 0,1");
    set_link(&built, "t0-0-0.t1-0-1", false, 4);
    assert_int_equal(fabric_routes_check(built.routes, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "no way to the hosts of t0-0-0"));
    assert_int_equal(distance(&built, "h-1-0-0", "h-0-0-0"), 0);
    assert_int_equal(n_paths(&built, "h-1-0-0", "h-0-0-0"), 0);

    set_link(&built, "t0-0-0.t1-0-1", true, 4);
    set_link(&built, "t0-0-0.t1-0-0", true, 4);
    assert_int_equal(n_paths(&built, "h-0-0-0", "h-1-0-0"), 4);

    /* A spine link matters for the racks of its two podsets' other side. */
    set_link(&built, "t1-0-0.t2-0", false, 4);
    assert_int_equal(n_paths(&built, "h-0-0-0", "h-1-0-0"), 3);
    assert_int_equal(n_paths(&built, "h-0-0-0", "h-0-1-0"), 2);
    destroy(&built);
}

static void
test_links_of_hosts(void **state)
{
    struct built built = build("clos: {t0: 2, t1: 1, hosts: 2}");
    uint32_t host = topology_find(built.topology, "h-0-1");
    uint32_t t0 = topology_find(built.topology, "t0-0");
    struct listing listing;

    (void)state;
    assert_int_equal(fabric_routes_towards(built.routes, t0, host).n, 1);
    assert_int_equal(fabric_routes_towards(built.routes, t0, host).ports[0], 2);
    set_link(&built, "h-0-1.t0-0", false, 0);
    assert_int_equal(fabric_routes_towards(built.routes, t0, host).n, 0);
    assert_int_equal(distance(&built, "h-1-0", "h-0-1"), 0);
    assert_int_equal(distance(&built, "h-1-0", "h-0-0"), 4);
    assert_string_equal(list(&built, "t0-0", &listing),
                        "10.0.0.2/32 1; 10.0.0.4/30 0");
    destroy(&built);
}

static void
test_graphs_without_tiers(void **state)
{
    /* A ring of five: two hops one way, three the other. */
    struct built built =
        build("graph: {switches: [s-0, s-1, s-2, s-3, s-4], hosts: [a, b], "
              "links: [{ends: [a, s-0]}, {ends: [b, s-2]}, {ends: [s-0, s-1]}, "
              "{ends: [s-1, s-2]}, {ends: [s-2, s-3]}, {ends: [s-3, s-4]}, "
              "{ends: [s-4, s-0]}]}");

    (void)state;
    assert_int_equal(distance(&built, "a", "b"), 4);
    set_link(&built, "s-0.s-1", false, 2);
    assert_int_equal(distance(&built, "a", "b"), 5);
    assert_int_equal(fabric_routes_check(built.routes, NULL), ST_OK);
    set_link(&built, "s-3.s-4", false, 2);
    assert_int_equal(distance(&built, "a", "b"), 0);
    destroy(&built);
}

static void
test_no_valleys_unless_asked_for(void **state)
{
    /* The only way from a to b goes up, down and up again. */
    static const char graph[] =
        "graph: {switches: {l-0: {tier: 0}, l-1: {tier: 0}, l-2: {tier: 0}, "
        "u-0: {tier: 1}, u-1: {tier: 1}}, hosts: [a, b], "
        "links: [{ends: [a, l-0]}, {ends: [b, l-2]}, {ends: [l-0, u-0]}, "
        "{ends: [l-1, u-0]}, {ends: [l-1, u-1]}, {ends: [l-2, u-1]}]}";
    char shortest[1024];
    struct built built = build(graph);

    (void)state;
    assert_int_equal(distance(&built, "a", "b"), 0);
    assert_int_equal(fabric_routes_check(built.routes, NULL), ST_INVALID);
    destroy(&built);
    snprintf(shortest, sizeof shortest, "%s, routing: shortest", graph);
    built = build(shortest);
    assert_int_equal(distance(&built, "a", "b"), 6);
    assert_int_equal(fabric_routes_check(built.routes, NULL), ST_OK);
    destroy(&built);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_of_a_fat_tree),
        cmocka_unit_test(test_paths_of_clos_networks),
        cmocka_unit_test(test_equal_next_hops_are_aggregated),
        cmocka_unit_test(test_failed_links_change_the_racks_that_used_them),
        cmocka_unit_test(test_links_of_hosts),
        cmocka_unit_test(test_graphs_without_tiers),
        cmocka_unit_test(test_no_valleys_unless_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
