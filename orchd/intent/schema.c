/* SPDX-License-Identifier: Apache-2.0 */

/* Validation of rows: keys, types, mandatory fields. */

#include <config.h>

#include "orchd/intent/schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/lanes.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "orchd/intent/content.h"
#include "orchd/intent/row_rules.h"
#include "orchd/intent/yang.h"

/* Longer lists of warnings do not help. */
#define SCHEMA_WARNINGS_MAX 512

/* A value that was found valid. The rows of a switch repeat the same few values
 * for the same ports, and libyang's result depends on nothing but the value. */
struct cached_value {
    const struct yang_leaf *leaf; /* NULL: unused. */
    char value[32];
    const char *canonical; /* Owned by libyang's dictionary; counted. */
};

enum { N_CACHED = 256 }; /* A power of two. */

enum { MAX_LANES = 64 }; /* More do not fit into the field. */

struct schema {
    struct yang *yang;
    struct row_rules *rules;
    struct arena *scratch; /* Emptied at the start of each check. */
    struct cached_value
        cache[N_CACHED]; /* By digest; the last one of each stays. */
};

enum st
schema_create(const char *directory, struct schema **schema, struct err *err)
{
    struct yang *yang = NULL;
    enum st status = yang_create(directory, &yang, err);

    if (status == ST_OK) {
        *schema = check_calloc(1, sizeof **schema);
        (*schema)->yang = yang;
        (*schema)->rules = row_rules_create(yang);
        (*schema)->scratch = arena_create(0);
    }
    return status;
}

/* Releases the canonical form to libyang. */
static void
schema_evict(struct schema *schema, struct cached_value *cached)
{
    if (cached->leaf) {
        lydict_remove(schema->yang->context, cached->canonical);
        cached->leaf = NULL;
    }
}

void
schema_destroy(struct schema *schema)
{
    if (schema) {
        for (size_t i = 0; i < N_CACHED; i++) {
            schema_evict(schema, &schema->cache[i]);
        }
        row_rules_destroy(schema->rules);
        yang_destroy(schema->yang);
        arena_destroy(schema->scratch);
        free(schema);
    }
}

bool
schema_needs_model(const struct schema *schema, enum table table)
{
    return schema->yang->tables[table].needs_model;
}

const char *
schema_reference(const struct schema *schema, enum table table,
                 const char *field)
{
    const struct yang_leaf *leaf =
        yang_leaf(&schema->yang->tables[table], field);

    return leaf ? leaf->refers_to : NULL;
}

bool
schema_find_field(const struct schema *schema, enum table table,
                  const char *field, struct schema_field *found)
{
    const struct yang_leaf *leaf =
        yang_leaf(&schema->yang->tables[table], field);

    if (!leaf) {
        return false;
    }
    found->allowed = leaf->allowed;
    found->default_value = leaf->default_value;
    found->refers_to = leaf->refers_to;
    return true;
}

bool
schema_is_list(const struct schema *schema, enum table table, const char *field)
{
    const struct yang_leaf *leaf =
        yang_leaf(&schema->yang->tables[table], field);

    return leaf && leaf->list;
}

void
schema_warn(struct text *warnings, const char *slug, const char *field)
{
    if (warnings->length > SCHEMA_WARNINGS_MAX) {
        return;
    }
    text_add_item(warnings, ", ", slug);
    if (warnings->length > SCHEMA_WARNINGS_MAX) {
        text_add(warnings, " and more");
    } else {
        text_addf(warnings, " %.96s", field);
    }
}

/* Warns of a value that is ignored, and says what is allowed.  Commas separate
 * warnings, so the list of allowed values uses '|'. */
static void
schema_warn_unusable(const struct yang_leaf *leaf, struct text *warnings)
{
    struct text detail = {0};
    const char *word = leaf->allowed;

    text_addf(&detail, "%s (allowed: ", leaf->name);
    while (*word) {
        size_t n = strcspn(word, ",");

        text_add_bytes(&detail, word, n);
        word += n;
        if (*word) {
            text_add_char(&detail, '|');
            word += strspn(word, ", ");
        }
    }
    text_add_char(&detail, ')');
    schema_warn(warnings, "unusable-field", text_string(&detail));
    text_fini(&detail);
}

/* The messages for a value of the wrong form, by the code of its leaf. */
static const struct {
    const char *code;
    const char *reason;
    const char *remedy;
} schema_sentences[] = {
    {"type", "%s is \"%.64s\", which is not a whole number",
     "set %s to a number in %s"},
    {"range", "%s is \"%.64s\", which is out of range",
     "set %s to a number in %s"},
    {"enum", "%s is \"%.64s\", which is not one of the allowed words",
     "set %s to one of %s"},
    {"duplicate", "%s is \"%.64s\", which contains a duplicate",
     "set %s to %s, each once"},
    {"pattern", "%s is \"%.64s\", which does not have the right form",
     "set %s to %s"},
};

/* Fills 'err', which may be NULL: the value of 'field' is not what 'leaf'
 * allows. */
static enum st
schema_bad_value(const struct yang_leaf *leaf, const char *code,
                 const char *field, const char *value, struct err *err)
{
    size_t i = 0;

    if (!err) {
        return ST_INVALID;
    }
    while (strcmp(schema_sentences[i].code, code)) {
        i++;
    }
    err_set(err, ST_INVALID, code, schema_sentences[i].reason, field, value);
    if (!strcmp(code, "enum")) {
        struct choices choices;

        choices_init(&choices, value);
        choices_add_list(&choices, leaf->allowed);
        (void)choices_explain(&choices, field, err);
    } else {
        err_set_field(err, field, value, leaf->allowed);
    }
    err_set_remedy(err, schema_sentences[i].remedy, field, err->allowed);
    return ST_INVALID;
}

/* libyang accepts blanks and a plus sign in numbers; orchd does not. */
static bool
schema_is_number(const char *text)
{
    text += *text == '-';
    return *text && !text[strspn(text, "0123456789")];
}

/* Returns the cache slot of 'value' of 'leaf'. */
static struct cached_value *
schema_cache_slot(struct schema *schema, const struct yang_leaf *leaf,
                  const char *value)
{
    uint64_t digest = digest_text(DIGEST_START ^ (uintptr_t)leaf, value);

    /* The low bits of this digest depend on low bits alone. */
    return &schema->cache[(digest ^ digest >> 32) % N_CACHED];
}

/* Checks 'value' against 'leaf'. Returns NULL and stores the canonical form, or
 * returns the error code. */
static const char *
schema_check_leaf(struct schema *schema, const struct yang_leaf *leaf,
                  const char *value, const char **canonical)
{
    struct cached_value *cached = schema_cache_slot(schema, leaf, value);
    const char *result = NULL;
    LY_ERR code;

    if (cached->leaf == leaf && !strcmp(cached->value, value)) {
        *canonical = arena_strdup(schema->scratch, cached->canonical);
        return NULL;
    }
    if (leaf->number && !schema_is_number(value)) {
        return "type";
    }
    code = lyd_value_validate(NULL, leaf->node, value, strlen(value), NULL,
                              NULL, &result);
    /* Incomplete: libyang did not look for the referenced row, as intended. */
    if (code != LY_SUCCESS && code != LY_EINCOMPLETE) {
        return leaf->code;
    }
    *canonical = arena_strdup(schema->scratch, result);
    if (strlen(value) < sizeof cached->value) {
        schema_evict(schema, cached);
        text_copy(cached->value, sizeof cached->value, value);
        cached->canonical = result;
        cached->leaf = leaf;
    } else {
        lydict_remove(schema->yang->context, result);
    }
    return NULL;
}

/* The same for a comma list: checks each item.  No item may be empty or occur
 * twice. */
static const char *
schema_check_list(struct schema *schema, const struct yang_leaf *leaf,
                  const char *value, const char **canonical)
{
    const char *cursor = value, *item, *code = NULL;
    struct text list = {0};
    size_t length;

    while (!code && parse_list_next(&cursor, &item, &length)) {
        const char *one = arena_strndup(schema->scratch, item, length);

        code = length ? schema_check_leaf(schema, leaf, one, &one) : "pattern";
        if (!code && text_lists(&list, one)) {
            code = "duplicate";
        }
        text_add_item(&list, ",", code ? "" : one);
    }
    *canonical = arena_strdup(schema->scratch, text_string(&list));
    text_fini(&list);
    return code;
}

/* Checks one part of the key. */
static enum st
schema_check_key_part(struct schema *schema, const struct schema_row *row,
                      const struct yang_leaf *leaf, const char *value,
                      struct err *err)
{
    const char *canonical;

    if (!schema_check_leaf(schema, leaf, value, &canonical)) {
        return ST_OK;
    }
    err_set(err, ST_INVALID, "key",
            "the key of a %s row has \"%.64s\" as its %s",
            table_name(row->table), value, leaf->name);
    err_set_field(err, NULL, value, leaf->allowed);
    err_set_remedy(err, "delete the row and write it under a correct key");
    return ST_INVALID;
}

/* Checks the parts of 'port', a system port: the row of SYSTEM_PORT says what
 * they may be. */
static enum st
schema_check_system_port(struct schema *schema, const struct schema_row *row,
                         const char *port, struct err *err)
{
    const struct yang_leaf *keys = schema->yang->tables[TABLE_SYSTEM_PORT].keys;
    char part[sizeof err->value];
    enum st status = ST_OK;

    for (int i = 0; i < KEY_N_PARTS && status == ST_OK; i++) {
        key_get_part(port, (enum key_part)i, part, sizeof part);
        status = schema_check_key_part(schema, row, &keys[i], part, err);
    }
    return status;
}

/* Formats the indices of 'key' as they appear in the key of a row. */
static void
schema_format_range(const struct key *key, char *buffer, size_t size)
{
    if (key->first == key->last) {
        text_format(buffer, size, "%u", key->first);
    } else {
        text_format(buffer, size, "%u-%u", key->first, key->last);
    }
}

/* Checks each port, and the indices, of a key that names ports. */
static enum st
schema_check_ports(struct schema *schema, const struct schema_row *row,
                   struct err *err)
{
    const struct yang_leaf *keys = schema->yang->tables[row->table].keys;
    const struct key *key = row->key;
    enum st status = ST_OK;
    char range[32];

    for (size_t i = 0; i < key->n_ports && status == ST_OK; i++) {
        status = key_is_system_port(key->ports[i])
                     ? schema_check_system_port(schema, row, key->ports[i], err)
                     : schema_check_key_part(schema, row, &keys[0],
                                             key->ports[i], err);
        if (status == ST_OK && row->table == TABLE_PORT_QOS_MAP &&
            key->n_ports > 1 && !strcmp(key->ports[i], "global")) {
            status = err_set(err, ST_INVALID, "key",
                             "global cannot be listed with ports");
            err_set_field(err, NULL, "global", "port names, or global alone");
            err_set_remedy(err, "write a separate row for global");
        }
    }
    /* SONiC's tools assume 16 queues; the ASIC says how many a port has. */
    if (status == ST_OK && schema->yang->tables[row->table].n_keys > 1 &&
        row->table != TABLE_BUFFER_QUEUE && row->table != TABLE_QUEUE) {
        schema_format_range(key, range, sizeof range);
        status = schema_check_key_part(schema, row, &keys[1], range, err);
    }
    return status;
}

/* Checks all parts of the key.  A container instead of a list in the module
 * means that the table has only one row. */
static enum st
schema_check_key(struct schema *schema, const struct schema_row *row,
                 struct err *err)
{
    const struct yang_table *table = &schema->yang->tables[row->table];
    const char *only = table->node->name;

    if (row->key->ports) {
        return schema_check_ports(schema, row, err);
    }
    if (row->table == TABLE_SYSTEM_PORT) {
        return schema_check_system_port(schema, row, row->key->name, err);
    }
    if (table->n_keys) {
        return schema_check_key_part(schema, row, &table->keys[0],
                                     row->key->name, err);
    }
    if (strcmp(row->key->name, only)) {
        err_set(err, ST_INVALID, "key", "%s has only the row %s",
                table_name(row->table), only);
        err_set_field(err, NULL, row->key->name, only);
        err_set_remedy(err, "delete the row");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Returns whether one of the 'n' names is 'name'. */
static bool
schema_has_name(const struct field *fields, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'field' is unchanged from 'accepted'.  Both are mostly sorted
 * by name: '*at' is where the next field is expected. */
static bool
schema_is_accepted(const struct content *accepted, const struct field *field,
                   size_t *at)
{
    const char *value;

    if (!accepted) {
        return false;
    }
    if (*at < accepted->n && !strcmp(accepted->fields[*at].name, field->name)) {
        value = accepted->fields[(*at)++].value;
    } else {
        value = content_find(accepted->fields, accepted->n, field->name);
    }
    return value && !strcmp(value, field->value);
}

/* Checks one field of a map.  '*other_spelling' is set once this field or an
 * earlier one is not in canonical form, so that two fields may have the same
 * key. */
static enum st
schema_check_entry(struct schema *schema, const struct schema_row *row,
                   size_t i, bool *other_spelling, struct field *canonical,
                   struct err *err)
{
    const struct yang_table *table = &schema->yang->tables[row->table];
    const struct yang_leaf *key = &table->map_key, *value = &table->map_value;
    const struct field *field = &row->fields[i];
    const char *code =
        schema_check_leaf(schema, key, field->name, &canonical[i].name);

    if (code) {
        schema_bad_value(key, code, key->name, field->name, err);
        err_set_field(err, field->name, field->name, key->allowed);
        err_set_remedy(err, "remove the field; a %s is in %s", key->name,
                       key->allowed);
        return ST_INVALID;
    }
    *other_spelling |= strcmp(canonical[i].name, field->name) != 0;
    if (*other_spelling && schema_has_name(canonical, i, canonical[i].name)) {
        err_set(err, ST_INVALID, "duplicate", "%s occurs twice",
                canonical[i].name);
        err_set_field(err, field->name, field->value, NULL);
        err_set_remedy(err, "remove the field");
        return ST_INVALID;
    }
    code = schema_check_leaf(schema, value, field->value, &canonical[i].value);
    return code ? schema_bad_value(value, code, field->name, field->value, err)
                : ST_OK;
}

/* Checks the fields of a map.  Usually only a few fields of a long map
 * change. */
static enum st
schema_check_map(struct schema *schema, const struct schema_row *row,
                 struct field *canonical, struct err *err)
{
    const struct yang_table *table = &schema->yang->tables[row->table];
    const struct yang_leaf *key = &table->map_key, *value = &table->map_value;
    bool other_spelling = false;
    size_t at = 0;

    for (size_t i = 0; i < row->n; i++) {
        enum st status = ST_OK;

        canonical[i] = row->fields[i];
        if (other_spelling ||
            !schema_is_accepted(row->accepted, &row->fields[i], &at)) {
            status = schema_check_entry(schema, row, i, &other_spelling,
                                        canonical, err);
        }
        if (status) {
            return status;
        }
    }
    if (row->n < table->map_min) {
        err_set(err, ST_INVALID, "mandatory", "the map has no entry");
        err_set_remedy(err, "add fields: a %s in %s each, the value a %s in %s",
                       key->name, key->allowed, value->name, value->allowed);
        return ST_INVALID;
    }
    return ST_OK;
}

enum st
schema_check_name(const struct schema *schema, enum table table,
                  const char *field, struct err *err)
{
    const struct yang_table *known = &schema->yang->tables[table];
    struct choices choices;

    if (known->map || yang_leaf(known, field)) {
        return ST_OK;
    }
    choices_init(&choices, field);
    for (size_t i = 0; i < known->n_leaves; i++) {
        choices_add(&choices, known->leaves[i].name);
    }
    err_set(err, ST_INVALID, "unknown-field", "%s has no field %.64s",
            table_name(table), field);
    return choices_explain(&choices, field, err);
}

/* Fills 'err' for a field that the table does not have. */
static enum st
schema_unknown_field(const struct schema *schema, const struct schema_row *row,
                     const struct field *field, struct err *err)
{
    orch_assert(schema_check_name(schema, row->table, field->name, err));
    text_copy(err->value, sizeof err->value, field->value);
    err_set_remedy(err, "remove the field, or correct its name");
    return ST_INVALID;
}

/* Warns of a field that the table does not have.  DEVICE_METADATA has many
 * fields of other programs, so a similar one there is no mistake. */
static void
schema_warn_unknown(const struct schema *schema, const struct schema_row *row,
                    const char *field, struct text *warnings)
{
    const struct yang_table *table = &schema->yang->tables[row->table];
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE], detail[96];

    nearest_init(&nearest, field, strlen(field));
    for (size_t i = 0;
         row->table != TABLE_DEVICE_METADATA && i < table->n_leaves; i++) {
        nearest_try(&nearest, table->leaves[i].name);
    }
    text_format(detail, sizeof detail, "%.40s%s", field,
                nearest_hint(&nearest, hint));
    schema_warn(warnings, "unknown-field", detail);
}

/* Returns whether 'field' has no meaning in this row. */
static bool
schema_is_ignored(const struct schema_row *row, const struct field *field)
{
    return row->table == TABLE_PORT_QOS_MAP &&
           !strcmp(row->key->ports[0], "global") &&
           strcmp(field->name, "dscp_to_tc_map") != 0;
}

/* Checks one field of a row that is not a map; marks it in 'present'. */
static enum st
schema_check_field(struct schema *schema, const struct schema_row *row,
                   const struct field *field, struct field *canonical,
                   const char **present, struct text *warnings, struct err *err)
{
    const struct yang_table *table = &schema->yang->tables[row->table];
    const struct yang_leaf *leaf = yang_leaf(table, field->name);
    bool tolerant = row->table == TABLE_DEVICE_METADATA;
    const char *code;

    if (!leaf || schema_is_ignored(row, field)) {
        if (!leaf && row->strict && !tolerant) {
            return schema_unknown_field(schema, row, field, err);
        }
        if (leaf) {
            schema_warn(warnings, "ignored-field", field->name);
        } else {
            schema_warn_unknown(schema, row, field->name, warnings);
        }
        return ST_OK;
    }
    canonical->name = leaf->name;
    code = (leaf->list ? schema_check_list : schema_check_leaf)(
        schema, leaf, field->value, &canonical->value);
    if (code && tolerant) {
        schema_warn_unusable(leaf, warnings);
        return ST_OK;
    }
    if (code) {
        return schema_bad_value(leaf, code, field->name, field->value, err);
    }
    present[leaf->index] = canonical->value;
    return ST_OK;
}

/* 'present' has a value for each field that the row has. */
static enum st
schema_check_mandatory(const struct yang_table *table,
                       const char *const *present, struct err *err)
{
    for (size_t i = 0; i < table->n_leaves; i++) {
        const struct yang_leaf *leaf = &table->leaves[i];

        if (leaf->mandatory && !present[i]) {
            err_set(err, ST_INVALID, "mandatory", "the field %s is missing",
                    leaf->name);
            err_set_field(err, leaf->name, NULL, leaf->allowed);
            err_set_remedy(err, "add the field %s: %s", leaf->name,
                           leaf->allowed);
            return ST_INVALID;
        }
    }
    return ST_OK;
}

/* Checks that 'text', the lanes of a port, has no lane twice. */
static enum st
schema_check_lanes(const char *text, struct err *err)
{
    uint32_t list[MAX_LANES], twice;
    struct lanes lanes = {list, 0};
    const char *cursor = text;
    char value[16];

    while (cursor && lanes.n < MAX_LANES) {
        list[lanes.n++] = (uint32_t)strtoul(cursor, NULL, 10);
        cursor = strchr(cursor, ',');
        cursor = cursor ? cursor + 1 : NULL;
    }
    if (!lanes_find_twice(&lanes, &twice)) {
        return ST_OK;
    }
    text_format(value, sizeof value, "%u", twice);
    err_set(err, ST_INVALID, "duplicate", "lane %s appears twice in %s", value,
            text);
    err_set_field(err, "lanes", value, "different lanes");
    err_set_remedy(err, "name each lane of the port once");
    return ST_INVALID;
}

/* Returns the first part of 'key' as rules see it: of ports the first, and
 * of a system port only the port. */
static const char *
schema_first_part(const struct key *key)
{
    const char *bar = key->ports ? strrchr(key->ports[0], '|') : NULL;

    if (!key->ports) {
        return key->name;
    }
    return bar ? bar + 1 : key->ports[0];
}

/* Checks the fields of a row that is not a map. */
static enum st
schema_check_fields(struct schema *schema, const struct schema_row *row,
                    struct field *canonical, struct text *warnings,
                    struct err *err)
{
    const struct yang_table *table = &schema->yang->tables[row->table];
    const char **present =
        arena_alloc(schema->scratch, table->n_leaves, sizeof *present);
    const struct rule_row values = {row->table, schema_first_part(row->key),
                                    row->buffer_model, present};
    enum st status = ST_OK;

    for (size_t i = 0; i < row->n && status == ST_OK; i++) {
        status = schema_check_field(schema, row, &row->fields[i], &canonical[i],
                                    present, warnings, err);
    }
    if (status == ST_OK) {
        status = schema_check_mandatory(table, present, err);
    }
    if (status == ST_OK && row->table == TABLE_PORT) {
        status =
            schema_check_lanes(present[yang_leaf(table, "lanes")->index], err);
    }
    if (status == ST_OK && table->n_rules) {
        status = row_rules_check(schema->rules, &values, err);
    }
    return status;
}

enum st
schema_check_row(struct schema *schema, const struct schema_row *row,
                 struct field *canonical, struct text *warnings,
                 struct err *err)
{
    enum st status;

    orch_assert(schema->yang->tables[row->table].node);
    arena_reset(schema->scratch);
    if (row->n) {
        memset(canonical, 0, row->n * sizeof *canonical);
    }
    status = schema_check_key(schema, row, err);
    if (status) {
        return status;
    }
    return schema->yang->tables[row->table].map
               ? schema_check_map(schema, row, canonical, err)
               : schema_check_fields(schema, row, canonical, warnings, err);
}
