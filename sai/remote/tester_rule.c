/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "sai/remote/tester_rule.h"

#include <stddef.h>

static const struct {
    enum op op;
    sai_object_type_t type;
    sai_attr_id_t attribute; /* Of OP_SET. */
} rules[] = {
    {OP_SET, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_ADMIN_STATE},
    {OP_SET, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_PKT_TX_ENABLE},
    {OP_SET, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID},
    {OP_SET, SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_SRC_MAC_ADDRESS},
    {OP_SET, SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_CREDIT_WD},
    {OP_CREATE, SAI_OBJECT_TYPE_SCHEDULER, 0},
    {OP_REMOVE, SAI_OBJECT_TYPE_SCHEDULER, 0},
};

bool
tester_rule_allows(enum op op, sai_object_type_t type, sai_attr_id_t attribute)
{
    const enum op single = op_single(op);

    if (op == OP_GET_STATS || op == OP_GET_STATS_MANY || single == OP_GET) {
        return true;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].op == single && rules[i].type == type &&
            (single != OP_SET || rules[i].attribute == attribute)) {
            return true;
        }
    }
    return false;
}

const char *
tester_rule_text(void)
{
    return "that needs the role writer; a tester may set ADMIN_STATE, "
           "PKT_TX_ENABLE and QOS_SCHEDULER_PROFILE_ID of ports, "
           "SRC_MAC_ADDRESS and CREDIT_WD of the switch, create schedulers, "
           "remove those of testers, clear counters, and start storms";
}
