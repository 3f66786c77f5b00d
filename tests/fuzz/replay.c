/* SPDX-License-Identifier: Apache-2.0 */

/* Runs a fuzz target on files: those named, or the regression corpus of the
 * target.
 *
 * Each file goes in as it is, and cut short in a few places, for what breaks
 * one way in the middle often breaks another way at the end. */

#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_BYTES = 1 << 20, CUTS = 4 };

/* Runs the target on one file.  Returns false if it cannot be read. */
static bool
replay(const char *path)
{
    uint8_t *bytes = check_malloc(MAX_BYTES);
    FILE *file = fopen(path, "rb");
    size_t n;

    if (!file) {
        perror(path);
        free(bytes);
        return false;
    }
    n = fread(bytes, 1, MAX_BYTES, file);
    fclose(file);
    printf("%s: %zu bytes\n", path, n);
    fflush(stdout);
    for (size_t i = CUTS; i > 0; i--) {
        /* A block of its own, so that reading beyond the end is noticed. */
        size_t length = n * i / CUTS;
        uint8_t *copy = check_malloc(length + 1);

        memcpy(copy, bytes, length);
        copy = check_realloc(copy, length ? length : 1);
        LLVMFuzzerTestOneInput(copy, length);
        free(copy);
    }
    free(bytes);
    return true;
}

/* Replays all files of a folder.  Returns how many; 0 is a failure. */
static size_t
replay_folder(const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);
    size_t done = 0;

    for (int i = 0; i < n; i++) {
        struct text path = {0};

        text_addf(&path, "%s/%s", folder, entries[i]->d_name);
        done += entries[i]->d_name[0] != '.' && replay(text_string(&path));
        text_fini(&path);
        free(entries[i]);
    }
    if (n >= 0) {
        free(entries);
    }
    printf("%s: %zu files\n", folder, done);
    return done;
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!replay(argv[i])) {
            return EXIT_FAILURE;
        }
    }
    return argc > 1 || replay_folder(FUZZ_DIR "/corpus/" TARGET) ? EXIT_SUCCESS
                                                                 : EXIT_FAILURE;
}
