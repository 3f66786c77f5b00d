/* SPDX-License-Identifier: Apache-2.0 */

/* Link-level retry: ends, timers, and what the link calls. */

#include <config.h>

#include "twin/link/llr.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/link/llr_state.h"

void
llr_ring_grow__(struct llr_ring *ring, size_t item_size)
{
    const uint32_t size = ring->size ? 2 * ring->size : 16;
    char *items = check_calloc(size, item_size);
    const char *old = ring->items;

    for (uint32_t i = ring->first; i != ring->next; i++) {
        memcpy(items + (i & (size - 1)) * item_size,
               old + (i & (ring->size - 1)) * item_size, item_size);
    }
    free(ring->items);
    ring->items = items;
    ring->size = size;
}

/* Timers ---------------------------------------------------------------- */

static int64_t
earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns when 'limit_ps' (0: never) after 'since_ps' is over. */
static int64_t
deadline(int64_t since_ps, int64_t limit_ps)
{
    return limit_ps ? since_ps + limit_ps : EVENT_NEVER;
}

/* Returns whether something is outstanding. */
static bool
is_waiting(const struct llr_end *end)
{
    return llr_ring_n(&end->records) > 0;
}

/* Returns when the oldest copy of 'end' is too old. */
static int64_t
age_ps(const struct llr_end *end)
{
    return is_waiting(end) ? deadline(LLR_ITEM(struct llr_record, end->records,
                                               end->records.first)
                                          ->sent_ps,
                                      end->port.profile.age_timeout_ps)
                           : EVENT_NEVER;
}

/* Returns when 'end' has seen no progress for too long. */
static int64_t
stuck_ps(const struct llr_end *end)
{
    return end->tx_state == LLR_TX_ADVANCE && is_waiting(end) && end->llr->is_up
               ? deadline(end->progress_ps, end->port.profile.replay_timer_ps)
               : EVENT_NEVER;
}

/* Returns when the link of 'end', which has numbered frames, is down for too
 * long. */
static int64_t
lost_ps(const struct llr_end *end)
{
    const bool is_active =
        end->tx_state == LLR_TX_ADVANCE || end->tx_state == LLR_TX_REPLAY;

    return is_active && !end->llr->is_up
               ? deadline(end->llr->down_ps, end->port.profile.pcs_timeout_ps)
               : EVENT_NEVER;
}

/* Returns when the first ordered set arrives for which 'end' has to be there:
 * an ACK only if it 'waits'. */
static int64_t
set_ps(struct llr_end *end, bool waits)
{
    const struct llr_end *peer = llr_peer(end);
    int64_t first_ps = EVENT_NEVER;

    for (uint32_t i = end->sets.first; i != end->sets.next; i++) {
        const struct llr_set *set = LLR_ITEM(struct llr_set, end->sets, i);

        if (waits || set->kind != LLR_ACK) {
            return set->arrives_ps;
        }
    }
    if (waits && peer->ack_ps != EVENT_NEVER) {
        first_ps = peer->ack_ps + peer->set_ps + end->llr->delay_ps;
    }
    return first_ps;
}

void
llr_arm__(struct llr_end *end)
{
    const bool waits = end->tx_state == LLR_TX_ADVANCE && llr_is_full__(end);
    const int64_t now_ps = llr_now(end);
    int64_t next_ps = set_ps(end, waits);

    next_ps = earlier(next_ps, age_ps(end));
    next_ps = earlier(next_ps, stuck_ps(end));
    next_ps = earlier(next_ps, lost_ps(end));
    if (end->llr->is_up && end->tx_state == LLR_TX_INIT) {
        next_ps = earlier(next_ps, end->next_init_ps);
    }
    if (end->llr->is_up && end->tx_state == LLR_TX_REPLAY) {
        next_ps = earlier(next_ps, end->busy_until_ps);
    }
    if (next_ps == EVENT_NEVER) {
        engine_cancel(end->llr->engine, &end->timer);
    } else {
        engine_schedule(end->llr->engine, &end->timer,
                        next_ps > now_ps ? next_ps : now_ps);
    }
}

/* Returns whether the MAC of 'end' may start no frame. */
static bool
must_hold(const struct llr_end *end)
{
    switch (end->tx_state) {
    case LLR_TX_INIT:
        return end->port.profile.in_init == LLR_BLOCK;
    case LLR_TX_ADVANCE:
        return !end->llr->is_up || llr_is_full__(end);
    case LLR_TX_REPLAY:
        return true;
    case LLR_TX_FLUSH:
        return end->port.profile.in_flush == LLR_BLOCK;
    case LLR_TX_OFF:
    default:
        return false;
    }
}

void
llr_review__(struct llr_end *end)
{
    const bool is_held = must_hold(end);

    if (is_held != end->is_held) {
        end->is_held = is_held;
        end->llr->ops->hold(end->llr->context, end->index, is_held);
    }
}

/* Brings what is read without events up to date. */
static void
catch_up(struct llr_end *end, int64_t before_ps)
{
    const int64_t now_ps = llr_now(end);

    llr_rx_catch_up__(end, now_ps);
    llr_rx_catch_up__(llr_peer(end), now_ps);
    llr_tx_read__(end, before_ps);
}

static void
on_timer(struct event *event, int64_t now_ps)
{
    struct llr_end *end = EVENT_OWNER(event, struct llr_end, timer);

    catch_up(end, now_ps + 1);
    if (age_ps(end) <= now_ps || lost_ps(end) <= now_ps) {
        llr_tx_flush__(end);
    } else if (stuck_ps(end) <= now_ps) {
        llr_tx_replay__(end);
    }
    if (end->llr->is_up && end->tx_state == LLR_TX_INIT &&
        end->next_init_ps <= now_ps) {
        llr_tx_init__(end);
    }
    if (end->llr->is_up && end->tx_state == LLR_TX_REPLAY &&
        end->busy_until_ps <= now_ps) {
        llr_tx_resend__(end);
    }
    llr_arm__(end);
    llr_review__(end);
}

/* Ends ------------------------------------------------------------------ */

struct llr *
llr_create(struct engine *engine, const struct llr_ops *ops, void *context,
           int64_t delay_ps, const uint32_t entities[2],
           const uint32_t in_flight[2])
{
    struct llr *llr = aligned_alloc(_Alignof(struct llr), sizeof *llr);

    orch_assert(llr);
    memset(llr, 0, sizeof *llr);

    llr->engine = engine;
    llr->ops = ops;
    llr->context = context;
    llr->delay_ps = delay_ps;
    llr->is_up = true;
    for (unsigned int i = 0; i < 2; i++) {
        struct llr_end *end = &llr->ends[i];

        end->llr = llr;
        end->engine = engine;
        end->peer = &llr->ends[1 - i];
        end->index = i;
        end->next_ps = INT64_MIN;
        end->ack_ps = EVENT_NEVER;
        end->is_noisy = true;
        end->timer =
            event_make(EVENT_TIMER_RETRY, entities[i], UINT32_MAX, on_timer);
        for (uint32_t k = 0; k < in_flight[i]; k++) {
            *LLR_APPEND(struct llr_air, end->air) =
                (struct llr_air){.damage = LLR_INTACT};
        }
    }
    return llr;
}

void
llr_destroy(struct llr *llr)
{
    for (unsigned int i = 0; llr && i < 2; i++) {
        struct llr_end *end = &llr->ends[i];

        engine_cancel(llr->engine, &end->timer);
        for (uint32_t k = 0; k < end->records.size; k++) {
            if (!end->saved[k].borrows) {
                sim_payload_unref(end->saved[k].payload);
            }
        }
        free(end->saved);
        free(end->records.items);
        free(end->sets.items);
        free(end->air.items);
    }
    free(llr);
}

/* Starts or stops the sender of 'end', as its port says. */
static void
set_sender(struct llr_end *end, const struct llr_port *port)
{
    const bool is_off = end->tx_state == LLR_TX_OFF;

    if (is_off && port->sends) {
        end->records.first = end->records.next = port->first_number;
        llr_tx_stop__(end, LLR_TX_INIT);
    } else if (!is_off && !port->sends) {
        llr_tx_stop__(end, LLR_TX_OFF);
    } else if (end->tx_state == LLR_TX_FLUSH && port->profile.reinit) {
        llr_tx_stop__(end, LLR_TX_INIT);
    }
}

/* Returns what 'bytes' take at 'speed_mbps'; 0: the end is off. */
static int64_t
bytes_ps(uint32_t bytes, uint32_t speed_mbps)
{
    return speed_mbps ? (int64_t)bytes * FRAME_PS_PER_BYTE_MBPS / speed_mbps
                      : 0;
}

void
llr_set_port(struct llr *llr, unsigned int index, const struct llr_port *port)
{
    struct llr_end *end = &llr->ends[index];

    orch_assert(port->first_number < LLR_NUMBERS &&
                port->profile.max_frames <= LLR_MAX_FRAMES);
    catch_up(end, llr_now(end));
    end->port = *port;
    end->set_ps = (uint32_t)bytes_ps(LLR_SET_BYTES, port->speed_mbps);
    end->max_frames = port->profile.max_frames;
    end->max_bytes = port->profile.max_bytes;
    if (end->max_bytes < port->mtu_bytes + LLR_FCS_BYTES) {
        end->max_frames = 0;
    } else {
        end->max_bytes -= port->mtu_bytes + LLR_FCS_BYTES;
    }
    end->spacing_ps = bytes_ps(port->profile.spacing_bytes, port->speed_mbps);
    if (!port->receives) {
        end->rx_state = LLR_RX_OFF;
        end->ack_ps = EVENT_NEVER;
    }
    set_sender(end, port);
    llr_arm__(end);
    llr_review__(end);
}

const struct llr_port *
llr_port(const struct llr *llr, unsigned int end)
{
    return &llr->ends[end].port;
}

/* The link of 'end' is up again: resends what was in the air. */
static void
restart(struct llr_end *end)
{
    const bool is_active =
        end->tx_state == LLR_TX_ADVANCE || end->tx_state == LLR_TX_REPLAY;

    if (is_active && is_waiting(end)) {
        end->replays = 0;
        llr_tx_replay__(end);
    }
}

void
llr_set_up(struct llr *llr, bool is_up)
{
    if (is_up == llr->is_up) {
        return;
    }
    for (unsigned int i = 0; i < 2; i++) {
        catch_up(&llr->ends[i], engine_now_ps(llr->engine));
    }
    llr->is_up = is_up;
    llr->down_ps = engine_now_ps(llr->engine);
    for (unsigned int i = 0; i < 2; i++) {
        struct llr_end *end = &llr->ends[i];

        end->sets.first = end->sets.next;
        end->ack_ps = EVENT_NEVER;
        if (is_up) {
            restart(end);
        }
    }
    for (unsigned int i = 0; i < 2; i++) {
        llr_arm__(&llr->ends[i]);
        llr_review__(&llr->ends[i]);
    }
}

void
llr_mute(struct llr *llr, unsigned int end, bool is_muted)
{
    llr->ends[end].is_muted = is_muted;
}

void
llr_set_noisy(struct llr *llr, unsigned int end, bool is_noisy)
{
    llr->ends[end].is_noisy = is_noisy;
}

/* Frames ---------------------------------------------------------------- */

/* A frame without a number is in the air. */
static void
pass(struct llr_end *end, const struct sim_frame *frame, enum llr_damage damage)
{
    *LLR_APPEND(struct llr_air, end->air) = (struct llr_air){
        .bytes = frame->length_bytes, .damage = (unsigned int)damage & 15U};
}

/* Returns whether 'end', which numbers no frames, drops them. */
static bool
discards(const struct llr_end *end)
{
    const struct llr_profile *profile = &end->port.profile;

    return (end->tx_state == LLR_TX_INIT && profile->in_init == LLR_DISCARD) ||
           (end->tx_state == LLR_TX_FLUSH && profile->in_flush == LLR_DISCARD);
}

/* A frame more is outstanding: the window may be full. */
static inline void
watch_window(struct llr_end *end)
{
    if (llr_is_full__(end)) {
        llr_arm__(end);
        llr_review__(end);
    } else if (!event_is_pending(&end->timer)) {
        llr_arm__(end);
    }
}

/* Returns when the last bit of a frame leaves that would at 'end_ps', after
 * what was inserted or is being resent. */
static inline int64_t
occupy(struct llr_end *end, int64_t end_ps, int64_t now_ps)
{
    end_ps += end->owed_ps;
    if (end->busy_until_ps > now_ps) {
        end_ps += end->busy_until_ps - now_ps;
    }
    end->busy_until_ps = end_ps;
    end->owed_ps = 0;
    return end_ps;
}

/* Has seen to everything before 'now_ps'. */
static inline void
expect_next(struct llr_end *end)
{
    end->next_ps = earlier(end->ack_ps, llr_peer(end)->ack_ps);
    if (end->sets.first != end->sets.next) {
        llr_expect__(
            end,
            LLR_ITEM(struct llr_set, end->sets, end->sets.first)->arrives_ps +
                1);
    }
}

/* Numbers 'frame'.  Then the window may be full. */
static inline void
accept(struct llr_end *end, const struct sim_frame *frame,
       enum llr_damage damage, int64_t now_ps)
{
    llr_rx_catch_up__(llr_peer(end), now_ps);
    llr_tx_catch_up__(end, now_ps);
    llr_tx_accept__(end, frame, damage, now_ps);
    watch_window(end);
}

enum llr_accepted
llr_send(struct llr *llr, unsigned int index, const struct sim_frame *frame,
         bool is_control, enum llr_damage damage, int64_t *end_ps)
{
    struct llr_end *end = &llr->ends[index];
    const int64_t now_ps = engine_now_ps(llr->engine);

    orch_assert(is_control || !end->is_held);
    if (!is_control && end->tx_state != LLR_TX_ADVANCE && discards(end)) {
        end->stats.tx_discard++;
        return LLR_DROPPED;
    }
    llr_rx_catch_up__(end, now_ps);
    *end_ps = occupy(end, *end_ps, now_ps);
    if (is_control || end->tx_state != LLR_TX_ADVANCE) {
        pass(end, frame, damage);
        return LLR_UNNUMBERED;
    }
    accept(end, frame, damage, now_ps);
    return LLR_NUMBERED;
}

struct llr_end *
llr_end(struct llr *llr, unsigned int index)
{
    return &llr->ends[index];
}

bool
llr_send_intact(struct llr_end *end, const struct sim_frame *frame,
                int64_t *end_ps)
{
    const int64_t now_ps = llr_now(end);

    if (end->tx_state != LLR_TX_ADVANCE) {
        return false;
    }
    orch_assert(!end->is_held);
    if (now_ps >= end->next_ps) {
        llr_rx_catch_up__(end, now_ps);
        llr_rx_catch_up__(llr_peer(end), now_ps);
        llr_tx_catch_up__(end, now_ps);
        expect_next(end);
    }
    *end_ps = occupy(end, *end_ps, now_ps);
    llr_tx_accept__(end, frame, LLR_INTACT, now_ps);
    watch_window(end);
    return true;
}

enum llr_verdict
llr_arrive(struct llr *llr, unsigned int index, const struct sim_frame *frame,
           enum llr_damage *damage)
{
    struct llr_end *end = &llr->ends[index];
    const int64_t now_ps = engine_now_ps(llr->engine);
    struct llr_air air;

    orch_assert(llr_ring_n(&end->air));
    air = *LLR_ITEM(struct llr_air, end->air, end->air.first++);
    *damage = (enum llr_damage)air.damage;
    if (!air.is_numbered) {
        return air.damage == LLR_INTACT ? LLR_DELIVER : LLR_LOSE;
    }
    if (air.damage != LLR_MISSED && llr_rx_take__(llr_peer(end), air, now_ps)) {
        return LLR_DELIVER;
    }
    if (air.is_orphan) {
        return LLR_LOSE;
    }
    llr_tx_save__(end, air.number, frame);
    return LLR_REPEAT;
}

bool
llr_lose(struct llr *llr, unsigned int index, const struct sim_frame *frame,
         bool is_last)
{
    struct llr_end *end = &llr->ends[index];
    const struct llr_air *air;

    orch_assert(llr_ring_n(&end->air));
    air = LLR_ITEM(struct llr_air, end->air,
                   is_last ? --end->air.next : end->air.first++);
    if (!air->is_numbered || air->is_orphan) {
        return false;
    }
    llr_tx_save__(end, air->number, frame);
    return true;
}

/* What is known --------------------------------------------------------- */

void
llr_get_stats(struct llr *llr, unsigned int index, struct llr_stats *stats)
{
    struct llr_end *end = &llr->ends[index];

    catch_up(end, llr_now(end));
    *stats = end->stats;
    stats->tx_ok = end->tx_ok;
    stats->rx_ack = end->rx_acks;
    stats->tx_ack = end->tx_acks;
    stats->rx_ok = end->rx_ok + end->rx_ok_good;
    stats->rx_expected_seq_good = end->rx_good + end->rx_ok_good;
}

void
llr_clear_stats(struct llr *llr, unsigned int index)
{
    struct llr_end *end = &llr->ends[index];

    catch_up(end, llr_now(end));
    end->stats = (struct llr_stats){0};
    end->tx_ok = end->rx_acks = end->tx_acks = 0;
    end->rx_ok = end->rx_good = end->rx_ok_good = 0;
}

enum llr_tx_state
llr_tx_state(const struct llr *llr, unsigned int end)
{
    return (enum llr_tx_state)llr->ends[end].tx_state;
}

enum llr_rx_state
llr_rx_state(const struct llr *llr, unsigned int end)
{
    return (enum llr_rx_state)llr->ends[end].rx_state;
}

/* Counts the frames of 'end' that were accepted and are neither delivered nor
 * given up. */
static void
count_owed(struct llr_end *end, struct llr_amounts *amounts)
{
    const uint32_t expected = llr_peer(end)->expected;

    for (uint32_t i = end->records.first; i != end->records.next; i++) {
        if (llr_ahead(llr_number(i), expected) < LLR_MAX_FRAMES) {
            amounts->owed_frames++;
            amounts->owed_bytes +=
                LLR_ITEM(struct llr_record, end->records, i)->bytes;
        }
    }
}

void
llr_get_amounts(struct llr *llr, unsigned int index,
                struct llr_amounts *amounts)
{
    struct llr_end *end = &llr->ends[index];

    catch_up(end, llr_now(end));
    *amounts = (struct llr_amounts){.outstanding = llr_ring_n(&end->records),
                                    .most_bytes = end->most_bytes,
                                    .replayed = end->replayed,
                                    .flushes = end->flushes};
    count_owed(end, amounts);
    for (uint32_t i = end->air.first; i != end->air.next; i++) {
        const struct llr_air *air = LLR_ITEM(struct llr_air, end->air, i);

        if (air->is_numbered) {
            amounts->air_frames++;
            amounts->air_bytes += air->bytes;
        }
        if (air->is_orphan) {
            amounts->owed_frames++;
            amounts->owed_bytes += air->bytes;
        }
    }
}
