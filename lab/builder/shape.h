/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SHAPE_H
#define ORCHD_LAB_BUILDER_SHAPE_H

/* Nodes and links of a preset or a graph, before they have ports and addresses.
 * Internal to topology_build.c. */

#include "base/status.h"
#include "lab/builder/topology.h"

/* Fill the nodes of 'topology' in canonical order (name, role, tier and place),
 * their counts, and the links (ends, rate, length) in any order.  Fail as
 * topology_build(). */
enum st shape_preset(const struct fabric_spec *spec, const char *file,
                     struct arena *arena, struct topology *topology,
                     struct err *err) ST_WARN_UNUSED;
enum st shape_graph(const struct fabric_spec *spec, const char *file,
                    struct arena *arena, struct topology *topology,
                    struct err *err) ST_WARN_UNUSED;

/* Compares two names; runs of digits compare as numbers. */
int shape_compare_names(const char *a, const char *b);

#endif /* lab/builder/shape.h */
