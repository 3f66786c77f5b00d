/* SPDX-License-Identifier: Apache-2.0 */

/* The depths of the first pause and of the first mark of a queue, in a star
 * built from the shipped configuration: n senders fill the queue of one host.
 *
 * The oracle is n alpha S / (1 + n alpha) (lab/oracle/buffer.h), for the PGs of
 * one partition of the buffer, since each partition has an S of its own.  The
 * breakpoint tests compute the same packet for a single switch
 * (breakpoint/thresholds.h). */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "breakpoint/thresholds.h"
#include "lab/exec/run_state.h"
#include "lab/oracle/buffer.h"
#include "tests/support/lab_run.h"
#include "twin/chip/chip.h"
#include "twin/mmu/mmu.h"

enum {
    PRIORITY = 3,
    FRAME_BYTES = 1082, /* Without FCS. */
    CELL_BYTES = 208,
    PACKET_CELLS = 6,
    PARTITIONS = 4,
    /* star-32x100g: the size of the pool and of the lossless profile. */
    POOL_BYTES = 11228672,
    PROFILE_BYTES = 18512,
    KMIN_BYTES = 100000,
    SHARED_CELLS = POOL_BYTES / CELL_BYTES / PARTITIONS,
    GUARANTEE_CELLS = PROFILE_BYTES / CELL_BYTES,
};

/* Returns a star in which 'n' hosts send to h-0-0; a single one as fast as it
 * can to a host that takes half of it.  'wred' replaces fields of the WRED
 * profile. */
static struct lab_run *
make_star(uint32_t n, const char *wred)
{
    char text[2048];

    (void)snprintf(
        text, sizeof text,
        "name: x\n"
        "fabric: {star: {hosts: 32}, switch: {t0: {config: star-32x100g, "
        "set: {'WRED_PROFILE|*': {%s}}}}}\n"
        "hosts: {groups: {slow: {of: h-0-0%s}}}\n"
        "traffic: [{rc: {pattern: incast, from: 'h-0-[1..%u]', "
        "to: h-0-0, size: inf}}]\n"
        "stop: 3ms\n",
        wred,
        n > 1 ? ""
              : ", pcie: gen3x4, rx_fifo: {size: 64KiB, xoff: 20KB, xon: 10KB}",
        (unsigned int)n);
    return lab_run_create(text);
}

/* The PGs of the senders in one partition, in cells. */
struct group {
    uint32_t n;
    uint64_t used, most; /* Of shared memory. */
};

/* Fills 'group' with the PGs of the partition of PG 'of'. */
static void
read_group(const struct lab_run *lab, uint32_t of, struct group *group)
{
    const struct run_switch *sw = &lab->run->switches[0];
    const struct mmu *mmu = sim_mmu(switch_instance_sim(sw->instance));
    const uint32_t in_partition = 32 / PARTITIONS;

    *group = (struct group){0};
    for (uint32_t p = 0; p < 32; p++) {
        struct mmu_pg_stats stats;

        if (p / in_partition != of / in_partition) {
            continue;
        }
        mmu_pg_get(mmu, mmu_pg_id(mmu, sw->slots[p], PRIORITY), &stats);
        group->n += stats.packets > 0;
        group->used += stats.shared;
        group->most = stats.shared > group->most ? stats.shared : group->most;
    }
}

/* Checks the packet with which a PG pauses, as the breakpoint tests compute
 * it. */
static void
check_breakpoint(uint64_t pg_packets, const struct group *group)
{
    const struct thresholds_chip chip = {.unit_bytes = CELL_BYTES,
                                         .round_bytes = 1,
                                         .partitions = PARTITIONS,
                                         .guarantees = true,
                                         .charges_first = true};
    const struct thresholds_group breakpoint = {
        .size_bytes = PROFILE_BYTES,
        .shared = SHARED_CELLS - (group->used - group->most)};
    struct thresholds_result result;

    thresholds_of_group(&chip, &breakpoint, FRAME_BYTES, &result);
    assert_int_equal(result.packet, PACKET_CELLS);
    assert_int_equal(pg_packets, result.pause_at);
}

static void
test_pause(void **state)
{
    static const uint32_t senders[] = {1, 4, 16, 31};
    const struct run_break pause = {.kind = RUN_BREAK_PAUSE};

    (void)state;
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        struct lab_run *lab =
            make_star(senders[i], "wred_green_enable: 'false'");
        const struct run_switch *sw = &lab->run->switches[0];
        const struct mmu *mmu = sim_mmu(switch_instance_sim(sw->instance));
        struct mmu_pg_stats stats;
        struct group group;
        uint64_t depth, point;

        /* With one sender, its receiver asks for the first pause. */
        do {
            run_break(lab->run, &pause);
            assert_int_equal(run_until(lab->run, INT64_MAX), RUN_BROKEN);
        } while (lab->last_pause.by_node != sw->node);
        read_group(lab, lab->last_pause.by_port, &group);
        mmu_pg_get(mmu,
                   mmu_pg_id(mmu, sw->slots[lab->last_pause.by_port], PRIORITY),
                   &stats);
        depth = mmu_queue_cells(mmu, mmu_queue_id(mmu, sw->slots[0], PRIORITY));
        point = buffer_pfc_point(SHARED_CELLS, group.n,
                                 (struct buffer_alpha){1, 1});
        assert_int_equal(stats.guarantee, GUARANTEE_CELLS);
        /* With this packet a limit is reached, and not before. */
        assert_true(group.most + group.used >= SHARED_CELLS);
        assert_true(group.most + group.used < SHARED_CELLS + 2 * PACKET_CELLS);
        assert_in_range(group.used, point - group.n * PACKET_CELLS,
                        point + PACKET_CELLS);
        if (stats.shared == group.most) {
            check_breakpoint((stats.reserved + stats.shared) / PACKET_CELLS,
                             &group);
        }
        assert_true(depth >= group.used);
        lab_run_destroy(lab);
    }
}

/* Packets are marked when they leave.  If all above Kmin are marked, the first
 * mark is that of the first packet that leaves so many behind it; between two
 * of them, n arrive. */
static void
test_mark(void **state)
{
    static const uint32_t senders[] = {2, 4, 16};
    const struct run_break mark = {.kind = RUN_BREAK_MARK};
    const uint64_t packet = PACKET_CELLS * CELL_BYTES;

    (void)state;
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        struct lab_run *lab =
            make_star(senders[i], "green_max_threshold: '100001', "
                                  "green_drop_probability: '100'");
        const uint64_t first = KMIN_BYTES / packet + 1;

        run_break(lab->run, &mark);
        assert_int_equal(run_until(lab->run, INT64_MAX), RUN_BROKEN);
        assert_int_equal(lab->first_mark.depth_bytes % packet, 0);
        assert_in_range(lab->first_mark.depth_bytes / packet, first,
                        first + senders[i] - 1);
        lab_run_destroy(lab);
    }
}

/* With the shipped curve, no packet is marked below Kmin, and marks come before
 * pauses, as the oracle says. */
static void
test_curve(void **state)
{
    struct lab_run *lab = make_star(4, "ecn: ecn_all");
    const struct run_break mark = {.kind = RUN_BREAK_MARK};

    (void)state;
    run_break(lab->run, &mark);
    assert_int_equal(run_until(lab->run, INT64_MAX), RUN_BROKEN);
    assert_true(lab->first_mark.depth_bytes > KMIN_BYTES);
    assert_int_equal(lab->n_pauses, 0);
    assert_int_equal(buffer_first(SHARED_CELLS, 4, (struct buffer_alpha){1, 1},
                                  KMIN_BYTES / CELL_BYTES, 400000 / CELL_BYTES),
                     BUFFER_ECN_FULLY_FIRST);
    lab_run_destroy(lab);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_mark),
        cmocka_unit_test(test_curve),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
