/* SPDX-License-Identifier: Apache-2.0 */

/* What a storm does to the ASIC, and what is left of it afterwards: the
 * configuration.  Names that begin with e and a number are those under which
 * mistakes of watchdogs are known. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/reconcile/drift.h"
#include "orchd/watchdog/detection/watchdog.h"
#include "tests/support/agent_harness.h"

#define MS_NS INT64_C(1000000)

static const char zero[] = "pfc-watchdog profile";

static struct watchdog_queue *
queue_of(const struct harness *harness, const char *port, unsigned int index)
{
    struct watchdog_queue *queue =
        watchdog_find(agent_watchdog(harness->agent), port, index);

    assert_non_null(queue);
    return queue;
}

/* Says that the queue is in a storm, or no longer, and lets that have its
 * effect. */
static void
storm(struct harness *harness, const char *port, unsigned int index, bool on)
{
    struct watchdog *watchdog = agent_watchdog(harness->agent);
    struct watchdog_queue *queue = queue_of(harness, port, index);

    if (on) {
        watchdog_assume(watchdog, queue, false, harness->now);
    } else {
        watchdog_release(watchdog, queue);
    }
    harness_settle(harness);
}

/* Sets up the usual configuration, with both ports watched. */
static void
init_watched(struct harness *harness, const char *action)
{
    char fields[128] = "detection_time=200;restoration_time=400;action=";

    harness_init_applied(harness);
    watchdog_set_rule(agent_watchdog(harness->agent), storm_rule_find("exact"));
    harness_put(harness, "PORT_QOS_MAP", "Ethernet0",
                "dscp_to_tc_map=AZURE;pfc_enable=3,4;pfcwd_sw_enable=3,4");
    harness_put(harness, "PORT_QOS_MAP", "Ethernet4",
                "dscp_to_tc_map=AZURE;pfc_enable=3,4;pfcwd_sw_enable=3,4");
    strcat(fields, action);
    harness_put(harness, "PFC_WD", "Ethernet0", fields);
    harness_apply(harness, "PFC_WD", "Ethernet4", fields);
    harness_assert_state(harness, "PFC_WD", "Ethernet0", "applied");
}

/* Reads a mask of a port as the store has it. */
static uint8_t
mask_of(const struct harness *harness, const char *port, sai_attr_id_t id)
{
    const struct object *object =
        agent_object(harness->agent, TABLE_PORT, port, -1);
    struct sai_backend *backend = store_backend(harness->store);
    sai_attribute_t attribute = {.id = id};

    assert_non_null(object);
    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.u8;
}

static uint8_t
pfc_of(const struct harness *harness, const char *port)
{
    return mask_of(harness, port, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL);
}

/* Returns the name of the profile that the store has for a queue, "" if
 * none. */
static const char *
profile_of(const struct harness *harness, const char *port, int index)
{
    const struct object *object =
        agent_object(harness->agent, TABLE_BUFFER_QUEUE, port, index);
    struct sai_backend *backend = store_backend(harness->store);
    sai_attribute_t attribute = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};
    const struct object *profile;

    assert_non_null(object);
    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    if (attribute.value.oid == SAI_NULL_OBJECT_ID) {
        return "";
    }
    profile = object_target(object, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);
    assert_non_null(profile);
    assert_int_equal(profile->oid, attribute.value.oid);
    return profile->name.name;
}

static void
expect_event(struct harness *harness, enum watchdog_event_kind kind)
{
    struct watchdog_event event;

    assert_true(watchdog_take_event(agent_watchdog(harness->agent), &event));
    assert_int_equal(event.kind, kind);
}

/* --- Actions ------------------------------------------------------------ */

static void
test_actions_and_their_end(void **state)
{
    static const struct {
        const char *action;
        uint8_t pfc;
        const char *profile;
    } cases[] = {
        {"drop", 0x10, zero},
        {"forward", 0x10, "out_lossless"},
        {"alert", 0x18, "out_lossless"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct harness harness;
        char *before;

        init_watched(&harness, cases[i].action);
        before = harness_dump(&harness);
        storm(&harness, "Ethernet0", 3, true);
        assert_int_equal(pfc_of(&harness, "Ethernet0"), cases[i].pfc);
        assert_string_equal(profile_of(&harness, "Ethernet0", 3),
                            cases[i].profile);
        assert_string_equal(profile_of(&harness, "Ethernet0", 4),
                            "out_lossless");
        assert_int_equal(pfc_of(&harness, "Ethernet4"), 0x18);
        assert_int_equal(
            agent_pfc_is_off(harness.agent, queue_of(&harness, "Ethernet0", 3)),
            cases[i].pfc == 0x10);
        storm(&harness, "Ethernet0", 3, false);
        assert_true(agent_effects_are_undone(
            harness.agent, queue_of(&harness, "Ethernet0", 3)));
        harness_assert_dump(&harness, before);
        harness_fini(&harness);
    }
}

static void
test_row_of_the_user_says_that_it_is_locked(void **state)
{
    struct harness harness;
    const struct row_status *status;

    (void)state;
    init_watched(&harness, "drop");
    storm(&harness, "Ethernet0", 3, true);
    status =
        harness_status(&harness, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4");
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4",
                         "shadowed");
    assert_string_equal(status->blocked_by, "PFC_WD|Ethernet0");
    assert_string_equal(status->err.code, "pfc-storm");
    /* However specific it is. */
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|3", "profile=out_lossy");
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0|3", "shadowed");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), zero);
    harness_put(&harness, "BUFFER_QUEUE", "Ethernet0|3", NULL);
    storm(&harness, "Ethernet0", 3, false);
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4",
                         "applied");
    harness_fini(&harness);
}

static void
test_all_priorities_at_once(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    storm(&harness, "Ethernet0", 3, true);
    storm(&harness, "Ethernet0", 4, true);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0);
    storm(&harness, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x08);
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), zero);
    storm(&harness, "Ethernet0", 4, false);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    harness_fini(&harness);
}

static void
test_asymmetric_port_neither_obeys_nor_sends(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "forward");
    harness_put(
        &harness, "PORT", "Ethernet0",
        "lanes=1,2,3,4;speed=100000;mtu=9100;admin_status=up;pfc_asym=on");
    harness_settle(&harness);
    storm(&harness, "Ethernet0", 3, true);
    assert_int_equal(
        mask_of(&harness, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX),
        0xf7);
    assert_int_equal(
        mask_of(&harness, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX),
        0x10);
    storm(&harness, "Ethernet0", 3, false);
    assert_int_equal(
        mask_of(&harness, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX),
        0xff);
    assert_int_equal(
        mask_of(&harness, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX),
        0x18);
    harness_fini(&harness);
}

static void
test_recovery_by_the_switch_itself(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    watchdog_set_rule(agent_watchdog(harness.agent),
                      storm_rule_find("cisco-8000"));
    harness_settle(&harness);
    storm(&harness, "Ethernet0", 3, true);
    assert_true(object_value(agent_object(harness.agent, TABLE_BUFFER_QUEUE,
                                          "Ethernet0", 3),
                             SAI_QUEUE_ATTR_PFC_DLR_INIT)
                    ->booldata);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "out_lossless");
    storm(&harness, "Ethernet0", 3, false);
    assert_null(object_value(
        agent_object(harness.agent, TABLE_BUFFER_QUEUE, "Ethernet0", 3),
        SAI_QUEUE_ATTR_PFC_DLR_INIT));
    harness_fini(&harness);
}

static void
test_nothing_is_left_when_nothing_is_watched(void **state)
{
    struct harness harness;
    char *before;

    (void)state;
    harness_init_applied(&harness);
    before = harness_dump(&harness);
    watchdog_set_rule(agent_watchdog(harness.agent), storm_rule_find("exact"));
    harness_put(&harness, "PORT_QOS_MAP", "Ethernet0",
                "dscp_to_tc_map=AZURE;tc_to_queue_map=AZURE;tc_to_pg_map=AZURE;"
                "pfc_enable=3,4;pfcwd_sw_enable=3,4");
    harness_apply(&harness, "PFC_WD", "Ethernet0", "detection_time=200");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     4);
    storm(&harness, "Ethernet0", 3, true);
    harness_apply(&harness, "PFC_WD", "Ethernet0", NULL);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     3);
    /* And without a storm. */
    harness_put(&harness, "PFC_WD", "Ethernet0",
                "detection_time=200;action=alert");
    harness_settle(&harness);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     3);
    harness_apply(&harness, "PFC_WD", "Ethernet0", "detection_time=200");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     4);
    harness_apply(&harness, "PFC_WD", "Ethernet0", NULL);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     3);
    harness_assert_dump(&harness, before);
    harness_fini(&harness);
}

static void
test_big_red_switch_takes_all_watched_queues(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "alert");
    harness_apply(&harness, "PFC_WD", "GLOBAL", "BIG_RED_SWITCH=enable");
    harness_assert_state(&harness, "PFC_WD", "GLOBAL", "applied");
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0);
    assert_int_equal(pfc_of(&harness, "Ethernet4"), 0);
    assert_string_equal(profile_of(&harness, "Ethernet4", 4), zero);
    assert_string_equal(profile_of(&harness, "Ethernet4", 1), "out_lossy");
    harness_apply(&harness, "PFC_WD", "GLOBAL", NULL);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    assert_string_equal(profile_of(&harness, "Ethernet4", 4), "out_lossless");
    harness_fini(&harness);
}

/* --- Rows --------------------------------------------------------------- */

static void
test_e7_watchdog_without_queues_waits_and_starts(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    watchdog_set_rule(agent_watchdog(harness.agent), storm_rule_find("exact"));
    harness_put(&harness, "PFC_WD", "Ethernet0", "detection_time=200");
    harness_apply(&harness, "PFC_WD", "Ethernet8", "detection_time=200");
    harness_assert_state(&harness, "PFC_WD", "Ethernet0", "waiting");
    assert_string_equal(
        harness_status(&harness, "PFC_WD", "Ethernet0")->err.code, "no-queues");
    harness_put(&harness, "PORT_QOS_MAP", "Ethernet0",
                "pfc_enable=3,4;pfcwd_sw_enable=3");
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet8", "pfcwd_sw_enable=3");
    harness_assert_state(&harness, "PFC_WD", "Ethernet0", "applied");
    harness_assert_state(&harness, "PFC_WD", "Ethernet8", "waiting");
    assert_string_equal(
        harness_status(&harness, "PFC_WD", "Ethernet8")->blocked_by,
        "PORT|Ethernet8");
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4");
    harness_assert_state(&harness, "PFC_WD", "Ethernet0", "waiting");
    harness_fini(&harness);
}

static void
test_watchdog_of_a_port_that_does_not_exist_names_it(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    watchdog_set_rule(agent_watchdog(harness.agent), storm_rule_find("exact"));
    harness_apply(&harness, "PFC_WD", "ALL", "detection_time=200");
    harness_assert_state(&harness, "PFC_WD", "ALL", "waiting");
    assert_string_equal(harness_status(&harness, "PFC_WD", "ALL")->err.code,
                        "missing-ref");
    assert_string_equal(harness_status(&harness, "PFC_WD", "ALL")->blocked_by,
                        "PORT|ALL");
    /* Once it exists, it needs queues. */
    harness_apply(&harness, "PORT", "ALL", "lanes=9,10;speed=50000");
    assert_string_equal(harness_status(&harness, "PFC_WD", "ALL")->err.code,
                        "no-queues");
    harness_fini(&harness);
}

static void
test_switch_without_counters_is_reported_to_the_row(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    watchdog_set_rule(agent_watchdog(harness.agent), NULL);
    harness_apply(&harness, "PFC_WD", "Ethernet0", "detection_time=300");
    assert_string_equal(
        harness_status(&harness, "PFC_WD", "Ethernet0")->err.code,
        "no-counters");
    harness_fini(&harness);
}

static void
test_bad_rows_are_refused_and_good_ones_stay_in_force(void **state)
{
    static const char *const bad[] = {
        "detection_time=99",
        "detection_time=200;action=explode",
        "detection_time=200;restoration_time=60001",
        "detection_time=abc",
        "action=drop",
        "detection_time=200;POLL_INTERVAL=200",
    };
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        harness_apply(&harness, "PFC_WD", "Ethernet0", bad[i]);
        harness_assert_state(&harness, "PFC_WD", "Ethernet0", "rejected");
        assert_int_equal(
            queue_of(&harness, "Ethernet0", 3)->detector.times.detection_ns,
            200 * MS_NS);
    }
    harness_fini(&harness);
}

/* On 512 ports the tools of SONiC write 16 times the usual times, and an
 * interval that is out of range: the ports are watched all the same. */
static void
test_e13_defaults_for_many_ports_are_taken(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    harness_put(&harness, "PFC_WD", "Ethernet0",
                "detection_time=3200;restoration_time=3200;action=drop");
    harness_apply(&harness, "PFC_WD", "GLOBAL", "POLL_INTERVAL=3200");
    harness_assert_state(&harness, "PFC_WD", "Ethernet0", "applied");
    harness_assert_state(&harness, "PFC_WD", "GLOBAL", "rejected");
    assert_string_equal(harness_status(&harness, "PFC_WD", "GLOBAL")->err.field,
                        "POLL_INTERVAL");
    assert_int_equal(
        queue_of(&harness, "Ethernet0", 3)->detector.times.detection_ns,
        3200 * MS_NS);
    assert_int_equal(queue_of(&harness, "Ethernet0", 3)->detector.times.poll_ns,
                     100 * MS_NS);
    harness_fini(&harness);
}

/* Drops take no access lists, and one pool and one profile however many queues
 * are in a storm. */
static void
test_e14_storms_everywhere_take_no_more_than_one(void **state)
{
    static const char *const ports[] = {"Ethernet0", "Ethernet4"};
    struct harness harness;
    size_t n_pools, n_profiles;

    (void)state;
    init_watched(&harness, "drop");
    n_pools = store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL);
    n_profiles = store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE);
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        storm(&harness, ports[i], 3, true);
        storm(&harness, ports[i], 4, true);
        assert_string_equal(profile_of(&harness, ports[i], 4), zero);
    }
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     n_pools);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     n_profiles);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_ACL_TABLE), 0);
    assert_int_equal(
        store_count(harness.store, SAI_OBJECT_TYPE_ACL_TABLE_GROUP), 0);
    harness_fini(&harness);
}

/* --- Configuration that changes during a storm -------------------------- */

static void
test_e8_priorities_that_change_meanwhile(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    storm(&harness, "Ethernet0", 3, true);
    harness_put(&harness, "PORT_QOS_MAP", "Ethernet0",
                "dscp_to_tc_map=AZURE;pfc_enable=3,4,5;pfcwd_sw_enable=3,4");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT_QOS_MAP", "Ethernet0", "applied");
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x30);
    storm(&harness, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x38);
    harness_fini(&harness);
}

static void
test_e8_profile_that_changes_meanwhile(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    storm(&harness, "Ethernet0", 3, true);
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4",
                  "profile=out_lossy");
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), zero);
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), "out_lossy");
    assert_string_equal(profile_of(&harness, "Ethernet4", 3), "out_lossy");
    storm(&harness, "Ethernet0", 3, false);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "out_lossy");
    harness_fini(&harness);
}

static void
test_e8_binding_that_goes_meanwhile_does_not_come_back(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    storm(&harness, "Ethernet0", 3, true);
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4", NULL);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), zero);
    storm(&harness, "Ethernet0", 3, false);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "");
    harness_fini(&harness);
}

static void
test_e8_thresholds_may_change_meanwhile(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    storm(&harness, "Ethernet0", 3, true);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossless",
                "pool=ingress;size=1248;xon=2288;xoff=35776;dynamic_th=0");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossless", "applied");
    storm(&harness, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    harness_fini(&harness);
}

static void
test_row_that_has_to_wait_meanwhile_gets_its_mask_back(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "forward");
    storm(&harness, "Ethernet0", 3, true);
    /* A map that is not there: the port keeps what it has, but not that. */
    harness_put(&harness, "PORT_QOS_MAP", "Ethernet0",
                "dscp_to_tc_map=missing;pfc_enable=5;pfcwd_sw_enable=3,4");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT_QOS_MAP", "Ethernet0", "waiting");
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x10);
    storm(&harness, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    storm(&harness, "Ethernet0", 4, true);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x08);
    storm(&harness, "Ethernet0", 4, false);
    harness_apply(&harness, "DSCP_TO_TC_MAP", "missing", "3=3");
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x20);
    harness_fini(&harness);
}

static void
test_e10_port_that_goes_in_a_storm(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    storm(&harness, "Ethernet0", 3, true);
    harness_apply(&harness, "PORT", "Ethernet0", NULL);
    storm(&harness, "Ethernet0", 4, true);
    storm(&harness, "Ethernet0", 3, false);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;mtu=9100;admin_status=up");
    harness_settle(&harness);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x08);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "out_lossless");
    assert_string_equal(profile_of(&harness, "Ethernet0", 4), zero);
    harness_fini(&harness);
}

static void
test_e10_queue_that_the_port_does_not_have(void **state)
{
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    harness_put(&harness, "PORT_QOS_MAP", "Ethernet0",
                "pfc_enable=7;pfcwd_sw_enable=0,1,2,3,4,5,6,7");
    harness_settle(&harness);
    storm(&harness, "Ethernet0", 7, true);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0);
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0", NULL);
    harness_assert_state(&harness, "PFC_WD", "Ethernet0", "waiting");
    harness_fini(&harness);
}

/* --- What others change --------------------------------------------------- */

static void
on_drift(void *n, const struct compare_difference *difference,
         enum drift_remedy remedy)
{
    (void)difference;
    assert_int_equal(remedy, DRIFT_REPAIRED);
    ++*(unsigned int *)n;
}

static void
on_checked(void *context, const struct object *object, size_t n, bool settled)
{
    (void)context;
    (void)object;
    (void)n;
    (void)settled;
}

static void
on_rounded(void *context)
{
    (void)context;
}

/* A process that undoes half of an action leaves a queue that drops and is
 * paused: the audit that reads everything back finds it. */
static void
test_action_that_another_client_undoes_is_drift(void **state)
{
    const sai_attribute_t mask = {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                                  {.u8 = 0x18}};
    unsigned int n_drifts = 0;
    const struct drift_options options = {.interval_ns = 300 * 1000 * MS_NS,
                                          .repair = true,
                                          .differs = on_drift,
                                          .checked = on_checked,
                                          .rounded = on_rounded,
                                          .context = &n_drifts};
    struct harness harness;
    struct sai_backend *backend;
    const struct object *port;

    (void)state;
    init_watched(&harness, "drop");
    agent_set_drift(harness.agent, &options);
    storm(&harness, "Ethernet0", 3, true);
    harness_pass(&harness, 600 * 1000 * MS_NS);
    assert_int_equal(n_drifts, 0); /* The action itself is none. */
    backend = store_backend(harness.store);
    port = agent_object(harness.agent, TABLE_PORT, "Ethernet0", -1);
    assert_int_equal(backend->ops->set(backend, port->type, port->oid, &mask),
                     SAI_STATUS_SUCCESS);
    harness_pass(&harness, 600 * 1000 * MS_NS);
    assert_int_equal(n_drifts, 1);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x10);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), zero);
    harness_fini(&harness);
}

/* --- What the switch refuses -------------------------------------------- */

/* What is refused: a call on objects of a type, with an attribute. */
struct refused {
    enum store_op op;
    sai_object_type_t type;
    sai_attr_id_t id;
    bool armed;
};

static sai_status_t
refuse(void *context, const struct store_call *call)
{
    const struct refused *refused = context;

    for (uint32_t i = 0;
         refused->armed && call->op == refused->op && i < call->n; i++) {
        if (call->type == refused->type &&
            call->attributes[i].id == refused->id) {
            return SAI_STATUS_INSUFFICIENT_RESOURCES;
        }
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_e9_pool_that_cannot_be_had(void **state)
{
    struct refused refused = {STORE_CREATE, SAI_OBJECT_TYPE_BUFFER_POOL,
                              SAI_BUFFER_POOL_ATTR_TYPE, true};
    struct harness harness;

    (void)state;
    init_watched(&harness, "alert");
    store_set_hook(harness.store, refuse, &refused);
    harness_apply(&harness, "PFC_WD", "Ethernet0", "detection_time=200");
    storm(&harness, "Ethernet0", 3, true);
    expect_event(&harness, WATCHDOG_STORM);
    expect_event(&harness, WATCHDOG_REFUSED);
    /* Forwarded instead, and nothing of the rest is there. */
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x10);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "out_lossless");
    storm(&harness, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    refused.armed = false;
    harness_pass(&harness, 120 * 1000 * MS_NS);
    storm(&harness, "Ethernet0", 3, true);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), zero);
    harness_fini(&harness);
}

static void
test_e9_pool_is_there_before_the_storm(void **state)
{
    struct refused refused = {STORE_CREATE, SAI_OBJECT_TYPE_BUFFER_POOL,
                              SAI_BUFFER_POOL_ATTR_TYPE, true};
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    store_set_hook(harness.store, refuse,
                   &refused); /* No resources at that moment. */
    storm(&harness, "Ethernet0", 3, true);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), zero);
    harness_fini(&harness);
}

static void
test_e9_half_of_an_action_is_undone(void **state)
{
    struct refused refused = {STORE_SET, SAI_OBJECT_TYPE_QUEUE,
                              SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, true};
    struct harness harness;

    (void)state;
    init_watched(&harness, "drop");
    store_set_hook(harness.store, refuse, &refused);
    storm(&harness, "Ethernet0", 3, true);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "out_lossless");
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x10);
    expect_event(&harness, WATCHDOG_STORM);
    expect_event(&harness, WATCHDOG_REFUSED);
    refused.armed = false;
    /* What was given up is not tried behind anybody's back. */
    harness_pass(&harness, 120 * 1000 * MS_NS);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "out_lossless");
    harness_fini(&harness);
}

static void
test_mask_that_is_refused_is_reported(void **state)
{
    struct refused refused = {STORE_SET, SAI_OBJECT_TYPE_PORT,
                              SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL, true};
    struct harness harness;

    (void)state;
    init_watched(&harness, "forward");
    store_set_hook(harness.store, refuse, &refused);
    storm(&harness, "Ethernet0", 3, true);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    assert_false(
        agent_pfc_is_off(harness.agent, queue_of(&harness, "Ethernet0", 3)));
    expect_event(&harness, WATCHDOG_STORM);
    expect_event(&harness, WATCHDOG_REFUSED);
    refused.armed = false;
    storm(&harness, "Ethernet0", 3, false);
    harness_pass(&harness, 120 * 1000 * MS_NS);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    harness_fini(&harness);
}

/* How often masks of ports and profiles of queues were set. */
struct set_count {
    unsigned int n_masks, n_profiles;
};

static sai_status_t
count_sets(void *context, const struct store_call *call)
{
    struct set_count *count = context;

    for (uint32_t i = 0; call->op == STORE_SET && i < call->n; i++) {
        const sai_attr_id_t id = call->attributes[i].id;

        count->n_masks += call->type == SAI_OBJECT_TYPE_PORT &&
                          id == SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL;
        count->n_profiles += call->type == SAI_OBJECT_TYPE_QUEUE &&
                             id == SAI_QUEUE_ATTR_BUFFER_PROFILE_ID;
    }
    return SAI_STATUS_SUCCESS;
}

/* Each is set once: never to what it is without a storm. */
static void
test_storm_of_an_earlier_run_is_in_the_first_plan(void **state)
{
    static const char settings[] =
        "detection_time=200;restoration_time=400;action=drop";
    struct set_count count = {0};
    struct harness harness;
    struct err err;

    (void)state;
    harness_init(&harness, 2);
    store_set_hook(harness.store, count_sets, &count);
    agent_destroy(harness.agent);
    harness.agent = agent_create(harness.schema, harness.timeline,
                                 &harness.observer, false);
    for (size_t i = 0; i < harness_n_rows; i++) {
        /* What changes twice in a moment would have to become quiet. */
        if (strcmp(harness_rows[i].table, "PORT_QOS_MAP") != 0) {
            harness_put(&harness, harness_rows[i].table, harness_rows[i].key,
                        harness_rows[i].fields);
        }
    }
    harness_put(&harness, "PORT_QOS_MAP", "Ethernet0",
                "dscp_to_tc_map=AZURE;pfc_enable=3,4;pfcwd_sw_enable=3,4");
    harness_put(&harness, "PFC_WD", "Ethernet0", settings);
    agent_take_in(harness.agent, harness.now);
    watchdog_set_rule(agent_watchdog(harness.agent), storm_rule_find("exact"));
    watchdog_assume(agent_watchdog(harness.agent),
                    queue_of(&harness, "Ethernet0", 3), true, harness.now);
    assert_int_equal(
        agent_attach(harness.agent, store_backend(harness.store), &err), ST_OK);
    harness_settle(&harness);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x10);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), zero);
    assert_int_equal(count.n_masks, 1);
    assert_int_equal(count.n_profiles, 2 * 5);
    storm(&harness, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&harness, "Ethernet0"), 0x18);
    assert_string_equal(profile_of(&harness, "Ethernet0", 3), "out_lossless");
    harness_fini(&harness);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_storm_of_an_earlier_run_is_in_the_first_plan),
        cmocka_unit_test(test_actions_and_their_end),
        cmocka_unit_test(test_row_of_the_user_says_that_it_is_locked),
        cmocka_unit_test(test_all_priorities_at_once),
        cmocka_unit_test(test_asymmetric_port_neither_obeys_nor_sends),
        cmocka_unit_test(test_recovery_by_the_switch_itself),
        cmocka_unit_test(test_nothing_is_left_when_nothing_is_watched),
        cmocka_unit_test(test_big_red_switch_takes_all_watched_queues),
        cmocka_unit_test(test_e7_watchdog_without_queues_waits_and_starts),
        cmocka_unit_test(test_watchdog_of_a_port_that_does_not_exist_names_it),
        cmocka_unit_test(test_switch_without_counters_is_reported_to_the_row),
        cmocka_unit_test(test_bad_rows_are_refused_and_good_ones_stay_in_force),
        cmocka_unit_test(test_e13_defaults_for_many_ports_are_taken),
        cmocka_unit_test(test_e14_storms_everywhere_take_no_more_than_one),
        cmocka_unit_test(test_e8_priorities_that_change_meanwhile),
        cmocka_unit_test(test_e8_profile_that_changes_meanwhile),
        cmocka_unit_test(
            test_e8_binding_that_goes_meanwhile_does_not_come_back),
        cmocka_unit_test(test_e8_thresholds_may_change_meanwhile),
        cmocka_unit_test(
            test_row_that_has_to_wait_meanwhile_gets_its_mask_back),
        cmocka_unit_test(test_e10_port_that_goes_in_a_storm),
        cmocka_unit_test(test_e10_queue_that_the_port_does_not_have),
        cmocka_unit_test(test_action_that_another_client_undoes_is_drift),
        cmocka_unit_test(test_e9_pool_that_cannot_be_had),
        cmocka_unit_test(test_e9_pool_is_there_before_the_storm),
        cmocka_unit_test(test_e9_half_of_an_action_is_undone),
        cmocka_unit_test(test_mask_that_is_refused_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
