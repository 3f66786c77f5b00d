/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_STORE_TABLES_H
#define ORCHD_STORE_TABLES_H

/* The function tables of libsai-store, as long as a release has them.
 *
 * Each is an allocation of its own, so that a sanitizer sees whoever reads
 * beyond its end. */

#include <stdbool.h>

#include <sai.h>

struct tables;

/* Returns the tables of release 'version'.  The slots of bulk functions refuse,
 * or are NULL if 'bulk_absent'.  End with tables_destroy(). */
struct tables *tables_create(sai_api_version_t version, bool bulk_absent);

/* Frees 'tables'.  Accepts NULL. */
void tables_destroy(struct tables *tables);

/* Returns the table of 'api', NULL if the library has none. */
void *tables_find(const struct tables *tables, sai_api_t api);

#endif /* vendors/store/tables.h */
