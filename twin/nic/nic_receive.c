/* SPDX-License-Identifier: Apache-2.0 */

/* What arrives at an adapter: pauses, and packets that enter the RX FIFO. */

#include <config.h>

#include "twin/nic/nic_state.h"
#include "twin/qos/pause_frame.h"

void
nic_watch_fifo__(struct nic *nic)
{
    engine_post(nic->engine, rx_fifo_next_ps(nic->fifo), EVENT_NIC_DRAIN,
                nic->entity, 0);
}

/* Drops frame 'index' of 'priority', for which the RX FIFO has no room. */
static __attribute__((noinline)) void
drop(struct nic *nic, uint32_t index, uint8_t priority)
{
    const struct nic_listener *listener = &nic->port_listener;
    const struct sim_frame *frame = frame_at(nic->pool, index);

    nic->stats.dropped_packets++;
    nic->stats.dropped_bytes += frame->length_bytes;
    if (listener->drop) {
        listener->drop(listener->context, priority, frame,
                       engine_now_ps(nic->engine));
    }
    frame_give(nic->pool, index);
}

/* Among contexts: SRD queue pairs are behind the contexts of peers. */
#define ENDPOINT_ENTRIES (UINT64_C(1) << 32)

/* Returns how many reads the lookups of a packet of SRD cost. */
static uint32_t
find_datagram(struct lookups *lookups, const struct sim_frame *frame)
{
    const uint32_t n = lookups_find_context(lookups, frame->flow);
    struct srd_packet packet;

    nic_read_datagram(frame, &packet);
    return packet.kind == SRD_DATA
               ? n + lookups_find_context(lookups, ENDPOINT_ENTRIES +
                                                       packet.request.dest_qp)
               : n;
}

/* Returns how many reads the lookups of 'frame' cost. */
static uint32_t
find(struct lookups *lookups, const struct sim_frame *frame)
{
    struct transport_packet packet;

    if (!frame->opcode || nic_has_segment(frame)) {
        return 0; /* The adapter knows no QP and no memory. */
    }
    if (nic_has_datagram(frame)) {
        return find_datagram(lookups, frame);
    }
    nic_frame_read__(frame, &packet);
    return lookups_find(lookups, packet.qp, packet.payload_bytes,
                        transport_begins_message(packet.opcode));
}

/* Puts frame 'index' into the RX FIFO, or drops it. */
static void
enter_fifo(struct nic *nic, uint32_t index)
{
    const struct sim_frame *frame = frame_at(nic->pool, index);
    const uint8_t priority =
        frame->dscp < 0 ? 0 : nic->config.rx_priorities[frame->dscp];

    nic = nic->port ? nic->port : nic;
    if (nic->blocked >> priority & 1 ||
        !rx_fifo_admits(nic->fifo, frame->length_bytes, priority)) {
        drop(nic, index, priority);
        return;
    }
    rx_fifo_add(nic->fifo, index, frame->length_bytes, priority,
                nic->lookups ? find(nic->lookups, frame) : 0,
                engine_now_ps(nic->engine));
    if (rx_fifo_packets(nic->fifo) == 1) {
        nic_watch_fifo__(nic);
    }
    nic_pause_follow__(nic);
}

void
nic_set_stalled(struct nic *nic, bool stalled)
{
    const bool starts = nic->is_stalled && !stalled;

    nic->is_stalled = stalled;
    if (starts && nic->fifo && rx_fifo_packets(nic->fifo)) {
        rx_fifo_restart(nic->fifo, engine_now_ps(nic->engine));
        nic_watch_fifo__(nic);
    }
}

void
nic_set_blocked(struct nic *nic, uint8_t priorities)
{
    nic->blocked = priorities;
    if (nic->fifo) {
        nic_pause_follow__(nic);
    }
}

/* Counts frame 'index', which a switch has flooded and which is for another
 * adapter, and gives it back. */
static __attribute__((noinline)) void
refuse(struct nic *nic, uint32_t index)
{
    nic->stats.received_packets++;
    nic->stats.received_bytes += frame_at(nic->pool, index)->length_bytes;
    nic->stats.unknown_packets++;
    frame_give(nic->pool, index);
}

/* Lets the listener follow frame 'index', if it is a response of RC. */
static __attribute__((noinline)) void
trace(const struct nic *nic, const struct sim_frame *frame)
{
    struct transport_packet packet;

    if (!frame->opcode || nic_has_segment(frame) || nic_has_datagram(frame)) {
        return;
    }
    nic_frame_read__(frame, &packet);
    if (packet.opcode != TRANSPORT_CNP &&
        !transport_is_request(packet.opcode)) {
        nic->traced(nic->traced_context, frame->flow, &packet, false,
                    engine_now_ps(nic->engine));
    }
}

void
nic_handle_arrive(struct frame_pool *pool, uint32_t entity, uint32_t index)
{
    struct nic *nic = frame_pool_place(pool, entity);
    const struct sim_frame *frame = frame_at(pool, index);

    if (!nic || !wire_lands(nic->in_wire, frame)) {
        frame_give(pool, index);
        return;
    }
    nic->in_wire->delivered++;
    if (frame->dst_mac == PAUSE_FRAME_ADDRESS) {
        nic_pause_receive__(nic, frame);
        frame_give(pool, index);
    } else if (frame->dst_mac != nic->config.mac) {
        refuse(nic, index);
    } else {
        if (nic->traced) {
            trace(nic, frame);
        }
        if (nic->fifo) {
            enter_fifo(nic, index);
        } else {
            nic_deliver__(nic, index);
        }
    }
}

void
nic_pass_on__(struct nic *nic, uint32_t index)
{
    /* Only what comes from its loop has its address as the source. */
    const bool has_looped =
        nic->loop && frame_at(nic->pool, index)->src_mac == nic->config.mac;

    nic_deliver__(has_looped ? nic->loop : nic, index);
}

void
nic_handle_drain(struct frame_pool *pool, uint32_t entity)
{
    struct nic *nic = frame_pool_place(pool, entity);
    uint32_t index;

    if (!nic || nic->is_stalled ||
        rx_fifo_next_ps(nic->fifo) != engine_now_ps(nic->engine)) {
        return;
    }
    if (nic->tree) {
        nic_offer__(nic);
        return;
    }
    index = rx_fifo_take(nic->fifo);
    nic_pause_note_drain__(nic);
    if (rx_fifo_packets(nic->fifo)) {
        nic_watch_fifo__(nic);
    }
    nic_pause_follow__(nic);
    nic_pass_on__(nic, index);
}
