/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_LINK_ARRIVAL_PACER_H
#define ORCHD_TWIN_LINK_ARRIVAL_PACER_H

/* The wire into a port whose sender is outside the simulation.
 *
 * Motivation: a real network interface hands over frames as fast as the host
 * can, a batch at a time.  The pacer lets them arrive one after the other, each
 * when its last bit would arrive at the speed of the port.  So a sender that is
 * too fast is slowed down to that speed, and a batch is not a burst.
 *
 * Frames in a pacer have already been sent.  A caller that needs them received
 * runs the simulation up to arrival_pacer_last_ps().
 *
 * Only the first waiting frame is a pending event. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/switch/sim.h"

struct arrival_pacer;

/* Returns a new pacer for 'port' of 'sim', which must outlive it.  The port
 * need not exist all the time.  End with arrival_pacer_destroy(). */
struct arrival_pacer *arrival_pacer_create(struct sim *sim, uint32_t port);

/* Frees 'pacer'; frames on the wire are lost.  Accepts NULL. */
void arrival_pacer_destroy(struct arrival_pacer *pacer);

/* Puts 'payload' (PACKET_MIN_BYTES to SIM_MAX_LENGTH_BYTES) on the wire behind
 * all others, and takes over the caller's reference.  If the port does not
 * exist or is down when it arrives, the frame is lost. */
void arrival_pacer_add(struct arrival_pacer *pacer,
                       struct sim_payload *payload);

/* Returns when the last frame on the wire will have arrived, at the present
 * speed of the port; the present if there is none. */
int64_t arrival_pacer_last_ps(const struct arrival_pacer *pacer);

/* Returns how many frames are on the wire. */
uint32_t arrival_pacer_waiting(const struct arrival_pacer *pacer);

/* given = arrived + lost + waiting. */
struct arrival_pacer_stats {
    uint64_t given;
    uint64_t arrived;
    uint64_t lost;
};

struct arrival_pacer_stats
arrival_pacer_get_stats(const struct arrival_pacer *pacer);

#endif /* twin/link/arrival_pacer.h */
