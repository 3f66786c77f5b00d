/* SPDX-License-Identifier: Apache-2.0 */

/* The network adapter of a host: creation, statistics. */

#include <config.h>

#include "twin/nic/nic.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/nic/nic_state.h"

enum {
    MAX_DSCP = 63,
    FIRST_ROOM = 1,
    FIRST_SEQUENCE = 1,         /* Of TCP, after a SYN of 0. */
    PS_MBPS_PER_BYTE = 8000000, /* Of a byte: ps * Mb/s. */
};

enum st
nic_create(struct engine *engine, const struct nic_config *config,
           uint32_t entity, struct nic **made)
{
    struct frame_pool *pool = frame_pool_of(engine);
    struct nic *nic;

    if (!nic_config_is_valid__(config) || entity > EVENT_MAX_ENTITY) {
        return ST_INVALID;
    }
    nic = line_pool_take(pool->memory, sizeof *nic);
    nic->engine = engine;
    nic->pool = pool;
    nic->entity = entity;
    nic->config = *config;
    nic->shared_fifo = config->shared_fifo;
    nic->framing =
        config->framing ? config->framing : &transport_framing_rocev2;
    nic->end_event_ps = EVENT_NEVER;
    nic->wake_event_ps = EVENT_NEVER;
    nic->line_bps = (int64_t)config->speed_mbps * 1000000;
    nic->ps_per_byte =
        config->time_step_ps || PS_MBPS_PER_BYTE % config->speed_mbps
            ? 0
            : PS_MBPS_PER_BYTE / config->speed_mbps;
    nic->last_priority = PFC_N_PRIORITIES - 1;
    if (config->pcie.lanes) {
        struct rx_fifo_config fifo;

        nic_fill_fifo__(nic, config, &fifo);
        nic->fifo = rx_fifo_create(&fifo);
        nic->lookups = lookups_create(&config->lookups, entity);
    }
    nic_pause_init__(nic);
    frame_pool_settle(nic->pool, entity, nic);
    *made = nic;
    return ST_OK;
}

enum st
nic_create_loop(struct nic *nic, uint32_t entity, struct nic **made)
{
    struct nic_config config = nic->config;
    enum st status;

    config.pfc_rx = 0;
    config.watchdog_ps = 0;
    config.pcie.lanes = 0;
    status = nic_create(nic->engine, &config, entity, made);
    if (!status) {
        (*made)->port = nic;
        (*made)->fifo = nic->fifo;
        nic->loop = *made;
    }
    return status;
}

/* Returns whether 'nic' has an RX FIFO of its own. */
static bool
owns_fifo(const struct nic *nic)
{
    return nic->fifo && !nic->port;
}

void
nic_destroy(struct nic *nic)
{
    if (!nic) {
        return;
    }
    while (owns_fifo(nic) && rx_fifo_packets(nic->fifo)) {
        frame_give(nic->pool, rx_fifo_take(nic->fifo));
    }
    if (owns_fifo(nic)) {
        rx_fifo_destroy(nic->fifo);
    }
    lookups_destroy(nic->lookups);
    frame_pool_settle(nic->pool, nic->entity, NULL);
    nic_pause_fini__(nic);
    nic_send_fini__(nic);
    for (uint32_t i = 0; i < nic->n_qps; i++) {
        rc_destroy(nic->qps[i].rc);
        tcp_destroy(nic->qps[i].tcp);
        srd_destroy(nic->qps[i].srd);
    }
    nic_srd_fini__(nic);
    line_pool_give(nic->pool->memory, nic->qps, nic->n_room * sizeof *nic->qps);
    line_pool_give(nic->pool->memory, nic, sizeof *nic);
}

const struct nic_config *
nic_get_config(const struct nic *nic)
{
    return &nic->config;
}

uint32_t
nic_entity(const struct nic *nic)
{
    return nic->entity;
}

void
nic_set_listener(struct nic *nic, nic_completion_fn *fn, void *context)
{
    nic->listener = fn;
    nic->listener_context = context;
}

void
nic_set_counted(struct nic *nic, nic_counted_fn *fn, void *context)
{
    nic->counted = fn;
    nic->counted_context = context;
}

void
nic_set_traced(struct nic *nic, nic_traced_fn *fn, void *context)
{
    nic->traced = fn;
    nic->traced_context = context;
}

void
nic_set_port_listener(struct nic *nic, const struct nic_listener *listener)
{
    nic->port_listener = *listener;
}

/* Queue pairs ------------------------------------------------------------ */

static bool
is_rc_valid(const struct nic *nic, const struct nic_qp_config *config)
{
    return config->rc && rc_config_check(config->rc, NULL) == ST_OK &&
           (!config->dcqcn || config->dcqcn->line_bps == nic->line_bps);
}

static bool
is_raw_valid(const struct nic *nic, const struct nic_raw_config *raw)
{
    return raw->frame_bytes >= SIM_MIN_LENGTH_BYTES &&
           raw->frame_bytes <= SIM_MAX_LENGTH_BYTES &&
           raw->start_ps >= engine_now_ps(nic->engine) &&
           raw->bits_per_s <= (uint64_t)nic->line_bps;
}

/* Returns whether what belongs to the kind of a QP is valid. */
static bool
is_kind_valid(const struct nic *nic, const struct nic_qp_config *config)
{
    switch (config->kind) {
    case NIC_RC:
        return is_rc_valid(nic, config);
    case NIC_TCP:
        return config->tcp && tcp_config_check(config->tcp, NULL) == ST_OK;
    case NIC_SRD:
        return config->srd && config->entropies &&
               srd_config_check(config->srd, NULL) == ST_OK &&
               config->srd->line_bps == nic->line_bps;
    case NIC_MESSAGES:
        return config->endpoint < nic->n_endpoints &&
               config->context < nic->n_qps &&
               nic->qps[config->context].kind == NIC_SRD;
    case NIC_RAW:
        return is_raw_valid(nic, &config->raw);
    }
    return false;
}

static bool
is_qp_valid(const struct nic *nic, const struct nic_qp_config *config)
{
    return config->headers && !config->headers->length &&
           config->priority < PFC_N_PRIORITIES && config->dscp <= MAX_DSCP &&
           config->pacer.max_lag_ps >= 0 && is_kind_valid(nic, config);
}

/* Returns the next QP, zeroed. */
static struct qp *
new_qp(struct nic *nic)
{
    if (nic->n_qps == nic->n_room) {
        const uint32_t room = nic->n_room ? 2 * nic->n_room : FIRST_ROOM;

        nic->qps = line_pool_extend(nic->pool->memory, nic->qps,
                                    nic->n_room * sizeof *nic->qps,
                                    room * sizeof *nic->qps);
        nic->n_room = room;
    }
    return &nic->qps[nic->n_qps++];
}

/* Makes 'qp' an SRD context. */
static void
add_context(struct nic *nic, struct qp *qp, const struct nic_qp_config *config)
{
    qp->srd = srd_create(nic->pool->memory, config->srd, config->seed, 0);
    qp->entropies = config->entropies;
    for (uint32_t i = 0; i < config->srd->n_entropies; i++) {
        if (!qp->entropies[i]->number) {
            qp->entropies[i]->number = frame_pool_flow(nic->pool);
        }
    }
}

enum st
nic_add_qp(struct nic *nic, const struct nic_qp_config *config,
           uint32_t *number)
{
    struct qp *qp;

    if (nic->n_qps == NIC_MAX_QPS) {
        return ST_NO_RESOURCE;
    }
    if (!is_qp_valid(nic, config)) {
        return ST_INVALID;
    }
    if (!config->headers->number) {
        config->headers->number = frame_pool_flow(nic->pool);
    }
    *number = nic->n_qps;
    qp = new_qp(nic);
    qp->kind = (uint8_t)config->kind;
    qp->headers = config->headers;
    qp->peer_qp = config->peer_qp;
    qp->priority = config->priority;
    qp->dscp = config->dscp;
    qp->pacing = config->pacer;
    qp->context = config->context;
    qp->endpoint = config->endpoint;
    qp->peer_endpoint = config->peer_endpoint;
    qp->pacing.step_ps = nic->config.time_step_ps;
    qp->raw.config = config->raw;
    qp->timer_ps = EVENT_NEVER;
    qp->sent.first_ps = qp->sent.last_ps = -1;
    qp->received.first_ps = qp->received.last_ps = -1;
    nic_frame_template__(qp, &qp->frame);
    if (config->kind == NIC_RC) {
        qp->rc =
            rc_create(nic->pool->memory, config->rc, config->peer_qp, 0, 0);
        qp->dcqcn = config->dcqcn;
    }
    if (config->kind == NIC_TCP) {
        qp->tcp = tcp_create(nic->pool->memory, config->tcp, FIRST_SEQUENCE,
                             FIRST_SEQUENCE);
    }
    if (config->kind == NIC_SRD) {
        add_context(nic, qp, config);
    }
    if (qp->dcqcn) {
        dcqcn_rp_init(&qp->rp, qp->dcqcn);
    }
    nic_ready__(nic, *number);
    nic_kick__(nic);
    return ST_OK;
}

uint32_t
nic_n_qps(const struct nic *nic)
{
    return nic->n_qps;
}

const struct nic_flow *
nic_sent(const struct nic *nic, uint32_t qp)
{
    return &nic->qps[qp].sent;
}

const struct nic_flow *
nic_received(const struct nic *nic, uint32_t qp)
{
    return &nic->qps[qp].received;
}

const struct rc *
nic_rc(const struct nic *nic, uint32_t qp)
{
    return nic->qps[qp].rc;
}

void
nic_get_stats(const struct nic *nic, struct nic_stats *stats)
{
    *stats = nic->stats;
    stats->waiting_answers = nic->n_answers;
    stats->paused = nic->paused;
    stats->pausing = nic->pausing;
    stats->xoff = nic->xoff;
    if (owns_fifo(nic)) {
        stats->fifo_packets = rx_fifo_packets(nic->fifo);
        stats->fifo_bytes = rx_fifo_bytes(nic->fifo);
        stats->fifo_peak_bytes = rx_fifo_peak_bytes(nic->fifo);
        rx_fifo_get_work(nic->fifo, &stats->work);
        if (nic->tree) {
            nic_count_pcie__(nic, stats);
        }
    }
    if (nic->lookups) {
        lookups_get(nic->lookups, &stats->lookups);
    }
}

/* Returns whether the QPs of each ring are ready and of its priority. */
static bool
are_rings_sound(const struct nic *nic, uint32_t *n_ready)
{
    for (uint8_t slot = 0; slot < PFC_N_PRIORITIES; slot++) {
        uint32_t number =
            nic->ready >> slot & 1 ? nic->rings[slot].first : NIC_NONE;

        while (number != NIC_NONE) {
            const struct qp *qp = &nic->qps[number];

            if (qp->place != QP_READY ||
                nic_ring__(nic, qp->priority) != slot) {
                return false;
            }
            ++*n_ready;
            number = qp->next;
        }
    }
    return true;
}

const char *
nic_check(const struct nic *nic)
{
    uint32_t in_rings = 0;
    uint32_t n_ready = 0;
    uint32_t n_waiting = 0;

    if (!are_rings_sound(nic, &in_rings)) {
        return "a ring contains a QP that does not belong there";
    }
    for (uint32_t i = 0; i < nic->n_qps; i++) {
        const struct qp *qp = &nic->qps[i];
        const char *wrong = qp->rc    ? rc_check(qp->rc)
                            : qp->tcp ? tcp_check(qp->tcp)
                            : qp->srd ? srd_check(qp->srd)
                                      : NULL;

        if (wrong) {
            return wrong;
        }
        n_ready += qp->place == QP_READY;
        n_waiting += qp->place == QP_WAITING;
    }
    if (n_ready != in_rings) {
        return "a QP is ready and in no ring";
    }
    if (n_waiting != nic->heap.n) {
        return "the heap and the waiting QPs differ";
    }
    return nic->n_answers == nic->answers[ANSWER_ACK].n +
                                 nic->answers[ANSWER_CNP].n +
                                 nic->answers[ANSWER_TCP].n
               ? NULL
               : "the number of answers is wrong";
}
