/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LIBSAI_STUBS_H
#define ORCHD_LIBSAI_STUBS_H

/* Functions that return SAI_STATUS_NOT_IMPLEMENTED and touch none of the
 * caller's memory, one for each type that the slots of SAI's tables have; and
 * the tables of the APIs that consist of such functions only.
 *
 * The key of an entry (a route, say) is a pointer to a structure instead of an
 * object id; the functions for entries take any such pointer. */

#include <sai.h>

/* Length of a table whose slots are not known; stubs that follow each table. */
enum { STUBS_N_ANY = 64, STUBS_N_GUARDS = 8 };

/* The type to which all slots are cast. */
typedef void stubs_fn(void);

sai_status_t stubs_any(void);

/* Objects. */
sai_status_t stubs_create(sai_object_id_t *oid, sai_object_id_t switch_id,
                          uint32_t n, const sai_attribute_t *attributes);
sai_status_t stubs_remove(sai_object_id_t oid);
sai_status_t stubs_set(sai_object_id_t oid, const sai_attribute_t *attribute);
sai_status_t stubs_get(sai_object_id_t oid, uint32_t n,
                       sai_attribute_t *attributes);

/* Counters. */
sai_status_t stubs_stats(sai_object_id_t oid, uint32_t n,
                         const sai_stat_id_t *ids, uint64_t *values);
sai_status_t stubs_stats_ext(sai_object_id_t oid, uint32_t n,
                             const sai_stat_id_t *ids, sai_stats_mode_t mode,
                             uint64_t *values);
sai_status_t stubs_clear_stats(sai_object_id_t oid, uint32_t n,
                               const sai_stat_id_t *ids);

/* Bulk calls. */
sai_status_t stubs_bulk_create(sai_object_id_t switch_id, uint32_t n_objects,
                               const uint32_t *n,
                               const sai_attribute_t **attributes,
                               sai_bulk_op_error_mode_t mode,
                               sai_object_id_t *oids, sai_status_t *statuses);
sai_status_t stubs_bulk_remove(uint32_t n_objects, const sai_object_id_t *oids,
                               sai_bulk_op_error_mode_t mode,
                               sai_status_t *statuses);
sai_status_t stubs_bulk_set(uint32_t n_objects, const sai_object_id_t *oids,
                            const sai_attribute_t *attributes,
                            sai_bulk_op_error_mode_t mode,
                            sai_status_t *statuses);
sai_status_t stubs_bulk_get(uint32_t n_objects, const sai_object_id_t *oids,
                            const uint32_t *n, sai_attribute_t **attributes,
                            sai_bulk_op_error_mode_t mode,
                            sai_status_t *statuses);

/* MDIO registers. */
sai_status_t stubs_mdio_read(sai_object_id_t switch_id, uint32_t device,
                             uint32_t start, uint32_t n, uint32_t *values);
sai_status_t stubs_mdio_write(sai_object_id_t switch_id, uint32_t device,
                              uint32_t start, uint32_t n,
                              const uint32_t *values);

/* Packets of a host interface. */
sai_status_t stubs_recv_packet(sai_object_id_t hostif, sai_size_t *size,
                               void *buffer, uint32_t *n,
                               sai_attribute_t *attributes);
sai_status_t stubs_send_packet(sai_object_id_t hostif, sai_size_t size,
                               const void *buffer, uint32_t n,
                               const sai_attribute_t *attributes);
sai_status_t stubs_allocate_packet(sai_object_id_t hostif, sai_size_t size,
                                   void **buffer, uint32_t n,
                                   const sai_attribute_t *attributes);
sai_status_t stubs_free_packet(sai_object_id_t hostif, void *buffer);

/* Returns the table of an API that is not modelled here: as long as in the
 * release, or longer, and followed by more stubs.  NULL if there is no such
 * API.  Stores in '*n' (may be NULL) its length in the release, 0 if that is
 * not known here. */
const void *stubs_table(sai_api_t api, uint32_t *n);

#endif /* vendors/libsai/stubs.h */
