/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_ROUTES_H
#define ORCHD_LAB_BUILDER_SWITCH_ROUTES_H

/* Programs the routes of one switch through SAI, as a routing stack does: a
 * router interface per port, a neighbor and a next hop per peer, next-hop
 * groups for equal-cost paths, and routes.
 *
 * Routes with the same set of next hops share one group.  A group with one next
 * hop is not created: the route names the next hop itself.
 *
 * When a link goes down, its next hops leave all groups; routes that have no
 * other next hop are removed until the link is up again.  Nothing else changes,
 * so the cost of a failure is the number of groups and routes that use the
 * link.  Routes that the failure of a distant link changes are up to the
 * caller: switch_routes_set() replaces them.
 *
 * The order of the calls, and so all object ids, depend only on the order of
 * the caller's lists. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/forwarding/address.h"

struct switch_instance;
struct switch_routes;

/* The other end of a link: a switch or a host. */
struct switch_peer {
    uint32_t slot;          /* The port (struct switch_image_port). */
    struct address address; /* Of the peer; unique on this switch. */
    uint64_t mac;           /* Of the peer, 48 bits, not a group address. */
    /* It is a host in a VLAN (lab/builder/switch_vlan.h), which reaches it: it
     * gets nothing here, and is the next hop of no route. */
    bool is_bridged;
    uint64_t interface; /* The router interface where it is; 0: one that is
                         * created for its port. */
};

struct switch_route {
    struct address prefix; /* Bits beyond 'length' are 0. */
    unsigned int length;   /* In bits; 0: the default route. */
    const uint32_t *peers; /* Indices of peers: equal-cost next hops. */
    uint32_t n_peers;      /* 0: discard. */
};

/* Creates the router interfaces, neighbors and next hops of 'instance' for the
 * 'n' 'peers', which are copied, and stores the handle in '*routes'.  A peer is
 * also a host route to its own address.  ST_INVALID (a port that does not
 * exist, an address or MAC address that is not allowed or not unique; the peer
 * is named); other failures are those of the switch.  End with
 * switch_routes_destroy(). */
enum st switch_routes_create(struct switch_instance *instance,
                             const struct switch_peer *peers, size_t n,
                             struct switch_routes **routes,
                             struct err *err) ST_WARN_UNUSED;

/* Frees 'routes'; the state of the switch stays.  Accepts NULL.  May be called
 * after the instance was destroyed. */
void switch_routes_destroy(struct switch_routes *routes);

/* Adds the 'n' routes of 'list', or replaces those with equal prefixes; the
 * list is copied.  ST_INVALID (a peer that does not exist, a prefix with bits
 * beyond its length), ST_NO_RESOURCE (a table of the switch is full): routes
 * before the failed one are set. */
enum st switch_routes_set(struct switch_routes *routes,
                          const struct switch_route *list, size_t n,
                          struct err *err) ST_WARN_UNUSED;

/* Removes a route, and its group if no other route uses it.  ST_NOT_FOUND. */
enum st switch_routes_withdraw(struct switch_routes *routes,
                               const struct address *prefix,
                               unsigned int length,
                               struct err *err) ST_WARN_UNUSED;

/* Withdraws the next hops of 'slot' from all routes ('up' false), or adds them
 * again.  Does not change the port itself.  ST_INVALID (no peer there). */
enum st switch_routes_set_link(struct switch_routes *routes, uint32_t slot,
                               bool up, struct err *err) ST_WARN_UNUSED;

/* What the switch has of this module's objects. */
struct switch_routes_count {
    size_t interfaces;
    size_t neighbors;
    size_t next_hops;
    size_t groups;
    size_t members; /* Of all groups. */
    size_t routes;  /* In the switch: without those that are withdrawn. */
};

void switch_routes_count(const struct switch_routes *routes,
                         struct switch_routes_count *count);

#endif /* lab/builder/switch_routes.h */
