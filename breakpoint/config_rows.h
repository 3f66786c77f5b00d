/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_CONFIG_ROWS_H
#define ORCHD_BREAKPOINT_CONFIG_ROWS_H

/* The rows of CONFIG_DB that a scenario writes.
 *
 * A configuration is a list; each of its items is
 *
 *   a file            config_db.json, or YAML of the same shape; its name is
 *                     relative to the scenario, and references in it are not
 *                     replaced;
 *   a map of rows     {"BUFFER_POOL|p": {size: $size, type: ingress}}, or as in
 *                     config_db.json {BUFFER_POOL: {p: {...}}};
 *   an expectation    {rows: ..., expect: rejected}: rows that orchd has to
 * answer with this state or code.
 *
 * Rows accumulate: a later item adds or replaces fields of an existing row, an
 * empty value removes a field, and an empty row removes the row.  So a
 * variation of a real configuration is the file followed by the differences. */

#include <stdbool.h>

#include "base/status.h"
#include "breakpoint/loader.h"

struct choices;

/* The accumulated rows, by key.  Zeroed, it is empty. */
struct config_rows {
    struct list all;     /* struct config_rows_row, private. */
    struct list changed; /* size_t: indices in 'all'; see config_rows_load(). */
    bool adds; /* The target knows the former contents of the rows; they have
                * only the fields that the scenario sets or removes. */
};

/* Adds the rows of 'node'.  'rows->changed' then lists the rows that 'node'
 * mentions. */
enum st config_rows_load(struct loader *loader, struct config_rows *rows,
                         struct fy_node *node) ST_WARN_UNUSED;

/* Sets one field of one row.  Call it before config_rows_load(), whose items
 * override the value. */
void config_rows_set(struct loader *loader, struct config_rows *rows,
                     const char *key, const char *field, const char *value,
                     struct fy_node *node);

/* Returns whether there is a row 'key'; else adds the keys of all rows to
 * 'choices'. */
bool config_rows_has(const struct config_rows *rows, const char *key,
                     struct choices *choices);

/* Stores the current contents of the '*n' changed rows, in order, allocated
 * from the arena of the scenario, and clears the list of changed rows. */
void config_rows_changes(struct loader *loader, struct config_rows *rows,
                         const struct config_row **changes, size_t *n);

/* Forgets all rows; later items add to the rows that the target has. */
void config_rows_forget(struct config_rows *rows);

/* Frees 'rows'. */
void config_rows_fini(struct config_rows *rows);

#endif /* breakpoint/config_rows.h */
