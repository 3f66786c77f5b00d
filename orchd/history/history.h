/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_HISTORY_H
#define ORCHD_HISTORY_HISTORY_H

/* The contents of CONFIG_DB at each generation, so that an operator can go
 * back.
 *
 * A generation is a plan that changed the switch.  The history gets each row
 * that orchd reads, stores the changes, and marks the generation that has them.
 * It stores rows as they are in the database, with fields that orchd does not
 * know, because a rollback replaces whole rows.
 *
 * The history is a file, DIR/history.jsonl, to which lines of JSON are
 * appended:
 *
 *   {"row": "BUFFER_POOL|x", "fields": {"size": "4096"}}   the row has changed
 *   {"row": "BUFFER_POOL|x"}                               the row was deleted
 *   {"generation": 12, "time": "2026-01-02T03:04:05.678Z"} this generation has
 *                                                          all lines before
 *
 * A truncated last line, after a crash, is dropped.  From time to time the file
 * is rewritten without generations older than the last HISTORY_KEPT, under
 * another name that then replaces it, so that there is always a complete file.
 * The file is not synced: after a power failure the last changes may be
 * missing.
 *
 * In memory there is a digest per row, without its contents. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/field.h"

/* The number of generations that are kept at least.  The file is rewritten when
 * it has twice as many. */
#define HISTORY_KEPT 100

struct arena;
struct history;

/* Opens or begins the history in 'directory', which is created if it is
 * missing. ST_INVALID: the file is not a history; the reason has the line.
 * ST_IO: the file cannot be read or written.  The caller closes '*history' with
 * history_close(). */
enum st history_open(const char *directory, struct history **history,
                     struct err *err) ST_WARN_UNUSED;

/* Closes the history.  Accepts NULL. */
void history_close(struct history *history);

/* Returns the last generation that was marked, 0 if there is none. */
uint64_t history_generation(const struct history *history);

/* Stores the current fields of row 'key' ("TABLE|KEY"); 'fields' NULL: the row
 * was deleted.  Does nothing if the row has not changed. */
void history_row(struct history *history, const char *key,
                 const struct field *fields, size_t n);

/* Returns whether a row has changed since the last generation was marked. */
bool history_has_news(const struct history *history);

/* Begin and end a full read of the database: rows that are not stored in
 * between were deleted. */
void history_reading_begin(struct history *history);
void history_reading_end(struct history *history);

/* Marks 'generation', at 'time' (text), with the current rows.  Does nothing if
 * no row has changed since the last mark.  ST_IO: the changes could not be
 * written; the history has ended, and reports this once. */
enum st history_note(struct history *history, uint64_t generation,
                     const char *time, struct err *err) ST_WARN_UNUSED;

/* One generation in the result of history_list(). */
struct history_entry {
    uint64_t generation;
    const char *time;
    size_t n_changed; /* Rows that differ from the previous generation. */
};

/* Lists all stored generations, oldest first, with memory from 'arena'.  ST_IO,
 * ST_INVALID: the file cannot be read. */
enum st history_list(const struct history *history, struct arena *arena,
                     struct history_entry **entries, size_t *n,
                     struct err *err) ST_WARN_UNUSED;

/* Computes the rows to write to restore CONFIG_DB as it was at 'generation', or
 * at the last marked generation before: '*n' rows that differ now, with memory
 * from 'arena'; rows that did not exist then have 'fields' NULL.  ST_NOT_FOUND:
 * the generation is not stored (any more); 'err' has the command that lists the
 * stored ones.  ST_IO, ST_INVALID: the file cannot be read. */
enum st history_rows(const struct history *history, uint64_t generation,
                     struct arena *arena, struct field_row **rows, size_t *n,
                     struct err *err) ST_WARN_UNUSED;

#endif /* orchd/history/history.h */
