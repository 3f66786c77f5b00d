/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_SWITCH_CAPABILITIES_H
#define ORCHD_PUBLISH_SWITCH_CAPABILITIES_H

/* STATE_DB: what the switch can do, for SONiC's tools.
 *
 * Internal to publish/.
 *
 *   SWITCH_CAPABILITY|switch   SWITCH_TRIMMING_CAPABLE: true or false
 *                              SWITCH|PACKET_TRIMMING_DSCP_RESOLUTION_MODE,
 *                              SWITCH|PACKET_TRIMMING_QUEUE_RESOLUTION_MODE:
 *                              comma lists, or N/A
 *                              SWITCH|NUMBER_OF_TRAFFIC_CLASSES,
 *                              SWITCH|NUMBER_OF_UNICAST_QUEUES: if known
 *                              LLR_CAPABLE: true or false
 *                              LLR_SUPPORTED_PROFILE_ATTRIBUTES: a list, may be
 *                              empty
 *
 * The key has fields of other programs, too. */

struct llr_capability;
struct redis;
struct sai_backend;
struct switch_capabilities;
struct trimming_capability;

/* Creates capabilities without a switch; 'redis' is borrowed. */
struct switch_capabilities *switch_capabilities_create(struct redis *redis);

/* Frees 'capabilities'.  Accepts NULL. */
void switch_capabilities_destroy(struct switch_capabilities *capabilities);

/* Publishes those of the switch behind 'backend'; 'trimming' and 'llr' are
 * copied. */
void switch_capabilities_attach(struct switch_capabilities *capabilities,
                                struct sai_backend *backend,
                                const struct trimming_capability *trimming,
                                const struct llr_capability *llr);

/* Redis may have lost any key: writes what is known again. */
void
switch_capabilities_restart(const struct switch_capabilities *capabilities);

#endif /* orchd/publish/switch_capabilities.h */
