/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_PROPERTY_MMU_STEPS_H
#define ORCHD_TESTS_PROPERTY_MMU_STEPS_H

/* Random steps, taken by the buffer and by the reference at once.  Each returns
 * false, and says why unless 'steps_quiet', if the two disagree. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/mmu/mmu.h"

/* How often each verdict was met, over all runs: a test in which something
 * never happens says little. */
extern uint64_t steps_verdicts[MMU_N_DROPS];

/* How many packets passed without being stored. */
extern uint64_t steps_passed;

/* Disagreement is expected: no output. */
extern bool steps_quiet;

/* Fails the function it is in. */
#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            if (!steps_quiet) {                                                \
                printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);         \
            }                                                                  \
            return false;                                                      \
        }                                                                      \
    } while (0)

bool step_enqueue(void);
bool step_dequeue(void);
bool step_port(void);
bool step_speed(void);
bool step_extra(void);
bool step_pool(void);
bool step_profile(void);
bool step_attach(void);
bool step_port_attach(void);

#endif /* tests/property/mmu_steps.h */
