/* SPDX-License-Identifier: Apache-2.0 */

/* The options as a table, which the parser and --help share. */

#include <config.h>

#include "orchd/daemon/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/control/protocol.h"

/* X(ID, name, argument, help).  An argument of NULL means that there is none.
 */
#define OPTION_LIST(X)                                                         \
    X(REDIS, "redis", "ADDRESS",                                               \
      "connect to unix:PATH or tcp:HOST:PORT, or start a private\n"            \
      "redis-server with spawn[:DIR] (default: the address in the\n"           \
      "database config, else unix:/var/run/redis/redis.sock)")                 \
    X(DATABASE_CONFIG, "database-config", "FILE",                              \
      "read numbers and separators of the databases from this\n"               \
      "database_config.json (default, if it exists:\n" OPTIONS_DATABASE_CONFIG \
      ")")                                                                     \
    X(FORCE_OWNER, "force-owner", NULL,                                        \
      "take Redis over from another orchd that works on it and does not\n"     \
      "end; that one then stops")                                              \
    X(SAI, "sai", "LIBRARY",                                                   \
      "load the SAI of the switch from this library (default:\n" PKGLIBDIR     \
      "/libsai-softasic.so)")                                                  \
    X(SAI_UNVERSIONED, "sai-unversioned", NULL,                                \
      "accept a libsai that does not report its release, as 1.9.0")            \
    X(PROFILE, "profile", "KEY=VALUE",                                         \
      "add a SAI profile entry, for example SOFTASIC_MODEL=td2;\n"             \
      "may be repeated")                                                       \
    X(RECORD, "record", "FILE",                                                \
      "record all SAI calls in this file; see orchctl sai replay")             \
    X(SAI_FAULTS, "sai-faults", "FILE",                                        \
      "make SAI calls fail by the rules in this file, for tests")              \
    X(CONTROL, "control", "SOCKET",                                            \
      "listen for orchctl on this socket (default: for root\n"                 \
      "/run/orchd/control.sock, else $XDG_RUNTIME_DIR/orchd.sock)")            \
    X(STATE_DIR, "state-dir", "DIR",                                           \
      "keep the history of CONFIG_DB in this directory, for\n"                 \
      "orchctl config rollback (default: keep none)")                          \
    X(YANG_DIR, "yang-dir", "DIR",                                             \
      "read the YANG modules of CONFIG_DB from this directory\n"               \
      "(default: " PKGDATADIR "/yang)")                                        \
    X(SCHEMA_DIR, "schema-dir", "DIR", "the same as --yang-dir")               \
    X(CONFIG, "config", "FILE",                                                \
      "read settings from this file, one line \"key = value\" each")           \
    X(SET, "set", "KEY=VALUE",                                                 \
      "change one setting, overriding --config; may be repeated")              \
    X(STRICT, "strict", NULL, "the same as --set strict=true")                 \
    X(INPUT, "input", "DATABASE", "the same as --set input=DATABASE")          \
    X(HTTP, "http", "ADDRESS",                                                 \
      "the same as --set http=ADDRESS: serve /metrics and /healthz at\n"       \
      "[ADDRESS:]PORT or unix:PATH")                                           \
    X(LOG_LEVEL, "log-level", "LEVEL",                                         \
      "log lines of this level and worse: error, warn, info or\n"              \
      "debug (default: info); see also orchctl log level")                     \
    X(HELP, "help", NULL, "print this help")                                   \
    X(VERSION, "version", NULL, "print the version")

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

/* Fills 'err' for an option whose value is not allowed. */
static enum st
bad(struct err *err, const char *option, const char *value, const char *allowed)
{
    err_set(err, ST_INVALID, "option", "--%s '%s' is not %s", option, value,
            allowed);
    err_set_field(err, option, value, allowed);
    err_set_remedy(err, "see orchd --help");
    return ST_INVALID;
}

/* Adds an entry to the profile; the value may have further equals signs. */
static enum st
set_profile(struct options *options, const char *value, struct err *err)
{
    const char *equals = strchr(value, '=');
    struct loader_pair *pair;
    char *key;

    if (!equals || equals == value) {
        return bad(err, "profile", value, "KEY=VALUE");
    }
    options->profile = check_realloc(
        options->profile, (options->n_profile + 1) * sizeof *options->profile);
    key = check_strdup(value);
    key[equals - value] = '\0';
    pair = &options->profile[options->n_profile++];
    pair->key = key;
    pair->value = key + (equals - value) + 1;
    return ST_OK;
}

static enum st
set_control(struct options *options, const char *value, struct err *err)
{
    if (!*value ||
        !text_copy(options->control, sizeof options->control, value)) {
        return bad(err, "control", value, "a path of 1..107 bytes");
    }
    return ST_OK;
}

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

/* Returns the member of an option that is stored as it is written, NULL for
 * other options. */
static const char **
text_of(struct options *options, enum option_id which)
{
    switch (which) {
    case OPTION_DATABASE_CONFIG:
        return &options->database_config;
    case OPTION_SAI:
        return &options->sai;
    case OPTION_RECORD:
        return &options->record;
    case OPTION_SAI_FAULTS:
        return &options->sai_faults;
    case OPTION_STATE_DIR:
        return &options->state_dir;
    case OPTION_YANG_DIR:
    case OPTION_SCHEMA_DIR:
        return &options->yang_dir;
    case OPTION_CONFIG:
        return &options->config;
    default:
        return NULL;
    }
}

/* Stores one option. */
static enum st
set_option(struct options *options, enum option_id which, const char *value,
           struct err *err)
{
    const char **text = text_of(options, which);

    if (text) {
        *text = value;
        return ST_OK;
    }
    switch (which) {
    case OPTION_REDIS:
        options->redis_given = true;
        return endpoint_parse(value, &options->redis, err);
    case OPTION_PROFILE:
        return set_profile(options, value, err);
    case OPTION_CONTROL:
        return set_control(options, value, err);
    case OPTION_SAI_UNVERSIONED:
        options->sai_unversioned = true;
        break;
    case OPTION_STRICT:
        add_assignment(options, "strict", "true");
        break;
    case OPTION_INPUT:
        add_assignment(options, "input", value);
        break;
    case OPTION_HTTP:
        add_assignment(options, "http", value);
        break;
    case OPTION_SET:
        add_assignment(options, NULL, value);
        break;
    case OPTION_LOG_LEVEL:
        if (!log_level_find(value, &options->log_level)) {
            return bad(err, "log-level", value, "error, warn, info or debug");
        }
        break;
    case OPTION_FORCE_OWNER:
        options->force_owner = true;
        break;
    case OPTION_HELP:
        options->help = true;
        break;
    case OPTION_VERSION:
        options->version = true;
        break;
    default:
        break;
    }
    return ST_OK;
}

/* Sets the defaults. */
static void
set_defaults(struct options *options,
             const struct options_surroundings *surroundings)
{
    memset(options, 0, sizeof *options);
    options->sai = PKGLIBDIR "/libsai-softasic.so";
    options->yang_dir = PKGDATADIR "/yang";
    options->log_level = LOG_INFO;
    if (control_default_path(surroundings->runtime_dir, surroundings->uid,
                             options->control, sizeof options->control)) {
        options->control[0] = '\0';
    }
}

/* Fills 'err' for a word that getopt_long() refuses. */
static enum st
bad_word(struct err *err, const char *word, bool lacks_argument)
{
    if (lacks_argument) {
        err_set(err, ST_INVALID, "option", "%s needs an argument", word);
    } else {
        struct choices choices;
        char name[64];

        text_copy(name, sizeof name, word);
        name[strcspn(name, "=")] = '\0';
        choices_init(&choices, name);
        for (size_t i = 0; i < N_OPTIONS; i++) {
            char known[64];

            text_format(known, sizeof known, "--%s", table[i].name);
            choices_add(&choices, known);
        }
        err_set(err, ST_INVALID, "option",
                "unknown option or unexpected argument %s", word);
        (void)choices_explain(&choices, "option", err);
    }
    err_set_remedy(err, "see orchd --help");
    return ST_INVALID;
}

/* Checks what depends on several options. */
static enum st
check(const struct options *options, struct err *err)
{
    if (!*options->control && !options->help && !options->version) {
        err_set(err, ST_INVALID, "option",
                "XDG_RUNTIME_DIR is too long for the path of a control socket");
        err_set_remedy(err, "use --control SOCKET");
        return ST_INVALID;
    }
    return ST_OK;
}

enum st
options_parse(int argc, char **argv,
              const struct options_surroundings *surroundings,
              struct options *options, struct err *err)
{
    struct option getopt_table[N_OPTIONS + 1];
    int found, index;

    memset(getopt_table, 0, sizeof getopt_table);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        getopt_table[i].name = table[i].name;
        getopt_table[i].has_arg =
            table[i].argument ? required_argument : no_argument;
    }
    set_defaults(options, surroundings);
    opterr = 0;
    optind = 0;
    while ((found = getopt_long(argc, argv, ":", getopt_table, &index)) != -1) {
        enum st status =
            found ? bad_word(err, argv[optind - 1], found == ':')
                  : set_option(options, (enum option_id)index, optarg, err);

        if (status) {
            return status;
        }
    }
    if (optind < argc) {
        return bad_word(err, argv[optind], false);
    }
    return check(options, err);
}

enum st
options_settings(const struct options *options, struct settings *settings,
                 struct err *err)
{
    enum st status = ST_OK;

    settings_init(settings);
    if (options->config) {
        status = settings_load(settings, options->config, err);
    }
    for (size_t i = 0; !status && i < options->n_assignments; i++) {
        const struct options_assignment *one = &options->assignments[i];

        status = one->key ? settings_set(settings, one->key, one->value, err)
                          : settings_set_pair(settings, one->value, err);
    }
    return status;
}

void
options_fini(struct options *options)
{
    for (size_t i = 0; i < options->n_profile; i++) {
        free((char *)(uintptr_t)options->profile[i].key);
    }
    free(options->profile);
    free(options->assignments);
    memset(options, 0, sizeof *options);
}

void
options_help(FILE *stream)
{
    fputs("Usage: orchd [OPTION]...\n"
          "The buffer and QoS control plane of a switch: programs the ASIC "
          "as CONFIG_DB says.\n\n",
          stream);
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
    fputs("\nSettings, for --config and --set:\n", stream);
    settings_help(stream);
}
