/* SPDX-License-Identifier: Apache-2.0 */

/* Loads the files of a record.
 *
 * The number of the newest part determines how many older parts there must be.
 * All parts of a record have the same start time, which distinguishes them from
 * parts of a previous record.  All parts are read into memory, because their
 * number and size are bounded. */

#include <config.h>

#include "sai/replay/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "sai/core/serialize.h"
#include "sai/stack/recorder.h"
#include "sai/trace/trace_parse.h"

/* The largest number of parts. */
#define PARTS_MAX 1000

/* One file of a record. */
struct part {
    const char *path;
    char *text; /* A piece of the arena. */
    char begun[TRACE_STAMP_SIZE];
    uint64_t number;
};

/* Reads a file into memory from 'arena'. */
static enum st
read_file(struct arena *arena, const char *path, char **text, struct err *err)
{
    FILE *file = fopen(path, "r");
    struct text all = {0};
    char buffer[65536];
    size_t n;
    bool good;

    if (!file) {
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "record-unreadable", "cannot read '%s': %s", path,
                       strerror(errno));
    }
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
        text_add_bytes(&all, buffer, n);
    }
    good = !ferror(file);
    fclose(file);
    *text = arena_strndup(arena, text_string(&all), all.length);
    text_fini(&all);
    return good ? ST_OK
                : err_set(err, ST_IO, "record-unreadable", "cannot read '%s'",
                          path);
}

/* Reads the heading "# begun STAMP part N" behind the first line. */
static enum st
read_part(struct arena *arena, const char *path, struct part *part,
          struct err *err)
{
    static const char begun[] = "# begun ";
    static const char magic[] = RECORDER_MAGIC;
    const char *next;
    char number[24];
    size_t length;
    enum st st = read_file(arena, path, &part->text, err);

    part->path = path;
    if (st) {
        return st;
    }
    next = part->text + sizeof magic - 1;
    if (strncmp(part->text, magic, sizeof magic - 1) ||
        strncmp(next, begun, sizeof begun - 1)) {
        goto foreign;
    }
    next += sizeof begun - 1;
    length = strcspn(next, " \n");
    if (length >= sizeof part->begun || strncmp(next + length, " part ", 6)) {
        goto foreign;
    }
    memcpy(part->begun, next, length);
    part->begun[length] = '\0';
    next += length + 6;
    length = strcspn(next, "\n");
    if (length >= sizeof number) {
        goto foreign;
    }
    memcpy(number, next, length);
    number[length] = '\0';
    if (parse_u64(number, 1, UINT32_MAX, &part->number)) {
        goto foreign;
    }
    return ST_OK;
foreign:
    return err_set(err, ST_INVALID, "not-a-record", "%s is not a SAI record",
                   path);
}

/* Returns the file name of the next older part than 'path': "FILE.1" for
 * "FILE", "FILE.2" for "FILE.1". */
static const char *
older_name(struct arena *arena, const char *path)
{
    const char *dot = strrchr(path, '.');
    struct text name = {0};
    uint64_t age = 0;
    char *copy;

    if (dot && !parse_u64(dot + 1, 1, PARTS_MAX, &age)) {
        text_add_bytes(&name, path, (size_t)(dot - path));
    } else {
        text_add(&name, path);
    }
    text_addf(&name, ".%u", (unsigned int)age + 1);
    copy = arena_strdup(arena, text_string(&name));
    text_fini(&name);
    return copy;
}

/* Stores a line of the heading, which all parts repeat. */
static void
take_heading(struct recording *recording, char *line)
{
    static const char library[] = "# library ", profile[] = "# profile ",
                      the_switch[] = "# switch ";
    struct arena *arena = recording->arena;
    char *equals = strchr(line, '=');

    if (!strncmp(line, library, sizeof library - 1)) {
        line += sizeof library - 1;
        recording->library = trace_unescape(arena, line, strlen(line));
    } else if (!strncmp(line, profile, sizeof profile - 1) && equals) {
        struct loader_pair *pair;

        line += sizeof profile - 1;
        recording->profile =
            check_realloc(recording->profile, (recording->n_profile + 1) *
                                                  sizeof *recording->profile);
        pair = &recording->profile[recording->n_profile++];
        pair->key = trace_unescape(arena, line, (size_t)(equals - line));
        pair->value = trace_unescape(arena, equals + 1, strlen(equals + 1));
    } else if (!strncmp(line, the_switch, sizeof the_switch - 1) &&
               serialize_parse_oid(line + sizeof the_switch - 1,
                                   &recording->switch_id)) {
        recording->switch_id = SAI_NULL_OBJECT_ID;
    }
}

/* Splits a part into lines.  Stores the heading of the first part. */
static void
take_lines(struct recording *recording, const struct part *part, size_t *room)
{
    char *line = part->text;
    unsigned int number = 1;

    for (char *end; (end = strchr(line, '\n')); line = end + 1, number++) {
        struct text place = {0};

        *end = '\0';
        if (*line == '#') {
            if (part->number == 1) {
                take_heading(recording, line);
            }
            continue;
        }
        if (recording->n_lines == *room) {
            *room = *room ? *room * 2 : 1024;
            recording->lines = check_realloc(recording->lines,
                                             *room * sizeof *recording->lines);
            recording->places = check_realloc(
                recording->places, *room * sizeof *recording->places);
        }
        text_addf(&place, "%s:%u", part->path, number);
        recording->places[recording->n_lines] =
            arena_strdup(recording->arena, text_string(&place));
        recording->lines[recording->n_lines++] = line;
        text_fini(&place);
    }
    recording->torn = *line != '\0';
}

enum st
recording_load(const char *path, struct recording **recording, struct err *err)
{
    struct recording *made = check_calloc(1, sizeof *made);
    struct part *parts = check_calloc(PARTS_MAX, sizeof *parts);
    size_t n = 1, room = 0;
    enum st st;

    made->arena = arena_create(0);
    st =
        read_part(made->arena, arena_strdup(made->arena, path), &parts[0], err);
    for (; !st && parts[n - 1].number > 1 && n < PARTS_MAX; n++) {
        const char *older = older_name(made->arena, parts[n - 1].path);

        st = read_part(made->arena, older, &parts[n], err);
        if (!st && (strcmp(parts[n].begun, parts[0].begun) ||
                    parts[n].number + 1 != parts[n - 1].number)) {
            st = err_set(err, ST_NOT_FOUND, "record-incomplete",
                         "%s is not part %llu of the record", older,
                         (unsigned long long)parts[n - 1].number - 1);
        }
    }
    while (!st && n-- > 0) {
        take_lines(made, &parts[n], &room);
    }
    free(parts);
    if (st) {
        recording_destroy(made);
        return st;
    }
    *recording = made;
    return ST_OK;
}

void
recording_destroy(struct recording *recording)
{
    if (recording) {
        arena_destroy(recording->arena);
        free(recording->profile);
        free(recording->lines);
        free(recording->places);
        free(recording);
    }
}
