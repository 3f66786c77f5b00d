/* SPDX-License-Identifier: Apache-2.0 */

/* A directed graph, and the shortest of its cycles. */

#include <config.h>

#include "base/digraph.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

#define NONE UINT32_MAX

struct edge {
    uint32_t from, to;
};

struct digraph {
    uint32_t n;
    struct edge *edges; /* Sorted and distinct once 'first' is there. */
    size_t n_edges, size;
    /* The edges of vertex i are 'edges[first[i]]' to 'edges[first[i + 1] - 1]';
     * NULL: edges were added since. */
    size_t *first;
};

struct digraph *
digraph_create(uint32_t n)
{
    struct digraph *graph = check_calloc(1, sizeof *graph);

    graph->n = n;
    return graph;
}

void
digraph_destroy(struct digraph *graph)
{
    if (graph) {
        free(graph->first);
        free(graph->edges);
        free(graph);
    }
}

void
digraph_add(struct digraph *graph, uint32_t from, uint32_t to)
{
    orch_assert(from < graph->n && to < graph->n);
    free(graph->first);
    graph->first = NULL;
    if (graph->n_edges == graph->size) {
        graph->size = graph->size ? 2 * graph->size : 64;
        graph->edges =
            check_realloc(graph->edges, graph->size * sizeof *graph->edges);
    }
    graph->edges[graph->n_edges++] = (struct edge){from, to};
}

static int
compare(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;

    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

/* Sorts the edges, removes repeated ones, and finds those of each vertex. */
static void
arrange(struct digraph *graph)
{
    size_t n = 0;

    if (graph->first) {
        return;
    }
    if (graph->n_edges) {
        qsort(graph->edges, graph->n_edges, sizeof *graph->edges, compare);
    }
    for (size_t i = 0; i < graph->n_edges; i++) {
        if (i == 0 || compare(&graph->edges[i], &graph->edges[n - 1]) != 0) {
            graph->edges[n++] = graph->edges[i];
        }
    }
    graph->n_edges = n;
    graph->first = check_calloc(graph->n + (size_t)1, sizeof *graph->first);
    for (size_t i = 0; i < n; i++) {
        graph->first[graph->edges[i].from + (size_t)1]++;
    }
    for (uint32_t v = 0; v < graph->n; v++) {
        graph->first[v + (size_t)1] += graph->first[v];
    }
}

uint32_t
digraph_n_edges(struct digraph *graph)
{
    arrange(graph);
    return (uint32_t)graph->n_edges;
}

/* Memory of a search, each with an entry per vertex. */
struct search {
    bool *left;       /* It can be part of a cycle. */
    uint32_t *before; /* The vertex from which it was reached. */
    uint32_t *depth;  /* How far it is from the start; NONE: not reached. */
    uint32_t *queue;
};

/* Marks what remains when vertices without a predecessor are removed. */
static void
peel(const struct digraph *graph, struct search *search)
{
    uint32_t *counts = search->depth;
    uint32_t n = 0;

    memset(counts, 0, graph->n * sizeof *counts);
    for (size_t i = 0; i < graph->n_edges; i++) {
        counts[graph->edges[i].to]++;
    }
    for (uint32_t v = 0; v < graph->n; v++) {
        search->left[v] = counts[v] > 0;
        if (!search->left[v]) {
            search->queue[n++] = v;
        }
    }
    while (n) {
        const uint32_t v = search->queue[--n];

        for (size_t i = graph->first[v]; i < graph->first[v + (size_t)1]; i++) {
            const uint32_t to = graph->edges[i].to;

            if (--counts[to] == 0) {
                search->left[to] = false;
                search->queue[n++] = to;
            }
        }
    }
}

/* Searches in width from 'start', among what is left and not smaller, for a
 * cycle shorter than 'most'.  Returns its length, 0 if there is none; 'before'
 * then leads back from its last vertex, '*last'. */
static uint32_t
search_from(const struct digraph *graph, struct search *search, uint32_t start,
            uint32_t most, uint32_t *last)
{
    uint32_t *depth = search->depth, *queue = search->queue;
    uint32_t head = 0, n = 0;

    memset(depth, 0xff, graph->n * sizeof *depth);
    depth[start] = 0;
    queue[n++] = start;
    while (head < n && depth[queue[head]] + 1 < most) {
        const uint32_t v = queue[head++];

        for (size_t i = graph->first[v]; i < graph->first[v + (size_t)1]; i++) {
            const uint32_t to = graph->edges[i].to;

            if (to == start) {
                *last = v;
                return depth[v] + 1;
            }
            if (to > start && search->left[to] && depth[to] == NONE) {
                depth[to] = depth[v] + 1;
                search->before[to] = v;
                queue[n++] = to;
            }
        }
    }
    return 0;
}

uint32_t
digraph_find_cycle(struct digraph *graph, uint32_t *cycle)
{
    const size_t n = graph->n + (size_t)1;
    struct search search = {
        .left = check_calloc(n, sizeof *search.left),
        .before = check_calloc(n, sizeof *search.before),
        .depth = check_calloc(n, sizeof *search.depth),
        .queue = check_calloc(n, sizeof *search.queue),
    };
    uint32_t length = 0, last = NONE;

    arrange(graph);
    peel(graph, &search);
    for (uint32_t v = 0; v < graph->n; v++) {
        const uint32_t found =
            search.left[v]
                ? search_from(graph, &search, v, length ? length : NONE, &last)
                : 0;

        if (found) {
            length = found;
            for (uint32_t i = found, at = last; i-- > 0;
                 at = search.before[at]) {
                cycle[i] = at;
            }
        }
    }
    free(search.left);
    free(search.before);
    free(search.depth);
    free(search.queue);
    return length;
}
