/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OBJECTS_OBJECTS_H
#define ORCHD_OBJECTS_OBJECTS_H

/* The SAI objects of one switch: attributes, keys, references, families.
 *
 * Motivation: half of what a SAI library does is bookkeeping that does not
 * depend on the ASIC: store what was set, return defaults, refuse a second
 * object with the same key, refuse to remove an object in use.  It is the same
 * for every object type, because the metadata contain all that is needed
 * (sai/core/metadata.h).  vendors/store consists of little else; softasic
 * programs its twin from it.
 *
 * Usage: first check the call ('objects_check_...', which return SAI's codes
 * for the client), then carry it out in the ASIC, then change the store
 * (objects_add, objects_put, objects_unset, objects_drop: these cannot fail and
 * check nothing, so they also store read-only attributes).
 *
 * Identities: an object id has the object type in its upper 16 bits, then 40
 * bits of a number that counts from 1 per type, then 8 bits that are 0.
 * Numbers are never reused, so the same calls in the same order return the same
 * ids, and an id that was once valid never names another object.
 *
 * Families: the queues, priority groups, scheduler groups, bridge port and VLAN
 * member that a port has from the start are created and removed with it.  They
 * are its children: an array, indexed by type and index; the id of a child has
 * the number of the port, and 1 + its index in the last 8 bits.  The bridge
 * port and the VLAN member use the port as those do that a client creates: they
 * must be removed first, the member before the bridge port.  Attributes that
 * follow from the position of a child (its port, its index) are not stored but
 * *implied*, see objects_implied_fn.  A reference from outside keeps the whole
 * family from being removed; references within a family do not.
 *
 * Sharing: a fabric has many switches with the same configuration.
 * objects_share() makes a store with the same objects as another one, the
 * *image*, under the same ids.  It has an item of its own for every object that
 * is not a child, and shares the values of all objects and the children of all
 * ports with the image until they change (copy on write).  So changes of the
 * store never reach the image or another store, and pointers to items that are
 * not children stay valid when these change.  A child is another matter: a
 * caller must own it (objects_own()) before it writes to the item or changes
 * it, and pointers to the children of that port found before are then those of
 * the image.
 *
 * Cost: an object without values takes 48 bytes, so thousands of queues without
 * configuration are cheap; a lookup is a binary search among the objects of a
 * type, or among the ports for a child. */

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

    /* For the owner of the store; initially zero.  The store does not use
     * them. */
    uint32_t handle;
    void *data;

    /* Read-only for others. */
    struct objects_item *parent; /* NULL: it is not a child.  Of a shared
                                  * child: the port of the image; see
                                  * objects_parent(). */
    sai_attribute_t *values;     /* Deep copies of what was given. */
    uint32_t n_references;       /* From other families. */
    uint16_t n_values;           /* Of 'values', sorted by id. */
    uint8_t index;               /* Of a child, among those of its type. */
    bool is_absent : 1;          /* A child that was removed by itself. */
    bool borrows_values : 1;     /* 'values' are those of the image. */
};

/* The types of children, in their order in the array. */
enum {
    OBJECTS_QUEUES,
    OBJECTS_PGS,
    OBJECTS_GROUPS,       /* Of schedulers. */
    OBJECTS_BRIDGE_PORTS, /* At most one. */
    OBJECTS_VLAN_MEMBERS, /* At most one. */
    OBJECTS_N_MEMBERS,
};

/* Stores in '*value' the implied value of an attribute of 'child': an object id
 * or a number, depending on the kind of the attribute.  Returns false, and
 * leaves '*value' alone, if the attribute does not follow from the position of
 * the child. */
typedef bool objects_implied_fn(const void *context,
                                const struct objects_item *child,
                                sai_attr_id_t id, sai_attribute_value_t *value);

/* The children of a port.  'context' is passed to 'implied' and must live as
 * long as the port. */
struct objects_family {
    objects_implied_fn *implied;
    const void *context;
    uint8_t n[OBJECTS_N_MEMBERS]; /* At most 255 of each. */
};

/* Returns a new, empty store.  End with objects_destroy(). */
struct objects *objects_create(void);

/* Returns a store with the objects of 'image', their handles and references,
 * without their 'data'.  Objects that are added to such stores share equal
 * values, too (objects_pool.c).  Until it is destroyed the image must exist and
 * not change.  The children of the image must have no 'data'.  Entries are not
 * objects of the image in this sense.  End with objects_destroy(). */
struct objects *objects_share(struct objects *image);

/* Returns 'item' to be written: 'item' itself, or if it is a shared child its
 * copy in 'objects', where all children of its port are copied. */
struct objects_item *objects_own(struct objects *objects,
                                 struct objects_item *item);

/* Frees 'objects' with all items.  Accepts NULL. */
void objects_destroy(struct objects *objects);

/* Drops all items.  Their numbers are not reused. */
void objects_clear(struct objects *objects);

/* Checking ------------------------------------------------------------ */

/* Checks the creation of an object as sai/core/validate.h does; then returns
 * SAI_STATUS_ITEM_ALREADY_EXISTS if an object with the same key exists. */
sai_status_t objects_check_create(const struct objects *objects,
                                  sai_object_type_t type, uint32_t n,
                                  const sai_attribute_t *attributes);

/* Checks the set of one attribute. */
sai_status_t objects_check_set(const struct objects *objects,
                               const struct objects_item *item,
                               const sai_attribute_t *attribute);

/* Returns 'status', which is about attribute 'id' and has index 0, with the
 * index of that attribute in the list of a creation.  Returns other statuses
 * unchanged. */
sai_status_t objects_point_at(sai_status_t status, sai_attr_id_t id, uint32_t n,
                              const sai_attribute_t *attributes);

/* SAI_STATUS_OBJECT_IN_USE if another family refers to 'item' or its children,
 * or if it is a port that has its bridge port or VLAN member, or a bridge port
 * that has its VLAN member; SAI_STATUS_NOT_SUPPORTED for another child, which
 * is removed with its parent. */
sai_status_t objects_check_remove(const struct objects_item *item);

/* Changing ------------------------------------------------------------ */

/* Adds an object with the 'n' attributes given. */
struct objects_item *objects_add(struct objects *objects,
                                 sai_object_type_t type, uint32_t n,
                                 const sai_attribute_t *attributes);

/* Sets 'item->handle'.  Does nothing if it has that value, so it may be called
 * for a shared child whose handle is that of the image. */
void objects_set_handle(struct objects *objects, struct objects_item *item,
                        uint32_t handle);

/* Gives 'port', which was just added, its children. */
void objects_add_family(struct objects_item *port,
                        const struct objects_family *family);

/* Stores a copy of one attribute; it replaces the stored value. */
void objects_put(struct objects *objects, struct objects_item *item,
                 const sai_attribute_t *attribute);

/* Removes the stored value of one attribute, which then has its default. */
void objects_unset(struct objects *objects, struct objects_item *item,
                   sai_attr_id_t id);

/* Removes 'item' and its children, and releases what they refer to.  A child
 * (a bridge port or VLAN member) is no longer found or listed. */
void objects_drop(struct objects *objects, struct objects_item *item);

/* Entries -------------------------------------------------------------- */

/* Objects that have a key instead of an id (routes, say) are kept by the
 * caller, which also looks them up.  The store manages only their values and
 * references.  Their 'oid' is null. */
struct objects_item *objects_add_entry(struct objects *objects,
                                       sai_object_type_t type, uint32_t n,
                                       const sai_attribute_t *attributes);
void objects_drop_entry(struct objects *objects, struct objects_item *item);

/* Adds 'change', which may be negative, to the reference count of 'item', for
 * references that are not attributes: those in the key of an entry. */
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

/* Iterate over the objects of one type, children first, in the order of their
 * ports; the others in order of creation: for (i = objects_first(o, type); i; i
 * = objects_next(o, i)). */
struct objects_item *objects_first(const struct objects *objects,
                                   sai_object_type_t type);
struct objects_item *objects_next(const struct objects *objects,
                                  const struct objects_item *item);
uint32_t objects_count(const struct objects *objects, sai_object_type_t type);

/* Returns the first object of 'type' that is not a child, NULL if there is
 * none, to iterate over these only.  The cost does not depend on the number of
 * children. */
struct objects_item *objects_first_own(const struct objects *objects,
                                       sai_object_type_t type);

/* Return the children of 'port': all '*n' of them; their number of one type;
 * child 'index' of a type (NULL if there is none). */
struct objects_item *objects_children(const struct objects_item *port,
                                      uint32_t *n);
uint32_t objects_n_children(const struct objects_item *port,
                            sai_object_type_t type);
struct objects_item *objects_child(const struct objects_item *port,
                                   sai_object_type_t type, uint32_t index);

/* Returns the port of 'child' in 'objects', NULL if 'child' is not a child. */
struct objects_item *objects_parent(const struct objects *objects,
                                    const struct objects_item *child);

/* Returns the id of child 'index' of 'type' of 'port'. */
sai_object_id_t objects_child_oid(const struct objects_item *port,
                                  sai_object_type_t type, uint32_t index);

/* Returns how many bytes 'objects' has allocated, without the overhead of the
 * allocator and without what it shares with its image. */
size_t objects_bytes(const struct objects *objects);

/* The same for one entry. */
size_t objects_entry_bytes(const struct objects_item *item);

/* Returns the stored value of an attribute, NULL if there is none. */
const sai_attribute_value_t *objects_value(const struct objects_item *item,
                                           sai_attr_id_t id);

/* Stores the implied value of an attribute in '*value'.  Returns false if there
 * is none. */
bool objects_implied(const struct objects_item *item, sai_attr_id_t id,
                     sai_attribute_value_t *value);

/* Return the stored value, else the implied one, else the default (0 if there
 * is none) of an attribute that is a number, or an object id. */
int64_t objects_number(const struct objects_item *item, sai_attr_id_t id);
sai_object_id_t objects_oid(const struct objects_item *item, sai_attr_id_t id);

/* Returns the object to which an attribute refers, or NULL. */
struct objects_item *objects_referent(const struct objects *objects,
                                      const struct objects_item *item,
                                      sai_attr_id_t id);

/* Computes an attribute that is not stored: fills '*attribute' (as a get does,
 * lists included) and returns the outcome, with index 0 if it is a status of
 * one attribute.  Returns SAI_STATUS_ITEM_NOT_FOUND if it does not compute this
 * attribute. */
typedef sai_status_t objects_compute_fn(void *context,
                                        const struct objects_item *item,
                                        sai_attribute_t *attribute);

/* Carries out a get of 'n' attributes.  Each gets its stored or implied value,
 * else what 'compute' (may be NULL) returns, else its default.  If there is
 * none of these, the status of attribute i is ATTR_NOT_IMPLEMENTED, or
 * INVALID_ATTRIBUTE if its condition does not hold for this object.  The first
 * such status ends the call.  SAI_STATUS_BUFFER_OVERFLOW does not, so then all
 * counts are right. */
sai_status_t objects_get(const struct objects_item *item, uint32_t n,
                         sai_attribute_t *attributes,
                         objects_compute_fn *compute, void *context);

/* Returns the 'n' object ids in 'oids' as the list '*value' of a get, by SAI's
 * rule for lists. */
sai_status_t objects_answer_list(sai_attribute_value_t *value, uint32_t n,
                                 const sai_object_id_t *oids);

#endif /* vendors/objects/objects.h */
