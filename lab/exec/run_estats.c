/* SPDX-License-Identifier: Apache-2.0 */

/* The times of operations: T1 to T6 of each, until its program has it.
 *
 * T1, T2, T5 and T6 are noted where flows post and complete.  T3 and T4 come
 * from the adapters (nic_set_traced()), by PSN.  A time that has not been seen
 * is that of the step before: a packet that leaves while its operation is being
 * posted, or an acknowledgement that did not wait in a receive FIFO. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/random.h"
#include "lab/exec/run.h"
#include "lab/exec/run_estats_state.h"
#include "lab/exec/run_queue_pairs.h"

enum { FIRST_ROOM = 16, T1 = 0, T2, T3, T4, T5, PPM_PPB = 1000 };

#define BYTE_PS_AT_1_BPS 8e12
#define OFFSET_RANGE_PS  UINT64_C(1000000000000)

/* Queues ------------------------------------------------------------------- */

static struct estats_op *
op_at(const struct estats_queue *queue, uint32_t number)
{
    return &queue->ops[number & (queue->room - 1)];
}

static struct estats_op *
append(struct estats_queue *queue)
{
    struct estats_op *op;

    if (queue->end - queue->first == queue->room) {
        const uint32_t room = queue->room ? 2 * queue->room : FIRST_ROOM;
        struct estats_op *ops = check_calloc(room, sizeof *ops);

        for (uint32_t i = queue->first; i != queue->end; i++) {
            ops[i & (room - 1)] = *op_at(queue, i);
        }
        free(queue->ops);
        queue->ops = ops;
        queue->room = room;
    }
    op = op_at(queue, queue->end++);
    *op = (struct estats_op){.at_ps = {-1, -1, -1, -1, -1}};
    return op;
}

/* Recording ---------------------------------------------------------------- */

static struct estats_host_state *
host_of(const struct run_flow *flow, bool is_source)
{
    const struct run *run = flow->run;

    return &run->estats->hosts[(is_source ? flow->source : flow->destination) -
                               run->topology->n_switches];
}

/* Returns T5 as the host computes it from the clock of its adapter. */
static int64_t
stamp(struct run_flow *flow, bool is_source, int64_t now_ps)
{
    struct estats_host_state *host = host_of(flow, is_source);
    struct estats_end *end = &flow->estats->ends[!is_source];
    int64_t bound_ps;
    const int64_t seen_ps = estats_clock_host(
        &host->clock, estats_clock_nic(&host->clock.config, now_ps), now_ps,
        &bound_ps);
    const int64_t error_ps =
        seen_ps > now_ps ? seen_ps - now_ps : now_ps - seen_ps;

    end->clock_ps = bound_ps > end->clock_ps ? bound_ps : end->clock_ps;
    host->bound_ps = bound_ps > host->bound_ps ? bound_ps : host->bound_ps;
    host->error_ps = error_ps > host->error_ps ? error_ps : host->error_ps;
    host->n_beyond += error_ps > bound_ps;
    return seen_ps;
}

/* Notes what 'op', which was successful, says of the way between the hosts. */
static void
note_way(struct run_flow *flow, bool is_source, const struct estats_op *op,
         int64_t nic_ps)
{
    const struct run_host *host = run_flow_end(flow, is_source);
    struct estats_pair *pair = flow->estats->pair;
    const uint32_t node = is_source ? flow->source : flow->destination;
    const int64_t bytes_ps =
        (int64_t)(op->bytes * BYTE_PS_AT_1_BPS /
                  ((double)host->profile->speed_mbps * 1e6));
    struct histogram **probes = &pair->probes[node != pair->low];

    if (nic_ps - bytes_ps < pair->base_ps) {
        pair->base_ps = nic_ps - bytes_ps > 0 ? nic_ps - bytes_ps : 0;
    }
    if (!op->is_probe) {
        return;
    }
    if (!*probes) {
        *probes = arena_alloc(flow->run->arena, 1, sizeof **probes);
        histogram_init(*probes);
    }
    histogram_add(*probes, (uint64_t)(nic_ps > 0 ? nic_ps : 0));
}

/* Adds 'op' of the requester to the sums of the interval. */
static void
add_evidence(struct run_flow *flow, const struct estats_op *op,
             const struct estats_times *times)
{
    struct estats_evidence *now = &flow->estats->now;

    now->n++;
    now->total_ps += times->total_ps;
    now->nic_ps += times->nic_ps;
    now->poll_ps += times->poll_ps;
    now->backlog_bytes += op->backlog_bytes;
    now->n_posts += op->n_posts;
    flow->estats->bytes += op->bytes;
}

/* Records 'op', which its program gets at 'now_ps'. */
static void
record(struct run_flow *flow, bool is_source, struct estats_op *op,
       uint8_t status, int64_t now_ps)
{
    const struct estats_key key = {.connection = flow->number,
                                   .end = !is_source,
                                   .operation = op->operation,
                                   .status = status};
    struct estats_times times = {.total_ps = now_ps - op->at_ps[T1],
                                 .nic_ps = op->seen_ps - op->at_ps[T1],
                                 .poll_ps = now_ps - op->seen_ps,
                                 .bytes = op->bytes};
    const bool is_receive = op->operation == ESTATS_RECEIVE;

    if (is_receive) {
        times.total_ps = times.poll_ps;
        times.nic_ps = 0;
    }
    for (int i = T2; i <= T5; i++) {
        if (op->at_ps[i] < op->at_ps[i - 1]) {
            op->at_ps[i] = op->at_ps[i - 1];
        }
        times.parts_ps[i - 1] = op->at_ps[i] - op->at_ps[i - 1];
    }
    times.parts_ps[ESTATS_PART_POLL] = now_ps - op->at_ps[T5];
    estats_groups_add(flow->run->estats->groups, &key, &times);
    if (status) {
        return;
    }
    if (!is_receive) {
        note_way(flow, is_source, op, times.nic_ps);
    }
    if (is_source && !is_receive) {
        add_evidence(flow, op, &times);
    } else if (!is_source && is_receive) {
        flow->estats->now.n_received++;
        flow->estats->now.deliver_ps += times.poll_ps;
    }
}

/* Removes what is over from the front of 'queue'. */
static void
trim(struct estats_queue *queue)
{
    while (queue->first != queue->end && op_at(queue, queue->first)->is_over) {
        queue->first++;
    }
}

/* What flows call ---------------------------------------------------------- */

static uint8_t
operation_of(uint8_t operation)
{
    static const uint8_t operations[RC_N_OPERATIONS] = {
        [RC_SEND] = ESTATS_SEND,
        [RC_SEND_IMMEDIATE] = ESTATS_SEND,
        [RC_SEND_INVALIDATE] = ESTATS_SEND,
        [RC_WRITE] = ESTATS_WRITE,
        [RC_WRITE_IMMEDIATE] = ESTATS_WRITE_IMMEDIATE,
        [RC_READ] = ESTATS_READ,
    };

    return operations[operation];
}

void
run_estats_post(struct run_flow *flow, bool is_source, uint8_t operation,
                uint32_t bytes)
{
    const struct run_host *host = run_flow_end(flow, is_source);
    struct estats_end *end = &flow->estats->ends[!is_source];
    const uint32_t mtu = (uint32_t)host->profile->spec->mtu_bytes;
    const uint32_t packets = bytes ? (bytes - 1) / mtu + 1 : 1;
    struct estats_op *op = append(&end->sends);

    op->at_ps[T1] = run_now(flow->run);
    op->operation = operation_of(operation);
    op->bytes = bytes;
    end->outstanding_bytes += bytes;
    op->backlog_bytes = end->outstanding_bytes;
    op->n_posts = end->sends.end - end->sends.t2;
    op->is_probe = end->outstanding_bytes <= mtu;
    op->first_psn = end->next_psn;
    end->next_psn = (end->next_psn + packets) & TRANSPORT_PSN_MASK;
    op->last_psn = (end->next_psn - 1) & TRANSPORT_PSN_MASK;
}

void
run_estats_take(struct run_flow *flow, bool is_source)
{
    struct estats_queue *sends = &flow->estats->ends[!is_source].sends;

    if (sends->t2 != sends->end) {
        op_at(sends, sends->t2++)->at_ps[T2] = run_now(flow->run);
    }
}

void
run_estats_complete(struct run_flow *flow, bool is_source,
                    const struct rc_completion *completion, int64_t now_ps)
{
    struct estats_end *end = &flow->estats->ends[!is_source];
    struct estats_queue *queue =
        completion->is_receive ? &end->receives : &end->sends;
    struct estats_op *op;

    if (completion->is_receive) {
        op = append(queue);
        for (int i = T1; i < T5; i++) {
            op->at_ps[i] = now_ps;
        }
        op->operation = ESTATS_RECEIVE;
        op->bytes = completion->bytes;
        queue->t5 = queue->end;
    } else if (queue->t5 != queue->end) {
        op = op_at(queue, queue->t5++);
        end->outstanding_bytes -= op->bytes;
    } else {
        return;
    }
    op->at_ps[T5] = now_ps;
    op->seen_ps = stamp(flow, is_source, now_ps);
    /* The program gets an error at once, before what has completed earlier. */
    if (completion->status) {
        record(flow, is_source, op, completion->status, now_ps);
        op->is_over = true;
        trim(queue);
    }
}

void
run_estats_poll(struct run_flow *flow, bool is_source,
                const struct rc_completion *completion, int64_t now_ps)
{
    struct estats_end *end = &flow->estats->ends[!is_source];
    struct estats_queue *queue =
        completion->is_receive ? &end->receives : &end->sends;

    trim(queue);
    if (completion->status || queue->first == queue->t5) {
        return;
    }
    record(flow, is_source, op_at(queue, queue->first), 0, now_ps);
    queue->first++;
}

void
run_estats_note_pause(struct run *run, const struct sink_pause *pause,
                      bool begins, int64_t now_ps)
{
    struct run_estats *estats = run->estats;
    const uint8_t p = pause->priority;

    if (!estats) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const uint32_t node = i ? pause->by_node : pause->node;
        struct estats_host_state *host;
        int64_t *sum_ps, *since_ps;

        if (!run_is_host(run, node)) {
            continue;
        }
        host = &estats->hosts[node - run->topology->n_switches];
        sum_ps = i ? &host->asked_ps[p] : &host->obeyed_ps[p];
        since_ps = i ? &host->asked_since_ps[p] : &host->obeyed_since_ps[p];
        if (begins) {
            *since_ps = now_ps;
        } else if (*since_ps >= 0) {
            *sum_ps += now_ps - *since_ps;
            *since_ps = -1;
        }
    }
}

/* What adapters report ----------------------------------------------------- */

/* Stores 'now_ps' as time 'which' of operations of 'queue' that packet 'psn' is
 * the last of; as T4 also of those before. */
static void
note_psn(struct estats_queue *queue, int which, uint32_t psn, int64_t now_ps)
{
    for (uint32_t i = queue->t5; i != queue->end; i++) {
        struct estats_op *op = op_at(queue, i);
        const int32_t behind = transport_psn_difference(psn, op->last_psn);

        if (which == T4 && behind >= 0 && op->at_ps[T4] < 0) {
            op->at_ps[T4] = now_ps;
        } else if (which == T3 &&
                   (op->operation == ESTATS_READ
                        ? behind <= 0 &&
                              transport_psn_difference(psn, op->first_psn) >= 0
                        : behind == 0)) {
            op->at_ps[T3] = now_ps;
            return;
        }
        if (behind < 0) {
            return;
        }
    }
}

/* A nic_traced_fn. */
static void
on_packet(void *context, uint32_t number, const struct transport_packet *packet,
          bool is_sent, int64_t now_ps)
{
    struct run_host *host = context;
    const struct run_qp *qp = number < host->n_qps ? &host->qps[number] : NULL;
    struct run_flow *flow = qp ? &host->run->flows[qp->flow] : NULL;
    struct estats_queue *sends;

    if (!flow || !flow->estats) {
        return;
    }
    sends = &flow->estats->ends[!qp->is_source].sends;
    if (is_sent) {
        if (transport_is_request(packet->opcode)) {
            note_psn(sends, T3, packet->psn, now_ps);
        }
    } else if (transport_is_read_response(packet->opcode)) {
        note_psn(sends, T4, packet->psn, now_ps);
    } else if (packet->opcode == TRANSPORT_ACK) {
        /* A NAK acknowledges what is before it. */
        note_psn(sends, T4,
                 packet->psn - (packet->syndrome != TRANSPORT_SYNDROME_ACK),
                 now_ps);
    }
}

/* Creation ----------------------------------------------------------------- */

static bool
has_estats(const struct run_flow *flow)
{
    return (flow->traffic->kind == TRAFFIC_RC ||
            flow->traffic->kind == TRAFFIC_PING) &&
           flow->traffic->transport != TRAFFIC_TRANSPORT_TCP;
}

/* Returns what the two hosts of 'flow' have in common. */
static struct estats_pair *
find_pair(struct run_estats *estats, const struct run_flow *flow)
{
    const bool ordered = flow->source < flow->destination;
    const uint32_t low = ordered ? flow->source : flow->destination;
    const uint32_t high = ordered ? flow->destination : flow->source;
    struct estats_pair key = {.low = low, .high = high}, *pair;

    HASH_FIND(hh, estats->pairs, &key.low, 2 * sizeof key.low, pair);
    if (!pair) {
        pair = arena_alloc(estats->run->arena, 1, sizeof *pair);
        *pair = key;
        pair->base_ps = INT64_MAX;
        HASH_ADD(hh, estats->pairs, low, 2 * sizeof key.low, pair);
    }
    return pair;
}

/* Returns a number of -limit..limit. */
static int64_t
draw(struct random *random, uint64_t limit)
{
    return (int64_t)random_below(random, 2 * limit + 1) - (int64_t)limit;
}

static void
init_host(struct run_estats *estats, uint32_t i)
{
    const struct estats_spec *spec = &estats->run->scenario->record.estats;
    struct estats_host_state *host = &estats->hosts[i];
    struct random random;

    random_init(&random, estats->run->seed * 0x9e3779b97f4a7c15u + i);
    host->clock.config =
        (struct estats_clock_config){.drift_max_ppb = spec->drift_ppm * PPM_PPB,
                                     .tick_ps = spec->tick_ps,
                                     .every_ps = spec->sync_ps,
                                     .read_ps = spec->read_ps};
    host->clock.config.drift_ppb =
        draw(&random, (uint64_t)host->clock.config.drift_max_ppb);
    host->clock.config.offset_ps = draw(&random, OFFSET_RANGE_PS);
    host->clock.config.seed = random_u64(&random);
    for (int p = 0; p < RUN_PRIORITIES; p++) {
        host->asked_since_ps[p] = host->obeyed_since_ps[p] = -1;
    }
}

void
run_estats_create(struct run *run)
{
    struct run_estats *estats;

    if (!run->scenario->record.estats.every_ps) {
        return;
    }
    estats = arena_alloc(run->arena, 1, sizeof *estats);
    *estats = (struct run_estats){.run = run};
    run->estats = estats;
    estats->groups = estats_groups_create();
    estats->all = estats_groups_create();
    estats->hosts = arena_alloc(run->arena, run->topology->n_hosts + 1U,
                                sizeof *estats->hosts);
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        init_host(estats, i);
        if (run->hosts[i].nic) {
            nic_set_traced(run->hosts[i].nic, on_packet, &run->hosts[i]);
        }
        if (run->hosts[i].loop) {
            nic_set_traced(run->hosts[i].loop->nic, on_packet,
                           run->hosts[i].loop);
        }
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        struct run_flow *flow = &run->flows[i];

        if (has_estats(flow)) {
            flow->estats = arena_alloc(run->arena, 1, sizeof *flow->estats);
            flow->estats->pair = find_pair(estats, flow);
        }
    }
    run_estats_begin__(estats);
}

void
run_estats_destroy(struct run *run)
{
    struct run_estats *estats = run->estats;

    if (!estats) {
        return;
    }
    engine_cancel(run->engine, &estats->timer);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        struct run_estats_flow *flow = run->flows[i].estats;

        for (int e = 0; flow && e < 2; e++) {
            free(flow->ends[e].sends.ops);
            free(flow->ends[e].receives.ops);
        }
    }
    HASH_CLEAR(hh, estats->pairs);
    estats_groups_destroy(estats->groups);
    estats_groups_destroy(estats->all);
    free(estats->rows);
}
