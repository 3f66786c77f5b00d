/* SPDX-License-Identifier: Apache-2.0 */

/* The translation tables. */

#include <config.h>

#include "orchd/translate/rules.h"

#include "base/check.h"
#include "base/ethernet.h"

#define N_ROWS(array) (sizeof(array) / sizeof *(array))

#define NUMBER(field, attribute)                                               \
    {                                                                          \
        field, SAI_##attribute, CONVERT_NUMBER, {.offset = 0}, false, 0        \
    }
#define NUMBER_PLUS(field, attribute, n)                                       \
    {                                                                          \
        field, SAI_##attribute, CONVERT_NUMBER, {.offset = n}, false, 0        \
    }
#define WORD(field, attribute, list)                                           \
    {                                                                          \
        field, SAI_##attribute, CONVERT_WORD, {.words = list}, false, 0        \
    }
#define WORD_ELSE(field, attribute, list)                                      \
    {                                                                          \
        field, SAI_##attribute, CONVERT_ELSE, {.words = list}, false, 0        \
    }
#define NUMBER_UNLESS(field, attribute, word)                                  \
    {                                                                          \
        field, SAI_##attribute, CONVERT_UNLESS, {.unless = word}, false, 0     \
    }
#define ROW(field, attribute, referred)                                        \
    {                                                                          \
        field, SAI_##attribute, CONVERT_ROW, {.table = TABLE_##referred},      \
            false, 0                                                           \
    }
#define QUEUE_ROW(field, attribute, referred)                                  \
    {                                                                          \
        field, SAI_QUEUE_ATTR_##attribute, CONVERT_ROW,                        \
            {.table = TABLE_##referred}, false, SAI_OBJECT_TYPE_QUEUE          \
    }
#define ROWS(field, attribute, referred)                                       \
    {                                                                          \
        field, SAI_##attribute, CONVERT_ROWS, {.table = TABLE_##referred},     \
            false, 0                                                           \
    }
#define FIXED(field, attribute, n)                                             \
    {                                                                          \
        field, SAI_##attribute, CONVERT_FIXED, {.offset = n}, false, 0         \
    }
#define NONE(field)                                                            \
    {                                                                          \
        field, 0, CONVERT_NONE, {.offset = 0}, false, 0                        \
    }

static const struct word admin_states[] = {
    {"up", true},
    {"down", false},
    {NULL, 0},
};

/* A port with asymmetric PFC obeys all priorities and sends for those in
 * pfc_enable; a symmetric one has one mask for both.  The mode decides which of
 * the masks SAI has, so they are conditional. */
static const struct word pfc_modes[] = {
    {"on", SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_SEPARATE},
    {"off", SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_COMBINED},
    {NULL, 0},
};

enum { PFC_ALL = 0xff };

#define PFC_MASK(attribute)                                                    \
    {                                                                          \
        "pfc_enable", SAI_PORT_ATTR_##attribute, CONVERT_BITS, {.offset = 0},  \
            true, 0                                                            \
    }

static const struct field_rule port_fields[] = {
    {"lanes",
     SAI_PORT_ATTR_HW_LANE_LIST,
     CONVERT_LANES,
     {.offset = 0},
     false,
     0},
    NUMBER("speed", PORT_ATTR_SPEED),
    NUMBER_PLUS("mtu", PORT_ATTR_MTU, ETHERNET_FRAME_OVERHEAD_BYTES),
    WORD("admin_status", PORT_ATTR_ADMIN_STATE, admin_states),
    WORD("pfc_asym", PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE, pfc_modes),
    {"pfc_asym",
     SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX,
     CONVERT_FIXED,
     {.offset = PFC_ALL},
     true,
     0},
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

/* The threshold field that is present sets the mode: the profile's own mode
 * applies, not its pool's. */
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

/* Whether the scheduler group or the queue takes the scheduler depends on the
 * switch; see orchd/reconcile/scheduler_groups.h. */
static const struct field_rule queue_qos_fields[] = {
    ROW("scheduler", SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID, SCHEDULER),
    QUEUE_ROW("scheduler", SCHEDULER_PROFILE_ID, SCHEDULER),
    QUEUE_ROW("wred_profile", WRED_PROFILE_ID, WRED_PROFILE),
};

static const struct word scheduling_types[] = {
    {"DWRR", SAI_SCHEDULING_TYPE_DWRR},
    {"WRR", SAI_SCHEDULING_TYPE_WRR},
    {"STRICT", SAI_SCHEDULING_TYPE_STRICT},
    {NULL, 0},
};

static const struct word meter_types[] = {
    {"packets", SAI_METER_TYPE_PACKETS},
    {"bytes", SAI_METER_TYPE_BYTES},
    {NULL, 0},
};

static const struct field_rule scheduler_fields[] = {
    WORD("type", SCHEDULER_ATTR_SCHEDULING_TYPE, scheduling_types),
    NUMBER("weight", SCHEDULER_ATTR_SCHEDULING_WEIGHT),
    WORD("meter_type", SCHEDULER_ATTR_METER_TYPE, meter_types),
    NUMBER("cir", SCHEDULER_ATTR_MIN_BANDWIDTH_RATE),
    NUMBER("cbs", SCHEDULER_ATTR_MIN_BANDWIDTH_BURST_RATE),
    NUMBER("pir", SCHEDULER_ATTR_MAX_BANDWIDTH_RATE),
    NUMBER("pbs", SCHEDULER_ATTR_MAX_BANDWIDTH_BURST_RATE),
    NONE("priority"),
};

static const struct word booleans[] = {
    {"true", true},
    {"false", false},
    {NULL, 0},
};

static const struct word ecn_modes[] = {
    {"ecn_none", SAI_ECN_MARK_MODE_NONE},
    {"ecn_green", SAI_ECN_MARK_MODE_GREEN},
    {"ecn_yellow", SAI_ECN_MARK_MODE_YELLOW},
    {"ecn_red", SAI_ECN_MARK_MODE_RED},
    {"ecn_green_yellow", SAI_ECN_MARK_MODE_GREEN_YELLOW},
    {"ecn_green_red", SAI_ECN_MARK_MODE_GREEN_RED},
    {"ecn_yellow_red", SAI_ECN_MARK_MODE_YELLOW_RED},
    {"ecn_all", SAI_ECN_MARK_MODE_ALL},
    {NULL, 0},
};

/* A colour that drops has a drop probability.  SAI libraries differ in its
 * default, so orchd sets it even if the row does not. */
#define COLOUR(colour, COLOUR)                                                 \
    WORD("wred_" colour "_enable", WRED_ATTR_##COLOUR##_ENABLE, booleans),     \
        NUMBER(colour "_min_threshold", WRED_ATTR_##COLOUR##_MIN_THRESHOLD),   \
        NUMBER(colour "_max_threshold", WRED_ATTR_##COLOUR##_MAX_THRESHOLD),   \
        NUMBER(colour "_drop_probability",                                     \
               WRED_ATTR_##COLOUR##_DROP_PROBABILITY),                         \
    {                                                                          \
        "wred_" colour "_enable", SAI_WRED_ATTR_##COLOUR##_DROP_PROBABILITY,   \
            CONVERT_FILL, {.unless = colour "_drop_probability"}, false, 0     \
    }

/* Thresholds apply to the current length of a queue: weight 0. */
static const struct field_rule wred_fields[] = {
    FIXED(NULL, WRED_ATTR_WEIGHT, 0),
    COLOUR("green", GREEN),
    COLOUR("yellow", YELLOW),
    COLOUR("red", RED),
    WORD("ecn", WRED_ATTR_ECN_MARK_MODE, ecn_modes),
};

static const struct field_rule ingress_list_fields[] = {
    ROWS("profile_list", PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
         BUFFER_PROFILE),
};

static const struct field_rule egress_list_fields[] = {
    ROWS("profile_list", PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
         BUFFER_PROFILE),
};

static const struct field_rule port_qos_fields[] = {
    ROW("dscp_to_tc_map", PORT_ATTR_QOS_DSCP_TO_TC_MAP, DSCP_TO_TC_MAP),
    ROW("dot1p_to_tc_map", PORT_ATTR_QOS_DOT1P_TO_TC_MAP, DOT1P_TO_TC_MAP),
    ROW("mpls_tc_to_tc_map", PORT_ATTR_QOS_MPLS_EXP_TO_TC_MAP,
        MPLS_TC_TO_TC_MAP),
    ROW("tc_to_queue_map", PORT_ATTR_QOS_TC_TO_QUEUE_MAP, TC_TO_QUEUE_MAP),
    ROW("tc_to_pg_map", PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP,
        TC_TO_PRIORITY_GROUP_MAP),
    ROW("tc_to_dscp_map", PORT_ATTR_QOS_TC_AND_COLOR_TO_DSCP_MAP,
        TC_TO_DSCP_MAP),
    ROW("tc_to_dot1p_map", PORT_ATTR_QOS_TC_AND_COLOR_TO_DOT1P_MAP,
        TC_TO_DOT1P_MAP),
    ROW("pfc_to_pg_map", PORT_ATTR_QOS_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP,
        PFC_PRIORITY_TO_PRIORITY_GROUP_MAP),
    ROW("pfc_to_queue_map", PORT_ATTR_QOS_PFC_PRIORITY_TO_QUEUE_MAP,
        MAP_PFC_PRIORITY_TO_QUEUE),
    ROW("dscp_to_fc_map", PORT_ATTR_QOS_DSCP_TO_FORWARDING_CLASS_MAP,
        DSCP_TO_FC_MAP),
    ROW("exp_to_fc_map", PORT_ATTR_QOS_MPLS_EXP_TO_FORWARDING_CLASS_MAP,
        EXP_TO_FC_MAP),
    ROW("scheduler", PORT_ATTR_QOS_SCHEDULER_PROFILE_ID, SCHEDULER),
    PFC_MASK(PRIORITY_FLOW_CONTROL),
    PFC_MASK(PRIORITY_FLOW_CONTROL_TX),
};

static const struct field_rule global_qos_fields[] = {
    ROW("dscp_to_tc_map", SWITCH_ATTR_QOS_DSCP_TO_TC_MAP, DSCP_TO_TC_MAP),
};

static const struct word trim_dscp_modes[] = {
    {"from-tc", SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_FROM_TC},
    {NULL, SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_DSCP_VALUE},
};

static const struct word trim_queue_modes[] = {
    {"dynamic", SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_DYNAMIC},
    {NULL, SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_STATIC},
};

static const struct field_rule trimming_fields[] = {
    NUMBER("size", SWITCH_ATTR_PACKET_TRIM_SIZE),
    WORD_ELSE("dscp_value", SWITCH_ATTR_PACKET_TRIM_DSCP_RESOLUTION_MODE,
              trim_dscp_modes),
    NUMBER_UNLESS("dscp_value", SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE, "from-tc"),
    {"tc_value",
     SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE,
     CONVERT_NUMBER,
     {.offset = 0},
     true,
     0},
    WORD_ELSE("queue_index", SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE,
              trim_queue_modes),
    NUMBER_UNLESS("queue_index", SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX,
                  "dynamic"),
};

static const struct word frame_actions[] = {
    {"discard", SAI_LLR_FRAME_ACTION_DISCARD},
    {"block", SAI_LLR_FRAME_ACTION_BLOCK},
    {"best_effort", SAI_LLR_FRAME_ACTION_BEST_EFFORT},
    {NULL, 0},
};

/* A link that was flushed starts again by itself. */
static const struct field_rule llr_profile_fields[] = {
    NUMBER("max_outstanding_frames",
           PORT_LLR_PROFILE_ATTR_OUTSTANDING_FRAMES_MAX),
    NUMBER("max_outstanding_bytes",
           PORT_LLR_PROFILE_ATTR_OUTSTANDING_BYTES_MAX),
    NUMBER("max_replay_timer", PORT_LLR_PROFILE_ATTR_REPLAY_TIMER_MAX),
    NUMBER("max_replay_count", PORT_LLR_PROFILE_ATTR_REPLAY_COUNT_MAX),
    NUMBER("pcs_lost_timeout", PORT_LLR_PROFILE_ATTR_PCS_LOST_TIMEOUT),
    NUMBER("data_age_timeout", PORT_LLR_PROFILE_ATTR_DATA_AGE_TIMEOUT),
    WORD("init_action", PORT_LLR_PROFILE_ATTR_INIT_LLR_FRAME_ACTION,
         frame_actions),
    WORD("flush_action", PORT_LLR_PROFILE_ATTR_FLUSH_LLR_FRAME_ACTION,
         frame_actions),
    FIXED(NULL, PORT_LLR_PROFILE_ATTR_RE_INIT_ON_FLUSH, true),
    NUMBER("ctlos_spacing_bytes", PORT_LLR_PROFILE_ATTR_CTLOS_TARGET_SPACING),
};

static const struct word enabled_states[] = {
    {"enabled", true},
    {"disabled", false},
    {NULL, 0},
};

static const struct field_rule llr_port_fields[] = {
    ROW("llr_profile", PORT_ATTR_LLR_PROFILE, LLR_PROFILE),
    WORD("llr_remote", PORT_ATTR_LLR_MODE_REMOTE, enabled_states),
    WORD("llr_local", PORT_ATTR_LLR_MODE_LOCAL, enabled_states),
};

/* X(rule, type of the map, member of the key, member of the value). */
#define MAP_LIST(X)                                                            \
    X(dscp_to_tc, DSCP_TO_TC, dscp, tc)                                        \
    X(dot1p_to_tc, DOT1P_TO_TC, dot1p, tc)                                     \
    X(mpls_exp_to_tc, MPLS_EXP_TO_TC, mpls_exp, tc)                            \
    X(tc_to_queue, TC_TO_QUEUE, tc, queue_index)                               \
    X(tc_to_pg, TC_TO_PRIORITY_GROUP, tc, pg)                                  \
    X(tc_to_dscp, TC_AND_COLOR_TO_DSCP, tc, dscp)                              \
    X(tc_to_dot1p, TC_AND_COLOR_TO_DOT1P, tc, dot1p)                           \
    X(pfc_to_pg, PFC_PRIORITY_TO_PRIORITY_GROUP, prio, pg)                     \
    X(pfc_to_queue, PFC_PRIORITY_TO_QUEUE, prio, queue_index)                  \
    X(dscp_to_fc, DSCP_TO_FORWARDING_CLASS, dscp, fc)                          \
    X(mpls_exp_to_fc, MPLS_EXP_TO_FORWARDING_CLASS, mpls_exp, fc)

#define X(rule, type, key, value)                                              \
    static const struct map_rule rule = {                                      \
        SAI_QOS_MAP_TYPE_##type,                                               \
        offsetof(sai_qos_map_params_t, key),                                   \
        offsetof(sai_qos_map_params_t, value),                                 \
    };
MAP_LIST(X)
#undef X

#define FIELDS(fields) fields, N_ROWS(fields), NULL
#define MAP(table, rule)                                                       \
    {                                                                          \
        TABLE_##table, REACH_SELF, SAI_OBJECT_TYPE_QOS_MAP, NULL, 0, &(rule)   \
    }

static const struct table_rule table_rules[] = {
    {TABLE_DEVICE_METADATA, REACH_NOTHING, SAI_OBJECT_TYPE_SWITCH, NULL, 0,
     NULL},
    {TABLE_PORT, REACH_SELF, SAI_OBJECT_TYPE_PORT, FIELDS(port_fields)},
    {TABLE_SYSTEM_PORT, REACH_NAME, SAI_OBJECT_TYPE_SYSTEM_PORT, NULL, 0, NULL},
    {TABLE_BUFFER_POOL, REACH_SELF, SAI_OBJECT_TYPE_BUFFER_POOL,
     FIELDS(pool_fields)},
    {TABLE_BUFFER_PROFILE, REACH_SELF, SAI_OBJECT_TYPE_BUFFER_PROFILE,
     FIELDS(profile_fields)},
    {TABLE_BUFFER_PG, REACH_INDEXES, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     FIELDS(pg_fields)},
    {TABLE_BUFFER_QUEUE, REACH_INDEXES, SAI_OBJECT_TYPE_QUEUE,
     FIELDS(queue_fields)},
    {TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, REACH_PORTS, SAI_OBJECT_TYPE_PORT,
     FIELDS(ingress_list_fields)},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, REACH_PORTS, SAI_OBJECT_TYPE_PORT,
     FIELDS(egress_list_fields)},
    {TABLE_CABLE_LENGTH, REACH_NAMED, SAI_OBJECT_TYPE_NULL, NULL, 0, NULL},
    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, REACH_NOTHING,
     SAI_OBJECT_TYPE_NULL, NULL, 0, NULL},
    {TABLE_LOSSLESS_TRAFFIC_PATTERN, REACH_NOTHING, SAI_OBJECT_TYPE_NULL, NULL,
     0, NULL},
    {TABLE_PFC_WD, REACH_KEY, SAI_OBJECT_TYPE_PORT, NULL, 0, NULL},
    MAP(DSCP_TO_TC_MAP, dscp_to_tc),
    MAP(DOT1P_TO_TC_MAP, dot1p_to_tc),
    MAP(MPLS_TC_TO_TC_MAP, mpls_exp_to_tc),
    MAP(TC_TO_QUEUE_MAP, tc_to_queue),
    MAP(TC_TO_PRIORITY_GROUP_MAP, tc_to_pg),
    MAP(TC_TO_DSCP_MAP, tc_to_dscp),
    MAP(TC_TO_DOT1P_MAP, tc_to_dot1p),
    MAP(PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, pfc_to_pg),
    MAP(MAP_PFC_PRIORITY_TO_QUEUE, pfc_to_queue),
    MAP(DSCP_TO_FC_MAP, dscp_to_fc),
    MAP(EXP_TO_FC_MAP, mpls_exp_to_fc),
    {TABLE_SCHEDULER, REACH_SELF, SAI_OBJECT_TYPE_SCHEDULER,
     FIELDS(scheduler_fields)},
    {TABLE_WRED_PROFILE, REACH_SELF, SAI_OBJECT_TYPE_WRED, FIELDS(wred_fields)},
    {TABLE_QUEUE, REACH_QUEUES, SAI_OBJECT_TYPE_SCHEDULER_GROUP,
     FIELDS(queue_qos_fields)},
    {TABLE_PORT_QOS_MAP, REACH_PORTS, SAI_OBJECT_TYPE_PORT,
     FIELDS(port_qos_fields)},
    {TABLE_LLR_PROFILE, REACH_SELF, SAI_OBJECT_TYPE_PORT_LLR_PROFILE,
     FIELDS(llr_profile_fields)},
    {TABLE_LLR_PORT, REACH_KEY, SAI_OBJECT_TYPE_PORT, FIELDS(llr_port_fields)},
    {TABLE_SWITCH_TRIMMING, REACH_SWITCH, SAI_OBJECT_TYPE_SWITCH,
     FIELDS(trimming_fields)},
    {TABLE_FLEX_COUNTER_TABLE, REACH_NOTHING, SAI_OBJECT_TYPE_NULL, NULL, 0,
     NULL},
    {TABLE_WATERMARK_TABLE, REACH_NOTHING, SAI_OBJECT_TYPE_NULL, NULL, 0, NULL},
};

static const struct table_rule global_qos_rule = {
    TABLE_PORT_QOS_MAP, REACH_SWITCH, SAI_OBJECT_TYPE_SWITCH,
    FIELDS(global_qos_fields)};

const struct table_rule *
rules_get(enum table table)
{
    size_t i = 0;

    while (table_rules[i].table != table) {
        i++;
        orch_assert(i < N_ROWS(table_rules));
    }
    return &table_rules[i];
}

const struct table_rule *
rules_get_global_qos(void)
{
    return &global_qos_rule;
}
