/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_OPTION_TABLE_H
#define ORCHD_SAIHOSTD_OPTION_TABLE_H

/* The options of a small server as a table: the parser, the help and the manual
 * read it.
 *
 * Options come from a file, from the environment and from the command line, see
 * saihostd/config_words.h.  Those that only the command line may have, such as
 * --help, are the last of the table.  Errors go to the standard error, with the
 * place of the option, what it allows, and a remedy. */

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "saihostd/config_words.h"

/* The most options of a table. */
#define OPTION_TABLE_MAX 40

struct option_row {
    const char *name;     /* Without "--". */
    const char *argument; /* In capitals; NULL: a flag. */
    const char *help;     /* Lines, the last without its end. */
};

struct option_table {
    const char *program;   /* "softasicd". */
    const char *purpose;   /* One sentence. */
    const char *variables; /* The prefix of environment variables. */
    const struct option_row *rows;
    int n;      /* At most OPTION_TABLE_MAX. */
    int n_file; /* So many of the first may be in the file. */
};

/* Takes option 'id', an index of the table, into 'options'.  'argument' is NULL
 * for a flag, and lives as long as the words.  False: it is invalid. */
typedef bool option_take_fn(void *options, int id, const char *argument);

/* Reports that 'value' of option 'id' is invalid.  'origin' is NULL for the
 * command line. */
typedef void option_complain_fn(int id, const char *value, const char *origin);

/* Collects the words of all sources in '*words', and takes each option.
 * 'complain' reports an invalid value; NULL: with the help of the option.
 * Returns false after an error has been reported.  In any case the caller ends
 * '*words' with config_words_fini(). */
bool option_table_parse(const struct option_table *table, int argc, char **argv,
                        struct config_words *words, option_take_fn *take,
                        option_complain_fn *complain,
                        void *options) ST_WARN_UNUSED;

/* Reports an error of the program; returns the exit status. */
int option_table_complain(const struct option_table *table,
                          const struct err *err);

/* Reports that the value of option 'id' is invalid, with its help. */
void option_table_complain_value(const struct option_table *table, int id,
                                 const char *value, const char *origin);

void option_table_print_help(const struct option_table *table);

/* Prints the options as JSON, for scripts/manual.py. */
void option_table_print_manual(const struct option_table *table);

#endif /* saihostd/option_table.h */
