/* SPDX-License-Identifier: Apache-2.0 */

/* Switches and hosts, connected by links, on one clock. */

#include <config.h>

#include "twin/fabric/fabric.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"
#include "twin/fabric/fabric_state.h"
#include "twin/forwarding/frame_pool.h"

static void *
set_add(struct set *set, void *item)
{
    set->items = check_realloc(set->items, (set->n + 1) * sizeof *set->items);
    set->items[set->n++] = item;
    return item;
}

struct fabric *
fabric_create_with(const struct line_pool_source *source, uint64_t seed)
{
    struct fabric *fabric = check_calloc(1, sizeof *fabric);

    fabric->engine = engine_create_with(source);
    fabric_serve(fabric->engine);
    fabric->seed = seed;
    fabric->next_entity = 1;
    return fabric;
}

struct fabric *
fabric_create(uint64_t seed)
{
    return fabric_create_with(NULL, seed);
}

/* Ends 'tree' with the frames that it holds. */
static void
destroy_tree(struct fabric *fabric, struct pcie_tree *tree)
{
    uint32_t frame;

    while (pcie_tree_take(tree, &frame)) {
        frame_give(frame_pool_of(fabric->engine), frame);
    }
    pcie_tree_destroy(tree);
}

void
fabric_destroy(struct fabric *fabric)
{
    if (!fabric) {
        return;
    }
    for (size_t i = 0; i < fabric->trees.n; i++) {
        destroy_tree(fabric, fabric->trees.items[i]);
    }
    for (size_t i = 0; i < fabric->hosts.n; i++) {
        host_destroy(fabric->hosts.items[i]);
    }
    for (size_t i = 0; i < fabric->nics.n; i++) {
        nic_destroy(fabric->nics.items[i]);
    }
    for (size_t i = 0; i < fabric->switches.n; i++) {
        sim_destroy(fabric->switches.items[i]);
    }
    for (size_t i = 0; i < fabric->links.n; i++) {
        link_destroy(fabric->links.items[i]);
    }
    free(fabric->trees.items);
    free(fabric->links.items);
    free(fabric->hosts.items);
    free(fabric->nics.items);
    free(fabric->switches.items);
    free(fabric->adopted.items);
    engine_destroy(fabric->engine);
    free(fabric);
}

struct engine *
fabric_engine(struct fabric *fabric)
{
    return fabric->engine;
}

struct sim *
fabric_add_switch(struct fabric *fabric, const struct chip *chip)
{
    const uint32_t entity = fabric->next_entity;

    fabric->next_entity += chip->ports;
    return fabric_add_switch_at(fabric, chip, entity);
}

struct sim *
fabric_add_switch_at(struct fabric *fabric, const struct chip *chip,
                     uint32_t entity)
{
    struct sim *sim = sim_create_on(chip, fabric->engine, entity);

    sim_set_seed(sim, fabric->seed);
    return set_add(&fabric->switches, sim);
}

void
fabric_adopt_switch(struct fabric *fabric, struct sim *sim)
{
    set_add(&fabric->adopted, sim);
}

enum st
fabric_add_host(struct fabric *fabric, const struct host_config *config,
                struct host **host)
{
    struct host_config numbered = *config;
    enum st status;

    if (numbered.entity == 0) {
        numbered.entity = fabric->next_entity++;
    }
    status = host_create(fabric->engine, &numbered, host);
    if (status == ST_OK) {
        set_add(&fabric->hosts, *host);
    }
    return status;
}

enum st
fabric_add_nic(struct fabric *fabric, const struct nic_config *config,
               uint32_t entity, struct nic **nic)
{
    enum st status;

    if (entity == 0) {
        entity = fabric->next_entity++;
    }
    status = nic_create(fabric->engine, config, entity, nic);
    if (status == ST_OK) {
        set_add(&fabric->nics, *nic);
    }
    return status;
}

enum st
fabric_add_loop(struct fabric *fabric, struct nic *nic, uint32_t entity,
                struct nic **loop)
{
    struct link_config config = {.mtu_bytes = SIM_MAX_LENGTH_BYTES};
    struct wire *wire;
    enum st status;

    if (entity == 0) {
        entity = fabric->next_entity++;
    }
    status = nic_create_loop(nic, entity, loop);
    if (status) {
        return status;
    }
    set_add(&fabric->nics, *loop);
    fabric->has_loops = true;
    for (unsigned int i = 0; i < 2; i++) {
        config.ends[i] =
            (struct link_end){.entity = entity, .class = EVENT_NIC_ARRIVE};
    }
    /* Only one of its directions is used. */
    wire = link_wire(link_sender(
        set_add(&fabric->links, link_create(fabric->engine, &config)), 0));
    nic_join(*loop, wire, wire);
    return ST_OK;
}

struct pcie_tree *
fabric_add_pcie(struct fabric *fabric, uint32_t entity)
{
    return set_add(&fabric->trees, pcie_tree_create(fabric->engine, entity));
}

/* Link_hold_fn functions. */

static void
hold_port(void *sim, uint32_t port, bool is_held)
{
    sim_port_hold(sim, port, is_held);
}

static void
hold_nic(void *nic, uint32_t port, bool is_held)
{
    (void)port;
    nic_hold(nic, is_held);
}

/* Returns the speed at 'end', 0 if there is no such port. */
static uint32_t
speed_of(const struct fabric_end *end)
{
    const struct sim_port_config *config;

    if (end->remote) {
        return end->remote->speed_mbps;
    }
    if (end->host) {
        return host_get_config(end->host)->speed_mbps;
    }
    if (end->nic) {
        return nic_get_config(end->nic)->speed_mbps;
    }
    config = sim_port_get(end->sim, end->port);
    return config ? config->speed_mbps : 0;
}

static struct link_end
link_end_of(const struct fabric_end *end)
{
    if (end->remote) {
        return (struct link_end){.entity = end->remote->entity,
                                 .class = end->remote->is_nic ? EVENT_NIC_ARRIVE
                                                              : EVENT_ARRIVE};
    }
    if (end->host) {
        return (struct link_end){.entity = host_get_config(end->host)->entity,
                                 .class = EVENT_HOST_ARRIVE};
    }
    if (end->nic) {
        return (struct link_end){.entity = nic_entity(end->nic),
                                 .class = EVENT_NIC_ARRIVE};
    }
    return (struct link_end){.entity = sim_entity(end->sim) + end->port,
                             .class = EVENT_ARRIVE};
}

enum st
fabric_connect(struct fabric *fabric, const struct fabric_end ends[2],
               uint32_t length_m, uint32_t mtu_bytes, struct link **made)
{
    return fabric_connect_mm(fabric, ends, UINT64_C(1000) * length_m, mtu_bytes,
                             made);
}

enum st
fabric_connect_mm(struct fabric *fabric, const struct fabric_end ends[2],
                  uint64_t length_mm, uint32_t mtu_bytes, struct link **made)
{
    const struct link_config config = {
        .length_m = (uint32_t)(length_mm / 1000),
        .length_mm = (uint32_t)(length_mm % 1000),
        .mtu_bytes = mtu_bytes,
        .ends = {link_end_of(&ends[0]), link_end_of(&ends[1])}};
    const uint32_t speeds[2] = {speed_of(&ends[0]), speed_of(&ends[1])};
    struct link *link;

    if (!speeds[0] || !speeds[1]) {
        return ST_NOT_FOUND;
    }
    if (speeds[0] != speeds[1]) {
        return ST_INVALID;
    }
    link = set_add(&fabric->links, link_create(fabric->engine, &config));
    for (unsigned int i = 0; i < 2; i++) {
        struct wire *out = link_wire(link_sender(link, i));
        struct wire *in = link_wire(link_sender(link, 1 - i));

        if (ends[i].host) {
            host_join(ends[i].host, out, in);
        } else if (ends[i].nic) {
            nic_join(ends[i].nic, out, in);
            link_set_hold(link, i, hold_nic, ends[i].nic, 0);
        } else if (ends[i].sim) {
            sim_port_join(ends[i].sim, ends[i].port, out, in);
            link_set_hold(link, i, hold_port, ends[i].sim, ends[i].port);
        }
    }
    if (made) {
        *made = link;
    }
    return ST_OK;
}

uint64_t
fabric_seed(const struct fabric *fabric, uint64_t number)
{
    struct random random;

    /* Mixes the number into the seed of the fabric, so that neighbouring
     * numbers get unrelated seeds. */
    random_init(&random, fabric->seed ^ number * UINT64_C(0x9e3779b97f4a7c15));
    return random_u64(&random);
}
