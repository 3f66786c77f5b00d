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
 * Frames in a pacer have already been sent.  Before a change to the switch,
 * arrival_pacer_flush() lets all of them arrive at once, regardless of their
 * time on the wire, so that the change finds them received.
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

/* Lets all frames on the wire arrive now, in order. */
void arrival_pacer_flush(struct arrival_pacer *pacer);

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
