/* SPDX-License-Identifier: Apache-2.0 */

/* Measures the turns of a program with an event loop: how much processor time
 * passes between two waits.  It is preloaded (LD_PRELOAD), so the program needs
 * no changes; bench_requests.py compiles it.
 *
 * The file TURN_CLOCK has three numbers of 64 bits, of which the reader clears
 * what it wants to begin again: the longest turn in nanoseconds, the number of
 * turns, and their sum. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST, COUNT, SUM, N_NUMBERS };

typedef int wait_fn(int epoll, struct epoll_event *events, int n, int timeout);

static uint64_t *numbers; /* NULL: nothing is measured. */
static int64_t begin;     /* Of this turn; 0: it is the first one. */

static int64_t
processor_ns(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void __attribute__((constructor)) map_file(void)
{
    const size_t size = N_NUMBERS * sizeof *numbers;
    const char *path = getenv("TURN_CLOCK");
    const int fd = path ? open(path, O_RDWR) : -1;
    void *mapped;

    if (fd >= 0) {
        mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        numbers = mapped == MAP_FAILED ? NULL : mapped;
        close(fd);
    }
}

/* Replaces that of the C library, which libevent calls. */
int
epoll_wait(int epoll, struct epoll_event *events, int n, int timeout)
{
    static wait_fn *next;
    void *symbol;
    int got;

    if (!next) {
        symbol = dlsym(RTLD_NEXT, "epoll_wait");
        memcpy(&next, &symbol, sizeof next);
    }
    if (numbers && begin) {
        const uint64_t took = (uint64_t)(processor_ns() - begin);

        numbers[LONGEST] = took > numbers[LONGEST] ? took : numbers[LONGEST];
        numbers[COUNT]++;
        numbers[SUM] += took;
    }
    got = next(epoll, events, n, timeout);
    begin = processor_ns();
    return got;
}
