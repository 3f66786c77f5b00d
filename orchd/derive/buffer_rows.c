/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of rows, and a list of places per port. */

#include <config.h>

#include "orchd/derive/buffer_rows.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/port_inputs.h"

struct buffer_rows *
buffer_rows_find(const struct buffer_rows_rows *rows, enum table table,
                 const char *key)
{
    struct buffer_rows *known;
    struct text id = {0};

    table_add_row(&id, table, key);
    HASH_FIND(hh, rows->all, id.bytes, id.length, known);
    text_fini(&id);
    return known;
}

const char *
buffer_rows_field(const struct buffer_rows *known, const char *name)
{
    return content_find(known->content->fields, known->content->n, name);
}

const struct content *
buffer_rows_content(const struct buffer_rows *known)
{
    return known->held ? known->instead : known->content;
}

static void
link_places(struct buffer_rows *known, struct port_inputs *facts,
            const struct row *row)
{
    known->n_places = row->n_ports;
    known->places = check_calloc(row->n_ports + 1, sizeof *known->places);
    for (size_t i = 0; i < row->n_ports; i++) {
        struct place *place = &known->places[i];

        place->row = known;
        place->port = port_inputs_get_port(facts, row->ports[i]);
        LL_PREPEND(place->port->places, place);
    }
}

struct buffer_rows *
buffer_rows_put(struct buffer_rows_rows *rows, struct port_inputs *facts,
                const struct row *row)
{
    struct buffer_rows *known = buffer_rows_find(rows, row->table, row->key);

    if (!known) {
        struct text id = {0};

        table_add_row(&id, row->table, row->key);
        known = check_calloc(1, sizeof *known);
        known->id = text_take(&id);
        known->key = known->id + strlen(table_name(row->table)) + 1;
        known->table = row->table;
        known->first = row->first;
        known->last = row->last;
        HASH_ADD_KEYPTR(hh, rows->all, known->id, strlen(known->id), known);
        link_places(known, facts, row);
        if (known->table == TABLE_BUFFER_POOL) {
            DL_APPEND2(rows->pools, known, prev_pool, next_pool);
        }
    }
    content_unref(known->content);
    known->content = row->content ? content_ref(row->content)
                                  : content_create(row->fields, row->n_fields);
    for (size_t i = 0; i < known->n_places; i++) {
        port_inputs_mark(facts, known->places[i].port);
    }
    return known;
}

static void
buffer_rows_free(struct buffer_rows_rows *rows, struct buffer_rows *known)
{
    HASH_DEL(rows->all, known);
    if (known->due) {
        DL_DELETE(rows->due, known);
    }
    if (known->table == TABLE_BUFFER_POOL) {
        DL_DELETE2(rows->pools, known, prev_pool, next_pool);
    }
    rows->n_held -= known->held;
    buffer_rows_reset(known);
    content_unref(known->content);
    free(known->places);
    free(known->id);
    free(known);
}

void
buffer_rows_remove(struct buffer_rows_rows *rows, struct port_inputs *facts,
                   struct buffer_rows *known)
{
    for (size_t i = 0; i < known->n_places; i++) {
        struct place *place = &known->places[i];

        LL_DELETE(place->port->places, place);
        port_inputs_mark(facts, place->port);
    }
    buffer_rows_free(rows, known);
}

void
buffer_rows_fini(struct buffer_rows_rows *rows)
{
    struct buffer_rows *known, *next;

    HASH_ITER(hh, rows->all, known, next)
    {
        buffer_rows_free(rows, known);
    }
}

void
buffer_rows_reset(struct buffer_rows *known)
{
    content_unref(known->instead);
    free(known->err);
    known->instead = NULL;
    known->err = NULL;
}

void
buffer_rows_mark(struct buffer_rows_rows *rows, struct buffer_rows *known)
{
    if (!known->due) {
        known->due = true;
        DL_APPEND(rows->due, known);
    }
}

struct buffer_rows *
buffer_rows_take(struct buffer_rows_rows *rows)
{
    struct buffer_rows *known = rows->due;

    if (known) {
        DL_DELETE(rows->due, known);
        known->due = false;
    }
    return known;
}

static bool
beats(const struct buffer_rows *a, const struct buffer_rows *b)
{
    unsigned int x = a->last - a->first, y = b->last - b->first;

    if (x != y) {
        return x < y;
    }
    if (a->n_places != b->n_places) {
        return a->n_places < b->n_places;
    }
    return strcmp(a->key, b->key) < 0;
}

struct place *
place_of(const struct port_facts *port, enum table table, unsigned int index)
{
    struct place *best = NULL;

    for (struct place *place = port->places; place; place = place->next) {
        const struct buffer_rows *row = place->row;

        if (row->table == table && index >= row->first && index <= row->last &&
            (!best || beats(row, best->row))) {
            best = place;
        }
    }
    return best;
}
