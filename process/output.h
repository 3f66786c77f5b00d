/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_OUTPUT_H
#define ORCHD_PROCESS_OUTPUT_H

/* The end of a program's standard output.
 *
 * stdio buffers, so most write errors (a full disk, a closed descriptor) only
 * show when the buffer is flushed.  A program that exits with 0 although its
 * output is lost misleads the script that called it. */

/* Closes standard output.  Returns 'code', the exit status so far; but if some
 * output could not be written, prints the reason to standard error as
 * 'program', and returns 1 unless 'code' already reports a failure. */
int output_end(const char *program, int code);

#endif /* process/output.h */
