/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'expect:' for one run. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "lab/scenario/sections.h"
#include "lab/scenario/sweep.h"

static const char *const oracle_names[] = {
#define X(member, name) name,
    EXPECT_ORACLES(X)
#undef X
        NULL,
};

struct expect_values {
    struct expect_spec expect;
    const char *name;
    struct fy_node *metric, *per, *is, *min, *max, *tolerance, *below, *when,
        *oracle;
    int oracle_number;
    struct ratio factor, rank;
    struct selector order;
    struct fy_node *across;
    struct expect_number kind; /* Of the metric; not present: unknown. */
};

#define AT(member) offsetof(struct expect_values, member)

static const struct field expect_fields[] = {
    {"name", FIELD_TEXT, AT(name), NULL, NULL, NULL},
    {"metric", FIELD_NODE, AT(metric), NULL, field_required, NULL},
    {"per", FIELD_NODE, AT(per), NULL, NULL, NULL},
    {"is", FIELD_NODE, AT(is), NULL, NULL, NULL},
    {"min", FIELD_NODE, AT(min), NULL, NULL, NULL},
    {"max", FIELD_NODE, AT(max), NULL, NULL, NULL},
    {"below", FIELD_NODE, AT(below), NULL, NULL, NULL},
    {"oracle", FIELD_NODE, AT(oracle), NULL, NULL, NULL},
    {"across", FIELD_NODE, AT(across), NULL, NULL, NULL},
    {"tol", FIELD_NODE, AT(tolerance), NULL, NULL, NULL},
    {"factor", FIELD_RATIO, AT(factor), "1/1000000..1000000", "1", NULL},
    {"or_equal", FIELD_BOOL, AT(expect.or_equal), NULL, "false", NULL},
    {"order", FIELD_SELECTOR, AT(order), NULL, NULL, NULL},
    {"rank", FIELD_RATIO, AT(rank), "1/100..1", NULL, NULL},
    {"when", FIELD_NODE, AT(when), NULL, NULL, NULL},
    {"report", FIELD_BOOL, AT(expect.report), NULL, "false", NULL},
};

static const struct field oracle_field = {
    "oracle", FIELD_WORD, AT(oracle_number), NULL, NULL, oracle_names};

#undef AT

/* What the expectations of a run refer to. */
struct expect_reading {
    const struct scenario *scenario;
    struct fy_node *sweep, *variants;
    struct expect_spec *list;
    size_t n;
    uint32_t number;
};

static enum st
read_number(struct reader *reader, struct fy_node *node, const char *key,
            struct expect_number *number)
{
    const char *text = NULL;
    struct err err = {0};
    enum st st = ST_OK;

    if (!node) {
        return ST_OK;
    }
    st = fields_text(reader, node, key, &text);
    if (!st && quantity_parse_any(text, &number->kind, &number->value, &err)) {
        return document_fail(reader->document, node, reader->err, "'%s': %s",
                             key, err.reason);
    }
    number->present = true;
    return st;
}

/* A plain number and a ratio are both pure numbers. */
static bool
is_comparable(const struct expect_number *a, const struct expect_number *b)
{
    bool a_pure = a->kind == QUANTITY_COUNT || a->kind == QUANTITY_RATIO;
    bool b_pure = b->kind == QUANTITY_COUNT || b->kind == QUANTITY_RATIO;

    return !a->present || !b->present || a->kind == b->kind ||
           (a_pure && b_pure);
}

/* Checks the name of a group in a metric, "...{group=NAME, ...}". */
static enum st
check_group(struct reader *reader, struct fy_node *node,
            const struct scenario *scenario, const char *metric)
{
    const char *found = strstr(metric, "group=");
    const char *names[256] = {NULL};
    const char *name;
    size_t length, n = 0;

    if (!found) {
        return ST_OK;
    }
    found += strlen("group=");
    length = strcspn(found, ",} ");
    name = arena_strndup(reader->arena, found, length);
    if (strpbrk(name, "*?")) {
        return ST_OK;
    }
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        const struct disk_spec *disk = scenario->traffic[i].disk;

        if (!strcmp(scenario->traffic[i].name, name) ||
            (disk && !strcmp(disk->name, name))) {
            return ST_OK;
        }
        if (n < 255) {
            names[n++] = scenario->traffic[i].name;
        }
    }
    return fields_fail_word(reader, node, "group", name, names);
}

/* Reads an expression of lab/measure/metric.h: "FUNCTION(...)".  '*kind' is
 * what it counts, if the caller checks metrics, else unchanged. */
static enum st
read_metric(struct reader *reader, struct fy_node *node, const char *key,
            const struct scenario *scenario, const char **metric,
            enum quantity_kind *kind)
{
    const char *text = NULL;
    enum st st = fields_text(reader, node, key, &text);
    struct err err = {0};
    const char *open;

    if (st) {
        return st;
    }
    open = strchr(text, '(');
    if (!open || open == text || text[strlen(text) - 1] != ')') {
        return document_fail(reader->document, node, reader->err,
                             "'%s' is '%s'; expected a metric such as "
                             "p99(flow.fct{group=load})",
                             key, text);
    }
    if (reader->check_metric && reader->check_metric(text, kind, &err)) {
        return document_fail(reader->document, node, reader->err, "'%s': %s",
                             key, err.reason);
    }
    *metric = text;
    return check_group(reader, node, scenario, text);
}

/* Conditions ------------------------------------------------------------- */

/* Finds the one condition of an expectation. */
static enum st
find_condition(struct reader *reader, struct fy_node *node,
               const struct expect_values *values,
               enum expect_condition *condition)
{
    bool limits = values->min || values->max;
    int n = !!values->is + limits + !!values->below + !!values->oracle +
            !!values->across;

    if (n != 1) {
        return document_fail(reader->document, node, reader->err,
                             "an expectation has one condition, not %d: is, "
                             "min and max, below, oracle, or across",
                             n);
    }
    *condition = values->is       ? EXPECT_VALUE
                 : limits         ? EXPECT_LIMITS
                 : values->below  ? EXPECT_BELOW
                 : values->oracle ? EXPECT_FROM
                                  : EXPECT_ACROSS;
    return ST_OK;
}

/* Checks that 'tol', 'per', 'factor', 'or_equal', 'order' and 'rank' go with
 * the condition. */
static enum st
check_extras(struct reader *reader, struct fy_node *node,
             const struct expect_values *values, uint64_t seen)
{
    enum expect_condition condition = values->expect.condition;
    const char *what = NULL, *needs = NULL;

    if (values->tolerance && condition != EXPECT_VALUE &&
        condition != EXPECT_FROM) {
        what = "tol";
        needs = "is or oracle";
    } else if (values->per &&
               (condition == EXPECT_BELOW || condition == EXPECT_FROM)) {
        what = "per";
        needs = "is, min, max or across";
    }
    for (size_t i = 0; i < N_FIELDS(expect_fields); i++) {
        const char *key = expect_fields[i].key;

        if (!(seen & UINT64_C(1) << i)) {
            continue;
        }
        if ((!strcmp(key, "factor") || !strcmp(key, "or_equal")) &&
            condition != EXPECT_BELOW) {
            what = key;
            needs = "below";
        }
        if ((!strcmp(key, "order") || !strcmp(key, "rank")) &&
            condition != EXPECT_ACROSS) {
            what = key;
            needs = "across";
        }
    }
    if (what) {
        return document_fail(reader->document, node, reader->err,
                             "'%s' needs %s", what, needs);
    }
    return ST_OK;
}

static enum st
read_numbers(struct reader *reader, const struct expect_values *values,
             struct expect_spec *expect)
{
    enum st st = read_number(reader, values->is, "is", &expect->is);

    if (!st) {
        st = read_number(reader, values->min, "min", &expect->min);
    }
    if (!st) {
        st = read_number(reader, values->max, "max", &expect->max);
    }
    if (!st) {
        st = read_number(reader, values->tolerance, "tol", &expect->tolerance);
    }
    if (!st && !is_comparable(&expect->min, &expect->max)) {
        st = document_fail(reader->document, values->max, reader->err,
                           "'min' and 'max' have different units");
    }
    if (!st && expect->min.present && expect->max.present &&
        expect->min.value > expect->max.value) {
        st = document_fail(reader->document, values->max, reader->err,
                           "'max' is below 'min'");
    }
    if (!st && expect->tolerance.kind != QUANTITY_RATIO &&
        !is_comparable(&expect->is, &expect->tolerance)) {
        st = document_fail(reader->document, values->tolerance, reader->err,
                           "'tol' is a ratio (30%%), or has the unit of 'is'");
    }
    if (!st && expect->tolerance.present && expect->tolerance.value < 0) {
        st = document_fail(reader->document, values->tolerance, reader->err,
                           "'tol' is negative");
    }
    return st;
}

/* Checks that a number has the unit of the metric. */
static enum st
check_unit(struct reader *reader, struct fy_node *node, const char *key,
           const struct expect_number *number,
           const struct expect_number *metric)
{
    if (is_comparable(number, metric)) {
        return ST_OK;
    }
    return document_fail(reader->document, node, reader->err,
                         "'%s' has another unit than the metric, which is %s",
                         key, quantity_name(metric->kind));
}

static enum st
check_units(struct reader *reader, const struct expect_values *values,
            const struct expect_spec *expect)
{
    enum st st =
        check_unit(reader, values->is, "is", &expect->is, &values->kind);

    if (!st) {
        st =
            check_unit(reader, values->min, "min", &expect->min, &values->kind);
    }
    return st ? st
              : check_unit(reader, values->max, "max", &expect->max,
                           &values->kind);
}

/* Parameters ------------------------------------------------------------- */

/* Adds the keys of map 'node' to 'names'. */
static size_t
add_keys(struct reader *reader, struct fy_node *node, const char **names,
         size_t n, size_t size)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;

    while (node && fy_node_is_mapping(node) && n < size &&
           (pair = fy_node_mapping_iterate(node, &iterator))) {
        names[n++] = sweep_value_text(reader, fy_node_pair_key(pair));
    }
    return n;
}

/* Returns whether list 'node' (of a sweep) has an item with that text. */
static bool
has_value(struct reader *reader, struct fy_node *node, const char *text)
{
    struct fy_node *item;
    void *iterator = NULL;

    while ((item = fy_node_sequence_iterate(node, &iterator))) {
        if (!strcmp(sweep_value_text(reader, item), text)) {
            return true;
        }
    }
    return false;
}

/* Checks that 'value' is one that parameter 'path' can have. */
static enum st
check_value(struct reader *reader, struct fy_node *node, const char *path,
            const struct expect_reading *reading, const char *value)
{
    struct fy_node *list = document_member(reading->sweep, path);
    const char *names[64] = {NULL};
    size_t n = 0;

    if (!strcmp(path, "variant")) {
        if (document_member(reading->variants, value)) {
            return ST_OK;
        }
        add_keys(reader, reading->variants, names, 0, 63);
        return fields_fail_word(reader, node, path, value, names);
    }
    if (has_value(reader, list, value)) {
        return ST_OK;
    }
    for (struct fy_node *item;
         n < 63 && (item = fy_node_sequence_get_by_index(list, (int)n));) {
        names[n++] = sweep_value_text(reader, item);
    }
    return fields_fail_word(reader, node, path, value, names);
}

/* Checks that the runs differ in 'path': a key of the sweep, or "variant". */
static enum st
check_path(struct reader *reader, struct fy_node *node, const char *what,
           const struct expect_reading *reading, const char *path)
{
    const char *names[64] = {NULL};
    size_t n;

    if ((!strcmp(path, "variant") && reading->variants) ||
        document_member(reading->sweep, path)) {
        return ST_OK;
    }
    n = add_keys(reader, reading->sweep, names, 0, 62);
    if (reading->variants) {
        names[n++] = "variant";
    }
    if (!n) {
        return document_fail(reader->document, node, reader->err,
                             "'%s' needs a scenario with 'sweep' or 'variants'",
                             what);
    }
    return fields_fail_word(reader, node, what, path, names);
}

/* Returns the value of a parameter in this run. */
static const char *
run_value(const struct scenario_run *run, const char *path)
{
    if (!strcmp(path, "variant")) {
        return run->variant;
    }
    for (size_t i = 0; i < run->n_parameters; i++) {
        if (!strcmp(run->parameters[i].path, path)) {
            return run->parameters[i].value;
        }
    }
    return "";
}

/* The state of reading 'when'. */
struct when_reading {
    const struct expect_reading *expect;
    const char *path;
    bool holds;      /* All pairs so far. */
    bool pair_holds; /* A value of the present pair. */
};

/* Implements fields_item_fn. */
static enum st
read_when_value(struct reader *reader, struct fy_node *node, void *context)
{
    struct when_reading *when = context;
    const char *text = sweep_value_text(reader, node);

    if (!strcmp(text, run_value(&when->expect->scenario->run, when->path))) {
        when->pair_holds = true;
    }
    return check_value(reader, node, when->path, when->expect, text);
}

/* Implements fields_pair_fn. */
static enum st
read_when(struct reader *reader, struct fy_node *key, const char *name,
          struct fy_node *value, void *context)
{
    struct when_reading *when = context;
    enum st st = check_path(reader, key, "when", when->expect, name);

    when->path = name;
    when->pair_holds = false;
    if (!st) {
        st = fields_each_item(reader, value, read_when_value, when);
    }
    when->holds = when->holds && when->pair_holds;
    return st;
}

static enum st
read_across(struct reader *reader, struct fy_node *node,
            const struct expect_values *values,
            const struct expect_reading *reading, struct expect_spec *expect)
{
    enum st st = fields_text(reader, values->across, "across", &expect->across);

    if (!st) {
        st = check_path(reader, values->across, "across", reading,
                        expect->across);
    }
    if (!st && values->order.n < 2) {
        st = document_fail(reader->document, node, reader->err,
                           "'across' needs 'order', a list of two or more "
                           "values of '%s'",
                           expect->across);
    }
    for (size_t i = 0; !st && i < values->order.n; i++) {
        st = check_value(reader, values->across, expect->across, reading,
                         values->order.items[i]);
    }
    expect->order = values->order.items;
    expect->n_order = values->order.n;
    expect->rank = values->rank.denominator ? ratio_double(&values->rank) : 0;
    return st;
}

/* Items ------------------------------------------------------------------ */

/* Reads the metric, and the one that divides it. */
static enum st
read_metrics(struct reader *reader, struct expect_values *values,
             const struct scenario *scenario, struct expect_spec *expect)
{
    struct expect_number per = {.kind = QUANTITY_LENGTH};
    enum st st;

    /* No metric is a length: the kind is not known. */
    values->kind.kind = QUANTITY_LENGTH;
    st = read_metric(reader, values->metric, "metric", scenario,
                     &expect->metric, &values->kind.kind);
    values->kind.present = values->kind.kind != QUANTITY_LENGTH;
    if (st || !values->per) {
        return st;
    }
    st = read_metric(reader, values->per, "per", scenario, &expect->per,
                     &per.kind);
    per.present = per.kind != QUANTITY_LENGTH;
    if (!st && !is_comparable(&per, &values->kind)) {
        st = document_fail(reader->document, values->per, reader->err,
                           "'metric' and 'per' have different units");
    }
    values->kind.kind = QUANTITY_COUNT;
    return st;
}

/* Reads what the condition consists of. */
static enum st
read_condition(struct reader *reader, struct fy_node *node,
               struct expect_values *values,
               const struct expect_reading *reading, struct expect_spec *expect)
{
    struct expect_number below = {.kind = QUANTITY_LENGTH};
    enum st st = read_numbers(reader, values, expect);

    if (!st) {
        st = check_units(reader, values, expect);
    }
    if (!st && values->below) {
        st = read_metric(reader, values->below, "below", reading->scenario,
                         &expect->below, &below.kind);
        below.present = below.kind != QUANTITY_LENGTH;
        if (!st && !is_comparable(&below, &values->kind)) {
            st = document_fail(reader->document, values->below, reader->err,
                               "'metric' and 'below' have different units");
        }
        expect->factor = ratio_double(&values->factor);
    }
    if (!st && values->oracle) {
        st = fields_read_value(reader, values->oracle, &oracle_field, values);
        expect->oracle = oracle_names[values->oracle_number];
    }
    if (!st && values->across) {
        st = read_across(reader, node, values, reading, expect);
    }
    return st;
}

/* Returns the line for people: the name, or the map without its braces. */
static const char *
make_text(struct reader *reader, struct fy_node *node, const char *name)
{
    return name ? name : sweep_value_text(reader, node);
}

/* Implements fields_item_fn. */
static enum st
read_item(struct reader *reader, struct fy_node *node, void *context)
{
    struct expect_reading *reading = context;
    struct expect_values values = {.factor = {1, 1}};
    struct expect_spec *expect = &values.expect;
    struct when_reading when = {.expect = reading, .holds = true};
    uint64_t seen = 0;
    enum st st;

    fields_init(reader, expect_fields, N_FIELDS(expect_fields), &values);
    st = fields_read(reader, node, "an expectation", expect_fields,
                     N_FIELDS(expect_fields), &values, &seen);
    if (!st) {
        st = find_condition(reader, node, &values, &expect->condition);
    }
    if (!st) {
        st = check_extras(reader, node, &values, seen);
    }
    if (!st) {
        st = read_metrics(reader, &values, reading->scenario, expect);
    }
    if (!st) {
        expect->metric_place = fields_place(reader, values.metric);
        st = read_condition(reader, node, &values, reading, expect);
    }
    if (!st && values.when) {
        st = fields_each_pair(reader, values.when, "'when'", read_when, &when);
    }
    if (!st && when.holds) {
        expect->text = make_text(reader, node, values.name);
        expect->number = reading->number;
        expect->place = fields_place(reader, node);
        reading->list[reading->n++] = *expect;
    }
    reading->number++;
    return st;
}

enum st
section_expect(struct reader *reader, struct fy_node *node,
               struct fy_node *sweep, struct fy_node *variants,
               struct scenario *scenario)
{
    struct expect_reading reading = {
        .scenario = scenario, .sweep = sweep, .variants = variants};
    enum st st = ST_OK;

    if (node) {
        reading.list = arena_alloc(reader->arena, fields_n_items(node) + 1,
                                   sizeof *reading.list);
        st = fields_each_item(reader, node, read_item, &reading);
    }
    scenario->expect = reading.list;
    scenario->n_expect = reading.n;
    return st;
}
