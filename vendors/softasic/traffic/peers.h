/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_PEERS_H
#define ORCHD_SOFTASIC_TRAFFIC_PEERS_H

/* What is at the other ends of the wires: hosts and cables of twin/fabric,
 * by the names of SAI.  The functions are those of softasic_ops.
 *
 * Settling waits for what will end by itself: data frames on a wire or on a
 * cable, those of flows that have an end and are not paused, and releases of
 * pauses on their way.  Pauses that are repeated, by the switch or by a storm,
 * are not waited for: they may never end. */

#include <sai.h>

#include "vendors/softasic/softasic.h"
#include "vendors/softasic/state.h"

sai_status_t peers_connect(struct daemon_switch *asic, sai_object_id_t port,
                           const struct softasic_peer *peer);
sai_status_t peers_remove(struct daemon_switch *asic, sai_object_id_t port);
sai_status_t peers_state(const struct daemon_switch *asic, sai_object_id_t port,
                         struct softasic_peer_state *state);

sai_status_t peers_flow(struct daemon_switch *asic,
                        const struct softasic_flow *flow);
sai_status_t peers_flow_stop(struct daemon_switch *asic, uint32_t number);
sai_status_t peers_flow_state(const struct daemon_switch *asic, uint32_t number,
                              struct softasic_flow_state *state);

sai_status_t peers_storm(struct daemon_switch *asic, sai_object_id_t port,
                         const struct softasic_storm *storm);
sai_status_t peers_storm_stop(struct daemon_switch *asic, sai_object_id_t port);

/* Runs until nothing but waiting is left, in the switch, on the cables and at
 * the hosts. */
sai_status_t peers_settle(struct daemon_switch *asic, uint64_t *n_sent);

/* Takes away what is at the other end of the port in 'slot', if anything. */
void peers_disconnect(struct daemon_switch *asic, uint32_t slot);

/* Ends all, while the twin is still there. */
void peers_forget(struct daemon_switch *asic);

#endif /* vendors/softasic/traffic/peers.h */
