/* SPDX-License-Identifier: Apache-2.0 */

/* Values shared by content among the stores of one image.
 *
 * The switches of a fabric have equal objects beyond those of their image: the
 * router interface of port 5 has the same attributes in each of them, the
 * members of next-hop groups name the same ids, and a thousand routes name one
 * of a few groups.  So a store that shares an image takes the values with which
 * it creates an object from a pool of the image.  They are borrowed like those
 * of the image, so a change copies them.
 *
 * Only flat values are pooled: numbers and object ids, of which there are few
 * different ones.  Addresses differ from object to object.  The pool grows
 * until the image is destroyed. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "vendors/objects/objects_state.h"

enum { POOL_MAX_VALUES = 8 }; /* Objects with more have values of their own. */

struct pooled {
    UT_hash_handle hh;
    sai_attribute_t values[]; /* The key, without padding bytes. */
};

struct objects_pool {
    struct pooled *entries;
    size_t bytes;
};

struct objects_pool *
objects_pool_create__(void)
{
    return check_calloc(1, sizeof(struct objects_pool));
}

void
objects_pool_destroy__(struct objects_pool *pool)
{
    struct pooled *entry, *next;

    if (!pool) {
        return;
    }
    HASH_ITER(hh, pool->entries, entry, next)
    {
        HASH_DEL(pool->entries, entry);
        free(entry);
    }
    free(pool);
}

size_t
objects_pool_bytes__(const struct objects_pool *pool)
{
    return pool ? sizeof *pool + pool->bytes : 0;
}

/* Returns whether values of 'kind' are pooled. */
static bool
is_flat(enum kind kind)
{
    return kind == KIND_OID || kind == KIND_BOOL || kind == KIND_U8 ||
           kind == KIND_U16 || kind == KIND_U32 || kind == KIND_S32 ||
           kind == KIND_U64;
}

/* Stores 'attributes' in 'values', sorted by id and without padding.  Returns
 * false if they are not to be pooled. */
static bool
sort(sai_object_type_t type, uint32_t n, const sai_attribute_t *attributes,
     sai_attribute_t *values)
{
    if (n == 0 || n > POOL_MAX_VALUES) {
        return false;
    }
    memset(values, 0, n * sizeof *values);
    for (uint32_t i = 0; i < n; i++) {
        const sai_attr_id_t id = attributes[i].id;
        const enum kind kind = metadata_attribute(type, id)->kind;
        uint32_t at = i;

        if (!is_flat(kind)) {
            return false;
        }
        for (; at > 0 && values[at - 1].id >= id; at--) {
            if (values[at - 1].id == id) {
                return false;
            }
            values[at] = values[at - 1];
        }
        values[at].id = id;
        attr_value_copy(kind, &attributes[i].value, &values[at].value);
    }
    return true;
}

sai_attribute_t *
objects_pool_get__(struct objects_pool *pool, sai_object_type_t type,
                   uint32_t n, const sai_attribute_t *attributes)
{
    const size_t size = n * sizeof *attributes;
    sai_attribute_t values[POOL_MAX_VALUES];
    struct pooled *entry;

    if (!pool || !sort(type, n, attributes, values)) {
        return NULL;
    }
    HASH_FIND(hh, pool->entries, values, size, entry);
    if (!entry) {
        entry = check_calloc(1, sizeof *entry + size);
        memcpy(entry->values, values, size);
        HASH_ADD_KEYPTR(hh, pool->entries, entry->values, size, entry);
        pool->bytes += sizeof *entry + size;
    }
    return entry->values;
}
