/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CREATE_H
#define ORCHD_RECONCILE_CREATE_H

/* Creates objects on the ASIC, one by one or several at once, and notes what
 * SAI answered: what was created is there, what was refused stands with its
 * refusal.
 *
 * A port is adopted if the ASIC has one with its lanes.  What an object refers
 * to but is not there makes it passed over; whoever was refused before it says
 * why. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct executor;
struct object;

/* Creates or adopts 'object'. */
void create_one(struct executor *executor, struct object *object, int64_t now);

/* Returns whether 'object' neither wants nor holds a reference to an object of
 * its own type. */
bool create_is_apart(const struct object *object);

/* Returns whether 'object' may be created together with others of its type: it
 * refers to none of them, and if it is a port it can be adopted, or nobody has
 * its lanes.  While there is a heritage, what is ours is made one by one. */
bool create_is_plain(const struct executor *executor,
                     const struct object *object);

/* Creates or adopts 'n' (not 0) different objects of one type, all of
 * them plain. */
void create_several(struct executor *executor, struct object *const *objects,
                    size_t n, int64_t now);

/* Makes the port of 'object' nobody's.  Attributes that have no default, such
 * as its speed, stay on the ASIC as they are; whoever adopts it sets them. */
void create_undo(struct executor *executor, struct object *object);

/* Forgets the port of 'object', which the device does not know any more, with
 * its places, so that it is made again if it is wanted.  Returns false, and
 * leaves it alone, if something still depends on it being there. */
bool create_forget_port(struct executor *executor, struct object *object);

#endif /* orchd/reconcile/create.h */
