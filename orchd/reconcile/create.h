/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CREATE_H
#define ORCHD_RECONCILE_CREATE_H

/* Creates objects on the ASIC, one at a time or several in one call, and
 * records the results: a created object gets its id, a refused one its refusal.
 *
 * A port is adopted if the ASIC has one with its lanes.  An object that refers
 * to one that does not exist is skipped; the refusal of the missing one
 * explains it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct executor;
struct object;

/* Creates or adopts 'object'. */
void create_one(struct executor *executor, struct object *object, int64_t now);

/* Creates a port with the lanes that 'object', an existing port, is to move to,
 * and leaves it unclaimed: the next plan releases the former port and adopts
 * this one. */
void create_prepare(struct executor *executor, struct object *object,
                    int64_t now);

/* Returns whether 'object' neither wants nor holds a reference to an object of
 * its own type. */
bool create_is_apart(const struct object *object);

/* Returns whether 'object' may be created in one call with others of its type:
 * it refers to none of them, and if it is a port, it can be adopted or its
 * lanes are free.  During adoption, objects that orchd creates are created one
 * at a time. */
bool create_is_plain(const struct executor *executor,
                     const struct object *object);

/* Creates or adopts 'n' (not 0) different objects of one type, all of them
 * plain (create_is_plain()). */
void create_several(struct executor *executor, struct object *const *objects,
                    size_t n, int64_t now);

/* Releases the ASIC port of 'object'.  Attributes that have no default, such
 * as its speed, keep their values on the ASIC until another row adopts the
 * port. */
void create_undo(struct executor *executor, struct object *object);

/* Forgets the port of 'object', which the device no longer knows, with its
 * children, so that the next plan creates it again if it is wanted.  Returns
 * false, and changes nothing, if the device still has something that depends on
 * it. */
bool create_forget_port(struct executor *executor, struct object *object);

#endif /* orchd/reconcile/create.h */
