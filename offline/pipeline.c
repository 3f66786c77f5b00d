/* SPDX-License-Identifier: Apache-2.0 */

/* Replaces the parts of the daemon around the agent by the simplest ones: rows
 * come from a document instead of Redis, answers are not published, and time
 * stands still until the agent is idle.  The agent is the same, so its
 * decisions are those of the daemon. */

#include <config.h>

#include "offline/pipeline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/intent/schema.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/llr_capability.h"
#include "orchd/switch/switch_create.h"
#include "orchd/switch/switch_identity.h"
#include "orchd/switch/switch_voq.h"
#include "sai/stack/adoption.h"
#include "sai/stack/chain.h"
#include "sai/stack/journal.h"
#include "twin/chip/chip.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/softasic.h"

struct pipeline {
    struct schema *schema;
    bool owns_schema;
    struct timeline *timeline;
    struct agent *agent;
    const struct listener *listener;
    bool strict;
    int64_t now_ns; /* Advances only to wait for a timer. */

    /* To create the switch. */
    struct loader_options options;
    struct arena *arena; /* Owns the texts of 'options'. */

    /* The switch and the backends in front of it; NULL before
     * pipeline_start(). */
    struct loader *loader;
    struct adoption *adoption; /* NULL before a restart. */
    struct chain *chain;
    struct journal *journal;
    struct switch_identity identity;
    struct dynamic_state_chip parameters; /* Instead of those of the chip. */
};

/* A listener without callbacks. */
static const struct listener no_listener = {.context = NULL};

/* The clock of the chain, which shows virtual time. */
static int64_t
pipeline_now(void *context)
{
    const struct pipeline *pipeline = context;

    return pipeline->now_ns;
}

static void
pipeline_stamp(void *context, char *buffer)
{
    (void)context;
    text_copy(buffer, sizeof "0", "0");
}

static void
pipeline_sleep(void *context, int64_t ns)
{
    struct pipeline *pipeline = context;

    pipeline->now_ns += ns;
}

static void
copy_options(struct pipeline *pipeline, const struct pipeline_options *options)
{
    struct loader_pair *pairs;

    pipeline->arena = arena_create(0);
    pairs = arena_alloc(pipeline->arena, options->n_profile + 1, sizeof *pairs);
    for (size_t i = 0; i < options->n_profile; i++) {
        pairs[i].key = arena_strdup(pipeline->arena, options->profile[i].key);
        pairs[i].value =
            arena_strdup(pipeline->arena, options->profile[i].value);
    }
    pipeline->options = (struct loader_options){
        .path =
            options->sai ? arena_strdup(pipeline->arena, options->sai) : NULL,
        .profile = pairs,
        .n_profile = options->n_profile};
}

enum st
pipeline_create(const struct pipeline_options *options,
                struct pipeline **pipeline, struct err *err)
{
    struct pipeline *made;
    struct schema *schema = options->schema;
    enum st status =
        schema ? ST_OK : schema_create(options->yang_dir, &schema, err);

    if (status) {
        return status;
    }
    made = check_calloc(1, sizeof *made);
    made->schema = schema;
    made->owns_schema = !options->schema;
    made->timeline = timeline_create();
    made->listener = options->listener ? options->listener : &no_listener;
    made->strict = options->strict;
    made->agent =
        agent_create(schema, made->timeline, made->listener, made->strict);
    copy_options(made, options);
    *pipeline = made;
    return ST_OK;
}

void
pipeline_destroy(struct pipeline *pipeline)
{
    if (!pipeline) {
        return;
    }
    agent_destroy(pipeline->agent);
    journal_destroy(pipeline->journal);
    chain_destroy(pipeline->chain);
    adoption_destroy(pipeline->adoption);
    loader_close(pipeline->loader);
    timeline_destroy(pipeline->timeline);
    if (pipeline->owns_schema) {
        schema_destroy(pipeline->schema);
    }
    arena_destroy(pipeline->arena);
    free(pipeline);
}

struct agent *
pipeline_agent(struct pipeline *pipeline)
{
    return pipeline->agent;
}

bool
pipeline_put_row(struct pipeline *pipeline, const struct field_row *row)
{
    struct intent *intent = agent_intent(pipeline->agent);
    const char *bar = strchr(row->key, '|');
    enum table table;

    if (!bar || !table_find(row->key, (size_t)(bar - row->key), &table)) {
        return false;
    }
    if (row->fields) {
        intent_put(intent, table, bar + 1, row->fields, row->n_fields,
                   pipeline->now_ns);
    } else {
        intent_remove(intent, table, bar + 1, pipeline->now_ns);
    }
    return true;
}

size_t
pipeline_set_rows(struct pipeline *pipeline, const struct field_row *rows,
                  size_t n)
{
    struct intent *intent = agent_intent(pipeline->agent);
    size_t n_unknown = 0;

    intent_resync_begin(intent);
    for (size_t i = 0; i < n; i++) {
        n_unknown += !pipeline_put_row(pipeline, &rows[i]);
    }
    intent_resync_end(intent, pipeline->now_ns);
    return n_unknown;
}

void
pipeline_set_parameters(struct pipeline *pipeline,
                        const struct dynamic_state_chip *parameters)
{
    pipeline->parameters = *parameters;
}

/* Returns the hwsku that the rows name, or NULL. */
static const char *
find_hwsku(const struct pipeline *pipeline)
{
    const struct row *row = intent_get(agent_intent(pipeline->agent),
                                       TABLE_DEVICE_METADATA, "localhost");

    return row && row->present ? row_field(row, "hwsku") : NULL;
}

/* Passes the parameters of 'chip' to the agent. */
static void
use_parameters(struct pipeline *pipeline, const struct chip *chip)
{
    struct dynamic_state_chip parameters;

    switch_create_parameters(chip, &parameters);
    agent_set_chip(pipeline->agent, pipeline->parameters.known
                                        ? &pipeline->parameters
                                        : &parameters);
    agent_set_pools_reserve(pipeline->agent, chip->pools_reserve);
    agent_set_trimming(pipeline->agent, &chip->trimming);
}

/* Finds the chip of the library's switch.  Without a chip file the rows that
 * need it report an error. */
static void
use_chip(struct pipeline *pipeline)
{
    struct chip *chip;
    struct err err;

    if (pipeline_chip(pipeline, &chip, &err) == ST_OK) {
        use_parameters(pipeline, chip);
        switch_identity_find(&pipeline->options, pipeline->loader,
                             find_hwsku(pipeline), chip, &pipeline->identity);
        agent_set_chip_warning(pipeline->agent, pipeline->identity.warning);
        chip_file_destroy(chip);
    }
}

/* Attaches the agent to the switch behind 'backend'. */
static enum st
attach(struct pipeline *pipeline, struct sai_backend *backend, struct err *err)
{
    static const struct recorder_options no_record = {0};
    const struct chain_system system = {
        .clock = {.now_ns = pipeline_now,
                  .stamp = pipeline_stamp,
                  .context = pipeline},
        .sleep = pipeline_sleep,
    };

    pipeline->chain = chain_create(backend, &system, &no_record);
    pipeline->journal = journal_create(chain_backend(pipeline->chain));
    if (pipeline->loader) {
        struct llr_capability llr;

        use_chip(pipeline);
        llr_capability_read(pipeline->loader, &llr);
        agent_set_lacks_llr(pipeline->agent, llr.lacking);
    }
    return agent_attach(pipeline->agent, journal_backend(pipeline->journal),
                        err);
}

enum st
pipeline_start(struct pipeline *pipeline, struct err *err)
{
    const char *hwsku = find_hwsku(pipeline);
    struct switch_voq voq;
    enum st status;

    orch_assert(!pipeline->chain);
    switch_voq_init(&voq, agent_intent(pipeline->agent));
    status = switch_create_open(&pipeline->options, hwsku, voq.n,
                                voq.attributes, &pipeline->loader, err);
    switch_voq_fini(&voq);
    return status ? status
                  : attach(pipeline, loader_backend(pipeline->loader), err);
}

enum st
pipeline_start_on(struct pipeline *pipeline, struct sai_backend *backend,
                  const struct chip *chip, struct err *err)
{
    orch_assert(!pipeline->chain);
    use_parameters(pipeline, chip);
    return attach(pipeline, backend, err);
}

enum st
pipeline_adopt_on(struct pipeline *pipeline, struct sai_backend *backend,
                  const struct adoption_lister *lister, const struct chip *chip,
                  struct err *err)
{
    enum st status;

    orch_assert(!pipeline->adoption);
    pipeline->adoption = adoption_create_listed(backend, lister, agent_uses);
    agent_take_in(pipeline->agent, pipeline->now_ns);
    status = pipeline_start_on(pipeline, adoption_backend(pipeline->adoption),
                               chip, err);
    if (!status) {
        pipeline_end_adoption(pipeline);
    }
    return status;
}

void
pipeline_adoption(const struct pipeline *pipeline,
                  struct adoption_figures *figures)
{
    orch_assert(pipeline->adoption);
    adoption_figures(pipeline->adoption, figures);
}

/* Copies a row of the former agent to 'agent'. */
static void
inherit_row(const struct row *row, void *agent)
{
    if (row->present && row->effective && !row->generated) {
        intent_put(agent_intent(agent), row->table, row->key, row->fields,
                   row->n_fields, 0);
    }
}

enum st
pipeline_restart(struct pipeline *pipeline, struct err *err)
{
    void *symbol = loader_symbol(pipeline->loader, "sai_get_object_key");
    struct agent *former = pipeline->agent;
    adoption_list_fn list;

    memcpy(&list, &symbol, sizeof list);
    pipeline->agent = agent_create(pipeline->schema, pipeline->timeline,
                                   pipeline->listener, pipeline->strict);
    intent_resync_begin(agent_intent(pipeline->agent));
    intent_each(agent_intent(former), inherit_row, pipeline->agent);
    intent_resync_end(agent_intent(pipeline->agent), pipeline->now_ns);
    agent_destroy(former);
    journal_destroy(pipeline->journal);
    chain_destroy(pipeline->chain);
    adoption_destroy(pipeline->adoption);
    pipeline->adoption =
        adoption_create(loader_backend(pipeline->loader), list, agent_uses);
    agent_take_in(pipeline->agent, pipeline->now_ns);
    return attach(pipeline, adoption_backend(pipeline->adoption), err);
}

void
pipeline_end_adoption(struct pipeline *pipeline)
{
    pipeline_settle(pipeline);
    adoption_end(pipeline->adoption);
}

void
pipeline_settle(struct pipeline *pipeline)
{
    int64_t next;

    for (;;) {
        while (agent_turn(pipeline->agent, pipeline->now_ns, SIZE_MAX)) {
            continue;
        }
        if (agent_settled(pipeline->agent)) {
            return;
        }
        next = timeline_next(pipeline->timeline);
        orch_assert(next != TIMELINE_NEVER);
        pipeline->now_ns = next > pipeline->now_ns ? next : pipeline->now_ns;
        timeline_run(pipeline->timeline, pipeline->now_ns);
    }
}

struct journal *
pipeline_journal(struct pipeline *pipeline)
{
    return pipeline->journal;
}

void *
pipeline_symbol(struct pipeline *pipeline, const char *name)
{
    return loader_symbol(pipeline->loader, name);
}

const struct softasic_ops *
pipeline_softasic(struct pipeline *pipeline)
{
    void *symbol = pipeline_symbol(pipeline, SOFTASIC_OPS_SYMBOL);
    softasic_ops_fn *get_ops;

    if (!symbol) {
        return NULL;
    }
    memcpy(&get_ops, &symbol, sizeof get_ops);
    return get_ops(SOFTASIC_OPS_VERSION);
}

const struct switch_identity *
pipeline_identity(const struct pipeline *pipeline)
{
    return &pipeline->identity;
}

enum st
pipeline_chip(struct pipeline *pipeline, struct chip **chip, struct err *err)
{
    return switch_create_chip(&pipeline->options, pipeline->loader,
                              find_hwsku(pipeline), chip, err);
}
