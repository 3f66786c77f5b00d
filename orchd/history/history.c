/* SPDX-License-Identifier: Apache-2.0 */

/* Digests of rows in memory, their contents in the file.
 *
 * A rollback reads the file up to the mark to get the rows of that generation.
 * The current rows are those at the end of the file and in the lines that are
 * not written yet. */

#include <config.h>

#include "orchd/history/history.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "orchd/history/history_file.h"

#define FILE_NAME "history.jsonl"

/* An existing row. */
struct known_row {
    char *key;
    uint64_t digest;
    uint64_t pass; /* The full read that had it last. */
    UT_hash_handle hh;
};

struct history {
    char *path;
    FILE *file; /* For appending; NULL once it has failed. */
    bool failed;
    struct known_row *rows;
    uint64_t generation;
    size_t n_marks;      /* In the file. */
    struct text pending; /* Lines since the last mark. */
    uint64_t pass;       /* Number of the last full read. */
};

/* --- Rows in memory ----------------------------------------------------- */

static int
compare_fields(const void *a_, const void *b_)
{
    const struct field *a = a_, *b = b_;

    return strcmp(a->name, b->name);
}

/* Returns a digest of the fields that does not depend on their order, which
 * Redis does not keep. */
static uint64_t
digest_of(const struct field *fields, size_t n)
{
    struct field *sorted = check_calloc(n + 1, sizeof *sorted);
    uint64_t digest = DIGEST_START;

    if (n) {
        memcpy(sorted, fields, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, compare_fields);
    }
    for (size_t i = 0; i < n; i++) {
        digest = digest_text(digest, sorted[i].name);
        digest = digest_text(digest, sorted[i].value);
    }
    free(sorted);
    return digest;
}

static void
forget(struct history *history, struct known_row *row)
{
    HASH_DEL(history->rows, row);
    free(row->key);
    free(row);
}

/* Updates the digest of a row.  Returns whether the row has changed. */
static bool
learn(struct history *history, const struct field_row *now)
{
    struct known_row *row;
    uint64_t digest = digest_of(now->fields, now->n_fields);

    HASH_FIND_STR(history->rows, now->key, row);
    if (!now->fields) {
        if (row) {
            forget(history, row);
        }
        return row != NULL;
    }
    if (!row) {
        row = check_calloc(1, sizeof *row);
        row->key = check_strdup(now->key);
        row->digest = ~digest;
        HASH_ADD_KEYPTR(hh, history->rows, row->key, strlen(row->key), row);
    }
    row->pass = history->pass;
    if (row->digest == digest) {
        return false;
    }
    row->digest = digest;
    return true;
}

/* --- Opening the file ---------------------------------------------------- */

static void
load_line(void *history_, const struct history_line *line)
{
    struct history *history = history_;

    if (line->is_mark) {
        history->generation = line->generation;
        history->n_marks++;
    } else {
        (void)learn(history, &line->row);
    }
}

/* Removes a truncated last line and opens the file for appending. */
static enum st
open_file(struct history *history, long length, struct err *err)
{
    history->file = fopen(history->path, "ae");
    if (!history->file || ftruncate(fileno(history->file), (off_t)length)) {
        return err_set(err, ST_IO, "history", "%s: %s", history->path,
                       strerror(errno));
    }
    return ST_OK;
}

enum st
history_open(const char *directory, struct history **history, struct err *err)
{
    struct history *made = check_calloc(1, sizeof *made);
    struct arena *arena = arena_create(0);
    struct text path = {0};
    long length = 0;
    enum st status;

    (void)mkdir(directory, 0750); /* The error is reported below. */
    text_addf(&path, "%s/" FILE_NAME, directory);
    made->path = text_take(&path);
    status =
        history_file_read(made->path, arena, load_line, made, &length, err);
    status = status ? status : open_file(made, length, err);
    arena_destroy(arena);
    if (status) {
        history_close(made);
        return status;
    }
    *history = made;
    return ST_OK;
}

void
history_close(struct history *history)
{
    struct known_row *row, *next;

    if (!history) {
        return;
    }
    HASH_ITER(hh, history->rows, row, next)
    {
        forget(history, row);
    }
    if (history->file) {
        fclose(history->file);
    }
    text_fini(&history->pending);
    free(history->path);
    free(history);
}

uint64_t
history_generation(const struct history *history)
{
    return history->generation;
}

/* --- Changes ------------------------------------------------------------ */

void
history_row(struct history *history, const char *key,
            const struct field *fields, size_t n)
{
    const struct field_row row = {key, fields, n};

    if (learn(history, &row) && !history->failed) {
        (void)history_file_add_row(&history->pending, &row);
    }
}

bool
history_has_news(const struct history *history)
{
    return history->pending.length > 0;
}

void
history_reading_begin(struct history *history)
{
    history->pass++;
}

void
history_reading_end(struct history *history)
{
    struct known_row *row, *next;

    HASH_ITER(hh, history->rows, row, next)
    {
        if (row->pass != history->pass) {
            const struct field_row gone = {row->key, NULL, 0};

            (void)history_file_add_row(&history->pending, &gone);
            forget(history, row);
        }
    }
}

/* --- Reading back ------------------------------------------------------- */

/* A row of the requested generation. */
struct then_row {
    const struct field_row *row;
    UT_hash_handle hh; /* By its key. */
};

/* The digests of a row while the file is read; 0: it does not exist. */
struct traced_row {
    const char *key;
    uint64_t then, now; /* Digests: at the last mark, and now. */
    bool touched;
    struct traced_row *next_touched;
    UT_hash_handle hh;
};

/* The state while the file is read. */
struct scan {
    struct arena *arena;
    size_t n_marks; /* So far. */

    struct traced_row *traced;  /* All rows so far, by key; and those of them */
    struct traced_row *touched; /* that had a line since the last mark. */

    /* The marks. */
    struct history_entry *entries;
    size_t size;

    /* The rows at mark number 'until', counted from 1; 0: not wanted.  The mark
     * and all lines behind it go to 'rest' (may be NULL). */
    size_t until;
    struct then_row *rows;
    struct text *rest;
};

/* Records a line of a row for count_changed(). */
static void
trace_row(struct scan *scan, const struct field_row *row)
{
    struct traced_row *traced;

    HASH_FIND_STR(scan->traced, row->key, traced);
    if (!traced) {
        traced = arena_alloc(scan->arena, 1, sizeof *traced);
        traced->key = row->key;
        HASH_ADD_KEYPTR(hh, scan->traced, row->key, strlen(row->key), traced);
    }
    traced->now = row->fields ? digest_of(row->fields, row->n_fields) : 0;
    if (!traced->touched) {
        traced->touched = true;
        traced->next_touched = scan->touched;
        scan->touched = traced;
    }
}

/* Returns how many rows differ from the last mark, and restarts at the current
 * mark.  A row that was deleted and restored in between does not differ. */
static size_t
count_changed(struct scan *scan)
{
    size_t n = 0;

    for (struct traced_row *row = scan->touched; row; row = row->next_touched) {
        n += row->now != row->then;
        row->then = row->now;
        row->touched = false;
    }
    scan->touched = NULL;
    return n;
}

static void
read_mark(struct scan *scan, const struct history_line *line)
{
    if (scan->n_marks == scan->size) {
        struct history_entry *old = scan->entries;

        scan->size = scan->size ? 2 * scan->size : 64;
        scan->entries = arena_alloc(scan->arena, scan->size, sizeof *old);
        if (old) {
            memcpy(scan->entries, old, scan->n_marks * sizeof *old);
        }
    }
    scan->entries[scan->n_marks++] = (struct history_entry){
        line->generation, line->time, count_changed(scan)};
}

/* Stores a row of the requested generation; later lines replace earlier ones.
 */
static void
read_row(struct scan *scan, const struct field_row *row)
{
    struct field_row *copy = arena_alloc(scan->arena, 1, sizeof *copy);
    struct then_row *then;

    *copy = *row;
    HASH_FIND_STR(scan->rows, row->key, then);
    if (then) {
        HASH_DEL(scan->rows, then);
    } else {
        then = arena_alloc(scan->arena, 1, sizeof *then);
    }
    if (row->fields) {
        then->row = copy;
        HASH_ADD_KEYPTR(hh, scan->rows, copy->key, strlen(copy->key), then);
    }
}

static void
read_line(void *scan_, const struct history_line *line)
{
    struct scan *scan = scan_;
    bool behind = scan->n_marks >= scan->until;

    if (line->is_mark) {
        read_mark(scan, line);
        behind = scan->n_marks >= scan->until;
    } else {
        trace_row(scan, &line->row);
    }
    if (!behind && !line->is_mark) {
        read_row(scan, &line->row);
    } else if (behind && scan->rest && line->is_mark) {
        history_file_add_mark(scan->rest, line->generation, line->time);
    } else if (behind && scan->rest) {
        (void)history_file_add_row(scan->rest, &line->row);
    }
}

static enum st
read_file(const struct history *history, struct scan *scan, struct err *err)
{
    enum st status = history_file_read(history->path, scan->arena, read_line,
                                       scan, NULL, err);

    HASH_CLEAR(hh, scan->traced); /* Only needed for the count. */
    return status;
}

enum st
history_list(const struct history *history, struct arena *arena,
             struct history_entry **entries, size_t *n, struct err *err)
{
    struct scan scan = {.arena = arena};
    enum st status = read_file(history, &scan, err);

    if (!status) {
        *entries = scan.entries;
        *n = scan.n_marks;
    }
    return status;
}

/* Returns the number of the last mark up to 'generation', 0 if there is none
 * or it has not been reached yet. */
static size_t
find_mark(const struct history *history, const struct history_entry *entries,
          size_t n, uint64_t generation)
{
    size_t mark = n;

    while (mark > 0 && entries[mark - 1].generation > generation) {
        mark--;
    }
    return generation > history->generation ? 0 : mark;
}

/* Returns whether the row is unchanged since then. */
static bool
is_same(const struct history *history, const struct field_row *then)
{
    const struct known_row *now;

    HASH_FIND_STR(history->rows, then->key, now);
    return now && now->digest == digest_of(then->fields, then->n_fields);
}

/* Lists the rows that differ from that generation. */
static void
list_differences(const struct history *history, const struct scan *scan,
                 struct field_row **rows, size_t *n)
{
    size_t most = HASH_COUNT(history->rows) + HASH_COUNT(scan->rows);
    struct field_row *list = arena_alloc(scan->arena, most + 1, sizeof *list);
    const struct then_row *then;

    *n = 0;
    for (const struct known_row *now = history->rows; now; now = now->hh.next) {
        HASH_FIND_STR(scan->rows, now->key, then);
        if (!then) {
            list[(*n)++].key = arena_strdup(scan->arena, now->key);
        }
    }
    for (then = scan->rows; then; then = then->hh.next) {
        if (!is_same(history, then->row)) {
            list[(*n)++] = *then->row;
        }
    }
    *rows = list;
}

enum st
history_rows(const struct history *history, uint64_t generation,
             struct arena *arena, struct field_row **rows, size_t *n,
             struct err *err)
{
    struct scan scan = {.arena = arena};
    struct history_entry *entries;
    size_t n_entries;
    enum st status = history_list(history, arena, &entries, &n_entries, err);

    if (status) {
        return status;
    }
    scan.until = find_mark(history, entries, n_entries, generation);
    if (!scan.until) {
        status = err_set(err, ST_NOT_FOUND, "no-generation",
                         "generation %llu is not in the history",
                         (unsigned long long)generation);
        err_set_remedy(err, "list the generations with orchctl config history");
        return status;
    }
    status = read_file(history, &scan, err);
    if (!status) {
        list_differences(history, &scan, rows, n);
    }
    HASH_CLEAR(hh, scan.rows);
    return status;
}

/* --- Writing ------------------------------------------------------------ */

/* Appends 'text' to 'file' and flushes it. */
static bool
write_text(FILE *file, const struct text *text)
{
    return fwrite(text_string(text), 1, text->length, file) == text->length &&
           !fflush(file);
}

/* Replaces the file by a new one with 'text'. */
static bool
replace_file(struct history *history, const struct text *text)
{
    struct text path = {0};
    FILE *file;
    bool good;

    text_addf(&path, "%s.new", history->path);
    file = fopen(text_string(&path), "we");
    good = file && write_text(file, text) &&
           !rename(text_string(&path), history->path);
    if (good) {
        fclose(history->file);
        history->file = file;
    } else if (file) {
        fclose(file);
        unlink(text_string(&path));
    }
    text_fini(&path);
    return good;
}

/* Rewrites the file from the mark that is HISTORY_KEPT before the last. */
static void
shorten(struct history *history)
{
    struct scan scan = {.arena = arena_create(0)};
    struct text rest = {0}, whole = {0};

    scan.until = history->n_marks - HISTORY_KEPT + 1;
    scan.rest = &rest;
    if (!read_file(history, &scan, NULL)) {
        for (const struct then_row *then = scan.rows; then;
             then = then->hh.next) {
            (void)history_file_add_row(&whole, then->row);
        }
        text_add(&whole, text_string(&rest));
        if (replace_file(history, &whole)) {
            history->n_marks = HISTORY_KEPT;
        }
    }
    HASH_CLEAR(hh, scan.rows);
    text_fini(&rest);
    text_fini(&whole);
    arena_destroy(scan.arena);
}

enum st
history_note(struct history *history, uint64_t generation, const char *time,
             struct err *err)
{
    if (!history->pending.length || history->failed) {
        return ST_OK;
    }
    history_file_add_mark(&history->pending, generation, time);
    history->failed = !write_text(history->file, &history->pending);
    text_clear(&history->pending);
    if (history->failed) {
        return err_set(err, ST_IO, "history",
                       "%s: %s; from here on nothing is kept", history->path,
                       strerror(errno));
    }
    history->generation = generation;
    history->n_marks++;
    if (history->n_marks >= 2 * HISTORY_KEPT) {
        shorten(history);
    }
    return ST_OK;
}
