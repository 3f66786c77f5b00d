/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_ADOPTION_H
#define ORCHD_SAI_STACK_ADOPTION_H

/* Warm restart: adopts the objects that a previous run left on the switch.
 *
 * Motivation: a switch that outlives its control plane is full of objects whose
 * ids the new control plane does not know.  Creating them again would duplicate
 * them, rebind every user and disturb traffic; a file with the ids may be older
 * than the switch.  The contents of the switch identify each object best.  So
 * this backend wraps that of the switch: it answers a creation with the id of
 * an existing object that fits, and drops a set of a value that the object has
 * already.  A client that programs the switch as if it were empty changes only
 * what differs.
 *
 * A creation gets, in this order:
 *
 *   1. The object that had the same name in the previous run, if the client has
 *      restored the names (adoption_remember()) and the switch agrees: the
 *      object exists, has that type, is not adopted yet, and all its
 * create-only attributes have the wanted values.  Other attributes may differ:
 * the client reads them with adoption_found() and sets them.
 *   2. An object with the same content that is not reserved for another name:
 *      every given attribute has the given value, references included, and
 * every other attribute has its default, as far as the default is known.
 * Clients create an object before those that refer to it, so references have
 * been adopted before.  Two objects with the same content are interchangeable.
 *   3. A new object.
 *
 * When the client has programmed everything, adoption_end() removes the stale
 * objects, which no creation has adopted, unless they are in use.  After that
 * the backend passes on all calls unchanged.
 *
 * Where the library cannot list objects, those with a name are the objects:
 * each id that the client has restored is looked up on the switch by reading
 * its attributes (adoption_read_remembered()), and what does not answer, or has
 * another type, does not exist.  An object without a restored name is then not
 * known, and stays.
 *
 * Only the objects that a control plane creates for buffers and QoS are
 * adopted: pools, profiles, maps, schedulers, WRED profiles.  The client finds
 * others, such as ports, by reading the switch. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "sai/core/backend.h"

struct adoption;

/* Counters of an adoption. */
struct adoption_figures {
    size_t n_found;    /* Objects at first. */
    size_t n_adopted;  /* Of these, objects that were asked for. */
    size_t n_created;  /* Objects that were not there. */
    size_t n_unneeded; /* Sets of a value that was there. */
    size_t n_set;      /* Other sets, without those that were refused. */
    size_t n_removed;  /* By adoption_end() and adoption_retry(). */
    size_t n_kept;     /* In use, although not asked for. */
};

/* Lists the objects of a type, as the exported function of SAI does. */
typedef __typeof__(&sai_get_object_key) adoption_list_fn;

/* The same for a switch that is not that of a library, with a context. */
struct adoption_lister {
    sai_status_t (*list)(void *context, sai_object_type_t type, uint32_t *n,
                         sai_object_key_t *keys);
    void *context;
};

/* Returns whether objects of 'type' are adopted. */
bool adoption_considers(sai_object_type_t type);

/* Returns whether a creation may ever give that attribute.  Adoption ignores
 * all others: they may repeat one of these, or belong to another program. */
typedef bool adoption_uses_fn(sai_object_type_t type, sai_attr_id_t id);

/* Reads the objects on the switch of 'inner', which is borrowed, with the
 * attributes for which 'uses' returns true (NULL: all), and returns a backend
 * that wraps 'inner'.  'list' is NULL if the library cannot list objects; then,
 * and for types that 'list' refuses to list, only objects with a restored name
 * are adopted.  Destroy with adoption_destroy(). */
struct adoption *adoption_create(struct sai_backend *inner,
                                 adoption_list_fn list, adoption_uses_fn *uses);

/* Does the same with 'lister', which is used only in this call. */
struct adoption *adoption_create_listed(struct sai_backend *inner,
                                        const struct adoption_lister *lister,
                                        adoption_uses_fn *uses);

/* Frees 'adopt'.  Accepts NULL. */
void adoption_destroy(struct adoption *adopt);

/* Returns the backend.  Borrowed. */
struct sai_backend *adoption_backend(struct adoption *adopt);

/* Restores a name: 'oid' of 'type' was called 'name' in the previous run.  The
 * name is dropped if the switch has no such object, or if the object gets a
 * second name. */
void adoption_remember(struct adoption *adopt, const char *name,
                       sai_object_type_t type, sai_object_id_t oid);

/* Call it after the last adoption_remember(): reads the objects with a restored
 * name of types that the library cannot list.  Does nothing for other types. */
void adoption_read_remembered(struct adoption *adopt);

/* Returns whether an object called 'name' will be created, so that the object
 * that had the name is reserved for it. */
typedef bool adoption_wanted_fn(void *context, const char *name);
void adoption_ask(struct adoption *adopt, adoption_wanted_fn *wanted,
                  void *context);

/* Sets the name of the object that the next call creates.  'name' is borrowed
 * until then; NULL: no name. */
void adoption_expect(struct adoption *adopt, const char *name);

/* Returns the value that attribute 'id' of 'oid' had at the start; NULL if
 * 'oid' is not an adopted object or the value could not be read.  Borrowed
 * until adoption_end(). */
const sai_attribute_value_t *adoption_found(const struct adoption *adopt,
                                            sai_object_id_t oid,
                                            sai_attr_id_t id);

/* Ends the adoption and removes stale objects.  Later calls do nothing. */
void adoption_end(struct adoption *adopt);

/* After adoption_end(): tries again to remove the stale objects that were in
 * use.  Returns how many it has removed; the figures follow. */
size_t adoption_retry(struct adoption *adopt);

/* Returns whether adoption_end() is still to be called. */
bool adoption_is_active(const struct adoption *adopt);

void adoption_figures(const struct adoption *adopt,
                      struct adoption_figures *figures);

#endif /* sai/stack/adoption.h */
