/* SPDX-License-Identifier: Apache-2.0 */

/* VLANs, memberships, learning: where a frame goes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "twin/sim/bridge.h"

enum { PORTS = 4 };

#define MAC(n) (UINT64_C(0x020000000000) + (uint64_t)(n))
#define GROUP  UINT64_C(0x01005e000001)

struct fixture {
    struct bridge *bridge;
    uint32_t n_learned;
    struct fdb_entry last;
    uint32_t from;
};

static void
on_learned(void *context, const struct fdb_entry *entry, uint32_t from)
{
    struct fixture *f = context;

    f->n_learned++;
    f->last = *entry;
    f->from = from;
}

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    f->bridge = bridge_create(PORTS, on_learned, f);
    for (uint32_t p = 0; p < PORTS; p++) {
        bridge_port_add(f->bridge, p);
        bridge_port(f->bridge, p)->learns = true;
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    bridge_destroy(f->bridge);
    free(f);
    return 0;
}

/* Decides on an untagged frame. */
static uint32_t
decide(struct fixture *f, uint32_t in, uint64_t src, uint64_t dst)
{
    uint16_t vlan;

    return bridge_decide(f->bridge, in, src, dst, 0, &vlan);
}

static void
test_answers_find_what_was_learned(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(decide(f, 0, MAC(10), MAC(11)), BRIDGE_FLOOD);
    assert_int_equal(f->n_learned, 1);
    assert_int_equal(f->last.mac, MAC(10));
    assert_int_equal(f->last.vlan, 1);
    assert_int_equal(f->last.port, 0);
    assert_int_equal(f->from, FDB_NONE);
    assert_int_equal(decide(f, 1, MAC(11), MAC(10)), 0);
    assert_int_equal(decide(f, 0, MAC(10), MAC(11)), 1);
    assert_int_equal(f->n_learned, 2);
    /* Behind the port that it comes from: nothing to do. */
    assert_int_equal(decide(f, 0, MAC(12), MAC(10)), BRIDGE_DISCARD);
}

static void
test_a_station_that_moves_is_followed(void **state)
{
    struct fixture *f = *state;

    (void)decide(f, 0, MAC(10), MAC(11));
    (void)decide(f, 2, MAC(10), MAC(11));
    assert_int_equal(f->n_learned, 2);
    assert_int_equal(f->last.port, 2);
    assert_int_equal(f->from, 0);
    assert_int_equal(decide(f, 1, MAC(11), MAC(10)), 2);
    (void)decide(f, 0, MAC(10), MAC(11));
    assert_int_equal(decide(f, 1, MAC(11), MAC(10)), 0);
}

static void
test_what_must_not_be_learned_is_not(void **state)
{
    struct fixture *f = *state;
    struct fdb *fdb = bridge_fdb(f->bridge);

    (void)fdb_set(fdb,
                  &(struct fdb_entry){
                      .mac = MAC(1), .vlan = 1, .is_static = true, .port = 3});
    (void)fdb_set(fdb, &(struct fdb_entry){.mac = MAC(2),
                                           .vlan = FDB_ANY_VLAN,
                                           .is_static = true,
                                           .port = 3});
    (void)decide(f, 0, MAC(1), MAC(9));
    (void)decide(f, 0, MAC(2), MAC(9));
    (void)decide(f, 0, GROUP, MAC(9));
    (void)decide(f, 0, 0, MAC(9));
    bridge_vlan_set_learning(f->bridge, 1, false);
    (void)decide(f, 0, MAC(3), MAC(9));
    bridge_vlan_set_learning(f->bridge, 1, true);
    bridge_port(f->bridge, 0)->learns = false;
    (void)decide(f, 0, MAC(3), MAC(9));
    bridge_port(f->bridge, 0)->learns = true;
    bridge_port(f->bridge, 0)->is_active = false;
    (void)decide(f, 0, MAC(3), MAC(9));
    assert_int_equal(f->n_learned, 0);
    assert_int_equal(decide(f, 1, MAC(5), MAC(1)), 3);
    assert_int_equal(decide(f, 1, MAC(5), MAC(2)), 3);
}

static void
test_vlans_are_apart(void **state)
{
    struct fixture *f = *state;
    uint16_t vlan;

    bridge_vlan_add(f->bridge, 20);
    bridge_member_set(f->bridge, 20, 0, BRIDGE_TAGGED);
    bridge_member_set(f->bridge, 20, 1, BRIDGE_UNTAGGED);
    bridge_port(f->bridge, 1)->vlan = 20;

    assert_int_equal(bridge_decide(f->bridge, 1, MAC(7), GROUP, 0, &vlan),
                     BRIDGE_FLOOD);
    assert_int_equal(vlan, 20);
    assert_true(bridge_floods(f->bridge, 20, 0));
    assert_false(bridge_floods(f->bridge, 20, 2));
    /* Known in VLAN 20, unknown in VLAN 1. */
    assert_int_equal(bridge_decide(f->bridge, 0, MAC(8), MAC(7), 20, &vlan), 1);
    assert_int_equal(bridge_decide(f->bridge, 0, MAC(8), MAC(7), 0, &vlan),
                     BRIDGE_FLOOD);
    assert_int_equal(vlan, 1);
    /* A VLAN that does not exist goes nowhere. */
    assert_int_equal(bridge_decide(f->bridge, 0, MAC(8), MAC(7), 21, &vlan),
                     BRIDGE_DISCARD);
    /* A member that leaves is no longer reached by an entry. */
    bridge_member_set(f->bridge, 20, 1, BRIDGE_OUTSIDE);
    assert_int_equal(bridge_decide(f->bridge, 0, MAC(8), MAC(7), 20, &vlan),
                     BRIDGE_DISCARD);
    bridge_vlan_remove(f->bridge, 20);
    assert_null(fdb_find(bridge_fdb(f->bridge), 20, MAC(7)));
    assert_non_null(fdb_find(bridge_fdb(f->bridge), 1, MAC(8)));
}

static void
test_discarding_entries_discard(void **state)
{
    struct fixture *f = *state;

    (void)fdb_set(bridge_fdb(f->bridge), &(struct fdb_entry){.mac = MAC(1),
                                                             .vlan = 1,
                                                             .is_static = true,
                                                             .discards = true,
                                                             .port = 1});
    assert_int_equal(decide(f, 0, MAC(2), MAC(1)), BRIDGE_DISCARD);
}

static void
test_flush_takes_what_matches(void **state)
{
    static const struct {
        struct fdb_filter filter;
        size_t n;
    } rows[] = {
        {{.port = FDB_NONE, .learned = true}, 2},
        {{.port = FDB_NONE, .statics = true}, 1},
        {{.port = FDB_NONE, .statics = true, .learned = true}, 3},
        {{.port = 1, .learned = true}, 1},
        {{.vlan = 2, .port = FDB_NONE, .learned = true}, 1},
        {{.vlan = 3, .port = FDB_NONE, .learned = true}, 0},
    };
    struct fixture *f = *state;
    struct fdb *fdb = bridge_fdb(f->bridge);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)fdb_set(fdb, &(struct fdb_entry){.mac = 1, .vlan = 1, .port = 0});
        (void)fdb_set(fdb, &(struct fdb_entry){.mac = 1, .vlan = 2, .port = 1});
        (void)fdb_set(fdb,
                      &(struct fdb_entry){
                          .mac = 2, .vlan = 1, .is_static = true, .port = 1});
        (void)fdb_set(fdb, &(struct fdb_entry){.mac = 3,
                                               .vlan = FDB_ANY_VLAN,
                                               .is_static = true,
                                               .port = 1});
        assert_int_equal(fdb_each(fdb, &rows[i].filter, NULL, NULL), rows[i].n);
        assert_int_equal(fdb_flush(fdb, &rows[i].filter, NULL, NULL),
                         rows[i].n);
        assert_int_equal(fdb_flush(fdb, &rows[i].filter, NULL, NULL), 0);
        /* The tester's entries never match. */
        assert_non_null(fdb_find(fdb, FDB_ANY_VLAN, 3));
    }
}

static void
test_a_port_that_goes_is_forgotten(void **state)
{
    struct fixture *f = *state;

    (void)decide(f, 1, MAC(10), MAC(11));
    bridge_port_remove(f->bridge, 1);
    assert_int_equal(decide(f, 0, MAC(11), MAC(10)), BRIDGE_FLOOD);
    assert_false(bridge_floods(f->bridge, 1, 1));
    assert_int_equal(decide(f, 1, MAC(10), MAC(11)), BRIDGE_DISCARD);
}

int
main(void)
{
#define BRIDGE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        BRIDGE_TEST(test_answers_find_what_was_learned),
        BRIDGE_TEST(test_a_station_that_moves_is_followed),
        BRIDGE_TEST(test_what_must_not_be_learned_is_not),
        BRIDGE_TEST(test_vlans_are_apart),
        BRIDGE_TEST(test_discarding_entries_discard),
        BRIDGE_TEST(test_flush_takes_what_matches),
        BRIDGE_TEST(test_a_port_that_goes_is_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
