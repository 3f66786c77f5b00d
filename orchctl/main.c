/* SPDX-License-Identifier: Apache-2.0 */

/* orchctl: finds the verb, parses its options, sends the request, prints the
 * reply. */

#include <config.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/text.h"
#include "command/line.h"
#include "orchctl/client.h"
#include "orchctl/complete.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "process/output.h"
#include "process/version.h"

#define TIMEOUT_SECONDS 60

static const struct verb *const verb_lists[] = {
    config_verbs, show_verbs, breakpoint_verbs,  asic_verbs,  headroom_verbs,
    sai_verbs,    log_verbs,  config_file_verbs, sweep_verbs, twin_verbs,
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

static const struct line_program program = {
    "orchctl", "[--control SOCKET] [--json]", global_options};

/* The verb that the command line names. */
struct chosen {
    const struct verb *verb; /* NULL: not known yet. */
    char name[64];           /* "config load" */
};

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
    line_refer_to_help(line, err);
    return ST_INVALID;
}

/* A line_name_fn: returns the 'i'th noun, or the 'i'th verb of 'noun_', a
 * text. */
static const char *
word_at(const void *noun_, size_t i)
{
    const char *noun = noun_;

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

/* Notes that 'verb' is the one of 'line'. */
static void
choose(struct line *line, const struct verb *verb)
{
    struct chosen *chosen = line->context;

    chosen->verb = verb;
    text_format(chosen->name, sizeof chosen->name, "%s %s", verb->noun,
                verb->verb);
    line->command = (struct line_command){
        chosen->name,  verb->operands, verb->min_operands, verb->max_operands,
        verb->options, verb->summary,  verb->details};
}

/* Completes the word that has just been read: the noun, or the verb, which it
 * looks up. */
static void
complete_word(struct line *line)
{
    const char *noun = line->n_words == 2 ? line->words[0] : NULL;
    const char **word = &line->words[line->n_words - 1];
    const char *name = line_find_name(word_at, noun, *word);

    *word = name ? name : *word;
    if (!noun || !name) {
        return;
    }
    for (size_t i = 0; i < N_VERB_LISTS; i++) {
        for (const struct verb *verb = verb_lists[i]; verb->noun; verb++) {
            if (!strcmp(verb->noun, noun) && verb->verb == name) {
                choose(line, verb);
            }
        }
    }
}

/* The first two words are noun and verb.  Of a struct line. */
static void
take_word(struct line *line, const char *word)
{
    if (!line->n_words && verb_noun_of(word)) {
        line->words[line->n_words++] = verb_noun_of(word);
    }
    line->words[line->n_words++] = word;
    if (line->n_words <= 2) {
        complete_word(line);
    }
}

/* Reports what is wrong with the noun or the verb. */
static enum st
fail_verb(const struct line *line, struct err *err)
{
    const char *noun = line->n_words ? line->words[0] : NULL;
    const char *known =
        noun && line_find_name(word_at, NULL, noun) ? noun : NULL;
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
carry_out(const struct line *line, const struct verb *verb)
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
        .verb = verb,
    };
    struct err err = {0};
    enum st st = ST_OK;

    if (control_client_path(getenv("XDG_RUNTIME_DIR"), geteuid(),
                            CONTROL_SERVICE_PATH, default_control,
                            sizeof default_control) &&
        !control) {
        st = err_set(&err, ST_INVALID, "usage",
                     "XDG_RUNTIME_DIR is too long for a socket path: use "
                     "--control SOCKET");
    }
    if (!st && verb->run) {
        return verb->run(&invocation);
    }
    if (!st && verb->prepare) {
        st = verb->prepare(&invocation, &err);
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
    if (*line->command.name) {
        line_print_help(line);
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

/* A line_choice_fn; the context is room for a name. */
static bool
choice_at(void *name_, size_t i, struct line_choice *choice)
{
    struct text *name = name_;

    for (size_t l = 0; l < N_VERB_LISTS; l++) {
        for (const struct verb *verb = verb_lists[l]; verb->noun; verb++) {
            if (i-- == 0) {
                text_clear(name);
                text_addf(name, "%s %s", verb->noun, verb->verb);
                *choice =
                    (struct line_choice){text_string(name), verb->options};
                return true;
            }
        }
    }
    return false;
}

/* Explains an option that no verb is in front of, but that some verbs have. */
static void
explain_early_option(const struct line *line, int argc, char **argv,
                     struct err *err)
{
    struct text name = {0};

    line_explain_early_option(line, argc, argv, choice_at, &name, err);
    text_fini(&name);
}

int
main(int argc, char **argv)
{
    struct chosen chosen = {NULL, ""};
    struct line line;
    struct err err = {0};
    int code = CONTROL_DONE;
    enum st st;

    /* Tables print characters of the locale and escape all others.  Numbers
     * keep the point: LC_NUMERIC stays as it is. */
    (void)setlocale(LC_CTYPE, "");
    if (serve(argc, argv)) {
        return output_end("orchctl", code);
    }
    line_init(&line, argc, &program, take_word, &chosen);
    st = line_read(&line, argc, argv, &err);
    if (st && !chosen.verb) {
        explain_early_option(&line, argc, argv, &err);
    }
    if (st || !inform(&line)) {
        st = st            ? st
             : chosen.verb ? line_check_operands(&line, 2, &err)
                           : fail_verb(&line, &err);
        if (st) {
            verb_complain(&err);
            code = CONTROL_USAGE;
        } else {
            code = carry_out(&line, chosen.verb);
        }
    }
    line_fini(&line);
    return output_end("orchctl", code);
}
