/* SPDX-License-Identifier: Apache-2.0 */

/* An adapter behind PCIe switches: its RX FIFO hands over what is ready.
 *
 * The FIFO itself is ready at once then, or after its lookups; a packet stays
 * in it until the link to the first switch has sent it. */

#include <config.h>

#include "twin/nic/nic_state.h"

void
nic_offer__(struct nic *nic)
{
    uint32_t packet, bytes;

    if (nic->is_transferring || nic->is_stalled ||
        rx_fifo_next_ps(nic->fifo) > engine_now_ps(nic->engine)) {
        return;
    }
    rx_fifo_first(nic->fifo, &packet, &bytes);
    if (pcie_tree_can_send(nic->tree, nic->pcie_link, bytes)) {
        nic->is_transferring = true;
        pcie_tree_send(nic->tree, nic->pcie_link, packet, bytes);
    }
}

/* The first packet of the FIFO has been sent to the switch above. */
static void
on_left(void *context, int64_t now_ps)
{
    struct nic *nic = context;

    nic->is_transferring = false;
    (void)rx_fifo_take(nic->fifo);
    nic_pause_note_drain__(nic);
    if (rx_fifo_packets(nic->fifo) && rx_fifo_next_ps(nic->fifo) > now_ps) {
        nic_watch_fifo__(nic);
    } else {
        nic_offer__(nic);
    }
    nic_pause_follow__(nic);
}

static void
on_ready(void *context, int64_t now_ps)
{
    (void)now_ps;
    nic_offer__(context);
}

static void
on_delivered(void *context, uint32_t packet, int64_t now_ps)
{
    struct nic *nic = context;

    (void)now_ps;
    nic_pass_on__(nic, packet);
}

enum st
nic_attach(struct nic *nic, struct pcie_tree *tree, uint32_t above,
           int64_t latency_ps, uint32_t credit_bytes)
{
    const struct nic_pcie_config *pcie = &nic->config.pcie;
    const struct pcie_link_config link = {
        .above = above,
        .bits_per_s = rx_fifo_pcie_rate(pcie->lanes, pcie->mega_transfers_per_s,
                                        pcie->max_payload_bytes),
        .latency_ps = latency_ps,
        .credit_bytes = credit_bytes};
    const struct pcie_adapter adapter = {.left = on_left,
                                         .ready = on_ready,
                                         .delivered = on_delivered,
                                         .context = nic};
    struct rx_fifo_config fifo;
    enum st status;

    if (nic->tree) {
        return ST_EXISTS;
    }
    if (!nic->fifo || nic->port || rx_fifo_packets(nic->fifo)) {
        return ST_INVALID;
    }
    status = pcie_tree_add_adapter(tree, &link, &adapter, &nic->pcie_link);
    if (!status) {
        nic->tree = tree;
        nic_fill_fifo__(nic, &nic->config, &fifo);
        rx_fifo_configure(nic->fifo, &fifo);
    }
    return status;
}

/* Returns how long the busiest link above 'link' has been sending. */
static int64_t
busiest_above(const struct pcie_tree *tree, uint32_t link)
{
    int64_t busy_ps = 0;

    while ((link = pcie_tree_above(tree, link)) != PCIE_MEMORY) {
        struct pcie_link_stats stats;

        pcie_tree_get_link(tree, link, &stats);
        busy_ps = stats.busy_ps > busy_ps ? stats.busy_ps : busy_ps;
    }
    return busy_ps;
}

void
nic_count_pcie__(const struct nic *nic, struct nic_stats *stats)
{
    struct pcie_link_stats link;
    uint64_t packets, bytes;

    pcie_tree_get_link(nic->tree, nic->pcie_link, &link);
    pcie_tree_held(nic->tree, nic->pcie_link, &packets, &bytes);
    stats->fifo_packets += packets;
    stats->fifo_bytes += bytes;
    stats->work.bus_ps = link.busy_ps;
    stats->switch_busy_ps = busiest_above(nic->tree, nic->pcie_link);
}
