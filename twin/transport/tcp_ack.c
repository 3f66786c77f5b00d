/* SPDX-License-Identifier: Apache-2.0 */

/* What an acknowledgement does to the sender. */

#include <config.h>

#include "twin/transport/tcp_state.h"

enum { DUPLICATE_THRESHOLD = 3 };

/* Round-trip time ---------------------------------------------------------- */

/* RFC 6298, section 2, with a granularity of 0. */
void
tcp_sample_rtt__(struct tcp *tcp, int64_t rtt_ps)
{
    struct tcp_sender *sender = &tcp->sender;
    const struct tcp_config *config = tcp->config;

    if (!sender->srtt_ps) {
        sender->srtt_ps = rtt_ps;
        sender->rttvar_ps = rtt_ps / 2;
    } else {
        const int64_t error_ps = sender->srtt_ps > rtt_ps
                                     ? sender->srtt_ps - rtt_ps
                                     : rtt_ps - sender->srtt_ps;

        sender->rttvar_ps += (error_ps - sender->rttvar_ps) / 4;
        sender->srtt_ps += (rtt_ps - sender->srtt_ps) / 8;
    }
    sender->rto_ps = sender->srtt_ps + 4 * sender->rttvar_ps;
    if (sender->rto_ps < config->min_rto_ps) {
        sender->rto_ps = config->min_rto_ps;
    }
    if (sender->rto_ps > config->max_rto_ps) {
        sender->rto_ps = config->max_rto_ps;
    }
}

/* Records ------------------------------------------------------------------ */

/* Takes 'bytes' at the front of 'record', which 'ack' covers, out of the sums.
 */
static void
forget(struct tcp_sender *sender, const struct tcp_record *record,
       uint16_t bytes)
{
    sender->sacked_bytes -= record->flags & TCP_SACKED ? bytes : 0;
    sender->lost_bytes -= record->flags & TCP_LOST ? bytes : 0;
    sender->again_bytes -= record->flags & TCP_AGAIN ? bytes : 0;
}

/* Removes the records up to 'ack', which is beyond 'una'. */
static void
remove_acked(struct tcp *tcp, uint64_t ack, int64_t now_ps)
{
    struct tcp_sender *sender = &tcp->sender;
    bool has_sample = false;

    sender->una = ack;
    while (sender->head != sender->tail) {
        struct tcp_record *record = tcp_record_at__(sender, sender->head);

        if (tcp_record_end__(record) > ack) {
            if (record->begin < ack) {
                const uint16_t bytes = (uint16_t)(ack - record->begin);

                forget(sender, record, bytes);
                record->begin = ack;
                record->bytes = (uint16_t)(record->bytes - bytes);
            }
            break;
        }
        forget(sender, record, record->bytes);
        if (!(record->flags & TCP_SACKED)) {
            tcp_rack_arrived__(tcp, record, now_ps);
            if (!has_sample && !(record->flags & TCP_EVER_AGAIN)) {
                has_sample = true;
                tcp_sample_rtt__(tcp, now_ps - record->sent_ps);
            }
        }
        sender->head++;
    }
    if ((int32_t)(sender->lost_hint - sender->head) < 0) {
        sender->lost_hint = sender->head;
    }
}

/* Completes the messages that end at or before 'una'. */
static void
complete(struct tcp *tcp, struct tcp_actions *actions)
{
    struct tcp_sender *sender = &tcp->sender;

    while (
        sender->message_head != sender->message_next &&
        sender->messages[sender->message_head & (tcp->config->send_depth - 1)]
                .end <= sender->una) {
        sender->message_head++;
        actions->completion = true;
    }
}

/* Recovery ----------------------------------------------------------------- */

/* Returns what of 'outstanding' is in flight without what limited transmit has
 * added. */
static uint64_t
flight_bytes(const struct tcp *tcp, uint64_t outstanding)
{
    return outstanding < tcp->congestion.cwnd_bytes
               ? outstanding
               : tcp->congestion.cwnd_bytes;
}

void
tcp_recover__(struct tcp *tcp)
{
    struct tcp_sender *sender = &tcp->sender;

    tcp->counters.recoveries++;
    tcp_congestion_reduce(&tcp->congestion,
                          flight_bytes(tcp, tcp_outstanding_bytes(tcp)), false);
    sender->state = TCP_RECOVERY;
    sender->recover = sender->next;
    sender->mark_end = sender->next;
    sender->force = true;
    sender->probe = TCP_NO_PROBE;
    tcp->rack.tlp_end = 0;
    tcp->rack.probe_deadline_ps = INT64_MAX;
}

/* Ends fast recovery or the repair after a timeout. */
static void
end_recovery(struct tcp *tcp)
{
    struct tcp_sender *sender = &tcp->sender;

    if (sender->state == TCP_RECOVERY) {
        tcp_congestion_set(&tcp->congestion, tcp->congestion.ssthresh_bytes);
    }
    sender->state = TCP_OPEN;
    sender->force = false;
}

/* RFC 6582, section 3.2: a duplicate ACK. */
static void
count_duplicate(struct tcp *tcp)
{
    struct tcp_sender *sender = &tcp->sender;
    const uint32_t mss_bytes = tcp->config->mss_bytes;

    sender->duplicate_acks++;
    if (sender->state == TCP_RECOVERY) {
        tcp->congestion.cwnd_bytes += mss_bytes;
    } else if (sender->state == TCP_OPEN &&
               sender->duplicate_acks == DUPLICATE_THRESHOLD &&
               sender->una > sender->recover) {
        tcp_mark_lost__(sender, sender->head);
        tcp_recover__(tcp);
        tcp->congestion.cwnd_bytes += DUPLICATE_THRESHOLD * mss_bytes;
    }
}

/* RFC 6582, section 3.2, step 3: a partial ACK deflates the window, and the
 * next segment is lost, too. */
static void
acknowledge_partly(struct tcp *tcp, uint64_t acked_bytes)
{
    struct tcp_sender *sender = &tcp->sender;
    struct tcp_congestion *congestion = &tcp->congestion;
    const uint64_t mss_bytes = tcp->config->mss_bytes;

    congestion->cwnd_bytes = congestion->cwnd_bytes > acked_bytes + mss_bytes
                                 ? congestion->cwnd_bytes - acked_bytes
                                 : mss_bytes;
    if (acked_bytes >= mss_bytes) {
        congestion->cwnd_bytes += mss_bytes;
    }
    tcp_mark_lost__(sender, sender->head);
    sender->force = true;
}

/* Does what depends on the state.  Returns whether the window may grow. */
static bool
follow_state(struct tcp *tcp, uint64_t acked_bytes, bool is_duplicate,
             int64_t now_ps)
{
    struct tcp_sender *sender = &tcp->sender;
    const bool was_open = sender->state == TCP_OPEN;
    const bool was_recovering = sender->state == TCP_RECOVERY;
    const bool ends = !was_open && sender->una >= sender->recover;

    if (ends) {
        end_recovery(tcp);
    }
    tcp_rack_follow__(tcp, ends);
    if (tcp->config->detection == TCP_NEWRENO) {
        if (is_duplicate) {
            count_duplicate(tcp);
        } else if (acked_bytes && sender->state == TCP_RECOVERY) {
            acknowledge_partly(tcp, acked_bytes);
        }
    } else if (tcp_detect__(tcp, now_ps) && sender->state == TCP_OPEN) {
        tcp_recover__(tcp);
    }
    return !was_recovering && sender->state != TCP_RECOVERY;
}

/* Marks -------------------------------------------------------------------- */

/* Handles the echo of marks in an ACK, before which 'outstanding' bytes were.
 * Returns whether the window may grow. */
static bool
follow_marks(struct tcp *tcp, uint64_t acked_bytes, uint64_t outstanding,
             bool ece)
{
    struct tcp_sender *sender = &tcp->sender;
    struct tcp_congestion *congestion = &tcp->congestion;

    if (!tcp->config->ecn) {
        return true;
    }
    if (congestion->ops->observe) {
        congestion->ops->observe(congestion, acked_bytes, ece, sender->una,
                                 sender->next);
    }
    if (ece && sender->state == TCP_OPEN && sender->una > sender->mark_end) {
        tcp->counters.reductions++;
        tcp_congestion_reduce(congestion, flight_bytes(tcp, outstanding), true);
        sender->mark_end = sender->next;
        sender->cwr = true;
    }
    return !ece;
}

/* Acknowledgements --------------------------------------------------------- */

/* Returns whether the window was full before an ACK: only then it grows. */
static bool
was_full(const struct tcp *tcp, uint64_t outstanding)
{
    const struct tcp_congestion *congestion = &tcp->congestion;

    return congestion->cwnd_bytes < congestion->ssthresh_bytes
               ? 2 * outstanding > congestion->cwnd_bytes
               : outstanding + tcp->config->mss_bytes > congestion->cwnd_bytes;
}

/* New data up to 'ack' is acknowledged. */
static void
advance(struct tcp *tcp, uint64_t ack, int64_t now_ps,
        struct tcp_actions *actions)
{
    remove_acked(tcp, ack, now_ps);
    complete(tcp, actions);
    tcp->sender.duplicate_acks = 0;
    tcp->sender.backoff = 0;
    tcp->sender.probe = TCP_NO_PROBE;
    tcp_restart_rto__(tcp, now_ps);
}

void
tcp_acknowledge__(struct tcp *tcp, const struct tcp_segment *segment,
                  int64_t now_ps, struct tcp_actions *actions)
{
    struct tcp_sender *sender = &tcp->sender;
    const uint64_t ack = tcp_expand__(segment->acknowledgement, sender->una);
    const uint64_t outstanding = tcp_outstanding_bytes(tcp);
    const bool full = was_full(tcp, outstanding);
    uint64_t acked_bytes;
    bool is_duplicate, may_grow;

    if (ack < sender->una || ack > sender->next || !outstanding) {
        return;
    }
    acked_bytes = ack - sender->una;
    is_duplicate = !acked_bytes && !segment->payload_bytes;
    tcp->rack.dsack = false;
    tcp->rack.prior_fack = tcp->rack.fack;
    if (tcp->config->detection != TCP_NEWRENO && segment->n_sacks) {
        tcp_take_sacks__(tcp, segment, ack, now_ps);
    }
    if (acked_bytes) {
        advance(tcp, ack, now_ps, actions);
    }
    if (tcp_probe_acked__(tcp, ack, is_duplicate && !segment->n_sacks) &&
        sender->state == TCP_OPEN) {
        tcp_congestion_reduce(&tcp->congestion, flight_bytes(tcp, outstanding),
                              false);
    }
    may_grow = follow_state(tcp, acked_bytes, is_duplicate, now_ps);
    may_grow =
        follow_marks(tcp, acked_bytes, outstanding, segment->ece) && may_grow;
    if (acked_bytes && may_grow && full) {
        tcp_congestion_acked(&tcp->congestion, acked_bytes, sender->srtt_ps,
                             now_ps);
    }
    if (acked_bytes) {
        tcp_plan_probe__(tcp, now_ps);
    }
}
