/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'switch:' and 'ecmp:' of a fabric. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "lab/scenario/sections.h"

static const char *const ecmp_algorithms[] = {
#define X(member, name) name,
    ECMP_ALGORITHMS(X)
#undef X
        NULL,
};

static const char *const ecmp_field_names[] = {
#define X(member, name) name,
    ECMP_FIELDS(X)
#undef X
        NULL,
};

struct ecmp_values {
    struct ecmp_spec ecmp;
    struct fy_node *seed;
    int algorithm;
};

#define AT(member) offsetof(struct ecmp_values, member)

static const struct field ecmp_fields[] = {
    {"seed", FIELD_NODE, AT(seed), NULL, NULL, NULL},
    {"offset", FIELD_COUNT, AT(ecmp.offset), "0..31", NULL, NULL},
    {"algorithm", FIELD_WORD, AT(algorithm), NULL, NULL, ecmp_algorithms},
    {"fields", FIELD_WORDS, AT(ecmp.fields), NULL, NULL, ecmp_field_names},
};

static const struct field seed_field = {
    "seed", FIELD_COUNT, AT(ecmp.seed), "0..4294967295", NULL, NULL};

#undef AT

/* The 5-tuple, a seed of its own for each switch. */
static const struct ecmp_spec ecmp_default = {
    .seed_per_switch = true,
    .algorithm = ECMP_ALGORITHM_CRC,
    .fields = 1U << ECMP_FIELD_SRC_IP | 1U << ECMP_FIELD_DST_IP |
              1U << ECMP_FIELD_IP_PROTOCOL | 1U << ECMP_FIELD_L4_SRC_PORT |
              1U << ECMP_FIELD_L4_DST_PORT,
};

/* Reads the keys over '*ecmp', which is complete. */
static enum st
read_ecmp(struct reader *reader, struct fy_node *node, struct ecmp_spec *ecmp)
{
    struct ecmp_values values = {.ecmp = *ecmp,
                                 .algorithm = (int)ecmp->algorithm};
    const char *text = NULL;
    enum st st = fields_read(reader, node, "'ecmp'", ecmp_fields,
                             N_FIELDS(ecmp_fields), &values, NULL);

    if (!st && values.seed) {
        st = fields_text(reader, values.seed, "seed", &text);
        values.ecmp.seed_per_switch = !st && !strcmp(text, "per-switch");
        if (!st && !values.ecmp.seed_per_switch &&
            fields_read_value(reader, values.seed, &seed_field, &values)) {
            st = document_fail(reader->document, values.seed, reader->err,
                               "'seed' is '%s'; allowed is per-switch or %s",
                               text, seed_field.range);
        }
    }
    if (!st && !values.ecmp.fields) {
        st = document_fail(reader->document, node, reader->err,
                           "'fields' is empty: a hash needs a field");
    }
    *ecmp = values.ecmp;
    ecmp->algorithm = (enum ecmp_algorithm)values.algorithm;
    return st;
}

enum st
section_ecmp(struct reader *reader, struct fy_node *node,
             struct ecmp_spec *ecmp)
{
    *ecmp = ecmp_default;
    return node ? read_ecmp(reader, node, ecmp) : ST_OK;
}

static const char *const admissions[] = {
#define X(name) name,
    ADMISSION_WORDS(X)
#undef X
        NULL,
};

struct role_values {
    struct role_spec role;
    struct fy_node *ecmp, *set, *watchdog, *vlan;
};

#define AT(member) offsetof(struct role_values, member)

static const struct field role_fields[] = {
    {"config", FIELD_TEXT, AT(role.config), NULL, NULL, NULL},
    {"chip", FIELD_TEXT, AT(role.chip), NULL, NULL, NULL},
    {"chip_set", FIELD_TEXT, AT(role.chip_set), NULL, NULL, NULL},
    {"ports", FIELD_COUNT, AT(role.ports), "1..1024", NULL, NULL},
    {"ecmp", FIELD_NODE, AT(ecmp), NULL, NULL, NULL},
    {"pfc_response", FIELD_TIME, AT(role.pfc_response_ps), "0..1ms", NULL,
     NULL},
    {"admission", FIELD_WORD, AT(role.admission), NULL, NULL, admissions},
    {"watchdog", FIELD_NODE, AT(watchdog), NULL, NULL, NULL},
    {"vlan", FIELD_NODE, AT(vlan), NULL, NULL, NULL},
    {"set", FIELD_NODE, AT(set), NULL, NULL, NULL},
};

#undef AT

/* The state of reading 'set'. */
struct set_reading {
    struct config_field *fields;
    size_t n;
    const char *table, *key;
};

/* Implements fields_pair_fn: a field of a row. */
static enum st
read_set_field(struct reader *reader, struct fy_node *key, const char *name,
               struct fy_node *value, void *context)
{
    struct set_reading *reading = context;
    struct config_field *field = &reading->fields[reading->n++];

    field->table = reading->table;
    field->key = reading->key;
    field->field = name;
    field->place = fields_place(reader, key);
    return document_is_none(value)
               ? ST_OK
               : fields_text(reader, value, name, &field->value);
}

/* Implements fields_pair_fn: "TABLE|KEY: {field: value}". */
static enum st
read_set_row(struct reader *reader, struct fy_node *key, const char *name,
             struct fy_node *value, void *context)
{
    struct set_reading *reading = context;
    const char *bar = strchr(name, '|');

    if (!bar || bar == name || !bar[1]) {
        return document_fail(reader->document, key, reader->err,
                             "'%s' is not the name of a row of CONFIG_DB, "
                             "TABLE|KEY",
                             name);
    }
    reading->table = arena_strndup(reader->arena, name, (size_t)(bar - name));
    reading->key = bar + 1;
    return fields_each_pair(reader, value, "a row", read_set_field, reading);
}

/* Implements fields_pair_fn: counts the fields. */
static enum st
count_set_row(struct reader *reader, struct fy_node *key, const char *name,
              struct fy_node *value, void *context)
{
    size_t *n = context;

    (void)reader;
    (void)key;
    (void)name;
    *n += fields_n_items(value);
    return ST_OK;
}

enum st
section_set(struct reader *reader, struct fy_node *node,
            const struct config_field **set, size_t *n_set)
{
    struct set_reading reading = {0};
    size_t n = 0;
    enum st st = fields_each_pair(reader, node, "'set'", count_set_row, &n);

    if (!st) {
        reading.fields =
            arena_alloc(reader->arena, n + 1, sizeof *reading.fields);
        st = fields_each_pair(reader, node, "'set'", read_set_row, &reading);
    }
    *set = reading.fields;
    *n_set = reading.n;
    return st;
}

/* The state of reading the roles. */
struct roles_reading {
    struct role_spec *roles;
    size_t n;
    const struct ecmp_spec *ecmp;
};

/* Implements fields_pair_fn. */
static enum st
read_role(struct reader *reader, struct fy_node *key, const char *name,
          struct fy_node *value, void *context)
{
    struct roles_reading *reading = context;
    struct role_values values = {
        .role = {.pfc_response_ps = -1, .admission = -1}};
    enum st st;

    (void)name;
    values.role.place = fields_place(reader, key);
    values.role.ecmp = *reading->ecmp;
    st = fields_name(reader, key, "a role or a switch", &values.role.name);
    if (!st) {
        st = fields_read(reader, value, values.role.name, role_fields,
                         N_FIELDS(role_fields), &values, NULL);
    }
    if (!st && values.ecmp) {
        values.role.has_ecmp = true;
        st = read_ecmp(reader, values.ecmp, &values.role.ecmp);
    }
    if (!st && values.watchdog) {
        values.role.has_watchdog = true;
        section_watchdog_init(reader, &values.role.watchdog);
        st = section_watchdog(reader, values.watchdog, false,
                              &values.role.watchdog);
    }
    if (!st && values.vlan) {
        values.role.has_vlan = true;
        st = section_vlan(reader, values.vlan, &values.role.vlan);
    }
    if (!st && values.set) {
        st = section_set(reader, values.set, &values.role.set,
                         &values.role.n_set);
    }
    reading->roles[reading->n++] = values.role;
    return st;
}

enum st
section_roles(struct reader *reader, struct fy_node *node,
              struct fabric_spec *fabric)
{
    struct roles_reading reading = {.ecmp = &fabric->ecmp};
    enum st st;

    if (!node) {
        return ST_OK;
    }
    reading.roles = arena_alloc(reader->arena, fields_n_items(node) + 1,
                                sizeof *reading.roles);
    st = fields_each_pair(reader, node, "'switch'", read_role, &reading);
    fabric->roles = reading.roles;
    fabric->n_roles = reading.n;
    return st;
}

enum st
scenario_parse_pfc_response(const char *text, int64_t *ps, struct err *err)
{
    return fields_parse_number(role_fields, N_FIELDS(role_fields),
                               "pfc_response", text, ps, err);
}
