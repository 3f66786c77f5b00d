/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_BACKEND_H
#define ORCHD_SAI_CORE_BACKEND_H

/* The interface to one switch: a few operations on objects of any type.
 *
 * Motivation: SAI spreads its functions over some fifty tables, one per API.
 * The reconciler, the recorder, the fault injector and the host protocol treat
 * all object types alike.  They use this interface; backends can also wrap each
 * other.  sai/loader/loader.h makes a backend from a libsai; tests make one
 * from a store in memory.
 *
 * Objects with an id have operations for one object and bulk operations for
 * several.  Entries (FDB entries, routes, neighbors), which have a key instead
 * of an id, have only the bulk operations, which also work for one entry.  So
 * only the bulk operations take keys that may be either.
 *
 * Operations return SAI statuses, because per-attribute codes carry an index;
 * see sai/core/status.h for their translation. */

#include <stdint.h>

#include <sai.h>

#include "sai/core/op.h"

struct sai_backend;

/* One operation on several objects of one type.  The caller owns the arrays.
 * Each has 'n' elements, except that 'attributes' has the sum of 'counts'. */
struct backend_many {
    enum op op; /* One of the OP_..._MANY. */
    sai_object_type_t type;
    sai_bulk_op_error_mode_t mode;
    uint32_t n;

    /* The ids or entries.  OP_CREATE_MANY stores the id of each object that it
     * creates. */
    sai_object_key_t *keys;

    /* The number of attributes of each object, and the attributes of all
     * objects in that order.  Without 'counts' each object has one to set or
     * none to remove. */
    const uint32_t *counts;
    sai_attribute_t *attributes; /* Written by OP_GET_MANY only. */

    sai_status_t *statuses; /* The result for each object; always stored. */
};

/* The same counters of several objects of one type.  The caller owns the
 * arrays. */
struct backend_stats {
    sai_object_type_t type;
    sai_stats_mode_t mode; /* SAI_STATS_MODE_READ or ..._READ_AND_CLEAR. */
    uint32_t n;            /* Objects. */
    const sai_object_key_t *keys;
    uint32_t n_ids; /* Counters of each. */
    const sai_stat_id_t *ids;

    /* Counter k of object i is at i * 'n_ids' + k; valid if statuses[i] is
     * success. */
    uint64_t *values;
    sai_status_t *statuses;
};

struct sai_backend_ops {
    /* Creates an object of 'type' with 'n' attributes and stores its id in
     * '*oid'.  Borrows 'attributes' and all that they point to for the call.
     * The backend supplies the switch id.  '*oid' is unchanged on failure. */
    sai_status_t (*create)(struct sai_backend *backend, sai_object_type_t type,
                           uint32_t n, const sai_attribute_t *attributes,
                           sai_object_id_t *oid);

    /* Removes object 'oid', which is of 'type'. */
    sai_status_t (*remove)(struct sai_backend *backend, sai_object_type_t type,
                           sai_object_id_t oid);

    /* Sets one attribute of one object. */
    sai_status_t (*set)(struct sai_backend *backend, sai_object_type_t type,
                        sai_object_id_t oid, const sai_attribute_t *attribute);

    /* Reads 'n' attributes of one object.  The caller passes the ids and the
     * capacities of lists; with SAI_STATUS_BUFFER_OVERFLOW the counts are the
     * needed capacities. */
    sai_status_t (*get)(struct sai_backend *backend, sai_object_type_t type,
                        sai_object_id_t oid, uint32_t n,
                        sai_attribute_t *attributes);

    /* Reads 'n' counters of one object into 'values'; 'mode' is
     * SAI_STATS_MODE_READ or SAI_STATS_MODE_READ_AND_CLEAR. */
    sai_status_t (*get_stats)(struct sai_backend *backend,
                              sai_object_type_t type, sai_object_id_t oid,
                              uint32_t n, const sai_stat_id_t *ids,
                              sai_stats_mode_t mode, uint64_t *values);

    /* Performs one operation on several objects.  Returns SAI_STATUS_SUCCESS if
     * all succeeded, else SAI_STATUS_FAILURE.  With
     * SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, objects after the first failure are
     * unchanged and have SAI_STATUS_NOT_EXECUTED.
     *
     * May be NULL: call backend_do_many() instead. */
    sai_status_t (*many)(struct sai_backend *backend,
                         const struct backend_many *call);

    /* Reads the same counters of several objects.  Returns
     * SAI_STATUS_SUCCESS if all could be read, else SAI_STATUS_FAILURE.
     *
     * May be NULL: call backend_get_stats_many() instead. */
    sai_status_t (*get_stats_many)(struct sai_backend *backend,
                                   const struct backend_stats *call);
};

/* A backend embeds this as its first member. */
struct sai_backend {
    const struct sai_backend_ops *ops;
    sai_object_id_t switch_id; /* SAI_NULL_OBJECT_ID before the switch is
                                * created. */
};

/* Performs a bulk operation by the backend's 'many' if it has one, else by
 * backend_do_singly(). */
sai_status_t backend_do_many(struct sai_backend *backend,
                             const struct backend_many *call);

/* Performs a bulk operation by one call per object, for backends without
 * 'many'. Entries get SAI_STATUS_NOT_IMPLEMENTED. */
sai_status_t backend_do_singly(struct sai_backend *backend,
                               const struct backend_many *call);

/* Performs a bulk operation by 'one', which gets each object in a call of its
 * own and returns its status, for backends that treat each object separately.
 */
typedef sai_status_t backend_one_fn(struct sai_backend *backend,
                                    const struct backend_many *call);
sai_status_t backend_do_apart(struct sai_backend *backend,
                              const struct backend_many *call,
                              backend_one_fn *one);

/* Performs 'call', which has one object, by the operation for one object. */
sai_status_t backend_do_one(struct sai_backend *backend,
                            const struct backend_many *call);

/* Returns how many attributes 'call' has for object 'i'. */
uint32_t backend_count(const struct backend_many *call, uint32_t i);

/* Returns how many attributes 'call' has for all objects. */
uint32_t backend_total(const struct backend_many *call);

/* Returns the overall result of 'call': SAI_STATUS_SUCCESS if all its statuses
 * are, else SAI_STATUS_FAILURE. */
sai_status_t backend_sum(const struct backend_many *call);

/* Reads counters by the backend's 'get_stats_many' if it has one, else by
 * backend_get_stats_singly(). */
sai_status_t backend_get_stats_many(struct sai_backend *backend,
                                    const struct backend_stats *call);

/* Reads counters by one 'get_stats' per object. */
sai_status_t backend_get_stats_singly(struct sai_backend *backend,
                                      const struct backend_stats *call);

/* Sets 'attributes[i]' of object 'oids[i]', for each of 'n' of them, by
 * backend_do_many(). */
sai_status_t backend_set_many(struct sai_backend *backend,
                              sai_object_type_t type, uint32_t n,
                              const sai_object_id_t *oids,
                              const sai_attribute_t *attributes,
                              sai_bulk_op_error_mode_t mode,
                              sai_status_t *statuses);

#endif /* sai/core/backend.h */
