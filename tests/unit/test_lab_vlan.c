/* SPDX-License-Identifier: Apache-2.0 */

/* Hosts in a VLAN: what a T0 does with packets to a host that has been silent
 * for longer than its MAC address lasts, but not its ARP entry. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lab/exec/run_state.h"
#include "tests/support/lab_run.h"

#define S INT64_C(1000000000000)

/* h-1-0 is dead for 7 s, and sends again after 8 s.  A packet every 10 ms is
 * sent to it in each of two classes, one of them lossless.  Others send to each
 * other all the time, so that their adapters could mistake a flooded packet for
 * one of their flows. */
#define SCENARIO(mac_ageing, keys)                                             \
    "name: x\n"                                                                \
    "fabric:\n"                                                                \
    "  clos: {t0: 2, t1: 2, hosts: 3}\n"                                       \
    "  switch: {t0: {vlan: {mac_ageing: " mac_ageing ", arp_ageing: 5s" keys   \
    "}}}\n"                                                                    \
    "traffic:\n"                                                               \
    "  - {name: lossless, priority: 3, raw: {pattern: pairs, from: h-0-0,"     \
    " to: h-1-0, frame: 1230, rate: 1M}}\n"                                    \
    "  - {name: lossy, priority: 0, raw: {pattern: pairs, from: h-0-0,"        \
    " to: h-1-0, frame: 1230, rate: 1M}}\n"                                    \
    "  - {name: others, raw: {pattern: pairs, from: h-1-1, to: h-1-2,"         \
    " both_ways: true, frame: 1230, rate: 1M}}\n"                              \
    "  - {name: back, start: 8s, raw: {pattern: pairs, from: h-1-0,"           \
    " to: h-0-0, frame: 1230, rate: 1M}}\n"                                    \
    "faults: [{loss: 1, link: h-1-0.t0-1, for: 7s}]\n"                         \
    "stop: 9s\n"

enum { PER_S = 100 }; /* Packets of a flow. */

/* What has happened so far. */
struct seen {
    uint64_t received; /* By h-1-0. */
    uint64_t flooded;  /* At h-1-1. */
    uint64_t back;     /* At h-0-0: flooded there as well. */
    uint64_t filtered, unresolved;
};

static uint64_t
strangers(const struct lab_run *lab, const char *host)
{
    const uint32_t node = topology_find(&lab->experiment.topology, host);
    struct nic_stats stats;

    nic_get_stats(run_host(lab->run, node)->nic, &stats);
    return stats.unknown_packets;
}

static uint64_t
received(const struct lab_run *lab, const char *host)
{
    const uint32_t node = topology_find(&lab->experiment.topology, host);
    struct nic_stats stats;

    nic_get_stats(run_host(lab->run, node)->nic, &stats);
    return stats.received_packets - stats.unknown_packets;
}

/* Runs 'lab' for the next 'seconds', and returns what happens meanwhile. */
static struct seen
pass(struct lab_run *lab, int64_t seconds)
{
    const struct seen before = {received(lab, "h-1-0"), strangers(lab, "h-1-1"),
                                strangers(lab, "h-0-1"),
                                lab->drops[SINK_DROP_FILTERED],
                                lab->drops[SINK_DROP_NO_ROUTE]};
    struct err err = {0};

    (void)run_until(lab->run, run_now(lab->run) + seconds * S);
    assert_int_equal(run_balance_check(lab->run, &err), ST_OK);
    return (struct seen){
        received(lab, "h-1-0") - before.received,
        strangers(lab, "h-1-1") - before.flooded,
        strangers(lab, "h-0-1") - before.back,
        lab->drops[SINK_DROP_FILTERED] - before.filtered,
        lab->drops[SINK_DROP_NO_ROUTE] - before.unresolved,
    };
}

#define ASSERT_ABOUT(value, expected)                                          \
    assert_in_range((value), (expected) ? (expected)-4 : 0,                    \
                    (expected) ? (expected) + 4 : 0)

static void
test_an_incomplete_entry_floods(void **state)
{
    struct lab_run *lab = lab_run_create(SCENARIO("2s", ""));
    struct seen seen = pass(lab, 2);

    (void)state;
    /* The switch knows the port of the dead host. */
    assert_int_equal(seen.flooded, 0);
    seen = pass(lab, 3);
    /* It has forgotten it: 3 s of floods. */
    ASSERT_ABOUT(seen.flooded, 2 * 3 * PER_S);
    assert_int_equal(seen.back, 0);
    assert_int_equal(seen.filtered + seen.unresolved, 0);
    seen = pass(lab, 3);
    /* Software has forgotten the MAC address, too. */
    ASSERT_ABOUT(seen.flooded, 0);
    ASSERT_ABOUT(seen.unresolved, 2 * 3 * PER_S);
    assert_int_equal(seen.received, 0);
    seen = pass(lab, 1);
    /* The host has been heard. */
    ASSERT_ABOUT(seen.received, 2 * PER_S);
    ASSERT_ABOUT(seen.flooded, 0);
    lab_run_destroy(lab);
}

static void
test_uplinks_of_the_vlan_get_floods(void **state)
{
    struct lab_run *lab = lab_run_create(SCENARIO("2s", ", uplinks: true"));
    struct seen seen;

    (void)state;
    (void)pass(lab, 2);
    seen = pass(lab, 3);
    ASSERT_ABOUT(seen.flooded, 2 * 3 * PER_S);
    /* The other T1 neither routes them, as they are not for it, nor bridges
     * them. */
    ASSERT_ABOUT(seen.filtered, 2 * 3 * PER_S);
    assert_int_equal(seen.back, 0);
    lab_run_destroy(lab);
}

static void
test_lossless_packets_are_dropped_instead(void **state)
{
    struct lab_run *lab = lab_run_create(
        SCENARIO("2s", ", unknown: drop_lossless, priorities: 3..4"));
    struct seen seen = pass(lab, 2);

    (void)state;
    assert_int_equal(seen.filtered, 0);
    seen = pass(lab, 3);
    ASSERT_ABOUT(seen.filtered, 3 * PER_S);
    ASSERT_ABOUT(seen.flooded, 3 * PER_S); /* Those of the other class. */
    seen = pass(lab, 3);
    ASSERT_ABOUT(seen.unresolved, 2 * 3 * PER_S);
    seen = pass(lab, 1);
    ASSERT_ABOUT(seen.received, 2 * PER_S);
    assert_int_equal(seen.filtered, 0);
    lab_run_destroy(lab);
}

static void
test_equal_times_flood_nothing(void **state)
{
    struct lab_run *lab = lab_run_create(SCENARIO("5s", ", uplinks: true"));
    const struct seen seen = pass(lab, 8);

    (void)state;
    ASSERT_ABOUT(seen.flooded, 0);
    ASSERT_ABOUT(seen.unresolved, 2 * 3 * PER_S);
    lab_run_destroy(lab);
}

static void
test_a_vlan_is_of_hosts(void **state)
{
    struct err err = {0};

    (void)state;
    lab_run_refuse("name: x\n"
                   "fabric:\n"
                   "  clos: {t0: 2, t1: 1, hosts: 3}\n"
                   "  switch: {t1: {vlan: on}}\n"
                   "traffic:\n"
                   "  - {raw: {pattern: pairs, from: h-0-0, to: h-1-0}}\n"
                   "stop: 9s\n",
                   &err);
    assert_non_null(strstr(err.reason, "t1-0 has none"));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_incomplete_entry_floods),
        cmocka_unit_test(test_uplinks_of_the_vlan_get_floods),
        cmocka_unit_test(test_lossless_packets_are_dropped_instead),
        cmocka_unit_test(test_equal_times_flood_nothing),
        cmocka_unit_test(test_a_vlan_is_of_hosts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
