/* SPDX-License-Identifier: Apache-2.0 */

/* Mistakes that buffer managers have made, each under the number by which it is
 * known, and what happens here instead.
 *
 * Where the ASIC has to misbehave, a hook of the store does it.  Others are
 * with what they are about: a5 for removals in test_agent_trouble.c; c2, c4,
 * d10 in test_derive.c; c3 in test_pg_profile_lookup.c; d5 in test_headroom.c;
 * c5, d1, d2, d4, d6, d7 in test_dynamic.c, d2 in test_buffer_tables.c too; d8
 * in test_shut.c; b10 in test_agent_qos.c; and in tests/integration/, c1 in
 * test_publish.py, b11 in test_db.py, and a10, b3, b7, b8 and much of a and b
 * for the tables of QoS in test_qos.py. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/agent_harness.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

/* What the ASIC refuses, and how often. */
struct fault {
    enum store_op op;
    sai_object_type_t type;
    sai_attr_id_t id; /* Of a set, or one that a creation has. */
    sai_status_t status;
    unsigned int times;
    unsigned int n_calls; /* That it was about, refused or not. */
};

static sai_status_t
inject(void *context, const struct store_call *call)
{
    struct fault *fault = context;
    bool names = call->op == STORE_REMOVE;

    for (uint32_t i = 0; call->op != STORE_REMOVE && i < call->n; i++) {
        names |= call->attributes[i].id == fault->id;
    }
    if (call->op != fault->op || call->type != fault->type || !names) {
        return SAI_STATUS_SUCCESS;
    }
    fault->n_calls++;
    if (!fault->times) {
        return SAI_STATUS_SUCCESS;
    }
    fault->times--;
    return fault->status;
}

/* Reads an attribute of an object from the store. */
static sai_attribute_value_t
in_store(const struct harness *harness, const struct object *object,
         sai_attr_id_t id)
{
    struct sai_backend *backend = store_backend(harness->store);
    sai_attribute_t attribute = {.id = id};

    assert_non_null(object);
    assert_int_equal(
        backend->ops->get(backend, object->type, object->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value;
}

static const struct object *
find(const struct harness *harness, enum table table, const char *name)
{
    return agent_object(harness->agent, table, name, -1);
}

/* Returns whether priority group 'pg' of Ethernet0 is bound to 'profile', in
 * the store. */
static bool
is_bound(const struct harness *harness, int pg, const char *profile)
{
    const struct object *place =
        agent_object(harness->agent, TABLE_BUFFER_PG, "Ethernet0", pg);
    const struct object *wanted = find(harness, TABLE_BUFFER_PROFILE, profile);

    return place && wanted &&
           in_store(harness, place,
                    SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)
                   .oid == wanted->oid;
}

static const struct fault pg_binding = {
    .op = STORE_SET,
    .type = SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
    .id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
    .times = 1,
};

static void
test_a1_a_malformed_number_stops_no_other_row(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "a",
                "type=ingress;mode=dynamic;size=12abc");
    harness_put(&harness, "BUFFER_POOL", "b",
                "type=ingress;mode=dynamic;size=12");
    harness_put(&harness, "BUFFER_PROFILE", "a", "pool=b;size=-1;dynamic_th=0");
    harness_put(&harness, "BUFFER_PROFILE", "b", "pool=b;size=1;dynamic_th=0");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_POOL", "a", "rejected");
    assert_string_equal(harness_status(&harness, "BUFFER_POOL", "a")->err.code,
                        "type");
    harness_assert_state(&harness, "BUFFER_PROFILE", "a", "rejected");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "a")->err.code, "range");
    harness_assert_state(&harness, "BUFFER_POOL", "b", "applied");
    harness_assert_state(&harness, "BUFFER_PROFILE", "b", "applied");
    harness_fini(&harness);
}

static void
test_a2_a_missing_profile_is_reported_within_a_second(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|1", "profile=typo");
    harness_pass(&harness, SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "waiting");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|1")->blocked_by,
        "BUFFER_PROFILE|typo");
    harness_fini(&harness);
}

static void
test_a3_a_hard_failure_does_not_end_the_batch(void **state)
{
    struct fault fault = {
        .op = STORE_SET,
        .type = SAI_OBJECT_TYPE_PORT,
        .id = SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST,
        .status = SAI_STATUS_INVALID_PARAMETER,
        .times = 100,
    };
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, inject, &fault);
    harness_put(&harness, "BUFFER_PORT_INGRESS_PROFILE_LIST", "Ethernet0",
                "profile_list=in_lossy");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|1", "profile=in_lossy");
    harness_assert_state(&harness, "BUFFER_PORT_INGRESS_PROFILE_LIST",
                         "Ethernet0", "failed");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "applied");
    assert_true(is_bound(&harness, 1, "in_lossy"));
    harness_fini(&harness);
}

static void
test_a4_what_lacked_resources_is_bound_in_the_end(void **state)
{
    struct fault fault = pg_binding;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    fault.status = SAI_STATUS_INSUFFICIENT_RESOURCES;
    store_set_hook(harness.store, inject, &fault);
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|1", "profile=in_lossy");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "failed");
    assert_false(is_bound(&harness, 1, "in_lossy"));
    harness_pass(&harness, 2 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "applied");
    assert_true(is_bound(&harness, 1, "in_lossy"));
    harness_fini(&harness);
}

static void
test_a5_a_refusal_is_never_taken_for_success(void **state)
{
    static const sai_status_t statuses[] = {
        SAI_STATUS_OBJECT_IN_USE, SAI_STATUS_ITEM_NOT_FOUND,
        SAI_STATUS_ADDR_NOT_FOUND, SAI_STATUS_ITEM_ALREADY_EXISTS};

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        struct fault fault = pg_binding;
        struct harness harness;

        harness_init_applied(&harness);
        fault.status = statuses[i];
        store_set_hook(harness.store, inject, &fault);
        harness_apply(&harness, "BUFFER_PG", "Ethernet0|1", "profile=in_lossy");
        harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "failed");
        assert_false(is_bound(&harness, 1, "in_lossy"));
        harness_fini(&harness);
    }
}

static void
test_a6_an_unknown_attribute_leaves_the_rest_of_the_row(void **state)
{
    const struct object *pool;
    struct fault fault = {
        .op = STORE_SET,
        .type = SAI_OBJECT_TYPE_BUFFER_POOL,
        .id = SAI_BUFFER_POOL_ATTR_XOFF_SIZE,
        .status = SAI_STATUS_ATTR_NOT_IMPLEMENTED_0,
        .times = 100,
    };
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, inject, &fault);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=11000000;xoff=1000");
    harness_settle(&harness);
    pool = find(&harness, TABLE_BUFFER_POOL, "ingress");
    assert_true(in_store(&harness, pool, SAI_BUFFER_POOL_ATTR_SIZE).u64 ==
                11000000);
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "ingress")->err.field, "xoff");
    assert_int_equal(fault.n_calls, 1);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=12000000;xoff=1000");
    harness_settle(&harness);
    assert_true(in_store(&harness, pool, SAI_BUFFER_POOL_ATTR_SIZE).u64 ==
                12000000);
    harness_fini(&harness);
}

static void
test_a7_a_failing_device_ends_nothing(void **state)
{
    struct fault fault = pg_binding;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    fault.status = SAI_STATUS_FAILURE;
    fault.times = 1000;
    store_set_hook(harness.store, inject, &fault);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|1", "profile=in_lossy");
    harness_put(&harness, "BUFFER_PROFILE", "new",
                "pool=ingress;size=0;dynamic_th=1");
    harness_pass(&harness, 60 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "failed");
    harness_assert_state(&harness, "BUFFER_PROFILE", "new", "applied");
    assert_in_range(fault.n_calls, 2, 10); /* 1 s, 2 s, 4 s, ... */
    fault.times = 0;
    harness_pass(&harness, 61 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "applied");
    harness_fini(&harness);
}

static void
test_a8_every_row_is_answered(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    for (size_t i = 0; i < harness_n_rows; i++) {
        harness_assert_state(&harness, harness_rows[i].table,
                             harness_rows[i].key, "applied");
    }
    harness_fini(&harness);
}

static void
test_a9_numbers_are_not_cut_to_eight_bits(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "big",
                "pool=ingress;size=0;dynamic_th=258");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "big", "rejected");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PROFILE", "big")->err.allowed,
        "-8..7");
    assert_null(find(&harness, TABLE_BUFFER_PROFILE, "big"));
    harness_fini(&harness);
}

static void
test_a11_ranges_are_read_strictly_and_overlap_in_peace(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|7-5", "profile=in_lossy");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|x-5", "profile=in_lossy");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|5-5", "profile=in_lossy");
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", "profile=in_lossy");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|7-5", "rejected");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|x-5", "rejected");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|5-5", "applied");
    assert_true(is_bound(&harness, 5, "in_lossy"));
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "shadowed");
    assert_true(is_bound(&harness, 3, "in_lossy"));
    harness_apply(&harness, "BUFFER_PG", "Ethernet0|3", NULL);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|3-4", "applied");
    assert_true(is_bound(&harness, 3, "in_lossless"));
    harness_fini(&harness);
}

static void
test_b1_rows_without_effect_hold_no_references(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "p",
                "pool=ingress;size=0;dynamic_th=1");
    harness_put(&harness, "BUFFER_PG", "Ethernet8|1", "profile=p");
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0|40", "profile=p");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet8|1", "waiting");
    harness_assert_state(&harness, "BUFFER_QUEUE", "Ethernet0|40", "rejected");
    harness_apply(&harness, "BUFFER_PROFILE", "p", NULL);
    harness_assert_state(&harness, "BUFFER_PROFILE", "p", "gone");
    assert_null(find(&harness, TABLE_BUFFER_PROFILE, "p"));
    harness_put(&harness, "BUFFER_PROFILE", "p",
                "pool=ingress;size=0;dynamic_th=1");
    harness_put(&harness, "PORT", "Ethernet8", "lanes=9,10;speed=50000");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet8|1", "applied");
    harness_fini(&harness);
}

static void
test_b2_a_reload_ends_where_it_began(void **state)
{
    struct harness harness;
    char *before;

    (void)state;
    harness_init_applied(&harness);
    before = harness_dump(&harness);
    for (size_t i = 0; i < harness_n_rows; i++) { /* What is used goes first. */
        if (strcmp(harness_rows[i].table, "PORT")) {
            harness_put(&harness, harness_rows[i].table, harness_rows[i].key,
                        NULL);
        }
    }
    harness_settle(&harness);
    assert_null(find(&harness, TABLE_BUFFER_POOL, "ingress"));
    for (size_t i = harness_n_rows; i-- > 0;) { /* What uses comes first. */
        harness_put(&harness, harness_rows[i].table, harness_rows[i].key,
                    harness_rows[i].fields);
    }
    harness_settle(&harness);
    harness_assert_dump(&harness, before);
    harness_fini(&harness);
}

static void
test_b4_a_bad_buffer_row_keeps_no_port_down(void **state)
{
    struct harness harness;

    (void)state;
    harness_init(&harness, 2);
    harness_put(&harness, "BUFFER_PG", "Ethernet0|3-4", "profile=missing");
    harness_put(&harness, "BUFFER_QUEUE", "Ethernet0|3-99", "profile=missing");
    harness_put(&harness, "PORT", "Ethernet0",
                "lanes=1,2,3,4;speed=100000;admin_status=up");
    harness_settle(&harness);
    harness_assert_state(&harness, "PORT", "Ethernet0", "applied");
    assert_true(in_store(&harness, find(&harness, TABLE_PORT, "Ethernet0"),
                         SAI_PORT_ATTR_ADMIN_STATE)
                    .booldata);
    harness_fini(&harness);
}

static void
test_b5_a_create_only_change_reaches_the_asic(void **state)
{
    const struct object *pool;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=both;mode=static;size=10000000");
    harness_put(&harness, "BUFFER_POOL", "other",
                "type=both;mode=dynamic;size=1000");
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=other;size=0;static_th=5");
    harness_settle(&harness);
    pool = find(&harness, TABLE_BUFFER_POOL, "ingress");
    assert_int_equal(in_store(&harness, pool, SAI_BUFFER_POOL_ATTR_TYPE).s32,
                     SAI_BUFFER_POOL_TYPE_BOTH);
    assert_int_equal(
        in_store(&harness, pool, SAI_BUFFER_POOL_ATTR_THRESHOLD_MODE).s32,
        SAI_BUFFER_POOL_THRESHOLD_MODE_STATIC);
    assert_true(in_store(&harness,
                         find(&harness, TABLE_BUFFER_PROFILE, "in_lossy"),
                         SAI_BUFFER_PROFILE_ATTR_POOL_ID)
                    .oid == find(&harness, TABLE_BUFFER_POOL, "other")->oid);
    assert_true(is_bound(&harness, 0, "in_lossy"));
    harness_fini(&harness);
}

static void
test_b6_removed_fields_are_undone(void **state)
{
    const struct object *profile, *pool;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=10000000;xoff=1000");
    harness_put(
        &harness, "BUFFER_PROFILE", "in_lossless",
        "pool=ingress;size=1248;dynamic_th=-3;xon=9;xon_offset=8;xoff=7");
    harness_settle(&harness);
    harness_put(&harness, "BUFFER_POOL", "ingress",
                "type=ingress;mode=dynamic;size=10000000");
    harness_put(&harness, "BUFFER_PROFILE", "in_lossless",
                "pool=ingress;size=1248;dynamic_th=-3");
    harness_settle(&harness);
    profile = find(&harness, TABLE_BUFFER_PROFILE, "in_lossless");
    pool = find(&harness, TABLE_BUFFER_POOL, "ingress");
    assert_true(
        in_store(&harness, profile, SAI_BUFFER_PROFILE_ATTR_XON_TH).u64 == 0);
    assert_true(
        in_store(&harness, profile, SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH)
            .u64 == 0);
    assert_true(
        in_store(&harness, profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH).u64 == 0);
    assert_true(in_store(&harness, pool, SAI_BUFFER_POOL_ATTR_XOFF_SIZE).u64 ==
                0);
    harness_fini(&harness);
}

static void
test_b9_a_port_that_cannot_go_names_its_holders(void **state)
{
    struct fault fault = pg_binding;
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    fault.status = SAI_STATUS_OBJECT_IN_USE;
    fault.times = 1000;
    store_set_hook(harness.store, inject, &fault);
    harness_apply(&harness, "PORT", "Ethernet4", NULL);
    harness_assert_state(&harness, "PORT", "Ethernet4", "pending-delete");
    assert_non_null(
        strstr(harness_status(&harness, "PORT", "Ethernet4")->referenced_by,
               "BUFFER_PG|Ethernet4|3-4"));
    fault.times = 0;
    harness_pass(&harness, 61 * SECOND_NS);
    harness_assert_state(&harness, "PORT", "Ethernet4", "gone");
    harness_fini(&harness);
}

static void
test_d3_a_pool_for_both_directions_stays_one(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_POOL", "both",
                "type=both;mode=dynamic;size=1000");
    harness_settle(&harness);
    harness_put(&harness, "BUFFER_POOL", "both",
                "type=both;mode=dynamic;size=2000");
    harness_settle(&harness);
    assert_int_equal(in_store(&harness,
                              find(&harness, TABLE_BUFFER_POOL, "both"),
                              SAI_BUFFER_POOL_ATTR_TYPE)
                         .s32,
                     SAI_BUFFER_POOL_TYPE_BOTH);
    harness_fini(&harness);
}

static void
test_d7_a_pool_goes_after_its_profiles(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_apply(&harness, "BUFFER_POOL", "egress_lossy", NULL);
    harness_assert_state(&harness, "BUFFER_POOL", "egress_lossy",
                         "pending-delete");
    assert_string_equal(
        harness_status(&harness, "BUFFER_POOL", "egress_lossy")->referenced_by,
        "BUFFER_PROFILE|out_lossy");
    /* No new row may refer to it. */
    harness_put(&harness, "BUFFER_PROFILE", "late",
                "pool=egress_lossy;size=0;dynamic_th=0");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "late", "waiting");
    harness_put(&harness, "BUFFER_PROFILE", "late", NULL);
    harness_put(&harness, "BUFFER_PROFILE", "out_lossy", NULL);
    harness_apply(&harness, "BUFFER_QUEUE", "Ethernet0,Ethernet4|0-2", NULL);
    harness_assert_state(&harness, "BUFFER_POOL", "egress_lossy", "gone");
    assert_null(find(&harness, TABLE_BUFFER_POOL, "egress_lossy"));
    harness_fini(&harness);
}

static void
test_d9_an_absurd_size_is_refused_once(void **state)
{
    struct fault fault = {
        .op = STORE_CREATE,
        .type = SAI_OBJECT_TYPE_BUFFER_PROFILE,
        .id = SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
        .status = SAI_STATUS_INVALID_ATTR_VALUE_0,
        .times = 1000,
    };
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, inject, &fault);
    harness_put(&harness, "BUFFER_PROFILE", "absurd",
                "pool=ingress;size=10;dynamic_th=0;xoff=18446744073709551615");
    harness_pass(&harness, 300 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_PROFILE", "absurd", "failed");
    assert_int_equal(fault.n_calls, 1);
    harness_fini(&harness);
}

static void
test_g_dialects_of_tools_are_understood_or_explained(void **state)
{
    struct harness harness;

    (void)state;
    harness_init_applied(&harness);
    harness_put(&harness, "BUFFER_PROFILE", "in_lossy",
                "pool=[BUFFER_POOL|ingress];size=0;dynamic_th=3");
    harness_put(&harness, "BUFFER_PG", "Ethernet0|1",
                "profile=[BUFFER_PROFILE|in_lossy]");
    harness_put(&harness, "BUFFER_PORT_EGRESS_PROFILE_LIST", "Ethernet0",
                "profile_list=[BUFFER_PROFILE|out_lossless],"
                "[BUFFER_PROFILE|out_lossy]");
    harness_put(&harness, "BUFFER_PROFILE", "alpha8",
                "pool=ingress;size=0;dynamic_th=8");
    harness_settle(&harness);
    harness_assert_state(&harness, "BUFFER_PROFILE", "in_lossy", "applied");
    harness_assert_state(&harness, "BUFFER_PG", "Ethernet0|1", "applied");
    assert_string_equal(
        harness_status(&harness, "BUFFER_PG", "Ethernet0|1")->warnings,
        "legacy-reference profile");
    assert_true(is_bound(&harness, 1, "in_lossy"));
    harness_assert_state(&harness, "BUFFER_PORT_EGRESS_PROFILE_LIST",
                         "Ethernet0", "applied");
    harness_assert_state(&harness, "BUFFER_PROFILE", "alpha8", "rejected");
    harness_fini(&harness);
}

/* --- Two traces, call by call ------------------------------------------- */

/* What was called, counted; and the attributes of the last profile that was
 * created. */
struct calls {
    unsigned int n_binds, n_unbinds, n_pools, n_profiles, n_removed;
    sai_attribute_t profile[8];
    uint32_t n_profile;
};

static sai_status_t
note_call(void *context, const struct store_call *call)
{
    struct calls *calls = context;
    bool profile = call->type == SAI_OBJECT_TYPE_BUFFER_PROFILE;

    if (call->op == STORE_SET && call->type == SAI_OBJECT_TYPE_QUEUE) {
        bool null = call->attributes->value.oid == SAI_NULL_OBJECT_ID;

        assert_int_equal(call->attributes->id,
                         SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);
        calls->n_unbinds += null;
        calls->n_binds += !null;
    } else if (call->op == STORE_CREATE && profile) {
        assert_true(call->n <= 8);
        calls->n_profiles++;
        calls->n_profile = call->n;
        memcpy(calls->profile, call->attributes,
               call->n * sizeof *call->attributes);
    } else if (call->op == STORE_CREATE) {
        assert_int_equal(call->type, SAI_OBJECT_TYPE_BUFFER_POOL);
        calls->n_pools++;
    } else if (call->op == STORE_REMOVE) {
        assert_int_equal(calls->n_unbinds, 3);
        assert_true(profile);
        calls->n_removed++;
    }
    return SAI_STATUS_SUCCESS;
}

#define LOSSY_POOL    "BUFFER_POOL", "egress_lossy_pool"
#define LOSSY_PROFILE "BUFFER_PROFILE", "q"
#define LOSSY_QUEUES  "BUFFER_QUEUE", "Ethernet0|0-2"

static void
put_minimal(struct harness *harness, bool backwards)
{
    static const struct harness_row rows[] = {
        {LOSSY_POOL, "type=egress;mode=dynamic;size=1000000"},
        {LOSSY_PROFILE, "pool=egress_lossy_pool;size=1664;dynamic_th=-1"},
        {LOSSY_QUEUES, "profile=q"},
    };

    for (size_t i = 0; i < 3; i++) {
        const struct harness_row *row = &rows[backwards ? 2 - i : i];

        harness_apply(harness, row->table, row->key, row->fields);
        if (backwards && i < 2) {
            harness_assert_state(harness, row->table, row->key, "waiting");
        }
    }
    for (size_t i = 0; i < 3; i++) {
        harness_assert_state(harness, rows[i].table, rows[i].key, "applied");
    }
}

static void
init_port(struct harness *harness)
{
    harness_init(harness, 1);
    harness_put(harness, "PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000");
    harness_settle(harness);
}

static void
test_trace_1_the_least_lossy_configuration(void **state)
{
    struct calls calls = {0};
    uint64_t bulk;
    struct harness harness;

    (void)state;
    init_port(&harness);
    store_set_hook(harness.store, note_call, &calls);
    bulk = store_bulk_calls(harness.store);
    put_minimal(&harness, false);
    assert_int_equal(calls.n_pools, 1);
    assert_int_equal(calls.n_profiles, 1);
    assert_int_equal(calls.n_profile, 4);
    assert_int_equal(calls.profile[0].id, SAI_BUFFER_PROFILE_ATTR_POOL_ID);
    assert_int_equal(calls.profile[1].id,
                     SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);
    assert_true(calls.profile[1].value.u64 == 1664);
    assert_int_equal(calls.profile[2].id,
                     SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE);
    assert_int_equal(calls.profile[2].value.s32,
                     SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC);
    assert_int_equal(calls.profile[3].id,
                     SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH);
    assert_int_equal(calls.profile[3].value.s8, -1);
    assert_int_equal(calls.n_binds, 3);
    assert_true(store_bulk_calls(harness.store) == bulk + 1);

    harness_apply(&harness, LOSSY_PROFILE, NULL);
    harness_assert_state(&harness, LOSSY_PROFILE, "pending-delete");
    assert_string_equal(harness_status(&harness, LOSSY_PROFILE)->referenced_by,
                        "BUFFER_QUEUE|Ethernet0|0-2");
    assert_int_equal(calls.n_removed, 0);
    harness_apply(&harness, LOSSY_QUEUES, NULL);
    assert_int_equal(calls.n_unbinds, 3);
    assert_int_equal(calls.n_removed, 1);
    harness_assert_state(&harness, LOSSY_PROFILE, "gone");
    harness_fini(&harness);
}

static void
test_trace_2_the_same_backwards(void **state)
{
    char *dumps[2];
    struct harness harness;

    (void)state;
    for (int i = 0; i < 2; i++) {
        init_port(&harness);
        put_minimal(&harness, i);
        dumps[i] = harness_dump(&harness);
        harness_fini(&harness);
    }
    assert_string_equal(dumps[0], dumps[1]);
    free(dumps[0]);
    free(dumps[1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a1_a_malformed_number_stops_no_other_row),
        cmocka_unit_test(test_a2_a_missing_profile_is_reported_within_a_second),
        cmocka_unit_test(test_a3_a_hard_failure_does_not_end_the_batch),
        cmocka_unit_test(test_a4_what_lacked_resources_is_bound_in_the_end),
        cmocka_unit_test(test_a5_a_refusal_is_never_taken_for_success),
        cmocka_unit_test(
            test_a6_an_unknown_attribute_leaves_the_rest_of_the_row),
        cmocka_unit_test(test_a7_a_failing_device_ends_nothing),
        cmocka_unit_test(test_a8_every_row_is_answered),
        cmocka_unit_test(test_a9_numbers_are_not_cut_to_eight_bits),
        cmocka_unit_test(
            test_a11_ranges_are_read_strictly_and_overlap_in_peace),
        cmocka_unit_test(test_b1_rows_without_effect_hold_no_references),
        cmocka_unit_test(test_b2_a_reload_ends_where_it_began),
        cmocka_unit_test(test_b4_a_bad_buffer_row_keeps_no_port_down),
        cmocka_unit_test(test_b5_a_create_only_change_reaches_the_asic),
        cmocka_unit_test(test_b6_removed_fields_are_undone),
        cmocka_unit_test(test_b9_a_port_that_cannot_go_names_its_holders),
        cmocka_unit_test(test_d3_a_pool_for_both_directions_stays_one),
        cmocka_unit_test(test_d7_a_pool_goes_after_its_profiles),
        cmocka_unit_test(test_d9_an_absurd_size_is_refused_once),
        cmocka_unit_test(test_g_dialects_of_tools_are_understood_or_explained),
        cmocka_unit_test(test_trace_1_the_least_lossy_configuration),
        cmocka_unit_test(test_trace_2_the_same_backwards),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
