/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_SRD_BENCH_H
#define ORCHD_TESTS_SUPPORT_SRD_BENCH_H

/* One end of an SRD context, packet by packet: what it sends, and which of its
 * packets are acknowledged when. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/transport/srd.h"

#define US INT64_C(1000000)
#define MS INT64_C(1000000000)

/* Datagrams are of an MTU, unless a test posts others; 'WIRE' are the bytes of
 * one on the wire. */
enum { MTU = 8928, WIRE = MTU + SRD_OVERHEAD_BYTES + 20 };

struct bench {
    struct srd_config config; /* Set before begin(). */
    uint64_t seed;
    struct srd *srd; /* Owned by the test. */
    uint64_t n_posted;
};

static inline void
begin(struct bench *bench)
{
    bench->srd = srd_create(NULL, &bench->config, bench->seed, 0);
    bench->n_posted = 0;
}

/* Posts a datagram of 'length_bytes'. */
static inline void
post_length(struct bench *bench, uint32_t length_bytes)
{
    const struct srd_request request = {.id = bench->n_posted++,
                                        .length_bytes = length_bytes};

    srd_post(bench->srd, &request);
}

/* Posts 'n' datagrams. */
static inline void
post(struct bench *bench, uint32_t n)
{
    while (n--) {
        post_length(bench, MTU);
    }
}

/* Sends the next packet, which has to be there. */
static inline struct srd_packet
send(struct bench *bench, int64_t now_ps)
{
    struct srd_packet packet;

    assert_true(srd_next(bench->srd, now_ps, &packet));
    assert_null(srd_check(bench->srd));
    return packet;
}

/* Lets the ACK of 'packet' arrive. */
static inline void
acknowledge(struct bench *bench, const struct srd_packet *packet,
            int64_t now_ps)
{
    const struct srd_packet ack = {.kind = SRD_ACK,
                                   .attempt = packet->attempt,
                                   .path = packet->path,
                                   .entropy = packet->entropy,
                                   .sequence = packet->sequence};
    struct srd_actions actions;

    srd_receive(bench->srd, &ack, SRD_OK, now_ps, &actions);
    assert_false(actions.has_reply);
    assert_null(srd_check(bench->srd));
}

#endif /* tests/support/srd_bench.h */
