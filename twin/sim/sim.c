/* SPDX-License-Identifier: Apache-2.0 */

/* Ports, forwarding and time around one MMU.
 *
 * Arrivals are not events: sim_send() works out when each frame has arrived,
 * lets everything up to then happen, and hands it in.  What is left for the
 * timeline are the ends of transmissions, at most one per port, and the
 * repetition of pause frames.  sim_settle() counts the former only, for the
 * latter may go on for ever.
 *
 * Two things at the same instant: an end of transmission comes before an
 * arrival, so the queue is empty for the frame that follows at the same speed.
 */

#include <config.h>

#include "twin/sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/timeline.h"
#include "twin/sim/bridge.h"
#include "twin/sim/fdb.h"

enum {
    PAUSE_QUANTA = 65535,
    QUANTUM_BITS = 512,
    MAX_SPEED_MBPS = 3200000,
};

/* One bit at 1 Mb/s, in picoseconds. */
#define PS_PER_BIT_MBPS 1000000

/* The repetition of pause frames for one priority of a port. */
struct pause {
    struct timer timer;
    struct sim_port *port;
};

struct sim_port {
    struct sim *sim;
    uint32_t id;
    bool exists;
    struct sim_port_config config;
    struct classify_rules rules;
    struct sim_port_stats stats;

    int64_t rx_free_ps; /* When the frame that arrived last has ended. */

    /* Transmission. */
    bool is_sending;
    uint32_t last_queue;
    struct sim_frame frame; /* Valid while sending. */
    struct timer sent;

    uint8_t pausing; /* A bit per priority whose sender is paused. */
    struct pause pauses[CLASSIFY_PRIORITIES];
};

struct sim {
    const struct chip *chip;
    struct mmu *mmu;
    struct timeline *timeline;
    int64_t now_ps;
    struct sim_port *ports;
    struct sim_frame *frames; /* By packet index of the MMU. */
    struct classify_rules rules;
    struct bridge *bridge;
    struct sim_sink sink;
    bool has_payloads; /* Some frame has, or had. */
    uint64_t last_id;
    uint64_t n_transmitted;
    uint32_t n_sending;  /* Ports with a frame on the wire. */
    unsigned int events; /* SIM_STOP_*, of the frame that arrived last. */

    /* Scratch for flooding. */
    uint32_t *queues;
    enum mmu_drop *drops;
};

static void on_flow(void *context, uint32_t pg, bool xoff);
static void on_learned(void *context, const struct fdb_entry *entry,
                       uint32_t from);
static void on_sent(struct timer *timer, int64_t when);
static void on_pause_refresh(struct timer *timer, int64_t when);

/* Payloads -------------------------------------------------------------- */

struct sim_payload *
sim_payload_create(uint32_t length, const uint8_t *bytes)
{
    struct sim_payload *payload = check_malloc(sizeof *payload + length);

    payload->references = 1;
    payload->length = length;
    memcpy(payload->bytes, bytes, length);
    return payload;
}

void
sim_payload_unref(struct sim_payload *payload)
{
    if (payload && --payload->references == 0) {
        free(payload);
    }
}

/* Replaces '*kept' by 'frame'.  What a packet carried is let go when its place
 * is taken by another: that it has left need not be noticed. */
static void
keep(struct sim_frame *kept, const struct sim_frame *frame)
{
    if (frame->payload) {
        frame->payload->references++;
    }
    sim_payload_unref(kept->payload);
    *kept = *frame;
}

/* Create and destroy --------------------------------------------------- */

/* Ties a slot and its timers to each other. They stay so, whether or not there
 * is a port in the slot. */
static void
port_init(struct sim *sim, uint32_t id)
{
    struct sim_port *port = &sim->ports[id];

    port->sim = sim;
    port->id = id;
    port->sent = (struct timer){.fire = on_sent, .owner = port};
    for (int i = 0; i < CLASSIFY_PRIORITIES; i++) {
        port->pauses[i].port = port;
        port->pauses[i].timer =
            (struct timer){.fire = on_pause_refresh, .owner = &port->pauses[i]};
    }
}

struct sim *
sim_create(const struct chip *chip)
{
    struct sim *sim = check_calloc(1, sizeof *sim);

    sim->chip = chip;
    sim->mmu = mmu_create(
        chip, &(struct mmu_options){.flow = on_flow, .context = sim});
    sim->timeline = timeline_create();
    sim->bridge = bridge_create(chip->ports, on_learned, sim);
    sim->frames =
        check_calloc(mmu_packet_capacity(sim->mmu), sizeof *sim->frames);
    sim->ports = check_calloc(chip->ports, sizeof *sim->ports);
    sim->queues = check_calloc(chip->ports, sizeof *sim->queues);
    sim->drops = check_calloc(chip->ports, sizeof *sim->drops);
    for (uint32_t i = 0; i < chip->ports; i++) {
        port_init(sim, i);
    }
    return sim;
}

void
sim_destroy(struct sim *sim)
{
    if (!sim) {
        return;
    }
    for (uint32_t i = 0; sim->has_payloads && i < mmu_packet_capacity(sim->mmu);
         i++) {
        sim_payload_unref(sim->frames[i].payload);
    }
    for (uint32_t i = 0; i < sim->chip->ports; i++) {
        sim_payload_unref(sim->ports[i].frame.payload);
    }
    bridge_destroy(sim->bridge);
    timeline_destroy(sim->timeline);
    mmu_destroy(sim->mmu);
    free(sim->drops);
    free(sim->queues);
    free(sim->ports);
    free(sim->frames);
    free(sim);
}

struct mmu *
sim_mmu(struct sim *sim)
{
    return sim->mmu;
}

void
sim_set_sink(struct sim *sim, const struct sim_sink *sink)
{
    sim->sink = sink ? *sink : (struct sim_sink){0};
}

/* Returns the port in slot 'id', NULL if there is none. */
static struct sim_port *
port_find(const struct sim *sim, uint32_t id)
{
    return id < sim->chip->ports && sim->ports[id].exists ? &sim->ports[id]
                                                          : NULL;
}

/* PFC ------------------------------------------------------------------ */

/* Sends one pause frame: counts it and tells the listener. */
static void
pause_send(struct sim_port *port, unsigned int priority, unsigned int quanta)
{
    struct sim *sim = port->sim;

    port->stats.pfc_tx[priority]++;
    if (sim->sink.pfc) {
        sim->sink.pfc(sim->sink.context, port->id, priority, quanta,
                      sim->now_ps);
    }
}

/* Plans the next pause frame for when half of the time of this one is over, so
 * that the sender never starts in between. */
static void
pause_schedule(struct sim_port *port, unsigned int priority)
{
    int64_t time_ps = (int64_t)PAUSE_QUANTA * QUANTUM_BITS * PS_PER_BIT_MBPS /
                      port->config.speed_mbps;

    timeline_set(port->sim->timeline, &port->pauses[priority].timer,
                 port->sim->now_ps + time_ps / 2);
}

/* Repeats the pause. That it is still wanted is known: its end cancels the
 * timer. */
static void
on_pause_refresh(struct timer *timer, int64_t when)
{
    struct pause *pause = timer->owner;
    unsigned int priority = (unsigned int)(pause - pause->port->pauses);

    pause->port->sim->now_ps = when;
    pause_send(pause->port, priority, PAUSE_QUANTA);
    pause_schedule(pause->port, priority);
}

/* Starts or ends the pausing of 'priority', as its PG and the configuration
 * want it.  A port that is down says nothing. */
static void
pause_update(struct sim_port *port, unsigned int priority, bool xoff)
{
    uint8_t bit = (uint8_t)(1u << priority);
    bool want = port->exists && port->config.admin_up && xoff &&
                (port->config.pfc_tx_enabled & bit);

    if (want && !(port->pausing & bit)) {
        port->pausing |= bit;
        port->sim->events |= SIM_STOP_XOFF;
        pause_send(port, priority, PAUSE_QUANTA);
        pause_schedule(port, priority);
    } else if (!want && (port->pausing & bit)) {
        port->pausing &= (uint8_t)~bit;
        timeline_cancel(port->sim->timeline, &port->pauses[priority].timer);
        if (port->exists && port->config.admin_up) {
            pause_send(port, priority, 0);
        }
    }
}

/* Hears from the MMU that a PG changed its mind. */
static void
on_flow(void *context, uint32_t pg, bool xoff)
{
    struct sim *sim = context;
    uint32_t per_port = sim->chip->pgs_per_port;
    int priority = classify_pfc_priority(pg % per_port);

    if (priority >= 0) {
        pause_update(&sim->ports[pg / per_port], (unsigned int)priority, xoff);
    }
}

/* Brings the pausing of all priorities of 'port' in line. */
static void
pause_update_all(struct sim_port *port)
{
    uint32_t n = port->sim->chip->pgs_per_port;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t pg = mmu_pg_id(port->sim->mmu, port->id, i);
        int priority = classify_pfc_priority(i);

        if (priority >= 0) {
            pause_update(port, (unsigned int)priority,
                         port->exists && mmu_pg_is_xoff(port->sim->mmu, pg));
        }
    }
}

/* Transmission --------------------------------------------------------- */

/* Time of a frame on a wire; a fraction of a picosecond counts whole. */
static int64_t
wire_ps(uint32_t length_bytes, uint32_t speed_mbps)
{
    int64_t bits = ((int64_t)length_bytes + SIM_WIRE_OVERHEAD_BYTES) * 8;

    return (bits * PS_PER_BIT_MBPS + speed_mbps - 1) / speed_mbps;
}

/* Returns the queue that follows 'last' in turn among the bits of 'backlog',
 * of which at least one is set. */
static uint32_t
queue_next(uint64_t backlog, uint32_t last)
{
    uint64_t later = last < 63 ? backlog & ~((UINT64_C(2) << last) - 1) : 0;

    return (uint32_t)__builtin_ctzll(later ? later : backlog);
}

/* Gives 'frame' the tag that it has to have when it leaves by 'port'.  Its VLAN
 * may have gone while it waited; then it leaves as it came. */
static void
retag(const struct bridge *bridge, uint32_t port, struct sim_frame *frame)
{
    uint16_t tag;

    if (frame->vlan == 0 || !bridge_vlan_exists(bridge, frame->vlan)) {
        return;
    }
    tag = bridge_member(bridge, frame->vlan, port) == BRIDGE_TAGGED
              ? frame->vlan
              : 0;
    if (tag && !frame->tag) {
        frame->length_bytes += SIM_TAG_BYTES;
    } else if (!tag && frame->tag) {
        frame->length_bytes -= SIM_TAG_BYTES;
    }
    frame->tag = tag;
}

/* Starts to transmit if there is something, and nothing forbids it. */
static void
port_transmit(struct sim_port *port)
{
    struct sim *sim = port->sim;
    uint64_t backlog = mmu_port_backlog(sim->mmu, port->id);
    struct mmu_departure departure;
    bool got;

    if (!backlog || port->is_sending || !port->config.tx_enabled ||
        !port->config.admin_up) {
        return;
    }
    port->last_queue = queue_next(backlog, port->last_queue);
    got = mmu_dequeue(sim->mmu,
                      mmu_queue_id(sim->mmu, port->id, port->last_queue),
                      &departure);
    orch_assert(got);
    /* Copied: the packet's index is free for another from now on. */
    keep(&port->frame, &sim->frames[departure.packet]);
    port->frame.queue_index = port->last_queue;
    retag(sim->bridge, port->id, &port->frame);
    port->is_sending = true;
    sim->n_sending++;
    timeline_set(sim->timeline, &port->sent,
                 sim->now_ps + wire_ps(port->frame.length_bytes,
                                       port->config.speed_mbps));
}

/* Ends a transmission and starts the next. */
static void
on_sent(struct timer *timer, int64_t when)
{
    struct sim_port *port = timer->owner;
    struct sim *sim = port->sim;

    sim->now_ps = when;
    port->is_sending = false;
    sim->n_sending--;
    sim->n_transmitted++;
    port->stats.tx_octets += port->frame.length_bytes;
    if (fdb_mac_is_group(port->frame.dst_mac)) {
        port->stats.tx_non_ucast_packets++;
    } else {
        port->stats.tx_ucast_packets++;
    }
    if (sim->sink.sent) {
        sim->sink.sent(sim->sink.context, port->id, &port->frame, when);
    }
    port_transmit(port);
}

/* Time ----------------------------------------------------------------- */

int64_t
sim_now_ps(const struct sim *sim)
{
    return sim->now_ps;
}

void
sim_run_until(struct sim *sim, int64_t until_ps)
{
    if (until_ps > sim->now_ps) {
        timeline_run(sim->timeline, until_ps);
        sim->now_ps = until_ps;
    }
}

uint64_t
sim_settle(struct sim *sim)
{
    uint64_t before = sim->n_transmitted;

    while (sim->n_sending) {
        timeline_step(sim->timeline, TIMELINE_NEVER);
    }
    return sim->n_transmitted - before;
}

int64_t
sim_next_ps(const struct sim *sim)
{
    return timeline_next(sim->timeline);
}

/* Ports ---------------------------------------------------------------- */

static bool
port_config_ok(const struct sim_port_config *config)
{
    return config->speed_mbps >= 1 && config->speed_mbps <= MAX_SPEED_MBPS;
}

enum st
sim_port_add(struct sim *sim, uint32_t id, uint32_t lane,
             const struct sim_port_config *config)
{
    struct sim_port *port;
    enum st status;

    if (id >= sim->chip->ports || !port_config_ok(config)) {
        return ST_INVALID;
    }
    status = mmu_port_add(sim->mmu, id, model_partition(sim->chip, id, lane));
    if (status != ST_OK) {
        return status;
    }
    port = &sim->ports[id];
    port->exists = true;
    port->config = *config;
    port->rules = (struct classify_rules){0};
    port->stats = (struct sim_port_stats){0};
    port->rx_free_ps = sim->now_ps;
    port->last_queue = sim->chip->queues_per_port - 1;
    bridge_port_add(sim->bridge, id);
    return ST_OK;
}

enum st
sim_port_remove(struct sim *sim, uint32_t id)
{
    struct sim_port *port = port_find(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    /* First of all it no longer exists, so that nothing that follows makes it
     * say something or start a frame. */
    port->exists = false;
    pause_update_all(port);
    if (port->is_sending) {
        timeline_cancel(sim->timeline, &port->sent);
        port->is_sending = false;
        sim->n_sending--;
    }
    bridge_port_remove(sim->bridge, id);
    return mmu_port_remove(sim->mmu, id);
}

enum st
sim_port_set(struct sim *sim, uint32_t id, const struct sim_port_config *config)
{
    struct sim_port *port = port_find(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    if (!port_config_ok(config)) {
        return ST_INVALID;
    }
    port->config = *config;
    if (!config->admin_up) {
        port->stats.tx_flushed += mmu_port_flush(sim->mmu, id);
    }
    /* The priorities may be others now, and transmission allowed again. */
    pause_update_all(port);
    port_transmit(port);
    return ST_OK;
}

const struct sim_port_config *
sim_port_get(const struct sim *sim, uint32_t id)
{
    const struct sim_port *port = port_find(sim, id);

    return port ? &port->config : NULL;
}

struct classify_rules *
sim_rules(struct sim *sim)
{
    return &sim->rules;
}

struct classify_rules *
sim_port_rules(struct sim *sim, uint32_t id)
{
    struct sim_port *port = port_find(sim, id);

    return port ? &port->rules : NULL;
}

enum st
sim_port_get_stats(const struct sim *sim, uint32_t id,
                   struct sim_port_stats *stats)
{
    const struct sim_port *port = port_find(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    *stats = port->stats;
    return ST_OK;
}

void
sim_port_clear_stats(struct sim *sim, uint32_t id)
{
    struct sim_port *port = port_find(sim, id);

    if (port) {
        port->stats = (struct sim_port_stats){0};
    }
}

/* Forwarding ----------------------------------------------------------- */

struct bridge *
sim_bridge(struct sim *sim)
{
    return sim->bridge;
}

/* Hears from the bridge that it has learned. */
static void
on_learned(void *context, const struct fdb_entry *entry, uint32_t from)
{
    const struct sim *sim = context;

    if (sim->sink.learned) {
        sim->sink.learned(sim->sink.context, entry, from);
    }
}

enum st
sim_fdb_set(struct sim *sim, uint64_t mac, uint32_t port)
{
    if (!fdb_mac_is_valid(mac) || fdb_mac_is_group(mac)) {
        return ST_INVALID;
    }
    if (!port_find(sim, port)) {
        return ST_NOT_FOUND;
    }
    fdb_set(bridge_fdb(sim->bridge), &(struct fdb_entry){.mac = mac,
                                                         .vlan = FDB_ANY_VLAN,
                                                         .is_static = true,
                                                         .port = port});
    return ST_OK;
}

enum st
sim_fdb_remove(struct sim *sim, uint64_t mac)
{
    return fdb_remove(bridge_fdb(sim->bridge), FDB_ANY_VLAN, mac)
               ? ST_OK
               : ST_NOT_FOUND;
}

uint32_t
sim_fdb_get(const struct sim *sim, uint64_t mac)
{
    const struct fdb_entry *entry =
        fdb_find(bridge_fdb(sim->bridge), FDB_ANY_VLAN, mac);

    return entry ? entry->port : MMU_NONE;
}

/* Traffic -------------------------------------------------------------- */

/* Counts a frame dropped at 'port', and tells the listener. */
static void
note_drop(struct sim *sim, uint32_t port, enum mmu_drop why,
          const struct sim_frame *frame)
{
    sim->events |= SIM_STOP_DROP;
    if (why == MMU_EGRESS_QUEUE) {
        sim->ports[port].stats.tx_dropped++;
    } else {
        sim->ports[port].stats.rx_dropped++;
    }
    if (sim->sink.drop) {
        sim->sink.drop(sim->sink.context, port, why, frame, sim->now_ps);
    }
}

/* Returns the queue of 'port' for traffic class 'tc'. */
static uint32_t
queue_of(const struct sim *sim, const struct sim_port *port, uint8_t tc)
{
    uint32_t index = classify_queue(&sim->rules, &port->rules, tc);

    return mmu_queue_id(sim->mmu, port->id,
                        index < sim->chip->queues_per_port ? index : 0);
}

/* Sends 'frame' to the one port 'out'. */
static void
forward(struct sim *sim, struct sim_port *out, uint32_t pg, uint8_t tc,
        const struct sim_frame *frame)
{
    uint32_t packet;
    enum mmu_drop drop = mmu_enqueue(sim->mmu, pg, queue_of(sim, out, tc),
                                     frame->length_bytes, &packet);

    if (drop == MMU_ADMITTED) {
        keep(&sim->frames[packet], frame);
        port_transmit(out);
    } else {
        note_drop(sim, drop == MMU_EGRESS_QUEUE ? out->id : frame->src_port,
                  drop, frame);
    }
}

/* Sends 'frame' to all members of its VLAN that are up but the one it came
 * from. */
static void
flood(struct sim *sim, struct sim_port *in, uint32_t pg, uint8_t tc,
      const struct sim_frame *frame)
{
    uint32_t per_port = sim->chip->queues_per_port;
    uint32_t n = 0;
    uint32_t packet;

    for (uint32_t i = 0; i < sim->chip->ports; i++) {
        struct sim_port *out = &sim->ports[i];

        if (out->exists && out->config.admin_up && out != in &&
            bridge_floods(sim->bridge, frame->vlan, i)) {
            sim->queues[n++] = queue_of(sim, out, tc);
        }
    }
    if (n == 0) {
        in->stats.rx_filtered++;
        return;
    }
    if (mmu_enqueue_copies(sim->mmu, pg, sim->queues, n, frame->length_bytes,
                           &packet, sim->drops)) {
        keep(&sim->frames[packet], frame);
    } else if (sim->drops[0] != MMU_EGRESS_QUEUE) {
        note_drop(sim, in->id, sim->drops[0], frame);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (sim->drops[i] == MMU_ADMITTED) {
            port_transmit(&sim->ports[sim->queues[i] / per_port]);
        } else {
            note_drop(sim, sim->queues[i] / per_port, sim->drops[i], frame);
        }
    }
}

/* Handles the end of 'frame' at 'in', now. */
static void
receive(struct sim *sim, struct sim_port *in, struct sim_frame *frame)
{
    uint8_t tc = classify_tc(&sim->rules, &in->rules, frame->dscp);
    uint32_t index = classify_pg(&sim->rules, &in->rules, tc);
    uint32_t pg = mmu_pg_id(sim->mmu, in->id,
                            index < sim->chip->pgs_per_port ? index : 0);
    uint32_t to;

    in->stats.rx_octets += frame->length_bytes;
    if (fdb_mac_is_group(frame->dst_mac)) {
        in->stats.rx_non_ucast_packets++;
    } else {
        in->stats.rx_ucast_packets++;
    }
    /* Counted above as received, whatever becomes of it now. */
    to = bridge_decide(sim->bridge, in->id, frame->src_mac, frame->dst_mac,
                       frame->tag, &frame->vlan);
    if (to == BRIDGE_FLOOD) {
        flood(sim, in, pg, tc, frame);
    } else if (to == BRIDGE_DISCARD || to == in->id ||
               !sim->ports[to].config.admin_up) {
        in->stats.rx_filtered++;
    } else {
        forward(sim, &sim->ports[to], pg, tc, frame);
    }
}

enum st
sim_send(struct sim *sim, uint32_t id, const struct sim_frame *frame,
         uint64_t n, unsigned int stops, struct sim_send_result *result)
{
    struct sim_port *port = port_find(sim, id);
    struct sim_frame next = *frame;
    uint64_t sent = 0;

    if (!port) {
        return ST_NOT_FOUND;
    }
    if (frame->length_bytes < SIM_MIN_LENGTH_BYTES ||
        frame->length_bytes > SIM_MAX_LENGTH_BYTES ||
        (frame->tag &&
         frame->length_bytes < SIM_MIN_LENGTH_BYTES + SIM_TAG_BYTES) ||
        frame->tag > BRIDGE_MAX_VLAN || !fdb_mac_is_valid(frame->dst_mac) ||
        !fdb_mac_is_valid(frame->src_mac)) {
        return ST_INVALID;
    }
    if (!port->config.admin_up) {
        return ST_BUSY;
    }
    /* What happened before (another sender's drop, say) stops nobody. */
    sim->events = 0;
    next.src_port = id;
    sim->has_payloads |= frame->payload != NULL;
    while (sent < n && !(sim->events & stops)) {
        port->rx_free_ps =
            (port->rx_free_ps > sim->now_ps ? port->rx_free_ps : sim->now_ps) +
            wire_ps(frame->length_bytes, port->config.speed_mbps);
        sim_run_until(sim, port->rx_free_ps);
        next.id = ++sim->last_id;
        next.arrived_ps = sim->now_ps;
        sim->events = 0;
        receive(sim, port, &next);
        sent++;
    }
    if (result) {
        result->sent = sent;
        result->stops = sim->events & stops;
    }
    return ST_OK;
}
