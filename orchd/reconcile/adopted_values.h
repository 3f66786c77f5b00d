/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_ADOPTED_VALUES_H
#define ORCHD_RECONCILE_ADOPTED_VALUES_H

/* Objects that an earlier life has left on the ASIC.
 *
 * While there may be some, a creation can be answered by one of them that does
 * not hold what was asked for (sai/stack/adoption.h).  So whoever answers is
 * told first which object is about to be created, one at a time, and asked
 * afterwards what it was found with.  What differs is then noted as held, and
 * the next plan changes it, in the order that all plans keep. */

#include <sai.h>

struct adopted_values {
    /* The next object to be created is called 'name', as object.id. */
    void (*expect)(void *context, const char *name);

    /* Returns what attribute 'id' of 'oid', which was just created, was found
     * with; NULL if it was not there before, or that is not known.  Borrowed
     * until the next creation. */
    const sai_attribute_value_t *(*found)(void *context, sai_object_id_t oid,
                                          sai_attr_id_t id);

    void *context;
};

#endif /* orchd/reconcile/adopted_values.h */
