/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_HISTORY_FILE_H
#define ORCHD_HISTORY_HISTORY_FILE_H

/* Reads and appends the lines of a history file.
 *
 * Only history.c, which interprets the lines, uses this. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "orchd/intent/field.h"

struct arena;
struct text;

/* A parsed line. */
struct history_line {
    bool is_mark;

    struct field_row row; /* 'fields' NULL: it is gone. */

    uint64_t generation; /* Of a mark, with its time. */
    const char *time;
};

/* Called for each line.  The memory of the line is in the arena of
 * history_file_read(). */
typedef void history_line_fn(void *context, const struct history_line *line);

/* Reads the file 'path' from its beginning.  Skips a last line without a
 * newline;
 * '*length' (may be NULL) is the length of the complete lines.  A missing file
 * has no lines.  ST_IO, ST_INVALID with reason. */
enum st history_file_read(const char *path, struct arena *arena,
                          history_line_fn *line, void *context, long *length,
                          struct err *err) ST_WARN_UNUSED;

/* Append a line to 'text'.  Returns false, and appends nothing, for a row that
 * is not UTF-8, which JSON requires. */
bool history_file_add_row(struct text *text, const struct field_row *row);
void history_file_add_mark(struct text *text, uint64_t generation,
                           const char *time);

#endif /* orchd/history/history_file.h */
