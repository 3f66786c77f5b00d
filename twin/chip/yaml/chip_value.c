/* SPDX-License-Identifier: Apache-2.0 */

/* Scalars of a chip file, with their positions for messages. libfyaml knows the
 * positions of scalars only: a list or a mapping has that of its first
 * scalar. */

#include <config.h>

#include "twin/chip/yaml/chip_value.h"

#include <string.h>
#include <strings.h>

#include <libfyaml.h>

#include "base/arena.h"
#include "base/parse.h"
#include "base/text.h"

/* Errors --------------------------------------------------------------- */

/* Returns the first scalar in 'node', because only scalars have a position. */
static struct fy_node *
first_scalar(struct fy_node *node)
{
    void *iterator = NULL;

    while (node && !fy_node_is_scalar(node)) {
        iterator = NULL;
        if (fy_node_is_sequence(node)) {
            node = fy_node_sequence_iterate(node, &iterator);
        } else {
            struct fy_node_pair *pair =
                fy_node_mapping_iterate(node, &iterator);

            node = pair ? fy_node_pair_key(pair) : NULL;
        }
    }
    return node;
}

/* Reports that the value at 'node' is wrong.  'allowed' may be NULL. */
enum st
chip_value_refuse(const struct chip_reader *reader, struct fy_node *node,
                  const char *field, enum st status, const char *allowed,
                  const char *what)
{
    struct fy_node *scalar = first_scalar(node);
    struct fy_token *token = scalar ? fy_node_get_scalar_token(scalar) : NULL;
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    const char *value = node && fy_node_is_scalar(node) && mark
                            ? fy_node_get_scalar0(node)
                            : NULL;

    err_set(reader->err, status,
            status == ST_UNSUPPORTED ? "chip-unsupported" : "chip-invalid",
            "%s:%d:%d: %s: %s", reader->origin, mark ? mark->line + 1 : 1,
            mark ? mark->column + 1 : 1, field, what);
    err_set_field(reader->err, field, value, allowed);
    return status;
}

enum st
chip_value_wrong_type(const struct chip_reader *reader, struct fy_node *node,
                      const char *field, const char *wanted)
{
    char what[64];

    text_format(what, sizeof what, "must be %s", wanted);
    return chip_value_refuse(reader, node, field, ST_INVALID, wanted, what);
}

/* Returns the text of scalar 'node', or NULL if it is not a scalar. */
const char *
chip_value_text(struct fy_node *node)
{
    return node && fy_node_is_scalar(node) && !fy_node_is_alias(node)
               ? fy_node_get_scalar0(node)
               : NULL;
}

bool
chip_value_is_none(struct fy_node *node)
{
    const char *text = chip_value_text(node);

    return text && (strcmp(text, "null") == 0 || strcmp(text, "~") == 0);
}

/* Kinds ---------------------------------------------------------------- */

/* Returns where the value of 'field' is stored. */
static void *
member(const struct chip_reader *reader, const struct chip_field *field)
{
    return (char *)reader->chip + field->offset;
}

enum st
chip_value_number(const struct chip_reader *reader,
                  const struct chip_field *field, struct fy_node *node,
                  uint64_t *value)
{
    const char *text = chip_value_text(node);
    char allowed[64];

    if (text && parse_u64(text, field->min, field->max, value) == ST_OK) {
        return ST_OK;
    }
    text_format(allowed, sizeof allowed, "a number from %llu to %llu",
                (unsigned long long)field->min, (unsigned long long)field->max);
    return chip_value_wrong_type(reader, node, field->key, allowed);
}

enum st
chip_value_read_u64(const struct chip_reader *reader,
                    const struct chip_field *field, struct fy_node *node)
{
    return chip_value_number(reader, field, node, member(reader, field));
}

enum st
chip_value_read_u32(const struct chip_reader *reader,
                    const struct chip_field *field, struct fy_node *node)
{
    uint64_t value = 0;
    enum st status = chip_value_number(reader, field, node, &value);

    if (status == ST_OK) {
        *(uint32_t *)member(reader, field) = (uint32_t)value;
    }
    return status;
}

bool
chip_value_bool(const char *text, bool *value)
{
    static const char *const texts[][2] = {
        {"false", "true"}, {"no", "yes"}, {"off", "on"}, {"0", "1"}};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int v = 0; v < 2; v++) {
            if (strcasecmp(text, texts[i][v]) == 0) {
                *value = v;
                return true;
            }
        }
    }
    return false;
}

enum st
chip_value_read_bool(const struct chip_reader *reader,
                     const struct chip_field *field, struct fy_node *node)
{
    const char *text = chip_value_text(node);

    return text && chip_value_bool(text, member(reader, field))
               ? ST_OK
               : chip_value_wrong_type(reader, node, field->key,
                                       "true or false");
}

enum st
chip_value_read_text(const struct chip_reader *reader,
                     const struct chip_field *field, struct fy_node *node)
{
    const char *text = chip_value_text(node);

    if (text && text[0]) {
        *(const char **)member(reader, field) =
            arena_strdup(reader->chip->arena, text);
        return ST_OK;
    }
    return chip_value_wrong_type(reader, node, field->key, "a string");
}

/* Returns whether 'text' is 'word', in any case, or its plural. */
static bool
is_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    return strncasecmp(text, word, n) == 0 &&
           (text[n] == '\0' || strcasecmp(text + n, "s") == 0);
}

/* Enumerations have the size of 'enum chip_unit', and number their texts from
 * 0. */
enum st
chip_value_read_enum(const struct chip_reader *reader,
                     const struct chip_field *field, struct fy_node *node)
{
    const char *text = chip_value_text(node);
    char allowed[128] = "";

    for (unsigned int i = 0; field->texts[i]; i++) {
        if (text && is_word(text, field->texts[i])) {
            memcpy(member(reader, field), &i, sizeof i);
            return ST_OK;
        }
        text_format(allowed + strlen(allowed), sizeof allowed - strlen(allowed),
                    "%s%s", i ? ", " : "", field->texts[i]);
    }
    return chip_value_refuse(reader, node, field->key, ST_INVALID, allowed,
                             "not one of the known words");
}

/* Parses kilobytes with up to three decimals as thousandths. */
enum st
chip_value_read_milli_kb(const struct chip_reader *reader,
                         const struct chip_field *field, struct fy_node *node)
{
    const char *text = chip_value_text(node);
    const char *dot = text ? strchr(text, '.') : NULL;
    char whole[16];
    char decimals[] = "000";
    uint64_t kb = 0;
    uint64_t milli = 0;

    if (text && strlen(text) < sizeof whole) {
        text_copy(whole, sizeof whole, text);
        if (dot) {
            size_t n = strlen(dot + 1);

            whole[dot - text] = '\0';
            memcpy(decimals, dot + 1, n < 3 ? n : 3);
            text = n >= 1 && n <= 3 ? text : NULL;
        }
        if (text && parse_u64(whole, 0, 1000000, &kb) == ST_OK &&
            parse_u64(decimals, 0, 999, &milli) == ST_OK) {
            *(uint32_t *)member(reader, field) = (uint32_t)(kb * 1000 + milli);
            return ST_OK;
        }
    }
    return chip_value_wrong_type(reader, node, field->key,
                                 "kB with up to three decimals");
}
