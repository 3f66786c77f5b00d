/* SPDX-License-Identifier: Apache-2.0 */

/* Finds and prints candidates. */

#include <config.h>

#include "command/complete.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

void
complete_find(int argc, char **argv, const struct option *options,
              complete_options_fn *own, const void *context,
              struct complete_place *place)
{
    const char *last = argc ? argv[argc - 1] : "";

    *place = (struct complete_place){
        .word = last,
        .prefix = "",
        .words = check_calloc((size_t)argc + 1, sizeof *place->words),
    };
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        const char *equals = strchr(word, '=');
        const struct option *option;
        size_t length = 0;
        const char *name = option_name(word, &length);

        if (!name) {
            if (i + 1 < argc) {
                place->words[place->n_words++] = word;
            }
            continue;
        }
        option = option_find(options, name, length);
        option = option
                     ? option
                     : option_find(own(context, place->words, place->n_words),
                                   name, length);
        if (!option || option->type == OPTION_FLAG) {
            continue;
        }
        if (equals && i + 1 == argc) {
            place->value = option;
            place->word = equals + 1;
        } else if (!equals && i + 2 == argc) {
            place->value = option;
        }
        i += !equals && (option->type != OPTION_FILE || i + 2 == argc ||
                         option_looks_like_file(argv[i + 1]));
    }
}

void
complete_offer(const struct complete_place *place, const char *candidate)
{
    if (!strncmp(candidate, place->word, strlen(place->word))) {
        puts(candidate);
    }
}

void
complete_options(const struct option *options, const struct option *own,
                 const struct complete_place *place)
{
    const struct option *const lists[] = {own, options};

    for (size_t i = 0; i < 2; i++) {
        for (const struct option *one = lists[i]; one && one->name; one++) {
            const char *letter = option_letter(one->name);
            char name[64];

            text_format(name, sizeof name, "--%s", one->name);
            complete_offer(place, name);
            if (letter) {
                complete_offer(place, letter);
            }
        }
    }
}

/* Kinds that are names of files. */
static const struct {
    const char *kind, *answer;
} files[] = {
    {"FILE", "@file"},    {"DIR", "@dir"},       {"FOLDER", "@dir"},
    {"PATH", "@file"},    {"SOCKET", "@file"},   {"LIBRARY", "@file"},
    {"RECORD", "@file"},  {"SCENARIO", "@file"}, {"PAGE", "@file"},
    {"PICTURE", "@file"},
};

/* Prints the candidates for one alternative: "PORT", "drop", "'TABLE|KEY'". */
static void
offer_alternative(const char *alternative, const struct complete_place *place,
                  complete_names_fn *names, void *context)
{
    if (islower((unsigned char)*alternative)) {
        complete_offer(place, alternative);
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (!strcmp(alternative, files[i].kind)) {
            puts(files[i].answer);
            return;
        }
    }
    if (*alternative) {
        names(context, alternative, place);
    }
}

/* Prints the candidates for the 'length' bytes of 'text', alternatives that are
 * separated by '|' outside of quotes.  Brackets and dots are left out. */
static void
offer_alternatives(const char *text, size_t length,
                   const struct complete_place *place, complete_names_fn *names,
                   void *context)
{
    char one[64];
    size_t n = 0;
    bool quoted = false;

    for (size_t i = 0; i <= length; i++) {
        const char c = i < length ? text[i] : '|';

        if (c == '\'') {
            quoted = !quoted;
        } else if (c == '|' && !quoted) {
            one[n] = '\0';
            offer_alternative(one, place, names, context);
            n = 0;
        } else if (!strchr("[].,", c) && n + 1 < sizeof one) {
            one[n++] = c;
        }
    }
}

void
complete_operand(const char *operands, size_t i,
                 const struct complete_place *place, complete_names_fn *names,
                 void *context)
{
    const char *at = operands;
    size_t length = strcspn(at, " ");

    for (; i && at[length]; i--) {
        at += length + 1;
        length = strcspn(at, " ");
    }
    /* Behind the last one is another of the same kind, or nothing. */
    if (!i || (length >= 3 && strstr(at, "..."))) {
        offer_alternatives(at, length, place, names, context);
    }
}

void
complete_value(const struct complete_place *place, complete_names_fn *names,
               void *context)
{
    const char *value = place->value->value;

    if (value) {
        offer_alternatives(value, strlen(value), place, names, context);
    }
}
