/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_LLR_PAIR_H
#define ORCHD_TESTS_SUPPORT_LLR_PAIR_H

/* Two MACs on a link with link-level retry (twin/link/llr.h).
 *
 * Each sends a given number of frames of a length back to back, and checks that
 * the frames it receives are those of the other, in order.  What a link loses
 * leaves a gap, which is counted. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/link/link.h"

struct llr_pair;

struct llr_mac {
    struct llr_pair *pair;
    unsigned int index;
    bool is_busy; /* A frame of it is on the wire. */
    uint64_t to_send; /* Frames that wait. */
    uint32_t length_bytes;
    uint32_t pauses; /* MAC control frames that wait. */
    bool is_held;
    uint64_t sent, received, received_pauses;
    uint32_t next;      /* The number of the frame that it expects. */
    uint64_t gaps;      /* Frames that were missing. */
    uint64_t disorder;  /* Frames that came twice, or too late. */
    uint64_t lost;      /* Reported by the link, of its own frames; */
    enum link_loss why; /* the last of them. */
    int64_t last_ps;    /* When the last frame came. */
    uint64_t flushes;
};

struct llr_pair {
    struct engine *engine;
    struct link *link;
    struct llr *llr;
    uint32_t speed_mbps;
    struct llr_mac macs[2];
};

/* The profile of tests: no limit in practice, 10 us, endless. */
extern const struct llr_profile llr_pair_profile;

/* Initialises '*pair' on 'length_m' metres; 'pair' must not move.  Both ends
 * send and receive as 'profile' says; NULL: there is no LLR.  The handshake is
 * over.  End with llr_pair_fini(). */
void llr_pair_init(struct llr_pair *pair, uint32_t speed_mbps,
                   uint32_t length_m, const struct llr_profile *profile);
void llr_pair_fini(struct llr_pair *pair);

/* Sets what end 'end' does; its numbers begin at 'first'. */
void llr_pair_set(struct llr_pair *pair, unsigned int end, bool sends,
                  bool receives, const struct llr_profile *profile,
                  uint32_t first);

/* Lets end 'end' send 'n' frames of 'length_bytes', or MAC control frames. */
void llr_pair_send(struct llr_pair *pair, unsigned int end, uint64_t n,
                   uint32_t length_bytes);
void llr_pair_pause(struct llr_pair *pair, unsigned int end, uint32_t n);

/* Lets 'ps' pass. */
void llr_pair_run(struct llr_pair *pair, int64_t ps);

/* Returns the counters of 'end'. */
struct llr_stats llr_pair_stats(struct llr_pair *pair, unsigned int end);

/* Returns NULL if the books of the link and the frames of the MACs agree, else
 * what is wrong. */
const char *llr_pair_check(struct llr_pair *pair);

#endif /* tests/support/llr_pair.h */
