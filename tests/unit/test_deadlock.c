/* SPDX-License-Identifier: Apache-2.0 */

/* Queues that detect PFC deadlocks and recover: the times alone, then on the
 * software switch, where all is exact to the picosecond.
 *
 * Ports of td2 are 40G: a pause of 65,535 quanta lasts 839 us. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"
#include "twin/qos/deadlock.h"

#define MS_PS INT64_C(1000000000)

/* Without maps all traffic is of this class, in the queue of that number. */
enum { CLASS = 0 };

/* --- Times -------------------------------------------------------------- */

static const struct deadlock_config usual = {
    .enabled = true, .detection_ps = 200, .recovery_ps = 400};

/* One look at a queue, and what is to follow. */
struct look {
    int64_t at_ps;
    bool paused, waiting;
    enum deadlock_event event;
    int64_t next_ps;
};

static void
check_looks(struct deadlock *deadlock, const struct look *looks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct look *look = &looks[i];

        assert_int_equal(
            deadlock_follow(deadlock, look->paused, look->waiting, look->at_ps),
            look->event);
        assert_int_equal(deadlock_next_ps(deadlock), look->next_ps);
    }
}

static void
test_detection_begins_with_pause_and_frame(void **state)
{
    static const struct look looks[] = {
        {0, true, false, DEADLOCK_NOTHING, INT64_MAX},
        {50, true, true, DEADLOCK_NOTHING, 250},
        {249, true, true, DEADLOCK_NOTHING, 250},
        {250, true, true, DEADLOCK_DETECTED, INT64_MAX},
        {251, true, false, DEADLOCK_NOTHING, INT64_MAX},
    };
    struct deadlock deadlock = {.config = usual};

    (void)state;
    check_looks(&deadlock, looks, N(looks));
    assert_true(deadlock_recovers(&deadlock));
}

static void
test_gap_begins_detection_anew(void **state)
{
    static const struct look looks[] = {
        {0, true, true, DEADLOCK_NOTHING, 200},
        {199, false, true, DEADLOCK_NOTHING, INT64_MAX},
        {200, true, true, DEADLOCK_NOTHING, 400},
        {300, true, false, DEADLOCK_NOTHING, INT64_MAX},
        {301, true, true, DEADLOCK_NOTHING, 501},
    };
    struct deadlock deadlock = {.config = usual};

    (void)state;
    check_looks(&deadlock, looks, N(looks));
    assert_false(deadlock_recovers(&deadlock));
}

static void
test_pause_begins_recovery_anew(void **state)
{
    static const struct look looks[] = {
        {0, true, true, DEADLOCK_NOTHING, 200},
        {200, true, true, DEADLOCK_DETECTED, INT64_MAX},
        {300, false, false, DEADLOCK_NOTHING, 700},
        {699, true, false, DEADLOCK_NOTHING, INT64_MAX},
        {700, false, true, DEADLOCK_NOTHING, 1100},
        {1100, false, true, DEADLOCK_RECOVERED, INT64_MAX},
        /* And the next one is detected as the first was. */
        {1200, true, true, DEADLOCK_NOTHING, 1400},
        {1400, true, true, DEADLOCK_DETECTED, INT64_MAX},
    };
    struct deadlock deadlock = {.config = usual};

    (void)state;
    check_looks(&deadlock, looks, N(looks));
}

static void
test_order_recovers_and_detects_nothing(void **state)
{
    static const struct look looks[] = {
        {0, true, true, DEADLOCK_NOTHING, INT64_MAX},
        {1000, true, true, DEADLOCK_NOTHING, INT64_MAX},
    };
    struct deadlock deadlock = {.config = usual};

    (void)state;
    deadlock.config.manual = true;
    check_looks(&deadlock, looks, N(looks));
    assert_true(deadlock_recovers(&deadlock));
    assert_int_equal(deadlock_configure(&deadlock, &usual), DEADLOCK_NOTHING);
    assert_false(deadlock_recovers(&deadlock));
}

static void
test_what_is_not_watched_any_more_has_recovered(void **state)
{
    const struct deadlock_config off = {0};
    struct deadlock deadlock = {.config = usual};

    (void)state;
    deadlock_follow(&deadlock, true, true, 0);
    deadlock_follow(&deadlock, true, true, 200);
    assert_int_equal(deadlock_configure(&deadlock, &usual), DEADLOCK_NOTHING);
    assert_int_equal(deadlock_configure(&deadlock, &off), DEADLOCK_RECOVERED);
    assert_int_equal(deadlock_configure(&deadlock, &off), DEADLOCK_NOTHING);
}

/* --- On the switch ------------------------------------------------------ */

/* The notifications, and their times.  Callbacks have no context. */
static struct {
    const struct softasic_ops *ops;
    uint32_t n;
    sai_queue_deadlock_notification_data_t events[8];
    int64_t at_ps[8];
} heard;

static void
on_queues(uint32_t count, const sai_queue_deadlock_notification_data_t *data)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(heard.n < N(heard.events));
        assert_int_equal(heard.ops->now(&heard.at_ps[heard.n]),
                         SAI_STATUS_SUCCESS);
        heard.events[heard.n++] = data[i];
    }
}

static sai_object_id_t
queue_of(struct asic_setup *bench, uint32_t port)
{
    return asic_setup_child(bench, bench->ports[port],
                            SAI_PORT_ATTR_QOS_QUEUE_LIST, CLASS);
}

static sai_status_t
try_queue(struct asic_setup *bench, sai_attr_id_t id, int32_t value)
{
    sai_attribute_t attribute = {.id = id};

    if (id == SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION) {
        attribute.value.s32 = value;
    } else {
        attribute.value.booldata = value != 0;
    }
    return bench->queue_api->set_queue_attribute(queue_of(bench, 1),
                                                 &attribute);
}

static void
set_queue(struct asic_setup *bench, sai_attr_id_t id, int32_t value)
{
    assert_int_equal(try_queue(bench, id, value), SAI_STATUS_SUCCESS);
}

/* Gives the class an interval; 'port' below 0: of the switch. */
static sai_status_t
set_interval(struct asic_setup *bench, int port, sai_attr_id_t id, int32_t ms)
{
    sai_map_t map = {.key = CLASS, .value = ms};
    const sai_attribute_t attribute = {
        .id = id, .value = {.maplist = {.count = 1, .list = &map}}};

    return port < 0
               ? bench->switch_api->set_switch_attribute(bench->sw, &attribute)
               : bench->port_api->set_port_attribute(bench->ports[port],
                                                     &attribute);
}

static uint64_t
stat_of(struct asic_setup *bench, sai_stat_id_t id)
{
    uint64_t value;

    assert_int_equal(
        bench->queue_api->get_queue_stats(queue_of(bench, 1), 1, &id, &value),
        SAI_STATUS_SUCCESS);
    return value;
}

/* Sends from port 0 to port 1. */
static void
send_frames(struct asic_setup *bench, uint64_t n)
{
    const struct softasic_send send = {.from = bench->ports[0],
                                       .to = bench->ports[1],
                                       .n_frames = n,
                                       .frame_bytes = 1000};
    struct softasic_sent sent;

    assert_int_equal(bench->ops->send(&send, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(sent.n_frames, n);
}

/* Lets port 1 obey pauses, and connects a peer
 * there that pauses it permanently, with 'n' frames waiting. */
static void
begin_storm(struct asic_setup *bench, uint64_t n)
{
    const sai_attribute_t listener = {SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY,
                                      {.ptr = (void *)(uintptr_t)on_queues}};
    const sai_attribute_t pfc = {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                                 {.u8 = 1 << CLASS}};
    const struct softasic_peer peer = {0};
    const struct softasic_storm storm = {
        .pause = {.priorities = 1 << CLASS, .quanta = 65535},
        .interval_ps = MS_PS / 10};

    memset(&heard, 0, sizeof heard);
    heard.ops = bench->ops;
    assert_int_equal(
        bench->switch_api->set_switch_attribute(bench->sw, &listener),
        SAI_STATUS_SUCCESS);
    for (int i = 0; i < 2; i++) {
        asic_setup_port_bool(bench, bench->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
    }
    assert_int_equal(bench->port_api->set_port_attribute(bench->ports[1], &pfc),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->peer(bench->ports[1], &peer),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->storm(bench->ports[1], &storm),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(MS_PS / 100), SAI_STATUS_SUCCESS);
    if (n) {
        send_frames(bench, n);
    }
}

static void
end_storm(struct asic_setup *bench)
{
    assert_int_equal(bench->ops->storm_stop(bench->ports[1]),
                     SAI_STATUS_SUCCESS);
}

static void
pass_ms(struct asic_setup *bench, int64_t ms)
{
    assert_int_equal(bench->ops->run(ms * MS_PS), SAI_STATUS_SUCCESS);
}

static void
expect_reported(uint32_t n, sai_queue_pfc_deadlock_event_type_t event)
{
    assert_int_equal(heard.n, n);
    assert_int_equal(heard.events[n - 1].event, event);
}

static void
test_dead_queue_drops_until_the_storm_is_over(void **state)
{
    struct asic_setup *bench = *state;

    set_queue(bench, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR, true);
    begin_storm(bench, 10);
    pass_ms(bench, 199);
    assert_int_equal(heard.n, 0);
    pass_ms(bench, 1);
    expect_reported(1, SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_DETECTED);
    assert_int_equal(heard.events[0].queue_id, queue_of(bench, 1));
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_DROPPED_PACKETS), 10);
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES), 0);
    /* It lasts as long as the storm, and is not reported again. */
    pass_ms(bench, 3000);
    assert_int_equal(heard.n, 1);
    end_storm(bench);
    pass_ms(bench, 400); /* What is left of the last pause comes before. */
    assert_int_equal(heard.n, 1);
    pass_ms(bench, 1);
    expect_reported(2, SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_RECOVERED);
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_PACKETS), 0);
}

static void
test_dead_queue_forwards_if_it_is_to(void **state)
{
    struct asic_setup *bench = *state;

    set_queue(bench, SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION,
              SAI_PACKET_ACTION_FORWARD);
    set_queue(bench, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR, true);
    begin_storm(bench, 10);
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_PACKETS), 0);
    pass_ms(bench, 201);
    expect_reported(1, SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_DETECTED);
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_PACKETS), 10);
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_DROPPED_PACKETS), 0);
}

static void
test_empty_queue_is_not_dead(void **state)
{
    struct asic_setup *bench = *state;

    set_queue(bench, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR, true);
    begin_storm(bench, 0);
    pass_ms(bench, 1000);
    assert_int_equal(heard.n, 0);
}

static void
test_intervals_of_the_port_go_before_those_of_the_switch(void **state)
{
    struct asic_setup *bench = *state;

    assert_int_equal(
        set_interval(bench, -1, SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL, 50),
        SAI_STATUS_SUCCESS);
    assert_int_equal(
        set_interval(bench, 1, SAI_PORT_ATTR_PFC_TC_DLR_INTERVAL, 20),
        SAI_STATUS_SUCCESS);
    set_queue(bench, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR, true);
    begin_storm(bench, 1);
    pass_ms(bench, 40);
    /* It may change at any time: what has passed counts. */
    assert_int_equal(
        set_interval(bench, 1, SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL, 45),
        SAI_STATUS_SUCCESS);
    pass_ms(bench, 6);
    expect_reported(1, SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_DETECTED);
    end_storm(bench);
    pass_ms(bench, 22);
    expect_reported(2, SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_RECOVERED);
    assert_in_range(heard.at_ps[1] - heard.at_ps[0], 20 * MS_PS, 22 * MS_PS);
}

static void
test_recovery_by_hand(void **state)
{
    struct asic_setup *bench = *state;

    begin_storm(bench, 10);
    set_queue(bench, SAI_QUEUE_ATTR_PFC_DLR_INIT, true);
    set_queue(bench, SAI_QUEUE_ATTR_PFC_DLR_INIT, true);
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_DROPPED_PACKETS), 10);
    pass_ms(bench, 1000);
    set_queue(bench, SAI_QUEUE_ATTR_PFC_DLR_INIT, false);
    send_frames(bench, 1);
    assert_int_equal(stat_of(bench, SAI_QUEUE_STAT_DROPPED_PACKETS), 10);
    assert_int_equal(heard.n, 0); /* Who did it knows. */
}

static void
test_port_that_goes_takes_its_deadlock_along(void **state)
{
    struct asic_setup *bench = *state;

    set_queue(bench, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR, true);
    begin_storm(bench, 10);
    pass_ms(bench, 201);
    assert_int_equal(heard.n, 1);
    assert_int_equal(asic_setup_remove_port(bench->sw, bench->ports[1]),
                     SAI_STATUS_SUCCESS);
    pass_ms(bench, 2000);
    assert_int_equal(heard.n, 1);
}

static void
test_attributes_say_what_they_take(void **state)
{
    struct asic_setup *bench = *state;
    sai_attribute_t range = {SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE, {0}};

    assert_int_equal(
        bench->switch_api->get_switch_attribute(bench->sw, 1, &range),
        SAI_STATUS_SUCCESS);
    assert_int_equal(range.value.u32range.min, 1);
    assert_int_equal(range.value.u32range.max, 5000);
    assert_int_equal(
        set_interval(bench, -1, SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL, 5001),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(
        set_interval(bench, 1, SAI_PORT_ATTR_PFC_TC_DLR_INTERVAL, 0),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(try_queue(bench, SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION,
                               SAI_PACKET_ACTION_TRAP),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0);
}

int
main(void)
{
#define ASIC(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_td2,                \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detection_begins_with_pause_and_frame),
        cmocka_unit_test(test_gap_begins_detection_anew),
        cmocka_unit_test(test_pause_begins_recovery_anew),
        cmocka_unit_test(test_order_recovers_and_detects_nothing),
        cmocka_unit_test(test_what_is_not_watched_any_more_has_recovered),
        ASIC(test_dead_queue_drops_until_the_storm_is_over),
        ASIC(test_dead_queue_forwards_if_it_is_to),
        ASIC(test_empty_queue_is_not_dead),
        ASIC(test_intervals_of_the_port_go_before_those_of_the_switch),
        ASIC(test_recovery_by_hand),
        ASIC(test_port_that_goes_takes_its_deadlock_along),
        ASIC(test_attributes_say_what_they_take),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
