/* SPDX-License-Identifier: Apache-2.0 */

/* Which changes are one generation: a load, what was before it, and whatever
 * else changes until it is quiet. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/timeline.h"
#include "orchd/history/burst.h"
#include "orchd/history/history.h"

#define MS INT64_C(1000000)

struct bench {
    char directory[64], file[96];
    struct history *history;
    struct timeline *timeline;
    struct burst *burst;
    int64_t now;
    uint64_t generation;
    unsigned int n_asked; /* How often CONFIG_DB was quiet. */
    unsigned int n_rows;
};

static void
on_quiet(void *bench_)
{
    struct bench *bench = bench_;

    bench->n_asked++;
}

static int
setup(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct err err;

    text_copy(bench->directory, sizeof bench->directory,
              "/tmp/test_burst.XXXXXX");
    if (!mkdtemp(bench->directory) ||
        history_open(bench->directory, &bench->history, &err)) {
        return 1;
    }
    text_format(bench->file, sizeof bench->file, "%s/history.jsonl",
                bench->directory);
    bench->timeline = timeline_create();
    bench->burst =
        burst_create(bench->timeline, bench->history, on_quiet, bench);
    *state = bench;
    return 0;
}

static int
teardown(void **state)
{
    struct bench *bench = *state;

    burst_destroy(bench->burst);
    timeline_destroy(bench->timeline);
    history_close(bench->history);
    unlink(bench->file);
    rmdir(bench->directory);
    free(bench);
    return 0;
}

/* A new row arrives. */
static void
arrive(struct bench *bench)
{
    const struct field field = {"a", "b"};
    char key[32];

    text_format(key, sizeof key, "T|%u", bench->n_rows++);
    history_row(bench->history, key, &field, 1);
    burst_row(bench->burst, bench->now);
}

static void
pass(struct bench *bench, int64_t ns)
{
    bench->now += ns;
    timeline_run(bench->timeline, bench->now);
}

/* A turn ends.  Returns the number of rows of the generation that it makes. */
static size_t
turn(struct bench *bench, bool settled)
{
    size_t n = history_n_news(bench->history);
    struct err err;

    if (!burst_is_over(bench->burst, settled)) {
        return 0;
    }
    assert_int_equal(
        history_note(bench->history, ++bench->generation, "then", &err), ST_OK);
    return n;
}

static void
test_a_burst_ends_when_it_is_quiet_and_read(void **state)
{
    struct bench *bench = *state;

    for (int i = 0; i < 5; i++) {
        arrive(bench);
        assert_int_equal(turn(bench, true), 0);
        pass(bench, 400 * MS);
    }
    assert_int_equal(bench->n_asked, 0);
    pass(bench, 100 * MS);
    assert_int_equal(bench->n_asked, 1);
    /* The rows may still be on their way. */
    assert_int_equal(turn(bench, true), 0);
    burst_read(bench->burst);
    /* And the agent may have work. */
    assert_int_equal(turn(bench, false), 0);
    assert_int_equal(turn(bench, true), 5);
    assert_int_equal(turn(bench, true), 0);
    pass(bench, 10000 * MS);
    assert_int_equal(bench->n_asked, 1);
}

static void
test_a_row_that_was_on_its_way_continues_the_burst(void **state)
{
    struct bench *bench = *state;

    arrive(bench);
    pass(bench, 500 * MS);
    assert_int_equal(bench->n_asked, 1);
    pass(bench, 1 * MS);
    arrive(bench);
    burst_read(bench->burst);
    assert_int_equal(turn(bench, true), 0);
    pass(bench, 500 * MS);
    assert_int_equal(bench->n_asked, 2);
    burst_read(bench->burst);
    assert_int_equal(turn(bench, true), 2);
}

static void
test_a_client_that_waits_ends_the_burst(void **state)
{
    struct bench *bench = *state;

    arrive(bench);
    burst_complete(bench->burst);
    assert_int_equal(turn(bench, true), 1);
    /* Nothing has changed. */
    burst_complete(bench->burst);
    assert_int_equal(turn(bench, true), 0);
    arrive(bench);
    assert_int_equal(turn(bench, true), 0);
}

static void
test_a_load_is_one_generation_however_long_it_takes(void **state)
{
    struct bench *bench = *state;
    char *comment;

    arrive(bench);
    burst_begin_load(bench->burst);
    /* What was before. */
    assert_int_equal(turn(bench, true), 1);
    for (int i = 0; i < 3; i++) {
        arrive(bench);
        burst_complete(bench->burst); /* Of another client. */
        assert_int_equal(turn(bench, true), 0);
        pass(bench, 2000 * MS);
    }
    assert_int_equal(bench->n_asked, 0);
    burst_end_load(bench->burst, "loaded");
    assert_int_equal(turn(bench, false), 0);
    assert_int_equal(turn(bench, true), 3);
    comment = burst_take_comment(bench->burst);
    assert_string_equal(comment, "loaded");
    free(comment);
    assert_null(burst_take_comment(bench->burst));
}

/* What was before is not settled: it becomes a part of the load. */
static void
test_an_unsettled_burst_is_not_cut(void **state)
{
    struct bench *bench = *state;

    arrive(bench);
    burst_begin_load(bench->burst);
    assert_int_equal(turn(bench, false), 0);
    assert_int_equal(turn(bench, true), 0);
    arrive(bench);
    burst_end_load(bench->burst, NULL);
    assert_int_equal(turn(bench, true), 2);
}

static void
test_overlapping_loads_are_one(void **state)
{
    struct bench *bench = *state;

    burst_begin_load(bench->burst);
    arrive(bench);
    assert_int_equal(turn(bench, true), 0);
    burst_begin_load(bench->burst);
    burst_end_load(bench->burst, NULL);
    assert_int_equal(turn(bench, true), 0);
    burst_end_load(bench->burst, NULL);
    assert_int_equal(turn(bench, true), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_burst_ends_when_it_is_quiet_and_read),
        TEST(test_a_row_that_was_on_its_way_continues_the_burst),
        TEST(test_a_client_that_waits_ends_the_burst),
        TEST(test_a_load_is_one_generation_however_long_it_takes),
        TEST(test_an_unsettled_burst_is_not_cut),
        TEST(test_overlapping_loads_are_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
