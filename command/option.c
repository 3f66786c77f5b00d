/* SPDX-License-Identifier: Apache-2.0 */

/* Parses options and prints their help. */

#include <config.h>

#include "command/option.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"

/* The letters of options.  The same everywhere, so that nobody has to learn
 * them per command. */
static const struct {
    const char *word, *name;
} letters[] = {{"-h", "help"}, {"-o", "output"}};

const char *
option_letter(const char *name)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (!strcmp(letters[i].name, name)) {
            return letters[i].word;
        }
    }
    return NULL;
}

const char *
option_name(const char *word, size_t *length)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (!strcmp(letters[i].word, word)) {
            *length = strlen(letters[i].name);
            return letters[i].name;
        }
    }
    if (strncmp(word, "--", 2) != 0) {
        return NULL;
    }
    *length = strcspn(word + 2, "=");
    return word + 2;
}

const struct option *
option_find(const struct option *options, const char *name, size_t length)
{
    for (; options && options->name; options++) {
        if (strlen(options->name) == length &&
            !memcmp(options->name, name, length)) {
            return options;
        }
    }
    return NULL;
}

void
option_print_entry(const char *left, int width, const char *right)
{
    if ((int)strlen(left) > width) {
        printf("  %s\n  %-*s %s\n", left, width, "", right);
    } else {
        printf("  %-*s %s\n", width, left, right);
    }
}

void
option_print(const struct option *options)
{
    for (; options && options->name; options++) {
        const char *letter = option_letter(options->name);
        char left[64];

        text_format(left, sizeof left, "%s%s--%s%s%s", letter ? letter : "",
                    letter ? ", " : "", options->name,
                    options->value ? " " : "",
                    options->value ? options->value : "");
        option_print_entry(left, 23, options->help);
    }
}

void
option_complain(const char *program, const struct err *err)
{
    fprintf(stderr, "%s: %s\n", program, err->reason);
    if (*err->allowed && !strstr(err->reason, err->allowed)) {
        fprintf(stderr, "  allowed: %s\n", err->allowed);
    }
    if (*err->remedy) {
        fprintf(stderr, "  remedy: %s\n", err->remedy);
    }
}

/* Stores the value of 'option' in 'values'. */
static enum st
take_value(const struct option *option, const char *text, json_t *values,
           struct err *err)
{
    int64_t number;

    if (option->type == OPTION_NUMBER) {
        if (parse_s64(text, option->min, option->max, &number)) {
            const bool has_unit = strcmp(option->value, "N") != 0;

            return err_set(
                err, ST_INVALID, "usage",
                "--%s must be a whole number in %lld..%lld%s%s, not '%s'",
                option->name, (long long)option->min, (long long)option->max,
                has_unit ? " " : "", has_unit ? option->value : "", text);
        }
        json_object_set_new(values, option->name, json_integer(number));
        return ST_OK;
    }
    if (*text && option->type == OPTION_TEXTS) {
        json_t *list = json_object_get(values, option->name);

        if (!list) {
            list = json_array();
            json_object_set_new(values, option->name, list);
        }
        if (!json_array_append_new(list, json_string(text))) {
            return ST_OK;
        }
        return err_set(err, ST_INVALID, "usage", "--%s has to be a text",
                       option->name);
    }
    if (!*text ||
        json_object_set_new(values, option->name, json_string(text))) {
        return err_set(err, ST_INVALID, "usage", "--%s has to be a text",
                       option->name);
    }
    return ST_OK;
}

/* Reports an unknown option and lists the known ones, the last set first: that
 * of the verb. */
static enum st
fail_option(const struct option_set *sets, size_t n, const char *word,
            struct err *err)
{
    struct choices choices;
    char given[64], name[64];

    text_copy(given, sizeof given, word);
    given[strcspn(given, "=")] = '\0';
    choices_init(&choices, given);
    while (n--) {
        const struct option *options = sets[n].options;

        for (; options && options->name; options++) {
            text_format(name, sizeof name, "--%s", options->name);
            choices_add(&choices, name);
        }
    }
    err_set(err, ST_INVALID, "usage", "unknown option %s", word);
    return choices_explain(&choices, "option", err);
}

bool
option_looks_like_file(const char *word)
{
    const char *dot = strrchr(word, '.');

    return *word != '-' && dot && dot[1] &&
           strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz"
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(dot + 1);
}

enum st
option_take(const struct option_set *sets, size_t n, int argc, char **argv,
            int *i, struct err *err)
{
    const char *word = argv[*i];
    const char *equals = strchr(word, '=');
    const struct option *option = NULL;
    size_t set = 0, length = 0;
    const char *name = option_name(word, &length);

    while (!option && set < n && name) {
        option = option_find(sets[set++].options, name, length);
    }
    if (!option) {
        return fail_option(sets, n, word, err);
    }
    if (option->type == OPTION_FLAG) {
        if (equals) {
            return err_set(err, ST_INVALID, "usage", "--%s takes no value",
                           option->name);
        }
        json_object_set_new(sets[set - 1].values, option->name, json_true());
        return ST_OK;
    }
    if (option->type == OPTION_FILE && !equals &&
        (*i + 1 >= argc || !option_looks_like_file(argv[*i + 1]))) {
        json_object_set_new(sets[set - 1].values, option->name, json_true());
        return ST_OK;
    }
    if (!equals && *i + 1 >= argc) {
        return err_set(err, ST_INVALID, "usage", "--%s needs a value: %s",
                       option->name, option->value);
    }
    return take_value(option, equals ? equals + 1 : argv[++*i],
                      sets[set - 1].values, err);
}
