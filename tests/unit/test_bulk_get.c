/* SPDX-License-Identifier: Apache-2.0 */

/* One attribute of several objects. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sai/core/bulk_get.h"
#include "vendors/store/store.h"

enum { N_PORTS = 70 };

/* More than a list has room for at first. */
static struct store_port ports[N_PORTS];

static struct store *
make_store(sai_object_id_t *oids)
{
    const struct store_config config = {
        .ports = ports, .n_ports = N_PORTS, .with_switch = true};
    struct store *store;
    struct bulk_get list;
    struct sai_backend *backend;

    for (uint32_t i = 0; i < N_PORTS; i++) {
        ports[i] = (struct store_port){.n_lanes = 2, .lanes = {i, i + 100}};
    }
    store = store_create(&config);
    backend = store_backend(store);
    bulk_get_read(&list, backend, SAI_OBJECT_TYPE_SWITCH,
                  SAI_SWITCH_ATTR_PORT_LIST, 1, &backend->switch_id);
    assert_non_null(bulk_get_value(&list, 0));
    assert_int_equal(bulk_get_value(&list, 0)->objlist.count, N_PORTS);
    for (uint32_t i = 0; i < N_PORTS; i++) {
        oids[i] = bulk_get_value(&list, 0)->objlist.list[i];
    }
    bulk_get_fini(&list);
    return store;
}

static void
test_lists_of_all_are_read_in_one_call(void **state)
{
    sai_object_id_t oids[N_PORTS];
    struct store *store = make_store(oids);
    const uint64_t n_before = store_bulk_calls(store);
    struct bulk_get lanes;

    (void)state;
    bulk_get_read(&lanes, store_backend(store), SAI_OBJECT_TYPE_PORT,
                  SAI_PORT_ATTR_HW_LANE_LIST, N_PORTS, oids);
    for (uint32_t i = 0; i < N_PORTS; i++) {
        const sai_attribute_value_t *value = bulk_get_value(&lanes, i);

        assert_non_null(value);
        assert_int_equal(value->u32list.count, 2);
        assert_int_equal(value->u32list.list[1], i + 100);
    }
    assert_int_equal(store_bulk_calls(store), n_before + 1);
    bulk_get_fini(&lanes);
    store_destroy(store);
}

static void
test_long_lists_are_asked_for_once_more(void **state)
{
    sai_qos_map_t entries[64] = {{.key = {.dscp = 0}}};
    sai_object_id_t oids[N_PORTS], maps[3];
    struct store *store = make_store(oids);
    struct sai_backend *backend = store_backend(store);
    struct bulk_get column;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_QOS_MAP_ATTR_TYPE, {.s32 = SAI_QOS_MAP_TYPE_DSCP_TO_TC}},
            {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
             {.qosmap = {i == 1 ? 64 : 8, entries}}}};

        for (uint8_t k = 0; k < 64; k++) {
            entries[k].key.dscp = k;
            entries[k].value.tc = (uint8_t)(i + k % 4);
        }
        assert_int_equal(backend->ops->create(backend, SAI_OBJECT_TYPE_QOS_MAP,
                                              2, attributes, &maps[i]),
                         SAI_STATUS_SUCCESS);
    }
    bulk_get_read(&column, backend, SAI_OBJECT_TYPE_QOS_MAP,
                  SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, 3, maps);
    for (uint32_t i = 0; i < 3; i++) {
        const sai_attribute_value_t *value = bulk_get_value(&column, i);
        const uint32_t n = i == 1 ? 64 : 8;

        assert_non_null(value);
        assert_int_equal(value->qosmap.count, n);
        assert_int_equal(value->qosmap.list[n - 1].key.dscp, n - 1);
        assert_int_equal(value->qosmap.list[n - 1].value.tc, i + 3);
    }
    bulk_get_fini(&column);
    store_destroy(store);
}

static void
test_what_cannot_be_read_leaves_the_others_alone(void **state)
{
    sai_object_id_t oids[N_PORTS];
    struct store *store = make_store(oids);
    struct bulk_get mtus, nothing;

    (void)state;
    oids[3] = 12345;
    bulk_get_read(&mtus, store_backend(store), SAI_OBJECT_TYPE_PORT,
                  SAI_PORT_ATTR_MTU, 5, oids);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(bulk_get_value(&mtus, i) != NULL, i != 3);
    }
    bulk_get_fini(&mtus);
    bulk_get_read(&nothing, store_backend(store), SAI_OBJECT_TYPE_PORT, 0x7fff,
                  2, oids);
    assert_null(bulk_get_value(&nothing, 0));
    assert_int_equal(nothing.statuses[1], SAI_STATUS_NOT_SUPPORTED);
    bulk_get_fini(&nothing);
    bulk_get_read(&nothing, store_backend(store), SAI_OBJECT_TYPE_PORT,
                  SAI_PORT_ATTR_MTU, 0, oids);
    assert_int_equal(nothing.n, 0);
    bulk_get_fini(&nothing);
    store_destroy(store);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_of_all_are_read_in_one_call),
        cmocka_unit_test(test_long_lists_are_asked_for_once_more),
        cmocka_unit_test(test_what_cannot_be_read_leaves_the_others_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
