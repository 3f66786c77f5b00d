/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_ADOPTED_VALUES_H
#define ORCHD_RECONCILE_ADOPTED_VALUES_H

/* The values of objects that a previous run left on the ASIC (warm restart).
 *
 * During adoption, SAI may answer a creation with an existing object whose
 * attributes differ from those requested (sai/stack/adoption.h).  So the
 * executor announces each object before it creates it, one at a time, and asks
 * afterwards which values the object was found with.  It records the values
 * that differ as held, and the next plan changes them in the usual order. */

#include <sai.h>

struct adopted_values {
    /* Announces that the next object to be created is 'name', as in object.id.
     */
    void (*expect)(void *context, const char *name);

    /* Returns the value that attribute 'id' of 'oid', which was just created,
     * was found with; NULL if the object is new or the value is not known.
     * Borrowed until the next creation. */
    const sai_attribute_value_t *(*found)(void *context, sai_object_id_t oid,
                                          sai_attr_id_t id);

    void *context;
};

#endif /* orchd/reconcile/adopted_values.h */
