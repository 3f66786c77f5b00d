/* SPDX-License-Identifier: Apache-2.0 */

/* Puts values of a caller into a scenario. */

#include <config.h>

#include "breakpoint/sets.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/config_rows.h"
#include "breakpoint/expression.h"
#include "breakpoint/parser_input.h"
#include "yaml/path.h"

#define CHIP "chip."
#define ROW  "row("

/* Appends 'string' as a YAML scalar in single quotes. */
static void
add_quoted(struct text *text, const char *string)
{
    text_add_char(text, '\'');
    for (; *string; string++) {
        text_add(text, *string == '\'' ? "'" : "");
        text_add_char(text, *string);
    }
    text_add_char(text, '\'');
}

enum st
sets_read(struct loader *loader, const struct parser_input *input,
          struct sets *sets)
{
    struct text yaml = {0}, label = {0};
    enum st st;

    *sets = (struct sets){.label = ""};
    if (!input->n_sets) {
        return ST_OK;
    }
    for (size_t i = 0; i < input->n_sets; i++) {
        add_quoted(&yaml, input->sets[i].name);
        text_add(&yaml, ": ");
        add_quoted(&yaml, input->sets[i].value);
        text_add_char(&yaml, '\n');
        text_addf(&label, "%s%s=%s", i ? "," : "", input->sets[i].name,
                  input->sets[i].value);
    }
    sets->label = arena_strdup(loader->arena, text_string(&label));
    st = document_add(loader->document, SETS_FILE, text_string(&yaml),
                      yaml.length, &sets->root, loader->err);
    text_fini(&yaml);
    text_fini(&label);
    return st;
}

/* The next pair of the values. */
struct pair {
    struct fy_node *key, *value;
    const char *name;
};

/* Steps to the next pair; false at the end, or after a failure in '*st'. */
static bool
next(struct loader *loader, const struct sets *sets, void **iterator,
     struct pair *pair, enum st *st)
{
    struct fy_node_pair *found =
        sets->root && !*st ? fy_node_mapping_iterate(sets->root, iterator)
                           : NULL;

    if (!found) {
        return false;
    }
    pair->key = fy_node_pair_key(found);
    pair->value = fy_node_pair_value(found);
    *st = document_scalar(loader->document, pair->key, "the name of a value",
                          &pair->name, loader->err);
    *st = *st ? *st
              : document_scalar(loader->document, pair->value, pair->name,
                                &(const char *){NULL}, loader->err);
    return !*st;
}

/* --- Parameters ---------------------------------------------------------- */

static enum st
set_parameter(struct loader *loader, const struct pair *pair,
              const struct sets_places *places)
{
    struct choices choices;

    if (places->matrix && document_member(places->matrix, pair->name)) {
        (void)document_fail(loader->document, pair->key, loader->err,
                            "'%s' is a key of the matrix, whose values make "
                            "the variants",
                            pair->name);
        err_set_remedy(loader->err,
                       "choose a variant with --variant, and vary another "
                       "parameter");
        return ST_INVALID;
    }
    if (values_has(loader->values, pair->name)) {
        return values_define(loader->values, pair->key, pair->value,
                             loader->err);
    }
    choices_init(&choices, pair->name);
    values_list_names(loader->values, &choices);
    (void)document_fail(loader->document, pair->key, loader->err,
                        "the scenario has no parameter '%s'", pair->name);
    return choices_explain(&choices, pair->name, loader->err);
}

/* Reports a value that would have no effect. */
static enum st
fail_kept(struct loader *loader, const struct pair *pair)
{
    (void)document_fail(loader->document, pair->key, loader->err,
                        "the switch keeps its own configuration, and topology "
                        "and rows of the scenario are not applied");
    err_set_remedy(loader->err, "add --configure, or write the row in a cfg "
                                "step with a parameter");
    return ST_INVALID;
}

/* --- Paths --------------------------------------------------------------- */

static enum st
set_path(struct loader *loader, const struct pair *pair,
         const struct sets_places *places)
{
    const struct path_place place = {loader->document, loader->arena,
                                     pair->key};
    const struct {
        const char *name;
        struct fy_node *node;
    } tops[] = {{"topology", places->topology},
                {"config", places->config},
                {"steps", places->steps}};
    const size_t length = strcspn(pair->name, ".");
    struct fy_node *added = NULL;
    struct choices choices;

    choices_init(&choices, arena_strndup(loader->arena, pair->name, length));
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++) {
        if (tops[i].node && strlen(tops[i].name) == length &&
            !strncmp(tops[i].name, pair->name, length)) {
            struct err unused;

            (void)choices_explain(&choices, NULL, &unused);
            if (places->keeps_configuration && tops[i].node != places->steps) {
                return fail_kept(loader, pair);
            }
            return path_put(&place, tops[i].node, pair->name + length + 1,
                            pair->value, &added, loader->err);
        }
        if (tops[i].node) {
            choices_add(&choices, tops[i].name);
        }
    }
    choices_add(&choices, "chip");
    choices_add(&choices, ROW "TABLE|key)");
    (void)document_fail(loader->document, pair->key, loader->err,
                        "no value can be set at '%.*s'", (int)length,
                        pair->name);
    return choices_explain(&choices, pair->name, loader->err);
}

enum st
sets_apply(struct loader *loader, struct sets *sets,
           const struct sets_places *places)
{
    struct text chip = {0};
    struct pair pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    while (next(loader, sets, &iterator, &pair, &st)) {
        if (expression_name_length(pair.name) == strlen(pair.name)) {
            st = set_parameter(loader, &pair, places);
        } else if (!strncmp(pair.name, CHIP, strlen(CHIP))) {
            const char *value = NULL;

            st = document_scalar(loader->document, pair.value, pair.name,
                                 &value, loader->err);
            text_addf(&chip, "%s: %s\n", pair.name + strlen(CHIP), value);
        } else if (strncmp(pair.name, ROW, strlen(ROW)) != 0) {
            st = set_path(loader, &pair, places);
        }
    }
    sets->chip =
        chip.length ? arena_strdup(loader->arena, text_string(&chip)) : NULL;
    text_fini(&chip);
    return st;
}

/* --- Rows ---------------------------------------------------------------- */

/* Splits "row(KEY).FIELD". */
static enum st
split_row(struct loader *loader, const struct pair *pair, const char **key,
          const char **field)
{
    const char *inner = pair->name + strlen(ROW);
    const char *end = strstr(inner, ").");

    if (!end || end == inner || !end[2]) {
        return document_fail(loader->document, pair->key, loader->err,
                             "expected row(TABLE|key).field, found '%s'",
                             pair->name);
    }
    *key = arena_strndup(loader->arena, inner, (size_t)(end - inner));
    *field = end + 2;
    return ST_OK;
}

/* Checks that row 'key' can have 'field'. */
static enum st
check_field(struct loader *loader, const struct pair *pair, struct bench *bench,
            const char *key, const char *field)
{
    struct err cause = {0};

    if (!bench || !bench->ops->check_field ||
        !bench->ops->check_field(bench, key, field, &cause)) {
        return ST_OK;
    }
    (void)document_fail(loader->document, pair->key, loader->err, "%s",
                        cause.reason);
    err_set_field(loader->err, cause.field, cause.value, cause.allowed);
    return ST_INVALID;
}

static enum st
set_row(struct loader *loader, const struct pair *pair,
        struct config_rows *rows, struct bench *bench)
{
    const char *key = NULL, *field = NULL, *value = NULL;
    struct choices choices;
    enum st st = split_row(loader, pair, &key, &field);

    st = st ? st
            : document_scalar(loader->document, pair->value, pair->name, &value,
                              loader->err);
    if (st) {
        return st;
    }
    choices_init(&choices, key);
    if (config_rows_has(rows, key, &choices)) {
        struct err unused;

        (void)choices_explain(&choices, NULL, &unused);
        st = check_field(loader, pair, bench, key, field);
        if (!st) {
            config_rows_set(loader, rows, key, field, value, pair->value);
        }
        return st;
    }
    (void)document_fail(loader->document, pair->key, loader->err,
                        "the configuration has no row %s", key);
    return choices_explain(&choices, pair->name, loader->err);
}

enum st
sets_apply_rows(struct loader *loader, const struct sets *sets,
                struct config_rows *rows, struct bench *bench)
{
    struct pair pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    while (next(loader, sets, &iterator, &pair, &st)) {
        if (strncmp(pair.name, ROW, strlen(ROW)) != 0) {
            continue;
        }
        st = bench && bench->keeps_configuration
                 ? fail_kept(loader, &pair)
                 : set_row(loader, &pair, rows, bench);
    }
    return st;
}
