/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_CHECKPOINT_H
#define ORCHD_ORCHLAB_CHECKPOINT_H

/* Carries out a run that goes on after everything was killed: "orchlab run
 * --checkpoint every=T".
 *
 * The run is in a process of its own, which stands still each T of virtual time
 * and reads a command, as with --interactive.  While it waits, an image of its
 * memory (process/process_image.h) and its results file are written into one
 * file beside the results, "NAME-KEY.checkpoint", which replaces the one
 * before. The same command again finds that file, starts such a process, puts
 * the image into it and the results file back, and lets it go on: nothing is
 * computed twice but what came after the checkpoint.  A complete run removes
 * the file. */

#include <stdint.h>

#include "base/status.h"
#include "orchlab/elsewhere.h"

/* Parses "every=5ms" into '*every_ps'.  ST_INVALID: it is something else. */
enum st checkpoint_parse(const char *text, int64_t *every_ps,
                         struct err *err) ST_WARN_UNUSED;

/* Carries out the only chosen run of 'elsewhere', unless it is complete, and
 * stores how it ended as elsewhere_carry_out() does.  ST_UNSUPPORTED: the
 * scenario has captures, or this system has no images; ST_INVALID: several runs
 * are chosen; ST_IO: files cannot be written. */
enum st checkpoint_carry_out(const struct elsewhere *elsewhere,
                             int64_t every_ps,
                             const struct executor_end ***ends,
                             struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/checkpoint.h */
