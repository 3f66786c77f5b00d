/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_FOLDERS_H
#define ORCHD_ORCHLAB_RUN_FOLDERS_H

/* The folders of files from which the switches and hosts of a run are made, and
 * its figures. */

#include "process/places.h"

struct invocation;
struct run_options;

/* The options that name them, for the table of a verb. */
#define RUN_FOLDERS_OPTIONS                                                    \
    {"chips", OPTION_TEXT, "DIR", 0, 0, "chip files"},                         \
        {"nics", OPTION_TEXT, "DIR", 0, 0, "files of adapters"},               \
        {"yang-dir", OPTION_TEXT, "DIR", 0, 0, "YANG modules of CONFIG_DB"},   \
    {                                                                          \
        "configs", OPTION_TEXT, "DIR", 0, 0, "configurations of switches"      \
    }

/* Room for their paths. */
struct run_folders {
    char yang[PLACES_PATH_SIZE];
    char chips[PLACES_PATH_SIZE];
    char configs[PLACES_PATH_SIZE];
    char nics[PLACES_PATH_SIZE];
};

/* Finds the folders for 'invocation' and stores them in '*options', which
 * borrows their paths from 'folders'. */
void run_folders_find(const struct invocation *invocation,
                      struct run_folders *folders, struct run_options *options);

/* Return the folders of the files of adapters, and of the templates of figures;
 * 'path' has PLACES_PATH_SIZE bytes of room. */
const char *run_folders_nics(const struct invocation *invocation, char *path);
const char *run_folders_figures(const struct invocation *invocation,
                                char *path);

#endif /* orchlab/run_folders.h */
