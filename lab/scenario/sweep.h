/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_SWEEP_H
#define ORCHD_LAB_SCENARIO_SWEEP_H

/* 'seed', 'sweep' and 'variants': the runs of a file, and their values.
 *
 *     seed: 1..20
 *     sweep:
 *       links.t2_rh.length: [10km, 40km]      every combination
 *     variants:
 *       pfc_only: {hosts.default.dcqcn: off}  one set after the other
 *       dcqcn: {hosts.default.dcqcn: paper}
 *
 * A path names a value by the keys that lead to it from the top; "fabric." may
 * be left out.  In a list, it names an item by its 'name' or by its number from
 * 0.  The last key need not exist yet.  A value is put into the tree of nodes
 * with its position in the file, before the sections are read.
 *
 * Internal to lab/scenario. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/scenario/fields.h"
#include "lab/scenario/scenario.h"

struct sweep_key {
    const char *path;
    struct fy_node *key;    /* For messages. */
    struct fy_node *values; /* A list with at least one item. */
    size_t n;
};

struct sweep_variant {
    const char *name;
    struct fy_node *values; /* A map of paths. */
};

struct sweep {
    struct sweep_key *keys;
    size_t n_keys;
    struct sweep_variant *variants;
    size_t n_variants;
    uint64_t *seeds;
    size_t n_seeds; /* At least 1. */
    size_t n_runs;
};

/* Reads the values of the three keys, each of which may be NULL. */
enum st sweep_read(struct reader *reader, struct fy_node *seed,
                   struct fy_node *keys, struct fy_node *variants,
                   struct sweep *sweep) ST_WARN_UNUSED;

/* Stores what is particular to run 'number', below 'n_runs'. */
enum st sweep_run(struct reader *reader, const struct sweep *sweep,
                  size_t number, struct scenario_run *run) ST_WARN_UNUSED;

/* Puts the values of run 'number' into the tree below 'root'. */
enum st sweep_apply(struct reader *reader, const struct sweep *sweep,
                    size_t number, struct fy_node *root) ST_WARN_UNUSED;

/* Puts 'value', which is not from the file, at 'path' below 'root'; "seed" is a
 * path here, and keys of 'sweep' (NULL: none) are not. */
enum st sweep_put(struct reader *reader, struct fy_node *root,
                  struct fy_node *sweep, const char *path,
                  struct fy_node *value) ST_WARN_UNUSED;

/* Returns the scenario below 'root' with 'seed' and without 'sweep' and
 * 'variants', a line for each key. */
const char *sweep_text(struct reader *reader, struct fy_node *root,
                       uint64_t seed);

/* Returns the text of a value: that of a scalar, or a list or map in flow
 * style. */
const char *sweep_value_text(struct reader *reader, struct fy_node *node);

#endif /* lab/scenario/sweep.h */
