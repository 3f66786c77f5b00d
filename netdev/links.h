/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_LINKS_H
#define ORCHD_NETDEV_LINKS_H

/* The links of one network namespace, and of others that are known to it, by
 * netlink (libnl).
 *
 * There are two sockets in that namespace: one receives events, the other sends
 * requests and waits for the answers.  Other namespaces are known by numbers,
 * and this module does not keep them alive: they end with their last process
 * and name. When events were lost because there were too many, all links of the
 * namespace are requested again, and reported as if they had changed.
 *
 * Events of other namespaces also need CAP_NET_BROADCAST. */

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "netdev/namespace.h"

struct links;

enum { LINKS_HERE = -1 }; /* The number of this namespace. */

/* A link in an event or an answer. */
struct links_news {
    int space; /* The number of its namespace. */
    int index;
    char name[IFNAMSIZ];
    unsigned int flags; /* IFF_* */
    uint32_t queue;     /* Length of the transmit queue, in frames. */
    uint64_t dropped;   /* Frames to be sent that its driver dropped. */
    bool is_gone;
};

/* Called in links_poll() for each link event. */
typedef void links_fn(void *context, struct links *links,
                      const struct links_news *news);

/* Opens the links of 'namespace', and takes it over on success.  ST_IO. */
enum st links_open(const struct namespace *namespace, links_fn *on_news,
                   void *context, struct links **links,
                   struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void links_close(struct links *links);

/* Returns whether these are the links of 'namespace'. */
bool links_are_of(const struct links *links, const struct namespace *namespace);

/* Returns the namespace; borrowed. */
const struct namespace *links_namespace(const struct links *links);

/* Returns the descriptor, which is readable when there are events. */
int links_fd(const struct links *links);

/* Reports all pending events. */
void links_poll(struct links *links);

/* Requests link 'index', which is then reported like an event. */
void links_ask(struct links *links, int index);

/* Stores the number of the namespace of 'fd' in '*space', and watches it from
 * then on.  Assigns a number if it has none.  ST_IO. */
enum st links_number(struct links *links, int fd, int *space,
                     struct err *err) ST_WARN_UNUSED;

/* The following functions act on this namespace, or on 'elsewhere' if that is
 * not NULL, which they enter. */

/* Looks up link 'name'; does not set 'found->space'.  ST_NOT_FOUND, ST_IO. */
enum st links_find(struct links *links, const struct namespace *elsewhere,
                   const char *name, struct links_news *found,
                   struct err *err) ST_WARN_UNUSED;

/* What to change about a link. */
struct links_change {
    const uint8_t *mac; /* Six bytes; NULL: none. */
    uint32_t mtu;       /* 0: none. */
    uint32_t queue;     /* Length of the transmit queue in frames; 0: no
                         * change. */
    int up;             /* 1 or 0; negative: no change. */
    int carrier;        /* The same. */
};

/* Changes link 'index'.  ST_NOT_FOUND, ST_INVALID (a value), ST_IO. */
enum st links_change(struct links *links, const struct namespace *elsewhere,
                     int index, const struct links_change *change,
                     struct err *err) ST_WARN_UNUSED;

/* Sets the speed that the driver of link 'name' reports to ethtool; few drivers
 * support it. */
void links_set_speed(const struct links *links,
                     const struct namespace *elsewhere, const char *name,
                     uint32_t mbps);

#endif /* netdev/links.h */
