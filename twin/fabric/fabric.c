/* SPDX-License-Identifier: Apache-2.0 */

/* Switches and hosts, connected by links, on one clock. */

#include <config.h>

#include "twin/fabric/fabric.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/random.h"

/* Pointers to all objects of one kind. */
struct set {
    void **items;
    size_t n;
};

struct fabric {
    struct engine *engine;
    uint64_t seed;
    uint32_t next_entity; /* For what comes without a number. */
    struct set switches;
    struct set hosts;
    struct set nics;

    /* Adapters by entity; NULL: it is none. */
    struct nic **places;
    uint32_t n_places;
    struct set links;
};

static void *
set_add(struct set *set, void *item)
{
    set->items = check_realloc(set->items, (set->n + 1) * sizeof *set->items);
    set->items[set->n++] = item;
    return item;
}

/* The loop ---------------------------------------------------------------- */

/* Handles 'post'. */
static inline void
dispatch(struct fabric *fabric, const struct post *post)
{
    struct nic *nic = fabric->places[event_entity(post->order)];

    switch (event_class(post->order)) {
    case EVENT_NIC_TX_END:
        nic_tx_end(nic);
        break;
    case EVENT_NIC_ARRIVE:
        nic_arrive(nic, event_arg(post->order));
        break;
    case EVENT_NIC_DRAIN:
        nic_drain(nic);
        break;
    case EVENT_NIC_WAKE:
        nic_wake(nic);
        break;
    case EVENT_TIMER_RETRY:
        nic_timer(nic, event_arg(post->order));
        break;
    default:
        orch_assert(false);
    }
}

/* An engine_loop_fn. */
static uint64_t
loop(void *context, struct engine *engine, int64_t until_ps, uint64_t most)
{
    uint64_t n = 0;
    struct post post;
    enum engine_next next;

    while (n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
        n++;
        if (next == ENGINE_TIMER) {
            engine_fire(engine);
        } else {
            dispatch(context, &post);
        }
    }
    return n;
}

/* Building ---------------------------------------------------------------- */

struct fabric *
fabric_create(uint64_t seed)
{
    struct fabric *fabric = check_calloc(1, sizeof *fabric);

    fabric->engine = engine_create();
    fabric->seed = seed;
    fabric->next_entity = 1;
    engine_set_loop(fabric->engine, loop, fabric);
    return fabric;
}

void
fabric_destroy(struct fabric *fabric)
{
    if (!fabric) {
        return;
    }
    for (size_t i = 0; i < fabric->links.n; i++) {
        link_destroy(fabric->links.items[i]);
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
    free(fabric->links.items);
    free(fabric->hosts.items);
    free(fabric->nics.items);
    free(fabric->places);
    free(fabric->switches.items);
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
    return set_add(&fabric->switches,
                   sim_create_on(chip, fabric->engine, entity));
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

/* Makes 'nic' the owner of 'entity'. */
static void
occupy(struct fabric *fabric, uint32_t entity, struct nic *nic)
{
    while (entity >= fabric->n_places) {
        const uint32_t n = fabric->n_places ? 2 * fabric->n_places : 64;

        fabric->places =
            check_realloc(fabric->places, n * sizeof *fabric->places);
        memset(fabric->places + fabric->n_places, 0,
               (n - fabric->n_places) * sizeof *fabric->places);
        fabric->n_places = n;
    }
    orch_assert(!fabric->places[entity]);
    fabric->places[entity] = nic;
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
        occupy(fabric, entity, *nic);
    }
    return status;
}

/* A link_deliver_fn for a port of a switch.  A port that is down loses the
 * frame. */
static bool
deliver_to_switch(void *sim, uint32_t port, const struct sim_frame *frame)
{
    return sim_receive(sim, port, frame) == ST_OK;
}

/* Returns the speed at 'end', 0 if there is no such port. */
static uint32_t
speed_of(const struct fabric_end *end)
{
    const struct sim_port_config *config;

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
    if (end->host) {
        return (struct link_end){.deliver = host_receive,
                                 .context = end->host,
                                 .entity = host_get_config(end->host)->entity,
                                 .class = EVENT_HOST_ARRIVE};
    }
    if (end->nic) {
        return (struct link_end){.deliver = nic_receive,
                                 .context = end->nic,
                                 .entity = nic_entity(end->nic),
                                 .class = EVENT_NIC_ARRIVE};
    }
    return (struct link_end){.deliver = deliver_to_switch,
                             .context = end->sim,
                             .port = end->port,
                             .entity = sim_entity(end->sim) + end->port,
                             .class = EVENT_ARRIVE};
}

enum st
fabric_connect(struct fabric *fabric, const struct fabric_end ends[2],
               uint32_t length_m, uint32_t mtu_bytes, struct link **made)
{
    const struct link_config config = {
        .length_m = length_m,
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
        if (ends[i].host) {
            host_connect(ends[i].host, link_sender(link, i));
        } else if (ends[i].nic) {
            nic_connect(ends[i].nic, link_sender(link, i));
        } else {
            sim_port_connect(ends[i].sim, ends[i].port, link_transmit,
                             link_sender(link, i));
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
