/* SPDX-License-Identifier: Apache-2.0 */

/* orchlab: finds the verb, parses its options and carries it out. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "command/line.h"
#include "orchlab/complete.h"
#include "orchlab/verb.h"
#include "process/output.h"
#include "process/version.h"

/* The options of all verbs; they are accepted anywhere. */
static const struct option global_options[] = {
    {"results", OPTION_TEXT, "FOLDER", 0, 0,
     "folder of results files (results)"},
    {"json", OPTION_FLAG, NULL, 0, 0, "print JSON"},
    {"help", OPTION_FLAG, NULL, 0, 0, "print this help"},
    {"version", OPTION_FLAG, NULL, 0, 0, "print the version"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct line_program program = {
    "orchlab", "[--results FOLDER] [--json]", global_options};

static void
print_help(void)
{
    printf("usage: orchlab [--results FOLDER] [--json] VERB ...\n\n"
           "Run experiments on simulated fabrics and read their results.\n"
           "VERB may be shortened to a unique beginning.  RUN is a results "
           "file, the beginning\nof a key, a name, or 'last'.\n\n");
    for (const struct verb *verb = lab_verbs; verb->name; verb++) {
        char left[64];

        text_format(left, sizeof left, "%s %s", verb->name, verb->operands);
        option_print_entry(left, 30, verb->summary);
    }
    printf("\nOptions of every command:\n");
    option_print(global_options);
    printf("\nExit codes: 0 success, 1 an expectation failed or runs differ, 2 "
           "usage error or\nwrong file, 3 a file cannot be read or written.\n");
}

/* A line_name_fn. */
static const char *
name_at(const void *context, size_t i)
{
    (void)context;
    return lab_verbs[i].name; /* NULL ends the list. */
}

/* The first word is the verb.  Of a struct line. */
static void
take_word(struct line *line, const char *word)
{
    const struct verb **chosen = line->context;
    const char *name =
        line->n_words ? NULL : line_find_name(name_at, NULL, word);

    line->words[line->n_words++] = word;
    for (const struct verb *verb = lab_verbs; name && verb->name; verb++) {
        if (verb->name == name) {
            *chosen = verb;
            line->command = (struct line_command){
                verb->name,         verb->operands, verb->min_operands,
                verb->max_operands, verb->options,  verb->summary,
                verb->details};
        }
    }
}

/* Reports a missing or unknown verb. */
static enum st
fail_verb(const struct line *line, struct err *err)
{
    const char *word = line->n_words ? line->words[0] : "";
    struct choices choices;

    choices_init(&choices, word);
    for (const struct verb *verb = lab_verbs; verb->name; verb++) {
        choices_add(&choices, verb->name);
    }
    if (*word) {
        err_set(err, ST_INVALID, "usage", "unknown verb '%s'", word);
    } else {
        err_set(err, ST_INVALID, "usage", "the verb is missing");
    }
    line_refer_to_help(line, err);
    return choices_explain(&choices, "verb", err);
}

/* Handles --help and --version.  Returns false if neither is given. */
static bool
inform(const struct line *line)
{
    if (json_object_get(line->global, "version")) {
        version_print("orchlab", json_object_get(line->global, "json") != NULL);
        return true;
    }
    if (!json_object_get(line->global, "help")) {
        return false;
    }
    if (*line->command.name) {
        line_print_help(line);
    } else {
        print_help();
    }
    return true;
}

/* A line_choice_fn. */
static bool
choice_at(void *context, size_t i, struct line_choice *choice)
{
    const struct verb *verb = &lab_verbs[i];

    (void)context;
    *choice = (struct line_choice){verb->name, verb->options};
    return verb->name != NULL;
}

/* Runs a complete command line. */
static int
carry_out(const struct line *line, const struct verb *verb)
{
    const char *folder =
        json_string_value(json_object_get(line->global, "results"));
    const char *usual = getenv("ORCHLAB_RESULTS");
    const struct invocation invocation = {
        .folder = folder            ? folder
                  : usual && *usual ? usual
                                    : "results",
        .is_named = folder || (usual && *usual),
        .json = json_object_get(line->global, "json") != NULL,
        .arguments = line->own,
        .operands = line->words + 1,
        .n_operands = line->n_words - 1,
        .verb = verb,
    };

    return verb->run(&invocation);
}

/* Carries out what other programs ask for: completion, and the tables for
 * manual pages.  Returns false if it is neither. */
static bool
serve(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--complete")) {
        complete_print(global_options, argc - 2, argv + 2);
    } else if (argc > 1 && !strcmp(argv[1], "--help-json")) {
        complete_manual(global_options);
    } else {
        return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    const struct verb *verb = NULL;
    struct line line;
    struct err err = {0};
    int code = LAB_DONE;
    enum st st;

    if (serve(argc, argv)) {
        return output_end("orchlab", code);
    }
    line_init(&line, argc, &program, take_word, &verb);
    st = line_read(&line, argc, argv, &err);
    if (st && !verb) {
        line_explain_early_option(&line, argc, argv, choice_at, NULL, &err);
    }
    if (st || !inform(&line)) {
        st = st     ? st
             : verb ? line_check_operands(&line, 1, &err)
                    : fail_verb(&line, &err);
        code = st ? verb_fail(&err) : carry_out(&line, verb);
    }
    line_fini(&line);
    return output_end("orchlab", code);
}
