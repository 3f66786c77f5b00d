/* SPDX-License-Identifier: Apache-2.0 */

/* An array of files. */

#include <config.h>

#include "orchd/page/page_files.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/page/gzip.h"

static const struct {
    const char *end, *type;
} types[] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
};

struct page_files {
    struct page_file *files;
    size_t n;
    uint64_t build;
};

/* Returns the type of a file that may be served, or NULL. */
static const char *
type_of(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    const size_t length = strlen(name);

    if (*name == '.' || strspn(name, allowed) != length) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t n = strlen(types[i].end);

        if (length > n && !strcmp(name + length - n, types[i].end)) {
            return types[i].type;
        }
    }
    return NULL;
}

/* Returns a hash (FNV-1a) that differs when the content does. */
static uint64_t
hash(const char *bytes, size_t n)
{
    uint64_t value = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < n; i++) {
        value = (value ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    }
    return value;
}

/* Reads the file at 'path'; false if it cannot be read or is too large. */
static bool
read_bytes(const char *path, struct text *text)
{
    FILE *file = fopen(path, "re");
    char bytes[16384];
    bool good;
    size_t n;

    if (!file) {
        return false;
    }
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0 &&
           text->length <= PAGE_FILE_MAX) {
        text_add_bytes(text, bytes, n);
    }
    good = !ferror(file) && text->length && text->length <= PAGE_FILE_MAX;
    return !fclose(file) && good;
}

/* Fills in the forms of 'file', whose bytes these are; takes them. */
static void
set_forms(struct page_file *file, struct text *text)
{
    const unsigned long long value = hash(text->bytes, text->length);
    struct page_form *plain = &file->plain, *gzip = &file->gzip;

    plain->length = text->length;
    plain->bytes = text_take(text);
    (void)text_format(plain->etag, sizeof plain->etag, "\"%016llx\"", value);
    if (gzip_pack(plain->bytes, plain->length, &gzip->bytes, &gzip->length)) {
        (void)text_format(gzip->etag, sizeof gzip->etag, "\"%016llxz\"", value);
    }
}

/* Adds a file, unless there is one with this name. */
static void
add_file(struct page_files *files, const char *directory, const char *name)
{
    const char *type = type_of(name);
    struct text path = {0}, text = {0};
    struct page_file *file;

    text_addf(&path, "%s/%s", directory, name);
    if (type && !page_files_find(files, name) &&
        read_bytes(text_string(&path), &text)) {
        files->files =
            check_realloc(files->files, (files->n + 1) * sizeof *files->files);
        file = &files->files[files->n++];
        memset(file, 0, sizeof *file);
        file->name = check_strdup(name);
        file->type = type;
        /* In no order, as directories have none. */
        files->build +=
            hash(name, strlen(name)) ^ hash(text.bytes, text.length);
        set_forms(file, &text);
    }
    text_fini(&path);
    text_fini(&text);
}

/* Adds the files of a directory. */
static void
add_directory(struct page_files *files, const char *directory)
{
    DIR *list = *directory ? opendir(directory) : NULL;

    for (const struct dirent *entry; list && (entry = readdir(list));) {
        add_file(files, directory, entry->d_name);
    }
    if (list) {
        closedir(list);
    }
}

struct page_files *
page_files_read(const char *directory, const char *charts)
{
    struct page_files *files = check_calloc(1, sizeof *files);

    add_directory(files, directory);
    if (files->n) {
        add_file(files, charts, "dygraph.min.js");
        add_file(files, charts, "dygraph.min.css");
    }
    return files;
}

void
page_files_destroy(struct page_files *files)
{
    for (size_t i = 0; files && i < files->n; i++) {
        free(files->files[i].name);
        free(files->files[i].plain.bytes);
        free(files->files[i].gzip.bytes);
    }
    if (files) {
        free(files->files);
        free(files);
    }
}

uint64_t
page_files_build(const struct page_files *files)
{
    return files->build;
}

const struct page_file *
page_files_find(const struct page_files *files, const char *name)
{
    for (size_t i = 0; i < files->n; i++) {
        if (!strcmp(files->files[i].name, name)) {
            return &files->files[i];
        }
    }
    return NULL;
}
