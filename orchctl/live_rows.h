/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_LIVE_ROWS_H
#define ORCHD_ORCHCTL_LIVE_ROWS_H

/* The names of the rows of "show live".
 *
 * The answer has each name once (docs/reference/http.md): the rows of "pgs" and
 * "queues" are in the order of the ports, which say how many each has, and a
 * row has the position of its profile. */

#include <jansson.h>
#include <stddef.h>

/* A place in the rows of one table.  Zeroed, it is before the first row. */
struct live_rows {
    size_t n_ports; /* With rows up to ... */
    json_int_t end; /* ... this one. */
};

/* Returns element 'row' of a column; NULL if there is none. */
json_t *live_rows_cell(const json_t *table, const char *column, size_t row);

/* Moves '*rows' to 'row' of 'table', not before the last one, and returns the
 * name of the port to which it belongs; NULL: to none.  'names' are those of
 * the answer. */
json_t *live_rows_port(struct live_rows *rows, const json_t *names,
                       const char *table, size_t row);

/* Returns what 'column' of the profiles has for the one of 'row'; NULL: it has
 * no profile. */
json_t *live_rows_profile(const json_t *names, const char *table, size_t row,
                          const char *column);

#endif /* orchctl/live_rows.h */
