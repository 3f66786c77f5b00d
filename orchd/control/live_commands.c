/* SPDX-License-Identifier: Apache-2.0 */

/* "show live": the buffer in numbers, in a form that is cheap to read again and
 * again (live.h).
 *
 * All calls share one reader, which remembers what is busy.  A call for some
 * ports has one of its own. */

#include <config.h>

#include <string.h>

#include "base/check.h"
#include "orchd/control/columns.h"
#include "orchd/control/command.h"
#include "orchd/control/live.h"
#include "orchd/switch/switch_query.h"

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
    read_some(call);
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
