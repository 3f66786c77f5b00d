/* SPDX-License-Identifier: Apache-2.0 */

/* Which segments have arrived out of order, and which are lost: SACK (RFC 2018,
 * 2883, 6675), RACK and the tail loss probe (RFC 8985). */

#include <config.h>

#include "twin/transport/tcp_state.h"

enum {
    DUPLICATE_THRESHOLD = 3,
    RACK_PERSIST = 16, /* Recoveries. */
    REORDER_DIVISOR = 4,
};

#define FIRST_PROBE_PS INT64_C(1000000000000)

/* Records ------------------------------------------------------------------ */

/* Returns the index of the first record that begins at or after 'position'. */
static uint32_t
find(const struct tcp_sender *sender, uint64_t position)
{
    uint32_t low = 0, high = sender->tail - sender->head;

    while (low < high) {
        const uint32_t middle = (low + high) / 2;

        if (tcp_record_at__(sender, sender->head + middle)->begin < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return sender->head + low;
}

/* Takes 'record' out of the lost ones. */
static void
clear_lost(struct tcp_sender *sender, struct tcp_record *record)
{
    sender->lost_bytes -= record->flags & TCP_LOST ? record->bytes : 0;
    sender->again_bytes -= record->flags & TCP_AGAIN ? record->bytes : 0;
    record->flags &= (uint8_t) ~(TCP_LOST | TCP_AGAIN);
}

void
tcp_mark_lost__(struct tcp_sender *sender, uint32_t index)
{
    struct tcp_record *record = tcp_record_at__(sender, index);

    clear_lost(sender, record);
    record->flags |= TCP_LOST;
    sender->lost_bytes += record->bytes;
    if ((int32_t)(index - sender->lost_hint) < 0) {
        sender->lost_hint = index;
    }
}

void
tcp_lose_all__(struct tcp_sender *sender)
{
    for (uint32_t i = sender->head; i != sender->tail; i++) {
        if (!(tcp_record_at__(sender, i)->flags & TCP_SACKED)) {
            tcp_mark_lost__(sender, i);
        }
    }
    sender->lost_end = sender->next;
}

/* SACK --------------------------------------------------------------------- */

/* The segment of 'record' is selectively acknowledged. */
static void
take(struct tcp *tcp, struct tcp_record *record, int64_t now_ps)
{
    clear_lost(&tcp->sender, record);
    record->flags |= TCP_SACKED;
    tcp->sender.sacked_bytes += record->bytes;
    tcp_rack_arrived__(tcp, record, now_ps);
}

/* Returns the first position of 'block' that may be new: the last ACK may have
 * had the same block with an earlier end. */
static uint64_t
new_begin(const struct tcp_sender *sender, const struct tcp_range *block)
{
    uint64_t begin = tcp_expand__(block->begin, sender->una);

    for (int i = 0; i < TCP_MAX_SACKS; i++) {
        const struct tcp_range *seen = &sender->seen[i];

        if (seen->begin == block->begin && seen->end != seen->begin &&
            (int32_t)(block->end - seen->end) >= 0) {
            begin = tcp_expand__(seen->end, sender->una);
        }
    }
    return begin;
}

/* Takes over one block. */
static void
take_block(struct tcp *tcp, const struct tcp_range *block, int64_t now_ps)
{
    struct tcp_sender *sender = &tcp->sender;
    const uint64_t end = tcp_expand__(block->end, sender->una);

    if (tcp_expand__(block->begin, sender->una) < sender->una ||
        end > sender->next) {
        return;
    }
    for (uint32_t i = find(sender, new_begin(sender, block)); i != sender->tail;
         i++) {
        struct tcp_record *record = tcp_record_at__(sender, i);

        if (tcp_record_end__(record) > end) {
            break;
        }
        if (!(record->flags & TCP_SACKED)) {
            take(tcp, record, now_ps);
        }
    }
}

/* Returns whether the first block of 'segment' reports a duplicate: RFC 2883,
 * section 4. */
static bool
has_duplicate(const struct tcp_segment *segment)
{
    const struct tcp_range *first = &segment->sacks[0];
    const struct tcp_range *second = &segment->sacks[1];

    return (int32_t)(first->end - segment->acknowledgement) <= 0 ||
           (segment->n_sacks > 1 &&
            (int32_t)(first->begin - second->begin) >= 0 &&
            (int32_t)(first->end - second->end) <= 0);
}

void
tcp_take_sacks__(struct tcp *tcp, const struct tcp_segment *segment,
                 uint64_t ack, int64_t now_ps)
{
    tcp->rack.dsack = segment->n_sacks && has_duplicate(segment);
    for (int i = tcp->rack.dsack; i < segment->n_sacks; i++) {
        take_block(tcp, &segment->sacks[i], now_ps);
    }
    for (int i = 0; i < TCP_MAX_SACKS; i++) {
        const bool is_kept = i < segment->n_sacks &&
                             !(i == 0 && tcp->rack.dsack) &&
                             tcp_expand__(segment->sacks[i].begin, ack) >= ack;

        tcp->sender.seen[i] =
            is_kept ? segment->sacks[i] : (struct tcp_range){0, 0};
    }
}

/* RFC 6675, IsLost(): finds how far down DupThresh ranges, or more than
 * (DupThresh - 1) segments, have arrived, and marks what is missing there. */
static bool
detect_by_sack(struct tcp *tcp)
{
    struct tcp_sender *sender = &tcp->sender;
    const uint64_t enough_bytes =
        (uint64_t)(DUPLICATE_THRESHOLD - 1) * tcp->config->mss_bytes;
    uint32_t i = find(sender, tcp->rack.fack);
    uint64_t above_bytes = 0;
    uint32_t n_ranges = 0;
    bool in_range = false, any = false;

    while (i != sender->head && above_bytes <= enough_bytes &&
           n_ranges < DUPLICATE_THRESHOLD) {
        const struct tcp_record *record = tcp_record_at__(sender, --i);
        const bool is_sacked = record->flags & TCP_SACKED;

        n_ranges += is_sacked && !in_range;
        above_bytes += is_sacked ? record->bytes : 0;
        in_range = is_sacked;
    }
    if (above_bytes <= enough_bytes && n_ranges < DUPLICATE_THRESHOLD) {
        return false;
    }
    for (uint32_t k = find(sender, sender->lost_end); (int32_t)(i - k) > 0;
         k++) {
        if (!(tcp_record_at__(sender, k)->flags & (TCP_SACKED | TCP_LOST))) {
            tcp_mark_lost__(sender, k);
            any = true;
        }
    }
    if (i != sender->tail &&
        tcp_record_at__(sender, i)->begin > sender->lost_end) {
        sender->lost_end = tcp_record_at__(sender, i)->begin;
    }
    return any;
}

/* RACK --------------------------------------------------------------------- */

/* RACK_sent_after() of RFC 8985, section 6.2: whether the first was sent later,
 * or at the same time with a higher end.  That one says nothing about a
 * repetition, which follows new segments of the same time. */
static bool
is_sent_after(int64_t a_ps, uint64_t a_end, int64_t b_ps, uint64_t b_end)
{
    return a_ps > b_ps || (a_ps == b_ps && a_end > b_end);
}

/* Steps 1 to 3. */
void
tcp_rack_arrived__(struct tcp *tcp, const struct tcp_record *record,
                   int64_t now_ps)
{
    struct tcp_rack *rack = &tcp->rack;
    const uint64_t end = tcp_record_end__(record);
    const int64_t rtt_ps = now_ps - record->sent_ps;
    const bool is_again = record->flags & TCP_EVER_AGAIN;

    if (end > rack->fack) {
        rack->fack = end;
    }
    if (end < rack->prior_fack && !is_again) {
        rack->reordering = true;
    }
    if (is_again && rtt_ps < rack->min_rtt_ps) {
        return; /* The original, not the repetition, has arrived. */
    }
    if (rtt_ps < rack->min_rtt_ps) {
        rack->min_rtt_ps = rtt_ps;
    }
    if (is_sent_after(record->sent_ps, end, rack->sent_ps, rack->end)) {
        rack->sent_ps = record->sent_ps;
        rack->end = end;
        rack->rtt_ps = rtt_ps;
    }
}

void
tcp_rack_follow__(struct tcp *tcp, bool recovery_ends)
{
    struct tcp_rack *rack = &tcp->rack;

    if (rack->dsack_round && tcp->sender.una >= rack->dsack_round) {
        rack->dsack_round = 0;
    }
    if (!rack->dsack_round && rack->dsack) {
        rack->dsack_round = tcp->sender.next;
        rack->multiplier++;
        rack->persist = RACK_PERSIST;
    } else if (recovery_ends && rack->persist && --rack->persist == 0) {
        rack->multiplier = 1;
    }
}

/* Step 4: how much later than others a segment may arrive. */
static int64_t
reorder_window_ps(const struct tcp *tcp)
{
    const struct tcp_rack *rack = &tcp->rack;
    int64_t window_ps = tcp->sender.srtt_ps;

    if (!rack->reordering &&
        (tcp->sender.state != TCP_OPEN ||
         tcp->sender.sacked_bytes >=
             (uint64_t)DUPLICATE_THRESHOLD * tcp->config->mss_bytes)) {
        return 0;
    }
    /* Without a sample the least round-trip time is INT64_MAX. */
    if (rack->min_rtt_ps < window_ps) {
        window_ps = rack->min_rtt_ps;
    }
    window_ps = window_ps / REORDER_DIVISOR * rack->multiplier;
    return window_ps < tcp->sender.srtt_ps ? window_ps : tcp->sender.srtt_ps;
}

/* Step 5. */
static bool
detect_by_time(struct tcp *tcp, int64_t now_ps)
{
    struct tcp_sender *sender = &tcp->sender;
    struct tcp_rack *rack = &tcp->rack;
    const int64_t late_ps = rack->rtt_ps + reorder_window_ps(tcp);
    int64_t later_ps = 0;
    bool any = false;

    for (uint32_t i = sender->head; i != sender->tail; i++) {
        const struct tcp_record *record = tcp_record_at__(sender, i);
        const uint8_t flags = record->flags;

        if (!(flags & TCP_EVER_AGAIN) && record->sent_ps > rack->sent_ps) {
            break; /* So were all behind it. */
        }
        if (flags & TCP_SACKED ||
            (flags & (TCP_LOST | TCP_AGAIN)) == TCP_LOST ||
            (flags & TCP_EVER_AGAIN && record->sent_ps == rack->sent_ps) ||
            !is_sent_after(rack->sent_ps, rack->end, record->sent_ps,
                           tcp_record_end__(record))) {
            continue;
        }
        if (record->sent_ps + late_ps <= now_ps) {
            tcp_mark_lost__(sender, i);
            any = true;
        } else if (record->sent_ps + late_ps - now_ps > later_ps) {
            later_ps = record->sent_ps + late_ps - now_ps;
        }
    }
    rack->reorder_deadline_ps = later_ps ? now_ps + later_ps : INT64_MAX;
    return any;
}

bool
tcp_detect__(struct tcp *tcp, int64_t now_ps)
{
    switch (tcp->config->detection) {
    case TCP_SACK:
        return tcp->sender.sacked_bytes && detect_by_sack(tcp);
    case TCP_RACK:
        return tcp->sender.next != tcp->sender.una &&
               detect_by_time(tcp, now_ps);
    case TCP_NEWRENO:
        break;
    }
    return false;
}

/* Tail loss probe ---------------------------------------------------------- */

/* RFC 8985, section 7.2. */
void
tcp_plan_probe__(struct tcp *tcp, int64_t now_ps)
{
    const struct tcp_sender *sender = &tcp->sender;
    int64_t wait_ps = FIRST_PROBE_PS;

    tcp->rack.probe_deadline_ps = INT64_MAX;
    if (tcp->config->detection != TCP_RACK || sender->state != TCP_OPEN ||
        sender->sacked_bytes || tcp->rack.tlp_end ||
        sender->next == sender->una) {
        return;
    }
    if (sender->srtt_ps) {
        wait_ps = 2 * sender->srtt_ps;
        if (sender->next - sender->una <= tcp->config->mss_bytes) {
            wait_ps += tcp->config->ack_delay_ps;
        }
    }
    if (now_ps + wait_ps < sender->rto_deadline_ps) {
        tcp->rack.probe_deadline_ps = now_ps + wait_ps;
    }
}

/* Section 7.3.  The RTO starts again when the probe has been sent. */
void
tcp_probe__(struct tcp *tcp)
{
    struct tcp_sender *sender = &tcp->sender;

    if (sender->next == sender->una || sender->state != TCP_OPEN ||
        sender->sacked_bytes) {
        return;
    }
    tcp->counters.probes++;
    sender->probe = tcp_has_new__(tcp) ? TCP_PROBE_NEW : TCP_PROBE_AGAIN;
}

/* Section 7.4. */
bool
tcp_probe_acked__(struct tcp *tcp, uint64_t ack, bool is_plain_duplicate)
{
    struct tcp_rack *rack = &tcp->rack;

    if (!rack->tlp_end || ack < rack->tlp_end) {
        return false;
    }
    if (!rack->tlp_again || rack->dsack) {
        rack->tlp_end = 0;
    } else if (ack > rack->tlp_end) {
        rack->tlp_end = 0;
        return true;
    } else if (is_plain_duplicate) {
        rack->tlp_end = 0;
    }
    return false;
}
