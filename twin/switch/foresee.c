/* SPDX-License-Identifier: Apache-2.0 */

/* Fetches into the cache what a port will need for an event of the near future.
 *
 * A fabric is larger than the caches, and an event needs some 20 cache lines,
 * each of which leads to the next: the port, the frame, its flow, the queue.
 * The loop over events knows them in advance.  So each step here reads only
 * what an earlier step has fetched, and fetches what that leads to.  Nothing
 * depends on it: an event may still be preceded by others, or may find
 * something else than was expected. */

#include <config.h>

#include "twin/switch/sim_state.h"

enum { LINE = 64 };

/* Fetches the line at 'p' and the one after it. */
static inline __attribute__((always_inline)) void
fetch_two(const void *p)
{
    __builtin_prefetch(p);
    __builtin_prefetch((const char *)p + LINE);
}

void
sim_foresee_port(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = frame_pool_place(pool, entity);

    fetch_two(port);
}

void
sim_foresee_ingress(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = frame_pool_place(pool, entity);

    if (port) {
        __builtin_prefetch(&port->in_wire);
    }
}

void
sim_foresee_arrival(const struct frame_pool *pool, uint32_t entity,
                    uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);

    if (port) {
        __builtin_prefetch(port->in_wire);
        fetch_two(port->sim);
        if (!frame_at(pool, index)->opcode) {
            __builtin_prefetch(frame_at(pool, index)->payload);
        }
    }
}

void
sim_foresee_flow(const struct frame_pool *pool, uint32_t entity, uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const uint32_t number = frame_flow_number(frame_at(pool, index));

    if (port && number && port->sim->flows.entries) {
        const struct flow_table *flows = &port->sim->flows;

        __builtin_prefetch(
            &flows->entries[flow_table_place__(flows, number, port->id)]);
        mmu_foresee_buffer(port->sim->mmu);
    }
}

/* Returns the entry of the flow of frame 'index', which arrives at 'port', NULL
 * if there is none. */
static inline const struct flow_entry *
entry_of(const struct frame_pool *pool, const struct sim_port *port,
         uint32_t index)
{
    const uint32_t number = port ? frame_flow_number(frame_at(pool, index)) : 0;

    return number ? flow_table_find(&port->sim->flows, number, port->id) : NULL;
}

void
sim_foresee_way(const struct frame_pool *pool, uint32_t entity, uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const struct flow_entry *entry = entry_of(pool, port, index);

    if (entry) {
        const struct sim *sim = port->sim;

        fetch_two(&sim->ports[entry->src_and_out >> 48]);
        __builtin_prefetch(&sim->queue_states[entry->queue]);
        mmu_foresee_places(sim->mmu, entry->pg, entry->queue);
    }
}

void
sim_foresee_accounts(const struct frame_pool *pool, uint32_t entity,
                     uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const struct flow_entry *entry = entry_of(pool, port, index);

    if (entry) {
        const struct sim *sim = port->sim;
        const struct sim_port *out = &sim->ports[entry->src_and_out >> 48];

        mmu_foresee(sim->mmu, entry->pg, entry->queue);
        mmu_foresee_backlog(sim->mmu, out->id);
        __builtin_prefetch(
            &sim->queue_states[out->first_queue + out->out.queue_index]);
        fetch_two(out->scheduler);
        __builtin_prefetch(out->out_wire);
    }
}

void
sim_foresee_admission(const struct frame_pool *pool, uint32_t entity,
                      uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const struct flow_entry *entry = entry_of(pool, port, index);

    if (entry) {
        const struct sim *sim = port->sim;
        const struct sim_port *out = &sim->ports[entry->src_and_out >> 48];
        /* One that need not wait is not put into the buffer. */
        const bool waits =
            out->transmit_state != TRANSMIT_IDLE && !out->ends_silently;
        const uint32_t packet = waits ? mmu_next_packet(sim->mmu) : MMU_NONE;

        mmu_foresee_charges(sim->mmu, entry->pg, entry->queue);
        if (packet != MMU_NONE) {
            mmu_foresee_packet(sim->mmu, packet);
            __builtin_prefetch(&sim->held[packet]);
        }
    }
}

/* Returns the port at 'entity', NULL if there is none. */
static inline const struct sim_port *
port_of(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = frame_pool_place(pool, entity);

    return port && port->exists ? port : NULL;
}

/* Returns the queue that 'port' will probably send from next. */
static inline uint32_t
next_queue(const struct sim_port *port)
{
    return port->first_queue + port->waiting;
}

void
sim_foresee_tx_end(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = port_of(pool, entity);

    if (port) {
        fetch_two(port->scheduler);
        fetch_two(port->sim);
        __builtin_prefetch(port->out_wire);
    }
}

void
sim_foresee_buffer(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = port_of(pool, entity);

    if (port) {
        const struct sim *sim = port->sim;

        __builtin_prefetch(
            &sim->queue_states[port->first_queue + port->out.queue_index]);
        __builtin_prefetch(&sim->queue_states[next_queue(port)]);
        mmu_foresee_buffer(sim->mmu);
    }
}

void
sim_foresee_place(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = port_of(pool, entity);

    if (port) {
        mmu_foresee_places(port->sim->mmu, MMU_NONE, next_queue(port));
        mmu_foresee_backlog(port->sim->mmu, port->id);
    }
}

void
sim_foresee_queue(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = port_of(pool, entity);

    if (port) {
        mmu_foresee(port->sim->mmu, MMU_NONE, next_queue(port));
    }
}

void
sim_foresee_head(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = port_of(pool, entity);
    const uint32_t packet =
        port ? mmu_queue_head(port->sim->mmu, next_queue(port)) : MMU_NONE;

    if (packet != MMU_NONE) {
        mmu_foresee_charges(port->sim->mmu, MMU_NONE, next_queue(port));
        mmu_foresee_packet(port->sim->mmu, packet);
        __builtin_prefetch(&port->sim->held[packet]);
    }
}

void
sim_foresee_departure(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = port_of(pool, entity);
    const uint32_t packet =
        port ? mmu_queue_head(port->sim->mmu, next_queue(port)) : MMU_NONE;

    if (packet != MMU_NONE) {
        mmu_foresee_departure(port->sim->mmu, packet);
        __builtin_prefetch(frame_at(pool, port->sim->held[packet].frame));
    }
}
