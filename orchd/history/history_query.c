/* SPDX-License-Identifier: Apache-2.0 */

/* One pass over the file for the rows of both generations, and then one over
 * the rows of each. */

#include <config.h>

#include "orchd/history/history_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "orchd/history/history_file.h"
#include "orchd/history/history_state.h"

struct history_query {
    struct arena *arena; /* Borrowed. */
    struct history_reader *reader;
    struct history_scan from, to; /* A list uses the first one. */
    bool is_diff;

    /* The rows that have changed since the last mark, if they are wanted. */
    struct field_row *news;
    size_t n_news;

    /* The comparison. */
    bool begun;
    const struct then_row *before, *after; /* The next ones. */
    struct history_result result;
};

/* Copies a row. */
static struct field_row
copy_row(struct arena *arena, const struct known_row *row)
{
    struct field_row copy = {arena_strdup(arena, row->key), NULL,
                             row->n_fields};
    struct field *fields =
        arena_alloc(arena, row->n_fields + 1, sizeof *fields);

    for (size_t i = 0; row->fields && i < row->n_fields; i++) {
        fields[i].name = arena_strdup(arena, row->fields[i].name);
        fields[i].value = arena_strdup(arena, row->fields[i].value);
    }
    copy.fields = row->fields ? fields : NULL;
    return copy;
}

/* Notes the rows that have changed since the last mark. */
static void
note_news(struct history_query *query, const struct history *history)
{
    query->news =
        arena_alloc(query->arena, history->n_news + 1, sizeof *query->news);
    for (const struct known_row *row = history->touched; row;
         row = row->next_touched) {
        if (row->now != row->marked) {
            query->news[query->n_news++] = copy_row(query->arena, row);
        }
    }
}

/* Creates a query, and opens the file. */
static enum st
create(const struct history *history, struct arena *arena,
       struct history_query **query, struct err *err)
{
    struct history_query *made = check_calloc(1, sizeof *made);
    enum st status = history_reader_open(history->path, &made->reader, err);

    made->arena = made->from.arena = made->to.arena = arena;
    if (status) {
        free(made);
    } else {
        *query = made;
    }
    return status;
}

enum st
history_query_list(const struct history *history, struct arena *arena,
                   struct history_query **query, struct err *err)
{
    return create(history, arena, query, err);
}

/* Finds up to which mark rows are wanted. */
static enum st
find_until(const struct history *history, uint64_t *generation,
           struct history_scan *scan, struct err *err)
{
    if (*generation == HISTORY_NOW) {
        scan->until = SIZE_MAX;
        return ST_OK;
    }
    return history_find_mark__(history, generation, &scan->until, err);
}

enum st
history_query_diff(const struct history *history, uint64_t from, uint64_t to,
                   struct arena *arena, struct history_query **query,
                   struct err *err)
{
    struct history_query *made = NULL;
    enum st status = create(history, arena, &made, err);

    status = status ? status : find_until(history, &from, &made->from, err);
    status = status ? status : find_until(history, &to, &made->to, err);
    if (status) {
        history_query_destroy(made);
        return status;
    }
    made->is_diff = true;
    made->result.from = from;
    made->result.to = to;
    if (from == HISTORY_NOW || to == HISTORY_NOW) {
        note_news(made, history);
    }
    *query = made;
    return ST_OK;
}

void
history_query_destroy(struct history_query *query)
{
    if (query) {
        history_reader_close(query->reader);
        HASH_CLEAR(hh, query->from.rows);
        HASH_CLEAR(hh, query->to.rows);
        free(query);
    }
}

/* Implements history_line_fn. */
static void
on_line(void *query_, const struct history_line *line)
{
    struct history_query *query = query_;

    history_scan_line__(&query->from, line);
    if (query->is_diff) {
        history_scan_line__(&query->to, line);
    }
}

/* The file has been read. */
static void
begin_comparison(struct history_query *query)
{
    struct history_result *result = &query->result;

    for (size_t i = 0; i < query->n_news; i++) {
        if (result->from == HISTORY_NOW) {
            history_scan_row__(&query->from, &query->news[i]);
        }
        if (result->to == HISTORY_NOW) {
            history_scan_row__(&query->to, &query->news[i]);
        }
    }
    query->begun = true;
    query->before = query->from.rows;
    query->after = query->to.rows;
    result->changes = arena_alloc(query->arena,
                                  HASH_COUNT(query->from.rows) +
                                      HASH_COUNT(query->to.rows) + 1,
                                  sizeof *result->changes);
    result->rows = arena_alloc(query->arena, HASH_COUNT(query->from.rows) + 1,
                               sizeof *result->rows);
}

/* Compares a row of 'from' with what it is in 'to'. */
static void
compare_before(struct history_query *query)
{
    struct history_result *result = &query->result;
    const struct field_row *row = query->before->row;
    const struct then_row *after;

    result->rows[result->n_rows++] = row;
    HASH_FIND_STR(query->to.rows, row->key, after);
    if (!after ||
        history_digest__(row->fields, row->n_fields) !=
            history_digest__(after->row->fields, after->row->n_fields)) {
        result->changes[result->n_changes++] =
            (struct history_change){row->key, row, after ? after->row : NULL};
    }
    query->before = query->before->hh.next;
}

/* Finds out whether a row of 'to' is in 'from'. */
static void
compare_after(struct history_query *query)
{
    struct history_result *result = &query->result;
    const struct field_row *row = query->after->row;
    const struct then_row *before;

    HASH_FIND_STR(query->from.rows, row->key, before);
    if (!before) {
        result->changes[result->n_changes++] =
            (struct history_change){row->key, NULL, row};
    }
    query->after = query->after->hh.next;
}

static int
compare_changes(const void *a_, const void *b_)
{
    const struct history_change *a = a_, *b = b_;

    return strcmp(a->key, b->key);
}

/* Compares up to 'n' rows.  Returns whether some are left. */
static bool
compare_some(struct history_query *query, size_t n)
{
    if (!query->begun) {
        begin_comparison(query);
        return true;
    }
    while (n && query->before) {
        compare_before(query);
        n--;
    }
    while (n && query->after) {
        compare_after(query);
        n--;
    }
    if (query->before || query->after) {
        return true;
    }
    qsort(query->result.changes, query->result.n_changes,
          sizeof *query->result.changes, compare_changes);
    return false;
}

bool
history_query_continue(struct history_query *query, size_t n, enum st *status,
                       struct err *err)
{
    bool more = false;

    *status = ST_OK;
    if (query->reader) {
        *status = history_reader_lines(query->reader, query->arena, on_line,
                                       query, n, &more, err);
        if (more) {
            return true;
        }
        history_reader_close(query->reader);
        query->reader = NULL;
        query->result.entries = query->from.entries;
        query->result.n_entries = query->from.n_marks;
        return !*status && query->is_diff;
    }
    return compare_some(query, n);
}

const struct history_result *
history_query_result(const struct history_query *query)
{
    return &query->result;
}
