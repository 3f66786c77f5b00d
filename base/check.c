/* SPDX-License-Identifier: Apache-2.0 */

/* The report of a broken invariant, and allocations that abort on failure. */

#include <config.h>

#include "base/check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void
check_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "orchd: bug: %s:%d: %s does not hold\n", file, line, what);
    abort();
}

void
check_no_memory(size_t size)
{
    fprintf(stderr, "orchd: out of memory: %zu bytes were wanted\n", size);
    abort();
}

void *
check_malloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p) {
        check_no_memory(size);
    }
    return p;
}

void *
check_calloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);

    if (!p) {
        check_no_memory(size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
    }
    return p;
}

void *
check_realloc(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);

    if (!p) {
        check_no_memory(size);
    }
    return p;
}

char *
check_strdup(const char *text)
{
    char *copy = NULL;

    if (text) {
        size_t size = strlen(text) + 1;

        copy = check_malloc(size);
        memcpy(copy, text, size);
    }
    return copy;
}
