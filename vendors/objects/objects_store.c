/* SPDX-License-Identifier: Apache-2.0 */

/* The SAI objects of one switch: the data structures.  The calls of clients are
 * in objects_query.c.
 *
 * Objects that are not children are in a list per type.  They get increasing
 * numbers and are always appended, so the list is sorted by number, and an
 * object id is found by binary search; removing an object moves those that
 * follow.  A port owns the array of its children, in the order of member_types
 * and then by index, so that a child is found by arithmetic.
 *
 * Two invariants:
 *
 *   - n_references of an object is the number of object ids in the values of
 *     other families that name it, plus what objects_hold() added.  Every
 *     function that puts, replaces or drops a value calls count_references().
 *   - values are sorted by attribute id, and own their lists. */

#include <config.h>

#include "vendors/objects/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "vendors/objects/objects_state.h"

static const sai_object_type_t member_types[OBJECTS_N_MEMBERS] = {
    [OBJECTS_QUEUES] = SAI_OBJECT_TYPE_QUEUE,
    [OBJECTS_PGS] = SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
    [OBJECTS_GROUPS] = SAI_OBJECT_TYPE_SCHEDULER_GROUP,
    [OBJECTS_BRIDGE_PORTS] = SAI_OBJECT_TYPE_BRIDGE_PORT,
    [OBJECTS_VLAN_MEMBERS] = SAI_OBJECT_TYPE_VLAN_MEMBER,
};

/* The types that have children.  The numbers of the second start where no port
 * is, so that those of children tell the type of their root. */
static const sai_object_type_t roots[] = {SAI_OBJECT_TYPE_PORT,
                                          SAI_OBJECT_TYPE_SYSTEM_PORT};

enum { N_ROOTS = sizeof roots / sizeof *roots, SYSTEM_PORTS_FROM = 1 << 30 };

static const struct node *node_of(const struct objects_item *item);
static uint32_t n_members(const struct node *node, int member);
static uint32_t find_node(const struct type_list *list, uint64_t number);
static struct objects_item *first_child(const struct objects *objects,
                                        sai_object_type_t type, int root,
                                        uint32_t at);
static void count_references(struct objects *objects, struct objects_item *item,
                             const sai_attribute_t *attribute, int change);
static uint32_t value_slot(const struct objects_item *item, sai_attr_id_t id,
                           bool *found);
static void drop_values(struct objects *objects, struct objects_item *item);

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
        if (!objects->block) {
            objects_pool_destroy__(objects->pool);
        }
        free(objects->block);
        free(objects);
    }
}

void
objects_clear(struct objects *objects)
{
    for (uint32_t t = 0; t < N_TYPES; t++) {
        struct type_list *list = &objects->types[t];

        /* Nothing is left whose references would have to be counted. */
        for (uint32_t i = 0; i < list->n; i++) {
            objects_free_node__(list->nodes[i]);
        }
        list->n = 0;
        free(list->nodes);
        list->nodes = NULL;
        list->size = 0;
    }
}

/* Gives 'item', which is new, its values. */
static void
add_values(struct objects *objects, struct objects_item *item, uint32_t n,
           const sai_attribute_t *attributes)
{
    if (objects->block) {
        item->values =
            objects_pool_get__(objects->pool, item->type, n, attributes);
    }
    if (!item->values) {
        for (uint32_t i = 0; i < n; i++) {
            objects_put(objects, item, &attributes[i]);
        }
        return;
    }
    item->n_values = (uint16_t)n;
    item->borrows_values = true;
    for (uint32_t i = 0; i < n; i++) {
        count_references(objects, item, &item->values[i], 1);
    }
}

struct objects_item *
objects_add(struct objects *objects, sai_object_type_t type, uint32_t n,
            const sai_attribute_t *attributes)
{
    struct node *node = check_calloc(1, sizeof *node);
    struct type_list *list;

    orch_assert((uint32_t)type < N_TYPES);
    list = &objects->types[type];
    if (list->n == list->size) {
        list->size = list->size ? 2 * list->size : 4;
        list->nodes =
            check_realloc(list->nodes, list->size * sizeof(struct node *));
    }
    list->nodes[list->n++] = node;
    node->item.type = type;
    if (type == SAI_OBJECT_TYPE_SYSTEM_PORT && list->last_number == 0) {
        list->last_number = SYSTEM_PORTS_FROM;
    }
    node->item.oid = (uint64_t)type << TYPE_SHIFT | ++list->last_number
                                                        << NUMBER_SHIFT;
    add_values(objects, &node->item, n, attributes);
    return &node->item;
}

void
objects_set_handle(struct objects *objects, struct objects_item *item,
                   uint32_t handle)
{
    if (item->handle != handle) {
        orch_assert(!objects_is_shared__(objects, item));
        item->handle = handle;
    }
}

void
objects_add_family(struct objects_item *port,
                   const struct objects_family *family)
{
    struct node *node = (struct node *)port;
    struct objects_item *child;
    uint32_t n = 0;

    orch_assert(!node->children);
    for (int m = 0; m < OBJECTS_N_MEMBERS; m++) {
        n += family->n[m];
    }
    node->family = check_malloc(sizeof *node->family);
    *node->family = *family;
    node->children = check_calloc(n + 1, sizeof *node->children);
    child = node->children;
    for (int m = 0; m < OBJECTS_N_MEMBERS; m++) {
        for (uint8_t i = 0; i < family->n[m]; i++) {
            child->type = member_types[m];
            child->oid = objects_child_oid(port, child->type, i);
            child->parent = port;
            child->index = i;
            child++;
        }
    }
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

    orch_assert(meta && !objects_is_shared__(objects, item));
    objects_own_values__(item);
    /* Count the new value first, so that the count of an object that both
     * values name never drops to 0. */
    attr_value_copy(meta->kind, &attribute->value, &copy.value);
    count_references(objects, item, &copy, 1);
    slot = value_slot(item, attribute->id, &found);
    if (found) {
        count_references(objects, item, &item->values[slot], -1);
        attr_value_fini(meta->kind, &item->values[slot].value);
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

    orch_assert(!objects_is_shared__(objects, item));
    if (found) {
        objects_own_values__(item);
        count_references(objects, item, &item->values[slot], -1);
        attr_value_fini(metadata_attribute(item->type, id)->kind,
                        &item->values[slot].value);
        item->n_values--;
        memmove(&item->values[slot], &item->values[slot + 1],
                (item->n_values - slot) * sizeof *item->values);
    }
}

/* Removes a child before its port. */
static void
retire(struct objects *objects, struct objects_item *child)
{
    orch_assert(child->n_references == 0 &&
                !objects_is_shared__(objects, child));
    drop_values(objects, child);
    child->is_absent = true;
}

void
objects_drop(struct objects *objects, struct objects_item *item)
{
    struct type_list *list = &objects->types[item->type];
    struct node *node = (struct node *)item;
    const uint32_t at = find_node(list, NUMBER_OF(item->oid));
    struct objects_item *children;
    uint32_t n;

    if (item->parent) {
        retire(objects, item);
        return;
    }
    children = objects_children(item, &n);
    orch_assert(at < list->n && list->nodes[at] == node);
    if (node->borrows_children) {
        objects_own_children__(node);
        children = node->children;
    }
    /* Drop the values while all objects exist: count_references() looks at
     * families. */
    for (uint32_t i = 0; i < n; i++) {
        drop_values(objects, &children[i]);
    }
    drop_values(objects, item);
    list->n--;
    memmove(&list->nodes[at], &list->nodes[at + 1],
            (list->n - at) * sizeof(struct node *));
    objects_free_node__(node);
}

struct objects_item *
objects_add_entry(struct objects *objects, sai_object_type_t type, uint32_t n,
                  const sai_attribute_t *attributes)
{
    struct objects_item *item = check_calloc(1, sizeof *item);

    item->type = type;
    add_values(objects, item, n, attributes);
    return item;
}

void
objects_drop_entry(struct objects *objects, struct objects_item *item)
{
    drop_values(objects, item);
    free(item);
}

void
objects_hold(struct objects_item *item, int change)
{
    item->n_references += (uint32_t)change;
}

struct objects_item *
objects_find(const struct objects *objects, sai_object_id_t oid)
{
    const uint64_t type = oid >> TYPE_SHIFT;
    const bool is_child = (oid & CHILD_MASK) != 0;
    const struct type_list *list;
    uint32_t at;

    if (type >= N_TYPES) {
        return NULL;
    }
    list = &objects->types[!is_child ? (sai_object_type_t)type
                                     : roots[NUMBER_OF(oid) >
                                             SYSTEM_PORTS_FROM]];
    at = find_node(list, NUMBER_OF(oid));
    if (at == list->n ||
        NUMBER_OF(list->nodes[at]->item.oid) != NUMBER_OF(oid)) {
        return NULL;
    }
    return is_child
               ? objects_child(&list->nodes[at]->item, (sai_object_type_t)type,
                               (uint32_t)(oid & CHILD_MASK) - 1)
               : &list->nodes[at]->item;
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
    return (uint32_t)type < N_TYPES ? first_child(objects, type, 0, 0) : NULL;
}

struct objects_item *
objects_first_own(const struct objects *objects, sai_object_type_t type)
{
    const struct type_list *own = &objects->types[type];

    return own->n ? &own->nodes[0]->item : NULL;
}

struct objects_item *
objects_next(const struct objects *objects, const struct objects_item *item)
{
    const struct objects_item *root = item->parent ? item->parent : item;
    const struct type_list *list = &objects->types[root->type];
    const uint32_t at = find_node(list, NUMBER_OF(root->oid)) + 1;

    if (!item->parent) {
        return at < list->n ? &list->nodes[at]->item : NULL;
    }
    if (item->index + 1u < objects_n_children(root, item->type)) {
        return objects_child(root, item->type, item->index + 1u);
    }
    return first_child(objects, item->type, root->type != roots[0], at);
}

uint32_t
objects_count(const struct objects *objects, sai_object_type_t type)
{
    uint32_t n = 0;

    if ((uint32_t)type >= N_TYPES) {
        return 0;
    }
    for (int root = 0; root < N_ROOTS; root++) {
        const struct type_list *list = &objects->types[roots[root]];

        for (uint32_t i = 0; i < list->n; i++) {
            n += objects_n_children(&list->nodes[i]->item, type);
        }
    }
    return n + objects->types[type].n;
}

struct objects_item *
objects_children(const struct objects_item *port, uint32_t *n)
{
    const struct node *node = node_of(port);

    *n = 0;
    for (int m = 0; m < OBJECTS_N_MEMBERS; m++) {
        *n += n_members(node, m);
    }
    return node->children;
}

uint32_t
objects_n_children(const struct objects_item *port, sai_object_type_t type)
{
    for (int m = 0; m < OBJECTS_N_MEMBERS; m++) {
        if (member_types[m] == type) {
            /* A type whose children can be absent has only one. */
            return m < OBJECTS_BRIDGE_PORTS
                       ? n_members(node_of(port), m)
                       : objects_child(port, type, 0) != NULL;
        }
    }
    return 0;
}

struct objects_item *
objects_child(const struct objects_item *port, sai_object_type_t type,
              uint32_t index)
{
    const struct node *node = node_of(port);
    uint32_t before = 0; /* Counts children that are not there yet, too. */

    for (int m = 0; m < OBJECTS_N_MEMBERS; m++) {
        if (member_types[m] == type) {
            return index < n_members(node, m) &&
                           !node->children[before + index].is_absent
                       ? &node->children[before + index]
                       : NULL;
        }
        before += n_members(node, m);
    }
    return NULL;
}

struct objects_item *
objects_parent(const struct objects *objects, const struct objects_item *child)
{
    return child->parent ? objects_find(objects, child->parent->oid) : NULL;
}

sai_object_id_t
objects_child_oid(const struct objects_item *port, sai_object_type_t type,
                  uint32_t index)
{
    return (uint64_t)type << TYPE_SHIFT | NUMBER_OF(port->oid) << NUMBER_SHIFT |
           (index + 1);
}

const sai_attribute_value_t *
objects_value(const struct objects_item *item, sai_attr_id_t id)
{
    bool found;
    const uint32_t slot = value_slot(item, id, &found);

    return found ? &item->values[slot].value : NULL;
}

bool
objects_implied(const struct objects_item *item, sai_attr_id_t id,
                sai_attribute_value_t *value)
{
    const struct objects_family *family;

    if (!item->parent) {
        return false;
    }
    family = node_of(item->parent)->family;
    return family->implied(family->context, item, id, value);
}

/* Returns the node of 'item', which is not a child. */
static const struct node *
node_of(const struct objects_item *item)
{
    return (const struct node *)item;
}

/* Returns how many children of a type 'node' has. */
static uint32_t
n_members(const struct node *node, int member)
{
    return node->family ? node->family->n[member] : 0;
}

/* Returns where the node with 'number' is in 'list', or the first one after
 * it, or 'n'. */
static uint32_t
find_node(const struct type_list *list, uint64_t number)
{
    uint32_t low = 0;
    uint32_t high = list->n;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (NUMBER_OF(list->nodes[middle]->item.oid) < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Returns the first child of 'type' of the roots from index 'at' of type number
 * 'root' on, else the first object of that type that is not a child, or NULL.
 */
static struct objects_item *
first_child(const struct objects *objects, sai_object_type_t type, int root,
            uint32_t at)
{
    const struct type_list *own = &objects->types[type];

    for (; root < N_ROOTS; root++, at = 0) {
        const struct type_list *list = &objects->types[roots[root]];

        for (; at < list->n; at++) {
            struct objects_item *child =
                objects_child(&list->nodes[at]->item, type, 0);

            if (child) {
                return child;
            }
        }
    }
    return own->n ? &own->nodes[0]->item : NULL;
}

static const struct objects_item *
root_of(const struct objects_item *item)
{
    return item->parent ? item->parent : item;
}

/* Adds 'change' to the reference counts of all objects that 'attribute' of
 * 'item' names, except those of the same family. */
static void
count_references(struct objects *objects, struct objects_item *item,
                 const sai_attribute_t *attribute, int change)
{
    const enum kind kind = metadata_attribute(item->type, attribute->id)->kind;
    uint32_t n;
    const sai_object_id_t *oids = kind_object_ids(kind, &attribute->value, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct objects_item *target = objects_find(objects, oids[i]);

        if (target && root_of(target)->oid != root_of(item)->oid) {
            target = objects_own(objects, target);
            target->n_references += (uint32_t)change;
        }
    }
}

/* Returns the index of attribute 'id' in 'item->values', or where it would be
 * inserted.  The search is linear: an object has few values. */
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

/* Drops all values of 'item'. */
static void
drop_values(struct objects *objects, struct objects_item *item)
{
    for (uint32_t i = 0; i < item->n_values; i++) {
        count_references(objects, item, &item->values[i], -1);
    }
    objects_free_values__(item);
}
