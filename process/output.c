/* SPDX-License-Identifier: Apache-2.0 */

/* Flushes and closes standard output, and reports what that finds. */

#include <config.h>

#include "process/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int
output_end(const char *program, int code)
{
    const bool failed = ferror(stdout);
    int error = fflush(stdout) ? errno : 0;

    /* stdio has discarded what an earlier write refused, with its reason: one
     * more byte gets the same answer. */
    if (failed && !error && (putchar('\n') == EOF || fflush(stdout))) {
        error = errno;
    }
    /* A descriptor that was closed from the start matters only to a program
     * that printed something; the flush has found that. */
    if (fclose(stdout) && !error && errno != EBADF) {
        error = errno;
    }
    if (!failed && !error) {
        return code;
    }
    fprintf(stderr, "%s: cannot write all of the output: %s\n", program,
            error ? strerror(error) : "an earlier write failed");
    return code ? code : 1;
}
