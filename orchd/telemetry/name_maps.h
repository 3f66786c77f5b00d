/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_NAME_MAPS_H
#define ORCHD_TELEMETRY_NAME_MAPS_H

/* COUNTERS_DB: which name belongs to which object; and STATE_DB: limits of the
 * chip.
 *
 * Internal to the publisher.  The SONiC tools find counters by these hashes:
 *
 *   COUNTERS_PORT_NAME_MAP         port name -> port id
 *   COUNTERS_BUFFER_POOL_NAME_MAP  pool name -> pool id
 *   COUNTERS_QUEUE_NAME_MAP        "port:position" -> queue id, and by queue id
 *                                  ..._PORT_MAP, ..._INDEX_MAP, ..._TYPE_MAP
 *   COUNTERS_PG_NAME_MAP           the same for priority groups, without type
 *   COUNTERS_VOQ_NAME_MAP          "port:number" -> virtual output queue, which
 *                                  is in the other maps of queues too, and its
 *                                  port in COUNTERS_SYSTEM_PORT_NAME_MAP: of
 *                                  system ports, and of ports of chips that
 *                                  list such queues with others
 *
 * Each object in a map is polled: it is added to the counters after it has been
 * added to the map, and removed from them before it leaves the map.
 *
 * The maps have all queues and priority groups of a port, whether a row names
 * them or not, because the tools index one map with what they find in another.
 * Exceptions are queues of types that the tools do not know (port_children.h);
 * and create_only_config_db_buffers of DEVICE_METADATA limits the maps to those
 * with a profile (polled_scope.h).  All entries of one port are added and
 * removed in one atomic step.
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

/* Creates maps that write through 'redis' and add objects to 'counters'; both
 * are borrowed. */
struct name_maps *name_maps_create(struct redis *redis,
                                   struct counters *counters);

/* Frees 'maps'; the databases stay as they are.  Accepts NULL. */
void name_maps_destroy(struct name_maps *maps);

/* Sets the ASIC to read from, borrowed, and publishes its buffer size. */
void name_maps_attach(struct name_maps *maps, struct sai_backend *backend);

/* Returns the size of the packet buffer in bytes, 0 if it is unknown. */
uint64_t name_maps_mmu_size(const struct name_maps *maps);

/* Forgets all objects, which then have to appear again before the next turn.
 * Empties the maps if there is no ASIC yet; else removes in a later turn what
 * does not belong in them, so that nobody finds them empty meanwhile. */
void name_maps_restart(struct name_maps *maps);

/* An object has appeared, or is removed; those of other types are ignored. */
void name_maps_appeared(struct name_maps *maps,
                        const struct object_view *object);
void name_maps_gone(struct name_maps *maps, const struct object_view *object);

/* Handle a new value of an attribute, and a new status of a row of any table
 * (without fields: its removal).  name_maps_turn() publishes the resulting
 * changes of queues and priority groups; it returns at once if there are none.
 */
void name_maps_attribute(struct name_maps *maps,
                         const struct object_view *object,
                         const struct metadata_attribute *attribute,
                         const sai_attribute_value_t *value);
void name_maps_row(struct name_maps *maps, const struct row_status *status);
void name_maps_turn(struct name_maps *maps);

#endif /* orchd/telemetry/name_maps.h */
