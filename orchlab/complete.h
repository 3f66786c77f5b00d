/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_COMPLETE_H
#define ORCHD_ORCHLAB_COMPLETE_H

/* "orchlab --complete WORD..." for shells (command/complete.h), and
 * "orchlab --help-json" for manual pages (command/manual.h).  Names of runs
 * come from the folder of results. */

struct option;

/* Prints the candidates for the last of 'argc' words; 'options' are those of
 * all verbs. */
void complete_print(const struct option *options, int argc, char **argv);

/* Prints the tables as JSON. */
void complete_manual(const struct option *options);

#endif /* orchlab/complete.h */
