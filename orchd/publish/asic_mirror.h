/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_ASIC_MIRROR_H
#define ORCHD_PUBLISH_ASIC_MIRROR_H

/* ASIC_DB: what SAI accepted, one hash per object.
 *
 * Internal to publish/.  The attributes of an object come one by one; they are
 * collected and written in one command when another object has its turn.  An
 * object without attributes is there by the placeholder NULL = NULL. */

#include <sai.h>

struct metadata_attribute;
struct asic_mirror;
struct redis;

/* Creates a mirror that writes through 'redis', which is borrowed. */
struct asic_mirror *asic_mirror_create(struct redis *redis);

/* Frees 'mirror'; ASIC_DB stays as it is.  Accepts NULL. */
void asic_mirror_destroy(struct asic_mirror *mirror);

/* Forgets all objects, and removes from ASIC_DB those that do not appear
 * again before they are come across. */
void asic_mirror_restart(struct asic_mirror *mirror);

/* The three things that happen to an object. */
void asic_mirror_appeared(struct asic_mirror *mirror, sai_object_type_t type,
                          sai_object_id_t oid);
void asic_mirror_attribute(struct asic_mirror *mirror, sai_object_type_t type,
                           sai_object_id_t oid,
                           const struct metadata_attribute *attribute,
                           const sai_attribute_value_t *value);
void asic_mirror_gone(struct asic_mirror *mirror, sai_object_type_t type,
                      sai_object_id_t oid);

/* Writes what was collected. */
void asic_mirror_flush(struct asic_mirror *mirror);

#endif /* orchd/publish/asic_mirror.h */
