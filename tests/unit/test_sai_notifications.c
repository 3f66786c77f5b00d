/* SPDX-License-Identifier: Apache-2.0 */

/* Notifications of the switch: in order, from any thread, and none without a
 * callback. */

#include <config.h>

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sai/stack/notifications.h"

#define SWITCH UINT64_C(0x21000000000000)
#define ALL    ((1u << NOTIFICATION_QUEUE << 1) - 1)

/* A library that has the callbacks, but refuses 'refused' (0: none). */
static struct library {
    struct sai_backend backend;
    sai_attr_id_t refused;
    sai_switch_state_change_notification_fn on_switch;
    sai_port_state_change_notification_fn on_ports;
    sai_queue_pfc_deadlock_notification_fn on_queues;
} library;

static sai_status_t
set(struct sai_backend *backend, sai_object_type_t type, sai_object_id_t oid,
    const sai_attribute_t *attribute)
{
    void *place = attribute->id == SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY
                      ? (void *)&library.on_switch
                  : attribute->id == SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY
                      ? (void *)&library.on_ports
                      : (void *)&library.on_queues;

    assert_ptr_equal(backend, &library.backend);
    assert_int_equal(type, SAI_OBJECT_TYPE_SWITCH);
    assert_int_equal(oid, SWITCH);
    if (attribute->id == library.refused) {
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    memcpy(place, &attribute->value.ptr, sizeof attribute->value.ptr);
    return SAI_STATUS_SUCCESS;
}

static int
setup(void **state)
{
    static const struct sai_backend_ops ops = {.set = set};
    struct notifications *notifications;
    struct err err;

    memset(&library, 0, sizeof library);
    library.backend = (struct sai_backend){.ops = &ops, .switch_id = SWITCH};
    assert_int_equal(notifications_create(&notifications, &err), ST_OK);
    *state = notifications;
    return 0;
}

static int
teardown(void **state)
{
    notifications_destroy(*state);
    return 0;
}

static bool
is_readable(const struct notifications *notifications)
{
    struct pollfd fd = {.fd = notifications_fd(notifications),
                        .events = POLLIN};

    return poll(&fd, 1, 0) == 1;
}

static void
assert_next(struct notifications *notifications, enum notification_kind kind,
            sai_object_id_t oid, int event)
{
    struct notification reported;

    assert_true(notifications_take(notifications, &reported));
    assert_int_equal(reported.kind, kind);
    assert_int_equal(reported.oid, oid);
    assert_int_equal(reported.event, event);
}

static void
test_notifications_are_taken_in_order(void **state)
{
    const sai_port_oper_status_notification_t ports[] = {
        {.port_id = 11, .port_state = SAI_PORT_OPER_STATUS_DOWN},
        {.port_id = 12, .port_state = SAI_PORT_OPER_STATUS_UP},
    };
    const sai_queue_deadlock_notification_data_t queue = {
        .queue_id = 31, .event = SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_RECOVERED};
    struct notifications *notifications = *state;
    struct notification none;

    assert_int_equal(
        notifications_subscribe(notifications, &library.backend, ALL), ALL);
    assert_false(is_readable(notifications));
    for (int round = 0; round < 20;
         round++) { /* More than there is room for. */
        library.on_ports(2, ports);
        library.on_queues(1, &queue);
        library.on_switch(SWITCH, SAI_SWITCH_OPER_STATUS_FAILED);
    }
    assert_true(is_readable(notifications));
    for (int round = 0; round < 20; round++) {
        assert_next(notifications, NOTIFICATION_PORT, 11,
                    SAI_PORT_OPER_STATUS_DOWN);
        assert_next(notifications, NOTIFICATION_PORT, 12,
                    SAI_PORT_OPER_STATUS_UP);
        assert_next(notifications, NOTIFICATION_QUEUE, 31,
                    SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_RECOVERED);
        assert_next(notifications, NOTIFICATION_SWITCH, SWITCH,
                    SAI_SWITCH_OPER_STATUS_FAILED);
    }
    assert_false(notifications_take(notifications, &none));
    assert_false(is_readable(notifications));
    library.on_ports(1, ports);
    assert_true(is_readable(notifications));
    assert_next(notifications, NOTIFICATION_PORT, 11,
                SAI_PORT_OPER_STATUS_DOWN);
}

static void
test_a_library_may_lack_some(void **state)
{
    library.refused = SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY;
    assert_int_equal(notifications_subscribe(*state, &library.backend, ALL),
                     1u << NOTIFICATION_SWITCH | 1u << NOTIFICATION_PORT);
    assert_null(library.on_queues);
    assert_int_equal(notifications_subscribe(*state, &library.backend,
                                             1u << NOTIFICATION_QUEUE),
                     0);
}

/* A library's thread may be in the middle of telling something when orchd has
 * enough of it. */
static void
test_what_nobody_wants_is_dropped(void **state)
{
    struct notifications *notifications = *state;
    struct notification none;
    struct err err;

    notifications_subscribe(notifications, &library.backend, ALL);
    notifications_destroy(notifications);
    library.on_switch(SWITCH, SAI_SWITCH_OPER_STATUS_FAILED);
    assert_int_equal(notifications_create(&notifications, &err), ST_OK);
    assert_false(notifications_take(notifications, &none));
    library.on_ports(1, NULL);
    assert_false(notifications_take(notifications, &none));
    *state = notifications;
}

enum { N_TOLD = 5000 };

static void *
tell(void *first)
{
    for (uint64_t i = 0; i < N_TOLD; i++) {
        const sai_port_oper_status_notification_t port = {
            .port_id = *(const uint64_t *)first + i};

        library.on_ports(1, &port);
    }
    return NULL;
}

static void
test_threads_lose_nothing(void **state)
{
    static const uint64_t firsts[] = {0, 1 << 20};
    struct notifications *notifications = *state;
    struct notification reported;
    uint64_t next[2] = {firsts[0], firsts[1]};
    pthread_t threads[2];

    notifications_subscribe(notifications, &library.backend, ALL);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            pthread_create(&threads[i], NULL, tell, (void *)&firsts[i]), 0);
    }
    for (int n = 0; n < 2 * N_TOLD;) {
        struct pollfd fd = {.fd = notifications_fd(notifications),
                            .events = POLLIN};

        assert_int_equal(poll(&fd, 1, 60000), 1);
        while (notifications_take(notifications, &reported)) {
            const size_t from = reported.oid >= firsts[1];

            assert_int_equal(reported.oid, next[from]++);
            n++;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_false(notifications_take(notifications, &reported));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_notifications_are_taken_in_order,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_library_may_lack_some, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_what_nobody_wants_is_dropped,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_threads_lose_nothing, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
