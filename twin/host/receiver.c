/* SPDX-License-Identifier: Apache-2.0 */

/* Counts the frames that arrive at a host, and measures their latency. */

#include <config.h>

#include "twin/host/receiver.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "base/histogram.h"
#include "base/picoseconds.h"

enum {
    ECN_CE = 3,
    WINDOW = 64,
};

#define MILLION UINT64_C(1000000)

__extension__ typedef unsigned __int128 u128;

struct receiver *
receiver_create(void)
{
    return check_calloc(1, sizeof(struct receiver));
}

void
receiver_destroy(struct receiver *receiver)
{
    if (!receiver) {
        return;
    }
    for (uint32_t i = 0; i < receiver->n_flows; i++) {
        free(receiver->flows[i]);
    }
    free(receiver->flows);
    free(receiver);
}

/* Returns the position of flow 'flow', or where it would be. */
static uint32_t
find(const struct receiver *receiver, uint32_t flow)
{
    uint32_t low = 0;
    uint32_t high = receiver->n_flows;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (receiver->flows[middle]->flow < flow) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct receiver_flow *
receiver_flow(const struct receiver *receiver, uint32_t flow)
{
    uint32_t at = find(receiver, flow);

    return at < receiver->n_flows && receiver->flows[at]->flow == flow
               ? receiver->flows[at]
               : NULL;
}

/* Returns flow 'flow'.  Adds it if it is new. */
static struct receiver_flow *
get_flow(struct receiver *receiver, uint32_t flow)
{
    uint32_t at;

    if (receiver->last && receiver->last->flow == flow) {
        return receiver->last;
    }
    at = find(receiver, flow);
    if (at < receiver->n_flows && receiver->flows[at]->flow == flow) {
        return receiver->last = receiver->flows[at];
    }
    receiver->flows = check_realloc(
        receiver->flows, (receiver->n_flows + 1) * sizeof *receiver->flows);
    memmove(&receiver->flows[at + 1], &receiver->flows[at],
            (receiver->n_flows - at) * sizeof *receiver->flows);
    receiver->n_flows++;
    receiver->flows[at] = check_calloc(1, sizeof *receiver->flows[at]);
    receiver->flows[at]->flow = flow;
    return receiver->last = receiver->flows[at];
}

/* Returns the number of a frame of 'flow' whose lower 32 bits are 'sequence':
 * the one that is nearest to the highest so far. */
static uint64_t
extend(const struct receiver_flow *flow, uint32_t sequence)
{
    const int64_t step = (int32_t)(sequence - (uint32_t)flow->next);

    return step < 0 && (uint64_t)-step > flow->next
               ? sequence
               : flow->next + (uint64_t)step;
}

/* Counts sequence number 'number' of 'flow'. */
static void
note_order(struct receiver_flow *flow, uint32_t number)
{
    const uint64_t sequence = extend(flow, number);
    uint64_t back;

    if (sequence >= flow->next) {
        uint64_t skipped = sequence - flow->next;

        flow->missing += skipped;
        flow->seen = skipped + 1 < WINDOW ? flow->seen << (skipped + 1) : 0;
        flow->seen |= 1;
        flow->next = sequence + 1;
        return;
    }
    back = flow->next - 1 - sequence;
    if (back < WINDOW && flow->seen >> back & 1) {
        flow->duplicates++;
        return;
    }
    flow->late++;
    flow->missing -= flow->missing > 0;
    if (back < WINDOW) {
        flow->seen |= UINT64_C(1) << back;
    }
}

static void
note_latency(struct receiver_flow *flow, int64_t ps)
{
    if (flow->frames == 1 || ps < flow->min_ps) {
        flow->min_ps = ps;
    }
    if (flow->frames == 1 || ps > flow->max_ps) {
        flow->max_ps = ps;
    }
    flow->sum_ps += (uint64_t)ps;
    flow->latencies[histogram_bucket((uint64_t)ps)]++;
}

void
receiver_take(struct receiver *receiver, const struct sim_frame *frame,
              int64_t now_ps)
{
    struct receiver_flow *flow = get_flow(receiver, frame->flow);

    receiver->frames++;
    receiver->bytes += frame->length_bytes;
    if (frame->dscp >= 0) {
        receiver->by_dscp[frame->dscp % RECEIVER_DSCPS]++;
    }
    receiver->by_queue[frame->queue_index % RECEIVER_QUEUES]++;
    flow->first_ps = flow->frames ? flow->first_ps : now_ps;
    flow->last_ps = now_ps;
    flow->frames++;
    flow->bytes += frame->length_bytes;
    flow->ce += frame->ecn == ECN_CE;
    note_order(flow, frame->sequence);
    note_latency(flow, now_ps - frame->sent_ps);
}

void
receiver_clear(struct receiver *receiver)
{
    struct receiver_flow **flows = receiver->flows;
    uint32_t n_flows = receiver->n_flows;

    for (uint32_t i = 0; i < n_flows; i++) {
        *flows[i] = (struct receiver_flow){.flow = flows[i]->flow,
                                           .next = flows[i]->next,
                                           .seen = flows[i]->seen};
    }
    *receiver = (struct receiver){.flows = flows, .n_flows = n_flows};
}

int64_t
receiver_mean_ps(const struct receiver_flow *flow)
{
    return flow->frames ? (int64_t)(flow->sum_ps / flow->frames) : 0;
}

int64_t
receiver_percentile_ps(const struct receiver_flow *flow, uint32_t ppm)
{
    uint64_t rank =
        (uint64_t)(((u128)flow->frames * ppm + MILLION - 1) / MILLION);
    uint64_t below = 0;

    for (uint32_t i = 0; i < HISTOGRAM_N_BUCKETS; i++) {
        below += flow->latencies[i];
        if (below && below >= rank) {
            const uint64_t end_ps = histogram_high(i);

            /* No frame had more than the maximum. */
            return end_ps < (uint64_t)flow->max_ps ? (int64_t)end_ps
                                                   : flow->max_ps;
        }
    }
    return 0;
}

uint64_t
receiver_bits_per_s(const struct receiver_flow *flow, int64_t window_ps,
                    bool on_wire)
{
    u128 bytes = flow->bytes +
                 (on_wire ? flow->frames * ETHERNET_WIRE_OVERHEAD_BYTES : 0);

    return (uint64_t)(bytes * 8 * (uint64_t)PS_PER_S / (uint64_t)window_ps);
}
