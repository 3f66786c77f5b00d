/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ROUTER_STATE_H
#define ORCHD_TWIN_FORWARDING_ROUTER_STATE_H

/* The internals of a router, for its own files only: router_tables.c maintains
 * the tables, router_decide.c uses them for every packet.
 *
 * An object with a handle is an element of a table, found in one step; the
 * element of a removed object is reused.  There are few interfaces, and fewer
 * on one port or VLAN: they are chained through the table, with a hash by
 * attachment. */

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include "twin/forwarding/ecmp.h"
#include "twin/forwarding/lpm.h"
#include "twin/forwarding/router.h"

struct domain {
    bool exists;
    struct router_domain config;
    struct lpm *routes[ADDRESS_V6 + 1]; /* By family. */
};

struct interface {
    bool exists;
    struct router_interface_stats stats; /* The rest of what packets need. */
    struct router_interface config;
    uint32_t
        next; /* Next interface at the same attachment; ROUTER_NONE: none. */
};

struct next_hop {
    bool exists;
    struct router_next_hop config;
};

struct group {
    bool exists;
    struct ecmp members;
};

/* Where interfaces are attached: a port and a tag, or a VLAN. */
struct attachment {
    uint64_t key;
    uint32_t first; /* The oldest interface. */
    UT_hash_handle hh;
};

/* The key of a neighbor: interface and all bytes of the address. */
struct neighbor_key {
    uint32_t interface;
    struct address address;
    uint8_t zero[3];
};

struct neighbor {
    struct neighbor_key key;
    struct router_neighbor config;
    struct host_route *host; /* NULL: the neighbor is not a host route. */
    struct neighbor *next;
    UT_hash_handle hh;
};

/* The host route to the address of a neighbor.  If the address is behind
 * several interfaces of a router, the oldest neighbor has the route. */
struct host_route {
    struct neighbor_key key; /* Virtual router and address. */
    struct neighbor *neighbors;
    UT_hash_handle hh;
};

struct route {
    struct router_route config;
    struct address prefix;
    uint8_t length;
    uint32_t domain;
};

struct router {
    /* What a packet of a known flow needs comes first. */
    struct interface *interfaces;
    uint32_t n_interfaces;
    uint32_t n_domains;
    uint64_t counts[ROUTER_N_REASONS];
    struct domain *domains;
    struct next_hop *hops;
    struct group *groups;
    uint32_t n_hops;
    uint32_t n_groups;
    struct attachment *attachments;
    struct neighbor *neighbors;
    struct host_route *hosts;
    size_t n_neighbors[ADDRESS_V6 + 1];
    size_t n_routes[ADDRESS_V6 + 1];
    struct router_my_mac *my_macs;
    uint32_t n_my_macs;
    uint32_t forced_member; /* ROUTER_NONE: by the hash. */
    uint32_t n_members;     /* See router_n_members(). */
    uint32_t *changes;      /* Counts the changes for its user; or NULL. */
    struct flow_hash hash;
};

/* Counts a change that may change a decision. */
static inline void
router_changed__(struct router *router)
{
    if (router->changes) {
        ++*router->changes;
    }
}

/* Returns the oldest interface of 'port' for frames with 'tag' (0: none), or if
 * 'vlan' is not 0 that of the VLAN; ROUTER_NONE if there is none. */
uint32_t router_attached__(const struct router *router, uint32_t port,
                           uint16_t tag, uint16_t vlan);

/* Return the neighbor 'address' behind 'interface', and the neighbor that has
 * the host route to 'address' in 'domain'; NULL if there is none. */
struct neighbor *router_neighbor_find__(const struct router *router,
                                        uint32_t interface,
                                        const struct address *address);
const struct neighbor *router_host_find__(const struct router *router,
                                          uint32_t domain,
                                          const struct address *address);

#endif /* twin/forwarding/router_state.h */
