/* SPDX-License-Identifier: Apache-2.0 */

/* Learns from the results of get which objects exist. */

#include <config.h>

#include "sai/stack/discovery.h"

#include <stdbool.h>

#include "sai/core/metadata.h"

/* Returns the type of 'oid', a value of 'meta': the only allowed type, or else
 * the type that the vendor reports. */
static sai_object_type_t
find_type(const struct discovery *discovery,
          const struct metadata_attribute *meta, sai_object_id_t oid)
{
    const sai_object_type_t *types = meta->objects;
    struct sai_backend *inner = discovery->inner;

    if (types[0] == SAI_OBJECT_TYPE_NULL || types[1] == SAI_OBJECT_TYPE_NULL) {
        return types[0];
    }
    for (; *types != SAI_OBJECT_TYPE_NULL; types++) {
        const struct metadata_object *object = metadata_object(*types);
        sai_attribute_t probe = {0};
        sai_status_t status;

        if (!object || !object->n_attributes) {
            continue;
        }
        probe.id = object->attributes[0].id;
        status = inner->ops->get(inner, *types, oid, 1, &probe);
        if (status == SAI_STATUS_SUCCESS ||
            status == SAI_STATUS_BUFFER_OVERFLOW) {
            return *types;
        }
    }
    return SAI_OBJECT_TYPE_NULL;
}

/* Returns whether objects of 'type' are created and removed with their port. */
static bool
is_of_port(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_QUEUE ||
           type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP ||
           type == SAI_OBJECT_TYPE_SCHEDULER_GROUP;
}

/* Adds object 'oid', a value of attribute 'meta' of 'item'. */
static void
discover_one(const struct discovery *discovery, struct registry_item *item,
             const struct metadata_attribute *meta, sai_object_id_t oid)
{
    struct registry_item *found = registry_find(discovery->registry, oid);
    sai_object_type_t type;

    if (oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    type = found ? found->type : find_type(discovery, meta, oid);
    if (!found && type != SAI_OBJECT_TYPE_NULL) {
        found = registry_add(discovery->registry, type, oid);
    }
    if (found && item->type == SAI_OBJECT_TYPE_PORT && is_of_port(type)) {
        registry_adopt(discovery->registry, found, item);
    }
}

/* Adds the objects and the references in a result. */
void
discovery_learn(const struct discovery *discovery, struct registry_item *item,
                const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(item->type, attribute->id);
    const sai_object_id_t *oids = &attribute->value.oid;
    uint32_t n = 1;

    if (meta->kind == KIND_OBJLIST) {
        oids = attribute->value.objlist.list;
        n = oids ? attribute->value.objlist.count : 0;
    } else if (meta->kind != KIND_OID) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        discover_one(discovery, item, meta, oids[i]);
    }
    if (!(meta->flags & METADATA_FLAG_READ_ONLY) && (n || !oids)) {
        registry_note(discovery->registry, item, attribute);
    }
}
