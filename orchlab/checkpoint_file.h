/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_CHECKPOINT_FILE_H
#define ORCHD_ORCHLAB_CHECKPOINT_FILE_H

/* The file of a checkpoint: an image of the process of a run
 * (process/process_image.h) and a copy of its results file, which the process
 * has closed meanwhile.  A run on several ranks has such a file for each; that
 * of rank 0 has the results.
 *
 * Its header has the length of the file and a digest of everything after it,
 * so that a file that was cut or changed is refused before it has done
 * anything.  A file is written under another name first, "....new", and
 * replaces the one before as a whole; that becomes "....old". */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

struct checkpoint_file {
    const char *path;    /* "NAME-KEY.checkpoint" */
    const char *results; /* The results file of the run; NULL: no results. */
    uint32_t n_ranks, rank;
};

/* Which checkpoint a file has: files of ranks belong together if all of it is
 * equal. */
struct checkpoint_id {
    int64_t at_ps;  /* Virtual time. */
    int64_t number; /* No other checkpoint has it, also of the same time. */
};

/* The code of an error about a file of another number of ranks. */
#define CHECKPOINT_RANKS "ranks"

/* Checks that the file can be written.  ST_IO. */
enum st checkpoint_file_check(const struct checkpoint_file *file,
                              struct err *err) ST_WARN_UNUSED;

/* Writes the checkpoint of 'child' as "....new".  ST_BUSY: another process
 * reads the results, or 'child' does not wait; ST_IO: a file cannot be read or
 * written; there is no such file then. */
enum st checkpoint_file_write(const struct checkpoint_file *file, pid_t child,
                              const struct checkpoint_id *id,
                              struct err *err) ST_WARN_UNUSED;

/* Gives "....new" its name.  What has it before becomes "....old" if
 * '*is_kept', which is false then, else it is replaced.  ST_IO. */
enum st checkpoint_file_commit(const struct checkpoint_file *file,
                               bool *is_kept, struct err *err) ST_WARN_UNUSED;

/* Removes "....new". */
void checkpoint_file_discard(const struct checkpoint_file *file);

/* Checks that the checkpoint can be put into 'child', and stores which it is.
 * 'old' chooses "....old".  ST_NOT_FOUND: there is none.  ST_INVALID: it is no
 * checkpoint, cut, damaged, of another rank, number of ranks, or program.
 * ST_BUSY, ST_IO: 'child' or the file cannot be read. */
enum st checkpoint_file_examine(const struct checkpoint_file *file, bool old,
                                pid_t child, struct checkpoint_id *id,
                                struct err *err) ST_WARN_UNUSED;

/* Puts the image into 'child', and the results back.  Fails as
 * checkpoint_file_examine() does, or with ST_BUSY because another process reads
 * the results; both are of no use any more then. */
enum st checkpoint_file_load(const struct checkpoint_file *file, bool old,
                             pid_t child, struct err *err) ST_WARN_UNUSED;

/* Removes all files of checkpoints of a run that are in this folder: 'path' is
 * "NAME-KEY.checkpoint", and files of ranks are "NAME-KEY.checkpoint.RANK". */
void checkpoint_file_remove(const char *path);

#endif /* orchlab/checkpoint_file.h */
