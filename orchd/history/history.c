/* SPDX-License-Identifier: Apache-2.0 */

/* Learns rows, and writes the file: the rows that differ from the last mark,
 * then the mark. */

#include <config.h>

#include "orchd/history/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "orchd/history/history_file.h"
#include "orchd/history/history_state.h"

#define FILE_NAME "history.jsonl"

/* --- Rows in memory ----------------------------------------------------- */

static int
compare_fields(const void *a_, const void *b_)
{
    const struct field *a = a_, *b = b_;

    return strcmp(a->name, b->name);
}

uint64_t
history_digest__(const struct field *fields, size_t n)
{
    struct field *sorted;
    uint64_t digest = DIGEST_START;

    if (!fields) {
        return HISTORY_ABSENT;
    }
    sorted = check_calloc(n + 1, sizeof *sorted);
    if (n) {
        memcpy(sorted, fields, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, compare_fields);
    }
    for (size_t i = 0; i < n; i++) {
        digest = digest_text(digest, sorted[i].name);
        digest = digest_text(digest, sorted[i].value);
    }
    free(sorted);
    return digest == HISTORY_ABSENT ? ~digest : digest;
}

static void
forget(struct history *history, struct known_row *row)
{
    HASH_DEL(history->rows, row);
    free(row->fields);
    free(row->key);
    free(row);
}

/* Returns a copy of the fields in one block, NULL if 'fields' is NULL. */
static struct field *
copy_fields(const struct field *fields, size_t n)
{
    size_t size = (n + 1) * sizeof *fields;
    struct field *copy;
    char *texts;

    if (!fields) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        size += strlen(fields[i].name) + strlen(fields[i].value) + 2;
    }
    copy = check_malloc(size);
    texts = (char *)(copy + n + 1);
    for (size_t i = 0; i < n; i++) {
        copy[i].name = strcpy(texts, fields[i].name);
        texts += strlen(texts) + 1;
        copy[i].value = strcpy(texts, fields[i].value);
        texts += strlen(texts) + 1;
    }
    return copy;
}

/* Returns the row 'key', created if it is not known. */
static struct known_row *
know(struct history *history, const char *key)
{
    struct known_row *row;

    HASH_FIND_STR(history->rows, key, row);
    if (!row) {
        row = check_calloc(1, sizeof *row);
        row->key = check_strdup(key);
        row->now = row->marked = HISTORY_ABSENT;
        HASH_ADD_KEYPTR(hh, history->rows, row->key, strlen(row->key), row);
    }
    return row;
}

/* Stores the content of a row that differs from the one known last. */
static void
learn(struct history *history, struct known_row *row, uint64_t digest,
      const struct field *fields, size_t n)
{
    history->version++;
    history->n_news -= row->now != row->marked;
    row->now = digest;
    history->n_news += row->now != row->marked;
    free(row->fields);
    row->fields = NULL;
    row->n_fields = 0;
    if (row->now != row->marked) {
        row->fields = copy_fields(fields, n);
        row->n_fields = n;
    }
    if (!row->touched) {
        row->touched = true;
        row->next_touched = history->touched;
        history->touched = row;
    }
}

void
history_row(struct history *history, const char *key,
            const struct field *fields, size_t n)
{
    const uint64_t digest = history_digest__(fields, n);
    struct known_row *row;

    if (history->failed) {
        return;
    }
    row = know(history, key);
    row->pass = history->pass;
    if (row->now != digest) {
        learn(history, row, digest, fields, n);
    } else if (!fields && !row->touched) {
        forget(history, row);
    }
}

size_t
history_n_news(const struct history *history)
{
    return history->n_news;
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
        if (row->pass != history->pass && row->now != HISTORY_ABSENT) {
            learn(history, row, HISTORY_ABSENT, NULL, 0);
        }
    }
}

/* Makes the current content that of the last mark. */
static void
forget_news(struct history *history)
{
    struct known_row *row = history->touched, *next;

    for (; row; row = next) {
        next = row->next_touched;
        row->touched = false;
        row->next_touched = NULL;
        row->marked = row->now;
        free(row->fields);
        row->fields = NULL;
        row->n_fields = 0;
        if (row->now == HISTORY_ABSENT) {
            forget(history, row);
        }
    }
    history->touched = NULL;
    history->n_news = 0;
}

/* Appends 'text' to 'file' and flushes it. */
static bool
write_text(FILE *file, const struct text *text)
{
    return fwrite(text_string(text), 1, text->length, file) == text->length &&
           !fflush(file);
}

/* Appends 'text' to the file of the history, which ends if that fails. */
static enum st
append(struct history *history, const struct text *text, struct err *err)
{
    if (write_text(history->file, text)) {
        return ST_OK;
    }
    history->failed = true;
    text_format(history->trouble, sizeof history->trouble,
                "%s: %s; the history has ended, until orchd restarts",
                history->path, strerror(errno));
    return err_set(err, ST_IO, "history", "%s", history->trouble);
}

/* Notes that the file has a mark of this generation. */
static void
add_mark(struct history *history, uint64_t generation)
{
    if (history->n_marks == history->marks_size) {
        history->marks_size =
            history->marks_size ? 2 * history->marks_size : 64;
        history->marks = check_realloc(
            history->marks, history->marks_size * sizeof *history->marks);
    }
    history->marks[history->n_marks++] = generation;
    history->generation = generation;
}

/* --- Opening the file ---------------------------------------------------- */

static void
load_line(void *history_, const struct history_line *line)
{
    struct history *history = history_;

    switch (line->kind) {
    case HISTORY_MARK:
        add_mark(history, line->generation);
        break;
    case HISTORY_COMMENT:
        break;
    case HISTORY_ROW:
    default:
        history_row(history, line->row.key, line->row.fields,
                    line->row.n_fields);
        break;
    }
}

/* Writes the first line of a new file. */
static enum st
begin_file(struct history *history, struct err *err)
{
    struct text text = {0};
    enum st status;

    history_file_add_format(&text);
    status = append(history, &text, err);
    text_fini(&text);
    return status;
}

/* Removes a truncated last line and opens the file for appending. */
static enum st
open_file(struct history *history, long length, struct err *err)
{
    history->file = fopen(history->path, "ae");
    if (!history->file || ftruncate(fileno(history->file), (off_t)length)) {
        return history_file_error(history->path, err);
    }
    return length ? ST_OK : begin_file(history, err);
}

/* Appends the path of the history in 'directory' to 'path'. */
static void
add_path(struct text *path, const char *directory)
{
    text_addf(path, "%s/" FILE_NAME, directory);
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
    add_path(&path, directory);
    made->path = text_take(&path);
    status =
        history_file_read(made->path, arena, load_line, made, &length, err);
    forget_news(made); /* The file has all of them. */
    status = status ? status : open_file(made, length, err);
    arena_destroy(arena);
    if (status) {
        history_close(made);
        return status;
    }
    *history = made;
    return ST_OK;
}

enum st
history_set_aside(const char *directory, char *path, size_t size,
                  struct err *err)
{
    struct text from = {0};
    enum st status = ST_OK;
    struct stat unused;
    unsigned int n = 0;

    add_path(&from, directory);
    do {
        text_format(path, size, "%s.bad-%u", text_string(&from), ++n);
    } while (!lstat(path, &unused));
    if (rename(text_string(&from), path)) {
        status = err_set(err, ST_IO, "history", "%s cannot be renamed: %s",
                         text_string(&from), strerror(errno));
    }
    text_fini(&from);
    return status;
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
    free(history->marks);
    free(history->path);
    free(history);
}

const char *
history_trouble(const struct history *history)
{
    return history->trouble;
}

uint64_t
history_generation(const struct history *history)
{
    return history->generation;
}

uint64_t
history_version(const struct history *history)
{
    return history->version;
}

/* --- Writing ------------------------------------------------------------ */

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

/* Rewrites the file without all but the last 'kept' generations. */
static void
shorten(struct history *history, size_t kept)
{
    struct history_scan scan = {.arena = arena_create(0)};
    struct text rest = {0}, whole = {0};

    scan.until = history->n_marks - kept + 1;
    scan.rest = &rest;
    if (!history_scan__(history, &scan, NULL)) {
        history_file_add_format(&whole);
        for (const struct then_row *then = scan.rows; then;
             then = then->hh.next) {
            const struct history_line line = {.row = *then->row};

            (void)history_file_add(&whole, &line);
        }
        text_add(&whole, text_string(&rest));
        if (replace_file(history, &whole)) {
            memmove(history->marks, history->marks + history->n_marks - kept,
                    kept * sizeof *history->marks);
            history->n_marks = kept;
        }
    }
    HASH_CLEAR(hh, scan.rows);
    text_fini(&rest);
    text_fini(&whole);
    arena_destroy(scan.arena);
}

/* Shortens the file if it has too many generations or bytes. */
static void
limit(struct history *history)
{
    if (history->n_marks >= 2 * HISTORY_KEPT) {
        shorten(history, HISTORY_KEPT);
    } else if (history->n_marks > 1 && ftell(history->file) > HISTORY_BYTES) {
        shorten(history, history->n_marks / 2);
    }
}

/* How many rows of a table changed. */
struct table_news {
    const char *name; /* Of 'length' bytes. */
    size_t length;
    size_t n_added, n_changed, n_removed;
};

static int
compare_tables(const void *a_, const void *b_)
{
    const struct table_news *a = a_, *b = b_;
    const size_t shorter = a->length < b->length ? a->length : b->length;
    const int order = strncmp(a->name, b->name, shorter);

    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Counts 'row' in the list of '*n' tables. */
static void
count_row(struct table_news *tables, size_t *n, const struct known_row *row)
{
    const size_t length = strcspn(row->key, "|");
    struct table_news *table = tables;

    while (table < tables + *n &&
           (table->length != length || memcmp(table->name, row->key, length))) {
        table++;
    }
    if (table == tables + *n) {
        *table = (struct table_news){.name = row->key, .length = length};
        (*n)++;
    }
    table->n_added += row->marked == HISTORY_ABSENT;
    table->n_removed += row->now == HISTORY_ABSENT;
    table->n_changed +=
        row->marked != HISTORY_ABSENT && row->now != HISTORY_ABSENT;
}

/* Appends "BUFFER_PROFILE 1 changed, PORT 32 added". */
static void
add_summary(struct table_news *tables, size_t n, struct text *summary)
{
    qsort(tables, n, sizeof *tables, compare_tables);
    for (size_t i = 0; i < n; i++) {
        const struct {
            size_t n;
            const char *what;
        } counts[] = {
            {tables[i].n_added, "added"},
            {tables[i].n_changed, "changed"},
            {tables[i].n_removed, "removed"},
        };

        text_addf(summary, "%s%.*s", i ? ", " : "", (int)tables[i].length,
                  tables[i].name);
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            if (counts[j].n) {
                text_addf(summary, " %zu %s", counts[j].n, counts[j].what);
            }
        }
    }
}

/* Appends the rows that differ from the last mark to 'text', and which these
 * are to 'summary'. */
static void
add_news(const struct history *history, struct text *text, struct text *summary)
{
    struct table_news *tables =
        check_calloc(history->n_news + 1, sizeof *tables);
    size_t n = 0;

    for (const struct known_row *row = history->touched; row;
         row = row->next_touched) {
        const struct history_line line = {
            .row = {row->key, row->fields, row->n_fields}};

        if (row->now != row->marked) {
            count_row(tables, &n, row);
            (void)history_file_add(text, &line);
        }
    }
    add_summary(tables, n, summary);
    free(tables);
}

enum st
history_note(struct history *history, uint64_t generation, const char *time,
             struct err *err)
{
    struct text text = {0}, summary = {0};
    struct history_line mark = {.kind = HISTORY_MARK,
                                .generation = generation,
                                .time = time,
                                .n_changed = history->n_news};
    enum st status;

    if (!history->n_news || history->failed) {
        return ST_OK;
    }
    add_news(history, &text, &summary);
    mark.summary = text_string(&summary);
    (void)history_file_add(&text, &mark);
    status = append(history, &text, err);
    text_fini(&text);
    text_fini(&summary);
    forget_news(history);
    if (!status) {
        add_mark(history, generation);
        limit(history);
    }
    return status;
}

enum st
history_comment(struct history *history, uint64_t generation, const char *text,
                struct err *err)
{
    const struct history_line line = {
        .kind = HISTORY_COMMENT, .generation = generation, .comment = text};
    struct text bytes = {0};
    enum st status = history_has(history, generation, err);

    if (!status && strlen(text) > HISTORY_COMMENT_MAX) {
        status = err_set(err, ST_INVALID, "comment",
                         "the comment has %zu bytes, more than %d",
                         strlen(text), HISTORY_COMMENT_MAX);
    } else if (!status && (!history_file_add(&bytes, &line))) {
        status =
            err_set(err, ST_INVALID, "comment", "the comment is not UTF-8");
    }
    if (!status && history->failed) {
        status = err_set(err, ST_IO, "history", "%s cannot be written any more",
                         history->path);
    }
    status = status ? status : append(history, &bytes, err);
    text_fini(&bytes);
    return status;
}
