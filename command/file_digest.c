/* SPDX-License-Identifier: Apache-2.0 */

/* Digests of files. */

#include <config.h>

#include "command/file_digest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"

enum st
file_digest(const char *path, uint64_t *digest, struct err *err)
{
    FILE *file = fopen(path, "re");
    char buffer[4096];
    size_t n;
    int error = errno;

    if (file) {
        while ((n = fread(buffer, 1, sizeof buffer, file))) {
            *digest = digest_bytes(*digest, buffer, n);
        }
        error = ferror(file) ? errno : 0;
        (void)fclose(file);
    }
    return error ? err_set(err, ST_IO, "unreadable", "cannot read '%s': %s",
                           path, strerror(error))
                 : ST_OK;
}

static int
is_model(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');

    return ending && (!strcmp(ending, ".yaml") || !strcmp(ending, ".json"));
}

enum st
file_digest_models(const char *folder, uint64_t *digest, struct err *err)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_model, alphasort);
    enum st st = ST_OK;

    if (n < 0) {
        return err_set(err, ST_IO, "unreadable", "cannot read folder %s: %s",
                       folder, strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        struct text path = {0};

        text_addf(&path, "%s/%s", folder, entries[i]->d_name);
        *digest = digest_text(*digest, entries[i]->d_name);
        st = st ? st : file_digest(text_string(&path), digest, err);
        text_fini(&path);
        free(entries[i]);
    }
    free(entries);
    return st;
}
