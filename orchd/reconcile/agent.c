/* SPDX-License-Identifier: Apache-2.0 */

/* Rounds of evaluate, plan, execute, until nothing is left to do.
 *
 * Rows are taken in, and objects and rows freed, only between two plans,
 * because the steps of a plan and the slots that they change refer to both.
 * Answers are reported only when there is nothing more to plan, so that no
 * passing state is reported.
 *
 * Rounds end because a plan is empty unless it changes something that differs:
 * each accepted step makes a slot what is wanted, and each refused step blocks
 * identical steps until something changes. */

#include <config.h>

#include "orchd/reconcile/agent.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/derive/derive.h"
#include "orchd/derive/dynamic.h"
#include "orchd/derive/pool.h"
#include "orchd/reconcile/chassis_ports.h"
#include "orchd/reconcile/drift.h"
#include "orchd/reconcile/evaluate.h"
#include "orchd/reconcile/execute.h"
#include "orchd/reconcile/graph_walk.h"
#include "orchd/reconcile/lane_claims.h"
#include "orchd/reconcile/listener.h"
#include "orchd/reconcile/overlay.h"
#include "orchd/reconcile/plan.h"
#include "orchd/reconcile/port_details.h"
#include "orchd/reconcile/ports.h"
#include "orchd/reconcile/refusal.h"
#include "orchd/reconcile/row_answer.h"
#include "orchd/reconcile/row_report.h"
#include "orchd/reconcile/source.h"
#include "orchd/reconcile/stale_objects.h"
#include "orchd/reconcile/watchdog_effects.h"
#include "orchd/translate/translate.h"
#include "orchd/watchdog/detection/watchdog.h"

struct agent {
    struct timeline *timeline;
    struct intent *intent;
    struct derive *derive;
    struct watchdog *watchdog;
    bool effects_are_new; /* Check them after the next plan. */
    struct graph *graph;
    struct executor executor; /* Its backend is NULL before agent_attach(). */
    struct plan plan;         /* In progress while plan.next < plan.n_steps. */
    struct row_answer answer;
    struct timer
        answer_due; /* Due when a waiting row has been quiet long enough. */
    struct drift drift;
    struct timer drift_due; /* Pending if the ASIC is read back. */
    uint64_t generation;
    uint64_t n_plans;
    uint64_t answered;  /* 'n_plans' at the last answers. */
    uint64_t n_changes; /* Rows taken in. */
    const struct err
        *left[N_TABLES]; /* Why rows are left to others; or NULL. */
};

/* The wake-up is enough: the next turn does what is due. */
static void
wake(struct timer *timer, int64_t when)
{
    (void)timer;
    (void)when;
}

/* An intent_base_fn. */
static const struct row *
find_base(void *agent_, enum table table, const char *key)
{
    const struct agent *agent = agent_;

    return derive_base(agent->derive, table, key);
}

struct agent *
agent_create(struct schema *schema, struct timeline *timeline,
             const struct listener *listener, bool strict)
{
    struct agent *agent = check_calloc(1, sizeof *agent);

    agent->timeline = timeline;
    agent->intent = intent_create(schema, timeline, strict);
    agent->derive = derive_create();
    intent_set_base(agent->intent, find_base, agent);
    agent->watchdog = watchdog_create();
    agent->graph = graph_create();
    agent->executor.graph = agent->graph;
    agent->executor.ports = ports_create();
    agent->graph->ports = agent->executor.ports;
    agent->executor.timeline = timeline;
    agent->executor.listener = listener;
    agent->answer_due.fire = wake;
    agent->drift_due.fire = wake;
    return agent;
}

void
agent_destroy(struct agent *agent)
{
    if (!agent) {
        return;
    }
    timeline_cancel(agent->timeline, &agent->answer_due);
    timeline_cancel(agent->timeline, &agent->drift_due);
    for (struct retry *retry = agent->graph->refused; retry;
         retry = retry->next) {
        timeline_cancel(agent->timeline, &retry->timer);
    }
    plan_fini(&agent->plan);
    row_answer_fini(&agent->answer);
    ports_destroy(agent->executor.ports);
    overlay_end_all(agent->graph);
    source_drop_all(agent->graph);
    chassis_ports_forget(agent->graph);
    graph_destroy(agent->graph);
    derive_destroy(agent->derive);
    watchdog_destroy(agent->watchdog);
    intent_destroy(agent->intent);
    free(agent);
}

enum st
agent_attach(struct agent *agent, struct sai_backend *backend, struct err *err)
{
    enum st status = ports_read(agent->executor.ports, backend, err);
    struct object *sw = graph_switch(agent->graph);
    sai_attribute_t memory = {.id = SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE};

    if (status != ST_OK) {
        return status;
    }
    /* The attributes of a new switch have their defaults. */
    agent->executor.backend = backend;
    sw->oid = backend->switch_id;
    sw->fresh = true;
    port_details_read_cpu(backend, graph_cpu_port(agent->graph));
    chassis_ports_read(agent->graph, backend);
    if (backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                          1, &memory) == SAI_STATUS_SUCCESS) {
        agent->graph->memory_bytes = memory.value.u64 * 1024;
        derive_set_memory(agent->derive, agent->graph->memory_bytes);
    }
    trimming_limits_read(&agent->graph->trimming, backend);
    listener_notify_appeared(agent->executor.listener, sw);
    agent_compare_all(agent);
    return ST_OK;
}

void
agent_set_adopted_values(struct agent *agent,
                         const struct adopted_values *adopted)
{
    agent->executor.adopted = adopted;
}

void
agent_set_confirmation(struct agent *agent,
                       const struct confirmation *confirmation,
                       const struct adopted_values *names)
{
    agent->graph->confirmation = confirmation;
    agent->executor.adopted = names;
}

void
agent_listen_in_force(struct agent *agent, graph_in_force_fn *fn,
                      void (*taken_in)(void *context), void *context)
{
    agent->graph->in_force = fn;
    agent->graph->taken_in = taken_in;
    agent->graph->in_force_context = context;
}

void
agent_leave_table(struct agent *agent, enum table table,
                  const struct err *reason)
{
    agent->left[table] = reason;
}

void
agent_reconsider(struct agent *agent)
{
    refusal_make_due(agent->graph);
}

bool
agent_uses(sai_object_type_t type, sai_attr_id_t id)
{
    return translate_may_want(type, id, NULL);
}

size_t
agent_find_stale_objects(struct agent *agent)
{
    stale_objects_clear_ports(agent->graph, agent->executor.ports,
                              agent->executor.backend);
    return stale_objects_find(agent->graph, agent->executor.backend);
}

bool
agent_lacks(const struct agent *agent, const char *name)
{
    const struct object *object = graph_find_id(agent->graph, name);

    return object && object->wanted && !object_exists(object);
}

void
agent_set_absence(struct agent *agent, const struct err *absence)
{
    source_set_absence(agent->graph, absence);
}

void
agent_set_hwsku(struct agent *agent, const char *hwsku)
{
    source_set_hwsku(agent->graph, hwsku);
}

void
agent_set_chip_warning(struct agent *agent, const char *warning)
{
    source_set_chip_warning(agent->graph, warning);
}

void
agent_set_generation(struct agent *agent, uint64_t generation)
{
    agent->generation = generation;
}

void
agent_set_scheduler_target(struct agent *agent, bool queues)
{
    agent->graph->schedules_queues = queues;
}

void
agent_set_lookup(struct agent *agent, struct pg_profile_lookup *lookup)
{
    derive_set_lookup(agent->derive, lookup);
}

void
agent_set_shipped(struct agent *agent, struct shipped_lookups *shipped)
{
    derive_set_shipped(agent->derive, shipped);
}

void
agent_set_llr_lookup(struct agent *agent, struct llr_lookup *lookup)
{
    derive_set_llr_lookup(agent->derive, lookup);
}

void
agent_get_lookup(const struct agent *agent, struct derive_lookup *lookup)
{
    derive_get_lookup(agent->derive, lookup);
}

void
agent_set_platform(struct agent *agent, const struct platform *platform)
{
    derive_set_platform(agent->derive, platform);
}

void
agent_set_zeros(struct agent *agent, struct zero_profiles *zeros)
{
    derive_set_zeros(agent->derive, zeros);
}

void
agent_allow_disruptive(struct agent *agent, bool allow)
{
    agent->graph->allow_disruptive = allow;
}

void
agent_set_chip(struct agent *agent, const struct dynamic_state_chip *chip)
{
    derive_set_chip(agent->derive, chip);
}

void
agent_set_pools_reserve(struct agent *agent, bool reserve)
{
    agent->graph->pools_reserve = reserve;
}

void
agent_set_lacks_llr(struct agent *agent, bool lacks)
{
    agent->graph->lacks_llr = lacks;
}

void
agent_set_trimming(struct agent *agent, const struct chip_trimming *trimming)
{
    agent->graph->trimming.chip = *trimming;
}

void
agent_set_drift(struct agent *agent, const struct drift_options *options)
{
    agent->drift.options = *options;
}

void
agent_compare_all(struct agent *agent)
{
    for (struct object *object = agent->graph->objects; object;
         object = object->next) {
        graph_mark(object);
    }
}

void
agent_note_release(struct agent *agent)
{
    agent->executor.freed = true;
}

struct watchdog *
agent_watchdog(struct agent *agent)
{
    return agent->watchdog;
}

bool
agent_pfc_is_off(const struct agent *agent, const struct watchdog_queue *queue)
{
    return watchdog_effects_pfc_is_off(agent->graph, queue);
}

bool
agent_effects_are_undone(const struct agent *agent,
                         const struct watchdog_queue *queue)
{
    return !queue->effect.zero_buffer && !queue->effect.recovery &&
           watchdog_effects_are_undone(agent->graph, queue);
}

struct intent *
agent_intent(struct agent *agent)
{
    return agent->intent;
}

const struct row *
agent_row(struct agent *agent, enum table table, const char *key)
{
    const struct row *row = intent_get(agent->intent, table, key);
    const struct row *derived =
        row && row->effective ? NULL : derive_get(agent->derive, table, key);

    return derived ? derived : row;
}

const struct row *
agent_derived(const struct agent *agent, enum table table, const char *key)
{
    return derive_wanted(agent->derive, table, key);
}

bool
agent_explain(const struct agent *agent, enum table table, const char *key,
              size_t i, struct explanation *explanation)
{
    return derive_explain(agent->derive, table, key, i, explanation);
}

bool
agent_take_unexplained(struct agent *agent, enum table *table, const char **key)
{
    return derive_take_unexplained(agent->derive, table, key);
}

void
agent_unexplain(struct agent *agent)
{
    derive_unexplain(agent->derive);
}

static bool
plan_under_way(const struct agent *agent)
{
    return agent->plan.next < agent->plan.n_steps;
}

bool
agent_is_planning(const struct agent *agent)
{
    return plan_under_way(agent);
}

void
agent_doubt(struct agent *agent, agent_doubted_fn *doubted, void *context)
{
    orch_assert(!plan_under_way(agent));
    for (struct object *object = agent->graph->objects; object;
         object = object->next) {
        for (size_t i = 0; object_exists(object) && i < object->n_slots; i++) {
            struct slot *slot = &object->slots[i];

            if (slot->held && !slot->uncertain &&
                !(slot->meta->flags & METADATA_FLAG_CREATE_ONLY) &&
                doubted(context, object->oid, slot->meta->id)) {
                slot->uncertain = true;
                graph_mark(object);
            }
        }
    }
}

/* Passes ports that appeared on the ASIC, or changed their admin state there,
 * to the derivation of rows. */
static void
take_ports(struct agent *agent)
{
    const struct object *port;

    while ((port = port_details_take_changed(agent->graph))) {
        const struct port_children *children = port->port_children;
        const struct derive_port inputs = {
            .is_up = children->is_up,
            .max_headroom_bytes = children->max_headroom_bytes,
            .supported_mbps = children->supported_mbps,
            .n_groups = children->n_pgs,
            .n_queues = children->n_queues,
        };

        if (port->class == OBJECT_CLAIMED && object_exists(port)) {
            derive_set_port(agent->derive, port->name.name, &inputs);
        }
    }
}

/* Takes in a user-owned row as orchd/derive has completed it. */
static void
put_completed(struct agent *agent, const struct completion *completion,
              int64_t now)
{
    struct row row =
        *intent_get(agent->intent, completion->table, completion->key);
    struct text warnings = {0};

    switch (completion->kind) {
    case COMPLETION_NONE:
        break;
    case COMPLETION_FIELDS:
        row.form = ROW_COMPLETED;
        row.fields = completion->fields;
        row.n_fields = completion->n_fields;
        row.content = NULL;
        break;
    case COMPLETION_IDLE:
        row.form = ROW_IDLE;
        break;
    case COMPLETION_ABSENT:
        row.effective = false;
        break;
    }
    if (completion->err && row.verdict == ROW_ACCEPTED) {
        row.verdict = ROW_WITHHELD;
        row.err = completion->err;
    }
    if (completion->warning) {
        text_add(&warnings, row.warnings);
        text_add_item(&warnings, ", ", completion->warning);
        row.warnings = text_string(&warnings);
    }
    source_put_row(agent->graph, &row, now);
    text_fini(&warnings);
}

/* Passes a row to derive again; the reconciler has it already. */
static void
derive_again(const struct row *row, void *agent_)
{
    struct agent *agent = agent_;

    if (row->present && row->effective) {
        (void)derive_put_row(agent->derive, row);
    }
}

/* Updates the watchdog with the rows, the rows with the answers of the
 * watchdog, and the reconciler with the effects for storms. */
static void
follow_watchdog(struct agent *agent, int64_t now)
{
    struct err err;
    const char *port;

    watchdog_update(agent->watchdog);
    while ((port = watchdog_take_answer(agent->watchdog, &err))) {
        struct row row = *intent_get(agent->intent, TABLE_PFC_WD, port);

        if (err.status && row.verdict == ROW_ACCEPTED) {
            row.verdict = ROW_WITHHELD;
            row.err = &err;
        }
        source_put_row(agent->graph, &row, now);
    }
    if (watchdog_take_change(agent->watchdog)) {
        watchdog_effects_apply(agent->watchdog, agent->graph, now);
        agent->effects_are_new = true;
    }
}

/* Takes in a derived row.  If the user has a profile of that key that was
 * rejected, the derived content is in force and the answer is about the
 * user's. */
static void
put_derived(struct agent *agent, const struct row *derived, int64_t now)
{
    const struct row *user =
        derived->table == TABLE_BUFFER_PROFILE ||
                derived->table == TABLE_LLR_PROFILE
            ? intent_get(agent->intent, derived->table, derived->key)
            : NULL;
    struct row row = *derived;

    if (!user || !user->present || user->verdict != ROW_REJECTED) {
        source_put_row(agent->graph, derived, now);
        return;
    }
    if (!derived->present) {
        source_put_row(agent->graph, derived, now);
        source_put_row(agent->graph, user, now);
        return;
    }
    row.verdict = user->verdict;
    row.err = user->err;
    row.warnings = user->warnings;
    row.generated = false;
    row.partial = derived->effective;
    source_put_row(agent->graph, &row, now);
}

/* Takes in a row on which another program acts. */
static void
put_left(struct agent *agent, const struct row *row, int64_t now)
{
    struct row left = *row;

    if (left.verdict == ROW_ACCEPTED) {
        left.verdict = ROW_UNSUPPORTED;
        left.err = agent->left[row->table];
    }
    source_put_row(agent->graph, &left, now);
}

/* Takes in changed rows and what is derived from them.  Returns whether
 * user-owned rows have changed that are completed from derived ones. */
static bool
take_rows(struct agent *agent, int64_t now)
{
    const struct row *row;
    const char *key;
    bool changed = false;

    while ((row = intent_take(agent->intent))) {
        agent->n_changes++;
        if (agent->left[row->table]) {
            put_left(agent, row, now);
            continue;
        }
        watchdog_put_row(agent->watchdog, row);
        if (!derive_put_row(agent->derive, row)) {
            source_put_row(agent->graph, row, now);
        }
    }
    if (derive_wants_rows(agent->derive)) {
        intent_each(agent->intent, derive_again, agent);
    }
    /* After the user-owned rows: one that is deleted may return as a derived
     * one. */
    while ((row = derive_take(agent->derive))) {
        put_derived(agent, row, now);
        if (row->table == TABLE_BUFFER_PROFILE) {
            changed |=
                intent_base_changed(agent->intent, row->table, row->key, now);
        }
    }
    while ((key = derive_take_overridden(agent->derive))) {
        changed |=
            intent_base_changed(agent->intent, TABLE_BUFFER_PROFILE, key, now);
    }
    return changed;
}

/* Takes in changed rows, what is derived from them, and what storms need. */
static void
take_in(struct agent *agent, int64_t now)
{
    struct completion completion;

    take_ports(agent);
    while (take_rows(agent, now)) {
        continue;
    }
    while (derive_take_completion(agent->derive, &completion)) {
        put_completed(agent, &completion, now);
    }
    follow_watchdog(agent, now);
    if (agent->graph->taken_in) {
        agent->graph->taken_in(agent->graph->in_force_context);
    }
}

void
agent_take_in(struct agent *agent, int64_t now)
{
    orch_assert(!agent->executor.backend);
    take_in(agent, now);
}

/* Takes in changed rows and makes the next plan, if there is anything to do.
 * Returns whether there is a plan. */
static bool
next_plan(struct agent *agent, int64_t now)
{
    agent->plan.n_steps = agent->plan.next = 0;
    refusal_reconsider(agent->graph, agent->executor.freed);
    agent->executor.freed = false;
    take_in(agent, now);
    lane_claims_arbitrate(agent->graph);
    evaluate_marked(agent->graph);
    if (!agent->executor.backend) {
        return false; /* Touched objects stay in the list until there is an
                       * ASIC. */
    }
    chassis_ports_notify(agent->graph, agent->executor.listener);
    stale_objects_clear_left(agent->graph, agent->executor.backend);
    if (agent->graph->n_touched > 0) {
        plan_make(&agent->plan, agent->graph);
    }
    if (!plan_under_way(agent)) {
        graph_sweep(agent->graph);
        return false;
    }
    agent->generation++;
    agent->n_plans++;
    return true;
}

/* Returns whether rows are still being read for an ASIC that is not there yet,
 * so answers would not last. */
static bool
is_gathering(const struct agent *agent)
{
    return !agent->executor.backend && intent_is_resyncing(agent->intent);
}

/* Reports answers.  Those without a plan, such as that a row is rejected, count
 * as one: a client that waits for the generation to move sees that its row was
 * read. */
static void
report_answers(struct agent *agent, int64_t now)
{
    const uint64_t before = agent->graph->n_answers;
    const uint64_t generation =
        agent->generation + (agent->answered == agent->n_plans ? 1 : 0);
    int64_t due = is_gathering(agent)
                      ? TIMELINE_NEVER
                      : row_report(agent->graph, agent->executor.listener,
                                   &agent->answer, generation, now);

    if (agent->graph->n_answers != before) {
        agent->generation = generation;
        agent->answered = agent->n_plans;
    }
    if (due == TIMELINE_NEVER) {
        timeline_cancel(agent->timeline, &agent->answer_due);
    } else {
        timeline_set(agent->timeline, &agent->answer_due, due);
    }
}

/* Reads back a part of the ASIC if that is due; called when nothing else is
 * left to do.  Returns whether something is to be repaired. */
static bool
read_back(struct agent *agent, int64_t now)
{
    struct drift *drift = &agent->drift;
    bool repair;
    int64_t next;

    if (!agent->executor.backend || !drift->options.interval_ns) {
        return false;
    }
    if (!drift->start) {
        drift_start(drift, now);
    }
    repair = drift_turn(drift, &agent->executor, now);
    next = drift_next(drift, agent->graph);
    if (next != TIMELINE_NEVER) {
        timeline_set(agent->timeline, &agent->drift_due,
                     next > now ? next : now + 1);
    }
    return repair;
}

/* Returns whether a storm needs another effect than the one just tried. */
static bool
check_effects(struct agent *agent)
{
    bool are_new = agent->effects_are_new && agent->executor.backend;

    agent->effects_are_new &= !are_new;
    return are_new && watchdog_effects_check(agent->watchdog, agent->graph);
}

bool
agent_turn(struct agent *agent, int64_t now, size_t budget)
{
    while (budget > 0) {
        if (!plan_under_way(agent) && !next_plan(agent, now)) {
            if (check_effects(agent)) {
                continue;
            }
            report_answers(agent, now);
            if (!agent->graph->dirty_first) {
                return read_back(agent, now);
            }
            continue; /* Rows that were just freed left objects behind. */
        }
        budget -= execute_steps(&agent->executor, &agent->plan, budget, now);
        if (!plan_under_way(agent)) {
            graph_sweep(agent->graph);
        }
    }
    return true;
}

bool
agent_settled(const struct agent *agent)
{
    return !plan_under_way(agent) && !agent->graph->dirty_first &&
           !intent_unsettled(agent->intent) &&
           !timer_pending(&agent->answer_due) && !is_gathering(agent);
}

void
agent_figures(const struct agent *agent, struct agent_figures *figures)
{
    const struct pool_outcome *outcome = derive_outcome(agent->derive);

    figures->generation = agent->generation;
    figures->n_plans = agent->n_plans;
    figures->n_changes = agent->n_changes;
    figures->applied_generation =
        agent->generation - (plan_under_way(agent) ? 1 : 0);
    figures->occupied_bytes =
        outcome ? outcome->occupied_bytes : agent->graph->reserved.bytes;
    figures->shared_headroom = outcome ? shp_mode_name(outcome->shp) : NULL;
    figures->sai_calls = agent->executor.n_calls;
    figures->sai_failures = agent->executor.n_refused;
    memcpy(figures->n_rows, agent->graph->n_reported, sizeof figures->n_rows);
    figures->n_unconfirmed = agent->graph->n_unconfirmed;
}

/* Visits the rows of the tables that are wanted. */
static void
visit_rows(const struct agent *agent, const bool wanted[N_TABLES],
           void (*visit)(void *context, const struct row_status *status),
           void *context)
{
    struct graph *graph = agent->graph;
    struct row_answer answer = {0};
    bool gone;

    graph_sort_sources(graph);
    for (const struct source *source = graph->sources; source;
         source = source->next) {
        if (wanted[source->table] && source->reported &&
            row_answer_make(&answer, source, &gone)) {
            visit(context, &answer.status);
        }
    }
    row_answer_fini(&answer);
}

void
agent_each_row(const struct agent *agent,
               void (*visit)(void *context, const struct row_status *status),
               void *context)
{
    bool all[N_TABLES];

    memset(all, true, sizeof all);
    visit_rows(agent, all, visit, context);
}

void
agent_each_row_of(const struct agent *agent, const enum table *tables,
                  size_t n_tables,
                  void (*visit)(void *context, const struct row_status *status),
                  void *context)
{
    bool wanted[N_TABLES] = {false};

    for (size_t i = 0; i < n_tables; i++) {
        wanted[tables[i]] = true;
    }
    visit_rows(agent, wanted, visit, context);
}

void
agent_each_key(const struct agent *agent, enum table table,
               void (*visit)(void *context, const char *key), void *context)
{
    struct graph *graph = agent->graph;

    graph_sort_sources(graph);
    for (const struct source *source = graph->sources; source;
         source = source->next) {
        if (source->table == table && source->reported) {
            visit(context, source_key(source));
        }
    }
}

const struct row_status *
agent_row_status(const struct agent *agent, enum table table, const char *key,
                 struct row_answer *answer)
{
    const struct source *source = graph_find_source(agent->graph, table, key);
    bool gone;

    return source && source->reported && row_answer_make(answer, source, &gone)
               ? &answer->status
               : NULL;
}

void
agent_sort_objects(const struct agent *agent)
{
    graph_sort_objects(agent->graph);
}

void
agent_each_object(const struct agent *agent,
                  void (*visit)(void *context, const struct object *object),
                  void *context)
{
    const struct graph *graph = agent->graph;

    agent_sort_objects(agent);
    for (const struct object *object = graph->objects; object;
         object = object->next) {
        if (object_exists(object) && !object_is_cpu_port(object)) {
            visit(context, object);
        }
    }
}

const struct row_status *
agent_walk_row(const struct agent *agent, struct graph_walk *walk)
{
    const struct source *source;
    bool gone;

    do {
        source = graph_walk_source(agent->graph, walk);
    } while (source && !(source->reported &&
                         row_answer_make(&walk->answer, source, &gone)));
    return source ? &walk->answer.status : NULL;
}

const struct object *
agent_walk_object(const struct agent *agent, struct graph_walk *walk)
{
    const struct object *object;

    do {
        object = graph_walk_object(agent->graph, walk);
    } while (object && (!object_exists(object) || object_is_cpu_port(object)));
    return object;
}

const struct source *
agent_source(const struct agent *agent, enum table table, const char *key)
{
    return graph_find_source(agent->graph, table, key);
}

uint64_t
agent_port_reads(const struct agent *agent)
{
    return agent->graph->n_port_reads;
}

const struct object *
agent_object(const struct agent *agent, enum table table, const char *name,
             int index)
{
    struct object_name object_name = {name, table, index};
    const struct object *object = graph_find_object(agent->graph, &object_name);

    return object && object_exists(object) ? object : NULL;
}
