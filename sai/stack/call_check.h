/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_CALL_CHECK_H
#define ORCHD_SAI_STACK_CALL_CHECK_H

/* Checks whether SAI allows a call, from the metadata and the registry.
 *
 * Each function returns SAI_STATUS_SUCCESS or the exact status of the refusal;
 * see sai/stack/guard.h for the rules.  A check reads from the vendor library
 * only what neither the registry nor the metadata know: the current value of an
 * attribute of an object that existed before the guard. */

#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/stack/registry.h"

/* What the checks need.  Both are borrowed. */
struct call_check {
    struct registry *registry;
    struct sai_backend *inner; /* The vendor. */
};

/* Finds object 'oid' of 'type'; '*item' is NULL if there is none. */
sai_status_t call_check_locate(const struct call_check *check,
                               sai_object_type_t type, sai_object_id_t oid,
                               struct registry_item **item);

/* Finds the object of a key as above.  For an entry '*item' is NULL, and the
 * function checks whether the objects exist to which the entry refers.  The
 * registry has no entries, because the switch learns and ages them by itself.
 */
sai_status_t call_check_key(const struct call_check *check,
                            sai_object_type_t type, sai_object_key_t *key,
                            struct registry_item **item);

sai_status_t call_check_create(const struct call_check *check,
                               sai_object_type_t type, uint32_t n,
                               const sai_attribute_t *attributes);

/* 'item' is NULL for an entry. */
sai_status_t call_check_set(const struct call_check *check,
                            sai_object_type_t type,
                            const sai_attribute_t *attribute,
                            const struct registry_item *item);

sai_status_t call_check_remove(const struct call_check *check,
                               sai_object_type_t type, sai_object_id_t oid,
                               struct registry_item **item);

/* A call that reads counters. */
struct call_check_stats {
    sai_object_type_t type;
    sai_object_id_t oid;
    uint32_t n;
    const sai_stat_id_t *ids;
    sai_stats_mode_t mode;
    const uint64_t *values;
};

sai_status_t call_check_stats(const struct call_check *check,
                              const struct call_check_stats *call);

#endif /* sai/stack/call_check.h */
