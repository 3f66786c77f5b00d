/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_REPORT_H
#define ORCHD_ORCHCTL_REPORT_H

/* What a run of a breakpoint scenario looks like: to people, one line per step
 * with what was seen, and at a failure all that explains it; to programs, one
 * JSON object with the same facts. */

#include <jansson.h>

#include "breakpoint/runner.h"

/* Returns an observer that prints a run as text. */
struct run_observer report_text(void);

/* Returns an observer that appends each run to the array 'runs', borrowed. */
struct run_observer report_json(json_t *runs);

/* Returns the name of 'outcome', for example "passed". */
const char *report_outcome(enum run_outcome outcome);

#endif /* orchctl/report.h */
