/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLED_SCOPE_H
#define ORCHD_TELEMETRY_POLLED_SCOPE_H

/* Which queues and priority groups are polled.
 *
 * All of them, unless DEVICE_METADATA has create_only_config_db_buffers=true:
 * then only those that have a buffer profile on the ASIC other than a zero
 * profile (whose name contains "_zero_").  That includes profiles of derived
 * rows, and excludes profiles of waiting rows.
 *
 * Internal to the publisher.  Pure. */

#include <stdbool.h>

#include <sai.h>

struct polled_scope;

/* Creates a scope of all queues and priority groups. */
struct polled_scope *polled_scope_create(void);

/* Frees 'scope'.  Accepts NULL. */
void polled_scope_destroy(struct polled_scope *scope);

/* Forgets all objects; the caller adds them again. */
void polled_scope_forget(struct polled_scope *scope);

/* Restricts the scope to objects with a profile, or ends that. */
void polled_scope_restrict(struct polled_scope *scope, bool restricted);

/* Adds profile 'oid', which is called 'name'. */
void polled_scope_profile(struct polled_scope *scope, sai_object_id_t oid,
                          const char *name);

/* Sets the profile of a queue or priority group; SAI_NULL_OBJECT_ID: none. */
void polled_scope_bind(struct polled_scope *scope, sai_object_id_t oid,
                       sai_object_id_t profile);

/* Handles the removal of a profile, queue or priority group, or of an unknown
 * object. */
void polled_scope_gone(struct polled_scope *scope, sai_object_id_t oid);

/* Returns whether a queue or priority group is in scope. */
bool polled_scope_has(const struct polled_scope *scope, sai_object_id_t oid);

/* Returns whether the scope may have changed since the last call. */
bool polled_scope_changed(struct polled_scope *scope);

#endif /* orchd/telemetry/polled_scope.h */
