/* SPDX-License-Identifier: Apache-2.0 */

/* The receiver of LLR, and the ordered sets that it sends. */

#include <config.h>

#include "twin/link/llr_state.h"

static uint64_t *
sent_counter(struct llr_end *end, enum llr_set_kind kind)
{
    switch (kind) {
    case LLR_ACK:
        return &end->tx_acks;
    case LLR_NACK:
        return &end->stats.tx_nack;
    case LLR_INIT:
        return &end->stats.tx_init;
    case LLR_INIT_ECHO:
    default:
        return &end->stats.tx_init_echo;
    }
}

/* llr_rx_send_set__(), made for each kind. */
static inline void
send_set(struct llr_end *end, enum llr_set_kind kind, uint32_t number,
         int64_t when_ps)
{
    const struct llr *llr = end->llr;
    struct llr_end *peer = llr_peer(end);
    const bool is_answer = kind == LLR_ACK || kind == LLR_NACK;
    int64_t arrives_ps;

    if (!llr->is_up) {
        return;
    }
    ++*sent_counter(end, kind);
    if (when_ps < end->busy_until_ps) {
        end->owed_ps += end->set_ps;
    }
    if ((end->is_noisy && llr->ops->loses_set(llr->context, end->index)) ||
        (end->is_muted && is_answer)) {
        return;
    }
    arrives_ps = when_ps + end->set_ps + llr->delay_ps;
    *LLR_APPEND(struct llr_set, peer->sets) =
        (struct llr_set){arrives_ps, number, kind};
    llr_expect__(peer, arrives_ps + 1);
    /* The peer reads an ACK when it sends, unless it waits for it. */
    if (kind != LLR_ACK ||
        (peer->tx_state == LLR_TX_ADVANCE && llr_is_full__(peer))) {
        llr_arm__(peer);
    }
}

void
llr_rx_send_set__(struct llr_end *end, enum llr_set_kind kind, uint32_t number,
                  int64_t when_ps)
{
    send_set(end, kind, number, when_ps);
}

void
llr_rx_ack__(struct llr_end *end)
{
    const int64_t when_ps = end->ack_ps;

    end->ack_ps = EVENT_NEVER;
    end->acked_ps = when_ps;
    send_set(end, LLR_ACK, llr_number(end->expected - 1), when_ps);
}

/* Asks for the frame that 'end' expects. */
static void
send_nack(struct llr_end *end)
{
    const int64_t now_ps = llr_now(end);

    end->rx_state = LLR_RX_NACK_SENT;
    end->ack_ps = EVENT_NEVER;
    end->acked_ps = now_ps;
    llr_rx_send_set__(end, LLR_NACK, llr_number(end->expected - 1), now_ps);
}

/* Has a frame to acknowledge: now, or at the distance of ordered sets. */
static inline void
want_ack(struct llr_end *end, int64_t now_ps)
{
    const int64_t free_ps = end->acked_ps + end->spacing_ps;
    struct llr_end *peer = llr_peer(end);

    if (end->ack_ps != EVENT_NEVER) {
        return;
    }
    end->ack_ps = free_ps > now_ps ? free_ps : now_ps;
    llr_expect__(end, end->ack_ps);
    llr_expect__(peer, end->ack_ps);
    if (end->ack_ps == now_ps) {
        llr_rx_ack__(end);
    } else if (peer->tx_state == LLR_TX_ADVANCE && llr_is_full__(peer)) {
        llr_arm__(peer);
    }
}

void
llr_rx_init__(struct llr_end *end, uint32_t number)
{
    if (!end->port.receives) {
        return;
    }
    end->rx_state = LLR_RX_SEND_ACKS;
    end->expected = number;
    end->last = llr_number(number - 1);
    end->ack_ps = EVENT_NEVER;
    llr_rx_send_set__(end, LLR_INIT_ECHO, number, llr_now(end));
}

/* Counts a numbered frame. */
static inline void
count(struct llr_end *end, enum llr_damage damage)
{
    if (damage == LLR_INTACT) {
        end->rx_ok++;
    } else if (damage == LLR_POISONED) {
        end->stats.rx_poisoned++;
    } else {
        end->stats.rx_bad++;
    }
}

/* The expected frame arrives.  Returns whether it can be delivered. */
static inline bool
take_expected(struct llr_end *end, enum llr_damage damage, int64_t now_ps)
{
    if (damage == LLR_BAD) {
        end->stats.rx_expected_seq_bad++;
        if (end->rx_state == LLR_RX_SEND_ACKS) {
            send_nack(end);
        }
        return false;
    }
    if (damage == LLR_INTACT) {
        end->rx_good++;
    } else {
        end->stats.rx_expected_seq_poisoned++;
    }
    end->rx_state = LLR_RX_SEND_ACKS;
    end->expected = llr_number(end->expected + 1);
    want_ack(end, now_ps);
    return true;
}

bool
llr_arrive_intact(struct llr_end *sender)
{
    struct llr_end *end = llr_peer(sender);
    const int64_t now_ps = llr_now(end);
    const struct llr_air air =
        *LLR_ITEM(struct llr_air, sender->air, sender->air.first);

    if (!air.is_numbered || air.damage != LLR_INTACT ||
        air.number != end->expected || end->rx_state != LLR_RX_SEND_ACKS ||
        end->last != llr_number(air.number - 1)) {
        return false;
    }
    llr_rx_catch_up__(end, now_ps);
    sender->air.first++;
    end->rx_ok_good++;
    end->last = air.number;
    end->expected = llr_number(air.number + 1);
    want_ack(end, now_ps);
    return true;
}

bool
llr_rx_take__(struct llr_end *end, struct llr_air air, int64_t now_ps)
{
    const uint32_t ahead = llr_ahead(air.number, end->expected);

    if (end->rx_state == LLR_RX_OFF) {
        return false;
    }
    llr_rx_catch_up__(end, now_ps);
    count(end, (enum llr_damage)air.damage);
    if (llr_ahead(air.number, llr_number(end->last + 1)) >= LLR_MAX_FRAMES) {
        end->stats.rx_replay++;
    }
    end->last = air.number;
    if (ahead == 0) {
        return take_expected(end, (enum llr_damage)air.damage, now_ps);
    }
    if (ahead < LLR_MAX_FRAMES) {
        if (end->rx_state == LLR_RX_SEND_ACKS) {
            end->stats.rx_missing_seq++;
            send_nack(end);
        }
    } else {
        end->stats.rx_duplicate_seq++;
        /* The ACK may have been lost. */
        if (end->rx_state == LLR_RX_SEND_ACKS) {
            want_ack(end, now_ps);
        }
    }
    return false;
}
