/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_QOS_MAPS_H
#define ORCHD_SOFTASIC_PROGRAM_QOS_MAPS_H

/* QoS maps: converts SAI's lists of pairs to the tables by which the twin
 * classifies.
 *
 * All types of maps are accepted and checked against the limits of the chip.
 * The data of a map's object is a 'struct classify_map', or a 'struct
 * classify_remark' if the map rewrites; the rules of ports and of the switch
 * point to it.  The twin does not implement maps of forwarding classes.
 * classify.h defines keys that the list leaves out. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* Checks the entries in the MAP_TO_VALUE_LIST of 'map'.
 * SAI_STATUS_INVALID_ATTR_VALUE_0 if a key or a value is beyond the chip. */
sai_status_t qos_maps_check(const struct asic *asic,
                            const struct objects_item *map);

/* Fills the table of 'map' from the object; cannot fail. */
void qos_maps_program(struct objects_item *map);

/* Frees the table of 'map', to which nothing points. */
void qos_maps_free(struct objects_item *map);

/* Returns whether attribute 'id' of 'item' (a port or the switch) concerns
 * classification by the twin. */
bool qos_maps_concerns(const struct objects_item *item, sai_attr_id_t id);

/* Checks whether the map to which attribute 'id' of 'item' refers has the right
 * type, for all attributes that refer to maps.  SAI_STATUS_INVALID_ATTR_VALUE_0
 * if not. */
sai_status_t qos_maps_check_reference(const struct asic *asic,
                                      const struct objects_item *item,
                                      sai_attr_id_t id);

/* Programs the rules of the twin from 'item' (a port or the switch).  The
 * caller must then wake the port: another queue may be paused now. */
void qos_maps_program_rules(struct asic *asic, const struct objects_item *item);

#endif /* vendors/softasic/program/qos_maps.h */
