/* SPDX-License-Identifier: Apache-2.0 */

/* The tables of SAI: their order, their consistency, and the search in them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sai/core/metadata.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_rows_are_sorted_and_found(void **state)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);

    (void)state;
    assert_true(n >= 37);
    for (size_t i = 0; i < n; i++) {
        const struct metadata_object *object = &objects[i];

        assert_ptr_equal(metadata_object(object->type), object);
        assert_string_equal(metadata_type_name(object->type), object->name);
        for (size_t k = 0; k < object->n_attributes; k++) {
            const struct metadata_attribute *row = &object->attributes[k];
            sai_object_type_t type = SAI_OBJECT_TYPE_NULL;

            assert_true(k == 0 || row[-1].id < row->id);
            assert_int_equal(strlen(row->name), row->name_length);
            assert_ptr_equal(metadata_attribute(object->type, row->id), row);
            assert_ptr_equal(metadata_attribute_by_name(row->name, &type), row);
            assert_int_equal(type, object->type);
        }
        for (size_t k = 0; k < object->n_stats; k++) {
            const struct metadata_stat *row = &object->stats[k];
            sai_object_type_t type = SAI_OBJECT_TYPE_NULL;

            assert_true(k == 0 || row[-1].id < row->id);
            assert_int_equal(strlen(row->name), row->name_length);
            assert_ptr_equal(metadata_stat(object->type, row->id), row);
            assert_ptr_equal(metadata_stat_by_name(row->name, &type), row);
            assert_int_equal(type, object->type);
        }
    }
}

/* What a default that refers to another attribute must fit. */
static void
check_same_as(const struct metadata_attribute *row)
{
    const struct metadata_attribute *other = metadata_attribute(
        row->default_object, (sai_attr_id_t)row->default_value);
    sai_attribute_value_t value;

    assert_non_null(other);
    assert_int_equal(other->kind, row->kind);
    assert_false(metadata_default(row, &value));
}

/* A range is one of numbers, has an inside, and contains the default. */
static void
check_range(const struct metadata_attribute *row)
{
    assert_null(row->enumeration);
    assert_null(row->objects);
    assert_true(row->min < row->max);
    if (row->default_kind == METADATA_DEFAULT_CONST) {
        assert_true(row->default_value >= row->min);
        assert_true(row->default_value <= row->max);
    }
}

/* What must hold between the columns of any row. */
static void
check_row(const struct metadata_object *object,
          const struct metadata_attribute *row)
{
    unsigned int access =
        row->flags & (METADATA_FLAG_CREATE_ONLY | METADATA_FLAG_CREATE_AND_SET |
                      METADATA_FLAG_READ_ONLY);
    bool mandatory = row->flags & METADATA_FLAG_MANDATORY_ON_CREATE;
    const enum kind part = kind_acl_part(row->kind) == KIND_N
                               ? row->kind
                               : kind_acl_part(row->kind);

    assert_true(access == METADATA_FLAG_CREATE_ONLY ||
                access == METADATA_FLAG_CREATE_AND_SET ||
                access == METADATA_FLAG_READ_ONLY);
    if (mandatory) {
        assert_int_not_equal(access, METADATA_FLAG_READ_ONLY);
        assert_int_equal(row->default_kind, METADATA_DEFAULT_NONE);
    } else if (access != METADATA_FLAG_READ_ONLY) {
        assert_int_not_equal(row->default_kind, METADATA_DEFAULT_NONE);
    }
    if (row->default_kind == METADATA_DEFAULT_EMPTY) {
        assert_true(kind_has_list(row->kind));
    }
    assert_int_equal(row->objects != NULL,
                     part == KIND_OID || part == KIND_OBJLIST);
    if (row->enumeration) {
        assert_true(part == KIND_S32 || part == KIND_S32LIST);
        if (row->default_kind == METADATA_DEFAULT_CONST) {
            assert_true(metadata_enum_has(row->enumeration,
                                          (int32_t)row->default_value));
        }
    }
    assert_int_equal(row->condition == METADATA_ALWAYS, row->n_terms == 0);
    for (size_t t = 0; t < row->n_terms; t++) {
        const struct metadata_attribute *other =
            metadata_attribute(object->type, row->terms[t].id);

        assert_non_null(other);
        assert_false(kind_has_list(other->kind));
    }
    assert_in_range(row->since, 10700, SAI_API_VERSION);
    if (row->default_kind == METADATA_DEFAULT_SAME_AS) {
        check_same_as(row);
    }
    if (row->has_range) {
        check_range(row);
    }
}

static void
test_columns_of_a_row_agree(void **state)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < objects[i].n_attributes; k++) {
            check_row(&objects[i], &objects[i].attributes[k]);
        }
    }
}

static void
test_row_says_what_sai_says(void **state)
{
    const struct metadata_attribute *row = metadata_attribute(
        SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE);

    (void)state;
    assert_string_equal(row->name, "SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE");
    assert_int_equal(row->kind, KIND_OID);
    assert_int_equal(row->objects[0], SAI_OBJECT_TYPE_SCHEDULER_GROUP);
    assert_int_equal(row->objects[1], SAI_OBJECT_TYPE_PORT);
    assert_int_equal(row->objects[2], SAI_OBJECT_TYPE_NULL);
    assert_false(row->null_allowed);
    row = metadata_attribute(SAI_OBJECT_TYPE_QUEUE,
                             SAI_QUEUE_ATTR_WRED_PROFILE_ID);
    assert_true(row->null_allowed);

    row = metadata_attribute(SAI_OBJECT_TYPE_BUFFER_PROFILE,
                             SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH);
    assert_int_equal(row->condition, METADATA_REQUIRED_IF_ANY);
    assert_int_equal(row->n_terms, 1);
    assert_int_equal(row->terms[0].id, SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE);
    assert_int_equal(row->terms[0].value,
                     SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC);

    row = metadata_attribute(SAI_OBJECT_TYPE_WRED,
                             SAI_WRED_ATTR_RED_MIN_THRESHOLD);
    assert_int_equal(row->condition, METADATA_VALID_IF_ANY);
    assert_int_equal(row->n_terms, 5);

    row = metadata_attribute(SAI_OBJECT_TYPE_PORT,
                             SAI_PORT_ATTR_SUPPORTED_FEC_MODE);
    assert_int_equal(row->kind, KIND_S32LIST);
    assert_string_equal(row->enumeration->name, "sai_port_fec_mode_t");

    row = metadata_attribute(SAI_OBJECT_TYPE_BRIDGE,
                             SAI_BRIDGE_ATTR_BROADCAST_FLOOD_GROUP);
    assert_int_equal(row->condition, METADATA_VALID_IF_FIRST_AND_ANY);
    assert_int_equal(row->n_terms, 3);
    assert_int_equal(row->terms[0].id, SAI_BRIDGE_ATTR_TYPE);
    assert_int_equal(row->terms[2].value,
                     SAI_BRIDGE_FLOOD_CONTROL_TYPE_COMBINED);

    row = metadata_attribute(SAI_OBJECT_TYPE_ROUTER_INTERFACE,
                             SAI_ROUTER_INTERFACE_ATTR_SRC_MAC_ADDRESS);
    assert_int_equal(row->default_kind, METADATA_DEFAULT_SAME_AS);
    assert_int_equal(row->default_object, SAI_OBJECT_TYPE_VIRTUAL_ROUTER);
    assert_int_equal(row->default_value,
                     SAI_VIRTUAL_ROUTER_ATTR_SRC_MAC_ADDRESS);
}

static void
test_numbers_have_ranges_and_units(void **state)
{
    const struct metadata_attribute *row = metadata_attribute(
        SAI_OBJECT_TYPE_SCHEDULER, SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT);

    (void)state;
    assert_true(row->has_range);
    assert_int_equal(row->min, 1);
    assert_int_equal(row->max, 255);
    assert_string_equal(metadata_unit_name(row->unit), "");

    row = metadata_attribute(SAI_OBJECT_TYPE_WRED,
                             SAI_WRED_ATTR_GREEN_DROP_PROBABILITY);
    assert_true(row->has_range);
    assert_int_equal(row->min, 0);
    assert_int_equal(row->max, 100);
    assert_string_equal(metadata_unit_name(row->unit), "percent");

    row = metadata_attribute(SAI_OBJECT_TYPE_SWITCH,
                             SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE);
    assert_false(row->has_range);
    assert_string_equal(metadata_unit_name(row->unit), "kB");
}

static void
test_unknown_is_null(void **state)
{
    static const char *const names[] = {
        "",
        "SAI_",
        "SAI_QUEUE_ATTR_",
        "SAI_QUEUE_ATTR_TYPES",
        "SAI_QUEUE_ATTR_TYP",
        "SAI_QUEUE_STAT_PACKETS_",
        "SAI_PORT_ATTR_END",
        "SAI_UDF_ATTR_BASE",
        "queue_type",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_null(metadata_attribute_by_name(names[i], NULL));
        assert_null(metadata_stat_by_name(names[i], NULL));
    }
    assert_null(metadata_object(SAI_OBJECT_TYPE_UDF));
    assert_null(metadata_attribute(SAI_OBJECT_TYPE_UDF, 0));
    assert_null(metadata_attribute(SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_END));
    assert_null(metadata_attribute(SAI_OBJECT_TYPE_QUEUE,
                                   SAI_QUEUE_ATTR_CUSTOM_RANGE_START));
    assert_null(metadata_attribute(SAI_OBJECT_TYPE_QUEUE, UINT32_MAX));
    assert_null(metadata_stat(SAI_OBJECT_TYPE_WRED, 0));
    assert_null(metadata_stat(SAI_OBJECT_TYPE_PORT, 5000));
    assert_null(metadata_type_name((sai_object_type_t)-1));
    assert_int_equal(metadata_type_by_name("SAI_OBJECT_TYPE_MAX"),
                     SAI_OBJECT_TYPE_NULL);
}

static void
test_alias_finds_its_attribute(void **state)
{
    sai_object_type_t type;
    const struct metadata_attribute *row;

    (void)state;
    row = metadata_attribute_by_name("SAI_BUFFER_PROFILE_ATTR_BUFFER_SIZE",
                                     &type);
    assert_string_equal(row->name,
                        "SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE");
    assert_int_equal(type, SAI_OBJECT_TYPE_BUFFER_PROFILE);
    row = metadata_attribute_by_name("SAI_SWITCH_ATTR_PORT_NUMBER", NULL);
    assert_int_equal(row->id, SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS);
}

static void
test_types_that_are_not_modelled_have_names(void **state)
{
    (void)state;
    assert_null(metadata_object(SAI_OBJECT_TYPE_UDF_GROUP));
    assert_string_equal(metadata_type_name(SAI_OBJECT_TYPE_UDF_GROUP),
                        "SAI_OBJECT_TYPE_UDF_GROUP");
    assert_int_equal(metadata_type_by_name("SAI_OBJECT_TYPE_UDF_MATCH"),
                     SAI_OBJECT_TYPE_UDF_MATCH);
}

static void
test_enumerators(void **state)
{
    const struct metadata_enum *colors = metadata_enum("sai_packet_color_t");
    const struct metadata_enum *errors =
        metadata_enum("sai_port_error_status_t");
    int32_t value = 42;

    (void)state;
    assert_null(metadata_enum("sai_no_such_t"));
    assert_string_equal(metadata_enum_name(colors, SAI_PACKET_COLOR_RED),
                        "SAI_PACKET_COLOR_RED");
    assert_null(metadata_enum_name(colors, 3));
    assert_null(metadata_enum_name(colors, -1));
    assert_true(metadata_enum_value(colors, "SAI_PACKET_COLOR_YELLOW", &value));
    assert_int_equal(value, SAI_PACKET_COLOR_YELLOW);
    assert_false(metadata_enum_value(colors, "SAI_PACKET_COLOR_BLUE", &value));
    assert_int_equal(value, SAI_PACKET_COLOR_YELLOW);
    assert_false(metadata_enum_has(colors, 3));

    assert_false(colors->flags);
    assert_true(errors->flags);
    assert_true(metadata_enum_has(errors, 0x11));
    assert_false(metadata_enum_has(errors, 0x10000));
}

static void
test_first_of_two_names_is_written(void **state)
{
    const struct metadata_enum *points =
        metadata_enum("sai_acl_bind_point_type_t");
    int32_t value;

    (void)state;
    assert_string_equal(
        metadata_enum_name(points, SAI_ACL_BIND_POINT_TYPE_ROUTER_INTERFACE),
        "SAI_ACL_BIND_POINT_TYPE_ROUTER_INTERFACE");
    assert_true(metadata_enum_value(
        points, "SAI_ACL_BIND_POINT_TYPE_ROUTER_INTF", &value));
    assert_int_equal(value, SAI_ACL_BIND_POINT_TYPE_ROUTER_INTERFACE);
}

static void
test_default_values(void **state)
{
    sai_attribute_value_t value;

    (void)state;
    memset(&value, 0xff, sizeof value);
    assert_true(metadata_default(
        metadata_attribute(SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_PKT_TX_ENABLE),
        &value));
    assert_true(value.booldata);
    assert_true(
        metadata_default(metadata_attribute(SAI_OBJECT_TYPE_SWITCH,
                                            SAI_SWITCH_ATTR_TPID_OUTER_VLAN),
                         &value));
    assert_int_equal(value.u16, 0x88a8);
    assert_true(metadata_default(
        metadata_attribute(SAI_OBJECT_TYPE_PORT,
                           SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST),
        &value));
    assert_int_equal(value.objlist.count, 0);
    assert_null(value.objlist.list);

    value.u64 = 7;
    assert_false(
        metadata_default(metadata_attribute(SAI_OBJECT_TYPE_BUFFER_POOL,
                                            SAI_BUFFER_POOL_ATTR_SIZE),
                         &value));
    assert_false(
        metadata_default(metadata_attribute(SAI_OBJECT_TYPE_SWITCH,
                                            SAI_SWITCH_ATTR_SRC_MAC_ADDRESS),
                         &value));
    assert_int_equal(value.u64, 7);
}

static void
test_numbers_survive_their_member(void **state)
{
    static const struct {
        enum kind kind;
        int64_t number;
    } cases[] = {
        {KIND_BOOL, 1},        {KIND_U8, 255},      {KIND_S8, -128},
        {KIND_U16, 65535},     {KIND_U32, 1 << 30}, {KIND_S32, -7},
        {KIND_U64, INT64_MAX}, {KIND_OID, 0x1234},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        sai_attribute_value_t value;

        metadata_set_number(cases[i].kind, cases[i].number, &value);
        assert_true(metadata_number(cases[i].kind, &value) == cases[i].number);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_sorted_and_found),
        cmocka_unit_test(test_columns_of_a_row_agree),
        cmocka_unit_test(test_row_says_what_sai_says),
        cmocka_unit_test(test_numbers_have_ranges_and_units),
        cmocka_unit_test(test_unknown_is_null),
        cmocka_unit_test(test_alias_finds_its_attribute),
        cmocka_unit_test(test_types_that_are_not_modelled_have_names),
        cmocka_unit_test(test_enumerators),
        cmocka_unit_test(test_first_of_two_names_is_written),
        cmocka_unit_test(test_default_values),
        cmocka_unit_test(test_numbers_survive_their_member),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
