/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_OPTIONS_H
#define ORCHD_DAEMON_OPTIONS_H

/* The command line of the daemon: an option for each setting (settings.h), and
 * some that say what to do. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "orchd/daemon/settings.h"

/* The configuration file that is read, if it exists, unless --config or
 * ORCHD_CONFIG name another one. */
#define OPTIONS_CONFIG SYSCONFDIR "/orchd/orchd.conf"

/* A setting on the command line. */
struct options_assignment {
    const char *key;   /* NULL: 'value' is "KEY=VALUE". */
    const char *value; /* Borrowed. */
};

/* What settings depend on besides the command line and the build. */
struct options_surroundings {
    unsigned int uid;
    const char *runtime_dir;        /* $XDG_RUNTIME_DIR, or NULL. */
    const char *config;             /* The usual file; NULL: none. */
    const char *const *environment; /* Ends with NULL; may be NULL. */
};

struct options {
    bool help, version, check_config, print_config; /* Do it and exit. */
    bool json;                                      /* Print JSON. */

    const char *config; /* The file that --config names; NULL: the usual one. */
    struct options_assignment *assignments; /* In order; the array is owned. */
    size_t n_assignments;
    struct options_surroundings surroundings;
};

/* Parses 'argv' into '*options', which borrows the strings.  Returns ST_OK, or
 * ST_INVALID with a reason and remedy in 'err'.  In either case the caller ends
 * '*options' with options_fini(). */
enum st options_parse(int argc, char **argv,
                      const struct options_surroundings *surroundings,
                      struct options *options, struct err *err) ST_WARN_UNUSED;

/* Reads the configuration file, the environment and the settings of the command
 * line, each of which overrides those before, into '*settings', and checks the
 * values that need more than their row says.  On failure 'err' has the first
 * error with its place, and the problems of '*settings' have all.  In either
 * case the caller ends '*settings' with settings_fini().  May be called again,
 * to read the file again. */
enum st options_settings(const struct options *options,
                         struct settings *settings,
                         struct err *err) ST_WARN_UNUSED;

/* Frees what 'options' holds. */
void options_fini(struct options *options);

/* Prints all options with their defaults. */
void options_help(FILE *stream);

/* Prints all options and settings as JSON, from which scripts/manual.py makes
 * manual pages and completion, with 'commands', those of the control socket,
 * which it releases. */
void options_manual(json_t *commands, FILE *stream);

#endif /* orchd/daemon/options.h */
