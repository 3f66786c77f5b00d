/* SPDX-License-Identifier: Apache-2.0 */

/* Computes parameters on demand. */

#include <config.h>

#include "breakpoint/values.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/expression.h"
#include "yaml/document.h"

/* The maximum depth of references between parameters; far below the stack's
 * size. */
#define DEPTH_MAX 64

/* A parameter, or a variable of a loop. */
struct param {
    const char *name;
    struct fy_node *node; /* Its value; unused for a variable. */
    enum {
        PARAM_UNKNOWN,
        PARAM_UNDER_WAY, /* Being computed: a reference is a cycle. */
        PARAM_KNOWN,
        PARAM_LIST,
    } state;
    struct expression_value value;
};

struct values {
    struct document *document;
    struct arena *arena;
    struct bench *bench;
    bool knows_chip, knows_rows;
    unsigned int depth; /* Of parameters being computed. */

    struct param *params; /* On the heap; first all parameters, */
    size_t n_params;
    size_t n_bound; /* then this many bound variables. */
    size_t size;
    size_t n_hidden; /* Variables that are not visible now. */
};

struct values *
values_create(struct document *document, struct arena *arena,
              struct bench *bench)
{
    struct values *values = check_calloc(1, sizeof *values);

    values->document = document;
    values->arena = arena;
    values->bench = bench;
    return values;
}

void
values_destroy(struct values *values)
{
    if (values) {
        free(values->params);
        free(values);
    }
}

struct document *
values_document(const struct values *values)
{
    return values->document;
}

void
values_know_chip(struct values *values)
{
    values->knows_chip = true;
}

void
values_know_rows(struct values *values)
{
    values->knows_rows = true;
}

/* --- Names --------------------------------------------------------------- */

/* Finds the innermost parameter or variable 'name'.  A linear search is enough:
 * scenarios do not have hundreds. */
static struct param *
values_find(const struct values *values, const char *name, size_t length)
{
    size_t n = values->n_params + values->n_bound - values->n_hidden;

    while (n--) {
        struct param *param = &values->params[n];

        if (strlen(param->name) == length &&
            !memcmp(param->name, name, length)) {
            return param;
        }
    }
    return NULL;
}

/* Reports an unknown name and suggests the most similar one. */
static enum st
fail_no_name(const struct values *values, const char *name, size_t length,
             struct err *err)
{
    struct nearest nearest;
    char hint[NEAREST_HINT_SIZE];

    nearest_init(&nearest, name, length);
    for (size_t i = 0; i < values->n_params + values->n_bound; i++) {
        nearest_try(&nearest, values->params[i].name);
    }
    return err_set(err, ST_INVALID, "param", "there is no parameter '%.*s'%s",
                   (int)length, name, nearest_hint(&nearest, hint));
}

/* Appends a parameter or variable. */
static struct param *
values_add(struct values *values, const char *name)
{
    size_t n = values->n_params + values->n_bound;

    if (n == values->size) {
        values->size = values->size ? 2 * values->size : 16;
        values->params = check_realloc(values->params,
                                       values->size * sizeof *values->params);
    }
    values->params[n] = (struct param){.name = name};
    return &values->params[n];
}

enum st
values_define(struct values *values, struct fy_node *key, struct fy_node *node,
              struct err *err)
{
    const char *name = NULL, *raw;
    struct param *param;
    enum st st = document_scalar(values->document, key,
                                 "the name of a parameter", &name, err);

    orch_assert(!values->n_bound);
    if (st) {
        return st;
    }
    if (expression_name_length(name) != strlen(name)) {
        return document_fail(values->document, key, err,
                             "expected a name of letters, digits and '_', "
                             "found '%s'",
                             name);
    }
    if (!strcmp(name, "row") || !strcmp(name, "chip")) {
        return document_fail(
            values->document, key, err,
            "'%s' is reserved for facts about the chip and the configuration, "
            "so no parameter can have that name",
            name);
    }
    if (!node || !fy_node_is_sequence(node)) {
        st = document_scalar(values->document, node, name, &raw, err);
    }
    if (st) {
        return st;
    }
    param = values_find(values, name, strlen(name));
    if (!param) {
        param = values_add(values, name);
        values->n_params++;
    }
    param->node = node;
    param->state = fy_node_is_sequence(node) ? PARAM_LIST : PARAM_UNKNOWN;
    return ST_OK;
}

enum st
values_define_map(struct values *values, struct fy_node *node, const char *what,
                  struct err *err)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    if (!node || !fy_node_is_mapping(node)) {
        return document_fail(values->document, node, err,
                             "expected %s to be a map of names to values",
                             what);
    }
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        st = values_define(values, fy_node_pair_key(pair),
                           fy_node_pair_value(pair), err);
    }
    return st;
}

bool
values_has(const struct values *values, const char *name)
{
    return values_find(values, name, strlen(name)) != NULL;
}

void
values_list_names(const struct values *values, struct choices *choices)
{
    for (size_t i = 0; i < values->n_params; i++) {
        choices_add(choices, values->params[i].name);
    }
}

/* --- Facts --------------------------------------------------------------- */

/* Turns the text of a fact into a value, a number if possible. */
static void
fact_value(struct values *values, const char *text,
           struct expression_value *value)
{
    bool negative = text[0] == '-';
    uint64_t number;

    if (!parse_u64(text + negative, 0, INT64_MAX, &number)) {
        *value = (struct expression_value){
            negative ? -(int64_t)number : (int64_t)number, NULL, 0};
        return;
    }
    value->text = arena_strdup(values->arena, text);
    value->length = strlen(text);
}

/* Appends the allowed names to the error of a bench. */
static enum st
fact_failed(struct err *err)
{
    struct err cause = *err;

    return err_set(err, ST_INVALID, "fact", "%s%s%s", cause.reason,
                   cause.allowed[0] ? "; there are " : "", cause.allowed);
}

/* Looks up "chip.NAME". */
static enum st
chip_value(struct values *values, const char *name,
           struct expression_value *value, struct err *err)
{
    const char *text = NULL;

    if (!values->bench || !values->knows_chip) {
        return err_set(err, ST_INVALID, "fact",
                       values->bench
                           ? "the chip is not known yet at this point"
                           : "there is no switch whose chip is known");
    }
    if (values->bench->ops->chip_fact(values->bench, name, &text, err)) {
        return fact_failed(err);
    }
    fact_value(values, text, value);
    return ST_OK;
}

static enum st replace(struct values *values, const char *raw,
                       struct text *result, size_t *offset, struct err *err);

/* Looks up "row(KEY).FIELD". */
static enum st
row_value(struct values *values, const char *key, const char *field,
          struct expression_value *value, struct err *err)
{
    const char *text = NULL;
    struct text full = {0}, member = {0};
    size_t offset;
    enum st st;

    if (!values->bench || !values->knows_rows) {
        return err_set(err, ST_INVALID, "fact",
                       values->bench
                           ? "the configuration is not known yet at this point"
                           : "there is no switch whose rows are known");
    }
    st = replace(values, key, &full, &offset, err);
    st = st ? st : replace(values, field, &member, &offset, err);
    if (!st &&
        values->bench->ops->row_field(values->bench, text_string(&full),
                                      text_string(&member), &text, err)) {
        st = fact_failed(err);
    }
    text_fini(&full);
    text_fini(&member);
    if (!st) {
        fact_value(values, text, value);
    }
    return st;
}

/* --- Values -------------------------------------------------------------- */

static enum st param_compute(struct values *values, struct param *param,
                             struct err *err);

/* Implements expression_lookup_fn. */
static enum st
lookup(void *context, const char *reference, size_t length,
       struct expression_value *value, struct err *err)
{
    struct values *values = context;
    size_t name = expression_name_length(reference);
    const char *copy = arena_strndup(values->arena, reference, length);
    struct param *param;
    char *dot;
    enum st st;

    if (name < length && reference[name] == '.') {
        return chip_value(values, copy + name + 1, value, err);
    }
    if (name < length) {
        char *key = arena_strdup(values->arena, copy + name + 1);

        dot = strrchr(key, '.');
        orch_assert(dot && dot[-1] == ')');
        dot[-1] = '\0';
        return row_value(values, key, dot + 1, value, err);
    }
    param = values_find(values, reference, length);
    if (!param) {
        return fail_no_name(values, reference, length, err);
    }
    st = param_compute(values, param, err);
    if (!st) {
        /* The parameters may have moved, so look it up again. */
        *value = values_find(values, reference, length)->value;
    }
    return st;
}

/* Appends a value as text. */
static void
add_value(struct text *text, const struct expression_value *value)
{
    if (value->text) {
        text_add_bytes(text, value->text, value->length);
    } else {
        text_addf(text, "%lld", (long long)value->number);
    }
}

/* Returns the length of the reference or the expression in parentheses at the
 * start of 'text', which follows a "$"; 0 if it is neither. */
static size_t
introduced(const char *text)
{
    size_t depth = 0, n = 0;

    if (text[0] != '(') {
        return expression_reference_length(text);
    }
    do {
        depth += text[n] == '(';
        depth -= text[n] == ')';
        n++;
    } while (depth && text[n]);
    return depth ? 0 : n;
}

/* Appends 'raw' with all "$" references and expressions replaced.  On failure
 * '*offset' is the position in 'raw'. */
static enum st
replace(struct values *values, const char *raw, struct text *result,
        size_t *offset, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && raw[i];) {
        struct expression_value value;
        size_t length, inner = 0;
        const char *part;

        *offset = i;
        if (raw[i] != '$' || raw[i + 1] == '$') {
            text_add_char(result, raw[i]);
            i += raw[i] == '$' ? 2 : 1;
            continue;
        }
        length = introduced(raw + i + 1);
        if (!length) {
            return err_set(err, ST_INVALID, "syntax",
                           "expected $name, $(expression), $chip.name or "
                           "$row(TABLE|key).field; $$ is a dollar");
        }
        part = arena_strndup(values->arena, raw + i + (raw[i + 1] == '('),
                             length + (raw[i + 1] != '('));
        st = expression_evaluate(part, lookup, values, &value, &inner, err);
        if (!st) {
            add_value(result, &value);
        }
        i += 1 + length;
    }
    return st;
}

/* Returns whether 'raw' is text with references rather than an expression. */
static bool
is_text(const char *raw)
{
    return expression_name_length(raw) && !expression_is_call(raw);
}

/* Computes 'raw' as text or as an expression; see values.h. */
static enum st
raw_value(struct values *values, const char *raw,
          struct expression_value *value, size_t *offset, struct err *err)
{
    struct text text = {0};
    enum st st;

    if (!is_text(raw)) {
        return expression_evaluate(raw, lookup, values, value, offset, err);
    }
    st = replace(values, raw, &text, offset, err);
    if (!st) {
        value->text = arena_strdup(values->arena, text_string(&text));
        value->length = text.length;
    }
    text_fini(&text);
    return st;
}

/* Reports the position of an error in 'node', unless 'cause' has a position
 * already because the error is in the value of a parameter. */
static enum st
fail_placed(const struct values *values, struct fy_node *node, size_t offset,
            const char *what, const struct err *cause, struct err *err)
{
    if (!strcmp(cause->code, "scenario")) {
        *err = *cause;
        return cause->status;
    }
    return document_fail_at(values->document, node, offset, err, "in %s: %s",
                            what, cause->reason);
}

/* Computes 'node' as text or as an expression; see values.h. */
static enum st
node_value(struct values *values, struct fy_node *node, const char *what,
           struct expression_value *value, struct err *err)
{
    const char *raw = NULL;
    size_t offset = 0;
    struct err cause = {0};
    enum st st = document_scalar(values->document, node, what, &raw, err);

    if (!st && raw_value(values, raw, value, &offset, &cause)) {
        st = fail_placed(values, node, offset, what, &cause, err);
    }
    return st;
}

/* Computes a parameter unless it is known.  'param' may be invalid after the
 * call. */
static enum st
param_compute(struct values *values, struct param *param, struct err *err)
{
    size_t i = (size_t)(param - values->params);
    size_t n_hidden = values->n_hidden;
    struct expression_value value = {0};
    enum st st;

    if (param->state == PARAM_KNOWN) {
        return ST_OK;
    }
    if (param->state != PARAM_UNKNOWN || values->depth == DEPTH_MAX) {
        return err_set(err, ST_INVALID, "param",
                       param->state == PARAM_LIST
                           ? "parameter '%s' is a list, not a value"
                           : "parameter '%s' depends on itself",
                       param->name);
    }
    param->state = PARAM_UNDER_WAY;
    values->n_hidden = values->n_bound;
    values->depth++;
    st = node_value(values, param->node, param->name, &value, err);
    values->depth--;
    values->n_hidden = n_hidden;
    values->params[i].state = st ? PARAM_UNKNOWN : PARAM_KNOWN;
    values->params[i].value = value;
    return st;
}

enum st
values_check(struct values *values, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < values->n_params; i++) {
        if (values->params[i].state != PARAM_LIST) {
            st = param_compute(values, &values->params[i], err);
        }
    }
    return st;
}

/* Binds 'name' to 'value'. */
static void
bind_value(struct values *values, const char *name,
           const struct expression_value *value)
{
    struct param *param = values_add(values, name);

    param->state = PARAM_KNOWN;
    param->value = *value;
    values->n_bound++;
}

enum st
values_bind(struct values *values, const char *name, struct fy_node *node,
            struct err *err)
{
    struct expression_value value = {0};
    enum st st = node_value(values, node, name, &value, err);

    if (!st) {
        bind_value(values, name, &value);
    }
    return st;
}

void
values_bind_number(struct values *values, const char *name, int64_t number)
{
    bind_value(values, name, &(struct expression_value){number, NULL, 0});
}

void
values_unbind(struct values *values)
{
    orch_assert(values->n_bound);
    values->n_bound--;
}

/* Computes expression 'raw', which starts 'offset' bytes into 'node' and has to
 * be a number. */
static enum st
raw_number(struct values *values, struct fy_node *node, const char *raw,
           size_t offset, const char *what, int64_t *number, struct err *err)
{
    struct expression_value value = {0};
    size_t inner = 0;
    struct err cause = {0};

    if (expression_evaluate(raw, lookup, values, &value, &inner, &cause)) {
        return fail_placed(values, node, offset + inner, what, &cause, err);
    }
    if (value.text) {
        return document_fail_at(values->document, node, offset, err,
                                "in %s: expected a number, found '%.*s'", what,
                                (int)value.length, value.text);
    }
    *number = value.number;
    return ST_OK;
}

enum st
values_number(struct values *values, struct fy_node *node, const char *what,
              int64_t min, int64_t max, int64_t *value, struct err *err)
{
    const char *raw = NULL;
    int64_t result = 0;
    enum st st = document_scalar(values->document, node, what, &raw, err);

    st = st ? st : raw_number(values, node, raw, 0, what, &result, err);
    if (st) {
        return st;
    }
    if (result < min || result > max) {
        return document_fail(values->document, node, err,
                             "expected %s to be in %lld..%lld, found %lld",
                             what, (long long)min, (long long)max,
                             (long long)result);
    }
    *value = result;
    return ST_OK;
}

enum st
values_range(struct values *values, struct fy_node *node, const char *what,
             int64_t *low, int64_t *high, bool *is_range, struct err *err)
{
    const char *raw = NULL, *dots;
    enum st st = ST_OK;

    *is_range = node && fy_node_is_scalar(node) && !fy_node_is_alias(node) &&
                !document_scalar(values->document, node, what, &raw, err) &&
                !is_text(raw) && strstr(raw, "..");
    if (!*is_range) {
        return ST_OK;
    }
    dots = strstr(raw, "..");
    st = raw_number(values, node,
                    arena_strndup(values->arena, raw, (size_t)(dots - raw)), 0,
                    what, low, err);
    return st ? st
              : raw_number(values, node, dots + 2, (size_t)(dots + 2 - raw),
                           what, high, err);
}

enum st
values_text(struct values *values, struct fy_node *node, const char *what,
            const char **text, struct err *err)
{
    const char *raw = NULL;
    struct text result = {0};
    struct err cause = {0};
    size_t offset = 0;
    enum st st = document_scalar(values->document, node, what, &raw, err);

    if (!st && replace(values, raw, &result, &offset, &cause)) {
        st = fail_placed(values, node, offset, what, &cause, err);
    }
    if (!st) {
        *text = arena_strdup(values->arena, text_string(&result));
    }
    text_fini(&result);
    return st;
}

enum st
values_any(struct values *values, struct fy_node *node, const char *what,
           const char **text, struct err *err)
{
    struct expression_value value = {0};
    struct text result = {0};
    enum st st = node_value(values, node, what, &value, err);

    if (!st) {
        add_value(&result, &value);
        *text = arena_strdup(values->arena, text_string(&result));
    }
    text_fini(&result);
    return st;
}

struct fy_node *
values_list(const struct values *values, struct fy_node *node)
{
    size_t length = 0;
    const char *raw = node && fy_node_is_scalar(node) && !fy_node_is_alias(node)
                          ? fy_node_get_scalar(node, &length)
                          : NULL;
    const struct param *param = NULL;

    if (raw && length > 1 && raw[0] == '$') {
        param = values_find(values, raw + 1, length - 1);
    }
    return param && param->state == PARAM_LIST ? param->node : node;
}
