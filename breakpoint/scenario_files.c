/* SPDX-License-Identifier: Apache-2.0 */

/* Reads files relative to the file that names them. */

#include <config.h>

#include "breakpoint/scenario_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "yaml/document.h"

/* Reads all of 'stream' into '*text', which the caller frees. */
static enum st
read_all(FILE *stream, const char *file, char **text, size_t *n,
         struct err *err)
{
    size_t size = 65536, got;

    *text = check_malloc(size);
    *n = 0;
    while ((got = fread(*text + *n, 1, size - *n, stream)) > 0) {
        *n += got;
        if (*n > SCENARIO_FILES_BYTES_MAX) {
            return err_set(err, ST_INVALID, "scenario",
                           "%s:1:1: longer than %zu bytes", file,
                           SCENARIO_FILES_BYTES_MAX);
        }
        if (*n == size) {
            size *= 2;
            *text = check_realloc(*text, size);
        }
    }
    if (ferror(stream)) {
        return err_set(err, ST_NOT_FOUND, "file", "cannot read '%s': %s", file,
                       strerror(errno));
    }
    return ST_OK;
}

enum st
scenario_files_read(struct scenario_files *files, const char *file,
                    struct fy_node **root, struct err *err)
{
    FILE *stream = fopen(file, "re");
    char *text = NULL;
    size_t n = 0;
    enum st st;

    if (!stream) {
        return err_set(err, ST_NOT_FOUND, "file", "cannot read '%s': %s", file,
                       strerror(errno));
    }
    st = read_all(stream, file, &text, &n, err);
    st = st ? st : document_add(files->document, file, text, n, root, err);
    free(text);
    fclose(stream);
    return st;
}

enum st
scenario_files_include(struct scenario_files *files, struct fy_node *node,
                       const char *file, struct fy_node **root, struct err *err)
{
    const char *from = document_file(files->document, node);
    const char *slash = strrchr(from, '/');
    struct text path = {0};
    struct err cause = {0};
    enum st st;

    if (files->closed) {
        return document_fail(
            files->document, node, err,
            "a scenario that was not read from a file cannot include "
            "'%s'",
            file);
    }
    if (file[0] != '/' && slash) {
        text_add_bytes(&path, from, (size_t)(slash + 1 - from));
    }
    text_add(&path, file);
    st = scenario_files_read(files, text_string(&path), root, &cause);
    text_fini(&path);
    if (st == ST_NOT_FOUND) {
        return document_fail(files->document, node, err, "%s", cause.reason);
    }
    if (st) {
        *err = cause;
    }
    return st;
}
