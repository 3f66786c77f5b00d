/* SPDX-License-Identifier: Apache-2.0 */

/* The scheduler of a port: shares, order, rates, trees. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "twin/qos/scheduler.h"
#include "twin/qos/shaper.h"

#define N(array)  (sizeof(array) / sizeof((array)[0]))
#define NEVER     INT64_MAX
#define SECOND_PS INT64_C(1000000000000)

enum { QUEUES = 8 };

/* A port whose queues are never empty, at 100 Gb/s. */
struct port {
    struct scheduler *scheduler;
    int64_t now_ps;
    uint64_t ready;
    uint64_t random;
    uint64_t bytes[SCHEDULER_QUEUES];
    uint64_t frames[SCHEDULER_QUEUES];
    uint32_t length[SCHEDULER_QUEUES]; /* 0: of random length. */
    uint32_t last_length;
};

static int
setup(void **state)
{
    struct port *p = test_calloc(1, sizeof *p);

    p->scheduler = scheduler_create(NULL, QUEUES);
    p->ready = (1u << QUEUES) - 1;
    p->random = 4711;
    *state = p;
    return 0;
}

static int
teardown(void **state)
{
    struct port *p = *state;

    scheduler_destroy(p->scheduler);
    test_free(p);
    return 0;
}

static uint64_t
random_next(struct port *p)
{
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return p->random >> 33;
}

static void
configure(struct port *p, uint32_t node, enum scheduler_type type,
          uint8_t weight)
{
    const struct scheduler_config config = {.type = type, .weight = weight};

    assert_int_equal(scheduler_set(p->scheduler, node, &config, p->now_ps),
                     ST_OK);
}

static uint32_t
add(struct port *p, uint32_t parent)
{
    uint32_t group = SCHEDULER_NONE;

    assert_int_equal(scheduler_add(p->scheduler, parent, &group), ST_OK);
    return group;
}

static void
move(struct port *p, uint32_t node, uint32_t parent)
{
    assert_int_equal(scheduler_move(p->scheduler, node, parent, p->now_ps),
                     ST_OK);
}

/* Picks the next queue.  Every other frame of a queue that alone is ready and
 * has no rates takes the short way, which must not make a difference. */
static uint32_t
pick(struct port *p, int64_t *again_ps)
{
    const uint32_t queue = (uint32_t)__builtin_ctzll(p->ready);

    if (p->ready == UINT64_C(1) << queue && p->frames[queue] % 2 &&
        scheduler_is_open(p->scheduler, queue)) {
        scheduler_pick_only(p->scheduler, queue);
        return queue;
    }
    return scheduler_pick(p->scheduler, p->ready, p->now_ps, again_ps);
}

/* Sends the next frame, waiting for it if need be.  Returns its queue. */
static uint32_t
send_one(struct port *p)
{
    int64_t again_ps;
    uint32_t queue = pick(p, &again_ps);

    if (queue == SCHEDULER_NONE) {
        assert_true(again_ps > p->now_ps && again_ps != NEVER);
        p->now_ps = again_ps;
        queue = pick(p, &again_ps);
    }
    assert_true(queue != SCHEDULER_NONE);
    assert_true(p->ready >> queue & 1);
    p->last_length = p->length[queue] ? p->length[queue]
                                      : 64 + (uint32_t)(random_next(p) % 1437);
    scheduler_sent(p->scheduler, queue, p->last_length, p->now_ps);
    p->frames[queue]++;
    p->bytes[queue] += p->last_length;
    p->now_ps += (int64_t)p->last_length * 80;
    return queue;
}

static void
send_until(struct port *p, int64_t until_ps)
{
    while (p->now_ps < until_ps) {
        send_one(p);
    }
}

static void
assert_order(struct port *p, const char *queues)
{
    for (size_t i = 0; queues[i]; i++) {
        const uint32_t queue = send_one(p);

        if (queue != (uint32_t)(queues[i] - '0')) {
            fail_msg("frame %zu: queue %u, expected %c", i, queue, queues[i]);
        }
    }
}

/* Shares -------------------------------------------------------------- */

static void
test_by_default_queues_take_turns(void **state)
{
    struct port *p = *state;

    p->ready = 0x0b; /* 0, 1, 3 */
    assert_order(p, "013013");
    p->ready = 0x0f;
    assert_order(p, "0123012");
    p->ready = 0x81;
    assert_order(p, "7070");
}

static void
test_late_queue_does_not_catch_up(void **state)
{
    struct port *p = *state;

    p->ready = 0x03;
    for (int i = 0; i < 1000; i++) {
        send_one(p);
    }
    p->ready = 0x07;
    memset(p->frames, 0, sizeof p->frames);
    for (int i = 0; i < 300; i++) {
        send_one(p);
    }
    for (int q = 0; q < 3; q++) {
        assert_in_range(p->frames[q], 99, 101);
    }
}

/* Of any two queues the work per weight never differs by more than a frame of
 * each. */
static void
assert_fair(const struct port *p, const uint8_t *weights, uint32_t n,
            bool by_bytes, uint32_t longest)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const uint64_t *work = by_bytes ? p->bytes : p->frames;
            const int64_t a = (int64_t)(work[i] * weights[j]);
            const int64_t b = (int64_t)(work[j] * weights[i]);
            const int64_t bound =
                (int64_t)(by_bytes ? longest : 1) * (weights[i] + weights[j]);

            if (llabs(a - b) > bound + weights[i] + weights[j]) {
                fail_msg("queues %u and %u: %lld > %lld", i, j,
                         (long long)(a - b), (long long)bound);
            }
        }
    }
}

static void
test_dwrr_shares_bytes_at_every_moment(void **state)
{
    struct port *p = *state;
    static const uint8_t weights[QUEUES] = {1, 255, 14, 15, 100, 7, 3, 20};

    for (uint32_t i = 0; i < QUEUES; i++) {
        configure(p, i, SCHEDULER_DWRR, weights[i]);
    }
    for (int i = 0; i < 100000; i++) {
        send_one(p);
        assert_fair(p, weights, QUEUES, true, 1500);
    }
}

static void
test_dwrr_shares_are_exact_over_a_round(void **state)
{
    struct port *p = *state;
    static const uint8_t weights[] = {1, 2, 3, 14};

    /* Frames of 300, 200, 100 and 700 bytes: a round of 4,200 bytes per unit of
     * weight has whole numbers of each. */
    p->ready = 0x0f;
    for (uint32_t i = 0; i < N(weights); i++) {
        static const uint32_t lengths[] = {300, 200, 100, 700};

        configure(p, i, SCHEDULER_DWRR, weights[i]);
        p->length[i] = lengths[i];
    }
    for (int round = 1; round <= 50; round++) {
        for (int i = 0; i < 14 + 42 + 126 + 84; i++) {
            send_one(p);
        }
        for (uint32_t i = 0; i < N(weights); i++) {
            assert_int_equal(p->bytes[i], round * 4200 * weights[i]);
        }
    }
}

static void
test_wrr_shares_packets(void **state)
{
    struct port *p = *state;
    static const uint8_t weights[QUEUES] = {5, 1, 14, 15, 100, 7, 3, 20};

    p->length[0] = 9000;
    p->length[1] = 64;
    for (uint32_t i = 0; i < QUEUES; i++) {
        configure(p, i, SCHEDULER_WRR, weights[i]);
    }
    for (int i = 0; i < 165 * 20; i++) {
        send_one(p);
        assert_fair(p, weights, QUEUES, false, 0);
    }
    for (uint32_t i = 0; i < QUEUES; i++) {
        assert_int_equal(p->frames[i], 20 * weights[i]);
    }
}

static void
test_what_a_division_leaves_over_is_not_lost(void **state)
{
    struct port *p = *state;
    static const uint8_t weights[] = {241, 1};

    /* Tags count 1/65,536, of which 241 leaves 225 over: 0.3 % of the work.
     * Without it queue 1 would lack its packet after 291 rounds. */
    p->ready = 3;
    configure(p, 0, SCHEDULER_WRR, weights[0]);
    configure(p, 1, SCHEDULER_WRR, weights[1]);
    for (uint32_t round = 1; round <= 600; round++) {
        for (int i = 0; i < 241 + 1; i++) {
            send_one(p);
        }
        assert_int_equal(p->frames[0], 241 * round);
        assert_int_equal(p->frames[1], round);
    }
}

static void
test_wrr_beside_dwrr_shares_bytes(void **state)
{
    struct port *p = *state;
    static const uint8_t weights[] = {1, 3};

    p->ready = 3;
    p->length[0] = 1500;
    p->length[1] = 100;
    configure(p, 0, SCHEDULER_WRR, 1);
    configure(p, 1, SCHEDULER_DWRR, 3);
    for (int i = 0; i < 1000; i++) {
        send_one(p);
        assert_fair(p, weights, 2, true, 1500);
    }
}

static void
test_dwrr_metered_in_packets_shares_packets(void **state)
{
    struct port *p = *state;

    p->ready = 3;
    for (uint32_t i = 0; i < 2; i++) {
        const struct scheduler_config config = {
            .type = SCHEDULER_DWRR, .weight = 1, .by_packets = true};

        p->length[i] = i ? 9000 : 64;
        assert_int_equal(scheduler_set(p->scheduler, i, &config, 0), ST_OK);
    }
    for (int i = 0; i < 100; i++) {
        send_one(p);
    }
    assert_int_equal(p->frames[0], 50);
}

static void
test_frames_interleave_finely(void **state)
{
    struct port *p = *state;
    static const uint8_t weights[] = {14, 14, 14, 15, 15, 14, 14};

    /* Ten rounds of as many frames as the weight says: when the first queue is
     * through, the others are nearly. */
    p->ready = 0x7f;
    for (uint32_t i = 0; i < N(weights); i++) {
        p->length[i] = 64;
        configure(p, i, SCHEDULER_DWRR, weights[i]);
    }
    for (int left = 1000;;) {
        const uint32_t queue = send_one(p);

        left--;
        if (p->frames[queue] == 10u * weights[queue]) {
            assert_true(left < 10);
            break;
        }
    }
}

static void
test_weight_may_change_while_sending(void **state)
{
    struct port *p = *state;

    p->ready = 3;
    configure(p, 0, SCHEDULER_DWRR, 1);
    configure(p, 1, SCHEDULER_DWRR, 1);
    send_until(p, SECOND_PS / 10000);
    assert_fair(p, (const uint8_t[]){1, 1}, 2, true, 1500);
    configure(p, 1, SCHEDULER_DWRR, 9);
    memset(p->bytes, 0, sizeof p->bytes);
    send_until(p, SECOND_PS / 5000);
    assert_fair(p, (const uint8_t[]){1, 9}, 2, true, 2 * 1500);
}

/* Priority ------------------------------------------------------------ */

static void
test_strict_goes_first_and_the_highest_before_all(void **state)
{
    struct port *p = *state;

    configure(p, 2, SCHEDULER_STRICT, 1);
    configure(p, 6, SCHEDULER_STRICT, 1);
    assert_order(p, "6666");
    p->ready &= ~0x40u;
    assert_order(p, "222");
    p->ready &= ~0x04u;
    assert_order(p, "013457013");
    p->ready |= 0x40u;
    assert_order(p, "66");
    /* That others came between does not change whose turn it is. */
    p->ready &= ~0x40u;
    assert_order(p, "457");
}

static void
test_nothing_ready_is_nothing_to_wait_for(void **state)
{
    struct port *p = *state;
    int64_t again_ps = 0;

    assert_int_equal(scheduler_pick(p->scheduler, 0, 5, &again_ps),
                     SCHEDULER_NONE);
    assert_true(again_ps == NEVER);
}

/* Rates --------------------------------------------------------------- */

static void
limit(struct port *p, uint32_t node, struct scheduler_config config)
{
    config.weight = config.weight ? config.weight : 1;
    assert_int_equal(scheduler_set(p->scheduler, node, &config, p->now_ps),
                     ST_OK);
}

static void
test_maximum_rate_is_kept_exactly(void **state)
{
    struct port *p = *state;
    int64_t again_ps;
    int64_t first_ps;

    p->ready = 0x10;
    p->length[4] = 1000;
    limit(p, 4, (struct scheduler_config){.max_rate = 750000});
    assert_int_equal(scheduler_pick(p->scheduler, p->ready, 0, &again_ps),
                     SCHEDULER_NONE);
    first_ps = again_ps;
    /* After 7,500 further frames of 1,000 bytes ten seconds have gone. */
    for (int i = 0; i <= 7500; i++) {
        send_one(p);
    }
    assert_true(p->now_ps - 80000 - first_ps == 10 * SECOND_PS);
}

static void
test_held_queue_leaves_the_wire_to_others(void **state)
{
    struct port *p = *state;

    p->ready = 3;
    p->length[0] = p->length[1] = 1000;
    limit(p, 1,
          (struct scheduler_config){.type = SCHEDULER_STRICT,
                                    .max_rate = 1250000000, /* A tenth. */
                                    .max_burst = 4000});
    send_until(p, SECOND_PS / 1000);
    assert_in_range(p->bytes[1], 1250000 - 8000, 1250000 + 8000);
    assert_in_range(p->bytes[0], 11250000 - 8000, 11250000 + 8000);
}

static void
test_rate_of_one_blocks_a_port_and_a_queue(void **state)
{
    struct port *p = *state;
    int64_t again_ps;
    const uint32_t root = scheduler_root(p->scheduler);

    limit(p, root, (struct scheduler_config){.max_rate = 1});
    assert_int_equal(
        scheduler_pick(p->scheduler, p->ready, SECOND_PS, &again_ps),
        SCHEDULER_NONE);
    assert_true(again_ps == 64 * SECOND_PS);
    p->now_ps = SECOND_PS;
    limit(p, root, (struct scheduler_config){0});
    assert_order(p, "01");
    limit(p, 2, (struct scheduler_config){.max_rate = 1});
    assert_order(p, "345670134");
    p->ready = 4;
    assert_int_equal(
        scheduler_pick(p->scheduler, p->ready, p->now_ps, &again_ps),
        SCHEDULER_NONE);
    assert_true(again_ps > 64 * SECOND_PS);
}

static void
test_packets_per_second_are_kept(void **state)
{
    struct port *p = *state;

    p->ready = 1;
    limit(p, 0,
          (struct scheduler_config){
              .by_packets = true, .max_rate = 1000000, .max_burst = 1});
    send_until(p, SECOND_PS / 100);
    assert_in_range(p->frames[0], 9999, 10001);
}

static void
test_minimum_rate_comes_before_strict_and_weights(void **state)
{
    struct port *p = *state;
    const uint64_t total = 12500000; /* In a millisecond. */

    p->ready = 7;
    p->length[0] = p->length[1] = p->length[2] = 1000;
    /* 30 % for queue 0 against strict queue 2; nothing is left for 1. */
    limit(p, 0,
          (struct scheduler_config){.type = SCHEDULER_DWRR,
                                    .min_rate = 3750000000});
    configure(p, 1, SCHEDULER_DWRR, 1);
    configure(p, 2, SCHEDULER_STRICT, 1);
    send_until(p, SECOND_PS / 1000);
    assert_in_range(p->bytes[0], total * 3 / 10 - 20000,
                    total * 3 / 10 + 20000);
    assert_int_equal(p->bytes[1], 0);
    /* Against a weight of 99 it is what the minimum says, ... */
    p->ready = 3;
    configure(p, 1, SCHEDULER_DWRR, 99);
    memset(p->bytes, 0, sizeof p->bytes);
    send_until(p, 2 * SECOND_PS / 1000);
    assert_in_range(p->bytes[0], total * 3 / 10 - 20000,
                    total * 31 / 100 + 20000);
    /* ... and with a weight of 1 more than the minimum. */
    configure(p, 1, SCHEDULER_DWRR, 1);
    memset(p->bytes, 0, sizeof p->bytes);
    send_until(p, 3 * SECOND_PS / 1000);
    assert_in_range(p->bytes[0], total / 2 - 20000, total * 7 / 10);
}

/* A guarantee is on top of the share of the rest, not the first part of it. */
static void
test_what_is_guaranteed_is_not_counted_to_the_share(void **state)
{
    struct port *p = *state;
    const uint64_t total = 12500000; /* In a millisecond. */

    p->ready = 3;
    p->length[0] = p->length[1] = 1000;
    limit(p, 0,
          (struct scheduler_config){.type = SCHEDULER_DWRR,
                                    .min_rate = 6250000000});
    configure(p, 1, SCHEDULER_DWRR, 1);
    send_until(p, SECOND_PS / 1000);
    /* Half, and half of the other half. */
    assert_in_range(p->bytes[0], total * 3 / 4 - 30000, total * 3 / 4 + 30000);
}

/* A queue that is empty after each of its frames, and has another one when the
 * next is chosen, owes what it has sent before. */
static void
test_queue_that_runs_empty_keeps_its_debt(void **state)
{
    struct port *p = *state;

    configure(p, 0, SCHEDULER_DWRR, 1);
    configure(p, 1, SCHEDULER_DWRR, 1);
    p->length[0] = 100;
    p->length[1] = 1500;
    for (int i = 0; i < 1000; i++) {
        int64_t again_ps;

        p->ready = 3;
        if (send_one(p) == 1) {
            p->ready = 1;
            scheduler_pick(p->scheduler, p->ready, p->now_ps, &again_ps);
        }
        assert_in_range(p->bytes[1] + 1600, p->bytes[0], p->bytes[0] + 3200);
    }
}

/* The short way is open only to queues that nothing can hold. */
static void
test_rates_close_the_short_way(void **state)
{
    struct port *p = *state;

    assert_true(scheduler_is_open(p->scheduler, 0));
    limit(p, 1,
          (struct scheduler_config){.type = SCHEDULER_STRICT,
                                    .max_rate = 1000000});
    assert_false(scheduler_is_open(p->scheduler, 0));
    assert_false(scheduler_is_open(p->scheduler, 1));
}

/* Trees --------------------------------------------------------------- */

static void
test_groups_share_and_their_queues_share_in_them(void **state)
{
    struct port *p = *state;
    const uint32_t root = scheduler_root(p->scheduler);
    const uint32_t a = add(p, root);
    const uint32_t b = add(p, root);

    p->ready = 0x0f;
    for (uint32_t i = 0; i < 4; i++) {
        p->length[i] = 500;
        move(p, i, i < 2 ? a : b);
        configure(p, i, SCHEDULER_DWRR, i == 1 ? 3 : 1);
    }
    configure(p, a, SCHEDULER_DWRR, 3);
    configure(p, b, SCHEDULER_DWRR, 1);
    for (int i = 0; i < 3200; i++) {
        send_one(p);
    }
    assert_in_range(p->frames[0], 599, 601);
    assert_in_range(p->frames[1], 1799, 1801);
    assert_in_range(p->frames[2], 399, 401);
    assert_in_range(p->frames[3], 399, 401);
    /* What one queue leaves goes to its group first. */
    memset(p->frames, 0, sizeof p->frames);
    p->ready = 0x0d;
    for (int i = 0; i < 800; i++) {
        send_one(p);
    }
    assert_in_range(p->frames[0], 599, 601);
    assert_in_range(p->frames[2], 99, 101);
}

static void
test_rate_of_a_group_is_shared_by_its_queues(void **state)
{
    struct port *p = *state;
    const uint32_t group = add(p, scheduler_root(p->scheduler));

    p->ready = 0x07;
    p->length[0] = p->length[1] = p->length[2] = 1000;
    move(p, 0, group);
    move(p, 1, group);
    limit(p, group,
          (struct scheduler_config){.max_rate = 2500000000, .weight = 100});
    limit(p, 1, (struct scheduler_config){.max_rate = 500000000});
    send_until(p, SECOND_PS / 100);
    assert_in_range(p->bytes[1], 4950000, 5050000);
    assert_in_range(p->bytes[0], 19900000, 20100000);
    assert_in_range(p->bytes[2], 99900000, 100100000);
}

static void
test_strict_groups_win_in_order_of_their_making(void **state)
{
    struct port *p = *state;
    const uint32_t root = scheduler_root(p->scheduler);
    const uint32_t low = add(p, root);
    const uint32_t high = add(p, root);

    move(p, 7, low);
    move(p, 0, high);
    configure(p, low, SCHEDULER_STRICT, 1);
    configure(p, high, SCHEDULER_STRICT, 1);
    configure(p, 6, SCHEDULER_STRICT, 1);
    assert_order(p, "00");
    p->ready &= ~1u;
    assert_order(p, "77");
    p->ready &= ~0x80u;
    assert_order(p, "66");
}

static void
test_tree_refuses_what_cannot_be(void **state)
{
    struct port *p = *state;
    struct scheduler *s = p->scheduler;
    const uint32_t root = scheduler_root(s);
    const uint32_t a = add(p, root);
    const uint32_t b = add(p, a);
    uint32_t group = 77;
    struct scheduler_config bad = SCHEDULER_DEFAULT;

    assert_int_equal(scheduler_add(s, 0, &group), ST_INVALID);
    assert_int_equal(scheduler_add(s, 1000, &group), ST_INVALID);
    assert_int_equal(group, 77);
    assert_int_equal(scheduler_move(s, a, b, 0), ST_INVALID);
    assert_int_equal(scheduler_move(s, a, a, 0), ST_INVALID);
    assert_int_equal(scheduler_move(s, root, a, 0), ST_INVALID);
    assert_int_equal(scheduler_move(s, 3, 4, 0), ST_INVALID);
    assert_int_equal(scheduler_remove(s, a), ST_BUSY);
    assert_int_equal(scheduler_remove(s, root), ST_INVALID);
    assert_int_equal(scheduler_remove(s, 3), ST_INVALID);
    assert_int_equal(scheduler_remove(s, b), ST_OK);
    assert_int_equal(scheduler_remove(s, b), ST_INVALID);
    assert_int_equal(scheduler_parent(s, b), SCHEDULER_NONE);
    assert_int_equal(scheduler_parent(s, a), root);
    assert_int_equal(scheduler_parent(s, root), SCHEDULER_NONE);
    bad.weight = 0;
    assert_int_equal(scheduler_set(s, 0, &bad, 0), ST_INVALID);
    bad.weight = 1;
    bad.type = SCHEDULER_DWRR + 1;
    assert_int_equal(scheduler_set(s, 0, &bad, 0), ST_INVALID);
    bad.type = SCHEDULER_WRR;
    assert_int_equal(scheduler_set(s, b, &bad, 0), ST_INVALID);
    /* A number is given out again. */
    assert_int_equal(add(p, root), b);
}

/* As many queues as a node has room for still get a group each. */
static void
test_all_queues_get_groups_of_their_own(void **state)
{
    struct scheduler *s = scheduler_create(NULL, SCHEDULER_QUEUES);
    const uint64_t ready = UINT64_C(1) << 5 | UINT64_C(1) << 60;
    const struct scheduler_config strict = {.type = SCHEDULER_STRICT,
                                            .weight = 1};
    int64_t again_ps;
    uint32_t top;
    uint32_t group;

    (void)state;
    assert_int_equal(scheduler_add(s, scheduler_root(s), &group),
                     ST_NO_RESOURCE);
    assert_int_equal(scheduler_pick(s, ready, 0, &again_ps), 5);
    scheduler_sent(s, 5, 100, 0);
    assert_int_equal(scheduler_wrap(s, &top), ST_OK);
    assert_int_equal(scheduler_parent(s, 63), top);
    assert_int_equal(scheduler_parent(s, top), scheduler_root(s));
    assert_int_equal(scheduler_pick(s, ready, 0, &again_ps), 60);
    scheduler_sent(s, 60, 100, 0);
    for (uint32_t i = 0; i < SCHEDULER_QUEUES; i++) {
        assert_int_equal(scheduler_add(s, scheduler_root(s), &group), ST_OK);
        assert_int_equal(scheduler_move(s, i, group, 0), ST_OK);
        assert_int_equal(scheduler_move(s, group, top, 0), ST_OK);
    }
    assert_int_equal(scheduler_pick(s, ready, 0, &again_ps), 5);
    assert_int_equal(scheduler_set(s, group - 3, &strict, 0), ST_OK);
    assert_int_equal(scheduler_pick(s, ready, 0, &again_ps), 60);
    scheduler_destroy(s);
}

static void
test_node_has_room_for_so_many_children(void **state)
{
    struct port *p = *state;
    const uint32_t root = scheduler_root(p->scheduler);
    const uint32_t group = add(p, root);
    uint32_t other;

    for (uint32_t i = 0; i < SCHEDULER_CHILDREN; i++) {
        add(p, group);
    }
    assert_int_equal(scheduler_add(p->scheduler, group, &other),
                     ST_NO_RESOURCE);
    assert_int_equal(scheduler_move(p->scheduler, 0, group, 0), ST_NO_RESOURCE);
    assert_order(p, "0123");
}

static void
test_busy_queue_moves_with_its_work(void **state)
{
    struct port *p = *state;
    const uint32_t root = scheduler_root(p->scheduler);
    const uint32_t group = add(p, root);

    p->ready = 0x06;
    assert_order(p, "12");
    move(p, 2, group);
    assert_order(p, "2121");
    move(p, 1, group);
    assert_order(p, "1212");
    move(p, 2, root);
    assert_int_equal(scheduler_remove(p->scheduler, group), ST_BUSY);
    move(p, 1, root);
    assert_int_equal(scheduler_remove(p->scheduler, group), ST_OK);
    assert_order(p, "1212");
}

static void
test_removed_group_takes_its_rates_along(void **state)
{
    struct port *p = *state;
    const uint32_t root = scheduler_root(p->scheduler);
    const uint32_t group = add(p, root);

    limit(p, group,
          (struct scheduler_config){.min_rate = 1000, .max_rate = 1000});
    assert_int_equal(scheduler_remove(p->scheduler, group), ST_OK);
    p->now_ps = 100 * SECOND_PS;
    assert_order(p, "012");
}

/* Anything ------------------------------------------------------------ */

enum { MODEL_GROUPS = 5, MODEL_NODES = QUEUES + 1 + MODEL_GROUPS };

/* A slow scheduler that knows only who may go. */
struct dynamic_state {
    uint32_t parent[MODEL_NODES];
    enum scheduler_type type[MODEL_NODES];
    struct shaper max[MODEL_NODES];
    struct shaper min[MODEL_NODES];
};

static bool
may_go(const struct dynamic_state *m, const struct port *p, uint32_t node)
{
    bool work = false;

    if (shaper_ready_ps(&m->max[node]) > p->now_ps) {
        return false;
    }
    if (node < QUEUES) {
        return p->ready >> node & 1;
    }
    for (uint32_t i = 0; i < MODEL_NODES; i++) {
        work |= i != node && m->parent[i] == node && may_go(m, p, i);
    }
    return work;
}

static bool
is_owed(const struct dynamic_state *m, const struct port *p, uint32_t node)
{
    return shaper_is_on(&m->min[node]) &&
           shaper_ready_ps(&m->min[node]) <= p->now_ps;
}

/* Whether 'a' must not go while its sibling 'b' may. */
static bool
yields(const struct dynamic_state *m, const struct port *p, uint32_t a,
       uint32_t b)
{
    if (is_owed(m, p, a) != is_owed(m, p, b)) {
        return is_owed(m, p, b);
    }
    return m->type[b] == SCHEDULER_STRICT &&
           (m->type[a] != SCHEDULER_STRICT || b > a);
}

static void
check_pick(const struct dynamic_state *m, const struct port *p, uint32_t queue)
{
    for (uint32_t id = queue; id != QUEUES; id = m->parent[id]) {
        assert_true(may_go(m, p, id));
        for (uint32_t i = 0; i < MODEL_NODES; i++) {
            if (i != id && i != QUEUES && m->parent[i] == m->parent[id] &&
                may_go(m, p, i)) {
                assert_false(yields(m, p, id, i));
            }
        }
    }
}

static void
model_sent(struct dynamic_state *m, struct port *p, uint32_t queue,
           uint32_t length)
{
    for (uint32_t id = queue;; id = m->parent[id]) {
        shaper_charge(&m->max[id], length, p->now_ps);
        if (is_owed(m, p, id)) {
            shaper_charge(&m->min[id], length, p->now_ps);
        } else {
            shaper_drain(&m->min[id], length, p->now_ps);
        }
        if (id == QUEUES) {
            return;
        }
    }
}

/* Changes a random node in a random way. */
static void
disturb(struct dynamic_state *m, struct port *p)
{
    static const uint64_t rates[] = {0, 0, 1000000000, 3000000000, 12000000000};
    const uint32_t id = (uint32_t)(random_next(p) % MODEL_NODES);
    const uint32_t to = QUEUES + (uint32_t)(random_next(p) % 3);
    struct scheduler_config config = {
        .type = (enum scheduler_type)(random_next(p) % 3),
        .weight = (uint8_t)(1 + random_next(p) % 255),
        .max_rate = rates[random_next(p) % N(rates)],
        .max_burst = random_next(p) % 20000,
        .min_rate = rates[random_next(p) % N(rates)] / 4,
        .min_burst = random_next(p) % 20000,
    };

    if (random_next(p) % 4 == 0) {
        if (scheduler_move(p->scheduler, id, to, p->now_ps) == ST_OK) {
            m->parent[id] = to;
        }
        return;
    }
    assert_int_equal(scheduler_set(p->scheduler, id, &config, p->now_ps),
                     ST_OK);
    m->type[id] = config.type;
    shaper_set(&m->max[id], config.max_rate, config.max_burst, false,
               p->now_ps);
    shaper_set(&m->min[id], config.min_rate, config.min_burst, false,
               p->now_ps);
}

static void
test_picks_agree_with_a_slow_model(void **state)
{
    struct port *p = *state;
    struct dynamic_state m = {0};
    int none = 0;

    for (uint32_t i = 0; i < MODEL_NODES; i++) {
        m.type[i] = SCHEDULER_WRR;
        m.parent[i] = QUEUES;
        if (i > QUEUES) {
            assert_int_equal(add(p, QUEUES), i);
        }
    }
    for (int step = 0; step < 200000; step++) {
        int64_t again_ps = 0;
        uint32_t queue;

        if (random_next(p) % 50 == 0) {
            disturb(&m, p);
        }
        p->ready ^= random_next(p) & random_next(p) & random_next(p) & 0xff;
        queue = scheduler_pick(p->scheduler, p->ready, p->now_ps, &again_ps);
        if (queue == SCHEDULER_NONE) {
            none++;
            assert_false(may_go(&m, p, QUEUES));
            assert_true(p->ready == 0 || again_ps > p->now_ps);
            p->now_ps += 1 + (int64_t)(random_next(p) % 200000);
            continue;
        }
        check_pick(&m, p, queue);
        p->last_length = 64 + (uint32_t)(random_next(p) % 9000);
        scheduler_sent(p->scheduler, queue, p->last_length, p->now_ps);
        model_sent(&m, p, queue, p->last_length);
        p->now_ps += (int64_t)p->last_length * 80;
    }
    assert_true(none > 1000);
}

enum { FLAT, GROUPED, RATED, FORMS };

/* Makes three trees that are to pick the same: queues below the port, as
 * switches have them (each in a group of its own, below a group of all), and
 * below a port whose rate no wire has. */
static void
make_forms(struct scheduler *forms[FORMS], uint32_t n_queues)
{
    const struct scheduler_config rate = {.weight = 1,
                                          .max_rate = 1000000000000000000};
    uint32_t top;
    uint32_t group;

    for (int i = 0; i < FORMS; i++) {
        forms[i] = scheduler_create(NULL, n_queues);
    }
    assert_int_equal(
        scheduler_add(forms[GROUPED], scheduler_root(forms[GROUPED]), &top),
        ST_OK);
    for (uint32_t i = 0; i < n_queues; i++) {
        assert_int_equal(scheduler_add(forms[GROUPED], top, &group), ST_OK);
        assert_int_equal(group, top + 1 + i);
        assert_int_equal(scheduler_move(forms[GROUPED], i, group, 0), ST_OK);
    }
    assert_int_equal(
        scheduler_set(forms[RATED], scheduler_root(forms[RATED]), &rate, 0),
        ST_OK);
}

/* Compares which queue the forms of a port pick now, and lets it send a frame
 * of 'length_bytes'. */
static void
send_by_forms(struct port *p, struct scheduler *forms[FORMS],
              uint32_t length_bytes)
{
    uint32_t picks[FORMS];

    for (int i = 0; i < FORMS; i++) {
        int64_t again_ps = 0;

        picks[i] = scheduler_pick(forms[i], p->ready, p->now_ps, &again_ps);
        assert_int_equal(picks[i], picks[FLAT]);
        assert_true(picks[i] != SCHEDULER_NONE || again_ps == INT64_MAX);
    }
    if (picks[FLAT] == SCHEDULER_NONE) {
        return;
    }
    for (int i = 0; i < FORMS; i++) {
        scheduler_sent(forms[i], picks[FLAT], length_bytes, p->now_ps);
    }
    p->now_ps += (int64_t)length_bytes * 80;
}

/* Compares the forms of a port with 'n_queues' queues, of which those beyond
 * the first eight are rarely ready. */
static void
compare_forms(struct port *p, uint32_t n_queues)
{
    struct scheduler *forms[FORMS];
    uint32_t extra = SCHEDULER_NONE;

    make_forms(forms, n_queues);
    for (int step = 0; step < 200000; step++) {
        if (random_next(p) % 500 == 0) {
            const uint32_t id = (uint32_t)(random_next(p) % n_queues);
            const struct scheduler_config config = {
                .type = (enum scheduler_type)(random_next(p) % 3),
                .weight = (uint8_t)(1 + random_next(p) % 255)};

            for (int i = 0; i < FORMS; i++) {
                assert_int_equal(
                    scheduler_set(forms[i],
                                  i == GROUPED ? n_queues + 2 + id : id,
                                  &config, p->now_ps),
                    ST_OK);
            }
        }
        /* An empty group beside the top makes no difference either. */
        if (random_next(p) % 1000 == 0) {
            if (extra == SCHEDULER_NONE) {
                assert_int_equal(scheduler_add(forms[GROUPED],
                                               scheduler_root(forms[GROUPED]),
                                               &extra),
                                 ST_OK);
            } else {
                assert_int_equal(scheduler_remove(forms[GROUPED], extra),
                                 ST_OK);
                extra = SCHEDULER_NONE;
            }
        }
        p->ready ^= random_next(p) & random_next(p) & random_next(p) & 0xff;
        if (random_next(p) % 200 == 0) {
            p->ready ^= random_next(p) & ((1u << n_queues) - 1);
        }
        /* Few lengths, so that tags are often equal. */
        send_by_forms(p, forms, 64u << random_next(p) % 4);
    }
    for (int i = 0; i < FORMS; i++) {
        scheduler_destroy(forms[i]);
    }
}

/* Where all queues compete in one group there are quick ways to serve them,
 * which are to make no difference, also as they come and go. */
static void
test_queues_in_one_contest_are_picked_as_in_a_tree(void **state)
{
    compare_forms(*state, QUEUES);
}

static void
test_many_queues_are_picked_as_in_a_tree(void **state)
{
    compare_forms(*state, QUEUES + 5);
}

/* Gives queue 'id' of all forms a weight by bytes. */
static void
set_weight(struct scheduler *forms[FORMS], uint32_t n_queues, uint32_t id)
{
    const struct scheduler_config config = {.type = SCHEDULER_DWRR,
                                            .weight = (uint8_t)(1 + id)};

    for (int i = 0; i < FORMS; i++) {
        assert_int_equal(scheduler_set(forms[i],
                                       i == GROUPED ? n_queues + 2 + id : id,
                                       &config, 0),
                         ST_OK);
    }
}

/* The quick ways count work from a time that they move now and then, even if
 * the tree does not change. */
static void
test_long_runs_are_picked_as_in_a_tree(void **state)
{
    struct port *p = *state;
    struct scheduler *forms[FORMS];

    make_forms(forms, QUEUES + 1);
    for (uint32_t step = 0; step < 100000; step++) {
        if (step < QUEUES || step % 10000 == 0) {
            set_weight(forms, QUEUES + 1, step % QUEUES);
        }
        p->ready ^= random_next(p) & random_next(p) & random_next(p) & 0xff;
        p->ready &= 0xff;
        /* The last queue is one too many for the quickest way. */
        p->ready |= step % 20000 < 5 ? 1u << QUEUES : 0;
        send_by_forms(p, forms, SHAPER_MAX_FRAME_BYTES >> (random_next(p) % 4));
    }
    for (int i = 0; i < FORMS; i++) {
        scheduler_destroy(forms[i]);
    }
}

int
main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_by_default_queues_take_turns),
        T(test_late_queue_does_not_catch_up),
        T(test_dwrr_shares_bytes_at_every_moment),
        T(test_dwrr_shares_are_exact_over_a_round),
        T(test_wrr_shares_packets),
        T(test_what_a_division_leaves_over_is_not_lost),
        T(test_wrr_beside_dwrr_shares_bytes),
        T(test_dwrr_metered_in_packets_shares_packets),
        T(test_frames_interleave_finely),
        T(test_weight_may_change_while_sending),
        T(test_strict_goes_first_and_the_highest_before_all),
        T(test_nothing_ready_is_nothing_to_wait_for),
        T(test_maximum_rate_is_kept_exactly),
        T(test_held_queue_leaves_the_wire_to_others),
        T(test_rate_of_one_blocks_a_port_and_a_queue),
        T(test_packets_per_second_are_kept),
        T(test_minimum_rate_comes_before_strict_and_weights),
        T(test_what_is_guaranteed_is_not_counted_to_the_share),
        T(test_queue_that_runs_empty_keeps_its_debt),
        T(test_rates_close_the_short_way),
        T(test_groups_share_and_their_queues_share_in_them),
        T(test_rate_of_a_group_is_shared_by_its_queues),
        T(test_strict_groups_win_in_order_of_their_making),
        T(test_tree_refuses_what_cannot_be),
        T(test_all_queues_get_groups_of_their_own),
        T(test_node_has_room_for_so_many_children),
        T(test_busy_queue_moves_with_its_work),
        T(test_removed_group_takes_its_rates_along),
        T(test_picks_agree_with_a_slow_model),
        T(test_queues_in_one_contest_are_picked_as_in_a_tree),
        T(test_many_queues_are_picked_as_in_a_tree),
        T(test_long_runs_are_picked_as_in_a_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
