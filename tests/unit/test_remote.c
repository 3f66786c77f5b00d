/* SPDX-License-Identifier: Apache-2.0 */

/* A switch in another process: what a client gets must be what the library
 * says, and whatever happens to the host must not happen to the client. */

#include <config.h>

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sai/remote/client.h"
#include "tests/support/tempfile.h"
#include "tests/support/testhost.h"

#define N(array) (sizeof(array) / sizeof(array)[0])

enum { PATIENCE_MS = 180000, STEP_MS = 5 };

static struct client *
connect_as(const struct testhost *host, enum message_role role, int timeout_ms)
{
    const struct client_options options = {testhost_path(host), "the test",
                                           role, timeout_ms};
    struct client *client = NULL;
    struct err err = {0};

    if (client_open(&options, &client, &err)) {
        fail_msg("%s", err.reason);
    }
    return client;
}

static sai_status_t
create(struct client *client, sai_object_type_t type, uint32_t n,
       const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct sai_backend *backend = client_backend(client);

    return backend->ops->create(backend, type, n, attributes, oid);
}

static sai_object_id_t
create_switch(struct client *client, bool init)
{
    const sai_attribute_t attribute = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                       {.booldata = init}};
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(
        create(client, SAI_OBJECT_TYPE_SWITCH, 1, &attribute, &oid),
        SAI_STATUS_SUCCESS);
    assert_int_equal(client_backend(client)->switch_id, oid);
    return oid;
}

/* A scheduler of any kind is enough of an object. */
static sai_status_t
create_scheduler(struct client *client, sai_object_id_t *oid)
{
    const sai_attribute_t type = {SAI_SCHEDULER_ATTR_SCHEDULING_TYPE,
                                  {.s32 = SAI_SCHEDULING_TYPE_STRICT}};

    return create(client, SAI_OBJECT_TYPE_SCHEDULER, 1, &type, oid);
}

static const char *const store_options[] = {
    "--profile",
    "STORE_PORTS=1,2,3,4;5,6,7,8",
    "--profile",
    "STORE_CRASH=SAI_OBJECT_TYPE_WRED",
    "--profile",
    "STORE_HANG=SAI_OBJECT_TYPE_QOS_MAP",
    "--call-timeout",
    "1",
    NULL};

static struct testhost *
start_store(void)
{
    return testhost_start_library("libsai-store.so", store_options);
}

static void
test_the_switch_outlives_its_clients(void **state)
{
    struct testhost *host = start_store();
    struct client *client = connect_as(host, MESSAGE_WRITER, 0);
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    sai_attribute_t type = {.id = SAI_SCHEDULER_ATTR_SCHEDULING_TYPE};
    sai_object_id_t scheduler, other;
    const sai_object_id_t sw = create_switch(client, true);
    struct sai_backend *backend;

    (void)state;
    assert_int_equal(client_release(client), 11000);
    assert_string_equal(client_extras(client), "");
    assert_int_equal(create_scheduler(client, &scheduler), SAI_STATUS_SUCCESS);
    client_close(client);

    client = connect_as(host, MESSAGE_WRITER, 0);
    assert_int_equal(create(client, SAI_OBJECT_TYPE_SWITCH, 1, &init, &other),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(create_switch(client, false), sw);
    backend = client_backend(client);
    assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_SCHEDULER,
                                       scheduler, 1, &type),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(type.value.s32, SAI_SCHEDULING_TYPE_STRICT);
    client_close(client);
    testhost_stop(host);
}

static void
test_there_is_nothing_to_connect_to_before_there_is_a_switch(void **state)
{
    struct testhost *host = start_store();
    struct client *client = connect_as(host, MESSAGE_WRITER, 0);
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = false}};
    sai_object_id_t oid = 7;

    (void)state;
    assert_int_equal(create(client, SAI_OBJECT_TYPE_SWITCH, 1, &init, &oid),
                     SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(oid, 7);
    client_close(client);
    testhost_stop(host);
}

/* A reader connects to the existing switch by creating it, and creates none. */
static void
check_connection(struct client *reader, sai_object_id_t existing)
{
    sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = true}};
    sai_object_id_t oid = 7;

    assert_int_equal(create(reader, SAI_OBJECT_TYPE_SWITCH, 1, &init, &oid),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(create(reader, SAI_OBJECT_TYPE_SWITCH, 0, NULL, &oid),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(oid, 7);
    init.value.booldata = false;
    assert_int_equal(create(reader, SAI_OBJECT_TYPE_SWITCH, 1, &init, &oid),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(oid, existing);
    assert_int_equal(client_backend(reader)->switch_id, existing);
    assert_int_equal(client_backend(reader)->ops->remove(
                         client_backend(reader), SAI_OBJECT_TYPE_SWITCH, oid),
                     SAI_STATUS_OBJECT_IN_USE);
}

static void
test_one_writes_and_others_read(void **state)
{
    struct testhost *host = start_store();
    struct client *writer = connect_as(host, MESSAGE_WRITER, 0);
    struct client *readers[3], *second;
    const struct client_options again = {testhost_path(host), "the second",
                                         MESSAGE_WRITER, 0};
    sai_object_id_t scheduler, refused = 7;
    struct sai_backend *backend;
    struct err err = {0};

    (void)state;
    create_switch(writer, true);
    assert_int_equal(create_scheduler(writer, &scheduler), SAI_STATUS_SUCCESS);
    for (size_t i = 0; i < N(readers); i++) {
        sai_attribute_t type = {.id = SAI_SCHEDULER_ATTR_SCHEDULING_TYPE};

        readers[i] = connect_as(host, MESSAGE_READER, 0);
        backend = client_backend(readers[i]);
        assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_SCHEDULER,
                                           scheduler, 1, &type),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(create_scheduler(readers[i], &refused),
                         SAI_STATUS_OBJECT_IN_USE);
        assert_int_equal(
            backend->ops->remove(backend, SAI_OBJECT_TYPE_SCHEDULER, scheduler),
            SAI_STATUS_OBJECT_IN_USE);
    }
    assert_int_equal(refused, 7);
    check_connection(readers[0], client_backend(writer)->switch_id);
    assert_int_equal(client_open(&again, &second, &err), ST_BUSY);
    assert_string_equal(err.code, "sai-host-busy");
    assert_non_null(strstr(err.reason, "the test"));
    for (size_t i = 0; i < N(readers); i++) {
        client_close(readers[i]);
    }
    client_close(writer);
    testhost_stop(host);
}

/* Makes a call that ends the host process. */
static void
check_loss(sai_object_type_t type, int exit_code)
{
    struct testhost *host = start_store();
    struct client *client = connect_as(host, MESSAGE_WRITER, 0);
    sai_object_id_t oid = 7;

    create_switch(client, true);
    assert_null(client_trouble(client));
    assert_int_equal(create(client, type, 0, NULL, &oid), SAI_STATUS_FAILURE);
    assert_int_equal(oid, 7);
    assert_non_null(client_trouble(client));
    assert_int_equal(create_scheduler(client, &oid), SAI_STATUS_FAILURE);
    client_close(client);
    assert_false(testhost_is_running(host, true));
    assert_int_equal(testhost_exit_code(host), exit_code);
    testhost_stop(host);
}

static void
test_a_library_that_crashes_leaves_its_client(void **state)
{
    (void)state;
    check_loss(SAI_OBJECT_TYPE_WRED, -1);
}

static void
test_a_library_that_hangs_is_ended(void **state)
{
    (void)state;
    check_loss(SAI_OBJECT_TYPE_QOS_MAP, 3);
}

static void
test_a_client_does_not_wait_longer_than_it_may(void **state)
{
    static const char *const options[] = {"--profile",
                                          "STORE_HANG=SAI_OBJECT_TYPE_QOS_MAP",
                                          "--call-timeout", "3", NULL};
    struct testhost *host = testhost_start_library("libsai-store.so", options);
    struct client *client = connect_as(host, MESSAGE_WRITER, 50);
    sai_object_id_t oid;

    (void)state;
    create_switch(client, true);
    assert_int_equal(create(client, SAI_OBJECT_TYPE_QOS_MAP, 0, NULL, &oid),
                     SAI_STATUS_FAILURE);
    assert_string_equal(client_trouble(client),
                        "the host has not answered in time");
    assert_true(testhost_is_running(host, false));
    client_close(client);
    assert_false(testhost_is_running(host, true));
    testhost_stop(host);
}

/* More objects than a part has, and than may be under way. */
enum { MANY = 5000, WRONG = 2900 };

/* Creates MANY schedulers, of which WRONG has a value that is refused. */
static void
create_many(struct client *client, sai_bulk_op_error_mode_t mode,
            sai_object_key_t *keys, sai_status_t *statuses)
{
    uint32_t *counts = calloc(MANY, sizeof *counts);
    sai_attribute_t *attributes = calloc(MANY, sizeof *attributes);
    const struct backend_many many = {.op = OP_CREATE_MANY,
                                      .type = SAI_OBJECT_TYPE_SCHEDULER,
                                      .mode = mode,
                                      .n = MANY,
                                      .keys = keys,
                                      .counts = counts,
                                      .attributes = attributes,
                                      .statuses = statuses};

    for (int i = 0; i < MANY; i++) {
        counts[i] = 1;
        attributes[i].id = SAI_SCHEDULER_ATTR_SCHEDULING_TYPE;
        attributes[i].value.s32 =
            i == WRONG ? 99 : (int32_t)SAI_SCHEDULING_TYPE_STRICT;
    }
    assert_int_equal(backend_do_many(client_backend(client), &many),
                     SAI_STATUS_FAILURE);
    free(counts);
    free(attributes);
}

static void
test_many_objects_go_in_parts_and_stop_at_an_error(void **state)
{
    struct testhost *host = start_store();
    struct client *client = connect_as(host, MESSAGE_WRITER, 0);
    sai_object_key_t *keys = calloc(MANY, sizeof *keys);
    sai_status_t *statuses = calloc(MANY, sizeof *statuses);

    (void)state;
    create_switch(client, true);
    create_many(client, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, keys, statuses);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(statuses[i] == SAI_STATUS_SUCCESS, i != WRONG);
        assert_int_equal(keys[i].key.object_id != 0, i != WRONG);
    }
    memset(keys, 0, MANY * sizeof *keys);
    create_many(client, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, keys, statuses);
    for (int i = 0; i < MANY; i++) {
        if (i < WRONG) {
            assert_int_equal(statuses[i], SAI_STATUS_SUCCESS);
        } else if (i > WRONG) {
            assert_int_equal(statuses[i], SAI_STATUS_NOT_EXECUTED);
            assert_int_equal(keys[i].key.object_id, 0);
        }
    }
    client_close(client);
    testhost_stop(host);
    free(keys);
    free(statuses);
}

static void
test_lists_have_the_room_that_they_are_given(void **state)
{
    struct testhost *host = start_store();
    struct client *client = connect_as(host, MESSAGE_WRITER, 0);
    struct sai_backend *backend = client_backend(client);
    const sai_object_id_t sw = create_switch(client, true);
    sai_object_id_t ports[4] = {1, 1, 1, 1};
    sai_attribute_t list = {.id = SAI_SWITCH_ATTR_PORT_LIST};

    (void)state;
    for (uint32_t room = 0; room < 2; room++) {
        list.value.objlist.count = room;
        list.value.objlist.list = ports;
        assert_int_equal(
            backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, sw, 1, &list),
            SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(list.value.objlist.count, 2);
        assert_int_equal(ports[0], 1);
    }
    list.value.objlist.count = 4;
    list.value.objlist.list = NULL; /* No room, whatever the count says. */
    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, sw, 1, &list),
        SAI_STATUS_BUFFER_OVERFLOW);
    list.value.objlist.count = 4;
    list.value.objlist.list = ports;
    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, sw, 1, &list),
        SAI_STATUS_SUCCESS);
    assert_int_equal(list.value.objlist.count, 2);
    assert_true(ports[0] != 1 && ports[1] != 1);
    assert_int_equal(ports[2], 1);
    client_close(client);
    testhost_stop(host);
}

/* Notices ------------------------------------------------------------------ */

/* What came, from another thread. */
static struct {
    pthread_mutex_t lock;
    sai_object_id_t port;
    sai_port_oper_status_t port_state;
    sai_object_id_t failed;
} heard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
on_ports(uint32_t n, const sai_port_oper_status_notification_t *data)
{
    pthread_mutex_lock(&heard.lock);
    heard.port = data[n - 1].port_id;
    heard.port_state = data[n - 1].port_state;
    pthread_mutex_unlock(&heard.lock);
}

static void
on_state(sai_object_id_t switch_id, sai_switch_oper_status_t status)
{
    pthread_mutex_lock(&heard.lock);
    heard.failed = status == SAI_SWITCH_OPER_STATUS_FAILED ? switch_id : 0;
    pthread_mutex_unlock(&heard.lock);
}

/* Waits until '*what' is 'value'. */
static void
wait_heard(const sai_object_id_t *what, sai_object_id_t value)
{
    for (int ms = 0;; ms += STEP_MS) {
        bool is_so;

        pthread_mutex_lock(&heard.lock);
        is_so = *what == value;
        pthread_mutex_unlock(&heard.lock);
        if (is_so) {
            return;
        }
        assert_true(ms < PATIENCE_MS);
        (void)poll(NULL, 0, STEP_MS);
    }
}

static void
test_notices_come_back_and_so_does_the_loss_of_the_host(void **state)
{
    struct testhost *host = testhost_start("generic");
    struct client *client = connect_as(host, MESSAGE_WRITER, 0);
    struct sai_backend *backend = client_backend(client);
    const sai_attribute_t attributes[] = {
        {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = true}},
        {SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY,
         {.ptr = (void *)(uintptr_t)on_ports}},
        {SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY,
         {.ptr = (void *)(uintptr_t)on_state}}};
    const sai_attribute_t up = {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}};
    const sai_attribute_t wrong = {SAI_SWITCH_ATTR_PACKET_EVENT_NOTIFY,
                                   {.ptr = (void *)(uintptr_t)on_state}};
    sai_attribute_t back = {.id = SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY};
    uint32_t lane = 1;
    const sai_attribute_t port[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 25000}}};
    sai_object_id_t sw, oid;

    (void)state;
    assert_int_equal(
        create(client, SAI_OBJECT_TYPE_SWITCH, N(attributes), attributes, &sw),
        SAI_STATUS_SUCCESS);
    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, sw, 1, &back),
        SAI_STATUS_SUCCESS);
    assert_ptr_equal(back.value.ptr, (void *)(uintptr_t)on_ports);
    assert_int_equal(
        backend->ops->set(backend, SAI_OBJECT_TYPE_SWITCH, sw, &wrong),
        SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_int_equal(create(client, SAI_OBJECT_TYPE_PORT, N(port), port, &oid),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(backend->ops->set(backend, SAI_OBJECT_TYPE_PORT, oid, &up),
                     SAI_STATUS_SUCCESS);
    wait_heard(&heard.port, oid);
    assert_int_equal(heard.port_state, SAI_PORT_OPER_STATUS_UP);
    testhost_stop(host);
    wait_heard(&heard.failed, sw);
    client_close(client);
}

static void
test_a_place_without_a_host_is_named(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    const struct client_options options = {nowhere, "the test", MESSAGE_WRITER,
                                           0};
    struct client *client = NULL;
    struct err err = {0};

    (void)state;
    tempfile_missing(nowhere, "socket");
    assert_int_equal(client_open(&options, &client, &err), ST_NOT_FOUND);
    assert_null(client);
    assert_non_null(strstr(err.reason, nowhere));
    assert_non_null(strstr(err.remedy, "saihostd"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_switch_outlives_its_clients),
        cmocka_unit_test(
            test_there_is_nothing_to_connect_to_before_there_is_a_switch),
        cmocka_unit_test(test_one_writes_and_others_read),
        cmocka_unit_test(test_a_library_that_crashes_leaves_its_client),
        cmocka_unit_test(test_a_library_that_hangs_is_ended),
        cmocka_unit_test(test_a_client_does_not_wait_longer_than_it_may),
        cmocka_unit_test(test_many_objects_go_in_parts_and_stop_at_an_error),
        cmocka_unit_test(test_lists_have_the_room_that_they_are_given),
        cmocka_unit_test(
            test_notices_come_back_and_so_does_the_loss_of_the_host),
        cmocka_unit_test(test_a_place_without_a_host_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
