/* SPDX-License-Identifier: Apache-2.0 */

/* How a fabric is divided into lanes.  That this changes no result is shown by
 * tests/unit/test_lanes and tests/property/test_lab_lanes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/fat_tree.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/link/llr.h"

enum { K = 4, N_PORTS = 20 * K + 16 };

/* A fat tree of 20 switches and 16 hosts, with cables of 'length_m'. */
static void
make_tree(struct fat_tree *tree, const struct chip *chip, uint32_t length_m)
{
    struct fat_tree_config config = {.setup = {.chip = chip,
                                               .n_ports = K,
                                               .speed_mbps = 100000,
                                               .dynamic_th = -3,
                                               .reserved_bytes = 2000,
                                               .headroom_bytes = 60000,
                                               .xon_offset_bytes = 4000},
                                     .length_m = length_m,
                                     .seed = 1};

    nic_config_init(&config.nic, 100000);
    fat_tree_init(tree, &config);
}

static struct chip *
load_chip(struct chip **whole)
{
    struct chip *chip = NULL;
    struct err err = {0};

    assert_int_equal(chip_file_load(CHIPS_DIR, "th", whole, &err), ST_OK);
    assert_int_equal(chip_file_vary(*whole, "ports: 4\ndefault_ports: 4\n",
                                    "test", &chip, &err),
                     ST_OK);
    return chip;
}

/* Returns the lane of host 'i'. */
static uint8_t
lane_of_host(const struct fat_tree *tree, uint32_t i)
{
    return engine_lane(fabric_engine(tree->fabric), nic_entity(tree->nics[i]));
}

static void
test_as_many_lanes_as_asked_for(void **state)
{
    static const uint32_t lanes[] = {2, 3, 7, 36};
    struct chip *whole;
    struct chip *chip = load_chip(&whole);

    (void)state;
    for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++) {
        const struct engine *engine;
        struct fat_tree tree;
        uint32_t sizes[37] = {0};

        make_tree(&tree, chip, 200);
        engine = fabric_engine(tree.fabric);
        assert_int_equal(fabric_divide(tree.fabric, lanes[i]), lanes[i]);
        assert_int_equal(engine_lookahead_ps(engine), 1000000);
        assert_int_equal(engine_lane(engine, 0), ENGINE_COMMON);
        for (uint32_t s = 0; s < tree.n_switches; s++) {
            const uint32_t entity = sim_entity(tree.switches[s]);

            sizes[engine_lane(engine, entity)] += K;
            for (uint32_t port = 1; port < K; port++) {
                assert_int_equal(engine_lane(engine, entity + port),
                                 engine_lane(engine, entity));
            }
        }
        for (uint32_t host = 0; host < tree.n_hosts; host++) {
            sizes[lane_of_host(&tree, host)]++;
        }
        assert_int_equal(sizes[ENGINE_COMMON], 0);
        for (uint32_t lane = 1; lane <= lanes[i]; lane++) {
            assert_in_range(sizes[lane], 1, N_PORTS / lanes[i] + K);
        }
        fat_tree_fini(&tree);
    }
    chip_file_destroy(chip);
    chip_file_destroy(whole);
}

static void
test_what_stays_in_one_piece(void **state)
{
    struct chip *whole;
    struct chip *chip = load_chip(&whole);
    struct fat_tree tree;
    struct nic *loop;

    (void)state;
    /* It is small. */
    make_tree(&tree, chip, 200);
    assert_int_equal(fabric_divide(tree.fabric, 0), 1);
    assert_int_equal(engine_lookahead_ps(fabric_engine(tree.fabric)), 0);
    fat_tree_fini(&tree);
    /* 95 ns. */
    make_tree(&tree, chip, 19);
    assert_int_equal(fabric_divide(tree.fabric, 4), 1);
    fat_tree_fini(&tree);
    /* An adapter that sends to itself. */
    make_tree(&tree, chip, 200);
    assert_int_equal(fabric_add_loop(tree.fabric, tree.nics[0], 0, &loop),
                     ST_OK);
    assert_int_equal(fabric_divide(tree.fabric, 4), 1);
    fat_tree_fini(&tree);
    chip_file_destroy(chip);
    chip_file_destroy(whole);
}

/* Both ends of a link with link-level retry share its state. */
static void
test_ends_of_links_with_retry_stay_together(void **state)
{
    struct chip *whole;
    struct chip *chip = load_chip(&whole);
    struct fat_tree tree;
    uint32_t apart = 0;

    (void)state;
    for (int has_llr = 0; has_llr < 2; has_llr++) {
        const struct engine *engine;

        make_tree(&tree, chip, 200);
        engine = fabric_engine(tree.fabric);
        for (uint32_t i = 0; has_llr && i < tree.n_hosts; i++) {
            (void)link_llr(tree.links[i]); /* Those of hosts come first. */
        }
        assert_int_equal(fabric_divide(tree.fabric, 5), 5);
        for (uint32_t i = 0; i < tree.n_hosts; i++) {
            const uint32_t edge = i / (K / 2);
            const bool is_apart =
                lane_of_host(&tree, i) !=
                engine_lane(engine, sim_entity(tree.switches[edge]));

            apart += is_apart;
            assert_true(!has_llr || !is_apart);
        }
        fat_tree_fini(&tree);
    }
    assert_true(apart > 0);
    chip_file_destroy(chip);
    chip_file_destroy(whole);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many_lanes_as_asked_for),
        cmocka_unit_test(test_what_stays_in_one_piece),
        cmocka_unit_test(test_ends_of_links_with_retry_stay_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
