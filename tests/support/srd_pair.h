/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_SRD_PAIR_H
#define ORCHD_TESTS_SUPPORT_SRD_PAIR_H

/* Two ends of an SRD context with a queue pair each, and the paths between
 * them, which lose, copy and delay packets.
 *
 * Each end sends one packet at a time at the rate of the link, or all at once
 * if that is 0; a packet arrives after its serialization, the delay of its
 * path, and a random part of 'jitter_ps'.  Equal seeds give equal runs. */

#include "base/random.h"
#include "tests/support/flights.h"
#include "twin/transport/srd.h"
#include "twin/transport/srd_qp.h"

struct srd_pair_config {
    int64_t rate_bps;
    int64_t delay_ps;
    int64_t step_ps; /* Path i has i times this more. */
    int64_t jitter_ps;
    uint32_t loss_ppm; /* Of all packets. */
    uint32_t copy_ppm; /* Delivered twice. */
    uint32_t broken;   /* The first entropies, which lose everything. */
    uint64_t seed;
    uint32_t receive_depth; /* Of both queue pairs. */
};

typedef void srd_pair_completed_fn(void *context, int end,
                                   const struct srd_completion *completion);
typedef void srd_pair_delivered_fn(void *context, int end,
                                   const struct srd_request *datagram);

struct srd_pair {
    struct srd_pair_config config;
    struct random random;
    struct srd *ends[2];  /* Owned. */
    struct srd_qp qps[2]; /* Owned; their number is that of the end. */
    int64_t now_ps;
    int64_t free_ps[2];
    uint64_t n_data[2]; /* Sent, repeated ones included. */
    uint64_t n_probes[2];
    bool is_cut;                      /* Everything that is sent is lost. */
    srd_pair_completed_fn *completed; /* May be NULL. */
    srd_pair_delivered_fn *delivered; /* May be NULL. */
    void *context;
    struct flights flights;
};

/* Fills '*pair', whose ends share 'config'. */
void srd_pair_init(struct srd_pair *pair, const struct srd_pair_config *link,
                   const struct srd_config *config);
void srd_pair_fini(struct srd_pair *pair);

/* Posts 'length_bytes' from 'end' to the queue pair of the other one. */
enum srd_status srd_pair_post(struct srd_pair *pair, int end, uint64_t id,
                              uint32_t length_bytes);

/* Sends what the ends have, then handles what happens next.  Returns false, and
 * does nothing, if nothing happens up to 'until_ps'. */
bool srd_pair_step(struct srd_pair *pair, int64_t until_ps);

#endif /* tests/support/srd_pair.h */
