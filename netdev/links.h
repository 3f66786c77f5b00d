/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_LINKS_H
#define ORCHD_NETDEV_LINKS_H

/* The links of one network namespace, and of others that are known to it, by
 * netlink (libnl).
 *
 * There are two sockets in that namespace, opened with privileges
 * (netdev/privileged.h): one receives events, the other sends requests and
 * waits for the answers.  None of this module's own calls needs a privilege.
 * Other namespaces are known by numbers, and this module does not keep them
 * alive: they end with their last process and name. When events were lost
 * because there were too many, all links of the namespace are requested again,
 * and reported as if they had changed.
 *
 * Events of other namespaces also need CAP_NET_BROADCAST. */

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "netdev/namespace.h"

struct links;
struct privileged;

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

/* Opens the links of namespace 'space' of 'privileged', which is borrowed.
 * ST_IO. */
enum st links_open(struct privileged *privileged, uint32_t space,
                   links_fn *on_news, void *context, struct links **links,
                   struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void links_close(struct links *links);

/* Returns whether these are the links of 'namespace'. */
bool links_are_of(const struct links *links, const struct namespace *namespace);

/* Returns who opened the links, borrowed, and the number of their namespace
 * there. */
struct privileged *links_privileged(const struct links *links, uint32_t *space);

/* Returns the descriptor, which is readable when there are events. */
int links_fd(const struct links *links);

/* Reports all pending events. */
void links_poll(struct links *links);

/* Requests link 'index', which is then reported like an event. */
void links_ask(struct links *links, int index);

/* Looks up link 'name' of this namespace or, by netlink socket 'elsewhere' if
 * that is not negative, which it closes, of another.  Does not set
 * 'found->space'.  ST_NOT_FOUND, ST_IO. */
enum st links_find(struct links *links, int elsewhere, const char *name,
                   struct links_news *found, struct err *err) ST_WARN_UNUSED;

#endif /* netdev/links.h */
