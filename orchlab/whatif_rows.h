/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_WHATIF_ROWS_H
#define ORCHD_ORCHLAB_WHATIF_ROWS_H

/* Rows of CONFIG_DB as JSON, {TABLE: {KEY: {FIELD: VALUE}}}; for answers by the
 * role of switches, {ROLE: {TABLE: ...}}. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Adds row 'key' of 'table' to those of 'role', or replaces it.  Takes 'row'
 * over. */
void whatif_rows_add(json_t *rows, const char *role, const char *table,
                     const char *key, json_t *row);

/* Returns that row, an empty one that is added if there is none; borrowed. */
json_t *whatif_rows_open(json_t *rows, const char *role, const char *table,
                         const char *key);

/* Adds the rows of the configuration 'after' that are not equal in 'before',
 * NULL: no rows. */
void whatif_rows_collect(json_t *rows, const char *role, const json_t *before,
                         const json_t *after);

/* Returns whether 'config' has all fields and values of 'rows', {TABLE: {KEY:
 * {FIELD: VALUE}}}; otherwise stores a table and key where it has not. */
bool whatif_rows_hold(const json_t *config, const json_t *rows,
                      const char **table, const char **key);

/* Returns the number in 'field', 0 if there is none. */
uint64_t whatif_rows_number(const json_t *row, const char *field);

/* Returns the name of the buffer profile with headroom that a priority group of
 * 'port' has in 'config', and the profile in '*found'; NULL: none has.
 * Borrowed. */
const char *whatif_rows_lossless(const json_t *config, const char *port,
                                 const json_t **found);

/* Returns the headroom that all priority groups of 'config' have together whose
 * buffer profile is of pool 'pool'. */
uint64_t whatif_rows_headroom(const json_t *config, const char *pool);

#endif /* orchlab/whatif_rows.h */
