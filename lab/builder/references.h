/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_REFERENCES_H
#define ORCHD_LAB_BUILDER_REFERENCES_H

/* What the names of a scenario refer to.
 *
 * The parser of scenarios does not know the nodes that a preset of the fabric
 * makes.  These functions look names up in the topology; errors have the
 * position of the name in the file and suggest the nearest existing one.  Pure.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/builder/topology.h"
#include "lab/scenario/scenario.h"

struct arena;

/* A list of nodes, links or ports, ascending, each once. */
struct reference_list {
    uint32_t *numbers;
    size_t n;
};

/* Stores the hosts that 'selector' means, in the order of its items; those of
 * one item are in canonical order.  An empty selector means all hosts.
 * ST_INVALID: an item that means none. */
enum st references_hosts(const struct scenario *scenario,
                         const struct topology *topology,
                         const struct selector *selector, struct arena *arena,
                         struct reference_list *hosts,
                         struct err *err) ST_WARN_UNUSED;

/* Stores the switches that 'selector', which is at 'place', means.  ST_INVALID:
 * an item that means none. */
enum st references_switches(const struct scenario *scenario,
                            const struct topology *topology,
                            const struct selector *selector,
                            const struct scenario_place *place,
                            struct arena *arena,
                            struct reference_list *switches,
                            struct err *err) ST_WARN_UNUSED;

/* Stores the number of 'link' of a fault or of a recording, and which of its
 * ends is named first. */
enum st references_link(const struct scenario *scenario,
                        const struct topology *topology, const char *link,
                        const struct scenario_place *place, struct arena *arena,
                        uint32_t *number, unsigned int *end,
                        struct err *err) ST_WARN_UNUSED;

/* Stores for each host its struct host_spec: 'specs[i]' is that of node
 * 'n_switches + i'.  Later groups override earlier ones. */
enum st references_host_specs(const struct scenario *scenario,
                              const struct topology *topology,
                              struct arena *arena,
                              const struct host_spec ***specs,
                              struct err *err) ST_WARN_UNUSED;

/* What holds for one switch: its own role_spec over that of its role.  'set'
 * has the rows of both. */
void references_role(const struct scenario *scenario,
                     const struct topology *topology, uint32_t node,
                     struct arena *arena, struct role_spec *role);

/* Checks all names of 'scenario': roles and switches, hosts of groups and of
 * traffic and repairs, links of faults, switches that restart or get a rollout,
 * ports and nodes of recordings, groups of traffic. */
enum st references_check(const struct scenario *scenario,
                         const struct topology *topology, struct arena *arena,
                         struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/references.h */
