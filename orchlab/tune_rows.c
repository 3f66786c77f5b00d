/* SPDX-License-Identifier: Apache-2.0 */

/* The rows of CONFIG_DB that "orchlab tune" reads and changes. */

#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "orchlab/tune.h"
#include "orchlab/whatif_rows.h"

/* Returns the member 'field' of 'row', "" if there is none. */
static const char *
text_of(const json_t *row, const char *field)
{
    const char *text = json_string_value(json_object_get(row, field));

    return text ? text : "";
}

/* Returns whether 'row' of 'table' is one that a question is about. */
static bool
fits(const char *table, const json_t *row)
{
    return strcmp(table, "WRED_PROFILE") == 0
               ? strcmp(text_of(row, "wred_green_enable"), "true") == 0
               : json_object_get(row, "xoff") != NULL;
}

const json_t *
tune_rows_find(const struct tune *tune, size_t role, const char *table,
               const char **key)
{
    const json_t *config = tune->configs[role];
    json_t *row;

    if (strcmp(table, "BUFFER_POOL") == 0) {
        const char *ignored;

        *key = text_of(tune_rows_find(tune, role, "BUFFER_PROFILE", &ignored),
                       "pool");
        return json_object_get(json_object_get(config, table), *key);
    }
    json_object_foreach(json_object_get(config, table), *key, row)
    {
        if (fits(table, row)) {
            return row;
        }
    }
    return NULL;
}

double
tune_rows_pfc_bytes(const struct tune *tune, uint32_t n)
{
    double least = (double)INFINITY;

    for (size_t i = 0; i < tune->n_roles; i++) {
        const char *key;
        const json_t *row = tune_rows_find(tune, i, "BUFFER_PROFILE", &key);

        if (row && json_object_get(row, "dynamic_th")) {
            const double alpha = exp2(atof(text_of(row, "dynamic_th")));
            const double shared = (double)tune->shared_bytes[i];

            least = fmin(least, n * alpha * shared / (1 + n * alpha));
        }
    }
    return least;
}
