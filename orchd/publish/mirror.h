/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_MIRROR_H
#define ORCHD_PUBLISH_MIRROR_H

/* ASIC_DB: what SAI accepted, one hash per object.
 *
 * Internal to publish/.  The attributes of an object come one by one; they are
 * collected and written in one command when another object has its turn.  An
 * object without attributes is there by the placeholder NULL = NULL. */

#include <sai.h>

struct metadata_attribute;
struct mirror;
struct redis;

/* Creates a mirror that writes through 'redis', which is borrowed. */
struct mirror *mirror_create(struct redis *redis);

/* Frees 'mirror'; ASIC_DB stays as it is.  Accepts NULL. */
void mirror_destroy(struct mirror *mirror);

/* Forgets all objects, and removes from ASIC_DB those that do not appear
 * again before they are come across. */
void mirror_restart(struct mirror *mirror);

/* The three things that happen to an object. */
void mirror_appeared(struct mirror *mirror, sai_object_type_t type,
                     sai_object_id_t oid);
void mirror_attribute(struct mirror *mirror, sai_object_type_t type,
                      sai_object_id_t oid,
                      const struct metadata_attribute *attribute,
                      const sai_attribute_value_t *value);
void mirror_gone(struct mirror *mirror, sai_object_type_t type,
                 sai_object_id_t oid);

/* Writes what was collected. */
void mirror_flush(struct mirror *mirror);

#endif /* orchd/publish/mirror.h */
