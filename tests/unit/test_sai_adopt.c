/* SPDX-License-Identifier: Apache-2.0 */

/* A second run on a switch that a first one has programmed. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sai/stack/adoption.h"
#include "vendors/store/store.h"

#define N(array) (sizeof(array) / sizeof(array)[0])

struct testbench {
    struct store *store;
    struct sai_backend *backend;
    sai_object_id_t pool, profiles[2];
};

/* SAI's function has no context. */
static struct testbench *the_bench;

static sai_status_t
list(sai_object_id_t switch_id, sai_object_type_t type, uint32_t *n,
     sai_object_key_t *keys)
{
    const sai_object_id_t *oids = type == SAI_OBJECT_TYPE_BUFFER_POOL
                                      ? &the_bench->pool
                                      : the_bench->profiles;
    const uint32_t there = type == SAI_OBJECT_TYPE_BUFFER_POOL      ? 1
                           : type == SAI_OBJECT_TYPE_BUFFER_PROFILE ? 2
                                                                    : 0;

    assert_int_equal(switch_id, the_bench->backend->switch_id);
    if (*n < there) {
        *n = there;
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    *n = there;
    for (uint32_t i = 0; i < there; i++) {
        keys[i].key.object_id = oids[i];
    }
    return SAI_STATUS_SUCCESS;
}

static sai_object_id_t
create_pool(struct sai_backend *backend, uint64_t size)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = size}}};
    sai_object_id_t oid;

    assert_int_equal(backend->ops->create(backend, SAI_OBJECT_TYPE_BUFFER_POOL,
                                          N(attributes), attributes, &oid),
                     SAI_STATUS_SUCCESS);
    return oid;
}

static sai_object_id_t
create_profile(struct sai_backend *backend, sai_object_id_t pool, int8_t alpha)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 100}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = alpha}}};
    sai_object_id_t oid;

    assert_int_equal(backend->ops->create(backend,
                                          SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                          N(attributes), attributes, &oid),
                     SAI_STATUS_SUCCESS);
    return oid;
}

static int
setup(void **state)
{
    const struct store_config config = {.n_ports = 0};
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};
    struct testbench *bench = calloc(1, sizeof *bench);
    sai_object_id_t sw;

    assert_non_null(bench);
    bench->store = store_create(&config);
    bench->backend = store_backend(bench->store);
    assert_int_equal(bench->backend->ops->create(
                         bench->backend, SAI_OBJECT_TYPE_SWITCH, 1, &init, &sw),
                     SAI_STATUS_SUCCESS);
    bench->pool = create_pool(bench->backend, 1000000);
    bench->profiles[0] = create_profile(bench->backend, bench->pool, 1);
    bench->profiles[1] = create_profile(bench->backend, bench->pool, 2);
    the_bench = bench;
    *state = bench;
    return 0;
}

static int
teardown(void **state)
{
    struct testbench *bench = *state;

    store_destroy(bench->store);
    free(bench);
    return 0;
}

static bool
is_there(const struct testbench *bench, sai_object_id_t oid)
{
    return store_type_of(bench->store, oid) != SAI_OBJECT_TYPE_NULL;
}

static void
test_what_is_as_wanted_is_left_alone(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);
    const sai_attribute_t same = {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}};
    struct adoption_figures figures;

    assert_int_equal(create_pool(backend, 1000000), bench->pool);
    /* In another order than they were made. */
    assert_int_equal(create_profile(backend, bench->pool, 2),
                     bench->profiles[1]);
    assert_int_equal(create_profile(backend, bench->pool, 1),
                     bench->profiles[0]);
    assert_int_equal(backend->ops->set(backend, SAI_OBJECT_TYPE_BUFFER_POOL,
                                       bench->pool, &same),
                     SAI_STATUS_SUCCESS);
    adoption_end(adopt);
    adoption_figures(adopt, &figures);
    assert_int_equal(figures.n_found, 3);
    assert_int_equal(figures.n_adopted, 3);
    assert_int_equal(figures.n_unneeded, 1);
    assert_int_equal(figures.n_created + figures.n_set + figures.n_removed +
                         figures.n_kept,
                     0);
    adoption_destroy(adopt);
}

static void
test_one_of_each_is_one_of_each(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);

    assert_int_equal(create_pool(backend, 1000000), bench->pool);
    assert_int_equal(create_profile(backend, bench->pool, 1),
                     bench->profiles[0]);
    assert_int_not_equal(create_profile(backend, bench->pool, 1),
                         bench->profiles[0]);
    adoption_destroy(adopt);
}

static void
test_what_differs_is_made_and_the_rest_goes(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);
    struct adoption_figures figures;
    sai_object_id_t pool;

    pool = create_pool(backend, 2000000);
    assert_int_not_equal(pool, bench->pool);
    /* It refers to another pool, so it is another profile. */
    assert_int_not_equal(create_profile(backend, pool, 1), bench->profiles[0]);
    assert_true(is_there(bench, bench->profiles[0]));
    adoption_end(adopt);
    adoption_figures(adopt, &figures);
    assert_int_equal(figures.n_created, 2);
    assert_int_equal(figures.n_removed, 3);
    assert_int_equal(figures.n_kept, 0);
    assert_false(is_there(bench, bench->pool));
    assert_false(is_there(bench, bench->profiles[0]));
    assert_true(is_there(bench, pool));
    adoption_destroy(adopt);
}

static void
test_an_attribute_beyond_its_default_makes_a_difference(void **state)
{
    struct testbench *bench = *state;
    const sai_attribute_t xoff = {SAI_BUFFER_POOL_ATTR_XOFF_SIZE, {.u64 = 7}};
    struct adoption *adopt;

    assert_int_equal(bench->backend->ops->set(bench->backend,
                                              SAI_OBJECT_TYPE_BUFFER_POOL,
                                              bench->pool, &xoff),
                     SAI_STATUS_SUCCESS);
    adopt = adoption_create(bench->backend, list, NULL);
    assert_int_not_equal(create_pool(adoption_backend(adopt), 1000000),
                         bench->pool);
    adoption_destroy(adopt);
}

static void
test_afterwards_all_is_passed_on(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);

    assert_true(adoption_is_active(adopt));
    assert_int_equal(create_pool(adoption_backend(adopt), 1000000),
                     bench->pool);
    adoption_end(adopt);
    assert_false(adoption_is_active(adopt));
    assert_int_not_equal(create_pool(adoption_backend(adopt), 1000000),
                         bench->pool);
    adoption_destroy(adopt);
}

static void
test_a_name_is_kept_whatever_the_content(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);
    const sai_attribute_value_t *alpha, *action;

    adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[0]);
    assert_int_equal(create_pool(backend, 1000000), bench->pool);
    assert_null(adoption_found(adopt, bench->profiles[0],
                               SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH));
    adoption_expect(adopt, "a");
    assert_int_equal(create_profile(backend, bench->pool, 3),
                     bench->profiles[0]);
    alpha = adoption_found(adopt, bench->profiles[0],
                           SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH);
    assert_non_null(alpha);
    assert_int_equal(alpha->s8, 1);
    action =
        adoption_found(adopt, bench->profiles[0],
                       SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION);
    assert_non_null(action);
    assert_int_equal(action->s32,
                     SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP);
    /* It is there once. */
    assert_int_not_equal(create_profile(backend, bench->pool, 3),
                         bench->profiles[0]);
    adoption_destroy(adopt);
}

static void
test_what_can_only_be_created_has_to_fit(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);

    adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[0]);
    adoption_expect(adopt, "a");
    assert_int_not_equal(
        create_profile(backend, create_pool(backend, 2000000), 1),
        bench->profiles[0]);
    adoption_destroy(adopt);
}

static void
test_what_the_switch_does_not_confirm_is_forgotten(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);

    adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE, bench->pool);
    adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE, 12345);
    adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[0]);
    adoption_remember(adopt, "b", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[0]);
    adoption_remember(adopt, "c", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[0]);
    for (const char *name = "a\0b\0c\0"; *name; name += 2) {
        adoption_expect(adopt, name);
        assert_int_not_equal(create_profile(backend, bench->pool, 3),
                             bench->profiles[0]);
    }
    adoption_expect(adopt, "d");
    assert_int_equal(create_profile(backend, bench->pool, 1),
                     bench->profiles[0]);
    adoption_destroy(adopt);
}

/* A function of a library that lacks it. */
static sai_status_t
refuse_list(sai_object_id_t switch_id, sai_object_type_t type, uint32_t *n,
            sai_object_key_t *keys)
{
    (void)switch_id;
    (void)keys;
    if (type == SAI_OBJECT_TYPE_SCHEDULER) {
        *n = 0;
        return SAI_STATUS_SUCCESS;
    }
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static void
test_without_a_list_the_names_say_what_there_is(void **state)
{
    static const adoption_list_fn lists[] = {NULL, refuse_list};
    struct testbench *bench = *state;

    for (size_t i = 0; i < N(lists); i++) {
        struct adoption *adopt =
            adoption_create(bench->backend, lists[i], NULL);
        struct sai_backend *backend = adoption_backend(adopt);
        struct adoption_figures figures;

        adoption_remember(adopt, "pool", SAI_OBJECT_TYPE_BUFFER_POOL,
                          bench->pool);
        adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                          bench->profiles[0]);
        /* Neither an object nor one of that type. */
        adoption_remember(adopt, "b", SAI_OBJECT_TYPE_BUFFER_PROFILE, 12345);
        adoption_remember(adopt, "c", SAI_OBJECT_TYPE_QOS_MAP,
                          bench->profiles[1]);
        adoption_remember(adopt, "d", SAI_OBJECT_TYPE_SCHEDULER,
                          bench->profiles[1]);
        adoption_read_remembered(adopt);
        adoption_figures(adopt, &figures);
        assert_int_equal(figures.n_found, 2);
        adoption_expect(adopt, "pool");
        assert_int_equal(create_pool(backend, 1000000), bench->pool);
        adoption_expect(adopt, "a");
        assert_int_equal(create_profile(backend, bench->pool, 5),
                         bench->profiles[0]);
        /* The other profile is not known, so it is neither taken nor removed.
         */
        adoption_expect(adopt, NULL);
        assert_int_not_equal(create_profile(backend, bench->pool, 2),
                             bench->profiles[1]);
        adoption_end(adopt);
        adoption_figures(adopt, &figures);
        assert_int_equal(figures.n_adopted, 2);
        assert_int_equal(figures.n_created, 1);
        assert_int_equal(figures.n_removed, 0);
        assert_true(is_there(bench, bench->profiles[1]));
        adoption_destroy(adopt);
    }
}

static void
test_without_a_list_stale_names_are_removed(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, NULL, NULL);
    struct sai_backend *backend = adoption_backend(adopt);

    adoption_remember(adopt, "pool", SAI_OBJECT_TYPE_BUFFER_POOL, bench->pool);
    adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[0]);
    /* Two names: the content decides. */
    adoption_remember(adopt, "b", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[1]);
    adoption_remember(adopt, "c", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[1]);
    adoption_read_remembered(adopt);
    adoption_expect(adopt, "pool");
    assert_int_equal(create_pool(backend, 1000000), bench->pool);
    adoption_expect(adopt, "b");
    assert_int_equal(create_profile(backend, bench->pool, 2),
                     bench->profiles[1]);
    adoption_end(adopt);
    assert_false(is_there(bench, bench->profiles[0]));
    assert_true(is_there(bench, bench->profiles[1]));
    adoption_destroy(adopt);
}

static bool
wants_a(void *wanted, const char *name)
{
    return *(bool *)wanted && !strcmp(name, "a");
}

static void
test_what_its_owner_wants_is_not_given_away(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);
    bool wanted = true;

    adoption_ask(adopt, wants_a, &wanted);
    adoption_remember(adopt, "a", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[0]);
    adoption_remember(adopt, "b", SAI_OBJECT_TYPE_BUFFER_PROFILE,
                      bench->profiles[1]);
    adoption_expect(adopt, "c");
    assert_int_not_equal(create_profile(backend, bench->pool, 1),
                         bench->profiles[0]);
    assert_int_equal(create_profile(backend, bench->pool, 2),
                     bench->profiles[1]);
    wanted = false;
    assert_int_equal(create_profile(backend, bench->pool, 1),
                     bench->profiles[0]);
    adoption_destroy(adopt);
}

static void
test_of_many_values_those_that_differ_are_set(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);
    const sai_object_id_t oids[] = {bench->profiles[0], bench->profiles[1],
                                    bench->profiles[0], 12345};
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 1}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 1}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 100}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 1}}};
    const uint64_t n_before = store_calls(bench->store, STORE_SET);
    sai_attribute_t th = {.id = SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH};
    struct adoption_figures figures;
    sai_status_t statuses[4];

    assert_int_not_equal(
        backend_set_many(backend, SAI_OBJECT_TYPE_BUFFER_PROFILE, 4, oids,
                         attributes, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                         statuses),
        SAI_STATUS_SUCCESS);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(statuses[i], SAI_STATUS_SUCCESS);
    }
    assert_int_not_equal(statuses[3], SAI_STATUS_SUCCESS);
    adoption_figures(adopt, &figures);
    assert_int_equal(figures.n_unneeded, 2);
    assert_int_equal(figures.n_set, 1);
    assert_int_equal(store_calls(bench->store, STORE_SET), n_before + 2);
    assert_int_equal(bench->backend->ops->get(bench->backend,
                                              SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                              bench->profiles[1], 1, &th),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(th.value.s8, 1);
    adoption_destroy(adopt);
}

static void
on_ports(uint32_t n, const sai_port_oper_status_notification_t *ports)
{
    (void)n;
    (void)ports;
}

/* The pointer of a callback says nothing of who holds it: it is always set. */
static void
test_a_callback_is_set_again(void **state)
{
    struct testbench *bench = *state;
    const sai_attribute_t notify = {
        SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY,
        {.ptr = (sai_pointer_t)(uintptr_t)on_ports}};
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);
    const uint64_t n_before = store_calls(bench->store, STORE_SET);

    for (int i = 0; i < 2; i++) {
        assert_int_equal(backend->ops->set(backend, SAI_OBJECT_TYPE_SWITCH,
                                           backend->switch_id, &notify),
                         SAI_STATUS_SUCCESS);
    }
    assert_int_equal(store_calls(bench->store, STORE_SET), n_before + 2);
    adoption_destroy(adopt);
}

static bool
is_no_shared_headroom(sai_object_type_t type, sai_attr_id_t id)
{
    return type != SAI_OBJECT_TYPE_BUFFER_POOL ||
           id != SAI_BUFFER_POOL_ATTR_XOFF_SIZE;
}

static void
test_what_nobody_uses_makes_no_difference(void **state)
{
    struct testbench *bench = *state;
    const sai_attribute_t xoff = {SAI_BUFFER_POOL_ATTR_XOFF_SIZE, {.u64 = 7}};
    struct adoption *adopt;

    assert_int_equal(bench->backend->ops->set(bench->backend,
                                              SAI_OBJECT_TYPE_BUFFER_POOL,
                                              bench->pool, &xoff),
                     SAI_STATUS_SUCCESS);
    adopt = adoption_create(bench->backend, list, is_no_shared_headroom);
    assert_int_equal(create_pool(adoption_backend(adopt), 1000000),
                     bench->pool);
    assert_null(
        adoption_found(adopt, bench->pool, SAI_BUFFER_POOL_ATTR_XOFF_SIZE));
    adoption_destroy(adopt);
}

static void
test_what_was_removed_is_nobody(void **state)
{
    struct testbench *bench = *state;
    struct adoption *adopt = adoption_create(bench->backend, list, NULL);
    struct sai_backend *backend = adoption_backend(adopt);

    assert_int_equal(create_profile(backend, bench->pool, 1),
                     bench->profiles[0]);
    assert_int_equal(backend->ops->remove(backend,
                                          SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                          bench->profiles[0]),
                     SAI_STATUS_SUCCESS);
    assert_null(adoption_found(adopt, bench->profiles[0],
                               SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH));
    adoption_destroy(adopt);
}

#define RIGGED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        RIGGED(test_what_is_as_wanted_is_left_alone),
        RIGGED(test_one_of_each_is_one_of_each),
        RIGGED(test_what_differs_is_made_and_the_rest_goes),
        RIGGED(test_an_attribute_beyond_its_default_makes_a_difference),
        RIGGED(test_afterwards_all_is_passed_on),
        RIGGED(test_a_name_is_kept_whatever_the_content),
        RIGGED(test_what_can_only_be_created_has_to_fit),
        RIGGED(test_what_the_switch_does_not_confirm_is_forgotten),
        RIGGED(test_without_a_list_the_names_say_what_there_is),
        RIGGED(test_without_a_list_stale_names_are_removed),
        RIGGED(test_what_its_owner_wants_is_not_given_away),
        RIGGED(test_of_many_values_those_that_differ_are_set),
        RIGGED(test_a_callback_is_set_again),
        RIGGED(test_what_nobody_uses_makes_no_difference),
        RIGGED(test_what_was_removed_is_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
