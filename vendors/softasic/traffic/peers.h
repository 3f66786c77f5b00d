/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_TRAFFIC_PEERS_H
#define ORCHD_SOFTASIC_TRAFFIC_PEERS_H

/* The peers at the other ends of the links: hosts and cables of twin/host and
 * twin/link, for SAI's ports.  The functions are those of softasic_ops.
 *
 * Settling waits for data frames on a wire or on a cable, for the frames of
 * finite flows that are not paused, and for pause releases on their way.  It
 * does not wait for pauses that the switch or a storm repeats: they may never
 * end. */

#include <sai.h>

#include "vendors/softasic/softasic.h"
#include "vendors/softasic/state.h"

sai_status_t peers_connect(struct asic *asic, sai_object_id_t port,
                           const struct softasic_peer *peer);
sai_status_t peers_remove(struct asic *asic, sai_object_id_t port);
sai_status_t peers_state(const struct asic *asic, sai_object_id_t port,
                         struct softasic_peer_state *state);

sai_status_t peers_flow(struct asic *asic, const struct softasic_flow *flow);
sai_status_t peers_flow_stop(struct asic *asic, uint32_t number);
sai_status_t peers_flow_state(const struct asic *asic, uint32_t number,
                              struct softasic_flow_state *state);

sai_status_t peers_storm(struct asic *asic, sai_object_id_t port,
                         const struct softasic_storm *storm);
sai_status_t peers_storm_stop(struct asic *asic, sai_object_id_t port);
sai_status_t peers_storm_sent(struct asic *asic, sai_object_id_t port,
                              uint8_t priorities);

/* Run until the switch, the cables and the hosts are idle; the second one for
 * some events. */
sai_status_t peers_settle(struct asic *asic, uint64_t *n_sent);
sai_status_t peers_settle_some(struct asic *asic, uint64_t n_events,
                               uint64_t *n_sent, uint64_t *is_done);

/* Removes the peer of the port in 'slot', if there is one. */
void peers_disconnect(struct asic *asic, uint32_t slot);

/* Removes all peers, before the twin is destroyed. */
void peers_fini(struct asic *asic);

#endif /* vendors/softasic/traffic/peers.h */
