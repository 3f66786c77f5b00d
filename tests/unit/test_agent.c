/* SPDX-License-Identifier: Apache-2.0 */

/* From rows to the ASIC and back: what is programmed, in what order, and the
 * status of each row. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/reconcile/evaluate.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/row_answer.h"
#include "orchd/reconcile/row_report.h"
#include "orchd/reconcile/source.h"
#include "sai/core/metadata.h"
#include "tests/support/agent_harness.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

static void
put_all(struct harness *harness)
{
    for (size_t i = 0; i < harness_n_rows; i++) {
        harness_put(harness, harness_rows[i].table, harness_rows[i].key,
                    harness_rows[i].fields);
    }
}

static void
assert_all_applied(const struct harness *harness)
{
    for (size_t i = 0; i < harness_n_rows; i++) {
        const char *state =
            harness_state(harness, harness_rows[i].table, harness_rows[i].key);

        if (strcmp(state, "applied")) {
            fail_msg("%s|%s is %s: %s", harness_rows[i].table,
                     harness_rows[i].key, state,
                     harness_status(harness, harness_rows[i].table,
                                    harness_rows[i].key)
                         ->err.reason);
        }
    }
}

static void
init_applied(struct harness *harness)
{
    harness_init(harness, 2);
    put_all(harness);
    harness_settle(harness);
    assert_all_applied(harness);
}

/* Returns the id of attribute 'id' of an object that orchd knows. */
static sai_object_id_t
held_oid(const struct harness *harness, enum table table, const char *name,
         int index, sai_attr_id_t id)
{
    const struct object *object =
        agent_object(harness->agent, table, name, index);
    const sai_attribute_value_t *value =
        object ? object_value(object, id) : NULL;

    return value ? value->oid : SAI_NULL_OBJECT_ID;
}

static void
test_configuration_is_applied_without_a_refusal(void **state)
{
    struct harness harness;
    struct agent_figures figures;

    (void)state;
    init_applied(&harness);
    agent_figures(harness.agent, &figures);
    assert_int_equal(figures.sai_failures, 0);
    assert_int_equal(figures.n_rows[ROW_STATE_APPLIED], harness_n_rows);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     3);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     4);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 2);
    assert_true(held_oid(&harness, TABLE_BUFFER_PG, "Ethernet4", 4,
                         SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) !=
                SAI_NULL_OBJECT_ID);
    assert_int_equal(
        object_value(agent_object(harness.agent, TABLE_PORT, "Ethernet0", -1),
                     SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL)
            ->u8,
        0x18);
    harness_fini(&harness);
}

static void
test_applying_twice_changes_nothing(void **state)
{
    struct harness harness;
    uint64_t changes;
    size_t n_answers;

    (void)state;
    init_applied(&harness);
    changes = harness_changes(&harness);
    n_answers = harness.n_answers;
    put_all(&harness);
    agent_compare_all(harness.agent);
    harness_settle(&harness);
    assert_int_equal(harness_changes(&harness), changes);
    assert_int_equal(harness.n_answers, n_answers);
    harness_fini(&harness);
}

static void
test_change_that_is_applied_moves_the_generation(void **state)
{
    struct harness harness;
    uint64_t generation;

    (void)state;
    init_applied(&harness);
    generation =
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->generation;
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=ingress;size=0;dynamic_th=2");
    harness_settle(&harness);
    assert_true(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->generation >
        generation);
    assert_true(
        harness_status(&harness, "BUFFER_PROFILE", "out_lossy")->generation <=
        generation);
    harness_fini(&harness);
}

static void
test_other_hwsku_needs_a_restart(void **state)
{
    struct harness harness;

    (void)state;
    harness_init(&harness, 2);
    harness_apply(&harness, "DEVICE_METADATA", "localhost", "hwsku=A");
    assert_string_equal(harness_state(&harness, "DEVICE_METADATA", "localhost"),
                        "applied");
    agent_set_hwsku(harness.agent, "A");
    harness_apply(&harness, "DEVICE_METADATA", "localhost", "hwsku=B");
    assert_string_equal(harness_state(&harness, "DEVICE_METADATA", "localhost"),
                        "failed");
    assert_string_equal(
        harness_status(&harness, "DEVICE_METADATA", "localhost")->err.code,
        "restart-required");
    harness_apply(&harness, "DEVICE_METADATA", "localhost", "hwsku=A");
    assert_string_equal(harness_state(&harness, "DEVICE_METADATA", "localhost"),
                        "applied");
    harness_fini(&harness);
}

static void
test_missing_reference_is_named_and_waited_for(void **state)
{
    struct harness harness;
    const struct row_status *status;

    (void)state;
    init_applied(&harness);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|5", "profile=typo");
    status = harness_status(&harness, "BUFFER_PG", "Ethernet0|5");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|5"),
                        "waiting");
    assert_string_equal(status->blocked_by, "BUFFER_PROFILE|typo");
    assert_string_equal(status->err.code, "missing-ref");
    harness_put(&harness, "BUFFER_PROFILE", "typo",
                "pool=ingress;size=0;dynamic_th=0");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|5"),
                        "applied");
    harness_fini(&harness);
}

static void
test_chain_of_missing_rows_resolves_from_the_bottom(void **state)
{
    struct harness harness;

    (void)state;
    harness_init(&harness, 2);
    for (size_t i = harness_n_rows; i-- > 0;) {
        harness_apply(&harness, harness_rows[i].table, harness_rows[i].key,
                      harness_rows[i].fields);
    }
    assert_all_applied(&harness);
    harness_fini(&harness);
}

static void
test_unknown_port_waits_while_the_known_one_is_served(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0,Ethernet8|6",
                  "profile=in_lossy");
    assert_string_equal(
        harness_state(&harness, "BUFFER_PG", "Ethernet0,Ethernet8|6"),
        "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0,Ethernet8|6")
            ->blocked_by,
        "PORT|Ethernet8");
    assert_true(held_oid(&harness, TABLE_BUFFER_PG, "Ethernet0", 6,
                         SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) !=
                SAI_NULL_OBJECT_ID);
    harness_fini(&harness);
}

static void
test_index_beyond_the_port_is_rejected_with_its_limit(void **state)
{
    struct harness harness;
    const struct row_status *status;

    (void)state;
    init_applied(&harness);
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|7-9",
                  "profile=out_lossy");
    status = harness_status(&harness, "BUFFER_QUEUE", "Ethernet0|7-9");
    assert_string_equal(
        harness_state(&harness, "BUFFER_QUEUE", "Ethernet0|7-9"), "rejected");
    assert_string_equal(status->err.code, "range");
    assert_string_equal(status->err.allowed, "0..7");
    harness_fini(&harness);
}

static void
test_profile_of_the_wrong_direction_is_rejected(void **state)
{
    struct harness harness;
    const struct row_status *status;

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|0", "profile=out_lossy");
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|7", "profile=in_lossy");
    status = harness_status(&harness, "BUFFER_PG", "Ethernet0|0");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|0"),
                        "rejected");
    assert_string_equal(status->err.code, "wrong-direction");
    assert_string_equal(status->err.value, "out_lossy");
    assert_string_equal(harness_state(&harness, "BUFFER_QUEUE", "Ethernet0|7"),
                        "rejected");
    /* What was good before is still in force. */
    assert_true(
        held_oid(&harness, TABLE_BUFFER_PG, "Ethernet0", 0,
                 SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) ==
        agent_object(harness.agent, TABLE_BUFFER_PROFILE, "in_lossy", -1)->oid);
    harness_fini(&harness);
}

static void
test_profile_in_use_stays_until_its_last_user_goes(void **state)
{
    struct harness harness;
    const struct row_status *status;

    (void)state;
    init_applied(&harness);
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossless", NULL);
    status = harness_status(&harness, "BUFFER_PROFILE", "in_lossless");
    assert_string_equal(
        harness_state(&harness, "BUFFER_PROFILE", "in_lossless"),
        "pending-delete");
    assert_non_null(strstr(status->referenced_by, "BUFFER_PG|Ethernet0|3-4"));
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");

    /* A user less: the answer names those that are left. */
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    assert_null(strstr(harness_status(&harness, "BUFFER_PROFILE", "in_lossless")
                           ->referenced_by,
                       "Ethernet0"));

    /* No new user gets it. */
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|6", "profile=in_lossless");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|6"),
                        "waiting");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|6", NULL);
    harness_apply(&harness, "BUFFER_PG", "Ethernet4|3-4", NULL);
    assert_string_equal(
        harness_state(&harness, "BUFFER_PROFILE", "in_lossless"), "gone");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     3);
    harness_fini(&harness);
}

static void
test_row_that_comes_back_cancels_its_pending_delete(void **state)
{
    struct harness harness;
    uint64_t changes;

    (void)state;
    init_applied(&harness);
    changes = harness_changes(&harness);
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossless", NULL);
    put_all(&harness);
    harness_settle(&harness);
    assert_all_applied(&harness);
    assert_int_equal(harness_changes(&harness), changes);
    harness_fini(&harness);
}

/* A hook that fails the test when a binding is undone. */
static sai_status_t
never_unbind(void *context, const struct store_call *call)
{
    (void)context;
    if (call->op == STORE_SET &&
        (call->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP ||
         call->type == SAI_OBJECT_TYPE_QUEUE)) {
        assert_true(call->attributes->value.oid != SAI_NULL_OBJECT_ID);
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_create_only_change_makes_before_it_breaks(void **state)
{
    struct harness harness;
    sai_object_id_t before, after;

    (void)state;
    init_applied(&harness);
    before = agent_object(harness.agent, TABLE_BUFFER_POOL, "ingress", -1)->oid;
    store_set_hook(harness.store, never_unbind, NULL);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=static;size=10000000");
    harness_settle(&harness);
    after = agent_object(harness.agent, TABLE_BUFFER_POOL, "ingress", -1)->oid;
    assert_true(before != after);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "ingress"),
                        "applied");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     3);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     4);
    harness_fini(&harness);
}

static void
test_threshold_mode_change_replaces_the_profile(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, never_unbind, NULL);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=ingress;size=0;static_th=5000000");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "in_lossy"),
                        "applied");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     4);
    harness_fini(&harness);
}

static void
test_sizes_may_take_all_64_bits(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=18446744073709551615;"
                "xoff=18446744073709551614");
    harness_put(
        &harness, "BUFFER_PROFILE", "in_lossless",
        "pool=ingress;size=18446744073709551615;xon=9223372036854775808;"
        "xoff=9223372036854775807;dynamic_th=-3");
    harness_settle(&harness);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|0", "profile=in_lossless");
    assert_string_equal(
        harness_state(&harness, "BUFFER_PROFILE", "in_lossless"), "applied");
    assert_true(object_value(agent_object(harness.agent, TABLE_BUFFER_POOL,
                                          "ingress", -1),
                             SAI_BUFFER_POOL_ATTR_SIZE)
                    ->u64 == UINT64_MAX);
    assert_true(object_value(agent_object(harness.agent, TABLE_BUFFER_PROFILE,
                                          "in_lossless", -1),
                             SAI_BUFFER_PROFILE_ATTR_XON_TH)
                    ->u64 == UINT64_C(1) << 63);
    harness_fini(&harness);
}

static void
test_splitting_a_range_unbinds_nothing(void **state)
{
    struct harness harness;
    uint64_t changes;

    (void)state;
    init_applied(&harness);
    changes = harness_changes(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", NULL);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3", "profile=in_lossless");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|4", "profile=in_lossless");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "gone");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3"),
                        "applied");
    assert_int_equal(harness_changes(&harness), changes);
    harness_fini(&harness);
}

static void
test_narrower_row_wins_and_gives_the_place_back(void **state)
{
    struct harness harness;
    sai_object_id_t wide;

    (void)state;
    init_applied(&harness);
    wide = held_oid(&harness, TABLE_BUFFER_PG, "Ethernet0", 3,
                    SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", "profile=in_lossy");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "shadowed");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|3-4")->blocked_by,
        "BUFFER_PG|Ethernet0|3");
    assert_true(held_oid(&harness, TABLE_BUFFER_PG, "Ethernet0", 3,
                         SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) !=
                wide);
    assert_true(held_oid(&harness, TABLE_BUFFER_PG, "Ethernet0", 4,
                         SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) ==
                wide);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", NULL);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "applied");
    assert_true(held_oid(&harness, TABLE_BUFFER_PG, "Ethernet0", 3,
                         SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) ==
                wide);
    harness_fini(&harness);
}

/* A row that has lost one index to a narrower row, and lacks its profile, says
 * that it waits. */
static void
test_missing_reference_comes_before_a_narrower_row(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|6", "profile=in_lossy");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|6-7", "profile=never");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|6-7"),
                        "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|6-7")->blocked_by,
        "BUFFER_PROFILE|never");
    harness_fini(&harness);
}

static void
test_bad_change_leaves_the_good_content_in_force(void **state)
{
    struct harness harness;
    uint64_t changes;

    (void)state;
    init_applied(&harness);
    changes = harness_changes(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=ingress;size=0;dynamic_th=99");
    harness_put(&harness, "BUFFER_PROFILE", "new",
                "pool=ingress;size=0;dynamic_th=1");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "in_lossy"),
                        "rejected");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossy")->err.field,
        "dynamic_th");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "new"),
                        "applied");
    assert_int_equal(harness_changes(&harness), changes + 1);
    harness_fini(&harness);
}

static void
test_removed_field_returns_to_its_default(void **state)
{
    struct harness harness;
    const struct object *profile;

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossless",
                "pool=ingress;size=1248;xoff=35776;dynamic_th=-3");
    harness_settle(&harness);
    profile =
        agent_object(harness.agent, TABLE_BUFFER_PROFILE, "in_lossless", -1);
    assert_null(object_value(profile, SAI_BUFFER_PROFILE_ATTR_XON_TH));
    harness_apply(&harness, "PORT_QOS_MAP", "Ethernet0",
                  "dscp_to_tc_map=AZURE");
    assert_null(
        object_value(agent_object(harness.agent, TABLE_PORT, "Ethernet0", -1),
                     SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL));
    assert_true(held_oid(&harness, TABLE_PORT, "Ethernet0", -1,
                         SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP) ==
                SAI_NULL_OBJECT_ID);
    harness_fini(&harness);
}

static void
test_default_that_a_row_names_is_programmed(void **state)
{
    struct harness harness;
    const struct object *profile;
    const sai_attribute_value_t *action;
    uint64_t changes;

    (void)state;
    init_applied(&harness);
    changes = harness_changes(&harness);
    for (int i = 0; i < 2; i++) { /* Once, however often it is written. */
        harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                    "pool=ingress;size=0;dynamic_th=3;packet_discard_action="
                    "drop");
        agent_compare_all(harness.agent);
        harness_settle(&harness);
        assert_int_equal(harness_changes(&harness), changes + 1);
    }
    profile = agent_object(harness.agent, TABLE_BUFFER_PROFILE, "in_lossy", -1);
    action = object_value(profile,
                          SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION);
    assert_non_null(action);
    assert_int_equal(action->s32,
                     SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP);
    /* What no row names is not programmed. */
    profile =
        agent_object(harness.agent, TABLE_BUFFER_PROFILE, "out_lossy", -1);
    assert_null(object_value(
        profile, SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION));
    harness_fini(&harness);
}

/* What a hook refuses, and how often. */
struct fault {
    enum store_op op;
    sai_object_type_t type;
    sai_attr_id_t attribute; /* Of a set. */
    sai_status_t status;
    unsigned int times;
};

static sai_status_t
refuse(void *context, const struct store_call *call)
{
    struct fault *fault = context;

    if (!fault->times || call->op != fault->op || call->type != fault->type ||
        (call->op == STORE_SET && call->attributes->id != fault->attribute)) {
        return SAI_STATUS_SUCCESS;
    }
    fault->times--;
    return fault->status;
}

static void
test_default_that_is_refused_does_not_fail_its_row(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION,
                          SAI_STATUS_ATTR_NOT_SUPPORTED_0, 2};

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;dynamic_th=3;packet_discard_action="
                  "drop");
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    agent_compare_all(harness.agent);
    harness_settle(&harness);
    assert_int_equal(fault.times, 1);
    harness_fini(&harness);
}

static void
test_lack_of_resources_is_retried(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                          SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                          SAI_STATUS_INSUFFICIENT_RESOURCES, 1};

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|6", "profile=in_lossy");
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|6"),
                        "failed");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|6")->err.code,
        "sai:SAI_STATUS_INSUFFICIENT_RESOURCES");
    harness_pass(&harness, 2 * SECOND_NS);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|6"),
                        "applied");
    harness_fini(&harness);
}

static void
test_lack_of_resources_is_retried_when_some_are_freed(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_CREATE, SAI_OBJECT_TYPE_BUFFER_POOL, 0,
                          SAI_STATUS_INSUFFICIENT_RESOURCES, 1};

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "spare",
                "type=ingress;mode=dynamic;size=1000");
    harness_settle(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_POOL", "more",
                "type=ingress;mode=dynamic;size=1000");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "more"),
                        "failed");
    harness_put(&harness, "BUFFER_POOL", "spare", NULL);
    harness_pass(&harness, INTENT_QUIET_NS);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "more"),
                        "applied");
    harness_fini(&harness);
}

static void
test_refused_value_is_not_tried_again_until_the_row_changes(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET, SAI_OBJECT_TYPE_BUFFER_POOL,
                          SAI_BUFFER_POOL_ATTR_SIZE,
                          SAI_STATUS_INVALID_ATTR_VALUE_0, 1};
    uint64_t changes;

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=1");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "ingress"),
                        "failed");
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "ingress")->err.field, "size");
    changes = harness_changes(&harness);
    harness_pass(&harness, 100 * SECOND_NS);
    assert_int_equal(harness_changes(&harness), changes);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=2");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "ingress"),
                        "applied");
    harness_fini(&harness);
}

static void
test_refusal_to_take_a_field_back_is_reported(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          SAI_BUFFER_PROFILE_ATTR_XON_TH,
                          SAI_STATUS_NOT_SUPPORTED, 1};
    struct fault unbind = {STORE_SET, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                           SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                           SAI_STATUS_NOT_SUPPORTED, 1};

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossless",
                "pool=ingress;size=1248;xoff=35776;dynamic_th=-3");
    harness_settle(&harness);
    assert_string_equal(
        harness_state(&harness, "BUFFER_PROFILE", "in_lossless"),
        "unsupported");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "in_lossless")->err.code,
        "sai:SAI_STATUS_NOT_SUPPORTED");
    store_set_hook(harness.store, refuse, &unbind);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|0", NULL);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|0"),
                        "pending-delete");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|0")->err.code,
        "remove-refused");
    harness_fini(&harness);
}

/* Refuses the creation of pools with XOFF_SIZE, as a device that does not
 * know it. */
static sai_status_t
no_headroom_pool(void *context, const struct store_call *call)
{
    (void)context;
    if (call->op != STORE_CREATE || call->type != SAI_OBJECT_TYPE_BUFFER_POOL) {
        return SAI_STATUS_SUCCESS;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->attributes[i].id == SAI_BUFFER_POOL_ATTR_XOFF_SIZE) {
            return SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 - (sai_status_t)i;
        }
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_verdict_alone_does_not_try_again_what_was_refused(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_SET, SAI_OBJECT_TYPE_BUFFER_POOL,
                          SAI_BUFFER_POOL_ATTR_SIZE,
                          SAI_STATUS_INVALID_ATTR_VALUE_0, 100};
    uint64_t calls;

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=1");
    harness_settle(&harness);
    calls = store_calls(harness.store, STORE_SET);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=x");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "ingress"),
                        "rejected");
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=1");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "ingress"),
                        "failed");
    assert_int_equal(store_calls(harness.store, STORE_SET), calls);
    harness_fini(&harness);
}

static void
test_row_is_not_said_to_wait_before_it_was_quiet(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|6", "profile=late");
    harness_pass(&harness, INTENT_QUIET_NS - 1);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|6"),
                        "");
    assert_false(agent_settled(harness.agent));
    harness_put(&harness, "BUFFER_PROFILE", "late",
                "pool=ingress;size=0;dynamic_th=0");
    harness_pass(&harness, 0);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|6"),
                        "applied");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|7", "profile=never");
    harness_pass(&harness, INTENT_QUIET_NS);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|7"),
                        "waiting");
    harness_fini(&harness);
}

/* The graph on its own: rows come and go, and nothing is left behind. */
static void
turn_of_graph(struct graph *graph, struct row_answer *answer)
{
    static const struct listener observer = {.context = NULL};

    do {
        evaluate_marked(graph);
        graph_sweep(graph);
        (void)row_report(graph, &observer, answer, 1, 0);
    } while (graph->dirty_first || graph->n_touched);
}

static void
test_objects_that_nobody_mentions_are_forgotten(void **state)
{
    static const char *const ports[] = {"Ethernet0", "Ethernet4"};
    static const struct field fields[] = {{"profile", "nowhere"}};
    struct row row = {.table = TABLE_BUFFER_PG,
                      .key = "Ethernet0,Ethernet4|3-4",
                      .ports = ports,
                      .n_ports = 2,
                      .first = 3,
                      .last = 4,
                      .present = true,
                      .effective = true,
                      .fields = fields,
                      .n_fields = 1,
                      .verdict = ROW_ACCEPTED};
    struct graph *graph = graph_create();
    struct row_answer answer = {0};

    (void)state;
    turn_of_graph(graph, &answer);
    assert_int_equal(graph->objects_by_name.n, 2); /* Switch, CPU. */
    source_put_row(graph, &row, 0);
    turn_of_graph(graph, &answer);
    /* Two ports, two places on each, and the profile. */
    assert_int_equal(graph->objects_by_name.n, 2 + 2 + 4 + 1);
    row.present = row.effective = false;
    row.n_fields = 0;
    source_put_row(graph, &row, 0);
    turn_of_graph(graph, &answer);
    assert_int_equal(graph->sources_by_key.n, 0);
    assert_int_equal(graph->objects_by_name.n, 2);
    row_answer_fini(&answer);
    graph_destroy(graph);
}

/* Of two rows for one place, that of the user wins, however specific the
 * generated one is. */
static void
test_user_owned_row_wins_over_a_generated_one(void **state)
{
    static const char *const ports[] = {"Ethernet0"};
    static const struct field fields[] = {{"profile", "nowhere"}};
    struct row row = {.table = TABLE_BUFFER_PG,
                      .key = "Ethernet0|3-4",
                      .ports = ports,
                      .n_ports = 1,
                      .first = 3,
                      .last = 4,
                      .present = true,
                      .effective = true,
                      .fields = fields,
                      .n_fields = 1,
                      .verdict = ROW_ACCEPTED};
    struct graph *graph = graph_create();
    struct row_answer answer = {0};
    const struct source *user, *generated;

    (void)state;
    source_put_row(graph, &row, 0);
    row.key = "Ethernet0|3";
    row.last = 3;
    row.generated = true;
    source_put_row(graph, &row, 0);
    turn_of_graph(graph, &answer);
    user = graph_find_source(graph, TABLE_BUFFER_PG, "Ethernet0|3-4");
    generated = graph_find_source(graph, TABLE_BUFFER_PG, "Ethernet0|3");
    assert_true(user->claims[0].wins);
    assert_false(generated->claims[0].wins);
    row.present = row.effective = false;
    row.n_fields = 0;
    source_put_row(graph, &row, 0);
    row.key = "Ethernet0|3-4";
    source_put_row(graph, &row, 0);
    turn_of_graph(graph, &answer);
    row_answer_fini(&answer);
    graph_destroy(graph);
}

static void
test_unsupported_attribute_is_named_and_the_rest_applied(void **state)
{
    struct harness harness;
    uint64_t changes;

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, no_headroom_pool, NULL);
    harness_put(&harness, "BUFFER_POOL", "new",
                "type=ingress;mode=dynamic;size=1000;xoff=100");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "new"),
                        "unsupported");
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "new")->err.field, "xoff");
    assert_non_null(agent_object(harness.agent, TABLE_BUFFER_POOL, "new", -1));
    /* When the row changes, it is tried again, also in a replacement. */
    store_set_hook(harness.store, NULL, NULL);
    changes = harness_changes(&harness);
    harness_apply(&harness, "BUFFER_POOL", "new",
                  "type=ingress;mode=static;size=1000;xoff=100");
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "new"),
                        "applied");
    assert_int_equal(harness_changes(&harness), changes + 2);
    harness_fini(&harness);
}

static void
test_row_waits_for_one_that_failed(void **state)
{
    struct harness harness;
    struct fault fault = {STORE_CREATE, SAI_OBJECT_TYPE_BUFFER_POOL, 0,
                          SAI_STATUS_INVALID_PARAMETER, 1};

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, refuse, &fault);
    harness_put(&harness, "BUFFER_POOL", "bad",
                "type=ingress;mode=dynamic;size=1");
    harness_put(&harness, "BUFFER_PROFILE", "p",
                "pool=bad;size=0;dynamic_th=0");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "BUFFER_POOL", "bad"),
                        "failed");
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "p"),
                        "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "p")->blocked_by,
        "BUFFER_POOL|bad");
    harness_fini(&harness);
}

static void
test_port_is_matched_by_lanes_or_created(void **state)
{
    struct harness harness;

    (void)state;
    harness_init(&harness, 2);
    harness_put(&harness, "PORT", "Ethernet0", "lanes=1,2;speed=50000");
    harness_put(&harness, "PORT", "Ethernet2", "lanes=3,4;speed=50000");
    harness_settle(&harness);
    assert_string_equal(harness_state(&harness, "PORT", "Ethernet0"),
                        "applied");
    assert_string_equal(harness_state(&harness, "PORT", "Ethernet2"),
                        "applied");
    /* 1-4 was needed and is removed; no row names 5-8, which stays. */
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 3);
    harness_fini(&harness);
}

/* A port that is in use by the default bridge and VLAN cannot be removed; its
 * successors become members in turn. */
static void
test_new_ports_succeed_members_of_the_default_vlan(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_bridge(&harness, 2);
    harness_put(&harness, "PORT", "Ethernet0", "lanes=1,2;speed=50000");
    harness_put(&harness, "PORT", "Ethernet2", "lanes=3,4;speed=50000");
    harness_put(&harness, "PORT", "Ethernet8", "lanes=9,10;speed=50000");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    harness_assert_state(&harness, "PORT", "Ethernet2", "applied");
    harness_assert_state(&harness, "PORT", "Ethernet8", "applied");
    /* 1-4 was a member, so 1-2 and 3-4 are; 5-8 is one; 9-10 is new. */
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 4);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BRIDGE_PORT),
                     3);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_VLAN_MEMBER),
                     3);
    /* Back again: created members are removed likewise. */
    harness_put(&harness, "PORT", "Ethernet2", NULL);
    harness_put(&harness, "PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 3);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_VLAN_MEMBER),
                     2);
    harness_fini(&harness);
}

/* A device that does not remove objects of type '*context'. */
static sai_status_t
keep_objects(void *context, const struct store_call *call)
{
    const sai_object_type_t *type = context;

    return call->op == STORE_REMOVE && call->type == *type
               ? SAI_STATUS_OBJECT_IN_USE
               : SAI_STATUS_SUCCESS;
}

static void
test_refused_removal_of_what_uses_the_lanes_is_named(void **state)
{
    static const struct {
        sai_object_type_t type;
        const char *words;
    } cases[] = {
        {SAI_OBJECT_TYPE_VLAN_MEMBER, "the removal of a VLAN member"},
        {SAI_OBJECT_TYPE_BRIDGE_PORT, "the removal of a bridge port"},
        {SAI_OBJECT_TYPE_PORT, "the removal of a port"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sai_object_type_t kept = cases[i].type;
        struct harness harness;

        harness_init_bridge(&harness, 1);
        store_set_hook(harness.store, keep_objects, &kept);
        harness_apply(&harness, "PORT", "Ethernet0", "lanes=1,2;speed=50000");
        assert_string_not_equal(harness_state(&harness, "PORT", "Ethernet0"),
                                "applied");
        assert_non_null(
            strstr(harness_status(&harness, "PORT", "Ethernet0")->err.reason,
                   cases[i].words));
        /* The port that stays is in use as before. */
        assert_int_equal(
            store_count(harness.store, SAI_OBJECT_TYPE_BRIDGE_PORT), 1);
        assert_int_equal(
            store_count(harness.store, SAI_OBJECT_TYPE_VLAN_MEMBER), 1);
        kept = SAI_OBJECT_TYPE_NULL;
        harness_pass(&harness, 60 * INT64_C(1000000000));
        harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
        assert_int_equal(
            store_count(harness.store, SAI_OBJECT_TYPE_VLAN_MEMBER), 1);
        harness_fini(&harness);
    }
}

/* A device of no more ports than '*context'. */
static sai_status_t
few_ports(void *context, const struct store_call *call)
{
    unsigned int *room = context;

    if (call->type != SAI_OBJECT_TYPE_PORT) {
        return SAI_STATUS_SUCCESS;
    }
    if (call->op == STORE_REMOVE) {
        ++*room;
    }
    if (call->op == STORE_CREATE && (*room)-- == 0) {
        *room = 0;
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    return SAI_STATUS_SUCCESS;
}

/* The device has room for four ports, and two of four lanes at start. */
static void
test_port_that_no_row_names_makes_room(void **state)
{
    struct harness harness;
    unsigned int room = 2;

    (void)state;
    harness_init(&harness, 2);
    store_set_hook(harness.store, few_ports, &room);
    harness_put(&harness, "PORT", "Ethernet0", "lanes=1;speed=25000");
    harness_put(&harness, "PORT", "Ethernet1", "lanes=2;speed=25000");
    harness_put(&harness, "PORT", "Ethernet2", "lanes=3;speed=25000");
    harness_put(&harness, "PORT", "Ethernet3", "lanes=4;speed=25000");
    harness_settle(&harness);
    for (char name[] = "Ethernet0"; name[8] < '4'; name[8]++) {
        assert_string_equal(harness_state(&harness, "PORT", name), "applied");
    }
    /* 1-4 was in the way, and 5-8 took room. */
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 4);
    /* A fifth one has to wait: no port is nobody's. */
    harness_put(&harness, "PORT", "Ethernet8", "lanes=9;speed=25000");
    harness_settle(&harness);
    assert_string_not_equal(harness_state(&harness, "PORT", "Ethernet8"),
                            "applied");
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_PORT), 4);
    harness_fini(&harness);
}

static void
test_port_that_goes_lets_go_of_its_bindings(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    harness_apply(&harness, "PORT", "Ethernet0", NULL);
    assert_string_equal(harness_state(&harness, "BUFFER_PG", "Ethernet0|3-4"),
                        "waiting");
    assert_string_equal(harness_state(&harness, "PORT_QOS_MAP", "Ethernet0"),
                        "waiting");
    assert_string_equal(harness_state(&harness, "PORT", "Ethernet0"), "gone");
    put_all(&harness);
    harness_settle(&harness);
    assert_all_applied(&harness);
    harness_fini(&harness);
}

static void
test_port_whose_lanes_change_takes_its_bindings_along(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=9,10,11,12;speed=100000;mtu=9100;admin_status=up");
    harness_settle(&harness);
    assert_all_applied(&harness);
    assert_int_equal(
        object_value(agent_object(harness.agent, TABLE_PORT, "Ethernet0", -1),
                     SAI_PORT_ATTR_HW_LANE_LIST)
            ->u32list.list[0],
        9);
    harness_fini(&harness);
}

/* Records the order of changes of two profiles' reserved sizes. */
struct sizes {
    uint64_t seen[4];
    size_t n;
};

static sai_status_t
record_sizes(void *context, const struct store_call *call)
{
    struct sizes *sizes = context;

    if (call->op == STORE_SET && call->type == SAI_OBJECT_TYPE_BUFFER_PROFILE &&
        call->attributes->id == SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE) {
        assert_true(sizes->n < 4);
        sizes->seen[sizes->n++] = call->attributes->value.u64;
    }
    return SAI_STATUS_SUCCESS;
}

static void
test_reservations_shrink_before_others_grow(void **state)
{
    struct harness harness;
    struct sizes sizes = {{0}, 0};

    (void)state;
    init_applied(&harness);
    store_set_hook(harness.store, record_sizes, &sizes);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossless",
                "pool=ingress;size=9000;xon=2288;xoff=35776;dynamic_th=-3");
    harness_put(&harness, "BUFFER_PROFILE", "out_lossy",
                "pool=egress_lossy;size=100;dynamic_th=3");
    harness_settle(&harness);
    assert_int_equal(sizes.n, 2);
    assert_int_equal(sizes.seen[0], 100);
    assert_int_equal(sizes.seen[1], 9000);
    harness_fini(&harness);
}

static void
test_everything_goes_when_all_rows_go(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    for (size_t i = 0; i < harness_n_rows; i++) {
        harness_put(&harness, harness_rows[i].table, harness_rows[i].key, NULL);
    }
    harness_settle(&harness);
    for (size_t i = 0; i < harness_n_rows; i++) {
        assert_string_equal(
            harness_state(&harness, harness_rows[i].table, harness_rows[i].key),
            "gone");
    }
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_POOL),
                     0);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     0);
    assert_int_equal(store_count(harness.store, SAI_OBJECT_TYPE_QOS_MAP), 0);
    harness_fini(&harness);
}

static void
test_group_of_counters_of_others_is_unsupported(void **state)
{
    struct harness harness;

    (void)state;
    init_applied(&harness);
    harness_put(&harness, "FLEX_COUNTER_TABLE", "ACL", "POLL_INTERVAL=1000");
    harness_put(&harness, "FLEX_COUNTER_TABLE", "PORT", "POLL_INTERVAL=1000");
    harness_apply(&harness, "WATERMARK_TABLE", "TELEMETRY_INTERVAL",
                  "interval=120");
    harness_assert_state(&harness, "FLEX_COUNTER_TABLE", "ACL", "unsupported");
    harness_assert_state(&harness, "FLEX_COUNTER_TABLE", "PORT", "applied");
    harness_assert_state(&harness, "WATERMARK_TABLE", "TELEMETRY_INTERVAL",
                         "applied");
    harness_fini(&harness);
}

static void
test_rows_are_answered_when_all_are_read(void **state)
{
    struct harness harness;
    struct err err;

    (void)state;
    harness_init(&harness, 1);
    agent_destroy(harness.agent);
    harness.agent = agent_create(harness.schema, harness.timeline,
                                 &harness.observer, false);
    intent_resync_begin(agent_intent(harness.agent));
    harness_put(&harness, "BUFFER_PROFILE", "p", "pool=q;size=0;dynamic_th=0");
    assert_false(agent_turn(harness.agent, harness.now, SIZE_MAX));
    harness.now += 3 * INTENT_QUIET_NS;
    timeline_run(harness.timeline, harness.now);
    assert_false(agent_turn(harness.agent, harness.now, SIZE_MAX));
    /* There is no switch yet: that it waits would be news for a moment. */
    assert_string_equal(harness_state(&harness, "BUFFER_PROFILE", "p"), "");
    assert_false(agent_settled(harness.agent));
    intent_resync_end(agent_intent(harness.agent), harness.now);
    harness_pass(&harness, INTENT_QUIET_NS);
    harness_assert_state(&harness, "BUFFER_PROFILE", "p", "waiting");
    assert_int_equal(
        agent_attach(harness.agent, store_backend(harness.store), &err), ST_OK);
    harness_put(&harness, "BUFFER_POOL", "q",
                "type=ingress;mode=dynamic;size=1");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "p", "applied");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configuration_is_applied_without_a_refusal),
        cmocka_unit_test(test_applying_twice_changes_nothing),
        cmocka_unit_test(test_change_that_is_applied_moves_the_generation),
        cmocka_unit_test(test_other_hwsku_needs_a_restart),
        cmocka_unit_test(test_missing_reference_is_named_and_waited_for),
        cmocka_unit_test(test_chain_of_missing_rows_resolves_from_the_bottom),
        cmocka_unit_test(test_unknown_port_waits_while_the_known_one_is_served),
        cmocka_unit_test(test_index_beyond_the_port_is_rejected_with_its_limit),
        cmocka_unit_test(test_profile_of_the_wrong_direction_is_rejected),
        cmocka_unit_test(test_profile_in_use_stays_until_its_last_user_goes),
        cmocka_unit_test(test_row_that_comes_back_cancels_its_pending_delete),
        cmocka_unit_test(test_create_only_change_makes_before_it_breaks),
        cmocka_unit_test(test_threshold_mode_change_replaces_the_profile),
        cmocka_unit_test(test_sizes_may_take_all_64_bits),
        cmocka_unit_test(test_splitting_a_range_unbinds_nothing),
        cmocka_unit_test(test_narrower_row_wins_and_gives_the_place_back),
        cmocka_unit_test(test_missing_reference_comes_before_a_narrower_row),
        cmocka_unit_test(test_bad_change_leaves_the_good_content_in_force),
        cmocka_unit_test(test_removed_field_returns_to_its_default),
        cmocka_unit_test(test_default_that_a_row_names_is_programmed),
        cmocka_unit_test(test_default_that_is_refused_does_not_fail_its_row),
        cmocka_unit_test(test_lack_of_resources_is_retried),
        cmocka_unit_test(test_lack_of_resources_is_retried_when_some_are_freed),
        cmocka_unit_test(
            test_refused_value_is_not_tried_again_until_the_row_changes),
        cmocka_unit_test(test_refusal_to_take_a_field_back_is_reported),
        cmocka_unit_test(
            test_verdict_alone_does_not_try_again_what_was_refused),
        cmocka_unit_test(test_row_is_not_said_to_wait_before_it_was_quiet),
        cmocka_unit_test(test_objects_that_nobody_mentions_are_forgotten),
        cmocka_unit_test(test_user_owned_row_wins_over_a_generated_one),
        cmocka_unit_test(
            test_unsupported_attribute_is_named_and_the_rest_applied),
        cmocka_unit_test(test_row_waits_for_one_that_failed),
        cmocka_unit_test(test_port_is_matched_by_lanes_or_created),
        cmocka_unit_test(test_new_ports_succeed_members_of_the_default_vlan),
        cmocka_unit_test(test_refused_removal_of_what_uses_the_lanes_is_named),
        cmocka_unit_test(test_port_that_no_row_names_makes_room),
        cmocka_unit_test(test_port_that_goes_lets_go_of_its_bindings),
        cmocka_unit_test(test_port_whose_lanes_change_takes_its_bindings_along),
        cmocka_unit_test(test_reservations_shrink_before_others_grow),
        cmocka_unit_test(test_everything_goes_when_all_rows_go),
        cmocka_unit_test(test_group_of_counters_of_others_is_unsupported),
        cmocka_unit_test(test_rows_are_answered_when_all_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
