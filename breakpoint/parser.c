/* SPDX-License-Identifier: Apache-2.0 */

/* Loads the top level of a scenario: includes, variants, parameters, the
 * switch, and then the steps. */

#include <config.h>

#include "breakpoint/parser.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/digest.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "breakpoint/scenario.h"
#include "breakpoint/scenario_files.h"
#include "breakpoint/sets.h"
#include "breakpoint/steps.h"

#define VARIANTS_MAX 10000

/* The keys of a file; an included file may have all but the first three. */
struct top {
    const char *name;
    struct fy_node *about, *steps;
    struct fy_node *include, *params, *topology, *config, *parts, *matrix,
        *variants, *when;
};

static const struct map_key top_keys[] = {
    {"name", MAP_KEY_TEXT, false, offsetof(struct top, name), 0, 0, NULL},
    {"about", MAP_KEY_NODE, false, offsetof(struct top, about), 0, 0, NULL},
    {"include", MAP_KEY_NODE, false, offsetof(struct top, include), 0, 0, NULL},
    {"matrix", MAP_KEY_NODE, false, offsetof(struct top, matrix), 0, 0, NULL},
    {"variants", MAP_KEY_NODE, false, offsetof(struct top, variants), 0, 0,
     NULL},
    {"when", MAP_KEY_NODE, false, offsetof(struct top, when), 0, 0, NULL},
    {"params", MAP_KEY_NODE, false, offsetof(struct top, params), 0, 0, NULL},
    {"topology", MAP_KEY_NODE, false, offsetof(struct top, topology), 0, 0,
     NULL},
    {"config", MAP_KEY_NODE, false, offsetof(struct top, config), 0, 0, NULL},
    {"parts", MAP_KEY_NODE, false, offsetof(struct top, parts), 0, 0, NULL},
    {"steps", MAP_KEY_NODE, true, offsetof(struct top, steps), 0, 0, NULL},
};

/* The keys of an included file. */
static const struct map_key included_keys[] = {
    {"include", MAP_KEY_NODE, false, offsetof(struct top, include), 0, 0, NULL},
    {"matrix", MAP_KEY_NODE, false, offsetof(struct top, matrix), 0, 0, NULL},
    {"variants", MAP_KEY_NODE, false, offsetof(struct top, variants), 0, 0,
     NULL},
    {"params", MAP_KEY_NODE, false, offsetof(struct top, params), 0, 0, NULL},
    {"topology", MAP_KEY_NODE, false, offsetof(struct top, topology), 0, 0,
     NULL},
    {"config", MAP_KEY_NODE, false, offsetof(struct top, config), 0, 0, NULL},
    {"parts", MAP_KEY_NODE, false, offsetof(struct top, parts), 0, 0, NULL},
};

/* A scenario being loaded. */
struct load {
    struct step_loader steps_loader; /* First: its loader first. */
    struct arena *arena;
    struct document *document;
    struct values *values;
    struct scenario_files files;
    struct bench *bench;
    struct target *target;
    struct top top;
    struct fy_node *configs[DOCUMENT_FILES_MAX];
    size_t n_configs;
    struct sets sets;
};

/* --- Files --------------------------------------------------------------- */

static loader_item_fn take_include;

/* Adds the contents of an included file.  The including file is added later and
 * takes precedence. */
static enum st
take_top(struct load *load, const struct top *top)
{
    struct loader *loader = &load->steps_loader.loader;
    enum st st = ST_OK;

    if (top->include) {
        st = loader_each(loader, top->include, take_include, load);
    }
    if (!st && top->params) {
        st =
            values_define_map(load->values, top->params, "params", loader->err);
    }
    if (!st && top->parts && !fy_node_is_mapping(top->parts)) {
        st = document_fail(load->document, top->parts, loader->err,
                           "expected parts to be a map of names to lists");
    }
    if (!st && top->config) {
        load->configs[load->n_configs++] = top->config;
    }
    load->top.topology = top->topology ? top->topology : load->top.topology;
    load->top.matrix = top->matrix ? top->matrix : load->top.matrix;
    load->top.variants = top->variants ? top->variants : load->top.variants;
    if (top->parts) {
        *(struct fy_node **)list_add(&loader->parts, sizeof top->parts) =
            top->parts;
    }
    return st;
}

/* A loader_item_fn: reads an included file. */
static enum st
take_include(struct loader *loader, struct fy_node *node, void *context)
{
    struct load *load = context;
    struct top top = {0};
    const char *file = NULL;
    struct fy_node *root = NULL;
    uint64_t seen;
    enum st st =
        document_scalar(load->document, node, "include", &file, loader->err);

    st = st ? st
            : scenario_files_include(&load->files, node, file, &root,
                                     loader->err);
    st = st ? st
            : loader_map(loader, root, "an included file", included_keys,
                         N_MAP_KEYS(included_keys), &top, &seen);
    return st ? st : take_top(load, &top);
}

/* Reads the file, all files that it includes, and their parameters. */
static enum st
load_files(struct load *load, const struct parser_input *input)
{
    struct loader *loader = &load->steps_loader.loader;
    struct fy_node *root = NULL;
    struct top top = {0};
    uint64_t seen;
    enum st st = input->text
                     ? document_add(load->document, input->file, input->text,
                                    input->length, &root, loader->err)
                     : scenario_files_read(&load->files, input->file, &root,
                                           loader->err);

    load->files.closed = input->text != NULL;
    st = st ? st
            : loader_map(loader, root, "a scenario", top_keys,
                         N_MAP_KEYS(top_keys), &top, &seen);
    st = st ? st : take_top(load, &top);
    load->top.name = top.name;
    load->top.steps = top.steps;
    load->top.when = top.when;
    load->top.about = top.about;
    return st;
}

/* --- Variants ------------------------------------------------------------ */

/* Returns the 'i'-th pair of map 'node', or NULL if there is none. */
static struct fy_node_pair *
pair_at(struct fy_node *node, size_t i)
{
    return node ? fy_node_mapping_get_by_index(node, (int)i) : NULL;
}

/* Checks "matrix" and "variants", and counts the combinations. */
static enum st
count_variants(struct load *load, size_t *n)
{
    struct err *err = load->steps_loader.loader.err;
    struct fy_node *matrix = load->top.matrix, *sets = load->top.variants;
    struct fy_node_pair *pair;

    *n = 1;
    if (sets &&
        (!fy_node_is_mapping(sets) || fy_node_mapping_item_count(sets) < 1)) {
        return document_fail(load->document, sets, err,
                             "expected variants to be a map of names to "
                             "parameters");
    }
    if (sets) {
        *n = (size_t)fy_node_mapping_item_count(sets);
    }
    if (matrix && !fy_node_is_mapping(matrix)) {
        return document_fail(load->document, matrix, err,
                             "expected matrix to be a map of parameters to "
                             "lists");
    }
    for (size_t i = 0; (pair = pair_at(matrix, i)); i++) {
        struct fy_node *list = fy_node_pair_value(pair);

        if (!list || !fy_node_is_sequence(list) ||
            fy_node_sequence_item_count(list) < 1) {
            return document_fail(load->document, list, err,
                                 "expected a list of values");
        }
        *n *= (size_t)fy_node_sequence_item_count(list);
        if (*n > VARIANTS_MAX) {
            return document_fail(load->document, list, err,
                                 "more than %d variants", VARIANTS_MAX);
        }
    }
    return ST_OK;
}

/* Sets the parameters of variant number 'variant' and stores its name.  The
 * last list of the matrix changes fastest. */
static enum st
use_variant(struct load *load, size_t variant, const char **name)
{
    struct loader *loader = &load->steps_loader.loader;
    struct fy_node *matrix = load->top.matrix, *sets = load->top.variants;
    size_t i = matrix ? (size_t)fy_node_mapping_item_count(matrix) : 0;
    const char *part = "";
    enum st st = ST_OK;

    *name = "";
    while (!st && i--) {
        struct fy_node_pair *pair = pair_at(matrix, i);
        struct fy_node *list = fy_node_pair_value(pair), *item;
        size_t n = (size_t)fy_node_sequence_item_count(list);

        item = fy_node_sequence_get_by_index(list, (int)(variant % n));
        variant /= n;
        st = document_scalar(load->document, item, "a value", &part,
                             loader->err);
        st = st ? st
                : values_define(load->values, fy_node_pair_key(pair), item,
                                loader->err);
        *name = loader_format(loader, "%s%s%s", part, **name ? "," : "", *name);
    }
    if (!st && sets) {
        struct fy_node_pair *pair = pair_at(sets, variant);

        st = document_scalar(load->document, fy_node_pair_key(pair),
                             "the name of a variant", &part, loader->err);
        *name = loader_format(loader, "%s%s%s", part, **name ? "," : "", *name);
        if (!st && !fy_node_is_null(fy_node_pair_value(pair))) {
            st = values_define_map(load->values, fy_node_pair_value(pair), part,
                                   loader->err);
        }
    }
    return st;
}

/* --- Switch -------------------------------------------------------------- */

/* Reports a row whose state is not the expected one. */
static enum st
fail_row(const struct config_row *row, const struct target_answer *answer,
         struct err *err)
{
    const char *expected = row->expected ? row->expected : "applied";

    return err_set(err, ST_INVALID, "scenario",
                   "%s:%u:%u: %s: expected %s, but it is %s%s%s%s%s",
                   row->place.file, row->place.line, row->place.column,
                   row->row.key, expected, answer->state,
                   *answer->code ? " (" : "", answer->code,
                   *answer->code ? "): " : "", answer->reason);
}

/* Writes all rows to the switch and checks their states. */
static enum st
configure(struct load *load, const struct config_row *rows, size_t n)
{
    struct err *err = load->steps_loader.loader.err;
    struct target_row *list = arena_alloc(load->arena, n + 1, sizeof *list);
    struct target_answer *answers =
        arena_alloc(load->arena, n + 1, sizeof *answers);
    enum st st;

    for (size_t i = 0; i < n; i++) {
        list[i] = rows[i].row;
    }
    st = load->target->ops->configure(load->target, list, n, load->arena,
                                      answers, err);
    for (size_t i = 0; !st && i < n; i++) {
        if (!scenario_answer_is(&answers[i], rows[i].expected)) {
            st = fail_row(&rows[i], &answers[i], err);
        }
    }
    return st;
}

/* Adds the position of 'node' to an error of the bench if the scenario caused
 * it, the one of the caller's values if it is about keys of the chip. */
static enum st
fail_bench(struct load *load, struct fy_node *node, enum st st)
{
    struct err *err = load->steps_loader.loader.err;
    struct err cause = *err;

    if (st != ST_INVALID || !strcmp(cause.code, "scenario")) {
        return st;
    }
    if (!strncmp(cause.reason, BENCH_CHIP_KEYS ":",
                 strlen(BENCH_CHIP_KEYS ":"))) {
        const char *rest = strchr(cause.reason, ' ');

        (void)err_set(err, ST_INVALID, "scenario", SETS_FILE ":%s",
                      rest ? rest : "");
        err_set_field(err, cause.field, cause.value, cause.allowed);
        err_set_remedy(err, "%s", cause.remedy);
        return ST_INVALID;
    }
    return document_fail(load->document, node, err, "%s%s%s", cause.reason,
                         *cause.allowed ? "; there are " : "", cause.allowed);
}

/* Reads topology and configuration, opens the switch and configures it. */
static enum st
load_switch(struct load *load)
{
    struct loader *loader = &load->steps_loader.loader;
    struct topology *topology = &load->steps_loader.topology;
    const struct config_row *rows = NULL;
    size_t n = 0;
    enum st st = topology_chip(loader, load->top.topology, topology);

    if (!st && load->bench) {
        load->bench->chip_keys = load->sets.chip;
        load->bench->fcs = topology->fcs;
        st = load->bench->ops->open(load->bench, topology->chip, &load->target,
                                    loader->err);
        st = st ? fail_bench(load, load->top.topology, st) : ST_OK;
        values_know_chip(load->values);
    }
    st = st ? st
            : topology_rows(loader, topology, load->bench,
                            &load->steps_loader.rows);
    for (size_t i = 0; !st && i < load->n_configs; i++) {
        st = config_rows_load(loader, &load->steps_loader.rows,
                              load->configs[i]);
    }
    st = st ? st
            : sets_apply_rows(loader, &load->sets, &load->steps_loader.rows,
                              load->bench);
    if (!st) {
        config_rows_changes(loader, &load->steps_loader.rows, &rows, &n);
    }
    if (!st && load->bench && !load->bench->keeps_configuration) {
        st = configure(load, rows, n);
        st = st ? fail_bench(load, load->top.topology, st) : ST_OK;
    }
    if (load->bench && load->bench->keeps_configuration) {
        config_rows_forget(&load->steps_loader.rows);
    }
    values_know_rows(load->values);
    return st;
}

/* --- All of it ----------------------------------------------------------- */

/* Returns the base name of 'file': "xoff" for "examples/xoff.yaml". */
static const char *
base_name(struct arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');

    return dot && dot != base ? arena_strndup(arena, base, (size_t)(dot - base))
                              : arena_strdup(arena, base);
}

/* Fills 'scenario' from 'load'. */
static void
take_scenario(struct load *load, const char *variant, struct scenario *scenario)
{
    struct loader *loader = &load->steps_loader.loader;
    const char *name = load->top.name ? load->top.name : scenario->name;

    scenario->name =
        *variant ? loader_format(loader, "%s[%s]", name, variant) : name;
    scenario->n_steps = load->steps_loader.steps.n;
    scenario->steps =
        list_take(&load->steps_loader.steps, sizeof(struct step), load->arena);
    scenario->n_objects = loader->objects.n;
    scenario->objects =
        list_take(&loader->objects, sizeof(struct target_object), load->arena);
    scenario->n_rx_ports = loader->rx_ports.n;
    scenario->rx_ports =
        list_take(&loader->rx_ports, sizeof(struct rx_port), load->arena);
    scenario->target = load->target;
}

/* Puts the values of 'input' into the scenario and their names into '*name'. */
static enum st
use_sets(struct load *load, const struct parser_input *input, const char **name)
{
    struct loader *loader = &load->steps_loader.loader;
    const struct sets_places places = {
        load->top.matrix, load->top.topology,
        load->n_configs ? load->configs[load->n_configs - 1] : NULL,
        load->top.steps, load->bench && load->bench->keeps_configuration};
    enum st st = sets_read(loader, input, &load->sets);

    st = st ? st : sets_apply(loader, &load->sets, &places);
    if (!st && *load->sets.label) {
        *name = loader_format(loader, "%s%s%s", *name, **name ? "," : "",
                              load->sets.label);
    }
    return st;
}

/* Loads one variant into 'scenario'. */
static enum st
load_scenario(struct load *load, const struct parser_input *input,
              size_t variant, struct scenario *scenario)
{
    struct loader *loader = &load->steps_loader.loader;
    const char *name = "";
    int64_t holds = 1;
    size_t n = 1;
    enum st st = load_files(load, input);

    st = st ? st : count_variants(load, &n);
    if (!st && variant >= n) {
        st = err_set(
            loader->err, ST_NOT_FOUND, "variant",
            "%s has %zu variants, numbered from 0; there is no variant %zu",
            input->file, n, variant);
    }
    st = st ? st : use_variant(load, variant, &name);
    st = st ? st : use_sets(load, input, &name);
    if (!st && load->top.when) {
        st = values_number(load->values, load->top.when, "when", INT64_MIN,
                           INT64_MAX, &holds, loader->err);
    }
    if (!st && !holds) {
        scenario->skipped = "its condition does not hold";
    } else if (!st) {
        st = load_switch(load);
        if (st == ST_UNSUPPORTED &&
            !strcmp(loader->err->code, BENCH_OTHER_CHIP)) {
            scenario->skipped = arena_strdup(load->arena, loader->err->reason);
            memset(loader->err, 0, sizeof *loader->err);
            st = ST_OK;
        }
    }
    if (!st && !scenario->skipped) {
        st = values_check(load->values, loader->err);
        st = st ? st : steps_load(&load->steps_loader, load->top.steps);
        if (!st && load->top.about) {
            st =
                loader_text(loader, load->top.about, "about", &scenario->about);
        }
    }
    take_scenario(load, name, scenario);
    return st;
}

/* Prepares to load into 'arena'. */
static void
load_init(struct load *load, struct arena *arena, struct bench *bench,
          struct err *err)
{
    struct loader *loader = &load->steps_loader.loader;

    memset(load, 0, sizeof *load);
    load->arena = arena;
    load->document = document_create(arena);
    load->values = values_create(load->document, arena, bench);
    load->files.document = load->document;
    load->bench = bench;
    loader->document = load->document;
    loader->values = load->values;
    loader->files = &load->files;
    loader->arena = arena;
    loader->err = err;
    loader->is_whole = bench != NULL;
}

static void
load_fini(struct load *load)
{
    list_fini(&load->steps_loader.steps);
    config_rows_fini(&load->steps_loader.rows);
    topology_fini(&load->steps_loader.topology);
    loader_fini(&load->steps_loader.loader);
    values_destroy(load->values);
    document_destroy(load->document);
}

/* Does what parser_load() says, without looking for the value that is wrong. */
static enum st
load_once(const struct parser_input *input, size_t variant, struct bench *bench,
          struct scenario **scenario, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct scenario *made = arena_alloc(arena, 1, sizeof *made);
    struct load load;
    enum st st;

    load_init(&load, arena, bench, err);
    document_use_cache(load.document, input->cache);
    made->arena = arena;
    made->file = arena_strdup(arena, input->file);
    made->name = base_name(arena, input->file);
    st = load_scenario(&load, input, variant, made);
    load_fini(&load);
    if (st) {
        arena_destroy(arena);
        return st;
    }
    *scenario = made;
    return ST_OK;
}

/* Explains a failure to load 'input' by the first of its values with which it
 * fails, unless it fails without any. */
static enum st
blame_set(const struct parser_input *input, size_t variant, struct bench *bench,
          struct err *err)
{
    const size_t length = strlen(SETS_FILE ":");
    struct parser_input part = *input;
    struct err cause = {0};
    const char *reason;

    for (part.n_sets = 0; part.n_sets <= input->n_sets; part.n_sets++) {
        struct scenario *scenario = NULL;

        if (load_once(&part, variant, bench, &scenario, &cause)) {
            break;
        }
        scenario_destroy(scenario);
    }
    if (part.n_sets > input->n_sets) {
        /* It loads now: what failed was not the scenario. */
        return err->status;
    }
    *err = cause;
    if (!part.n_sets) {
        return cause.status;
    }
    reason = cause.reason;
    if (!strncmp(reason, SETS_FILE ":", length)) {
        reason += length + strspn(reason + length, ":0123456789");
        reason += *reason == ' ';
    }
    (void)text_format(err->reason, sizeof err->reason, "--param %s=%s: %s",
                      part.sets[part.n_sets - 1].name,
                      part.sets[part.n_sets - 1].value, reason);
    return cause.status;
}

enum st
parser_load(const struct parser_input *input, size_t variant,
            struct bench *bench, struct scenario **scenario, struct err *err)
{
    const enum st st = load_once(input, variant, bench, scenario, err);

    return st == ST_INVALID && input->n_sets
               ? blame_set(input, variant, bench, err)
               : st;
}

struct document_cache *
parser_cache_create(void)
{
    return document_cache_create();
}

void
parser_cache_destroy(struct document_cache *cache)
{
    document_cache_destroy(cache);
}

/* A loader_item_fn: reads the file that an item of a configuration names. */
static enum st
read_config(struct loader *loader, struct fy_node *node, void *context)
{
    struct load *load = context;
    struct fy_node *root = NULL;
    const char *file = NULL;
    enum st st;

    if (!node || !fy_node_is_scalar(node)) {
        return ST_OK;
    }
    st = document_scalar(load->document, node, "config", &file, loader->err);
    return st || strchr(file, '$')
               ? st
               : scenario_files_include(&load->files, node, file, &root,
                                        loader->err);
}

enum st
parser_digest(const struct parser_input *input, uint64_t *digest,
              struct err *err)
{
    struct arena *arena = arena_create(0);
    struct load load;
    enum st st;

    load_init(&load, arena, NULL, err);
    document_use_cache(load.document, input->cache);
    st = load_files(&load, input);
    for (size_t i = 0; !st && i < load.n_configs; i++) {
        st = loader_each(&load.steps_loader.loader, load.configs[i],
                         read_config, &load);
    }
    if (!st) {
        *digest = document_digest(load.document, DIGEST_START);
    }
    load_fini(&load);
    arena_destroy(arena);
    return st;
}

enum st
parser_variants(const struct parser_input *input, struct arena *arena,
                const char *const **names, size_t *n, struct err *err)
{
    const char **list = NULL;
    struct load load;
    enum st st;

    load_init(&load, arena, NULL, err);
    document_use_cache(load.document, input->cache);
    st = load_files(&load, input);
    st = st ? st : count_variants(&load, n);
    if (!st) {
        list = arena_alloc(arena, *n, sizeof *list);
    }
    for (size_t i = 0; !st && i < *n; i++) {
        st = use_variant(&load, i, &list[i]);
    }
    *names = list;
    load_fini(&load);
    return st;
}
