/* SPDX-License-Identifier: Apache-2.0 */

/* Looks up names in the columns of "show live". */

#include <config.h>

#include "orchctl/live_rows.h"

json_t *
live_rows_cell(const json_t *table, const char *column, size_t row)
{
    return json_array_get(json_object_get(table, column), row);
}

json_t *
live_rows_port(struct live_rows *rows, const json_t *names, const char *table,
               size_t row)
{
    const json_t *ports = json_object_get(names, "ports");
    const json_t *n;

    while ((json_int_t)row >= rows->end &&
           (n = live_rows_cell(ports, table, rows->n_ports)) != NULL) {
        rows->end += json_integer_value(n);
        rows->n_ports++;
    }
    return (json_int_t)row < rows->end
               ? live_rows_cell(ports, "name", rows->n_ports - 1)
               : NULL;
}

json_t *
live_rows_profile(const json_t *names, const char *table, size_t row,
                  const char *column)
{
    const json_t *profile =
        live_rows_cell(json_object_get(names, table), "profile", row);

    return profile ? live_rows_cell(json_object_get(names, "profiles"), column,
                                    (size_t)json_integer_value(profile))
                   : NULL;
}
