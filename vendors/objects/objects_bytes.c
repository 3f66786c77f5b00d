/* SPDX-License-Identifier: Apache-2.0 */

/* What the objects of a switch take in memory. */

#include <config.h>

#include "vendors/objects/objects.h"

#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "vendors/objects/objects_state.h"

/* Returns the bytes of the values of 'item', with the lists that they own. */
static size_t
item_bytes(const struct objects_item *item)
{
    const uint32_t n = item->borrows_values ? 0 : item->n_values;
    size_t bytes = n * sizeof *item->values;

    for (uint32_t i = 0; i < n; i++) {
        const enum kind kind =
            metadata_attribute(item->type, item->values[i].id)->kind;

        if (kind_has_list(kind)) {
            bytes += (size_t)kind_list_count(kind, &item->values[i].value) *
                     kind_layout(kind)->element_size;
        }
    }
    return bytes;
}

size_t
objects_bytes(const struct objects *objects)
{
    size_t bytes = sizeof *objects + objects->block_size * sizeof(struct node) +
                   (objects->block ? 0 : objects_pool_bytes__(objects->pool));

    for (uint32_t t = 0; t < N_TYPES; t++) {
        const struct type_list *list = &objects->types[t];

        bytes += list->size * sizeof(struct node *);
        for (uint32_t i = 0; i < list->n; i++) {
            const struct node *node = list->nodes[i];
            uint32_t n;
            const struct objects_item *children =
                objects_children(&node->item, &n);

            bytes += (node->is_in_block
                          ? 0
                          : sizeof *node +
                                (node->family ? sizeof *node->family : 0)) +
                     item_bytes(&node->item);
            if (!children || node->borrows_children) {
                continue;
            }
            bytes += (n + 1) * sizeof *children;
            for (uint32_t c = 0; c < n; c++) {
                bytes += item_bytes(&children[c]);
            }
        }
    }
    return bytes;
}

size_t
objects_entry_bytes(const struct objects_item *item)
{
    return sizeof *item + item_bytes(item);
}
