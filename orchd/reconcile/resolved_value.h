/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESOLVED_VALUE_H
#define ORCHD_RECONCILE_RESOLVED_VALUE_H

/* The value of a slot as SAI takes it: with the current ids of the objects that
 * it refers to. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

struct object;
struct slot;

/* The wanted value of a slot, with ids for references. */
struct resolved_value {
    sai_attribute_value_t value;
    struct object **targets;
    size_t n_targets;
    sai_object_id_t *oids; /* Owned; the elements of an object list. */
};

/* Returns whether 'slot' wants a value, or is frozen with the one that it
 * holds. */
bool resolved_value_exists(const struct slot *slot);

/* Fills '*resolved' with what 'slot' wants, or holds if it is frozen.  Returns
 * false if an object that it refers to does not exist. */
bool resolved_value_init(const struct slot *slot,
                         struct resolved_value *resolved);

/* Frees what 'resolved' holds. */
void resolved_value_fini(struct resolved_value *resolved);

#endif /* orchd/reconcile/resolved_value.h */
