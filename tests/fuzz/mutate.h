/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_FUZZ_MUTATE_H
#define ORCHD_TESTS_FUZZ_MUTATE_H

/* What the mutators of the fuzzers have in common.
 *
 * Motivation: a byte that is changed anywhere in a scenario or a request breaks
 * it in most cases, and one that is changed in a program of operations changes
 * the meaning of all that follow.  mutate_text.c moves whole values and lines,
 * mutate_steps.c whole runs of bytes; a target is linked with one of them, or
 * with none.  Both leave every other input to libFuzzer, which knows the
 * dictionary and what is compared with what. */

#include <stddef.h>
#include <stdint.h>

/* The entry points that libFuzzer calls, and its own mutator. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size,
                                 const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* An input that is changed. */
struct mutation {
    uint8_t *data;
    size_t size, max_size;
    uint32_t state; /* Of the random numbers. */
};

/* Part of an input. */
struct span {
    size_t start, length;
};

/* Returns a number below 'n', which is positive. */
uint32_t mutate_below(struct mutation *mutation, size_t n);

/* Puts 'n' bytes in the place of 'span', as far as there is room.  They may be
 * of the input itself. */
void mutate_replace(struct mutation *mutation, struct span span,
                    const uint8_t *bytes, size_t n);

/* Writes 'a' to 'out' with 'to' of it replaced by 'from' of 'b'.  Returns the
 * size. */
size_t mutate_cross(const uint8_t *a, size_t a_size, struct span to,
                    const uint8_t *b, struct span from, uint8_t *out,
                    size_t max_size);

#endif /* tests/fuzz/mutate.h */
