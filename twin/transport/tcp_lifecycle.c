/* SPDX-License-Identifier: Apache-2.0 */

/* A connection as a whole: settings, creation, messages, completions. */

#include <config.h>

#include "twin/transport/tcp.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/transport/bounds.h"
#include "twin/transport/tcp_state.h"

enum { FIRST_RECORDS = 16 };

#define MS_PS          INT64_C(1000000000)
#define LONG_AGO_PS    (INT64_MIN / 2)
#define FIRST_POSITION (UINT64_C(1) << 32)

const struct tcp_config tcp_config_default = {
    .mss_bytes = 1460,
    .window_bytes = 4 << 20,
    .initial_segments = 10,
    .abc_segments = 0,
    .algorithm = TCP_CUBIC,
    .fast_convergence = true,
    .detection = TCP_SACK,
    .ecn = TCP_ECN_OFF,
    .min_rto_ps = 200 * MS_PS,
    .max_rto_ps = 120000 * MS_PS,
    .first_rto_ps = 1000 * MS_PS,
    .ack_delay_ps = 40 * MS_PS,
    .ack_every = 2,
    .send_depth = 16,
};

enum st
tcp_config_check(const struct tcp_config *config, struct err *err)
{
    const struct bound bounds[] = {
        {"mss_bytes", config->mss_bytes, TCP_MIN_MSS, TCP_MAX_MSS},
        {"window_bytes", config->window_bytes, 2 * (int64_t)config->mss_bytes,
         TCP_MAX_WINDOW},
        {"initial_segments", config->initial_segments, 1, 1000},
        {"abc_segments", config->abc_segments, 0, 1000},
        {"algorithm", (int64_t)config->algorithm, 0, TCP_N_ALGORITHMS - 1},
        {"detection", (int64_t)config->detection, TCP_NEWRENO, TCP_RACK},
        {"ecn", (int64_t)config->ecn, TCP_ECN_OFF, TCP_ECN_DCTCP},
        {"min_rto_ps", config->min_rto_ps, 1, TCP_MAX_TIME_PS},
        {"max_rto_ps", config->max_rto_ps, config->min_rto_ps,
         2 * TCP_MAX_TIME_PS},
        {"first_rto_ps", config->first_rto_ps, config->min_rto_ps,
         config->max_rto_ps},
        {"handshake_ps", config->handshake_ps, 0, TCP_MAX_TIME_PS},
        {"ack_delay_ps", config->ack_delay_ps, 0, 1000 * MS_PS},
        {"ack_every", config->ack_every, 1, UINT16_MAX},
        {"send_depth", config->send_depth, 1, 32768},
    };
    const enum st st =
        bounds_check(bounds, sizeof bounds / sizeof bounds[0], err);

    if (st) {
        return st;
    }
    if (config->send_depth & (config->send_depth - 1)) {
        return err_set(err, ST_INVALID, "power-of-2",
                       "send_depth must be a power of 2, not %u",
                       config->send_depth);
    }
    if ((config->algorithm == TCP_DCTCP) != (config->ecn == TCP_ECN_DCTCP)) {
        return err_set(err, ST_INVALID, "ecn",
                       "congestion control dctcp and its ECN need each other");
    }
    return ST_OK;
}

struct tcp *
tcp_create(struct line_pool *memory, const struct tcp_config *config,
           uint32_t send_sequence, uint32_t receive_sequence)
{
    struct tcp *tcp = memory ? line_pool_take(memory, sizeof *tcp)
                             : check_malloc(sizeof *tcp);
    const uint64_t first = FIRST_POSITION + send_sequence;

    *tcp = (struct tcp){
        .config = config,
        .memory = memory,
        .sender = {.una = first,
                   .next = first,
                   .posted = first,
                   .recover = first - 1,
                   .mark_end = first,
                   .room = FIRST_RECORDS,
                   .rto_ps = config->first_rto_ps,
                   .rto_deadline_ps = INT64_MAX},
        .rack = {.min_rtt_ps = INT64_MAX,
                 .multiplier = 1,
                 .reorder_deadline_ps = INT64_MAX,
                 .probe_deadline_ps = INT64_MAX},
        .receiver = {.next = FIRST_POSITION + receive_sequence,
                     .delivered_end = FIRST_POSITION + receive_sequence,
                     .last_ps = LONG_AGO_PS,
                     .deadline_ps = INT64_MAX},
    };
    if (config->handshake_ps) {
        tcp_sample_rtt__(tcp, config->handshake_ps);
    }
    tcp->sender.records =
        check_calloc(FIRST_RECORDS, sizeof *tcp->sender.records);
    tcp->sender.messages =
        check_calloc(config->send_depth, sizeof *tcp->sender.messages);
    tcp_congestion_init(&tcp->congestion, config->algorithm, config->mss_bytes,
                        config->initial_segments, config->abc_segments);
    tcp->congestion.fast_convergence = config->fast_convergence;
    return tcp;
}

void
tcp_destroy(struct tcp *tcp)
{
    if (!tcp) {
        return;
    }
    free(tcp->sender.records);
    free(tcp->sender.messages);
    free(tcp->receiver.islands);
    free(tcp->receiver.ends);
    free(tcp->receiver.completed);
    if (tcp->memory) {
        line_pool_give(tcp->memory, tcp, sizeof *tcp);
    } else {
        free(tcp);
    }
}

enum st
tcp_post(struct tcp *tcp, uint64_t id, uint32_t length_bytes)
{
    struct tcp_sender *sender = &tcp->sender;
    const uint32_t depth = tcp->config->send_depth;

    if (!length_bytes || length_bytes > UINT32_C(1) << 31) {
        return ST_INVALID;
    }
    if (sender->message_tail - sender->message_polled == depth) {
        return ST_NO_RESOURCE;
    }
    sender->messages[sender->message_tail++ & (depth - 1)] =
        (struct tcp_message){.id = id,
                             .begin = sender->posted,
                             .end = sender->posted + length_bytes};
    sender->posted += length_bytes;
    return ST_OK;
}

bool
tcp_poll(struct tcp *tcp, struct tcp_completion *completion)
{
    struct tcp_sender *sender = &tcp->sender;
    struct tcp_receiver *receiver = &tcp->receiver;

    if (sender->message_polled != sender->message_head) {
        const struct tcp_message *message =
            &sender->messages[sender->message_polled++ &
                              (tcp->config->send_depth - 1)];

        *completion = (struct tcp_completion){
            .id = message->id, .bytes = message->end - message->begin};
        return true;
    }
    if (receiver->n_polled == receiver->n_completed) {
        receiver->n_polled = receiver->n_completed = 0;
        return false;
    }
    *completion = (struct tcp_completion){
        .id = receiver->n_delivered++,
        .bytes = receiver->completed[receiver->n_polled++],
        .is_receive = true};
    return true;
}

void
tcp_receive(struct tcp *tcp, const struct tcp_segment *segment, int64_t now_ps,
            struct tcp_actions *actions)
{
    *actions = (struct tcp_actions){0};
    if (segment->payload_bytes) {
        tcp_receive_data__(tcp, segment, now_ps, actions);
    }
    tcp_acknowledge__(tcp, segment, now_ps, actions);
    actions->send = tcp_peek(tcp);
}

/* Facts -------------------------------------------------------------------- */

enum tcp_state
tcp_state(const struct tcp *tcp)
{
    return (enum tcp_state)tcp->sender.state;
}

const struct tcp_counters *
tcp_counters(const struct tcp *tcp)
{
    return &tcp->counters;
}

const struct tcp_congestion *
tcp_congestion_of(const struct tcp *tcp)
{
    return &tcp->congestion;
}

int64_t
tcp_rto_ps(const struct tcp *tcp)
{
    return tcp->sender.rto_ps;
}

int64_t
tcp_srtt_ps(const struct tcp *tcp)
{
    return tcp->sender.srtt_ps;
}

uint64_t
tcp_outstanding_bytes(const struct tcp *tcp)
{
    return tcp->sender.next - tcp->sender.una;
}

uint64_t
tcp_pipe_bytes(const struct tcp *tcp)
{
    return tcp_outstanding_bytes(tcp) - tcp->sender.sacked_bytes -
           tcp->sender.lost_bytes + tcp->sender.again_bytes;
}

/* Invariants --------------------------------------------------------------- */

static const char *
check_records(const struct tcp_sender *sender)
{
    uint64_t sacked = 0, lost = 0, again = 0;
    uint64_t position = sender->una;

    for (uint32_t i = sender->head; i != sender->tail; i++) {
        const struct tcp_record *record = tcp_record_at__(sender, i);

        if (record->begin != position) {
            return "the outstanding segments leave a gap";
        }
        position = tcp_record_end__(record);
        sacked += record->flags & TCP_SACKED ? record->bytes : 0;
        lost += record->flags & TCP_LOST ? record->bytes : 0;
        again += record->flags & TCP_AGAIN ? record->bytes : 0;
        if ((record->flags & TCP_SACKED && record->flags & TCP_LOST) ||
            (record->flags & TCP_AGAIN && !(record->flags & TCP_LOST))) {
            return "a segment is both lost and there, or repeated and not lost";
        }
    }
    if (position != sender->next) {
        return "the records do not end at the next byte to send";
    }
    return sacked == sender->sacked_bytes && lost == sender->lost_bytes &&
                   again == sender->again_bytes
               ? NULL
               : "the sums of bytes differ from the records";
}

static const char *
check_islands(const struct tcp_receiver *receiver)
{
    uint64_t position = receiver->next;

    for (uint32_t i = 0; i < receiver->n_islands; i++) {
        if (receiver->islands[i].begin <= position ||
            receiver->islands[i].end <= receiver->islands[i].begin) {
            return "the ranges out of order are not disjoint and sorted";
        }
        position = receiver->islands[i].end;
    }
    return NULL;
}

const char *
tcp_check(const struct tcp *tcp)
{
    const struct tcp_sender *sender = &tcp->sender;
    const char *wrong = check_records(sender);

    if (wrong) {
        return wrong;
    }
    if (sender->una > sender->next || sender->next > sender->posted) {
        return "una, next and end of the posted bytes are out of order";
    }
    if (sender->next != sender->una && sender->rto_deadline_ps == INT64_MAX) {
        return "bytes are outstanding without a retransmission timeout";
    }
    if (tcp->congestion.cwnd_bytes < tcp->config->mss_bytes) {
        return "the window is less than a segment";
    }
    return check_islands(&tcp->receiver);
}
