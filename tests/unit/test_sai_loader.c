/* SPDX-License-Identifier: Apache-2.0 */

/* Loading libraries of several releases, and dispatching to their functions. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sai/core/capability.h"
#include "sai/loader/function_table.h"
#include "sai/loader/loader.h"
#include "tests/support/tempfile.h"
#include "tests/unit/fake_sai.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* FAKE_DIR is where the build puts the libraries. */
#define FAKE         FAKE_DIR "/libfakesai.so"
#define FAKE_1_10    FAKE_DIR "/libfakesai-1-10.so"
#define FAKE_1_8     FAKE_DIR "/libfakesai-1-8.so"
#define FAKE_UNKNOWN FAKE_DIR "/libfakesai-unknown.so"

static struct loader *
open_fake(const char *path)
{
    const struct loader_options options = {.path = path};
    struct loader *loader = NULL;
    struct err err = {0};

    if (loader_open(&options, &loader, &err)) {
        fail_msg("%s: %s", path, err.reason);
    }
    return loader;
}

static struct fake_log *
log_of(struct loader *loader)
{
    struct fake_log *(*get)(void);
    void *symbol = loader_symbol(loader, FAKE_LOG_SYMBOL);

    assert_non_null(symbol);
    memcpy(&get, &symbol, sizeof get);
    return get();
}

static const struct loader_pair refuse[] = {{"FAKE_REFUSE", "1"}};
static const struct loader_pair no_port[] = {{"FAKE_NO_PORT", "1"}};

struct refusal {
    struct loader_options options;
    enum st status;
    const char *code;
    const char *mentioned;
};

static const struct refusal refusals[] = {
    {{.path = "libnonexistentsai.so.42"},
     ST_INVALID,
     "sai-load",
     "libnonexistentsai.so.42"},
    {{.path = "/etc/passwd"}, ST_INVALID, "sai-load", "/etc/passwd"},
    {{.path = "libm.so.6"}, ST_INVALID, "sai-not-sai", "sai_api_initialize"},
    {{.path = FAKE_1_8}, ST_UNSUPPORTED, "sai-too-old", "10803"},
    {{.path = FAKE_UNKNOWN}, ST_UNSUPPORTED, "sai-unversioned", "release"},
    {{.path = FAKE, .profile = refuse, .n_profile = 1},
     ST_DEVICE,
     "sai-refused",
     "SAI_STATUS_INVALID_NV_STORAGE"},
    {{.path = FAKE, .profile = no_port, .n_profile = 1},
     ST_DEVICE,
     "sai-no-tables",
     "port"},
};

static void
check_refusal(const struct refusal *refusal)
{
    struct loader *loader = NULL;
    struct err err = {0};

    assert_int_equal(loader_open(&refusal->options, &loader, &err),
                     refusal->status);
    assert_null(loader);
    assert_string_equal(err.code, refusal->code);
    assert_non_null(strstr(err.reason, refusal->mentioned));
    assert_true(err.remedy[0] != '\0');
}

static void
test_refusal_is_explained(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    const struct refusal missing = {
        {.path = nowhere}, ST_NOT_FOUND, "sai-missing", nowhere};

    (void)state;
    tempfile_missing(nowhere, "libsai.so");
    check_refusal(&missing);
    for (size_t i = 0; i < COUNT(refusals); i++) {
        check_refusal(&refusals[i]);
    }
    /* Nothing was left behind. */
    loader_close(open_fake(FAKE));
}

static void
test_one_library_at_a_time(void **state)
{
    const struct loader_options options = {.path = FAKE};
    struct loader *first = open_fake(FAKE);
    struct loader *second = NULL;
    struct err err = {0};

    (void)state;
    assert_int_equal(loader_open(&options, &second, &err), ST_BUSY);
    assert_string_equal(err.code, "sai-in-use");
    assert_null(second);
    loader_close(first);
    loader_close(NULL);
    loader_close(open_fake(FAKE));
}

static void
test_library_without_release_by_request(void **state)
{
    const struct loader_options options = {.path = FAKE_UNKNOWN,
                                           .allow_unversioned = true};
    struct loader *loader = NULL;

    (void)state;
    assert_int_equal(loader_open(&options, &loader, NULL), ST_OK);
    assert_int_equal(loader_version(loader), 10900);
    assert_true(loader_is_dated(loader));
    loader_close(loader);
}

static void
test_library_reads_profile(void **state)
{
    const struct loader_pair profile[] = {
        {"FAKE_KEY", "first"}, {"OTHER", "x"}, {"FAKE_KEY", "second"}};
    const struct loader_options options = {
        .path = FAKE, .profile = profile, .n_profile = COUNT(profile)};
    struct loader *loader = NULL;

    (void)state;
    assert_int_equal(loader_open(&options, &loader, NULL), ST_OK);
    assert_string_equal(log_of(loader)->profile_value, "second");
    assert_int_equal(log_of(loader)->n_profile_pairs, 3);
    assert_null(loader_symbol(loader, "no_such_symbol"));
    assert_int_equal(loader_version(loader), SAI_API_VERSION);
    assert_false(loader_is_dated(loader));
    loader_close(loader);
}

static void
test_switch_is_created_once(void **state)
{
    struct loader *loader = open_fake(FAKE);
    struct sai_backend *backend = loader_backend(loader);
    const sai_attribute_t mac = {.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS};
    const struct fake_log *log = log_of(loader);
    struct err err = {0};

    (void)state;
    assert_int_equal(backend->switch_id, SAI_NULL_OBJECT_ID);
    assert_int_equal(loader_create_switch(loader, 1, &mac, &err), ST_OK);
    assert_true(backend->switch_id == FAKE_SWITCH);
    assert_int_equal(log->first_id, SAI_SWITCH_ATTR_INIT_SWITCH);
    assert_int_equal(log->n, 2);

    assert_int_equal(loader_create_switch(loader, 0, NULL, &err), ST_EXISTS);
    assert_string_equal(err.code, "sai-switch");
    assert_int_equal(
        backend->ops->remove(backend, SAI_OBJECT_TYPE_SWITCH, FAKE_SWITCH),
        SAI_STATUS_SUCCESS);
    assert_int_equal(backend->switch_id, SAI_NULL_OBJECT_ID);
    assert_int_equal(loader_create_switch(loader, 0, NULL, &err), ST_OK);
    loader_close(loader);
}

static void
test_verbs_reach_the_function_of_their_type(void **state)
{
    struct loader *loader = open_fake(FAKE);
    struct sai_backend *backend = loader_backend(loader);
    const struct fake_log *log = log_of(loader);
    sai_attribute_t attribute = {.id = SAI_BUFFER_POOL_ATTR_SIZE};
    sai_object_id_t oid = 0;

    (void)state;
    assert_int_equal(loader_create_switch(loader, 0, NULL, NULL), ST_OK);
    assert_int_equal(backend->ops->create(backend, SAI_OBJECT_TYPE_BUFFER_POOL,
                                          1, &attribute, &oid),
                     SAI_STATUS_SUCCESS);
    assert_string_equal(log->function, "create_buffer_pool");
    assert_true(oid == FAKE_POOL);
    assert_true(log->switch_id == FAKE_SWITCH);
    assert_int_equal(log->first_id, SAI_BUFFER_POOL_ATTR_SIZE);

    assert_int_equal(
        backend->ops->remove(backend, SAI_OBJECT_TYPE_BUFFER_POOL, oid),
        SAI_STATUS_OBJECT_IN_USE);
    assert_string_equal(log->function, "remove_buffer_pool");
    assert_true(log->oid == FAKE_POOL);

    attribute.id = SAI_QUEUE_ATTR_INDEX;
    assert_int_equal(
        backend->ops->set(backend, SAI_OBJECT_TYPE_QUEUE, 5, &attribute),
        SAI_STATUS_SUCCESS);
    assert_string_equal(log->function, "set_queue_attribute");
    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_QUEUE, 5, 1, &attribute),
        SAI_STATUS_SUCCESS);
    assert_string_equal(log->function, "get_queue_attribute");
    assert_int_equal(attribute.value.u8, 7);
    loader_close(loader);
}

static void
test_success_without_an_object_is_a_failure(void **state)
{
    struct loader *loader = open_fake(FAKE);
    struct sai_backend *backend = loader_backend(loader);
    sai_object_id_t oid = 42;

    (void)state;
    assert_int_equal(backend->ops->create(backend,
                                          SAI_OBJECT_TYPE_BUFFER_PROFILE, 0,
                                          NULL, &oid),
                     SAI_STATUS_FAILURE);
    assert_int_equal(oid, 42);
    loader_close(loader);
}

static void
test_counters_are_read_or_cleared(void **state)
{
    struct loader *loader = open_fake(FAKE);
    struct sai_backend *backend = loader_backend(loader);
    const struct fake_log *log = log_of(loader);
    const sai_stat_id_t id = SAI_QUEUE_STAT_WATERMARK_BYTES;
    uint64_t value = 0;

    (void)state;
    assert_int_equal(backend->ops->get_stats(backend, SAI_OBJECT_TYPE_QUEUE, 5,
                                             1, &id, SAI_STATS_MODE_READ,
                                             &value),
                     SAI_STATUS_SUCCESS);
    assert_string_equal(log->function, "get_queue_stats");
    assert_int_equal(value, 100 + id);
    assert_int_equal(
        backend->ops->get_stats(backend, SAI_OBJECT_TYPE_QUEUE, 5, 1, &id,
                                SAI_STATS_MODE_READ_AND_CLEAR, &value),
        SAI_STATUS_SUCCESS);
    assert_string_equal(log->function, "get_queue_stats_ext");
    assert_int_equal(log->mode, SAI_STATS_MODE_READ_AND_CLEAR);
    assert_int_equal(value, 200 + id);
    loader_close(loader);
}

/* Empty slots, missing tables, types that are not reached, objects without
 * counters: the library is not called. */
static void
test_what_is_not_there_is_not_implemented(void **state)
{
    struct loader *loader = open_fake(FAKE);
    struct sai_backend *backend = loader_backend(loader);
    sai_attribute_t attribute = {.id = 0};
    const sai_stat_id_t id = 0;
    uint64_t value = 3;
    sai_object_id_t oid = 9;
    static const sai_object_type_t types[] = {
        SAI_OBJECT_TYPE_PORT, SAI_OBJECT_TYPE_WRED, SAI_OBJECT_TYPE_VLAN,
        SAI_OBJECT_TYPE_NULL, (sai_object_type_t)-1};

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        assert_int_equal(
            backend->ops->create(backend, types[i], 1, &attribute, &oid),
            SAI_STATUS_NOT_IMPLEMENTED);
        assert_int_equal(backend->ops->remove(backend, types[i], 1),
                         SAI_STATUS_NOT_IMPLEMENTED);
        assert_int_equal(backend->ops->set(backend, types[i], 1, &attribute),
                         SAI_STATUS_NOT_IMPLEMENTED);
        assert_int_equal(backend->ops->get(backend, types[i], 1, 1, &attribute),
                         SAI_STATUS_NOT_IMPLEMENTED);
        assert_int_equal(backend->ops->get_stats(backend, types[i], 1, 1, &id,
                                                 SAI_STATS_MODE_READ, &value),
                         SAI_STATUS_NOT_IMPLEMENTED);
    }
    assert_int_equal(oid, 9);
    assert_int_equal(value, 3);
    loader_close(loader);
}

static void
test_library_is_not_asked_for_what_is_younger(void **state)
{
    struct loader *loader = open_fake(FAKE_1_10);
    struct sai_backend *backend = loader_backend(loader);
    struct fake_log *log = log_of(loader);
    sai_attribute_t list[] = {{.id = SAI_QUEUE_ATTR_INDEX},
                              {.id = SAI_QUEUE_ATTR_STATS_COUNT_MODE}};
    const sai_stat_id_t old = SAI_QUEUE_STAT_PACKETS;
    const sai_stat_id_t young = SAI_QUEUE_STAT_TRIM_PACKETS;
    uint64_t value;

    (void)state;
    assert_true(loader_is_dated(loader));
    log->function = NULL;
    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_QUEUE, 5, 2, list),
        SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 - 1);
    assert_int_equal(
        backend->ops->set(backend, SAI_OBJECT_TYPE_QUEUE, 5, &list[1]),
        SAI_STATUS_ATTR_NOT_IMPLEMENTED_0);
    assert_int_equal(backend->ops->get_stats(backend, SAI_OBJECT_TYPE_QUEUE, 5,
                                             1, &young, SAI_STATS_MODE_READ,
                                             &value),
                     SAI_STATUS_NOT_IMPLEMENTED);
    assert_null(log->function);
    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_QUEUE, 5, 1, list),
        SAI_STATUS_SUCCESS);
    assert_int_equal(backend->ops->get_stats(backend, SAI_OBJECT_TYPE_QUEUE, 5,
                                             1, &old, SAI_STATS_MODE_READ,
                                             &value),
                     SAI_STATUS_SUCCESS);
    loader_close(loader);
}

static void
test_tables_grow_with_the_release(void **state)
{
    static const struct {
        sai_api_t api;
        uint64_t version;
        size_t n;
    } cases[] = {
        {SAI_API_PORT, 10803, 0},    {SAI_API_PORT, 10900, 23},
        {SAI_API_PORT, 11001, 23},   {SAI_API_PORT, 11002, 27},
        {SAI_API_PORT, 11300, 31},   {SAI_API_PORT, 11705, 31},
        {SAI_API_PORT, 11801, 35},   {SAI_API_PORT, 12001, 35},
        {SAI_API_BUFFER, 11401, 18}, {SAI_API_BUFFER, 11500, 20},
        {SAI_API_QUEUE, 11401, 7},   {SAI_API_QUEUE, 11500, 9},
        {SAI_API_SWITCH, 11002, 13}, {SAI_API_SWITCH, 11100, 15},
        {SAI_API_WRED, 11801, 4},    {SAI_API_UDF, 11801, 0},
        {SAI_API_ACL, 11801, 28},    {SAI_API_ACL, 11201, 24},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(function_table_n_slots(cases[i].api, cases[i].version),
                         cases[i].n);
    }
    assert_int_equal(function_table_n_slots(SAI_API_PORT, SAI_API_VERSION) *
                         sizeof(void (*)(void)),
                     sizeof(sai_port_api_t));
    assert_int_equal(function_table_n_slots(SAI_API_BUFFER, SAI_API_VERSION) *
                         sizeof(void (*)(void)),
                     sizeof(sai_buffer_api_t));
}

enum { N_QUEUES = 4 };

/* How a library answers a bulk call, and what becomes of it. */
static const struct {
    const char *name;
    sai_status_t result;
    sai_status_t statuses[N_QUEUES];
    sai_status_t single; /* The answer to single calls. */
    sai_status_t expected_result;
    sai_status_t expected[N_QUEUES];
    int n_set;  /* Single calls. */
    int n_bulk; /* Bulk calls after asking twice. */
} bulks[] = {
#define U FAKE_UNTOUCHED
#define S SAI_STATUS_SUCCESS
#define F SAI_STATUS_FAILURE
#define R SAI_STATUS_INSUFFICIENT_RESOURCES
#define X SAI_STATUS_NOT_SUPPORTED
#define E SAI_STATUS_NOT_EXECUTED
    {"all well", S, {S, S, S, S}, F, S, {S, S, S, S}, 0, 2},
    {"fills in nothing", S, {U, U, U, U}, F, S, {S, S, S, S}, 0, 2},
    {"one refused", F, {S, R, S, S}, F, F, {S, R, S, S}, 0, 2},
    {"hides a failure", S, {S, R, S, S}, F, F, {S, R, S, S}, 0, 2},
    {"stops although not asked to", F, {S, R, E, U}, S, F, {S, R, S, S}, 2, 2},
    {"fails without saying where", F, {U, U, U, U}, S, S, {S, S, S, S}, 4, 2},
    {"fails although all went well", F, {S, S, S, S}, R, F, {R, R, R, R}, 4, 2},
    {"not implemented",
     SAI_STATUS_NOT_IMPLEMENTED,
     {U, U, U, U},
     S,
     S,
     {S, S, S, S},
     4,
     1},
    {"not supported for any", F, {X, X, X, X}, R, F, {R, R, R, R}, 4, 1},
#undef E
#undef X
#undef R
#undef F
#undef S
#undef U
};

/* Sets 'n' queues of the fake and returns the result. */
static sai_status_t
set_queues(struct sai_backend *backend, sai_bulk_op_error_mode_t mode,
           sai_status_t *statuses)
{
    const sai_object_id_t oids[N_QUEUES] = {5, 6, 7, 8};
    sai_attribute_t attributes[N_QUEUES];

    for (int i = 0; i < N_QUEUES; i++) {
        attributes[i] = (sai_attribute_t){SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                                          {.oid = (sai_object_id_t)i}};
    }
    return backend_set_many(backend, SAI_OBJECT_TYPE_QUEUE, N_QUEUES, oids,
                            attributes, mode, statuses);
}

static void
test_bulk_calls_give_true_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bulks); i++) {
        struct loader *loader = open_fake(FAKE);
        struct sai_backend *backend = loader_backend(loader);
        struct fake_log *log = log_of(loader);
        sai_status_t statuses[N_QUEUES];
        int n_set;

        print_message("%s\n", bulks[i].name);
        log->n_set = log->n_bulk = 0;
        log->set_status = bulks[i].single;
        log->bulk_result = bulks[i].result;
        memcpy(log->bulk_statuses, bulks[i].statuses, sizeof bulks[i].statuses);
        assert_int_equal(
            set_queues(backend, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses),
            bulks[i].expected_result);
        assert_memory_equal(statuses, bulks[i].expected, sizeof statuses);
        n_set = log->n_set;
        assert_int_equal(n_set, bulks[i].n_set);
        (void)set_queues(backend, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                         statuses);
        assert_int_equal(log->n_bulk, bulks[i].n_bulk);
        loader_close(loader);
    }
}

static void
test_bulk_call_stops_where_it_should(void **state)
{
    struct loader *loader = open_fake(FAKE);
    struct sai_backend *backend = loader_backend(loader);
    struct fake_log *log = log_of(loader);
    sai_status_t statuses[N_QUEUES];

    (void)state;
    log->n_set = 0;
    log->bulk_result = SAI_STATUS_FAILURE;
    log->bulk_statuses[0] = SAI_STATUS_SUCCESS;
    log->bulk_statuses[1] = SAI_STATUS_TABLE_FULL;
    log->bulk_statuses[2] = log->bulk_statuses[3] = FAKE_UNTOUCHED;
    assert_int_equal(
        set_queues(backend, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[1], SAI_STATUS_TABLE_FULL);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(statuses[3], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(log->n_set, 0);
    loader_close(loader);

    /* Singly, because the release has no bulk function: the slot is beyond its
     * table. */
    loader = open_fake(FAKE_1_10);
    log = log_of(loader);
    log->n_set = log->n_bulk = 0;
    log->set_status = SAI_STATUS_TABLE_FULL;
    assert_int_equal(set_queues(loader_backend(loader),
                                SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_TABLE_FULL);
    assert_int_equal(statuses[1], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(log->n_set, 1);
    assert_int_equal(log->n_bulk, 0);
    loader_close(loader);
}

/* What the library says of every attribute, and what becomes of attempts. */
static const struct {
    sai_status_t status;
    sai_attr_capability_t reported;
    unsigned int flags;
    sai_status_t set;
    sai_status_t create; /* With a mandatory and an optional attribute. */
} capabilities[] = {
    {SAI_STATUS_SUCCESS,
     {true, true, true},
     CAPABILITY_KNOWN | CAPABILITY_CREATE | CAPABILITY_SET | CAPABILITY_GET,
     SAI_STATUS_SUCCESS,
     SAI_STATUS_SUCCESS},
    {SAI_STATUS_SUCCESS,
     {false, false, true},
     CAPABILITY_KNOWN | CAPABILITY_GET,
     SAI_STATUS_ATTR_NOT_IMPLEMENTED_0,
     SAI_STATUS_ATTR_NOT_IMPLEMENTED_0 - 1},
    {SAI_STATUS_NOT_IMPLEMENTED,
     {false, false, false},
     0,
     SAI_STATUS_SUCCESS,
     SAI_STATUS_SUCCESS},
};

static void
test_library_is_believed_what_it_lacks(void **state)
{
    const sai_attribute_t profile = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};
    const sai_attribute_t type = {.id = SAI_QUEUE_ATTR_TYPE};
    const sai_attribute_t pool[] = {{.id = SAI_BUFFER_POOL_ATTR_TYPE},
                                    {.id = SAI_BUFFER_POOL_ATTR_XOFF_SIZE}};

    (void)state;
    for (size_t i = 0; i < COUNT(capabilities); i++) {
        struct loader *loader = open_fake(FAKE);
        struct sai_backend *backend = loader_backend(loader);
        struct fake_log *log = log_of(loader);
        sai_object_id_t oid;

        log->capability_status = capabilities[i].status;
        log->capability = capabilities[i].reported;
        log->set_status = SAI_STATUS_SUCCESS;
        assert_int_equal(loader_capability(loader, SAI_OBJECT_TYPE_QUEUE,
                                           SAI_QUEUE_ATTR_BUFFER_PROFILE_ID),
                         0);
        assert_int_equal(loader_create_switch(loader, 0, NULL, NULL), ST_OK);
        log->n_capability = 0;
        for (int again = 0; again < 2; again++) {
            assert_int_equal(
                backend->ops->set(backend, SAI_OBJECT_TYPE_QUEUE, 5, &profile),
                capabilities[i].set);
            assert_int_equal(
                loader_capability(loader, SAI_OBJECT_TYPE_QUEUE, profile.id),
                capabilities[i].flags);
            assert_int_equal(log->n_capability, 1);
        }
        /* What SAI forbids is for the library to refuse in its own words. */
        assert_int_equal(
            backend->ops->set(backend, SAI_OBJECT_TYPE_QUEUE, 5, &type),
            SAI_STATUS_SUCCESS);
        assert_int_equal(backend->ops->create(backend,
                                              SAI_OBJECT_TYPE_BUFFER_POOL, 2,
                                              pool, &oid),
                         capabilities[i].create);
        assert_int_equal(loader_capability(loader, SAI_OBJECT_TYPE_QUEUE, ~0u),
                         0);
        loader_close(loader);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusal_is_explained),
        cmocka_unit_test(test_one_library_at_a_time),
        cmocka_unit_test(test_library_without_release_by_request),
        cmocka_unit_test(test_library_reads_profile),
        cmocka_unit_test(test_switch_is_created_once),
        cmocka_unit_test(test_verbs_reach_the_function_of_their_type),
        cmocka_unit_test(test_success_without_an_object_is_a_failure),
        cmocka_unit_test(test_counters_are_read_or_cleared),
        cmocka_unit_test(test_what_is_not_there_is_not_implemented),
        cmocka_unit_test(test_library_is_not_asked_for_what_is_younger),
        cmocka_unit_test(test_tables_grow_with_the_release),
        cmocka_unit_test(test_bulk_calls_give_true_answers),
        cmocka_unit_test(test_bulk_call_stops_where_it_should),
        cmocka_unit_test(test_library_is_believed_what_it_lacks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
