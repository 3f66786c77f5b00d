/* SPDX-License-Identifier: Apache-2.0 */

/* Cycles of small graphs, and of random ones against a slow search. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/digraph.h"
#include "base/random.h"

enum { MOST = 12 };

static void
test_no_edge_no_cycle(void **state)
{
    struct digraph *graph = digraph_create(3);
    uint32_t cycle[3];

    (void)state;
    assert_int_equal(digraph_find_cycle(graph, cycle), 0);
    digraph_destroy(graph);
    graph = digraph_create(0);
    assert_int_equal(digraph_find_cycle(graph, cycle), 0);
    digraph_destroy(graph);
    digraph_destroy(NULL);
}

static void
test_a_diamond_has_none(void **state)
{
    struct digraph *graph = digraph_create(4);
    uint32_t cycle[4];

    (void)state;
    digraph_add(graph, 3, 1);
    digraph_add(graph, 3, 2);
    digraph_add(graph, 1, 0);
    digraph_add(graph, 2, 0);
    digraph_add(graph, 2, 0);
    assert_int_equal(digraph_n_edges(graph), 4);
    assert_int_equal(digraph_find_cycle(graph, cycle), 0);
    digraph_destroy(graph);
}

static void
test_the_shortest_cycle_from_its_smallest_vertex(void **state)
{
    /* 0 -> 1 -> 2 -> 3 -> 0, and 5 -> 4 -> 6 -> 5 behind it. */
    static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0},
                                        {3, 5}, {5, 4}, {4, 6}, {6, 5}};
    static const uint32_t expected[] = {4, 6, 5};
    struct digraph *graph = digraph_create(7);
    uint32_t cycle[7];

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        digraph_add(graph, edges[i][0], edges[i][1]);
    }
    assert_int_equal(digraph_find_cycle(graph, cycle), 3);
    assert_memory_equal(cycle, expected, sizeof expected);
    /* One from a vertex to itself is shorter, also when added later. */
    digraph_add(graph, 2, 2);
    assert_int_equal(digraph_find_cycle(graph, cycle), 1);
    assert_int_equal(cycle[0], 2);
    digraph_destroy(graph);
}

/* Returns the length of the shortest cycle by the powers of the matrix. */
static uint32_t
shortest(bool edges[MOST][MOST], uint32_t n)
{
    bool walks[MOST][MOST], next[MOST][MOST];

    memcpy(walks, edges, sizeof walks);
    for (uint32_t length = 1; length <= n; length++) {
        for (uint32_t i = 0; i < n; i++) {
            if (walks[i][i]) {
                return length;
            }
        }
        memset(next, 0, sizeof next);
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t k = 0; k < n; k++) {
                for (uint32_t j = 0; walks[i][k] && j < n; j++) {
                    next[i][j] = next[i][j] || edges[k][j];
                }
            }
        }
        memcpy(walks, next, sizeof walks);
    }
    return 0;
}

static void
test_random_graphs(void **state)
{
    unsigned int n_cyclic = 0, n_acyclic = 0;
    struct random random;

    (void)state;
    random_init(&random, 1);
    for (int round = 0; round < 5000; round++) {
        const uint32_t n = 1 + (uint32_t)random_below(&random, MOST);
        const uint32_t n_edges = (uint32_t)random_below(&random, 2 * n);
        bool edges[MOST][MOST] = {{false}};
        struct digraph *graph = digraph_create(n);
        uint32_t cycle[MOST], length;

        for (uint32_t i = 0; i < n_edges; i++) {
            const uint32_t from = (uint32_t)random_below(&random, n);
            const uint32_t to = (uint32_t)random_below(&random, n);

            edges[from][to] = true;
            digraph_add(graph, from, to);
        }
        length = digraph_find_cycle(graph, cycle);
        assert_int_equal(length, shortest(edges, n));
        for (uint32_t i = 0; i < length; i++) {
            assert_true(edges[cycle[i]][cycle[(i + 1) % length]]);
            assert_true(cycle[i] >= cycle[0]);
        }
        n_cyclic += length > 1;
        n_acyclic += length == 0;
        digraph_destroy(graph);
    }
    assert_true(n_cyclic > 200 && n_acyclic > 200);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_edge_no_cycle),
        cmocka_unit_test(test_a_diamond_has_none),
        cmocka_unit_test(test_the_shortest_cycle_from_its_smallest_vertex),
        cmocka_unit_test(test_random_graphs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
