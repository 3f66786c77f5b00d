/* SPDX-License-Identifier: Apache-2.0 */

/* The requester's side of a queue pair: acknowledgements, READ responses and
 * the timeout. */

#include <config.h>

#include "twin/transport/rc_state.h"

/* The kind of an AETH, in the upper bits of its syndrome. */
enum { SYNDROME_SHIFT = 5, KIND_ACK = 0, KIND_RNR = 1, KIND_NAK = 3 };

/* Moves una_psn towards 'psn', all before which have arrived at the peer.  It
 * stops at a READ, which only its responses complete.  Returns whether it has
 * moved. */
static bool
acknowledge(struct rc_sender *sender, uint32_t psn)
{
    const uint32_t before = sender->una_psn;

    while (sender->una != sender->tail && !sender->una_is_read &&
           psn_minus(psn, sender->una_last_psn) > 0) {
        struct rc_wqe *wqe = rc_wqe(sender, sender->una);

        wqe->status = RC_STATUS_OK;
        sender->una_psn = wqe->last_psn + 1;
        sender->una_bytes = wqe->start_bytes + wqe->length_bytes;
        sender->una++;
        rc_load_una__(sender);
    }
    if (sender->una != sender->tail && !sender->una_is_read &&
        psn_minus(psn, sender->una_psn) > 0) {
        sender->una_bytes +=
            (uint64_t)(psn - sender->una_psn) * sender->config->mtu_bytes;
        sender->una_psn = psn;
    }
    return sender->una_psn != before;
}

/* Restarts the timeout if it is running: it stops if nothing is outstanding,
 * else it counts from 'now_ps', or from the end of a wait. */
static void
restart_timeout(struct rc_sender *sender, int64_t now_ps)
{
    const bool is_waiting =
        sender->state != RC_READY && sender->wait_ps > now_ps;

    if (sender->una_psn == sender->next_psn) {
        sender->deadline_ps = INT64_MAX;
    } else if (sender->deadline_ps != INT64_MAX) {
        sender->deadline_ps =
            (is_waiting ? sender->wait_ps : now_ps) +
            transport_ack_timeout_ps(sender->config->timeout_exponent);
    }
}

/* Returns whether queue pairs with 'a' and 'b' have the same memory and speak
 * the same way. */
static bool
are_alike(const struct rc_config *a, const struct rc_config *b)
{
    return a->mtu_bytes == b->mtu_bytes && a->recovery == b->recovery &&
           a->go_back_chunk_bytes == b->go_back_chunk_bytes &&
           a->reorder_packets == b->reorder_packets &&
           a->registration_ps == b->registration_ps &&
           a->registration_fence == b->registration_fence &&
           a->max_reads == b->max_reads && a->echo_ce == b->echo_ce &&
           a->send_depth == b->send_depth &&
           a->receive_depth == b->receive_depth && a->regions == b->regions;
}

enum st
rc_configure(struct rc *rc, const struct rc_config *config, int64_t now_ps)
{
    struct rc_sender *sender = &rc->sender;

    if (rc_config_check(config, NULL) || !are_alike(config, sender->config)) {
        return ST_INVALID;
    }
    sender->config = config;
    rc->cold.configured_bytes = sender->next_bytes;
    if (sender->state != RC_ERROR) {
        /* Any time will do: it is replaced if packets are outstanding. */
        sender->deadline_ps = config->timeout_exponent ? now_ps : INT64_MAX;
        restart_timeout(sender, now_ps);
    }
    return ST_OK;
}

/* una_psn has moved: there is progress, and perhaps a completion. */
static void
note_progress(struct rc *rc, int64_t now_ps, struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;

    sender->retries = 0;
    sender->rnr_retries = 0;
    sender->read_lost = false;
    if (psn_minus(sender->una_psn, sender->next_psn) > 0) {
        rc_seek__(sender, sender->una_psn);
    }
    restart_timeout(sender, now_ps);
    rc_lift_fence__(rc, now_ps);
    actions->send = true;
    actions->completion = sender->head != sender->una;
}

/* Waits until 'wait_ps' before sending again.  The timeout runs from then. */
static void
pause_until(struct rc_sender *sender, enum rc_state state, int64_t wait_ps,
            struct rc_actions *actions)
{
    sender->state = (uint8_t)state;
    sender->wait_ps = wait_ps;
    restart_timeout(sender, wait_ps);
    actions->send = true;
}

/* Sends again from una_psn on; selective: the packets before 'end_psn' that the
 * peer does not hold, and READs. */
static void
go_back(struct rc *rc, uint32_t end_psn)
{
    struct rc_sender *sender = &rc->sender;

    if (sender->config->recovery != RC_SELECTIVE) {
        rc_seek__(sender, sender->una_psn);
        return;
    }
    sender->hole_psn = sender->una_psn;
    if (psn_minus(end_psn, sender->hole_end_psn) > 0) {
        sender->hole_end_psn = end_psn;
    }
    sender->hole_reads = true;
    /* Even if the peer has reported it: the ACK for it may be lost, or the peer
     * may have refused it since. */
    rc_unsacked__(rc, rc->cold.acked_psn);
}

static void
recover(struct rc_sender *sender, int64_t now_ps, struct rc_actions *actions)
{
    pause_until(sender, RC_RECOVERING,
                now_ps + sender->config->recovery_delay_ps, actions);
}

/* Returns where go-back-0 starts again if no NAK says it: the first packet of
 * the oldest message, or of its chunk. */
static uint32_t
restart_psn(const struct rc_sender *sender)
{
    const struct rc_config *config = sender->config;
    const uint32_t first_psn = rc_wqe(sender, sender->una)->first_psn;
    const uint32_t n = sender->una_psn - first_psn;

    return config->go_back_chunk_bytes
               ? sender->una_psn -
                     n % (config->go_back_chunk_bytes / config->mtu_bytes)
               : first_psn;
}

/* With go-back-0, everything from 'psn' on, in the oldest request, is
 * outstanding again: the peer has dropped it, or we have (READ). */
static void
withdraw(struct rc_sender *sender, uint32_t psn)
{
    const struct rc_wqe *wqe = rc_wqe(sender, sender->una);

    if (sender->una != sender->tail && psn_minus(psn, wqe->first_psn) >= 0 &&
        psn_minus(psn, sender->una_psn) < 0) {
        sender->una_psn = psn;
        sender->una_bytes = rc_bytes_before__(sender, wqe, psn);
    }
}

/* A response for una_psn is missing, since a later one or an ACK of a later
 * packet has arrived. */
static void
repeat_read(struct rc *rc, int64_t now_ps, struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;

    if (sender->read_lost || sender->state != RC_READY) {
        return;
    }
    if (sender->config->recovery == RC_GO_BACK_0) {
        withdraw(sender, restart_psn(sender));
    }
    sender->read_lost = true;
    go_back(rc, sender->una_last_psn + 1);
    recover(sender, now_ps, actions);
}

/* A NAK of 'psn' because of a gap. */
static void
receive_sequence_nak(struct rc *rc, const struct transport_packet *packet,
                     uint32_t psn, bool moved, int64_t now_ps,
                     struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;
    const bool is_selective = sender->config->recovery == RC_SELECTIVE;
    bool is_new = moved || sender->state == RC_READY;

    rc->cold.counters.naks_received++;
    if (is_selective) {
        const uint32_t base =
            transport_psn_expand(packet->immediate, sender->una_psn);

        is_new = rc_sacked__(rc, base, packet->remote_address);
        is_new |= rc_trimmed__(
            rc, psn, (uint64_t)packet->dma_length << 32 | packet->rkey);
    }
    if (sender->state == RC_RNR_WAITING || !is_new) {
        return;
    }
    if (is_selective) {
        if (sender->state == RC_READY) {
            recover(sender, now_ps, actions);
        }
        return;
    }
    if (sender->config->recovery == RC_GO_BACK_0 && !sender->una_is_read) {
        withdraw(sender, psn);
    }
    go_back(rc, psn);
    recover(sender, now_ps, actions);
}

/* The peer has no receive work request for 'psn'. */
static void
receive_rnr_nak(struct rc *rc, const struct transport_packet *packet,
                uint32_t psn, int64_t now_ps, struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;
    const uint8_t limit = sender->config->rnr_retry_limit;

    if (sender->state == RC_RNR_WAITING && now_ps < sender->wait_ps) {
        return;
    }
    rc->cold.counters.rnr_naks_received++;
    if (limit != RC_UNLIMITED_RETRIES && sender->rnr_retries >= limit) {
        rc_fail__(rc, psn, RC_STATUS_RNR_EXCEEDED, actions);
        return;
    }
    sender->rnr_retries =
        (uint8_t)(sender->rnr_retries + (limit != RC_UNLIMITED_RETRIES));
    if (sender->config->recovery == RC_SELECTIVE) {
        rc_refused__(rc, psn);
    } else {
        go_back(rc, psn);
    }
    pause_until(sender, RC_RNR_WAITING,
                now_ps + transport_rnr_timer_ps(packet->syndrome), actions);
}

/* A NAK of 'psn' other than RNR. */
static void
receive_nak(struct rc *rc, const struct transport_packet *packet, uint32_t psn,
            bool moved, int64_t now_ps, struct rc_actions *actions)
{
    switch (packet->syndrome) {
    case TRANSPORT_SYNDROME_NAK_SEQUENCE:
        receive_sequence_nak(rc, packet, psn, moved, now_ps, actions);
        return;
    case TRANSPORT_SYNDROME_NAK_INVALID:
        rc_fail__(rc, psn, RC_STATUS_REMOTE_INVALID, actions);
        return;
    case TRANSPORT_SYNDROME_NAK_ACCESS:
        rc_fail__(rc, psn, RC_STATUS_REMOTE_ACCESS, actions);
        return;
    default:
        return;
    }
}

/* Whether a NAK of 'psn' can concern what is outstanding. */
static bool
is_nak_plausible(const struct rc_sender *sender, uint32_t psn)
{
    if (psn_minus(psn, sender->high_psn) >= 0 || sender->una == sender->tail) {
        return false;
    }
    return psn_minus(psn, sender->una_psn) >= 0 ||
           sender->config->recovery == RC_GO_BACK_0;
}

void
rc_receive_ack__(struct rc *rc, const struct transport_packet *packet,
                 int64_t now_ps, struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;
    const unsigned kind = packet->syndrome >> SYNDROME_SHIFT;
    const uint32_t psn =
        transport_psn_expand(packet->psn, sender->una_psn) + (kind == KIND_ACK);
    bool moved;

    if (psn_minus(psn, sender->high_psn) > 0) {
        return;
    }
    actions->notify = packet->notify;
    moved = acknowledge(sender, psn);
    if (sender->config->recovery == RC_SELECTIVE) {
        moved |= rc_acked__(rc, psn);
    }
    if (moved) {
        note_progress(rc, now_ps, actions);
    }
    if (kind != KIND_ACK) {
        if (!is_nak_plausible(sender, psn)) {
            return;
        }
        if (kind == KIND_RNR) {
            receive_rnr_nak(rc, packet, psn, now_ps, actions);
        } else if (kind == KIND_NAK) {
            receive_nak(rc, packet, psn, moved, now_ps, actions);
        }
    }
    if (sender->una_is_read && psn_minus(psn, sender->una_last_psn) > 0) {
        repeat_read(rc, now_ps, actions);
    }
}

/* Accepts the response for una_psn, which is in a READ. */
static void
accept_response(struct rc *rc, const struct transport_packet *packet,
                int64_t now_ps, struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;
    struct rc_wqe *wqe = rc_wqe(sender, sender->una);
    const uint32_t psn = sender->una_psn;
    const uint64_t end_bytes = rc_bytes_before__(sender, wqe, psn + 1);

    if (packet->payload_bytes != end_bytes - sender->una_bytes) {
        rc_fail__(rc, psn, RC_STATUS_BAD_RESPONSE, actions);
        return;
    }
    if (sender->config->recovery != RC_GO_BACK_0) {
        actions->delivered_bytes = packet->payload_bytes;
    } else if (psn == wqe->last_psn) {
        actions->delivered_bytes = wqe->length_bytes;
    }
    sender->una_bytes = end_bytes;
    sender->una_psn++;
    if (sender->config->recovery == RC_SELECTIVE) {
        rc_acked__(rc, wqe->last_psn + 1);
    }
    if (psn == wqe->last_psn) {
        wqe->status = RC_STATUS_OK;
        /* Not counted if the requester has gone back and not repeated it. */
        sender->reads =
            (uint8_t)(sender->reads - (psn_minus(sender->next_psn, psn) > 0));
        sender->una++;
        rc_load_una__(sender);
    }
    if (sender->config->recovery == RC_SELECTIVE) {
        acknowledge(sender, rc->cold.acked_psn);
    }
    note_progress(rc, now_ps, actions);
}

void
rc_receive_read__(struct rc *rc, const struct transport_packet *packet,
                  int64_t now_ps, struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;
    const uint32_t psn = transport_psn_expand(packet->psn, sender->una_psn);

    if (psn_minus(psn, sender->high_psn) >= 0) {
        return;
    }
    if (psn_minus(psn, sender->una_psn) < 0) {
        rc->cold.counters.duplicates++;
        return;
    }
    if (acknowledge(sender, psn)) {
        note_progress(rc, now_ps, actions);
    }
    if (!sender->una_is_read) {
        return;
    }
    if (psn == sender->una_psn) {
        accept_response(rc, packet, now_ps, actions);
    } else {
        rc->cold.counters.out_of_order++;
        repeat_read(rc, now_ps, actions);
    }
}

int64_t
rc_deadline_ps(const struct rc *rc)
{
    return rc->sender.deadline_ps;
}

void
rc_timeout(struct rc *rc, int64_t now_ps, struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;
    const uint8_t limit = sender->config->retry_limit;

    *actions = (struct rc_actions){0};
    if (now_ps < sender->deadline_ps) {
        return;
    }
    rc->cold.counters.timeouts++;
    if (limit != RC_UNLIMITED_RETRIES && sender->retries >= limit) {
        rc_fail__(rc, sender->una_psn, RC_STATUS_RETRY_EXCEEDED, actions);
        return;
    }
    sender->retries =
        (uint8_t)(sender->retries + (limit != RC_UNLIMITED_RETRIES));
    if (sender->config->recovery == RC_GO_BACK_0) {
        withdraw(sender, restart_psn(sender));
    }
    go_back(rc, sender->next_psn);
    recover(sender, now_ps, actions);
}
