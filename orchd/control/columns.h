/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_COLUMNS_H
#define ORCHD_CONTROL_COLUMNS_H

/* Tables of whole numbers, by column: a compact answer of a verb.
 *
 * Motivation: the state of a switch with 512 ports has a hundred thousand
 * numbers.  As JSON values they take milliseconds to build, to compare and to
 * free, ten times a second.  As arrays of numbers they take a tenth of that,
 * and only those that differ become text.
 *
 * As JSON they are an object with the numbers, and an object for each table,
 * whose members are arrays of equal length:
 *
 *     {"layout": 3, "ports": {"rx_bytes": [0, 64], "drops": [0, null]}}
 *
 * All columns of a verb have the same names in the same order. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COLUMNS_MAX 12 /* Columns of a table, tables, numbers. */

/* The value is not known: null. */
#define COLUMNS_NULL INT64_MIN

struct text;

struct columns_table {
    const char *name; /* Static, as all names. */
    size_t n_rows, n_columns;
    const char *names[COLUMNS_MAX];
    int64_t *values[COLUMNS_MAX]; /* Owned. */
};

struct columns {
    size_t n_numbers, n_tables;
    struct {
        const char *name;
        int64_t value;
    } numbers[COLUMNS_MAX];
    struct columns_table tables[COLUMNS_MAX];
};

/* Adds a table with room for 'n_rows', which are COLUMNS_NULL. */
struct columns_table *columns_add_table(struct columns *columns,
                                        const char *name,
                                        const char *const *names,
                                        size_t n_columns, size_t n_rows);

/* Returns a copy. */
struct columns *columns_copy(const struct columns *columns);

/* Frees what 'columns' owns, and empties it; frees it as well.  Both accept
 * NULL. */
void columns_fini(struct columns *columns);
void columns_destroy(struct columns *columns);

/* Returns them as JSON, as a new object.  Appends the same as text. */
json_t *columns_json(const struct columns *columns);
void columns_print(const struct columns *columns, struct text *text);

/* Appends the change from 'old' to 'new' (orchd/page/delta.h) as text.  Returns
 * false, and appends nothing, if they are equal. */
bool columns_print_change(const struct columns *old, const struct columns *new,
                          struct text *text);

#endif /* orchd/control/columns.h */
