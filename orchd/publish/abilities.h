/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_ABILITIES_H
#define ORCHD_PUBLISH_ABILITIES_H

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

struct abilities;
struct redis;
struct sai_backend;

/* Creates what knows of no switch; 'redis' is borrowed. */
struct abilities *abilities_create(struct redis *redis);

/* Frees 'abilities'.  Accepts NULL. */
void abilities_destroy(struct abilities *abilities);

/* Gives it the switch to ask, borrowed; what was known of another one is
 * forgotten. */
void abilities_attach(struct abilities *abilities, struct sai_backend *backend);

/* An object of 'type' is there: asks, unless one of that type was asked. */
void abilities_object(struct abilities *abilities, sai_object_type_t type,
                      sai_object_id_t oid);

/* Redis may have lost anything: writes what is known again. */
void abilities_restart(const struct abilities *abilities);

#endif /* orchd/publish/abilities.h */
