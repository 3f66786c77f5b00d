/* SPDX-License-Identifier: Apache-2.0 */

/* Each field of the buffer and QoS tables, call by call: the SAI calls when
 * the field is added to an existing row, and the set to SAI's default when it
 * is removed.  (test_agent_qos.c and test_buffer_tables.c check creation, and
 * the order of several changes.) */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/core/metadata.h"
#include "sai/core/serialize.h"
#include "tests/support/agent_harness.h"

#define N_OF(things) (sizeof(things) / sizeof(things)[0])

/* What is there from the first. */
static const struct harness_row rows[] = {
    {"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000"},
    {"BUFFER_POOL", "in", "type=ingress;mode=dynamic;size=9000000"},
    {"BUFFER_POOL", "out", "type=egress;mode=dynamic;size=9000000"},
    {"BUFFER_PROFILE", "in", "pool=in;size=100;dynamic_th=-1"},
    {"BUFFER_PROFILE", "out", "pool=out;size=100;dynamic_th=-1"},
    {"BUFFER_PROFILE", "out2", "pool=out;size=200;dynamic_th=1"},
    {"BUFFER_PROFILE", "fixed", "pool=out;size=0;static_th=500"},
    {"DSCP_TO_TC_MAP", "m", "3=3"},
    {"DOT1P_TO_TC_MAP", "m", "3=3"},
    {"MPLS_TC_TO_TC_MAP", "m", "3=3"},
    {"TC_TO_QUEUE_MAP", "m", "3=3"},
    {"TC_TO_PRIORITY_GROUP_MAP", "m", "3=3"},
    {"TC_TO_DSCP_MAP", "m", "3=3"},
    {"TC_TO_DOT1P_MAP", "m", "3=3"},
    {"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "m", "3=3"},
    {"MAP_PFC_PRIORITY_TO_QUEUE", "m", "3=3"},
    {"DSCP_TO_FC_MAP", "m", "3=3"},
    {"EXP_TO_FC_MAP", "m", "3=3"},
    {"SCHEDULER", "s", "NULL=NULL"},
    {"SCHEDULER", "t", "type=STRICT"},
    {"WRED_PROFILE", "w", "ecn=ecn_all"},
    {"PORT_QOS_MAP", "Ethernet0", "NULL=NULL"},
};

/* A row without and with a field (NULL: no row), and the calls when it
 * comes and when it goes. */
struct case_of_field {
    const char *table, *key, *without, *with;
    const char *comes, *goes;
};

#define POOL    "type=ingress;mode=dynamic;size=9000000"
#define PROFILE "pool=in;size=100;dynamic_th=-1"
#define EGRESS  "pool=out;size=100;dynamic_th=-1"
#define PORT    "lanes=1,2,3,4;speed=100000"
#define QOS     "PORT_QOS_MAP", "Ethernet0"
#define MAP(field, attribute, table)                                           \
    {                                                                          \
        QOS, "NULL=NULL", field "=m", "PORT." attribute "=" table "|m",        \
            "PORT." attribute "=null"                                          \
    }
#define COLOUR(colour, COLOUR)                                                 \
    {"WRED_PROFILE",                                                           \
     "w",                                                                      \
     "ecn=ecn_all;" colour "_max_threshold=900",                               \
     "ecn=ecn_all;" colour "_max_threshold=900;" colour "_min_threshold=300",  \
     "WRED." COLOUR "_MIN_THRESHOLD=300",                                      \
     "WRED." COLOUR "_MIN_THRESHOLD=0"},                                       \
        {"WRED_PROFILE",                                                       \
         "w",                                                                  \
         "ecn=ecn_all",                                                        \
         "ecn=ecn_all;" colour "_max_threshold=900",                           \
         "WRED." COLOUR "_MAX_THRESHOLD=900",                                  \
         "WRED." COLOUR "_MAX_THRESHOLD=0"},                                   \
        {"WRED_PROFILE",                                                       \
         "w",                                                                  \
         "ecn=ecn_all",                                                        \
         "ecn=ecn_all;" colour "_drop_probability=5",                          \
         "WRED." COLOUR "_DROP_PROBABILITY=5",                                 \
         "WRED." COLOUR "_DROP_PROBABILITY=100"},                              \
    {                                                                          \
        "WRED_PROFILE", "w", "ecn=ecn_all;" colour "_drop_probability=5",      \
            "ecn=ecn_all;" colour "_drop_probability=5;wred_" colour           \
            "_enable=true",                                                    \
            "WRED." COLOUR "_ENABLE=true", "WRED." COLOUR "_ENABLE=false"      \
    }

static const struct case_of_field cases[] = {
    {"BUFFER_POOL", "in", POOL, POOL ";xoff=4096", "BUFFER_POOL.XOFF_SIZE=4096",
     "BUFFER_POOL.XOFF_SIZE=0"},
    {"BUFFER_PROFILE", "in", PROFILE, PROFILE ";xon=50",
     "BUFFER_PROFILE.XON_TH=50", "BUFFER_PROFILE.XON_TH=0"},
    {"BUFFER_PROFILE", "in", PROFILE, PROFILE ";xon_offset=20",
     "BUFFER_PROFILE.XON_OFFSET_TH=20", "BUFFER_PROFILE.XON_OFFSET_TH=0"},
    {"BUFFER_PROFILE", "in", PROFILE, PROFILE ";xoff=90",
     "BUFFER_PROFILE.XOFF_TH=90", "BUFFER_PROFILE.XOFF_TH=0"},
    {"BUFFER_PROFILE", "out", EGRESS, EGRESS ";packet_discard_action=trim",
     "BUFFER_PROFILE.PACKET_ADMISSION_FAIL_ACTION="
     "SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM",
     "BUFFER_PROFILE.PACKET_ADMISSION_FAIL_ACTION="
     "SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP"},
    {"BUFFER_PG", "Ethernet0|3", NULL, "profile=in",
     "INGRESS_PRIORITY_GROUP.BUFFER_PROFILE=BUFFER_PROFILE|in",
     "INGRESS_PRIORITY_GROUP.BUFFER_PROFILE=null"},
    {"BUFFER_QUEUE", "Ethernet0|3", NULL, "profile=out",
     "QUEUE.BUFFER_PROFILE_ID=BUFFER_PROFILE|out",
     "QUEUE.BUFFER_PROFILE_ID=null"},
    {"BUFFER_PORT_INGRESS_PROFILE_LIST", "Ethernet0", NULL, "profile_list=in",
     "PORT.QOS_INGRESS_BUFFER_PROFILE_LIST=BUFFER_PROFILE|in",
     "PORT.QOS_INGRESS_BUFFER_PROFILE_LIST=none"},
    {"BUFFER_PORT_EGRESS_PROFILE_LIST", "Ethernet0", NULL,
     "profile_list=out2,fixed,out",
     "PORT.QOS_EGRESS_BUFFER_PROFILE_LIST=BUFFER_PROFILE|out2,"
     "BUFFER_PROFILE|fixed,BUFFER_PROFILE|out",
     "PORT.QOS_EGRESS_BUFFER_PROFILE_LIST=none"},

    MAP("dscp_to_tc_map", "QOS_DSCP_TO_TC_MAP", "DSCP_TO_TC_MAP"),
    MAP("dot1p_to_tc_map", "QOS_DOT1P_TO_TC_MAP", "DOT1P_TO_TC_MAP"),
    MAP("mpls_tc_to_tc_map", "QOS_MPLS_EXP_TO_TC_MAP", "MPLS_TC_TO_TC_MAP"),
    MAP("tc_to_queue_map", "QOS_TC_TO_QUEUE_MAP", "TC_TO_QUEUE_MAP"),
    MAP("tc_to_pg_map", "QOS_TC_TO_PRIORITY_GROUP_MAP",
        "TC_TO_PRIORITY_GROUP_MAP"),
    MAP("tc_to_dscp_map", "QOS_TC_AND_COLOR_TO_DSCP_MAP", "TC_TO_DSCP_MAP"),
    MAP("tc_to_dot1p_map", "QOS_TC_AND_COLOR_TO_DOT1P_MAP", "TC_TO_DOT1P_MAP"),
    MAP("pfc_to_pg_map", "QOS_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
    MAP("pfc_to_queue_map", "QOS_PFC_PRIORITY_TO_QUEUE_MAP",
        "MAP_PFC_PRIORITY_TO_QUEUE"),
    MAP("dscp_to_fc_map", "QOS_DSCP_TO_FORWARDING_CLASS_MAP", "DSCP_TO_FC_MAP"),
    MAP("exp_to_fc_map", "QOS_MPLS_EXP_TO_FORWARDING_CLASS_MAP",
        "EXP_TO_FC_MAP"),
    {QOS, "NULL=NULL", "scheduler=s",
     "PORT.QOS_SCHEDULER_PROFILE_ID=SCHEDULER|s",
     "PORT.QOS_SCHEDULER_PROFILE_ID=null"},
    {QOS, "NULL=NULL", "pfc_enable=3,4", "PORT.PRIORITY_FLOW_CONTROL=24",
     "PORT.PRIORITY_FLOW_CONTROL=0"},
    {QOS, "NULL=NULL", "pfcwd_sw_enable=3,4", "", ""},
    {QOS, NULL, "dscp_to_tc_map=m;pfc_enable=0,7",
     "PORT.QOS_DSCP_TO_TC_MAP=DSCP_TO_TC_MAP|m PORT.PRIORITY_FLOW_CONTROL=129",
     "PORT.QOS_DSCP_TO_TC_MAP=null PORT.PRIORITY_FLOW_CONTROL=0"},
    {"PORT_QOS_MAP", "global", NULL, "dscp_to_tc_map=m",
     "SWITCH.QOS_DSCP_TO_TC_MAP=DSCP_TO_TC_MAP|m",
     "SWITCH.QOS_DSCP_TO_TC_MAP=null"},

    {"SCHEDULER", "s", "NULL=NULL", "type=DWRR",
     "SCHEDULER.SCHEDULING_TYPE=SAI_SCHEDULING_TYPE_DWRR",
     "SCHEDULER.SCHEDULING_TYPE=SAI_SCHEDULING_TYPE_WRR"},
    {"SCHEDULER", "s", "NULL=NULL", "weight=20",
     "SCHEDULER.SCHEDULING_WEIGHT=20", "SCHEDULER.SCHEDULING_WEIGHT=1"},
    {"SCHEDULER", "s", "NULL=NULL", "meter_type=packets",
     "SCHEDULER.METER_TYPE=SAI_METER_TYPE_PACKETS",
     "SCHEDULER.METER_TYPE=SAI_METER_TYPE_BYTES"},
    {"SCHEDULER", "s", "NULL=NULL", "cir=1000",
     "SCHEDULER.MIN_BANDWIDTH_RATE=1000", "SCHEDULER.MIN_BANDWIDTH_RATE=0"},
    {"SCHEDULER", "s", "cir=1000", "cir=1000;cbs=200",
     "SCHEDULER.MIN_BANDWIDTH_BURST_RATE=200",
     "SCHEDULER.MIN_BANDWIDTH_BURST_RATE=0"},
    {"SCHEDULER", "s", "NULL=NULL", "pir=5000",
     "SCHEDULER.MAX_BANDWIDTH_RATE=5000", "SCHEDULER.MAX_BANDWIDTH_RATE=0"},
    {"SCHEDULER", "s", "pir=5000", "pir=5000;pbs=4294967295",
     "SCHEDULER.MAX_BANDWIDTH_BURST_RATE=4294967295",
     "SCHEDULER.MAX_BANDWIDTH_BURST_RATE=0"},

    {"QUEUE", "Ethernet0|3", "wred_profile=w", "wred_profile=w;scheduler=s",
     "SCHEDULER_GROUP.SCHEDULER_PROFILE_ID=SCHEDULER|s",
     "SCHEDULER_GROUP.SCHEDULER_PROFILE_ID=null"},
    {"QUEUE", "Ethernet0|3", "scheduler=t", "scheduler=t;wred_profile=w",
     "QUEUE.WRED_PROFILE_ID=WRED_PROFILE|w", "QUEUE.WRED_PROFILE_ID=null"},

    COLOUR("green", "GREEN"),
    COLOUR("yellow", "YELLOW"),
    COLOUR("red", "RED"),
    {"WRED_PROFILE", "w", "wred_green_enable=true",
     "wred_green_enable=true;ecn=ecn_yellow_red",
     "WRED.ECN_MARK_MODE=SAI_ECN_MARK_MODE_YELLOW_RED",
     "WRED.ECN_MARK_MODE=SAI_ECN_MARK_MODE_NONE"},

    {"PORT", "Ethernet0", PORT, PORT ";admin_status=up",
     "PORT.ADMIN_STATE=true", "PORT.ADMIN_STATE=false"},
    {"PORT", "Ethernet0", PORT, PORT ";mtu=9100", "PORT.MTU=9122",
     "PORT.MTU=1514"},
    {"PORT", "Ethernet0", PORT, PORT ";pfc_asym=on",
     "PORT.PRIORITY_FLOW_CONTROL_MODE="
     "SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_SEPARATE "
     "PORT.PRIORITY_FLOW_CONTROL_RX=255",
     "PORT.PRIORITY_FLOW_CONTROL_MODE="
     "SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_COMBINED"},
};

/* --- SAI calls ---------------------------------------------------------- */

struct trace {
    const struct harness *harness;
    struct text text;
};

/* Looks for the object with an id. */
struct search {
    sai_object_id_t oid;
    const struct object *found;
};

static void
compare(void *search_, const struct object *object)
{
    struct search *search = search_;

    if (object->oid == search->oid) {
        search->found = object;
    }
}

static void
add_oid(struct trace *trace, sai_object_id_t oid)
{
    struct search search = {.oid = oid};

    if (oid == SAI_NULL_OBJECT_ID) {
        text_add(&trace->text, "null");
        return;
    }
    agent_each_object(trace->harness->agent, compare, &search);
    assert_non_null(search.found);
    text_addf(&trace->text, "%s|%s", table_name(search.found->name.table),
              search.found->name.name);
}

/* Adds "TYPE.ATTRIBUTE=value"; references by the names of rows. */
static void
add_set(struct trace *trace, const struct store_call *call)
{
    const sai_attribute_t *attribute = call->attributes;
    const struct metadata_attribute *meta =
        metadata_attribute(call->type, attribute->id);

    text_add_item(&trace->text, " ",
                  metadata_type_name(call->type) + strlen("SAI_OBJECT_TYPE_"));
    text_addf(&trace->text,
              ".%s=", strstr(meta->name, "_ATTR_") + strlen("_ATTR_"));
    if (meta->kind == KIND_OID) {
        add_oid(trace, attribute->value.oid);
    } else if (meta->kind == KIND_OBJLIST) {
        for (uint32_t i = 0; i < attribute->value.objlist.count; i++) {
            text_add(&trace->text, i ? "," : "");
            add_oid(trace, attribute->value.objlist.list[i]);
        }
        text_add(&trace->text, attribute->value.objlist.count ? "" : "none");
    } else {
        assert_int_equal(serialize_value(meta, &attribute->value, &trace->text),
                         ST_OK);
    }
}

static sai_status_t
note(void *context, const struct store_call *call)
{
    struct trace *trace = context;

    if (call->op == STORE_SET) {
        add_set(trace, call);
    } else if (call->op == STORE_CREATE || call->op == STORE_REMOVE) {
        text_add_item(&trace->text, " ",
                      call->op == STORE_CREATE ? "create" : "remove");
    }
    return SAI_STATUS_SUCCESS;
}

/* Writes a row, and asserts the SAI calls. */
static void
assert_programmed(struct harness *harness, const struct case_of_field *c,
                  const char *fields, const char *expected)
{
    struct trace trace = {.harness = harness};

    store_set_hook(harness->store, note, &trace);
    harness_apply(harness, c->table, c->key, fields);
    store_set_hook(harness->store, NULL, NULL);
    if (strcmp(text_string(&trace.text), expected) != 0) {
        fail_msg("%s|%s %s: '%s', not '%s'", c->table, c->key,
                 fields ? fields : "(removed)", text_string(&trace.text),
                 expected);
    }
    harness_assert_state(harness, c->table, c->key,
                         fields ? "applied" : "gone");
    text_fini(&trace.text);
}

static void
test_each_field_is_programmed_and_reset(void **state)
{
    struct harness harness;

    (void)state;
    harness_init(&harness, 1);
    for (size_t i = 0; i < N_OF(rows); i++) {
        harness_put(&harness, rows[i].table, rows[i].key, rows[i].fields);
    }
    harness_settle(&harness);
    for (size_t i = 0; i < N_OF(cases); i++) {
        const struct case_of_field *c = &cases[i];

        harness_apply(&harness, c->table, c->key, c->without);
        assert_programmed(&harness, c, c->with, c->comes);
        assert_programmed(&harness, c, c->with, "");
        assert_programmed(&harness, c, c->without, c->goes);
    }
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_field_is_programmed_and_reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
