/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_OPTIONS_H
#define ORCHD_DAEMON_OPTIONS_H

/* The command line of the daemon. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "orchd/daemon/settings.h"
#include "orchd/db/endpoint.h"
#include "process/log.h"
#include "sai/loader/loader.h"

/* Where SONiC keeps its database_config.json. */
#define OPTIONS_DATABASE_CONFIG "/var/run/redis/sonic-db/database_config.json"

/* A setting on the command line. */
struct options_assignment {
    const char *key;   /* NULL: 'value' is "KEY=VALUE". */
    const char *value; /* Borrowed. */
};

struct options {
    bool help, version; /* Print it and exit. */

    bool redis_given; /* Else the database config has the address. */
    struct endpoint redis;
    bool force_owner;            /* Take Redis over from another orchd. */
    const char *database_config; /* NULL: the usual file, if it exists. */

    const char *sai;
    struct loader_pair *profile; /* Owned, as is what its keys point to. */
    size_t n_profile;
    const char *record;     /* The file to record SAI calls in; NULL: none. */
    const char *sai_faults; /* A file of rules; NULL: none. */

    char control[108];
    const char *state_dir; /* NULL: none. */
    const char *yang_dir;
    bool sai_unversioned; /* Accept a libsai that reports no release. */
    enum log_level log_level;

    const char *config;                     /* The config file; NULL: none. */
    struct options_assignment *assignments; /* In order; the array is owned. */
    size_t n_assignments;
};

/* What the defaults depend on besides the build. */
struct options_surroundings {
    unsigned int uid;
    const char *runtime_dir; /* $XDG_RUNTIME_DIR, or NULL. */
};

/* Parses 'argv', whose strings are borrowed, into '*options'.  Returns ST_OK,
 * or ST_INVALID with a reason and remedy in 'err'.  In either case the caller
 * ends '*options' with options_fini(). */
enum st options_parse(int argc, char **argv,
                      const struct options_surroundings *surroundings,
                      struct options *options, struct err *err) ST_WARN_UNUSED;

/* Reads the config file and the settings of the command line, which override
 * it, into '*settings'.  On failure 'err' names the file and line or the
 * option; in either case the caller ends '*settings' with settings_fini(). */
enum st options_settings(const struct options *options,
                         struct settings *settings,
                         struct err *err) ST_WARN_UNUSED;

/* Frees what 'options' holds. */
void options_fini(struct options *options);

/* Prints all options with their defaults. */
void options_help(FILE *stream);

#endif /* orchd/daemon/options.h */
