/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_MAP_KEYS_H
#define ORCHD_BREAKPOINT_MAP_KEYS_H

/* Reads YAML maps by a table of their keys.
 *
 * Each verb has a table of the keys that its map may have, with the type and
 * range of their values.  A key that is not in the table is an error that names
 * the most similar key: a misspelt expectation must not pass silently. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct fy_node;
struct values;

/* The type of a value, and the C type it is stored as. */
enum map_key_type {
    MAP_KEY_NODE,   /* Anything: struct fy_node * */
    MAP_KEY_TEXT,   /* A scalar: const char * */
    MAP_KEY_NUMBER, /* An expression in min..max: int64_t */
    MAP_KEY_WORD,   /* One of 'words': int, its position. */
};

/* One key that a map may have. */
struct map_key {
    const char *key;
    enum map_key_type type;
    bool required;
    size_t offset; /* Of the member in the caller's struct. */
    int64_t min, max;
    const char *const *words; /* Ends with NULL. */
};

/* The maximum number of keys in a table. */
#define MAP_KEYS_MAX 64

/* Reads map 'node' by the table of 'n' (at most MAP_KEYS_MAX) 'keys' into the
 * struct at 'base'.  Members whose key is missing stay unchanged.  Bit i of
 * '*seen' is set if the map has keys[i]. 'what' names the map in messages. */
enum st map_keys_read(struct values *values, struct fy_node *node,
                      const char *what, const struct map_key *keys, size_t n,
                      void *base, uint64_t *seen,
                      struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/map_keys.h */
