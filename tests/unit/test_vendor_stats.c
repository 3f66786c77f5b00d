/* SPDX-License-Identifier: Apache-2.0 */

/* Counters of several objects, from libraries that read them at once, from
 * some that do not, and from some that answer oddly. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "sai/loader/vendor.h"
#include "sai/loader/vendor_stats.h"

#define N 3u
#define S SAI_STATUS_SUCCESS
#define F SAI_STATUS_FAILURE
#define X SAI_STATUS_NOT_SUPPORTED
#define P SAI_STATUS_INVALID_PARAMETER
#define U ((sai_status_t)1) /* The library leaves the status alone. */

/* What the library is to answer, and what it was asked. */
static struct {
    sai_status_t result;
    sai_status_t statuses[N];
    sai_status_t single;
    char calls[128];
} script;

static void
note(const char *what, sai_stats_mode_t mode)
{
    const size_t length = strlen(script.calls);

    assert_true(text_format(script.calls + length, sizeof script.calls - length,
                            "%s%s%d", length ? " " : "", what, (int)mode));
}

static sai_status_t
read_all(sai_object_id_t switch_id, sai_object_type_t type, uint32_t n,
         const sai_object_key_t *keys, uint32_t n_ids, const sai_stat_id_t *ids,
         sai_stats_mode_t mode, sai_status_t *statuses, uint64_t *values)
{
    note("all", mode);
    assert_int_equal(switch_id, 0x21);
    assert_int_equal(type, SAI_OBJECT_TYPE_QUEUE);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n_ids; k++) {
            values[i * n_ids + k] = 1000 * keys[i].key.object_id + ids[k];
        }
        if (script.statuses[i] != U) {
            statuses[i] = script.statuses[i];
        }
    }
    return script.result;
}

static sai_status_t
read_one_ext(sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
             sai_stats_mode_t mode, uint64_t *values)
{
    note("one", mode);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = 5000 * oid + ids[i];
    }
    return script.single;
}

static sai_status_t
read_one(sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
         uint64_t *values)
{
    return read_one_ext(oid, n, ids, SAI_STATS_MODE_READ, values);
}

static const sai_queue_api_t queues = {.get_queue_stats = read_one,
                                       .get_queue_stats_ext = read_one_ext};

static const sai_object_key_t keys[N] = {
    {.key.object_id = 1}, {.key.object_id = 2}, {.key.object_id = 3}};
static const sai_stat_id_t ids[] = {SAI_QUEUE_STAT_PACKETS,
                                    SAI_QUEUE_STAT_BYTES};

struct fixture {
    struct vendor vendor;
    uint64_t values[N * 2];
    sai_status_t statuses[N];
    struct backend_stats call;
};

static int
setup(void **state)
{
    static struct fixture f;

    memset(&f, 0, sizeof f);
    memset(&script, 0, sizeof script);
    vendor_init(&f.vendor);
    f.vendor.version = SAI_API_VERSION;
    f.vendor.backend.switch_id = 0x21;
    f.vendor.get_stats_many = read_all;
    vendor_library_add(&f.vendor, SAI_API_QUEUE, &queues);
    f.call = (struct backend_stats){.type = SAI_OBJECT_TYPE_QUEUE,
                                    .mode = SAI_STATS_MODE_READ,
                                    .n = N,
                                    .keys = keys,
                                    .n_ids = 2,
                                    .ids = ids,
                                    .values = f.values,
                                    .statuses = f.statuses};
    *state = &f;
    return 0;
}

/* Reads, and returns which calls the library got. */
static const char *
calls_of(struct fixture *f, sai_status_t expected)
{
    memset(script.calls, 0, sizeof script.calls);
    assert_int_equal(backend_get_stats_many(&f->vendor.backend, &f->call),
                     expected);
    return script.calls;
}

static const struct {
    const char *name;
    sai_status_t result;
    sai_status_t statuses[N];
    sai_status_t single;
    /* Expected; the calls have the mode that the library sees. */
    sai_status_t sum;
    sai_status_t outcomes[N];
    const char *calls, *calls_again;
} answers[] = {
    {"all can be read", S, {S, S, S}, F, S, {S, S, S}, "all4", "all4"},
    {"statuses mean nothing then",
     S,
     {F, U, X},
     F,
     S,
     {S, S, S},
     "all4",
     "all4"},
    {"one cannot be read", F, {S, F, S}, S, F, {S, F, S}, "all4", "all4"},
    {"one was passed over",
     F,
     {F, S, U},
     S,
     F,
     {F, S, S},
     "all4 one1",
     "all4 one1"},
    {"it does not say which",
     F,
     {S, S, S},
     S,
     S,
     {S, S, S},
     "all4 one1 one1 one1",
     "all4 one1 one1 one1"},
    {"it says nothing but that it failed",
     F,
     {U, U, U},
     F,
     F,
     {F, F, F},
     "all4 one1 one1 one1",
     "all4 one1 one1 one1"},
    {"it has no such function",
     X,
     {U, U, U},
     S,
     S,
     {S, S, S},
     "all4 one1 one1 one1",
     "one1 one1 one1"},
    {"it says so for each",
     F,
     {X, X, X},
     S,
     S,
     {S, S, S},
     "all4 one1 one1 one1",
     "one1 one1 one1"},
    {"it does not know the mode",
     P,
     {U, U, U},
     S,
     S,
     {S, S, S},
     "all4 one1 one1 one1",
     "one1 one1 one1"},
    {"it lacks one of the counters",
     F,
     {X, X, X},
     X,
     F,
     {X, X, X},
     "all4 one1 one1 one1",
     "all4 one1 one1 one1"},
};

static void
test_answers(void **state)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct fixture *f;

        setup(state);
        f = *state;
        script.result = answers[i].result;
        script.single = answers[i].single;
        memcpy(script.statuses, answers[i].statuses, sizeof script.statuses);
        print_message("%s\n", answers[i].name);
        assert_string_equal(calls_of(f, answers[i].sum), answers[i].calls);
        assert_memory_equal(f->statuses, answers[i].outcomes,
                            sizeof f->statuses);
        assert_string_equal(calls_of(f, answers[i].sum),
                            answers[i].calls_again);
        assert_memory_equal(f->statuses, answers[i].outcomes,
                            sizeof f->statuses);
    }
}

static void
test_values_are_where_the_object_is(void **state)
{
    struct fixture *f = *state;

    script.result = F;
    script.statuses[1] = U;
    script.statuses[2] = F;
    assert_string_equal(calls_of(f, F), "all4 one1");
    assert_int_equal(f->values[1], 1000 + SAI_QUEUE_STAT_BYTES);
    assert_int_equal(f->values[2], 10000 + SAI_QUEUE_STAT_PACKETS);
    assert_int_equal(f->values[3], 10000 + SAI_QUEUE_STAT_BYTES);
}

/* Keeps the notes. */
static void
on_note(void *reported_, const char *code, const char *text)
{
    struct text *reported = reported_;

    text_addf(reported, "%s: %s\n", code, text);
}

/* What is refused for some counters may be done for others. */
static void
test_a_refusal_is_remembered_by_list_and_reported_once(void **state)
{
    struct fixture *f = *state;
    const sai_stat_id_t others[] = {SAI_QUEUE_STAT_BYTES,
                                    SAI_QUEUE_STAT_PACKETS};
    struct text reported = {0};

    f->vendor.note = on_note;
    f->vendor.note_context = &reported;
    script.result = X;
    for (uint32_t i = 0; i < N; i++) {
        script.statuses[i] = U;
    }
    assert_string_equal(calls_of(f, S), "all4 one1 one1 one1");
    assert_string_equal(calls_of(f, S), "one1 one1 one1");
    assert_string_equal(
        text_string(&reported),
        "bulk-refused: the library does not read SAI_QUEUE_STAT_PACKETS, "
        "SAI_QUEUE_STAT_BYTES of several objects in one call "
        "(SAI_STATUS_NOT_SUPPORTED): from now on orchd reads them by one "
        "call per object\n");
    text_clear(&reported);
    /* The same in another order, and one of them alone, are other lists. */
    f->call.ids = others;
    assert_string_equal(calls_of(f, S), "all4 one1 one1 one1");
    script.result = S;
    f->call.n_ids = 1;
    assert_string_equal(calls_of(f, S), "all4");
    f->call.ids = ids;
    f->call.n_ids = 2;
    assert_string_equal(calls_of(f, S), "one1 one1 one1");
    assert_non_null(strstr(text_string(&reported), "SAI_QUEUE_STAT_BYTES, "));
    text_clear(&reported);
    /* Counters that do not exist are not reported here. */
    f->call.ids = others;
    f->call.n_ids = 1;
    script.result = script.single = X;
    assert_string_equal(calls_of(f, F), "all4 one1 one1 one1");
    assert_string_equal(text_string(&reported), "");
    text_fini(&reported);
}

/* There is room for so many lists; after that the oldest is asked again. */
static void
test_refusals_are_bounded(void **state)
{
    struct fixture *f = *state;
    const sai_stat_id_t one_more = VENDOR_MAX_REFUSALS;

    script.result = X;
    for (uint32_t i = 0; i < N; i++) {
        script.statuses[i] = U;
    }
    f->call.n_ids = 1;
    for (sai_stat_id_t id = 0; id < VENDOR_MAX_REFUSALS; id++) {
        f->call.ids = &id;
        assert_string_equal(calls_of(f, S), "all4 one1 one1 one1");
        assert_string_equal(calls_of(f, S), "one1 one1 one1");
    }
    f->call.ids = &one_more;
    assert_string_equal(calls_of(f, S), "all4 one1 one1 one1");
    f->call.ids = ids; /* Its first was the oldest. */
    assert_string_equal(calls_of(f, S), "all4 one1 one1 one1");
}

/* What cannot clear may still read. */
static void
test_a_refusal_is_remembered_by_mode(void **state)
{
    struct fixture *f = *state;

    f->call.mode = SAI_STATS_MODE_READ_AND_CLEAR;
    script.result = X;
    for (uint32_t i = 0; i < N; i++) {
        script.statuses[i] = U;
    }
    assert_string_equal(calls_of(f, S), "all16 one2 one2 one2");
    assert_string_equal(calls_of(f, S), "one2 one2 one2");
    f->call.mode = SAI_STATS_MODE_READ;
    script.result = S;
    assert_string_equal(calls_of(f, S), "all4");
}

static void
test_it_is_used_where_it_is_of_use(void **state)
{
    struct fixture *f = *state;
    const sai_stat_id_t young[] = {SAI_QUEUE_STAT_PACKETS,
                                   SAI_QUEUE_STAT_TRIM_PACKETS};

    f->call.n = 1;
    assert_string_equal(calls_of(f, S), "one1");
    f->call.n = N;
    f->vendor.get_stats_many = NULL; /* As before SAI 1.10. */
    assert_string_equal(calls_of(f, S), "one1 one1 one1");
    f->vendor.get_stats_many = read_all;
    f->vendor.version = SAI_VERSION(1, 14, 0);
    f->call.ids = young;
    assert_string_equal(calls_of(f, F), "");
    assert_int_equal(f->statuses[2], SAI_STATUS_NOT_IMPLEMENTED);
    f->call.ids = ids;
    f->call.type = SAI_OBJECT_TYPE_FDB_ENTRY;
    assert_string_equal(calls_of(f, F), "");
    f->call.type = (sai_object_type_t)-1;
    assert_string_equal(calls_of(f, F), "");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_answers, setup),
        cmocka_unit_test_setup(test_values_are_where_the_object_is, setup),
        cmocka_unit_test_setup(test_a_refusal_is_remembered_by_mode, setup),
        cmocka_unit_test_setup(
            test_a_refusal_is_remembered_by_list_and_reported_once, setup),
        cmocka_unit_test_setup(test_refusals_are_bounded, setup),
        cmocka_unit_test_setup(test_it_is_used_where_it_is_of_use, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
