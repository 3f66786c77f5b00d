/* SPDX-License-Identifier: Apache-2.0 */

/* PCIe switches: times to the picosecond, shares, and credits that never get
 * lost in random trees. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "twin/event/engine.h"
#include "twin/nic/pcie_tree.h"

enum {
    MAX_ADAPTERS = 16,
    MAX_PACKETS = 300,
    MOST_BYTES = 9000,
    SEEDS = 200,
};

#define NS INT64_C(1000)

/* An adapter that sends packets of the given lengths as fast as it may. */
struct source {
    struct engine *engine;
    struct pcie_tree *tree;
    uint32_t link;
    uint32_t number;
    uint32_t bytes[MAX_PACKETS];
    uint32_t n, n_sent, n_arrived;
    uint64_t arrived_bytes;
    int64_t arrived_ps[MAX_PACKETS];
};

static void
send_next(struct source *source)
{
    const uint32_t next = source->n_sent;

    if (next < source->n &&
        pcie_tree_can_send(source->tree, source->link, source->bytes[next])) {
        source->n_sent++;
        pcie_tree_send(source->tree, source->link, source->number << 16 | next,
                       source->bytes[next]);
    }
}

static void
on_left(void *context, int64_t now_ps)
{
    (void)now_ps;
    send_next(context);
}

/* In the order of sending. */
static void
on_delivered(void *context, uint32_t packet, int64_t now_ps)
{
    struct source *source = context;

    assert_int_equal(packet, source->number << 16 | source->n_arrived);
    source->arrived_ps[source->n_arrived] = now_ps;
    source->arrived_bytes += source->bytes[source->n_arrived++];
}

/* Attaches 'source', which sends 'n' packets of 'bytes' (0: what it has). */
static void
attach(struct engine *engine, struct pcie_tree *tree,
       const struct pcie_link_config *config, struct source *source,
       uint32_t number, uint32_t n, uint32_t bytes)
{
    const struct pcie_adapter adapter = {on_left, on_left, on_delivered,
                                         source};

    source->engine = engine;
    source->tree = tree;
    source->number = number;
    source->n = n;
    for (uint32_t i = 0; bytes && i < n; i++) {
        source->bytes[i] = bytes;
    }
    assert_int_equal(
        pcie_tree_add_adapter(tree, config, &adapter, &source->link), ST_OK);
}

/* Two links of 80 Gb/s, 100 ps per byte, with 50 ns each; the lower one has
 * credits for two packets. */
static void
test_packets_wait_for_credits(void **state)
{
    /* Sent at 0, 100 and 300 ns: the switch has sent the first at 250, and its
     * credits are back 50 ns later.  Each is in memory after 300 ns more. */
    static const int64_t arrives_ps[] = {300 * NS, 400 * NS, 600 * NS};
    const struct pcie_link_config up = {PCIE_MEMORY, UINT64_C(80000000000),
                                        50 * NS, 10000};
    struct pcie_link_config low = {0, UINT64_C(80000000000), 50 * NS, 2000};
    struct engine *engine = engine_create();
    struct pcie_tree *tree = pcie_tree_create(engine, 1);
    struct source source = {0};
    struct pcie_link_stats stats;

    (void)state;
    assert_int_equal(pcie_tree_add_switch(tree, &up, &low.above), ST_OK);
    attach(engine, tree, &low, &source, 0, 3, 1000);
    send_next(&source);
    engine_run_until(engine, 10000 * NS);
    assert_int_equal(source.n_arrived, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(source.arrived_ps[i], arrives_ps[i]);
    }
    pcie_tree_get_link(tree, low.above, &stats);
    assert_int_equal(stats.packets, 3);
    assert_int_equal(stats.busy_ps, 300 * NS);
    assert_int_equal(pcie_tree_above(tree, source.link), low.above);
    pcie_tree_destroy(tree);
    engine_destroy(engine);
}

/* The same links, where the upper one has credits for one packet. */
static void
test_switches_wait_for_credits(void **state)
{
    /* At the switch after 150, 250 and 350 ns; credits for the next one are
     * back 200 ns after the switch began to send one. */
    static const int64_t arrives_ps[] = {300 * NS, 500 * NS, 700 * NS};
    const struct pcie_link_config up = {PCIE_MEMORY, UINT64_C(80000000000),
                                        50 * NS, 1000};
    struct pcie_link_config low = {0, UINT64_C(80000000000), 50 * NS, 10000};
    struct engine *engine = engine_create();
    struct pcie_tree *tree = pcie_tree_create(engine, 1);
    struct source source = {0};

    (void)state;
    assert_int_equal(pcie_tree_add_switch(tree, &up, &low.above), ST_OK);
    attach(engine, tree, &low, &source, 0, 3, 1000);
    send_next(&source);
    engine_run_until(engine, 10000 * NS);
    assert_int_equal(source.n_arrived, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(source.arrived_ps[i], arrives_ps[i]);
    }
    pcie_tree_destroy(tree);
    engine_destroy(engine);
}

/* A byte takes 2,666 2/3 ps. */
static void
test_fractions_of_picoseconds_are_carried(void **state)
{
    const struct pcie_link_config link = {PCIE_MEMORY, UINT64_C(3000000000), 0,
                                          1000};
    struct engine *engine = engine_create();
    struct pcie_tree *tree = pcie_tree_create(engine, 1);
    struct source source = {0};

    (void)state;
    attach(engine, tree, &link, &source, 0, 30, 1);
    send_next(&source);
    engine_run_until(engine, 10000 * NS);
    assert_int_equal(source.n_arrived, 30);
    assert_int_equal(source.arrived_ps[29], 80 * NS);
    pcie_tree_destroy(tree);
    engine_destroy(engine);
}

/* Two adapters behind one switch get half of its link each; one behind another
 * switch has a link of its own. */
static void
test_adapters_of_a_switch_take_turns(void **state)
{
    struct pcie_link_config up = {PCIE_MEMORY, UINT64_C(80000000000), 10 * NS,
                                  10000};
    struct engine *engine = engine_create();
    struct pcie_tree *tree = pcie_tree_create(engine, 1);
    static struct source sources[3];
    uint32_t switches[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(pcie_tree_add_switch(tree, &up, &switches[i]), ST_OK);
    }
    for (uint32_t i = 0; i < 3; i++) {
        up.above = switches[i / 2];
        attach(engine, tree, &up, &sources[i], i, MAX_PACKETS, 1000);
        send_next(&sources[i]);
    }
    engine_run_until(engine, 20000 * NS);
    assert_in_range(sources[0].n_arrived, 98, 100);
    assert_in_range(sources[1].n_arrived, 98, 100);
    assert_in_range(sources[2].n_arrived, 197, 200);
    assert_null(pcie_tree_check(tree));
    pcie_tree_destroy(tree);
    engine_destroy(engine);
}

/* Random trees, packets and times: nothing is lost, nothing overtakes, credits
 * add up at every instant. */
static void
test_credits_are_conserved(void **state)
{
    static struct source sources[MAX_ADAPTERS];

    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct engine *engine = engine_create();
        struct pcie_tree *tree = pcie_tree_create(engine, 1);
        struct random random;
        uint32_t n_switches, n_adapters, link;

        random_init(&random, seed);
        n_switches = 1 + (uint32_t)random_below(&random, 8);
        n_adapters = 1 + (uint32_t)random_below(&random, MAX_ADAPTERS);
        for (uint32_t i = 0; i < n_switches + n_adapters; i++) {
            const struct pcie_link_config config = {
                .above = i == 0 || (i < n_switches && i % 3 == 0)
                             ? PCIE_MEMORY
                             : (uint32_t)random_below(
                                   &random, i < n_switches ? i : n_switches),
                .bits_per_s = 1 + random_below(&random, UINT64_C(400000000000)),
                .latency_ps = (int64_t)random_below(&random, 1000000),
                .credit_bytes =
                    MOST_BYTES + (uint32_t)random_below(&random, 30000)};
            struct source *source =
                i < n_switches ? NULL : &sources[i - n_switches];

            if (!source) {
                assert_int_equal(pcie_tree_add_switch(tree, &config, &link),
                                 ST_OK);
                continue;
            }
            *source = (struct source){0};
            for (uint32_t k = 0; k < MAX_PACKETS; k++) {
                source->bytes[k] =
                    1 + (uint32_t)random_below(&random, MOST_BYTES);
            }
            attach(engine, tree, &config, source, i - n_switches,
                   (uint32_t)random_below(&random, MAX_PACKETS), 0);
            send_next(source);
        }
        for (int64_t t_ps = 0; t_ps < 100000 * NS; t_ps += 700 * NS) {
            engine_run_until(engine, t_ps);
            assert_null(pcie_tree_check(tree));
        }
        /* A link may have only some bit/s. */
        if (seed % 2) {
            uint64_t n_inside = 0, n_taken = 0, bytes;

            for (uint32_t i = 0; i < n_adapters; i++) {
                uint64_t packets;

                pcie_tree_held(tree, sources[i].link, &packets, &bytes);
                n_inside += packets;
            }
            while (pcie_tree_take(tree, &link)) {
                n_taken++;
            }
            assert_int_equal(n_taken, n_inside);
        } else {
            engine_run_until(engine, INT64_MAX / 2);
            assert_null(pcie_tree_check(tree));
            for (uint32_t i = 0; i < n_adapters; i++) {
                assert_int_equal(sources[i].n_arrived, sources[i].n);
            }
        }
        pcie_tree_destroy(tree);
        engine_destroy(engine);
    }
}

static void
test_ranges_are_checked(void **state)
{
    const struct pcie_link_config good = {PCIE_MEMORY, 1, 0, MOST_BYTES};
    struct pcie_link_config bad[3] = {good, good, good};
    struct engine *engine = engine_create();
    struct pcie_tree *tree = pcie_tree_create(engine, 1);
    static struct source source;
    uint32_t link;

    (void)state;
    attach(engine, tree, &good, &source, 0, 0, 0);
    bad[0].bits_per_s = 0;
    bad[1].latency_ps = -1;
    bad[2].above = source.link; /* Not a switch. */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(pcie_tree_add_switch(tree, &bad[i], &link),
                         ST_INVALID);
    }
    for (uint32_t n = 1; n < PCIE_MAX_LINKS; n++) {
        assert_int_equal(pcie_tree_add_switch(tree, &good, &link), ST_OK);
    }
    assert_int_equal(pcie_tree_add_switch(tree, &good, &link), ST_NO_RESOURCE);
    pcie_tree_destroy(tree);
    engine_destroy(engine);
    pcie_tree_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets_wait_for_credits),
        cmocka_unit_test(test_switches_wait_for_credits),
        cmocka_unit_test(test_fractions_of_picoseconds_are_carried),
        cmocka_unit_test(test_adapters_of_a_switch_take_turns),
        cmocka_unit_test(test_credits_are_conserved),
        cmocka_unit_test(test_ranges_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
