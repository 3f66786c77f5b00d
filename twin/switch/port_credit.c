/* SPDX-License-Identifier: Apache-2.0 */

/* Credit-based flow control at the ports of a switch: see port_credit.h.
 *
 * A frame that arrives by credits is noted in 'arriving'; if the buffer admits
 * it, the note moves to the packet ('stored'), else its credits are free again
 * when the switch has done with it.
 *
 * A CF update does not travel as a frame: the receiver adds it to those that
 * its peer will read, with the time at which it gets there. */

#include <config.h>

#include "twin/switch/port_credit.h"

#include <stdlib.h>

#include <utlist.h>

#include "base/line_pool.h"
#include "base/picoseconds.h"
#include "twin/qos/credit_frame.h"
#include "twin/switch/sim_state.h"

enum {
    /* Timers of class EVENT_TIMER_PAUSE, behind those of port_pause.c. */
    ARG_ARRIVAL = PFC_N_PRIORITIES + 2,
    ARG_UPDATE,
    ARG_CORRECTION,

    NO_PORT = UINT16_MAX,
    N_HALVES = CREDIT_MAX_VCS / CREDIT_CC_VCS,
};

/* A CF update on its way. */
struct update {
    struct update *next;
    int64_t arrives_ps;
    struct credit_cf cf;
};

struct sim_credit {
    struct sim_port *port;
    struct sim_credit_config config;
    struct sim_credit_stats stats;
    struct update *updates; /* That arrive here, in order. */
    struct update *last;    /* Of them; valid if there is one. */
    struct event arrival;   /* Of the first of them. */
    struct event update;    /* The next CF update may leave. */
    struct event correction;
    int64_t updated_ps;      /* When the last CF update left. */
    uint32_t inserted_bytes; /* Into the frame that is being sent. */
    uint8_t due_halves;      /* A bit per half of the VCs of which a CC update
                              * is due. */
};

struct sim_credit_config
sim_credit_defaults(void)
{
    struct sim_credit_config config = {
        .unit = {.size_bytes = CREDIT_DEFAULT_SIZE},
        .cc_timer_us = SIM_CREDIT_DEFAULT_CC_US,
        .cf_min_bytes = SIM_CREDIT_DEFAULT_CF_MIN,
        .cf_max_bytes = SIM_CREDIT_DEFAULT_CF_MAX,
    };

    for (unsigned int i = 0; i < CREDIT_MAX_VCS; i++) {
        config.vcs[i].profile.pool = CREDIT_POOL_NONE;
    }
    for (unsigned int i = 0; i < SIM_CREDIT_QUEUES; i++) {
        config.queue_vc[i] = i % CREDIT_MAX_VCS;
    }
    for (unsigned int i = 0; i < SIM_CREDIT_TCS; i++) {
        config.tc_vc[i] = (uint8_t)i;
    }
    return config;
}

static int64_t
now_of(const struct sim_credit *credit)
{
    return engine_now_ps(credit->port->sim->engine);
}

/* Returns the time of 'bytes' on the wire of 'credit'. */
static int64_t
bytes_to_ps(const struct sim_credit *credit, uint32_t bytes)
{
    return (int64_t)bytes * FRAME_PS_PER_BYTE_MBPS /
           credit->port->cold->config.speed_mbps;
}

/* Sending -------------------------------------------------------------- */

/* Returns the length with which the frame at the head of queue 'index' of
 * 'port', which has one, would leave now. */
static uint32_t
head_bytes(const struct sim_port *port, unsigned int index)
{
    const struct sim *sim = port->sim;
    const uint32_t packet = mmu_queue_head(sim->mmu, port->first_queue + index);
    const struct sim_frame *frame = sim_frame__(sim, sim->held[packet].frame);
    const bool tagged = sim_tag_out__(port, frame) != 0;

    return frame->length_bytes + (tagged && !frame->tag ? SIM_TAG_BYTES : 0) -
           (!tagged && frame->tag ? SIM_TAG_BYTES : 0);
}

uint64_t
sim_credit_held__(const struct sim_port *port)
{
    const struct sim_credit *credit = port->cold->credit;
    uint64_t left = mmu_port_backlog(port->sim->mmu, port->id);
    uint64_t held = 0;

    for (; left; left &= left - 1) {
        const unsigned int index = (unsigned int)__builtin_ctzll(left);

        if (!credit_sender_may_send(&credit->stats.sender,
                                    credit->config.queue_vc[index],
                                    head_bytes(port, index))) {
            held |= UINT64_C(1) << index;
        }
    }
    return held;
}

void
sim_credit_charge__(struct sim_port *port)
{
    struct sim_credit *credit = port->cold->credit;

    credit_sender_charge(&credit->stats.sender,
                         credit->config.queue_vc[port->out.queue_index],
                         port->out.length_bytes);
}

uint32_t
sim_credit_inserted__(struct sim_port *port)
{
    const uint32_t bytes = port->cold->credit->inserted_bytes;

    port->cold->credit->inserted_bytes = 0;
    return bytes;
}

uint32_t
sim_credit_take__(struct sim_port *port)
{
    struct sim_credit *credit = port->cold->credit;
    struct frame_pool *pool = port->sim->pool;
    uint8_t bytes[CREDIT_FRAME_BYTES];
    struct credit_cc cc;
    unsigned int half;
    uint32_t index;

    if (!credit->due_halves) {
        return FRAME_NONE;
    }
    half = (unsigned int)__builtin_ctz(credit->due_halves);
    credit->due_halves &= (uint8_t)(credit->due_halves - 1);
    cc.first_vc = (uint8_t)(half * CREDIT_CC_VCS);
    for (unsigned int i = 0; i < CREDIT_CC_VCS; i++) {
        cc.consumed[i] = credit->stats.sender.vcs[cc.first_vc + i].consumed;
    }
    credit->stats.cc_tx++;
    credit_frame_build(&cc, port->cold->config.mac, bytes);
    index = frame_take(pool);
    *frame_at(pool, index) = (struct sim_frame){
        .dst_mac = PAUSE_FRAME_ADDRESS,
        .src_mac = port->cold->config.mac,
        .length_bytes = CREDIT_FRAME_BYTES,
        .dscp = -1,
        .payload = sim_payload_create(CREDIT_FRAME_BYTES, bytes),
    };
    return index;
}

/* Returns a bit per half of the VCs of which one sends by credits. */
static uint8_t
sending_halves(const struct sim_credit_config *config)
{
    unsigned int halves = 0;

    for (unsigned int i = 0; i < CREDIT_MAX_VCS; i++) {
        halves |= (unsigned int)config->vcs[i].sends << i / CREDIT_CC_VCS;
    }
    return halves & ((1u << N_HALVES) - 1);
}

/* The time of the next CC updates has come. */
static void
on_correction(struct event *event, int64_t now_ps)
{
    struct sim_credit *credit =
        EVENT_OWNER(event, struct sim_credit, correction);

    credit->due_halves |= sending_halves(&credit->config);
    engine_schedule(credit->port->sim->engine, event,
                    now_ps + credit->config.cc_timer_us * PS_PER_US);
    sim_transmit_control__(credit->port);
}

/* Takes the CF updates that have arrived. */
static void
on_arrival(struct event *event, int64_t now_ps)
{
    struct sim_credit *credit = EVENT_OWNER(event, struct sim_credit, arrival);
    struct update *update;

    while ((update = credit->updates) != NULL && update->arrives_ps <= now_ps) {
        credit->stats.cf_rx++;
        for (unsigned int i = 0; i < CREDIT_CF_VCS; i++) {
            (void)credit_sender_update(&credit->stats.sender,
                                       update->cf.pair * CREDIT_CF_VCS + i,
                                       update->cf.freed[i]);
        }
        LL_DELETE(credit->updates, update);
        free(update);
    }
    if (credit->updates) {
        engine_schedule(credit->port->sim->engine, event,
                        credit->updates->arrives_ps);
    }
    sim_transmit__(credit->port);
}

/* Receiving ------------------------------------------------------------ */

/* Returns the credits of the port to which 'port' is connected, NULL if that is
 * no port of a switch with credits, or the wire is down. */
static struct sim_credit *
peer_of(const struct sim_port *port)
{
    const struct wire *wire = port->out_wire;
    const struct sim_port *peer;

    if (!wire || !wire->is_up || wire->class != EVENT_ARRIVE) {
        return NULL;
    }
    peer = frame_pool_place(port->sim->pool, wire->entity);
    return peer && peer->exists ? peer->cold->credit : NULL;
}

/* Sends a CF update to 'peer' (NULL: it is lost). */
static void
send_update(const struct sim_credit *credit, struct sim_credit *peer,
            const struct credit_cf *cf)
{
    struct update *update;

    if (!peer) {
        return;
    }
    update = check_calloc(1, sizeof *update);
    update->cf = *cf;
    update->arrives_ps = now_of(credit) + bytes_to_ps(credit, CREDIT_CF_BYTES) +
                         credit->port->out_wire->delay_ps;
    if (peer->updates) {
        peer->last->next = update;
    } else {
        peer->updates = update;
        engine_schedule(peer->port->sim->engine, &peer->arrival,
                        update->arrives_ps);
    }
    peer->last = update;
}

/* Sends the CF update whose time has come. */
static void
on_update(struct event *event, int64_t now_ps)
{
    struct sim_credit *credit = EVENT_OWNER(event, struct sim_credit, update);
    const struct sim_port *port = credit->port;
    struct credit_cf cf;
    uint32_t wait;

    if (!credit_receiver_next(&credit->stats.receiver, &cf)) {
        return; /* Nothing is received by credits. */
    }
    credit->stats.cf_tx++;
    credit->updated_ps = now_ps;
    if (port->transmit_state == TRANSMIT_SENDING ||
        port->transmit_state == TRANSMIT_CONTROL) {
        credit->inserted_bytes += CREDIT_CF_BYTES;
    }
    send_update(credit, port->cold->config.admin_up ? peer_of(port) : NULL,
                &cf);
    wait = credit_receiver_has_news(&credit->stats.receiver)
               ? credit->config.cf_min_bytes
               : credit->config.cf_max_bytes;
    engine_schedule(port->sim->engine, event,
                    now_ps + bytes_to_ps(credit, wait));
}

/* Has the next CF update of 'credit', which has news, leave as early as it
 * may. */
static void
hasten_update(struct sim_credit *credit)
{
    const int64_t may_ps =
        credit->updated_ps + bytes_to_ps(credit, credit->config.cf_min_bytes);
    const int64_t now_ps = now_of(credit);
    const int64_t when_ps = may_ps > now_ps ? may_ps : now_ps;

    if (!event_is_pending(&credit->update) ||
        credit->update.when_ps > when_ps) {
        engine_schedule(credit->port->sim->engine, &credit->update, when_ps);
    }
}

/* Frees what 'stored' says. */
static void
release(struct sim *sim, const struct sim_stored *stored)
{
    struct sim_credit *credit =
        sim->ports[stored->port].sim ? sim->cold[stored->port].credit : NULL;

    if (credit) {
        credit_receiver_free(&credit->stats.receiver, stored->vc,
                             stored->credits);
        if (credit_receiver_has_news(&credit->stats.receiver)) {
            hasten_update(credit);
        }
    }
}

void
sim_credit_arrive__(struct sim_port *in, uint8_t tc, uint32_t length_bytes)
{
    struct sim_credit *credit = in->cold->credit;
    const uint8_t vc = credit->config.tc_vc[tc % SIM_CREDIT_TCS];
    const uint32_t credits = credit_cost(&credit->config.unit, length_bytes);

    credit_receiver_store(&credit->stats.receiver, vc, credits);
    in->sim->arriving =
        (struct sim_stored){.port = in->id, .vc = vc, .credits = credits};
}

void
sim_credit_settle__(struct sim *sim)
{
    const struct sim_stored stored = sim->arriving;

    sim->arriving.port = NO_PORT;
    if (stored.port != NO_PORT) {
        release(sim, &stored);
    }
}

void
sim_credit_hold__(struct sim *sim, uint32_t packet)
{
    if (packet >= sim->n_stored) {
        const uint32_t n = sim->n_held;

        sim->stored = check_realloc(sim->stored, n * sizeof *sim->stored);
        for (uint32_t i = sim->n_stored; i < n; i++) {
            sim->stored[i].port = NO_PORT;
        }
        sim->n_stored = n;
    }
    sim->stored[packet] = sim->arriving;
    sim->arriving.port = NO_PORT;
}

void
sim_credit_left__(struct sim *sim, uint32_t packet)
{
    if (packet < sim->n_stored && sim->stored[packet].port != NO_PORT) {
        const struct sim_stored stored = sim->stored[packet];

        sim->stored[packet].port = NO_PORT;
        release(sim, &stored);
    }
}

bool
sim_credit_receive__(struct sim_port *port, const struct sim_frame *frame)
{
    struct sim_credit *credit = port->cold->credit;
    struct credit_cc cc;

    if (!frame->payload || !credit_frame_parse(frame->payload->bytes,
                                               frame->payload->length, &cc)) {
        return false;
    }
    credit->stats.cc_rx++;
    for (unsigned int i = 0; i < CREDIT_CC_VCS; i++) {
        (void)credit_receiver_correct(&credit->stats.receiver, cc.first_vc + i,
                                      cc.consumed[i]);
    }
    if (credit_receiver_has_news(&credit->stats.receiver)) {
        hasten_update(credit);
    }
    return true;
}

/* Configuration -------------------------------------------------------- */

void
sim_credit_abort__(struct sim_port *port)
{
    struct sim_credit *credit = port->cold->credit;
    struct update *update, *next;

    if (!credit) {
        return;
    }
    engine_cancel(port->sim->engine, &credit->arrival);
    engine_cancel(port->sim->engine, &credit->update);
    engine_cancel(port->sim->engine, &credit->correction);
    LL_FOREACH_SAFE(credit->updates, update, next)
    {
        free(update);
    }
    free(credit);
    port->cold->credit = NULL;
    /* What is stored no longer belongs to it. */
    for (uint32_t i = 0; i < port->sim->n_stored; i++) {
        if (port->sim->stored[i].port == port->id) {
            port->sim->stored[i].port = NO_PORT;
        }
    }
}

/* Makes '*stats' the beginning by 'config'; false if that is impossible. */
static bool
begin(struct sim_credit_stats *stats, const struct sim_credit_config *config)
{
    *stats = (struct sim_credit_stats){0};
    credit_sender_init(&stats->sender);
    if (!credit_sender_set_unit(&stats->sender, &config->unit) ||
        !credit_sender_set_limit(&stats->sender, config->limit)) {
        return false;
    }
    for (unsigned int i = 0; i < CREDIT_MAX_POOLS; i++) {
        if (!credit_sender_set_pool(&stats->sender, i, config->pool_size[i])) {
            return false;
        }
    }
    for (unsigned int i = 0; i < CREDIT_MAX_VCS; i++) {
        if (config->vcs[i].sends &&
            !credit_sender_set_profile(&stats->sender, i,
                                       &config->vcs[i].profile)) {
            return false;
        }
        credit_receiver_enable(&stats->receiver, i, config->vcs[i].receives);
    }
    return true;
}

/* Returns whether the maps and times of 'config' are within their ranges. */
static bool
is_valid(const struct sim_credit_config *config)
{
    for (unsigned int i = 0; i < SIM_CREDIT_QUEUES; i++) {
        if (config->queue_vc[i] >= CREDIT_MAX_VCS) {
            return false;
        }
    }
    for (unsigned int i = 0; i < SIM_CREDIT_TCS; i++) {
        if (config->tc_vc[i] >= CREDIT_MAX_VCS) {
            return false;
        }
    }
    return config->cc_timer_us <= SIM_CREDIT_MAX_CC_US &&
           config->cf_min_bytes >= SIM_CREDIT_MIN_CF_MIN &&
           config->cf_min_bytes <= SIM_CREDIT_MAX_CF_MIN &&
           config->cf_max_bytes >= SIM_CREDIT_MIN_CF_MAX &&
           config->cf_max_bytes <= SIM_CREDIT_MAX_CF_MAX;
}

/* Gives 'port', which has none, credits by 'config' and 'stats'. */
static void
start(struct sim_port *port, const struct sim_credit_config *config,
      const struct sim_credit_stats *stats)
{
    const uint32_t entity = sim_port_entity__(port);
    struct engine *engine = port->sim->engine;
    struct sim_credit *credit = check_calloc(1, sizeof *credit);

    credit->port = port;
    credit->config = *config;
    credit->stats = *stats;
    credit->updated_ps = INT64_MIN / 2;
    credit->arrival =
        event_make(EVENT_TIMER_PAUSE, entity, ARG_ARRIVAL, on_arrival);
    credit->update =
        event_make(EVENT_TIMER_PAUSE, entity, ARG_UPDATE, on_update);
    credit->correction =
        event_make(EVENT_TIMER_PAUSE, entity, ARG_CORRECTION, on_correction);
    port->cold->credit = credit;
    if (config->cc_timer_us && sending_halves(config)) {
        engine_schedule(engine, &credit->correction,
                        engine_now_ps(engine) +
                            config->cc_timer_us * PS_PER_US);
    }
    engine_schedule(engine, &credit->update,
                    engine_now_ps(engine) +
                        bytes_to_ps(credit, config->cf_max_bytes));
}

enum st
sim_port_set_credits(struct sim *sim, uint32_t id,
                     const struct sim_credit_config *config)
{
    struct sim_port *port = sim_port_find__(sim, id);
    struct sim_credit_stats stats;

    if (!port) {
        return ST_NOT_FOUND;
    }
    if (sim->voq) {
        return ST_UNSUPPORTED;
    }
    if (config && (!is_valid(config) || !begin(&stats, config))) {
        return ST_INVALID;
    }
    sim_catch_up_all__(sim);
    sim_credit_abort__(port);
    if (config) {
        if (!sim->has_credits) {
            sim->arriving.port = NO_PORT;
            sim->has_credits = true;
        }
        start(port, config, &stats);
    }
    sim->changes++; /* Flows by this port take the full path. */
    sim_transmit__(port);
    return ST_OK;
}

enum st
sim_port_get_credits(const struct sim *sim, uint32_t id,
                     struct sim_credit_stats *stats)
{
    const struct sim_port *port = sim_port_find__(sim, id);

    if (!port || !port->cold->credit) {
        return ST_NOT_FOUND;
    }
    *stats = port->cold->credit->stats;
    return ST_OK;
}

enum st
sim_port_credit_update(struct sim *sim, uint32_t id, unsigned int vc,
                       uint32_t freed)
{
    struct sim_port *port = sim_port_find__(sim, id);
    struct sim_credit *credit = port ? port->cold->credit : NULL;

    if (!credit) {
        return ST_NOT_FOUND;
    }
    if (vc >= CREDIT_MAX_VCS || freed > CREDIT_MAX ||
        !credit_sender_update(&credit->stats.sender, vc, freed)) {
        return ST_INVALID;
    }
    credit->stats.cf_rx++;
    sim_transmit__(port);
    return ST_OK;
}
