/* SPDX-License-Identifier: Apache-2.0 */

/* Routes and neighbors in terms of SAI. */

#include <config.h>

#include "vendors/softasic/program/routes.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/ip.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/program/port_lookup.h"
#include "vendors/softasic/program/supported_attributes.h"

/* A parsed key; the 'data' of an entry. */
struct entry_key {
    struct objects_item *base; /* The virtual router or router interface. */
    struct address address;
    unsigned int length; /* Of a prefix, in bits. */
};

static struct router *
router_of(const struct asic *asic)
{
    return sim_router(asic->sim);
}

bool
routes_handles_type(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_ROUTE_ENTRY ||
           type == SAI_OBJECT_TYPE_NEIGHBOR_ENTRY;
}

/* Keys ----------------------------------------------------------------- */

static sai_status_t
read_route_key(const struct asic *asic, const sai_route_entry_t *key,
               struct entry_key *parsed)
{
    const sai_ip_address_t address = {key->destination.addr_family,
                                      key->destination.addr};
    struct address masked;
    sai_status_t status;

    if (key->switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    status = objects_locate(asic->objects, SAI_OBJECT_TYPE_VIRTUAL_ROUTER,
                            key->vr_id, &parsed->base);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!ip_prefix_length(&key->destination, &parsed->length)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    parsed->address = addresses_ip(&address);
    masked = address_mask(&parsed->address, parsed->length);
    return address_equal(&masked, &parsed->address)
               ? SAI_STATUS_SUCCESS
               : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
read_neighbor_key(const struct asic *asic, const sai_neighbor_entry_t *key,
                  struct entry_key *parsed)
{
    sai_status_t status;

    if (key->switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    status = objects_locate(asic->objects, SAI_OBJECT_TYPE_ROUTER_INTERFACE,
                            key->rif_id, &parsed->base);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    parsed->address = addresses_ip(&key->ip_address);
    parsed->length = 0;
    return parsed->address.family == ADDRESS_NONE ||
                   address_is_group(&parsed->address) ||
                   address_is_bad_destination(&parsed->address)
               ? SAI_STATUS_INVALID_PARAMETER
               : SAI_STATUS_SUCCESS;
}

/* Parses 'key' and finds the entry; '*item' is NULL if there is none. */
static sai_status_t
locate(const struct asic *asic, sai_object_type_t type, const void *key,
       struct entry_key *parsed, struct objects_item **item)
{
    const struct router_route *route;
    const struct router_neighbor *neighbor;
    sai_status_t status;

    if (!key) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *item = NULL;
    if (type == SAI_OBJECT_TYPE_ROUTE_ENTRY) {
        status = read_route_key(asic, key, parsed);
        if (status == SAI_STATUS_SUCCESS) {
            route = router_route_get(router_of(asic), parsed->base->handle,
                                     &parsed->address, parsed->length);
            *item = route ? route->owner : NULL;
        }
        return status;
    }
    status = read_neighbor_key(asic, key, parsed);
    if (status == SAI_STATUS_SUCCESS) {
        neighbor = router_neighbor_get(router_of(asic), parsed->base->handle,
                                       &parsed->address);
        *item = neighbor ? neighbor->owner : NULL;
    }
    return status;
}

sai_status_t
routes_find(const struct asic *asic, sai_object_type_t type, const void *key,
            struct objects_item **item)
{
    struct entry_key parsed;
    const sai_status_t status = locate(asic, type, key, &parsed, item);

    return status == SAI_STATUS_SUCCESS && !*item ? SAI_STATUS_ITEM_NOT_FOUND
                                                  : status;
}

/* Programming ---------------------------------------------------------- */

/* Fills in the next hop of a route. */
static sai_status_t
target_of(const struct asic *asic, const struct objects_item *item,
          struct router_route *route)
{
    const struct objects_item *to =
        objects_referent(asic->objects, item, SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID);

    if (!to) {
        route->target = ROUTER_TO_NOTHING;
        return SAI_STATUS_SUCCESS;
    }
    route->handle = to->handle;
    switch (to->type) {
    case SAI_OBJECT_TYPE_NEXT_HOP:
        route->target = ROUTER_TO_NEXT_HOP;
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_NEXT_HOP_GROUP:
        route->target = ROUTER_TO_GROUP;
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_ROUTER_INTERFACE:
        route->target = ROUTER_TO_INTERFACE;
        return SAI_STATUS_SUCCESS;
    default:
        route->target = ROUTER_TO_PROCESSOR;
        return to == asic->cpu_port ? SAI_STATUS_SUCCESS
                                    : SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
}

static sai_status_t
program_route(struct asic *asic, struct objects_item *item,
              sai_attr_id_t *blame)
{
    const struct entry_key *parsed = item->data;
    struct router_route route = {.action = l3_action(objects_number(
                                     item, SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION)),
                                 .owner = item};
    const sai_status_t status = target_of(asic, item, &route);

    if (status != SAI_STATUS_SUCCESS) {
        *blame = SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID;
        return status;
    }
    router_route_set(router_of(asic), parsed->base->handle, &parsed->address,
                     parsed->length, &route);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
program_neighbor(struct asic *asic, struct objects_item *item,
                 sai_attr_id_t *blame)
{
    const struct entry_key *parsed = item->data;
    const sai_attribute_value_t *mac =
        objects_value(item, SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS);
    const struct router_neighbor neighbor = {
        .mac = port_lookup_mac_number(mac->mac),
        .action = l3_action(
            objects_number(item, SAI_NEIGHBOR_ENTRY_ATTR_PACKET_ACTION)),
        .is_route =
            !objects_number(item, SAI_NEIGHBOR_ENTRY_ATTR_NO_HOST_ROUTE),
        .owner = item,
    };

    if ((mac->mac[0] & 1) || neighbor.mac == 0) {
        *blame = SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS;
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    router_neighbor_set(router_of(asic), parsed->base->handle, &parsed->address,
                        &neighbor);
    return SAI_STATUS_SUCCESS;
}

/* Programs the attributes of 'item'. */
static sai_status_t
program(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame)
{
    return item->type == SAI_OBJECT_TYPE_ROUTE_ENTRY
               ? program_route(asic, item, blame)
               : program_neighbor(asic, item, blame);
}

sai_status_t
routes_update(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
              struct err *err)
{
    sai_status_t status = supported_attributes_check(item, id, err);

    if (status == SAI_STATUS_SUCCESS) {
        status = program(asic, (struct objects_item *)item, &id);
    }
    return status;
}

/* Verbs ---------------------------------------------------------------- */

/* Returns whether there is room for one more entry with the key 'parsed'. */
static bool
has_room(const struct asic *asic, sai_object_type_t type,
         const struct entry_key *parsed)
{
    const enum address_family family =
        (enum address_family)parsed->address.family;

    return type == SAI_OBJECT_TYPE_ROUTE_ENTRY
               ? router_n_routes(router_of(asic), family) < L3_MAX_ROUTES
               : router_n_neighbors(router_of(asic), family) < L3_MAX_NEIGHBORS;
}

/* Frees an entry that was removed from the twin. */
static void
drop(struct asic *asic, struct objects_item *item)
{
    struct entry_key *parsed = item->data;

    objects_hold(parsed->base, -1);
    free(parsed);
    objects_drop_entry(asic->objects, item);
}

sai_status_t
routes_create(struct asic *asic, sai_object_type_t type, const void *key,
              uint32_t n, const sai_attribute_t *attributes, struct err *err)
{
    struct objects_item *item;
    struct entry_key parsed;
    sai_attr_id_t blame;
    sai_status_t status = locate(asic, type, key, &parsed, &item);

    if (status == SAI_STATUS_SUCCESS) {
        status = objects_check_create(asic->objects, type, n, attributes);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (item) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    if (!has_room(asic, type, &parsed)) {
        return SAI_STATUS_TABLE_FULL;
    }
    item = objects_add_entry(asic->objects, type, n, attributes);
    item->data = check_malloc(sizeof parsed);
    *(struct entry_key *)item->data = parsed;
    objects_hold(parsed.base, 1);
    status = supported_attributes_check_all(item, &blame, err);
    if (status == SAI_STATUS_SUCCESS) {
        status = program(asic, item, &blame);
    }
    if (status != SAI_STATUS_SUCCESS) {
        drop(asic, item);
        return objects_point_at(status, blame, n, attributes);
    }
    return SAI_STATUS_SUCCESS;
}

/* Removes an entry from the twin and frees it. */
static void
remove_item(struct asic *asic, struct objects_item *item)
{
    const struct entry_key *parsed = item->data;

    if (item->type == SAI_OBJECT_TYPE_ROUTE_ENTRY) {
        (void)router_route_remove(router_of(asic), parsed->base->handle,
                                  &parsed->address, parsed->length);
    } else {
        (void)router_neighbor_remove(router_of(asic), parsed->base->handle,
                                     &parsed->address);
    }
    drop(asic, item);
}

sai_status_t
routes_remove(struct asic *asic, sai_object_type_t type, const void *key)
{
    struct objects_item *item;
    const sai_status_t status = routes_find(asic, type, key, &item);

    if (status == SAI_STATUS_SUCCESS) {
        remove_item(asic, item);
    }
    return status;
}

/* All entries ---------------------------------------------------------- */

/* A growing list of entries. */
struct gathered {
    struct objects_item **items;
    uint32_t n;
    sai_object_type_t type;
};

static void
gather(struct gathered *all, void *owner)
{
    if (all->items) {
        all->items[all->n] = owner;
    }
    all->n++;
}

/* A router_route_fn. */
static void
on_route(void *context, uint32_t domain, const struct address *prefix,
         unsigned int length, const struct router_route *route)
{
    (void)domain;
    (void)prefix;
    (void)length;
    gather(context, route->owner);
}

/* A router_neighbor_fn. */
static void
on_neighbor(void *context, uint32_t interface, const struct address *address,
            const struct router_neighbor *neighbor)
{
    (void)interface;
    (void)address;
    gather(context, neighbor->owner);
}

/* Returns all entries of 'type'; the caller frees the list. */
static struct gathered
gather_all(const struct asic *asic, sai_object_type_t type)
{
    struct gathered all = {.type = type};

    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            all.items = check_calloc(all.n + 1, sizeof(struct objects_item *));
        }
        all.n = 0;
        if (type == SAI_OBJECT_TYPE_ROUTE_ENTRY) {
            router_routes_each(router_of(asic), on_route, &all);
        } else {
            router_neighbors_each(router_of(asic), on_neighbor, &all);
        }
    }
    return all;
}

static void
remove_all(struct asic *asic, sai_object_type_t type)
{
    struct gathered all = gather_all(asic, type);

    for (uint32_t i = 0; i < all.n; i++) {
        remove_item(asic, all.items[i]);
    }
    free(all.items);
}

void
routes_remove_neighbors(struct asic *asic)
{
    remove_all(asic, SAI_OBJECT_TYPE_NEIGHBOR_ENTRY);
}

void
routes_fini(struct asic *asic)
{
    remove_all(asic, SAI_OBJECT_TYPE_ROUTE_ENTRY);
    remove_all(asic, SAI_OBJECT_TYPE_NEIGHBOR_ENTRY);
}

/* Reading -------------------------------------------------------------- */

sai_ip_addr_family_t
routes_family(const struct objects_item *item)
{
    const struct entry_key *parsed = item->data;

    return parsed->address.family == ADDRESS_V4 ? SAI_IP_ADDR_FAMILY_IPV4
                                                : SAI_IP_ADDR_FAMILY_IPV6;
}

/* Stores 'address' in '*to'. */
static void
write_address(const struct address *address, sai_ip_addr_t *to)
{
    if (address->family == ADDRESS_V4) {
        memcpy(&to->ip4, address->bytes, sizeof to->ip4);
    } else {
        memcpy(to->ip6, address->bytes, sizeof to->ip6);
    }
}

/* Stores the key of 'item' in '*key'. */
static void
write_key(const struct asic *asic, const struct objects_item *item,
          sai_object_key_t *key)
{
    const struct entry_key *parsed = item->data;
    struct address ones;

    memset(key, 0, sizeof *key);
    if (item->type == SAI_OBJECT_TYPE_NEIGHBOR_ENTRY) {
        sai_neighbor_entry_t *neighbor = &key->key.neighbor_entry;

        neighbor->switch_id = asic->sw->oid;
        neighbor->rif_id = parsed->base->oid;
        neighbor->ip_address.addr_family = routes_family(item);
        write_address(&parsed->address, &neighbor->ip_address.addr);
    } else {
        sai_route_entry_t *route = &key->key.route_entry;

        memset(&ones, 0xff, sizeof ones);
        ones.family = parsed->address.family;
        ones = address_mask(&ones, parsed->length);
        route->switch_id = asic->sw->oid;
        route->vr_id = parsed->base->oid;
        route->destination.addr_family = routes_family(item);
        write_address(&parsed->address, &route->destination.addr);
        write_address(&ones, &route->destination.mask);
    }
}

uint32_t
routes_list(const struct asic *asic, sai_object_type_t type,
            sai_object_key_t *keys)
{
    const struct router *router = router_of(asic);
    struct gathered all;

    if (!keys) {
        return (uint32_t)(type == SAI_OBJECT_TYPE_ROUTE_ENTRY
                              ? router_n_routes(router, ADDRESS_V4) +
                                    router_n_routes(router, ADDRESS_V6)
                              : router_n_neighbors(router, ADDRESS_V4) +
                                    router_n_neighbors(router, ADDRESS_V6));
    }
    all = gather_all(asic, type);
    for (uint32_t i = 0; i < all.n; i++) {
        write_key(asic, all.items[i], &keys[i]);
    }
    free(all.items);
    return all.n;
}

size_t
routes_bytes(const struct asic *asic)
{
    static const sai_object_type_t types[] = {SAI_OBJECT_TYPE_ROUTE_ENTRY,
                                              SAI_OBJECT_TYPE_NEIGHBOR_ENTRY};
    size_t bytes = 0;

    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        struct gathered all = gather_all(asic, types[t]);

        for (uint32_t i = 0; i < all.n; i++) {
            bytes +=
                objects_entry_bytes(all.items[i]) + sizeof(struct entry_key);
        }
        free(all.items);
    }
    return bytes;
}
