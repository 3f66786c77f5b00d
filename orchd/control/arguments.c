/* SPDX-License-Identifier: Apache-2.0 */

/* Checks by the table of a command, and conversion of texts. */

#include <config.h>

#include "orchd/control/arguments.h"

#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"

/* Fills 'err' with what an argument has to be. */
static enum st
fail_argument(const struct argument *argument, const char *expected,
              struct err *err)
{
    err_set(err, ST_INVALID, "usage", "argument '%s' has to be %s",
            argument->name, expected);
    err_set_field(err, argument->name, NULL, expected);
    return ST_INVALID;
}

/* Checks that a text is one of the allowed words. */
static enum st
check_words(const struct argument *argument, const char *text, struct err *err)
{
    struct choices choices;
    size_t i = 0;

    while (argument->words[i] && strcmp(argument->words[i], text)) {
        i++;
    }
    if (argument->words[i]) {
        return ST_OK;
    }
    choices_init(&choices, text);
    for (i = 0; argument->words[i]; i++) {
        choices_add(&choices, argument->words[i]);
    }
    err_set(err, ST_INVALID, "usage", "argument '%s' cannot be '%.100s'",
            argument->name, text);
    return choices_explain(&choices, argument->name, err);
}

/* Returns whether 'value' is a string that is not empty. */
static bool
is_text(const json_t *value)
{
    return json_is_string(value) && json_string_length(value) > 0;
}

/* Checks a list of names. */
static enum st
check_texts(const struct argument *argument, const json_t *value,
            struct err *err)
{
    size_t i;
    json_t *item;

    if (!json_is_array(value)) {
        return fail_argument(argument, "an array of strings", err);
    }
    json_array_foreach(value, i, item)
    {
        if (!is_text(item)) {
            return fail_argument(argument, "an array of strings", err);
        }
    }
    return ST_OK;
}

/* Checks the range of a number, so that commands need not handle overflow. */
static enum st
check_number(const struct argument *argument, const json_t *value,
             struct err *err)
{
    char expected[80];
    json_int_t number = json_integer_value(value);

    if (json_is_integer(value) && number >= argument->min &&
        number <= argument->max) {
        return ST_OK;
    }
    text_format(expected, sizeof expected, "a whole number in %lld..%lld",
                (long long)argument->min, (long long)argument->max);
    return fail_argument(argument, expected, err);
}

/* Checks a value against the type of its argument. */
static enum st
check_argument(const struct argument *argument, const json_t *value,
               struct err *err)
{
    switch (argument->type) {
    case ARGUMENT_TEXT:
        if (!is_text(value)) {
            return fail_argument(argument, "a string", err);
        }
        return argument->words
                   ? check_words(argument, json_string_value(value), err)
                   : ST_OK;
    case ARGUMENT_TEXTS:
        return check_texts(argument, value, err);
    case ARGUMENT_NUMBER:
        return check_number(argument, value, err);
    case ARGUMENT_FLAG:
        return json_is_boolean(value)
                   ? ST_OK
                   : fail_argument(argument, "true or false", err);
    case ARGUMENT_ARRAY:
        return json_is_array(value) ? ST_OK
                                    : fail_argument(argument, "an array", err);
    case ARGUMENT_OBJECT:
    default:
        return json_is_object(value)
                   ? ST_OK
                   : fail_argument(argument, "an object", err);
    }
}

/* Refuses unknown arguments: a misspelt one would silently mean its default. */
static enum st
check_unknown(const struct argument_list *list, json_t *arguments,
              struct err *err)
{
    const char *name;
    json_t *value;

    json_object_foreach(arguments, name, value)
    {
        const struct argument *argument = list->arguments;
        struct choices choices;

        while (argument && argument->name && strcmp(argument->name, name)) {
            argument++;
        }
        if (argument && argument->name) {
            continue;
        }
        choices_init(&choices, name);
        for (argument = list->arguments; argument && argument->name;
             argument++) {
            choices_add(&choices, argument->name);
        }
        err_set(err, ST_INVALID, "usage", "%s %s has no argument '%.100s'",
                list->noun, list->verb, name);
        (void)choices_explain(&choices, name, err);
        err_set_field(err, name, NULL, list->arguments ? err->allowed : "none");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Unknown ones first, because a misspelt argument explains why another one is
 * missing. */
enum st
arguments_check(const struct argument_list *list, json_t *arguments,
                struct err *err)
{
    enum st st = check_unknown(list, arguments, err);

    for (const struct argument *argument = list->arguments;
         !st && argument && argument->name; argument++) {
        const json_t *value = json_object_get(arguments, argument->name);

        if (value) {
            st = check_argument(argument, value, err);
        } else if (argument->required) {
            st = err_set(err, ST_INVALID, "usage", "%s %s needs --%s",
                         list->noun, list->verb, argument->name);
            err_set_field(err, argument->name, NULL, NULL);
            err_set_remedy(err, "see orchctl %s %s --help", list->noun,
                           list->verb);
        }
    }
    return st;
}

/* Returns the value that 'text' stands for; a string if it is none of this
 * type, which arguments_check() then refuses. */
static json_t *
convert(const struct argument *argument, const char *text)
{
    json_t *value = NULL;
    int64_t number;

    switch (argument->type) {
    case ARGUMENT_NUMBER:
        if (!parse_s64(text, INT64_MIN, INT64_MAX, &number)) {
            value = json_integer(number);
        }
        break;
    case ARGUMENT_FLAG:
        if (!strcmp(text, "true") || !strcmp(text, "1") || !*text) {
            value = json_true();
        } else if (!strcmp(text, "false") || !strcmp(text, "0")) {
            value = json_false();
        }
        break;
    case ARGUMENT_OBJECT:
    case ARGUMENT_ARRAY:
        value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        break;
    case ARGUMENT_TEXT:
    case ARGUMENT_TEXTS:
    default:
        break;
    }
    return value ? value : json_string(text);
}

/* Adds one argument. */
static enum st
add_text(const struct argument_list *list, const struct argument_text *text,
         json_t *arguments, struct err *err)
{
    const struct argument *argument = list->arguments;
    json_t *value;

    while (argument && argument->name && strcmp(argument->name, text->name)) {
        argument++;
    }
    /* Another one is for arguments_check(). */
    value = argument && argument->name ? convert(argument, text->value)
                                       : json_string(text->value);
    if (!value || !*text->name) {
        json_decref(value);
        return err_set(err, ST_INVALID, "usage",
                       "an argument is name=value, in UTF-8");
    }
    if (argument && argument->name && argument->type == ARGUMENT_TEXTS) {
        if (!json_object_get(arguments, text->name)) {
            json_object_set_new(arguments, text->name, json_array());
        }
        json_array_append_new(json_object_get(arguments, text->name), value);
    } else if (json_object_get(arguments, text->name)) {
        json_decref(value);
        return err_set(err, ST_INVALID, "usage",
                       "argument '%.100s' is given more than once", text->name);
    } else if (json_object_set_new(arguments, text->name, value)) {
        return err_set(err, ST_INVALID, "usage",
                       "the name of an argument is not UTF-8");
    }
    return ST_OK;
}

enum st
arguments_parse(const struct argument_list *list,
                const struct argument_text *texts, size_t n, json_t **arguments,
                struct err *err)
{
    enum st st = ST_OK;

    *arguments = json_object();
    for (size_t i = 0; !st && i < n; i++) {
        st = add_text(list, &texts[i], *arguments, err);
    }
    return st;
}
