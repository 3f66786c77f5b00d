/* SPDX-License-Identifier: Apache-2.0 */

/* Topologies of fabrics: sizes, names, numbers and addresses, whatever the
 * order of a file; and the flows of their traffic. */

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
#include "lab/builder/flows.h"
#include "lab/builder/name_pattern.h"
#include "lab/builder/nearness.h"
#include "lab/builder/topology.h"
#include "lab/scenario/scenario.h"

/* A scenario with its topology. */
struct built {
    struct arena *arena;
    struct scenario scenario;
    struct topology topology;
};

static struct built
build(const char *fabric, const char *rest)
{
    struct built built = {.arena = arena_create(0)};
    char text[8192];
    int length = snprintf(text, sizeof text,
                          "name: x\nfabric: {%s}\n%sstop: 1ms\n", fabric, rest);
    const struct scenario_input input = {
        .file = "x.yaml", .text = text, .length = (size_t)length};
    struct err err = {0};

    assert_true(length > 0 && (size_t)length < sizeof text);
    if (scenario_parse(&input, 0, built.arena, &built.scenario, &err) ||
        topology_build(&built.scenario.fabric, "x.yaml", built.arena,
                       &built.topology, &err)) {
        fail_msg("%s", err.reason);
    }
    topology_check(&built.topology);
    return built;
}

static void
test_sizes(void **state)
{
    static const struct {
        const char *fabric;
        uint32_t switches, hosts, links;
    } rows[] = {
        {"star: {hosts: 48}", 1, 48, 48},
        {"clos: {t0: 2, t1: 4, hosts: 24}", 6, 48, 56},
        {"leaf_spine: {t0: 2, t1: 4, hosts: 24}", 6, 48, 56},
        {"fat_tree: {k: 4}", 20, 16, 48},
        {"fat_tree: {k: 8}", 80, 128, 384},
        {"fat_tree: {k: 32}", 1280, 8192, 24576},
        /* Row B5: 4 uplinks of each T0, 128 leaf-spine links. */
        {"podsets: {podsets: 2, t0: 24, t1: 4, t2: 64, hosts: 24}", 120, 1152,
         1152 + 192 + 128},
        {"podsets: {podsets: 2, t0: 1, t1: 2, t2: 2, hosts: 1, planes: false}",
         8, 2, 2 + 4 + 8},
        /* Row A2. */
        {"region: {dcs: 2, podsets: 2, t0: 2, t1: 2, t2: 2, rh: 2, hosts: 2}",
         22, 16, 16 + 16 + 16 + 8},
        {"clos: {t0: 2, t1: 2, hosts: 1}, links: {t0_t1: {parallel: 3}}", 4, 2,
         2 + 12},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct built built = build(rows[i].fabric, "");

        assert_int_equal(built.topology.n_switches, rows[i].switches);
        assert_int_equal(built.topology.n_hosts, rows[i].hosts);
        assert_int_equal(built.topology.n_links, rows[i].links);
        arena_destroy(built.arena);
    }
}

static void
test_names_and_numbers(void **state)
{
    struct built built =
        build("region: {dcs: 2, podsets: 2, t0: 2, t1: 2, t2: 2, rh: 2, "
              "hosts: 2}, links: {t2_rh: {length: [10km, 40km], rate: 400G}}",
              "");
    const struct topology *topology = &built.topology;
    const struct topology_node *host;
    uint32_t link;
    unsigned int end = 9;

    (void)state;
    assert_string_equal(topology->nodes[0].name, "rh-0");
    assert_string_equal(topology->nodes[2].name, "t2-0-0");
    assert_string_equal(topology->nodes[5].name, "t2-1-1");
    assert_string_equal(topology->nodes[6].name, "t1-0-0-0");
    assert_string_equal(topology->nodes[14].name, "t0-0-0-0");
    assert_string_equal(topology->nodes[22].name, "h-0-0-0-0");
    assert_string_equal(topology->nodes[37].name, "h-1-1-1-1");
    assert_int_equal(topology->nodes[0].tier, 3);
    assert_int_equal(topology->nodes[37].tier, TOPOLOGY_HOST_TIER);
    assert_int_equal(topology_find(topology, "t2-1-0"), 4);
    assert_int_equal(topology_find(topology, "t2-2-0"), TOPOLOGY_NONE);

    /* Entities from 1, 64 for each switch, one for each host. */
    assert_int_equal(topology->nodes[0].entity, 1);
    assert_int_equal(topology->nodes[1].entity, 65);
    assert_int_equal(topology->nodes[22].entity, 1 + 22 * 64);
    assert_int_equal(topology->nodes[23].entity, 2 + 22 * 64);
    assert_int_equal(topology_entity(topology, 1, 3), 68);

    link = topology_find_link(topology, "t2-1-0.rh-1", &end);
    assert_int_equal(end, 0);
    assert_true(topology->links[link].length_mm == 40000000);
    assert_true(topology->links[link].rate_bps == UINT64_C(400000000000));
    assert_int_equal(topology_find_link(topology, "rh-1.t2-1-0", &end), link);
    assert_int_equal(end, 1);
    assert_int_equal(topology_find_link(topology, "rh-1.t1-0-0-0", NULL),
                     TOPOLOGY_NONE);
    assert_int_equal(topology_find_link(topology, "rh-1.t2-1-0.1", NULL),
                     TOPOLOGY_NONE);
    link = topology_find_link(topology, "t2-0-1.rh-0", NULL);
    assert_true(topology->links[link].length_mm == 10000000);
    /* Addresses of both ends in 100.64.0.0/10; none at hosts. */
    assert_int_equal(topology->links[link].address[0],
                     UINT32_C(0x64400000) + 2 * link);
    assert_int_equal(topology->links[link].address[1],
                     UINT32_C(0x64400001) + 2 * link);
    link = topology_find_link(topology, "h-0-0-0-0.t0-0-0-0", NULL);
    assert_int_equal(topology->links[link].address[0], 0);

    /* 1 bit of DC, 1 of podset, 1 of T0, 2 of host: 0, the T0, 2 hosts. */
    host = &topology->nodes[topology_find(topology, "h-1-0-1-1")];
    assert_int_equal(host->address, 10 << 24 | 1 << 4 | 1 << 2 | 3);
    assert_true(host->mac == (UINT64_C(0x020000000000) |
                              topology_find(topology, "h-1-0-1-1")));
    assert_int_equal(topology->n_podsets, 4);
    assert_int_equal(topology->podset_prefixes[2].address, 10 << 24 | 1 << 4);
    assert_int_equal(topology->podset_prefixes[2].length, 29);
    assert_int_equal(topology->dc_prefixes[1].length, 28);
    arena_destroy(built.arena);
}

static void
test_hosts_are_within_their_prefixes(void **state)
{
    struct built built =
        build("podsets: {podsets: 3, t0: 5, t1: 3, t2: 6, hosts: 7}", "");
    const struct topology *topology = &built.topology;
    uint32_t before = 0;

    (void)state;
    for (uint32_t i = topology->n_switches; i < topology->n_nodes; i++) {
        const struct topology_node *host = &topology->nodes[i];
        const struct topology_node *t0 =
            &topology->nodes[topology_port(topology, i, 0)->peer];
        const struct prefix *podset = &topology->podset_prefixes[t0->podset];
        uint32_t rack_mask = UINT32_MAX << (32 - t0->rack.length);
        uint32_t podset_mask = UINT32_MAX << (32 - podset->length);

        assert_true(host->address > before);
        before = host->address;
        assert_int_equal(host->address & rack_mask, t0->rack.address);
        assert_int_equal(host->address & podset_mask, podset->address);
        assert_int_equal(t0->address, t0->rack.address + 1);
        assert_true(host->address > t0->address);
        assert_true((host->address & ~rack_mask) != ~rack_mask);
    }
    arena_destroy(built.arena);
}

/* The lines of a graph, which a test puts in any order. */
static const char *const graph_switches[] = {
    "s-2: {tier: 0, role: t0}", "s-10: {tier: 0, role: t0}",
    "top: {tier: 1, role: t1}", "other: {tier: 1, role: t1}"};
static const char *const graph_hosts[] = {"a", "b", "c2", "c10"};
static const char *const graph_links[] = {
    "{ends: [a, s-2]}",
    "{ends: [b, s-2]}",
    "{ends: [c2, s-10]}",
    "{ends: [c10, s-10]}",
    "{ends: [s-2, top], length: 20m}",
    "{ends: [top, s-10], length: 30m}",
    "{ends: [s-2, other], rate: 40G}",
    "{ends: [s-2, other], rate: 100G, length: 7m}",
    "{ends: [other, s-2], rate: 100G, parallel: 2, length: 5m}",
    "{ends: [s-10, other]}",
};

/* Appends the 'n' items in random order. */
static void
shuffle(char *text, size_t size, const char *const *items, size_t n,
        struct random *random)
{
    size_t order[16];

    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)random_below(random, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(text);

        snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                 items[order[i]]);
    }
}

static void
test_any_order_gives_the_same_numbers(void **state)
{
    struct random random;
    uint64_t digest = 0;

    (void)state;
    random_init(&random, 42);
    for (int i = 0; i < 50; i++) {
        char text[4096] = "graph: {switches: {";
        struct built built;
        uint32_t link;

        shuffle(text, sizeof text, graph_switches, 4, &random);
        strncat(text, "}, hosts: [", sizeof text - strlen(text) - 1);
        shuffle(text, sizeof text, graph_hosts, 4, &random);
        strncat(text, "], links: [", sizeof text - strlen(text) - 1);
        shuffle(text, sizeof text, graph_links, 10, &random);
        strncat(text, "]}", sizeof text - strlen(text) - 1);
        built = build(text, "");
        assert_true(!i || digest == topology_digest(&built.topology));
        digest = topology_digest(&built.topology);
        assert_string_equal(built.topology.nodes[0].name, "other");
        assert_string_equal(built.topology.nodes[2].name, "s-2");
        assert_string_equal(built.topology.nodes[3].name, "s-10");
        assert_string_equal(built.topology.nodes[7].name, "c10");
        /* Parallel links by rate, then by length. */
        link = topology_find_link(&built.topology, "s-2.other", NULL);
        assert_true(built.topology.links[link].rate_bps ==
                    UINT64_C(40000000000));
        link = topology_find_link(&built.topology, "s-2.other.3", NULL);
        assert_true(built.topology.links[link].length_mm == 7000);
        arena_destroy(built.arena);
    }
}

/* Implements topology_room_fn. */
static uint32_t
make_room(void *context, uint32_t node)
{
    (void)context;
    return node == 1 ? 128 : 32;
}

static void
test_rooms_of_chips(void **state)
{
    struct built built = build("clos: {t0: 2, t1: 2, hosts: 3}, "
                               "switch: {t0-1: {ports: 100}}",
                               "");
    struct topology *topology = &built.topology;

    (void)state;
    assert_int_equal(topology->nodes[3].room, 100);
    assert_int_equal(topology->nodes[4].entity, 1 + 3 * 64 + 100);
    topology_set_rooms(topology, make_room, NULL);
    topology_check(topology);
    assert_int_equal(topology->nodes[1].entity, 33);
    assert_int_equal(topology->nodes[2].entity, 33 + 128);
    assert_int_equal(topology->nodes[4].entity, 1 + 3 * 32 + 128);
    assert_int_equal(topology->n_entities, 1 + 3 * 32 + 128 + 6);
    arena_destroy(built.arena);
}

static void
test_digest_tells_fabrics_apart(void **state)
{
    struct built a = build("clos: {t0: 2, t1: 2, hosts: 2}", "");
    struct built b = build("leaf_spine: {t0: 2, t1: 2, hosts: 2}", "");
    struct built c =
        build("clos: {t0: 2, t1: 2, hosts: 2}, links: {t0_t1: 21m}", "");

    (void)state;
    assert_true(topology_digest(&a.topology) == topology_digest(&b.topology));
    assert_true(topology_digest(&a.topology) != topology_digest(&c.topology));
    arena_destroy(a.arena);
    arena_destroy(b.arena);
    arena_destroy(c.arena);
}

static void
test_patterns(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } rows[] = {
        {"h-0-*", "h-0-3", true},          {"h-0-*", "h-0-3-7", true},
        {"h-0-*", "h-10-3", false},        {"h-*-3", "h-0-3", true},
        {"h-*-3", "h-0-0-3", false},       {"h-*-*-3", "h-0-0-3", true},
        {"h-0-[0..7]", "h-0-7", true},     {"h-0-[0..7]", "h-0-8", false},
        {"h-0-[0..7]", "h-0-07", false},   {"h-0-[8..12]", "h-0-10", true},
        {"h-*-[0..1]-2", "h-1-1-2", true}, {"h-*-[0..1]-2", "h-1-2-2", false},
        {"h-[0..x]", "h-0", false},        {"h-[0..3", "h-0", false},
        {"*", "anything", true},           {"t0-*x", "t0-axbx", true},
        {"t0-*x", "t0-axb", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(name_pattern_match(rows[i].pattern, rows[i].name),
                         rows[i].matches);
    }
    assert_true(name_pattern_is("h-*"));
    assert_false(name_pattern_is("h-0-1"));
}

/* Builds the flows of an item of traffic over 8 hosts. */
static struct flow_list
make_flows(struct built *built, const char *hosts, const char *item)
{
    char rest[1024];
    struct flow_list flows = {0};
    struct err err = {0};

    snprintf(rest, sizeof rest, "seed: 5\n%straffic: [{%s}]\n", hosts, item);
    *built = build("clos: {t0: 2, t1: 2, hosts: 4}", rest);
    if (flows_create(&built->scenario, &built->topology, built->arena, &flows,
                     &err)) {
        fail_msg("%s", err.reason);
    }
    return flows;
}

static void
test_patterns_of_traffic(void **state)
{
    static const struct {
        const char *item;
        size_t n;
    } rows[] = {
        {"rc: {pattern: pairs, from: 'h-0-*', to: 'h-1-*', size: 1KB}", 4},
        {"rc: {pattern: pairs, from: 'h-0-*', to: 'h-1-*', n: 3, qps: 8, "
         "both_ways: true, size: 1KB}",
         48},
        {"rc: {pattern: incast, from: all, to: h-0-0, size: 1KB}", 7},
        {"rc: {pattern: incast, from: all, to: h-0-0, n: 5, size: 1KB}", 5},
        {"raw: {pattern: all_to_all}", 56},
        {"raw: {pattern: all_to_all, from: 'h-0-*', to: all}", 28},
        {"ping: {pattern: permutation}", 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct built built;
        struct flow_list flows = make_flows(&built, "", rows[i].item);

        assert_int_equal(flows.n, rows[i].n);
        for (size_t k = 0; k < flows.n; k++) {
            assert_true(flows.flows[k].source != flows.flows[k].destination);
            assert_true(flows.flows[k].source >= built.topology.n_switches);
            assert_true(flows.flows[k].source_port >= 49152);
        }
        arena_destroy(built.arena);
    }
}

/* Hosts of the same rack, podset, data center and region. */
static void
test_nearness(void **state)
{
    struct built built = build("region: {dcs: 2, podsets: 2, t0: 2, t1: 2, "
                               "t2: 2, rh: 2, hosts: 3}",
                               "");
    const uint32_t first = built.topology.n_switches;
    const struct nearness *of = nearness_create(&built.topology, built.arena);

    (void)state;
    /* 3 hosts in a rack, 6 in a podset, 12 in a data center. */
    for (uint32_t i = 0; i < 24; i++) {
        for (uint32_t k = 0; k < 24; k++) {
            const int expected = i / 3 == k / 3     ? 0
                                 : i / 6 == k / 6   ? 1
                                 : i / 12 == k / 12 ? 2
                                                    : 3;

            assert_int_equal(nearness_of(of, first + i, first + k), expected);
        }
    }
    arena_destroy(built.arena);
}

/* Each host has different peers in each scope, the same over both
 * transports. */
static void
test_pingmesh(void **state)
{
    struct built built =
        build("podsets: {podsets: 2, t0: 2, t1: 2, t2: 2, hosts: 4}",
              "traffic: [{name: m, pingmesh: {peers: 3, phases: {a: 0, b: "
              "500us}}}]\n");
    const struct nearness *of = nearness_create(&built.topology, built.arena);
    struct flow_list flows = {0};
    const size_t per_item = 16 * 3;
    struct err err = {0};

    (void)state;
    assert_int_equal(flows_create(&built.scenario, &built.topology, built.arena,
                                  &flows, &err),
                     ST_OK);
    /* Two phases, two transports, four scopes; there is no region. */
    assert_int_equal(built.scenario.n_traffic, 16);
    assert_int_equal(flows.n, 12 * per_item);
    assert_string_equal(built.scenario.traffic[0].name, "m-rdma-t0-a");
    assert_string_equal(built.scenario.traffic[15].name, "m-tcp-region-b");
    for (size_t i = 0; i < flows.n; i++) {
        const struct flow *flow = &flows.flows[i];
        const size_t in_phase = i % (6 * per_item);

        assert_int_equal(nearness_of(of, flow->source, flow->destination),
                         in_phase / per_item % 3);
        assert_int_equal(flow->destination,
                         flows.flows[in_phase % (3 * per_item)].destination);
        assert_true(i % 3 == 0 ||
                    flow->destination != flows.flows[i - 1].destination);
        assert_true(i % 3 != 2 ||
                    flow->destination != flows.flows[i - 2].destination);
    }
    arena_destroy(built.arena);
}

/* Each host gets from five others, which start at one time of its own. */
static void
test_fan_in(void **state)
{
    struct built built;
    const struct flow_list flows = make_flows(
        &built, "", "rc: {pattern: fan_in, n: 5, size: 1KB}, jitter: 1us");
    bool is_equal = true;

    (void)state;
    assert_int_equal(flows.n, 8 * 5);
    for (size_t i = 0; i < flows.n; i++) {
        const struct flow *flow = &flows.flows[i];
        const struct flow *first = &flows.flows[i / 5 * 5];

        assert_int_equal(flow->destination, built.topology.n_switches + i / 5);
        assert_true(flow->source != flow->destination);
        assert_int_equal(flow->start_ps, first->start_ps);
        for (const struct flow *other = first; other < flow; other++) {
            assert_true(flow->source != other->source);
        }
        is_equal = is_equal && flow->start_ps == flows.flows[0].start_ps;
    }
    assert_false(is_equal);
    arena_destroy(built.arena);
}

static void
test_permutations(void **state)
{
    struct built built;
    struct flow_list flows = make_flows(
        &built, "", "rc: {pattern: permutation, size: 1KB}, jitter: 1us");
    bool receives[64] = {false};
    bool is_late = false;

    (void)state;
    for (size_t i = 0; i < flows.n; i++) {
        const struct flow *flow = &flows.flows[i];

        assert_int_equal(flow->source, built.topology.n_switches + i);
        assert_false(receives[flow->destination]);
        receives[flow->destination] = true;
        assert_true(flow->start_ps >= 0 && flow->start_ps <= 1000000);
        is_late = is_late || flow->start_ps > 0;
    }
    assert_true(is_late);
    arena_destroy(built.arena);
}

/* Returns how many different source ports the flows have. */
static size_t
count_ports(const struct flow_list *flows)
{
    size_t n = 0;

    for (size_t i = 0; i < flows->n; i++) {
        bool is_new = true;

        for (size_t k = 0; k < i; k++) {
            is_new = is_new &&
                     flows->flows[k].source_port != flows->flows[i].source_port;
        }
        n += is_new;
    }
    return n;
}

static void
test_entropy_of_source_ports(void **state)
{
    static const struct {
        const char *entropy;
        size_t min, max;
    } rows[] = {
        {"entropy: qp", 40, 48},
        {"entropy: pair", 3, 3},
        {"entropy: host, entropy_ports: 16384", 1, 1},
        {"entropy_ports: 4", 4, 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char hosts[128];
        struct built built;
        struct flow_list flows;
        size_t n;

        snprintf(hosts, sizeof hosts, "hosts: {default: {%s}}\n",
                 rows[i].entropy);
        flows = make_flows(&built, hosts,
                           "rc: {pattern: all_to_all, from: h-0-0, "
                           "to: 'h-1-[0..2]', qps: 16, size: 1KB}");
        n = count_ports(&flows);
        assert_true(n >= rows[i].min && n <= rows[i].max);
        arena_destroy(built.arena);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_names_and_numbers),
        cmocka_unit_test(test_hosts_are_within_their_prefixes),
        cmocka_unit_test(test_any_order_gives_the_same_numbers),
        cmocka_unit_test(test_rooms_of_chips),
        cmocka_unit_test(test_digest_tells_fabrics_apart),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_patterns_of_traffic),
        cmocka_unit_test(test_nearness),
        cmocka_unit_test(test_pingmesh),
        cmocka_unit_test(test_fan_in),
        cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_entropy_of_source_ports),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
