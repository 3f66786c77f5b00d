/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_OBJECT_ROWS_H
#define ORCHD_PUBLISH_OBJECT_ROWS_H

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
 * object_rows_settled(). */

#include <stdbool.h>

#include <sai.h>

#include "orchd/reconcile/listener.h"

struct object_rows;
struct redis;

/* Creates it without names; 'redis' is borrowed. */
struct object_rows *object_rows_create(struct redis *redis);

/* Frees 'makers'; the hash stays.  Accepts NULL. */
void object_rows_destroy(struct object_rows *makers);

/* Redis is there, with whatever it has: reads the hash.  What is on the ASIC is
 * to be told again. */
void object_rows_restart(struct object_rows *makers);

/* Returns whether the hash was read once. */
bool object_rows_known(const struct object_rows *makers);

/* Tells each name that an earlier life has left and nobody of this one has
 * taken up. */
typedef void object_rows_fn(void *context, const char *name,
                            sai_object_type_t type, sai_object_id_t oid);
void object_rows_each_left(const struct object_rows *makers, object_rows_fn *fn,
                           void *context);

/* Everything that is wanted is there: removes what nobody has taken up. */
void object_rows_settled(struct object_rows *makers);

/* See orchd/reconcile/listener.h; objects of other types are ignored. */
void object_rows_appeared(struct object_rows *makers,
                          const struct object_view *object);
void object_rows_gone(struct object_rows *makers,
                      const struct object_view *object);

#endif /* orchd/publish/object_rows.h */
