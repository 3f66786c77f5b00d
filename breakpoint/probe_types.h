/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PROBE_TYPES_H
#define ORCHD_BREAKPOINT_PROBE_TYPES_H

/* Options and results of a probe. probe.h describes the kinds. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "breakpoint/target.h"

/* X(member, word) */
#define PROBE_KIND_LIST(X)                                                     \
    X(XOFF, "xoff")                                                            \
    X(DROP, "drop")                                                            \
    X(XON, "xon")                                                              \
    X(EGRESS_DROP, "egress-drop")                                              \
    X(HEADROOM_POOL, "headroom-pool")

enum probe_kind {
#define X(member, word) PROBE_##member,
    PROBE_KIND_LIST(X)
#undef X
        N_PROBE_KINDS
};

#define PROBE_REPEATS_MAX 50
#define PROBE_TRIALS_MAX  512 /* Of one search. */
#define PROBE_GROUPS_MAX  64

struct probe_options {
    enum probe_kind kind;
    const char *const *from; /* Ports at which packets enter: one, */
    size_t n_from;           /* or at least two for headroom-pool. */
    const uint8_t *dscps;    /* 0..63: one; headroom-pool accepts several. */
    size_t n_dscps;
    const char *to;       /* The port that is blocked. */
    const char *other;    /* xon: the second blocked port; else NULL. */
    uint32_t size_bytes;  /* Of a packet, without FCS. */
    uint8_t ecn;          /* Its ECN bits, 0..3. */
    uint64_t limit;       /* Maximum packets of an attempt; at least 2. */
    unsigned int repeats; /* 0..PROBE_REPEATS_MAX */
};

/* One attempt of the search. */
struct probe_trial {
    uint64_t packets;
    bool crossed;
};

/* What the buffer holds on one side of a threshold, in bytes as the switch
 * counts them: in the group of the packets; for egress-drop in their queue
 * (which has no headroom), for headroom-pool in all groups. */
struct probe_side {
    uint64_t reserved_bytes;
    uint64_t shared_bytes;
    uint64_t headroom_bytes;
};

struct probe_result {
    /* The number, from 1, of the packet that crosses the threshold: this many
     * packets cross it, one less do not. */
    uint64_t packets;
    struct probe_side below, at; /* With one packet less, and with it. */
    struct target_object object; /* The object that has the threshold; for
                                  * headroom-pool the group whose packet was
                                  * dropped. */

    uint64_t pause_at; /* xon: packets of the pause; else 0. */

    size_t n_groups; /* headroom-pool: groups in headroom; else 1. */
    uint64_t alone;  /* headroom-pool: sum of the packets that each port takes
                      * while the others send nothing. */

    /* The search, in order. */
    struct probe_trial trials[PROBE_TRIALS_MAX];
    size_t n_trials;

    /* In total, including the preparation. */
    uint64_t n_attempts;
    uint64_t n_packets;
};

#endif /* breakpoint/probe_types.h */
