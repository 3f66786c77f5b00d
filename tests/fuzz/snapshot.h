/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_FUZZ_SNAPSHOT_H
#define ORCHD_TESTS_FUZZ_SNAPSHOT_H

/* A world that is made once, and is as new for each input.
 *
 * Motivation: to make a switch or an agent takes longer than an input runs in
 * it.  A fuzzer makes it once, copies the memory, and before each input writes
 * the copy back, which takes microseconds.
 *
 * In a fuzzer (FUZZ_SNAPSHOT) what the code under test allocates while a job
 * runs comes from a heap of this module, at addresses that are the same for
 * each input.  Blocks are given out in order and never again within an input,
 * between bytes that AddressSanitizer guards; what was freed is guarded too.
 * The heap holds what comes from malloc(), calloc() and realloc() in this
 * program, not what a shared library allocates: a world must not keep anything
 * of that kind that an input may free.
 *
 * Every 64th input, the first one among them, runs in a world of its own that
 * is freed after it; then nothing may be left in the heap.  Elsewhere, as in
 * the replay, every input does.  An input that stops a fuzzer does so however
 * it is run; if it should not, run it with -runs=2, of which the second begins
 * with the copy. */

#include <stddef.h>
#include <stdint.h>

enum { SNAPSHOT_VARIABLES = 3 };

struct snapshot_job {
    /* Makes the world in the variables, which are as the process began with
     * them.  NULL: there is none; each input makes what it needs. */
    void (*make)(void);

    /* Runs an input in it. */
    void (*run)(const uint8_t *data, size_t size);

    /* Undoes what run() did outside the heap and the variables, but for
     * descriptors that are open.  NULL: nothing. */
    void (*leave)(void);

    /* Frees the world.  NULL: there is none. */
    void (*end)(void);

    /* Where the state is that is not on the heap; 'at' NULL: no further. */
    struct {
        void *at;
        size_t size;
    } variables[SNAPSHOT_VARIABLES];
};

/* Runs an input.  A process has one job. */
void snapshot_run(const struct snapshot_job *job, const uint8_t *data,
                  size_t size);

#endif /* tests/fuzz/snapshot.h */
