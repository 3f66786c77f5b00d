/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_ASIC_H
#define ORCHD_SOFTASIC_SAI_ASIC_H

/* One software switch as SAI sees it: verbs on objects of any type.
 *
 * Every change takes the same steps: it is checked by the metadata and the
 * references (vendors/objects/objects.h), stored, programmed into the twin
 * (program.h), and reverted if the twin refuses it.  So a failed call changes
 * neither what can be read nor how the switch works.
 *
 * Statuses are SAI's, with the indices of attributes.  '*err' explains a
 * refusal of the twin, which SAI's codes cannot; its 'reason' is empty if
 * SAI's code says everything. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Creates a switch with the chip 'chip' from the attributes of a create_switch
 * call, with the initial ports of the chip, and stores it in '*asic'.
 * 'listener' (borrowed; NULL: none) has the wires of the ports
 * (vendors/softasic/front_panel.h).  End with asic_destroy().  On
 * success the switch owns 'chip'. */
sai_status_t asic_create(struct chip *chip, uint32_t n,
                         const sai_attribute_t *attributes,
                         const struct softasic_listener *listener,
                         struct asic **asic, struct err *err);

/* Returns a switch without objects whose twin is 'sim', which it owns, as it
 * owns 'chip': a first step of the functions that create a switch. */
struct asic *asic_create_empty(struct chip *chip, struct sim *sim);

/* Frees 'asic' with its chip.  Accepts NULL. */
void asic_destroy(struct asic *asic);

/* The verbs, except for those that create and remove a switch. */
sai_status_t asic_add(struct asic *asic, sai_object_type_t type, uint32_t n,
                      const sai_attribute_t *attributes, sai_object_id_t *oid,
                      struct err *err);
sai_status_t asic_remove(struct asic *asic, sai_object_type_t type,
                         sai_object_id_t oid, struct err *err);
sai_status_t asic_set(struct asic *asic, sai_object_type_t type,
                      sai_object_id_t oid, const sai_attribute_t *attribute,
                      struct err *err);
sai_status_t asic_get(struct asic *asic, sai_object_type_t type,
                      sai_object_id_t oid, uint32_t n,
                      sai_attribute_t *attributes);

/* The verbs for an entry of 'type', which is named by its key: a route, a
 * neighbor (vendors/softasic/program/routes.h), or an address of the forwarding
 * database (vendors/softasic/program/fdb_entries.h).  'key' points to the
 * structure of that type.  The names continue asic_add() and so on. */
sai_status_t asic_add_entry(struct asic *asic, sai_object_type_t type,
                            const void *key, uint32_t n,
                            const sai_attribute_t *attributes, struct err *err);
sai_status_t asic_remove_entry(struct asic *asic, sai_object_type_t type,
                               const void *key);
sai_status_t asic_set_entry(struct asic *asic, sai_object_type_t type,
                            const void *key, const sai_attribute_t *attribute,
                            struct err *err);
sai_status_t asic_get_entry(struct asic *asic, sai_object_type_t type,
                            const void *key, uint32_t n,
                            sai_attribute_t *attributes);

/* Set one attribute of 'item', which may be an entry; read some. */
sai_status_t asic_change(struct asic *asic, struct objects_item *item,
                         const sai_attribute_t *attribute, struct err *err);
sai_status_t asic_read(struct asic *asic, const struct objects_item *item,
                       uint32_t n, sai_attribute_t *attributes);

/* See counters_read(). */
sai_status_t asic_stats(struct asic *asic, sai_object_type_t type,
                        sai_object_id_t oid, uint32_t n,
                        const sai_stat_id_t *ids, sai_stats_mode_t mode,
                        uint64_t *values);

/* Returns how many objects or entries of 'type' there are.  Stores their keys
 * in 'keys', of which there are '*n', and their number in '*n';
 * SAI_STATUS_BUFFER_OVERFLOW, and only stores the number, if there is not
 * enough room. */
uint32_t asic_count(const struct asic *asic, sai_object_type_t type);
sai_status_t asic_list(const struct asic *asic, sai_object_type_t type,
                       uint32_t *n, sai_object_key_t *keys);

/* Returns how many more objects of 'type' can be created, UINT64_MAX if only
 * the memory of the machine limits them. */
uint64_t asic_availability(const struct asic *asic, sai_object_type_t type);

#endif /* vendors/softasic/sai/asic.h */
