/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_DRIFTS_H
#define ORCHD_PUBLISH_DRIFTS_H

/* STATE_DB: where the ASIC differs from what orchd programmed (drift).
 *
 * Internal to publish/.  One hash per object, ORCHD_DRIFT|TABLE|name|index:
 *
 *   intended:ATTRIBUTE, found:ATTRIBUTE   values as in ASIC_DB; "missing" is
 *                                         found if the object is gone
 *   repair                                "on" if orchd sets all of it again,
 *                                         "impossible" if orchd should repair
 * it but cannot, else "report" since, checked                        when it
 * was found, first and last
 *
 * The key is removed when the object is found as intended, or when no row needs
 * the object any more.  An object that orchd recreates to repair it keeps its
 * key until it is read again. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/reconcile/drift.h"

struct drifts;
struct object;
struct redis;

/* Creates an empty report that writes through 'redis', which is borrowed. */
struct drifts *drifts_create(struct redis *redis);

/* Frees 'drifts'; the rows in STATE_DB stay.  Accepts NULL. */
void drifts_destroy(struct drifts *drifts);

/* Adds an attribute of the object that is being read, which has drifted. */
void drifts_add(struct drifts *drifts,
                const struct compare_difference *difference,
                enum drift_remedy remedy);

/* How the state of an object has changed. */
enum drifts_news {
    DRIFTS_NOTHING_NEW,
    DRIFTS_BEGUN, /* It was as intended before. */
    DRIFTS_OVER,  /* It had drifted before. */
};

/* Ends the reading of 'object' at 'time' (text): writes the attributes that
 * were added, or, if there are none and the object is 'settled', removes its
 * row. */
enum drifts_news drifts_end(struct drifts *drifts, const struct object *object,
                            bool settled, const char *time);

/* Returns the remedy for the object whose reading is about to end. */
enum drift_remedy drifts_remedy(const struct drifts *drifts);

/* Handles the removal of the object 'id' ("BUFFER_PROFILE|x"). */
void drifts_gone(struct drifts *drifts, const char *id);

/* Ends a round over all objects: removes the rows of those that were not read.
 */
void drifts_end_round(struct drifts *drifts);

/* Redis may have lost or kept any row: forgets all objects and removes all
 * rows; the next round finds drifted objects again. */
void drifts_restart(struct drifts *drifts);

/* Returns how many objects have drifted. */
size_t drifts_count(const struct drifts *drifts);

#endif /* orchd/publish/drifts.h */
