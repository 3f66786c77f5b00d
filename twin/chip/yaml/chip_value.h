/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_YAML_CHIP_VALUE_H
#define ORCHD_TWIN_CHIP_YAML_CHIP_VALUE_H

/* Reads one value of a chip file.  Internal to twin/chip/yaml.
 *
 * A table row ('struct chip_field') says what a key may hold and where in
 * 'struct chip' it is stored; a function of type 'chip_field_read_fn' reads
 * values of one kind.  All return ST_OK, or ST_INVALID or ST_UNSUPPORTED with
 * the position and reason in '*reader->err'. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/chip/chip.h"

struct fy_node;

/* One document that a chip is read from; later ones override earlier ones. */
struct chip_layer {
    struct fy_node *root; /* NULL: it is empty. */
    const char *origin;   /* Name of the file, for messages. */
};

/* The state of reading one chip. */
struct chip_reader {
    struct chip *chip;  /* Being filled; its arena exists. */
    const char *origin; /* Of the layer being read. */
    struct err *err;    /* May be NULL. */
};

struct chip_field;

typedef enum st chip_field_read_fn(const struct chip_reader *reader,
                                   const struct chip_field *field,
                                   struct fy_node *node);

/* What one key may hold.  A table of them ends with a zeroed row. */
struct chip_field {
    const char *key;
    chip_field_read_fn *read;
    size_t offset; /* Of the member in 'struct chip'. */
    uint64_t min;  /* Of numbers. */
    uint64_t max;
    const char *const *texts; /* Of an enumeration, ends with NULL. */
};

/* Reports that 'node' (NULL: a missing one) is wrong for 'field', because of
 * 'what'.  'allowed' may be NULL.  Returns 'status'. */
enum st chip_value_refuse(const struct chip_reader *reader,
                          struct fy_node *node, const char *field,
                          enum st status, const char *allowed,
                          const char *what);

/* Reports that 'node' is not 'wanted' ("a number").  Returns ST_INVALID. */
enum st chip_value_wrong_type(const struct chip_reader *reader,
                              struct fy_node *node, const char *field,
                              const char *wanted);

/* Returns the text of a scalar, or NULL if 'node' is not one (or is an alias).
 * Borrowed from the document. */
const char *chip_value_text(struct fy_node *node);

/* Returns whether 'node' explicitly has no value: "null" or "~". An empty value
 * is different. */
bool chip_value_is_none(struct fy_node *node);

/* Parses "true", "yes", "on", "1" or their opposites, in any case, into
 * '*value'.  Returns false if 'text' is none of these. */
bool chip_value_bool(const char *text, bool *value);

/* Reads a number in the field's range into '*value'. */
enum st chip_value_number(const struct chip_reader *reader,
                          const struct chip_field *field, struct fy_node *node,
                          uint64_t *value);

/* Read a number, a boolean, a string that is not empty, or one of the field's
 * words (into an enum that numbers them from 0). */
chip_field_read_fn chip_value_read_u64;
chip_field_read_fn chip_value_read_u32;
chip_field_read_fn chip_value_read_bool;
chip_field_read_fn chip_value_read_text;
chip_field_read_fn chip_value_read_enum;

/* Reads kilobytes with up to three decimals as thousandths (uint32_t). */
chip_field_read_fn chip_value_read_milli_kb;

#endif /* twin/chip/yaml/chip_value.h */
