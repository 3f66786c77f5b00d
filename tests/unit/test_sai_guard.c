/* SPDX-License-Identifier: Apache-2.0 */

/* The guard: what it refuses, what it lets through, what it learns. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sai/core/metadata.h"
#include "sai/stack/guard.h"
#include "sai/stack/registry.h"
#include "vendors/store/store.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#define POOL    SAI_OBJECT_TYPE_BUFFER_POOL
#define PROFILE SAI_OBJECT_TYPE_BUFFER_PROFILE
#define PG      SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP
#define QUEUE   SAI_OBJECT_TYPE_QUEUE
#define PORT    SAI_OBJECT_TYPE_PORT
#define WRED    SAI_OBJECT_TYPE_WRED

struct fixture {
    struct store *store;
    struct guard *guard;
    struct sai_backend *vendor;
    struct sai_backend *backend; /* The guard. */
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
                                        .with_switch = true};
    struct fixture *f = calloc(1, sizeof *f);

    f->store = store_create(&config);
    f->vendor = store_backend(f->store);
    f->guard = guard_create(f->vendor);
    f->backend = guard_backend(f->guard);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    guard_destroy(f->guard);
    store_destroy(f->store);
    free(f);
    return 0;
}

static sai_status_t
set(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
    sai_attr_id_t id, sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    return f->backend->ops->set(f->backend, type, oid, &attribute);
}

static sai_status_t
set_oid(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
        sai_attr_id_t id, sai_object_id_t value)
{
    return set(f, type, oid, id, (sai_attribute_value_t){.oid = value});
}

static sai_status_t
drop(struct fixture *f, sai_object_type_t type, sai_object_id_t oid)
{
    return f->backend->ops->remove(f->backend, type, oid);
}

static sai_object_id_t
make(struct fixture *f, sai_object_type_t type, uint32_t n,
     const sai_attribute_t *attributes)
{
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(
        f->backend->ops->create(f->backend, type, n, attributes, &oid),
        SAI_STATUS_SUCCESS);
    return oid;
}

static sai_object_id_t
make_pool(struct fixture *f)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 4096}},
    };

    return make(f, POOL, N(attributes), attributes);
}

static sai_object_id_t
make_profile(struct fixture *f, sai_object_id_t pool)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 1}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -3}},
    };

    return make(f, PROFILE, N(attributes), attributes);
}

/* Reads a list of ids through the guard and returns its first element. */
static sai_object_id_t
first_of(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
         sai_attr_id_t id)
{
    sai_object_id_t list[16];
    sai_attribute_t attribute = {id, {.objlist = {16, list}}};

    assert_int_equal(f->backend->ops->get(f->backend, type, oid, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    return list[0];
}

static sai_object_id_t
first_port(struct fixture *f)
{
    return first_of(f, SAI_OBJECT_TYPE_SWITCH, f->backend->switch_id,
                    SAI_SWITCH_ATTR_PORT_LIST);
}

/* Returns how many calls have reached the vendor. */
static uint64_t
reached(const struct fixture *f)
{
    uint64_t n = 0;

    for (int op = STORE_CREATE; op <= STORE_GET_STATS; op++) {
        n += store_calls(f->store, (enum store_op)op);
    }
    return n;
}

/* A create that is wrong, and its status. */
struct bad_create {
    const char *name;
    sai_object_type_t type;
    uint32_t n;
    sai_attribute_t attributes[4];
    sai_status_t status;
};

static const struct bad_create bad_creates[] = {
    {"nothing mandatory",
     POOL,
     0,
     {{0}},
     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING},
    {"one mandatory missing",
     POOL,
     1,
     {{SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1}}},
     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING},
    {"read-only",
     POOL,
     3,
     {{SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
      {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1}},
      {SAI_BUFFER_POOL_ATTR_SHARED_SIZE, {.u64 = 1}}},
     SAI_STATUS_INVALID_ATTRIBUTE_0 - 2},
    {"no member",
     POOL,
     2,
     {{SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1}},
      {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = 99}}},
     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1},
    {"unknown attribute",
     POOL,
     1,
     {{0x7777, {.u64 = 1}}},
     SAI_STATUS_UNKNOWN_ATTRIBUTE_0},
    {"no such pool",
     PROFILE,
     1,
     {{SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = 0x123456}}},
     SAI_STATUS_INVALID_ATTR_VALUE_0},
    {"list without memory",
     SAI_OBJECT_TYPE_QOS_MAP,
     2,
     {{SAI_QOS_MAP_ATTR_TYPE, {.s32 = SAI_QOS_MAP_TYPE_DSCP_TO_TC}},
      {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, {.qosmap = {3, NULL}}}},
     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1},
    {"not modelled",
     SAI_OBJECT_TYPE_UDF,
     0,
     {{0}},
     SAI_STATUS_INVALID_OBJECT_TYPE},
    {"a second switch",
     SAI_OBJECT_TYPE_SWITCH,
     0,
     {{0}},
     SAI_STATUS_ITEM_ALREADY_EXISTS},
};

static void
test_bad_creates_get_their_status_and_never_arrive(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < N(bad_creates); i++) {
        const struct bad_create *bad = &bad_creates[i];
        const uint64_t before = reached(f);
        sai_object_id_t oid = 77;
        const sai_status_t status = f->backend->ops->create(
            f->backend, bad->type, bad->n, bad->attributes, &oid);

        if (status != bad->status || oid != 77 || reached(f) != before) {
            fail_msg("%s: status %d", bad->name, (int)status);
        }
    }
    assert_int_equal(guard_refusals(f->guard), N(bad_creates));
}

static void
test_bad_sets_get_their_status_and_never_arrive(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool = make_pool(f);
    const sai_object_id_t profile = make_profile(f, pool);
    const uint64_t before = reached(f);

    assert_int_equal(set(f, POOL, pool, SAI_BUFFER_POOL_ATTR_TYPE,
                         (sai_attribute_value_t){.s32 = 0}),
                     SAI_STATUS_INVALID_ATTRIBUTE_0);
    assert_int_equal(set(f, POOL, pool, SAI_BUFFER_POOL_ATTR_SHARED_SIZE,
                         (sai_attribute_value_t){.u64 = 0}),
                     SAI_STATUS_INVALID_ATTRIBUTE_0);
    /* The profile was created dynamic: it has no static threshold. */
    assert_int_equal(set(f, PROFILE, profile,
                         SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH,
                         (sai_attribute_value_t){.u64 = 1}),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(set(f, PROFILE, pool, SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
                         (sai_attribute_value_t){.u64 = 1}),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(set(f, PROFILE, 0xdead, SAI_BUFFER_PROFILE_ATTR_XOFF_TH,
                         (sai_attribute_value_t){.u64 = 1}),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(f->backend->ops->set(f->backend, POOL, pool, NULL),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(reached(f), before);
}

static void
test_an_object_in_use_stays_until_it_is_released(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool = make_pool(f);
    const sai_object_id_t profile = make_profile(f, pool);
    const sai_object_id_t other = make_profile(f, pool);
    const sai_object_id_t port = first_port(f);
    const sai_object_id_t pg =
        first_of(f, PORT, port, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    const sai_attr_id_t id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE;
    uint64_t before;

    assert_int_equal(set_oid(f, PG, pg, id, profile), SAI_STATUS_SUCCESS);
    before = reached(f);
    assert_int_equal(drop(f, PROFILE, profile), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(drop(f, POOL, pool), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(reached(f), before);

    /* Twice the same is one reference; another value releases it. */
    assert_int_equal(set_oid(f, PG, pg, id, profile), SAI_STATUS_SUCCESS);
    assert_int_equal(set_oid(f, PG, pg, id, other), SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, PROFILE, profile), SAI_STATUS_SUCCESS);
    assert_int_equal(set_oid(f, PG, pg, id, SAI_NULL_OBJECT_ID),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, PROFILE, other), SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, POOL, pool), SAI_STATUS_SUCCESS);

    /* What is gone is gone, as an object and as a value. */
    before = reached(f);
    assert_int_equal(drop(f, POOL, pool), SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(set_oid(f, PG, pg, id, profile),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(reached(f), before);
}

static void
test_references_that_the_vendor_had_before_are_learnt(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool = make_pool(f);
    const sai_object_id_t profile = make_profile(f, pool);
    const sai_object_id_t port = first_port(f);
    sai_object_id_t pg =
        first_of(f, PORT, port, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    sai_attribute_t attribute = {SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                                 {.oid = profile}};

    assert_int_equal(f->vendor->ops->set(f->vendor, PG, pg, &attribute),
                     SAI_STATUS_SUCCESS);
    /* A new guard, as after a restart, learns from the answers. */
    guard_destroy(f->guard);
    f->guard = guard_create(f->vendor);
    f->backend = guard_backend(f->guard);
    assert_int_equal(drop(f, PROFILE, profile), SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(first_port(f), port);
    pg = first_of(f, PORT, port, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    attribute.value.oid = 0;
    assert_int_equal(f->backend->ops->get(f->backend, PG, pg, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(attribute.value.oid, profile);
    assert_int_equal(drop(f, PROFILE, profile), SAI_STATUS_OBJECT_IN_USE);
    /* Its mode was never given to this guard, so the vendor is asked. */
    assert_int_equal(set(f, PROFILE, profile,
                         SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH,
                         (sai_attribute_value_t){.u64 = 1}),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(set(f, PROFILE, profile,
                         SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
                         (sai_attribute_value_t){.s8 = 1}),
                     SAI_STATUS_SUCCESS);
}

static void
test_a_port_goes_with_its_family(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t port = first_port(f);
    const sai_object_id_t queue =
        first_of(f, PORT, port, SAI_PORT_ATTR_QOS_QUEUE_LIST);
    const sai_object_id_t wred = make(f, WRED, 0, NULL);
    sai_attribute_t parent = {SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE, {.u64 = 0}};

    /* The queue names its port, which does not keep the port. */
    assert_int_equal(f->backend->ops->get(f->backend, QUEUE, queue, 1, &parent),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(parent.value.oid, port);
    assert_int_equal(
        set_oid(f, QUEUE, queue, SAI_QUEUE_ATTR_WRED_PROFILE_ID, wred),
        SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, WRED, wred), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(drop(f, PORT, port), SAI_STATUS_SUCCESS);
    assert_int_equal(
        set_oid(f, QUEUE, queue, SAI_QUEUE_ATTR_WRED_PROFILE_ID, wred),
        SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(drop(f, WRED, wred), SAI_STATUS_SUCCESS);
}

static sai_status_t
refuse_all(void *context, const struct store_call *call)
{
    (void)context;
    return call->op == STORE_GET ? SAI_STATUS_SUCCESS
                                 : SAI_STATUS_INSUFFICIENT_RESOURCES;
}

static void
test_what_the_vendor_refuses_is_not_noted(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool = make_pool(f);
    const sai_object_id_t profile = make_profile(f, pool);
    const sai_object_id_t pg = first_of(
        f, PORT, first_port(f), SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    const sai_attr_id_t id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE;

    store_set_hook(f->store, refuse_all, NULL);
    assert_int_equal(set_oid(f, PG, pg, id, profile),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(drop(f, PROFILE, profile),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    store_set_hook(f->store, NULL, NULL);
    assert_int_equal(drop(f, PROFILE, profile), SAI_STATUS_SUCCESS);
}

static void
test_counters_are_checked(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t port = first_port(f);
    const sai_stat_id_t good = SAI_PORT_STAT_IF_IN_OCTETS, bad = 0x7ffffff;
    const sai_object_id_t wred = make(f, WRED, 0, NULL);
    struct sai_backend *b = f->backend;
    const struct metadata_object *type = metadata_object(PORT);
    sai_stat_id_t *all = calloc(type->n_stats + 1u, sizeof *all);
    uint64_t *values = calloc(type->n_stats + 1u, sizeof *values);
    uint64_t value = 1;

    for (size_t i = 0; i < type->n_stats + 1u; i++) {
        all[i] = type->stats[i % type->n_stats].id;
    }
    assert_int_equal(b->ops->get_stats(b, PORT, port, (uint32_t)type->n_stats,
                                       all, SAI_STATS_MODE_READ, values),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(b->ops->get_stats(b, PORT, port,
                                       (uint32_t)type->n_stats + 1, all,
                                       SAI_STATS_MODE_READ, values),
                     SAI_STATUS_INVALID_PARAMETER);
    free(all);
    free(values);
    assert_int_equal(
        b->ops->get_stats(b, PORT, port, 1, &good, SAI_STATS_MODE_READ, &value),
        SAI_STATUS_SUCCESS);
    assert_int_equal(
        b->ops->get_stats(b, PORT, port, 1, &bad, SAI_STATS_MODE_READ, &value),
        SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(
        b->ops->get_stats(b, PORT, port, 1, &good, (sai_stats_mode_t)0, &value),
        SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(
        b->ops->get_stats(b, PORT, 5, 1, &good, SAI_STATS_MODE_READ, &value),
        SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(
        b->ops->get_stats(b, WRED, wred, 1, &good, SAI_STATS_MODE_READ, &value),
        SAI_STATUS_NOT_SUPPORTED);
}

static void
test_bulk_is_judged_object_by_object(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t profile = make_profile(f, make_pool(f));
    const sai_object_id_t port = first_port(f);
    const sai_object_id_t pg =
        first_of(f, PORT, port, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    const sai_attr_id_t id = SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE;
    const sai_object_id_t oids[] = {pg, 0xdead, pg};
    const sai_attribute_t attributes[] = {{id, {.oid = SAI_NULL_OBJECT_ID}},
                                          {id, {.oid = profile}},
                                          {id, {.oid = profile}}};
    sai_status_t statuses[3];
    uint64_t before;

    assert_int_equal(backend_set_many(f->backend, PG, 3, oids, attributes,
                                      SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
                                      statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(backend_set_many(f->backend, PG, 3, oids, attributes,
                                      SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                      statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(statuses[2], SAI_STATUS_SUCCESS);
    before = reached(f);
    assert_int_equal(drop(f, PROFILE, profile), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(reached(f), before);
}

/* Refuses to set anything. */
static sai_status_t
refuse_set(void *context, const struct store_call *call)
{
    (void)context;
    return call->op == STORE_SET ? SAI_STATUS_FAILURE : SAI_STATUS_SUCCESS;
}

/* If the vendor stops at an object, those behind it are not executed, even if
 * the guard refused one of them. */
static void
test_bulk_that_the_vendor_stops_executes_nothing_more(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t port = first_port(f);
    const sai_object_id_t pg =
        first_of(f, PORT, port, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    const sai_object_id_t oids[] = {pg, 0xdead, pg};
    const sai_attribute_t none = {
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
        {.oid = SAI_NULL_OBJECT_ID}};
    const sai_attribute_t attributes[] = {none, none, none};
    sai_status_t statuses[3];

    store_set_hook(f->store, refuse_set, NULL);
    assert_int_equal(backend_set_many(f->backend, PG, 3, oids, attributes,
                                      SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
                                      statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_FAILURE);
    assert_int_equal(statuses[1], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
}

/* Says of what is removed that it does not exist. */
static sai_status_t
find_nothing(void *status, const struct store_call *call)
{
    return call->op == STORE_REMOVE ? *(sai_status_t *)status
                                    : SAI_STATUS_SUCCESS;
}

static void
test_what_the_vendor_does_not_find_is_forgotten(void **state)
{
    static const struct {
        sai_status_t vendor;
        bool gone;
    } cases[] = {{SAI_STATUS_ITEM_NOT_FOUND, true},
                 {SAI_STATUS_INVALID_OBJECT_ID, true},
                 {SAI_STATUS_FAILURE, false}};
    struct fixture *f = *state;

    for (size_t i = 0; i < N(cases); i++) {
        const sai_object_id_t pool = make_pool(f);
        sai_status_t status = cases[i].vendor;

        store_set_hook(f->store, find_nothing, &status);
        assert_int_equal(drop(f, POOL, pool), status);
        assert_int_equal(!registry_find(guard_registry(f->guard), pool),
                         cases[i].gone);
        store_set_hook(f->store, NULL, NULL);
    }
}

/* An object with a reused id does not have the references of the former one,
 * so it cannot lose them. */
static void
test_reused_id_has_no_references(void **state)
{
    struct registry *registry = registry_create();
    struct registry_item *profile;
    sai_attribute_t attribute = {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = 1}};

    (void)state;
    registry_add(registry, POOL, 1);
    profile = registry_add(registry, PROFILE, 2);
    registry_note(registry, profile, &attribute);
    assert_true(registry_in_use(registry_find(registry, 1)));
    registry_add(registry, POOL, 1);
    assert_false(registry_in_use(registry_find(registry, 1)));
    attribute.value.oid = SAI_NULL_OBJECT_ID;
    registry_note(registry, profile, &attribute);
    assert_false(registry_in_use(registry_find(registry, 1)));
    registry_destroy(registry);
}

/* The key of a queue has three parts. */
static void
test_all_parts_of_a_key_count(void **state)
{
    sai_attribute_t attributes[] = {
        {SAI_QUEUE_ATTR_TYPE, {.s32 = SAI_QUEUE_TYPE_ALL}},
        {SAI_QUEUE_ATTR_PORT, {.oid = 1}},
        {SAI_QUEUE_ATTR_INDEX, {.u8 = 7}},
    };
    struct registry *registry = registry_create();

    (void)state;
    registry_key(registry, registry_add(registry, QUEUE, 2), N(attributes),
                 attributes);
    assert_true(registry_has_key(registry, QUEUE, N(attributes), attributes));
    for (uint32_t i = 0; i < N(attributes); i++) {
        const sai_attribute_t kept = attributes[i];

        attributes[i].value.u8++;
        assert_false(
            registry_has_key(registry, QUEUE, N(attributes), attributes));
        attributes[i] = kept;
    }
    registry_destroy(registry);
}

/* Creates three WREDs, the middle one of which is wrong. */
static sai_status_t
make_three(struct fixture *f, sai_bulk_op_error_mode_t mode,
           sai_object_key_t *keys, sai_status_t *statuses)
{
    sai_attribute_t attributes[] = {
        {SAI_WRED_ATTR_GREEN_ENABLE, {.booldata = true}},
        {SAI_WRED_ATTR_GREEN_ENABLE, {.booldata = true}},
        {SAI_WRED_ATTR_GREEN_ENABLE, {.booldata = true}},
        {SAI_WRED_ATTR_WEIGHT, {.u8 = 4}},
    };
    const uint32_t counts[] = {1, 2, 1};
    const struct backend_many many = {.op = OP_CREATE_MANY,
                                      .type = WRED,
                                      .mode = mode,
                                      .n = 3,
                                      .keys = keys,
                                      .counts = counts,
                                      .attributes = attributes,
                                      .statuses = statuses};

    memset(keys, 0, 3 * sizeof *keys);
    return backend_do_many(f->backend, &many);
}

static void
test_creations_in_bulk_are_judged_and_noted_one_by_one(void **state)
{
    struct fixture *f = *state;
    sai_object_key_t keys[3];
    sai_status_t statuses[3];
    const struct backend_many removal = {
        .op = OP_REMOVE_MANY,
        .type = WRED,
        .mode = SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
        .n = 3,
        .keys = keys,
        .statuses = statuses};

    assert_int_equal(
        make_three(f, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, keys, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_ATTRIBUTE_0 - 1);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(store_count(f->store, WRED), 1);
    assert_int_equal(drop(f, WRED, keys[0].key.object_id), SAI_STATUS_SUCCESS);
    assert_int_equal(
        make_three(f, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, keys, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[2], SAI_STATUS_SUCCESS);
    assert_int_equal(keys[1].key.object_id, SAI_NULL_OBJECT_ID);
    assert_int_equal(store_count(f->store, WRED), 2);
    /* The guard knows both, and that they are gone. */
    assert_int_equal(backend_do_many(f->backend, &removal), SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(statuses[2], SAI_STATUS_SUCCESS);
    assert_int_equal(drop(f, WRED, keys[2].key.object_id),
                     SAI_STATUS_INVALID_OBJECT_ID);
}

static void
test_several_objects_without_their_arrays_are_refused(void **state)
{
    struct fixture *f = *state;
    sai_object_key_t key = {.key.object_id = f->backend->switch_id};
    sai_attribute_t attribute = {.id = SAI_SWITCH_ATTR_PORT_LIST};
    const uint32_t count = 1;
    sai_status_t status;
    const struct backend_many whole = {.op = OP_GET_MANY,
                                       .type = SAI_OBJECT_TYPE_SWITCH,
                                       .n = 1,
                                       .keys = &key,
                                       .counts = &count,
                                       .attributes = &attribute,
                                       .statuses = &status};
    struct backend_many many = whole;

    assert_int_equal(backend_do_many(f->backend, &many), SAI_STATUS_FAILURE);
    assert_int_equal(status, SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(attribute.value.objlist.count, 2);
    many.keys = NULL;
    assert_int_equal(backend_do_many(f->backend, &many),
                     SAI_STATUS_INVALID_PARAMETER);
    many = whole;
    many.counts = NULL;
    assert_int_equal(backend_do_many(f->backend, &many),
                     SAI_STATUS_INVALID_PARAMETER);
    many = whole;
    many.attributes = NULL;
    assert_int_equal(backend_do_many(f->backend, &many),
                     SAI_STATUS_INVALID_PARAMETER);
    many = whole;
    many.statuses = NULL;
    assert_int_equal(backend_do_many(f->backend, &many),
                     SAI_STATUS_INVALID_PARAMETER);
    many = whole;
    many.op = OP_GET;
    assert_int_equal(backend_do_many(f->backend, &many),
                     SAI_STATUS_INVALID_PARAMETER);
    many = whole;
    many.n = 0;
    assert_int_equal(backend_do_many(f->backend, &many), SAI_STATUS_SUCCESS);
}

static void
test_a_key_belongs_to_one_object(void **state)
{
    struct fixture *f = *state;
    sai_attribute_t vlan = {SAI_VLAN_ATTR_VLAN_ID, {.u16 = 7}};
    const sai_object_id_t oid = make(f, SAI_OBJECT_TYPE_VLAN, 1, &vlan);
    const uint64_t n_calls = store_calls(f->store, STORE_CREATE);
    sai_object_id_t other = SAI_NULL_OBJECT_ID;

    assert_int_equal(f->backend->ops->create(f->backend, SAI_OBJECT_TYPE_VLAN,
                                             1, &vlan, &other),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(other, SAI_NULL_OBJECT_ID);
    assert_int_equal(store_calls(f->store, STORE_CREATE), n_calls);
    vlan.value.u16 = 8;
    make(f, SAI_OBJECT_TYPE_VLAN, 1, &vlan);
    vlan.value.u16 = 7;
    assert_int_equal(drop(f, SAI_OBJECT_TYPE_VLAN, oid), SAI_STATUS_SUCCESS);
    make(f, SAI_OBJECT_TYPE_VLAN, 1, &vlan);
}

static void
test_an_entry_names_objects_that_exist(void **state)
{
    struct fixture *f = *state;
    sai_object_key_t key;
    sai_attribute_t type = {SAI_FDB_ENTRY_ATTR_TYPE,
                            {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}};
    const uint32_t count = 1;
    sai_status_t status;
    const struct backend_many many = {.op = OP_CREATE_MANY,
                                      .type = SAI_OBJECT_TYPE_FDB_ENTRY,
                                      .n = 1,
                                      .keys = &key,
                                      .counts = &count,
                                      .attributes = &type,
                                      .statuses = &status};
    const sai_attribute_t vlan = {SAI_VLAN_ATTR_VLAN_ID, {.u16 = 7}};
    sai_object_id_t oid;

    memset(&key, 0, sizeof key);
    key.key.fdb_entry.switch_id = f->backend->switch_id;
    key.key.fdb_entry.bv_id = 0xdead;
    (void)backend_do_many(f->backend, &many);
    assert_int_equal(status, SAI_STATUS_INVALID_OBJECT_ID);
    key.key.fdb_entry.bv_id = make(f, SAI_OBJECT_TYPE_VLAN, 1, &vlan);
    type.value.s32 = 99;
    (void)backend_do_many(f->backend, &many);
    assert_int_equal(status, SAI_STATUS_INVALID_ATTR_VALUE_0);
    type.value.s32 = SAI_FDB_ENTRY_TYPE_STATIC;
    (void)backend_do_many(f->backend, &many);
    /* Sound, but this vendor has no entries. */
    assert_int_equal(status, SAI_STATUS_NOT_IMPLEMENTED);
    assert_int_equal(guard_refusals(f->guard), 2);
    /* Entries are not reached as single objects. */
    assert_int_equal(f->backend->ops->create(
                         f->backend, SAI_OBJECT_TYPE_FDB_ENTRY, 1, &type, &oid),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
}

static void
test_the_switch_takes_everything_with_it(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool = make_pool(f);
    const sai_object_id_t old = f->backend->switch_id;
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    sai_object_id_t oid;

    assert_int_equal(drop(f, SAI_OBJECT_TYPE_SWITCH, old), SAI_STATUS_SUCCESS);
    assert_int_equal(f->backend->switch_id, SAI_NULL_OBJECT_ID);
    assert_int_equal(drop(f, POOL, pool), SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(f->backend->ops->create(f->backend, WRED, 0, NULL, &oid),
                     SAI_STATUS_UNINITIALIZED);
    oid = make(f, SAI_OBJECT_TYPE_SWITCH, 1, &init);
    assert_int_equal(f->backend->switch_id, oid);
    make_pool(f);
}

/* Random calls: the guard and a vendor that checks everything itself must
 * agree.  What the guard refuses, the vendor refuses with the same status when
 * asked directly; what passes, the vendor does not find wrong. */

static uint64_t
rnd(uint64_t *seed, uint64_t n)
{
    *seed =
        *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*seed >> 33) % n;
}

struct random_run {
    struct fixture *f;
    uint64_t seed;
    sai_object_id_t oids[256];
    uint32_t n_oids;
};

static sai_object_id_t
any_oid(struct random_run *run)
{
    return rnd(&run->seed, 10) == 0 ? rnd(&run->seed, 3)
                                    : run->oids[rnd(&run->seed, run->n_oids)];
}

/* Fills in a value that is sometimes right. */
static void
any_value(struct random_run *run, sai_object_type_t type,
          sai_attribute_t *attribute)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);

    memset(&attribute->value, 0, sizeof attribute->value);
    if (!meta || kind_has_list(meta->kind) ||
        meta->kind == KIND_ACLCAPABILITY) {
        return;
    }
    if (meta->kind == KIND_OID) {
        attribute->value.oid = any_oid(run);
    } else {
        metadata_set_number(meta->kind, (int64_t)rnd(&run->seed, 3),
                            &attribute->value);
    }
}

static const sai_object_type_t random_types[] = {
    POOL, PROFILE, QUEUE, PG, WRED, SAI_OBJECT_TYPE_SCHEDULER};

/* One random call to 'backend'; the same for the same seed. */
static sai_status_t
random_call(struct random_run *run, struct sai_backend *backend, bool *made)
{
    const sai_object_type_t type =
        random_types[rnd(&run->seed, N(random_types))];
    const struct metadata_object *object = metadata_object(type);
    sai_attribute_t list[6];
    uint32_t n = (uint32_t)rnd(&run->seed, N(list) + 1);
    const uint64_t what = rnd(&run->seed, 8);
    const sai_object_id_t oid = any_oid(run);
    sai_object_id_t fresh = SAI_NULL_OBJECT_ID;
    sai_status_t status;

    *made = false;
    for (uint32_t i = 0; i < N(list); i++) {
        list[i].id =
            object->attributes[rnd(&run->seed, object->n_attributes)].id;
        any_value(run, type, &list[i]);
    }
    if (what == 0) {
        return backend->ops->remove(backend, type, oid);
    }
    if (what < 4) {
        return backend->ops->set(backend, type, oid, &list[0]);
    }
    if (type == POOL || type == PROFILE) { /* Often complete. */
        list[0] = type == POOL
                      ? (sai_attribute_t){SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = 0}}
                      : (sai_attribute_t){SAI_BUFFER_PROFILE_ATTR_POOL_ID,
                                          {.oid = oid}};
        list[1] =
            type == POOL
                ? (sai_attribute_t){SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 9}}
                : (sai_attribute_t){
                      SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 9}};
        list[2] = (sai_attribute_t){SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
                                    {.s32 = 1}};
        list[3] = (sai_attribute_t){SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
                                    {.s8 = 1}};
        n = type == POOL ? 2 : 4;
    } else if (type == QUEUE || type == PG) {
        return SAI_STATUS_SUCCESS; /* Those of a port are enough. */
    }
    status = backend->ops->create(backend, type, n, list, &fresh);
    *made = status == SAI_STATUS_SUCCESS;
    if (*made && run->n_oids < N(run->oids)) {
        run->oids[run->n_oids++] = fresh;
    }
    return status;
}

static void
test_guard_and_a_strict_vendor_agree_on_random_calls(void **state)
{
    struct fixture *f = *state;
    struct random_run run = {.f = f, .seed = 20250101};
    uint32_t n_passed = 0;

    run.oids[run.n_oids++] = first_port(f);
    run.oids[run.n_oids++] =
        first_of(f, PORT, run.oids[0], SAI_PORT_ATTR_QOS_QUEUE_LIST);
    run.oids[run.n_oids++] = first_of(
        f, PORT, run.oids[0], SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST);
    for (int i = 0; i < 20000; i++) {
        const uint64_t before = guard_refusals(f->guard);
        struct random_run again = run;
        const uint64_t seed = run.seed;
        bool made;
        const sai_status_t status = random_call(&run, f->backend, &made);

        if (guard_refusals(f->guard) != before) {
            const sai_status_t direct = random_call(&again, f->vendor, &made);

            if (direct != status) {
                fail_msg("seed %llu: the guard says %d, the vendor %d",
                         (unsigned long long)seed, (int)status, (int)direct);
            }
        } else if (status == SAI_STATUS_SUCCESS) {
            n_passed++;
        } else if (status != SAI_STATUS_NOT_SUPPORTED) {
            /* Removing a child is what only the vendor refuses. */
            fail_msg("seed %llu: passed, but the vendor says %d",
                     (unsigned long long)seed, (int)status);
        }
    }
    assert_true(n_passed > 1000);
    assert_true(guard_refusals(f->guard) > 1000);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_bad_creates_get_their_status_and_never_arrive),
        T(test_bad_sets_get_their_status_and_never_arrive),
        T(test_an_object_in_use_stays_until_it_is_released),
        T(test_references_that_the_vendor_had_before_are_learnt),
        T(test_a_port_goes_with_its_family),
        T(test_what_the_vendor_refuses_is_not_noted),
        T(test_counters_are_checked),
        T(test_bulk_is_judged_object_by_object),
        T(test_bulk_that_the_vendor_stops_executes_nothing_more),
        T(test_what_the_vendor_does_not_find_is_forgotten),
        cmocka_unit_test(test_reused_id_has_no_references),
        cmocka_unit_test(test_all_parts_of_a_key_count),
        T(test_creations_in_bulk_are_judged_and_noted_one_by_one),
        T(test_several_objects_without_their_arrays_are_refused),
        T(test_a_key_belongs_to_one_object),
        T(test_an_entry_names_objects_that_exist),
        T(test_the_switch_takes_everything_with_it),
        T(test_guard_and_a_strict_vendor_agree_on_random_calls),
    };
#undef T

    return cmocka_run_group_tests(tests, NULL, NULL);
}
