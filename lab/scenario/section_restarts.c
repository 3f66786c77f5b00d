/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'restarts:'. */

#include <config.h>

#include "base/arena.h"
#include "lab/scenario/sections.h"

static const char *const kinds[] = {
#define X(member, name) name,
    RESTART_KINDS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct restart_spec, member)

static const struct field restart_fields[] = {
    {"switch", FIELD_TEXT, AT(node), NULL, field_required, NULL},
    {"kind", FIELD_WORD, AT(kind), NULL, field_required, kinds},
    {"at", FIELD_TIME, AT(at_ps), "0..1000s", field_required, NULL},
    {"for", FIELD_TIME, AT(for_ps), "1us..1000s", field_required, NULL},
    {"blink", FIELD_TIME, AT(blink_ps), "1us..1000s", NULL, NULL},
    {"jitter", FIELD_TIME, AT(jitter_ps), "0..10s", "0", NULL},
};

#undef AT

/* The state of reading the list. */
struct restarts_reading {
    struct restart_spec *restarts;
    size_t n;
};

/* Implements fields_item_fn. */
static enum st
read_restart(struct reader *reader, struct fy_node *node, void *context)
{
    struct restarts_reading *reading = context;
    struct restart_spec *restart = &reading->restarts[reading->n++];
    enum st st;

    fields_init(reader, restart_fields, N_FIELDS(restart_fields), restart);
    restart->place = fields_place(reader, node);
    st = fields_read(reader, node, "a restart", restart_fields,
                     N_FIELDS(restart_fields), restart, NULL);
    if (!st && (restart->kind == RESTART_FAST) != (restart->blink_ps > 0)) {
        st = document_fail(reader->document, node, reader->err,
                           "'blink' says how long the ports are down: a fast "
                           "restart needs it, others have none");
    }
    if (!st && restart->blink_ps >= restart->for_ps) {
        st = document_fail(reader->document, node, reader->err,
                           "'blink' is the end of 'for', so it is shorter");
    }
    return st;
}

enum st
section_restarts(struct reader *reader, struct fy_node *node,
                 struct scenario *scenario)
{
    struct restarts_reading reading = {NULL, 0};
    enum st st = ST_OK;

    reading.restarts = arena_alloc(reader->arena, fields_n_items(node) + 1,
                                   sizeof *reading.restarts);
    if (node) {
        st = fields_each_item(reader, node, read_restart, &reading);
    }
    scenario->restarts = reading.restarts;
    scenario->n_restarts = reading.n;
    return st;
}
