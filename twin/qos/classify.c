/* SPDX-License-Identifier: Apache-2.0 */

/* Table lookups; a map of the port overrides that of the switch. */

#include <config.h>

#include "twin/qos/classify.h"

#include <stddef.h>

#include "base/pfc.h"

/* A header and the map that rewrites it, in the order of trust. */
struct remark {
    size_t header; /* Offset in struct classify_headers. */
    uint8_t mask;  /* The largest value of the header. */
    size_t map;    /* Offset in struct classify_rules. */
};

#define REMARK(name, mask)                                                     \
    {                                                                          \
        offsetof(struct classify_headers, name), mask,                         \
            offsetof(struct classify_rules, to_##name)                         \
    }

static const struct remark order[] = {
    REMARK(dscp, CLASSIFY_DSCPS - 1),
    REMARK(exp, PFC_N_PRIORITIES - 1),
    REMARK(dot1p, PFC_N_PRIORITIES - 1),
};

enum { N_REMARKS = sizeof order / sizeof order[0] };

/* Returns the map at 'offset' of the port, or else of the switch. */
static const void *
find_map(const struct classify_rules *base, const struct classify_rules *port,
         size_t offset)
{
    const void *map = *(const void *const *)((const char *)port + offset);

    return map ? map : *(const void *const *)((const char *)base + offset);
}

void
classify_rewrite(const struct classify_rules *base,
                 const struct classify_rules *port,
                 struct classify_verdict verdict,
                 struct classify_headers *headers)
{
    for (size_t i = 0; i < N_REMARKS; i++) {
        int8_t *header = (int8_t *)headers + order[i].header;
        const struct classify_remark *remark =
            *header >= 0 ? find_map(base, port, order[i].map) : NULL;
        uint8_t entry;

        if (!remark) {
            continue;
        }
        entry = remark->entries[verdict.tc][verdict.color];
        if (entry <= order[i].mask) {
            *header = (int8_t)entry;
        }
    }
}

uint8_t
classify_pg_priorities(const struct classify_rules *port, uint32_t pg_index)
{
    uint8_t priorities = 0;

    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (classify_priority_pg(port, i) == (int)pg_index) {
            priorities |= (uint8_t)(1u << i);
        }
    }
    return priorities;
}

/* Returns the entry of 'map' for a PFC priority, the priority itself if there
 * is no map, or -1. */
static int
lookup_pfc(const struct classify_map *map, unsigned int priority)
{
    if (!map) {
        return (int)priority;
    }
    return map->entries[priority] == CLASSIFY_UNLISTED ? -1
                                                       : map->entries[priority];
}

int
classify_priority_pg(const struct classify_rules *port, unsigned int priority)
{
    return lookup_pfc(port->pfc_to_pg, priority);
}

uint64_t
classify_paused_queues(const struct classify_rules *port, uint8_t priorities)
{
    uint64_t queues = 0;

    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        const int queue = lookup_pfc(port->pfc_to_queue, i);

        if ((priorities >> i & 1) && queue >= 0 && queue < 64) {
            queues |= UINT64_C(1) << queue;
        }
    }
    return queues;
}
