/* SPDX-License-Identifier: Apache-2.0 */

/* CONFIG_DB as it was: what is noted can be gone back to, after a crash, a
 * restart, and when the file was rewritten. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/history/history.h"

struct bench {
    char directory[64];
    char file[96];
    struct history *history;
    struct arena *arena;
    struct field_row *rows;
    size_t n;
    struct err err;
};

static void
reopen(struct bench *bench)
{
    history_close(bench->history);
    bench->history = NULL;
    assert_int_equal(
        history_open(bench->directory, &bench->history, &bench->err), ST_OK);
}

static int
setup(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);

    text_copy(bench->directory, sizeof bench->directory,
              "/tmp/test_config_history.XXXXXX");
    if (!bench || !mkdtemp(bench->directory)) {
        return 1;
    }
    text_format(bench->file, sizeof bench->file, "%s/history.jsonl",
                bench->directory);
    bench->arena = arena_create(0);
    *state = bench;
    reopen(bench);
    return 0;
}

static int
teardown(void **state)
{
    struct bench *bench = *state;

    history_close(bench->history);
    arena_destroy(bench->arena);
    unlink(bench->file);
    rmdir(bench->directory);
    free(bench);
    return 0;
}

/* Tells that the row has one field 'size'; NULL: that it is gone. */
static void
put(struct bench *bench, const char *key, const char *size)
{
    const struct field fields[] = {{"type", "egress"}, {"size", size}};

    history_row(bench->history, key, size ? fields : NULL, size ? 2 : 0);
}

static void
note(struct bench *bench, uint64_t generation)
{
    assert_int_equal(
        history_note(bench->history, generation, "then", &bench->err), ST_OK);
}

static void
go_back(struct bench *bench, uint64_t generation)
{
    assert_int_equal(history_rows(bench->history, generation, bench->arena,
                                  &bench->rows, &bench->n, &bench->err),
                     ST_OK);
}

/* Returns the size that would be written for 'key': "" to remove it, NULL to
 * leave it. */
static const char *
written(const struct bench *bench, const char *key)
{
    for (size_t i = 0; i < bench->n; i++) {
        const struct field_row *row = &bench->rows[i];

        if (!strcmp(row->key, key)) {
            for (size_t j = 0; row->fields && j < row->n_fields; j++) {
                if (!strcmp(row->fields[j].name, "size")) {
                    return row->fields[j].value;
                }
            }
            return "";
        }
    }
    return NULL;
}

static void
test_back_to_each_generation(void **state)
{
    struct bench *bench = *state;

    put(bench, "T|a", "1");
    put(bench, "T|b", "1");
    note(bench, 1);
    put(bench, "T|a", "2");
    note(bench, 2);
    put(bench, "T|b", NULL);
    put(bench, "T|c", "3");
    note(bench, 5);

    go_back(bench, 5);
    assert_int_equal(bench->n, 0);
    go_back(bench, 2);
    assert_int_equal(bench->n, 2);
    assert_string_equal(written(bench, "T|b"), "1");
    assert_string_equal(written(bench, "T|c"), "");
    go_back(bench, 1);
    assert_int_equal(bench->n, 3);
    assert_string_equal(written(bench, "T|a"), "1");
    /* Between two that were noted: the earlier. */
    go_back(bench, 4);
    assert_int_equal(bench->n, 2);
}

static void
test_the_order_of_fields_is_no_change(void **state)
{
    struct bench *bench = *state;
    const struct field one[] = {{"a", "1"}, {"b", "2"}};
    const struct field two[] = {{"b", "2"}, {"a", "1"}};

    history_row(bench->history, "T|x", one, 2);
    note(bench, 1);
    history_row(bench->history, "T|x", two, 2);
    assert_false(history_has_news(bench->history));
    note(bench, 2);
    assert_int_equal(history_generation(bench->history), 1);
}

static void
test_what_is_not_noted_yet_counts_as_now(void **state)
{
    struct bench *bench = *state;

    put(bench, "T|a", "1");
    note(bench, 1);
    put(bench, "T|a", "2");
    put(bench, "T|new", "9");
    assert_true(history_has_news(bench->history));
    go_back(bench, 1);
    assert_string_equal(written(bench, "T|a"), "1");
    assert_string_equal(written(bench, "T|new"), "");
}

static void
test_a_complete_reading_tells_what_is_gone(void **state)
{
    struct bench *bench = *state;

    put(bench, "T|a", "1");
    put(bench, "T|b", "1");
    note(bench, 1);
    history_reading_begin(bench->history);
    put(bench, "T|a", "1");
    history_reading_end(bench->history);
    assert_true(history_has_news(bench->history));
    note(bench, 2);
    go_back(bench, 1);
    assert_int_equal(bench->n, 1);
    assert_string_equal(written(bench, "T|b"), "1");
}

static void
test_a_restart_knows_rows_and_generation(void **state)
{
    struct bench *bench = *state;

    put(bench, "T|a", "1");
    note(bench, 7);
    put(bench, "T|a", "2");
    note(bench, 8);
    reopen(bench);
    assert_int_equal(history_generation(bench->history), 8);
    put(bench, "T|a", "2");
    assert_false(history_has_news(bench->history));
    go_back(bench, 7);
    assert_string_equal(written(bench, "T|a"), "1");
}

static void
append(const struct bench *bench, const char *text)
{
    FILE *file = fopen(bench->file, "a");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void
test_a_torn_line_is_dropped_and_written_over(void **state)
{
    struct bench *bench = *state;

    put(bench, "T|a", "1");
    note(bench, 1);
    append(bench, "{\"row\": \"T|a\", \"fie");
    reopen(bench);
    put(bench, "T|a", "2");
    note(bench, 2);
    reopen(bench);
    assert_int_equal(history_generation(bench->history), 2);
    go_back(bench, 1);
    assert_string_equal(written(bench, "T|a"), "1");
}

static void
test_a_file_of_something_else_is_refused_by_line(void **state)
{
    static const char *const lines[] = {
        "hello\n",
        "[]\n",
        "{\"row\": 5}\n",
        "{\"row\": \"T|a\", \"fields\": {\"x\": 1}}\n",
        "{\"row\": \"T|a\", \"fields\": []}\n",
        "{\"generation\": -1, \"time\": \"t\"}\n",
        "{\"generation\": 1}\n",
    };
    struct bench *bench = *state;

    put(bench, "T|a", "1");
    note(bench, 1);
    history_close(bench->history);
    bench->history = NULL;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct stat before;

        assert_int_equal(stat(bench->file, &before), 0);
        append(bench, lines[i]);
        assert_int_equal(
            history_open(bench->directory, &bench->history, &bench->err),
            ST_INVALID);
        assert_non_null(strstr(bench->err.reason, "history.jsonl:3:"));
        assert_int_equal(truncate(bench->file, before.st_size), 0);
    }
    reopen(bench);
}

static void
test_only_generations_that_were_can_be_gone_back_to(void **state)
{
    struct bench *bench = *state;

    assert_int_equal(history_rows(bench->history, 0, bench->arena, &bench->rows,
                                  &bench->n, &bench->err),
                     ST_NOT_FOUND);
    put(bench, "T|a", "1");
    note(bench, 5);
    assert_int_equal(history_rows(bench->history, 4, bench->arena, &bench->rows,
                                  &bench->n, &bench->err),
                     ST_NOT_FOUND);
    assert_int_equal(history_rows(bench->history, 6, bench->arena, &bench->rows,
                                  &bench->n, &bench->err),
                     ST_NOT_FOUND);
    assert_non_null(strstr(bench->err.reason, "generation 6"));
}

static void
test_the_file_does_not_grow_for_ever(void **state)
{
    struct bench *bench = *state;
    struct history_entry *entries;
    char size[16];
    size_t n;

    for (unsigned int i = 1; i <= 5 * HISTORY_KEPT; i++) {
        text_format(size, sizeof size, "%u", i);
        put(bench, i % 2 ? "T|odd" : "T|even", size);
        put(bench, "T|old", i < HISTORY_KEPT ? "1" : NULL);
        note(bench, i);
    }
    assert_int_equal(
        history_list(bench->history, bench->arena, &entries, &n, &bench->err),
        ST_OK);
    assert_in_range(n, HISTORY_KEPT, 2 * HISTORY_KEPT - 1);
    assert_int_equal(entries[n - 1].generation, 5 * HISTORY_KEPT);
    assert_string_equal(entries[n - 1].time, "then");
    assert_int_equal(entries[n - 1].n_changed, 1);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(entries[i].generation, 5 * HISTORY_KEPT - n + 1 + i);
    }
    /* All that is still there is what it was, the oldest too. */
    go_back(bench, entries[0].generation);
    text_format(size, sizeof size, "%u", (unsigned int)entries[0].generation);
    assert_string_equal(
        written(bench, entries[0].generation % 2 ? "T|odd" : "T|even"), size);
    assert_null(written(bench, "T|old"));
    /* And it goes on after a restart. */
    reopen(bench);
    put(bench, "T|odd", "x");
    note(bench, 5 * HISTORY_KEPT + 1);
    go_back(bench, 5 * HISTORY_KEPT);
    assert_int_equal(bench->n, 1);
}

/* A row that went and came back is what it was, however often it did. */
static void
test_changes_are_counted_by_row(void **state)
{
    static const size_t expected[] = {2, 1, 2, 1};
    struct bench *bench = *state;
    struct history_entry *entries;
    size_t n;

    put(bench, "T|a", "1");
    put(bench, "T|b", "1");
    note(bench, 1);
    put(bench, "T|a", NULL);
    put(bench, "T|b", "2");
    put(bench, "T|a", "1");
    put(bench, "T|b", "3");
    note(bench, 2);
    put(bench, "T|a", NULL);
    put(bench, "T|c", "1");
    put(bench, "T|d", "1");
    put(bench, "T|d", NULL);
    note(bench, 3);
    reopen(bench);
    put(bench, "T|b", NULL);
    note(bench, 4);
    assert_int_equal(
        history_list(bench->history, bench->arena, &entries, &n, &bench->err),
        ST_OK);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(entries[i].n_changed, expected[i]);
    }
}

static void
test_a_row_that_json_cannot_hold_does_no_harm(void **state)
{
    struct bench *bench = *state;

    put(bench, "T|a", "1");
    put(bench, "T|b", "\xff\xfe");
    note(bench, 1);
    put(bench, "T|a", "2");
    note(bench, 2);
    go_back(bench, 1);
    assert_string_equal(written(bench, "T|a"), "1");
    reopen(bench);
    assert_int_equal(history_generation(bench->history), 2);
}

static void
test_a_directory_that_is_missing_is_made(void **state)
{
    struct bench *bench = *state;
    struct history *history = NULL;
    char directory[96], file[128];

    text_format(directory, sizeof directory, "%s/new", bench->directory);
    text_format(file, sizeof file, "%s/history.jsonl", directory);
    assert_int_equal(history_open(directory, &history, &bench->err), ST_OK);
    history_close(history);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void
test_a_directory_that_cannot_be_is_reported(void **state)
{
    struct history *history = NULL;
    struct err err;

    (void)state;
    assert_int_equal(history_open("/nonexistent/deeper", &history, &err),
                     ST_IO);
    assert_non_null(strstr(err.reason, "/nonexistent/deeper/history.jsonl"));
    assert_null(history);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_back_to_each_generation),
        TEST(test_the_order_of_fields_is_no_change),
        TEST(test_what_is_not_noted_yet_counts_as_now),
        TEST(test_a_complete_reading_tells_what_is_gone),
        TEST(test_a_restart_knows_rows_and_generation),
        TEST(test_a_torn_line_is_dropped_and_written_over),
        TEST(test_a_file_of_something_else_is_refused_by_line),
        TEST(test_only_generations_that_were_can_be_gone_back_to),
        TEST(test_the_file_does_not_grow_for_ever),
        TEST(test_changes_are_counted_by_row),
        TEST(test_a_row_that_json_cannot_hold_does_no_harm),
        TEST(test_a_directory_that_is_missing_is_made),
        cmocka_unit_test(test_a_directory_that_cannot_be_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
