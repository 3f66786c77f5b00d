/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_HISTORY_HISTORY_FILE_H
#define ORCHD_HISTORY_HISTORY_FILE_H

/* The lines of a history file: read one by one, and appended.
 *
 * For history.c, which knows what they mean together. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "orchd/intent/field.h"

struct arena;
struct text;

/* A line, taken apart. */
struct history_line {
    bool is_mark;

    struct field_row row; /* 'fields' NULL: it is gone. */

    uint64_t generation; /* Of a mark, with its time. */
    const char *time;
};

/* Told each line.  What it points to is in the arena of the reading. */
typedef void history_line_fn(void *context, const struct history_line *line);

/* Reads the file 'path' from its beginning.  A last line without an end is
 * passed over; '*length' (may be NULL) is where the whole lines end.  A file
 * that is not there has no lines.  ST_IO, ST_INVALID with reason. */
enum st history_file_read(const char *path, struct arena *arena,
                          history_line_fn *line, void *context, long *length,
                          struct err *err) ST_WARN_UNUSED;

/* Append a line to 'text'.  Returns false, and appends nothing, for a row that
 * is not UTF-8, which JSON cannot hold. */
bool history_file_add_row(struct text *text, const struct field_row *row);
void history_file_add_mark(struct text *text, uint64_t generation,
                           const char *time);

#endif /* orchd/history/history_file.h */
