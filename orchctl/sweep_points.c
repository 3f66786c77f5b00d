/* SPDX-License-Identifier: Apache-2.0 */

/* Expands cases to the points of a sweep. */

#include <config.h>

#include "orchctl/sweep_points.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "orchctl/case_list.h"

#define RANGE ".."

/* A parameter and its values. */
struct param {
    const char *name;
    const char **values; /* On the heap, with room for 'room'. */
    size_t n, room;
};

static enum st
add_value(struct param *param, const char *value, struct err *err)
{
    if (param->n == SWEEP_POINTS_MAX) {
        return err_set(err, ST_INVALID, "usage",
                       "--param %s has more than %d values", param->name,
                       SWEEP_POINTS_MAX);
    }
    if (param->n == param->room) {
        param->room = param->room ? 2 * param->room : 16;
        param->values =
            check_realloc(param->values, param->room * sizeof *param->values);
    }
    param->values[param->n++] = value;
    return ST_OK;
}

/* Parses an integer with an optional sign. */
static bool
parse_integer(const char *text, int64_t *value)
{
    const bool negative = *text == '-';
    uint64_t number;

    if (parse_u64(text + negative, 0, INT32_MAX, &number)) {
        return false;
    }
    *value = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

/* Adds the numbers of "LOW..HIGH" or "LOW..HIGH..STEP". */
static enum st
add_range(struct param *param, char *item, struct arena *arena, struct err *err)
{
    char *high_text = strstr(item, RANGE) + strlen(RANGE);
    char *step_text = strstr(high_text, RANGE);
    const char *copy = arena_strdup(arena, item);
    int64_t low = 0, high = 0, step = 1;
    bool good;
    enum st st = ST_OK;

    high_text[-(int)strlen(RANGE)] = '\0';
    if (step_text) {
        *step_text = '\0';
        step_text += strlen(RANGE);
    }
    good = parse_integer(item, &low) && parse_integer(high_text, &high) &&
           (!step_text || parse_integer(step_text, &step));
    if (!good || step < 1 || high < low) {
        (void)err_set(err, ST_INVALID, "usage",
                      "--param %s: '%s' is not a range of integers",
                      param->name, copy);
        err_set_field(err, param->name, copy,
                      "LOW..HIGH or LOW..HIGH..STEP, LOW at most HIGH, STEP at "
                      "least 1");
        return ST_INVALID;
    }
    for (; !st && low <= high; low += step) {
        char number[24];

        text_format(number, sizeof number, "%" PRId64, low);
        st = add_value(param, arena_strdup(arena, number), err);
    }
    return st;
}

/* Parses "NAME=VALUES". */
static enum st
parse_param(struct param *param, const char *text, struct arena *arena,
            struct err *err)
{
    const char *equals = strchr(text, '=');
    char *rest, *item;
    enum st st = ST_OK;

    if (!equals || equals == text || !equals[1]) {
        (void)err_set(err, ST_INVALID, "usage",
                      "--param needs NAME=VALUES, not '%s'", text);
        err_set_remedy(err, "for example --param alpha=-4..3, or --param "
                            "size=64,300,1500");
        return ST_INVALID;
    }
    *param = (struct param){
        .name = arena_strndup(arena, text, (size_t)(equals - text))};
    rest = arena_strdup(arena, equals + 1);
    while (!st && (item = strsep(&rest, ","))) {
        if (!*item) {
            st = err_set(err, ST_INVALID, "usage",
                         "--param %s has an empty value in '%s'", param->name,
                         equals + 1);
        } else {
            st = strstr(item, RANGE) ? add_range(param, item, arena, err)
                                     : add_value(param, item, err);
        }
    }
    return st;
}

/* Checks that 'params[i]' is not there twice. */
static enum st
check_new(const struct param *params, size_t i, struct err *err)
{
    for (size_t k = 0; k < i; k++) {
        if (!strcmp(params[k].name, params[i].name)) {
            return err_set(err, ST_INVALID, "usage",
                           "--param %s is given twice", params[i].name);
        }
    }
    return ST_OK;
}

/* Makes the points of 'one' into 'items'. */
static void
expand_case(const struct case_list_item *one, const struct param *params,
            size_t n_params, size_t n_points, struct case_list_item *items,
            unsigned int repeat, struct arena *arena)
{
    for (size_t i = 0; i < n_points; i++) {
        struct parser_set *sets =
            arena_alloc(arena, n_params + 1, sizeof *sets);
        size_t rest = i;

        for (size_t k = n_params; k-- > 0;) {
            sets[k] = (struct parser_set){params[k].name,
                                          params[k].values[rest % params[k].n]};
            rest /= params[k].n;
        }
        for (unsigned int r = 0; r < repeat; r++) {
            struct case_list_item *item = &items[i * repeat + r];

            *item = *one;
            item->sets = sets;
            item->n_sets = n_params;
            item->repetition = r + 1;
        }
    }
}

/* Counts the points of a case; 0: too many. */
static size_t
count_points(const struct param *params, size_t n_params)
{
    size_t n = 1;

    for (size_t i = 0; i < n_params && n <= SWEEP_POINTS_MAX; i++) {
        n *= params[i].n;
    }
    return n;
}

static enum st
expand(struct case_list *cases, const struct param *params, size_t n_params,
       unsigned int repeat, struct arena *arena, struct err *err)
{
    const size_t n = count_points(params, n_params);
    struct case_list_item *items;

    if (n > SWEEP_POINTS_MAX || n * repeat * cases->n > SWEEP_POINTS_MAX) {
        return err_set(err, ST_INVALID, "usage",
                       "the sweep has more than %d runs", SWEEP_POINTS_MAX);
    }
    items = check_calloc(cases->n * n * repeat + 1, sizeof *items);
    for (size_t i = 0; i < cases->n; i++) {
        expand_case(&cases->items[i], params, n_params, n,
                    &items[i * n * repeat], repeat, arena);
    }
    free(cases->items);
    cases->items = items;
    cases->n *= n * repeat;
    return ST_OK;
}

enum st
sweep_points_expand(struct case_list *cases, const json_t *params,
                    unsigned int repeat, struct arena *arena, struct err *err)
{
    const size_t n = json_array_size(params);
    struct param list[SWEEP_POINTS_PARAMS_MAX] = {{NULL, NULL, 0, 0}};
    enum st st = ST_OK;

    if (n > SWEEP_POINTS_PARAMS_MAX) {
        return err_set(err, ST_INVALID, "usage",
                       "--param is given %zu times; at most %d", n,
                       SWEEP_POINTS_PARAMS_MAX);
    }
    for (size_t i = 0; !st && i < n; i++) {
        st = parse_param(&list[i], json_string_value(json_array_get(params, i)),
                         arena, err);
        st = st ? st : check_new(list, i, err);
    }
    st = st ? st : expand(cases, list, n, repeat, arena, err);
    for (size_t i = 0; i < n; i++) {
        free(list[i].values);
    }
    return st;
}
