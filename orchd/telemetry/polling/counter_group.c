/* SPDX-License-Identifier: Apache-2.0 */

/* The lists of counters. */

#include <config.h>

#include "orchd/telemetry/polling/counter_group.h"

#include <string.h>

#include "base/check.h"

#define PFC(n)                                                                 \
    SAI_PORT_STAT_PFC_##n##_RX_PKTS, SAI_PORT_STAT_PFC_##n##_TX_PKTS,          \
        SAI_PORT_STAT_PFC_##n##_ON2OFF_RX_PKTS,                                \
        SAI_PORT_STAT_PFC_##n##_RX_PAUSE_DURATION,                             \
        SAI_PORT_STAT_PFC_##n##_RX_PAUSE_DURATION_US,                          \
        SAI_PORT_STAT_PFC_##n##_TX_PAUSE_DURATION_US

#define SIZE(octets)                                                           \
    SAI_PORT_STAT_ETHER_IN_PKTS_##octets##_OCTETS,                             \
        SAI_PORT_STAT_ETHER_OUT_PKTS_##octets##_OCTETS

/* The counters that portstat and pfcstat print, and those for pause.h. */
static const sai_stat_id_t port_ids[] = {
    SAI_PORT_STAT_IF_IN_OCTETS,
    SAI_PORT_STAT_IF_IN_UCAST_PKTS,
    SAI_PORT_STAT_IF_IN_NON_UCAST_PKTS,
    SAI_PORT_STAT_IF_IN_BROADCAST_PKTS,
    SAI_PORT_STAT_IF_IN_MULTICAST_PKTS,
    SAI_PORT_STAT_IF_IN_DISCARDS,
    SAI_PORT_STAT_IF_IN_ERRORS,
    SAI_PORT_STAT_IF_IN_UNKNOWN_PROTOS,
    SAI_PORT_STAT_IF_OUT_OCTETS,
    SAI_PORT_STAT_IF_OUT_UCAST_PKTS,
    SAI_PORT_STAT_IF_OUT_NON_UCAST_PKTS,
    SAI_PORT_STAT_IF_OUT_BROADCAST_PKTS,
    SAI_PORT_STAT_IF_OUT_MULTICAST_PKTS,
    SAI_PORT_STAT_IF_OUT_DISCARDS,
    SAI_PORT_STAT_IF_OUT_ERRORS,
    SAI_PORT_STAT_IF_OUT_QLEN,
    SIZE(64),
    SIZE(65_TO_127),
    SIZE(128_TO_255),
    SIZE(256_TO_511),
    SIZE(512_TO_1023),
    SIZE(1024_TO_1518),
    SIZE(1519_TO_2047),
    SIZE(2048_TO_4095),
    SIZE(4096_TO_9216),
    SIZE(9217_TO_16383),
    SAI_PORT_STAT_ETHER_RX_OVERSIZE_PKTS,
    SAI_PORT_STAT_ETHER_TX_OVERSIZE_PKTS,
    SAI_PORT_STAT_ETHER_STATS_UNDERSIZE_PKTS,
    SAI_PORT_STAT_ETHER_STATS_FRAGMENTS,
    SAI_PORT_STAT_ETHER_STATS_JABBERS,
    SAI_PORT_STAT_ETHER_STATS_CRC_ALIGN_ERRORS,
    SAI_PORT_STAT_PAUSE_RX_PKTS,
    SAI_PORT_STAT_PAUSE_TX_PKTS,
    SAI_PORT_STAT_TRIM_PACKETS,
    SAI_PORT_STAT_DROPPED_TRIM_PACKETS,
    SAI_PORT_STAT_TX_TRIM_PACKETS,
    PFC(0),
    PFC(1),
    PFC(2),
    PFC(3),
    PFC(4),
    PFC(5),
    PFC(6),
    PFC(7),
};

/* In the order of enum rate_input (rates.h). */
static const sai_stat_id_t port_rates_ids[] = {
    SAI_PORT_STAT_IF_IN_UCAST_PKTS,      SAI_PORT_STAT_IF_IN_NON_UCAST_PKTS,
    SAI_PORT_STAT_IF_IN_OCTETS,          SAI_PORT_STAT_IF_OUT_UCAST_PKTS,
    SAI_PORT_STAT_IF_OUT_NON_UCAST_PKTS, SAI_PORT_STAT_IF_OUT_OCTETS,
};

static const sai_stat_id_t port_buffer_drop_ids[] = {
    SAI_PORT_STAT_IN_DROPPED_PKTS,
    SAI_PORT_STAT_OUT_DROPPED_PKTS,
};

/* Counters that most chips refuse: trimmed packets, and packets deleted by the
 * credit watchdog of virtual output queues. */
static const sai_stat_id_t queue_ids[] = {
    SAI_QUEUE_STAT_PACKETS,         SAI_QUEUE_STAT_BYTES,
    SAI_QUEUE_STAT_DROPPED_PACKETS, SAI_QUEUE_STAT_DROPPED_BYTES,
    SAI_QUEUE_STAT_TRIM_PACKETS,    SAI_QUEUE_STAT_DROPPED_TRIM_PACKETS,
    SAI_QUEUE_STAT_TX_TRIM_PACKETS, SAI_QUEUE_STAT_CREDIT_WD_DELETED_PACKETS,
};

static const sai_stat_id_t queue_watermark_ids[] = {
    SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES,
};

static const sai_stat_id_t pg_watermark_ids[] = {
    SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES,
    SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES,
};

static const sai_stat_id_t pg_drop_ids[] = {
    SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS,
};

static const sai_stat_id_t buffer_pool_watermark_ids[] = {
    SAI_BUFFER_POOL_STAT_WATERMARK_BYTES,
    SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES,
    SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES,
    SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES,
};

static const sai_stat_id_t wred_ecn_queue_ids[] = {
    SAI_QUEUE_STAT_WRED_DROPPED_PACKETS,
    SAI_QUEUE_STAT_WRED_DROPPED_BYTES,
    SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS,
    SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES,
};

static const sai_stat_id_t wred_ecn_port_ids[] = {
    SAI_PORT_STAT_GREEN_WRED_DROPPED_PACKETS,
    SAI_PORT_STAT_YELLOW_WRED_DROPPED_PACKETS,
    SAI_PORT_STAT_RED_WRED_DROPPED_PACKETS,
    SAI_PORT_STAT_WRED_DROPPED_PACKETS,
    SAI_PORT_STAT_ECN_MARKED_PACKETS,
};

static const sai_stat_id_t llr_ids[] = {
    SAI_PORT_STAT_LLR_TX_INIT_CTL_OS,
    SAI_PORT_STAT_LLR_TX_INIT_ECHO_CTL_OS,
    SAI_PORT_STAT_LLR_TX_ACK_CTL_OS,
    SAI_PORT_STAT_LLR_TX_NACK_CTL_OS,
    SAI_PORT_STAT_LLR_TX_DISCARD,
    SAI_PORT_STAT_LLR_TX_OK,
    SAI_PORT_STAT_LLR_TX_POISONED,
    SAI_PORT_STAT_LLR_TX_REPLAY,
    SAI_PORT_STAT_LLR_RX_INIT_CTL_OS,
    SAI_PORT_STAT_LLR_RX_INIT_ECHO_CTL_OS,
    SAI_PORT_STAT_LLR_RX_ACK_CTL_OS,
    SAI_PORT_STAT_LLR_RX_NACK_CTL_OS,
    SAI_PORT_STAT_LLR_RX_ACK_NACK_SEQ_ERROR,
    SAI_PORT_STAT_LLR_RX_OK,
    SAI_PORT_STAT_LLR_RX_POISONED,
    SAI_PORT_STAT_LLR_RX_BAD,
    SAI_PORT_STAT_LLR_RX_EXPECTED_SEQ_GOOD,
    SAI_PORT_STAT_LLR_RX_EXPECTED_SEQ_POISONED,
    SAI_PORT_STAT_LLR_RX_EXPECTED_SEQ_BAD,
    SAI_PORT_STAT_LLR_RX_MISSING_SEQ,
    SAI_PORT_STAT_LLR_RX_DUPLICATE_SEQ,
    SAI_PORT_STAT_LLR_RX_REPLAY,
};

static const sai_stat_id_t switch_ids[] = {
    SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS,
    SAI_SWITCH_STAT_TX_TRIM_PACKETS,
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define LIST_PORT                   port_ids
#define LIST_PORT_RATES             port_rates_ids
#define LIST_PORT_BUFFER_DROP       port_buffer_drop_ids
#define LIST_QUEUE                  queue_ids
#define LIST_QUEUE_WATERMARK        queue_watermark_ids
#define LIST_PG_WATERMARK           pg_watermark_ids
#define LIST_PG_DROP                pg_drop_ids
#define LIST_BUFFER_POOL_WATERMARK  buffer_pool_watermark_ids
#define LIST_WRED_ECN_QUEUE         wred_ecn_queue_ids
#define LIST_WRED_ECN_PORT          wred_ecn_port_ids
#define LIST_LLR                    llr_ids
#define LIST_SWITCH                 switch_ids
#define NAME_PORT                   "PORT_COUNTER_ID_LIST"
#define NAME_QUEUE                  "QUEUE_COUNTER_ID_LIST"
#define NAME_INGRESS_PRIORITY_GROUP "PG_COUNTER_ID_LIST"
#define NAME_BUFFER_POOL            "BUFFER_POOL_COUNTER_ID_LIST"
#define NAME_SWITCH                 "SWITCH_COUNTER_ID_LIST"

static const struct counter_group_info groups[N_COUNTER_GROUPS] = {
#define X(member, name, flex, type, mode, milliseconds)                        \
    [COUNTER_GROUP_##member] = {name,                                          \
                                flex,                                          \
                                NAME_##type,                                   \
                                SAI_OBJECT_TYPE_##type,                        \
                                SAI_STATS_MODE_##mode,                         \
                                milliseconds,                                  \
                                LIST_##member,                                 \
                                COUNT_OF(LIST_##member)},
    COUNTER_GROUP_LIST(X)
#undef X
};

_Static_assert(COUNT_OF(port_ids) <= COUNTERS_MAX, "the longest list");

const struct counter_group_info *
counter_group_info(enum counter_group group)
{
    orch_assert(group < N_COUNTER_GROUPS);
    return &groups[group];
}

bool
counter_group_find(const char *name, enum counter_group *group)
{
    for (int i = 0; i < N_COUNTER_GROUPS; i++) {
        if (!strcmp(groups[i].name, name)) {
            *group = (enum counter_group)i;
            return true;
        }
    }
    return false;
}

const char *
counter_mode_name(sai_stats_mode_t mode)
{
    return mode == SAI_STATS_MODE_READ_AND_CLEAR ? "STATS_MODE_READ_AND_CLEAR"
                                                 : "STATS_MODE_READ";
}
