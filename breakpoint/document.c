/* SPDX-License-Identifier: Apache-2.0 */

/* YAML through libfyaml, which keeps a mark for every token. */

#include <config.h>

#include "breakpoint/document.h"

#include <libfyaml.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/expression.h"

/* A parameter; those of text have no number. */
struct param {
    const char *name;
    const char *text; /* As it replaces "$name" in a text. */
    int64_t value;    /* Valid if it is numeric. */
    bool numeric;
};

struct document {
    const char *file;         /* For messages. */
    struct arena *arena;      /* The scenario's; outlives the document. */
    struct fy_document *tree; /* Owned. */
    struct param *params;     /* In the arena. */
    size_t n_params;
};

static enum st place_fail(const char *file, unsigned int line,
                          unsigned int column, struct err *err,
                          const char *format, va_list args) ST_PRINTF(5, 0);

/* Fills 'err' with a message in the form that editors and compilers agreed on,
 * so that a click leads to the place. */
static enum st
place_fail(const char *file, unsigned int line, unsigned int column,
           struct err *err, const char *format, va_list args)
{
    char reason[sizeof err->reason];

    text_vformat(reason, sizeof reason, format, args);
    return err_set(err, ST_INVALID, "scenario", "%s:%u:%u: %s", file, line,
                   column, reason);
}

/* Fills 'err' from what libfyaml has collected. */
static enum st
syntax_fail(const char *file, struct fy_diag *diag, struct err *err)
{
    void *iterator = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(diag, &iterator);

    if (!error) {
        return err_set(err, ST_INVALID, "scenario",
                       "%s:1:1: this is not one YAML document", file);
    }
    return err_set(err, ST_INVALID, "scenario", "%s:%d:%d: %s", file,
                   error->line, error->column, error->msg);
}

/* Refuses what libfyaml must not see: it takes no notice of what follows a NUL
 * byte, does not come to an end on some bytes that are not UTF-8, and loses its
 * way over some tabs. */
static enum st
check_plain(const char *file, const char *text, size_t length, struct err *err)
{
    size_t plain = text_plain_length(text, length);
    unsigned int line, column;

    if (plain == length) {
        return ST_OK;
    }
    text_place(text, plain, &line, &column);
    return err_set(err, ST_INVALID, "scenario",
                   "%s:%u:%u: this is no text in UTF-8 without tabs and other "
                   "control characters",
                   file, line, column);
}

enum st
document_open(const char *file, const char *text, size_t length,
              struct arena *arena, struct document **document, struct err *err)
{
    struct fy_diag_cfg diag_cfg;
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG};
    struct fy_document *tree = NULL, *rest = NULL;
    struct fy_parser *parser;
    struct fy_diag *diag;
    enum st st = check_plain(file, text, length, err);

    if (st) {
        return st;
    }
    fy_diag_cfg_default(&diag_cfg);
    diag = fy_diag_create(&diag_cfg);
    orch_assert(diag);
    fy_diag_set_collect_errors(diag, true);
    cfg.diag = diag;
    parser = fy_parser_create(&cfg);
    orch_assert(parser);
    if (!fy_parser_set_string(parser, text, length)) {
        tree = fy_parse_load_document(parser);
        rest = tree ? fy_parse_load_document(parser) : NULL;
    }
    if (rest || (tree && fy_parser_get_stream_error(parser))) {
        /* One file is one scenario; and what comes after it is not ignored. */
        fy_document_destroy(rest);
        fy_document_destroy(tree);
        tree = NULL;
    }
    if (tree) {
        *document = check_calloc(1, sizeof **document);
        (*document)->file = file;
        (*document)->arena = arena;
        (*document)->tree = tree;
    } else {
        st = syntax_fail(file, diag, err);
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return st;
}

void
document_close(struct document *document)
{
    if (document) {
        fy_document_destroy(document->tree);
        free(document);
    }
}

struct fy_node *
document_root(const struct document *document)
{
    return fy_document_root(document->tree);
}

/* Returns the first token of 'node' that has a place; flow and block maps
 * begin with their first key. */
static const struct fy_mark *
node_mark(struct fy_node *node)
{
    for (unsigned int depth = 0; node && depth < 16; depth++) {
        struct fy_node_pair *pair;

        if (fy_node_is_scalar(node)) {
            struct fy_token *token = fy_node_get_scalar_token(node);

            return token ? fy_token_start_mark(token) : NULL;
        }
        if (fy_node_is_sequence(node)) {
            node = fy_node_sequence_get_by_index(node, 0);
        } else {
            pair = fy_node_mapping_get_by_index(node, 0);
            node = pair ? fy_node_pair_key(pair) : NULL;
        }
    }
    return NULL;
}

void
document_place(const struct document *document, struct fy_node *node,
               unsigned int *line, unsigned int *column)
{
    const struct fy_mark *mark = NULL;

    (void)document;
    /* An empty value has no token: its key is the best there is. */
    while (node && !mark) {
        mark = node_mark(node);
        node = fy_node_get_parent(node);
    }
    *line = mark ? (unsigned int)mark->line + 1 : 1;
    *column = mark ? (unsigned int)mark->column + 1 : 1;
}

enum st
document_fail(const struct document *document, struct fy_node *node,
              struct err *err, const char *format, ...)
{
    unsigned int line, column;
    va_list args;

    document_place(document, node, &line, &column);
    va_start(args, format);
    place_fail(document->file, line, column, err, format, args);
    va_end(args);
    return ST_INVALID;
}

/* Stores the raw text of 'node', "" if it is empty; it must be a scalar. */
static enum st
document_scalar(const struct document *document, struct fy_node *node,
                const char *what, const char **text, struct err *err)
{
    const char *bytes;
    size_t length = 0;

    if (!node || !fy_node_is_scalar(node) || fy_node_is_alias(node)) {
        return document_fail(document, node, err, "expected one value for %s",
                             what);
    }
    bytes = fy_node_get_scalar(node, &length);
    if (!bytes || !length) {
        return document_fail(document, node, err, "expected a value for %s",
                             what);
    }
    *text = arena_strndup(document->arena, bytes, length);
    return ST_OK;
}

/* Finds a parameter among those defined so far.  A walk will do: nobody writes
 * hundreds. */
static const struct param *
document_param(const struct document *document, const char *name, size_t length)
{
    for (size_t i = 0; i < document->n_params; i++) {
        const struct param *param = &document->params[i];

        if (strlen(param->name) == length &&
            !memcmp(param->name, name, length)) {
            return param;
        }
    }
    return NULL;
}

/* Implements expression_lookup_fn. */
static enum st
param_lookup(void *context, const char *name, size_t length, int64_t *value,
             struct err *err)
{
    const struct document *document = context;
    const struct param *param = document_param(document, name, length);

    if (!param) {
        return err_set(err, ST_INVALID, "param",
                       "there is no parameter '%.*s' up to here", (int)length,
                       name);
    }
    if (!param->numeric) {
        return err_set(err, ST_INVALID, "param",
                       "parameter '%s' is the text '%s', not a number",
                       param->name, param->text);
    }
    *value = param->value;
    return ST_OK;
}

enum st
document_number(const struct document *document, struct fy_node *node,
                const char *what, int64_t min, int64_t max, int64_t *value,
                struct err *err)
{
    const char *text = NULL;
    unsigned int line, column;
    size_t offset = 0;
    struct err cause;
    int64_t result = 0;
    enum st st = document_scalar(document, node, what, &text, err);

    if (st) {
        return st;
    }
    st = expression_evaluate(text, param_lookup, (void *)(uintptr_t)document,
                             &result, &offset, &cause);
    if (st) {
        document_place(document, node, &line, &column);
        return err_set(err, st, "scenario", "%s:%u:%u: in %s: %s",
                       document->file, line, column + (unsigned int)offset,
                       what, cause.reason);
    }
    if (result < min || result > max) {
        return document_fail(
            document, node, err, "expected %s to be in %lld..%lld, it is %lld",
            what, (long long)min, (long long)max, (long long)result);
    }
    *value = result;
    return ST_OK;
}

enum st
document_text(const struct document *document, struct fy_node *node,
              const char *what, const char **text, struct err *err)
{
    const char *raw = NULL;
    struct text result = {0};
    enum st st = document_scalar(document, node, what, &raw, err);

    while (!st && *raw) {
        size_t length = *raw == '$' ? expression_name_length(raw + 1) : 0;
        const struct param *param;

        if (*raw != '$') {
            text_add_char(&result, *raw++);
            continue;
        }
        param = document_param(document, raw + 1, length);
        if (!param) {
            st = document_fail(document, node, err,
                               "there is no parameter '%.*s' up to here",
                               (int)length, raw + 1);
            break;
        }
        text_add(&result, param->text);
        raw += 1 + length;
    }
    if (!st) {
        *text = arena_strdup(document->arena, text_string(&result));
    }
    text_fini(&result);
    return st;
}

/* Defines one parameter from its key and value. */
static enum st
document_define(struct document *document, struct fy_node *key,
                struct fy_node *value, struct err *err)
{
    struct param param = {0};
    const char *raw = NULL;
    char number[24];
    enum st st = document_scalar(document, key, "the name of a parameter",
                                 &param.name, err);

    if (st) {
        return st;
    }
    if (expression_name_length(param.name) != strlen(param.name)) {
        return document_fail(document, key, err,
                             "expected a name of letters, digits and '_', "
                             "found '%s'",
                             param.name);
    }
    st = document_scalar(document, value, param.name, &raw, err);
    if (st) {
        return st;
    }
    param.numeric = !expression_name_length(raw);
    if (param.numeric) {
        st = document_number(document, value, param.name, INT64_MIN, INT64_MAX,
                             &param.value, err);
        text_format(number, sizeof number, "%lld", (long long)param.value);
        param.text = arena_strdup(document->arena, number);
    } else {
        st = document_text(document, value, param.name, &param.text, err);
    }
    if (!st) {
        document->params[document->n_params++] = param;
    }
    return st;
}

enum st
document_params(struct document *document, struct fy_node *node,
                struct err *err)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;
    int n;

    if (!fy_node_is_mapping(node)) {
        return document_fail(document, node, err,
                             "expected params to be a map of names to values");
    }
    n = fy_node_mapping_item_count(node);
    document->params = arena_alloc(document->arena, n > 0 ? (size_t)n : 1,
                                   sizeof *document->params);
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        st = document_define(document, fy_node_pair_key(pair),
                             fy_node_pair_value(pair), err);
    }
    return st;
}

/* Says what the keys or words of a list are: "a, b, c". */
static void
form_keys(const struct form *forms, size_t n, char *buffer, size_t size)
{
    struct text list = {0};

    for (size_t i = 0; i < n; i++) {
        text_add_item(&list, ", ", forms[i].key);
    }
    text_copy(buffer, size, text_string(&list));
    text_fini(&list);
}

/* Reads a scalar that has to be one of the form's words, and lists them if it
 * is not. */
static enum st
document_word(const struct document *document, struct fy_node *node,
              const struct form *form, int *position, struct err *err)
{
    struct text list = {0};
    const char *text = NULL;
    enum st st = document_text(document, node, form->key, &text, err);

    if (st) {
        return st;
    }
    for (int i = 0; form->words[i]; i++) {
        if (!strcmp(form->words[i], text)) {
            text_fini(&list);
            *position = i;
            return ST_OK;
        }
        text_add_item(&list, ", ", form->words[i]);
    }
    st = document_fail(document, node, err,
                       "expected %s to be one of: %s; found '%s'", form->key,
                       text_string(&list), text);
    text_fini(&list);
    return st;
}

/* Reads the value of one key into its member. */
static enum st
document_value(const struct document *document, struct fy_node *node,
               const struct form *form, void *base, struct err *err)
{
    void *member = (char *)base + form->offset;

    switch (form->type) {
    case FORM_NODE:
        memcpy(member, &node, sizeof node);
        return ST_OK;
    case FORM_TEXT:
        return document_text(document, node, form->key, member, err);
    case FORM_WORD:
        return document_word(document, node, form, member, err);
    case FORM_NUMBER:
    default:
        return document_number(document, node, form->key, form->min, form->max,
                               member, err);
    }
}

/* Reads one key of a map.  A key that no form has is an error, never ignored: a
 * claim that was misspelt would otherwise always hold. */
static enum st
document_pair(const struct document *document, struct fy_node_pair *pair,
              const char *what, const struct form *forms, size_t n, void *base,
              uint32_t *seen, struct err *err)
{
    struct fy_node *key = fy_node_pair_key(pair);
    const char *name = NULL;
    char keys[160];
    enum st st = document_scalar(document, key, "a key", &name, err);

    if (st) {
        return st;
    }
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(forms[i].key, name)) {
            *seen |= UINT32_C(1) << i;
            return document_value(document, fy_node_pair_value(pair), &forms[i],
                                  base, err);
        }
    }
    form_keys(forms, n, keys, sizeof keys);
    return document_fail(document, key, err,
                         "%s has no key '%s'; expected one of: %s", what, name,
                         keys);
}

enum st
document_map(const struct document *document, struct fy_node *node,
             const char *what, const struct form *forms, size_t n, void *base,
             uint32_t *seen, struct err *err)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;
    char keys[160];

    orch_assert(n <= 32);
    *seen = 0;
    if (!node || !fy_node_is_mapping(node)) {
        form_keys(forms, n, keys, sizeof keys);
        return document_fail(document, node, err,
                             "expected %s to be a map with keys of: %s", what,
                             keys);
    }
    while (!st && (pair = fy_node_mapping_iterate(node, &iterator))) {
        st = document_pair(document, pair, what, forms, n, base, seen, err);
    }
    for (size_t i = 0; !st && i < n; i++) {
        if (forms[i].required && !(*seen & (UINT32_C(1) << i))) {
            st = document_fail(document, node, err, "%s needs the key '%s'",
                               what, forms[i].key);
        }
    }
    return st;
}
