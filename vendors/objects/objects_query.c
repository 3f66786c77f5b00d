/* SPDX-License-Identifier: Apache-2.0 */

/* The SAI objects of one switch: the calls of clients.  This file uses the
 * functions of objects_store.c only, not its data structures. */

#include <config.h>

#include "vendors/objects/objects.h"

#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"
#include "sai/core/validate.h"

/* The context of the callbacks of validate.h. */
struct question {
    const struct objects *objects;
    const struct objects_item *item; /* NULL at creation. */
};

static sai_object_type_t type_of(void *context, sai_object_id_t oid);
static bool current_number(void *context, sai_attr_id_t id, int64_t *value);
static bool gives_key(sai_object_type_t type, uint32_t n,
                      const sai_attribute_t *attributes);
static bool has_key(const struct objects_item *item, uint32_t n,
                    const sai_attribute_t *attributes);
static sai_status_t get_one(const struct objects_item *item,
                            sai_attribute_t *attribute,
                            objects_compute_fn *compute, void *context);

sai_status_t
objects_check_create(const struct objects *objects, sai_object_type_t type,
                     uint32_t n, const sai_attribute_t *attributes)
{
    struct question question = {.objects = objects};
    const struct validate_env env = {.context = &question, .type_of = type_of};
    const sai_status_t status = validate_create(type, n, attributes, &env);

    if (status != SAI_STATUS_SUCCESS || !gives_key(type, n, attributes)) {
        return status;
    }
    /* A linear search will do: types with keys have few objects, or are created
     * rarely. */
    for (const struct objects_item *i = objects_first(objects, type); i;
         i = objects_next(objects, i)) {
        if (has_key(i, n, attributes)) {
            return SAI_STATUS_ITEM_ALREADY_EXISTS;
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
objects_check_set(const struct objects *objects,
                  const struct objects_item *item,
                  const sai_attribute_t *attribute)
{
    struct question question = {.objects = objects, .item = item};
    const struct validate_env env = {
        .context = &question, .type_of = type_of, .current = current_number};

    return validate_set(item->type, attribute, &env);
}

sai_status_t
objects_point_at(sai_status_t status, sai_attr_id_t id, uint32_t n,
                 const sai_attribute_t *attributes)
{
    if (status > SAI_STATUS_INVALID_ATTRIBUTE_0) {
        return status;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (attributes[i].id == id) {
            return status - (sai_status_t)i;
        }
    }
    return SAI_STATUS_INVALID_PARAMETER; /* It is not in the list. */
}

/* The same for a child. */
static sai_status_t
check_remove_child(const struct objects_item *child)
{
    if (child->type != SAI_OBJECT_TYPE_BRIDGE_PORT &&
        child->type != SAI_OBJECT_TYPE_VLAN_MEMBER) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    return child->n_references ||
                   (child->type == SAI_OBJECT_TYPE_BRIDGE_PORT &&
                    objects_child(child->parent, SAI_OBJECT_TYPE_VLAN_MEMBER,
                                  0))
               ? SAI_STATUS_OBJECT_IN_USE
               : SAI_STATUS_SUCCESS;
}

sai_status_t
objects_check_remove(const struct objects_item *item)
{
    const struct objects_item *children;
    uint32_t n;

    if (item->parent) {
        return check_remove_child(item);
    }
    if (item->n_references) {
        return SAI_STATUS_OBJECT_IN_USE;
    }
    children = objects_children(item, &n);
    for (uint32_t i = 0; i < n; i++) {
        const bool uses = (children[i].type == SAI_OBJECT_TYPE_BRIDGE_PORT ||
                           children[i].type == SAI_OBJECT_TYPE_VLAN_MEMBER) &&
                          !children[i].is_absent;

        if (uses || children[i].n_references) {
            return SAI_STATUS_OBJECT_IN_USE;
        }
    }
    return SAI_STATUS_SUCCESS;
}

int64_t
objects_number(const struct objects_item *item, sai_attr_id_t id)
{
    int64_t number = 0;
    struct question question = {.item = item};

    (void)current_number(&question, id, &number);
    return number;
}

sai_object_id_t
objects_oid(const struct objects_item *item, sai_attr_id_t id)
{
    const sai_attribute_value_t *value = objects_value(item, id);
    sai_attribute_value_t implied;

    if (value) {
        return value->oid;
    }
    return objects_implied(item, id, &implied) ? implied.oid
                                               : SAI_NULL_OBJECT_ID;
}

struct objects_item *
objects_referent(const struct objects *objects, const struct objects_item *item,
                 sai_attr_id_t id)
{
    return objects_find(objects, objects_oid(item, id));
}

sai_status_t
objects_get(const struct objects_item *item, uint32_t n,
            sai_attribute_t *attributes, objects_compute_fn *compute,
            void *context)
{
    sai_status_t result = validate_get(item->type, n, attributes);

    if (result != SAI_STATUS_SUCCESS) {
        return result;
    }
    for (uint32_t i = 0; i < n; i++) {
        const sai_status_t status =
            get_one(item, &attributes[i], compute, context);

        if (status <= SAI_STATUS_INVALID_ATTRIBUTE_0) {
            return status - (sai_status_t)i;
        }
        if (status == SAI_STATUS_BUFFER_OVERFLOW) {
            result = status;
        } else if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
    }
    return result;
}

sai_status_t
objects_answer_list(sai_attribute_value_t *value, uint32_t n,
                    const sai_object_id_t *oids)
{
    /* attr_value_get() only reads its source. */
    const sai_attribute_value_t all = {
        .objlist = {.count = n, .list = (sai_object_id_t *)(uintptr_t)oids}};

    return attr_value_get(KIND_OBJLIST, &all, value);
}

static sai_object_type_t
type_of(void *context, sai_object_id_t oid)
{
    const struct question *question = context;
    const struct objects_item *item = objects_find(question->objects, oid);

    return item ? item->type : SAI_OBJECT_TYPE_NULL;
}

static bool
current_number(void *context, sai_attr_id_t id, int64_t *value)
{
    const struct question *question = context;
    const struct metadata_attribute *meta =
        metadata_attribute(question->item->type, id);
    const sai_attribute_value_t *stored = objects_value(question->item, id);
    sai_attribute_value_t fallback;

    if (!meta || (!stored && !objects_implied(question->item, id, &fallback) &&
                  !metadata_default(meta, &fallback))) {
        return false;
    }
    *value = metadata_number(meta->kind, stored ? stored : &fallback);
    return true;
}

/* Returns whether any of 'attributes', which all exist, is part of a key. */
static bool
gives_key(sai_object_type_t type, uint32_t n, const sai_attribute_t *attributes)
{
    for (uint32_t i = 0; i < n; i++) {
        if (metadata_attribute(type, attributes[i].id)->flags &
            METADATA_FLAG_KEY) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'item' has the key that 'attributes' give. */
static bool
has_key(const struct objects_item *item, uint32_t n,
        const sai_attribute_t *attributes)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *attribute =
            metadata_attribute(item->type, attributes[i].id);
        const sai_attribute_value_t *known =
            objects_value(item, attributes[i].id);
        sai_attribute_value_t implied;

        if (!(attribute->flags & METADATA_FLAG_KEY)) {
            continue;
        }
        if (!known && objects_implied(item, attributes[i].id, &implied)) {
            known = &implied;
        }
        if (!known ||
            !attr_value_equal(attribute->kind, known, &attributes[i].value)) {
            return false;
        }
    }
    return true;
}

/* Like objects_get() for one attribute; per-attribute codes have index 0. */
static sai_status_t
get_one(const struct objects_item *item, sai_attribute_t *attribute,
        objects_compute_fn *compute, void *context)
{
    const struct metadata_attribute *meta =
        metadata_attribute(item->type, attribute->id);
    const sai_attribute_value_t *stored = objects_value(item, attribute->id);
    sai_attribute_value_t fallback;

    if (stored) {
        return attr_value_get(meta->kind, stored, &attribute->value);
    }
    if (objects_implied(item, attribute->id, &fallback)) {
        return attr_value_get(meta->kind, &fallback, &attribute->value);
    }
    if (compute) {
        const sai_status_t status = compute(context, item, attribute);

        if (status != SAI_STATUS_ITEM_NOT_FOUND) {
            return status;
        }
    }
    if (metadata_default(meta, &fallback)) {
        return attr_value_get(meta->kind, &fallback, &attribute->value);
    }
    return meta->condition == METADATA_REQUIRED_IF_ANY ||
                   meta->condition == METADATA_REQUIRED_IF_ALL
               ? SAI_STATUS_INVALID_ATTRIBUTE_0
               : SAI_STATUS_ATTR_NOT_IMPLEMENTED_0;
}
