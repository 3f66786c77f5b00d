/* SPDX-License-Identifier: Apache-2.0 */

/* A bench that creates a switch for each scenario. */

#include <config.h>

#include "offline/offline_bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "offline/offline_target.h"
#include "offline/pipeline.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/intent/schema.h"
#include "orchd/reconcile/agent.h"
#include "twin/chip/chip_parameters.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/softasic.h"

struct offline_bench {
    struct bench bench; /* First: what callers hold. */
    struct offline_bench_options options;
    struct schema *schema;
    struct listener listener; /* Of the current pipeline. */
    struct offline_target current;
    struct chip *named; /* The chip that the last scenario with one has asked
                         * for; kept, as the next one often asks for it too. */
    struct text asked;  /* By this name; of the file, not in it. */
    struct chip *own;   /* Varied, or found by the configuration. */
    const struct chip *chip; /* One of them; NULL: not known. */
    struct text fact;        /* The latest one returned. */
};

static struct offline_bench *
offline_bench_of(struct bench *bench)
{
    return (struct offline_bench *)(void *)bench;
}

/* Destroys the switch of the previous scenario. */
static void
clear(struct offline_bench *offline)
{
    offline_target_fini(&offline->current);
    chip_file_destroy(offline->own);
    offline->own = NULL;
    offline->chip = NULL;
}

/* Loads chip 'model', unless it is there already. */
static enum st
load_chip(struct offline_bench *offline, const char *model, struct err *err)
{
    enum st st = ST_OK;

    if (!offline->named || strcmp(text_string(&offline->asked), model) != 0) {
        chip_file_destroy(offline->named);
        offline->named = NULL;
        text_clear(&offline->asked);
        text_add(&offline->asked, model);
        st =
            chip_file_load(offline->options.chips, model, &offline->named, err);
    }
    offline->chip = offline->named;
    /* An unknown chip is a mistake of the scenario's author. */
    return st == ST_NOT_FOUND ? (err->status = ST_INVALID) : st;
}

/* Replaces keys of the chip. */
static enum st
vary_chip(struct offline_bench *offline, struct err *err)
{
    enum st st;

    if (!offline->chip) {
        return err_set(err, ST_INVALID, "no-chip",
                       "the scenario names no chip whose keys could change");
    }
    st = chip_file_vary(offline->chip, offline->bench.chip_keys,
                        BENCH_CHIP_KEYS, &offline->own, err);
    if (!st) {
        offline->chip = offline->own;
    }
    return st;
}

static enum st
dry_run_open(struct bench *bench, const char *model, struct target **target,
             struct err *err)
{
    struct offline_bench *offline = offline_bench_of(bench);
    struct offline_target *current = &offline->current;
    /* An empty value means the default. */
    const struct loader_pair profile[] = {
        {"SOFTASIC_MODEL_DIR", offline->options.chips},
        {"SOFTASIC_FCS", bench->fcs ? bench->fcs : ""},
        {"SOFTASIC_MODEL", model},
        {"SOFTASIC_MODEL_SET", bench->chip_keys},
    };
    const struct pipeline_options options = {
        .yang_dir = offline->options.yang_dir,
        .sai = offline->options.sai,
        .profile = profile,
        .n_profile = !model             ? 2
                     : bench->chip_keys ? 4
                                        : 3,
        .schema = offline->schema,
        .listener = &offline->listener,
        .strict = offline->options.strict,
    };
    struct dynamic_state_chip parameters = {0};
    enum st st = ST_OK;

    clear(offline);
    if (model) {
        st = load_chip(offline, model, err);
    }
    if (!st && bench->chip_keys) {
        st = vary_chip(offline, err);
    }
    offline->listener = row_log_listener(&current->answers);
    current->sai = offline->options.sai;
    current->sink = bench->trace ? &bench->trace : NULL;
    offline_target_init(current);
    st = st ? st : pipeline_create(&options, &current->pipeline, err);
    if (!st && offline->options.configure) {
        st = offline->options.configure(offline->options.context,
                                        pipeline_agent(current->pipeline),
                                        &parameters, err);
        pipeline_set_parameters(current->pipeline, &parameters);
    }
    if (!st) {
        *target = &current->testbench.target;
    }
    return st;
}

static enum st
dry_run_chip_fact(struct bench *bench, const char *name, const char **text,
                  struct err *err)
{
    struct offline_bench *offline = offline_bench_of(bench);
    enum st st = ST_OK;

    if (!offline->chip && offline->current.testbench.query) {
        st = pipeline_chip(offline->current.pipeline, &offline->own, err);
        offline->chip = offline->own;
    } else if (!offline->chip) {
        st = err_set(err, ST_NOT_FOUND, "no-chip",
                     "the configuration decides which chip this is; name the "
                     "chip in topology to know it before");
    }
    text_clear(&offline->fact);
    st = st ? st : chip_parameter_get(offline->chip, name, &offline->fact, err);
    if (!st) {
        *text = text_string(&offline->fact);
    }
    return st;
}

/* Reports that a row has no such field, and lists those that it has. */
static enum st
fail_no_field(const struct row *row, const char *key, const char *field,
              struct err *err)
{
    struct choices choices;

    choices_init(&choices, field);
    for (size_t i = 0; i < row->n_fields; i++) {
        choices_add(&choices, row->fields[i].name);
    }
    err_set(err, ST_NOT_FOUND, "no-field", "%s has no field '%s'", key, field);
    (void)choices_explain(&choices, field, err);
    return ST_NOT_FOUND;
}

static enum st
dry_run_row_field(struct bench *bench, const char *key, const char *field,
                  const char **text, struct err *err)
{
    struct offline_bench *offline = offline_bench_of(bench);
    const char *bar = strchr(key, '|');
    const struct row *row;
    enum table table;

    if (!bar || !table_find(key, (size_t)(bar - key), &table)) {
        return err_set(
            err, ST_NOT_FOUND, "no-table",
            "'%s' is not a row TABLE|key of a table that orchd knows", key);
    }
    row = agent_row(pipeline_agent(offline->current.pipeline), table, bar + 1);
    if (!row) {
        return err_set(err, ST_NOT_FOUND, "no-row", "there is no row %s", key);
    }
    *text = row_field(row, field);
    return *text ? ST_OK : fail_no_field(row, key, field, err);
}

static enum st
dry_run_check_field(struct bench *bench, const char *key, const char *field,
                    struct err *err)
{
    const char *bar = strchr(key, '|');
    enum table table;

    return bar && table_find(key, (size_t)(bar - key), &table)
               ? schema_check_name(offline_bench_of(bench)->schema, table,
                                   field, err)
               : ST_OK;
}

/* The sum of packets over all ports. */
struct sum {
    const struct softasic_ops *softasic;
    uint64_t n;
};

/* Adds the packets of 'object' if it is an existing port. */
static void
add_packets(void *context, const struct object *object)
{
    struct sum *sum = context;
    struct softasic_port_state state;

    if (object->name.table == TABLE_PORT &&
        sum->softasic->port_state(object->oid, &state) == SAI_STATUS_SUCCESS) {
        sum->n += state.n_rx_frames;
    }
}

static uint64_t
dry_run_packets(struct bench *bench)
{
    const struct testbench *testbench =
        &offline_bench_of(bench)->current.testbench;
    struct sum sum = {testbench->softasic, 0};

    if (testbench->softasic) {
        agent_each_object(testbench->agent, add_packets, &sum);
    }
    return sum.n;
}

static int64_t
dry_run_now_ps(struct bench *bench)
{
    const struct testbench *testbench =
        &offline_bench_of(bench)->current.testbench;
    int64_t now_ps = 0;

    return testbench->softasic &&
                   testbench->softasic->now(&now_ps) == SAI_STATUS_SUCCESS
               ? now_ps
               : 0;
}

enum st
offline_bench_create(const struct offline_bench_options *options,
                     struct bench **bench, struct err *err)
{
    static const struct bench_ops ops = {dry_run_open,      dry_run_chip_fact,
                                         dry_run_row_field, dry_run_check_field,
                                         dry_run_packets,   dry_run_now_ps};
    struct offline_bench *made;
    struct schema *schema;
    enum st st = schema_create(options->yang_dir, &schema, err);

    if (st) {
        return st;
    }
    made = check_calloc(1, sizeof *made);
    made->bench.ops = &ops;
    made->options = *options;
    made->schema = schema;
    *bench = &made->bench;
    return ST_OK;
}

void
offline_bench_destroy(struct bench *bench)
{
    struct offline_bench *offline = bench ? offline_bench_of(bench) : NULL;

    if (offline) {
        clear(offline);
        chip_file_destroy(offline->named);
        schema_destroy(offline->schema);
        text_fini(&offline->asked);
        text_fini(&offline->fact);
        free(offline);
    }
}
