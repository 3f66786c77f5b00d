/* SPDX-License-Identifier: Apache-2.0 */

/* Describes compiled types for users. */

#include <config.h>

#include "orchd/intent/yang_type.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The limits of the integer types without a range. */
static const struct {
    LY_DATA_TYPE base;
    int64_t min;
    uint64_t max;
} yang_type_integers[] = {
    {LY_TYPE_UINT8, 0, UINT8_MAX},
    {LY_TYPE_UINT16, 0, UINT16_MAX},
    {LY_TYPE_UINT32, 0, UINT32_MAX},
    {LY_TYPE_UINT64, 0, UINT64_MAX},
    {LY_TYPE_INT8, INT8_MIN, INT8_MAX},
    {LY_TYPE_INT16, INT16_MIN, INT16_MAX},
    {LY_TYPE_INT32, INT32_MIN, INT32_MAX},
    {LY_TYPE_INT64, INT64_MIN, INT64_MAX},
};

#define N_NUMBERS (sizeof yang_type_integers / sizeof *yang_type_integers)

/* Returns the row of 'type' above, or N_NUMBERS if it is not an integer. */
static size_t
yang_type_integer_row(const struct lysc_type *type)
{
    size_t i = 0;

    while (i < N_NUMBERS && yang_type_integers[i].base != type->basetype) {
        i++;
    }
    return i;
}

bool
yang_type_is_integer(const struct lysc_type *type)
{
    return yang_type_integer_row(type) < N_NUMBERS;
}

static void
yang_type_describe_range(const struct lysc_type *type, struct text *text)
{
    const struct lysc_range *range =
        ((const struct lysc_type_num *)type)->range;
    size_t row = yang_type_integer_row(type);

    if (!range) {
        text_addf(text, "%" PRId64 "..%" PRIu64, yang_type_integers[row].min,
                  yang_type_integers[row].max);
        return;
    }
    for (size_t i = 0; i < LY_ARRAY_COUNT(range->parts); i++) {
        const char *separator = i ? ", " : "";

        /* libyang has a union here; the type selects the member. */
        if (yang_type_integers[row].min < 0) {
            text_addf(text, "%s%" PRId64 "..%" PRId64, separator,
                      range->parts[i].min_64, range->parts[i].max_64);
        } else {
            text_addf(text, "%s%" PRIu64 "..%" PRIu64, separator,
                      range->parts[i].min_u64, range->parts[i].max_u64);
        }
    }
}

static void
yang_type_describe_enums(const struct lysc_type *type, struct text *text)
{
    const struct lysc_type_bitenum_item *enums =
        ((const struct lysc_type_enum *)type)->enums;

    for (size_t i = 0; i < LY_ARRAY_COUNT(enums); i++) {
        text_add(text, i ? ", " : "");
        text_add(text, enums[i].name);
    }
}

static void
yang_type_describe_string(const struct lysc_type *type, struct text *text)
{
    const struct lysc_type_str *string = (const struct lysc_type_str *)type;

    if (LY_ARRAY_COUNT(string->patterns) && string->patterns[0]->emsg) {
        text_add(text, string->patterns[0]->emsg);
    } else {
        text_add(text, "text");
    }
}

static void
yang_type_describe_union(const struct lysc_type *type, struct text *text)
{
    struct lysc_type **types = ((const struct lysc_type_union *)type)->types;

    for (size_t i = 0; i < LY_ARRAY_COUNT(types); i++) {
        text_add(text, i ? ", or " : "");
        yang_type_describe(types[i], text);
    }
}

void
yang_type_describe(const struct lysc_type *type, struct text *text)
{
    switch (type->basetype) {
    case LY_TYPE_LEAFREF:
        text_add(text, "the name of a ");
        if (!yang_type_target(type, text)) {
            text_add(text, "row");
        }
        break;
    case LY_TYPE_UNION:
        yang_type_describe_union(type, text);
        break;
    case LY_TYPE_ENUM:
        yang_type_describe_enums(type, text);
        break;
    case LY_TYPE_BOOL:
        text_add(text, "true, false");
        break;
    case LY_TYPE_STRING:
        yang_type_describe_string(type, text);
        break;
    default:
        if (yang_type_is_integer(type)) {
            yang_type_describe_range(type, text);
        } else {
            text_add(text, "text");
        }
        break;
    }
}

const char *
yang_type_error_code(const struct lysc_type *type)
{
    if (type->basetype == LY_TYPE_ENUM || type->basetype == LY_TYPE_BOOL) {
        return "enum";
    }
    return yang_type_is_integer(type) ? "range" : "pattern";
}

const struct lysc_type *
yang_type_checked(const struct lysc_type *type)
{
    struct lysc_type **types;

    if (type->basetype != LY_TYPE_UNION) {
        return type;
    }
    types = ((const struct lysc_type_union *)type)->types;
    return yang_type_is_integer(types[0]) ? types[0] : type;
}

/* Appends the text between the second ':' of 'path' and the next slash. */
static bool
yang_type_describe_table(const char *path, struct text *text)
{
    const char *start = strchr(path, ':');

    start = start ? strchr(start + 1, ':') : NULL;
    if (!start) {
        return false;
    }
    start++;
    text_add_bytes(text, start, strcspn(start, "/"));
    return true;
}

bool
yang_type_target(const struct lysc_type *type, struct text *text)
{
    bool found = false;

    if (type->basetype == LY_TYPE_LEAFREF) {
        const struct lysc_type_leafref *reference =
            (const struct lysc_type_leafref *)type;

        found = yang_type_describe_table(lyxp_get_expr(reference->path), text);
    } else if (type->basetype == LY_TYPE_UNION) {
        struct lysc_type **types =
            ((const struct lysc_type_union *)type)->types;

        for (size_t i = 0; i < LY_ARRAY_COUNT(types) && !found; i++) {
            found = yang_type_target(types[i], text);
        }
    }
    return found;
}
