/* SPDX-License-Identifier: Apache-2.0 */

/* The daemon's parts around the agent, replaced by the simplest ones: rows come
 * from a document instead of Redis, answers go to nobody, and time stands still
 * until the agent has nothing else to do.  What the agent decides is therefore
 * what the daemon would decide. */

#include <config.h>

#include "orchd/local/local.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/agent.h"
#include "orchd/derive/model.h"
#include "orchd/intent/schema.h"
#include "orchd/local/switch.h"
#include "sai/adopt.h"
#include "sai/chain.h"
#include "sai/journal.h"
#include "twin/chip/chip.h"

struct local {
    struct schema *schema;
    bool owns_schema;
    struct timeline *timeline;
    struct agent *agent;
    const struct observer *observer;
    bool strict;
    int64_t now_ns; /* Moves only when something is waited for. */

    /* To make the switch. */
    struct loader_options options;
    struct arena *arena; /* Owns the texts of 'options'. */

    /* The switch, and what lies before it; NULL before local_start(). */
    struct loader *loader;
    struct adopt *adopt; /* NULL before a restart. */
    struct chain *chain;
    struct journal *journal;
};

/* Nobody listens. */
static const struct observer nobody = {.context = NULL};

/* The clock of the chain: it measures nothing here. */
static int64_t
local_now(void *context)
{
    const struct local *local = context;

    return local->now_ns;
}

static void
local_stamp(void *context, char *buffer)
{
    (void)context;
    text_copy(buffer, sizeof "0", "0");
}

static void
local_sleep(void *context, int64_t ns)
{
    struct local *local = context;

    local->now_ns += ns;
}

static void
copy_options(struct local *local, const struct local_options *options)
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
local_create(const struct local_options *options, struct local **local,
             struct err *err)
{
    struct local *made;
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
local_destroy(struct local *local)
{
    if (!local) {
        return;
    }
    agent_destroy(local->agent);
    journal_destroy(local->journal);
    chain_destroy(local->chain);
    adopt_destroy(local->adopt);
    loader_close(local->loader);
    timeline_destroy(local->timeline);
    if (local->owns_schema) {
        schema_destroy(local->schema);
    }
    arena_destroy(local->arena);
    free(local);
}

struct agent *
local_agent(struct local *local)
{
    return local->agent;
}

bool
local_put_row(struct local *local, const struct field_row *row)
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
local_set_rows(struct local *local, const struct field_row *rows, size_t n)
{
    struct intent *intent = agent_intent(local->agent);
    size_t n_unknown = 0;

    intent_reading_begin(intent);
    for (size_t i = 0; i < n; i++) {
        n_unknown += !local_put_row(local, &rows[i]);
    }
    intent_reading_end(intent, local->now_ns);
    return n_unknown;
}

/* Returns the hwsku that the rows name, or NULL. */
static const char *
find_hwsku(const struct local *local)
{
    const struct row *row = intent_get(agent_intent(local->agent),
                                       TABLE_DEVICE_METADATA, "localhost");

    return row && row->present ? row_field(row, "hwsku") : NULL;
}

/* Tells the flow about its chip; if that has no description, rows that need it
 * say so. */
static void
use_chip(struct local *local)
{
    struct model_chip parameters;
    struct chip *chip;
    struct err err;

    if (local_chip(local, &chip, &err) == ST_OK) {
        switch_parameters(chip, &parameters);
        agent_set_chip(local->agent, &parameters);
        chip_destroy(chip);
    }
}

/* Gives the flow the switch behind 'backend'. */
static enum st
attach(struct local *local, struct sai_backend *backend, struct err *err)
{
    static const struct recorder_options no_record = {0};
    const struct chain_system system = {
        .clock = {.now_ns = local_now, .stamp = local_stamp, .context = local},
        .sleep = local_sleep,
    };

    local->chain = chain_create(backend, &system, &no_record);
    local->journal = journal_create(chain_backend(local->chain));
    use_chip(local);
    return agent_attach(local->agent, journal_backend(local->journal), err);
}

enum st
local_start(struct local *local, struct err *err)
{
    const char *hwsku = find_hwsku(local);
    enum st status = switch_open(&local->options, hwsku, &local->loader, err);

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
local_restart(struct local *local, struct err *err)
{
    void *symbol = loader_symbol(local->loader, "sai_get_object_key");
    struct agent *former = local->agent;
    adopt_list_fn list;

    memcpy(&list, &symbol, sizeof list);
    local->agent = agent_create(local->schema, local->timeline, local->observer,
                                local->strict);
    intent_reading_begin(agent_intent(local->agent));
    intent_each(agent_intent(former), inherit_row, local->agent);
    intent_reading_end(agent_intent(local->agent), local->now_ns);
    agent_destroy(former);
    journal_destroy(local->journal);
    chain_destroy(local->chain);
    adopt_destroy(local->adopt);
    local->adopt =
        adopt_create(loader_backend(local->loader), list, agent_uses);
    agent_take_in(local->agent, local->now_ns);
    return attach(local, adopt_backend(local->adopt), err);
}

void
local_end_adoption(struct local *local)
{
    local_settle(local);
    adopt_end(local->adopt);
}

void
local_settle(struct local *local)
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
local_journal(struct local *local)
{
    return local->journal;
}

void *
local_symbol(struct local *local, const char *name)
{
    return loader_symbol(local->loader, name);
}

enum st
local_chip(struct local *local, struct chip **chip, struct err *err)
{
    return switch_chip(&local->options, local->loader, find_hwsku(local), chip,
                       err);
}
