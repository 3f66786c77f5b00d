/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_REGISTRY_H
#define ORCHD_SAI_STACK_REGISTRY_H

/* The objects of a switch, their types, and the references between them.
 *
 * Motivation: whether a call is valid depends on previous calls.  A vendor
 * library need not check that, so sai/stack/guard.h does, with this registry.
 * It has only what the checks need: for each object the numbers that were
 * given, which conditions refer to, and the objects to which it refers.
 *
 * Families: the objects that the switch creates with a port (queues, priority
 * groups, scheduler groups) are its children.  References within a family do
 * not prevent removal; one from outside prevents the removal of the whole
 * family.
 *
 * Cost: a hash look-up per object id, and a linear search of the few attributes
 * of an object. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct registry;

/* The value of one attribute of an object: a number, or the objects to which it
 * refers. */
struct registry_fact {
    sai_attr_id_t id;
    uint32_t n_oids;
    union {
        int64_t number;        /* If there are none. */
        sai_object_id_t oid;   /* If there is one; most name one. */
        sai_object_id_t *oids; /* Else; owned. */
    };
};

/* One object.  Owned by the registry; valid until it is dropped. */
struct registry_item {
    sai_object_id_t oid;
    sai_object_type_t type;
    uint32_t n_references; /* From other families. */
    bool created;          /* By a call, so that defaults are known to hold. */

    /* Only for the registry. */
    bool is_child;
    uint16_t n_facts;
    uint16_t facts_size; /* For how many there is room. */
    union {
        struct registry_fact fact;   /* If there is one at most. */
        struct registry_fact *facts; /* If there are more; owned. */
    };
    union {
        struct registry_item *parent; /* Of a child. */
        struct registry_item *child;  /* The first one; else. */
    };
    struct registry_item *sibling;
    struct registry_keyed *keyed; /* Owned; NULL: it has no key. */
    uint64_t number;              /* Ascends in the order of addition. */
};

/* Returns a new, empty registry.  Destroy it with registry_destroy(). */
struct registry *registry_create(void);

/* Frees 'registry' with all items.  Accepts NULL. */
void registry_destroy(struct registry *registry);

/* Removes all objects. */
void registry_clear(struct registry *registry);

/* Returns the object with that id, or NULL. */
struct registry_item *registry_find(const struct registry *registry,
                                    sai_object_id_t oid);

/* Adds object 'oid' of 'type' and returns it.  An item with the same id becomes
 * the new object, because a vendor may reuse ids. */
struct registry_item *registry_add(struct registry *registry,
                                   sai_object_type_t type, sai_object_id_t oid);

/* Makes 'item' a child of 'parent', unless one of them is in a family already
 * in which that cannot be: families have two generations. */
void registry_adopt(struct registry *registry, struct registry_item *item,
                    struct registry_item *parent);

/* Stores the value of 'attribute', which the metadata know, of 'item': a number
 * or references.  Of values of other kinds it stores only that they were given,
 * with the length of a list as the number. */
void registry_note(struct registry *registry, struct registry_item *item,
                   const sai_attribute_t *attribute);

/* Returns the stored value of attribute 'id' of 'item', or NULL. */
const struct registry_fact *registry_fact(const struct registry_item *item,
                                          sai_attr_id_t id);

/* Stores the key of 'item', which was just created with the 'n' attributes. */
void registry_key(struct registry *registry, struct registry_item *item,
                  uint32_t n, const sai_attribute_t *attributes);

/* Returns whether an object of 'type' with the key in the 'n' attributes
 * exists. Types without a key, or with a list as key, are not tracked. */
bool registry_has_key(const struct registry *registry, sai_object_type_t type,
                      uint32_t n, const sai_attribute_t *attributes);

/* Returns whether another family refers to 'item' or its children. */
bool registry_in_use(const struct registry_item *item);

/* Removes 'item' and its children, and releases the objects to which they
 * refer. */
void registry_drop(struct registry *registry, struct registry_item *item);

/* Calls 'fn' for each object, in the order in which they became known. */
void registry_each(const struct registry *registry,
                   void (*fn)(void *context, const struct registry_item *item),
                   void *context);

#endif /* sai/stack/registry.h */
