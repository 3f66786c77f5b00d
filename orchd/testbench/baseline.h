/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_BASELINE_H
#define ORCHD_TESTBENCH_BASELINE_H

/* Counters as they were when a scenario began.
 *
 * A scenario is written for a switch that has counted nothing yet; one that is
 * in use has.  Its counters are not cleared, for others look at them too: what
 * they were is subtracted. */

#include <stddef.h>

#include "breakpoint/target.h"

struct arena;
struct baseline_object;

/* Zeroed, it is empty: nothing is subtracted. */
struct baseline {
    struct arena *arena;
    struct baseline_object
        *objects; /* A hash by "pg Ethernet0.3"; in the arena. */
};

/* Notes what 'reading' of 'object' tells as where it counts from. */
void baseline_note(struct baseline *baseline,
                   const struct target_object *object,
                   const struct target_reading *reading);

/* Subtracts it again from 'n' counters of 'object', those excepted that tell a
 * level, and those that are less by now: they have begun anew. */
void baseline_subtract(const struct baseline *baseline,
                       const struct target_object *object,
                       struct target_stat *stats, size_t n);

/* Frees what it holds: nothing is subtracted any more. */
void baseline_fini(struct baseline *baseline);

#endif /* orchd/testbench/baseline.h */
