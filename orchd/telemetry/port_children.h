/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_PORT_CHILDREN_H
#define ORCHD_TELEMETRY_PORT_CHILDREN_H

/* The queues and priority groups of a port, as the ASIC tells them.
 *
 * Internal to publish/.  SONiC's tools know four types of queues and end when
 * they meet another, so a queue of another type is in no map and not counted.
 * Virtual output queues have a name map of their own. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct sai_backend;

enum place_family { PORT_CHILDREN_QUEUES, PORT_CHILDREN_PGS, N_PLACE_FAMILIES };

enum place_role {
    PLACE_LISTED,   /* In the name map of its family. */
    PLACE_VOQ,      /* In that of virtual output queues. */
    PLACE_UNLISTED, /* In none. */
};

/* A queue or priority group of a port; there are some 30 per port. */
struct place {
    sai_object_id_t oid;
    int32_t kind;    /* sai_queue_type_t of a queue, else 0. */
    uint16_t number; /* Behind the name of the port, "Ethernet0:3": the place in
                      * its list, of virtual output queues among these. */
    bool shown;      /* In the maps.  The caller's. */
};

/* The places of one family of a port, in their order. */
struct port_children {
    struct place *list; /* Ends with free(). */
    uint32_t n;         /* 0 if the ASIC does not say. */
};

/* Asks 'backend' for the places of 'n' 'ports'.  An ASIC that does not tell
 * types has unicast queues. */
void port_children_read(struct sai_backend *backend, uint32_t n,
                        const sai_object_id_t *ports, enum place_family family,
                        struct port_children *places);

/* Asks for the hardware's index of 'n' places: their number, if the ASIC does
 * not tell. */
void port_children_index(struct sai_backend *backend, enum place_family family,
                         uint32_t n, struct place *const *places,
                         uint32_t *indexes);

/* Returns what a place of 'family' and 'kind' is to the maps. */
enum place_role place_role(enum place_family family, int32_t kind);

/* Returns "SAI_QUEUE_TYPE_UNICAST" and the like; NULL for those that are not
 * listed. */
const char *place_type_name(int32_t kind);

#endif /* orchd/telemetry/port_children.h */
