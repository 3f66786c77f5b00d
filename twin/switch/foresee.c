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
static inline void
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
    if (port) {
        __builtin_prefetch(&port->config.admin_up);
    }
}

void
sim_foresee_arrival(const struct frame_pool *pool, uint32_t entity,
                    uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);

    if (port) {
        __builtin_prefetch(port->in_wire);
        __builtin_prefetch(frame_at(pool, index)->payload);
    }
}

/* Returns the number of the flow of frame 'index', or 0. */
static inline uint32_t
flow_of(const struct frame_pool *pool, uint32_t index)
{
    const struct sim_payload *payload = frame_at(pool, index)->payload;

    return payload ? payload->number : 0;
}

void
sim_foresee_flow(const struct frame_pool *pool, uint32_t entity, uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const uint32_t number = flow_of(pool, index);

    if (port && number && port->sim->flows.entries) {
        const struct flow_table *flows = &port->sim->flows;

        __builtin_prefetch(
            &flows->entries[flow_table_place__(flows, number, port->id)]);
    }
}

void
sim_foresee_way(const struct frame_pool *pool, uint32_t entity, uint32_t index)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const uint32_t number = flow_of(pool, index);
    const struct flow_entry *entry;
    const struct sim *sim;

    if (!port || !number) {
        return;
    }
    sim = port->sim;
    entry = flow_table_find(&sim->flows, number, port->id);
    if (entry) {
        fetch_two(&sim->ports[entry->src_and_out >> 48]);
        fetch_two(&sim->queue_states[entry->queue]);
        mmu_foresee(sim->mmu, port->first_pg + entry->pg, entry->queue);
        if (entry->flags & FLOW_IS_ROUTED) {
            router_foresee(sim->router, entry->in_interface);
        }
    }
}

void
sim_foresee_tx_end(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const struct sim *sim;
    uint32_t queue;

    if (!port || !port->exists) {
        return;
    }
    sim = port->sim;
    queue = port->first_queue + port->out.queue_index;
    fetch_two(port->scheduler);
    fetch_two(&sim->queue_states[queue]);
    mmu_foresee(sim->mmu, MMU_NONE, queue);
    __builtin_prefetch(port->out_wire);
    if (port->out.is_routed) {
        router_foresee(sim->router, port->out.interface);
    }
}

void
sim_foresee_head(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    const struct sim *sim;
    uint32_t packet;

    if (!port || !port->exists) {
        return;
    }
    sim = port->sim;
    packet =
        mmu_queue_head(sim->mmu, port->first_queue + port->out.queue_index);
    if (packet != MMU_NONE) {
        mmu_foresee_packet(sim->mmu, packet);
        __builtin_prefetch(&sim->held[packet]);
    }
}

void
sim_foresee_departure(const struct frame_pool *pool, uint32_t entity)
{
    const struct sim_port *port = frame_pool_place(pool, entity);
    uint32_t packet;

    if (!port || !port->exists) {
        return;
    }
    packet = mmu_queue_head(port->sim->mmu,
                            port->first_queue + port->out.queue_index);
    if (packet != MMU_NONE) {
        mmu_foresee_departure(port->sim->mmu, packet);
        __builtin_prefetch(frame_at(pool, port->sim->held[packet].frame));
    }
}
