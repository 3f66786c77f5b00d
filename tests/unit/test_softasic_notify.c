/* SPDX-License-Identifier: Apache-2.0 */

/* Callbacks of the software switch: when they come, what they say, and what
 * may be done in them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"
#include "vendors/softasic/softasic.h"

/* The notifications.  Callbacks have no context, so this is global. */
static struct {
    struct asic_setup *bench;
    uint32_t n;
    sai_port_oper_status_notification_t events[16];
    bool pulls_down; /* Sets a port that came up down again. */
    bool removes;    /* Removes the switch. */
} heard;

static void
on_ports(uint32_t count, const sai_port_oper_status_notification_t *data)
{
    const sai_attribute_t down = {SAI_PORT_ATTR_ADMIN_STATE,
                                  {.booldata = false}};

    for (uint32_t i = 0; i < count; i++) {
        sai_attribute_t status = {.id = SAI_PORT_ATTR_OPER_STATUS};

        assert_true(heard.n < N(heard.events));
        heard.events[heard.n++] = data[i];
        /* The notified state is the one that can be read. */
        assert_int_equal(heard.bench->port_api->get_port_attribute(
                             data[i].port_id, 1, &status),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(status.value.s32, data[i].port_state);
        if (heard.pulls_down && data[i].port_state == SAI_PORT_OPER_STATUS_UP) {
            assert_int_equal(heard.bench->port_api->set_port_attribute(
                                 data[i].port_id, &down),
                             SAI_STATUS_SUCCESS);
        }
    }
    if (heard.removes) {
        assert_int_equal(
            heard.bench->switch_api->remove_switch(heard.bench->sw),
            SAI_STATUS_SUCCESS);
    }
}

static void
listen(struct asic_setup *bench, sai_port_state_change_notification_fn function)
{
    const sai_attribute_t attribute = {SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY,
                                       {.ptr = (void *)(uintptr_t)function}};

    memset(&heard, 0, sizeof heard);
    heard.bench = bench;
    assert_int_equal(
        bench->switch_api->set_switch_attribute(bench->sw, &attribute),
        SAI_STATUS_SUCCESS);
}

static void
check_event(uint32_t i, sai_object_id_t port, sai_port_oper_status_t state)
{
    assert_true(i < heard.n);
    assert_int_equal(heard.events[i].port_id, port);
    assert_int_equal(heard.events[i].port_state, state);
    assert_int_equal(heard.events[i].port_error_status, 0);
}

static void
test_a_change_of_state_is_reported_once(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);

    listen(bench, on_ports);
    for (int i = 0; i < 2; i++) {
        asic_setup_port_bool(bench, port, SAI_PORT_ATTR_ADMIN_STATE, true);
    }
    assert_int_equal(heard.n, 1);
    check_event(0, port, SAI_PORT_OPER_STATUS_UP);
    /* Blocking a port is no change of its link. */
    asic_setup_port_bool(bench, port, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    assert_int_equal(heard.n, 1);
    asic_setup_port_bool(bench, port, SAI_PORT_ATTR_ADMIN_STATE, false);
    assert_int_equal(heard.n, 2);
    check_event(1, port, SAI_PORT_OPER_STATUS_DOWN);
}

static void
test_a_port_that_is_born_up_is_reported(void **state)
{
    struct asic_setup *bench = *state;
    uint32_t lane = 1000;
    const sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}},
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
    };
    sai_object_id_t port = 0;

    listen(bench, on_ports);
    assert_int_equal(bench->port_api->create_port(&port, bench->sw,
                                                  N(attributes), attributes),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n, 1);
    check_event(0, port, SAI_PORT_OPER_STATUS_UP);
}

static void
test_refused_changes_are_not_reported(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_attribute_t up = {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}};

    listen(bench, on_ports);
    assert_int_equal(bench->port_api->set_port_attribute(port + 1, &up),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(heard.n, 0);
    /* No callback: nothing is kept for later. */
    listen(bench, NULL);
    asic_setup_port_bool(bench, port, SAI_PORT_ATTR_ADMIN_STATE, true);
    listen(bench, on_ports);
    asic_setup_port_bool(bench, port, SAI_PORT_ATTR_PKT_TX_ENABLE, true);
    assert_int_equal(heard.n, 0);
}

static void
test_a_callback_may_call_back(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    sai_attribute_t admin = {.id = SAI_PORT_ATTR_ADMIN_STATE};

    listen(bench, on_ports);
    heard.pulls_down = true;
    asic_setup_port_bool(bench, port, SAI_PORT_ATTR_ADMIN_STATE, true);
    assert_int_equal(heard.n, 2);
    check_event(0, port, SAI_PORT_OPER_STATUS_UP);
    check_event(1, port, SAI_PORT_OPER_STATUS_DOWN);
    assert_int_equal(bench->port_api->get_port_attribute(port, 1, &admin),
                     SAI_STATUS_SUCCESS);
    assert_false(admin.value.booldata);
}

static void
test_a_callback_may_end_it_all(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t ports[] = {asic_setup_add_port(bench, 1000),
                                     asic_setup_add_port(bench, 1001)};
    const sai_attribute_t up[] = {
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
    };
    sai_status_t statuses[2];

    listen(bench, on_ports);
    heard.removes = true;
    assert_int_equal(
        bench->port_api->set_ports_attribute(
            2, ports, up, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(heard.n, 1);
}

/* The notifications of queues. */
static struct {
    uint32_t n;
    sai_queue_deadlock_notification_data_t events[8];
} dead;

static void
on_queues(uint32_t count, const sai_queue_deadlock_notification_data_t *data)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(dead.n < N(dead.events));
        dead.events[dead.n++] = data[i];
    }
}

static void
check_queue(uint32_t i, sai_object_id_t queue,
            sai_queue_pfc_deadlock_event_type_t event)
{
    assert_int_equal(dead.n, i + 1);
    assert_int_equal(dead.events[i].queue_id, queue);
    assert_int_equal(dead.events[i].event, event);
    assert_false(dead.events[i].app_managed_recovery);
}

static void
test_deadlock_and_recovery_are_notified_once(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_ops *ops = softasic_ops(SOFTASIC_OPS_VERSION);
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_attribute_t listener = {SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY,
                                      {.ptr = (void *)(uintptr_t)on_queues}};
    const sai_attribute_t watched = {SAI_QUEUE_ATTR_ENABLE_PFC_DLDR,
                                     {.booldata = true}};
    sai_object_id_t queues[64];
    sai_attribute_t list = {SAI_PORT_ATTR_QOS_QUEUE_LIST,
                            {.objlist = {N(queues), queues}}};
    void *table;
    const sai_queue_api_t *api;

    memset(&dead, 0, sizeof dead);
    assert_int_equal(sai_api_query(SAI_API_QUEUE, &table), SAI_STATUS_SUCCESS);
    api = table;
    assert_int_equal(bench->port_api->get_port_attribute(port, 1, &list),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        bench->switch_api->set_switch_attribute(bench->sw, &listener),
        SAI_STATUS_SUCCESS);
    assert_int_equal(ops->queue_deadlock(queues[3], true),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(ops->queue_deadlock(port, true),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(ops->queue_deadlock(12345, true),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(api->set_queue_attribute(queues[3], &watched),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(ops->queue_deadlock(queues[3], false), SAI_STATUS_SUCCESS);
    assert_int_equal(dead.n, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ops->queue_deadlock(queues[3], true),
                         SAI_STATUS_SUCCESS);
        check_queue(0, queues[3], SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_DETECTED);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ops->queue_deadlock(queues[3], false),
                         SAI_STATUS_SUCCESS);
        check_queue(1, queues[3], SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_RECOVERED);
    }
    /* Left dead: the switch forgets it. */
    assert_int_equal(ops->queue_deadlock(queues[3], true), SAI_STATUS_SUCCESS);
    assert_int_equal(dead.n, 3);
}

int
main(void)
{
#define GENERIC(name)                                                          \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        GENERIC(test_a_change_of_state_is_reported_once),
        GENERIC(test_a_port_that_is_born_up_is_reported),
        GENERIC(test_refused_changes_are_not_reported),
        GENERIC(test_a_callback_may_call_back),
        GENERIC(test_a_callback_may_end_it_all),
        GENERIC(test_deadlock_and_recovery_are_notified_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
