/* SPDX-License-Identifier: Apache-2.0 */

/* Table lookups; the port's table wins over the switch's. */

#include <config.h>

#include "twin/qos/classify.h"

#include <stddef.h>

/* Looks 'key' up in the map of the port, or else of the switch. */
static uint8_t
lookup(const struct classify_map *base, const struct classify_map *port,
       uint8_t key)
{
    const struct classify_map *map = port ? port : base;

    return map ? map->entries[key] : 0;
}

uint8_t
classify_tc(const struct classify_rules *base,
            const struct classify_rules *port, int dscp)
{
    if (dscp >= 0 && dscp < CLASSIFY_DSCPS &&
        (base->dscp_to_tc || port->dscp_to_tc)) {
        return lookup(base->dscp_to_tc, port->dscp_to_tc, (uint8_t)dscp);
    }
    return port->default_tc ? port->default_tc : base->default_tc;
}

uint8_t
classify_pg(const struct classify_rules *base,
            const struct classify_rules *port, uint8_t tc)
{
    return lookup(base->tc_to_pg, port->tc_to_pg, tc);
}

uint8_t
classify_queue(const struct classify_rules *base,
               const struct classify_rules *port, uint8_t tc)
{
    return lookup(base->tc_to_queue, port->tc_to_queue, tc);
}

int
classify_pfc_priority(uint32_t pg_index)
{
    return pg_index < CLASSIFY_PRIORITIES ? (int)pg_index : -1;
}
