/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_PRIVILEGED_REQUEST_H
#define ORCHD_NETDEV_PRIVILEGED_REQUEST_H

/* The requests of privileged.h, and their answers.
 *
 * X(verb, whether a TAP's descriptor is passed, whether a name is given,
 *   descriptors in the answer).
 *   TAP     creates TAP 'name' in 'space'; answers with its descriptor.
 *   PACKET  answers with a packet socket of interface 'name' of 'space', which
 *           is in the list.
 *   LINKS   answers with two netlink sockets in 'space': one receives link
 *           events, the other is for requests.
 *   FIND    answers with 'number' 0 if the TAP is in 'space'; else with 1 and,
 *           if that namespace can be entered, a netlink socket in it.
 *   NUMBER  answers with the 'number' by which 'space' knows the namespace of
 *           the TAP; assigns one if it has none.
 *   CHANGE  applies 'change' to the TAP.
 *   CHANGE_BOUND  the same for interface 'name', bound in 'space' before. */

#include <stdint.h>

#include "netdev/netdev.h"

#define PRIVILEGED_LIST(X)                                                     \
    X(TAP, false, true, 1)                                                     \
    X(PACKET, false, true, 1)                                                  \
    X(LINKS, false, false, 2)                                                  \
    X(FIND, true, false, 1)                                                    \
    X(NUMBER, true, false, 0)                                                  \
    X(CHANGE, true, false, 0)                                                  \
    X(CHANGE_BOUND, false, true, 0)

enum privileged_verb {
#define X(member, tap, name, fds) PRIVILEGED_##member,
    PRIVILEGED_LIST(X)
#undef X
        N_PRIVILEGED,
};

/* What to change about an interface.  That of a bound interface may have no
 * address, queue and carrier. */
struct privileged_change {
    uint32_t mtu;        /* 0: no change. */
    uint32_t queue;      /* Length of the transmit queue in frames; 0: none. */
    uint32_t speed_mbps; /* Reported to ethtool, which few drivers support, so
                          * it cannot fail; 0: none. */
    int8_t up;           /* 1 or 0; negative: no change. */
    int8_t carrier;      /* The same. */
    uint8_t has_mac;     /* 1 or 0. */
    uint8_t mac[6];
    uint8_t unused[3]; /* 0. */
};

/* As it is sent; members without a meaning are 0. */
struct privileged_request {
    uint32_t verb;  /* enum privileged_verb. */
    uint32_t space; /* Number of a namespace. */
    char name[NETDEV_NAME_MAX + 1];
    struct privileged_change change;
};

#define PRIVILEGED_FDS_MAX 2

struct privileged_answer {
    int32_t number;
    uint32_t n_fds;
    int fds[PRIVILEGED_FDS_MAX]; /* Owned by who gets the answer. */
};

#endif /* netdev/privileged_request.h */
