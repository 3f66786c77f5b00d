/* SPDX-License-Identifier: Apache-2.0 */

/* The runs of a file, and the values that each puts into the scenario. */

#include <config.h>

#include "lab/scenario/sweep.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "base/text.h"
#include "yaml/path.h"

const char *
sweep_value_text(struct reader *reader, struct fy_node *node)
{
    char *text;
    const char *copy;

    if (node && fy_node_is_scalar(node)) {
        size_t length = 0;
        const char *bytes = fy_node_get_scalar(node, &length);

        return arena_strndup(reader->arena, bytes ? bytes : "",
                             bytes ? length : 0);
    }
    text =
        fy_emit_node_to_string(node, FYECF_MODE_FLOW_ONELINE | FYECF_WIDTH_INF);
    copy = arena_strdup(reader->arena, text ? text : "");
    free(text);
    return copy;
}

/* Seeds ------------------------------------------------------------------- */

/* Adds the seeds of "7" or "1..20". */
static enum st
read_seeds(struct reader *reader, struct fy_node *node, void *context)
{
    struct sweep *sweep = context;
    const char *text = NULL, *dots;
    uint64_t low = 0, high = 0;
    enum st st = fields_text(reader, node, "seed", &text);

    if (st) {
        return st;
    }
    dots = strstr(text, "..");
    if (dots) {
        const char *first =
            arena_strndup(reader->arena, text, (size_t)(dots - text));

        st = parse_u64(first, 0, INT64_MAX, &low);
        if (!st) {
            st = parse_u64(dots + 2, low, INT64_MAX, &high);
        }
    } else {
        st = parse_u64(text, 0, INT64_MAX, &low);
        high = low;
    }
    if (st || high - low >= SCENARIO_RUNS_MAX ||
        sweep->n_seeds + (high - low) >= SCENARIO_RUNS_MAX) {
        return document_fail(reader->document, node, reader->err,
                             "'seed' is '%s'; allowed is a number, a range "
                             "(1..20), or a list of both; at most %d",
                             text, SCENARIO_RUNS_MAX);
    }
    sweep->seeds = check_realloc(sweep->seeds,
                                 (sweep->n_seeds + (size_t)(high - low) + 1) *
                                     sizeof *sweep->seeds);
    for (; low <= high; low++) {
        sweep->seeds[sweep->n_seeds++] = low;
    }
    return ST_OK;
}

/* Moves the seeds into the arena. */
static enum st
read_all_seeds(struct reader *reader, struct fy_node *node, struct sweep *sweep)
{
    enum st st = ST_OK;
    uint64_t *seeds;

    if (node) {
        st = fields_each_item(reader, node, read_seeds, sweep);
    }
    if (!st && node && !sweep->n_seeds) {
        st = document_fail(reader->document, node, reader->err,
                           "'seed' is an empty list");
    }
    seeds = arena_alloc(reader->arena, sweep->n_seeds + 1, sizeof *seeds);
    seeds[0] = 1;
    if (sweep->n_seeds) {
        memcpy(seeds, sweep->seeds, sweep->n_seeds * sizeof *seeds);
    } else {
        sweep->n_seeds = 1;
    }
    free(sweep->seeds);
    sweep->seeds = seeds;
    return st;
}

/* Sweep and variants ------------------------------------------------------ */

/* Implements fields_pair_fn. */
static enum st
read_key(struct reader *reader, struct fy_node *key, const char *name,
         struct fy_node *value, void *context)
{
    struct sweep *sweep = context;
    struct sweep_key *row = &sweep->keys[sweep->n_keys];

    if (!value || !fy_node_is_sequence(value) || !fields_n_items(value)) {
        return document_fail(reader->document, value ? value : key, reader->err,
                             "the values of '%s' are a list: [a, b]", name);
    }
    *row = (struct sweep_key){name, key, value, fields_n_items(value)};
    sweep->n_keys++;
    return ST_OK;
}

/* Implements fields_pair_fn. */
static enum st
read_variant(struct reader *reader, struct fy_node *key, const char *name,
             struct fy_node *value, void *context)
{
    struct sweep *sweep = context;
    enum st st = fields_name(reader, key, "a variant", &name);

    if (!st && (!value || !fy_node_is_mapping(value))) {
        st = document_fail(reader->document, key, reader->err,
                           "variant '%s' has to be a map of paths and values",
                           name);
    }
    sweep->variants[sweep->n_variants++] = (struct sweep_variant){name, value};
    return st;
}

/* Multiplies the number of runs. */
static enum st
count_runs(struct reader *reader, struct fy_node *node, struct sweep *sweep)
{
    size_t n = sweep->n_seeds;

    for (size_t i = 0; i < sweep->n_keys && n <= SCENARIO_RUNS_MAX; i++) {
        n = sweep->keys[i].n > SCENARIO_RUNS_MAX ? SIZE_MAX
                                                 : n * sweep->keys[i].n;
    }
    if (n <= SCENARIO_RUNS_MAX && sweep->n_variants) {
        n *= sweep->n_variants;
    }
    sweep->n_runs = n;
    return n <= SCENARIO_RUNS_MAX
               ? ST_OK
               : document_fail(reader->document, node, reader->err,
                               "the file has more than %d runs",
                               SCENARIO_RUNS_MAX);
}

enum st
sweep_read(struct reader *reader, struct fy_node *seed, struct fy_node *keys,
           struct fy_node *variants, struct sweep *sweep)
{
    size_t n = fields_n_items(keys);
    enum st st;

    *sweep = (struct sweep){0};
    st = read_all_seeds(reader, seed, sweep);
    if (!st && keys && n > SCENARIO_SWEEP_KEYS_MAX) {
        st = document_fail(reader->document, keys, reader->err,
                           "'sweep' has %zu keys; at most %d", n,
                           SCENARIO_SWEEP_KEYS_MAX);
    }
    if (!st && keys) {
        sweep->keys = arena_alloc(reader->arena, n + 1, sizeof *sweep->keys);
        st = fields_each_pair(reader, keys, "'sweep'", read_key, sweep);
    }
    if (!st && variants) {
        sweep->variants =
            arena_alloc(reader->arena, fields_n_items(variants) + 1,
                        sizeof *sweep->variants);
        st = fields_each_pair(reader, variants, "'variants'", read_variant,
                              sweep);
    }
    return st ? st
              : count_runs(reader,
                           keys       ? keys
                           : variants ? variants
                                      : seed,
                           sweep);
}

/* Runs -------------------------------------------------------------------- */

/* Which values a run has. */
struct choice {
    size_t keys[SCENARIO_SWEEP_KEYS_MAX]; /* Positions in the lists. */
    const struct sweep_variant *variant;  /* NULL: none. */
    uint64_t seed;
};

static void
choose(const struct sweep *sweep, size_t number, struct choice *choice)
{
    *choice = (struct choice){.seed = sweep->seeds[number % sweep->n_seeds]};
    number /= sweep->n_seeds;
    for (size_t i = sweep->n_keys; i-- > 0;) {
        choice->keys[i] = number % sweep->keys[i].n;
        number /= sweep->keys[i].n;
    }
    if (sweep->n_variants) {
        choice->variant = &sweep->variants[number];
    }
}

static struct fy_node *
chosen_value(const struct sweep *sweep, const struct choice *choice, size_t i)
{
    return fy_node_sequence_get_by_index(sweep->keys[i].values,
                                         (int)choice->keys[i]);
}

/* The state of listing the values of a variant. */
struct parameters {
    struct scenario_parameter *list;
    size_t n;
};

/* Implements fields_pair_fn. */
static enum st
add_parameter(struct reader *reader, struct fy_node *key, const char *name,
              struct fy_node *value, void *context)
{
    struct parameters *parameters = context;

    (void)key;
    parameters->list[parameters->n++] =
        (struct scenario_parameter){name, sweep_value_text(reader, value)};
    return ST_OK;
}

/* Returns "variant, path=value, seed=3" without what the file does not vary. */
static const char *
make_label(struct reader *reader, const struct sweep *sweep,
           const struct scenario_run *run)
{
    struct text text = {0};
    const char *label;

    text_add_item(&text, ", ", run->variant);
    for (size_t i = 0; i < sweep->n_keys; i++) {
        text_add_item(&text, ", ", run->parameters[i].path);
        text_add_char(&text, '=');
        text_add(&text, run->parameters[i].value);
    }
    if (sweep->n_seeds > 1) {
        text_add_item(&text, ", ", "seed=");
        text_add_number(&text, run->seed);
    }
    label = arena_strdup(reader->arena, text_string(&text));
    text_fini(&text);
    return label;
}

enum st
sweep_run(struct reader *reader, const struct sweep *sweep, size_t number,
          struct scenario_run *run)
{
    struct parameters parameters = {NULL, 0};
    struct choice choice;
    size_t n = sweep->n_keys;
    enum st st = ST_OK;

    choose(sweep, number, &choice);
    if (choice.variant) {
        n += fields_n_items(choice.variant->values);
    }
    parameters.list =
        arena_alloc(reader->arena, n + 1, sizeof *parameters.list);
    for (size_t i = 0; i < sweep->n_keys; i++) {
        parameters.list[parameters.n++] = (struct scenario_parameter){
            sweep->keys[i].path,
            sweep_value_text(reader, chosen_value(sweep, &choice, i))};
    }
    if (choice.variant) {
        st = fields_each_pair(reader, choice.variant->values, "a variant",
                              add_parameter, &parameters);
    }
    *run = (struct scenario_run){
        .number = number,
        .variant = choice.variant ? choice.variant->name : "",
        .seed = choice.seed,
        .parameters = parameters.list,
        .n_parameters = parameters.n,
        .n_swept = sweep->n_keys,
    };
    run->label = make_label(reader, sweep, run);
    return st;
}

/* Putting values into the tree -------------------------------------------- */

/* Returns whether scalar 'node' is 'text'. */
static bool
is_text(struct fy_node *node, const char *text)
{
    size_t length = 0;
    const char *bytes = node && fy_node_is_scalar(node)
                            ? fy_node_get_scalar(node, &length)
                            : NULL;

    return bytes && length == strlen(text) && !memcmp(bytes, text, length);
}

/* Puts 'value' at 'path' below 'node'; 'key' is the position of the path. */
static enum st
put_below(struct reader *reader, struct fy_node *node, const char *path,
          struct fy_node *key, struct fy_node *value)
{
    const struct path_place place = {reader->document, reader->arena, key};
    struct fy_node *node_of_key = NULL;
    struct added_key *added;
    const enum st st =
        path_put(&place, node, path, value, &node_of_key, reader->err);

    if (!st && node_of_key) {
        added = arena_alloc(reader->arena, 1, sizeof *added);
        *added = (struct added_key){node_of_key, key, reader->added};
        reader->added = added;
    }
    return st;
}

/* Returns the node at which a path begins whose first key is 'name': the top,
 * or the fabric.  NULL: a path must not change that key. */
static struct fy_node *
find_start(struct fy_node *root, const char *name)
{
    static const char *const fixed[] = {"name", "seed", "sweep", "variants",
                                        NULL};
    static const char *const of_fabric[] = {
        "links",       "switch",       "ecmp", "routing",
        "convergence", "flow_control", NULL};
    struct fy_node *fabric = document_member(root, "fabric");

    for (size_t i = 0; fixed[i]; i++) {
        if (!strcmp(fixed[i], name)) {
            return NULL;
        }
    }
    for (size_t i = 0; of_fabric[i]; i++) {
        if (fabric && !strcmp(of_fabric[i], name)) {
            return fabric;
        }
    }
    return !document_member(root, name) && document_member(fabric, name)
               ? fabric
               : root;
}

/* Puts 'value' at 'path' below 'root'; 'key' is the position of the path. */
static enum st
put(struct reader *reader, struct fy_node *root, const char *path,
    struct fy_node *key, struct fy_node *value)
{
    struct fy_node *node = find_start(
        root, arena_strndup(reader->arena, path, strcspn(path, ".")));

    if (!node) {
        return document_fail(reader->document, key, reader->err,
                             "path '%s': this is the same for all runs", path);
    }
    return put_below(reader, node, path, key, value);
}

/* Implements fields_pair_fn. */
static enum st
put_pair(struct reader *reader, struct fy_node *key, const char *name,
         struct fy_node *value, void *context)
{
    return put(reader, context, name, key, value);
}

enum st
sweep_apply(struct reader *reader, const struct sweep *sweep, size_t number,
            struct fy_node *root)
{
    struct choice choice;
    enum st st = ST_OK;

    choose(sweep, number, &choice);
    for (size_t i = 0; !st && i < sweep->n_keys; i++) {
        st = put(reader, root, sweep->keys[i].path, sweep->keys[i].key,
                 chosen_value(sweep, &choice, i));
    }
    if (!st && choice.variant) {
        st = fields_each_pair(reader, choice.variant->values, "a variant",
                              put_pair, root);
    }
    return st;
}

enum st
sweep_put(struct reader *reader, struct fy_node *root, struct fy_node *sweep,
          const char *path, struct fy_node *value)
{
    if (document_member(sweep, path)) {
        return document_fail(reader->document, sweep, reader->err,
                             "path '%s': this is a key of 'sweep'", path);
    }
    if (!strcmp(path, "seed") && root && fy_node_is_mapping(root)) {
        return put_below(reader, root, path, root, value);
    }
    return put(reader, root, path, root, value);
}

const char *
sweep_text(struct reader *reader, struct fy_node *root, uint64_t seed)
{
    struct fy_node_pair *pair;
    struct text text = {0};
    void *iterator = NULL;
    const char *copy;

    text_addf(&text, "seed: %llu\n", (unsigned long long)seed);
    while ((pair = fy_node_mapping_iterate(root, &iterator))) {
        struct fy_node *key = fy_node_pair_key(pair);
        char *value;

        if (is_text(key, "seed") || is_text(key, "sweep") ||
            is_text(key, "variants")) {
            continue;
        }
        value =
            fy_emit_node_to_string(fy_node_pair_value(pair),
                                   FYECF_MODE_FLOW_ONELINE | FYECF_WIDTH_INF);
        text_addf(&text, "%s: %s\n", sweep_value_text(reader, key),
                  value ? value : "");
        free(value);
    }
    copy = arena_strdup(reader->arena, text_string(&text));
    text_fini(&text);
    return copy;
}
