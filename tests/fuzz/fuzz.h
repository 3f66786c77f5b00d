/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_FUZZ_FUZZ_H
#define ORCHD_TESTS_FUZZ_FUZZ_H

/* What the fuzz targets have in common: the entry point, and reading an input
 * as a small program.
 *
 * A target is one file with one function, LLVMFuzzerTestOneInput(), that gives
 * the bytes to a parser or drives a module by them, and stops the process if
 * what must always hold does not.  libFuzzer calls it with inputs of its own
 * making ("make fuzz"); replay.c calls it with the files of the corpus ("make
 * check"), with any compiler.
 *
 * Equal bytes mean equal behaviour: a target keeps nothing from one input to
 * the next but what is costly to make and does not change (YANG modules).
 *
 * Where random bytes would never get past the first check, they are read as
 * operations and choices through a 'struct bytes'.  It never fails: when the
 * bytes are used up everything it returns is 0.  So cutting an input anywhere
 * leaves a valid, shorter program, which is what a minimiser needs. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

/* The entry point.  Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the process unless 'condition' holds. */
#define FUZZ_CHECK(condition) orch_assert(condition)

/* Returns whether a check that takes long is done for an input: by a fuzzer
 * for one in 'n', which depends on its bytes alone, by a replay always. */
bool fuzz_is_due(const uint8_t *data, size_t size, unsigned int n);

/* Returns a folder of this process for one file, which has the name 'file' in
 * all calls.  Both are removed when the process exits. */
const char *fuzz_folder(const char *file);

/* The rest of an input.  Borrows it. */
struct bytes {
    const uint8_t *next;
    size_t left;
};

/* Returns whether there are bytes left. */
bool bytes_more(const struct bytes *bytes);

/* Returns the next byte; one below 'n' (1..65536), of one byte or two. */
uint8_t bytes_u8(struct bytes *bytes);
uint32_t bytes_below(struct bytes *bytes, uint32_t n);

/* Returns a number: small, a power of two or beside one, or any. */
uint64_t bytes_number(struct bytes *bytes);

/* Stores the next few bytes, at most 'size' - 1, as a string without
 * terminators in it in 'buffer', which it returns. */
const char *bytes_string(struct bytes *bytes, char *buffer, size_t size);

/* Returns all of 'data' as a string, cut at its first terminator. The caller
 * frees it. */
char *bytes_text(const uint8_t *data, size_t size);

/* A text, and values from outside that replace some of its own. */
enum { BYTES_MAX_SETS = 8 };
struct bytes_file {
    char *text;
    size_t length; /* Of the text, which may have terminators in it. */
    struct {
        const char *name, *value;
    } sets[BYTES_MAX_SETS];
    size_t n_sets;
};

/* Reads 'data' as a text and, behind the first line "%%", lines "NAME=VALUE".
 * The caller frees 'text', which owns all. */
struct bytes_file bytes_file(const uint8_t *data, size_t size);

#endif /* tests/fuzz/fuzz.h */
