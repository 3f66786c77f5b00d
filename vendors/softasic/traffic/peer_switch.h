/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_PEER_SWITCH_H
#define ORCHD_SOFTASIC_TRAFFIC_PEER_SWITCH_H

/* A second switch at the other end of a wire, with hosts behind it.
 *
 *     host 1 --+
 *     host 2 --+-- far switch ---- port | this switch
 *     host n --+
 *
 * It is of the same model, runs in the same time, and has a configuration of
 * its own that is as simple as can be: DSCP n below 8 is traffic class,
 * priority group, queue and priority n; the priorities that the peer obeys are
 * lossless there, with headroom for its own cables, and pause the hosts;
 * nothing is dropped at egress.  All cables, and all speeds, are those of the
 * port.
 *
 * What is shown with it is how congestion, or a storm, spreads from one switch
 * to the next, and to those who have nothing to do with it. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "vendors/softasic/softasic.h"

struct daemon_switch;
struct peer_switch;
struct link_sender;
struct sim_frame;
struct host;

/* Makes the switch behind the port in 'slot', whose wire is not connected yet,
 * with 'config->n_hosts' hosts.  ST_INVALID (more than SOFTASIC_HOSTS_MAX, or
 * than the model has ports for), ST_NO_RESOURCE (its memory has no room for so
 * much headroom).  End with peer_switch_destroy(). */
enum st peer_switch_create(struct daemon_switch *asic, uint32_t slot,
                           const struct softasic_peer *config,
                           struct peer_switch **far) ST_WARN_UNUSED;

/* Frees 'far' with its hosts.  Accepts NULL. */
void peer_switch_destroy(struct peer_switch *far);

/* Sets where it sends what goes to the port. */
void peer_switch_connect(struct peer_switch *far, struct link_sender *sender);

/* A link_deliver_fn: what the port has sent. */
bool peer_switch_receive(void *far, uint32_t port,
                         const struct sim_frame *frame);

/* Returns host 'number', from 1 on; NULL if there is none. */
struct host *peer_switch_host(const struct peer_switch *far, uint32_t number);

/* Runs until the switch is at rest.  Returns the frames transmitted. */
uint64_t peer_switch_settle(struct peer_switch *far);

/* Returns whether something is on its way there that ends by itself; whether a
 * host has a flow without end. */
bool peer_switch_is_busy(const struct peer_switch *far);
bool peer_switch_is_endless(const struct peer_switch *far);

/* Fills '*state': of the hosts the data, of the link to the port the pauses. */
void peer_switch_state(const struct peer_switch *far,
                       struct softasic_peer_state *state);

#endif /* vendors/softasic/traffic/peer_switch.h */
