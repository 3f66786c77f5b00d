/* SPDX-License-Identifier: Apache-2.0 */

/* Bridges, bridge ports, VLANs and their members: from objects of SAI to the
 * bridge of the twin (twin/forwarding/bridge.h).
 *
 * SAI has a bridge port between a port and its memberships; in the twin a
 * membership is that of a port.  So an attribute of a bridge port is programmed
 * into its port, and a membership of a bridge port into that port. */

#include <config.h>

#include "vendors/softasic/program/l2.h"

#include <stdlib.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"

/* Supported attributes; SAI_VLAN_ATTR_STP_INSTANCE names the only instance
 * there is. */
static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
} served[] = {
    {SAI_OBJECT_TYPE_VLAN, SAI_VLAN_ATTR_VLAN_ID},
    {SAI_OBJECT_TYPE_VLAN, SAI_VLAN_ATTR_LEARN_DISABLE},
    {SAI_OBJECT_TYPE_VLAN, SAI_VLAN_ATTR_STP_INSTANCE},
    {SAI_OBJECT_TYPE_VLAN, SAI_VLAN_ATTR_EGRESS_ACL},
    {SAI_OBJECT_TYPE_VLAN_MEMBER, SAI_VLAN_MEMBER_ATTR_VLAN_ID},
    {SAI_OBJECT_TYPE_VLAN_MEMBER, SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID},
    {SAI_OBJECT_TYPE_VLAN_MEMBER, SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE},
    {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_TYPE},
    {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_PORT_ID},
    {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_BRIDGE_ID},
    {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_ADMIN_STATE},
    {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_INGRESS_FILTERING},
    {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE},
    {SAI_OBJECT_TYPE_FDB_ENTRY, SAI_FDB_ENTRY_ATTR_TYPE},
    {SAI_OBJECT_TYPE_FDB_ENTRY, SAI_FDB_ENTRY_ATTR_PACKET_ACTION},
    {SAI_OBJECT_TYPE_FDB_ENTRY, SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID},
};

void
l2_start(struct asic *asic)
{
    const sai_attribute_t vlan = {SAI_VLAN_ATTR_VLAN_ID,
                                  {.u16 = BRIDGE_DEFAULT_VLAN}};
    const sai_attribute_t bridge = {SAI_BRIDGE_ATTR_TYPE,
                                    {.s32 = SAI_BRIDGE_TYPE_1Q}};

    asic->family.vlan =
        objects_add(asic->objects, SAI_OBJECT_TYPE_VLAN, 1, &vlan)->oid;
    objects_add(asic->objects, SAI_OBJECT_TYPE_BRIDGE, 1, &bridge);
}

bool
l2_handles_type(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_VLAN ||
           type == SAI_OBJECT_TYPE_VLAN_MEMBER ||
           type == SAI_OBJECT_TYPE_BRIDGE ||
           type == SAI_OBJECT_TYPE_BRIDGE_PORT;
}

bool
l2_takes(sai_object_type_t type, sai_attr_id_t id)
{
    for (size_t i = 0; i < sizeof served / sizeof served[0]; i++) {
        if (served[i].type == type && served[i].id == id) {
            return true;
        }
    }
    return false;
}

/* Lookup ---------------------------------------------------------------- */

uint32_t
l2_slot(const struct asic *asic, const struct objects_item *bridge_port)
{
    const struct objects_item *port = objects_find(
        asic->objects, objects_oid(bridge_port, SAI_BRIDGE_PORT_ATTR_PORT_ID));

    return port ? port->handle : MMU_NONE;
}

struct objects_item *
l2_bridge_port(const struct asic *asic, uint32_t slot)
{
    return slot < asic->n_slots
               ? objects_find(asic->objects, asic->ports[slot].bridge_port)
               : NULL;
}

struct objects_item *
l2_vlan(const struct asic *asic, uint16_t vlan)
{
    struct objects_item *item =
        objects_first(asic->objects, SAI_OBJECT_TYPE_VLAN);

    while (item && objects_number(item, SAI_VLAN_ATTR_VLAN_ID) != vlan) {
        item = objects_next(asic->objects, item);
    }
    return item;
}

/* Returns the number of the VLAN of a member. */
static uint16_t
vlan_of(const struct asic *asic, const struct objects_item *member)
{
    const struct objects_item *vlan =
        objects_referent(asic->objects, member, SAI_VLAN_MEMBER_ATTR_VLAN_ID);

    return (uint16_t)objects_number(vlan, SAI_VLAN_ATTR_VLAN_ID);
}

/* Returns the slot of the port of a member. */
static uint32_t
slot_of_member(const struct asic *asic, const struct objects_item *member)
{
    return l2_slot(asic, objects_referent(asic->objects, member,
                                          SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID));
}

/* Checking -------------------------------------------------------------- */

bool
l2_is_default(const struct objects_item *item, sai_attr_id_t id)
{
    const struct metadata_attribute *meta = metadata_attribute(item->type, id);
    const sai_attribute_value_t *stored = objects_value(item, id);
    sai_attribute_value_t fallback;

    return !stored || (metadata_default(meta, &fallback) &&
                       attr_value_equal(meta->kind, stored, &fallback));
}

/* Refuses a value that would have no effect. */
static sai_status_t
check(const struct objects_item *item, sai_attr_id_t id, struct err *err)
{
    const int64_t number = objects_number(item, id);
    bool ok = l2_takes(item->type, id) || l2_is_default(item, id);

    if (item->type == SAI_OBJECT_TYPE_VLAN_MEMBER &&
        id == SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE) {
        ok = number != SAI_VLAN_TAGGING_MODE_PRIORITY_TAGGED;
    } else if (item->type == SAI_OBJECT_TYPE_BRIDGE_PORT &&
               id == SAI_BRIDGE_PORT_ATTR_TYPE) {
        ok = number == SAI_BRIDGE_PORT_TYPE_PORT;
    } else if (item->type == SAI_OBJECT_TYPE_BRIDGE_PORT &&
               id == SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE) {
        ok = number == SAI_BRIDGE_PORT_FDB_LEARNING_MODE_HW ||
             number == SAI_BRIDGE_PORT_FDB_LEARNING_MODE_DISABLE;
    }
    if (ok) {
        return SAI_STATUS_SUCCESS;
    }
    err_set(err, ST_UNSUPPORTED, "bridge", "this bridge does not support that");
    return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
}

/* Programming ----------------------------------------------------------- */

static struct bridge *
bridge_of(const struct asic *asic)
{
    return sim_bridge(asic->sim);
}

void
l2_configure_port(struct asic *asic, const struct objects_item *port)
{
    struct bridge_port *config = bridge_port(bridge_of(asic), port->handle);
    const struct objects_item *item = l2_bridge_port(asic, port->handle);
    const bool is_lag = port->type == SAI_OBJECT_TYPE_LAG;
    const int64_t drops =
        is_lag ? objects_number(port, SAI_LAG_ATTR_DROP_UNTAGGED)
               : objects_number(port, SAI_PORT_ATTR_DROP_UNTAGGED);
    const int64_t vlan = is_lag
                             ? objects_number(port, SAI_LAG_ATTR_PORT_VLAN_ID)
                             : objects_number(port, SAI_PORT_ATTR_PORT_VLAN_ID);

    config->vlan = drops ? 0 : (uint16_t)vlan;
    config->is_active =
        item && objects_number(item, SAI_BRIDGE_PORT_ATTR_ADMIN_STATE);
    config->learns =
        item && objects_number(item, SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE) ==
                    SAI_BRIDGE_PORT_FDB_LEARNING_MODE_HW;
    config->filters =
        item && objects_number(item, SAI_BRIDGE_PORT_ATTR_INGRESS_FILTERING);
}

static void
set_member(struct asic *asic, const struct objects_item *member)
{
    bridge_member_set(
        bridge_of(asic), vlan_of(asic, member), slot_of_member(asic, member),
        objects_number(member, SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE) ==
                SAI_VLAN_TAGGING_MODE_TAGGED
            ? BRIDGE_TAGGED
            : BRIDGE_UNTAGGED);
}

static void
set_vlan(struct asic *asic, const struct objects_item *vlan)
{
    bridge_vlan_set_learning(
        bridge_of(asic), (uint16_t)objects_number(vlan, SAI_VLAN_ATTR_VLAN_ID),
        !objects_number(vlan, SAI_VLAN_ATTR_LEARN_DISABLE));
}

/* Links a new bridge port to its port. */
static sai_status_t
create_bridge_port(struct asic *asic, struct objects_item *item,
                   sai_attr_id_t *blame)
{
    const uint32_t slot = l2_slot(asic, item);

    if (slot == MMU_NONE) { /* The CPU port. */
        *blame = SAI_BRIDGE_PORT_ATTR_PORT_ID;
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (asic->ports[slot].bridge_port) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    asic->ports[slot].bridge_port = item->oid;
    l2_configure_port(asic, asic->ports[slot].item);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
l2_create(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
          struct err *err)
{
    for (uint32_t i = 0; i < item->n_values; i++) {
        const sai_status_t status = check(item, item->values[i].id, err);

        if (status != SAI_STATUS_SUCCESS) {
            *blame = item->values[i].id;
            return status;
        }
    }
    switch (item->type) {
    case SAI_OBJECT_TYPE_VLAN:
        bridge_vlan_add(bridge_of(asic),
                        (uint16_t)objects_number(item, SAI_VLAN_ATTR_VLAN_ID));
        set_vlan(asic, item);
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_VLAN_MEMBER:
        if (bridge_member(bridge_of(asic), vlan_of(asic, item),
                          slot_of_member(asic, item)) != BRIDGE_OUTSIDE) {
            return SAI_STATUS_ITEM_ALREADY_EXISTS;
        }
        set_member(asic, item);
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_BRIDGE_PORT:
        return create_bridge_port(asic, item, blame);
    default: /* There is one bridge. */
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
}

sai_status_t
l2_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
       struct err *err)
{
    const sai_status_t status = check(item, id, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    switch (item->type) {
    case SAI_OBJECT_TYPE_VLAN:
        set_vlan(asic, item);
        break;
    case SAI_OBJECT_TYPE_VLAN_MEMBER:
        set_member(asic, item);
        break;
    case SAI_OBJECT_TYPE_BRIDGE_PORT:
        l2_configure_port(asic, asic->ports[l2_slot(asic, item)].item);
        break;
    default:
        break;
    }
    return SAI_STATUS_SUCCESS;
}

/* Removes the learned entries that match 'filter', unless static entries
 * match. */
static sai_status_t
forget(struct asic *asic, struct fdb_filter filter)
{
    struct fdb *fdb = bridge_fdb(bridge_of(asic));

    filter.statics = true;
    if (fdb_each(fdb, &filter, NULL, NULL)) {
        return SAI_STATUS_OBJECT_IN_USE;
    }
    filter.statics = false;
    filter.learned = true;
    fdb_flush(fdb, &filter, NULL, NULL);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
l2_remove(struct asic *asic, const struct objects_item *item)
{
    const uint16_t vlan = (uint16_t)objects_number(item, SAI_VLAN_ATTR_VLAN_ID);
    sai_status_t status;
    uint32_t slot;

    switch (item->type) {
    case SAI_OBJECT_TYPE_VLAN:
        if (item->oid == asic->family.vlan) {
            return SAI_STATUS_NOT_SUPPORTED;
        }
        status =
            forget(asic, (struct fdb_filter){.vlan = vlan, .port = FDB_NONE});
        if (status == SAI_STATUS_SUCCESS) {
            sim_set_vlan_acl(asic->sim, vlan, NULL);
            bridge_vlan_remove(bridge_of(asic), vlan);
        }
        return status;
    case SAI_OBJECT_TYPE_VLAN_MEMBER:
        bridge_member_set(bridge_of(asic), vlan_of(asic, item),
                          slot_of_member(asic, item), BRIDGE_OUTSIDE);
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_BRIDGE_PORT:
        slot = l2_slot(asic, item);
        status = forget(asic, (struct fdb_filter){.port = slot});
        if (status == SAI_STATUS_SUCCESS) {
            asic->ports[slot].bridge_port = SAI_NULL_OBJECT_ID;
            l2_configure_port(asic, asic->ports[slot].item);
        }
        return status;
    default: /* The bridge cannot be removed. */
        return SAI_STATUS_NOT_SUPPORTED;
    }
}

/* Reading --------------------------------------------------------------- */

bool
l2_supports(sai_object_type_t type, sai_attr_id_t id)
{
    return (type == SAI_OBJECT_TYPE_VLAN &&
            (id == SAI_VLAN_ATTR_MEMBER_LIST ||
             id == SAI_VLAN_ATTR_STP_INSTANCE)) ||
           (type == SAI_OBJECT_TYPE_BRIDGE && id == SAI_BRIDGE_ATTR_PORT_LIST);
}

sai_status_t
l2_compute(void *context, const struct objects_item *item,
           sai_attribute_t *attribute)
{
    const struct asic *asic = context;

    if (!l2_supports(item->type, attribute->id)) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    if (attribute->id != SAI_VLAN_ATTR_STP_INSTANCE ||
        item->type != SAI_OBJECT_TYPE_VLAN) {
        return port_family_compute_bridging(asic->objects, item, attribute);
    }
    attribute->value = (sai_attribute_value_t){
        .oid = objects_first(asic->objects, SAI_OBJECT_TYPE_STP)->oid};
    return SAI_STATUS_SUCCESS;
}
