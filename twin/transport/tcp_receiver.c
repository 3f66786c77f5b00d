/* SPDX-License-Identifier: Apache-2.0 */

/* The receiver: reassembly, and when to acknowledge what. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/transport/tcp_state.h"

enum { FIRST_ROOM = 8 };

/* Returns 'items', of 'size' bytes each, with room for one more than 'n'. */
static void *
grow(void *items, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room) {
        return items;
    }
    *room = *room ? 2 * *room : FIRST_ROOM;
    return check_realloc(items, *room * size);
}

/* Messages ----------------------------------------------------------------- */

/* Notes that a message ends at 'end', behind what has arrived in order. */
static void
note_end(struct tcp_receiver *receiver, uint64_t end)
{
    uint32_t i = receiver->n_ends;

    while (i > 0 && receiver->ends[i - 1] > end) {
        i--;
    }
    if (i > 0 && receiver->ends[i - 1] == end) {
        return;
    }
    receiver->ends = grow(receiver->ends, receiver->n_ends,
                          &receiver->ends_room, sizeof *receiver->ends);
    memmove(receiver->ends + i + 1, receiver->ends + i,
            (receiver->n_ends - i) * sizeof *receiver->ends);
    receiver->ends[i] = end;
    receiver->n_ends++;
}

/* Completes the messages that end at or before 'next'. */
static void
complete(struct tcp_receiver *receiver, struct tcp_actions *actions)
{
    uint32_t n = 0;

    while (n < receiver->n_ends && receiver->ends[n] <= receiver->next) {
        receiver->completed =
            grow(receiver->completed, receiver->n_completed,
                 &receiver->completed_room, sizeof *receiver->completed);
        receiver->completed[receiver->n_completed++] =
            receiver->ends[n] - receiver->delivered_end;
        receiver->delivered_end = receiver->ends[n++];
        actions->completion = true;
    }
    if (n) {
        receiver->n_ends -= n;
        memmove(receiver->ends, receiver->ends + n,
                receiver->n_ends * sizeof *receiver->ends);
    }
}

/* Ranges out of order ------------------------------------------------------ */

/* Removes 'n' islands from number 'at' on. */
static void
remove_islands(struct tcp_receiver *receiver, uint32_t at, uint32_t n)
{
    receiver->n_islands -= n;
    memmove(receiver->islands + at, receiver->islands + at + n,
            (receiver->n_islands - at) * sizeof *receiver->islands);
}

/* Adds the range from 'begin' to 'end'.  Returns false if all of it was there
 * already. */
static bool
add_island(struct tcp_receiver *receiver, uint64_t begin, uint64_t end)
{
    struct tcp_island island = {begin, end, ++receiver->stamp};
    uint32_t first = 0, n = 0;

    while (first < receiver->n_islands &&
           receiver->islands[first].end < begin) {
        first++;
    }
    for (uint32_t i = first;
         i < receiver->n_islands && receiver->islands[i].begin <= end; i++) {
        struct tcp_island *other = &receiver->islands[i];

        if (other->begin <= begin && other->end >= end) {
            other->stamp = island.stamp;
            return false;
        }
        island.begin =
            other->begin < island.begin ? other->begin : island.begin;
        island.end = other->end > island.end ? other->end : island.end;
        n++;
    }
    if (n) {
        remove_islands(receiver, first, n - 1);
    } else {
        receiver->islands = grow(receiver->islands, receiver->n_islands,
                                 &receiver->room, sizeof *receiver->islands);
        memmove(receiver->islands + first + 1, receiver->islands + first,
                (receiver->n_islands - first) * sizeof *receiver->islands);
        receiver->n_islands++;
    }
    receiver->islands[first] = island;
    return true;
}

/* Advances 'next' to 'end', and over the islands that it reaches. */
static void
advance(struct tcp_receiver *receiver, uint64_t end)
{
    uint32_t n = 0;

    receiver->next = end;
    while (n < receiver->n_islands &&
           receiver->islands[n].begin <= receiver->next) {
        if (receiver->islands[n].end > receiver->next) {
            receiver->next = receiver->islands[n].end;
        }
        n++;
    }
    if (n) {
        remove_islands(receiver, 0, n);
    }
}

/* Marks -------------------------------------------------------------------- */

/* Decides what acknowledgements echo: RFC 3168, section 6.1.3, and RFC 8257,
 * section 3.2. */
static void
follow_marks(struct tcp *tcp, const struct tcp_segment *segment)
{
    struct tcp_receiver *receiver = &tcp->receiver;

    if (tcp->config->ecn == TCP_ECN_CLASSIC) {
        receiver->ece = segment->ce || (receiver->ece && !segment->cwr);
    } else if (tcp->config->ecn == TCP_ECN_DCTCP &&
               segment->ce != receiver->ece) {
        if (receiver->pending) {
            receiver->earlier_due = true;
            receiver->earlier_ece = receiver->ece;
            receiver->earlier_next = receiver->next;
            receiver->pending = 0;
        }
        receiver->ece = segment->ce;
        receiver->ack_due = true;
    }
}

/* Arrival ------------------------------------------------------------------ */

/* Counts a segment that has arrived in order, and decides whether it is
 * acknowledged at once. */
static void
delay_ack(struct tcp *tcp, bool at_once, int64_t now_ps)
{
    struct tcp_receiver *receiver = &tcp->receiver;

    receiver->pending++;
    if (at_once || receiver->quick || !tcp->config->ack_delay_ps ||
        receiver->pending >= tcp->config->ack_every) {
        receiver->ack_due = true;
    } else if (receiver->deadline_ps == INT64_MAX) {
        receiver->deadline_ps = now_ps + tcp->config->ack_delay_ps;
    }
}

/* A segment arrived whose bytes were there already. */
static void
note_duplicate(struct tcp *tcp, uint64_t begin, uint64_t end)
{
    tcp->counters.duplicates++;
    tcp->receiver.quick = tcp->config->quick_acks;
    tcp->receiver.ack_due = true;
    tcp->receiver.duplicate = true;
    tcp->receiver.duplicate_range =
        (struct tcp_range){(uint32_t)begin, (uint32_t)end};
}

void
tcp_receive_data__(struct tcp *tcp, const struct tcp_segment *segment,
                   int64_t now_ps, struct tcp_actions *actions)
{
    struct tcp_receiver *receiver = &tcp->receiver;
    const uint64_t begin = tcp_expand__(segment->sequence, receiver->next);
    const uint64_t end = begin + segment->payload_bytes;
    const uint64_t before = receiver->next;

    if (now_ps - receiver->last_ps > tcp->sender.rto_ps) {
        receiver->quick = tcp->config->quick_acks;
    }
    receiver->last_ps = now_ps;
    follow_marks(tcp, segment);
    if (end <= before) {
        note_duplicate(tcp, begin, end);
        return;
    }
    if (end - before > tcp->config->window_bytes) {
        tcp->counters.out_of_window++;
        receiver->ack_due = true;
        return;
    }
    if (segment->push) {
        note_end(receiver, end);
    }
    if (begin <= before) {
        const bool had_gap = receiver->n_islands > 0;

        advance(receiver, end);
        actions->delivered_bytes = (uint32_t)(receiver->next - before);
        complete(receiver, actions);
        delay_ack(tcp, had_gap, now_ps);
    } else if (add_island(receiver, begin, end)) {
        tcp->counters.out_of_order++;
        receiver->ack_due = true;
    } else {
        note_duplicate(tcp, begin, end);
    }
}

/* Acknowledgements --------------------------------------------------------- */

/* Adds SACK blocks, the most recent first: RFC 2018, section 4. */
static void
fill_sacks(struct tcp *tcp, struct tcp_segment *segment)
{
    struct tcp_receiver *receiver = &tcp->receiver;
    uint64_t below = UINT64_MAX;

    if (receiver->duplicate) {
        segment->sacks[segment->n_sacks++] = receiver->duplicate_range;
        receiver->duplicate = false;
    }
    while (segment->n_sacks < TCP_MAX_SACKS) {
        const struct tcp_island *latest = NULL;

        for (uint32_t i = 0; i < receiver->n_islands; i++) {
            const struct tcp_island *island = &receiver->islands[i];

            if (island->stamp < below &&
                (!latest || island->stamp > latest->stamp)) {
                latest = island;
            }
        }
        if (!latest) {
            return;
        }
        below = latest->stamp;
        segment->sacks[segment->n_sacks++] =
            (struct tcp_range){(uint32_t)latest->begin, (uint32_t)latest->end};
    }
}

/* Everything up to 'next' is acknowledged. */
static void
settle(struct tcp_receiver *receiver)
{
    receiver->pending = 0;
    receiver->quick -= receiver->quick > 0;
    receiver->deadline_ps = INT64_MAX;
}

bool
tcp_next_ack(struct tcp *tcp, struct tcp_segment *segment)
{
    struct tcp_receiver *receiver = &tcp->receiver;
    const bool is_earlier = receiver->earlier_due;

    if (!is_earlier && !receiver->ack_due) {
        return false;
    }
    *segment = (struct tcp_segment){
        .sequence = (uint32_t)tcp->sender.next,
        .acknowledgement =
            (uint32_t)(is_earlier ? receiver->earlier_next : receiver->next),
        .ece = is_earlier ? receiver->earlier_ece : receiver->ece};
    if (is_earlier) {
        receiver->earlier_due = false;
        return true;
    }
    if (tcp->config->detection != TCP_NEWRENO) {
        fill_sacks(tcp, segment);
    }
    receiver->ack_due = false;
    settle(receiver);
    return true;
}

void
tcp_piggyback__(struct tcp *tcp, struct tcp_segment *segment)
{
    segment->acknowledgement = (uint32_t)tcp->receiver.next;
    segment->ece = tcp->receiver.ece;
    settle(&tcp->receiver);
}
