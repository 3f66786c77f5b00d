/* SPDX-License-Identifier: Apache-2.0 */

/* Follows packets from all racks to all destinations, and notes which channels
 * they use one after the other. */

#include <config.h>

#include "lab/builder/dependency.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/digraph.h"
#include "base/pfc.h"
#include "lab/builder/topology.h"

#define NO_CHANNEL UINT32_MAX

/* A dependency, and a destination that has it. */
struct edge {
    uint32_t from, to, host;
};

/* A packet on its way: it has come over 'channel'. */
struct step {
    uint32_t channel;
    bool is_copy;
};

struct dependency {
    const struct topology *topology;
    uint32_t *first; /* The first channel of each switch: they are by switch,
                      * port and priority. */
    uint32_t n;
    bool *used;
    struct digraph *graph;
    struct edge *edges; /* As found, without repetition for a destination. */
    size_t n_edges, size;
    struct dependency_channel *cycle;
};

/* What following the packets of one destination needs. */
struct walk {
    struct dependency *dependency;
    struct dependency_packet packet; /* At the present switch. */
    uint32_t channel; /* By which it came there, or NO_CHANNEL. */
    bool *seen[2];    /* By channel: as it is, as a copy. */
    struct step *stack;
    size_t n;
};

static uint32_t
channel_of(const struct dependency *dependency, uint32_t node, uint32_t port,
           uint8_t priority)
{
    return dependency->first[node] + port * PFC_N_PRIORITIES + priority;
}

/* Stores the egress port of 'channel'. */
static void
place_of(const struct dependency *dependency, uint32_t channel, uint32_t *node,
         uint32_t *port)
{
    uint32_t low = 0, high = dependency->topology->n_switches;

    /* The last switch whose first channel is not behind it. */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (dependency->first[middle] <= channel) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *node = low;
    *port = (channel - dependency->first[low]) / PFC_N_PRIORITIES;
}

static void
add_edge(struct dependency *dependency, uint32_t from, uint32_t to,
         uint32_t host)
{
    if (dependency->n_edges == dependency->size) {
        dependency->size = dependency->size ? 2 * dependency->size : 256;
        dependency->edges = check_realloc(
            dependency->edges, dependency->size * sizeof *dependency->edges);
    }
    dependency->edges[dependency->n_edges++] = (struct edge){from, to, host};
    digraph_add(dependency->graph, from, to);
}

/* A dependency_leave_fn of a walk. */
static void
on_leave(void *visitor, uint32_t port, bool is_copy)
{
    struct walk *walk = visitor;
    struct dependency *dependency = walk->dependency;
    const struct topology *topology = dependency->topology;
    const uint32_t node = walk->packet.node;
    uint32_t channel;

    if (topology->nodes[topology_port(topology, node, port)->peer].is_host) {
        return;
    }
    channel = channel_of(dependency, node, port, walk->packet.priority);
    if (walk->channel != NO_CHANNEL) {
        add_edge(dependency, walk->channel, channel, walk->packet.host);
    }
    if (!walk->seen[is_copy][channel]) {
        walk->seen[is_copy][channel] = true;
        dependency->used[channel] = true;
        walk->stack[walk->n++] = (struct step){channel, is_copy};
    }
}

/* Returns a port of 'node' with a host other than 'host', or UINT32_MAX. */
static uint32_t
source_port(const struct topology *topology, uint32_t node, uint32_t host)
{
    for (uint32_t p = 0; p < topology->nodes[node].n_ports; p++) {
        const uint32_t peer = topology_port(topology, node, p)->peer;

        if (topology->nodes[peer].is_host && peer != host) {
            return p;
        }
    }
    return UINT32_MAX;
}

/* Follows the packets that have left the sources, to their ends. */
static void
follow(struct walk *walk, dependency_forward_fn *forward, void *context)
{
    const struct topology *topology = walk->dependency->topology;

    while (walk->n) {
        const struct step step = walk->stack[--walk->n];
        const struct topology_port *to;
        uint32_t node, port;

        place_of(walk->dependency, step.channel, &node, &port);
        to = topology_port(topology, node, port);
        walk->channel = step.channel;
        walk->packet.node = to->peer;
        walk->packet.port = to->peer_port;
        walk->packet.is_copy = step.is_copy;
        forward(context, &walk->packet, on_leave, walk);
    }
}

/* Follows the packets of one priority to 'host' from all switches with
 * hosts. */
static void
walk_to(struct walk *walk, uint32_t host, uint8_t priority,
        dependency_forward_fn *forward, void *context)
{
    const struct topology *topology = walk->dependency->topology;

    memset(walk->seen[0], 0, walk->dependency->n * sizeof(bool));
    memset(walk->seen[1], 0, walk->dependency->n * sizeof(bool));
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        const uint32_t port = source_port(topology, i, host);

        if (port == UINT32_MAX) {
            continue;
        }
        walk->channel = NO_CHANNEL;
        walk->packet = (struct dependency_packet){
            .node = i, .port = port, .host = host, .priority = priority};
        forward(context, &walk->packet, on_leave, walk);
        follow(walk, forward, context);
    }
}

struct dependency *
dependency_create(const struct topology *topology, const uint32_t *hosts,
                  size_t n, uint8_t priorities, dependency_forward_fn *forward,
                  void *context)
{
    struct dependency *dependency = check_calloc(1, sizeof *dependency);
    struct walk walk = {.dependency = dependency};

    dependency->topology = topology;
    dependency->first =
        check_calloc(topology->n_switches + 1U, sizeof *dependency->first);
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        dependency->first[i] = dependency->n;
        dependency->n += topology->nodes[i].n_ports * PFC_N_PRIORITIES;
    }
    dependency->used = check_calloc(dependency->n + 1U, sizeof(bool));
    dependency->graph = digraph_create(dependency->n);
    for (int copy = 0; copy < 2; copy++) {
        walk.seen[copy] = check_calloc(dependency->n + 1U, sizeof(bool));
    }
    walk.stack =
        check_calloc(2 * (size_t)dependency->n + 1, sizeof *walk.stack);
    for (size_t i = 0; i < n; i++) {
        for (uint8_t p = 0; p < PFC_N_PRIORITIES; p++) {
            if (priorities >> p & 1) {
                walk_to(&walk, hosts[i], p, forward, context);
            }
        }
    }
    free(walk.stack);
    free(walk.seen[0]);
    free(walk.seen[1]);
    return dependency;
}

void
dependency_destroy(struct dependency *dependency)
{
    if (dependency) {
        digraph_destroy(dependency->graph);
        free(dependency->cycle);
        free(dependency->edges);
        free(dependency->used);
        free(dependency->first);
        free(dependency);
    }
}

/* Returns a destination whose packets lead from 'from' to 'to'. */
static uint32_t
host_of(const struct dependency *dependency, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < dependency->n_edges; i++) {
        if (dependency->edges[i].from == from &&
            dependency->edges[i].to == to) {
            return dependency->edges[i].host;
        }
    }
    check_failed("a dependency", __FILE__, __LINE__);
}

size_t
dependency_find_cycle(struct dependency *dependency,
                      const struct dependency_channel **channels)
{
    uint32_t *cycle = check_calloc(dependency->n + 1U, sizeof *cycle);
    const uint32_t n = digraph_find_cycle(dependency->graph, cycle);

    free(dependency->cycle);
    dependency->cycle = check_calloc(n + 1U, sizeof *dependency->cycle);
    for (uint32_t i = 0; i < n; i++) {
        struct dependency_channel *channel = &dependency->cycle[i];

        place_of(dependency, cycle[i], &channel->node, &channel->port);
        channel->priority =
            (uint8_t)((cycle[i] - dependency->first[channel->node]) %
                      PFC_N_PRIORITIES);
        channel->host = host_of(dependency, cycle[i], cycle[(i + 1) % n]);
    }
    free(cycle);
    *channels = dependency->cycle;
    return n;
}

size_t
dependency_n_channels(const struct dependency *dependency)
{
    size_t n = 0;

    for (uint32_t i = 0; i < dependency->n; i++) {
        n += dependency->used[i];
    }
    return n;
}

size_t
dependency_n_edges(struct dependency *dependency)
{
    return digraph_n_edges(dependency->graph);
}
