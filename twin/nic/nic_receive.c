/* SPDX-License-Identifier: Apache-2.0 */

/* What arrives at an adapter: pauses, and packets that enter the RX FIFO. */

#include <config.h>

#include "twin/nic/nic_state.h"
#include "twin/qos/pause_frame.h"

enum { DSCP_PER_PRIORITY = 8 };

/* Posts the event for the first packet of the FIFO, which was not the first
 * before. */
static void
watch_fifo(struct nic *nic)
{
    engine_post(nic->engine, rx_fifo_next_ps(nic->fifo), EVENT_NIC_DRAIN,
                nic->entity, 0);
}

/* Puts frame 'index' into the RX FIFO, or drops it. */
static void
enter_fifo(struct nic *nic, uint32_t index)
{
    const struct sim_frame *frame = frame_at(nic->pool, index);
    const uint8_t priority =
        frame->dscp < 0 ? 0 : (uint8_t)(frame->dscp / DSCP_PER_PRIORITY);

    if (!rx_fifo_add(nic->fifo, index, frame->length_bytes, priority,
                     engine_now_ps(nic->engine))) {
        nic->stats.dropped_packets++;
        nic->stats.dropped_bytes += frame->length_bytes;
        frame_give(nic->pool, index);
        return;
    }
    if (rx_fifo_packets(nic->fifo) == 1) {
        watch_fifo(nic);
    }
    nic_pause_follow__(nic);
}

void
nic_arrive(struct nic *nic, uint32_t index)
{
    const struct sim_frame *frame = frame_at(nic->pool, index);

    if (frame->dst_mac == PAUSE_FRAME_ADDRESS) {
        nic_pause_receive__(nic, frame);
        frame_give(nic->pool, index);
    } else if (nic->fifo) {
        enter_fifo(nic, index);
    } else {
        nic_deliver__(nic, index);
    }
}

bool
nic_receive(void *context, uint32_t port, const struct sim_frame *frame)
{
    struct nic *nic = context;

    (void)port;
    nic_arrive(nic, frame_copy(nic->pool, frame));
    return true;
}

void
nic_drain(struct nic *nic)
{
    const uint32_t index = rx_fifo_take(nic->fifo);

    if (rx_fifo_packets(nic->fifo)) {
        watch_fifo(nic);
    }
    nic_pause_follow__(nic);
    nic_deliver__(nic, index);
}
