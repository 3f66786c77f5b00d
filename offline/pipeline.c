/* SPDX-License-Identifier: Apache-2.0 */

/* The daemon's parts around the agent, replaced by the simplest ones: rows come
 * from a document instead of Redis, answers go to nobody, and time stands still
 * until the agent has nothing else to do.  What the agent decides is therefore
 * what the daemon would decide. */

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
#include "orchd/switch/switch_create.h"
#include "sai/stack/adoption.h"
#include "sai/stack/chain.h"
#include "sai/stack/journal.h"
#include "twin/chip/yaml/chip_file.h"

struct pipeline {
    struct schema *schema;
    bool owns_schema;
    struct timeline *timeline;
    struct agent *agent;
    const struct listener *observer;
    bool strict;
    int64_t now_ns; /* Moves only when something is waited for. */

    /* To make the switch. */
    struct loader_options options;
    struct arena *arena; /* Owns the texts of 'options'. */

    /* The switch, and what lies before it; NULL before pipeline_start(). */
    struct loader *loader;
    struct adoption *adopt; /* NULL before a restart. */
    struct chain *chain;
    struct journal *journal;
};

/* Nobody listens. */
static const struct listener nobody = {.context = NULL};

/* The clock of the chain: it measures nothing here. */
static int64_t
pipeline_now(void *context)
{
    const struct pipeline *local = context;

    return local->now_ns;
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
    struct pipeline *local = context;

    local->now_ns += ns;
}

static void
copy_options(struct pipeline *local, const struct pipeline_options *options)
{
    struct loader_pair *pairs;

    local->arena = arena_create(0);
    pairs = arena_alloc(local->arena, options->n_profile + 1, sizeof *pairs);
    for (size_t i = 0; i < options->n_profile; i++) {
        pairs[i].key = arena_strdup(local->arena, options->profile[i].key);
        pairs[i].value = arena_strdup(local->arena, options->profile[i].value);
    }
    local->options = (struct loader_options){
        .path = arena_strdup(local->arena, options->sai),
        .profile = pairs,
        .n_profile = options->n_profile};
}

enum st
pipeline_create(const struct pipeline_options *options, struct pipeline **local,
                struct err *err)
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
    made->observer = options->observer ? options->observer : &nobody;
    made->strict = options->strict;
    made->agent =
        agent_create(schema, made->timeline, made->observer, made->strict);
    copy_options(made, options);
    *local = made;
    return ST_OK;
}

void
pipeline_destroy(struct pipeline *local)
{
    if (!local) {
        return;
    }
    agent_destroy(local->agent);
    journal_destroy(local->journal);
    chain_destroy(local->chain);
    adoption_destroy(local->adopt);
    loader_close(local->loader);
    timeline_destroy(local->timeline);
    if (local->owns_schema) {
        schema_destroy(local->schema);
    }
    arena_destroy(local->arena);
    free(local);
}

struct agent *
pipeline_agent(struct pipeline *local)
{
    return local->agent;
}

bool
pipeline_put_row(struct pipeline *local, const struct field_row *row)
{
    struct intent *intent = agent_intent(local->agent);
    const char *bar = strchr(row->key, '|');
    enum table table;

    if (!bar || !table_find(row->key, (size_t)(bar - row->key), &table)) {
        return false;
    }
    if (row->fields) {
        intent_put(intent, table, bar + 1, row->fields, row->n_fields,
                   local->now_ns);
    } else {
        intent_remove(intent, table, bar + 1, local->now_ns);
    }
    return true;
}

size_t
pipeline_set_rows(struct pipeline *local, const struct field_row *rows,
                  size_t n)
{
    struct intent *intent = agent_intent(local->agent);
    size_t n_unknown = 0;

    intent_resync_begin(intent);
    for (size_t i = 0; i < n; i++) {
        n_unknown += !pipeline_put_row(local, &rows[i]);
    }
    intent_resync_end(intent, local->now_ns);
    return n_unknown;
}

/* Returns the hwsku that the rows name, or NULL. */
static const char *
find_hwsku(const struct pipeline *local)
{
    const struct row *row = intent_get(agent_intent(local->agent),
                                       TABLE_DEVICE_METADATA, "localhost");

    return row && row->present ? row_field(row, "hwsku") : NULL;
}

/* Tells the flow about its chip; if that has no description, rows that need it
 * say so. */
static void
use_chip(struct pipeline *local)
{
    struct dynamic_state_chip parameters;
    struct chip *chip;
    struct err err;

    if (pipeline_chip(local, &chip, &err) == ST_OK) {
        switch_create_parameters(chip, &parameters);
        agent_set_chip(local->agent, &parameters);
        chip_file_destroy(chip);
    }
}

/* Gives the flow the switch behind 'backend'. */
static enum st
attach(struct pipeline *local, struct sai_backend *backend, struct err *err)
{
    static const struct recorder_options no_record = {0};
    const struct chain_system system = {
        .clock = {.now_ns = pipeline_now,
                  .stamp = pipeline_stamp,
                  .context = local},
        .sleep = pipeline_sleep,
    };

    local->chain = chain_create(backend, &system, &no_record);
    local->journal = journal_create(chain_backend(local->chain));
    use_chip(local);
    return agent_attach(local->agent, journal_backend(local->journal), err);
}

enum st
pipeline_start(struct pipeline *local, struct err *err)
{
    const char *hwsku = find_hwsku(local);
    enum st status =
        switch_create_open(&local->options, hwsku, &local->loader, err);

    orch_assert(!local->chain);
    return status ? status : attach(local, loader_backend(local->loader), err);
}

/* Hands a row of the flow before to the one that follows it. */
static void
inherit_row(const struct row *row, void *agent)
{
    if (row->present && row->effective && !row->generated) {
        intent_put(agent_intent(agent), row->table, row->key, row->fields,
                   row->n_fields, 0);
    }
}

enum st
pipeline_restart(struct pipeline *local, struct err *err)
{
    void *symbol = loader_symbol(local->loader, "sai_get_object_key");
    struct agent *former = local->agent;
    adoption_list_fn list;

    memcpy(&list, &symbol, sizeof list);
    local->agent = agent_create(local->schema, local->timeline, local->observer,
                                local->strict);
    intent_resync_begin(agent_intent(local->agent));
    intent_each(agent_intent(former), inherit_row, local->agent);
    intent_resync_end(agent_intent(local->agent), local->now_ns);
    agent_destroy(former);
    journal_destroy(local->journal);
    chain_destroy(local->chain);
    adoption_destroy(local->adopt);
    local->adopt =
        adoption_create(loader_backend(local->loader), list, agent_uses);
    agent_take_in(local->agent, local->now_ns);
    return attach(local, adoption_backend(local->adopt), err);
}

void
pipeline_end_adoption(struct pipeline *local)
{
    pipeline_settle(local);
    adoption_end(local->adopt);
}

void
pipeline_settle(struct pipeline *local)
{
    int64_t next;

    for (;;) {
        while (agent_turn(local->agent, local->now_ns, SIZE_MAX)) {
            continue;
        }
        if (agent_settled(local->agent)) {
            return;
        }
        next = timeline_next(local->timeline);
        orch_assert(next != TIMELINE_NEVER);
        local->now_ns = next > local->now_ns ? next : local->now_ns;
        timeline_run(local->timeline, local->now_ns);
    }
}

struct journal *
pipeline_journal(struct pipeline *local)
{
    return local->journal;
}

void *
pipeline_symbol(struct pipeline *local, const char *name)
{
    return loader_symbol(local->loader, name);
}

enum st
pipeline_chip(struct pipeline *local, struct chip **chip, struct err *err)
{
    return switch_create_chip(&local->options, local->loader, find_hwsku(local),
                              chip, err);
}
