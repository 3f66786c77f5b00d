/* SPDX-License-Identifier: Apache-2.0 */

/* Switches and stations, joined by links, in one time. */

#include <config.h>

#include "twin/fabric/fabric.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"

/* Pointers to all of one kind. */
struct set {
    void **items;
    size_t n;
};

struct fabric {
    struct engine *engine;
    uint64_t seed;
    struct set switches;
    struct set stations;
    struct set links;
};

static void *
set_add(struct set *set, void *item)
{
    set->items = check_realloc(set->items, (set->n + 1) * sizeof *set->items);
    set->items[set->n++] = item;
    return item;
}

struct fabric *
fabric_create(uint64_t seed)
{
    struct fabric *net = check_calloc(1, sizeof *net);

    net->engine = engine_create();
    net->seed = seed;
    return net;
}

void
fabric_destroy(struct fabric *net)
{
    if (!net) {
        return;
    }
    for (size_t i = 0; i < net->links.n; i++) {
        link_destroy(net->links.items[i]);
    }
    for (size_t i = 0; i < net->stations.n; i++) {
        host_destroy(net->stations.items[i]);
    }
    for (size_t i = 0; i < net->switches.n; i++) {
        sim_destroy(net->switches.items[i]);
    }
    free(net->links.items);
    free(net->stations.items);
    free(net->switches.items);
    engine_destroy(net->engine);
    free(net);
}

struct engine *
fabric_engine(struct fabric *net)
{
    return net->engine;
}

struct sim *
fabric_add_switch(struct fabric *net, const struct chip *chip)
{
    return set_add(&net->switches, sim_create_on(chip, net->engine));
}

enum st
fabric_add_station(struct fabric *net, const struct host_config *config,
                   struct host **station)
{
    enum st status = host_create(net->engine, config, station);

    if (status == ST_OK) {
        set_add(&net->stations, *station);
    }
    return status;
}

/* A link_deliver_fn for a port of a switch.  One that is down loses what
 * arrives. */
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

    if (end->station) {
        return host_get_config(end->station)->speed_mbps;
    }
    config = sim_port_get(end->sim, end->port);
    return config ? config->speed_mbps : 0;
}

static struct link_end
link_end_of(const struct fabric_end *end)
{
    return end->station ? (struct link_end){.deliver = host_receive,
                                            .context = end->station}
                        : (struct link_end){.deliver = deliver_to_switch,
                                            .context = end->sim,
                                            .port = end->port};
}

enum st
fabric_connect(struct fabric *net, const struct fabric_end ends[2],
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
    link = set_add(&net->links, link_create(net->engine, &config));
    for (unsigned int i = 0; i < 2; i++) {
        if (ends[i].station) {
            host_connect(ends[i].station, link_sender(link, i));
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
fabric_seed(const struct fabric *net, uint64_t number)
{
    struct random random;

    /* The seeds of a net are those that its own sequence gives to the numbers,
     * mixed so that neighbours have nothing in common. */
    random_init(&random, net->seed ^ number * UINT64_C(0x9e3779b97f4a7c15));
    return random_u64(&random);
}
