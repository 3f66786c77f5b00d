/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_OFFLINE_CONFIG_H
#define ORCHD_ORCHCTL_OFFLINE_CONFIG_H

/* A configuration file on a switch of orchctl's own: what verbs that need no
 * orchd have in common. */

#include <stddef.h>

#include "base/status.h"
#include "orchctl/verb.h"
#include "orchd/derive/dynamic_state.h"

struct arena;
struct pipeline;
struct listener;

/* The options of such verbs, for their lists. */
#define OFFLINE_CONFIG_OPTIONS                                                 \
    {"model", OPTION_TEXT, "NAME",                                             \
     0,       0,           "the chip (default: as the hwsku says)"},           \
        {"chips", OPTION_TEXT, "DIR", 0, 0, "where chips are described"},      \
        {"sai", OPTION_TEXT, "LIBRARY", 0, 0, "another SAI than softasic"},    \
        {"lookup", OPTION_TEXT, "FILE",                                        \
         0,        0,           "the same as --set lookup_file=FILE"},         \
        {"config", OPTION_TEXT, "FILE", 0, 0, "orchd's config file"},          \
        {"set",                                                                \
         OPTION_TEXTS,                                                         \
         "KEY=VALUE",                                                          \
         0,                                                                    \
         0,                                                                    \
         "a setting of orchd, see orchd --help; may be given again"},          \
    {                                                                          \
        "yang-dir", OPTION_TEXT, "DIR", 0, 0, "YANG modules of CONFIG_DB"      \
    }

struct offline_config {
    struct pipeline *local;
    struct dynamic_state_chip parameters; /* Known if a setting names them. */
    bool started;
};

/* Makes a flow as the options of 'invocation' say, with the settings that the
 * daemon has.  'listener' is told what
 * happens, and outlives it; NULL: nobody.  End with offline_config_close(). */
enum st offline_config_open(const struct invocation *invocation,
                            const struct listener *listener,
                            struct offline_config *config,
                            struct err *err) ST_WARN_UNUSED;

/* Makes CONFIG_DB what the file 'path' says, and brings the switch there; the
 * first file decides which switch it is.  If 'tables' is not NULL it is given
 * what was in the file, for the caller to release. */
enum st offline_config_load(struct offline_config *config, const char *path,
                            json_t **tables, struct err *err) ST_WARN_UNUSED;

/* Ends it.  Accepts a zeroed one. */
void offline_config_close(struct offline_config *config);

#endif /* orchctl/offline_config.h */
