/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of rows, and a list of places per port. */

#include <config.h>

#include "orchd/derive/known.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/port_facts.h"

struct known *
known_find(const struct known_rows *rows, enum table table, const char *key)
{
    struct known *known;
    struct text id = {0};

    table_add_row(&id, table, key);
    HASH_FIND(hh, rows->all, id.bytes, id.length, known);
    text_fini(&id);
    return known;
}

const char *
known_field(const struct known *known, const char *name)
{
    return content_find(known->content->fields, known->content->n, name);
}

const struct content *
known_content(const struct known *known)
{
    return known->held ? known->instead : known->content;
}

static void
link_places(struct known *known, struct facts *facts, const struct row *row)
{
    known->n_places = row->n_ports;
    known->places = check_calloc(row->n_ports + 1, sizeof *known->places);
    for (size_t i = 0; i < row->n_ports; i++) {
        struct place *place = &known->places[i];

        place->row = known;
        place->port = facts_get_port(facts, row->ports[i]);
        LL_PREPEND(place->port->places, place);
    }
}

struct known *
known_put(struct known_rows *rows, struct facts *facts, const struct row *row)
{
    struct known *known = known_find(rows, row->table, row->key);

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
        facts_mark(facts, known->places[i].port);
    }
    return known;
}

static void
known_free(struct known_rows *rows, struct known *known)
{
    HASH_DEL(rows->all, known);
    if (known->due) {
        DL_DELETE(rows->due, known);
    }
    if (known->table == TABLE_BUFFER_POOL) {
        DL_DELETE2(rows->pools, known, prev_pool, next_pool);
    }
    rows->n_held -= known->held;
    known_reset(known);
    content_unref(known->content);
    free(known->places);
    free(known->id);
    free(known);
}

void
known_remove(struct known_rows *rows, struct facts *facts, struct known *known)
{
    for (size_t i = 0; i < known->n_places; i++) {
        struct place *place = &known->places[i];

        LL_DELETE(place->port->places, place);
        facts_mark(facts, place->port);
    }
    known_free(rows, known);
}

void
known_fini(struct known_rows *rows)
{
    struct known *known, *next;

    HASH_ITER(hh, rows->all, known, next)
    {
        known_free(rows, known);
    }
}

void
known_reset(struct known *known)
{
    content_unref(known->instead);
    free(known->err);
    known->instead = NULL;
    known->err = NULL;
}

void
known_mark(struct known_rows *rows, struct known *known)
{
    if (!known->due) {
        known->due = true;
        DL_APPEND(rows->due, known);
    }
}

struct known *
known_take(struct known_rows *rows)
{
    struct known *known = rows->due;

    if (known) {
        DL_DELETE(rows->due, known);
        known->due = false;
    }
    return known;
}

static bool
beats(const struct known *a, const struct known *b)
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
        const struct known *row = place->row;

        if (row->table == table && index >= row->first && index <= row->last &&
            (!best || beats(row, best->row))) {
            best = place;
        }
    }
    return best;
}
