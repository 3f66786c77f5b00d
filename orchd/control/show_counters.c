/* SPDX-License-Identifier: Apache-2.0 */

/* Asks the services of the daemon for lists. */

#include <config.h>

#include "orchd/control/show_counters.h"

#include <string.h>

#include "base/parse.h"
#include "orchd/control/command.h"
#include "orchd/control/counters_reading.h"
#include "orchd/control/show_walk.h"
#include "orchd/intent/content.h"
#include "orchd/intent/field.h"
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

/* Fails 'call' because no queue of 'only' is watched. */
static void
fail_unwatched(struct call *call, const struct show *show, const char *only)
{
    struct err err = {0};

    err_set(&err, ST_NOT_FOUND, "no-object",
            "the PFC watchdog watches no queue of '%s'", only);
    (void)show_explain(show, call, &err);
    err_set_remedy(&err,
                   "write PFC_WD|%s, and pfcwd_sw_enable in the "
                   "PORT_QOS_MAP row of the port; orchctl config status "
                   "says what is missing (" DOCDIR "/explanation/watchdog.md)",
                   only);
    call_no(call, &err, NULL);
}

/* Ends 'call' with the list of queues. */
static void
end_watchdog(struct call *call, json_t *list)
{
    static const enum table tables[] = {TABLE_PORT};
    const char *only = call_text(call, "name", NULL);
    const struct show show = {.only = only, .tables = tables, .n_tables = 1};

    if (only && !json_array_size(list)) {
        json_decref(list);
        fail_unwatched(call, &show, only);
        return;
    }
    call_done(call, json_pack("{s:o}", "watchdog", list));
}

/* Adds what another program's watchdog has written about a queue, if it watches
 * it.  Its times are in microseconds. */
static void
add_watched(json_t *queue, const struct field *fields, size_t n)
{
    static const struct {
        const char *field, *member;
        uint64_t unit;
    } numbers[] = {
        {"PFC_WD_DETECTION_TIME", "detection_ms", 1000},
        {"PFC_WD_RESTORATION_TIME", "restoration_ms", 1000},
        {"PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED", "detected", 1},
        {"PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED", "restored", 1},
        {"PFC_WD_QUEUE_STATS_TX_PACKETS", "tx_packets", 1},
        {"PFC_WD_QUEUE_STATS_TX_DROPPED_PACKETS", "tx_dropped", 1},
        {"PFC_WD_QUEUE_STATS_RX_PACKETS", "rx_packets", 1},
        {"PFC_WD_QUEUE_STATS_RX_DROPPED_PACKETS", "rx_dropped", 1},
        {"PFC_WD_QUEUE_STATS_TX_DROPPED_PACKETS_LAST", "last_tx_dropped", 1},
        {"PFC_WD_QUEUE_STATS_RX_DROPPED_PACKETS_LAST", "last_rx_dropped", 1},
    };
    const char *state = content_search(fields, n, "PFC_WD_STATUS");
    const char *action = content_search(fields, n, "PFC_WD_ACTION");

    if (!state) {
        return;
    }
    json_object_set_new(queue, "state", json_string(state));
    json_object_set_new(queue, "detects", json_string("orchagent"));
    if (action) {
        json_object_set_new(queue, "action", json_string(action));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *text = content_search(fields, n, numbers[i].field);
        uint64_t number;

        if (text && !parse_u64(text, 0, INT64_MAX, &number)) {
            json_object_set_new(
                queue, numbers[i].member,
                json_integer((json_int_t)(number / numbers[i].unit)));
        }
    }
}

/* Returns whether 'only' names the port or the queue, or nothing. */
static bool
is_asked_for(const json_t *queue, const char *only)
{
    const char *port = json_string_value(json_object_get(queue, "port"));
    const json_int_t asked =
        json_integer_value(json_object_get(queue, "index"));
    unsigned int index;
    size_t length;

    if (!only || !strcmp(only, port)) {
        return true;
    }
    return !parse_place(only, SWITCH_QUERY_CHILDREN_MAX - 1, &length, &index) &&
           length == strlen(port) && !strncmp(only, port, length) &&
           asked == (json_int_t)index;
}

/* Ends 'call' with the queues that another program's watchdog watches. */
static void
end_watched(struct call *call, json_t *queues)
{
    const char *only = call_text(call, "name", NULL);
    json_t *list = json_array();
    json_t *queue;
    size_t i;

    json_array_foreach(queues, i, queue)
    {
        json_object_set(queue, "port", json_object_get(queue, "name"));
        (void)json_object_del(queue, "name");
        (void)json_object_del(queue, "kind");
        if (is_asked_for(queue, only)) {
            json_array_append(list, queue);
        }
    }
    json_decref(queues);
    end_watchdog(call, list);
}

void
show_watchdog(struct call *call)
{
    static const struct counters_map maps[] = {
        {"COUNTERS_QUEUE_NAME_MAP", "queue"}};
    static const struct counters_reading elsewhere = {
        .table = "COUNTERS",
        .maps = maps,
        .n_maps = 1,
        .object = add_watched,
        .done = end_watched,
    };
    list_fn *watchdog = call->context->services.watchdog;

    if (watchdog) {
        end_watchdog(call,
                     make_list(call, watchdog, call_text(call, "name", NULL)));
    } else {
        counters_reading_start(call, &elsewhere);
    }
}
