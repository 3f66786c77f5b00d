/* SPDX-License-Identifier: Apache-2.0 */

/* From objects and rows to the input of the rules.
 *
 * There are three passes over the objects, in the direction of references:
 * pools, WRED profiles and ports, then profiles, then children of ports.  A
 * count beforehand sizes the arrays, so that pointers into them stay valid.
 *
 * The children are most of the work, and may be collected in a later turn:
 * everything is found by its name, of which the input has a copy. */

#include <config.h>

#include "orchd/lint/lint_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "base/lanes.h"
#include "base/parse.h"
#include "base/pfc.h"
#include "orchd/derive/lookup_lines.h"
#include "orchd/derive/port_state.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_answer.h"

enum { LLR_DEFAULT_SPACING_BYTES = 2048 }; /* Of SAI. */

struct collect {
    struct lint_input *input;
    size_t last;        /* The port that was found last, ... */
    size_t last_system; /* ... and the system port. */

    /* What others refer to, which is spread over memory: one walk finds it. */
    const struct object **objects;
    size_t n_objects, size;
};

static uint64_t
number(const struct object *object, sai_attr_id_t id)
{
    const sai_attribute_value_t *value = object_wanted_value(object, id);

    return value ? value->u64 : 0;
}

/* Returns the name of the row of an object; it lives as long as the input. */
static const char *
name_of(const struct collect *collect, const struct object *object)
{
    return arena_strdup(collect->input->arena, object->name.name);
}

/* --- Finding ------------------------------------------------------------ */

/* These return the entry of an object, or NULL.  There are a few pools and some
 * dozens of profiles, so linear search is enough. */
static const struct lint_pool *
find_pool(const struct lint_input *input, const struct object *object)
{
    for (size_t i = 0; object && i < input->n_pools; i++) {
        if (!strcmp(input->pools[i].name, object->name.name)) {
            return &input->pools[i];
        }
    }
    return NULL;
}

static struct lint_profile *
find_profile(const struct lint_input *input, const struct object *object)
{
    for (size_t i = 0; object && i < input->n_profiles; i++) {
        if (!strcmp(input->profiles[i].name, object->name.name)) {
            return &input->profiles[i];
        }
    }
    return NULL;
}

static struct lint_wred *
find_wred(const struct lint_input *input, const struct object *object)
{
    for (size_t i = 0; object && i < input->n_wreds; i++) {
        if (!strcmp(input->wreds[i].name, object->name.name)) {
            return &input->wreds[i];
        }
    }
    return NULL;
}

/* Children of a port are adjacent, and most rows are in the order of ports, so
 * the search begins at the port that was found last. */
static struct lint_port *
find_port(struct collect *collect, const char *name)
{
    struct lint_input *input = collect->input;

    for (size_t i = 0; i < input->n_ports; i++) {
        struct lint_port *port = &input->ports[collect->last];

        if (!strcmp(port->name, name)) {
            return port;
        }
        collect->last = (collect->last + 1) % input->n_ports;
    }
    return NULL;
}

/* The same for a system port. */
static struct lint_port *
find_system_port(struct collect *collect, const char *name)
{
    const struct lint_input *input = collect->input;

    for (size_t i = 0; i < input->n_system_ports; i++) {
        struct lint_port *port =
            &input->ports[input->n_ports + collect->last_system];

        if (!strcmp(port->name, name)) {
            return port;
        }
        collect->last_system =
            (collect->last_system + 1) % input->n_system_ports;
    }
    return NULL;
}

/* --- Pools and profiles ------------------------------------------------- */

/* Notes and counts the objects but children of ports, so that the arrays are
 * allocated once and pointers into them stay valid. */
static void
count(void *collect_, const struct object *object)
{
    struct collect *collect = collect_;
    struct lint_input *input = collect->input;

    if (object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP ||
        object->type == SAI_OBJECT_TYPE_QUEUE) {
        return;
    }
    if (collect->n_objects == collect->size) {
        collect->size = collect->size ? 2 * collect->size : 256;
        collect->objects = check_realloc(
            collect->objects, collect->size * sizeof *collect->objects);
    }
    collect->objects[collect->n_objects++] = object;
    input->n_pools += object->type == SAI_OBJECT_TYPE_BUFFER_POOL;
    input->n_profiles += object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE;
    input->n_wreds += object->type == SAI_OBJECT_TYPE_WRED;
    input->n_ports += object->class == OBJECT_CLAIMED;
    input->n_system_ports += object->name.table == TABLE_SYSTEM_PORT;
}

static void
add_pool(struct collect *collect, const struct object *object)
{
    struct lint_pool *pool = &collect->input->pools[collect->input->n_pools++];
    const sai_attribute_value_t *type =
        object_wanted_value(object, SAI_BUFFER_POOL_ATTR_TYPE);
    const sai_attribute_value_t *mode =
        object_wanted_value(object, SAI_BUFFER_POOL_ATTR_THRESHOLD_MODE);

    pool->name = name_of(collect, object);
    pool->ingress = !type || type->s32 != SAI_BUFFER_POOL_TYPE_EGRESS;
    pool->dynamic =
        !mode || mode->s32 == SAI_BUFFER_POOL_THRESHOLD_MODE_DYNAMIC;
    pool->size_bytes = number(object, SAI_BUFFER_POOL_ATTR_SIZE);
    pool->xoff_bytes = number(object, SAI_BUFFER_POOL_ATTR_XOFF_SIZE);
}

static void
add_profile(struct collect *collect, const struct object *object)
{
    struct lint_input *input = collect->input;
    const struct lint_pool *pool = find_pool(
        input, object_wanted_target(object, SAI_BUFFER_PROFILE_ATTR_POOL_ID));
    const sai_attribute_value_t *mode =
        object_wanted_value(object, SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE);
    const sai_attribute_value_t *alpha =
        object_wanted_value(object, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH);
    struct lint_profile *profile;

    if (!pool) {
        return;
    }
    profile = &input->profiles[input->n_profiles++];
    profile->name = name_of(collect, object);
    profile->pool = pool;
    profile->size_bytes =
        number(object, SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);
    profile->xon_bytes = number(object, SAI_BUFFER_PROFILE_ATTR_XON_TH);
    profile->xoff_bytes = number(object, SAI_BUFFER_PROFILE_ATTR_XOFF_TH);
    profile->dynamic =
        mode ? mode->s32 == SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC
             : pool->dynamic;
    profile->dynamic_th = alpha ? alpha->s8 : 0;
    profile->static_bytes =
        number(object, SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH);
}

/* Returns whether a boolean attribute is intended to be true. */
static bool
is_on(const struct object *object, sai_attr_id_t id)
{
    const sai_attribute_value_t *value = object_wanted_value(object, id);

    return value && value->booldata;
}

static void
add_wred(struct collect *collect, const struct object *object)
{
    struct lint_wred *wred = &collect->input->wreds[collect->input->n_wreds++];
    const sai_attribute_value_t *ecn =
        object_wanted_value(object, SAI_WRED_ATTR_ECN_MARK_MODE);
    const sai_attribute_value_t *green =
        object_wanted_value(object, SAI_WRED_ATTR_GREEN_MIN_THRESHOLD);

    wred->name = name_of(collect, object);
    wred->drops = is_on(object, SAI_WRED_ATTR_GREEN_ENABLE) ||
                  is_on(object, SAI_WRED_ATTR_YELLOW_ENABLE) ||
                  is_on(object, SAI_WRED_ATTR_RED_ENABLE);
    wred->marks = ecn && ecn->s32 != SAI_ECN_MARK_MODE_NONE;
    wred->green_min_bytes = green ? green->u32 : 0;
}

/* --- Ports -------------------------------------------------------------- */

/* Records the traffic classes that packets map to. */
static void
add_classes(struct lint_port *port, const struct object *map)
{
    const sai_attribute_value_t *entries =
        map ? object_wanted_value(map, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST)
            : NULL;

    for (uint32_t i = 0; entries && i < entries->qosmap.count; i++) {
        unsigned int tc = entries->qosmap.list[i].value.tc;

        port->classifies = true;
        port->tcs[tc / 64] |= UINT64_C(1) << (tc % 64);
    }
}

/* Fills 'targets', by traffic class, from a map to priority groups or
 * queues. */
static void
add_targets(uint8_t *targets, const struct object *map, bool queues)
{
    const sai_attribute_value_t *entries =
        map ? object_wanted_value(map, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST)
            : NULL;

    memset(targets, LINT_UNMAPPED, LINT_TCS);
    for (uint32_t i = 0; entries && i < entries->qosmap.count; i++) {
        const sai_qos_map_t *entry = &entries->qosmap.list[i];

        targets[entry->key.tc] =
            queues ? (uint8_t)entry->value.queue_index : entry->value.pg;
    }
}

/* Finds the lane that another port has as well. */
static void
find_shared_lane(struct lint_port *port, const struct object *object)
{
    const struct object *other = object->port_children->lanes_partner;
    const sai_attribute_value_t *lanes =
        object_wanted_value(object, SAI_PORT_ATTR_HW_LANE_LIST);
    const sai_attribute_value_t *others =
        other ? object_wanted_value(other, SAI_PORT_ATTR_HW_LANE_LIST) : NULL;

    for (uint32_t i = 0; lanes && others && i < lanes->u32list.count; i++) {
        const struct lanes one = {&lanes->u32list.list[i], 1};
        const struct lanes its = {others->u32list.list, others->u32list.count};

        if (lanes_n_shared(&one, &its)) {
            port->shares_lane = true;
            port->shared_lane = lanes->u32list.list[i];
        }
    }
}

static void
add_port(struct collect *collect, const struct object *object)
{
    struct lint_input *input = collect->input;
    struct lint_port *port = &input->ports[input->n_ports++];
    const sai_attribute_value_t *speed =
        object_wanted_value(object, SAI_PORT_ATTR_SPEED);
    const sai_attribute_value_t *mtu =
        object_wanted_value(object, SAI_PORT_ATTR_MTU);
    const sai_attribute_value_t *lanes =
        object_wanted_value(object, SAI_PORT_ATTR_HW_LANE_LIST);
    const sai_attribute_value_t *pfc =
        object_wanted_value(object, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL);
    const sai_attribute_value_t *pfc_tx =
        object_wanted_value(object, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX);

    port->name = name_of(collect, object);
    port->speed_mbps = speed ? speed->u32 : 0;
    port->mtu = mtu && mtu->u32 > ETHERNET_FRAME_OVERHEAD_BYTES
                    ? mtu->u32 - ETHERNET_FRAME_OVERHEAD_BYTES
                    : 0;
    port->lanes = lanes ? lanes->u32list.count : 0;
    port->first_lane = port->lanes ? lanes->u32list.list[0] : 0;
    find_shared_lane(port, object);
    port->pfc_mask = (uint8_t)((pfc ? pfc->u8 : 0) | (pfc_tx ? pfc_tx->u8 : 0));
    add_classes(port,
                object_wanted_target(object, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP));
    add_classes(
        port, object_wanted_target(object, SAI_PORT_ATTR_QOS_DOT1P_TO_TC_MAP));
    add_targets(port->tc_to_pg,
                object_wanted_target(
                    object, SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP),
                false);
    add_targets(port->tc_to_queue,
                object_wanted_target(object, SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP),
                true);
}

static void
add_pg(struct collect *collect, const struct object *object)
{
    struct lint_port *port = find_port(collect, object->name.name);
    struct lint_profile *profile = find_profile(
        collect->input,
        object_wanted_target(object,
                             SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE));

    if (port && profile && object->name.index < PFC_N_PRIORITIES) {
        port->pgs[object->name.index] = profile;
        profile->n_users++;
    }
}

static void
add_queue(struct collect *collect, const struct object *object)
{
    const bool is_voq = object->parent->name.table == TABLE_SYSTEM_PORT;
    struct lint_port *port =
        (is_voq ? find_system_port : find_port)(collect, object->name.name);
    struct lint_profile *profile = find_profile(
        collect->input,
        object_wanted_target(object, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID));
    struct lint_wred *wred =
        find_wred(collect->input,
                  object_wanted_target(object, SAI_QUEUE_ATTR_WRED_PROFILE_ID));

    if (profile) {
        profile->n_users++;
    }
    if (wred) {
        wred->n_users++;
    }
    if (port && object->name.index < LINT_QUEUES) { /* Not one of the CPU's. */
        port->queues[object->name.index] = profile;
        port->wreds[object->name.index] = wred;
    }
    if (port && wred && is_voq && object->name.index < LINT_QUEUES) {
        wred->voqs |= UINT64_C(1) << object->name.index;
    }
}

/* --- Passes ------------------------------------------------------------- */

/* Three passes, each of which finds what it refers to: first objects without
 * references (pools, WRED, ports), then profiles, then priority groups and
 * queues. */
static void
visit_leaf(struct collect *collect, const struct object *object)
{
    if (object->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        add_pool(collect, object);
    } else if (object->type == SAI_OBJECT_TYPE_WRED) {
        add_wred(collect, object);
    } else if (object->class == OBJECT_CLAIMED) {
        add_port(collect, object);
    }
}

static void
visit_profile(struct collect *collect, const struct object *object)
{
    struct lint_input *input = collect->input;

    if (object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        add_profile(collect, object);
    } else if (object->name.table == TABLE_SYSTEM_PORT) {
        /* All ports are there. */
        input->ports[input->n_ports + input->n_system_ports++].name =
            name_of(collect, object);
    }
}

static void
visit_child(void *collect_, const struct object *object)
{
    struct collect *collect = collect_;

    if (object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
        add_pg(collect, object);
    } else if (object->type == SAI_OBJECT_TYPE_QUEUE) {
        add_queue(collect, object);
    }
}

/* Calls 'visit' with each object. */
static void
pass(struct collect *collect,
     void (*visit)(struct collect *collect, const struct object *object))
{
    for (size_t i = 0; i < collect->n_objects; i++) {
        visit(collect, collect->objects[i]);
    }
}

/* Returns the mask of a comma list of priorities. */
static uint8_t
mask_of(const char *list)
{
    uint8_t mask = 0;

    for (const char *p = list; *p; p++) {
        if (*p >= '0' && *p <= '7') {
            mask |= (uint8_t)(1u << (*p - '0'));
        }
    }
    return mask;
}

/* Reads what trimming does with packets.  Rows count on a switch without
 * trimming, too: the configuration may be for another one. */
static void
read_trimming(struct lint_input *input, const struct row *row)
{
    const char *queue = row_field(row, "queue_index");

    input->trimming = true;
    input->trims_to =
        queue && !parse_u64(queue, 0, LINT_QUEUES - 1, &input->trim_queue);
}

/* Reads whether the buffer profile of 'row' trims. */
static void
read_profile(struct lint_input *input, const struct row *row)
{
    const char *action = row_field(row, "packet_discard_action");

    for (size_t i = 0; i < input->n_profiles; i++) {
        if (!strcmp(input->profiles[i].name, row->key)) {
            input->profiles[i].trims = action && !strcmp(action, "trim");
        }
    }
}

/* Reads what only the rows have. */
static void
visit_row(const struct row *row, void *collect)
{
    struct lint_port *port;

    if (!row->present) {
        return;
    }
    if (row->table == TABLE_SWITCH_TRIMMING) {
        read_trimming(((struct collect *)collect)->input, row);
    } else if (row->table == TABLE_BUFFER_PROFILE) {
        read_profile(((struct collect *)collect)->input, row);
    } else if (row->table == TABLE_PFC_WD) {
        port = find_port(collect, row->key);
        if (port) {
            port->watched = true;
        }
    } else if (row->table == TABLE_CABLE_LENGTH) {
        for (size_t i = 0; i < row->n_fields; i++) {
            port = find_port(collect, row->fields[i].name);
            if (port && !cable_parse(row->fields[i].value, &port->cable_m)) {
                port->cable_known = true;
            }
        }
    } else if (row->table == TABLE_PORT_QOS_MAP) {
        const char *watch = row_field(row, "pfcwd_sw_enable");

        for (size_t i = 0; watch && i < row->n_ports; i++) {
            port = find_port(collect, row->ports[i]);
            if (port) {
                port->watch_mask = mask_of(watch);
            }
        }
    }
}

/* Returns a field of 'row' as a number; 'otherwise' if it has none. */
static uint64_t
field_number(const struct row *row, const char *name, uint64_t otherwise)
{
    const char *text = row_field(row, name);
    uint64_t value;

    return text && !parse_u64(text, 0, UINT64_MAX, &value) ? value : otherwise;
}

/* Returns how many bytes an end with 'profile' and frames of up to 'mtu' bytes
 * may have outstanding. */
static uint64_t
llr_outstanding(const struct row *profile, uint64_t mtu)
{
    const uint64_t bytes = field_number(profile, "max_outstanding_bytes", 0);
    const uint64_t frames = field_number(profile, "max_outstanding_frames", 0);

    return frames < bytes / mtu ? frames * mtu : bytes;
}

/* Reads the profile of link-level retry of 'port', which may be a derived one.
 * The row counts on a switch without link-level retry, too: the configuration
 * may be for another one. */
static void
read_llr(struct lint_input *input, struct agent *agent, struct lint_port *port)
{
    struct row_answer answer = {0};
    const struct row_status *status =
        agent_row_status(agent, TABLE_LLR_PORT, port->name, &answer);
    const char *sends = status ? row_status_field(status, "llr_remote") : NULL;
    const char *receives =
        status ? row_status_field(status, "llr_local") : NULL;
    const char *name = status ? row_status_field(status, "llr_profile") : NULL;
    const struct row *profile =
        name ? agent_row(agent, TABLE_LLR_PROFILE, name) : NULL;

    profile = profile && profile->effective ? profile : NULL;
    if (profile && receives && !strcmp(receives, "enabled")) {
        port->llr_peer_bytes =
            llr_outstanding(profile, port->mtu ? port->mtu : PORT_DEFAULT_MTU);
    }
    if (profile && sends && !strcmp(sends, "enabled")) {
        port->llr_profile = arena_strdup(input->arena, name);
        port->llr_window_bytes =
            field_number(profile, "max_outstanding_bytes", 0);
        port->llr_spacing_bytes = field_number(profile, "ctlos_spacing_bytes",
                                               LLR_DEFAULT_SPACING_BYTES);
    }
    row_answer_fini(&answer);
}

/* Finds out where lossless traffic goes.  Without a map a class goes to the
 * group and queue of its own number. */
static void
add_lossless(struct lint_port *port)
{
    for (unsigned int tc = 0; tc < PFC_N_PRIORITIES; tc++) {
        if (lint_tc_is_lossless(port, tc)) {
            uint8_t pg = port->tc_to_pg[tc], queue = port->tc_to_queue[tc];

            pg = pg == LINT_UNMAPPED ? (uint8_t)tc : pg;
            queue = queue == LINT_UNMAPPED ? (uint8_t)tc : queue;
            port->lossless_pgs |= pg < 64 ? UINT64_C(1) << pg : 0;
            port->lossless_queues |= queue < 64 ? UINT64_C(1) << queue : 0;
        }
    }
}

void
lint_input_collect(struct lint_input *input, struct agent *agent)
{
    struct collect collect = {.input = input};

    memset(input, 0, sizeof *input);
    input->arena = arena_create(0);
    agent_each_object(agent, count, &collect);
    input->pools =
        arena_alloc(input->arena, input->n_pools + 1, sizeof *input->pools);
    input->profiles = arena_alloc(input->arena, input->n_profiles + 1,
                                  sizeof *input->profiles);
    input->wreds =
        arena_alloc(input->arena, input->n_wreds + 1, sizeof *input->wreds);
    input->ports =
        arena_alloc(input->arena, input->n_ports + input->n_system_ports + 1,
                    sizeof *input->ports);
    input->n_pools = input->n_profiles = input->n_wreds = 0;
    input->n_ports = input->n_system_ports = 0;
    pass(&collect, visit_leaf);
    pass(&collect, visit_profile);
    free(collect.objects);
}

void
lint_input_collect_children(struct lint_input *input, struct agent *agent)
{
    struct collect collect = {.input = input};
    uint64_t lossless_queues = 0;

    agent_each_object(agent, visit_child, &collect);
    intent_each(agent_intent(agent), visit_row, &collect);
    for (size_t i = 0; i < input->n_ports; i++) {
        add_lossless(&input->ports[i]);
        read_llr(input, agent, &input->ports[i]);
        lossless_queues |= input->ports[i].lossless_queues;
    }
    for (size_t i = 0; i < input->n_system_ports; i++) {
        input->ports[input->n_ports + i].lossless_queues = lossless_queues;
    }
}

void
lint_input_fini(struct lint_input *input)
{
    arena_destroy(input->arena);
    memset(input, 0, sizeof *input);
}

bool
lint_port_has_tc(const struct lint_port *port, unsigned int tc)
{
    return (port->tcs[tc / 64] >> (tc % 64) & 1) != 0;
}

bool
lint_tc_is_lossless(const struct lint_port *port, unsigned int tc)
{
    return tc < PFC_N_PRIORITIES && (port->pfc_mask >> tc & 1) != 0;
}
