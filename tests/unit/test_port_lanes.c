/* SPDX-License-Identifier: Apache-2.0 */

/* The lanes of ports: of rows of CONFIG_DB, of LANES, and of ASIC_DB. */

#include <config.h>

#include "orchd/orchagent/port_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "orchd/intent/field.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/asic_states.h"

#define PORT_ID 0x1000000000002
#define N(list) (sizeof(list) / sizeof *(list))

struct fixture {
    struct asic_rows *rows;
    struct port_lanes *lanes;
};

/* A switch with the ports Ethernet0 of lanes 1 and 2, and Ethernet4 of lanes
 * 3 and 4. */
static int
setup(void **state)
{
    static const struct field nothing[] = {{"NULL", "NULL"}};
    static const struct field ports[] = {{"Ethernet0", "oid:0x1000000000002"},
                                         {"Ethernet4", "oid:0x1000000000003"}};
    static const struct field rids[] = {{"oid:0x7", "oid:0x1000000000002"},
                                        {"oid:0x8", "oid:0x1000000000003"}};
    static const struct field lanes[] = {
        {"1", "oid:0x7"}, {"2", "oid:0x7"}, {"3", "oid:0x8"}, {"4", "oid:0x8"}};
    static struct fixture fixture;

    fixture.rows = asic_rows_create();
    fixture.lanes = port_lanes_create(fixture.rows);
    for (sai_object_id_t i = 0; i < N(ports); i++) {
        asic_rows_put(fixture.rows, SAI_OBJECT_TYPE_PORT, PORT_ID + i, nothing,
                      N(nothing));
    }
    asic_rows_put_map(fixture.rows, ASIC_MAP_PORTS, ports, N(ports));
    asic_rows_put_map(fixture.rows, ASIC_MAP_RIDS, rids, N(rids));
    asic_rows_put_map(fixture.rows, ASIC_MAP_LANES, lanes, N(lanes));
    *state = &fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;

    port_lanes_destroy(fixture->lanes);
    asic_rows_destroy(fixture->rows);
    return 0;
}

/* Asserts that Ethernet0 has the 'n' lanes of 'expected'. */
static void
assert_lanes(struct fixture *fixture, const uint32_t *expected, uint32_t n)
{
    const sai_u32_list_t *list = port_lanes_get(fixture->lanes, "Ethernet0");

    assert_non_null(list);
    assert_int_equal(list->count, n);
    assert_memory_equal(list->list, expected, n * sizeof *expected);
}

#define LANES(...)                                                             \
    assert_lanes(fixture, (const uint32_t[]){__VA_ARGS__},                     \
                 N(((const uint32_t[]){__VA_ARGS__})))

/* A row gives the order, if LANES has the same lanes. */
static void
test_a_row_gives_the_order(void **state)
{
    struct fixture *fixture = *state;

    LANES(1, 2);
    port_lanes_set(fixture->lanes, "Ethernet0", "2,1");
    LANES(2, 1);
    port_lanes_set(fixture->lanes, "Ethernet0", "2");
    LANES(1, 2);
    port_lanes_set(fixture->lanes, "Ethernet0", "2,1,9");
    LANES(1, 2);
    port_lanes_set(fixture->lanes, "Ethernet0", "2,x");
    LANES(1, 2);
    port_lanes_set(fixture->lanes, "Ethernet0", NULL);
    LANES(1, 2);
}

/* A lane of two rows is shown for one of the ports only. */
static void
test_a_lane_of_two_rows(void **state)
{
    struct fixture *fixture = *state;

    port_lanes_set(fixture->lanes, "Ethernet4", "9,10");
    port_lanes_set(fixture->lanes, "Ethernet0", "2,1,9");
    LANES(2, 1, 9);
    port_lanes_set(fixture->lanes, "Ethernet0", "2,1,8");
    LANES(1, 2);
}

/* What syncd says of a port counts more than rows of others. */
static void
test_the_attribute_of_a_port_counts_most(void **state)
{
    struct fixture *fixture = *state;
    const struct field lanes[] = {{"SAI_PORT_ATTR_HW_LANE_LIST", "3:6,5,7"}};

    port_lanes_set(fixture->lanes, "Ethernet0", "2,1");
    asic_rows_put(fixture->rows, SAI_OBJECT_TYPE_PORT, PORT_ID, lanes, 1);
    LANES(6, 5, 7);
    assert_null(port_lanes_get(fixture->lanes, "Ethernet8"));
    /* Neither LANES nor a row: unknown; else the row alone. */
    asic_rows_put_map(fixture->rows, ASIC_MAP_LANES, NULL, 0);
    assert_null(port_lanes_get(fixture->lanes, "Ethernet4"));
    port_lanes_set(fixture->lanes, "Ethernet4", "4,3");
    assert_int_equal(port_lanes_get(fixture->lanes, "Ethernet4")->list[0], 4);
}

/* Returns the name of the port of rows that has these lanes. */
static const char *
find(const struct fixture *fixture, uint32_t first, uint32_t second, uint32_t n)
{
    uint32_t list[] = {first, second};

    return port_lanes_find(fixture->lanes, &(sai_u32_list_t){n, list});
}

static void
test_ports_are_found_by_all_their_lanes(void **state)
{
    struct fixture *fixture = *state;

    assert_null(find(fixture, 1, 2, 2));
    port_lanes_set(fixture->lanes, "Ethernet0", "1,2");
    port_lanes_set(fixture->lanes, "Ethernet4", "4,3");
    assert_string_equal(find(fixture, 1, 2, 2), "Ethernet0");
    assert_string_equal(find(fixture, 4, 3, 2), "Ethernet4");
    assert_null(find(fixture, 3, 4, 2));
    assert_null(find(fixture, 1, 2, 1));
}

static void
test_ports_and_their_limits_are_counted(void **state)
{
    static const char *const names[] = {"Ethernet0", "Ethernet4", "Ethernet8"};
    const struct field groups = {"max_priority_groups", "8"};
    struct fixture *fixture = *state;
    size_t n_there, n_limited;

    assert_int_equal(port_lanes_count(fixture->lanes, &n_there, &n_limited), 0);
    for (size_t i = 0; i < N(names); i++) {
        port_lanes_set(fixture->lanes, names[i], "1,2");
    }
    assert_int_equal(port_lanes_count(fixture->lanes, &n_there, &n_limited), 3);
    assert_int_equal(n_there, 2);
    assert_int_equal(n_limited, 0);
    asic_rows_put_state(fixture->rows, ASIC_STATES_LIMITS "Ethernet0", &groups,
                        1);
    asic_rows_put_state(fixture->rows, ASIC_STATES_LIMITS "Ethernet4", &groups,
                        1);
    /* Of a port that ASIC_DB does not have: not counted. */
    asic_rows_put_state(fixture->rows, ASIC_STATES_LIMITS "Ethernet8", &groups,
                        1);
    assert_int_equal(port_lanes_count(fixture->lanes, &n_there, &n_limited), 3);
    assert_int_equal(n_there, 2);
    assert_int_equal(n_limited, 2);
    assert_true(port_lanes_has_row(fixture->lanes, "Ethernet8"));
    port_lanes_set(fixture->lanes, "Ethernet8", NULL);
    assert_false(port_lanes_has_row(fixture->lanes, "Ethernet8"));
    assert_int_equal(port_lanes_count(fixture->lanes, &n_there, &n_limited), 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_row_gives_the_order),
        TEST(test_a_lane_of_two_rows),
        TEST(test_the_attribute_of_a_port_counts_most),
        TEST(test_ports_are_found_by_all_their_lanes),
        TEST(test_ports_and_their_limits_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
