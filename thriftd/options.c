/* SPDX-License-Identifier: Apache-2.0 */

/* The options of softasic-thriftd. */

#include <config.h>

#include "thriftd/options.h"

#include <stdio.h>
#include <string.h>

#include "saihostd/option_table.h"
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

static const struct option_row rows[] = {
#define X(member, name, argument, help) {name, argument, help},
    OPTION_LIST(X)
#undef X
};

static const struct option_table table = {PROGRAM, PURPOSE,   VARIABLES,
                                          rows,    N_OPTIONS, OPTION_CONFIG};

int
options_complain(const struct err *err)
{
    return option_table_complain(&table, err);
}

/* An option_take_fn. */
static bool
take(void *options_, int id, const char *argument)
{
    struct options *options = options_;

    switch ((enum option_id)id) {
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

bool
options_parse(struct options *options, int argc, char **argv)
{
    *options =
        (struct options){.listen = "127.0.0.1:9092", .log_level = LOG_INFO};
    if (!option_table_parse(&table, argc, argv, &options->words, take, NULL,
                            options)) {
        return false;
    }
    if (options->json && !options->version) {
        fputs(PROGRAM ": --json goes with --version only\n", stderr);
        return false;
    }
    if (!options->help && !options->version && !options->socket) {
        fputs(PROGRAM ": --socket PATH is required\n"
                      "  remedy: see " PROGRAM " --help\n",
              stderr);
        return false;
    }
    return true;
}

void
options_fini(struct options *options)
{
    config_words_fini(&options->words);
}

void
options_print_manual(void)
{
    option_table_print_manual(&table);
}

void
options_print_help(void)
{
    option_table_print_help(&table);
}
