/* SPDX-License-Identifier: Apache-2.0 */

/* The order of the steps of a plan, as the device sees it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/reconcile/graph.h"
#include "tests/support/agent_harness.h"

enum { MAX_CALLS = 8 };

/* The changes of objects of one type (SAI_OBJECT_TYPE_NULL: of all), in
 * order. */
struct calls {
    sai_object_type_t type;
    size_t n;
    sai_object_type_t types[MAX_CALLS];
    enum store_op ops[MAX_CALLS];
    sai_attr_id_t ids[MAX_CALLS]; /* Of sets. */
};

static sai_status_t
record(void *context, const struct store_call *call)
{
    struct calls *calls = context;

    if (call->op == STORE_GET ||
        (calls->type != SAI_OBJECT_TYPE_NULL && call->type != calls->type)) {
        return SAI_STATUS_SUCCESS;
    }
    assert_true(calls->n < MAX_CALLS);
    calls->types[calls->n] = call->type;
    calls->ops[calls->n] = call->op;
    calls->ids[calls->n++] =
        call->op == STORE_SET ? call->attributes->id : (sai_attr_id_t)-1;
    return SAI_STATUS_SUCCESS;
}

static uint64_t
generation(const struct harness *harness)
{
    struct agent_figures figures;

    agent_figures(harness->agent, &figures);
    return figures.generation;
}

/* A shared headroom never exceeds the pool that it is a part of. */
static void
test_pool_grows_before_and_shrinks_after_its_shared_headroom(void **state)
{
    struct harness harness;
    struct calls calls = {.type = SAI_OBJECT_TYPE_BUFFER_POOL};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, record, &calls);
    harness_apply(&harness, "BUFFER_POOL", "ingress",
                  "type=ingress;mode=dynamic;size=20000000;xoff=15000000");
    harness_apply(&harness, "BUFFER_POOL", "ingress",
                  "type=ingress;mode=dynamic;size=10000000");
    store_set_hook(harness.store, NULL, NULL);
    assert_int_equal(calls.n, 4);
    assert_int_equal(calls.ids[0], SAI_BUFFER_POOL_ATTR_SIZE);
    assert_int_equal(calls.ids[1], SAI_BUFFER_POOL_ATTR_XOFF_SIZE);
    assert_int_equal(calls.ids[2], SAI_BUFFER_POOL_ATTR_XOFF_SIZE);
    assert_int_equal(calls.ids[3], SAI_BUFFER_POOL_ATTR_SIZE);
    harness_fini(&harness);
}

/* The memory of a profile comes out of its pool. */
static void
test_pool_grows_first_and_shrinks_last(void **state)
{
    static const char *const profiles[] = {
        "pool=egress_lossy;size=4000;dynamic_th=3",
        "pool=egress_lossy;size=1518;dynamic_th=3"};
    static const char *const pools[] = {
        "type=egress;mode=dynamic;size=9000000",
        "type=egress;mode=dynamic;size=8000000"};
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    for (int i = 0; i < 2; i++) {
        struct calls calls = {.type = SAI_OBJECT_TYPE_NULL};

        store_set_hook(harness.store, record, &calls);
        harness_put(&harness, "BUFFER_PROFILE", "out_lossy", profiles[i]);
        harness_put(&harness, "BUFFER_POOL", "egress_lossy", pools[i]);
        harness_settle(&harness);
        store_set_hook(harness.store, NULL, NULL);
        assert_int_equal(calls.n, 2);
        assert_int_equal(calls.types[i], SAI_OBJECT_TYPE_BUFFER_POOL);
        assert_int_equal(calls.types[1 - i], SAI_OBJECT_TYPE_BUFFER_PROFILE);
    }
    harness_fini(&harness);
}

/* Only the rank says which of the two comes first; by name it would be the
 * pool, whose removal would need a second plan. */
static void
test_profile_and_its_pool_are_removed_by_one_plan(void **state)
{
    struct harness harness;
    struct calls calls = {.type = SAI_OBJECT_TYPE_BUFFER_POOL};
    uint64_t before;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "extra",
                "type=ingress;mode=dynamic;size=1");
    harness_apply(&harness, "BUFFER_PROFILE", "a",
                  "pool=extra;size=0;dynamic_th=0");
    before = generation(&harness);
    store_set_hook(harness.store, record, &calls);
    harness_put(&harness, "BUFFER_POOL", "extra", NULL);
    harness_put(&harness, "BUFFER_PROFILE", "a", NULL);
    harness_settle(&harness);
    store_set_hook(harness.store, NULL, NULL);
    assert_int_equal(calls.n, 1);
    assert_int_equal(calls.ops[0], STORE_REMOVE);
    assert_int_equal(generation(&harness), before + 1);
    harness_fini(&harness);
}

/* The plan that unbinds a profile counts on that. */
static void
test_profile_is_removed_by_the_plan_that_unbinds_it(void **state)
{
    struct harness harness;
    uint64_t before;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "a",
                "pool=egress_lossy;size=0;dynamic_th=0");
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|5", "profile=a");
    before = generation(&harness);
    harness_put(&harness, "BUFFER_QUEUE", "Ethernet0|5", NULL);
    harness_put(&harness, "BUFFER_PROFILE", "a", NULL);
    harness_settle(&harness);
    assert_null(agent_object(harness.agent, TABLE_BUFFER_PROFILE, "a", -1));
    assert_int_equal(generation(&harness), before + 1);
    harness_fini(&harness);
}

/* The other direction: a pool, a profile in it and a binding to that. */
static void
test_pool_profile_and_binding_are_made_by_one_plan(void **state)
{
    struct harness harness;
    uint64_t before;

    (void)state;
    harness_init_applied(&harness);
    before = generation(&harness);
    harness_put(&harness, "BUFFER_QUEUE", "Ethernet0|5", "profile=a");
    harness_put(&harness, "BUFFER_PROFILE", "a", "pool=z;size=0;dynamic_th=0");
    harness_put(&harness, "BUFFER_POOL", "z",
                "type=egress;mode=dynamic;size=1000");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0|5", "applied");
    assert_int_equal(generation(&harness), before + 1);
    harness_fini(&harness);
}

/* --- Former versions ---------------------------------------------------- */

/* Refuses to bind one priority group, and to create objects of a type beyond a
 * number. */
struct stuck {
    struct store *store;
    sai_object_id_t oid; /* Or SAI_NULL_OBJECT_ID. */
    size_t n_tried;
    sai_object_type_t type;
    uint32_t room; /* 0: enough. */
};

static sai_status_t
hold(void *context, const struct store_call *call)
{
    struct stuck *stuck = context;

    if (call->op == STORE_CREATE && call->type == stuck->type && stuck->room &&
        store_count(stuck->store, call->type) >= stuck->room) {
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    if (call->op != STORE_SET || call->oid != stuck->oid) {
        return SAI_STATUS_SUCCESS;
    }
    stuck->n_tried++;
    return SAI_STATUS_INSUFFICIENT_RESOURCES;
}

static const struct object *
lossy_group(const struct harness *harness, const char *port)
{
    const struct object *pg =
        agent_object(harness->agent, TABLE_BUFFER_PG, port, 0);

    assert_non_null(pg);
    return pg;
}

/* Returns the id of the profile that the lossy priority group of 'port' is
 * bound to. */
static sai_object_id_t
profile_of(const struct harness *harness, const char *port)
{
    return object_value(lossy_group(harness, port),
                        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)
        ->oid;
}

/* Returns the id of the current version of profile in_lossy. */
static sai_object_id_t
current_version(const struct harness *harness)
{
    return agent_object(harness->agent, TABLE_BUFFER_PROFILE, "in_lossy", -1)
        ->oid;
}

static uint32_t
n_profiles(const struct harness *harness)
{
    return store_count(harness->store, SAI_OBJECT_TYPE_BUFFER_PROFILE);
}

/* Replaces in_lossy; the priority group of Ethernet0 keeps the former version.
 */
static void
leave_one_behind(struct harness *harness, struct stuck *stuck)
{
    harness_init_applied(harness);
    *stuck = (struct stuck){.store = harness->store,
                            .oid = lossy_group(harness, "Ethernet0")->oid};
    store_set_hook(harness->store, hold, stuck);
    harness_apply(harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;static_th=5000");
    harness_assert_state(harness, "BUFFER_PG", "Ethernet0|0", "failed");
    harness_assert_state(harness, "BUFFER_PG", "Ethernet4|0", "applied");
    assert_int_equal(n_profiles(harness), 5);
}

static void
test_object_is_replaced_again_beside_a_former_version(void **state)
{
    struct harness harness;
    struct stuck stuck;
    sai_object_id_t first, second;

    (void)state;
    leave_one_behind(&harness, &stuck);
    first = profile_of(&harness, "Ethernet0");
    second = profile_of(&harness, "Ethernet4");
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;dynamic_th=2");
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet4|0", "applied");
    assert_true(profile_of(&harness, "Ethernet0") == first);
    assert_true(current_version(&harness) != second);
    assert_true(profile_of(&harness, "Ethernet4") == current_version(&harness));
    assert_int_equal(n_profiles(&harness), 5); /* The second one is gone. */

    stuck.oid = SAI_NULL_OBJECT_ID;
    harness_pass(&harness, INT64_C(100) * 1000 * 1000 * 1000);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    assert_true(profile_of(&harness, "Ethernet0") == current_version(&harness));
    assert_int_equal(n_profiles(&harness), 4);
    harness_fini(&harness);
}

/* The binding keeps the version that works while a version of the other
 * direction is made, and that one is taken back. */
static void
test_binding_keeps_the_former_version_that_fits(void **state)
{
    struct harness harness;
    struct stuck stuck;
    sai_object_id_t first;
    size_t n_tried;

    (void)state;
    leave_one_behind(&harness, &stuck);
    first = profile_of(&harness, "Ethernet0");
    n_tried = stuck.n_tried;
    harness_put(&harness, "BUFFER_PG", "Ethernet4|0", "profile=in_lossless");
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=egress_lossy;size=0;static_th=5000");
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "rejected");
    harness_pass(&harness, INT64_C(100) * 1000 * 1000 * 1000);
    assert_int_equal(stuck.n_tried, n_tried);
    assert_true(profile_of(&harness, "Ethernet0") == first);
    assert_int_equal(n_profiles(&harness), 5);

    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;dynamic_th=3");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    assert_true(current_version(&harness) == first);
    assert_int_equal(stuck.n_tried, n_tried);
    assert_int_equal(n_profiles(&harness), 4);
    harness_fini(&harness);
}

/* There is no room for a third version: the second one makes room, although
 * the first one stays. */
static void
test_object_is_torn_beside_a_former_version(void **state)
{
    struct harness harness;
    struct stuck stuck;
    sai_object_id_t first, second;

    (void)state;
    leave_one_behind(&harness, &stuck);
    first = profile_of(&harness, "Ethernet0");
    second = profile_of(&harness, "Ethernet4");
    stuck.type = SAI_OBJECT_TYPE_BUFFER_PROFILE;
    stuck.room = n_profiles(&harness);
    harness_apply(&harness, "BUFFER_PROFILE", "in_lossy",
                  "pool=ingress;size=0;dynamic_th=2");
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "failed");
    assert_true(profile_of(&harness, "Ethernet4") == second);

    agent_allow_disruptive(harness.agent, true);
    harness_pass(&harness, INT64_C(100) * 1000 * 1000 * 1000);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    assert_true(current_version(&harness) != second);
    assert_true(profile_of(&harness, "Ethernet4") == current_version(&harness));
    assert_true(profile_of(&harness, "Ethernet0") == first);
    assert_int_equal(n_profiles(&harness), stuck.room);
    harness_fini(&harness);
}

/* A binding to a former version of a profile keeps its pool, too. */
static void
test_pool_is_torn_beneath_a_former_version(void **state)
{
    struct harness harness;
    struct stuck stuck;

    (void)state;
    leave_one_behind(&harness, &stuck);
    stuck.type = SAI_OBJECT_TYPE_BUFFER_POOL;
    stuck.room = store_count(harness.store, stuck.type);
    agent_allow_disruptive(harness.agent, true);
    harness_apply(&harness, "BUFFER_POOL", "ingress",
                  "type=both;mode=dynamic;size=10000000");
    stuck.oid = SAI_NULL_OBJECT_ID;
    harness_pass(&harness, INT64_C(100) * 1000 * 1000 * 1000);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|0", "applied");
    assert_true(profile_of(&harness, "Ethernet0") == current_version(&harness));
    assert_int_equal(n_profiles(&harness), 4);
    assert_int_equal(store_count(harness.store, stuck.type), stuck.room);
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_pool_grows_before_and_shrinks_after_its_shared_headroom),
        cmocka_unit_test(test_pool_grows_first_and_shrinks_last),
        cmocka_unit_test(test_profile_and_its_pool_are_removed_by_one_plan),
        cmocka_unit_test(test_profile_is_removed_by_the_plan_that_unbinds_it),
        cmocka_unit_test(test_pool_profile_and_binding_are_made_by_one_plan),
        cmocka_unit_test(test_object_is_replaced_again_beside_a_former_version),
        cmocka_unit_test(test_binding_keeps_the_former_version_that_fits),
        cmocka_unit_test(test_object_is_torn_beside_a_former_version),
        cmocka_unit_test(test_pool_is_torn_beneath_a_former_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
