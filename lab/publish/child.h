/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_PUBLISH_CHILD_H
#define ORCHD_LAB_PUBLISH_CHILD_H

/* Processes that this one starts, waits for and ends.
 *
 * A child ends with this process, however that ends, and Ctrl-C in the terminal
 * does not reach it.  It inherits no descriptor but standard error, or the file
 * that it writes instead. */

#include <stdbool.h>

#include "base/status.h"

struct child {
    int pid;   /* 0: none. */
    int pidfd; /* Readable when it has ended. */
};

/* Starts the program argv[0], which is looked up in PATH unless it has a '/',
 * with 'argv', which NULL ends.  Standard output and error go to the file
 * 'log_path', which is replaced.  ST_NOT_FOUND: there is no such program;
 * ST_IO: it cannot be started. */
enum st child_start(const char *const *argv, const char *log_path,
                    struct child *child, struct err *err) ST_WARN_UNUSED;

/* Makes a copy of this process, which calls 'run' and ends with its result; the
 * copy has all memory as it is now.  ST_IO: the system refuses. */
enum st child_copy(int (*run)(void *context), void *context,
                   struct child *child, struct err *err) ST_WARN_UNUSED;

/* Waits until 'child' has ended, at most 'timeout_ms'.  Returns whether it has;
 * '*code' is then its exit status, or 128 and the number of a signal.  'child'
 * is none then. */
bool child_wait(struct child *child, int timeout_ms, int *code);

/* Ends 'child': asks it to, and after 5 s kills it.  Does nothing if it is
 * none. */
void child_end(struct child *child);

#endif /* lab/publish/child.h */
