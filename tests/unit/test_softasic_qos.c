/* SPDX-License-Identifier: Apache-2.0 */

/* QoS through SAI: what schedulers, WRED profiles, maps and pauses do to
 * frames, in virtual time and frame by frame. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sai.h>

#include "tests/support/qos_setup.h"

enum { FRAME = 1000 };

#define SECOND_PS INT64_C(1000000000000)

/* FRAME bytes, and a quantum, at 100 Gb/s. */
#define WIRE_PS    INT64_C(81920)
#define QUANTUM_PS INT64_C(5120)

static int
setup(void **state)
{
    return qos_setup_setup(state, NULL);
}

/* How many times slower lines are, where they are. */
#define LINE_DILATION 50

static int
setup_slow_lines(void **state)
{
    int result;

    asic_setup_dilate_lines("50");
    result = qos_setup_setup(state, NULL);
    asic_setup_dilate_lines(NULL);
    return result;
}

/* The leaf group of queue 'index'. */
static sai_object_id_t
group_of(struct qos_setup *f, uint32_t index)
{
    return asic_setup_child(f->bench, f->ports[1],
                            SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST, 1 + index);
}

static void
set_group(struct qos_setup *f, sai_object_id_t group, sai_attr_id_t id,
          sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    OK(f->bench->group_api->set_scheduler_group_attribute(group, &attribute));
}

static void
send_as(struct qos_setup *f, uint32_t n, struct softasic_send send)
{
    struct softasic_sent sent;

    send.from = f->ports[0];
    send.to = f->ports[1];
    send.n_frames = n;
    send.frame_bytes = FRAME;
    OK(f->bench->ops->send(&send, &sent));
    assert_int_equal(sent.n_frames, n);
}

static void
send(struct qos_setup *f, uint32_t n, uint8_t dscp, uint8_t ecn)
{
    send_as(f, n, (struct softasic_send){.dscp = dscp, .ecn = ecn});
}

static int64_t
now(struct qos_setup *f)
{
    int64_t now_ps = -1;

    OK(f->bench->ops->now(&now_ps));
    return now_ps;
}

/* Schedulers ---------------------------------------------------------- */

struct rates {
    uint64_t min;
    uint64_t max;
    uint64_t max_burst;
};

static sai_object_id_t
make_scheduler(struct qos_setup *f, sai_scheduling_type_t type, uint8_t weight,
               struct rates rates)
{
    const sai_attribute_t attributes[] = {
        {SAI_SCHEDULER_ATTR_SCHEDULING_TYPE, {.s32 = (sai_int32_t)type}},
        {SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, {.u8 = weight}},
        {SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE, {.u64 = rates.min}},
        {SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE, {.u64 = rates.max}},
        {SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_BURST_RATE, {.u64 = rates.max_burst}},
    };
    sai_object_id_t scheduler = SAI_NULL_OBJECT_ID;

    OK(f->bench->scheduler_api->create_scheduler(&scheduler, f->bench->sw,
                                                 N(attributes), attributes));
    return scheduler;
}

static void
set_scheduler(struct qos_setup *f, sai_object_id_t scheduler, sai_attr_id_t id,
              sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    OK(f->bench->scheduler_api->set_scheduler_attribute(scheduler, &attribute));
}

static void
test_without_schedulers_queues_take_turns(void **state)
{
    struct qos_setup *f = *state;

    qos_setup_block(f, true);
    for (uint8_t q = 0; q < 4; q++) {
        send(f, 10, q, 0);
    }
    qos_setup_watch(f);
    qos_setup_block(f, false);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 40);
    for (uint32_t i = 0; i < 40; i++) {
        assert_int_equal(f->left[i].queue_index, i % 4);
        assert_true(f->left[i].now_ps == f->left[0].now_ps + i * WIRE_PS);
    }
}

/* Whether the profile is the queue's or its group's makes no difference. */
static void
test_strict_beats_weights(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t strict =
        make_scheduler(f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){0});
    const sai_object_id_t weighted =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 255, (struct rates){0});

    qos_setup_set_queue(f, 5, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(strict));
    set_group(f, group_of(f, 2), SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID,
              OID(strict));
    qos_setup_set_queue(f, 7, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                        OID(weighted));
    qos_setup_block(f, true);
    send(f, 20, 7, 0);
    send(f, 20, 2, 0);
    send(f, 20, 5, 0);
    qos_setup_watch(f);
    qos_setup_block(f, false);
    qos_setup_drain(f);
    assert_int_equal(qos_setup_count(f, 0, 20, 5), 20);
    assert_int_equal(qos_setup_count(f, 20, 20, 2), 20);
    assert_int_equal(qos_setup_count(f, 40, 20, 7), 20);
}

/* As testers of switches do it: when the first queue is through, few frames of
 * the others are left. */
static void
test_weights_share_the_wire(void **state)
{
    static const uint8_t weights[] = {14, 14, 14, 15, 15, 14, 14};
    struct qos_setup *f = *state;
    uint32_t left[N(weights)];
    uint32_t total = 0;

    qos_setup_block(f, true);
    for (uint8_t q = 0; q < N(weights); q++) {
        const sai_object_id_t scheduler = make_scheduler(
            f, SAI_SCHEDULING_TYPE_DWRR, weights[q], (struct rates){0});

        qos_setup_set_queue(f, q, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                            OID(scheduler));
        left[q] = 10u * weights[q];
        total += left[q];
        send(f, left[q], q, 0);
    }
    qos_setup_watch(f);
    qos_setup_block(f, false);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, total);
    for (uint32_t i = 0; i < total; i++) {
        if (--left[f->left[i].queue_index] == 0) {
            assert_true(total - i - 1 < 10);
            return;
        }
    }
    fail();
}

static void
test_weight_may_change_under_load(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t one =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 10, (struct rates){0});
    const sai_object_id_t other =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 10, (struct rates){0});

    qos_setup_set_queue(f, 1, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(one));
    qos_setup_set_queue(f, 2, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(other));
    qos_setup_block(f, true);
    send(f, 1000, 1, 0);
    send(f, 1000, 2, 0);
    qos_setup_watch(f);
    qos_setup_block(f, false);
    OK(f->bench->ops->run(400 * WIRE_PS));
    set_scheduler(f, other, SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, U8(30));
    qos_setup_drain(f);
    assert_in_range(qos_setup_count(f, 0, 400, 1), 199, 201);
    /* 400 frames on one side of three to one. */
    assert_in_range(qos_setup_count(f, 402, 400, 2), 298, 302);
    assert_int_equal(f->n_left, 2000);
}

static void
test_maximum_rate_of_a_queue_is_exact(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t scheduler = make_scheduler(
        f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){.max = 750000});

    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                        OID(scheduler));
    qos_setup_watch(f);
    send(f, 751, 3, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 751);
    /* 750 frames of 1,000 bytes at 750,000 bytes per second. */
    assert_true(f->left[750].now_ps - f->left[0].now_ps == SECOND_PS);
}

static void
test_rate_of_one_blocks_and_of_zero_releases(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t scheduler = make_scheduler(
        f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){.max = 1});
    struct softasic_port_state port;
    const int64_t before = now(f);

    qos_setup_set_port(f, 1, SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID,
                       OID(scheduler));
    qos_setup_watch(f);
    send(f, 100, 3, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 0);
    assert_true(now(f) - before < SECOND_PS / 1000);
    OK(f->bench->ops->port_state(f->ports[1], &port));
    assert_int_equal(port.n_queued, 100);
    OK(f->bench->ops->run(10 * SECOND_PS));
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 0);
    set_scheduler(f, scheduler, SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE, U64(0));
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 100);
    /* The same on one queue, and another that is not touched. */
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID,
                       OID(SAI_NULL_OBJECT_ID));
    set_scheduler(f, scheduler, SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE, U64(1));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                        OID(scheduler));
    send(f, 10, 3, 0);
    send(f, 10, 4, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 10);
    assert_int_equal(qos_setup_count(f, 0, 10, 4), 10);
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                        OID(SAI_NULL_OBJECT_ID));
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 10);
    OK(f->bench->scheduler_api->remove_scheduler(scheduler));
}

static void
test_minimum_rate_survives_strict_neighbors(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t low =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 1,
                       (struct rates){.min = 2500000000}); /* A fifth. */
    const sai_object_id_t high =
        make_scheduler(f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){0});

    set_group(f, group_of(f, 1), SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID,
              OID(low));
    qos_setup_set_queue(f, 6, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(high));
    qos_setup_block(f, true);
    send(f, 1000, 1, 0);
    send(f, 1000, 6, 0);
    qos_setup_watch(f);
    qos_setup_block(f, false);
    qos_setup_drain(f);
    /* Of the wire's bytes, overhead included, it is a little more. */
    assert_in_range(qos_setup_count(f, 0, 1000, 1), 195, 230);
}

static sai_object_id_t
make_group(struct qos_setup *f, uint8_t level, sai_object_id_t parent,
           sai_object_id_t scheduler)
{
    const sai_attribute_t attributes[] = {
        {SAI_SCHEDULER_GROUP_ATTR_PORT_ID, {.oid = f->ports[1]}},
        {SAI_SCHEDULER_GROUP_ATTR_LEVEL, {.u8 = level}},
        {SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS, {.u8 = 8}},
        {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE, {.oid = parent}},
        {SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID, {.oid = scheduler}},
    };
    sai_object_id_t group = SAI_NULL_OBJECT_ID;

    OK(f->bench->group_api->create_scheduler_group(&group, f->bench->sw,
                                                   N(attributes), attributes));
    return group;
}

static void
test_groups_share_before_their_queues(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t three =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 3, (struct rates){0});
    const sai_object_id_t one =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 1, (struct rates){0});
    const sai_object_id_t left = make_group(f, 0, f->ports[1], three);
    const sai_object_id_t right = make_group(f, 0, f->ports[1], one);

    qos_setup_block(f, true);
    for (uint8_t q = 0; q < 4; q++) {
        qos_setup_set_queue(f, q, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                            OID(q < 2 ? left : right));
        qos_setup_set_queue(f, q, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                            OID(q == 0 ? three : one));
        send(f, 400, q, 0);
    }
    qos_setup_watch(f);
    qos_setup_block(f, false);
    qos_setup_drain(f);
    assert_in_range(qos_setup_count(f, 0, 320, 0), 178, 182);
    assert_in_range(qos_setup_count(f, 0, 320, 1), 58, 62);
    assert_in_range(qos_setup_count(f, 0, 320, 2), 38, 42);
    assert_in_range(qos_setup_count(f, 0, 320, 3), 38, 42);
    /* Groups are held by their queues, schedulers by both. */
    assert_int_equal(f->bench->group_api->remove_scheduler_group(left),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(f->bench->scheduler_api->remove_scheduler(three),
                     SAI_STATUS_OBJECT_IN_USE);
    for (uint8_t q = 0; q < 4; q++) {
        qos_setup_set_queue(f, q, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                            OID(group_of(f, q)));
    }
    OK(f->bench->group_api->remove_scheduler_group(left));
    OK(f->bench->group_api->remove_scheduler_group(right));
    /* The queues took their profiles along, and weigh in their leaves again. */
    qos_setup_block(f, true);
    send(f, 90, 0, 0);
    send(f, 90, 1, 0);
    qos_setup_block(f, false);
    qos_setup_drain(f);
    assert_in_range(qos_setup_count(f, 0, 40, 0), 29, 31);
}

static void
test_rate_of_a_group_holds_its_queues(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t slow =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 1,
                       (struct rates){.max = 1000000, .max_burst = 1});
    const sai_object_id_t outer = make_group(f, 0, f->ports[1], slow);
    const sai_object_id_t group = make_group(f, 1, outer, SAI_NULL_OBJECT_ID);

    qos_setup_set_queue(f, 1, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE, OID(group));
    qos_setup_set_queue(f, 2, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE, OID(group));
    qos_setup_watch(f);
    send(f, 50, 1, 0);
    send(f, 51, 2, 0);
    send(f, 50, 3, 0);
    OK(f->bench->ops->run(60 * WIRE_PS));
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 151);
    assert_int_equal(qos_setup_count(f, 0, 50, 3), 50);
    /* A hundred kilobytes at a megabyte per second. */
    assert_true(f->left[150].now_ps - f->left[50].now_ps == SECOND_PS / 10);
}

/* WRED ---------------------------------------------------------------- */

static sai_object_id_t
make_wred(struct qos_setup *f, bool drops, sai_ecn_mark_mode_t marks,
          uint32_t percent)
{
    const sai_attribute_t attributes[] = {
        {SAI_WRED_ATTR_GREEN_ENABLE, {.booldata = drops}},
        {SAI_WRED_ATTR_GREEN_MIN_THRESHOLD, {.u32 = 102400}},
        {SAI_WRED_ATTR_GREEN_MAX_THRESHOLD, {.u32 = 1024000}},
        {SAI_WRED_ATTR_GREEN_DROP_PROBABILITY, {.u32 = percent}},
        {SAI_WRED_ATTR_ECN_MARK_MODE, {.s32 = (sai_int32_t)marks}},
    };
    sai_object_id_t wred = SAI_NULL_OBJECT_ID;

    OK(f->bench->wred_api->create_wred(&wred, f->bench->sw, N(attributes),
                                       attributes));
    return wred;
}

static void
set_wred(struct qos_setup *f, sai_object_id_t wred, sai_attr_id_t id,
         sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    OK(f->bench->wred_api->set_wred_attribute(wred, &attribute));
}

/* Fills queue 3 with 'n' frames, and lets them leave. */
static void
fill_and_drain(struct qos_setup *f, uint32_t n, uint8_t ecn)
{
    qos_setup_block(f, true);
    send(f, n, 3, ecn);
    qos_setup_watch(f);
    qos_setup_block(f, false);
    qos_setup_drain(f);
}

static uint32_t
count_ce(const struct qos_setup *f, uint32_t first, uint32_t n)
{
    uint32_t count = 0;

    for (uint32_t i = first; i < first + n && i < f->n_left; i++) {
        count += f->left[i].ecn == 3;
    }
    return count;
}

/* A frame of 1,000 bytes takes 4 cells of 256: frame i of n leaves
 * (n - 1 - i) * 1,024 bytes behind.  Above 1,000 frames all are marked, down to
 * 100 a fraction that falls from 20 % to nothing. */
static void
test_marks_follow_the_curve_by_what_is_left_behind(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t wred =
        make_wred(f, false, SAI_ECN_MARK_MODE_GREEN, 20);
    uint32_t seen = 0;

    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(wred));
    fill_and_drain(f, 3000, 2);
    assert_int_equal(f->n_left, 3000);
    /* 2999 .. 1001 left behind, then the ramp, then 100 .. 0. */
    assert_int_equal(count_ce(f, 0, 1999), 1999);
    assert_int_equal(count_ce(f, 2899, 101), 0);
    seen = count_ce(f, 1999, 900);
    /* 900 at 10 % on average: 90, with a standard deviation of 9. */
    assert_in_range(seen, 90 - 36, 90 + 36);
    assert_true(count_ce(f, 1999, 450) > count_ce(f, 2449, 450));
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS),
        1999 + seen);
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_GREEN_WRED_ECN_MARKED_BYTES),
        (1999 + seen) * FRAME);
    assert_int_equal(qos_setup_queue_stat(
                         f, 3, SAI_QUEUE_STAT_YELLOW_WRED_ECN_MARKED_PACKETS),
                     0);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_ECN_MARKED_PACKETS),
        1999 + seen);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_PACKETS), 3000);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     0);
}

static void
test_first_frame_is_marked_and_last_is_not(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t wred =
        make_wred(f, false, SAI_ECN_MARK_MODE_ALL, 100);

    set_wred(f, wred, SAI_WRED_ATTR_GREEN_MAX_THRESHOLD, U32(102400));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(wred));
    fill_and_drain(f, 202, 1);
    assert_int_equal(count_ce(f, 0, 101), 101);
    assert_int_equal(count_ce(f, 101, 101), 0);
}

static void
test_nothing_is_marked_without_ect_or_without_marking(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t marks =
        make_wred(f, false, SAI_ECN_MARK_MODE_ALL, 100);
    const sai_object_id_t off =
        make_wred(f, false, SAI_ECN_MARK_MODE_NONE, 100);
    const sai_object_id_t yellow =
        make_wred(f, false, SAI_ECN_MARK_MODE_YELLOW, 100);

    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(marks));
    fill_and_drain(f, 1200, 0);
    assert_int_equal(count_ce(f, 0, 1200), 0);
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(off));
    fill_and_drain(f, 1200, 2);
    assert_int_equal(count_ce(f, 0, 1200), 0);
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(yellow));
    fill_and_drain(f, 1200, 2);
    assert_int_equal(count_ce(f, 0, 1200), 0);
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(marks));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID,
                        OID(SAI_NULL_OBJECT_ID));
    fill_and_drain(f, 1200, 2);
    assert_int_equal(count_ce(f, 0, 1200), 0);
    assert_int_equal(f->n_left, 1200);
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS), 0);
    OK(f->bench->wred_api->remove_wred(marks));
}

/* Dropping: frame i meets the i that were admitted before. */
static void
test_wred_drops_what_cannot_be_marked(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t wred =
        make_wred(f, true, SAI_ECN_MARK_MODE_GREEN, 100);
    uint64_t dropped;

    set_wred(f, wred, SAI_WRED_ATTR_GREEN_MAX_THRESHOLD, U32(102400));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(wred));
    fill_and_drain(f, 300, 0);
    assert_int_equal(f->n_left, 101);
    dropped = qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_WRED_DROPPED_PACKETS);
    assert_int_equal(dropped, 199);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     199);
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_GREEN_WRED_DROPPED_BYTES),
        199 * FRAME);
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_RED_WRED_DROPPED_PACKETS), 0);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_WRED_DROPPED_PACKETS), 199);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_GREEN_WRED_DROPPED_BYTES),
        199 * FRAME);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_OUT_DISCARDS),
                     199);
    assert_int_equal(qos_setup_port_stat(f, 0, SAI_PORT_STAT_IF_IN_DISCARDS),
                     0);
    /* ECN-capable ones all stay. */
    fill_and_drain(f, 300, 2);
    assert_int_equal(f->n_left, 300);
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_WRED_DROPPED_PACKETS), 199);
    /* Changed under load: from now on everything is let in. */
    set_wred(f, wred, SAI_WRED_ATTR_GREEN_ENABLE, BOOL(false));
    fill_and_drain(f, 300, 0);
    assert_int_equal(f->n_left, 300);
}

static void
test_colors_come_from_maps_and_have_their_curves(void **state)
{
    struct qos_setup *f = *state;
    sai_qos_map_t pair = {.key = {.dscp = 3},
                          .value = {.color = SAI_PACKET_COLOR_YELLOW}};
    const sai_object_id_t colors =
        qos_setup_map(f, SAI_QOS_MAP_TYPE_DSCP_TO_COLOR, 1, &pair);
    const sai_object_id_t wred =
        make_wred(f, true, SAI_ECN_MARK_MODE_YELLOW, 100);

    set_wred(f, wred, SAI_WRED_ATTR_YELLOW_MIN_THRESHOLD, U32(51200));
    set_wred(f, wred, SAI_WRED_ATTR_YELLOW_MAX_THRESHOLD_64, U64(51200));
    set_wred(f, wred, SAI_WRED_ATTR_YELLOW_ENABLE, BOOL(true));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(wred));
    qos_setup_set_port(f, 0, SAI_PORT_ATTR_QOS_DSCP_TO_COLOR_MAP, OID(colors));
    fill_and_drain(f, 100, 0);
    assert_int_equal(f->n_left, 51);
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_YELLOW_WRED_DROPPED_PACKETS),
        49);
    assert_int_equal(
        qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_YELLOW_DROPPED_PACKETS), 49);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_YELLOW_PACKETS),
                     51);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_GREEN_PACKETS),
                     0);
    fill_and_drain(f, 102, 2);
    assert_int_equal(count_ce(f, 0, 102), 51);
    assert_int_equal(qos_setup_queue_stat(
                         f, 3, SAI_QUEUE_STAT_YELLOW_WRED_ECN_MARKED_PACKETS),
                     51);
}

static void
test_thresholds_of_both_widths_are_one(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t wred =
        make_wred(f, true, SAI_ECN_MARK_MODE_NONE, 100);
    sai_attribute_t attributes[] = {
        {.id = SAI_WRED_ATTR_GREEN_MIN_THRESHOLD},
        {.id = SAI_WRED_ATTR_GREEN_MIN_THRESHOLD_64},
    };

    OK(f->bench->wred_api->get_wred_attribute(wred, 2, attributes));
    assert_int_equal(attributes[1].value.u64, 102400);
    set_wred(f, wred, SAI_WRED_ATTR_GREEN_MIN_THRESHOLD_64,
             U64(UINT64_C(1) << 33));
    OK(f->bench->wred_api->get_wred_attribute(wred, 2, attributes));
    assert_int_equal(attributes[0].value.u32, UINT32_MAX);
    assert_true(attributes[1].value.u64 == UINT64_C(1) << 33);
    set_wred(f, wred, SAI_WRED_ATTR_GREEN_MIN_THRESHOLD, U32(7));
    OK(f->bench->wred_api->get_wred_attribute(wred, 2, attributes));
    assert_int_equal(attributes[1].value.u64, 7);
}

static void
test_marking_may_have_thresholds_of_its_own(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t wred = make_wred(f, true, SAI_ECN_MARK_MODE_ALL, 100);
    sai_attribute_t enable = {SAI_SWITCH_ATTR_ECN_ECT_THRESHOLD_ENABLE,
                              {.booldata = true}};

    set_wred(f, wred, SAI_WRED_ATTR_GREEN_MAX_THRESHOLD, U32(102400));
    set_wred(f, wred, SAI_WRED_ATTR_ECN_GREEN_MIN_THRESHOLD, U32(10240));
    set_wred(f, wred, SAI_WRED_ATTR_ECN_GREEN_MAX_THRESHOLD, U32(10240));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(wred));
    fill_and_drain(f, 50, 2);
    assert_int_equal(count_ce(f, 0, 50), 0);
    OK(f->bench->switch_api->set_switch_attribute(f->bench->sw, &enable));
    fill_and_drain(f, 50, 2);
    assert_int_equal(count_ce(f, 0, 50), 50 - 11);
    /* One curve for all colors, if it is given. */
    set_wred(f, wred, SAI_WRED_ATTR_ECN_COLOR_UNAWARE_MIN_THRESHOLD,
             U32(20480));
    set_wred(f, wred, SAI_WRED_ATTR_ECN_COLOR_UNAWARE_MAX_THRESHOLD,
             U32(20480));
    fill_and_drain(f, 50, 2);
    assert_int_equal(count_ce(f, 0, 50), 50 - 21);
}

/* Pauses -------------------------------------------------------------- */

static void
enable_pfc(struct qos_setup *f, uint8_t priorities)
{
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                       U8(priorities));
}

static void
pause(struct qos_setup *f, uint8_t priorities, uint16_t quanta)
{
    OK(f->bench->ops->pause(
        f->ports[1],
        &(struct softasic_pause){.priorities = priorities, .quanta = quanta}));
}

static void
pause_all(struct qos_setup *f, uint16_t quanta)
{
    OK(f->bench->ops->pause(
        f->ports[1], &(struct softasic_pause){.all = true, .quanta = quanta}));
}

static bool
is_paused(struct qos_setup *f, uint32_t queue)
{
    sai_attribute_t attribute = {.id = SAI_QUEUE_ATTR_PAUSE_STATUS};
    struct softasic_queue_state queue_state;

    OK(f->bench->queue_api->get_queue_attribute(qos_setup_queue(f, queue), 1,
                                                &attribute));
    OK(f->bench->ops->queue_state(qos_setup_queue(f, queue), &queue_state));
    assert_int_equal(queue_state.is_paused, attribute.value.booldata);
    return attribute.value.booldata;
}

static void
test_pause_holds_only_its_priority_and_ends_exactly(void **state)
{
    struct qos_setup *f = *state;
    int64_t received;

    enable_pfc(f, 0x18);
    pause(f, 0x08, 1000);
    received = now(f);
    assert_true(is_paused(f, 3));
    assert_false(is_paused(f, 4));
    qos_setup_watch(f);
    send(f, 10, 3, 0);
    send(f, 10, 4, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 10);
    assert_int_equal(qos_setup_count(f, 0, 10, 4), 10);
    OK(f->bench->ops->run(received + 1000 * QUANTUM_PS - now(f) - 1));
    assert_true(is_paused(f, 3));
    OK(f->bench->ops->run(1));
    assert_false(is_paused(f, 3));
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 10);
    assert_true(f->left[0].now_ps == received + 1000 * QUANTUM_PS + WIRE_PS);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PKTS), 1);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_4_RX_PKTS), 0);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION), 1000);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION_US), 5);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_ON2OFF_RX_PKTS), 1);
    /* Pause frames are not traffic. */
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_IN_NON_UCAST_PKTS), 0);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_IN_DISCARDS),
                     0);
}

/* Lines are slower; clocks are not. */
static void
test_lines_are_slower_and_clocks_are_not(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t scheduler = make_scheduler(
        f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){.max = 750000});
    sai_attribute_t speed = {.id = SAI_PORT_ATTR_SPEED};
    int64_t received, first;

    /* A frame and a pause last as many times longer, exactly. */
    enable_pfc(f, 0x08);
    pause(f, 0x08, 1000);
    received = now(f);
    qos_setup_watch(f);
    send(f, 2, 3, 0);
    OK(f->bench->ops->run(received + 1000 * LINE_DILATION * QUANTUM_PS -
                          now(f) - 1));
    assert_true(is_paused(f, 3));
    OK(f->bench->ops->run(1));
    assert_false(is_paused(f, 3));
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 2);
    first = received + (1000 * QUANTUM_PS + WIRE_PS) * LINE_DILATION;
    assert_true(f->left[0].now_ps == first);
    assert_true(f->left[1].now_ps == first + WIRE_PS * LINE_DILATION);
    /* Quanta are counted as ever, and time is not. */
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION), 1000);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION_US),
        1000 * QUANTUM_PS * LINE_DILATION / 1000000);
    /* The port says its own speed. */
    OK(f->bench->port_api->get_port_attribute(f->ports[1], 1, &speed));
    assert_int_equal(speed.value.u32, 100000);
    /* A shaper has a second of its own. */
    qos_setup_set_queue(f, 4, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                        OID(scheduler));
    qos_setup_watch(f);
    send(f, 751, 4, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 751);
    assert_true(f->left[750].now_ps - f->left[0].now_ps == SECOND_PS);
}

static void
test_zero_quanta_resume_at_once(void **state)
{
    struct qos_setup *f = *state;
    int64_t resumed;

    enable_pfc(f, 0x08);
    pause(f, 0x08, 0xffff);
    send(f, 5, 3, 0);
    qos_setup_watch(f);
    pause(f, 0x08, 0);
    resumed = now(f);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 5);
    assert_true(f->left[0].now_ps == resumed + WIRE_PS);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PKTS), 2);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_ON2OFF_RX_PKTS), 1);
}

static void
test_storm_keeps_a_queue_and_counts_while_it_lasts(void **state)
{
    struct qos_setup *f = *state;
    uint64_t before;

    enable_pfc(f, 0x08);
    qos_setup_watch(f);
    pause(f, 0x08, 0xffff);
    send(f, 5, 3, 0);
    for (int i = 0; i < 20; i++) {
        OK(f->bench->ops->run(30000 * QUANTUM_PS));
        pause(f, 0x08, 0xffff);
    }
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 0);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_ON2OFF_RX_PKTS), 0);
    before = qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION);
    assert_true(before >= 600000);
    OK(f->bench->ops->run(10000 * QUANTUM_PS));
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION),
        before + 10000);
    OK(f->bench->ops->run(SECOND_PS / 1000));
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 5);
}

static void
test_what_is_not_enabled_does_not_pause(void **state)
{
    struct qos_setup *f = *state;

    qos_setup_watch(f);
    enable_pfc(f, 0x10);
    pause(f, 0x08, 0xffff); /* Priority 3 is not enabled. */
    pause(f, 0x00, 0xffff); /* The vector is empty. */
    pause_all(f, 0xffff);   /* 802.3x is off. */
    send(f, 5, 3, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 5);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PKTS), 1);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION), 0);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PAUSE_RX_PKTS), 1);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_4_RX_PKTS), 0);
    /* Taken away while it acts. */
    enable_pfc(f, 0x08);
    pause(f, 0x08, 0xffff);
    send(f, 5, 3, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 0);
    enable_pfc(f, 0);
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 5);
}

static void
test_directions_may_be_separate(void **state)
{
    struct qos_setup *f = *state;

    qos_setup_set_port(f, 1, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE,
                       S32(SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_SEPARATE));
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX, U8(0x08));
    pause(f, 0x08, 0xffff);
    assert_false(is_paused(f, 3));
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX, U8(0x08));
    assert_false(is_paused(f, 3)); /* That frame is gone. */
    pause(f, 0x08, 0xffff);
    assert_true(is_paused(f, 3));
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE,
                       S32(SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_COMBINED));
    assert_false(is_paused(f, 3));
}

static void
test_pause_of_the_port_is_obeyed_by_its_mode(void **state)
{
    static const struct {
        sai_int32_t mode;
        bool obeys;
    } cases[] = {
        {SAI_PORT_FLOW_CONTROL_MODE_DISABLE, false},
        {SAI_PORT_FLOW_CONTROL_MODE_RX_ONLY, true},
        {SAI_PORT_FLOW_CONTROL_MODE_DISABLE, false},
    };
    struct qos_setup *f = *state;

    qos_setup_watch(f);
    for (uint32_t i = 0; i < N(cases); i++) {
        qos_setup_set_port(f, 1, SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_MODE,
                           S32(cases[i].mode));
        pause_all(f, 1000);
        assert_int_equal(is_paused(f, 0), cases[i].obeys);
        send(f, 1, 0, 0);
        send(f, 1, 7, 0);
        qos_setup_drain(f);
        assert_int_equal(f->n_left, cases[i].obeys ? 0 : 2);
        OK(f->bench->ops->run(1000 * QUANTUM_PS));
        qos_setup_drain(f);
        assert_int_equal(f->n_left, cases[i].obeys ? 2 : 0);
    }
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PAUSE_RX_PKTS), 3);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_PFC_0_RX_PKTS), 0);
}

/* The switch refuses what it does not do at the call, and its capabilities say
 * so. */
static void
test_what_is_not_done_is_refused(void **state)
{
    static const sai_attr_id_t undone[] = {
        SAI_PORT_ATTR_QOS_DSCP_TO_FORWARDING_CLASS_MAP,
        SAI_PORT_ATTR_QOS_MPLS_EXP_TO_FORWARDING_CLASS_MAP};
    struct qos_setup *f = *state;
    sai_attr_capability_t can;
    sai_int32_t modes[4];
    sai_s32_list_t list = {N(modes), modes};

    for (sai_int32_t mode = SAI_PORT_FLOW_CONTROL_MODE_DISABLE;
         mode <= SAI_PORT_FLOW_CONTROL_MODE_BOTH_ENABLE; mode++) {
        const sai_attribute_t attribute = {
            SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_MODE, S32(mode)};

        OK(f->bench->port_api->set_port_attribute(f->ports[1], &attribute));
    }
    OK(sai_query_attribute_enum_values_capability(
        f->bench->sw, SAI_OBJECT_TYPE_PORT,
        SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_MODE, &list));
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < N(undone); i++) {
        const sai_attribute_t none = {undone[i], OID(SAI_NULL_OBJECT_ID)};

        OK(sai_query_attribute_capability(f->bench->sw, SAI_OBJECT_TYPE_PORT,
                                          undone[i], &can));
        assert_false(can.set_implemented || can.create_implemented);
        OK(f->bench->port_api->set_port_attribute(f->ports[1], &none));
    }
    OK(sai_query_attribute_capability(f->bench->sw, SAI_OBJECT_TYPE_BUFFER_POOL,
                                      SAI_BUFFER_POOL_ATTR_WRED_PROFILE_ID,
                                      &can));
    assert_false(can.set_implemented || can.create_implemented);
    OK(sai_query_attribute_capability(f->bench->sw, SAI_OBJECT_TYPE_QUEUE,
                                      SAI_QUEUE_ATTR_WRED_PROFILE_ID, &can));
    assert_true(can.set_implemented);
}

static void
test_map_decides_which_queue_a_priority_holds(void **state)
{
    struct qos_setup *f = *state;
    sai_qos_map_t pair = {.key = {.prio = 3}, .value = {.queue_index = 5}};
    const sai_object_id_t map =
        qos_setup_map(f, SAI_QOS_MAP_TYPE_PFC_PRIORITY_TO_QUEUE, 1, &pair);
    sai_attribute_t list = {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
                            {.qosmap = {1, &pair}}};

    enable_pfc(f, 0xff);
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_QOS_PFC_PRIORITY_TO_QUEUE_MAP,
                       OID(map));
    pause(f, 0xff, 0xffff);
    assert_true(is_paused(f, 5));
    assert_false(is_paused(f, 3));
    assert_false(is_paused(f, 0)); /* Not listed: not queue 0. */
    qos_setup_watch(f);
    send(f, 3, 5, 0);
    send(f, 3, 6, 0);
    qos_setup_drain(f);
    assert_int_equal(qos_setup_count(f, 0, 6, 6), 3);
    /* Another queue from now on: the first goes at once. */
    pair.value.queue_index = 6;
    OK(f->bench->map_api->set_qos_map_attribute(map, &list));
    qos_setup_drain(f);
    assert_int_equal(qos_setup_count(f, 0, 6, 5), 3);
    assert_true(is_paused(f, 6));
}

/* Maps ---------------------------------------------------------------- */

static void
test_tags_are_trusted_where_dscp_is_not(void **state)
{
    struct qos_setup *f = *state;
    sai_qos_map_t pair = {.key = {.dot1p = 5}, .value = {.tc = 6}};
    const sai_object_id_t map =
        qos_setup_map(f, SAI_QOS_MAP_TYPE_DOT1P_TO_TC, 1, &pair);
    const struct softasic_send tagged = {.dscp = 2, .has_tag = true, .pcp = 5};
    const struct softasic_send raw = {
        .is_not_ip = true, .has_tag = true, .pcp = 5};
    const struct softasic_send bare = {.is_not_ip = true};

    qos_setup_set_port(f, 0, SAI_PORT_ATTR_QOS_DOT1P_TO_TC_MAP, OID(map));
    qos_setup_set_port(f, 0, SAI_PORT_ATTR_QOS_DEFAULT_TC, U8(1));
    qos_setup_watch(f);
    send_as(f, 1, tagged); /* DSCP 2 wins: queue 2. */
    send_as(f, 1, raw);    /* PCP 5: queue 6. */
    send_as(f, 1, bare);   /* Nothing: queue 1. */
    qos_setup_set_port(f, 0, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP,
                       OID(SAI_NULL_OBJECT_ID));
    send_as(f, 1, tagged); /* Queue 6. */
    send(f, 1, 2, 0);      /* Queue 1. */
    qos_setup_drain(f);
    assert_int_equal(f->n_left, 5);
    assert_int_equal(f->left[0].queue_index, 2);
    assert_int_equal(f->left[1].queue_index, 6);
    assert_int_equal(f->left[2].queue_index, 1);
    assert_int_equal(f->left[3].queue_index, 6);
    assert_int_equal(f->left[4].queue_index, 1);
}

static void
test_egress_port_rewrites_dscp(void **state)
{
    struct qos_setup *f = *state;
    sai_qos_map_t pairs[] = {
        {.key = {.tc = 3, .color = SAI_PACKET_COLOR_GREEN},
         .value = {.dscp = 46}},
        {.key = {.tc = 4, .color = SAI_PACKET_COLOR_RED},
         .value = {.dscp = 10}},
    };
    const sai_object_id_t map =
        qos_setup_map(f, SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DSCP, 2, pairs);

    qos_setup_set_port(f, 1, SAI_PORT_ATTR_QOS_TC_AND_COLOR_TO_DSCP_MAP,
                       OID(map));
    qos_setup_watch(f);
    send(f, 1, 3, 0);
    send(f, 1, 4, 0); /* Green is not listed for this class. */
    qos_setup_drain(f);
    assert_int_equal(f->left[0].dscp, 46);
    assert_int_equal(f->left[0].queue_index, 3);
    assert_int_equal(f->left[1].dscp, 4);
}

/* Operations ---------------------------------------------------------- */

static void
test_trace_tells_what_it_has_room_for(void **state)
{
    struct qos_setup *f = *state;
    const struct softasic_ops *ops = f->bench->ops;
    uint32_t n = 1;

    OK(ops->trace(f->ports[1], 3));
    send(f, 5, 3, 0);
    OK(ops->settle(NULL));
    assert_int_equal(ops->traced(f->ports[1], &n, f->left),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(n, 3);
    OK(ops->traced(f->ports[1], &n, f->left));
    assert_int_equal(n, 3);
    assert_int_equal(f->left[2].frame_bytes, FRAME);
    OK(ops->traced(f->ports[1], &n, f->left));
    assert_int_equal(n, 0);
    OK(ops->trace(f->ports[1], 0));
    send(f, 1, 3, 0);
    OK(ops->settle(NULL));
    n = 3;
    OK(ops->traced(f->ports[1], &n, f->left));
    assert_int_equal(n, 0);
    assert_int_equal(ops->trace(f->ports[1], UINT32_MAX),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(ops->trace(f->bench->sw, 1),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(ops->pause(f->ports[1], NULL),
                     SAI_STATUS_INVALID_PARAMETER);
}

/* Nothing is ever in the queues of the processor's port, but they keep what
 * they are given, and others depend on it. */
static void
test_queues_of_the_processor_keep_what_they_are_given(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t scheduler =
        make_scheduler(f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){0});
    const sai_stat_id_t packets = SAI_QUEUE_STAT_PACKETS;
    sai_attribute_t a[] = {
        {.id = SAI_SWITCH_ATTR_CPU_PORT},
        {.id = SAI_SWITCH_ATTR_NUMBER_OF_CPU_QUEUES},
    };
    sai_attribute_t n = {.id = SAI_PORT_ATTR_QOS_NUMBER_OF_QUEUES};
    sai_attribute_t bound = {SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID,
                             {.oid = scheduler}};
    sai_attribute_t parent = {.id = SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE};
    sai_object_id_t queue;
    uint64_t value = 1;

    OK(f->bench->switch_api->get_switch_attribute(f->bench->sw, 2, a));
    OK(f->bench->port_api->get_port_attribute(a[0].value.oid, 1, &n));
    assert_int_equal(n.value.u32, 8);
    assert_int_equal(a[1].value.u32, 8);
    queue = asic_setup_child(f->bench, a[0].value.oid,
                             SAI_PORT_ATTR_QOS_QUEUE_LIST, 7);
    OK(f->bench->queue_api->get_queue_attribute(queue, 1, &parent));
    OK(f->bench->group_api->set_scheduler_group_attribute(parent.value.oid,
                                                          &bound));
    assert_int_equal(f->bench->scheduler_api->remove_scheduler(scheduler),
                     SAI_STATUS_OBJECT_IN_USE);
    set_scheduler(f, scheduler, SAI_SCHEDULER_ATTR_SCHEDULING_TYPE,
                  S32(SAI_SCHEDULING_TYPE_DWRR));
    bound.value.oid = SAI_NULL_OBJECT_ID;
    OK(f->bench->group_api->set_scheduler_group_attribute(parent.value.oid,
                                                          &bound));
    bound = (sai_attribute_t){SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                              {.oid = scheduler}};
    OK(f->bench->queue_api->set_queue_attribute(queue, &bound));
    bound.value.oid = SAI_NULL_OBJECT_ID;
    OK(f->bench->queue_api->set_queue_attribute(queue, &bound));
    OK(f->bench->scheduler_api->remove_scheduler(scheduler));
    OK(f->bench->queue_api->get_queue_stats(queue, 1, &packets, &value));
    assert_int_equal(value, 0);
    OK(f->bench->queue_api->clear_queue_stats(queue, 1, &packets));
}

int
main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, setup, qos_setup_teardown)
    const struct CMUnitTest tests[] = {
        T(test_without_schedulers_queues_take_turns),
        T(test_strict_beats_weights),
        T(test_weights_share_the_wire),
        T(test_weight_may_change_under_load),
        T(test_maximum_rate_of_a_queue_is_exact),
        T(test_rate_of_one_blocks_and_of_zero_releases),
        T(test_minimum_rate_survives_strict_neighbors),
        T(test_groups_share_before_their_queues),
        T(test_rate_of_a_group_holds_its_queues),
        T(test_marks_follow_the_curve_by_what_is_left_behind),
        T(test_first_frame_is_marked_and_last_is_not),
        T(test_nothing_is_marked_without_ect_or_without_marking),
        T(test_wred_drops_what_cannot_be_marked),
        T(test_colors_come_from_maps_and_have_their_curves),
        T(test_thresholds_of_both_widths_are_one),
        T(test_marking_may_have_thresholds_of_its_own),
        T(test_pause_holds_only_its_priority_and_ends_exactly),
        cmocka_unit_test_setup_teardown(
            test_lines_are_slower_and_clocks_are_not, setup_slow_lines,
            qos_setup_teardown),
        T(test_zero_quanta_resume_at_once),
        T(test_storm_keeps_a_queue_and_counts_while_it_lasts),
        T(test_what_is_not_enabled_does_not_pause),
        T(test_directions_may_be_separate),
        T(test_pause_of_the_port_is_obeyed_by_its_mode),
        T(test_what_is_not_done_is_refused),
        T(test_map_decides_which_queue_a_priority_holds),
        T(test_tags_are_trusted_where_dscp_is_not),
        T(test_egress_port_rewrites_dscp),
        T(test_queues_of_the_processor_keep_what_they_are_given),
        T(test_trace_tells_what_it_has_room_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
