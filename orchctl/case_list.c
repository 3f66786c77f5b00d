/* SPDX-License-Identifier: Apache-2.0 */

/* Expands files and directories to cases. */

#include <config.h>

#include "orchctl/case_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"

#define COMMON "common"
#define SUFFIX ".yaml"

/* The maximum depth of directories: links can form cycles. */
#define DEPTH_MAX 16

static enum st add_path(struct case_list *cases, const char *path,
                        unsigned int depth, struct arena *arena,
                        struct err *err);

static enum st
add_file(struct case_list *cases, const char *path, struct arena *arena,
         struct err *err)
{
    const struct parser_input input = {.file = path};
    const char *const *names = NULL;
    size_t n = 0;
    enum st st = parser_variants(&input, arena, &names, &n, err);

    if (st) {
        return st;
    }
    cases->items =
        check_realloc(cases->items, (cases->n + n) * sizeof *cases->items);
    for (size_t i = 0; i < n; i++) {
        cases->items[cases->n++] =
            (struct case_list_item){.file = arena_strdup(arena, path),
                                    .variant = i,
                                    .variant_name = names[i],
                                    .repetition = 1};
    }
    return ST_OK;
}

/* Selects the entries of a directory to consider. */
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
add_directory(struct case_list *cases, const char *path, unsigned int depth,
              struct arena *arena, struct err *err)
{
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, is_wanted, alphasort);
    enum st st = ST_OK;

    if (n < 0) {
        return err_set(err, ST_NOT_FOUND, "file", "cannot read '%s': %s", path,
                       strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        struct text text = {0};

        text_addf(&text, "%s/%s", path, entries[i]->d_name);
        if (!st && (is_directory(text.bytes) || has_suffix(text.bytes))) {
            st = add_path(cases, text.bytes, depth + 1, arena, err);
        }
        text_fini(&text);
        free(entries[i]);
    }
    free(entries);
    return st;
}

static enum st
add_path(struct case_list *cases, const char *path, unsigned int depth,
         struct arena *arena, struct err *err)
{
    if (!is_directory(path)) {
        return add_file(cases, path, arena, err);
    }
    if (depth == DEPTH_MAX) {
        return err_set(err, ST_INVALID, "file",
                       "%s: directories are nested more than %d deep", path,
                       DEPTH_MAX);
    }
    return add_directory(cases, path, depth, arena, err);
}

enum st
case_list_add(struct case_list *cases, const char *path, struct arena *arena,
              struct err *err)
{
    return add_path(cases, path, 0, arena, err);
}

/* Reports an unknown variant and lists the existing ones. */
static enum st
fail_no_variant(const struct case_list *cases, const char *variant,
                struct err *err)
{
    struct text names = {0};
    enum st st =
        err_set(err, ST_NOT_FOUND, "variant", "unknown variant '%s'", variant);

    for (size_t i = 0; i < cases->n; i++) {
        const char *name = cases->items[i].variant_name;

        text_add_item(&names, "  ", *name ? name : "(none)");
    }
    err_set_field(err, "variant", variant, text_string(&names));
    text_fini(&names);
    return st;
}

enum st
case_list_keep_variant(struct case_list *cases, const char *variant,
                       struct err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < cases->n; i++) {
        if (!strcmp(cases->items[i].variant_name, variant)) {
            n++;
        }
    }
    if (!n) {
        return fail_no_variant(cases, variant, err);
    }
    n = 0;
    for (size_t i = 0; i < cases->n; i++) {
        if (!strcmp(cases->items[i].variant_name, variant)) {
            cases->items[n++] = cases->items[i];
        }
    }
    cases->n = n;
    return ST_OK;
}

void
case_list_sample(struct case_list *cases, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < cases->n; i += n) {
        cases->items[kept++] = cases->items[i];
    }
    cases->n = kept;
}

struct parser_input
case_list_input(const struct case_list_item *one)
{
    return (struct parser_input){
        .file = one->file, .sets = one->sets, .n_sets = one->n_sets};
}

void
case_list_fini(struct case_list *cases)
{
    free(cases->items);
    memset(cases, 0, sizeof *cases);
}
