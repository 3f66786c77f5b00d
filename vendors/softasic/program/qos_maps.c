/* SPDX-License-Identifier: Apache-2.0 */

/* QoS maps: converts SAI's lists of pairs to the tables of the twin.
 *
 * Two tables drive it.  The first says for each type of map what it maps to
 * what, with the limits of both and the kind of table of the twin.  The second
 * says which attribute of a port or of the switch refers to which type of map,
 * and where its table belongs in the rules of the twin (twin/qos/classify.h).
 * A map is checked when it is created or changed.  When it is bound, only its
 * type is checked. */

#include <config.h>

#include "vendors/softasic/program/qos_maps.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"

/* The range of a member of a pair, as a limit of the chip. */
enum limit {
    LIMIT_TC,
    LIMIT_DSCP,
    LIMIT_DOT1P,
    LIMIT_EXP,
    LIMIT_PFC,
    LIMIT_PG,
    LIMIT_QUEUE,
    LIMIT_COLOR,
};

/* The kind of table for a map. */
enum form {
    FORM_PLAIN,  /* Keys that are not listed map to 0. */
    FORM_PFC,    /* Keys that are not listed map to nothing. */
    FORM_REMARK, /* By TC and color; keys that are not listed map to nothing. */
};

struct map_type {
    sai_qos_map_type_t type;
    enum limit key;   /* Which member of the key is used, and its limit. */
    enum limit value; /* The same of the value. */
    enum form form;
};

/* Types that are not listed (forwarding classes) are stored without a check. */
static const struct map_type map_types[] = {
    {SAI_QOS_MAP_TYPE_DOT1P_TO_TC, LIMIT_DOT1P, LIMIT_TC, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_DOT1P_TO_COLOR, LIMIT_DOT1P, LIMIT_COLOR, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_DSCP_TO_TC, LIMIT_DSCP, LIMIT_TC, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_DSCP_TO_COLOR, LIMIT_DSCP, LIMIT_COLOR, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_TC_TO_QUEUE, LIMIT_TC, LIMIT_QUEUE, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DSCP, LIMIT_TC, LIMIT_DSCP, FORM_REMARK},
    {SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DOT1P, LIMIT_TC, LIMIT_DOT1P,
     FORM_REMARK},
    {SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, LIMIT_TC, LIMIT_PG, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_PRIORITY_GROUP, LIMIT_PFC, LIMIT_PG,
     FORM_PFC},
    {SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_QUEUE, LIMIT_PFC, LIMIT_QUEUE, FORM_PFC},
    {SAI_QOS_MAP_TYPE_MPLS_EXP_TO_TC, LIMIT_EXP, LIMIT_TC, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_MPLS_EXP_TO_COLOR, LIMIT_EXP, LIMIT_COLOR, FORM_PLAIN},
    {SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_MPLS_EXP, LIMIT_TC, LIMIT_EXP,
     FORM_REMARK},
};

/* An attribute that refers to a map, and its place in the rules of the twin. */
struct reference {
    sai_object_type_t object;
    sai_attr_id_t id;
    sai_qos_map_type_t type; /* Of the maps that it takes. */
    size_t rule;             /* Offset of a pointer in the rules. */
};

#define RULE(field) offsetof(struct classify_rules, field)
#define PORT(NAME, rule)                                                       \
    {                                                                          \
        SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_##NAME##_MAP,                  \
            SAI_QOS_MAP_TYPE_##NAME, RULE(rule)                                \
    }
#define SWITCH(NAME, rule)                                                     \
    {                                                                          \
        SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_QOS_##NAME##_MAP,              \
            SAI_QOS_MAP_TYPE_##NAME, RULE(rule)                                \
    }

static const struct reference references[] = {
    PORT(DSCP_TO_TC, dscp_to_tc),
    PORT(DSCP_TO_COLOR, dscp_to_color),
    PORT(DOT1P_TO_TC, dot1p_to_tc),
    PORT(DOT1P_TO_COLOR, dot1p_to_color),
    PORT(MPLS_EXP_TO_TC, exp_to_tc),
    PORT(MPLS_EXP_TO_COLOR, exp_to_color),
    PORT(TC_TO_PRIORITY_GROUP, tc_to_pg),
    PORT(TC_TO_QUEUE, tc_to_queue),
    PORT(TC_AND_COLOR_TO_DSCP, to_dscp),
    PORT(TC_AND_COLOR_TO_DOT1P, to_dot1p),
    PORT(TC_AND_COLOR_TO_MPLS_EXP, to_exp),
    PORT(PFC_PRIORITY_TO_PRIORITY_GROUP, pfc_to_pg),
    PORT(PFC_PRIORITY_TO_QUEUE, pfc_to_queue),
    SWITCH(DSCP_TO_TC, dscp_to_tc),
    SWITCH(DSCP_TO_COLOR, dscp_to_color),
    SWITCH(DOT1P_TO_TC, dot1p_to_tc),
    SWITCH(DOT1P_TO_COLOR, dot1p_to_color),
    SWITCH(MPLS_EXP_TO_TC, exp_to_tc),
    SWITCH(MPLS_EXP_TO_COLOR, exp_to_color),
    SWITCH(TC_TO_QUEUE, tc_to_queue),
    SWITCH(TC_AND_COLOR_TO_DSCP, to_dscp),
    SWITCH(TC_AND_COLOR_TO_DOT1P, to_dot1p),
    SWITCH(TC_AND_COLOR_TO_MPLS_EXP, to_exp),
    /* Of packets that leave a tunnel; tunnels.c programs these. */
    {SAI_OBJECT_TYPE_TUNNEL, SAI_TUNNEL_ATTR_DECAP_QOS_DSCP_TO_TC_MAP,
     SAI_QOS_MAP_TYPE_DSCP_TO_TC, RULE(dscp_to_tc)},
    {SAI_OBJECT_TYPE_TUNNEL, SAI_TUNNEL_ATTR_DECAP_QOS_TC_TO_PRIORITY_GROUP_MAP,
     SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, RULE(tc_to_pg)},
};

enum { N_REFERENCES = sizeof references / sizeof references[0] };

/* Returns the row of the type of 'map', NULL if there is none. */
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

/* Returns the member of a pair's key or value that 'limit' is about. */
static uint32_t
member(const sai_qos_map_params_t *params, enum limit limit)
{
    switch (limit) {
    case LIMIT_TC:
        return params->tc;
    case LIMIT_DSCP:
        return params->dscp;
    case LIMIT_DOT1P:
        return params->dot1p;
    case LIMIT_EXP:
        return params->mpls_exp;
    case LIMIT_PFC:
        return params->prio;
    case LIMIT_PG:
        return params->pg;
    case LIMIT_QUEUE:
        return params->queue_index;
    default:
        return (uint32_t)params->color;
    }
}

/* Returns whether the member that 'limit' is about is within it. */
static bool
is_within(const struct chip *chip, const sai_qos_map_params_t *params,
          enum limit limit)
{
    const uint32_t bounds[] = {
        [LIMIT_TC] = chip->tcs,
        [LIMIT_DSCP] = CLASSIFY_DSCPS,
        [LIMIT_DOT1P] = PFC_N_PRIORITIES,
        [LIMIT_EXP] = PFC_N_PRIORITIES,
        [LIMIT_PFC] = PFC_N_PRIORITIES,
        [LIMIT_PG] = chip->pgs_per_port,
        [LIMIT_QUEUE] = chip->queues_per_port,
        [LIMIT_COLOR] = CLASSIFY_COLORS,
    };

    return member(params, limit) < bounds[limit];
}

sai_status_t
qos_maps_check(const struct asic *asic, const struct objects_item *map)
{
    const sai_attribute_value_t *value =
        objects_value(map, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST);
    const struct map_type *type = type_of_map(map);

    for (uint32_t i = 0; type && value && i < value->qosmap.count; i++) {
        const sai_qos_map_t *pair = &value->qosmap.list[i];

        if (!is_within(asic->chip, &pair->key, type->key) ||
            !is_within(asic->chip, &pair->value, type->value) ||
            (type->form == FORM_REMARK &&
             !is_within(asic->chip, &pair->key, LIMIT_COLOR))) {
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Enters one pair into the table of a map of 'type'. */
static void
enter(const struct map_type *type, const sai_qos_map_t *pair, void *table)
{
    const uint32_t key = member(&pair->key, type->key);
    const uint8_t value = (uint8_t)member(&pair->value, type->value);

    if (type->form == FORM_REMARK) {
        ((struct classify_remark *)table)->entries[key][pair->key.color] =
            value;
    } else {
        ((struct classify_map *)table)->entries[key] = value;
    }
}

void
qos_maps_program(struct objects_item *map)
{
    const sai_attribute_value_t *value =
        objects_value(map, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST);
    const struct map_type *type = type_of_map(map);
    size_t size;

    if (!type) {
        return;
    }
    size = type->form == FORM_REMARK ? sizeof(struct classify_remark)
                                     : sizeof(struct classify_map);
    if (!map->data) {
        map->data = check_malloc(size);
    }
    memset(map->data, type->form == FORM_PLAIN ? 0 : CLASSIFY_UNLISTED, size);
    for (uint32_t i = 0; value && i < value->qosmap.count; i++) {
        enter(type, &value->qosmap.list[i], map->data);
    }
}

void
qos_maps_free(struct objects_item *map)
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
qos_maps_concerns(const struct objects_item *item, sai_attr_id_t id)
{
    const struct reference *reference = find_reference(item, id);

    return reference || id == default_tc_attribute(item);
}

sai_status_t
qos_maps_check_reference(const struct asic *asic,
                         const struct objects_item *item, sai_attr_id_t id)
{
    const struct reference *reference = find_reference(item, id);
    const struct objects_item *map =
        reference ? objects_referent(asic->objects, item, id) : NULL;

    if (map && objects_number(map, SAI_QOS_MAP_ATTR_TYPE) !=
                   (int64_t)reference->type) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (item->type != SAI_OBJECT_TYPE_TUNNEL &&
        id == default_tc_attribute(item) &&
        objects_number(item, id) >= asic->chip->tcs) {
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    return SAI_STATUS_SUCCESS;
}

void
qos_maps_program_rules(struct asic *asic, const struct objects_item *item)
{
    struct classify_rules *rules = item->type == SAI_OBJECT_TYPE_PORT
                                       ? sim_port_rules(asic->sim, item->handle)
                                       : sim_rules(asic->sim);

    /* Write all rules, changed or not: they are a few pointers. */
    for (size_t i = 0; i < N_REFERENCES; i++) {
        const struct objects_item *map;

        if (references[i].object != item->type) {
            continue;
        }
        map = objects_referent(asic->objects, item, references[i].id);
        *(const void **)((char *)rules + references[i].rule) =
            map ? map->data : NULL;
    }
    rules->default_tc =
        (uint8_t)objects_number(item, default_tc_attribute(item));
}
