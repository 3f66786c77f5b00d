/* SPDX-License-Identifier: Apache-2.0 */

/* The header of the table says which column is which field. */

#include <config.h>

#include "orchd/derive/llr_lookup.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/lookup_lines.h"

enum {
    PAIR_COLUMNS = 2,
    COLUMNS_MAX = PAIR_COLUMNS + LLR_LOOKUP_FIELDS,
    MANDATORY = 2, /* Fields, the first ones. */
};

static const char actions[] = "discard, block or best_effort";

/* The fields, with their ranges; 'most' is 0 for an action. */
static const struct column {
    const char *field;
    const char *alias; /* As files have it. */
    uint64_t least, most;
} columns[LLR_LOOKUP_FIELDS] = {
    {"max_outstanding_frames", "outstanding_frames", 0, 524288},
    {"max_outstanding_bytes", "outstanding_bytes", 0, UINT32_MAX},
    {"max_replay_timer", "replay_timer", 0, UINT16_MAX},
    {"max_replay_count", "replay_count", 1, UINT8_MAX},
    {"pcs_lost_timeout", "pcs_lost_timeout", 0, 4290000000},
    {"data_age_timeout", "data_age_timer", 0, 4290000000},
    {"init_action", "init_action", 0, 0},
    {"flush_action", "flush_action", 0, 0},
    {"ctlos_spacing_bytes", "ctlos_spacing", 400, 16384},
};

/* Reads a table. */
struct reader {
    struct llr_lookup *lookup;
    size_t n;                     /* Columns; 0: no header yet. */
    size_t fields[COLUMNS_MAX];   /* Of each column after the first two. */
    bool seen[LLR_LOOKUP_FIELDS]; /* The header has the field. */
};

void
llr_lookup_fini(struct llr_lookup *lookup)
{
    free(lookup->entries);
    *lookup = (struct llr_lookup){0};
}

/* Returns the field that a column is called after, LLR_LOOKUP_FIELDS if it is
 * none. */
static size_t
find_field(const char *name)
{
    size_t i = 0;

    while (i < LLR_LOOKUP_FIELDS && strcmp(name, columns[i].field) != 0 &&
           strcmp(name, columns[i].alias) != 0) {
        i++;
    }
    return i;
}

static enum st
refuse_name(const char *name, struct err *err)
{
    struct choices choices;

    choices_init(&choices, name);
    for (size_t i = 0; i < LLR_LOOKUP_FIELDS; i++) {
        choices_add(&choices, columns[i].alias);
    }
    err_set(err, ST_INVALID, "lookup", "no column is called '%s'", name);
    return choices_explain(&choices, "column", err);
}

static enum st
read_header(struct reader *reader, char *const names[], size_t n,
            struct err *err)
{
    if (n < PAIR_COLUMNS || strcmp(names[0], "speed") != 0 ||
        strcmp(names[1], "cable") != 0) {
        return err_set(err, ST_INVALID, "lookup",
                       "expected the names of the columns: speed cable "
                       "outstanding_frames outstanding_bytes ..., not '%s'",
                       names[0]);
    }
    if (n > COLUMNS_MAX) {
        return err_set(err, ST_INVALID, "lookup",
                       "there are more columns than fields");
    }
    for (size_t i = PAIR_COLUMNS; i < n; i++) {
        size_t field = find_field(names[i]);

        if (field == LLR_LOOKUP_FIELDS) {
            return refuse_name(names[i], err);
        }
        if (reader->seen[field]) {
            return err_set(err, ST_INVALID, "lookup", "%s occurs twice",
                           names[i]);
        }
        reader->seen[field] = true;
        reader->fields[i] = field;
    }
    for (size_t i = 0; i < MANDATORY; i++) {
        if (!reader->seen[i]) {
            return err_set(err, ST_INVALID, "lookup",
                           "the column %s is missing", columns[i].alias);
        }
    }
    reader->n = n;
    return ST_OK;
}

static enum st
read_number(const struct column *column, const char *text,
            char value[LLR_LOOKUP_VALUE_SIZE], struct err *err)
{
    char range[64];
    uint64_t number;

    text_format(range, sizeof range, "%" PRIu64 "..%" PRIu64, column->least,
                column->most);
    if (parse_u64(text, column->least, column->most, &number)) {
        return lookup_lines_refuse(column->alias, text, range, err);
    }
    text_format(value, LLR_LOOKUP_VALUE_SIZE, "%" PRIu64, number);
    return ST_OK;
}

static enum st
read_action(const struct column *column, const char *text,
            char value[LLR_LOOKUP_VALUE_SIZE], struct err *err)
{
    static const char *const words[] = {"discard", "block", "best_effort"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(text, words[i])) {
            (void)text_copy(value, LLR_LOOKUP_VALUE_SIZE, text);
            return ST_OK;
        }
    }
    return lookup_lines_refuse(column->alias, text, actions, err);
}

static enum st
read_value(size_t field, const char *text, struct llr_lookup_entry *entry,
           struct err *err)
{
    const struct column *column = &columns[field];

    if (!strcmp(text, "-")) {
        return field < MANDATORY
                   ? lookup_lines_refuse(column->alias, text, "a number", err)
                   : ST_OK;
    }
    return column->most ? read_number(column, text, entry->values[field], err)
                        : read_action(column, text, entry->values[field], err);
}

/* Returns the entries as a table of pairs. */
static struct lookup_pairs
pairs_of(const struct llr_lookup *lookup)
{
    return (struct lookup_pairs){lookup->entries, lookup->n,
                                 sizeof *lookup->entries, "llr_lookup_file"};
}

static enum st
read_entry(struct reader *reader, char *const values[], size_t n,
           struct err *err)
{
    struct lookup_pairs pairs = pairs_of(reader->lookup);
    struct llr_lookup_entry entry = {0};
    enum st st;

    if (n != reader->n) {
        return err_set(err, ST_INVALID, "lookup",
                       "expected %zu columns, as in the line of names, found "
                       "%s%zu",
                       reader->n, n > COLUMNS_MAX ? "more than " : "",
                       n > COLUMNS_MAX ? n - 1 : n);
    }
    st = lookup_lines_read_pair(values[0], values[1], &entry.pair, err);
    for (size_t i = PAIR_COLUMNS; i < n && !st; i++) {
        st = read_value(reader->fields[i], values[i], &entry, err);
    }
    st = st ? st : lookup_pairs_insert(&pairs, &entry, err);
    reader->lookup->entries = pairs.entries;
    reader->lookup->n = pairs.n;
    return st;
}

/* A lookup_lines_fn. */
static enum st
read_line(void *reader_, const char *text, size_t length, struct err *err)
{
    struct reader *reader = reader_;
    char line[LOOKUP_LINE_SIZE];
    char *words[COLUMNS_MAX] = {NULL};
    size_t n = 0;
    enum st st =
        lookup_lines_split(text, length, line, words, COLUMNS_MAX, &n, err);

    if (st || !n) {
        return st;
    }
    return reader->n ? read_entry(reader, words, n, err)
                     : read_header(reader, words, n, err);
}

enum st
llr_lookup_parse(struct llr_lookup *lookup, const char *text,
                 const char *origin, struct err *err)
{
    struct reader reader = {.lookup = lookup};

    return lookup_lines_read(text, origin, read_line, &reader, err);
}

const struct llr_lookup_entry *
llr_lookup_find(const struct llr_lookup *lookup, struct lookup_pair pair)
{
    const struct lookup_pairs pairs = pairs_of(lookup);

    return lookup_pairs_find(&pairs, pair);
}

enum st
llr_lookup_explain_missing(const struct llr_lookup *lookup,
                           struct lookup_pair pair, struct err *err)
{
    const struct lookup_pairs pairs = pairs_of(lookup);

    return lookup_pairs_explain_missing(&pairs, pair, err);
}

size_t
llr_lookup_fields(const struct llr_lookup_entry *entry,
                  struct field fields[LLR_LOOKUP_FIELDS])
{
    size_t n = 0;

    for (size_t i = 0; i < LLR_LOOKUP_FIELDS; i++) {
        if (*entry->values[i]) {
            fields[n++] = (struct field){columns[i].field, entry->values[i]};
        }
    }
    return n;
}
