/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_LINK_LINK_H
#define ORCHD_TWIN_LINK_LINK_H

/* A cable: full duplex, in order, and it takes time.
 *
 * A frame is given to a link when its last bit has left the sender, and comes
 * out at the other end when its last bit is there: 5 ns per metre later.  That
 * is light in fibre (group index 1.5) as well as a signal in copper, and what
 * IEEE 802.1Q-2018 annex O.4 reckons with.
 *
 * Serialisation is the sender's.  Frames above the MTU are lost, and so are
 * those in flight when the link goes down, and all that are sent while it is.
 *
 * However many frames are in flight, only the first in each direction is an
 * event. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/engine.h"
#include "twin/forwarding/frame.h"

/* Called when 'frame' has arrived at the end with this context, in this
 * instant.  Returns whether it was taken; if not, it counts as lost. */
typedef bool link_deliver_fn(void *context, uint32_t port,
                             const struct sim_frame *frame);

/* What is at an end. */
struct link_end {
    link_deliver_fn *deliver;
    void *context;
    uint32_t port; /* For 'deliver'. */
};

struct link_config {
    uint32_t length_m;
    uint32_t mtu_bytes; /* The longest frame, without FCS. */
    struct link_end ends[2];
};

struct link;

/* One direction, from its sender's point of view. */
struct link_sender;

/* Returns a new link that is up.  End with link_destroy(). */
struct link *link_create(struct engine *engine,
                         const struct link_config *config);

/* Frees 'link' with all frames in flight.  Accepts NULL. */
void link_destroy(struct link *link);

/* Returns where the end 'end' (0 or 1) sends. */
struct link_sender *link_sender(struct link *link, unsigned int end);

/* Sends 'frame', whose last bit leaves now.  'sender' is a struct link_sender;
 * the type is that of a sim_wire_fn. */
void link_transmit(void *sender, const struct sim_frame *frame);

void link_set_up(struct link *link, bool up);

/* Of one direction.  sent = delivered + lost + in_flight. */
struct link_stats {
    uint64_t sent;
    uint64_t delivered;
    uint64_t lost;
    uint32_t in_flight;
    uint32_t most_in_flight;
};

void link_get_stats(const struct link *link, unsigned int end,
                    struct link_stats *stats);

#endif /* twin/link/link.h */
