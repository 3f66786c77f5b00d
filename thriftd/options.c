/* SPDX-License-Identifier: Apache-2.0 */

/* The options of softasic-thriftd. */

#include <config.h>

#include "thriftd/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/text.h"
#include "thriftd/listen.h"

#define VARIABLES "SOFTASIC_THRIFTD"
#define PURPOSE                                                                \
    "Serves the Thrift interface that suites for QoS on hardware use, for a "  \
    "switch of softasicd."

/* X(ID, name, argument, help). */
#define OPTION_LIST(X)                                                         \
    X(SOCKET, "socket", "PATH",                                                \
      "the socket of softasicd or saihostd, where this program is a tester;\n" \
      "required")                                                              \
    X(LISTEN, "listen", "ADDRESS:PORT",                                        \
      "listen here (default: 127.0.0.1:9092).  Anybody who can connect can\n"  \
      "change what a tester can, so use other addresses only in a network\n"   \
      "namespace of a test bed; port 0: any free one, which the log names")    \
    X(NAMES, "names", "FILE",                                                  \
      "take the names of ports from this config_db.json or port_config.ini,\n" \
      "by their lanes (default: Ethernet and the number of the first lane,\n"  \
      "from 0)")                                                               \
    X(USER, "user", "NAME[:GROUP]",                                            \
      "run as this user, which only root can ask for")                         \
    X(SECCOMP, "seccomp", "auto|off",                                          \
      "auto: let the kernel limit the system calls of this process;\n"         \
      "off: do not (default: auto)")                                           \
    X(LOG_LEVEL, "log-level", "LEVEL",                                         \
      "log lines of this level and worse: error, warn, info or debug\n"        \
      "(default: info)")                                                       \
    X(CONFIG, "config", "FILE",                                                \
      "read options from this file, one line \"name = value\" each\n"          \
      "(" VARIABLES "_CONFIG); an environment variable such as\n" VARIABLES    \
      "_SOCKET overrides a line")                                              \
    X(JSON, "json", NULL, "print JSON, with --version")                        \
    X(HELP, "help", NULL, "print this help")                                   \
    X(VERSION, "version", NULL, "print the version, and those of libraries")

enum option_id {
#define X(member, name, argument, help) OPTION_##member,
    OPTION_LIST(X)
#undef X
        N_OPTIONS,
};

static const struct {
    const char *name, *argument, *help;
} rows[] = {
#define X(member, name, argument, help) {name, argument, help},
    OPTION_LIST(X)
#undef X
};

int
options_complain(const struct err *err)
{
    fprintf(stderr, PROGRAM ": %s\n", err->reason);
    if (*err->allowed) {
        fprintf(stderr, "  allowed: %s\n", err->allowed);
    }
    if (*err->remedy) {
        fprintf(stderr, "  remedy: %s\n", err->remedy);
    }
    return err->status == ST_INVALID ? 2 : 1;
}

/* Takes one option; false if its argument is invalid. */
static bool
take(struct options *options, enum option_id id, const char *argument)
{
    switch (id) {
    case OPTION_SOCKET:
        options->socket = argument;
        return *argument != '\0';
    case OPTION_LISTEN:
        options->listen = argument;
        return listen_is_address(argument);
    case OPTION_NAMES:
        options->names = argument;
        return true;
    case OPTION_USER:
        options->user = argument;
        return true;
    case OPTION_SECCOMP:
        options->unconfined = !strcmp(argument, "off");
        return options->unconfined || !strcmp(argument, "auto");
    case OPTION_LOG_LEVEL:
        return log_level_find(argument, &options->log_level);
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_HELP:
        options->help = true;
        return true;
    case OPTION_VERSION:
        options->version = true;
        return true;
    default: /* config_words_init() has read the file. */
        return true;
    }
}

/* Prints the help of option 'id'. */
static void
print_option(FILE *to, int id)
{
    fprintf(to, "  --%s%s%s\n", rows[id].name, rows[id].argument ? " " : "",
            rows[id].argument ? rows[id].argument : "");
    for (const char *line = rows[id].help; line;) {
        const char *end = strchr(line, '\n');

        fprintf(to, "        %.*s\n", (int)(end ? end - line : 80), line);
        line = end ? end + 1 : NULL;
    }
}

/* Reports that the value of option 'id', from 'origin', is invalid. */
static void
complain_value(int id, const char *value, const char *origin)
{
    fprintf(stderr, PROGRAM ": %s%sinvalid value \"%s\" for --%s:\n",
            origin ? origin : "", origin ? ": " : "", value, rows[id].name);
    print_option(stderr, id);
}

/* Reports a word that getopt_long() refuses. */
static void
complain_word(const char *word, bool lacks_argument)
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
        for (int i = 0; i < N_OPTIONS; i++) {
            char known[64];

            text_format(known, sizeof known, "--%s", rows[i].name);
            choices_add(&choices, known);
        }
        err_set(&err, ST_INVALID, "option",
                "unknown option or unexpected argument %s", word);
        (void)choices_explain(&choices, "option", &err);
    }
    err_set_remedy(&err, "see " PROGRAM " --help");
    (void)options_complain(&err);
}

/* Takes the words of all sources. */
static bool
take_words(const struct config_words *words, struct options *options)
{
    struct option longs[N_OPTIONS + 1] = {0};
    int id;

    for (int i = 0; i < N_OPTIONS; i++) {
        longs[i] = (struct option){
            rows[i].name, rows[i].argument ? required_argument : no_argument,
            NULL, i};
    }
    opterr = 0;
    while ((id = getopt_long(words->argc, words->argv, ":", longs, NULL)) !=
           -1) {
        if (id == '?' || id == ':') {
            complain_word(words->argv[optind - 1], id == ':');
            return false;
        }
        if (!take(options, (enum option_id)id, optarg)) {
            complain_value(id, optarg, words->origins[optind - 1]);
            return false;
        }
    }
    if (optind < words->argc) {
        complain_word(words->argv[optind], false);
        return false;
    }
    if (options->json && !options->version) {
        fputs(PROGRAM ": --json goes with --version only\n", stderr);
        return false;
    }
    if (!options->help && !options->version && !options->socket) {
        fputs(PROGRAM ": --socket PATH is required\n" PROGRAM ": see " PROGRAM
                      " --help\n",
              stderr);
        return false;
    }
    return true;
}

bool
options_parse(struct options *options, int argc, char **argv)
{
    struct config_option known[N_OPTIONS];
    struct err err = {0};
    size_t n = 0;

    *options =
        (struct options){.listen = "127.0.0.1:9092", .log_level = LOG_INFO};
    for (int i = 0; i < OPTION_CONFIG; i++) {
        known[n++] =
            (struct config_option){rows[i].name, rows[i].argument == NULL};
    }
    if (config_words_init(&options->words, known, n, VARIABLES, argc, argv,
                          (const char *const *)environ, &err)) {
        (void)options_complain(&err);
        return false;
    }
    return take_words(&options->words, options);
}

void
options_fini(struct options *options)
{
    config_words_fini(&options->words);
}

void
options_print_manual(void)
{
    struct text text = {0};

    text_add(&text, "{\"program\": \"" PROGRAM "\", \"purpose\": ");
    text_add_json(&text, PURPOSE);
    text_add(&text, ", \"usage\": \"[OPTION]...\", \"variables\": \"" VARIABLES
                    "\", \"options\": [");
    for (int i = 0; i < N_OPTIONS; i++) {
        text_addf(&text, "%s\n{\"name\": \"%s\", \"value\": ", i ? "," : "",
                  rows[i].name);
        if (rows[i].argument) {
            text_add_json(&text, rows[i].argument);
        } else {
            text_add(&text, "null");
        }
        text_add(&text, ", \"help\": ");
        text_add_json(&text, rows[i].help);
        text_add(&text, "}");
    }
    text_add(&text, "]}");
    puts(text_string(&text));
    text_fini(&text);
}

void
options_print_help(void)
{
    puts("Usage: " PROGRAM " [OPTION]...\n" PURPOSE "\n");
    for (int i = 0; i < N_OPTIONS; i++) {
        print_option(stdout, i);
    }
}
