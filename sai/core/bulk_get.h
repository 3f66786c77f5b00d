/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_BULK_GET_H
#define ORCHD_SAI_CORE_BULK_GET_H

/* One attribute of several objects, read together.
 *
 * Motivation: a switch with 514 ports has 10,000 queues, and asked one by one
 * it answers for seconds if it is another process.  One call for all of them
 * takes a few milliseconds.  The attributes of one object could be asked for in
 * one call as well, but then what the switch does not tell of one would take
 * the others along.
 *
 * Lists are given some room at first; those that need more, in a second call,
 * get what they say they need. */

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

/* Returns whether attributes of this sort can be read: not lists of lists, nor
 * what has no meaning in another process. */
bool bulk_get_is_readable(const struct metadata_attribute *meta);

/* Reads attribute 'id' of the 'n' objects 'oids', which are of 'type'.  What
 * cannot be read has a status of its own; so it is with all of an attribute
 * that metadata do not know.  End with bulk_get_fini(). */
void bulk_get_read(struct bulk_get *column, struct sai_backend *backend,
                   sai_object_type_t type, sai_attr_id_t id, uint32_t n,
                   const sai_object_id_t *oids);

/* Frees what 'column' holds. */
void bulk_get_fini(struct bulk_get *column);

/* Returns the value of object 'i', NULL if it could not be read.  Borrowed. */
const sai_attribute_value_t *bulk_get_value(const struct bulk_get *column,
                                            uint32_t i);

#endif /* sai/core/bulk_get.h */
