/* SPDX-License-Identifier: Apache-2.0 */

/* One generic engine for all translation tables. */

#include <config.h>

#include "orchd/translate/translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "orchd/intent/key.h"
#include "orchd/translate/llr_row.h"
#include "orchd/translate/rules.h"

/* CONFIG_DB has no name for the one switch. */
static const char switch_name[] = "localhost";

/* The schema has validated numbers, so parsing cannot fail. A size may take all
 * 64 bits; it is returned as those bits, which metadata_set_number() turns back
 * into the same number. */
static int64_t
read_number(const char *text)
{
    int64_t value = 0;
    uint64_t size = 0;
    enum st status = parse_s64(text, INT64_MIN + 1, INT64_MAX, &value);

    if (status != ST_OK) {
        status = parse_u64(text, 0, UINT64_MAX, &size);
        value = (int64_t)size;
    }
    orch_assert(status == ST_OK);
    return value;
}

/* The same for a word of an enumeration. */
static int64_t
read_word(const struct word *words, const char *text)
{
    while (words->word && strcmp(words->word, text)) {
        words++;
    }
    return words->value;
}

/* Parses the number in the first 'length' bytes of 'item'. */
static int64_t
read_item(const char *item, size_t length)
{
    char digits[24];

    orch_assert(length < sizeof digits);
    memcpy(digits, item, length);
    digits[length] = '\0';
    return read_number(digits);
}

/* Parses a comma list of bit numbers: "3,4" is 0x18. */
static int64_t
read_bits(const char *text)
{
    const char *cursor = *text ? text : NULL;
    const char *item;
    size_t length;
    int64_t mask = 0;

    while (parse_list_next(&cursor, &item, &length)) {
        mask |= INT64_C(1) << read_item(item, length);
    }
    return mask;
}

/* Parses the comma list of lanes, whose order matters. */
static void
read_lanes(const char *text, struct arena *arena, sai_u32_list_t *list)
{
    const char *cursor = text;
    const char *item;
    size_t length;
    uint32_t n = 1;

    for (const char *p = text; *p; p++) {
        n += *p == ',';
    }
    list->list = arena_alloc(arena, n, sizeof *list->list);
    list->count = 0;
    while (parse_list_next(&cursor, &item, &length)) {
        list->list[list->count++] = (uint32_t)read_item(item, length);
    }
}

/* Lists the objects of 'table' that the 'text' of a comma list names. */
static void
read_rows(enum table table, const char *text, struct arena *arena,
          struct want *want)
{
    const char *cursor = *text ? text : NULL;
    const char *item;
    size_t length, n = 1;
    struct object_name *refs;

    for (const char *p = text; *p; p++) {
        n += *p == ',';
    }
    want->refs = refs = arena_alloc(arena, n, sizeof *refs);
    while (parse_list_next(&cursor, &item, &length)) {
        refs[want->n_refs++] =
            (struct object_name){arena_strndup(arena, item, length), table, -1};
    }
}

/* Fills in the value, or the references, that a field sets in the attribute of
 * its rule. */
static void
convert_field(const struct field_rule *rule, const char *text,
              struct arena *arena, struct want *want)
{
    enum kind kind = want->meta->kind;

    switch (rule->convert) {
    case CONVERT_NUMBER:
        metadata_set_number(kind, read_number(text) + rule->argument.offset,
                            &want->value);
        break;
    case CONVERT_UNLESS:
        metadata_set_number(kind, read_number(text), &want->value);
        break;
    case CONVERT_WORD:
    case CONVERT_ELSE:
        metadata_set_number(kind, read_word(rule->argument.words, text),
                            &want->value);
        break;
    case CONVERT_LANES:
        read_lanes(text, arena, &want->value.u32list);
        break;
    case CONVERT_BITS:
        metadata_set_number(kind, read_bits(text), &want->value);
        break;
    case CONVERT_FIXED:
        metadata_set_number(kind, rule->argument.offset, &want->value);
        break;
    case CONVERT_FILL:
        orch_assert(metadata_default(want->meta, &want->value));
        break;
    case CONVERT_ROW: /* A name has no comma. */
    case CONVERT_ROWS:
        read_rows(rule->argument.table, text, arena, want);
        break;
    case CONVERT_NONE:
        break;
    }
}

static int
want_compare(const void *a, const void *b)
{
    const struct want *x = a, *y = b;
    int order = (x->type > y->type) - (x->type < y->type);

    return order ? order
                 : (x->meta->id > y->meta->id) - (x->meta->id < y->meta->id);
}

/* Returns the text that 'rule' applies to, or NULL if 'rule' does not apply to
 * 'row'. */
static const char *
rule_text(const struct row *row, const struct field_rule *rule)
{
    const char *text = rule->field ? row_field(row, rule->field) : "";
    bool fill = rule->convert == CONVERT_FILL;

    if (fill && text &&
        (strcmp(text, "true") || row_field(row, rule->argument.unless))) {
        return NULL;
    }
    if (rule->convert == CONVERT_UNLESS && text &&
        !strcmp(text, rule->argument.unless)) {
        return NULL;
    }
    return text;
}

/* Returns whether 'row' is about VOQs: queues of system ports. */
static bool
names_voqs(const struct row *row)
{
    return row->n_ports && key_is_system_port(row->ports[0]);
}

/* Returns whether 'rule' is about schedulers: they are for the queues of ports,
 * and the credits of VOQs follow from these. */
static bool
is_scheduler(const struct field_rule *rule)
{
    return rule->convert == CONVERT_ROW &&
           rule->argument.table == TABLE_SCHEDULER;
}

/* Warns of a traffic class that no DSCP of trimmed packets depends on. */
static void
warn_of_unused_class(const struct row *row, struct text *warnings)
{
    const char *dscp = row_field(row, "dscp_value");

    if (row->table == TABLE_SWITCH_TRIMMING && row_field(row, "tc_value") &&
        (!dscp || strcmp(dscp, "from-tc"))) {
        text_add_item(warnings, ", ", "ignored-field tc_value");
    }
}

static void
translate_fields(const struct row *row, const struct table_rule *rules,
                 struct arena *arena, struct demand *demand,
                 struct text *warnings)
{
    struct want *wants = arena_alloc(arena, rules->n_fields, sizeof *wants);
    size_t n = 0;

    for (size_t i = 0; i < rules->n_fields; i++) {
        const struct field_rule *rule = &rules->fields[i];
        const char *text = rule_text(row, rule);

        if (!text) {
            continue;
        }
        if (names_voqs(row) && !row->is_own && is_scheduler(rule)) {
            if (rule->type) { /* One rule of two. */
                text_add_item(warnings, ", ", "ignored-field ");
                text_add(warnings, rule->field);
            }
            continue;
        }
        if (rule->convert == CONVERT_NONE) {
            text_add_item(warnings, ", ", "unsupported-field ");
            text_add(warnings, rule->field);
            continue;
        }
        wants[n].type = rule->type ? rule->type : rules->type;
        wants[n].meta = metadata_attribute(wants[n].type, rule->attribute);
        orch_assert(wants[n].meta != NULL);
        wants[n].field = rule->field ? rule->field : "";
        wants[n].conditional = rule->conditional;
        wants[n].only_voqs = names_voqs(row) && !is_scheduler(rule);
        convert_field(rule, text, arena, &wants[n]);
        n++;
    }
    warn_of_unused_class(row, warnings);
    qsort(wants, n, sizeof *wants, want_compare);
    demand->wants = wants;
    demand->n_wants = (uint32_t)n;
}

/* Translates a completed row whose ports have different profiles, or lists of
 * them: its fields are named after the ports. */
static void
translate_parts(const struct row *row, const struct field_rule *rule,
                const struct table_rule *rules, struct arena *arena,
                struct demand *demand)
{
    struct want *wants = arena_alloc(arena, row->n_fields, sizeof *wants);
    sai_object_type_t type = rule->type ? rule->type : rules->type;

    for (size_t i = 0; i < row->n_fields; i++) {
        wants[i].type = type;
        wants[i].meta = metadata_attribute(type, rule->attribute);
        wants[i].field = rule->field;
        wants[i].port = row->fields[i].name;
        read_rows(TABLE_BUFFER_PROFILE, row->fields[i].value, arena, &wants[i]);
    }
    demand->wants = wants;
    demand->n_wants = (uint32_t)row->n_fields;
}

/* Returns the rule of the field that binds profiles, if 'row' was completed
 * port by port; else NULL. */
static const struct field_rule *
parts_rule(const struct row *row, const struct table_rule *rules)
{
    for (size_t i = 0; i < rules->n_fields; i++) {
        const struct field_rule *rule = &rules->fields[i];
        bool binds =
            (rule->convert == CONVERT_ROW || rule->convert == CONVERT_ROWS) &&
            rule->argument.table == TABLE_BUFFER_PROFILE;

        if (row->form == ROW_COMPLETED && binds) {
            return row_field(row, rule->field) ? NULL : rule;
        }
    }
    return NULL;
}

/* Puts 'number' into the member of '*params' at 'offset'. */
static void
store_param(sai_qos_map_params_t *params, size_t offset, int64_t number)
{
    if (offset == offsetof(sai_qos_map_params_t, queue_index)) {
        params->queue_index = (sai_queue_index_t)number;
    } else {
        ((uint8_t *)params)[offset] = (uint8_t)number;
    }
}

/* An entry of a map, sortable by its number. */
struct map_entry {
    int64_t key, value;
};

static int
map_entry_compare(const void *a, const void *b)
{
    int64_t x = ((const struct map_entry *)a)->key;
    int64_t y = ((const struct map_entry *)b)->key;

    return (x > y) - (x < y);
}

static void
translate_map(const struct row *row, const struct map_rule *map,
              struct arena *arena, struct demand *demand)
{
    struct want *wants = arena_alloc(arena, 2, sizeof *wants);
    sai_qos_map_list_t *list = &wants[1].value.qosmap;
    struct map_entry *entries =
        arena_alloc(arena, row->n_fields, sizeof *entries);

    for (size_t i = 0; i < row->n_fields; i++) {
        entries[i].key = read_number(row->fields[i].name);
        entries[i].value = read_number(row->fields[i].value);
    }
    qsort(entries, row->n_fields, sizeof *entries, map_entry_compare);
    wants[0].meta =
        metadata_attribute(SAI_OBJECT_TYPE_QOS_MAP, SAI_QOS_MAP_ATTR_TYPE);
    wants[0].value.s32 = (int32_t)map->type;
    wants[1].meta = metadata_attribute(SAI_OBJECT_TYPE_QOS_MAP,
                                       SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST);
    list->count = (uint32_t)row->n_fields;
    list->list = arena_alloc(arena, row->n_fields, sizeof *list->list);
    for (size_t i = 0; i < row->n_fields; i++) {
        store_param(&list->list[i].key, map->key_offset, entries[i].key);
        store_param(&list->list[i].value, map->value_offset, entries[i].value);
    }
    wants[0].field = wants[1].field = "";
    wants[0].type = wants[1].type = SAI_OBJECT_TYPE_QOS_MAP;
    demand->wants = wants;
    demand->n_wants = 2;
}

/* A row whose fields are names of ports sets nothing on them, but refers to
 * each. */
static void
translate_mentions(const struct row *row, struct arena *arena,
                   struct demand *demand)
{
    struct want *wants = arena_alloc(arena, row->n_fields, sizeof *wants);

    for (size_t i = 0; i < row->n_fields; i++) {
        read_rows(TABLE_PORT, row->fields[i].name, arena, &wants[i]);
        wants[i].field = row->fields[i].name;
        wants[i].text = row->fields[i].value;
    }
    demand->wants = wants;
    demand->n_wants = (uint32_t)row->n_fields;
}

/* Returns the port of 'system_port'. */
static const char *
port_of(const char *system_port, struct arena *arena)
{
    const size_t size = strlen(system_port) + 1;
    char *name = arena_alloc(arena, size, 1);

    key_get_part(system_port, KEY_PART_PORT, name, size);
    return name;
}

/* Lists the queues or priority groups of each port of 'row'.  VOQs are in no
 * scheduler group, and the scheduler of a row about VOQs of an own port is for
 * the queues of the port. */
static void
reach_indexes(const struct row *row, bool queues, struct arena *arena,
              struct demand *demand)
{
    const bool voqs = names_voqs(row);
    const bool own = queues && voqs && row->is_own;
    const bool with_group = queues && (own || !voqs);
    const unsigned int width = row->last - row->first + 1;
    const size_t each = 1 + (size_t)own + (size_t)with_group;
    struct object_name *object =
        arena_alloc(arena, row->n_ports * width * each, sizeof *object);

    demand->objects = object;
    for (size_t p = 0; p < row->n_ports; p++) {
        for (unsigned int i = row->first; i <= row->last; i++) {
            *object++ = (struct object_name){
                arena_strdup(arena, row->ports[p]),
                voqs ? TABLE_BUFFER_QUEUE : row->table, (int)i};
            if (own) {
                *object++ = (struct object_name){port_of(row->ports[p], arena),
                                                 TABLE_QUEUE, (int)i};
            }
            if (with_group) {
                *object = object[-1];
                object++->table = TABLE_BUFFER_QUEUE;
            }
        }
    }
    demand->n_objects = (uint32_t)(object - demand->objects);
    demand->width = width;
    demand->n_ports = (uint16_t)row->n_ports; /* At most KEY_PORTS_MAX. */
}

/* Lists the 'n' ports 'names'. */
static void
reach_ports(const char *const *names, size_t n, struct arena *arena,
            struct demand *demand)
{
    struct object_name *objects = arena_alloc(arena, n, sizeof *objects);

    for (size_t i = 0; i < n; i++) {
        objects[i] =
            (struct object_name){arena_strdup(arena, names[i]), TABLE_PORT, -1};
    }
    demand->objects = objects;
    demand->n_objects = (uint32_t)n;
    demand->n_ports = (uint16_t)n;
}

/* Lists the one object 'name' of 'table'. */
static void
reach_one(const char *name, enum table table, struct arena *arena,
          struct demand *demand)
{
    struct object_name *object = arena_alloc(arena, 1, sizeof *object);

    *object = (struct object_name){name, table, -1};
    demand->objects = object;
    demand->n_objects = demand->n_ports = 1;
}

/* Lists the objects that 'row' applies to. */
static void
translate_reach(const struct row *row, const struct table_rule *rules,
                struct arena *arena, struct demand *demand)
{
    demand->defines = rules->reach == REACH_SELF;
    demand->width = 1;
    switch (rules->reach) {
    case REACH_QUEUES:
    case REACH_INDEXES:
        reach_indexes(row, rules->reach == REACH_QUEUES, arena, demand);
        break;
    case REACH_PORTS:
        reach_ports(row->ports, row->n_ports, arena, demand);
        break;
    case REACH_KEY:
        reach_ports(&row->key, 1, arena, demand);
        break;
    case REACH_SWITCH:
        reach_one(switch_name, TABLE_DEVICE_METADATA, arena, demand);
        break;
    default:
        reach_one(arena_strdup(arena, row->key), row->table, arena, demand);
        break;
    }
}

enum st
translate_row(const struct row *row, struct arena *arena, struct demand *demand,
              struct text *warnings, struct err *err)
{
    const struct table_rule *rules = rules_get(row->table);
    const char *profile = row_field(row, "profile");
    const struct field_rule *parts;
    enum st status;

    memset(demand, 0, sizeof *demand);
    status = llr_row_check(row, err);
    if (status != ST_OK) {
        return status;
    }
    if (row->table == TABLE_PORT_QOS_MAP && !strcmp(row->key, "global")) {
        rules = rules_get_global_qos();
    }
    if (rules->reach == REACH_NAMED) {
        translate_mentions(row, arena, demand);
        return ST_OK;
    }
    if (rules->reach == REACH_NOTHING ||
        (rules->reach == REACH_KEY && !strcmp(row->key, "GLOBAL"))) {
        return ST_OK;
    }
    if (row->table == TABLE_BUFFER_PG && row->form != ROW_COMPLETED &&
        (!profile || !strcmp(profile, "NULL"))) {
        err_set(err, ST_NOT_FOUND, "needs-dynamic-model",
                "a profile computed from speed and cable needs the dynamic "
                "buffer model");
        err_set_field(err, "profile", profile, "the name of a BUFFER_PROFILE");
        err_set_remedy(err, "name a BUFFER_PROFILE with xon, xoff and size");
        return ST_NOT_FOUND;
    }
    translate_reach(row, rules, arena, demand);
    parts = parts_rule(row, rules);
    if (row->form == ROW_IDLE) {
        demand->idle = true;
        demand->defines = false;
    } else if (parts) {
        translate_parts(row, parts, rules, arena, demand);
    } else if (rules->map) {
        translate_map(row, rules->map, arena, demand);
    } else {
        translate_fields(row, rules, arena, demand, warnings);
    }
    return ST_OK;
}

sai_object_type_t
translate_object_type(enum table table)
{
    const struct table_rule *rules = rules_get(table);

    return rules->reach != REACH_PORTS && rules->reach != REACH_KEY
               ? rules->type
               : SAI_OBJECT_TYPE_NULL;
}

sai_attr_id_t
translate_field_attribute(enum table table, const char *field)
{
    const struct table_rule *rules = rules_get(table);
    size_t i = 0;

    while (!rules->fields[i].field || strcmp(rules->fields[i].field, field) ||
           rules->fields[i].convert == CONVERT_FIXED ||
           rules->fields[i].convert == CONVERT_ELSE) {
        i++;
        orch_assert(i < rules->n_fields);
    }
    return rules->fields[i].attribute;
}

/* Returns whether a row with these rules may set that attribute. */
static bool
rules_may_want(const struct table_rule *rules, sai_object_type_t type,
               sai_attr_id_t id)
{
    if (rules->map) {
        return type == SAI_OBJECT_TYPE_QOS_MAP &&
               (id == SAI_QOS_MAP_ATTR_TYPE ||
                id == SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST);
    }
    for (size_t i = 0; i < rules->n_fields; i++) {
        const struct field_rule *field = &rules->fields[i];

        if (field->convert != CONVERT_NONE && field->attribute == id &&
            (field->type ? field->type : rules->type) == type) {
            return true;
        }
    }
    return false;
}

bool
translate_may_want(sai_object_type_t type, sai_attr_id_t id, enum table *table)
{
    enum table found = N_TABLES;

    for (int i = 0; i < N_TABLES && found == N_TABLES; i++) {
        const struct table_rule *rules = rules_get((enum table)i);

        if (rules_may_want(rules, type, id)) {
            found = (enum table)i;
        }
    }
    if (found == N_TABLES && rules_may_want(rules_get_global_qos(), type, id)) {
        found = TABLE_PORT_QOS_MAP;
    }
    if (found != N_TABLES && table) {
        *table = found;
    }
    return found != N_TABLES;
}
