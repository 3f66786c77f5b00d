/* SPDX-License-Identifier: Apache-2.0 */

/* QoS rows on the ASIC: maps, PFC, schedulers, WRED, queues.  The traces are
 * those that SONiC's tools cause. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/reconcile/graph.h"
#include "sai/core/metadata.h"
#include "tests/support/agent_harness.h"
#include "tests/support/asic_trace.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

static void
put_ports(struct harness *harness)
{
    harness_init(harness, 2);
    harness_put(harness, "PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000");
    harness_put(harness, "PORT", "Ethernet4", "lanes=5,6,7,8;speed=100000");
    harness_settle(harness);
}

/* --- PFC ---------------------------------------------------------------- */

static void
test_pfc_masks_follow_the_mode_of_the_port(void **state)
{
    static const struct {
        struct harness_row row;
        const char *trace;
    } steps[] = {
        {{"PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4"},
         "PRIORITY_FLOW_CONTROL=24"},
        {{"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;pfc_asym=on"},
         "PRIORITY_FLOW_CONTROL_MODE=1 PRIORITY_FLOW_CONTROL_TX=24 "
         "PRIORITY_FLOW_CONTROL_RX=255"},
        {{"PORT_QOS_MAP", "Ethernet0", "pfc_enable=3"},
         "PRIORITY_FLOW_CONTROL_TX=8"},
        {{"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;pfc_asym=off"},
         "PRIORITY_FLOW_CONTROL_MODE=0 PRIORITY_FLOW_CONTROL=8"},
        {{"PORT_QOS_MAP", "Ethernet0", "pfc_enable="},
         "PRIORITY_FLOW_CONTROL=0"},
        {{"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000;pfc_asym=on"},
         "PRIORITY_FLOW_CONTROL_MODE=1 PRIORITY_FLOW_CONTROL_TX=0 "
         "PRIORITY_FLOW_CONTROL_RX=255"},
        {{"PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4"},
         "PRIORITY_FLOW_CONTROL_TX=24"},
        /* The field goes: back to the default of SAI. */
        {{"PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000"},
         "PRIORITY_FLOW_CONTROL_MODE=0 PRIORITY_FLOW_CONTROL=24"},
        {{"PORT_QOS_MAP", "Ethernet0", NULL}, "PRIORITY_FLOW_CONTROL=0"},
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        asic_trace_assert(&harness, &steps[i].row, steps[i].trace);
        harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    }
    harness_assert_state(&harness, "PORT_QOS_MAP", "Ethernet0", "gone");
    harness_fini(&harness);
}

/* A chip that knows one mask only keeps PFC for both directions; the row of the
 * port says that it lacks the mode, and that of the mask is applied. */
static void
test_pfc_mode_that_is_not_supported_leaves_the_masks(void **state)
{
    struct asic_trace trace = {
        .attribute = SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE,
        .type = SAI_OBJECT_TYPE_PORT,
        .status = SAI_STATUS_ATTR_NOT_SUPPORTED_0,
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    store_set_hook(harness.store, asic_trace_note, &trace);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;pfc_asym=on");
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4");
    assert_string_equal(
        text_string(&trace.text),
        "PRIORITY_FLOW_CONTROL_MODE=1 PRIORITY_FLOW_CONTROL=24");
    harness_assert_state(&harness, "PORT", "Ethernet0", "unsupported");
    assert_string_equal(
        harness_status(&harness, "PORT", "Ethernet0")->err.field, "pfc_asym");
    harness_assert_state(&harness, "PORT_QOS_MAP", "Ethernet0", "applied");
    store_set_hook(harness.store, NULL, NULL);
    text_fini(&trace.text);
    harness_fini(&harness);
}

/* A mode that is refused for a while is tried again, and takes the masks with
 * it when it is accepted. */
static void
test_pfc_mode_that_is_refused_takes_the_masks_along_later(void **state)
{
    struct asic_trace trace = {
        .attribute = SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE,
        .type = SAI_OBJECT_TYPE_PORT,
        .status = SAI_STATUS_OBJECT_IN_USE,
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4");
    store_set_hook(harness.store, asic_trace_note, &trace);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;pfc_asym=on");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet0", "failed");
    harness_assert_state(&harness, "PORT_QOS_MAP", "Ethernet0", "applied");
    assert_string_equal(text_string(&trace.text),
                        "PRIORITY_FLOW_CONTROL_MODE=1");
    trace.status = SAI_STATUS_SUCCESS;
    text_clear(&trace.text);
    harness_pass(&harness, 2 * SECOND_NS);
    assert_string_equal(text_string(&trace.text),
                        "PRIORITY_FLOW_CONTROL_MODE=1 "
                        "PRIORITY_FLOW_CONTROL_TX=24 "
                        "PRIORITY_FLOW_CONTROL_RX=255");
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    store_set_hook(harness.store, NULL, NULL);
    text_fini(&trace.text);
    harness_fini(&harness);
}

/* --- WRED --------------------------------------------------------------- */

#define GREEN(min, max)                                                        \
    "wred_green_enable=true;green_min_threshold=" #min                         \
    ";green_max_threshold=" #max ";green_drop_probability=5"

static void
test_wred_widens_before_it_narrows(void **state)
{
    static const struct {
        const char *fields;
        const char *trace;
    } steps[] = {
        {GREEN(1000000, 2000000), ""},
        {GREEN(3000000, 4000000),
         "GREEN_MAX_THRESHOLD=4000000 GREEN_MIN_THRESHOLD=3000000"},
        {GREEN(1000000, 2000000),
         "GREEN_MIN_THRESHOLD=1000000 GREEN_MAX_THRESHOLD=2000000"},
        {GREEN(2000000, 2000000), "GREEN_MIN_THRESHOLD=2000000"},
        {GREEN(2500000, 2500000),
         "GREEN_MAX_THRESHOLD=2500000 GREEN_MIN_THRESHOLD=2500000"},
        /* Without a field: zero, which for a maximum is the whole buffer. */
        {"wred_green_enable=true;green_min_threshold=9000000;"
         "green_drop_probability=5",
         "GREEN_MAX_THRESHOLD=0 GREEN_MIN_THRESHOLD=9000000"},
        {GREEN(1, 2), "GREEN_MIN_THRESHOLD=1 GREEN_MAX_THRESHOLD=2"},
        {"wred_green_enable=true",
         "GREEN_MIN_THRESHOLD=0 GREEN_MAX_THRESHOLD=0 "
         "GREEN_DROP_PROBABILITY=100"},
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct harness_row row = {"WRED_PROFILE", "w", steps[i].fields};
        struct agent_figures before, after;

        agent_figures(harness.agent, &before);
        asic_trace_assert(&harness, &row, steps[i].trace);
        harness_assert_state(&harness, "WRED_PROFILE", "w", "applied");
        /* The plan knows the order; it is not found by trying. */
        agent_figures(harness.agent, &after);
        assert_true(after.generation == before.generation + 1);
    }
    harness_fini(&harness);
}

static void
test_scheduler_rates_widen_before_they_narrow(void **state)
{
    static const struct {
        const char *fields;
        const char *trace;
    } steps[] = {
        {"cir=10;pir=20", ""},
        {"cir=30;pir=40", "MAX_BANDWIDTH_RATE=40 MIN_BANDWIDTH_RATE=30"},
        {"cir=10;pir=20", "MIN_BANDWIDTH_RATE=10 MAX_BANDWIDTH_RATE=20"},
        {"cir=50", "MAX_BANDWIDTH_RATE=0 MIN_BANDWIDTH_RATE=50"},
        {"pir=20", "MIN_BANDWIDTH_RATE=0 MAX_BANDWIDTH_RATE=20"},
        {"pir=20;pbs=5;type=STRICT;meter_type=packets;weight=7",
         "SCHEDULING_TYPE=0 SCHEDULING_WEIGHT=7 METER_TYPE=0 "
         "MAX_BANDWIDTH_BURST_RATE=5"},
        {"pir=20;weight=8",
         "SCHEDULING_TYPE=1 SCHEDULING_WEIGHT=8 METER_TYPE=1 "
         "MAX_BANDWIDTH_BURST_RATE=0"},
        {NULL, "remove"},
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct harness_row row = {"SCHEDULER", "s", steps[i].fields};

        asic_trace_assert(&harness, &row, steps[i].trace);
    }
    harness_assert_state(&harness, "SCHEDULER", "s", "gone");
    harness_fini(&harness);
}

/* What a profile says when it is made: a weight of zero always, a probability
 * for colours that drop. */
static sai_status_t
check_creation(void *context, const struct store_call *call)
{
    struct text *text = context;

    for (uint32_t i = 0; call->op == STORE_CREATE && i < call->n; i++) {
        asic_trace_add(text, call->type, &call->attributes[i]);
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_wred_is_created_with_all_that_it_has(void **state)
{
    struct text text = {0};
    struct harness harness;

    (void)state;
    put_ports(&harness);
    store_set_hook(harness.store, check_creation, &text);
    harness_put(&harness, "WRED_PROFILE", "w",
                "wred_yellow_enable=true;wred_red_enable=false;ecn=ecn_all;"
                "red_min_threshold=7;red_max_threshold=8");
    harness_settle(&harness);
    assert_string_equal(
        text_string(&text),
        "YELLOW_ENABLE=1 YELLOW_DROP_PROBABILITY=100 RED_ENABLE=0 "
        "RED_MIN_THRESHOLD=7 RED_MAX_THRESHOLD=8 WEIGHT=0 ECN_MARK_MODE=7");
    store_set_hook(harness.store, NULL, NULL);
    text_fini(&text);
    harness_fini(&harness);
}

/* --- Queues ------------------------------------------------------------- */

/* Two ports with the schedulers s and t and the WRED profile w. */
static void
put_profiles(struct harness *harness)
{
    put_ports(harness);
    harness_put(harness, "SCHEDULER", "s", "type=DWRR;weight=10");
    harness_put(harness, "SCHEDULER", "t", "type=STRICT");
    harness_apply(harness, "WRED_PROFILE", "w", "ecn=ecn_all");
}

/* Returns the id of what 'row' is on the ASIC. */
static sai_object_id_t
oid_of(const struct harness *harness, enum table table, const char *name)
{
    const struct object *object = agent_object(harness->agent, table, name, -1);

    return object ? object->oid : SAI_NULL_OBJECT_ID;
}

/* Returns the object id that an object of the store has as attribute 'id'. */
static sai_object_id_t
read_oid(const struct harness *harness, sai_object_type_t type,
         sai_object_id_t oid, sai_attr_id_t id)
{
    struct sai_backend *backend = store_backend(harness->store);
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(backend->ops->get(backend, type, oid, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    return attribute.value.oid;
}

/* Returns the 'index'th queue of a port, and the group above that. */
static sai_object_id_t
queue_oid(const struct harness *harness, const char *port, int index)
{
    const struct object *object =
        agent_object(harness->agent, TABLE_PORT, port, -1);

    assert_non_null(object);
    assert_true((uint32_t)index < object->port_children->n_queues);
    return object->port_children->queue_oids[index];
}

static sai_object_id_t
scheduler_above(const struct harness *harness, const char *port, int index)
{
    sai_object_id_t group = read_oid(harness, SAI_OBJECT_TYPE_QUEUE,
                                     queue_oid(harness, port, index),
                                     SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE);

    return read_oid(harness, SAI_OBJECT_TYPE_SCHEDULER_GROUP, group,
                    SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID);
}

/* BEHAVIOUR 13.3, and that fields which were never there are left alone. */
static void
test_queue_row_sets_the_group_and_the_queue(void **state)
{
    static const struct {
        struct harness_row row;
        const char *trace;
    } steps[] = {
        {{"QUEUE", "Ethernet0|3", "scheduler=s;wred_profile=w"},
         "WRED_PROFILE_ID=some SCHEDULER_PROFILE_ID=some"},
        {{"QUEUE", "Ethernet0|3", "scheduler=s"}, "WRED_PROFILE_ID=null"},
        {{"QUEUE", "Ethernet0|3", "scheduler=t"}, "SCHEDULER_PROFILE_ID=some"},
        {{"QUEUE", "Ethernet0|3", "NULL=NULL"}, "SCHEDULER_PROFILE_ID=null"},
        {{"QUEUE", "Ethernet0|3", "wred_profile=w"}, "WRED_PROFILE_ID=some"},
        {{"QUEUE", "Ethernet0|3", "scheduler=s;wred_profile=w"},
         "SCHEDULER_PROFILE_ID=some"},
        {{"QUEUE", "Ethernet0|3", NULL},
         "WRED_PROFILE_ID=null SCHEDULER_PROFILE_ID=null"},
        {{"QUEUE", "Ethernet0|4", "NULL=NULL"}, ""},
        {{"QUEUE", "Ethernet0|4", NULL}, ""},
    };
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        asic_trace_assert(&harness, &steps[i].row, steps[i].trace);
        harness_assert_state(&harness, "QUEUE", steps[i].row.key,
                             steps[i].row.fields ? "applied" : "gone");
        if (i == 1) {
            assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                        oid_of(&harness, TABLE_SCHEDULER, "s"));
            assert_true(scheduler_above(&harness, "Ethernet0", 2) ==
                        SAI_NULL_OBJECT_ID);
        }
    }
    harness_fini(&harness);
}

static void
test_queue_row_that_lacks_its_scheduler_waits_with_that_only(void **state)
{
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    harness_put(&harness, "QUEUE", "Ethernet0|3",
                "scheduler=none;wred_profile=w");
    harness_settle(&harness);
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "waiting");
    assert_string_equal(
        harness_status(&harness, "QUEUE", "Ethernet0|3")->blocked_by,
        "SCHEDULER|none");
    assert_true(read_oid(&harness, SAI_OBJECT_TYPE_QUEUE,
                         queue_oid(&harness, "Ethernet0", 3),
                         SAI_QUEUE_ATTR_WRED_PROFILE_ID) ==
                oid_of(&harness, TABLE_WRED_PROFILE, "w"));
    harness_apply(&harness, "SCHEDULER", "none", "weight=4");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                oid_of(&harness, TABLE_SCHEDULER, "none"));
    harness_fini(&harness);
}

/* The switch of this test shows no queues of its processor's port. */
static void
test_of_the_cpu_port_only_queues_that_are_there_are_managed(void **state)
{
    static const struct {
        struct harness_row row;
        const char *reason;
    } rows[] = {
        {{"QUEUE", "CPU|3", "scheduler=s"},
         "this switch lists no queues for its CPU port"},
        {{"BUFFER_QUEUE", "CPU|3", "profile=p"},
         "this switch lists no queues for its CPU port"},
        {{"PORT_QOS_MAP", "CPU", "scheduler=s"},
         "orchd manages only the queues of the CPU port"},
        {{"PORT", "CPU", "lanes=77;speed=1000"},
         "orchd manages only the queues of the CPU port"},
    };
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row_status *status;

        asic_trace_assert(&harness, &rows[i].row, "");
        harness_assert_state(&harness, rows[i].row.table, rows[i].row.key,
                             "unsupported");
        status = harness_status(&harness, rows[i].row.table, rows[i].row.key);
        assert_string_equal(status->err.code, "cpu-port");
        assert_string_equal(status->err.reason, rows[i].reason);
    }
    /* A port in the same row does not suffer. */
    harness_apply(&harness, "QUEUE", "CPU,Ethernet0|4", "scheduler=s");
    harness_assert_state(&harness, "QUEUE", "CPU,Ethernet0|4", "unsupported");
    assert_true(scheduler_above(&harness, "Ethernet0", 4) ==
                oid_of(&harness, TABLE_SCHEDULER, "s"));
    harness_fini(&harness);
}

static void
test_queue_beyond_the_last_one_is_rejected(void **state)
{
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    harness_apply(&harness, "QUEUE", "Ethernet0|7-8", "scheduler=s");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|7-8", "rejected");
    assert_string_equal(
        harness_status(&harness, "QUEUE", "Ethernet0|7-8")->err.allowed,
        "0..7");
    harness_fini(&harness);
}

/* --- Shared groups ------------------------------------------------------ */

/* Puts the queues 'first' and 'first' + 1 of a port under one group, before
 * orchd asks for the groups. */
static void
share(struct harness *harness, const char *port, int first)
{
    struct sai_backend *backend = store_backend(harness->store);
    sai_object_id_t group = read_oid(harness, SAI_OBJECT_TYPE_QUEUE,
                                     queue_oid(harness, port, first),
                                     SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE);
    sai_attribute_t attribute = {.id = SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
                                 .value.oid = group};

    assert_int_equal(backend->ops->set(backend, SAI_OBJECT_TYPE_QUEUE,
                                       queue_oid(harness, port, first + 1),
                                       &attribute),
                     SAI_STATUS_SUCCESS);
}

/* PEER_BUGS B10. */
static void
test_B10_rows_that_want_one_scheduler_share_a_group(void **state)
{
    struct harness harness;
    struct harness_row gone = {"QUEUE", "Ethernet0|2", NULL};

    (void)state;
    put_profiles(&harness);
    share(&harness, "Ethernet0", 2);
    harness_put(&harness, "QUEUE", "Ethernet0|3", "scheduler=s;wred_profile=w");
    harness_apply(&harness, "QUEUE", "Ethernet0|2", "scheduler=s");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "applied");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    /* One that goes takes nothing away from the other. */
    asic_trace_assert(&harness, &gone, "");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "gone");
    assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                oid_of(&harness, TABLE_SCHEDULER, "s"));
    gone.key = "Ethernet0|3";
    asic_trace_assert(&harness, &gone,
                      "WRED_PROFILE_ID=null SCHEDULER_PROFILE_ID=null");
    harness_fini(&harness);
}

static void
test_B10_rows_that_want_two_schedulers_of_a_group_are_reported(void **state)
{
    const struct row_status *status;
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    share(&harness, "Ethernet0", 2);
    harness_put(&harness, "QUEUE", "Ethernet0|3", "scheduler=t;wred_profile=w");
    harness_settle(&harness);
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    harness_apply(&harness, "QUEUE", "Ethernet0|2", "scheduler=s");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "applied");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "shadowed");
    status = harness_status(&harness, "QUEUE", "Ethernet0|3");
    assert_string_equal(status->err.code, "shared-group");
    assert_string_equal(status->err.field, "scheduler");
    assert_string_equal(status->blocked_by, "QUEUE|Ethernet0|2");
    assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                oid_of(&harness, TABLE_SCHEDULER, "s"));
    /* What is the queue's own is not in dispute. */
    assert_true(read_oid(&harness, SAI_OBJECT_TYPE_QUEUE,
                         queue_oid(&harness, "Ethernet0", 3),
                         SAI_QUEUE_ATTR_WRED_PROFILE_ID) != SAI_NULL_OBJECT_ID);
    /* A row that leaves the scheduler to others does not decide. */
    harness_apply(&harness, "QUEUE", "Ethernet0|2", "wred_profile=w");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "applied");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    assert_true(scheduler_above(&harness, "Ethernet0", 2) ==
                oid_of(&harness, TABLE_SCHEDULER, "t"));
    /* Nor does one that waits. */
    harness_apply(&harness, "QUEUE", "Ethernet0|2", "scheduler=none");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "waiting");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    harness_fini(&harness);
}

/* If SAI refuses a shared group, each row that wants it reports so. */
static void
test_B10_refusal_of_a_shared_group_is_reported_to_all(void **state)
{
    struct asic_trace trace = {
        .attribute = SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID,
        .type = SAI_OBJECT_TYPE_SCHEDULER_GROUP,
        .status = SAI_STATUS_INSUFFICIENT_RESOURCES,
    };
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    share(&harness, "Ethernet0", 2);
    store_set_hook(harness.store, asic_trace_note, &trace);
    harness_put(&harness, "QUEUE", "Ethernet0|2", "scheduler=s");
    harness_apply(&harness, "QUEUE", "Ethernet0|3", "scheduler=s");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "failed");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "failed");
    trace.status = SAI_STATUS_SUCCESS;
    harness_pass(&harness, 2 * SECOND_NS);
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "applied");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    store_set_hook(harness.store, NULL, NULL);
    text_fini(&trace.text);
    harness_fini(&harness);
}

/* Refuses to tell the groups of a port. */
static sai_status_t
keep_groups_secret(void *context, const struct store_call *call)
{
    return call->op == STORE_GET && call->type == SAI_OBJECT_TYPE_PORT &&
                   call->attributes->id ==
                       SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST
               ? *(sai_status_t *)context
               : SAI_STATUS_SUCCESS;
}

static void
test_missing_groups_are_asked_for_again(void **state)
{
    sai_status_t status = SAI_STATUS_FAILURE;
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    store_set_hook(harness.store, keep_groups_secret, &status);
    harness_put(&harness, "QUEUE", "Ethernet0|2-3",
                "scheduler=s;wred_profile=w");
    harness_settle(&harness);
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2-3", "failed");
    status = SAI_STATUS_SUCCESS;
    harness_pass(&harness, 2 * SECOND_NS);
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2-3", "applied");
    assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                oid_of(&harness, TABLE_SCHEDULER, "s"));
    harness_fini(&harness);
}

/* The port is recreated with other lanes, and so are its groups. */
static void
test_groups_are_looked_for_again_on_a_new_port(void **state)
{
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    share(&harness, "Ethernet0", 2);
    harness_apply(&harness, "QUEUE", "Ethernet0|3", "scheduler=s");
    harness_put(&harness, "PORT", "Ethernet0", "lanes=21,22;speed=50000");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                oid_of(&harness, TABLE_SCHEDULER, "s"));
    assert_true(scheduler_above(&harness, "Ethernet0", 2) ==
                SAI_NULL_OBJECT_ID);
    harness_apply(&harness, "QUEUE", "Ethernet0|2", "scheduler=t");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "applied");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    harness_fini(&harness);
}

static void
test_switch_without_groups_takes_schedulers_at_queues(void **state)
{
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    agent_set_scheduler_target(harness.agent, true);
    harness_put(&harness, "QUEUE", "Ethernet0|3", "scheduler=s;wred_profile=w");
    harness_settle(&harness);
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    assert_true(read_oid(&harness, SAI_OBJECT_TYPE_QUEUE,
                         queue_oid(&harness, "Ethernet0", 3),
                         SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID) ==
                oid_of(&harness, TABLE_SCHEDULER, "s"));
    assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                SAI_NULL_OBJECT_ID);
    harness_fini(&harness);
}

static void
test_queue_in_no_group_says_what_to_do(void **state)
{
    struct sai_backend *backend;
    struct harness harness;
    sai_attribute_t attribute = {.id = SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE};
    const struct row_status *status;

    (void)state;
    put_profiles(&harness);
    /* Right below the port. */
    backend = store_backend(harness.store);
    attribute.value.oid = oid_of(&harness, TABLE_PORT, "Ethernet0");
    assert_int_equal(backend->ops->set(backend, SAI_OBJECT_TYPE_QUEUE,
                                       queue_oid(&harness, "Ethernet0", 3),
                                       &attribute),
                     SAI_STATUS_SUCCESS);
    harness_put(&harness, "QUEUE", "Ethernet0|3", "scheduler=s;wred_profile=w");
    harness_apply(&harness, "QUEUE", "Ethernet0|4", "scheduler=s");
    status = harness_status(&harness, "QUEUE", "Ethernet0|3");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "failed");
    assert_string_equal(status->err.code, "no-scheduler-group");
    assert_non_null(strstr(status->err.remedy, "scheduler_target=queue"));
    harness_assert_state(&harness, "QUEUE", "Ethernet0|4", "applied");
    harness_apply(&harness, "QUEUE", "Ethernet0|3", "wred_profile=w");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|3", "applied");
    harness_fini(&harness);
}

/* --- Trimming ----------------------------------------------------------- */

#define TRIMMING "SWITCH_TRIMMING", "GLOBAL"

static void
assert_trimming(struct harness *harness, const char *state, const char *code,
                const char *field)
{
    const struct row_status *status = harness_status(harness, TRIMMING);

    harness_assert_state(harness, TRIMMING, state);
    assert_string_equal(status->err.code, code);
    assert_string_equal(status->err.field, field);
}

/* Only what has changed is set, in the order in which orchagent sets it, and a
 * mode that is left leaves its value on the ASIC. */
static void
test_trimming_is_set_in_order(void **state)
{
    static const struct {
        const char *fields, *trace, *warnings;
    } steps[] = {
        {"size=100;dscp_value=10;queue_index=1",
         "PACKET_TRIM_SIZE=100 PACKET_TRIM_DSCP_RESOLUTION_MODE=0 "
         "PACKET_TRIM_DSCP_VALUE=10 PACKET_TRIM_QUEUE_RESOLUTION_MODE=0 "
         "PACKET_TRIM_QUEUE_INDEX=1",
         ""},
        {"size=200;dscp_value=20;queue_index=dynamic",
         "PACKET_TRIM_SIZE=200 PACKET_TRIM_DSCP_VALUE=20 "
         "PACKET_TRIM_QUEUE_RESOLUTION_MODE=1",
         ""},
        {"size=200;dscp_value=from-tc;tc_value=2;queue_index=dynamic",
         "PACKET_TRIM_DSCP_RESOLUTION_MODE=1 PACKET_TRIM_TC_VALUE=2", ""},
        /* The class waits for its mode, and keeps its value. */
        {"size=200;dscp_value=10;tc_value=2;queue_index=dynamic",
         "PACKET_TRIM_DSCP_RESOLUTION_MODE=0 PACKET_TRIM_DSCP_VALUE=10",
         "ignored-field tc_value"},
        {"size=200;dscp_value=10;tc_value=5;queue_index=dynamic", "",
         "ignored-field tc_value"},
        {"size=200;dscp_value=from-tc;tc_value=2;queue_index=dynamic",
         "PACKET_TRIM_DSCP_RESOLUTION_MODE=1", ""},
        /* The queue that the ASIC has kept. */
        {"size=200;dscp_value=from-tc;tc_value=3;queue_index=1",
         "PACKET_TRIM_TC_VALUE=3 PACKET_TRIM_QUEUE_RESOLUTION_MODE=0", ""},
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        asic_trace_assert(&harness,
                          &(struct harness_row){TRIMMING, steps[i].fields},
                          steps[i].trace);
        harness_assert_state(&harness, TRIMMING, "applied");
        assert_string_equal(harness_status(&harness, TRIMMING)->warnings,
                            steps[i].warnings);
    }
    harness_fini(&harness);
}

/* What a removal says is that it had no effect; no call is made. */
static void
test_trimming_cannot_be_removed(void **state)
{
    struct harness harness;

    (void)state;
    put_ports(&harness);
    harness_apply(&harness, TRIMMING, "size=100;dscp_value=10;queue_index=1");
    asic_trace_assert(
        &harness,
        &(struct harness_row){TRIMMING, "dscp_value=10;queue_index=1"}, "");
    assert_trimming(&harness, "rejected", "kept", "size");
    asic_trace_assert(
        &harness,
        &(struct harness_row){TRIMMING, "dscp_value=11;queue_index=1"},
        "PACKET_TRIM_DSCP_VALUE=11");
    assert_trimming(&harness, "rejected", "kept", "size");
    asic_trace_assert(&harness, &(struct harness_row){TRIMMING, NULL}, "");
    assert_trimming(&harness, "pending-delete", "kept", "");
    asic_trace_assert(
        &harness,
        &(struct harness_row){TRIMMING, "size=100;dscp_value=11;queue_index=2"},
        "PACKET_TRIM_QUEUE_INDEX=2");
    harness_assert_state(&harness, TRIMMING, "applied");
    harness_fini(&harness);
}

/* What the chip lacks is found before a call, and nothing of the row is set. */
static void
test_trimming_beyond_the_chip(void **state)
{
    static const struct {
        const char *fields, *field, *allowed;
    } cases[] = {
        {"size=205;dscp_value=9", "size", "206"},
        {"queue_index=3;size=206", "queue_index", "4, 6"},
        {"queue_index=dynamic;dscp_value=9", "queue_index", "4, 6"},
    };
    const struct chip_trimming limits = {206, 206, 1, 1u << 4 | 1u << 6};
    struct harness harness;

    (void)state;
    put_ports(&harness);
    agent_set_trimming(harness.agent, &limits);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asic_trace_assert(&harness,
                          &(struct harness_row){TRIMMING, cases[i].fields}, "");
        assert_trimming(&harness, "rejected", "range", cases[i].field);
        assert_string_equal(harness_status(&harness, TRIMMING)->err.allowed,
                            cases[i].allowed);
    }
    asic_trace_assert(
        &harness, &(struct harness_row){TRIMMING, "size=206;queue_index=6"},
        "PACKET_TRIM_SIZE=206 PACKET_TRIM_QUEUE_RESOLUTION_MODE=0 "
        "PACKET_TRIM_QUEUE_INDEX=6");
    harness_fini(&harness);
}

/* A switch that cannot trim says so; another attribute does not suffer. */
static void
test_trimming_that_is_not_supported(void **state)
{
    struct asic_trace trace = {
        .attribute = SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_RESOLUTION_MODE,
        .type = SAI_OBJECT_TYPE_SWITCH,
        .status = SAI_STATUS_ATTR_NOT_SUPPORTED_0,
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    store_set_hook(harness.store, asic_trace_note, &trace);
    harness_apply(&harness, TRIMMING,
                  "size=100;dscp_value=from-tc;tc_value=2;queue_index=1");
    assert_trimming(&harness, "unsupported",
                    "sai:SAI_STATUS_ATTR_NOT_SUPPORTED_0", "dscp_value");
    /* Not the class, which has no effect without the mode. */
    assert_string_equal(
        text_string(&trace.text),
        "PACKET_TRIM_SIZE=100 PACKET_TRIM_DSCP_RESOLUTION_MODE=1 "
        "PACKET_TRIM_QUEUE_RESOLUTION_MODE=0 PACKET_TRIM_QUEUE_INDEX=1");
    store_set_hook(harness.store, NULL, NULL);
    text_fini(&trace.text);
    harness_fini(&harness);
}

/* --- Link-level retry --------------------------------------------------- */

#define LLR_PROFILE(name) "LLR_PROFILE", name
#define LLR_PORT          "LLR_PORT", "Ethernet0"
#define LIMITS            "max_outstanding_frames=99;max_outstanding_bytes=999"
#define BOTH              "llr_local=enabled;llr_remote=enabled"

static void
put_llr(struct harness *harness)
{
    put_ports(harness);
    harness_apply(harness, LLR_PROFILE("a"), LIMITS);
    harness_apply(harness, LLR_PROFILE("b"), LIMITS ";max_replay_count=7");
    harness_apply(harness, LLR_PORT, "llr_profile=a;" BOTH);
    harness_assert_state(harness, LLR_PORT, "applied");
}

/* No direction is on without a profile, nor while it changes. */
static void
test_llr_is_set_in_order(void **state)
{
    static const struct {
        struct harness_row row;
        const char *trace;
    } steps[] = {
        {{LLR_PORT, "llr_profile=b;" BOTH},
         "LLR_MODE_LOCAL=0 LLR_MODE_REMOTE=0 LLR_PROFILE=some "
         "LLR_MODE_REMOTE=1 LLR_MODE_LOCAL=1"},
        {{LLR_PORT, "llr_profile=b;" BOTH ";llr_mode=static"}, ""},
        {{LLR_PORT, "llr_profile=b;llr_local=disabled;llr_remote=enabled"},
         "LLR_MODE_LOCAL=0"},
        {{LLR_PORT, "llr_profile=a;llr_local=disabled;llr_remote=enabled"},
         "LLR_MODE_REMOTE=0 LLR_PROFILE=some LLR_MODE_REMOTE=1"},
        {{LLR_PORT, "llr_profile=b;llr_local=enabled"},
         "LLR_MODE_REMOTE=0 LLR_PROFILE=some LLR_MODE_LOCAL=1"},
        /* What can be set is set in place. */
        {{LLR_PROFILE("b"), LIMITS ";max_replay_count=8;flush_action=block"},
         "REPLAY_COUNT_MAX=8 FLUSH_LLR_FRAME_ACTION=1"},
        /* What cannot needs another profile. */
        {{LLR_PROFILE("b"),
          "max_outstanding_frames=200;max_outstanding_bytes=999"},
         "LLR_MODE_LOCAL=0 LLR_PROFILE=some LLR_MODE_LOCAL=1 remove"},
        {{LLR_PORT, NULL}, "LLR_MODE_LOCAL=0 LLR_PROFILE=null"},
        {{LLR_PORT, "llr_profile=b;" BOTH},
         "LLR_PROFILE=some LLR_MODE_REMOTE=1 LLR_MODE_LOCAL=1"},
        {{LLR_PORT, NULL},
         "LLR_MODE_REMOTE=0 LLR_MODE_LOCAL=0 LLR_PROFILE=null"},
        {{LLR_PROFILE("b"), NULL}, "remove"},
    };
    struct harness harness;

    (void)state;
    put_llr(&harness);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        asic_trace_assert(&harness, &steps[i].row, steps[i].trace);
    }
    harness_fini(&harness);
}

/* A profile goes after its last user. */
static void
test_llr_profile_in_use_is_kept(void **state)
{
    struct harness harness;

    (void)state;
    put_llr(&harness);
    harness_apply(&harness, "LLR_PORT", "Ethernet4", "llr_profile=a;" BOTH);
    harness_apply(&harness, LLR_PROFILE("a"), NULL);
    harness_assert_state(&harness, LLR_PROFILE("a"), "pending-delete");
    asic_trace_assert(&harness, &(struct harness_row){LLR_PORT, NULL},
                      "LLR_MODE_REMOTE=0 LLR_MODE_LOCAL=0 LLR_PROFILE=null");
    asic_trace_assert(
        &harness, &(struct harness_row){"LLR_PORT", "Ethernet4", NULL},
        "LLR_MODE_REMOTE=0 LLR_MODE_LOCAL=0 LLR_PROFILE=null remove");
    harness_fini(&harness);
}

static void
test_llr_port_waits_for_its_profile(void **state)
{
    static const struct {
        const char *fields, *state, *code;
    } cases[] = {
        {"llr_profile=c;" BOTH, "waiting", "missing-ref"},
        {BOTH, "waiting", "no-llr-profile"},
        {"llr_profile=a;llr_mode=dynamic", "unsupported", "llr-mode"},
        {"llr_local=disabled", "applied", ""},
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    harness_apply(&harness, LLR_PROFILE("a"), LIMITS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asic_trace_assert(
            &harness, &(struct harness_row){LLR_PORT, cases[i].fields},
            strcmp(cases[i].state, "applied") ? "" : "LLR_MODE_LOCAL=0");
        harness_assert_state(&harness, LLR_PORT, cases[i].state);
        assert_string_equal(harness_status(&harness, LLR_PORT)->err.code,
                            cases[i].code);
    }
    harness_fini(&harness);
}

/* A port that takes no profile is not protected. */
static void
test_llr_that_is_not_supported(void **state)
{
    struct asic_trace trace = {
        .attribute = SAI_PORT_ATTR_LLR_PROFILE,
        .type = SAI_OBJECT_TYPE_PORT,
        .status = SAI_STATUS_ATTR_NOT_SUPPORTED_0,
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    harness_apply(&harness, LLR_PROFILE("a"), LIMITS);
    store_set_hook(harness.store, asic_trace_note, &trace);
    harness_apply(&harness, LLR_PORT, "llr_profile=a;" BOTH);
    assert_string_equal(text_string(&trace.text), "LLR_PROFILE=some");
    harness_assert_state(&harness, LLR_PORT, "unsupported");
    assert_string_equal(harness_status(&harness, LLR_PORT)->err.field,
                        "llr_profile");
    store_set_hook(harness.store, NULL, NULL);
    text_fini(&trace.text);
    harness_fini(&harness);
}

/* A switch that says that it has none is not asked. */
static void
test_llr_that_the_switch_lacks(void **state)
{
    static const struct harness_row rows[] = {
        {LLR_PROFILE("a"), LIMITS},
        {LLR_PORT, "llr_profile=a;" BOTH},
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    agent_set_lacks_llr(harness.agent, true);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t before = harness_changes(&harness);
        const struct row_status *status;

        harness_apply(&harness, rows[i].table, rows[i].key, rows[i].fields);
        assert_int_equal(harness_changes(&harness), before);
        harness_assert_state(&harness, rows[i].table, rows[i].key,
                             "unsupported");
        status = harness_status(&harness, rows[i].table, rows[i].key);
        assert_string_equal(status->err.code, "no-llr");
        assert_string_equal(status->err.value, rows[i].key);
    }
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pfc_masks_follow_the_mode_of_the_port),
        cmocka_unit_test(test_pfc_mode_that_is_not_supported_leaves_the_masks),
        cmocka_unit_test(
            test_pfc_mode_that_is_refused_takes_the_masks_along_later),
        cmocka_unit_test(test_wred_widens_before_it_narrows),
        cmocka_unit_test(test_scheduler_rates_widen_before_they_narrow),
        cmocka_unit_test(test_wred_is_created_with_all_that_it_has),
        cmocka_unit_test(test_queue_row_sets_the_group_and_the_queue),
        cmocka_unit_test(
            test_queue_row_that_lacks_its_scheduler_waits_with_that_only),
        cmocka_unit_test(
            test_of_the_cpu_port_only_queues_that_are_there_are_managed),
        cmocka_unit_test(test_queue_beyond_the_last_one_is_rejected),
        cmocka_unit_test(test_B10_rows_that_want_one_scheduler_share_a_group),
        cmocka_unit_test(
            test_B10_rows_that_want_two_schedulers_of_a_group_are_reported),
        cmocka_unit_test(test_B10_refusal_of_a_shared_group_is_reported_to_all),
        cmocka_unit_test(test_missing_groups_are_asked_for_again),
        cmocka_unit_test(test_groups_are_looked_for_again_on_a_new_port),
        cmocka_unit_test(test_switch_without_groups_takes_schedulers_at_queues),
        cmocka_unit_test(test_queue_in_no_group_says_what_to_do),
        cmocka_unit_test(test_trimming_is_set_in_order),
        cmocka_unit_test(test_trimming_cannot_be_removed),
        cmocka_unit_test(test_trimming_beyond_the_chip),
        cmocka_unit_test(test_trimming_that_is_not_supported),
        cmocka_unit_test(test_llr_is_set_in_order),
        cmocka_unit_test(test_llr_profile_in_use_is_kept),
        cmocka_unit_test(test_llr_port_waits_for_its_profile),
        cmocka_unit_test(test_llr_that_is_not_supported),
        cmocka_unit_test(test_llr_that_the_switch_lacks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
