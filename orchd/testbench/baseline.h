/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_BASELINE_H
#define ORCHD_TESTBENCH_BASELINE_H

/* The values of counters when a scenario started.
 *
 * A scenario assumes that all counters start at 0, but on a switch in use they
 * do not.  Others read the counters too, so they are not cleared: the values at
 * the start are subtracted instead. */

#include <stddef.h>

#include "breakpoint/target.h"

struct arena;
struct baseline_object;

/* Zeroed, it is empty and nothing is subtracted. */
struct baseline {
    struct arena *arena;
    struct baseline_object
        *objects; /* A hash by "pg Ethernet0|3"; in the arena. */
};

/* Records 'reading' as the start values of 'object'. */
void baseline_note(struct baseline *baseline,
                   const struct target_object *object,
                   const struct target_reading *reading);

/* Subtracts the start values from 'n' counters of 'object', except from those
 * that show a level, and from those that are now lower because they were
 * reset. */
void baseline_subtract(const struct baseline *baseline,
                       const struct target_object *object,
                       struct target_stat *stats, size_t n);

/* Frees the contents; nothing is subtracted afterwards. */
void baseline_fini(struct baseline *baseline);

#endif /* orchd/testbench/baseline.h */
