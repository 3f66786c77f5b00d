/* SPDX-License-Identifier: Apache-2.0 */

/* Objects and references.
 *
 * Reference counts are stored, not computed: a removal needs them, and walking
 * all objects for it would make the removal of n objects cost O(n^2).  A value
 * that replaces another first releases the references of the old value and then
 * counts its own.
 *
 * An object has a list of its children, so the removal of a port costs no more
 * than the size of its family. */

#include <config.h>

#include "sai/stack/registry.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "sai/core/metadata.h"

/* The values of the attributes that SAI tags as key.  No type has more parts.
 */
struct key {
    uint32_t type;
    uint32_t n;
    int64_t parts[3]; /* Numbers, or object ids. */
};

/* The key of an object, allocated separately because few objects have one. */
struct registry_keyed {
    struct key key;
    UT_hash_handle hh;
};

struct registry {
    struct hash_index by_oid;
    struct registry_keyed *keys; /* Hash. */
    uint64_t n_added;
};

static const struct registry_item *root_of(const struct registry_item *item);
static void count(struct registry *registry, const struct registry_item *item,
                  const struct registry_fact *fact, int change);
static void count_all(struct registry *registry,
                      const struct registry_item *item, int change);
static struct registry_fact *fact_slot(struct registry_item *item,
                                       sai_attr_id_t id);
static void free_item(struct registry *registry, struct registry_item *item);
static void drop_one(struct registry *registry, struct registry_item *item);

struct registry *
registry_create(void)
{
    return check_calloc(1, sizeof(struct registry));
}

void
registry_destroy(struct registry *registry)
{
    if (registry) {
        registry_clear(registry);
        free(registry);
    }
}

void
registry_clear(struct registry *registry)
{
    struct registry_item *item;
    size_t place = 0;

    while ((item = hash_index_next(&registry->by_oid, &place))) {
        free_item(registry, item);
    }
    hash_index_fini(&registry->by_oid);
}

/* Returns the facts of 'item'. */
static const struct registry_fact *
facts_of(const struct registry_item *item)
{
    return item->facts_size ? item->facts : &item->fact;
}

static struct registry_fact *
fact_at(struct registry_item *item, uint32_t i)
{
    return item->facts_size ? &item->facts[i] : &item->fact;
}

static struct registry_item *
first_child(const struct registry_item *item)
{
    return item->is_child ? NULL : item->child;
}

/* A hash_index_equal_fn. */
static bool
has_oid(const void *item_, const void *oid)
{
    const struct registry_item *item = item_;

    return item->oid == *(const sai_object_id_t *)oid;
}

struct registry_item *
registry_find(const struct registry *registry, sai_object_id_t oid)
{
    return hash_index_find(&registry->by_oid, hash_index_number(oid), has_oid,
                           &oid);
}

struct registry_item *
registry_add(struct registry *registry, sai_object_type_t type,
             sai_object_id_t oid)
{
    struct registry_item *item = registry_find(registry, oid);

    if (item) {
        registry_drop(registry, item);
    }
    item = check_calloc(1, sizeof *item);
    item->oid = oid;
    item->type = type;
    item->number = registry->n_added++;
    hash_index_add(&registry->by_oid, hash_index_number(oid), item);
    return item;
}

void
registry_adopt(struct registry *registry, struct registry_item *item,
               struct registry_item *parent)
{
    if (item->is_child || item->child || parent->is_child || item == parent) {
        return;
    }
    /* What counted as a reference from outside may be one within now. */
    count_all(registry, item, -1);
    item->is_child = true;
    item->parent = parent;
    item->sibling = parent->child;
    parent->child = item;
    count_all(registry, item, 1);
}

/* Frees the memory of 'fact'. */
static void
fact_fini(const struct registry_fact *fact)
{
    if (fact->n_oids > 1) {
        free(fact->oids);
    }
}

void
registry_note(struct registry *registry, struct registry_item *item,
              const sai_attribute_t *attribute)
{
    const enum kind kind = metadata_attribute(item->type, attribute->id)->kind;
    struct registry_fact fact = {.id = attribute->id};
    const sai_object_id_t *oids =
        kind_object_ids(kind, &attribute->value, &fact.n_oids);
    struct registry_fact *slot;

    if (oids) {
        fact.n_oids -= fact.n_oids == 1 && *oids == SAI_NULL_OBJECT_ID ? 1 : 0;
    } else if (kind_has_list(kind)) {
        fact.number = kind_list_count(kind, &attribute->value);
    } else {
        fact.number = metadata_number(kind, &attribute->value);
    }
    if (fact.n_oids > 1) {
        fact.oids = check_calloc(fact.n_oids, sizeof *fact.oids);
        memcpy(fact.oids, oids, fact.n_oids * sizeof *fact.oids);
    } else if (fact.n_oids) {
        fact.oid = *oids;
    }
    slot = fact_slot(item, attribute->id);
    count(registry, item, slot, -1);
    fact_fini(slot);
    *slot = fact;
    count(registry, item, slot, 1);
}

const struct registry_fact *
registry_fact(const struct registry_item *item, sai_attr_id_t id)
{
    for (uint32_t i = 0; i < item->n_facts; i++) {
        if (facts_of(item)[i].id == id) {
            return &facts_of(item)[i];
        }
    }
    return NULL;
}

/* Stores the key among 'attributes' in '*key'; false if there is none. */
static bool
key_of(sai_object_type_t type, uint32_t n, const sai_attribute_t *attributes,
       struct key *key)
{
    const struct metadata_object *object = metadata_object(type);

    memset(key, 0, sizeof *key);
    key->type = (uint32_t)type;
    for (uint32_t i = 0; object && i < object->n_attributes; i++) {
        const struct metadata_attribute *meta = &object->attributes[i];

        if (!(meta->flags & METADATA_FLAG_KEY)) {
            continue;
        }
        if (kind_has_list(meta->kind) || key->n == 3) {
            return false;
        }
        for (uint32_t k = 0; k < n; k++) {
            if (attributes[k].id == meta->id) {
                key->parts[key->n] =
                    meta->kind == KIND_OID
                        ? (int64_t)attributes[k].value.oid
                        : metadata_number(meta->kind, &attributes[k].value);
            }
        }
        key->n++;
    }
    return key->n > 0;
}

void
registry_key(struct registry *registry, struct registry_item *item, uint32_t n,
             const sai_attribute_t *attributes)
{
    struct key key;

    if (key_of(item->type, n, attributes, &key) &&
        !registry_has_key(registry, item->type, n, attributes)) {
        item->keyed = check_calloc(1, sizeof *item->keyed);
        item->keyed->key = key;
        HASH_ADD(hh, registry->keys, key, sizeof key, item->keyed);
    }
}

bool
registry_has_key(const struct registry *registry, sai_object_type_t type,
                 uint32_t n, const sai_attribute_t *attributes)
{
    struct registry_keyed *found = NULL;
    struct key key;

    if (key_of(type, n, attributes, &key)) {
        HASH_FIND(hh, registry->keys, &key, sizeof key, found);
    }
    return found != NULL;
}

bool
registry_in_use(const struct registry_item *item)
{
    if (item->n_references) {
        return true;
    }
    for (const struct registry_item *c = first_child(item); c; c = c->sibling) {
        if (c->n_references) {
            return true;
        }
    }
    return false;
}

void
registry_drop(struct registry *registry, struct registry_item *item)
{
    while (first_child(item)) {
        struct registry_item *child = item->child;

        item->child = child->sibling;
        drop_one(registry, child);
    }
    if (item->is_child) {
        struct registry_item **link = &item->parent->child;

        while (*link != item) {
            link = &(*link)->sibling;
        }
        *link = item->sibling;
    }
    drop_one(registry, item);
}

static int
compare_numbers(const void *a_, const void *b_)
{
    const struct registry_item *a = *(const struct registry_item *const *)a_;
    const struct registry_item *b = *(const struct registry_item *const *)b_;

    return (a->number > b->number) - (a->number < b->number);
}

void
registry_each(const struct registry *registry,
              void (*fn)(void *context, const struct registry_item *item),
              void *context)
{
    const size_t n = registry->by_oid.n;
    const struct registry_item **sorted = check_calloc(n + 1, sizeof *sorted);
    size_t place = 0;

    for (size_t i = 0; i < n; i++) {
        sorted[i] = hash_index_next(&registry->by_oid, &place);
    }
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    for (size_t i = 0; i < n; i++) {
        fn(context, sorted[i]);
    }
    free(sorted);
}

static const struct registry_item *
root_of(const struct registry_item *item)
{
    return item->is_child ? item->parent : item;
}

/* Adds 'change' to the reference counts of the objects in 'fact' of 'item',
 * except for members of its family.  A new object with a reused id may not have
 * the reference that is released. */
static void
count(struct registry *registry, const struct registry_item *item,
      const struct registry_fact *fact, int change)
{
    const sai_object_id_t *oids = fact->n_oids > 1 ? fact->oids : &fact->oid;

    for (uint32_t i = 0; i < fact->n_oids; i++) {
        struct registry_item *target = registry_find(registry, oids[i]);

        if (!target || root_of(target) == root_of(item) ||
            (change < 0 && !target->n_references)) {
            continue;
        }
        target->n_references += (uint32_t)change;
    }
}

static void
count_all(struct registry *registry, const struct registry_item *item,
          int change)
{
    for (uint32_t i = 0; i < item->n_facts; i++) {
        count(registry, item, &facts_of(item)[i], change);
    }
}

/* Doubles the room for facts. */
static void
make_room(struct registry_item *item)
{
    const uint32_t n = item->n_facts;
    struct registry_fact *facts = n > 1 ? item->facts : NULL;

    orch_assert(n < UINT16_MAX / 2);
    facts = check_realloc(facts, (size_t)2 * n * sizeof *facts);
    if (n == 1) {
        facts[0] = item->fact;
    }
    item->facts = facts;
    item->facts_size = (uint16_t)(2 * n);
}

/* Returns the slot of attribute 'id', a new one if there is none. */
static struct registry_fact *
fact_slot(struct registry_item *item, sai_attr_id_t id)
{
    uint32_t i = 0;

    while (i < item->n_facts && facts_of(item)[i].id != id) {
        i++;
    }
    if (i == item->n_facts) {
        if (i >= 1 && i >= item->facts_size) {
            make_room(item);
        }
        item->n_facts++;
        *fact_at(item, i) = (struct registry_fact){.id = id};
    }
    return fact_at(item, i);
}

/* Frees 'item', which is no longer in the hash of ids. */
static void
free_item(struct registry *registry, struct registry_item *item)
{
    for (uint32_t i = 0; i < item->n_facts; i++) {
        fact_fini(&facts_of(item)[i]);
    }
    if (item->facts_size) {
        free(item->facts);
    }
    if (item->keyed) {
        HASH_DEL(registry->keys, item->keyed);
        free(item->keyed);
    }
    free(item);
}

/* Releases what 'item' refers to, and frees it. */
static void
drop_one(struct registry *registry, struct registry_item *item)
{
    count_all(registry, item, -1);
    hash_index_remove(&registry->by_oid, hash_index_number(item->oid), item);
    free_item(registry, item);
}
