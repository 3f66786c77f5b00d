/* SPDX-License-Identifier: Apache-2.0 */

/* The YANG modules, asked about one row: what is accepted, what is not, and
 * what the error says. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <jansson.h>

#include "base/check.h"
#include "orchd/intent/content.h"
#include "orchd/intent/schema.h"
#include "tests/support/tempfile.h"

#define N(array)   (sizeof(array) / sizeof *(array))
#define MAX_FIELDS 8

struct row_case {
    enum table table;
    const char *key;
    struct field fields[MAX_FIELDS];
    const char *code;  /* "" if the row is good. */
    const char *field; /* That the error names. */
    const char *extra; /* A good row: its warnings; a bad one: 'allowed', if
                        * not NULL. */
};

#define P(...)                                                                 \
    TABLE_BUFFER_POOL, "p",                                                    \
    {                                                                          \
        __VA_ARGS__                                                            \
    }
#define F(...)                                                                 \
    TABLE_BUFFER_PROFILE, "f",                                                 \
    {                                                                          \
        __VA_ARGS__                                                            \
    }
#define GOOD_POOL                                                              \
    {"type", "ingress"},                                                       \
    {                                                                          \
        "mode", "dynamic"                                                      \
    }
#define GOOD_PROFILE                                                           \
    {"pool", "p"},                                                             \
    {                                                                          \
        "size", "0"                                                            \
    }
#define GOOD_PORT                                                              \
    {"lanes", "0,1"},                                                          \
    {                                                                          \
        "speed", "100000"                                                      \
    }
#define SYSTEM_PORT(id, voqs)                                                  \
    {"system_port_id", id}, {"switch_id", "0"}, {"core_index", "0"},           \
        {"core_port_index", "1"}, {"speed", "400000"},                         \
    {                                                                          \
        "num_voq", voqs                                                        \
    }
#define GOOD_SYSTEM_PORT SYSTEM_PORT("7", "8")
#define U64 "0..18446744073709551615"

/* clang-format off */
static const struct row_case row_cases[] = {
    {P(GOOD_POOL, {"size", "1"}), "", "", ""},
    {P({"type", "egress"}, {"mode", "static"}, {"size", "1"}), "", "", ""},
    {P({"type", "both"}, {"mode", "static"}, {"size", "1"}), "", "", ""},
    {P(GOOD_POOL, {"size", "18446744073709551615"}, {"xoff", "0"}),
     "", "", ""},
    {P(GOOD_POOL, {"size", "1"}, {"pol", "x"}), "", "", "unknown-field pol"},
    {P({"type", "Ingress"}, {"mode", "static"}, {"size", "1"}),
     "enum", "type", "ingress, egress, both"},
    {P({"type", "ingress"}, {"mode", "auto"}, {"size", "1"}),
     "enum", "mode", "static, dynamic"},
    {P({"mode", "static"}, {"size", "1"}),
     "mandatory", "type", "ingress, egress, both"},
    {P({"type", "ingress"}, {"size", "1"}), "mandatory", "mode", NULL},
    {P(GOOD_POOL), "mandatory", "size", NULL},
    {P(GOOD_POOL, {"size", "12abc"}), "type", "size", U64},
    {P(GOOD_POOL, {"size", " 12"}), "type", "size", NULL},
    {P(GOOD_POOL, {"size", "1 2"}), "type", "size", NULL},
    {P(GOOD_POOL, {"size", "+1"}), "type", "size", NULL},
    {P(GOOD_POOL, {"size", ""}), "type", "size", NULL},
    {P(GOOD_POOL, {"size", "-"}), "type", "size", NULL},
    {P(GOOD_POOL, {"size", "0x10"}), "type", "size", NULL},
    {P(GOOD_POOL, {"size", "1.5"}), "type", "size", NULL},
    {P(GOOD_POOL, {"size", "-1"}), "range", "size", U64},
    {P(GOOD_POOL, {"size", "18446744073709551616"}), "range", "size", NULL},
    {P(GOOD_POOL, {"size", "1"}, {"xoff", "many"}), "type", "xoff", NULL},
    {P(GOOD_POOL, {"size", "1"}, {"percentage", "10"}),
     "exclusive", "percentage", NULL},
    {P(GOOD_POOL, {"size", "1"}, {"percentage", "-1"}),
     "range", "percentage", "0..100"},
    {P(GOOD_POOL, {"size", "1"}, {"percentage", "101"}),
     "range", "percentage", NULL},
    {P(GOOD_POOL, {"size", "1"}, {"percentage", "half"}),
     "type", "percentage", NULL},
    {TABLE_BUFFER_POOL, "a,b", {GOOD_POOL, {"size", "1"}}, "key", "", NULL},
    {TABLE_BUFFER_POOL, "[a]", {GOOD_POOL, {"size", "1"}}, "key", "", NULL},

    {F(GOOD_PROFILE, {"dynamic_th", "-8"}), "", "", ""},
    {F(GOOD_PROFILE, {"dynamic_th", "7"}), "", "", ""},
    {F(GOOD_PROFILE, {"static_th", "0"}, {"xon", "1"}, {"xoff", "2"},
       {"xon_offset", "3"}), "", "", ""},
    {F(GOOD_PROFILE, {"dynamic_th", "3"}, {"headroom_type", "static"},
       {"packet_discard_action", "trim"}), "", "", ""},
    {F(GOOD_PROFILE, {"dynamic_th", "-9"}), "range", "dynamic_th", "-8..7"},
    {F(GOOD_PROFILE, {"dynamic_th", "8"}), "range", "dynamic_th", "-8..7"},
    {F(GOOD_PROFILE, {"dynamic_th", "1.5"}), "type", "dynamic_th", NULL},
    {F(GOOD_PROFILE, {"static_th", "-1"}), "range", "static_th", NULL},
    {F(GOOD_PROFILE, {"static_th", "1"}, {"dynamic_th", "1"}),
     "exclusive", "dynamic_th", NULL},
    {F(GOOD_PROFILE), "mandatory", "dynamic_th", NULL},
    {F({"pool", "p"}, {"dynamic_th", "1"}), "mandatory", "size", NULL},
    {F({"pool", "p"}, {"size", "-1"}, {"dynamic_th", "1"}),
     "range", "size", NULL},
    {F({"size", "0"}, {"dynamic_th", "1"}),
     "mandatory", "pool", "the name of a BUFFER_POOL"},
    {F({"pool", ""}, {"size", "0"}, {"dynamic_th", "1"}),
     "pattern", "pool", "the name of a BUFFER_POOL"},
    {F({"pool", "a b"}, {"size", "0"}, {"dynamic_th", "1"}),
     "pattern", "pool", NULL},
    {F(GOOD_PROFILE, {"dynamic_th", "1"}, {"xoff", "-1"}),
     "range", "xoff", NULL},
    {F(GOOD_PROFILE, {"dynamic_th", "1"}, {"xon", ""}), "type", "xon", NULL},
    {F(GOOD_PROFILE, {"dynamic_th", "1"}, {"headroom_type", "auto"}),
     "enum", "headroom_type", "static, dynamic"},
    {F(GOOD_PROFILE, {"dynamic_th", "1"}, {"packet_discard_action", "keep"}),
     "enum", "packet_discard_action", "drop, trim"},

    {TABLE_BUFFER_PG, "Ethernet0|3-4", {{"profile", "x"}}, "", "", ""},
    {TABLE_BUFFER_PG, "Ethernet0|3", {{"profile", "NULL"}}, "", "", ""},
    {TABLE_BUFFER_PG, "a,b|0-7", {{NULL, NULL}}, "", "", ""},
    {TABLE_BUFFER_PG, "Ethernet0|3", {{"profile", "x"}, {"pg", "3"}},
     "", "", "unknown-field pg"},
    {TABLE_BUFFER_PG, "Ethernet0|8", {{"profile", "x"}}, "key", "", NULL},
    {TABLE_BUFFER_PG, "Ethernet0|6-8", {{"profile", "x"}}, "key", "",
     "a priority group 0..7, or a range like 3-4"},
    {TABLE_BUFFER_PG, "Ethernet0|3", {{"profile", ""}}, "pattern", "profile",
     "NULL, or the name of a BUFFER_PROFILE"},
    {TABLE_BUFFER_PG, "Ethernet0|3", {{"profile", "a,b"}},
     "pattern", "profile", NULL},
    {TABLE_BUFFER_PG, "[x]|3", {{"profile", "a"}}, "key", "", NULL},

    {TABLE_BUFFER_QUEUE, "Ethernet0|16", {{"profile", "x"}}, "", "", ""},
    {TABLE_BUFFER_QUEUE, "Ethernet0|8-19", {{"profile", "x"}}, "", "", ""},
    {TABLE_BUFFER_QUEUE, "Ethernet0|0-63", {{"profile", "x"}}, "", "", ""},
    {TABLE_BUFFER_QUEUE, "Ethernet0|1", {{NULL, NULL}},
     "mandatory", "profile", "the name of a BUFFER_PROFILE"},
    {TABLE_BUFFER_QUEUE, "Ethernet0|1", {{"profile", "a|b"}},
     "pattern", "profile", NULL},

    {TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, "a,b", {{"profile_list", "x"}},
     "", "", ""},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "a", {{"profile_list", "x,y"}},
     "", "", ""},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "a", {{NULL, NULL}},
     "mandatory", "profile_list",
     "a comma list, each item the name of a BUFFER_PROFILE"},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "a", {{"profile_list", "x,"}},
     "pattern", "profile_list", NULL},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "a", {{"profile_list", "x, y"}},
     "pattern", "profile_list", NULL},
    {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "a", {{"profile_list", "x,y,x"}},
     "duplicate", "profile_list", NULL},
    {TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, "[a]", {{"profile_list", "x"}},
     "key", "", NULL},

    {TABLE_CABLE_LENGTH, "AZURE", {{"Ethernet0", "5m"}, {"x", "0m"}},
     "", "", ""},
    {TABLE_CABLE_LENGTH, "AZURE", {{NULL, NULL}}, "", "", ""},
    {TABLE_CABLE_LENGTH, "AZURE", {{"Ethernet0", "5"}},
     "pattern", "Ethernet0",
     "a whole number of metres followed by m, such as 5m"},
    {TABLE_CABLE_LENGTH, "AZURE", {{"Ethernet0", "5km"}},
     "pattern", "Ethernet0", NULL},
    {TABLE_CABLE_LENGTH, "AZURE", {{"Ethernet0", "-5m"}},
     "pattern", "Ethernet0", NULL},
    {TABLE_CABLE_LENGTH, "AZURE", {{"a,b", "5m"}}, "pattern", "a,b", NULL},
    {TABLE_CABLE_LENGTH, "A2345678901234567890123456789012x", {{"e", "5m"}},
     "key", "", NULL},
    {TABLE_CABLE_LENGTH, "AZ$RE", {{"e", "5m"}}, "key", "", NULL},

    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE",
     {{"default_dynamic_th", "-8"}, {"over_subscribe_ratio", "65535"}},
     "", "", ""},
    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE",
     {{"default_dynamic_th", "7"}}, "", "", ""},
    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE",
     {{"default_dynamic_th", "8"}}, "range", "default_dynamic_th", "-8..7"},
    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE",
     {{"default_dynamic_th", "-9"}}, "range", "default_dynamic_th", NULL},
    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE",
     {{"default_dynamic_th", "x"}}, "type", "default_dynamic_th", NULL},
    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE",
     {{"over_subscribe_ratio", "2"}},
     "mandatory", "default_dynamic_th", NULL},
    {TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE",
     {{"default_dynamic_th", "0"}, {"over_subscribe_ratio", "two"}},
     "type", "over_subscribe_ratio", "0..65535"},

    {TABLE_LOSSLESS_TRAFFIC_PATTERN, "AZURE",
     {{"mtu", "1"}, {"small_packet_percentage", "0"}}, "", "", ""},
    {TABLE_LOSSLESS_TRAFFIC_PATTERN, "AZURE",
     {{"mtu", "9216"}, {"small_packet_percentage", "100"}}, "", "", ""},
    {TABLE_LOSSLESS_TRAFFIC_PATTERN, "AZURE",
     {{"mtu", "0"}, {"small_packet_percentage", "0"}},
     "range", "mtu", "1..9216"},
    {TABLE_LOSSLESS_TRAFFIC_PATTERN, "AZURE",
     {{"mtu", "9217"}, {"small_packet_percentage", "0"}},
     "range", "mtu", NULL},
    {TABLE_LOSSLESS_TRAFFIC_PATTERN, "AZURE",
     {{"mtu", "1500"}, {"small_packet_percentage", "101"}},
     "range", "small_packet_percentage", "0..100"},
    {TABLE_LOSSLESS_TRAFFIC_PATTERN, "AZURE", {{"mtu", "1500"}},
     "mandatory", "small_packet_percentage", NULL},
    {TABLE_LOSSLESS_TRAFFIC_PATTERN, "AZURE",
     {{"small_packet_percentage", "0"}}, "mandatory", "mtu", NULL},

    {TABLE_FLEX_COUNTER_TABLE, "QUEUE_WATERMARK",
     {{"FLEX_COUNTER_STATUS", "enable"}, {"POLL_INTERVAL", "100"},
      {"FLEX_COUNTER_DELAY_STATUS", "true"}, {"BULK_CHUNK_SIZE", "0"},
      {"BULK_CHUNK_SIZE_PER_PREFIX", "SAI_PORT_STAT_IF:32"}}, "", "", ""},
    {TABLE_FLEX_COUNTER_TABLE, "PORT", {{"POLL_INTERVAL", "99"}},
     "range", "POLL_INTERVAL", "100..86400000"},
    {TABLE_FLEX_COUNTER_TABLE, "PORT", {{"POLL_INTERVAL", "86400001"}},
     "range", "POLL_INTERVAL", NULL},
    {TABLE_FLEX_COUNTER_TABLE, "PORT", {{"FLEX_COUNTER_STATUS", "on"}},
     "enum", "FLEX_COUNTER_STATUS", NULL},

    {TABLE_LLR_PROFILE, "a",
     {{"max_outstanding_frames", "524288"},
      {"max_outstanding_bytes", "4294967295"}, {"max_replay_timer", "65535"},
      {"max_replay_count", "255"}, {"pcs_lost_timeout", "4290000000"},
      {"data_age_timeout", "0"}, {"init_action", "discard"},
      {"flush_action", "block"}}, "", "", ""},
    {TABLE_LLR_PROFILE, "a",
     {{"max_outstanding_frames", "0"}, {"max_outstanding_bytes", "0"},
      {"flush_action", "best_effort"}, {"ctlos_spacing_bytes", "16384"}},
     "", "", ""},
    {TABLE_LLR_PROFILE, "a", {{"max_outstanding_frames", "1"}},
     "mandatory", "max_outstanding_bytes", NULL},
    {TABLE_LLR_PROFILE, "a", {{"max_outstanding_bytes", "1"}},
     "mandatory", "max_outstanding_frames", NULL},
    {TABLE_LLR_PROFILE, "a", {{"max_outstanding_frames", "524289"}},
     "range", "max_outstanding_frames", "0..524288"},
    {TABLE_LLR_PROFILE, "a", {{"max_replay_timer", "65536"}},
     "range", "max_replay_timer", "0..65535"},
    {TABLE_LLR_PROFILE, "a", {{"max_replay_count", "0"}},
     "range", "max_replay_count", "1..255"},
    {TABLE_LLR_PROFILE, "a", {{"pcs_lost_timeout", "4290000001"}},
     "range", "pcs_lost_timeout", "0..4290000000"},
    {TABLE_LLR_PROFILE, "a", {{"init_action", "drop"}},
     "enum", "init_action", NULL},
    {TABLE_LLR_PROFILE, "a", {{"ctlos_spacing_bytes", "399"}},
     "range", "ctlos_spacing_bytes", "400..16384"},
    {TABLE_LLR_PROFILE, "a,b",
     {{"max_outstanding_frames", "1"}, {"max_outstanding_bytes", "1"}},
     "key", "", NULL},
    {TABLE_LLR_PORT, "Ethernet0",
     {{"llr_mode", "static"}, {"llr_local", "enabled"},
      {"llr_remote", "disabled"}, {"llr_profile", "a"}}, "", "", ""},
    {TABLE_LLR_PORT, "Ethernet0", {{"llr_mode", "auto"}},
     "enum", "llr_mode", NULL},
    {TABLE_LLR_PORT, "Ethernet0", {{"llr_local", "true"}},
     "enum", "llr_local", NULL},

    {TABLE_SWITCH_TRIMMING, "GLOBAL",
     {{"size", "4294967295"}, {"dscp_value", "63"}, {"tc_value", "15"},
      {"queue_index", "255"}}, "", "", ""},
    {TABLE_SWITCH_TRIMMING, "GLOBAL",
     {{"dscp_value", "from-tc"}, {"queue_index", "dynamic"}}, "", "", ""},
    {TABLE_SWITCH_TRIMMING, "OTHER", {{"size", "1"}}, "key", "", "GLOBAL"},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"other", "1"}},
     "mandatory", "size", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"size", ""}}, "type", "size", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"size", "-1"}}, "range", "size", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"size", "4294967296"}},
     "range", "size", "0..4294967295"},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"dscp_value", ""}},
     "pattern", "dscp_value", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"dscp_value", "-1"}},
     "pattern", "dscp_value", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"dscp_value", "64"}},
     "pattern", "dscp_value", "from-tc, or 0..63"},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"tc_value", ""}},
     "type", "tc_value", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"tc_value", "-1"}},
     "range", "tc_value", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"tc_value", "16"}},
     "range", "tc_value", "0..15"},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"queue_index", ""}},
     "pattern", "queue_index", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"queue_index", "-1"}},
     "pattern", "queue_index", NULL},
    {TABLE_SWITCH_TRIMMING, "GLOBAL", {{"queue_index", "256"}},
     "pattern", "queue_index", "dynamic, or 0..255"},

    {TABLE_WATERMARK_TABLE, "TELEMETRY_INTERVAL", {{"interval", "1"}},
     "", "", ""},
    {TABLE_WATERMARK_TABLE, "TELEMETRY_INTERVAL", {{"interval", "0"}},
     "range", "interval", "1..86400"},
    {TABLE_WATERMARK_TABLE, "OTHER", {{"interval", "1"}}, "key", "", NULL},

    {TABLE_PFC_WD, "Ethernet0",
     {{"detection_time", "100"}, {"restoration_time", "60000"},
      {"action", "alert"}, {"pfc_stat_history", "enable"}}, "", "", ""},
    {TABLE_PFC_WD, "GLOBAL",
     {{"POLL_INTERVAL", "100"}, {"BIG_RED_SWITCH", "enable"}}, "", "", ""},
    {TABLE_PFC_WD, "GLOBAL", {{"POLL_INTERVAL", "99"}},
     "range", "POLL_INTERVAL", "100..1000"},
    {TABLE_PFC_WD, "GLOBAL", {{"POLL_INTERVAL", "1001"}},
     "range", "POLL_INTERVAL", NULL},
    {TABLE_PFC_WD, "GLOBAL", {{"detection_time", "200"}},
     "exclusive", "action", NULL},
    {TABLE_PFC_WD, "Ethernet0",
     {{"detection_time", "200"}, {"POLL_INTERVAL", "200"}},
     "exclusive", "POLL_INTERVAL", NULL},
    {TABLE_PFC_WD, "Ethernet0", {{"action", "drop"}},
     "mandatory", "detection_time", NULL},
    {TABLE_PFC_WD, "Ethernet0", {{"detection_time", "99"}},
     "range", "detection_time", "100..5000"},
    {TABLE_PFC_WD, "Ethernet0", {{"detection_time", "5001"}},
     "range", "detection_time", NULL},
    {TABLE_PFC_WD, "Ethernet0",
     {{"detection_time", "200"}, {"restoration_time", "99"}},
     "range", "restoration_time", "100..60000"},
    {TABLE_PFC_WD, "Ethernet0",
     {{"detection_time", "200"}, {"restoration_time", "60001"}},
     "range", "restoration_time", NULL},
    {TABLE_PFC_WD, "Ethernet0",
     {{"detection_time", "200"}, {"action", "pause"}},
     "enum", "action", "drop, forward, alert"},
    {TABLE_PFC_WD, "Ethernet0",
     {{"detection_time", "200"}, {"pfc_stat_history", "on"}},
     "enum", "pfc_stat_history", "enable, disable"},

    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"0", "0"}, {"63", "15"}}, "", "", ""},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"64", "0"}}, "range", "64", "0..63"},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"-1", "0"}}, "range", "-1", "0..63"},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"3", "16"}}, "range", "3", "0..15"},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"3", "300"}}, "range", "3", "0..15"},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"x", "0"}}, "type", "x", "0..63"},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"", "0"}}, "type", "", "0..63"},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"3", ""}}, "type", "3", "0..15"},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{"3", "1"}, {"03", "2"}},
     "duplicate", "03", NULL},
    {TABLE_DSCP_TO_TC_MAP, "AZURE", {{NULL, NULL}}, "mandatory", "", NULL},
    {TABLE_DSCP_TO_TC_MAP, "A234567890123456789012345678901_", {{"3", "1"}},
     "", "", ""},
    {TABLE_DSCP_TO_TC_MAP, "A2345678901234567890123456789012x", {{"3", "1"}},
     "key", "", NULL},
    {TABLE_DSCP_TO_TC_MAP, "AZ$RE", {{"3", "1"}}, "key", "", NULL},
    {TABLE_DSCP_TO_TC_MAP, "_AZURE", {{"3", "1"}}, "key", "", NULL},
    {TABLE_TC_TO_QUEUE_MAP, "AZURE", {{"15", "9"}}, "", "", ""},
    {TABLE_TC_TO_QUEUE_MAP, "AZURE", {{"16", "1"}}, "range", "16", "0..15"},
    {TABLE_TC_TO_QUEUE_MAP, "AZURE", {{"1", "10"}}, "range", "1", "0..9"},
    {TABLE_TC_TO_PRIORITY_GROUP_MAP, "AZURE", {{"15", "7"}}, "", "", ""},
    {TABLE_TC_TO_PRIORITY_GROUP_MAP, "AZURE", {{"1", "8"}},
     "range", "1", "0..7"},
    {TABLE_TC_TO_PRIORITY_GROUP_MAP, "AZURE", {{"16", "1"}},
     "range", "16", "0..15"},

    {TABLE_DOT1P_TO_TC_MAP, "AZURE", {{"0", "0"}, {"7", "15"}},
     "", "", ""},
    {TABLE_DOT1P_TO_TC_MAP, "AZURE", {{"8", "0"}},
     "range", "8", "0..7"},
    {TABLE_DOT1P_TO_TC_MAP, "AZURE", {{"0", "16"}},
     "range", "0", "0..15"},
    {TABLE_DOT1P_TO_TC_MAP, "AZURE", {{"0", ""}},
     "type", "0", "0..15"},
    {TABLE_DOT1P_TO_TC_MAP, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_MPLS_TC_TO_TC_MAP, "AZURE", {{"0", "0"}, {"7", "15"}},
     "", "", ""},
    {TABLE_MPLS_TC_TO_TC_MAP, "AZURE", {{"8", "0"}},
     "range", "8", "0..7"},
    {TABLE_MPLS_TC_TO_TC_MAP, "AZURE", {{"0", "16"}},
     "range", "0", "0..15"},
    {TABLE_MPLS_TC_TO_TC_MAP, "AZURE", {{"0", ""}},
     "type", "0", "0..15"},
    {TABLE_MPLS_TC_TO_TC_MAP, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_TC_TO_DSCP_MAP, "AZURE", {{"0", "0"}, {"15", "63"}},
     "", "", ""},
    {TABLE_TC_TO_DSCP_MAP, "AZURE", {{"16", "0"}},
     "range", "16", "0..15"},
    {TABLE_TC_TO_DSCP_MAP, "AZURE", {{"0", "64"}},
     "range", "0", "0..63"},
    {TABLE_TC_TO_DSCP_MAP, "AZURE", {{"0", ""}},
     "type", "0", "0..63"},
    {TABLE_TC_TO_DSCP_MAP, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_TC_TO_DOT1P_MAP, "AZURE", {{"0", "0"}, {"15", "7"}},
     "", "", ""},
    {TABLE_TC_TO_DOT1P_MAP, "AZURE", {{"16", "0"}},
     "range", "16", "0..15"},
    {TABLE_TC_TO_DOT1P_MAP, "AZURE", {{"0", "8"}},
     "range", "0", "0..7"},
    {TABLE_TC_TO_DOT1P_MAP, "AZURE", {{"0", ""}},
     "type", "0", "0..7"},
    {TABLE_TC_TO_DOT1P_MAP, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, "AZURE",
     {{"0", "0"}, {"7", "7"}},
     "", "", ""},
    {TABLE_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, "AZURE", {{"8", "0"}},
     "range", "8", "0..7"},
    {TABLE_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, "AZURE", {{"0", "8"}},
     "range", "0", "0..7"},
    {TABLE_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, "AZURE", {{"0", ""}},
     "type", "0", "0..7"},
    {TABLE_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_MAP_PFC_PRIORITY_TO_QUEUE, "AZURE", {{"0", "0"}, {"7", "7"}},
     "", "", ""},
    {TABLE_MAP_PFC_PRIORITY_TO_QUEUE, "AZURE", {{"8", "0"}},
     "range", "8", "0..7"},
    {TABLE_MAP_PFC_PRIORITY_TO_QUEUE, "AZURE", {{"0", "8"}},
     "range", "0", "0..7"},
    {TABLE_MAP_PFC_PRIORITY_TO_QUEUE, "AZURE", {{"0", ""}},
     "type", "0", "0..7"},
    {TABLE_MAP_PFC_PRIORITY_TO_QUEUE, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_DSCP_TO_FC_MAP, "AZURE", {{"0", "0"}, {"63", "254"}},
     "", "", ""},
    {TABLE_DSCP_TO_FC_MAP, "AZURE", {{"64", "0"}},
     "range", "64", "0..63"},
    {TABLE_DSCP_TO_FC_MAP, "AZURE", {{"0", "255"}},
     "range", "0", "0..254"},
    {TABLE_DSCP_TO_FC_MAP, "AZURE", {{"0", ""}},
     "type", "0", "0..254"},
    {TABLE_DSCP_TO_FC_MAP, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_EXP_TO_FC_MAP, "AZURE", {{"0", "0"}, {"7", "254"}},
     "", "", ""},
    {TABLE_EXP_TO_FC_MAP, "AZURE", {{"8", "0"}},
     "range", "8", "0..7"},
    {TABLE_EXP_TO_FC_MAP, "AZURE", {{"0", "255"}},
     "range", "0", "0..254"},
    {TABLE_EXP_TO_FC_MAP, "AZURE", {{"0", ""}},
     "type", "0", "0..254"},
    {TABLE_EXP_TO_FC_MAP, "AZURE", {{NULL, NULL}},
     "mandatory", "", NULL},
    {TABLE_SCHEDULER, "scheduler.0", {{"type", "DWRR"}, {"weight", "100"}},
     "", "", ""},
    {TABLE_SCHEDULER, "scheduler.0",
     {{"type", "WRR"}, {"weight", "1"}, {"meter_type", "packets"}},
     "", "", ""},
    {TABLE_SCHEDULER, "scheduler.0", {{"type", "STRICT"}},
     "", "", ""},
    {TABLE_SCHEDULER, "scheduler.0", {{"pir", "100"}, {"pbs", "8192"}},
     "", "", ""},
    {TABLE_SCHEDULER, "scheduler.0",
     {{"cir", "5"}, {"pir", "5"}, {"cbs", "6"}, {"pbs", "6"}},
     "", "", ""},
    {TABLE_SCHEDULER, "scheduler.0",
     {{"cir", "18446744073709551615"}, {"cbs", "4294967295"}},
     "", "", ""},
    {TABLE_SCHEDULER, "scheduler.0", {{"priority", "9"}, {"weight", "2"}},
     "", "", ""},
    {TABLE_SCHEDULER, "scheduler.0", {{"weight", "0"}},
     "range", "weight", "1..100"},
    {TABLE_SCHEDULER, "scheduler.0", {{"weight", "101"}},
     "range", "weight", "1..100"},
    {TABLE_SCHEDULER, "scheduler.0", {{"type", "dwrr"}},
     "enum", "type", "DWRR, WRR, STRICT"},
    {TABLE_SCHEDULER, "scheduler.0", {{"meter_type", "bits"}},
     "enum", "meter_type", "packets, bytes"},
    {TABLE_SCHEDULER, "scheduler.0", {{"priority", "10"}},
     "range", "priority", "0..9"},
    {TABLE_SCHEDULER, "scheduler.0", {{"cir", "10"}, {"pir", "9"}},
     "min-above-max", "pir", NULL},
    {TABLE_SCHEDULER, "scheduler.0",
     {{"cir", "10"}, {"cbs", "9"}, {"pir", "10"}, {"pbs", "8"}},
     "min-above-max", "pbs", NULL},
    {TABLE_SCHEDULER, "scheduler.0", {{"cbs", "9"}},
     "mandatory", "cbs", NULL},
    {TABLE_SCHEDULER, "scheduler.0", {{"pbs", "9"}},
     "mandatory", "pbs", NULL},
    {TABLE_SCHEDULER, "scheduler.0", {{"cir", "-1"}},
     "range", "cir", NULL},
    {TABLE_SCHEDULER, "scheduler.0", {{"cir", "1"}, {"cbs", "4294967296"}},
     "range", "cbs", "0..4294967295"},
    {TABLE_SCHEDULER, "a,b", {{"weight", "1"}},
     "key", "", NULL},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"ecn", "ecn_all"}},
     "", "", ""},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"green_min_threshold", "0"}, {"green_max_threshold", "4294967295"},
      {"wred_green_enable", "true"}, {"green_drop_probability", "0"}},
     "", "", ""},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"red_min_threshold", "5"}, {"red_max_threshold", "5"},
      {"red_drop_probability", "100"}, {"ecn", "ecn_green_yellow"}},
     "", "", ""},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"yellow_min_threshold", "5"}},
     "", "", ""},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"green_min_threshold", "10"}, {"green_max_threshold", "9"}},
     "min-above-max", "green_min_threshold", NULL},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"green_max_threshold", "4294967296"}},
     "range", "green_max_threshold", "0..4294967295"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"green_drop_probability", "101"}},
     "range", "green_drop_probability", "0..100"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"wred_green_enable", "yes"}},
     "enum", "wred_green_enable", "true, false"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"yellow_min_threshold", "10"}, {"yellow_max_threshold", "9"}},
     "min-above-max", "yellow_min_threshold", NULL},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"yellow_max_threshold", "4294967296"}},
     "range", "yellow_max_threshold", "0..4294967295"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"yellow_drop_probability", "101"}},
     "range", "yellow_drop_probability", "0..100"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"wred_yellow_enable", "yes"}},
     "enum", "wred_yellow_enable", "true, false"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"red_min_threshold", "10"}, {"red_max_threshold", "9"}},
     "min-above-max", "red_min_threshold", NULL},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS",
     {{"red_max_threshold", "4294967296"}},
     "range", "red_max_threshold", "0..4294967295"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"red_drop_probability", "101"}},
     "range", "red_drop_probability", "0..100"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"wred_red_enable", "yes"}},
     "enum", "wred_red_enable", "true, false"},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"ecn", "ecn_blue"}},
     "enum", "ecn", NULL},
    {TABLE_WRED_PROFILE, "AZURE_LOSSLESS", {{"ecn", ""}},
     "enum", "ecn", NULL},
    {TABLE_WRED_PROFILE, "A2345678901234567890123456789012x",
     {{"ecn", "ecn_all"}},
     "key", "", NULL},
    {TABLE_QUEUE, "Ethernet0|3-4",
     {{"scheduler", "scheduler.0"}, {"wred_profile", "AZURE_LOSSLESS"}},
     "", "", ""},
    {TABLE_QUEUE, "Ethernet0,Ethernet4|19", {{NULL, NULL}},
     "", "", ""},
    {TABLE_QUEUE, "CPU|0-7", {{"scheduler", "s"}},
     "", "", ""},
    {TABLE_QUEUE, "Ethernet0|3", {{"scheduler", "a,b"}},
     "pattern", "scheduler", "the name of a SCHEDULER"},
    {TABLE_QUEUE, "Ethernet0|3", {{"wred_profile", "$"}},
     "pattern", "wred_profile", "the name of a WRED_PROFILE"},

    {TABLE_PORT_QOS_MAP, "Ethernet0",
     {{"dscp_to_tc_map", "AZURE"}, {"tc_to_queue_map", "AZURE"},
      {"tc_to_pg_map", "AZURE"}, {"pfc_to_pg_map", "AZURE"},
      {"pfc_to_queue_map", "AZURE"}, {"scheduler", "s.0"},
      {"pfc_enable", "3,4"}, {"pfcwd_sw_enable", "3"}}, "", "", ""},
    {TABLE_PORT_QOS_MAP, "a,b", {{"pfc_enable", ""}, {"pfcwd_sw_enable", ""}},
     "", "", ""},
    {TABLE_PORT_QOS_MAP, "Ethernet0", {{NULL, NULL}}, "", "", ""},
    {TABLE_PORT_QOS_MAP, "Ethernet0", {{"pfc_enable", "8"}},
     "pattern", "pfc_enable",
     "priorities 0..7 separated by commas, or nothing"},
    {TABLE_PORT_QOS_MAP, "Ethernet0", {{"pfc_enable", "3,"}},
     "pattern", "pfc_enable", NULL},
    {TABLE_PORT_QOS_MAP, "Ethernet0", {{"pfc_enable", "3, 4"}},
     "pattern", "pfc_enable", NULL},
    {TABLE_PORT_QOS_MAP, "Ethernet0", {{"pfcwd_sw_enable", "3-4"}},
     "pattern", "pfcwd_sw_enable", NULL},
    {TABLE_PORT_QOS_MAP, "Ethernet0", {{"dscp_to_tc_map", "A B"}},
     "pattern", "dscp_to_tc_map", "the name of a DSCP_TO_TC_MAP"},
    {TABLE_PORT_QOS_MAP, "Ethernet0", {{"pfc_to_pg_map", "$"}},
     "pattern", "pfc_to_pg_map",
     "the name of a PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"},
    {TABLE_PORT_QOS_MAP, "global", {{"dscp_to_tc_map", "AZURE"}}, "", "", ""},
    {TABLE_PORT_QOS_MAP, "global",
     {{"dscp_to_tc_map", "AZURE"}, {"pfc_enable", "8"}},
     "", "", "ignored-field pfc_enable"},
    {TABLE_PORT_QOS_MAP, "global,Ethernet0", {{"dscp_to_tc_map", "AZURE"}},
     "key", "", NULL},

    {TABLE_PORT, "Ethernet0",
     {GOOD_PORT, {"mtu", "9216"}, {"admin_status", "up"}, {"alias", "a b"},
      {"fec", "rs"}}, "", "", ""},
    {TABLE_SYSTEM_PORT, "lc1|asic0|Ethernet0", {GOOD_SYSTEM_PORT},
     "", "", ""},
    {TABLE_SYSTEM_PORT, "lc1|Asic12|Ethernet0", {GOOD_SYSTEM_PORT},
     "", "", ""},
    {TABLE_SYSTEM_PORT, "lc_1|asic0|Ethernet0", {GOOD_SYSTEM_PORT},
     "key", "", NULL},
    {TABLE_SYSTEM_PORT, "lc1|core0|Ethernet0", {GOOD_SYSTEM_PORT},
     "key", "", "'asic' and a number"},
    {TABLE_SYSTEM_PORT, "lc1|asic0|[x]", {GOOD_SYSTEM_PORT},
     "key", "", NULL},
    {TABLE_SYSTEM_PORT, "lc1|asic0|Ethernet0", {SYSTEM_PORT("-1", "8")},
     "range", "system_port_id", "0..4294967295"},
    {TABLE_SYSTEM_PORT, "lc1|asic0|Ethernet0", {SYSTEM_PORT("1", "9")},
     "range", "num_voq", "1..8"},
    {TABLE_SYSTEM_PORT, "lc1|asic0|Ethernet0", {{"speed", "1"}},
     "mandatory", "system_port_id", "0..4294967295"},
    {TABLE_SYSTEM_PORT, "lc1|asic0|Ethernet0",
     {GOOD_SYSTEM_PORT, {"num_voqs", "8"}}, "", "",
     "unknown-field num_voqs (did you mean 'num_voq'?)"},
    {TABLE_BUFFER_QUEUE, "lc1|asic0|Ethernet0,Ethernet4|3",
     {{"profile", "f"}}, "", "", ""},
    {TABLE_BUFFER_QUEUE, "lc1|core0|Ethernet0|3", {{"profile", "f"}},
     "key", "", "'asic' and a number"},
    {TABLE_BUFFER_QUEUE, "lc1|asic0|Ethernet0|3", {{"profil", "f"}},
     "mandatory", "profile", NULL},
    {TABLE_QUEUE, "lc1|asic0|Ethernet0|3-4", {{"scheduler", "s"}},
     "", "", ""},
    {TABLE_QUEUE, "-|asic0|Ethernet0|3", {{"scheduler", "s"}},
     "key", "", NULL},

    {TABLE_PORT, "swp1s0",
     {GOOD_PORT, {"mtu", "68"}, {"autoneg", "on"}, {"adv_speeds", "all"},
      {"pfc_asym", "off"}, {"role", "Dpc"}}, "", "", ""},
    {TABLE_PORT, "Ethernet0", {{"speed", "1"}}, "mandatory", "lanes", NULL},
    {TABLE_PORT, "Ethernet0", {{"lanes", "0"}},
     "mandatory", "speed", "1..1600000"},
    {TABLE_PORT, "Ethernet0", {{"lanes", "0,1,"}, {"speed", "1"}},
     "pattern", "lanes", NULL},
    {TABLE_PORT, "Ethernet0", {{"lanes", "4294967296"}, {"speed", "1"}},
     "pattern", "lanes", NULL},
    {TABLE_PORT, "Ethernet0", {{"lanes", "1,1,2,3"}, {"speed", "1"}},
     "duplicate", "lanes", "different lanes"},
    {TABLE_PORT, "Ethernet0", {{"lanes", "0"}, {"speed", "0"}},
     "range", "speed", NULL},
    {TABLE_PORT, "Ethernet0", {{"lanes", "0"}, {"speed", "1600001"}},
     "range", "speed", NULL},
    {TABLE_PORT, "Ethernet0", {{"lanes", "0"}, {"speed", "100G"}},
     "type", "speed", NULL},
    {TABLE_PORT, "Ethernet0", {GOOD_PORT, {"mtu", "67"}},
     "range", "mtu", "68..9216"},
    {TABLE_PORT, "Ethernet0", {GOOD_PORT, {"mtu", "9217"}},
     "range", "mtu", NULL},
    {TABLE_PORT, "Ethernet0", {GOOD_PORT, {"admin_status", "UP"}},
     "enum", "admin_status", "up, down"},
    {TABLE_PORT, "Ethernet0", {GOOD_PORT, {"adv_speeds", "fast"}},
     "pattern", "adv_speeds", NULL},
    {TABLE_PORT, "Ethernet0", {GOOD_PORT, {"pfc_asym", "true"}},
     "enum", "pfc_asym", "on, off"},
    {TABLE_PORT, "Ethernet0", {GOOD_PORT, {"fec", "xx"}},
     "enum", "fec", "none, rs, fc, auto"},
    {TABLE_PORT, "Ethernet0", {GOOD_PORT, {"role", "Out"}},
     "enum", "role", NULL},

    {TABLE_DEVICE_METADATA, "localhost",
     {{"buffer_model", "traditional"}, {"switch_type", "switch"},
      {"hwsku", "x"}, {"mac", "02:00:00:00:00:01"}}, "", "", ""},
    {TABLE_DEVICE_METADATA, "localhost",
     {{"buffer_model", "fast"}, {"switch_type", "router"}, {"hwsku", "x"}},
     "", "", "unusable-field buffer_model (allowed: dynamic|traditional), "
     "unusable-field switch_type (allowed: npu|switch|voq|chassis-packet|"
     "fabric|dpu|dummy-sup)"},
    {TABLE_DEVICE_METADATA, "otherhost", {{"hwsku", "x"}}, "key", "",
     "localhost"},
};
/* clang-format on */

static size_t
count_fields(const struct field *fields)
{
    size_t n = 0;

    while (n < MAX_FIELDS && fields[n].name) {
        n++;
    }
    return n;
}

/* Puts one row to 'schema' from its parts; asserts that its key is well
 * formed. */
static enum st
check(struct schema *schema, const struct row_case *c, const char *model,
      struct field *canonical, struct text *warnings, struct err *err)
{
    struct key key;
    struct schema_row row = {
        c->table, &key, c->fields, count_fields(c->fields), model, false, NULL};
    enum st status;

    assert_int_equal(key_parse(c->table, c->key, &key, NULL), ST_OK);
    status = schema_check_row(schema, &row, canonical, warnings, err);
    key_fini(&key);
    return status;
}

static void
check_case(struct schema *schema, const struct row_case *c, size_t number)
{
    struct field canonical[MAX_FIELDS];
    struct text warnings = {0};
    struct err err = {0};
    enum st status = check(schema, c, NULL, canonical, &warnings, &err);
    const char *reported = status ? err.allowed : text_string(&warnings);

    if (strcmp(err.code, c->code) != 0 || strcmp(err.field, c->field) != 0 ||
        (c->extra && strcmp(reported, c->extra) != 0)) {
        fail_msg("case %zu, %s|%s: code \"%s\" field \"%s\" reported \"%s\"",
                 number, table_name(c->table), c->key, err.code, err.field,
                 reported);
    }
    assert_int_equal(status, *c->code ? ST_INVALID : ST_OK);
    if (status) {
        assert_string_not_equal(err.reason, "");
        assert_string_not_equal(err.remedy, "");
    }
    text_fini(&warnings);
}

static void
test_rows_are_judged_by_types_and_rules(void **state)
{
    for (size_t i = 0; i < N(row_cases); i++) {
        check_case(*state, &row_cases[i], i);
    }
}

/* Judges 'n' fields of a map, of which 'accepted' were judged before; returns
 * the code of the error and what the fields became, as one text. */
static void
judge_map(struct schema *schema, const struct field *fields, size_t n,
          const struct content *accepted, char *text, size_t size)
{
    struct field canonical[4];
    struct text warnings = {0};
    struct err err = {0};
    struct key key;
    struct schema_row row = {
        TABLE_DSCP_TO_TC_MAP, &key, fields, n, NULL, false, accepted};

    assert_int_equal(key_parse(row.table, "m", &key, NULL), ST_OK);
    if (schema_check_row(schema, &row, canonical, &warnings, &err)) {
        text_format(text, size, "%s %s %s", err.code, err.field, err.value);
    } else {
        text[0] = '\0';
        for (size_t i = 0; i < n; i++) {
            size_t length = strlen(text);

            text_format(text + length, size - length, "%s=%s ",
                        canonical[i].name, canonical[i].value);
        }
    }
    text_fini(&warnings);
    key_fini(&key);
}

/* What was accepted before makes no difference to the verdict. */
static void
test_accepted_fields_change_no_verdict(void **state)
{
    static const char *const names[] = {"03", "1", "3", "5", "64"};
    static const char *const values[] = {"2", "02", "99"};
    static const struct field before[] = {{"1", "2"}, {"3", "2"}, {"7", "5"}};
    struct content *accepted = content_create(before, N(before));
    const size_t n = N(names) * N(values);

    for (size_t i = 0; i < n * n * n; i++) {
        const size_t picks[] = {i % n, i / n % n, i / n / n};
        struct field fields[3];
        char with[128], without[128];

        for (size_t j = 0; j < 3; j++) {
            fields[j] = (struct field){names[picks[j] / N(values)],
                                       values[picks[j] % N(values)]};
        }
        if (strcmp(fields[0].name, fields[1].name) >= 0 ||
            strcmp(fields[1].name, fields[2].name) >= 0) {
            continue; /* As the database has them: sorted, and distinct. */
        }
        judge_map(*state, fields, 3, NULL, without, sizeof without);
        judge_map(*state, fields, 3, accepted, with, sizeof with);
        assert_string_equal(with, without);
    }
    free(accepted);
}

static void
test_numbers_become_canonical(void **state)
{
    static const struct row_case c = {F({"pool", "007"}, {"size", "00"},
                                        {"dynamic_th", "-01"}, {"xoff", "-0"},
                                        {"extra", "1"}),
                                      "", "", ""};
    static const char *const values[] = {"007", "0", "-1", "0"};
    static const struct row_case map = {
        TABLE_DSCP_TO_TC_MAP, "m", {{"08", "03"}}, "", "", ""};
    struct field canonical[MAX_FIELDS];
    struct text warnings = {0};

    assert_int_equal(check(*state, &c, NULL, canonical, &warnings, NULL),
                     ST_OK);
    for (size_t i = 0; i < N(values); i++) {
        assert_string_equal(canonical[i].name, c.fields[i].name);
        assert_string_equal(canonical[i].value, values[i]);
    }
    assert_null(canonical[4].name);
    assert_int_equal(check(*state, &map, NULL, canonical, &warnings, NULL),
                     ST_OK);
    assert_string_equal(canonical[0].name, "8");
    assert_string_equal(canonical[0].value, "3");
    text_fini(&warnings);
}

/* What was found good is remembered, in few places: values must not be taken
 * for others, nor for those of other fields, nor long ones for their like. */
static void
test_values_are_not_taken_for_others(void **state)
{
    char size[64], digits[64];

    for (unsigned int i = 0; i < 4000; i++) {
        unsigned int value = i / 2 % 1500;
        struct row_case c = {P(GOOD_POOL, {"size", size}, {"xoff", digits}), "",
                             NULL, NULL};
        struct field canonical[MAX_FIELDS];
        struct text warnings = {0};

        /* Each twice; some are too long to be remembered. */
        snprintf(size, sizeof size, "%0*u", i % 3 ? 6 : 40, value);
        snprintf(digits, sizeof digits, "%u", value);
        assert_int_equal(check(*state, &c, NULL, canonical, &warnings, NULL),
                         ST_OK);
        assert_string_equal(canonical[2].value, digits);
        assert_string_equal(canonical[3].value, digits);
        text_fini(&warnings);

        /* A good size is no good threshold. */
        c = (struct row_case){F(GOOD_PROFILE, {"dynamic_th", digits}), "", NULL,
                              NULL};
        assert_int_equal(check(*state, &c, NULL, canonical, &warnings, NULL),
                         value <= 7 ? ST_OK : ST_INVALID);
        text_fini(&warnings);
    }
}

static void
test_unusable_metadata_keeps_its_name_without_value(void **state)
{
    static const struct row_case c = {TABLE_DEVICE_METADATA,
                                      "localhost",
                                      {{"buffer_model", "x"}, {"mac", "y"}},
                                      "",
                                      "",
                                      ""};
    struct field canonical[MAX_FIELDS];
    struct text warnings = {0};

    assert_int_equal(check(*state, &c, NULL, canonical, &warnings, NULL),
                     ST_OK);
    assert_string_equal(canonical[0].name, "buffer_model");
    assert_null(canonical[0].value);
    assert_string_equal(canonical[1].value, "y");
    text_fini(&warnings);
}

/* Rows that depend on the buffer model: the code without one, with the
 * traditional and with the dynamic one. */
static const struct {
    struct row_case row;
    const char *codes[3];
} model_cases[] = {
    {{P(GOOD_POOL, {"size", "1"}), "", "", ""}, {"", "", ""}},
    {{P(GOOD_POOL), "", "", ""}, {"mandatory", "mandatory", ""}},
    {{P(GOOD_POOL, {"percentage", "100"}), "", "", ""},
     {"mandatory", "mandatory", ""}},
    {{P(GOOD_POOL, {"size", "1"}, {"percentage", "1"}), "", "", ""},
     {"exclusive", "exclusive", "exclusive"}},
    {{F({"pool", "p"}, {"dynamic_th", "1"}, {"headroom_type", "dynamic"}), "",
      "", ""},
     {"mandatory", "mandatory", ""}},
    {{F({"pool", "p"}, {"dynamic_th", "1"}), "", "", ""},
     {"mandatory", "mandatory", "mandatory"}},
};

static void
test_buffer_model_decides_what_is_needed(void **state)
{
    static const char *const models[] = {NULL, "traditional", "dynamic"};

    for (size_t i = 0; i < N(model_cases); i++) {
        for (size_t j = 0; j < N(models); j++) {
            struct field canonical[MAX_FIELDS];
            struct text warnings = {0};
            struct err err = {0};
            enum st status = check(*state, &model_cases[i].row, models[j],
                                   canonical, &warnings, &err);

            assert_string_equal(err.code, model_cases[i].codes[j]);
            assert_int_equal(status, err.status);
            text_fini(&warnings);
        }
    }
    for (int i = 0; i < N_TABLES; i++) {
        assert_int_equal(schema_needs_model(*state, (enum table)i),
                         i == TABLE_BUFFER_POOL || i == TABLE_BUFFER_PROFILE);
    }
}

static void
test_strict_rejects_unknown_fields_but_in_metadata(void **state)
{
    static const struct field field = {"x", "y"};
    struct field canonical[1];
    struct text warnings = {0};
    struct err err = {0};
    struct key key;
    struct schema_row row = {
        TABLE_BUFFER_PG, &key, &field, 1, NULL, true, NULL};

    assert_int_equal(key_parse(row.table, "Ethernet0|3", &key, NULL), ST_OK);
    assert_int_equal(schema_check_row(*state, &row, canonical, &warnings, &err),
                     ST_INVALID);
    assert_string_equal(err.code, "unknown-field");
    assert_string_equal(err.field, "x");
    assert_string_equal(err.allowed, "profile");
    key_fini(&key);
    row.table = TABLE_DEVICE_METADATA;
    assert_int_equal(key_parse(row.table, "localhost", &key, NULL), ST_OK);
    assert_int_equal(schema_check_row(*state, &row, canonical, &warnings, &err),
                     ST_OK);
    assert_string_equal(text_string(&warnings), "unknown-field x");
    key_fini(&key);
    text_fini(&warnings);
}

static void
test_names_of_fields_are_known(void **state)
{
    struct err err = {0};

    assert_int_equal(schema_check_name(*state, TABLE_BUFFER_POOL, "size", &err),
                     ST_OK);
    assert_int_equal(
        schema_check_name(*state, TABLE_DSCP_TO_TC_MAP, "64000", &err), ST_OK);
    assert_int_equal(schema_check_name(*state, TABLE_BUFFER_POOL, "sise", &err),
                     ST_INVALID);
    assert_string_equal(err.code, "unknown-field");
    assert_string_equal(err.field, "sise");
    assert_string_equal(err.reason, "BUFFER_POOL has no field sise (did you "
                                    "mean 'size'?)");
    assert_non_null(strstr(err.allowed, "mode"));
    assert_int_equal(
        schema_check_name(*state, TABLE_DEVICE_METADATA, "hwskus", &err),
        ST_INVALID);
}

static void
test_references_name_their_table(void **state)
{
    static const struct {
        enum table table;
        const char *field, *target;
    } cases[] = {
        {TABLE_BUFFER_PROFILE, "pool", "BUFFER_POOL"},
        {TABLE_BUFFER_PG, "profile", "BUFFER_PROFILE"},
        {TABLE_BUFFER_QUEUE, "profile", "BUFFER_PROFILE"},
        {TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, "profile_list",
         "BUFFER_PROFILE"},
        {TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "profile_list",
         "BUFFER_PROFILE"},
        {TABLE_PORT_QOS_MAP, "dscp_to_tc_map", "DSCP_TO_TC_MAP"},
        {TABLE_PORT_QOS_MAP, "tc_to_queue_map", "TC_TO_QUEUE_MAP"},
        {TABLE_PORT_QOS_MAP, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP"},
        {TABLE_PORT_QOS_MAP, "dot1p_to_tc_map", "DOT1P_TO_TC_MAP"},
        {TABLE_PORT_QOS_MAP, "mpls_tc_to_tc_map", "MPLS_TC_TO_TC_MAP"},
        {TABLE_PORT_QOS_MAP, "tc_to_dscp_map", "TC_TO_DSCP_MAP"},
        {TABLE_PORT_QOS_MAP, "tc_to_dot1p_map", "TC_TO_DOT1P_MAP"},
        {TABLE_PORT_QOS_MAP, "pfc_to_pg_map",
         "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"},
        {TABLE_PORT_QOS_MAP, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"},
        {TABLE_PORT_QOS_MAP, "dscp_to_fc_map", "DSCP_TO_FC_MAP"},
        {TABLE_PORT_QOS_MAP, "exp_to_fc_map", "EXP_TO_FC_MAP"},
        {TABLE_PORT_QOS_MAP, "scheduler", "SCHEDULER"},
        {TABLE_QUEUE, "scheduler", "SCHEDULER"},
        {TABLE_QUEUE, "wred_profile", "WRED_PROFILE"},
    };

    for (size_t i = 0; i < N(cases); i++) {
        const char *target =
            schema_reference(*state, cases[i].table, cases[i].field);
        enum table table;

        assert_non_null(target);
        assert_string_equal(target, cases[i].target);
        assert_true(table_find(target, strlen(target), &table));
    }
    assert_null(schema_reference(*state, TABLE_PORT_QOS_MAP, "pfc_enable"));
    assert_null(schema_reference(*state, TABLE_PORT_QOS_MAP, "nonsense"));
    assert_null(schema_reference(*state, TABLE_SCHEDULER, "weight"));
}

/* Bytes of all sorts must be answered, and never harm. */
static void
test_arbitrary_bytes_are_answered(void **state)
{
    uint64_t seed = 0x9e3779b97f4a7c15u;

    for (int i = 0; i < 20000; i++) {
        const struct row_case *c = &row_cases[(size_t)i % N(row_cases)];
        struct row_case spoilt = *c;
        struct field canonical[MAX_FIELDS];
        struct text warnings = {0};
        struct err err = {0};
        char bytes[12];

        for (size_t j = 0; j < sizeof bytes - 1; j++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            bytes[j] = (char)(seed % 7 ? seed & 0xff : '0' + seed % 10);
        }
        bytes[sizeof bytes - 1] = '\0';
        if (i % 3) {
            spoilt.fields[0].value = bytes;
        } else {
            spoilt.fields[0].name = bytes;
            spoilt.fields[0].value = "1";
        }
        if (check(*state, &spoilt, NULL, canonical, &warnings, &err)) {
            assert_string_not_equal(err.code, "");
        }
        text_fini(&warnings);
    }
}

static void
test_long_warnings_are_cut(void **state)
{
    struct field fields[200], canonical[200];
    struct text warnings = {0};
    struct key key;
    struct schema_row row = {TABLE_BUFFER_PG, &key, fields, N(fields), NULL,
                             false,           NULL};
    char names[200][8];

    assert_int_equal(key_parse(row.table, "Ethernet0|3", &key, NULL), ST_OK);
    for (size_t i = 0; i < N(fields); i++) {
        snprintf(names[i], sizeof names[i], "x%zu", i);
        fields[i] = (struct field){names[i], "y"};
    }
    assert_int_equal(schema_check_row(*state, &row, canonical, &warnings, NULL),
                     ST_OK);
    assert_true(warnings.length < 1024);
    text_fini(&warnings);
    key_fini(&key);
}

/* Where the modules are not, or are broken, that is reported. */
static void
test_missing_modules_are_reported(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    struct schema *schema = NULL;
    struct err err = {0};

    (void)state;
    tempfile_missing(nowhere, "schemas");
    assert_int_equal(schema_create(nowhere, &schema, &err), ST_NOT_FOUND);
    assert_string_equal(err.code, "yang");
    assert_non_null(strstr(err.reason, nowhere));
    assert_null(schema);
    schema_destroy(NULL);
}

/* Judges the rows of one live table of a file; returns their number. */
static size_t
check_rows(struct schema *schema, enum table table, json_t *rows)
{
    const char *key, *name;
    json_t *row, *value;
    size_t n = 0;

    json_object_foreach(rows, key, row)
    {
        size_t room = json_object_size(row), i = 0;
        struct field *fields = check_calloc(room + 1, sizeof *fields);
        struct field *canonical = check_calloc(room + 1, sizeof *fields);
        struct text warnings = {0};
        struct err err = {0};
        struct key parsed;
        struct schema_row question = {table, &parsed, fields, room,
                                      NULL,  false,   NULL};

        json_object_foreach(row, name, value)
        {
            fields[i++] = (struct field){name, json_string_value(value)};
        }
        if (key_parse(table, key, &parsed, &err) ||
            schema_check_row(schema, &question, canonical, &warnings, &err)) {
            fail_msg("%s|%s: %s", table_name(table), key, err.reason);
        }
        if (warnings.length) {
            fail_msg("%s|%s: %s", table_name(table), key,
                     text_string(&warnings));
        }
        key_fini(&parsed);
        text_fini(&warnings);
        free(canonical);
        free(fields);
        n++;
    }
    return n;
}

static size_t
check_file(struct schema *schema, const char *path)
{
    json_t *root = json_load_file(path, 0, NULL), *rows;
    const char *name;
    size_t n = 0;

    assert_non_null(root);
    json_object_foreach(root, name, rows)
    {
        enum table table;

        if (table_find(name, strlen(name), &table)) {
            n += check_rows(schema, table, rows);
        }
    }
    json_decref(root);
    return n;
}

static void
test_real_configurations_are_accepted(void **state)
{
    const char *shared = getenv("ORCHD_SHARED");
    char path[1024], file[2048];
    size_t n_files = 0, n_rows = 0;
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof path, "%s/data/config_db",
             shared ? shared : DEFAULT_SHARED);
    dir = opendir(path);
    if (!dir) {
        print_message("no configurations in %s\n", path);
        skip();
    }
    while ((entry = readdir(dir))) {
        if (strstr(entry->d_name, ".config_db.json")) {
            snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
            n_rows += check_file(*state, file);
            n_files++;
        }
    }
    closedir(dir);
    print_message("%zu rows in %zu files\n", n_rows, n_files);
    assert_true(n_rows > 0);
}

static int
setup(void **state)
{
    struct schema *schema = NULL;
    struct err err = {0};

    if (schema_create(SCHEMA_DIR, &schema, &err)) {
        print_error("%s\n", err.reason);
        return -1;
    }
    *state = schema;
    return 0;
}

static int
teardown(void **state)
{
    schema_destroy(*state);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_judged_by_types_and_rules),
        cmocka_unit_test(test_accepted_fields_change_no_verdict),
        cmocka_unit_test(test_numbers_become_canonical),
        cmocka_unit_test(test_values_are_not_taken_for_others),
        cmocka_unit_test(test_unusable_metadata_keeps_its_name_without_value),
        cmocka_unit_test(test_buffer_model_decides_what_is_needed),
        cmocka_unit_test(test_strict_rejects_unknown_fields_but_in_metadata),
        cmocka_unit_test(test_names_of_fields_are_known),
        cmocka_unit_test(test_references_name_their_table),
        cmocka_unit_test(test_arbitrary_bytes_are_answered),
        cmocka_unit_test(test_long_warnings_are_cut),
        cmocka_unit_test(test_missing_modules_are_reported),
        cmocka_unit_test(test_real_configurations_are_accepted),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
