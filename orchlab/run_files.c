/* SPDX-License-Identifier: Apache-2.0 */

/* Finds results files. */

#include <config.h>

#include "orchlab/run_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "results/database.h"

#define SUFFIX ".sqlite"

/* Adds a run. */
static void
add_run(struct run_files *files, const char *path, const struct query *query)
{
    struct run_file *file;

    files->list =
        check_realloc(files->list, (files->n + 1) * sizeof *files->list);
    file = &files->list[files->n++];
    file->path = check_strdup(path);
    file->key = check_strdup(query_text(query, 1));
    file->name = check_strdup(query_text(query, 2));
    file->started = check_strdup(query_text(query, 3));
}

/* Adds the runs of the file 'path', if it can be read. */
static void
add(struct run_files *files, const char *path)
{
    struct reader *reader;
    struct query *query;
    bool row = false, is_merged;

    if (reader_open(path, &reader, NULL)) {
        files->n_unreadable++;
        return;
    }
    is_merged = database_number(reader_database(reader),
                                "SELECT count(*) FROM runs", 1) > 1;
    query = query_create(reader_database(reader),
                         "SELECT run, key, name, started FROM runs "
                         "ORDER BY run");
    while (!query_next(query, &row, NULL) && row) {
        struct text name = {0};

        text_add(&name, path);
        if (is_merged) {
            text_addf(&name, "#%lld", (long long)query_number(query, 0));
        }
        add_run(files, text_string(&name), query);
        text_fini(&name);
    }
    query_finish(query);
    reader_close(reader);
}

static int
compare(const void *a_, const void *b_)
{
    const struct run_file *a = a_, *b = b_;
    const int order = strcmp(a->started, b->started);

    return order ? order : strcmp(a->path, b->path);
}

enum st
run_files_load(const char *folder, struct run_files *files, struct err *err)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    const int error = errno;

    *files = (struct run_files){0};
    if (!directory) {
        return error == ENOENT ? ST_OK
                               : err_set(err, ST_IO, "unreadable",
                                         "cannot read folder %s: %s", folder,
                                         strerror(error));
    }
    while ((entry = readdir(directory))) {
        const size_t length = strlen(entry->d_name);
        struct text path = {0};

        if (length > strlen(SUFFIX) &&
            !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX)) {
            text_addf(&path, "%s/%s", folder, entry->d_name);
            add(files, text_string(&path));
        }
        text_fini(&path);
    }
    closedir(directory);
    if (files->n) {
        qsort(files->list, files->n, sizeof *files->list, compare);
    }
    return ST_OK;
}

void
run_files_fini(struct run_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        free(files->list[i].path);
        free(files->list[i].key);
        free(files->list[i].name);
        free(files->list[i].started);
    }
    free(files->list);
    *files = (struct run_files){0};
}

/* Returns the newest file that 'word' names, NULL if there is none.  A key is
 * given by at least four of its characters. */
static const struct run_file *
find(const struct run_files *files, const char *word)
{
    const size_t length = strlen(word);

    for (size_t i = files->n; i-- > 0;) {
        const struct run_file *file = &files->list[i];

        if (!strcmp(word, "last") || !strcmp(word, file->name) ||
            (length >= 4 && !strncmp(word, file->key, length))) {
            return file;
        }
    }
    return NULL;
}

static enum st
fail_unknown(const char *folder, const struct run_files *files,
             const char *word, struct err *err)
{
    struct choices choices;

    choices_init(&choices, word);
    for (size_t i = files->n; i-- > 0;) {
        bool known = false;

        for (size_t k = i + 1; k < files->n; k++) {
            known = known || !strcmp(files->list[k].name, files->list[i].name);
        }
        if (!known) {
            choices_add(&choices, files->list[i].name);
        }
    }
    if (files->n) {
        err_set(err, ST_NOT_FOUND, "run", "there is no run '%s'", word);
    } else {
        err_set(err, ST_NOT_FOUND, "run", "there are no results in %s", folder);
    }
    err_set_remedy(err, "see orchlab list, or give a file or --results FOLDER");
    (void)choices_explain(&choices, "run", err);
    return ST_NOT_FOUND;
}

/* Opens the file 'path', which has one run or ends with the number of one. */
static enum st
open_single(const char *path, struct reader **reader, struct err *err)
{
    enum st st = reader_open(path, reader, err);
    size_t length;
    int64_t n;

    if (st || reader_split_path(path, &length)) {
        return st;
    }
    n = database_number(reader_database(*reader), "SELECT count(*) FROM runs",
                        1);
    if (n > 1) {
        st = err_set(err, ST_INVALID, "run", "%s has %lld runs", path,
                     (long long)n);
        err_set_remedy(
            err, "name one: %s#NUMBER, or its key (see orchlab list)", path);
        reader_close(*reader);
        *reader = NULL;
    }
    return st;
}

enum st
run_files_open(const char *folder, const char *word, struct reader **reader,
               struct err *err)
{
    const struct run_file *file;
    struct run_files files;
    enum st st;

    if (strchr(word, '/') || strchr(word, '#') || !access(word, F_OK)) {
        return open_single(word, reader, err);
    }
    st = run_files_load(folder, &files, err);
    if (st) {
        return st;
    }
    file = find(&files, word);
    st = file ? reader_open(file->path, reader, err)
              : fail_unknown(folder, &files, word, err);
    run_files_fini(&files);
    return st;
}
