/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_CHECKPOINT_FILE_H
#define ORCHD_ORCHLAB_CHECKPOINT_FILE_H

/* The file of a checkpoint: an image of the process of a run
 * (process/process_image.h) and a copy of its results file, which the process
 * has closed meanwhile.
 *
 * Its header has the length of the file and a digest of everything after it,
 * so that a file that was cut or changed is refused before it has done
 * anything.  A file is written under another name first and replaces the one
 * before as a whole. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

struct checkpoint_file {
    const char *path;    /* "NAME-KEY.checkpoint" */
    const char *results; /* The results file of the run. */
};

/* Checks that the file can be written.  ST_IO. */
enum st checkpoint_file_check(const struct checkpoint_file *file,
                              struct err *err) ST_WARN_UNUSED;

/* Writes the checkpoint of 'child' at virtual time 'at_ps'.  What was there
 * before is kept as "....old" if 'keep', else it is replaced.  ST_BUSY: another
 * process reads the results, or 'child' does not wait; ST_IO: a file cannot be
 * read or written.  The file before is as it was then. */
enum st checkpoint_file_save(const struct checkpoint_file *file, pid_t child,
                             int64_t at_ps, bool keep,
                             struct err *err) ST_WARN_UNUSED;

/* Puts the image into 'child', the results back, and stores the virtual time.
 * 'old' chooses the file before.  ST_NOT_FOUND: there is none.  ST_INVALID: it
 * is no checkpoint, cut, damaged, or of another program; 'child' and the
 * results are as before.  ST_BUSY, ST_IO: they are of no use any more. */
enum st checkpoint_file_load(const struct checkpoint_file *file, bool old,
                             pid_t child, int64_t *at_ps,
                             struct err *err) ST_WARN_UNUSED;

/* Removes all files of the checkpoint. */
void checkpoint_file_remove(const struct checkpoint_file *file);

#endif /* orchlab/checkpoint_file.h */
