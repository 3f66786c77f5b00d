/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_THRIFTD_OPTIONS_H
#define ORCHD_THRIFTD_OPTIONS_H

/* The options of softasic-thriftd: a table (saihostd/option_table.h). */

#include <stdbool.h>

#include "base/status.h"
#include "process/log.h"
#include "saihostd/config_words.h"

#define PROGRAM "softasic-thriftd"

struct options {
    const char *socket; /* Strings are borrowed, as all here. */
    const char *listen;
    const char *names; /* NULL: none. */
    const char *user;  /* NULL: stay the same. */
    enum log_level log_level;
    bool unconfined; /* No limit of system calls. */
    bool help, version, json;
    struct config_words words; /* Where strings are borrowed from. */
};

/* Reads the options of all sources.  Unless they ask for help or the version, a
 * socket is there.  Returns false after it has reported an error.  In any case
 * the caller ends '*options' with options_fini(). */
bool options_parse(struct options *options, int argc,
                   char **argv) ST_WARN_UNUSED;

void options_fini(struct options *options);

void options_print_help(void);

/* Prints the options as JSON, for scripts/manual.py. */
void options_print_manual(void);

/* Reports an error of this program; returns the exit status. */
int options_complain(const struct err *err);

#endif /* thriftd/options.h */
