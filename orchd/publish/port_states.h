/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_PORT_STATES_H
#define ORCHD_PUBLISH_PORT_STATES_H

/* STATE_DB PORT_TABLE|name: the state of each port, in the format of SONiC's
 * portsyncd.
 *
 *   state               "ok": the port exists
 *   netdev_oper_status  "up" or "down": its link, as SAI reports it
 *   admin_status        "up" or "down"
 *   mtu                 of the payload of a frame, in bytes
 *   speed               Mb/s
 *   fec                 "none", "rs" or "fc"
 *
 * Internal to publish/.  Other fields of these rows stay as they are.  A row is
 * removed with its port, also if a previous run wrote it.  While there is no
 * switch, all links are down. */

#include <stdbool.h>

#include "orchd/reconcile/listener.h"

struct port_states;
struct port_table;
struct redis;
struct sai_backend;

/* Creates port states without ports, which tell 'table' about links; both are
 * borrowed. */
struct port_states *port_states_create(struct redis *redis,
                                       struct port_table *table);

/* Frees 'states'; the rows in STATE_DB stay.  Accepts NULL. */
void port_states_destroy(struct port_states *states);

/* Sets the ASIC to read links from, borrowed. */
void port_states_attach(struct port_states *states,
                        struct sai_backend *backend);

/* Forgets all ports. */
void port_states_restart(struct port_states *states);

/* Whether the set of ports is known: completely, because CONFIG_DB is
 * programmed; there is no switch; or not yet. */
enum port_states_knowledge {
    PORT_STATES_UNKNOWN,
    PORT_STATES_COMPLETE,
    PORT_STATES_NO_SWITCH,
};

/* Reads the links of new ports; corrects or removes rows of a previous run as
 * soon as 'knowledge' shows which are stale. */
void port_states_turn(struct port_states *states,
                      enum port_states_knowledge knowledge);

/* See orchd/reconcile/listener.h; they ignore objects that are not ports. */
void port_states_appeared(struct port_states *states,
                          const struct object_view *object);
void port_states_attribute(struct port_states *states,
                           const struct object_view *object,
                           const struct metadata_attribute *attribute,
                           const sai_attribute_value_t *value);
void port_states_gone(struct port_states *states,
                      const struct object_view *object);

/* Handles a notification that the link of a port is 'up' or down; ignores
 * unknown ports.  Returns the name of the port if its link has changed, else
 * NULL. */
const char *port_states_link(struct port_states *states, sai_object_id_t oid,
                             bool up);

#endif /* orchd/publish/port_states.h */
