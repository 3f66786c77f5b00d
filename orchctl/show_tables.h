/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SHOW_TABLES_H
#define ORCHD_ORCHCTL_SHOW_TABLES_H

/* The tables of "orchctl show": which columns each has, and how a value in
 * orchd's reply becomes the text of a cell.
 *
 * A table is a list of columns: a heading, the path of the value in an item of
 * the reply, and a function that formats it.  --json prints the reply itself,
 * so a script can get everything that a column shows. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "command/grid.h"

/* Writes the text of a cell for 'item' into 'buffer'. */
typedef void cell_fn(const json_t *item, const char *path, char *buffer,
                     size_t size);

/* A column: its header, its rank (grid_fit()), the path of its value in an item
 * ("stats.dropped"), and the function that formats it. */
struct column {
    struct grid_column head;
    unsigned int rank;
    const char *path; /* Member names separated by dots. */
    cell_fn *cell;    /* NULL: the value unchanged. */
};

#define SHOW_TABLE_COLUMNS_MAX 12

/* A table and the verb that shows it. */
struct show_table {
    const char *verb;
    const char *list;  /* In the reply. */
    const char *table; /* Of CONFIG_DB; NULL: the list is not of objects. */
    const char *none;  /* The message for an empty list. */
    const struct column *columns;
    size_t n; /* At most SHOW_TABLE_COLUMNS_MAX. */
};

/* The table of "show ports --stats". */
#define SHOW_TABLE_PORT_COUNTERS "ports --stats"

/* Returns the table of a verb of "show", which has one. */
const struct show_table *show_table_find(const char *verb);

/* Returns whether a cell with 'text' deserves attention, and stores its
 * colour: something is down, paused, or was lost. */
bool show_table_colour(const struct column *column, const char *text,
                       enum terminal_colour *colour);

/* Writes the text of a cell into 'buffer'. */
void show_table_cell(const struct column *column, const json_t *item,
                     char *buffer, size_t size);

#endif /* orchctl/show_tables.h */
