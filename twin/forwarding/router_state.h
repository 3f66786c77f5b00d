/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ROUTER_STATE_H
#define ORCHD_TWIN_FORWARDING_ROUTER_STATE_H

/* The inside of a router, shared by its own files: router_tables.c keeps it,
 * router_decide.c walks it for every packet.
 *
 * Things with a handle are elements of a table, found in one step; those that
 * are gone leave a place that is used again.  Interfaces are few, and those of
 * one port or VLAN fewer: chains through the table, with a hash by place. */

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
    struct router_interface config;
    struct router_interface_stats stats;
    uint32_t next; /* At the same place. */
};

struct next_hop {
    bool exists;
    struct router_next_hop config;
};

struct group {
    bool exists;
    struct ecmp members;
};

/* Where interfaces are: a port and a tag, or a VLAN. */
struct place {
    uint64_t key;
    uint32_t first; /* The oldest interface. */
    UT_hash_handle hh;
};

/* What finds a neighbor: interface and address, all bytes of it. */
struct neighbor_key {
    uint32_t interface;
    struct address address;
    uint8_t zero[3];
};

struct neighbor {
    struct neighbor_key key;
    struct router_neighbor config;
    struct sai_host *host; /* NULL: it is no route. */
    struct neighbor *next;
    UT_hash_handle hh;
};

/* An address that is a route because it is a neighbor's; the same may be
 * behind several interfaces of a router, then the oldest counts. */
struct sai_host {
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
    struct domain *domains;
    struct interface *interfaces;
    struct next_hop *hops;
    struct group *groups;
    uint32_t n_domains;
    uint32_t n_interfaces;
    uint32_t n_hops;
    uint32_t n_groups;
    struct place *places;
    struct neighbor *neighbors;
    struct sai_host *hosts;
    size_t n_neighbors[ADDRESS_V6 + 1];
    size_t n_routes[ADDRESS_V6 + 1];
    uint32_t seed;
    uint64_t counts[ROUTER_N_REASONS];
};

/* Return the neighbor behind 'interface', and the one that is the route to
 * 'address' in 'domain'; NULL if there is none. */
struct neighbor *router_neighbor_find__(const struct router *router,
                                        uint32_t interface,
                                        const struct address *address);
const struct neighbor *router_host_find__(const struct router *router,
                                          uint32_t domain,
                                          const struct address *address);

#endif /* twin/forwarding/router_state.h */
