/* SPDX-License-Identifier: Apache-2.0 */

/* The API of softasic: complete function tables, capabilities that are true,
 * bulk calls, counters. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "sai/core/metadata.h"
#include "tests/support/asic_setup.h"
#include "vendors/libsai/function_tables.h"
#include "vendors/libsai/stubs.h"

/* Tables ---------------------------------------------------------------- */

static void
test_stub_tables_are_as_long_as_in_the_release(void **state)
{
    const char *shared = getenv("ORCHD_SHARED");
    char path[1024];
    json_t *facts;
    const char *name;
    json_t *api;

    (void)state;
    (void)snprintf(path, sizeof path, "%s/data/sai/other_apis.json",
                   shared ? shared : DEFAULT_SHARED);
    facts = json_load_file(path, 0, NULL);
    if (!facts) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    json_object_foreach(json_object_get(facts, "apis"), name, api)
    {
        const struct metadata_enum *apis = metadata_enum("sai_api_t");
        char upper[64] = "SAI_API_";
        int32_t number = 0;
        uint32_t n = 0;

        for (size_t i = 0; name[i] && i < sizeof upper - 9; i++) {
            upper[8 + i] = (char)(name[i] == '_' ? '_' : name[i] & ~0x20);
            if (name[i] >= '0' && name[i] <= '9') {
                upper[8 + i] = name[i];
            }
        }
        assert_non_null(apis);
        assert_true(metadata_enum_value(apis, upper, &number));
        assert_non_null(stubs_table((sai_api_t)number, &n));
        if (function_tables_get((sai_api_t)number) !=
            stubs_table((sai_api_t)number, NULL)) {
            continue; /* It is implemented. */
        }
        assert_int_equal(n, json_array_size(json_object_get(api, "slots")));
    }
    json_decref(facts);
}

static void
test_stubs_answer_and_touch_nothing(void **state)
{
    struct asic_setup *bench = *state;
    struct {
        sai_status_t (*create)(sai_object_id_t *, sai_object_id_t, uint32_t,
                               const sai_attribute_t *);
        sai_status_t (*remove)(sai_object_id_t);
        sai_status_t (*set)(sai_object_id_t, const sai_attribute_t *);
        sai_status_t (*get)(sai_object_id_t, uint32_t, sai_attribute_t *);
    } const *udf;
    void *table = NULL;
    sai_object_id_t oid = 77;

    assert_int_equal(sai_api_query(SAI_API_UDF, &table), SAI_STATUS_SUCCESS);
    udf = table;
    assert_int_equal(udf->create(&oid, bench->sw, 0, NULL),
                     SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(udf->remove(oid), SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(udf->set(oid, NULL), SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(udf->get(oid, 3, NULL), SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(oid, 77);
}

/* Capabilities ---------------------------------------------------------- */

typedef sai_status_t get_fn(sai_object_id_t oid, uint32_t n,
                            sai_attribute_t *attributes);

/* Compares what is said of each attribute with what a get of it answers. */
static void
check_attributes(struct asic_setup *bench, sai_object_type_t type,
                 sai_object_id_t oid, get_fn *get)
{
    const struct metadata_object *object = metadata_object(type);

    for (uint32_t i = 0; i < object->n_attributes; i++) {
        const struct metadata_attribute *meta = &object->attributes[i];
        sai_attr_capability_t said;
        sai_attribute_t attribute = {.id = meta->id};
        sai_status_t status;
        bool answers;

        assert_int_equal(
            sai_query_attribute_capability(bench->sw, type, meta->id, &said),
            SAI_STATUS_SUCCESS);
        status = get(oid, 1, &attribute);
        /* Overflow: the list has elements and no room was given.  Invalid: it
         * does not exist on this object. */
        answers = status == SAI_STATUS_SUCCESS ||
                  status == SAI_STATUS_BUFFER_OVERFLOW ||
                  status == SAI_STATUS_INVALID_ATTRIBUTE_0;
        if (said.get_implemented != answers ||
            (!answers && status != SAI_STATUS_ATTR_NOT_IMPLEMENTED_0)) {
            fail_msg("%s: said %d, got %d", meta->name, said.get_implemented,
                     status);
        }
        assert_false(said.set_implemented &&
                     !(meta->flags & METADATA_FLAG_CREATE_AND_SET));
    }
}

static void
test_attribute_capabilities_are_true(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    sai_object_id_t scheduler = 0;
    sai_object_id_t wred = 0;

    assert_int_equal(
        bench->scheduler_api->create_scheduler(&scheduler, bench->sw, 0, NULL),
        SAI_STATUS_SUCCESS);
    assert_int_equal(bench->wred_api->create_wred(&wred, bench->sw, 0, NULL),
                     SAI_STATUS_SUCCESS);
    check_attributes(bench, SAI_OBJECT_TYPE_SWITCH, bench->sw,
                     bench->switch_api->get_switch_attribute);
    check_attributes(bench, SAI_OBJECT_TYPE_PORT, port,
                     bench->port_api->get_port_attribute);
    check_attributes(
        bench, SAI_OBJECT_TYPE_QUEUE,
        asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, 3),
        bench->queue_api->get_queue_attribute);
    check_attributes(bench, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                     asic_setup_child(bench, port,
                                      SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
                                      3),
                     bench->buffer_api->get_ingress_priority_group_attribute);
    check_attributes(bench, SAI_OBJECT_TYPE_SCHEDULER_GROUP,
                     asic_setup_child(bench, port,
                                      SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST,
                                      3),
                     bench->group_api->get_scheduler_group_attribute);
    check_attributes(bench, SAI_OBJECT_TYPE_SCHEDULER, scheduler,
                     bench->scheduler_api->get_scheduler_attribute);
    check_attributes(bench, SAI_OBJECT_TYPE_WRED, wred,
                     bench->wred_api->get_wred_attribute);
}

static void
test_what_cannot_be_made_is_not_said_to_be(void **state)
{
    struct asic_setup *bench = *state;
    sai_attr_capability_t said;

    assert_int_equal(
        sai_query_attribute_capability(bench->sw, SAI_OBJECT_TYPE_QUEUE,
                                       SAI_QUEUE_ATTR_INDEX, &said),
        SAI_STATUS_SUCCESS);
    assert_false(said.create_implemented);
    assert_int_equal(sai_query_attribute_capability(
                         bench->sw, SAI_OBJECT_TYPE_SWITCH,
                         SAI_SWITCH_ATTR_SWITCH_SHELL_ENABLE, &said),
                     SAI_STATUS_SUCCESS);
    assert_false(said.set_implemented);
    assert_int_equal(sai_query_attribute_capability(
                         bench->sw, SAI_OBJECT_TYPE_QUEUE, 0x0fffff, &said),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(
        sai_query_attribute_capability(bench->sw + 1, SAI_OBJECT_TYPE_QUEUE,
                                       SAI_QUEUE_ATTR_INDEX, &said),
        SAI_STATUS_INVALID_OBJECT_ID);
}

/* Bulk ------------------------------------------------------------------ */

/* What one of the three objects of a call got; the second is wrong. */
static void
check_outcome(sai_bulk_op_error_mode_t mode, sai_status_t result,
              sai_status_t wrong, const sai_status_t *statuses)
{
    assert_int_equal(result, SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], wrong);
    assert_int_equal(statuses[2], mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR
                                      ? SAI_STATUS_NOT_EXECUTED
                                      : SAI_STATUS_SUCCESS);
}

static const sai_bulk_op_error_mode_t modes[] = {
    SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
    SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
};

static void
test_bulk_ports(void **state)
{
    struct asic_setup *bench = *state;

    for (uint32_t m = 0; m < N(modes); m++) {
        uint32_t lanes[] = {1000, 1000, 1001};
        sai_attribute_t attributes[3][2];
        const sai_attribute_t *lists[3];
        const uint32_t counts[] = {2, 2, 2};
        sai_object_id_t oids[3] = {1, 1, 1};
        sai_status_t statuses[3] = {1, 1, 1};
        const bool stops = modes[m] == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR;

        for (uint32_t i = 0; i < 3; i++) {
            attributes[i][0] = (sai_attribute_t){SAI_PORT_ATTR_HW_LANE_LIST,
                                                 {.u32list = {1, &lanes[i]}}};
            attributes[i][1] =
                (sai_attribute_t){SAI_PORT_ATTR_SPEED, {.u32 = 100000}};
            lists[i] = attributes[i];
        }
        check_outcome(modes[m],
                      bench->port_api->create_ports(bench->sw, 3, counts, lists,
                                                    modes[m], oids, statuses),
                      SAI_STATUS_ITEM_ALREADY_EXISTS, statuses);
        assert_int_equal(oids[1], SAI_NULL_OBJECT_ID);
        assert_int_equal(sai_object_type_query(oids[0]), SAI_OBJECT_TYPE_PORT);
        assert_int_equal(oids[2] == SAI_NULL_OBJECT_ID, stops);

        for (uint32_t i = 0; i < 3; i += 2) {
            assert_int_equal(oids[i] == SAI_NULL_OBJECT_ID
                                 ? SAI_STATUS_SUCCESS
                                 : asic_setup_leave_bridge(bench->sw, oids[i]),
                             SAI_STATUS_SUCCESS);
        }
        oids[1] = bench->sw;
        check_outcome(
            modes[m],
            bench->port_api->remove_ports(3, oids, modes[m], statuses),
            SAI_STATUS_INVALID_OBJECT_TYPE, statuses);
        assert_int_equal(sai_object_type_query(oids[0]), SAI_OBJECT_TYPE_NULL);
        assert_int_equal(sai_object_type_query(oids[2]), SAI_OBJECT_TYPE_NULL);
    }
}

/* The bulk access of one type: set an attribute of three objects, the second
 * of which gets a wrong value, and read it of all. */
typedef sai_status_t bulk_set_fn(uint32_t n, const sai_object_id_t *oids,
                                 const sai_attribute_t *attributes,
                                 sai_bulk_op_error_mode_t mode,
                                 sai_status_t *statuses);
typedef sai_status_t bulk_get_fn(uint32_t n, const sai_object_id_t *oids,
                                 const uint32_t *counts,
                                 sai_attribute_t **attributes,
                                 sai_bulk_op_error_mode_t mode,
                                 sai_status_t *statuses);

struct bulk_case {
    sai_object_id_t oids[3];
    bulk_set_fn *set;
    bulk_get_fn *get;
    sai_attribute_t good;
    sai_attribute_t bad;
    sai_status_t wrong;
};

static void
check_bulk_access(const struct bulk_case *c, sai_bulk_op_error_mode_t mode)
{
    const sai_attribute_t attributes[] = {c->good, c->bad, c->good};
    sai_attribute_t got[] = {
        {.id = c->good.id}, {.id = 0x0fffff}, {.id = c->good.id}};
    sai_attribute_t *lists[] = {&got[0], &got[1], &got[2]};
    const uint32_t counts[] = {1, 1, 1};
    sai_status_t statuses[3] = {1, 1, 1};

    check_outcome(mode, c->set(3, c->oids, attributes, mode, statuses),
                  c->wrong, statuses);
    check_outcome(mode, c->get(3, c->oids, counts, lists, mode, statuses),
                  SAI_STATUS_UNKNOWN_ATTRIBUTE_0, statuses);
    assert_int_equal(got[0].value.oid & 0xff, c->good.value.oid & 0xff);
    assert_int_equal(c->set(0, c->oids, attributes, mode, statuses),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(c->set(3, NULL, attributes, mode, statuses),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(c->set(3, c->oids, NULL, mode, statuses),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(c->set(3, c->oids, attributes, mode, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(c->get(3, c->oids, NULL, lists, mode, statuses),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(c->get(3, c->oids, counts, NULL, mode, statuses),
                     SAI_STATUS_INVALID_PARAMETER);
}

static void
test_bulk_access(void **state)
{
    struct asic_setup *bench = *state;
    struct bulk_case cases[] = {
        {.set = bench->port_api->set_ports_attribute,
         .get = bench->port_api->get_ports_attribute,
         .good = {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
         .bad = {SAI_PORT_ATTR_OPER_STATUS, {.s32 = 1}},
         .wrong = SAI_STATUS_INVALID_ATTRIBUTE_0},
        {.set = bench->queue_api->set_queues_attribute,
         .get = bench->queue_api->get_queues_attribute,
         .good = {SAI_QUEUE_ATTR_WRED_PROFILE_ID, {.oid = 0}},
         .bad = {SAI_QUEUE_ATTR_WRED_PROFILE_ID, {.oid = 5}},
         .wrong = SAI_STATUS_INVALID_ATTR_VALUE_0},
        {.set = bench->buffer_api->set_ingress_priority_groups_attribute,
         .get = bench->buffer_api->get_ingress_priority_groups_attribute,
         .good = {SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, {.oid = 0}},
         .bad = {SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX, {.u8 = 5}},
         .wrong = SAI_STATUS_INVALID_ATTRIBUTE_0},
    };
    static const sai_attr_id_t lists[] = {
        0, SAI_PORT_ATTR_QOS_QUEUE_LIST,
        SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST};

    for (uint32_t i = 0; i < 3; i++) {
        const sai_object_id_t port = asic_setup_add_port(bench, 1000 + i);

        for (uint32_t c = 0; c < N(cases); c++) {
            cases[c].oids[i] =
                lists[c] ? asic_setup_child(bench, port, lists[c], i) : port;
        }
    }
    for (uint32_t c = 0; c < N(cases); c++) {
        for (uint32_t m = 0; m < N(modes); m++) {
            check_bulk_access(&cases[c], modes[m]);
        }
    }
}

static void
test_attributes_of_several_objects(void **state)
{
    struct asic_setup *bench = *state;
    const sai_object_id_t port = asic_setup_add_port(bench, 1000);
    const sai_object_key_t keys[] = {
        {{.object_id =
              asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, 5)}},
        {{.object_id = port}},
        {{.object_id =
              asic_setup_child(bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, 6)}},
    };
    sai_attribute_t got[3] = {{.id = SAI_QUEUE_ATTR_INDEX},
                              {.id = SAI_QUEUE_ATTR_INDEX},
                              {.id = SAI_QUEUE_ATTR_INDEX}};
    sai_attribute_t *lists[] = {&got[0], &got[1], &got[2]};
    uint32_t counts[] = {1, 1, 1};
    sai_status_t statuses[3];

    check_outcome(SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                  sai_bulk_get_attribute(bench->sw, SAI_OBJECT_TYPE_QUEUE, 3,
                                         keys, counts, lists, statuses),
                  SAI_STATUS_INVALID_OBJECT_TYPE, statuses);
    assert_int_equal(got[0].value.u8, 5);
    assert_int_equal(got[2].value.u8, 6);
    assert_int_equal(sai_bulk_get_attribute(bench->sw, SAI_OBJECT_TYPE_QUEUE, 3,
                                            keys, counts, lists, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
}

/* Counters -------------------------------------------------------------- */

static void
test_counters_of_several_objects(void **state)
{
    static const sai_stat_id_t ids[] = {SAI_PORT_STAT_IF_IN_UCAST_PKTS,
                                        SAI_PORT_STAT_IF_OUT_UCAST_PKTS};
    static const struct {
        sai_stats_mode_t mode;
        uint64_t after; /* What a read then gives. */
    } rows[] = {
        {SAI_STATS_MODE_BULK_READ, 7},
        {SAI_STATS_MODE_BULK_READ_AND_CLEAR, 0},
    };
    struct asic_setup *bench = *state;
    const sai_object_id_t a = asic_setup_add_port(bench, 1000);
    const sai_object_id_t b = asic_setup_add_port(bench, 1001);
    const sai_object_key_t keys[] = {{{.object_id = a}}, {{.object_id = b}}};
    const struct softasic_send order = {
        .from = a, .to = b, .n_frames = 7, .frame_bytes = 100};
    struct softasic_sent sent;
    sai_status_t statuses[2];
    uint64_t values[4];

    asic_setup_port_bool(bench, a, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, b, SAI_PORT_ATTR_ADMIN_STATE, true);
    assert_int_equal(bench->ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < N(rows); i++) {
        assert_int_equal(
            sai_bulk_object_get_stats(bench->sw, SAI_OBJECT_TYPE_PORT, 2, keys,
                                      2, ids, rows[i].mode, statuses, values),
            SAI_STATUS_SUCCESS);
        /* By object, then by counter. */
        assert_int_equal(values[0], 7);
        assert_int_equal(values[1], 0);
        assert_int_equal(values[2], 0);
        assert_int_equal(values[3], 7);
        assert_int_equal(bench->port_api->get_port_stats(a, 1, ids, values),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(values[0], rows[i].after);
    }
    assert_int_equal(bench->ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(
        sai_bulk_object_clear_stats(bench->sw, SAI_OBJECT_TYPE_PORT, 2, keys, 2,
                                    ids, SAI_STATS_MODE_BULK_CLEAR, statuses),
        SAI_STATUS_SUCCESS);
    assert_int_equal(bench->port_api->get_port_stats_ext(
                         a, 2, ids, SAI_STATS_MODE_READ, values),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(values[0], 0);
    assert_int_equal(bench->port_api->get_port_stats_ext(
                         a, 2, ids, (sai_stats_mode_t)64, values),
                     SAI_STATUS_INVALID_PARAMETER);
}

int
main(void)
{
#define GENERIC(name)                                                          \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stub_tables_are_as_long_as_in_the_release),
        GENERIC(test_stubs_answer_and_touch_nothing),
        GENERIC(test_attribute_capabilities_are_true),
        GENERIC(test_what_cannot_be_made_is_not_said_to_be),
        GENERIC(test_bulk_ports),
        GENERIC(test_bulk_access),
        GENERIC(test_attributes_of_several_objects),
        GENERIC(test_counters_of_several_objects),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
