/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_SOURCE_H
#define ORCHD_RECONCILE_SOURCE_H

/* Adds rows to the graph, changes and removes them.
 *
 * The key of a row says which objects it claims; its content says what it wants
 * of them and what it refers to.  So a change of content replaces wants and
 * edges and keeps the claims.  A row that was deleted from CONFIG_DB has
 * neither edges nor attached claims, but its source is kept until the ASIC
 * holds nothing of it any more, so that this can be reported.
 *
 * If a derived row is withheld without content, the ASIC keeps nothing of it.
 * For a user-owned row it keeps what it has.
 *
 * A new content makes all refusals of the old one due. */

#include <stdint.h>

struct err;
struct graph;
struct row;
struct source;

/* Takes in 'row': its verdict and, if it has changed, its content.  'now' is
 * kept for the answer.  A row that is not present is removed; the next plan
 * undoes what it wanted. */
void source_put_row(struct graph *graph, const struct row *row, int64_t now);

/* Sets the reason why there is no ASIC, which is then the answer to rows that
 * wait only for it.  NULL: it is there, or is about to be, and they get no
 * answer. */
void source_set_absence(struct graph *graph, const struct err *absence);

/* Sets the hwsku that the ASIC was created with; NULL: any. */
void source_set_hwsku(struct graph *graph, const char *hwsku);

/* Sets the warning of the row DEVICE_METADATA about the chip; "": none. */
void source_set_chip_warning(struct graph *graph, const char *warning);

/* Frees 'source', whose row is not present. */
void source_drop(struct source *source);

/* Frees all sources, present or not.  Call it before the graph is destroyed. */
void source_drop_all(struct graph *graph);

#endif /* orchd/reconcile/source.h */
