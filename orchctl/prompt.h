/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PROMPT_H
#define ORCHD_ORCHCTL_PROMPT_H

/* A scenario that stops, and a person who looks.
 *
 * The scenario runs up to a step.  Then lines are read from standard input: a
 * step as in a file ("send: {from: Ethernet0, to: Ethernet4, n: 1}"), or
 *
 *   next [N]      the next step of the scenario, or N of them
 *   continue      all that are left
 *   show OBJECT   all counters of "pg Ethernet0.3"
 *   state         what the scenario's objects hold
 *   quit          the end, as that of input
 *
 * If standard input is no terminal nobody can ask: the state is printed, and
 * then lines are read all the same, so that a script can go on. */

#include <stddef.h>

#include "breakpoint/runner.h"

struct scenario;

/* Runs 'scenario' up to step number 'until' (from 1), lets the user go on, and
 * returns how it ended. */
enum run_outcome prompt_run(const struct scenario *scenario, size_t until,
                            const struct run_listener *listener);

#endif /* orchctl/prompt.h */
