/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_HEADROOM_H
#define ORCHD_DERIVE_HEADROOM_H

/* How much may still arrive after a port has decided to send a pause frame:
 * xoff.
 *
 * In flight at that moment are (IEEE 802.1Q-2018 annex O.2): a frame that the
 * pause frame has to wait for; both directions of the cable; twice the delay of
 * MAC and PHY, and of a gearbox; what the peer sends until it reacts; and a
 * frame that it has just begun.
 *
 *     prop  = mtu + cable + 2 * gearbox + mac_phy + peer + tile
 *     xoff  = roundup(lossless_mtu + prop * occupancy) + extra
 *
 * where 'occupancy' >= 1 is the buffer space per byte on the wire: a packet of
 * 64 bytes takes whole cells, so w = 2c/(1+c) times its length in cells of c <=
 * 128 bytes, and c/64 times in larger ones; 'occupancy' is the mean of w and 1,
 * weighted by the share of small packets.
 *
 * With link-level retry (LLR, twin/link/llr.h) a pause does not stop what the
 * peer resends.  All that arrives after the decision was outstanding at the
 * peer when the pause took effect.  If the first of it is sent for the first
 * time, all of it was sent within prop.  If it is resent, the peer sends
 * nothing new before it has resent the rest of its window, so
 *
 *     prop  = max(prop, llr_window)
 *
 * Pausing ends below xon, so that the pipeline does not run dry while the peer
 * resumes.  'size' is what the priority group reserves: xon + xoff, or only xon
 * where xoff is taken from the shared headroom pool.
 *
 * These are the formulas of SONiC's buffer scripts, with the differences
 * between vendors in 'struct platform_headroom'.  The results are equal to the
 * byte, so a switch keeps its configuration and the names of its profiles.
 * Those scripts compute in floating point; here everything is an integer in
 * units of 1/50,688,000 byte, of which all terms are multiples, and only the
 * last step rounds (up, to 1,024 bytes). */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/derive/platform.h"
#include "twin/chip/chip.h"

struct terms;

/* The limits of the inputs. */
#define HEADROOM_SPEED_MAX_MBPS 1600000
#define HEADROOM_CABLE_MAX_M    1000000
#define HEADROOM_GEARBOX_MAX_NS 100000
#define HEADROOM_PEER_MAX_BYTES 100000000
#define HEADROOM_LLR_MAX_BYTES  100000000

/* One port. */
struct headroom_port {
    uint32_t speed_mbps;
    uint32_t cable_m;
    uint32_t mtu;
    uint32_t lanes;
    uint32_t gearbox_ns; /* Delay of a gearbox on the path; 0: none. */
    uint32_t peer_bytes; /* What the peer is known to send until it stops; 0: as
                          * its speed or the chip says. */
    uint32_t llr_bytes; /* That the peer may have outstanding with LLR; 0: there
                         * is none. */
};

/* The whole switch: LOSSLESS_TRAFFIC_PATTERN. */
struct headroom_traffic {
    uint32_t mtu;           /* Of lossless packets, 1..9216. */
    uint32_t small_percent; /* Of the packets, 0..100. */
};

/* The values without such a row: the worst case. */
#define HEADROOM_TRAFFIC_DEFAULT                                               \
    {                                                                          \
        .mtu = 1024, .small_percent = 100                                      \
    }

struct headroom_rules {
    const struct platform_headroom *formula;
    struct chip_headroom_params asic;
    struct headroom_traffic traffic;
};

/* Bytes. */
struct headroom {
    uint64_t xon;
    uint64_t xoff;
    uint64_t size;
};

/* Computes the headroom of 'port', whose members are within the limits above,
 * into '*headroom'; 'shared': there is a shared headroom pool.  Adds the terms
 * to 'terms', which may be NULL. */
void headroom_compute(const struct headroom_rules *rules,
                      const struct headroom_port *port, bool shared,
                      struct headroom *headroom, struct terms *terms);

/* Returns by how much the needs of lossless packets exceed what is reserved for
 * them: xon + xoff - size, at least 0. */
uint64_t headroom_excess(const struct headroom *headroom);

/* Returns whether a cable of this length fits.  Must be monotone: if one fits,
 * all shorter ones do. */
typedef bool headroom_fits_fn(void *context, uint32_t cable_m);

/* Finds the longest cable of at most 'limit_m' that fits into '*cable_m', by
 * bisection.  Returns false if not even 0 m fits. */
bool headroom_longest_cable(headroom_fits_fn *fits, void *context,
                            uint32_t limit_m, uint32_t *cable_m);

#endif /* orchd/derive/headroom.h */
