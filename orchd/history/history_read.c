/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the file back: its marks, and the rows at one of them.
 *
 * The current rows are those at the end of the file, and those in memory that
 * changed since. */

#include <config.h>

#include "orchd/history/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/history/history_file.h"
#include "orchd/history/history_state.h"

/* --- Lines -------------------------------------------------------------- */

static void
read_mark(struct history_scan *scan, const struct history_line *line)
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
        line->generation, line->time, line->n_changed, line->summary, ""};
}

/* Replaces the comment on a generation.  Returns whether it is one of those
 * from mark number 'first' on. */
static bool
read_comment(struct history_scan *scan, const struct history_line *line,
             size_t first)
{
    for (size_t i = scan->n_marks; i > 0; i--) {
        struct history_entry *entry = &scan->entries[i - 1];

        if (entry->generation == line->generation) {
            entry->comment = line->comment;
            return i >= first;
        }
    }
    return false;
}

/* Makes 'row' the content of its key; later lines replace earlier ones. */
static void
read_row(struct history_scan *scan, const struct field_row *row)
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
    struct history_scan *scan = scan_;
    bool behind = scan->n_marks >= scan->until;

    switch (line->kind) {
    case HISTORY_MARK:
        read_mark(scan, line);
        behind = scan->n_marks >= scan->until;
        break;
    case HISTORY_COMMENT:
        behind = read_comment(scan, line, scan->until);
        break;
    case HISTORY_ROW:
    default:
        if (!behind) {
            read_row(scan, &line->row);
        }
        break;
    }
    if (behind && scan->rest) {
        (void)history_file_add(scan->rest, line);
    }
}

enum st
history_scan__(const struct history *history, struct history_scan *scan,
               struct err *err)
{
    return history_file_read(history->path, scan->arena, read_line, scan, NULL,
                             err);
}

/* --- Marks -------------------------------------------------------------- */

enum st
history_list(const struct history *history, struct arena *arena,
             struct history_entry **entries, size_t *n, struct err *err)
{
    struct history_scan scan = {.arena = arena};
    enum st status = history_scan__(history, &scan, err);

    if (!status) {
        *entries = scan.entries;
        *n = scan.n_marks;
    }
    return status;
}

/* Fills 'err': the generation is not stored; says which are. */
static enum st
fail_generation(uint64_t generation, const struct history_entry *entries,
                size_t n, struct err *err)
{
    enum st status = err_set(err, ST_NOT_FOUND, "no-generation",
                             "generation %llu is not in the history",
                             (unsigned long long)generation);
    char number[24], allowed[96] = "";

    text_format(number, sizeof number, "%llu", (unsigned long long)generation);
    if (n) {
        text_format(allowed, sizeof allowed,
                    "%zu generation%s from %llu to %llu", n, text_plural(n),
                    (unsigned long long)entries[0].generation,
                    (unsigned long long)entries[n - 1].generation);
    }
    err_set_field(err, "generation", number, allowed);
    err_set_remedy(err, "list the generations with orchctl config history");
    return status;
}

/* Finds the number of the last mark up to '*generation', which becomes that of
 * the mark. */
static enum st
find_mark(const struct history *history, struct arena *arena,
          uint64_t *generation, size_t *mark, struct err *err)
{
    struct history_entry *entries = NULL;
    size_t n = 0;
    enum st status = history_list(history, arena, &entries, &n, err);

    *mark = n;
    while (*mark > 0 && entries[*mark - 1].generation > *generation) {
        (*mark)--;
    }
    if (!status && (!*mark || *generation > history->generation)) {
        return fail_generation(*generation, entries, n, err);
    }
    if (!status) {
        *generation = entries[*mark - 1].generation;
    }
    return status;
}

enum st
history_has(const struct history *history, uint64_t generation, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct history_entry *entries = NULL;
    size_t n = 0, i = 0;
    enum st status = history_list(history, arena, &entries, &n, err);

    while (!status && i < n && entries[i].generation != generation) {
        i++;
    }
    if (!status && i == n) {
        status = fail_generation(generation, entries, n, err);
    }
    arena_destroy(arena);
    return status;
}

/* --- Rows --------------------------------------------------------------- */

/* Adds the rows that changed since the last mark. */
static void
add_news(const struct history *history, struct history_scan *scan)
{
    for (const struct known_row *row = history->touched; row;
         row = row->next_touched) {
        const struct field_row now = {row->key, row->fields, row->n_fields};

        if (row->now != row->marked) {
            read_row(scan, &now);
        }
    }
}

/* Reads the rows at '*generation', HISTORY_NOW: the current ones. */
static enum st
read_rows(const struct history *history, uint64_t *generation,
          struct history_scan *scan, struct err *err)
{
    enum st status = ST_OK;

    if (*generation == HISTORY_NOW) {
        scan->until = SIZE_MAX;
    } else {
        status = find_mark(history, scan->arena, generation, &scan->until, err);
    }
    status = status ? status : history_scan__(history, scan, err);
    if (!status && *generation == HISTORY_NOW) {
        add_news(history, scan);
    }
    return status;
}

static int
compare_changes(const void *a_, const void *b_)
{
    const struct history_change *a = a_, *b = b_;

    return strcmp(a->key, b->key);
}

/* Lists the rows that differ, sorted by key. */
static void
list_changes(const struct history_scan *from, const struct history_scan *to,
             struct history_change **changes, size_t *n)
{
    size_t most = HASH_COUNT(from->rows) + HASH_COUNT(to->rows);
    struct history_change *list =
        arena_alloc(to->arena, most + 1, sizeof *list);
    const struct then_row *before, *after;

    *n = 0;
    for (before = from->rows; before; before = before->hh.next) {
        HASH_FIND_STR(to->rows, before->row->key, after);
        if (!after ||
            history_digest__(before->row->fields, before->row->n_fields) !=
                history_digest__(after->row->fields, after->row->n_fields)) {
            list[(*n)++] = (struct history_change){
                before->row->key, before->row, after ? after->row : NULL};
        }
    }
    for (after = to->rows; after; after = after->hh.next) {
        HASH_FIND_STR(from->rows, after->row->key, before);
        if (!before) {
            list[(*n)++] =
                (struct history_change){after->row->key, NULL, after->row};
        }
    }
    qsort(list, *n, sizeof *list, compare_changes);
    *changes = list;
}

enum st
history_diff(const struct history *history, uint64_t *from, uint64_t *to,
             struct arena *arena, struct history_change **changes, size_t *n,
             struct err *err)
{
    struct history_scan before = {.arena = arena}, after = {.arena = arena};
    enum st status = read_rows(history, from, &before, err);

    status = status ? status : read_rows(history, to, &after, err);
    if (!status) {
        list_changes(&before, &after, changes, n);
    }
    HASH_CLEAR(hh, before.rows);
    HASH_CLEAR(hh, after.rows);
    return status;
}

enum st
history_now(const struct history *history, struct arena *arena,
            struct field_row **rows, size_t *n, struct err *err)
{
    struct history_scan scan = {.arena = arena};
    uint64_t now = HISTORY_NOW;
    enum st status = read_rows(history, &now, &scan, err);

    *n = 0;
    *rows = arena_alloc(arena, HASH_COUNT(scan.rows) + 1, sizeof **rows);
    for (const struct then_row *row = scan.rows; row; row = row->hh.next) {
        (*rows)[(*n)++] = *row->row;
    }
    HASH_CLEAR(hh, scan.rows);
    return status;
}

enum st
history_rows(const struct history *history, uint64_t *generation,
             struct arena *arena, struct field_row **rows, size_t *n,
             struct err *err)
{
    uint64_t now = HISTORY_NOW;
    struct history_change *changes = NULL;
    enum st status =
        history_diff(history, &now, generation, arena, &changes, n, err);

    if (status) {
        return status;
    }
    *rows = arena_alloc(arena, *n + 1, sizeof **rows);
    for (size_t i = 0; i < *n; i++) {
        (*rows)[i].key = changes[i].key;
        if (changes[i].after) {
            (*rows)[i] = *changes[i].after;
        }
    }
    return status;
}
