/* SPDX-License-Identifier: Apache-2.0 */

/* A network adapter with a host that sends and counts.
 *
 * The queues are not there: how many frames of a flow wait follows from its
 * pace and the time.  So a flow that is paused for long costs nothing.
 *
 * Three events are enough: the wire is free or something becomes due; the
 * first received pause frame that was not answered yet takes effect; the first
 * pause ends. */

#include <config.h>

#include "twin/host/host.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/pfc.h"
#include "twin/forwarding/fdb.h"
#include "twin/host/capture.h"

struct flow {
    struct pacing pace;     /* When its next frame is due. */
    struct sim_frame frame; /* What each of its frames is a copy of. */
    uint8_t priority;       /* By which it is paused. */

    struct capture capture; /* If there are frames in it: these, not 'frame'. */
};

struct storm {
    struct storm_config config;
    struct pacing pace;
};

/* A received pause frame before it takes effect. */
struct response {
    struct pause_frame pause;
    int64_t effect_ps; /* When the adapter begins to obey it. */
};

struct host {
    struct engine *engine;
    struct host_config config;
    struct link_sender *sender; /* NULL: not connected. */
    struct receiver *sink;
    struct host_stats stats;

    struct flow *flows;
    uint32_t n_flows;
    struct storm *storms;
    uint32_t n_storms;

    bool is_sending;
    uint8_t last_priority;
    struct sim_frame frame; /* On the wire, while sending. */
    struct event transmit;  /* It has left; or something is due. */

    struct pause_receiver receiver;
    struct event resume;
    struct response *responses; /* In order of time. */
    uint32_t n_responses;
    struct event respond;
};

static void on_transmit(struct event *event, int64_t now_ps);
static void on_resume(struct event *event, int64_t now_ps);
static void on_respond(struct event *event, int64_t now_ps);

/* Life ------------------------------------------------------------------ */

enum st
host_create(struct engine *engine, const struct host_config *config,
            struct host **made)
{
    struct host *station;

    if (!fdb_mac_is_valid(config->mac) || fdb_mac_is_group(config->mac) ||
        config->speed_mbps == 0 || config->response_ps < 0) {
        return ST_INVALID;
    }
    station = check_calloc(1, sizeof *station);
    station->engine = engine;
    station->config = *config;
    station->sink = receiver_create();
    station->last_priority = PFC_N_PRIORITIES - 1;
    station->transmit = (struct event){.fire = on_transmit};
    station->resume = (struct event){.fire = on_resume};
    station->respond = (struct event){.fire = on_respond};
    pause_init(&station->receiver,
               &(struct pause_config){.speed_mbps = config->speed_mbps,
                                      .priorities = config->obeys_priorities,
                                      .all = config->obeys_all});
    *made = station;
    return ST_OK;
}

/* Lets go of what 'flow' holds. */
static void
flow_fini(struct flow *flow)
{
    capture_fini(&flow->capture);
    sim_payload_unref(flow->frame.payload);
}

void
host_destroy(struct host *station)
{
    if (!station) {
        return;
    }
    engine_cancel(station->engine, &station->transmit);
    engine_cancel(station->engine, &station->resume);
    engine_cancel(station->engine, &station->respond);
    for (uint32_t i = 0; i < station->n_flows; i++) {
        flow_fini(&station->flows[i]);
    }
    sim_payload_unref(station->frame.payload);
    receiver_destroy(station->sink);
    free(station->responses);
    free(station->storms);
    free(station->flows);
    free(station);
}

const struct host_config *
host_get_config(const struct host *station)
{
    return &station->config;
}

struct receiver *
host_sink(struct host *station)
{
    return station->sink;
}

void
host_get_stats(const struct host *station, struct host_stats *stats)
{
    *stats = station->stats;
    stats->paused = station->receiver.paused;
    stats->all_paused = station->receiver.all_paused;
}

/* Sending --------------------------------------------------------------- */

/* Puts 'frame' on the wire. */
static void
start(struct host *station, const struct sim_frame *frame)
{
    int64_t now_ps = engine_now_ps(station->engine);

    frame_keep(&station->frame, frame);
    station->frame.sent_ps = now_ps;
    station->is_sending = true;
    engine_schedule(station->engine, &station->transmit,
                    now_ps + frame_wire_ps(frame->length_bytes,
                                           station->config.speed_mbps));
}

/* Starts the next pause frame of 'storm'. */
static void
start_pause(struct host *station, struct storm *storm)
{
    const struct storm_config *config = &storm->config;
    const uint64_t source = config->zero_source ? 0 : station->config.mac;
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
    start(station, &frame);
    sim_payload_unref(frame.payload);
}

/* Starts the next frame of 'flow'. */
static void
start_data(struct host *station, struct flow *flow)
{
    start(station, flow->capture.frames
                       ? &flow->capture.frames[flow->pace.given]
                       : &flow->frame);
    flow->frame.sequence++;
    pacing_advance(&flow->pace);
    station->last_priority = flow->priority;
}

/* Returns the storm that has a frame due now, NULL if none has; '*next_ps'
 * becomes the time of the first that is due later, if that is earlier. */
static struct storm *
due_storm(const struct host *station, int64_t *next_ps)
{
    for (uint32_t i = 0; i < station->n_storms; i++) {
        int64_t due_ps = pacing_due_ps(&station->storms[i].pace);

        if (due_ps <= engine_now_ps(station->engine)) {
            return &station->storms[i];
        }
        *next_ps = due_ps < *next_ps ? due_ps : *next_ps;
    }
    return NULL;
}

/* How many turns away 'priority' is. */
static unsigned int
turns(const struct host *station, uint8_t priority)
{
    return (unsigned int)(priority + PFC_N_PRIORITIES - station->last_priority -
                          1) %
           PFC_N_PRIORITIES;
}

/* The same for flows.  Those that are paused are due when their pause ends,
 * which is an event of its own. */
static struct flow *
due_flow(const struct host *station, int64_t *next_ps)
{
    struct flow *best = NULL;

    if (station->receiver.all_paused) {
        return NULL;
    }
    for (uint32_t i = 0; i < station->n_flows; i++) {
        struct flow *flow = &station->flows[i];
        int64_t due_ps = pacing_due_ps(&flow->pace);

        if (station->receiver.paused >> flow->priority & 1) {
            continue;
        }
        if (due_ps > engine_now_ps(station->engine)) {
            *next_ps = due_ps < *next_ps ? due_ps : *next_ps;
        } else if (!best || (flow->priority == best->priority
                                 ? due_ps < pacing_due_ps(&best->pace)
                                 : turns(station, flow->priority) <
                                       turns(station, best->priority))) {
            best = flow;
        }
    }
    return best;
}

/* Starts what may start, or plans when to look again. */
static void
transmit(struct host *station)
{
    int64_t next_ps = EVENT_NEVER;
    struct storm *storm;
    struct flow *flow;

    if (station->is_sending || !station->sender) {
        return;
    }
    engine_cancel(station->engine, &station->transmit);
    storm = due_storm(station, &next_ps);
    if (storm) {
        start_pause(station, storm);
        return;
    }
    flow = due_flow(station, &next_ps);
    if (flow) {
        start_data(station, flow);
    } else if (next_ps != EVENT_NEVER) {
        engine_schedule(station->engine, &station->transmit, next_ps);
    }
}

static void
on_transmit(struct event *event, int64_t now_ps)
{
    struct host *station = EVENT_OWNER(event, struct host, transmit);

    (void)now_ps;
    if (station->is_sending) {
        station->is_sending = false;
        if (station->frame.dst_mac == PAUSE_FRAME_ADDRESS) {
            station->stats.pauses_sent++;
        } else {
            station->stats.sent++;
            station->stats.sent_bytes += station->frame.length_bytes;
        }
        link_transmit(station->sender, &station->frame);
    }
    transmit(station);
}

void
host_connect(struct host *station, struct link_sender *sender)
{
    orch_assert(!station->is_sending);
    station->sender = sender;
    transmit(station);
}

/* Takes 'config' as the pace of something that begins now or later. */
static enum st
begin(const struct host *station, const struct pacing_config *config,
      struct pacing *pace)
{
    return config->start_ps < engine_now_ps(station->engine)
               ? ST_INVALID
               : pacing_init(pace, config);
}

/* Adds 'flow' with all that it holds. */
static void
add_flow(struct host *station, const struct flow *flow)
{
    station->flows = check_realloc(station->flows, (station->n_flows + 1) *
                                                       sizeof *station->flows);
    station->flows[station->n_flows++] = *flow;
    transmit(station);
}

enum st
host_add_flow(struct host *station, const struct flow_config *config)
{
    struct flow flow = {.frame = config->frame, .priority = config->priority};
    enum st status = begin(station, &config->pace, &flow.pace);

    if (flow.frame.src_mac == 0) {
        flow.frame.src_mac = station->config.mac;
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
    }
    add_flow(station, &flow);
    return ST_OK;
}

enum st
host_add_replay(struct host *station, const struct replay_config *config,
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

        status = begin(station, &pace, &flow.pace);
        if (status != ST_OK) {
            err_set(err, status, "pcap", "the start is in the past");
        }
    }
    if (status == ST_OK) {
        add_flow(station, &flow);
    } else {
        flow_fini(&flow);
    }
    return status;
}

enum st
host_add_storm(struct host *station, const struct storm_config *config)
{
    struct storm storm = {.config = *config};
    enum st status = begin(station, &config->pace, &storm.pace);

    if (status != ST_OK || config->n_quanta == 0 ||
        config->n_quanta > PFC_N_PRIORITIES) {
        return ST_INVALID;
    }
    station->storms = check_realloc(
        station->storms, (station->n_storms + 1) * sizeof *station->storms);
    station->storms[station->n_storms++] = storm;
    transmit(station);
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
host_stop_flow(struct host *station, uint32_t number)
{
    bool found = false;

    for (uint32_t i = 0; i < station->n_flows; i++) {
        if (flow_number(&station->flows[i]) == number) {
            pacing_end(&station->flows[i].pace);
            found = true;
        }
    }
    transmit(station);
    return found;
}

void
host_stop_storms(struct host *station)
{
    for (uint32_t i = 0; i < station->n_storms; i++) {
        pacing_end(&station->storms[i].pace);
    }
    transmit(station);
}

uint64_t
host_flow_sent(const struct host *station, uint32_t number)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < station->n_flows; i++) {
        if (flow_number(&station->flows[i]) == number) {
            n += station->flows[i].pace.given;
        }
    }
    return n;
}

bool
host_is_busy(const struct host *station)
{
    if (station->is_sending && station->frame.dst_mac != PAUSE_FRAME_ADDRESS) {
        return true;
    }
    for (uint32_t i = 0; i < station->n_flows; i++) {
        const struct flow *flow = &station->flows[i];

        if (pacing_due_ps(&flow->pace) != EVENT_NEVER &&
            flow->pace.config.n_frames && !station->receiver.all_paused &&
            !(station->receiver.paused >> flow->priority & 1)) {
            return true;
        }
    }
    return false;
}

bool
host_is_endless(const struct host *station)
{
    for (uint32_t i = 0; i < station->n_flows; i++) {
        const struct pacing *pace = &station->flows[i].pace;

        if (pacing_due_ps(pace) != EVENT_NEVER && !pace->config.n_frames) {
            return true;
        }
    }
    return false;
}

/* Receiving ------------------------------------------------------------- */

/* Plans the end of the next pause, and starts what may go now. */
static void
follow_pauses(struct host *station)
{
    int64_t next_ps = pause_next_ps(&station->receiver);

    if (next_ps == EVENT_NEVER) {
        engine_cancel(station->engine, &station->resume);
    } else {
        engine_schedule(station->engine, &station->resume, next_ps);
    }
    transmit(station);
}

static void
on_resume(struct event *event, int64_t now_ps)
{
    struct host *station = EVENT_OWNER(event, struct host, resume);

    pause_expire(&station->receiver, now_ps);
    follow_pauses(station);
}

/* Lets all received pauses take effect whose time has come. */
static void
on_respond(struct event *event, int64_t now_ps)
{
    struct host *station = EVENT_OWNER(event, struct host, respond);
    uint32_t n = 0;

    while (n < station->n_responses &&
           station->responses[n].effect_ps <= now_ps) {
        pause_receive(&station->receiver, &station->responses[n++].pause,
                      now_ps);
    }
    station->n_responses -= n;
    memmove(station->responses, station->responses + n,
            station->n_responses * sizeof *station->responses);
    if (station->n_responses) {
        engine_schedule(station->engine, &station->respond,
                        station->responses[0].effect_ps);
    }
    follow_pauses(station);
}

/* Notes a received pause until it takes effect. */
static void
plan_response(struct host *station, const struct pause_frame *pause)
{
    int64_t effect_ps =
        engine_now_ps(station->engine) + station->config.response_ps;

    station->responses =
        check_realloc(station->responses,
                      (station->n_responses + 1) * sizeof *station->responses);
    station->responses[station->n_responses++] =
        (struct response){.pause = *pause, .effect_ps = effect_ps};
    if (station->n_responses == 1) {
        engine_schedule(station->engine, &station->respond, effect_ps);
    }
}

bool
host_receive(void *context, uint32_t port, const struct sim_frame *frame)
{
    struct host *station = context;
    struct pause_frame pause;

    (void)port;
    if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        receiver_take(station->sink, frame, engine_now_ps(station->engine));
        return true;
    }
    station->stats.pauses_received++;
    if (frame->payload && pause_frame_parse(frame->payload->bytes,
                                            frame->payload->length, &pause)) {
        plan_response(station, &pause);
    }
    return true;
}
