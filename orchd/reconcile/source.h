/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_SOURCE_H
#define ORCHD_RECONCILE_SOURCE_H

/* Rows enter the graph, change there, and leave it.
 *
 * The key of a row says which objects it claims, its content what it wants of
 * them and what it refers to.  So a change of content exchanges the wants and
 * the edges and keeps the claims.  A row that is not in CONFIG_DB any more has
 * neither edges nor attached claims, but its source lives on until the ASIC is
 * clean of what it wanted: somebody has to be told.
 *
 * A generated row that is withheld without content is there all the same, but
 * the ASIC keeps nothing of it.  Of a row of the user's it keeps what it has.
 *
 * A new content deserves a new try of whatever was refused of the old one. */

#include <stdint.h>

struct err;
struct graph;
struct row;
struct source;

/* Takes in 'row': its verdict and, if it has changed, its content.  'now' is
 * kept for the answer.  A row that is not present is taken out; what it wanted
 * is undone by the next plan. */
void source_put_row(struct graph *graph, const struct row *row, int64_t now);

/* Says why there is no ASIC, which is then the answer to rows that only wait
 * for it; NULL: it is there, or about to be, and they wait in silence. */
void source_set_absence(struct graph *graph, const struct err *absence);

/* Says for which hwsku the ASIC was made; NULL: it does not matter. */
void source_set_hwsku(struct graph *graph, const char *hwsku);

/* Forgets 'source', whose row is not present. */
void source_drop(struct source *source);

/* Forgets all sources, present or not.  To be called before the graph is
 * destroyed. */
void source_drop_all(struct graph *graph);

#endif /* orchd/reconcile/source.h */
