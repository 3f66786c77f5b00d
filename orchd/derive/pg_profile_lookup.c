/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/derive/pg_profile_lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "orchd/derive/lookup_lines.h"

enum {
    COLUMNS_MIN = 6, /* xon_offset is optional. */
    COLUMNS = 7,
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

/* Returns the entries as a table of pairs. */
static struct lookup_pairs
pairs_of(const struct pg_profile_lookup *lookup)
{
    return (struct lookup_pairs){lookup->entries, lookup->n,
                                 sizeof *lookup->entries, "lookup_file"};
}

const struct pg_profile_lookup_entry *
pg_profile_lookup_find(const struct pg_profile_lookup *lookup,
                       uint32_t speed_mbps, uint32_t cable_m)
{
    const struct lookup_pairs pairs = pairs_of(lookup);

    return lookup_pairs_find(&pairs, (struct lookup_pair){speed_mbps, cable_m});
}

static enum st
read_bytes(const char *column, const char *text, uint64_t *bytes,
           struct err *err)
{
    return text && parse_u64(text, 0, INT64_MAX, bytes) == ST_OK
               ? ST_OK
               : lookup_lines_refuse(column, text, "a number of bytes", err);
}

static enum st
read_entry(const struct pg_profile_lookup_texts *texts,
           struct pg_profile_lookup_entry *entry, struct err *err)
{
    enum st st =
        lookup_lines_read_pair(texts->speed, texts->cable, &entry->pair, err);

    if (st) {
        return st;
    }
    if (!texts->threshold ||
        parse_s64(texts->threshold, -8, INT64_MAX, &entry->threshold)) {
        return lookup_lines_refuse("threshold", texts->threshold, "-8 or more",
                                   err);
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
    struct lookup_pairs pairs = pairs_of(lookup);

    st = st ? st : lookup_pairs_insert(&pairs, &entry, err);
    lookup->entries = pairs.entries;
    lookup->n = pairs.n;
    return st;
}

enum st
pg_profile_lookup_parse_line(struct pg_profile_lookup *lookup, const char *text,
                             size_t length, struct err *err)
{
    char line[LOOKUP_LINE_SIZE];
    char *columns[COLUMNS] = {NULL};
    size_t n = 0;
    enum st st =
        lookup_lines_split(text, length, line, columns, COLUMNS, &n, err);

    if (st || n == 0) {
        return st;
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

/* A lookup_lines_fn. */
static enum st
add_line(void *lookup, const char *line, size_t length, struct err *err)
{
    return pg_profile_lookup_parse_line(lookup, line, length, err);
}

enum st
pg_profile_lookup_parse(struct pg_profile_lookup *lookup, const char *text,
                        const char *origin, struct err *err)
{
    return lookup_lines_read(text, origin, add_line, lookup, err);
}

enum st
pg_profile_lookup_explain_missing(const struct pg_profile_lookup *lookup,
                                  uint32_t speed_mbps, uint32_t cable_m,
                                  struct err *err)
{
    const struct lookup_pairs pairs = pairs_of(lookup);

    return lookup_pairs_explain_missing(
        &pairs, (struct lookup_pair){speed_mbps, cable_m}, err);
}
