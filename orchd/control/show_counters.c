/* SPDX-License-Identifier: Apache-2.0 */

/* Asks the services of the daemon for lists. */

#include <config.h>

#include "orchd/control/show_counters.h"

#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "orchd/control/command.h"
#include "orchd/control/counters_reading.h"
#include "orchd/control/show_walk.h"
#include "orchd/intent/content.h"
#include "orchd/intent/field.h"
#include "orchd/reconcile/graph.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/metadata.h"
#include "vendors/softasic/softasic.h"

#define PS_PER_NS 1000

#define N(array) (sizeof(array) / sizeof *(array))

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

/* Fails 'call' because there is nothing about the object that it names. */
static void
fail_uncounted(struct call *call, const struct show *show)
{
    struct err err = {0};

    err_set(&err, ST_NOT_FOUND, "no-object",
            "no counters of '%s': there is no such object on the ASIC, or the "
            "switch does not count this",
            show->only);
    (void)show_explain(show, call, &err);
    err_set_remedy(&err, "orchctl show ports and orchctl show pools list what "
                         "there is");
    call_no(call, &err, NULL);
}

/* Ends 'call' with the list that 'fn' makes for the object that it names; there
 * has to be one. */
static void
show_counted_one(struct call *call, const struct show *show, const char *name,
                 list_fn *fn)
{
    json_t *list = make_list(call, fn, show->only);

    if (json_array_size(list)) {
        json_t *data = json_pack("{s:o}", name, list);

        if (fn == call->context->services.pauses) {
            add_time(call->context, data);
        }
        call_done(call, data);
        return;
    }
    json_decref(list);
    fail_uncounted(call, show);
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
add_watched(const struct call *call, json_t *queue, const char *table,
            const struct field *fields, size_t n)
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

    (void)call;
    (void)table;
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

/* Returns whether 'only' names the object, or its port, or nothing. */
static bool
is_asked_for(const json_t *object, const char *only)
{
    const char *port = json_string_value(json_object_get(object, "name"));
    const json_t *number = json_object_get(object, "index");
    const json_int_t asked =
        json_is_integer(number) ? json_integer_value(number) : -1;
    unsigned int index;
    size_t length;

    if (!only || !strcmp(only, port)) {
        return true;
    }
    return !parse_place(only, SWITCH_QUERY_CHILDREN_MAX - 1, &length, &index) &&
           length == strlen(port) && !strncmp(only, port, length) &&
           asked == (json_int_t)index;
}

#define QUEUE_MAP "COUNTERS_QUEUE_NAME_MAP"

/* Fails 'call' because nothing says which queue is which. */
static void
fail_unnamed(struct call *call)
{
    struct err err = {0};

    err_set(&err, ST_NOT_FOUND, "no-object",
            QUEUE_MAP " in COUNTERS_DB names no queue, so those that the "
                      "watchdog watches cannot be found");
    err_set_remedy(&err, "enable the counters of queues: counterpoll queue "
                         "enable");
    call_no(call, &err, NULL);
}

/* Ends 'call' with the queues that another program's watchdog watches. */
static void
end_watched(struct call *call, json_t *queues, size_t n_named)
{
    const char *only = call_text(call, "name", NULL);
    json_t *list, *queue;
    size_t i;

    if (!n_named) {
        json_decref(queues);
        fail_unnamed(call);
        return;
    }
    list = json_array();
    json_array_foreach(queues, i, queue)
    {
        if (is_asked_for(queue, only)) {
            json_object_set(queue, "port", json_object_get(queue, "name"));
            (void)json_object_del(queue, "name");
            (void)json_object_del(queue, "kind");
            json_array_append(list, queue);
        }
    }
    json_decref(queues);
    end_watchdog(call, list);
}

void
show_watchdog(struct call *call)
{
    static const struct counters_map maps[] = {{QUEUE_MAP, "queue"}};
    static const struct counters_reading elsewhere = {
        .tables = {"COUNTERS"},
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

/* --- Pauses that another program has counted ------------------------------ */

#define PFC_PREFIX "SAI_PORT_STAT_PFC_"

/* The counters of frames. */
static const struct pause_counter {
    sai_stat_id_t id;
    int priority;
    bool sent;
} pause_counters[] = {
#define X(n)                                                                   \
    {SAI_PORT_STAT_PFC_##n##_RX_PKTS, n, false},                               \
        {SAI_PORT_STAT_PFC_##n##_TX_PKTS, n, true},
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#undef X
};

/* Adds the frames of each priority and direction. */
static void
add_frames(const struct call *call, json_t *port, const char *table,
           const struct field *fields, size_t n)
{
    (void)call;
    (void)table;
    for (size_t i = 0; i < n; i++) {
        uint64_t value;

        if (!strncmp(fields[i].name, PFC_PREFIX, strlen(PFC_PREFIX)) &&
            !parse_u64(fields[i].value, 0, INT64_MAX, &value)) {
            json_object_set_new(port, fields[i].name,
                                json_integer((json_int_t)value));
        }
    }
    json_object_set_new(port, "read", json_true());
}

/* Adds the pauses of one priority in one direction; how long they were, is not
 * known. */
static void
add_pause(const struct call *call, json_t *list, const json_t *port,
          const struct pause_counter *counter)
{
    const struct control_services *services = &call->context->services;
    const struct metadata_stat *stat =
        metadata_stat(SAI_OBJECT_TYPE_PORT, counter->id);
    json_t *frames = services->is_recent(services->context,
                                         SAI_OBJECT_TYPE_PORT, counter->id)
                         ? json_object_get(port, stat->name)
                         : NULL;

    json_array_append_new(
        list,
        json_pack("{s:O, s:i, s:s, s:O?, s:n, s:n, s:n, s:n, s:n, s:n, s:n, "
                  "s:n}",
                  "port", json_object_get(port, "name"), "priority",
                  counter->priority, "direction",
                  counter->sent ? "sent" : "received", "frames", frames,
                  "paused_us", "pauses", "longest_us", "recent_us", "recent_at",
                  "share_ppm", "estimated", "histogram"));
}

static void
end_pauses(struct call *call, json_t *ports, size_t n_named)
{
    static const enum table tables[] = {TABLE_PORT};
    const struct show show = {.only = call_text(call, "name", NULL),
                              .tables = tables,
                              .n_tables = N(tables)};
    json_t *list = json_array();
    json_t *port;
    size_t i;

    (void)n_named;
    json_array_foreach(ports, i, port)
    {
        for (size_t k = 0;
             is_asked_for(port, show.only) && k < N(pause_counters); k++) {
            add_pause(call, list, port, &pause_counters[k]);
        }
    }
    json_decref(ports);
    if (show.only && !json_array_size(list)) {
        json_decref(list);
        fail_uncounted(call, &show);
        return;
    }
    call_done(call, json_pack("{s:o}", "pauses", list));
}

void
show_pauses(struct call *call)
{
    static const struct counters_map maps[] = {
        {"COUNTERS_PORT_NAME_MAP", "port"}};
    static const struct counters_reading elsewhere = {
        .tables = {"COUNTERS"},
        .maps = maps,
        .n_maps = N(maps),
        .object = add_frames,
        .done = end_pauses,
    };

    if (call->context->services.counted_by_others) {
        counters_reading_start(call, &elsewhere);
    } else {
        show_counted(call, "pauses", call->context->services.pauses);
    }
}

/* --- Watermarks that another program has polled -------------------------- */

/* The tables of watermarks, and their names in the answer. */
static const struct {
    const char *table, *name;
} mark_tables[] = {
    {"COUNTERS", "last"},
    {"USER_WATERMARKS", "user"},
    {"PERSISTENT_WATERMARKS", "persistent"},
    {"PERIODIC_WATERMARKS", "periodic"},
};

/* The counters that are watermarks. */
static const struct {
    const char *counter, *class;
} marks[] = {
    {"SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES", "shared"},
    {"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES", "headroom"},
    {"SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", "shared"},
    {"SAI_BUFFER_POOL_STAT_WATERMARK_BYTES", "shared"},
    {"SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES", "headroom"},
};

/* Adds the watermarks of an object, by class and table. */
static void
add_marks(const struct call *call, json_t *object, const char *table,
          const struct field *fields, size_t n)
{
    size_t of = 0;

    (void)call;
    while (strcmp(mark_tables[of].table, table) != 0) {
        of++;
        orch_assert(of < N(mark_tables));
    }
    for (size_t i = 0; i < N(marks); i++) {
        const char *text = content_search(fields, n, marks[i].counter);
        json_t *class = json_object_get(object, marks[i].class);
        uint64_t bytes;

        if (!text || parse_u64(text, 0, INT64_MAX, &bytes)) {
            continue;
        }
        if (!class) {
            class = json_pack("{s:n, s:n, s:n, s:n}", "last", "user",
                              "persistent", "periodic");
            json_object_set_new(object, marks[i].class, class);
        }
        json_object_set_new(class, mark_tables[of].name,
                            json_integer((json_int_t)bytes));
    }
}

/* Adds to 'list' an item for each class of watermarks of 'object'. */
static void
add_classes(json_t *list, const json_t *object)
{
    static const char *const classes[] = {"shared", "headroom"};
    static const char *const members[] = {"name", "kind", "index"};

    for (size_t i = 0; i < N(classes); i++) {
        json_t *item = json_object_get(object, classes[i]);

        if (!item) {
            continue;
        }
        json_object_set_new(item, "class", json_string(classes[i]));
        for (size_t k = 0; k < N(members); k++) {
            json_t *member = json_object_get(object, members[k]);

            if (!json_is_null(member)) {
                json_object_set(item, members[k], member);
            }
        }
        json_array_append(list, item);
    }
}

static void
end_marks(struct call *call, json_t *objects, size_t n_named)
{
    static const enum table tables[] = {TABLE_PORT, TABLE_BUFFER_POOL};
    const struct show show = {.only = call_text(call, "name", NULL),
                              .tables = tables,
                              .n_tables = N(tables)};
    json_t *list = json_array();
    json_t *object, *data;
    size_t i;

    (void)n_named;
    json_array_foreach(objects, i, object)
    {
        if (is_asked_for(object, show.only)) {
            add_classes(list, object);
        }
    }
    json_decref(objects);
    if (show.only && !json_array_size(list)) {
        json_decref(list);
        fail_uncounted(call, &show);
        return;
    }
    data = json_pack("{s:o}", "watermarks", list);
    if (!json_array_size(list)) {
        json_object_set_new(
            data, "uncounted",
            json_string("COUNTERS_DB has no watermarks: counterpoll watermark "
                        "enable, counterpoll queue enable and counterpoll "
                        "pg-drop enable let syncd poll them, and name their "
                        "objects."));
    }
    call_done(call, data);
}

void
show_watermarks(struct call *call)
{
    static const struct counters_map maps[] = {
        {"COUNTERS_PG_NAME_MAP", "pg"},
        {QUEUE_MAP, "queue"},
        {"COUNTERS_BUFFER_POOL_NAME_MAP", "pool"},
    };
    struct counters_reading elsewhere = {
        .maps = maps,
        .n_maps = N(maps),
        .object = add_marks,
        .done = end_marks,
    };

    if (!call->context->services.counted_by_others) {
        show_counted(call, "watermarks", call->context->services.watermarks);
        return;
    }
    for (size_t i = 0; i < N(mark_tables); i++) {
        elsewhere.tables[i] = mark_tables[i].table;
    }
    counters_reading_start(call, &elsewhere);
}
