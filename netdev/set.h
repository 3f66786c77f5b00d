/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_SET_H
#define ORCHD_NETDEV_SET_H

/* What a set of interfaces consists of: inside of netdev/. */

#include <stdbool.h>
#include <stdint.h>

#include "netdev/netdev.h"

struct watched;

struct netdevs {
    struct netdev_listener listener;
    int epoll;
    struct netdev *first;
    struct watched *watched; /* The namespaces in which they are at home. */
    uint8_t *buffers;
    bool waits; /* Some interface has something to be flushed. */
    bool lost;  /* An interface has gone meanwhile: what epoll says is old. */
};

#endif /* netdev/set.h */
