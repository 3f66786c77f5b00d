/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_FUZZ_MODULES_H
#define ORCHD_TESTS_FUZZ_MODULES_H

/* The YANG modules, for all inputs of a fuzzer: they take long to load, and
 * what they say does not change. */

struct schema;

/* Returns them; loads them in the first call, and ends the fuzzer if that
 * fails. */
struct schema *modules(void);

/* Checks a short row: the schema keeps what it noted in the check of a row
 * until the next, and is to keep nothing of an input. */
void modules_forget(void);

#endif /* tests/fuzz/modules.h */
