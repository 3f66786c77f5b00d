/* SPDX-License-Identifier: Apache-2.0 */

/* The attribute store: answers, references, families, faults, comparison. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vendors/store/store.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct fixture {
    struct store *store;
    struct sai_backend *backend;
};

static int
setup(void **state)
{
    static const struct store_port ports[] = {
        {4, {1, 2, 3, 4}},
        {4, {5, 6, 7, 8}},
    };
    const struct store_config config = {.ports = ports,
                                        .n_ports = N(ports),
                                        .n_queues = 4,
                                        .n_pgs = 3,
                                        .memory_kb = 1234,
                                        .with_switch = true};
    struct fixture *f = calloc(1, sizeof *f);

    f->store = store_create(&config);
    f->backend = store_backend(f->store);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    store_destroy(f->store);
    free(f);
    return 0;
}

/* Short forms of the verbs. */
static sai_status_t
create(struct fixture *f, sai_object_type_t type, uint32_t n,
       const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    return f->backend->ops->create(f->backend, type, n, attributes, oid);
}

static sai_status_t
set(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
    sai_attr_id_t id, sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    return f->backend->ops->set(f->backend, type, oid, &attribute);
}

static sai_status_t
get(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
    sai_attribute_t *attribute)
{
    return f->backend->ops->get(f->backend, type, oid, 1, attribute);
}

static sai_status_t
drop(struct fixture *f, sai_object_type_t type, sai_object_id_t oid)
{
    return f->backend->ops->remove(f->backend, type, oid);
}

static sai_object_id_t
make_pool(struct fixture *f, uint64_t size)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = size}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(
        create(f, SAI_OBJECT_TYPE_BUFFER_POOL, 2, attributes, &oid),
        SAI_STATUS_SUCCESS);
    return oid;
}

static sai_object_id_t
make_profile(struct fixture *f, sai_object_id_t pool, uint64_t size)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = size}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -3}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(
        create(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, 4, attributes, &oid),
        SAI_STATUS_SUCCESS);
    return oid;
}

static sai_object_id_t
nth_port(struct fixture *f, uint32_t n)
{
    sai_object_id_t ports[8] = {0};
    sai_attribute_t attribute = {SAI_SWITCH_ATTR_PORT_LIST,
                                 {.objlist = {N(ports), ports}}};

    assert_int_equal(
        get(f, SAI_OBJECT_TYPE_SWITCH, f->backend->switch_id, &attribute),
        SAI_STATUS_SUCCESS);
    assert_true(n < attribute.value.objlist.count);
    return ports[n];
}

static sai_object_id_t
nth_pg(struct fixture *f, sai_object_id_t port, uint32_t n)
{
    sai_object_id_t pgs[8] = {0};
    sai_attribute_t attribute = {SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
                                 {.objlist = {N(pgs), pgs}}};

    assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, port, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_true(n < attribute.value.objlist.count);
    return pgs[n];
}

static sai_status_t
bind(struct fixture *f, sai_object_id_t pg, sai_object_id_t profile)
{
    return set(f, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, pg,
               SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
               (sai_attribute_value_t){.oid = profile});
}

static void
test_ports_come_with_children(void **state)
{
    struct fixture *f = *state;
    sai_attribute_t attribute = {.id = SAI_SWITCH_ATTR_PORT_NUMBER};
    sai_object_id_t queues[8] = {0};

    assert_int_equal(
        get(f, SAI_OBJECT_TYPE_SWITCH, f->backend->switch_id, &attribute),
        SAI_STATUS_SUCCESS);
    assert_int_equal(attribute.value.u32, 2);
    attribute.id = SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE;
    assert_int_equal(
        get(f, SAI_OBJECT_TYPE_SWITCH, f->backend->switch_id, &attribute),
        SAI_STATUS_SUCCESS);
    assert_int_equal(attribute.value.u64, 1234);

    for (uint32_t p = 0; p < 2; p++) {
        const sai_object_id_t port = nth_port(f, p);

        attribute.id = SAI_PORT_ATTR_QOS_NUMBER_OF_QUEUES;
        assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, port, &attribute),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(attribute.value.u32, 4);
        attribute.id = SAI_PORT_ATTR_NUMBER_OF_INGRESS_PRIORITY_GROUPS;
        assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, port, &attribute),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(attribute.value.u32, 3);

        attribute.id = SAI_PORT_ATTR_QOS_QUEUE_LIST;
        attribute.value.objlist.count = N(queues);
        attribute.value.objlist.list = queues;
        assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, port, &attribute),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(attribute.value.objlist.count, 4);
        for (uint32_t q = 0; q < 4; q++) {
            sai_attribute_t index = {.id = SAI_QUEUE_ATTR_INDEX};

            assert_int_equal(get(f, SAI_OBJECT_TYPE_QUEUE, queues[q], &index),
                             SAI_STATUS_SUCCESS);
            assert_int_equal(index.value.u8, q);
        }
    }
}

static void
test_list_too_short_says_what_is_needed(void **state)
{
    struct fixture *f = *state;
    sai_object_id_t room[3] = {11, 12, 13};
    sai_attribute_t attribute = {SAI_PORT_ATTR_QOS_QUEUE_LIST,
                                 {.objlist = {3, room}}};

    assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, nth_port(f, 0), &attribute),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(attribute.value.objlist.count, 4);
    assert_int_equal(room[0], 11);
    assert_int_equal(room[2], 13);
    attribute.value.objlist.count = 0;
    attribute.value.objlist.list = NULL;
    assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, nth_port(f, 0), &attribute),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(attribute.value.objlist.count, 4);
}

static void
test_one_overflow_does_not_hide_other_answers(void **state)
{
    struct fixture *f = *state;
    sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_QOS_QUEUE_LIST, {.objlist = {0, NULL}}},
        {SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, {.objlist = {0, NULL}}},
        {.id = SAI_PORT_ATTR_QOS_NUMBER_OF_QUEUES},
    };

    assert_int_equal(f->backend->ops->get(f->backend, SAI_OBJECT_TYPE_PORT,
                                          nth_port(f, 0), 3, attributes),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(attributes[0].value.objlist.count, 4);
    assert_int_equal(attributes[1].value.objlist.count, 3);
    assert_int_equal(attributes[2].value.u32, 4);
}

static void
test_unset_attribute_has_its_default(void **state)
{
    struct fixture *f = *state;
    sai_attribute_t attribute = {.id = SAI_PORT_ATTR_PKT_TX_ENABLE};

    assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, nth_port(f, 0), &attribute),
                     SAI_STATUS_SUCCESS);
    assert_true(attribute.value.booldata);
    attribute.id = SAI_PORT_ATTR_ADMIN_STATE;
    assert_int_equal(get(f, SAI_OBJECT_TYPE_PORT, nth_port(f, 0), &attribute),
                     SAI_STATUS_SUCCESS);
    assert_false(attribute.value.booldata);
}

static void
test_reading_what_does_not_exist_says_which(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t profile =
        make_profile(f, make_pool(f, 1000000), 1664);
    sai_attribute_t attributes[] = {
        {.id = SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH},
        {.id = SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH},
    };
    sai_attribute_t temperature[] = {
        {.id = SAI_SWITCH_ATTR_PORT_NUMBER},
        {.id = SAI_SWITCH_ATTR_MAX_TEMP},
    };

    assert_int_equal(f->backend->ops->get(f->backend,
                                          SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                          profile, 2, attributes),
                     SAI_STATUS_INVALID_ATTRIBUTE_0 - 1);
    assert_int_equal(attributes[0].value.s8, -3);
    assert_int_equal(f->backend->ops->get(f->backend, SAI_OBJECT_TYPE_SWITCH,
                                          f->backend->switch_id, 2,
                                          temperature),
                     SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 - 1);
}

static void
test_malformed_calls_get_exact_codes(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool = make_pool(f, 1000000);
    const sai_object_id_t port = nth_port(f, 0);
    sai_object_id_t oid = 77;
    const sai_attribute_t no_size[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}}};
    const sai_attribute_t wrong_type[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = 99}}};

    assert_int_equal(create(f, SAI_OBJECT_TYPE_BUFFER_POOL, 1, no_size, &oid),
                     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    assert_int_equal(
        create(f, SAI_OBJECT_TYPE_BUFFER_POOL, 2, wrong_type, &oid),
        SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    assert_int_equal(oid, 77);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool,
                         SAI_BUFFER_POOL_ATTR_TYPE,
                         (sai_attribute_value_t){.s32 = 0}),
                     SAI_STATUS_INVALID_ATTRIBUTE_0);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool, 4711,
                         (sai_attribute_value_t){.s32 = 0}),
                     SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool + 1,
                         SAI_BUFFER_POOL_ATTR_SIZE,
                         (sai_attribute_value_t){.u64 = 0}),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, port,
                         SAI_BUFFER_POOL_ATTR_SIZE,
                         (sai_attribute_value_t){.u64 = 0}),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(bind(f, nth_pg(f, port, 0), pool),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(store_count(f->store, SAI_OBJECT_TYPE_BUFFER_POOL), 1);
}

static void
test_referenced_object_stays(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool = make_pool(f, 1000000);
    const sai_object_id_t profile = make_profile(f, pool, 1664);
    const sai_object_id_t other = make_profile(f, pool, 3328);
    const sai_object_id_t pg = nth_pg(f, nth_port(f, 0), 2);

    assert_int_equal(bind(f, pg, profile), SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, profile),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(bind(f, pg, other), SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, profile),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bind(f, pg, SAI_NULL_OBJECT_ID), SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, other),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool),
                     SAI_STATUS_INVALID_OBJECT_ID);
}

static void
test_port_takes_its_children_along(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t profile = make_profile(f, make_pool(f, 1000000), 0);
    const sai_object_id_t port = nth_port(f, 1);
    const sai_object_id_t pg = nth_pg(f, port, 0);

    assert_int_equal(bind(f, pg, profile), SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, pg),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_PORT, port), SAI_STATUS_SUCCESS);
    assert_int_equal(store_count(f->store, SAI_OBJECT_TYPE_QUEUE), 4);
    assert_int_equal(
        store_count(f->store, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP), 3);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, profile),
                     SAI_STATUS_SUCCESS);
}

static void
test_port_named_by_another_stays(void **state)
{
    struct fixture *f = *state;
    sai_object_id_t blocked[] = {nth_port(f, 1)};
    const sai_object_id_t port = nth_port(f, 0);

    assert_int_equal(set(f, SAI_OBJECT_TYPE_PORT, port,
                         SAI_PORT_ATTR_EGRESS_BLOCK_PORT_LIST,
                         (sai_attribute_value_t){.objlist = {1, blocked}}),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_PORT, blocked[0]),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_PORT, port,
                         SAI_PORT_ATTR_EGRESS_BLOCK_PORT_LIST,
                         (sai_attribute_value_t){.objlist = {0, NULL}}),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_PORT, blocked[0]),
                     SAI_STATUS_SUCCESS);
}

static void
test_equal_lanes_conflict_and_overlap_does_not(void **state)
{
    struct fixture *f = *state;
    uint32_t lanes[] = {1, 2, 3, 4};
    sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {4, lanes}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 10000}},
    };
    sai_object_id_t oid;

    assert_int_equal(create(f, SAI_OBJECT_TYPE_PORT, 2, attributes, &oid),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    attributes[0].value.u32list.count = 2;
    assert_int_equal(create(f, SAI_OBJECT_TYPE_PORT, 2, attributes, &oid),
                     SAI_STATUS_SUCCESS);
    lanes[0] = 99; /* The store has a copy. */
    assert_int_equal(store_count(f->store, SAI_OBJECT_TYPE_QUEUE), 12);
    lanes[0] = 1;
    assert_int_equal(create(f, SAI_OBJECT_TYPE_PORT, 2, attributes, &oid),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
}

static void
test_switch_comes_first_and_once(void **state)
{
    struct store *store = store_create(NULL);
    struct fixture f = {store, store_backend(store)};
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    sai_object_id_t oid;

    (void)state;
    assert_int_equal(f.backend->switch_id, SAI_NULL_OBJECT_ID);
    assert_int_equal(create(&f, SAI_OBJECT_TYPE_BUFFER_POOL, 0, NULL, &oid),
                     SAI_STATUS_UNINITIALIZED);
    assert_int_equal(create(&f, SAI_OBJECT_TYPE_SWITCH, 1, &init, &oid),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(oid, f.backend->switch_id);
    assert_int_equal(create(&f, SAI_OBJECT_TYPE_SWITCH, 1, &init, &oid),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    (void)make_pool(&f, 1);
    assert_int_equal(drop(&f, SAI_OBJECT_TYPE_SWITCH, oid), SAI_STATUS_SUCCESS);
    assert_int_equal(store_count(store, SAI_OBJECT_TYPE_BUFFER_POOL), 0);
    store_destroy(store);
}

static void
test_ids_are_deterministic_and_not_reused(void **state)
{
    struct fixture *f = *state;
    void *other = NULL;
    const sai_object_id_t first = make_pool(f, 1);

    assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_POOL, first),
                     SAI_STATUS_SUCCESS);
    assert_int_not_equal(make_pool(f, 1), first);

    setup(&other);
    assert_int_equal(make_pool(other, 1), first);
    teardown(&other);
}

/* Builds pool and profiles, and binds them, in one order or in another.
 * Returns the profile that was made last. */
static sai_object_id_t
build(struct fixture *f, bool reverse)
{
    const sai_object_id_t pool = make_pool(f, 1000000);
    const sai_object_id_t a = make_profile(f, pool, reverse ? 5 : 1664);
    const sai_object_id_t b = make_profile(f, pool, reverse ? 1664 : 5);

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t p = reverse ? 1 - i : i;

        assert_int_equal(
            bind(f, nth_pg(f, nth_port(f, p), 1), (p == 0) == reverse ? b : a),
            SAI_STATUS_SUCCESS);
    }
    return b;
}

static void
test_dump_is_independent_of_order_and_ids(void **state)
{
    struct fixture *f = *state;
    void *g = NULL;
    sai_object_id_t extra;
    char *one;
    char *two;

    setup(&g);
    build(f, false);
    extra = make_pool(g, 5);
    assert_int_equal(drop(g, SAI_OBJECT_TYPE_BUFFER_POOL, make_pool(g, 6)),
                     SAI_STATUS_SUCCESS);
    build(g, true);
    one = store_dump(f->store);
    two = store_dump(((struct fixture *)g)->store);
    assert_string_not_equal(one, two); /* The pool of 5 bytes is there. */
    free(two);
    assert_int_equal(drop(g, SAI_OBJECT_TYPE_BUFFER_POOL, extra),
                     SAI_STATUS_SUCCESS);
    two = store_dump(((struct fixture *)g)->store);
    assert_string_equal(one, two);
    free(two);

    /* Saying a default changes nothing; saying something else does. */
    assert_int_equal(set(g, SAI_OBJECT_TYPE_PORT, nth_port(g, 0),
                         SAI_PORT_ATTR_PKT_TX_ENABLE,
                         (sai_attribute_value_t){.booldata = true}),
                     SAI_STATUS_SUCCESS);
    two = store_dump(((struct fixture *)g)->store);
    assert_string_equal(one, two);
    free(two);
    assert_int_equal(set(g, SAI_OBJECT_TYPE_PORT, nth_port(g, 0),
                         SAI_PORT_ATTR_PKT_TX_ENABLE,
                         (sai_attribute_value_t){.booldata = false}),
                     SAI_STATUS_SUCCESS);
    two = store_dump(((struct fixture *)g)->store);
    assert_string_not_equal(one, two);
    free(two);
    free(one);
    teardown(&g);
}

static void
test_dump_sees_which_user_has_which_profile(void **state)
{
    struct fixture *f = *state;
    void *g = NULL;
    sai_object_id_t second;
    char *one;
    char *two;

    setup(&g);
    build(f, false);
    second = build(g, false);
    one = store_dump(f->store);
    two = store_dump(((struct fixture *)g)->store);
    assert_string_equal(one, two);
    assert_non_null(strstr(one, "PORT=PORT{HW_LANE_LIST=[1,2,3,4]},INDEX=1}"));
    free(two);
    assert_int_equal(bind(g, nth_pg(g, nth_port(g, 0), 1), second),
                     SAI_STATUS_SUCCESS);
    two = store_dump(((struct fixture *)g)->store);
    assert_string_not_equal(one, two);
    free(one);
    free(two);
    teardown(&g);
}

static void
test_map_order_does_not_matter(void **state)
{
    struct fixture *f = *state;
    void *g = NULL;
    sai_qos_map_t pairs[2] = {{.key.dscp = 3, .value.tc = 3},
                              {.key.dscp = 4, .value.tc = 4}};
    sai_attribute_t attributes[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = SAI_QOS_MAP_TYPE_DSCP_TO_TC}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, {.qosmap = {2, pairs}}},
    };
    const sai_qos_map_t first = pairs[0];
    sai_object_id_t oid;
    char *one;
    char *two;

    setup(&g);
    assert_int_equal(create(f, SAI_OBJECT_TYPE_QOS_MAP, 2, attributes, &oid),
                     SAI_STATUS_SUCCESS);
    pairs[0] = pairs[1];
    pairs[1] = first;
    assert_int_equal(create(g, SAI_OBJECT_TYPE_QOS_MAP, 2, attributes, &oid),
                     SAI_STATUS_SUCCESS);
    one = store_dump(f->store);
    two = store_dump(((struct fixture *)g)->store);
    assert_string_equal(one, two);
    free(one);
    free(two);
    teardown(&g);
}

/* Faults. */
struct plan {
    uint64_t at; /* Of changes, counted from 1. */
    sai_status_t answer;
    uint64_t n;
};

static sai_status_t
hook(void *context, const struct store_call *call)
{
    struct plan *plan = context;

    if (call->op == STORE_GET) {
        return SAI_STATUS_SUCCESS;
    }
    return ++plan->n == plan->at ? plan->answer : SAI_STATUS_SUCCESS;
}

static void
test_hook_makes_a_call_fail(void **state)
{
    struct fixture *f = *state;
    struct plan plan = {.at = 2, .answer = SAI_STATUS_INSUFFICIENT_RESOURCES};
    const sai_object_id_t pool = make_pool(f, 1);
    const sai_attribute_value_t size = {.u64 = 2};
    const uint64_t before = store_calls(f->store, STORE_SET);

    store_set_hook(f->store, hook, &plan);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool,
                         SAI_BUFFER_POOL_ATTR_SIZE, size),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool,
                         SAI_BUFFER_POOL_ATTR_XOFF_SIZE, size),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool,
                         SAI_BUFFER_POOL_ATTR_XOFF_SIZE, size),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(store_calls(f->store, STORE_SET), before + 3);
}

static void
test_stop_before_and_after_a_call(void **state)
{
    struct fixture *f = *state;
    const sai_status_t answers[] = {STORE_STOP_BEFORE, STORE_STOP_AFTER};

    for (int i = 0; i < 2; i++) {
        const sai_object_id_t pool = make_pool(f, 1);
        struct plan plan = {.at = 1, .answer = answers[i]};
        sai_attribute_t attribute = {.id = SAI_BUFFER_POOL_ATTR_SIZE};

        store_set_hook(f->store, hook, &plan);
        assert_int_equal(set(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool,
                             SAI_BUFFER_POOL_ATTR_SIZE,
                             (sai_attribute_value_t){.u64 = 2}),
                         SAI_STATUS_FAILURE);
        assert_true(store_stopped(f->store));
        assert_int_equal(get(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool, &attribute),
                         SAI_STATUS_FAILURE);
        assert_int_equal(drop(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool),
                         SAI_STATUS_FAILURE);
        store_resume(f->store);
        assert_int_equal(get(f, SAI_OBJECT_TYPE_BUFFER_POOL, pool, &attribute),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(attribute.value.u64,
                         answers[i] == STORE_STOP_AFTER ? 2 : 1);
        store_set_hook(f->store, NULL, NULL);
    }
}

static void
test_counters_are_zero(void **state)
{
    struct fixture *f = *state;
    const sai_stat_id_t ids[] = {SAI_PORT_STAT_IF_IN_OCTETS, 0x7fffffff};
    uint64_t values[] = {5, 6};

    assert_int_equal(f->backend->ops->get_stats(
                         f->backend, SAI_OBJECT_TYPE_PORT, nth_port(f, 0), 1,
                         ids, SAI_STATS_MODE_READ, values),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(values[0], 0);
    values[0] = 5;
    assert_int_equal(f->backend->ops->get_stats(
                         f->backend, SAI_OBJECT_TYPE_PORT, nth_port(f, 0), 2,
                         ids, SAI_STATS_MODE_READ, values),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(values[0], 5);
}

/* Random calls: whatever happens, references keep what they name. */
static void
test_random_calls_never_leave_dangling_references(void **state)
{
    struct fixture *f = *state;
    sai_object_id_t pools[4] = {0};
    sai_object_id_t profiles[8] = {0};
    uint32_t seed = 20240611;

    for (int i = 0; i < 5000; i++) {
        const uint32_t r = (seed = seed * 1664525 + 1013904223) >> 8;
        sai_object_id_t *pool = &pools[r / 8 % N(pools)];
        sai_object_id_t *profile = &profiles[r / 64 % N(profiles)];
        char *dump;

        switch (r % 5) {
        case 0:
            *pool = *pool ? *pool : make_pool(f, r);
            break;
        case 1:
            if (*pool && !*profile) {
                *profile = make_profile(f, *pool, r);
            }
            break;
        case 2:
            (void)bind(f, nth_pg(f, nth_port(f, r / 1024 % 2), r / 2048 % 3),
                       *profile);
            break;
        case 3:
            if (drop(f, SAI_OBJECT_TYPE_BUFFER_PROFILE, *profile) ==
                SAI_STATUS_SUCCESS) {
                *profile = SAI_NULL_OBJECT_ID;
            }
            break;
        default:
            if (drop(f, SAI_OBJECT_TYPE_BUFFER_POOL, *pool) ==
                SAI_STATUS_SUCCESS) {
                *pool = SAI_NULL_OBJECT_ID;
            }
            break;
        }
        if (i % 50 == 0) {
            dump = store_dump(f->store);
            assert_null(strstr(dump, "dangling"));
            free(dump);
        }
    }
}

/* A port in the default bridge and VLAN is in use, as is its bridge port; a
 * created port is in neither. */
static void
test_port_in_use_by_the_bridge_stays(void **state)
{
    static const struct store_port ports[] = {{1, {1}}};
    static const sai_object_type_t order[] = {SAI_OBJECT_TYPE_VLAN_MEMBER,
                                              SAI_OBJECT_TYPE_BRIDGE_PORT,
                                              SAI_OBJECT_TYPE_PORT};
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t list;
    } lists[] = {{SAI_OBJECT_TYPE_VLAN, SAI_VLAN_ATTR_MEMBER_LIST},
                 {SAI_OBJECT_TYPE_BRIDGE, SAI_BRIDGE_ATTR_PORT_LIST},
                 {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PORT_LIST}};
    const struct store_config config = {
        .ports = ports, .n_ports = 1, .has_bridge = true, .with_switch = true};
    struct fixture f = {.store = store_create(&config)};
    sai_attribute_t of[] = {{SAI_SWITCH_ATTR_DEFAULT_VLAN_ID, {0}},
                            {SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID, {0}}};
    sai_object_id_t oids[N(lists)], made;
    uint32_t lane = 2;
    const sai_attribute_t port[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}}};

    (void)state;
    f.backend = store_backend(f.store);
    for (uint32_t i = 0; i < N(of); i++) {
        assert_int_equal(
            get(&f, SAI_OBJECT_TYPE_SWITCH, f.backend->switch_id, &of[i]),
            SAI_STATUS_SUCCESS);
        assert_int_equal(drop(&f, lists[i].type, of[i].value.oid),
                         SAI_STATUS_NOT_SUPPORTED);
    }
    for (uint32_t i = 0; i < N(lists); i++) {
        sai_attribute_t list = {lists[i].list, {.objlist = {1, &oids[i]}}};

        assert_int_equal(get(&f, lists[i].type,
                             i < N(of) ? of[i].value.oid : f.backend->switch_id,
                             &list),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(list.value.objlist.count, 1);
    }
    for (uint32_t i = 0; i < N(order); i++) {
        for (uint32_t k = i + 1; k < N(order); k++) {
            assert_int_equal(drop(&f, order[k], oids[k]),
                             SAI_STATUS_OBJECT_IN_USE);
        }
        assert_int_equal(drop(&f, order[i], oids[i]), SAI_STATUS_SUCCESS);
    }
    assert_int_equal(create(&f, SAI_OBJECT_TYPE_PORT, 2, port, &made),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(store_count(f.store, SAI_OBJECT_TYPE_BRIDGE_PORT), 0);
    assert_int_equal(drop(&f, SAI_OBJECT_TYPE_PORT, made), SAI_STATUS_SUCCESS);
    store_destroy(f.store);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_ports_come_with_children),
        TEST(test_list_too_short_says_what_is_needed),
        TEST(test_one_overflow_does_not_hide_other_answers),
        TEST(test_unset_attribute_has_its_default),
        TEST(test_reading_what_does_not_exist_says_which),
        TEST(test_malformed_calls_get_exact_codes),
        TEST(test_referenced_object_stays),
        TEST(test_port_takes_its_children_along),
        TEST(test_port_named_by_another_stays),
        TEST(test_port_in_use_by_the_bridge_stays),
        TEST(test_equal_lanes_conflict_and_overlap_does_not),
        TEST(test_switch_comes_first_and_once),
        TEST(test_ids_are_deterministic_and_not_reused),
        TEST(test_dump_is_independent_of_order_and_ids),
        TEST(test_dump_sees_which_user_has_which_profile),
        TEST(test_map_order_does_not_matter),
        TEST(test_hook_makes_a_call_fail),
        TEST(test_stop_before_and_after_a_call),
        TEST(test_counters_are_zero),
        TEST(test_random_calls_never_leave_dangling_references),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
