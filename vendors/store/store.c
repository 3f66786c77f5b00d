/* SPDX-License-Identifier: Apache-2.0 */

/* A switch that stores objects and does nothing.
 *
 * Tests of the control plane use it.  It refuses what SAI refuses
 * (vendors/objects/objects.h), and a test controls everything else.  Every call
 * is counted and first passed to a hook, which may refuse it, or crash the
 * store before or after the call, like a switch whose process dies: the caller
 * gets a failure, and the call was, or was not, carried out. */

#include <config.h>

#include "vendors/store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/core/metadata.h"
#include "vendors/objects/dump.h"
#include "vendors/objects/objects.h"
#include "vendors/objects/port_family.h"

enum { N_STORE_OPS = STORE_GET_STATS + 1 };

struct store {
    struct sai_backend
        backend; /* First: clients of the store get its address. */
    struct objects *objects;
    struct store_port *ports; /* Created with the switch. */
    uint32_t n_ports;
    struct port_family_size family;  /* The children of each port, ... */
    struct port_family_size initial; /* ... of initial ports. */
    bool has_bridge;
    bool counts_ids;
    uint8_t queue_types[STORE_MAX_QUEUES]; /* If they are given. */
    uint64_t memory_kb;          /* TOTAL_BUFFER_SIZE of the switch. */
    uint32_t max_headroom_bytes; /* Of each port; 0: not implemented. */

    store_hook_fn *hook; /* NULL: none. */
    void *context;
    bool stopped;                /* Crashed by the hook: all calls fail. */
    uint64_t calls[N_STORE_OPS]; /* Calls, members of bulk calls included. */
    uint64_t n_calls;            /* The sum of these. */
    uint64_t n_bulk_calls;       /* Each bulk call counts once. */
};

static const struct sai_backend_ops store_ops;

static void add_switch(struct store *store, uint32_t n,
                       const sai_attribute_t *attributes);
static void add_port(struct store *store, const struct port_family_size *family,
                     uint32_t n, const sai_attribute_t *attributes,
                     sai_object_id_t *oid);

struct store *
store_create(const struct store_config *config)
{
    static const struct store_config defaults;
    struct store *store = check_calloc(1, sizeof *store);
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};

    config = config ? config : &defaults;
    orch_assert(config->n_queues <= STORE_MAX_QUEUES);
    store->backend.ops = &store_ops;
    store->objects = objects_create();
    store->family.n_unicast_queues = config->n_queues ? config->n_queues : 8;
    store->family.n_pgs = config->n_pgs ? config->n_pgs : 8;
    store->family.has_groups = config->has_groups;
    if (config->queue_types) {
        memcpy(store->queue_types, config->queue_types, config->n_queues);
        store->family.queue_types = store->queue_types;
    }
    store->initial = store->family;
    store->has_bridge = config->has_bridge;
    store->counts_ids = config->counts_ids;
    store->memory_kb = config->memory_kb ? config->memory_kb : 16384;
    store->max_headroom_bytes = config->max_headroom_bytes;
    store->n_ports = config->n_ports;
    store->ports = check_calloc(config->n_ports + 1, sizeof *store->ports);
    if (config->n_ports) {
        memcpy(store->ports, config->ports,
               config->n_ports * sizeof *store->ports);
    }
    if (config->with_switch) {
        add_switch(store, 1, &init);
    }
    return store;
}

void
store_destroy(struct store *store)
{
    if (store) {
        objects_destroy(store->objects);
        free(store->ports);
        free(store);
    }
}

struct sai_backend *
store_backend(struct store *store)
{
    return &store->backend;
}

void
store_set_hook(struct store *store, store_hook_fn *hook, void *context)
{
    store->hook = hook;
    store->context = context;
}

void
store_resume(struct store *store)
{
    store->stopped = false;
}

bool
store_stopped(const struct store *store)
{
    return store->stopped;
}

uint64_t
store_calls(const struct store *store, enum store_op op)
{
    return store->calls[op];
}

uint64_t
store_bulk_calls(const struct store *store)
{
    return store->n_bulk_calls;
}

uint32_t
store_count(const struct store *store, sai_object_type_t type)
{
    return objects_count(store->objects, type);
}

sai_object_type_t
store_type_of(const struct store *store, sai_object_id_t oid)
{
    const struct objects_item *item = objects_find(store->objects, oid);

    return item ? item->type : SAI_OBJECT_TYPE_NULL;
}

char *
store_dump(const struct store *store)
{
    struct text text = {0};

    text_add(&text, "");
    dump_objects(store->objects, &text);
    return text_take(&text);
}

/* The verbs ----------------------------------------------------------- */

/* Counts 'call' and calls the hook.  Returns SAI_STATUS_SUCCESS if the store
 * must carry it out; '*lost' is set if the call must then return a failure. */
static sai_status_t
begin(struct store *store, struct store_call *call, bool *lost)
{
    sai_status_t status = SAI_STATUS_SUCCESS;

    *lost = false;
    store->calls[call->op]++;
    call->number = ++store->n_calls;
    if (store->stopped) {
        return SAI_STATUS_FAILURE;
    }
    if (store->hook) {
        status = store->hook(store->context, call);
    }
    if (status == STORE_STOP_BEFORE || status == STORE_STOP_AFTER) {
        store->stopped = true;
        *lost = status == STORE_STOP_AFTER;
        return *lost ? SAI_STATUS_SUCCESS : SAI_STATUS_FAILURE;
    }
    return status;
}

/* Carries out a create; the switch must be created first and only once. */
static sai_status_t
create(struct store *store, sai_object_type_t type, uint32_t n,
       const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    const bool is_switch = type == SAI_OBJECT_TYPE_SWITCH;
    const bool has_switch = store->backend.switch_id != SAI_NULL_OBJECT_ID;
    const sai_status_t status =
        objects_check_create(store->objects, type, n, attributes);

    if (is_switch == has_switch) {
        return is_switch ? SAI_STATUS_ITEM_ALREADY_EXISTS
                         : SAI_STATUS_UNINITIALIZED;
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (is_switch) {
        add_switch(store, n, attributes);
        *oid = store->backend.switch_id;
    } else if (type == SAI_OBJECT_TYPE_PORT) {
        add_port(store, &store->family, n, attributes, oid);
    } else {
        *oid = objects_add(store->objects, type, n, attributes)->oid;
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
store_do_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct store *store = (struct store *)backend;
    struct store_call call = {
        .op = STORE_CREATE, .type = type, .n = n, .attributes = attributes};
    sai_object_id_t made = SAI_NULL_OBJECT_ID;
    bool lost;
    sai_status_t status = begin(store, &call, &lost);

    if (status == SAI_STATUS_SUCCESS) {
        status = create(store, type, n, attributes, &made);
    }
    if (lost) {
        return SAI_STATUS_FAILURE;
    }
    if (status == SAI_STATUS_SUCCESS) {
        *oid = made;
    }
    return status;
}

/* Returns whether 'item' is the default VLAN or bridge, which stay. */
static bool
is_default_of(const struct store *store, const struct objects_item *item)
{
    return store->has_bridge &&
           (item->type == SAI_OBJECT_TYPE_BRIDGE ||
            item->type == SAI_OBJECT_TYPE_VLAN) &&
           item == objects_first(store->objects, item->type);
}

static sai_status_t
store_do_remove(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid)
{
    struct store *store = (struct store *)backend;
    struct store_call call = {.op = STORE_REMOVE, .type = type, .oid = oid};
    struct objects_item *item;
    bool lost;
    sai_status_t status = begin(store, &call, &lost);

    if (status == SAI_STATUS_SUCCESS) {
        status = objects_locate(store->objects, type, oid, &item);
    }
    if (status == SAI_STATUS_SUCCESS && type == SAI_OBJECT_TYPE_SWITCH) {
        objects_clear(store->objects);
        store->backend.switch_id = SAI_NULL_OBJECT_ID;
    } else if (status == SAI_STATUS_SUCCESS) {
        status = is_default_of(store, item) ? SAI_STATUS_NOT_SUPPORTED
                                            : objects_check_remove(item);
        if (status == SAI_STATUS_SUCCESS) {
            objects_drop(store->objects, item);
        }
    }
    return lost ? SAI_STATUS_FAILURE : status;
}

static sai_status_t
store_do_set(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct store *store = (struct store *)backend;
    struct store_call call = {.op = STORE_SET,
                              .type = type,
                              .oid = oid,
                              .n = 1,
                              .attributes = attribute};
    struct objects_item *item;
    bool lost;
    sai_status_t status = begin(store, &call, &lost);

    if (status == SAI_STATUS_SUCCESS) {
        status = objects_locate(store->objects, type, oid, &item);
    }
    if (status == SAI_STATUS_SUCCESS) {
        status = objects_check_set(store->objects, item, attribute);
    }
    if (status == SAI_STATUS_SUCCESS) {
        objects_put(store->objects, item, attribute);
    }
    return lost ? SAI_STATUS_FAILURE : status;
}

/* Each object is a separate call for the hook and the counters. */
static sai_status_t
store_do_many(struct sai_backend *backend, const struct backend_many *call)
{
    ((struct store *)backend)->n_bulk_calls++;
    return backend_do_singly(backend, call);
}

/* Computes the attributes of the switch object. */
static sai_status_t
compute_switch(const struct store *store, const struct objects_item *item,
               sai_attribute_t *attribute)
{
    const bool is_vlan = attribute->id == SAI_SWITCH_ATTR_DEFAULT_VLAN_ID;

    if (attribute->id == SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE) {
        attribute->value = (sai_attribute_value_t){.u64 = store->memory_kb};
        return SAI_STATUS_SUCCESS;
    }
    if (store->has_bridge &&
        (is_vlan || attribute->id == SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID)) {
        attribute->value = (sai_attribute_value_t){
            .oid =
                objects_first(store->objects, is_vlan ? SAI_OBJECT_TYPE_VLAN
                                                      : SAI_OBJECT_TYPE_BRIDGE)
                    ->oid};
        return SAI_STATUS_SUCCESS;
    }
    return port_family_compute(store->objects, &store->family, item, attribute);
}

/* An objects_compute_fn: computes the attributes of this switch. */
static sai_status_t
compute(void *context, const struct objects_item *item,
        sai_attribute_t *attribute)
{
    const struct store *store = context;

    if (item->type == SAI_OBJECT_TYPE_SWITCH) {
        return compute_switch(store, item, attribute);
    }
    if (item->type == SAI_OBJECT_TYPE_VLAN ||
        item->type == SAI_OBJECT_TYPE_BRIDGE) {
        return port_family_compute_bridging(store->objects, item, attribute);
    }
    if (item->type == SAI_OBJECT_TYPE_PORT && store->max_headroom_bytes &&
        attribute->id == SAI_PORT_ATTR_QOS_MAXIMUM_HEADROOM_SIZE) {
        attribute->value =
            (sai_attribute_value_t){.u32 = store->max_headroom_bytes};
        return SAI_STATUS_SUCCESS;
    }
    if (item->type == SAI_OBJECT_TYPE_PORT &&
        attribute->id == SAI_PORT_ATTR_OPER_STATUS) {
        attribute->value = (sai_attribute_value_t){
            .s32 = objects_number(item, SAI_PORT_ATTR_ADMIN_STATE)
                       ? SAI_PORT_OPER_STATUS_UP
                       : SAI_PORT_OPER_STATUS_DOWN};
        return SAI_STATUS_SUCCESS;
    }
    return port_family_compute(store->objects, &store->family, item, attribute);
}

static sai_status_t
store_do_get(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct store *store = (struct store *)backend;
    struct store_call call = {.op = STORE_GET,
                              .type = type,
                              .oid = oid,
                              .n = n,
                              .attributes = attributes};
    struct objects_item *item;
    bool lost;
    sai_status_t status = begin(store, &call, &lost);

    if (status == SAI_STATUS_SUCCESS) {
        status = objects_locate(store->objects, type, oid, &item);
    }
    if (status == SAI_STATUS_SUCCESS) {
        status = objects_get(item, n, attributes, compute, store);
    }
    return lost ? SAI_STATUS_FAILURE : status;
}

static sai_status_t
store_do_get_stats(struct sai_backend *backend, sai_object_type_t type,
                   sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                   sai_stats_mode_t mode, uint64_t *values)
{
    struct store *store = (struct store *)backend;
    struct store_call call = {.op = STORE_GET_STATS, .type = type, .oid = oid};
    struct objects_item *item;
    bool lost;
    sai_status_t status = begin(store, &call, &lost);

    (void)mode;
    if (status == SAI_STATUS_SUCCESS) {
        status = objects_locate(store->objects, type, oid, &item);
    }
    for (uint32_t i = 0; i < n && status == SAI_STATUS_SUCCESS; i++) {
        if (!metadata_stat(type, ids[i])) {
            status = SAI_STATUS_INVALID_PARAMETER;
        }
    }
    if (lost) {
        return SAI_STATUS_FAILURE;
    }
    if (status == SAI_STATUS_SUCCESS && n) {
        for (uint32_t i = 0; i < n; i++) {
            values[i] = store->counts_ids ? ids[i] : 0;
        }
    }
    return status;
}

static const struct sai_backend_ops store_ops = {
    .create = store_do_create,
    .remove = store_do_remove,
    .set = store_do_set,
    .get = store_do_get,
    .get_stats = store_do_get_stats,
    .many = store_do_many,
};

/* Adds the default VLAN and bridge. */
static void
add_bridge(struct store *store)
{
    const sai_attribute_t vlan = {SAI_VLAN_ATTR_VLAN_ID, {.u16 = 1}};
    const sai_attribute_t bridge = {SAI_BRIDGE_ATTR_TYPE,
                                    {.s32 = SAI_BRIDGE_TYPE_1Q}};

    store->initial.vlan =
        objects_add(store->objects, SAI_OBJECT_TYPE_VLAN, 1, &vlan)->oid;
    objects_add(store->objects, SAI_OBJECT_TYPE_BRIDGE, 1, &bridge);
}

/* Adds the switch and its initial ports. */
static void
add_switch(struct store *store, uint32_t n, const sai_attribute_t *attributes)
{
    store->backend.switch_id =
        objects_add(store->objects, SAI_OBJECT_TYPE_SWITCH, n, attributes)->oid;
    if (store->has_bridge) {
        add_bridge(store);
    }
    for (uint32_t i = 0; i < store->n_ports; i++) {
        const sai_attribute_t lanes = {
            SAI_PORT_ATTR_HW_LANE_LIST,
            {.u32list = {store->ports[i].n_lanes, store->ports[i].lanes}}};
        sai_object_id_t oid;

        add_port(store, &store->initial, 1, &lanes, &oid);
    }
}

static void
add_port(struct store *store, const struct port_family_size *family, uint32_t n,
         const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct objects_item *port =
        objects_add(store->objects, SAI_OBJECT_TYPE_PORT, n, attributes);

    port_family_add(port, family);
    *oid = port->oid;
}
