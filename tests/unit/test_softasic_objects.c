/* SPDX-License-Identifier: Apache-2.0 */

/* Objects of the software switch: ids, what comes with a port, the tree of
 * scheduler groups, and what all of it costs. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"
#include "tests/support/testhost.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/state.h"

/* Ids and cost ---------------------------------------------------------- */

static void
test_sixty_four_ports_cost_at_most_300_kb(void **state)
{
    struct asic_setup *bench = *state;
    const struct asic *asic;
    size_t bytes;

    if (testhost_wanted()) {
        skip(); /* It looks into the switch. */
    }
    for (uint32_t i = bench->n_ports; i < 64; i++) {
        (void)asic_setup_add_port(bench, 1000 + i);
    }
    asic = library_get()->asic;
    assert_int_equal(objects_count(asic->objects, SAI_OBJECT_TYPE_PORT), 65);
    assert_int_equal(objects_count(asic->objects, SAI_OBJECT_TYPE_QUEUE),
                     64 * asic->chip->queues_per_port + asic->chip->cpu_queues);
    bytes = objects_bytes(asic->objects) + sizeof *asic +
            asic->n_ports * sizeof *asic->ports;
    print_message("SAI state of 64 ports: %zu bytes\n", bytes);
    assert_in_range(bytes, 64 * 28 * sizeof(struct objects_item), 300 * 1024);
}

static void
test_ids_follow_from_the_calls(void **state)
{
    struct asic_setup *bench = *state;
    sai_object_id_t first[8];
    sai_object_id_t again;

    for (uint32_t i = 0; i < N(first); i++) {
        first[i] = asic_setup_add_port(bench, 1000 + i);
    }
    assert_int_equal(asic_setup_remove_port(bench->sw, first[3]),
                     SAI_STATUS_SUCCESS);
    again = asic_setup_add_port(bench, 1003);
    for (uint32_t i = 0; i < N(first); i++) {
        assert_int_not_equal(again, first[i]);
    }
    assert_int_equal(asic_setup_teardown(state), 0);
    assert_int_equal(asic_setup_setup_generic(state), 0);
    bench = *state;
    for (uint32_t i = 0; i < N(first); i++) {
        assert_int_equal(asic_setup_add_port(bench, 1000 + i), first[i]);
    }
}

static void
test_port_in_use_by_the_bridge_stays(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);

    assert_int_equal(bench->port_api->remove_port(port),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(sai_object_type_query(port), SAI_OBJECT_TYPE_PORT);
    assert_int_equal(asic_setup_leave_bridge(bench->sw, port),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->port_api->remove_port(port), SAI_STATUS_SUCCESS);
}

static void
test_ids_of_a_removed_port_stay_dead(void **state)
{
    static const struct {
        sai_attr_id_t list;
        sai_object_type_t type;
    } lists[] = {
        {SAI_PORT_ATTR_QOS_QUEUE_LIST, SAI_OBJECT_TYPE_QUEUE},
        {SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
         SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP},
        {SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST,
         SAI_OBJECT_TYPE_SCHEDULER_GROUP},
    };
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    sai_object_id_t oids[N(lists)];

    for (uint32_t i = 0; i < N(lists); i++) {
        oids[i] = asic_setup_child(bench, port, lists[i].list, 2);
        assert_int_equal(sai_object_type_query(oids[i]), lists[i].type);
        assert_int_equal(sai_switch_id_query(oids[i]), bench->sw);
    }
    assert_int_equal(asic_setup_remove_port(bench->sw, port),
                     SAI_STATUS_SUCCESS);
    (void)asic_setup_add_port(bench, 1000);
    for (uint32_t i = 0; i < N(lists); i++) {
        assert_int_equal(sai_object_type_query(oids[i]), SAI_OBJECT_TYPE_NULL);
        assert_int_equal(sai_switch_id_query(oids[i]), SAI_NULL_OBJECT_ID);
    }
}

static void
test_invented_ids_are_nothing(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_object_id_t queue =
        asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, 0);
    const sai_object_id_t invented[] = {
        SAI_NULL_OBJECT_ID, ~UINT64_C(0), port | 1,        port | 0xff,
        queue | 0xff,       port << 8,    port ^ 0x400000, queue & ~0xffull,
    };

    for (uint32_t i = 0; i < N(invented); i++) {
        assert_int_equal(sai_object_type_query(invented[i]),
                         SAI_OBJECT_TYPE_NULL);
    }
}

static void
test_every_object_is_listed_once(void **state)
{
    static const sai_object_type_t types[] = {
        SAI_OBJECT_TYPE_SWITCH,          SAI_OBJECT_TYPE_PORT,
        SAI_OBJECT_TYPE_QUEUE,           SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
        SAI_OBJECT_TYPE_SCHEDULER_GROUP,
    };
    struct asic_setup *bench = *state;

    for (uint32_t i = 0; i < 3; i++) {
        (void)asic_setup_add_port(bench, 1000 + i);
    }
    for (uint32_t t = 0; t < N(types); t++) {
        uint32_t n = 0;
        uint32_t room;
        sai_object_key_t *keys;

        assert_int_equal(sai_get_object_count(bench->sw, types[t], &n),
                         SAI_STATUS_SUCCESS);
        room = n - 1;
        keys = calloc(n, sizeof *keys);
        assert_int_equal(sai_get_object_key(bench->sw, types[t], &room, keys),
                         SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(room, n);
        assert_int_equal(keys[0].key.object_id, SAI_NULL_OBJECT_ID);
        assert_int_equal(sai_get_object_key(bench->sw, types[t], &n, keys),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(n, room);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(sai_object_type_query(keys[i].key.object_id),
                             types[t]);
            assert_true(i == 0 ||
                        keys[i - 1].key.object_id < keys[i].key.object_id);
        }
        free(keys);
    }
}

/* Scheduler groups ------------------------------------------------------ */

static sai_object_id_t
group_of(struct asic_setup *bench, sai_object_id_t port, uint32_t index)
{
    return asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST,
                            index);
}

static sai_object_id_t
queue_of(struct asic_setup *bench, sai_object_id_t port, uint32_t index)
{
    return asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, index);
}

/* Returns how many children a group has, and the first in '*oid'. */
static uint32_t
children(struct asic_setup *bench, sai_object_id_t group, sai_object_id_t *oid)
{
    sai_object_id_t oids[ASICRIG_MAX_CHILDREN] = {0};
    sai_attribute_t attributes[] = {
        {SAI_SCHEDULER_GROUP_ATTR_CHILD_COUNT, {.u32 = 77}},
        {SAI_SCHEDULER_GROUP_ATTR_CHILD_LIST,
         {.objlist = {ASICRIG_MAX_CHILDREN, oids}}},
    };

    assert_int_equal(
        bench->group_api->get_scheduler_group_attribute(group, 2, attributes),
        SAI_STATUS_SUCCESS);
    assert_int_equal(attributes[0].value.u32,
                     attributes[1].value.objlist.count);
    if (oid) {
        *oid = oids[0];
    }
    return attributes[0].value.u32;
}

static sai_status_t
move_queue(struct asic_setup *bench, sai_object_id_t queue,
           sai_object_id_t parent)
{
    const sai_attribute_t attribute = {SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                                       {.oid = parent}};

    return bench->queue_api->set_queue_attribute(queue, &attribute);
}

static sai_status_t
move_group(struct asic_setup *bench, sai_object_id_t group,
           sai_object_id_t parent)
{
    const sai_attribute_t attribute = {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE,
                                       {.oid = parent}};

    return bench->group_api->set_scheduler_group_attribute(group, &attribute);
}

static void
test_each_queue_has_a_leaf_below_the_root(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_object_id_t root = group_of(bench, port, 0);
    sai_attribute_t number = {SAI_PORT_ATTR_QOS_NUMBER_OF_SCHEDULER_GROUPS,
                              {.u32 = 0}};
    struct softasic_chip chip;
    sai_object_id_t first;
    uint32_t n;

    assert_int_equal(bench->ops->chip(&chip), SAI_STATUS_SUCCESS);
    n = chip.queues_per_port;
    assert_int_equal(bench->port_api->get_port_attribute(port, 1, &number),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(number.value.u32, n + 1);
    assert_int_equal(children(bench, root, &first), n);
    assert_int_equal(first, group_of(bench, port, 1));
    for (uint32_t i = 0; i < n; i++) {
        const sai_object_id_t leaf = group_of(bench, port, 1 + i);
        sai_attribute_t attributes[] = {
            {SAI_SCHEDULER_GROUP_ATTR_PORT_ID, {.oid = 0}},
            {SAI_SCHEDULER_GROUP_ATTR_LEVEL, {.u8 = 9}},
            {SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS, {.u8 = 0}},
            {SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID, {.oid = 5}},
            {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE, {.oid = 0}},
        };
        sai_attribute_t parent = {SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                                  {.oid = 0}};

        assert_int_equal(children(bench, leaf, &first), 1);
        assert_int_equal(first, queue_of(bench, port, i));
        assert_int_equal(bench->group_api->get_scheduler_group_attribute(
                             leaf, N(attributes), attributes),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(attributes[0].value.oid, port);
        assert_int_equal(attributes[1].value.u8, 1);
        assert_int_equal(attributes[2].value.u8, 1);
        assert_int_equal(attributes[3].value.oid, SAI_NULL_OBJECT_ID);
        assert_int_equal(attributes[4].value.oid, root);
        assert_int_equal(
            bench->queue_api->get_queue_attribute(first, 1, &parent),
            SAI_STATUS_SUCCESS);
        assert_int_equal(parent.value.oid, leaf);
    }
}

static void
test_tree_can_be_rebuilt(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_object_id_t root = group_of(bench, port, 0);
    const sai_attribute_t attributes[] = {
        {SAI_SCHEDULER_GROUP_ATTR_PORT_ID, {.oid = port}},
        {SAI_SCHEDULER_GROUP_ATTR_LEVEL, {.u8 = 0}},
        {SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS, {.u8 = 2}},
        {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE, {.oid = port}},
    };
    const uint32_t n = children(bench, root, NULL);
    sai_object_id_t made = 0;

    assert_int_equal(bench->group_api->create_scheduler_group(
                         &made, bench->sw, N(attributes), attributes),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(group_of(bench, port, n + 1), made);
    assert_int_equal(move_group(bench, group_of(bench, port, 1), made),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(children(bench, root, NULL), n - 1);
    assert_int_equal(move_queue(bench, queue_of(bench, port, 5), made),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(children(bench, made, NULL), 2);

    /* It is full now; a refused move changes nothing. */
    assert_int_equal(move_queue(bench, queue_of(bench, port, 6), made),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(children(bench, made, NULL), 2);
    assert_int_equal(children(bench, group_of(bench, port, 7), NULL), 1);

    assert_int_equal(bench->group_api->remove_scheduler_group(made),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(asic_setup_remove_port(bench->sw, port),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(move_group(bench, group_of(bench, port, 1), root),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(move_queue(bench, queue_of(bench, port, 5), port),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->group_api->remove_scheduler_group(made),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(asic_setup_remove_port(bench->sw, port),
                     SAI_STATUS_SUCCESS);
}

static void
test_wrong_parents_get_exact_codes(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_object_id_t other = asic_setup_add_port(bench, 1001);
    const sai_object_id_t queue = queue_of(bench, port, 0);
    const sai_object_id_t leaf = group_of(bench, port, 1);

    assert_int_equal(move_queue(bench, queue, other),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(move_queue(bench, queue, group_of(bench, other, 0)),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(move_queue(bench, queue, queue),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(move_queue(bench, queue, group_of(bench, port, 2)),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(move_group(bench, leaf, port),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(move_group(bench, leaf, leaf),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(move_group(bench, leaf, group_of(bench, other, 0)),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(move_group(bench, leaf, SAI_NULL_OBJECT_ID),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(bench->group_api->remove_scheduler_group(leaf),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(bench->group_api->remove_scheduler_group(queue),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(move_group(bench, queue, leaf),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(children(bench, leaf, NULL), 1);
}

/* Exact codes ----------------------------------------------------------- */

static void
test_creating_groups_gets_exact_codes(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const struct {
        const char *name;
        sai_object_id_t port;
        uint8_t level;
        sai_object_id_t parent;
        uint32_t n;
        sai_status_t status;
    } rows[] = {
        {"level", port, 2, port, 4, SAI_STATUS_INVALID_ATTR_VALUE_0 - 1},
        {"parent", port, 1, port, 4, SAI_STATUS_INVALID_ATTR_VALUE_0 - 3},
        {"full", port, 1, group_of(bench, port, 0), 4,
         SAI_STATUS_INSUFFICIENT_RESOURCES},
        {"no port", 0, 0, port, 4, SAI_STATUS_INVALID_ATTR_VALUE_0},
        {"no parent", port, 0, port, 3, SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING},
    };

    for (uint32_t i = 0; i < N(rows); i++) {
        const sai_attribute_t attributes[] = {
            {SAI_SCHEDULER_GROUP_ATTR_PORT_ID, {.oid = rows[i].port}},
            {SAI_SCHEDULER_GROUP_ATTR_LEVEL, {.u8 = rows[i].level}},
            {SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS, {.u8 = 4}},
            {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE, {.oid = rows[i].parent}},
        };
        sai_object_id_t oid = 77;
        const sai_status_t status = bench->group_api->create_scheduler_group(
            &oid, bench->sw, rows[i].n, attributes);

        if (status != rows[i].status || oid != 77) {
            fail_msg("%s: %d", rows[i].name, status);
        }
    }
}

static void
test_scheduler_and_wred_ranges(void **state)
{
    static const struct {
        bool is_wred;
        sai_attribute_t attribute;
        bool ok;
    } rows[] = {
        {false, {SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, {.u8 = 0}}, false},
        {false, {SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, {.u8 = 255}}, true},
        {false, {SAI_SCHEDULER_ATTR_SCHEDULING_TYPE, {.s32 = 99}}, false},
        {false, {SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE, {.u64 = 1}}, true},
        {true, {SAI_WRED_ATTR_WEIGHT, {.u8 = 16}}, false},
        {true, {SAI_WRED_ATTR_WEIGHT, {.u8 = 15}}, true},
        {true, {SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, {.u32 = 101}}, false},
        {true, {SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, {.u32 = 100}}, true},
        {true, {SAI_WRED_ATTR_ECN_MARK_MODE, {.s32 = 99}}, false},
    };
    struct asic_setup *bench = *state;
    sai_object_id_t scheduler = 0;
    sai_object_id_t wred = 0;

    assert_int_equal(
        bench->scheduler_api->create_scheduler(&scheduler, bench->sw, 0, NULL),
        SAI_STATUS_SUCCESS);
    assert_int_equal(bench->wred_api->create_wred(&wred, bench->sw, 0, NULL),
                     SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < N(rows); i++) {
        const sai_status_t expected =
            rows[i].ok ? SAI_STATUS_SUCCESS : SAI_STATUS_INVALID_ATTR_VALUE_0;
        sai_object_id_t made = 77;

        assert_int_equal(
            rows[i].is_wred
                ? bench->wred_api->set_wred_attribute(wred, &rows[i].attribute)
                : bench->scheduler_api->set_scheduler_attribute(
                      scheduler, &rows[i].attribute),
            expected);
        assert_int_equal(rows[i].is_wred
                             ? bench->wred_api->create_wred(&made, bench->sw, 1,
                                                            &rows[i].attribute)
                             : bench->scheduler_api->create_scheduler(
                                   &made, bench->sw, 1, &rows[i].attribute),
                         expected);
        assert_int_equal(made == 77, !rows[i].ok);
    }
}

static void
test_scheduler_profile_is_kept_while_used(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    sai_object_id_t scheduler = 0;
    sai_attribute_t profile;

    assert_int_equal(
        bench->scheduler_api->create_scheduler(&scheduler, bench->sw, 0, NULL),
        SAI_STATUS_SUCCESS);
    for (int pass = 0; pass < 2; pass++) {
        const sai_status_t expected =
            pass == 0 ? SAI_STATUS_OBJECT_IN_USE : SAI_STATUS_SUCCESS;

        profile.value.oid = pass == 0 ? scheduler : SAI_NULL_OBJECT_ID;
        profile.id = SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID;
        assert_int_equal(bench->group_api->set_scheduler_group_attribute(
                             group_of(bench, port, 1), &profile),
                         SAI_STATUS_SUCCESS);
        profile.id = SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID;
        assert_int_equal(bench->queue_api->set_queue_attribute(
                             queue_of(bench, port, 0), &profile),
                         SAI_STATUS_SUCCESS);
        profile.id = SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID;
        assert_int_equal(bench->port_api->set_port_attribute(port, &profile),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(bench->scheduler_api->remove_scheduler(scheduler),
                         expected);
    }
}

int
main(void)
{
#define GENERIC(name)                                                          \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        GENERIC(test_sixty_four_ports_cost_at_most_300_kb),
        GENERIC(test_ids_follow_from_the_calls),
        GENERIC(test_port_in_use_by_the_bridge_stays),
        GENERIC(test_ids_of_a_removed_port_stay_dead),
        GENERIC(test_invented_ids_are_nothing),
        GENERIC(test_every_object_is_listed_once),
        GENERIC(test_each_queue_has_a_leaf_below_the_root),
        GENERIC(test_tree_can_be_rebuilt),
        GENERIC(test_wrong_parents_get_exact_codes),
        GENERIC(test_creating_groups_gets_exact_codes),
        GENERIC(test_scheduler_and_wred_ranges),
        GENERIC(test_scheduler_profile_is_kept_while_used),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
