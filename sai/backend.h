/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_BACKEND_H
#define ORCHD_SAI_BACKEND_H

/* One switch behind SAI, seen as five verbs on any object type.
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
};

/* A backend embeds this as its first member. */
struct sai_backend {
    const struct sai_backend_ops *ops;
    sai_object_id_t switch_id; /* SAI_NULL_OBJECT_ID before the switch is
                                * created. */
};

#endif /* sai/backend.h */
