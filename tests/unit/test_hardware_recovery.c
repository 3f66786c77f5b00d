/* SPDX-License-Identifier: Apache-2.0 */

/* Hardware recovery of queues: what is set, in which order, and what happens
 * if the switch does not support or refuses it.  The switch is a few numbers
 * here. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/watchdog/hardware_recovery.h"

enum { SWITCH = 1, PORT_A = 10, PORT_B = 20, QUEUE_A = 100, QUEUE_B = 200 };

/* A switch that records the attributes that are set. */
struct box {
    struct sai_backend backend;
    bool has_ports, has_queues; /* Attributes of their own. */
    bool leaves_lists;          /* Reads succeed, and write nothing. */
    sai_attr_id_t refuses;      /* Of queues; 0: nothing. */

    bool enabled_a, enabled_b;
    int32_t action;           /* The last. */
    sai_object_id_t acted_on; /* By that. */
    sai_object_id_t listed;   /* The last list: whose, and what. */
    uint32_t n_listed;
    sai_map_t first;
    struct {
        uint32_t n;
        sai_map_t maps[8];
    } lists[2]; /* Of detection and recovery, the last. */
    unsigned int n_sets, n_lists;
};

static bool
is_detection(sai_attr_id_t id)
{
    return id == SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL ||
           id == SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL;
}

static bool
is_list(sai_attr_id_t id)
{
    return is_detection(id) || id == SAI_PORT_ATTR_PFC_TC_DLR_INTERVAL ||
           id == SAI_SWITCH_ATTR_PFC_TC_DLR_INTERVAL;
}

static void
get_list(const struct box *box, sai_attribute_t *attribute)
{
    const int which = is_detection(attribute->id);

    assert_true(attribute->value.maplist.count >= box->lists[which].n);
    attribute->value.maplist.count = box->lists[which].n;
    memcpy(attribute->value.maplist.list, box->lists[which].maps,
           box->lists[which].n * sizeof(sai_map_t));
}

static void
set_list(struct box *box, sai_object_id_t oid, const sai_attribute_t *attribute)
{
    const int which = is_detection(attribute->id);

    box->n_lists++;
    box->listed = oid;
    box->n_listed = attribute->value.maplist.count;
    box->lists[which].n = box->n_listed;
    if (box->n_listed) {
        box->first = attribute->value.maplist.list[0];
        memcpy(box->lists[which].maps, attribute->value.maplist.list,
               box->n_listed * sizeof(sai_map_t));
    }
}

static sai_status_t
box_get(struct sai_backend *backend, sai_object_type_t type,
        sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    const struct box *box = (const struct box *)(const void *)backend;
    bool has =
        type == SAI_OBJECT_TYPE_SWITCH ||
        (type == SAI_OBJECT_TYPE_PORT && box->has_ports) ||
        (type == SAI_OBJECT_TYPE_QUEUE &&
         (box->has_queues || attributes->id == SAI_QUEUE_ATTR_ENABLE_PFC_DLDR));

    (void)oid;
    (void)n;
    if (type != SAI_OBJECT_TYPE_QUEUE && is_list(attributes->id)) {
        if (!box->leaves_lists) {
            get_list(box, attributes);
        }
        return SAI_STATUS_SUCCESS;
    }
    attributes->value.u32range = (sai_u32_range_t){100, 1500};
    if (type == SAI_OBJECT_TYPE_QUEUE &&
        attributes->id == SAI_QUEUE_ATTR_ENABLE_PFC_DLDR) {
        attributes->value.booldata = box->enabled_a;
    }
    return has ? SAI_STATUS_SUCCESS : SAI_STATUS_ATTR_NOT_IMPLEMENTED_0;
}

static sai_status_t
set_on_queue(struct box *box, sai_object_id_t oid,
             const sai_attribute_t *attribute)
{
    if (attribute->id == box->refuses) {
        return SAI_STATUS_FAILURE;
    }
    if (attribute->id == SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION) {
        box->action = attribute->value.s32;
        box->acted_on = oid;
    } else if (oid == QUEUE_A) {
        box->enabled_a = attribute->value.booldata;
    } else {
        box->enabled_b = attribute->value.booldata;
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
box_set(struct sai_backend *backend, sai_object_type_t type,
        sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct box *box = (struct box *)(void *)backend;

    box->n_sets++;
    if (type == SAI_OBJECT_TYPE_QUEUE) {
        return set_on_queue(box, oid, attribute);
    }
    if (type == SAI_OBJECT_TYPE_SWITCH &&
        attribute->id == SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION) {
        box->action = attribute->value.s32;
        box->acted_on = oid;
    } else {
        set_list(box, oid, attribute);
    }
    return SAI_STATUS_SUCCESS;
}

static const struct sai_backend_ops box_ops = {.get = box_get, .set = box_set};

static void
open_box(struct box *box, struct hardware_recovery_switch *hardware,
         bool has_ports, bool has_queues)
{
    *box = (struct box){.backend = {&box_ops, SWITCH},
                        .has_ports = has_ports,
                        .has_queues = has_queues};
    hardware_recovery_init(hardware, &box->backend, PORT_A, QUEUE_A);
    assert_true(hardware->offered);
    assert_int_equal(hardware->by_port, has_ports);
    assert_int_equal(hardware->by_queue, has_queues);
}

static const struct hardware_recovery_settings usual = {200, 400, true};

static enum st
set_a(struct hardware_recovery_switch *hardware,
      struct hardware_recovery *recovery,
      const struct hardware_recovery_settings *wish)
{
    return hardware_recovery_set(hardware, recovery, PORT_A, QUEUE_A, 3, wish);
}

static enum st
set_b(struct hardware_recovery_switch *hardware,
      struct hardware_recovery *recovery,
      const struct hardware_recovery_settings *wish)
{
    return hardware_recovery_set(hardware, recovery, PORT_B, QUEUE_B, 3, wish);
}

static void
test_guard_is_set_once_and_ended(void **state)
{
    struct hardware_recovery_switch hardware;
    struct hardware_recovery recovery = {0};
    struct box box;
    unsigned int n_sets;

    (void)state;
    open_box(&box, &hardware, true, true);
    assert_int_equal(set_a(&hardware, &recovery, &usual), ST_OK);
    assert_true(box.enabled_a);
    assert_int_equal(box.listed, PORT_A);
    assert_int_equal(box.n_listed, 1);
    assert_int_equal(box.first.key, 3);
    assert_int_equal(box.first.value, 400); /* Recovery is the second list. */
    assert_int_equal(box.action, SAI_PACKET_ACTION_DROP);
    assert_int_equal(box.acted_on, QUEUE_A);
    n_sets = box.n_sets;
    assert_int_equal(set_a(&hardware, &recovery, &usual), ST_OK);
    assert_int_equal(box.n_sets, n_sets);
    hardware_recovery_clear(&hardware, &recovery);
    hardware_recovery_clear(&hardware, &recovery);
    assert_false(box.enabled_a);
    assert_int_equal(box.n_sets, n_sets + 1);
    hardware_recovery_fini(&hardware);
}

/* Hardware recovery is enabled queue by queue.  Until the last one has it, the
 * lists of a previous run are not shortened to those that have it. */
static void
test_times_of_an_earlier_run_are_left_alone(void **state)
{
    const struct hardware_recovery_settings slow = {300, 400, true};
    struct hardware_recovery_switch hardware;
    struct hardware_recovery three = {0}, four = {0};
    struct box box;

    (void)state;
    open_box(&box, &hardware, true, true);
    box.lists[0].n = box.lists[1].n = 2;
    for (int i = 0; i < 2; i++) {
        box.lists[1].maps[i] =
            (sai_map_t){.key = 3u + (unsigned)i, .value = 200};
        box.lists[0].maps[i] =
            (sai_map_t){.key = 3u + (unsigned)i, .value = 400};
    }
    assert_int_equal(set_a(&hardware, &three, &usual), ST_OK);
    assert_int_equal(
        hardware_recovery_set(&hardware, &four, PORT_A, QUEUE_B, 4, &usual),
        ST_OK);
    assert_int_equal(box.n_lists, 0);
    assert_int_equal(set_a(&hardware, &three, &slow), ST_OK);
    assert_int_equal(box.n_lists, 2);
    assert_int_equal(box.n_listed, 2);
    hardware_recovery_fini(&hardware);
}

/* A libsai that succeeds without writing the list must not decide by what the
 * stack had: valgrind would report it. */
static void
test_list_that_was_not_written_has_no_times(void **state)
{
    struct hardware_recovery_switch hardware;
    struct hardware_recovery recovery = {0};
    struct box box;

    (void)state;
    open_box(&box, &hardware, true, true);
    box.leaves_lists = true;
    assert_int_equal(set_a(&hardware, &recovery, &usual), ST_OK);
    assert_int_equal(box.n_lists, 2);
    assert_true(box.enabled_a);
    hardware_recovery_fini(&hardware);
}

static void
test_times_and_action_change_without_a_gap(void **state)
{
    const struct hardware_recovery_settings other = {300, 1000, false};
    struct hardware_recovery_switch hardware;
    struct hardware_recovery recovery = {0};
    struct box box;

    (void)state;
    open_box(&box, &hardware, true, true);
    assert_int_equal(set_a(&hardware, &recovery, &usual), ST_OK);
    assert_int_equal(set_a(&hardware, &recovery, &other), ST_OK);
    assert_true(box.enabled_a);
    assert_int_equal(box.first.value, 1000);
    assert_int_equal(box.action, SAI_PACKET_ACTION_FORWARD);
    hardware_recovery_fini(&hardware);
}

/* Where times and action are for the whole switch, a port that wants another
 * action is not refused: its storms are detected by orchd. */
static void
test_e12_other_action_is_no_reason_to_refuse_a_port(void **state)
{
    const struct hardware_recovery_settings forward = {200, 400, false};
    const struct hardware_recovery_settings slow = {1000, 400, true};
    struct hardware_recovery_switch hardware;
    struct hardware_recovery a = {0}, b = {0};
    struct box box;

    (void)state;
    open_box(&box, &hardware, false, false);
    assert_int_equal(set_a(&hardware, &a, &usual), ST_OK);
    assert_int_equal(box.listed, SWITCH);
    assert_int_equal(box.acted_on, SWITCH);
    assert_int_equal(set_b(&hardware, &b, &forward), ST_BUSY);
    assert_int_equal(set_b(&hardware, &b, &slow), ST_BUSY);
    assert_false(box.enabled_b);
    assert_true(box.enabled_a);
    assert_int_equal(box.action, SAI_PACKET_ACTION_DROP);
    assert_int_equal(set_b(&hardware, &b, &usual), ST_OK);
    /* Both change, one after the other: who is last in the way is not. */
    assert_int_equal(set_a(&hardware, &a, &forward), ST_BUSY);
    assert_false(box.enabled_a);
    assert_int_equal(set_b(&hardware, &b, &forward), ST_OK);
    assert_int_equal(set_a(&hardware, &a, &forward), ST_OK);
    assert_int_equal(box.action, SAI_PACKET_ACTION_FORWARD);
    hardware_recovery_fini(&hardware);
}

static void
test_e13_times_beyond_the_switch_are_not_refused(void **state)
{
    /* What SONiC's tools write by default on 512 ports, and more. */
    static const struct hardware_recovery_settings wishes[] = {
        {3200, 3200, true},
        {3200, 400, true},
        {200, 60000, true},
        {99, 400, true},
        {200, 99, true}};
    struct hardware_recovery_switch hardware;
    struct hardware_recovery recovery = {0};
    struct box box;

    (void)state;
    open_box(&box, &hardware, true, true);
    assert_int_equal(set_a(&hardware, &recovery, &usual), ST_OK);
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        assert_int_equal(set_a(&hardware, &recovery, &wishes[i]),
                         ST_UNSUPPORTED);
        assert_false(box.enabled_a);
    }
    hardware_recovery_fini(&hardware);
}

static void
test_partial_guard_is_undone(void **state)
{
    static const sai_attr_id_t refused[] = {
        SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR};
    struct hardware_recovery_switch hardware;
    struct hardware_recovery recovery = {0};
    struct box box;
    unsigned int n_sets;

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        open_box(&box, &hardware, true, true);
        box.refuses = refused[i];
        recovery = (struct hardware_recovery){0};
        assert_int_equal(set_a(&hardware, &recovery, &usual), ST_DEVICE);
        assert_false(recovery.on);
        assert_int_equal(box.n_listed, 0);
        /* Not tried again before something changes. */
        n_sets = box.n_sets;
        assert_int_equal(set_a(&hardware, &recovery, &usual), ST_DEVICE);
        assert_int_equal(box.n_sets, n_sets);
        box.refuses = 0;
        assert_int_equal(
            set_a(&hardware, &recovery,
                  &(struct hardware_recovery_settings){300, 400, true}),
            ST_OK);
        hardware_recovery_fini(&hardware);
    }
}

static void
test_queue_that_is_gone_is_not_in_the_way(void **state)
{
    const struct hardware_recovery_settings forward = {200, 400, false};
    struct hardware_recovery_switch hardware;
    struct hardware_recovery a = {0}, b = {0};
    struct box box;
    unsigned int n_sets;

    (void)state;
    open_box(&box, &hardware, false, false);
    assert_int_equal(set_a(&hardware, &a, &usual), ST_OK);
    n_sets = box.n_sets;
    hardware_recovery_forget(&hardware, &a);
    assert_int_equal(box.n_sets, n_sets);
    assert_int_equal(set_b(&hardware, &b, &forward), ST_OK);
    hardware_recovery_fini(&hardware);
}

static void
test_guard_that_another_client_has_ended(void **state)
{
    struct hardware_recovery_switch hardware;
    struct hardware_recovery recovery = {0};
    struct box box;

    (void)state;
    open_box(&box, &hardware, true, true);
    assert_int_equal(set_a(&hardware, &recovery, &usual), ST_OK);
    assert_true(hardware_recovery_check(&hardware, &recovery));
    box.enabled_a = false;
    assert_false(hardware_recovery_check(&hardware, &recovery));
    assert_int_equal(set_a(&hardware, &recovery, &usual), ST_OK);
    assert_true(box.enabled_a);
    hardware_recovery_fini(&hardware);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guard_is_set_once_and_ended),
        cmocka_unit_test(test_times_of_an_earlier_run_are_left_alone),
        cmocka_unit_test(test_list_that_was_not_written_has_no_times),
        cmocka_unit_test(test_times_and_action_change_without_a_gap),
        cmocka_unit_test(test_e12_other_action_is_no_reason_to_refuse_a_port),
        cmocka_unit_test(test_e13_times_beyond_the_switch_are_not_refused),
        cmocka_unit_test(test_partial_guard_is_undone),
        cmocka_unit_test(test_queue_that_is_gone_is_not_in_the_way),
        cmocka_unit_test(test_guard_that_another_client_has_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
