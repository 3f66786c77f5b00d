/* SPDX-License-Identifier: Apache-2.0 */

/* The tables of a router: adds, changes, finds and removes virtual routers,
 * interfaces, next hops, groups and routes.  router_neighbors.c has the
 * neighbors.
 *
 * Handles are indices.  They are reused after removal, the lowest first, so
 * equal calls give equal handles.  This module does not count references: the
 * caller makes sure that an object it removes is not in use (the SAI objects
 * know).
 *
 * A hash finds interfaces by the contents of a packet.  Its key is an
 * attachment, a port and tag or a VLAN; the interfaces at one attachment,
 * oldest first, differ by the MAC address that packets are sent to. */

#include <config.h>

#include "twin/forwarding/router.h"

#include <stdlib.h>

#include "base/check.h"
#include "twin/forwarding/router_state.h"

const char *
router_reason_text(enum router_reason reason)
{
    static const char *const texts[] = {
#define X(REASON, text) [ROUTER_##REASON] = text,
        ROUTER_REASONS(X)
#undef X
    };

    return texts[reason];
}

struct router *
router_create(void)
{
    const struct flow_hash_config hash = flow_hash_default();
    struct router *router = check_calloc(1, sizeof *router);

    flow_hash_init(&router->hash, &hash);
    router->forced_member = ROUTER_NONE;
    return router;
}

void
router_destroy(struct router *router)
{
    if (!router) {
        return;
    }
    for (uint32_t i = 0; i < router->n_interfaces; i++) {
        router_interface_remove(router, i);
    }
    for (uint32_t i = 0; i < router->n_groups; i++) {
        router_group_remove(router, i);
    }
    for (uint32_t i = 0; i < router->n_domains; i++) {
        router_domain_remove(router, i);
    }
    free(router->my_macs);
    free(router->domains);
    free(router->interfaces);
    free(router->hops);
    free(router->groups);
    free(router);
}

void
router_watch(struct router *router, uint32_t *changes)
{
    router->changes = changes;
}

void
router_set_hash(struct router *router, const struct flow_hash_config *config)
{
    router_changed__(router);
    flow_hash_init(&router->hash, config);
}

uint64_t
router_count(const struct router *router, enum router_reason reason)
{
    return router->counts[reason];
}

/* Stores in 'at' the first free element of 'table', which has 'n' elements and
 * grows if none is free. */
#define FREE_PLACE(table, n, at)                                               \
    do {                                                                       \
        (at) = 0;                                                              \
        while ((at) < (n) && (table)[at].exists) {                             \
            (at)++;                                                            \
        }                                                                      \
        if ((at) == (n)) {                                                     \
            (table) = check_realloc((table), ++(n) * sizeof *(table));         \
        }                                                                      \
    } while (0)

/* Virtual routers ------------------------------------------------------ */

uint32_t
router_domain_add(struct router *router, const struct router_domain *domain)
{
    uint32_t at;

    router_changed__(router);
    FREE_PLACE(router->domains, router->n_domains, at);
    router->domains[at] = (struct domain){.exists = true, .config = *domain};
    router->domains[at].routes[ADDRESS_V4] = lpm_create();
    router->domains[at].routes[ADDRESS_V6] = lpm_create();
    return at;
}

void
router_domain_set(struct router *router, uint32_t handle,
                  const struct router_domain *domain)
{
    router_changed__(router);
    router->domains[handle].config = *domain;
}

/* An lpm_each_fn. */
static void
free_route(void *context, void *value)
{
    struct router *router = context;
    struct route *route = value;

    router->n_routes[route->prefix.family]--;
    free(route);
}

void
router_domain_remove(struct router *router, uint32_t handle)
{
    struct domain *domain = &router->domains[handle];

    router_changed__(router);
    for (int family = ADDRESS_V4; domain->exists && family <= ADDRESS_V6;
         family++) {
        lpm_each(domain->routes[family], free_route, router);
        lpm_destroy(domain->routes[family]);
    }
    domain->exists = false;
}

/* Interfaces ----------------------------------------------------------- */

/* Returns the key of the attachment of an interface of 'kind'. */
static uint64_t
attachment_key(enum router_kind kind, uint32_t port, uint16_t vlan)
{
    switch (kind) {
    case ROUTER_ON_PORT:
        return (uint64_t)port << 16;
    case ROUTER_ON_SUB_PORT:
        return (uint64_t)port << 16 | vlan;
    default:
        return UINT64_C(1) << 48 | vlan;
    }
}

/* Returns the attachment with that key, NULL if it has no interface. */
static struct attachment *
find_attachment(const struct router *router, uint64_t key)
{
    struct attachment *attachment;

    HASH_FIND(hh, router->attachments, &key, sizeof key, attachment);
    return attachment;
}

/* Returns the key of the attachment of 'interface', which must not be a
 * loopback: those have none. */
static uint64_t
key_of(const struct router_interface *interface)
{
    return attachment_key(interface->kind, interface->port, interface->vlan);
}

uint32_t
router_interface_add(struct router *router,
                     const struct router_interface *interface)
{
    const uint64_t key = key_of(interface);
    struct attachment *attachment;
    uint32_t *last;
    uint32_t at;

    router_changed__(router);
    FREE_PLACE(router->interfaces, router->n_interfaces, at);
    router->interfaces[at] = (struct interface){
        .exists = true, .config = *interface, .next = ROUTER_NONE};
    if (interface->kind == ROUTER_LOOPBACK) {
        return at;
    }
    attachment = find_attachment(router, key);
    if (!attachment) {
        attachment = check_calloc(1, sizeof *attachment);
        attachment->key = key;
        attachment->first = ROUTER_NONE;
        HASH_ADD(hh, router->attachments, key, sizeof attachment->key,
                 attachment);
    }
    last = &attachment->first;
    while (*last != ROUTER_NONE) {
        last = &router->interfaces[*last].next;
    }
    *last = at;
    return at;
}

void
router_interface_set(struct router *router, uint32_t handle,
                     const struct router_interface *interface)
{
    router_changed__(router);
    orch_assert(key_of(&router->interfaces[handle].config) ==
                key_of(interface)); /* It stays where it is. */
    router->interfaces[handle].config = *interface;
}

/* Removes interface 'handle' from the chain of its attachment. */
static void
detach_interface(struct router *router, uint32_t handle)
{
    const struct interface *interface = &router->interfaces[handle];
    struct attachment *attachment =
        find_attachment(router, key_of(&interface->config));
    uint32_t *link = &attachment->first;

    while (*link != handle) {
        link = &router->interfaces[*link].next;
    }
    *link = interface->next;
    if (attachment->first == ROUTER_NONE) {
        HASH_DEL(router->attachments, attachment);
        free(attachment);
    }
}

void
router_interface_remove(struct router *router, uint32_t handle)
{
    struct interface *interface = &router->interfaces[handle];
    struct neighbor *neighbor;
    struct neighbor *next;

    router_changed__(router);
    if (!interface->exists) {
        return;
    }
    HASH_ITER(hh, router->neighbors, neighbor, next)
    {
        if (neighbor->key.interface == handle) {
            const struct address address = neighbor->key.address;

            router_neighbor_remove(router, handle, &address);
        }
    }
    if (interface->config.kind != ROUTER_LOOPBACK) {
        detach_interface(router, handle);
    }
    interface->exists = false;
}

const struct router_interface *
router_interface_get(const struct router *router, uint32_t handle)
{
    return handle < router->n_interfaces && router->interfaces[handle].exists
               ? &router->interfaces[handle].config
               : NULL;
}

struct router_interface_stats *
router_interface_stats(struct router *router, uint32_t handle)
{
    return &router->interfaces[handle].stats;
}

/* Returns the interface at an attachment that takes frames to 'mac'. */
static uint32_t
interface_at(const struct router *router, uint64_t key, uint64_t mac)
{
    const struct attachment *attachment = find_attachment(router, key);
    uint32_t at = attachment ? attachment->first : ROUTER_NONE;

    while (at != ROUTER_NONE) {
        const struct router_interface *config = &router->interfaces[at].config;
        const struct router_domain *domain =
            &router->domains[config->domain].config;

        if (mac == config->mac || mac == domain->mac ||
            (mac == domain->switch_mac && mac)) {
            return at;
        }
        at = router->interfaces[at].next;
    }
    return ROUTER_NONE;
}

uint32_t
router_interface_for(const struct router *router, uint32_t port, uint16_t tag,
                     uint16_t vlan, uint64_t mac)
{
    uint32_t found;

    if (!router->attachments) {
        return ROUTER_NONE; /* Most switches in tests do not route. */
    }
    found = interface_at(
        router,
        attachment_key(tag ? ROUTER_ON_SUB_PORT : ROUTER_ON_PORT, port, tag),
        mac);
    return found == ROUTER_NONE && vlan
               ? interface_at(router, attachment_key(ROUTER_ON_VLAN, 0, vlan),
                              mac)
               : found;
}

uint32_t
router_attached__(const struct router *router, uint32_t port, uint16_t tag,
                  uint16_t vlan)
{
    const enum router_kind kind = vlan  ? ROUTER_ON_VLAN
                                  : tag ? ROUTER_ON_SUB_PORT
                                        : ROUTER_ON_PORT;
    const struct attachment *attachment =
        find_attachment(router, attachment_key(kind, port, vlan ? vlan : tag));

    return attachment ? attachment->first : ROUTER_NONE;
}

bool
router_interface_taken(const struct router *router,
                       const struct router_interface *interface)
{
    return interface->kind != ROUTER_LOOPBACK && !interface->is_virtual &&
           find_attachment(router, key_of(interface));
}

/* Next hops and groups ------------------------------------------------- */

uint32_t
router_next_hop_add(struct router *router, const struct router_next_hop *hop)
{
    uint32_t at;

    router_changed__(router);
    FREE_PLACE(router->hops, router->n_hops, at);
    router->hops[at] = (struct next_hop){.exists = true, .config = *hop};
    return at;
}

void
router_next_hop_set(struct router *router, uint32_t handle,
                    const struct router_next_hop *hop)
{
    router_changed__(router);
    router->hops[handle].config = *hop;
}

void
router_next_hop_remove(struct router *router, uint32_t handle)
{
    router_changed__(router);
    router->hops[handle].exists = false;
}

uint32_t
router_group_add(struct router *router)
{
    uint32_t at;

    router_changed__(router);
    FREE_PLACE(router->groups, router->n_groups, at);
    router->groups[at] = (struct group){.exists = true};
    return at;
}

void
router_group_remove(struct router *router, uint32_t handle)
{
    router_changed__(router);
    if (router->groups[handle].exists) {
        ecmp_fini(&router->groups[handle].members);
        router->groups[handle].exists = false;
    }
}

void
router_group_set(struct router *router, uint32_t group, uint64_t key,
                 uint32_t next_hop, uint32_t weight)
{
    router_changed__(router);
    ecmp_set(&router->groups[group].members, key, next_hop, weight);
}

void
router_group_unset(struct router *router, uint32_t group, uint64_t key)
{
    router_changed__(router);
    (void)ecmp_remove(&router->groups[group].members, key);
}

void
router_force_member(struct router *router, uint32_t member)
{
    router->forced_member = member;
    router->n_members = 0;
}

uint32_t
router_n_members(const struct router *router)
{
    return router->n_members;
}

/* Routes --------------------------------------------------------------- */

/* Returns the table with the prefixes of that family. */
static struct lpm *
table_of(const struct router *router, uint32_t domain,
         const struct address *prefix)
{
    return router->domains[domain].routes[prefix->family];
}

void
router_route_set(struct router *router, uint32_t domain,
                 const struct address *prefix, unsigned int length,
                 const struct router_route *config)
{
    struct lpm *table = table_of(router, domain, prefix);
    struct route *route = lpm_find(table, prefix, length);

    router_changed__(router);
    if (!route) {
        route = check_calloc(1, sizeof *route);
        route->prefix = address_mask(prefix, length);
        route->length = (uint8_t)length;
        route->domain = domain;
        (void)lpm_insert(table, prefix, length, route);
        router->n_routes[prefix->family]++;
    }
    route->config = *config;
}

bool
router_route_remove(struct router *router, uint32_t domain,
                    const struct address *prefix, unsigned int length)
{
    struct route *route =
        lpm_remove(table_of(router, domain, prefix), prefix, length);

    router_changed__(router);
    if (route) {
        free_route(router, route);
    }
    return route != NULL;
}

const struct router_route *
router_route_get(const struct router *router, uint32_t domain,
                 const struct address *prefix, unsigned int length)
{
    const struct route *route =
        lpm_find(table_of(router, domain, prefix), prefix, length);

    return route ? &route->config : NULL;
}

size_t
router_n_routes(const struct router *router, enum address_family family)
{
    return router->n_routes[family];
}

/* The callback of router_routes_each(). */
struct route_visitor {
    router_route_fn *each;
    void *context;
};

/* An lpm_each_fn. */
static void
visit(void *context, void *value)
{
    const struct route_visitor *visitor = context;
    const struct route *route = value;

    visitor->each(visitor->context, route->domain, &route->prefix,
                  route->length, &route->config);
}

void
router_routes_each(const struct router *router, router_route_fn *each,
                   void *context)
{
    struct route_visitor walk = {each, context};

    for (uint32_t i = 0; i < router->n_domains; i++) {
        for (int family = ADDRESS_V4;
             router->domains[i].exists && family <= ADDRESS_V6; family++) {
            lpm_each(router->domains[i].routes[family], visit, &walk);
        }
    }
}
