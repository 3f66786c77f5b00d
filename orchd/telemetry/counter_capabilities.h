/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_COUNTER_CAPABILITIES_H
#define ORCHD_TELEMETRY_COUNTER_CAPABILITIES_H

/* STATE_DB: which WRED and ECN counters the switch supports.
 *
 * Internal to the publisher.  SONiC's tools read this before they print
 * counters that a switch may not have:
 *
 *   QUEUE_COUNTER_CAPABILITIES|WRED_ECN_QUEUE_...   isSupported: true or false
 *   PORT_COUNTER_CAPABILITIES|WRED_ECN_PORT_...     isSupported: true or false
 *
 * orchd finds out by reading each counter of the first port and the first queue
 * once, because not all libraries implement the capability query. */

#include <sai.h>

struct counter_capabilities;
struct redis;
struct sai_backend;

/* Creates capabilities without a switch; 'redis' is borrowed. */
struct counter_capabilities *counter_capabilities_create(struct redis *redis);

/* Frees 'capabilities'.  Accepts NULL. */
void counter_capabilities_destroy(struct counter_capabilities *capabilities);

/* Sets the switch to read, borrowed, and forgets what was known of another. */
void counter_capabilities_attach(struct counter_capabilities *capabilities,
                                 struct sai_backend *backend);

/* Handles a new object of 'type': reads its counters if it is the first of that
 * type. */
void counter_capabilities_object(struct counter_capabilities *capabilities,
                                 sai_object_type_t type, sai_object_id_t oid);

/* Redis may have lost any key: writes what is known again. */
void
counter_capabilities_restart(const struct counter_capabilities *capabilities);

#endif /* orchd/telemetry/counter_capabilities.h */
