/* SPDX-License-Identifier: Apache-2.0 */

/* Faults on demand, and counting calls. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sai/stack/faults.h"
#include "sai/stack/meter.h"
#include "vendors/store/store.h"

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#define POOL SAI_OBJECT_TYPE_BUFFER_POOL

struct fixture {
    struct store *store;
    struct faults *faults;
    struct meter *meter;
    struct sai_backend *backend; /* The meter around the faults. */
    int64_t now_ns;
    int64_t step_ns; /* That passes between two looks at the clock. */
};

static void
pass_time(void *context, int64_t ns)
{
    struct fixture *f = context;

    f->now_ns += ns;
}

static int64_t
clock_ns(void *context)
{
    struct fixture *f = context;

    return f->now_ns += f->step_ns;
}

static int
setup(void **state)
{
    static const struct store_port ports[] = {{1, {1}}};
    const struct store_config config = {
        .ports = ports, .n_ports = 1, .with_switch = true};
    struct fixture *f = calloc(1, sizeof *f);

    f->store = store_create(&config);
    f->faults = faults_create(store_backend(f->store), pass_time, f);
    f->meter = meter_create(faults_backend(f->faults), clock_ns, f);
    f->backend = meter_backend(f->meter);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    meter_destroy(f->meter);
    faults_destroy(f->faults);
    store_destroy(f->store);
    free(f);
    return 0;
}

static sai_status_t
create(struct fixture *f, sai_object_id_t *oid)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 4096}},
    };

    return f->backend->ops->create(f->backend, POOL, N(attributes), attributes,
                                   oid);
}

static sai_object_id_t
make(struct fixture *f)
{
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(create(f, &oid), SAI_STATUS_SUCCESS);
    return oid;
}

static sai_status_t
set_size(struct fixture *f, sai_object_id_t oid)
{
    const sai_attribute_t size = {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1}};

    return f->backend->ops->set(f->backend, POOL, oid, &size);
}

static const struct faults_rule anything = {
    .any_op = true, .any_attribute = true, .status = SAI_STATUS_FAILURE};

static void
test_without_rules_nothing_changes(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t oid = make(f);

    assert_int_equal(set_size(f, oid), SAI_STATUS_SUCCESS);
    assert_int_equal(f->backend->ops->remove(f->backend, POOL, oid),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->backend->switch_id, store_backend(f->store)->switch_id);
}

static void
test_a_rule_answers_instead_of_the_vendor(void **state)
{
    struct fixture *f = *state;
    struct faults_rule rule = anything;
    sai_object_id_t oid = 5;
    unsigned int id;

    rule.any_op = false;
    rule.op = OP_CREATE;
    rule.type = POOL;
    rule.status = SAI_STATUS_INSUFFICIENT_RESOURCES;
    id = faults_add(f->faults, &rule);
    assert_int_equal(create(f, &oid), SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(oid, 5);
    assert_int_equal(store_calls(f->store, STORE_CREATE), 0);
    assert_true(faults_remove(f->faults, id));
    assert_false(faults_remove(f->faults, id));
    make(f);
}

static void
test_other_operations_and_types_are_left_alone(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t oid = make(f);
    struct faults_rule rule = anything;

    rule.any_op = false;
    rule.op = OP_REMOVE;
    faults_add(f->faults, &rule);
    rule = anything;
    rule.type = SAI_OBJECT_TYPE_QUEUE;
    faults_add(f->faults, &rule);
    assert_int_equal(set_size(f, oid), SAI_STATUS_SUCCESS);
    assert_int_equal(f->backend->ops->remove(f->backend, POOL, oid),
                     SAI_STATUS_FAILURE);
}

static void
test_a_mask_names_the_attribute_in_the_list(void **state)
{
    struct fixture *f = *state;
    struct faults_rule rule = anything;
    const sai_object_id_t oid = make(f);
    sai_object_id_t other;
    sai_attribute_t type = {.id = SAI_BUFFER_POOL_ATTR_TYPE};

    rule.type = POOL;
    rule.any_attribute = false;
    rule.attribute = SAI_BUFFER_POOL_ATTR_SIZE;
    rule.status = SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    faults_add(f->faults, &rule);
    assert_int_equal(create(f, &other), SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    assert_int_equal(set_size(f, oid), SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_int_equal(f->backend->ops->get(f->backend, POOL, oid, 1, &type),
                     SAI_STATUS_SUCCESS);
}

static void
test_nth_every_and_chance_choose_among_calls(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t oid = make(f);
    const struct faults_entry *entries;
    struct faults_rule rule = anything;
    uint32_t n, first = 0;

    rule.nth = 3;
    faults_add(f->faults, &rule);
    for (int i = 1; i <= 6; i++) {
        assert_int_equal(set_size(f, oid) == SAI_STATUS_SUCCESS, i != 3);
    }
    faults_clear(f->faults);
    rule.nth = 0;
    rule.every = 2;
    faults_add(f->faults, &rule);
    for (int i = 1; i <= 6; i++) {
        assert_int_equal(set_size(f, oid) == SAI_STATUS_SUCCESS, i % 2);
    }
    rule.every = 0;
    rule.percent = 30;
    rule.seed = 7;
    for (int round = 0; round < 2; round++) {
        faults_clear(f->faults);
        faults_add(f->faults, &rule);
        for (int i = 0; i < 1000; i++) {
            (void)set_size(f, oid);
        }
        entries = faults_entries(f->faults, &n);
        assert_int_equal(n, 1);
        assert_int_equal(entries->n_matches, 1000);
        assert_in_range(entries->n_strikes, 200, 400);
        /* The same seed, the same calls. */
        assert_true(round == 0 || first == entries->n_strikes);
        first = (uint32_t)entries->n_strikes;
    }
}

static void
test_delays_add_up_and_show_in_the_meter(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t oid = make(f);
    struct faults_rule rule = anything;

    rule.status = SAI_STATUS_SUCCESS;
    rule.delay_ns = 1000;
    faults_add(f->faults, &rule);
    rule.delay_ns = 500;
    rule.nth = 2;
    faults_add(f->faults, &rule);
    assert_int_equal(set_size(f, oid), SAI_STATUS_SUCCESS);
    assert_int_equal(f->now_ns, 1000);
    assert_int_equal(set_size(f, oid), SAI_STATUS_SUCCESS);
    assert_int_equal(f->now_ns, 2500);
}

static void
test_bulk_is_struck_object_by_object(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t oid = make(f);
    const sai_object_id_t oids[] = {oid, oid, oid};
    sai_attribute_t sizes[3];
    sai_status_t statuses[3];
    struct faults_rule rule = anything;

    for (int i = 0; i < 3; i++) {
        sizes[i] = (sai_attribute_t){SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1}};
    }
    assert_int_equal(backend_set_many(f->backend, POOL, 3, oids, sizes,
                                      SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
                                      statuses),
                     SAI_STATUS_SUCCESS);
    rule.any_op = false;
    rule.op = OP_SET;
    rule.nth = 2;
    faults_add(f->faults, &rule);
    assert_int_equal(backend_set_many(f->backend, POOL, 3, oids, sizes,
                                      SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
                                      statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_FAILURE);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
}

static void
test_a_creation_in_the_middle_of_a_bulk_is_struck(void **state)
{
    struct fixture *f = *state;
    sai_object_key_t keys[3];
    sai_attribute_t attributes[6];
    const uint32_t counts[] = {2, 2, 2};
    sai_status_t statuses[3];
    struct faults_rule rule = anything;
    const struct backend_many many = {.op = OP_CREATE_MANY,
                                      .type = POOL,
                                      .mode =
                                          SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                      .n = 3,
                                      .keys = keys,
                                      .counts = counts,
                                      .attributes = attributes,
                                      .statuses = statuses};

    memset(keys, 0, sizeof keys);
    for (int i = 0; i < 6; i += 2) {
        attributes[i] = (sai_attribute_t){SAI_BUFFER_POOL_ATTR_TYPE,
                                          {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}};
        attributes[i + 1] =
            (sai_attribute_t){SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 9}};
    }
    rule.any_op = false;
    rule.op = OP_CREATE;
    rule.any_attribute = false;
    rule.attribute = SAI_BUFFER_POOL_ATTR_SIZE;
    rule.status = SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    rule.nth = 2;
    faults_add(f->faults, &rule);
    assert_int_equal(backend_do_many(f->backend, &many), SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    assert_int_equal(statuses[2], SAI_STATUS_SUCCESS);
    assert_int_equal(store_count(f->store, POOL), 2);
    assert_int_equal(keys[1].key.object_id, SAI_NULL_OBJECT_ID);
}

/* Keeps the line of one operation. */
struct wanted {
    enum op op;
    uint32_t n_lines;
    struct meter_line line;
};

static void
keep_line(void *context, const struct meter_line *line)
{
    struct wanted *wanted = context;

    wanted->n_lines++;
    if (line->op == wanted->op) {
        wanted->line = *line;
    }
}

static void
test_meter_counts_calls_and_failures(void **state)
{
    struct fixture *f = *state;
    struct wanted wanted = {.op = OP_SET};
    const sai_object_id_t oid = make(f);

    assert_int_equal(set_size(f, oid), SAI_STATUS_SUCCESS);
    assert_int_equal(set_size(f, 4711), SAI_STATUS_INVALID_OBJECT_ID);
    meter_each(f->meter, keep_line, &wanted);
    assert_int_equal(wanted.n_lines, 2);
    assert_int_equal(wanted.line.type, POOL);
    assert_int_equal(wanted.line.n_calls, 2);
    assert_int_equal(wanted.line.n_failures, 1);
    meter_clear(f->meter);
    wanted.n_lines = 0;
    meter_each(f->meter, keep_line, &wanted);
    assert_int_equal(wanted.n_lines, 0);
}

static void
test_meter_percentiles_are_not_too_low_and_hardly_too_high(void **state)
{
    struct fixture *f = *state;
    struct wanted wanted = {.op = OP_SET};
    const sai_object_id_t oid = make(f);

    for (int i = 1; i <= 1000; i++) {
        f->step_ns = i * 100;
        assert_int_equal(set_size(f, oid), SAI_STATUS_SUCCESS);
    }
    meter_each(f->meter, keep_line, &wanted);
    assert_in_range(wanted.line.p50_ns, 50000, 62500);
    assert_in_range(wanted.line.p99_ns, 99000, 100000);
    assert_int_equal(wanted.line.max_ns, 100000);
    assert_int_equal(wanted.line.total_ns, 100 * 500500);
    /* 100 ns to 100 us: 10 of them are below 1,024 ns, 81 below 8,192. */
    assert_int_equal(wanted.line.within[0], 10);
    assert_int_equal(wanted.line.within[1], 81);
    assert_int_equal(wanted.line.within[2], 655);
    assert_int_equal(wanted.line.within[3], 1000);
    assert_int_equal(wanted.line.within[METER_BOUNDS - 1], 1000);
}

static void
test_meter_takes_any_latency(void **state)
{
    static const int64_t steps[] = {0, 1, 7, 8, INT64_C(1) << 50};
    struct fixture *f = *state;
    struct wanted wanted = {.op = OP_SET};
    const sai_object_id_t oid = make(f);

    for (size_t i = 0; i < N(steps); i++) {
        f->step_ns = steps[i];
        assert_int_equal(set_size(f, oid), SAI_STATUS_SUCCESS);
        meter_each(f->meter, keep_line, &wanted);
        assert_int_equal(wanted.line.n_calls, i + 1);
        assert_int_equal(wanted.line.max_ns, steps[i]);
        assert_true(wanted.line.p99_ns <= wanted.line.max_ns);
    }
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_without_rules_nothing_changes),
        T(test_a_rule_answers_instead_of_the_vendor),
        T(test_other_operations_and_types_are_left_alone),
        T(test_a_mask_names_the_attribute_in_the_list),
        T(test_nth_every_and_chance_choose_among_calls),
        T(test_delays_add_up_and_show_in_the_meter),
        T(test_bulk_is_struck_object_by_object),
        T(test_a_creation_in_the_middle_of_a_bulk_is_struck),
        T(test_meter_counts_calls_and_failures),
        T(test_meter_percentiles_are_not_too_low_and_hardly_too_high),
        T(test_meter_takes_any_latency),
    };
#undef T

    return cmocka_run_group_tests(tests, NULL, NULL);
}
