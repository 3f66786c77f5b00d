/* SPDX-License-Identifier: Apache-2.0 */

/* Results files: what is written is read, at every instant of a run. */

#include <inttypes.h>
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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/measure/reader.h"
#include "lab/measure/result_hash.h"
#include "lab/measure/sink.h"
#include "results/database.h"
#include "tests/support/lab_results.h"
#include "tests/support/tempfile.h"

#define US INT64_C(1000000)

static char path[64];

static int
set_up(void **state)
{
    (void)state;
    text_format(path, sizeof path, "%s/run.sqlite", tempfile_folder);
    return 0;
}

static int
tear_down(void **state)
{
    char other[80];

    (void)state;
    (void)unlink(path);
    text_format(other, sizeof other, "%s-wal", path);
    (void)unlink(other);
    text_format(other, sizeof other, "%s-shm", path);
    (void)unlink(other);
    return 0;
}

static struct reader *
open_reader(void)
{
    struct reader *reader;
    struct err err = {0};

    if (reader_open(path, &reader, &err)) {
        fail_msg("%s", err.reason);
    }
    return reader;
}

/* Returns the number that 'sql' selects. */
static int64_t
number(struct reader *reader, const char *sql)
{
    struct query *query = reader_query(reader, sql);
    bool row = false;
    int64_t value;

    assert_int_equal(query_next(query, &row, NULL), ST_OK);
    assert_true(row);
    value = query_number(query, 0);
    query_finish(query);
    return value;
}

static void
test_a_complete_run_is_read_back(void **state)
{
    struct results *results = lab_results_start(path);
    struct reader *reader;
    char hash[20];
    char wal[80];

    (void)state;
    lab_results_record(results);
    lab_results_messages(results, 1000);
    lab_results_finish(results);
    text_format(wal, sizeof wal, "%s-wal", path);
    assert_int_equal(access(wal, F_OK), -1);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->name, "two-racks");
    assert_string_equal(reader_run(reader)->state, "complete");
    assert_string_equal(reader_run(reader)->key, "00000000deadbeef");
    assert_int_equal(reader_run(reader)->seed, 7);
    assert_int_equal(reader_run(reader)->virtual_ps, LAB_END_US * US);
    assert_int_equal(reader_run(reader)->hops, 123456);
    assert_int_equal(reader_run(reader)->drops, 4);
    assert_int_equal(reader_run(reader)->pauses, 3);
    assert_int_equal(reader_run(reader)->marks, 4);
    text_format(hash, sizeof hash, "%s", reader_run(reader)->hash);
    assert_int_equal(strlen(hash), 16);
    assert_int_equal(number(reader, "SELECT count(*) FROM flow_list"
                                    " WHERE run = ?1 AND state = 'done'"),
                     9);
    assert_int_equal(number(reader, "SELECT goodput_bps FROM flow_list"
                                    " WHERE run = ?1 AND flow = 0"),
                     800000000000);
    /* The pause that lasts has no end. */
    assert_int_equal(number(reader, "SELECT count(*) FROM pauses WHERE run = ?1"
                                    " AND end_ps IS NULL AND pause = 3"),
                     1);
    assert_int_equal(number(reader, "SELECT cause FROM pauses WHERE run = ?1"
                                    " AND pause = 2"),
                     1);
    assert_int_equal(number(reader, "SELECT first_mark_ps FROM queue_list"
                                    " WHERE run = ?1"),
                     30 * US);
    assert_int_equal(number(reader, "SELECT first_pause_ps FROM queue_list"
                                    " WHERE run = ?1"),
                     40 * US);
    assert_int_equal(number(reader, "SELECT packets FROM marks WHERE run = ?1"),
                     4);
    assert_int_equal(number(reader, "SELECT count(*) FROM messages"
                                    " WHERE run = ?1 AND lost"),
                     1);
    assert_int_equal(number(reader, "SELECT sum(n) FROM hist WHERE run = ?1"),
                     1000);
    reader_close(reader);
}

/* The hash in the file is that of the same records in any order. */
static void
test_hash_is_that_of_the_records(void **state)
{
    struct results *results = lab_results_start(path);
    const struct sink *sink = results_sink(results);
    const struct sink_drop drops[] = {{.t_ps = 1, .psn = 1},
                                      {.t_ps = 1, .psn = 2}};
    const struct sink_mark mark = {.t_ps = 1};
    const struct sink_io io = {.disk = "d", .verb = "read", .end_ps = 7};
    struct result_hash hash = {0};
    char wanted[20];

    (void)state;
    sink->dropped(sink->context, &drops[0]);
    sink->dropped(sink->context, &drops[1]);
    sink->marked(sink->context, &mark);
    sink->io_ended(sink->context, &io);
    result_hash_io(&hash, &io);
    result_hash_drop(&hash, &drops[1]);
    result_hash_drop(&hash, &drops[0]);
    text_format(wanted, sizeof wanted, "%016" PRIx64, result_hash_get(&hash));
    assert_string_equal(results_hash(results), wanted);
    results_abandon(results);
}

/* While a run goes on, others read what has been committed. */
static void
test_a_run_that_goes_on_is_readable(void **state)
{
    struct results *results = lab_results_start(path);
    struct reader *reader;

    (void)state;
    lab_results_record(results);
    lab_results_messages(results, 10);
    reader = open_reader();
    assert_int_equal(number(reader, "SELECT count(*) FROM flows"
                                    " WHERE run = ?1"),
                     0);
    reader_close(reader);
    assert_int_equal(results_progress(results, 77 * US, 5, NULL), ST_OK);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "incomplete");
    assert_int_equal(reader_run(reader)->virtual_ps, 77 * US);
    assert_int_equal(number(reader, "SELECT count(*) FROM flows"
                                    " WHERE run = ?1"),
                     LAB_FLOWS);
    assert_int_equal(number(reader, "SELECT count(*) FROM pauses WHERE run = ?1"
                                    " AND end_ps IS NULL"),
                     1);
    reader_close(reader);
    /* A later commit does not repeat the open pause, or the marks. */
    assert_int_equal(results_progress(results, 78 * US, 6, NULL), ST_OK);
    reader = open_reader();
    assert_int_equal(number(reader, "SELECT count(*) FROM pauses"
                                    " WHERE run = ?1"),
                     3);
    assert_int_equal(number(reader, "SELECT count(*) FROM marks"
                                    " WHERE run = ?1"),
                     1);
    /* Nor does it write marks again that have not changed. */
    assert_int_equal(number(reader, "SELECT max(rowid) FROM marks"
                                    " WHERE run = ?1"),
                     1);
    reader_close(reader);
    results_abandon(results);
}

/* Writes with the given number of messages and kills itself: before any
 * progress, after it, and in the middle of a later transaction. */
static void
write_and_die(uint64_t n_messages, bool progress)
{
    const pid_t child = fork();
    int status;

    if (!child) {
        struct results *results = lab_results_start(path);

        lab_results_record(results);
        lab_results_messages(results, n_messages);
        if (progress) {
            orch_assert(!results_progress(results, 99 * US, 1, NULL));
            lab_results_messages(results, 5);
        }
        raise(SIGKILL);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void
test_a_killed_run_is_readable_and_incomplete(void **state)
{
    struct reader *reader;

    (void)state;
    write_and_die(0, false);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "incomplete");
    assert_int_equal(reader_run(reader)->virtual_ps, 0);
    reader_close(reader);
    (void)tear_down(NULL);

    write_and_die(10, true);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "incomplete");
    assert_int_equal(reader_run(reader)->virtual_ps, 99 * US);
    assert_int_equal(number(reader, "SELECT count(*) FROM messages"
                                    " WHERE run = ?1"),
                     10);
    reader_close(reader);
    (void)tear_down(NULL);

    /* More rows than one transaction: the first ones are in the file. */
    write_and_die(2 * RESULTS_BATCH_ROWS + 100, false);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "incomplete");
    assert_true(reader_run(reader)->virtual_ps > 0);
    assert_true(number(reader, "SELECT count(*) FROM messages"
                               " WHERE run = ?1") >= RESULTS_BATCH_ROWS);
    reader_close(reader);
}

/* A file whose writer was killed is read from a folder and a file that may not
 * be written; as root all may be written, and the test shows less. */
static void
test_a_complete_file_needs_no_right_to_write(void **state)
{
    struct reader *reader;

    (void)state;
    lab_results_finish(lab_results_start(path));
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(tempfile_folder, 0555), 0);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "complete");
    reader_close(reader);
    assert_int_equal(chmod(tempfile_folder, 0755), 0);
}

static void
write_file(const char *bytes)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

static void
test_other_files_are_refused(void **state)
{
    struct reader *reader = NULL;
    struct database *database;
    struct err err = {0};

    (void)state;
    assert_int_equal(reader_open(path, &reader, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, "No such file"));
    write_file("");
    assert_int_equal(reader_open(path, &reader, &err), ST_INVALID);
    write_file("name: this is a scenario, which is a longer text than one "
               "hundred bytes, as SQLite has a header of that size ..........");
    assert_int_equal(reader_open(path, &reader, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "not a"));
    assert_int_equal(reader_open(tempfile_folder, &reader, &err), ST_INVALID);
    assert_int_equal(unlink(path), 0);

    lab_results_finish(lab_results_start(path));
    assert_int_equal(database_open(path, true, &database, NULL), ST_OK);
    assert_int_equal(database_run(database, "PRAGMA user_version = 999", NULL),
                     ST_OK);
    database_close(database);
    assert_int_equal(reader_open(path, &reader, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.reason, "version 999"));
    assert_null(reader);
}

/* A truncated file is an error, not a crash. */
static void
test_a_truncated_file_is_refused(void **state)
{
    struct reader *reader = NULL;
    struct stat found;

    (void)state;
    lab_results_finish(lab_results_start(path));
    assert_int_equal(stat(path, &found), 0);
    for (off_t size = found.st_size - 1; size > 0; size -= 4096 + 512) {
        struct err err = {0};

        assert_int_equal(truncate(path, size), 0);
        if (!reader_open(path, &reader, &err)) {
            const struct metric all = {.quantity = METRIC_COUNTER};
            struct query *query = reader_list(
                reader,
                &(struct reader_choice){
                    .list = READER_PATHS, .labels = all, .limit = -1},
                &err);
            bool row = true;

            while (row && !query_next(query, &row, &err)) {
            }
            query_finish(query);
            reader_close(reader);
        } else {
            assert_true(*err.reason);
        }
    }
}

static void
test_an_existing_file_is_kept(void **state)
{
    const struct results_about about = {.key = "k", .name = "n"};
    struct results *results = NULL;
    struct err err = {0};

    (void)state;
    write_file("precious");
    assert_int_equal(results_create(path, &about, &results, &err), ST_EXISTS);
    assert_null(results);
    assert_int_equal(results_create("/nowhere/x", &about, &results, &err),
                     ST_IO);
    assert_non_null(strstr(err.reason, "/nowhere/x"));
}

/* A full disk is reported by the next progress, and at the end; rows in between
 * are ignored. */
static void
test_a_full_disk_is_reported(void **state)
{
    const pid_t child = fork();
    struct reader *reader;
    int status;

    (void)state;
    if (!child) {
        struct results *results = lab_results_start(path);
        const struct results_end end = {.state = RESULTS_COMPLETE};
        const struct rlimit limit = {1 << 20, 1 << 20};
        struct err err = {0};

        signal(SIGXFSZ, SIG_IGN);
        orch_assert(!results_progress(results, 0, 0, &err));
        orch_assert(!setrlimit(RLIMIT_FSIZE, &limit));
        lab_results_messages(results, 2 * RESULTS_BATCH_ROWS);
        orch_assert(results_progress(results, 1, 1, &err) == ST_IO);
        orch_assert(strstr(err.reason, path));
        lab_results_messages(results, 10);
        _exit(results_finish(results, &end, &err) == ST_IO ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "incomplete");
    reader_close(reader);
}

/* Makes 'path' another file with the same contents. */
static void
replace_by_copy(void)
{
    char other[80], buffer[4096];
    FILE *from = fopen(path, "re"), *to;
    size_t n;

    text_format(other, sizeof other, "%s.copy", path);
    to = fopen(other, "we");
    assert_non_null(from);
    assert_non_null(to);
    while ((n = fread(buffer, 1, sizeof buffer, from))) {
        assert_int_equal(fwrite(buffer, 1, n, to), n);
    }
    assert_int_equal(fclose(from), 0);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(rename(other, path), 0);
}

/* A released file is complete in itself, and another one can go on in its
 * place: a copy of it that a process finds after a checkpoint. */
static void
test_a_released_file_can_be_replaced(void **state)
{
    struct results *results = lab_results_start(path);
    struct reader *reader;
    struct err err = {0};
    char wal[80];

    (void)state;
    text_format(wal, sizeof wal, "%s-wal", path);
    lab_results_record(results);
    assert_int_equal(results_release(results, 5 * US, 17, &err), ST_OK);
    assert_int_equal(results_release(results, 6 * US, 18, &err), ST_OK);
    assert_int_equal(access(wal, F_OK), -1);
    replace_by_copy();
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "incomplete");
    assert_int_equal(reader_run(reader)->virtual_ps, 5 * US);
    assert_int_equal(reader_run(reader)->hops, 17);
    assert_int_equal(reader_run(reader)->drops, 4);
    reader_close(reader);
    assert_int_equal(results_reopen(results, &err), ST_OK);
    assert_int_equal(results_reopen(results, &err), ST_OK);
    lab_results_messages(results, 1000);
    lab_results_finish(results);
    assert_int_equal(access(wal, F_OK), -1);
    reader = open_reader();
    assert_string_equal(reader_run(reader)->state, "complete");
    assert_int_equal(reader_run(reader)->drops, 4);
    assert_int_equal(
        number(reader, "SELECT count(*) FROM drops WHERE run = ?1"), 4);
    assert_int_equal(number(reader, "SELECT sum(n) FROM hist WHERE run = ?1"),
                     1000);
    reader_close(reader);
}

static void
test_a_released_file_that_is_lost_is_reported(void **state)
{
    struct results *results = lab_results_start(path);
    struct err err = {0};

    (void)state;
    assert_int_equal(results_release(results, 0, 0, &err), ST_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(results_reopen(results, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, path));
    results_abandon(results);
}

static void
test_lists_select_and_order(void **state)
{
    struct results *results = lab_results_start(path);
    struct reader_choice choice = {.list = READER_FLOWS, .limit = 3};
    struct reader *reader;
    struct query *query;
    struct err err = {0};
    bool row = false;
    int n = 0;

    (void)state;
    lab_results_record(results);
    lab_results_finish(results);
    reader = open_reader();
    choice.labels.quantity = reader_list_quantity(READER_FLOWS);
    assert_int_equal(
        metric_parse_labels("group=re*, state=done", &choice.labels, &err),
        ST_OK);
    choice.order = "fct_ps";
    query = reader_list(reader, &choice, &err);
    assert_non_null(query);
    while (!query_next(query, &row, NULL) && row) {
        assert_string_equal(query_name(query, 1), "flow");
        assert_int_equal(query_number(query, 1), 8 - n);
        n++;
    }
    query_finish(query);
    assert_int_equal(n, 3);
    choice.order = "fct_p";
    assert_null(reader_list(reader, &choice, &err));
    assert_non_null(strstr(err.reason, "fct_ps"));
    for (int i = 0; i < READER_N_LISTS; i++) {
        choice =
            (struct reader_choice){.list = (enum reader_list)i, .limit = -1};
        query = reader_list(reader, &choice, &err);
        assert_int_equal(query_next(query, &row, NULL), ST_OK);
        query_finish(query);
    }
    reader_close(reader);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_complete_run_is_read_back),
        TEST(test_hash_is_that_of_the_records),
        TEST(test_a_run_that_goes_on_is_readable),
        TEST(test_a_killed_run_is_readable_and_incomplete),
        TEST(test_a_complete_file_needs_no_right_to_write),
        TEST(test_other_files_are_refused),
        TEST(test_a_truncated_file_is_refused),
        TEST(test_an_existing_file_is_kept),
        TEST(test_a_full_disk_is_reported),
        TEST(test_a_released_file_can_be_replaced),
        TEST(test_a_released_file_that_is_lost_is_reported),
        TEST(test_lists_select_and_order),
    };

    return cmocka_run_group_tests(tests, tempfile_folder_make,
                                  tempfile_folder_remove);
}
