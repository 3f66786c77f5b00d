/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_HISTORY_STATE_H
#define ORCHD_HISTORY_HISTORY_STATE_H

/* The history in memory: private to history.c, which writes it, and
 * history_read.c, which reads it back.
 *
 * There is a digest per row, and the contents of the rows that changed since
 * the last mark. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <uthash.h>

#include "base/status.h"
#include "orchd/intent/field.h"

struct arena;
struct history_entry;
struct text;

/* The digest of a row that does not exist. */
#define HISTORY_ABSENT UINT64_C(0)

/* A row that exists, or existed at the last mark. */
struct known_row {
    char *key;
    uint64_t now, marked; /* Digests: of the content now, at the last mark. */
    struct field *fields; /* If these differ, the content now; one block. */
    size_t n_fields;
    uint64_t pass; /* The full read that had it last. */
    bool touched;  /* In the list of rows that changed since the last mark. */
    struct known_row *next_touched;
    UT_hash_handle hh;
};

struct history {
    char *path;
    FILE *file; /* For appending; NULL once it has failed. */
    bool failed;
    char trouble[256]; /* Why, as text; "": it has not failed. */
    struct known_row *rows;
    struct known_row *touched;
    size_t n_news; /* Rows that differ from the last mark. */
    uint64_t generation;
    uint64_t *marks;   /* The generations in the file, */
    size_t n_marks;    /* that many, */
    size_t marks_size; /* with room for so many. */
    uint64_t pass;     /* Number of the last full read. */
    uint64_t version;  /* Increases with each change of a row. */
};

/* Returns a digest of the fields that does not depend on their order, which
 * Redis does not keep; HISTORY_ABSENT if there are none ('fields' NULL). */
uint64_t history_digest__(const struct field *fields, size_t n);

/* A row of the requested generation. */
struct then_row {
    const struct field_row *row;
    UT_hash_handle hh; /* By its key. */
};

/* What one reading of the file collects. */
struct history_scan {
    struct arena *arena;
    struct history_entry *entries; /* The marks so far. */
    size_t n_marks, size;

    /* The rows at mark number 'until', counted from 1; 0: not wanted.  The mark
     * and all lines behind it go to 'rest' (may be NULL), but for comments on
     * earlier generations. */
    size_t until;
    struct then_row *rows;
    struct text *rest;
};

/* Reads the file; the caller clears scan->rows. */
enum st history_scan__(const struct history *history, struct history_scan *scan,
                       struct err *err) ST_WARN_UNUSED;

struct history_line;

/* Takes in a line of the file; a history_line_fn. */
void history_scan_line__(void *scan, const struct history_line *line);

/* Makes 'row' the content of its key; later ones replace earlier ones. */
void history_scan_row__(struct history_scan *scan, const struct field_row *row);

/* Finds the number, from 1 on, of the last mark up to '*generation', which
 * becomes that of the mark. */
enum st history_find_mark__(const struct history *history, uint64_t *generation,
                            size_t *mark, struct err *err) ST_WARN_UNUSED;

#endif /* orchd/history/history_state.h */
