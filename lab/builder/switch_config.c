/* SPDX-License-Identifier: Apache-2.0 */

/* Reduces config_db.json to what an image depends on. */

#include <config.h>

#include "lab/builder/switch_config.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/arena.h"
#include "orchd/files/config_file.h"
#include "orchd/intent/table.h"

/* Fields that differ between boxes and do not reach the ASIC. */
static const struct {
    const char *table;
    const char *field;
} own_fields[] = {
    {"DEVICE_METADATA", "hostname"},
    {"DEVICE_METADATA", "mac"},
    {"DEVICE_METADATA", "bgp_asn"},
    {"DEVICE_METADATA", "chassis_hostname"},
    {"DEVICE_METADATA", "cloudtype"},
    {"DEVICE_METADATA", "cluster"},
    {"DEVICE_METADATA", "region"},
    {"DEVICE_METADATA", "deployment_id"},
    {"DEVICE_METADATA", "rack_mgmt_map"},
    {"PORT", "description"},
};

/* Parses the text of 'request'. */
static enum st
parse(const struct switch_request *request, json_t **root, struct err *err)
{
    json_error_t cause;
    json_t *parsed =
        json_loads(request->config, JSON_REJECT_DUPLICATES, &cause);

    if (!parsed) {
        return err_set(err, ST_INVALID, "file", "%s:%d:%d: %s", request->path,
                       cause.line, cause.column, cause.text);
    }
    if (!json_is_object(parsed)) {
        json_decref(parsed);
        return err_set(err, ST_INVALID, "file",
                       "%s:1:1: expected an object of tables", request->path);
    }
    *root = parsed;
    return ST_OK;
}

/* Returns member 'key' of 'object', an empty object that is added if there is
 * none. */
static json_t *
open_member(json_t *object, const char *key, size_t length)
{
    json_t *member = json_object_getn(object, key, length);

    if (!member) {
        member = json_object();
        json_object_setn_new(object, key, length, member);
    }
    return member;
}

/* Changes one row of 'rows'. */
static void
set_row(json_t *rows, const char *key, const struct switch_set *set)
{
    json_t *row;

    if (!set->field) {
        json_object_del(rows, key);
        return;
    }
    row = open_member(rows, key, strlen(key));
    if (set->value) {
        json_object_set_new(row, set->field, json_string(set->value));
    } else {
        json_object_del(row, set->field);
    }
}

/* Changes the row, or rows, of 'set', whose table has a name of 'length'
 * bytes. */
static enum st
set_rows(json_t *root, const struct switch_set *set, size_t length,
         struct err *err)
{
    const char *key = set->row + length + 1;
    json_t *rows = open_member(root, set->row, length);
    const char *name;
    json_t *row;
    void *next;

    if (strcmp(key, "*") != 0) {
        set_row(rows, key, set);
        return ST_OK;
    }
    if (json_object_size(rows) == 0) {
        return err_set(err, ST_INVALID, "set",
                       "'%s': the configuration has no row of that table",
                       set->row);
    }
    json_object_foreach_safe(rows, next, name, row)
    {
        (void)row;
        set_row(rows, name, set);
    }
    return ST_OK;
}

/* Applies one change. */
static enum st
apply(json_t *root, const struct switch_set *set, struct err *err)
{
    const char *bar = strchr(set->row, '|');
    const size_t length = bar ? (size_t)(bar - set->row) : 0;
    enum table table;

    if (!bar || !bar[1]) {
        return err_set(err, ST_INVALID, "set",
                       "'%s' is not a row: write TABLE|key", set->row);
    }
    if (!table_find(set->row, length, &table)) {
        char name[64];

        err_set(err, ST_INVALID, "set",
                "'%.*s' is not a table that orchd reads", (int)length,
                set->row);
        memcpy(name, set->row, length < sizeof name ? length : sizeof name - 1);
        name[length < sizeof name ? length : sizeof name - 1] = '\0';
        return table_explain("set", name, err);
    }
    return set_rows(root, set, length, err);
}

/* Removes what does not matter for an image. */
static void
reduce(json_t *root)
{
    const char *name;
    json_t *rows;
    void *next;

    json_object_foreach_safe(root, next, name, rows)
    {
        enum table table;
        const char *key;
        json_t *row;

        if (!table_find(name, strlen(name), &table)) {
            json_object_del(root, name);
            continue;
        }
        json_object_foreach(rows, key, row)
        {
            for (size_t i = 0; i < sizeof own_fields / sizeof *own_fields;
                 i++) {
                if (!strcmp(own_fields[i].table, name)) {
                    json_object_del(row, own_fields[i].field);
                }
            }
        }
    }
}

/* Copies the text and the hwsku of 'root' to '*config'. */
static void
describe(const json_t *root, struct arena *arena, struct switch_config *config)
{
    const json_t *box =
        json_object_get(json_object_get(root, "DEVICE_METADATA"), "localhost");
    const char *hwsku = json_string_value(json_object_get(box, "hwsku"));
    char *text = json_dumps(root, JSON_SORT_KEYS | JSON_COMPACT);

    config->text = arena_strdup(arena, text);
    config->hwsku = hwsku ? arena_strdup(arena, hwsku) : NULL;
    free(text);
}

/* Fills '*config' from 'root', whose names the rows borrow at first. */
static enum st
convert(json_t *root, struct arena *arena, struct switch_config *config,
        struct err *err)
{
    enum st st;

    describe(root, arena, config);
    st = config_file_rows(root, arena, &config->rows, &config->n_rows, err);
    for (size_t i = 0; !st && i < config->n_rows; i++) {
        struct field *fields =
            (struct field *)(uintptr_t)config->rows[i].fields;

        for (size_t f = 0; f < config->rows[i].n_fields; f++) {
            fields[f].name = arena_strdup(arena, fields[f].name);
        }
    }
    return st;
}

enum st
switch_config_read(const struct switch_request *request, struct arena *arena,
                   struct switch_config *config, struct err *err)
{
    json_t *root = NULL;
    enum st st = parse(request, &root, err);

    for (size_t i = 0; !st && i < request->n_sets; i++) {
        st = apply(root, &request->sets[i], err);
    }
    if (!st) {
        reduce(root);
        st = convert(root, arena, config, err);
    }
    json_decref(root);
    return st;
}
