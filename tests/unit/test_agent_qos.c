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

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

/* The sets and removals that the store has seen, as "GREEN_MIN_THRESHOLD=5
 * PRIORITY_FLOW_CONTROL=24"; those of the statuses named in 'refuse' fail. */
struct trace {
    struct text text;
    sai_attr_id_t attribute; /* Sets of it are refused ... */
    sai_object_type_t type;  /* ... of objects of this type ... */
    sai_status_t status;     /* ... with that. */
};

/* Writes the attribute without "SAI_WRED_ATTR_". */
static void
add_set(struct text *text, sai_object_type_t type,
        const sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);
    const char *name = strstr(meta->name, "_ATTR_") + strlen("_ATTR_");

    text_add_item(text, " ", name);
    if (meta->kind == KIND_OID) {
        text_add(text, attribute->value.oid ? "=some" : "=null");
    } else {
        text_addf(text, "=%lld",
                  (long long)metadata_number(meta->kind, &attribute->value));
    }
}

static sai_status_t
note(void *context, const struct store_call *call)
{
    struct trace *trace = context;

    if (call->op == STORE_REMOVE) {
        text_add_item(&trace->text, " ", "remove");
    } else if (call->op == STORE_SET) {
        add_set(&trace->text, call->type, call->attributes);
        if (trace->status && call->type == trace->type &&
            call->attributes->id == trace->attribute) {
            return trace->status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Writes a row, lets it settle and asserts the SAI calls. */
static void
assert_trace(struct harness *harness, const struct harness_row *row,
             const char *expected)
{
    struct trace trace = {.status = SAI_STATUS_SUCCESS};

    store_set_hook(harness->store, note, &trace);
    harness_apply(harness, row->table, row->key, row->fields);
    store_set_hook(harness->store, NULL, NULL);
    assert_string_equal(text_string(&trace.text), expected);
    text_fini(&trace.text);
}

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
        assert_trace(&harness, &steps[i].row, steps[i].trace);
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
    struct trace trace = {
        .attribute = SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE,
        .type = SAI_OBJECT_TYPE_PORT,
        .status = SAI_STATUS_ATTR_NOT_SUPPORTED_0,
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    store_set_hook(harness.store, note, &trace);
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
    struct trace trace = {
        .attribute = SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE,
        .type = SAI_OBJECT_TYPE_PORT,
        .status = SAI_STATUS_OBJECT_IN_USE,
    };
    struct harness harness;

    (void)state;
    put_ports(&harness);
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0", "pfc_enable=3,4");
    store_set_hook(harness.store, note, &trace);
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
        assert_trace(&harness, &row, steps[i].trace);
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

        assert_trace(&harness, &row, steps[i].trace);
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
        add_set(text, call->type, &call->attributes[i]);
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
        assert_trace(&harness, &steps[i].row, steps[i].trace);
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

        assert_trace(&harness, &rows[i].row, "");
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
    assert_trace(&harness, &gone, "");
    harness_assert_state(&harness, "QUEUE", "Ethernet0|2", "gone");
    assert_true(scheduler_above(&harness, "Ethernet0", 3) ==
                oid_of(&harness, TABLE_SCHEDULER, "s"));
    gone.key = "Ethernet0|3";
    assert_trace(&harness, &gone,
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
    struct trace trace = {
        .attribute = SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID,
        .type = SAI_OBJECT_TYPE_SCHEDULER_GROUP,
        .status = SAI_STATUS_INSUFFICIENT_RESOURCES,
    };
    struct harness harness;

    (void)state;
    put_profiles(&harness);
    share(&harness, "Ethernet0", 2);
    store_set_hook(harness.store, note, &trace);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
