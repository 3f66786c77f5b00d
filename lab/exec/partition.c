/* SPDX-License-Identifier: Apache-2.0 */

/* Divides a fabric among ranks. */

#include <config.h>

#include "lab/exec/partition.h"

#include <stdlib.h>
#include <string.h>

#include <metis.h>

#include "base/arena.h"
#include "base/check.h"
#include "lab/builder/experiment.h"

/* The most that a rank may have, in percent of the mean, for the sake of longer
 * windows; and what METIS aims at, in permille above the mean. */
enum { MOST_PERCENT = 115, AIM_PERMILLE = 30, UNREACHED = -1 };

/* Weights are whole numbers whose sum fits into one of METIS. */
#define WEIGHT_SUM 1e9

struct partition {
    const struct experiment *experiment;
    const struct topology *topology;
    struct arena *arena;
    uint32_t n_ranks;
    double *work;    /* Of nodes. */
    double *traffic; /* Of links. */

    uint32_t *parent; /* Of a node, in the group of those that stay together. */
    uint32_t *group;  /* Of a node: the number of its group. */
    uint32_t n_groups;
};

/* Work --------------------------------------------------------------------- */

/* The frames to one switch and its hosts. */
struct tide {
    double *frames; /* That wait at each switch. */
    int *distance;  /* Of each switch; UNREACHED. */
    uint32_t *order;
    uint32_t n;
};

/* Finds the switches from which 'to' can be reached, nearest first. */
static void
spread(const struct partition *partition, uint32_t to, struct tide *tide)
{
    const struct topology *topology = partition->topology;

    for (uint32_t i = 0; i < topology->n_switches; i++) {
        tide->distance[i] = UNREACHED;
        tide->frames[i] = 0;
    }
    tide->distance[to] = 0;
    tide->order[0] = to;
    tide->n = 1;
    for (uint32_t i = 0; i < tide->n; i++) {
        const uint32_t node = tide->order[i];

        for (uint32_t p = 0; p < topology->nodes[node].n_ports; p++) {
            const uint32_t peer = topology_port(topology, node, p)->peer;

            if (peer < topology->n_switches &&
                tide->distance[peer] == UNREACHED) {
                tide->distance[peer] = tide->distance[node] + 1;
                tide->order[tide->n++] = peer;
            }
        }
    }
}

/* Lets the frames that wait at 'node' take all shortest ways alike. */
static void
pass_on(struct partition *partition, uint32_t node, struct tide *tide)
{
    const struct topology *topology = partition->topology;
    const uint32_t n_ports = topology->nodes[node].n_ports;
    uint32_t n = 0;

    partition->work[node] += tide->frames[node];
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t p = 0; p < n_ports; p++) {
            const struct topology_port *port = topology_port(topology, node, p);

            if (port->peer >= topology->n_switches ||
                tide->distance[port->peer] != tide->distance[node] - 1) {
                continue;
            }
            n += turn == 0;
            if (turn == 1) {
                tide->frames[port->peer] += tide->frames[node] / n;
                partition->traffic[port->link] += tide->frames[node] / n;
            }
        }
    }
}

static int
by_switch(const void *a_, const void *b_, void *topology)
{
    const struct flow *a = *(const struct flow *const *)a_;
    const struct flow *b = *(const struct flow *const *)b_;
    const uint32_t x = topology_port(topology, a->destination, 0)->peer;
    const uint32_t y = topology_port(topology, b->destination, 0)->peer;

    return (x > y) - (x < y);
}

/* Estimates the work of nodes and the traffic of links. */
static void
estimate(struct partition *partition)
{
    const struct topology *topology = partition->topology;
    const struct flow_list *flows = &partition->experiment->flows;
    const struct flow **sorted =
        arena_alloc(partition->arena, flows->n + 1, sizeof(struct flow *));
    uint32_t *shares =
        arena_alloc(partition->arena, topology->n_nodes, sizeof *shares);
    const uint32_t n_switches = topology->n_switches;
    struct tide tide = {
        .frames = arena_alloc(partition->arena, n_switches, sizeof(double)),
        .distance = arena_alloc(partition->arena, n_switches, sizeof(int)),
        .order = arena_alloc(partition->arena, n_switches, sizeof(uint32_t))};

    memset(shares, 0, topology->n_nodes * sizeof *shares);
    for (size_t i = 0; i < flows->n; i++) {
        sorted[i] = &flows->flows[i];
        shares[sorted[i]->source]++;
    }
    if (flows->n) {
        qsort_r(sorted, flows->n, sizeof(struct flow *), by_switch,
                (void *)(uintptr_t)topology);
    }
    for (size_t i = 0, k; i < flows->n; i = k) {
        const uint32_t to =
            topology_port(topology, sorted[i]->destination, 0)->peer;

        spread(partition, to, &tide);
        for (k = i; k < flows->n && !by_switch(&sorted[i], &sorted[k],
                                               (void *)(uintptr_t)topology);
             k++) {
            const double frames = 1.0 / shares[sorted[k]->source];

            partition->work[sorted[k]->source] += frames;
            partition->work[sorted[k]->destination] += frames;
            tide.frames[topology_port(topology, sorted[k]->source, 0)->peer] +=
                frames;
        }
        for (uint32_t j = tide.n; j-- > 0;) {
            pass_on(partition, tide.order[j], &tide);
        }
    }
}

/* Groups ------------------------------------------------------------------- */

static uint32_t
root_of(struct partition *partition, uint32_t node)
{
    while (partition->parent[node] != node) {
        partition->parent[node] = partition->parent[partition->parent[node]];
        node = partition->parent[node];
    }
    return node;
}

/* Keeps together what links shorter than 'least_mm' join, and each host with
 * its switch if 'keeps_hosts'. */
static void
make_groups(struct partition *partition, uint64_t least_mm, bool keeps_hosts)
{
    const struct topology *topology = partition->topology;

    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        partition->parent[i] = i;
    }
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct topology_link *link = &topology->links[i];
        const bool has_host = topology->nodes[link->node[0]].is_host ||
                              topology->nodes[link->node[1]].is_host;

        if (has_host ? keeps_hosts : link->length_mm < least_mm) {
            partition->parent[root_of(partition, link->node[0])] =
                root_of(partition, link->node[1]);
        }
    }
    partition->n_groups = 0;
    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        if (root_of(partition, i) == i) {
            partition->group[i] = partition->n_groups++;
        }
    }
    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        partition->group[i] = partition->group[root_of(partition, i)];
    }
}

/* METIS -------------------------------------------------------------------- */

/* A graph as METIS reads it. */
struct graph {
    idx_t *first; /* Of each group: where its neighbors begin. */
    idx_t *neighbors, *traffic;
    idx_t *work;
};

static idx_t
scaled(double value, double sum)
{
    return 1 + (idx_t)(sum > 0 ? value / sum * WEIGHT_SUM : 0);
}

static double
sum_of(const double *values, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum;
}

/* Fills '*graph' with the groups.  Parallel edges are two edges. */
static void
make_graph(const struct partition *partition, struct graph *graph)
{
    const struct topology *topology = partition->topology;
    const double traffic = sum_of(partition->traffic, topology->n_links);
    const double work = sum_of(partition->work, topology->n_nodes);
    idx_t *next = check_calloc(partition->n_groups + 1, sizeof *next);

    graph->first = check_calloc(partition->n_groups + 2, sizeof *graph->first);
    graph->neighbors =
        check_calloc(2 * topology->n_links + 1, sizeof *graph->neighbors);
    graph->traffic =
        check_calloc(2 * topology->n_links + 1, sizeof *graph->traffic);
    graph->work = check_calloc(partition->n_groups + 1, sizeof *graph->work);
    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        graph->work[partition->group[i]] += scaled(partition->work[i], work);
    }
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < 2 * topology->n_links; i++) {
            const struct topology_link *link = &topology->links[i / 2];
            const uint32_t from = partition->group[link->node[i % 2]];
            const uint32_t to = partition->group[link->node[1 - i % 2]];

            if (from == to) {
                continue;
            }
            if (turn == 0) {
                graph->first[from + 1]++;
            } else {
                graph->neighbors[next[from]] = (idx_t)to;
                graph->traffic[next[from]++] =
                    scaled(partition->traffic[i / 2], 2 * traffic);
            }
        }
        for (uint32_t g = 0; turn == 0 && g < partition->n_groups; g++) {
            graph->first[g + 1] += graph->first[g];
            next[g] = graph->first[g];
        }
    }
    free(next);
}

/* Returns whether no rank has more than 'most_percent' of the mean of all
 * work. */
static bool
is_even(const struct partition *partition, const struct graph *graph,
        const idx_t *parts, unsigned int most_percent)
{
    double *work = check_calloc(partition->n_ranks, sizeof *work);
    double sum = 0, most = 0;

    for (uint32_t g = 0; g < partition->n_groups; g++) {
        work[parts[g]] += (double)graph->work[g];
        sum += (double)graph->work[g];
    }
    for (uint32_t r = 0; r < partition->n_ranks; r++) {
        most = work[r] > most ? work[r] : most;
    }
    free(work);
    return most * 100 <= sum / partition->n_ranks * most_percent;
}

/* Gives each rank without a group one of the rank that has most of them: METIS
 * leaves some without if there are few groups. */
static void
fill_ranks(const struct partition *partition, idx_t *parts)
{
    uint32_t *n = check_calloc(partition->n_ranks, sizeof *n);

    for (uint32_t g = 0; g < partition->n_groups; g++) {
        n[parts[g]]++;
    }
    for (uint32_t r = 0; r < partition->n_ranks; r++) {
        uint32_t richest = 0, g = 0;

        if (n[r]) {
            continue;
        }
        for (uint32_t i = 1; i < partition->n_ranks; i++) {
            richest = n[i] > n[richest] ? i : richest;
        }
        while (parts[g] != (idx_t)richest) {
            g++;
        }
        parts[g] = (idx_t)r;
        n[r]++;
        n[richest]--;
    }
    free(n);
}

/* Divides the groups, and stores the ranks of nodes if that comes out even. */
static bool
divide(struct partition *partition, unsigned int most_percent, uint32_t *owners)
{
    idx_t n = (idx_t)partition->n_groups, one = 1;
    idx_t n_parts = (idx_t)partition->n_ranks, cut;
    idx_t options[METIS_NOPTIONS];
    idx_t *parts;
    struct graph graph;
    bool is_good;

    if (partition->n_groups < partition->n_ranks) {
        return false;
    }
    make_graph(partition, &graph);
    parts = check_calloc(partition->n_groups, sizeof *parts);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_UFACTOR] = AIM_PERMILLE;
    is_good = METIS_PartGraphKway(&n, &one, graph.first, graph.neighbors,
                                  graph.work, NULL, graph.traffic, &n_parts,
                                  NULL, NULL, options, &cut, parts) == METIS_OK;
    if (is_good) {
        fill_ranks(partition, parts);
        is_good =
            !most_percent || is_even(partition, &graph, parts, most_percent);
    }
    for (uint32_t i = 0; is_good && i < partition->topology->n_nodes; i++) {
        owners[i] = (uint32_t)parts[partition->group[i]];
    }
    free(graph.first);
    free(graph.neighbors);
    free(graph.traffic);
    free(graph.work);
    free(parts);
    return is_good;
}

/* Returns the greatest length of links between switches below 'below_mm', 0 if
 * there is none. */
static uint64_t
longest_below(const struct topology *topology, uint64_t below_mm)
{
    uint64_t longest = 0;

    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct topology_link *link = &topology->links[i];

        if (!topology->nodes[link->node[0]].is_host &&
            link->length_mm < below_mm && link->length_mm > longest) {
            longest = link->length_mm;
        }
    }
    return longest;
}

bool
partition_make(const struct experiment *experiment, uint32_t n_ranks,
               struct arena *arena, uint32_t *owners)
{
    const struct topology *topology = &experiment->topology;
    const uint32_t n = topology->n_nodes;
    struct partition partition = {
        .experiment = experiment,
        .topology = topology,
        .arena = arena,
        .n_ranks = n_ranks,
        .work = arena_alloc(arena, n, sizeof(double)),
        .traffic = arena_alloc(arena, topology->n_links, sizeof(double)),
        .parent = arena_alloc(arena, n, sizeof(uint32_t)),
        .group = arena_alloc(arena, n, sizeof(uint32_t))};
    uint64_t least_mm = longest_below(topology, UINT64_MAX);

    memset(partition.work, 0, n * sizeof(double));
    memset(partition.traffic, 0, topology->n_links * sizeof(double));
    estimate(&partition);
    for (; least_mm; least_mm = longest_below(topology, least_mm)) {
        make_groups(&partition, least_mm, true);
        if (divide(&partition, MOST_PERCENT, owners)) {
            return true;
        }
    }
    for (int keeps_hosts = 1; keeps_hosts >= 0; keeps_hosts--) {
        make_groups(&partition, 0, keeps_hosts);
        if (divide(&partition, 0, owners)) {
            return true;
        }
    }
    return false;
}
