/* SPDX-License-Identifier: Apache-2.0 */

/* Frames that a switch forwards nowhere: why, and who hears of it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/switch/sim.h"

enum { PORTS = 3, MTU = 1514, LENGTH = 1000 };

#define ROUTER_MAC UINT64_C(0x021122334455)
#define HOST_MAC   UINT64_C(0x020000000009)
#define OTHER_MAC  UINT64_C(0x020000000008)

static const struct sim_port_config port_100g = {.speed_mbps = 100000,
                                                 .mac = ROUTER_MAC,
                                                 .admin_up = true,
                                                 .tx_enabled = true};

/* A router: 10.0.1.9 is behind port 1. */
struct fixture {
    struct chip chip;
    struct sim *sim;
    uint32_t interfaces[2];
    size_t n_sent, n_filtered, n_dropped;
    uint8_t last_ttl;
    uint8_t last_has;
    uint16_t last_tag;
    enum sim_filter last_filter;
    uint32_t last_port;
    enum mmu_drop last_drop;
    uint64_t filtered_bytes;
};

static void
on_sent(void *context, uint32_t port, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct fixture *f = context;

    (void)now_ps;
    assert_int_equal(port, 1);
    f->n_sent++;
    f->last_ttl = frame->ttl;
    f->last_has = frame->has;
    f->last_tag = frame->tag;
}

static void
on_filtered(void *context, uint32_t port, enum sim_filter why,
            const struct sim_frame *frame, int64_t now_ps)
{
    struct fixture *f = context;

    (void)now_ps;
    f->n_filtered++;
    f->last_port = port;
    f->last_filter = why;
    f->filtered_bytes += frame->length_bytes;
}

static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct fixture *f = context;

    (void)now_ps;
    (void)frame;
    f->n_dropped++;
    f->last_port = port;
    f->last_drop = why;
}

static struct address
address(uint8_t c, uint8_t d)
{
    const uint8_t bytes[] = {10, 0, c, d};

    return address_make(ADDRESS_V4, bytes);
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    const struct address host = address(1, 9);
    struct router *router;
    uint32_t domain;

    chip_init(&f->chip);
    f->chip.ports = PORTS;
    f->sim = sim_create(&f->chip);
    sim_set_listener(f->sim, &(struct sim_listener){.sent = on_sent,
                                                    .drop = on_drop,
                                                    .filtered = on_filtered,
                                                    .context = f});
    router = sim_router(f->sim);
    domain = router_domain_add(
        router, &(struct router_domain){
                    .mac = ROUTER_MAC, .v4 = true, .ttl_action = ROUTER_TRAP});
    for (uint32_t p = 0; p < PORTS; p++) {
        assert_int_equal(sim_port_add(f->sim, p, p, &port_100g), ST_OK);
    }
    for (uint32_t p = 0; p < 2; p++) {
        const uint32_t interface = router_interface_add(
            router, &(struct router_interface){.kind = ROUTER_ON_PORT,
                                               .domain = domain,
                                               .port = p,
                                               .mac = ROUTER_MAC,
                                               .v4 = true,
                                               .mtu_bytes = MTU,
                                               .miss_action = ROUTER_DROP});

        f->interfaces[p] = interface;
        if (p == 1) {
            router_neighbor_set(
                router, interface, &host,
                &(struct router_neighbor){.mac = HOST_MAC,
                                          .action = ROUTER_FORWARD,
                                          .is_route = true});
        }
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    sim_destroy(f->sim);
    test_free(f);
    return 0;
}

/* Returns a frame to 'to' with one reference to its headers. */
static struct sim_frame
frame_to(struct address to, uint8_t ttl)
{
    const struct packet packet = {.dst_mac = ROUTER_MAC,
                                  .src_mac = OTHER_MAC,
                                  .type = 0x0800,
                                  .offset = PACKET_MIN_BYTES,
                                  .kind = PACKET_IPV4,
                                  .src = address(0, 8),
                                  .dst = to,
                                  .ttl = ttl};

    return (struct sim_frame){.dst_mac = ROUTER_MAC,
                              .src_mac = OTHER_MAC,
                              .length_bytes = LENGTH,
                              .ttl = ttl,
                              .payload = sim_payload_describe(&packet)};
}

/* Lets 'n' copies of 'frame' arrive at port 0, and sends what may leave. */
static void
send(struct fixture *f, const struct sim_frame *frame, uint64_t n)
{
    assert_int_equal(sim_send(f->sim, 0, frame, n, 0, NULL), ST_OK);
    sim_settle(f->sim);
}

static struct sim_port_stats
stats(const struct fixture *f, uint32_t port)
{
    struct sim_port_stats s;

    assert_int_equal(sim_port_get_stats(f->sim, port, &s), ST_OK);
    return s;
}

static void
assert_filtered(const struct fixture *f, size_t n, enum sim_filter why)
{
    assert_int_equal(f->n_filtered, n);
    assert_int_equal(f->last_filter, why);
    assert_int_equal(f->last_port, 0);
}

/* The counters of the interface are those of its port, whatever happens to
 * these. */
static void
test_interfaces_count_what_leaves(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(address(1, 9), 64);
    const struct router_interface_stats *in, *out;

    in = router_interface_stats(sim_router(f->sim), f->interfaces[0]);
    out = router_interface_stats(sim_router(f->sim), f->interfaces[1]);
    send(f, &frame, 5);
    (void)sim_router(f->sim); /* Brings the counters up to date. */
    assert_int_equal(in->in_packets, 5);
    assert_int_equal(out->out_packets, 5);
    assert_int_equal(out->out_octets, 5 * LENGTH);
    send(f, &frame, 2);
    sim_port_clear_stats(f->sim, 1);
    assert_int_equal(stats(f, 1).tx_ucast_packets, 0);
    send(f, &frame, 1);
    (void)sim_router(f->sim);
    assert_int_equal(in->in_packets, 8);
    assert_int_equal(out->out_packets, 8);
    assert_int_equal(out->out_octets, 8 * LENGTH);
    assert_int_equal(stats(f, 1).tx_ucast_packets, 1);
    sim_payload_unref(frame.payload);
}

/* A remembered flow counts 2^16 - 1 frames at a time. */
static void
test_a_known_flow_counts_very_many(void **state)
{
    enum { N = 70000 };
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(address(1, 9), 64);
    const struct router_interface_stats *in;

    send(f, &frame, N);
    assert_int_equal(f->n_sent + f->n_dropped, N);
    in = router_interface_stats(sim_router(f->sim), f->interfaces[0]);
    assert_int_equal(in->in_packets, N);
    assert_int_equal(in->in_octets, (uint64_t)N * LENGTH);
    sim_payload_unref(frame.payload);
}

/* The last hop is for TTL 2; with 1 or 0 a packet ends here, also as one of a
 * flow that the switch knows. */
static void
test_ttl_ends_a_known_flow(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(address(1, 9), 64);

    send(f, &frame, 3);
    assert_int_equal(f->n_sent, 3);
    assert_int_equal(f->last_ttl, 63);
    frame.ttl = 2;
    send(f, &frame, 1);
    assert_int_equal(f->n_sent, 4);
    assert_int_equal(f->last_ttl, 1);
    frame.ttl = 1;
    send(f, &frame, 1);
    assert_filtered(f, 1, SIM_FILTER_TTL);
    frame.ttl = 0;
    send(f, &frame, 2);
    assert_filtered(f, 3, SIM_FILTER_TTL);
    assert_int_equal(stats(f, 0).rx_trapped, 3);
    frame.ttl = 255;
    send(f, &frame, 1);
    assert_int_equal(f->n_sent, 5);
    assert_int_equal(f->last_ttl, 254);
    assert_int_equal(f->n_filtered, 3);
    assert_int_equal(f->filtered_bytes, 3 * LENGTH);
    sim_payload_unref(frame.payload);
}

/* A frame that begins a flow with TTL 1 does not make the switch refuse the
 * others, nor the first of TTL 2 make it pass those of TTL 1. */
static void
test_ttl_of_the_first_frame_does_not_matter(void **state)
{
    struct fixture *f = *state;

    for (uint8_t first = 1; first <= 2; first++) {
        struct sim_frame frame = frame_to(address(1, 9), first);
        const size_t n_sent = f->n_sent, n_filtered = f->n_filtered;

        for (uint8_t i = 0; i < 3; i++) {
            frame.ttl = first;
            send(f, &frame, 1);
            frame.ttl = (uint8_t)(3 - first);
            send(f, &frame, 1);
        }
        assert_int_equal(f->n_sent, n_sent + 3);
        assert_int_equal(f->n_filtered, n_filtered + 3);
        sim_payload_unref(frame.payload);
    }
}

static void
test_router_says_why(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(address(7, 7), 64);
    struct sim_port_config down = port_100g;

    send(f, &frame, 1);
    assert_filtered(f, 1, SIM_FILTER_ROUTE);
    sim_payload_unref(frame.payload);

    frame = frame_to(address(1, 9), 64);
    frame.length_bytes = MTU + 1;
    send(f, &frame, 1);
    assert_filtered(f, 2, SIM_FILTER_MTU);
    frame.length_bytes = MTU;
    send(f, &frame, 2);
    assert_int_equal(f->n_sent, 2);
    /* Of a flow that the switch knows. */
    frame.length_bytes = MTU + 1;
    send(f, &frame, 1);
    assert_filtered(f, 3, SIM_FILTER_MTU);

    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 1, &down), ST_OK);
    frame.length_bytes = LENGTH;
    send(f, &frame, 1);
    assert_filtered(f, 4, SIM_FILTER_PORT);
    assert_int_equal(stats(f, 0).rx_filtered, 4);
    assert_int_equal(f->n_dropped, 0);
    sim_payload_unref(frame.payload);
}

static void
test_bridge_and_traps(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(address(1, 9), 64);

    sim_traps(f->sim)->is_set[TRAP_DHCP] = true;
    sim_traps(f->sim)->actions[TRAP_DHCP] = ROUTER_TRAP;
    frame.dst_mac = HOST_MAC;
    assert_int_equal(sim_fdb_set(f->sim, HOST_MAC, 0), ST_OK);
    send(f, &frame, 1);
    assert_filtered(f, 1, SIM_FILTER_BRIDGE);
    sim_payload_unref(frame.payload);

    frame.payload =
        sim_payload_describe(&(struct packet){.dst_mac = HOST_MAC,
                                              .src_mac = OTHER_MAC,
                                              .kind = PACKET_IPV4,
                                              .src = address(0, 8),
                                              .dst = address(1, 9),
                                              .protocol = PACKET_UDP,
                                              .has_ports = true,
                                              .src_port = 68,
                                              .dst_port = 67,
                                              .ttl = 64});
    send(f, &frame, 1);
    assert_filtered(f, 2, SIM_FILTER_TRAP);
    assert_int_equal(stats(f, 0).rx_trapped, 1);
    assert_int_equal(stats(f, 0).rx_filtered, 1);
    sim_payload_unref(frame.payload);
}

/* What a port discards because it goes down is reported, and no longer held. */
/* A frame that leaves without the tag of its VLAN has no PCP either. */
static void
test_removed_tags_are_gone(void **state)
{
    struct fixture *f = *state;
    const struct fdb_entry entry = {.mac = HOST_MAC,
                                    .vlan = BRIDGE_DEFAULT_VLAN,
                                    .is_static = true,
                                    .port = 1};
    struct sim_frame frame = frame_to(address(1, 9), 64);

    frame.dst_mac = HOST_MAC;
    frame.tag = BRIDGE_DEFAULT_VLAN;
    frame.dot1p = 5;
    frame.has = SIM_HAS_TAG;
    assert_true(fdb_set(bridge_fdb(sim_bridge(f->sim)), &entry));
    for (uint64_t i = 1; i <= 2; i++) { /* Then the flow is known. */
        send(f, &frame, 1);
        assert_int_equal(f->n_sent, i);
        assert_int_equal(f->last_tag, 0);
        assert_int_equal(f->last_has, 0);
    }
    bridge_member_set(sim_bridge(f->sim), BRIDGE_DEFAULT_VLAN, 1,
                      BRIDGE_TAGGED);
    send(f, &frame, 1);
    assert_int_equal(f->last_tag, BRIDGE_DEFAULT_VLAN);
    assert_int_equal(f->last_has, SIM_HAS_TAG);
    sim_payload_unref(frame.payload);
}

static void
test_port_that_goes_down_reports_what_it_held(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(address(1, 9), 64);
    struct sim_port_config config = port_100g;
    uint64_t frames, bytes;

    config.tx_enabled = false;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    send(f, &frame, 7);
    sim_count_held(f->sim, &frames, &bytes);
    assert_int_equal(frames, 7);
    assert_int_equal(bytes, 7 * LENGTH);
    config.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    assert_int_equal(f->n_dropped, 7);
    assert_int_equal(f->last_port, 1);
    assert_int_equal(f->last_drop, MMU_ADMIN_DOWN);
    assert_int_equal(stats(f, 1).tx_flushed, 7);
    sim_count_held(f->sim, &frames, &bytes);
    assert_int_equal(frames, 0);
    assert_int_equal(bytes, 0);
    sim_payload_unref(frame.payload);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_interfaces_count_what_leaves),
        TEST(test_a_known_flow_counts_very_many),
        TEST(test_ttl_ends_a_known_flow),
        TEST(test_ttl_of_the_first_frame_does_not_matter),
        TEST(test_router_says_why),
        TEST(test_bridge_and_traps),
        TEST(test_removed_tags_are_gone),
        TEST(test_port_that_goes_down_reports_what_it_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
