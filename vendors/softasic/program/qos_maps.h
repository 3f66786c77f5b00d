/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_QOS_MAPS_H
#define ORCHD_SOFTASIC_PROGRAM_QOS_MAPS_H

/* QoS maps: from SAI's lists of pairs to the tables by which the twin
 * classifies.
 *
 * All types of maps are accepted and judged by the limits of the chip.  Those
 * that the twin knows, which are all but the ones about forwarding classes,
 * have a 'struct classify_map', or if they rewrite a 'struct classify_remark',
 * as the data of their object, to which the rules of ports and of the switch
 * point. What the list leaves out is as classify.h says. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* Judges the entries in the MAP_TO_VALUE_LIST of 'map'.
 * SAI_STATUS_INVALID_ATTR_VALUE_0 if a key or a value is beyond the chip. */
sai_status_t qos_maps_check(const struct daemon_switch *asic,
                            const struct objects_item *map);

/* Brings the table of 'map' to what the object says; cannot fail. */
void qos_maps_program(struct objects_item *map);

/* Frees the table of 'map', to which nothing points. */
void qos_maps_forget(struct objects_item *map);

/* Returns whether attribute 'id' of 'item' (a port or the switch) concerns
 * classification by the twin. */
bool qos_maps_concerns(const struct objects_item *item, sai_attr_id_t id);

/* Judges whether the map to which attribute 'id' of 'item' refers has the
 * right type, for all attributes that refer to maps.
 * SAI_STATUS_INVALID_ATTR_VALUE_0 if not. */
sai_status_t qos_maps_check_reference(const struct daemon_switch *asic,
                                      const struct objects_item *item,
                                      sai_attr_id_t id);

/* Brings the rules of the twin to what 'item' (a port or the switch) says.  A
 * port must then be woken: what is paused may be another queue. */
void qos_maps_program_rules(struct daemon_switch *asic,
                            const struct objects_item *item);

#endif /* vendors/softasic/program/qos_maps.h */
