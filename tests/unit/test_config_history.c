/* SPDX-License-Identifier: Apache-2.0 */

/* Generations of CONFIG_DB: each can be restored, also after a crash, after a
 * restart, and when the file was rewritten. */

#include <config.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/history/history.h"
#include "orchd/history/history_file.h"
#include "orchd/history/history_query.h"
#include "tests/support/tempfile.h"

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
    assert_int_equal(history_rows(bench->history, &generation, bench->arena,
                                  &bench->rows, &bench->n, &bench->err),
                     ST_OK);
}

static void
cannot_go_back(struct bench *bench, uint64_t generation)
{
    assert_int_equal(history_rows(bench->history, &generation, bench->arena,
                                  &bench->rows, &bench->n, &bench->err),
                     ST_NOT_FOUND);
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
    assert_int_equal(history_n_news(bench->history), 0);
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
    assert_int_equal(history_n_news(bench->history), 2);
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
    assert_int_equal(history_n_news(bench->history), 1);
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
    assert_int_equal(history_n_news(bench->history), 0);
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
        "{\"format\": 1}\n",
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
        assert_non_null(strstr(bench->err.reason, "history.jsonl:4:"));
        assert_int_equal(truncate(bench->file, before.st_size), 0);
    }
    reopen(bench);
}

/* Else a generation would be listed that cannot be found. */
static void
test_generations_only_grow(void **state)
{
    struct bench *bench = *state;
    char path[256];

    put(bench, "T|a", "1");
    note(bench, 7);
    history_close(bench->history);
    bench->history = NULL;
    append(bench, "{\"generation\": 6, \"time\": \"t\"}\n");
    assert_int_equal(
        history_open(bench->directory, &bench->history, &bench->err),
        ST_INVALID);
    assert_non_null(strstr(bench->err.reason, "generation 6 follows 7"));
    assert_int_equal(
        history_set_aside(bench->directory, path, sizeof path, &bench->err),
        ST_OK);
    assert_int_equal(unlink(path), 0);
    reopen(bench);
}

static void
test_a_damaged_file_is_set_aside(void **state)
{
    struct bench *bench = *state;
    char path[256], second[256];

    put(bench, "T|a", "1");
    note(bench, 7);
    history_close(bench->history);
    bench->history = NULL;
    append(bench, "x\n");
    assert_int_equal(
        history_set_aside(bench->directory, path, sizeof path, &bench->err),
        ST_OK);
    assert_non_null(strstr(path, "/history.jsonl.bad-1"));
    assert_int_equal(
        history_open(bench->directory, &bench->history, &bench->err), ST_OK);
    assert_int_equal(history_generation(bench->history), 0);
    assert_string_equal(history_trouble(bench->history), "");
    /* The next one gets a name of its own. */
    assert_int_equal(
        history_set_aside(bench->directory, second, sizeof second, &bench->err),
        ST_OK);
    assert_non_null(strstr(second, "/history.jsonl.bad-2"));
    assert_int_equal(
        history_set_aside(bench->directory, second, sizeof second, &bench->err),
        ST_IO);
    assert_int_equal(unlink(path), 0);
    path[strlen(path) - 1] = '2';
    assert_int_equal(unlink(path), 0);
    reopen(bench);
}

static void
test_a_full_disk_ends_it_and_it_says_so(void **state)
{
    struct bench *bench = *state;
    struct rlimit old, limit;
    struct stat before, after;

    put(bench, "T|a", "1");
    note(bench, 1);
    assert_int_equal(stat(bench->file, &before), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = (rlim_t)before.st_size + 10;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    put(bench, "T|a", "2");
    assert_int_equal(history_note(bench->history, 2, "then", &bench->err),
                     ST_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_string_equal(history_trouble(bench->history), bench->err.reason);
    assert_non_null(strstr(bench->err.reason, "the history has ended"));
    /* Nothing is added behind a line that may be torn. */
    assert_int_equal(stat(bench->file, &before), 0);
    put(bench, "T|a", "3");
    assert_int_equal(history_note(bench->history, 3, "then", &bench->err),
                     ST_OK);
    assert_int_equal(stat(bench->file, &after), 0);
    assert_int_equal(after.st_size, before.st_size);
    /* What is in the file is as good as before. */
    reopen(bench);
    assert_int_equal(history_generation(bench->history), 1);
}

static void
test_only_generations_that_were_can_be_gone_back_to(void **state)
{
    struct bench *bench = *state;

    cannot_go_back(bench, 0);
    put(bench, "T|a", "1");
    note(bench, 5);
    cannot_go_back(bench, 4);
    cannot_go_back(bench, 6);
    assert_non_null(strstr(bench->err.reason, "generation 6"));
}

/* The file begins with its format. */
static void
assert_first_line(const struct bench *bench)
{
    char line[200], expected[32];
    FILE *file = fopen(bench->file, "r");

    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    text_format(expected, sizeof expected, "{\"format\":%d,", HISTORY_FORMAT);
    assert_memory_equal(line, expected, strlen(expected));
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
    assert_first_line(bench);
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

static struct history_entry *
list(struct bench *bench, size_t *n)
{
    struct history_entry *entries;

    assert_int_equal(
        history_list(bench->history, bench->arena, &entries, n, &bench->err),
        ST_OK);
    return entries;
}

static void
test_the_summary_counts_by_table(void **state)
{
    struct bench *bench = *state;
    size_t n;

    put(bench, "PORT_QOS_MAP|a", "1");
    put(bench, "PORT|b", "1");
    put(bench, "PORT|a", "1");
    note(bench, 1);
    put(bench, "PORT|b", "2");
    put(bench, "PORT|c", "1");
    put(bench, "PORT|a", NULL);
    put(bench, "PORT_QOS_MAP|a", "2");
    put(bench, "BUFFER_POOL|x", "2");
    put(bench, "BUFFER_POOL|x", NULL);
    note(bench, 2);
    reopen(bench);
    assert_string_equal(list(bench, &n)[0].summary,
                        "PORT 2 added, PORT_QOS_MAP 1 added");
    assert_string_equal(list(bench, &n)[1].summary,
                        "PORT 1 added 1 changed 1 removed, "
                        "PORT_QOS_MAP 1 changed");
}

/* A file of an older version has no summaries, which is not "no changes". */
static void
test_a_mark_without_a_summary_is_read(void **state)
{
    struct bench *bench = *state;
    size_t n;

    append(bench, "{\"row\":\"T|a\",\"fields\":{\"size\":\"1\"}}\n"
                  "{\"generation\":3,\"time\":\"then\"}\n");
    reopen(bench);
    assert_null(list(bench, &n)[0].summary);
    assert_int_equal(n, 1);
    put(bench, "T|a", "2");
    note(bench, 4);
    go_back(bench, 3);
    assert_string_equal(written(bench, "T|a"), "1");
}

/* Replaces the file of the history by the sample of a format. */
static void
use_sample(struct bench *bench, int format)
{
    char path[512], bytes[4096];
    FILE *from, *to;
    size_t n;

    history_close(bench->history);
    bench->history = NULL;
    text_format(path, sizeof path, TOP_SRCDIR "/tests/state/history-%d.jsonl",
                format);
    from = fopen(path, "r");
    to = fopen(bench->file, "w");
    assert_true(from && to);
    n = fread(bytes, 1, sizeof bytes, from);
    assert_int_equal(fwrite(bytes, 1, n, to), n);
    fclose(from);
    fclose(to);
}

static void
test_files_of_all_formats_are_read(void **state)
{
    struct bench *bench = *state;

    for (int format = 0; format <= HISTORY_FORMAT; format++) {
        const struct history_entry *entries;
        size_t n;

        use_sample(bench, format);
        reopen(bench);
        assert_int_equal(history_generation(bench->history), 3);
        entries = list(bench, &n);
        assert_int_equal(n, 3);
        assert_string_equal(entries[1].comment, "before the upgrade");
        go_back(bench, 1);
        assert_string_equal(written(bench, "BUFFER_POOL|ingress_pool"),
                            "1000000");
        put(bench, "T|a", "1");
        note(bench, 4);
        reopen(bench);
        assert_int_equal(history_generation(bench->history), 4);
    }
}

static void
test_a_newer_format_is_refused_and_left_alone(void **state)
{
    static const char newer[] = "{\"format\": 99, \"orchd\": \"7.0.0\"}\n"
                                "something else\n";
    struct bench *bench = *state;
    char bytes[256] = "";
    FILE *file;

    history_close(bench->history);
    bench->history = NULL;
    assert_int_equal(truncate(bench->file, 0), 0);
    append(bench, newer);
    assert_int_equal(
        history_open(bench->directory, &bench->history, &bench->err),
        ST_UNSUPPORTED);
    assert_non_null(strstr(bench->err.reason, "format 99"));
    assert_non_null(strstr(bench->err.reason, "7.0.0"));
    assert_non_null(strstr(bench->err.reason, PACKAGE_VERSION));
    assert_true(*bench->err.remedy);
    file = fopen(bench->file, "r");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof newer - 1);
    fclose(file);
    assert_string_equal(bytes, newer);
}

static void
test_the_next_format_is_refused(void **state)
{
    struct bench *bench = *state;
    char line[64];

    history_close(bench->history);
    bench->history = NULL;
    assert_int_equal(truncate(bench->file, 0), 0);
    text_format(line, sizeof line, "{\"format\": %d}\n", HISTORY_FORMAT + 1);
    append(bench, line);
    assert_int_equal(
        history_open(bench->directory, &bench->history, &bench->err),
        ST_UNSUPPORTED);
}

static void
test_a_directory_in_place_of_the_file_is_no_history(void **state)
{
    struct bench *bench = *state;
    char path[256];

    history_close(bench->history);
    bench->history = NULL;
    assert_int_equal(unlink(bench->file), 0);
    assert_int_equal(mkdir(bench->file, 0700), 0);
    /* ST_INVALID: it can be set aside. */
    assert_int_equal(
        history_open(bench->directory, &bench->history, &bench->err),
        ST_INVALID);
    assert_non_null(strstr(bench->err.reason, bench->file));
    assert_int_equal(
        history_set_aside(bench->directory, path, sizeof path, &bench->err),
        ST_OK);
    assert_int_equal(rmdir(path), 0);
    reopen(bench);
}

static void
comment(struct bench *bench, uint64_t generation, const char *text)
{
    assert_int_equal(
        history_comment(bench->history, generation, text, &bench->err), ST_OK);
}

static void
test_comments_stay_with_their_generations(void **state)
{
    struct bench *bench = *state;
    char size[16];
    size_t n;

    for (unsigned int i = 1; i <= 2 * HISTORY_KEPT; i++) {
        text_format(size, sizeof size, "%u", i);
        put(bench, "T|a", size);
        note(bench, i);
        if (i == 2 * HISTORY_KEPT - 1) { /* The next one shortens the file. */
            comment(bench, 1, "goes");
            comment(bench, i, "first");
            comment(bench, i, "second");
            comment(bench, HISTORY_KEPT + 1, "the oldest that stays");
        }
    }
    reopen(bench);
    assert_string_equal(list(bench, &n)[0].comment, "the oldest that stays");
    assert_int_equal(n, HISTORY_KEPT);
    assert_string_equal(list(bench, &n)[n - 2].comment, "second");
    assert_string_equal(list(bench, &n)[n - 1].comment, "");
    assert_int_equal(history_comment(bench->history, 1, "gone", &bench->err),
                     ST_NOT_FOUND);
    assert_string_equal(bench->err.allowed, "100 generations from 101 to 200");
    assert_int_equal(history_comment(bench->history, 200, "\xff", &bench->err),
                     ST_INVALID);
}

/* Few generations with long rows are limited as well. */
static void
test_the_file_has_a_limited_size(void **state)
{
    struct bench *bench = *state;
    char *size = calloc(1, 8 * 1024 * 1024 + 1);
    struct stat file;
    size_t n;

    assert_non_null(size);
    memset(size, 'x', 8 * 1024 * 1024);
    for (unsigned int i = 1; i <= 12; i++) {
        size[0] = (char)('a' + i);
        put(bench, "T|a", size);
        note(bench, i);
        assert_int_equal(stat(bench->file, &file), 0);
        assert_in_range(file.st_size, 1, HISTORY_BYTES);
    }
    assert_int_equal(list(bench, &n)[n - 1].generation, 12);
    assert_in_range(n, 2, 11);
    go_back(bench, 11);
    assert_int_equal(written(bench, "T|a")[0], 'a' + 11);
    free(size);
}

static void
test_the_difference_of_two_generations(void **state)
{
    struct bench *bench = *state;
    uint64_t from = 1, to = 2, now = HISTORY_NOW;
    struct history_change *changes;
    size_t n;

    put(bench, "T|b", "1");
    put(bench, "T|a", "1");
    put(bench, "T|same", "1");
    note(bench, 1);
    put(bench, "T|a", "2");
    put(bench, "T|b", NULL);
    put(bench, "T|c", "3");
    note(bench, 2);
    put(bench, "T|c", "4");
    assert_int_equal(history_diff(bench->history, &from, &to, bench->arena,
                                  &changes, &n, &bench->err),
                     ST_OK);
    assert_int_equal(n, 3);
    assert_string_equal(changes[0].key, "T|a");
    assert_string_equal(changes[0].before->fields[1].value, "1");
    assert_string_equal(changes[0].after->fields[1].value, "2");
    assert_string_equal(changes[1].key, "T|b");
    assert_null(changes[1].after);
    assert_string_equal(changes[2].key, "T|c");
    assert_null(changes[2].before);
    /* To what is not marked yet. */
    assert_int_equal(history_diff(bench->history, &to, &now, bench->arena,
                                  &changes, &n, &bench->err),
                     ST_OK);
    assert_int_equal(n, 1);
    assert_string_equal(changes[0].after->fields[1].value, "4");
}

/* Writes 'n' generations of some rows. */
static void
write_generations(struct bench *bench, uint64_t n)
{
    char key[16], size[24];

    for (uint64_t generation = 1; generation <= n; generation++) {
        for (unsigned int i = 0; i < 10; i++) {
            text_format(key, sizeof key, "T|%u", i);
            text_format(size, sizeof size, "%llu",
                        (unsigned long long)(generation / (i + 1)));
            put(bench, key, size);
        }
        note(bench, generation);
    }
}

/* Answers a query line by line, and calls 'change' in between. */
static unsigned int
answer(struct bench *bench, struct history_query *query,
       void (*change)(struct bench *bench, unsigned int n))
{
    enum st status = ST_OK;
    unsigned int n = 0;

    while (history_query_continue(query, 1, &status, &bench->err)) {
        change(bench, n++);
    }
    assert_int_equal(status, ST_OK);
    return n;
}

/* Rows change, generations come, and the file is rewritten without the first
 * ones. */
static void
change_history(struct bench *bench, unsigned int n)
{
    char key[16], size[24];

    text_format(key, sizeof key, "T|%u", n % 12);
    text_format(size, sizeof size, "1%u", n);
    put(bench, key, n % 3 ? size : NULL);
    if (n % 2 && n < 2 * 2 * HISTORY_KEPT) {
        note(bench, 1000 + n);
    }
}

static void
test_a_query_answers_as_of_its_begin(void **state)
{
    struct bench *bench = *state;
    struct history_query *query = NULL;
    const struct history_result *result;
    struct history_change *expected;
    uint64_t from = HISTORY_NOW, to = 5;
    size_t n;

    write_generations(bench, 20);
    put(bench, "T|0", "now");
    put(bench, "T|new", "now");
    put(bench, "T|3", NULL);
    assert_int_equal(history_diff(bench->history, &from, &to, bench->arena,
                                  &expected, &n, &bench->err),
                     ST_OK);
    assert_int_equal(history_query_diff(bench->history, HISTORY_NOW, 5,
                                        bench->arena, &query, &bench->err),
                     ST_OK);
    assert_true(answer(bench, query, change_history) > 40);
    assert_true(history_generation(bench->history) > 1000);
    result = history_query_result(query);
    assert_int_equal(result->from, HISTORY_NOW);
    assert_int_equal(result->to, 5);
    assert_int_equal(result->n_rows, 10);
    assert_int_equal(result->n_changes, n);
    for (size_t i = 0; i < n; i++) {
        const struct history_change *found = &result->changes[i];

        assert_string_equal(found->key, expected[i].key);
        assert_int_equal(!found->before, !expected[i].before);
        assert_int_equal(!found->after, !expected[i].after);
        if (found->before) {
            assert_string_equal(found->before->fields[1].value,
                                expected[i].before->fields[1].value);
        }
        if (found->after) {
            assert_string_equal(found->after->fields[1].value,
                                expected[i].after->fields[1].value);
        }
    }
    history_query_destroy(query);
}

static void
test_a_list_has_the_generations_of_its_begin(void **state)
{
    struct bench *bench = *state;
    struct history_query *query = NULL;
    const struct history_result *result;

    write_generations(bench, 2 * HISTORY_KEPT - 1);
    assert_int_equal(
        history_query_list(bench->history, bench->arena, &query, &bench->err),
        ST_OK);
    answer(bench, query, change_history);
    cannot_go_back(bench, 1); /* The file has been rewritten. */
    result = history_query_result(query);
    assert_int_equal(result->n_entries, 2 * HISTORY_KEPT - 1);
    for (size_t i = 0; i < result->n_entries; i++) {
        assert_int_equal(result->entries[i].generation, i + 1);
    }
    history_query_destroy(query);
}

/* The sanitizers notice what would be left. */
static void
test_a_query_may_end_in_the_middle(void **state)
{
    struct bench *bench = *state;
    struct history_query *query = NULL;
    enum st status;

    write_generations(bench, 3);
    for (unsigned int n = 0; n < 36; n += 3) {
        assert_int_equal(history_query_diff(bench->history, HISTORY_NOW, 2,
                                            bench->arena, &query, &bench->err),
                         ST_OK);
        for (unsigned int i = 0; i < n; i++) {
            assert_true(history_query_continue(query, 1, &status, &bench->err));
        }
        history_query_destroy(query);
    }
    history_query_destroy(NULL);
    assert_int_equal(history_query_diff(bench->history, 1, 4, bench->arena,
                                        &query, &bench->err),
                     ST_NOT_FOUND);
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
    char nowhere[TEMPFILE_SIZE];
    struct history *history = NULL;
    struct err err;

    (void)state;
    tempfile_missing(nowhere, "deeper");
    assert_int_equal(history_open(nowhere, &history, &err), ST_IO);
    assert_non_null(strstr(err.reason, nowhere));
    assert_non_null(strstr(err.reason, "/deeper/history.jsonl"));
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
        TEST(test_generations_only_grow),
        TEST(test_a_damaged_file_is_set_aside),
        TEST(test_a_full_disk_ends_it_and_it_says_so),
        TEST(test_only_generations_that_were_can_be_gone_back_to),
        TEST(test_the_file_does_not_grow_for_ever),
        TEST(test_changes_are_counted_by_row),
        TEST(test_the_summary_counts_by_table),
        TEST(test_a_mark_without_a_summary_is_read),
        TEST(test_files_of_all_formats_are_read),
        TEST(test_a_newer_format_is_refused_and_left_alone),
        TEST(test_the_next_format_is_refused),
        TEST(test_a_directory_in_place_of_the_file_is_no_history),
        TEST(test_comments_stay_with_their_generations),
        TEST(test_the_file_has_a_limited_size),
        TEST(test_the_difference_of_two_generations),
        TEST(test_a_query_answers_as_of_its_begin),
        TEST(test_a_list_has_the_generations_of_its_begin),
        TEST(test_a_query_may_end_in_the_middle),
        TEST(test_a_row_that_json_cannot_hold_does_no_harm),
        TEST(test_a_directory_that_is_missing_is_made),
        cmocka_unit_test(test_a_directory_that_cannot_be_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
