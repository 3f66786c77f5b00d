/* SPDX-License-Identifier: Apache-2.0 */

/* VLANs, memberships, learning: where a frame goes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "twin/forwarding/bridge.h"

enum { PORTS = 4 };

#define MAC(n) (UINT64_C(0x020000000000) + (uint64_t)(n))
#define GROUP  UINT64_C(0x01005e000001)

struct fixture {
    struct bridge *bridge;
    uint32_t n_learned;
    struct fdb_entry last;
    uint32_t from;
    struct engine *engine;
    uint32_t n_aged;
    int64_t aged_ps; /* When it last happened. */
};

static void
on_learned(void *context, const struct fdb_entry *entry, uint32_t from)
{
    struct fixture *f = context;

    f->n_learned++;
    f->last = *entry;
    f->from = from;
}

static void
on_aged(void *context, const struct fdb_entry *entry)
{
    struct fixture *f = context;

    f->n_aged++;
    f->last = *entry;
    f->aged_ps = engine_now_ps(f->engine);
}

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    f->engine = engine_create();
    f->bridge = bridge_create(
        PORTS, f->engine, 0, &(struct bridge_listener){on_learned, on_aged, f});
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
    engine_destroy(f->engine);
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

/* The members of a VLAN are listed once each, in the order of their numbers,
 * and not in that in which they joined and left. */
static void
test_members_are_listed_in_order(void **state)
{
    static const uint32_t joins[] = {2, 0, 3, 1, 2, 0};
    struct fixture *f = *state;
    const uint16_t *members;
    uint32_t n;

    bridge_members(f->bridge, 30, &n);
    assert_int_equal(n, 0);
    bridge_vlan_add(f->bridge, 30);
    for (size_t i = 0; i < sizeof joins / sizeof joins[0]; i++) {
        bridge_member_set(f->bridge, 30, joins[i],
                          i % 2 ? BRIDGE_TAGGED : BRIDGE_UNTAGGED);
    }
    members = bridge_members(f->bridge, 30, &n);
    assert_int_equal(n, 4);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(members[i], i);
    }
    bridge_member_set(f->bridge, 30, 1, BRIDGE_OUTSIDE);
    bridge_member_set(f->bridge, 30, 1, BRIDGE_OUTSIDE);
    bridge_port_remove(f->bridge, 3);
    members = bridge_members(f->bridge, 30, &n);
    assert_int_equal(n, 2);
    assert_int_equal(members[0], 0);
    assert_int_equal(members[1], 2);
    /* The others are where they were. */
    bridge_members(f->bridge, BRIDGE_DEFAULT_VLAN, &n);
    assert_int_equal(n, PORTS - 1);
}

/* Ageing ---------------------------------------------------------------- */

enum { AGE = 1000 };

/* Compares how many entries have aged so far, and when the last did. */
static void
expect_aged(struct fixture *f, int64_t until_ps, uint32_t n, int64_t when_ps)
{
    engine_run_until(f->engine, until_ps);
    assert_int_equal(f->n_aged, n);
    assert_int_equal(f->aged_ps, when_ps);
}

static void
test_entries_age_at_the_very_instant(void **state)
{
    struct fixture *f = *state;

    bridge_set_ageing(f->bridge, AGE);
    (void)decide(f, 0, MAC(10), MAC(11));
    engine_run_until(f->engine, 300);
    (void)decide(f, 1, MAC(11), MAC(12));
    expect_aged(f, AGE - 1, 0, 0);
    assert_int_equal(decide(f, 2, MAC(12), MAC(10)), 0);
    expect_aged(f, AGE, 1, AGE);
    assert_int_equal(f->last.mac, MAC(10));
    assert_int_equal(f->last.port, 0);
    assert_int_equal(decide(f, 2, MAC(12), MAC(10)), BRIDGE_FLOOD);
    assert_int_equal(decide(f, 2, MAC(12), MAC(11)), 1);
    expect_aged(f, 300 + AGE, 2, 300 + AGE);
    assert_int_equal(f->last.mac, MAC(11));
    /* The third was seen at AGE last. */
    expect_aged(f, 2 * AGE - 1, 2, 300 + AGE);
    expect_aged(f, EVENT_NEVER - 1, 3, 2 * AGE);
}

/* Being a source keeps an entry, whether the port knows it or must look it up;
 * being a destination does not. */
static void
test_traffic_from_an_address_keeps_its_entry(void **state)
{
    struct fixture *f = *state;

    bridge_set_ageing(f->bridge, AGE);
    (void)decide(f, 0, MAC(10), MAC(99));
    (void)decide(f, 1, MAC(11), MAC(99));
    (void)decide(f, 1, MAC(12), MAC(99));
    engine_run_until(f->engine, 500);
    (void)decide(f, 0, MAC(10), MAC(99));
    engine_run_until(f->engine, 700);
    (void)decide(f, 0, MAC(10), MAC(99)); /* The familiar source. */
    (void)decide(f, 1, MAC(11), MAC(12)); /* Another one on its port. */
    expect_aged(f, AGE, 1, AGE);
    assert_int_equal(f->last.mac, MAC(12));
    expect_aged(f, 1699, 1, AGE);
    expect_aged(f, 1700, 3, 1700);
}

static void
test_a_move_starts_the_age_anew(void **state)
{
    struct fixture *f = *state;

    bridge_set_ageing(f->bridge, AGE);
    (void)decide(f, 0, MAC(10), MAC(99));
    engine_run_until(f->engine, 600);
    (void)decide(f, 1, MAC(10), MAC(99));
    expect_aged(f, 1599, 0, 0);
    expect_aged(f, 1600, 1, 1600);
    assert_int_equal(f->last.port, 1);
}

static void
test_static_entries_stay(void **state)
{
    struct fixture *f = *state;
    struct fdb *fdb = bridge_fdb(f->bridge);
    struct fdb_entry entry = {
        .mac = MAC(1), .vlan = 1, .is_static = true, .port = 3};

    bridge_set_ageing(f->bridge, AGE);
    (void)fdb_set(fdb, &entry);
    entry.mac = MAC(2);
    entry.vlan = FDB_ANY_VLAN;
    (void)fdb_set(fdb, &entry);
    (void)decide(f, 0, MAC(10), MAC(99));
    entry.mac = MAC(10); /* What was learned becomes static. */
    entry.vlan = 1;
    (void)fdb_set(fdb, &entry);
    expect_aged(f, 10 * AGE, 0, 0);
    entry.is_static = false; /* And back. */
    (void)fdb_set(fdb, &entry);
    expect_aged(f, 11 * AGE, 1, 11 * AGE);
    assert_non_null(fdb_find(fdb, 1, MAC(1)));
    assert_non_null(fdb_find(fdb, FDB_ANY_VLAN, MAC(2)));
}

static void
test_the_ageing_time_changes_for_all(void **state)
{
    struct fixture *f = *state;

    (void)decide(f, 0, MAC(10), MAC(99));
    assert_int_equal(engine_next_ps(f->engine), EVENT_NEVER);
    expect_aged(f, 5000, 0, 0); /* There is none at first. */
    bridge_set_ageing(f->bridge, AGE);
    engine_run_until(f->engine, 5500);
    bridge_set_ageing(f->bridge, 2 * AGE);
    expect_aged(f, 7499, 0, 0);
    bridge_set_ageing(f->bridge, 0);
    assert_int_equal(engine_next_ps(f->engine), EVENT_NEVER);
    expect_aged(f, 20000, 0, 0);
    bridge_set_ageing(f->bridge, EVENT_NEVER); /* Longer than time. */
    assert_int_equal(engine_next_ps(f->engine), EVENT_NEVER);
    bridge_set_ageing(f->bridge, AGE);
    expect_aged(f, 21000, 1, 21000);
}

static void
test_entries_that_are_gone_do_not_age(void **state)
{
    const struct fdb_filter all = {.port = FDB_NONE, .learned = true};
    struct fixture *f = *state;
    struct fdb *fdb = bridge_fdb(f->bridge);

    bridge_set_ageing(f->bridge, AGE);
    (void)decide(f, 0, MAC(10), MAC(99));
    (void)decide(f, 1, MAC(11), MAC(99));
    (void)decide(f, 2, MAC(12), MAC(99));
    assert_true(fdb_remove(fdb, 1, MAC(10)));
    bridge_port_remove(f->bridge, 1);
    assert_int_equal(fdb_flush(fdb, &all, NULL, NULL), 1);
    assert_int_equal(engine_next_ps(f->engine), EVENT_NEVER);
    expect_aged(f, 2 * AGE, 0, 0);
}

/* Counting --------------------------------------------------------------- */

static void
test_what_is_carried_is_counted(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = {
        .dst_mac = MAC(1), .vlan = 1, .length_bytes = 100};
    const struct bridge_stats *vlan, *port, *all;

    bridge_vlan_add(f->bridge, 7);
    bridge_count_in(f->bridge, 0, &frame, false);
    bridge_count_out(f->bridge, 2, &frame);
    frame.dst_mac = GROUP;
    frame.length_bytes = 60;
    bridge_count_in(f->bridge, 0, &frame, true);
    frame.vlan = 0; /* The tester's. */
    bridge_count_in(f->bridge, 0, &frame, false);
    frame.vlan = 9; /* Gone meanwhile. */
    bridge_count_out(f->bridge, 0, &frame);
    frame.vlan = 7;
    bridge_count_out(f->bridge, 0, &frame);

    vlan = bridge_vlan_stats(f->bridge, 1);
    assert_int_equal(vlan->in.octets, 160);
    assert_int_equal(vlan->in.unicast_packets, 1);
    assert_int_equal(vlan->in.other_packets, 1);
    assert_int_equal(vlan->in.discards, 1);
    assert_int_equal(vlan->out.octets, 100);
    assert_int_equal(vlan->out.unicast_packets, 1);
    assert_int_equal(vlan->out.other_packets, 0);
    assert_int_equal(bridge_vlan_stats(f->bridge, 7)->out.octets, 60);
    assert_int_equal(bridge_vlan_stats(f->bridge, 7)->in.octets, 0);
    port = bridge_port_stats(f->bridge, 0);
    assert_int_equal(port->in.octets, 160);
    assert_int_equal(port->out.octets, 60);
    assert_int_equal(bridge_port_stats(f->bridge, 2)->out.octets, 100);
    all = bridge_stats(f->bridge);
    assert_int_equal(all->in.octets, 160);
    assert_int_equal(all->out.octets, 160);
    assert_int_equal(all->out.other_packets, 1);
    /* A port that joins again has zero counters; the bridge keeps its own. */
    bridge_port_remove(f->bridge, 0);
    bridge_port_add(f->bridge, 0);
    assert_int_equal(bridge_port_stats(f->bridge, 0)->in.octets, 0);
    assert_int_equal(bridge_stats(f->bridge)->in.octets, 160);
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
        BRIDGE_TEST(test_members_are_listed_in_order),
        BRIDGE_TEST(test_entries_age_at_the_very_instant),
        BRIDGE_TEST(test_traffic_from_an_address_keeps_its_entry),
        BRIDGE_TEST(test_a_move_starts_the_age_anew),
        BRIDGE_TEST(test_static_entries_stay),
        BRIDGE_TEST(test_the_ageing_time_changes_for_all),
        BRIDGE_TEST(test_entries_that_are_gone_do_not_age),
        BRIDGE_TEST(test_what_is_carried_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
