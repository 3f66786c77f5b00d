/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the counters of all objects of a kind, and picks those of the list. */

#include <config.h>

#include "orchd/control/counted_elsewhere.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/control/counters_reading.h"
#include "orchd/intent/field.h"
#include "sai/core/metadata.h"

/* Members of the arguments of a call. */
#define DATA "$data" /* The answer. */
#define LIST "$list" /* The list in it. */
#define KIND "$kind"

/* Where COUNTERS_DB has the names of the objects of each kind, and what to do
 * if it lacks them or their counters. */
static const struct source {
    struct counters_map map;
    const char *remedy;
} sources[] = {
    [SWITCH_QUERY_PORT] = {{"COUNTERS_PORT_NAME_MAP", "port"},
                           "counterpoll port enable"},
    [SWITCH_QUERY_PG] = {{"COUNTERS_PG_NAME_MAP", "pg"},
                         "counterpoll pg-drop enable, counterpoll watermark "
                         "enable"},
    [SWITCH_QUERY_QUEUE] = {{"COUNTERS_QUEUE_NAME_MAP", "queue"},
                            "counterpoll queue enable"},
    [SWITCH_QUERY_POOL] = {{"COUNTERS_BUFFER_POOL_NAME_MAP", "pool"},
                           "counterpoll watermark enable"},
};

/* Returns whether the counter is that of what an object holds now, and was not
 * read a moment ago. */
static bool
is_stale(const struct call *call, sai_object_type_t type,
         const struct metadata_stat *stat)
{
    const struct control_services *services = &call->context->services;

    return strstr(stat->name, "CURR_OCCUPANCY") &&
           !services->is_recent(services->context, type, stat->id);
}

static void
add_stats(const struct call *call, json_t *object, const char *table,
          const struct field *fields, size_t n)
{
    json_t *stats = json_object();

    (void)table;
    for (size_t i = 0; i < n; i++) {
        char name[SWITCH_QUERY_STAT_SIZE];
        sai_object_type_t type;
        const struct metadata_stat *stat =
            metadata_stat_by_name(fields[i].name, &type);
        uint64_t value;

        if (stat && !is_stale(call, type, stat) &&
            !parse_u64(fields[i].value, 0, INT64_MAX, &value)) {
            switch_query_stat_name(fields[i].name, name);
            json_object_set_new(stats, name, json_integer((json_int_t)value));
        }
    }
    if (json_object_size(stats)) {
        json_object_set(object, "stats", stats);
    }
    json_decref(stats);
}

/* Writes what distinguishes 'object' from others of its kind. */
static const char *
identify(const json_t *object, struct text *text)
{
    text_clear(text);
    text_addf(text, "%s:%" JSON_INTEGER_FORMAT,
              json_string_value(json_object_get(object, "name")),
              json_integer_value(json_object_get(object, "index")));
    return text_string(text);
}

static void
end(struct call *call, json_t *objects, size_t n_named)
{
    const json_t *list = json_object_get(call->arguments, LIST);
    json_t *data = json_object_get(call->arguments, DATA);
    const enum switch_query_kind kind =
        (enum switch_query_kind)json_integer_value(
            json_object_get(call->arguments, KIND));
    json_t *known = json_object();
    struct text text = {0};
    size_t i, n_found = 0;
    json_t *item;

    (void)n_named;
    json_array_foreach(objects, i, item)
    {
        json_object_set(known, identify(item, &text),
                        json_object_get(item, "stats"));
    }
    json_decref(objects);
    json_array_foreach(list, i, item)
    {
        json_t *stats = json_object_get(known, identify(item, &text));

        if (stats) {
            json_object_update(json_object_get(item, "stats"), stats);
            n_found++;
        }
    }
    json_decref(known);
    if (!n_found && json_array_size(list)) {
        text_clear(&text);
        text_addf(&text, "COUNTERS_DB has no counters of these objects: %s.",
                  sources[kind].remedy);
        json_object_set_new(data, "uncounted", json_string(text_string(&text)));
    }
    text_fini(&text);
    call_done(call, json_incref(data));
}

void
counted_elsewhere_add(struct call *call, enum switch_query_kind kind,
                      json_t *data, const char *member)
{
    const struct counters_reading reading = {
        .tables = {"COUNTERS"},
        .maps = &sources[kind].map,
        .n_maps = 1,
        .object = add_stats,
        .done = end,
    };

    json_object_set(call->arguments, LIST, json_object_get(data, member));
    json_object_set_new(call->arguments, KIND, json_integer((json_int_t)kind));
    json_object_set_new(call->arguments, DATA, data);
    counters_reading_start(call, &reading);
}
