/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_PROCESS_IMAGE_H
#define ORCHD_PROCESS_PROCESS_IMAGE_H

/* The memory of a process that waits for input, as a file, and back.
 *
 * The process is a child of the caller, has one thread, runs without random
 * addresses (process_image_prepare()), and waits in read(2) of its standard
 * input.  The image has its registers and all memory that it can write, but for
 * what it shares.  It is put into another process of the same program with the
 * same arguments, which waits at the same place: that one has the same code at
 * the same addresses, and the same files open in the same order.  What the
 * kernel knows of a process is not in the image, so it must be equal in both:
 * open files, handlers of signals.  What files contain is up to the caller.
 *
 * By ptrace(2), on Linux on x86-64 and not with sanitizers: elsewhere all
 * functions fail with ST_UNSUPPORTED. */

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/status.h"

/* Returns whether there are images here. */
bool process_image_is_built(void);

/* Makes this process, a child that is about to execute the program, one of
 * which images can be made, and which ends when its parent does.  Returns
 * whether that worked. */
bool process_image_prepare(void);

/* Checks that images of 'child' can be made.  ST_UNSUPPORTED, ST_BUSY as below;
 * ST_IO: tracing is not permitted. */
enum st process_image_check(pid_t child, struct err *err) ST_WARN_UNUSED;

/* Writes the image of 'child' to 'file'; it waits on.  ST_UNSUPPORTED,
 * ST_BUSY: it does not wait in read(2); ST_IO. */
enum st process_image_save(pid_t child, FILE *file,
                           struct err *err) ST_WARN_UNUSED;

/* Checks that the image in 'file' can be put into 'child', which is as before.
 * ST_INVALID: it is of another program, or the kernel or a library is another
 * one.  ST_UNSUPPORTED, ST_BUSY as above; ST_IO. */
enum st process_image_fits(pid_t child, FILE *file,
                           struct err *err) ST_WARN_UNUSED;

/* Puts the image in 'file' into 'child', which waits on, as the process did
 * that the image is of.  ST_INVALID: the image is of another program, or the
 * kernel or a library is another one; 'child' is as before then.
 * ST_UNSUPPORTED, ST_BUSY as above; ST_IO: 'child' is of no use any more. */
enum st process_image_load(pid_t child, FILE *file,
                           struct err *err) ST_WARN_UNUSED;

#endif /* process/process_image.h */
