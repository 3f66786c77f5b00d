/* SPDX-License-Identifier: Apache-2.0 */

/* The file of the history, with any content.
 *
 * What is refused is explained with its place; set aside, it no longer is in
 * the way, and is unchanged.  Of what is accepted each generation that is
 * listed can be gone back to, and no other; a row that is noted then is in the
 * list and in the difference, and a comment on it in the list; and the file
 * reads the same when it is opened again. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/history/history.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_BACK = 4, PATH_BYTES = 128 };

static const char *directory;

static void
write_file(const uint8_t *data, size_t size)
{
    char path[PATH_BYTES];
    FILE *file;

    text_format(path, sizeof path, "%s/history.jsonl", directory);
    file = fopen(path, "we");
    orch_assert(file);
    orch_assert(fwrite(data, 1, size, file) == size);
    orch_assert(!fclose(file));
}

/* Sets a refused file aside: a new history begins, and the file is there. */
static void
set_aside(size_t size)
{
    struct history *history;
    char path[PATH_BYTES];
    struct stat found;
    struct err err;

    FUZZ_CHECK(!history_set_aside(directory, path, sizeof path, &err));
    FUZZ_CHECK(!stat(path, &found) && (size_t)found.st_size == size);
    FUZZ_CHECK(!history_open(directory, &history, &err));
    FUZZ_CHECK(!history_generation(history));
    history_close(history);
    FUZZ_CHECK(!unlink(path));
}

/* Each listed generation can be gone back to; none behind the last. */
static size_t
go_back(const struct history *history, struct arena *arena)
{
    const uint64_t last = history_generation(history);
    uint64_t behind = last + 1;
    struct history_entry *entries = NULL;
    struct field_row *none;
    size_t n = 0, n_none;
    struct err err;

    FUZZ_CHECK(history_has(history, behind, &err) == ST_NOT_FOUND);
    FUZZ_CHECK(history_rows(history, &behind, arena, &none, &n_none, &err) ==
               ST_NOT_FOUND);
    FUZZ_CHECK(!history_list(history, arena, &entries, &n, &err));
    for (size_t i = 0; i < n && i < MAX_BACK; i++) {
        uint64_t generation = entries[n - 1 - i].generation;
        struct field_row *rows;
        size_t n_rows = 0;
        enum st status;

        FUZZ_CHECK(entries[n - 1 - i].time && entries[n - 1 - i].comment);
        FUZZ_CHECK(!history_has(history, generation, &err));
        status =
            history_rows(history, &generation, arena, &rows, &n_rows, &err);
        FUZZ_CHECK(!status || (status == ST_NOT_FOUND && *err.reason));
    }
    return n;
}

/* Comments on the last generation; others are refused. */
static void
comment(struct history *history, struct arena *arena, uint64_t last)
{
    struct history_entry *entries = NULL;
    size_t n = 0;
    struct err err;

    FUZZ_CHECK(history_comment(history, last + 1, "x", &err) == ST_NOT_FOUND);
    FUZZ_CHECK(history_comment(history, last, "\xff", &err) == ST_INVALID);
    FUZZ_CHECK(!history_comment(history, last, "a comment", &err));
    FUZZ_CHECK(!history_list(history, arena, &entries, &n, &err));
    FUZZ_CHECK(n && strcmp(entries[n - 1].comment, "a comment") == 0);
}

/* Notes a row, and finds it. */
static void
note(struct history *history, struct arena *arena, size_t n_before)
{
    const struct field field = {"size", "1"};
    const uint64_t last = history_generation(history);
    struct history_change *changes;
    uint64_t from = last, to = HISTORY_NOW;
    size_t n = 0;
    struct err err;

    history_row(history, "FUZZ|row", &field, 1);
    if (last > UINT64_MAX / 4 || !history_n_news(history)) {
        return; /* JSON has no greater integers; or it was there. */
    }
    FUZZ_CHECK(!history_note(history, last + 1, "now", &err));
    FUZZ_CHECK(history_generation(history) == last + 1);
    FUZZ_CHECK(go_back(history, arena) == n_before + 1);
    comment(history, arena, last + 1);
    if (n_before &&
        !history_diff(history, &from, &to, arena, &changes, &n, &err)) {
        size_t i = 0;

        /* Rows behind the last mark, from a note that was cut off, too. */
        while (i < n && strcmp(changes[i].key, "FUZZ|row") != 0) {
            i++;
        }
        FUZZ_CHECK(i < n && changes[i].after);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_create(0);
    struct history *history = NULL;
    uint64_t generation;
    struct err err = {0};
    size_t n;

    directory = fuzz_folder("history.jsonl");
    write_file(data, size);
    if (history_open(directory, &history, &err)) {
        /* A file of a newer orchd is left alone. */
        FUZZ_CHECK(err.status == ST_INVALID || err.status == ST_UNSUPPORTED);
        FUZZ_CHECK(strstr(err.reason, err.status == ST_INVALID
                                          ? "history.jsonl:"
                                          : "history.jsonl has format"));
        set_aside(size);
        arena_destroy(arena);
        return 0;
    }
    n = go_back(history, arena);
    if (n < HISTORY_KEPT) {
        note(history, arena, n);
        n = go_back(history, arena);
    }
    generation = history_generation(history);
    history_close(history);
    FUZZ_CHECK(!history_open(directory, &history, &err));
    FUZZ_CHECK(history_generation(history) == generation);
    FUZZ_CHECK(go_back(history, arena) == n);
    history_close(history);
    arena_destroy(arena);
    return 0;
}
