/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_STORE_FUNCTION_TABLES_H
#define ORCHD_STORE_FUNCTION_TABLES_H

/* The function tables of libsai-store, with the length that they have in a
 * release.
 *
 * Each is an allocation of its own, so that a sanitizer detects a read beyond
 * its end. */

#include <stdbool.h>

#include <sai.h>

struct function_tables;

/* Returns the tables of release 'version'.  Bulk functions return
 * SAI_STATUS_NOT_IMPLEMENTED, or their slots are NULL if 'bulk_absent'.  End
 * with function_tables_destroy(). */
struct function_tables *function_tables_create(sai_api_version_t version,
                                               bool bulk_absent);

/* Frees 'tables'.  Accepts NULL. */
void function_tables_destroy(struct function_tables *tables);

/* Returns the table of 'api', NULL if the library has none. */
void *function_tables_find(const struct function_tables *tables, sai_api_t api);

#endif /* vendors/store/function_tables.h */
