/* SPDX-License-Identifier: Apache-2.0 */

/* "show live": the buffer in numbers, in a form that is cheap to read again and
 * again (live.h).
 *
 * All calls share one reader, which remembers what is busy.  A call for some
 * ports has one of its own. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/control/columns.h"
#include "orchd/control/command.h"
#include "orchd/control/counters_reading.h"
#include "orchd/control/live.h"
#include "orchd/intent/field.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/metadata.h"

/* The state of a call. */
struct live_call {
    struct live *own; /* NULL: it uses that of the context. */
    bool reads;       /* Its reading is in progress. */
    unsigned int resets;
};

/* Frees the reader of a call, and lets others use the shared one. */
static void
forget(struct call *call)
{
    const struct live_call *state = call->state;

    if (state->reads && !state->own &&
        state->resets == call->context->live_resets) {
        live_stop(call->context->live);
    }
    live_destroy(state->own);
}

/* Ends 'call' with what was read. */
static void
end(struct call *call, const struct live *live)
{
    json_t *data;

    if (!strcmp(call_text(call, "part", ""), "values")) {
        call_done_columns(call, columns_copy(live_values(live)));
    } else {
        data = json_pack("{s:O, s:o}", "names", live_names(live), "values",
                         columns_json(live_values(live)));
        call_done(call, data);
    }
}

/* Reads some more. */
static void
read_some(struct call *call)
{
    struct live_call *state = call->state;
    struct live *live = state->own ? state->own : call->context->live;
    struct err err = {0};

    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
        return;
    }
    /* With another switch it begins again. */
    if (state->resets != call->context->live_resets) {
        state->resets = call->context->live_resets;
        state->reads = false;
        if (state->own) {
            live_reset(state->own);
        }
    }
    if (!strcmp(call_text(call, "part", ""), "names")) {
        live_update_layout(live);
        call_done(call, json_incref(live_names(live)));
        return;
    }
    if (!state->reads) {
        state->reads = live_begin(live);
    }
    if (!state->reads || live_continue(live)) {
        call_each_turn(call, read_some);
    } else {
        state->reads = false;
        end(call, live);
    }
}

/* What another program has counted, by kind, name and index. */
struct counted {
    const struct call *call;
    json_t *stats; /* Owned: {"pg:Ethernet0:3": {"SAI_..": 7}}. */
};

/* Writes what distinguishes an object. */
static const char *
identify(const char *kind, const char *name, int index, struct text *text)
{
    text_clear(text);
    text_addf(text, "%s:%s:%d", kind, name, index);
    return text_string(text);
}

/* Adds to 'object' the numbers of its row in COUNTERS_DB. */
static void
add_counted(const struct call *call, json_t *object, const char *table,
            const struct field *fields, size_t n)
{
    json_t *stats = json_object();

    (void)call;
    (void)table;
    for (size_t i = 0; i < n; i++) {
        uint64_t value;

        if (!parse_u64(fields[i].value, 0, INT64_MAX, &value)) {
            json_object_set_new(stats, fields[i].name,
                                json_integer((json_int_t)value));
        }
    }
    json_object_set_new(object, "stats", stats);
}

/* Implements live_counter_fn. */
static bool
find_counted(void *counted_, sai_object_type_t type, const char *name,
             int index, sai_stat_id_t id, uint64_t *value)
{
    const struct counted *counted = counted_;
    const struct control_services *services = &counted->call->context->services;
    const struct metadata_stat *stat = metadata_stat(type, id);
    struct text text = {0};
    const json_t *found;

    if (!stat || !services->is_recent(services->context, type, id)) {
        return false;
    }
    found = json_object_get(
        json_object_get(counted->stats,
                        identify(metadata_type_name(type), name, index, &text)),
        stat->name);
    text_fini(&text);
    if (!json_is_integer(found)) {
        return false;
    }
    *value = (uint64_t)json_integer_value(found);
    return true;
}

/* Ends 'call' with what was counted. */
static void
end_counted(struct call *call, json_t *objects, size_t n_named)
{
    const json_t *ports = json_object_get(call->arguments, "ports");
    struct live *own =
        json_array_size(ports) ? live_create(call->context) : NULL;
    struct live *live = own ? own : call->context->live;
    struct counted counted = {call, json_object()};
    struct text text = {0};
    json_t *item;
    size_t i;

    (void)n_named;
    json_array_foreach(objects, i, item)
    {
        const json_t *index = json_object_get(item, "index");

        json_object_set(
            counted.stats,
            identify(json_string_value(json_object_get(item, "kind")),
                     json_string_value(json_object_get(item, "name")),
                     json_is_integer(index) ? (int)json_integer_value(index)
                                            : -1,
                     &text),
            json_object_get(item, "stats"));
    }
    json_decref(objects);
    text_fini(&text);
    json_array_foreach(ports, i, item)
    {
        live_add_port(live, json_string_value(item));
    }
    live_update_layout(live);
    live_fill(live, find_counted, &counted);
    json_decref(counted.stats);
    end(call, live);
    live_destroy(own);
}

/* Reads what another program has counted. */
static void
read_counted(struct call *call)
{
    static const struct counters_map maps[] = {
        {"COUNTERS_PORT_NAME_MAP", "SAI_OBJECT_TYPE_PORT"},
        {"COUNTERS_PG_NAME_MAP", "SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP"},
        {"COUNTERS_QUEUE_NAME_MAP", "SAI_OBJECT_TYPE_QUEUE"},
        {"COUNTERS_BUFFER_POOL_NAME_MAP", "SAI_OBJECT_TYPE_BUFFER_POOL"},
    };
    static const struct counters_reading reading = {
        .tables = {"COUNTERS"},
        .maps = maps,
        .n_maps = sizeof maps / sizeof *maps,
        .object = add_counted,
        .done = end_counted,
    };
    struct err err = {0};

    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
        return;
    }
    forget(call);
    free(call->state);
    counters_reading_start(call, &reading);
}

static void
show_live(struct call *call)
{
    const json_t *ports = json_object_get(call->arguments, "ports");
    struct live_call *state = check_calloc(1, sizeof *state);
    struct err err = {0};
    json_t *port;
    size_t i;

    call->state = state;
    call->forget = forget;
    state->resets = call->context->live_resets;
    json_array_foreach(ports, i, port)
    {
        sai_object_id_t oid;

        if (switch_query_port(call->context->query, json_string_value(port),
                              &oid, &err)) {
            call_end(call, &err, NULL);
            return;
        }
        if (!state->own) {
            state->own = live_create(call->context);
        }
        live_add_port(state->own, json_string_value(port));
    }
    if (call->context->services.counted_by_others &&
        strcmp(call_text(call, "part", ""), "names") != 0) {
        read_counted(call);
    } else {
        read_some(call);
    }
}

static const char *const parts[] = {"names", "values", NULL};

static const struct argument live_arguments[] = {
    {"ports", ARGUMENT_TEXTS, false, 0, 0, NULL},
    {"part", ARGUMENT_TEXT, false, 0, 0, parts},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command live_commands[] = {
    {"show", "live", show_live, live_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
