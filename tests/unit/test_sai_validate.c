/* SPDX-License-Identifier: Apache-2.0 */

/* Malformed calls get SAI's exact answers. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sai/core/kind.h"
#include "sai/core/validate.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A world in which the type of an object is its upper half. */
#define OID(TYPE, n)                                                           \
    (((sai_object_id_t)SAI_OBJECT_TYPE_##TYPE << 32) | (sai_object_id_t)(n))

static sai_object_type_t
type_of(void *context, sai_object_id_t oid)
{
    (void)context;
    return (sai_object_type_t)(oid >> 32);
}

/* Every attribute presently has the value that 'context' points to. */
static bool
current(void *context, sai_attr_id_t id, int64_t *value)
{
    (void)id;
    *value = *(const int64_t *)context;
    return true;
}

static const struct validate_env env = {.type_of = type_of};

#define MAX_ATTRIBUTES 6

#define ATTR(attribute, member, x)                                             \
    {                                                                          \
        .id = attribute, .value = {.member = x }                               \
    }

#define POOL(x)     ATTR(SAI_BUFFER_PROFILE_ATTR_POOL_ID, oid, x)
#define RESERVED(x) ATTR(SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, u64, x)
#define MODE(x)                                                                \
    ATTR(SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE, s32,                          \
         SAI_BUFFER_PROFILE_THRESHOLD_MODE_##x)
#define DYNAMIC_TH(x) ATTR(SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, s8, x)
#define STATIC_TH(x)  ATTR(SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH, u64, x)

struct create_case {
    const char *name;
    sai_status_t expected;
    sai_object_type_t type;
    uint32_t n;
    sai_attribute_t list[MAX_ATTRIBUTES];
};

static const struct create_case create_cases[] = {
    {"a complete dynamic profile",
     SAI_STATUS_SUCCESS,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     4,
     {POOL(OID(BUFFER_POOL, 1)), RESERVED(0), MODE(DYNAMIC), DYNAMIC_TH(-3)}},
    {"a complete static profile without a pool",
     SAI_STATUS_SUCCESS,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     4,
     {POOL(SAI_NULL_OBJECT_ID), RESERVED(0), MODE(STATIC), STATIC_TH(5)}},
    {"order does not matter",
     SAI_STATUS_SUCCESS,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     4,
     {STATIC_TH(5), MODE(STATIC), RESERVED(0), POOL(OID(BUFFER_POOL, 1))}},
    {"a mandatory attribute is missing",
     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     3,
     {POOL(OID(BUFFER_POOL, 1)), MODE(STATIC), STATIC_TH(5)}},
    {"one that the mode makes mandatory is missing",
     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     3,
     {POOL(OID(BUFFER_POOL, 1)), RESERVED(0), MODE(DYNAMIC)}},
    {"one that the mode makes meaningless is given",
     SAI_STATUS_INVALID_PARAMETER,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     5,
     {POOL(OID(BUFFER_POOL, 1)), RESERVED(0), MODE(DYNAMIC), DYNAMIC_TH(0),
      STATIC_TH(5)}},
    {"a reference to the wrong type",
     SAI_STATUS_INVALID_ATTR_VALUE_0 - 3,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     4,
     {RESERVED(0), MODE(DYNAMIC), DYNAMIC_TH(0), POOL(OID(PORT, 1))}},
    {"a reference to nothing",
     SAI_STATUS_INVALID_ATTR_VALUE_0,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     4,
     {POOL(77), RESERVED(0), MODE(DYNAMIC), DYNAMIC_TH(0)}},
    {"a second time",
     SAI_STATUS_INVALID_ATTRIBUTE_0 - 2,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     5,
     {POOL(OID(BUFFER_POOL, 1)), RESERVED(0), RESERVED(0), MODE(DYNAMIC),
      DYNAMIC_TH(0)}},
    {"an unknown id",
     SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     2,
     {RESERVED(0), ATTR(4711, u64, 0)}},
    {"the first of two errors",
     SAI_STATUS_UNKNOWN_ATTRIBUTE_0,
     SAI_OBJECT_TYPE_BUFFER_PROFILE,
     2,
     {ATTR(4711, u64, 0), POOL(77)}},
    {"a read-only attribute",
     SAI_STATUS_INVALID_ATTRIBUTE_0 - 2,
     SAI_OBJECT_TYPE_BUFFER_POOL,
     3,
     {ATTR(SAI_BUFFER_POOL_ATTR_TYPE, s32, SAI_BUFFER_POOL_TYPE_INGRESS),
      ATTR(SAI_BUFFER_POOL_ATTR_SIZE, u64, 1000),
      ATTR(SAI_BUFFER_POOL_ATTR_SHARED_SIZE, u64, 1000)}},
    {"no member of the enumeration",
     SAI_STATUS_INVALID_ATTR_VALUE_0,
     SAI_OBJECT_TYPE_BUFFER_POOL,
     2,
     {ATTR(SAI_BUFFER_POOL_ATTR_TYPE, s32, 3),
      ATTR(SAI_BUFFER_POOL_ATTR_SIZE, u64, 1000)}},
    {"null where it is not allowed",
     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1,
     SAI_OBJECT_TYPE_QUEUE,
     2,
     {ATTR(SAI_QUEUE_ATTR_TYPE, s32, SAI_QUEUE_TYPE_UNICAST),
      ATTR(SAI_QUEUE_ATTR_PORT, oid, SAI_NULL_OBJECT_ID)}},
    {"elements without memory",
     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1,
     SAI_OBJECT_TYPE_QOS_MAP,
     2,
     {ATTR(SAI_QOS_MAP_ATTR_TYPE, s32, SAI_QOS_MAP_TYPE_DSCP_TO_TC),
      {.id = SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
       .value = {.qosmap = {1, NULL}}}}},
    {"an empty map",
     SAI_STATUS_SUCCESS,
     SAI_OBJECT_TYPE_QOS_MAP,
     2,
     {ATTR(SAI_QOS_MAP_ATTR_TYPE, s32, SAI_QOS_MAP_TYPE_DSCP_TO_TC),
      {.id = SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
       .value = {.qosmap = {0, NULL}}}}},
    {"nothing is mandatory",
     SAI_STATUS_SUCCESS,
     SAI_OBJECT_TYPE_SCHEDULER,
     0,
     {{0}}},
    {"a switch needs no phy attributes",
     SAI_STATUS_SUCCESS,
     SAI_OBJECT_TYPE_SWITCH,
     1,
     {ATTR(SAI_SWITCH_ATTR_INIT_SWITCH, booldata, true)}},
    {"a fabric switch needs its id",
     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING,
     SAI_OBJECT_TYPE_SWITCH,
     2,
     {ATTR(SAI_SWITCH_ATTR_INIT_SWITCH, booldata, true),
      ATTR(SAI_SWITCH_ATTR_TYPE, s32, SAI_SWITCH_TYPE_FABRIC)}},
    {"a type that is not modelled",
     SAI_STATUS_INVALID_OBJECT_TYPE,
     SAI_OBJECT_TYPE_UDF,
     0,
     {{0}}},
};

static void
test_create(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(create_cases); i++) {
        const struct create_case *c = &create_cases[i];
        sai_status_t status = validate_create(c->type, c->n, c->list, &env);

        if (status != c->expected) {
            fail_msg("%s: %d instead of %d", c->name, (int)status,
                     (int)c->expected);
        }
    }
}

static void
test_references_are_believed_without_a_judge(void **state)
{
    const sai_attribute_t list[] = {POOL(77), RESERVED(0), MODE(DYNAMIC),
                                    DYNAMIC_TH(0)};

    (void)state;
    assert_int_equal(
        validate_create(SAI_OBJECT_TYPE_BUFFER_PROFILE, 4, list, NULL),
        SAI_STATUS_SUCCESS);
}

static void
test_elements_are_judged(void **state)
{
    sai_object_id_t oids[] = {OID(BUFFER_PROFILE, 1), OID(BUFFER_POOL, 2)};
    int32_t modes[] = {SAI_PORT_FEC_MODE_RS, 99};
    uint32_t lanes[] = {1, 2};
    sai_attribute_t list[] = {
        {.id = SAI_PORT_ATTR_HW_LANE_LIST, .value = {.u32list = {2, lanes}}},
        ATTR(SAI_PORT_ATTR_SPEED, u32, 100000),
        {.id = SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
         .value = {.objlist = {1, oids}}},
        {.id = SAI_PORT_ATTR_ADVERTISED_FEC_MODE,
         .value = {.s32list = {1, modes}}},
    };

    (void)state;
    assert_int_equal(validate_create(SAI_OBJECT_TYPE_PORT, 4, list, &env),
                     SAI_STATUS_SUCCESS);
    list[2].value.objlist.count = 2;
    assert_int_equal(validate_create(SAI_OBJECT_TYPE_PORT, 4, list, &env),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 2);
    list[2].value.objlist.count = 1;
    list[3].value.s32list.count = 2;
    assert_int_equal(validate_create(SAI_OBJECT_TYPE_PORT, 4, list, &env),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 3);
    list[3].value.s32list.count = KIND_LIST_MAX + 1;
    assert_int_equal(validate_create(SAI_OBJECT_TYPE_PORT, 4, list, &env),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 3);
}

static void
test_elements_are_in_range(void **state)
{
    uint32_t labels[] = {16, 0xfffff};
    sai_attribute_t list[] = {
        ATTR(SAI_NEXT_HOP_ATTR_TYPE, s32, SAI_NEXT_HOP_TYPE_MPLS),
        ATTR(SAI_NEXT_HOP_ATTR_ROUTER_INTERFACE_ID, oid,
             OID(ROUTER_INTERFACE, 1)),
        {.id = SAI_NEXT_HOP_ATTR_IP},
        {.id = SAI_NEXT_HOP_ATTR_LABELSTACK},
    };

    (void)state;
    list[3].value.u32list.count = 2;
    list[3].value.u32list.list = labels;
    assert_int_equal(validate_create(SAI_OBJECT_TYPE_NEXT_HOP, 4, list, &env),
                     SAI_STATUS_SUCCESS);
    labels[1]++;
    assert_int_equal(validate_create(SAI_OBJECT_TYPE_NEXT_HOP, 4, list, &env),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 3);
}

static void
test_entries_of_a_map_are_possible(void **state)
{
    static const struct {
        const char *name;
        int32_t type;
        sai_qos_map_t entry;
        bool good;
    } cases[] = {
        {"the last DSCP",
         SAI_QOS_MAP_TYPE_DSCP_TO_TC,
         {.key.dscp = 63, .value.tc = 15},
         true},
        {"a DSCP too many",
         SAI_QOS_MAP_TYPE_DSCP_TO_TC,
         {.key.dscp = 64, .value.tc = 0},
         false},
        {"a class too many",
         SAI_QOS_MAP_TYPE_DSCP_TO_TC,
         {.key.dscp = 0, .value.tc = 16},
         false},
        {"what does not count",
         SAI_QOS_MAP_TYPE_DSCP_TO_TC,
         {.key.dot1p = 200, .value.dscp = 200},
         true},
        {"a queue is up to the chip",
         SAI_QOS_MAP_TYPE_TC_TO_QUEUE,
         {.key.tc = 3, .value.queue_index = 200},
         true},
        {"a PFC priority too many",
         SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_QUEUE,
         {.key.prio = 8},
         false},
        {"a priority too many",
         SAI_QOS_MAP_TYPE_DOT1P_TO_TC,
         {.key.dot1p = 8},
         false},
        {"an EXP too many",
         SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_MPLS_EXP,
         {.value.mpls_exp = 8},
         false},
        {"no color",
         SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DSCP,
         {.key.color = (sai_packet_color_t)3},
         false},
        {"no color, negative",
         SAI_QOS_MAP_TYPE_DSCP_TO_COLOR,
         {.value.color = (sai_packet_color_t)-1},
         false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        sai_qos_map_t entries[] = {{.key.tc = 1}, cases[i].entry};
        sai_attribute_t list[] = {
            {.id = SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST},
            ATTR(SAI_QOS_MAP_ATTR_TYPE, s32, cases[i].type),
        };
        int64_t type = cases[i].type;
        const struct validate_env now = {.context = &type, .current = current};
        const sai_status_t expected = cases[i].good
                                          ? SAI_STATUS_SUCCESS
                                          : SAI_STATUS_INVALID_ATTR_VALUE_0;

        list[0].value.qosmap.count = 2;
        list[0].value.qosmap.list = entries;
        if (validate_create(SAI_OBJECT_TYPE_QOS_MAP, 2, list, NULL) !=
                expected ||
            validate_set(SAI_OBJECT_TYPE_QOS_MAP, list, &now) != expected) {
            fail_msg("%s", cases[i].name);
        }
        /* The type is unknown. */
        assert_int_equal(validate_set(SAI_OBJECT_TYPE_QOS_MAP, list, NULL),
                         SAI_STATUS_SUCCESS);
    }
}

static void
test_inner_lists_need_memory(void **state)
{
    int32_t values[] = {1, 2};
    sai_s32_list_t inner[] = {{2, values}, {0, NULL}};
    sai_attribute_t list[] = {
        ATTR(SAI_PORT_SERDES_ATTR_PORT_ID, oid, OID(PORT, 1)),
        {.id = SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST},
    };

    (void)state;
    list[1].value.portserdestaps.count = 2;
    list[1].value.portserdestaps.list = inner;
    assert_int_equal(
        validate_create(SAI_OBJECT_TYPE_PORT_SERDES, 2, list, &env),
        SAI_STATUS_SUCCESS);
    inner[1].count = 1;
    assert_int_equal(
        validate_create(SAI_OBJECT_TYPE_PORT_SERDES, 2, list, &env),
        SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
}

static void
test_text_must_end(void **state)
{
    sai_attribute_t label = {.id = SAI_SCHEDULER_ATTR_LABEL};

    (void)state;
    memset(label.value.chardata, 'x', sizeof label.value.chardata);
    assert_int_equal(
        validate_create(SAI_OBJECT_TYPE_SCHEDULER, 1, &label, NULL),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
    label.value.chardata[31] = '\0';
    assert_int_equal(
        validate_create(SAI_OBJECT_TYPE_SCHEDULER, 1, &label, NULL),
        SAI_STATUS_SUCCESS);
}

static const struct {
    const char *name;
    sai_status_t expected;
    sai_object_type_t type;
    sai_attribute_t attribute;
} set_cases[] = {
    {"a settable one", SAI_STATUS_SUCCESS, SAI_OBJECT_TYPE_BUFFER_PROFILE,
     RESERVED(5)},
    {"create-only", SAI_STATUS_INVALID_ATTRIBUTE_0,
     SAI_OBJECT_TYPE_BUFFER_PROFILE, MODE(STATIC)},
    {"read-only", SAI_STATUS_INVALID_ATTRIBUTE_0, SAI_OBJECT_TYPE_BUFFER_POOL,
     ATTR(SAI_BUFFER_POOL_ATTR_SHARED_SIZE, u64, 5)},
    {"unknown", SAI_STATUS_UNKNOWN_ATTRIBUTE_0, SAI_OBJECT_TYPE_BUFFER_POOL,
     ATTR(SAI_BUFFER_POOL_ATTR_END, u64, 5)},
    {"detach by null", SAI_STATUS_SUCCESS, SAI_OBJECT_TYPE_QUEUE,
     ATTR(SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, oid, SAI_NULL_OBJECT_ID)},
    {"wrong type", SAI_STATUS_INVALID_ATTR_VALUE_0, SAI_OBJECT_TYPE_QUEUE,
     ATTR(SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, oid, OID(WRED, 1))},
    {"either of two types", SAI_STATUS_SUCCESS, SAI_OBJECT_TYPE_QUEUE,
     ATTR(SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE, oid, OID(PORT, 1))},
    {"valid only under a condition, so always accepted", SAI_STATUS_SUCCESS,
     SAI_OBJECT_TYPE_PORT, ATTR(SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX, u8, 8)},
    {"in its range", SAI_STATUS_SUCCESS, SAI_OBJECT_TYPE_SCHEDULER,
     ATTR(SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, u8, 255)},
    {"below its range", SAI_STATUS_INVALID_ATTR_VALUE_0,
     SAI_OBJECT_TYPE_SCHEDULER,
     ATTR(SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, u8, 0)},
    {"above its range", SAI_STATUS_INVALID_ATTR_VALUE_0, SAI_OBJECT_TYPE_WRED,
     ATTR(SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, u32, 101)},
    {"at the end of its range", SAI_STATUS_SUCCESS, SAI_OBJECT_TYPE_WRED,
     ATTR(SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, u32, 100)},
    {"an address of no family", SAI_STATUS_INVALID_ATTR_VALUE_0,
     SAI_OBJECT_TYPE_FDB_ENTRY,
     ATTR(SAI_FDB_ENTRY_ATTR_ENDPOINT_IP, ipaddr.addr_family,
          (sai_ip_addr_family_t)2)},
    {"bits, but read-only", SAI_STATUS_INVALID_ATTRIBUTE_0,
     SAI_OBJECT_TYPE_PORT, ATTR(SAI_PORT_ATTR_ERROR_STATUS, s32, 3)},
    {"a type that is not modelled", SAI_STATUS_INVALID_OBJECT_TYPE,
     SAI_OBJECT_TYPE_UDF, ATTR(0, u8, 0)},
};

static void
test_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(set_cases); i++) {
        sai_status_t status =
            validate_set(set_cases[i].type, &set_cases[i].attribute, &env);

        if (status != set_cases[i].expected) {
            fail_msg("%s: %d instead of %d", set_cases[i].name, (int)status,
                     (int)set_cases[i].expected);
        }
    }
}

static void
test_set_looks_at_the_present_mode(void **state)
{
    int64_t mode = SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC;
    const struct validate_env live = {.context = &mode, .current = current};
    const struct validate_env blind = {.context = &mode};
    const sai_attribute_t alpha = DYNAMIC_TH(1);
    const sai_attribute_t callback = {.id = SAI_SWITCH_ATTR_REGISTER_READ};

    (void)state;
    assert_int_equal(
        validate_set(SAI_OBJECT_TYPE_BUFFER_PROFILE, &alpha, &live),
        SAI_STATUS_INVALID_PARAMETER);
    mode = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC;
    assert_int_equal(
        validate_set(SAI_OBJECT_TYPE_BUFFER_PROFILE, &alpha, &live),
        SAI_STATUS_SUCCESS);
    assert_int_equal(validate_set(SAI_OBJECT_TYPE_BUFFER_PROFILE, &alpha, NULL),
                     SAI_STATUS_SUCCESS);
    /* Not that of the default, if the present one is not known. */
    assert_int_equal(validate_set(SAI_OBJECT_TYPE_SWITCH, &callback, &blind),
                     SAI_STATUS_SUCCESS);
}

static void
test_get(void **state)
{
    const sai_attribute_t list[] = {{.id = SAI_QUEUE_ATTR_TYPE},
                                    {.id = SAI_QUEUE_ATTR_END}};

    (void)state;
    assert_int_equal(validate_get(SAI_OBJECT_TYPE_QUEUE, 1, list),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(validate_get(SAI_OBJECT_TYPE_QUEUE, 2, list),
                     SAI_STATUS_UNKNOWN_ATTRIBUTE_0 - 1);
    assert_int_equal(validate_get(SAI_OBJECT_TYPE_QUEUE, 0, list),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(validate_get(SAI_OBJECT_TYPE_QUEUE, 1, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(validate_get(SAI_OBJECT_TYPE_UDF, 1, list),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_references_are_believed_without_a_judge),
        cmocka_unit_test(test_elements_are_judged),
        cmocka_unit_test(test_elements_are_in_range),
        cmocka_unit_test(test_entries_of_a_map_are_possible),
        cmocka_unit_test(test_inner_lists_need_memory),
        cmocka_unit_test(test_text_must_end),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_looks_at_the_present_mode),
        cmocka_unit_test(test_get),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
