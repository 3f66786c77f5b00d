/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_LIBRARY_H
#define ORCHD_SAI_REMOTE_LIBRARY_H

/* A libsai as a host takes it: its verbs as a backend, the functions that no
 * backend has, and what it has beside SAI. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/remote/wire.h"

/* What a library has beside SAI, for example the table of softasic. */
struct host_extras {
    char name[64]; /* Clients compare it: name and version. */
    const void *context;

    /* Returns whether extra 'number' changes anything. */
    bool (*writes)(const void *context, uint32_t number);

    /* Does extra 'number' with what is in 'in' and writes the answer.  False:
     * that was not its form. */
    bool (*call)(const void *context, uint32_t number, struct wire_in *in,
                 struct wire_out *out);
};

/* X(member): functions of the library that no backend has; NULL: it lacks
 * it. */
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
};

#endif /* sai/remote/library.h */
