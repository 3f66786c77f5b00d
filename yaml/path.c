/* SPDX-License-Identifier: Apache-2.0 */

/* Follows paths through the nodes of a scenario. */

#include <config.h>

#include "yaml/path.h"

#include <libfyaml.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "yaml/document.h"

/* Returns whether scalar 'node' is 'text'. */
static bool
is_text(struct fy_node *node, const char *text)
{
    size_t length = 0;
    const char *bytes = node && fy_node_is_scalar(node)
                            ? fy_node_get_scalar(node, &length)
                            : NULL;

    return bytes && length == strlen(text) && !memcmp(bytes, text, length);
}

/* Returns the item of list 'node' called 'name', or with that number. */
static struct fy_node *
find_item(struct fy_node *node, const char *name)
{
    struct fy_node *item;
    void *iterator = NULL;
    uint64_t index;

    if (!parse_u64(name, 0, 1000000, &index)) {
        return fy_node_sequence_get_by_index(node, (int)index);
    }
    while ((item = fy_node_sequence_iterate(node, &iterator))) {
        if (is_text(document_member(item, "name"), name)) {
            return item;
        }
    }
    return NULL;
}

static struct fy_node *
find_child(struct fy_node *node, const char *name)
{
    return node && fy_node_is_sequence(node) ? find_item(node, name)
                                             : document_member(node, name);
}

/* Fails because nothing is called 'name' in 'node'. */
static enum st
fail_path(const struct path_place *place, const char *path, const char *name,
          struct fy_node *node, struct err *err)
{
    struct nearest nearest;
    struct text keys = {0};
    struct fy_node_pair *pair;
    void *iterator = NULL;
    char hint[NEAREST_HINT_SIZE];

    nearest_init(&nearest, name, strlen(name));
    while (node && fy_node_is_mapping(node) &&
           (pair = fy_node_mapping_iterate(node, &iterator))) {
        size_t length = 0;
        const char *key = fy_node_get_scalar(fy_node_pair_key(pair), &length);
        const char *copy =
            arena_strndup(place->arena, key ? key : "", key ? length : 0);

        nearest_try(&nearest, copy);
        text_add_item(&keys, ", ", copy);
    }
    (void)document_fail(place->document, place->node, err,
                        "path '%s': the scenario has no '%s' there%s", path,
                        name, nearest_hint(&nearest, hint));
    err_set_field(err, NULL, NULL, text_string(&keys));
    text_fini(&keys);
    return ST_INVALID;
}

/* Replaces the value of key 'name' of 'map' by a copy of 'value', or adds it
 * and stores the node of the new key in '*added'.  Returns false if it cannot
 * be added: white space around a name is not part of the text of a key, but the
 * library compares it. */
static bool
set_member(struct fy_node *map, const char *name, struct fy_node *value,
           struct fy_node **added)
{
    struct fy_document *tree = fy_node_document(map);
    struct fy_node *copy = fy_node_copy(tree, value);
    struct fy_node_pair *pair;
    void *iterator = NULL;

    orch_assert(copy);
    while ((pair = fy_node_mapping_iterate(map, &iterator))) {
        if (is_text(fy_node_pair_key(pair), name)) {
            orch_assert(!fy_node_pair_set_value(pair, copy));
            return true;
        }
    }
    *added = fy_node_create_scalar_copy(tree, name, strlen(name));
    orch_assert(*added);
    if (!fy_node_mapping_append(map, *added, copy)) {
        return true;
    }
    fy_node_free(*added);
    fy_node_free(copy);
    *added = NULL;
    return false;
}

enum st
path_put(const struct path_place *place, struct fy_node *node, const char *path,
         struct fy_node *value, struct fy_node **added, struct err *err)
{
    const char *rest = path;

    for (unsigned int depth = 0; depth < PATH_DEPTH_MAX; depth++) {
        const char *dot = strchr(rest, '.');
        const char *name = arena_strndup(
            place->arena, rest, dot ? (size_t)(dot - rest) : strlen(rest));
        struct fy_node *child = find_child(node, name);

        if (!dot && node && fy_node_is_mapping(node)) {
            document_changes(place->document);
            if (set_member(node, name, value, added)) {
                return ST_OK;
            }
        }
        if (!child || !dot) {
            return fail_path(place, path, name, node, err);
        }
        node = child;
        rest = dot + 1;
    }
    return document_fail(place->document, place->node, err,
                         "path '%s' has more than %d keys", path,
                         PATH_DEPTH_MAX);
}
