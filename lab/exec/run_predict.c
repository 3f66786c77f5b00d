/* SPDX-License-Identifier: Apache-2.0 */

/* What theory (lab/oracle) says of a buffer that raw frames fill.
 *
 *   pfc_point      when a queue that raw frames fill from n ports of its
 *                  switch makes their PGs pause, for the queue; PGs of one
 *                  partition of the buffer share its memory
 *   first_mark     when the same queue is expected to mark first, if it does
 *                  before that
 *   headroom       what each of these PGs needs of its headroom, in bytes of
 *                  the buffer: what arrives after it asks for a pause, less
 *                  what leaves meanwhile */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"
#include "lab/oracle/buffer.h"
#include "lab/oracle/delay.h"
#include "lab/oracle/marking.h"
#include "twin/qos/wred.h"

enum {
    OBJECT_SIZE = 96,
    WIRE_BYTES = 20, /* Preamble and gap. */
    FCS_BYTES = 4,
    PAUSE_BYTES = 84, /* On the wire. */
};

/* How long a queue that does not pause is followed: 10 ms. */
#define NO_PAUSE_PS 1e10

/* Equal streams of frames into one queue of a switch. */
struct filling {
    const struct run_switch *sw;
    uint32_t slot; /* Of one of the ports that receive. */
    uint32_t out_port;
    uint32_t n;          /* Streams. */
    uint32_t together;   /* Most of them in one partition of the buffer. */
    uint32_t wire_bytes; /* Of a frame. */
    uint64_t in_bps, out_bps;
    int64_t arrival_ps; /* Of the first frames. */
};

/* Returns how many streams of 'traffic' are in the partition of 'sw' that has
 * most of them. */
static uint32_t
most_together(const struct run *run, const struct traffic_spec *traffic,
              const struct run_switch *sw)
{
    const struct mmu *mmu = sim_mmu(switch_instance_sim(sw->instance));
    uint32_t *n = check_calloc(mmu_chip(mmu)->partitions, sizeof *n);
    uint32_t most = 0;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        uint32_t *of;

        if (flow->traffic == traffic) {
            of = &n[mmu_port_partition(
                mmu, sw->slots[topology_port(run->topology, flow->source, 0)
                                   ->peer_port])];
            ++*of;
            most = *of > most ? *of : most;
        }
    }
    free(n);
    return most;
}

/* Fills '*filling' from 'traffic'; returns false if it is something else. */
static bool
find_filling(const struct run *run, const struct traffic_spec *traffic,
             struct filling *filling)
{
    *filling = (struct filling){.wire_bytes = (uint32_t)traffic->frame_bytes +
                                              WIRE_BYTES};
    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        const struct topology_port *from, *to;
        const struct topology_link *link;

        if (flow->traffic != traffic) {
            continue;
        }
        from = topology_port(run->topology, flow->source, 0);
        to = topology_port(run->topology, flow->destination, 0);
        link = run_link_at(run, flow->source, 0);
        if (from->peer != to->peer) {
            return false;
        }
        filling->sw = &run->switches[to->peer];
        filling->slot = filling->sw->slots[from->peer_port];
        filling->out_port = to->peer_port;
        filling->n++;
        filling->in_bps = link->rate_bps;
        filling->out_bps = run_link_at(run, flow->destination, 0)->rate_bps;
        filling->arrival_ps =
            delay_send_ps(filling->wire_bytes, link->rate_bps) +
            (int64_t)link->length_mm * DELAY_PS_PER_MM;
    }
    if (filling->n && run_owns(run, filling->sw->node)) {
        filling->together = most_together(run, traffic, filling->sw);
    }
    return filling->n * filling->in_bps > filling->out_bps;
}

/* Returns when the first PGs of 'filling' pause.  With b = (speed out) / (n *
 * speed in), each holds k - (k - 1) b frames when the k-th of each has arrived.
 */
static double
pause_ps(const struct filling *filling, uint8_t priority)
{
    struct sim *sim = switch_instance_sim(filling->sw->instance);
    const struct chip *chip =
        switch_image_chip(filling->sw->run->image_of[filling->sw->node]);
    const double out = (double)filling->out_bps /
                       ((double)filling->n * (double)filling->in_bps);
    const struct mmu *mmu = sim_mmu(sim);
    const uint32_t id = mmu_pg_id(mmu, filling->slot, priority);
    const uint32_t profile = mmu_pg_profile(mmu, id);
    struct mmu_pg_stats pg;
    struct mmu_pool_stats pool;
    double frames, cells;

    mmu_pg_get(mmu, id, &pg);
    if (profile == MMU_NONE || !pg.headroom_limit || pg.limit == UINT64_MAX ||
        mmu_pool_get(mmu, mmu_profile_pool(mmu, profile), &pool)) {
        return -1;
    }
    cells = (double)pg.guarantee +
            (double)buffer_pg_point(
                pool.shared_limit, filling->together,
                (struct buffer_alpha){(uint32_t)pg.limit,
                                      (uint32_t)pool.shared_limit});
    frames = cells / chip_packet_cells(chip, filling->wire_bytes - WIRE_BYTES -
                                                 FCS_BYTES);
    return (double)filling->arrival_ps +
           ((frames - out) / (1 - out) - 1) *
               (double)delay_send_ps(filling->wire_bytes, filling->in_bps);
}

/* Returns when the queue of 'filling' is expected to mark first, INFINITY if it
 * may not before 'until_ps', or if its profile has an average. */
static double
mark_ps(const struct filling *filling, uint8_t priority, double until_ps)
{
    const struct run_switch *sw = filling->sw;
    const struct chip *chip = switch_image_chip(sw->run->image_of[sw->node]);
    const struct wred_profile *profile =
        sim_queue_get_wred(switch_instance_sim(sw->instance),
                           sw->slots[filling->out_port], priority);
    const struct wred_color *color = profile ? &profile->colors[0] : NULL;

    if (!color || !color->marks || profile->weight || profile->gentle) {
        return INFINITY;
    }
    return marking_first_ps(&(struct marking_queue){
        .n = filling->n,
        .first_ps = filling->arrival_ps,
        .in_ps = delay_send_ps(filling->wire_bytes, filling->in_bps),
        .out_ps = delay_send_ps(filling->wire_bytes, filling->out_bps),
        .frame_bytes = chip_cells_to_bytes(
            chip, chip_packet_cells(chip, filling->wire_bytes - WIRE_BYTES -
                                              FCS_BYTES)),
        .kmin_bytes = color->mark.min_bytes,
        .kmax_bytes = color->mark.max_bytes,
        .pmax = color->mark.percent / 100.0,
        .at_departure = chip->ecn_mark_at == CHIP_ECN_MARK_DEQUEUE,
        .until_ps = until_ps});
}

/* Returns the bytes of headroom that the PG of 'flow' of 'filling' needs.  Its
 * port sends nothing but the pause frame, and the sender has just begun a
 * frame: so N frames arrive, of N F of time, in which the queue sends its share
 * of them. */
static double
headroom_bytes(const struct run *run, const struct run_flow *flow,
               const struct filling *filling)
{
    const struct run_profile *profile = run_host(run, flow->source)->profile;
    const struct topology_link *link = run_link_at(run, flow->source, 0);
    const struct buffer_link lossless = {.rate_bps = link->rate_bps,
                                         .length_mm = link->length_mm,
                                         .response_ps =
                                             profile->nic.pause_response_ps,
                                         .pause_bytes = PAUSE_BYTES,
                                         .peer_bytes = filling->wire_bytes};
    const struct chip *chip =
        switch_image_chip(run->image_of[filling->sw->node]);
    const double frames =
        ceil((double)buffer_headroom_bytes(&lossless) / filling->wire_bytes) -
        1;
    const double leave = (double)filling->out_bps /
                         ((double)filling->n * (double)filling->in_bps);

    return frames * (1 - leave) *
           (double)chip_cells_to_bytes(
               chip, chip_packet_cells(chip, filling->wire_bytes - WIRE_BYTES -
                                                 FCS_BYTES));
}

/* Writes the name of port 'number' of 'sw', with 'priority' behind it, as that
 * of a metric into 'object'. */
static void
name_class(const struct run_switch *sw, uint32_t number, unsigned int priority,
           char object[OBJECT_SIZE])
{
    size_t n;

    (void)snprintf(
        object, OBJECT_SIZE, "%s %s|%u",
        sw->run->topology->nodes[sw->node].name,
        switch_image_ports(sw->run->image_of[sw->node], &n)[number].name,
        priority);
}

/* Adds the headroom of all PGs of 'filling' whose senders obey pauses. */
static void
add_headroom(const struct run *run, const struct traffic_spec *traffic,
             const struct filling *filling, struct results *results)
{
    const unsigned int priority = (unsigned int)traffic->priority;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        char object[OBJECT_SIZE];

        if (flow->traffic == traffic &&
            run_host(run, flow->source)->profile->nic.pfc_rx >> priority & 1) {
            name_class(filling->sw,
                       topology_port(run->topology, flow->source, 0)->peer_port,
                       priority, object);
            results_add_oracle(results, "headroom", object,
                               headroom_bytes(run, flow, filling));
        }
    }
}

/* Adds oracle 'name' of the queue of 'filling', a time. */
static void
add_filling(const struct filling *filling, unsigned int priority,
            const char *name, double ps, struct results *results)
{
    char object[OBJECT_SIZE];

    name_class(filling->sw, filling->out_port, priority, object);
    results_add_oracle(results, name, object, ps / (double)PS_PER_S);
}

void
run_oracles_predict(const struct run *run, struct results *results)
{
    if (run->has_macsec || run->has_credits) {
        return;
    }
    for (size_t i = 0; i < run->scenario->n_traffic; i++) {
        const struct traffic_spec *traffic = &run->scenario->traffic[i];
        const unsigned int priority = (unsigned int)traffic->priority;
        struct filling filling;
        double pauses_ps, marks_ps;

        if (traffic->kind != TRAFFIC_RAW || traffic->rate_bps ||
            traffic->pattern != TRAFFIC_PATTERN_INCAST || traffic->start_ps ||
            traffic->jitter_ps || !find_filling(run, traffic, &filling) ||
            !run_owns(run, filling.sw->node)) {
            continue;
        }
        pauses_ps = pause_ps(&filling, (uint8_t)priority);
        marks_ps = mark_ps(&filling, (uint8_t)priority,
                           pauses_ps < 0 ? NO_PAUSE_PS : pauses_ps);
        if (pauses_ps >= 0) {
            add_filling(&filling, priority, "pfc_point", pauses_ps, results);
            add_headroom(run, traffic, &filling, results);
        }
        if (isfinite(marks_ps)) {
            add_filling(&filling, priority, "first_mark", marks_ps, results);
        }
    }
}
