/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_SEEDS_H
#define ORCHD_TESTS_SUPPORT_SEEDS_H

/* Properties that must hold for every seed.
 *
 * Environment variables choose the seeds: NAME_SEEDS=n how many, NAME_SEED=n
 * one of them, as it was printed when the property failed. */

#include <stdint.h>

/* Calls 'run' with each of 'n' seeds, or as the variables of 'name' ("SRD":
 * SRD_SEEDS, SRD_SEED) say; a value that is no number fails the test.  The
 * bits of seeds are mixed, as generators need that start with them
 * (tests/support/seed.h), and no seed is 0.  When 'run' does not return,
 * because an assertion failed, the process prints NAME_SEED=n when it ends. */
void for_seeds(const char *name, uint64_t n, void (*run)(uint64_t seed));

#endif /* tests/support/seeds.h */
