/* SPDX-License-Identifier: Apache-2.0 */

/* What becomes of rows when the device refuses, when a replacement cannot be
 * carried through, and when a row asks for what others stand in the way of. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/core/metadata.h"
#include "tests/support/rig.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

/* Returns the profile that a priority group of Ethernet0 is bound to, as the
 * store has it. */
static sai_object_id_t
bound_to(struct testbench *rig, int pg)
{
    struct sai_backend *backend = store_backend(rig->store);
    const struct object *place =
        agent_object(rig->agent, TABLE_BUFFER_PG, "Ethernet0", pg);
    sai_attribute_t attribute = {
        .id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE};

    assert_non_null(place);
    assert_int_equal(
        backend->ops->get(backend, place->type, place->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.oid;
}

static sai_object_id_t
profile_oid(const struct testbench *rig, const char *name)
{
    const struct object *profile =
        agent_object(rig->agent, TABLE_BUFFER_PROFILE, name, -1);

    return profile ? profile->oid : SAI_NULL_OBJECT_ID;
}

/* What a hook refuses, and how often; and how many such calls it saw. */
struct fault {
    enum store_op op;
    sai_object_type_t type;
    sai_attr_id_t attribute; /* Of a set. */
    sai_status_t status;
    unsigned int times;
    unsigned int seen;
};

static sai_status_t
refuse(void *context, const struct store_call *call)
{
    struct fault *fault = context;

    if (call->op != fault->op || call->type != fault->type ||
        (call->op == STORE_SET && call->attributes->id != fault->attribute)) {
        return SAI_STATUS_SUCCESS;
    }
    fault->seen++;
    if (!fault->times) {
        return SAI_STATUS_SUCCESS;
    }
    fault->times--;
    return fault->status;
}

/* --- Refusals ----------------------------------------------------------- */

static void
test_refused_reset_is_a_failure_of_its_row(void **state)
{
    struct testbench rig;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_PORT,
                          SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                          SAI_STATUS_INVALID_PARAMETER,
                          1,
                          0};

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, refuse, &fault);
    rig_apply(&rig, "PORT_QOS_MAP", "Ethernet0", "dscp_to_tc_map=AZURE");
    rig_assert_state(&rig, "PORT_QOS_MAP", "Ethernet0", "failed");
    rig_put(&rig, "PORT_QOS_MAP", "Ethernet0",
            "dscp_to_tc_map=AZURE;tc_to_pg_map=AZURE");
    rig_settle(&rig);
    rig_assert_state(&rig, "PORT_QOS_MAP", "Ethernet0", "applied");
    testbench_fini(&rig);
}

static void
test_row_that_cannot_be_undone_says_why(void **state)
{
    struct testbench rig;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INSUFFICIENT_RESOURCES,
                          1,
                          0};

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, refuse, &fault);
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|0", NULL);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|0", "pending-delete");
    assert_string_equal(rig_status(&rig, "BUFFER_PG", "Ethernet0|0")->err.code,
                        "remove-refused");
    rig_pass(&rig, 2 * SECOND_NS);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|0", "gone");
    testbench_fini(&rig);
}

/* PEER_BUGS A5: what the device has in use is not gone because nobody here
 * knows of a user. */
static void
test_a5_object_that_the_device_has_in_use_is_not_gone(void **state)
{
    struct testbench rig;
    struct fault fault = {STORE_REMOVE,
                          SAI_OBJECT_TYPE_SCHEDULER,
                          0,
                          SAI_STATUS_OBJECT_IN_USE,
                          1,
                          0};

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, "SCHEDULER", "s", "type=STRICT");
    store_set_hook(rig.store, refuse, &fault);
    rig_apply(&rig, "SCHEDULER", "s", NULL);
    rig_assert_state(&rig, "SCHEDULER", "s", "pending-delete");
    assert_non_null(agent_object(rig.agent, TABLE_SCHEDULER, "s", -1));
    rig_pass(&rig, 2 * SECOND_NS);
    rig_assert_state(&rig, "SCHEDULER", "s", "gone");
    assert_int_equal(fault.seen, 2);
    testbench_fini(&rig);
}

static void
test_refused_replacement_is_told_and_not_tried_again_at_once(void **state)
{
    struct testbench rig;
    struct fault fault = {STORE_CREATE,
                          SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          0,
                          SAI_STATUS_INVALID_PARAMETER,
                          100,
                          0};
    sai_object_id_t before;
    uint64_t changes;

    (void)state;
    rig_init_applied(&rig);
    before = profile_oid(&rig, "in_lossy");
    changes = rig_changes(&rig);
    store_set_hook(rig.store, refuse, &fault);
    rig_put(&rig, "BUFFER_PROFILE", "in_lossy",
            "pool=ingress;size=0;static_th=5000");
    rig_settle(&rig);
    rig_pass(&rig, 100 * SECOND_NS);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "failed");
    /* One call: those bound to the old one were left alone. */
    assert_int_equal(rig_changes(&rig), changes + 1);
    assert_true(profile_oid(&rig, "in_lossy") == before);

    /* The old content needs no replacement. */
    rig_put(&rig, "BUFFER_PROFILE", "in_lossy",
            "pool=ingress;size=0;dynamic_th=3");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "applied");
    testbench_fini(&rig);
}

static void
test_refusal_is_reconsidered_when_what_it_refers_to_changes(void **state)
{
    struct testbench rig;
    struct fault fault = {STORE_CREATE,
                          SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          0,
                          SAI_STATUS_INVALID_PARAMETER,
                          1,
                          0};

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, refuse, &fault);
    rig_put(&rig, "BUFFER_PROFILE", "new", "pool=ingress;size=9;dynamic_th=0");
    rig_settle(&rig);
    rig_pass(&rig, 100 * SECOND_NS);
    rig_assert_state(&rig, "BUFFER_PROFILE", "new", "failed");
    rig_put(&rig, "BUFFER_POOL", "ingress",
            "type=ingress;mode=dynamic;size=20000000");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_PROFILE", "new", "applied");
    testbench_fini(&rig);
}

/* Refuses two attributes of a port for different reasons. */
struct two_faults {
    unsigned int n_speed, n_mtu;
};

static sai_status_t
refuse_two(void *context, const struct store_call *call)
{
    struct two_faults *faults = context;

    if (call->op == STORE_SET && call->attributes->id == SAI_PORT_ATTR_SPEED) {
        faults->n_speed++;
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (call->op == STORE_SET && call->attributes->id == SAI_PORT_ATTR_MTU) {
        faults->n_mtu++;
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_permanent_refusal_is_not_dragged_along_by_a_passing_one(void **state)
{
    struct testbench rig;
    struct two_faults faults = {0, 0};

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, refuse_two, &faults);
    rig_put(&rig, "PORT", "Ethernet0",
            "lanes=1,2,3,4;speed=40000;mtu=1500;admin_status=up");
    rig_settle(&rig);
    rig_pass(&rig, 20 * SECOND_NS);
    assert_int_equal(faults.n_speed, 1);
    assert_in_range(faults.n_mtu, 3, 6);
    testbench_fini(&rig);
}

static sai_status_t
stop_after_set(void *context, const struct store_call *call)
{
    bool *armed = context;

    if (*armed && call->op == STORE_SET &&
        call->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        *armed = false;
        return STORE_STOP_AFTER;
    }
    return SAI_STATUS_SUCCESS;
}

/* The device made the change and failed to say so; the user then takes it
 * back. */
static void
test_change_of_unknown_outcome_is_undone(void **state)
{
    struct testbench rig;
    struct sai_backend *backend;
    sai_attribute_t attribute = {.id = SAI_BUFFER_POOL_ATTR_SIZE};
    bool armed = true;

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, stop_after_set, &armed);
    rig_put(&rig, "BUFFER_POOL", "ingress", "type=ingress;mode=dynamic;size=7");
    rig_pass(&rig, 0);
    assert_true(store_stopped(rig.store));
    store_resume(rig.store);
    rig_put(&rig, "BUFFER_POOL", "ingress",
            "type=ingress;mode=dynamic;size=10000000");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_POOL", "ingress", "applied");
    backend = store_backend(rig.store);
    assert_int_equal(
        backend->ops->get(
            backend, SAI_OBJECT_TYPE_BUFFER_POOL,
            agent_object(rig.agent, TABLE_BUFFER_POOL, "ingress", -1)->oid, 1,
            &attribute),
        SAI_STATUS_SUCCESS);
    assert_int_equal(attribute.value.u64, 10000000);
    testbench_fini(&rig);
}

static sai_status_t
stop_after_remove(void *context, const struct store_call *call)
{
    bool *armed = context;

    if (*armed && call->op == STORE_REMOVE) {
        *armed = false;
        return STORE_STOP_AFTER;
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_removal_of_unknown_outcome_ends_with_the_object_gone(void **state)
{
    struct testbench rig;
    bool armed = true;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_POOL", "spare", "type=ingress;mode=dynamic;size=7");
    rig_settle(&rig);
    store_set_hook(rig.store, stop_after_remove, &armed);
    rig_apply(&rig, "BUFFER_POOL", "spare", NULL);
    assert_true(store_stopped(rig.store));
    store_resume(rig.store);
    rig_pass(&rig, 100 * SECOND_NS);
    rig_assert_state(&rig, "BUFFER_POOL", "spare", "gone");
    testbench_fini(&rig);
}

/* --- Replacements ------------------------------------------------------- */

static void
test_pool_keeps_its_direction_while_a_binding_needs_it(void **state)
{
    struct testbench rig;
    sai_object_id_t before;

    (void)state;
    rig_init_applied(&rig);
    before = bound_to(&rig, 3);
    rig_put(&rig, "BUFFER_POOL", "ingress",
            "type=egress;mode=dynamic;size=10000000");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_POOL", "ingress", "waiting");
    assert_string_equal(rig_status(&rig, "BUFFER_POOL", "ingress")->err.code,
                        "in-use");
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|3-4", "rejected");
    assert_string_equal(
        rig_status(&rig, "BUFFER_PG", "Ethernet0|3-4")->err.code,
        "wrong-direction");
    assert_true(bound_to(&rig, 3) == before);

    /* Taken back, nothing has happened. */
    rig_put(&rig, "BUFFER_POOL", "ingress",
            "type=ingress;mode=dynamic;size=10000000");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_POOL", "ingress", "applied");
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|3-4", "applied");
    assert_true(bound_to(&rig, 3) == before);
    testbench_fini(&rig);
}

static void
test_pool_changes_direction_when_the_last_binding_has_gone(void **state)
{
    struct testbench rig;
    const struct object *pool;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_POOL", "ingress",
            "type=egress;mode=dynamic;size=10000000");
    rig_settle(&rig);
    for (size_t i = 0; i < rig_n_rows; i++) {
        if (!strcmp(rig_rows[i].table, "BUFFER_PG")) {
            rig_put(&rig, rig_rows[i].table, rig_rows[i].key, NULL);
        }
    }
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_POOL", "ingress", "applied");
    pool = agent_object(rig.agent, TABLE_BUFFER_POOL, "ingress", -1);
    assert_int_equal(object_value(pool, SAI_BUFFER_POOL_ATTR_TYPE)->s32,
                     SAI_BUFFER_POOL_TYPE_EGRESS);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_POOL), 3);
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_PROFILE), 4);
    testbench_fini(&rig);
}

static void
test_profile_does_not_follow_to_the_other_side_while_bound(void **state)
{
    struct testbench rig;
    sai_object_id_t before;

    (void)state;
    rig_init_applied(&rig);
    before = bound_to(&rig, 0);
    rig_put(&rig, "BUFFER_PROFILE", "in_lossy",
            "pool=egress_lossy;size=0;dynamic_th=3");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "waiting");
    assert_string_equal(
        rig_status(&rig, "BUFFER_PROFILE", "in_lossy")->blocked_by,
        "BUFFER_PG|Ethernet0|0,BUFFER_PG|Ethernet4|0");
    assert_true(bound_to(&rig, 0) == before);
    rig_put(&rig, "BUFFER_PG", "Ethernet0|0", "profile=in_lossless");
    rig_apply(&rig, "BUFFER_PG", "Ethernet4|0", "profile=in_lossless");
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "applied");
    assert_true(bound_to(&rig, 0) == profile_oid(&rig, "in_lossless"));
    testbench_fini(&rig);
}

/* A binding cannot follow to the replacement, and then the row goes. */
static void
test_replacement_stays_for_those_who_could_not_follow_yet(void **state)
{
    struct testbench rig;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INSUFFICIENT_RESOURCES,
                          100,
                          0};

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, refuse, &fault);
    rig_put(&rig, "BUFFER_PROFILE", "in_lossy",
            "pool=ingress;size=0;static_th=5000");
    rig_settle(&rig);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|0", "failed");
    rig_apply(&rig, "BUFFER_PROFILE", "in_lossy", NULL);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "pending-delete");
    fault.times = 0;
    rig_pass(&rig, 100 * SECOND_NS);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|0", "applied");
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_PROFILE), 4);
    rig_put(&rig, "BUFFER_PG", "Ethernet0|0", NULL);
    rig_apply(&rig, "BUFFER_PG", "Ethernet4|0", NULL);
    rig_assert_state(&rig, "BUFFER_PROFILE", "in_lossy", "gone");
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_BUFFER_PROFILE), 3);
    testbench_fini(&rig);
}

/* Fails the test when the store refuses to remove what is in use. */
static void
test_pool_is_not_removed_under_a_replaced_profile(void **state)
{
    struct testbench rig;
    struct agent_figures figures;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INSUFFICIENT_RESOURCES,
                          1,
                          0};

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "BUFFER_POOL", "other",
            "type=ingress;mode=dynamic;size=10000");
    rig_put(&rig, "BUFFER_PROFILE", "moving", "pool=other;size=0;dynamic_th=3");
    rig_apply(&rig, "BUFFER_PG", "Ethernet0|6", "profile=moving");
    store_set_hook(rig.store, refuse, &fault);
    rig_put(&rig, "BUFFER_PROFILE", "moving",
            "pool=ingress;size=0;dynamic_th=3");
    rig_apply(&rig, "BUFFER_POOL", "other", NULL);
    rig_pass(&rig, 10 * SECOND_NS);
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|6", "applied");
    rig_assert_state(&rig, "BUFFER_POOL", "other", "gone");
    agent_figures(rig.agent, &figures);
    assert_int_equal(figures.sai_failures, 1);
    testbench_fini(&rig);
}

/* --- Ports -------------------------------------------------------------- */

static void
test_ports_that_share_a_lane_are_both_created(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "PORT", "Ethernet2", "lanes=4;speed=10000");
    rig_settle(&rig);
    rig_assert_state(&rig, "PORT", "Ethernet2", "applied");
    rig_assert_state(&rig, "PORT", "Ethernet0", "applied");
    testbench_fini(&rig);
}

static void
test_port_waits_for_one_with_the_same_lanes(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "PORT", "Ethernet2", "lanes=1,2,3,4;speed=50000");
    rig_settle(&rig);
    rig_assert_state(&rig, "PORT", "Ethernet2", "waiting");
    assert_string_equal(rig_status(&rig, "PORT", "Ethernet2")->err.code,
                        "lanes-in-use");
    assert_string_equal(rig_status(&rig, "PORT", "Ethernet2")->blocked_by,
                        "PORT|Ethernet0");
    rig_apply(&rig, "PORT", "Ethernet0", NULL);
    rig_assert_state(&rig, "PORT", "Ethernet2", "applied");
    testbench_fini(&rig);
}

/* A device that does not let ports share lanes, and says so in its own way:
 * 'context' is whether a port of four lanes is there. */
static sai_status_t
never_share_lanes(void *context, const struct store_call *call)
{
    bool *whole = context;

    if (call->type != SAI_OBJECT_TYPE_PORT) {
        return SAI_STATUS_SUCCESS;
    }
    if (call->op == STORE_REMOVE) {
        *whole = false;
    }
    return call->op == STORE_CREATE && *whole ? SAI_STATUS_INVALID_PARAMETER
                                              : SAI_STATUS_SUCCESS;
}

static void
test_port_waits_for_lanes_that_the_device_does_not_share(void **state)
{
    struct testbench rig;
    bool whole = true;

    (void)state;
    rig_init_applied(&rig);
    store_set_hook(rig.store, never_share_lanes, &whole);
    rig_put(&rig, "PORT", "Ethernet2", "lanes=3,4;speed=50000");
    rig_settle(&rig);
    rig_assert_state(&rig, "PORT", "Ethernet2", "waiting");
    assert_string_equal(rig_status(&rig, "PORT", "Ethernet2")->err.code,
                        "lanes-in-use");
    assert_string_equal(rig_status(&rig, "PORT", "Ethernet2")->blocked_by,
                        "PORT|Ethernet0");
    rig_assert_state(&rig, "PORT", "Ethernet0", "applied");
    rig_put(&rig, "PORT", "Ethernet0", "lanes=1,2;speed=50000;mtu=9100");
    rig_settle(&rig);
    rig_assert_state(&rig, "PORT", "Ethernet2", "applied");
    rig_assert_state(&rig, "PORT", "Ethernet0", "applied");
    rig_assert_state(&rig, "BUFFER_PG", "Ethernet0|3-4", "applied");
    testbench_fini(&rig);
}

static void
test_ports_swap_their_lanes(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_put(&rig, "PORT", "Ethernet0",
            "lanes=5,6,7,8;speed=100000;mtu=9100;admin_status=up");
    rig_put(&rig, "PORT", "Ethernet4",
            "lanes=1,2,3,4;speed=100000;admin_status=up");
    rig_settle(&rig);
    for (size_t i = 0; i < rig_n_rows; i++) {
        rig_assert_state(&rig, rig_rows[i].table, rig_rows[i].key, "applied");
    }
    assert_int_equal(store_count(rig.store, SAI_OBJECT_TYPE_PORT), 2);
    testbench_fini(&rig);
}

/* --- What is said ------------------------------------------------------- */

static void
test_each_missing_port_is_named(void **state)
{
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, "BUFFER_PG", "Ethernet10,Ethernet1|7", "profile=in_lossy");
    assert_string_equal(
        rig_status(&rig, "BUFFER_PG", "Ethernet10,Ethernet1|7")->blocked_by,
        "PORT|Ethernet10,PORT|Ethernet1");
    testbench_fini(&rig);
}

/* Eight are named, and further ones counted. */
static void
test_referrers_are_named_in_order(void **state)
{
#define FIRST_SIX                                                              \
    "BUFFER_PG|Ethernet0|0,BUFFER_PG|Ethernet0|3,BUFFER_PG|Ethernet0|5,"       \
    "BUFFER_PG|Ethernet0|6,BUFFER_PG|Ethernet0|7,BUFFER_PG|Ethernet4|0"
    struct testbench rig;
    char key[32];

    (void)state;
    rig_init_applied(&rig);
    for (int i = 0; i < 4; i++) {
        text_format(key, sizeof key, "Ethernet0|%d", 7 - i * 2 % 5);
        rig_apply(&rig, "BUFFER_PG", key, "profile=in_lossy");
    }
    rig_apply(&rig, "BUFFER_PROFILE", "in_lossy", NULL);
    assert_string_equal(
        rig_status(&rig, "BUFFER_PROFILE", "in_lossy")->referenced_by,
        FIRST_SIX);
    rig_apply(&rig, "BUFFER_PROFILE", "in_lossy",
              "pool=ingress;size=0;dynamic_th=3");
    rig_apply(&rig, "BUFFER_PG", "Ethernet4|5", "profile=in_lossy");
    rig_apply(&rig, "BUFFER_PG", "Ethernet4|6", "profile=in_lossy");
    rig_apply(&rig, "BUFFER_PROFILE", "in_lossy", NULL);
    assert_string_equal(
        rig_status(&rig, "BUFFER_PROFILE", "in_lossy")->referenced_by,
        FIRST_SIX ",BUFFER_PG|Ethernet4|5,BUFFER_PG|Ethernet4|6");
    rig_apply(&rig, "BUFFER_PROFILE", "in_lossy",
              "pool=ingress;size=0;dynamic_th=3");
    rig_apply(&rig, "BUFFER_PG", "Ethernet4|7", "profile=in_lossy");
    rig_apply(&rig, "BUFFER_PROFILE", "in_lossy", NULL);
    assert_string_equal(
        rig_status(&rig, "BUFFER_PROFILE", "in_lossy")->referenced_by,
        FIRST_SIX ",BUFFER_PG|Ethernet4|5,BUFFER_PG|Ethernet4|6,and 1 more");
    testbench_fini(&rig);
#undef FIRST_SIX
}

static void
test_warning_survives_a_bad_change_that_is_taken_back(void **state)
{
    static const char good[] = "weight=3;priority=1";
    struct testbench rig;

    (void)state;
    rig_init_applied(&rig);
    rig_apply(&rig, "SCHEDULER", "s", good);
    rig_put(&rig, "SCHEDULER", "s", "weight=0;priority=1");
    rig_settle(&rig);
    rig_assert_state(&rig, "SCHEDULER", "s", "rejected");
    rig_apply(&rig, "SCHEDULER", "s", good);
    rig_assert_state(&rig, "SCHEDULER", "s", "applied");
    assert_string_equal(rig_status(&rig, "SCHEDULER", "s")->warnings,
                        "unsupported-field priority");
    testbench_fini(&rig);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_reset_is_a_failure_of_its_row),
        cmocka_unit_test(test_row_that_cannot_be_undone_says_why),
        cmocka_unit_test(test_a5_object_that_the_device_has_in_use_is_not_gone),
        cmocka_unit_test(
            test_refused_replacement_is_told_and_not_tried_again_at_once),
        cmocka_unit_test(
            test_refusal_is_reconsidered_when_what_it_refers_to_changes),
        cmocka_unit_test(
            test_permanent_refusal_is_not_dragged_along_by_a_passing_one),
        cmocka_unit_test(test_change_of_unknown_outcome_is_undone),
        cmocka_unit_test(
            test_removal_of_unknown_outcome_ends_with_the_object_gone),
        cmocka_unit_test(
            test_pool_keeps_its_direction_while_a_binding_needs_it),
        cmocka_unit_test(
            test_pool_changes_direction_when_the_last_binding_has_gone),
        cmocka_unit_test(
            test_profile_does_not_follow_to_the_other_side_while_bound),
        cmocka_unit_test(
            test_replacement_stays_for_those_who_could_not_follow_yet),
        cmocka_unit_test(test_pool_is_not_removed_under_a_replaced_profile),
        cmocka_unit_test(test_ports_that_share_a_lane_are_both_created),
        cmocka_unit_test(test_port_waits_for_one_with_the_same_lanes),
        cmocka_unit_test(
            test_port_waits_for_lanes_that_the_device_does_not_share),
        cmocka_unit_test(test_ports_swap_their_lanes),
        cmocka_unit_test(test_each_missing_port_is_named),
        cmocka_unit_test(test_referrers_are_named_in_order),
        cmocka_unit_test(test_warning_survives_a_bad_change_that_is_taken_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
