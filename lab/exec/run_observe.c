/* SPDX-License-Identifier: Apache-2.0 */

/* What switches, adapters and links report while a run goes on: drops, marks,
 * pauses, and the paths of flows. */

#include <config.h>

#include <string.h>

#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "twin/forwarding/address.h"
#include "twin/qos/pause_frame.h"
#include "twin/transport/opcode.h"

/* Drops -------------------------------------------------------------------- */

static enum sink_drop_reason
reason_of(enum mmu_drop why)
{
    switch (why) {
    case MMU_HEADROOM:
    case MMU_HEADROOM_POOL:
        return SINK_DROP_HEADROOM;
    case MMU_WRED:
        return SINK_DROP_WRED;
    case MMU_DEADLOCK:
        return SINK_DROP_WATCHDOG;
    case MMU_FLUSHED:
    case MMU_ADMIN_DOWN:
        return SINK_DROP_LINK_DOWN;
    case MMU_AGED:
        return SINK_DROP_OTHER;
    default:
        return mmu_drop_is_egress(why) ? SINK_DROP_EGRESS : SINK_DROP_INGRESS;
    }
}

/* Reports 'drop' of 'frame'. */
static void
report_drop(struct run *run, const struct sink_drop *drop,
            const struct sim_frame *frame)
{
    run->n_drops++;
    run_rollout_note_drop(run, drop->reason);
    if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        run->dropped[drop->reason].frames++;
        run->dropped[drop->reason].bytes += frame->length_bytes;
    }
    if (run->sink->dropped) {
        run->sink->dropped(run->sink->context, drop);
    }
    if (drop->flow == SINK_NONE) {
        run_meet(run, RUN_BREAK_DROP, 0, "%s drops a frame: %s",
                 run->topology->nodes[drop->node].name,
                 sink_drop_reason_name(drop->reason));
    } else {
        run_meet(run, RUN_BREAK_DROP, 0, "%s drops a packet of flow %u: %s",
                 run->topology->nodes[drop->node].name,
                 (unsigned int)drop->flow, sink_drop_reason_name(drop->reason));
    }
}

/* Reports that 'frame' is dropped for 'reason' at port 'port' of 'node'. */
static void
note_drop(struct run *run, uint32_t node, uint32_t port, uint8_t priority,
          enum sink_drop_reason reason, const struct sim_frame *frame)
{
    const struct sink_drop drop = {.t_ps = run_now(run),
                                   .node = node,
                                   .port = port,
                                   .priority = priority,
                                   .reason = reason,
                                   .flow = run_flow_of(run, frame),
                                   .psn = frame->sequence,
                                   .bytes = frame->length_bytes};

    report_drop(run, &drop, frame);
}

/* A sim_drop_fn. */
static void
on_drop(void *context, uint32_t slot, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct run_switch *sw = context;

    (void)now_ps;
    note_drop(sw->run, sw->node, sw->ports[slot], frame->tc, reason_of(why),
              frame);
}

/* A sim_filter_fn. */
static void
on_filtered(void *context, uint32_t slot, enum sim_filter why,
            const struct sim_frame *frame, int64_t now_ps)
{
    static const enum sink_drop_reason reasons[] = {
        [SIM_FILTER_BRIDGE] = SINK_DROP_FILTERED,
        [SIM_FILTER_TRAP] = SINK_DROP_TRAPPED,
        [SIM_FILTER_ROUTE] = SINK_DROP_NO_ROUTE,
        [SIM_FILTER_TTL] = SINK_DROP_TTL,
        [SIM_FILTER_MTU] = SINK_DROP_MTU,
        [SIM_FILTER_PORT] = SINK_DROP_LINK_DOWN,
        [SIM_FILTER_ROUTER] = SINK_DROP_FILTERED,
        [SIM_FILTER_POLICER] = SINK_DROP_FILTERED,
        [SIM_FILTER_ACL] = SINK_DROP_FILTERED,
    };
    struct run_switch *sw = context;

    (void)now_ps;
    note_drop(sw->run, sw->node, sw->ports[slot], frame->tc, reasons[why],
              frame);
}

/* A nic_drop_fn. */
static void
on_fifo_drop(void *context, uint8_t priority, const struct sim_frame *frame,
             int64_t now_ps)
{
    struct run_host *host = context;

    (void)now_ps;
    note_drop(host->run, host->node, 0, priority,
              run_card_drops(host->card, priority) ? SINK_DROP_WATCHDOG
                                                   : SINK_DROP_RX_FIFO,
              frame);
}

/* Returns the priority with which 'node' has sent 'frame'. */
static uint8_t
priority_of(const struct run *run, uint32_t node, const struct sim_frame *frame)
{
    if (!run_is_host(run, node)) {
        return frame->tc;
    }
    return frame->dscp < 0
               ? 0
               : run_host(run, node)->profile->nic.rx_priorities[frame->dscp];
}

/* Port 'port' of 'node' finds a wrong FCS in 'frame'. */
static void
note_error(struct run *run, uint32_t node, uint32_t port,
           const struct sim_frame *frame)
{
    if (!run_is_host(run, node)) {
        const struct run_switch *sw = &run->switches[node];

        sim_port_note_error(switch_instance_sim(sw->instance), sw->slots[port]);
    }
    note_drop(run, node, port, frame->tc, SINK_DROP_FCS, frame);
}

/* A link_lost_fn. */
static void
on_lost(void *context, unsigned int end, enum link_loss why,
        const struct sim_frame *frame)
{
    static const enum sink_drop_reason reasons[] = {
        [LINK_LOSS_DOWN] = SINK_DROP_LINK_DOWN,
        [LINK_LOSS_MTU] = SINK_DROP_MTU,
        [LINK_LOSS_FAULT] = SINK_DROP_FAULT,
        [LINK_LOSS_MACSEC] = SINK_DROP_MACSEC,
        [LINK_LOSS_LLR] = SINK_DROP_LLR,
    };
    struct run_link *link = context;
    const struct topology_link *of = &link->run->topology->links[link->number];

    if (why == LINK_LOSS_FCS) {
        link->corrupt[end]++;
        note_error(link->run, of->node[1 - end], of->port[1 - end], frame);
        return;
    }
    link->missing[end] += why == LINK_LOSS_FAULT;
    note_drop(link->run, of->node[end], of->port[end],
              priority_of(link->run, of->node[end], frame), reasons[why],
              frame);
}

/* Marks -------------------------------------------------------------------- */

/* A sim_mark_fn. */
static void
on_mark(void *context, uint32_t slot, uint32_t index,
        const struct sim_frame *frame, uint64_t depth_bytes, int64_t now_ps)
{
    struct run_switch *sw = context;
    struct run *run = sw->run;

    run->n_marks++;
    if (run->depth) {
        histogram_add(run->depth, depth_bytes);
    }
    if (run->sink->marked) {
        run->sink->marked(run->sink->context,
                          &(struct sink_mark){.t_ps = now_ps,
                                              .node = sw->node,
                                              .port = sw->ports[slot],
                                              .queue = (uint8_t)index,
                                              .flow = run_flow_of(run, frame),
                                              .depth_bytes = depth_bytes});
    }
    run_meet(run, RUN_BREAK_MARK, 0, "%s marks a packet",
             run->topology->nodes[sw->node].name);
}

/* Pauses ------------------------------------------------------------------- */

/* Returns the port of 'sw' whose queue 'priority' is the longest, SINK_NONE if
 * all are empty. */
static uint32_t
find_congested(const struct run_switch *sw, uint8_t priority)
{
    const struct mmu *mmu = sim_mmu(switch_instance_sim(sw->instance));
    const uint32_t n = sw->run->topology->nodes[sw->node].n_ports;
    uint64_t most = 0;
    uint32_t found = SINK_NONE;

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t cells =
            mmu_queue_cells(mmu, mmu_queue_id(mmu, sw->slots[i], priority));

        if (cells > most) {
            most = cells;
            found = i;
        }
    }
    return found;
}

const struct run_pause *
run_pause_at(const struct run *run, uint32_t node, uint32_t port,
             uint8_t priority)
{
    const struct topology_port *to = topology_port(run->topology, node, port);
    const struct run_pause *pauses;

    if (!run_owns(run, to->peer)) {
        return NULL; /* run_relay.c knows it. */
    }
    if (!run_is_host(run, to->peer)) {
        pauses = run->switches[to->peer].pauses +
                 (size_t)to->peer_port * RUN_PRIORITIES;
    } else {
        pauses = run_host(run, to->peer)->pauses;
    }
    return pauses ? &pauses[priority] : NULL;
}

/* Begins 'pause', for which port 'port' of 'node' asks because of its egress
 * port 'congested' (SINK_NONE: for itself). */
static void
begin_pause(struct run *run, struct run_pause *pause, uint32_t node,
            uint32_t port, uint8_t priority, uint32_t congested)
{
    const struct topology_port *to = topology_port(run->topology, node, port);
    const struct run_pause *blocking =
        congested == SINK_NONE ? NULL
                               : run_pause_at(run, node, congested, priority);

    pause->id = run->last_pause++;
    pause->report =
        (struct sink_pause){.id = pause->id,
                            .node = to->peer,
                            .port = to->peer_port,
                            .by_node = node,
                            .by_port = port,
                            .priority = priority,
                            .start_ps = run_now(run),
                            .cause = blocking ? blocking->id : SINK_NO_PAUSE,
                            .congested_port = congested};
    run->n_pauses++;
    run->n_lasting++;
    run_estats_note_pause(run, &pause->report, true, run_now(run));
    if (run->sink->pause_started) {
        run->sink->pause_started(run->sink->context, &pause->report);
    }
    run_meet(run, RUN_BREAK_PAUSE, 0, "%s pauses priority %u of %s",
             run->topology->nodes[node].name, (unsigned int)priority,
             run->topology->nodes[to->peer].name);
}

static void
end_pause(struct run *run, struct run_pause *pause, int64_t now_ps)
{
    pause->report.end_ps = now_ps;
    run_estats_note_pause(run, &pause->report, false, now_ps);
    if (run->pause) {
        histogram_add(run->pause, (uint64_t)(now_ps - pause->report.start_ps));
    }
    if (run->sink->pause_ended) {
        run->sink->pause_ended(run->sink->context, &pause->report);
    }
    pause->id = SINK_NO_PAUSE;
    run->n_lasting--;
}

/* A sim_pfc_fn. */
static void
on_pfc(void *context, uint32_t slot, unsigned int priority, unsigned int quanta,
       int64_t now_ps)
{
    struct run_switch *sw = context;
    const uint32_t port = sw->ports[slot];
    struct run_pause *pause = &sw->pauses[port * RUN_PRIORITIES + priority];

    if (quanta && pause->id == SINK_NO_PAUSE) {
        begin_pause(sw->run, pause, sw->node, port, (uint8_t)priority,
                    pause->is_defect ? SINK_NONE
                                     : find_congested(sw, (uint8_t)priority));
    } else if (!quanta && pause->id != SINK_NO_PAUSE) {
        end_pause(sw->run, pause, now_ps);
    }
}

/* A nic_pfc_fn. */
static void
on_host_pfc(void *context, unsigned int priority, unsigned int quanta,
            int64_t now_ps)
{
    struct run_host *host = context;
    struct run_pause *pause = &host->pauses[priority];

    if (quanta) {
        run_card_note_frame(host->card, (uint8_t)priority, now_ps);
    }
    if (quanta && pause->id == SINK_NO_PAUSE) {
        begin_pause(host->run, pause, host->node, 0, (uint8_t)priority,
                    SINK_NONE);
    } else if (!quanta && pause->id != SINK_NO_PAUSE) {
        end_pause(host->run, pause, now_ps);
    }
}

/* Ends those of 'n' pauses that last. */
static void
end_pauses(struct run *run, struct run_pause *pauses, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (pauses[i].id != SINK_NO_PAUSE) {
            end_pause(run, &pauses[i], run_now(run));
        }
    }
}

void
run_observe_finish(struct run *run)
{
    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        end_pauses(run, run->switches[i].pauses,
                   run->switches[i].pauses
                       ? run->topology->nodes[i].n_ports * RUN_PRIORITIES
                       : 0);
    }
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        end_pauses(run, run->hosts[i].pauses,
                   run->hosts[i].pauses ? RUN_PRIORITIES : 0);
    }
}

/* Paths -------------------------------------------------------------------- */

void
run_flow_add_hop(struct run_flow *flow, uint32_t node, uint32_t port)
{
    for (uint8_t i = 0; i < flow->n_hops; i++) {
        if (flow->hops[i].node == node) {
            return;
        }
    }
    if (flow->n_hops < RUN_HOPS_MAX) {
        flow->hops[flow->n_hops++] = (struct run_hop){node, port};
    }
}

/* A sim_listener_fn: the first request or raw frame of each flow shows its
 * path.  It may be sent again. */
static void
on_sent(void *context, uint32_t slot, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct run_switch *sw = context;
    struct run *run = sw->run;
    const struct packet *packet;
    uint32_t number;
    struct run_flow *flow;

    (void)now_ps;
    if (frame->sequence != 0 ||
        (frame->opcode &&
         !transport_is_request((uint8_t)(frame->opcode - 1)))) {
        return;
    }
    number = run_flow_of(run, frame);
    if (number == SINK_NONE) {
        return;
    }
    flow = &run->flows[number];
    packet = &frame->payload->packet;
    /* Not what the destination sends, such as the echo of a ping. */
    if (address_equal(&packet->dst, &flow->headers[0]->packet.dst)) {
        run_flow_add_hop(flow, sw->node, sw->ports[slot]);
    }
}

void
run_observe(struct run_switch *sw)
{
    struct run *run = sw->run;
    const struct sim_listener listener = {
        .sent = run->scenario->record.paths ? on_sent : NULL,
        .pfc = on_pfc,
        .drop = on_drop,
        .filtered = on_filtered,
        .marked = on_mark,
        .learned = run_vlans_note_learned,
        .aged = run_vlans_note_aged,
        .context = sw};

    sim_set_listener(switch_instance_sim(sw->instance), &listener);
}

void
run_observe_host(struct run_host *host)
{
    const struct run_profile *profile = host->profile;
    const struct nic_listener listener = {.drop = on_fifo_drop,
                                          .pfc = on_host_pfc,
                                          .watchdog =
                                              run_watchdogs_note_adapter,
                                          .xoff = run_card_note,
                                          .context = host};

    /* Without an RX FIFO it neither drops nor pauses. */
    if (!profile->nic.pcie.lanes) {
        return;
    }
    host->pauses =
        arena_alloc(host->run->arena, RUN_PRIORITIES, sizeof *host->pauses);
    for (int i = 0; i < RUN_PRIORITIES; i++) {
        host->pauses[i].id = SINK_NO_PAUSE;
    }
    nic_set_port_listener(host->nic, &listener);
}

void
run_observe_end(struct run *run)
{
    for (uint32_t i = 0; run->links && i < run->topology->n_links; i++) {
        if (run->links[i]) {
            link_set_listener(run->links[i], NULL, NULL);
        }
    }
}

void
run_observe_link(struct run *run, uint32_t number)
{
    struct run_link *context = &run->observed[number];

    *context = (struct run_link){.run = run, .number = number};
    link_set_listener(run->links[number], on_lost, context);
}
