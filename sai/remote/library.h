/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_LIBRARY_H
#define ORCHD_SAI_REMOTE_LIBRARY_H

/* The interface of a host to a libsai: its backend, the functions that backends
 * do not have, and its extensions beyond SAI. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/remote/wire.h"

/* The extensions of a library, for example those of softasic. */
struct host_extras {
    char name[64]; /* Clients compare it: name and version. */
    const void *context;

    /* Returns whether extension function 'number' changes state. */
    bool (*writes)(const void *context, uint32_t number);

    /* Returns whether a tester may execute it although it does. */
    bool (*is_of_testers)(const void *context, uint32_t number);

    /* Executes extension function 'number' with the arguments in 'in' and
     * writes the answer.  Returns false if the arguments are malformed. */
    bool (*call)(const void *context, uint32_t number, struct wire_in *in,
                 struct wire_out *out);
};

/* X(member): functions of the library that backends do not have; each may be
 * NULL. */
#define HOST_FUNCTIONS(X)                                                      \
    X(sai_object_type_query)                                                   \
    X(sai_switch_id_query)                                                     \
    X(sai_get_maximum_attribute_count)                                         \
    X(sai_get_object_count)                                                    \
    X(sai_get_object_key)                                                      \
    X(sai_object_type_get_availability)                                        \
    X(sai_query_attribute_capability)                                          \
    X(sai_query_attribute_enum_values_capability)                              \
    X(sai_query_stats_capability)                                              \
    X(sai_query_object_stage)                                                  \
    X(sai_dbg_generate_dump)                                                   \
    X(sai_log_set)

struct host_objects;

/* All borrowed. */
struct host_library {
    struct sai_backend *backend;
    uint64_t release; /* SAI_API_VERSION. */
#define X(member) __typeof__(&member) member;
    HOST_FUNCTIONS(X)
#undef X
    sai_clear_port_all_stats_fn clear_port;
    sai_remove_all_neighbor_entries_fn remove_neighbors;
    sai_flush_fdb_entries_fn flush_fdb;
    const struct host_extras *extras; /* NULL: none. */
    struct host_objects *objects;     /* What clients created; NULL: not
                                       * recorded. */
};

#endif /* sai/remote/library.h */
