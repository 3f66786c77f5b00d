/* SPDX-License-Identifier: Apache-2.0 */

/* "show ...": the configuration next to what the ASIC reports. */

#include <config.h>

#include <string.h>

#include "base/check.h"
#include "orchd/control/command.h"
#include "orchd/control/show_counters.h"
#include "orchd/control/show_llr.h"
#include "orchd/control/show_places.h"
#include "orchd/control/show_trimming.h"
#include "orchd/control/show_walk.h"
#include "orchd/control/status_command.h"
#include "orchd/control/value.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/graph_walk.h"
#include "orchd/report/row_answers.h"
#include "orchd/switch/switch_query.h"
#include "orchd/translate/translate.h"
#include "sai/core/metadata.h"

/* Rows looked at in one turn by "show waiting": a few milliseconds. */
#define WAITING_PER_TURN 256

/* The member of the arguments of a call with what is shown. */
#define LIST "$list"

/* An attribute to show under a name: the one that a field of CONFIG_DB becomes,
 * or, without a field, the one with this id. */
struct shown {
    const char *name; /* NULL ends a list. */
    const char *field;
    enum table table;
    sai_attr_id_t id;
};

#define FIELD(name, table, field)                                              \
    {                                                                          \
        name, field, TABLE_##table, 0                                          \
    }
#define ATTRIBUTE(name, id)                                                    \
    {                                                                          \
        name, NULL, N_TABLES, SAI_##id                                         \
    }
#define END                                                                    \
    {                                                                          \
        NULL, NULL, N_TABLES, 0                                                \
    }

static const struct shown port_shown[] = {
    FIELD("speed", PORT, "speed"),
    FIELD("lanes", PORT, "lanes"),
    FIELD("admin", PORT, "admin_status"),
    ATTRIBUTE("oper", PORT_ATTR_OPER_STATUS),
    FIELD("mtu", PORT, "mtu"),
    ATTRIBUTE("tx_enabled", PORT_ATTR_PKT_TX_ENABLE),
    FIELD("pfc_mask", PORT_QOS_MAP, "pfc_enable"),
    FIELD("dscp_to_tc_map", PORT_QOS_MAP, "dscp_to_tc_map"),
    FIELD("tc_to_pg_map", PORT_QOS_MAP, "tc_to_pg_map"),
    FIELD("tc_to_queue_map", PORT_QOS_MAP, "tc_to_queue_map"),
    END,
};

static const struct shown pool_shown[] = {
    FIELD("size", BUFFER_POOL, "size"),
    FIELD("type", BUFFER_POOL, "type"),
    FIELD("mode", BUFFER_POOL, "mode"),
    FIELD("xoff", BUFFER_POOL, "xoff"),
    END,
};

static const struct shown profile_shown[] = {
    FIELD("pool", BUFFER_PROFILE, "pool"),
    FIELD("size", BUFFER_PROFILE, "size"),
    ATTRIBUTE("mode", BUFFER_PROFILE_ATTR_THRESHOLD_MODE),
    FIELD("dynamic_th", BUFFER_PROFILE, "dynamic_th"),
    FIELD("static_th", BUFFER_PROFILE, "static_th"),
    FIELD("xoff", BUFFER_PROFILE, "xoff"),
    FIELD("xon", BUFFER_PROFILE, "xon"),
    FIELD("xon_offset", BUFFER_PROFILE, "xon_offset"),
    END,
};

static const struct shown scheduler_shown[] = {
    FIELD("type", SCHEDULER, "type"),
    FIELD("weight", SCHEDULER, "weight"),
    FIELD("meter_type", SCHEDULER, "meter_type"),
    FIELD("cir", SCHEDULER, "cir"),
    FIELD("cbs", SCHEDULER, "cbs"),
    FIELD("pir", SCHEDULER, "pir"),
    FIELD("pbs", SCHEDULER, "pbs"),
    END,
};

#define COLOUR(colour)                                                         \
    FIELD(colour "_enable", WRED_PROFILE, "wred_" colour "_enable"),           \
        FIELD(colour "_min", WRED_PROFILE, colour "_min_threshold"),           \
        FIELD(colour "_max", WRED_PROFILE, colour "_max_threshold"),           \
        FIELD(colour "_probability", WRED_PROFILE, colour "_drop_probability")

static const struct shown wred_shown[] = {
    FIELD("ecn", WRED_PROFILE, "ecn"),
    COLOUR("green"),
    COLOUR("yellow"),
    COLOUR("red"),
    END,
};

static const struct shown pfc_shown[] = {
    FIELD("mode", PORT, "pfc_asym"),
    FIELD("both", PORT_QOS_MAP, "pfc_enable"),
    ATTRIBUTE("tx", PORT_ATTR_PRIORITY_FLOW_CONTROL_TX),
    ATTRIBUTE("rx", PORT_ATTR_PRIORITY_FLOW_CONTROL_RX),
    FIELD("pfc_to_pg_map", PORT_QOS_MAP, "pfc_to_pg_map"),
    FIELD("pfc_to_queue_map", PORT_QOS_MAP, "pfc_to_queue_map"),
    END,
};

static const struct shown map_shown[] = {
    ATTRIBUTE("type", QOS_MAP_ATTR_TYPE),
    ATTRIBUTE("entries", QOS_MAP_ATTR_MAP_TO_VALUE_LIST),
    END,
};

/* Adds the fields of the row that 'object' belongs to. */
static void
add_configured(const struct show *show, const struct object *object,
               json_t *shown)
{
    const struct row *row = agent_row(show->context->services.agent,
                                      object->name.table, object->name.name);
    json_t *fields = json_object();

    for (size_t i = 0; row && row->effective && i < row->n_fields; i++) {
        row_answers_add_text(fields, row->fields[i].name, row->fields[i].value);
    }
    json_object_set_new(shown, "configured", fields);
}

/* Reads all attributes to show.  Leaves out those that SAI cannot read, which
 * differs from every value. */
static json_t *
show_object(const struct show *show, sai_object_type_t type,
            sai_object_id_t oid)
{
    json_t *shown = json_object();

    for (const struct shown *attribute = show->shown;
         attribute && attribute->name; attribute++) {
        sai_attr_id_t id =
            attribute->field
                ? translate_field_attribute(attribute->table, attribute->field)
                : attribute->id;
        json_t *value = value_read(show->context, type, oid, id, show->names);

        if (value) {
            json_object_set_new(shown, attribute->name, value);
        }
    }
    return shown;
}

/* Adds member 'name' of 'pause' to the sum of that direction in 'sums'.  If one
 * of them is not known the sum is null, and "not_polled" the group that would
 * estimate it. */
static void
add_to_sum(json_t *sums, const json_t *pause, const char *name,
           const char *sum_name)
{
    const json_t *value = json_object_get(pause, name);
    const json_t *sum = json_object_get(sums, sum_name);

    json_object_set_new(sums, sum_name,
                        !json_is_integer(value) || json_is_null(sum)
                            ? json_null()
                            : json_integer(json_integer_value(value) +
                                           json_integer_value(sum)));
    if (!json_is_integer(value) && json_object_get(pause, "not_polled")) {
        json_object_set(sums, "not_polled",
                        json_object_get(pause, "not_polled"));
    }
}

/* Returns the sums over all priorities of each port, or of port 'only', as
 * members named after the ports. */
static json_t *
sum_pauses(const struct command_context *context, const char *only)
{
    json_t *list =
        context->services.pauses
            ? context->services.pauses(context->services.context, only)
            : NULL;
    json_t *ports = json_object();
    json_t *pause;
    size_t i;

    json_array_foreach(list, i, pause)
    {
        const char *port = json_string_value(json_object_get(pause, "port"));
        const bool sent = !strcmp(
            json_string_value(json_object_get(pause, "direction")), "sent");
        json_t *sums = json_object_get(ports, port);

        if (!sums) {
            sums = json_object();
            json_object_set_new(ports, port, sums);
        }
        add_to_sum(sums, pause, "frames",
                   sent ? "sent_frames" : "received_frames");
        add_to_sum(sums, pause, "paused_us", sent ? "sent_us" : "received_us");
    }
    json_decref(list);
    return ports;
}

/* Adds one object with its attributes, its row and its counters. */
static void
show_visit(void *context, const struct object *object)
{
    struct show *show = context;
    json_t *shown;

    if (!show_wants(show, object)) {
        return;
    }
    shown = show_object(show, object->type, object->oid);
    json_object_set_new(shown, "name", json_string(object->name.name));
    json_object_set_new(shown, "table",
                        json_string(table_name(object->name.table)));
    json_object_set_new(shown, "oid", value_oid(object->oid));
    json_object_set_new(shown, "references",
                        json_integer((json_int_t)object->n_users));
    add_configured(show, object, shown);
    if (show->pauses) {
        json_t *pauses = sum_pauses(show->context, object->name.name);

        json_object_set(shown, "stats",
                        json_object_get(pauses, object->name.name));
        json_decref(pauses);
    }
    if (show->stats) {
        struct switch_query_object counted = {show->kind, object->name.name, 0,
                                              object->oid};

        json_object_set_new(shown, "stats",
                            switch_query_stats(show->context->query, &counted));
    }
    json_array_append_new(show->list, shown);
}

/* Shows counters only on demand: those of 514 ports take a megabyte. */
static void
show_ports(struct call *call)
{
    static const enum table tables[] = {TABLE_PORT};
    struct show show = {.tables = tables,
                        .n_tables = 1,
                        .shown = port_shown,
                        .stats = call_flag(call, "stats"),
                        .kind = SWITCH_QUERY_PORT};

    show_run(call, &show, "ports", show_visit);
}

/* Always shows counters: pools are few, and users look for their occupancy. */
static void
show_pools(struct call *call)
{
    static const enum table tables[] = {TABLE_BUFFER_POOL};
    struct show show = {.tables = tables,
                        .n_tables = 1,
                        .shown = pool_shown,
                        .stats = true,
                        .kind = SWITCH_QUERY_POOL};

    show_run(call, &show, "pools", show_visit);
}

/* Shows the number of references, because an unused profile has no effect. */
static void
show_profiles(struct call *call)
{
    static const enum table tables[] = {TABLE_BUFFER_PROFILE};
    struct show show = {
        .tables = tables, .n_tables = 1, .shown = profile_shown};

    show_run(call, &show, "profiles", show_visit);
}

/* Lists all kinds of QoS map; their type distinguishes them. */
static void
show_maps(struct call *call)
{
    enum table tables[N_TABLES];
    struct show show = {.tables = tables, .shown = map_shown};

    for (int i = 0; i < N_TABLES; i++) {
        if (translate_object_type((enum table)i) == SAI_OBJECT_TYPE_QOS_MAP) {
            tables[show.n_tables++] = (enum table)i;
        }
    }
    show_run(call, &show, "maps", show_visit);
}

/* Shows the number of references, as show_profiles() does. */
static void
show_schedulers(struct call *call)
{
    static const enum table tables[] = {TABLE_SCHEDULER};
    struct show show = {
        .tables = tables, .n_tables = 1, .shown = scheduler_shown};

    show_run(call, &show, "schedulers", show_visit);
}

static void
show_wred(struct call *call)
{
    static const enum table tables[] = {TABLE_WRED_PROFILE};
    struct show show = {.tables = tables, .n_tables = 1, .shown = wred_shown};

    show_run(call, &show, "wred", show_visit);
}

/* Shows which priorities ports send and obey PFC for.  The mode decides which
 * masks matter; the others have the values that the ASIC reports. */
static void
show_pfc(struct call *call)
{
    static const enum table tables[] = {TABLE_PORT};
    struct show show = {
        .tables = tables, .n_tables = 1, .shown = pfc_shown, .pauses = true};

    show_run(call, &show, "pfc", show_visit);
}

/* Adds a row that waits, and what it waits for. */
static void
add_waiting(json_t *list, const struct row_status *status)
{
    json_t *row = json_object();

    row_answers_add_text(row, "table", table_name(status->table));
    row_answers_add_text(row, "key", status->key);
    row_answers_add_text(row, "code", status->err.code);
    row_answers_add_text(row, "blocked_by", status->blocked_by);
    row_answers_add_text(row, "reason", status->err.reason);
    row_answers_add_text(row, "remedy", status->err.remedy);
    json_array_append_new(list, row);
}

/* Frees what a walk over the rows owns; see struct call. */
static void
waiting_forget(struct call *call)
{
    graph_walk_fini(call->state);
}

/* Looks at some more rows. */
static void
waiting_some(struct call *call)
{
    const struct agent *agent = call->context->services.agent;
    json_t *list = json_object_get(call->arguments, LIST);
    const struct row_status *status = NULL;

    for (int i = 0; i < WAITING_PER_TURN; i++) {
        status = agent_walk_row(agent, call->state);
        if (!status) {
            break;
        }
        if (status->state == ROW_STATE_WAITING) {
            add_waiting(list, status);
        }
    }
    if (status) {
        call_each_turn(call, waiting_some);
    } else {
        call_done(call, json_pack("{s:O}", "waiting", list));
    }
}

static void
show_waiting(struct call *call)
{
    json_object_set_new(call->arguments, LIST, json_array());
    call->state = check_calloc(1, sizeof(struct graph_walk));
    call->forget = waiting_forget;
    waiting_some(call);
}

static const struct argument name_arguments[] = {
    {"name", ARGUMENT_TEXT, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument port_arguments[] = {
    {"name", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"stats", ARGUMENT_FLAG, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument place_arguments[] = {
    {"name", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"all", ARGUMENT_FLAG, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command show_commands[] = {
    {"show", "drops", show_drops, name_arguments, COMMAND_VIEWS},
    {"show", "llr", show_llr, name_arguments, COMMAND_VIEWS},
    {"show", "maps", show_maps, name_arguments, COMMAND_VIEWS},
    {"show", "pauses", show_pauses, name_arguments, COMMAND_VIEWS},
    {"show", "pfc", show_pfc, name_arguments, COMMAND_VIEWS},
    {"show", "pgs", show_pgs, place_arguments, COMMAND_VIEWS},
    {"show", "pools", show_pools, name_arguments, COMMAND_VIEWS},
    {"show", "ports", show_ports, port_arguments, COMMAND_VIEWS},
    {"show", "profiles", show_profiles, name_arguments, COMMAND_VIEWS},
    {"show", "queues", show_queues, place_arguments, COMMAND_VIEWS},
    {"show", "schedulers", show_schedulers, name_arguments, COMMAND_VIEWS},
    {"show", "status", status_command_show, NULL, COMMAND_VIEWS},
    {"show", "trimming", show_trimming, name_arguments, COMMAND_VIEWS},
    {"show", "waiting", show_waiting, NULL, COMMAND_VIEWS},
    {"show", "watchdog", show_watchdog, name_arguments, COMMAND_VIEWS},
    {"show", "watermarks", show_watermarks, name_arguments, COMMAND_VIEWS},
    {"show", "wred", show_wred, name_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
