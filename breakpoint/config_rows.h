/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_CONFIG_ROWS_H
#define ORCHD_BREAKPOINT_CONFIG_ROWS_H

/* Rows of CONFIG_DB in a scenario.
 *
 * A configuration is a list; each of its items is
 *
 *   a file            config_db.json, or YAML of the same shape, beside the
 *                     scenario; nothing in it is replaced;
 *   a map of rows     {"BUFFER_POOL|p": {size: $size, type: ingress}}, or as in
 *                     config_db.json {BUFFER_POOL: {p: {...}}};
 *   rows that are to  {rows: ..., expect: rejected}, with a state of a row or a
 *   be refused        code as orchd answers.
 *
 * Rows add up: fields of a row that is there already are added or replaced, one
 * whose value is empty is taken away, and so is a row whose value is empty.  So
 * "a real configuration, but ..." is the file and then what differs. */

#include "base/status.h"
#include "breakpoint/loader.h"

/* Rows, by key; what each says up to here.  Zeroed, it is empty. */
struct config_rows {
    struct list all;     /* struct config_rows_row, private. */
    struct list changed; /* size_t: positions in 'all' of config_rows_load(). */
    bool adds; /* What rows were before is for the target to know: they have
                * only what is said of them, and fields that are taken away. */
};

/* Adds the rows of 'node'; 'rows->changed' are then those that it says
 * something of. */
enum st config_rows_load(struct loader *loader, struct config_rows *rows,
                         struct fy_node *node) ST_WARN_UNUSED;

/* Adds one field of one row, as if it came first. */
void config_rows_default(struct loader *loader, struct config_rows *rows,
                         const char *key, const char *field, const char *value,
                         struct fy_node *node);

/* Stores what the changed rows are now: '*n' of them, in order, from the arena
 * of the scenario; and forgets that they have changed. */
void config_rows_changes(struct loader *loader, struct config_rows *rows,
                         const struct config_row **changes, size_t *n);

/* Forgets all rows; what is said from now on adds to what the target has. */
void config_rows_forget(struct config_rows *rows);

/* Frees 'rows'. */
void config_rows_fini(struct config_rows *rows);

#endif /* breakpoint/config_rows.h */
