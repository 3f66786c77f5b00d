/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_CLASSIFY_TABLE_H
#define ORCHD_TWIN_QOS_CLASSIFY_TABLE_H

/* Classification, compiled.
 *
 * classify_frame(), classify_pg() and classify_queue() look at up to eight maps
 * for each frame.  Their result depends only on the rules and on one header of
 * the frame, so it fits a table with an entry per value of DSCP, EXP and
 * 802.1p.  Ports with equal rules share a table: a switch has a few of them,
 * whatever its number of ports.
 *
 * A table is exact: for all headers it gives what the functions of classify.h
 * give.  Where TC and color of a frame may come from different headers, there
 * is no such table; classify_look_up() then calls these functions.
 *
 * A table is a copy.  The owner of the rules must call classify_tables_get()
 * again after a change of rules, and classify_tables_refresh() after a change
 * of the contents of a map. */

#include <stdbool.h>
#include <stdint.h>

#include "base/pfc.h"
#include "twin/qos/classify.h"

enum {
    /* Indices of 'classes': all DSCPs, all EXPs, all priorities, and no
     * header. */
    CLASSIFY_AT_EXP = CLASSIFY_DSCPS,
    CLASSIFY_AT_DOT1P = CLASSIFY_AT_EXP + PFC_N_PRIORITIES,
    CLASSIFY_AT_NONE = CLASSIFY_AT_DOT1P + PFC_N_PRIORITIES,
    CLASSIFY_INPUTS,
};

/* What a frame is at the port where it arrives. */
struct classify_class {
    uint8_t tc;
    uint8_t color; /* enum classify_color */
    uint8_t pg;    /* Index at the port. */
};

/* Private, except for the functions below. */
struct classify_table {
    bool by_dscp; /* A map for it exists. */
    bool by_exp;
    bool by_dot1p;
    bool is_split; /* TC and color may come from different headers. */
    struct classify_class classes[CLASSIFY_INPUTS];
    uint8_t queues[CLASSIFY_TCS]; /* By TC, of an egress port. */
    struct classify_rules rules;  /* Those of port and switch, merged. */
    uint32_t n_pgs;               /* Of a port. */
    uint32_t n_users;
    struct classify_table *next;
};

/* The tables of a switch. */
struct classify_tables;

/* Returns an empty set for ports with 'n_pgs' PGs and 'n_queues' queues: a map
 * that leads to another one leads to PG 0, or to queue 0.  End with
 * classify_tables_destroy(). */
struct classify_tables *classify_tables_create(uint32_t n_pgs,
                                               uint32_t n_queues);

/* Frees 'tables' with all tables in it.  Accepts NULL. */
void classify_tables_destroy(struct classify_tables *tables);

/* Returns the table for a port with rules 'port' on a switch with rules 'base';
 * a new one if no other user has equal rules.  Return it with
 * classify_tables_put(). */
const struct classify_table *
classify_tables_get(struct classify_tables *tables,
                    const struct classify_rules *base,
                    const struct classify_rules *port);

/* Ends the use of 'table', which is of 'tables'.  Accepts NULL as a table. */
void classify_tables_put(struct classify_tables *tables,
                         const struct classify_table *table);

/* Compiles all tables again, because the contents of maps have changed. */
void classify_tables_refresh(struct classify_tables *tables);

/* Returns the number of tables, for reports. */
uint32_t classify_tables_count(const struct classify_tables *tables);

/* classify_look_up() for a table that 'is_split'. */
struct classify_class classify_split__(const struct classify_table *table,
                                       const struct classify_headers *headers);

/* Returns the class of a frame that arrives at a port with 'table'. */
static inline struct classify_class
classify_look_up(const struct classify_table *table,
                 const struct classify_headers *headers)
{
    uint32_t input = CLASSIFY_AT_NONE;

    if ((uint8_t)headers->dscp < CLASSIFY_DSCPS && table->by_dscp) {
        input = (uint8_t)headers->dscp;
    } else if ((uint8_t)headers->exp < PFC_N_PRIORITIES && table->by_exp) {
        input = CLASSIFY_AT_EXP + (uint32_t)headers->exp;
    } else if ((uint8_t)headers->dot1p < PFC_N_PRIORITIES && table->by_dot1p) {
        input = CLASSIFY_AT_DOT1P + (uint32_t)headers->dot1p;
    }
    return table->is_split ? classify_split__(table, headers)
                           : table->classes[input];
}

/* Returns the index of the queue for 'tc' at an egress port with 'table'. */
static inline uint8_t
classify_queue_of(const struct classify_table *table, uint8_t tc)
{
    return table->queues[tc];
}

#endif /* twin/qos/classify_table.h */
