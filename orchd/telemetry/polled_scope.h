/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLED_SCOPE_H
#define ORCHD_TELEMETRY_POLLED_SCOPE_H

/* Which queues and priority groups are counted.
 *
 * All, unless DEVICE_METADATA has create_only_config_db_buffers=true: then
 * those that have a buffer profile which is no zero profile, that is, whose
 * name does not contain "_zero_".  What counts is the ASIC: profiles that orchd
 * derived itself are among them, a row that waits is not.
 *
 * Internal to publish/.  Pure. */

#include <stdbool.h>

#include <sai.h>

struct polled_scope;

/* Creates a scope that has everything. */
struct polled_scope *polled_scope_create(void);

/* Frees 'scope'.  Accepts NULL. */
void polled_scope_destroy(struct polled_scope *scope);

/* Forgets all objects; they will be told again. */
void polled_scope_forget(struct polled_scope *scope);

/* From now on only places with a profile are in scope, or all. */
void polled_scope_narrow(struct polled_scope *scope, bool narrow);

/* Profile 'oid' has this name. */
void polled_scope_profile(struct polled_scope *scope, sai_object_id_t oid,
                          const char *name);

/* A queue or priority group has this profile, or none (SAI_NULL_OBJECT_ID). */
void polled_scope_bind(struct polled_scope *scope, sai_object_id_t oid,
                       sai_object_id_t profile);

/* An object of either kind is gone, or one that was never told. */
void polled_scope_gone(struct polled_scope *scope, sai_object_id_t oid);

/* Returns whether a queue or priority group is in scope. */
bool polled_scope_has(const struct polled_scope *scope, sai_object_id_t oid);

/* Returns whether anything may have come into or out of scope since the last
 * time this was asked. */
bool polled_scope_changed(struct polled_scope *scope);

#endif /* orchd/telemetry/polled_scope.h */
