/* SPDX-License-Identifier: Apache-2.0 */

/* The neighbors of a router, and their host routes.
 *
 * Two hashes find them by the contents of a packet:
 *
 *   neighbor   interface and address: what a next hop resolves to,
 *   host       virtual router and address: the host routes of neighbors.  Two
 *              interfaces of one virtual router may have the same neighbor;
 *              the older one has the route, and the next one inherits it.
 *
 * Hash keys are compared byte by byte, so their padding is always zero. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "twin/forwarding/router.h"
#include "twin/forwarding/router_state.h"

/* Returns the key of a neighbor from the handle of its interface, or that of a
 * host route from the handle of its virtual router. */
static struct neighbor_key
neighbor_key(uint32_t number, const struct address *address)
{
    return (struct neighbor_key){.interface = number, .address = *address};
}

struct neighbor *
router_neighbor_find__(const struct router *router, uint32_t interface,
                       const struct address *address)
{
    const struct neighbor_key key = neighbor_key(interface, address);
    struct neighbor *neighbor;

    HASH_FIND(hh, router->neighbors, &key, sizeof key, neighbor);
    return neighbor;
}

/* Returns the host routes to that address, NULL if there are none. */
static struct host_route *
find_host(const struct router *router, uint32_t domain,
          const struct address *address)
{
    const struct neighbor_key key = neighbor_key(domain, address);
    struct host_route *host;

    HASH_FIND(hh, router->hosts, &key, sizeof key, host);
    return host;
}

const struct neighbor *
router_host_find__(const struct router *router, uint32_t domain,
                   const struct address *address)
{
    const struct host_route *host =
        router->hosts ? find_host(router, domain, address) : NULL;

    return host ? host->neighbors : NULL;
}

/* Makes 'neighbor' a host route, behind the existing ones to the same
 * address. */
static void
become_route(struct router *router, struct neighbor *neighbor)
{
    const uint32_t domain =
        router->interfaces[neighbor->key.interface].config.domain;
    struct host_route *host = find_host(router, domain, &neighbor->key.address);
    struct neighbor **last;

    if (!host) {
        host = check_calloc(1, sizeof *host);
        host->key = neighbor_key(domain, &neighbor->key.address);
        HASH_ADD(hh, router->hosts, key, sizeof host->key, host);
    }
    last = &host->neighbors;
    while (*last) {
        last = &(*last)->next;
    }
    *last = neighbor;
    neighbor->next = NULL;
    neighbor->host = host;
}

/* Does the reverse; the next neighbor with the same address takes over the
 * route. */
static void
cease_route(struct router *router, struct neighbor *neighbor)
{
    struct host_route *host = neighbor->host;
    struct neighbor **link = &host->neighbors;

    while (*link != neighbor) {
        link = &(*link)->next;
    }
    *link = neighbor->next;
    neighbor->host = NULL;
    if (!host->neighbors) {
        HASH_DEL(router->hosts, host);
        free(host);
    }
}

void
router_neighbor_set(struct router *router, uint32_t interface,
                    const struct address *address,
                    const struct router_neighbor *config)
{
    struct neighbor *neighbor =
        router_neighbor_find__(router, interface, address);

    router_changed__(router);
    if (!neighbor) {
        neighbor = check_calloc(1, sizeof *neighbor);
        neighbor->key = neighbor_key(interface, address);
        HASH_ADD(hh, router->neighbors, key, sizeof neighbor->key, neighbor);
        router->n_neighbors[address->family]++;
    }
    neighbor->config = *config;
    if (config->is_route && !neighbor->host) {
        become_route(router, neighbor);
    } else if (!config->is_route && neighbor->host) {
        cease_route(router, neighbor);
    }
}

bool
router_neighbor_remove(struct router *router, uint32_t interface,
                       const struct address *address)
{
    struct neighbor *neighbor =
        router_neighbor_find__(router, interface, address);

    router_changed__(router);
    if (!neighbor) {
        return false;
    }
    if (neighbor->host) {
        cease_route(router, neighbor);
    }
    router->n_neighbors[address->family]--;
    HASH_DEL(router->neighbors, neighbor);
    free(neighbor);
    return true;
}

const struct router_neighbor *
router_neighbor_get(const struct router *router, uint32_t interface,
                    const struct address *address)
{
    const struct neighbor *neighbor =
        router_neighbor_find__(router, interface, address);

    return neighbor ? &neighbor->config : NULL;
}

size_t
router_n_neighbors(const struct router *router, enum address_family family)
{
    return router->n_neighbors[family];
}

void
router_neighbors_each(const struct router *router, router_neighbor_fn *each,
                      void *context)
{
    for (const struct neighbor *n = router->neighbors; n; n = n->hh.next) {
        each(context, n->key.interface, &n->key.address, &n->config);
    }
}
