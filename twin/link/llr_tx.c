/* SPDX-License-Identifier: Apache-2.0 */

/* The sender of LLR: window, replay, flush. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "twin/link/llr_state.h"

void
llr_tx_grow__(struct llr_end *end)
{
    const uint32_t old_size = end->records.size;
    struct sim_frame *old = end->saved;

    llr_ring_grow__(&end->records, sizeof(struct llr_record));
    end->saved = check_calloc(end->records.size, sizeof *end->saved);
    for (uint32_t i = 0; i < old_size; i++) {
        const uint32_t position = end->records.first + i;

        end->saved[position & (end->records.size - 1)] =
            old[position & (old_size - 1)];
    }
    free(old);
}

/* Returns the position of 'number' if it is outstanding, else that of the next
 * frame. */
static uint32_t
position_of(const struct llr_end *end, uint32_t number)
{
    const uint32_t n = llr_ahead(number, llr_number(end->records.first));

    return n < llr_ring_n(&end->records) ? end->records.first + n
                                         : end->records.next;
}

void
llr_tx_save__(struct llr_end *end, uint32_t number,
              const struct sim_frame *frame)
{
    const uint32_t position = position_of(end, number);
    struct llr_record *record = llr_record_at__(end, position);

    if (position != end->records.next && !record->is_saved) {
        frame_keep(&end->saved[position & (end->records.size - 1)], frame);
        record->is_saved = true;
    }
}

/* Returns the content of the frame at 'position', which is outstanding; NULL:
 * it was delivered. */
static const struct sim_frame *
content_of(struct llr_end *end, uint32_t position)
{
    const uint32_t slot = position & (end->records.size - 1);

    if (!llr_record_at__(end, position)->is_saved) {
        for (uint32_t i = end->air.first; i != end->air.next; i++) {
            const struct llr_air *air = LLR_ITEM(struct llr_air, end->air, i);

            if (air->is_first && air->number == llr_number(position)) {
                llr_tx_save__(end, air->number,
                              llr_record_at__(end, position)->frame);
            }
        }
    }
    return llr_record_at__(end, position)->is_saved ? &end->saved[slot] : NULL;
}

/* Reads an ACK or NACK. */
static inline void
read_answer(struct llr_end *end, const struct llr_set *set)
{
    const uint32_t span = llr_tx_span__(end, set);

    if (set->kind == LLR_ACK) {
        end->rx_acks++;
    } else {
        end->stats.rx_nack++;
    }
    if (span > llr_ring_n(&end->records)) {
        end->stats.rx_ack_nack_seq_error++;
        return;
    }
    llr_tx_free__(end, span, set->arrives_ps);
    if (set->kind == LLR_NACK && llr_ring_n(&end->records)) {
        llr_tx_replay__(end);
    }
}

/* Reads what is no answer to a frame. */
static void
read_init(struct llr_end *end, const struct llr_set *set)
{
    if (set->kind == LLR_INIT) {
        end->stats.rx_init++;
        llr_rx_init__(end, set->number);
        return;
    }
    end->stats.rx_init_echo++;
    if (end->tx_state == LLR_TX_INIT &&
        set->number == llr_number(end->records.next)) {
        end->tx_state = LLR_TX_ADVANCE;
        end->replays = 0;
    }
}

void
llr_tx_read__(struct llr_end *end, int64_t before_ps)
{
    while (end->sets.first != end->sets.next) {
        /* It stays: what it causes is sent to the peer. */
        const struct llr_set *set =
            LLR_ITEM(struct llr_set, end->sets, end->sets.first);

        if (set->arrives_ps >= before_ps) {
            break;
        }
        end->sets.first++;
        if (set->kind == LLR_ACK || set->kind == LLR_NACK) {
            read_answer(end, set);
        } else {
            read_init(end, set);
        }
    }
}

void
llr_tx_init__(struct llr_end *end)
{
    llr_rx_send_set__(end, LLR_INIT, llr_number(end->records.next),
                      llr_now(end));
    end->next_init_ps = llr_now(end) + LLR_INIT_PERIOD_PS;
}

void
llr_tx_replay__(struct llr_end *end)
{
    const uint32_t most = end->port.profile.max_replays;

    if (end->replays == most && most != LLR_REPLAY_ENDLESS) {
        llr_tx_flush__(end);
        return;
    }
    end->replays += end->replays < most;
    end->resend = end->records.first;
    end->tx_state = LLR_TX_REPLAY;
}

void
llr_tx_resend__(struct llr_end *end)
{
    const struct llr *llr = end->llr;
    const int64_t now_ps = llr_now(end);
    struct sim_frame frame = {.dscp = -1};
    const struct sim_frame *content;
    const struct llr_record *record;
    enum llr_damage damage;

    if (end->resend == end->records.next) {
        end->stats.tx_replay++;
        end->tx_state = LLR_TX_ADVANCE;
        end->progress_ps = now_ps;
        return;
    }
    record = llr_record_at__(end, end->resend);
    content = content_of(end, end->resend);
    if (content) {
        frame = *content;
    }
    frame.length_bytes = record->bytes;
    end->busy_until_ps = now_ps + end->owed_ps +
                         frame_wire_ps(record->bytes, end->port.speed_mbps);
    end->owed_ps = 0;
    damage =
        llr->ops->resend(llr->context, end->index, &frame, end->busy_until_ps);
    if (damage == LLR_INTACT && record->is_poisoned) {
        damage = LLR_POISONED;
    }
    llr_tx_count__(end, record->is_poisoned);
    llr_tx_launch__(end, end->resend++, record->bytes, false, damage);
    end->replayed++;
}

/* Looks in the air for the frames that the peer will yet deliver, and that are
 * given up.  Returns the number of the first that it will not. */
static uint32_t
find_orphans(struct llr_end *end)
{
    const struct llr_end *peer = llr_peer(end);
    uint32_t expected = peer->expected;

    for (uint32_t i = end->air.first; i != end->air.next; i++) {
        struct llr_air *air = LLR_ITEM(struct llr_air, end->air, i);

        if (peer->rx_state != LLR_RX_OFF && air->is_numbered &&
            air->number == expected &&
            (air->damage == LLR_INTACT || air->damage == LLR_POISONED)) {
            air->is_orphan = 1;
            expected = llr_number(expected + 1);
        }
    }
    return expected;
}

void
llr_tx_stop__(struct llr_end *end, enum llr_tx_state state)
{
    const struct llr *llr = end->llr;

    if (llr_ring_n(&end->records)) {
        const uint32_t undelivered = find_orphans(end);

        for (uint32_t i = end->records.first; i != end->records.next; i++) {
            if (llr_ahead(llr_number(i), undelivered) < LLR_MAX_FRAMES) {
                llr->ops->give_up(llr->context, end->index, content_of(end, i));
            }
        }
    }
    end->records.first = end->records.next;
    end->bytes = 0;
    end->replays = 0;
    end->tx_state = (uint8_t)state;
    /* Behind what is in the air. */
    end->next_init_ps =
        end->busy_until_ps > llr_now(end) ? end->busy_until_ps : llr_now(end);
}

void
llr_tx_flush__(struct llr_end *end)
{
    end->flushes++;
    llr_tx_stop__(end, LLR_TX_FLUSH);
    end->llr->ops->flushed(end->llr->context, end->index);
    if (end->port.profile.reinit) {
        end->tx_state = LLR_TX_INIT;
    }
}
