/* SPDX-License-Identifier: Apache-2.0 */

/* Normalizes a row, then validates it with the schema. */

#include <config.h>

#include "orchd/intent/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"

/* What the steps share. */
struct judge {
    struct schema *schema;
    const struct judge_case *question;
    struct arena *arena; /* For strings that differ from those of the row. */
    struct text *warnings;
    struct err *err;
};

/* Drops the '@' that marks a list. */
static enum st
judge_name(const struct judge *judge, struct field *field)
{
    const struct content *raw = judge->question->raw;
    size_t length = strlen(field->name);
    char *base;

    if (length < 2 || field->name[length - 1] != '@') {
        return ST_OK;
    }
    base = arena_strndup(judge->arena, field->name, length - 1);
    if (content_find(raw->fields, raw->n, base)) {
        err_set(judge->err, ST_INVALID, "duplicate",
                "%.64s is set twice, as a string and as a list", base);
        err_set_field(judge->err, field->name, field->value, NULL);
        err_set_remedy(judge->err, "remove one of %.64s and %.64s", base,
                       field->name);
        return ST_INVALID;
    }
    field->name = base;
    return ST_OK;
}

static void
judge_trim(const struct judge *judge, struct field *field)
{
    size_t length;
    const char *start = parse_trim(field->value, &length);

    if (start != field->value || start[length]) {
        field->value = arena_strndup(judge->arena, start, length);
        schema_warn(judge->warnings, "trimmed-blanks", field->name);
    }
}

/* Returns what follows 'prefix' in 'text', or NULL if 'text' does not start
 * with it. */
static const char *
judge_skip(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) ? NULL : text + length;
}

/* Returns the name in "[TABLE|name]" or "[TABLE_TABLE:name]", NULL if 'value'
 * is neither.  "[]" has the empty name. */
static const char *
judge_unbracket(const struct judge *judge, const char *value, const char *table)
{
    size_t length = strlen(value);
    const char *name, *alias;

    if (length < 2 || value[0] != '[' || value[length - 1] != ']') {
        return NULL;
    }
    value = arena_strndup(judge->arena, value + 1, length - 2);
    name = judge_skip(value, table);
    alias = name ? judge_skip(name, "_TABLE") : NULL;
    name = alias ? alias : name;
    if (name && (*name == '|' || *name == ':')) {
        return name + 1;
    }
    return *value ? NULL : value;
}

/* Fills the error for a value that is not a reference to 'target'. */
static enum st
judge_bad_reference(const struct judge *judge, const struct field *field,
                    const char *target)
{
    err_set(judge->err, ST_INVALID, "reference",
            "%.64s is \"%.64s\", which is not a reference to a %s", field->name,
            field->value, target);
    err_set_field(judge->err, field->name, field->value, NULL);
    err_set_remedy(judge->err, "set %.64s to the bare name of a %s",
                   field->name, target);
    return ST_INVALID;
}

/* Normalizes each bracketed item of a list of references; drops empty items. */
static enum st
judge_references(const struct judge *judge, struct field *field,
                 const char *target)
{
    const char *cursor = field->value, *item;
    struct text list = {0};
    size_t length;
    enum st status = ST_OK;

    while (status == ST_OK && parse_list_next(&cursor, &item, &length)) {
        const char *name = arena_strndup(judge->arena, item, length);

        name = *name == '[' ? judge_unbracket(judge, name, target) : name;
        if (!name) {
            status = judge_bad_reference(judge, field, target);
        } else if (*name) {
            text_add_item(&list, ",", name);
        }
    }
    if (status == ST_OK) {
        field->value = arena_strdup(judge->arena, text_string(&list));
    }
    text_fini(&list);
    return status;
}

/* Normalizes a reference; sets the value of an empty one to NULL. */
static enum st
judge_reference(const struct judge *judge, struct field *field)
{
    enum table table = judge->question->table;
    const char *target = schema_reference(judge->schema, table, field->name);
    enum st status = ST_OK;

    if (!target) {
        return ST_OK;
    }
    if (strchr(field->value, '[')) {
        if (schema_is_list(judge->schema, table, field->name)) {
            status = judge_references(judge, field, target);
        } else if (field->value[0] == '[') {
            const char *name = judge_unbracket(judge, field->value, target);

            status = name ? ST_OK : judge_bad_reference(judge, field, target);
            field->value = name ? name : field->value;
        }
        if (status) {
            return status;
        }
        schema_warn(judge->warnings, "legacy-reference", field->name);
    }
    if (!field->value[0] && table != TABLE_BUFFER_PG) {
        field->value = NULL;
        schema_warn(judge->warnings, "empty-reference", field->name);
    }
    return ST_OK;
}

static bool
judge_is_placeholder(const struct field *field)
{
    return !strcmp(field->name, "NULL") && !strcmp(field->value, "NULL");
}

/* Some configuration generators write "None" where they do not know a length.
 * Such a field is dropped, so that the others take effect. */
static bool
judge_is_no_length(const struct judge *judge, const struct field *field)
{
    if (judge->question->table != TABLE_CABLE_LENGTH ||
        strcmp(field->value, "None")) {
        return false;
    }
    schema_warn(judge->warnings, "no-length", field->name);
    return true;
}

/* Writes the normalized fields to 'fields', which has room for all of them, and
 * their number to '*n'. */
static enum st
judge_reduce(const struct judge *judge, struct field *fields, size_t *n)
{
    const struct content *raw = judge->question->raw;
    enum st status = ST_OK;

    *n = 0;
    for (size_t i = 0; i < raw->n && status == ST_OK; i++) {
        struct field *field = &fields[*n];

        if (judge_is_placeholder(&raw->fields[i]) ||
            judge_is_no_length(judge, &raw->fields[i])) {
            continue;
        }
        *field = raw->fields[i];
        status = judge_name(judge, field);
        if (status == ST_OK) {
            judge_trim(judge, field);
            status = judge_reference(judge, field);
        }
        *n += field->value != NULL;
    }
    return status;
}

/* Sets fields with a bad value to the value in force, if any. */
static void
judge_keep_previous(const struct judge_case *question, struct field *fields,
                    size_t n)
{
    const struct content *previous = question->previous;

    for (size_t i = 0; i < n && previous; i++) {
        if (fields[i].name && !fields[i].value) {
            fields[i].value =
                content_find(previous->fields, previous->n, fields[i].name);
        }
    }
}

enum st
judge_row(struct schema *schema, const struct judge_case *question,
          struct content **content, struct text *warnings, struct err *err)
{
    size_t room = question->raw->n + 1;
    struct judge judge = {schema, question, arena_create(0), warnings, err};
    struct field *fields = arena_alloc(judge.arena, room, sizeof *fields);
    struct field *canonical = arena_alloc(judge.arena, room, sizeof *canonical);
    struct schema_row row = {
        question->table,  question->key,     fields, 0, question->buffer_model,
        question->strict, question->previous};
    enum st status = judge_reduce(&judge, fields, &row.n);

    if (status == ST_OK) {
        status = schema_check_row(schema, &row, canonical, warnings, err);
    }
    if (status == ST_OK) {
        judge_keep_previous(question, canonical, row.n);
        *content = content_create(canonical, row.n);
    }
    arena_destroy(judge.arena);
    return status;
}
