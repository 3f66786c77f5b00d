/* SPDX-License-Identifier: Apache-2.0 */

/* Parses rules from JSON: a table of fields, a function per form.
 *
 * A rule that is parsed only in part is worse than none: without its attribute
 * it would strike other calls as well.  So unknown fields, unknown names and
 * meaningless combinations are errors, and a file with one bad rule adds no
 * rule. */

#include <config.h>

#include "sai/stack/fault_rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "sai/core/metadata.h"
#include "sai/core/op.h"
#include "sai/core/status.h"

#define DELAY_US_MAX 60000000

/* Fills 'err': 'field' must be 'allowed'. */
static enum st
fail(struct err *err, const char *field, const char *allowed)
{
    err_set(err, ST_INVALID, "fault-rule", "'%s' must be %s", field, allowed);
    err_set_field(err, field, NULL, allowed);
    return ST_INVALID;
}

/* Stores 'prefix' and 'tail' in capitals in 'name', or only 'tail' if it begins
 * with the prefix. */
static void
full_name(const char *prefix, const char *tail, struct text *name)
{
    struct text upper = {0};

    for (; *tail; tail++) {
        text_add_char(&upper, *tail >= 'a' && *tail <= 'z'
                                  ? (char)(*tail - 'a' + 'A')
                              : *tail == '-' ? '_'
                                             : *tail);
    }
    text_clear(name);
    if (strncmp(text_string(&upper), prefix, strlen(prefix))) {
        text_add(name, prefix);
    }
    text_add(name, text_string(&upper));
    text_fini(&upper);
}

/* Parses an operation on one object; bulk calls count as such operations. */
static enum st
parse_op(const char *value, struct faults_rule *rule, struct err *err)
{
    rule->any_op = false;
    return op_find(value, strlen(value), &rule->op) && !op_is_many(rule->op) &&
                   rule->op != OP_SNAPSHOT
               ? ST_OK
               : fail(err, "op", "create, remove, set, get or get_stats");
}

/* "buffer_pool", "BUFFER_POOL" or the full name. */
static enum st
parse_type(const char *value, struct faults_rule *rule, struct err *err)
{
    struct text name = {0};

    full_name("SAI_OBJECT_TYPE_", value, &name);
    rule->type = metadata_type_by_name(text_string(&name));
    text_fini(&name);
    return rule->type != SAI_OBJECT_TYPE_NULL
               ? ST_OK
               : fail(err, "type", "an object type such as buffer_pool");
}

/* The type, if there is one, is parsed before. */
static enum st
parse_attribute(const char *value, struct faults_rule *rule, struct err *err)
{
    const struct metadata_attribute *meta;
    const char *type = metadata_type_name(rule->type);
    sai_object_type_t owner = SAI_OBJECT_TYPE_NULL;
    struct text prefix = {0}, name = {0};

    text_add(&prefix, "SAI_");
    if (rule->type != SAI_OBJECT_TYPE_NULL && type) {
        text_addf(&prefix, "%s_ATTR_", type + strlen("SAI_OBJECT_TYPE_"));
    }
    full_name(text_string(&prefix), value, &name);
    meta = metadata_attribute_by_name(text_string(&name), &owner);
    text_fini(&prefix);
    text_fini(&name);
    if (!meta || (rule->type != SAI_OBJECT_TYPE_NULL && rule->type != owner)) {
        return fail(err, "attribute",
                    "the full name of an attribute, or with a type the end "
                    "of the name");
    }
    /* An id belongs to one type. */
    rule->type = owner;
    rule->any_attribute = false;
    rule->attribute = meta->id;
    return ST_OK;
}

/* Like an attribute. */
static enum st
parse_counter(const char *value, struct faults_rule *rule, struct err *err)
{
    const struct metadata_stat *meta;
    const char *type = metadata_type_name(rule->type);
    sai_object_type_t owner = SAI_OBJECT_TYPE_NULL;
    struct text prefix = {0}, name = {0};

    text_add(&prefix, "SAI_");
    if (rule->type != SAI_OBJECT_TYPE_NULL && type) {
        text_addf(&prefix, "%s_STAT_", type + strlen("SAI_OBJECT_TYPE_"));
    }
    full_name(text_string(&prefix), value, &name);
    meta = metadata_stat_by_name(text_string(&name), &owner);
    text_fini(&prefix);
    text_fini(&name);
    if (!meta || (rule->type != SAI_OBJECT_TYPE_NULL && rule->type != owner)) {
        return fail(err, "counter",
                    "the full name of a counter, or with a type the end of "
                    "the name");
    }
    if (!rule->any_attribute || (!rule->any_op && rule->op != OP_GET_STATS)) {
        return fail(err, "counter",
                    "without an attribute, and with no other "
                    "op than get_stats");
    }
    rule->type = owner;
    rule->by_counter = true;
    rule->counter = meta->id;
    return ST_OK;
}

/* A status other than success; the prefix may be omitted. */
static enum st
parse_status(const char *value, struct faults_rule *rule, struct err *err)
{
    struct text name = {0};
    bool found;

    full_name("SAI_STATUS_", value, &name);
    found = status_find(text_string(&name), &rule->status);
    text_fini(&name);
    return found && rule->status < SAI_STATUS_SUCCESS
               ? ST_OK
               : fail(err, "status", "a status such as insufficient_resources");
}

/* The string fields, in the order in which they are parsed. */
static const struct {
    const char *name;
    enum st (*parse)(const char *value, struct faults_rule *rule,
                     struct err *err);
} texts[] = {
    {"op", parse_op},
    {"type", parse_type},
    {"attribute", parse_attribute},
    {"counter", parse_counter},
    {"status", parse_status},
};

/* The number fields and their members. */
static const struct {
    const char *name;
    json_int_t min, max;
    const char *allowed;
} numbers[] = {
    {"nth", 1, INT32_MAX, "a number from 1"},
    {"every", 1, INT32_MAX, "a number from 1"},
    {"percent", 1, 100, "a number in 1..100"},
    {"seed", 0, INT32_MAX, "a number from 0"},
    {"delay_us", 1, DELAY_US_MAX, "a number in 1..60000000"},
};

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* Refuses unknown fields: a misspelt field would make a rule match more calls.
 */
static enum st
check_fields(const json_t *json, struct err *err)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        bool known = !strcmp(key, "unsupported");

        for (size_t i = 0; i < N(texts); i++) {
            known |= !strcmp(key, texts[i].name);
        }
        for (size_t i = 0; i < N(numbers); i++) {
            known |= !strcmp(key, numbers[i].name);
        }
        if (!known) {
            err_set(err, ST_INVALID, "fault-rule", "a rule has no field '%s'",
                    key);
            err_set_field(err, key, NULL,
                          "op, type, attribute, counter, nth, every, percent, "
                          "seed, status, unsupported, delay_us");
            return ST_INVALID;
        }
    }
    return ST_OK;
}

/* Parses the numbers into 'values', 0 for missing ones. */
static enum st
parse_numbers(const json_t *json, json_int_t *values, struct err *err)
{
    for (size_t i = 0; i < N(numbers); i++) {
        const json_t *value = json_object_get(json, numbers[i].name);

        values[i] = json_integer_value(value);
        if (value && (!json_is_integer(value) || values[i] < numbers[i].min ||
                      values[i] > numbers[i].max)) {
            return fail(err, numbers[i].name, numbers[i].allowed);
        }
    }
    if ((values[0] != 0) + (values[1] != 0) + (values[2] != 0) > 1) {
        return err_set(err, ST_INVALID, "fault-rule",
                       "a rule has at most one of nth, every and percent");
    }
    return ST_OK;
}

enum st
fault_rules_parse(const json_t *json, struct faults_rule *rule, struct err *err)
{
    const json_t *unsupported = json_object_get(json, "unsupported");
    struct faults_rule made = {.any_op = true, .any_attribute = true};
    json_int_t values[N(numbers)] = {0};
    enum st st;

    if (!json_is_object(json)) {
        return err_set(err, ST_INVALID, "fault-rule", "a rule is an object");
    }
    st = check_fields(json, err);
    for (size_t i = 0; !st && i < N(texts); i++) {
        const json_t *value = json_object_get(json, texts[i].name);

        if (value) {
            st = json_is_string(value)
                     ? texts[i].parse(json_string_value(value), &made, err)
                     : fail(err, texts[i].name, "a text");
        }
    }
    st = st ? st : parse_numbers(json, values, err);
    if (st) {
        return st;
    }
    if (unsupported && !json_is_boolean(unsupported)) {
        return fail(err, "unsupported", "true or false");
    }
    if (json_is_true(unsupported)) {
        if ((made.any_attribute && !made.by_counter) ||
            made.status != SAI_STATUS_SUCCESS) {
            return err_set(err, ST_INVALID, "fault-rule",
                           "'unsupported' needs an attribute or a counter, and "
                           "no status");
        }
        made.status = made.by_counter ? SAI_STATUS_NOT_SUPPORTED
                                      : SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    made.nth = (uint64_t)values[0];
    made.every = (uint64_t)values[1];
    made.percent = (unsigned int)values[2];
    made.seed = (uint64_t)values[3];
    made.delay_ns = (int64_t)values[4] * 1000;
    if (made.status == SAI_STATUS_SUCCESS && !made.delay_ns) {
        return err_set(err, ST_INVALID, "fault-rule",
                       "a fault rule needs status, unsupported or delay_us");
    }
    *rule = made;
    return ST_OK;
}

/* Parses all rules of an array. */
static enum st
parse_all(const json_t *list, const char *path, struct faults_rule *rules,
          struct err *err)
{
    size_t i;
    json_t *item;

    json_array_foreach((json_t *)(uintptr_t)list, i, item)
    {
        struct err cause = {0};

        if (fault_rules_parse(item, &rules[i], &cause)) {
            err_set(err, ST_INVALID, "fault-rule", "%s: rule %zu: %s", path,
                    i + 1, cause.reason);
            err_set_field(err, cause.field, NULL, cause.allowed);
            return ST_INVALID;
        }
    }
    return ST_OK;
}

enum st
fault_rules_load(struct faults *faults, const char *path, struct err *err)
{
    FILE *file = fopen(path, "r");
    struct faults_rule *rules;
    json_error_t cause;
    json_t *list;
    size_t n;
    enum st st = ST_OK;

    if (!file) {
        return err_set(err, ST_IO, "fault-rules", "cannot read '%s': %s", path,
                       strerror(errno));
    }
    list = json_loadf(file, JSON_REJECT_DUPLICATES, &cause);
    fclose(file);
    if (!list) {
        return err_set(err, ST_INVALID, "fault-rules", "%s:%d:%d: %s", path,
                       cause.line, cause.column, cause.text);
    }
    n = json_array_size(list);
    rules = check_calloc(n + 1, sizeof *rules);
    if (!json_is_array(list)) {
        st = err_set(err, ST_INVALID, "fault-rules",
                     "%s: rules are an array of objects", path);
    }
    st = st ? st : parse_all(list, path, rules, err);
    for (size_t i = 0; !st && i < n; i++) {
        faults_add(faults, &rules[i]);
    }
    free(rules);
    json_decref(list);
    return st;
}

json_t *
fault_rules_show(const struct faults_entry *entry)
{
    const struct faults_rule *rule = &entry->rule;
    const struct metadata_attribute *meta =
        rule->any_attribute ? NULL
                            : metadata_attribute(rule->type, rule->attribute);
    char name[STATUS_NAME_SIZE];
    json_t *json = json_pack("{s:I, s:I, s:I}", "id", (json_int_t)entry->id,
                             "matches", (json_int_t)entry->n_matches, "strikes",
                             (json_int_t)entry->n_strikes);
    const struct {
        const char *name;
        uint64_t value;
    } shown[] = {
        {"nth", rule->nth},
        {"every", rule->every},
        {"percent", rule->percent},
        {"seed", rule->seed},
        {"delay_us", (uint64_t)rule->delay_ns / 1000},
    };

    if (!rule->any_op) {
        json_object_set_new(json, "op", json_string(op_name(rule->op)));
    }
    if (rule->type != SAI_OBJECT_TYPE_NULL) {
        json_object_set_new(json, "type",
                            json_string(metadata_type_name(rule->type)));
    }
    if (meta) {
        json_object_set_new(json, "attribute", json_string(meta->name));
    }
    if (rule->by_counter) {
        json_object_set_new(
            json, "counter",
            json_string(metadata_stat(rule->type, rule->counter)->name));
    }
    for (size_t i = 0; i < N(shown); i++) {
        if (shown[i].value) {
            json_object_set_new(json, shown[i].name,
                                json_integer((json_int_t)shown[i].value));
        }
    }
    if (rule->status != SAI_STATUS_SUCCESS) {
        json_object_set_new(
            json, "status",
            json_string(status_name(rule->status, name, sizeof name)));
    }
    return json;
}
