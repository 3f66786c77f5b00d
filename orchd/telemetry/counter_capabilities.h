/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_COUNTER_CAPABILITIES_H
#define ORCHD_TELEMETRY_COUNTER_CAPABILITIES_H

/* STATE_DB: which counters of early detection the switch has.
 *
 * Internal to publish/.  SONiC's tools ask there before they print what a
 * switch may not count:
 *
 *   QUEUE_COUNTER_CAPABILITIES|WRED_ECN_QUEUE_...   isSupported: true or false
 *   PORT_COUNTER_CAPABILITIES|WRED_ECN_PORT_...     likewise
 *
 * It is found out by reading each counter of the first port and the first queue
 * once, because not all libraries tell beforehand. */

#include <sai.h>

struct counter_capabilities;
struct redis;
struct sai_backend;

/* Creates what knows of no switch; 'redis' is borrowed. */
struct counter_capabilities *counter_capabilities_create(struct redis *redis);

/* Frees 'abilities'.  Accepts NULL. */
void counter_capabilities_destroy(struct counter_capabilities *abilities);

/* Gives it the switch to ask, borrowed; what was known of another one is
 * forgotten. */
void counter_capabilities_attach(struct counter_capabilities *abilities,
                                 struct sai_backend *backend);

/* An object of 'type' is there: asks, unless one of that type was asked. */
void counter_capabilities_object(struct counter_capabilities *abilities,
                                 sai_object_type_t type, sai_object_id_t oid);

/* Redis may have lost anything: writes what is known again. */
void counter_capabilities_restart(const struct counter_capabilities *abilities);

#endif /* orchd/telemetry/counter_capabilities.h */
