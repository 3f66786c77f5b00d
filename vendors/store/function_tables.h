/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_STORE_FUNCTION_TABLES_H
#define ORCHD_STORE_FUNCTION_TABLES_H

/* The function tables of libsai-store, as long as a release has them.
 *
 * Each is an allocation of its own, so that a sanitizer sees whoever reads
 * beyond its end. */

#include <stdbool.h>

#include <sai.h>

struct function_tables;

/* Returns the tables of release 'version'.  The slots of bulk functions refuse,
 * or are NULL if 'bulk_absent'.  End with function_tables_destroy(). */
struct function_tables *function_tables_create(sai_api_version_t version,
                                               bool bulk_absent);

/* Frees 'tables'.  Accepts NULL. */
void function_tables_destroy(struct function_tables *tables);

/* Returns the table of 'api', NULL if the library has none. */
void *function_tables_find(const struct function_tables *tables, sai_api_t api);

#endif /* vendors/store/function_tables.h */
