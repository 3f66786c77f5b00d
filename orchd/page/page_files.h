/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_PAGE_FILES_H
#define ORCHD_PAGE_PAGE_FILES_H

/* The files of the live page.
 *
 * They are read and compressed once, at the start, and served from memory by
 * name: a request names a file of this list, never a path. */

#include <stddef.h>
#include <stdint.h>

#define PAGE_FILE_MAX ((size_t)4 * 1024 * 1024) /* Bytes; larger: left out. */

struct page_files;

/* A file in one of its forms. */
struct page_form {
    char etag[24]; /* With its quotes; each form has its own (RFC 9110, 8.8.1),
                    * by which caches distinguish them. */
    char *bytes;   /* NULL: there is no such form. */
    size_t length;
};

struct page_file {
    char *name;       /* "page.js" */
    const char *type; /* Content-Type. */
    struct page_form plain;
    struct page_form gzip; /* If that is smaller. */
};

/* Reads the files in 'directory', and those of the charts in 'charts', whose
 * names end in .html, .js, .css, .json, .svg or .png and have only letters,
 * digits, '.', '_' and '-', and no dot in front.  A directory that cannot be
 * read has none. */
struct page_files *page_files_read(const char *directory, const char *charts);

/* Frees 'files'.  Accepts NULL. */
void page_files_destroy(struct page_files *files);

/* Returns a number that differs when the name or content of a file does. */
uint64_t page_files_build(const struct page_files *files);

/* Returns a file by name, or NULL. */
const struct page_file *page_files_find(const struct page_files *files,
                                        const char *name);

#endif /* orchd/page/page_files.h */
