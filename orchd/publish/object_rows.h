/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_OBJECT_ROWS_H
#define ORCHD_PUBLISH_OBJECT_ROWS_H

/* ASIC_DB: which object belongs to which row.
 *
 * Internal to publish/.  The hash ORCHD_OBJECTS has a field for each object
 * that orchd has created for buffers and QoS:
 *
 *   BUFFER_POOL|ingress_lossless_pool -> SAI_OBJECT_TYPE_BUFFER_POOL:oid:0x18..
 *
 * Operators read it, and the next run of orchd needs it for a warm restart:
 * without it, objects could be matched to rows by their content only, which
 * fails as soon as a row changes.  orchd reads the hash after each connection,
 * and keeps the fields of a previous run until object_rows_settled(). */

#include <stdbool.h>

#include <sai.h>

#include "orchd/reconcile/listener.h"

struct object_rows;
struct redis;

/* Creates object rows without names; 'redis' is borrowed. */
struct object_rows *object_rows_create(struct redis *redis);

/* Frees 'rows'; the hash stays.  Accepts NULL. */
void object_rows_destroy(struct object_rows *rows);

/* Reads the hash again after Redis has become reachable.  The caller then
 * reports all objects on the ASIC again. */
void object_rows_restart(struct object_rows *rows);

/* Returns whether the hash was read at least once. */
bool object_rows_known(const struct object_rows *rows);

/* Calls 'fn' for each name of a previous run that no object of this run has
 * taken. */
typedef void object_rows_fn(void *context, const char *name,
                            sai_object_type_t type, sai_object_id_t oid);
void object_rows_each_previous(const struct object_rows *rows,
                               object_rows_fn *fn, void *context);

/* The initial configuration is programmed: removes the names of a previous run
 * that no object has taken. */
void object_rows_settled(struct object_rows *rows);

/* See orchd/reconcile/listener.h; they ignore objects of other types. */
void object_rows_appeared(struct object_rows *rows,
                          const struct object_view *object);
void object_rows_gone(struct object_rows *rows,
                      const struct object_view *object);

#endif /* orchd/publish/object_rows.h */
