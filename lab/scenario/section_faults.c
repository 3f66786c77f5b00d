/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'faults:'. */

#include <config.h>

#include <stdlib.h>

#include "lab/scenario/sections.h"

static const char *const directions[] = {
#define X(member, name) name,
    FAULT_DIRECTIONS(X)
#undef X
        NULL,
};

struct fault_values {
    struct fault_spec fault;
    bool down, stall, clear_ce;
    int64_t delay_ps, flap_ps;
    struct ratio corrupt;
};

#define AT(member) offsetof(struct fault_values, member)

/* The kinds come first, in the order of enum fault_kind. */
static const struct field fault_fields[] = {
    {"down", FIELD_BOOL, AT(down), NULL, NULL, NULL},
    {"loss", FIELD_RATIO, AT(fault.loss), "0..1", NULL, NULL},
    {"drop_every", FIELD_COUNT, AT(fault.every), "1..1G", NULL, NULL},
    {"stall", FIELD_BOOL, AT(stall), NULL, NULL, NULL},
    {"storm", FIELD_BITS, AT(fault.storm), "0..7", NULL, NULL},
    {"corrupt", FIELD_RATIO, AT(corrupt), "0..1", NULL, NULL},
    {"clear_ce", FIELD_BOOL, AT(clear_ce), NULL, NULL, NULL},
    {"delay", FIELD_TIME, AT(delay_ps), "1ps..1s", NULL, NULL},
    {"flap", FIELD_TIME, AT(flap_ps), "1us..1000s", NULL, NULL},
    {"link", FIELD_TEXT, AT(fault.link), NULL, field_required, NULL},
    {"at", FIELD_TIME, AT(fault.at_ps), "0..inf", "0", NULL},
    {"for", FIELD_TIME, AT(fault.for_ps), "1ps..inf", "inf", NULL},
    {"jitter", FIELD_TIME, AT(fault.jitter_ps), "0..10s", "0", NULL},
    {"direction", FIELD_WORD, AT(fault.direction), NULL, "both", directions},
};

#undef AT

/* Returns whether faults of 'kind' can be of one direction of their link. */
static bool
has_direction(enum fault_kind kind)
{
    return kind == FAULT_LOSS || kind == FAULT_DROP_EVERY ||
           kind == FAULT_CORRUPT || kind == FAULT_CLEAR_CE ||
           kind == FAULT_DELAY;
}

/* Returns the key of 'values' that is false and cannot be, NULL if none is. */
static const char *
find_false(const struct fault_values *values)
{
    if (!values->down) {
        return "down";
    }
    if (!values->stall) {
        return "stall";
    }
    return values->clear_ce ? NULL : "clear_ce";
}

/* Checks what was read from 'node'; 'seen' has a bit per kind. */
static enum st
check_fault(const struct reader *reader, struct fy_node *node,
            const struct fault_values *values, uint64_t seen)
{
    const char *is_false = find_false(values);

    if (seen == 0 || (seen & (seen - 1))) {
        return document_fail(
            reader->document, node, reader->err,
            "a fault is one of: down: true, loss: P, drop_every: N, stall: "
            "true, storm: PRIORITIES, corrupt: P, clear_ce: true, delay: TIME, "
            "flap: TIME");
    }
    if (is_false) {
        return document_fail(reader->document, node, reader->err,
                             "'%s: false' is no fault: it ends after 'for'",
                             is_false);
    }
    return ST_OK;
}

/* Stores the kind of a fault, of which 'seen' is the only bit, and what its
 * value is. */
static void
set_kind(struct fault_values *values, uint64_t seen)
{
    struct fault_spec *fault = &values->fault;

    while (!(seen >> fault->kind & 1)) {
        fault->kind++;
    }
    if (fault->kind == FAULT_CORRUPT) {
        fault->loss = values->corrupt;
    }
    fault->time_ps =
        fault->kind == FAULT_FLAP ? values->flap_ps : values->delay_ps;
}

/* Implements fields_item_fn. */
static enum st
read_fault(struct reader *reader, struct fy_node *node, void *context)
{
    struct fault_spec *fault = context;
    struct fault_values values = {
        .down = true, .stall = true, .clear_ce = true};
    uint64_t seen = 0;
    enum st st;

    fields_init(reader, fault_fields, N_FIELDS(fault_fields), &values);
    st = fields_read(reader, node, "a fault", fault_fields,
                     N_FIELDS(fault_fields), &values, &seen);
    seen &= (1U << FAULT_N_KINDS) - 1;
    st = st ? st : check_fault(reader, node, &values, seen);
    if (st) {
        return st;
    }
    set_kind(&values, seen);
    if (!has_direction(values.fault.kind) &&
        values.fault.direction != FAULT_BOTH) {
        const enum fault_kind kind = values.fault.kind;

        return document_fail(
            reader->document, node, reader->err,
            "'direction' is of 'loss', 'drop_every', 'corrupt', 'clear_ce' and "
            "'delay': %s",
            kind == FAULT_DOWN || kind == FAULT_FLAP
                ? "a link that is down is so in both directions"
                : "the node that 'link' names first has the defect");
    }
    values.fault.place = fields_place(reader, node);
    *fault = values.fault;
    return ST_OK;
}

/* By time; equal times keep the order of the file. */
static int
compare_faults(const void *left, const void *right)
{
    const struct fault_spec *a = left, *b = right;

    if (a->at_ps != b->at_ps) {
        return a->at_ps < b->at_ps ? -1 : 1;
    }
    if (a->place.line != b->place.line) {
        return a->place.line < b->place.line ? -1 : 1;
    }
    return a->place.column < b->place.column ? -1 : 1;
}

enum st
section_faults(struct reader *reader, struct fy_node *node,
               struct scenario *scenario)
{
    struct fields_list list;
    const enum st st = fields_read_list(
        reader, node, sizeof *scenario->faults, read_fault, &list);

    qsort(list.items, list.n, sizeof *scenario->faults, compare_faults);
    scenario->faults = list.items;
    scenario->n_faults = list.n;
    return st;
}
