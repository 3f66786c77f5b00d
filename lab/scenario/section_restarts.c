/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'restarts:'. */

#include <config.h>

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

/* Implements fields_item_fn. */
static enum st
read_restart(struct reader *reader, struct fy_node *node, void *context)
{
    struct restart_spec *restart = context;
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
    struct fields_list list;
    const enum st st = fields_read_list(
        reader, node, sizeof *scenario->restarts, read_restart, &list);

    scenario->restarts = list.items;
    scenario->n_restarts = list.n;
    return st;
}
