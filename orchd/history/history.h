/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_HISTORY_H
#define ORCHD_HISTORY_HISTORY_H

/* What CONFIG_DB was at each generation, so that an operator can go back.
 *
 * A generation is a plan that changed the switch.  History is told each row as
 * it is read, keeps the changes, and notes when a generation has been reached
 * with them.  It remembers rows as they were written, fields that orchd does
 * not know included: what it gives back replaces rows.
 *
 * It is a file, DIR/history.jsonl, that only grows by whole lines of JSON:
 *
 *   {"row": "BUFFER_POOL|x", "fields": {"size": "4096"}}   how a row is now
 *   {"row": "BUFFER_POOL|x"}                               it is gone
 *   {"generation": 12, "time": "2026-01-02T03:04:05.678Z"} all before belongs
 *                                                          to this generation
 *
 * A torn last line, after a crash, is dropped.  Now and then the file is
 * written anew without what is older than HISTORY_KEPT generations; that
 * happens under another name first, so there is always a whole one.  It is not
 * forced to the disk: after a loss of power the last changes may be missing.
 *
 * In memory there is a digest per row, not the content. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/field.h"

/* Generations that are kept at least; the file is written anew when it has
 * twice as many. */
#define HISTORY_KEPT 100

struct arena;
struct history;

/* Opens the history in 'directory', which is made if it is missing, or begins
 * one.  ST_INVALID: the file is not
 * one of these; the reason names the line.  ST_IO: it cannot be read or
 * written.  The caller ends '*history' with history_close(). */
enum st history_open(const char *directory, struct history **history,
                     struct err *err) ST_WARN_UNUSED;

/* Closes it.  Accepts NULL. */
void history_close(struct history *history);

/* Returns the last generation that was noted, 0 if there is none. */
uint64_t history_generation(const struct history *history);

/* Tells how the row 'key' ("TABLE|KEY") is now; 'fields' NULL: it is gone.
 * Without effect if that is known. */
void history_row(struct history *history, const char *key,
                 const struct field *fields, size_t n);

/* Returns whether a row has changed since the last generation was noted. */
bool history_has_news(const struct history *history);

/* Brackets a complete reading: rows that are not told in between are gone. */
void history_reading_begin(struct history *history);
void history_reading_end(struct history *history);

/* Notes that 'generation' has been reached, at 'time' (text), with all rows as
 * told.  Without effect if no row has changed since the last.  ST_IO: what was
 * told could not be written; the history has ended, and says so once. */
enum st history_note(struct history *history, uint64_t generation,
                     const char *time, struct err *err) ST_WARN_UNUSED;

/* One generation, as history_list() tells it. */
struct history_entry {
    uint64_t generation;
    const char *time;
    size_t n_changed; /* Rows that were not the same the generation before. */
};

/* Tells all generations that can be gone back to, the oldest first.  The
 * entries are in 'arena'.  ST_IO, ST_INVALID: the file cannot be read (any
 * more). */
enum st history_list(const struct history *history, struct arena *arena,
                     struct history_entry **entries, size_t *n,
                     struct err *err) ST_WARN_UNUSED;

/* Works out what to write to make CONFIG_DB what it was at 'generation', or at
 * the last one noted before it: '*n' rows that are not the same now, in
 * 'arena'; those that were not there then have 'fields' NULL.  ST_NOT_FOUND:
 * that is too long ago, or has not been; 'err' says what there is.  ST_IO,
 * ST_INVALID: the file cannot be read (any more). */
enum st history_rows(const struct history *history, uint64_t generation,
                     struct arena *arena, struct field_row **rows, size_t *n,
                     struct err *err) ST_WARN_UNUSED;

#endif /* orchd/history/history.h */
