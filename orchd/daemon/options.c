/* SPDX-License-Identifier: Apache-2.0 */

/* The options as a table, which the parser and --help share: first those below,
 * then one for each setting. */

#include <config.h>

#include "orchd/daemon/options.h"

#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "orchd/control/protocol.h"
#include "orchd/daemon/settings_text.h"
#include "orchd/db/endpoint.h"
#include "orchd/http/http_address.h"
#include "process/socket.h"

#define PURPOSE                                                                \
    "The buffer and QoS control plane of a switch: programs the ASIC as "      \
    "CONFIG_DB says."

/* X(ID, name, argument, help).  An argument of NULL means that there is none.
 */
#define OPTION_LIST(X)                                                         \
    X(CONFIG, "config", "FILE",                                                \
      "read settings from this file, one line \"key = value\" each\n"          \
      "(default, if it exists:\n" OPTIONS_CONFIG ")")                          \
    X(SET, "set", "KEY=VALUE",                                                 \
      "change a setting; the same as --KEY VALUE; may be repeated")            \
    X(SCHEMA_DIR, "schema-dir", "DIR", "the same as --yang-dir")               \
    X(CHECK_CONFIG, "check-config", NULL,                                      \
      "report all errors of the settings, and exit; the file may follow")      \
    X(PRINT_CONFIG, "print-config", NULL,                                      \
      "print the settings as a commented configuration file, and exit")        \
    X(JSON, "json", NULL, "print JSON, with --version")                        \
    X(HELP, "help", NULL, "print this help")                                   \
    X(VERSION, "version", NULL, "print the version, and those of libraries")

enum option_id {
#define X(member, name, argument, help) OPTION_##member,
    OPTION_LIST(X)
#undef X
        N_OPTIONS
};

static const struct {
    const char *name;
    const char *argument;
    const char *help;
} table[N_OPTIONS] = {
#define X(member, name, argument, help) {name, argument, help},
    OPTION_LIST(X)
#undef X
};

/* The options for getopt_long(): those of the table, then the settings. */
struct names {
    struct option list[N_OPTIONS + N_SETTINGS + 1];
    char texts[N_SETTINGS][40];
};

/* Adds a setting; options_settings() checks it. */
static void
add_assignment(struct options *options, const char *key, const char *value)
{
    options->assignments =
        check_realloc(options->assignments, (options->n_assignments + 1) *
                                                sizeof *options->assignments);
    options->assignments[options->n_assignments++] =
        (struct options_assignment){key, value};
}

/* Stores one option. */
static void
set_option(struct options *options, int which, const char *value)
{
    if (which >= N_OPTIONS) {
        add_assignment(options,
                       settings_key((enum settings_index)(which - N_OPTIONS)),
                       value ? value : "true");
        return;
    }
    switch ((enum option_id)which) {
    case OPTION_CONFIG:
        options->config = value;
        break;
    case OPTION_SET:
        add_assignment(options, NULL, value);
        break;
    case OPTION_SCHEMA_DIR:
        add_assignment(options, "yang_dir", value);
        break;
    case OPTION_CHECK_CONFIG:
        options->check_config = true;
        break;
    case OPTION_PRINT_CONFIG:
        options->print_config = true;
        break;
    case OPTION_JSON:
        options->json = true;
        break;
    case OPTION_HELP:
        options->help = true;
        break;
    default:
        options->version = true;
        break;
    }
}

static void
add_name(void *names_, const struct settings_row *row)
{
    struct names *names = names_;
    char *text = names->texts[row->index];

    settings_text_option(row->key, text, sizeof names->texts[0]);
    names->list[N_OPTIONS + row->index] = (struct option){
        text, row->flag ? optional_argument : required_argument, NULL, 0};
}

/* Lists all options in '*names'. */
static void
list_names(struct names *names)
{
    struct settings settings;

    memset(names, 0, sizeof *names);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        names->list[i].name = table[i].name;
        names->list[i].has_arg =
            table[i].argument ? required_argument : no_argument;
    }
    settings_init(&settings);
    settings_each(&settings, add_name, names);
    settings_fini(&settings);
}

/* Fills 'err' for a word that getopt_long() refuses. */
static enum st
bad_word(const struct names *names, struct err *err, const char *word,
         bool lacks_argument)
{
    if (lacks_argument) {
        err_set(err, ST_INVALID, "option", "%s needs an argument", word);
    } else {
        struct choices choices;
        char name[64];

        text_copy(name, sizeof name, word);
        name[strcspn(name, "=")] = '\0';
        choices_init(&choices, name);
        for (const struct option *one = names->list; one->name; one++) {
            char known[64];

            text_format(known, sizeof known, "--%s", one->name);
            choices_add(&choices, known);
        }
        err_set(err, ST_INVALID, "option",
                "unknown option or unexpected argument %s", word);
        (void)choices_explain(&choices, "option", err);
    }
    err_set_remedy(err, "see orchd --help");
    return ST_INVALID;
}

enum st
options_parse(int argc, char **argv,
              const struct options_surroundings *surroundings,
              struct options *options, struct err *err)
{
    struct names names;
    int found, index;

    memset(options, 0, sizeof *options);
    options->surroundings = *surroundings;
    list_names(&names);
    opterr = 0;
    optind = 0;
    while ((found = getopt_long(argc, argv, ":", names.list, &index)) != -1) {
        if (found) {
            return bad_word(&names, err, argv[optind - 1], found == ':');
        }
        set_option(options, index, optarg);
    }
    if (optind < argc && options->check_config && !options->config) {
        options->config = argv[optind++];
    }
    if (optind < argc) {
        return bad_word(&names, err, argv[optind], false);
    }
    if (options->json && !options->version) {
        err_set(err, ST_INVALID, "option", "--json goes with --version only");
        err_set_remedy(err, "see orchd --help");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Returns the value of ORCHD_CONFIG; NULL: not set. */
static const char *
config_of(const char *const *environment)
{
    static const char name[] = "ORCHD_CONFIG=";

    for (; environment && *environment; environment++) {
        if (!strncmp(*environment, name, sizeof name - 1)) {
            return *environment + sizeof name - 1;
        }
    }
    return NULL;
}

/* Reads the configuration file, if there is one. */
static void
read_file(const struct options *options, struct settings *settings)
{
    const struct options_surroundings *around = &options->surroundings;
    const char *named =
        options->config ? options->config : config_of(around->environment);
    const char *path = named ? named : around->config;
    const size_t n_before = settings->n_problems;

    if (path && settings_load(settings, path, NULL) == ST_NOT_FOUND && !named) {
        settings->n_problems = n_before;
        settings->file = NULL;
    }
}

/* Reads the settings of the command line. */
static void
read_assignments(const struct options *options, struct settings *settings)
{
    for (size_t i = 0; i < options->n_assignments; i++) {
        const struct options_assignment *one = &options->assignments[i];
        char name[64] = "--", option[60];
        struct settings_source source = {SETTINGS_FROM_OPTION, "--set", 0};
        struct err cause = {0};
        enum st status;

        if (one->key) {
            settings_text_option(one->key, option, sizeof option);
            text_format(name, sizeof name, "--%s", option);
            source.name = name;
        }
        status = one->key
                     ? settings_assign(settings, one->key, one->value, &source,
                                       &cause)
                     : settings_set_pair(settings, one->value, &source, &cause);
        if (status) {
            settings_complain(settings, &source, &cause);
        }
    }
}

/* Checks the addresses of Redis and HTTP, and the control socket, for which
 * there is a default. */
static void
check_addresses(const struct options *options, struct settings *settings)
{
    const struct options_surroundings *around = &options->surroundings;
    char control[SOCKET_PATH_SIZE];
    struct endpoint endpoint;
    struct http_address http;
    struct err cause = {0};

    if (settings->redis && endpoint_parse(settings->redis, &endpoint, &cause)) {
        settings_complain(settings, &settings->sources[SETTINGS_INDEX_redis],
                          &cause);
    }
    if (settings->http && http_address_parse(settings->http, &http, &cause)) {
        settings_complain(settings, &settings->sources[SETTINGS_INDEX_http],
                          &cause);
    }
    if (settings->http && settings->metrics_port) {
        err_set(&cause, ST_INVALID, "setting",
                "metrics_port is an alias of http, which is set as well");
        err_set_remedy(&cause, "keep http, and remove metrics_port");
        settings_complain(
            settings, &settings->sources[SETTINGS_INDEX_metrics_port], &cause);
    }
    if (settings->control && strlen(settings->control) >= sizeof control) {
        err_set(&cause, ST_INVALID, "setting",
                "control must be a path of 1..%d bytes, not '%.100s...'",
                SOCKET_PATH_SIZE - 1, settings->control);
        settings_complain(settings, &settings->sources[SETTINGS_INDEX_control],
                          &cause);
    }
    if (settings->control) {
        return;
    }
    if (control_default_path(around->runtime_dir, around->uid, control,
                             sizeof control)) {
        err_set(&cause, ST_INVALID, "setting",
                "XDG_RUNTIME_DIR is too long for the path of a control socket");
        err_set_remedy(&cause, "use --control SOCKET");
        settings_complain(settings, NULL, &cause);
        return;
    }
    settings_set_default(settings, "control", control);
}

/* Checks what "output" does not go with. */
static void
check_output(struct settings *settings)
{
    struct err cause = {0};

    if (settings->output != SETTINGS_OUTPUT_ORCHAGENT) {
        return;
    }
    if (settings->input == SETTINGS_INPUT_APPL_DB) {
        err_set(&cause, ST_INVALID, "setting",
                "input=appl_db reads the tables that output=orchagent writes");
        err_set_remedy(&cause, "remove one of them");
        settings_complain(settings, &settings->sources[SETTINGS_INDEX_input],
                          &cause);
    }
    if (settings->compat) {
        err_set(&cause, ST_INVALID, "setting",
                "compat writes what syncd writes where output=orchagent");
        err_set_remedy(&cause, "remove compat");
        settings_complain(settings, &settings->sources[SETTINGS_INDEX_compat],
                          &cause);
    }
}

enum st
options_settings(const struct options *options, struct settings *settings,
                 struct err *err)
{
    settings_init(settings);
    read_file(options, settings);
    settings_read_environment(settings, options->surroundings.environment);
    read_assignments(options, settings);
    check_addresses(options, settings);
    check_output(settings);
    return settings_problem(settings, 0, err);
}

void
options_fini(struct options *options)
{
    free(options->assignments);
    memset(options, 0, sizeof *options);
}

void
options_help(FILE *stream)
{
    fputs("Usage: orchd [OPTION]...\n" PURPOSE "\n\n", stream);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const char *line = table[i].help;

        fprintf(stream, "  --%s%s%s\n", table[i].name,
                table[i].argument ? " " : "",
                table[i].argument ? table[i].argument : "");
        while (*line) {
            size_t length = strcspn(line, "\n");

            fprintf(stream, "        %.*s\n", (int)length, line);
            line += length + (line[length] == '\n');
        }
    }
    fputs("\nSettings: a line \"audit_seconds = 5\" of the configuration file, "
          "overridden by\nthe environment (ORCHD_AUDIT_SECONDS=5) and by an "
          "option (--audit-seconds 5):\n\n",
          stream);
    settings_text_help(stream);
}

static void
add_setting(void *list, const struct settings_row *row)
{
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:s?, s:s, s:b, s:b, s:b}", "key", row->key,
                        "allowed", row->allowed, "default", row->initial,
                        "help", row->help, "flag", (int)row->flag, "repeated",
                        (int)row->repeated, "reload", (int)row->reloaded));
}

void
options_manual(json_t *commands, FILE *stream)
{
    json_t *options = json_array(), *settings = json_array(), *manual;
    struct settings defaults;

    for (size_t i = 0; i < N_OPTIONS; i++) {
        json_array_append_new(options, json_pack("{s:s, s:s?, s:s}", "name",
                                                 table[i].name, "value",
                                                 table[i].argument, "help",
                                                 table[i].help));
    }
    settings_init(&defaults);
    settings_each(&defaults, add_setting, settings);
    settings_fini(&defaults);
    manual = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "program",
                       "orchd", "purpose", PURPOSE, "usage", "[OPTION]...",
                       "variables", "ORCHD", "options", options, "settings",
                       settings, "commands", commands);
    json_dumpf(manual, stream, JSON_INDENT(2));
    fputc('\n', stream);
    json_decref(manual);
}
