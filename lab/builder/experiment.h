/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_EXPERIMENT_H
#define ORCHD_LAB_BUILDER_EXPERIMENT_H

/* One run of a scenario with all its names resolved: what a runner builds.
 *
 * Everything is in the caller's arena.  The parts refer to each other, so an
 * experiment must not be copied. */

#include <stddef.h>

#include "base/status.h"
#include "lab/builder/flows.h"
#include "lab/builder/topology.h"
#include "lab/scenario/scenario.h"

struct arena;

struct experiment {
    struct scenario scenario;
    struct topology topology;
    /* Of each switch.  Switches with the same configuration have the same
     * pointer. */
    const struct role_spec **switches;
    /* Of each host: 'hosts[i]' is that of node 'n_switches + i'. */
    const struct host_spec **hosts;
    struct flow_list flows;
};

/* Parses run 'number' of 'input', builds its topology, checks all names and
 * makes its flows.  ST_INVALID fills 'err' with "file:line:column: ..." and
 * leaves '*experiment' undefined. */
enum st experiment_load(const struct scenario_input *input, size_t number,
                        struct arena *arena, struct experiment *experiment,
                        struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/experiment.h */
