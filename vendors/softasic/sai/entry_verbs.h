/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_ENTRY_VERBS_H
#define ORCHD_SOFTASIC_SAI_ENTRY_VERBS_H

/* The verbs of SAI on what has a key rather than an object id: routes and
 * neighbors (vendors/softasic/program/routes.h) and addresses of the forwarding
 * database (vendors/softasic/program/fdb_entries.h) of the switch of this
 * process; what the functions in SAI's tables have in common (see
 * local_verbs.h).
 *
 * 'entry' points to a key of the type, 'entries' to an array of keys. */

#include <sai.h>

sai_status_t entry_verbs_create(sai_object_type_t type, const void *entry,
                                uint32_t n, const sai_attribute_t *attributes);
sai_status_t entry_verbs_remove(sai_object_type_t type, const void *entry);
sai_status_t entry_verbs_set(sai_object_type_t type, const void *entry,
                             const sai_attribute_t *attribute);
sai_status_t entry_verbs_get(sai_object_type_t type, const void *entry,
                             uint32_t n, sai_attribute_t *attributes);

sai_status_t face_remove_all_neighbors(sai_object_id_t switch_id);

/* See entries_flush(). */
sai_status_t face_flush_fdb_entries(sai_object_id_t switch_id, uint32_t n,
                                    const sai_attribute_t *attributes);

/* The same on several entries of one type, by the rules for bulk calls. */

sai_status_t face_entries_create(sai_object_type_t type, uint32_t n_entries,
                                 const void *entries, const uint32_t *n,
                                 const sai_attribute_t **attributes,
                                 sai_bulk_op_error_mode_t mode,
                                 sai_status_t *statuses);
sai_status_t face_entries_remove(sai_object_type_t type, uint32_t n_entries,
                                 const void *entries,
                                 sai_bulk_op_error_mode_t mode,
                                 sai_status_t *statuses);
sai_status_t face_entries_set(sai_object_type_t type, uint32_t n_entries,
                              const void *entries,
                              const sai_attribute_t *attributes,
                              sai_bulk_op_error_mode_t mode,
                              sai_status_t *statuses);
sai_status_t face_entries_get(sai_object_type_t type, uint32_t n_entries,
                              const void *entries, const uint32_t *n,
                              sai_attribute_t **attributes,
                              sai_bulk_op_error_mode_t mode,
                              sai_status_t *statuses);

#endif /* vendors/softasic/sai/entry_verbs.h */
