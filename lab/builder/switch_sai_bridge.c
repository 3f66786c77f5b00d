/* SPDX-License-Identifier: Apache-2.0 */

/* The SAI calls of what keeps VLANs. */

#include <config.h>

#include <string.h>

#include "lab/builder/switch_image.h"
#include "lab/builder/switch_sai.h"
#include "lab/builder/switch_sai_state.h"
#include "sai/core/backend.h"

enum {
    OIDS_MAX = 4096, /* Objects of a list of a switch. */
    VLAN_MTU = 9216,
};

enum st
switch_sai_default_vlan(const struct switch_sai *sai, sai_object_id_t *vlan,
                        struct err *err)
{
    sai_attribute_t attribute = {.id = SAI_SWITCH_ATTR_DEFAULT_VLAN_ID};
    const enum st st =
        switch_sai_get__(sai, SAI_OBJECT_TYPE_SWITCH, sai->backend->switch_id,
                         &attribute, "default VLAN", err);

    *vlan = attribute.value.oid;
    return st;
}

/* A list of objects. */
struct oids {
    sai_object_id_t items[OIDS_MAX];
    uint32_t n;
};

/* Reads the list 'id' of an object. */
static enum st
get_list(const struct switch_sai *sai, sai_object_type_t type,
         sai_object_id_t oid, sai_attr_id_t id, struct oids *oids,
         const char *what, struct err *err)
{
    sai_attribute_t attribute = {.id = id,
                                 .value = {.objlist = {OIDS_MAX, oids->items}}};
    const enum st st = switch_sai_get__(sai, type, oid, &attribute, what, err);

    oids->n = st ? 0 : attribute.value.objlist.count;
    return st;
}

/* Stores the bridge port of 'port' in '*bridge_port', null if it has none. */
static enum st
find_bridge_port(const struct switch_sai *sai, sai_object_id_t port,
                 sai_object_id_t *bridge_port, struct err *err)
{
    sai_attribute_t bridge = {.id = SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID};
    struct oids oids;
    enum st st =
        switch_sai_get__(sai, SAI_OBJECT_TYPE_SWITCH, sai->backend->switch_id,
                         &bridge, "bridge", err);

    st = st ? st
            : get_list(sai, SAI_OBJECT_TYPE_BRIDGE, bridge.value.oid,
                       SAI_BRIDGE_ATTR_PORT_LIST, &oids, "ports of the bridge",
                       err);
    *bridge_port = SAI_NULL_OBJECT_ID;
    for (uint32_t i = 0; !st && i < oids.n && !*bridge_port; i++) {
        sai_attribute_t of = {.id = SAI_BRIDGE_PORT_ATTR_PORT_ID};

        st = switch_sai_get__(sai, SAI_OBJECT_TYPE_BRIDGE_PORT, oids.items[i],
                              &of, "port of a bridge port", err);
        if (!st && of.value.oid == port) {
            *bridge_port = oids.items[i];
        }
    }
    return st;
}

/* Stores the port of a member of a VLAN in '*port'. */
static enum st
port_of_member(const struct switch_sai *sai, sai_object_id_t member,
               sai_object_id_t *port, struct err *err)
{
    sai_attribute_t bridge = {.id = SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID};
    sai_attribute_t of = {.id = SAI_BRIDGE_PORT_ATTR_PORT_ID};
    enum st st = switch_sai_get__(sai, SAI_OBJECT_TYPE_VLAN_MEMBER, member,
                                  &bridge, "member of a VLAN", err);

    st = st ? st
            : switch_sai_get__(sai, SAI_OBJECT_TYPE_BRIDGE_PORT,
                               bridge.value.oid, &of, "port of a bridge port",
                               err);
    *port = of.value.oid;
    return st;
}

/* Returns whether 'port' is in one of the 'n' 'slots'. */
static bool
is_in(const struct switch_sai *sai, sai_object_id_t port, const uint32_t *slots,
      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct switch_image_port *at = switch_sai_port__(sai, slots[i]);

        if (at && at->oid == port) {
            return true;
        }
    }
    return false;
}

enum st
switch_sai_reduce_vlan(const struct switch_sai *sai, sai_object_id_t vlan,
                       const uint32_t *slots, size_t n, struct err *err)
{
    struct oids members;
    enum st st =
        get_list(sai, SAI_OBJECT_TYPE_VLAN, vlan, SAI_VLAN_ATTR_MEMBER_LIST,
                 &members, "members of a VLAN", err);

    for (uint32_t i = 0; !st && i < members.n; i++) {
        sai_object_id_t port;

        st = port_of_member(sai, members.items[i], &port, err);
        if (!st && !is_in(sai, port, slots, n)) {
            st = switch_sai_remove(sai, SAI_OBJECT_TYPE_VLAN_MEMBER,
                                   members.items[i], err);
        }
    }
    return st;
}

enum st
switch_sai_bridge_port(const struct switch_sai *sai, uint32_t slot,
                       sai_object_id_t *bridge_port, struct err *err)
{
    const struct switch_image_port *port = switch_sai_port__(sai, slot);

    enum st st;

    if (!port) {
        return switch_sai_no_port__(slot, err);
    }
    st = find_bridge_port(sai, port->oid, bridge_port, err);
    return !st && *bridge_port == SAI_NULL_OBJECT_ID
               ? err_set(err, ST_NOT_FOUND, "port",
                         "port %u has no bridge port", slot)
               : st;
}

enum st
switch_sai_learn(const struct switch_sai *sai, sai_object_id_t bridge_port,
                 struct err *err)
{
    const sai_attribute_t learn = {
        SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE,
        {.s32 = SAI_BRIDGE_PORT_FDB_LEARNING_MODE_HW}};

    return switch_sai_set__(sai, SAI_OBJECT_TYPE_BRIDGE_PORT, bridge_port,
                            &learn, "learning at a port", err);
}

enum st
switch_sai_set_aging(const struct switch_sai *sai, uint32_t seconds,
                     struct err *err)
{
    const sai_attribute_t aging = {SAI_SWITCH_ATTR_FDB_AGING_TIME,
                                   {.u32 = seconds}};

    return switch_sai_set__(sai, SAI_OBJECT_TYPE_SWITCH,
                            sai->backend->switch_id, &aging, "aging time", err);
}

enum st
switch_sai_add_vlan_interface(const struct switch_sai *sai,
                              sai_object_id_t vlan, sai_object_id_t *interface,
                              struct err *err)
{
    const sai_attribute_t attributes[] = {
        {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID, {.oid = sai->router}},
        {SAI_ROUTER_INTERFACE_ATTR_TYPE,
         {.s32 = SAI_ROUTER_INTERFACE_TYPE_VLAN}},
        {SAI_ROUTER_INTERFACE_ATTR_VLAN_ID, {.oid = vlan}},
        {SAI_ROUTER_INTERFACE_ATTR_MTU, {.u32 = VLAN_MTU}},
    };

    return switch_sai_create__(sai, SAI_OBJECT_TYPE_ROUTER_INTERFACE, 4,
                               attributes, interface,
                               "router interface of a VLAN", err);
}

/* Returns the key of a forwarding entry. */
static sai_object_key_t
address_key(const struct switch_sai *sai, sai_object_id_t vlan, uint64_t mac)
{
    sai_object_key_t key;

    memset(&key, 0, sizeof key);
    key.key.fdb_entry.switch_id = sai->backend->switch_id;
    key.key.fdb_entry.bv_id = vlan;
    switch_sai_write_mac__(mac, key.key.fdb_entry.mac_address);
    return key;
}

enum st
switch_sai_remove_address(const struct switch_sai *sai, sai_object_id_t vlan,
                          uint64_t mac, struct err *err)
{
    sai_object_key_t key = address_key(sai, vlan, mac);

    return switch_sai_do_entry__(sai, OP_REMOVE_MANY, SAI_OBJECT_TYPE_FDB_ENTRY,
                                 &key, 0, NULL, "forwarding entry", err);
}

enum st
switch_sai_add_address(const struct switch_sai *sai, sai_object_id_t vlan,
                       uint64_t mac, sai_object_id_t bridge_port,
                       bool is_learned, struct err *err)
{
    sai_attribute_t attributes[] = {
        {SAI_FDB_ENTRY_ATTR_TYPE,
         {.s32 = is_learned ? SAI_FDB_ENTRY_TYPE_DYNAMIC
                            : SAI_FDB_ENTRY_TYPE_STATIC}},
        {SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID, {.oid = bridge_port}},
    };
    sai_object_key_t key = address_key(sai, vlan, mac);

    return switch_sai_do_entry__(sai, OP_CREATE_MANY, SAI_OBJECT_TYPE_FDB_ENTRY,
                                 &key, 2, attributes, "forwarding entry", err);
}
