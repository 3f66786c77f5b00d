/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_SET_H
#define ORCHD_NETDEV_SET_H

/* Internal to netdev/: a set of interfaces. */

#include <stdbool.h>
#include <stdint.h>

#include "netdev/netdev.h"

struct epoll_event;
struct privileged;
struct watched;

struct netdevs {
    struct netdev_listener listener;
    struct privileged *privileged; /* Borrowed. */
    int epoll;
    struct netdev *first;
    struct watched *watched; /* Their home namespaces. */
    uint8_t *buffers;
    struct epoll_event *events; /* Room for one of each descriptor. */
    int n_events;
    int n_held; /* Interfaces that are held. */
    bool waits; /* An interface has frames to flush. */
    bool lost;  /* An interface was closed, so pending epoll events are
                 * stale. */
};

#endif /* netdev/set.h */
