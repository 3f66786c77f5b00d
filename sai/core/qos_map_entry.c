/* SPDX-License-Identifier: Apache-2.0 */

/* One row per type of map: the members of key and value that it uses. */

#include <config.h>

#include "sai/core/qos_map_entry.h"

#include <stddef.h>
#include <stdint.h>

/* Members with a range, as bits. */
#define HAS_TC    0x01u
#define HAS_DSCP  0x02u
#define HAS_DOT1P 0x04u
#define HAS_PRIO  0x08u
#define HAS_EXP   0x10u
#define HAS_COLOR 0x20u

struct rule {
    unsigned int key;
    unsigned int value;
};

static const struct rule rules[] = {
    [SAI_QOS_MAP_TYPE_DOT1P_TO_TC] = {HAS_DOT1P, HAS_TC},
    [SAI_QOS_MAP_TYPE_DOT1P_TO_COLOR] = {HAS_DOT1P, HAS_COLOR},
    [SAI_QOS_MAP_TYPE_DSCP_TO_TC] = {HAS_DSCP, HAS_TC},
    [SAI_QOS_MAP_TYPE_DSCP_TO_COLOR] = {HAS_DSCP, HAS_COLOR},
    [SAI_QOS_MAP_TYPE_TC_TO_QUEUE] = {HAS_TC, 0},
    [SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DSCP] = {HAS_TC | HAS_COLOR, HAS_DSCP},
    [SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DOT1P] = {HAS_TC | HAS_COLOR, HAS_DOT1P},
    [SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP] = {HAS_TC, 0},
    [SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_PRIORITY_GROUP] = {HAS_PRIO, 0},
    [SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_QUEUE] = {HAS_PRIO, 0},
    [SAI_QOS_MAP_TYPE_MPLS_EXP_TO_TC] = {HAS_EXP, HAS_TC},
    [SAI_QOS_MAP_TYPE_MPLS_EXP_TO_COLOR] = {HAS_EXP, HAS_COLOR},
    [SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_MPLS_EXP] = {HAS_TC | HAS_COLOR, HAS_EXP},
    [SAI_QOS_MAP_TYPE_DSCP_TO_FORWARDING_CLASS] = {HAS_DSCP, 0},
    [SAI_QOS_MAP_TYPE_MPLS_EXP_TO_FORWARDING_CLASS] = {HAS_EXP, 0},
};

/* Checks the ranges, which all begin at 0.  A color from outside is read as a
 * number, because it may not be a member of its enumeration. */
static bool
params_ok(const sai_qos_map_params_t *params, unsigned int members)
{
    const struct {
        unsigned int member;
        uint32_t value;
        uint32_t max;
    } ranges[] = {
        {HAS_TC, params->tc, 15},
        {HAS_DSCP, params->dscp, 63},
        {HAS_DOT1P, params->dot1p, 7},
        {HAS_PRIO, params->prio, 7},
        {HAS_EXP, params->mpls_exp, 7},
        {HAS_COLOR, (uint32_t)params->color, SAI_PACKET_COLOR_RED},
    };

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if ((members & ranges[i].member) && ranges[i].value > ranges[i].max) {
            return false;
        }
    }
    return true;
}

bool
qos_map_entry_ok(sai_qos_map_type_t type, const sai_qos_map_list_t *list)
{
    const struct rule *rule;

    if ((size_t)type >= sizeof rules / sizeof rules[0]) {
        return true;
    }
    rule = &rules[type];
    for (uint32_t i = 0; i < list->count; i++) {
        if (!params_ok(&list->list[i].key, rule->key) ||
            !params_ok(&list->list[i].value, rule->value)) {
            return false;
        }
    }
    return true;
}
