/* SPDX-License-Identifier: Apache-2.0 */

/* The meters of RFC 2697 and RFC 2698: the cases of their texts, and random
 * traffic against a model that moves one token at a time. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "twin/qos/policer.h"

#define N(array)  (sizeof(array) / sizeof((array)[0]))
#define SECOND_PS INT64_C(1000000000000)

__extension__ typedef unsigned __int128 wide;

/* One packet and the color that it must get. */
struct packet {
    int64_t at_ps;
    uint32_t bytes;
    enum policer_color color;
    enum policer_color expected;
};

static void
run(const struct policer_config *config, const struct packet *packets, size_t n)
{
    struct policer policer;

    policer_init(&policer, config, 0);
    for (size_t i = 0; i < n; i++) {
        const enum policer_color color = policer_meter(
            &policer, packets[i].bytes, packets[i].color, packets[i].at_ps);

        if (color != packets[i].expected) {
            fail_msg("packet %zu: color %d instead of %d", i, (int)color,
                     (int)packets[i].expected);
        }
    }
}

static void
test_one_rate_fills_the_second_bucket_last(void **state)
{
    const struct policer_config config = {.cir = 1000, .cbs = 1000, .pbs = 500};
    const struct packet packets[] = {
        {0, 600, POLICER_GREEN, POLICER_GREEN},
        {0, 600, POLICER_GREEN, POLICER_RED}, /* 400 and 500 are left. */
        {0, 500, POLICER_GREEN, POLICER_YELLOW},
        {0, 400, POLICER_GREEN, POLICER_GREEN},
        {0, 1, POLICER_GREEN, POLICER_RED},
        /* One second: 1000 for the first, nothing for the second. */
        {SECOND_PS, 1, POLICER_YELLOW, POLICER_GREEN},
        {SECOND_PS, 1000, POLICER_GREEN, POLICER_RED},
        /* 501 ms: one for the first, 500 for the second. */
        {SECOND_PS + 501 * (SECOND_PS / 1000), 500, POLICER_GREEN,
         POLICER_GREEN},
        {SECOND_PS + 501 * (SECOND_PS / 1000), 501, POLICER_GREEN, POLICER_RED},
        {SECOND_PS + 501 * (SECOND_PS / 1000), 500, POLICER_GREEN,
         POLICER_GREEN},
        {SECOND_PS + 501 * (SECOND_PS / 1000), 500, POLICER_GREEN,
         POLICER_YELLOW},
    };

    (void)state;
    run(&config, packets, N(packets));
}

static void
test_one_rate_aware_of_colors_never_improves_one(void **state)
{
    const struct policer_config config = {
        .cir = 1, .cbs = 1000, .pbs = 500, .is_color_aware = true};
    const struct packet packets[] = {
        {0, 500, POLICER_YELLOW, POLICER_YELLOW},
        {0, 1, POLICER_YELLOW, POLICER_RED},
        {0, 1, POLICER_RED, POLICER_RED},
        {0, 1000, POLICER_GREEN, POLICER_GREEN},
    };

    (void)state;
    run(&config, packets, N(packets));
}

static void
test_two_rates_take_green_from_both(void **state)
{
    const struct policer_config config = {
        .has_two_rates = true, .cir = 100, .cbs = 200, .pir = 1000, .pbs = 300};
    const struct packet packets[] = {
        {0, 200, POLICER_GREEN, POLICER_GREEN},
        {0, 100, POLICER_RED, POLICER_YELLOW}, /* Not aware of colors. */
        {0, 1, POLICER_GREEN, POLICER_RED},
        /* 0.1 s: 10 and 100. */
        {SECOND_PS / 10, 11, POLICER_GREEN, POLICER_YELLOW},
        {SECOND_PS / 10, 10, POLICER_GREEN, POLICER_GREEN},
        {SECOND_PS / 10, 80, POLICER_GREEN, POLICER_RED},
        {SECOND_PS / 10, 79, POLICER_GREEN, POLICER_YELLOW},
    };

    (void)state;
    run(&config, packets, N(packets));
}

static void
test_two_rates_aware_of_colors(void **state)
{
    const struct policer_config config = {.has_two_rates = true,
                                          .is_color_aware = true,
                                          .cir = 1,
                                          .cbs = 200,
                                          .pir = 1,
                                          .pbs = 300};
    const struct packet packets[] = {
        {0, 100, POLICER_RED, POLICER_RED},
        {0, 100, POLICER_YELLOW, POLICER_YELLOW},
        {0, 200, POLICER_GREEN, POLICER_GREEN},
        {0, 1, POLICER_GREEN, POLICER_RED},
    };

    (void)state;
    run(&config, packets, N(packets));
}

static void
test_packets_are_metered_as_one_each(void **state)
{
    const struct policer_config config = {
        .by_packets = true, .cir = 600, .cbs = 600};
    struct policer policer;
    uint64_t passed = 0;

    (void)state;
    policer_init(&policer, &config, 0);
    /* 2,000 packets per second for ten seconds against 600. */
    for (int64_t i = 0; i < 20000; i++) {
        passed += policer_meter(&policer, 9000, POLICER_GREEN,
                                i * (SECOND_PS / 2000)) == POLICER_GREEN;
    }
    assert_int_equal(passed, 600 + 600 * 9995 / 1000 + 2);
    assert_int_equal(policer.counts[POLICER_GREEN].packets, passed);
    assert_int_equal(policer.counts[POLICER_GREEN].bytes, 9000 * passed);
    assert_int_equal(policer.counts[POLICER_RED].packets, 20000 - passed);
}

static void
test_a_change_keeps_tokens_up_to_the_new_size(void **state)
{
    struct policer_config config = {.cir = 1000, .cbs = 1000};
    struct policer policer;

    (void)state;
    policer_init(&policer, &config, 0);
    assert_int_equal(policer_meter(&policer, 900, POLICER_GREEN, 0),
                     POLICER_GREEN);
    config.cbs = 5000;
    policer_set(&policer, &config, SECOND_PS / 10); /* 100 + 100. */
    assert_int_equal(
        policer_meter(&policer, 201, POLICER_GREEN, SECOND_PS / 10),
        POLICER_RED);
    config.cbs = 150;
    policer_set(&policer, &config, SECOND_PS / 10);
    assert_int_equal(
        policer_meter(&policer, 151, POLICER_GREEN, SECOND_PS / 10),
        POLICER_RED);
    assert_int_equal(
        policer_meter(&policer, 150, POLICER_GREEN, SECOND_PS / 10),
        POLICER_GREEN);
}

static void
test_extremes_do_not_overflow(void **state)
{
    const struct policer_config config = {.has_two_rates = true,
                                          .cir = UINT64_MAX,
                                          .cbs = UINT64_MAX,
                                          .pir = UINT64_MAX,
                                          .pbs = UINT64_MAX};
    const struct policer_config nothing = {0};
    struct policer policer;

    (void)state;
    policer_init(&policer, &config, 0);
    assert_int_equal(policer_meter(&policer, UINT32_MAX, POLICER_GREEN, 0),
                     POLICER_GREEN);
    assert_int_equal(
        policer_meter(&policer, UINT32_MAX, POLICER_GREEN, INT64_MAX),
        POLICER_GREEN);
    policer_init(&policer, &nothing, 0);
    assert_int_equal(policer_meter(&policer, 64, POLICER_GREEN, INT64_MAX),
                     POLICER_RED);
}

/* The model: fractions of a token, and tokens one by one. */
struct model {
    struct policer_config config;
    uint64_t c, p;
    wide part_c, part_p; /* In 1/10^12 of a token. */
    int64_t now_ps;
};

static void
advance_model(struct model *model, int64_t now_ps)
{
    const struct policer_config *config = &model->config;
    const uint64_t elapsed = (uint64_t)(now_ps - model->now_ps);

    model->part_c += (wide)config->cir * elapsed;
    for (; model->part_c >= SECOND_PS; model->part_c -= SECOND_PS) {
        if (model->c < config->cbs) {
            model->c++;
        } else if (!config->has_two_rates && model->p < config->pbs) {
            model->p++;
        }
    }
    if (model->c == config->cbs &&
        (config->has_two_rates || model->p == config->pbs)) {
        model->part_c = 0;
    }
    if (config->has_two_rates) {
        model->part_p += (wide)config->pir * elapsed;
        for (; model->part_p >= SECOND_PS; model->part_p -= SECOND_PS) {
            model->p += model->p < config->pbs;
        }
        if (model->p == config->pbs) {
            model->part_p = 0;
        }
    }
    model->now_ps = now_ps;
}

/* As the RFCs write it. */
static enum policer_color
ask_model(struct model *model, uint64_t bytes, enum policer_color color)
{
    const struct policer_config *config = &model->config;
    const uint64_t b = config->by_packets ? 1 : bytes;
    const enum policer_color was =
        config->is_color_aware ? color : POLICER_GREEN;

    if (config->has_two_rates) {
        if (was == POLICER_RED || model->p < b) {
            return POLICER_RED;
        }
        model->p -= b;
        if (was == POLICER_YELLOW || model->c < b) {
            return POLICER_YELLOW;
        }
        model->c -= b;
        return POLICER_GREEN;
    }
    if (was == POLICER_GREEN && model->c >= b) {
        model->c -= b;
        return POLICER_GREEN;
    }
    if (was != POLICER_RED && model->p >= b) {
        model->p -= b;
        return POLICER_YELLOW;
    }
    return POLICER_RED;
}

static struct policer_config
draw_config(struct random *random)
{
    return (struct policer_config){
        .has_two_rates = random_below(random, 2),
        .by_packets = random_below(random, 2),
        .is_color_aware = random_below(random, 2),
        .cir = random_below(random, 30000),
        .cbs = random_below(random, 5000),
        .pir = random_below(random, 60000),
        .pbs = random_below(random, 5000),
    };
}

static void
compare(struct random *random)
{
    const struct policer_config config = draw_config(random);
    struct model model = {.config = config, .c = config.cbs, .p = config.pbs};
    struct policer policer;
    uint64_t green = 0;
    int64_t now_ps = 0;

    policer_init(&policer, &config, 0);
    for (int i = 0; i < 300; i++) {
        const uint32_t bytes = 64 + (uint32_t)random_below(random, 1500);
        const enum policer_color color =
            (enum policer_color)random_below(random, POLICER_N_COLORS);
        enum policer_color is;

        now_ps += (int64_t)random_below(random, SECOND_PS / 20);
        advance_model(&model, now_ps);
        is = policer_meter(&policer, bytes, color, now_ps);
        assert_int_equal(is, ask_model(&model, bytes, color));
        green += is == POLICER_GREEN ? (config.by_packets ? 1 : bytes) : 0;
        /* What is green never exceeds burst and rate. */
        assert_true((wide)green * SECOND_PS <=
                    (wide)config.cbs * SECOND_PS +
                        (wide)config.cir * (uint64_t)now_ps);
    }
}

static void
test_random_traffic_is_colored_as_by_the_model(void **state)
{
    struct random random;

    (void)state;
    random_init(&random, 2697);
    for (int i = 0; i < 300; i++) {
        compare(&random);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rate_fills_the_second_bucket_last),
        cmocka_unit_test(test_one_rate_aware_of_colors_never_improves_one),
        cmocka_unit_test(test_two_rates_take_green_from_both),
        cmocka_unit_test(test_two_rates_aware_of_colors),
        cmocka_unit_test(test_packets_are_metered_as_one_each),
        cmocka_unit_test(test_a_change_keeps_tokens_up_to_the_new_size),
        cmocka_unit_test(test_extremes_do_not_overflow),
        cmocka_unit_test(test_random_traffic_is_colored_as_by_the_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
