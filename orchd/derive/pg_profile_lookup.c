/* SPDX-License-Identifier: Apache-2.0 */

/* A sorted array; a table has a few dozen entries. */

#include <config.h>

#include "orchd/derive/pg_profile_lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/headroom.h"

enum {
    COLUMNS_MIN = 6, /* xon_offset is optional. */
    COLUMNS = 7,
    LINE_SIZE = 256, /* No valid line is longer. */
};

void
pg_profile_lookup_fini(struct pg_profile_lookup *lookup)
{
    free(lookup->entries);
    *lookup = (struct pg_profile_lookup){0};
}

void
pg_profile_lookup_copy(struct pg_profile_lookup *copy,
                       const struct pg_profile_lookup *lookup)
{
    copy->n = lookup->n;
    copy->entries = check_calloc(lookup->n + 1, sizeof *copy->entries);
    if (lookup->n) {
        memcpy(copy->entries, lookup->entries,
               lookup->n * sizeof *copy->entries);
    }
}

enum st
cable_parse(const char *text, uint32_t *cable_m)
{
    char digits[16];
    size_t length = strlen(text);
    uint64_t value;

    if (length < 2 || length > sizeof digits || text[length - 1] != 'm') {
        return ST_INVALID;
    }
    memcpy(digits, text, length - 1);
    digits[length - 1] = '\0';
    if (parse_u64(digits, 0, HEADROOM_CABLE_MAX_M, &value)) {
        return ST_INVALID;
    }
    *cable_m = (uint32_t)value;
    return ST_OK;
}

/* Returns the position of the entry of a pair, or where to insert it. */
static size_t
find_slot(const struct pg_profile_lookup *lookup, uint32_t speed_mbps,
          uint32_t cable_m)
{
    size_t i = 0;

    while (i < lookup->n && (lookup->entries[i].speed_mbps < speed_mbps ||
                             (lookup->entries[i].speed_mbps == speed_mbps &&
                              lookup->entries[i].cable_m < cable_m))) {
        i++;
    }
    return i;
}

const struct pg_profile_lookup_entry *
pg_profile_lookup_find(const struct pg_profile_lookup *lookup,
                       uint32_t speed_mbps, uint32_t cable_m)
{
    size_t i = find_slot(lookup, speed_mbps, cable_m);

    return i < lookup->n && lookup->entries[i].speed_mbps == speed_mbps &&
                   lookup->entries[i].cable_m == cable_m
               ? &lookup->entries[i]
               : NULL;
}

static enum st
refuse(const char *column, const char *value, const char *allowed,
       struct err *err)
{
    err_set(err, ST_INVALID, "lookup",
            value ? "%s must be %s, not '%s'" : "%s is missing: %s", column,
            allowed, value);
    err_set_field(err, column, value, allowed);
    return ST_INVALID;
}

static enum st
read_bytes(const char *column, const char *text, uint64_t *bytes,
           struct err *err)
{
    return text && parse_u64(text, 0, INT64_MAX, bytes) == ST_OK
               ? ST_OK
               : refuse(column, text, "a number of bytes", err);
}

static enum st
read_entry(const struct pg_profile_lookup_texts *texts,
           struct pg_profile_lookup_entry *entry, struct err *err)
{
    uint64_t speed;
    enum st st;

    if (!texts->speed ||
        parse_u64(texts->speed, 1, HEADROOM_SPEED_MAX_MBPS, &speed)) {
        return refuse("speed", texts->speed, "1..1600000 Mb/s", err);
    }
    entry->speed_mbps = (uint32_t)speed;
    if (!texts->cable || cable_parse(texts->cable, &entry->cable_m)) {
        return refuse("cable", texts->cable, "a length like 40m", err);
    }
    if (!texts->threshold ||
        parse_s64(texts->threshold, -8, INT64_MAX, &entry->threshold)) {
        return refuse("threshold", texts->threshold, "-8 or more", err);
    }
    st = read_bytes("size", texts->size, &entry->size, err);
    st = st ? st : read_bytes("xon", texts->xon, &entry->xon, err);
    st = st ? st : read_bytes("xoff", texts->xoff, &entry->xoff, err);
    if (!st && texts->xon_offset) {
        entry->has_xon_offset = true;
        st = read_bytes("xon_offset", texts->xon_offset, &entry->xon_offset,
                        err);
    }
    return st;
}

enum st
pg_profile_lookup_add(struct pg_profile_lookup *lookup,
                      const struct pg_profile_lookup_texts *texts,
                      struct err *err)
{
    struct pg_profile_lookup_entry entry = {0};
    enum st st = read_entry(texts, &entry, err);
    size_t slot;

    if (st) {
        return st;
    }
    if (pg_profile_lookup_find(lookup, entry.speed_mbps, entry.cable_m)) {
        return err_set(err, ST_EXISTS, "lookup", "%s|%s occurs twice",
                       texts->speed, texts->cable);
    }
    slot = find_slot(lookup, entry.speed_mbps, entry.cable_m);
    lookup->entries = check_realloc(lookup->entries,
                                    (lookup->n + 1) * sizeof *lookup->entries);
    memmove(&lookup->entries[slot + 1], &lookup->entries[slot],
            (lookup->n - slot) * sizeof *lookup->entries);
    lookup->entries[slot] = entry;
    lookup->n++;
    return ST_OK;
}

/* Splits 'line' at blanks, in place, up to a comment.  Returns the number of
 * columns, or COLUMNS + 1 if there are more. */
static size_t
split(char *line, char *columns[COLUMNS])
{
    size_t n = 0;

    line[strcspn(line, "#")] = '\0';
    for (char *at = line + strspn(line, " \t\r"); *at;
         at += strspn(at, " \t\r")) {
        if (n == COLUMNS) {
            return COLUMNS + 1;
        }
        columns[n++] = at;
        at += strcspn(at, " \t\r");
        if (*at) {
            *at++ = '\0';
        }
    }
    return n;
}

enum st
pg_profile_lookup_parse_line(struct pg_profile_lookup *lookup, const char *text,
                             size_t length, struct err *err)
{
    char line[LINE_SIZE];
    char *columns[COLUMNS] = {NULL};
    size_t n;

    if (length >= sizeof line || memchr(text, '\0', length)) {
        return err_set(err, ST_INVALID, "lookup", "the line is too long");
    }
    memcpy(line, text, length);
    line[length] = '\0';
    n = split(line, columns);
    if (n == 0) {
        return ST_OK;
    }
    if (n < COLUMNS_MIN || n > COLUMNS) {
        return err_set(err, ST_INVALID, "lookup",
                       "expected speed cable size xon xoff threshold "
                       "[xon_offset], found %s%zu columns",
                       n > COLUMNS ? "more than " : "",
                       n > COLUMNS ? n - 1 : n);
    }
    return pg_profile_lookup_add(
        lookup,
        &(struct pg_profile_lookup_texts){columns[0], columns[1], columns[2],
                                          columns[3], columns[4], columns[5],
                                          columns[6]},
        err);
}

enum st
pg_profile_lookup_parse(struct pg_profile_lookup *lookup, const char *text,
                        const char *origin, struct err *err)
{
    unsigned int number = 1;

    for (const char *at = text; *at; number++) {
        size_t length = strcspn(at, "\n");
        struct err cause = {0};

        if (pg_profile_lookup_parse_line(lookup, at, length, &cause)) {
            err_set(err, ST_INVALID, "lookup", "%s:%u: %s", origin, number,
                    cause.reason);
            err_set_field(err, cause.field, cause.value, cause.allowed);
            return ST_INVALID;
        }
        at += length + (at[length] == '\n');
    }
    return ST_OK;
}

/* Lists the cable lengths at 'speed_mbps' next to 'cable_m': "5m, 300m". */
static void
list_lengths(const struct pg_profile_lookup *lookup, uint32_t speed_mbps,
             uint32_t cable_m, struct text *text)
{
    size_t at = find_slot(lookup, speed_mbps, cable_m);

    if (at > 0 && lookup->entries[at - 1].speed_mbps == speed_mbps) {
        text_addf(text, "%um", lookup->entries[at - 1].cable_m);
    }
    if (at < lookup->n && lookup->entries[at].speed_mbps == speed_mbps) {
        text_addf(text, "%s%um", text->length ? ", " : "",
                  lookup->entries[at].cable_m);
    }
}

static void
list_speeds(const struct pg_profile_lookup *lookup, struct text *text)
{
    for (size_t i = 0; i < lookup->n; i++) {
        if (i == 0 || lookup->entries[i].speed_mbps !=
                          lookup->entries[i - 1].speed_mbps) {
            text_addf(text, "%s%u", text->length ? ", " : "",
                      lookup->entries[i].speed_mbps);
        }
    }
}

enum st
pg_profile_lookup_explain_missing(const struct pg_profile_lookup *lookup,
                                  uint32_t speed_mbps, uint32_t cable_m,
                                  struct err *err)
{
    struct text lengths = {0};
    char pair[64];

    text_format(pair, sizeof pair, "%u|%um", speed_mbps, cable_m);
    list_lengths(lookup, speed_mbps, cable_m, &lengths);
    if (lengths.length) {
        err_set(err, ST_NOT_FOUND, "no-lookup",
                "the lookup table has no entry for speed %u Mb/s and cable "
                "%um; the nearest lengths at that speed are %s",
                speed_mbps, cable_m, text_string(&lengths));
    } else {
        list_speeds(lookup, &lengths);
        err_set(err, ST_NOT_FOUND, "no-lookup",
                "the lookup table has no entry for speed %u Mb/s; it has %s",
                speed_mbps, lengths.length ? text_string(&lengths) : "none");
    }
    err_set_field(err, "cable", pair, text_string(&lengths));
    err_set_remedy(err, "set CABLE_LENGTH to a length in the table that is not "
                        "shorter than the cable, or set lookup_file to a table "
                        "that has the pair");
    text_fini(&lengths);
    return ST_NOT_FOUND;
}
