/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_ASIC_MIRROR_H
#define ORCHD_PUBLISH_ASIC_MIRROR_H

/* ASIC_DB: the objects and attributes that SAI accepted, one hash per object.
 *
 * Internal to publish/.  The attributes of an object arrive one by one; the
 * mirror collects them and writes them in one command when those of another
 * object begin.  An object without attributes has the placeholder NULL = NULL.
 */

#include <sai.h>
#include <stddef.h>

struct metadata_attribute;
struct asic_mirror;
struct redis;

/* Creates a mirror that writes through 'redis', which is borrowed. */
struct asic_mirror *asic_mirror_create(struct redis *redis);

/* Frees 'mirror'; ASIC_DB stays as it is.  Accepts NULL. */
void asic_mirror_destroy(struct asic_mirror *mirror);

/* Forgets all objects, and starts to remove from ASIC_DB those that do not
 * appear again before the sweep reaches them. */
void asic_mirror_restart(struct asic_mirror *mirror);

/* An object has appeared, has a new value of an attribute, or is removed. */
void asic_mirror_appeared(struct asic_mirror *mirror, sai_object_type_t type,
                          sai_object_id_t oid);
void asic_mirror_attribute(struct asic_mirror *mirror, sai_object_type_t type,
                           sai_object_id_t oid,
                           const struct metadata_attribute *attribute,
                           const sai_attribute_value_t *value);
void asic_mirror_gone(struct asic_mirror *mirror, sai_object_type_t type,
                      sai_object_id_t oid);

/* Looks whether all objects are still in ASIC_DB, then calls 'checked' with how
 * many are missing: none where another program owns them.  Never calls it if
 * the connection is or gets lost. */
typedef void asic_mirror_checked_fn(void *context, size_t n_missing);
void asic_mirror_audit(struct asic_mirror *mirror,
                       asic_mirror_checked_fn *checked, void *context);

/* Writes the collected attributes. */
void asic_mirror_flush(struct asic_mirror *mirror);

#endif /* orchd/publish/asic_mirror.h */
