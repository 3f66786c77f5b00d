/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_OFFLINE_CONFIG_H
#define ORCHD_ORCHCTL_OFFLINE_CONFIG_H

/* Loads a configuration file onto a switch in this process, for the verbs that
 * do not need orchd. */

#include <stddef.h>

#include "base/status.h"
#include "orchctl/verb.h"
#include "orchd/derive/dynamic_state.h"

struct pipeline;
struct listener;
struct settings;

/* The options of such verbs, for their lists. */
#define OFFLINE_CONFIG_OPTIONS                                                 \
    {"model", OPTION_TEXT, "NAME",                                             \
     0,       0,           "chip (default: the one of the hwsku)"},            \
        {"chips", OPTION_TEXT, "DIR", 0, 0, "directory of chip files"},        \
        {"sai", OPTION_TEXT, "LIBRARY",                                        \
         0,     0,           "SAI library other than softasic"},               \
        {"lookup", OPTION_TEXT, "FILE", 0, 0, "same as --set lookup_file="},   \
        {"config", OPTION_TEXT, "FILE", 0, 0, "config file of orchd"},         \
        {"set",       OPTION_TEXTS,                                            \
         "KEY=VALUE", 0,                                                       \
         0,           "setting of orchd; may be repeated"},                    \
    {                                                                          \
        "yang-dir", OPTION_TEXT, "DIR", 0, 0,                                  \
            "directory of the YANG modules of CONFIG_DB"                       \
    }

struct offline_config {
    struct pipeline *pipeline;
    struct dynamic_state_chip parameters; /* Valid if a setting gives them. */
    bool started;
};

/* Reads the config file 'file' (NULL: none) and the options --set and --lookup
 * into '*settings', as orchd would.  In either case the caller ends '*settings'
 * with settings_fini(). */
enum st offline_config_settings(const struct invocation *invocation,
                                const char *file, struct settings *settings,
                                struct err *err) ST_WARN_UNUSED;

/* Creates a pipeline as the options of 'invocation' say, with the settings of
 * the daemon.  'listener' is notified and has to outlive it; it may be NULL.
 * End with offline_config_close(). */
enum st offline_config_open(const struct invocation *invocation,
                            const struct listener *listener,
                            struct offline_config *config,
                            struct err *err) ST_WARN_UNUSED;

/* Makes CONFIG_DB equal to 'tables', the contents of a config_db.json, and
 * applies it to the switch.  The first one determines which switch it is. */
enum st offline_config_apply(struct offline_config *config,
                             const json_t *tables,
                             struct err *err) ST_WARN_UNUSED;

/* Does the same with the file 'path'.  If 'tables' is not NULL, stores the
 * contents of the file, which the caller releases. */
enum st offline_config_load(struct offline_config *config, const char *path,
                            json_t **tables, struct err *err) ST_WARN_UNUSED;

/* Destroys the pipeline.  Accepts a zeroed one. */
void offline_config_close(struct offline_config *config);

#endif /* orchctl/offline_config.h */
