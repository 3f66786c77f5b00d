/* SPDX-License-Identifier: Apache-2.0 */

/* Two generations: where the last sync was, and where the one before. */

#include <config.h>

#include "orchd/control/sync_point.h"

#include "orchd/control/state.h"
#include "orchd/reconcile/agent.h"

void
sync_point_begin(struct sync_point *point, const struct agent *agent,
                 const struct control_state *state)
{
    if (!point->known) {
        sync_point_reach(point, agent);
        if (state->written) {
            point->generation = point->reached = state->read_generation;
            point->n_changes = UINT64_MAX; /* There is news. */
        }
    }
}

void
sync_point_reach(struct sync_point *point, const struct agent *agent)
{
    struct agent_figures figures;

    agent_figures(agent, &figures);
    point->known = true;
    point->generation = figures.generation;
    point->reached = figures.generation;
    point->n_changes = figures.n_changes;
}

uint64_t
sync_point_move(struct sync_point *point, const struct agent *agent,
                const struct control_state *state)
{
    struct agent_figures figures;

    sync_point_begin(point, agent, state);
    agent_figures(agent, &figures);
    if (figures.n_changes != point->n_changes) {
        point->generation = point->reached;
        point->reached = figures.generation;
        point->n_changes = figures.n_changes;
    }
    return point->generation;
}

bool
sync_point_take_withheld(struct sync_point *point, size_t n)
{
    const bool more = n > point->n_withheld;

    point->n_withheld = n;
    return more;
}
