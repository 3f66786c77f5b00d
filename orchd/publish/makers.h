/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_MAKERS_H
#define ORCHD_PUBLISH_MAKERS_H

/* ASIC_DB: which row has made which object.
 *
 * Internal to publish/.  The hash ORCHD_OBJECTS has a field for each object
 * that orchd has made for buffers and QoS:
 *
 *   BUFFER_POOL|ingress_lossless_pool -> SAI_OBJECT_TYPE_BUFFER_POOL:oid:0x18..
 *
 * It is for people, and for the next life of orchd: what the switch holds tells
 * which object is which only while their rows stay as they are.  So the hash is
 * read after each connection, and what an earlier life wrote stays until
 * makers_settled(). */

#include <stdbool.h>

#include <sai.h>

#include "orchd/reconcile/observer.h"

struct makers;
struct redis;

/* Creates it without names; 'redis' is borrowed. */
struct makers *makers_create(struct redis *redis);

/* Frees 'makers'; the hash stays.  Accepts NULL. */
void makers_destroy(struct makers *makers);

/* Redis is there, with whatever it has: reads the hash.  What is on the ASIC is
 * to be told again. */
void makers_restart(struct makers *makers);

/* Returns whether the hash was read once. */
bool makers_known(const struct makers *makers);

/* Tells each name that an earlier life has left and nobody of this one has
 * taken up. */
typedef void makers_fn(void *context, const char *name, sai_object_type_t type,
                       sai_object_id_t oid);
void makers_each_left(const struct makers *makers, makers_fn *fn,
                      void *context);

/* Everything that is wanted is there: removes what nobody has taken up. */
void makers_settled(struct makers *makers);

/* See observer.h; objects of other types are ignored. */
void makers_appeared(struct makers *makers, const struct object_view *object);
void makers_gone(struct makers *makers, const struct object_view *object);

#endif /* orchd/publish/makers.h */
