/* SPDX-License-Identifier: Apache-2.0 */

/* One software switch as SAI sees it. */

#include <config.h>

#include "vendors/softasic/sai/asic.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/program/access_lists.h"
#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/program/credit_counters.h"
#include "vendors/softasic/program/credits.h"
#include "vendors/softasic/program/fdb_entries.h"
#include "vendors/softasic/program/hashes.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/program/my_macs.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/program/policers.h"
#include "vendors/softasic/program/queue_profiles.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/program/stored.h"
#include "vendors/softasic/program/tunnels.h"
#include "vendors/softasic/sai/computed.h"
#include "vendors/softasic/sai/program.h"
#include "vendors/softasic/traffic/frames.h"
#include "vendors/softasic/traffic/hostif.h"
#include "vendors/softasic/traffic/panel.h"
#include "vendors/softasic/traffic/peers.h"
#include "vendors/softasic/traffic/traffic.h"
#include "vendors/softasic/traffic/watch.h"

/* Adds an object that was checked, and programs it. */
static sai_status_t
add(struct asic *asic, sai_object_type_t type, uint32_t n,
    const sai_attribute_t *attributes, struct objects_item **item,
    struct err *err)
{
    struct objects_item *made = objects_add(asic->objects, type, n, attributes);
    sai_attr_id_t blame = 0;
    const sai_status_t status = program_create(asic, made, &blame, err);

    if (status != SAI_STATUS_SUCCESS) {
        objects_drop(asic->objects, made);
        return objects_point_at(status, blame, n, attributes);
    }
    *item = made;
    return SAI_STATUS_SUCCESS;
}

/* Initial ports ------------------------------------------------------- */

/* Adds the initial ports of a chip, with consecutive lanes.  They are not
 * checked: the chip file is responsible for a valid front panel. */
static sai_status_t
add_default_ports(struct asic *asic, struct err *err)
{
    const struct chip *chip = asic->chip;
    uint32_t *lanes = check_calloc(chip->lanes_per_port + 1, sizeof *lanes);
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0;
         i < chip->default_ports && status == SAI_STATUS_SUCCESS; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_PORT_ATTR_HW_LANE_LIST,
             {.u32list = {chip->lanes_per_port, lanes}}},
            {SAI_PORT_ATTR_SPEED, {.u32 = chip->port_speed_mbps}},
        };
        struct objects_item *port;

        for (uint32_t l = 0; l < chip->lanes_per_port; l++) {
            lanes[l] = chip->first_lane + i * chip->lanes_per_port + l;
        }
        status = add(asic, SAI_OBJECT_TYPE_PORT, 2, attributes, &port, err);
    }
    free(lanes);
    return status;
}

/* Adds the system ports that the switch was created with. */
static sai_status_t
add_system_ports(struct asic *asic, struct err *err)
{
    const sai_attribute_value_t *value =
        objects_value(asic->sw, SAI_SWITCH_ATTR_SYSTEM_PORT_CONFIG_LIST);
    const uint32_t n = value ? value->sysportconfiglist.count : 0;
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < n && status == SAI_STATUS_SUCCESS; i++) {
        const sai_attribute_t attribute = {
            SAI_SYSTEM_PORT_ATTR_CONFIG_INFO,
            {.sysportconfig = value->sysportconfiglist.list[i]}};
        struct objects_item *item;

        status =
            add(asic, SAI_OBJECT_TYPE_SYSTEM_PORT, 1, &attribute, &item, err);
    }
    return status;
}

/* The CPU port.  Its frames leave at once and are never in the packet buffer,
 * so its queues store their attributes and are always empty. */
static void
add_cpu_port(struct asic *asic)
{
    const sai_attribute_t type = {SAI_PORT_ATTR_TYPE,
                                  {.s32 = SAI_PORT_TYPE_CPU}};
    struct objects_item *children;
    uint32_t n;

    asic->cpu_port = objects_add(asic->objects, SAI_OBJECT_TYPE_PORT, 1, &type);
    asic->cpu_port->handle = MMU_NONE;
    if (asic->chip->cpu_queues == 0) {
        return;
    }
    asic->cpu_family = (struct port_family_size){
        .n_unicast_queues = asic->chip->cpu_queues, .has_groups = true};
    port_family_add(asic->cpu_port, &asic->cpu_family);
    children = objects_children(asic->cpu_port, &n);
    for (uint32_t i = 0; i < n; i++) {
        children[i].handle = MMU_NONE;
    }
}

/* Lifecycle ----------------------------------------------------------- */

struct asic *
asic_create_empty(struct chip *chip, struct sim *sim)
{
    struct asic *asic = check_calloc(1, sizeof *asic);

    asic->chip = chip;
    asic->sim = sim;
    asic->mmu = sim_mmu(sim);
    return asic;
}

sai_status_t
asic_create(struct chip *chip, uint32_t n, const sai_attribute_t *attributes,
            const struct softasic_listener *listener, struct asic **asic,
            struct err *err)
{
    struct asic *made = asic_create_empty(chip, sim_create(chip));
    sai_status_t status;

    made->objects = objects_create();
    sim_measure_delays(made->sim);
    traffic_listen(made, true);
    made->family = (struct port_family_size){
        .n_unicast_queues = chip->unicast_queues_per_port,
        .n_multicast_queues =
            chip->queues_per_port - chip->unicast_queues_per_port,
        .n_pgs = chip->pgs_per_port,
        .has_groups = true,
    };
    made->listener = listener;

    /* From here on like the creation of any object, with others that it comes
     * with. */
    status = objects_check_create(made->objects, SAI_OBJECT_TYPE_SWITCH, n,
                                  attributes);
    if (status == SAI_STATUS_SUCCESS) {
        status =
            add(made, SAI_OBJECT_TYPE_SWITCH, n, attributes, &made->sw, err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        add_cpu_port(made);
        l2_start(made);
        /* Spanning tree is not modelled, but clients read the default
         * instance. */
        objects_add(made->objects, SAI_OBJECT_TYPE_STP, 0, NULL);
        l3_start(made);
        hashes_start(made);
        hostif_start(made);
        status = add_default_ports(made, err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        status = add_system_ports(made, err);
    }
    if (status != SAI_STATUS_SUCCESS) {
        made->chip = NULL; /* The caller still owns it. */
        asic_destroy(made);
        return status;
    }
    *asic = made;
    return SAI_STATUS_SUCCESS;
}

/* Frees the data of objects of 'type'. */
static void
free_data(struct asic *asic, sai_object_type_t type)
{
    for (struct objects_item *i = objects_first(asic->objects, type); i;
         i = objects_next(asic->objects, i)) {
        if (i->data) { /* Else it may be shared; see objects_own(). */
            free(i->data);
            i->data = NULL;
        }
    }
}

/* The types whose objects may have data (see state.h). */
static const sai_object_type_t with_data[] = {
    SAI_OBJECT_TYPE_SWITCH,
    SAI_OBJECT_TYPE_PORT,
    SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
    SAI_OBJECT_TYPE_QUEUE,
    SAI_OBJECT_TYPE_BUFFER_POOL,
    SAI_OBJECT_TYPE_QOS_MAP,
    SAI_OBJECT_TYPE_WRED,
    SAI_OBJECT_TYPE_ROUTER_INTERFACE,
    SAI_OBJECT_TYPE_VLAN,
    SAI_OBJECT_TYPE_BRIDGE,
    SAI_OBJECT_TYPE_BRIDGE_PORT,
    SAI_OBJECT_TYPE_POLICER,
    SAI_OBJECT_TYPE_TUNNEL,
};

void
asic_destroy(struct asic *asic)
{
    if (!asic) {
        return;
    }
    if (asic->watch) {
        watch_start(asic, NULL);
        traffic_listen(asic, true);
    }
    notify_fini(asic);
    routes_fini(asic);
    peers_fini(asic);
    panel_end(asic);
    /* The twin first: it points to maps and curves, which are data of objects.
     */
    sim_destroy(asic->sim);
    access_lists_fini(asic);
    for (size_t i = 0; i < sizeof with_data / sizeof with_data[0]; i++) {
        free_data(asic, with_data[i]);
    }
    objects_destroy(asic->objects);
    for (uint32_t i = 0; i < asic->n_ports; i++) {
        frames_free(&asic->ports[i]);
        free(asic->ports[i].received);
        free(asic->ports[i].traced);
        free(asic->ports[i].credits);
    }
    frames_free(&asic->cpu);
    free(asic->cpu.received);
    free(asic->ports);
    free(asic->voq_families);
    free(asic->macs);
    if (!asic->borrows_chip) {
        chip_file_destroy(asic->chip);
    }
    free(asic);
}

/* Verbs --------------------------------------------------------------- */

/* Programs the profiles of VOQs again when an object of 'type', which has come
 * or gone, may have changed which queues they are about. */
static void
update_voqs(struct asic *asic, sai_object_type_t type)
{
    if (asic->had_voq_profiles &&
        (type == SAI_OBJECT_TYPE_PORT || type == SAI_OBJECT_TYPE_SYSTEM_PORT)) {
        queue_profiles_attach_all(asic);
    }
}

sai_status_t
asic_add(struct asic *asic, sai_object_type_t type, uint32_t n,
         const sai_attribute_t *attributes, sai_object_id_t *oid,
         struct err *err)
{
    struct objects_item *item;
    sai_status_t status =
        routes_handles_type(type) || type == SAI_OBJECT_TYPE_FDB_ENTRY
            ? SAI_STATUS_INVALID_OBJECT_TYPE /* It has a key. */
            : objects_check_create(asic->objects, type, n, attributes);

    if (status == SAI_STATUS_SUCCESS) {
        status = add(asic, type, n, attributes, &item, err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        *oid = item->oid;
        update_voqs(asic, type);
    }
    return status;
}

sai_status_t
asic_remove(struct asic *asic, sai_object_type_t type, sai_object_id_t oid,
            struct err *err)
{
    struct objects_item *item;
    sai_status_t status = objects_locate(asic->objects, type, oid, &item);

    if (status == SAI_STATUS_SUCCESS) {
        item = objects_own(asic->objects, item);
        status = item == asic->cpu_port ? SAI_STATUS_NOT_SUPPORTED
                                        : objects_check_remove(item);
    }
    if (status == SAI_STATUS_SUCCESS) {
        status = program_remove(asic, item, err);
    }
    if (status == SAI_STATUS_SUCCESS) {
        objects_drop(asic->objects, item);
        update_voqs(asic, type);
    }
    return status;
}

sai_status_t
asic_set(struct asic *asic, sai_object_type_t type, sai_object_id_t oid,
         const sai_attribute_t *attribute, struct err *err)
{
    struct objects_item *item;
    const sai_status_t status = objects_locate(asic->objects, type, oid, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return credits_has_attribute(type, attribute->id)
               ? credits_set(asic, item, attribute, err)
               : asic_change(asic, item, attribute, err);
}

/* Entries ------------------------------------------------------------- */

sai_status_t
asic_add_entry(struct asic *asic, sai_object_type_t type, const void *key,
               uint32_t n, const sai_attribute_t *attributes, struct err *err)
{
    return type == SAI_OBJECT_TYPE_FDB_ENTRY
               ? fdb_entries_create(asic, key, n, attributes)
               : routes_create(asic, type, key, n, attributes, err);
}

sai_status_t
asic_remove_entry(struct asic *asic, sai_object_type_t type, const void *key)
{
    return type == SAI_OBJECT_TYPE_FDB_ENTRY ? fdb_entries_remove(asic, key)
                                             : routes_remove(asic, type, key);
}

sai_status_t
asic_set_entry(struct asic *asic, sai_object_type_t type, const void *key,
               const sai_attribute_t *attribute, struct err *err)
{
    struct objects_item *item;
    sai_status_t status;

    if (type == SAI_OBJECT_TYPE_FDB_ENTRY) {
        return fdb_entries_set(asic, key, attribute);
    }
    status = routes_find(asic, type, key, &item);
    return status == SAI_STATUS_SUCCESS
               ? asic_change(asic, item, attribute, err)
               : status;
}

sai_status_t
asic_get_entry(struct asic *asic, sai_object_type_t type, const void *key,
               uint32_t n, sai_attribute_t *attributes)
{
    struct objects_item *item;
    sai_status_t status;

    if (type == SAI_OBJECT_TYPE_FDB_ENTRY) {
        return fdb_entries_get(asic, key, n, attributes);
    }
    status = routes_find(asic, type, key, &item);
    return status == SAI_STATUS_SUCCESS ? asic_read(asic, item, n, attributes)
                                        : status;
}

/* Attributes ---------------------------------------------------------- */

sai_status_t
asic_change(struct asic *asic, struct objects_item *item,
            const sai_attribute_t *attribute, struct err *err)
{
    const sai_attribute_value_t *stored;
    sai_attribute_t old = {.id = attribute->id};
    bool had_value;
    enum kind kind;
    sai_status_t status = objects_check_set(asic->objects, item, attribute);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    item = objects_own(asic->objects, item);
    kind = metadata_attribute(item->type, attribute->id)->kind;
    stored = objects_value(item, attribute->id);
    had_value = stored != NULL;
    if (had_value) {
        attr_value_copy(kind, stored, &old.value);
    }
    /* Store first: the twin is programmed from what is stored. */
    objects_put(asic->objects, item, attribute);
    status = program_set(asic, item, attribute->id, err);
    if (status != SAI_STATUS_SUCCESS && had_value) {
        objects_put(asic->objects, item, &old);
    } else if (status != SAI_STATUS_SUCCESS) {
        objects_unset(asic->objects, item, attribute->id);
    }
    if (had_value) {
        attr_value_fini(kind, &old.value);
    }
    return status;
}

sai_status_t
asic_get(struct asic *asic, sai_object_type_t type, sai_object_id_t oid,
         uint32_t n, sai_attribute_t *attributes)
{
    struct objects_item *item;
    const sai_status_t status = objects_locate(asic->objects, type, oid, &item);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    return n && credits_has_attribute(type, attributes[0].id)
               ? credits_get(asic, item, n, attributes)
               : asic_read(asic, item, n, attributes);
}

sai_status_t
asic_read(struct asic *asic, const struct objects_item *item, uint32_t n,
          sai_attribute_t *attributes)
{
    return objects_get(item, n, attributes, computed_get, asic);
}

sai_status_t
asic_stats(struct asic *asic, sai_object_type_t type, sai_object_id_t oid,
           uint32_t n, const sai_stat_id_t *ids, sai_stats_mode_t mode,
           uint64_t *values)
{
    struct objects_item *item;
    const sai_status_t status = objects_locate(asic->objects, type, oid, &item);

    if (status == SAI_STATUS_SUCCESS && n && ids &&
        credit_counters_have(type, ids[0])) {
        return credit_counters_read(asic, item, n, ids, mode, values);
    }
    if (status == SAI_STATUS_SUCCESS && mode != SAI_STATS_MODE_READ) {
        item = objects_own(asic->objects, item); /* A cleared one has data. */
    }
    return status == SAI_STATUS_SUCCESS
               ? counters_read(asic, item, n, ids, mode, values)
               : status;
}

uint32_t
asic_count(const struct asic *asic, sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_FDB_ENTRY ? fdb_entries_list(asic, NULL)
           : routes_handles_type(type)       ? routes_list(asic, type, NULL)
                                       : objects_count(asic->objects, type);
}

sai_status_t
asic_list(const struct asic *asic, sai_object_type_t type, uint32_t *n,
          sai_object_key_t *keys)
{
    const uint32_t found = asic_count(asic, type);
    uint32_t i = 0;

    if (*n < found || (found && !keys)) {
        *n = found;
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    if (type == SAI_OBJECT_TYPE_FDB_ENTRY) {
        fdb_entries_list(asic, keys);
    } else if (routes_handles_type(type)) {
        routes_list(asic, type, keys);
    }
    for (const struct objects_item *item = objects_first(asic->objects, type);
         item; item = objects_next(asic->objects, item)) {
        memset(&keys[i], 0, sizeof keys[i]);
        keys[i++].key.object_id = item->oid;
    }
    *n = found;
    return SAI_STATUS_SUCCESS;
}

uint64_t
asic_availability(const struct asic *asic, sai_object_type_t type)
{
    /* Of the same capacity on each chip. */
    static const struct {
        sai_object_type_t type;
        uint64_t most;
    } fixed[] = {
        {SAI_OBJECT_TYPE_HASH, HASHES_MAX},
        {SAI_OBJECT_TYPE_POLICER, POLICERS_MAX},
        {SAI_OBJECT_TYPE_MY_MAC, MY_MACS_MAX},
        {SAI_OBJECT_TYPE_TUNNEL, TUNNELS_MAX},
        {SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY, TUNNELS_MAX},
        {SAI_OBJECT_TYPE_LAG, SIM_MAX_LAGS},
        {SAI_OBJECT_TYPE_VLAN, BRIDGE_MAX_VLAN},
    };
    const uint64_t used = objects_count(asic->objects, type);

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (fixed[i].type == type) {
            return fixed[i].most - used;
        }
    }
    if (l3_handles_type(type)) {
        return l3_capacity(type) - used;
    }
    if (stored_handles_type(type)) {
        return STORED_MAX - used;
    }
    if (access_lists_handle_type(type)) {
        return access_lists_room(asic, type);
    }
    switch (type) {
    case SAI_OBJECT_TYPE_ROUTE_ENTRY: /* Of both families. */
        return 2 * L3_MAX_ROUTES - routes_list(asic, type, NULL);
    case SAI_OBJECT_TYPE_NEIGHBOR_ENTRY:
        return 2 * L3_MAX_NEIGHBORS - routes_list(asic, type, NULL);
    case SAI_OBJECT_TYPE_LAG_MEMBER: /* A port is in one at most. */
        return asic->chip->ports - used;
    case SAI_OBJECT_TYPE_FDB_ENTRY:
        return FDB_MAX_ENTRIES - fdb_entries_list(asic, NULL);
    case SAI_OBJECT_TYPE_BRIDGE:
        return 0;
    case SAI_OBJECT_TYPE_PORT: /* The CPU port has no slot. */
        return asic->chip->ports - (used - 1);
    case SAI_OBJECT_TYPE_BUFFER_POOL:
        return asic->chip->pools - used;
    case SAI_OBJECT_TYPE_BUFFER_PROFILE:
        return used < asic->chip->profiles ? asic->chip->profiles - used : 0;
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
    case SAI_OBJECT_TYPE_QUEUE:
        return 0;
    default:
        return UINT64_MAX;
    }
}
