/* SPDX-License-Identifier: Apache-2.0 */

/* Peers: hosts and cables.
 *
 * A peer is created on request, with the speed that its port has then. */

#include <config.h>

#include "vendors/softasic/traffic/peers.h"

#include <stdlib.h>
#include <string.h>

#include "base/cable.h"
#include "base/check.h"
#include "base/pfc.h"
#include "twin/fabric/fabric.h"
#include "twin/forwarding/bridge.h"
#include "twin/host/host.h"
#include "twin/link/link.h"
#include "vendors/softasic/program/port_lookup.h"
#include "vendors/softasic/traffic/peer_switch.h"

enum {
    MAX_CABLE_M = 1000000,
    MAX_ECN = 3,
};

/* The longest time of a flow or storm, an hour less than the range of time. */
#define MAX_PS (INT64_C(1) << 60)

/* A look at this many ports takes as long as an event. */
#define PORTS_PER_EVENT 64

/* A peer, and the frames on their way. */
struct peer {
    struct asic *asic;
    uint32_t port;
    bool is_beside; /* The port has a real interface, and this only sends storms
                     * there: it gets nothing. */
    struct host *host; /* NULL: the peer is a switch. */
    struct peer_switch *sw;
    struct link *link;
    int64_t delay_ps;    /* Of a pause: of the cable, and to obey it. */
    uint64_t n_to_peer;  /* Data frames that left the port ... */
    uint64_t n_to_port;  /* ... and those that arrived there. */
    int64_t released_ps; /* When the last release takes effect. */
};

/* Finds the peer of a port. */
static sai_status_t
find_peer(const struct asic *asic, sai_object_id_t oid, struct peer **peer)
{
    struct objects_item *port;
    const sai_status_t status = port_lookup_locate_port(asic, oid, &port);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    *peer = asic->ports[port->handle].peer;
    return *peer ? SAI_STATUS_SUCCESS : SAI_STATUS_INVALID_PARAMETER;
}

/* A link_deliver_fn: a frame of a peer arrives at its port.  A port that is
 * down loses it. */
static bool
deliver(void *context, uint32_t port, const struct sim_frame *frame)
{
    struct peer *peer = context;

    peer->n_to_port += frame->dst_mac != PAUSE_FRAME_ADDRESS;
    return sim_receive(peer->asic->sim, port, frame) == ST_OK;
}

/* Returns whether 'frame', a pause, releases a priority. */
static bool
releases(const struct sim_frame *frame)
{
    struct pause_frame pause;

    if (!frame->payload || !pause_frame_parse(frame->payload->bytes,
                                              frame->payload->length, &pause)) {
        return false;
    }
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        if ((pause.priorities >> i & 1) && pause.quanta[i] == 0) {
            return true;
        }
    }
    return false;
}

/* A sim_wire_fn: a frame has left the port. */
static void
to_peer(void *context, const struct sim_frame *frame)
{
    struct peer *peer = context;

    if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        peer->n_to_peer++;
    } else if (releases(frame)) {
        peer->released_ps = sim_now_ps(peer->asic->sim) + peer->delay_ps;
    }
    link_transmit(link_sender(peer->link, 0), frame);
}

void
peers_disconnect(struct asic *asic, uint32_t slot)
{
    struct peer *peer = asic->ports[slot].peer;

    if (!peer) {
        return;
    }
    if (sim_port_get(asic->sim, slot) && !peer->is_beside) {
        sim_port_connect(asic->sim, slot, NULL, NULL);
    }
    link_destroy(peer->link);
    host_destroy(peer->host);
    peer_switch_destroy(peer->sw);
    free(peer);
    asic->ports[slot].peer = NULL;
    for (size_t i = asic->n_flows; i--;) {
        if (asic->flows[i].from == slot || asic->flows[i].to == slot) {
            asic->flows[i] = asic->flows[--asic->n_flows];
        }
    }
}

/* Makes a peer with its cable at 'slot', which has none: 'host' or 'sw'. */
static void
connect(struct asic *asic, uint32_t slot, struct host *host,
        struct peer_switch *sw, const struct softasic_peer *config)
{
    struct engine *engine = sim_engine(asic->sim);
    struct peer *peer = check_calloc(1, sizeof *peer);
    struct link_config link = {
        .length_m = config->cable_m,
        .mtu_bytes = SIM_MAX_LENGTH_BYTES,
        .ends = {
            {deliver, peer, slot, sim_entity(asic->sim) + slot, EVENT_ARRIVE}}};
    const uint32_t entity = peer_switch_entity(asic, slot);

    fabric_serve(engine);
    peer->asic = asic;
    peer->port = slot;
    peer->host = host;
    peer->sw = sw;
    link.ends[1] =
        sw ? (struct link_end){peer_switch_receive, sw, 0, entity, EVENT_ARRIVE}
           : (struct link_end){host_receive, host, 0, entity,
                               EVENT_HOST_ARRIVE};
    peer->link = link_create(engine, &link);
    peer->delay_ps =
        (int64_t)config->cable_m * CABLE_PS_PER_METRE + config->response_ps;
    asic->ports[slot].peer = peer;
    peer->is_beside = asic->ports[slot].wire != NULL;
    if (!peer->is_beside) {
        sim_port_connect(asic->sim, slot, to_peer, peer);
    }
    if (sw) {
        peer_switch_connect(sw, link_sender(peer->link, 1));
    } else {
        host_connect(host, link_sender(peer->link, 1));
    }
}

/* Connects another switch with hosts behind it at 'slot'. */
static sai_status_t
connect_far(struct asic *asic, uint32_t slot,
            const struct softasic_peer *config)
{
    struct peer_switch *sw;
    enum st status;

    /* First, because the previous peer may have hosts with the same
     * addresses. */
    peers_disconnect(asic, slot);
    status = peer_switch_create(asic, slot, config, &sw);
    if (status == ST_OK) {
        connect(asic, slot, NULL, sw, config);
    }
    return status == ST_OK            ? SAI_STATUS_SUCCESS
           : status == ST_NO_RESOURCE ? SAI_STATUS_INSUFFICIENT_RESOURCES
                                      : SAI_STATUS_INVALID_PARAMETER;
}

/* Makes '*host' the adapter of a peer of the port in 'slot'. */
static enum st
make_host(struct asic *asic, uint32_t slot, const struct softasic_peer *peer,
          struct host **host)
{
    const struct host_config config = {
        .obeys_priorities = peer->obeys_priorities,
        .obeys_all = peer->obeys_all,
        .response_ps = peer->response_ps,
        .mac = STATE_HOST_MAC | slot,
        .entity = peer_switch_entity(asic, slot),
        .speed_mbps = sim_port_get(asic->sim, slot)->speed_mbps,
    };

    return host_create(sim_engine(asic->sim), &config, host);
}

sai_status_t
peers_connect(struct asic *asic, sai_object_id_t oid,
              const struct softasic_peer *peer)
{
    struct objects_item *port;
    struct host *host;
    const sai_status_t status = port_lookup_locate_port(asic, oid, &port);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (asic->ports[port->handle].wire) {
        return SAI_STATUS_OBJECT_IN_USE; /* It has a real interface. */
    }
    if (peer->cable_m > MAX_CABLE_M || peer->response_ps > MAX_PS ||
        peer->n_hosts > SOFTASIC_HOSTS_MAX ||
        peer->n_hosts >= asic->chip->ports ||
        make_host(asic, port->handle, peer, &host) != ST_OK) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (peer->n_hosts) {
        host_destroy(host);
        return connect_far(asic, port->handle, peer);
    }
    peers_disconnect(asic, port->handle);
    connect(asic, port->handle, host, NULL, peer);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
peers_remove(struct asic *asic, sai_object_id_t oid)
{
    struct objects_item *port;
    const sai_status_t status = port_lookup_locate_port(asic, oid, &port);

    if (status == SAI_STATUS_SUCCESS) {
        peers_disconnect(asic, port->handle);
    }
    return status;
}

sai_status_t
peers_state(const struct asic *asic, sai_object_id_t oid,
            struct softasic_peer_state *state)
{
    struct peer *peer;
    struct host_stats stats;
    const sai_status_t status = find_peer(asic, oid, &peer);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (peer->sw) {
        peer_switch_state(peer->sw, state);
        return SAI_STATUS_SUCCESS;
    }
    host_get_stats(peer->host, &stats);
    *state = (struct softasic_peer_state){
        .n_sent = stats.sent,
        .n_received = host_receiver(peer->host)->frames,
        .n_pauses_sent = stats.pauses_sent,
        .n_pauses_received = stats.pauses_received,
        .paused = stats.paused,
        .all_paused = stats.all_paused,
    };
    return SAI_STATUS_SUCCESS;
}

/* Flows --------------------------------------------------------------- */

/* Returns the flow of that number, NULL if there is none. */
static const struct state_flow *
find_flow(const struct asic *asic, uint32_t number)
{
    for (size_t i = 0; i < asic->n_flows; i++) {
        if (asic->flows[i].number == number) {
            return &asic->flows[i];
        }
    }
    return NULL;
}

/* Returns whether 'flow' is valid, apart from its ports. */
static bool
is_allowed(const struct softasic_flow *flow)
{
    const struct softasic_send *look = &flow->look;

    return look->frame_bytes >= SOFTASIC_FRAME_BYTES_MIN &&
           look->frame_bytes <= SOFTASIC_FRAME_BYTES_MAX &&
           look->dscp < CLASSIFY_DSCPS && look->ecn <= MAX_ECN &&
           look->vlan <= BRIDGE_MAX_VLAN && look->pcp < PFC_N_PRIORITIES &&
           (look->from != look->to ||
            (flow->from_host && flow->from_host != flow->to_host)) &&
           flow->pace <= SOFTASIC_PACE_POISSON && flow->delay_ps >= 0 &&
           flow->delay_ps <= MAX_PS && flow->on_ps >= 0 &&
           flow->on_ps <= MAX_PS && flow->off_ps >= 0 &&
           flow->off_ps <= MAX_PS && flow->priority < PFC_N_PRIORITIES;
}

/* Returns the pacing of 'flow' on a link of 'speed_mbps'. */
static struct pacing_config
pace_of(const struct asic *asic, const struct softasic_flow *flow,
        uint32_t speed_mbps)
{
    static const enum pacing_kind kinds[] = {
        [SOFTASIC_PACE_CONSTANT] = PACING_CONSTANT,
        [SOFTASIC_PACE_BURST] = PACING_BURST,
        [SOFTASIC_PACE_ON_OFF] = PACING_ON_OFF,
        [SOFTASIC_PACE_POISSON] = PACING_POISSON,
    };
    const uint64_t bits_per_s =
        flow->bits_per_s ? flow->bits_per_s : (uint64_t)speed_mbps * 1000000;

    return (struct pacing_config){
        .kind = kinds[flow->pace],
        .start_ps = sim_now_ps(asic->sim) + flow->delay_ps,
        .n_frames = flow->n_frames,
        .interval = pacing_of_bits(bits_per_s, flow->look.frame_bytes, true),
        .n = flow->n_burst,
        .period_ps = flow->off_ps,
        .on_ps = flow->on_ps,
        .off_ps = flow->off_ps,
        .seed = flow->number,
    };
}

/* Returns host 'number' behind 'peer', or the adapter of 'peer'; NULL if there
 * is no such host. */
static struct host *
end_of(const struct peer *peer, uint32_t number)
{
    return peer->sw ? peer_switch_host(peer->sw, number)
           : number == 0 && !peer->is_beside ? peer->host
                                             : NULL;
}

sai_status_t
peers_flow(struct asic *asic, const struct softasic_flow *flow)
{
    const struct softasic_send *look = &flow->look;
    struct peer *from, *to;
    struct host *sender, *receiver;
    struct flow_config config = {.flow = flow->number,
                                 .priority = flow->priority};
    sai_status_t status = find_peer(asic, look->from, &from);

    if (status == SAI_STATUS_SUCCESS) {
        status = find_peer(asic, look->to, &to);
    }
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    sender = end_of(from, flow->from_host);
    receiver = end_of(to, flow->to_host);
    if (!is_allowed(flow) || find_flow(asic, flow->number) || !sender ||
        !receiver) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    config.pace = pace_of(asic, flow, host_get_config(sender)->speed_mbps);
    config.frame = (struct sim_frame){
        .dst_mac = host_get_config(receiver)->mac,
        .length_bytes = look->frame_bytes,
        .dscp = look->is_not_ip ? -1 : (int8_t)look->dscp,
        .ecn = look->is_not_ip ? 0u : look->ecn & 3u,
        .ip_id = look->is_not_ip ? 0 : look->ip_id,
        .tag = look->vlan,
        .dot1p = look->pcp & 7u,
        .has = look->has_tag || look->vlan ? SIM_HAS_TAG : 0,
    };
    if (host_add_flow(sender, &config) != ST_OK) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    asic->flows =
        check_realloc(asic->flows, (asic->n_flows + 1) * sizeof *asic->flows);
    asic->flows[asic->n_flows++] = (struct state_flow){
        flow->number, from->port, to->port, sender, receiver};
    return SAI_STATUS_SUCCESS;
}

sai_status_t
peers_flow_stop(struct asic *asic, uint32_t number)
{
    const struct state_flow *flow = find_flow(asic, number);

    if (!flow) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    host_stop_flow(flow->source, number);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
peers_flow_state(const struct asic *asic, uint32_t number,
                 struct softasic_flow_state *state)
{
    const struct state_flow *flow = find_flow(asic, number);
    const struct receiver_flow *seen;

    if (!flow) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    memset(state, 0, sizeof *state);
    state->n_sent = host_flow_sent(flow->source, number);
    seen = receiver_flow(host_receiver(flow->receiver), number);
    if (seen) {
        state->n_received = seen->frames;
        state->n_received_bytes = seen->bytes;
        state->n_marked = seen->ce;
        state->n_late = seen->late;
        state->n_duplicates = seen->duplicates;
        state->min_ps = seen->min_ps;
        state->mean_ps = receiver_mean_ps(seen);
        state->max_ps = seen->max_ps;
        state->p50_ps = receiver_percentile_ps(seen, 500000);
        state->p99_ps = receiver_percentile_ps(seen, 990000);
        state->first_ps = seen->first_ps;
        state->last_ps = seen->last_ps;
    }
    return SAI_STATUS_SUCCESS;
}

/* Storms -------------------------------------------------------------- */

/* Connects a sender of storms at 'port', which has a real interface. */
static void
connect_beside(struct asic *asic, const struct objects_item *port)
{
    const struct softasic_peer nobody = {0};
    struct host *host;
    const enum st status = make_host(asic, port->handle, &nobody, &host);

    orch_assert(status == ST_OK); /* The port exists and has a speed. */
    connect(asic, port->handle, host, NULL, &nobody);
}

sai_status_t
peers_storm_sent(struct asic *asic, sai_object_id_t oid, uint8_t priorities)
{
    struct objects_item *port;
    const sai_status_t status = port_lookup_locate_port(asic, oid, &port);

    if (status == SAI_STATUS_SUCCESS &&
        sim_port_set_storm(asic->sim, port->handle, priorities) != ST_OK) {
        return SAI_STATUS_INVALID_PARAMETER; /* The CPU port. */
    }
    return status;
}

sai_status_t
peers_storm(struct asic *asic, sai_object_id_t oid,
            const struct softasic_storm *storm)
{
    struct peer *peer;
    struct storm_config config = {
        .pace = {.kind = PACING_CONSTANT,
                 .start_ps = sim_now_ps(asic->sim),
                 .n_frames = storm->n_frames,
                 .interval = {(uint64_t)storm->interval_ps, 1}},
        .kind = storm->pause.all ? PAUSE_FRAME_ALL : PAUSE_FRAME_PFC,
        .priorities = storm->pause.priorities,
        .quanta = {storm->pause.quanta},
        .n_quanta = 1,
        .zero_source = storm->zero_source,
    };
    struct objects_item *port;
    sai_status_t status = port_lookup_locate_port(asic, oid, &port);

    if (storm->interval_ps <= 0 || storm->interval_ps > MAX_PS) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (status == SAI_STATUS_SUCCESS && asic->ports[port->handle].wire &&
        !asic->ports[port->handle].peer) {
        connect_beside(asic, port);
    }
    status = find_peer(asic, oid, &peer);
    if (status == SAI_STATUS_SUCCESS &&
        (!peer->host || host_add_storm(peer->host, &config) != ST_OK)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return status;
}

sai_status_t
peers_storm_stop(struct asic *asic, sai_object_id_t oid)
{
    struct peer *peer;
    const sai_status_t status = find_peer(asic, oid, &peer);

    if (status == SAI_STATUS_SUCCESS && peer->host) {
        host_stop_storms(peer->host);
    }
    return status;
}

/* All ----------------------------------------------------------------- */

/* Returns whether settling waits for 'peer'. */
static bool
is_busy(const struct peer *peer)
{
    struct host_stats stats;
    struct link_stats out, in;

    if (peer->sw) {
        link_get_stats(peer->link, 0, &out);
        link_get_stats(peer->link, 1, &in);
        return out.in_flight || in.in_flight || peer_switch_is_busy(peer->sw);
    }
    host_get_stats(peer->host, &stats);
    return host_is_busy(peer->host) || stats.sent > peer->n_to_port ||
           peer->n_to_peer > host_receiver(peer->host)->frames ||
           peer->released_ps > sim_now_ps(peer->asic->sim);
}

/* Returns whether settling waits for any peer.  '*port' is where to look first;
 * it becomes the port of that peer. */
static bool
any_is_busy(const struct asic *asic, uint32_t *port)
{
    for (uint32_t i = 0; i < asic->n_ports; i++) {
        if (asic->ports[*port].peer && is_busy(asic->ports[*port].peer)) {
            return true;
        }
        *port = (*port + 1) % asic->n_ports;
    }
    return false;
}

/* Returns whether there is an unlimited flow. */
static bool
is_endless(const struct asic *asic)
{
    for (uint32_t i = 0; i < asic->n_ports; i++) {
        const struct peer *peer = asic->ports[i].peer;

        if (peer && (peer->sw ? peer_switch_is_endless(peer->sw)
                              : host_is_endless(peer->host))) {
            return true;
        }
    }
    return false;
}

/* A settling in progress. */
struct settling {
    uint64_t n_events; /* That may still happen. */
    uint64_t n_sent;   /* Frames that this switch has transmitted. */
};

/* Runs all switches until they are idle.  Returns whether they are. */
static bool
settle_switches(struct asic *asic, struct settling *settling)
{
    uint64_t n_peers;

    do {
        n_peers = 0;
        if (!sim_settle_some(asic->sim, &settling->n_events,
                             &settling->n_sent)) {
            return false;
        }
        for (uint32_t i = 0; i < asic->n_ports; i++) {
            if (asic->ports[i].peer && asic->ports[i].peer->sw &&
                !peer_switch_settle(asic->ports[i].peer->sw,
                                    &settling->n_events, &n_peers)) {
                return false;
            }
        }
    } while (n_peers);
    return true;
}

/* Handles the next event while the switches are idle.  Each one is followed by
 * a look at all ports, which counts, too. */
static void
step_between(struct asic *asic, struct settling *settling)
{
    const uint64_t n = 1 + asic->n_ports / PORTS_PER_EVENT;

    sim_run_until(asic->sim, sim_next_ps(asic->sim));
    settling->n_events -= settling->n_events < n ? settling->n_events : n;
}

sai_status_t
peers_settle_some(struct asic *asic, uint64_t n_events, uint64_t *n_sent,
                  uint64_t *is_done)
{
    struct settling settling = {n_events, 0};
    uint32_t port = 0;
    bool is_idle;

    if (!n_events || n_events > SOFTASIC_EVENTS_MAX) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (is_endless(asic)) {
        return SAI_STATUS_OBJECT_IN_USE;
    }
    *is_done = 0;
    do {
        is_idle = settle_switches(asic, &settling);
        if (is_idle && (!any_is_busy(asic, &port) ||
                        sim_next_ps(asic->sim) == EVENT_NEVER)) {
            *is_done = 1;
        } else if (is_idle && settling.n_events) {
            step_between(asic, &settling);
        }
    } while (!*is_done && settling.n_events);
    *n_sent = settling.n_sent;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
peers_settle(struct asic *asic, uint64_t *n_sent)
{
    uint64_t sum = 0, n = 0, is_done = 0;
    sai_status_t status = SAI_STATUS_SUCCESS;

    while (status == SAI_STATUS_SUCCESS && !is_done) {
        status = peers_settle_some(asic, SOFTASIC_EVENTS_MAX, &n, &is_done);
        sum += n;
    }
    if (status == SAI_STATUS_SUCCESS && n_sent) {
        *n_sent = sum;
    }
    return status;
}

void
peers_fini(struct asic *asic)
{
    for (uint32_t i = 0; i < asic->n_ports; i++) {
        peers_disconnect(asic, i);
    }
    free(asic->flows);
    asic->flows = NULL;
}
