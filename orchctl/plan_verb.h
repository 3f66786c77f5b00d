/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_PLAN_VERB_H
#define ORCHD_ORCHCTL_PLAN_VERB_H

/* "orchctl config plan", and the function that it shares with the other verbs
 * of its noun. */

#include <jansson.h>

#include "base/status.h"

struct invocation;

/* Makes the plan that leads from one configuration, as in a config_db.json, to
 * the other, on the switch that the options of 'invocation' describe
 * (offline_config.h).  The caller releases '*json'. */
enum st plan_verb_make(const struct invocation *invocation, const json_t *from,
                       const json_t *to, json_t **json,
                       struct err *err) ST_WARN_UNUSED;

/* Prints a plan for people. */
void plan_verb_print(const json_t *json);

/* Runs the verb and returns the exit code: 1 if a row of the file would not be
 * applied, or reservations exceed the chip. */
int config_plan(struct invocation *invocation);

/* Prints {"counts", "rows"} for people (config_verbs.c). */
void config_print_answers(const json_t *answers);

#endif /* orchctl/plan_verb.h */
