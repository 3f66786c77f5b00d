/* SPDX-License-Identifier: Apache-2.0 */

/* Pages with the advice to make them huge. */

#include <config.h>

#include "process/huge_pages.h"

#include <sys/mman.h>

enum { HUGE_PAGE_BYTES = 1 << 21 };

static void *
take(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (pages == MAP_FAILED) {
        return NULL;
    }
    if (bytes >= HUGE_PAGE_BYTES) {
        /* Without huge pages all works, only slower. */
        (void)madvise(pages, bytes, MADV_HUGEPAGE);
    }
    return pages;
}

static void
give(void *pages, size_t bytes)
{
    (void)munmap(pages, bytes);
}

const struct line_pool_source huge_pages = {take, give};
