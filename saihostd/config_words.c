/* SPDX-License-Identifier: Apache-2.0 */

/* Collects the words of a command line from all sources. */

#include <config.h>

#include "saihostd/config_words.h"

#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/text.h"
#include "process/conf_file.h"

/* Lines beyond that are refused. */
enum { WORDS_MAX = 1000 };

/* A collection in progress. */
struct collection {
    struct config_words *words;
    const struct config_option *options;
    size_t n;
    const char *path;  /* Of the file. */
    struct err *first; /* Its status is ST_OK until there is an error. */
};

static void
add_word(struct config_words *words, const char *word, const char *origin)
{
    words->argv[words->argc] = arena_strdup(words->arena, word);
    words->origins[words->argc] =
        origin ? arena_strdup(words->arena, origin) : NULL;
    words->argc++;
}

static const struct config_option *
find_option(const struct collection *collection, const char *name)
{
    for (size_t i = 0; i < collection->n; i++) {
        if (!strcmp(collection->options[i].name, name)) {
            return &collection->options[i];
        }
    }
    return NULL;
}

/* Keeps the first error, with its place. */
static void
fail(struct collection *collection, const char *origin, const struct err *err)
{
    if (!collection->first->status) {
        *collection->first = *err;
        text_format(collection->first->reason, sizeof err->reason, "%s: %s",
                    origin, err->reason);
    }
}

/* Adds the option 'name' with 'value'. */
static void
add_option(struct collection *collection, const char *origin, const char *name,
           const char *value)
{
    const struct config_option *option = find_option(collection, name);
    struct choices choices;
    struct text word = {0};
    struct err err = {0};

    if (!option) {
        choices_init(&choices, name);
        for (size_t i = 0; i < collection->n; i++) {
            choices_add(&choices, collection->options[i].name);
        }
        err_set(&err, ST_INVALID, "config-file", "there is no option '%.60s'",
                name);
        (void)choices_explain(&choices, "option", &err);
    } else if (option->flag && strcmp(value, "true") != 0 &&
               strcmp(value, "false") != 0) {
        err_set(&err, ST_INVALID, "config-file",
                "%s must be true or false, not '%.60s'", name, value);
    } else if (collection->words->argc + 2 >= WORDS_MAX) {
        err_set(&err, ST_INVALID, "config-file", "there are too many lines");
    } else if (!option->flag) {
        text_addf(&word, "--%s=%s", name, value);
    } else if (!strcmp(value, "true")) {
        text_addf(&word, "--%s", name);
    }
    if (err.status) {
        fail(collection, origin, &err);
    } else if (word.length) {
        add_word(collection->words, text_string(&word), origin);
    }
    text_fini(&word);
}

/* Implements conf_file_fn. */
static void
on_line(void *collection_, unsigned int line, const char *key,
        const char *value)
{
    struct collection *collection = collection_;
    char origin[256];
    struct err err;

    text_format(origin, sizeof origin, "%.200s:%u", collection->path, line);
    if (key && value) {
        add_option(collection, origin, key, value);
        return;
    }
    err_set(&err, ST_INVALID, "config-file", "expected NAME = VALUE%s%.60s",
            value ? ", found " : "", value ? value : "");
    fail(collection, origin, &err);
}

/* Returns the value of the variable "PREFIX_NAME" if 'text' is it; a 'name' of
 * NULL matches any, and stores it as an option is written. */
static const char *
match_variable(const char *text, const char *prefix, char *name, size_t size)
{
    const size_t length = strlen(prefix);
    const char *equals = strchr(text, '=');
    size_t n = 0;

    if (strncmp(text, prefix, length) != 0 || text[length] != '_' || !equals) {
        return NULL;
    }
    for (text += length + 1; text < equals && n + 1 < size; text++) {
        name[n++] = (char)(*text == '_'                   ? '-'
                           : *text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a'
                                                          : *text);
    }
    name[n] = '\0';
    return equals + 1;
}

/* Whether variable 'name' is no option: PREFIX_CONFIG names the file, and
 * PREFIX_OPTIONS is what a unit of systemd puts on the command line. */
static bool
is_other_variable(const char *name)
{
    return !strcmp(name, "config") || !strcmp(name, "options");
}

/* Returns the file to read; NULL: none. */
static const char *
find_file(const char *prefix, int argc, char **argv,
          const char *const *environment)
{
    static const char option[] = "--config";
    const char *found = NULL;
    char name[64];

    for (; environment && *environment; environment++) {
        const char *value =
            match_variable(*environment, prefix, name, sizeof name);

        found = value && !strcmp(name, "config") ? value : found;
    }
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], option, sizeof option - 1)) {
            const char *end = argv[i] + sizeof option - 1;

            found = *end == '='             ? end + 1
                    : !*end && i + 1 < argc ? argv[i + 1]
                                            : found;
        }
    }
    return found;
}

enum st
config_words_init(struct config_words *words,
                  const struct config_option *options, size_t n,
                  const char *prefix, int argc, char **argv,
                  const char *const *environment, struct err *err)
{
    struct err first = {0};
    struct collection collection = {
        .words = words,
        .options = options,
        .n = n,
        .path = find_file(prefix, argc, argv, environment),
        .first = &first,
    };
    const size_t size = (size_t)argc + WORDS_MAX + 1;
    char name[64];

    words->arena = arena_create(0);
    words->argc = 0;
    words->argv = arena_alloc(words->arena, size, sizeof *words->argv);
    words->origins = arena_alloc(words->arena, size, sizeof *words->origins);
    add_word(words, argc ? argv[0] : prefix, NULL);
    if (collection.path &&
        conf_file_read(collection.path, on_line, &collection, err)) {
        return err->status;
    }
    for (; environment && *environment; environment++) {
        const char *value =
            match_variable(*environment, prefix, name, sizeof name);

        if (value && !is_other_variable(name)) {
            char origin[64];

            text_copy(origin, sizeof origin, *environment);
            origin[strcspn(origin, "=")] = '\0';
            add_option(&collection, origin, name, value);
        }
    }
    for (int i = 1; i < argc; i++) {
        add_word(words, argv[i], NULL);
    }
    if (first.status) {
        *err = first;
    }
    return first.status;
}

void
config_words_fini(struct config_words *words)
{
    arena_destroy(words->arena);
    words->arena = NULL;
}
