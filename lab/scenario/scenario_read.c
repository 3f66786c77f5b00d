/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a scenario: its top level, and the sections one after the other. */

#include <config.h>

#include "lab/scenario/scenario.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/scenario/fields.h"
#include "lab/scenario/sections.h"
#include "lab/scenario/sweep.h"
#include "yaml/document.h"

/* The top level. */
struct scenario_values {
    struct scenario scenario;
    struct fy_node *seed, *sweep, *variants;
    struct fy_node *fabric, *hosts, *traffic, *faults, *restarts, *repairs,
        *rollout, *drift, *record, *expect, *assumptions;
};

#define AT(member) offsetof(struct scenario_values, member)

static const struct field scenario_fields[] = {
    {"name", FIELD_NAME, AT(scenario.name), NULL, field_required, NULL},
    {"about", FIELD_TEXT, AT(scenario.about), NULL, "", NULL},
    {"row", FIELD_NAME, AT(scenario.row), NULL, "", NULL},
    {"assumptions", FIELD_NODE, AT(assumptions), NULL, NULL, NULL},
    {"seed", FIELD_NODE, AT(seed), NULL, NULL, NULL},
    {"fabric", FIELD_NODE, AT(fabric), NULL, field_required, NULL},
    {"hosts", FIELD_NODE, AT(hosts), NULL, NULL, NULL},
    {"traffic", FIELD_NODE, AT(traffic), NULL, NULL, NULL},
    {"faults", FIELD_NODE, AT(faults), NULL, NULL, NULL},
    {"restarts", FIELD_NODE, AT(restarts), NULL, NULL, NULL},
    {"repairs", FIELD_NODE, AT(repairs), NULL, NULL, NULL},
    {"rollout", FIELD_NODE, AT(rollout), NULL, NULL, NULL},
    {"drift", FIELD_NODE, AT(drift), NULL, NULL, NULL},
    {"stop", FIELD_TIME, AT(scenario.stop_ps), "1ns..1000s", field_required,
     NULL},
    {"stop_when_done", FIELD_BOOL, AT(scenario.stop_when_done), NULL, "true",
     NULL},
    {"record", FIELD_NODE, AT(record), NULL, NULL, NULL},
    {"expect", FIELD_NODE, AT(expect), NULL, NULL, NULL},
    {"sweep", FIELD_NODE, AT(sweep), NULL, NULL, NULL},
    {"variants", FIELD_NODE, AT(variants), NULL, NULL, NULL},
};

#undef AT

/* Reads the top level of 'root'. */
static enum st
read_top(struct reader *reader, struct fy_node *root,
         struct scenario_values *values)
{
    *values = (struct scenario_values){0};
    fields_init(reader, scenario_fields, N_FIELDS(scenario_fields), values);
    return fields_read(reader, root, "a scenario", scenario_fields,
                       N_FIELDS(scenario_fields), values, NULL);
}

/* Reads what says how many runs there are.  The nodes stay valid when values of
 * a run are put into the tree, which replaces others only. */
static enum st
read_sweep(struct reader *reader, struct fy_node *root, struct sweep *sweep)
{
    return sweep_read(reader, document_member(root, "seed"),
                      document_member(root, "sweep"),
                      document_member(root, "variants"), sweep);
}

static enum st
list_runs(struct reader *reader, struct fy_node *root,
          struct scenario_plan *plan)
{
    struct scenario_values values;
    struct scenario_run *runs = NULL;
    struct sweep sweep;
    enum st st = read_top(reader, root, &values);

    if (!st) {
        st = read_sweep(reader, root, &sweep);
    }
    if (st) {
        return st;
    }
    runs = arena_alloc(reader->arena, sweep.n_runs, sizeof *runs);
    for (size_t i = 0; !st && i < sweep.n_runs; i++) {
        st = sweep_run(reader, &sweep, i, &runs[i]);
    }
    plan->name = values.scenario.name;
    plan->runs = runs;
    plan->n_runs = sweep.n_runs;
    return st;
}

/* Parses the file of 'input' and puts the values from outside into it. */
static enum st
read_tree(struct reader *reader, const struct scenario_input *input,
          struct fy_node **root)
{
    enum st st = document_add(reader->document, input->file, input->text,
                              input->length, root, reader->err);

    for (size_t i = 0; !st && i < input->n_sets; i++) {
        const struct scenario_parameter *set = &input->sets[i];
        struct fy_node *value = NULL;

        if (!set->value[strspn(set->value, " \n")]) {
            return err_set(reader->err, ST_INVALID, "scenario",
                           "the value of '%s' is missing", set->path);
        }
        st = document_add(reader->document, set->path, set->value,
                          strlen(set->value), &value, reader->err);
        if (!st) {
            st = sweep_put(reader, *root, document_member(*root, "sweep"),
                           set->path, value);
        }
    }
    return st;
}

enum st
scenario_list_runs(const struct scenario_input *input, struct arena *arena,
                   struct scenario_plan *plan, struct err *err)
{
    struct reader reader = {document_create(arena), arena, err,
                            input->check_metric,    NULL,  input->nics};
    struct fy_node *root = NULL;
    enum st st = read_tree(&reader, input, &root);

    if (!st) {
        st = list_runs(&reader, root, plan);
    }
    document_destroy(reader.document);
    return st;
}

/* Whether the guard also judges the last step before the run ends. */
static bool
rollout_ends(const struct rollout_spec *rollout, int64_t stop_ps)
{
    return (stop_ps - rollout->start_ps) / rollout->soak_ps >=
           (int64_t)rollout->n_steps;
}

/* Checks that what the run records begins before its end. */
static enum st
check_record(struct reader *reader, const struct scenario *scenario)
{
    const struct record_spec *record = &scenario->record;

    for (size_t i = 0; i < record->n_series; i++) {
        const struct series_spec *series = &record->series[i];
        const int64_t first_ps =
            series->start_ps ? series->start_ps : series->every_ps;

        if (first_ps > scenario->stop_ps) {
            return scenario_fail(scenario, &series->place, reader->err,
                                 "the first sample is when the run has ended "
                                 "('stop'): it is at 'start', or else after "
                                 "'every'");
        }
    }
    if (record->gaps_ps > scenario->stop_ps ||
        record->deadlocks_ps > scenario->stop_ps) {
        return scenario_fail(scenario, &record->place, reader->err,
                             "the first look for '%s' is when the run has "
                             "ended ('stop')",
                             record->gaps_ps > scenario->stop_ps ? "gaps"
                                                                 : "deadlocks");
    }
    return ST_OK;
}

/* Returns whether 'item' is carried by RDMA, whose packets the adapter looks
 * up. */
static bool
is_rdma(const struct traffic_spec *item)
{
    return item->kind == TRAFFIC_RC || item->kind == TRAFFIC_SU_RDMA ||
           item->kind == TRAFFIC_SK_RDMA ||
           (item->kind == TRAFFIC_PING &&
            item->transport == TRAFFIC_TRANSPORT_RDMA);
}

/* Checks that something uses the caches of hosts. */
static enum st
check_caches(struct reader *reader, const struct scenario *scenario)
{
    bool is_rdma_used = !scenario->n_traffic, is_srd_used = false;

    for (size_t i = 0; i < scenario->n_traffic; i++) {
        is_rdma_used |= is_rdma(&scenario->traffic[i]);
        is_srd_used |= scenario->traffic[i].kind == TRAFFIC_SRD;
    }
    for (size_t i = 0; !is_rdma_used && i < scenario->n_hosts; i++) {
        const struct host_spec *host = &scenario->hosts[i];

        if (!host->caches.is_of_nic &&
            (host->caches.translations ||
             (host->caches.contexts && !is_srd_used))) {
            return scenario_fail(
                scenario, &host->place, reader->err,
                "'caches' of '%s' are never used: they are of traffic 'rc', "
                "'su_rdma', 'sk_rdma', 'ping' over rdma and, without 'mtt', "
                "'srd', and "
                "there is none; add some, or remove 'caches'",
                host->name);
        }
    }
    return ST_OK;
}

/* Checks that something uses the memory of hosts. */
static enum st
check_memory(struct reader *reader, const struct scenario *scenario)
{
    bool is_used = !scenario->n_traffic;

    for (size_t i = 0; i < scenario->n_traffic; i++) {
        is_used |= scenario->traffic[i].kind == TRAFFIC_SU_RDMA;
    }
    for (size_t i = 0; i < scenario->n_hosts; i++) {
        const struct host_spec *host = &scenario->hosts[i];
        const struct memory_spec *memory = &host->memory;

        if (memory->enabled && !is_used) {
            return scenario_fail(
                scenario, &host->place, reader->err,
                "'memory' of '%s' is never used: it is of traffic 'su_rdma', "
                "and there is none; add some, or remove 'memory'",
                host->name);
        }
        if ((memory->register_ps || memory->copy_bps) && !host->cpu.enabled) {
            return scenario_fail(
                scenario, &host->place, reader->err,
                "'register' and 'copy' of 'memory' are work of cores, and '%s' "
                "has none: set 'cpu', or leave them out",
                host->name);
        }
    }
    return ST_OK;
}

/* Checks that something uses the disks of hosts, and has steps to record. */
static enum st
check_ssd(struct reader *reader, const struct scenario *scenario)
{
    bool is_used = !scenario->n_traffic;

    for (size_t i = 0; i < scenario->n_traffic; i++) {
        is_used |= scenario->traffic[i].disk != NULL;
    }
    if (!is_used && scenario->record.spans) {
        return scenario_fail(scenario, &scenario->record.place, reader->err,
                             "'spans' are of traffic 'disk', and there is "
                             "none; add some, or remove 'spans'");
    }
    for (size_t i = 0; !is_used && i < scenario->n_hosts; i++) {
        const struct host_spec *host = &scenario->hosts[i];
        const char *unused = host->ssd.enabled ? "ssd"
                             : host->cpu.io_ps ? "io_op"
                                               : NULL;

        if (unused) {
            return scenario_fail(
                scenario, &host->place, reader->err,
                "'%s' of '%s' is never used: it is of traffic 'disk', and "
                "there is none; add some, or remove '%s'",
                unused, host->name, unused);
        }
    }
    return ST_OK;
}

/* Checks that something has operations that Estats see. */
static enum st
check_estats(struct reader *reader, const struct scenario *scenario)
{
    bool is_seen = !scenario->n_traffic || !scenario->record.estats.every_ps;

    for (size_t i = 0; i < scenario->n_traffic; i++) {
        const struct traffic_spec *item = &scenario->traffic[i];

        is_seen |= item->kind != TRAFFIC_SU_RDMA &&
                   item->kind != TRAFFIC_SK_RDMA && is_rdma(item);
    }
    return is_seen
               ? ST_OK
               : scenario_fail(scenario, &scenario->record.place, reader->err,
                               "'estats' are of traffic 'rc' and of 'ping' "
                               "over rdma, and there is none; add some, or "
                               "remove 'estats'");
}

/* Checks that connections of 'item' change their transport during the run. */
static enum st
check_failover(struct reader *reader, const struct scenario *scenario,
               const struct traffic_spec *item)
{
    const struct failover_spec *failover = &item->su.failover;

    if (item->kind == TRAFFIC_SU_RDMA && failover->enabled &&
        failover->at_ps != QUANTITY_INFINITE &&
        failover->at_ps >= scenario->stop_ps) {
        return scenario_fail(scenario, &item->place, reader->err,
                             "the failover of '%s' is 'at' a time when the run "
                             "has ended ('stop')",
                             item->name);
    }
    return ST_OK;
}

/* Checks that faults begin, and restarts and repairs end, before the run is
 * over. */
static enum st
check_planned(const struct scenario *scenario, struct err *err)
{
    for (size_t i = 0; i < scenario->n_faults; i++) {
        const struct fault_spec *fault = &scenario->faults[i];

        if (fault->at_ps >= scenario->stop_ps) {
            return scenario_fail(scenario, &fault->place, err,
                                 "the fault is 'at' a time when the run has "
                                 "ended ('stop')");
        }
        if (fault->jitter_ps >= scenario->stop_ps - fault->at_ps) {
            return scenario_fail(scenario, &fault->place, err,
                                 "the fault may begin when the run has ended "
                                 "('stop'): it begins up to 'jitter' after "
                                 "'at'");
        }
    }
    for (size_t i = 0; i < scenario->n_restarts; i++) {
        const struct restart_spec *restart = &scenario->restarts[i];

        if (restart->at_ps + restart->jitter_ps + restart->for_ps >=
            scenario->stop_ps) {
            return scenario_fail(scenario, &restart->place, err,
                                 "the restart may not be over when the run "
                                 "ends ('stop')");
        }
    }
    for (size_t i = 0; i < scenario->n_repairs; i++) {
        const struct repair_spec *repair = &scenario->repairs[i];

        if (repair->at_ps + repair->jitter_ps + repair->reload_ps >=
            scenario->stop_ps) {
            return scenario_fail(scenario, &repair->place, err,
                                 "the driver may not be loaded again when the "
                                 "run ends ('stop'): that is 'reload' after "
                                 "'at', or up to 'jitter' later");
        }
    }
    return ST_OK;
}

/* Checks what the sections mean together. */
static enum st
check_together(struct reader *reader, const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        const struct traffic_spec *item = &scenario->traffic[i];

        if (item->start_ps >= scenario->stop_ps) {
            return scenario_fail(scenario, &item->place, reader->err,
                                 "'%s' starts when the run has ended ('stop')",
                                 item->name);
        }
        if (check_failover(reader, scenario, item)) {
            return ST_INVALID;
        }
    }
    if (check_planned(scenario, reader->err)) {
        return ST_INVALID;
    }
    if (scenario->rollout.n_steps &&
        !rollout_ends(&scenario->rollout, scenario->stop_ps)) {
        return scenario_fail(scenario, &scenario->rollout.place, reader->err,
                             "the rollout is not over when the run ends "
                             "('stop'): it takes 'start', and 'soak' for each "
                             "of its %zu steps",
                             scenario->rollout.n_steps);
    }
    if (check_record(reader, scenario) || check_estats(reader, scenario) ||
        check_caches(reader, scenario) || check_ssd(reader, scenario)) {
        return ST_INVALID;
    }
    return check_memory(reader, scenario);
}

/* Implements fields_item_fn. */
static enum st
read_assumption(struct reader *reader, struct fy_node *node, void *context)
{
    const struct field text = {"assumptions", FIELD_TEXT, 0, NULL, NULL, NULL};

    return fields_read_value(reader, node, &text, context);
}

static enum st
read_assumptions(struct reader *reader, struct fy_node *node,
                 struct scenario *scenario)
{
    struct fields_list list;
    const enum st st = fields_read_list(reader, node, sizeof(const char *),
                                        read_assumption, &list);

    scenario->assumptions = list.items;
    scenario->n_assumptions = list.n;
    return st;
}

/* Returns whether 'text' is one of the 'n' of 'list'. */
static bool
is_listed(const char *const *list, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(list[i], text)) {
            return true;
        }
    }
    return false;
}

/* Adds what the adapters of the hosts assume, each once. */
static void
add_nic_assumptions(struct reader *reader, struct scenario *scenario)
{
    size_t n = scenario->n_assumptions;
    const char **list;

    for (size_t i = 0; i < scenario->n_hosts; i++) {
        n += scenario->hosts[i].n_nic_assumptions;
    }
    list = arena_alloc(reader->arena, n + 1, sizeof *list);
    n = scenario->n_assumptions;
    for (size_t i = 0; i < n; i++) {
        list[i] = scenario->assumptions[i];
    }
    for (size_t i = 0; i < scenario->n_hosts; i++) {
        const struct host_spec *host = &scenario->hosts[i];

        for (size_t k = 0; k < host->n_nic_assumptions; k++) {
            if (!is_listed(list, n, host->nic_assumptions[k])) {
                list[n++] = host->nic_assumptions[k];
            }
        }
    }
    scenario->assumptions = list;
    scenario->n_assumptions = n;
}

/* Reads all sections of a tree into which the values of the run were put. */
static enum st
read_sections(struct reader *reader, const struct scenario_values *values,
              struct scenario *scenario)
{
    enum st st = section_fabric(reader, values->fabric, &scenario->fabric);

    st = st ? st : read_assumptions(reader, values->assumptions, scenario);
    if (!st) {
        st = section_hosts(reader, values->hosts, scenario);
        add_nic_assumptions(reader, scenario);
    }
    if (!st) {
        st = section_traffic(reader, values->traffic, scenario);
    }
    if (!st) {
        st = section_faults(reader, values->faults, scenario);
    }
    if (!st) {
        st = section_restarts(reader, values->restarts, scenario);
    }
    st = st ? st : section_repairs(reader, values->repairs, scenario);
    st = st ? st : section_rollout(reader, values->rollout, scenario);
    st = st ? st : section_drift(reader, values->drift, scenario);
    if (!st) {
        st = section_record(reader, values->record, scenario);
    }
    if (!st) {
        st = section_expect(reader, values->expect, values->sweep,
                            values->variants, scenario);
    }
    return st ? st : check_together(reader, scenario);
}

/* Parses run 'number' of the tree below 'root'. */
static enum st
parse_run(struct reader *reader, struct fy_node *root, const char *file,
          size_t number, struct scenario *scenario)
{
    struct scenario_values values;
    struct sweep sweep;
    enum st st = read_top(reader, root, &values);

    if (!st) {
        st = read_sweep(reader, root, &sweep);
    }
    if (!st && number >= sweep.n_runs) {
        st = document_fail(reader->document, root, reader->err,
                           "there is no run %zu; the file has %zu", number,
                           sweep.n_runs);
    }
    if (!st) {
        st = sweep_apply(reader, &sweep, number, root);
    }
    if (!st) {
        st = read_top(reader, root, &values);
    }
    if (!st) {
        *scenario = values.scenario;
        scenario->file = arena_strdup(reader->arena, file);
        st = sweep_run(reader, &sweep, number, &scenario->run);
        scenario->text = sweep_text(reader, root, scenario->run.seed);
    }
    return st ? st : read_sections(reader, &values, scenario);
}

enum st
scenario_parse(const struct scenario_input *input, size_t number,
               struct arena *arena, struct scenario *scenario, struct err *err)
{
    struct reader reader = {document_create(arena), arena, err,
                            input->check_metric,    NULL,  input->nics};
    struct fy_node *root = NULL;
    enum st st = read_tree(&reader, input, &root);

    if (!st) {
        st = parse_run(&reader, root, input->file, number, scenario);
    }
    document_destroy(reader.document);
    return st;
}

enum st
scenario_fail(const struct scenario *scenario,
              const struct scenario_place *place, struct err *err,
              const char *format, ...)
{
    char reason[sizeof err->reason];
    va_list args;

    va_start(args, format);
    text_vformat(reason, sizeof reason, format, args);
    va_end(args);
    if (!place->line) {
        return err_set(err, ST_INVALID, "scenario", "%s", reason);
    }
    return err_set(err, ST_INVALID, "scenario", "%s:%u:%u: %s", scenario->file,
                   place->line, place->column, reason);
}
