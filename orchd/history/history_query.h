/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_HISTORY_QUERY_H
#define ORCHD_HISTORY_HISTORY_QUERY_H

/* A question to the history that is answered in slices.
 *
 * The file of a large switch has megabytes, and parsing one takes tens of
 * milliseconds.  A query reads the file in pieces.  It answers as of the moment
 * at which it began: what is added meanwhile it does not read, and if the file
 * is replaced it reads the one that was there. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/history/history.h"

struct arena;
struct history;
struct history_query;

/* Ask for the list of generations; for the rows that differ between two
 * generations, as history_diff() does.  Memory comes from 'arena', which has to
 * outlive the query.  ST_NOT_FOUND: a generation is not stored; ST_IO,
 * ST_INVALID: the file cannot be read.  End with history_query_destroy(), which
 * accepts NULL. */
enum st history_query_list(const struct history *history, struct arena *arena,
                           struct history_query **query,
                           struct err *err) ST_WARN_UNUSED;
enum st history_query_diff(const struct history *history, uint64_t from,
                           uint64_t to, struct arena *arena,
                           struct history_query **query,
                           struct err *err) ST_WARN_UNUSED;
void history_query_destroy(struct history_query *query);

/* Reads up to 'n' more lines, or compares as many rows.  Returns whether there
 * is more to do; if not, the query has ended with '*status', ST_IO or
 * ST_INVALID if the file could not be read. */
bool history_query_continue(struct history_query *query, size_t n,
                            enum st *status, struct err *err);

/* The result; its memory is in the arena. */
struct history_result {
    struct history_entry *entries; /* Of a list: oldest first. */
    size_t n_entries;

    uint64_t from, to; /* Of a diff: the generations, HISTORY_NOW. */
    struct history_change *changes;
    size_t n_changes;
    const struct field_row **rows; /* All rows of 'from'. */
    size_t n_rows;
};
const struct history_result *
history_query_result(const struct history_query *query);

#endif /* orchd/history/history_query.h */
