/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_TCP_PAIR_H
#define ORCHD_TESTS_SUPPORT_TCP_PAIR_H

/* Two ends of a TCP connection and the two directions between them, which lose,
 * copy, delay and mark segments.
 *
 * Each direction sends one segment at a time at the rate of the link, or all at
 * once if that is 0; a segment arrives after its serialization, the delay, and
 * a random part of 'jitter_ps'.  Equal seeds give equal runs. */

#include "base/random.h"
#include "tests/support/flights.h"
#include "twin/transport/tcp.h"

/* The first sequence number of end 0, which soon passes 2^32. */
#define TCP_PAIR_SEQUENCE UINT32_C(4294960000)

struct tcp_pair_config {
    int64_t rate_bps;
    int64_t delay_ps;
    int64_t jitter_ps;
    uint32_t loss_ppm;     /* Of all segments ... */
    bool keep_acks;        /* ... but those without data. */
    uint32_t drop_every;   /* Each nth segment with data is lost; 0: none. */
    const uint32_t *drops; /* Borrowed: segments of end 0 with data that are
                            * lost, from 1 in the order of sending. */
    uint32_t n_drops;
    uint32_t copy_ppm; /* Delivered twice. */
    uint32_t mark_ppm;
    uint64_t seed;
};

/* Called for each segment with data that end 'end' sends. */
typedef void tcp_pair_sent_fn(void *context, int end,
                              const struct tcp_segment *segment);

/* Called for each completion of end 'end'. */
typedef void tcp_pair_completion_fn(void *context, int end,
                                    const struct tcp_completion *completion);

struct tcp_pair {
    struct tcp_pair_config config;
    struct random random;
    struct tcp *ends[2]; /* Owned. */
    int64_t now_ps;
    int64_t free_ps[2];
    uint64_t n_data[2]; /* Sent, repeated ones included. */
    uint64_t delivered_bytes[2];
    tcp_pair_completion_fn *completed; /* May be NULL. */
    tcp_pair_sent_fn *sent;            /* May be NULL. */
    void *context;
    struct flights flights;
};

/* Fills '*pair', whose ends share 'config'. */
void tcp_pair_init(struct tcp_pair *pair, const struct tcp_pair_config *link,
                   const struct tcp_config *config);
void tcp_pair_fini(struct tcp_pair *pair);

/* Sends what the ends have, then handles what happens next.  Returns false, and
 * does nothing, if nothing happens up to 'until_ps'. */
bool tcp_pair_step(struct tcp_pair *pair, int64_t until_ps);

#endif /* tests/support/tcp_pair.h */
