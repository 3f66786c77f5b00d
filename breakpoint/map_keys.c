/* SPDX-License-Identifier: Apache-2.0 */

/* Reads YAML maps by a table of their keys. */

#include <config.h>

#include "breakpoint/map_keys.h"

#include <libfyaml.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "breakpoint/values.h"
#include "yaml/document.h"

/* Writes the names of 'n' keys into 'buffer': "a, b, c". */
static void
list_keys(const struct map_key *keys, size_t n, char *buffer, size_t size)
{
    struct text list = {0};

    for (size_t i = 0; i < n; i++) {
        if (list.length + strlen(keys[i].key) + sizeof ", , ..." > size) {
            text_add_item(&list, ", ", "...");
            break;
        }
        text_add_item(&list, ", ", keys[i].key);
    }
    text_copy(buffer, size, text_string(&list));
    text_fini(&list);
}

/* Reads a scalar that has to be one of the key's words.  The error lists the
 * words. */
static enum st
read_word(struct values *values, struct fy_node *node,
          const struct map_key *key, int *position, struct err *err)
{
    struct text list = {0};
    const char *text = NULL;
    enum st st = values_text(values, node, key->key, &text, err);

    if (st) {
        return st;
    }
    for (int i = 0; key->words[i]; i++) {
        if (!strcmp(key->words[i], text)) {
            text_fini(&list);
            *position = i;
            return ST_OK;
        }
        text_add_item(&list, ", ", key->words[i]);
    }
    st = document_fail(values_document(values), node, err,
                       "expected %s to be one of: %s; found '%s'", key->key,
                       text_string(&list), text);
    text_fini(&list);
    return st;
}

/* Reads the value of one key into its struct member. */
static enum st
read_value(struct values *values, struct fy_node *node,
           const struct map_key *key, void *base, struct err *err)
{
    void *member = (char *)base + key->offset;

    switch (key->type) {
    case MAP_KEY_NODE:
        memcpy(member, &node, sizeof node);
        return ST_OK;
    case MAP_KEY_TEXT:
        return values_text(values, node, key->key, member, err);
    case MAP_KEY_WORD:
        return read_word(values, node, key, member, err);
    case MAP_KEY_NUMBER:
    default:
        return values_number(values, node, key->key, key->min, key->max, member,
                             err);
    }
}

/* Reports an unknown key and suggests the most similar one. */
static enum st
fail_unknown(struct values *values, struct fy_node *key, const char *name,
             const char *what, const struct map_key *keys, size_t n,
             struct err *err)
{
    struct nearest nearest;
    char allowed[160], hint[NEAREST_HINT_SIZE];

    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; i < n; i++) {
        nearest_try(&nearest, keys[i].key);
    }
    list_keys(keys, n, allowed, sizeof allowed);
    return document_fail(values_document(values), key, err,
                         "%s has no key '%s'%s; expected one of: %s", what,
                         name, nearest_hint(&nearest, hint), allowed);
}

/* Reads one key of a map. */
static enum st
read_pair(struct values *values, struct fy_node_pair *pair, const char *what,
          const struct map_key *keys, size_t n, void *base, uint64_t *seen,
          struct err *err)
{
    struct fy_node *key = fy_node_pair_key(pair);
    const char *name = NULL;
    enum st st =
        document_scalar(values_document(values), key, "a key", &name, err);

    if (st) {
        return st;
    }
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(keys[i].key, name)) {
            *seen |= UINT64_C(1) << i;
            return read_value(values, fy_node_pair_value(pair), &keys[i], base,
                              err);
        }
    }
    return fail_unknown(values, key, name, what, keys, n, err);
}

enum st
map_keys_read(struct values *values, struct fy_node *node, const char *what,
              const struct map_key *keys, size_t n, void *base, uint64_t *seen,
              struct err *err)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;
    char allowed[160];

    orch_assert(n <= MAP_KEYS_MAX);
    *seen = 0;
    if (!node || !fy_node_is_mapping(node)) {
        list_keys(keys, n, allowed, sizeof allowed);
        return document_fail(values_document(values), node, err,
                             "expected %s to be a map with keys of: %s", what,
                             allowed);
    }
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        st = read_pair(values, pair, what, keys, n, base, seen, err);
    }
    for (size_t i = 0; !st && i < n; i++) {
        if (keys[i].required && !(*seen & (UINT64_C(1) << i))) {
            st = document_fail(values_document(values), node, err,
                               "%s needs the key '%s'", what, keys[i].key);
        }
    }
    return st;
}
