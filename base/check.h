/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_CHECK_H
#define ORCHD_BASE_CHECK_H

/* Stops the program on a broken invariant of our own, in release builds too.
 *
 * For our own bugs and for memory that cannot be had, never for bad input:
 * what comes from a configuration, a database, a packet, a socket or a vendor
 * library is answered with a status. */

#include <stddef.h>

#define orch_assert(condition)                                                 \
    ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))

/* Writes what failed and where to stderr, then aborts. */
_Noreturn void check_failed(const char *what, const char *file, int line);

/* Like malloc, calloc, realloc and strdup, but never return NULL (except that
 * 'check_strdup(NULL)' is NULL).  The caller owns the result and frees it with
 * free(). */
void *check_malloc(size_t size);
void *check_calloc(size_t n, size_t size);
void *check_realloc(void *old, size_t size);
char *check_strdup(const char *text);

#endif /* base/check.h */
