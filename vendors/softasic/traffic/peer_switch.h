/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_PEER_SWITCH_H
#define ORCHD_SOFTASIC_TRAFFIC_PEER_SWITCH_H

/* A second switch at the other end of a link, with hosts behind it.
 *
 *     host 1 --+
 *     host 2 --+-- peer switch --- port | this switch
 *     host n --+
 *
 * It has the same chip and the same time, and a simple configuration of its
 * own: DSCP n below 8 maps to traffic class, priority group, queue and priority
 * n; the priorities whose pauses the peer obeys are lossless, with headroom for
 * its own cables, and pause the hosts; nothing is dropped at egress.  All
 * cables and speeds are those of the port.
 *
 * It shows how congestion, or a storm, spreads from one switch to the next, and
 * to hosts that are not involved. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "vendors/softasic/softasic.h"

struct asic;
struct peer_switch;
struct link_sender;
struct sim_frame;
struct host;

/* Returns the first number that what is behind the port in 'slot' has in the
 * order of events (twin/event/event.h): a host, or the ports of a switch.  The
 * ports of 'asic' itself begin at 0. */
uint32_t peer_switch_entity(const struct asic *asic, uint32_t slot);

/* Creates the switch behind the port in 'slot', whose link is not connected
 * yet, with 'config->n_hosts' hosts.  ST_INVALID (more than SOFTASIC_HOSTS_MAX,
 * or than the chip has ports for), ST_NO_RESOURCE (its memory has no room for
 * so much headroom).  End with peer_switch_destroy(). */
enum st peer_switch_create(struct asic *asic, uint32_t slot,
                           const struct softasic_peer *config,
                           struct peer_switch **peer) ST_WARN_UNUSED;

/* Frees 'peer' with its hosts.  Accepts NULL. */
void peer_switch_destroy(struct peer_switch *peer);

/* Sets the sender of frames to the port. */
void peer_switch_connect(struct peer_switch *peer, struct link_sender *sender);

/* A link_deliver_fn: receives a frame that the port has sent. */
bool peer_switch_receive(void *peer, uint32_t port,
                         const struct sim_frame *frame);

/* Returns host 'number', from 1 on; NULL if there is none. */
struct host *peer_switch_host(const struct peer_switch *peer, uint32_t number);

/* Runs until the switch is idle.  Returns the number of frames transmitted. */
bool peer_switch_settle(struct peer_switch *peer, uint64_t *n_events,
                        uint64_t *n_sent);

/* Return whether settling waits for the switch or its hosts; whether a host has
 * an unlimited flow. */
bool peer_switch_is_busy(const struct peer_switch *peer);
bool peer_switch_is_endless(const struct peer_switch *peer);

/* Fills '*state': the data frames of its hosts, the pauses of the link to the
 * port. */
void peer_switch_state(const struct peer_switch *peer,
                       struct softasic_peer_state *state);

#endif /* vendors/softasic/traffic/peer_switch.h */
