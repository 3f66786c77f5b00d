/* SPDX-License-Identifier: Apache-2.0 */

/* Results of cases as files. */

#include <config.h>

#include "orchctl/case_store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "breakpoint/parser.h"
#include "command/file_digest.h"
#include "command/folder.h"
#include "orchctl/case_list.h"
#include "orchctl/verb.h"

struct case_store {
    const char *folder;
    uint64_t chips; /* Digest of the chip files and the version. */
    /* The scenario that was asked for last, of which the points of a sweep are
     * one after the other: digests of its files, and of where it is. */
    char *file;
    uint64_t files, path;
};

enum st
case_store_open(const struct invocation *invocation, struct case_store **store,
                struct err *err)
{
    const char *folder = verb_option(invocation, "keep", NULL);
    uint64_t chips = 0;
    enum st st;

    *store = NULL;
    if (!folder) {
        return ST_OK;
    }
    chips = digest_text(DIGEST_START, PACKAGE_VERSION);
    st = file_digest_models(
        verb_option(invocation, "chips", PKGDATADIR "/chips"), &chips, err);
    st = st ? st : folder_make(folder, "--keep", err);
    if (!st) {
        *store = check_calloc(1, sizeof **store);
        (*store)->folder = folder;
        (*store)->chips = chips;
    }
    return st;
}

void
case_store_close(struct case_store *store)
{
    if (store) {
        free(store->file);
        free(store);
    }
}

/* Returns a digest of where 'file' is: the same one however its path is given,
 * as processes of executors get it in full. */
static uint64_t
digest_path(const char *file)
{
    char *path = realpath(file, NULL);
    const uint64_t digest = digest_text(DIGEST_START, path ? path : file);

    free(path);
    return digest;
}

enum st
case_store_key(struct case_store *store, const struct case_list_item *one,
               char key[CASE_STORE_KEY_SIZE], struct err *err)
{
    const uint64_t numbers[] = {one->variant, one->repetition};
    uint64_t digest;

    if (!store->file || strcmp(store->file, one->file) != 0) {
        const struct parser_input input = {.file = one->file};
        const enum st st = parser_digest(&input, &store->files, err);

        if (st) {
            return st;
        }
        free(store->file);
        store->file = check_strdup(one->file);
        store->path = digest_path(one->file);
    }
    digest = digest_bytes(store->chips, &store->files, sizeof store->files);
    digest = digest_bytes(digest, &store->path, sizeof store->path);
    digest = digest_bytes(digest, numbers, sizeof numbers);
    for (size_t i = 0; i < one->n_sets; i++) {
        digest = digest_text(digest, one->sets[i].name);
        digest = digest_text(digest, one->sets[i].value);
    }
    (void)text_format(key, CASE_STORE_KEY_SIZE, "%016" PRIx64, digest);
    return ST_OK;
}

/* Appends the path of the result of 'one' to 'path'; false: the scenario cannot
 * be read. */
static bool
add_path(struct case_store *store, const struct case_list_item *one,
         struct text *path)
{
    char key[CASE_STORE_KEY_SIZE];
    struct err ignored;

    if (case_store_key(store, one, key, &ignored)) {
        return false;
    }
    text_addf(path, "%s/%s.json", store->folder, key);
    return true;
}

json_t *
case_store_load(struct case_store *store, const struct case_list_item *one)
{
    struct text path = {0};
    json_t *result = NULL;

    if (add_path(store, one, &path)) {
        result = json_load_file(text_string(&path), 0, NULL);
    }
    text_fini(&path);
    return result;
}

enum st
case_store_save(struct case_store *store, const struct case_list_item *one,
                const json_t *result, struct err *err)
{
    struct text path = {0}, part = {0};
    enum st st = ST_OK;

    if (add_path(store, one, &path)) {
        text_addf(&part, "%s.%ld", text_string(&path), (long)getpid());
        if (json_dump_file(result, text_string(&part), JSON_COMPACT) ||
            rename(text_string(&part), text_string(&path))) {
            st = err_set(err, ST_IO, "unwritable", "cannot write %s: %s",
                         text_string(&path), strerror(errno));
            (void)unlink(text_string(&part));
        }
    }
    text_fini(&path);
    text_fini(&part);
    return st;
}
