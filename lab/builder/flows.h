/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_FLOWS_H
#define ORCHD_LAB_BUILDER_FLOWS_H

/* The flows that the traffic of a scenario stands for.
 *
 * A flow is one queue pair, or one raw stream, from a host to another one, or
 * over the loop of its adapter to itself.  Flows
 * are numbered in the order of 'traffic' and, within an item, by pair and then
 * by queue pair.  What is random (permutations, jitter) follows from the seed
 * of the run, the number of the item and the number of the flow in it; it does
 * not depend on other items.  Pure. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/builder/topology.h"
#include "lab/scenario/scenario.h"

struct arena;

enum { FLOWS_MAX = 1 << 22 };

struct flow {
    uint32_t item;                /* Number in scenario->traffic. */
    uint32_t source, destination; /* Hosts, as node numbers. */
    uint32_t qp;                  /* 0.. among those of the pair. */
    uint16_t source_port; /* UDP, 49152..65535, by the source's entropy. */
    int64_t start_ps;     /* With jitter. */
};

struct flow_list {
    struct flow *flows;
    size_t n;
};

/* Stores the flows of 'scenario' in '*list'.  ST_INVALID fills 'err': a pattern
 * whose hosts do not fit it, or more than FLOWS_MAX flows. */
enum st flows_create(const struct scenario *scenario,
                     const struct topology *topology, struct arena *arena,
                     struct flow_list *list, struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/flows.h */
