/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_PORT_STATES_H
#define ORCHD_PUBLISH_PORT_STATES_H

/* STATE_DB PORT_TABLE|name: what is known of each port, as SONiC's portsyncd
 * and its readers have it.
 *
 *   state               "ok": the port is there
 *   netdev_oper_status  "up" or "down": its link, as SAI tells of it
 *   admin_status        "up" or "down"
 *   mtu                 of what is in a frame, in bytes
 *   speed               Mb/s
 *
 * Internal to publish/.  Other fields of these rows are left alone; a row goes
 * with its port, be it that of an earlier run.  While there is no switch all
 * links are down. */

#include <stdbool.h>

#include "orchd/reconcile/listener.h"

struct port_states;
struct redis;
struct sai_backend;

/* Creates it without ports; 'redis' is borrowed. */
struct port_states *port_states_create(struct redis *redis);

/* Accepts NULL. */
void port_states_destroy(struct port_states *states);

/* Gives it the ASIC to ask, borrowed. */
void port_states_attach(struct port_states *states,
                        struct sai_backend *backend);

/* Forgets all ports. */
void port_states_restart(struct port_states *states);

/* What is known of the ports: all, because CONFIG_DB has been carried out; that
 * there is no switch; or neither. */
enum port_states_knowledge {
    PORT_STATES_UNKNOWN,
    PORT_STATES_COMPLETE,
    PORT_STATES_NO_SWITCH,
};

/* Puts right what an earlier run left behind, as soon as it is known what that
 * is. */
void port_states_turn(struct port_states *states,
                      enum port_states_knowledge knowledge);

/* See orchd/reconcile/listener.h; objects that are no ports are ignored. */
void port_states_appeared(struct port_states *states,
                          const struct object_view *object);
void port_states_attribute(struct port_states *states,
                           const struct object_view *object,
                           const struct metadata_attribute *attribute,
                           const sai_attribute_value_t *value);
void port_states_gone(struct port_states *states,
                      const struct object_view *object);

/* The link of a port is up, or not; ports that are not known are ignored.
 * Returns the name of the port if that is new, else NULL. */
const char *port_states_link(struct port_states *states, sai_object_id_t oid,
                             bool up);

#endif /* orchd/publish/port_states.h */
