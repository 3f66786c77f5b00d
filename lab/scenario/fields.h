/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_FIELDS_H
#define ORCHD_LAB_SCENARIO_FIELDS_H

/* Reads the maps of a scenario by tables of their keys.
 *
 * A row of a table says everything about a key: its name, the kind of value and
 * its unit, the range, the default, and the member that stores it.  Ranges and
 * defaults are texts in the language itself, "1us..10s": messages quote them,
 * and scripts/check_docs.py compares them with the reference.  A key that is
 * not in the table is an error that names the most similar one.
 *
 * Internal to lab/scenario. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/scenario/fabric_spec.h"
#include "lab/scenario/host_spec.h"
#include "yaml/document.h"

struct nic_files;

/* The kind of a value, and the C type that it is stored as. */
enum field_kind {
    FIELD_TIME,     /* int64_t, ps */
    FIELD_BYTES,    /* int64_t */
    FIELD_RATE,     /* int64_t, bit/s */
    FIELD_LENGTH,   /* int64_t, mm */
    FIELD_COUNT,    /* int64_t */
    FIELD_RATIO,    /* struct ratio */
    FIELD_BOOL,     /* bool: "true" or "false" */
    FIELD_WORD,     /* int: the position in 'words'. */
    FIELD_WORDS,    /* uint32_t: a bit per word of a list. */
    FIELD_BITS,     /* uint32_t: a bit per number of a list, "[3, 5..7]". */
    FIELD_NAME,     /* const char *: letters, digits, '-' and '_'. */
    FIELD_TEXT,     /* const char *: anything but nothing. */
    FIELD_SELECTOR, /* struct selector: a name, or a list of names. */
    FIELD_NODE,     /* struct fy_node *: read elsewhere. */
};

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset; /* Of the member. */
    /* "LOW..HIGH", both included; "inf" as HIGH allows "inf".  NULL for kinds
     * without a range. */
    const char *range;
    /* The default as text; NULL: the member stays as it is. */
    const char *initial;
    const char *const *words; /* Ends with NULL. */
};

/* The value of 'initial' of a key that has to be there. */
extern const char field_required[];

#define N_FIELDS(fields) (sizeof(fields) / sizeof(fields)[0])

/* The maximum number of keys in a table. */
enum { FIELDS_MAX = 64 };

/* A key that is not in the file: the position of 'source' is reported instead
 * of that of 'node'. */
struct added_key {
    struct fy_node *node, *source;
    struct added_key *next;
};

/* What reading needs; all borrowed. */
struct reader {
    struct document *document;
    struct arena *arena;
    struct err *err;
    enum st (*check_metric)(const char *text, enum quantity_kind *kind,
                            struct err *err); /* Or NULL. */
    struct added_key *added;                  /* In the arena. */
    const struct nic_files *nics;             /* NULL: there are none. */
};

/* Stores the defaults of 'n' (at most FIELDS_MAX) 'fields' in the struct at
 * 'base'. */
void fields_init(struct reader *reader, const struct field *fields, size_t n,
                 void *base);

/* Reads map 'node', called 'what' in messages, into the struct at 'base'.
 * Members whose key is missing stay unchanged.  Bit i of '*seen' (may be NULL)
 * is set if the map has fields[i]. */
enum st fields_read(struct reader *reader, struct fy_node *node,
                    const char *what, const struct field *fields, size_t n,
                    void *base, uint64_t *seen) ST_WARN_UNUSED;

/* Reads one value as fields_read() does. */
enum st fields_read_value(struct reader *reader, struct fy_node *node,
                          const struct field *field, void *base) ST_WARN_UNUSED;

/* Parses 'text', which is not in a file, as the value of 'key', one of the 'n'
 * 'fields' whose kind is a number with a range, into '*value'.  ST_INVALID:
 * 'err' says what is allowed, and '*value' is undefined. */
enum st fields_parse_number(const struct field *fields, size_t n,
                            const char *key, const char *text, void *value,
                            struct err *err) ST_WARN_UNUSED;

/* Stores the raw text of a scalar; 'what' names it in messages. */
enum st fields_text(struct reader *reader, struct fy_node *node,
                    const char *what, const char **text) ST_WARN_UNUSED;

/* Reads a name: letters, digits, '-' and '_', at most 63. */
enum st fields_name(struct reader *reader, struct fy_node *node,
                    const char *what, const char **name) ST_WARN_UNUSED;

/* Processes one item of a list, or one pair of a map. */
typedef enum st fields_item_fn(struct reader *reader, struct fy_node *node,
                               void *context);
typedef enum st fields_pair_fn(struct reader *reader, struct fy_node *key,
                               const char *name, struct fy_node *value,
                               void *context);

/* Stores whether 'node', called 'what' in messages, is on: it is the word "on",
 * or a map, which the caller reads; not if it is "off".  ST_INVALID: another
 * word. */
enum st fields_on_off(struct reader *reader, struct fy_node *node,
                      const char *what, bool *is_on) ST_WARN_UNUSED;

/* Calls 'fn' for each item of a list, or for 'node' itself if it is not one.
 * Stops at the first failure. */
enum st fields_each_item(struct reader *reader, struct fy_node *node,
                         fields_item_fn *fn, void *context) ST_WARN_UNUSED;

/* What was read from a list: structs in the arena of the reader. */
struct fields_list {
    void *items;
    size_t n;
};

/* Reads each item that fields_each_item() visits, none if 'node' is NULL, into
 * a zeroed struct of 'size' bytes, which is the context of 'fn'. */
enum st fields_read_list(struct reader *reader, struct fy_node *node,
                         size_t size, fields_item_fn *fn,
                         struct fields_list *list) ST_WARN_UNUSED;

/* Calls 'fn' for each pair of map 'node', called 'what' in messages. */
enum st fields_each_pair(struct reader *reader, struct fy_node *node,
                         const char *what, fields_pair_fn *fn,
                         void *context) ST_WARN_UNUSED;

/* Returns the number of items that fields_each_item() or fields_each_pair()
 * visits. */
size_t fields_n_items(struct fy_node *node);

/* Fails because 'found' is not one of 'words'; names the nearest. */
enum st fields_fail_word(struct reader *reader, struct fy_node *node,
                         const char *what, const char *found,
                         const char *const *words);

/* Returns where 'node' begins. */
struct scenario_place fields_place(struct reader *reader, struct fy_node *node);

#endif /* lab/scenario/fields.h */
