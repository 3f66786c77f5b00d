/* SPDX-License-Identifier: Apache-2.0 */

/* Normalizes a row, then validates it with the schema. */

#include <config.h>

#include "orchd/intent/normalize.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"

/* What the steps share. */
struct normalizer {
    struct schema *schema;
    const struct normalize_input *input;
    struct arena *arena; /* For strings that differ from those of the row. */
    struct text *warnings;
    struct err *err;
};

/* Drops the '@' that marks a list. */
static enum st
normalize_name(const struct normalizer *normalizer, struct field *field)
{
    const struct content *raw = normalizer->input->raw;
    size_t length = strlen(field->name);
    char *base;

    if (length < 2 || field->name[length - 1] != '@') {
        return ST_OK;
    }
    base = arena_strndup(normalizer->arena, field->name, length - 1);
    if (content_find(raw->fields, raw->n, base)) {
        err_set(normalizer->err, ST_INVALID, "duplicate",
                "%.64s is set twice, as a string and as a list", base);
        err_set_field(normalizer->err, field->name, field->value, NULL);
        err_set_remedy(normalizer->err, "remove one of %.64s and %.64s", base,
                       field->name);
        return ST_INVALID;
    }
    field->name = base;
    return ST_OK;
}

static void
normalize_trim(const struct normalizer *normalizer, struct field *field)
{
    size_t length;
    const char *start = parse_trim(field->value, &length);

    if (start != field->value || start[length]) {
        field->value = arena_strndup(normalizer->arena, start, length);
        schema_warn(normalizer->warnings, "trimmed-blanks", field->name);
    }
}

/* Returns what follows 'prefix' in 'text', or NULL if 'text' does not start
 * with it. */
static const char *
normalize_skip(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) ? NULL : text + length;
}

/* Returns the name in "[TABLE|name]" or "[TABLE_TABLE:name]", NULL if 'value'
 * is neither.  "[]" has the empty name. */
static const char *
normalize_unbracket(const struct normalizer *normalizer, const char *value,
                    const char *table)
{
    size_t length = strlen(value);
    const char *name, *alias;

    if (length < 2 || value[0] != '[' || value[length - 1] != ']') {
        return NULL;
    }
    value = arena_strndup(normalizer->arena, value + 1, length - 2);
    name = normalize_skip(value, table);
    alias = name ? normalize_skip(name, "_TABLE") : NULL;
    name = alias ? alias : name;
    if (name && (*name == '|' || *name == ':')) {
        return name + 1;
    }
    return *value ? NULL : value;
}

/* Fills the error for a value that is not a reference to 'target'. */
static enum st
normalize_bad_reference(const struct normalizer *normalizer,
                        const struct field *field, const char *target)
{
    err_set(normalizer->err, ST_INVALID, "reference",
            "%.64s is \"%.64s\", which is not a reference to a %s", field->name,
            field->value, target);
    err_set_field(normalizer->err, field->name, field->value, NULL);
    err_set_remedy(normalizer->err, "set %.64s to the bare name of a %s",
                   field->name, target);
    return ST_INVALID;
}

/* Normalizes each bracketed item of a list of references; drops empty items. */
static enum st
normalize_references(const struct normalizer *normalizer, struct field *field,
                     const char *target)
{
    const char *cursor = field->value, *item;
    struct text list = {0};
    size_t length;
    enum st status = ST_OK;

    while (status == ST_OK && parse_list_next(&cursor, &item, &length)) {
        const char *name = arena_strndup(normalizer->arena, item, length);

        name =
            *name == '[' ? normalize_unbracket(normalizer, name, target) : name;
        if (!name) {
            status = normalize_bad_reference(normalizer, field, target);
        } else if (*name) {
            text_add_item(&list, ",", name);
        }
    }
    if (status == ST_OK) {
        field->value = arena_strdup(normalizer->arena, text_string(&list));
    }
    text_fini(&list);
    return status;
}

/* Normalizes a reference; sets the value of an empty one to NULL. */
static enum st
normalize_reference(const struct normalizer *normalizer, struct field *field)
{
    enum table table = normalizer->input->table;
    const char *target =
        schema_reference(normalizer->schema, table, field->name);
    enum st status = ST_OK;

    if (!target) {
        return ST_OK;
    }
    if (strchr(field->value, '[')) {
        if (schema_is_list(normalizer->schema, table, field->name)) {
            status = normalize_references(normalizer, field, target);
        } else if (field->value[0] == '[') {
            const char *name =
                normalize_unbracket(normalizer, field->value, target);

            status = name ? ST_OK
                          : normalize_bad_reference(normalizer, field, target);
            field->value = name ? name : field->value;
        }
        if (status) {
            return status;
        }
        schema_warn(normalizer->warnings, "legacy-reference", field->name);
    }
    if (!field->value[0] && table != TABLE_BUFFER_PG) {
        field->value = NULL;
        schema_warn(normalizer->warnings, "empty-reference", field->name);
    }
    return ST_OK;
}

static bool
normalize_is_placeholder(const struct field *field)
{
    return !strcmp(field->name, "NULL") && !strcmp(field->value, "NULL");
}

/* Some configuration generators write "None" where they do not know a length.
 * Such a field is dropped, so that the others take effect. */
static bool
normalize_is_no_length(const struct normalizer *normalizer,
                       const struct field *field)
{
    if (normalizer->input->table != TABLE_CABLE_LENGTH ||
        strcmp(field->value, "None")) {
        return false;
    }
    schema_warn(normalizer->warnings, "no-length", field->name);
    return true;
}

/* Writes the normalized fields to 'fields', which has room for all of them, and
 * their number to '*n'. */
static enum st
normalize_fields(const struct normalizer *normalizer, struct field *fields,
                 size_t *n)
{
    const struct content *raw = normalizer->input->raw;
    enum st status = ST_OK;

    *n = 0;
    for (size_t i = 0; i < raw->n && status == ST_OK; i++) {
        struct field *field = &fields[*n];

        if (normalize_is_placeholder(&raw->fields[i]) ||
            normalize_is_no_length(normalizer, &raw->fields[i])) {
            continue;
        }
        *field = raw->fields[i];
        status = normalize_name(normalizer, field);
        if (status == ST_OK) {
            normalize_trim(normalizer, field);
            status = normalize_reference(normalizer, field);
        }
        *n += field->value != NULL;
    }
    return status;
}

/* Sets fields with a bad value to the value in force, if any. */
static void
normalize_keep_previous(const struct normalize_input *input,
                        struct field *fields, size_t n)
{
    const struct content *previous = input->previous;

    for (size_t i = 0; i < n && previous; i++) {
        if (fields[i].name && !fields[i].value) {
            fields[i].value =
                content_find(previous->fields, previous->n, fields[i].name);
        }
    }
}

enum st
normalize_row(struct schema *schema, const struct normalize_input *input,
              struct content **content, struct text *warnings, struct err *err)
{
    size_t room = input->raw->n + 1;
    struct normalizer normalizer = {schema, input, arena_create(0), warnings,
                                    err};
    struct field *fields = arena_alloc(normalizer.arena, room, sizeof *fields);
    struct field *canonical =
        arena_alloc(normalizer.arena, room, sizeof *canonical);
    struct schema_row row = {
        input->table,        input->key,    fields,         0,
        input->buffer_model, input->strict, input->previous};
    enum st status = normalize_fields(&normalizer, fields, &row.n);

    if (status == ST_OK) {
        status = schema_check_row(schema, &row, canonical, warnings, err);
    }
    if (status == ST_OK) {
        normalize_keep_previous(input, canonical, row.n);
        *content = content_create(canonical, row.n);
    }
    arena_destroy(normalizer.arena);
    return status;
}
