/* SPDX-License-Identifier: Apache-2.0 */

/* Programs the twin from the objects.
 *
 * A change arrives here after it was checked and stored.  The twin gets the
 * current values of the objects, and may still refuse them for reasons of its
 * own (no slot for a port, no memory for a reservation).  Then the caller
 * reverts the change.  Attributes that depend on each other, such as those of a
 * port, are programmed together, whichever of them was set. */

#include <config.h>

#include "vendors/softasic/sai/program.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "vendors/softasic/program/access_lists.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/program/deadlocks.h"
#include "vendors/softasic/program/fdb_entries.h"
#include "vendors/softasic/program/hashes.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/program/lag.h"
#include "vendors/softasic/program/my_macs.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/program/policers.h"
#include "vendors/softasic/program/port_buffers.h"
#include "vendors/softasic/program/port_limits.h"
#include "vendors/softasic/program/port_lookup.h"
#include "vendors/softasic/program/port_slots.h"
#include "vendors/softasic/program/qos.h"
#include "vendors/softasic/program/qos_maps.h"
#include "vendors/softasic/program/queue_profiles.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/program/scheduler_trees.h"
#include "vendors/softasic/program/stored.h"
#include "vendors/softasic/program/supported_attributes.h"
#include "vendors/softasic/program/system_port_lookup.h"
#include "vendors/softasic/program/system_ports.h"
#include "vendors/softasic/program/trimming.h"
#include "vendors/softasic/program/tunnels.h"
#include "vendors/softasic/program/wred_profiles.h"
#include "vendors/softasic/sai/capabilities.h"
#include "vendors/softasic/traffic/frames.h"
#include "vendors/softasic/traffic/hostif.h"
#include "vendors/softasic/traffic/panel.h"
#include "vendors/softasic/traffic/peers.h"

/* Returns the SAI status of a failure of the twin, 'invalid' if a value is
 * wrong. */
static sai_status_t
translate(enum st status, sai_status_t invalid)
{
    switch (status) {
    case ST_OK:
        return SAI_STATUS_SUCCESS;
    case ST_INVALID:
        return invalid;
    case ST_NOT_FOUND:
        return SAI_STATUS_ITEM_NOT_FOUND;
    case ST_EXISTS:
        return SAI_STATUS_ITEM_ALREADY_EXISTS;
    case ST_BUSY:
        return SAI_STATUS_OBJECT_IN_USE;
    case ST_NO_RESOURCE:
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    case ST_UNSUPPORTED:
        return SAI_STATUS_NOT_SUPPORTED;
    default:
        return SAI_STATUS_FAILURE;
    }
}

/* Pools --------------------------------------------------------------- */

/* Returns the parameters of a pool for the MMU. */
static struct mmu_pool_config
pool_config(const struct objects_item *pool)
{
    const bool is_ingress = objects_number(pool, SAI_BUFFER_POOL_ATTR_TYPE) ==
                            SAI_BUFFER_POOL_TYPE_INGRESS;

    return (struct mmu_pool_config){
        .direction = is_ingress ? MMU_INGRESS : MMU_EGRESS,
        .size_bytes = (uint64_t)objects_number(pool, SAI_BUFFER_POOL_ATTR_SIZE),
        .xoff_bytes =
            (uint64_t)objects_number(pool, SAI_BUFFER_POOL_ATTR_XOFF_SIZE),
    };
}

/* Creates a pool.  The MMU refuses headroom at egress, and sizes beyond what
 * it can count. */
static sai_status_t
create_pool(struct asic *asic, struct objects_item *pool, sai_attr_id_t *blame,
            struct err *err)
{
    const struct mmu_pool_config config = pool_config(pool);

    if (objects_number(pool, SAI_BUFFER_POOL_ATTR_TYPE) ==
        SAI_BUFFER_POOL_TYPE_BOTH) {
        err_set(err, ST_UNSUPPORTED, "pool-type",
                "a pool serves one direction on this chip");
        *blame = SAI_BUFFER_POOL_ATTR_TYPE;
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    if (supported_attributes_check_all(pool, blame, err) !=
        SAI_STATUS_SUCCESS) {
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    *blame = config.direction == MMU_EGRESS && config.xoff_bytes
                 ? SAI_BUFFER_POOL_ATTR_XOFF_SIZE
                 : SAI_BUFFER_POOL_ATTR_SIZE;
    return translate(mmu_pool_create(asic->mmu, &config, &pool->handle, err),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* SIZE is a limit, so it may exceed the memory; XOFF_SIZE is a reservation. */
static sai_status_t
set_pool(struct asic *asic, const struct objects_item *pool, sai_attr_id_t id,
         struct err *err)
{
    const struct mmu_pool_config config = pool_config(pool);
    const sai_status_t status = supported_attributes_check(pool, id, err);

    return status != SAI_STATUS_SUCCESS
               ? status
               : translate(mmu_pool_set(asic->mmu, pool->handle, &config, err),
                           SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* Profiles ------------------------------------------------------------ */

static uint64_t
bytes_of(const struct objects_item *profile, sai_attr_id_t id)
{
    return (uint64_t)objects_number(profile, id);
}

/* Returns the parameters of a profile for the MMU.  Its own mode selects the
 * threshold, whatever the default of the pool. */
static struct mmu_profile_config
profile_config(const struct asic *asic, const struct objects_item *profile)
{
    const struct objects_item *pool = objects_referent(
        asic->objects, profile, SAI_BUFFER_PROFILE_ATTR_POOL_ID);

    return (struct mmu_profile_config){
        .pool = pool ? pool->handle : MMU_NONE,
        .reserved_bytes =
            bytes_of(profile, SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE),
        .is_static =
            objects_number(profile, SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE) ==
            SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC,
        .dynamic_th = (int)objects_number(
            profile, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH),
        .static_bytes =
            bytes_of(profile, SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH),
        .xoff_bytes = bytes_of(profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH),
        .xon_bytes = bytes_of(profile, SAI_BUFFER_PROFILE_ATTR_XON_TH),
        .xon_offset_bytes =
            bytes_of(profile, SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH),
    };
}

/* Creates a profile; it reserves nothing before it is attached. */
static sai_status_t
create_profile(struct asic *asic, struct objects_item *profile,
               sai_attr_id_t *blame, struct err *err)
{
    const struct mmu_profile_config config = profile_config(asic, profile);

    profile->handle = MMU_NONE;
    if (config.pool == MMU_NONE) {
        return SAI_STATUS_SUCCESS; /* For the port as a whole: stored only. */
    }
    *blame = config.xoff_bytes ? SAI_BUFFER_PROFILE_ATTR_XOFF_TH
                               : SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE;
    return translate(
        mmu_profile_create(asic->mmu, &config, &profile->handle, err),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* Changes a profile for all of its users at once. */
static sai_status_t
set_profile(struct asic *asic, const struct objects_item *profile,
            sai_attr_id_t id, struct err *err)
{
    const struct mmu_profile_config config = profile_config(asic, profile);

    if (id == SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION) {
        trimming_set_profile(asic, profile);
        return SAI_STATUS_SUCCESS;
    }
    if (profile->handle == MMU_NONE) {
        return SAI_STATUS_SUCCESS;
    }
    return translate(mmu_profile_set(asic->mmu, profile->handle, &config, err),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* Attaches to a PG or queue the profile that attribute 'id' refers to. */
static sai_status_t
attach(struct asic *asic, const struct objects_item *item, sai_attr_id_t id,
       struct err *err)
{
    const struct objects_item *profile =
        objects_referent(asic->objects, item, id);
    const uint32_t handle = profile ? profile->handle : MMU_NONE;
    enum st status;

    if (item->handle == MMU_NONE && !system_port_lookup_is_voq(item)) {
        return SAI_STATUS_SUCCESS; /* A queue of the CPU port: stored only. */
    }
    if (profile && handle == MMU_NONE) {
        err_set(err, ST_INVALID, "no-pool",
                "the profile has no pool, so it cannot be attached");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    status = item->type == SAI_OBJECT_TYPE_QUEUE
                 ? queue_profiles_attach(asic, item, err)
                 : mmu_pg_attach(asic->mmu, item->handle, handle, err);
    if (status == ST_BUSY) { /* Resolves itself when packets have left. */
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    return translate(status, SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* Ports --------------------------------------------------------------- */

/* Returns the priorities with PFC on 'port': those of attribute 'id' in
 * SEPARATE mode, else the common ones. */
static uint8_t
pfc_priorities(const struct objects_item *port, sai_attr_id_t id)
{
    const bool separate =
        objects_number(port, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE) ==
        SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_SEPARATE;

    return (uint8_t)objects_number(
        port,
        separate ? id : (sai_attr_id_t)SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL);
}

/* Returns whether 'port' may be up, and its link is. */
static bool
is_up(const struct asic *asic, const struct objects_item *port)
{
    return objects_number(port, SAI_PORT_ATTR_ADMIN_STATE) != 0 &&
           panel_link_is_up(asic, port->handle);
}

/* Returns the speed of the line of a port with 'speed_mbps', in whole Mb/s. */
static uint32_t
line_mbps(const struct asic *asic, uint32_t speed_mbps)
{
    const uint32_t dilation = asic->chip->line_dilation;

    return dilation <= 1           ? speed_mbps
           : speed_mbps > dilation ? speed_mbps / dilation
                                   : 1;
}

/* Returns what each packet that arrives at 'port' takes of the buffer beside
 * its length: the FCS, if the user of the chip says so. */
static uint8_t
extra_bytes(const struct asic *asic, const struct objects_item *port)
{
    const struct chip *chip = asic->chip;
    const sai_attribute_value_t *lanes =
        objects_value(port, SAI_PORT_ATTR_HW_LANE_LIST);
    const uint32_t first = lanes->u32list.list[0] - chip->first_lane;
    bool is_in = chip->fcs_everywhere;

    for (size_t i = 0; i < chip->n_fcs_lanes && !is_in; i++) {
        is_in = chip->fcs_lanes[i] == first;
    }
    return is_in ? ETHERNET_FCS_BYTES : 0;
}

/* Returns the parameters of a port for the simulation.  Its address is that of
 * the switch.
 */
static struct sim_port_config
port_config(const struct asic *asic, const struct objects_item *port)
{
    const int64_t all =
        objects_number(port, SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_MODE);
    const uint32_t speed_mbps =
        (uint32_t)objects_number(port, SAI_PORT_ATTR_SPEED);
    sai_mac_t mac;

    addresses_mac(asic, asic->sw, mac);
    return (struct sim_port_config){
        .speed_mbps = line_mbps(asic, speed_mbps),
        .rated_mbps = speed_mbps,
        .extra_bytes = extra_bytes(asic, port),
        .admin_up = is_up(asic, port),
        .tx_enabled = objects_number(port, SAI_PORT_ATTR_PKT_TX_ENABLE) != 0,
        .mac = port_lookup_mac_number(mac),
        .pfc_tx_enabled =
            pfc_priorities(port, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX),
        .pfc_rx_enabled =
            pfc_priorities(port, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX),
        .pause_rx_enabled = all == SAI_PORT_FLOW_CONTROL_MODE_RX_ONLY ||
                            all == SAI_PORT_FLOW_CONTROL_MODE_BOTH_ENABLE,
        .pause_tx_enabled = all == SAI_PORT_FLOW_CONTROL_MODE_TX_ONLY ||
                            all == SAI_PORT_FLOW_CONTROL_MODE_BOTH_ENABLE,
    };
}

/* Sets the handles of the children of 'port', except scheduler groups: those
 * get theirs with their tree. */
static void
bind_children(struct asic *asic, struct objects_item *port)
{
    uint32_t n;
    struct objects_item *children = objects_children(port, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct objects_item *c = &children[i];

        switch (c->type) {
        case SAI_OBJECT_TYPE_QUEUE:
            objects_set_handle(asic->objects, c,
                               mmu_queue_id(asic->mmu, port->handle, c->index));
            break;
        case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
            objects_set_handle(asic->objects, c,
                               mmu_pg_id(asic->mmu, port->handle, c->index));
            break;
        case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
            break;
        default:
            objects_set_handle(asic->objects, c, MMU_NONE);
            break;
        }
    }
}

/* Checks what the twin does not check. */
static sai_status_t
check_port(const struct asic *asic, const struct objects_item *port,
           sai_attr_id_t *blame, struct err *err)
{
    sai_status_t status = port_limits_check_lanes(asic, port, err);

    *blame = SAI_PORT_ATTR_HW_LANE_LIST;
    if (status == SAI_STATUS_SUCCESS) {
        *blame = SAI_PORT_ATTR_SPEED;
        status = port_limits_check_speed(asic, port, err);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    for (uint32_t i = 0; i < port->n_values; i++) {
        *blame = port->values[i].id;
        if (qos_maps_check_reference(asic, port, *blame) !=
            SAI_STATUS_SUCCESS) {
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    if (deadlocks_check_all(asic, port, blame, err) != SAI_STATUS_SUCCESS ||
        access_lists_check(asic, port, blame, err) != SAI_STATUS_SUCCESS) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    return supported_attributes_check_all(port, blame, err);
}

/* Programs the buffer profile lists that 'port' was created with. */
static sai_status_t
apply_lists(struct asic *asic, const struct objects_item *port,
            sai_attr_id_t *blame, struct err *err)
{
    for (uint32_t i = 0; i < port->n_values; i++) {
        const sai_attr_id_t id = port->values[i].id;
        const sai_status_t status = port_buffers_concern(id)
                                        ? port_buffers_set(asic, port, id, err)
                                        : SAI_STATUS_SUCCESS;

        if (status != SAI_STATUS_SUCCESS) {
            *blame = id;
            return status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Adds 'port' to the twin in the slot that is its handle, with its profile
 * lists. */
static sai_status_t
occupy_slot(struct asic *asic, const struct objects_item *port,
            sai_attr_id_t *blame, struct err *err)
{
    const struct sim_port_config config = port_config(asic, port);
    const uint32_t lane =
        objects_value(port, SAI_PORT_ATTR_HW_LANE_LIST)->u32list.list[0];
    sai_status_t status;

    *blame = SAI_PORT_ATTR_SPEED;
    status = translate(sim_port_add(asic->sim, port->handle, lane, &config),
                       SAI_STATUS_INVALID_ATTR_VALUE_0);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    status = apply_lists(asic, port, blame, err);
    if (status != SAI_STATUS_SUCCESS) {
        const enum st gone = sim_port_remove(asic->sim, port->handle);

        orch_assert(gone == ST_OK);
    }
    return status;
}

/* Programs what belongs to 'port', which has its children and is in the twin,
 * with the L2 entry for the host behind it. */
static void
start_port(struct asic *asic, struct objects_item *port)
{
    const uint32_t slot = port->handle;
    const struct objects_item *bridge_port =
        objects_child(port, SAI_OBJECT_TYPE_BRIDGE_PORT, 0);
    const enum st entry = sim_fdb_set(asic->sim, STATE_HOST_MAC | slot, slot);

    orch_assert(entry == ST_OK); /* The port exists, the address is valid. */
    asic->ports[slot] = (struct state_port){
        .item = port,
        .bridge_port = bridge_port ? bridge_port->oid : SAI_NULL_OBJECT_ID};
    port_limits_note(asic, port);
    l2_configure_port(asic, port);
    bind_children(asic, port);
    qos_maps_program_rules(asic, port);
    policers_program_port(asic, port);
    access_lists_program(asic, port);
    scheduler_trees_start(asic, port);
    if (sim_port_get(asic->sim, slot)->admin_up) {
        notify_port(asic, port->oid, SAI_PORT_OPER_STATUS_UP);
    }
    panel_added(asic, port);
}

/* Adds a port in a free slot, with its children. */
static sai_status_t
create_port(struct asic *asic, struct objects_item *port, sai_attr_id_t *blame,
            struct err *err)
{
    sai_status_t status = check_port(asic, port, blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    port->handle = port_slots_find_free(asic);
    if (port->handle == MMU_NONE) {
        err_set(err, ST_NO_RESOURCE, "ports", "the chip has %u ports",
                asic->chip->ports);
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    status = occupy_slot(asic, port, blame, err);
    if (status == SAI_STATUS_SUCCESS) {
        port_family_add(port, &asic->family);
        start_port(asic, port);
    }
    return status;
}

sai_status_t
program_shared_port(struct asic *asic, struct objects_item *port,
                    struct err *err)
{
    sai_attr_id_t blame;
    const sai_status_t status = occupy_slot(asic, port, &blame, err);

    if (status == SAI_STATUS_SUCCESS) {
        start_port(asic, port);
    }
    return status;
}

/* Programs all parameters of a port. */
static sai_status_t
configure_port(struct asic *asic, const struct objects_item *port)
{
    const struct sim_port_config config = port_config(asic, port);
    const bool was_up = sim_port_get(asic->sim, port->handle)->admin_up;
    const sai_status_t status =
        translate(sim_port_set(asic->sim, port->handle, &config),
                  SAI_STATUS_INVALID_ATTR_VALUE_0);

    if (status == SAI_STATUS_SUCCESS && was_up != config.admin_up) {
        notify_port(asic, port->oid,
                    config.admin_up ? SAI_PORT_OPER_STATUS_UP
                                    : SAI_PORT_OPER_STATUS_DOWN);
    }
    return status;
}

void
program_set_link(struct asic *asic, const struct objects_item *port)
{
    const sai_status_t status = configure_port(asic, port);

    orch_assert(status == SAI_STATUS_SUCCESS); /* Nothing else has changed. */
}

/* Checks a new value of a port against the chip. */
static sai_status_t
check_port_value(const struct asic *asic, const struct objects_item *port,
                 sai_attr_id_t id, struct err *err)
{
    sai_status_t status = qos_maps_check_reference(asic, port, id);

    if (status != SAI_STATUS_SUCCESS) {
        err_set(err, ST_INVALID, "map", "the map is of another type");
        return status;
    }
    status = supported_attributes_check(port, id, err);
    return status == SAI_STATUS_SUCCESS && id == SAI_PORT_ATTR_SPEED
               ? port_limits_check_speed(asic, port, err)
               : status;
}

/* Programs the access lists that are bound to 'place'. */
static sai_status_t
set_access_lists(struct asic *asic, const struct objects_item *place,
                 struct err *err)
{
    sai_attr_id_t blame;
    const sai_status_t status = access_lists_check(asic, place, &blame, err);

    if (status == SAI_STATUS_SUCCESS) {
        access_lists_program(asic, place);
    }
    return status;
}

/* Programs a change of what a module has a list of attributes for; all others
 * are only stored. */
static sai_status_t
set_port_tables(struct asic *asic, const struct objects_item *port,
                sai_attr_id_t id, struct err *err)
{
    if (deadlocks_concern(SAI_OBJECT_TYPE_PORT, id)) {
        return deadlocks_set(asic, port, id, err);
    }
    if (qos_maps_concerns(port, id)) {
        qos_maps_program_rules(asic, port);
        sim_port_wake(asic->sim, port->handle);
    }
    return port_buffers_concern(id) ? port_buffers_set(asic, port, id, err)
                                    : SAI_STATUS_SUCCESS;
}

/* Programs a change of a port.  The twin takes all parameters of a port at
 * once, so a change of any programs all. */
static sai_status_t
set_port(struct asic *asic, const struct objects_item *port, sai_attr_id_t id,
         struct err *err)
{
    sai_status_t status;

    if (port->handle == MMU_NONE) {
        return SAI_STATUS_SUCCESS; /* The CPU port carries nothing. */
    }
    status = check_port_value(asic, port, id, err);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    switch (id) {
    case SAI_PORT_ATTR_MTU: /* The listener gets the new values. */
    case SAI_PORT_ATTR_SPEED:
    case SAI_PORT_ATTR_ADMIN_STATE:
    case SAI_PORT_ATTR_PKT_TX_ENABLE:
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE:
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL:
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX:
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX:
    case SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_MODE:
        status = configure_port(asic, port);
        if (status == SAI_STATUS_SUCCESS) {
            panel_changed(asic, port);
        }
        return status;
    case SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID:
        return scheduler_trees_set(asic, port, id, err);
    case SAI_PORT_ATTR_PORT_VLAN_ID:
    case SAI_PORT_ATTR_DROP_UNTAGGED:
        l2_configure_port(asic, port);
        return SAI_STATUS_SUCCESS;
    case SAI_PORT_ATTR_POLICER_ID:
        policers_program_port(asic, port);
        return SAI_STATUS_SUCCESS;
    case SAI_PORT_ATTR_INGRESS_ACL:
    case SAI_PORT_ATTR_EGRESS_ACL:
        return set_access_lists(asic, port, err);
    default:
        return set_port_tables(asic, port, id, err);
    }
}

/* Removes a port.  The objects and the twin each release profiles and maps
 * themselves. */
static sai_status_t
remove_port(struct asic *asic, struct objects_item *port)
{
    const enum st status = sim_port_remove(asic->sim, port->handle);
    struct objects_item *children;
    uint32_t n;

    if (status != ST_OK) {
        return translate(status, SAI_STATUS_FAILURE);
    }
    children = objects_children(port, &n);
    for (uint32_t i = 0; i < n; i++) {
        counters_free(&children[i]);
        notify_drop_queue(asic, children[i].oid);
    }
    counters_free(port);
    peers_disconnect(asic, port->handle);
    panel_removed(asic, port->handle);
    frames_free(&asic->ports[port->handle]);
    free(asic->ports[port->handle].received);
    free(asic->ports[port->handle].traced);
    free(asic->ports[port->handle].credits);
    asic->ports[port->handle] = (struct state_port){0};
    return SAI_STATUS_SUCCESS;
}

/* Switch -------------------------------------------------------------- */

/* Programs a change of the switch; most of its attributes are only stored. */
static sai_status_t
set_switch(struct asic *asic, const struct objects_item *sw, sai_attr_id_t id,
           struct err *err)
{
    sai_status_t status = supported_attributes_check(sw, id, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    status = qos_maps_check_reference(asic, sw, id);
    if (id == SAI_SWITCH_ATTR_SWITCH_SHELL_ENABLE &&
        objects_number(sw, id) != 0) {
        err_set(err, ST_UNSUPPORTED, "shell", "this switch has no shell");
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    if (status == SAI_STATUS_SUCCESS && qos_maps_concerns(sw, id)) {
        qos_maps_program_rules(asic, sw);
    }
    if (access_lists_bind(sw->type, id)) {
        return set_access_lists(asic, sw, err);
    }
    if (trimming_concerns(id)) {
        return trimming_set_switch(asic, sw, id, err);
    }
    if (id == SAI_SWITCH_ATTR_ECN_ECT_THRESHOLD_ENABLE) {
        wred_profiles_program_all(asic);
    }
    if (id == SAI_SWITCH_ATTR_FDB_AGING_TIME) {
        fdb_entries_set_aging(asic, sw);
    }
    if (status == SAI_STATUS_SUCCESS && hashes_concern(id)) {
        status = hashes_set_switch(asic, sw, id, err);
    }
    if (asic->domain) { /* Else the switch is being created, and they follow. */
        l3_update_switch(asic);
    }
    return status == SAI_STATUS_SUCCESS &&
                   deadlocks_concern(SAI_OBJECT_TYPE_SWITCH, id)
               ? deadlocks_set(asic, sw, id, err)
               : status;
}

/* At creation attributes are checked as if they were set one by one. */
static sai_status_t
create_switch(struct asic *asic, const struct objects_item *sw,
              sai_attr_id_t *blame, struct err *err)
{
    for (uint32_t i = 0; i < sw->n_values; i++) {
        const sai_status_t status = set_switch(asic, sw, sw->values[i].id, err);

        if (status != SAI_STATUS_SUCCESS) {
            *blame = sw->values[i].id;
            return status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Bridging ------------------------------------------------------------- */

static sai_status_t
create_l2(struct asic *asic, struct objects_item *item, sai_attr_id_t *blame,
          struct err *err)
{
    sai_status_t status = access_lists_check(asic, item, blame, err);

    if (status == SAI_STATUS_SUCCESS) {
        status = l2_create(asic, item, blame, err);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    access_lists_program(asic, item);
    /* The twin keeps counting for a port that gets another bridge port. */
    if (item->type == SAI_OBJECT_TYPE_BRIDGE_PORT) {
        counters_clear_all(asic, item);
    }
    return status;
}

static sai_status_t
set_l2(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
       struct err *err)
{
    return access_lists_bind(item->type, id) ? set_access_lists(asic, item, err)
                                             : l2_set(asic, item, id, err);
}

static sai_status_t
remove_l2(struct asic *asic, struct objects_item *item)
{
    const sai_status_t status = l2_remove(asic, item);

    if (status == SAI_STATUS_SUCCESS) {
        counters_free(item);
    }
    return status;
}

/* Policers ------------------------------------------------------------- */

static sai_status_t
remove_policer(struct asic *asic, struct objects_item *item)
{
    (void)asic;
    policers_remove(item);
    return SAI_STATUS_SUCCESS;
}

/* Queues --------------------------------------------------------------- */

static sai_status_t
set_queue(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
          struct err *err)
{
    asic->had_voq_profiles |= system_port_lookup_is_voq(item);
    return id == SAI_QUEUE_ATTR_BUFFER_PROFILE_ID ? attach(asic, item, id, err)
           : deadlocks_concern(item->type, id)
               ? deadlocks_set(asic, item, id, err)
               : qos_set(asic, item, id, err);
}

/* Objects without effect ------------------------------------------------ */

static sai_status_t
create_stored(struct asic *asic, struct objects_item *item,
              sai_attr_id_t *blame, struct err *err)
{
    (void)blame;
    (void)err;
    return stored_create(asic, item);
}

static sai_status_t
set_stored(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
           struct err *err)
{
    (void)asic;
    (void)item;
    (void)id;
    (void)err;
    return SAI_STATUS_SUCCESS;
}

/* By type ------------------------------------------------------------- */

/* A module and what it does with the types that it handles. */
struct family {
    bool (*handles)(sai_object_type_t type);
    sai_status_t (*create)(struct asic *asic, struct objects_item *item,
                           sai_attr_id_t *blame, struct err *err);
    sai_status_t (*set)(struct asic *asic, struct objects_item *item,
                        sai_attr_id_t id, struct err *err);
    sai_status_t (*remove)(struct asic *asic, struct objects_item *item);
};

static const struct family *
find_family(sai_object_type_t type)
{
    static const struct family qos = {NULL, qos_create, qos_set, qos_remove};
    static const struct family families[] = {
        {l2_handles_type, create_l2, set_l2, remove_l2},
        {l3_handles_type, l3_create, l3_set, l3_remove},
        {routes_handles_type, qos_create, routes_update, qos_remove},
        {lag_handles_type, lag_create, lag_set, lag_remove},
        {stored_handles_type, create_stored, set_stored, qos_remove},
        {access_lists_handle_type, access_lists_create, access_lists_set,
         access_lists_remove},
        {policers_handles_type, policers_create, policers_set, remove_policer},
        {tunnels_handles_type, tunnels_create, tunnels_set, tunnels_remove},
        {hashes_handles_type, hashes_create, hashes_set, hashes_remove},
        {hostif_handles_type, hostif_create, hostif_set, hostif_remove},
        {system_ports_handle_type, system_ports_create, system_ports_set,
         system_ports_remove},
    };

    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (families[i].handles(type)) {
            return &families[i];
        }
    }
    return &qos;
}

sai_status_t
program_create(struct asic *asic, struct objects_item *item,
               sai_attr_id_t *blame, struct err *err)
{
    switch (item->type) {
    case SAI_OBJECT_TYPE_SWITCH:
        return create_switch(asic, item, blame, err);
    case SAI_OBJECT_TYPE_PORT:
        return create_port(asic, item, blame, err);
    case SAI_OBJECT_TYPE_BUFFER_POOL:
        return create_pool(asic, item, blame, err);
    case SAI_OBJECT_TYPE_BUFFER_PROFILE:
        return create_profile(asic, item, blame, err);
    case SAI_OBJECT_TYPE_QUEUE:
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        /* All objects of the other types exist from the start. */
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    case SAI_OBJECT_TYPE_MY_MAC:
        return my_macs_create(asic, item, blame, err);
    default:
        if (!capabilities_type(item->type)) {
            return SAI_STATUS_NOT_IMPLEMENTED;
        }
        return find_family(item->type)->create(asic, item, blame, err);
    }
}

sai_status_t
program_set(struct asic *asic, struct objects_item *item, sai_attr_id_t id,
            struct err *err)
{
    switch (item->type) {
    case SAI_OBJECT_TYPE_SWITCH:
        return set_switch(asic, item, id, err);
    case SAI_OBJECT_TYPE_PORT:
        return set_port(asic, item, id, err);
    case SAI_OBJECT_TYPE_BUFFER_POOL:
        return set_pool(asic, item, id, err);
    case SAI_OBJECT_TYPE_BUFFER_PROFILE:
        return set_profile(asic, item, id, err);
    case SAI_OBJECT_TYPE_QUEUE:
        return set_queue(asic, item, id, err);
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        return id == SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE
                   ? attach(asic, item, id, err)
                   : SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_MY_MAC:
        return SAI_STATUS_SUCCESS; /* Only the priority can change. */
    default:
        return find_family(item->type)->set(asic, item, id, err);
    }
}

sai_status_t
program_remove(struct asic *asic, struct objects_item *item, struct err *err)
{
    sai_status_t status = SAI_STATUS_SUCCESS;

    switch (item->type) {
    case SAI_OBJECT_TYPE_PORT:
        return remove_port(asic, item);
    case SAI_OBJECT_TYPE_BUFFER_POOL:
        status = translate(mmu_pool_remove(asic->mmu, item->handle, err),
                           SAI_STATUS_FAILURE);
        if (status == SAI_STATUS_SUCCESS) {
            counters_free(item);
        }
        return status;
    case SAI_OBJECT_TYPE_BUFFER_PROFILE:
        return item->handle == MMU_NONE
                   ? status
                   : translate(mmu_profile_remove(asic->mmu, item->handle, err),
                               SAI_STATUS_FAILURE);
    case SAI_OBJECT_TYPE_MY_MAC:
        return my_macs_remove(asic, item);
    default:
        return find_family(item->type)->remove(asic, item);
    }
}
