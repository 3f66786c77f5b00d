/* SPDX-License-Identifier: Apache-2.0 */

/* What a switch remembers of access lists for the frames of a flow. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "twin/forwarding/acl.h"
#include "twin/forwarding/frame.h"
#include "twin/switch/sim.h"

enum { PORTS = 3, FRAME_BYTES = 200, STEP_PS = 1000000 };

#define MAC(port) (UINT64_C(0x020000000000) + (port))

struct testbench {
    struct chip chip;
    struct sim *sim;
    struct acl_table *table;
    const struct acl_table *tables[1];
    struct acl_set set;
    struct acl_rule rule;
    struct acl_count count;
    struct sim_frame frame;
    int64_t now_ps;
    enum sim_stage stage;
    uint32_t place; /* Where the table is bound, ... */
    uint16_t vlan;  /* ... or if not 0 this VLAN. */
};

/* Returns a profile with a large limit in a pool of its own. */
static uint32_t
make_profile(struct mmu *mmu, enum mmu_direction direction)
{
    const struct mmu_pool_config pool = {.direction = direction,
                                         .size_bytes = 8 << 20};
    struct mmu_profile_config profile = {.is_static = true,
                                         .static_bytes = 1 << 20};
    struct err err;
    uint32_t id;

    assert_int_equal(mmu_pool_create(mmu, &pool, &profile.pool, &err), ST_OK);
    assert_int_equal(mmu_profile_create(mmu, &profile, &id, &err), ST_OK);
    return id;
}

/* Binds 'set' where the table of 'bench' is. */
static void
bind_set(const struct testbench *bench, const struct acl_set *set)
{
    if (bench->vlan) {
        sim_set_vlan_acl(bench->sim, bench->vlan, set);
    } else {
        sim_set_acl(bench->sim, bench->stage, bench->place, set);
    }
}

/* Makes a switch that bridges frames of one flow from port 0 to port 1; a table
 * with a rule, which counts and matches all, is bound to port 0. */
static int
setup_ingress(void **state)
{
    static struct testbench bench;
    const struct sim_port_config port = {.speed_mbps = 100000,
                                         .mac = MAC(99),
                                         .admin_up = true,
                                         .tx_enabled = true};
    const struct packet packet = {.dst_mac = MAC(1),
                                  .src_mac = MAC(0),
                                  .type = 0x0800,
                                  .kind = PACKET_IPV4,
                                  .src = address_v4(0x0a000001),
                                  .dst = address_v4(0x0b000001),
                                  .ttl = 64,
                                  .protocol = PACKET_UDP,
                                  .has_ports = true,
                                  .src_port = 1000,
                                  .dst_port = 4791};
    struct mmu *mmu;
    struct err err;

    memset(&bench, 0, sizeof bench);
    chip_init(&bench.chip);
    bench.chip.ports = PORTS;
    bench.sim = sim_create(&bench.chip);
    for (uint32_t i = 0; i < PORTS; i++) {
        assert_int_equal(sim_port_add(bench.sim, i, i, &port), ST_OK);
        assert_int_equal(sim_fdb_set(bench.sim, MAC(i), i), ST_OK);
    }
    mmu = sim_mmu(bench.sim);
    assert_int_equal(mmu_pg_attach(mmu, mmu_pg_id(mmu, 0, 0),
                                   make_profile(mmu, MMU_INGRESS), &err),
                     ST_OK);
    assert_int_equal(mmu_queue_attach(mmu, mmu_queue_id(mmu, 1, 0),
                                      make_profile(mmu, MMU_EGRESS), &err),
                     ST_OK);
    bench.frame = (struct sim_frame){.dst_mac = MAC(1),
                                     .src_mac = MAC(0),
                                     .payload = sim_payload_describe(&packet),
                                     .length_bytes = FRAME_BYTES,
                                     .ttl = 64,
                                     .borrows = true};
    bench.table = acl_table_create();
    bench.tables[0] = bench.table;
    bench.set = (struct acl_set){.n = 1, .tables = bench.tables};
    bench.rule.count = &bench.count;
    acl_table_add(bench.table, &bench.rule);
    bind_set(&bench, &bench.set);
    *state = &bench;
    return 0;
}

/* Moves the table of setup_ingress() to 'place' at egress. */
static int
move(void **state, uint32_t place, uint16_t vlan)
{
    struct testbench *bench;
    const int failed = setup_ingress(state);

    bench = *state;
    bind_set(bench, NULL);
    bench->stage = SIM_EGRESS;
    bench->place = place;
    bench->vlan = vlan;
    bind_set(bench, &bench->set);
    return failed;
}

static int
setup_egress(void **state)
{
    return move(state, 1, 0);
}

static int
setup_egress_of_all(void **state)
{
    return move(state, MMU_NONE, 0);
}

/* The frames are in the VLAN, as entries for all VLANs are in none. */
static int
setup_egress_of_vlan(void **state)
{
    const struct fdb_entry entry = {.mac = MAC(1),
                                    .vlan = BRIDGE_DEFAULT_VLAN,
                                    .is_static = true,
                                    .port = 1};
    const int failed = move(state, MMU_NONE, BRIDGE_DEFAULT_VLAN);
    const struct testbench *bench = *state;
    struct fdb *fdb = bridge_fdb(sim_bridge(bench->sim));

    return failed || !fdb_remove(fdb, FDB_ANY_VLAN, MAC(1)) ||
           !fdb_set(fdb, &entry);
}

static int
teardown(void **state)
{
    struct testbench *bench = *state;

    sim_payload_unref(bench->frame.payload);
    sim_destroy(bench->sim);
    acl_table_destroy(bench->table);
    return 0;
}

/* Lets 'n' frames pass. */
static void
pass(struct testbench *bench, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(sim_receive(bench->sim, 0, &bench->frame), ST_OK);
        bench->now_ps += STEP_PS;
        sim_run_until(bench->sim, bench->now_ps);
    }
}

static uint64_t
n_sent(const struct testbench *bench)
{
    struct sim_port_stats stats;

    assert_int_equal(sim_port_get_stats(bench->sim, 1, &stats), ST_OK);
    return stats.tx_ucast_packets;
}

static void
test_each_frame_of_a_known_flow_is_counted(void **state)
{
    struct testbench *bench = *state;

    pass(bench, 5);
    assert_int_equal(bench->count.packets, 5);
    assert_int_equal(bench->count.bytes, 5 * FRAME_BYTES);
    bench->frame.length_bytes = 100;
    pass(bench, 1);
    assert_int_equal(bench->count.bytes, 5 * FRAME_BYTES + 100);
    assert_int_equal(n_sent(bench), 6);
}

/* Requires 'size' bytes at 'offset' to be 'value'. */
static void
narrow(struct testbench *bench, size_t offset, size_t size, const void *value)
{
    static const uint8_t all[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                    0xff, 0xff, 0xff, 0xff};

    acl_table_remove(bench->table, &bench->rule);
    acl_rule_require(&bench->rule, offset, size, value, all);
    acl_table_add(bench->table, &bench->rule);
    sim_change_acl(bench->sim);
}

static void
test_a_rule_about_the_length_is_searched_for_each_frame(void **state)
{
    struct testbench *bench = *state;

    acl_table_remove(bench->table, &bench->rule);
    bench->rule.n_ranges = 1;
    bench->rule.ranges[0] = (struct acl_range){ACL_LENGTH, 0, 150};
    acl_table_add(bench->table, &bench->rule);
    sim_change_acl(bench->sim);
    pass(bench, 2);
    assert_int_equal(bench->count.packets, 0);
    bench->frame.length_bytes = 150;
    pass(bench, 2);
    assert_int_equal(bench->count.packets, 2);
    bench->frame.length_bytes = 151;
    pass(bench, 1);
    assert_int_equal(bench->count.packets, 2);
}

static void
test_a_rule_about_the_ttl_is_searched_for_each_frame(void **state)
{
    struct testbench *bench = *state;
    const uint8_t ttl = 7;

    narrow(bench, offsetof(struct acl_fields, ttl), sizeof ttl, &ttl);
    bench->frame.dscp = 1;
    pass(bench, 2);
    bench->frame.ttl = 7;
    pass(bench, 3);
    bench->frame.ttl = 6;
    pass(bench, 1);
    assert_int_equal(bench->count.packets, 3);
}

static void
test_a_rule_about_ecn_is_searched_for_each_frame(void **state)
{
    struct testbench *bench = *state;
    const uint8_t class_byte = 1 << 2 | 3;

    narrow(bench, offsetof(struct acl_fields, class_byte), 1, &class_byte);
    bench->frame.dscp = 1;
    bench->frame.ecn = 2;
    pass(bench, 2);
    bench->frame.ecn = 3;
    pass(bench, 3);
    bench->frame.ecn = 2;
    pass(bench, 1);
    assert_int_equal(bench->count.packets, 3);
}

static void
test_another_source_is_another_flow(void **state)
{
    struct testbench *bench = *state;
    const uint64_t mac = MAC(7);

    narrow(bench, offsetof(struct acl_fields, src_mac), sizeof mac, &mac);
    pass(bench, 2);
    bench->frame.src_mac = mac;
    pass(bench, 3);
    bench->frame.src_mac = MAC(0);
    pass(bench, 1);
    assert_int_equal(bench->count.packets, 3);
}

static void
test_a_change_takes_effect_with_the_next_frame(void **state)
{
    struct testbench *bench = *state;

    pass(bench, 3);
    bench->rule.actions =
        (struct acl_actions){.kinds = ACL_SETS_ACTION, .action = ACL_DROP};
    sim_change_acl(bench->sim);
    pass(bench, 2);
    assert_int_equal(n_sent(bench), 3);
    assert_int_equal(bench->count.packets, 5);
    bench->rule.actions.action = ACL_FORWARD;
    bench->rule.count = NULL;
    sim_change_acl(bench->sim);
    pass(bench, 2);
    assert_int_equal(n_sent(bench), 5);
    assert_int_equal(bench->count.packets, 5);
    bind_set(bench, NULL);
    pass(bench, 1);
    assert_int_equal(n_sent(bench), 6);
}

#define TEST(setup, test)                                                      \
    {                                                                          \
#setup ": " #test, test, setup, teardown, NULL                         \
    }
/* A sim_way_fn. */
static void
note_way(void *context, uint32_t port, const struct sim_frame *frame)
{
    uint32_t *n = context;

    (void)frame;
    assert_int_equal(port, 1);
    ++*n;
}

static void
test_a_frame_that_is_dropped_leaves_by_no_port(void **state)
{
    struct testbench *bench = *state;
    uint32_t n = 0;

    assert_int_equal(sim_explore(bench->sim, 0, &bench->frame, note_way, &n),
                     ST_OK);
    assert_int_equal(n, 1);
    bench->rule.actions =
        (struct acl_actions){.kinds = ACL_SETS_ACTION, .action = ACL_DROP};
    sim_change_acl(bench->sim);
    assert_int_equal(sim_explore(bench->sim, 0, &bench->frame, note_way, &n),
                     ST_OK);
    assert_int_equal(n, 1);
}

#define TESTS(setup)                                                           \
    TEST(setup, test_each_frame_of_a_known_flow_is_counted),                   \
        TEST(setup, test_a_rule_about_the_length_is_searched_for_each_frame),  \
        TEST(setup, test_a_rule_about_the_ttl_is_searched_for_each_frame),     \
        TEST(setup, test_a_rule_about_ecn_is_searched_for_each_frame),         \
        TEST(setup, test_another_source_is_another_flow),                      \
        TEST(setup, test_a_change_takes_effect_with_the_next_frame),           \
        TEST(setup, test_a_frame_that_is_dropped_leaves_by_no_port)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TESTS(setup_ingress),
        TESTS(setup_egress),
        TESTS(setup_egress_of_all),
        TESTS(setup_egress_of_vlan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
