/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_CHECK_H
#define ORCHD_BASE_CHECK_H

/* Aborts the program when one of its own invariants is broken, in release
 * builds too.
 *
 * Use it for bugs of orchd and for failed allocations, never for bad input: a
 * function that reads a configuration, a database, a packet, a socket or the
 * result of a vendor library returns a status instead. */

#include <stddef.h>

#define orch_assert(condition)                                                 \
    ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))

/* Prints the failed condition and its place to stderr, then aborts. */
_Noreturn void check_failed(const char *what, const char *file, int line);

/* Prints that an allocation of 'size' bytes failed to stderr, then aborts. */
_Noreturn void check_no_memory(size_t size);

/* Like malloc, calloc, realloc and strdup, but never return NULL (except that
 * 'check_strdup(NULL)' is NULL).  The caller owns the result and frees it with
 * free(). */
void *check_malloc(size_t size);
void *check_calloc(size_t n, size_t size);
void *check_realloc(void *old, size_t size);
char *check_strdup(const char *text);

#endif /* base/check.h */
