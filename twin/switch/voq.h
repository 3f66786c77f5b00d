/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_VOQ_H
#define ORCHD_TWIN_SWITCH_VOQ_H

/* A chassis of line cards with virtual output queues (VOQs).
 *
 * A switch whose chip has a mapping "voq" is a chassis.  Each partition of its
 * buffer is a line card: the ports of that partition, and the memory in which
 * frames wait that arrived there.  A frame waits at the card at which it
 * arrived, in the VOQ of its egress port and class, until that port has granted
 * it credit.  Then it crosses the cell fabric, and waits once more, in the
 * small on-chip memory behind the fabric, until the wire is free.  So
 * congestion is in the deep memory of the ingress cards, and the egress side
 * never drops.
 *
 * The path of a frame of L bytes from card i to port p of card e:
 *
 *   1. The MMU admits it as on any switch: PGs and pools are those of card i.
 *   2. Its VOQ asks port p for credit.  Half of 'credit_rtt_ns' later p knows.
 *   3. p grants 'credit_bytes' at a time to one of its classes, as its
 *      scheduler decides among those with demand that no pause holds, not more
 *      often than
 *          credit_bytes * 8 / (speed * credit_rate_percent / 100)
 *      and only while what it has granted, what is in the fabric and what waits
 *      behind the fabric is at most 'egress_bytes' together.
 *   4. Half of 'credit_rtt_ns' later the grant is at the VOQ, which sends
 * frames until its credit is used up.  The last frame may overdraw it, by less
 *      than its length; the next grants pay for that.  Credit of an empty queue
 *      is returned.
 *   5. A VOQ moves to DRAM when it has more than 'sram_bytes', and back when it
 *      is empty.  A frame from DRAM was written and read: it occupies the DRAM
 *      of its card for 2 * L * 8 / dram_mbps, and takes 'dram_latency_ns' more.
 *   6. It becomes n = ceil(L / cell_payload_bytes) cells, L + n *
 *      cell_header_bytes bytes, that are sprayed over the 'fabric_links' of
 *      card i.  They occupy these links together for
 *          (L + n * cell_header_bytes) * 8 / (fabric_links * fabric_link_mbps)
 *      and the last arrives after ceil(n / fabric_links) whole cells on one
 *      link, and 'fabric_latency_ns'.  The links of card e are occupied for as
 *      long.
 *   7. When the last cell is there, the frame is complete, and waits for the
 *      wire behind those that were complete before; a pause holds frames of
 *      its classes here, too.
 *
 * Frames for ports of their own card cross the fabric like all others.
 *
 * Which VOQ of a class a grant is for: that of the card whose frame has asked
 * first.  So the VOQs of one port and class on all cards are one queue of the
 * MMU, in the order of arrival; a frame knows its card by its PG.
 *
 * What the model leaves out: DRAM writes delay reads, but never make the buffer
 * refuse a frame; cells are not lost; multicast is replicated at ingress.
 *
 * Invariants, which voq_check() verifies at any time:
 *   - bytes: what has left the VOQs of all cards is what the egress side has
 *     sent, discards at ports that went down, and what is between;
 *   - credits: what a port has issued was used by frames, was returned, or is
 * on its way to a VOQ, less what frames have overdrawn.
 *
 * An ordinary switch has none of this, and does nothing for it: a port of a
 * chassis is one more reason to take the longer path through transmit.c.
 *
 * Public material: SAI's and SONiC's documents on VOQ switches name credits,
 * VOQs and system ports.  The numbers of a chip file say where they come
 * from. */

#include <stdbool.h>
#include <stdint.h>

struct sim;

/* What a line card has done.  Bytes are those of frames, without headers of
 * cells. */
struct voq_card {
    uint64_t sent_frames; /* From its VOQs to the fabric. */
    uint64_t sent_bytes;
    uint64_t sent_cells;
    uint64_t dram_bytes;     /* Of these, from DRAM. */
    uint64_t received_bytes; /* From the fabric, for its ports. */
};

/* The credits of a port, in bytes, and what is behind its VOQs. */
struct voq_port_stats {
    uint64_t issued;
    uint64_t used;       /* By frames that left a VOQ. */
    uint64_t returned;   /* By VOQs that had become empty. */
    uint64_t pending;    /* Granted, and not yet at a VOQ. */
    uint64_t overdrawn;  /* Used, and not yet granted. */
    uint64_t in_transit; /* Of frames in the fabric or behind it. */
    uint64_t peak;       /* The highest of 'pending' and 'in_transit'. */
    uint64_t sent_bytes; /* On the wire, or discarded there. */
};

/* Returns the number of line cards of 'sim', 0 if it is no chassis. */
uint32_t voq_n_cards(const struct sim *sim);

/* Fills '*card' for line card 'index', which exists. */
void voq_get_card(const struct sim *sim, uint32_t index, struct voq_card *card);

/* Fills '*stats' for port 'id' of a chassis: zeros if it has never had a
 * frame. */
void voq_get_port(const struct sim *sim, uint32_t id,
                  struct voq_port_stats *stats);

/* Returns NULL if the invariants hold, else the name of the broken one.  Visits
 * all frames between VOQs and wires.  'sim' may be no chassis. */
const char *voq_check(const struct sim *sim);

#endif /* twin/switch/voq.h */
