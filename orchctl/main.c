/* SPDX-License-Identifier: Apache-2.0 */

/* orchctl: finds the verb, parses its options, sends the request, prints the
 * reply. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "command/option.h"
#include "orchctl/client.h"
#include "orchctl/complete.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "process/output.h"
#include "process/version.h"

#define TIMEOUT_SECONDS 60

static const struct verb *const verb_lists[] = {
    config_verbs,   show_verbs, breakpoint_verbs, asic_verbs,
    headroom_verbs, sai_verbs,  log_verbs,        config_file_verbs,
};

#define N_VERB_LISTS (sizeof verb_lists / sizeof verb_lists[0])

/* The options of all verbs; they are accepted anywhere. */
static const struct option global_options[] = {
    {"control", OPTION_TEXT, "SOCKET", 0, 0, "control socket of orchd"},
    {"json", OPTION_FLAG, NULL, 0, 0, "print JSON"},
    {"timeout", OPTION_NUMBER, "SECONDS", 1, 86400,
     "how long to wait for a reply (60)"},
    {"help", OPTION_FLAG, NULL, 0, 0, "print this help"},
    {"version", OPTION_FLAG, NULL, 0, 0, "print the version"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* The part of the command line parsed so far. */
struct line {
    const struct verb *verb; /* NULL: not known yet. */
    json_t *global;          /* Values of global options. */
    json_t *own;             /* Values of the verb's options. */
    const char **words;      /* Noun, verb and operands. */
    size_t n_words;
};

/* Prints the help of a verb from its row in the table. */
static void
print_verb_help(const struct verb *verb)
{
    printf("usage: orchctl [--control SOCKET] [--json] %s %s%s%s%s\n\n%s.\n",
           verb->noun, verb->verb, verb->options ? " [OPTION]..." : "",
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

/* Prints one line for each verb, or for each verb of 'noun'. */
static void
print_verbs(const char *noun)
{
    for (size_t i = 0; i < N_VERB_LISTS; i++) {
        for (const struct verb *verb = verb_lists[i]; verb->noun; verb++) {
            char left[64];

            if (noun && strcmp(noun, verb->noun)) {
                continue;
            }
            text_format(left, sizeof left, "%s %s %s", verb->noun, verb->verb,
                        verb->operands);
            option_print_entry(left, 34, verb->summary);
        }
    }
}

/* Prints the overview, or only the verbs of 'noun' if it is not NULL. */
static void
print_help(const char *noun)
{
    printf("usage: orchctl [--control SOCKET] [--json] NOUN VERB ...\n\n"
           "Control and inspect orchd, the buffer and QoS control plane.\n"
           "NOUN and VERB may be shortened to a unique beginning.\n\n");
    print_verbs(noun);
    printf("\nOptions of every command:\n");
    option_print(global_options);
    printf("\nExit codes: 0 success, 1 check failed or request refused, 2 "
           "usage error,\n3 orchd cannot be reached.\n");
}

/* Refers to the help. */
static void
refer_to_help(const struct line *line, struct err *err)
{
    err_set_remedy(err, "see orchctl%s%s%s%s --help", line->verb ? " " : "",
                   line->verb ? line->verb->noun : "", line->verb ? " " : "",
                   line->verb ? line->verb->verb : "");
}

/* Reports a usage error and refers to the help. */
static enum st fail_usage(const struct line *line, struct err *err,
                          const char *format, ...) ST_PRINTF(3, 4);

static enum st
fail_usage(const struct line *line, struct err *err, const char *format, ...)
{
    char reason[sizeof err->reason];
    va_list args;

    va_start(args, format);
    text_vformat(reason, sizeof reason, format, args);
    va_end(args);
    err_set(err, ST_INVALID, "usage", "%s", reason);
    refer_to_help(line, err);
    return ST_INVALID;
}

/* Parses the option in argv[*i] and its value. */
static enum st
take_option(struct line *line, int argc, char **argv, int *i, struct err *err)
{
    const struct option_set sets[] = {
        {global_options, line->global},
        {line->verb ? line->verb->options : NULL, line->own},
    };
    const enum st st =
        option_take(sets, sizeof sets / sizeof sets[0], argc, argv, i, err);

    if (st) {
        refer_to_help(line, err);
    }
    return st;
}

/* Returns the 'i'th noun, or the 'i'th verb of 'noun'; NULL after the last. */
static const char *
word_at(const char *noun, size_t i)
{
    if (!noun) {
        return i < N_VERB_LISTS ? verb_lists[i]->noun : NULL;
    }
    for (size_t k = 0; k < N_VERB_LISTS; k++) {
        for (const struct verb *verb = verb_lists[k]; verb->noun; verb++) {
            if (!strcmp(verb->noun, noun) && !i--) {
                return verb->verb;
            }
        }
    }
    return NULL;
}

/* Adds the nouns, or the verbs of 'noun', that begin with 'prefix', and returns
 * their number. */
static size_t
add_names(const char *noun, const char *prefix, struct choices *choices)
{
    const char *name;
    size_t n = 0;

    for (size_t i = 0; (name = word_at(noun, i)); i++) {
        if (!strncmp(name, prefix, strlen(prefix))) {
            choices_add(choices, name);
            n++;
        }
    }
    return n;
}

/* Returns the noun, or the verb of 'noun', that is 'word', or the only one that
 * begins with 'word'; NULL if there is none or there are several. */
static const char *
find_word(const char *noun, const char *word)
{
    const char *found = NULL;
    const char *name;
    size_t n = 0;

    for (size_t i = 0; (name = word_at(noun, i)); i++) {
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

/* Completes a word of the command line that has just been read: the noun, or
 * the verb, which it looks up. */
static void
complete_word(struct line *line)
{
    const char *noun = line->n_words == 2 ? line->words[0] : NULL;
    const char **word = &line->words[line->n_words - 1];
    const char *name = find_word(noun, *word);

    *word = name ? name : *word;
    if (!noun || !name) {
        return;
    }
    for (size_t i = 0; i < N_VERB_LISTS; i++) {
        for (const struct verb *verb = verb_lists[i]; verb->noun; verb++) {
            if (!strcmp(verb->noun, noun) && verb->verb == name) {
                line->verb = verb;
            }
        }
    }
}

/* Reports what is wrong with the noun or the verb. */
static enum st
fail_verb(const struct line *line, struct err *err)
{
    const char *noun = line->n_words ? line->words[0] : NULL;
    const char *known = noun && find_word(NULL, noun) ? noun : NULL;
    const char *word = known  ? line->n_words > 1 ? line->words[1] : ""
                       : noun ? noun
                              : "";
    struct choices choices;

    choices_init(&choices, word);
    if (add_names(known, word, &choices) && *word) {
        (void)fail_usage(line, err, "'%s%s%s' is ambiguous", known ? known : "",
                         known ? " " : "", word);
        return choices_explain(&choices, known ? "verb" : "noun", err);
    }
    if (*word) {
        (void)add_names(known, "", &choices);
    }
    if (!noun) {
        (void)fail_usage(line, err, "the noun is missing");
    } else if (!known) {
        (void)fail_usage(line, err, "unknown noun '%s'", noun);
    } else if (!*word) {
        (void)fail_usage(line, err, "the verb is missing after '%s'", noun);
    } else {
        (void)fail_usage(line, err, "%s has no verb '%s'", noun, word);
    }
    return choices_explain(&choices, known ? "verb" : "noun", err);
}

/* Returns whether 'word' is a verb of "show" that needs no noun. */
static bool
is_shown_alone(const char *word)
{
    size_t i = 0;

    while (verb_shown_alone[i] && strcmp(word, verb_shown_alone[i]) != 0) {
        i++;
    }
    return verb_shown_alone[i] != NULL;
}

/* Parses the command line.  Options of a verb have to follow its two words,
 * because they are unknown before. */
static enum st
read_line(struct line *line, int argc, char **argv, struct err *err)
{
    bool options = true;
    enum st st = ST_OK;

    for (int i = 1; !st && i < argc; i++) {
        if (options && !strcmp(argv[i], "--")) {
            options = false;
        } else if (options && !strcmp(argv[i], "-h")) {
            json_object_set_new(line->global, "help", json_true());
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            st = take_option(line, argc, argv, &i, err);
        } else {
            if (!line->n_words && is_shown_alone(argv[i])) {
                line->words[line->n_words++] = "show";
            }
            line->words[line->n_words++] = argv[i];
            if (line->n_words <= 2) {
                complete_word(line);
            }
        }
    }
    return st;
}

/* Checks the number of operands. */
static enum st
check_operands(const struct line *line, struct err *err)
{
    size_t n = line->n_words - 2;

    if (n < line->verb->min_operands) {
        return fail_usage(line, err, "%s %s needs %s", line->verb->noun,
                          line->verb->verb, line->verb->operands);
    }
    if (n > line->verb->max_operands) {
        return fail_usage(line, err, "%s %s takes %s, not '%s'",
                          line->verb->noun, line->verb->verb,
                          *line->verb->operands ? line->verb->operands
                                                : "no operands",
                          line->words[2 + line->verb->max_operands]);
    }
    return ST_OK;
}

int
verb_ask(const struct invocation *invocation,
         void (*show)(const struct invocation *invocation, json_t *data))
{
    struct client *client = NULL;
    struct reply reply = {0};
    struct err err = {0};
    int code = CONTROL_UNREACHABLE;
    enum st st = client_connect(invocation->control,
                                invocation->timeout_seconds, &client, &err);

    st =
        st ? st
           : client_call(client, invocation->verb->noun, invocation->verb->verb,
                         json_incref(invocation->arguments), &reply, &err);
    client_close(client);
    if (st) {
        verb_complain(&err);
        return st == ST_INVALID ? CONTROL_USAGE : CONTROL_UNREACHABLE;
    }
    code = reply.exit;
    if (invocation->json && !reply.data) {
        reply.data = json_object();
    }
    if (reply.data) {
        show(invocation, reply.data);
    }
    if (reply_error(&reply, &err)) {
        fflush(stdout);
        verb_complain(&err);
    }
    reply_fini(&reply);
    return code;
}

/* Prints the data of a reply as JSON or by the verb's own function. */
static void
print_answer(const struct invocation *invocation, json_t *data)
{
    if (invocation->json) {
        verb_print_json(data);
    } else if (invocation->verb->print) {
        invocation->verb->print(invocation, data);
    }
}

/* Runs a complete command line. */
static int
carry_out(const struct line *line)
{
    const char *control =
        json_string_value(json_object_get(line->global, "control"));
    const json_t *timeout = json_object_get(line->global, "timeout");
    char default_control[256];
    struct invocation invocation = {
        .control = control ? control : default_control,
        .timeout_seconds = timeout ? (unsigned int)json_integer_value(timeout)
                                   : TIMEOUT_SECONDS,
        .json = json_object_get(line->global, "json") != NULL,
        .arguments = line->own,
        .operands = line->words + 2,
        .n_operands = line->n_words - 2,
        .verb = line->verb,
    };
    struct err err = {0};
    enum st st = ST_OK;

    if (control_default_path(getenv("XDG_RUNTIME_DIR"), geteuid(),
                             default_control, sizeof default_control) &&
        !control) {
        st = err_set(&err, ST_INVALID, "usage",
                     "XDG_RUNTIME_DIR is too long for a socket path: use "
                     "--control SOCKET");
    }
    if (!st && line->verb->run) {
        return line->verb->run(&invocation);
    }
    if (!st && line->verb->prepare) {
        st = line->verb->prepare(&invocation, &err);
    }
    if (st) {
        verb_complain(&err);
        return st == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
    }
    return verb_ask(&invocation, print_answer);
}

/* Handles --help and --version.  Returns false if neither is given. */
static bool
inform(const struct line *line)
{
    if (json_object_get(line->global, "version")) {
        version_print("orchctl", json_object_get(line->global, "json") != NULL);
        return true;
    }
    if (!json_object_get(line->global, "help")) {
        return false;
    }
    if (line->verb) {
        print_verb_help(line->verb);
    } else {
        print_help(line->n_words ? line->words[0] : NULL);
    }
    return true;
}

/* Carries out what other programs ask for: completion, and the tables for
 * manual pages.  Returns false if it is neither. */
static bool
serve(int argc, char **argv)
{
    const struct complete_tables tables = {verb_lists, N_VERB_LISTS,
                                           global_options};

    if (argc > 1 && !strcmp(argv[1], "--complete")) {
        complete_print(&tables, argc - 2, argv + 2);
    } else if (argc > 1 && !strcmp(argv[1], "--help-json")) {
        complete_manual(&tables);
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
    int code = CONTROL_DONE;
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
    if (st) {
        verb_complain(&err);
        code = CONTROL_USAGE;
    } else {
        code = carry_out(&line);
    }
out:
    json_decref(line.global);
    json_decref(line.own);
    free(line.words);
    return output_end("orchctl", code);
}
