/* SPDX-License-Identifier: Apache-2.0 */

/* From the inputs of a row to a configured switch. */

#include <config.h>

#include "tests/bench/calibrate_switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"
#include "base/text.h"
#include "twin/chip/yaml/chip_file.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

enum {
    FIRST_LOSSLESS = 3, /* As is customary, if there are enough PGs. */
    PER_PORT = 2,
    MAX_CHILDREN = 64,
    DEFAULT_FRAME_BYTES = 64,
};

/* A threshold that no buffer reaches. */
#define NO_LIMIT_BYTES (UINT64_C(1) << 47)

struct apis {
    const sai_switch_api_t *switch_api;
    const sai_port_api_t *port_api;
    const sai_buffer_api_t *buffer_api;
    const sai_queue_api_t *queue_api;
    const sai_qos_map_api_t *map_api;
};

/* Of one port. */
#define MAX_LANES 16

/* What a switch is to be like, before it is made. */
struct plan {
    const struct calibrate_model *model;
    struct chip *chip; /* As varied.  Owned. */
    uint32_t n_ports;
    uint32_t n_lossless;
    uint32_t speed_mbps;
    char set[512]; /* SOFTASIC_MODEL_SET */
};

/* The profile that the library asks for: SAI has no context for it. */
static const char *profile_keys[3][2] = {
    {"SOFTASIC_MODEL_DIR", NULL},
    {"SOFTASIC_MODEL", NULL},
    {"SOFTASIC_MODEL_SET", NULL},
};

static const char *
profile_get(sai_switch_profile_id_t id, const char *name)
{
    (void)id;
    for (size_t i = 0; i < N(profile_keys); i++) {
        if (strcmp(profile_keys[i][0], name) == 0) {
            return profile_keys[i][1];
        }
    }
    return NULL;
}

/* Returns whether 'status' is success; else notes that 'what' failed. */
static bool
good(struct calibrate_switch *bench, sai_status_t status, const char *what)
{
    if (status != SAI_STATUS_SUCCESS && !bench->reason[0]) {
        text_format(bench->reason, sizeof bench->reason, "%s: SAI status %d",
                    what, (int)status);
    }
    return status == SAI_STATUS_SUCCESS;
}

static void
query(sai_api_t api, const void *table)
{
    void *found = NULL;
    sai_status_t status = sai_api_query(api, &found);

    orch_assert(status == SAI_STATUS_SUCCESS);
    memcpy((void *)(uintptr_t)table, &found, sizeof found);
}

static struct apis
apis_get(void)
{
    struct apis apis = {0};

    query(SAI_API_SWITCH, &apis.switch_api);
    query(SAI_API_PORT, &apis.port_api);
    query(SAI_API_BUFFER, &apis.buffer_api);
    query(SAI_API_QUEUE, &apis.queue_api);
    query(SAI_API_QOS_MAP, &apis.map_api);
    return apis;
}

/* The plan ------------------------------------------------------------ */

static uint32_t
at_least(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint64_t
at_least_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns how many of the lossless PGs of a row are filled by its test. */
static uint32_t
filled(const struct calibrate_row *row)
{
    return at_least((uint32_t)calibrate_or(&row->n_pgs_filled, 1),
                    (uint32_t)row->fill_index.value + 1);
}

/* Returns the bytes of S of all partitions that 'row' gives in cells, 0 if it
 * gives none.  A chip that stores whole cells but counts bytes was turned into
 * one with cells of 1 byte; what its cells are, headroom is calculated with. */
static uint64_t
given_limit(const struct calibrate_row *row, const struct chip *chip)
{
    uint64_t cell_bytes = chip->unit == CHIP_UNIT_BYTE
                              ? chip->headroom_params.cell_size_bytes
                              : chip->cell_bytes;

    return (uint64_t)row->shared_limit_cells_cfg.value * chip->partitions *
           cell_bytes;
}

/* Returns the bytes of memory that suffice for 'row': its pools and all that
 * is promised beside them, on either side.  It does not say how much of it a
 * chip of that kind has in its pools anyway. */
static uint64_t
memory_needed(const struct plan *plan, const struct calibrate_row *row)
{
    const struct chip *chip = plan->chip;
    uint64_t given = given_limit(row, chip);
    uint64_t shared = at_least_u64((uint64_t)row->ingress_pool_size.value,
                                   chip->shared_limit.fixed_bytes);
    uint64_t parts = chip->shared_limit.divided ? 1 : chip->partitions;
    uint64_t ingress = shared * parts + (uint64_t)row->shp_xoff.value;
    uint64_t egress = (uint64_t)row->egress_pool_size.value;
    uint64_t pg = (uint64_t)(row->pg_size.value + row->pg_xoff.value);
    uint64_t queue = (uint64_t)(row->egress_q_size.value +
                                row->egress_lossless_q_size.value);

    ingress = at_least_u64(ingress, given) + plan->n_lossless * pg;
    return at_least_u64(ingress, egress + PFC_N_PRIORITIES * queue);
}

/* Makes the chip of the plan the model's as 'set' varies it. */
static bool
plan_vary(struct plan *plan, struct calibrate_switch *bench,
          const struct text *set)
{
    struct err err = {0};
    struct chip *chip = NULL;

    if (!text_format(plan->set, sizeof plan->set, "{default_ports: 0%s}",
                     text_string(set)) ||
        chip_file_vary(plan->model->chip, plan->set, "row", &chip, &err) !=
            ST_OK) {
        text_format(bench->reason, sizeof bench->reason, "%s", err.reason);
        return false;
    }
    chip_file_destroy(plan->chip);
    plan->chip = chip;
    return true;
}

/* Adds to 'set' that 'key' is what the row has, if it has one. */
static void
set_given(struct text *set, const char *key,
          const struct calibrate_number *number)
{
    if (number->is_given) {
        text_addf(set, ", %s: %llu", key, (unsigned long long)number->value);
    }
}

/* Says what kind of chip the row was taken on, in the words of a chip file:
 * that overrides the file.  A list of partitions fits one number of them. */
static bool
plan_kind(struct plan *plan, struct calibrate_switch *bench, struct text *set)
{
    const struct chip *chip = plan->model->chip;

    if (chip->port_partition != CHIP_PORT_PARTITION_LIST) {
        set_given(set, "partitions", &bench->row->n_partitions);
    }
    if (chip->unit == CHIP_UNIT_CELL) {
        set_given(set, "cell_bytes", &bench->row->cell_size);
    }
    set_given(set, "packet_overhead_bytes", &bench->row->internal_hdr);
    return plan_vary(plan, bench, set);
}

/* The same of what it has room for.  Fewer ports are made sooner. */
static bool
plan_room(struct plan *plan, struct calibrate_switch *bench, struct text *set)
{
    const struct calibrate_row *row = bench->row;
    uint32_t fill_ports = filled(row) / bench->n_per_port + 1;
    uint32_t ports = plan->n_ports;

    /* Neighbours are in one partition, as the rows have it. */
    if (plan->chip->port_partition == CHIP_PORT_PARTITION_BLOCK) {
        ports = at_least(ports, fill_ports * plan->chip->partitions);
    }
    text_addf(set, ", ports: %u", (unsigned int)ports);
    if (memory_needed(plan, row) > plan->chip->memory_bytes) {
        text_addf(set, ", memory_bytes: %llu",
                  (unsigned long long)memory_needed(plan, row));
    }
    if (row->shared_limit_cells_cfg.is_given) {
        text_addf(set,
                  ", shared_limit: [fixed_bytes %llu, divided by partitions]",
                  (unsigned long long)given_limit(row, plan->chip));
    }
    if (strcmp(row->role, "shared_res") != 0) {
        set_given(set, "extra_cells", &row->extra_reserved);
    }
    return plan_vary(plan, bench, set);
}

/* Works out what switch 'row' needs.  Returns false if there is none. */
static bool
plan_make(struct plan *plan, struct calibrate_switch *bench,
          const struct calibrate_model *model)
{
    const struct calibrate_row *row = bench->row;
    const struct chip *chip = model->chip;
    uint32_t per_port =
        (uint32_t)calibrate_or(&row->n_lossless_pgs_src_port, PER_PORT);
    struct text set = {0};
    uint32_t ports;
    bool fine;

    plan->model = model;
    plan->speed_mbps = (uint32_t)strtoul(row->speed_cable, NULL, 10);
    if (plan->speed_mbps == 0) {
        plan->speed_mbps = chip->port_speed_mbps;
    }
    if (per_port == 0 || per_port >= PFC_N_PRIORITIES ||
        per_port >= chip->pgs_per_port || per_port >= chip->queues_per_port) {
        text_format(bench->reason, sizeof bench->reason,
                    "the chip has no %u lossless priority groups per port",
                    (unsigned int)per_port);
        return false;
    }
    bench->n_per_port = per_port;
    /* Where ports share headroom, all lossless PGs of a port matter. */
    plan->n_lossless = (filled(row) + per_port - 1) / per_port * per_port;
    if (!bench->shares_headroom) {
        plan->n_lossless = filled(row);
    }
    plan->n_lossless =
        at_least(plan->n_lossless, (uint32_t)row->n_lossless_pgs.value);
    ports = (plan->n_lossless + per_port - 1) / per_port;
    plan->n_ports = (uint32_t)row->n_ports.value;
    if (!row->n_ports.is_given) {
        plan->n_ports = at_least(ports + 1, chip->default_ports);
    }
    plan->n_ports = at_least(plan->n_ports, at_least(ports, 2));
    fine = plan_kind(plan, bench, &set) && plan_room(plan, bench, &set);
    text_fini(&set);
    return fine;
}

/* Ports --------------------------------------------------------------- */

/* Creates a QoS map of 'type' from n to n for all priorities. */
static sai_object_id_t
make_map(struct calibrate_switch *bench, const struct apis *apis,
         sai_qos_map_type_t type)
{
    sai_qos_map_t entries[PFC_N_PRIORITIES];
    const sai_attribute_t attributes[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = (sai_int32_t)type}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
         {.qosmap = {PFC_N_PRIORITIES, entries}}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    memset(entries, 0, sizeof entries);
    for (uint8_t i = 0; i < PFC_N_PRIORITIES; i++) {
        entries[i].key.dscp = type == SAI_QOS_MAP_TYPE_DSCP_TO_TC ? i : 0;
        entries[i].key.tc = type == SAI_QOS_MAP_TYPE_DSCP_TO_TC ? 0 : i;
        entries[i].value.tc = type == SAI_QOS_MAP_TYPE_DSCP_TO_TC ? i : 0;
        entries[i].value.pg =
            type == SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP ? i : 0;
        entries[i].value.queue_index =
            type == SAI_QOS_MAP_TYPE_TC_TO_QUEUE ? i : 0;
    }
    (void)good(bench,
               apis->map_api->create_qos_map(&oid, bench->sw, N(attributes),
                                             attributes),
               "QoS map");
    return oid;
}

/* Returns how many lanes a port of 'speed_mbps' needs. */
static uint32_t
lanes_of_speed(const struct chip *chip, uint32_t speed_mbps)
{
    const uint64_t lanes = (uint64_t)speed_mbps * chip->lanes_per_port;
    const uint64_t n =
        (lanes + chip->port_speed_mbps - 1) / chip->port_speed_mbps;

    return n < MAX_LANES ? (uint32_t)n : MAX_LANES;
}

/* Creates the ports of the plan, which are up and classify by DSCP.  They have
 * the speed of the row while there are lanes; the last ones of a switch with
 * ports of several speeds have one lane each. */
static bool
make_ports(struct calibrate_switch *bench, const struct apis *apis,
           const struct plan *plan, sai_object_id_t *ports)
{
    const struct chip *chip = plan->chip;
    const uint32_t wide = lanes_of_speed(chip, plan->speed_mbps);
    uint32_t lanes[MAX_LANES], next = chip->first_lane;
    sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {wide, lanes}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = plan->speed_mbps}},
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
        {SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP,
         {.oid = make_map(bench, apis, SAI_QOS_MAP_TYPE_DSCP_TO_TC)}},
        {SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP,
         {.oid = make_map(bench, apis, SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP)}},
        {SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP,
         {.oid = make_map(bench, apis, SAI_QOS_MAP_TYPE_TC_TO_QUEUE)}},
        {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL, {.u8 = 0xfe}},
    };
    bool fine = !bench->reason[0];

    for (uint32_t i = 0; i < plan->n_ports && fine; i++) {
        if (chip->last_lane &&
            next + wide + plan->n_ports - i - 1 > chip->last_lane + 1) {
            attributes[0].value.u32list.count = 1;
            attributes[1].value.u32 =
                chip->port_speed_mbps / chip->lanes_per_port;
        }
        for (uint32_t k = 0; k < attributes[0].value.u32list.count; k++) {
            lanes[k] = next++;
        }
        fine = good(bench,
                    apis->port_api->create_port(&ports[i], bench->sw,
                                                N(attributes), attributes),
                    "port");
    }
    return fine;
}

/* Returns object 'index' of a list attribute of 'port'. */
static sai_object_id_t
child(struct calibrate_switch *bench, const struct apis *apis,
      sai_object_id_t port, sai_attr_id_t list, uint32_t index)
{
    sai_object_id_t oids[MAX_CHILDREN] = {0};
    sai_attribute_t attribute = {list, {.objlist = {MAX_CHILDREN, oids}}};

    (void)good(bench, apis->port_api->get_port_attribute(port, 1, &attribute),
               "list of a port");
    return oids[index];
}

/* Returns the priority of lossless PG 'i' of its port: 3 and up as is
 * customary, else what leaves 0 to the lossy one. */
static uint8_t
priority(const struct calibrate_switch *bench, const struct chip *chip,
         uint32_t i)
{
    bool room = FIRST_LOSSLESS + bench->n_per_port <= PFC_N_PRIORITIES &&
                FIRST_LOSSLESS + bench->n_per_port <= chip->pgs_per_port &&
                FIRST_LOSSLESS + bench->n_per_port <= chip->queues_per_port;

    return (uint8_t)((room ? FIRST_LOSSLESS : 1) + i);
}

/* Says where flow 'flow' of port 'port' enters. */
static void
aim(struct calibrate_switch *bench, const struct apis *apis,
    const struct plan *plan, const sai_object_id_t *ports, uint32_t port,
    struct calibrate_flow *flow)
{
    flow->port = ports[port];
    flow->pg = child(bench, apis, ports[port],
                     SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, flow->dscp);
    flow->port_index = port;
    (void)plan;
}

/* Buffers ------------------------------------------------------------- */

static sai_object_id_t
make_pool(struct calibrate_switch *bench, const struct apis *apis,
          sai_int32_t type, int64_t size, int64_t xoff)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = (uint64_t)size}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = type}},
        {SAI_BUFFER_POOL_ATTR_XOFF_SIZE, {.u64 = (uint64_t)xoff}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    (void)good(bench,
               apis->buffer_api->create_buffer_pool(&oid, bench->sw,
                                                    xoff ? 3 : 2, attributes),
               "buffer pool");
    return oid;
}

/* A profile that is to be made. */
struct wish {
    sai_object_id_t pool;
    int64_t size;
    const struct calibrate_number *dynamic_th; /* Given: dynamic. */
    uint64_t static_th;                        /* Else. */
    const struct calibrate_row *headroom;      /* NULL: none. */
};

static sai_object_id_t
make_profile(struct calibrate_switch *bench, const struct apis *apis,
             const struct wish *wish)
{
    bool is_dynamic = wish->dynamic_th && wish->dynamic_th->is_given;
    sai_attribute_t attributes[7] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = wish->pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE,
         {.u64 = (uint64_t)wish->size}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = is_dynamic ? SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC
                            : SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC}},
    };
    uint32_t n = 3;
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    if (is_dynamic) {
        attributes[n].id = SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH;
        attributes[n++].value.s8 = (sai_int8_t)wish->dynamic_th->value;
    } else {
        attributes[n].id = SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH;
        attributes[n++].value.u64 = wish->static_th;
    }
    if (wish->headroom) {
        attributes[n].id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH;
        attributes[n++].value.u64 = (uint64_t)wish->headroom->pg_xoff.value;
        attributes[n].id = SAI_BUFFER_PROFILE_ATTR_XON_TH;
        attributes[n++].value.u64 = (uint64_t)wish->headroom->pg_xon.value;
        attributes[n].id = SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH;
        attributes[n++].value.u64 =
            (uint64_t)wish->headroom->pg_xon_offset.value;
    }
    (void)good(
        bench,
        apis->buffer_api->create_buffer_profile(&oid, bench->sw, n, attributes),
        "buffer profile");
    return oid;
}

static bool
bind_pg(struct calibrate_switch *bench, const struct apis *apis,
        sai_object_id_t pg, sai_object_id_t profile)
{
    const sai_attribute_t attribute = {
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, {.oid = profile}};

    return good(
        bench,
        apis->buffer_api->set_ingress_priority_group_attribute(pg, &attribute),
        "profile of a priority group");
}

static bool
bind_queue(struct calibrate_switch *bench, const struct apis *apis,
           sai_object_id_t queue, sai_object_id_t profile)
{
    const sai_attribute_t attribute = {SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                                       {.oid = profile}};

    return good(bench, apis->queue_api->set_queue_attribute(queue, &attribute),
                "profile of a queue");
}

/* Gives all ports the threshold of the row for ports as a whole, if it has
 * one, in the pools that lossless ingress and lossy egress use. */
static bool
bind_ports(struct calibrate_switch *bench, const struct apis *apis,
           const struct plan *plan, const sai_object_id_t *ports)
{
    const struct calibrate_number *th = &bench->row->port_dynamic_th;
    sai_object_id_t in;
    sai_object_id_t out;
    bool fine = true;

    if (!th->is_given) {
        return true;
    }
    in = make_profile(
        bench, apis,
        &(struct wish){.pool = bench->ingress_pool, .dynamic_th = th});
    out = make_profile(
        bench, apis,
        &(struct wish){.pool = bench->lossy_pool, .dynamic_th = th});
    for (uint32_t i = 0; i < plan->n_ports && fine; i++) {
        const sai_attribute_t ingress = {
            SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
            {.objlist = {1, &in}}};
        const sai_attribute_t egress = {
            SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST,
            {.objlist = {1, &out}}};

        fine =
            good(bench, apis->port_api->set_port_attribute(ports[i], &ingress),
                 "ingress profiles of a port") &&
            good(bench, apis->port_api->set_port_attribute(ports[i], &egress),
                 "egress profiles of a port");
    }
    return fine;
}

/* Makes the pools of the row; memory bounds what it leaves open. */
static void
make_pools(struct calibrate_switch *bench, const struct apis *apis,
           const struct plan *plan)
{
    const struct calibrate_row *row = bench->row;
    int64_t memory = (int64_t)plan->chip->memory_bytes;

    bench->ingress_pool = make_pool(
        bench, apis, SAI_BUFFER_POOL_TYPE_INGRESS,
        calibrate_or(&row->ingress_pool_size, memory), row->shp_xoff.value);
    bench->lossy_pool =
        make_pool(bench, apis, SAI_BUFFER_POOL_TYPE_EGRESS,
                  calibrate_or(&row->egress_pool_size, memory), 0);
    bench->lossless_pool =
        make_pool(bench, apis, SAI_BUFFER_POOL_TYPE_EGRESS, memory, 0);
}

/* Binds the lossless profile to all lossless PGs, and the queues of these at
 * the egress port to one that never limits. */
static bool
bind_lossless(struct calibrate_switch *bench, const struct apis *apis)
{
    const struct calibrate_row *row = bench->row;
    sai_object_id_t pg = make_profile(
        bench, apis,
        &(struct wish){.pool = bench->ingress_pool,
                       .size = row->pg_size.value,
                       .dynamic_th = &row->pg_dynamic_th,
                       .static_th = row->pg_static_th.is_given
                                        ? (uint64_t)row->pg_static_th.value
                                        : NO_LIMIT_BYTES,
                       .headroom = row});
    sai_object_id_t queue =
        make_profile(bench, apis,
                     &(struct wish){.pool = bench->lossless_pool,
                                    .size = row->egress_lossless_q_size.value,
                                    .static_th = NO_LIMIT_BYTES});
    bool fine = !bench->reason[0];

    for (uint32_t i = 0; i < bench->n_lossless && fine; i++) {
        fine = bind_pg(bench, apis, bench->lossless[i].pg, pg);
    }
    for (uint32_t i = 0; i < bench->n_per_port && fine; i++) {
        sai_object_id_t q =
            child(bench, apis, bench->out, SAI_PORT_ATTR_QOS_QUEUE_LIST,
                  bench->lossless[0].dscp + i);

        bench->lossless_queue = i == 0 ? q : bench->lossless_queue;
        fine = bind_queue(bench, apis, q, queue);
    }
    return fine;
}

/* Binds the lossy PG, whose ingress never limits, and its queue. */
static bool
bind_lossy(struct calibrate_switch *bench, const struct apis *apis)
{
    const struct calibrate_row *row = bench->row;
    sai_object_id_t pg =
        make_profile(bench, apis,
                     &(struct wish){.pool = bench->ingress_pool,
                                    .static_th = NO_LIMIT_BYTES});
    sai_object_id_t queue =
        make_profile(bench, apis,
                     &(struct wish){.pool = bench->lossy_pool,
                                    .size = row->egress_q_size.value,
                                    .dynamic_th = &row->egress_q_dynamic_th,
                                    .static_th = NO_LIMIT_BYTES});

    bench->lossy_queue =
        child(bench, apis, bench->out, SAI_PORT_ATTR_QOS_QUEUE_LIST, 0);
    return !bench->reason[0] && bind_pg(bench, apis, bench->lossy.pg, pg) &&
           bind_queue(bench, apis, bench->lossy_queue, queue);
}

/* Create and destroy
 * ---------------------------------------------------------------- */

static bool
make_switch(struct calibrate_switch *bench, struct apis *apis,
            const struct plan *plan)
{
    static const sai_service_method_table_t services = {.profile_get_value =
                                                            profile_get};
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};

    profile_keys[0][1] = plan->model->directory;
    profile_keys[1][1] = plan->model->file;
    profile_keys[2][1] = plan->set;
    if (!good(bench, sai_api_initialize(0, &services), "initialization")) {
        return false;
    }
    *apis = apis_get();
    bench->ops = softasic_ops(SOFTASIC_OPS_VERSION);
    return good(bench, apis->switch_api->create_switch(&bench->sw, 1, &init),
                "switch");
}

/* Lays the flows of the row out over the ports. */
static void
make_flows(struct calibrate_switch *bench, const struct apis *apis,
           const struct plan *plan, const sai_object_id_t *ports)
{
    bench->n_lossless = plan->n_lossless;
    bench->lossless = check_calloc(bench->n_lossless, sizeof *bench->lossless);
    for (uint32_t i = 0; i < bench->n_lossless; i++) {
        struct calibrate_flow *flow = &bench->lossless[i];
        uint32_t port = i / bench->n_per_port;

        flow->dscp = priority(bench, plan->chip, i % bench->n_per_port);
        flow->partition = chip_partition(plan->chip, port, port);
        aim(bench, apis, plan, ports, port, flow);
    }
    aim(bench, apis, plan, ports, 0, &bench->lossy);
    bench->out = ports[plan->n_ports - 1];
}

/* Makes the switch of 'plan' and what is configured there. */
static bool
make_all(struct calibrate_switch *bench, const struct plan *plan)
{
    struct apis apis;
    sai_object_id_t *ports;
    bool fine;

    if (!make_switch(bench, &apis, plan)) {
        return false;
    }
    ports = check_calloc(plan->n_ports, sizeof *ports);
    fine = make_ports(bench, &apis, plan, ports);
    if (fine) {
        make_flows(bench, &apis, plan, ports);
        make_pools(bench, &apis, plan);
        fine = bind_lossless(bench, &apis) && bind_lossy(bench, &apis) &&
               bind_ports(bench, &apis, plan, ports) &&
               calibrate_switch_block(bench, true);
    }
    free(ports);
    return fine;
}

bool
calibrate_switch_init(struct calibrate_switch *bench,
                      const struct calibrate_model *model,
                      const struct calibrate_row *row)
{
    const struct chip *chip = model->chip;
    struct plan plan = {0};
    bool fine;

    *bench = (struct calibrate_switch){
        .row = row,
        .shares_headroom = chip->headroom == CHIP_HEADROOM_PER_PORT_SHARE,
        .frame_bytes =
            (uint32_t)calibrate_or(&row->packet_size, DEFAULT_FRAME_BYTES),
        .index_offset = chip->threshold == CHIP_THRESHOLD_CHECK_THEN_CHARGE &&
                        chip->xoff == CHIP_XOFF_IN_HEADROOM,
    };
    /* The rows of these count cells: packets of one cell each. */
    if (bench->shares_headroom || strcmp(row->vendor, "mellanox") == 0) {
        bench->frame_bytes = DEFAULT_FRAME_BYTES;
    }
    fine = plan_make(&plan, bench, model) && make_all(bench, &plan);
    chip_file_destroy(plan.chip);
    return fine;
}

void
calibrate_switch_fini(struct calibrate_switch *bench)
{
    sai_status_t status = sai_api_uninitialize();

    (void)status; /* It may never have been initialized. */
    free(bench->lossless);
    bench->lossless = NULL;
}

bool
calibrate_switch_block(struct calibrate_switch *bench, bool block)
{
    const sai_attribute_t attribute = {SAI_PORT_ATTR_PKT_TX_ENABLE,
                                       {.booldata = !block}};
    const struct apis apis = apis_get();

    return good(bench,
                apis.port_api->set_port_attribute(bench->out, &attribute),
                "transmission");
}

bool
calibrate_switch_stat(struct calibrate_switch *bench, sai_object_type_t type,
                      sai_object_id_t oid, sai_stat_id_t id, uint64_t *value)
{
    const struct apis apis = apis_get();
    sai_status_t status;

    switch (type) {
    case SAI_OBJECT_TYPE_QUEUE:
        status = apis.queue_api->get_queue_stats(oid, 1, &id, value);
        break;
    case SAI_OBJECT_TYPE_BUFFER_POOL:
        status = apis.buffer_api->get_buffer_pool_stats(oid, 1, &id, value);
        break;
    default:
        status = apis.buffer_api->get_ingress_priority_group_stats(oid, 1, &id,
                                                                   value);
        break;
    }
    return good(bench, status, "counter");
}
