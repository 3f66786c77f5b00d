/* SPDX-License-Identifier: Apache-2.0 */

/* Values as text and back, for every kind and every attribute. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "sai/core/attr_value.h"
#include "sai/core/serialize.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SEED         20261120u

/* Text that is written exactly as it was read. */
static const struct {
    const char *attribute;
    const char *text;
} exact[] = {
    {"SAI_BUFFER_POOL_ATTR_SIZE", "18446744073709551615"},
    {"SAI_BUFFER_POOL_ATTR_TYPE", "SAI_BUFFER_POOL_TYPE_INGRESS"},
    {"SAI_BUFFER_POOL_ATTR_TYPE", "77"},
    {"SAI_BUFFER_POOL_ATTR_WRED_PROFILE_ID", "oid:0x0"},
    {"SAI_BUFFER_PROFILE_ATTR_POOL_ID", "oid:0x1900000000abcd"},
    {"SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH", "-8"},
    {"SAI_QUEUE_ATTR_PFC_DLR_INIT", "true"},
    {"SAI_QUEUE_ATTR_PFC_DLR_INIT", "false"},
    {"SAI_QUEUE_ATTR_INDEX", "255"},
    {"SAI_SWITCH_ATTR_TPID_OUTER_VLAN", "34984"},
    {"SAI_SWITCH_ATTR_AVERAGE_TEMP", "-40"},
    {"SAI_SWITCH_ATTR_SRC_MAC_ADDRESS", "02:AB:00:00:0F:01"},
    {"SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY", "ptr:0x7f00deadbeef"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE", "100,5000"},
    {"SAI_SWITCH_ATTR_FAST_LINKUP_POLLING_TIMEOUT_RANGE", "1,65535"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL",
     "{\"count\":2,\"list\":[{\"key\":3,\"value\":200},"
     "{\"key\":4,\"value\":-1}]}"},
    {"SAI_SWITCH_ATTR_PTP_TIME_OFFSET", "{\"tv_nsec\":5,\"tv_sec\":7}"},
    {"SAI_SWITCH_ATTR_SWITCH_HARDWARE_INFO", "3:104,-1,0"},
    {"SAI_SWITCH_ATTR_SYSTEM_PORT_CONFIG_LIST",
     "{\"count\":1,\"list\":[{\"attached_core_index\":1,"
     "\"attached_core_port_index\":2,\"attached_switch_id\":3,"
     "\"num_voq\":8,\"port_id\":4,\"speed\":100000}]}"},
    {"SAI_SWITCH_ATTR_SUPPORTED_EXTENDED_STATS_MODE",
     "2:SAI_STATS_MODE_READ,SAI_STATS_MODE_READ_AND_CLEAR"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "4:25,26,27,28"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "0:null"},
    {"SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST", "2:oid:0x19,oid:0x1a"},
    {"SAI_PORT_ATTR_ADVERTISED_FEC_MODE",
     "2:SAI_PORT_FEC_MODE_NONE,SAI_PORT_FEC_MODE_RS"},
    {"SAI_PORT_ATTR_ERR_STATUS_LIST", "1:SAI_PORT_ERR_STATUS_DATA_UNIT_SIZE"},
    {"SAI_PORT_ATTR_PRBS_PER_LANE_BER_LIST",
     "{\"count\":1,\"list\":[{\"lane\":2,"
     "\"rate\":{\"exponent\":9,\"mantissa\":12}}]}"},
    {"SAI_SCHEDULER_ATTR_LABEL", "gold, silver: \"x\""},
    {"SAI_SCHEDULER_ATTR_LABEL", ""},
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST", "{\"count\":0,\"list\":null}"},
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST",
     "{\"count\":1,\"list\":[{\"key\":{\"color\":\"SAI_PACKET_COLOR_GREEN\","
     "\"dot1p\":0,\"dscp\":48,\"fc\":0,\"mpls_exp\":0,\"pg\":0,\"prio\":0,"
     "\"qidx\":0,\"tc\":0},\"value\":{\"color\":\"SAI_PACKET_COLOR_GREEN\","
     "\"dot1p\":0,\"dscp\":0,\"fc\":0,\"mpls_exp\":0,\"pg\":0,\"prio\":0,"
     "\"qidx\":0,\"tc\":6}}]}"},
};

static void
test_text_survives_value(void **state)
{
    struct arena *arena = arena_create(0);

    (void)state;
    for (size_t i = 0; i < COUNT(exact); i++) {
        const struct metadata_attribute *attribute =
            metadata_attribute_by_name(exact[i].attribute, NULL);
        sai_attribute_value_t value;
        struct text text = {0};

        assert_non_null(attribute);
        if (serialize_parse_value(arena, attribute, exact[i].text, &value,
                                  NULL)) {
            fail_msg("%s does not take %s", exact[i].attribute, exact[i].text);
        }
        assert_int_equal(serialize_value(attribute, &value, &text), ST_OK);
        assert_string_equal(text_string(&text), exact[i].text);
        text_fini(&text);
    }
    arena_destroy(arena);
}

/* What is read although it would be written otherwise. */
static const struct {
    const char *attribute;
    const char *text;
    const char *written;
} tolerated[] = {
    {"SAI_BUFFER_POOL_ATTR_TYPE", "1", "SAI_BUFFER_POOL_TYPE_EGRESS"},
    {"SAI_BUFFER_PROFILE_ATTR_POOL_ID", "oid:0x00AB", "oid:0xab"},
    {"SAI_SWITCH_ATTR_SRC_MAC_ADDRESS", "02:ab:00:00:0f:01",
     "02:AB:00:00:0F:01"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL", "{\"list\":[], \"count\":0}",
     "{\"count\":0,\"list\":null}"},
    /* From a writer that did not know forwarding classes yet. */
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST",
     "{\"count\":1,\"list\":[{\"key\":{\"tc\":3},\"value\":{\"qidx\":4}}]}",
     "{\"count\":1,\"list\":[{\"key\":{\"color\":\"SAI_PACKET_COLOR_GREEN\","
     "\"dot1p\":0,\"dscp\":0,\"fc\":0,\"mpls_exp\":0,\"pg\":0,\"prio\":0,"
     "\"qidx\":0,\"tc\":3},\"value\":{\"color\":\"SAI_PACKET_COLOR_GREEN\","
     "\"dot1p\":0,\"dscp\":0,\"fc\":0,\"mpls_exp\":0,\"pg\":0,\"prio\":0,"
     "\"qidx\":4,\"tc\":0}}]}"},
};

static void
test_other_spellings_are_read(void **state)
{
    struct arena *arena = arena_create(0);

    (void)state;
    for (size_t i = 0; i < COUNT(tolerated); i++) {
        const struct metadata_attribute *attribute =
            metadata_attribute_by_name(tolerated[i].attribute, NULL);
        sai_attribute_value_t value;
        struct text text = {0};

        assert_int_equal(serialize_parse_value(arena, attribute,
                                               tolerated[i].text, &value, NULL),
                         ST_OK);
        assert_int_equal(serialize_value(attribute, &value, &text), ST_OK);
        assert_string_equal(text_string(&text), tolerated[i].written);
        text_fini(&text);
    }
    arena_destroy(arena);
}

static const struct {
    const char *attribute;
    const char *text;
} wrong[] = {
    {"SAI_BUFFER_POOL_ATTR_SIZE", ""},
    {"SAI_BUFFER_POOL_ATTR_SIZE", "18446744073709551616"},
    {"SAI_BUFFER_POOL_ATTR_SIZE", "-1"},
    {"SAI_BUFFER_POOL_ATTR_SIZE", "1 "},
    {"SAI_BUFFER_POOL_ATTR_TYPE", "INGRESS"},
    {"SAI_BUFFER_POOL_ATTR_TYPE", "2147483648"},
    {"SAI_BUFFER_PROFILE_ATTR_POOL_ID", "0x12"},
    {"SAI_BUFFER_PROFILE_ATTR_POOL_ID", "oid:12"},
    {"SAI_BUFFER_PROFILE_ATTR_POOL_ID", "oid:0x"},
    {"SAI_BUFFER_PROFILE_ATTR_POOL_ID", "oid:0x1 "},
    {"SAI_BUFFER_PROFILE_ATTR_POOL_ID", "oid:0x10000000000000000"},
    {"SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH", "128"},
    {"SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH", "-129"},
    {"SAI_QUEUE_ATTR_PFC_DLR_INIT", "True"},
    {"SAI_QUEUE_ATTR_PFC_DLR_INIT", "1"},
    {"SAI_QUEUE_ATTR_INDEX", "256"},
    {"SAI_SWITCH_ATTR_SRC_MAC_ADDRESS", "02:AB:00:00:0F"},
    {"SAI_SWITCH_ATTR_SRC_MAC_ADDRESS", "02:AB:00:00:0F:0"},
    {"SAI_SWITCH_ATTR_SRC_MAC_ADDRESS", "02-AB-00-00-0F-01"},
    {"SAI_SWITCH_ATTR_SRC_MAC_ADDRESS", "02:AB:00:00:0G:01"},
    {"SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY", "0x1"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE", "100"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE", "100,200,300"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE", "100,"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", ""},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "null"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "0:"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "0:1"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "1:null"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "2:1"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "1:1,2"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "-1:1"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "65536:1"},
    {"SAI_PORT_ATTR_HW_LANE_LIST", "99999999999999999999:1"},
    {"SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST", "1:19"},
    {"SAI_PORT_ATTR_ADVERTISED_FEC_MODE", "1:RS"},
    {"SAI_SCHEDULER_ATTR_LABEL", "12345678901234567890123456789012"},
    {"SAI_SWITCH_ATTR_PTP_TIME_OFFSET", "[]"},
    {"SAI_SWITCH_ATTR_PTP_TIME_OFFSET", "{\"tv_nsec\":5000000000}"},
    {"SAI_SWITCH_ATTR_PTP_TIME_OFFSET", "{\"tv_usec\":5}"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL", "{\"count\":1,\"list\":null}"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL", "{\"count\":0}"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL",
     "{\"count\":2,\"list\":[{\"key\":3,\"value\":200}]}"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL",
     "{\"count\":1,\"list\":[{\"key\":3,\"key\":4}]}"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL",
     "{\"count\":1,\"list\":[{\"key\":-3,\"value\":200}]}"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL",
     "{\"count\":1,\"list\":[{\"key\":3.5,\"value\":200}]}"},
    {"SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL",
     "{\"count\":1,\"list\":[{\"key\":3,\"value\":200,\"x\":1}]}"},
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST",
     "{\"count\":1,\"list\":[{\"key\":{\"tc\":256},\"value\":{}}]}"},
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST",
     "{\"count\":1,\"list\":[{\"key\":{\"tcp\":2},\"value\":{}}]}"},
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST",
     "{\"count\":1,\"list\":[{\"key\":3,\"value\":{}}]}"},
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST",
     "{\"count\":1,\"list\":[{\"key\":{\"color\":\"BLUE\"},\"value\":{}}]}"},
    {"SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST", "{\"count\":1,\"list\":[{}]"},
};

static void
test_wrong_text_is_refused(void **state)
{
    struct arena *arena = arena_create(0);

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const struct metadata_attribute *attribute =
            metadata_attribute_by_name(wrong[i].attribute, NULL);
        sai_attribute_value_t value;
        sai_attribute_value_t before;
        struct err err = {0};

        memset(&value, 0x5a, sizeof value);
        before = value;
        if (serialize_parse_value(arena, attribute, wrong[i].text, &value,
                                  &err) != ST_INVALID) {
            fail_msg("%s takes %s", wrong[i].attribute, wrong[i].text);
        }
        assert_memory_equal(&value, &before, sizeof value);
        assert_int_equal(err.status, ST_INVALID);
        assert_string_equal(err.field, wrong[i].attribute);
        assert_true(err.allowed[0] != '\0');
    }
    arena_destroy(arena);
}

static void
test_error_lists_what_an_enumeration_allows(void **state)
{
    struct arena *arena = arena_create(0);
    sai_attribute_value_t value;
    struct err err;

    (void)state;
    assert_int_equal(serialize_parse_value(
                         arena,
                         metadata_attribute(SAI_OBJECT_TYPE_BUFFER_PROFILE, 2),
                         "dynamic", &value, &err),
                     ST_INVALID);
    assert_string_equal(err.value, "dynamic");
    assert_string_equal(err.allowed,
                        "SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC, "
                        "SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC");
    arena_destroy(arena);
}

static uint32_t
next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Fills the runs with small bytes: booleans and JSON numbers then stay in
 * their ranges. */
static void
fill(const struct kind_run *runs, char *to, uint32_t *random)
{
    for (size_t i = 0; i < KIND_MAX_RUNS; i++) {
        for (size_t k = 0; k < runs[i].size; k++) {
            to[runs[i].offset + k] = (char)(next_random(random) & 1);
        }
    }
}

/* Every attribute of every object, with random values. */
static void
test_value_survives_text(void **state)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);
    struct arena *arena = arena_create(0);
    uint32_t random = SEED;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < objects[i].n_attributes; k++) {
            const struct metadata_attribute *attribute =
                &objects[i].attributes[k];
            const struct kind_layout *layout = kind_layout(attribute->kind);
            char elements[3 * 64] = {0};
            sai_attribute_value_t value;
            sai_attribute_value_t back;
            struct text text = {0};

            memset(&value, 0, sizeof value);
            fill(layout->value_runs, (char *)&value, &random);
            for (size_t e = 0; e < 3 && layout->element_size; e++) {
                fill(layout->element_runs, elements + e * layout->element_size,
                     &random);
            }
            if (attribute->kind == KIND_IPADDR) {
                value.ipaddr.addr_family =
                    k % 2 ? SAI_IP_ADDR_FAMILY_IPV4 : SAI_IP_ADDR_FAMILY_IPV6;
            }
            if (kind_acl_part(attribute->kind) != KIND_N) {
                value.u8 = k % 4 != 0; /* Whether it is enabled. */
            }
            if (attribute->kind == KIND_ACLFIELD_BOOL) {
                value.aclfield.data.booldata = k % 2;
            }
            if (attribute->kind == KIND_ACLACTION_BOOL) {
                value.aclaction.parameter.booldata = k % 2;
            }
            if (attribute->kind == KIND_ACLACTION_IPADDR) {
                value.aclaction.parameter.ipaddr.addr_family =
                    SAI_IP_ADDR_FAMILY_IPV6;
            }
            if (attribute->kind == KIND_JSON) {
                memcpy(elements, "\"x\"", 3);
            }
            if (attribute->kind == KIND_PORTSERDESTAPS) {
                memset(elements, 0, sizeof elements);
            }
            if (kind_has_list(attribute->kind)) {
                kind_list_set(attribute->kind, &value, 3, elements);
            }
            assert_int_equal(serialize_value(attribute, &value, &text), ST_OK);
            if (serialize_parse_value(arena, attribute, text_string(&text),
                                      &back, NULL)) {
                fail_msg("%s: %s", attribute->name, text_string(&text));
            }
            assert_true(attr_value_equal(attribute->kind, &value, &back));
            text_fini(&text);
        }
    }
    arena_destroy(arena);
}

/* Text of an attribute, and whether it is the one that is written. */
struct form {
    sai_object_type_t type;
    sai_attr_id_t id;
    const char *text;
    bool good;
};

static void
test_odd_kinds(void **state)
{
    static const struct form forms[] = {
        {SAI_OBJECT_TYPE_NEXT_HOP, SAI_NEXT_HOP_ATTR_IP, "10.0.0.1", true},
        {SAI_OBJECT_TYPE_NEXT_HOP, SAI_NEXT_HOP_ATTR_IP, "fc00::1", true},
        {SAI_OBJECT_TYPE_NEXT_HOP, SAI_NEXT_HOP_ATTR_IP, "10.0.0", false},
        {SAI_OBJECT_TYPE_NEXT_HOP, SAI_NEXT_HOP_ATTR_IP, "10.0.0.1/8", false},
        {SAI_OBJECT_TYPE_NEXT_HOP, SAI_NEXT_HOP_ATTR_IP, "", false},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_CUSTOM_COLLECTION,
         "{\"a\":[1,2]}", true},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_CUSTOM_COLLECTION,
         "", true},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "3:2:1,-2;0:null;1:7", true},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "0:null", true},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "2:2:1,-2", false},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "1:2:1,2;1:3", false},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "1:2:1,2147483648", false},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "1:", false},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "65536:1", false},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_INGRESS,
         "true:2:5,7:SAI_ACL_TABLE_SUPPORTED_MATCH_TYPE_EXACT:false", true},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_INGRESS,
         "false:0:null:77:true", true},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_INGRESS,
         "true:2:5,7", false},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_INGRESS,
         "maybe:0:null:0:true", false},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_INGRESS, "{}",
         false},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_SRC_IP,
         "10.0.0.0&mask:255.0.0.0", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_SRC_IP, "10.0.0.0",
         false},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_SRC_IP,
         "fc00::&mask:fc00::", false},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_DST_IPV6,
         "fc00::&mask:ffff::", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_DSCP,
         "8&mask:0x3f", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_DSCP,
         "8&mask:0x100", false},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_DSCP,
         "256&mask:0xff", false},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_DSCP, "disabled",
         true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_DSCP, "", false},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_ACL_IP_TYPE,
         "SAI_ACL_IP_TYPE_ANY&mask:0xffffffff", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_SRC_MAC,
         "00:00:00:00:00:01&mask:FF:FF:FF:FF:FF:FF", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_IN_PORTS,
         "2:oid:0x1,oid:0x2", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_IN_PORT, "oid:0x1",
         true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_IN_PORT,
         "oid:0x1&mask:0x1", false},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_ACTION_PACKET_ACTION,
         "SAI_PACKET_ACTION_DROP", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_ACTION_COUNTER,
         "oid:0x9000000000001", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_ACTION_COUNTER,
         "disabled", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_ACTION_SET_TC, "3",
         true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_ACTION_SET_TC,
         "3&mask:0xff", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        const struct form *form = &forms[i];
        const struct metadata_attribute *attribute =
            metadata_attribute(form->type, form->id);
        struct arena *arena = arena_create(0);
        sai_attribute_value_t value;
        struct text text = {0};
        enum st status =
            serialize_parse_value(arena, attribute, form->text, &value, NULL);

        if (form->good != (status == ST_OK)) {
            fail_msg("%s", form->text);
        }
        if (form->good) {
            assert_int_equal(serialize_value(attribute, &value, &text), ST_OK);
            assert_string_equal(text_string(&text), form->text);
        }
        text_fini(&text);
        arena_destroy(arena);
    }
}

/* Damages good text of the odd kinds at random: what is still accepted must
 * come out of its own text unchanged. */
static void
test_damaged_text_does_no_harm(void **state)
{
    static const struct form forms[] = {
        {SAI_OBJECT_TYPE_NEXT_HOP, SAI_NEXT_HOP_ATTR_IP, "fc00:0:1::2", true},
        {SAI_OBJECT_TYPE_PORT_SERDES, SAI_PORT_SERDES_ATTR_TX_FIR_TAPS_LIST,
         "3:2:1,-2;0:null;1:7", true},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_INGRESS,
         "true:2:5,7:1:false", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_SRC_IP,
         "10.0.0.0&mask:255.0.0.0", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_DSCP,
         "8&mask:0x3f", true},
        {SAI_OBJECT_TYPE_ACL_ENTRY, SAI_ACL_ENTRY_ATTR_FIELD_IN_PORTS,
         "2:oid:0x1,oid:0x2", true},
    };
    static const char alphabet[] = "0123789:;,-ntl";
    uint32_t random = SEED;
    size_t n_accepted = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        const struct form *form = &forms[i % 3];
        const struct metadata_attribute *attribute =
            metadata_attribute(form->type, form->id);
        struct arena *arena = arena_create(0);
        char string[64];
        sai_attribute_value_t value;
        sai_attribute_value_t back;
        struct text text = {0};

        assert_true(text_copy(string, sizeof string, form->text));
        for (int n = 0; n <= i % 4; n++) {
            string[next_random(&random) % strlen(form->text)] =
                alphabet[next_random(&random) % (sizeof alphabet - 1)];
        }
        if (serialize_parse_value(arena, attribute, string, &value, NULL) ==
            ST_OK) {
            n_accepted++;
            assert_int_equal(serialize_value(attribute, &value, &text), ST_OK);
            assert_int_equal(serialize_parse_value(arena, attribute,
                                                   text_string(&text), &back,
                                                   NULL),
                             ST_OK);
            assert_true(attr_value_equal(attribute->kind, &value, &back));
        }
        text_fini(&text);
        arena_destroy(arena);
    }
    assert_in_range(n_accepted, 100, 19000);
}

static void
test_key_survives(void **state)
{
    struct text text = {0};
    sai_object_type_t type = SAI_OBJECT_TYPE_NULL;
    sai_object_id_t oid = 1;

    (void)state;
    serialize_key(SAI_OBJECT_TYPE_BUFFER_PROFILE, 0x1900000000abcd, &text);
    assert_string_equal(text_string(&text),
                        "SAI_OBJECT_TYPE_BUFFER_PROFILE:oid:0x1900000000abcd");
    assert_int_equal(serialize_parse_key(text_string(&text), &type, &oid),
                     ST_OK);
    assert_int_equal(type, SAI_OBJECT_TYPE_BUFFER_PROFILE);
    assert_true(oid == 0x1900000000abcd);
    text_fini(&text);
}

static void
test_wrong_keys_are_refused(void **state)
{
    static const char *const keys[] = {
        "",
        "oid:0x1",
        "SAI_OBJECT_TYPE_PORT",
        "SAI_OBJECT_TYPE_PORT:",
        "SAI_OBJECT_TYPE_PORT:0x1",
        "SAI_OBJECT_TYPE_PORT:oid:0x1:2",
        "SAI_OBJECT_TYPE_NULL:oid:0x1",
        "SAI_OBJECT_TYPE_TABLE:oid:0x1",
        "PORT:oid:0x1",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        sai_object_type_t type = SAI_OBJECT_TYPE_LAG;
        sai_object_id_t oid = 7;

        assert_int_equal(serialize_parse_key(keys[i], &type, &oid), ST_INVALID);
        assert_int_equal(type, SAI_OBJECT_TYPE_LAG);
        assert_int_equal(oid, 7);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_survives_value),
        cmocka_unit_test(test_other_spellings_are_read),
        cmocka_unit_test(test_wrong_text_is_refused),
        cmocka_unit_test(test_error_lists_what_an_enumeration_allows),
        cmocka_unit_test(test_value_survives_text),
        cmocka_unit_test(test_odd_kinds),
        cmocka_unit_test(test_damaged_text_does_no_harm),
        cmocka_unit_test(test_key_survives),
        cmocka_unit_test(test_wrong_keys_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
