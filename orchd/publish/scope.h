/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_SCOPE_H
#define ORCHD_PUBLISH_SCOPE_H

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

struct scope;

/* Creates a scope that has everything. */
struct scope *scope_create(void);

/* Frees 'scope'.  Accepts NULL. */
void scope_destroy(struct scope *scope);

/* Forgets all objects; they will be told again. */
void scope_forget(struct scope *scope);

/* From now on only places with a profile are in scope, or all. */
void scope_narrow(struct scope *scope, bool narrow);

/* Profile 'oid' has this name. */
void scope_profile(struct scope *scope, sai_object_id_t oid, const char *name);

/* A queue or priority group has this profile, or none (SAI_NULL_OBJECT_ID). */
void scope_bind(struct scope *scope, sai_object_id_t oid,
                sai_object_id_t profile);

/* An object of either kind is gone, or one that was never told. */
void scope_gone(struct scope *scope, sai_object_id_t oid);

/* Returns whether a queue or priority group is in scope. */
bool scope_has(const struct scope *scope, sai_object_id_t oid);

/* Returns whether anything may have come into or out of scope since the last
 * time this was asked. */
bool scope_changed(struct scope *scope);

#endif /* orchd/publish/scope.h */
