/* SPDX-License-Identifier: Apache-2.0 */

/* Creates and destroys a switch, advances its time, and passes on events of the
 * bridge.
 *
 * What a frame needs on its way is in memory that all switches on an engine
 * share (base/line_pool.h): a slot for each port that the chip can have, and
 * for as many packets as the buffer ever held. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/line_pool.h"
#include "base/picoseconds.h"
#include "twin/mmu/mmu_policy.h"
#include "twin/switch/sim_state.h"

enum { FIRST_HELD = 64 };

static void on_learned(void *context, const struct fdb_entry *entry,
                       uint32_t from);
static void on_aged(void *context, const struct fdb_entry *entry);

/* An engine_loop_fn: handles the events of switches. */
static uint64_t
run(void *pool, struct engine *engine, int64_t until_ps, uint64_t most)
{
    enum engine_next next;
    struct post post;
    uint64_t n = 0;

    while (n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
        n++;
        if (next == ENGINE_TIMER) {
            engine_fire(engine);
        } else if (event_class(post.order) == EVENT_TX_END) {
            sim_handle_tx_end(pool, event_entity(post.order),
                              event_arg(post.order));
        } else {
            orch_assert(event_class(post.order) == EVENT_ARRIVE);
            sim_handle_arrive(pool, event_entity(post.order),
                              event_arg(post.order));
        }
    }
    return n;
}

/* Create and destroy --------------------------------------------------- */

/* Return the bytes of the states of all queues, and ports. */
static size_t
queue_bytes(const struct sim *sim)
{
    return (size_t)sim->chip->ports * sim->chip->queues_per_port *
           sizeof *sim->queue_states;
}

static size_t
port_bytes(const struct sim *sim)
{
    return sim->chip->ports * sizeof *sim->ports;
}

/* Implements mmu_clock_fn. */
static int64_t
time_of(const void *context)
{
    return engine_now_ps(context);
}

void
sim_set_admission(struct sim *sim, enum chip_admission admission)
{
    static const char *const names[] = {
#define X(member, text) text,
        CHIP_ADMISSIONS(X)
#undef X
    };

    mmu_set_policy(sim->mmu,
                   admission == CHIP_ADMISSION_BUILT_IN
                       ? NULL
                       : mmu_policy_find(names[admission]),
                   time_of, sim->engine);
}

struct sim *
sim_create(const struct chip *chip)
{
    struct sim *sim = sim_create_on(chip, engine_create(), 0);

    sim->owns_engine = true;
    return sim;
}

struct sim *
sim_create_on(const struct chip *chip, struct engine *engine, uint32_t entity)
{
    const struct flow_hash_config hash = flow_hash_default();
    struct frame_pool *pool = frame_pool_of(engine);
    struct line_pool *memory = pool->memory;
    struct sim *sim = line_pool_take(memory, sizeof *sim);

    orch_assert(entity <= EVENT_MAX_ENTITY - chip->ports);
    sim->entity = entity;
    sim->chip = chip;
    sim->marks_late = chip->ecn_mark_at == CHIP_ECN_MARK_DEQUEUE;
    sim->engine = engine;
    sim->age_limit_ps = (int64_t)chip->packet_age_us * PS_PER_US;
    sim->pool = pool;
    if (!engine_has_loop(engine)) {
        engine_set_loop(engine, run, sim->pool);
    }
    sim->mmu = mmu_create(chip, &(struct mmu_options){.flow = sim_pause_flow__,
                                                      .context = sim,
                                                      .memory = memory});
    sim_set_admission(sim, chip->admission);
    sim->bridge =
        bridge_create(chip->ports + SIM_MAX_LAGS, engine, entity,
                      &(struct bridge_listener){on_learned, on_aged, sim});
    sim->router = router_create();
    sim_lag_set_hash(sim, &hash);
    bridge_watch(sim->bridge, &sim->changes);
    router_watch(sim->router, &sim->changes);
    sim->limits_age = sim->age_limit_ps != 0;
    orch_assert(chip->ports * chip->pgs_per_port <= UINT16_MAX);
    orch_assert(chip->ports * chip->queues_per_port <= UINT16_MAX);
    sim_flow_init__(sim);
    sim->voq = voq_create__(chip);
    sim->cold = check_calloc(chip->ports, sizeof *sim->cold);
    sim->ports = line_pool_take(memory, port_bytes(sim));
    sim->queue_states = line_pool_take(memory, queue_bytes(sim));
    sim->ways = check_calloc(chip->ports, sizeof *sim->ways);
    sim->queues = check_calloc(chip->ports, sizeof *sim->queues);
    sim->drops = check_calloc(chip->ports, sizeof *sim->drops);
    return sim;
}

void
sim_extend_held__(struct sim *sim, uint32_t packet)
{
    uint32_t n = sim->n_held ? sim->n_held : FIRST_HELD;

    while (n <= packet) {
        n *= 2;
    }
    sim->held = line_pool_extend(sim->pool->memory, sim->held,
                                 sim->n_held * sizeof *sim->held,
                                 n * sizeof *sim->held);
    sim->n_held = n;
}

void
sim_measure_delays(struct sim *sim)
{
    if (!sim->has_delays) {
        sim->delays =
            check_calloc((size_t)sim->chip->ports * sim->chip->queues_per_port,
                         sizeof *sim->delays);
        sim->has_delays = true;
    }
}

/* Frees the counters of the rarer colors, and the delays. */
static void
queues_fini(struct sim *sim)
{
    const size_t n = (size_t)sim->chip->ports * sim->chip->queues_per_port;

    for (size_t i = 0; i < n; i++) {
        free(sim->queue_states[i].more);
        sim_queue_forget_delays__(sim, (uint32_t)i);
    }
    free(sim->delays);
    sim_trim_destroy__(sim->trim);
    line_pool_give(sim->pool->memory, sim->queue_states, queue_bytes(sim));
}

/* Frees what a slot owns, whether or not its port still exists. */
static void
port_fini(struct sim_port *port)
{
    sim_transmit_abort__(port);
    sim_pause_abort__(port);
    sim_age_abort__(port);
    sim_deadlock_abort__(port);
    voq_abort__(port);
    sim_credit_abort__(port);
    fifo_fini(&port->cold->fifo, port->sim->pool);
    fifo_fini(&port->cold->emitted, port->sim->pool);
    scheduler_destroy(port->scheduler);
    frame_pool_settle(port->sim->pool, sim_port_entity__(port), NULL);
}

void
sim_destroy(struct sim *sim)
{
    struct line_pool *memory;
    struct engine *owned;

    if (!sim) {
        return;
    }
    memory = sim->pool->memory;
    owned = sim->owns_engine ? sim->engine : NULL;
    for (uint32_t i = 0; i < sim->chip->ports; i++) {
        if (sim->ports[i].sim) {
            sim->ports[i].exists = false; /* It sends nothing any more. */
        }
    }
    for (uint32_t i = 0; i < sim->chip->ports; i++) {
        if (sim->ports[i].sim) {
            (void)sim_port_empty__(&sim->ports[i], MMU_FLUSHED);
            port_fini(&sim->ports[i]);
        }
    }
    for (uint32_t i = 0; i < SIM_MAX_LAGS; i++) {
        ecmp_fini(&sim->lags[i].members);
    }
    flow_table_fini(&sim->flows);
    router_destroy(sim->router);
    tunnel_table_fini(&sim->tunnels);
    sim_payload_unref(sim->opened);
    bridge_destroy(sim->bridge);
    mmu_destroy(sim->mmu);
    voq_destroy__(sim->voq);
    free(sim->stored);
    free(sim->drops);
    free(sim->queues);
    free(sim->ways);
    free(sim->vlan_acl);
    queues_fini(sim);
    free(sim->cold);
    line_pool_give(memory, sim->ports, port_bytes(sim));
    line_pool_give(memory, sim->held, sim->n_held * sizeof *sim->held);
    line_pool_give(memory, sim, sizeof *sim);
    engine_destroy(owned);
}

struct mmu *
sim_mmu(struct sim *sim)
{
    return sim->mmu;
}

void
sim_set_listener(struct sim *sim, const struct sim_listener *listener)
{
    sim_catch_up_all__(sim);
    sim->listener = listener ? *listener : (struct sim_listener){0};
    sim->sent = sim->listener.sent;
}

uint32_t
sim_entity(const struct sim *sim)
{
    return sim->entity;
}

void
sim_set_seed(struct sim *sim, uint64_t seed)
{
    sim->seed = seed;
    for (uint32_t i = 0; i < sim->chip->ports; i++) {
        random_stream_init(&sim->cold[i].random, seed, sim->entity + i,
                           RANDOM_WRED);
    }
}

/* Time ----------------------------------------------------------------- */

struct engine *
sim_engine(struct sim *sim)
{
    return sim->engine;
}

int64_t
sim_now_ps(const struct sim *sim)
{
    return engine_now_ps(sim->engine);
}

void
sim_run_until(struct sim *sim, int64_t until_ps)
{
    engine_run_until(sim->engine, until_ps);
}

uint64_t
sim_run_some(struct sim *sim, int64_t until_ps, uint64_t n_events)
{
    return engine_run_some(sim->engine, until_ps, n_events);
}

bool
sim_settle_some(struct sim *sim, uint64_t *n_events, uint64_t *n_sent)
{
    uint64_t before;

    sim->is_settling = true;
    sim_catch_up_all__(sim);
    before = sim->n_transmitted;
    while (sim->n_busy && *n_events) {
        engine_step(sim->engine);
        --*n_events;
    }
    sim->is_settling = false;
    *n_sent += sim->n_transmitted - before;
    return !sim->n_busy;
}

uint64_t
sim_settle(struct sim *sim)
{
    uint64_t n_events = UINT64_MAX, n_sent = 0;

    (void)!sim_settle_some(sim, &n_events, &n_sent);
    return n_sent;
}

int64_t
sim_next_ps(const struct sim *sim)
{
    return engine_next_ps(sim->engine);
}

/* Forwarding ----------------------------------------------------------- */

struct bridge *
sim_bridge(struct sim *sim)
{
    sim_catch_up_all__(sim); /* The caller may read counters. */
    return sim->bridge;
}

struct router *
sim_router(struct sim *sim)
{
    sim_catch_up_all__(sim); /* As above. */
    return sim->router;
}

struct traps *
sim_traps(struct sim *sim)
{
    sim->changes++;
    return &sim->traps;
}

/* The bridge has learned an entry. */
static void
on_learned(void *context, const struct fdb_entry *entry, uint32_t from)
{
    const struct sim *sim = context;

    if (sim->listener.learned) {
        sim->listener.learned(sim->listener.context, entry, from);
    }
}

/* An entry of the bridge has aged out. */
static void
on_aged(void *context, const struct fdb_entry *entry)
{
    const struct sim *sim = context;

    if (sim->listener.aged) {
        sim->listener.aged(sim->listener.context, entry);
    }
}

enum st
sim_fdb_set(struct sim *sim, uint64_t mac, uint32_t port)
{
    if (!fdb_mac_is_valid(mac) || fdb_mac_is_group(mac)) {
        return ST_INVALID;
    }
    if (!sim_port_find__(sim, port)) {
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
