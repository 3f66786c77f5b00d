/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a chip from a file, or from a directory of files. */

#include <config.h>

#include "twin/chip/yaml/chip_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "twin/chip/yaml/chip_fields.h"

/* Longer than any chip file. */
#define MAX_FILE_BYTES (1 << 20)

/* A chip, and an overlay. */
enum { MAX_SOURCES = 2 };

#define SUFFIX ".yaml"

/* Reports the error in 'diag': the first one is the cause. */
static enum st
syntax_error(struct fy_diag *diag, const char *origin, struct err *err)
{
    void *iterator = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &iterator);

    if (!first) {
        return err_set(err, ST_INVALID, "chip-syntax",
                       "%s:1:1: the file is empty; a chip file has at "
                       "least a name",
                       origin);
    }
    return err_set(err, ST_INVALID, "chip-syntax", "%s:%d:%d: %s", origin,
                   first->line, first->column, first->msg);
}

/* Rejects what libfyaml must not see: it does not terminate on some bytes that
 * are not UTF-8, and misparses some tabs. */
static enum st
check_plain(const char *text, size_t length, const char *origin,
            struct err *err)
{
    size_t plain = text_plain_length(text, length);
    unsigned int line, column;

    if (plain == length) {
        return ST_OK;
    }
    text_position(text, plain, &line, &column);
    return err_set(err, ST_INVALID, "chip-syntax", "%s:%u:%u: %s", origin, line,
                   column,
                   text[plain] == '\t'
                       ? "a tab; YAML is indented with spaces"
                       : "a byte that is not UTF-8, or a control character");
}

/* Rejects a second document in 'text', which libfyaml would ignore: a line that
 * begins with "---" after one with content. */
static enum st
check_single(const char *text, const char *origin, struct err *err)
{
    bool any = false;
    unsigned int number = 1;

    for (const char *line = text; *line; number++) {
        const size_t n = strcspn(line, "\n");
        const char first = line[strspn(line, " \r")];

        if (any && strncmp(line, "---", 3) == 0) {
            return err_set(err, ST_INVALID, "chip-syntax",
                           "%s:%u:1: a second document begins here; a chip is "
                           "one",
                           origin, number);
        }
        any |= first != '\n' && first != '#' && first != '%' && first != '\0';
        line += n + (line[n] == '\n');
    }
    return ST_OK;
}

/* A text, and its parsed document. */
struct source {
    const char *text;
    size_t length;
    const char *origin;
    struct fy_diag *diag;
    struct fy_document *document; /* NULL: not parsed, or invalid. */
};

/* Parses the text of 'source'. libfyaml collects its errors instead of writing
 * them to stderr, because the caller decides where to show them.  End with
 * source_fini(), also after a failure. */
static enum st
source_parse(struct source *source, struct err *err)
{
    struct fy_diag_cfg diag_config;
    struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_DOC};
    enum st status =
        check_plain(source->text, source->length, source->origin, err);

    if (status == ST_OK) {
        status = check_single(source->text, source->origin, err);
    }
    if (status != ST_OK) {
        return status;
    }
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    source->diag = fy_diag_create(&diag_config);
    orch_assert(source->diag != NULL);
    fy_diag_set_collect_errors(source->diag, true);
    config.diag = source->diag;
    source->document =
        fy_document_build_from_string(&config, source->text, source->length);
    return source->document ? ST_OK
                            : syntax_error(source->diag, source->origin, err);
}

static void
source_fini(struct source *source)
{
    if (source->document) {
        fy_document_destroy(source->document);
    }
    if (source->diag) {
        fy_diag_destroy(source->diag);
    }
}

/* Creates a chip from 'n' parsed sources, starting with the defaults.  The chip
 * has its own arena, so a failure at any key leaves nothing behind. */
static enum st
sources_read(const struct source *sources, size_t n, struct chip **chip,
             struct err *err)
{
    struct arena *arena = arena_create(0);
    struct chip_reader reader = {
        .chip = arena_alloc(arena, 1, sizeof(struct chip)), .err = err};
    struct chip_layer layers[MAX_SOURCES];
    enum st status;

    chip_init(reader.chip);
    reader.chip->arena = arena;
    for (size_t i = 0; i < n; i++) {
        layers[i] =
            (struct chip_layer){.root = fy_document_root(sources[i].document),
                                .origin = sources[i].origin};
    }
    status = chip_fields_read(&reader, layers, n);
    if (status != ST_OK) {
        arena_destroy(arena);
        return status;
    }
    reader.chip->source = arena_strdup(arena, sources[0].text);
    reader.chip->origin = arena_strdup(arena, sources[0].origin);
    *chip = reader.chip;
    return ST_OK;
}

/* Parses 'n' sources and creates a chip from them. */
static enum st
parse(struct source *sources, size_t n, struct chip **chip, struct err *err)
{
    enum st status = ST_OK;

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        status = source_parse(&sources[i], err);
    }
    if (status == ST_OK) {
        status = sources_read(sources, n, chip, err);
    }
    for (size_t i = 0; i < n; i++) {
        source_fini(&sources[i]);
    }
    return status;
}

enum st
chip_file_parse(const char *text, const char *origin, struct chip **chip,
                struct err *err)
{
    struct source source = {
        .text = text, .length = strlen(text), .origin = origin};

    return parse(&source, 1, chip, err);
}

enum st
chip_file_vary(const struct chip *base, const char *text, const char *origin,
               struct chip **chip, struct err *err)
{
    struct source sources[MAX_SOURCES] = {
        {.text = base->source,
         .length = strlen(base->source),
         .origin = base->origin},
        {.text = text, .length = strlen(text), .origin = origin},
    };

    return parse(sources, MAX_SOURCES, chip, err);
}

enum st
chip_file_load_file(const char *path, struct chip **chip, struct err *err)
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
    text = check_malloc(MAX_FILE_BYTES + 1);
    length = fread(text, 1, MAX_FILE_BYTES, file);
    text[length] = '\0';
    if (ferror(file)) {
        status = err_set(err, ST_IO, "chip-file", "%s: cannot be read", path);
    } else if (length == MAX_FILE_BYTES) {
        status = err_set(err, ST_INVALID, "chip-file", "%s: too long", path);
    } else {
        struct source source = {.text = text, .length = length, .origin = path};

        status = parse(&source, 1, chip, err);
    }
    free(text);
    fclose(file);
    return status;
}

/* Returns whether 'name' is a valid chip name: no path, no hidden file. */
static bool
name_ok(const char *name)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.";

    return name[0] && name[0] != '.' && strspn(name, good) == strlen(name);
}

/* Selects the files of a directory that describe chips, for scandir(). */
static int
is_chip_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > strlen(SUFFIX) && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

/* Sorts by bytes, so that the order does not depend on the locale. */
static int
compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Reports that there is no chip of that name, and lists the chips. */
static enum st
fail_unknown(const char *directory, const char *name, struct err *err)
{
    struct dirent **entries = NULL;
    struct text names = {0};
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];
    int n = scandir(directory, &entries, is_chip_file, compare_names);

    nearest_init(&nearest, name, strlen(name));
    for (int i = 0; i < n; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - strlen(SUFFIX)] = '\0';
        text_add_item(&names, ", ", entries[i]->d_name);
        nearest_try(&nearest, entries[i]->d_name);
    }
    if (n > 0) {
        err_set(err, ST_NOT_FOUND, "chip-file",
                "there is no chip %s%s in %s; there are %s", name,
                nearest_hint(&nearest, hint), directory, text_string(&names));
    } else {
        err_set(err, ST_NOT_FOUND, "chip-file",
                "there is no chip %s: %s has no chip files", name, directory);
        err_set_remedy(err,
                       "give the directory of the chip files with --chips");
    }
    for (int i = 0; i < n; i++) {
        free(entries[i]);
    }
    free(entries);
    text_fini(&names);
    return ST_NOT_FOUND;
}

enum st
chip_file_load(const char *directory, const char *name, struct chip **chip,
               struct err *err)
{
    char path[PATH_MAX];
    enum st status;

    if (!name_ok(name) ||
        !text_format(path, sizeof path, "%s/%s" SUFFIX, directory, name)) {
        (void)fail_unknown(directory, name, err);
        if (err) {
            err->status = ST_INVALID; /* No chip can have that name. */
        }
        return ST_INVALID;
    }
    status = chip_file_load_file(path, chip, err);
    return status == ST_NOT_FOUND ? fail_unknown(directory, name, err) : status;
}

/* Loads 'path' and keeps it if it matches.  Then '*status' becomes ST_OK; it
 * does not change if the file is a valid chip that does not match. */
static void
try_file(const char *path, const char *hwsku, struct chip **chip,
         enum st *status, struct err *err)
{
    struct chip *candidate = NULL;
    struct err why;
    enum st loaded = chip_file_load_file(path, &candidate, &why);

    if (loaded == ST_OK && chip_matches(candidate, hwsku)) {
        *chip = candidate;
        *status = ST_OK;
        return;
    }
    chip_file_destroy(candidate);
    if (loaded != ST_OK && *status == ST_NOT_FOUND) {
        *status = loaded;
        if (err) {
            *err = why;
        }
    }
}

enum st
chip_file_find(const char *directory, const char *hwsku, struct chip **chip,
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
chip_file_destroy(struct chip *chip)
{
    if (chip) {
        arena_destroy(chip->arena);
    }
}
