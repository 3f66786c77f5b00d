/* SPDX-License-Identifier: Apache-2.0 */

/* Asks the services of the daemon for lists. */

#include <config.h>

#include "orchd/control/show_counters.h"

#include "base/parse.h"
#include "orchd/control/command.h"
#include "orchd/control/show_walk.h"
#include "orchd/reconcile/graph.h"
#include "orchd/switch/switch_query.h"
#include "vendors/softasic/softasic.h"

#define PS_PER_NS 1000

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

void
show_drops(struct call *call)
{
    show_counted(call, "drops", call->context->services.drops);
}

void
show_pauses(struct call *call)
{
    show_counted(call, "pauses", call->context->services.pauses);
}

void
show_watermarks(struct call *call)
{
    show_counted(call, "watermarks", call->context->services.watermarks);
}

void
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
