/* SPDX-License-Identifier: Apache-2.0 */

/* Rows by digest in memory, their contents in the file.
 *
 * To go back, the file is read up to the mark, which gives the rows of then;
 * the rows of now are those of its end and of what is not written yet. */

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

/* A row that is there. */
struct known_row {
    char *key;
    uint64_t digest;
    uint64_t reading; /* In which it was told last. */
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
    uint64_t reading;
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

/* Makes the row what it is now.  Returns whether it was anything else. */
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
    row->reading = history->reading;
    if (row->digest == digest) {
        return false;
    }
    row->digest = digest;
    return true;
}

/* --- Opening ------------------------------------------------------------ */

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

/* Cuts off a torn line and goes on behind the rest. */
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

    (void)mkdir(directory, 0750); /* What is wrong is told below. */
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

/* --- Going on ----------------------------------------------------------- */

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
    history->reading++;
}

void
history_reading_end(struct history *history)
{
    struct known_row *row, *next;

    HASH_ITER(hh, history->rows, row, next)
    {
        if (row->reading != history->reading) {
            const struct field_row gone = {row->key, NULL, 0};

            (void)history_file_add_row(&history->pending, &gone);
            forget(history, row);
        }
    }
}

/* --- Reading back ------------------------------------------------------- */

/* A row as it was. */
struct then_row {
    const struct field_row *row;
    UT_hash_handle hh; /* By its key. */
};

/* A row on its way through the file.  Gone, or not there yet: 0. */
struct traced_row {
    const char *key;
    uint64_t then, now; /* Digests: at the last mark, and by now. */
    bool touched;
    struct traced_row *next_touched;
    UT_hash_handle hh;
};

/* A reading of the file. */
struct reading {
    struct arena *arena;
    size_t n_marks; /* So far. */

    struct traced_row *traced;  /* All rows so far, by key; and those of them */
    struct traced_row *touched; /* that had a line since the last mark. */

    /* The marks. */
    struct history_entry *entries;
    size_t size;

    /* The rows at mark number 'until', counted from 1; 0: not wanted.  What
     * lies behind it goes to 'rest' (may be NULL), the mark included. */
    size_t until;
    struct then_row *rows;
    struct text *rest;
};

/* Takes a line of a row in for count_changed(). */
static void
trace_row(struct reading *reading, const struct field_row *row)
{
    struct traced_row *traced;

    HASH_FIND_STR(reading->traced, row->key, traced);
    if (!traced) {
        traced = arena_alloc(reading->arena, 1, sizeof *traced);
        traced->key = row->key;
        HASH_ADD_KEYPTR(hh, reading->traced, row->key, strlen(row->key),
                        traced);
    }
    traced->now = row->fields ? digest_of(row->fields, row->n_fields) : 0;
    if (!traced->touched) {
        traced->touched = true;
        traced->next_touched = reading->touched;
        reading->touched = traced;
    }
}

/* Returns how many rows are not what they were at the last mark, and begins
 * anew: one that went and came back in between has not changed. */
static size_t
count_changed(struct reading *reading)
{
    size_t n = 0;

    for (struct traced_row *row = reading->touched; row;
         row = row->next_touched) {
        n += row->now != row->then;
        row->then = row->now;
        row->touched = false;
    }
    reading->touched = NULL;
    return n;
}

static void
read_mark(struct reading *reading, const struct history_line *line)
{
    if (reading->n_marks == reading->size) {
        struct history_entry *old = reading->entries;

        reading->size = reading->size ? 2 * reading->size : 64;
        reading->entries =
            arena_alloc(reading->arena, reading->size, sizeof *old);
        if (old) {
            memcpy(reading->entries, old, reading->n_marks * sizeof *old);
        }
    }
    reading->entries[reading->n_marks++] = (struct history_entry){
        line->generation, line->time, count_changed(reading)};
}

/* Makes the row what it was then; later lines win. */
static void
read_row(struct reading *reading, const struct field_row *row)
{
    struct field_row *copy = arena_alloc(reading->arena, 1, sizeof *copy);
    struct then_row *then;

    *copy = *row;
    HASH_FIND_STR(reading->rows, row->key, then);
    if (then) {
        HASH_DEL(reading->rows, then);
    } else {
        then = arena_alloc(reading->arena, 1, sizeof *then);
    }
    if (row->fields) {
        then->row = copy;
        HASH_ADD_KEYPTR(hh, reading->rows, copy->key, strlen(copy->key), then);
    }
}

static void
read_line(void *reading_, const struct history_line *line)
{
    struct reading *reading = reading_;
    bool behind = reading->n_marks >= reading->until;

    if (line->is_mark) {
        read_mark(reading, line);
        behind = reading->n_marks >= reading->until;
    } else {
        trace_row(reading, &line->row);
    }
    if (!behind && !line->is_mark) {
        read_row(reading, &line->row);
    } else if (behind && reading->rest && line->is_mark) {
        history_file_add_mark(reading->rest, line->generation, line->time);
    } else if (behind && reading->rest) {
        (void)history_file_add_row(reading->rest, &line->row);
    }
}

static enum st
read_file(const struct history *history, struct reading *reading,
          struct err *err)
{
    enum st status = history_file_read(history->path, reading->arena, read_line,
                                       reading, NULL, err);

    HASH_CLEAR(hh, reading->traced); /* It served only to count. */
    return status;
}

enum st
history_list(const struct history *history, struct arena *arena,
             struct history_entry **entries, size_t *n, struct err *err)
{
    struct reading reading = {.arena = arena};
    enum st status = read_file(history, &reading, err);

    if (!status) {
        *entries = reading.entries;
        *n = reading.n_marks;
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

/* Returns whether the row is now what it was then. */
static bool
is_same(const struct history *history, const struct field_row *then)
{
    const struct known_row *now;

    HASH_FIND_STR(history->rows, then->key, now);
    return now && now->digest == digest_of(then->fields, then->n_fields);
}

/* Lists what is different now from what was then. */
static void
list_differences(const struct history *history, const struct reading *reading,
                 struct field_row **rows, size_t *n)
{
    size_t most = HASH_COUNT(history->rows) + HASH_COUNT(reading->rows);
    struct field_row *list =
        arena_alloc(reading->arena, most + 1, sizeof *list);
    const struct then_row *then;

    *n = 0;
    for (const struct known_row *now = history->rows; now; now = now->hh.next) {
        HASH_FIND_STR(reading->rows, now->key, then);
        if (!then) {
            list[(*n)++].key = arena_strdup(reading->arena, now->key);
        }
    }
    for (then = reading->rows; then; then = then->hh.next) {
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
    struct reading reading = {.arena = arena};
    struct history_entry *entries;
    size_t n_entries;
    enum st status = history_list(history, arena, &entries, &n_entries, err);

    if (status) {
        return status;
    }
    reading.until = find_mark(history, entries, n_entries, generation);
    if (!reading.until) {
        status = err_set(err, ST_NOT_FOUND, "no-generation",
                         "generation %llu is not in the history",
                         (unsigned long long)generation);
        err_set_remedy(err, "orchctl config history shows what is there");
        return status;
    }
    status = read_file(history, &reading, err);
    if (!status) {
        list_differences(history, &reading, rows, n);
    }
    HASH_CLEAR(hh, reading.rows);
    return status;
}

/* --- Writing ------------------------------------------------------------ */

/* Appends 'text' to 'file'; it is there for every reader then. */
static bool
write_text(FILE *file, const struct text *text)
{
    return fwrite(text_string(text), 1, text->length, file) == text->length &&
           !fflush(file);
}

/* Replaces the file by one with 'text' in it. */
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

/* Writes the file anew from the mark that is HISTORY_KEPT before the last. */
static void
shorten(struct history *history)
{
    struct reading reading = {.arena = arena_create(0)};
    struct text rest = {0}, whole = {0};

    reading.until = history->n_marks - HISTORY_KEPT + 1;
    reading.rest = &rest;
    if (!read_file(history, &reading, NULL)) {
        for (const struct then_row *then = reading.rows; then;
             then = then->hh.next) {
            (void)history_file_add_row(&whole, then->row);
        }
        text_add(&whole, text_string(&rest));
        if (replace_file(history, &whole)) {
            history->n_marks = HISTORY_KEPT;
        }
    }
    HASH_CLEAR(hh, reading.rows);
    text_fini(&rest);
    text_fini(&whole);
    arena_destroy(reading.arena);
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
