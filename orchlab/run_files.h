/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_FILES_H
#define ORCHD_ORCHLAB_RUN_FILES_H

/* Finds runs: those of the files "NAME.sqlite" in the folder of results.
 *
 * A run is named by its file, by the beginning of its key, by its name (the
 * newest of several), or by "last", the newest of all. */

#include <stddef.h>

#include "base/status.h"
#include "lab/measure/reader.h"

/* A run of a results file of the folder. */
struct run_file {
    char *path; /* "FILE#NUMBER" if the file has several. */
    char *key, *name, *started;
};

struct run_files {
    struct run_file *list; /* By start, the oldest first. */
    size_t n;
    size_t n_unreadable; /* Files that are no results, or broken. */
};

/* Stores the files of 'folder' in '*files'; run_files_fini() frees them.  A
 * missing folder has none.  ST_IO: it cannot be read. */
enum st run_files_load(const char *folder, struct run_files *files,
                       struct err *err) ST_WARN_UNUSED;
void run_files_fini(struct run_files *files);

/* Opens the run that 'word' names.  ST_NOT_FOUND: there is none; 'err' names
 * the nearest. */
enum st run_files_open(const char *folder, const char *word,
                       struct reader **reader, struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/run_files.h */
