/* SPDX-License-Identifier: Apache-2.0 */

/* The next segment to send, and the timers. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "twin/transport/tcp_state.h"

enum { LIMITED_TRANSMIT_SEGMENTS = 2 };

/* Choice ------------------------------------------------------------------- */

/* Returns the message of the next new byte, or NULL. */
static const struct tcp_message *
next_message(const struct tcp *tcp)
{
    const struct tcp_sender *sender = &tcp->sender;

    return sender->message_next == sender->message_tail
               ? NULL
               : &sender->messages[sender->message_next &
                                   (tcp->config->send_depth - 1)];
}

/* Returns the bytes of the next new segment that the peer has room for; 0:
 * there is none. */
static uint32_t
new_bytes(const struct tcp *tcp)
{
    const struct tcp_sender *sender = &tcp->sender;
    const struct tcp_message *message = next_message(tcp);
    uint64_t bytes;

    if (!message) {
        return 0;
    }
    bytes = message->end - sender->next;
    if (bytes > tcp->config->mss_bytes) {
        bytes = tcp->config->mss_bytes;
    }
    return sender->next + bytes - sender->una <= tcp->config->window_bytes
               ? (uint32_t)bytes
               : 0;
}

bool
tcp_has_new__(const struct tcp *tcp)
{
    return new_bytes(tcp) > 0;
}

/* Returns whether new data of 'bytes' fits into the congestion window.  Without
 * SACK, two segments more after duplicate ACKs: RFC 3042. */
static bool
fits(const struct tcp *tcp, uint32_t bytes)
{
    const struct tcp_sender *sender = &tcp->sender;
    uint64_t window_bytes = tcp->congestion.cwnd_bytes;

    if (sender->state == TCP_OPEN && tcp->config->detection == TCP_NEWRENO) {
        const uint32_t n = sender->duplicate_acks;

        window_bytes += (uint64_t)(n < LIMITED_TRANSMIT_SEGMENTS
                                       ? n
                                       : LIMITED_TRANSMIT_SEGMENTS) *
                        tcp->config->mss_bytes;
    }
    return tcp_pipe_bytes(tcp) + bytes <= window_bytes;
}

enum choice { CHOICE_NONE, CHOICE_NEW, CHOICE_LOST, CHOICE_LAST };

static enum choice
choose(const struct tcp *tcp)
{
    const struct tcp_sender *sender = &tcp->sender;
    uint32_t bytes;

    if (sender->probe) {
        return sender->probe == TCP_PROBE_NEW ? CHOICE_NEW : CHOICE_LAST;
    }
    if (sender->lost_bytes > sender->again_bytes) {
        return sender->force || fits(tcp, tcp->config->mss_bytes) ? CHOICE_LOST
                                                                  : CHOICE_NONE;
    }
    bytes = new_bytes(tcp);
    return bytes && fits(tcp, bytes) ? CHOICE_NEW : CHOICE_NONE;
}

bool
tcp_peek(const struct tcp *tcp)
{
    return choose(tcp) != CHOICE_NONE;
}

/* Segments ----------------------------------------------------------------- */

/* Returns a new record at the end of the ring. */
static struct tcp_record *
append(struct tcp_sender *sender)
{
    if (sender->tail - sender->head == sender->room) {
        const uint32_t room = 2 * sender->room;
        struct tcp_record *records = check_malloc(room * sizeof *records);

        for (uint32_t i = sender->head; i != sender->tail; i++) {
            records[i & (room - 1)] = *tcp_record_at__(sender, i);
        }
        free(sender->records);
        sender->records = records;
        sender->room = room;
    }
    return tcp_record_at__(sender, sender->tail++);
}

/* Records a new segment. */
static struct tcp_record *
add_new(struct tcp *tcp)
{
    struct tcp_sender *sender = &tcp->sender;
    const uint32_t bytes = new_bytes(tcp);
    const bool ends = sender->next + bytes == next_message(tcp)->end;
    struct tcp_record *record = append(sender);

    *record = (struct tcp_record){.begin = sender->next,
                                  .bytes = (uint16_t)bytes,
                                  .flags = ends ? TCP_PUSH : 0};
    sender->next += bytes;
    sender->message_next += ends;
    return record;
}

/* Returns the first segment that is lost and not sent again. */
static struct tcp_record *
first_lost(struct tcp_sender *sender)
{
    while ((tcp_record_at__(sender, sender->lost_hint)->flags &
            (TCP_LOST | TCP_AGAIN)) != TCP_LOST) {
        sender->lost_hint++;
    }
    return tcp_record_at__(sender, sender->lost_hint);
}

static struct tcp_record *
repeat_lost(struct tcp_sender *sender)
{
    struct tcp_record *record = first_lost(sender);

    record->flags |= TCP_AGAIN | TCP_EVER_AGAIN;
    sender->again_bytes += record->bytes;
    sender->force = false;
    return record;
}

/* Returns the last segment, which a probe sends once more. */
static struct tcp_record *
repeat_last(struct tcp_sender *sender)
{
    struct tcp_record *record = tcp_record_at__(sender, sender->tail - 1);

    record->flags |= TCP_EVER_AGAIN;
    return record;
}

/* RFC 5681, section 4.1. */
static void
restart_if_idle(struct tcp *tcp, int64_t now_ps)
{
    const uint64_t first_bytes =
        (uint64_t)tcp->config->initial_segments * tcp->config->mss_bytes;

    if (tcp->sender.next == tcp->sender.una &&
        now_ps - tcp->sender.sent_ps > tcp->sender.rto_ps &&
        tcp->congestion.cwnd_bytes > first_bytes) {
        tcp_congestion_set(&tcp->congestion, first_bytes);
    }
}

static void
fill(struct tcp *tcp, const struct tcp_record *record, bool is_new,
     struct tcp_segment *segment)
{
    *segment = (struct tcp_segment){.sequence = (uint32_t)record->begin,
                                    .payload_bytes = record->bytes,
                                    .push = record->flags & TCP_PUSH,
                                    .cwr = is_new && tcp->sender.cwr,
                                    .ect = tcp->config->ecn == TCP_ECN_DCTCP ||
                                           (tcp->config->ecn && is_new),
                                    .retransmit = !is_new};
    if (is_new) {
        tcp->sender.cwr = false;
    }
    tcp_piggyback__(tcp, segment);
}

bool
tcp_next(struct tcp *tcp, int64_t now_ps, struct tcp_segment *segment)
{
    struct tcp_sender *sender = &tcp->sender;
    const enum choice choice = choose(tcp);
    const bool is_new = choice == CHOICE_NEW;
    struct tcp_record *record;

    if (choice == CHOICE_NONE) {
        return false;
    }
    if (is_new) {
        restart_if_idle(tcp, now_ps);
        record = add_new(tcp);
    } else {
        record =
            choice == CHOICE_LOST ? repeat_lost(sender) : repeat_last(sender);
        tcp->counters.retransmitted_segments++;
    }
    record->sent_ps = now_ps;
    sender->sent_ps = now_ps;
    fill(tcp, record, is_new, segment);
    if (sender->rto_deadline_ps == INT64_MAX) {
        tcp_restart_rto__(tcp, now_ps);
    }
    if (sender->probe) {
        sender->probe = TCP_NO_PROBE;
        tcp->rack.tlp_end = sender->next;
        tcp->rack.tlp_again = !is_new;
        tcp_restart_rto__(tcp, now_ps);
    } else if (is_new) {
        tcp_plan_probe__(tcp, now_ps);
    }
    return true;
}

/* Timers ------------------------------------------------------------------- */

void
tcp_restart_rto__(struct tcp *tcp, int64_t now_ps)
{
    struct tcp_sender *sender = &tcp->sender;

    sender->rto_deadline_ps =
        sender->next == sender->una ? INT64_MAX : now_ps + sender->rto_ps;
}

static int64_t
earlier(int64_t a_ps, int64_t b_ps)
{
    return a_ps < b_ps ? a_ps : b_ps;
}

int64_t
tcp_deadline_ps(const struct tcp *tcp)
{
    return earlier(
        earlier(tcp->receiver.deadline_ps, tcp->sender.rto_deadline_ps),
        earlier(tcp->rack.reorder_deadline_ps, tcp->rack.probe_deadline_ps));
}

/* RFC 6298, section 5.4 to 5.6; RFC 6582, section 3.2, step 7. */
static void
expire(struct tcp *tcp, int64_t now_ps)
{
    struct tcp_sender *sender = &tcp->sender;
    const uint64_t outstanding = sender->next - sender->una;
    const uint64_t cwnd_bytes = tcp->congestion.cwnd_bytes;

    tcp->counters.timeouts++;
    tcp_congestion_timeout(&tcp->congestion,
                           outstanding < cwnd_bytes ? outstanding : cwnd_bytes,
                           sender->backoff > 0);
    if (sender->backoff < UINT8_MAX) {
        sender->backoff++;
    }
    sender->rto_ps = earlier(2 * sender->rto_ps, tcp->config->max_rto_ps);
    tcp_lose_all__(sender);
    sender->state = TCP_LOSS;
    sender->recover = sender->next;
    sender->mark_end = sender->next;
    sender->duplicate_acks = 0;
    sender->force = true;
    sender->probe = TCP_NO_PROBE;
    tcp->rack.tlp_end = 0;
    tcp->rack.probe_deadline_ps = INT64_MAX;
    tcp->rack.reorder_deadline_ps = INT64_MAX;
    tcp_restart_rto__(tcp, now_ps);
}

void
tcp_timeout(struct tcp *tcp, int64_t now_ps, struct tcp_actions *actions)
{
    *actions = (struct tcp_actions){0};
    if (tcp->receiver.deadline_ps <= now_ps) {
        tcp->receiver.deadline_ps = INT64_MAX;
        tcp->receiver.ack_due = true;
    }
    if (tcp->rack.reorder_deadline_ps <= now_ps) {
        tcp->rack.reorder_deadline_ps = INT64_MAX;
        if (tcp_detect__(tcp, now_ps) && tcp->sender.state == TCP_OPEN) {
            tcp_recover__(tcp);
        }
    }
    if (tcp->rack.probe_deadline_ps <= now_ps) {
        tcp->rack.probe_deadline_ps = INT64_MAX;
        tcp_probe__(tcp);
    }
    if (tcp->sender.rto_deadline_ps <= now_ps) {
        expire(tcp, now_ps);
    }
    actions->send = tcp_peek(tcp);
}
