/* SPDX-License-Identifier: Apache-2.0 */

/* The settings of an adapter, and their changes while it runs. */

#include <config.h>

#include <string.h>

#include "twin/forwarding/fdb.h"
#include "twin/nic/nic_state.h"

enum {
    MAX_SPEED_MBPS = 3200000,
    MAX_DSCP = 63,
    MIN_MPS = 128,
    MAX_MPS = 4096,
};

void
nic_config_init(struct nic_config *config, uint32_t speed_mbps)
{
    *config = (struct nic_config){.speed_mbps = speed_mbps,
                                  .cnp_priority = 6,
                                  .cnp_dscp = 48,
                                  .strict_priorities = 1 << 6,
                                  .pfc_rx = 1 << 3 | 1 << 4,
                                  .pfc_tx = 1 << 3 | 1 << 4};
    for (unsigned int dscp = 0; dscp < NIC_N_DSCPS; dscp++) {
        config->rx_priorities[dscp] = (uint8_t)(dscp / 8);
    }
}

/* Returns whether PCIe and RX FIFO are within their ranges. */
static bool
is_receiver_valid(const struct nic_config *config)
{
    const struct nic_pcie_config *pcie = &config->pcie;

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (config->rx.xon_bytes[i] > config->rx.xoff_bytes[i]) {
            return false;
        }
    }
    return !pcie->lanes ||
           (pcie->mega_transfers_per_s && pcie->reads_outstanding &&
            pcie->max_payload_bytes >= MIN_MPS &&
            pcie->max_payload_bytes <= MAX_MPS && pcie->read_latency_ps >= 0 &&
            lookups_are_valid(&config->lookups) &&
            (config->lookups_outstanding ||
             (!config->lookups.contexts && !config->lookups.translations)));
}

bool
nic_config_is_valid__(const struct nic_config *config)
{
    return fdb_mac_is_valid(config->mac) && !fdb_mac_is_group(config->mac) &&
           config->speed_mbps && config->speed_mbps <= MAX_SPEED_MBPS &&
           config->ack_priority < PFC_N_PRIORITIES &&
           config->cnp_priority < PFC_N_PRIORITIES &&
           config->ack_dscp <= MAX_DSCP && config->cnp_dscp <= MAX_DSCP &&
           config->pause_response_ps >= 0 && config->watchdog_ps >= 0 &&
           is_receiver_valid(config);
}

void
nic_fill_fifo__(const struct nic *nic, const struct nic_config *config,
                struct rx_fifo_config *fifo)
{
    const struct nic_pcie_config *pcie = &config->pcie;

    *fifo = (struct rx_fifo_config){
        .size_bytes = config->rx.size_bytes,
        .lossless = config->pfc_tx,
        .bits_per_s = rx_fifo_pcie_rate(pcie->lanes, pcie->mega_transfers_per_s,
                                        pcie->max_payload_bytes),
        .latency_ps = pcie->read_latency_ps,
        .outstanding = pcie->reads_outstanding,
        .lookups = config->lookups_outstanding,
        .lookup_ps = pcie->read_latency_ps};
    if (nic->tree) {
        /* The link to the switch takes the time. */
        fifo->bits_per_s = UINT64_MAX;
        fifo->latency_ps = 0;
    }
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        fifo->xoff_bytes[i] = config->rx.xoff_bytes[i];
        fifo->xon_bytes[i] = config->rx.xon_bytes[i];
    }
}

/* Changes ---------------------------------------------------------------- */

/* Returns whether 'a' can become 'b' while the adapter runs. */
static bool
are_alike(const struct nic_config *a, const struct nic_config *b)
{
    return a->mac == b->mac && a->speed_mbps == b->speed_mbps &&
           a->time_step_ps == b->time_step_ps &&
           a->ack_priority == b->ack_priority && a->ack_dscp == b->ack_dscp &&
           a->cnp_priority == b->cnp_priority && a->cnp_dscp == b->cnp_dscp &&
           !memcmp(a->rx_priorities, b->rx_priorities,
                   sizeof a->rx_priorities) &&
           !a->pcie.lanes == !b->pcie.lanes &&
           a->pcie.reads_outstanding == b->pcie.reads_outstanding &&
           a->lookups_outstanding == b->lookups_outstanding &&
           lookups_are_equal(&a->lookups, &b->lookups);
}

enum st
nic_configure(struct nic *nic, const struct nic_config *config)
{
    orch_assert(!nic->port);
    if (!nic_config_is_valid__(config) || !are_alike(&nic->config, config)) {
        return ST_INVALID;
    }
    nic->config = *config;
    nic->framing =
        config->framing ? config->framing : &transport_framing_rocev2;
    if (nic->fifo) {
        struct rx_fifo_config fifo;

        nic_fill_fifo__(nic, config, &fifo);
        rx_fifo_configure(nic->fifo, &fifo);
        nic_pause_follow__(nic);
    }
    nic_sort_again__(nic, config->shared_fifo);
    nic_pause_configure__(nic);
    nic_kick__(nic);
    return ST_OK;
}

enum st
nic_tune_qp(struct nic *nic, uint32_t number, uint32_t burst,
            const struct rc_config *rc, const struct dcqcn *dcqcn)
{
    const int64_t now_ps = engine_now_ps(nic->engine);
    struct qp *qp = &nic->qps[number];

    if (!dcqcn != !qp->dcqcn ||
        (dcqcn && dcqcn->line_bps != qp->dcqcn->line_bps) ||
        (qp->rc && rc_configure(qp->rc, rc, now_ps))) {
        return ST_INVALID;
    }
    nic_end_burst__(nic, qp);
    qp->pacing.burst = burst;
    if (dcqcn) {
        dcqcn_rp_tune(&qp->rp, qp->dcqcn, dcqcn, now_ps);
        qp->dcqcn = dcqcn;
    }
    if (qp->rc) {
        nic_watch__(nic, number);
    }
    nic_sort_again__(nic, nic->shared_fifo);
    nic_kick__(nic);
    return ST_OK;
}
