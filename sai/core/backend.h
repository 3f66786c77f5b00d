/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_BACKEND_H
#define ORCHD_SAI_CORE_BACKEND_H

/* One switch behind SAI, seen as a few verbs on any object type.
 *
 * Motivation: SAI spreads its verbs over some fifty function tables.  The
 * reconciler, the recorder, the fault injector and the host protocol are all
 * indifferent to the object type; they speak this interface, and each of them
 * can wrap another.  sai/loader/loader.h makes one from a libsai; tests make
 * one from a store in memory.
 *
 * Objects with an id are reached one by one, or several in one call.  Entries
 * (of the forwarding database, routes, neighbors), whose key is what they say,
 * are reached by the latter form only, if need be with one of them: so there is
 * one place where a key may be either.
 *
 * Statuses are SAI's own, because per-attribute codes carry an index; see
 * sai/core/status.h for their translation. */

#include <stdint.h>

#include <sai.h>

#include "sai/core/op.h"

struct sai_backend;

/* One operation on several objects of one type.  The arrays are the caller's
 * and have 'n' elements each, 'attributes' as many as 'counts' say in all. */
struct backend_many {
    enum op op; /* One of the OP_..._MANY. */
    sai_object_type_t type;
    sai_bulk_op_error_mode_t mode;
    uint32_t n;

    /* Who: ids, or entries.  The ids of created objects are filled in, for
     * those that succeeded. */
    sai_object_key_t *keys;

    /* The attributes of all objects, one behind the other, and how many each
     * has; NULL: one each to set, none to remove. */
    const uint32_t *counts;
    sai_attribute_t *attributes; /* Written by OP_GET_MANY only. */

    sai_status_t *statuses; /* The outcome for each; all are filled in. */
};

/* The same counters of several objects of one type.  The arrays are the
 * caller's. */
struct backend_stats {
    sai_object_type_t type;
    sai_stats_mode_t mode; /* SAI_STATS_MODE_READ or ..._READ_AND_CLEAR. */
    uint32_t n;            /* Objects. */
    const sai_object_key_t *keys;
    uint32_t n_ids; /* Counters of each. */
    const sai_stat_id_t *ids;

    /* What is read, counter k of object i at i * 'n_ids' + k; means something
     * where the status, of which there are 'n', is success. */
    uint64_t *values;
    sai_status_t *statuses;
};

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

    /* Does the same to several objects.  Returns SAI_STATUS_SUCCESS if all
     * succeeded, else SAI_STATUS_FAILURE.  With
     * SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR those behind the first failure are
     * left alone, with SAI_STATUS_NOT_EXECUTED.
     *
     * May be NULL, so callers use backend_do_many(). */
    sai_status_t (*many)(struct sai_backend *backend,
                         const struct backend_many *call);

    /* Reads the same counters of several objects.  Returns
     * SAI_STATUS_SUCCESS if all could be read, else SAI_STATUS_FAILURE.
     *
     * May be NULL, so callers use backend_get_stats_many(). */
    sai_status_t (*get_stats_many)(struct sai_backend *backend,
                                   const struct backend_stats *call);
};

/* A backend embeds this as its first member. */
struct sai_backend {
    const struct sai_backend_ops *ops;
    sai_object_id_t switch_id; /* SAI_NULL_OBJECT_ID before the switch is
                                * created. */
};

/* Does what 'many' says, by 'many' if the backend has it, else by
 * backend_do_singly(). */
sai_status_t backend_do_many(struct sai_backend *backend,
                             const struct backend_many *call);

/* Does what 'many' says, by one call for each object: for backends that have
 * nothing better.  Entries are then SAI_STATUS_NOT_IMPLEMENTED. */
sai_status_t backend_do_singly(struct sai_backend *backend,
                               const struct backend_many *call);

/* Does what 'many' says by 'one', which gets each object in a call of its own
 * and returns its status: for backends that judge each by itself. */
typedef sai_status_t backend_one_fn(struct sai_backend *backend,
                                    const struct backend_many *call);
sai_status_t backend_do_apart(struct sai_backend *backend,
                              const struct backend_many *call,
                              backend_one_fn *one);

/* Does the only object of 'call' by the verb for a single one. */
sai_status_t backend_do_one(struct sai_backend *backend,
                            const struct backend_many *call);

/* Returns how many attributes 'call' has for object 'i'. */
uint32_t backend_count(const struct backend_many *call, uint32_t i);

/* Returns how many attributes 'call' has for all objects. */
uint32_t backend_total(const struct backend_many *call);

/* Returns what all objects of 'call' together came to, from its statuses. */
sai_status_t backend_sum(const struct backend_many *call);

/* Reads what 'call' says, by 'get_stats_many' if the backend has it, else by
 * backend_get_stats_singly(). */
sai_status_t backend_get_stats_many(struct sai_backend *backend,
                                    const struct backend_stats *call);

/* Reads what 'call' says, by one 'get_stats' for each object. */
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
