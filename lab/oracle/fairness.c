/* SPDX-License-Identifier: Apache-2.0 */

/* Water filling: each round raises all rates by what the tightest link or cap
 * allows, and fixes the flows that this one stops.  Each round fixes at least
 * one flow. */

#include <config.h>

#include "lab/oracle/fairness.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/check.h"

struct filling {
    const struct fairness_flow *flows;
    uint32_t n, n_links;
    double *left;     /* Of each link. */
    uint32_t *active; /* Flows that still rise, of each link. */
    bool *fixed;      /* Of each flow. */
    double level;     /* Rate of all flows that still rise. */
};

/* Returns how far the level can rise until a link or a cap stops a flow. */
static double
room(const struct filling *filling)
{
    double least = INFINITY;

    for (uint32_t i = 0; i < filling->n_links; i++) {
        if (filling->active[i]) {
            least = fmin(least, filling->left[i] / filling->active[i]);
        }
    }
    for (uint32_t i = 0; i < filling->n; i++) {
        if (!filling->fixed[i]) {
            least = fmin(least, filling->flows[i].cap - filling->level);
        }
    }
    return least;
}

/* Returns whether flow 'i' cannot rise: at its cap, or a link is full but for
 * rounding. */
static bool
is_stopped(const struct filling *filling, uint32_t i, const double *capacities)
{
    const struct fairness_flow *flow = &filling->flows[i];

    if (filling->level >= flow->cap * (1 - 1e-12)) {
        return true;
    }
    for (uint32_t k = 0; k < flow->n_links; k++) {
        const uint32_t link = flow->links[k];

        if (filling->left[link] <= capacities[link] * 1e-12) {
            return true;
        }
    }
    return false;
}

/* Fixes the flows that stop at this level; returns how many. */
static uint32_t
fix_stopped(struct filling *filling, const double *capacities, double *rates)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < filling->n; i++) {
        const struct fairness_flow *flow = &filling->flows[i];

        if (filling->fixed[i] || !is_stopped(filling, i, capacities)) {
            continue;
        }
        filling->fixed[i] = true;
        rates[i] = filling->level;
        for (uint32_t k = 0; k < flow->n_links; k++) {
            filling->active[flow->links[k]]--;
        }
        n++;
    }
    return n;
}

/* Counts the flows of each link, and gives those without links their cap. */
static uint32_t
start(struct filling *filling, double *rates)
{
    uint32_t n = filling->n;

    for (uint32_t i = 0; i < filling->n; i++) {
        const struct fairness_flow *flow = &filling->flows[i];

        if (!flow->n_links) {
            filling->fixed[i] = true;
            rates[i] = flow->cap;
            n--;
        }
        for (uint32_t k = 0; k < flow->n_links; k++) {
            orch_assert(flow->links[k] < filling->n_links);
            filling->active[flow->links[k]]++;
        }
    }
    return n;
}

void
fairness_max_min(const double *capacities, uint32_t n_links,
                 const struct fairness_flow *flows, uint32_t n, double *rates)
{
    struct filling filling = {
        .flows = flows,
        .n = n,
        .n_links = n_links,
        .left = check_calloc(n_links + 1u, sizeof *filling.left),
        .active = check_calloc(n_links + 1u, sizeof *filling.active),
        .fixed = check_calloc(n + 1u, sizeof *filling.fixed),
    };
    uint32_t left = start(&filling, rates);

    for (uint32_t i = 0; i < n_links; i++) {
        filling.left[i] = capacities[i];
    }
    while (left) {
        const double rise = fmax(room(&filling), 0);
        uint32_t n_fixed;

        filling.level += rise;
        for (uint32_t i = 0; i < n_links; i++) {
            filling.left[i] -= rise * filling.active[i];
        }
        n_fixed = fix_stopped(&filling, capacities, rates);
        orch_assert(n_fixed);
        left -= n_fixed;
    }
    free(filling.left);
    free(filling.active);
    free(filling.fixed);
}

double
fairness_jain(const double *values, uint32_t n)
{
    double sum = 0, squares = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += values[i];
        squares += values[i] * values[i];
    }
    return squares > 0 ? sum * sum / (n * squares) : 1;
}
