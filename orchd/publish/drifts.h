/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_DRIFTS_H
#define ORCHD_PUBLISH_DRIFTS_H

/* STATE_DB: where the ASIC is no longer what it was made.
 *
 * Internal to publish/.  One hash per object, ORCHD_DRIFT|TABLE|name|index:
 *
 *   intended:ATTRIBUTE, found:ATTRIBUTE   values as in ASIC_DB; "missing" is
 *                                         found if the object is gone
 *   repair                                "on" if all of it is set again,
 *                                         "impossible" if that should be but
 *                                         cannot, else "off"
 *   since, checked                        when it was found, first and last
 *
 * The key goes when the object is found to be as it is meant to be, or is not
 * wanted any more.  One that is removed to be made again keeps its key until it
 * was read. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/reconcile/drift.h"

struct drifts;
struct object;
struct redis;

/* Creates an empty report, written through 'redis', which is borrowed. */
struct drifts *drifts_create(struct redis *redis);

/* Frees 'drifts'; what was written stays.  Accepts NULL. */
void drifts_destroy(struct drifts *drifts);

/* An attribute of an object has drifted. */
void drifts_add(struct drifts *drifts,
                const struct compare_difference *difference,
                enum drift_remedy remedy);

/* What came of reading an object. */
enum drifts_news {
    DRIFTS_NOTHING_NEW,
    DRIFTS_BEGUN, /* It was as intended before. */
    DRIFTS_OVER,  /* It had drifted before. */
};

/* All of 'object' was read at 'time' (text): writes what was added since the
 * last one, or removes what there was, unless it is not 'settled'. */
enum drifts_news drifts_end(struct drifts *drifts, const struct object *object,
                            bool settled, const char *time);

/* Returns what becomes of the object whose reading is about to end. */
enum drift_remedy drifts_remedy(const struct drifts *drifts);

/* An object of that id ("BUFFER_PROFILE|x") is gone. */
void drifts_gone(struct drifts *drifts, const char *id);

/* All objects were read: forgets those that were not among them. */
void drifts_round(struct drifts *drifts);

/* Redis may have lost or kept anything: forgets all and removes what is there;
 * what has drifted is found again. */
void drifts_restart(struct drifts *drifts);

/* Returns how many objects have drifted. */
size_t drifts_count(const struct drifts *drifts);

#endif /* orchd/publish/drifts.h */
