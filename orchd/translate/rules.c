/* SPDX-License-Identifier: Apache-2.0 */

/* The translation tables. */

#include <config.h>

#include "orchd/translate/rules.h"

#include "base/check.h"

#define N_ROWS(array) (sizeof(array) / sizeof *(array))

#define NUMBER(field, attribute)                                               \
    {                                                                          \
        field, SAI_##attribute, CONVERT_NUMBER,                                \
        {                                                                      \
            .offset = 0                                                        \
        }                                                                      \
    }
#define NUMBER_PLUS(field, attribute, n)                                       \
    {                                                                          \
        field, SAI_##attribute, CONVERT_NUMBER,                                \
        {                                                                      \
            .offset = n                                                        \
        }                                                                      \
    }
#define WORD(field, attribute, list)                                           \
    {                                                                          \
        field, SAI_##attribute, CONVERT_WORD,                                  \
        {                                                                      \
            .words = list                                                      \
        }                                                                      \
    }
#define ROW(field, attribute, referred)                                        \
    {                                                                          \
        field, SAI_##attribute, CONVERT_ROW,                                   \
        {                                                                      \
            .table = TABLE_##referred                                          \
        }                                                                      \
    }
#define FIXED(field, attribute, n)                                             \
    {                                                                          \
        field, SAI_##attribute, CONVERT_FIXED,                                 \
        {                                                                      \
            .offset = n                                                        \
        }                                                                      \
    }
#define NONE(field)                                                            \
    {                                                                          \
        field, 0, CONVERT_NONE,                                                \
        {                                                                      \
            .offset = 0                                                        \
        }                                                                      \
    }

/* CONFIG_DB's MTU is that of the packet; SAI's that of the frame: Ethernet
 * header, one VLAN tag and FCS come on top, as SONiC's own daemon counts. */
enum { FRAME_OVERHEAD_BYTES = 14 + 4 + 4 };

static const struct word admin_states[] = {
    {"up", true},
    {"down", false},
    {NULL, 0},
};

static const struct field_rule port_fields[] = {
    {"lanes", SAI_PORT_ATTR_HW_LANE_LIST, CONVERT_LANES, {.offset = 0}},
    NUMBER("speed", PORT_ATTR_SPEED),
    NUMBER_PLUS("mtu", PORT_ATTR_MTU, FRAME_OVERHEAD_BYTES),
    WORD("admin_status", PORT_ATTR_ADMIN_STATE, admin_states),
};

static const struct word pool_types[] = {
    {"ingress", SAI_BUFFER_POOL_TYPE_INGRESS},
    {"egress", SAI_BUFFER_POOL_TYPE_EGRESS},
    {"both", SAI_BUFFER_POOL_TYPE_BOTH},
    {NULL, 0},
};

static const struct word pool_modes[] = {
    {"static", SAI_BUFFER_POOL_THRESHOLD_MODE_STATIC},
    {"dynamic", SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC},
    {NULL, 0},
};

static const struct field_rule pool_fields[] = {
    WORD("type", BUFFER_POOL_ATTR_TYPE, pool_types),
    WORD("mode", BUFFER_POOL_ATTR_THRESHOLD_MODE, pool_modes),
    NUMBER("size", BUFFER_POOL_ATTR_SIZE),
    NUMBER("xoff", BUFFER_POOL_ATTR_XOFF_SIZE),
    NONE("percentage"),
};

static const struct word discard_actions[] = {
    {"drop", SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP},
    {"trim", SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM},
    {NULL, 0},
};

/* The threshold field that is present decides the mode: a profile's own mode
 * rules, not its pool's. */
static const struct field_rule profile_fields[] = {
    ROW("pool", BUFFER_PROFILE_ATTR_POOL_ID, BUFFER_POOL),
    NUMBER("size", BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE),
    FIXED("dynamic_th", BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
          SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC),
    NUMBER("dynamic_th", BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH),
    FIXED("static_th", BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
          SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC),
    NUMBER("static_th", BUFFER_PROFILE_ATTR_SHARED_STATIC_TH),
    NUMBER("xon", BUFFER_PROFILE_ATTR_XON_TH),
    NUMBER("xon_offset", BUFFER_PROFILE_ATTR_XON_OFFSET_TH),
    NUMBER("xoff", BUFFER_PROFILE_ATTR_XOFF_TH),
    WORD("packet_discard_action",
         BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION, discard_actions),
};

static const struct field_rule pg_fields[] = {
    ROW("profile", INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, BUFFER_PROFILE),
};

static const struct field_rule queue_fields[] = {
    ROW("profile", QUEUE_ATTR_BUFFER_PROFILE_ID, BUFFER_PROFILE),
};

static const struct field_rule port_qos_fields[] = {
    ROW("dscp_to_tc_map", PORT_ATTR_QOS_DSCP_TO_TC_MAP, DSCP_TO_TC_MAP),
    ROW("tc_to_queue_map", PORT_ATTR_QOS_TC_TO_QUEUE_MAP, TC_TO_QUEUE_MAP),
    ROW("tc_to_pg_map", PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP,
        TC_TO_PRIORITY_GROUP_MAP),
    {"pfc_enable",
     SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
     CONVERT_BITS,
     {.offset = 0}},
    NONE("dot1p_to_tc_map"),
    NONE("mpls_tc_to_tc_map"),
    NONE("tc_to_dscp_map"),
    NONE("tc_to_dot1p_map"),
    NONE("pfc_to_pg_map"),
    NONE("pfc_to_queue_map"),
    NONE("dscp_to_fc_map"),
    NONE("exp_to_fc_map"),
    NONE("scheduler"),
};

static const struct field_rule global_qos_fields[] = {
    ROW("dscp_to_tc_map", SWITCH_ATTR_QOS_DSCP_TO_TC_MAP, DSCP_TO_TC_MAP),
};

static const struct map_rule dscp_to_tc = {
    SAI_QOS_MAP_TYPE_DSCP_TO_TC,
    offsetof(sai_qos_map_params_t, dscp),
    offsetof(sai_qos_map_params_t, tc),
};

static const struct map_rule tc_to_queue = {
    SAI_QOS_MAP_TYPE_TC_TO_QUEUE,
    offsetof(sai_qos_map_params_t, tc),
    offsetof(sai_qos_map_params_t, queue_index),
};

static const struct map_rule tc_to_pg = {
    SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP,
    offsetof(sai_qos_map_params_t, tc),
    offsetof(sai_qos_map_params_t, pg),
};

#define FIELDS(fields) fields, N_ROWS(fields), NULL
#define MAP(rule)      NULL, 0, &(rule)

static const struct table_rule table_rules[] = {
    {TABLE_DEVICE_METADATA, REACH_NOTHING, SAI_OBJECT_TYPE_SWITCH, NULL, 0,
     NULL},
    {TABLE_PORT, REACH_SELF, SAI_OBJECT_TYPE_PORT, FIELDS(port_fields)},
    {TABLE_BUFFER_POOL, REACH_SELF, SAI_OBJECT_TYPE_BUFFER_POOL,
     FIELDS(pool_fields)},
    {TABLE_BUFFER_PROFILE, REACH_SELF, SAI_OBJECT_TYPE_BUFFER_PROFILE,
     FIELDS(profile_fields)},
    {TABLE_BUFFER_PG, REACH_INDEXES, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     FIELDS(pg_fields)},
    {TABLE_BUFFER_QUEUE, REACH_INDEXES, SAI_OBJECT_TYPE_QUEUE,
     FIELDS(queue_fields)},
    {TABLE_DSCP_TO_TC_MAP, REACH_SELF, SAI_OBJECT_TYPE_QOS_MAP,
     MAP(dscp_to_tc)},
    {TABLE_TC_TO_QUEUE_MAP, REACH_SELF, SAI_OBJECT_TYPE_QOS_MAP,
     MAP(tc_to_queue)},
    {TABLE_TC_TO_PRIORITY_GROUP_MAP, REACH_SELF, SAI_OBJECT_TYPE_QOS_MAP,
     MAP(tc_to_pg)},
    {TABLE_PORT_QOS_MAP, REACH_PORTS, SAI_OBJECT_TYPE_PORT,
     FIELDS(port_qos_fields)},
};

static const struct table_rule global_qos_rule = {
    TABLE_PORT_QOS_MAP, REACH_SWITCH, SAI_OBJECT_TYPE_SWITCH,
    FIELDS(global_qos_fields)};

const struct table_rule *
rules_get(enum table table)
{
    for (size_t i = 0; i < N_ROWS(table_rules); i++) {
        if (table_rules[i].table == table) {
            return &table_rules[i];
        }
    }
    orch_assert(!table_live(table));
    return NULL;
}

const struct table_rule *
rules_get_global_qos(void)
{
    return &global_qos_rule;
}
