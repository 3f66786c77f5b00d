/* SPDX-License-Identifier: Apache-2.0 */

/* Files and directories that become cases. */

#include <config.h>

#include "orchctl/suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/parser.h"

#define COMMON "common"
#define SUFFIX ".yaml"

/* So deep may directories be in each other: links can make circles. */
#define DEPTH_MAX 16

static enum st add_path(struct suite *suite, const char *path,
                        unsigned int depth, struct arena *arena,
                        struct err *err);

static enum st
add_file(struct suite *suite, const char *path, struct arena *arena,
         struct err *err)
{
    const struct parser_input input = {path, NULL, 0};
    const char *const *names = NULL;
    size_t n = 0;
    enum st st = parser_variants(&input, arena, &names, &n, err);

    if (st) {
        return st;
    }
    suite->cases =
        check_realloc(suite->cases, (suite->n + n) * sizeof *suite->cases);
    for (size_t i = 0; i < n; i++) {
        suite->cases[suite->n++] =
            (struct suite_case){arena_strdup(arena, path), i, names[i]};
    }
    return ST_OK;
}

/* Chooses what of a directory is looked at. */
static int
is_wanted(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, COMMON);
}

static bool
has_suffix(const char *name)
{
    size_t length = strlen(name);

    return length > strlen(SUFFIX) &&
           !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

static bool
is_directory(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static enum st
add_directory(struct suite *suite, const char *path, unsigned int depth,
              struct arena *arena, struct err *err)
{
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, is_wanted, alphasort);
    enum st st = ST_OK;

    if (n < 0) {
        return err_set(err, ST_NOT_FOUND, "file", "cannot read %s: %s", path,
                       strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        struct text text = {0};

        text_addf(&text, "%s/%s", path, entries[i]->d_name);
        if (!st && (is_directory(text.bytes) || has_suffix(text.bytes))) {
            st = add_path(suite, text.bytes, depth + 1, arena, err);
        }
        text_fini(&text);
        free(entries[i]);
    }
    free(entries);
    return st;
}

static enum st
add_path(struct suite *suite, const char *path, unsigned int depth,
         struct arena *arena, struct err *err)
{
    if (!is_directory(path)) {
        return add_file(suite, path, arena, err);
    }
    if (depth == DEPTH_MAX) {
        return err_set(err, ST_INVALID, "file",
                       "%s: directories are more than %d deep", path,
                       DEPTH_MAX);
    }
    return add_directory(suite, path, depth, arena, err);
}

enum st
suite_add(struct suite *suite, const char *path, struct arena *arena,
          struct err *err)
{
    return add_path(suite, path, 0, arena, err);
}

/* Says which variants there are. */
static enum st
fail_no_variant(const struct suite *suite, const char *variant, struct err *err)
{
    struct text names = {0};
    enum st st = err_set(err, ST_NOT_FOUND, "variant",
                         "there is no variant '%s'", variant);

    for (size_t i = 0; i < suite->n; i++) {
        const char *name = suite->cases[i].variant_name;

        text_add_item(&names, "  ", *name ? name : "(none)");
    }
    err_set_field(err, "variant", variant, text_string(&names));
    text_fini(&names);
    return st;
}

enum st
suite_keep(struct suite *suite, const char *variant, struct err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < suite->n; i++) {
        if (!strcmp(suite->cases[i].variant_name, variant)) {
            n++;
        }
    }
    if (!n) {
        return fail_no_variant(suite, variant, err);
    }
    n = 0;
    for (size_t i = 0; i < suite->n; i++) {
        if (!strcmp(suite->cases[i].variant_name, variant)) {
            suite->cases[n++] = suite->cases[i];
        }
    }
    suite->n = n;
    return ST_OK;
}

void
suite_thin(struct suite *suite, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < suite->n; i += n) {
        suite->cases[kept++] = suite->cases[i];
    }
    suite->n = kept;
}

void
suite_fini(struct suite *suite)
{
    free(suite->cases);
    memset(suite, 0, sizeof *suite);
}
