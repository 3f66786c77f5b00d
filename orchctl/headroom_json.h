/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_JSON_H
#define ORCHD_ORCHCTL_HEADROOM_JSON_H

/* The output of "headroom plan --json": everything in the text output, and for
 * each group of ports the derivation of its headroom, term by term, with
 * formula and source. */

#include <jansson.h>

#include "orchctl/headroom_plan.h"

/* Returns 'answer' to 'question' as an object, which the caller owns. */
json_t *headroom_json(const struct plan_question *question,
                      const struct plan_answer *answer);

#endif /* orchctl/headroom_json.h */
