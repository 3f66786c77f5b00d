/* SPDX-License-Identifier: Apache-2.0 */

/* The settings as a table.
 *
 * A row has the key of a setting, its type, the offset of its member, its
 * default and what is allowed.  The configuration file, the environment, the
 * command line, --help and the message about a wrong value use that row, so a
 * new setting is one row of SETTINGS_LIST. */

#include <config.h>

#include "orchd/daemon/settings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/secret.h"
#include "base/text.h"
#include "process/conf_file.h"
#include "sai/loader/loader.h"

/* More problems are not collected. */
#define PROBLEMS_MAX 100

/* For the text of what a setting may be; as large as in struct err. */
#define ALLOWED_SIZE 256

#define VARIABLE_PREFIX "ORCHD_"

enum type { TYPE_FLAG, TYPE_NUMBER, TYPE_WORD, TYPE_PATH, TYPE_PAIRS };

struct setting {
    const char *key;
    enum type type;
    size_t offset;            /* Of its member. */
    int64_t initial;          /* Of numbers, flags and words (as index). */
    const char *path;         /* The default of a path; NULL: none. */
    int64_t low, high;        /* Of numbers. */
    const char *const *words; /* Of words: the allowed ones; ends with NULL. */
    const char *placeholder;  /* Of paths and pairs. */
    const char *help;
};

#define WORD_ITEM(enumerator, word) word,
#define INITIAL_FLAG(initial)       initial, NULL
#define INITIAL_NUMBER(initial)     initial, NULL
#define INITIAL_WORD(initial)       initial, NULL
#define INITIAL_PATH(initial)       0, initial
#define INITIAL_PAIRS(initial)      0, NULL
#define RANGE_FLAG(low, high)       0, 0, NULL, NULL
#define RANGE_NUMBER(low, high)     low, high, NULL, NULL
#define RANGE_WORD(low, high)                                                  \
    0, 0, (const char *const[]){high(WORD_ITEM) NULL}, NULL
#define RANGE_PATH(low, high)  0, 0, NULL, high
#define RANGE_PAIRS(low, high) 0, 0, NULL, high

static const struct setting table[] = {
#define X(member, type, initial, low, high, help)                              \
    {#member,                                                                  \
     TYPE_##type,                                                              \
     offsetof(struct settings, member),                                        \
     INITIAL_##type(initial),                                                  \
     RANGE_##type(low, high),                                                  \
     help},
    SETTINGS_LIST(X)
#undef X
};

static const bool reloaded[N_SETTINGS] = {
#define X(member) [SETTINGS_INDEX_##member] = true,
    SETTINGS_RELOADED_LIST(X)
#undef X
};

static const struct settings_source command_line = {SETTINGS_FROM_OPTION, NULL,
                                                    0};

/* Values ------------------------------------------------------------------ */

static void *
member_of(struct settings *settings, const struct setting *setting)
{
    return (char *)settings + setting->offset;
}

static const void *
member_in(const struct settings *settings, const struct setting *setting)
{
    return (const char *)settings + setting->offset;
}

static void
store(struct settings *settings, const struct setting *setting, int64_t value)
{
    void *member = member_of(settings, setting);

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
        *(const char **)member = setting->path;
        break;
    case TYPE_PAIRS:
        memset(member, 0, sizeof(struct settings_pairs));
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
    free(settings->problems);
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
        text_format(buffer, size, "%lld..%lld", (long long)setting->low,
                    (long long)setting->high);
        break;
    case TYPE_WORD:
        join_words(setting->words, buffer, size);
        break;
    case TYPE_PATH:
    case TYPE_PAIRS:
        text_copy(buffer, size, setting->placeholder);
        break;
    }
}

/* Reads 'value' into '*number'; texts have none. */
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
    case TYPE_PAIRS:
        break; /* add_pairs() */
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

/* Fills 'err': 'text' is not KEY = VALUE. */
static enum st
fail_line(const char *text, struct err *err)
{
    err_set(err, ST_INVALID, "setting", "expected KEY = VALUE, found '%s'",
            text);
    err_set_remedy(err, "see orchd --print-config");
    return ST_INVALID;
}

/* Fills 'err': 'value' is not allowed. */
static enum st
fail_value(const struct setting *setting, const char *value, struct err *err)
{
    const char *article = setting->type == TYPE_NUMBER ? "a number in "
                          : setting->type == TYPE_PATH ? "a text: "
                                                       : "";
    char allowed[ALLOWED_SIZE], hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    describe(setting, allowed, sizeof allowed);
    nearest_init(&nearest, value, strlen(value));
    for (size_t i = 0; setting->words && setting->words[i]; i++) {
        nearest_try(&nearest, setting->words[i]);
    }
    err_set(err, ST_INVALID, "setting", "%s must be %s%s, not '%.100s'%s",
            setting->key, article, allowed,
            secret_is_name(setting->key) ? SECRET_MASK : value,
            nearest_hint(&nearest, hint));
    err_set_field(err, setting->key,
                  secret_is_name(setting->key) ? SECRET_MASK : value, allowed);
    err_set_remedy(err, "see orchd --help");
    return ST_INVALID;
}

/* Copies 'source' with its name. */
static struct settings_source
keep_source(struct settings *settings, const struct settings_source *source)
{
    struct settings_source kept = *source;

    if (kept.name) {
        kept.name = arena_strdup(settings->texts, kept.name);
    }
    return kept;
}

/* Sets the pair 'text', of 'length' bytes, in 'pairs', in place of an earlier
 * one with the same key.  Returns false unless it is KEY=VALUE. */
static bool
add_pair(struct settings *settings, struct settings_pairs *pairs,
         const char *text, size_t length, const struct settings_source *source)
{
    char *key = arena_strndup(settings->texts, text, length);
    char *equals = strchr(key, '=');
    struct loader_pair *list;
    struct settings_source *sources;
    size_t i = 0;

    if (!equals || equals == key) {
        return false;
    }
    *equals = '\0';
    while (i < pairs->n && strcmp(pairs->list[i].key, key) != 0) {
        i++;
    }
    if (i == pairs->n) {
        list = arena_alloc(settings->texts, i + 1, sizeof *list);
        sources = arena_alloc(settings->texts, i + 1, sizeof *sources);
        if (i) {
            memcpy(list, pairs->list, i * sizeof *list);
            memcpy(sources, pairs->sources, i * sizeof *sources);
        }
        pairs->list = list;
        pairs->sources = sources;
        pairs->n++;
    }
    pairs->list[i].key = key;
    pairs->list[i].value = equals + 1;
    pairs->sources[i] = *source;
    return true;
}

/* Sets all pairs of 'value', or none if one is invalid.  On the command line
 * and in the file a value is one pair, which may contain blanks. */
static enum st
add_pairs(struct settings *settings, const struct setting *setting,
          const char *value, const struct settings_source *source,
          struct err *err)
{
    struct settings_pairs *member = member_of(settings, setting);
    const bool several = source->origin == SETTINGS_FROM_ENVIRONMENT;
    struct settings_pairs pairs = *member;
    const char *at = value;
    bool good = *value != '\0';

    if (pairs.n) { /* A failure must not change them. */
        pairs.list = arena_alloc(settings->texts, pairs.n, sizeof *pairs.list);
        pairs.sources =
            arena_alloc(settings->texts, pairs.n, sizeof *pairs.sources);
        memcpy(pairs.list, member->list, pairs.n * sizeof *pairs.list);
        memcpy(pairs.sources, member->sources, pairs.n * sizeof *pairs.sources);
    }
    while (good && *at) {
        const size_t length = several ? strcspn(at, " \t\n") : strlen(at);

        good = !length || add_pair(settings, &pairs, at, length, source);
        at += length;
        at += several ? strspn(at, " \t\n") : 0;
    }
    if (!good || !pairs.n) {
        return fail_value(setting, value, err);
    }
    *member = pairs;
    return ST_OK;
}

enum st
settings_assign(struct settings *settings, const char *key, const char *value,
                const struct settings_source *source, struct err *err)
{
    const struct setting *setting = find_setting(key);
    const struct settings_source kept = keep_source(settings, source);
    int64_t number = 0;

    if (!setting) {
        return fail_setting(key, err);
    }
    if (setting->type == TYPE_PAIRS) {
        enum st status = add_pairs(settings, setting, value, &kept, err);

        if (status) {
            return status;
        }
    } else if (read_value(setting, value, &number)) {
        return fail_value(setting, value, err);
    } else if (setting->type == TYPE_PATH) {
        *(const char **)member_of(settings, setting) =
            arena_strdup(settings->texts, value);
    } else {
        store(settings, setting, number);
    }
    settings->sources[setting - table] = kept;
    return ST_OK;
}

enum st
settings_set(struct settings *settings, const char *key, const char *value,
             struct err *err)
{
    return settings_assign(settings, key, value, &command_line, err);
}

void
settings_set_default(struct settings *settings, const char *key,
                     const char *value)
{
    const struct setting *setting = find_setting(key);
    const char **member;

    orch_assert(setting && setting->type == TYPE_PATH);
    member = member_of(settings, setting);
    if (!*member) {
        *member = arena_strdup(settings->texts, value);
    }
}

/* Files ------------------------------------------------------------------- */

void
settings_complain(struct settings *settings,
                  const struct settings_source *source, const struct err *err)
{
    struct err *problem;

    if (settings->n_problems == PROBLEMS_MAX) {
        return;
    }
    settings->problems =
        check_realloc(settings->problems,
                      (settings->n_problems + 1) * sizeof *settings->problems);
    problem = &settings->problems[settings->n_problems++];
    *problem = *err;
    if (source && source->line) {
        text_format(problem->reason, sizeof problem->reason, "%s:%u: %s",
                    source->name, source->line, err->reason);
    } else if (source && source->name) {
        text_format(problem->reason, sizeof problem->reason, "%s: %s",
                    source->name, err->reason);
    }
}

enum st
settings_problem(const struct settings *settings, size_t first, struct err *err)
{
    for (size_t i = first; i < settings->n_problems; i++) {
        if (settings->problems[i].status != ST_UNSUPPORTED) {
            if (err) {
                *err = settings->problems[i];
            }
            return settings->problems[i].status;
        }
    }
    return ST_OK;
}

enum st
settings_set_pair(struct settings *settings, const char *pair,
                  const struct settings_source *source, struct err *err)
{
    const char *equals = strchr(pair, '=');
    const char *key, *value;
    size_t length;

    if (!equals) {
        return fail_line(pair, err);
    }
    key = arena_strndup(settings->texts, pair, (size_t)(equals - pair));
    key = parse_trim(key, &length);
    key = arena_strndup(settings->texts, key, length);
    value = parse_trim(equals + 1, &length);
    value = arena_strndup(settings->texts, value, length);
    return settings_assign(settings, key, value,
                           source ? source : &command_line, err);
}

/* What handles the lines of a file. */
struct lines {
    struct settings *settings;
    const char *origin;
    bool seen[N_SETTINGS];
};

/* Sets the key of a line, which must not have been set by one before, unless
 * it is repeated. */
static enum st
set_line(struct lines *lines, const struct settings_source *source,
         const char *key, const char *value, struct err *err)
{
    const struct setting *setting = key ? find_setting(key) : NULL;

    if (!value) {
        return err_set(err, ST_INVALID, "setting", "the line is not text");
    }
    if (!key) {
        return fail_line(value, err);
    }
    if (setting && lines->seen[setting - table]) {
        err_set(err, ST_INVALID, "setting", "%s is set twice", key);
        err_set_remedy(err, "remove one of the lines");
        return ST_INVALID;
    }
    if (setting) {
        lines->seen[setting - table] = setting->type != TYPE_PAIRS;
    }
    return settings_assign(lines->settings, key, value, source, err);
}

/* Implements conf_file_fn. */
static void
on_line(void *lines_, unsigned int line, const char *key, const char *value)
{
    struct lines *lines = lines_;
    const struct settings_source source = {SETTINGS_FROM_FILE, lines->origin,
                                           line};
    struct err cause = {0};

    if (set_line(lines, &source, key, value, &cause)) {
        text_copy(cause.code, sizeof cause.code, "config-file");
        settings_complain(lines->settings, &source, &cause);
    }
}

enum st
settings_parse(struct settings *settings, const char *text, size_t length,
               const char *origin, struct err *err)
{
    const size_t n_before = settings->n_problems;
    struct lines lines = {.settings = settings, .origin = origin};

    conf_file_parse(text, length, on_line, &lines);
    return settings_problem(settings, n_before, err);
}

enum st
settings_load(struct settings *settings, const char *path, struct err *err)
{
    const size_t n_before = settings->n_problems;
    struct lines lines = {.settings = settings, .origin = path};
    struct err cause = {0};

    settings->file = arena_strdup(settings->texts, path);
    if (conf_file_read(path, on_line, &lines, &cause)) {
        settings_complain(settings, NULL, &cause);
    }
    return settings_problem(settings, n_before, err);
}

/* The environment --------------------------------------------------------- */

/* Writes the lower-case name of the variable 'text', "ORCHD_NAME=VALUE", to
 * 'key'. */
static void
variable_key(const char *text, char *key, size_t size)
{
    size_t n = 0;

    text += sizeof VARIABLE_PREFIX - 1;
    for (; *text && *text != '=' && n + 1 < size; text++) {
        key[n++] = (char)tolower((unsigned char)*text);
    }
    key[n] = '\0';
}

/* Warns if 'key', which is no setting, looks like one. */
static void
warn_of_variable(struct settings *settings, const char *name, const char *key)
{
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];
    struct err err;

    nearest_init(&nearest, key, strlen(key));
    for (size_t i = 0; i < N_SETTINGS; i++) {
        nearest_try(&nearest, table[i].key);
    }
    if (nearest_get(&nearest)) {
        err_set(&err, ST_UNSUPPORTED, "environment",
                "the environment has %s, but there is no setting '%s'%s", name,
                key, nearest_hint(&nearest, hint));
        settings_complain(settings, NULL, &err);
    }
}

void
settings_read_environment(struct settings *settings,
                          const char *const *environment)
{
    for (; environment && *environment; environment++) {
        const char *text = *environment;
        const char *equals = strchr(text, '=');
        struct settings_source source = {SETTINGS_FROM_ENVIRONMENT, NULL, 0};
        struct err cause = {0};
        char name[64], key[64];

        if (!equals ||
            strncmp(text, VARIABLE_PREFIX, sizeof VARIABLE_PREFIX - 1) != 0) {
            continue;
        }
        text_copy(name, sizeof name, text);
        name[strcspn(name, "=")] = '\0';
        variable_key(text, key, sizeof key);
        source.name = name;
        if (!strcmp(key, "config")) {
            continue; /* Which file to read; see options_settings(). */
        }
        if (!find_setting(key)) {
            warn_of_variable(settings, name, key);
        } else if (settings_assign(settings, key, equals + 1, &source,
                                   &cause)) {
            settings_complain(settings, &source, &cause);
        }
    }
}

/* Answers ----------------------------------------------------------------- */

const char *
settings_word(const struct settings *settings, const char *key)
{
    const struct setting *setting = find_setting(key);

    orch_assert(setting && setting->type == TYPE_WORD);
    return setting->words[*(const unsigned int *)member_in(settings, setting)];
}

/* Writes the value of 'setting' to 'value'.  Returns false if it has none. */
static bool
format_value(const struct settings *settings, const struct setting *setting,
             struct text *value)
{
    const void *member = member_in(settings, setting);
    const char *path;

    switch (setting->type) {
    case TYPE_FLAG:
        text_add(value, *(const bool *)member ? "true" : "false");
        return true;
    case TYPE_NUMBER:
        text_addf(value, "%lld", (long long)*(const int64_t *)member);
        return true;
    case TYPE_WORD:
        text_add(value, setting->words[*(const unsigned int *)member]);
        return true;
    case TYPE_PATH:
        path = *(const char *const *)member;
        text_add(value, path ? path : "");
        return path != NULL;
    case TYPE_PAIRS:
        break; /* visit_pairs() */
    }
    return false;
}

/* Writes the default of 'setting' to 'buffer'.  Returns false if there is
 * none. */
static bool
describe_default(const struct setting *setting, char *buffer, size_t size)
{
    switch (setting->type) {
    case TYPE_FLAG:
        text_copy(buffer, size, setting->initial ? "true" : "false");
        return true;
    case TYPE_NUMBER:
        text_format(buffer, size, "%lld", (long long)setting->initial);
        return true;
    case TYPE_WORD:
        text_copy(buffer, size, setting->words[setting->initial]);
        return true;
    case TYPE_PATH:
        text_copy(buffer, size, setting->path ? setting->path : "");
        return setting->path != NULL;
    case TYPE_PAIRS:
        break;
    }
    return false;
}

/* Visits each pair of a PAIRS setting. */
static void
visit_pairs(const struct settings_pairs *pairs, struct settings_row *row,
            settings_visit_fn *visit, void *context)
{
    struct text value = {0};

    row->repeated = true;
    for (size_t i = 0; i < pairs->n; i++) {
        text_clear(&value);
        text_addf(&value, "%s=%s", pairs->list[i].key,
                  secret_is_name(pairs->list[i].key) ? SECRET_MASK
                                                     : pairs->list[i].value);
        row->value = text_string(&value);
        row->source = pairs->sources[i];
        visit(context, row);
    }
    if (!pairs->n) {
        visit(context, row);
    }
    text_fini(&value);
}

void
settings_each(const struct settings *settings, settings_visit_fn *visit,
              void *context)
{
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const struct setting *setting = &table[i];
        char allowed[ALLOWED_SIZE], initial[256];
        struct text value = {0};
        struct settings_row row = {
            .key = setting->key,
            .allowed = allowed,
            .help = setting->help,
            .flag = setting->type == TYPE_FLAG,
            .reloaded = reloaded[i],
            .index = (enum settings_index)i,
            .source = settings->sources[i],
        };

        describe(setting, allowed, sizeof allowed);
        row.initial =
            describe_default(setting, initial, sizeof initial) ? initial : NULL;
        if (setting->type == TYPE_PAIRS) {
            visit_pairs(member_in(settings, setting), &row, visit, context);
        } else {
            row.value = format_value(settings, setting, &value)
                            ? secret_is_name(setting->key) ? SECRET_MASK
                                                           : text_string(&value)
                            : NULL;
            visit(context, &row);
        }
        text_fini(&value);
    }
}

bool
settings_differ(const struct settings *a, const struct settings *b,
                enum settings_index index)
{
    const struct setting *setting = &table[index];
    struct text texts[2] = {{0}, {0}};
    const struct settings *const both[] = {a, b};
    bool differ;

    for (size_t i = 0; i < 2; i++) {
        const struct settings_pairs *pairs = member_in(both[i], setting);

        if (setting->type != TYPE_PAIRS) {
            (void)format_value(both[i], setting, &texts[i]);
            continue;
        }
        for (size_t k = 0; k < pairs->n; k++) {
            text_addf(&texts[i], "%s=%s\n", pairs->list[k].key,
                      pairs->list[k].value);
        }
    }
    differ = strcmp(text_string(&texts[0]), text_string(&texts[1])) != 0;
    text_fini(&texts[0]);
    text_fini(&texts[1]);
    return differ;
}

void
settings_copy(struct settings *to, const struct settings *from,
              enum settings_index index)
{
    const struct setting *setting = &table[index];
    const void *member = member_in(from, setting);
    const char *path;

    to->sources[index] = keep_source(to, &from->sources[index]);
    switch (setting->type) {
    case TYPE_FLAG:
        store(to, setting, *(const bool *)member);
        break;
    case TYPE_NUMBER:
        store(to, setting, *(const int64_t *)member);
        break;
    case TYPE_WORD:
        store(to, setting, *(const unsigned int *)member);
        break;
    case TYPE_PATH:
        path = *(const char *const *)member;
        *(const char **)member_of(to, setting) =
            path ? arena_strdup(to->texts, path) : NULL;
        break;
    case TYPE_PAIRS:
        orch_assert(!reloaded[index]);
        break;
    }
}

bool
settings_is_reloaded(enum settings_index index)
{
    return reloaded[index];
}

const char *
settings_key(enum settings_index index)
{
    return table[index].key;
}
