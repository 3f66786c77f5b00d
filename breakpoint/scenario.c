/* SPDX-License-Identifier: Apache-2.0 */

/* What a loaded scenario can tell of itself. */

#include <config.h>

#include "breakpoint/scenario.h"

#include "base/arena.h"
#include "base/check.h"

static const char *const step_verbs[] = {
#define X(member, verb) verb,
    STEP_LIST(X)
#undef X
};

const char *
step_verb(enum step_kind kind)
{
    orch_assert(kind < N_STEP_KINDS);
    return step_verbs[kind];
}

void
scenario_destroy(struct scenario *scenario)
{
    if (scenario) {
        arena_destroy(scenario->arena);
    }
}
