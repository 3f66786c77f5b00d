/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_PORT_CHILDREN_H
#define ORCHD_TELEMETRY_PORT_CHILDREN_H

/* The queues and priority groups of ports, read from the ASIC.
 *
 * Internal to the publisher.  SONiC's tools know four types of queues and abort
 * when they meet another, so a queue of another type is in no map and is not
 * polled.  Virtual output queues have a name map of their own. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct sai_backend;

enum port_children_family {
    PORT_CHILDREN_QUEUES,
    PORT_CHILDREN_PGS,
    N_PORT_CHILDREN_FAMILIES
};

enum port_children_role {
    PORT_CHILDREN_LISTED,   /* In the name map of its family. */
    PORT_CHILDREN_VOQ,      /* In the map of virtual output queues. */
    PORT_CHILDREN_UNLISTED, /* In no map. */
};

/* A queue or priority group of a port; a port has about 30. */
struct port_child {
    sai_object_id_t oid;
    int32_t kind;    /* sai_queue_type_t of a queue, else 0. */
    uint16_t number; /* The 3 of "Ethernet0:3": the position in the list of the
                      * port, or among its virtual output queues. */
    bool in_maps;    /* For the caller: it is in the maps. */
};

/* The children of one family of a port, in the order of the ASIC. */
struct port_children {
    struct port_child *list; /* Freed with free(). */
    uint32_t n;              /* 0 if the ASIC does not report them. */
};

/* Reads the children of 'n' 'ports' from 'backend'.  If the ASIC cannot report
 * the type of a queue, it is taken for unicast. */
void port_children_read(struct sai_backend *backend, uint32_t n,
                        const sai_object_id_t *ports,
                        enum port_children_family family,
                        struct port_children *children);

/* The same for the virtual output queues of system ports. */
void port_children_read_voqs(struct sai_backend *backend, uint32_t n,
                             const sai_object_id_t *ports,
                             struct port_children *children);

/* Reads the hardware indexes of 'n' children; uses their number if the ASIC
 * cannot report an index. */
void port_children_index(struct sai_backend *backend,
                         enum port_children_family family, uint32_t n,
                         struct port_child *const *children, uint32_t *indexes);

/* Returns which map a child of 'family' and 'kind' belongs to. */
enum port_children_role port_children_role(enum port_children_family family,
                                           int32_t kind);

/* Returns "SAI_QUEUE_TYPE_UNICAST" and the like; NULL for types in no map. */
const char *port_children_type_name(int32_t kind);

#endif /* orchd/telemetry/port_children.h */
