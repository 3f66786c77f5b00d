/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_REGISTRY_H
#define ORCHD_SAI_STACK_REGISTRY_H

/* Which objects a switch has, of what type, and who refers to whom.
 *
 * Motivation: whether a call makes sense depends on what was called before.  A
 * vendor's library need not keep account of that, so sai/stack/guard.h does,
 * and this is its book.  It holds no more than judging takes: of each object
 * the numbers that were given (conditions look at them) and the objects that it
 * names.
 *
 * Families: what a port was born with (queues, priority groups, scheduler
 * groups) are its children.  References within a family keep nothing alive;
 * those from outside keep the whole family.
 *
 * Cost: a hash lookup per object id; the attributes of an object are few and
 * are walked. */

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include <sai.h>

struct registry;

/* What one attribute of an object says: a number, or the objects that it
 * names. */
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
    bool created;          /* By a call, so that defaults are known to hold. */
    uint32_t n_references; /* From other families. */
    uint32_t n_facts;
    uint32_t facts_size; /* For how many there is room. */
    struct registry_fact *facts;

    /* Only for the registry. */
    struct registry_item *parent, *child, *sibling;
    struct registry_keyed *keyed; /* Owned; NULL: it has no key. */
    UT_hash_handle hh;            /* By id. */
};

/* Returns a new, empty registry.  End with registry_destroy(). */
struct registry *registry_create(void);

/* Frees 'registry' with all items.  Accepts NULL. */
void registry_destroy(struct registry *registry);

/* Forgets all objects. */
void registry_clear(struct registry *registry);

/* Returns the object with that id, or NULL. */
struct registry_item *registry_find(const struct registry *registry,
                                    sai_object_id_t oid);

/* Returns object 'oid' of 'type', adding it if it is not there.  One that is
 * there with the same id is a new one now: a vendor may use ids again. */
struct registry_item *registry_add(struct registry *registry,
                                   sai_object_type_t type, sai_object_id_t oid);

/* Makes 'item' a child of 'parent', which has no parent itself, unless 'item'
 * has one. */
void registry_adopt(struct registry *registry, struct registry_item *item,
                    struct registry_item *parent);

/* Notes that 'attribute', which metadata know, of 'item' has the value given:
 * a number or references; of values of other kinds only that they were given,
 * with the length of a list for a number. */
void registry_note(struct registry *registry, struct registry_item *item,
                   const sai_attribute_t *attribute);

/* Returns what is known of attribute 'id' of 'item', or NULL. */
const struct registry_fact *registry_fact(const struct registry_item *item,
                                          sai_attr_id_t id);

/* Notes that 'item', which was just created from the 'n' attributes given, has
 * the key that is among them. */
void registry_key(struct registry *registry, struct registry_item *item,
                  uint32_t n, const sai_attribute_t *attributes);

/* Returns whether an object of 'type' was noted with the key that the 'n'
 * attributes give.  A type without a key, or with one that is a list, has
 * none. */
bool registry_has_key(const struct registry *registry, sai_object_type_t type,
                      uint32_t n, const sai_attribute_t *attributes);

/* Returns whether another family refers to 'item' or its children. */
bool registry_in_use(const struct registry_item *item);

/* Forgets 'item' and its children, and releases what they refer to. */
void registry_drop(struct registry *registry, struct registry_item *item);

/* Calls 'fn' for each object, in the order in which they became known. */
void registry_each(const struct registry *registry,
                   void (*fn)(void *context, const struct registry_item *item),
                   void *context);

/* Returns how many objects there are. */
uint32_t registry_count(const struct registry *registry);

#endif /* sai/stack/registry.h */
