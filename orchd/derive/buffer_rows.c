/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of rows, and a list of bindings per port. */

#include <config.h>

#include "orchd/derive/buffer_rows.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/port_inputs.h"

struct buffer_row *
buffer_rows_find(const struct buffer_rows *rows, enum table table,
                 const char *key)
{
    struct buffer_row *copy;
    struct text id = {0};

    table_add_row(&id, table, key);
    HASH_FIND(hh, rows->all, id.bytes, id.length, copy);
    text_fini(&id);
    return copy;
}

const char *
buffer_rows_field(const struct buffer_row *copy, const char *name)
{
    return content_find(copy->content->fields, copy->content->n, name);
}

const struct content *
buffer_rows_content(const struct buffer_row *copy)
{
    return copy->held ? copy->instead : copy->content;
}

static void
link_bindings(struct buffer_row *copy, struct port_inputs *inputs,
              const struct row *row)
{
    copy->n_bindings = row->n_ports;
    copy->bindings = check_calloc(row->n_ports + 1, sizeof *copy->bindings);
    for (size_t i = 0; i < row->n_ports; i++) {
        struct binding *binding = &copy->bindings[i];

        binding->row = copy;
        binding->port = port_inputs_get_port(inputs, row->ports[i]);
        LL_PREPEND(binding->port->bindings, binding);
    }
}

struct buffer_row *
buffer_rows_put(struct buffer_rows *rows, struct port_inputs *inputs,
                const struct row *row)
{
    struct buffer_row *copy = buffer_rows_find(rows, row->table, row->key);

    if (!copy) {
        struct text id = {0};

        table_add_row(&id, row->table, row->key);
        copy = check_calloc(1, sizeof *copy);
        copy->id = text_take(&id);
        copy->key = copy->id + strlen(table_name(row->table)) + 1;
        copy->table = row->table;
        copy->first = row->first;
        copy->last = row->last;
        HASH_ADD_KEYPTR(hh, rows->all, copy->id, strlen(copy->id), copy);
        link_bindings(copy, inputs, row);
        if (copy->table == TABLE_BUFFER_POOL) {
            DL_APPEND2(rows->pools, copy, prev_pool, next_pool);
        }
    }
    content_unref(copy->content);
    copy->content = row->content ? content_ref(row->content)
                                 : content_create(row->fields, row->n_fields);
    for (size_t i = 0; i < copy->n_bindings; i++) {
        port_inputs_mark(inputs, copy->bindings[i].port);
    }
    return copy;
}

static void
buffer_rows_free(struct buffer_rows *rows, struct buffer_row *copy)
{
    HASH_DEL(rows->all, copy);
    if (copy->due) {
        DL_DELETE(rows->due, copy);
    }
    if (copy->table == TABLE_BUFFER_POOL) {
        DL_DELETE2(rows->pools, copy, prev_pool, next_pool);
    }
    rows->n_held -= copy->held;
    buffer_rows_reset(copy);
    content_unref(copy->content);
    free(copy->bindings);
    free(copy->id);
    free(copy);
}

void
buffer_rows_remove(struct buffer_rows *rows, struct port_inputs *inputs,
                   struct buffer_row *copy)
{
    for (size_t i = 0; i < copy->n_bindings; i++) {
        struct binding *binding = &copy->bindings[i];

        LL_DELETE(binding->port->bindings, binding);
        port_inputs_mark(inputs, binding->port);
    }
    buffer_rows_free(rows, copy);
}

void
buffer_rows_fini(struct buffer_rows *rows)
{
    struct buffer_row *copy, *next;

    HASH_ITER(hh, rows->all, copy, next)
    {
        buffer_rows_free(rows, copy);
    }
}

void
buffer_rows_reset(struct buffer_row *copy)
{
    content_unref(copy->instead);
    free(copy->err);
    copy->instead = NULL;
    copy->err = NULL;
}

void
buffer_rows_mark(struct buffer_rows *rows, struct buffer_row *copy)
{
    if (!copy->due) {
        copy->due = true;
        DL_APPEND(rows->due, copy);
    }
}

struct buffer_row *
buffer_rows_take(struct buffer_rows *rows)
{
    struct buffer_row *copy = rows->due;

    if (copy) {
        DL_DELETE(rows->due, copy);
        copy->due = false;
    }
    return copy;
}

static bool
beats(const struct buffer_row *a, const struct buffer_row *b)
{
    unsigned int x = a->last - a->first, y = b->last - b->first;

    if (x != y) {
        return x < y;
    }
    if (a->n_bindings != b->n_bindings) {
        return a->n_bindings < b->n_bindings;
    }
    return strcmp(a->key, b->key) < 0;
}

struct binding *
buffer_rows_binding(const struct port_input *port, enum table table,
                    unsigned int index)
{
    struct binding *best = NULL;

    for (struct binding *binding = port->bindings; binding;
         binding = binding->next) {
        const struct buffer_row *row = binding->row;

        if (row->table == table && index >= row->first && index <= row->last &&
            (!best || beats(row, best->row))) {
            best = binding;
        }
    }
    return best;
}
