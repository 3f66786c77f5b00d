/* SPDX-License-Identifier: Apache-2.0 */

/* The heap of a fuzzer: areas of memory, from the start of which blocks are
 * cut.
 *
 * The linker sends malloc() and its relatives here (--wrap).  Each block has a
 * head before it; heads and what is left over are poisoned, so that a write
 * beyond a block is seen as with the sanitizer's own heap.  To go back to the
 * copy, the bytes below its end are written back, the blocks there that were
 * freed are opened again, and all above is poisoned. */

#include <config.h>

#include "tests/fuzz/snapshot.h"

#include "tests/fuzz/fuzz.h"

/* Runs an input in a world of its own. */
static void
run_whole(const struct snapshot_job *job, const uint8_t *data, size_t size)
{
    if (job->make) {
        job->make();
    }
    job->run(data, size);
    if (job->end) {
        job->end();
    }
}

#ifndef FUZZ_SNAPSHOT

bool
fuzz_is_due(const uint8_t *data, size_t size, unsigned int n)
{
    (void)data;
    (void)size;
    (void)n;
    return true;
}

void
snapshot_run(const struct snapshot_job *job, const uint8_t *data, size_t size)
{
    run_whole(job, data, size);
}

#else /* FUZZ_SNAPSHOT */

#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/digest.h"

#define AREA_BYTES  ((size_t)256 << 20)
#define KEEP_BYTES  ((size_t)32 << 20) /* More is given back. */
#define LARGE_BYTES ((size_t)32 << 10)
#define PAGE_BYTES  ((size_t)4096)
#define ALIGNMENT   ((size_t)16)
#define LIVE        UINT64_C(0x6c6976656c697665)
#define FREED       UINT64_C(0x6672656566726565)

/* Functions that touch what is poisoned, and are no part of what is tested. */
#define BEHIND_THE_GUARD                                                       \
    __attribute__((no_sanitize("address", "coverage"), noinline))

enum { WHOLE_EVERY = 64, UNINITIALIZED = 0xbe };

struct head {
    uint64_t state; /* LIVE or FREED. */
    size_t size;
    uint64_t guard[2];
};

/* Large blocks are for the most part never touched, so they are apart: their
 * pages are given back to the kernel instead of being written. */
struct area {
    unsigned char *start;
    size_t top;   /* Bytes cut off so far. */
    size_t saved; /* The same when the copy was taken. */
};

static struct {
    struct area small, large;
    size_t n_live;
    bool on; /* Allocations come from here. */
} heap;

static struct {
    unsigned char *bytes; /* Of the small area. */
    unsigned char *variables, *pristine;
    size_t n_live;
    int first_free; /* Descriptor. */
    bool made;

    /* The blocks of the copy that the input has freed. */
    void **freed;
    size_t n_freed, capacity;
} saved;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *old);

/* The sanitizer's own heap then serves little else than shared libraries. */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
    return "quarantine_size_mb=8:malloc_context_size=2";
}

/* The heap ------------------------------------------------------------ */

static size_t
round_up(size_t size, size_t multiple)
{
    return (size + multiple - 1) / multiple * multiple;
}

static bool
is_in(const struct area *area, const void *block)
{
    const unsigned char *at = block;

    return area->start && at >= area->start && at < area->start + AREA_BYTES;
}

static bool
is_ours(const void *block)
{
    return is_in(&heap.small, block) || is_in(&heap.large, block);
}

/* Returns whether 'block' is in the copy. */
static bool
is_saved(const void *block)
{
    const struct area *area =
        is_in(&heap.small, block) ? &heap.small : &heap.large;

    return (const unsigned char *)block < area->start + area->saved;
}

/* Returns the size of a block that is in use. */
BEHIND_THE_GUARD static size_t
size_of(const void *block)
{
    const struct head *head = (const struct head *)block - 1;

    FUZZ_CHECK(head->state == LIVE); /* Else freed twice, or never given. */
    return head->size;
}

BEHIND_THE_GUARD static void *
cut(size_t size, size_t alignment)
{
    struct area *area = size < LARGE_BYTES ? &heap.small : &heap.large;
    const size_t at = round_up(area->top + sizeof(struct head), alignment);
    struct head *head;

    FUZZ_CHECK(size < AREA_BYTES - at - PAGE_BYTES);
    head = (struct head *)(area->start + at) - 1;
    head->state = LIVE;
    head->size = size;
    area->top = at + round_up(size, ALIGNMENT);
    heap.n_live++;
    __asan_unpoison_memory_region(head + 1, size);
    return head + 1;
}

BEHIND_THE_GUARD static void
give_back(void *block)
{
    struct head *head = (struct head *)block - 1;
    const size_t size = size_of(block);

    head->state = FREED;
    heap.n_live--;
    __asan_poison_memory_region(block, round_up(size, ALIGNMENT));
    if (is_saved(block)) {
        if (saved.n_freed == saved.capacity) {
            saved.capacity = saved.capacity ? 2 * saved.capacity : 256;
            saved.freed = __real_realloc(saved.freed,
                                         saved.capacity * sizeof *saved.freed);
            FUZZ_CHECK(saved.freed);
        }
        saved.freed[saved.n_freed++] = block;
    }
}

/* Returns a block filled with 'byte', unless it is large: that is zeros. */
static void *
take_block(size_t size, size_t alignment, int byte)
{
    void *block = cut(size, alignment);

    return size < LARGE_BYTES ? memset(block, byte, size) : block;
}

void *
__wrap_malloc(size_t size)
{
    return heap.on ? take_block(size, ALIGNMENT, UNINITIALIZED)
                   : __real_malloc(size);
}

void *
__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return heap.on
               ? take_block(size, round_up(alignment, ALIGNMENT), UNINITIALIZED)
               : __real_aligned_alloc(alignment, size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
    return heap.on && (!size || n <= AREA_BYTES / size)
               ? take_block(n * size, ALIGNMENT, 0)
               : __real_calloc(n, size);
}

void *
__wrap_realloc(void *old, size_t size)
{
    void *block;
    size_t before;

    if (!old) {
        return __wrap_malloc(size);
    }
    if (!is_ours(old)) {
        return __real_realloc(old, size);
    }
    before = size_of(old);
    block = __wrap_malloc(size);
    memcpy(block, old, before < size ? before : size);
    give_back(old);
    return block;
}

void
__wrap_free(void *old)
{
    if (is_ours(old)) {
        give_back(old);
    } else {
        __real_free(old);
    }
}

/* The copy ------------------------------------------------------------ */

/* Copies the variables of 'job' into 'buffer', or back. */
static void
copy_variables(const struct snapshot_job *job, unsigned char *buffer, bool back)
{
    for (int i = 0; i < SNAPSHOT_VARIABLES && job->variables[i].at; i++) {
        const size_t size = job->variables[i].size;

        memcpy(back ? job->variables[i].at : buffer,
               back ? buffer : job->variables[i].at, size);
        buffer += size;
    }
}

static size_t
variables_size(const struct snapshot_job *job)
{
    size_t size = 0;

    for (int i = 0; i < SNAPSHOT_VARIABLES && job->variables[i].at; i++) {
        size += job->variables[i].size;
    }
    return size;
}

/* Takes away what is above the copy. */
static void
rewind_area(struct area *area)
{
    if (area->top > area->saved) {
        __asan_poison_memory_region(area->start + area->saved,
                                    area->top - area->saved);
    }
    if (area == &heap.large && area->top) {
        madvise(area->start, area->top, MADV_DONTNEED);
    } else if (area->top > KEEP_BYTES && KEEP_BYTES > area->saved) {
        madvise(area->start + KEEP_BYTES, area->top - KEEP_BYTES,
                MADV_DONTNEED);
    }
    area->top = area->saved;
}

static void
rewind_heap(void)
{
    rewind_area(&heap.small);
    rewind_area(&heap.large);
    heap.n_live = saved.n_live;
}

/* Copies bytes of any memory; memcpy() refuses some. */
BEHIND_THE_GUARD static void
copy(void *to, const void *from, size_t size)
{
#ifdef __x86_64__
    __asm__ volatile("rep movsb"
                     : "+D"(to), "+S"(from), "+c"(size)
                     :
                     : "memory");
#else
    for (size_t i = 0; i < size; i++) {
        ((volatile unsigned char *)to)[i] =
            ((const volatile unsigned char *)from)[i];
    }
#endif
}

/* Puts a file with the same content in the place of the large area up to its
 * end: pages of it that are given back are as in the file. */
static void
save_large(struct area *area)
{
    const size_t size = area->saved;
    const int fd = memfd_create("snapshot", MFD_CLOEXEC);
    void *map;

    FUZZ_CHECK(fd >= 0 && ftruncate(fd, (off_t)size) == 0);
    map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    FUZZ_CHECK(map != MAP_FAILED);
    copy(map, area->start, size);
    FUZZ_CHECK(munmap(map, size) == 0);
    FUZZ_CHECK(mmap(area->start, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED, fd, 0) == area->start);
    close(fd);
}

/* Makes the world and the copy of it. */
static void
take(const struct snapshot_job *job)
{
    copy_variables(job, saved.pristine, true);
    heap.on = true;
    job->make();
    heap.on = false;
    heap.small.saved = heap.small.top = round_up(heap.small.top, ALIGNMENT);
    heap.large.saved = heap.large.top = round_up(heap.large.top, PAGE_BYTES);
    saved.bytes = check_malloc(heap.small.saved);
    copy(saved.bytes, heap.small.start, heap.small.saved);
    if (heap.large.saved) {
        save_large(&heap.large);
    }
    saved.variables = check_malloc(variables_size(job));
    copy_variables(job, saved.variables, false);
    saved.n_live = heap.n_live;
    saved.first_free = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(saved.first_free);
    saved.made = true;
}

/* Makes all as it was when the copy was taken. */
BEHIND_THE_GUARD static void
put_back(const struct snapshot_job *job)
{
    rewind_heap();
    copy(heap.small.start, saved.bytes, heap.small.saved);
    for (size_t i = 0; i < saved.n_freed; i++) {
        const struct head *head = (const struct head *)saved.freed[i] - 1;

        __asan_unpoison_memory_region(saved.freed[i], head->size);
    }
    saved.n_freed = 0;
    copy_variables(job, saved.variables, true);
}

/* Runs an input in a world of its own, of which nothing may be left. */
static void
run_alone(const struct snapshot_job *job, const uint8_t *data, size_t size)
{
    copy_variables(job, saved.pristine, true);
    heap.n_live = 0;
    heap.on = true;
    run_whole(job, data, size);
    heap.on = false;
    if (heap.n_live) {
        fprintf(stderr, "%zu blocks are not freed\n", heap.n_live);
    }
    FUZZ_CHECK(heap.n_live == 0);
    rewind_heap();
}

static void
begin_area(struct area *area)
{
    area->start = mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    FUZZ_CHECK(area->start != MAP_FAILED);
    __asan_poison_memory_region(area->start, AREA_BYTES);
}

static void
begin(const struct snapshot_job *job)
{
    begin_area(&heap.small);
    begin_area(&heap.large);
    saved.pristine = check_malloc(variables_size(job));
    copy_variables(job, saved.pristine, false);
}

bool
fuzz_is_due(const uint8_t *data, size_t size, unsigned int n)
{
    const uint64_t digest = digest_bytes(DIGEST_START, data, size);

    return (digest ^ digest >> 32) % n == 0;
}

void
snapshot_run(const struct snapshot_job *job, const uint8_t *data, size_t size)
{
    static unsigned long n;

    if (!heap.small.start) {
        begin(job);
    }
    if (!job->make || n++ % WHOLE_EVERY == 0) {
        run_alone(job, data, size);
        return;
    }
    if (!saved.made) {
        take(job);
    }
    put_back(job);
    heap.on = true;
    job->run(data, size);
    if (job->leave) {
        job->leave();
    }
    heap.on = false;
    if (job->leave) {
        close_range((unsigned int)saved.first_free, ~0u, 0);
    }
}

#endif /* FUZZ_SNAPSHOT */
