/* SPDX-License-Identifier: Apache-2.0 */

/* Loads the files of adapters. */

#include <config.h>

#include "lab/builder/nic_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

enum { FILE_MAX = 1 << 20 };

static const char suffix[] = ".yaml";

/* Returns the length of 'name' without its suffix, 0 if it has another one. */
static size_t
stem_length(const char *name)
{
    const size_t length = strlen(name), n = sizeof suffix - 1;

    return length > n && !strcmp(name + length - n, suffix) ? length - n : 0;
}

/* Selects the files of adapters, for scandir(). */
static int
is_nic_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && stem_length(entry->d_name) > 0;
}

/* Sorts by bytes, so that the order does not depend on the locale. */
static int
compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static enum st
fail(const char *path, const char *why, struct err *err)
{
    return err_set(err, ST_IO, "unreadable", "cannot read '%s': %s", path, why);
}

enum st
nic_folder_load_file(const char *path, struct arena *arena,
                     struct nic_file *file, struct err *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t stem = stem_length(name);
    FILE *stream = fopen(path, "re");
    char *text;
    size_t n;

    if (!stream) {
        return fail(path, strerror(errno), err);
    }
    text = malloc(FILE_MAX);
    errno = 0;
    n = text ? fread(text, 1, FILE_MAX, stream) : 0;
    if (!text || ferror(stream) || n == FILE_MAX) {
        const char *why = n == FILE_MAX ? "it has more than 1 MiB"
                                        : strerror(errno ? errno : EIO);

        (void)fclose(stream);
        free(text);
        return fail(path, why, err);
    }
    (void)fclose(stream);
    *file = (struct nic_file){
        .name = arena_strndup(arena, name, stem ? stem : strlen(name)),
        .path = arena_strdup(arena, path),
        .text = arena_strndup(arena, text, n),
        .length = n};
    free(text);
    return ST_OK;
}

enum st
nic_folder_load(const char *folder, struct arena *arena,
                struct nic_files *files, struct err *err)
{
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, is_nic_file, compare_names);
    struct nic_file *list;
    enum st st = ST_OK;

    if (n < 0) {
        return fail(folder, strerror(errno), err);
    }
    list = arena_alloc(arena, (size_t)n + 1, sizeof *list);
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];

        if (!st && !text_format(path, sizeof path, "%s/%s", folder,
                                entries[i]->d_name)) {
            st = fail(folder, "its path is too long", err);
        }
        st = st ? st : nic_folder_load_file(path, arena, &list[i], err);
        free(entries[i]);
    }
    free(entries);
    *files = (struct nic_files){list, (size_t)n};
    return st;
}
