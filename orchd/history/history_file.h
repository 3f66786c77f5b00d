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

/* The format that this version writes, and the newest that it reads.  Format 0
 * is that of files without a first line about it. */
#define HISTORY_FORMAT 1

enum history_line_kind {
    HISTORY_ROW,     /* A row has changed. */
    HISTORY_MARK,    /* A generation has all rows before. */
    HISTORY_COMMENT, /* An operator's comment on a generation. */
};

/* A parsed line. */
struct history_line {
    enum history_line_kind kind;

    struct field_row row; /* 'fields' NULL: it is gone. */

    uint64_t generation;
    const char *time;    /* Of a mark, */
    size_t n_changed;    /* with the number of rows that changed, */
    const char *summary; /* and which; NULL: an older version wrote it. */
    const char *comment;
};

/* Called for each line.  The memory of the line is in the arena of
 * history_file_read(). */
typedef void history_line_fn(void *context, const struct history_line *line);

/* Reads the file 'path' from its beginning.  Skips a last line without a
 * newline;
 * '*length' (may be NULL) is the length of the complete lines.  A missing file
 * has no lines.  ST_IO, ST_INVALID with reason; ST_UNSUPPORTED: a newer orchd
 * has written it. */
enum st history_file_read(const char *path, struct arena *arena,
                          history_line_fn *line, void *context, long *length,
                          struct err *err) ST_WARN_UNUSED;

/* Do the same in pieces of up to 'n' lines, as long as '*more': what the file
 * is at history_reader_open(), even if it grows or is replaced.  End with
 * history_reader_close(), which accepts NULL. */
struct history_reader;
enum st history_reader_open(const char *path, struct history_reader **reader,
                            struct err *err) ST_WARN_UNUSED;
enum st history_reader_lines(struct history_reader *reader, struct arena *arena,
                             history_line_fn *line, void *context, size_t n,
                             bool *more, struct err *err) ST_WARN_UNUSED;
void history_reader_close(struct history_reader *reader);

/* Fills 'err' from errno, after the file 'path' could not be used.  Returns
 * ST_INVALID if this process may not read and write it, or it is not a file;
 * else ST_IO. */
enum st history_file_error(const char *path, struct err *err);

/* Appends the first line of a file to 'text': its format, and which version
 * wrote it. */
void history_file_add_format(struct text *text);

/* Appends 'line' to 'text'.  Returns false, and appends nothing, if it is not
 * UTF-8, which JSON requires. */
bool history_file_add(struct text *text, const struct history_line *line);

#endif /* orchd/history/history_file.h */
