/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CASE_ELSEWHERE_H
#define ORCHD_ORCHCTL_CASE_ELSEWHERE_H

/* Has cases carried out by an executor (command/executor.h): "breakpoint run
 * --executor WHERE --keep FOLDER".
 *
 * Each case without a result in the folder is one "orchctl breakpoint run ...
 * --only NUMBER", which keeps its result there.  So whatever is killed, the
 * same command again carries out the rest. */

#include <jansson.h>

struct case_list;
struct case_store;
struct invocation;

/* Carries out the cases and stores the list of their results, in order, in
 * '*results', which the caller releases; one that left no result has failed,
 * and says why.  Returns CONTROL_DONE, or prints why not and returns an exit
 * code;
 * '*results' is an empty list then. */
int case_elsewhere_run(const struct invocation *invocation,
                       const struct case_list *cases, struct case_store *store,
                       json_t **results);

#endif /* orchctl/case_elsewhere.h */
