/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_HISTORY_H
#define ORCHD_HISTORY_HISTORY_H

/* The contents of CONFIG_DB at each generation, so that an operator can see
 * what changed, and go back.
 *
 * A generation is a settled state of CONFIG_DB (burst.h says when it is
 * settled).  The history gets each row that orchd reads, and stores, when it
 * marks a generation, the rows that differ from the previous one.  It stores
 * rows as they are in the database, with fields that orchd does not know,
 * because a rollback replaces whole rows.
 *
 * The history is a file, DIR/history.jsonl, to which lines of JSON are
 * appended:
 *
 *   {"format": 1, "orchd": "0.1.0"}                        the first line;
 * older files have none
 *   {"row": "BUFFER_POOL|x", "fields": {"size": "4096"}}   the row has changed
 *   {"row": "BUFFER_POOL|x"}                               the row was deleted
 *   {"generation": 12, "time": "2026-01-02T03:04:05.678Z", "rows": 2,
 *    "summary": "BUFFER_POOL 1 changed 1 removed"}         this generation has
 *                                                          all lines before
 *   {"generation": 12, "comment": "before the upgrade"}    a comment on it
 *
 * A truncated last line, after a crash, is dropped.  From time to time the file
 * is rewritten without the oldest generations, under another name that then
 * replaces it, so that there is always a complete file.  The file is not
 * synced: after a power failure the last changes may be missing.
 *
 * In memory there is a digest per row, and the contents of rows that changed
 * since the last mark. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/field.h"

/* The number of generations that are kept at least.  The file is rewritten when
 * it has twice as many. */
#define HISTORY_KEPT 100

/* The file is also rewritten, with half of its generations, when it is longer
 * than this many bytes. */
#define HISTORY_BYTES (64L * 1024 * 1024)

/* The greatest length of a comment, in bytes. */
#define HISTORY_COMMENT_MAX 1000

/* In place of a generation: the current rows. */
#define HISTORY_NOW UINT64_MAX

struct arena;
struct history;

/* Opens or begins the history in 'directory', which is created if it is
 * missing. ST_INVALID: the file is not a history (the reason has the line), or
 * not one that this process may read and write: history_set_aside() helps.
 * ST_UNSUPPORTED: a newer orchd has written it; it is left alone.
 * ST_IO: the file cannot be read or written for another reason.  The caller
 * closes '*history' with history_close(). */
enum st history_open(const char *directory, struct history **history,
                     struct err *err) ST_WARN_UNUSED;

/* Renames the file of the history in 'directory' to history.jsonl.bad-N, with
 * the lowest N from 1 that is free, so that history_open() begins a new one.
 * Stores the new path in 'path'.  ST_IO: it cannot be renamed. */
enum st history_set_aside(const char *directory, char *path, size_t size,
                          struct err *err) ST_WARN_UNUSED;

/* Closes the history.  Accepts NULL. */
void history_close(struct history *history);

/* Returns why the history has ended, because it could not be written; "" if it
 * has not. */
const char *history_trouble(const struct history *history);

/* Returns the last generation that was marked, 0 if there is none. */
uint64_t history_generation(const struct history *history);

/* Stores the current fields of row 'key' ("TABLE|KEY"); 'fields' NULL: the row
 * was deleted.  Does nothing if the row has not changed. */
void history_row(struct history *history, const char *key,
                 const struct field *fields, size_t n);

/* Returns how many rows differ from the last generation that was marked. */
size_t history_n_news(const struct history *history);

/* Begin and end a full read of the database: rows that are not stored in
 * between were deleted. */
void history_reading_begin(struct history *history);
void history_reading_end(struct history *history);

/* Marks 'generation', at 'time' (text), with the current rows.  Does nothing if
 * no row has changed since the last mark.  ST_IO: the changes could not be
 * written; the history has ended, and reports this once. */
enum st history_note(struct history *history, uint64_t generation,
                     const char *time, struct err *err) ST_WARN_UNUSED;

/* Stores a comment of up to HISTORY_COMMENT_MAX bytes on 'generation', in place
 * of an earlier one; "" removes it.  ST_NOT_FOUND: this generation is not
 * stored.  ST_INVALID: the text is too long, or not UTF-8.  ST_IO: it could not
 * be written. */
enum st history_comment(struct history *history, uint64_t generation,
                        const char *text, struct err *err) ST_WARN_UNUSED;

/* One generation in the result of history_list(). */
struct history_entry {
    uint64_t generation;
    const char *time;
    size_t n_changed;    /* Rows that differ from the previous generation, */
    const char *summary; /* by table; NULL: neither was recorded. */
    const char *comment; /* "": none. */
};

/* Lists all stored generations, oldest first, with memory from 'arena'.  ST_IO,
 * ST_INVALID: the file cannot be read. */
enum st history_list(const struct history *history, struct arena *arena,
                     struct history_entry **entries, size_t *n,
                     struct err *err) ST_WARN_UNUSED;

/* Returns ST_OK if exactly this generation is stored, else fails as
 * history_rows() does. */
enum st history_has(const struct history *history, uint64_t generation,
                    struct err *err) ST_WARN_UNUSED;

/* A row that differs between two generations; NULL: it did not exist. */
struct history_change {
    const char *key;
    const struct field_row *before, *after;
};

/* Lists the '*n' rows that differ between two generations, sorted by key, with
 * memory from 'arena', valid until the history changes.  HISTORY_NOW is the
 * current content.  Fails as history_rows() does. */
enum st history_diff(const struct history *history, uint64_t *from,
                     uint64_t *to, struct arena *arena,
                     struct history_change **changes, size_t *n,
                     struct err *err) ST_WARN_UNUSED;

/* Computes the rows to write to restore CONFIG_DB as it was at '*generation',
 * or at the last marked generation before, whose number is then stored there:
 * '*n' rows that differ now, with memory from 'arena'; rows that did not exist
 * then have 'fields' NULL.  ST_NOT_FOUND: the generation is not stored (any
 * more); 'err' has the range that is, and the command that lists them.  ST_IO,
 * ST_INVALID: the file cannot be read. */
enum st history_rows(const struct history *history, uint64_t *generation,
                     struct arena *arena, struct field_row **rows, size_t *n,
                     struct err *err) ST_WARN_UNUSED;

/* Returns the rows that 'n' changes lead to, as history_rows() does. */
void history_changed_rows(const struct history_change *changes, size_t n,
                          struct arena *arena, struct field_row **rows);

/* Returns a number that changes whenever a row does. */
uint64_t history_version(const struct history *history);

#endif /* orchd/history/history.h */
