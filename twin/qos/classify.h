/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_CLASSIFY_H
#define ORCHD_TWIN_QOS_CLASSIFY_H

/* Which priority group and which queue a packet belongs to.
 *
 * A packet's DSCP selects a traffic class (TC), the TC a PG of its ingress
 * port and a queue of its egress port.  Maps are small read-only tables that
 * ports share.  A port's map overrides that of the switch; without any, the
 * DSCP is not trusted and the TC is the default one, the PG and the queue are
 * 0.  Entries that a map does not list are 0 as well (SAI's defaults).
 * PFC priority n pauses and is asserted by PG n. */

#include <stdint.h>

enum {
    CLASSIFY_DSCPS = 64,
    CLASSIFY_TCS = 256, /* What a TC can be numbered; chips have fewer. */
    CLASSIFY_PRIORITIES = 8,
};

/* One QoS map, zero-initialised by its owner; the owner keeps it alive for as
 * long as a rule set points to it. */
struct classify_map {
    uint8_t entries[CLASSIFY_TCS]; /* By DSCP or TC. */
};

/* The maps of a port, or of the switch.  NULL: none. */
struct classify_rules {
    const struct classify_map *dscp_to_tc;
    const struct classify_map *tc_to_pg;
    const struct classify_map *tc_to_queue;
    uint8_t default_tc; /* Used by the rules that have no dscp_to_tc. */
};

/* Returns the TC of a packet with 'dscp' (a negative one: not IP) that
 * arrives at a port with rules 'port' on a switch with rules 'base'.  The
 * port's default TC wins over that of the switch unless it is 0. */
uint8_t classify_tc(const struct classify_rules *base,
                    const struct classify_rules *port, int dscp);

/* Returns the PG index for 'tc' at the ingress port, and the queue index at
 * the egress port, each with rules 'port'. */
uint8_t classify_pg(const struct classify_rules *base,
                    const struct classify_rules *port, uint8_t tc);
uint8_t classify_queue(const struct classify_rules *base,
                       const struct classify_rules *port, uint8_t tc);

/* Returns the PFC priority that PG 'pg_index' asserts, or -1 if none. */
int classify_pfc_priority(uint32_t pg_index);

#endif /* twin/qos/classify.h */
