/* SPDX-License-Identifier: Apache-2.0 */

/* The VLANs of the hosts of T0s, and what their switches learn and forget. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/builder/switch_vlan.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"

/* Returns whether a switch of the fabric has a VLAN. */
static bool
has_vlans(const struct run *run)
{
    bool found = false;

    for (uint32_t i = 0; i < run->topology->n_switches && !found; i++) {
        found = run->experiment->switches[i]->vlan.enabled;
    }
    return found;
}

/* A switch_vlan_failed_fn. */
static void
on_failed(void *context, const struct err *err)
{
    const struct run_switch *sw = context;

    run_fail(sw->run, err);
}

/* The ports of a switch by what is at their other end. */
struct sides {
    struct switch_vlan_host *hosts;
    size_t n_hosts;
    struct switch_vlan_host *routers;
    size_t n_routers;
};

/* Divides the ports of 'sw'. */
static struct sides
sides_of(const struct run_switch *sw)
{
    const struct topology *topology = sw->run->topology;
    const uint32_t n = topology->nodes[sw->node].n_ports;
    struct sides sides = {.hosts = check_calloc(n, sizeof *sides.hosts),
                          .routers = check_calloc(n, sizeof *sides.routers)};

    for (uint32_t i = 0; i < n; i++) {
        const struct topology_node *peer =
            &topology->nodes[topology_port(topology, sw->node, i)->peer];

        const struct switch_vlan_host side = {.slot = sw->slots[i],
                                              .address =
                                                  address_v4(peer->address),
                                              .mac = peer->mac};

        if (peer->is_host) {
            sides.hosts[sides.n_hosts++] = side;
        } else {
            sides.routers[sides.n_routers++] = side;
        }
    }
    return sides;
}

/* Puts the hosts of 'sw' into the VLAN 'spec'. */
static enum st
create_vlan(struct run_switch *sw, const struct vlan_spec *spec,
            const struct sides *sides, struct err *err)
{
    const struct topology_node *node = &sw->run->topology->nodes[sw->node];
    const struct switch_vlan_config config = {
        .engine = sw->run->engine,
        .entity = node->entity,
        .hosts = sides->hosts,
        .n_hosts = sides->n_hosts,
        .routers = sides->routers,
        .n_routers = spec->uplinks ? sides->n_routers : 0,
        .prefix = address_v4(node->rack.address),
        .length = node->rack.length,
        .mac_ageing_s = (uint32_t)(spec->mac_ageing_ps / PS_PER_S),
        .arp_ageing_ps = spec->arp_ageing_ps,
        .drops = spec->unknown == VLAN_UNKNOWN_DROP_LOSSLESS
                     ? (uint8_t)spec->priorities
                     : 0,
        .failed = on_failed,
        .context = sw};

    return switch_vlan_create(sw->instance, &config, &sw->vlan, err);
}

enum st
run_vlans_create(struct run *run, struct err *err)
{
    enum st st = ST_OK;

    if (!has_vlans(run)) {
        return ST_OK;
    }
    for (uint32_t i = 0; !st && i < run->topology->n_switches; i++) {
        struct run_switch *sw = &run->switches[i];
        const struct role_spec *role = run->experiment->switches[i];
        struct sides sides = sides_of(sw);

        if (!role->vlan.enabled) {
            st = switch_vlan_leave(sw->instance, err);
        } else if (sides.n_hosts == 0) {
            st = scenario_fail(run->scenario, &role->place, err,
                               "'vlan' is for switches with hosts, and %s has "
                               "none",
                               run->topology->nodes[i].name);
        } else {
            st = create_vlan(sw, &role->vlan, &sides, err);
        }
        free(sides.hosts);
        free(sides.routers);
    }
    return st;
}

void
run_vlans_destroy(struct run *run)
{
    for (uint32_t i = 0; run->switches && i < run->topology->n_switches; i++) {
        switch_vlan_destroy(run->switches[i].vlan);
    }
}

void
run_vlans_note_learned(void *context, const struct fdb_entry *entry,
                       uint32_t from)
{
    const struct run_switch *sw = context;

    (void)from;
    if (sw->vlan) {
        switch_vlan_note_learned(sw->vlan, entry->mac);
    }
}

void
run_vlans_note_aged(void *context, const struct fdb_entry *entry)
{
    const struct run_switch *sw = context;

    if (sw->vlan) {
        switch_vlan_note_aged(sw->vlan, entry->mac);
    }
}
