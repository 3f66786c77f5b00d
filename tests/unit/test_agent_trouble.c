/* SPDX-License-Identifier: Apache-2.0 */

/* What becomes of rows when the device refuses, when a replacement cannot be
 * carried through, and when other rows prevent what a row asks for. */

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
#include "tests/support/agent_harness.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

/* Returns the profile that a priority group of Ethernet0 is bound to, as the
 * store has it. */
static sai_object_id_t
bound_to(struct harness *harness, int pg)
{
    struct sai_backend *backend = store_backend(harness->store);
    const struct object *place =
        agent_object(harness->agent, TABLE_BUFFER_PG, "Ethernet0", pg);
    sai_attribute_t attribute = {
        .id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE};

    assert_non_null(place);
    assert_int_equal(
        backend->ops->get(backend, place->type, place->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.oid;
}

static sai_object_id_t
profile_oid(const struct harness *harness, const char *name)
{
    const struct object *profile =
        agent_object(harness->agent, TABLE_BUFFER_PROFILE, name, -1);

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
    struct harness harness;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_PORT,
                          SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                          SAI_STATUS_INVALID_PARAMETER,
                          1,
                          0};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0",
                  "dscp_to_tc_map=AZURE");
    harness_assert_state(&harness, "PORT_QOS_MAP", "Ethernet0", "failed");
    harness_put(&harness, "PORT_QOS_MAP", "Ethernet0",
                "dscp_to_tc_map=AZURE;tc_to_pg_map=AZURE");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT_QOS_MAP", "Ethernet0", "applied");
    harness_fini(&harness);
}

static void
test_row_that_cannot_be_undone_says_why(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INSUFFICIENT_RESOURCES,
                          1,
                          0};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|0", NULL);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0",
                         "pending-delete");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|0")->err.code,
        "remove-refused");
    harness_pass(&harness, 2 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "gone");
    harness_fini(&harness);
}

/* PEER_BUGS A5: what the device has in use is still there although nothing here
 * knows of a user. */
static void
test_a5_object_that_the_device_has_in_use_is_not_gone(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_REMOVE,
                          SAI_OBJECT_TYPE_SCHEDULER,
                          0,
                          SAI_STATUS_OBJECT_IN_USE,
                          1,
                          0};

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, "SCHEDULER", "s", "type=STRICT");
    store_set_hook(harness.store, refuse, &fault);
    harness_apply(&harness, "SCHEDULER", "s", NULL);
    harness_assert_state(&harness, "SCHEDULER", "s", "pending-delete");
    assert_non_null(agent_object(harness.agent, TABLE_SCHEDULER, "s", -1));
    harness_pass(&harness, 2 * SECOND_NS);
    harness_assert_state(&harness, "SCHEDULER", "s", "gone");
    assert_int_equal(fault.seen, 2);
    harness_fini(&harness);
}

/* A binding of a previous run kept it in use: the owner removes that, and no
 * step of a plan tells. */
static void
test_removal_is_tried_again_when_the_owner_has_made_room(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_REMOVE,
                          SAI_OBJECT_TYPE_BUFFER_POOL,
                          0,
                          SAI_STATUS_OBJECT_IN_USE,
                          1,
                          0};

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, "BUFFER_POOL", "spare",
                  "type=ingress;mode=dynamic;size=1000");
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_POOL", "spare", NULL);
    harness_pass(&harness, SECOND_NS / 2);
    harness_assert_state(&harness, "BUFFER_POOL", "spare", "pending-delete");
    assert_int_equal(fault.seen, 1);
    agent_note_release(harness.agent);
    harness_pass(&harness, 0);
    harness_assert_state(&harness, "BUFFER_POOL", "spare", "gone");
    assert_int_equal(fault.seen, 2);
    harness_fini(&harness);
}

static void
test_refused_replacement_is_reported_and_not_tried_again_at_once(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_CREATE,
                          SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          0,
                          SAI_STATUS_INVALID_PARAMETER,
                          100,
                          0};
    sai_object_id_t before;
    uint64_t changes;

    (void)state;
    harness_init_applied(&harness);
    before = profile_oid(&harness, "in_lossy");
    changes = harness_changes(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=ingress;size=0;static_th=5000");
    harness_settle(&harness);
    harness_pass(&harness, 100 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "failed");
    /* One call: those bound to the old one were left alone. */
    assert_int_equal(harness_changes(&harness), changes + 1);
    assert_true(profile_oid(&harness, "in_lossy") == before);

    /* The old content needs no replacement. */
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=ingress;size=0;dynamic_th=3");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    harness_fini(&harness);
}

/* The verdict on a pool of type both must not be the answer to type egress,
 * which cannot be tried while ingress bindings keep the pool. */
static void
test_changed_row_is_not_answered_with_an_earlier_refusal(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_CREATE,
                          SAI_OBJECT_TYPE_BUFFER_POOL,
                          0,
                          SAI_STATUS_NOT_SUPPORTED,
                          1,
                          0};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_apply(&harness, "BUFFER_POOL", "ingress",
                  "type=both;mode=dynamic;size=10000000");
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "unsupported");
    harness_apply(&harness, "BUFFER_POOL", "ingress",
                  "type=egress;mode=dynamic;size=10000000");
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "ingress")->err.code, "in-use");
    harness_fini(&harness);
}

static void
test_refusal_is_reconsidered_when_what_it_refers_to_changes(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_CREATE,
                          SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          0,
                          SAI_STATUS_INVALID_PARAMETER,
                          1,
                          0};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_PROFILE", "new",
                "pool=ingress;size=9;dynamic_th=0");
    harness_settle(&harness);
    harness_pass(&harness, 100 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PROFILE", "new", "failed");
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=20000000");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "new", "applied");
    harness_fini(&harness);
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
    struct harness harness;
    struct two_faults faults = {0, 0};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse_two, &faults);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=40000;mtu=1500;admin_status=up");
    harness_settle(&harness);
    harness_pass(&harness, 20 * SECOND_NS);
    assert_int_equal(faults.n_speed, 1);
    assert_in_range(faults.n_mtu, 3, 6);
    harness_fini(&harness);
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
    struct harness harness;
    struct sai_backend *backend;
    sai_attribute_t attribute = {.id = SAI_BUFFER_POOL_ATTR_SIZE};
    bool armed = true;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, stop_after_set, &armed);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=7");
    harness_pass(&harness, 0);
    assert_true(store_stopped(harness.store));
    store_resume(harness.store);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=10000000");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "applied");
    backend = store_backend(harness.store);
    assert_int_equal(
        backend->ops->get(
            backend, SAI_OBJECT_TYPE_BUFFER_POOL,
            agent_object(harness.agent, TABLE_BUFFER_POOL, "ingress", -1)->oid,
            1, &attribute),
        SAI_STATUS_SUCCESS);
    assert_int_equal(attribute.value.u64, 10000000);
    harness_fini(&harness);
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
    struct harness harness;
    bool armed = true;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "spare",
                "type=ingress;mode=dynamic;size=7");
    harness_settle(&harness);
    store_set_hook(harness.store, stop_after_remove, &armed);
    harness_apply(&harness, "BUFFER_POOL", "spare", NULL);
    assert_true(store_stopped(harness.store));
    store_resume(harness.store);
    harness_pass(&harness, 100 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_POOL", "spare", "gone");
    harness_fini(&harness);
}

/* --- Replacements ------------------------------------------------------- */

static void
test_pool_keeps_its_direction_while_a_binding_needs_it(void **state)
{
    struct harness harness;
    sai_object_id_t before;

    (void)state;
    harness_init_applied(&harness);
    before = bound_to(&harness, 3);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=egress;mode=dynamic;size=10000000");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "ingress")->err.code, "in-use");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "rejected");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4")->err.code,
        "wrong-direction");
    assert_true(bound_to(&harness, 3) == before);

    /* Taken back, nothing has happened. */
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=10000000");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    assert_true(bound_to(&harness, 3) == before);
    harness_fini(&harness);
}

static void
test_pool_changes_direction_when_the_last_binding_has_gone(void **state)
{
    struct harness harness;
    const struct object *pool;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=egress;mode=dynamic;size=10000000");
    harness_settle(&harness);
    for (size_t i = 0; i < harness_n_rows; i++) {
        if (!strcmp(harness_rows[i].table, "BUFFER_PG")) {
            harness_put(&harness, harness_rows[i].table, harness_rows[i].key,
                        NULL);
        }
    }
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "applied");
    pool = agent_object(harness.agent, TABLE_BUFFER_POOL, "ingress", -1);
    assert_int_equal(object_value(pool, SAI_BUFFER_POOL_ATTR_TYPE)->s32,
                     SAI_BUFFER_POOL_TYPE_EGRESS);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     3);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     4);
    harness_fini(&harness);
}

static void
test_profile_does_not_follow_to_the_other_side_while_bound(void **state)
{
    struct harness harness;
    sai_object_id_t before;

    (void)state;
    harness_init_applied(&harness);
    before = bound_to(&harness, 0);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=egress_lossy;size=0;dynamic_th=3");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->blocked_by,
        "BUFFER_PG|Ethernet0|0,BUFFER_PG|Ethernet4|0");
    assert_true(bound_to(&harness, 0) == before);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|0", "profile=in_lossless");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|0", "profile=in_lossless");
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    assert_true(bound_to(&harness, 0) == profile_oid(&harness, "in_lossless"));
    harness_fini(&harness);
}

/* A binding cannot follow to the replacement, and then the row goes. */
static void
test_replacement_stays_for_those_who_could_not_follow_yet(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INSUFFICIENT_RESOURCES,
                          100,
                          0};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=ingress;size=0;static_th=5000");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "failed");
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy", NULL);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy",
                         "pending-delete");
    fault.times = 0;
    harness_pass(&harness, 100 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     4);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|0", NULL);
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|0", NULL);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "gone");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     3);
    harness_fini(&harness);
}

/* Returns the id of the profile that queue 'index' of Ethernet0 is bound to. */
static sai_object_id_t
queue_profile(const struct harness *harness, int index)
{
    return object_value(agent_object(harness->agent, TABLE_BUFFER_QUEUE,
                                     "Ethernet0", index),
                        SAI_QUEUE_ATTR_BUFFER_PROFILE_ID)
        ->oid;
}

/* A device would refuse to bind queues to a profile of a pool that is still an
 * ingress pool. */
static void
test_profile_waits_for_a_pool_to_change_its_direction(void **state)
{
    struct harness harness;
    sai_object_id_t before;
    const struct object *pool;

    (void)state;
    harness_init_applied(&harness);
    before = queue_profile(&harness, 0);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=egress;mode=dynamic;size=10000000");
    harness_put(&harness, "BUFFER_PROFILE", "out_lossy",
                "pool=ingress;size=1518;dynamic_th=3");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "waiting");
    harness_assert_state(&harness, "BUFFER_PROFILE", "out_lossy", "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "out_lossy")->blocked_by,
        "BUFFER_POOL|ingress");
    assert_true(queue_profile(&harness, 0) == before);
    for (size_t i = 0; i < harness_n_rows; i++) {
        if (!strcmp(harness_rows[i].table, "BUFFER_PG")) {
            harness_put(&harness, harness_rows[i].table, harness_rows[i].key,
                        NULL);
        }
    }
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "applied");
    harness_assert_state(&harness, "BUFFER_PROFILE", "out_lossy", "applied");
    assert_true(queue_profile(&harness, 0) ==
                profile_oid(&harness, "out_lossy"));
    pool = agent_object(harness.agent, TABLE_BUFFER_POOL, "ingress", -1);
    assert_ptr_equal(
        object_target(
            agent_object(harness.agent, TABLE_BUFFER_PROFILE, "out_lossy", -1),
            SAI_BUFFER_PROFILE_ATTR_POOL_ID),
        pool);
    harness_fini(&harness);
}

/* No user could move to the new profile, nor can it be removed before them; its
 * row then changes once more. */
static void
test_unused_replacement_makes_room_for_another_one(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INVALID_PARAMETER,
                          1000,
                          0};
    sai_object_id_t before;

    (void)state;
    harness_init_applied(&harness);
    before = bound_to(&harness, 0);
    store_set_hook(harness.store, refuse, &fault);
    harness_apply(&harness, "BUFFER_POOL", "other",
                  "type=ingress;mode=dynamic;size=10000");
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=other;size=0;dynamic_th=1");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "failed");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     5);

    /* Another pool: the device would still refuse the bindings. */
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=other;size=0;static_th=5000");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "failed");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     5);
    assert_true(bound_to(&harness, 0) == before);

    /* The pool, which only the unused profile uses, is replaced as well. */
    harness_apply(&harness, "BUFFER_POOL", "other",
                  "type=ingress;mode=static;size=10000");
    harness_assert_state(&harness, "BUFFER_POOL", "other", "applied");

    /* Taken back, it is as if nothing had happened. */
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;dynamic_th=3");
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    assert_true(bound_to(&harness, 0) == before);
    assert_true(profile_oid(&harness, "in_lossy") == before);
    harness_apply(&harness, "BUFFER_POOL", "other", NULL);
    harness_assert_state(&harness, "BUFFER_POOL", "other", "gone");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     4);

    /* And what is wanted later is reached from there. */
    fault.times = 0;
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;static_th=5000");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    assert_true(bound_to(&harness, 0) == profile_oid(&harness, "in_lossy"));
    assert_true(bound_to(&harness, 0) != before);
    harness_fini(&harness);
}

/* Fails the test when the store refuses to remove what is in use. */
static void
test_pool_is_not_removed_under_a_replaced_profile(void **state)
{
    struct harness harness;
    struct agent_figures figures;
    struct fault fault = {STORE_SET,
                          SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INSUFFICIENT_RESOURCES,
                          1,
                          0};

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "other",
                "type=ingress;mode=dynamic;size=10000");
    harness_put(&harness, "BUFFER_PROFILE", "moving",
                "pool=other;size=0;dynamic_th=3");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|6", "profile=moving");
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_PROFILE", "moving",
                "pool=ingress;size=0;dynamic_th=3");
    harness_apply(&harness, "BUFFER_POOL", "other", NULL);
    harness_pass(&harness, 10 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|6", "applied");
    harness_assert_state(&harness, "BUFFER_POOL", "other", "gone");
    agent_figures(harness.agent, &figures);
    assert_int_equal(figures.sai_failures, 1);
    harness_fini(&harness);
}

/* --- Ports -------------------------------------------------------------- */

static void
test_ports_that_share_a_lane_are_both_created(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "PORT", "Ethernet2", "lanes=4;speed=10000");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet2", "applied");
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_fini(&harness);
}

static void
test_port_waits_for_one_with_the_same_lanes(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "PORT", "Ethernet2", "lanes=1,2,3,4;speed=50000");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet2", "waiting");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet2")->err.code,
                        "lanes-in-use");
    assert_string_equal(
        harness_status(&harness, "PORT", "Ethernet2")->blocked_by,
        "PORT|Ethernet0");
    harness_apply(&harness, "PORT", "Ethernet0", NULL);
    harness_assert_state(&harness, "PORT", "Ethernet2", "applied");
    harness_fini(&harness);
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
    struct harness harness;
    bool whole = true;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, never_share_lanes, &whole);
    harness_put(&harness, "PORT", "Ethernet2", "lanes=3,4;speed=50000");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet2", "waiting");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet2")->err.code,
                        "lanes-in-use");
    assert_string_equal(
        harness_status(&harness, "PORT", "Ethernet2")->blocked_by,
        "PORT|Ethernet0");
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2;speed=50000;mtu=9100");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet2", "applied");
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    harness_fini(&harness);
}

/* Asserts that a PORT row waits for the lanes of another one. */
static void
assert_waits_for_lanes(const struct harness *harness, const char *key,
                       const char *other)
{
    const struct row_status *status = harness_status(harness, "PORT", key);

    harness_assert_state(harness, "PORT", key, "waiting");
    assert_string_equal(status->err.code, "lanes-in-use");
    assert_string_equal(status->blocked_by, other);
}

static void
test_port_that_overlaps_another_one_waits(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    /* One shared lane of ports that are not equally wide, and two of such. */
    harness_apply(&harness, "PORT", "Ethernet8",
                  "lanes=8,9,10,11,12;speed=100000");
    assert_waits_for_lanes(&harness, "Ethernet8", "PORT|Ethernet4");
    harness_apply(&harness, "PORT", "Ethernet8", "lanes=7,8,9,10;speed=100000");
    assert_waits_for_lanes(&harness, "Ethernet8", "PORT|Ethernet4");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 2);

    harness_apply(&harness, "PORT", "Ethernet8",
                  "lanes=9,10,11,12;speed=100000");
    harness_assert_state(&harness, "PORT", "Ethernet8", "applied");
    harness_fini(&harness);
}

static void
test_shared_lane_is_a_warning_on_both_rows(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, "PORT", "Ethernet2", "lanes=4;speed=10000");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet2")->warnings,
                        "shared-lane PORT|Ethernet0");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet0")->warnings,
                        "shared-lane PORT|Ethernet2");
    harness_apply(&harness, "PORT", "Ethernet2", NULL);
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet0")->warnings,
                        "");
    /* Equally wide. */
    harness_apply(&harness, "PORT", "Ethernet8",
                  "lanes=8,9,10,11;speed=100000");
    harness_assert_state(&harness, "PORT", "Ethernet8", "applied");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet4")->warnings,
                        "shared-lane PORT|Ethernet8");
    harness_fini(&harness);
}

static void
test_port_that_waits_for_lanes_stays_in_force(void **state)
{
    struct harness harness;
    char *before;

    (void)state;
    harness_init_applied(&harness);
    before = harness_dump(&harness);
    harness_apply(&harness, "PORT", "Ethernet0",
                  "lanes=5,6,7,8;speed=40000;mtu=1500");
    assert_waits_for_lanes(&harness, "Ethernet0", "PORT|Ethernet4");
    harness_assert_state(&harness, "PORT", "Ethernet4", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    harness_assert_dump(&harness, before);

    /* It moves as soon as it can. */
    harness_apply(&harness, "PORT", "Ethernet4", NULL);
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    harness_fini(&harness);
}

/* Refuses to create the port with the lanes 1000 and more. */
static sai_status_t
refuse_high_lanes(void *context, const struct store_call *call)
{
    (void)context;
    if (call->op == STORE_CREATE && call->type == SAI_OBJECT_TYPE_PORT) {
        for (uint32_t i = 0; i < call->n; i++) {
            if (call->attributes[i].id == SAI_PORT_ATTR_HW_LANE_LIST &&
                call->attributes[i].value.u32list.list[0] >= 1000) {
                return SAI_STATUS_INVALID_ATTR_VALUE_0 - (sai_status_t)i;
            }
        }
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_port_keeps_its_lanes_if_the_device_refuses_others(void **state)
{
    const struct row_status *status;
    struct harness harness;
    char *before;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse_high_lanes, NULL);
    before = harness_dump(&harness);
    harness_apply(&harness, "PORT", "Ethernet0", "lanes=1000;speed=10000");
    harness_assert_state(&harness, "PORT", "Ethernet0", "rejected");
    status = harness_status(&harness, "PORT", "Ethernet0");
    assert_string_equal(status->err.code, "unknown-lane");
    assert_string_equal(status->err.value, "1000");
    assert_string_equal(status->err.allowed, "1..8");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    harness_assert_dump(&harness, before);

    harness_apply(&harness, "PORT", "Ethernet9", "lanes=1001;speed=10000");
    harness_assert_state(&harness, "PORT", "Ethernet9", "rejected");
    harness_apply(&harness, "PORT", "Ethernet9", "lanes=10;speed=10000");
    harness_assert_state(&harness, "PORT", "Ethernet9", "applied");
    harness_apply(&harness, "PORT", "Ethernet0", "lanes=21,22;speed=50000");
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    harness_fini(&harness);
}

/* Refuses to create a port of two lanes with more than 50 Gb/s. */
static sai_status_t
refuse_fast_lanes(void *context, const struct store_call *call)
{
    const sai_attribute_t *speed = NULL;
    uint32_t n_lanes = 0;

    (void)context;
    if (call->op != STORE_CREATE || call->type != SAI_OBJECT_TYPE_PORT) {
        return SAI_STATUS_SUCCESS;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->attributes[i].id == SAI_PORT_ATTR_HW_LANE_LIST) {
            n_lanes = call->attributes[i].value.u32list.count;
        } else if (call->attributes[i].id == SAI_PORT_ATTR_SPEED) {
            speed = &call->attributes[i];
        }
    }
    return n_lanes == 2 && speed && speed->value.u32 > 50000
               ? SAI_STATUS_INVALID_ATTR_VALUE_0 -
                     (sai_status_t)(speed - call->attributes)
               : SAI_STATUS_SUCCESS;
}

/* The new port cannot be created beside the former one, because it has some of
 * its lanes. */
static void
test_port_returns_to_its_lanes_if_the_device_refuses_a_part(void **state)
{
    struct harness harness;
    char *before;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse_fast_lanes, NULL);
    before = harness_dump(&harness);
    harness_apply(&harness, "PORT", "Ethernet0", "lanes=1,2;speed=100000");
    harness_assert_state(&harness, "PORT", "Ethernet0", "rejected");
    assert_string_equal(harness_status(&harness, "PORT", "Ethernet0")->err.code,
                        "unsupported-speed");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    harness_assert_dump(&harness, before);
    harness_pass(&harness, 100 * SECOND_NS);
    harness_assert_state(&harness, "PORT", "Ethernet0", "rejected");

    harness_apply(&harness, "PORT", "Ethernet0", "lanes=1,2;speed=50000");
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    harness_fini(&harness);
}

static void
test_ports_swap_their_lanes(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=5,6,7,8;speed=100000;mtu=9100;admin_status=up");
    harness_put(&harness, "PORT", "Ethernet4",
                "lanes=1,2,3,4;speed=100000;admin_status=up");
    harness_settle(&harness);
    for (size_t i = 0; i < harness_n_rows; i++) {
        harness_assert_state(&harness, harness_rows[i].table,
                             harness_rows[i].key, "applied");
    }
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 2);
    harness_fini(&harness);
}

/* --- Messages ---------------------------------------------------------- */

static void
test_each_missing_port_is_named(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, "BUFFER_PG", "Ethernet10,Ethernet1|7",
                  "profile=in_lossy");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet10,Ethernet1|7")
            ->blocked_by,
        "PORT|Ethernet10,PORT|Ethernet1");
    harness_fini(&harness);
}

/* Eight are named, and further ones counted. */
/* Writes a row that 'waiting' waits for but that is rejected, and deletes it
 * again: each time the answer to 'waiting' must say which. */
static void
assert_says_whether_it_exists(struct harness *harness,
                              const struct harness_row *waiting,
                              const struct harness_row *missing)
{
    struct text absent = {0}, rejected = {0};

    text_addf(&absent, "%s|%s does not exist", missing->table, missing->key);
    text_addf(&rejected, "%s|%s exists, but is not applied", missing->table,
              missing->key);
    harness_apply(harness, waiting->table, waiting->key, waiting->fields);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(
            harness_status(harness, waiting->table, waiting->key)->err.reason,
            text_string(&absent));
        harness_apply(harness, missing->table, missing->key, missing->fields);
        harness_assert_state(harness, missing->table, missing->key, "rejected");
        assert_string_equal(
            harness_status(harness, waiting->table, waiting->key)->err.reason,
            text_string(&rejected));
        harness_apply(harness, missing->table, missing->key, NULL);
    }
    text_fini(&absent);
    text_fini(&rejected);
}

static void
test_waiting_row_says_whether_the_other_one_exists(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    assert_says_whether_it_exists(
        &harness,
        &(struct harness_row){"BUFFER_PROFILE", "p",
                              "pool=later;size=0;dynamic_th=1"},
        &(struct harness_row){"BUFFER_POOL", "later",
                              "type=sideways;mode=dynamic;size=1"});
    assert_says_whether_it_exists(
        &harness,
        &(struct harness_row){"BUFFER_PG", "Ethernet60|0", "profile=in_lossy"},
        &(struct harness_row){"PORT", "Ethernet60", "lanes=x;speed=100000"});
    harness_fini(&harness);
}

static void
test_referrers_are_named_in_order(void **state)
{
#define FIRST_SIX                                                              \
    "BUFFER_PG|Ethernet0|0,BUFFER_PG|Ethernet0|3,BUFFER_PG|Ethernet0|5,"       \
    "BUFFER_PG|Ethernet0|6,BUFFER_PG|Ethernet0|7,BUFFER_PG|Ethernet4|0"
    struct harness harness;
    char key[32];

    (void)state;
    harness_init_applied(&harness);
    for (int i = 0; i < 4; i++) {
        text_format(key, sizeof key, "Ethernet0|%d", 7 - i * 2 % 5);
        harness_apply(&harness, "BUFFER_PG", key, "profile=in_lossy");
    }
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy", NULL);
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->referenced_by,
        FIRST_SIX);
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;dynamic_th=3");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|5", "profile=in_lossy");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|6", "profile=in_lossy");
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy", NULL);
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->referenced_by,
        FIRST_SIX ",BUFFER_PG|Ethernet4|5,BUFFER_PG|Ethernet4|6");
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;dynamic_th=3");
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|7", "profile=in_lossy");
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy", NULL);
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->referenced_by,
        FIRST_SIX ",BUFFER_PG|Ethernet4|5,BUFFER_PG|Ethernet4|6,and 1 more");
    harness_fini(&harness);
#undef FIRST_SIX
}

static void
test_warning_survives_a_bad_change_that_is_taken_back(void **state)
{
    static const char good[] = "weight=3;priority=1";
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, "SCHEDULER", "s", good);
    harness_put(&harness, "SCHEDULER", "s", "weight=0;priority=1");
    harness_settle(&harness);
    harness_assert_state(&harness, "SCHEDULER", "s", "rejected");
    harness_apply(&harness, "SCHEDULER", "s", good);
    harness_assert_state(&harness, "SCHEDULER", "s", "applied");
    assert_string_equal(harness_status(&harness, "SCHEDULER", "s")->warnings,
                        "unsupported-field priority");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_reset_is_a_failure_of_its_row),
        cmocka_unit_test(test_row_that_cannot_be_undone_says_why),
        cmocka_unit_test(test_a5_object_that_the_device_has_in_use_is_not_gone),
        cmocka_unit_test(
            test_removal_is_tried_again_when_the_owner_has_made_room),
        cmocka_unit_test(
            test_refused_replacement_is_reported_and_not_tried_again_at_once),
        cmocka_unit_test(
            test_changed_row_is_not_answered_with_an_earlier_refusal),
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
        cmocka_unit_test(test_profile_waits_for_a_pool_to_change_its_direction),
        cmocka_unit_test(test_unused_replacement_makes_room_for_another_one),
        cmocka_unit_test(test_pool_is_not_removed_under_a_replaced_profile),
        cmocka_unit_test(test_ports_that_share_a_lane_are_both_created),
        cmocka_unit_test(test_port_waits_for_one_with_the_same_lanes),
        cmocka_unit_test(
            test_port_waits_for_lanes_that_the_device_does_not_share),
        cmocka_unit_test(test_port_that_overlaps_another_one_waits),
        cmocka_unit_test(test_shared_lane_is_a_warning_on_both_rows),
        cmocka_unit_test(test_port_that_waits_for_lanes_stays_in_force),
        cmocka_unit_test(
            test_port_keeps_its_lanes_if_the_device_refuses_others),
        cmocka_unit_test(
            test_port_returns_to_its_lanes_if_the_device_refuses_a_part),
        cmocka_unit_test(test_ports_swap_their_lanes),
        cmocka_unit_test(test_each_missing_port_is_named),
        cmocka_unit_test(test_waiting_row_says_whether_the_other_one_exists),
        cmocka_unit_test(test_referrers_are_named_in_order),
        cmocka_unit_test(test_warning_survives_a_bad_change_that_is_taken_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
