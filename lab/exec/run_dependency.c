/* SPDX-License-Identifier: Apache-2.0 */

/* What the switches of a run could wait for: their channel dependency graph,
 * built from what they do with packets.
 *
 * Each switch is asked itself: a packet goes through its classification, access
 * lists, router and bridge (sim_explore()), for each member of the group of its
 * route.  So the graph has whatever was programmed, floods included. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/builder/switch_vlan.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"

enum {
    ETHERTYPE_IPV4 = 0x0800,
    TTL = 64,
    FRAME_BYTES = 1082, /* Without FCS. */
    ROCE_PORT = 4791,
    SOURCE_PORT = 49152,
};

/* The source of the packets: no host, so that it changes nothing of what
 * switches know of hosts. */
#define STRANGER UINT64_C(0x02fffffffffe)

/* What a visit of a way needs. */
struct visit {
    const struct run *run;
    const struct dependency_packet *packet;
    dependency_leave_fn *leave;
    void *visitor;
};

/* A sim_way_fn. */
static void
on_way(void *context, uint32_t slot, const struct sim_frame *frame)
{
    const struct visit *visit = context;
    const struct run *run = visit->run;
    const uint32_t port = run->switches[visit->packet->node].ports[slot];
    const struct topology_port *to =
        topology_port(run->topology, visit->packet->node, port);

    if (!run->is_down[to->link]) {
        visit->leave(visit->visitor, port,
                     frame->dst_mac != run->topology->nodes[to->peer].mac);
    }
}

/* Returns the headers of a packet to 'host'. */
static struct sim_payload *
make_headers(const struct topology *topology, uint32_t host)
{
    const struct topology_node *to = &topology->nodes[host];
    /* Any other address. */
    const uint32_t from =
        host > topology->n_switches ? topology->n_switches : host + 1;
    const struct packet packet = {
        .dst_mac = to->mac,
        .src_mac = STRANGER,
        .type = ETHERTYPE_IPV4,
        .offset = PACKET_MIN_BYTES,
        .kind = PACKET_IPV4,
        .src =
            address_v4(from < topology->n_nodes ? topology->nodes[from].address
                                                : to->address + 1),
        .dst = address_v4(to->address),
        .ttl = TTL,
        .protocol = PACKET_UDP,
        .has_ports = true,
        .src_port = SOURCE_PORT,
        .dst_port = ROCE_PORT};

    return sim_payload_describe(&packet);
}

/* A dependency_forward_fn. */
static void
forward(void *context, const struct dependency_packet *packet,
        dependency_leave_fn *leave, void *visitor)
{
    const struct run *run = context;
    const struct run_switch *sw = &run->switches[packet->node];
    const struct topology_node *nodes = run->topology->nodes;
    struct visit visit = {run, packet, leave, visitor};
    const struct sim_frame frame = {
        .dst_mac = nodes[packet->is_copy ? packet->host : packet->node].mac,
        .src_mac = STRANGER,
        .payload = make_headers(run->topology, packet->host),
        .length_bytes = FRAME_BYTES,
        .dscp = (int8_t)packet->priority,
        .ttl = TTL};

    orch_assert(sim_explore(switch_instance_sim(sw->instance),
                            sw->slots[packet->port], &frame, on_way,
                            &visit) == ST_OK);
    sim_payload_unref(frame.payload);
}

/* Returns the priorities in which some port both sends and obeys pauses. */
static uint8_t
lossless_of(const struct run *run)
{
    uint8_t priorities = 0;

    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        const struct run_switch *sw = &run->switches[i];

        for (uint32_t p = 0; p < run->topology->nodes[i].n_ports; p++) {
            const struct sim_port_config *config =
                sim_port_get(switch_instance_sim(sw->instance), sw->slots[p]);

            priorities |= config->pfc_tx_enabled & config->pfc_rx_enabled;
        }
    }
    return priorities;
}

struct dependency *
run_dependency(struct run *run)
{
    const struct topology *topology = run->topology;
    uint32_t *hosts = check_calloc(topology->n_hosts, sizeof *hosts);
    const uint8_t priorities = lossless_of(run);
    struct dependency *dependency;
    size_t n = 0;

    /* Packets to hosts of one switch take the same way to it, and none to
     * another switch from there, unless they are in a VLAN. */
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        bool has_one = false;

        for (uint32_t p = 0; p < topology->nodes[i].n_ports; p++) {
            const uint32_t peer = topology_port(topology, i, p)->peer;

            if (run_is_host(run, peer) && (!has_one || run->switches[i].vlan)) {
                hosts[n++] = peer;
                has_one = true;
            }
        }
    }
    dependency =
        dependency_create(topology, hosts, n, priorities, forward, run);
    free(hosts);
    return dependency;
}

/* Returns whether 'fault' takes a link between switches down. */
static bool
takes_down(const struct run *run, const struct run_fault *fault)
{
    return (fault->spec->kind == FAULT_DOWN ||
            fault->spec->kind == FAULT_FLAP) &&
           !run_is_host(run, run->topology->links[fault->link].node[0]);
}

/* Returns whether 'fault' lasts at 'now_ps'. */
static bool
lasts(const struct run_fault *fault, int64_t now_ps)
{
    const int64_t for_ps = fault->spec->for_ps;

    return fault->start_ps <= now_ps &&
           (for_ps == QUANTITY_INFINITE || now_ps - fault->start_ps < for_ps);
}

/* Returns the earliest time after 'after_ps' at which such a fault begins or
 * ends, INT64_MAX if there is none. */
static int64_t
next_change(const struct run *run, int64_t after_ps)
{
    int64_t next_ps = INT64_MAX;

    for (size_t i = 0; i < run->scenario->n_faults; i++) {
        const struct run_fault *fault = &run->faults[i];
        const int64_t for_ps = fault->spec->for_ps;
        const int64_t end_ps =
            for_ps == QUANTITY_INFINITE || for_ps > INT64_MAX - fault->start_ps
                ? INT64_MAX
                : fault->start_ps + for_ps;

        if (!takes_down(run, fault)) {
            continue;
        }
        if (fault->start_ps > after_ps && fault->start_ps < next_ps) {
            next_ps = fault->start_ps;
        }
        if (end_ps > after_ps && end_ps < next_ps) {
            next_ps = end_ps;
        }
    }
    return next_ps;
}

/* Takes 'link' down or up if it is not. */
static enum st
move_link(struct run *run, uint32_t link, bool is_down, struct err *err)
{
    if (run->is_down[link] == is_down) {
        return ST_OK;
    }
    run->is_down[link] = is_down;
    (void)fabric_routes_set_link(run->routes, link, !is_down);
    return run_link_set(run, link, !is_down, err);
}

enum st
run_imagine_links(struct run *run, size_t number, bool *exists,
                  struct text *down, struct err *err)
{
    bool *wanted =
        arena_alloc(run->arena, run->topology->n_links + 1U, sizeof *wanted);
    int64_t now_ps = next_change(run, -1);
    enum st st = ST_OK;

    while (number > 0 && now_ps < INT64_MAX) {
        now_ps = next_change(run, now_ps);
        number--;
    }
    *exists = now_ps < INT64_MAX;
    for (size_t i = 0; *exists && i < run->scenario->n_faults; i++) {
        const struct run_fault *fault = &run->faults[i];

        if (takes_down(run, fault) && lasts(fault, now_ps)) {
            wanted[fault->link] = true;
        }
    }
    for (uint32_t i = 0; *exists && !st && i < run->topology->n_links; i++) {
        char name[128];

        st = move_link(run, i, wanted[i], err);
        if (wanted[i]) {
            text_addf(down, "%s%s", down->length ? ", " : "",
                      run_name_port(run, run->topology->links[i].node[0],
                                    run->topology->links[i].port[0],
                                    RUN_PRIORITIES, name, sizeof name));
        }
    }
    return *exists && !st ? run_routes_update(run, err) : st;
}

enum st
run_imagine(struct run *run, enum run_condition condition, bool *changes,
            struct err *err)
{
    enum st st = ST_OK;

    *changes = false;
    for (size_t i = 0; !st && condition == RUN_CONDITION_FAILED &&
                       i < run->scenario->n_faults;
         i++) {
        const struct run_fault *fault = &run->faults[i];

        if (takes_down(run, fault) && !run->is_down[fault->link]) {
            *changes = true;
            st = move_link(run, fault->link, true, err);
        }
    }
    if (!st && *changes) {
        st = run_routes_update(run, err);
    }
    for (uint32_t i = 0; !st && condition == RUN_CONDITION_SILENT &&
                         i < run->topology->n_switches;
         i++) {
        if (run->switches[i].vlan) {
            *changes = true;
            st = switch_vlan_forget(run->switches[i].vlan, err);
        }
    }
    return st;
}

const char *
run_condition_text(enum run_condition condition)
{
    static const char *const texts[] = {
#define X(member, text) text,
        RUN_CONDITIONS(X)
#undef X
    };

    return texts[condition];
}
