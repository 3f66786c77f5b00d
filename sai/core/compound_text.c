/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of numbers inside other values.
 *
 * The text may come from an untrusted source: the parser compares each count
 * with the items that follow before it allocates memory. */

#include <config.h>

#include "sai/core/compound_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "sai/core/metadata.h"

#define MATCH_TYPE "sai_acl_table_supported_match_type_t"

/* Writes "N:a,b,c", or "0:null". */
static void
write_numbers(const sai_s32_list_t *list, struct text *text)
{
    text_addf(text, "%" PRIu32 ":%s", list->count, list->count ? "" : "null");
    for (uint32_t i = 0; i < list->count; i++) {
        text_addf(text, "%s%" PRId32, i ? "," : "", list->list[i]);
    }
}

/* Writes "N:" and the lists, separated by ";". */
static void
write_taps(const sai_taps_list_t *taps, struct text *text)
{
    text_addf(text, "%" PRIu32 ":%s", taps->count, taps->count ? "" : "null");
    for (uint32_t i = 0; i < taps->count; i++) {
        text_add(text, i ? ";" : "");
        write_numbers(&taps->list[i], text);
    }
}

/* Writes "mandatory:list:match:exact", the list with its own colon. */
static void
write_acl_capability(const sai_acl_capability_t *value, struct text *text)
{
    const char *match = metadata_enum_name(
        metadata_enum(MATCH_TYPE), (int32_t)value->supported_match_type);

    text_addf(text, "%s:", value->is_action_list_mandatory ? "true" : "false");
    write_numbers(&value->action_list, text);
    if (match) {
        text_addf(text, ":%s", match);
    } else {
        text_addf(text, ":%d", (int)value->supported_match_type);
    }
    text_add(text, value->is_non_contiguous_bits_exact_match_supported
                       ? ":true"
                       : ":false");
}

void
compound_text_write(enum kind kind, const sai_attribute_value_t *value,
                    struct text *text)
{
    if (kind == KIND_PORTSERDESTAPS) {
        write_taps(&value->portserdestaps, text);
    } else {
        orch_assert(kind == KIND_ACLCAPABILITY);
        write_acl_capability(&value->aclcapability, text);
    }
}

/* Parses "N:" and stores N in '*count' and the text after the colon in
 * '*rest'. */
static enum st
parse_count(char *string, uint32_t *count, char **rest)
{
    char *colon = strchr(string, ':');
    uint64_t n;

    if (!colon) {
        return ST_INVALID;
    }
    *colon = '\0';
    if (parse_u64(string, 0, KIND_LIST_MAX, &n) || n > strlen(colon + 1) ||
        (n == 0 && strcmp(colon + 1, "null") != 0)) {
        return ST_INVALID;
    }
    *count = (uint32_t)n;
    *rest = colon + 1;
    return ST_OK;
}

/* Cuts the next piece off '*rest' at 'separator'; NULL at the end. */
static char *
cut(char **rest, char separator)
{
    char *piece = *rest;
    char *end;

    if (!piece) {
        return NULL;
    }
    end = strchr(piece, separator);
    if (end) {
        *end++ = '\0';
    }
    *rest = end;
    return piece;
}

/* Parses a list of numbers; modifies 'string'. */
static enum st
parse_numbers(struct arena *arena, char *string, sai_s32_list_t *list)
{
    char *rest;
    char *item;
    uint32_t n = 0;

    if (parse_count(string, &list->count, &rest)) {
        return ST_INVALID;
    }
    if (list->count == 0) {
        return ST_OK;
    }
    list->list = arena_alloc(arena, list->count, sizeof *list->list);
    while ((item = cut(&rest, ','))) {
        int64_t number;

        if (n == list->count ||
            parse_s64(item, INT32_MIN, INT32_MAX, &number)) {
            return ST_INVALID;
        }
        list->list[n++] = (int32_t)number;
    }
    return n == list->count ? ST_OK : ST_INVALID;
}

/* Parses a list of such lists. */
static enum st
parse_taps(struct arena *arena, char *string, sai_taps_list_t *taps)
{
    char *rest;
    char *item;
    uint32_t n = 0;

    if (parse_count(string, &taps->count, &rest)) {
        return ST_INVALID;
    }
    if (taps->count == 0) {
        return ST_OK;
    }
    taps->list = arena_alloc(arena, taps->count, sizeof *taps->list);
    while ((item = cut(&rest, ';'))) {
        if (n == taps->count || parse_numbers(arena, item, &taps->list[n])) {
            return ST_INVALID;
        }
        n++;
    }
    return n == taps->count ? ST_OK : ST_INVALID;
}

static enum st
parse_bool(const char *string, bool *value)
{
    if (!string || (strcmp(string, "true") != 0 && strcmp(string, "false"))) {
        return ST_INVALID;
    }
    *value = string[0] == 't';
    return ST_OK;
}

/* A member without a known name is a number. */
static enum st
parse_match(const char *string, sai_acl_capability_t *value)
{
    int32_t name;
    int64_t number;

    if (!string) {
        return ST_INVALID;
    }
    if (metadata_enum_value(metadata_enum(MATCH_TYPE), string, &name)) {
        number = name;
    } else if (parse_s64(string, INT32_MIN, INT32_MAX, &number)) {
        return ST_INVALID;
    }
    value->supported_match_type = (sai_acl_table_supported_match_type_t)number;
    return ST_OK;
}

/* The list contains a colon and the other parts do not, so they are cut off at
 * the front and then at the back. */
static enum st
parse_acl_capability(struct arena *arena, char *string,
                     sai_acl_capability_t *value)
{
    char *rest = string;
    char *mandatory = cut(&rest, ':');
    char *exact = rest ? strrchr(rest, ':') : NULL;
    char *match;

    if (!exact) {
        return ST_INVALID;
    }
    *exact++ = '\0';
    match = strrchr(rest, ':');
    if (!match) {
        return ST_INVALID;
    }
    *match++ = '\0';
    if (parse_bool(mandatory, &value->is_action_list_mandatory) ||
        parse_numbers(arena, rest, &value->action_list) ||
        parse_match(match, value)) {
        return ST_INVALID;
    }
    return parse_bool(exact,
                      &value->is_non_contiguous_bits_exact_match_supported);
}

enum st
compound_text_parse(struct arena *arena, enum kind kind, const char *string,
                    sai_attribute_value_t *value)
{
    sai_attribute_value_t parsed;
    char *copy = arena_strdup(arena, string);
    enum st status;

    memset(&parsed, 0, sizeof parsed);
    if (kind == KIND_PORTSERDESTAPS) {
        status = parse_taps(arena, copy, &parsed.portserdestaps);
    } else {
        orch_assert(kind == KIND_ACLCAPABILITY);
        status = parse_acl_capability(arena, copy, &parsed.aclcapability);
    }
    if (status == ST_OK) {
        *value = parsed;
    }
    return status;
}
