/* SPDX-License-Identifier: Apache-2.0 */

/* Each end that the way of a packet can have, and its counter. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "twin/forwarding/packet.h"
#include "twin/forwarding/router.h"

#define ROUTER_MAC UINT64_C(0x020000000100)
#define OWN_MAC    UINT64_C(0x020000000101)
#define HOST_MAC   UINT64_C(0x020000000202)
#define MASK_24    24

/* One router with an interface on port 0 (10.0.0.0/24) and one on port 1
 * (10.0.1.0/24), where 10.0.1.2 lives. */
struct fixture {
    struct router *router;
    uint32_t domain;
    uint32_t in;
    uint32_t out;
    uint32_t hop; /* 10.0.1.2 */
};

static struct address
v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    const uint8_t bytes[] = {a, b, c, d};

    return address_make(ADDRESS_V4, bytes);
}

static struct address
v6(uint8_t first, uint8_t second, uint8_t last)
{
    const uint8_t bytes[ADDRESS_BYTES] = {first, second, [15] = last};

    return address_make(ADDRESS_V6, bytes);
}

static struct router_interface
on_port(const struct fixture *f, uint32_t port)
{
    return (struct router_interface){
        .kind = ROUTER_ON_PORT,
        .domain = f->domain,
        .port = port,
        .mac = OWN_MAC,
        .v4 = true,
        .v6 = true,
        .mtu_bytes = 1514,
        .miss_action = ROUTER_TRAP,
        .loopback_action = ROUTER_FORWARD,
    };
}

static void
route(const struct fixture *f, struct address prefix, unsigned int length,
      enum router_target target, uint32_t handle)
{
    const struct router_route route = {
        .target = target, .handle = handle, .action = ROUTER_FORWARD};

    router_route_set(f->router, f->domain, &prefix, length, &route);
}

static void
neighbor(const struct fixture *f, uint32_t interface, struct address address,
         uint8_t action, bool is_route)
{
    const struct router_neighbor neighbor = {
        .mac = HOST_MAC, .action = action, .is_route = is_route};

    router_neighbor_set(f->router, interface, &address, &neighbor);
}

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    const struct router_domain domain = {.mac = ROUTER_MAC,
                                         .v4 = true,
                                         .v6 = true,
                                         .ttl_action = ROUTER_TRAP,
                                         .options_action = ROUTER_TRAP,
                                         .multicast_action = ROUTER_DROP};
    struct router_interface interface;
    struct router_next_hop hop = {.address = v4(10, 0, 1, 2)};

    f->router = router_create();
    f->domain = router_domain_add(f->router, &domain);
    interface = on_port(f, 0);
    f->in = router_interface_add(f->router, &interface);
    interface = on_port(f, 1);
    f->out = router_interface_add(f->router, &interface);
    neighbor(f, f->out, v4(10, 0, 1, 2), ROUTER_FORWARD, false);
    hop.interface = f->out;
    f->hop = router_next_hop_add(f->router, &hop);
    route(f, v4(10, 0, 1, 0), MASK_24, ROUTER_TO_INTERFACE, f->out);
    route(f, v4(20, 0, 0, 0), 8, ROUTER_TO_NEXT_HOP, f->hop);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    router_destroy(f->router);
    free(f);
    return 0;
}

/* A packet of 100 bytes from 10.0.0.9 (2001::9) to 'dst'. */
static struct packet
to(struct address dst)
{
    return (struct packet){
        .kind = dst.family == ADDRESS_V4 ? PACKET_IPV4 : PACKET_IPV6,
        .src = dst.family == ADDRESS_V4 ? v4(10, 0, 0, 9) : v6(0x20, 1, 9),
        .dst = dst,
        .ip_bytes = 100,
        .ttl = 64,
        .protocol = PACKET_UDP,
    };
}

/* Decides, and checks the reason and that it was counted once. */
static struct router_decision
decide(const struct fixture *f, const struct packet *packet,
       enum router_reason reason)
{
    const uint64_t before = router_count(f->router, reason);
    struct router_decision decision;

    router_decide(f->router, f->in, packet, packet->ip_bytes + 14, &decision);
    if (decision.reason != reason) {
        print_error("%s\n", router_reason_text(decision.reason));
    }
    assert_int_equal(decision.reason, reason);
    assert_int_equal(router_count(f->router, reason), before + 1);
    return decision;
}

static void
test_next_hop_and_connected_subnet(void **state)
{
    const struct fixture *f = *state;
    struct packet p = to(v4(20, 1, 2, 3));
    struct router_decision d = decide(f, &p, ROUTER_FORWARDED);

    assert_int_equal(d.action, ROUTER_FORWARD);
    assert_int_equal(d.interface, f->out);
    assert_true(d.dst_mac == HOST_MAC);
    assert_true(d.src_mac == OWN_MAC);
    assert_int_equal(d.ttl, 63);

    p = to(v4(10, 0, 1, 2));
    d = decide(f, &p, ROUTER_FORWARDED);
    assert_true(d.dst_mac == HOST_MAC);
}

static void
test_ends_of_the_way(void **state)
{
    const struct fixture *f = *state;
    const struct address far = v4(20, 0, 0, 1);
    struct packet p = to(far);

    p.fault = PACKET_LENGTH;
    assert_int_equal(decide(f, &p, ROUTER_BAD_HEADER).action, ROUTER_DROP);
    p.fault = PACKET_CHECKSUM;
    assert_int_equal(decide(f, &p, ROUTER_BAD_CHECKSUM).action, ROUTER_DROP);
    p = to(far);
    p.src = v4(127, 0, 0, 1);
    assert_int_equal(decide(f, &p, ROUTER_MARTIAN).action, ROUTER_DROP);
    p = to(v4(255, 255, 255, 255));
    (void)decide(f, &p, ROUTER_MARTIAN);
    p = to(v4(224, 0, 0, 5));
    assert_int_equal(decide(f, &p, ROUTER_MULTICAST).action, ROUTER_DROP);
    p = to(v4(30, 0, 0, 1));
    assert_int_equal(decide(f, &p, ROUTER_NO_ROUTE).action, ROUTER_DROP);
    p = to(v4(10, 0, 1, 77));
    assert_int_equal(decide(f, &p, ROUTER_NO_NEIGHBOR).action, ROUTER_TRAP);
    p = to(far);
    p.ttl = 1;
    assert_int_equal(decide(f, &p, ROUTER_TTL).action, ROUTER_TRAP);
    p.ttl = 0;
    (void)decide(f, &p, ROUTER_TTL);
    p.ttl = 2;
    assert_int_equal(decide(f, &p, ROUTER_FORWARDED).ttl, 1);
    p = to(far);
    p.has_options = true;
    assert_int_equal(decide(f, &p, ROUTER_OPTIONS).action, ROUTER_TRAP);
    p = to(far);
    p.ip_bytes = 1500;
    (void)decide(f, &p, ROUTER_FORWARDED);
    p.ip_bytes = 1501;
    assert_int_equal(decide(f, &p, ROUTER_MTU).action, ROUTER_DROP);
}

static void
test_actions_of_routes(void **state)
{
    static const struct {
        uint8_t action;
        enum router_reason reason;
        uint8_t outcome;
    } cases[] = {
        {ROUTER_DROP, ROUTER_ROUTE, ROUTER_DROP},
        {ROUTER_TRAP, ROUTER_ROUTE, ROUTER_TRAP},
        {ROUTER_FORWARD, ROUTER_FORWARDED, ROUTER_FORWARD},
        {ROUTER_COPY, ROUTER_FORWARDED, ROUTER_COPY},
    };
    const struct fixture *f = *state;
    const struct address prefix = v4(40, 0, 0, 0);
    const struct packet p = to(v4(40, 0, 0, 1));

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct router_route r = {.target = ROUTER_TO_NEXT_HOP,
                                       .handle = f->hop,
                                       .action = cases[i].action};

        router_route_set(f->router, f->domain, &prefix, 8, &r);
        assert_int_equal(decide(f, &p, cases[i].reason).action,
                         cases[i].outcome);
    }
    assert_true(router_route_remove(f->router, f->domain, &prefix, 8));
    assert_false(router_route_remove(f->router, f->domain, &prefix, 8));
    (void)decide(f, &p, ROUTER_NO_ROUTE);
}

static void
test_for_the_processor_whatever_the_ttl(void **state)
{
    const struct fixture *f = *state;
    struct packet p = to(v4(10, 0, 0, 1));

    route(f, v4(10, 0, 0, 1), 32, ROUTER_TO_PROCESSOR, 0);
    p.ttl = 1;
    assert_int_equal(decide(f, &p, ROUTER_FOR_US).action, ROUTER_TRAP);
}

static void
test_neighbor_is_a_route_unless_it_says_no(void **state)
{
    const struct fixture *f = *state;
    const struct packet p = to(v4(50, 0, 0, 1));
    const struct address address = p.dst;

    neighbor(f, f->out, address, ROUTER_FORWARD, false);
    (void)decide(f, &p, ROUTER_NO_ROUTE);
    neighbor(f, f->out, address, ROUTER_FORWARD, true);
    assert_int_equal(decide(f, &p, ROUTER_FORWARDED).interface, f->out);
    /* The same address elsewhere steps in when the first one goes. */
    neighbor(f, f->in, address, ROUTER_FORWARD, true);
    assert_int_equal(decide(f, &p, ROUTER_FORWARDED).interface, f->out);
    assert_true(router_neighbor_remove(f->router, f->out, &address));
    assert_int_equal(decide(f, &p, ROUTER_FORWARDED).interface, f->in);
    /* A route that was given wins; one that is shorter does not. */
    route(f, v4(50, 0, 0, 0), 8, ROUTER_TO_PROCESSOR, 0);
    (void)decide(f, &p, ROUTER_FORWARDED);
    route(f, address, 32, ROUTER_TO_PROCESSOR, 0);
    (void)decide(f, &p, ROUTER_FOR_US);
}

static void
test_actions_of_neighbors(void **state)
{
    const struct fixture *f = *state;
    const struct packet p = to(v4(20, 0, 0, 1));

    neighbor(f, f->out, v4(10, 0, 1, 2), ROUTER_DROP, false);
    assert_int_equal(decide(f, &p, ROUTER_NEIGHBOR).action, ROUTER_DROP);
    neighbor(f, f->out, v4(10, 0, 1, 2), ROUTER_TRAP, false);
    assert_int_equal(decide(f, &p, ROUTER_NEIGHBOR).action, ROUTER_TRAP);
    neighbor(f, f->out, v4(10, 0, 1, 2), ROUTER_COPY, false);
    assert_int_equal(decide(f, &p, ROUTER_FORWARDED).action, ROUTER_COPY);
}

static void
test_properties_of_interfaces(void **state)
{
    const struct fixture *f = *state;
    struct router_interface out = on_port(f, 1);
    struct router_interface in = on_port(f, 0);
    struct packet p = to(v4(20, 0, 0, 1));

    out.v4 = false;
    router_interface_set(f->router, f->out, &out);
    (void)decide(f, &p, ROUTER_DISABLED);
    out.v4 = true;
    out.keeps_ttl = true;
    router_interface_set(f->router, f->out, &out);
    p.ttl = 1;
    assert_int_equal(decide(f, &p, ROUTER_FORWARDED).ttl, 1);
    out.keeps_ttl = false;
    router_interface_set(f->router, f->out, &out);

    in.v4 = false;
    router_interface_set(f->router, f->in, &in);
    p = to(v4(20, 0, 0, 1));
    (void)decide(f, &p, ROUTER_DISABLED);
    p = to(v6(0x30, 1, 1)); /* The other family goes on. */
    (void)decide(f, &p, ROUTER_NO_ROUTE);
    in.v4 = true;
    in.loopback_action = ROUTER_DROP;
    router_interface_set(f->router, f->in, &in);
    neighbor(f, f->in, v4(10, 0, 0, 3), ROUTER_FORWARD, true);
    p = to(v4(10, 0, 0, 3));
    (void)decide(f, &p, ROUTER_SAME_INTERFACE);
}

static void
test_link_local_goes_no_further(void **state)
{
    const struct fixture *f = *state;
    struct packet p = to(v6(0xfe, 0x80, 5));

    neighbor(f, f->out, p.dst, ROUTER_FORWARD, true);
    (void)decide(f, &p, ROUTER_LINK_LOCAL);
}

static void
test_group_chooses_among_members(void **state)
{
    const struct fixture *f = *state;
    const struct router_next_hop other = {.interface = f->in,
                                          .address = v4(10, 0, 0, 7)};
    const uint32_t hop = router_next_hop_add(f->router, &other);
    const uint32_t group = router_group_add(f->router);
    struct packet p = to(v4(60, 0, 0, 1));
    unsigned int n_out = 0;

    neighbor(f, f->in, v4(10, 0, 0, 7), ROUTER_FORWARD, false);
    route(f, v4(60, 0, 0, 0), 8, ROUTER_TO_GROUP, group);
    (void)decide(f, &p, ROUTER_NO_NEXT_HOP);
    router_group_set(f->router, group, 1, f->hop, 1);
    router_group_set(f->router, group, 2, hop, 1);
    for (uint16_t port = 0; port < 1000; port++) {
        p.src_port = port;
        n_out += decide(f, &p, ROUTER_FORWARDED).interface == f->out;
    }
    assert_in_range(n_out, 400, 600);
    router_group_unset(f->router, group, 2);
    for (uint16_t port = 0; port < 100; port++) {
        p.src_port = port;
        assert_int_equal(decide(f, &p, ROUTER_FORWARDED).interface, f->out);
    }
}

static void
test_which_interface_a_frame_is_for(void **state)
{
    const struct fixture *f = *state;
    struct router_interface sub = on_port(f, 0);
    struct router_interface vlan = on_port(f, 0);
    uint32_t on_sub;
    uint32_t on_vlan;

    sub.kind = ROUTER_ON_SUB_PORT;
    sub.vlan = 100;
    on_sub = router_interface_add(f->router, &sub);
    vlan.kind = ROUTER_ON_VLAN;
    vlan.vlan = 200;
    vlan.mac = 0x020000000999;
    on_vlan = router_interface_add(f->router, &vlan);
#define FOR(port, tag, vlan, mac)                                              \
    router_interface_for(f->router, port, tag, vlan, mac)
    assert_int_equal(FOR(0, 0, 1, OWN_MAC), f->in);
    assert_int_equal(FOR(0, 0, 1, ROUTER_MAC), f->in);
    assert_int_equal(FOR(0, 0, 1, HOST_MAC), ROUTER_NONE);
    assert_int_equal(FOR(0, 100, 100, OWN_MAC), on_sub);
    assert_int_equal(FOR(0, 101, 101, OWN_MAC), ROUTER_NONE);
    assert_int_equal(FOR(2, 200, 200, 0x020000000999), on_vlan);
    assert_int_equal(FOR(2, 200, 200, OWN_MAC), ROUTER_NONE);
    assert_int_equal(FOR(2, 0, 0, ROUTER_MAC), ROUTER_NONE);
    assert_true(router_interface_taken(f->router, &sub));
    sub.is_virtual = true;
    assert_false(router_interface_taken(f->router, &sub));
    sub.mac = 0x020000000888;
    sub.is_virtual = true;
    (void)router_interface_add(f->router, &sub);
    assert_int_not_equal(FOR(0, 100, 0, 0x020000000888), ROUTER_NONE);
    router_interface_remove(f->router, on_sub);
    assert_int_equal(FOR(0, 100, 100, OWN_MAC), ROUTER_NONE);
#undef FOR
}

static void
test_counters_of_interfaces(void **state)
{
    const struct fixture *f = *state;
    struct packet p = to(v4(20, 0, 0, 1));
    const struct router_interface_stats *in =
        router_interface_stats(f->router, f->in);
    const struct router_interface_stats *out =
        router_interface_stats(f->router, f->out);

    (void)decide(f, &p, ROUTER_FORWARDED);
    router_note_sent(f->router, f->out, 1, 118);
    p.fault = PACKET_CHECKSUM;
    (void)decide(f, &p, ROUTER_BAD_CHECKSUM);
    p = to(v4(20, 0, 0, 1));
    p.ip_bytes = 2000;
    (void)decide(f, &p, ROUTER_MTU);
    assert_int_equal(in->in_packets, 3);
    assert_int_equal(in->in_octets, 114 + 114 + 2014);
    assert_int_equal(in->in_errors, 1);
    assert_int_equal(in->in_error_octets, 114);
    assert_int_equal(out->out_packets, 1);
    assert_int_equal(out->out_octets, 118);
    assert_int_equal(out->out_errors, 1);
    assert_int_equal(out->out_error_octets, 2014);
}

static void
test_what_is_gone_ends_the_way(void **state)
{
    const struct fixture *f = *state;
    const struct packet p = to(v4(20, 0, 0, 1));

    router_next_hop_remove(f->router, f->hop);
    (void)decide(f, &p, ROUTER_NO_NEXT_HOP);
    router_interface_remove(f->router, f->out);
    assert_null(router_interface_get(f->router, f->out));
    assert_int_equal(router_n_neighbors(f->router, ADDRESS_V4), 0);
    router_note_sent(f->router, f->out, 1, 64);
    {
        const struct packet q = to(v4(10, 0, 1, 2));

        (void)decide(f, &q, ROUTER_NO_NEXT_HOP);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_next_hop_and_connected_subnet),
        TEST(test_ends_of_the_way),
        TEST(test_actions_of_routes),
        TEST(test_for_the_processor_whatever_the_ttl),
        TEST(test_neighbor_is_a_route_unless_it_says_no),
        TEST(test_actions_of_neighbors),
        TEST(test_properties_of_interfaces),
        TEST(test_link_local_goes_no_further),
        TEST(test_group_chooses_among_members),
        TEST(test_which_interface_a_frame_is_for),
        TEST(test_counters_of_interfaces),
        TEST(test_what_is_gone_ends_the_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
