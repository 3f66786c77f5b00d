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
#include "orchd/history/history_query.h"
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

void
history_scan_row__(struct history_scan *scan, const struct field_row *row)
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

void
history_scan_line__(void *scan_, const struct history_line *line)
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
            history_scan_row__(scan, &line->row);
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
    return history_file_read(history->path, scan->arena, history_scan_line__,
                             scan, NULL, err);
}

/* --- Marks -------------------------------------------------------------- */

/* Fills 'err': the generation is not stored; says which are. */
static enum st
fail_generation(const struct history *history, uint64_t generation,
                struct err *err)
{
    enum st status = err_set(err, ST_NOT_FOUND, "no-generation",
                             "generation %llu is not in the history",
                             (unsigned long long)generation);
    const size_t n = history->n_marks;
    char number[24], allowed[96] = "";

    text_format(number, sizeof number, "%llu", (unsigned long long)generation);
    if (n) {
        text_format(allowed, sizeof allowed,
                    "%zu generation%s from %llu to %llu", n, text_plural(n),
                    (unsigned long long)history->marks[0],
                    (unsigned long long)history->marks[n - 1]);
    }
    err_set_field(err, "generation", number, allowed);
    err_set_remedy(err, "list the generations with orchctl config history");
    return status;
}

enum st
history_find_mark__(const struct history *history, uint64_t *generation,
                    size_t *mark, struct err *err)
{
    *mark = history->n_marks;
    while (*mark > 0 && history->marks[*mark - 1] > *generation) {
        (*mark)--;
    }
    if (!*mark || *generation > history->generation) {
        return fail_generation(history, *generation, err);
    }
    *generation = history->marks[*mark - 1];
    return ST_OK;
}

enum st
history_has(const struct history *history, uint64_t generation, struct err *err)
{
    uint64_t found = generation;
    size_t mark;

    return history_find_mark__(history, &found, &mark, NULL) ||
                   found != generation
               ? fail_generation(history, generation, err)
               : ST_OK;
}

/* --- Answers in one piece ------------------------------------------------ */

/* Answers a query. */
static enum st
finish(struct history_query *query, struct err *err)
{
    enum st status = ST_OK;

    while (history_query_continue(query, SIZE_MAX, &status, err)) {
    }
    return status;
}

enum st
history_list(const struct history *history, struct arena *arena,
             struct history_entry **entries, size_t *n, struct err *err)
{
    struct history_query *query = NULL;
    enum st status = history_query_list(history, arena, &query, err);

    status = status ? status : finish(query, err);
    if (!status) {
        *entries = history_query_result(query)->entries;
        *n = history_query_result(query)->n_entries;
    }
    history_query_destroy(query);
    return status;
}

enum st
history_diff(const struct history *history, uint64_t *from, uint64_t *to,
             struct arena *arena, struct history_change **changes, size_t *n,
             struct err *err)
{
    struct history_query *query = NULL;
    const struct history_result *result;
    enum st status =
        history_query_diff(history, *from, *to, arena, &query, err);

    status = status ? status : finish(query, err);
    if (!status) {
        result = history_query_result(query);
        *from = result->from;
        *to = result->to;
        *changes = result->changes;
        *n = result->n_changes;
    }
    history_query_destroy(query);
    return status;
}

void
history_changed_rows(const struct history_change *changes, size_t n,
                     struct arena *arena, struct field_row **rows)
{
    *rows = arena_alloc(arena, n + 1, sizeof **rows);
    for (size_t i = 0; i < n; i++) {
        (*rows)[i].key = changes[i].key;
        if (changes[i].after) {
            (*rows)[i] = *changes[i].after;
        }
    }
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

    if (!status) {
        history_changed_rows(changes, *n, arena, rows);
    }
    return status;
}
