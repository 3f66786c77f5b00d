/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_ADOPTION_H
#define ORCHD_SAI_STACK_ADOPTION_H

/* A new life on a switch that holds what an earlier one has made.
 *
 * Motivation: a switch that outlives its control plane is full of objects whose
 * ids nobody remembers.  Making them again would double them, rebind every user
 * and disturb traffic; a file with the ids may be older than the switch.  What
 * the switch holds says best which object is which: this is a backend before
 * that of the switch that answers a creation by an object that is there, and a
 * set by nothing if the value is that already.  Whoever programs the switch as
 * if it were empty has changed nothing on it at the end, except for what
 * differs.
 *
 * Which object that is:
 *
 *   1. The one that had the same name in the earlier life, if whoever remembers
 *      names has said so (adoption_remember()) and the switch agrees: it is
 * there, of that type, nobody has asked for it yet, and all of it that can be
 *      given at creation only is as wanted.  The rest may differ:
 * adoption_found() says what it holds, and it is for the caller to set that.
 *   2. One of the same content that nobody else wants: every attribute that is
 *      given has that value, references included, and every other one that
 *      could be its default, as far as that is known.  Since references are
 * made before those that refer to them, they have been found by then.  Two
 * objects of one content are as good as each other.
 *   3. A new one.
 *
 * When all is programmed, adoption_end() removes what was found and nobody
 * asked for, unless it is in use, and from then on all calls are passed on as
 * they are.
 *
 * Considered are the objects that a control plane makes for buffers and QoS:
 * pools, profiles, maps, schedulers, WRED profiles.  Others, ports above all,
 * are found by whoever makes calls. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "sai/core/backend.h"

struct adoption;

/* What has come of it. */
struct adoption_figures {
    size_t n_found;    /* Objects at first. */
    size_t n_adopted;  /* Of these, objects that were asked for. */
    size_t n_created;  /* Objects that were not there. */
    size_t n_unneeded; /* Sets of a value that was there. */
    size_t n_set;      /* Other sets. */
    size_t n_removed;  /* By adoption_end(). */
    size_t n_kept;     /* In use, although nobody asked for them. */
};

/* Lists the objects of a type, as the exported function of SAI does. */
typedef __typeof__(&sai_get_object_key) adoption_list_fn;

/* Returns whether objects of 'type' are considered. */
bool adoption_considers(sai_object_type_t type);

/* Returns whether a creation may ever give that attribute.  What others hold is
 * not the business of who makes these creations: it may be the same thing by
 * another name, or somebody else's. */
typedef bool adoption_uses_fn(sai_object_type_t type, sai_attr_id_t id);

/* Reads what is on the switch of 'inner', which is borrowed, of the attributes
 * that 'uses' names (NULL: all), and returns a backend before it.  'list' may
 * be NULL, if the library cannot say: then nothing is found.  End with
 * adoption_destroy(). */
struct adoption *adoption_create(struct sai_backend *inner,
                                 adoption_list_fn list, adoption_uses_fn *uses);

/* Frees it.  Accepts NULL. */
void adoption_destroy(struct adoption *adopt);

/* The backend.  Borrowed. */
struct sai_backend *adoption_backend(struct adoption *adopt);

/* Says that 'oid', which is of 'type', was called 'name' in the earlier life.
 * What the switch does not confirm is forgotten, and so is what was said of one
 * object twice. */
void adoption_remember(struct adoption *adopt, const char *name,
                       sai_object_type_t type, sai_object_id_t oid);

/* Returns whether the object of that name is wanted now, so that its own object
 * should be kept for it. */
typedef bool adoption_wanted_fn(void *context, const char *name);
void adoption_ask(struct adoption *adopt, adoption_wanted_fn *wanted,
                  void *context);

/* Says that the next creation is that of 'name', which is borrowed until
 * then; NULL: of nobody in particular. */
void adoption_expect(struct adoption *adopt, const char *name);

/* Returns what attribute 'id' of 'oid' was found with, NULL if 'oid' is no
 * object that was there before and was asked for, or it did not tell.
 * Borrowed until adoption_end(). */
const sai_attribute_value_t *adoption_found(const struct adoption *adopt,
                                            sai_object_id_t oid,
                                            sai_attr_id_t id);

/* All that there is to be is programmed: removes the rest.  Nothing happens the
 * second time. */
void adoption_end(struct adoption *adopt);

/* Returns whether adoption_end() was not called yet. */
bool adoption_is_active(const struct adoption *adopt);

void adoption_figures(const struct adoption *adopt,
                      struct adoption_figures *figures);

#endif /* sai/stack/adoption.h */
