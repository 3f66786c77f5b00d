/* SPDX-License-Identifier: Apache-2.0 */

/* Programs the routes of one switch through SAI.
 *
 * Peers, in the order of the caller, have a next hop each.  A *set* is a sorted
 * list of peers; routes refer to sets, which are shared by content and counted.
 * A set of several peers has a next-hop group, whose members are those peers
 * that are up.  A route is in the switch while its set has a peer that is up,
 * or has no peers at all (it discards). */

#include <config.h>

#include "lab/builder/switch_routes.h"

#include <stdlib.h>
#include <string.h>

#include <sai.h>
#include <uthash.h>

#include "base/check.h"
#include "lab/builder/switch_check.h"
#include "lab/builder/switch_image.h"
#include "lab/builder/switch_sai.h"

struct peer {
    struct switch_peer of;
    sai_object_id_t interface;
    sai_object_id_t next_hop;
    bool is_up;
};

struct set {
    uint32_t *peers; /* Ascending; the key of the hash. */
    uint32_t n;
    uint32_t n_up;
    sai_object_id_t group;    /* If 'n' > 1. */
    sai_object_id_t *members; /* Of the group, by peer; null: down. */
    struct entry *routes;     /* Linked by 'next' and 'previous'. */
    UT_hash_handle hh;
};

/* The key of a route, without padding. */
struct route_key {
    struct address prefix;
    uint8_t length;
};

struct entry {
    struct route_key key;
    bool is_installed;
    struct set *set;
    struct entry *next, *previous;
    UT_hash_handle hh;
};

struct switch_routes {
    struct switch_sai sai;
    struct peer *peers;
    size_t n_peers;
    size_t n_routed; /* Of them, those that are not bridged. */
    size_t n_interfaces;
    struct set *sets;      /* A hash by peers. */
    struct entry *entries; /* A hash by key. */
    size_t n_groups;
    size_t n_members;
    size_t n_installed;
};

/* Peers --------------------------------------------------------------- */

/* Returns the interface of a peer before peer 'i' on the same port, or null. */
static sai_object_id_t
known_interface(const struct switch_routes *routes, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (routes->peers[k].of.slot == routes->peers[i].of.slot) {
            return routes->peers[k].interface;
        }
    }
    return SAI_NULL_OBJECT_ID;
}

/* Programs interface, neighbor and next hop of peer 'i'. */
static enum st
add_peer(struct switch_routes *routes, size_t i, struct err *err)
{
    struct peer *peer = &routes->peers[i];
    enum st st = ST_OK;

    if (peer->of.is_bridged) {
        return ST_OK;
    }
    peer->interface =
        peer->of.interface ? peer->of.interface : known_interface(routes, i);
    if (peer->interface == SAI_NULL_OBJECT_ID) {
        st = switch_sai_add_interface(&routes->sai, peer->of.slot,
                                      &peer->interface, err);
        routes->n_interfaces += st == ST_OK;
    }
    st = st ? st
            : switch_sai_add_neighbor(&routes->sai, peer->interface,
                                      &peer->of.address, peer->of.mac, err);
    return st ? st
              : switch_sai_add_next_hop(&routes->sai, peer->interface,
                                        &peer->of.address, &peer->next_hop,
                                        err);
}

enum st
switch_routes_create(struct switch_instance *instance,
                     const struct switch_peer *peers, size_t n,
                     struct switch_routes **routes, struct err *err)
{
    struct switch_routes *made;
    enum st st = ST_OK;

    for (size_t i = 0; i < n && !st; i++) {
        st = switch_check_peer(peers, i, err);
    }
    if (st) {
        return st;
    }
    made = check_calloc(1, sizeof *made);
    made->peers = check_calloc(n + 1, sizeof *made->peers);
    made->n_peers = n;
    st = switch_sai_init(&made->sai, instance, err);
    for (size_t i = 0; i < n && !st; i++) {
        made->peers[i] = (struct peer){.of = peers[i], .is_up = true};
        made->n_routed += !peers[i].is_bridged;
        st = add_peer(made, i, err);
    }
    if (st) {
        switch_routes_destroy(made);
        return st;
    }
    *routes = made;
    return ST_OK;
}

static void
free_set(struct switch_routes *routes, struct set *set)
{
    HASH_DEL(routes->sets, set);
    free(set->members);
    free(set->peers);
    free(set);
}

void
switch_routes_destroy(struct switch_routes *routes)
{
    struct entry *entry, *next_entry;
    struct set *set, *next_set;

    if (!routes) {
        return;
    }
    HASH_ITER(hh, routes->entries, entry, next_entry)
    {
        HASH_DEL(routes->entries, entry);
        free(entry);
    }
    HASH_ITER(hh, routes->sets, set, next_set)
    {
        free_set(routes, set);
    }
    free(routes->peers);
    free(routes);
}

/* Sets ---------------------------------------------------------------- */

/* Adds member 'i' to the group of 'set'. */
static enum st
join(struct switch_routes *routes, struct set *set, uint32_t i, struct err *err)
{
    const enum st st = switch_sai_add_member(
        &routes->sai, set->group, routes->peers[set->peers[i]].next_hop,
        &set->members[i], err);

    routes->n_members += st == ST_OK;
    return st;
}

/* Removes member 'i', if it is there. */
static enum st
leave(struct switch_routes *routes, struct set *set, uint32_t i,
      struct err *err)
{
    enum st st = ST_OK;

    if (set->members[i] != SAI_NULL_OBJECT_ID) {
        st = switch_sai_remove(&routes->sai,
                               SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER,
                               set->members[i], err);
        if (!st) {
            set->members[i] = SAI_NULL_OBJECT_ID;
            routes->n_members--;
        }
    }
    return st;
}

/* Creates the group of 'set' with the peers that are up. */
static enum st
create_group(struct switch_routes *routes, struct set *set, struct err *err)
{
    enum st st = switch_sai_add_group(&routes->sai, &set->group, err);

    routes->n_groups += st == ST_OK;
    set->members = check_calloc(set->n, sizeof *set->members);
    for (uint32_t i = 0; i < set->n && !st; i++) {
        if (routes->peers[set->peers[i]].is_up) {
            st = join(routes, set, i, err);
        }
    }
    return st;
}

/* Frees 'set', which no route uses, with its group. */
static enum st
drop_set(struct switch_routes *routes, struct set *set, struct err *err)
{
    enum st st = ST_OK;

    if (set->group != SAI_NULL_OBJECT_ID) {
        for (uint32_t i = 0; i < set->n && !st; i++) {
            st = leave(routes, set, i, err);
        }
        st =
            st ? st
               : switch_sai_remove(&routes->sai, SAI_OBJECT_TYPE_NEXT_HOP_GROUP,
                                   set->group, err);
        routes->n_groups -= st == ST_OK;
    }
    free_set(routes, set);
    return st;
}

static int
by_number(const void *a_, const void *b_)
{
    const uint32_t *a = a_, *b = b_;

    return *a < *b ? -1 : *a > *b;
}

/* Stores the set of the peers of 'route' in '*set'; creates it if there is
 * none. */
static enum st
find_set(struct switch_routes *routes, const struct switch_route *route,
         struct set **set, struct err *err)
{
    const size_t size = route->n_peers * sizeof *route->peers;
    uint32_t *peers = check_malloc(size + sizeof *peers);
    struct set *found;
    enum st st = ST_OK;

    peers[0] = UINT32_MAX; /* For a set without peers. */
    if (size) {
        memcpy(peers, route->peers, size);
        qsort(peers, route->n_peers, sizeof *peers, by_number);
    }
    HASH_FIND(hh, routes->sets, peers, size ? size : sizeof *peers, found);
    if (found) {
        free(peers);
        *set = found;
        return ST_OK;
    }
    found = check_calloc(1, sizeof *found);
    found->peers = peers;
    found->n = route->n_peers;
    HASH_ADD_KEYPTR(hh, routes->sets, peers, size ? size : sizeof *peers,
                    found);
    for (uint32_t i = 0; i < found->n; i++) {
        found->n_up += routes->peers[peers[i]].is_up;
    }
    st = found->n > 1 ? create_group(routes, found, err) : ST_OK;
    if (st) {
        (void)drop_set(routes, found, NULL);
        return st;
    }
    *set = found;
    return ST_OK;
}

/* Routes -------------------------------------------------------------- */

/* Returns whether the neighbor that 'entry' leads to is a route to its prefix
 * already. */
static bool
is_neighbor(const struct switch_routes *routes, const struct entry *entry)
{
    const struct switch_peer *peer =
        entry->set->n == 1 ? &routes->peers[entry->set->peers[0]].of : NULL;

    return peer && entry->key.length == address_bits(peer->address.family) &&
           address_equal(&peer->address, &entry->key.prefix);
}

/* Programs the route of 'entry' as its set demands. */
static enum st
program(struct switch_routes *routes, struct entry *entry, struct err *err)
{
    const struct set *set = entry->set;
    const bool wanted = set->n_up || set->n == 0;
    const sai_object_id_t target = set->n == 0 ? SAI_NULL_OBJECT_ID
                                   : set->n > 1
                                       ? set->group
                                       : routes->peers[set->peers[0]].next_hop;
    enum st st = ST_OK;

    if (is_neighbor(routes, entry) ? !entry->is_installed
                                   : !wanted && !entry->is_installed) {
        return ST_OK;
    }
    if (!wanted || is_neighbor(routes, entry)) {
        st = switch_sai_remove_route(&routes->sai, &entry->key.prefix,
                                     entry->key.length, err);
        if (!st) {
            entry->is_installed = false;
            routes->n_installed--;
        }
        return st;
    }
    st = switch_sai_set_route(&routes->sai, &entry->key.prefix,
                              entry->key.length, target, entry->is_installed,
                              err);
    if (!st && !entry->is_installed) {
        entry->is_installed = true;
        routes->n_installed++;
    }
    return st;
}

/* Links 'entry' to 'set'. */
static void
attach(struct entry *entry, struct set *set)
{
    entry->set = set;
    entry->previous = NULL;
    entry->next = set->routes;
    if (entry->next) {
        entry->next->previous = entry;
    }
    set->routes = entry;
}

/* Unlinks 'entry' from its set, which it returns. */
static struct set *
detach(struct entry *entry)
{
    struct set *set = entry->set;

    if (entry->next) {
        entry->next->previous = entry->previous;
    }
    if (entry->previous) {
        entry->previous->next = entry->next;
    } else {
        set->routes = entry->next;
    }
    entry->set = NULL;
    return set;
}

/* Frees 'set' unless a route uses it. */
static enum st
release(struct switch_routes *routes, struct set *set, struct err *err)
{
    return set->routes ? ST_OK : drop_set(routes, set, err);
}

static struct route_key
key_of(const struct address *prefix, unsigned int length)
{
    struct route_key key;

    memset(&key, 0, sizeof key);
    key.prefix = *prefix;
    key.length = (uint8_t)length;
    return key;
}

static enum st
set_one(struct switch_routes *routes, const struct switch_route *route,
        struct err *err)
{
    const struct route_key key = key_of(&route->prefix, route->length);
    struct set *set, *before;
    struct entry *entry;
    enum st st = switch_check_route(route, routes->n_peers, err);

    st = st ? st : find_set(routes, route, &set, err);
    if (st) {
        return st;
    }
    HASH_FIND(hh, routes->entries, &key, sizeof key, entry);
    if (entry && entry->set == set) {
        return ST_OK;
    }
    before = entry ? detach(entry) : NULL;
    if (!entry) {
        entry = check_calloc(1, sizeof *entry);
        entry->key = key;
        HASH_ADD(hh, routes->entries, key, sizeof key, entry);
    }
    attach(entry, set);
    st = program(routes, entry, err);
    if (st && before) { /* The switch still has the route as it was. */
        (void)detach(entry);
        attach(entry, before);
        (void)release(routes, set, NULL);
    } else if (st) {
        (void)detach(entry);
        HASH_DEL(routes->entries, entry);
        free(entry);
        (void)release(routes, set, NULL);
    } else if (before) {
        st = release(routes, before, err);
    }
    return st;
}

enum st
switch_routes_set(struct switch_routes *routes, const struct switch_route *list,
                  size_t n, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; i < n && !st; i++) {
        st = set_one(routes, &list[i], err);
    }
    return st;
}

enum st
switch_routes_withdraw(struct switch_routes *routes,
                       const struct address *prefix, unsigned int length,
                       struct err *err)
{
    const struct route_key key = key_of(prefix, length);
    struct entry *entry;
    enum st st = ST_OK;

    HASH_FIND(hh, routes->entries, &key, sizeof key, entry);
    if (!entry) {
        return err_set(err, ST_NOT_FOUND, "prefix",
                       "there is no route for this prefix of %u bits", length);
    }
    if (entry->is_installed) {
        st = switch_sai_remove_route(&routes->sai, prefix, length, err);
        if (st) {
            return st;
        }
        routes->n_installed--;
    }
    st = release(routes, detach(entry), err);
    HASH_DEL(routes->entries, entry);
    free(entry);
    return st;
}

/* Links --------------------------------------------------------------- */

/* Returns the index of 'peer' in 'set', or 'n'. */
static uint32_t
find_in_set(const struct set *set, uint32_t peer)
{
    uint32_t i = 0;

    while (i < set->n && set->peers[i] != peer) {
        i++;
    }
    return i;
}

/* Programs the routes of 'set', whose last peer went down or whose first one is
 * up. */
static enum st
program_all(struct switch_routes *routes, struct set *set, struct err *err)
{
    enum st st = ST_OK;

    for (struct entry *e = set->routes; e && !st; e = e->next) {
        st = program(routes, e, err);
    }
    return st;
}

/* Programs 'set' after its peer 'i' went up or down. */
static enum st
update_set(struct switch_routes *routes, struct set *set, uint32_t i, bool up,
           struct err *err)
{
    enum st st = ST_OK;

    set->n_up += up ? 1u : UINT32_MAX;
    /* A route must not name a group without members, not even for a moment. */
    if (!up && set->n_up == 0) {
        st = program_all(routes, set, err);
    }
    if (!st && set->group != SAI_NULL_OBJECT_ID) {
        st = up ? join(routes, set, i, err) : leave(routes, set, i, err);
    }
    if (!st && up && set->n_up == 1) {
        st = program_all(routes, set, err);
    }
    return st;
}

enum st
switch_routes_set_link(struct switch_routes *routes, uint32_t slot, bool up,
                       struct err *err)
{
    bool found = false;
    enum st st = ST_OK;

    for (uint32_t p = 0; p < routes->n_peers; p++) {
        struct peer *peer = &routes->peers[p];

        if (peer->of.slot != slot) {
            continue;
        }
        found = true;
        if (peer->is_up == up) {
            continue;
        }
        peer->is_up = up;
        for (struct set *set = routes->sets; set && !st; set = set->hh.next) {
            const uint32_t i = find_in_set(set, p);

            if (i < set->n) {
                st = update_set(routes, set, i, up, err);
            }
        }
    }
    return found
               ? st
               : err_set(err, ST_INVALID, "peer", "port %u has no peer", slot);
}

void
switch_routes_count(const struct switch_routes *routes,
                    struct switch_routes_count *count)
{
    *count = (struct switch_routes_count){
        .interfaces = routes->n_interfaces,
        .neighbors = routes->n_routed,
        .next_hops = routes->n_routed,
        .groups = routes->n_groups,
        .members = routes->n_members,
        .routes = routes->n_installed,
    };
}
