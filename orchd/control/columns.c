/* SPDX-License-Identifier: Apache-2.0 */

/* Arrays, and their text. */

#include <config.h>

#include "orchd/control/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

struct columns_table *
columns_add_table(struct columns *columns, const char *name,
                  const char *const *names, size_t n_columns, size_t n_rows)
{
    struct columns_table *table = &columns->tables[columns->n_tables++];

    orch_assert(columns->n_tables <= COLUMNS_MAX && n_columns <= COLUMNS_MAX);
    table->name = name;
    table->n_rows = n_rows;
    table->n_columns = n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        table->names[i] = names[i];
        table->values[i] = check_calloc(n_rows + 1, sizeof(int64_t));
        for (size_t row = 0; row < n_rows; row++) {
            table->values[i][row] = COLUMNS_NULL;
        }
    }
    return table;
}

struct columns *
columns_copy(const struct columns *columns)
{
    struct columns *copy = check_malloc(sizeof *copy);

    *copy = *columns;
    for (size_t t = 0; t < copy->n_tables; t++) {
        struct columns_table *table = &copy->tables[t];
        const size_t size = (table->n_rows + 1) * sizeof(int64_t);

        for (size_t i = 0; i < table->n_columns; i++) {
            table->values[i] = check_malloc(size);
            memcpy(table->values[i], columns->tables[t].values[i], size);
        }
    }
    return copy;
}

void
columns_fini(struct columns *columns)
{
    if (!columns) {
        return;
    }
    for (size_t t = 0; t < columns->n_tables; t++) {
        for (size_t i = 0; i < columns->tables[t].n_columns; i++) {
            free(columns->tables[t].values[i]);
        }
    }
    memset(columns, 0, sizeof *columns);
}

void
columns_destroy(struct columns *columns)
{
    columns_fini(columns);
    free(columns);
}

/* Returns a value as JSON. */
static json_t *
number_json(int64_t value)
{
    return value == COLUMNS_NULL ? json_null() : json_integer(value);
}

json_t *
columns_json(const struct columns *columns)
{
    json_t *object = json_object();

    for (size_t i = 0; i < columns->n_numbers; i++) {
        json_object_set_new(object, columns->numbers[i].name,
                            number_json(columns->numbers[i].value));
    }
    for (size_t t = 0; t < columns->n_tables; t++) {
        const struct columns_table *table = &columns->tables[t];
        json_t *lists = json_object();

        for (size_t i = 0; i < table->n_columns; i++) {
            json_t *list = json_array();

            for (size_t row = 0; row < table->n_rows; row++) {
                json_array_append_new(list, number_json(table->values[i][row]));
            }
            json_object_set_new(lists, table->names[i], list);
        }
        json_object_set_new(object, table->name, lists);
    }
    return object;
}

/* Appends a value. */
static void
print_number(struct text *text, int64_t value)
{
    if (value == COLUMNS_NULL) {
        text_add(text, "null");
        return;
    }
    if (value < 0) {
        text_add_char(text, '-');
    }
    text_add_number(text, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* Appends a value as a change. */
static void
print_new_number(struct text *text, int64_t value)
{
    if (value == COLUMNS_NULL) {
        text_add(text, "{\"=\":null}");
    } else {
        print_number(text, value);
    }
}

/* Appends the begin of a member: '{' before the first one, ',' before others.
 * Names need no escapes. */
static void
print_name(struct text *text, bool *first, const char *name)
{
    text_add(text, *first ? "{\"" : ",\"");
    text_add(text, name);
    text_add(text, "\":");
    *first = false;
}

/* Appends an array. */
static void
print_list(struct text *text, const int64_t *values, size_t n)
{
    text_add_char(text, '[');
    for (size_t i = 0; i < n; i++) {
        if (i) {
            text_add_char(text, ',');
        }
        print_number(text, values[i]);
    }
    text_add_char(text, ']');
}

/* Appends an object of arrays. */
static void
print_table(struct text *text, const struct columns_table *table)
{
    bool first = true;

    for (size_t i = 0; i < table->n_columns; i++) {
        print_name(text, &first, table->names[i]);
        print_list(text, table->values[i], table->n_rows);
    }
    text_add(text, first ? "{}" : "}");
}

void
columns_print(const struct columns *columns, struct text *text)
{
    bool first = true;

    for (size_t i = 0; i < columns->n_numbers; i++) {
        print_name(text, &first, columns->numbers[i].name);
        print_number(text, columns->numbers[i].value);
    }
    for (size_t t = 0; t < columns->n_tables; t++) {
        print_name(text, &first, columns->tables[t].name);
        print_table(text, &columns->tables[t]);
    }
    text_add(text, first ? "{}" : "}");
}

/* Appends the change of an array of 'n' numbers, which differ. */
static void
print_list_change(struct text *text, const int64_t *old, const int64_t *new,
                  size_t n)
{
    bool first = true;

    for (size_t i = 0; i < n; i++) {
        if (old[i] != new[i]) {
            text_add(text, first ? "{\"" : ",\"");
            text_add_number(text, i);
            text_add(text, "\":");
            print_new_number(text, new[i]);
            first = false;
        }
    }
    text_add_char(text, '}');
}

/* Appends the change of a table as member of its object, if there is one. */
static void
print_table_change(struct text *text, bool *first,
                   const struct columns_table *old,
                   const struct columns_table *new)
{
    const bool replaced = old->n_rows != new->n_rows;
    bool first_column = true;

    for (size_t i = 0; i < new->n_columns; i++) {
        const int64_t *values = new->values[i];

        if (!replaced &&
            !memcmp(old->values[i], values, new->n_rows * sizeof *values)) {
            continue;
        }
        if (first_column) {
            print_name(text, first, new->name);
        }
        print_name(text, &first_column, new->names[i]);
        if (replaced) {
            text_add(text, "{\"=\":");
            print_list(text, values, new->n_rows);
            text_add_char(text, '}');
        } else {
            print_list_change(text, old->values[i], values, new->n_rows);
        }
    }
    if (!first_column) {
        text_add_char(text, '}');
    }
}

bool
columns_print_change(const struct columns *old, const struct columns *new,
                     struct text *text)
{
    bool first = true;

    for (size_t i = 0; i < new->n_numbers; i++) {
        if (old->numbers[i].value != new->numbers[i].value) {
            print_name(text, &first, new->numbers[i].name);
            print_new_number(text, new->numbers[i].value);
        }
    }
    for (size_t t = 0; t < new->n_tables; t++) {
        print_table_change(text, &first, &old->tables[t], &new->tables[t]);
    }
    if (!first) {
        text_add_char(text, '}');
    }
    return !first;
}
