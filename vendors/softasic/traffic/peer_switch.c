/* SPDX-License-Identifier: Apache-2.0 */

/* The far switch.  Its port 0 is the one that is connected to us, port n that
 * of host n. */

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
    HOST_SHIFT = 16,        /* Of the number of a host in its address. */
    WIRE_BYTES_MIN = 84,    /* Of the shortest frame. */
    FRAME_BYTES = 9216,     /* The longest that headroom is reckoned with. */
    FRAMES_IN_HEADROOM = 4, /* One each way, at both ends. */
};

#define PS_PER_BYTE_MBPS INT64_C(8000000)

struct peer_host {
    struct host *host;
    struct link *link;
};

struct peer_switch {
    struct daemon_switch *asic;
    uint32_t slot; /* Of the port that it is connected to. */
    struct sim *sim;
    uint32_t n_hosts;
    struct peer_host *hosts; /* Host n is at n - 1. */
};

static const struct classify_map identity = {
    .entries = {0, 1, 2, 3, 4, 5, 6, 7}};

/* The address of a host, number 0: of whatever is behind a port directly. */
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

/* A link_deliver_fn: a host has sent. */
static bool
from_host(void *far_, uint32_t port, const struct sim_frame *frame)
{
    struct peer_switch *far = far_;

    return sim_receive(far->sim, port, frame) == ST_OK;
}

bool
peer_switch_receive(void *far_, uint32_t port, const struct sim_frame *frame)
{
    struct peer_switch *far = far_;

    (void)port;
    return sim_receive(far->sim, TRUNK, frame) == ST_OK;
}

/* --- Creation ----------------------------------------------------------- */

/* Returns the headroom that a priority needs: what arrives after a pause was
 * sent, if each frame takes a cell and is as short as can be. */
static uint64_t
headroom_bytes(const struct peer_switch *far,
               const struct softasic_peer *config, uint32_t speed_mbps)
{
    const int64_t flight_ps =
        2 * (int64_t)config->cable_m * CABLE_PS_PER_METRE + config->response_ps;
    const uint64_t wire_bytes =
        (uint64_t)(flight_ps / (PS_PER_BYTE_MBPS / speed_mbps)) +
        (uint64_t)FRAMES_IN_HEADROOM * FRAME_BYTES;

    return wire_bytes *
           (1 + chip_cells_to_bytes(far->asic->chip, 1) / WIRE_BYTES_MIN);
}

/* Makes the profiles: for lossless priority groups, and for their queues. */
static enum st
make_profiles(struct peer_switch *far, uint64_t headroom, uint32_t *pg,
              uint32_t *queue)
{
    const uint64_t memory = far->asic->chip->memory_bytes;
    struct mmu *mmu = sim_mmu(far->sim);
    const struct mmu_pool_config in = {MMU_INGRESS, memory / 2, 0};
    const struct mmu_pool_config out = {MMU_EGRESS, memory, 0};
    struct mmu_profile_config lossless = {.xoff_bytes = headroom};
    struct mmu_profile_config all = {.is_static = true, .static_bytes = memory};
    struct err err;
    enum st status = mmu_pool_create(mmu, &in, &lossless.pool, &err);

    if (chip_size_has_xoff(far->asic->chip, false)) {
        lossless.reserved_bytes = headroom;
    }
    status = status ? status : mmu_pool_create(mmu, &out, &all.pool, &err);
    status = status ? status : mmu_profile_create(mmu, &lossless, pg, &err);
    return status ? status : mmu_profile_create(mmu, &all, queue, &err);
}

/* Makes the priorities of 'mask' lossless at 'port'. */
static enum st
make_lossless(struct peer_switch *far, uint32_t port, uint8_t mask, uint32_t pg,
              uint32_t queue)
{
    struct mmu *mmu = sim_mmu(far->sim);
    enum st status = ST_OK;
    struct err err;

    for (uint32_t i = 0; i < PFC_N_PRIORITIES && !status; i++) {
        if (mask >> i & 1) {
            status = mmu_pg_attach(mmu, mmu_pg_id(mmu, port, i), pg, &err);
            status = status ? status
                            : mmu_queue_attach(mmu, mmu_queue_id(mmu, port, i),
                                               queue, &err);
        }
    }
    return status;
}

static enum st
add_port(struct peer_switch *far, uint32_t port,
         const struct softasic_peer *config, uint32_t speed_mbps)
{
    const struct chip *chip = far->asic->chip;
    const struct sim_port_config sim = {
        .speed_mbps = speed_mbps,
        .admin_up = true,
        .tx_enabled = true,
        .pfc_tx_enabled = config->obeys_priorities,
        .pfc_rx_enabled = config->obeys_priorities,
        .pause_rx_enabled = config->obeys_all && port == TRUNK,
        .mac = mac_of(far->slot, UINT8_MAX),
    };
    struct classify_rules *rules;
    const enum st status = sim_port_add(
        far->sim, port, chip->first_lane + port * chip->lanes_per_port, &sim);

    if (status == ST_OK) {
        rules = sim_port_rules(far->sim, port);
        rules->dscp_to_tc = rules->tc_to_pg = rules->tc_to_queue = &identity;
    }
    return status;
}

/* Makes host 'number' with its cable. */
static enum st
add_host(struct peer_switch *far, uint32_t number,
         const struct softasic_peer *config, uint32_t speed_mbps)
{
    struct peer_host *added = &far->hosts[number - 1];
    const struct host_config host = {
        .mac = mac_of(far->slot, number),
        .speed_mbps = speed_mbps,
        .obeys_priorities = config->obeys_priorities,
        .response_ps = config->response_ps,
    };
    struct link_config link = {.length_m = config->cable_m,
                               .mtu_bytes = SIM_MAX_LENGTH_BYTES,
                               .ends = {{from_host, far, number}}};
    const enum st status =
        host_create(sim_engine(far->sim), &host, &added->host);

    if (status != ST_OK) {
        return status;
    }
    link.ends[1] = (struct link_end){host_receive, added->host, 0};
    added->link = link_create(sim_engine(far->sim), &link);
    sim_port_connect(far->sim, number, link_transmit,
                     link_sender(added->link, 0));
    host_connect(added->host, link_sender(added->link, 1));
    must(sim_fdb_set(far->sim, host.mac, number));
    must(sim_fdb_set(far->asic->sim, host.mac, far->slot));
    return ST_OK;
}

/* Makes ports, hosts, and all else that there is to configure. */
static enum st
build(struct peer_switch *far, const struct softasic_peer *config)
{
    const uint32_t speed_mbps =
        sim_port_get(far->asic->sim, far->slot)->speed_mbps;
    uint32_t pg = MMU_NONE, queue = MMU_NONE;
    enum st status = make_profiles(far, headroom_bytes(far, config, speed_mbps),
                                   &pg, &queue);

    for (uint32_t i = 0; i <= config->n_hosts && !status; i++) {
        status = add_port(far, i, config, speed_mbps);
        status =
            status ? status
                   : make_lossless(far, i, config->obeys_priorities, pg, queue);
        if (i > 0 && !status) {
            status = add_host(far, i, config, speed_mbps);
        }
    }
    for (uint32_t i = 0; i < far->asic->n_ports && !status; i++) {
        must(sim_fdb_set(far->sim, mac_of(i, 0), TRUNK));
    }
    return status;
}

enum st
peer_switch_create(struct daemon_switch *asic, uint32_t slot,
                   const struct softasic_peer *config,
                   struct peer_switch **made)
{
    struct peer_switch *far;
    enum st status;

    if (config->n_hosts > SOFTASIC_HOSTS_MAX ||
        config->n_hosts >= asic->chip->ports) {
        return ST_INVALID;
    }
    far = check_calloc(1, sizeof *far);
    far->asic = asic;
    far->slot = slot;
    far->sim = sim_create_on(asic->chip, sim_engine(asic->sim));
    far->n_hosts = config->n_hosts;
    far->hosts = check_calloc(config->n_hosts, sizeof *far->hosts);
    status = build(far, config);
    if (status != ST_OK) {
        peer_switch_destroy(far);
        return status;
    }
    *made = far;
    return ST_OK;
}

void
peer_switch_destroy(struct peer_switch *far)
{
    if (!far) {
        return;
    }
    for (uint32_t i = 0; i < far->n_hosts; i++) {
        link_destroy(far->hosts[i].link);
        host_destroy(far->hosts[i].host);
        /* Not there if it was never made. */
        (void)!sim_fdb_remove(far->asic->sim, mac_of(far->slot, i + 1));
    }
    sim_destroy(far->sim);
    free(far->hosts);
    free(far);
}

void
peer_switch_connect(struct peer_switch *far, struct link_sender *sender)
{
    sim_port_connect(far->sim, TRUNK, link_transmit, sender);
}

/* --- Looking ------------------------------------------------------------ */

struct host *
peer_switch_host(const struct peer_switch *far, uint32_t number)
{
    return number >= 1 && number <= far->n_hosts ? far->hosts[number - 1].host
                                                 : NULL;
}

uint64_t
peer_switch_settle(struct peer_switch *far)
{
    return sim_settle(far->sim);
}

bool
peer_switch_is_busy(const struct peer_switch *far)
{
    for (uint32_t i = 0; i < far->n_hosts; i++) {
        struct link_stats out, in;

        link_get_stats(far->hosts[i].link, 0, &out);
        link_get_stats(far->hosts[i].link, 1, &in);
        if (host_is_busy(far->hosts[i].host) || out.in_flight || in.in_flight) {
            return true;
        }
    }
    return false;
}

bool
peer_switch_is_endless(const struct peer_switch *far)
{
    for (uint32_t i = 0; i < far->n_hosts; i++) {
        if (host_is_endless(far->hosts[i].host)) {
            return true;
        }
    }
    return false;
}

void
peer_switch_state(const struct peer_switch *far,
                  struct softasic_peer_state *state)
{
    struct sim_pause_stats pauses;
    struct sim_port_stats port;

    must(sim_port_get_pauses(far->sim, TRUNK, &pauses));
    must(sim_port_get_stats(far->sim, TRUNK, &port));
    *state =
        (struct softasic_peer_state){.n_pauses_received = pauses.all_received};
    for (uint32_t i = 0; i < far->n_hosts; i++) {
        struct host_stats stats;

        host_get_stats(far->hosts[i].host, &stats);
        state->n_sent += stats.sent;
        state->n_received += host_receiver(far->hosts[i].host)->frames;
    }
    for (uint32_t i = 0; i < PFC_N_PRIORITIES; i++) {
        state->n_pauses_sent += port.pfc_tx[i];
        state->n_pauses_received += pauses.received[i];
        state->paused |= (uint8_t)(pauses.rx[i].is_on ? 1u << i : 0);
    }
}
