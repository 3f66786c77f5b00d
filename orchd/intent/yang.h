/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_YANG_H
#define ORCHD_INTENT_YANG_H

/* The YANG modules, compiled and indexed.
 *
 * libyang finds a node by walking names and describes types for machines.  Here
 * each CONFIG_DB table gets its nodes, hashed by field name, a description of
 * what each type allows, and those rules that one row is enough to evaluate.
 *
 * Form of the modules: /MODULE:MODULE/TABLE/TABLE_LIST[keys]/field, with one
 * more list named TABLE inside, of key and value, where the fields of a row are
 * entries of a map.  DEVICE_METADATA has the container "localhost" instead of a
 * list.
 *
 * Only schema.c uses this module. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libyang/libyang.h>
#include <uthash.h>

#include "base/status.h"
#include "orchd/intent/table.h"

/* A leaf or leaf-list: a field, part of a key, or the key or value of a map
 * entry. */
struct yang_leaf {
    const char *name;             /* Owned by libyang. */
    const struct lysc_node *node; /* Owned by libyang. */
    const struct lysc_type *type; /* With all references followed. */
    size_t index;                 /* Its position among the fields. */
    bool mandatory;               /* The row is invalid without it. */
    bool list;                    /* A comma list of items of the type. */
    bool number;                  /* An integer. */
    const char *code;             /* The error code of a bad value. */
    const char *allowed;          /* The allowed values, for users. */
    const char *default_value;    /* The default, or NULL. */
    const char *refers_to;        /* Name of the table referred to, or NULL. */
    UT_hash_handle hh;            /* In struct yang_table, by name. */
};

/* A "must" that depends on no other row. */
struct yang_rule {
    const struct lysc_must *must;
    const struct yang_leaf *leaf;  /* The leaf that has the rule; NULL: the
                                    * row. */
    const struct yang_leaf *field; /* The first one it names, or NULL. */
    bool needs_model;              /* It depends on the buffer model. */
    bool reads_key;                /* It depends on the key. */

    /* The fields that it depends on.  A rule that reads the text of a row as a
     * whole has none. */
    const struct yang_leaf **reads;
    size_t n_reads;
};

/* At most this many parts in a key. */
#define YANG_KEYS_MAX 3

struct yang_table {
    const struct lysc_node *node; /* The list, or the container; or NULL. */
    struct yang_leaf keys[YANG_KEYS_MAX];
    size_t n_keys;
    struct yang_leaf *leaves; /* All fields, an array ... */
    size_t n_leaves;
    struct yang_leaf *by_name; /* ... and its hash. */
    struct yang_rule *rules;
    size_t n_rules;
    bool needs_model; /* One of the rules does. */

    /* Maps only. */
    bool map;
    uint32_t map_min; /* Fewest entries. */
    struct yang_leaf map_key;
    struct yang_leaf map_value;
};

struct yang {
    struct ly_ctx *context;
    const struct lysc_node *model; /* DEVICE_METADATA's buffer_model. */
    struct arena *arena;           /* Owns the arrays and texts. */
    struct yang_table tables[N_TABLES];
};

/* Loads the modules from 'directory'.  Returns as schema_create() does. */
enum st yang_create(const char *directory, struct yang **yang,
                    struct err *err) ST_WARN_UNUSED;

/* Frees 'yang'.  Accepts NULL. */
void yang_destroy(struct yang *yang);

/* Returns the leaf for the field 'name' of a row of 'table', or NULL. */
const struct yang_leaf *yang_leaf(const struct yang_table *table,
                                  const char *name);

#endif /* orchd/intent/yang.h */
