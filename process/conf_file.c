/* SPDX-License-Identifier: Apache-2.0 */

/* Splits files into lines, keys and values. */

#include <config.h>

#include "process/conf_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"

/* More than any sensible file has. */
#define FILE_BYTES_MAX (1 << 20)

/* Returns 'text', up to 'length' bytes of it, without blanks at its ends. */
static const char *
trimmed(struct arena *arena, const char *text, size_t length)
{
    const char *copy = arena_strndup(arena, text, length);
    const char *start = parse_trim(copy, &length);

    return arena_strndup(arena, start, length);
}

/* Returns whether 'line' can be printed: UTF-8 without control characters but
 * tabs. */
static bool
is_plain(const char *line)
{
    const size_t length = strlen(line);
    size_t at = 0;

    while (at < length) {
        at += text_plain_length(line + at, length - at);
        if (at < length && line[at++] != '\t') {
            return false;
        }
    }
    return true;
}

/* Handles one line. */
static void
split(struct arena *arena, const char *text, size_t length, unsigned int number,
      conf_file_fn *visit, void *context)
{
    const char *line = trimmed(arena, text, length);
    const char *equals = strchr(line, '=');

    if (memchr(text, '\0', length) || !is_plain(line)) {
        visit(context, number, NULL, NULL);
    } else if (!*line || *line == '#') {
        return;
    } else if (!equals) {
        visit(context, number, NULL, line);
    } else {
        visit(context, number, trimmed(arena, line, (size_t)(equals - line)),
              trimmed(arena, equals + 1, strlen(equals + 1)));
    }
}

void
conf_file_parse(const char *text, size_t length, conf_file_fn *visit,
                void *context)
{
    struct arena *arena = arena_create(0);
    unsigned int number = 1;

    for (size_t at = 0; at < length; number++) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t n = end ? (size_t)(end - text) - at : length - at;

        split(arena, text + at, n, number, visit, context);
        arena_reset(arena);
        at += n + 1;
    }
    arena_destroy(arena);
}

enum st
conf_file_read(const char *path, conf_file_fn *visit, void *context,
               struct err *err)
{
    FILE *file = fopen(path, "re");
    const int error = file ? 0 : errno;
    enum st status = ST_OK;
    char *text;
    size_t length;

    if (!file) {
        err_set(err, error == ENOENT ? ST_NOT_FOUND : ST_IO, "config-file",
                "the config file %s cannot be read: %s", *path ? path : "''",
                strerror(error));
        err_set_remedy(err, error == EACCES
                                ? "let the user of this process read the file "
                                  "and enter its folders"
                                : "use --config FILE; --config /dev/null reads "
                                  "none");
        return err->status;
    }
    text = check_malloc(FILE_BYTES_MAX + 1);
    length = fread(text, 1, FILE_BYTES_MAX + 1, file);
    if (ferror(file)) {
        status = err_set(err, ST_IO, "config-file",
                         "the config file %s cannot be read: %s", path,
                         strerror(errno));
        err_set_remedy(err, "use --config FILE; --config /dev/null reads none");
    } else if (length > FILE_BYTES_MAX) {
        status = err_set(err, ST_INVALID, "config-file",
                         "%s has more than %d bytes", path, FILE_BYTES_MAX);
    } else {
        conf_file_parse(text, length, visit, context);
    }
    free(text);
    fclose(file);
    return status;
}
