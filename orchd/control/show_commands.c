/* SPDX-License-Identifier: Apache-2.0 */

/* "show ...": the configuration next to what the ASIC reports.
 *
 * A switch of 512 ports has 8,000 priority groups and queues, and reading them
 * takes longer than rows should wait.  So a command first notes the names of
 * what it shows, and then reads SHOW_PER_TURN objects in each turn of the loop;
 * one that was deleted meanwhile is left out.  The arguments of the call own
 * what was noted and read, because calls end with their arguments. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/control/status_command.h"
#include "orchd/control/value.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/graph_walk.h"
#include "orchd/report/row_answers.h"
#include "orchd/switch/switch_query.h"
#include "orchd/translate/translate.h"
#include "sai/core/metadata.h"
#include "vendors/softasic/softasic.h"

/* Objects (ports with their queues) read in one turn: a few milliseconds. */
#define PS_PER_NS 1000

#define SHOW_PER_TURN 4

/* Rows looked at in one turn by "show waiting": a few milliseconds. */
#define WAITING_PER_TURN 256

/* Members of the arguments of a call. */
#define PLANNED "$planned" /* [[table, name], ...] */
#define LIST    "$list"    /* What is shown. */

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

/* Makes a list about a port or pool; see struct control_services. */
typedef json_t *list_fn(void *context, const char *name);

/* A walk over the objects of some tables. */
struct show {
    const struct command_context *context;
    const char *only; /* Name of the object or port to show; NULL: all. */
    bool has_index;   /* Only the priority group or queue 'index' of it. */
    unsigned int index;
    const enum table *tables;
    size_t n_tables;
    const struct shown *shown;
    bool stats; /* With counters: ports and pools. */
    enum switch_query_kind kind;
    bool everything; /* Also PGs and queues without a profile. */
    bool pauses;     /* With the pauses of ports. */
    json_t *list;    /* Borrowed. */

    /* Owned by the call. */
    struct value_names *names;

    /* Of a walk in slices. */
    list_fn *counters;  /* What counted_visit() adds. */
    const char *member; /* The name of the list in the answer. */
    void (*visit)(void *context, const struct object *object);
    enum table own_tables[N_TABLES]; /* What 'tables' points to. */
    size_t done;                     /* Of PLANNED. */
};

/* Returns whether to show 'object', which must be on the ASIC: missing_visit()
 * counts rows that are not applied. */
static bool
show_wants(const struct show *show, const struct object *object)
{
    bool wanted = object->oid != SAI_NULL_OBJECT_ID &&
                  (!show->only || !strcmp(show->only, object->name.name));
    size_t i = 0;

    while (i < show->n_tables && show->tables[i] != object->name.table) {
        i++;
    }
    return wanted && i < show->n_tables;
}

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

/* Counts rows that should be on the ASIC but are not, so that an incomplete
 * list says so. */
static void
missing_visit(void *n_missing, const struct row_status *status)
{
    *(size_t *)n_missing +=
        status->state == ROW_STATE_WAITING ||
        status->state == ROW_STATE_REJECTED ||
        status->state == ROW_STATE_FAILED ||
        (status->state == ROW_STATE_UNSUPPORTED && status->attempts > 0);
}

/* Names of objects. */
struct known_names {
    const struct show *show;
    struct choices choices;
    bool found; /* One of them is 'show->only'. */
};

static void
known_visit(void *known_, const struct object *object)
{
    static const enum table ports[] = {TABLE_PORT};
    struct known_names *known = known_;
    const struct show *show = known->show;
    /* Priority groups and queues are shown by port, with or without a row. */
    const bool places =
        show->kind == SWITCH_QUERY_PG || show->kind == SWITCH_QUERY_QUEUE;
    const struct show all = {.tables = places ? ports : show->tables,
                             .n_tables = places ? 1 : show->n_tables};

    if (show_wants(&all, object)) {
        choices_add(&known->choices, object->name.name);
        known->found |= !strcmp(object->name.name, show->only);
    }
}

/* Completes 'err', whose reason says that there is no 'show->only', with the
 * names there are.  Returns false, and leaves 'err' alone, if there is one. */
static bool
show_explain(const struct show *show, const struct call *call, struct err *err)
{
    struct known_names known = {.show = show};
    struct err found = *err;

    choices_init(&known.choices, show->only);
    agent_each_object(call->context->services.agent, known_visit, &known);
    (void)choices_explain(&known.choices, "name", &found);
    if (!known.found) {
        *err = found;
    }
    return !known.found;
}

/* Ends 'call' with what was read. */
static void
show_end(struct call *call, const struct show *show)
{
    const struct agent *agent = call->context->services.agent;
    char index[16] = "";
    struct err err = {0};
    size_t n_missing = 0;
    json_t *data;

    if (show->only && !json_array_size(show->list)) {
        if (show->has_index) {
            text_format(index, sizeof index, "|%u", show->index);
        }
        err_set(&err, ST_NOT_FOUND, "no-object",
                "there is no '%s%s' on the ASIC", show->only, index);
        if (show_explain(show, call, &err) || show->has_index) {
            call_no(call, &err, NULL);
            return;
        }
    }
    if (!show->counters) {
        agent_each_row_of(agent, show->tables, show->n_tables, missing_visit,
                          &n_missing);
    }
    data = json_pack("{s:O}", show->member, show->list);
    if (!show->counters) {
        json_object_set_new(data, "not_applied",
                            json_integer((json_int_t)n_missing));
    }
    call_done(call, data);
}

/* Reads some more objects. */
static void
show_some(struct call *call)
{
    const struct agent *agent = call->context->services.agent;
    const json_t *planned = json_object_get(call->arguments, PLANNED);
    struct show *show = call->state;
    struct err err = {0};

    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
        return;
    }
    if (show->names) {
        value_names_turn(show->names);
    } else {
        show->names = value_names_create(agent);
    }
    for (int i = 0; i < SHOW_PER_TURN && show->done < json_array_size(planned);
         i++) {
        const json_t *item = json_array_get(planned, show->done++);
        const struct object *object = agent_object(
            agent, (enum table)json_integer_value(json_array_get(item, 0)),
            json_string_value(json_array_get(item, 1)), -1);

        if (object) {
            show->visit(show, object);
        }
    }
    if (show->done < json_array_size(planned)) {
        call_each_turn(call, show_some);
    } else {
        show_end(call, show);
    }
}

/* Frees what a walk owns; see struct call. */
static void
show_forget(struct call *call)
{
    const struct show *show = call->state;

    value_names_destroy(show->names);
}

/* Notes an object to read. */
static void
note_visit(void *context, const struct object *object)
{
    const struct call *call = context;
    const struct show *show = call->state;
    const bool places =
        show->kind == SWITCH_QUERY_PG || show->kind == SWITCH_QUERY_QUEUE;

    if (object->name.index < 0 && object->oid != SAI_NULL_OBJECT_ID &&
        (places ? object->name.table == TABLE_PORT &&
                      (!show->only || !strcmp(show->only, object->name.name))
                : show_wants(show, object))) {
        json_array_append_new(
            json_object_get(call->arguments, PLANNED),
            json_pack("[i, s]", (int)object->name.table, object->name.name));
    }
}

/* Walks with 'visit' and ends 'call' with the list, as 'member'. */
static void
show_run(struct call *call, const struct show *options, const char *member,
         void (*visit)(void *context, const struct object *object))
{
    struct show *show = check_malloc(sizeof *show);
    struct err err = {0};

    *show = *options;
    call->state = show;
    call->forget = show_forget;
    memcpy(show->own_tables, options->tables,
           options->n_tables * sizeof *options->tables);
    show->tables = show->own_tables;
    show->context = call->context;
    show->only = call_text(call, "name", NULL);
    show->everything = call_flag(call, "all");
    show->member = member;
    show->visit = visit;
    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
        return;
    }
    show->list = json_array();
    json_object_set_new(call->arguments, LIST, show->list);
    json_object_set_new(call->arguments, PLANNED, json_array());
    agent_each_object(call->context->services.agent, note_visit, call);
    call_each_turn(call, show_some);
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

/* The objects that a priority group or queue uses on the ASIC; null ids if it
 * uses none. */
struct used {
    sai_object_id_t profile, scheduler, wred;
};

/* Returns the object that attribute 'id' of 'oid' names. */
static sai_object_id_t
read_oid(const struct show *show, sai_object_type_t type, sai_object_id_t oid,
         sai_attr_id_t id)
{
    sai_attribute_value_t value = {.oid = SAI_NULL_OBJECT_ID};

    return switch_query_get(show->context->query, type, oid, id, &value)
               ? value.oid
               : SAI_NULL_OBJECT_ID;
}

static struct used
read_pg(const struct show *show, sai_object_id_t pg)
{
    return (struct used){
        read_oid(show, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, pg,
                 SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE),
        SAI_NULL_OBJECT_ID, SAI_NULL_OBJECT_ID};
}

/* Reads the scheduler of the group above the queue if there is one, else of the
 * queue. */
static struct used
read_queue(const struct show *show, const struct object *port,
           const struct switch_query_object *queue)
{
    sai_object_id_t group = port_group_oid(port, (int)queue->index);

    return (struct used){
        read_oid(show, SAI_OBJECT_TYPE_QUEUE, queue->oid,
                 SAI_QUEUE_ATTR_BUFFER_PROFILE_ID),
        group == SAI_NULL_OBJECT_ID
            ? read_oid(show, SAI_OBJECT_TYPE_QUEUE, queue->oid,
                       SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID)
            : read_oid(show, SAI_OBJECT_TYPE_SCHEDULER_GROUP, group,
                       SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID),
        read_oid(show, SAI_OBJECT_TYPE_QUEUE, queue->oid,
                 SAI_QUEUE_ATTR_WRED_PROFILE_ID)};
}

/* Returns whether to show the priority group or queue 'index'. */
static bool
show_wants_place(const struct show *show, uint32_t index,
                 const struct used *used)
{
    if (show->has_index) {
        return index == show->index;
    }
    return show->everything || used->profile || used->scheduler || used->wred;
}

/* Adds the priority groups or queues of one port. */
static void
show_places(struct show *show, const struct object *port)
{
    sai_object_id_t oids[SWITCH_QUERY_CHILDREN_MAX];
    uint32_t n = switch_query_children(show->context->query, port->oid,
                                       show->kind, oids);

    for (uint32_t i = 0; i < n; i++) {
        struct switch_query_object place = {show->kind, port->name.name, i,
                                            oids[i]};
        bool queue = show->kind == SWITCH_QUERY_QUEUE;
        struct used used =
            queue ? read_queue(show, port, &place) : read_pg(show, oids[i]);
        json_t *shown;

        if (!show_wants_place(show, i, &used)) {
            continue;
        }
        shown = switch_query_snapshot(show->context->query, &place);
        json_object_set_new(shown, "oid", value_oid(oids[i]));
        json_object_set_new(shown, "profile",
                            value_name(show->names, used.profile));
        if (queue) {
            json_object_set_new(shown, "scheduler",
                                value_name(show->names, used.scheduler));
            json_object_set_new(shown, "wred",
                                value_name(show->names, used.wred));
        }
        json_array_append_new(show->list, shown);
    }
}

/* Adds the priority groups or queues of a port. */
static void
places_visit(void *context, const struct object *object)
{
    struct show *show = context;

    if (object->name.table == TABLE_PORT && object->oid != SAI_NULL_OBJECT_ID &&
        (!show->only || !strcmp(show->only, object->name.name))) {
        show_places(show, object);
    }
}

/* Runs 'show' for the port, or the priority group or queue "Ethernet0|3", that
 * 'call' names. */
static void
show_run_places(struct call *call, struct show *show, const char *name)
{
    const char *only = call_text(call, "name", NULL);
    size_t length;

    if (only &&
        !agent_object(call->context->services.agent, TABLE_PORT, only, -1) &&
        !parse_place(only, SWITCH_QUERY_CHILDREN_MAX - 1, &length,
                     &show->index)) {
        show->has_index = true;
        json_object_set_new(call->arguments, "name",
                            json_stringn(only, length));
    }
    show_run(call, show, name, places_visit);
}

/* Walks through the ports, so that priority groups without a BUFFER_PG row are
 * found too. */
static void
show_pgs(struct call *call)
{
    static const enum table tables[] = {TABLE_BUFFER_PG};
    struct show show = {
        .tables = tables, .n_tables = 1, .kind = SWITCH_QUERY_PG};

    show_run_places(call, &show, "pgs");
}

/* Walks through the ports, as show_pgs() does. */
static void
show_queues(struct call *call)
{
    static const enum table tables[] = {TABLE_BUFFER_QUEUE, TABLE_QUEUE};
    struct show show = {
        .tables = tables, .n_tables = 2, .kind = SWITCH_QUERY_QUEUE};

    show_run_places(call, &show, "queues");
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

/* Removes items of another queue or priority group than 'index'. */
static void
keep_index(json_t *list, unsigned int index)
{
    for (size_t i = json_array_size(list); i-- > 0;) {
        const json_t *found = json_object_get(json_array_get(list, i), "index");

        if (!json_is_integer(found) || json_integer_value(found) != index) {
            (void)json_array_remove(list, i);
        }
    }
}

/* Returns the list that 'fn' makes for 'only', which may be the name of a
 * priority group or queue; NULL: an empty one. */
static json_t *
make_list(const struct call *call, list_fn *fn, const char *only)
{
    void *context = call->context->services.context;
    json_t *list = fn ? fn(context, only) : json_array();
    unsigned int index;
    size_t length;

    if (fn && only && !json_array_size(list) &&
        !parse_place(only, SWITCH_QUERY_CHILDREN_MAX - 1, &length, &index)) {
        json_t *port = json_stringn(only, length);

        json_decref(list);
        list = fn(context, json_string_value(port));
        keep_index(list, index);
        json_decref(port);
    }
    return list;
}

/* Adds the counters of a port or pool. */
static void
counted_visit(void *context, const struct object *object)
{
    const struct show *show = context;
    json_t *list =
        show->counters(show->context->services.context, object->name.name);

    json_array_extend(show->list, list);
    json_decref(list);
}

/* Adds the clock of a simulated switch: two answers about pauses give their
 * shares of the time between them. */
static void
add_time(const struct command_context *context, json_t *data)
{
    int64_t now_ps;

    if (context->softasic &&
        context->softasic->now(&now_ps) == SAI_STATUS_SUCCESS) {
        json_object_set_new(data, "time_ns", json_integer(now_ps / PS_PER_NS));
    }
}

/* Ends 'call' with the list that 'fn' makes for the object that it names; there
 * has to be one. */
static void
show_counted_one(struct call *call, const struct show *show, const char *name,
                 list_fn *fn)
{
    json_t *list = make_list(call, fn, show->only);
    struct err err = {0};

    if (json_array_size(list)) {
        json_t *data = json_pack("{s:o}", name, list);

        if (fn == call->context->services.pauses) {
            add_time(call->context, data);
        }
        call_done(call, data);
        return;
    }
    json_decref(list);
    err_set(&err, ST_NOT_FOUND, "no-object",
            "no counters of '%s': there is no such object on the ASIC, or the "
            "switch does not count this",
            show->only);
    (void)show_explain(show, call, &err);
    err_set_remedy(&err, "orchctl show ports and orchctl show pools list what "
                         "there is");
    call_no(call, &err, NULL);
}

/* Ends 'call' with the list that 'fn' makes; NULL: with an empty one. */
static void
show_counted(struct call *call, const char *name, list_fn *fn)
{
    static const enum table tables[] = {TABLE_PORT, TABLE_BUFFER_POOL};
    const struct show show = {.only = call_text(call, "name", NULL),
                              .tables = tables,
                              .n_tables = 2,
                              .counters = fn};
    struct err err = {0};

    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
    } else if (show.only) {
        show_counted_one(call, &show, name, fn);
    } else if (fn) {
        show_run(call, &show, name, counted_visit);
    } else {
        call_done(call, json_pack("{s:[]}", name));
    }
}

static void
show_drops(struct call *call)
{
    show_counted(call, "drops", call->context->services.drops);
}

static void
show_pauses(struct call *call)
{
    show_counted(call, "pauses", call->context->services.pauses);
}

static void
show_watermarks(struct call *call)
{
    show_counted(call, "watermarks", call->context->services.watermarks);
}

/* Lists the queues that the PFC watchdog watches. */
static void
show_watchdog(struct call *call)
{
    const struct command_context *context = call->context;
    static const enum table tables[] = {TABLE_PORT};
    const char *only = call_text(call, "name", NULL);
    const struct show show = {.only = only, .tables = tables, .n_tables = 1};
    json_t *list = make_list(call, context->services.watchdog, only);
    struct err err = {0};

    if (only && !json_array_size(list)) {
        json_decref(list);
        err_set(&err, ST_NOT_FOUND, "no-object",
                "the PFC watchdog watches no queue of '%s'", only);
        (void)show_explain(&show, call, &err);
        err_set_remedy(&err,
                       "write PFC_WD|%s, and pfcwd_sw_enable in the "
                       "PORT_QOS_MAP row of the port; orchctl config status "
                       "says what is missing (" DOCDIR
                       "/explanation/watchdog.md)",
                       only);
        call_no(call, &err, NULL);
        return;
    }
    call_done(call, json_pack("{s:o}", "watchdog", list));
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
    {"show", "waiting", show_waiting, NULL, COMMAND_VIEWS},
    {"show", "watchdog", show_watchdog, name_arguments, COMMAND_VIEWS},
    {"show", "watermarks", show_watermarks, name_arguments, COMMAND_VIEWS},
    {"show", "wred", show_wred, name_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
