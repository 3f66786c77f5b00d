/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PROBE_H
#define ORCHD_BREAKPOINT_PROBE_H

/* Finds a threshold of a switch without knowing it.
 *
 * A scenario states where a threshold is and checks that; a probe asks.  It
 * blocks the egress port, sends n packets, looks whether the threshold was
 * crossed, unblocks the port and lets the buffer run empty: one attempt.  It
 * doubles n until the threshold is crossed, and halves the interval between the
 * most that did not cross it and the least that did.
 *
 *   xoff           the packet with which the switch asks its peer for a pause
 *   drop           the first packet that is dropped at ingress
 *   egress-drop    the first packet that is dropped at egress
 *   xon            of the packets of an xoff, which one has to leave so that
 *                  the pause ends.  The first ones wait at 'to', the others at
 *                  'other', and 'to' alone is unblocked
 *   headroom-pool  the packet, of those that come after a pause, that the
 *                  groups of several ports together have no headroom for.  What
 *                  the groups of one port can take is found first; they fill it
 *                  one after another, so the first port that cannot have as
 *                  much as it had alone has met the end of the pool.
 *
 * Monotonicity.  Bisection is right only if more packets never cross less.
 * That is not assumed: each attempt is compared with all before, points far
 * from the threshold are tried besides those that bisection needs, and the two
 * attempts at the threshold are repeated.  A contradiction is an error, as is a
 * buffer that does not start from the same level each time.
 *
 * A probe leaves the switch as it was: ports transmit, nothing is in the
 * buffer, no configuration has changed; also after an error.  What counts up
 * has counted, and watermarks have risen.
 *
 * Cost: some 2 log2(n) + 2 * repeats + 5 attempts of up to 2 n packets. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
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

/* Returns the word for 'kind', for example "egress-drop". */
const char *probe_kind_word(enum probe_kind kind);

/* Finds the kind of 'word'; false and '*kind' unchanged if there is none. */
bool probe_kind_find(const char *word, enum probe_kind *kind);

#define PROBE_REPEATS_MAX 50
#define PROBE_TRIALS_MAX  512 /* Of one search. */
#define PROBE_GROUPS_MAX  64

struct probe_options {
    enum probe_kind kind;
    const char *const *from; /* Ports at which packets enter; of several only */
    size_t n_from;           /* headroom-pool makes use, and needs two. */
    const uint8_t *dscps;    /* 0..63; as 'from', but one will do. */
    size_t n_dscps;
    const char *to;       /* The port that is blocked. */
    const char *other;    /* Another one, of xon; else NULL. */
    uint32_t size_bytes;  /* Of a packet, without FCS. */
    uint64_t limit;       /* Most packets of an attempt; at least 2. */
    unsigned int repeats; /* 0..PROBE_REPEATS_MAX */
};

/* One attempt of the search for the result. */
struct probe_trial {
    uint64_t packets;
    bool crossed;
};

/* What was held on one side of a threshold, in bytes as the switch counts them:
 * by the group of the packets; of egress-drop by their queue (which has no
 * headroom), of headroom-pool by all groups. */
struct probe_side {
    uint64_t reserved_bytes;
    uint64_t shared_bytes;
    uint64_t headroom_bytes;
};

struct probe_result {
    /* The number, from 1, of the packet that crosses the threshold: so many
     * cross it, one less do not. */
    uint64_t packets;
    struct probe_side below, at; /* With one packet less, and with it. */
    struct target_object object; /* Whose threshold it is; of headroom-pool the
                                  * group whose packet was dropped. */

    uint64_t pause_at; /* xon: packets of the pause; else 0. */

    size_t n_groups; /* headroom-pool: groups in headroom; else 1. */
    uint64_t alone;  /* headroom-pool: packets they would take alone. */

    /* The search, in order. */
    struct probe_trial trials[PROBE_TRIALS_MAX];
    size_t n_trials;

    /* All of it, what led there included. */
    uint64_t n_attempts;
    uint64_t n_packets;
};

/* Does what 'options' say.  'result->object.name' is one of their ports.
 * Errors: ST_INVALID with code "usage", "lossy" (the group never asks for a
 * pause), "no-pfc" (it would, but its port may not), "egress-first",
 * "ingress-first" (packets are dropped elsewhere before), "blocked" (the port
 * was, before); ST_NOT_FOUND "limit" (not within so many), "not-exhausted" (the
 * groups can use all of their headroom at a time); ST_DEVICE "not-monotonic",
 * "not-repeatable", "not-at-rest"; those of the target. */
enum st probe_run(struct target *target, const struct probe_options *options,
                  struct probe_result *result, struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/probe.h */
