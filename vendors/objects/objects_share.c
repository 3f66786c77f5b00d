/* SPDX-License-Identifier: Apache-2.0 */

/* Stores that share the objects of an image, copy on write.
 *
 * Such a store has its nodes in one block.  Three things tell what is shared:
 * 'borrows_children' of a node, 'borrows_values' of an item, and the parent of
 * a shared child, which is a node of the image.  The copies are made where
 * values or children change, in units of one item's values and of all children
 * of one port. */

#include <config.h>

#include "vendors/objects/objects.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "vendors/objects/objects_state.h"

/* Makes 'node' a copy of 'from', a node of the image. */
static void
share_node(struct node *node, const struct node *from)
{
    *node = *from;
    node->item.data = NULL;
    node->item.borrows_values = node->item.values != NULL;
    node->borrows_children = node->children != NULL;
    node->is_in_block = true;
}

struct objects *
objects_share(struct objects *image)
{
    struct objects *objects = objects_create();
    struct node *next;

    if (!image->pool) {
        image->pool = objects_pool_create__();
    }
    objects->pool = image->pool;
    for (uint32_t t = 0; t < N_TYPES; t++) {
        objects->block_size += image->types[t].n;
    }
    objects->block =
        check_calloc(objects->block_size + 1, sizeof *objects->block);
    next = objects->block;
    for (uint32_t t = 0; t < N_TYPES; t++) {
        const struct type_list *from = &image->types[t];
        struct type_list *list = &objects->types[t];

        list->last_number = from->last_number;
        if (from->n == 0) {
            continue;
        }
        list->size = from->n;
        list->nodes = check_calloc(list->size, sizeof(struct node *));
        for (; list->n < from->n; list->n++) {
            share_node(next, from->nodes[list->n]);
            list->nodes[list->n] = next++;
        }
    }
    return objects;
}

void
objects_own_children__(struct node *node)
{
    const struct objects_item *from = node->children;
    uint32_t n;

    (void)objects_children(&node->item, &n);
    node->children = check_calloc(n + 1, sizeof *node->children);
    for (uint32_t i = 0; i < n; i++) {
        orch_assert(!from[i].data);
        node->children[i] = from[i];
        node->children[i].parent = &node->item;
        node->children[i].borrows_values = from[i].values != NULL;
    }
    node->borrows_children = false;
}

struct objects_item *
objects_own(struct objects *objects, struct objects_item *item)
{
    struct node *node;

    if (!objects_is_shared__(objects, item)) {
        return item;
    }
    node = (struct node *)objects_parent(objects, item);
    if (node->borrows_children) {
        objects_own_children__(node);
    }
    return objects_child(&node->item, item->type, item->index);
}

void
objects_own_values__(struct objects_item *item)
{
    const sai_attribute_t *from = item->values;

    if (!item->borrows_values) {
        return;
    }
    item->values = check_calloc(item->n_values, sizeof *item->values);
    for (uint32_t i = 0; i < item->n_values; i++) {
        item->values[i].id = from[i].id;
        attr_value_copy(metadata_attribute(item->type, from[i].id)->kind,
                        &from[i].value, &item->values[i].value);
    }
    item->borrows_values = false;
}

void
objects_free_values__(struct objects_item *item)
{
    for (uint32_t i = 0; i < item->n_values && !item->borrows_values; i++) {
        attr_value_fini(
            metadata_attribute(item->type, item->values[i].id)->kind,
            &item->values[i].value);
    }
    if (!item->borrows_values) {
        free(item->values);
    }
    item->values = NULL;
    item->n_values = 0;
    item->borrows_values = false;
}

void
objects_free_node__(struct node *node)
{
    uint32_t n;
    struct objects_item *children = objects_children(&node->item, &n);

    if (children && !node->borrows_children) {
        for (uint32_t i = 0; i < n; i++) {
            objects_free_values__(&children[i]);
        }
        free(children);
    }
    objects_free_values__(&node->item);
    if (!node->is_in_block) {
        free(node->family);
        free(node);
    }
}

bool
objects_is_shared__(const struct objects *objects,
                    const struct objects_item *item)
{
    return objects->block && item->parent &&
           objects_parent(objects, item) != item->parent;
}
