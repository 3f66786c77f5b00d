/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_HEADROOM_CASE_H
#define ORCHD_TESTS_BENCH_HEADROOM_CASE_H

/* The headroom that a formula gives one PG, against what the twin needs.
 *
 * The formula's own terms are believed where the twin has no opinion: the
 * sender stops after the time of 'peer', 'mac_phy', 'gearbox' and 'tile'.  All
 * else happens in the simulation: the frame of the port's own, of the port's
 * MTU and an Ethernet header; the pause frame; the cable, at 5 ns per metre;
 * the frame that the sender has just begun; preambles, gaps and cells.
 *
 * The worst phase is searched for among those of the port's own frame: it began
 * just before the PG became XOFF, or earlier.  For traffic of two sizes the
 * frame that the sender has just begun when it is to stop is a long one.
 *
 * What is needed is found by trying: one cell less loses a packet. */

#include <stdbool.h>
#include <stdint.h>

#include "orchctl/headroom_plan.h"

/* What the sender sends; lengths without FCS. */
enum proof_traffic {
    PROOF_SMALL,    /* The shortest frames: 64 bytes with FCS. */
    PROOF_STRADDLE, /* A cell and a byte. */
    PROOF_LONG,     /* The mtu of lossless packets. */
    PROOF_CHANGE,   /* The shortest, and when it is to stop, a long one. */
    PROOF_JUMBO,    /* The MTU of the port: more than the formula assumes. */
    PROOF_N_TRAFFICS,
};

/* Returns its name ("64 B"). */
const char *proof_traffic_name(enum proof_traffic traffic);

struct proof_case {
    const struct chip *chip; /* All but its size and ports counts. */
    const struct platform *platform;
    struct headroom_port port;
    struct headroom_traffic mix; /* As the formula assumes. */
    bool shared; /* Headroom is of a pool, which is for this PG alone. */
    enum proof_traffic traffic;
    uint32_t n_phases; /* To try besides the worst. */
};

struct proof {
    uint64_t xoff_bytes;     /* What the formula gives. */
    uint64_t needed_bytes;   /* The least that loses nothing. */
    uint64_t lost_packets;   /* With 'xoff_bytes'. */
    uint64_t lost_with_less; /* With a cell less than 'needed_bytes'. */
    bool worst_is_latest;    /* No other phase took more. */
    int64_t response_ps;
    uint64_t frames; /* Simulated, in all runs. */
};

/* An MTU does not count the header of Ethernet. */
enum { PROOF_ETHERNET_BYTES = 14 };

/* Returns the time until a sender stops which the formula reckons with and
 * which the simulation has nothing else for. */
int64_t proof_response_ps(const struct plan_question *question,
                          const struct headroom_port *port);

/* Tries 'c'. */
void proof_find(const struct proof_case *c, struct proof *proof);

#endif /* tests/bench/headroom_case.h */
