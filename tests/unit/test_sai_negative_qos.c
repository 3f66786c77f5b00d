/* SPDX-License-Identifier: Apache-2.0 */

/* Wrong values and creations of buffers, ports and QoS objects: each has one
 * exact status and changes nothing.
 *
 * All cases run on every libsai of this project, through nothing but what they
 * export.  That nothing has changed is judged by the library's own dump. */

#include <config.h>

#include <string.h>

#include "sai/core/metadata.h"
#include "tests/unit/negative.h"

/* Values that an attribute cannot have, by what is wrong with them. */
enum wrong_value { BAD_ENUM, BAD_TYPE, STALE, NO_LIST, HUGE_LIST };

static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
    enum wrong_value wrong;
} values[] = {
    {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, BAD_TYPE},
    {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, STALE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, BAD_TYPE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, STALE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_WRED_PROFILE_ID, STALE},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, STALE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP, BAD_TYPE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP, STALE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_FEC_MODE, BAD_ENUM},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
     NO_LIST},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
     HUGE_LIST},
    {SAI_OBJECT_TYPE_QOS_MAP, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, NO_LIST},
    {SAI_OBJECT_TYPE_QOS_MAP, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, HUGE_LIST},
    {SAI_OBJECT_TYPE_SCHEDULER, SAI_SCHEDULER_ATTR_SCHEDULING_TYPE, BAD_ENUM},
    {SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_ECN_MARK_MODE, BAD_ENUM},
};

static void
wrong_values(const struct negative_world *w)
{
    sai_qos_map_t one = {.key = {.dscp = 1}};

    for (size_t i = 0; i < COUNT(values); i++) {
        const struct negative_row *row = negative_row_of(values[i].type);
        sai_attribute_t given = {.id = values[i].id};

        print_message("  %s\n", metadata_attribute(row->type, given.id)->name);
        switch (values[i].wrong) {
        case BAD_ENUM:
            given.value.s32 = 0x7abc;
            break;
        case BAD_TYPE:
            given.value.oid = w->objects[SAI_OBJECT_TYPE_BUFFER_POOL];
            break;
        case STALE:
            given.value.oid = w->stale;
            break;
        case NO_LIST:
            given.value.qosmap.count = 3;
            break;
        case HUGE_LIST:
            given.value.qosmap.count = UINT32_MAX;
            given.value.qosmap.list = &one;
            break;
        }
        assert_int_equal(negative_set(w, row, w->objects[row->type], &given),
                         SAI_STATUS_INVALID_ATTR_VALUE_0);
    }
}

static void
test_wrong_values_change_nothing(void **state)
{
    (void)state;
    negative_on_each(wrong_values);
}

/* The second attribute is wrong, so the code has index 1. */
static void
wrong_creations(const struct negative_world *w)
{
    const struct negative_row *pools =
        negative_row_of(SAI_OBJECT_TYPE_BUFFER_POOL);
    const struct negative_row *profiles =
        negative_row_of(SAI_OBJECT_TYPE_BUFFER_PROFILE);
    const struct negative_row *ports = negative_row_of(SAI_OBJECT_TYPE_PORT);
    const sai_attribute_t size = {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000}};
    const sai_attribute_t bad_type[] = {
        size, {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = 99}}};
    const sai_attribute_t twice[] = {size, size};
    sai_attribute_t profile[] = {
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = w->stale}}};
    uint32_t numbers[64];
    sai_attribute_t lanes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {COUNT(numbers), numbers}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}}};
    sai_object_id_t made = UNTOUCHED;

    assert_int_equal(negative_create(w, pools, &made, w->sw, 2, bad_type),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    assert_int_equal(negative_create(w, pools, &made, w->sw, 2, twice),
                     SAI_STATUS_INVALID_ATTRIBUTE_0 - 1);
    assert_int_equal(negative_create(w, pools, &made, w->sw, 1, &size),
                     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    assert_int_equal(negative_create(w, profiles, &made, w->sw, 2, profile),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    profile[1].value.oid = w->objects[SAI_OBJECT_TYPE_WRED];
    assert_int_equal(negative_create(w, profiles, &made, w->sw, 2, profile),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);

    /* Keys and references. */
    assert_int_equal(
        negative_get(w, ports, w->objects[SAI_OBJECT_TYPE_PORT], 1, lanes),
        SAI_STATUS_SUCCESS);
    assert_int_equal(negative_create(w, ports, &made, w->sw, 2, lanes),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(made, UNTOUCHED);
    assert_int_equal(
        negative_remove(w, pools, w->objects[SAI_OBJECT_TYPE_BUFFER_POOL]),
        SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(negative_remove(w, negative_row_of(SAI_OBJECT_TYPE_QUEUE),
                                     w->objects[SAI_OBJECT_TYPE_QUEUE]),
                     SAI_STATUS_NOT_SUPPORTED);
}

static void
test_wrong_creations_change_nothing(void **state)
{
    (void)state;
    negative_on_each(wrong_creations);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_values_change_nothing),
        cmocka_unit_test(test_wrong_creations_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
