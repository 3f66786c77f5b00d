/* SPDX-License-Identifier: Apache-2.0 */

/* Link aggregation groups. */

#include <config.h>

#include "twin/switch/sim_state.h"

/* Returns LAG 'lag', which must exist. */
static struct lag *
lag_of(struct sim *sim, uint32_t lag)
{
    const uint32_t at = lag - sim->chip->ports;

    orch_assert(at < SIM_MAX_LAGS && sim->lags[at].exists);
    return &sim->lags[at];
}

enum st
sim_lag_add(struct sim *sim, uint32_t *lag)
{
    uint32_t at = 0;

    while (at < SIM_MAX_LAGS && sim->lags[at].exists) {
        at++;
    }
    if (at == SIM_MAX_LAGS) {
        return ST_NO_RESOURCE;
    }
    sim->lags[at] = (struct lag){.exists = true};
    *lag = sim->chip->ports + at;
    sim->changes++;
    bridge_port_add(sim->bridge, *lag);
    bridge_member_set(sim->bridge, BRIDGE_DEFAULT_VLAN, *lag, BRIDGE_OUTSIDE);
    return ST_OK;
}

void
sim_lag_remove(struct sim *sim, uint32_t lag)
{
    struct lag *group = lag_of(sim, lag);

    sim->changes++;
    for (uint32_t i = 0; i < sim->chip->ports; i++) {
        if (sim->cold[i].lag == lag) {
            sim_lag_unset(sim, i);
        }
    }
    bridge_port_remove(sim->bridge, lag);
    ecmp_fini(&group->members);
    group->exists = false;
}

enum st
sim_lag_set(struct sim *sim, uint32_t lag, uint32_t id,
            const struct sim_lag_member *member)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    if (port->cold->lag && port->cold->lag != lag) {
        return ST_EXISTS;
    }
    sim_catch_up_all__(sim);
    sim->changes++;
    port->cold->lag = lag;
    port->is_in_lag = true;
    port->cold->membership = *member;
    sim_lag_update__(port);
    return ST_OK;
}

void
sim_lag_unset(struct sim *sim, uint32_t id)
{
    struct sim_port_cold *cold = &sim->cold[id];

    sim->changes++;
    if (cold->lag) {
        sim_catch_up_all__(sim);
        (void)ecmp_remove(&lag_of(sim, cold->lag)->members, id);
        cold->lag = 0;
        cold->port->is_in_lag = false;
    }
}

uint32_t
sim_lag_of(const struct sim *sim, uint32_t id)
{
    return id < sim->chip->ports && sim->cold[id].lag ? sim->cold[id].lag
                                                      : MMU_NONE;
}

void
sim_lag_set_hash(struct sim *sim, const struct flow_hash_config *config)
{
    sim->changes++;
    flow_hash_init(&sim->lag_hash, config);
}

uint32_t
sim_physical__(const struct sim *sim, uint32_t logical,
               const struct sim_frame *frame)
{
    struct packet scratch;

    if (logical < sim->chip->ports) {
        const struct sim_port *port = sim_port_find__(sim, logical);

        return port && port->cold->config.admin_up ? logical : MMU_NONE;
    }
    return ecmp_choose(
        &sim->lags[logical - sim->chip->ports].members,
        flow_hash(&sim->lag_hash, frame_packet(frame, &scratch)));
}

_Static_assert(ECMP_NONE == MMU_NONE, "LAG ids come after port ids");

void
sim_lag_update__(struct sim_port *port)
{
    const bool takes =
        port->cold->config.admin_up && port->cold->membership.sends;

    if (port->cold->lag) {
        ecmp_set(&lag_of(port->sim, port->cold->lag)->members, port->id,
                 port->id, takes ? port->cold->membership.weight : 0);
    }
}
