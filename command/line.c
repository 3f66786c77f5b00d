/* SPDX-License-Identifier: Apache-2.0 */

/* Reads command lines and prints the help of commands. */

#include <config.h>

#include "command/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

void
line_init(struct line *line, int argc, const struct line_program *program,
          void (*take)(struct line *line, const char *word), void *context)
{
    *line = (struct line){
        .program = program,
        .command = {.name = ""},
        .global = json_object(),
        .own = json_object(),
        .words = check_calloc((size_t)argc + 2, sizeof *line->words),
        .take = take,
        .context = context,
    };
}

void
line_fini(struct line *line)
{
    json_decref(line->global);
    json_decref(line->own);
    free(line->words);
}

void
line_refer_to_help(const struct line *line, struct err *err)
{
    const char *name = line->command.name;

    err_set_remedy(err, "see %s%s%s --help", line->program->name,
                   *name ? " " : "", name);
}

enum st
line_read(struct line *line, int argc, char **argv, struct err *err)
{
    bool options = true;

    for (int i = 1; i < argc; i++) {
        const struct option_set sets[] = {
            {line->program->options, line->global},
            {line->command.options, line->own},
        };

        if (options && !strcmp(argv[i], "--")) {
            options = false;
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            if (option_take(sets, sizeof sets / sizeof sets[0], argc, argv, &i,
                            err)) {
                line_refer_to_help(line, err);
                return ST_INVALID;
            }
        } else {
            line->take(line, argv[i]);
        }
    }
    return ST_OK;
}

enum st
line_check_operands(const struct line *line, size_t first, struct err *err)
{
    const struct line_command *command = &line->command;
    const size_t n = line->n_words - first;

    if (n < command->min_operands) {
        err_set(err, ST_INVALID, "usage", "%s needs %s", command->name,
                command->operands);
    } else if (n > command->max_operands) {
        err_set(err, ST_INVALID, "usage", "%s takes %s, not '%s'",
                command->name,
                *command->operands ? command->operands : "no operands",
                line->words[first + command->max_operands]);
    } else {
        return ST_OK;
    }
    line_refer_to_help(line, err);
    return ST_INVALID;
}

void
line_print_help(const struct line *line)
{
    const struct line_command *command = &line->command;

    printf("usage: %s %s %s%s%s%s\n\n%s.\n", line->program->name,
           line->program->usage, command->name,
           command->options ? " [OPTION]..." : "",
           *command->operands ? " " : "", command->operands, command->summary);
    if (command->details) {
        printf("\n%s", command->details);
    }
    if (command->options) {
        printf("\nOptions:\n");
        option_print(command->options);
    }
    printf("\nOptions of every command:\n");
    option_print(line->program->options);
}

const char *
line_find_name(line_name_fn *name_at, const void *context, const char *word)
{
    const char *found = NULL;
    const char *name;
    size_t n = 0;

    for (size_t i = 0; (name = name_at(context, i)); i++) {
        if (!strcmp(name, word)) {
            return name;
        }
        if (*word && !strncmp(name, word, strlen(word))) {
            found = name;
            n++;
        }
    }
    return n == 1 ? found : NULL;
}

/* Returns the first option of 'argv' that not all commands have, and stores the
 * length of its name; NULL if there is none. */
static const char *
find_early_option(const struct line *line, int argc, char **argv,
                  size_t *length)
{
    for (int i = 1; i < argc; i++) {
        const char *name = option_name(argv[i], length);

        if (name && !option_find(line->program->options, name, *length)) {
            return name;
        }
    }
    return NULL;
}

void
line_explain_early_option(const struct line *line, int argc, char **argv,
                          line_choice_fn *choice_at, void *context,
                          struct err *err)
{
    size_t length = 0;
    const char *name = find_early_option(line, argc, argv, &length);
    struct line_choice choice;
    struct text names = {0};

    for (size_t i = 0; name && choice_at(context, i, &choice); i++) {
        if (choice.options && option_find(choice.options, name, length)) {
            text_add_item(&names, ", ", choice.name);
        }
    }
    if (names.length) {
        err_set_remedy(err, "write it behind the verb; these have it: %s",
                       text_string(&names));
    }
    text_fini(&names);
}
