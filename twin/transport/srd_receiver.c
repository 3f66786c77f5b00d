/* SPDX-License-Identifier: Apache-2.0 */

/* The receiver of an SRD context: datagrams that arrive. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "twin/transport/ring.h"
#include "twin/transport/srd_state.h"

/* Returns the number of places in 'statuses'. */
static uint64_t
places(const struct srd *srd)
{
    return 2 * (uint64_t)srd->config->window_packets;
}

static uint8_t *
status_at(const struct srd *srd, uint64_t sequence)
{
    return &srd->receiver.statuses[sequence & (places(srd) - 1)];
}

static struct srd_request *
held_at(const struct srd *srd, uint64_t sequence)
{
    return &srd->receiver.held[sequence & (srd->config->window_packets - 1)];
}

void
srd_receiver_init__(struct srd *srd, uint64_t first)
{
    srd->receiver.base = srd->receiver.taken = first;
    srd->receiver.statuses = check_calloc(places(srd), 1);
    if (srd->config->order == SRD_HOLD) {
        srd->receiver.held = check_calloc(srd->config->window_packets,
                                          sizeof *srd->receiver.held);
    }
}

void
srd_receiver_fini__(struct srd *srd)
{
    free(srd->receiver.statuses);
    free(srd->receiver.held);
    free(srd->receiver.ready);
}

/* Returns whether 'sequence' can be one of the peer's window. */
static bool
is_in_window(const struct srd *srd, uint64_t sequence)
{
    const uint64_t window = srd->config->window_packets;

    return sequence + window >= srd->receiver.base &&
           sequence < srd->receiver.base + window;
}

static bool
is_there(const struct srd *srd, uint64_t sequence)
{
    return sequence < srd->receiver.base || *status_at(srd, sequence);
}

static bool
is_out_of_order(const struct srd *srd, uint64_t sequence)
{
    return srd->config->order == SRD_DROP && sequence != srd->receiver.base;
}

bool
srd_is_new(const struct srd *srd, const struct srd_packet *packet)
{
    const uint64_t sequence =
        srd_expand__(packet->sequence, srd->receiver.base);

    return packet->kind == SRD_DATA &&
           packet->request.length_bytes <= srd->config->mtu_bytes &&
           is_in_window(srd, sequence) && !is_there(srd, sequence) &&
           !is_out_of_order(srd, sequence);
}

/* Hands 'datagram' to the caller. */
static void
make_ready(struct srd *srd, const struct srd_request *datagram)
{
    struct srd_receiver *receiver = &srd->receiver;

    receiver->ready =
        ring_grow(receiver->ready, &receiver->ready_room, receiver->ready_first,
                  receiver->ready_end, sizeof *receiver->ready);
    receiver->ready[receiver->ready_end++ & (receiver->ready_room - 1)] =
        *datagram;
}

/* Hands over what is held and before which nothing is missing. */
static void
release(struct srd *srd)
{
    struct srd_receiver *receiver = &srd->receiver;

    for (; receiver->taken < receiver->base; receiver->taken++) {
        const struct srd_request *datagram = held_at(srd, receiver->taken);

        if (*status_at(srd, receiver->taken) == 1 + SRD_OK) {
            receiver->held_bytes -= datagram->length_bytes;
            make_ready(srd, datagram);
        }
    }
}

static void
hold(struct srd *srd, uint64_t sequence, const struct srd_request *datagram)
{
    struct srd_receiver *receiver = &srd->receiver;

    *held_at(srd, sequence) = *datagram;
    receiver->held_bytes += datagram->length_bytes;
    if (sequence != receiver->base &&
        receiver->held_bytes > srd->counters.held_peak_bytes) {
        srd->counters.held_peak_bytes = receiver->held_bytes;
    }
}

/* Moves 'base' behind what has arrived. */
static void
advance(struct srd *srd)
{
    struct srd_receiver *receiver = &srd->receiver;

    while (*status_at(srd, receiver->base)) {
        /* The place of the oldest one is that of the newest from now on. */
        *status_at(srd, receiver->base - srd->config->window_packets) = 0;
        receiver->base++;
    }
}

/* Takes in a new datagram. */
static void
accept(struct srd *srd, uint64_t sequence, const struct srd_request *datagram,
       enum srd_status status)
{
    srd->counters.out_of_order += sequence != srd->receiver.base;
    if (status == SRD_OK && srd->config->order == SRD_HOLD) {
        hold(srd, sequence, datagram);
    } else if (status == SRD_OK) {
        make_ready(srd, datagram);
    }
    *status_at(srd, sequence) = (uint8_t)(1 + status);
    advance(srd);
    if (srd->config->order == SRD_HOLD) {
        release(srd);
    }
}

/* Handles DATA. */
static void
receive_data(struct srd *srd, const struct srd_packet *packet,
             enum srd_status status, struct srd_actions *actions)
{
    const uint64_t sequence =
        srd_expand__(packet->sequence, srd->receiver.base);
    uint8_t answer;

    if (!is_in_window(srd, sequence) ||
        packet->request.length_bytes > srd->config->mtu_bytes) {
        return;
    }
    if (is_there(srd, sequence)) {
        answer = (uint8_t)(*status_at(srd, sequence) - 1);
        srd->counters.duplicates++;
    } else if (is_out_of_order(srd, sequence)) {
        answer = SRD_OUT_OF_ORDER;
        srd->counters.out_of_order++;
    } else {
        answer = (uint8_t)status;
        accept(srd, sequence, &packet->request, status);
    }
    actions->has_reply = true;
    actions->reply = (struct srd_packet){.kind = SRD_ACK,
                                         .status = answer,
                                         .attempt = packet->attempt,
                                         .path = packet->path,
                                         .entropy = packet->entropy,
                                         .sequence = packet->sequence};
    actions->delivery = srd->receiver.ready_first < srd->receiver.ready_end;
}

void
srd_receive(struct srd *srd, const struct srd_packet *packet,
            enum srd_status status, int64_t now_ps, struct srd_actions *actions)
{
    *actions = (struct srd_actions){0};
    switch ((enum srd_kind)packet->kind) {
    case SRD_DATA:
        receive_data(srd, packet, status, actions);
        break;
    case SRD_ACK:
        srd_take_ack__(srd, packet, now_ps, actions);
        break;
    case SRD_PROBE:
        actions->has_reply = true;
        actions->reply = *packet;
        actions->reply.kind = SRD_PROBE_ACK;
        actions->reply.request.length_bytes = 0;
        break;
    case SRD_PROBE_ACK:
        srd_take_probe_ack__(srd, packet, now_ps, actions);
        break;
    }
}

bool
srd_take(struct srd *srd, struct srd_request *datagram)
{
    struct srd_receiver *receiver = &srd->receiver;

    if (receiver->ready_first == receiver->ready_end) {
        return false;
    }
    *datagram =
        receiver->ready[receiver->ready_first++ & (receiver->ready_room - 1)];
    return true;
}
