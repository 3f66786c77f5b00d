/* SPDX-License-Identifier: Apache-2.0 */

/* A k-ary fat tree of routed switches with an adapter per host. */

#include <config.h>

#include "tests/support/fat_tree.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"

enum {
    FIRST_HOST = 2,    /* In the last byte of an address. */
    BITS_PER_TIER = 8, /* Tiers choose by different bits of the hash. */
};

#define SWITCH_MAC(i) (UINT64_C(0x020000000000) + (i))
#define HOST_MAC(i)   (UINT64_C(0x024000000000) + (i))

/* The tiers, in the order of the numbers of switches. */
enum tier { EDGE, AGGREGATION, CORE };

static void
must(enum st status)
{
    orch_assert(status == ST_OK);
}

/* Numbers ---------------------------------------------------------------- */

static uint32_t
half(const struct fat_tree *tree)
{
    return tree->k / 2;
}

/* The number of the first switch of 'tier'. */
static uint32_t
first_of(const struct fat_tree *tree, enum tier tier)
{
    return tier * tree->k * half(tree);
}

static enum tier
tier_of(const struct fat_tree *tree, uint32_t number)
{
    return number < first_of(tree, AGGREGATION) ? EDGE
           : number < first_of(tree, CORE)      ? AGGREGATION
                                                : CORE;
}

static uint32_t
address_of(const struct fat_tree *tree, uint32_t host)
{
    const uint32_t h = half(tree);

    return 10u << 24 | host / (h * h) << 16 | host / h % h << 8 |
           (host % h + FIRST_HOST);
}

struct connection_end
fat_tree_end(const struct fat_tree *tree, uint32_t host)
{
    return (struct connection_end){.nic = tree->nics[host],
                                   .mac = HOST_MAC(host),
                                   .address = address_of(tree, host),
                                   .gateway = SWITCH_MAC(host / half(tree))};
}

static struct address
v4(uint32_t number)
{
    const uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
                              (uint8_t)(number >> 8), (uint8_t)number};

    return address_make(ADDRESS_V4, bytes);
}

/* One cable: the ends are ports of switches, 'a' maybe a host. */
struct cable {
    bool is_host;
    uint32_t a;
    uint32_t a_port;
    uint32_t b;
    uint32_t b_port;
};

/* Returns cable 'i' of the tree: first those of hosts, then edge to
 * aggregation, then aggregation to core. */
static struct cable
cable_of(const struct fat_tree *tree, uint32_t i)
{
    const uint32_t h = half(tree);
    const uint32_t way = i % tree->n_hosts;
    const uint32_t node = way / h; /* Within its tier. */
    const uint32_t up = way % h;

    if (i < tree->n_hosts) {
        return (struct cable){true, way, 0, node, up};
    }
    if (i < 2 * tree->n_hosts) {
        return (struct cable){false, node, h + up,
                              first_of(tree, AGGREGATION) + node / h * h + up,
                              node % h};
    }
    return (struct cable){false, first_of(tree, AGGREGATION) + node, h + up,
                          first_of(tree, CORE) + node % h * h + up, node / h};
}

/* Routing ---------------------------------------------------------------- */

/* Makes the neighbor at 'interface' the next hop 'port'. */
static uint32_t
make_next_hop(struct router *router, uint32_t interface, uint32_t port,
              uint64_t mac)
{
    const struct address address = v4(0xc0a80001u + port);

    router_neighbor_set(
        router, interface, &address,
        &(struct router_neighbor){.mac = mac, .action = ROUTER_FORWARD});
    return router_next_hop_add(
        router,
        &(struct router_next_hop){.interface = interface, .address = address});
}

static void
set_route(struct router *router, uint32_t domain, uint32_t prefix,
          unsigned int length, enum router_target target, uint32_t handle)
{
    const struct address address = v4(prefix);

    router_route_set(router, domain, &address, length,
                     &(struct router_route){.target = target,
                                            .handle = handle,
                                            .action = ROUTER_FORWARD});
}

/* Makes the interface of 'port' of switch 'number'. */
static uint32_t
make_interface(struct router *router, uint32_t domain, uint32_t number,
               uint32_t port)
{
    return router_interface_add(
        router, &(struct router_interface){.kind = ROUTER_ON_PORT,
                                           .domain = domain,
                                           .port = port,
                                           .mac = SWITCH_MAC(number),
                                           .v4 = true,
                                           .mtu_bytes = SWITCH_SETUP_MTU,
                                           .miss_action = ROUTER_DROP,
                                           .loopback_action = ROUTER_FORWARD});
}

/* Returns the prefix behind downward port 'port' of switch 'number', which is
 * not an edge switch. */
static uint32_t
prefix_below(const struct fat_tree *tree, uint32_t number, uint32_t port)
{
    const uint32_t pod = (number - first_of(tree, AGGREGATION)) / half(tree);

    return tier_of(tree, number) == CORE ? 10u << 24 | port << 16
                                         : 10u << 24 | pod << 16 | port << 8;
}

/* Returns the switch at 'port' of switch 'number'. */
static uint32_t
peer_of(const struct fat_tree *tree, uint32_t number, uint32_t port)
{
    const uint32_t h = half(tree);
    const uint32_t node = number - first_of(tree, tier_of(tree, number));

    switch (tier_of(tree, number)) {
    case EDGE:
        return first_of(tree, AGGREGATION) + node / h * h + port - h;
    case AGGREGATION:
        return port < h ? node / h * h + port
                        : first_of(tree, CORE) + node % h * h + port - h;
    default:
        return first_of(tree, AGGREGATION) + port * h + node / h;
    }
}

/* Routes downward port 'port' of switch 'number'. */
static void
route_down(const struct fat_tree *tree, struct router *router, uint32_t domain,
           uint32_t number, uint32_t port, uint32_t interface)
{
    const enum tier tier = tier_of(tree, number);
    const uint32_t host = number * half(tree) + port;

    if (tier == EDGE) {
        const struct address address = v4(address_of(tree, host));

        router_neighbor_set(router, interface, &address,
                            &(struct router_neighbor){.mac = HOST_MAC(host),
                                                      .action = ROUTER_FORWARD,
                                                      .is_route = true});
        return;
    }
    set_route(router, domain, prefix_below(tree, number, port),
              tier == CORE ? 16 : 24, ROUTER_TO_NEXT_HOP,
              make_next_hop(router, interface, port,
                            SWITCH_MAC(peer_of(tree, number, port))));
}

static void
configure_routes(const struct fat_tree *tree, struct sim *sim, uint32_t number)
{
    struct router *router = sim_router(sim);
    const uint32_t n_down =
        tier_of(tree, number) == CORE ? tree->k : half(tree);
    const uint32_t domain = router_domain_add(
        router, &(struct router_domain){.mac = SWITCH_MAC(number), .v4 = true});
    const uint32_t group = router_group_add(router);
    struct flow_hash_config hash = flow_hash_default();

    hash.seed = number * UINT32_C(0x9e3779b9);
    hash.offset = (uint8_t)(BITS_PER_TIER * tier_of(tree, number));
    router_set_hash(router, &hash);
    for (uint32_t port = 0; port < tree->k; port++) {
        const uint32_t interface = make_interface(router, domain, number, port);

        if (port < n_down) {
            route_down(tree, router, domain, number, port, interface);
        } else {
            router_group_set(
                router, group, port,
                make_next_hop(router, interface, port,
                              SWITCH_MAC(peer_of(tree, number, port))),
                1);
        }
    }
    if (n_down < tree->k) {
        set_route(router, domain, 0, 0, ROUTER_TO_GROUP, group);
    }
}

/* The tree --------------------------------------------------------------- */

static void
add_switch(struct fat_tree *tree, const struct fat_tree_config *config,
           uint32_t number)
{
    struct sim *sim = fabric_add_switch_at(tree->fabric, config->setup.chip,
                                           1 + number * tree->k);

    tree->switches[number] = sim;
    switch_setup_apply(&config->setup, sim, SWITCH_MAC(number));
    configure_routes(tree, sim, number);
}

static void
add_host(struct fat_tree *tree, const struct fat_tree_config *config,
         uint32_t host)
{
    struct nic_config nic = config->nic;

    nic.mac = HOST_MAC(host);
    if (config->slow_every && host % config->slow_every == 0) {
        nic.pcie = config->slow;
    }
    must(fabric_add_nic(tree->fabric, &nic,
                        1 + tree->n_switches * tree->k + host,
                        &tree->nics[host]));
}

static void
add_cable(struct fat_tree *tree, const struct fat_tree_config *config,
          uint32_t i)
{
    const struct cable cable = cable_of(tree, i);
    struct fabric_end ends[2] = {{0}, {0}};

    if (cable.is_host) {
        ends[0].nic = tree->nics[cable.a];
    } else {
        ends[0].sim = tree->switches[cable.a];
        ends[0].port = cable.a_port;
    }
    ends[1].sim = tree->switches[cable.b];
    ends[1].port = cable.b_port;
    must(fabric_connect(tree->fabric, ends, config->length_m, SWITCH_SETUP_MTU,
                        &tree->links[i]));
}

/* Calls 'add' for all numbers below 'n', in the order of 'config'. */
static void
add_all(struct fat_tree *tree, const struct fat_tree_config *config, uint32_t n,
        void (*add)(struct fat_tree *tree, const struct fat_tree_config *config,
                    uint32_t number))
{
    uint32_t *order = check_malloc(n * sizeof *order);
    struct random random;

    random_init(&random, config->order);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    for (uint32_t i = n - 1; config->order && i > 0; i--) {
        const uint32_t j = (uint32_t)random_below(&random, i + 1);
        const uint32_t swap = order[i];

        order[i] = order[j];
        order[j] = swap;
    }
    for (uint32_t i = 0; i < n; i++) {
        add(tree, config, order[i]);
    }
    free(order);
}

void
fat_tree_init(struct fat_tree *tree, const struct fat_tree_config *config)
{
    const uint32_t h = config->setup.n_ports / 2;

    orch_assert(config->setup.n_ports % 2 == 0 &&
                config->setup.n_ports <= FAT_TREE_MAX_K &&
                config->setup.n_ports <= config->setup.chip->ports);
    *tree = (struct fat_tree){
        .fabric = fabric_create_with(config->memory, config->seed),
        .k = config->setup.n_ports,
        .n_switches = 2 * config->setup.n_ports * h + h * h,
        .n_hosts = config->setup.n_ports * h * h};
    tree->n_links = 3 * tree->n_hosts;
    tree->switches = check_calloc(tree->n_switches, sizeof *tree->switches);
    tree->nics = check_calloc(tree->n_hosts, sizeof *tree->nics);
    tree->links = check_calloc(tree->n_links, sizeof *tree->links);
    add_all(tree, config, tree->n_switches, add_switch);
    add_all(tree, config, tree->n_hosts, add_host);
    add_all(tree, config, tree->n_links, add_cable);
}

void
fat_tree_fini(struct fat_tree *tree)
{
    fabric_destroy(tree->fabric);
    free(tree->switches);
    free(tree->nics);
    free(tree->links);
}
