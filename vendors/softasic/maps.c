/* SPDX-License-Identifier: Apache-2.0 */

/* QoS maps: from SAI's lists of pairs to the tables of the twin. */

#include <config.h>

#include "vendors/softasic/maps.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* What a member of a pair may be, as a limit of the chip. */
enum limit {
    LIMIT_NONE, /* The member does not matter. */
    LIMIT_TC,
    LIMIT_DSCP,
    LIMIT_DOT1P,
    LIMIT_PFC,
    LIMIT_PG,
    LIMIT_QUEUE,
    LIMIT_COLOR,
};

/* Where the member of a limit lies in a pair's key or value. */
static const size_t member_offset[] = {
    [LIMIT_TC] = offsetof(sai_qos_map_params_t, tc),
    [LIMIT_DSCP] = offsetof(sai_qos_map_params_t, dscp),
    [LIMIT_DOT1P] = offsetof(sai_qos_map_params_t, dot1p),
    [LIMIT_PFC] = offsetof(sai_qos_map_params_t, prio),
    [LIMIT_PG] = offsetof(sai_qos_map_params_t, pg),
    [LIMIT_QUEUE] = offsetof(sai_qos_map_params_t, queue_index),
};

struct map_type {
    sai_qos_map_type_t type;
    enum limit key;
    enum limit value;
    bool in_twin; /* The twin classifies by it. */
};

/* Types that are not here (MPLS, forwarding classes) are stored unjudged. */
static const struct map_type map_types[] = {
    {SAI_QOS_MAP_TYPE_DOT1P_TO_TC, LIMIT_DOT1P, LIMIT_TC, false},
    {SAI_QOS_MAP_TYPE_DOT1P_TO_COLOR, LIMIT_DOT1P, LIMIT_COLOR, false},
    {SAI_QOS_MAP_TYPE_DSCP_TO_TC, LIMIT_DSCP, LIMIT_TC, true},
    {SAI_QOS_MAP_TYPE_DSCP_TO_COLOR, LIMIT_DSCP, LIMIT_COLOR, false},
    {SAI_QOS_MAP_TYPE_TC_TO_QUEUE, LIMIT_TC, LIMIT_QUEUE, true},
    {SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DSCP, LIMIT_TC, LIMIT_DSCP, false},
    {SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DOT1P, LIMIT_TC, LIMIT_DOT1P, false},
    {SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, LIMIT_TC, LIMIT_PG, true},
    {SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_PRIORITY_GROUP, LIMIT_PFC, LIMIT_PG,
     false},
    {SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_QUEUE, LIMIT_PFC, LIMIT_QUEUE, false},
};

/* An attribute that refers to a map; 'rule' is where the twin wants it, if it
 * does. */
struct reference {
    sai_object_type_t object;
    sai_attr_id_t id;
    sai_qos_map_type_t type;
    size_t rule;
};

#define NO_RULE     SIZE_MAX
#define RULE(field) offsetof(struct classify_rules, field)
#define PORT(NAME, rule)                                                       \
    {                                                                          \
        SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_##NAME##_MAP,                  \
            SAI_QOS_MAP_TYPE_##NAME, rule                                      \
    }
#define SWITCH(NAME, rule)                                                     \
    {                                                                          \
        SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_QOS_##NAME##_MAP,              \
            SAI_QOS_MAP_TYPE_##NAME, rule                                      \
    }

static const struct reference references[] = {
    PORT(DSCP_TO_TC, RULE(dscp_to_tc)),
    PORT(TC_TO_PRIORITY_GROUP, RULE(tc_to_pg)),
    PORT(TC_TO_QUEUE, RULE(tc_to_queue)),
    PORT(DOT1P_TO_TC, NO_RULE),
    PORT(DOT1P_TO_COLOR, NO_RULE),
    PORT(DSCP_TO_COLOR, NO_RULE),
    PORT(TC_AND_COLOR_TO_DOT1P, NO_RULE),
    PORT(TC_AND_COLOR_TO_DSCP, NO_RULE),
    PORT(PFC_PRIORITY_TO_PRIORITY_GROUP, NO_RULE),
    PORT(PFC_PRIORITY_TO_QUEUE, NO_RULE),
    SWITCH(DSCP_TO_TC, RULE(dscp_to_tc)),
    SWITCH(TC_TO_QUEUE, RULE(tc_to_queue)),
    SWITCH(DOT1P_TO_TC, NO_RULE),
    SWITCH(DOT1P_TO_COLOR, NO_RULE),
    SWITCH(DSCP_TO_COLOR, NO_RULE),
    SWITCH(TC_AND_COLOR_TO_DOT1P, NO_RULE),
    SWITCH(TC_AND_COLOR_TO_DSCP, NO_RULE),
};

enum { N_REFERENCES = sizeof references / sizeof references[0] };

/* Returns what is known of the type of 'map', NULL if nothing is. */
static const struct map_type *
type_of_map(const struct objects_item *map)
{
    const int64_t type = objects_number(map, SAI_QOS_MAP_ATTR_TYPE);

    for (size_t i = 0; i < sizeof map_types / sizeof map_types[0]; i++) {
        if (map_types[i].type == (sai_qos_map_type_t)type) {
            return &map_types[i];
        }
    }
    return NULL;
}

/* Returns the member that 'limit' is about; all of these are one byte. */
static uint8_t
member(const sai_qos_map_params_t *params, enum limit limit)
{
    return ((const uint8_t *)params)[member_offset[limit]];
}

/* Returns whether the member that 'limit' is about is within it. */
static bool
is_within(const struct chip *chip, const sai_qos_map_params_t *params,
          enum limit limit)
{
    switch (limit) {
    case LIMIT_TC:
        return member(params, limit) < chip->tcs;
    case LIMIT_DSCP:
        return member(params, limit) < CLASSIFY_DSCPS;
    case LIMIT_DOT1P:
    case LIMIT_PFC:
        return member(params, limit) < CLASSIFY_PRIORITIES;
    case LIMIT_PG:
        return member(params, limit) < chip->pgs_per_port;
    case LIMIT_QUEUE:
        return member(params, limit) < chip->queues_per_port;
    case LIMIT_COLOR:
        return params->color <= SAI_PACKET_COLOR_RED;
    default:
        return true;
    }
}

sai_status_t
maps_check(const struct asic *asic, const struct objects_item *map)
{
    const sai_attribute_value_t *value =
        objects_value(map, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST);
    const struct map_type *type = type_of_map(map);

    for (uint32_t i = 0; type && value && i < value->qosmap.count; i++) {
        const sai_qos_map_t *pair = &value->qosmap.list[i];

        if (!is_within(asic->chip, &pair->key, type->key) ||
            !is_within(asic->chip, &pair->value, type->value)) {
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

void
maps_program(struct objects_item *map)
{
    const sai_attribute_value_t *value =
        objects_value(map, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST);
    const struct map_type *type = type_of_map(map);
    struct classify_map *table = map->data;

    if (!type || !type->in_twin) {
        return;
    }
    if (!table) {
        map->data = table = check_calloc(1, sizeof *table);
    }
    /* What a map does not list is 0, SAI says. */
    memset(table, 0, sizeof *table);
    for (uint32_t i = 0; value && i < value->qosmap.count; i++) {
        const sai_qos_map_t *pair = &value->qosmap.list[i];

        table->entries[member(&pair->key, type->key)] =
            member(&pair->value, type->value);
    }
}

void
maps_forget(struct objects_item *map)
{
    free(map->data);
    map->data = NULL;
}

/* Returns the row of attribute 'id', NULL if it does not refer to a map. */
static const struct reference *
find_reference(const struct objects_item *item, sai_attr_id_t id)
{
    for (size_t i = 0; i < N_REFERENCES; i++) {
        if (references[i].object == item->type && references[i].id == id) {
            return &references[i];
        }
    }
    return NULL;
}

static sai_attr_id_t
default_tc_attribute(const struct objects_item *item)
{
    return item->type == SAI_OBJECT_TYPE_PORT
               ? (sai_attr_id_t)SAI_PORT_ATTR_QOS_DEFAULT_TC
               : (sai_attr_id_t)SAI_SWITCH_ATTR_QOS_DEFAULT_TC;
}

bool
maps_concerns(const struct objects_item *item, sai_attr_id_t id)
{
    const struct reference *reference = find_reference(item, id);

    return (reference && reference->rule != NO_RULE) ||
           id == default_tc_attribute(item);
}

sai_status_t
maps_check_reference(const struct asic *asic, const struct objects_item *item,
                     sai_attr_id_t id)
{
    const struct reference *reference = find_reference(item, id);
    const struct objects_item *map =
        reference ? objects_referent(asic->objects, item, id) : NULL;

    if (map && objects_number(map, SAI_QOS_MAP_ATTR_TYPE) !=
                   (int64_t)reference->type) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (id == default_tc_attribute(item) &&
        objects_number(item, id) >= asic->chip->tcs) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    return SAI_STATUS_SUCCESS;
}

void
maps_program_rules(struct asic *asic, const struct objects_item *item)
{
    struct classify_rules *rules = item->type == SAI_OBJECT_TYPE_PORT
                                       ? sim_port_rules(asic->sim, item->handle)
                                       : sim_rules(asic->sim);

    /* All rules are written, changed or not: they are three pointers. */
    for (size_t i = 0; i < N_REFERENCES; i++) {
        const struct objects_item *map;

        if (references[i].object != item->type ||
            references[i].rule == NO_RULE) {
            continue;
        }
        map = objects_referent(asic->objects, item, references[i].id);
        *(const struct classify_map **)((char *)rules + references[i].rule) =
            map ? map->data : NULL;
    }
    rules->default_tc =
        (uint8_t)objects_number(item, default_tc_attribute(item));
}
