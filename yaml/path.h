/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_YAML_PATH_H
#define ORCHD_YAML_PATH_H

/* Replaces values of a scenario by path: "topology.cable", "steps.3.send.size".
 *
 * A path has the keys that lead to a value, with dots between them.  In a list,
 * it names an item by its 'name' or by its number from 0.  The last key need
 * not exist yet. */

#include "base/status.h"

struct arena;
struct document;
struct fy_node;

enum { PATH_DEPTH_MAX = 16 };

/* Where a path is, for messages. */
struct path_place {
    struct document *document;
    struct arena *arena;
    struct fy_node *node; /* At which messages point. */
};

/* Puts a copy of 'value' at 'path' below 'node'.  If the last key is new,
 * stores its node in '*added', else leaves that unchanged.  ST_INVALID: nothing
 * is there; 'err' lists what is, and names the nearest. */
enum st path_put(const struct path_place *place, struct fy_node *node,
                 const char *path, struct fy_node *value,
                 struct fy_node **added, struct err *err) ST_WARN_UNUSED;

#endif /* yaml/path.h */
