/* SPDX-License-Identifier: Apache-2.0 */

/* RDMA Estats by interval: histograms, counters of hosts, and findings.
 *
 * Histograms are reported when an interval ends.  What they and the counters
 * say about sides has to wait for the end of the run, which knows the smallest
 * round trip of two hosts. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_estats_state.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/measure/results.h"

#define BYTE_PS_AT_1_MBPS UINT64_C(8000000)

/* FCS, preamble and gap. */
enum { PACKET_OVERHEAD_BYTES = 24 };

enum { FIRST_ROWS = 64, OBSERVE_ENTITY = 5, MBPS_TO_BPS = 1000000 };

/* Counters ----------------------------------------------------------------- */

static int64_t
larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns 'sum_ps', and what lasts since 'since_ps', if that is not -1. */
static int64_t
up_to(int64_t sum_ps, int64_t since_ps, int64_t now_ps)
{
    return sum_ps + (since_ps < 0 ? 0 : now_ps - since_ps);
}

/* Returns how long these packets, without FCS, take on the link of 'host'. */
static int64_t
wire_ps(const struct run_host *host, uint64_t packets, uint64_t bytes)
{
    const uint64_t all = bytes + packets * PACKET_OVERHEAD_BYTES;

    return (int64_t)(all * BYTE_PS_AT_1_MBPS / host->profile->speed_mbps);
}

/* Stores what host 'i' has counted up to now, with the pauses of priority
 * 'p'. */
static void
read_host(const struct run_estats *estats, uint32_t i, uint8_t p,
          struct estats_host *counters)
{
    const struct run_host *host = &estats->run->hosts[i];
    const struct estats_host_state *state = &estats->hosts[i];
    const int64_t now_ps = run_now(estats->run);
    struct nic_stats stats;

    nic_get_stats(host->nic, &stats);
    *counters = (struct estats_host){
        .asked_ps = up_to(state->asked_ps[p], state->asked_since_ps[p], now_ps),
        .obeyed_ps =
            up_to(state->obeyed_ps[p], state->obeyed_since_ps[p], now_ps),
        .bus_ps = larger(
            larger(stats.work.bus_ps, stats.switch_busy_ps),
            stats.work.lookup_ps /
                larger(nic_get_config(host->nic)->lookups_outstanding, 1)),
        .sent_ps = wire_ps(host, stats.sent_packets, stats.sent_bytes),
        .received_ps =
            wire_ps(host, stats.received_packets, stats.received_bytes),
        .fifo_drops = stats.dropped_packets};
}

/* Stores what host 'node' has counted in this interval, and what the probes of
 * 'pair' that it has posted say. */
static void
measure_host(const struct run_estats *estats, const struct estats_pair *pair,
             uint32_t node, uint8_t p, struct estats_host *counters)
{
    const uint32_t i = node - estats->run->topology->n_switches;
    const struct estats_host *before = &estats->hosts[i].before[p];
    const struct histogram *probes = pair->probes[node != pair->low];

    read_host(estats, i, p, counters);
    counters->sent_ps -= before->sent_ps;
    counters->received_ps -= before->received_ps;
    counters->asked_ps -= before->asked_ps;
    counters->obeyed_ps -= before->obeyed_ps;
    counters->bus_ps -= before->bus_ps;
    counters->fifo_drops -= before->fifo_drops;
    counters->probe_ps =
        probes && probes->n
            ? (int64_t)histogram_rank(probes, (probes->n + 1) / 2)
            : -1;
}

static bool
is_read(const struct run_flow *flow)
{
    return flow->traffic->kind == TRAFFIC_RC &&
           flow->traffic->verb == TRAFFIC_VERB_READ;
}

/* Stores in '*counts' what the queue pairs of 'flow' have counted up to now. */
static void
read_flow(const struct run_flow *flow, struct run_estats_flow *counts)
{
    const bool reads = is_read(flow);
    const struct nic *sender = run_flow_end(flow, !reads)->nic;
    const uint32_t qp = reads ? flow->peer_qp : flow->qp;
    const struct rc_counters *rc =
        rc_counters(nic_rc(run_flow_end(flow, true)->nic, flow->qp));
    const struct rc_counters *peer =
        rc_counters(nic_rc(run_flow_end(flow, false)->nic, flow->peer_qp));

    counts->cnps = nic_cnps(sender, qp);
    counts->naks = reads ? rc->retransmitted_packets : rc->naks_received;
    counts->timeouts = rc->timeouts;
    counts->rnr_naks = rc->rnr_naks_received;
    counts->duplicates = peer->duplicates;
    counts->sent_again = nic_sent(sender, qp)->again;
    counts->loads[0] = run_software_load(flow->source_end);
    counts->loads[1] = run_software_load(flow->destination_end);
}

/* Begins an interval. */
static void
begin(struct run_estats *estats)
{
    const struct run *run = estats->run;

    estats->start_ps = run_now(run);
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        for (uint8_t p = 0; run->hosts[i].nic && p < RUN_PRIORITIES; p++) {
            read_host(estats, i, p, &estats->hosts[i].before[p]);
        }
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        struct run_estats_flow *flow = run->flows[i].estats;

        if (!flow) {
            continue;
        }
        read_flow(&run->flows[i], flow);
        flow->now = (struct estats_evidence){0};
        flow->bytes = 0;
        flow->ends[0].clock_ps = flow->ends[1].clock_ps = 0;
    }
    for (struct estats_pair *pair = estats->pairs; pair; pair = pair->hh.next) {
        for (int i = 0; i < 2; i++) {
            if (pair->probes[i]) {
                histogram_init(pair->probes[i]);
            }
        }
    }
}

/* Intervals ---------------------------------------------------------------- */

/* Where report_group() reports. */
struct group_report {
    const struct run_estats *estats;
    bool is_whole; /* The groups are those of the run. */
};

static void
report_group(void *context, const struct estats_group *group)
{
    const struct group_report *report = context;
    const struct run_estats *estats = report->estats;
    const struct sink *sink = estats->run->sink;
    const struct sink_operations operations = {
        .flow = group->key.connection,
        .interval = report->is_whole ? SINK_NONE : estats->interval,
        .start_ps = report->is_whole ? 0 : estats->start_ps,
        .end_ps = run_now(estats->run),
        .by_source = group->key.end == 0,
        .operation =
            estats_operation_name((enum estats_operation)group->key.operation),
        .status = rc_status_name((enum rc_status)group->key.status),
        .bytes = group->bytes,
        .parts_ps = group->parts_ps,
        .total = &group->total,
        .nic = &group->nic,
        .poll = &group->poll};

    sink->operations_ended(sink->context, &operations);
}

static void
report_groups(struct run_estats *estats, struct estats_groups *groups,
              bool is_whole)
{
    struct group_report report = {estats, is_whole};

    if (estats->run->sink->operations_ended) {
        estats_groups_each(groups, report_group, &report);
    }
}

static struct estats_row *
append_row(struct run_estats *estats)
{
    if (estats->n_rows == estats->rows_size) {
        estats->rows_size =
            estats->rows_size ? 2 * estats->rows_size : FIRST_ROWS;
        estats->rows = check_realloc(estats->rows,
                                     estats->rows_size * sizeof *estats->rows);
    }
    return &estats->rows[estats->n_rows++];
}

/* Stores what a thread has done since 'before' in '*host'. */
static void
note_load(const struct run_load *before, const struct run_load *now,
          struct estats_host *host)
{
    host->jobs = now->n_jobs - before->n_jobs;
    host->jobs_ps = now->jobs_ps - before->jobs_ps;
}

/* If none of the operations that 'end' has outstanding ended in the interval,
 * lets the oldest one count with its age. */
static void
note_outstanding(const struct estats_end *end, int64_t now_ps,
                 struct estats_evidence *evidence)
{
    const struct estats_queue *sends = &end->sends;
    const struct estats_op *op;

    if (evidence->n || sends->t5 == sends->end) {
        return;
    }
    op = &sends->ops[sends->t5 & (sends->room - 1)];
    evidence->n = 1;
    evidence->total_ps = evidence->nic_ps = now_ps - op->at_ps[0];
    evidence->backlog_bytes = op->backlog_bytes;
    evidence->n_posts = op->n_posts;
}

/* Keeps what is known of 'flow' in the interval that ends. */
static void
keep(struct run_estats *estats, struct run_flow *flow)
{
    const struct run_host *source = run_flow_end(flow, true);
    const struct run_host *destination = run_flow_end(flow, false);
    struct run_estats_flow *state = flow->estats;
    const uint8_t p = (uint8_t)flow->traffic->priority;
    struct run_estats_flow counts = {0};
    struct estats_row *row = append_row(estats);
    struct estats_evidence *evidence = &row->evidence;

    read_flow(flow, &counts);
    *row = (struct estats_row){.flow = flow->number,
                               .interval = estats->interval,
                               .start_ps = estats->start_ps,
                               .end_ps = run_now(estats->run),
                               .bytes = state->bytes,
                               .retransmitted =
                                   counts.sent_again - state->sent_again,
                               .evidence = state->now};
    evidence->interval_ps = row->end_ps - row->start_ps;
    evidence->is_read = is_read(flow);
    measure_host(estats, state->pair, flow->source, p, &evidence->requester);
    measure_host(estats, state->pair, flow->destination, p,
                 &evidence->responder);
    note_load(&state->loads[0], &counts.loads[0], &evidence->requester);
    note_load(&state->loads[1], &counts.loads[1], &evidence->responder);
    note_outstanding(&state->ends[0], row->end_ps, evidence);
    evidence->cnps = counts.cnps - state->cnps;
    evidence->naks = counts.naks - state->naks;
    evidence->timeouts = counts.timeouts - state->timeouts;
    evidence->rnr_naks = counts.rnr_naks - state->rnr_naks;
    evidence->duplicates = counts.duplicates - state->duplicates;
    evidence->timeout_ps =
        transport_ack_timeout_ps(source->profile->rc.timeout_exponent);
    evidence->rnr_ps =
        transport_rnr_timer_ps(destination->profile->rc.rnr_timer);
    evidence->recovery_ps = source->profile->rc.recovery_delay_ps;
    evidence->clock_ps =
        larger(state->ends[0].clock_ps, state->ends[1].clock_ps);
    evidence->line_bps = (uint64_t)(source->profile->speed_mbps <
                                            destination->profile->speed_mbps
                                        ? source->profile->speed_mbps
                                        : destination->profile->speed_mbps) *
                         MBPS_TO_BPS;
    estats_explain_cnps(&state->cnp_state, evidence);
}

/* Ends the interval. */
static void
end(struct run_estats *estats)
{
    const struct run *run = estats->run;

    report_groups(estats, estats->groups, false);
    estats_groups_merge(estats->all, estats->groups);
    estats_groups_clear(estats->groups);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        if (run->flows[i].estats) {
            keep(estats, &run->flows[i]);
        }
    }
    estats->interval++;
}

static void
on_interval(struct event *event, int64_t now_ps)
{
    struct run_estats *estats = EVENT_OWNER(event, struct run_estats, timer);

    end(estats);
    begin(estats);
    engine_schedule(estats->run->engine, event,
                    now_ps + estats->run->scenario->record.estats.every_ps);
}

void
run_estats_begin__(struct run_estats *estats)
{
    estats->timer =
        event_make(EVENT_TIMER_OBSERVE, OBSERVE_ENTITY, 0, on_interval);
    engine_schedule(estats->run->engine, &estats->timer,
                    estats->run->scenario->record.estats.every_ps);
    begin(estats);
}

/* Findings ----------------------------------------------------------------- */

/* Reports 'finding' about 'row'. */
static void
report_side(const struct run_estats *estats, const struct estats_row *row,
            const struct estats_finding *finding)
{
    const struct sink *sink = estats->run->sink;
    const struct estats_evidence *evidence = &row->evidence;
    const struct estats_host *sender = estats_sender(evidence);
    const struct estats_host *receiver = estats_receiver(evidence);
    const struct sink_side side = {
        .flow = row->flow,
        .interval = row->interval,
        .start_ps = row->start_ps,
        .end_ps = row->end_ps,
        .side = estats_side_name(finding->side),
        .reason = estats_reason_text(finding->reason),
        .n = evidence->n,
        .latency_ps =
            evidence->n ? evidence->total_ps / (int64_t)evidence->n : 0,
        .ideal_ps = finding->parts_ps[ESTATS_SIDE_NONE],
        .sender_ps = finding->parts_ps[ESTATS_SIDE_SENDER],
        .network_ps = finding->parts_ps[ESTATS_SIDE_NETWORK],
        .receiver_ps = finding->parts_ps[ESTATS_SIDE_RECEIVER],
        .bytes = row->bytes,
        .retransmitted = row->retransmitted,
        .naks = evidence->naks,
        .rnr_naks = evidence->rnr_naks,
        .timeouts = evidence->timeouts,
        .cnps = evidence->cnps,
        .asked_ps = receiver->asked_ps,
        .obeyed_ps = sender->obeyed_ps,
        .clock_ps = evidence->clock_ps};

    if (sink->side_found) {
        sink->side_found(sink->context, &side);
    }
}

static void
add_pauses(struct estats_host *host, const struct estats_host *other)
{
    host->asked_ps += other->asked_ps;
    host->obeyed_ps += other->obeyed_ps;
}

/* Reports the intervals of 'flow', whose rows are each 'step'-th from 'row' on,
 * and all of them together. */
static void
report_flow(const struct run_estats *estats, const struct run_flow *flow,
            struct estats_row *row, size_t step, size_t n)
{
    struct estats_summary summary = {0};
    struct estats_finding finding;
    struct estats_row all = {.flow = flow->number, .interval = SINK_NONE};

    for (size_t i = 0; i < n; i++, row += step) {
        struct estats_evidence *evidence = &row->evidence;

        evidence->base_ps = flow->estats->pair->base_ps;
        estats_find(evidence, &finding);
        report_side(estats, row, &finding);
        estats_summary_add(&summary, &finding, evidence->n);
        all.end_ps = row->end_ps;
        all.bytes += row->bytes;
        all.retransmitted += row->retransmitted;
        all.evidence.is_read = evidence->is_read;
        add_pauses(&all.evidence.requester, &evidence->requester);
        add_pauses(&all.evidence.responder, &evidence->responder);
        all.evidence.n += evidence->n;
        all.evidence.total_ps += evidence->total_ps;
        all.evidence.naks += evidence->naks;
        all.evidence.rnr_naks += evidence->rnr_naks;
        all.evidence.timeouts += evidence->timeouts;
        all.evidence.cnps += evidence->cnps;
        all.evidence.clock_ps =
            larger(all.evidence.clock_ps, evidence->clock_ps);
    }
    estats_summary_get(&summary, &finding);
    report_side(estats, &all, &finding);
}

void
run_estats_report(struct run *run, struct results *results)
{
    struct run_estats *estats = run->estats;
    size_t n_flows, k = 0;

    if (!estats) {
        return;
    }
    if (run_now(run) > estats->start_ps || !estats->interval) {
        end(estats);
    }
    report_groups(estats, estats->all, true);
    n_flows = estats->n_rows / estats->interval;
    for (uint32_t i = 0; i < run->n_flows; i++) {
        if (run->flows[i].estats) {
            report_flow(estats, &run->flows[i], &estats->rows[k++], n_flows,
                        estats->interval);
        }
    }
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        const struct estats_host_state *host = &estats->hosts[i];
        const uint32_t node = run->topology->n_switches + i;

        results_add_counter(results, node, 0, SINK_NONE, "clock_error_ps",
                            (uint64_t)host->error_ps);
        results_add_counter(results, node, 0, SINK_NONE, "clock_bound_ps",
                            (uint64_t)host->bound_ps);
        results_add_counter(results, node, 0, SINK_NONE, "clock_beyond",
                            host->n_beyond);
    }
}
