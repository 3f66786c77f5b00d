/* SPDX-License-Identifier: Apache-2.0 */

/* Routes of a switch of a fabric through SAI: what the switch holds, where its
 * packets leave, and what the loss of a link changes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/builder/switch_routes.h"
#include "sai/core/backend.h"
#include "tests/support/image_setup.h"
#include "twin/event/engine.h"
#include "twin/switch/sim.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/state.h"
#include "vendors/softasic/traffic/traffic.h"

#define LEAF "examples/leaf-32x100g.config_db.json"
#define MAC  UINT64_C(0x020100000001)

enum { PEERS = 8, PREFIXES = 6 };

struct fixture {
    struct switch_images *images;
    struct engine *engine;
    struct switch_instance *instance;
    struct switch_routes *routes;
    struct switch_peer peers[PEERS]; /* On ports 0 to 7. */
};

static struct address
v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    const uint8_t bytes[] = {a, b, c, d};

    return address_make(ADDRESS_V4, bytes);
}

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct err err = {0};

    f->images = image_setup_images();
    f->engine = engine_create();
    f->instance = image_setup_instance(image_setup_image(f->images, LEAF, NULL),
                                       f->engine, 0, MAC);
    for (uint32_t i = 0; i < PEERS; i++) {
        f->peers[i] = (struct switch_peer){
            .slot = i,
            .address = v4(100, 64, 0, (uint8_t)(2 * i + 1)),
            .mac = MAC + 1 + i};
    }
    assert_int_equal(
        switch_routes_create(f->instance, f->peers, PEERS, &f->routes, &err),
        ST_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    switch_routes_destroy(f->routes);
    switch_instance_destroy(f->instance);
    switch_images_destroy(f->images);
    engine_destroy(f->engine);
    free(f);
    return 0;
}

/* Sets the route to 10.'net'.0.0/16 by the peers in 'mask'. */
static enum st
set(struct fixture *f, uint8_t net, uint32_t mask, struct err *err)
{
    uint32_t peers[32];
    struct switch_route route = {
        .prefix = v4(10, net, 0, 0), .length = 16, .peers = peers};

    for (uint32_t i = 32; i-- > 0;) { /* In any order. */
        if (mask >> i & 1) {
            peers[route.n_peers++] = i;
        }
    }
    return switch_routes_set(f->routes, &route, 1, err);
}

static void
must_set(struct fixture *f, uint8_t net, uint32_t mask)
{
    struct err err = {0};

    assert_int_equal(set(f, net, mask, &err), ST_OK);
}

static void
withdraw(struct fixture *f, uint8_t net)
{
    const struct address prefix = v4(10, net, 0, 0);
    struct err err = {0};

    assert_int_equal(switch_routes_withdraw(f->routes, &prefix, 16, &err),
                     ST_OK);
}

static void
set_link(struct fixture *f, uint32_t slot, bool up)
{
    struct err err = {0};

    assert_int_equal(switch_routes_set_link(f->routes, slot, up, &err), ST_OK);
}

static void
assert_count(const struct fixture *f, size_t groups, size_t members,
             size_t n_routes)
{
    const struct asic *asic = switch_instance_asic(f->instance);
    struct switch_routes_count count;

    switch_routes_count(f->routes, &count);
    assert_int_equal(count.interfaces, PEERS);
    assert_int_equal(count.neighbors, PEERS);
    assert_int_equal(count.next_hops, PEERS);
    assert_int_equal(count.groups, groups);
    assert_int_equal(count.members, members);
    assert_int_equal(count.routes, n_routes);
    assert_int_equal(
        objects_count(asic->objects, SAI_OBJECT_TYPE_ROUTER_INTERFACE), PEERS);
    assert_int_equal(objects_count(asic->objects, SAI_OBJECT_TYPE_NEXT_HOP),
                     PEERS);
    assert_int_equal(
        objects_count(asic->objects, SAI_OBJECT_TYPE_NEXT_HOP_GROUP), groups);
    assert_int_equal(
        objects_count(asic->objects, SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER),
        members);
    assert_int_equal(routes_list(asic, SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, NULL),
                     PEERS);
    assert_int_equal(routes_list(asic, SAI_OBJECT_TYPE_ROUTE_ENTRY, NULL),
                     n_routes);
}

/* Sends a packet of each of 64 flows into the last port, and stores how many
 * left by each of the ports of the peers in 'left'. */
static void
send_flows(struct fixture *f, struct address to, uint64_t *left)
{
    struct asic *asic = switch_instance_asic(f->instance);
    struct softasic_ip ip = {
        .ttl = 64, .protocol = 17, .destination_port = 4791};
    struct softasic_send send = {.from = asic->ports[31].item->oid,
                                 .n_frames = 1,
                                 .frame_bytes = 1086,
                                 .dscp = 3};
    struct sim_port_stats before[PEERS], after;
    struct softasic_sent sent;

    for (int i = 0; i < 6; i++) {
        send.destination[i] = (uint8_t)(MAC >> (40 - 8 * i));
    }
    ip.source.addr_family = ip.destination.addr_family =
        SAI_IP_ADDR_FAMILY_IPV4;
    memcpy(&ip.destination.addr.ip4, to.bytes, 4);
    for (uint32_t p = 0; p < PEERS; p++) {
        assert_int_equal(sim_port_get_stats(asic->sim, p, &before[p]), ST_OK);
    }
    for (uint16_t flow = 0; flow < 64; flow++) {
        const struct address source = v4(10, 200, 0, (uint8_t)(flow + 2));

        memcpy(&ip.source.addr.ip4, source.bytes, 4);
        ip.source_port = (uint16_t)(49152 + 37 * flow);
        assert_int_equal(traffic_send_ip(asic, &send, &ip, &sent),
                         SAI_STATUS_SUCCESS);
    }
    (void)sim_settle(asic->sim);
    for (uint32_t p = 0; p < PEERS; p++) {
        assert_int_equal(sim_port_get_stats(asic->sim, p, &after), ST_OK);
        left[p] = after.tx_ucast_packets - before[p].tx_ucast_packets;
    }
}

/* The receiving port needs an interface, too: the ninth peer. */
static void
add_source_interface(struct fixture *f)
{
    struct switch_routes *more;
    const struct switch_peer source = {
        .slot = 31, .address = v4(100, 64, 1, 1), .mac = MAC + 100};
    struct err err = {0};

    assert_int_equal(switch_routes_create(f->instance, &source, 1, &more, &err),
                     ST_OK);
    switch_routes_destroy(more);
}

/* State --------------------------------------------------------------- */

static void
test_equal_next_hops_share_a_group(void **state)
{
    struct fixture *f = *state;

    assert_count(f, 0, 0, 0);
    must_set(f, 1, 0x0f);
    must_set(f, 2, 0x0f);
    must_set(f, 3, 0x03);
    must_set(f, 4, 0x10);
    must_set(f, 5, 0);
    assert_count(f, 2, 6, 5);
    must_set(f, 3, 0x0f); /* The group of two has no user left. */
    assert_count(f, 1, 4, 5);
    withdraw(f, 1);
    withdraw(f, 2);
    assert_count(f, 1, 4, 3);
    withdraw(f, 3);
    assert_count(f, 0, 0, 2);
    must_set(f, 4, 0);
    assert_count(f, 0, 0, 2);
}

static void
test_a_route_to_a_peer_is_its_neighbor(void **state)
{
    struct fixture *f = *state;
    const uint32_t peer = 2;
    const struct switch_route route = {.prefix = f->peers[2].address,
                                       .length = 32,
                                       .peers = &peer,
                                       .n_peers = 1};
    struct err err = {0};
    uint64_t left[PEERS];

    add_source_interface(f);
    assert_int_equal(switch_routes_set(f->routes, &route, 1, &err), ST_OK);
    assert_int_equal(routes_list(switch_instance_asic(f->instance),
                                 SAI_OBJECT_TYPE_ROUTE_ENTRY, NULL),
                     0);
    send_flows(f, f->peers[2].address, left);
    assert_int_equal(left[2], 64);
    assert_int_equal(switch_routes_withdraw(f->routes, &route.prefix, 32, &err),
                     ST_OK);
}

/* Packets ------------------------------------------------------------- */

static void
test_packets_leave_by_all_next_hops(void **state)
{
    struct fixture *f = *state;
    uint64_t left[PEERS];

    add_source_interface(f);
    must_set(f, 1, 0x0f);
    must_set(f, 2, 0x20);
    must_set(f, 3, 0);
    send_flows(f, v4(10, 1, 2, 3), left);
    for (uint32_t p = 0; p < PEERS; p++) {
        assert_true(p < 4 ? left[p] > 0 : left[p] == 0);
    }
    assert_int_equal(left[0] + left[1] + left[2] + left[3], 64);
    send_flows(f, v4(10, 2, 2, 3), left);
    assert_int_equal(left[5], 64);
    send_flows(f, v4(10, 3, 2, 3), left);
    for (uint32_t p = 0; p < PEERS; p++) {
        assert_int_equal(left[p], 0);
    }
}

static void
test_packets_avoid_a_link_that_is_down(void **state)
{
    struct fixture *f = *state;
    uint64_t left[PEERS];

    add_source_interface(f);
    must_set(f, 1, 0x0f);
    must_set(f, 2, 0x02);
    set_link(f, 1, false);
    set_link(f, 1, false);
    {
        struct switch_routes_count count;

        switch_routes_count(f->routes, &count);
        assert_int_equal(count.members, 3);
        assert_int_equal(count.routes, 1);
    }
    send_flows(f, v4(10, 1, 2, 3), left);
    assert_int_equal(left[1], 0);
    assert_int_equal(left[0] + left[2] + left[3], 64);
    send_flows(f, v4(10, 2, 2, 3), left);
    assert_int_equal(left[1], 0);
    set_link(f, 1, true);
    send_flows(f, v4(10, 2, 2, 3), left);
    assert_int_equal(left[1], 64);
    send_flows(f, v4(10, 1, 2, 3), left);
    assert_true(left[1] > 0);
}

static void
test_a_route_without_links_is_withdrawn(void **state)
{
    struct fixture *f = *state;

    must_set(f, 1, 0x03);
    must_set(f, 2, 0x07);
    set_link(f, 0, false);
    set_link(f, 1, false);
    assert_count(f, 2, 1, 1);
    must_set(f, 3, 0x03);
    assert_count(f, 2, 1, 1);
    set_link(f, 1, true);
    assert_count(f, 2, 3, 3);
    withdraw(f, 1);
    withdraw(f, 3);
    assert_count(f, 1, 2, 1);
}

/* Random changes ------------------------------------------------------ */

/* Returns whether group 'group' has next hop 'hop'. */
static bool
is_member(const struct asic *asic, sai_object_id_t group, sai_object_id_t hop)
{
    const sai_attr_id_t of = SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID;
    const sai_attr_id_t to = SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID;

    for (const struct objects_item *i = objects_first(
             asic->objects, SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER);
         i; i = objects_next(asic->objects, i)) {
        if (objects_oid(i, of) == group && objects_oid(i, to) == hop) {
            return true;
        }
    }
    return false;
}

/* Returns the peers by which the switch sends to 10.'net'.0.0/16, a bit each;
 * UINT32_MAX if it has no such route. */
static uint32_t
peers_in_switch(struct fixture *f, uint8_t net)
{
    struct sai_backend *backend = switch_instance_backend(f->instance);
    const struct asic *asic = switch_instance_asic(f->instance);
    const uint32_t n = routes_list(asic, SAI_OBJECT_TYPE_ROUTE_ENTRY, NULL);
    sai_object_key_t *keys = calloc(n + 1, sizeof *keys);
    sai_attribute_t hop = {.id = SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID};
    const struct address prefix = v4(10, net, 0, 0);
    const uint32_t one = 1;
    uint32_t mask = UINT32_MAX;

    routes_list(asic, SAI_OBJECT_TYPE_ROUTE_ENTRY, keys);
    for (uint32_t i = 0; i < n; i++) {
        sai_status_t status;
        const struct backend_many call = {.op = OP_GET_MANY,
                                          .type = SAI_OBJECT_TYPE_ROUTE_ENTRY,
                                          .n = 1,
                                          .keys = &keys[i],
                                          .counts = &one,
                                          .attributes = &hop,
                                          .statuses = &status};

        if (memcmp(&keys[i].key.route_entry.destination.addr.ip4, prefix.bytes,
                   4)) {
            continue;
        }
        assert_int_equal(backend_do_many(backend, &call), SAI_STATUS_SUCCESS);
        mask = 0;
    }
    free(keys);
    if (mask == UINT32_MAX || hop.value.oid == SAI_NULL_OBJECT_ID) {
        return mask;
    }
    for (uint32_t p = 0; p < PEERS; p++) {
        /* Next hops were created in the order of the peers. */
        const struct objects_item *item =
            objects_first(asic->objects, SAI_OBJECT_TYPE_NEXT_HOP);

        for (uint32_t k = 0; k < p; k++) {
            item = objects_next(asic->objects, item);
        }
        mask |= (uint32_t)(hop.value.oid == item->oid) << p;
        mask |= (uint32_t)is_member(asic, hop.value.oid, item->oid) << p;
    }
    return mask;
}

/* After any sequence of changes the switch has what a model without groups
 * says. */
static void
test_random_changes_follow_the_model(void **state)
{
    struct fixture *f = *state;
    uint32_t wanted[PREFIXES];
    uint32_t up = 0xff;
    struct random random;

    memset(wanted, 0xff, sizeof wanted); /* No route. */
    random_init(&random, 11);
    for (int i = 0; i < 1500; i++) {
        const uint8_t net = (uint8_t)random_below(&random, PREFIXES);
        const uint32_t p = (uint32_t)random_below(&random, PEERS);

        switch (random_below(&random, 3)) {
        case 0:
            wanted[net] = (uint32_t)random_below(&random, 256) &
                          (uint32_t)random_u64(&random);
            must_set(f, net, wanted[net]);
            break;
        case 1:
            up ^= 1u << p;
            set_link(f, p, up >> p & 1);
            break;
        default:
            if (wanted[net] != UINT32_MAX) {
                withdraw(f, net);
                wanted[net] = UINT32_MAX;
            }
            break;
        }
        for (uint8_t n = 0; n < PREFIXES; n++) {
            const uint32_t expected = wanted[n] == UINT32_MAX || wanted[n] == 0
                                          ? wanted[n]
                                      : (wanted[n] & up) ? wanted[n] & up
                                                         : UINT32_MAX;

            assert_int_equal(peers_in_switch(f, n), expected);
        }
    }
    for (uint8_t n = 0; n < PREFIXES; n++) {
        if (wanted[n] != UINT32_MAX) {
            withdraw(f, n);
        }
    }
    assert_count(f, 0, 0, 0);
}

/* Errors -------------------------------------------------------------- */

static void
test_wrong_peers_are_refused(void **state)
{
    struct fixture *f = *state;
    const struct {
        struct switch_peer second;
        const char *reason;
    } cases[] = {
        {{9, v4(100, 64, 2, 1), MAC + 50, false, 0}, "has its address"},
        {{40, v4(100, 64, 2, 2), MAC + 50, false, 0}, "no port in slot 40"},
        {{9, v4(224, 0, 0, 1), MAC + 50, false, 0}, "not that of a host"},
        {{9, v4(100, 64, 2, 2), 0, false, 0}, "not that of a station"},
        {{9, v4(100, 64, 2, 2), UINT64_C(0x010000000001), false, 0},
         "not that of a station"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct switch_instance *instance = image_setup_instance(
            switch_instance_image(f->instance), f->engine, 1, MAC);
        const struct switch_peer peers[] = {
            {8, v4(100, 64, 2, 1), MAC + 40, false, 0}, cases[i].second};
        struct switch_routes *routes = NULL;
        struct err err = {0};

        assert_int_equal(
            switch_routes_create(instance, peers, 2, &routes, &err),
            ST_INVALID);
        assert_null(routes);
        if (!strstr(err.reason, cases[i].reason)) {
            fail_msg("'%s' does not contain '%s'", err.reason, cases[i].reason);
        }
        switch_instance_destroy(instance);
    }
}

static void
test_wrong_routes_are_refused(void **state)
{
    struct fixture *f = *state;
    static const uint32_t twice[] = {1, 1};
    const struct switch_route beyond = {.prefix = v4(10, 0, 0, 1),
                                        .length = 24};
    const struct switch_route doubled = {
        .prefix = v4(10, 0, 0, 0), .length = 24, .peers = twice, .n_peers = 2};
    const struct switch_route too_long = {.prefix = v4(10, 0, 0, 0),
                                          .length = 33};
    const struct address unknown = v4(10, 9, 0, 0);
    struct err err = {0};

    assert_int_equal(set(f, 1, 1u << PEERS, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "peer 8; there are 8"));
    assert_int_equal(switch_routes_set(f->routes, &beyond, 1, &err),
                     ST_INVALID);
    assert_int_equal(switch_routes_set(f->routes, &doubled, 1, &err),
                     ST_INVALID);
    assert_int_equal(switch_routes_set(f->routes, &too_long, 1, &err),
                     ST_INVALID);
    assert_int_equal(switch_routes_withdraw(f->routes, &unknown, 16, &err),
                     ST_NOT_FOUND);
    assert_int_equal(switch_routes_set_link(f->routes, 20, false, &err),
                     ST_INVALID);
    assert_count(f, 0, 0, 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        TEST(test_equal_next_hops_share_a_group),
        TEST(test_a_route_to_a_peer_is_its_neighbor),
        TEST(test_packets_leave_by_all_next_hops),
        TEST(test_packets_avoid_a_link_that_is_down),
        TEST(test_a_route_without_links_is_withdrawn),
        TEST(test_random_changes_follow_the_model),
        TEST(test_wrong_peers_are_refused),
        TEST(test_wrong_routes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
