/* SPDX-License-Identifier: Apache-2.0 */

/* A second life on a switch that a first one has programmed. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sai/adopt.h"
#include "vendors/store/store.h"

#define N(array) (sizeof(array) / sizeof(array)[0])

struct rig {
    struct store *store;
    struct sai_backend *backend;
    sai_object_id_t pool, profiles[2];
};

/* SAI's function has no context. */
static struct rig *the_rig;

static sai_status_t
list(sai_object_id_t switch_id, sai_object_type_t type, uint32_t *n,
     sai_object_key_t *keys)
{
    const sai_object_id_t *oids = type == SAI_OBJECT_TYPE_BUFFER_POOL
                                      ? &the_rig->pool
                                      : the_rig->profiles;
    const uint32_t there = type == SAI_OBJECT_TYPE_BUFFER_POOL      ? 1
                           : type == SAI_OBJECT_TYPE_BUFFER_PROFILE ? 2
                                                                    : 0;

    assert_int_equal(switch_id, the_rig->backend->switch_id);
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
    struct rig *rig = calloc(1, sizeof *rig);
    sai_object_id_t sw;

    assert_non_null(rig);
    rig->store = store_create(&config);
    rig->backend = store_backend(rig->store);
    assert_int_equal(rig->backend->ops->create(
                         rig->backend, SAI_OBJECT_TYPE_SWITCH, 1, &init, &sw),
                     SAI_STATUS_SUCCESS);
    rig->pool = create_pool(rig->backend, 1000000);
    rig->profiles[0] = create_profile(rig->backend, rig->pool, 1);
    rig->profiles[1] = create_profile(rig->backend, rig->pool, 2);
    the_rig = rig;
    *state = rig;
    return 0;
}

static int
teardown(void **state)
{
    struct rig *rig = *state;

    store_destroy(rig->store);
    free(rig);
    return 0;
}

static bool
is_there(const struct rig *rig, sai_object_id_t oid)
{
    return store_type_of(rig->store, oid) != SAI_OBJECT_TYPE_NULL;
}

static void
test_what_is_as_wanted_is_left_alone(void **state)
{
    struct rig *rig = *state;
    struct adopt *adopt = adopt_create(rig->backend, list, NULL);
    struct sai_backend *backend = adopt_backend(adopt);
    const sai_attribute_t same = {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1000000}};
    struct adopt_figures figures;

    assert_int_equal(create_pool(backend, 1000000), rig->pool);
    /* In another order than they were made. */
    assert_int_equal(create_profile(backend, rig->pool, 2), rig->profiles[1]);
    assert_int_equal(create_profile(backend, rig->pool, 1), rig->profiles[0]);
    assert_int_equal(backend->ops->set(backend, SAI_OBJECT_TYPE_BUFFER_POOL,
                                       rig->pool, &same),
                     SAI_STATUS_SUCCESS);
    adopt_end(adopt);
    adopt_figures(adopt, &figures);
    assert_int_equal(figures.n_found, 3);
    assert_int_equal(figures.n_adopted, 3);
    assert_int_equal(figures.n_unneeded, 1);
    assert_int_equal(figures.n_created + figures.n_set + figures.n_removed +
                         figures.n_kept,
                     0);
    adopt_destroy(adopt);
}

static void
test_one_of_each_is_one_of_each(void **state)
{
    struct rig *rig = *state;
    struct adopt *adopt = adopt_create(rig->backend, list, NULL);
    struct sai_backend *backend = adopt_backend(adopt);

    assert_int_equal(create_pool(backend, 1000000), rig->pool);
    assert_int_equal(create_profile(backend, rig->pool, 1), rig->profiles[0]);
    assert_int_not_equal(create_profile(backend, rig->pool, 1),
                         rig->profiles[0]);
    adopt_destroy(adopt);
}

static void
test_what_differs_is_made_and_the_rest_goes(void **state)
{
    struct rig *rig = *state;
    struct adopt *adopt = adopt_create(rig->backend, list, NULL);
    struct sai_backend *backend = adopt_backend(adopt);
    struct adopt_figures figures;
    sai_object_id_t pool;

    pool = create_pool(backend, 2000000);
    assert_int_not_equal(pool, rig->pool);
    /* It refers to another pool, so it is another profile. */
    assert_int_not_equal(create_profile(backend, pool, 1), rig->profiles[0]);
    assert_true(is_there(rig, rig->profiles[0]));
    adopt_end(adopt);
    adopt_figures(adopt, &figures);
    assert_int_equal(figures.n_created, 2);
    assert_int_equal(figures.n_removed, 3);
    assert_int_equal(figures.n_kept, 0);
    assert_false(is_there(rig, rig->pool));
    assert_false(is_there(rig, rig->profiles[0]));
    assert_true(is_there(rig, pool));
    adopt_destroy(adopt);
}

static void
test_an_attribute_beyond_its_default_makes_a_difference(void **state)
{
    struct rig *rig = *state;
    const sai_attribute_t xoff = {SAI_BUFFER_POOL_ATTR_XOFF_SIZE, {.u64 = 7}};
    struct adopt *adopt;

    assert_int_equal(rig->backend->ops->set(rig->backend,
                                            SAI_OBJECT_TYPE_BUFFER_POOL,
                                            rig->pool, &xoff),
                     SAI_STATUS_SUCCESS);
    adopt = adopt_create(rig->backend, list, NULL);
    assert_int_not_equal(create_pool(adopt_backend(adopt), 1000000), rig->pool);
    adopt_destroy(adopt);
}

static void
test_afterwards_all_is_passed_on(void **state)
{
    struct rig *rig = *state;
    struct adopt *adopt = adopt_create(rig->backend, list, NULL);

    assert_true(adopt_is_active(adopt));
    assert_int_equal(create_pool(adopt_backend(adopt), 1000000), rig->pool);
    adopt_end(adopt);
    assert_false(adopt_is_active(adopt));
    assert_int_not_equal(create_pool(adopt_backend(adopt), 1000000), rig->pool);
    adopt_destroy(adopt);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
