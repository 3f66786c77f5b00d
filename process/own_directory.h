/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_OWN_DIRECTORY_H
#define ORCHD_PROCESS_OWN_DIRECTORY_H

/* A directory in which nobody else can create or exchange files.
 *
 * A service that creates files at a path of another user's choice, such as one
 * below /tmp, can be made to write elsewhere: through a symbolic link, or by
 * renaming a directory while it works.  So this opens the path component by
 * component without following links, demands that no other user can exchange a
 * component, and returns a descriptor: what is created relative to that is in
 * the directory that was checked. */

#include <stddef.h>

#include "base/status.h"

/* Opens the directory 'path' (relative: to the current directory), and creates
 * it with mode 0700 if only its last component is missing.  Returns ST_OK, the
 * descriptor (O_PATH; the caller closes it) and the absolute path; or, with a
 * reason that begins with 'what' ("--redis spawn") in 'err':
 *   ST_INVALID  a component is a symbolic link or no directory; one above can
 * be changed by other users (it belongs to another one than root, or is
 * writable for others without the sticky bit); or the last one belongs to
 * another user, or others may write to it ST_IO       a system call failed, or
 * 'path' is longer than 'size' allows */
enum st own_directory_open(const char *path, const char *what, int *fd,
                           char *absolute, size_t size,
                           struct err *err) ST_WARN_UNUSED;

#endif /* process/own_directory.h */
