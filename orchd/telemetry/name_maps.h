/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_NAME_MAPS_H
#define ORCHD_TELEMETRY_NAME_MAPS_H

/* COUNTERS_DB: which name belongs to which object; and STATE_DB: what the chip
 * has.
 *
 * Internal to publish/.  The SONiC tools find counters by these hashes:
 *
 *   COUNTERS_PORT_NAME_MAP         port name -> port id
 *   COUNTERS_BUFFER_POOL_NAME_MAP  pool name -> pool id
 *   COUNTERS_QUEUE_NAME_MAP        "port:position" -> queue id, and by queue id
 *                                  ..._PORT_MAP, ..._INDEX_MAP, ..._TYPE_MAP
 *   COUNTERS_PG_NAME_MAP           the same for priority groups, without type
 *   COUNTERS_VOQ_NAME_MAP          "port:number" -> virtual output queue; that
 *                                  is in the other maps of queues too, and its
 *                                  port in COUNTERS_SYSTEM_PORT_NAME_MAP
 *
 * Each object that is in a map is handed to the counters, after it came there,
 * and taken from them before it goes.
 *
 * All queues and priority groups of a port are there, whether a row names them
 * or not, but for queues of types that the tools do not know (port_children.h),
 * because the tools index one map with what they find in another; only
 * with create_only_config_db_buffers of DEVICE_METADATA are they those that
 * have a profile (polled_scope.h).  All entries of one port come and go in one
 * atomic step.
 *
 *   BUFFER_MAX_PARAM_TABLE|global  mmu_size in bytes
 *   BUFFER_MAX_PARAM_TABLE|port    max_priority_groups, max_queues */

#include <stdint.h>

#include <sai.h>

#include "orchd/reconcile/listener.h"

struct counters;
struct name_maps;
struct redis;
struct sai_backend;

/* Creates maps that are written through 'redis' and feed 'counters'; both are
 * borrowed. */
struct name_maps *name_maps_create(struct redis *redis,
                                   struct counters *counters);

/* Frees 'maps'; the databases stay as they are.  Accepts NULL. */
void name_maps_destroy(struct name_maps *maps);

/* Gives the maps the ASIC to ask, borrowed; publishes its size. */
void name_maps_attach(struct name_maps *maps, struct sai_backend *backend);

/* Returns the size of the packet buffer in bytes, 0 if it is not known. */
uint64_t name_maps_mmu_size(const struct name_maps *maps);

/* Forgets all objects and empties the maps. */
void name_maps_restart(struct name_maps *maps);

/* An object appeared, or is gone; those of other types are ignored. */
void name_maps_appeared(struct name_maps *maps,
                        const struct object_view *object);
void name_maps_gone(struct name_maps *maps, const struct object_view *object);

/* An object has another value of an attribute; the answer to a row, of whatever
 * table, is now 'status', or, without fields, it is gone.  What follows of
 * these for queues and priority groups is published by name_maps_turn(), which
 * costs nothing if nothing does. */
void name_maps_attribute(struct name_maps *maps,
                         const struct object_view *object,
                         const struct metadata_attribute *attribute,
                         const sai_attribute_value_t *value);
void name_maps_row(struct name_maps *maps, const struct row_status *status);
void name_maps_turn(struct name_maps *maps);

#endif /* orchd/telemetry/name_maps.h */
