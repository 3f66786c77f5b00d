/* SPDX-License-Identifier: Apache-2.0 */

/* The SAI objects of one switch. */

#include <config.h>

#include "vendors/store/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/deep.h"
#include "sai/metadata.h"
#include "sai/validate.h"

enum { N_TYPES = 256 }; /* More than SAI numbers in its core range. */

struct type_list {
    struct objects_item *first;
    struct objects_item *last;
    uint32_t n;
    uint32_t last_number;
};

struct objects {
    struct objects_item *by_oid; /* Hash. */
    struct type_list types[N_TYPES];
};

/* What validation asks. */
struct question {
    const struct objects *objects;
    const struct objects_item *item; /* NULL at creation. */
};

static struct objects_item *root_of(struct objects_item *item);
static sai_object_type_t type_of(void *context, sai_object_id_t oid);
static bool current_number(void *context, sai_attr_id_t id, int64_t *value);
static bool has_key(const struct metadata_object *meta,
                    const struct objects_item *item, uint32_t n,
                    const sai_attribute_t *attributes);
static void count_references(struct objects *objects, struct objects_item *item,
                             const sai_attribute_t *attribute, int change);
static uint32_t value_slot(const struct objects_item *item, sai_attr_id_t id,
                           bool *found);
static void drop_one(struct objects *objects, struct objects_item *item);
static sai_status_t get_one(const struct objects_item *item,
                            sai_attribute_t *attribute,
                            objects_compute_fn *compute, void *context);

struct objects *
objects_create(void)
{
    return check_calloc(1, sizeof(struct objects));
}

void
objects_destroy(struct objects *objects)
{
    if (objects) {
        objects_clear(objects);
        free(objects);
    }
}

void
objects_clear(struct objects *objects)
{
    for (struct objects_item *i = objects->by_oid; i; i = objects->by_oid) {
        objects_drop(objects, root_of(i));
    }
}

sai_status_t
objects_check_create(const struct objects *objects, sai_object_type_t type,
                     uint32_t n, const sai_attribute_t *attributes)
{
    struct question question = {.objects = objects};
    const struct validate_env env = {.context = &question, .type_of = type_of};
    const struct metadata_object *meta = metadata_object(type);
    const sai_status_t status = validate_create(type, n, attributes, &env);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    /* Types with keys have few enough objects, or are created rarely. */
    for (const struct objects_item *i = objects_first(objects, type); i;
         i = i->next) {
        if (has_key(meta, i, n, attributes)) {
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
objects_check_remove(const struct objects_item *item)
{
    if (item->parent) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if (item->n_references) {
        return SAI_STATUS_OBJECT_IN_USE;
    }
    for (const struct objects_item *c = item->child; c; c = c->sibling) {
        if (c->n_references) {
            return SAI_STATUS_OBJECT_IN_USE;
        }
    }
    return SAI_STATUS_SUCCESS;
}

struct objects_item *
objects_add(struct objects *objects, sai_object_type_t type,
            struct objects_item *parent, uint32_t n,
            const sai_attribute_t *attributes)
{
    struct objects_item *item = check_calloc(1, sizeof *item);
    struct type_list *list;

    orch_assert((uint32_t)type < N_TYPES);
    list = &objects->types[type];
    item->oid = (uint64_t)type << 32 | ++list->last_number;
    item->type = type;
    HASH_ADD(hh, objects->by_oid, oid, sizeof item->oid, item);

    item->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = item;
    list->last = item;
    list->n++;

    item->parent = parent;
    if (parent) {
        struct objects_item **end = &parent->child;

        while (*end) {
            end = &(*end)->sibling;
        }
        *end = item;
    }
    for (uint32_t i = 0; i < n; i++) {
        objects_put(objects, item, &attributes[i]);
    }
    return item;
}

void
objects_put(struct objects *objects, struct objects_item *item,
            const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(item->type, attribute->id);
    sai_attribute_t copy = {.id = attribute->id};
    uint32_t slot;
    bool found;

    orch_assert(meta);
    /* The new value counts first, so that a referent that is named again does
     * not look free for a moment. */
    deep_copy(meta->kind, &attribute->value, &copy.value);
    count_references(objects, item, &copy, 1);
    slot = value_slot(item, attribute->id, &found);
    if (found) {
        count_references(objects, item, &item->values[slot], -1);
        deep_fini(meta->kind, &item->values[slot].value);
    } else {
        item->values = check_realloc(item->values, (item->n_values + 1) *
                                                       sizeof *item->values);
        memmove(&item->values[slot + 1], &item->values[slot],
                (item->n_values - slot) * sizeof *item->values);
        item->n_values++;
    }
    item->values[slot] = copy;
}

void
objects_unset(struct objects *objects, struct objects_item *item,
              sai_attr_id_t id)
{
    bool found;
    const uint32_t slot = value_slot(item, id, &found);

    if (found) {
        count_references(objects, item, &item->values[slot], -1);
        deep_fini(metadata_attribute(item->type, id)->kind,
                  &item->values[slot].value);
        item->n_values--;
        memmove(&item->values[slot], &item->values[slot + 1],
                (item->n_values - slot) * sizeof *item->values);
    }
}

void
objects_drop(struct objects *objects, struct objects_item *item)
{
    /* Children first: their references are judged by their parent. */
    while (item->child) {
        struct objects_item *child = item->child;

        item->child = child->sibling;
        drop_one(objects, child);
    }
    drop_one(objects, item);
}

struct objects_item *
objects_find(const struct objects *objects, sai_object_id_t oid)
{
    struct objects_item *item;

    HASH_FIND(hh, objects->by_oid, &oid, sizeof oid, item);
    return item;
}

sai_status_t
objects_locate(const struct objects *objects, sai_object_type_t type,
               sai_object_id_t oid, struct objects_item **item)
{
    struct objects_item *found = objects_find(objects, oid);

    if (!found) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    if (found->type != type) {
        return SAI_STATUS_INVALID_OBJECT_TYPE;
    }
    *item = found;
    return SAI_STATUS_SUCCESS;
}

struct objects_item *
objects_first(const struct objects *objects, sai_object_type_t type)
{
    return (uint32_t)type < N_TYPES ? objects->types[type].first : NULL;
}

uint32_t
objects_count(const struct objects *objects, sai_object_type_t type)
{
    return (uint32_t)type < N_TYPES ? objects->types[type].n : 0;
}

const sai_attribute_value_t *
objects_value(const struct objects_item *item, sai_attr_id_t id)
{
    bool found;
    const uint32_t slot = value_slot(item, id, &found);

    return found ? &item->values[slot].value : NULL;
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

    return value ? value->oid : SAI_NULL_OBJECT_ID;
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
    /* deep_get() only reads what it is given. */
    const sai_attribute_value_t all = {
        .objlist = {.count = n, .list = (sai_object_id_t *)(uintptr_t)oids}};

    return deep_get(KIND_OBJLIST, &all, value);
}

static struct objects_item *
root_of(struct objects_item *item)
{
    return item->parent ? item->parent : item;
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

    if (!meta || (!stored && !metadata_default(meta, &fallback))) {
        return false;
    }
    *value = metadata_number(meta->kind, stored ? stored : &fallback);
    return true;
}

/* Returns whether 'item' has the key that 'attributes' give. */
static bool
has_key(const struct metadata_object *meta, const struct objects_item *item,
        uint32_t n, const sai_attribute_t *attributes)
{
    bool any = false;

    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *attribute =
            metadata_attribute(meta->type, attributes[i].id);
        const sai_attribute_value_t *stored;

        if (!(attribute->flags & METADATA_FLAG_KEY)) {
            continue;
        }
        stored = objects_value(item, attributes[i].id);
        if (!stored ||
            !deep_equal(attribute->kind, stored, &attributes[i].value)) {
            return false;
        }
        any = true;
    }
    return any;
}

/* Adds 'change' to the reference counts of all objects that 'attribute' of
 * 'item' names, members of the family excepted. */
static void
count_references(struct objects *objects, struct objects_item *item,
                 const sai_attribute_t *attribute, int change)
{
    const enum kind kind = metadata_attribute(item->type, attribute->id)->kind;
    const sai_object_id_t *oids = &attribute->value.oid;
    uint32_t n = 1;

    if (kind == KIND_OBJLIST) {
        oids = attribute->value.objlist.list;
        n = attribute->value.objlist.count;
    } else if (kind != KIND_OID) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct objects_item *target = objects_find(objects, oids[i]);

        if (target && root_of(target) != root_of(item)) {
            target->n_references += (uint32_t)change;
        }
    }
}

/* Returns the index of attribute 'id' in 'item->values', or where it belongs;
 * the values are few. */
static uint32_t
value_slot(const struct objects_item *item, sai_attr_id_t id, bool *found)
{
    uint32_t slot = 0;

    while (slot < item->n_values && item->values[slot].id < id) {
        slot++;
    }
    *found = slot < item->n_values && item->values[slot].id == id;
    return slot;
}

/* Removes 'item', whose children are gone. */
static void
drop_one(struct objects *objects, struct objects_item *item)
{
    struct type_list *list = &objects->types[item->type];

    while (item->n_values) {
        objects_unset(objects, item, item->values[item->n_values - 1].id);
    }
    *(item->previous ? &item->previous->next : &list->first) = item->next;
    *(item->next ? &item->next->previous : &list->last) = item->previous;
    list->n--;
    HASH_DELETE(hh, objects->by_oid, item);
    free(item->values);
    free(item);
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
        return deep_get(meta->kind, stored, &attribute->value);
    }
    if (compute) {
        const sai_status_t status = compute(context, item, attribute);

        if (status != SAI_STATUS_ITEM_NOT_FOUND) {
            return status;
        }
    }
    if (metadata_default(meta, &fallback)) {
        return deep_get(meta->kind, &fallback, &attribute->value);
    }
    return meta->condition == METADATA_REQUIRED_IF_ANY ||
                   meta->condition == METADATA_REQUIRED_IF_ALL
               ? SAI_STATUS_INVALID_ATTRIBUTE_0
               : SAI_STATUS_ATTR_NOT_IMPLEMENTED_0;
}
