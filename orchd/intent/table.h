/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_TABLE_H
#define ORCHD_INTENT_TABLE_H

/* The CONFIG_DB tables that orchd knows, and the shapes of their keys.
 *
 * A table that is not listed here belongs to somebody else: its rows are
 * neither read nor answered.  A table that is listed but not LIVE is part of
 * SONiC's buffer and QoS schema, but nothing here acts on it: its rows are
 * answered with the state "unsupported", so that nobody waits for an effect
 * that does not come.  See docs/reference/schema.md for the contract. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct text;

/* How the part of a key after the table name is built; '|' separates. */
enum key_shape {
    KEY_NAME,        /* One name: "AZURE". */
    KEY_PORTS,       /* A comma list of port names: "Ethernet0,Ethernet4". */
    KEY_PORTS_RANGE, /* Ports, '|', an index or a range: "Ethernet0|3-4". */
};

/* X(member, key shape, live).  The member is the name of the table. */
#define TABLE_LIST(X)                                                          \
    X(DEVICE_METADATA, KEY_NAME, true)                                         \
    X(PORT, KEY_NAME, true)                                                    \
    X(CABLE_LENGTH, KEY_NAME, true)                                            \
    X(BUFFER_POOL, KEY_NAME, true)                                             \
    X(BUFFER_PROFILE, KEY_NAME, true)                                          \
    X(BUFFER_PG, KEY_PORTS_RANGE, true)                                        \
    X(BUFFER_QUEUE, KEY_PORTS_RANGE, true)                                     \
    X(BUFFER_PORT_INGRESS_PROFILE_LIST, KEY_PORTS, true)                       \
    X(BUFFER_PORT_EGRESS_PROFILE_LIST, KEY_PORTS, true)                        \
    X(DEFAULT_LOSSLESS_BUFFER_PARAMETER, KEY_NAME, true)                       \
    X(LOSSLESS_TRAFFIC_PATTERN, KEY_NAME, true)                                \
    X(DSCP_TO_TC_MAP, KEY_NAME, true)                                          \
    X(DOT1P_TO_TC_MAP, KEY_NAME, true)                                         \
    X(MPLS_TC_TO_TC_MAP, KEY_NAME, true)                                       \
    X(TC_TO_QUEUE_MAP, KEY_NAME, true)                                         \
    X(TC_TO_PRIORITY_GROUP_MAP, KEY_NAME, true)                                \
    X(TC_TO_DSCP_MAP, KEY_NAME, true)                                          \
    X(TC_TO_DOT1P_MAP, KEY_NAME, true)                                         \
    X(PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, KEY_NAME, true)                      \
    X(MAP_PFC_PRIORITY_TO_QUEUE, KEY_NAME, true)                               \
    X(DSCP_TO_FC_MAP, KEY_NAME, true)                                          \
    X(EXP_TO_FC_MAP, KEY_NAME, true)                                           \
    X(PORT_QOS_MAP, KEY_PORTS, true)                                           \
    X(SCHEDULER, KEY_NAME, true)                                               \
    X(QUEUE, KEY_PORTS_RANGE, true)                                            \
    X(WRED_PROFILE, KEY_NAME, true)                                            \
    X(PFC_WD, KEY_NAME, true)                                                  \
    X(FLEX_COUNTER_TABLE, KEY_NAME, true)                                      \
    X(WATERMARK_TABLE, KEY_NAME, true)

enum table {
#define X(member, shape, live) TABLE_##member,
    TABLE_LIST(X)
#undef X
        N_TABLES
};

/* Returns the name of 'table', for example "BUFFER_PG". */
const char *table_name(enum table table);

/* Appends how a row is called, "BUFFER_PG|Ethernet0|3", to 'text'. */
void table_add_row(struct text *text, enum table table, const char *key);

/* Returns the shape of the keys of 'table'. */
enum key_shape table_key_shape(enum table table);

/* Returns whether rows of 'table' have an effect in this version. */
bool table_live(enum table table);

/* Finds the table whose name is the first 'length' bytes of 'name'.  Returns
 * false and leaves '*table' alone if orchd does not know it. */
bool table_find(const char *name, size_t length, enum table *table);

#endif /* orchd/intent/table.h */
