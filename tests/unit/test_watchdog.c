/* SPDX-License-Identifier: Apache-2.0 */

/* Which queues are watched, what a storm does to them, and what is reported.
 * test_detector.c checks when there is a storm. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/watchdog/detection/watchdog.h"
#include "tests/support/storm_model.h"

struct bed {
    struct watchdog *watchdog;
    struct storm_model model;
    int64_t now_ns;
    struct storm_counts counts;
};

/* Hands in a row as "field=value;field=value"; NULL: it is gone. */
static void
put(struct bed *bed, enum table table, const char *key, const char *content)
{
    char text[256] = "", *save = NULL;
    const char *ports[4];
    char names[128];
    struct field fields[8];
    struct row row = {.table = table,
                      .key = key,
                      .ports = ports,
                      .present = content != NULL,
                      .effective = content != NULL,
                      .fields = fields};

    strcpy(names, key);
    for (char *name = strtok_r(names, ",", &save); name;
         name = strtok_r(NULL, ",", &save)) {
        ports[row.n_ports++] = name;
    }
    strcpy(text, content ? content : "");
    for (char *pair = strtok_r(text, ";", &save); pair;
         pair = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(pair, '=');

        *equals = '\0';
        fields[row.n_fields++] = (struct field){pair, equals + 1};
    }
    watchdog_put_row(bed->watchdog, &row);
    watchdog_update(bed->watchdog);
}

static void
bed_init(struct bed *bed, const char *rule)
{
    memset(bed, 0, sizeof *bed);
    bed->model.measures = (1 << N_STORM_MEASURES) - 1;
    bed->watchdog = watchdog_create();
    watchdog_set_rule(bed->watchdog, storm_rule_find(rule));
}

static const char two_queues[] = "pfc_enable=3,4;pfcwd_sw_enable=3,4";
static const char usual[] = "detection_time=200;restoration_time=300";

static void
bed_init_watched(struct bed *bed, const char *settings)
{
    bed_init(bed, "exact");
    put(bed, TABLE_PORT, "Ethernet0", "lanes=1,2,3,4;speed=100000");
    put(bed, TABLE_PORT_QOS_MAP, "Ethernet0", two_queues);
    put(bed, TABLE_PFC_WD, "Ethernet0", settings);
}

static struct watchdog_queue *
queue_of(const struct bed *bed, unsigned int index)
{
    struct watchdog_queue *queue =
        watchdog_find(bed->watchdog, "Ethernet0", index);

    assert_non_null(queue);
    return queue;
}

/* Returns the time of day at 'now_ns' of a switch whose time is slow. */
static int64_t
wall_of(int64_t now_ns)
{
    return 1000 * MS_NS + 10 * now_ns;
}

/* Polls queue 3 of Ethernet0 every 100 ms for so long; the switch does what is
 * wanted of it at once. */
static void
poll_for(struct bed *bed, int64_t ms)
{
    for (int64_t end_ns = bed->now_ns + ms * MS_NS; bed->now_ns < end_ns;) {
        struct storm_sample sample;

        bed->now_ns += 100 * MS_NS;
        storm_model_run(&bed->model, bed->now_ns);
        storm_model_set_off(&bed->model, queue_of(bed, 3)->effect.pfc_off);
        sample = storm_model_sample(&bed->model);
        sample.wall_ns = wall_of(bed->now_ns);
        watchdog_sample(bed->watchdog, queue_of(bed, 3), &sample, &bed->counts);
        storm_model_set_off(&bed->model, queue_of(bed, 3)->effect.pfc_off);
    }
}

/* Takes the next event, which has to be 'kind' about queue 'index'. */
static struct watchdog_event
expect(struct bed *bed, enum watchdog_event_kind kind, unsigned int index)
{
    struct watchdog_event event;

    assert_true(watchdog_take_event(bed->watchdog, &event));
    assert_int_equal(event.kind, kind);
    assert_int_equal(event.index, index);
    assert_string_equal(event.port, "Ethernet0");
    return event;
}

static void
expect_silence(struct bed *bed)
{
    struct watchdog_event event;

    assert_false(watchdog_take_event(bed->watchdog, &event));
}

static void
begin_storm(struct bed *bed)
{
    storm_model_add(&bed->model, bed->now_ns + 50 * MS_NS, INT64_MAX / 2,
                    false);
    poll_for(bed, 500);
    expect(bed, WATCHDOG_STORM, 3);
}

static void
assert_effect(struct bed *bed, bool pfc_off, bool zero_buffer)
{
    assert_int_equal(queue_of(bed, 3)->effect.pfc_off, pfc_off);
    assert_int_equal(queue_of(bed, 3)->effect.zero_buffer, zero_buffer);
}

/* --- Policy ------------------------------------------------------------- */

static void
test_rows_in_any_order_choose_the_same_queues(void **state)
{
    struct bed bed;

    (void)state;
    for (int first = 0; first < 2; first++) {
        bed_init(&bed, "exact");
        if (first) {
            put(&bed, TABLE_PFC_WD, "Ethernet0", usual);
        }
        put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0", two_queues);
        if (!first) {
            assert_null(watchdog_queues(bed.watchdog));
            put(&bed, TABLE_PFC_WD, "Ethernet0", usual);
        }
        assert_true(queue_of(&bed, 3)->watched && queue_of(&bed, 4)->watched);
        assert_null(watchdog_find(bed.watchdog, "Ethernet0", 2));
        assert_null(watchdog_find(bed.watchdog, "Ethernet0", 99));
        assert_null(watchdog_find(bed.watchdog, "Ethernet4", 3));
        watchdog_destroy(bed.watchdog);
    }
}

static void
test_most_specific_map_chooses(void **state)
{
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    put(&bed, TABLE_PFC_WD, "Ethernet0", usual);
    put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0", "pfcwd_sw_enable=5");
    put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0,Ethernet4", "pfcwd_sw_enable=3");
    assert_null(watchdog_find(bed.watchdog, "Ethernet0", 3));
    assert_true(queue_of(&bed, 5)->watched);
    put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0", NULL);
    assert_true(queue_of(&bed, 3)->watched);
    assert_false(queue_of(&bed, 5)->watched);
    watchdog_destroy(bed.watchdog);
}

/* Of two rows with as many ports, the one with the smaller key decides, in
 * whatever order they arrive. */
static void
test_smaller_key_chooses_of_maps_with_as_many_ports(void **state)
{
    static const char *const keys[] = {"Ethernet0,Ethernet4",
                                       "Ethernet0,Ethernet8"};
    static const char *const maps[] = {"pfcwd_sw_enable=3",
                                       "pfcwd_sw_enable=5"};

    (void)state;
    for (int first = 0; first < 2; first++) {
        struct bed bed;

        bed_init(&bed, "exact");
        put(&bed, TABLE_PFC_WD, "Ethernet0", usual);
        put(&bed, TABLE_PORT_QOS_MAP, keys[first], maps[first]);
        put(&bed, TABLE_PORT_QOS_MAP, keys[!first], maps[!first]);
        assert_int_equal(
            policy_find(watchdog_policy(bed.watchdog), "Ethernet0")->queues,
            1 << 3);
        watchdog_destroy(bed.watchdog);
    }
}

static void
test_e7_row_without_queues_says_what_is_missing(void **state)
{
    const struct policy *policy;
    struct err err = {0};
    struct bed bed;

    (void)state;
    bed_init(&bed, "exact");
    put(&bed, TABLE_PFC_WD, "Ethernet0", usual);
    policy = watchdog_policy(bed.watchdog);
    assert_false(policy_explain(policy_find(policy, "Ethernet0"), &err));
    put(&bed, TABLE_PORT, "Ethernet0", "lanes=1,2,3,4;speed=100000");
    assert_true(policy_explain(policy_find(policy, "Ethernet0"), &err));
    assert_string_equal(err.code, "no-queues");
    put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0", "pfc_enable=3,4");
    assert_true(policy_explain(policy_find(policy, "Ethernet0"), &err));
    assert_non_null(strstr(err.reason, "pfc_enable alone"));
    put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0", two_queues);
    assert_false(policy_explain(policy_find(policy, "Ethernet0"), &err));
    watchdog_destroy(bed.watchdog);
}

static void
test_polling_can_be_disabled_but_not_the_big_red_switch(void **state)
{
    const struct policy *policy;
    struct err err = {0};
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, usual);
    policy = watchdog_policy(bed.watchdog);
    put(&bed, TABLE_FLEX_COUNTER_TABLE, "PORT", "FLEX_COUNTER_STATUS=disable");
    assert_true(queue_of(&bed, 3)->watched);
    put(&bed, TABLE_FLEX_COUNTER_TABLE, "PFCWD", "FLEX_COUNTER_STATUS=disable");
    assert_false(queue_of(&bed, 3)->watched);
    assert_true(policy_explain(policy_find(policy, "Ethernet0"), &err));
    assert_string_equal(err.code, "polling-disabled");
    put(&bed, TABLE_PFC_WD, "GLOBAL", "BIG_RED_SWITCH=enable");
    assert_true(queue_of(&bed, 3)->watched && queue_of(&bed, 3)->red);
    put(&bed, TABLE_PFC_WD, "GLOBAL", NULL);
    assert_false(queue_of(&bed, 3)->watched);
    put(&bed, TABLE_FLEX_COUNTER_TABLE, "PFCWD", NULL);
    assert_true(queue_of(&bed, 3)->watched);
    assert_false(policy_explain(policy_find(policy, "Ethernet0"), &err));
    watchdog_destroy(bed.watchdog);
}

static void
test_poll_interval_comes_and_goes_with_its_row(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, usual);
    put(&bed, TABLE_PFC_WD, "GLOBAL", "POLL_INTERVAL=500");
    assert_int_equal(queue_of(&bed, 3)->detector.times.poll_ns, 500 * MS_NS);
    assert_int_equal(watchdog_next(bed.watchdog, 7), 500 * MS_NS + 7);
    put(&bed, TABLE_PFC_WD, "GLOBAL", NULL);
    assert_int_equal(queue_of(&bed, 3)->detector.times.poll_ns, 100 * MS_NS);
    watchdog_destroy(bed.watchdog);
}

static void
test_nothing_is_watched_without_a_storm_rule(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, usual);
    watchdog_set_rule(bed.watchdog, NULL);
    assert_false(queue_of(&bed, 3)->watched);
    assert_true(watchdog_unsettled(queue_of(&bed, 3)));
    watchdog_settle(bed.watchdog, queue_of(&bed, 3), NULL);
    watchdog_settle(bed.watchdog, queue_of(&bed, 4), NULL);
    assert_int_equal(watchdog_next(bed.watchdog, 0), INT64_MAX);
    watchdog_set_rule(bed.watchdog, storm_rule_find("vs"));
    assert_true(queue_of(&bed, 3)->watched);
    watchdog_destroy(bed.watchdog);
}

/* --- Storms ------------------------------------------------------------- */

static void
test_action_decides_the_effect(void **state)
{
    static const struct {
        const char *rule, *action;
        struct watchdog_effect effect;
    } cases[] = {
        {"exact", "action=drop;", {true, true, false}},
        {"exact", "", {true, true, false}},
        {"exact", "action=forward;", {true, false, false}},
        {"exact", "action=alert;", {false, false, false}},
        {"cisco-8000", "action=drop;", {false, false, true}},
        {"cisco-8000", "action=forward;", {false, false, false}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char settings[128];
        struct bed bed;

        strcpy(settings, cases[i].action);
        strcat(settings, usual);
        bed_init(&bed, cases[i].rule);
        put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0", two_queues);
        put(&bed, TABLE_PFC_WD, "Ethernet0", settings);
        begin_storm(&bed);
        assert_memory_equal(&queue_of(&bed, 3)->effect, &cases[i].effect,
                            sizeof cases[i].effect);
        assert_true(watchdog_stormed(queue_of(&bed, 3)));
        assert_false(watchdog_stormed(queue_of(&bed, 4)));
        watchdog_destroy(bed.watchdog);
    }
}

static void
test_e11_what_is_dropped_until_the_end_counts(void **state)
{
    struct bed bed;
    const struct storm_account *account;

    (void)state;
    bed_init_watched(&bed, usual);
    bed.counts.tx_dropped = 1000;
    begin_storm(&bed);
    bed.counts.tx_dropped = 1500;
    bed.model.spans[0].end_ns = bed.now_ns;
    poll_for(&bed, 500);
    expect(&bed, WATCHDOG_RESTORED, 3);
    assert_effect(&bed, false, false);
    assert_true(watchdog_unsettled(queue_of(&bed, 3)));
    bed.counts.tx_dropped = 1600; /* Until the effect was undone. */
    watchdog_settle(bed.watchdog, queue_of(&bed, 3), &bed.counts);
    account = &queue_of(&bed, 3)->account;
    assert_int_equal(account->total.tx_dropped, 600);
    assert_int_equal(account->detected, 1);
    assert_int_equal(account->restored, 1);
    assert_false(watchdog_unsettled(queue_of(&bed, 3)));
    watchdog_destroy(bed.watchdog);
}

static void
test_e6_action_changes_during_a_storm(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, "action=alert;detection_time=200");
    begin_storm(&bed);
    assert_effect(&bed, false, false);
    watchdog_take_change(bed.watchdog);
    put(&bed, TABLE_PFC_WD, "Ethernet0", usual);
    assert_effect(&bed, true, true);
    assert_true(watchdog_take_change(bed.watchdog));
    put(&bed, TABLE_PFC_WD, "Ethernet0", "action=forward;detection_time=200");
    assert_effect(&bed, true, false);
    expect_silence(&bed);
    assert_int_equal(queue_of(&bed, 3)->account.detected, 1);
    watchdog_destroy(bed.watchdog);
}

static void
test_e6_queue_that_is_not_watched_any_more_is_let_go(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, usual);
    begin_storm(&bed);
    put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0",
        "pfc_enable=3,4;pfcwd_sw_enable=4");
    assert_effect(&bed, false, false);
    expect(&bed, WATCHDOG_RESTORED, 3);
    assert_true(watchdog_unsettled(queue_of(&bed, 3)));
    watchdog_settle(bed.watchdog, queue_of(&bed, 3), &bed.counts);
    assert_null(watchdog_find(bed.watchdog, "Ethernet0", 3));
    assert_true(queue_of(&bed, 4)->watched);
    put(&bed, TABLE_PFC_WD, "Ethernet0", NULL);
    watchdog_settle(bed.watchdog, queue_of(&bed, 4), NULL);
    assert_null(watchdog_queues(bed.watchdog));
    watchdog_destroy(bed.watchdog);
}

static void
test_alert_without_restoration_time_ends(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, "action=alert;detection_time=200");
    begin_storm(&bed);
    bed.model.spans[0].end_ns = bed.now_ns;
    poll_for(&bed, 500);
    expect(&bed, WATCHDOG_RESTORED, 3);
    watchdog_destroy(bed.watchdog);
}

static void
test_e9_drop_that_is_refused_becomes_forward(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, usual);
    begin_storm(&bed);
    watchdog_refuse(bed.watchdog, queue_of(&bed, 3), false);
    expect(&bed, WATCHDOG_REFUSED, 3);
    assert_effect(&bed, true, false);
    watchdog_refuse(bed.watchdog, queue_of(&bed, 3), true);
    assert_effect(&bed, false, false);
    assert_true(watchdog_stormed(queue_of(&bed, 3)));
    expect(&bed, WATCHDOG_REFUSED, 3);
    watchdog_release(bed.watchdog, queue_of(&bed, 3));
    expect(&bed, WATCHDOG_RESTORED, 3);
    watchdog_assume(bed.watchdog, queue_of(&bed, 3), false, bed.now_ns);
    assert_effect(&bed, true, true); /* The next one is tried again. */
    watchdog_destroy(bed.watchdog);
}

static void
test_e5_replayed_storm_of_a_healthy_queue_ends(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, usual);
    queue_of(&bed, 3)->account.detected = 4;
    queue_of(&bed, 3)->account.restored = 3;
    watchdog_assume(bed.watchdog, queue_of(&bed, 3), true, bed.now_ns);
    assert_true(expect(&bed, WATCHDOG_STORM, 3).from_earlier_run);
    assert_effect(&bed, true, true);
    poll_for(&bed, 500);
    expect(&bed, WATCHDOG_RESTORED, 3);
    watchdog_settle(bed.watchdog, queue_of(&bed, 3), &bed.counts);
    assert_int_equal(queue_of(&bed, 3)->account.detected, 4);
    assert_int_equal(queue_of(&bed, 3)->account.restored, 4);
    watchdog_destroy(bed.watchdog);
}

/* --- Guarded by the switch ------------------------------------------------ */

/* Sets up a queue that the switch guards. */
static void
bed_init_guarded(struct bed *bed)
{
    bed_init_watched(bed, usual);
    assert_true(watchdog_may_be_in_hardware(queue_of(bed, 3)));
    watchdog_set_in_hardware(bed->watchdog, queue_of(bed, 3), true,
                             bed->now_ns);
}

/* The switch says that queue 3 is dead, or not. */
static void
say(struct bed *bed, bool dead)
{
    watchdog_deadlock(bed->watchdog, queue_of(bed, 3), dead,
                      dead ? &bed->counts : NULL, bed->now_ns);
}

static void
test_guarded_queue_is_judged_by_the_switch_alone(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_guarded(&bed);
    storm_model_add(&bed.model, 50 * MS_NS, INT64_MAX / 2, false);
    poll_for(&bed, 1000);
    expect_silence(&bed);
    bed.counts.tx_dropped = 10;
    say(&bed, true);
    expect(&bed, WATCHDOG_STORM, 3);
    say(&bed, true);
    expect_silence(&bed);
    assert_true(watchdog_stormed(queue_of(&bed, 3)));
    assert_effect(&bed, false, false);
    bed.counts.tx_dropped = 17;
    poll_for(&bed, 1000);
    expect_silence(&bed);
    say(&bed, false);
    expect(&bed, WATCHDOG_RESTORED, 3);
    bed.counts.tx_dropped = 19;
    watchdog_settle(bed.watchdog, queue_of(&bed, 3), &bed.counts);
    assert_int_equal(queue_of(&bed, 3)->account.detected, 1);
    assert_int_equal(queue_of(&bed, 3)->account.restored, 1);
    assert_int_equal(queue_of(&bed, 3)->account.last.tx_dropped, 9);
    watchdog_destroy(bed.watchdog);
}

static void
test_guard_that_goes_in_a_storm_leaves_it_to_us(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_guarded(&bed);
    say(&bed, true);
    expect(&bed, WATCHDOG_STORM, 3);
    watchdog_set_in_hardware(bed.watchdog, queue_of(&bed, 3), false,
                             bed.now_ns);
    expect_silence(&bed);
    assert_effect(&bed, true, true);
    say(&bed, false); /* orchd no longer listens to the switch here. */
    expect_silence(&bed);
    poll_for(&bed, 600);
    expect(&bed, WATCHDOG_RESTORED, 3);
    assert_int_equal(queue_of(&bed, 3)->account.detected, 1);
    watchdog_destroy(bed.watchdog);
}

/* It may have ended while no listener was registered. */
static void
test_recovery_continues_and_ends_on_any_report(void **state)
{
    struct bed bed;

    (void)state;
    for (int heard = 0; heard < 2; heard++) {
        bed_init_guarded(&bed);
        storm_model_add(&bed.model, 0, 1000 * MS_NS, false);
        watchdog_assume_deadlock(bed.watchdog, queue_of(&bed, 3), 0);
        assert_true(expect(&bed, WATCHDOG_STORM, 3).from_earlier_run);
        assert_true(watchdog_may_be_in_hardware(queue_of(&bed, 3)));
        poll_for(&bed, 1000);
        expect_silence(&bed);
        assert_effect(&bed, false, false);
        if (heard) {
            say(&bed, false);
        } else {
            poll_for(&bed, 500);
        }
        expect(&bed, WATCHDOG_RESTORED, 3);
        say(&bed, false);
        expect_silence(&bed);
        assert_false(watchdog_stormed(queue_of(&bed, 3)));
        assert_true(watchdog_may_be_in_hardware(queue_of(&bed, 3)));
        watchdog_destroy(bed.watchdog);
    }
}

static void
test_recovery_that_ends_before_the_storm_is_found_out(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_guarded(&bed);
    for (int i = 0; i < 2; i++) {
        say(&bed, true);
        expect(&bed, WATCHDOG_STORM, 3);
        if (i == 0) {
            bed.now_ns += 300 * MS_NS;
            say(&bed, false);
            expect(&bed, WATCHDOG_RESTORED, 3);
            bed.now_ns += 200 * MS_NS; /* The detection time. */
        }
    }
    expect(&bed, WATCHDOG_DISTRUSTED, 3);
    assert_false(watchdog_may_be_in_hardware(queue_of(&bed, 3)));
    watchdog_destroy(bed.watchdog);
    /* A later storm is another one. */
    bed_init_guarded(&bed);
    for (int i = 0; i < 2; i++) {
        say(&bed, true);
        say(&bed, false);
        bed.now_ns += 400 * MS_NS;
    }
    assert_true(watchdog_may_be_in_hardware(queue_of(&bed, 3)));
    watchdog_destroy(bed.watchdog);
}

static void
test_what_a_switch_cannot_do_is_not_guarded(void **state)
{
    static const char *const settings[] = {
        "action=alert;detection_time=200;restoration_time=300",
        "detection_time=200", /* Never restored. */
    };
    struct bed bed;

    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        bed_init_watched(&bed, settings[i]);
        assert_false(watchdog_may_be_in_hardware(queue_of(&bed, 3)));
        watchdog_destroy(bed.watchdog);
    }
    bed_init_watched(&bed, usual);
    watchdog_assume(bed.watchdog, queue_of(&bed, 3), true, 0);
    assert_false(watchdog_may_be_in_hardware(queue_of(&bed, 3)));
    assert_true(watchdog_may_be_in_hardware(queue_of(&bed, 4)));
    put(&bed, TABLE_PFC_WD, "GLOBAL", "BIG_RED_SWITCH=enable");
    assert_false(watchdog_may_be_in_hardware(queue_of(&bed, 4)));
    watchdog_destroy(bed.watchdog);
}

static void
test_zero_profile_is_there_before_it_is_needed(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, "action=alert;detection_time=200");
    assert_false(watchdog_needs_zero(bed.watchdog));
    put(&bed, TABLE_PFC_WD, "Ethernet0", usual);
    assert_true(watchdog_needs_zero(bed.watchdog));
    put(&bed, TABLE_PFC_WD, "Ethernet0", NULL);
    assert_false(watchdog_needs_zero(bed.watchdog));
    watchdog_destroy(bed.watchdog);
}

/* --- The big red switch ------------------------------------------------- */

static void
test_big_red_switch_drops_until_it_is_off(void **state)
{
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, "action=alert;detection_time=200");
    begin_storm(&bed);
    put(&bed, TABLE_PFC_WD, "GLOBAL", "BIG_RED_SWITCH=enable");
    assert_effect(&bed, true, true);
    assert_true(queue_of(&bed, 4)->effect.zero_buffer);
    bed.model.spans[0].end_ns = bed.now_ns;
    poll_for(&bed, 5000);
    assert_effect(&bed, true, true);
    /* A newly watched queue joins. */
    put(&bed, TABLE_PORT_QOS_MAP, "Ethernet0", "pfcwd_sw_enable=3,4,5");
    assert_true(queue_of(&bed, 5)->effect.zero_buffer);
    put(&bed, TABLE_PFC_WD, "GLOBAL", NULL);
    assert_effect(&bed, false, false);
    assert_false(queue_of(&bed, 5)->effect.zero_buffer);
    assert_true(watchdog_unsettled(queue_of(&bed, 5)));
    watchdog_destroy(bed.watchdog);
}

/* --- History ------------------------------------------------------------ */

static void
test_history_knows_the_recent_pause_and_all(void **state)
{
    struct watchdog_queue *queue;
    struct bed bed;

    (void)state;
    bed_init_watched(&bed, "action=alert;detection_time=5000");
    storm_model_add(&bed.model, 250 * MS_NS, 460 * MS_NS, false);
    storm_model_add(&bed.model, 930 * MS_NS, 980 * MS_NS, false);
    poll_for(&bed, 700);
    queue = queue_of(&bed, 3);
    assert_int_equal(queue->recent_wall_ns, wall_of(200 * MS_NS));
    assert_int_equal(queue->recent_us, 210000);
    poll_for(&bed, 700);
    assert_int_equal(queue->recent_wall_ns, wall_of(900 * MS_NS));
    assert_int_equal(queue->recent_us, 50000);
    assert_int_equal(queue->total_us, 260000);
    watchdog_destroy(bed.watchdog);
}

/* --- Rules -------------------------------------------------------------- */

static void
check_rule(const struct storm_rule *rule, void *n)
{
    /* What it needs it reads, and some clause can hold. */
    assert_int_equal(rule->needs & ~rule->uses, 0);
    assert_int_equal(rule->live_disabled & ~rule->uses, 0);
    assert_true(rule->clauses[0] != 0);
    assert_ptr_equal(storm_rule_find(rule->name), rule);
    assert_true(storm_rule_suits(rule, rule->needs));
    ++*(int *)n;
}

static void
test_rules_are_sound_and_chosen_by_what_is_offered(void **state)
{
    const unsigned int queue = STORM_PACKETS | STORM_OCCUPANCY;
    int n = 0;

    (void)state;
    storm_rule_each(check_rule, &n);
    assert_int_equal(n, 9);
    assert_null(storm_rule_find("nobody"));
    assert_ptr_equal(storm_rule_find("nephos"), storm_rule_find("vs"));
    assert_null(storm_rule_choose(queue));
    assert_string_equal(storm_rule_choose(~0u)->name, "exact");
    assert_string_equal(
        storm_rule_choose(queue | STORM_FRAMES | STORM_DURATION)->name,
        "duration");
    assert_string_equal(storm_rule_choose(queue | STORM_FRAMES)->name,
                        "stalled");
    assert_string_equal(storm_rule_choose(STORM_STATUS)->name, "status");
    assert_false(storm_rule_suits(storm_rule_find("mellanox"), STORM_STATUS));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_in_any_order_choose_the_same_queues),
        cmocka_unit_test(test_most_specific_map_chooses),
        cmocka_unit_test(test_smaller_key_chooses_of_maps_with_as_many_ports),
        cmocka_unit_test(test_e7_row_without_queues_says_what_is_missing),
        cmocka_unit_test(
            test_polling_can_be_disabled_but_not_the_big_red_switch),
        cmocka_unit_test(test_poll_interval_comes_and_goes_with_its_row),
        cmocka_unit_test(test_nothing_is_watched_without_a_storm_rule),
        cmocka_unit_test(test_action_decides_the_effect),
        cmocka_unit_test(test_e11_what_is_dropped_until_the_end_counts),
        cmocka_unit_test(test_e6_action_changes_during_a_storm),
        cmocka_unit_test(test_e6_queue_that_is_not_watched_any_more_is_let_go),
        cmocka_unit_test(test_alert_without_restoration_time_ends),
        cmocka_unit_test(test_e9_drop_that_is_refused_becomes_forward),
        cmocka_unit_test(test_e5_replayed_storm_of_a_healthy_queue_ends),
        cmocka_unit_test(test_guarded_queue_is_judged_by_the_switch_alone),
        cmocka_unit_test(test_guard_that_goes_in_a_storm_leaves_it_to_us),
        cmocka_unit_test(test_recovery_continues_and_ends_on_any_report),
        cmocka_unit_test(test_recovery_that_ends_before_the_storm_is_found_out),
        cmocka_unit_test(test_what_a_switch_cannot_do_is_not_guarded),
        cmocka_unit_test(test_zero_profile_is_there_before_it_is_needed),
        cmocka_unit_test(test_big_red_switch_drops_until_it_is_off),
        cmocka_unit_test(test_history_knows_the_recent_pause_and_all),
        cmocka_unit_test(test_rules_are_sound_and_chosen_by_what_is_offered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
