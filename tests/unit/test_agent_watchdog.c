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
#include "tests/support/rig.h"

#define MS_NS INT64_C(1000000)

static const char zero[] = "pfc-watchdog profile";

static struct watchdog_queue *
queue_of(const struct testbench *rig, const char *port, unsigned int index)
{
    struct watchdog_queue *queue =
        watchdog_find(agent_watchdog(rig->agent), port, index);

    assert_non_null(queue);
    return queue;
}

/* Says that the queue is in a storm, or no longer, and lets that have its
 * effect. */
static void
storm(struct testbench *rig, const char *port, unsigned int index, bool on)
{
    struct watchdog *watchdog = agent_watchdog(rig->agent);
    struct watchdog_queue *queue = queue_of(rig, port, index);

    if (on) {
        watchdog_assume(watchdog, queue, false, rig->now);
    } else {
        watchdog_release(watchdog, queue);
    }
    rig_settle(rig);
}

/* Sets up the usual configuration, with both ports watched. */
static void
init_watched(struct testbench *rig, const char *action)
{
    char fields[128] = "detection_time=200;restoration_time=400;action=";

    rig_init_applied(rig);
    watchdog_set_rule(agent_watchdog(rig->agent), storm_rule_find("exact"));
    rig_put(rig, "PORT_QOS_MAP", "Ethernet0",
            "dscp_to_tc_map=AZURE;pfc_enable=3,4;pfcwd_sw_enable=3,4");
    rig_put(rig, "PORT_QOS_MAP", "Ethernet4",
            "dscp_to_tc_map=AZURE;pfc_enable=3,4;pfcwd_sw_enable=3,4");
    strcat(fields, action);
    rig_put(rig, "PFC_WD", "Ethernet0", fields);
    rig_apply(rig, "PFC_WD", "Ethernet4", fields);
    rig_assert_state(rig, "PFC_WD", "Ethernet0", "applied");
}

/* Reads a mask of a port as the store has it. */
static uint8_t
mask_of(const struct testbench *rig, const char *port, sai_attr_id_t id)
{
    const struct object *object =
        agent_object(rig->agent, TABLE_PORT, port, -1);
    struct sai_backend *backend = store_backend(rig->store);
    sai_attribute_t attribute = {.id = id};

    assert_non_null(object);
    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.u8;
}

static uint8_t
pfc_of(const struct testbench *rig, const char *port)
{
    return mask_of(rig, port, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL);
}

/* Returns the name of the profile that the store has for a queue, "" if
 * none. */
static const char *
profile_of(const struct testbench *rig, const char *port, int index)
{
    const struct object *object =
        agent_object(rig->agent, TABLE_BUFFER_QUEUE, port, index);
    struct sai_backend *backend = store_backend(rig->store);
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
expect_event(struct testbench *rig, enum watchdog_event_kind kind)
{
    struct watchdog_event event;

    assert_true(watchdog_take_event(agent_watchdog(rig->agent), &event));
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
        struct testbench rig;
        char *before;

        init_watched(&rig, cases[i].action);
        before = rig_dump(&rig);
        storm(&rig, "Ethernet0", 3, true);
        assert_int_equal(pfc_of(&rig, "Ethernet0"), cases[i].pfc);
        assert_string_equal(profile_of(&rig, "Ethernet0", 3), cases[i].profile);
        assert_string_equal(profile_of(&rig, "Ethernet0", 4), "out_lossless");
        assert_int_equal(pfc_of(&rig, "Ethernet4"), 0x18);
        assert_int_equal(
            agent_pfc_is_off(rig.agent, queue_of(&rig, "Ethernet0", 3)),
            cases[i].pfc == 0x10);
        storm(&rig, "Ethernet0", 3, false);
        assert_true(agent_effects_are_undone(rig.agent,
                                             queue_of(&rig, "Ethernet0", 3)));
        rig_assert_dump(&rig, before);
        testbench_fini(&rig);
    }
}

static void
test_row_of_the_user_says_that_it_is_locked(void **state)
{
    struct testbench rig;
    const struct row_status *status;

    (void)state;
    init_watched(&rig, "drop");
    storm(&rig, "Ethernet0", 3, true);
    status = rig_status(&rig, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4");
    rig_assert_state(&rig, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4",
                     "shadowed");
    assert_string_equal(status->blocked_by, "PFC_WD|Ethernet0");
    assert_string_equal(status->err.code, "pfc-storm");
    /* However specific it is. */
    rig_apply(&rig, "BUFFER_QUEUE", "Ethernet0|3", "profile=out_lossy");
    rig_assert_state(&rig, "BUFFER_QUEUE", "Ethernet0|3", "shadowed");
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), zero);
    rig_put(&rig, "BUFFER_QUEUE", "Ethernet0|3", NULL);
    storm(&rig, "Ethernet0", 3, false);
    rig_assert_state(&rig, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4",
                     "applied");
    testbench_fini(&rig);
}

static void
test_all_priorities_at_once(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    storm(&rig, "Ethernet0", 3, true);
    storm(&rig, "Ethernet0", 4, true);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0);
    storm(&rig, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x08);
    assert_string_equal(profile_of(&rig, "Ethernet0", 4), zero);
    storm(&rig, "Ethernet0", 4, false);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    testbench_fini(&rig);
}

static void
test_asymmetric_port_neither_obeys_nor_sends(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "forward");
    rig_put(&rig, "PORT", "Ethernet0",
            "lanes=1,2,3,4;speed=100000;mtu=9100;admin_status=up;pfc_asym=on");
    rig_settle(&rig);
    storm(&rig, "Ethernet0", 3, true);
    assert_int_equal(
        mask_of(&rig, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX),
        0xf7);
    assert_int_equal(
        mask_of(&rig, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX),
        0x10);
    storm(&rig, "Ethernet0", 3, false);
    assert_int_equal(
        mask_of(&rig, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX),
        0xff);
    assert_int_equal(
        mask_of(&rig, "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX),
        0x18);
    testbench_fini(&rig);
}

static void
test_recovery_by_the_switch_itself(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    watchdog_set_rule(agent_watchdog(rig.agent), storm_rule_find("cisco-8000"));
    rig_settle(&rig);
    storm(&rig, "Ethernet0", 3, true);
    assert_true(object_value(
                    agent_object(rig.agent, TABLE_BUFFER_QUEUE, "Ethernet0", 3),
                    SAI_QUEUE_ATTR_PFC_DLR_INIT)
                    ->booldata);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "out_lossless");
    storm(&rig, "Ethernet0", 3, false);
    assert_null(object_value(
        agent_object(rig.agent, TABLE_BUFFER_QUEUE, "Ethernet0", 3),
        SAI_QUEUE_ATTR_PFC_DLR_INIT));
    testbench_fini(&rig);
}

static void
test_nothing_is_left_when_nothing_is_watched(void **state)
{
    struct testbench rig;
    char *before;

    (void)state;
    rig_init_applied(&rig);
    before = rig_dump(&rig);
    watchdog_set_rule(agent_watchdog(rig.agent), storm_rule_find("exact"));
    rig_put(&rig, "PORT_QOS_MAP", "Ethernet0",
            "dscp_to_tc_map=AZURE;tc_to_queue_map=AZURE;tc_to_pg_map=AZURE;"
            "pfc_enable=3,4;pfcwd_sw_enable=3,4");
    rig_apply(&rig, "PFC_WD", "Ethernet0", "detection_time=200");
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL), 4);
    storm(&rig, "Ethernet0", 3, true);
    rig_apply(&rig, "PFC_WD", "Ethernet0", NULL);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL), 3);
    /* And without a storm. */
    rig_put(&rig, "PFC_WD", "Ethernet0", "detection_time=200;action=alert");
    rig_settle(&rig);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL), 3);
    rig_apply(&rig, "PFC_WD", "Ethernet0", "detection_time=200");
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL), 4);
    rig_apply(&rig, "PFC_WD", "Ethernet0", NULL);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL), 3);
    rig_assert_dump(&rig, before);
    testbench_fini(&rig);
}

static void
test_big_red_switch_takes_all_watched_queues(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "alert");
    rig_apply(&rig, "PFC_WD", "GLOBAL", "BIG_RED_SWITCH=enable");
    rig_assert_state(&rig, "PFC_WD", "GLOBAL", "applied");
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0);
    assert_int_equal(pfc_of(&rig, "Ethernet4"), 0);
    assert_string_equal(profile_of(&rig, "Ethernet4", 4), zero);
    assert_string_equal(profile_of(&rig, "Ethernet4", 1), "out_lossy");
    rig_apply(&rig, "PFC_WD", "GLOBAL", NULL);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    assert_string_equal(profile_of(&rig, "Ethernet4", 4), "out_lossless");
    testbench_fini(&rig);
}

/* --- Rows --------------------------------------------------------------- */

static void
test_e7_watchdog_without_queues_waits_and_starts(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    watchdog_set_rule(agent_watchdog(rig.agent), storm_rule_find("exact"));
    rig_put(&rig, "PFC_WD", "Ethernet0", "detection_time=200");
    rig_apply(&rig, "PFC_WD", "Ethernet8", "detection_time=200");
    rig_assert_state(&rig, "PFC_WD", "Ethernet0", "waiting");
    assert_string_equal(rig_status(&rig, "PFC_WD", "Ethernet0")->err.code,
                        "no-queues");
    rig_put(&rig, "PORT_QOS_MAP", "Ethernet0",
            "pfc_enable=3,4;pfcwd_sw_enable=3");
    rig_apply(&rig, "PORT_QOS_MAP", "Ethernet8", "pfcwd_sw_enable=3");
    rig_assert_state(&rig, "PFC_WD", "Ethernet0", "applied");
    rig_assert_state(&rig, "PFC_WD", "Ethernet8", "waiting");
    assert_string_equal(rig_status(&rig, "PFC_WD", "Ethernet8")->blocked_by,
                        "PORT|Ethernet8");
    rig_apply(&rig, "PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4");
    rig_assert_state(&rig, "PFC_WD", "Ethernet0", "waiting");
    testbench_fini(&rig);
}

static void
test_switch_without_counters_is_told_to_the_row(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    watchdog_set_rule(agent_watchdog(rig.agent), NULL);
    rig_apply(&rig, "PFC_WD", "Ethernet0", "detection_time=300");
    assert_string_equal(rig_status(&rig, "PFC_WD", "Ethernet0")->err.code,
                        "no-counters");
    testbench_fini(&rig);
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
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rig_apply(&rig, "PFC_WD", "Ethernet0", bad[i]);
        rig_assert_state(&rig, "PFC_WD", "Ethernet0", "rejected");
        assert_int_equal(
            queue_of(&rig, "Ethernet0", 3)->detector.times.detection_ns,
            200 * MS_NS);
    }
    testbench_fini(&rig);
}

/* On 512 ports the tools of SONiC write 16 times the usual times, and an
 * interval that is out of range: the ports are watched all the same. */
static void
test_e13_defaults_for_many_ports_are_taken(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    rig_put(&rig, "PFC_WD", "Ethernet0",
            "detection_time=3200;restoration_time=3200;action=drop");
    rig_apply(&rig, "PFC_WD", "GLOBAL", "POLL_INTERVAL=3200");
    rig_assert_state(&rig, "PFC_WD", "Ethernet0", "applied");
    rig_assert_state(&rig, "PFC_WD", "GLOBAL", "rejected");
    assert_string_equal(rig_status(&rig, "PFC_WD", "GLOBAL")->err.field,
                        "POLL_INTERVAL");
    assert_int_equal(
        queue_of(&rig, "Ethernet0", 3)->detector.times.detection_ns,
        3200 * MS_NS);
    assert_int_equal(queue_of(&rig, "Ethernet0", 3)->detector.times.poll_ns,
                     100 * MS_NS);
    testbench_fini(&rig);
}

/* Drops take no access lists, and one pool and one profile however many queues
 * are in a storm. */
static void
test_e14_storms_everywhere_take_no_more_than_one(void **state)
{
    static const char *const ports[] = {"Ethernet0", "Ethernet4"};
    struct testbench rig;
    size_t n_pools, n_profiles;

    (void)state;
    init_watched(&rig, "drop");
    n_pools = store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL);
    n_profiles = store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_PROFILE);
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        storm(&rig, ports[i], 3, true);
        storm(&rig, ports[i], 4, true);
        assert_string_equal(profile_of(&rig, ports[i], 4), zero);
    }
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     n_pools);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     n_profiles);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_ACL_TABLE), 0);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_ACL_TABLE_GROUP),
                     0);
    testbench_fini(&rig);
}

/* --- Configuration that changes during a storm -------------------------- */

static void
test_e8_priorities_that_change_meanwhile(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    storm(&rig, "Ethernet0", 3, true);
    rig_put(&rig, "PORT_QOS_MAP", "Ethernet0",
            "dscp_to_tc_map=AZURE;pfc_enable=3,4,5;pfcwd_sw_enable=3,4");
    rig_settle(&rig);
    rig_assert_state(&rig, "PORT_QOS_MAP", "Ethernet0", "applied");
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x30);
    storm(&rig, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x38);
    testbench_fini(&rig);
}

static void
test_e8_profile_that_changes_meanwhile(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    storm(&rig, "Ethernet0", 3, true);
    rig_apply(&rig, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4",
              "profile=out_lossy");
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), zero);
    assert_string_equal(profile_of(&rig, "Ethernet0", 4), "out_lossy");
    assert_string_equal(profile_of(&rig, "Ethernet4", 3), "out_lossy");
    storm(&rig, "Ethernet0", 3, false);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "out_lossy");
    testbench_fini(&rig);
}

static void
test_e8_binding_that_goes_meanwhile_does_not_come_back(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    storm(&rig, "Ethernet0", 3, true);
    rig_apply(&rig, "BUFFER_QUEUE", "Ethernet0,Ethernet4|3-4", NULL);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), zero);
    storm(&rig, "Ethernet0", 3, false);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "");
    testbench_fini(&rig);
}

static void
test_e8_thresholds_may_change_meanwhile(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    storm(&rig, "Ethernet0", 3, true);
    rig_put(&rig, "BUFFER_PROFILE", "in_lossless",
            "pool=ingress;size=1248;xon=2288;xoff=35776;dynamic_th=0");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossless", "applied");
    storm(&rig, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    testbench_fini(&rig);
}

static void
test_row_that_has_to_wait_meanwhile_gets_its_mask_back(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "forward");
    storm(&rig, "Ethernet0", 3, true);
    /* A map that is not there: the port keeps what it has, but not that. */
    rig_put(&rig, "PORT_QOS_MAP", "Ethernet0",
            "dscp_to_tc_map=missing;pfc_enable=5;pfcwd_sw_enable=3,4");
    rig_settle(&rig);
    rig_assert_state(&rig, "PORT_QOS_MAP", "Ethernet0", "waiting");
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x10);
    storm(&rig, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    storm(&rig, "Ethernet0", 4, true);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x08);
    storm(&rig, "Ethernet0", 4, false);
    rig_apply(&rig, "DSCP_TO_TC_MAP", "missing", "3=3");
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x20);
    testbench_fini(&rig);
}

static void
test_e10_port_that_goes_in_a_storm(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    storm(&rig, "Ethernet0", 3, true);
    rig_apply(&rig, "PORT", "Ethernet0", NULL);
    storm(&rig, "Ethernet0", 4, true);
    storm(&rig, "Ethernet0", 3, false);
    rig_put(&rig, "PORT", "Ethernet0",
            "lanes=1,2,3,4;speed=100000;mtu=9100;admin_status=up");
    rig_settle(&rig);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x08);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "out_lossless");
    assert_string_equal(profile_of(&rig, "Ethernet0", 4), zero);
    testbench_fini(&rig);
}

static void
test_e10_queue_that_the_port_does_not_have(void **state)
{
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    rig_put(&rig, "PORT_QOS_MAP", "Ethernet0",
            "pfc_enable=7;pfcwd_sw_enable=0,1,2,3,4,5,6,7");
    rig_settle(&rig);
    storm(&rig, "Ethernet0", 7, true);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0);
    rig_apply(&rig, "PORT_QOS_MAP", "Ethernet0", NULL);
    rig_assert_state(&rig, "PFC_WD", "Ethernet0", "waiting");
    testbench_fini(&rig);
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

/* Whoever undoes half of an action behind our back leaves a queue that is
 * dropped and paused: that is found by the reading back of all. */
static void
test_action_that_somebody_undoes_is_drift(void **state)
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
    struct testbench rig;
    struct sai_backend *backend;
    const struct object *port;

    (void)state;
    init_watched(&rig, "drop");
    agent_set_drift(rig.agent, &options);
    storm(&rig, "Ethernet0", 3, true);
    rig_pass(&rig, 600 * 1000 * MS_NS);
    assert_int_equal(n_drifts, 0); /* The action itself is none. */
    backend = store_backend(rig.store);
    port = agent_object(rig.agent, TABLE_PORT, "Ethernet0", -1);
    assert_int_equal(backend->ops->set(backend, port->type, port->oid, &mask),
                     SAI_STATUS_SUCCESS);
    rig_pass(&rig, 600 * 1000 * MS_NS);
    assert_int_equal(n_drifts, 1);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x10);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), zero);
    testbench_fini(&rig);
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
    struct testbench rig;

    (void)state;
    init_watched(&rig, "alert");
    store_set_hook(rig.store, refuse, &refused);
    rig_apply(&rig, "PFC_WD", "Ethernet0", "detection_time=200");
    storm(&rig, "Ethernet0", 3, true);
    expect_event(&rig, WATCHDOG_STORM);
    expect_event(&rig, WATCHDOG_REFUSED);
    /* Forwarded instead, and nothing of the rest is there. */
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x10);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "out_lossless");
    storm(&rig, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    refused.armed = false;
    rig_pass(&rig, 120 * 1000 * MS_NS);
    storm(&rig, "Ethernet0", 3, true);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), zero);
    testbench_fini(&rig);
}

static void
test_e9_pool_is_there_before_the_storm(void **state)
{
    struct refused refused = {STORE_CREATE, SAI_OBJECT_TYPE_BUFFER_POOL,
                              SAI_BUFFER_POOL_ATTR_TYPE, true};
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    store_set_hook(rig.store, refuse, &refused); /* No room by then. */
    storm(&rig, "Ethernet0", 3, true);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), zero);
    testbench_fini(&rig);
}

static void
test_e9_half_of_an_action_is_undone(void **state)
{
    struct refused refused = {STORE_SET, SAI_OBJECT_TYPE_QUEUE,
                              SAI_QUEUE_ATTR_BUFFER_PROFILE_ID, true};
    struct testbench rig;

    (void)state;
    init_watched(&rig, "drop");
    store_set_hook(rig.store, refuse, &refused);
    storm(&rig, "Ethernet0", 3, true);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "out_lossless");
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x10);
    expect_event(&rig, WATCHDOG_STORM);
    expect_event(&rig, WATCHDOG_REFUSED);
    refused.armed = false;
    /* What was given up is not tried behind anybody's back. */
    rig_pass(&rig, 120 * 1000 * MS_NS);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "out_lossless");
    testbench_fini(&rig);
}

static void
test_mask_that_is_refused_is_told(void **state)
{
    struct refused refused = {STORE_SET, SAI_OBJECT_TYPE_PORT,
                              SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL, true};
    struct testbench rig;

    (void)state;
    init_watched(&rig, "forward");
    store_set_hook(rig.store, refuse, &refused);
    storm(&rig, "Ethernet0", 3, true);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    assert_false(agent_pfc_is_off(rig.agent, queue_of(&rig, "Ethernet0", 3)));
    expect_event(&rig, WATCHDOG_STORM);
    expect_event(&rig, WATCHDOG_REFUSED);
    refused.armed = false;
    storm(&rig, "Ethernet0", 3, false);
    rig_pass(&rig, 120 * 1000 * MS_NS);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    testbench_fini(&rig);
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
    struct testbench rig;
    struct err err;

    (void)state;
    rig_init(&rig, 2);
    store_set_hook(rig.store, count_sets, &count);
    agent_destroy(rig.agent);
    rig.agent = agent_create(rig.schema, rig.timeline, &rig.observer, false);
    for (size_t i = 0; i < rig_n_rows; i++) {
        /* What changes twice in a moment would have to become quiet. */
        if (strcmp(rig_rows[i].table, "PORT_QOS_MAP") != 0) {
            rig_put(&rig, rig_rows[i].table, rig_rows[i].key,
                    rig_rows[i].fields);
        }
    }
    rig_put(&rig, "PORT_QOS_MAP", "Ethernet0",
            "dscp_to_tc_map=AZURE;pfc_enable=3,4;pfcwd_sw_enable=3,4");
    rig_put(&rig, "PFC_WD", "Ethernet0", settings);
    agent_take_in(rig.agent, rig.now);
    watchdog_set_rule(agent_watchdog(rig.agent), storm_rule_find("exact"));
    watchdog_assume(agent_watchdog(rig.agent), queue_of(&rig, "Ethernet0", 3),
                    true, rig.now);
    assert_int_equal(agent_attach(rig.agent, store_backend(rig.store), &err),
                     ST_OK);
    rig_settle(&rig);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x10);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), zero);
    assert_int_equal(count.n_masks, 1);
    assert_int_equal(count.n_profiles, 2 * 5);
    storm(&rig, "Ethernet0", 3, false);
    assert_int_equal(pfc_of(&rig, "Ethernet0"), 0x18);
    assert_string_equal(profile_of(&rig, "Ethernet0", 3), "out_lossless");
    testbench_fini(&rig);
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
        cmocka_unit_test(test_switch_without_counters_is_told_to_the_row),
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
        cmocka_unit_test(test_action_that_somebody_undoes_is_drift),
        cmocka_unit_test(test_e9_pool_that_cannot_be_had),
        cmocka_unit_test(test_e9_pool_is_there_before_the_storm),
        cmocka_unit_test(test_e9_half_of_an_action_is_undone),
        cmocka_unit_test(test_mask_that_is_refused_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
