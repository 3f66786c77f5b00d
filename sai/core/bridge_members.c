/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the memberships of ports in the lists of the default bridge and VLAN.
 *
 * Objects that were read once are not read again, unless a removal says that
 * they are gone.  So what a list names and the register does not know is
 * new. */

#include <config.h>

#include "sai/core/bridge_members.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/core/bulk_get.h"

/* An object in a list, and the object to which it belongs: of a bridge port its
 * port, of a VLAN member its bridge port. */
struct member {
    sai_object_id_t oid;
    sai_object_id_t owner; /* SAI_NULL_OBJECT_ID: unknown. */
};

struct member_list {
    struct member *list;
    uint32_t n;
};

struct bridge_members {
    bool is_read;
    sai_object_id_t bridge; /* The defaults; SAI_NULL_OBJECT_ID: there is */
    sai_object_id_t vlan;   /* none, or it cannot be read. */
    struct member_list bridge_ports;
    struct member_list vlan_members;
};

struct bridge_members *
bridge_members_create(void)
{
    return check_calloc(1, sizeof(struct bridge_members));
}

void
bridge_members_destroy(struct bridge_members *members)
{
    if (members) {
        free(members->bridge_ports.list);
        free(members->vlan_members.list);
        free(members);
    }
}

static bool
knows(const struct member_list *members, sai_object_id_t oid)
{
    for (uint32_t i = 0; i < members->n; i++) {
        if (members->list[i].oid == oid) {
            return true;
        }
    }
    return false;
}

/* Returns the member of 'owner', SAI_NULL_OBJECT_ID if it has none. */
static sai_object_id_t
member_of(const struct member_list *members, sai_object_id_t owner)
{
    for (uint32_t i = 0; i < members->n; i++) {
        if (members->list[i].owner == owner) {
            return members->list[i].oid;
        }
    }
    return SAI_NULL_OBJECT_ID;
}

static void
forget(struct member_list *members, sai_object_id_t oid)
{
    for (uint32_t i = 0; i < members->n; i++) {
        if (members->list[i].oid == oid) {
            members->list[i] = members->list[--members->n];
            return;
        }
    }
}

static void
add(struct member_list *members, sai_object_id_t oid, sai_object_id_t owner)
{
    members->list =
        check_realloc(members->list, (members->n + 1) * sizeof *members->list);
    members->list[members->n++] = (struct member){oid, owner};
}

/* Returns an object id that is an attribute of the switch. */
static sai_object_id_t
read_default(struct sai_backend *backend, sai_attr_id_t id)
{
    const sai_attribute_value_t *value;
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    struct bulk_get column;

    bulk_get_read(&column, backend, SAI_OBJECT_TYPE_SWITCH, id, 1,
                  &backend->switch_id);
    value = bulk_get_value(&column, 0);
    if (value) {
        oid = value->oid;
    }
    bulk_get_fini(&column);
    return oid;
}

/* Adds those members in list 'list_id' of 'group', which is of 'group_type',
 * that are new. 'owner_id' is the attribute of a member, of 'type', that names
 * its owner. */
static void
read_members(struct member_list *members, struct sai_backend *backend,
             sai_object_type_t group_type, sai_object_id_t group,
             sai_attr_id_t list_id, sai_object_type_t type,
             sai_attr_id_t owner_id)
{
    const sai_attribute_value_t *all;
    sai_object_id_t *fresh;
    struct bulk_get list, owners;
    uint32_t n = 0;

    if (group == SAI_NULL_OBJECT_ID) {
        return;
    }
    bulk_get_read(&list, backend, group_type, list_id, 1, &group);
    all = bulk_get_value(&list, 0);
    fresh = check_calloc(all ? all->objlist.count + 1u : 1u, sizeof *fresh);
    for (uint32_t i = 0; all && i < all->objlist.count; i++) {
        if (!knows(members, all->objlist.list[i])) {
            fresh[n++] = all->objlist.list[i];
        }
    }
    bulk_get_fini(&list);
    bulk_get_read(&owners, backend, type, owner_id, n, fresh);
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_value_t *owner = bulk_get_value(&owners, i);

        add(members, fresh[i], owner ? owner->oid : SAI_NULL_OBJECT_ID);
    }
    bulk_get_fini(&owners);
    free(fresh);
}

/* Reads what is new. */
static void
refresh(struct bridge_members *members, struct sai_backend *backend)
{
    if (!members->is_read) {
        members->bridge =
            read_default(backend, SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID);
        members->vlan = read_default(backend, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID);
        members->is_read = true;
    }
    read_members(&members->bridge_ports, backend, SAI_OBJECT_TYPE_BRIDGE,
                 members->bridge, SAI_BRIDGE_ATTR_PORT_LIST,
                 SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_PORT_ID);
    read_members(&members->vlan_members, backend, SAI_OBJECT_TYPE_VLAN,
                 members->vlan, SAI_VLAN_ATTR_MEMBER_LIST,
                 SAI_OBJECT_TYPE_VLAN_MEMBER,
                 SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID);
}

/* Removes an object of 'members', which may be gone already. */
static sai_status_t
remove_member(struct member_list *members, struct sai_backend *backend,
              sai_object_type_t type, sai_object_id_t oid)
{
    sai_status_t status = backend->ops->remove(backend, type, oid);

    if (status == SAI_STATUS_ITEM_NOT_FOUND ||
        status == SAI_STATUS_INVALID_OBJECT_ID) {
        status = SAI_STATUS_SUCCESS;
    }
    if (status == SAI_STATUS_SUCCESS) {
        forget(members, oid);
    }
    return status;
}

/* What a port has lost. */
struct loss {
    bool bridge_port;
    bool vlan_member;
};

/* Removes the memberships of 'port'. */
static sai_status_t
leave(struct bridge_members *members, struct sai_backend *backend,
      sai_object_id_t port, sai_object_type_t *refused, struct loss *loss)
{
    const sai_object_id_t bridge_port = member_of(&members->bridge_ports, port);
    sai_object_id_t member;
    sai_status_t status = SAI_STATUS_SUCCESS;

    if (bridge_port == SAI_NULL_OBJECT_ID) {
        return SAI_STATUS_SUCCESS;
    }
    member = member_of(&members->vlan_members, bridge_port);
    if (member != SAI_NULL_OBJECT_ID) {
        *refused = SAI_OBJECT_TYPE_VLAN_MEMBER;
        status =
            remove_member(&members->vlan_members, backend, *refused, member);
        loss->vlan_member = status == SAI_STATUS_SUCCESS;
    }
    if (status == SAI_STATUS_SUCCESS) {
        *refused = SAI_OBJECT_TYPE_BRIDGE_PORT;
        status = remove_member(&members->bridge_ports, backend, *refused,
                               bridge_port);
        loss->bridge_port = status == SAI_STATUS_SUCCESS;
    }
    return status;
}

/* Gives 'port' a bridge port, and stores its id in '*oid'. */
static sai_status_t
create_bridge_port(struct bridge_members *members, struct sai_backend *backend,
                   sai_object_id_t port, sai_object_id_t *oid)
{
    const sai_attribute_t attributes[] = {
        {SAI_BRIDGE_PORT_ATTR_TYPE, {.s32 = SAI_BRIDGE_PORT_TYPE_PORT}},
        {SAI_BRIDGE_PORT_ATTR_PORT_ID, {.oid = port}},
        {SAI_BRIDGE_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
    };
    const sai_status_t status = backend->ops->create(
        backend, SAI_OBJECT_TYPE_BRIDGE_PORT,
        sizeof attributes / sizeof *attributes, attributes, oid);

    if (status == SAI_STATUS_SUCCESS) {
        add(&members->bridge_ports, *oid, port);
    }
    return status;
}

/* Makes the bridge port of 'port' an untagged member of the default VLAN. */
static sai_status_t
create_vlan_member(struct bridge_members *members, struct sai_backend *backend,
                   sai_object_id_t bridge_port)
{
    const sai_attribute_t attributes[] = {
        {SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = members->vlan}},
        {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, {.oid = bridge_port}},
    };
    sai_object_id_t member;
    const sai_status_t status = backend->ops->create(
        backend, SAI_OBJECT_TYPE_VLAN_MEMBER,
        sizeof attributes / sizeof *attributes, attributes, &member);

    if (status == SAI_STATUS_SUCCESS) {
        add(&members->vlan_members, member, bridge_port);
    }
    return status;
}

/* Gives 'port' a bridge port, and with 'vlan' a VLAN member, unless it has
 * them.
 */
static sai_status_t
join(struct bridge_members *members, struct sai_backend *backend,
     sai_object_id_t port, bool vlan)
{
    sai_object_id_t bridge_port;
    sai_status_t status = SAI_STATUS_SUCCESS;

    refresh(members, backend);
    bridge_port = member_of(&members->bridge_ports, port);
    if (bridge_port == SAI_NULL_OBJECT_ID) {
        status = create_bridge_port(members, backend, port, &bridge_port);
    }
    if (status == SAI_STATUS_SUCCESS && vlan &&
        member_of(&members->vlan_members, bridge_port) == SAI_NULL_OBJECT_ID) {
        status = create_vlan_member(members, backend, bridge_port);
    }
    return status;
}

sai_status_t
bridge_members_remove_port(struct bridge_members *members,
                           struct sai_backend *backend, sai_object_id_t port,
                           sai_object_type_t *refused, bool *was_member)
{
    struct loss loss = {false, false};
    sai_status_t status;

    if (member_of(&members->bridge_ports, port) == SAI_NULL_OBJECT_ID) {
        refresh(members, backend);
    }
    status = leave(members, backend, port, refused, &loss);
    if (status == SAI_STATUS_SUCCESS) {
        *refused = SAI_OBJECT_TYPE_PORT;
        status = backend->ops->remove(backend, SAI_OBJECT_TYPE_PORT, port);
    }
    if (status != SAI_STATUS_SUCCESS &&
        (loss.bridge_port || loss.vlan_member) &&
        join(members, backend, port, loss.vlan_member) == SAI_STATUS_SUCCESS) {
        loss.vlan_member = false;
    }
    *was_member |= loss.vlan_member;
    return status;
}

sai_status_t
bridge_members_restore(struct bridge_members *members,
                       struct sai_backend *backend, sai_object_id_t port)
{
    return join(members, backend, port, true);
}
