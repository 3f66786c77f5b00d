/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LIBSAI_LIBSAI_H
#define ORCHD_LIBSAI_LIBSAI_H

/* What every SAI library of this project exports.
 *
 * Motivation: SAI wants 22 exported functions, and a function of its own for
 * each verb on each object type, some 200 of them.  They differ only in the
 * type.  This folder has them once (exports.c, function_tables.c); each calls a
 * member of the structure below, the provider.  A library fills in that
 * structure.  It may have several providers and choose one when it is
 * initialised: softasic is in the process, or in another one.
 *
 * Each member returns what the function of SAI with the same name returns, and
 * checks all arguments itself, as they come from a client. */

#include <sai.h>

struct libsai {
    /* The exported functions of SAI. */
    __typeof__(&sai_api_initialize) initialize;
    __typeof__(&sai_api_uninitialize) uninitialize;
    __typeof__(&sai_log_set) log_set;
    __typeof__(&sai_dbg_generate_dump) dump;
    __typeof__(&sai_object_type_query) object_type;
    __typeof__(&sai_switch_id_query) switch_id;
    __typeof__(&sai_get_maximum_attribute_count) max_attributes;
    __typeof__(&sai_get_object_count) object_count;
    __typeof__(&sai_get_object_key) object_keys;
    __typeof__(&sai_bulk_get_attribute) bulk_get_attribute;
    __typeof__(&sai_object_type_get_availability) availability;
    __typeof__(&sai_query_attribute_capability) attribute_capability;
    __typeof__(&sai_query_attribute_enum_values_capability) enum_values;
    __typeof__(&sai_query_stats_capability) stats_capability;
    __typeof__(&sai_query_stats_st_capability) stats_st_capability;
    __typeof__(&sai_bulk_object_get_stats) bulk_get_stats;
    __typeof__(&sai_bulk_object_clear_stats) bulk_clear_stats;
    __typeof__(&sai_query_object_stage) object_stage;

    /* Returns whether sai_api_query() may return tables. */
    bool (*is_initialized)(void);

    /* The verbs, for any object type. */
    sai_create_switch_fn create_switch;
    sai_remove_switch_fn remove_switch;
    sai_status_t (*create)(sai_object_type_t type, sai_object_id_t *oid,
                           sai_object_id_t switch_id, uint32_t n,
                           const sai_attribute_t *attributes);
    sai_status_t (*remove)(sai_object_type_t type, sai_object_id_t oid);
    sai_status_t (*set)(sai_object_type_t type, sai_object_id_t oid,
                        const sai_attribute_t *attribute);
    sai_status_t (*get)(sai_object_type_t type, sai_object_id_t oid, uint32_t n,
                        sai_attribute_t *attributes);

    /* 'values' may be NULL only with READ_AND_CLEAR. */
    sai_status_t (*stats)(sai_object_type_t type, sai_object_id_t oid,
                          uint32_t n, const sai_stat_id_t *ids,
                          sai_stats_mode_t mode, uint64_t *values);
    sai_status_t (*clear_port)(sai_object_id_t oid);

    /* The same on several objects of one type, by the rules for bulk calls. */
    sai_status_t (*bulk_create)(sai_object_type_t type,
                                sai_object_id_t switch_id, uint32_t n_objects,
                                const uint32_t *n,
                                const sai_attribute_t **attributes,
                                sai_bulk_op_error_mode_t mode,
                                sai_object_id_t *oids, sai_status_t *statuses);
    sai_status_t (*bulk_remove)(sai_object_type_t type, uint32_t n_objects,
                                const sai_object_id_t *oids,
                                sai_bulk_op_error_mode_t mode,
                                sai_status_t *statuses);
    sai_status_t (*bulk_set)(sai_object_type_t type, uint32_t n_objects,
                             const sai_object_id_t *oids,
                             const sai_attribute_t *attributes,
                             sai_bulk_op_error_mode_t mode,
                             sai_status_t *statuses);
    sai_status_t (*bulk_get)(sai_object_type_t type, uint32_t n_objects,
                             const sai_object_id_t *oids, const uint32_t *n,
                             sai_attribute_t **attributes,
                             sai_bulk_op_error_mode_t mode,
                             sai_status_t *statuses);

    /* The same on entries: 'entry' is a key of the type, 'entries' an array of
     * keys. */
    sai_status_t (*entry_create)(sai_object_type_t type, const void *entry,
                                 uint32_t n, const sai_attribute_t *attributes);
    sai_status_t (*entry_remove)(sai_object_type_t type, const void *entry);
    sai_status_t (*entry_set)(sai_object_type_t type, const void *entry,
                              const sai_attribute_t *attribute);
    sai_status_t (*entry_get)(sai_object_type_t type, const void *entry,
                              uint32_t n, sai_attribute_t *attributes);
    sai_status_t (*entries_create)(sai_object_type_t type, uint32_t n_entries,
                                   const void *entries, const uint32_t *n,
                                   const sai_attribute_t **attributes,
                                   sai_bulk_op_error_mode_t mode,
                                   sai_status_t *statuses);
    sai_status_t (*entries_remove)(sai_object_type_t type, uint32_t n_entries,
                                   const void *entries,
                                   sai_bulk_op_error_mode_t mode,
                                   sai_status_t *statuses);
    sai_status_t (*entries_set)(sai_object_type_t type, uint32_t n_entries,
                                const void *entries,
                                const sai_attribute_t *attributes,
                                sai_bulk_op_error_mode_t mode,
                                sai_status_t *statuses);
    sai_status_t (*entries_get)(sai_object_type_t type, uint32_t n_entries,
                                const void *entries, const uint32_t *n,
                                sai_attribute_t **attributes,
                                sai_bulk_op_error_mode_t mode,
                                sai_status_t *statuses);
    sai_status_t (*remove_all_neighbors)(sai_object_id_t switch_id);
    sai_status_t (*flush_fdb_entries)(sai_object_id_t switch_id, uint32_t n,
                                      const sai_attribute_t *attributes);
};

/* X(member): the verbs on objects of any type, which every provider has. */
#define LIBSAI_VERBS(X)                                                        \
    X(create_switch)                                                           \
    X(remove_switch)                                                           \
    X(create)                                                                  \
    X(remove)                                                                  \
    X(set)                                                                     \
    X(get)                                                                     \
    X(stats)                                                                   \
    X(bulk_create)                                                             \
    X(bulk_remove)                                                             \
    X(bulk_set)                                                                \
    X(bulk_get)                                                                \
    X(entry_create)                                                            \
    X(entry_remove)                                                            \
    X(entry_set)                                                               \
    X(entry_get)                                                               \
    X(entries_create)                                                          \
    X(entries_remove)                                                          \
    X(entries_set)                                                             \
    X(entries_get)

/* Returns the current provider; static.  Each library defines this function. */
const struct libsai *libsai_provider(void);

#endif /* vendors/libsai/libsai.h */
