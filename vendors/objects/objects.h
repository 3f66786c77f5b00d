/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OBJECTS_OBJECTS_H
#define ORCHD_OBJECTS_OBJECTS_H

/* The SAI objects of one switch: attributes, keys, references, families.
 *
 * Motivation: half of what a SAI library does is bookkeeping that has nothing
 * to do with an ASIC: remember what was set, answer with defaults, refuse a
 * second object with the same key, refuse to remove what others refer to.  It
 * is the same for every object type, because the metadata say all that is
 * needed (sai/core/metadata.h).  vendors/store is hardly more than this;
 * softasic programs its twin from it.
 *
 * Usage: first ask ('objects_check_...': the answers to a client, with SAI's
 * codes), then carry it out in the ASIC, then change the store (objects_add,
 * objects_put, objects_unset, objects_drop: these cannot fail and check
 * nothing, so that read-only attributes are put the same way).
 *
 * Identities: an object id has the object type in its upper 16 bits, then 40
 * bits of a number that counts from 1 per type, then 8 bits that are 0.
 * Numbers are never used twice, so equal calls in equal order give equal ids,
 * and an id that was once valid never names another object.
 *
 * Families: priority groups, queues, scheduler groups, and the place in the
 * bridge that a port has from the start, come and go with it.  They are its
 * children: an array, in which one is found by type and index; its id has the
 * number of the port, and 1 + its index in the last 8 bits.  What follows from
 * the place of a child (its port, its index) is not stored but *implied*, see
 * objects_implied_fn.  References within a family do not keep anything alive;
 * those from outside keep the whole family.
 *
 * Cost: an object without values takes 48 bytes, so a chip with thousands of
 * queues that nobody configured is cheap; finding is a binary search among
 * the objects of a type, or among the ports for a child. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct objects;

/* One object.  Owned by the store; pointers are valid until it is dropped. */
struct objects_item {
    /* Set at creation. */
    sai_object_id_t oid;
    sai_object_type_t type;

    /* For the owner of the store; zero at first.  The store does not look. */
    uint32_t handle;
    void *data;

    /* Read-only for others. */
    struct objects_item *parent; /* NULL: it stands for itself. */
    sai_attribute_t *values;     /* Deep copies of what was given. */
    uint32_t n_references;       /* From other families. */
    uint16_t n_values;           /* Of 'values', sorted by id. */
    uint8_t index;               /* Of a child, among those of its type. */
    bool is_absent;              /* A child that was removed by itself. */
};

/* The types that children have, in the order in which they lie. */
enum {
    OBJECTS_QUEUES,
    OBJECTS_PGS,
    OBJECTS_GROUPS,       /* Of schedulers. */
    OBJECTS_BRIDGE_PORTS, /* At most one. */
    OBJECTS_VLAN_MEMBERS, /* At most one. */
    OBJECTS_N_MEMBERS,
};

/* Tells what an attribute of a 'child' is if nothing was stored: an object id
 * or a number, as the kind of the attribute says.  Returns false, and leaves
 * '*value' alone, if that does not follow from the child's place. */
typedef bool objects_implied_fn(const void *context,
                                const struct objects_item *child,
                                sai_attr_id_t id, sai_attribute_value_t *value);

/* What comes with a port.  'context' is handed to 'implied' and must live as
 * long as the port. */
struct objects_family {
    objects_implied_fn *implied;
    const void *context;
    uint8_t n[OBJECTS_N_MEMBERS]; /* At most 255 of each. */
};

/* Returns a new, empty store.  End with objects_destroy(). */
struct objects *objects_create(void);

/* Frees 'objects' with all items.  Accepts NULL. */
void objects_destroy(struct objects *objects);

/* Drops all items.  Numbers go on counting. */
void objects_clear(struct objects *objects);

/* Judging ------------------------------------------------------------- */

/* Judges the creation of an object as sai/core/validate.h does; then
 * SAI_STATUS_ITEM_ALREADY_EXISTS if an object with the same key exists. */
sai_status_t objects_check_create(const struct objects *objects,
                                  sai_object_type_t type, uint32_t n,
                                  const sai_attribute_t *attributes);

/* Judges setting one attribute. */
sai_status_t objects_check_set(const struct objects *objects,
                               const struct objects_item *item,
                               const sai_attribute_t *attribute);

/* Turns a status about attribute 'id', with index 0, into one with its index
 * in the list of a creation; other statuses stay as they are. */
sai_status_t objects_point_at(sai_status_t status, sai_attr_id_t id, uint32_t n,
                              const sai_attribute_t *attributes);

/* SAI_STATUS_OBJECT_IN_USE if another family refers to 'item' or its children;
 * SAI_STATUS_NOT_SUPPORTED for a child, which goes with its parent. */
sai_status_t objects_check_remove(const struct objects_item *item);

/* Changing ------------------------------------------------------------ */

/* Adds an object with the 'n' attributes given. */
struct objects_item *objects_add(struct objects *objects,
                                 sai_object_type_t type, uint32_t n,
                                 const sai_attribute_t *attributes);

/* Gives 'port', which was just added, its children. */
void objects_add_family(struct objects_item *port,
                        const struct objects_family *family);

/* Stores a copy of one attribute in place of what was stored. */
void objects_put(struct objects *objects, struct objects_item *item,
                 const sai_attribute_t *attribute);

/* Forgets one attribute: its default holds again. */
void objects_unset(struct objects *objects, struct objects_item *item,
                   sai_attr_id_t id);

/* Makes 'child', a bridge port or VLAN member, absent for ever: it is not found
 * and not listed any more. */
void objects_retire(struct objects *objects, struct objects_item *child);

/* Removes 'item' and its children, and releases what they refer to. */
void objects_drop(struct objects *objects, struct objects_item *item);

/* Entries -------------------------------------------------------------- */

/* Objects that have a key instead of an id (routes, say) are kept by their
 * owner, who finds them by it; here are only their values and references.
 * Their 'oid' is null. */
struct objects_item *objects_add_entry(struct objects *objects,
                                       sai_object_type_t type, uint32_t n,
                                       const sai_attribute_t *attributes);
void objects_drop_entry(struct objects *objects, struct objects_item *item);

/* Counts references (or less of them, if negative) that are not attributes:
 * those in the key of an entry. */
void objects_hold(struct objects_item *item, int change);

/* Reading ------------------------------------------------------------- */

/* Returns the item with that id, or NULL. */
struct objects_item *objects_find(const struct objects *objects,
                                  sai_object_id_t oid);

/* Finds the object argument of a call: SAI_STATUS_INVALID_OBJECT_ID if there
 * is none, SAI_STATUS_INVALID_OBJECT_TYPE if it is not of 'type'. */
sai_status_t objects_locate(const struct objects *objects,
                            sai_object_type_t type, sai_object_id_t oid,
                            struct objects_item **item);

/* Walk the objects of one type, children in the order of their ports and
 * before those that stand for themselves; else in order of creation:
 * for (i = objects_first(o, type); i; i = objects_next(o, i)). */
struct objects_item *objects_first(const struct objects *objects,
                                   sai_object_type_t type);
struct objects_item *objects_next(const struct objects *objects,
                                  const struct objects_item *item);
uint32_t objects_count(const struct objects *objects, sai_object_type_t type);

/* Returns the first object of 'type' that is no child, NULL if there is none:
 * where a walk over those that stand for themselves begins.  However many
 * children there are, this is one step. */
struct objects_item *objects_first_own(const struct objects *objects,
                                       sai_object_type_t type);

/* Return the children of 'port': all 'n' of them, or how many there are of a
 * type, or child 'index' of a type (NULL if there is none). */
struct objects_item *objects_children(const struct objects_item *port,
                                      uint32_t *n);
uint32_t objects_n_children(const struct objects_item *port,
                            sai_object_type_t type);
struct objects_item *objects_child(const struct objects_item *port,
                                   sai_object_type_t type, uint32_t index);

/* Returns the id that child 'index' of 'type' of 'port' has. */
sai_object_id_t objects_child_oid(const struct objects_item *port,
                                  sai_object_type_t type, uint32_t index);

/* Returns the bytes that 'objects' has allocated, but for what the allocator
 * adds. */
size_t objects_bytes(const struct objects *objects);

/* Returns the stored value of an attribute, NULL if it was never given. */
const sai_attribute_value_t *objects_value(const struct objects_item *item,
                                           sai_attr_id_t id);

/* Fills '*value' with what is implied by the place of 'item'.  Returns false
 * if nothing is. */
bool objects_implied(const struct objects_item *item, sai_attr_id_t id,
                     sai_attribute_value_t *value);

/* Return the value that is stored, else implied, else the default (0 if there
 * is none) of an attribute that is a number, or an object id. */
int64_t objects_number(const struct objects_item *item, sai_attr_id_t id);
sai_object_id_t objects_oid(const struct objects_item *item, sai_attr_id_t id);

/* Returns the object to which an attribute refers, or NULL. */
struct objects_item *objects_referent(const struct objects *objects,
                                      const struct objects_item *item,
                                      sai_attr_id_t id);

/* Works out an attribute that is not stored: fills '*attribute' (in the way of
 * a get, lists included) and returns the outcome, with index 0 if that is of
 * one attribute; or returns SAI_STATUS_ITEM_NOT_FOUND if it knows nothing. */
typedef sai_status_t objects_compute_fn(void *context,
                                        const struct objects_item *item,
                                        sai_attribute_t *attribute);

/* Answers a get of 'n' attributes.  Each is what is stored or implied, else
 * what 'compute' (may be NULL) says, else its default.  Otherwise the outcome
 * for attribute i is ATTR_NOT_IMPLEMENTED, or INVALID_ATTRIBUTE if it does not
 * exist on this object because its condition does not hold.  The first such
 * outcome ends the call; SAI_STATUS_BUFFER_OVERFLOW does not, so all counts
 * are right then. */
sai_status_t objects_get(const struct objects_item *item, uint32_t n,
                         sai_attribute_t *attributes,
                         objects_compute_fn *compute, void *context);

/* Answers a get of a list of object ids from the 'n' in 'oids': fills
 * '*value' by the rule for lists. */
sai_status_t objects_answer_list(sai_attribute_value_t *value, uint32_t n,
                                 const sai_object_id_t *oids);

#endif /* vendors/objects/objects.h */
