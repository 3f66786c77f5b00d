/* SPDX-License-Identifier: Apache-2.0 */

/* From a file, or a directory of files, to a checked chip. */

#include <config.h>

#include "twin/chip/chip.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "twin/chip/chip_fields.h"

/* No description of a chip is longer. */
#define MAX_FILE_BYTES (1 << 20)

#define SUFFIX ".yaml"

/* Explains why 'diag' has errors: the first one is the cause. */
static enum st
syntax_error(struct fy_diag *diag, const char *origin, struct err *err)
{
    void *iterator = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);

    return err_set(err, ST_INVALID, "chip-syntax", "%s:%d:%d: %s", origin,
                   first ? first->line : 1, first ? first->column : 1,
                   first ? first->msg : "not YAML");
}

/* Makes a chip of the parsed 'document', starting at the defaults. The chip
 * lies in its own arena, so that a failure at any key leaves nothing behind.
 */
static enum st
document_read(struct fy_document *document, const char *origin,
              struct chip **chip, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct chip_reader reader = {
        .chip = arena_alloc(arena, 1, sizeof(struct chip)),
        .origin = origin,
        .err = err,
    };
    enum st status;

    model_init(reader.chip);
    reader.chip->arena = arena;
    status = chip_fields_read(&reader, fy_document_root(document));
    if (status == ST_OK) {
        *chip = reader.chip;
    } else {
        arena_destroy(arena);
    }
    return status;
}

/* Refuses what libfyaml must not see: it does not come to an end on some bytes
 * that are not UTF-8, and loses its way over some tabs. */
static enum st
check_plain(const char *text, size_t length, const char *origin,
            struct err *err)
{
    size_t plain = text_plain_length(text, length);
    unsigned int line, column;

    if (plain == length) {
        return ST_OK;
    }
    text_place(text, plain, &line, &column);
    return err_set(err, ST_INVALID, "chip-syntax",
                   "%s:%u:%u: this is no text in UTF-8 without tabs and other "
                   "control characters",
                   origin, line, column);
}

/* Parses 'length' bytes of 'text'. libfyaml collects its errors instead of
 * writing them to stderr: where they are shown is the caller's business. */
static enum st
parse(const char *text, size_t length, const char *origin, struct chip **chip,
      struct err *err)
{
    struct fy_diag_cfg diag_config;
    struct fy_diag *diag;
    struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_DOC};
    struct fy_document *document;
    enum st status = check_plain(text, length, origin, err);

    if (status != ST_OK) {
        return status;
    }
    /* Without a diag of its own libfyaml writes errors to stderr. */
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    diag = fy_diag_create(&diag_config);
    orch_assert(diag != NULL);
    fy_diag_set_collect_errors(diag, true);
    config.diag = diag;
    document = fy_document_build_from_string(&config, text, length);
    if (document) {
        status = document_read(document, origin, chip, err);
        fy_document_destroy(document);
    } else {
        status = syntax_error(diag, origin, err);
    }
    fy_diag_destroy(diag);
    return status;
}

enum st
chip_parse(const char *text, const char *origin, struct chip **chip,
           struct err *err)
{
    return parse(text, strlen(text), origin, chip, err);
}

enum st
chip_load_file(const char *path, struct chip **chip, struct err *err)
{
    FILE *file = fopen(path, "re");
    char *text;
    size_t length;
    enum st status;

    if (!file) {
        int code = errno;

        return err_set(err, code == ENOENT ? ST_NOT_FOUND : ST_IO, "chip-file",
                       "%s: %s", path, strerror(code));
    }
    text = check_malloc(MAX_FILE_BYTES);
    length = fread(text, 1, MAX_FILE_BYTES, file);
    if (ferror(file)) {
        status = err_set(err, ST_IO, "chip-file", "%s: cannot be read", path);
    } else if (length == MAX_FILE_BYTES) {
        status = err_set(err, ST_INVALID, "chip-file", "%s: too long", path);
    } else {
        status = parse(text, length, path, chip, err);
    }
    free(text);
    fclose(file);
    return status;
}

/* Returns whether 'name' can be a chip's and nothing else: no path, no hidden
 * file. */
static bool
name_ok(const char *name)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.";

    return name[0] && name[0] != '.' && strspn(name, good) == strlen(name);
}

enum st
chip_load(const char *directory, const char *name, struct chip **chip,
          struct err *err)
{
    char path[PATH_MAX];

    if (!name_ok(name) ||
        !text_format(path, sizeof path, "%s/%s" SUFFIX, directory, name)) {
        return err_set(err, ST_INVALID, "chip-name", "%s is no name of a chip",
                       name);
    }
    return chip_load_file(path, chip, err);
}

/* Selects the files of a directory that describe chips, for scandir(). */
static int
is_chip_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > strlen(SUFFIX) && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

/* Sorts by bytes, so that the locale does not choose the chip. */
static int
compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Loads 'path' and keeps it if it matches.  '*status' becomes ST_OK then, and
 * stays what it was if the file is merely another chip. */
static void
try_file(const char *path, const char *hwsku, struct chip **chip,
         enum st *status, struct err *err)
{
    struct chip *candidate = NULL;
    struct err why;
    enum st loaded = chip_load_file(path, &candidate, &why);

    if (loaded == ST_OK && model_matches(candidate, hwsku)) {
        *chip = candidate;
        *status = ST_OK;
        return;
    }
    chip_destroy(candidate);
    if (loaded != ST_OK && *status == ST_NOT_FOUND) {
        *status = loaded;
        if (err) {
            *err = why;
        }
    }
}

enum st
chip_find(const char *directory, const char *hwsku, struct chip **chip,
          struct err *err)
{
    struct dirent **entries;
    int n = scandir(directory, &entries, is_chip_file, compare_names);
    enum st status;

    if (n < 0) {
        return err_set(err, ST_NOT_FOUND, "chip-directory", "%s: %s", directory,
                       strerror(errno));
    }
    status = err_set(err, ST_NOT_FOUND, "chip-hwsku",
                     "no chip in %s is for hwsku %s", directory, hwsku);
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];

        if (status != ST_OK && text_format(path, sizeof path, "%s/%s",
                                           directory, entries[i]->d_name)) {
            try_file(path, hwsku, chip, &status, err);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

void
chip_destroy(struct chip *chip)
{
    if (chip) {
        arena_destroy(chip->arena);
    }
}
