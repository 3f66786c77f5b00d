/* SPDX-License-Identifier: Apache-2.0 */

/* A bench that makes a switch for each scenario. */

#include <config.h>

#include "orchd/rehearse/rehearse.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/bench.h"
#include "orchd/agent.h"
#include "orchd/intent/schema.h"
#include "orchd/local/local.h"
#include "orchd/rehearse/stand.h"
#include "twin/chip/chip.h"
#include "twin/chip/facts.h"
#include "vendors/softasic/softasic.h"

struct rehearse {
    struct bench bench; /* First: what callers hold. */
    struct rehearse_options options;
    struct schema *schema;
    struct observer observer; /* Of the flow under way. */
    struct stand stand;
    struct chip *chip; /* NULL: not known. */
    struct text fact;  /* The last one. */
};

static struct rehearse *
rehearse_of(struct bench *bench)
{
    return (struct rehearse *)(void *)bench;
}

/* Ends the scenario before. */
static void
clear(struct rehearse *rehearse)
{
    stand_fini(&rehearse->stand);
    chip_destroy(rehearse->chip);
    rehearse->chip = NULL;
}

static enum st
rehearse_open(struct bench *bench, const char *model, struct target **target,
              struct err *err)
{
    struct rehearse *rehearse = rehearse_of(bench);
    struct stand *stand = &rehearse->stand;
    const struct loader_pair profile[] = {
        {"SOFTASIC_MODEL_DIR", rehearse->options.chips},
        {"SOFTASIC_MODEL", model},
    };
    const struct local_options options = {
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
        st = chip_load(rehearse->options.chips, model, &rehearse->chip, err);
        /* A model that is not there is the author's mistake. */
        st = st == ST_NOT_FOUND ? (err->status = ST_INVALID) : st;
    }
    rehearse->observer = answers_observer(&stand->answers);
    stand->sai = rehearse->options.sai;
    stand_init(stand);
    st = st ? st : local_create(&options, &stand->local, err);
    if (!st) {
        *target = &stand->rig.target;
    }
    return st;
}

static enum st
rehearse_chip_fact(struct bench *bench, const char *name, const char **text,
                   struct err *err)
{
    struct rehearse *rehearse = rehearse_of(bench);
    enum st st = ST_OK;

    if (!rehearse->chip && rehearse->stand.rig.facts) {
        st = local_chip(rehearse->stand.local, &rehearse->chip, err);
    } else if (!rehearse->chip) {
        st = err_set(err, ST_NOT_FOUND, "no-chip",
                     "which chip this is follows from the configuration; name "
                     "it in topology to know it before");
    }
    text_clear(&rehearse->fact);
    st = st ? st : chip_fact_get(rehearse->chip, name, &rehearse->fact, err);
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
rehearse_row_field(struct bench *bench, const char *key, const char *field,
                   const char **text, struct err *err)
{
    struct rehearse *rehearse = rehearse_of(bench);
    const char *bar = strchr(key, '|');
    const struct row *row;
    enum table table;

    if (!bar || !table_find(key, (size_t)(bar - key), &table)) {
        return err_set(err, ST_NOT_FOUND, "no-table",
                       "'%s' is no row TABLE|key of a table that orchd knows",
                       key);
    }
    row = agent_row(local_agent(rehearse->stand.local), table, bar + 1);
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
rehearse_packets(struct bench *bench)
{
    const struct rig *rig = &rehearse_of(bench)->stand.rig;
    struct sum sum = {rig->softasic, 0};

    if (rig->softasic) {
        agent_each_object(rig->agent, add_packets, &sum);
    }
    return sum.n;
}

enum st
rehearse_create(const struct rehearse_options *options, struct bench **bench,
                struct err *err)
{
    static const struct bench_ops ops = {rehearse_open, rehearse_chip_fact,
                                         rehearse_row_field, rehearse_packets};
    struct rehearse *made;
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
rehearse_destroy(struct bench *bench)
{
    struct rehearse *rehearse = bench ? rehearse_of(bench) : NULL;

    if (rehearse) {
        clear(rehearse);
        schema_destroy(rehearse->schema);
        text_fini(&rehearse->fact);
        free(rehearse);
    }
}
