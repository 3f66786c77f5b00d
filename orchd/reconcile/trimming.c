/* SPDX-License-Identifier: Apache-2.0 */

/* The order of the attributes of trimming, and which values are kept. */

#include <config.h>

#include "orchd/reconcile/trimming.h"

#include <stddef.h>

#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/trimming_limits.h"

/* In the order in which they are set. */
static const sai_attr_id_t attributes[] = {
    SAI_SWITCH_ATTR_PACKET_TRIM_SIZE,
    SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_RESOLUTION_MODE,
    SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE,
    SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE,
    SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE,
    SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX,
};

enum { N_ATTRIBUTES = sizeof attributes / sizeof *attributes };

const struct want *
trimming_lacking(const struct claim *claim)
{
    const struct demand *demand = &claim->source->demand;
    const bool concerned = claim->source->table == TABLE_SWITCH_TRIMMING;

    for (size_t i = 0; concerned && i < demand->n_wants; i++) {
        if (trimming_limits_lack(&claim->source->graph->trimming,
                                 &demand->wants[i], NULL)) {
            return &demand->wants[i];
        }
    }
    return NULL;
}

bool
trimming_order(sai_attr_id_t id, int *order)
{
    for (int i = 0; i < N_ATTRIBUTES; i++) {
        if (attributes[i] == id) {
            *order = SAI_SWITCH_ATTR_PACKET_TRIM_SIZE + i;
            return true;
        }
    }
    return false;
}

bool
trimming_keeps(const struct slot *slot)
{
    return slot->owner == TABLE_SWITCH_TRIMMING && !slot->want && slot->held;
}
