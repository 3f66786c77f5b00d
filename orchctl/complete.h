/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_COMPLETE_H
#define ORCHD_ORCHCTL_COMPLETE_H

/* "orchctl --complete WORD..." for shells (command/complete.h), and
 * "orchctl --help-json" for manual pages (command/manual.h).
 *
 * Names of ports, pools, profiles, rows and so on come from the running orchd.
 * Without one, and after COMPLETE_TIMEOUT_SECONDS, there are none. */

#include <stddef.h>

struct option;
struct verb;

#define COMPLETE_TIMEOUT_SECONDS 1

/* The tables of orchctl. */
struct complete_tables {
    const struct verb *const *lists; /* Of each noun. */
    size_t n_lists;
    const struct option *options; /* Of all verbs. */
};

/* Prints the candidates for the last of 'argc' words. */
void complete_print(const struct complete_tables *tables, int argc,
                    char **argv);

/* Prints the tables as JSON. */
void complete_manual(const struct complete_tables *tables);

#endif /* orchctl/complete.h */
