/* SPDX-License-Identifier: Apache-2.0 */

/* Merges two lists of fields. */

#include <config.h>

#include "orchd/intent/partial.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/intent/content.h"

/* The kinds of threshold, which exclude each other. */
static const char *const thresholds[] = {"dynamic_th", "static_th"};

static bool
is_threshold(const char *name)
{
    return !strcmp(name, thresholds[0]) || !strcmp(name, thresholds[1]);
}

/* Returns whether 'over' decides about the field 'name'. */
static bool
overrides(const struct content *over, const char *name)
{
    if (is_threshold(name)) {
        return content_find(over->fields, over->n, thresholds[0]) ||
               content_find(over->fields, over->n, thresholds[1]);
    }
    return content_find(over->fields, over->n, name) != NULL;
}

struct content *
partial_complete(const struct content *over, const struct field *fields,
                 size_t n)
{
    struct field *all = check_calloc(over->n + n + 1, sizeof *all);
    struct content *completed;
    size_t n_all = 0;

    for (size_t i = 0; i < over->n; i++) {
        all[n_all++] = over->fields[i];
    }
    for (size_t i = 0; i < n; i++) {
        if (!overrides(over, fields[i].name)) {
            all[n_all++] = fields[i];
        }
    }
    completed = content_create(all, n_all);
    free(all);
    return completed;
}
