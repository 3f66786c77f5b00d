/* SPDX-License-Identifier: Apache-2.0 */

/* QoS through SAI, what test_softasic_qos.c leaves: MPLS labels, maps of the
 * switch below those of ports, the average of WRED and marking at arrival,
 * meters of packets, bursts, guarantees of groups. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/qos_setup.h"

enum { FRAME = 1000, FRAME_CELLS_BYTES = 1024 };

#define SECOND_PS INT64_C(1000000000000)

static void
set_switch(struct qos_setup *f, sai_attr_id_t id, sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    OK(f->bench->switch_api->set_switch_attribute(f->bench->sw, &attribute));
}

/* The maps of the switch put TC n into queue n. */
static int
setup_as(void **state, const char *set)
{
    struct qos_setup *f;

    if (qos_setup_setup_plain(state, set) != 0) {
        return -1;
    }
    f = *state;
    set_switch(f, SAI_SWITCH_ATTR_QOS_DSCP_TO_TC_MAP,
               OID(qos_setup_map_same(f, SAI_QOS_MAP_TYPE_DSCP_TO_TC)));
    set_switch(f, SAI_SWITCH_ATTR_QOS_TC_TO_QUEUE_MAP,
               OID(qos_setup_map_same(f, SAI_QOS_MAP_TYPE_TC_TO_QUEUE)));
    qos_setup_watch(f);
    return 0;
}

static int
setup(void **state)
{
    return setup_as(state, NULL);
}

static int
setup_marking_early(void **state)
{
    return setup_as(state, "{ecn_mark_at: enqueue}");
}

static void
send(struct qos_setup *f, uint32_t n, uint32_t bytes, uint8_t dscp, uint8_t ecn)
{
    struct softasic_sent sent;

    OK(f->bench->ops->send(&(struct softasic_send){.from = f->ports[0],
                                                   .to = f->ports[1],
                                                   .n_frames = n,
                                                   .frame_bytes = bytes,
                                                   .dscp = dscp,
                                                   .ecn = ecn},
                           &sent));
}

/* Lets everything leave that waits. */
static void
drain(struct qos_setup *f)
{
    qos_setup_block(f, false);
    qos_setup_drain(f);
}

/* Labels and maps -------------------------------------------------------- */

enum { MPLS_BYTES = 100, EXP_AT = 14 + 2 };

/* Fills 'bytes' with a frame with two labels, whose upper has 'exp' and whose
 * lower has another. */
static void
make_mpls(uint8_t bytes[MPLS_BYTES], uint8_t exp)
{
    static const uint8_t head[] = {2,    0,  0, 0, 0,    9,    2, 0,
                                   0,    0,  0, 1, 0x88, 0x47, 0, 1,
                                   0x20, 64, 0, 2, 0x31, 64};

    memset(bytes, 0, MPLS_BYTES);
    memcpy(bytes, head, sizeof head);
    bytes[EXP_AT] = (uint8_t)(bytes[EXP_AT] | exp << 1);
}

/* Returns the queue by which a frame with 'exp' leaves, and its EXP in
 * '*after'. */
static uint32_t
queue_of_exp(struct qos_setup *f, uint8_t exp, uint8_t *after)
{
    uint8_t bytes[MPLS_BYTES];
    uint32_t n = sizeof bytes;

    make_mpls(bytes, exp);
    OK(f->bench->ops->inject(f->ports[0], sizeof bytes, bytes));
    drain(f);
    assert_int_equal(f->n_left, 1);
    OK(f->bench->ops->captured(f->ports[1], &n, bytes));
    assert_int_equal(n, MPLS_BYTES);
    *after = bytes[EXP_AT] >> 1 & 7;
    assert_int_equal(bytes[EXP_AT] & 0xf1, 0x20); /* Else as it was. */
    assert_int_equal(bytes[EXP_AT + 4], 0x31);    /* So is the other label. */
    return f->left[0].queue_index;
}

static void
test_exp_decides_and_is_written(void **state)
{
    struct qos_setup *f = *state;
    sai_qos_map_t base = {.key = {.mpls_exp = 5}, .value = {.tc = 6}};
    sai_qos_map_t own = {.key = {.mpls_exp = 5}, .value = {.tc = 2}};
    sai_qos_map_t back = {.key = {.tc = 2, .color = SAI_PACKET_COLOR_GREEN},
                          .value = {.mpls_exp = 1}};
    uint8_t after;

    OK(f->bench->ops->capture(f->ports[1], true));
    /* Without a map nothing is trusted: the default class. */
    assert_int_equal(queue_of_exp(f, 5, &after), 0);
    set_switch(
        f, SAI_SWITCH_ATTR_QOS_MPLS_EXP_TO_TC_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_MPLS_EXP_TO_TC, 1, &base)));
    assert_int_equal(queue_of_exp(f, 5, &after), 6);
    assert_int_equal(queue_of_exp(f, 4, &after), 0); /* Not listed: TC 0. */
    qos_setup_set_port(
        f, 0, SAI_PORT_ATTR_QOS_MPLS_EXP_TO_TC_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_MPLS_EXP_TO_TC, 1, &own)));
    assert_int_equal(queue_of_exp(f, 5, &after), 2);
    assert_int_equal(after, 5);
    qos_setup_set_port(
        f, 1, SAI_PORT_ATTR_QOS_TC_AND_COLOR_TO_MPLS_EXP_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_MPLS_EXP, 1,
                          &back)));
    assert_int_equal(queue_of_exp(f, 5, &after), 2);
    assert_int_equal(after, 1);
    qos_setup_set_port(f, 0, SAI_PORT_ATTR_QOS_MPLS_EXP_TO_TC_MAP,
                       OID(SAI_NULL_OBJECT_ID));
    assert_int_equal(queue_of_exp(f, 5, &after), 6);
    assert_int_equal(after, 5);
}

static void
test_color_of_exp_has_its_curve(void **state)
{
    struct qos_setup *f = *state;
    sai_qos_map_t red = {.key = {.mpls_exp = 5},
                         .value = {.color = SAI_PACKET_COLOR_RED}};
    const sai_stat_id_t id = SAI_QUEUE_STAT_RED_PACKETS;
    uint64_t value;
    uint8_t after;

    OK(f->bench->ops->capture(f->ports[1], true));
    qos_setup_set_port(
        f, 0, SAI_PORT_ATTR_QOS_MPLS_EXP_TO_COLOR_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_MPLS_EXP_TO_COLOR, 1, &red)));
    queue_of_exp(f, 5, &after);
    queue_of_exp(f, 4, &after);
    OK(f->bench->queue_api->get_queue_stats(qos_setup_queue(f, 0), 1, &id,
                                            &value));
    assert_int_equal(value, 1);
}

/* Returns the class of a frame with 'dscp' from port 0 to port 1. */
static struct softasic_class
class_of(struct qos_setup *f, uint8_t dscp)
{
    struct softasic_class class;

    OK(f->bench->ops->classify(f->ports[0], f->ports[1], dscp, &class));
    return class;
}

static void
test_maps_of_ports_go_before_those_of_the_switch(void **state)
{
    struct qos_setup *f = *state;
    sai_qos_map_t tc = {.key = {.dscp = 3}, .value = {.tc = 5}};
    sai_qos_map_t pg = {.key = {.tc = 5}, .value = {.pg = 4}};
    sai_qos_map_t base_pg = {.key = {.tc = 5}, .value = {.pg = 6}};
    sai_qos_map_t queue = {.key = {.tc = 5}, .value = {.queue_index = 7}};

    assert_int_equal(class_of(f, 3).tc, 3);
    assert_int_equal(class_of(f, 3).queue_index, 3);
    assert_int_equal(class_of(f, 3).pg_index, 0);
    qos_setup_set_port(
        f, 0, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_DSCP_TO_TC, 1, &tc)));
    assert_int_equal(class_of(f, 3).tc, 5);
    assert_int_equal(class_of(f, 3).queue_index, 5);
    /* Listed by the switch only: the map of the port is the whole truth. */
    assert_int_equal(class_of(f, 4).tc, 0);
    qos_setup_set_port(
        f, 0, SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, 1, &pg)));
    qos_setup_set_port(
        f, 1, SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, 1,
                          &base_pg)));
    assert_int_equal(class_of(f, 3).pg_index, 4); /* By the ingress port. */
    qos_setup_set_port(
        f, 0, SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_TC_TO_QUEUE, 1, &queue)));
    assert_int_equal(class_of(f, 3).queue_index, 5);
    qos_setup_set_port(
        f, 1, SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_TC_TO_QUEUE, 1, &queue)));
    assert_int_equal(class_of(f, 3).queue_index, 7); /* By the egress port. */
    set_switch(f, SAI_SWITCH_ATTR_QOS_DSCP_TO_TC_MAP, OID(SAI_NULL_OBJECT_ID));
    assert_int_equal(class_of(f, 3).tc, 5);
    qos_setup_set_port(f, 0, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP,
                       OID(SAI_NULL_OBJECT_ID));
    set_switch(f, SAI_SWITCH_ATTR_QOS_DEFAULT_TC, U8(2));
    assert_int_equal(class_of(f, 3).tc, 2);
    qos_setup_set_port(f, 0, SAI_PORT_ATTR_QOS_DEFAULT_TC, U8(1));
    assert_int_equal(class_of(f, 3).tc, 1);
}

/* WRED ------------------------------------------------------------------- */

/* Gives queue 3 a profile that marks everything above so many frames. */
static void
mark_above(struct qos_setup *f, uint32_t frames, uint8_t weight)
{
    const sai_attribute_t attributes[] = {
        {SAI_WRED_ATTR_ECN_MARK_MODE, {.s32 = SAI_ECN_MARK_MODE_ALL}},
        {SAI_WRED_ATTR_GREEN_MIN_THRESHOLD,
         {.u32 = frames * FRAME_CELLS_BYTES}},
        {SAI_WRED_ATTR_GREEN_MAX_THRESHOLD,
         {.u32 = frames * FRAME_CELLS_BYTES}},
        {SAI_WRED_ATTR_WEIGHT, {.u8 = weight}},
    };
    sai_object_id_t wred = SAI_NULL_OBJECT_ID;

    OK(f->bench->wred_api->create_wred(&wred, f->bench->sw, N(attributes),
                                       attributes));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID, OID(wred));
}

/* Returns the first of the frames that left that is marked, and checks that
 * 'n' in a row from there are, and no others. */
static uint32_t
first_mark(const struct qos_setup *f, uint32_t n)
{
    uint32_t first = 0;

    while (first < f->n_left && f->left[first].ecn != 3) {
        first++;
    }
    for (uint32_t i = 0; i < f->n_left; i++) {
        assert_int_equal(f->left[i].ecn == 3, i >= first && i < first + n);
    }
    return first;
}

/* The first frames leave many behind, the last frames find many. */
static void
test_marks_of_departure_are_those_of_the_first(void **state)
{
    struct qos_setup *f = *state;

    mark_above(f, 10, 0);
    qos_setup_block(f, true);
    send(f, 30, FRAME, 3, 2);
    drain(f);
    assert_int_equal(f->n_left, 30);
    assert_int_equal(first_mark(f, 19), 0);
}

static void
test_marks_of_arrival_are_those_of_the_last(void **state)
{
    struct qos_setup *f = *state;

    mark_above(f, 10, 0);
    qos_setup_block(f, true);
    send(f, 30, FRAME, 3, 2);
    drain(f);
    assert_int_equal(f->n_left, 30);
    assert_int_equal(first_mark(f, 19), 11);
}

/* With weight n the average goes 2^-n of the way: the frame that finds k
 * before it moves it by (k - average) / 4 here.  The averages are 0, 0.25,
 * 0.69, 1.27, 1.95, ... and k - 3 in the end, so 10 is passed at frame 14. */
static void
test_average_lags_behind_by_its_weight(void **state)
{
    struct qos_setup *f = *state;
    double average = 0;
    uint32_t first = 0;

    while (average <= 10) {
        average += (first - average) / 4;
        first += average <= 10;
    }
    mark_above(f, 10, 2);
    qos_setup_block(f, true);
    send(f, 30, FRAME, 3, 2);
    drain(f);
    assert_int_equal(first_mark(f, 30 - first), first);
    assert_in_range(first, 13, 14);
}

/* A profile that is set again knows nothing of the frames before. */
static void
test_average_begins_anew_with_its_profile(void **state)
{
    struct qos_setup *f = *state;
    sai_attribute_t wred = {.id = SAI_QUEUE_ATTR_WRED_PROFILE_ID};

    mark_above(f, 10, 2);
    OK(f->bench->queue_api->get_queue_attribute(qos_setup_queue(f, 3), 1,
                                                &wred));
    for (int again = 0; again < 2; again++) {
        qos_setup_block(f, true);
        send(f, 30, FRAME, 3, 2);
        drain(f);
        assert_int_equal(first_mark(f, 17), 13);
        qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_WRED_PROFILE_ID,
                            OID(wred.value.oid));
    }
}

/* Schedulers ------------------------------------------------------------- */

struct rates {
    sai_meter_type_t meter;
    uint64_t min;
    uint64_t min_burst;
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
        {SAI_SCHEDULER_ATTR_METER_TYPE, {.s32 = (sai_int32_t)rates.meter}},
        {SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE, {.u64 = rates.min}},
        {SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_BURST_RATE, {.u64 = rates.min_burst}},
        {SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE, {.u64 = rates.max}},
        {SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_BURST_RATE, {.u64 = rates.max_burst}},
    };
    sai_object_id_t scheduler = SAI_NULL_OBJECT_ID;

    OK(f->bench->scheduler_api->create_scheduler(&scheduler, f->bench->sw,
                                                 N(attributes), attributes));
    return scheduler;
}

/* Shares of bytes and of packets differ if frames do. */
static void
test_meters_count_bytes_or_packets(void **state)
{
    struct qos_setup *f = *state;
    const struct rates none = {.meter = SAI_METER_TYPE_BYTES};
    const struct rates packets = {.meter = SAI_METER_TYPE_PACKETS};
    const struct {
        sai_object_id_t scheduler;
        uint32_t of_long; /* Of the first 90 frames. */
    } cases[] = {
        {make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 10, none), 10},
        {make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 10, packets), 45},
        {make_scheduler(f, SAI_SCHEDULING_TYPE_WRR, 10, none), 45},
    };

    for (size_t i = 0; i < N(cases); i++) {
        qos_setup_set_queue(f, 1, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                            OID(cases[i].scheduler));
        qos_setup_set_queue(f, 2, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID,
                            OID(cases[i].scheduler));
        qos_setup_block(f, true);
        send(f, 100, 8 * 200, 1, 0);
        send(f, 100, 200, 2, 0);
        drain(f);
        assert_int_equal(f->n_left, 200);
        assert_in_range(qos_setup_count(f, 0, 90, 1), cases[i].of_long - 1,
                        cases[i].of_long + 1);
    }
}

/* A bucket of b bytes lets b go at once after a rest, and then one frame per
 * length / rate.  The same of packets. */
static void
test_bursts_are_let_go_at_once(void **state)
{
    struct qos_setup *f = *state;
    const struct {
        struct rates rates;
        int64_t gap_ps; /* Between frames beyond the burst. */
    } cases[] = {
        {{.meter = SAI_METER_TYPE_BYTES,
          .max = 1000000,
          .max_burst = 8 * FRAME},
         SECOND_PS / 1000},
        {{.meter = SAI_METER_TYPE_PACKETS, .max = 1000, .max_burst = 8},
         SECOND_PS / 1000},
    };

    for (size_t i = 0; i < N(cases); i++) {
        const sai_object_id_t scheduler =
            make_scheduler(f, SAI_SCHEDULING_TYPE_STRICT, 1, cases[i].rates);

        qos_setup_set_port(f, 1, SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID,
                           OID(scheduler));
        OK(f->bench->ops->run(SECOND_PS / 10)); /* The bucket fills. */
        qos_setup_block(f, true);
        send(f, 20, FRAME, 3, 0);
        drain(f);
        assert_int_equal(f->n_left, 20);
        /* Eight are covered; the ninth may begin with 64 bytes, or one packet,
         * of its own, and its successor has to wait for the rest. */
        assert_true(f->left[7].now_ps - f->left[0].now_ps <
                    SECOND_PS / 1000000);
        for (uint32_t k = 10; k < 20; k++) {
            assert_true(f->left[k].now_ps - f->left[k - 1].now_ps ==
                        cases[i].gap_ps);
        }
        qos_setup_set_port(f, 1, SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID,
                           OID(SAI_NULL_OBJECT_ID));
    }
}

/* Of a queue, whether its profile is its own or that of its leaf. */
static void
test_queue_keeps_its_minimum(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t low =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 1,
                       (struct rates){.meter = SAI_METER_TYPE_BYTES,
                                      .min = 2500000000}); /* A fifth. */
    const sai_object_id_t high =
        make_scheduler(f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){0});

    qos_setup_set_queue(f, 1, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(low));
    qos_setup_set_queue(f, 6, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(high));
    qos_setup_block(f, true);
    send(f, 1000, FRAME, 1, 0);
    send(f, 1000, FRAME, 6, 0);
    drain(f);
    assert_in_range(qos_setup_count(f, 0, 1000, 1), 195, 230);
}

/* A bucket of b bytes for a guarantee: so much goes first after a rest. */
static void
test_burst_of_a_minimum_goes_first(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t high =
        make_scheduler(f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){0});
    const sai_object_id_t low =
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 1,
                       (struct rates){.meter = SAI_METER_TYPE_BYTES,
                                      .min = 1000000,
                                      .min_burst = 8 * FRAME});

    qos_setup_set_queue(f, 1, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(low));
    qos_setup_set_queue(f, 6, SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID, OID(high));
    OK(f->bench->ops->run(SECOND_PS / 10));
    qos_setup_block(f, true);
    send(f, 100, FRAME, 1, 0);
    send(f, 100, FRAME, 6, 0);
    drain(f);
    assert_in_range(qos_setup_count(f, 0, 100, 1), 8, 9);
    assert_in_range(qos_setup_count(f, 0, 8, 1), 8, 8);
}

/* Two groups below the port: the one with strict priority leaves the other its
 * guarantee, whichever of its queues asks for it. */
static void
test_group_keeps_its_minimum(void **state)
{
    struct qos_setup *f = *state;
    sai_object_id_t groups[2];
    const sai_object_id_t schedulers[2] = {
        make_scheduler(f, SAI_SCHEDULING_TYPE_DWRR, 1,
                       (struct rates){.meter = SAI_METER_TYPE_BYTES,
                                      .min = 2500000000}), /* A fifth. */
        make_scheduler(f, SAI_SCHEDULING_TYPE_STRICT, 1, (struct rates){0}),
    };

    for (int i = 0; i < 2; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_SCHEDULER_GROUP_ATTR_PORT_ID, {.oid = f->ports[1]}},
            {SAI_SCHEDULER_GROUP_ATTR_LEVEL, {.u8 = 0}},
            {SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS, {.u8 = 8}},
            {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE, {.oid = f->ports[1]}},
            {SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID,
             {.oid = schedulers[i]}},
        };

        OK(f->bench->group_api->create_scheduler_group(
            &groups[i], f->bench->sw, N(attributes), attributes));
    }
    qos_setup_set_queue(f, 1, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                        OID(groups[0]));
    qos_setup_set_queue(f, 2, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                        OID(groups[0]));
    qos_setup_set_queue(f, 6, SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                        OID(groups[1]));
    qos_setup_block(f, true);
    send(f, 300, FRAME, 1, 0);
    send(f, 300, FRAME, 2, 0);
    send(f, 1200, FRAME, 6, 0);
    drain(f);
    assert_int_equal(f->n_left, 1800);
    assert_in_range(qos_setup_count(f, 0, 1000, 1) +
                        qos_setup_count(f, 0, 1000, 2),
                    195, 230);
    assert_in_range(qos_setup_count(f, 0, 1000, 1), 95,
                    118); /* Half of it each. */
}

int
main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, setup, qos_setup_teardown)
#define E(test)                                                                \
    cmocka_unit_test_setup_teardown(test, setup_marking_early,                 \
                                    qos_setup_teardown)
    const struct CMUnitTest tests[] = {
        T(test_exp_decides_and_is_written),
        T(test_color_of_exp_has_its_curve),
        T(test_maps_of_ports_go_before_those_of_the_switch),
        T(test_marks_of_departure_are_those_of_the_first),
        E(test_marks_of_arrival_are_those_of_the_last),
        E(test_average_lags_behind_by_its_weight),
        E(test_average_begins_anew_with_its_profile),
        T(test_meters_count_bytes_or_packets),
        T(test_bursts_are_let_go_at_once),
        T(test_queue_keeps_its_minimum),
        T(test_burst_of_a_minimum_goes_first),
        T(test_group_keeps_its_minimum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
