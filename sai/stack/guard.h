/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_GUARD_H
#define ORCHD_SAI_STACK_GUARD_H

/* The validator in front of a vendor: a backend that wraps another and lets
 * only sound calls through.
 *
 * Motivation: vendors differ in what they check, and some crash on what they
 * do not.  Behind the guard a call that SAI forbids gets SAI's exact status,
 * whichever vendor it is, and the vendor never sees it:
 *
 *   - attributes: as sai/core/validate.h says, with BASE - i for attribute i;
 *   - the object argument: INVALID_OBJECT_ID if there is no such object (any
 *     more), INVALID_OBJECT_TYPE if it is one of another type;
 *   - remove: OBJECT_IN_USE while another object refers to it or, for a port,
 *     to its queues and priority groups; references of a port's own family do
 *     not count;
 *   - create: UNINITIALIZED without a switch; ITEM_ALREADY_EXISTS for a second
 *     one;
 *   - counters: INVALID_PARAMETER for one that does not exist or another mode
 *     than the two of sai/core/backend.h, NOT_SUPPORTED for a type without any.
 *
 * What exists is what was created through the guard, and what answers to get
 * have named: the switch (from the start), its ports, their queues, ...  An
 * object id that never passed by does not exist for it.  Where an attribute
 * allows several types, an object that it names for the first time is asked
 * what it is.
 *
 * The guard judges; whether there is room, and whether numbers make sense, the
 * vendor says.  What the vendor refuses changes nothing here. */

#include "sai/core/backend.h"

struct guard;
struct registry;

/* Returns a guard before 'inner', which is borrowed and outlives it.  End with
 * guard_destroy(). */
struct guard *guard_create(struct sai_backend *inner);

/* Frees 'guard'.  Accepts NULL. */
void guard_destroy(struct guard *guard);

/* The guard as a backend.  Borrowed; lives as long as the guard. */
struct sai_backend *guard_backend(struct guard *guard);

/* Returns what the guard is before, and what it knows of the objects.
 * Borrowed. */
struct sai_backend *guard_inner(const struct guard *guard);
const struct registry *guard_registry(const struct guard *guard);

/* Returns how many calls were refused without asking the vendor, each object
 * of a set_many by itself. */
uint64_t guard_refusals(const struct guard *guard);

#endif /* sai/stack/guard.h */
