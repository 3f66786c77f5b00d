/* SPDX-License-Identifier: Apache-2.0 */

/* Profile lists of ports: through SAI, into the buffer, and back. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"

enum { CELL = 256 };

#define IN  SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST
#define OUT SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST

static sai_object_id_t
make_pool(struct asic_setup *bench, sai_int32_t type)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 10000 * CELL}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = type}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(bench->buffer_api->create_buffer_pool(
                         &oid, bench->sw, N(attributes), attributes),
                     SAI_STATUS_SUCCESS);
    return oid;
}

/* A profile that reserves 'reserved' cells and lets 'cells' be shared. */
static sai_object_id_t
make_profile(struct asic_setup *bench, sai_object_id_t pool, uint64_t reserved,
             uint64_t cells)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE,
         {.u64 = reserved * CELL}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH, {.u64 = cells * CELL}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(bench->buffer_api->create_buffer_profile(
                         &oid, bench->sw, N(attributes), attributes),
                     SAI_STATUS_SUCCESS);
    return oid;
}

static sai_status_t
set_list(struct asic_setup *bench, sai_object_id_t port, sai_attr_id_t id,
         uint32_t n, sai_object_id_t *profiles)
{
    const sai_attribute_t attribute = {id, {.objlist = {n, profiles}}};

    return bench->port_api->set_port_attribute(port, &attribute);
}

/* Returns the number of profiles in a list; '*first' is the first. */
static uint32_t
get_list(struct asic_setup *bench, sai_object_id_t port, sai_attr_id_t id,
         sai_object_id_t *first)
{
    sai_object_id_t oids[4] = {0};
    sai_attribute_t attribute = {id, {.objlist = {4, oids}}};

    assert_int_equal(bench->port_api->get_port_attribute(port, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    *first = oids[0];
    return attribute.value.objlist.count;
}

/* Two ports that are up, the second of which does not transmit, and profiles
 * for PG 0 of the first and queue 0 of the second. */
struct scene {
    sai_object_id_t from;
    sai_object_id_t to;
    sai_object_id_t ingress;
    sai_object_id_t egress;
};

static struct scene
make_scene(struct asic_setup *bench)
{
    struct scene scene = {
        .from = asic_setup_add_port(bench, 1),
        .to = asic_setup_add_port(bench, 2),
        .ingress = make_pool(bench, SAI_BUFFER_POOL_TYPE_INGRESS),
        .egress = make_pool(bench, SAI_BUFFER_POOL_TYPE_EGRESS),
    };
    const sai_attribute_t pg = {
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
        {.oid = make_profile(bench, scene.ingress, 0, 5000)}};
    const sai_attribute_t queue = {
        SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
        {.oid = make_profile(bench, scene.egress, 0, 5000)}};

    asic_setup_port_bool(bench, scene.from, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, scene.to, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, scene.to, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    assert_int_equal(
        bench->buffer_api->set_ingress_priority_group_attribute(
            asic_setup_child(bench, scene.from,
                             SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, 0),
            &pg),
        SAI_STATUS_SUCCESS);
    assert_int_equal(
        bench->queue_api->set_queue_attribute(
            asic_setup_child(bench, scene.to, SAI_PORT_ATTR_QOS_QUEUE_LIST, 0),
            &queue),
        SAI_STATUS_SUCCESS);
    return scene;
}

/* Returns how many frames are admitted until one is dropped, then lets them
 * go. */
static uint64_t
room(struct asic_setup *bench, const struct scene *scene)
{
    const struct softasic_send send = {.from = scene->from,
                                       .to = scene->to,
                                       .n_frames = 20000,
                                       .frame_bytes = 64,
                                       .until = SOFTASIC_UNTIL_DROP};
    struct softasic_sent sent;

    assert_int_equal(bench->ops->send(&send, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(sent.event, SOFTASIC_UNTIL_DROP);
    asic_setup_port_bool(bench, scene->to, SAI_PORT_ATTR_PKT_TX_ENABLE, true);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    asic_setup_port_bool(bench, scene->to, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    return sent.n_frames - 1;
}

static void
test_lists_bound_ports(void **state)
{
    struct asic_setup *bench = *state;
    const struct scene scene = make_scene(bench);
    sai_object_id_t in = make_profile(bench, scene.ingress, 0, 100);
    sai_object_id_t out = make_profile(bench, scene.egress, 0, 70);
    sai_object_id_t wider = make_profile(bench, scene.ingress, 0, 120);
    sai_object_id_t first;

    assert_int_equal(get_list(bench, scene.from, IN, &first), 0);
    assert_int_equal(room(bench, &scene), 5000);
    assert_int_equal(set_list(bench, scene.from, IN, 1, &in),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(get_list(bench, scene.from, IN, &first), 1);
    assert_int_equal(first, in);
    assert_int_equal(room(bench, &scene), 100);
    assert_int_equal(set_list(bench, scene.to, OUT, 1, &out),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(room(bench, &scene), 70);
    assert_int_equal(set_list(bench, scene.to, OUT, 0, NULL),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(set_list(bench, scene.from, IN, 1, &wider),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(room(bench, &scene), 120);

    /* What is in a list is in use; what was in it no longer is. */
    assert_int_equal(bench->buffer_api->remove_buffer_profile(wider),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(bench->buffer_api->remove_buffer_profile(in),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(asic_setup_remove_port(bench->sw, scene.from),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->buffer_api->remove_buffer_profile(wider),
                     SAI_STATUS_SUCCESS);
}

static void
test_wrong_lists_change_nothing(void **state)
{
    struct asic_setup *bench = *state;
    const struct scene scene = make_scene(bench);
    sai_object_id_t in = make_profile(bench, scene.ingress, 0, 100);
    sai_object_id_t twin = make_profile(bench, scene.ingress, 0, 50);
    sai_object_id_t out = make_profile(bench, scene.egress, 0, 70);
    sai_object_id_t other = make_pool(bench, SAI_BUFFER_POOL_TYPE_INGRESS);
    sai_object_id_t large = make_profile(bench, other, 700000, 1);
    sai_object_id_t lists[][2] = {{in, twin}, {out, in}, {twin, large}};
    sai_object_id_t first;

    assert_int_equal(set_list(bench, scene.from, IN, 1, &in),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(set_list(bench, scene.from, IN, 2, lists[0]),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(set_list(bench, scene.from, IN, 2, lists[1]),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    /* The second does not fit the memory: the first is taken back. */
    assert_int_equal(set_list(bench, scene.from, IN, 2, lists[2]),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(get_list(bench, scene.from, IN, &first), 1);
    assert_int_equal(first, in);
    assert_int_equal(room(bench, &scene), 100);
}

static void
test_ports_are_created_with_lists(void **state)
{
    struct asic_setup *bench = *state;
    struct scene scene = make_scene(bench);
    sai_object_id_t out[] = {make_profile(bench, scene.egress, 0, 70)};
    sai_object_id_t wrong[] = {make_profile(bench, scene.ingress, 0, 70)};
    uint32_t lane = 9;
    sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}},
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
        {SAI_PORT_ATTR_PKT_TX_ENABLE, {.booldata = false}},
        {OUT, {.objlist = {1, wrong}}},
    };
    sai_object_id_t port = SAI_NULL_OBJECT_ID;

    assert_int_equal(bench->port_api->create_port(&port, bench->sw,
                                                  N(attributes), attributes),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 4);
    attributes[4].value.objlist.list = out;
    assert_int_equal(bench->port_api->create_port(&port, bench->sw,
                                                  N(attributes), attributes),
                     SAI_STATUS_SUCCESS);
    scene.to = port;
    /* Its queue has no profile, so it is not in that pool: not bounded. */
    assert_int_equal(room(bench, &scene), 5000);
    {
        const sai_attribute_t queue = {
            SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
            {.oid = make_profile(bench, scene.egress, 0, 5000)}};

        assert_int_equal(
            bench->queue_api->set_queue_attribute(
                asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, 0),
                &queue),
            SAI_STATUS_SUCCESS);
    }
    assert_int_equal(room(bench, &scene), 70);
}

int
main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_lists_bound_ports),
        TEST(test_wrong_lists_change_nothing),
        TEST(test_ports_are_created_with_lists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
