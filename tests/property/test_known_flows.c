/* SPDX-License-Identifier: Apache-2.0 */

/* What switches remember of flows, and what they do not post, changes no
 * result.
 *
 * Two edge switches and two spines carry bridged and routed flows between eight
 * hosts: through a VLAN with learning and ageing, router interfaces of VLANs
 * and ports, and groups of equal paths.  Meanwhile a random script changes
 * whatever decides: entries, ageing, memberships, learning, routes, members of
 * groups, neighbors, MTUs, traps, access lists, maps, ports, LAGs, pauses,
 * cables, and the place of a host.  It also reads and clears counters.
 *
 * Each script runs three times: as always; with every frame on the full path
 * and compared with what the switch remembers (sim_set_check()); and with an
 * event at the end of each transmission, because a listener wants to hear of
 * it.  All counters of the three runs are equal, whenever they are read.
 *
 * Usage: test_known_flows [SEED [RUNS]].  A failure prints the seed. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/parse.h"
#include "base/random.h"
#include "twin/fabric/fabric.h"
#include "twin/forwarding/acl.h"
#include "twin/qos/pause_frame.h"

enum {
    HOSTS = 8,
    PER_EDGE = 4,
    BRIDGED = 2, /* Hosts of an edge in the VLAN; the others are routed. */
    UP = 4,      /* Ports 4 and 5 lead to the spines ... */
    TRUNK = 6,   /* ... and port 6 to the other edge, in the VLAN. */
    PORTS = 7,
    SWITCHES = 4, /* Two edges, two spines. */
    VLAN = 10,
    FLOWS = 24,
    STEPS = 120,
    LOOKS = 8, /* In each step. */
    RULES = 4,
    LISTS = 2,
    SPEED_MBPS = 100000,
    MTU = 1514,
};

#define STEP_PS       INT64_C(2000000)
#define HOST_MAC(i)   (UINT64_C(0x020000000100) + (i))
#define ROUTER_MAC(i) (UINT64_C(0x020000000200) + (i))

/* How the switches of a run work. */
enum mode {
    USUAL,
    CHECKED, /* The full path for all frames. */
    POSTED,  /* An event for each end of a transmission. */
    N_MODES,
};

/* A router of a switch. */
struct routes {
    uint32_t domain;
    uint32_t interfaces[PORTS + 1]; /* By port; the last is of the VLAN. */
    uint32_t hops[2];
    uint32_t group;
};

struct world {
    struct chip chip;
    struct fabric *fabric;
    struct sim *switches[SWITCHES];
    struct routes routes[SWITCHES];
    struct host *hosts[HOSTS];
    struct link *links[HOSTS + 5];
    struct classify_map maps[2];
    struct acl_table *lists[LISTS]; /* Rule i is in list i % LISTS. */
    const struct acl_table *bound[LISTS];
    struct acl_set sets[LISTS + 1]; /* Each list, and all of them. */
    struct acl_rule rules[RULES];
    struct acl_count counts[RULES];
    struct random random;
    uint32_t n_links;
    uint32_t n_flows;
    uint32_t lags[SWITCHES];
    uint64_t digest; /* Of what was read on the way. */
};

static void
must(enum st status)
{
    orch_assert(status == ST_OK);
}

static uint32_t
roll(struct world *w, uint32_t n)
{
    return (uint32_t)random_below(&w->random, n);
}

/* Addresses ----------------------------------------------------------- */

static struct address
address(uint8_t b, uint8_t c, uint8_t d)
{
    const uint8_t bytes[] = {10, b, c, d};

    return address_make(ADDRESS_V4, bytes);
}

static bool
is_bridged(uint32_t host)
{
    return host % PER_EDGE < BRIDGED;
}

/* The hosts of the VLAN are in one subnet, each other one in that of its
 * edge. */
static struct address
address_of(uint32_t host)
{
    return is_bridged(host)
               ? address(9, 0, (uint8_t)host)
               : address((uint8_t)(host / PER_EDGE), 0, (uint8_t)host);
}

/* Building ------------------------------------------------------------ */

static uint32_t
add_interface(struct world *w, uint32_t i, enum router_kind kind, uint32_t port)
{
    return router_interface_add(
        sim_router(w->switches[i]),
        &(struct router_interface){.kind = kind,
                                   .domain = w->routes[i].domain,
                                   .port = port,
                                   .vlan = kind == ROUTER_ON_VLAN ? VLAN : 0,
                                   .mac = ROUTER_MAC(i),
                                   .v4 = true,
                                   .mtu_bytes = MTU,
                                   .miss_action = ROUTER_DROP,
                                   .loopback_action = ROUTER_FORWARD});
}

static void
add_neighbor(struct world *w, uint32_t i, uint32_t interface,
             struct address address, uint64_t mac)
{
    router_neighbor_set(sim_router(w->switches[i]), interface, &address,
                        &(struct router_neighbor){.mac = mac,
                                                  .action = ROUTER_FORWARD,
                                                  .is_route = true});
}

/* A sim_listener_fn. */
static void
ignore(void *context, uint32_t port, const struct sim_frame *frame,
       int64_t now_ps)
{
    (void)context;
    (void)port;
    (void)frame;
    (void)now_ps;
}

static void
make_switch(struct world *w, uint32_t i)
{
    struct sim *sim = fabric_add_switch(w->fabric, &w->chip);
    struct routes *routes = &w->routes[i];

    w->switches[i] = sim;
    bridge_vlan_add(sim_bridge(sim), VLAN);
    routes->domain = router_domain_add(
        sim_router(sim), &(struct router_domain){.mac = ROUTER_MAC(i),
                                                 .v4 = true,
                                                 .ttl_action = ROUTER_TRAP});
    for (uint32_t port = 0; port < PORTS; port++) {
        must(sim_port_add(sim, port, port,
                          &(struct sim_port_config){.speed_mbps = SPEED_MBPS,
                                                    .admin_up = true,
                                                    .tx_enabled = true,
                                                    .pfc_rx_enabled = 0xff,
                                                    .pause_rx_enabled = true}));
        routes->interfaces[port] = add_interface(w, i, ROUTER_ON_PORT, port);
    }
    sim_rules(sim)->dscp_to_tc = &w->maps[0];
    sim_rules(sim)->tc_to_queue = &w->maps[0];
    must(sim_lag_add(sim, &w->lags[i]));
}

/* Makes the VLAN of edge 'i', with its hosts. */
static void
make_vlan(struct world *w, uint32_t i)
{
    struct bridge *bridge = sim_bridge(w->switches[i]);
    struct routes *routes = &w->routes[i];

    for (uint32_t k = 0; k <= BRIDGED; k++) {
        const uint32_t port = k < BRIDGED ? k : TRUNK;

        router_interface_remove(sim_router(w->switches[i]),
                                routes->interfaces[port]);
        bridge_port(bridge, port)->vlan = VLAN;
        bridge_port(bridge, port)->learns = true;
        bridge_member_set(bridge, VLAN, port,
                          k < BRIDGED ? BRIDGE_UNTAGGED : BRIDGE_TAGGED);
    }
    routes->interfaces[PORTS] = add_interface(w, i, ROUTER_ON_VLAN, 0);
    for (uint32_t h = 0; h < HOSTS; h++) {
        if (is_bridged(h)) {
            add_neighbor(w, i, routes->interfaces[PORTS], address_of(h),
                         HOST_MAC(h));
        } else if (h / PER_EDGE == i) {
            add_neighbor(w, i, routes->interfaces[h % PER_EDGE], address_of(h),
                         HOST_MAC(h));
        }
    }
}

/* Routes from edge 'i' to the other one by both spines, and from spines to
 * edges. */
static void
make_routes(struct world *w, uint32_t i)
{
    struct router *router = sim_router(w->switches[i]);
    struct routes *routes = &w->routes[i];
    const bool is_edge = i < 2;

    routes->group = router_group_add(router);
    for (uint32_t k = 0; k < 2; k++) {
        const struct address far = address(8, (uint8_t)i, (uint8_t)k);
        const uint32_t port = is_edge ? UP + k : k;
        const struct address prefix = address((uint8_t)k, 0, 0);

        add_neighbor(w, i, routes->interfaces[port], far,
                     ROUTER_MAC(is_edge ? 2 + k : k));
        routes->hops[k] = router_next_hop_add(
            router, &(struct router_next_hop){
                        .interface = routes->interfaces[port], .address = far});
        router_group_set(router, routes->group, k, routes->hops[k], 1);
        if (!is_edge) {
            router_route_set(
                router, routes->domain, &prefix, 16,
                &(struct router_route){.target = ROUTER_TO_NEXT_HOP,
                                       .handle = routes->hops[k],
                                       .action = ROUTER_FORWARD});
        }
    }
}

/* Sets the route of edge 'i' to the other one. */
static void
set_route(struct world *w, uint32_t i, enum router_target target,
          uint32_t handle)
{
    const struct address prefix = address((uint8_t)(1 - i), 0, 0);

    router_route_set(
        sim_router(w->switches[i]), w->routes[i].domain, &prefix, 16,
        &(struct router_route){
            .target = target, .handle = handle, .action = ROUTER_FORWARD});
}

static void
connect(struct world *w, struct fabric_end a, struct fabric_end b)
{
    const struct fabric_end ends[2] = {a, b};

    must(fabric_connect(w->fabric, ends, 10 + w->n_links, 9216,
                        &w->links[w->n_links]));
    w->n_links++;
}

static void
make_world(struct world *w, uint64_t seed, enum mode mode)
{
    *w = (struct world){.fabric = fabric_create(seed)};
    random_init(&w->random, seed);
    chip_init(&w->chip);
    w->chip.ports = PORTS;
    for (uint8_t i = 0; i < 8; i++) {
        w->maps[0].entries[i] = i;
        w->maps[1].entries[i] = (uint8_t)(7 - i);
    }
    for (uint32_t i = 0; i < SWITCHES; i++) {
        make_switch(w, i);
        sim_set_check(w->switches[i], mode == CHECKED);
        if (mode == POSTED) {
            sim_set_listener(w->switches[i],
                             &(struct sim_listener){.sent = ignore});
        }
    }
    for (uint32_t i = 0; i < SWITCHES; i++) {
        if (i < 2) {
            make_vlan(w, i);
            set_route(w, i, ROUTER_TO_GROUP, 0);
        }
        make_routes(w, i);
    }
    for (uint32_t h = 0; h < HOSTS; h++) {
        must(fabric_add_host(
            w->fabric,
            &(struct host_config){.mac = HOST_MAC(h), .speed_mbps = SPEED_MBPS},
            &w->hosts[h]));
        connect(w, (struct fabric_end){.host = w->hosts[h]},
                (struct fabric_end){.sim = w->switches[h / PER_EDGE],
                                    .port = h % PER_EDGE});
    }
    for (uint32_t k = 0; k < 4; k++) {
        connect(
            w,
            (struct fabric_end){.sim = w->switches[k / 2], .port = UP + k % 2},
            (struct fabric_end){.sim = w->switches[2 + k % 2], .port = k / 2});
    }
    connect(w, (struct fabric_end){.sim = w->switches[0], .port = TRUNK},
            (struct fabric_end){.sim = w->switches[1], .port = TRUNK});
}

/* The script ----------------------------------------------------------- */

/* Adds a flow between two hosts; its source may be the address of another host
 * of the VLAN, which moves with it. */
static void
add_flow(struct world *w)
{
    const uint32_t from = roll(w, HOSTS);
    const uint32_t to = (from + 1 + roll(w, HOSTS - 1)) % HOSTS;
    const bool bridges = is_bridged(from) && is_bridged(to) && roll(w, 3);
    const uint32_t posed =
        is_bridged(from) && roll(w, 6) == 0 ? PER_EDGE - from % PER_EDGE : from;
    const uint32_t length = 64 + roll(w, MTU - 60);
    struct flow_config flow = {
        .flow = w->n_flows,
        .priority = (uint8_t)roll(w, 8),
        .pace = {.start_ps = engine_now_ps(fabric_engine(w->fabric)),
                 .n_frames = 1 + roll(w, 300),
                 .interval = {100000 + roll(w, 900000), 1}},
        .frame = {.dst_mac =
                      bridges ? HOST_MAC(to) : ROUTER_MAC(from / PER_EDGE),
                  .src_mac = HOST_MAC(posed),
                  .length_bytes = length,
                  .dscp = (int8_t)roll(w, 8),
                  .ttl = (uint8_t)(1 + roll(w, 5))},
    };
    const struct packet packet = {.dst_mac = flow.frame.dst_mac,
                                  .src_mac = flow.frame.src_mac,
                                  .type = 0x0800,
                                  .kind = PACKET_IPV4,
                                  .src = address_of(posed),
                                  .dst = address_of(to),
                                  .ip_bytes = roll(w, 2) ? length - 14 : 0,
                                  .ttl = flow.frame.ttl,
                                  .protocol = PACKET_UDP,
                                  .has_ports = true,
                                  .src_port = (uint16_t)roll(w, 1000),
                                  .dst_port = 4791};

    flow.frame.payload = sim_payload_describe(&packet);
    must(host_add_flow(w->hosts[from], &flow));
    sim_payload_unref(flow.frame.payload);
    w->n_flows++;
}

static void
change_bridge(struct world *w, struct sim *sim)
{
    struct bridge *bridge = sim_bridge(sim);
    struct fdb *fdb = bridge_fdb(bridge);
    const uint32_t port = roll(w, 3) ? roll(w, BRIDGED) : TRUNK;
    const struct fdb_entry entry = {.mac = HOST_MAC(roll(w, HOSTS)),
                                    .vlan = roll(w, 4) ? VLAN : FDB_ANY_VLAN,
                                    .is_static = true,
                                    .discards = roll(w, 8) == 0,
                                    .port = port};
    const struct fdb_filter learned = {
        .vlan = VLAN, .port = FDB_NONE, .learned = true, .statics = roll(w, 2)};

    switch (roll(w, 7)) {
    case 0:
        orch_assert(fdb_set(fdb, &entry));
        break;
    case 1:
        (void)fdb_remove(fdb, entry.vlan, entry.mac);
        (void)fdb_remove(fdb, FDB_ANY_VLAN, entry.mac);
        break;
    case 2:
        fdb_flush(fdb, &learned, NULL, NULL);
        break;
    case 3:
        bridge_set_ageing(bridge, roll(w, 3) ? STEP_PS * roll(w, 9) : 0);
        break;
    case 4:
        bridge_port(bridge, port)->learns = roll(w, 3) != 0;
        break;
    case 5:
        bridge_vlan_set_learning(bridge, VLAN, roll(w, 3) != 0);
        break;
    default:
        bridge_member_set(bridge, VLAN, port,
                          (enum bridge_membership)roll(w, 3));
    }
}

static void
change_interface(struct world *w, uint32_t i)
{
    struct router *router = sim_router(w->switches[i]);
    const uint32_t handle =
        w->routes[i]
            .interfaces[i < 2 && roll(w, 2) ? PORTS
                                            : (i < 2 ? UP : 0) + roll(w, 2)];
    struct router_interface interface = *router_interface_get(router, handle);

    interface.mtu_bytes = roll(w, 3) ? MTU : 600;
    interface.keeps_ttl = roll(w, 4) == 0;
    router_interface_set(router, handle, &interface);
}

static void
change_router(struct world *w, uint32_t i)
{
    struct router *router = sim_router(w->switches[i]);
    const struct routes *routes = &w->routes[i];
    const uint32_t k = roll(w, 2);

    switch (roll(w, 5)) {
    case 0:
        change_interface(w, i);
        break;
    case 1:
        router_group_set(router, routes->group, k, routes->hops[k], roll(w, 4));
        break;
    case 2:
        if (i < 2 && roll(w, 3)) {
            set_route(w, i, ROUTER_TO_GROUP, routes->group);
        } else if (i < 2) {
            set_route(w, i, ROUTER_TO_NEXT_HOP, routes->hops[k]);
        }
        break;
    case 3:
        if (i < 2) {
            const uint32_t h = i * PER_EDGE + BRIDGED + k;

            add_neighbor(w, i, routes->interfaces[h % PER_EDGE], address_of(h),
                         HOST_MAC(roll(w, 4) ? h : HOSTS));
        }
        break;
    default:
        sim_traps(w->switches[i])->is_set[TRAP_TTL] = roll(w, 2) != 0;
        sim_traps(w->switches[i])->actions[TRAP_TTL] = ROUTER_DROP;
    }
}

static void
change_port(struct world *w, struct sim *sim)
{
    const uint32_t id = roll(w, PORTS);
    struct sim_port_config config = *sim_port_get(sim, id);

    config.admin_up = roll(w, 4) != 0;
    config.tx_enabled = roll(w, 6) != 0;
    config.extra_bytes = (uint8_t)(4 * roll(w, 2));
    must(sim_port_set(sim, id, &config));
}

/* Lets a pause arrive at a port: of some priorities, or their end. */
static void
pause(struct world *w, struct sim *sim)
{
    struct pause_frame content = {.priorities = (uint8_t)roll(w, 256)};
    uint8_t bytes[PAUSE_FRAME_BYTES];
    struct sim_frame frame = {.dst_mac = PAUSE_FRAME_ADDRESS,
                              .src_mac = HOST_MAC(0),
                              .length_bytes = sizeof bytes,
                              .dscp = -1};
    const uint32_t port = roll(w, PORTS);

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        content.quanta[i] = (uint16_t)(roll(w, 2) * roll(w, 1000));
    }
    pause_frame_build(&content, HOST_MAC(0), bytes);
    frame.payload = sim_payload_create(sizeof bytes, bytes);
    orch_assert(sim_receive(sim, port, &frame) != ST_NOT_FOUND);
    sim_payload_unref(frame.payload);
}

/* Puts a port that leads to a switch in a LAG, or takes it out. */
static void
change_lag(struct world *w, uint32_t i)
{
    const uint32_t port = i < 2 ? UP + roll(w, 3) : roll(w, 2);

    if (roll(w, 2)) {
        must(sim_lag_set(w->switches[i], w->lags[i], port,
                         &(struct sim_lag_member){true, true, 1}));
    } else {
        sim_lag_unset(w->switches[i], port);
    }
}

/* Requires of 'rule' what is the same for all frames of a flow, or, seldom,
 * what is not. */
static void
draw_condition(struct world *w, struct acl_rule *rule)
{
    const uint64_t mac = HOST_MAC(roll(w, HOSTS));
    const uint64_t all = UINT64_MAX;
    const uint8_t tc = (uint8_t)roll(w, 4);
    const uint16_t port = (uint16_t)roll(w, PORTS);
    const uint8_t ect = 2;
    const uint8_t ttl = 63;

    switch (roll(w, 24)) {
    case 0:
        acl_rule_require(rule, offsetof(struct acl_fields, class_byte),
                         sizeof ect, &ect, "\3");
        break;
    case 1:
        acl_rule_require(rule, offsetof(struct acl_fields, ttl), sizeof ttl,
                         &ttl, &all);
        break;
    case 2:
        rule->n_ranges = 1;
        rule->ranges[0] = (struct acl_range){ACL_LENGTH, 0, 500};
        break;
    case 3:
    case 4:
        acl_rule_require(rule, offsetof(struct acl_fields, in_port),
                         sizeof port, &port, &all);
        break;
    case 5:
    case 6:
        acl_rule_require_is(rule, roll(w, 2) ? ACL_HAS_TAG : 0, ACL_HAS_TAG);
        break;
    default:
        if (roll(w, 2)) {
            acl_rule_require(rule,
                             roll(w, 2) ? offsetof(struct acl_fields, src_mac)
                                        : offsetof(struct acl_fields, dst_mac),
                             sizeof mac, &mac, &all);
        } else {
            acl_rule_require(rule, offsetof(struct acl_fields, tc), sizeof tc,
                             &tc, &all);
        }
    }
}

/* Makes rule 'r' another one: it drops, forwards, copies, sets the TC, the
 * color or the DSCP of frames, and mostly counts them. */
static void
draw_rule(struct world *w, uint32_t r)
{
    struct acl_rule *rule = &w->rules[r];
    static const uint8_t actions[] = {ACL_DROP, ACL_FORWARD, ACL_FORWARD,
                                      ACL_FORWARD | ACL_COPY};

    *rule = (struct acl_rule){.priority = roll(w, 3), .number = r};
    rule->count = roll(w, 4) ? &w->counts[r] : NULL;
    rule->actions = (struct acl_actions){
        .kinds = (uint8_t)(1u << roll(w, 4)),
        .action = actions[roll(w, 4)],
        .tc = (uint8_t)roll(w, 4),
        .dscp = (uint8_t)roll(w, 64),
    };
    draw_condition(w, rule);
    acl_table_add(w->lists[r % LISTS], rule);
    for (uint32_t i = 0; i < SWITCHES; i++) {
        sim_change_acl(w->switches[i]);
    }
}

/* Changes a rule, or where access lists are bound. */
static void
change_lists(struct world *w, struct sim *sim)
{
    const uint32_t r = roll(w, RULES);

    if (roll(w, 2)) {
        acl_table_remove(w->lists[r % LISTS], &w->rules[r]);
        draw_rule(w, r);
    } else {
        const struct acl_set *set =
            roll(w, 3) ? &w->sets[roll(w, LISTS + 1)] : NULL;
        const uint32_t place = roll(w, 4) ? roll(w, PORTS) : MMU_NONE;

        if (roll(w, 4)) {
            sim_set_acl(sim, (enum sim_stage)roll(w, SIM_N_STAGES), place, set);
        } else {
            sim_set_vlan_acl(sim, roll(w, 3) ? VLAN : BRIDGE_DEFAULT_VLAN, set);
        }
    }
}

static void
step(struct world *w)
{
    const uint32_t i = roll(w, SWITCHES);

    switch (roll(w, 13)) {
    case 0:
    case 1:
        change_bridge(w, w->switches[i % 2]);
        break;
    case 2:
    case 3:
        change_router(w, i);
        break;
    case 4:
        change_port(w, w->switches[i]);
        break;
    case 5:
        link_set_up(w->links[roll(w, w->n_links)], roll(w, 4) != 0);
        break;
    case 6:
        sim_rules(w->switches[i])->dscp_to_tc = &w->maps[roll(w, 2)];
        break;
    case 7:
        pause(w, w->switches[i]);
        break;
    case 8:
        change_lag(w, i);
        break;
    case 9:
        change_lists(w, w->switches[i]);
        break;
    default:
        add_flow(w);
    }
}

/* Results -------------------------------------------------------------- */

static uint64_t
digest_switch(uint64_t digest, const struct world *w, uint32_t i)
{
    struct sim *sim = w->switches[i];
    struct bridge *bridge = sim_bridge(sim);
    const struct fdb_filter all = {.vlan = FDB_ANY_VLAN,
                                   .port = FDB_NONE,
                                   .learned = true,
                                   .statics = true};
    const uint64_t n_entries = fdb_each(bridge_fdb(bridge), &all, NULL, NULL);
    struct sim_port_stats port;
    struct sim_queue_stats queue;

    for (uint32_t p = 0; p < PORTS; p++) {
        must(sim_port_get_stats(sim, p, &port));
        digest = digest_bytes(digest, &port, sizeof port);
        digest = digest_bytes(digest, bridge_port_stats(bridge, p),
                              sizeof(struct bridge_stats));
        for (uint32_t q = 0; q < 8; q++) {
            must(sim_queue_get_stats(sim, p, q, &queue));
            digest = digest_bytes(digest, &queue, sizeof queue);
        }
    }
    for (uint32_t k = UP; k <= PORTS; k++) {
        const struct router_interface_stats *stats = router_interface_stats(
            sim_router(sim), w->routes[i].interfaces[k == TRUNK ? UP : k]);

        if (i < 2) {
            digest = digest_bytes(digest, stats, sizeof *stats);
        }
    }
    for (int reason = 0; reason < ROUTER_N_REASONS; reason++) {
        const uint64_t n =
            router_count(sim_router(sim), (enum router_reason)reason);

        digest = digest_bytes(digest, &n, sizeof n);
    }
    digest = digest_bytes(digest, bridge_vlan_stats(bridge, VLAN),
                          sizeof(struct bridge_stats));
    return digest_bytes(digest, &n_entries, sizeof n_entries);
}

static void
note(struct world *w, const void *bytes, size_t n)
{
    w->digest = digest_bytes(w->digest, bytes, n);
}

/* Reads or clears something. */
static void
look(struct world *w)
{
    const uint32_t i = roll(w, SWITCHES);
    const uint32_t id = roll(w, PORTS);
    struct sim *sim = w->switches[i];
    struct sim_port_stats port;
    struct sim_queue_stats queue;
    uint64_t held[2];

    switch (roll(w, 16)) {
    case 0:
        note(w, bridge_port_stats(sim_bridge(sim), id),
             sizeof(struct bridge_stats));
        break;
    case 1:
        note(w,
             router_interface_stats(sim_router(sim),
                                    w->routes[i].interfaces[i < 2 ? UP : 0]),
             sizeof(struct router_interface_stats));
        break;
    case 2:
        sim_port_clear_stats(sim, id);
        break;
    case 3:
    case 4:
        w->digest = digest_switch(w->digest, w, i);
        break;
    case 5:
    case 6:
        sim_count_held(sim, &held[0], &held[1]);
        note(w, held, sizeof held);
        break;
    case 7:
    case 8:
        must(sim_queue_get_stats(sim, id, roll(w, 8), &queue));
        note(w, &queue, sizeof queue);
        break;
    case 9:
        sim_port_wake(sim, id);
        break;
    default:
        must(sim_port_get_stats(sim, id, &port));
        note(w, &port, sizeof port);
    }
}

/* Runs for a step, and looks at the switches meanwhile. */
static void
run_step(struct world *w)
{
    struct engine *engine = fabric_engine(w->fabric);

    for (uint32_t i = 0; i < LOOKS; i++) {
        engine_run_until(engine,
                         engine_now_ps(engine) + roll(w, 2 * STEP_PS / LOOKS));
        look(w);
    }
}

/* Runs the script of 'seed', and returns the digest of what all have counted.
 * Adds to the totals what was received, and what was compared. */
static uint64_t
run(uint64_t seed, enum mode mode, uint64_t *received, uint64_t *checked)
{
    struct world w;
    uint64_t digest;

    make_world(&w, seed, mode);
    for (uint32_t i = 0; i < LISTS; i++) {
        w.lists[i] = acl_table_create();
        w.bound[i] = w.lists[i];
        w.sets[i] = (struct acl_set){.n = 1, .tables = w.bound + i};
    }
    w.sets[LISTS] = (struct acl_set){
        .is_parallel = seed % 2, .n = LISTS, .tables = w.bound};
    for (uint32_t r = 0; r < RULES; r++) {
        draw_rule(&w, r);
    }
    for (uint32_t i = 0; i < FLOWS; i++) {
        add_flow(&w);
    }
    for (int64_t i = 0; i < STEPS; i++) {
        run_step(&w);
        step(&w);
    }
    engine_run_until(fabric_engine(w.fabric),
                     engine_now_ps(fabric_engine(w.fabric)) + 100 * STEP_PS);
    digest = w.digest;
    for (uint32_t h = 0; h < HOSTS; h++) {
        const struct receiver *receiver = host_receiver(w.hosts[h]);

        *received += receiver->frames;
        digest = digest_bytes(digest, &receiver->frames, 16);
        for (uint32_t f = 0; f < receiver->n_flows; f++) {
            const struct receiver_flow *flow = receiver->flows[f];

            digest = digest_bytes(digest, &flow->frames,
                                  sizeof *flow - sizeof flow->frames);
        }
    }
    for (uint32_t i = 0; i < SWITCHES; i++) {
        digest = digest_switch(digest, &w, i);
        *checked += sim_n_checked(w.switches[i]);
    }
    digest = digest_bytes(digest, w.counts, sizeof w.counts);
    fabric_destroy(w.fabric);
    for (uint32_t i = 0; i < LISTS; i++) {
        acl_table_destroy(w.lists[i]);
    }
    return digest;
}

int
main(int argc, char **argv)
{
    uint64_t seed = 1;
    uint64_t runs = 40;
    uint64_t received = 0;
    uint64_t checked = 0;

    if (argc > 3 ||
        (argc > 1 && parse_u64(argv[1], 0, UINT64_MAX, &seed) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 1, UINT64_MAX, &runs) != ST_OK)) {
        fprintf(stderr, "usage: test_known_flows [SEED [RUNS]]\n");
        return 2;
    }
    for (uint64_t i = 0; i < runs; i++) {
        fprintf(stderr, "seed %llu\n", (unsigned long long)(seed + i));
        const uint64_t usual = run(seed + i, USUAL, &received, &checked);

        for (enum mode mode = CHECKED; mode < N_MODES; mode++) {
            if (run(seed + i, mode, &received, &checked) != usual) {
                printf("seed %llu: not the same in mode %d\n",
                       (unsigned long long)(seed + i), (int)mode);
                return 1;
            }
        }
    }
    printf("%llu runs, %llu frames received, %llu compared\n",
           (unsigned long long)runs, (unsigned long long)received,
           (unsigned long long)checked);
    return checked > runs * 100 ? 0 : 1;
}
