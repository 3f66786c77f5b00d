/* SPDX-License-Identifier: Apache-2.0 */

/* Sizes of pools: the cases of BEHAVIOUR 6.5 and 6.7. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/derive/pool.h"
#include "orchd/derive/terms.h"
#include "tests/support/asic_table.h"

#define MEMORY UINT64_C(60817392)

static struct pool_switch
switch_for(const char *platform, const char *chip)
{
    struct pool_switch sw = {.platform = platform_find(platform),
                             .memory_bytes = MEMORY};

    assert_true(asic_table_find(chip, &sw.asic));
    return sw;
}

/* Two ports of 4 lanes and one of 8 are up, one of 4 is down.  Each that is up:
 * PG 0 lossy of size 0, PG 3-4 lossless, queues 0-2 and 5-6 lossy of 9,216,
 * queues 3-4 lossless of 0, ingress list of one, egress list of two. */
static struct pool_sums
sums_for(uint64_t size_100g, uint64_t size_400g)
{
    struct pool_sums sums = {.n_up = 3, .n_up_8 = 1, .n_lossless_ports = 3};
    struct pool_reference lossy = {.lossy_ingress = true};
    struct pool_reference lossy_list = {.lossy_ingress = true,
                                        .from_list = true};
    struct pool_reference lossless_100g = {
        .headroom = {19456, 108544, size_100g}};
    struct pool_reference lossless_400g = {
        .headroom = {38912, 265216, size_400g}, .eight_lanes = true};
    struct pool_reference lossy_queue = {.headroom = {0, 0, 9216}};
    struct pool_reference lossless_queue = {.headroom = {0, 0, 0}};

    for (int port = 0; port < 3; port++) {
        bool eight = port == 2;

        lossy.eight_lanes = lossy_list.eight_lanes = eight;
        pool_sums_refer(&sums, &lossy, 1);
        pool_sums_refer(&sums, eight ? &lossless_400g : &lossless_100g, 2);
        pool_sums_refer(&sums, &lossy_queue, 5 + 1);
        pool_sums_refer(&sums, &lossless_queue, 2 + 1);
        pool_sums_refer(&sums, &lossy_list, 1);
    }
    return sums;
}

struct pool_case {
    const char *name;
    uint64_t size_100g, size_400g, xoff;
    uint32_t ratio;
    struct unsized_pool unsized[3];
    size_t n;
    uint64_t occupied, shp, sizes[3];
};

#define INGRESS                                                                \
    {                                                                          \
        true, false, 0                                                         \
    }
#define EGRESS                                                                 \
    {                                                                          \
        false, false, 0                                                        \
    }
#define EGRESS_PERCENT(p)                                                      \
    {                                                                          \
        false, true, p                                                         \
    }

static const struct pool_case cases[] = {
    {"shared headroom off",
     128000,
     313344,
     0,
     0,
     {INGRESS, EGRESS},
     2,
     1751040,
     0,
     {59066352, 59066352}},
    {"by ratio",
     19456,
     38912,
     0,
     2,
     {INGRESS, EGRESS},
     2,
     1265664,
     466944,
     {59551728, 59551728}},
    {"by size",
     19456,
     38912,
     204800,
     0,
     {INGRESS, EGRESS},
     2,
     1003520,
     204800,
     {59813872, 59813872}},
    {"an odd rest is rounded up",
     19456,
     38912,
     204801,
     0,
     {EGRESS},
     1,
     1003521,
     204801,
     {29906936}},
    {"by size, which wins over a ratio",
     19456,
     38912,
     204800,
     2,
     {INGRESS, EGRESS},
     2,
     1003520,
     204800,
     {59813872, 59813872}},
    {"two ingress pools, and a percentage",
     128000,
     313344,
     0,
     0,
     {INGRESS, INGRESS, EGRESS_PERCENT(30)},
     3,
     1751040,
     0,
     {29533176, 29533176, 17719906}},
    {"off, but profiles rely on it",
     19456,
     38912,
     0,
     0,
     {INGRESS, EGRESS},
     2,
     1454080,
     655360,
     {59363312, 59363312}},
    {"no ingress pool to size",
     128000,
     313344,
     0,
     0,
     {EGRESS},
     1,
     1751040,
     0,
     {29533176}},
};

static void
test_sizes_equal_the_scripts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pool_case *c = &cases[i];
        struct pool_switch sw = switch_for("mellanox", "MELLANOX-SPECTRUM-3");
        struct pool_sums sums = sums_for(c->size_100g, c->size_400g);
        struct pool_outcome outcome;
        uint64_t sizes[3] = {0};
        struct err err = {0};

        sw.ratio = c->ratio;
        sw.configured_xoff = c->xoff;
        print_message("%s\n", c->name);
        assert_int_equal(
            pool_compute(&sw, &sums, c->unsized, c->n, sizes, &outcome, &err),
            ST_OK);
        assert_int_equal(outcome.occupied_bytes, c->occupied);
        assert_int_equal(outcome.shp_bytes, c->shp);
        assert_memory_equal(sizes, c->sizes, sizeof sizes);
    }
}

/* BEHAVIOUR 6.5: (2 * xoff - 10240) / r of one port with two groups. */
static void
test_ratio_rule_of_thumb(void **state)
{
    struct pool_switch sw = switch_for("vs", "VS-ASIC");
    struct pool_sums sums = {.n_up = 1, .n_lossless_ports = 1};
    struct pool_reference lossless = {.headroom = {18432, 72704, 18432}};
    struct pool_outcome outcome;

    (void)state;
    pool_sums_refer(&sums, &lossless, 2);
    sw.ratio = 2;
    pool_occupied(&sw, &sums, &outcome, NULL);
    assert_int_equal(outcome.shp_bytes, 67584);
    sw.ratio = 3;
    pool_occupied(&sw, &sums, &outcome, NULL);
    assert_int_equal(outcome.shp_bytes, 45056);
    sw.ratio = 7; /* 135,168 / 7 = 19,309.7: up. */
    pool_occupied(&sw, &sums, &outcome, NULL);
    assert_int_equal(outcome.shp_bytes, 19310);
    sums = (struct pool_sums){.n_up = 1};
    pool_occupied(&sw, &sums, &outcome, NULL);
    assert_int_equal(outcome.shp_bytes, 655360);
    assert_int_equal(outcome.shp, SHP_RATIO);
    assert_false(outcome.shp_forced);
}

static void
test_large_models_have_descriptors_and_no_mirror(void **state)
{
    struct pool_switch sw = switch_for("mellanox", "MELLANOX-SPECTRUM-3");
    struct pool_sums sums = sums_for(128000, 313344);
    struct pool_outcome outcome;
    struct terms terms = {.n = 0};

    (void)state;
    sw.model_number = 5999;
    pool_occupied(&sw, &sums, &outcome, NULL);
    assert_int_equal(outcome.occupied_bytes, 1751040);
    sw.model_number = 6000;
    pool_occupied(&sw, &sums, &outcome, &terms);
    assert_int_equal(outcome.occupied_bytes, 1751040 - 30720 + 33554432);
    assert_int_equal(terms_find(&terms, "occupied")->value_milli,
                     (1751040 - 30720 + 33554432) * INT64_C(1000));
    assert_int_equal(terms_find(&terms, "mirror")->value_milli, 0);
}

static void
test_terms_add_up(void **state)
{
    static const char *const summands[] = {
        "profiles", "lossy_groups",    "private_headroom", "management_groups",
        "mirror",   "management_pool", "descriptors",      "shared_headroom"};
    struct pool_switch sw = switch_for("mellanox", "MELLANOX-SPECTRUM-3");
    struct pool_sums sums = sums_for(19456, 38912);
    struct pool_outcome outcome;
    struct terms terms = {.n = 0};
    int64_t sum = 0;

    (void)state;
    sw.ratio = 2;
    pool_occupied(&sw, &sums, &outcome, &terms);
    for (size_t i = 0; i < sizeof summands / sizeof summands[0]; i++) {
        sum += terms_find(&terms, summands[i])->value_milli;
    }
    assert_int_equal(sum, terms_find(&terms, "occupied")->value_milli);
    assert_int_equal(sum, (int64_t)outcome.occupied_bytes * 1000);
    assert_int_equal(terms_find(&terms, "private_headroom")->value_milli,
                     30720000);
    assert_string_equal(terms_find(&terms, "shared_headroom")->source, "ratio");
}

static void
test_pool_never_exceeds_the_memory(void **state)
{
    struct pool_switch sw = switch_for("mellanox", "MELLANOX-SPECTRUM-3");
    struct pool_sums sums = sums_for(128000, 313344);
    struct unsized_pool ask = INGRESS;
    struct pool_outcome outcome;
    uint64_t size = 1234;
    struct err err = {0};

    (void)state;
    sw.memory_bytes = 1751039;
    assert_int_equal(pool_compute(&sw, &sums, &ask, 1, &size, &outcome, &err),
                     ST_NO_RESOURCE);
    assert_string_equal(err.code, "pool-exhausted");
    assert_int_equal(size, 1234);
    sw.memory_bytes = 1751040;
    assert_int_equal(pool_compute(&sw, &sums, &ask, 1, &size, &outcome, &err),
                     ST_OK);
    assert_int_equal(size, 0);
    sw.memory_bytes = MEMORY;
    sw.configured_xoff = MEMORY + 1;
    assert_int_equal(pool_compute(&sw, &sums, &ask, 1, &size, &outcome, &err),
                     ST_INVALID);
    assert_string_equal(err.code, "range");
}

/* BEHAVIOUR 6.5: sizes as configured, 0.7 * 2 * 400 cells for each port. */
static void
test_platform_that_sizes_no_pools(void **state)
{
    struct pool_switch sw = switch_for("barefoot", "BAREFOOT-TOFINO-2");
    struct pool_sums sums = {0};
    struct unsized_pool ask = INGRESS;
    struct pool_outcome outcome;
    uint64_t size = 7;
    struct err err = {0};

    (void)state;
    sw.n_ports = 32;
    assert_int_equal(pool_compute(&sw, &sums, NULL, 0, NULL, &outcome, &err),
                     ST_OK);
    assert_int_equal(outcome.shp_bytes, 32 * 560 * 176);
    assert_int_equal(pool_compute(&sw, &sums, &ask, 1, &size, &outcome, &err),
                     ST_INVALID);
    assert_int_equal(size, 7);
}

static void
test_sums_taken_out_again_leave_nothing(void **state)
{
    struct pool_sums part = sums_for(19456, 38912);
    struct pool_sums sums = {0}, zero = {0};

    (void)state;
    pool_sums_add(&sums, &part, 1);
    assert_memory_equal(&sums, &part, sizeof sums);
    pool_sums_add(&sums, &part, 2);
    assert_int_equal(sums.excess_bytes, 3 * part.excess_bytes);
    pool_sums_add(&sums, &part, -3);
    assert_memory_equal(&sums, &zero, sizeof sums);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_equal_the_scripts),
        cmocka_unit_test(test_ratio_rule_of_thumb),
        cmocka_unit_test(test_large_models_have_descriptors_and_no_mirror),
        cmocka_unit_test(test_terms_add_up),
        cmocka_unit_test(test_pool_never_exceeds_the_memory),
        cmocka_unit_test(test_platform_that_sizes_no_pools),
        cmocka_unit_test(test_sums_taken_out_again_leave_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
