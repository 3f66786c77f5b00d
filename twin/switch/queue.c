/* SPDX-License-Identifier: Apache-2.0 */

/* WRED, ECN marking, delay, and counters by color of the queues. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "twin/switch/delays.h"
#include "twin/switch/sim_state.h"

enum { ECN_NOT_ECT = 0, ECN_CE = 3 };

struct classify_headers
sim_headers__(const struct sim_frame *frame)
{
    return (struct classify_headers){
        .dscp = frame->dscp,
        .exp = frame->has & SIM_HAS_LABEL ? (int8_t)frame->exp : -1,
        .dot1p = frame->tag || (frame->has & SIM_HAS_TAG) ? (int8_t)frame->dot1p
                                                          : -1,
    };
}

/* Returns the WRED decision of queue 'id' on 'frame', by the current length of
 * the queue. */
static enum wred_verdict
judge(struct sim *sim, uint32_t id, const struct sim_frame *frame)
{
    struct sim_queue *queue = &sim->queue_states[id];
    const uint64_t length =
        chip_cells_to_bytes(sim->chip, mmu_queue_cells(sim->mmu, id));

    return wred_judge(queue->wred, frame->color, frame->ecn != ECN_NOT_ECT,
                      wred_average(&queue->average, queue->wred, length),
                      &sim->cold[id / sim->chip->queues_per_port].random);
}

/* Returns whether 'queue' marks 'frame' instead of dropping it. */
static bool
is_markable(const struct sim_queue *queue, const struct sim_frame *frame)
{
    return frame->ecn != ECN_NOT_ECT && queue->wred->colors[frame->color].marks;
}

/* Marks 'frame' in queue 'id' as CE, counts it, and notifies the listener. */
static void
mark(struct sim *sim, uint32_t id, struct sim_frame *frame)
{
    struct sim_queue *queue = &sim->queue_states[id];

    frame->ecn = ECN_CE;
    if (frame->color == CLASSIFY_GREEN) {
        queue->marked_packets++;
        queue->marked_bytes += frame->length_bytes;
    } else {
        struct sim_queue_color *more = sim_queue_more__(queue, frame->color);

        more->marked_packets++;
        more->marked_bytes += frame->length_bytes;
    }
    if (sim->listener.marked) {
        const uint32_t per_port = sim->chip->queues_per_port;

        sim->listener.marked(
            sim->listener.context, id / per_port, id % per_port, frame,
            chip_cells_to_bytes(sim->chip, mmu_queue_cells(sim->mmu, id)),
            sim_now_ps(sim));
    }
}

enum wred_verdict
sim_queue_arrive__(struct sim *sim, uint32_t id, const struct sim_frame *frame)
{
    const struct sim_queue *queue = &sim->queue_states[id];

    if (!queue->wred || (sim->marks_late && is_markable(queue, frame))) {
        return WRED_PASS;
    }
    return judge(sim, id, frame);
}

void
sim_queue_mark__(struct sim *sim, uint32_t id, struct sim_frame *frame)
{
    mark(sim, id, frame);
}

void
sim_queue_note_drop__(struct sim *sim, uint32_t id, bool by_wred,
                      const struct sim_frame *frame)
{
    struct sim_queue_color *stats =
        sim_queue_more__(&sim->queue_states[id], frame->color);

    stats->dropped_packets++;
    stats->dropped_bytes += frame->length_bytes;
    if (by_wred) {
        stats->wred_dropped_packets++;
        stats->wred_dropped_bytes += frame->length_bytes;
    }
}

void
sim_queue_note_delay__(struct sim *sim, uint32_t id, int64_t delay_ps)
{
    if (!sim->delays[id]) {
        sim->delays[id] = delays_create();
    }
    delays_add(sim->delays[id], delay_ps);
}

void
sim_queue_forget_delays__(struct sim *sim, uint32_t id)
{
    if (sim->has_delays) {
        free(sim->delays[id]);
        sim->delays[id] = NULL;
    }
}

void
sim_queue_mark_late__(struct sim *sim, uint32_t id, struct sim_frame *frame)
{
    struct sim_queue *queue = &sim->queue_states[id];

    if (sim->marks_late && is_markable(queue, frame) &&
        judge(sim, id, frame) == WRED_MARK) {
        mark(sim, id, frame);
    }
}

struct sim_queue_color *
sim_queue_more__(struct sim_queue *queue, unsigned int color)
{
    if (!queue->more) {
        queue->more = check_calloc(CLASSIFY_COLORS, sizeof *queue->more);
    }
    return &queue->more[color];
}

bool
sim_rewrites__(const struct sim_port *port)
{
    const struct classify_rules *base = &port->sim->rules;
    const struct classify_rules *rules = &port->cold->rules;

    return rules->to_dscp || rules->to_dot1p || rules->to_exp ||
           base->to_dscp || base->to_dot1p || base->to_exp;
}

void
sim_rewrite__(const struct sim_port *port, struct sim_frame *frame)
{
    const struct classify_rules *base = &port->sim->rules;
    const struct classify_rules *rules = &port->cold->rules;
    struct classify_headers headers;

    headers = sim_headers__(frame);
    classify_rewrite(base, rules,
                     (struct classify_verdict){frame->tc, frame->color},
                     &headers);
    frame->dscp = headers.dscp;
    if (headers.exp >= 0) {
        frame->exp = (uint8_t)headers.exp & 7u;
    }
    if (headers.dot1p >= 0) {
        frame->dot1p = (uint8_t)headers.dot1p & 7u;
    }
}

/* Configuration and reading ------------------------------------------- */

/* Returns the state of queue 'index' of 'port', NULL if there is none. */
static struct sim_queue *
find(const struct sim *sim, uint32_t port, uint32_t index)
{
    return sim_port_find__(sim, port) && index < sim->chip->queues_per_port
               ? &sim->queue_states[mmu_queue_id(sim->mmu, port, index)]
               : NULL;
}

enum st
sim_queue_set_wred(struct sim *sim, uint32_t port, uint32_t index,
                   const struct wred_profile *profile)
{
    struct sim_queue *queue = find(sim, port, index);

    if (!queue) {
        return ST_NOT_FOUND;
    }
    queue->wred = profile;
    queue->average = (struct wred_queue){0};
    return ST_OK;
}

const struct wred_profile *
sim_queue_get_wred(const struct sim *sim, uint32_t port, uint32_t index)
{
    const struct sim_queue *queue = find(sim, port, index);

    return queue ? queue->wred : NULL;
}

enum st
sim_queue_get_stats(const struct sim *sim, uint32_t port, uint32_t index,
                    struct sim_queue_stats *stats)
{
    const struct sim_queue *queue = find(sim, port, index);

    if (!queue) {
        return ST_NOT_FOUND;
    }
    sim_catch_up__(&sim->ports[port]);
    *stats = (struct sim_queue_stats){.delay_watermark_ps =
                                          queue->delay_watermark_ps};
    if (queue->more) {
        memcpy(stats->colors, queue->more, sizeof stats->colors);
    }
    stats->colors[CLASSIFY_GREEN].packets += queue->packets;
    stats->colors[CLASSIFY_GREEN].bytes += queue->bytes;
    stats->colors[CLASSIFY_GREEN].marked_packets += queue->marked_packets;
    stats->colors[CLASSIFY_GREEN].marked_bytes += queue->marked_bytes;
    return ST_OK;
}

enum st
sim_queue_clear_delay(struct sim *sim, uint32_t port, uint32_t index)
{
    struct sim_queue *queue = find(sim, port, index);

    if (!queue) {
        return ST_NOT_FOUND;
    }
    queue->delay_watermark_ps = 0;
    sim_queue_forget_delays__(sim, mmu_queue_id(sim->mmu, port, index));
    return ST_OK;
}

enum st
sim_queue_get_delays(const struct sim *sim, uint32_t port, uint32_t index,
                     struct sim_queue_delays *delays)
{
    const struct sim_queue *queue = find(sim, port, index);
    const struct delays *measured;

    if (!queue) {
        return ST_NOT_FOUND;
    }
    sim_catch_up__(&sim->ports[port]);
    measured = sim->has_delays
                   ? sim->delays[mmu_queue_id(sim->mmu, port, index)]
                   : NULL;
    *delays = (struct sim_queue_delays){
        .is_known = measured != NULL,
        .p50_ps =
            delays_percentile_ps(measured, 500000, queue->delay_watermark_ps),
        .p99_ps =
            delays_percentile_ps(measured, 990000, queue->delay_watermark_ps),
        .max_ps = queue->delay_watermark_ps,
    };
    return ST_OK;
}

bool
sim_queue_is_paused(const struct sim *sim, uint32_t id, uint32_t index)
{
    const struct sim_port *port = sim_port_find__(sim, id);

    return port && index < sim->chip->queues_per_port &&
           (port->cold->receiver.all_paused ||
            (classify_paused_queues(&port->cold->rules,
                                    port->cold->receiver.paused) >>
                 index &
             1));
}

struct scheduler *
sim_port_scheduler(struct sim *sim, uint32_t id)
{
    struct sim_port *port = sim_port_find__(sim, id);

    return port ? port->scheduler : NULL;
}

void
sim_port_wake(struct sim *sim, uint32_t id)
{
    struct sim_port *port = sim_port_find__(sim, id);

    sim->changes++;
    if (port) {
        sim_pause_update__(port);
        sim_transmit__(port);
    }
}
