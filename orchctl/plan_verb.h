/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PLAN_VERB_H
#define ORCHD_ORCHCTL_PLAN_VERB_H

/* "orchctl config plan", and the function that it shares with the other verbs
 * of its noun. */

#include <jansson.h>

struct invocation;

/* Runs the verb and returns the exit code: 1 if a row of the file would not be
 * applied, or reservations exceed the chip. */
int config_plan(struct invocation *invocation);

/* Prints {"counts", "rows"} for people (config_verbs.c). */
void config_print_answers(const json_t *answers);

#endif /* orchctl/plan_verb.h */
