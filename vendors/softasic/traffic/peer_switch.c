/* SPDX-License-Identifier: Apache-2.0 */

/* The peer switch.  Its port 0 is connected to this switch, port n to host
 * n. */

#include <config.h>

#include "vendors/softasic/traffic/peer_switch.h"

#include <stdlib.h>

#include "base/cable.h"
#include "base/check.h"
#include "base/pfc.h"
#include "twin/host/host.h"
#include "twin/link/link.h"
#include "vendors/softasic/state.h"

enum {
    TRUNK = 0,
    HOST_SHIFT = 16,     /* Of the number of a host in its address. */
    WIRE_BYTES_MIN = 84, /* Of the shortest frame. */
    FRAME_BYTES =
        9216, /* The longest frame in the computation of the headroom. */
    FRAMES_IN_HEADROOM = 4, /* One each way, at both ends. */
};

#define PS_PER_BYTE_MBPS INT64_C(8000000)

struct peer_host {
    struct host *host;
    struct link *link;
};

struct peer_switch {
    struct asic *asic;
    uint32_t slot; /* Of the port to which it is connected. */
    struct sim *sim;
    uint32_t n_hosts;
    struct peer_host *hosts; /* Host n is at n - 1. */
};

static const struct classify_map identity = {
    .entries = {0, 1, 2, 3, 4, 5, 6, 7}};

/* Returns the address of a host; number 0 is the peer itself. */
static uint64_t
mac_of(uint32_t slot, uint32_t number)
{
    return STATE_HOST_MAC | (uint64_t)number << HOST_SHIFT | slot;
}

static void
must(enum st status)
{
    orch_assert(status == ST_OK);
}

/* A link_deliver_fn: receives a frame of a host. */
static bool
from_host(void *far_, uint32_t port, const struct sim_frame *frame)
{
    struct peer_switch *peer = far_;

    return sim_receive(peer->sim, port, frame) == ST_OK;
}

bool
peer_switch_receive(void *far_, uint32_t port, const struct sim_frame *frame)
{
    struct peer_switch *peer = far_;

    (void)port;
    return sim_receive(peer->sim, TRUNK, frame) == ST_OK;
}

/* --- Creation ----------------------------------------------------------- */

/* Returns the headroom of a priority: the data that arrives after a pause was
 * sent, if all frames have the minimum length and each takes a cell. */
static uint64_t
headroom_bytes(const struct peer_switch *peer,
               const struct softasic_peer *config, uint32_t speed_mbps)
{
    const int64_t flight_ps =
        2 * (int64_t)config->cable_m * CABLE_PS_PER_METRE + config->response_ps;
    const uint64_t wire_bytes =
        (uint64_t)(flight_ps / (PS_PER_BYTE_MBPS / speed_mbps)) +
        (uint64_t)FRAMES_IN_HEADROOM * FRAME_BYTES;

    return wire_bytes *
           (1 + chip_cells_to_bytes(peer->asic->chip, 1) / WIRE_BYTES_MIN);
}

/* The profiles of a peer. */
struct profiles {
    uint32_t lossless, lossy; /* Of priority groups. */
    uint32_t queue;           /* Of all queues. */
};

static enum st
make_profiles(struct peer_switch *peer, uint64_t headroom,
              struct profiles *profiles)
{
    const uint64_t memory = peer->asic->chip->memory_bytes;
    struct mmu *mmu = sim_mmu(peer->sim);
    const struct mmu_pool_config in = {MMU_INGRESS, memory / 2, 0};
    const struct mmu_pool_config out = {MMU_EGRESS, memory, 0};
    struct mmu_profile_config lossless = {.xoff_bytes = headroom};
    struct mmu_profile_config all = {.is_static = true, .static_bytes = memory};
    struct mmu_profile_config lossy = all;
    struct err err;
    enum st status = mmu_pool_create(mmu, &in, &lossless.pool, &err);

    if (chip_size_has_xoff(peer->asic->chip, false)) {
        lossless.reserved_bytes = headroom;
    }
    lossy.pool = lossless.pool;
    status = status ? status : mmu_pool_create(mmu, &out, &all.pool, &err);
    status =
        status ? status
               : mmu_profile_create(mmu, &lossless, &profiles->lossless, &err);
    status = status ? status
                    : mmu_profile_create(mmu, &lossy, &profiles->lossy, &err);
    return status ? status
                  : mmu_profile_create(mmu, &all, &profiles->queue, &err);
}

/* Gives the priorities of 'port' memory; those of 'mask' are lossless. */
static enum st
attach_profiles(struct peer_switch *peer, uint32_t port, uint8_t mask,
                const struct profiles *profiles)
{
    struct mmu *mmu = sim_mmu(peer->sim);
    enum st status = ST_OK;
    struct err err;

    for (uint32_t i = 0; i < PFC_N_PRIORITIES && !status; i++) {
        status = mmu_pg_attach(
            mmu, mmu_pg_id(mmu, port, i),
            mask >> i & 1 ? profiles->lossless : profiles->lossy, &err);
        status = status ? status
                        : mmu_queue_attach(mmu, mmu_queue_id(mmu, port, i),
                                           profiles->queue, &err);
    }
    return status;
}

static enum st
add_port(struct peer_switch *peer, uint32_t port,
         const struct softasic_peer *config, uint32_t speed_mbps)
{
    const struct chip *chip = peer->asic->chip;
    const struct sim_port_config sim = {
        .speed_mbps = speed_mbps,
        .admin_up = true,
        .tx_enabled = true,
        .pfc_tx_enabled = config->obeys_priorities,
        .pfc_rx_enabled = config->obeys_priorities,
        .pause_rx_enabled = config->obeys_all && port == TRUNK,
        .mac = mac_of(peer->slot, UINT8_MAX),
    };
    struct classify_rules *rules;
    const enum st status = sim_port_add(
        peer->sim, port, chip->first_lane + port * chip->lanes_per_port, &sim);

    if (status == ST_OK) {
        rules = sim_port_rules(peer->sim, port);
        rules->dscp_to_tc = rules->tc_to_pg = rules->tc_to_queue = &identity;
    }
    return status;
}

/* Creates host 'number' with its cable. */
static enum st
add_host(struct peer_switch *peer, uint32_t number,
         const struct softasic_peer *config, uint32_t speed_mbps)
{
    struct peer_host *host = &peer->hosts[number - 1];
    const struct host_config end = {
        .mac = mac_of(peer->slot, number),
        .speed_mbps = speed_mbps,
        .obeys_priorities = config->obeys_priorities,
        .response_ps = config->response_ps,
        /* Behind the blocks of all peers. */
        .entity = peer_switch_entity(peer->asic, peer->asic->chip->ports) +
                  peer->slot * peer->asic->chip->ports + number,
    };
    struct link_config link = {
        .length_m = config->cable_m,
        .mtu_bytes = SIM_MAX_LENGTH_BYTES,
        .ends = {{from_host, peer, number, sim_entity(peer->sim) + number,
                  EVENT_ARRIVE}}};
    const enum st status =
        host_create(sim_engine(peer->sim), &end, &host->host);

    if (status != ST_OK) {
        return status;
    }
    link.ends[1] = (struct link_end){host_receive, host->host, 0, end.entity,
                                     EVENT_HOST_ARRIVE};
    host->link = link_create(sim_engine(peer->sim), &link);
    sim_port_connect(peer->sim, number, link_transmit,
                     link_sender(host->link, 0));
    host_connect(host->host, link_sender(host->link, 1));
    must(sim_fdb_set(peer->sim, end.mac, number));
    must(sim_fdb_set(peer->asic->sim, end.mac, peer->slot));
    return ST_OK;
}

/* Creates ports and hosts, and configures everything else. */
static enum st
build(struct peer_switch *peer, const struct softasic_peer *config)
{
    const uint32_t speed_mbps =
        sim_port_get(peer->asic->sim, peer->slot)->speed_mbps;
    struct profiles profiles;
    enum st status = make_profiles(
        peer, headroom_bytes(peer, config, speed_mbps), &profiles);

    for (uint32_t i = 0; i <= config->n_hosts && !status; i++) {
        status = add_port(peer, i, config, speed_mbps);
        status = status ? status
                        : attach_profiles(peer, i, config->obeys_priorities,
                                          &profiles);
        if (i > 0 && !status) {
            status = add_host(peer, i, config, speed_mbps);
        }
    }
    for (uint32_t i = 0; i < peer->asic->n_ports && !status; i++) {
        must(sim_fdb_set(peer->sim, mac_of(i, 0), TRUNK));
    }
    return status;
}

uint32_t
peer_switch_entity(const struct asic *asic, uint32_t slot)
{
    return asic->chip->ports * (slot + 1);
}

enum st
peer_switch_create(struct asic *asic, uint32_t slot,
                   const struct softasic_peer *config,
                   struct peer_switch **made)
{
    struct peer_switch *peer;
    enum st status;

    if (config->n_hosts > SOFTASIC_HOSTS_MAX ||
        config->n_hosts >= asic->chip->ports) {
        return ST_INVALID;
    }
    peer = check_calloc(1, sizeof *peer);
    peer->asic = asic;
    peer->slot = slot;
    peer->sim = sim_create_on(asic->chip, sim_engine(asic->sim),
                              peer_switch_entity(asic, slot));
    peer->n_hosts = config->n_hosts;
    peer->hosts = check_calloc(config->n_hosts, sizeof *peer->hosts);
    status = build(peer, config);
    if (status != ST_OK) {
        peer_switch_destroy(peer);
        return status;
    }
    *made = peer;
    return ST_OK;
}

void
peer_switch_destroy(struct peer_switch *peer)
{
    if (!peer) {
        return;
    }
    for (uint32_t i = 0; i < peer->n_hosts; i++) {
        link_destroy(peer->hosts[i].link);
        host_destroy(peer->hosts[i].host);
        /* NULL if it was not created. */
        (void)!sim_fdb_remove(peer->asic->sim, mac_of(peer->slot, i + 1));
    }
    sim_destroy(peer->sim);
    free(peer->hosts);
    free(peer);
}

void
peer_switch_connect(struct peer_switch *peer, struct link_sender *sender)
{
    sim_port_connect(peer->sim, TRUNK, link_transmit, sender);
}

/* --- State -------------------------------------------------------------- */

struct host *
peer_switch_host(const struct peer_switch *peer, uint32_t number)
{
    return number >= 1 && number <= peer->n_hosts ? peer->hosts[number - 1].host
                                                  : NULL;
}

bool
peer_switch_settle(struct peer_switch *peer, uint64_t *n_events,
                   uint64_t *n_sent)
{
    return sim_settle_some(peer->sim, n_events, n_sent);
}

bool
peer_switch_is_busy(const struct peer_switch *peer)
{
    for (uint32_t i = 0; i < peer->n_hosts; i++) {
        struct link_stats out, in;

        link_get_stats(peer->hosts[i].link, 0, &out);
        link_get_stats(peer->hosts[i].link, 1, &in);
        if (host_is_busy(peer->hosts[i].host) || out.in_flight ||
            in.in_flight) {
            return true;
        }
    }
    return false;
}

bool
peer_switch_is_endless(const struct peer_switch *peer)
{
    for (uint32_t i = 0; i < peer->n_hosts; i++) {
        if (host_is_endless(peer->hosts[i].host)) {
            return true;
        }
    }
    return false;
}

void
peer_switch_state(const struct peer_switch *peer,
                  struct softasic_peer_state *state)
{
    struct sim_pause_stats pauses;
    struct sim_port_stats port;

    must(sim_port_get_pauses(peer->sim, TRUNK, &pauses));
    must(sim_port_get_stats(peer->sim, TRUNK, &port));
    *state =
        (struct softasic_peer_state){.n_pauses_received = pauses.all_received};
    for (uint32_t i = 0; i < peer->n_hosts; i++) {
        struct host_stats stats;

        host_get_stats(peer->hosts[i].host, &stats);
        state->n_sent += stats.sent;
        state->n_received += host_receiver(peer->hosts[i].host)->frames;
    }
    for (uint32_t i = 0; i < PFC_N_PRIORITIES; i++) {
        state->n_pauses_sent += port.pfc_tx[i];
        state->n_pauses_received += pauses.received[i];
        state->paused |= (uint8_t)(pauses.rx[i].is_on ? 1u << i : 0);
    }
}
