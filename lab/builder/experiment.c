/* SPDX-License-Identifier: Apache-2.0 */

/* Loads a run of a scenario, one stage after the other. */

#include <config.h>

#include "lab/builder/experiment.h"

#include <string.h>

#include "base/arena.h"
#include "lab/builder/references.h"

/* Returns whether the scenario says something about this very switch. */
static bool
has_own_keys(const struct scenario *scenario, const struct topology_node *node)
{
    for (size_t i = 0; i < scenario->fabric.n_roles; i++) {
        if (!strcmp(scenario->fabric.roles[i].name, node->name)) {
            return true;
        }
    }
    return false;
}

/* Stores what holds for each switch.  Switches of a role without keys of their
 * own share it; there are few roles. */
static void
resolve_switches(struct experiment *experiment, struct arena *arena)
{
    const struct topology *topology = &experiment->topology;
    const struct role_spec **shared =
        arena_alloc(arena, topology->n_switches + 1U, sizeof *shared);
    size_t n_shared = 0;

    experiment->switches = arena_alloc(arena, topology->n_switches + 1U,
                                       sizeof *experiment->switches);
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        const struct topology_node *node = &topology->nodes[i];
        bool is_own = has_own_keys(&experiment->scenario, node);
        struct role_spec *role;

        for (size_t k = 0; !is_own && k < n_shared; k++) {
            if (!strcmp(shared[k]->name, node->role)) {
                experiment->switches[i] = shared[k];
            }
        }
        if (experiment->switches[i]) {
            continue;
        }
        role = arena_alloc(arena, 1, sizeof *role);
        references_role(&experiment->scenario, topology, i, arena, role);
        experiment->switches[i] = role;
        if (!is_own) {
            shared[n_shared++] = role;
        }
    }
}

enum st
experiment_load(const struct scenario_input *input, size_t number,
                struct arena *arena, struct experiment *experiment,
                struct err *err)
{
    struct scenario *scenario = &experiment->scenario;
    struct topology *topology = &experiment->topology;
    enum st st = scenario_parse(input, number, arena, scenario, err);

    if (!st) {
        st = topology_build(&scenario->fabric, scenario->file, arena, topology,
                            err);
    }
    if (!st) {
        st = references_check(scenario, topology, arena, err);
    }
    if (!st) {
        resolve_switches(experiment, arena);
        st = references_host_specs(scenario, topology, arena,
                                   &experiment->hosts, err);
    }
    return st ? st
              : flows_create(scenario, topology, arena, &experiment->flows,
                             err);
}
