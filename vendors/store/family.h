/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_STORE_FAMILY_H
#define ORCHD_STORE_FAMILY_H

/* Ports and what comes with them.
 *
 * A port is born with its priority groups and queues, which are its children
 * in the sense of objects.h.  Clients find them in lists of the port, and the
 * ports in a list of the switch.  The hierarchy is flat: the parent scheduler
 * node of a queue is its port.
 *
 * Queues are numbered through per port, unicast ones first; the INDEX of a
 * multicast queue goes on where unicast ends. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "vendors/store/objects.h"

/* How many children a port has. */
struct family_size {
    uint32_t n_unicast_queues;
    uint32_t n_multicast_queues;
    uint32_t n_pgs;
};

/* Adds the children to 'port', which has none. */
void family_add(struct objects *objects, struct objects_item *port,
                const struct family_size *size);

/* Returns child 'index' of 'type' (queue or priority group) of 'port', or
 * NULL. */
struct objects_item *family_child(const struct objects_item *port,
                                  sai_object_type_t type, uint32_t index);

/* Returns the INDEX of a queue or a priority group. */
uint32_t family_index(const struct objects_item *child);

/* Computes (see objects_compute_fn), for a port: QOS_NUMBER_OF_QUEUES,
 * QOS_QUEUE_LIST, NUMBER_OF_INGRESS_PRIORITY_GROUPS,
 * INGRESS_PRIORITY_GROUP_LIST, and for scheduler groups the number 0 and the
 * empty list; TYPE, unless it is stored.
 * For the switch: NUMBER_OF_ACTIVE_PORTS (PORT_NUMBER) and PORT_LIST, without
 * ports whose stored TYPE is another than LOGICAL; NUMBER_OF_QUEUES,
 * NUMBER_OF_UNICAST_QUEUES and NUMBER_OF_MULTICAST_QUEUES of a port from
 * 'size'. */
sai_status_t family_compute(const struct objects *objects,
                            const struct family_size *size,
                            const struct objects_item *item,
                            sai_attribute_t *attribute);

/* Returns whether family_compute() knows attribute 'id' of 'type'. */
bool family_knows(sai_object_type_t type, sai_attr_id_t id);

#endif /* vendors/store/family.h */
