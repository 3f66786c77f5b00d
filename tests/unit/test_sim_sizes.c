/* SPDX-License-Identifier: Apache-2.0 */

/* Counters of a port by the size of frames, and by kind of address. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "twin/forwarding/bridge.h"
#include "twin/forwarding/fdb.h"
#include "twin/switch/sim.h"
#include "twin/switch/size_runs.h"

enum { PORTS = 3 };

#define MULTICAST UINT64_C(0x01005e000001)

struct fixture {
    struct chip chip;
    struct sim *sim;
    struct sim_payload *payload; /* Makes the unicast frames a known flow. */
};

static uint64_t
mac_of(uint32_t port)
{
    return UINT64_C(0x020000000001) + port;
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    const struct packet packet = {.dst_mac = mac_of(1),
                                  .src_mac = mac_of(0),
                                  .type = 0x0800,
                                  .offset = PACKET_MIN_BYTES,
                                  .kind = PACKET_IPV4,
                                  .ttl = 64};

    f->payload = sim_payload_describe(&packet);
    chip_init(&f->chip);
    f->chip.ports = PORTS;
    f->sim = sim_create(&f->chip);
    for (uint32_t p = 0; p < PORTS; p++) {
        const struct sim_port_config config = {
            .speed_mbps = 100000, .admin_up = true, .tx_enabled = true};
        const struct fdb_entry entry = {.mac = mac_of(p),
                                        .vlan = FDB_ANY_VLAN,
                                        .port = p,
                                        .is_static = true};

        assert_int_equal(sim_port_add(f->sim, p, p, &config), ST_OK);
        assert_true(fdb_set(bridge_fdb(sim_bridge(f->sim)), &entry));
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    sim_destroy(f->sim);
    sim_payload_unref(f->payload);
    test_free(f);
    return 0;
}

static struct sim_port_stats
stats(struct fixture *f, uint32_t port)
{
    struct sim_port_stats s;

    assert_int_equal(sim_port_get_stats(f->sim, port, &s), ST_OK);
    return s;
}

/* Sends 'n' frames from port 0 to 'dst_mac'. */
static void
send(struct fixture *f, uint64_t dst_mac, uint32_t length_bytes, uint64_t n)
{
    const struct sim_frame frame = {.dst_mac = dst_mac,
                                    .src_mac = mac_of(0),
                                    .length_bytes = length_bytes,
                                    .payload = f->payload,
                                    .borrows = true,
                                    .ttl = 64};

    assert_int_equal(sim_send(f->sim, 0, &frame, n, 0, NULL), ST_OK);
    sim_settle(f->sim);
}

/* The first and the last length of each class, without FCS. */
static void
test_classes_end_where_the_standard_says(void **state)
{
    static const uint32_t ends[SIM_N_SIZES][2] = {
        [SIM_SIZE_SHORT] = {14, 59},     [SIM_SIZE_64] = {60, 60},
        [SIM_SIZE_65] = {61, 123},       [SIM_SIZE_128] = {124, 251},
        [SIM_SIZE_256] = {252, 507},     [SIM_SIZE_512] = {508, 1019},
        [SIM_SIZE_1024] = {1020, 1514},  [SIM_SIZE_1519] = {1515, 2043},
        [SIM_SIZE_2048] = {2044, 4091},  [SIM_SIZE_4096] = {4092, 9212},
        [SIM_SIZE_9217] = {9213, 16379}, [SIM_SIZE_16384] = {16380, 65535},
    };
    struct fixture *f = *state;

    for (int size = 0; size < SIM_N_SIZES; size++) {
        for (int end = 0; end < 2; end++) {
            const struct sim_port_stats in = stats(f, 0), out = stats(f, 1);

            send(f, mac_of(1), ends[size][end], 3);
            for (int i = 0; i < SIM_N_SIZES; i++) {
                const uint64_t n = i == size ? 3 : 0;

                assert_int_equal(stats(f, 0).rx_sizes[i] - in.rx_sizes[i], n);
                assert_int_equal(stats(f, 1).tx_sizes[i] - out.tx_sizes[i], n);
            }
        }
    }
}

/* Whatever the order of lengths, also if counters are read in between. */
static void
test_runs_count_like_one_by_one(void **state)
{
    static const uint32_t lengths[] = {60, 64, 255, 256, 1000, 1514, 9000};
    struct fixture *f = *state;
    struct size_totals all = {0};
    struct random random;

    random_init(&random, 1);
    for (int i = 0; i < 2000; i++) {
        const uint32_t length = lengths[random_below(&random, 7)];
        const uint64_t n = random_below(&random, 4);

        send(f, mac_of(1), length, n);
        size_totals_add(&all, length, n);
        if (random_below(&random, 5) == 0) {
            const struct sim_port_stats in = stats(f, 0), out = stats(f, 1);

            assert_int_equal(in.rx_ucast_packets, all.packets);
            assert_int_equal(in.rx_octets, all.octets);
            assert_int_equal(out.tx_ucast_packets, all.packets);
            assert_int_equal(out.tx_octets, all.octets);
            assert_memory_equal(in.rx_sizes, all.sizes, sizeof all.sizes);
            assert_memory_equal(out.tx_sizes, all.sizes, sizeof all.sizes);
        }
    }
}

static void
test_groups_are_multicast_or_broadcast(void **state)
{
    struct fixture *f = *state;
    struct sim_port_stats in, out;

    send(f, FDB_BROADCAST, 60, 2);
    send(f, MULTICAST, 1000, 3);
    send(f, mac_of(1), 1000, 5);
    in = stats(f, 0);
    out = stats(f, 1);
    assert_int_equal(in.rx_broadcast_packets, 2);
    assert_int_equal(in.rx_non_ucast_packets, 5);
    assert_int_equal(in.rx_ucast_packets, 5);
    assert_int_equal(in.rx_sizes[SIM_SIZE_64], 2);
    assert_int_equal(in.rx_sizes[SIM_SIZE_512], 8);
    assert_int_equal(in.rx_octets, 2 * 60 + 8 * 1000);
    assert_int_equal(out.tx_broadcast_packets, 2);
    assert_int_equal(out.tx_non_ucast_packets, 5);
    assert_int_equal(out.tx_ucast_packets, 5);
    assert_int_equal(out.tx_sizes[SIM_SIZE_512], 8);
    assert_int_equal(stats(f, 2).tx_non_ucast_packets, 5);
    assert_int_equal(stats(f, 2).tx_ucast_packets, 0);
    sim_port_clear_stats(f->sim, 1);
    out = stats(f, 1);
    assert_int_equal(out.tx_broadcast_packets + out.tx_non_ucast_packets, 0);
    assert_int_equal(out.tx_sizes[SIM_SIZE_512] + out.tx_octets, 0);
    send(f, mac_of(1), 1000, 1);
    assert_int_equal(stats(f, 1).tx_sizes[SIM_SIZE_512], 1);
}

/* A length that a run cannot have: that of the longest frame with a tag. */
static void
test_longest_frame_counts_without_a_run(void **state)
{
    struct size_totals totals = {0};
    struct size_runs runs = {{0}};

    (void)state;
    for (uint32_t length = 65535; length <= 65539; length += 4) {
        size_runs_count(&runs, &totals, length);
        size_runs_count(&runs, &totals, length);
    }
    size_runs_count(&runs, &totals, 65535);
    size_runs_end(&runs, &totals);
    size_runs_end(&runs, &totals);
    assert_int_equal(totals.packets, 5);
    assert_int_equal(totals.octets, 3 * 65535 + 2 * 65539);
    assert_int_equal(totals.sizes[SIM_SIZE_16384], 5);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_classes_end_where_the_standard_says),
        TEST(test_runs_count_like_one_by_one),
        TEST(test_groups_are_multicast_or_broadcast),
        TEST(test_longest_frame_counts_without_a_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
