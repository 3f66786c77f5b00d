/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_BACKEND_H
#define ORCHD_SAI_BACKEND_H

/* One switch behind SAI, seen as a few verbs on any object type.
 *
 * Motivation: SAI spreads its verbs over some fifty function tables.  The
 * reconciler, the recorder, the fault injector and the host protocol are all
 * indifferent to the object type; they speak this interface, and each of them
 * can wrap another.  sai/loader.h makes one from a libsai; tests make one from
 * a store in memory.
 *
 * Only object types that are identified by an object id are reached this way
 * (entries such as FDB and route entries are not).
 *
 * Statuses are SAI's own, because per-attribute codes carry an index; see
 * sai/status.h for their translation. */

#include <stdint.h>

#include <sai.h>

struct sai_backend;

struct sai_backend_ops {
    /* Creates an object of 'type' from 'n' attributes and stores its id in
     * '*oid'.  'attributes' and all that they point to are borrowed for the
     * call.  The switch id is supplied by the backend.  '*oid' is untouched
     * on failure. */
    sai_status_t (*create)(struct sai_backend *backend, sai_object_type_t type,
                           uint32_t n, const sai_attribute_t *attributes,
                           sai_object_id_t *oid);

    /* Removes object 'oid', which is of 'type'. */
    sai_status_t (*remove)(struct sai_backend *backend, sai_object_type_t type,
                           sai_object_id_t oid);

    /* Sets one attribute of one object. */
    sai_status_t (*set)(struct sai_backend *backend, sai_object_type_t type,
                        sai_object_id_t oid, const sai_attribute_t *attribute);

    /* Reads 'n' attributes of one object.  Ids and list capacities are filled
     * in by the caller; SAI_STATUS_BUFFER_OVERFLOW means that the counts now
     * say what is needed. */
    sai_status_t (*get)(struct sai_backend *backend, sai_object_type_t type,
                        sai_object_id_t oid, uint32_t n,
                        sai_attribute_t *attributes);

    /* Reads 'n' counters of one object into 'values'; 'mode' is
     * SAI_STATS_MODE_READ or SAI_STATS_MODE_READ_AND_CLEAR. */
    sai_status_t (*get_stats)(struct sai_backend *backend,
                              sai_object_type_t type, sai_object_id_t oid,
                              uint32_t n, const sai_stat_id_t *ids,
                              sai_stats_mode_t mode, uint64_t *values);

    /* Sets one attribute of each of 'n' objects of 'type': 'attributes[i]' of
     * 'oids[i]', whose outcome goes to 'statuses[i]'; all of them are filled.
     * Returns SAI_STATUS_SUCCESS if all are, else SAI_STATUS_FAILURE.  With
     * SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR those behind the first failure are
     * left alone, with SAI_STATUS_NOT_EXECUTED.
     *
     * May be NULL, so callers use backend_set_many(). */
    sai_status_t (*set_many)(struct sai_backend *backend,
                             sai_object_type_t type, uint32_t n,
                             const sai_object_id_t *oids,
                             const sai_attribute_t *attributes,
                             sai_bulk_op_error_mode_t mode,
                             sai_status_t *statuses);
};

/* A backend embeds this as its first member. */
struct sai_backend {
    const struct sai_backend_ops *ops;
    sai_object_id_t switch_id; /* SAI_NULL_OBJECT_ID before the switch is
                                * created. */
};

/* Does what 'set_many' says, by 'set_many' if the backend has it, else by
 * backend_set_singly(). */
sai_status_t backend_set_many(struct sai_backend *backend,
                              sai_object_type_t type, uint32_t n,
                              const sai_object_id_t *oids,
                              const sai_attribute_t *attributes,
                              sai_bulk_op_error_mode_t mode,
                              sai_status_t *statuses);

/* Does what 'set_many' says, by one 'set' after the other: for backends that
 * wrap another or have nothing better. */
sai_status_t backend_set_singly(struct sai_backend *backend,
                                sai_object_type_t type, uint32_t n,
                                const sai_object_id_t *oids,
                                const sai_attribute_t *attributes,
                                sai_bulk_op_error_mode_t mode,
                                sai_status_t *statuses);

#endif /* sai/backend.h */
