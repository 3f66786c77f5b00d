/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_CLASSIFY_H
#define ORCHD_TWIN_QOS_CLASSIFY_H

/* Classification: the traffic class of a frame, its PG and queue, and
 * remarking.
 *
 * At ingress the headers of a frame select a traffic class (TC) and a color,
 * the TC a priority group (PG) of the ingress port and a queue of the egress
 * port.  At egress TC and color may be written back into the headers.  PFC has
 * maps of its own: which PG makes a port pause which priority of its peer, and
 * which queue a pause from the peer holds.
 *
 * Maps are small read-only tables that ports share.  A port's map overrides
 * that of the switch.
 *
 * Trust.  Of the headers that a frame has and that there is a map for, the
 * first of DSCP, MPLS EXP and 802.1p decides, so a tagged IP frame is
 * classified by its DSCP.  TC and color are looked up separately: there may be
 * a map for one and not for the other.  If no header decides, the TC is the
 * default TC and the color is green.
 *
 * A value that a map does not list gives TC 0, green, PG 0, queue 0 (SAI's
 * defaults). Two kinds of maps differ, because 0 would do harm: a rewriting map
 * leaves headers that it does not list unchanged, and a PFC priority that its
 * map does not list belongs to no PG and no queue.  Without a PFC map priority
 * n is PG n and queue n.
 *
 * Reference: IEEE 802.1Q-2018 clauses 6.9.3 and 36; RFC 2474; RFC 5462. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pfc.h"

enum {
    CLASSIFY_DSCPS = 64,
    CLASSIFY_TCS = 256, /* The range of TC numbers; chips have fewer. */
};

enum classify_color {
    CLASSIFY_GREEN,
    CLASSIFY_YELLOW,
    CLASSIFY_RED,
    CLASSIFY_COLORS,
};

/* In a rewriting or a PFC map: not listed. */
#define CLASSIFY_UNLISTED UINT8_MAX

/* One QoS map.  Its owner fills it, and keeps it as long as a rule set points
 * to it. */
struct classify_map {
    uint8_t entries[CLASSIFY_TCS]; /* By DSCP, EXP, 802.1p, PFC or TC. */
};

/* A map from TC and color. */
struct classify_remark {
    uint8_t entries[CLASSIFY_TCS][CLASSIFY_COLORS];
};

/* The maps of a port, or of the switch.  NULL: none. */
struct classify_rules {
    const struct classify_map *dscp_to_tc;
    const struct classify_map *dscp_to_color;
    const struct classify_map *exp_to_tc;
    const struct classify_map *exp_to_color;
    const struct classify_map *dot1p_to_tc;
    const struct classify_map *dot1p_to_color;
    const struct classify_map *tc_to_pg;
    const struct classify_map *tc_to_queue;
    const struct classify_remark *to_dscp;
    const struct classify_remark *to_dot1p;
    const struct classify_remark *to_exp;
    const struct classify_map *pfc_to_pg;    /* For ports only. */
    const struct classify_map *pfc_to_queue; /* For ports only. */
    uint8_t default_tc;                      /* Used if no header decides. */
};

/* The headers of a frame that classification uses; negative: absent. */
struct classify_headers {
    int8_t dscp;  /* From the IP header. */
    int8_t exp;   /* Of the outermost MPLS label. */
    int8_t dot1p; /* PCP of the outermost tag. */
};

struct classify_verdict {
    uint8_t tc;
    uint8_t color; /* enum classify_color */
};

/* Returns the color, or the TC, by the first of DSCP, EXP and 802.1p that is in
 * 'headers' and has a map, of the port or else of the switch; 'otherwise' if
 * there is none. */
static inline uint8_t
classify_by__(const struct classify_rules *base,
              const struct classify_rules *port,
              const struct classify_headers *headers, bool color,
              uint8_t otherwise)
{
#define MAP(name) (port->name ? port->name : base->name)
    const struct classify_map *map;

    if (headers->dscp >= 0 && headers->dscp < CLASSIFY_DSCPS) {
        map = color ? MAP(dscp_to_color) : MAP(dscp_to_tc);
        if (map) {
            return map->entries[headers->dscp];
        }
    }
    if (headers->exp >= 0 && headers->exp < PFC_N_PRIORITIES) {
        map = color ? MAP(exp_to_color) : MAP(exp_to_tc);
        if (map) {
            return map->entries[headers->exp];
        }
    }
    if (headers->dot1p >= 0 && headers->dot1p < PFC_N_PRIORITIES) {
        map = color ? MAP(dot1p_to_color) : MAP(dot1p_to_tc);
        if (map) {
            return map->entries[headers->dot1p];
        }
    }
#undef MAP
    return otherwise;
}

/* Returns TC and color of a frame that arrives at a port with rules 'port' on a
 * switch with rules 'base'.  The default TC of the port overrides that of the
 * switch unless it is 0. */
static inline struct classify_verdict
classify_frame(const struct classify_rules *base,
               const struct classify_rules *port,
               const struct classify_headers *headers)
{
    return (struct classify_verdict){
        .tc = classify_by__(base, port, headers, false,
                            port->default_tc ? port->default_tc
                                             : base->default_tc),
        .color = classify_by__(base, port, headers, true, CLASSIFY_GREEN),
    };
}

/* Return the PG index for 'tc' at an ingress port, and the queue index at an
 * egress port, with rules 'port'. */
static inline uint8_t
classify_pg(const struct classify_rules *base,
            const struct classify_rules *port, uint8_t tc)
{
    const struct classify_map *map =
        port->tc_to_pg ? port->tc_to_pg : base->tc_to_pg;

    return map ? map->entries[tc] : 0;
}

static inline uint8_t
classify_queue(const struct classify_rules *base,
               const struct classify_rules *port, uint8_t tc)
{
    const struct classify_map *map =
        port->tc_to_queue ? port->tc_to_queue : base->tc_to_queue;

    return map ? map->entries[tc] : 0;
}

/* Rewrites '*headers' of a frame that was classified as 'verdict' by the rules
 * of the egress port: the headers that the frame has and for which there is a
 * map. */
void classify_rewrite(const struct classify_rules *base,
                      const struct classify_rules *port,
                      struct classify_verdict verdict,
                      struct classify_headers *headers);

/* Returns a bit per PFC priority that PG 'pg_index' asserts at a port with
 * rules 'port'. */
uint8_t classify_pg_priorities(const struct classify_rules *port,
                               uint32_t pg_index);

/* Returns the PG whose state PFC 'priority' (below PFC_N_PRIORITIES) follows
 * at a port with rules 'port', or -1 if none. */
int classify_priority_pg(const struct classify_rules *port,
                         unsigned int priority);

/* Returns a bit per queue that a port with rules 'port' holds while the
 * priorities of 'priorities' (a bit each) are paused. */
uint64_t classify_paused_queues(const struct classify_rules *port,
                                uint8_t priorities);

#endif /* twin/qos/classify.h */
