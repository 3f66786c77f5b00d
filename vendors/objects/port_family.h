/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OBJECTS_PORT_FAMILY_H
#define ORCHD_OBJECTS_PORT_FAMILY_H

/* Ports and their children.
 *
 * A port is created with its queues, priority groups and perhaps scheduler
 * groups, which are its children in the sense of objects.h.  Clients find them
 * in lists of the port, and the ports in a list of the switch.
 *
 * The queues of a port have consecutive numbers, unicast queues first; the
 * INDEX of the first multicast queue follows that of the last unicast queue.
 *
 * Bridging: the VLAN member, then the bridge port must be removed before the
 * port.
 *
 * Scheduling: with scheduler groups the tree of a port has a root (group 0, at
 * level 0, below the port) and below it one leaf per queue (group 1 + INDEX, at
 * level 1), which is the parent of that queue only.  Without, the parent of a
 * queue is its port. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "vendors/objects/objects.h"

/* The numbers of children of a port. */
struct port_family_size {
    uint32_t n_unicast_queues;
    uint32_t n_multicast_queues;
    uint32_t n_pgs;
    const uint8_t *queue_types; /* sai_queue_type_t by index; NULL: unicast,
                                 * then multicast, or of type ALL if there
                                 * are no multicast queues. */
    bool has_groups; /* Of schedulers: a root, and a leaf per queue. */

    /* If not null, every port has a bridge port from the start and is an
     * untagged member of this VLAN. */
    sai_object_id_t vlan;
};

/* Levels of the tree of scheduler groups. */
enum { PORT_FAMILY_LEVELS = 2 };

/* Adds the children to 'port', which has none.  'size' must live as long; it
 * has at most 254 of each. */
void port_family_add(struct objects_item *port,
                     const struct port_family_size *size);

/* Returns the parent of 'node' (a queue or a scheduler group) in the scheduler
 * tree. */
sai_object_id_t port_family_parent_node(const struct objects_item *node);

/* Returns how many queues and groups are children of 'parent' (a group) in the
 * scheduler tree, and stores the first 'capacity' in 'oids' (NULL with 0). */
uint32_t port_family_child_nodes(const struct objects *objects,
                                 const struct objects_item *parent,
                                 uint32_t capacity, sai_object_id_t *oids);

/* Computes (see objects_compute_fn), for a port: QOS_NUMBER_OF_QUEUES,
 * QOS_QUEUE_LIST, NUMBER_OF_INGRESS_PRIORITY_GROUPS,
 * INGRESS_PRIORITY_GROUP_LIST, QOS_NUMBER_OF_SCHEDULER_GROUPS and
 * QOS_SCHEDULER_GROUP_LIST (those that clients created come last); TYPE, unless
 * it is stored.  For a scheduler group: CHILD_COUNT and CHILD_LIST.  For the
 * switch: NUMBER_OF_ACTIVE_PORTS (PORT_NUMBER) and PORT_LIST, without ports
 * whose stored TYPE is another than LOGICAL; NUMBER_OF_QUEUES,
 * NUMBER_OF_UNICAST_QUEUES and NUMBER_OF_MULTICAST_QUEUES of a port from
 * 'size'. */
sai_status_t port_family_compute(const struct objects *objects,
                                 const struct port_family_size *size,
                                 const struct objects_item *item,
                                 sai_attribute_t *attribute);

/* Computes MEMBER_LIST of a VLAN and PORT_LIST of the bridge. */
sai_status_t port_family_compute_bridging(const struct objects *objects,
                                          const struct objects_item *item,
                                          sai_attribute_t *attribute);

/* Returns whether port_family_compute() computes attribute 'id' of 'type'. */
bool port_family_computes(sai_object_type_t type, sai_attr_id_t id);

#endif /* vendors/objects/port_family.h */
