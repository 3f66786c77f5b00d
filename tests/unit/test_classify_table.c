/* SPDX-License-Identifier: Apache-2.0 */

/* Compiled classification: equal to the reference for all headers and all
 * combinations of maps; tables are shared, and follow changes of maps. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/qos/classify_table.h"

enum {
    N_PGS = 8,
    N_QUEUES = 10,
    N_MAPS = 8,
    COMBINATIONS = 1 << N_MAPS,
};

/* Of a switch and of a port.  Some entries lead to PGs and queues that do not
 * exist. */
static struct classify_map maps[2][N_MAPS];

static int
setup(void **state)
{
    (void)state;
    for (uint32_t owner = 0; owner < 2; owner++) {
        for (uint32_t map = 0; map < N_MAPS; map++) {
            for (uint32_t i = 0; i < CLASSIFY_TCS; i++) {
                /* Even: TCs, PGs and queues.  Odd: colors. */
                maps[owner][map].entries[i] =
                    map < 6 && map % 2
                        ? (uint8_t)((i + map + owner) % CLASSIFY_COLORS)
                        : (uint8_t)((i * 5 + map + owner * 3) % 12);
            }
        }
    }
    return 0;
}

/* Returns the rules of 'owner' with the maps of 'which', a bit each. */
static struct classify_rules
rules_of(uint32_t owner, unsigned int which)
{
    const struct classify_map *of[N_MAPS];

    for (uint32_t i = 0; i < N_MAPS; i++) {
        of[i] = which >> i & 1 ? &maps[owner][i] : NULL;
    }
    return (struct classify_rules){
        .dscp_to_tc = of[0],
        .dscp_to_color = of[1],
        .exp_to_tc = of[2],
        .exp_to_color = of[3],
        .dot1p_to_tc = of[4],
        .dot1p_to_color = of[5],
        .tc_to_pg = of[6],
        .tc_to_queue = of[7],
        .default_tc = (uint8_t)(which % 3),
    };
}

/* Compares 'table' with the reference for one set of headers. */
static void
compare(const struct classify_table *table, const struct classify_rules *base,
        const struct classify_rules *port,
        const struct classify_headers *headers)
{
    const struct classify_verdict verdict = classify_frame(base, port, headers);
    const struct classify_class class = classify_look_up(table, headers);
    const uint8_t pg = classify_pg(base, port, verdict.tc);
    const uint8_t queue = classify_queue(base, port, verdict.tc);

    assert_int_equal(class.tc, verdict.tc);
    assert_int_equal(class.color, verdict.color);
    assert_int_equal(class.pg, pg < N_PGS ? pg : 0);
    assert_int_equal(classify_queue_of(table, verdict.tc),
                     queue < N_QUEUES ? queue : 0);
}

/* Compares for headers that are absent, out of range, or any value. */
static void
compare_all(const struct classify_table *table,
            const struct classify_rules *base,
            const struct classify_rules *port)
{
    for (int dscp = -1; dscp <= CLASSIFY_DSCPS; dscp++) {
        for (int exp = -1; exp <= PFC_N_PRIORITIES; exp += 3) {
            for (int dot1p = -1; dot1p <= PFC_N_PRIORITIES; dot1p += 3) {
                const struct classify_headers headers = {
                    (int8_t)dscp, (int8_t)exp, (int8_t)dot1p};

                compare(table, base, port, &headers);
            }
        }
    }
    for (int value = -128; value <= 127; value++) {
        compare(table, base, port,
                &(struct classify_headers){-1, (int8_t)value, -1});
        compare(table, base, port,
                &(struct classify_headers){-1, -1, (int8_t)value});
        compare(table, base, port,
                &(struct classify_headers){(int8_t)value, -1, -1});
    }
}

static void
test_equals_the_reference_for_all_inputs(void **state)
{
    (void)state;
    for (unsigned int which = 0; which < COMBINATIONS; which++) {
        struct classify_tables *tables =
            classify_tables_create(N_PGS, N_QUEUES);
        const struct classify_rules base = rules_of(0, which * 37 + which / 3);
        const struct classify_rules port = rules_of(1, which);

        compare_all(classify_tables_get(tables, &base, &port), &base, &port);
        classify_tables_destroy(tables);
    }
}

static void
test_equal_rules_share_a_table(void **state)
{
    struct classify_tables *tables = classify_tables_create(N_PGS, N_QUEUES);
    const struct classify_rules none = {0};
    const struct classify_rules port = rules_of(1, 0xc1);
    const struct classify_rules other = rules_of(1, 0xc3);
    const struct classify_table *a = classify_tables_get(tables, &none, &port);
    /* A map of the switch is as good as the same map of the port. */
    const struct classify_table *b = classify_tables_get(tables, &port, &none);
    const struct classify_table *c = classify_tables_get(tables, &none, &other);

    (void)state;
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, c);
    assert_int_equal(classify_tables_count(tables), 2);
    classify_tables_put(tables, a);
    assert_int_equal(classify_tables_count(tables), 2);
    classify_tables_put(tables, b);
    assert_int_equal(classify_tables_count(tables), 1);
    classify_tables_put(tables, c);
    classify_tables_put(tables, NULL);
    assert_int_equal(classify_tables_count(tables), 0);
    classify_tables_destroy(tables);
}

static void
test_refresh_follows_the_contents_of_maps(void **state)
{
    struct classify_tables *tables = classify_tables_create(N_PGS, N_QUEUES);
    const struct classify_rules none = {0};
    const struct classify_rules port = rules_of(1, 0xc3);
    const struct classify_table *table =
        classify_tables_get(tables, &none, &port);
    const uint8_t before = maps[1][0].entries[20];

    (void)state;
    maps[1][0].entries[20] = (uint8_t)(before + 1);
    classify_tables_refresh(tables);
    compare_all(table, &none, &port);
    assert_int_equal(
        classify_look_up(table, &(struct classify_headers){20, -1, -1}).tc,
        before + 1);
    maps[1][0].entries[20] = before;
    classify_tables_destroy(tables);
    classify_tables_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_reference_for_all_inputs),
        cmocka_unit_test(test_equal_rules_share_a_table),
        cmocka_unit_test(test_refresh_follows_the_contents_of_maps),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
