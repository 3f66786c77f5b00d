/* SPDX-License-Identifier: Apache-2.0 */

/* A host behind a port of a switch: a network adapter, and an end system that
 * sends and counts.
 *
 * The queues are virtual: the pace and the time tell how many frames of a flow
 * wait.  So a flow that is paused for a long time costs nothing.
 *
 * A host needs three events: the wire becomes free or a frame becomes due; the
 * oldest received pause frame that is not obeyed yet takes effect; the first
 * pause ends. */

#include <config.h>

#include "twin/host/host.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"
#include "twin/forwarding/fdb.h"
#include "twin/host/capture.h"
#include "twin/host/host_state.h"

static void on_due(struct event *event, int64_t now_ps);
static void on_resume(struct event *event, int64_t now_ps);
static void on_respond(struct event *event, int64_t now_ps);

/* Creation -------------------------------------------------------------- */

enum st
host_create(struct engine *engine, const struct host_config *config,
            struct host **made)
{
    struct host *host;

    if (!fdb_mac_is_valid(config->mac) || fdb_mac_is_group(config->mac) ||
        config->speed_mbps == 0 || config->response_ps < 0) {
        return ST_INVALID;
    }
    host = check_calloc(1, sizeof *host);
    host->engine = engine;
    host->config = *config;
    host->ps_per_byte = frame_ps_per_byte(config->speed_mbps);
    host->receiver = receiver_create();
    host->last_priority = PFC_N_PRIORITIES - 1;
    host->transmit = event_make(EVENT_TIMER_SEND, config->entity, 0, on_due);
    host->pool = frame_pool_of(engine);
    host->epoch = frame_pool_epoch(host->pool);
    frame_pool_settle(host->pool, config->entity, host);
    /* A pause that takes effect may prolong the one that ends. */
    host->respond =
        event_make(EVENT_TIMER_PAUSE, config->entity, 0, on_respond);
    host->resume = event_make(EVENT_TIMER_PAUSE, config->entity, 1, on_resume);
    pause_init(&host->pause,
               &(struct pause_config){.speed_mbps = config->speed_mbps,
                                      .priorities = config->obeys_priorities,
                                      .all = config->obeys_all});
    *made = host;
    return ST_OK;
}

/* Frees what 'flow' owns. */
static void
flow_fini(struct flow *flow)
{
    capture_fini(&flow->capture);
    sim_payload_unref(flow->frame.payload);
}

void
host_destroy(struct host *host)
{
    if (!host) {
        return;
    }
    engine_cancel(host->engine, &host->transmit);
    engine_cancel(host->engine, &host->resume);
    engine_cancel(host->engine, &host->respond);
    for (uint32_t i = 0; i < host->n_flows; i++) {
        flow_fini(&host->flows[i]);
    }
    if (host->is_sending && host->is_handed) {
        wire_recall(host->out_wire, frame_at(host->pool, host->frame));
    } else if (host->is_sending) {
        frame_give(host->pool, host->frame);
    }
    frame_pool_settle(host->pool, host->config.entity, NULL);
    receiver_destroy(host->receiver);
    pause_delay_fini(&host->delay);
    free(host->storms);
    free(host->flows);
    free(host);
}

const struct host_config *
host_get_config(const struct host *host)
{
    return &host->config;
}

struct receiver *
host_receiver(struct host *host)
{
    return host->receiver;
}

void
host_get_stats(const struct host *host, struct host_stats *stats)
{
    *stats = host->stats;
    stats->paused = host->pause.paused;
    stats->all_paused = host->pause.all_paused;
}

/* Sending --------------------------------------------------------------- */

/* Puts 'frame' on the wire. */
static void
start(struct host *host, const struct sim_frame *frame)
{
    const int64_t now_ps = engine_now_ps(host->engine);
    int64_t end_ps =
        now_ps + frame_paced_ps(frame->length_bytes, host->config.speed_mbps,
                                host->ps_per_byte);
    int64_t left_ps = WIRE_LOST;

    host->frame = frame_copy(host->pool, frame);
    frame_at(host->pool, host->frame)->sent_ps = now_ps;
    host->is_sending = true;
    if (host->out_wire) {
        left_ps = wire_send(host->out_wire, host->engine, host->pool,
                            host->frame, end_ps);
    }
    host->is_handed = left_ps >= 0;
    if (host->is_handed) {
        end_ps = left_ps;
    }
    engine_post(host->engine, end_ps, EVENT_HOST_TX_END, host->config.entity,
                host->epoch);
}

/* Starts the next pause frame of 'storm'. */
static void
start_pause(struct host *host, struct storm *storm)
{
    const struct storm_config *config = &storm->config;
    const uint64_t source = config->zero_source ? 0 : host->config.mac;
    struct pause_frame pause = {.kind = config->kind,
                                .priorities = config->priorities};
    struct sim_frame frame = {.dst_mac = PAUSE_FRAME_ADDRESS,
                              .src_mac = source,
                              .length_bytes = PAUSE_FRAME_BYTES,
                              .dscp = -1};
    uint8_t bytes[PAUSE_FRAME_BYTES];

    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        pause.quanta[i] = config->quanta[storm->pace.given % config->n_quanta];
    }
    pacing_advance(&storm->pace);
    pause_frame_build(&pause, source, bytes);
    frame.payload = sim_payload_create(PAUSE_FRAME_BYTES, bytes);
    start(host, &frame);
    sim_payload_unref(frame.payload);
}

/* Starts the next frame of 'flow'. */
static void
start_data(struct host *host, struct flow *flow)
{
    start(host, flow->capture.frames ? &flow->capture.frames[flow->pace.given]
                                     : &flow->frame);
    flow->frame.sequence++;
    pacing_advance(&flow->pace);
    host->last_priority = flow->priority;
}

/* Returns a storm that has a frame due now, or NULL.  Lowers '*next_ps' to the
 * time of the first frame that is due later. */
static struct storm *
due_storm(const struct host *host, int64_t *next_ps)
{
    for (uint32_t i = 0; i < host->n_storms; i++) {
        int64_t due_ps = pacing_due_ps(&host->storms[i].pace);

        if (due_ps <= engine_now_ps(host->engine)) {
            return &host->storms[i];
        }
        *next_ps = due_ps < *next_ps ? due_ps : *next_ps;
    }
    return NULL;
}

/* How many turns away 'priority' is. */
static unsigned int
turns(const struct host *host, uint8_t priority)
{
    return (unsigned int)(priority + PFC_N_PRIORITIES - host->last_priority -
                          1) %
           PFC_N_PRIORITIES;
}

/* Does the same for flows.  Skips paused flows: the end of a pause is an event
 * of its own. */
static struct flow *
due_flow(const struct host *host, int64_t *next_ps)
{
    struct flow *best = NULL;

    if (host->pause.all_paused) {
        return NULL;
    }
    for (uint32_t i = 0; i < host->n_flows; i++) {
        struct flow *flow = &host->flows[i];
        int64_t due_ps = pacing_due_ps(&flow->pace);

        if (host->pause.paused >> flow->priority & 1) {
            continue;
        }
        if (due_ps > engine_now_ps(host->engine)) {
            *next_ps = due_ps < *next_ps ? due_ps : *next_ps;
        } else if (!best || (flow->priority == best->priority
                                 ? due_ps < pacing_due_ps(&best->pace)
                                 : turns(host, flow->priority) <
                                       turns(host, best->priority))) {
            best = flow;
        }
    }
    return best;
}

/* Starts the next frame if one may start, else schedules the next attempt. */
static void
transmit(struct host *host)
{
    int64_t next_ps = EVENT_NEVER;
    struct storm *storm;
    struct flow *flow;

    if (host->is_sending || (!host->sender && !host->out_wire)) {
        return;
    }
    engine_cancel(host->engine, &host->transmit);
    storm = due_storm(host, &next_ps);
    if (storm) {
        start_pause(host, storm);
        return;
    }
    flow = due_flow(host, &next_ps);
    if (flow) {
        start_data(host, flow);
    } else if (next_ps != EVENT_NEVER) {
        engine_schedule(host->engine, &host->transmit, next_ps);
    }
}

static void
on_due(struct event *event, int64_t now_ps)
{
    (void)now_ps;
    transmit(EVENT_OWNER(event, struct host, transmit));
}

void
host_handle_tx_end(struct frame_pool *pool, uint32_t entity, uint32_t arg)
{
    struct host *host = frame_pool_place(pool, entity);
    const struct sim_frame *frame;

    if (!host || arg != host->epoch) {
        return; /* That host is gone. */
    }
    frame = frame_at(pool, host->frame);
    host->is_sending = false;
    if (frame->dst_mac == PAUSE_FRAME_ADDRESS) {
        host->stats.pauses_sent++;
    } else {
        host->stats.sent++;
        host->stats.sent_bytes += frame->length_bytes;
    }
    if (host->sender) {
        link_transmit(host->sender, frame);
    }
    if (!host->is_handed) {
        frame_give(pool, host->frame);
    }
    transmit(host);
}

void
host_connect(struct host *host, struct link_sender *sender)
{
    orch_assert(!host->is_sending);
    host->sender = sender;
    transmit(host);
}

void
host_join(struct host *host, struct wire *out, struct wire *in)
{
    orch_assert(!host->is_sending);
    host->out_wire = out;
    host->in_wire = in;
    transmit(host);
}

/* Initialises 'pace' from 'config', which must not start in the past. */
static enum st
begin(const struct host *host, const struct pacing_config *config,
      struct pacing *pace)
{
    return config->start_ps < engine_now_ps(host->engine)
               ? ST_INVALID
               : pacing_init(pace, config);
}

/* Adds 'flow' and takes over what it owns. */
static void
add_flow(struct host *host, const struct flow *flow)
{
    host->flows =
        check_realloc(host->flows, (host->n_flows + 1) * sizeof *host->flows);
    host->flows[host->n_flows++] = *flow;
    transmit(host);
}

enum st
host_add_flow(struct host *host, const struct flow_config *config)
{
    struct flow flow = {.frame = config->frame, .priority = config->priority};
    enum st status = begin(host, &config->pace, &flow.pace);

    if (flow.frame.src_mac == 0) {
        flow.frame.src_mac = host->config.mac;
    }
    flow.frame.flow = config->flow;
    flow.frame.sequence = 0;
    if (status != ST_OK || config->priority >= PFC_N_PRIORITIES ||
        !frame_is_valid(&flow.frame) ||
        flow.frame.dst_mac == PAUSE_FRAME_ADDRESS) {
        return ST_INVALID;
    }
    if (flow.frame.payload) {
        flow.frame.payload->references++;
    } else {
        /* So that switches can tell its frames from those of others. */
        flow.frame.payload =
            sim_payload_describe(&(struct packet){.dst_mac = flow.frame.dst_mac,
                                                  .src_mac = flow.frame.src_mac,
                                                  .tag = flow.frame.tag});
    }
    add_flow(host, &flow);
    return ST_OK;
}

enum st
host_add_replay(struct host *host, const struct replay_config *config,
                struct err *err)
{
    struct flow flow = {.priority = config->priority};
    enum st status;

    if (config->priority >= PFC_N_PRIORITIES) {
        return err_set(err, ST_INVALID, "pcap", "there is no priority %u",
                       (unsigned int)config->priority);
    }
    status = capture_read(&flow.capture, config->bytes, config->n, config->flow,
                          err);
    if (status == ST_OK) {
        const struct pacing_config pace = {.kind = PACING_LIST,
                                           .start_ps = config->start_ps,
                                           .n_frames = flow.capture.n,
                                           .times_ps = flow.capture.times_ps};

        status = begin(host, &pace, &flow.pace);
        if (status != ST_OK) {
            err_set(err, status, "pcap", "the start is in the past");
        }
    }
    if (status == ST_OK) {
        add_flow(host, &flow);
    } else {
        flow_fini(&flow);
    }
    return status;
}

enum st
host_add_storm(struct host *host, const struct storm_config *config)
{
    struct storm storm = {.config = *config};
    enum st status = begin(host, &config->pace, &storm.pace);

    if (status != ST_OK || config->n_quanta == 0 ||
        config->n_quanta > PFC_N_PRIORITIES) {
        return ST_INVALID;
    }
    host->storms = check_realloc(host->storms,
                                 (host->n_storms + 1) * sizeof *host->storms);
    host->storms[host->n_storms++] = storm;
    transmit(host);
    return ST_OK;
}

/* Stopping -------------------------------------------------------------- */

/* Returns the number of a flow. */
static uint32_t
flow_number(const struct flow *flow)
{
    return flow->capture.frames ? flow->capture.frames[0].flow
                                : flow->frame.flow;
}

bool
host_stop_flow(struct host *host, uint32_t number)
{
    bool found = false;

    for (uint32_t i = 0; i < host->n_flows; i++) {
        if (flow_number(&host->flows[i]) == number) {
            pacing_end(&host->flows[i].pace);
            found = true;
        }
    }
    transmit(host);
    return found;
}

void
host_stop_storms(struct host *host)
{
    for (uint32_t i = 0; i < host->n_storms; i++) {
        pacing_end(&host->storms[i].pace);
    }
    transmit(host);
}

uint64_t
host_flow_sent(const struct host *host, uint32_t number)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < host->n_flows; i++) {
        if (flow_number(&host->flows[i]) == number) {
            n += host->flows[i].pace.given;
        }
    }
    return n;
}

bool
host_is_busy(const struct host *host)
{
    if (host->is_sending &&
        frame_at(host->pool, host->frame)->dst_mac != PAUSE_FRAME_ADDRESS) {
        return true;
    }
    for (uint32_t i = 0; i < host->n_flows; i++) {
        const struct flow *flow = &host->flows[i];

        if (pacing_due_ps(&flow->pace) != EVENT_NEVER &&
            flow->pace.config.n_frames && !host->pause.all_paused &&
            !(host->pause.paused >> flow->priority & 1)) {
            return true;
        }
    }
    return false;
}

bool
host_is_endless(const struct host *host)
{
    for (uint32_t i = 0; i < host->n_flows; i++) {
        const struct pacing *pace = &host->flows[i].pace;

        if (pacing_due_ps(pace) != EVENT_NEVER && !pace->config.n_frames) {
            return true;
        }
    }
    return false;
}

/* Receiving ------------------------------------------------------------- */

/* Schedules the end of the next pause, and starts a frame that may be sent
 * now. */
static void
follow_pauses(struct host *host)
{
    int64_t next_ps = pause_next_ps(&host->pause);

    if (next_ps == EVENT_NEVER) {
        engine_cancel(host->engine, &host->resume);
    } else {
        engine_schedule(host->engine, &host->resume, next_ps);
    }
    transmit(host);
}

static void
on_resume(struct event *event, int64_t now_ps)
{
    struct host *host = EVENT_OWNER(event, struct host, resume);

    pause_expire(&host->pause, now_ps);
    follow_pauses(host);
}

/* Applies all received pause frames whose response time has passed. */
static void
on_respond(struct event *event, int64_t now_ps)
{
    struct host *host = EVENT_OWNER(event, struct host, respond);
    struct pause_frame pause;

    while (pause_delay_take(&host->delay, now_ps, &pause)) {
        pause_receive(&host->pause, &pause, now_ps);
    }
    if (host->delay.n) {
        engine_schedule(host->engine, &host->respond,
                        pause_delay_next_ps(&host->delay));
    }
    follow_pauses(host);
}

/* Queues a received pause frame until it takes effect. */
static void
plan_response(struct host *host, const struct pause_frame *pause)
{
    pause_delay_add(&host->delay, pause,
                    engine_now_ps(host->engine) + host->config.response_ps);
    if (host->delay.n == 1) {
        engine_schedule(host->engine, &host->respond,
                        pause_delay_next_ps(&host->delay));
    }
}

void
host_handle_arrive(struct frame_pool *pool, uint32_t entity, uint32_t index)
{
    struct host *host = frame_pool_place(pool, entity);
    const struct sim_frame *frame = frame_at(pool, index);

    if (host && wire_lands(host->in_wire, frame)) {
        host->in_wire->delivered++;
        (void)host_receive(host, 0, frame);
    }
    frame_give(pool, index);
}

bool
host_receive(void *context, uint32_t port, const struct sim_frame *frame)
{
    struct host *host = context;
    struct pause_frame pause;

    (void)port;
    if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        receiver_take(host->receiver, frame, engine_now_ps(host->engine));
        return true;
    }
    host->stats.pauses_received++;
    if (frame->payload && pause_frame_parse(frame->payload->bytes,
                                            frame->payload->length, &pause)) {
        plan_response(host, &pause);
    }
    return true;
}
