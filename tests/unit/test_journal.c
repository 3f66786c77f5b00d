/* SPDX-License-Identifier: Apache-2.0 */

/* The journal: what changes a switch is remembered, the rest passes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sai/stack/journal.h"
#include "vendors/store/store.h"

struct bench {
    struct store *store;
    struct journal *journal;
    struct sai_backend *backend;
};

static int
setup(void **state)
{
    static const struct store_port port = {.lanes = {1}, .n_lanes = 1};
    static const struct store_config config = {
        .ports = &port, .n_ports = 1, .with_switch = true};
    static struct bench bench;

    bench.store = store_create(&config);
    bench.journal = journal_create(store_backend(bench.store));
    bench.backend = journal_backend(bench.journal);
    *state = &bench;
    return 0;
}

static int
teardown(void **state)
{
    struct bench *bench = *state;

    journal_destroy(bench->journal);
    store_destroy(bench->store);
    return 0;
}

static sai_object_id_t
create_map(const struct bench *bench)
{
    sai_qos_map_t entry = {.key = {.dscp = 3}, .value = {.tc = 5}};
    sai_attribute_t attributes[2] = {
        {.id = SAI_QOS_MAP_ATTR_TYPE},
        {.id = SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST}};
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    attributes[0].value.s32 = SAI_QOS_MAP_TYPE_DSCP_TO_TC;
    attributes[1].value.qosmap = (sai_qos_map_list_t){1, &entry};
    assert_int_equal(bench->backend->ops->create(bench->backend,
                                                 SAI_OBJECT_TYPE_QOS_MAP, 2,
                                                 attributes, &oid),
                     SAI_STATUS_SUCCESS);
    return oid; /* The list was borrowed, and is gone from here on. */
}

static void
test_changes_are_kept_in_order_with_copies_of_their_lists(void **state)
{
    struct bench *bench = *state;
    sai_object_id_t oid = create_map(bench);
    const struct journal_call *calls;
    size_t n;

    assert_int_equal(bench->backend->ops->remove(bench->backend,
                                                 SAI_OBJECT_TYPE_QOS_MAP, oid),
                     SAI_STATUS_SUCCESS);
    calls = journal_calls(bench->journal, &n);
    assert_int_equal(n, 2);
    assert_int_equal(calls[0].op, OP_CREATE);
    assert_int_equal(calls[0].type, SAI_OBJECT_TYPE_QOS_MAP);
    assert_true(calls[0].oid == oid);
    assert_int_equal(calls[0].n, 2);
    assert_int_equal(calls[0].attributes[1].value.qosmap.count, 1);
    assert_int_equal(calls[0].attributes[1].value.qosmap.list[0].key.dscp, 3);
    assert_int_equal(calls[1].op, OP_REMOVE);
    assert_true(calls[1].oid == oid);
    assert_int_equal(calls[1].n, 0);
}

static void
test_what_was_refused_is_kept_with_its_status(void **state)
{
    struct bench *bench = *state;
    sai_attribute_t type = {.id = SAI_QOS_MAP_ATTR_TYPE};
    sai_object_id_t oid = create_map(bench);
    const struct journal_call *calls;
    size_t n;

    type.value.s32 = SAI_QOS_MAP_TYPE_TC_TO_QUEUE;
    assert_int_not_equal(bench->backend->ops->set(bench->backend,
                                                  SAI_OBJECT_TYPE_QOS_MAP,
                                                  oid + 77, &type),
                         SAI_STATUS_SUCCESS);
    calls = journal_calls(bench->journal, &n);
    assert_int_equal(n, 2);
    assert_int_equal(calls[1].op, OP_SET);
    assert_int_not_equal(calls[1].status, SAI_STATUS_SUCCESS);
    assert_int_equal(calls[1].attributes[0].value.s32,
                     SAI_QOS_MAP_TYPE_TC_TO_QUEUE);
}

/* Whatever a library leaves where the id would be. */
static void
test_what_was_not_created_has_no_id(void **state)
{
    struct bench *bench = *state;
    sai_attribute_t type = {.id = SAI_QOS_MAP_ATTR_TYPE};
    sai_object_id_t oid = 77;
    const struct journal_call *calls;
    size_t n;

    assert_int_not_equal(bench->backend->ops->create(bench->backend,
                                                     SAI_OBJECT_TYPE_QOS_MAP, 0,
                                                     &type, &oid),
                         SAI_STATUS_SUCCESS);
    calls = journal_calls(bench->journal, &n);
    assert_int_equal(n, 1);
    assert_int_equal(calls[0].op, OP_CREATE);
    assert_true(calls[0].oid == SAI_NULL_OBJECT_ID);
}

static void
test_reading_leaves_no_trace(void **state)
{
    struct bench *bench = *state;
    sai_attribute_t number = {.id = SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS};
    size_t n;

    assert_int_equal(
        bench->backend->ops->get(bench->backend, SAI_OBJECT_TYPE_SWITCH,
                                 bench->backend->switch_id, 1, &number),
        SAI_STATUS_SUCCESS);
    assert_int_equal(number.value.u32, 1);
    journal_calls(bench->journal, &n);
    assert_int_equal(n, 0);
}

static void
test_clearing_forgets(void **state)
{
    struct bench *bench = *state;
    size_t n;

    create_map(bench);
    journal_clear(bench->journal);
    journal_calls(bench->journal, &n);
    assert_int_equal(n, 0);
    create_map(bench);
    journal_calls(bench->journal, &n);
    assert_int_equal(n, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_changes_are_kept_in_order_with_copies_of_their_lists),
        TEST(test_what_was_refused_is_kept_with_its_status),
        TEST(test_what_was_not_created_has_no_id),
        TEST(test_reading_leaves_no_trace),
        TEST(test_clearing_forgets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
