/* SPDX-License-Identifier: Apache-2.0 */

/* Routes of random fabrics against a slow model, while links fail and return.
 *
 * A fabric has two to four tiers.  Each switch has links to random switches of
 * the next tier, one of the top switches to all below it, and some have links
 * within their tier.  After each failure or return of a link, the next hops of
 * every switch towards every rack have to be those of the model, which is
 * computed by relaxation; packets that follow random next hops arrive, without
 * a valley and after as many links as fabric_routes_distance() says.
 *
 * ROUTES_SEED=n repeats a failure, ROUTES_FABRICS=n tries more. */

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
#include "lab/builder/routes.h"
#include "lab/builder/topology.h"

enum { NODES_MAX = 64, LINKS_MAX = 512, N_CHANGES = 6, UNREACHED = 1000 };

/* The fabric as a file would give it. */
struct fabric {
    char names[NODES_MAX][16];
    struct graph_switch switches[NODES_MAX];
    struct graph_host hosts[NODES_MAX];
    struct graph_link links[LINKS_MAX];
    struct fabric_spec spec;
    size_t n_names, n_links;
    bool has_high_hosts;
};

static const char *
make_name(struct fabric *fabric, const char *kind, unsigned int a,
          unsigned int b)
{
    char *name = fabric->names[fabric->n_names++];

    snprintf(name, sizeof fabric->names[0], "%s-%u-%u", kind, a, b);
    return name;
}

static void
add_link(struct fabric *fabric, const char *a, const char *b)
{
    assert_true(fabric->n_links < LINKS_MAX);
    fabric->links[fabric->n_links++] = (struct graph_link){
        .ends = {a, b}, .rate_bps = 1000000000, .parallel = 1};
}

/* Connects the switches from 'first' to before 'end' with those of the tier
 * above, from 'end' to before 'above_end'. */
static void
connect(struct fabric *fabric, size_t first, size_t end, size_t above_end,
        struct random *random)
{
    for (size_t i = first; i < end; i++) {
        /* The first of the upper tier keeps the fabric connected. */
        add_link(fabric, fabric->switches[i].name, fabric->switches[end].name);
        for (size_t k = end + 1; k < above_end; k++) {
            if (random_below(random, 2)) {
                add_link(fabric, fabric->switches[k].name,
                         fabric->switches[i].name);
            }
        }
    }
    for (size_t i = first + 1; i < end; i++) {
        if (!random_below(random, 6)) {
            add_link(fabric, fabric->switches[i].name,
                     fabric->switches[i - 1].name);
        }
    }
}

static void
make_fabric(struct fabric *fabric, struct random *random)
{
    unsigned int n_tiers = 2 + (unsigned int)random_below(random, 3);
    size_t first = 0, end = 0, before = 0;

    memset(fabric, 0, sizeof *fabric);
    for (unsigned int tier = 0; tier < n_tiers; tier++) {
        size_t n = 1 + (size_t)random_below(random, 6);

        for (unsigned int i = 0; i < n; i++) {
            fabric->switches[end++] =
                (struct graph_switch){.name = make_name(fabric, "s", tier, i),
                                      .role = "t0",
                                      .tier = tier};
        }
        if (tier) {
            connect(fabric, before, first, end, random);
        }
        before = first;
        first = end;
    }
    fabric->spec = (struct fabric_spec){
        .preset = FABRIC_GRAPH,
        .switches = fabric->switches,
        .n_switches = end,
        .hosts = fabric->hosts,
        .links = fabric->links,
    };
    /* Hosts at the lowest tier, and sometimes higher. */
    for (size_t i = 0; i < end; i++) {
        if (!fabric->switches[i].tier || !random_below(random, 8)) {
            struct graph_host *host = &fabric->hosts[fabric->spec.n_hosts++];

            fabric->has_high_hosts |= fabric->switches[i].tier > 0;
            host->name = make_name(fabric, "h", (unsigned int)i, 0);
            add_link(fabric, host->name, fabric->switches[i].name);
        }
    }
    fabric->spec.n_links = fabric->n_links;
}

/* The model: the ways of all switches to one rack. */
struct model {
    const struct topology *topology;
    bool is_up[LINKS_MAX];
    unsigned int down[NODES_MAX], across[NODES_MAX], up[NODES_MAX];
};

/* Stores in 'result[node]' the least of 'offers[peer]' + 1 of its peers whose
 * tier is 'step' above. */
static bool
relax(const struct model *model, uint32_t node, int step,
      const unsigned int *offers, unsigned int *result)
{
    const struct topology *topology = model->topology;
    bool changed = false;

    for (uint32_t i = 0; i < topology->nodes[node].n_ports; i++) {
        const struct topology_port *port = topology_port(topology, node, i);
        const struct topology_node *peer = &topology->nodes[port->peer];

        if (!peer->is_host && model->is_up[port->link] &&
            (peer->tier - topology->nodes[node].tier) * step >= (step != 0) &&
            (step || peer->tier == topology->nodes[node].tier) &&
            offers[port->peer] + 1 < result[node]) {
            result[node] = offers[port->peer] + 1;
            changed = true;
        }
    }
    return changed;
}

/* Returns the length of what 'node' uses: down if possible, then across. */
static unsigned int
used(const struct model *model, uint32_t node)
{
    return model->down[node] < UNREACHED     ? model->down[node]
           : model->across[node] < UNREACHED ? model->across[node]
                                             : model->up[node];
}

static void
compute(struct model *model, uint32_t rack)
{
    uint32_t n = model->topology->n_switches;
    unsigned int all[NODES_MAX];
    bool changed = true;

    for (uint32_t i = 0; i < n; i++) {
        model->down[i] = model->across[i] = model->up[i] = UNREACHED;
    }
    model->down[rack] = 0;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            changed |= relax(model, i, -1, model->down, model->down);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        relax(model, i, 0, model->down, model->across);
    }
    for (changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            all[i] = used(model, i);
        }
        for (uint32_t i = 0; i < n; i++) {
            changed |= relax(model, i, 1, all, model->up);
        }
    }
}

/* Returns whether port 'port' of 'node' leads a shortest way of its class. */
static bool
is_next_hop(const struct model *model, uint32_t node,
            const struct topology_port *port)
{
    int tier = model->topology->nodes[node].tier;
    int other = model->topology->nodes[port->peer].tier;

    if (!model->is_up[port->link] ||
        model->topology->nodes[port->peer].is_host) {
        return false;
    }
    if (model->down[node] < UNREACHED) {
        return other < tier && model->down[port->peer] + 1 == model->down[node];
    }
    if (model->across[node] < UNREACHED) {
        return other == tier &&
               model->down[port->peer] + 1 == model->across[node];
    }
    return other > tier && used(model, port->peer) + 1 == model->up[node] &&
           model->up[node] < UNREACHED;
}

/* Compares the next hops of all switches towards the rack of 'host'. */
static void
compare(const struct routes *routes, struct model *model, uint32_t host)
{
    const struct topology *topology = model->topology;
    uint32_t rack = topology_port(topology, host, 0)->peer;

    compute(model, rack);
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        struct next_hops hops = fabric_routes_towards(routes, i, host);
        uint32_t n = 0;

        for (uint32_t k = 0; i != rack && k < topology->nodes[i].n_ports; k++) {
            if (is_next_hop(model, i, topology_port(topology, i, k))) {
                assert_true(n < hops.n && hops.ports[n] == k);
                n++;
            }
        }
        assert_int_equal(hops.n, i == rack ? 1 : n);
    }
}

/* The longest prefix of a switch that covers an address. */
struct lookup {
    uint32_t address;
    uint8_t length;
    uint16_t port;
    bool found;
    struct random *random;
};

/* Implements route_fn. */
static void
look_up(void *context, const struct route *route)
{
    struct lookup *lookup = context;
    uint8_t length = route->prefix.length;
    uint32_t mask = length ? UINT32_MAX << (32 - length) : 0;

    if ((lookup->address & mask) == route->prefix.address &&
        (!lookup->found || length > lookup->length)) {
        lookup->found = true;
        lookup->length = length;
        lookup->port =
            route->next_hops
                .ports[random_below(lookup->random, route->next_hops.n)];
    }
}

/* Sends a packet by the aggregated routes; it may not climb after it has
 * descended. */
static void
send(const struct routes *routes, const struct topology *topology,
     uint32_t from, uint32_t to, struct random *random)
{
    uint32_t expected = fabric_routes_distance(routes, from, to), n = 1;
    uint32_t node = topology_port(topology, from, 0)->peer;
    bool climbs = true;

    while (node != to) {
        struct lookup lookup = {.address = topology->nodes[to].address,
                                .random = random};
        uint32_t next;

        fabric_routes_each(routes, node, look_up, &lookup);
        if (!lookup.found) {
            assert_int_equal(expected, 0);
            return;
        }
        next = topology_port(topology, node, lookup.port)->peer;
        assert_true(climbs ||
                    topology->nodes[next].tier < topology->nodes[node].tier);
        climbs =
            climbs && topology->nodes[next].tier > topology->nodes[node].tier;
        node = next;
        n++;
    }
    assert_int_equal(n, expected);
}

static void
check_all(const struct routes *routes, struct model *model,
          struct random *random)
{
    const struct topology *topology = model->topology;

    for (uint32_t i = topology->n_switches; i < topology->n_nodes; i++) {
        compare(routes, model, i);
        for (uint32_t k = topology->n_switches; k < topology->n_nodes; k++) {
            if (i != k) {
                send(routes, topology, i, k, random);
            }
        }
    }
}

static void
try_fabric(struct random *random)
{
    static struct fabric fabric;
    struct arena *arena = arena_create(0);
    struct topology topology;
    struct model model = {.topology = &topology};
    struct routes *routes;
    struct err err = {0};

    make_fabric(&fabric, random);
    if (topology_build(&fabric.spec, "x", arena, &topology, &err)) {
        fail_msg("%s", err.reason);
    }
    topology_check(&topology);
    memset(model.is_up, true, sizeof model.is_up);
    routes = fabric_routes_create(&topology, ROUTING_VALLEY_FREE);
    /* Racks below reach each other by the first top switch.  Those of higher
     * switches may have no common switch above them. */
    assert_true(fabric_routes_check(routes, &err) == ST_OK ||
                fabric.has_high_hosts);
    assert_string_not_equal(err.code, "loop");
    check_all(routes, &model, random);
    for (int i = 0; i < N_CHANGES; i++) {
        uint32_t link = (uint32_t)random_below(random, topology.n_links);

        /* Links of hosts are another test's. */
        if (topology.nodes[topology.links[link].node[0]].is_host) {
            continue;
        }
        model.is_up[link] = !model.is_up[link];
        fabric_routes_set_link(routes, link, model.is_up[link]);
        check_all(routes, &model, random);
    }
    fabric_routes_destroy(routes);
    arena_destroy(arena);
}

static void
test_random_fabrics(void **state)
{
    const char *one = getenv("ROUTES_SEED"), *many = getenv("ROUTES_FABRICS");
    uint64_t seed = one ? strtoull(one, NULL, 10) : 1;
    uint64_t n = many ? strtoull(many, NULL, 10) : one ? 1 : 1000;

    (void)state;
    for (uint64_t i = seed; i < seed + n; i++) {
        struct random random;

        print_message("ROUTES_SEED=%llu\n", (unsigned long long)i);
        random_init(&random, i);
        try_fabric(&random);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_fabrics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
