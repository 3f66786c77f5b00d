/* SPDX-License-Identifier: Apache-2.0 */

/* SAI's counters, read from the twin.  All values of a call come from one
 * snapshot of the object, so they agree.  A row names the member for a counter;
 * 'which' tells those apart that differ only in a priority or a color. */

#include <config.h>

#include "vendors/softasic/program/counters.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/check.h"
#include "sai/core/metadata.h"
#include "twin/forwarding/tunnel.h"
#include "twin/qos/policer.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/policers.h"
#include "vendors/softasic/program/system_port_lookup.h"
#include "vendors/softasic/program/tunnels.h"

enum { PS_PER_NS = 1000, PS_PER_US = 1000000 };

enum class {
    COUNTER,            /* Cleared by recording its value. */
    GAUGE,              /* The current value; clearing does nothing. */
    WATERMARK_SHARED,   /* Restarted in the twin; ... */
    WATERMARK_HEADROOM, /* ... each kind ... */
    WATERMARK_TOTAL,    /* ... separately. */
    WATERMARK_DELAY,    /* Of a queue. */
};

/* A snapshot of one object in the twin, by its type. */
union snapshot {
    struct {
        struct sim_port_stats stats;
        struct sim_pause_stats pauses;
        struct sim_queue_stats queues; /* All of them together. */
        uint64_t queued;
        struct sim_trim_stats trims; /* The same. */
    } port;
    struct mmu_pg_stats pg;
    struct {
        struct mmu_queue_stats mmu;
        struct sim_queue_stats sim;
        struct sim_trim_stats trims;
    } queue;
    struct sim_trim_stats trims; /* Of the switch: all ports together. */
    struct mmu_pool_stats pool;
    struct router_interface_stats interface;
    struct bridge_stats bridge; /* Also of its ports and VLANs. */
    struct {
        uint64_t in_packets;
        uint64_t in_octets;
    } tunnel;
    struct policer_count policer[POLICER_N_COLORS + 1]; /* The last: all. */
};

/* 'which' is a priority or a color where there is one of each. */
typedef uint64_t value_fn(const union snapshot *s, unsigned int which);

struct row {
    sai_stat_id_t id;
    enum class class;
    bool is_bytes; /* 'value' is in cells; convert it to bytes. */
    value_fn *value;
    unsigned int which; /* A priority or a color; else 0. */
};

struct table {
    sai_object_type_t type;
    const struct row *rows;
    uint32_t n_rows;
};

#define VALUE(name, expression)                                                \
    static uint64_t name(const union snapshot *s, unsigned int which)          \
    {                                                                          \
        (void)which;                                                           \
        return expression;                                                     \
    }

static uint64_t
zero(const union snapshot *s, unsigned int which)
{
    (void)s;
    (void)which;
    return 0;
}

/* For 'which' of a sum over colors. */
enum { ALL_COLORS = CLASSIFY_COLORS };

/* Returns member 'offset' of color 'which', or its sum over all. */
static uint64_t
of_color(const struct sim_queue_stats *stats, size_t offset, unsigned int which)
{
    uint64_t sum = 0;

    for (unsigned int i = 0; i < CLASSIFY_COLORS; i++) {
        if (which == ALL_COLORS || which == i) {
            sum +=
                *(const uint64_t *)((const char *)&stats->colors[i] + offset);
        }
    }
    return sum;
}

#define OF_COLOR(stats, member)                                                \
    of_color(&(stats), offsetof(struct sim_queue_color, member), which)

/* Returns the frames of more than 1,518 bytes (RFC 2819). */
static uint64_t
oversize(const uint64_t *sizes)
{
    uint64_t n = 0;

    for (int i = SIM_SIZE_1519; i < SIM_N_SIZES; i++) {
        n += sizes[i];
    }
    return n;
}

VALUE(port_rx_octets, s->port.stats.rx_octets)
VALUE(port_rx_ucast, s->port.stats.rx_ucast_packets)
VALUE(port_rx_non_ucast, s->port.stats.rx_non_ucast_packets)
VALUE(port_rx_broadcast, s->port.stats.rx_broadcast_packets)
VALUE(port_rx_multicast,
      s->port.stats.rx_non_ucast_packets - s->port.stats.rx_broadcast_packets)
VALUE(port_rx_size, s->port.stats.rx_sizes[which])
VALUE(port_rx_oversize, oversize(s->port.stats.rx_sizes))
VALUE(port_rx_dropped, s->port.stats.rx_dropped)
VALUE(port_rx_errors, s->port.stats.rx_errors)
VALUE(port_tx_octets, s->port.stats.tx_octets)
VALUE(port_tx_ucast, s->port.stats.tx_ucast_packets)
VALUE(port_tx_non_ucast, s->port.stats.tx_non_ucast_packets)
VALUE(port_tx_broadcast, s->port.stats.tx_broadcast_packets)
VALUE(port_tx_multicast,
      s->port.stats.tx_non_ucast_packets - s->port.stats.tx_broadcast_packets)
VALUE(port_tx_size, s->port.stats.tx_sizes[which])
VALUE(port_tx_oversize, oversize(s->port.stats.tx_sizes))
VALUE(port_tx_dropped, s->port.stats.tx_dropped)
VALUE(port_queued, s->port.queued)
VALUE(port_trimmed, s->port.trims.trimmed)
VALUE(port_trim_dropped, s->port.trims.dropped)
VALUE(port_trim_sent, s->port.trims.sent)
VALUE(queue_trimmed, s->queue.trims.trimmed)
VALUE(queue_trim_dropped, s->queue.trims.dropped)
VALUE(queue_trim_sent, s->queue.trims.sent)
VALUE(switch_trim_dropped, s->trims.dropped)
VALUE(switch_trim_sent, s->trims.sent)
VALUE(port_pause_rx, s->port.pauses.all_received)
VALUE(port_pause_tx, s->port.stats.pause_tx)
VALUE(port_pfc_tx, s->port.stats.pfc_tx[which])
VALUE(port_pfc_rx, s->port.pauses.received[which])
VALUE(port_pfc_ended, s->port.pauses.ended[which])
VALUE(port_pfc_rx_quanta, s->port.pauses.rx[which].quanta)
VALUE(port_pfc_tx_quanta, s->port.pauses.tx[which].quanta)
VALUE(port_pfc_rx_us, s->port.pauses.rx[which].total_ps / PS_PER_US)
VALUE(port_pfc_tx_us, s->port.pauses.tx[which].total_ps / PS_PER_US)
VALUE(port_wred_dropped, OF_COLOR(s->port.queues, wred_dropped_packets))
VALUE(port_wred_dropped_bytes, OF_COLOR(s->port.queues, wred_dropped_bytes))
VALUE(port_marked, OF_COLOR(s->port.queues, marked_packets))

VALUE(tunnel_in_packets, s->tunnel.in_packets)
VALUE(tunnel_in_octets, s->tunnel.in_octets)

VALUE(policer_packets, s->policer[which].packets)
VALUE(policer_bytes, s->policer[which].bytes)

VALUE(pg_packets, s->pg.packets)
VALUE(pg_bytes, s->pg.bytes)
VALUE(pg_dropped, s->pg.dropped_packets)
VALUE(pg_total, s->pg.reserved + s->pg.shared + s->pg.headroom)
VALUE(pg_shared, s->pg.shared)
VALUE(pg_shared_watermark, s->pg.shared_watermark)
VALUE(pg_total_watermark, s->pg.total_watermark)
VALUE(pg_headroom, s->pg.headroom)
VALUE(pg_headroom_watermark, s->pg.headroom_watermark)

VALUE(queue_packets, s->queue.mmu.packets)
VALUE(queue_bytes, s->queue.mmu.bytes)
VALUE(queue_total, s->queue.mmu.reserved + s->queue.mmu.shared)
VALUE(queue_shared, s->queue.mmu.shared)
VALUE(queue_shared_watermark, s->queue.mmu.shared_watermark)
VALUE(queue_total_watermark, s->queue.mmu.total_watermark)
VALUE(queue_delay, (uint64_t)s->queue.sim.delay_watermark_ps / PS_PER_NS)
VALUE(queue_color_packets, OF_COLOR(s->queue.sim, packets))
VALUE(queue_color_bytes, OF_COLOR(s->queue.sim, bytes))
VALUE(queue_dropped, OF_COLOR(s->queue.sim, dropped_packets))
VALUE(queue_dropped_bytes, OF_COLOR(s->queue.sim, dropped_bytes))
VALUE(queue_wred_dropped, OF_COLOR(s->queue.sim, wred_dropped_packets))
VALUE(queue_wred_dropped_bytes, OF_COLOR(s->queue.sim, wred_dropped_bytes))
VALUE(queue_marked, OF_COLOR(s->queue.sim, marked_packets))
VALUE(queue_marked_bytes, OF_COLOR(s->queue.sim, marked_bytes))

VALUE(pool_dropped, s->pool.dropped_packets)
/* Occupancy of the shared part of a pool: guarantees do not count, as public
 * QoS tests of hardware find, and headroom has counters of its own. */
VALUE(pool_shared, s->pool.shared)
VALUE(pool_shared_watermark, s->pool.shared_watermark)
VALUE(pool_headroom, s->pool.headroom)
VALUE(pool_headroom_watermark, s->pool.headroom_watermark)

VALUE(bridge_in_octets, s->bridge.in.octets)
VALUE(bridge_in_packets,
      s->bridge.in.unicast_packets + s->bridge.in.other_packets)
VALUE(bridge_in_ucast, s->bridge.in.unicast_packets)
VALUE(bridge_in_non_ucast, s->bridge.in.other_packets)
VALUE(bridge_in_discards, s->bridge.in.discards)
VALUE(bridge_out_octets, s->bridge.out.octets)
VALUE(bridge_out_packets,
      s->bridge.out.unicast_packets + s->bridge.out.other_packets)
VALUE(bridge_out_ucast, s->bridge.out.unicast_packets)
VALUE(bridge_out_non_ucast, s->bridge.out.other_packets)

VALUE(interface_in_octets, s->interface.in_octets)
VALUE(interface_in_packets, s->interface.in_packets)
VALUE(interface_out_octets, s->interface.out_octets)
VALUE(interface_out_packets, s->interface.out_packets)
VALUE(interface_in_error_octets, s->interface.in_error_octets)
VALUE(interface_in_errors, s->interface.in_errors)
VALUE(interface_out_error_octets, s->interface.out_error_octets)
VALUE(interface_out_errors, s->interface.out_errors)

#define PORT_OF(NAME, value, which)                                            \
    {                                                                          \
        SAI_PORT_STAT_##NAME, COUNTER, false, value, which                     \
    }
#define PORT(NAME, class, value)                                               \
    {                                                                          \
        SAI_PORT_STAT_##NAME, class, false, value, 0                           \
    }
#define PFC(n)                                                                 \
    PORT_OF(PFC_##n##_TX_PKTS, port_pfc_tx, n),                                \
        PORT_OF(PFC_##n##_RX_PKTS, port_pfc_rx, n),                            \
        PORT_OF(PFC_##n##_RX_PAUSE_DURATION, port_pfc_rx_quanta, n),           \
        PORT_OF(PFC_##n##_TX_PAUSE_DURATION, port_pfc_tx_quanta, n),           \
        PORT_OF(PFC_##n##_RX_PAUSE_DURATION_US, port_pfc_rx_us, n),            \
        PORT_OF(PFC_##n##_TX_PAUSE_DURATION_US, port_pfc_tx_us, n),            \
        PORT_OF(PFC_##n##_ON2OFF_RX_PKTS, port_pfc_ended, n)
#define PORT_SIZE(SIZE, which)                                                 \
    PORT_OF(ETHER_IN_PKTS_##SIZE##_OCTETS, port_rx_size, which),               \
        PORT_OF(ETHER_OUT_PKTS_##SIZE##_OCTETS, port_tx_size, which)
#define PORT_COLOR(PREFIX, which)                                              \
    PORT_OF(PREFIX##WRED_DROPPED_PACKETS, port_wred_dropped, which),           \
        PORT_OF(PREFIX##WRED_DROPPED_BYTES, port_wred_dropped_bytes, which)

/* Counters of events that cannot happen here (errors other than a wrong FCS,
 * 802.3x pauses sent) are zero.  An undersized frame is one without errors. */
static const struct row port_rows[] = {
    PORT(IF_IN_OCTETS, COUNTER, port_rx_octets),
    PORT(IF_IN_UCAST_PKTS, COUNTER, port_rx_ucast),
    PORT(IF_IN_NON_UCAST_PKTS, COUNTER, port_rx_non_ucast),
    PORT(IF_IN_BROADCAST_PKTS, COUNTER, port_rx_broadcast),
    PORT(IF_IN_MULTICAST_PKTS, COUNTER, port_rx_multicast),
    PORT(IF_IN_DISCARDS, COUNTER, port_rx_dropped),
    PORT(IF_IN_ERRORS, COUNTER, port_rx_errors),
    PORT(IF_IN_UNKNOWN_PROTOS, COUNTER, zero),
    PORT(IF_OUT_OCTETS, COUNTER, port_tx_octets),
    PORT(IF_OUT_UCAST_PKTS, COUNTER, port_tx_ucast),
    PORT(IF_OUT_NON_UCAST_PKTS, COUNTER, port_tx_non_ucast),
    PORT(IF_OUT_BROADCAST_PKTS, COUNTER, port_tx_broadcast),
    PORT(IF_OUT_MULTICAST_PKTS, COUNTER, port_tx_multicast),
    PORT(IF_OUT_DISCARDS, COUNTER, port_tx_dropped),
    PORT(IF_OUT_ERRORS, COUNTER, zero),
    PORT(IF_OUT_QLEN, GAUGE, port_queued),
    PORT_SIZE(64, SIM_SIZE_64),
    PORT_SIZE(65_TO_127, SIM_SIZE_65),
    PORT_SIZE(128_TO_255, SIM_SIZE_128),
    PORT_SIZE(256_TO_511, SIM_SIZE_256),
    PORT_SIZE(512_TO_1023, SIM_SIZE_512),
    PORT_SIZE(1024_TO_1518, SIM_SIZE_1024),
    PORT_SIZE(1519_TO_2047, SIM_SIZE_1519),
    PORT_SIZE(2048_TO_4095, SIM_SIZE_2048),
    PORT_SIZE(4096_TO_9216, SIM_SIZE_4096),
    PORT_SIZE(9217_TO_16383, SIM_SIZE_9217),
    PORT(ETHER_RX_OVERSIZE_PKTS, COUNTER, port_rx_oversize),
    PORT(ETHER_TX_OVERSIZE_PKTS, COUNTER, port_tx_oversize),
    PORT_OF(ETHER_STATS_UNDERSIZE_PKTS, port_rx_size, SIM_SIZE_SHORT),
    PORT(ETHER_STATS_FRAGMENTS, COUNTER, zero),
    PORT(ETHER_STATS_JABBERS, COUNTER, zero),
    PORT(ETHER_STATS_CRC_ALIGN_ERRORS, COUNTER, port_rx_errors),
    PORT(IN_DROPPED_PKTS, COUNTER, port_rx_dropped),
    PORT(OUT_DROPPED_PKTS, COUNTER, port_tx_dropped),
    PORT(PAUSE_RX_PKTS, COUNTER, port_pause_rx),
    PORT(PAUSE_TX_PKTS, COUNTER, port_pause_tx),
    PFC(0),
    PFC(1),
    PFC(2),
    PFC(3),
    PFC(4),
    PFC(5),
    PFC(6),
    PFC(7),
    PORT_COLOR(GREEN_, CLASSIFY_GREEN),
    PORT_COLOR(YELLOW_, CLASSIFY_YELLOW),
    PORT_COLOR(RED_, CLASSIFY_RED),
    PORT_COLOR(, ALL_COLORS),
    PORT_OF(ECN_MARKED_PACKETS, port_marked, ALL_COLORS),
    PORT(TRIM_PACKETS, COUNTER, port_trimmed),
    PORT(DROPPED_TRIM_PACKETS, COUNTER, port_trim_dropped),
    PORT(TX_TRIM_PACKETS, COUNTER, port_trim_sent),
};

#define COUNT(NAME, value)                                                     \
    {                                                                          \
        NAME, COUNTER, false, value, 0                                         \
    }
#define CELLS(NAME, class, value)                                              \
    {NAME##_BYTES, class, true, value, 0},                                     \
    {                                                                          \
        NAME##_CELLS, class, false, value, 0                                   \
    }

#define PG(NAME) SAI_INGRESS_PRIORITY_GROUP_STAT_##NAME
static const struct row policer_rows[] = {
    {SAI_POLICER_STAT_PACKETS, COUNTER, false, policer_packets,
     POLICER_N_COLORS},
    {SAI_POLICER_STAT_ATTR_BYTES, COUNTER, false, policer_bytes,
     POLICER_N_COLORS},
    {SAI_POLICER_STAT_GREEN_PACKETS, COUNTER, false, policer_packets,
     POLICER_GREEN},
    {SAI_POLICER_STAT_GREEN_BYTES, COUNTER, false, policer_bytes,
     POLICER_GREEN},
    {SAI_POLICER_STAT_YELLOW_PACKETS, COUNTER, false, policer_packets,
     POLICER_YELLOW},
    {SAI_POLICER_STAT_YELLOW_BYTES, COUNTER, false, policer_bytes,
     POLICER_YELLOW},
    {SAI_POLICER_STAT_RED_PACKETS, COUNTER, false, policer_packets,
     POLICER_RED},
    {SAI_POLICER_STAT_RED_BYTES, COUNTER, false, policer_bytes, POLICER_RED},
};

_Static_assert(sizeof policer_rows / sizeof policer_rows[0] == POLICERS_N_STATS,
               "a policer has room for what was cleared");

/* Nothing is encapsulated. */
static const struct row tunnel_rows[] = {
    COUNT(SAI_TUNNEL_STAT_IN_OCTETS, tunnel_in_octets),
    COUNT(SAI_TUNNEL_STAT_IN_PACKETS, tunnel_in_packets),
    COUNT(SAI_TUNNEL_STAT_OUT_OCTETS, zero),
    COUNT(SAI_TUNNEL_STAT_OUT_PACKETS, zero),
};

_Static_assert(sizeof tunnel_rows / sizeof tunnel_rows[0] == TUNNELS_N_STATS,
               "a tunnel has room for what was cleared");

static const struct row pg_rows[] = {
    COUNT(PG(PACKETS), pg_packets),
    COUNT(PG(BYTES), pg_bytes),
    COUNT(PG(DROPPED_PACKETS), pg_dropped),
    CELLS(SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY, GAUGE, pg_total),
    CELLS(SAI_INGRESS_PRIORITY_GROUP_STAT_WATERMARK, WATERMARK_TOTAL,
          pg_total_watermark),
    CELLS(SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_CURR_OCCUPANCY, GAUGE,
          pg_shared),
    CELLS(SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK, WATERMARK_SHARED,
          pg_shared_watermark),
    CELLS(SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY, GAUGE,
          pg_headroom),
    CELLS(SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK,
          WATERMARK_HEADROOM, pg_headroom_watermark),
};

#define QUEUE_OF(NAME, value, which)                                           \
    {                                                                          \
        SAI_QUEUE_STAT_##NAME, COUNTER, false, value, which                    \
    }
/* The twin counts all drops, and those by WRED separately. */
#define QUEUE_LOSSES(PREFIX, which)                                            \
    QUEUE_OF(PREFIX##DROPPED_PACKETS, queue_dropped, which),                   \
        QUEUE_OF(PREFIX##DROPPED_BYTES, queue_dropped_bytes, which),           \
        QUEUE_OF(PREFIX##WRED_DROPPED_PACKETS, queue_wred_dropped, which),     \
        QUEUE_OF(PREFIX##WRED_DROPPED_BYTES, queue_wred_dropped_bytes, which), \
        QUEUE_OF(PREFIX##WRED_ECN_MARKED_PACKETS, queue_marked, which),        \
        QUEUE_OF(PREFIX##WRED_ECN_MARKED_BYTES, queue_marked_bytes, which)
#define QUEUE_COLOR(PREFIX, which)                                             \
    QUEUE_OF(PREFIX##PACKETS, queue_color_packets, which),                     \
        QUEUE_OF(PREFIX##BYTES, queue_color_bytes, which),                     \
        QUEUE_LOSSES(PREFIX, which)

static const struct row queue_rows[] = {
    COUNT(SAI_QUEUE_STAT_PACKETS, queue_packets),
    COUNT(SAI_QUEUE_STAT_BYTES, queue_bytes),
    QUEUE_LOSSES(, ALL_COLORS),
    QUEUE_COLOR(GREEN_, CLASSIFY_GREEN),
    QUEUE_COLOR(YELLOW_, CLASSIFY_YELLOW),
    QUEUE_COLOR(RED_, CLASSIFY_RED),
    CELLS(SAI_QUEUE_STAT_CURR_OCCUPANCY, GAUGE, queue_total),
    CELLS(SAI_QUEUE_STAT_WATERMARK, WATERMARK_TOTAL, queue_total_watermark),
    CELLS(SAI_QUEUE_STAT_SHARED_CURR_OCCUPANCY, GAUGE, queue_shared),
    CELLS(SAI_QUEUE_STAT_SHARED_WATERMARK, WATERMARK_SHARED,
          queue_shared_watermark),
    {SAI_QUEUE_STAT_DELAY_WATERMARK_NS, WATERMARK_DELAY, false, queue_delay, 0},
    COUNT(SAI_QUEUE_STAT_TRIM_PACKETS, queue_trimmed),
    COUNT(SAI_QUEUE_STAT_DROPPED_TRIM_PACKETS, queue_trim_dropped),
    COUNT(SAI_QUEUE_STAT_TX_TRIM_PACKETS, queue_trim_sent),
    COUNT(SAI_QUEUE_STAT_CREDIT_WD_DELETED_PACKETS, zero),
};

static const struct row switch_rows[] = {
    COUNT(SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS, switch_trim_dropped),
    COUNT(SAI_SWITCH_STAT_TX_TRIM_PACKETS, switch_trim_sent),
};

static const struct row pool_rows[] = {
    COUNT(SAI_BUFFER_POOL_STAT_DROPPED_PACKETS, pool_dropped),
    CELLS(SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY, GAUGE, pool_shared),
    CELLS(SAI_BUFFER_POOL_STAT_WATERMARK, WATERMARK_SHARED,
          pool_shared_watermark),
    CELLS(SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY, GAUGE, pool_headroom),
    CELLS(SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK, WATERMARK_HEADROOM,
          pool_headroom_watermark),
};

#define INTERFACE(NAME) SAI_ROUTER_INTERFACE_STAT_##NAME
static const struct row interface_rows[] = {
    COUNT(INTERFACE(IN_OCTETS), interface_in_octets),
    COUNT(INTERFACE(IN_PACKETS), interface_in_packets),
    COUNT(INTERFACE(OUT_OCTETS), interface_out_octets),
    COUNT(INTERFACE(OUT_PACKETS), interface_out_packets),
    COUNT(INTERFACE(IN_ERROR_OCTETS), interface_in_error_octets),
    COUNT(INTERFACE(IN_ERROR_PACKETS), interface_in_errors),
    COUNT(INTERFACE(OUT_ERROR_OCTETS), interface_out_error_octets),
    COUNT(INTERFACE(OUT_ERROR_PACKETS), interface_out_errors),
};

#define BRIDGED(PREFIX)                                                        \
    COUNT(PREFIX##_STAT_IN_OCTETS, bridge_in_octets),                          \
        COUNT(PREFIX##_STAT_IN_PACKETS, bridge_in_packets),                    \
        COUNT(PREFIX##_STAT_OUT_OCTETS, bridge_out_octets),                    \
        COUNT(PREFIX##_STAT_OUT_PACKETS, bridge_out_packets)

static const struct row bridge_rows[] = {BRIDGED(SAI_BRIDGE)};
static const struct row bridge_port_rows[] = {BRIDGED(SAI_BRIDGE_PORT)};
/* Egress drops are missing: queues drop frames and do not know VLANs. */
static const struct row vlan_rows[] = {
    BRIDGED(SAI_VLAN),
    COUNT(SAI_VLAN_STAT_IN_UCAST_PKTS, bridge_in_ucast),
    COUNT(SAI_VLAN_STAT_IN_NON_UCAST_PKTS, bridge_in_non_ucast),
    COUNT(SAI_VLAN_STAT_IN_DISCARDS, bridge_in_discards),
    COUNT(SAI_VLAN_STAT_IN_ERRORS, zero),
    COUNT(SAI_VLAN_STAT_IN_UNKNOWN_PROTOS, zero),
    COUNT(SAI_VLAN_STAT_OUT_UCAST_PKTS, bridge_out_ucast),
    COUNT(SAI_VLAN_STAT_OUT_NON_UCAST_PKTS, bridge_out_non_ucast),
    COUNT(SAI_VLAN_STAT_OUT_ERRORS, zero),
};

#define TABLE(TYPE, rows)                                                      \
    {                                                                          \
        SAI_OBJECT_TYPE_##TYPE, rows, sizeof rows / sizeof rows[0]             \
    }
static const struct table tables[] = {
    TABLE(POLICER, policer_rows),
    TABLE(TUNNEL, tunnel_rows),
    TABLE(SWITCH, switch_rows),
    TABLE(PORT, port_rows),
    TABLE(INGRESS_PRIORITY_GROUP, pg_rows),
    TABLE(QUEUE, queue_rows),
    TABLE(BUFFER_POOL, pool_rows),
    TABLE(ROUTER_INTERFACE, interface_rows),
    TABLE(VLAN, vlan_rows),
    TABLE(BRIDGE, bridge_rows),
    TABLE(BRIDGE_PORT, bridge_port_rows),
};

/* Returns the table of 'type', NULL if it has no counters. */
static const struct table *
find_table(sai_object_type_t type)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (tables[i].type == type) {
            return &tables[i];
        }
    }
    return NULL;
}

/* Returns the index of the row of counter 'id', 'n_rows' if there is none. */
static uint32_t
find_row(const struct table *table, sai_stat_id_t id)
{
    uint32_t i = 0;

    while (i < table->n_rows && table->rows[i].id != id) {
        i++;
    }
    return i;
}

/* Adds the counters of one queue to the sums of its port. */
static void
add_queue(struct sim_queue_stats *sum, const struct sim_queue_stats *stats)
{
    for (int i = 0; i < CLASSIFY_COLORS; i++) {
        struct sim_queue_color *to = &sum->colors[i];
        const struct sim_queue_color *from = &stats->colors[i];

        to->wred_dropped_packets += from->wred_dropped_packets;
        to->wred_dropped_bytes += from->wred_dropped_bytes;
        to->marked_packets += from->marked_packets;
    }
}

/* Takes a snapshot of 'queue'. */
static struct sim_queue_stats
queue_stats(const struct asic *asic, const struct objects_item *queue)
{
    struct sim_queue_stats stats;
    const enum st status = sim_queue_get_stats(asic->sim, queue->parent->handle,
                                               queue->index, &stats);

    orch_assert(status == ST_OK); /* Every queue is in the twin. */
    return stats;
}

/* Adds what 'queue' has trimmed to 'sum'. */
static void
add_trims(const struct asic *asic, const struct objects_item *queue,
          struct sim_trim_stats *sum)
{
    struct sim_trim_stats stats;

    if (queue->handle != MMU_NONE &&
        sim_queue_get_trims(asic->sim, queue->parent->handle, queue->index,
                            &stats) == ST_OK) {
        sum->trimmed += stats.trimmed;
        sum->dropped += stats.dropped;
        sum->sent += stats.sent;
    }
}

/* Takes a snapshot of a port and of the frames in its queues. */
static void
snapshot_port(const struct asic *asic, const struct objects_item *port,
              union snapshot *s)
{
    if (port->handle == MMU_NONE ||
        sim_port_get_stats(asic->sim, port->handle, &s->port.stats) != ST_OK ||
        sim_port_get_pauses(asic->sim, port->handle, &s->port.pauses) !=
            ST_OK) {
        return; /* The CPU port: all zeros. */
    }
    for (uint32_t i = 0; i < objects_n_children(port, SAI_OBJECT_TYPE_QUEUE);
         i++) {
        const struct objects_item *queue =
            objects_child(port, SAI_OBJECT_TYPE_QUEUE, i);
        const struct sim_queue_stats stats = queue_stats(asic, queue);
        struct mmu_queue_stats of_mmu;

        mmu_queue_get(asic->mmu, queue->handle, &of_mmu);
        s->port.queued += of_mmu.queued_packets;
        add_queue(&s->port.queues, &stats);
        add_trims(asic, queue, &s->port.trims);
    }
}

/* Stores the counts of 'policer' by color, and their sums behind them. */
static void
snapshot_policer(const struct policer *policer, struct policer_count *counts)
{
    for (int i = 0; i < POLICER_N_COLORS; i++) {
        counts[i] = policer->counts[i];
        counts[POLICER_N_COLORS].packets += counts[i].packets;
        counts[POLICER_N_COLORS].bytes += counts[i].bytes;
    }
}

/* Takes a snapshot of all that the counters of 'item' are derived from. */
static void
take_snapshot(const struct asic *asic, const struct objects_item *item,
              union snapshot *s)
{
    enum st status;

    *s = (union snapshot){0};
    switch (item->type) {
    case SAI_OBJECT_TYPE_PORT:
        snapshot_port(asic, item, s);
        break;
    case SAI_OBJECT_TYPE_QUEUE:
        item = system_port_lookup_filled(asic, item);
        if (item) {
            mmu_queue_get(asic->mmu, item->handle, &s->queue.mmu);
            s->queue.sim = queue_stats(asic, item);
            add_trims(asic, item, &s->queue.trims);
        }
        break;
    case SAI_OBJECT_TYPE_SWITCH:
        s->trims = sim_trims(asic->sim);
        break;
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        mmu_pg_get(asic->mmu, item->handle, &s->pg);
        break;
    case SAI_OBJECT_TYPE_ROUTER_INTERFACE:
        s->interface =
            *router_interface_stats(sim_router(asic->sim), item->handle);
        break;
    case SAI_OBJECT_TYPE_POLICER:
        snapshot_policer(policers_get(item), s->policer);
        break;
    case SAI_OBJECT_TYPE_TUNNEL:
        s->tunnel.in_packets = tunnels_get(item)->in_packets;
        s->tunnel.in_octets = tunnels_get(item)->in_octets;
        break;
    case SAI_OBJECT_TYPE_VLAN:
        s->bridge = *bridge_vlan_stats(
            sim_bridge(asic->sim),
            (uint16_t)objects_number(item, SAI_VLAN_ATTR_VLAN_ID));
        break;
    case SAI_OBJECT_TYPE_BRIDGE: /* The only one. */
        s->bridge = *bridge_stats(sim_bridge(asic->sim));
        break;
    case SAI_OBJECT_TYPE_BRIDGE_PORT:
        s->bridge =
            *bridge_port_stats(sim_bridge(asic->sim), l2_slot(asic, item));
        break;
    default:
        status = mmu_pool_get(asic->mmu, item->handle, &s->pool);
        orch_assert(status == ST_OK); /* Every pool is in the MMU. */
        break;
    }
}

/* Restarts a watermark at the current occupancy, or that of the delay at 0. */
static void
clear_watermark(struct asic *asic, const struct objects_item *item,
                enum class class)
{
    const unsigned int which = class == WATERMARK_SHARED ? MMU_WATERMARK_SHARED
                               : class == WATERMARK_TOTAL
                                   ? MMU_WATERMARK_TOTAL
                                   : MMU_WATERMARK_HEADROOM;

    if (item->type == SAI_OBJECT_TYPE_QUEUE) {
        item = system_port_lookup_filled(asic, item);
    }
    if (!item) {
        return;
    }
    if (class == WATERMARK_DELAY) {
        const enum st status =
            sim_queue_clear_delay(asic->sim, item->parent->handle, item->index);

        orch_assert(status == ST_OK); /* Every queue is in the twin. */
    } else if (item->type == SAI_OBJECT_TYPE_QUEUE) {
        mmu_queue_clear_watermarks(asic->mmu, item->handle, which);
    } else if (item->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
        mmu_pg_clear_watermarks(asic->mmu, item->handle, which);
    } else {
        mmu_pool_clear_watermarks(asic->mmu, item->handle, which);
    }
}

/* Returns what 'item' has recorded for the rows of 'table': what counters were
 * when they were cleared, and peaks that watermarks had, which were cleared for
 * another object. */
static uint64_t *
recorded(struct objects_item *item, const struct table *table)
{
    if (!item->data) {
        item->data = check_calloc(table->n_rows, sizeof(uint64_t));
    }
    return item->data;
}

/* Clears the watermarks of 'class' of 'item', which have reached 'now'.  If the
 * queue has another name, this is still their peak there. */
static void
clear_peak(struct asic *asic, struct objects_item *item,
           const struct table *table, enum class class, uint64_t now)
{
    struct objects_item *other =
        item->type == SAI_OBJECT_TYPE_QUEUE
            ? system_port_lookup_counterpart(asic, item)
            : NULL;

    for (uint32_t i = 0; other && i < table->n_rows; i++) {
        if (table->rows[i].class == class) {
            uint64_t *peak =
                &recorded(objects_own(asic->objects, other), table)[i];

            *peak = now > *peak ? now : *peak;
            recorded(item, table)[i] = 0;
        }
    }
    clear_watermark(asic, item, class);
}

/* Clears the counter of row 'i', whose value is 'now'. */
static void
clear(struct asic *asic, struct objects_item *item, const struct table *table,
      uint32_t i, uint64_t now)
{
    switch (table->rows[i].class) {
    case GAUGE:
        break;
    case COUNTER:
        recorded(item, table)[i] = now;
        break;
    default:
        clear_peak(asic, item, table, table->rows[i].class, now);
        break;
    }
}

/* Returns the value of row 'i', 'now' in the twin, as it is for 'item'. */
static uint64_t
value_for(const struct objects_item *item, const struct table *table,
          uint32_t i, uint64_t now)
{
    const uint64_t base = item->data ? ((const uint64_t *)item->data)[i] : 0;

    switch (table->rows[i].class) {
    case GAUGE:
        return now;
    case COUNTER:
        return now - base;
    default:
        return base > now ? base : now;
    }
}

/* Checks a whole call before anything is written. */
static sai_status_t
check(const struct table *table, sai_object_type_t type, uint32_t n,
      const sai_stat_id_t *ids, sai_stats_mode_t mode)
{
    /* No client needs more values than there are counters, and so many may
     * exceed the memory. */
    if (n == 0 || !ids || n > metadata_object(type)->n_stats ||
        (mode != SAI_STATS_MODE_READ &&
         mode != SAI_STATS_MODE_READ_AND_CLEAR)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!metadata_stat(type, ids[i])) {
            return SAI_STATUS_INVALID_PARAMETER;
        }
        if (!table || find_row(table, ids[i]) == table->n_rows) {
            return SAI_STATUS_NOT_SUPPORTED;
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
counters_read(struct asic *asic, struct objects_item *item, uint32_t n,
              const sai_stat_id_t *ids, sai_stats_mode_t mode, uint64_t *values)
{
    const struct table *table = find_table(item->type);
    const sai_status_t status = check(table, item->type, n, ids, mode);
    union snapshot s;

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    take_snapshot(asic, item, &s);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t r = find_row(table, ids[i]);
        const uint64_t now = table->rows[r].value(&s, table->rows[r].which);

        if (values) {
            const uint64_t value = value_for(item, table, r, now);

            values[i] = table->rows[r].is_bytes
                            ? chip_cells_to_bytes(asic->chip, value)
                            : value;
        }
        if (mode == SAI_STATS_MODE_READ_AND_CLEAR) {
            clear(asic, item, table, r, now);
        }
    }
    return SAI_STATUS_SUCCESS;
}

void
counters_clear_all(struct asic *asic, struct objects_item *item)
{
    const struct table *table = find_table(item->type);
    union snapshot s;

    if (table) {
        take_snapshot(asic, item, &s);
        for (uint32_t i = 0; i < table->n_rows; i++) {
            clear(asic, item, table, i,
                  table->rows[i].value(&s, table->rows[i].which));
        }
    }
}

void
counters_free(struct objects_item *item)
{
    if (item->data) { /* Else it may be shared; see objects_own(). */
        free(item->data);
        item->data = NULL;
    }
}

uint32_t
counters_list(sai_object_type_t type, uint32_t capacity, sai_stat_id_t *ids)
{
    const struct table *table = find_table(type);
    const uint32_t n = table ? table->n_rows : 0;

    for (uint32_t i = 0; ids && i < n && i < capacity; i++) {
        ids[i] = table->rows[i].id;
    }
    return n;
}
