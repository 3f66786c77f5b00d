/* SPDX-License-Identifier: Apache-2.0 */

/* Divides a fabric into lanes.
 *
 * Islands.  For a lookahead of d, what is connected by links with a shorter
 * delay than d belongs together: an island, which must be in one lane.  The
 * longer d is, the more events a lane handles at a time, but the fewer islands
 * there are.  So d is the longest delay that leaves enough of them.
 *
 * Islands are dealt to lanes in the order of their first switch or adapter, by
 * their number of ports.  How many links are between lanes does not matter: a
 * frame to another lane costs what others cost. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "twin/fabric/fabric_state.h"
#include "twin/forwarding/wire.h"

enum {
    PORTS_PER_LANE = 384, /* Their state, some 1.5 kB each, suits the caches. */
    MOST_LANES = 128,
    LEAST_LANES = 6, /* Fewer are no faster than none. */
};

/* A shorter window has too few events: at 1,024 hosts 16 lanes take 5 % longer
 * than none with 0.1 us, 7 % less time with 0.25 us.  Who asks for a number of
 * lanes can have the former. */
#define GOOD_LOOKAHEAD_PS  INT64_C(200000)
#define LEAST_LOOKAHEAD_PS INT64_C(100000)

/* Switches and adapters are nodes, in this order. */
struct division {
    uint32_t n_nodes;
    uint32_t n_entities;
    uint32_t n_links;
    uint32_t *node_of;   /* By entity; UINT32_MAX: none. */
    uint32_t *ports;     /* By node, those with a link. */
    uint32_t *parents;   /* By node: another one of its island, or itself. */
    uint32_t (*ends)[2]; /* By link: the nodes. */
    int64_t *delays;     /* By link; 0: its ends belong together anyway. */
    int64_t *sorted;     /* The same, from the longest on. */
};

/* Building ----------------------------------------------------------------- */

static void
add_node(struct division *d, uint32_t entity, uint32_t n_ports)
{
    const uint32_t n = entity + n_ports;

    if (n > d->n_entities) {
        d->node_of = check_realloc(d->node_of, n * sizeof *d->node_of);
        for (uint32_t i = d->n_entities; i < n; i++) {
            d->node_of[i] = UINT32_MAX;
        }
        d->n_entities = n;
    }
    for (uint32_t i = 0; i < n_ports; i++) {
        d->node_of[entity + i] = d->n_nodes;
    }
    d->n_nodes++;
}

static void
add_switches(struct division *d, const struct set *switches)
{
    for (size_t i = 0; i < switches->n; i++) {
        struct sim *sim = switches->items[i];

        add_node(d, sim_entity(sim), mmu_chip(sim_mmu(sim))->ports);
    }
}

/* Returns the node with 'wire', UINT32_MAX if it is not in this fabric. */
static uint32_t
node_at(const struct division *d, const struct wire *wire)
{
    return wire && wire->entity < d->n_entities ? d->node_of[wire->entity]
                                                : UINT32_MAX;
}

/* Adds 'link', of which one end may be in another simulation. */
static void
add_link(struct division *d, struct link *link)
{
    uint32_t *ends = d->ends[d->n_links];
    int64_t delay_ps = 0;

    for (unsigned int i = 0; i < 2; i++) {
        const struct wire *wire = link_wire(link_sender(link, i));

        ends[i] = node_at(d, wire);
        if (ends[i] != UINT32_MAX) {
            d->ports[ends[i]]++;
        }
        delay_ps = wire ? wire->delay_ps : 0;
    }
    if (ends[0] != UINT32_MAX && ends[1] != UINT32_MAX) {
        d->delays[d->n_links++] = link_has_llr(link) ? 0 : delay_ps;
    }
}

static int
compare_delays(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;

    return (x < y) - (x > y);
}

static void
division_init(struct division *d, const struct fabric *fabric)
{
    const size_t n_nodes =
        fabric->switches.n + fabric->adopted.n + fabric->nics.n;

    *d = (struct division){.ports = check_calloc(n_nodes, sizeof *d->ports)};
    d->parents = check_calloc(n_nodes, sizeof *d->parents);
    d->ends = check_calloc(fabric->links.n, sizeof *d->ends);
    d->delays = check_calloc(fabric->links.n, sizeof *d->delays);
    d->sorted = check_calloc(fabric->links.n, sizeof *d->sorted);
    add_switches(d, &fabric->switches);
    add_switches(d, &fabric->adopted);
    for (size_t i = 0; i < fabric->nics.n; i++) {
        add_node(d, nic_entity(fabric->nics.items[i]), 1);
    }
    for (size_t i = 0; i < fabric->links.n; i++) {
        add_link(d, fabric->links.items[i]);
    }
    for (uint32_t i = 0; i < d->n_links; i++) {
        d->sorted[i] = d->delays[i];
    }
    qsort(d->sorted, d->n_links, sizeof *d->sorted, compare_delays);
}

static void
division_fini(struct division *d)
{
    free(d->node_of);
    free(d->ports);
    free(d->parents);
    free(d->ends);
    free(d->delays);
    free(d->sorted);
}

/* Islands ------------------------------------------------------------------ */

/* Returns the first node of the island of 'node'. */
static uint32_t
first_of(struct division *d, uint32_t node)
{
    while (d->parents[node] != node) {
        d->parents[node] = d->parents[d->parents[node]];
        node = d->parents[node];
    }
    return node;
}

/* Finds the islands for 'lookahead_ps', and returns how many there are. */
static uint32_t
find_islands(struct division *d, int64_t lookahead_ps)
{
    uint32_t n = d->n_nodes;

    for (uint32_t i = 0; i < d->n_nodes; i++) {
        d->parents[i] = i;
    }
    for (uint32_t i = 0; i < d->n_links; i++) {
        const uint32_t a = first_of(d, d->ends[i][0]);
        const uint32_t b = first_of(d, d->ends[i][1]);

        if (d->delays[i] < lookahead_ps && a != b) {
            d->parents[a > b ? a : b] = a > b ? b : a;
            n--;
        }
    }
    return n;
}

/* Returns the longest lookahead that leaves 'n_lanes' islands, else the
 * shortest that is 'least_ps' or longer; 0: none is. */
static int64_t
find_lookahead(struct division *d, uint32_t n_lanes, int64_t least_ps)
{
    uint32_t low = 0;
    uint32_t high = 0;

    while (high < d->n_links && d->sorted[high] >= least_ps) {
        high++;
    }
    if (high-- == 0) {
        return 0;
    }
    /* The shorter the lookahead, the more islands. */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (find_islands(d, d->sorted[middle]) >= n_lanes) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return d->sorted[low];
}

/* Stores the lane of each entity, from 1 on, in 'lanes'.  Returns how many
 * lanes have something. */
static uint32_t
deal_islands(struct division *d, uint32_t n_lanes, uint8_t *lanes)
{
    uint8_t *lane_of = check_calloc(d->n_nodes, 1);
    uint64_t *sizes = check_calloc(d->n_nodes, sizeof *sizes);
    uint64_t sum = 0;
    uint64_t before = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->n_nodes; i++) {
        sizes[first_of(d, i)] += d->ports[i];
        sum += d->ports[i];
    }
    for (uint32_t i = 0; i < d->n_nodes; i++) {
        if (d->parents[i] == i) {
            const uint32_t lane = (uint32_t)(before * n_lanes / sum) + 1;

            /* An island that fills several lanes leaves none empty. */
            n = lane > n ? n + 1 : n;
            lane_of[i] = (uint8_t)n;
            before += sizes[i];
        }
    }
    for (uint32_t i = 0; i < d->n_entities; i++) {
        lanes[i] = d->node_of[i] == UINT32_MAX
                       ? (uint8_t)ENGINE_COMMON
                       : lane_of[first_of(d, d->node_of[i])];
    }
    free(sizes);
    free(lane_of);
    return n;
}

/* Returns how many ports of this fabric have a link. */
static uint32_t
count_ports(const struct division *d)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->n_nodes; i++) {
        n += d->ports[i];
    }
    return n;
}

uint32_t
fabric_divide(struct fabric *fabric, uint32_t n_lanes)
{
    const int64_t least_ps = n_lanes ? LEAST_LOOKAHEAD_PS : GOOD_LOOKAHEAD_PS;
    struct division d;
    uint32_t n = 1;

    if (fabric->hosts.n || fabric->trees.n || fabric->has_loops) {
        return 1;
    }
    division_init(&d, fabric);
    if (n_lanes == 0) {
        n_lanes = count_ports(&d) / PORTS_PER_LANE;
        n_lanes = n_lanes > MOST_LANES    ? (uint32_t)MOST_LANES
                  : n_lanes < LEAST_LANES ? 1
                                          : n_lanes;
    }
    orch_assert(n_lanes <= ENGINE_MAX_LANES);
    if (n_lanes > 1) {
        const int64_t lookahead_ps = find_lookahead(&d, n_lanes, least_ps);

        if (lookahead_ps && find_islands(&d, lookahead_ps) > 1) {
            uint8_t *lanes = check_calloc(d.n_entities, 1);

            n = deal_islands(&d, n_lanes, lanes);
            if (n > 1) {
                engine_divide(fabric->engine, lanes, d.n_entities, n,
                              lookahead_ps);
            }
            free(lanes);
        }
    }
    division_fini(&d);
    return n;
}
