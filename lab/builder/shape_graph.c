/* SPDX-License-Identifier: Apache-2.0 */

/* Makes the nodes and links of a graph, whose file lists them in any order. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "lab/builder/shape.h"

/* Compares two runs of digits of any length, and moves behind them. */
static int
compare_numbers(const char **a, const char **b)
{
    size_t length, other;
    int result;

    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    length = strspn(*a, "0123456789");
    other = strspn(*b, "0123456789");
    result =
        length != other ? (length < other ? -1 : 1) : strncmp(*a, *b, length);
    *a += length;
    *b += other;
    return result;
}

int
shape_compare_names(const char *a, const char *b)
{
    const char *whole_a = a, *whole_b = b;

    while (*a && *b) {
        bool digits = *a >= '0' && *a <= '9' && *b >= '0' && *b <= '9';
        int result = digits ? compare_numbers(&a, &b)
                            : (unsigned char)*a - (unsigned char)*b;

        if (result) {
            return result;
        }
        if (!digits) {
            a++;
            b++;
        }
    }
    if (*a || *b) {
        return *a ? 1 : -1;
    }
    /* "a01" and "a1". */
    return strcmp(whole_a, whole_b);
}

/* Switches from the upper tiers down, then hosts; by name. */
static int
compare_nodes(const void *left, const void *right)
{
    const struct topology_node *a = left, *b = right;

    if (a->tier != b->tier) {
        return a->tier > b->tier ? -1 : 1;
    }
    return shape_compare_names(a->name, b->name);
}

static int
compare_by_name(const void *left, const void *right)
{
    const struct topology_node *const *a = left, *const *b = right;

    return strcmp((*a)->name, (*b)->name);
}

/* What finding nodes by name needs. */
struct graph {
    const char *file;
    struct topology *topology;
    struct topology_node **by_name;
    struct err *err;
};

/* Sorts the nodes by name and checks that each name is there once. */
static enum st
sort_names(struct graph *graph, struct arena *arena)
{
    uint32_t n = graph->topology->n_nodes;

    graph->by_name = arena_alloc(arena, n + 1, sizeof *graph->by_name);
    for (uint32_t i = 0; i < n; i++) {
        graph->by_name[i] = &graph->topology->nodes[i];
    }
    qsort(graph->by_name, n, sizeof *graph->by_name, compare_by_name);
    for (uint32_t i = 1; i < n; i++) {
        const struct topology_node *node = graph->by_name[i];

        if (!strcmp(graph->by_name[i - 1]->name, node->name)) {
            return err_set(graph->err, ST_INVALID, "topology",
                           "%s:%u:%u: two nodes are called '%s'", graph->file,
                           node->place.line, node->place.column, node->name);
        }
    }
    return ST_OK;
}

/* Stores the number of the node called 'name'. */
static enum st
find_node(const struct graph *graph, const struct graph_link *link,
          const char *name, uint32_t *number)
{
    const struct topology_node key = {.name = name}, *wanted = &key;
    struct topology_node **found =
        bsearch(&wanted, graph->by_name, graph->topology->n_nodes,
                sizeof *graph->by_name, compare_by_name);
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];

    if (found) {
        *number = (uint32_t)(*found - graph->topology->nodes);
        return ST_OK;
    }
    nearest_init(&nearest, name, strlen(name));
    for (uint32_t i = 0; i < graph->topology->n_nodes; i++) {
        nearest_try(&nearest, graph->topology->nodes[i].name);
    }
    return err_set(graph->err, ST_INVALID, "topology",
                   "%s:%u:%u: there is no switch or host '%s'%s", graph->file,
                   link->place.line, link->place.column, name,
                   nearest_hint(&nearest, hint));
}

/* Adds the link with its parallel ones. */
static enum st
add_link(const struct graph *graph, const struct graph_link *link)
{
    struct topology *topology = graph->topology;
    const char *wrong = NULL;
    uint32_t ends[2] = {0, 0};
    enum st st = find_node(graph, link, link->ends[0], &ends[0]);

    if (!st) {
        st = find_node(graph, link, link->ends[1], &ends[1]);
    }
    if (st) {
        return st;
    }
    if (ends[0] == ends[1]) {
        wrong = "a link of a node with itself";
    } else if (topology->nodes[ends[0]].is_host &&
               topology->nodes[ends[1]].is_host) {
        wrong = "a link between two hosts; connect them to a switch";
    } else if ((link->macsec || link->credits) &&
               (topology->nodes[ends[0]].is_host ||
                topology->nodes[ends[1]].is_host)) {
        wrong = link->macsec ? "'macsec' is for links between switches"
                             : "'credits' is for links between switches";
    } else if (topology->n_links + (uint64_t)link->parallel >
               FABRIC_LINKS_MAX) {
        wrong = "too many links";
    }
    if (wrong) {
        return err_set(graph->err, ST_INVALID, "topology", "%s:%u:%u: %s",
                       graph->file, link->place.line, link->place.column,
                       wrong);
    }
    for (int64_t i = 0; i < link->parallel; i++) {
        topology->links[topology->n_links++] = (struct topology_link){
            .node = {ends[0] > ends[1] ? ends[0] : ends[1],
                     ends[0] > ends[1] ? ends[1] : ends[0]},
            .rate_bps = (uint64_t)link->rate_bps,
            .length_mm = (uint64_t)link->length_mm,
            .macsec = link->macsec,
            .credits = link->credits,
            .errors = link->errors,
            .is_swapped = ends[0] < ends[1],
        };
    }
    return ST_OK;
}

/* Checks that each host has one link. */
static enum st
check_hosts(const struct graph *graph, struct arena *arena)
{
    const struct topology *topology = graph->topology;
    uint32_t *n = arena_alloc(arena, topology->n_nodes + 1, sizeof *n);

    for (uint32_t i = 0; i < topology->n_links; i++) {
        n[topology->links[i].node[0]]++;
    }
    for (uint32_t i = topology->n_switches; i < topology->n_nodes; i++) {
        const struct topology_node *node = &topology->nodes[i];

        if (n[i] != 1) {
            return err_set(graph->err, ST_INVALID, "topology",
                           "%s:%u:%u: host '%s' has %u links; it needs one",
                           graph->file, node->place.line, node->place.column,
                           node->name, n[i]);
        }
    }
    return ST_OK;
}

static void
add_nodes(const struct fabric_spec *spec, struct topology *topology)
{
    for (size_t i = 0; i < spec->n_switches; i++) {
        const struct graph_switch *item = &spec->switches[i];

        topology->has_tiers = item->tier >= 0;
        topology->nodes[topology->n_nodes++] = (struct topology_node){
            .name = item->name,
            .role = item->role,
            .tier = (int8_t)(item->tier >= 0 ? item->tier : 0),
            .dc = -1,
            .podset = -1,
            .index = -1,
            .place = item->place,
        };
    }
    for (size_t i = 0; i < spec->n_hosts; i++) {
        topology->nodes[topology->n_nodes++] = (struct topology_node){
            .name = spec->hosts[i].name,
            .role = "host",
            .is_host = true,
            .tier = TOPOLOGY_HOST_TIER,
            .dc = -1,
            .podset = -1,
            .index = -1,
            .place = spec->hosts[i].place,
        };
    }
    topology->n_switches = (uint32_t)spec->n_switches;
    topology->n_hosts = (uint32_t)spec->n_hosts;
    qsort(topology->nodes, topology->n_nodes, sizeof *topology->nodes,
          compare_nodes);
}

/* Returns how many links there are with the parallel ones, at most one too
 * many. */
static size_t
count_links(const struct fabric_spec *spec)
{
    size_t n = 0;

    for (size_t i = 0; i < spec->n_links && n <= FABRIC_LINKS_MAX; i++) {
        n += (size_t)spec->links[i].parallel;
    }
    return n < FABRIC_LINKS_MAX ? n : FABRIC_LINKS_MAX;
}

enum st
shape_graph(const struct fabric_spec *spec, const char *file,
            struct arena *arena, struct topology *topology, struct err *err)
{
    struct graph graph = {.file = file, .topology = topology, .err = err};
    enum st st;

    if (spec->n_switches > FABRIC_SWITCHES_MAX ||
        spec->n_hosts > FABRIC_HOSTS_MAX) {
        return err_set(err, ST_INVALID, "topology",
                       "%s:%u:%u: the graph has more than %d switches or %d "
                       "hosts",
                       file, spec->place.line, spec->place.column,
                       FABRIC_SWITCHES_MAX, FABRIC_HOSTS_MAX);
    }
    topology->nodes = arena_alloc(arena, spec->n_switches + spec->n_hosts + 1,
                                  sizeof *topology->nodes);
    topology->links =
        arena_alloc(arena, count_links(spec) + 1, sizeof *topology->links);
    add_nodes(spec, topology);
    st = sort_names(&graph, arena);
    for (size_t i = 0; !st && i < spec->n_links; i++) {
        st = add_link(&graph, &spec->links[i]);
    }
    return st ? st : check_hosts(&graph, arena);
}
