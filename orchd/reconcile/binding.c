/* SPDX-License-Identifier: Apache-2.0 */

/* Compares the directions of pools with those of bindings. */

#include <config.h>

#include "orchd/reconcile/binding.h"

#include <stddef.h>

#include "orchd/reconcile/graph.h"

static const struct binding bindings[] = {
    {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
     SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
     SAI_BUFFER_POOL_TYPE_EGRESS, false},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
     SAI_BUFFER_POOL_TYPE_INGRESS, true},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
     SAI_BUFFER_POOL_TYPE_EGRESS, false},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
     SAI_BUFFER_POOL_TYPE_INGRESS, false},
};

const struct binding *
binding_of(const struct object *point, sai_attr_id_t id)
{
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        if (bindings[i].type == point->type && bindings[i].id == id) {
            return &bindings[i];
        }
    }
    return NULL;
}

bool
binding_fits(const struct object *point, sai_attr_id_t id,
             const struct object *object)
{
    const struct binding *binding = binding_of(point, id);

    return !binding || object->direction != binding->other;
}

bool
binding_fits_now(const struct object *point, sai_attr_id_t id,
                 const sai_attribute_value_t *type)
{
    const struct binding *binding = binding_of(point, id);

    return !binding || !type || type->s32 != binding->other;
}
