/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_OPTIONS_H
#define ORCHD_SAIHOSTD_OPTIONS_H

/* The options of saihostd and, with SOFTASICD defined, of softasicd: a table
 * (saihostd/option_table.h). */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "process/log.h"
#include "saihostd/clients.h"
#include "saihostd/config_words.h"
#include "saihostd/library.h"
#include "saihostd/ports_options.h"

#ifdef SOFTASICD
#define PROGRAM "softasicd"
#else
#define PROGRAM "saihostd"
#endif

struct options {
    struct clients_sockets sockets; /* Strings are borrowed, as all here. */
    const char *user;               /* NULL: stay the same. */
    struct loader_options library;
    struct loader_pair *profile; /* Owned, with its keys. */
    enum log_level log_level;
    uint32_t call_timeout_s; /* 0: calls may take any time. */
    bool rescue;
    bool unconfined;         /* No limit of system calls. */
    const char *sai_profile; /* A file; NULL: none. */
    struct ports_options ports;
    struct ports_bound *bound; /* Owned, with the names of ports. */
    bool help, version, json;
    struct config_words words; /* Where strings are borrowed from. */
};

/* Reads the options of all sources.  Unless they ask for help or the version, a
 * socket, a library and, for softasicd, a model are there.  Returns false after
 * it has reported an error.  In any case the caller ends '*options' with
 * options_fini(). */
bool options_parse(struct options *options, int argc,
                   char **argv) ST_WARN_UNUSED;

void options_fini(struct options *options);

void options_print_help(void);

/* Prints the options as JSON, for scripts/manual.py. */
void options_print_manual(void);

/* Reports an error of this program; returns the exit status. */
int options_complain(const struct err *err);

#endif /* saihostd/options.h */
