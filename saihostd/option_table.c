/* SPDX-License-Identifier: Apache-2.0 */

/* Parses, explains and lists options from a table. */

#include <config.h>

#include "saihostd/option_table.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"

int
option_table_complain(const struct option_table *table, const struct err *err)
{
    fprintf(stderr, "%s: %s\n", table->program, err->reason);
    if (*err->allowed) {
        fprintf(stderr, "  allowed: %s\n", err->allowed);
    }
    if (*err->remedy) {
        fprintf(stderr, "  remedy: %s\n", err->remedy);
    }
    return err->status == ST_INVALID ? 2 : 1;
}

/* Prints the help of an option. */
static void
print_option(FILE *to, const struct option_row *row)
{
    fprintf(to, "  --%s%s%s\n", row->name, row->argument ? " " : "",
            row->argument ? row->argument : "");
    for (const char *line = row->help; line;) {
        const char *end = strchr(line, '\n');

        fprintf(to, "        %.*s\n", (int)(end ? end - line : 80), line);
        line = end ? end + 1 : NULL;
    }
}

void
option_table_complain_value(const struct option_table *table, int id,
                            const char *value, const char *origin)
{
    const struct option_row *row = &table->rows[id];

    fprintf(stderr, "%s: %s%sinvalid value \"%s\" for --%s:\n", table->program,
            origin ? origin : "", origin ? ": " : "", value, row->name);
    print_option(stderr, row);
}

/* Reports a word that getopt_long() refuses. */
static void
complain_word(const struct option_table *table, const char *word,
              bool lacks_argument)
{
    struct err err = {0};

    if (lacks_argument) {
        err_set(&err, ST_INVALID, "option", "%s needs an argument", word);
    } else {
        struct choices choices;
        char name[64];

        text_copy(name, sizeof name, word);
        name[strcspn(name, "=")] = '\0';
        choices_init(&choices, name);
        for (int i = 0; i < table->n; i++) {
            char known[64];

            text_format(known, sizeof known, "--%s", table->rows[i].name);
            choices_add(&choices, known);
        }
        err_set(&err, ST_INVALID, "option",
                "unknown option or unexpected argument %s", word);
        (void)choices_explain(&choices, "option", &err);
    }
    err_set_remedy(&err, "see %s --help", table->program);
    (void)option_table_complain(table, &err);
}

/* Collects the words of all sources; an error is reported. */
static bool
collect_words(const struct option_table *table, int argc, char **argv,
              struct config_words *words)
{
    struct config_option known[OPTION_TABLE_MAX];
    struct err err = {0};

    for (int i = 0; i < table->n_file; i++) {
        known[i] = (struct config_option){table->rows[i].name,
                                          table->rows[i].argument == NULL};
    }
    if (config_words_init(words, known, (size_t)table->n_file, table->variables,
                          argc, argv, (const char *const *)environ, &err)) {
        (void)option_table_complain(table, &err);
        return false;
    }
    return true;
}

bool
option_table_parse(const struct option_table *table, int argc, char **argv,
                   struct config_words *words, option_take_fn *take,
                   option_complain_fn *complain, void *options)
{
    struct option longs[OPTION_TABLE_MAX + 1] = {0};
    int id;

    orch_assert(table->n_file <= table->n && table->n <= OPTION_TABLE_MAX);
    if (!collect_words(table, argc, argv, words)) {
        return false;
    }
    for (int i = 0; i < table->n; i++) {
        longs[i] = (struct option){
            table->rows[i].name,
            table->rows[i].argument ? required_argument : no_argument, NULL, i};
    }
    opterr = 0;
    while ((id = getopt_long(words->argc, words->argv, ":", longs, NULL)) !=
           -1) {
        if (id == '?' || id == ':') {
            complain_word(table, words->argv[optind - 1], id == ':');
            return false;
        }
        if (!take(options, id, optarg)) {
            const char *origin = words->origins[optind - 1];

            if (complain) {
                complain(id, optarg, origin);
            } else {
                option_table_complain_value(table, id, optarg, origin);
            }
            return false;
        }
    }
    if (optind < words->argc) {
        complain_word(table, words->argv[optind], false);
        return false;
    }
    return true;
}

void
option_table_print_help(const struct option_table *table)
{
    printf("Usage: %s [OPTION]...\n%s\n\n", table->program, table->purpose);
    for (int i = 0; i < table->n; i++) {
        print_option(stdout, &table->rows[i]);
    }
}

void
option_table_print_manual(const struct option_table *table)
{
    struct text text = {0};

    text_addf(&text, "{\"program\": \"%s\", \"purpose\": ", table->program);
    text_add_json(&text, table->purpose);
    text_addf(&text,
              ", \"usage\": \"[OPTION]...\", \"variables\": \"%s\", "
              "\"options\": [",
              table->variables);
    for (int i = 0; i < table->n; i++) {
        const struct option_row *row = &table->rows[i];

        text_addf(&text, "%s\n{\"name\": \"%s\", \"value\": ", i ? "," : "",
                  row->name);
        if (row->argument) {
            text_add_json(&text, row->argument);
        } else {
            text_add(&text, "null");
        }
        text_add(&text, ", \"help\": ");
        text_add_json(&text, row->help);
        text_add(&text, "}");
    }
    text_add(&text, "]}");
    puts(text_string(&text));
    text_fini(&text);
}
