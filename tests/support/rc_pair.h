/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_RC_PAIR_H
#define ORCHD_TESTS_SUPPORT_RC_PAIR_H

/* Two queue pairs and the two directions of a link between them, which lose,
 * copy, delay and mark packets.
 *
 * Each direction sends one packet at a time at the rate of the link; a packet
 * arrives after its serialization, the delay, and a random part of 'jitter_ps'.
 * With jitter, packets overtake each other.  Equal seeds give equal runs. */

#include "base/random.h"
#include "tests/support/flights.h"
#include "twin/transport/rc.h"

struct rc_pair_config {
    int64_t rate_bps;
    int64_t delay_ps;
    int64_t jitter_ps;
    uint32_t loss_ppm;   /* Of all packets ... */
    bool keep_acks;      /* ... but ACKs and NAKs. */
    uint32_t copy_ppm;   /* Delivered twice. */
    uint32_t drop_every; /* Each nth data packet is lost; 0: none. */
    uint32_t mark_ppm;
    uint64_t seed;
};

struct rc_pair;

/* Called for each completion of end 'end', and for new payload. */
typedef void rc_pair_completion_fn(void *context, int end,
                                   const struct rc_completion *completion);

/* One direction. */
struct rc_pair_link {
    int64_t free_ps;
    uint64_t n_data;
    uint64_t n_acks;
    uint64_t n_lost;
};

struct rc_pair {
    struct rc_pair_config config;
    struct random random;
    struct rc *ends[2];           /* Owned. */
    struct rc_pair_link links[2]; /* By sender. */
    int64_t now_ps;
    uint64_t delivered_bytes[2];
    uint64_t delivered_messages[2];
    uint64_t notifications[2];
    rc_pair_completion_fn *completed; /* May be NULL. */
    void *context;
    bool errors[2];
    struct flights flights;
};

/* Initialises '*pair': end 0 has 'configs[0]', which is borrowed. */
void rc_pair_init(struct rc_pair *pair, const struct rc_pair_config *config,
                  const struct rc_config *configs[2]);
void rc_pair_fini(struct rc_pair *pair);

/* Performs the next event, if it is not after 'until_ps'; returns false if
 * there is none.  Checks the invariants of both ends. */
bool rc_pair_step(struct rc_pair *pair, int64_t until_ps);

/* Steps until there is nothing more to do before 'until_ps'. */
void rc_pair_run(struct rc_pair *pair, int64_t until_ps);

#endif /* tests/support/rc_pair.h */
