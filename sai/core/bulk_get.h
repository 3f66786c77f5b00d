/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_BULK_GET_H
#define ORCHD_SAI_CORE_BULK_GET_H

/* Reads one attribute of several objects in one call.
 *
 * Motivation: a switch with 514 ports has 10,000 queues.  If the switch is in
 * another process, one call per queue takes seconds, and one call for all of
 * them takes a few milliseconds.  A call could also read several attributes of
 * one object, but then one attribute that the switch does not support would
 * fail the others.
 *
 * The first call reads lists into a small buffer.  A second call reads those
 * that need more room into buffers of the reported size. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"

struct arena;
struct metadata_attribute;

struct bulk_get {
    uint32_t n;
    sai_status_t *statuses;      /* Of each object. */
    sai_attribute_t *attributes; /* What was read where that is success. */
    struct arena *arena;         /* Owns all of it, lists included. */
};

/* Returns whether attributes of this kind can be read: not lists of lists and
 * not pointers, which are meaningless in another process. */
bool bulk_get_is_readable(const struct metadata_attribute *meta);

/* Reads attribute 'id' of the 'n' objects 'oids', which are of 'type'.  Each
 * object has a status of its own; if the metadata do not know the attribute,
 * all have failed.  Free with bulk_get_fini(). */
void bulk_get_read(struct bulk_get *bulk, struct sai_backend *backend,
                   sai_object_type_t type, sai_attr_id_t id, uint32_t n,
                   const sai_object_id_t *oids);

/* Frees the values of 'bulk'. */
void bulk_get_fini(struct bulk_get *bulk);

/* Returns the value of object 'i', NULL if it could not be read.  Borrowed. */
const sai_attribute_value_t *bulk_get_value(const struct bulk_get *bulk,
                                            uint32_t i);

#endif /* sai/core/bulk_get.h */
