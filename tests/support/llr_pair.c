/* SPDX-License-Identifier: Apache-2.0 */

/* Two MACs on a link with link-level retry. */

#include <config.h>

#include "tests/support/llr_pair.h"

#include "base/check.h"
#include "base/pfc.h"
#include "twin/forwarding/frame_pool.h"

enum { ENTITY = 10, MTU_BYTES = 9216, PAUSE_BYTES = 60 };

const struct llr_profile llr_pair_profile = {
    .max_frames = LLR_MAX_FRAMES,
    .max_bytes = UINT32_MAX,
    .replay_timer_ps = 10000000,
    .max_replays = LLR_REPLAY_ENDLESS,
    .in_init = LLR_BEST_EFFORT,
    .in_flush = LLR_BEST_EFFORT,
    .reinit = true,
    .spacing_bytes = 2048,
};

static struct wire *
out_wire(struct llr_pair *pair, unsigned int end)
{
    return link_wire(link_sender(pair->link, end));
}

/* Sends the next frame of 'mac', if it has one and may. */
static void
start(struct llr_mac *mac)
{
    struct llr_pair *pair = mac->pair;
    struct frame_pool *pool = frame_pool_of(pair->engine);
    const bool is_control = mac->pauses > 0;
    struct sim_frame frame = {.length_bytes = mac->length_bytes, .dscp = -1};
    int64_t end_ps = engine_now_ps(pair->engine), left_ps;
    uint32_t index;

    if (mac->is_busy || (!is_control && (mac->is_held || !mac->to_send))) {
        return;
    }
    if (is_control) {
        mac->pauses--;
        frame.dst_mac = PAUSE_FRAME_ADDRESS;
        frame.length_bytes = PAUSE_BYTES;
    } else {
        mac->to_send--;
        frame.sequence = (uint32_t)mac->sent++;
    }
    index = frame_copy(pool, &frame);
    end_ps += frame_wire_ps(frame.length_bytes, pair->speed_mbps);
    left_ps = wire_send(out_wire(pair, mac->index), pair->engine, pool, index,
                        end_ps);
    if (left_ps == WIRE_LOST) {
        frame_give(pool, index);
    }
    mac->is_busy = true;
    engine_post(pair->engine, left_ps == WIRE_LOST ? end_ps : left_ps,
                EVENT_TX_END, ENTITY + mac->index, 0);
}

/* A link_hold_fn. */
static void
hold(void *context, uint32_t port, bool is_held)
{
    struct llr_mac *mac = context;

    orch_assert(port == mac->index);
    mac->is_held = is_held;
    if (!is_held) {
        start(mac);
    }
}

/* Frame 'index' has arrived at 'mac'. */
static void
arrive(struct llr_mac *mac, uint32_t index)
{
    struct llr_pair *pair = mac->pair;
    struct frame_pool *pool = frame_pool_of(pair->engine);
    struct wire *wire = out_wire(pair, 1 - mac->index);
    const struct sim_frame *frame = frame_at(pool, index);

    if (wire_lands(wire, frame)) {
        wire->delivered++;
        if (frame->dst_mac == PAUSE_FRAME_ADDRESS) {
            mac->received_pauses++;
        } else if ((int32_t)(frame->sequence - mac->next) < 0) {
            mac->disorder++;
        } else {
            mac->gaps += frame->sequence - mac->next;
            mac->next = frame->sequence + 1;
            mac->received++;
            mac->last_ps = engine_now_ps(pair->engine);
        }
    }
    frame_give(pool, index);
}

/* An engine_loop_fn. */
static uint64_t
loop(void *context, struct engine *engine, int64_t until_ps, uint64_t most)
{
    struct llr_pair *pair = context;
    enum engine_next next;
    struct post post;
    uint64_t n = 0;

    while (n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
        struct llr_mac *mac;

        n++;
        if (next == ENGINE_TIMER) {
            engine_fire(engine);
            continue;
        }
        mac = &pair->macs[event_entity(post.order) - ENTITY];
        if (event_class(post.order) == EVENT_ARRIVE) {
            arrive(mac, event_arg(post.order));
        } else {
            mac->is_busy = false;
            start(mac);
        }
    }
    return n;
}

/* A link_lost_fn. */
static void
on_lost(void *context, unsigned int end, enum link_loss why,
        const struct sim_frame *frame)
{
    struct llr_pair *pair = context;

    if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        pair->macs[end].lost++;
        pair->macs[end].why = why;
    }
}

/* A link_flushed_fn. */
static void
on_flushed(void *context, unsigned int end)
{
    struct llr_pair *pair = context;

    pair->macs[end].flushes++;
}

void
llr_pair_set(struct llr_pair *pair, unsigned int end, bool sends, bool receives,
             const struct llr_profile *profile, uint32_t first)
{
    const struct llr_port port = {.sends = sends,
                                  .receives = receives,
                                  .profile = *profile,
                                  .first_number = first,
                                  .speed_mbps = pair->speed_mbps,
                                  .mtu_bytes = MTU_BYTES};

    llr_set_port(pair->llr, end, &port);
}

void
llr_pair_init(struct llr_pair *pair, uint32_t speed_mbps, uint32_t length_m,
              const struct llr_profile *profile)
{
    *pair =
        (struct llr_pair){.engine = engine_create(), .speed_mbps = speed_mbps};
    engine_set_loop(pair->engine, loop, pair);
    pair->link = link_create(
        pair->engine,
        &(struct link_config){
            .length_m = length_m,
            .mtu_bytes = MTU_BYTES,
            .ends = {{.entity = ENTITY, .class = EVENT_ARRIVE},
                     {.entity = ENTITY + 1, .class = EVENT_ARRIVE}}});
    link_set_listener(pair->link, on_lost, pair);
    link_set_flushed(pair->link, on_flushed, pair);
    for (unsigned int i = 0; i < 2; i++) {
        struct llr_mac *mac = &pair->macs[i];

        mac->pair = pair;
        mac->index = i;
        link_set_hold(pair->link, i, hold, mac, i);
    }
    if (profile) {
        pair->llr = link_llr(pair->link);
        llr_pair_set(pair, 0, true, true, profile, 0);
        llr_pair_set(pair, 1, true, true, profile, 0);
        /* INIT was sent before the peer received, so once more. */
        llr_pair_run(pair, 2 * LLR_INIT_PERIOD_PS);
        for (unsigned int i = 0; i < 2; i++) {
            llr_clear_stats(pair->llr, i);
        }
    }
}

void
llr_pair_fini(struct llr_pair *pair)
{
    link_destroy(pair->link);
    engine_destroy(pair->engine);
}

void
llr_pair_send(struct llr_pair *pair, unsigned int end, uint64_t n,
              uint32_t length_bytes)
{
    pair->macs[end].to_send += n;
    pair->macs[end].length_bytes = length_bytes;
    start(&pair->macs[end]);
}

void
llr_pair_pause(struct llr_pair *pair, unsigned int end, uint32_t n)
{
    pair->macs[end].pauses += n;
    start(&pair->macs[end]);
}

void
llr_pair_run(struct llr_pair *pair, int64_t ps)
{
    engine_run_until(pair->engine, engine_now_ps(pair->engine) + ps);
}

struct llr_stats
llr_pair_stats(struct llr_pair *pair, unsigned int end)
{
    struct llr_stats stats;

    llr_get_stats(pair->llr, end, &stats);
    return stats;
}

/* Checks what end 'end' has sent. */
static const char *
check_end(struct llr_pair *pair, unsigned int end)
{
    const struct llr_mac *to = &pair->macs[1 - end];
    struct llr_mac *mac = &pair->macs[end];
    struct llr_amounts amounts = {0};
    struct link_stats stats;

    link_get_stats(pair->link, end, &stats);
    if (stats.sent != stats.delivered + stats.lost + stats.in_flight) {
        return "the statistics of the link do not balance";
    }
    if (pair->llr) {
        llr_get_amounts(pair->llr, end, &amounts);
    }
    if (to->disorder) {
        return "a frame came twice, or too late";
    }
    /* Frames without a number are in the books of the wire. */
    if (!stats.in_flight &&
        mac->sent != to->received + mac->lost + amounts.owed_frames) {
        return "a frame is neither received nor reported nor owed";
    }
    if (to->gaps > mac->lost) {
        return "a frame is missing";
    }
    return NULL;
}

const char *
llr_pair_check(struct llr_pair *pair)
{
    const char *wrong = check_end(pair, 0);

    return wrong ? wrong : check_end(pair, 1);
}
