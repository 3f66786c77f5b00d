/* SPDX-License-Identifier: Apache-2.0 */

/* The SAI calls of a routing stack, and access lists. */

#include <config.h>

#include "lab/builder/switch_sai.h"

#include <string.h>

#include "base/text.h"
#include "lab/builder/switch_image.h"
#include "lab/builder/switch_sai_state.h"
#include "sai/core/backend.h"
#include "sai/core/ip.h"
#include "sai/core/status.h"
#include "twin/forwarding/address.h"

/* Returns the outcome of a call about 'what'. */
static enum st
outcome(sai_status_t status, const char *what, struct err *err)
{
    char name[STATUS_NAME_SIZE];

    return status == SAI_STATUS_SUCCESS
               ? ST_OK
               : err_set(err, st_from_sai(status), "sai",
                         "%s: the switch says %s", what,
                         status_name(status, name, sizeof name));
}

enum st
switch_sai_create__(const struct switch_sai *sai, sai_object_type_t type,
                    uint32_t n, const sai_attribute_t *attributes,
                    sai_object_id_t *oid, const char *what, struct err *err)
{
    return outcome(
        sai->backend->ops->create(sai->backend, type, n, attributes, oid), what,
        err);
}

/* Returns 'address' in SAI's form. */
static sai_ip_address_t
to_sai(const struct address *address)
{
    sai_ip_address_t to;

    memset(&to, 0, sizeof to);
    if (address->family == ADDRESS_V4) {
        to.addr_family = SAI_IP_ADDR_FAMILY_IPV4;
        memcpy(&to.addr.ip4, address->bytes, sizeof to.addr.ip4);
    } else {
        to.addr_family = SAI_IP_ADDR_FAMILY_IPV6;
        memcpy(to.addr.ip6, address->bytes, sizeof to.addr.ip6);
    }
    return to;
}

enum st
switch_sai_do_entry__(const struct switch_sai *sai, enum op op,
                      sai_object_type_t type, sai_object_key_t *key, uint32_t n,
                      sai_attribute_t *attributes, const char *what,
                      struct err *err)
{
    sai_status_t status = SAI_STATUS_FAILURE;
    const struct backend_many call = {
        .op = op,
        .type = type,
        .mode = SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
        .n = 1,
        .keys = key,
        .counts = op == OP_CREATE_MANY ? &n : NULL,
        .attributes = attributes,
        .statuses = &status,
    };

    return backend_do_many(sai->backend, &call) == SAI_STATUS_SUCCESS
               ? ST_OK
               : outcome(status, what, err);
}

/* Does the same with a route or neighbor of 'address'. */
static enum st
do_entry(const struct switch_sai *sai, enum op op, sai_object_type_t type,
         sai_object_key_t *key, uint32_t n, sai_attribute_t *attributes,
         const sai_ip_address_t *address, struct err *err)
{
    struct text what = {0};
    enum st st;

    text_add(&what,
             type == SAI_OBJECT_TYPE_ROUTE_ENTRY ? "route " : "neighbor ");
    ip_write(address, &what);
    st = switch_sai_do_entry__(sai, op, type, key, n, attributes,
                               text_string(&what), err);
    text_fini(&what);
    return st;
}

enum st
switch_sai_get__(const struct switch_sai *sai, sai_object_type_t type,
                 sai_object_id_t oid, sai_attribute_t *attribute,
                 const char *what, struct err *err)
{
    return outcome(
        sai->backend->ops->get(sai->backend, type, oid, 1, attribute), what,
        err);
}

enum st
switch_sai_set__(const struct switch_sai *sai, sai_object_type_t type,
                 sai_object_id_t oid, const sai_attribute_t *attribute,
                 const char *what, struct err *err)
{
    return outcome(sai->backend->ops->set(sai->backend, type, oid, attribute),
                   what, err);
}

enum st
switch_sai_init(struct switch_sai *sai, struct switch_instance *instance,
                struct err *err)
{
    sai_attribute_t router = {.id = SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID};
    struct sai_backend *backend = switch_instance_backend(instance);
    const enum st st =
        outcome(backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                                  backend->switch_id, 1, &router),
                "default virtual router", err);

    *sai = (struct switch_sai){.image = switch_instance_image(instance),
                               .backend = backend,
                               .router = router.value.oid};
    return st;
}

const struct switch_image_port *
switch_sai_port__(const struct switch_sai *sai, uint32_t slot)
{
    size_t n;
    const struct switch_image_port *ports = switch_image_ports(sai->image, &n);

    for (size_t i = 0; i < n; i++) {
        if (ports[i].slot == slot) {
            return &ports[i];
        }
    }
    return NULL;
}

enum st
switch_sai_no_port__(uint32_t slot, struct err *err)
{
    return err_set(err, ST_INVALID, "port", "there is no port in slot %u",
                   slot);
}

enum st
switch_sai_add_interface(const struct switch_sai *sai, uint32_t slot,
                         sai_object_id_t *interface, struct err *err)
{
    const struct switch_image_port *port = switch_sai_port__(sai, slot);
    sai_attribute_t mtu = {.id = SAI_PORT_ATTR_MTU};
    enum st st;

    if (!port) {
        return switch_sai_no_port__(slot, err);
    }
    st = outcome(sai->backend->ops->get(sai->backend, SAI_OBJECT_TYPE_PORT,
                                        port->oid, 1, &mtu),
                 "MTU of a port", err);
    if (!st) {
        const sai_attribute_t attributes[] = {
            {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID, {.oid = sai->router}},
            {SAI_ROUTER_INTERFACE_ATTR_TYPE,
             {.s32 = SAI_ROUTER_INTERFACE_TYPE_PORT}},
            {SAI_ROUTER_INTERFACE_ATTR_PORT_ID, {.oid = port->oid}},
            {SAI_ROUTER_INTERFACE_ATTR_MTU, {.u32 = mtu.value.u32}},
        };

        st = switch_sai_create__(sai, SAI_OBJECT_TYPE_ROUTER_INTERFACE, 4,
                                 attributes, interface, port->name, err);
    }
    return st;
}

void
switch_sai_write_mac__(uint64_t mac, sai_mac_t bytes)
{
    for (int i = 0; i < 6; i++) {
        bytes[i] = (uint8_t)(mac >> (40 - 8 * i));
    }
}

/* Returns the key of a neighbor. */
static sai_object_key_t
neighbor_key(const struct switch_sai *sai, sai_object_id_t interface,
             const struct address *address)
{
    sai_object_key_t key;

    memset(&key, 0, sizeof key);
    key.key.neighbor_entry.switch_id = sai->backend->switch_id;
    key.key.neighbor_entry.rif_id = interface;
    key.key.neighbor_entry.ip_address = to_sai(address);
    return key;
}

enum st
switch_sai_add_neighbor(const struct switch_sai *sai, sai_object_id_t interface,
                        const struct address *address, uint64_t mac,
                        struct err *err)
{
    sai_attribute_t attribute = {.id = SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS};
    sai_object_key_t key = neighbor_key(sai, interface, address);

    switch_sai_write_mac__(mac, attribute.value.mac);
    return do_entry(sai, OP_CREATE_MANY, SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, &key,
                    1, &attribute, &key.key.neighbor_entry.ip_address, err);
}

enum st
switch_sai_remove_neighbor(const struct switch_sai *sai,
                           sai_object_id_t interface,
                           const struct address *address, struct err *err)
{
    sai_object_key_t key = neighbor_key(sai, interface, address);

    return do_entry(sai, OP_REMOVE_MANY, SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, &key,
                    0, NULL, &key.key.neighbor_entry.ip_address, err);
}

enum st
switch_sai_add_next_hop(const struct switch_sai *sai, sai_object_id_t interface,
                        const struct address *address,
                        sai_object_id_t *next_hop, struct err *err)
{
    const sai_attribute_t attributes[] = {
        {SAI_NEXT_HOP_ATTR_TYPE, {.s32 = SAI_NEXT_HOP_TYPE_IP}},
        {SAI_NEXT_HOP_ATTR_IP, {.ipaddr = to_sai(address)}},
        {SAI_NEXT_HOP_ATTR_ROUTER_INTERFACE_ID, {.oid = interface}},
    };

    return switch_sai_create__(sai, SAI_OBJECT_TYPE_NEXT_HOP, 3, attributes,
                               next_hop, "next hop", err);
}

enum st
switch_sai_add_group(const struct switch_sai *sai, sai_object_id_t *group,
                     struct err *err)
{
    const sai_attribute_t type = {
        SAI_NEXT_HOP_GROUP_ATTR_TYPE,
        {.s32 = SAI_NEXT_HOP_GROUP_TYPE_DYNAMIC_UNORDERED_ECMP}};

    return switch_sai_create__(sai, SAI_OBJECT_TYPE_NEXT_HOP_GROUP, 1, &type,
                               group, "next-hop group", err);
}

enum st
switch_sai_add_member(const struct switch_sai *sai, sai_object_id_t group,
                      sai_object_id_t next_hop, sai_object_id_t *member,
                      struct err *err)
{
    const sai_attribute_t attributes[] = {
        {SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID, {.oid = group}},
        {SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID, {.oid = next_hop}},
    };

    return switch_sai_create__(sai, SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER, 2,
                               attributes, member, "member of a next-hop group",
                               err);
}

enum st
switch_sai_remove(const struct switch_sai *sai, sai_object_type_t type,
                  sai_object_id_t oid, struct err *err)
{
    return outcome(sai->backend->ops->remove(sai->backend, type, oid),
                   "removal of an object", err);
}

/* Returns the key of a route. */
static sai_object_key_t
route_key(const struct switch_sai *sai, const struct address *prefix,
          unsigned int length)
{
    const sai_ip_address_t address = to_sai(prefix);
    sai_object_key_t key;
    struct address ones;
    sai_ip_address_t mask;

    memset(&ones, 0xff, sizeof ones);
    ones.family = prefix->family;
    ones = address_mask(&ones, length);
    mask = to_sai(&ones);
    memset(&key, 0, sizeof key);
    key.key.route_entry.switch_id = sai->backend->switch_id;
    key.key.route_entry.vr_id = sai->router;
    key.key.route_entry.destination.addr_family = address.addr_family;
    key.key.route_entry.destination.addr = address.addr;
    key.key.route_entry.destination.mask = mask.addr;
    return key;
}

enum st
switch_sai_set_route(const struct switch_sai *sai, const struct address *prefix,
                     unsigned int length, sai_object_id_t target, bool exists,
                     struct err *err)
{
    const sai_ip_address_t address = to_sai(prefix);
    sai_object_key_t key = route_key(sai, prefix, length);
    sai_attribute_t attributes[] = {
        {SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION,
         {.s32 = target == SAI_NULL_OBJECT_ID ? SAI_PACKET_ACTION_DROP
                                              : SAI_PACKET_ACTION_FORWARD}},
        {SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID, {.oid = target}},
    };
    const sai_object_type_t type = SAI_OBJECT_TYPE_ROUTE_ENTRY;
    enum st st;

    if (!exists) {
        return do_entry(sai, OP_CREATE_MANY, type, &key,
                        target == SAI_NULL_OBJECT_ID ? 1 : 2, attributes,
                        &address, err);
    }
    st = do_entry(sai, OP_SET_MANY, type, &key, 1, &attributes[1], &address,
                  err);
    return st ? st
              : do_entry(sai, OP_SET_MANY, type, &key, 1, &attributes[0],
                         &address, err);
}

enum st
switch_sai_remove_route(const struct switch_sai *sai,
                        const struct address *prefix, unsigned int length,
                        struct err *err)
{
    const sai_ip_address_t address = to_sai(prefix);
    sai_object_key_t key = route_key(sai, prefix, length);

    return do_entry(sai, OP_REMOVE_MANY, SAI_OBJECT_TYPE_ROUTE_ENTRY, &key, 0,
                    NULL, &address, err);
}

enum st
switch_sai_pause_links(const struct switch_sai *sai, struct err *err)
{
    const sai_attribute_t both = {
        SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_MODE,
        {.s32 = SAI_PORT_FLOW_CONTROL_MODE_BOTH_ENABLE}};
    size_t n;
    const struct switch_image_port *ports = switch_image_ports(sai->image, &n);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        st = switch_sai_set__(sai, SAI_OBJECT_TYPE_PORT, ports[i].oid, &both,
                              "802.3x of a port", err);
    }
    return st;
}

/* Access lists ------------------------------------------------------------- */

enum st
switch_sai_add_access_list(const struct switch_sai *sai, sai_object_id_t *table,
                           struct err *err)
{
    int32_t point = SAI_ACL_BIND_POINT_TYPE_SWITCH;
    const sai_attribute_t attributes[] = {
        {SAI_ACL_TABLE_ATTR_ACL_STAGE, {.s32 = SAI_ACL_STAGE_INGRESS}},
        {SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST, {.s32list = {1, &point}}},
        {SAI_ACL_TABLE_ATTR_FIELD_DST_IP, {.booldata = true}},
        {SAI_ACL_TABLE_ATTR_FIELD_TC, {.booldata = true}},
    };
    sai_attribute_t bind = {.id = SAI_SWITCH_ATTR_INGRESS_ACL};
    const enum st st =
        switch_sai_create__(sai, SAI_OBJECT_TYPE_ACL_TABLE, 4, attributes,
                            table, "access list", err);

    bind.value.oid = *table;
    return st ? st
              : switch_sai_set__(sai, SAI_OBJECT_TYPE_SWITCH,
                                 sai->backend->switch_id, &bind,
                                 "binding of an access list", err);
}

enum st
switch_sai_add_drop(const struct switch_sai *sai, sai_object_id_t table,
                    const struct address *address, uint8_t tc,
                    sai_object_id_t *entry, struct err *err)
{
    enum { TC_MASK = 0xff };
    sai_attribute_t attributes[] = {
        {SAI_ACL_ENTRY_ATTR_TABLE_ID, {.oid = table}},
        {SAI_ACL_ENTRY_ATTR_FIELD_DST_IP, {.aclfield = {.enable = true}}},
        {SAI_ACL_ENTRY_ATTR_FIELD_TC, {.aclfield = {.enable = true}}},
        {SAI_ACL_ENTRY_ATTR_ACTION_PACKET_ACTION,
         {.aclaction = {.enable = true,
                        .parameter = {.s32 = SAI_PACKET_ACTION_DROP}}}},
    };
    const sai_ip_address_t ip = to_sai(address);

    attributes[1].value.aclfield.data.ip4 = ip.addr.ip4;
    attributes[1].value.aclfield.mask.ip4 = UINT32_MAX;
    attributes[2].value.aclfield.data.u8 = tc;
    attributes[2].value.aclfield.mask.u8 = TC_MASK;
    return switch_sai_create__(sai, SAI_OBJECT_TYPE_ACL_ENTRY, 4, attributes,
                               entry, "entry of an access list", err);
}
