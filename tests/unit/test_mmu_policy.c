/* SPDX-License-Identifier: Apache-2.0 */

/* Admission policies, with numbers worked out by hand.
 *
 * The buffer has 1,000 cells, all of them shared by queues that hold one cell
 * per packet.  PGs have no limit, so queues alone decide. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "twin/mmu/mmu_policy.h"

enum {
    CELL = 200,
    CELLS = 1000,
    PORTS = 8,
    PRIORITIES = 2,
    SPEED_MBPS = 1600, /* A cell each us. */
    PS_PER_US = 1000000,
};

struct fixture {
    struct chip chip;
    struct mmu *mmu;
    uint32_t pool;
    int64_t now_ps;
};

static int64_t
clock_now(const void *context)
{
    const struct fixture *f = context;

    return f->now_ps;
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    uint32_t profile;

    chip_init(&f->chip);
    f->chip.ports = PORTS;
    f->chip.pgs_per_port = PRIORITIES;
    f->chip.queues_per_port = PRIORITIES;
    f->chip.pools = 2;
    f->chip.profiles = 3;
    f->chip.cell_bytes = CELL;
    f->chip.memory_bytes = 2 * CELLS * CELL;
    f->chip.port_alpha = CHIP_PORT_ALPHA_NESTED;
    f->chip.egress_threshold = CHIP_THRESHOLD_CHECK_THEN_CHARGE;
    f->mmu = mmu_setup_begin(&f->chip, NULL, PORTS, 1);
    f->pool = mmu_setup_pool(f->mmu, MMU_EGRESS, CELLS * CELL, 0);
    profile = mmu_setup_profile(
        f->mmu, &(struct mmu_profile_config){.pool = f->pool, .dynamic_th = 0});
    for (uint32_t port = 0; port < PORTS; port++) {
        mmu_port_set_speed(f->mmu, port, SPEED_MBPS);
        for (uint32_t i = 0; i < PRIORITIES; i++) {
            mmu_setup_attach_queue(f->mmu, port, i, profile);
        }
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    mmu_setup_end(f->mmu);
    test_free(f);
    return 0;
}

static void
use(struct fixture *f, const char *name)
{
    const struct mmu_policy *policy = mmu_policy_find(name);

    assert_non_null(policy);
    mmu_set_policy(f->mmu, policy, clock_now, f);
}

/* Offers one cell to queue 'index' of 'port'.  Returns whether it fits. */
static bool
offer(struct fixture *f, uint32_t port, uint32_t index)
{
    return mmu_admit(f->mmu, mmu_pg_id(f->mmu, port, index),
                     mmu_queue_id(f->mmu, port, index), CELL,
                     0) == MMU_ADMITTED;
}

static uint64_t
held(const struct fixture *f, uint32_t port, uint32_t index)
{
    return mmu_queue_cells(f->mmu, mmu_queue_id(f->mmu, port, index));
}

/* Fills queue 'index' of 'port' until it is refused a cell.  Returns what it
 * holds. */
static uint64_t
fill(struct fixture *f, uint32_t port, uint32_t index)
{
    while (offer(f, port, index)) {
    }
    return held(f, port, index);
}

/* Offers two cells to queues 'index' of the first 'n' ports in turn, and takes
 * one out, until that changes nothing any more.  Returns the sum of what they
 * hold. */
static uint64_t
press(struct fixture *f, uint32_t n, uint32_t index)
{
    uint64_t sum = 0;

    for (int round = 0; round < CELLS; round++) {
        for (uint32_t port = 0; port < n; port++) {
            struct mmu_departure departure;

            (void)mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, port, index),
                              &departure);
            (void)offer(f, port, index);
            (void)offer(f, port, index);
        }
    }
    for (uint32_t port = 0; port < n; port++) {
        sum += held(f, port, index);
    }
    return sum;
}

/* Takes 'n' packets out of queue 0 of port 0, one each 'gap_us'. */
static void
drain(struct fixture *f, int n, int gap_us)
{
    for (int i = 0; i < n; i++) {
        struct mmu_departure departure;

        f->now_ps += (int64_t)gap_us * PS_PER_US;
        assert_true(
            mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, 0, 0), &departure));
    }
}

static void
test_names(void **unused)
{
    static const char *const words[] = {
#define X(member, text) text,
        CHIP_ADMISSIONS(X)
#undef X
    };

    (void)unused;
    assert_null(mmu_policy_find("fifo"));
    /* All words of chip files have one, but that of the built-in rule. */
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_true((mmu_policy_find(words[i]) == NULL) ==
                    (i == CHIP_ADMISSION_BUILT_IN));
    }
    for (size_t i = 0; mmu_policy_at(i); i++) {
        assert_ptr_equal(mmu_policy_find(mmu_policy_at(i)->name),
                         mmu_policy_at(i));
    }
}

/* u = S - U: 500 of 1,000, then 250 of what is left, then 125. */
static void
test_dt(void **state)
{
    struct fixture *f = *state;

    use(f, "dt");
    assert_int_equal(fill(f, 0, 0), 500);
    assert_int_equal(fill(f, 1, 0), 250);
    assert_int_equal(fill(f, 2, 0), 125);
}

static void
test_complete_sharing(void **state)
{
    struct fixture *f = *state;

    use(f, "complete_sharing");
    assert_int_equal(fill(f, 0, 0), 1000);
    assert_int_equal(fill(f, 1, 0), 0);
}

/* The limit of queue 'index' of 'port' now. */
static uint64_t
limit_of(const struct fixture *f, uint32_t port, uint32_t index)
{
    struct mmu_queue_stats stats;

    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, port, index), &stats);
    return stats.limit;
}

/* Within the limit of the port: u = (1,000 - u) / 2. */
static void
test_complete_sharing_of_a_port(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        mmu_port_attach(
            f->mmu, 0, f->pool,
            mmu_setup_profile(f->mmu,
                              &(struct mmu_profile_config){.pool = f->pool,
                                                           .dynamic_th = -1}),
            NULL),
        ST_OK);
    use(f, "complete_sharing");
    assert_int_equal(limit_of(f, 0, 0), 500);
    assert_int_equal(fill(f, 0, 0), 333);
    assert_int_equal(fill(f, 0, 1), 0);
    assert_int_equal(fill(f, 1, 0), 667);
}

/* Half of S for each, as long as there is any. */
static void
test_static(void **state)
{
    struct fixture *f = *state;

    use(f, "static");
    assert_int_equal(fill(f, 0, 0), 500);
    assert_int_equal(fill(f, 1, 1), 500);
    assert_int_equal(fill(f, 2, 0), 0);
}

/* The formula by itself: alpha / n * (B - Q) * mu / b. */
static void
test_abm_formula(void **unused)
{
    static const struct {
        uint64_t dynamic;
        uint32_t congested;
        uint32_t drain;
        uint64_t limit;
    } rows[] = {
        {1000, 1, MMU_POLICY_WHOLE, 1000},
        {1000, 4, MMU_POLICY_WHOLE, 250},
        {1000, 4, MMU_POLICY_WHOLE / 2, 125},
        {1000, 3, MMU_POLICY_WHOLE / 8, 41}, /* 333 / 8 */
        {1000, 1, 0, 0},
        {UINT64_C(1) << 62, 1, MMU_POLICY_WHOLE, (UINT64_C(1) << 48) - 1},
    };
    const struct mmu_policy *abm = mmu_policy_find("abm");

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct mmu_policy_view view = {.dynamic = rows[i].dynamic,
                                             .congested = rows[i].congested,
                                             .drain = rows[i].drain};

        assert_int_equal(abm->limit(&view), rows[i].limit);
    }
}

/* A priority holds alpha / (1 + alpha) * B = 500 cells, whether one queue of it
 * is congested or many are; with dt all of 8 queues hold 8 / 9. */
static void
test_abm_priority(void **state)
{
    struct fixture *f = *state;

    use(f, "abm");
    for (uint32_t n = 1; n <= PORTS; n *= 2) {
        assert_in_range(press(f, n, 0), 500 - n, 500 + n);
        for (uint32_t port = 0; port < n; port++) {
            mmu_queue_flush(f->mmu, mmu_queue_id(f->mmu, port, 0), MMU_FLUSHED);
        }
    }
    use(f, "dt");
    assert_in_range(press(f, PORTS, 0), 880, 896);
}

/* Isolation: beside a priority that congests 8 queues, another one of one queue
 * has alpha / (1 + 2 alpha) * B = 333 cells.  With dt it has 1 / 10. */
static void
test_abm_isolation(void **state)
{
    struct fixture *f = *state;

    use(f, "abm");
    (void)press(f, PORTS, 0);
    for (int round = 0; round < 10; round++) {
        (void)press(f, 1, 1);
        (void)press(f, PORTS, 0);
    }
    assert_in_range(held(f, 0, 1), 325, 340);
}

/* mu / b: 10 of 20 us of the port's time, so half of the limit. */
static void
test_abm_drain(void **state)
{
    struct fixture *f = *state;
    struct mmu_queue_stats stats;

    use(f, "abm");
    for (int i = 0; i < 100; i++) {
        assert_true(offer(f, 0, 0));
    }
    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 0, 0), &stats);
    assert_int_equal(stats.limit, 900);
    drain(f, 10, 2);
    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 0, 0), &stats);
    assert_int_equal(stats.limit, 910 / 2);
    /* One that stands still for long has nothing. */
    f->now_ps += INT64_C(1000000) * PS_PER_US;
    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 0, 0), &stats);
    assert_int_equal(stats.limit, 0);
    /* An empty one may be sent at the rate of its port. */
    mmu_queue_flush(f->mmu, mmu_queue_id(f->mmu, 0, 0), MMU_FLUSHED);
    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 0, 0), &stats);
    assert_int_equal(stats.limit, 1000);
}

/* One that became empty begins a period with its next packet, however long ago
 * that was. */
static void
test_abm_drain_begins_again(void **state)
{
    struct fixture *f = *state;

    use(f, "abm");
    for (int i = 0; i < 10; i++) {
        assert_true(offer(f, 0, 0));
    }
    drain(f, 10, 2);
    f->now_ps += INT64_C(1000000) * PS_PER_US;
    assert_true(offer(f, 0, 0));
    assert_int_equal(limit_of(f, 0, 0), 999);
}

/* A queue is congested from 9/10 of its limit on.  Queue 0 of port 1 is; that
 * of port 0 holds s, and 'rest' - s cells are free. */
static void
test_abm_congestion_begins_at_nine_tenths(void **state)
{
    static const struct {
        uint64_t rest, most; /* That it holds and is not congested. */
    } rows[] = {{190, 89},   /* Of a limit of 100, 90 are 9/10. */
                {198, 93}};  /* 93 of 105: 94.5; 94 of 104: 93.6. */
    struct fixture *f = *state;

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const uint64_t rest = rows[row].rest, most = rows[row].most;
        struct mmu_departure departure;

        use(f, "complete_sharing");
        for (uint64_t i = 0; i < 400; i++) {
            assert_true(offer(f, 1, 0));
        }
        for (uint64_t i = 0; i < 601 - rest; i++) {
            assert_true(offer(f, 2, 1));
        }
        use(f, "abm");
        assert_true(
            mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, 1, 0), &departure));
        for (uint64_t i = 0; i < most; i++) {
            assert_true(offer(f, 0, 0));
        }
        assert_int_equal(limit_of(f, 1, 0), rest - most);
        assert_true(offer(f, 0, 0));
        assert_int_equal(limit_of(f, 1, 0), (rest - most - 1) / 2);
        for (uint32_t port = 0; port < 3; port++) {
            mmu_port_flush(f->mmu, port, MMU_FLUSHED);
        }
    }
}

/* A queue that is empty is not congested, even if its limit is 0. */
static void
test_abm_an_empty_queue_is_not_congested(void **state)
{
    struct fixture *f = *state;
    struct mmu_departure departure;

    use(f, "complete_sharing");
    assert_true(offer(f, 0, 0));
    assert_int_equal(fill(f, 1, 0), 999);
    use(f, "abm");
    assert_true(mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, 0, 0), &departure));
    for (int i = 0; i < 500; i++) {
        assert_true(
            mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, 1, 0), &departure));
    }
    assert_int_equal(limit_of(f, 1, 0), 501);
}

/* Queues of another pool do not count. */
static void
test_abm_counts_by_pool(void **state)
{
    struct fixture *f = *state;
    const uint32_t pool = mmu_setup_pool(f->mmu, MMU_EGRESS, CELLS * CELL, 0);

    mmu_setup_attach_queue(
        f->mmu, 7, 0,
        mmu_setup_profile(f->mmu, &(struct mmu_profile_config){
                                      .pool = pool, .dynamic_th = 0}));
    use(f, "abm");
    assert_int_equal(fill(f, 7, 0), 500);
    assert_int_equal(fill(f, 0, 0), 500);
}

/* PGs have policies, too: what has left counts for the PG that it came from,
 * and a policy that raises the limit of a PG ends its pause at once. */
static void
test_policies_of_pgs(void **state)
{
    struct fixture *f = *state;
    const uint32_t pool = mmu_setup_pool(f->mmu, MMU_INGRESS, CELLS * CELL, 0);
    const uint32_t pg = mmu_pg_id(f->mmu, 0, 0);
    struct mmu_pg_stats stats;

    mmu_setup_attach_pg(
        f->mmu, 0, 0,
        mmu_setup_profile(f->mmu, &(struct mmu_profile_config){
                                      .pool = pool,
                                      .dynamic_th = 0,
                                      .xoff_bytes = 10 * CELL,
                                      .xon_offset_bytes = 100 * CELL}));
    use(f, "abm");
    for (int i = 0; i < 100; i++) {
        assert_true(offer(f, 0, 0));
    }
    drain(f, 10, 2);
    mmu_pg_get(f->mmu, pg, &stats);
    assert_int_equal(stats.limit, 910 / 2);

    mmu_queue_flush(f->mmu, mmu_queue_id(f->mmu, 0, 0), MMU_FLUSHED);
    use(f, "static");
    mmu_setup_attach_queue(f->mmu, 0, 0, MMU_NONE);
    for (int i = 0; i < 505; i++) {
        assert_true(offer(f, 0, 0));
    }
    drain(f, 5, 1);
    assert_true(mmu_pg_is_xoff(f->mmu, pg)); /* Until it holds 400. */
    use(f, "complete_sharing");
    assert_false(mmu_pg_is_xoff(f->mmu, pg));
}

/* A port that is removed takes its congestion with it. */
static void
test_abm_port_removed(void **state)
{
    struct fixture *f = *state;

    use(f, "abm");
    (void)press(f, 4, 0);
    for (uint32_t port = 0; port < 4; port++) {
        assert_int_equal(mmu_port_remove(f->mmu, port), ST_OK);
    }
    assert_int_equal(fill(f, 5, 0), 500);
}

/* Also that of a PG whose packets stay in the queue of another port. */
static void
test_abm_port_of_a_pg_removed(void **state)
{
    struct fixture *f = *state;
    const uint32_t pool = mmu_setup_pool(f->mmu, MMU_INGRESS, CELLS * CELL, 0);
    const uint32_t profile = mmu_setup_profile(
        f->mmu, &(struct mmu_profile_config){.pool = pool, .dynamic_th = 0});
    const uint32_t queue = mmu_queue_id(f->mmu, 1, 0);
    uint64_t n = 0;

    mmu_setup_attach_queue(f->mmu, 1, 0, MMU_NONE);
    mmu_setup_attach_pg(f->mmu, 0, 0, profile);
    mmu_setup_attach_pg(f->mmu, 5, 0, profile);
    use(f, "abm");
    while (mmu_admit(f->mmu, mmu_pg_id(f->mmu, 0, 0), queue, CELL, 0) ==
           MMU_ADMITTED) {
        n++;
    }
    assert_int_equal(n, 500);
    assert_int_equal(mmu_port_remove(f->mmu, 0), ST_OK);
    while (mmu_admit(f->mmu, mmu_pg_id(f->mmu, 5, 0), queue, CELL, 0) ==
           MMU_ADMITTED) {
        n++;
    }
    assert_int_equal(n, 750);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        TEST(test_dt),
        TEST(test_complete_sharing),
        TEST(test_complete_sharing_of_a_port),
        TEST(test_static),
        cmocka_unit_test(test_abm_formula),
        TEST(test_abm_priority),
        TEST(test_abm_isolation),
        TEST(test_abm_drain),
        TEST(test_abm_drain_begins_again),
        TEST(test_abm_congestion_begins_at_nine_tenths),
        TEST(test_abm_an_empty_queue_is_not_congested),
        TEST(test_abm_counts_by_pool),
        TEST(test_policies_of_pgs),
        TEST(test_abm_port_removed),
        TEST(test_abm_port_of_a_pg_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
