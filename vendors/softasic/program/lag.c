/* SPDX-License-Identifier: Apache-2.0 */

/* Link aggregation groups and their members. */

#include <config.h>

#include "vendors/softasic/program/lag.h"

#include "base/check.h"
#include "vendors/softasic/program/access_lists.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/port_slots.h"
#include "vendors/softasic/program/supported_attributes.h"

bool
lag_handles_type(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_LAG || type == SAI_OBJECT_TYPE_LAG_MEMBER;
}

static sai_status_t
create_lag(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
           struct err *err)
{
    const sai_status_t status = access_lists_check(asic, item, blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (sim_lag_add(asic->sim, &item->handle) != ST_OK) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    port_slots_reserve_lags(asic);
    asic->ports[item->handle] = (struct state_port){.item = item};
    l2_configure_port(asic, item);
    access_lists_program(asic, item);
    return SAI_STATUS_SUCCESS;
}

/* Returns the slot of the port of a member. */
static uint32_t
slot_of(const struct asic *asic, const struct objects_item *member)
{
    return objects_referent(asic->objects, member, SAI_LAG_MEMBER_ATTR_PORT_ID)
        ->handle;
}

/* Programs the attributes of 'member'. */
static void
program_member(struct asic *asic, const struct objects_item *member)
{
    const struct objects_item *lag =
        objects_referent(asic->objects, member, SAI_LAG_MEMBER_ATTR_LAG_ID);
    const struct sim_lag_member config = {
        .sends = !objects_number(member, SAI_LAG_MEMBER_ATTR_EGRESS_DISABLE),
        .receives =
            !objects_number(member, SAI_LAG_MEMBER_ATTR_INGRESS_DISABLE),
        .weight = (uint32_t)objects_number(member, SAI_LAG_MEMBER_ATTR_WEIGHT),
    };
    const enum st status =
        sim_lag_set(asic->sim, lag->handle, slot_of(asic, member), &config);

    orch_assert(status == ST_OK); /* The port was checked. */
}

/* Returns whether a router interface is on 'port'. */
static bool
is_routed(const struct asic *asic, const struct objects_item *port)
{
    for (const struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_ROUTER_INTERFACE);
         i; i = objects_next(asic->objects, i)) {
        if (objects_oid(i, SAI_ROUTER_INTERFACE_ATTR_PORT_ID) == port->oid) {
            return true;
        }
    }
    return false;
}

static sai_status_t
create_member(struct asic *asic, const struct objects_item *member,
              sai_attr_id_t *blame)
{
    const struct objects_item *port =
        objects_referent(asic->objects, member, SAI_LAG_MEMBER_ATTR_PORT_ID);

    *blame = SAI_LAG_MEMBER_ATTR_PORT_ID;
    if (port->handle == MMU_NONE) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0; /* The CPU port. */
    }
    if (sim_lag_of(asic->sim, port->handle) != MMU_NONE) {
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    }
    if (is_routed(asic, port)) {
        return SAI_STATUS_OBJECT_IN_USE;
    }
    program_member(asic, member);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
lag_create(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
           struct err *err)
{
    const sai_status_t status =
        supported_attributes_check_all(item, blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return item->type == SAI_OBJECT_TYPE_LAG
               ? create_lag(asic, item, blame, err)
               : create_member(asic, item, blame);
}

sai_status_t
lag_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
        struct err *err)
{
    sai_status_t status = supported_attributes_check(item, id, err);
    sai_attr_id_t blame;

    if (status == SAI_STATUS_SUCCESS && access_lists_bind(item->type, id)) {
        status = access_lists_check(asic, item, &blame, err);
    }
    if (status == SAI_STATUS_SUCCESS && item->type == SAI_OBJECT_TYPE_LAG) {
        l2_configure_port(asic, item);
        access_lists_program(asic, item);
    } else if (status == SAI_STATUS_SUCCESS) {
        program_member(asic, item);
    }
    return status;
}

sai_status_t
lag_remove(struct asic *asic, struct objects_item *item)
{
    if (item->type == SAI_OBJECT_TYPE_LAG) {
        sim_lag_remove(asic->sim, item->handle);
        asic->ports[item->handle] = (struct state_port){0};
    } else {
        sim_lag_unset(asic->sim, slot_of(asic, item));
    }
    return SAI_STATUS_SUCCESS;
}
