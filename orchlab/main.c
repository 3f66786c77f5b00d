/* SPDX-License-Identifier: Apache-2.0 */

/* orchlab: finds the verb, parses its options and carries it out. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
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

/* The part of the command line parsed so far. */
struct line {
    const struct verb *verb; /* NULL: not known yet. */
    json_t *global, *own;    /* Values of options. */
    const char **words;      /* Verb and operands. */
    size_t n_words;
};

static void
print_verb_help(const struct verb *verb)
{
    printf("usage: orchlab [--results FOLDER] [--json] %s%s%s%s\n\n%s.\n",
           verb->name, verb->options ? " [OPTION]..." : "",
           *verb->operands ? " " : "", verb->operands, verb->summary);
    if (verb->details) {
        printf("\n%s", verb->details);
    }
    if (verb->options) {
        printf("\nOptions:\n");
        option_print(verb->options);
    }
    printf("\nOptions of every command:\n");
    option_print(global_options);
}

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

/* Refers to the help. */
static void
refer_to_help(const struct line *line, struct err *err)
{
    err_set_remedy(err, "see orchlab%s%s --help", line->verb ? " " : "",
                   line->verb ? line->verb->name : "");
}

/* Returns the verb that is 'word', or the only one that begins with it. */
static const struct verb *
find_verb(const char *word)
{
    const struct verb *found = NULL;
    size_t n = 0;

    for (const struct verb *verb = lab_verbs; verb->name; verb++) {
        if (!strcmp(verb->name, word)) {
            return verb;
        }
        if (*word && !strncmp(verb->name, word, strlen(word))) {
            found = verb;
            n++;
        }
    }
    return n == 1 ? found : NULL;
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
    refer_to_help(line, err);
    return choices_explain(&choices, "verb", err);
}

/* Parses the command line.  Options of a verb have to follow it. */
static enum st
read_line(struct line *line, int argc, char **argv, struct err *err)
{
    bool options = true;

    for (int i = 1; i < argc; i++) {
        const struct option_set sets[] = {
            {global_options, line->global},
            {line->verb ? line->verb->options : NULL, line->own},
        };

        if (options && !strcmp(argv[i], "--")) {
            options = false;
        } else if (options && !strcmp(argv[i], "-h")) {
            json_object_set_new(line->global, "help", json_true());
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            if (option_take(sets, sizeof sets / sizeof sets[0], argc, argv, &i,
                            err)) {
                refer_to_help(line, err);
                return ST_INVALID;
            }
        } else {
            line->words[line->n_words++] = argv[i];
            line->verb = line->verb ? line->verb : find_verb(argv[i]);
        }
    }
    return ST_OK;
}

/* Checks the number of operands. */
static enum st
check_operands(const struct line *line, struct err *err)
{
    const struct verb *verb = line->verb;
    const size_t n = line->n_words - 1;

    if (n < verb->min_operands) {
        err_set(err, ST_INVALID, "usage", "%s needs %s", verb->name,
                verb->operands);
    } else if (n > verb->max_operands) {
        err_set(err, ST_INVALID, "usage", "%s takes %s, not '%s'", verb->name,
                *verb->operands ? verb->operands : "no operands",
                line->words[1 + verb->max_operands]);
    } else {
        return ST_OK;
    }
    refer_to_help(line, err);
    return ST_INVALID;
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
    if (line->verb) {
        print_verb_help(line->verb);
    } else {
        print_help();
    }
    return true;
}

/* Runs a complete command line. */
static int
carry_out(const struct line *line)
{
    const char *folder =
        json_string_value(json_object_get(line->global, "results"));
    const char *usual = getenv("ORCHLAB_RESULTS");
    const struct invocation invocation = {
        .folder = folder            ? folder
                  : usual && *usual ? usual
                                    : "results",
        .json = json_object_get(line->global, "json") != NULL,
        .arguments = line->own,
        .operands = line->words + 1,
        .n_operands = line->n_words - 1,
        .verb = line->verb,
    };

    return line->verb->run(&invocation);
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
    struct line line = {.global = json_object(), .own = json_object()};
    struct err err = {0};
    int code = LAB_DONE;
    enum st st;

    line.words = check_calloc((size_t)argc + 2, sizeof *line.words);
    if (serve(argc, argv)) {
        goto out;
    }
    st = read_line(&line, argc, argv, &err);
    if (!st && inform(&line)) {
        goto out;
    }
    st = st          ? st
         : line.verb ? check_operands(&line, &err)
                     : fail_verb(&line, &err);
    code = st ? verb_fail(&err) : carry_out(&line);
out:
    json_decref(line.global);
    json_decref(line.own);
    free(line.words);
    return output_end("orchlab", code);
}
