/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_BINDING_H
#define ORCHD_RECONCILE_BINDING_H

/* Which profiles fit which ports, queues and priority groups.
 *
 * Each has a side: a priority group must not use an egress pool, nor a queue an
 * ingress pool. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct object;

/* An attribute that binds profiles. */
struct binding {
    sai_object_type_t type;
    sai_attr_id_t id;
    int32_t other; /* The pool type that it must not use. */
    bool trims;    /* Its packets may be trimmed. */
};

/* Returns the binding that attribute 'id' of 'point' is; NULL if it binds no
 * profile. */
const struct binding *binding_of(const struct object *point, sai_attr_id_t id);

/* Returns whether attribute 'id' of 'point' may refer to 'object', judging by
 * directions: a binding must not name a profile whose pool is known to be of
 * the other direction. */
bool binding_fits(const struct object *point, sai_attr_id_t id,
                  const struct object *object);

/* The same, judging by 'type', what the pool of the profile is on the ASIC:
 * true if that is not known (NULL), or for another attribute. */
bool binding_fits_now(const struct object *point, sai_attr_id_t id,
                      const sai_attribute_value_t *type);

#endif /* orchd/reconcile/binding.h */
