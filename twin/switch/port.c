/* SPDX-License-Identifier: Apache-2.0 */

/* Adds, removes and configures the ports of a switch.
 *
 * The state of a port is in several modules: its share of the buffer, its place
 * in the bridge, its scheduler, its pauses in both directions, its LAG.  This
 * file updates them in an order that is safe for all of them. */

#include <config.h>

#include <stdlib.h>

#include "base/pfc.h"
#include "twin/switch/sim_state.h"

static bool
port_config_ok(const struct sim_port_config *config)
{
    return config->speed_mbps >= 1 && config->speed_mbps <= MAX_SPEED_MBPS &&
           config->rated_mbps <= MAX_SPEED_MBPS &&
           fdb_mac_is_valid(config->mac);
}

/* Returns the speed by which buffers are sized. */
static uint32_t
rated_mbps(const struct sim_port_config *config)
{
    return config->rated_mbps ? config->rated_mbps : config->speed_mbps;
}

/* Sets the size of the FIFO of 'port' by its speed. */
static void
port_size_fifo(struct sim_port *port)
{
    const struct chip *chip = port->sim->chip;

    fifo_set_limit(
        &port->cold->fifo,
        chip->leaks ? chip_leak_out(chip, rated_mbps(&port->cold->config)) : 0);
}

/* Initialises the QoS state of 'port': a scheduler, queues without WRED, no
 * pauses. */
static void
port_start_qos(struct sim_port *port)
{
    const uint32_t n = port->sim->chip->queues_per_port;
    const struct sim_port_config *config = &port->cold->config;

    port->scheduler = scheduler_create(port->sim->pool->memory, n);
    for (uint32_t i = 0; i < n; i++) {
        struct sim_queue *queue =
            &port->sim->queue_states[port->first_queue + i];

        free(queue->more);
        sim_queue_forget_delays__(port->sim, port->first_queue + i);
        *queue = (struct sim_queue){0};
    }
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        port->cold->pauses[i].meter = (struct pause_meter){0};
    }
    pause_init(&port->cold->receiver,
               &(struct pause_config){.speed_mbps = config->speed_mbps,
                                      .priorities = config->pfc_rx_enabled,
                                      .all = config->pause_rx_enabled});
}

static void
clear_stats(struct sim_port *port)
{
    struct sim_port_cold *cold = port->cold;

    sim_port_report__(port);
    cold->stats = (struct sim_port_stats){0};
    port->rx = port->tx = (struct size_runs){{0}};
    cold->rx_ucast = cold->tx_ucast = (struct size_totals){0};
    cold->rx_group = cold->tx_group = (struct size_totals){0};
}

/* Initialises a slot and its events, once, whether or not it has a port. */
static void
port_tie(struct sim *sim, uint32_t id)
{
    struct sim_port *port = &sim->ports[id];

    port->sim = sim;
    port->cold = &sim->cold[id];
    port->cold->port = port;
    port->id = (uint16_t)id;
    port->routed_by = ROUTER_NONE;
    port->first_queue = (uint16_t)mmu_queue_id(sim->mmu, id, 0);
    port->cold->first_pg = mmu_pg_id(sim->mmu, id, 0);
    port->epoch = frame_pool_epoch(sim->pool);
    frame_pool_settle(sim->pool, sim->entity + id, port);
    random_stream_init(&port->cold->random, sim->seed, sim_port_entity__(port),
                       RANDOM_WRED);
    sim_transmit_init__(port);
    sim_pause_init__(port);
    sim_age_init__(port);
}

/* Sets how the transmission of 'port' is timed. */
static void
set_pace(struct sim_port *port)
{
    const struct sim_port_cold *cold = port->cold;

    port->ps_per_byte = cold->config.time_step_ps || cold->macsec_bytes
                            ? 0
                            : frame_ps_per_byte(cold->config.speed_mbps);
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
    status = mmu_port_add(sim->mmu, id, chip_partition(sim->chip, id, lane));
    if (status != ST_OK) {
        return status;
    }
    mmu_port_set_speed(sim->mmu, id, rated_mbps(config));
    mmu_port_set_extra(sim->mmu, id, config->extra_bytes);
    port = &sim->ports[id];
    if (!port->sim) {
        port_tie(sim, id);
    }
    port->exists = true;
    port->cold->card = chip_partition(sim->chip, id, lane);
    port->cold->config = *config;
    port->cold->macsec_bytes = 0;
    port->cold->macsec_pause_bytes = 0;
    port->cold->rules = (struct classify_rules){0};
    clear_stats(port);
    port->cold->rx_free_ps = sim_now_ps(sim);
    sim->changes++;
    port_start_qos(port);
    port_size_fifo(port);
    set_pace(port);
    bridge_port_add(sim->bridge, id);
    sim_port_review__(port);
    return ST_OK;
}

void
sim_note_flushed__(const struct sim_port *port, enum mmu_drop why,
                   uint32_t frame)
{
    const struct sim *sim = port->sim;

    if (port->exists && sim->listener.drop) {
        sim->listener.drop(sim->listener.context, port->id, why,
                           sim_frame__(sim, frame), sim_now_ps(sim));
    }
}

/* Discards what waits behind the buffer of 'port', which is down.  Returns how
 * many frames there were. */
static uint64_t
empty_fifo(struct sim_port *port, struct fifo *fifo)
{
    uint64_t n = 0;
    uint32_t frame;

    while ((frame = fifo_take(fifo)) != FRAME_NONE) {
        sim_note_flushed__(port, MMU_ADMIN_DOWN, frame);
        frame_give(port->sim->pool, frame);
        n++;
    }
    return n;
}

void
sim_count_held(const struct sim *sim, uint64_t *frames, uint64_t *bytes)
{
    const uint32_t n_queues = sim->chip->queues_per_port;

    *frames = *bytes = 0;
    for (uint32_t p = 0; p < sim->chip->ports; p++) {
        if (!sim->ports[p].exists) {
            continue;
        }
        for (uint32_t q = 0; q < n_queues; q++) {
            mmu_queue_count(sim->mmu, mmu_queue_id(sim->mmu, p, q), MMU_NONE,
                            frames, bytes);
        }
        fifo_count(&sim->cold[p].fifo, sim->pool, frames, bytes);
        fifo_count(&sim->cold[p].emitted, sim->pool, frames, bytes);
        voq_count__(&sim->ports[p], frames, bytes);
    }
}

uint64_t
sim_port_empty__(struct sim_port *port, enum mmu_drop why)
{
    struct sim *sim = port->sim;
    struct mmu_departure departure;
    uint64_t n = 0;

    for (uint32_t i = 0; i < sim->chip->queues_per_port; i++) {
        const uint32_t queue = mmu_queue_id(sim->mmu, port->id, i);

        while (mmu_discard(sim->mmu, queue, why, &departure)) {
            sim_note_flushed__(port, why, sim->held[departure.packet].frame);
            sim_give_held__(sim, &departure);
            n++;
        }
    }
    return n;
}

enum st
sim_port_remove(struct sim *sim, uint32_t id)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    /* Clear 'exists' first, so that no later step makes the port notify or
     * start a frame. */
    sim_catch_up_all__(sim);
    port->exists = false;
    sim->changes++;
    sim_lag_unset(sim, id);
    sim_pause_update__(port);
    sim_transmit_abort__(port);
    sim_pause_abort__(port);
    sim_age_abort__(port);
    sim_deadlock_abort__(port);
    voq_abort__(port);
    sim_credit_abort__(port);
    fifo_fini(&port->cold->fifo, sim->pool);
    fifo_fini(&port->cold->emitted, sim->pool);
    scheduler_destroy(port->scheduler);
    port->scheduler = NULL;
    port->cold->wire = NULL;
    port->cold->policer = NULL;
    port->cold->acl[SIM_INGRESS] = NULL;
    port->cold->acl[SIM_EGRESS] = NULL;
    port->has_sink = false;
    port->out_wire = NULL;
    sim_port_review__(port);
    bridge_port_remove(sim->bridge, id);
    (void)sim_port_empty__(port, MMU_FLUSHED);
    if (sim->trims) {
        sim_trim_forget__(sim, id);
    }
    return mmu_port_remove(sim->mmu, id);
}

enum st
sim_port_set(struct sim *sim, uint32_t id, const struct sim_port_config *config)
{
    struct sim_port *port = sim_port_find__(sim, id);
    uint32_t old_mbps;

    if (!port) {
        return ST_NOT_FOUND;
    }
    if (!port_config_ok(config)) {
        return ST_INVALID;
    }
    sim->changes++;
    old_mbps = port->cold->config.speed_mbps;
    mmu_port_set_speed(sim->mmu, id, rated_mbps(config));
    mmu_port_set_extra(sim->mmu, id, config->extra_bytes);
    port->cold->config = *config;
    if (!config->admin_up) {
        port->cold->stats.tx_flushed += sim_port_empty__(port, MMU_ADMIN_DOWN);
        port->cold->stats.tx_flushed += voq_empty__(port);
        port->cold->stats.tx_flushed += empty_fifo(port, &port->cold->fifo);
        port->cold->stats.tx_flushed += empty_fifo(port, &port->cold->emitted);
    }
    port_size_fifo(port);
    set_pace(port);
    sim_lag_update__(port);
    /* The enabled priorities may have changed, and transmission may be allowed
     * again. */
    sim_pause_update__(port);
    sim_pause_configure__(port, old_mbps);
    return ST_OK;
}

enum st
sim_port_set_macsec_bytes(struct sim *sim, uint32_t id, uint8_t bytes,
                          bool protects_pauses)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    port->cold->macsec_bytes = bytes;
    port->cold->macsec_pause_bytes = protects_pauses ? bytes : 0;
    set_pace(port);
    return ST_OK;
}

const struct sim_port_config *
sim_port_get(const struct sim *sim, uint32_t id)
{
    const struct sim_port *port = sim_port_find__(sim, id);

    return port ? &port->cold->config : NULL;
}

struct classify_rules *
sim_rules(struct sim *sim)
{
    sim->changes++;
    return &sim->rules;
}

struct classify_rules *
sim_port_rules(struct sim *sim, uint32_t id)
{
    struct sim_port *port = sim_port_find__(sim, id);

    sim->changes++;
    return port ? &port->cold->rules : NULL;
}

void
sim_port_set_policer(struct sim *sim, uint32_t id, struct policer *policer)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (port) {
        sim->changes++; /* Known flows do not pass a policer. */
        port->cold->policer = policer;
    }
}

/* Adds up the frames of one direction. */
static void
sum(const struct size_totals *ucast, const struct size_totals *group,
    uint64_t *octets, uint64_t *sizes)
{
    *octets = ucast->octets + group->octets;
    for (int i = 0; i < SIM_N_SIZES; i++) {
        sizes[i] = ucast->sizes[i] + group->sizes[i];
    }
}

enum st
sim_port_get_stats(const struct sim *sim, uint32_t id,
                   struct sim_port_stats *stats)
{
    struct sim_port *port = sim_port_find__(sim, id);
    struct sim_port_cold *cold;

    if (!port) {
        return ST_NOT_FOUND;
    }
    sim_catch_up__(port);
    cold = port->cold;
    size_runs_end(&port->rx, &cold->rx_ucast);
    size_runs_end(&port->tx, &cold->tx_ucast);
    *stats = cold->stats;
    stats->rx_ucast_packets = cold->rx_ucast.packets;
    stats->tx_ucast_packets = cold->tx_ucast.packets;
    stats->rx_non_ucast_packets = cold->rx_group.packets;
    stats->tx_non_ucast_packets = cold->tx_group.packets;
    sum(&cold->rx_ucast, &cold->rx_group, &stats->rx_octets, stats->rx_sizes);
    sum(&cold->tx_ucast, &cold->tx_group, &stats->tx_octets, stats->tx_sizes);
    return ST_OK;
}

void
sim_port_clear_stats(struct sim *sim, uint32_t id)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (port) {
        sim_catch_up__(port);
        clear_stats(port);
    }
}

void
sim_port_note_error(struct sim *sim, uint32_t id)
{
    struct sim_port *port = sim_port_find__(sim, id);

    orch_assert(port);
    port->cold->stats.rx_errors++;
}

void
sim_port_connect(struct sim *sim, uint32_t id, sim_wire_fn *wire, void *context)
{
    struct sim_port *port = sim_port_find__(sim, id);

    orch_assert(port);
    sim_catch_up__(port);
    port->cold->wire = wire;
    port->has_sink = wire != NULL;
    port->cold->wire_context = context;
}

void
sim_port_join(struct sim *sim, uint32_t id, struct wire *out, struct wire *in)
{
    struct sim_port *port = sim_port_find__(sim, id);

    orch_assert(port);
    port->out_wire = out;
    port->in_wire = in;
}
