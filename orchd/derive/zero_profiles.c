/* SPDX-License-Identifier: Apache-2.0 */

/* A list of rows, each checked as it is added. */

#include <config.h>

#include "orchd/derive/zero_profiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchd/intent/content.h"

enum { INDICES = 64, ITEM_SIZE = 16 };

/* A field that a row may have: its allowed words, or NULL if it is a number,
 * and whether the row requires it. */
struct zero_rule {
    enum table table;
    const char *field;
    const char *words; /* Between bars; "": any text. */
    bool mandatory;
};

static const struct zero_rule rules[] = {
    {TABLE_BUFFER_POOL, "type", "|ingress|egress|both|", true},
    {TABLE_BUFFER_POOL, "mode", "|static|dynamic|", true},
    {TABLE_BUFFER_POOL, "size", NULL, true},
    {TABLE_BUFFER_PROFILE, "pool", "", true},
    {TABLE_BUFFER_PROFILE, "size", NULL, true},
    {TABLE_BUFFER_PROFILE, "static_th", NULL, false},
    {TABLE_BUFFER_PROFILE, "dynamic_th", NULL, false},
};

enum { N_RULES = sizeof rules / sizeof rules[0] };

void
zero_profiles_fini(struct zero_profiles *zeros)
{
    for (size_t i = 0; i < zeros->n; i++) {
        free(zeros->rows[i].key);
        content_unref(zeros->rows[i].content);
    }
    free(zeros->rows);
    for (size_t i = 0; i < N_ZERO_SIDES; i++) {
        free(zeros->named[i]);
    }
    *zeros = (struct zero_profiles){.n = 0};
}

const char *
zero_field(const struct zero_row *row, const char *name)
{
    return content_find(row->content->fields, row->content->n, name);
}

const struct zero_row *
zero_profiles_find(const struct zero_profiles *zeros, enum table table,
                   const char *key)
{
    for (size_t i = 0; i < zeros->n; i++) {
        if (zeros->rows[i].table == table && !strcmp(zeros->rows[i].key, key)) {
            return &zeros->rows[i];
        }
    }
    return NULL;
}

static const struct zero_rule *
rule_of(enum table table, const char *field)
{
    for (size_t i = 0; i < N_RULES; i++) {
        if (rules[i].table == table && !strcmp(rules[i].field, field)) {
            return &rules[i];
        }
    }
    return NULL;
}

static bool
fits(const struct zero_rule *rule, const char *value)
{
    char item[ITEM_SIZE];
    int64_t number;

    if (!rule->words) {
        return parse_s64(value, INT64_MIN, INT64_MAX, &number) == ST_OK;
    }
    return !*rule->words || (text_format(item, sizeof item, "|%s|", value) &&
                             strstr(rule->words, item) != NULL);
}

static enum st
check_fields(const struct zero_row *row, struct err *err)
{
    for (size_t i = 0; i < row->content->n; i++) {
        const struct field *field = &row->content->fields[i];
        const struct zero_rule *rule = rule_of(row->table, field->name);

        if (!rule || !fits(rule, field->value)) {
            return err_set(err, ST_INVALID, "zero-profiles",
                           "%s: %s = %s is not allowed", row->key, field->name,
                           field->value);
        }
    }
    for (size_t i = 0; i < N_RULES; i++) {
        if (rules[i].table == row->table && rules[i].mandatory &&
            !zero_field(row, rules[i].field)) {
            return err_set(err, ST_INVALID, "zero-profiles", "%s lacks %s",
                           row->key, rules[i].field);
        }
    }
    return ST_OK;
}

/* Checks what makes a profile a zero profile. */
static enum st
check_zero(const struct zero_profiles *zeros, const struct zero_row *row,
           struct err *err)
{
    if (zero_profiles_find(zeros, row->table, row->key)) {
        return err_set(err, ST_INVALID, "zero-profiles", "%s occurs twice",
                       row->key);
    }
    if (strcmp(zero_field(row, "size"), "0") != 0) {
        return err_set(err, ST_INVALID, "zero-profiles",
                       "%s has size %s, but a zero profile reserves nothing",
                       row->key, zero_field(row, "size"));
    }
    if (row->table == TABLE_BUFFER_PROFILE &&
        !zero_field(row, "static_th") == !zero_field(row, "dynamic_th")) {
        return err_set(err, ST_INVALID, "zero-profiles",
                       "%s needs one of static_th and dynamic_th", row->key);
    }
    return ST_OK;
}

enum st
zero_profiles_add(struct zero_profiles *zeros, enum table table,
                  const char *key, const struct field *fields, size_t n,
                  struct err *err)
{
    struct zero_row row = {table, check_strdup(key), content_create(fields, n)};
    enum st status = check_fields(&row, err);

    if (!status) {
        status = check_zero(zeros, &row, err);
    }
    if (status) {
        free(row.key);
        content_unref(row.content);
        return status;
    }
    zeros->rows =
        check_realloc(zeros->rows, (zeros->n + 1) * sizeof *zeros->rows);
    zeros->rows[zeros->n++] = row;
    return ST_OK;
}

enum st
zero_profiles_set_ids(struct zero_profiles *zeros, enum zero_side side,
                      const char *text, struct err *err)
{
    const char *cursor = *text ? text : NULL;
    const char *item;
    size_t length;
    uint64_t ids = 0;

    while (parse_list_next(&cursor, &item, &length)) {
        char range[ITEM_SIZE];
        unsigned int first, last;

        if (length >= sizeof range ||
            !text_format(range, sizeof range, "%.*s", (int)length, item) ||
            parse_range(range, INDICES - 1, &first, &last) != ST_OK) {
            return err_set(err, ST_INVALID, "zero-profiles",
                           "%s is not a list of indices like 0,3-4", text);
        }
        for (unsigned int i = first; i <= last; i++) {
            ids |= UINT64_C(1) << i;
        }
    }
    zeros->has_ids[side] = true;
    zeros->ids[side] = ids;
    return ST_OK;
}

enum st
zero_profiles_set_named(struct zero_profiles *zeros, enum zero_side side,
                        const char *name, struct err *err)
{
    if (!zero_profiles_find(zeros, TABLE_BUFFER_PROFILE, name)) {
        return err_set(err, ST_INVALID, "zero-profiles",
                       "there is no profile %s", name);
    }
    free(zeros->named[side]);
    zeros->named[side] = check_strdup(name);
    return ST_OK;
}
