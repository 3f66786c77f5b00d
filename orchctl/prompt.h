/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PROMPT_H
#define ORCHD_ORCHCTL_PROMPT_H

/* Runs a scenario up to a step and then reads commands.
 *
 * After the step it reads lines from standard input: a step as in a file
 * ("send: {from: Ethernet0, to: Ethernet4, n: 1}"), or
 *
 *   next [N]      run the next step of the scenario, or N steps
 *   continue      run all remaining steps
 *   show OBJECT   print all counters of "pg Ethernet0|3"
 *   state         print the state of the scenario's objects
 *   quit          end the run, as does the end of input
 *
 * If standard input is not a terminal, it first prints the state by itself;
 * then it reads lines from a script in the same way. */

#include <stddef.h>

#include "breakpoint/runner.h"

struct scenario;

/* Runs 'scenario' up to step number 'until' (from 1), executes the user's
 * commands, and returns how the run ended. */
enum run_outcome prompt_run(const struct scenario *scenario, size_t until,
                            const struct run_listener *listener);

#endif /* orchctl/prompt.h */
