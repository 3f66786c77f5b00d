/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OBJECTS_OBJECTS_STATE_H
#define ORCHD_OBJECTS_OBJECTS_STATE_H

/* The data structures of the objects of a switch, for the files of this folder
 * only; objects_store.c describes them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vendors/objects/objects.h"

enum { N_TYPES = 128 }; /* More than there are in SAI's core range. */

/* Layout of an object id. */
enum { TYPE_SHIFT = 48, NUMBER_SHIFT = 8 };

#define CHILD_MASK UINT64_C(0xff)
#define NUMBER_OF(oid)                                                         \
    (((oid) & ((UINT64_C(1) << TYPE_SHIFT) - 1)) >> NUMBER_SHIFT)

/* An object that is not a child. */
struct node {
    struct objects_item item;      /* First: its address is that of the node. */
    struct objects_item *children; /* One array; NULL: none. */
    /* How many there are of each type; NULL: none.  Owned, unless the node is
     * in a block: then it is the image's. */
    struct objects_family *family;
    bool borrows_children; /* 'children' are those of the image. */
    bool is_in_block;      /* Freed with the block of its store. */
};

struct objects_pool;

struct type_list {
    struct node **nodes; /* Sorted by number, so by age. */
    uint32_t n;
    uint32_t size;        /* Of the array, which doubles when it is full. */
    uint64_t last_number; /* That was ever used; 0: none. */
};

struct objects {
    struct type_list types[N_TYPES]; /* By object type. */
    struct node *block;              /* Nodes of a store that shares an image;
                                      * NULL: it has none. */
    size_t block_size;               /* Of 'block', in nodes. */
    struct objects_pool *pool;       /* Owned by the image, used by those that
                                      * share it; NULL: nothing shares this. */
};

/* Values shared by content (objects_pool.c).  objects_pool_get__() returns
 * values equal to the 'n' 'attributes' of an object of 'type', sorted, which
 * live as long as 'pool'; NULL if 'pool' is, or takes no such values. */
struct objects_pool *objects_pool_create__(void);
void objects_pool_destroy__(struct objects_pool *pool);
size_t objects_pool_bytes__(const struct objects_pool *pool);
sai_attribute_t *objects_pool_get__(struct objects_pool *pool,
                                    sai_object_type_t type, uint32_t n,
                                    const sai_attribute_t *attributes);

/* Gives 'item' its own values, copies of those of the image. */
void objects_own_values__(struct objects_item *item);

/* Gives 'node' its own children, copies of those of the image. */
void objects_own_children__(struct node *node);

/* Returns whether 'item' is a child of the image of 'objects'. */
bool objects_is_shared__(const struct objects *objects,
                         const struct objects_item *item);

/* Frees the values of 'item'; the reference counts of the objects that they
 * name stay. */
void objects_free_values__(struct objects_item *item);

/* Frees 'node' with its values and its children. */
void objects_free_node__(struct node *node);

#endif /* vendors/objects/objects_state.h */
