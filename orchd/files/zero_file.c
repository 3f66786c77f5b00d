/* SPDX-License-Identifier: Apache-2.0 */

/* Parses a list of rows. */

#include <config.h>

#include "orchd/files/zero_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/zero_profiles.h"

enum { NUMBER_SIZE = 24 };

#define CONTROL_FIELDS "control_fields"

/* Parses 'json', an object of strings and numbers, into '*fields', which the
 * caller frees with fields_free().  Stores their number in '*n'. */
static enum st
read_fields(const json_t *json, struct field **fields, size_t *n,
            struct err *err)
{
    const char *name;
    json_t *value;

    *n = 0;
    *fields = check_calloc(json_object_size(json) + 1, sizeof **fields);
    if (!json_is_object(json)) {
        return err_set(err, ST_INVALID, "zero-profiles",
                       "expected an object of fields");
    }
    json_object_foreach((json_t *)(uintptr_t)json, name, value)
    {
        char number[NUMBER_SIZE];
        const char *text = json_string_value(value);

        if (json_is_integer(value)) {
            text_format(number, sizeof number, "%" JSON_INTEGER_FORMAT,
                        json_integer_value(value));
            text = number;
        }
        if (!text) {
            return err_set(err, ST_INVALID, "zero-profiles",
                           "%s is neither a text nor a number", name);
        }
        (*fields)[(*n)++] = (struct field){name, check_strdup(text)};
    }
    return ST_OK;
}

static void
fields_free(struct field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free((char *)(uintptr_t)fields[i].value);
    }
    free(fields);
}

static enum st
set_removal(struct zero_profiles *zeros, const char *text, struct err *err)
{
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0) {
        return err_set(err, ST_INVALID, "zero-profiles",
                       "support_removing_buffer_items is yes or no, not %s",
                       text);
    }
    zeros->keeps_rows = !strcmp(text, "no");
    return ST_OK;
}

static enum st
set_control(struct zero_profiles *zeros, const struct field *field,
            struct err *err)
{
    if (!strcmp(field->name, "pgs_to_apply_zero_profile")) {
        return zero_profiles_set_ids(zeros, ZERO_INGRESS, field->value, err);
    }
    if (!strcmp(field->name, "queues_to_apply_zero_profile")) {
        return zero_profiles_set_ids(zeros, ZERO_EGRESS, field->value, err);
    }
    if (!strcmp(field->name, "ingress_zero_profile")) {
        return zero_profiles_set_named(zeros, ZERO_INGRESS, field->value, err);
    }
    if (!strcmp(field->name, "egress_zero_profile")) {
        return zero_profiles_set_named(zeros, ZERO_EGRESS, field->value, err);
    }
    if (!strcmp(field->name, "support_removing_buffer_items")) {
        return set_removal(zeros, field->value, err);
    }
    return err_set(err, ST_INVALID, "zero-profiles",
                   "there is no control field %s", field->name);
}

/* Parses one row if it is of the requested kind.  'control' selects the control
 * fields, which are parsed after the other rows because they refer to them. */
static enum st
read_row(struct zero_profiles *zeros, const char *key, const json_t *json,
         bool control, struct err *err)
{
    static const char pool[] = "BUFFER_POOL_TABLE:";
    static const char profile[] = "BUFFER_PROFILE_TABLE:";
    bool is_control = !strcmp(key, CONTROL_FIELDS);
    bool is_pool = !strncmp(key, pool, sizeof pool - 1);
    struct field *fields;
    size_t n;
    enum st status;

    if (!strcmp(key, "OP") || is_control != control) {
        return ST_OK;
    }
    if (!is_control && !is_pool &&
        strncmp(key, profile, sizeof profile - 1) != 0) {
        return err_set(err, ST_INVALID, "zero-profiles",
                       "a row is a BUFFER_POOL_TABLE, a BUFFER_PROFILE_TABLE, "
                       "or control_fields");
    }
    status = read_fields(json, &fields, &n, err);
    if (!status && !is_control) {
        status = zero_profiles_add(
            zeros, is_pool ? TABLE_BUFFER_POOL : TABLE_BUFFER_PROFILE,
            strchr(key, ':') + 1, fields, n, err);
    }
    for (size_t i = 0; i < n && !status && is_control; i++) {
        status = set_control(zeros, &fields[i], err);
    }
    fields_free(fields, n);
    return status;
}

static enum st
read_rows(const char *path, const json_t *list, bool control,
          struct zero_profiles *zeros, struct err *err)
{
    size_t index;
    json_t *item, *fields;
    const char *key;

    json_array_foreach(list, index, item)
    {
        if (!json_is_object(item)) {
            return err_set(err, ST_INVALID, "zero-profiles",
                           "%s: item %zu is no object", path, index + 1);
        }
        json_object_foreach(item, key, fields)
        {
            struct err wrong = {0};

            if (read_row(zeros, key, fields, control, &wrong)) {
                return err_set(err, ST_INVALID, "zero-profiles", "%s: %s: %s",
                               path, key, wrong.reason);
            }
        }
    }
    return ST_OK;
}

enum st
zero_file_read(const char *path, struct zero_profiles *zeros, struct err *err)
{
    json_error_t cause;
    json_t *list = json_load_file(path, JSON_REJECT_DUPLICATES, &cause);
    enum st status;

    if (!list && cause.line < 0) {
        return err_set(err, ST_NOT_FOUND, "zero-profiles", "%s", cause.text);
    }
    if (!list) {
        return err_set(err, ST_INVALID, "zero-profiles", "%s:%d:%d: %s", path,
                       cause.line, cause.column, cause.text);
    }
    if (!json_is_array(list)) {
        status = err_set(err, ST_INVALID, "zero-profiles",
                         "%s: expected a list of rows", path);
    } else {
        status = read_rows(path, list, false, zeros, err);
    }
    if (!status) {
        status = read_rows(path, list, true, zeros, err);
    }
    if (!status && !zeros->n) {
        status = err_set(err, ST_INVALID, "zero-profiles",
                         "%s has no zero profile", path);
    }
    if (status) {
        zero_profiles_fini(zeros);
    }
    json_decref(list);
    return status;
}
