/* SPDX-License-Identifier: Apache-2.0 */

/* Notes the objects of a walk and reads SHOW_PER_TURN of them in each turn. */

#include <config.h>

#include "orchd/control/show_walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/control/counted_elsewhere.h"
#include "orchd/control/value.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph.h"
#include "sai/core/backend.h"

/* Objects (ports with their queues) read in one turn: a few milliseconds. */
#define SHOW_PER_TURN 4

/* Members of the arguments of a call. */
#define PLANNED "$planned" /* [[table, name], ...] */
#define LIST    "$list"    /* What is shown. */

/* Returns whether 'object' is on the ASIC, and is the one to show if that is a
 * single one. */
static bool
is_there(const struct show *show, const struct object *object)
{
    return object->oid != SAI_NULL_OBJECT_ID &&
           (!show->only || !strcmp(show->only, object->name.name));
}

bool
show_wants(const struct show *show, const struct object *object)
{
    bool wanted = is_there(show, object);
    size_t i = 0;

    while (i < show->n_tables && show->tables[i] != object->name.table) {
        i++;
    }
    return wanted && i < show->n_tables;
}

bool
show_has_places(const struct show *show, const struct object *object)
{
    const enum table table = object->name.table;

    return object->name.index < 0 && is_there(show, object) &&
           (table == TABLE_PORT ||
            (table == TABLE_SYSTEM_PORT && show->kind == SWITCH_QUERY_QUEUE));
}

/* Returns whether the walk visits 'object'.  Priority groups and queues are
 * shown by port, with or without a row. */
static bool
is_walked(const struct show *show, const struct object *object)
{
    return show->kind == SWITCH_QUERY_PG || show->kind == SWITCH_QUERY_QUEUE
               ? show_has_places(show, object)
               : show_wants(show, object);
}

bool
show_counter(const struct show *show, sai_object_type_t type,
             sai_object_id_t oid, sai_stat_id_t id, uint64_t *value)
{
    struct sai_backend *backend = show->context->backend;

    return backend->ops->get_stats(backend, type, oid, 1, &id,
                                   SAI_STATS_MODE_READ,
                                   value) == SAI_STATUS_SUCCESS;
}

json_t *
show_count(bool known, uint64_t value)
{
    return known ? json_integer((json_int_t)value) : json_null();
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
    struct known_names *known = known_;
    const struct show *show = known->show;
    const struct show all = {
        .kind = show->kind, .tables = show->tables, .n_tables = show->n_tables};

    if (is_walked(&all, object)) {
        choices_add(&known->choices, object->name.name);
        known->found |= !strcmp(object->name.name, show->only);
    }
}

bool
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

/* Returns whether what is shown has counters, in "stats". */
static bool
has_stats(const struct show *show)
{
    return show->stats || show->kind == SWITCH_QUERY_PG ||
           show->kind == SWITCH_QUERY_QUEUE;
}

/* Frees what a walk owns; see struct call. */
static void
show_forget(struct call *call)
{
    const struct show *show = call->state;

    value_names_destroy(show->names);
}

/* Ends 'call' with 'data', once the counters that another program polls were
 * added. */
static void
end_counted(struct call *call, json_t *data)
{
    const struct show *show = call->state;
    const enum switch_query_kind kind = show->kind;
    const char *member = show->member;

    if (!call->context->services.counted_by_others || !has_stats(show)) {
        call_done(call, data);
        return;
    }
    show_forget(call);
    free(call->state);
    counted_elsewhere_add(call, kind, data, member);
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
    end_counted(call, data);
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

/* Notes an object to read. */
static void
note_visit(void *context, const struct object *object)
{
    const struct call *call = context;

    if (object->name.index < 0 && is_walked(call->state, object)) {
        json_array_append_new(
            json_object_get(call->arguments, PLANNED),
            json_pack("[i, s]", (int)object->name.table, object->name.name));
    }
}

void
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
