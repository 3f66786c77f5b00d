/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_LINKS_H
#define ORCHD_NETDEV_LINKS_H

/* The links of one network namespace, and of others that were made known to it,
 * as netlink (libnl) tells of them.
 *
 * Two sockets, both in that one: news come on one, requests go by the other and
 * are answered before they return.  Other namespaces are known by numbers, and
 * nothing here keeps one of them alive: it goes with its last process and name.
 * When news were lost because there were too many, all links of the one
 * namespace are asked for again, and told as if they had changed.
 *
 * News of other namespaces need CAP_NET_BROADCAST besides. */

#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "netdev/namespace.h"

struct links;

enum { LINKS_HERE = -1 }; /* The number of the one namespace. */

/* What is told of a link. */
struct links_news {
    int space; /* Number of its namespace. */
    int index;
    char name[IFNAMSIZ];
    unsigned int flags; /* IFF_* */
    bool is_gone;
};

/* Called in links_poll() for each link of which there is news. */
typedef void links_fn(void *context, struct links *links,
                      const struct links_news *news);

/* Opens 'namespace', which is taken over if that succeeds.  ST_IO. */
enum st links_open(const struct namespace *namespace, links_fn *on_news,
                   void *context, struct links **links,
                   struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void links_close(struct links *links);

/* Returns whether these are the links of 'namespace'. */
bool links_are_of(const struct links *links, const struct namespace *namespace);

/* Returns the namespace; borrowed. */
const struct namespace *links_namespace(const struct links *links);

/* The descriptor that is readable when there is news. */
int links_fd(const struct links *links);

/* Tells all news there is. */
void links_poll(struct links *links);

/* Asks for link 'index', which is then told with the news. */
void links_ask(struct links *links, int index);

/* Finds out the number of the namespace of 'fd', which gets one if it has none,
 * and is watched from then on.  ST_IO. */
enum st links_number(struct links *links, int fd, int *space,
                     struct err *err) ST_WARN_UNUSED;

/* The following look at the one namespace, or at 'elsewhere' if that is not
 * NULL; they enter it for this. */

/* Finds the link 'name' now; 'found->space' is not set.  ST_NOT_FOUND, ST_IO.
 */
enum st links_find(struct links *links, const struct namespace *elsewhere,
                   const char *name, struct links_news *found,
                   struct err *err) ST_WARN_UNUSED;

/* What to change; the rest stays. */
struct links_change {
    const uint8_t *mac; /* Six bytes; NULL: none. */
    uint32_t mtu;       /* 0: none. */
    uint32_t queue;     /* Frames that may wait to be sent; 0: as it is. */
    int up;             /* 1 or 0; negative: as it is. */
    int carrier;        /* The same. */
};

/* Changes link 'index'.  ST_NOT_FOUND, ST_INVALID (a value), ST_IO. */
enum st links_change(struct links *links, const struct namespace *elsewhere,
                     int index, const struct links_change *change,
                     struct err *err) ST_WARN_UNUSED;

/* Tells the driver of link 'name' its speed, for those who ask ethtool; few
 * drivers can be told. */
void links_set_speed(const struct links *links,
                     const struct namespace *elsewhere, const char *name,
                     uint32_t mbps);

#endif /* netdev/links.h */
