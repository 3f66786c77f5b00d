/* SPDX-License-Identifier: Apache-2.0 */

/* Sums over objects. */

#include <config.h>

#include "orchd/reconcile/resources.h"

#include "orchd/reconcile/graph.h"

/* Returns the wanted number of an attribute of 'object', 0 if there is none. */
static uint64_t
number(const struct object *object, sai_attr_id_t id)
{
    const sai_attribute_value_t *value = object_wanted_value(object, id);

    return value ? value->u64 : 0;
}

static void
add_pg(struct resources *resources, const struct object *pg)
{
    const struct object *profile = object_wanted_target(
        pg, SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE);
    uint64_t xoff =
        profile ? number(profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH) : 0;

    resources->n_pgs += profile != NULL;
    resources->n_lossless += xoff > 0;
    resources->headroom_demand_bytes += xoff;
    if (profile) {
        resources->ingress_reserved_bytes +=
            number(profile, SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);
    }
}

static void
add_queue(struct resources *resources, const struct object *queue)
{
    const struct object *profile =
        object_wanted_target(queue, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);

    resources->n_queues += profile != NULL;
    if (profile) {
        resources->egress_reserved_bytes +=
            number(profile, SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);
    }
}

void
resources_add(void *resources_, const struct object *object)
{
    struct resources *resources = resources_;

    switch (object->type) {
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        add_pg(resources, object);
        break;
    case SAI_OBJECT_TYPE_QUEUE:
        add_queue(resources, object);
        break;
    case SAI_OBJECT_TYPE_BUFFER_POOL:
        resources->n_pools++;
        resources->shared_headroom_bytes +=
            number(object, SAI_BUFFER_POOL_ATTR_XOFF_SIZE);
        break;
    case SAI_OBJECT_TYPE_BUFFER_PROFILE:
        resources->n_profiles++;
        break;
    case SAI_OBJECT_TYPE_PORT:
        resources->n_ports++;
        break;
    default:
        break;
    }
}
