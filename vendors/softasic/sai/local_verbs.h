/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_LOCAL_VERBS_H
#define ORCHD_SOFTASIC_SAI_LOCAL_VERBS_H

/* The verbs of SAI on the switch of this process, for any object type: what
 * the functions in SAI's tables have in common.
 *
 * They answer SAI_STATUS_UNINITIALIZED without a switch, and
 * SAI_STATUS_INVALID_PARAMETER for missing memory.  Refusals that have an
 * explanation are logged at level INFO. */

#include <sai.h>

sai_status_t local_verbs_create_switch(sai_object_id_t *oid, uint32_t n,
                                       const sai_attribute_t *attributes);
sai_status_t local_verbs_remove_switch(sai_object_id_t oid);

sai_status_t local_verbs_create(sai_object_type_t type, sai_object_id_t *oid,
                                sai_object_id_t switch_id, uint32_t n,
                                const sai_attribute_t *attributes);
sai_status_t local_verbs_remove(sai_object_type_t type, sai_object_id_t oid);
sai_status_t local_verbs_set(sai_object_type_t type, sai_object_id_t oid,
                             const sai_attribute_t *attribute);
sai_status_t local_verbs_get(sai_object_type_t type, sai_object_id_t oid,
                             uint32_t n, sai_attribute_t *attributes);

/* 'values' may be NULL only with READ_AND_CLEAR. */
sai_status_t local_verbs_stats(sai_object_type_t type, sai_object_id_t oid,
                               uint32_t n, const sai_stat_id_t *ids,
                               sai_stats_mode_t mode, uint64_t *values);
sai_status_t local_verbs_clear_port(sai_object_id_t oid);

/* The same on several objects of one type, by the rules for bulk calls. */
sai_status_t local_verbs_bulk_create(sai_object_type_t type,
                                     sai_object_id_t switch_id,
                                     uint32_t n_objects, const uint32_t *n,
                                     const sai_attribute_t **attributes,
                                     sai_bulk_op_error_mode_t mode,
                                     sai_object_id_t *oids,
                                     sai_status_t *statuses);
sai_status_t local_verbs_bulk_remove(sai_object_type_t type, uint32_t n_objects,
                                     const sai_object_id_t *oids,
                                     sai_bulk_op_error_mode_t mode,
                                     sai_status_t *statuses);
sai_status_t local_verbs_bulk_set(sai_object_type_t type, uint32_t n_objects,
                                  const sai_object_id_t *oids,
                                  const sai_attribute_t *attributes,
                                  sai_bulk_op_error_mode_t mode,
                                  sai_status_t *statuses);
sai_status_t local_verbs_bulk_get(sai_object_type_t type, uint32_t n_objects,
                                  const sai_object_id_t *oids,
                                  const uint32_t *n,
                                  sai_attribute_t **attributes,
                                  sai_bulk_op_error_mode_t mode,
                                  sai_status_t *statuses);

#endif /* vendors/softasic/sai/local_verbs.h */
