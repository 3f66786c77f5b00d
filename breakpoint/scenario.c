/* SPDX-License-Identifier: Apache-2.0 */

/* Queries on a loaded scenario. */

#include <config.h>

#include "breakpoint/scenario.h"

#include <string.h>

#include "base/arena.h"
#include "base/check.h"

static const char *const step_verbs[] = {
#define X(member, verb) verb,
    STEP_LIST(X)
#undef X
#define X(member, operation, name, verb) verb,
        TARGET_STEP_LIST(X)
#undef X
};

const char *
step_verb(enum step_kind kind)
{
    orch_assert(kind < N_STEP_KINDS);
    return step_verbs[kind];
}

bool
frame_matches(const struct frame_match *match, const struct target_frames *row)
{
    const int64_t seen[N_FRAME_KEYS] = {
        [FRAME_DSCP] = row->dscp,
        [FRAME_QUEUE] = row->queue,
        [FRAME_CE] = row->ecn == TARGET_ECN_CE,
        [FRAME_ECN] = row->ecn,
        [FRAME_PCP] = row->pcp,
        [FRAME_VLAN] = row->vlan,
        [FRAME_IP_ID] = row->ip_id,
        [FRAME_SIZE] = row->size_bytes,
    };

    for (unsigned int i = 0; i < N_FRAME_KEYS; i++) {
        if ((match->has >> i & 1) && match->values[i] != seen[i]) {
            return false;
        }
    }
    return true;
}

bool
scenario_answer_is(const struct target_answer *answer, const char *expected)
{
    if (!expected) {
        return !answer->state[0] || !strcmp(answer->state, "applied");
    }
    return !strcmp(answer->state, expected) || !strcmp(answer->code, expected);
}

void
scenario_destroy(struct scenario *scenario)
{
    if (scenario) {
        arena_destroy(scenario->arena);
    }
}
