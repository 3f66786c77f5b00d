/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_COUNTER_GROUP_H
#define ORCHD_TELEMETRY_POLLING_COUNTER_GROUP_H

/* Groups of counters: what is read together, of which objects, how often.
 *
 * The row FLEX_COUNTER_TABLE|name of CONFIG_DB enables a group and sets its
 * interval; FLEX_COUNTER_DB describes the group under another name.  Both names
 * are SONiC's.  The list of a group has all counters that orchd can use; the
 * poller finds out which of them a switch supports (poller.h).
 *
 * Pure: tables only. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

/* X(member, name in CONFIG_DB, name in FLEX_COUNTER_DB, object type, mode,
 * milliseconds between two readings unless a row says otherwise). */
#define COUNTER_GROUP_LIST(X)                                                  \
    X(PORT, "PORT", "PORT_STAT_COUNTER", PORT, READ, 1000)                     \
    X(PORT_RATES, "PORT_RATES", "PORT_RATE_COUNTER", PORT, READ, 1000)         \
    X(PORT_BUFFER_DROP, "PORT_BUFFER_DROP", "PORT_BUFFER_DROP_STAT", PORT,     \
      READ, 60000)                                                             \
    X(QUEUE, "QUEUE", "QUEUE_STAT_COUNTER", QUEUE, READ, 10000)                \
    X(QUEUE_WATERMARK, "QUEUE_WATERMARK", "QUEUE_WATERMARK_STAT_COUNTER",      \
      QUEUE, READ_AND_CLEAR, 60000)                                            \
    X(PG_WATERMARK, "PG_WATERMARK", "PG_WATERMARK_STAT_COUNTER",               \
      INGRESS_PRIORITY_GROUP, READ_AND_CLEAR, 60000)                           \
    X(PG_DROP, "PG_DROP", "PG_DROP_STAT_COUNTER", INGRESS_PRIORITY_GROUP,      \
      READ, 10000)                                                             \
    X(BUFFER_POOL_WATERMARK, "BUFFER_POOL_WATERMARK",                          \
      "BUFFER_POOL_WATERMARK_STAT_COUNTER", BUFFER_POOL, READ_AND_CLEAR,       \
      60000)                                                                   \
    X(WRED_ECN_QUEUE, "WRED_ECN_QUEUE", "WRED_ECN_QUEUE_STAT_COUNTER", QUEUE,  \
      READ, 10000)                                                             \
    X(WRED_ECN_PORT, "WRED_ECN_PORT", "WRED_ECN_PORT_STAT_COUNTER", PORT,      \
      READ, 1000)                                                              \
    X(LLR, "LLR", "LLR_PORT_STAT_COUNTER", PORT, READ, 10000)                  \
    X(SWITCH, "SWITCH", "SWITCH_STAT_COUNTER", SWITCH, READ, 60000)

enum counter_group {
#define X(member, name, flex, type, mode, milliseconds) COUNTER_GROUP_##member,
    COUNTER_GROUP_LIST(X)
#undef X
        N_COUNTER_GROUPS
};

/* At least as many counters as the longest list has. */
#define COUNTERS_MAX 128

/* The constants of a group. */
struct counter_group_info {
    const char *name;      /* "QUEUE_WATERMARK". */
    const char *flex_name; /* "QUEUE_WATERMARK_STAT_COUNTER". */
    const char *list_name; /* "QUEUE_COUNTER_ID_LIST". */
    sai_object_type_t type;
    sai_stats_mode_t mode;
    int64_t milliseconds;
    const sai_stat_id_t *ids; /* At most COUNTERS_MAX. */
    uint32_t n_ids;
};

/* Returns the constants of 'group'; static. */
const struct counter_group_info *counter_group_info(enum counter_group group);

/* Finds the group that CONFIG_DB calls 'name'.  Returns false, and leaves
 * '*group' alone, if there is none. */
bool counter_group_find(const char *name, enum counter_group *group);

/* Returns "STATS_MODE_READ" or "STATS_MODE_READ_AND_CLEAR". */
const char *counter_mode_name(sai_stats_mode_t mode);

#endif /* orchd/telemetry/polling/counter_group.h */
