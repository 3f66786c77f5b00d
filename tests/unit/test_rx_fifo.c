/* SPDX-License-Identifier: Apache-2.0 */

/* The receive FIFO of an adapter: PCIe times to the picosecond, marks, drops;
 * and the heap of queue pairs that wait for their pacer. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "twin/nic/ready.h"
#include "twin/nic/rx_fifo.h"

enum { LOSSLESS = 3, LOSSY = 1 };

/* 80 Gb/s: 100 ps per byte. */
static const struct rx_fifo_config config = {
    .size_bytes = 10000,
    .xoff_bytes = {[LOSSLESS] = 3000, [LOSSY] = 2000},
    .xon_bytes = {[LOSSLESS] = 1000, [LOSSY] = 1000},
    .lossless = 1 << LOSSLESS,
    .bits_per_s = UINT64_C(80000000000),
    .latency_ps = 500000,
    .outstanding = 2,
};

/* Adds a packet that needs no reads, and is not dropped. */
static void
add(struct rx_fifo *fifo, uint32_t packet, uint32_t bytes, uint8_t priority,
    int64_t now_ps)
{
    assert_true(rx_fifo_admits(fifo, bytes, priority));
    rx_fifo_add(fifo, packet, bytes, priority, 0, now_ps);
}

static void
test_pcie_rates_of_generations(void **state)
{
    static const struct {
        uint32_t lanes;
        uint32_t mega_transfers_per_s;
        uint64_t deci_gbps;
    } rows[] = {{8, 8000, 572}, {16, 8000, 1144}, {16, 16000, 2288}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t rate =
            rx_fifo_pcie_rate(rows[i].lanes, rows[i].mega_transfers_per_s, 256);

        assert_int_equal((rate + 50000000) / 100000000, rows[i].deci_gbps);
    }
}

static void
test_transfers_follow_each_other_within_the_outstanding_reads(void **state)
{
    struct rx_fifo *fifo = rx_fifo_create(&config);

    (void)state;
    assert_int_equal(rx_fifo_next_ps(fifo), INT64_MAX);
    for (uint32_t i = 0; i < 3; i++) {
        add(fifo, 10 + i, 1000, LOSSLESS, 7);
    }
    /* 100 ns on the bus each; the third waits until the first is done. */
    assert_int_equal(rx_fifo_next_ps(fifo), 7 + 100000 + 500000);
    assert_int_equal(rx_fifo_take(fifo), 10);
    assert_int_equal(rx_fifo_next_ps(fifo), 7 + 200000 + 500000);
    assert_int_equal(rx_fifo_take(fifo), 11);
    assert_int_equal(rx_fifo_next_ps(fifo), 7 + 600000 + 100000 + 500000);
    assert_int_equal(rx_fifo_take(fifo), 12);
    assert_int_equal(rx_fifo_next_ps(fifo), INT64_MAX);
    rx_fifo_destroy(fifo);
}

/* Reads take 300 ns each, of two packets at a time. */
static void
test_reads_come_before_the_transfer(void **state)
{
    static const uint32_t n_reads[] = {1, 2, 1, 0};
    /* The reads end at 300, 600 and 600 ns; a packet without reads waits for
     * those before it.  Then 10 ns on the bus, and 500 until it is done. */
    static const int64_t dones_ps[] = {810000, 1110000, 1120000, 1130000};
    struct rx_fifo_config reading = config;
    struct rx_fifo_work work;
    struct rx_fifo *fifo;

    (void)state;
    reading.lookups = 2;
    reading.lookup_ps = 300000;
    reading.outstanding = 16;
    fifo = rx_fifo_create(&reading);
    for (uint32_t i = 0; i < 4; i++) {
        rx_fifo_add(fifo, i, 100, LOSSLESS, n_reads[i], 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rx_fifo_next_ps(fifo), dones_ps[i]);
        assert_int_equal(rx_fifo_take(fifo), i);
    }
    rx_fifo_get_work(fifo, &work);
    assert_int_equal(work.bus_ps, 40000);
    assert_int_equal(work.lookup_ps, 4 * 300000);
    rx_fifo_destroy(fifo);
}

static void
test_transfers_begin_again_after_a_stall(void **state)
{
    struct rx_fifo *fifo = rx_fifo_create(&config);

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        add(fifo, 10 + i, 1000, LOSSLESS, 7);
    }
    rx_fifo_restart(fifo, 5000000);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rx_fifo_next_ps(fifo),
                         5000000 + (i < 2 ? (i + 1) * 100000 + 500000
                                          : 600000 + 100000 + 500000));
        assert_int_equal(rx_fifo_take(fifo), 10 + i);
    }
    rx_fifo_destroy(fifo);
}

/* What is in the FIFO keeps its time, and nothing overtakes it. */
static void
test_settings_change_while_packets_wait(void **state)
{
    struct rx_fifo *fifo = rx_fifo_create(&config);
    struct rx_fifo_config fast = config;

    (void)state;
    add(fifo, 1, 1000, LOSSLESS, 0);
    add(fifo, 2, 1000, LOSSLESS, 0);
    fast.bits_per_s *= 2;
    fast.latency_ps = 0;
    fast.xoff_bytes[LOSSLESS] = 1999;
    rx_fifo_configure(fifo, &fast);
    assert_int_equal(rx_fifo_xoff(fifo), 1 << LOSSLESS);
    /* It would be done at 650,000 ps, 50 ns after the first one. */
    add(fifo, 3, 1000, LOSSLESS, 0);
    assert_int_equal(rx_fifo_next_ps(fifo), 600000);
    assert_int_equal(rx_fifo_take(fifo), 1);
    assert_int_equal(rx_fifo_next_ps(fifo), 700000);
    assert_int_equal(rx_fifo_take(fifo), 2);
    assert_int_equal(rx_fifo_next_ps(fifo), 700000);
    add(fifo, 4, 1000, LOSSLESS, 700000);
    add(fifo, 5, 1000, LOSSLESS, 700000);
    assert_int_equal(rx_fifo_take(fifo), 3);
    assert_int_equal(rx_fifo_next_ps(fifo), 750000);
    /* Between the marks XOFF stays; a lossy priority has none. */
    assert_int_equal(rx_fifo_xoff(fifo), 1 << LOSSLESS);
    fast.xoff_bytes[LOSSLESS] = 2500;
    rx_fifo_configure(fifo, &fast);
    assert_int_equal(rx_fifo_xoff(fifo), 1 << LOSSLESS);
    fast.xon_bytes[LOSSLESS] = 2000;
    rx_fifo_configure(fifo, &fast);
    assert_int_equal(rx_fifo_xoff(fifo), 0);
    fast.xoff_bytes[LOSSLESS] = 1500;
    fast.xon_bytes[LOSSLESS] = 1000;
    rx_fifo_configure(fifo, &fast);
    assert_int_equal(rx_fifo_xoff(fifo), 1 << LOSSLESS);
    fast.lossless = 0;
    rx_fifo_configure(fifo, &fast);
    assert_int_equal(rx_fifo_xoff(fifo), 0);
    rx_fifo_destroy(fifo);
}

static void
test_fractions_of_picoseconds_are_carried(void **state)
{
    struct rx_fifo_config odd = config;
    struct rx_fifo *fifo;

    (void)state;
    odd.bits_per_s = UINT64_C(24000000000); /* 333 1/3 ps per byte. */
    odd.latency_ps = 0;
    odd.size_bytes = 0;
    fifo = rx_fifo_create(&odd);
    for (uint32_t i = 0; i < 3; i++) {
        add(fifo, i, 1, 0, 0);
    }
    assert_int_equal(rx_fifo_next_ps(fifo), 333);
    rx_fifo_take(fifo);
    assert_int_equal(rx_fifo_next_ps(fifo), 666);
    rx_fifo_take(fifo);
    assert_int_equal(rx_fifo_next_ps(fifo), 1000);
    rx_fifo_destroy(fifo);
}

static void
test_lossless_priority_is_xoff_between_its_marks(void **state)
{
    struct rx_fifo *fifo = rx_fifo_create(&config);

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        add(fifo, i, 1000, LOSSLESS, 0);
    }
    assert_int_equal(rx_fifo_xoff(fifo), 0); /* At the mark, not above. */
    add(fifo, 3, 1, LOSSLESS, 0);
    assert_int_equal(rx_fifo_xoff(fifo), 1 << LOSSLESS);
    rx_fifo_take(fifo);
    rx_fifo_take(fifo);
    assert_int_equal(rx_fifo_xoff(fifo), 1 << LOSSLESS); /* 1,001 bytes. */
    rx_fifo_take(fifo);
    assert_int_equal(rx_fifo_xoff(fifo), 0);
    rx_fifo_destroy(fifo);
}

static void
test_full_fifo_and_lossy_mark_drop(void **state)
{
    struct rx_fifo *fifo = rx_fifo_create(&config);

    (void)state;
    add(fifo, 0, 2000, LOSSY, 0);
    add(fifo, 1, 1, LOSSY, 0); /* It was at the mark, not above. */
    assert_false(rx_fifo_admits(fifo, 1, LOSSY));
    add(fifo, 2, 7999, LOSSLESS, 0);
    assert_false(rx_fifo_admits(fifo, 1, LOSSLESS));
    assert_int_equal(rx_fifo_bytes(fifo), 10000);
    assert_int_equal(rx_fifo_peak_bytes(fifo), 10000);
    assert_int_equal(rx_fifo_packets(fifo), 3);
    rx_fifo_take(fifo);
    rx_fifo_take(fifo);
    assert_int_equal(rx_fifo_bytes(fifo), 7999);
    rx_fifo_destroy(fifo);
}

static void
test_ring_keeps_its_order_while_it_grows(void **state)
{
    struct rx_fifo_config free_config = config;
    struct rx_fifo *fifo;
    uint32_t next = 0;

    (void)state;
    free_config.size_bytes = 0;
    fifo = rx_fifo_create(&free_config);
    for (uint32_t i = 0; i < 1000; i++) {
        add(fifo, i, 10, 0, 0);
        if (i % 3 == 0) {
            assert_int_equal(rx_fifo_take(fifo), next++);
        }
    }
    while (rx_fifo_packets(fifo)) {
        assert_int_equal(rx_fifo_take(fifo), next++);
    }
    assert_int_equal(next, 1000);
    rx_fifo_destroy(fifo);
}

static void
test_heap_orders_by_time_and_number(void **state)
{
    struct ready_heap heap = {0};
    struct random random;
    int64_t last_ps = -1;
    uint32_t last_qp = 0;

    (void)state;
    random_init(&random, 1);
    for (uint32_t i = 0; i < 500; i++) {
        ready_add(&heap, (int64_t)random_below(&random, 50), i);
    }
    for (uint32_t i = 0; i < 500; i += 5) {
        ready_remove(&heap, i);
        ready_remove(&heap, i); /* Not there any more: no effect. */
    }
    assert_int_equal(heap.n, 400);
    while (heap.n) {
        const int64_t when_ps = ready_first_ps(&heap);
        const uint32_t qp = ready_take(&heap);

        assert_true(when_ps > last_ps || (when_ps == last_ps && qp > last_qp));
        assert_int_not_equal(qp % 5, 0);
        last_ps = when_ps;
        last_qp = qp;
    }
    assert_int_equal(ready_first_ps(&heap), INT64_MAX);
    ready_fini(&heap);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pcie_rates_of_generations),
        cmocka_unit_test(
            test_transfers_follow_each_other_within_the_outstanding_reads),
        cmocka_unit_test(test_reads_come_before_the_transfer),
        cmocka_unit_test(test_transfers_begin_again_after_a_stall),
        cmocka_unit_test(test_settings_change_while_packets_wait),
        cmocka_unit_test(test_fractions_of_picoseconds_are_carried),
        cmocka_unit_test(test_lossless_priority_is_xoff_between_its_marks),
        cmocka_unit_test(test_full_fifo_and_lossy_mark_drop),
        cmocka_unit_test(test_ring_keeps_its_order_while_it_grows),
        cmocka_unit_test(test_heap_orders_by_time_and_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
