/* SPDX-License-Identifier: Apache-2.0 */

/* The settings as a table.
 *
 * A row has the key of a setting, its type, the offset of its member, its
 * default and what is allowed.  The config file, --set, --help and the message
 * about a wrong value use that row, so a new setting is one row of
 * SETTINGS_LIST. */

#include <config.h>

#include "orchd/daemon/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"

/* More than any sensible file has. */
#define FILE_BYTES_MAX (1 << 20)

/* For the text of what a setting may be; as large as in struct err. */
#define ALLOWED_SIZE 256

enum type { TYPE_FLAG, TYPE_NUMBER, TYPE_WORD, TYPE_PATH };

struct setting {
    const char *key;
    enum type type;
    size_t offset;            /* Of its member. */
    int64_t initial;          /* Of numbers, flags and words (as index). */
    int64_t low, high;        /* Of numbers. */
    const char *const *words; /* Of words: the allowed ones; ends with NULL. */
    const char *help;
};

#define WORD_ITEM(enumerator, word) word,
#define RANGE_FLAG(low, high)       0, 0, NULL
#define RANGE_NUMBER(low, high)     low, high, NULL
#define RANGE_WORD(low, high)                                                  \
    0, 0, (const char *const[])                                                \
    {                                                                          \
        high(WORD_ITEM) NULL                                                   \
    }
#define RANGE_PATH(low, high) 0, 0, NULL

static const struct setting table[] = {
#define X(member, type, initial, low, high, help)                              \
    {#member,                                                                  \
     TYPE_##type,                                                              \
     offsetof(struct settings, member),                                        \
     initial,                                                                  \
     RANGE_##type(low, high),                                                  \
     help},
    SETTINGS_LIST(X)
#undef X
};

enum { N_SETTINGS = sizeof table / sizeof *table };

static void
store(struct settings *settings, const struct setting *setting, int64_t value)
{
    void *member = (char *)settings + setting->offset;

    switch (setting->type) {
    case TYPE_FLAG:
        *(bool *)member = value != 0;
        break;
    case TYPE_NUMBER:
        *(int64_t *)member = value;
        break;
    case TYPE_WORD:
        *(unsigned int *)member = (unsigned int)value;
        break;
    case TYPE_PATH:
        *(const char **)member = NULL;
        break;
    }
}

void
settings_init(struct settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->texts = arena_create(0);
    for (size_t i = 0; i < N_SETTINGS; i++) {
        store(settings, &table[i], table[i].initial);
    }
}

void
settings_fini(struct settings *settings)
{
    arena_destroy(settings->texts);
    memset(settings, 0, sizeof *settings);
}

static const char *const flag_words[] = {"false", "no", "off", "true",
                                         "yes",   "on", NULL};

/* Returns the index of 'value' among 'words', or -1. */
static int
find_word(const char *const *words, const char *value)
{
    for (int i = 0; words[i]; i++) {
        if (!strcmp(words[i], value)) {
            return i;
        }
    }
    return -1;
}

/* Writes 'words' to 'buffer' as "a|b|c". */
static void
join_words(const char *const *words, char *buffer, size_t size)
{
    struct text joined = {0};

    for (; *words; words++) {
        text_add_item(&joined, "|", *words);
    }
    text_copy(buffer, size, text_string(&joined));
    text_fini(&joined);
}

/* Writes what 'setting' may be to 'buffer'. */
static void
describe(const struct setting *setting, char *buffer, size_t size)
{
    switch (setting->type) {
    case TYPE_FLAG:
        text_copy(buffer, size, "true|false");
        break;
    case TYPE_NUMBER:
        text_format(buffer, size, "a number in %lld..%lld",
                    (long long)setting->low, (long long)setting->high);
        break;
    case TYPE_WORD:
        join_words(setting->words, buffer, size);
        break;
    case TYPE_PATH:
        text_copy(buffer, size, "a path");
        break;
    }
}

/* Reads 'value' into '*number'; a path has none. */
static enum st
read_value(const struct setting *setting, const char *value, int64_t *number)
{
    int i = -1;

    switch (setting->type) {
    case TYPE_FLAG:
        i = find_word(flag_words, value);
        *number = i >= 3;
        return i < 0 ? ST_INVALID : ST_OK;
    case TYPE_NUMBER:
        return parse_s64(value, setting->low, setting->high, number);
    case TYPE_WORD:
        i = find_word(setting->words, value);
        *number = i;
        return i < 0 ? ST_INVALID : ST_OK;
    case TYPE_PATH:
        return *value ? ST_OK : ST_INVALID;
    }
    return ST_INVALID;
}

static const struct setting *
find_setting(const char *key)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        if (!strcmp(table[i].key, key)) {
            return &table[i];
        }
    }
    return NULL;
}

/* Fills 'err': no setting is called 'key'. */
static enum st
fail_setting(const char *key, struct err *err)
{
    struct choices choices;

    choices_init(&choices, key);
    for (size_t i = 0; i < N_SETTINGS; i++) {
        choices_add(&choices, table[i].key);
    }
    err_set(err, ST_INVALID, "setting", "there is no setting '%.100s'", key);
    (void)choices_explain(&choices, "setting", err);
    err_set_remedy(err, "see orchd --help");
    return ST_INVALID;
}

enum st
settings_set(struct settings *settings, const char *key, const char *value,
             struct err *err)
{
    const struct setting *setting = find_setting(key);
    char allowed[ALLOWED_SIZE];
    int64_t number = 0;

    if (!setting) {
        return fail_setting(key, err);
    }
    if (read_value(setting, value, &number)) {
        describe(setting, allowed, sizeof allowed);
        err_set(err, ST_INVALID, "setting", "%s must be %s, not '%.100s'", key,
                allowed, value);
        err_set_field(err, key, value, allowed);
        err_set_remedy(err, "see orchd --help");
        return ST_INVALID;
    }
    if (setting->type == TYPE_PATH) {
        *(const char **)(void *)((char *)settings + setting->offset) =
            arena_strdup(settings->texts, value);
    } else {
        store(settings, setting, number);
    }
    return ST_OK;
}

/* Returns 'text', up to 'length' bytes of it, without blanks at its ends. */
static const char *
trimmed(struct arena *arena, const char *text, size_t length)
{
    const char *copy = arena_strndup(arena, text, length);
    const char *start = parse_trim(copy, &length);

    return arena_strndup(arena, start, length);
}

/* Sets 'text', "KEY = VALUE".  Marks the key in 'seen' unless that is NULL, and
 * refuses a key that is marked already. */
static enum st
set_text(struct settings *settings, struct arena *arena, const char *text,
         bool *seen, struct err *err)
{
    const char *equals = strchr(text, '=');
    const struct setting *setting;
    const char *key, *value;
    enum st status;

    if (!equals) {
        return err_set(err, ST_INVALID, "setting",
                       "expected KEY = VALUE, found '%s'", text);
    }
    key = trimmed(arena, text, (size_t)(equals - text));
    value = trimmed(arena, equals + 1, strlen(equals + 1));
    setting = find_setting(key);
    if (seen && setting && seen[setting - table]) {
        return err_set(err, ST_INVALID, "setting", "%s is set twice", key);
    }
    status = settings_set(settings, key, value, err);
    if (!status && seen) {
        seen[setting - table] = true;
    }
    return status;
}

enum st
settings_set_pair(struct settings *settings, const char *pair, struct err *err)
{
    struct arena *arena = arena_create(0);
    enum st status = set_text(settings, arena, pair, NULL, err);

    arena_destroy(arena);
    return status;
}

/* Handles one line of a file. */
static enum st
set_line(struct settings *settings, const char *text, size_t length, bool *seen,
         struct err *err)
{
    struct arena *arena = arena_create(0);
    const char *line = trimmed(arena, text, length);
    enum st status = ST_OK;

    if (memchr(text, '\0', length)) {
        status = err_set(err, ST_INVALID, "setting", "the line is not text");
    } else if (*line && *line != '#') {
        status = set_text(settings, arena, line, seen, err);
    }
    arena_destroy(arena);
    return status;
}

enum st
settings_parse(struct settings *settings, const char *text, size_t length,
               const char *origin, struct err *err)
{
    bool seen[N_SETTINGS] = {false};
    unsigned int line = 1;

    for (size_t at = 0; at < length; line++) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t n = end ? (size_t)(end - text) - at : length - at;
        struct err cause = {0};

        if (set_line(settings, text + at, n, seen, &cause)) {
            if (err) {
                *err = cause;
            }
            return err_set(err, ST_INVALID, "config-file", "%s:%u: %s", origin,
                           line, cause.reason);
        }
        at += n + 1;
    }
    return ST_OK;
}

enum st
settings_load(struct settings *settings, const char *path, struct err *err)
{
    FILE *file = fopen(path, "re");
    char *text;
    size_t length;
    enum st status;

    if (!file) {
        return err_set(err, errno == ENOENT ? ST_NOT_FOUND : ST_IO,
                       "config-file", "the config file %s cannot be read: %s",
                       path, strerror(errno));
    }
    text = check_malloc(FILE_BYTES_MAX + 1);
    length = fread(text, 1, FILE_BYTES_MAX + 1, file);
    if (ferror(file)) {
        status = err_set(err, ST_IO, "config-file",
                         "the config file %s cannot be read: %s", path,
                         strerror(errno));
    } else if (length > FILE_BYTES_MAX) {
        status = err_set(err, ST_INVALID, "config-file",
                         "%s has more than %d bytes", path, FILE_BYTES_MAX);
    } else {
        status = settings_parse(settings, text, length, path, err);
    }
    free(text);
    fclose(file);
    return status;
}

const char *
settings_word(const struct settings *settings, const char *key)
{
    const struct setting *setting = find_setting(key);
    const void *member;

    orch_assert(setting && setting->type == TYPE_WORD);
    member = (const char *)settings + setting->offset;
    return setting->words[*(const unsigned int *)member];
}

void
settings_each(const struct settings *settings,
              void (*visit)(void *context, const char *key, const char *value),
              void *context)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const void *member = (const char *)settings + table[i].offset;
        const char *path;
        char number[32];

        switch (table[i].type) {
        case TYPE_FLAG:
            visit(context, table[i].key,
                  *(const bool *)member ? "true" : "false");
            break;
        case TYPE_NUMBER:
            text_format(number, sizeof number, "%lld",
                        (long long)*(const int64_t *)member);
            visit(context, table[i].key, number);
            break;
        case TYPE_WORD:
            visit(context, table[i].key,
                  table[i].words[*(const unsigned int *)member]);
            break;
        case TYPE_PATH:
            path = *(const char *const *)member;
            if (path) {
                visit(context, table[i].key, path);
            }
            break;
        }
    }
}

/* Writes the default of 'setting' to 'buffer'. */
static void
describe_default(const struct setting *setting, char *buffer, size_t size)
{
    switch (setting->type) {
    case TYPE_FLAG:
        text_copy(buffer, size, setting->initial ? "true" : "false");
        break;
    case TYPE_NUMBER:
        text_format(buffer, size, "%lld", (long long)setting->initial);
        break;
    case TYPE_WORD:
        text_copy(buffer, size, setting->words[setting->initial]);
        break;
    case TYPE_PATH:
        text_copy(buffer, size, "none");
        break;
    }
}

void
settings_help(FILE *stream)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        char allowed[ALLOWED_SIZE], initial[32];

        const char *line = table[i].help;

        describe(&table[i], allowed, sizeof allowed);
        describe_default(&table[i], initial, sizeof initial);
        fprintf(stream, "  %s = %s\n", table[i].key, allowed);
        for (const char *end; (end = strchr(line, '\n')); line = end + 1) {
            fprintf(stream, "        %.*s\n", (int)(end - line), line);
        }
        fprintf(stream, "        %s (default: %s)\n", line, initial);
    }
}
