/* SPDX-License-Identifier: Apache-2.0 */

/* A bench that makes a switch for each scenario. */

#include <config.h>

#include "offline/dry_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "offline/dry_run_bench.h"
#include "offline/pipeline.h"
#include "orchd/intent/schema.h"
#include "orchd/reconcile/agent.h"
#include "twin/chip/chip_parameters.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/softasic.h"

struct dry_run {
    struct bench bench; /* First: what callers hold. */
    struct dry_run_options options;
    struct schema *schema;
    struct listener observer; /* Of the flow under way. */
    struct dry_run_bench stand;
    struct chip *chip; /* NULL: not known. */
    struct text fact;  /* The last one. */
};

static struct dry_run *
dry_run_of(struct bench *bench)
{
    return (struct dry_run *)(void *)bench;
}

/* Ends the scenario before. */
static void
clear(struct dry_run *rehearse)
{
    dry_run_bench_fini(&rehearse->stand);
    chip_file_destroy(rehearse->chip);
    rehearse->chip = NULL;
}

static enum st
dry_run_open(struct bench *bench, const char *model, struct target **target,
             struct err *err)
{
    struct dry_run *rehearse = dry_run_of(bench);
    struct dry_run_bench *stand = &rehearse->stand;
    const struct loader_pair profile[] = {
        {"SOFTASIC_MODEL_DIR", rehearse->options.chips},
        {"SOFTASIC_MODEL", model},
    };
    const struct pipeline_options options = {
        .yang_dir = rehearse->options.yang_dir,
        .sai = rehearse->options.sai,
        .profile = profile,
        .n_profile = model ? 2 : 1,
        .schema = rehearse->schema,
        .observer = &rehearse->observer,
    };
    enum st st = ST_OK;

    clear(rehearse);
    if (model) {
        st = chip_file_load(rehearse->options.chips, model, &rehearse->chip,
                            err);
        /* A model that is not there is the author's mistake. */
        st = st == ST_NOT_FOUND ? (err->status = ST_INVALID) : st;
    }
    rehearse->observer = row_log_observer(&stand->answers);
    stand->sai = rehearse->options.sai;
    dry_run_bench_init(stand);
    st = st ? st : pipeline_create(&options, &stand->local, err);
    if (!st) {
        *target = &stand->rig.target;
    }
    return st;
}

static enum st
dry_run_chip_fact(struct bench *bench, const char *name, const char **text,
                  struct err *err)
{
    struct dry_run *rehearse = dry_run_of(bench);
    enum st st = ST_OK;

    if (!rehearse->chip && rehearse->stand.rig.facts) {
        st = pipeline_chip(rehearse->stand.local, &rehearse->chip, err);
    } else if (!rehearse->chip) {
        st = err_set(err, ST_NOT_FOUND, "no-chip",
                     "which chip this is follows from the configuration; name "
                     "it in topology to know it before");
    }
    text_clear(&rehearse->fact);
    st = st ? st
            : chip_parameter_get(rehearse->chip, name, &rehearse->fact, err);
    if (!st) {
        *text = text_string(&rehearse->fact);
    }
    return st;
}

/* Says that a row has no such field, and what it has. */
static enum st
fail_no_field(const struct row *row, const char *key, const char *field,
              struct err *err)
{
    struct text names = {0};
    enum st st = err_set(err, ST_NOT_FOUND, "no-field", "%s has no field '%s'",
                         key, field);

    for (size_t i = 0; i < row->n_fields; i++) {
        text_add_item(&names, ", ", row->fields[i].name);
    }
    err_set_field(err, field, NULL, text_string(&names));
    text_fini(&names);
    return st;
}

static enum st
dry_run_row_field(struct bench *bench, const char *key, const char *field,
                  const char **text, struct err *err)
{
    struct dry_run *rehearse = dry_run_of(bench);
    const char *bar = strchr(key, '|');
    const struct row *row;
    enum table table;

    if (!bar || !table_find(key, (size_t)(bar - key), &table)) {
        return err_set(err, ST_NOT_FOUND, "no-table",
                       "'%s' is no row TABLE|key of a table that orchd knows",
                       key);
    }
    row = agent_row(pipeline_agent(rehearse->stand.local), table, bar + 1);
    if (!row) {
        return err_set(err, ST_NOT_FOUND, "no-row", "there is no row %s", key);
    }
    *text = row_field(row, field);
    return *text ? ST_OK : fail_no_field(row, key, field, err);
}

/* Packets of all ports, as they are added up. */
struct sum {
    const struct softasic_ops *softasic;
    uint64_t n;
};

/* Adds those of 'object' if it is a port that is there. */
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
    const struct testbench *rig = &dry_run_of(bench)->stand.rig;
    struct sum sum = {rig->softasic, 0};

    if (rig->softasic) {
        agent_each_object(rig->agent, add_packets, &sum);
    }
    return sum.n;
}

enum st
dry_run_create(const struct dry_run_options *options, struct bench **bench,
               struct err *err)
{
    static const struct bench_ops ops = {dry_run_open, dry_run_chip_fact,
                                         dry_run_row_field, dry_run_packets};
    struct dry_run *made;
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
dry_run_destroy(struct bench *bench)
{
    struct dry_run *rehearse = bench ? dry_run_of(bench) : NULL;

    if (rehearse) {
        clear(rehearse);
        schema_destroy(rehearse->schema);
        text_fini(&rehearse->fact);
        free(rehearse);
    }
}
