/* SPDX-License-Identifier: Apache-2.0 */

/* What switches report while a run goes on: drops, marks, pauses, and the paths
 * of flows. */

#include <config.h>

#include <string.h>

#include "lab/exec/run_state.h"
#include "twin/forwarding/address.h"
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

/* A sim_drop_fn. */
static void
on_drop(void *context, uint32_t slot, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct run_switch *sw = context;
    struct run *run = sw->run;
    const struct sink_drop drop = {.t_ps = now_ps,
                                   .node = sw->node,
                                   .port = sw->ports[slot],
                                   .priority = frame->tc,
                                   .reason = reason_of(why),
                                   .flow = run_flow_of(run, frame),
                                   .psn = frame->sequence,
                                   .bytes = frame->length_bytes};

    run->n_drops++;
    if (run->sink->dropped) {
        run->sink->dropped(run->sink->context, &drop);
    }
    run_meet(run, RUN_BREAK_DROP, 0, "%s drops a packet: %s",
             run->topology->nodes[sw->node].name,
             sink_drop_reason_name(drop.reason));
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

/* Returns the pause that holds 'priority' of port 'port' of 'sw', or
 * SINK_NO_PAUSE. */
static uint64_t
pause_at(const struct run_switch *sw, uint32_t port, uint8_t priority)
{
    const struct run *run = sw->run;
    const struct topology_port *to =
        topology_port(run->topology, sw->node, port);

    return run_is_host(run, to->peer)
               ? SINK_NO_PAUSE
               : run->switches[to->peer]
                     .pauses[to->peer_port * RUN_PRIORITIES + priority]
                     .id;
}

static void
begin_pause(struct run_switch *sw, struct run_pause *pause, uint32_t port,
            uint8_t priority, int64_t now_ps)
{
    struct run *run = sw->run;
    const struct topology_port *to =
        topology_port(run->topology, sw->node, port);
    const uint32_t congested = find_congested(sw, priority);

    pause->id = run->last_pause++;
    pause->report = (struct sink_pause){
        .id = pause->id,
        .node = to->peer,
        .port = to->peer_port,
        .by_node = sw->node,
        .by_port = port,
        .priority = priority,
        .start_ps = now_ps,
        .cause = congested == SINK_NONE ? SINK_NO_PAUSE
                                        : pause_at(sw, congested, priority),
        .congested_port = congested};
    run->n_pauses++;
    if (run->sink->pause_started) {
        run->sink->pause_started(run->sink->context, &pause->report);
    }
    run_meet(run, RUN_BREAK_PAUSE, 0, "%s pauses priority %u of %s",
             run->topology->nodes[sw->node].name, (unsigned int)priority,
             run->topology->nodes[to->peer].name);
}

static void
end_pause(struct run *run, struct run_pause *pause, int64_t now_ps)
{
    pause->report.end_ps = now_ps;
    if (run->pause) {
        histogram_add(run->pause, (uint64_t)(now_ps - pause->report.start_ps));
    }
    if (run->sink->pause_ended) {
        run->sink->pause_ended(run->sink->context, &pause->report);
    }
    pause->id = SINK_NO_PAUSE;
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
        begin_pause(sw, pause, port, (uint8_t)priority, now_ps);
    } else if (!quanta && pause->id != SINK_NO_PAUSE) {
        end_pause(sw->run, pause, now_ps);
    }
}

void
run_observe_finish(struct run *run)
{
    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        struct run_switch *sw = &run->switches[i];
        const uint32_t n =
            run->topology->nodes[sw->node].n_ports * RUN_PRIORITIES;

        for (uint32_t k = 0; k < n; k++) {
            if (sw->pauses[k].id != SINK_NO_PAUSE) {
                end_pause(run, &sw->pauses[k], run_now(run));
            }
        }
    }
}

/* Paths -------------------------------------------------------------------- */

/* Returns whether 'flow' has passed 'node'. */
static bool
has_passed(const struct run_flow *flow, uint32_t node)
{
    for (uint8_t i = 0; i < flow->n_hops; i++) {
        if (flow->hops[i].node == node) {
            return true;
        }
    }
    return false;
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
    if (address_equal(&packet->dst, &flow->headers[0]->packet.dst) &&
        flow->n_hops < RUN_HOPS_MAX && !has_passed(flow, sw->node)) {
        flow->hops[flow->n_hops++] =
            (struct run_hop){sw->node, sw->ports[slot]};
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
        .marked = on_mark,
        .context = sw};

    sim_set_listener(switch_instance_sim(sw->instance), &listener);
}
