/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_FLIGHTS_H
#define ORCHD_TESTS_SUPPORT_FLIGHTS_H

/* What is on its way between the two ends of a connection, by the time of its
 * arrival; of equal times, what was put first comes first. */

#include <stddef.h>
#include <stdint.h>

#include "twin/transport/opcode.h"
#include "twin/transport/srd.h"
#include "twin/transport/tcp.h"

struct flight {
    int64_t at_ps;
    uint64_t order; /* Of flights_put(). */
    int end;        /* The receiver. */
    union {
        struct transport_packet packet; /* Of an rc_pair, */
        struct tcp_segment segment;     /* of a tcp_pair, */
        struct srd_packet datagram;     /* of an srd_pair. */
    };
};

/* Zeroed: empty. */
struct flights {
    struct flight *heap; /* Owned. */
    size_t n, room;
    uint64_t order;
};

void flights_fini(struct flights *flights);

/* Adds a copy of '*flight'. */
void flights_put(struct flights *flights, const struct flight *flight);

/* Returns when the first arrives; INT64_MAX: there is none. */
int64_t flights_next_ps(const struct flights *flights);

/* Takes the first, which has to be there. */
struct flight flights_take(struct flights *flights);

#endif /* tests/support/flights.h */
