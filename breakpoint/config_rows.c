/* SPDX-License-Identifier: Apache-2.0 */

/* Accumulates rows of CONFIG_DB. */

#include <config.h>

#include "breakpoint/config_rows.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/text.h"
#include "breakpoint/scenario_files.h"

/* A row under construction. */
struct config_rows_row {
    const char *key;
    struct list fields; /* struct target_field */
    bool present;
    bool listed; /* Among the changed. */
    const char *expected;
    struct file_position place;
};

/* The context of reading rows. */
struct row_reader {
    struct config_rows *rows;
    const char *expected;
    bool plain; /* From a file: references are not replaced. */
};

/* Returns the index of row 'key'; adds it if it is new. */
static size_t
rows_find(struct config_rows *rows, const char *key)
{
    struct config_rows_row *all = rows->all.elements, *added;

    for (size_t i = 0; i < rows->all.n; i++) {
        if (!strcmp(all[i].key, key)) {
            return i;
        }
    }
    added = list_add(&rows->all, sizeof *added);
    added->key = key;
    return rows->all.n - 1;
}

/* Returns row 'key', which 'node' changes. */
static struct config_rows_row *
rows_touch(struct loader *loader, struct config_rows *rows, const char *key,
           struct fy_node *node)
{
    size_t i = rows_find(rows, key);
    struct config_rows_row *row =
        (struct config_rows_row *)rows->all.elements + i;

    if (!row->listed) {
        *(size_t *)list_add(&rows->changed, sizeof i) = i;
        row->listed = true;
    }
    loader_position(loader, node, &row->place);
    return row;
}

/* Sets a field, or removes it if 'value' is NULL. */
static void
row_set(struct config_rows_row *row, const char *name, const char *value,
        bool adds)
{
    struct target_field *fields = row->fields.elements;
    struct target_field *added;
    size_t i = 0;

    while (i < row->fields.n && strcmp(fields[i].name, name)) {
        i++;
    }
    if (!value && !adds) {
        if (i < row->fields.n) {
            fields[i] = fields[--row->fields.n];
        }
        return;
    }
    if (i < row->fields.n) {
        fields[i].value = value;
        return;
    }
    added = list_add(&row->fields, sizeof *added);
    *added = (struct target_field){name, value};
}

void
config_rows_set(struct loader *loader, struct config_rows *rows,
                const char *key, const char *field, const char *value,
                struct fy_node *node)
{
    struct config_rows_row *row = rows_touch(loader, rows, key, node);

    row->present = true;
    row_set(row, field, value, rows->adds);
}

/* Reads the text of a scalar. */
static enum st
read_text(struct loader *loader, const struct row_reader *reading,
          struct fy_node *node, const char *what, const char **text)
{
    size_t length = 0;
    const char *raw = node && fy_node_is_scalar(node) && !fy_node_is_alias(node)
                          ? fy_node_get_scalar(node, &length)
                          : NULL;

    if (raw && (reading->plain || !length)) {
        *text = arena_strndup(loader->arena, raw, length);
        return ST_OK;
    }
    return loader_text(loader, node, what, text);
}

/* Returns whether 'node' is empty: "field:". */
static bool
is_nothing(struct fy_node *node)
{
    size_t length = 0;

    return !node || fy_node_is_null(node) ||
           (fy_node_is_scalar(node) && !fy_node_is_alias(node) &&
            (!fy_node_get_scalar(node, &length) ||
             (!length && fy_node_get_style(node) == FYNS_PLAIN)));
}

/* Reads the value of a field.  A list becomes a comma-separated list, as in
 * CONFIG_DB. */
static enum st
read_value(struct loader *loader, const struct row_reader *reading,
           struct fy_node *node, const char *name, const char **value)
{
    struct text list = {0};
    enum st st = ST_OK;

    if (!fy_node_is_sequence(node)) {
        return read_text(loader, reading, node, name, value);
    }
    for (int i = 0; !st && i < fy_node_sequence_item_count(node); i++) {
        const char *item = NULL;

        st = read_text(loader, reading, fy_node_sequence_get_by_index(node, i),
                       name, &item);
        if (!st) {
            text_add_item(&list, ",", item);
        }
    }
    *value = arena_strdup(loader->arena, text_string(&list));
    text_fini(&list);
    return st;
}

/* Reads the fields of a row. */
static enum st
read_row(struct loader *loader, const struct row_reader *reading,
         const char *key, struct fy_node *key_node, struct fy_node *node)
{
    struct config_rows_row *row =
        rows_touch(loader, reading->rows, key, key_node);
    size_t i =
        (size_t)(row - (struct config_rows_row *)reading->rows->all.elements);
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    row->expected = reading->expected;
    row->present = !is_nothing(node);
    if (!row->present) {
        list_fini(&row->fields);
        return ST_OK;
    }
    if (!fy_node_is_mapping(node)) {
        return document_fail(loader->document, node, loader->err,
                             "expected row %s to be a map of its fields, or "
                             "empty to remove the row",
                             key);
    }
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        struct fy_node *content = fy_node_pair_value(pair);
        const char *name = NULL, *value = NULL;

        st = read_text(loader, reading, fy_node_pair_key(pair), "a field",
                       &name);
        if (!st && !is_nothing(content)) {
            st = read_value(loader, reading, content, name, &value);
        }
        if (!st && reading->plain && fy_node_is_sequence(content)) {
            /* The "@" tells readers of CONFIG_DB that this is a list. */
            name = loader_format(loader, "%s@", name);
        }
        if (!st) {
            row = (struct config_rows_row *)reading->rows->all.elements + i;
            row_set(row, name, value, reading->rows->adds);
        }
    }
    return st;
}

/* Reads all rows of a table in the shape of config_db.json. */
static enum st
read_table(struct loader *loader, const struct row_reader *reading,
           const char *table, struct fy_node *node)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    if (!node || !fy_node_is_mapping(node)) {
        return document_fail(loader->document, node, loader->err,
                             "expected table %s to be a map of its rows",
                             table);
    }
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        const char *key = NULL;

        st = read_text(loader, reading, fy_node_pair_key(pair), "a key", &key);
        if (!st) {
            st = read_row(loader, reading,
                          loader_format(loader, "%s|%s", table, key),
                          fy_node_pair_key(pair), fy_node_pair_value(pair));
        }
    }
    return st;
}

/* Reads a map of rows, or of tables. */
static enum st
read_map(struct loader *loader, const struct row_reader *reading,
         struct fy_node *node)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    if (!node || !fy_node_is_mapping(node)) {
        return document_fail(
            loader->document, node, loader->err,
            "expected a map of TABLE|key to fields, or the name of a file");
    }
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        struct fy_node *key_node = fy_node_pair_key(pair);
        struct fy_node *content = fy_node_pair_value(pair);
        const char *key = NULL;

        st = read_text(loader, reading, key_node, "a row", &key);
        if (!st) {
            st = strchr(key, '|')
                     ? read_row(loader, reading, key, key_node, content)
                     : read_table(loader, reading, key, content);
        }
    }
    return st;
}

static loader_item_fn read_item;

/* {rows, expect} as written in a scenario. */
struct expected_form {
    struct fy_node *rows;
    const char *expected;
};

static const struct map_key expected_keys[] = {
    {"rows", MAP_KEY_NODE, true, offsetof(struct expected_form, rows), 0, 0,
     NULL},
    {"expect", MAP_KEY_TEXT, true, offsetof(struct expected_form, expected), 0,
     0, NULL},
};

/* A loader_item_fn: reads one item of a configuration. */
static enum st
read_item(struct loader *loader, struct fy_node *node, void *context)
{
    struct row_reader reading = *(const struct row_reader *)context;
    struct expected_form form = {0};
    const char *file = NULL;
    struct fy_node *root = NULL;
    uint64_t seen;
    enum st st;

    if (node && fy_node_is_scalar(node)) {
        st = loader_text(loader, node, "a file of rows", &file);
        st = st ? st
                : scenario_files_include(loader->files, node, file, &root,
                                         loader->err);
        reading.plain = true;
        return st ? st : read_map(loader, &reading, root);
    }
    if (node && fy_node_is_mapping(node) && document_member(node, "rows")) {
        st = loader_map(loader, node, "rows", expected_keys,
                        N_MAP_KEYS(expected_keys), &form, &seen);
        reading.expected = form.expected;
        return st ? st : loader_each(loader, form.rows, read_item, &reading);
    }
    return read_map(loader, &reading, node);
}

enum st
config_rows_load(struct loader *loader, struct config_rows *rows,
                 struct fy_node *node)
{
    struct row_reader reading = {rows, NULL, false};

    return loader_each(loader, node, read_item, &reading);
}

bool
config_rows_has(const struct config_rows *rows, const char *key,
                struct choices *choices)
{
    const struct config_rows_row *all = rows->all.elements;

    for (size_t i = 0; i < rows->all.n; i++) {
        if (all[i].present && !strcmp(all[i].key, key)) {
            return true;
        }
    }
    for (size_t i = 0; i < rows->all.n; i++) {
        if (all[i].present) {
            choices_add(choices, all[i].key);
        }
    }
    return false;
}

void
config_rows_changes(struct loader *loader, struct config_rows *rows,
                    const struct config_row **changes, size_t *n)
{
    struct config_row *list =
        arena_alloc(loader->arena, rows->changed.n + 1, sizeof *list);
    const size_t *changed = rows->changed.elements;

    for (size_t i = 0; i < rows->changed.n; i++) {
        struct config_rows_row *row =
            (struct config_rows_row *)rows->all.elements + changed[i];
        struct target_field *fields =
            arena_alloc(loader->arena, row->fields.n + 1, sizeof *fields);

        if (row->fields.n) {
            memcpy(fields, row->fields.elements,
                   row->fields.n * sizeof *fields);
        }
        list[i] = (struct config_row){
            {row->key, fields, row->fields.n, !row->present},
            row->expected,
            row->place};
        row->listed = false;
    }
    *changes = list;
    *n = rows->changed.n;
    list_fini(&rows->changed);
}

void
config_rows_forget(struct config_rows *rows)
{
    config_rows_fini(rows);
    rows->adds = true;
}

void
config_rows_fini(struct config_rows *rows)
{
    struct config_rows_row *all = rows->all.elements;

    for (size_t i = 0; i < rows->all.n; i++) {
        list_fini(&all[i].fields);
    }
    list_fini(&rows->all);
    list_fini(&rows->changed);
}
