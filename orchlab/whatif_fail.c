/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab whatif fail": what the failure of each link, or of each switch, does
 * to the hosts of a scenario.
 *
 * The scenario runs once without a failure and once with each.  In all of them
 * hosts.affected is sampled from the time of the failure on; a host that is
 * affected without a failure as well, because it has nothing more to send, does
 * not count. */

#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/picoseconds.h"
#include "base/text.h"
#include "command/grid.h"
#include "lab/measure/metric.h"
#include "lab/scenario/quantity.h"
#include "orchlab/failure_effect.h"
#include "orchlab/run_folders.h"
#include "orchlab/run_one.h"
#include "orchlab/run_plan.h"
#include "orchlab/verb.h"
#include "orchlab/whatif.h"
#include "orchlab/whatif_links.h"

enum {
    ARENA_BLOCK = 1 << 16,
    SAMPLES = 100, /* From the failure to the end, unless --every is given. */
    STARTS_AFTER = 4, /* The failure is after this part of the time. */
};

/* A run with or without a failure. */
struct outcome {
    const char *name;   /* What fails. */
    const char *faults; /* The value of 'faults'. */
    struct failure_effect effect;
};

/* All of them. */
struct inquiry {
    const struct invocation *invocation;
    struct run_manner manner;
    struct run_folders folders;
    struct arena *arena;
    int64_t at_ps, for_ps, every_ps;
    int64_t convergence_ps;
    uint32_t n_hosts;
    const char *what; /* "link" or "switch". */
    struct outcome usual;
    struct outcome *outcomes;
    size_t n;
    bool *is_chosen; /* By link, then by switch. */
};

/* The plan ------------------------------------------------------------------
 */

/* Reads the file with the values of the command line and, if it is not NULL,
 * those of 'outcome'; there has to be one run. */
static enum st
read_plan(const struct inquiry *inquiry, const struct outcome *outcome,
          struct run_plan *plan, struct err *err)
{
    const struct invocation *invocation = inquiry->invocation;
    const json_t *given = json_object_get(invocation->arguments, "set");
    json_t *sets = given ? json_copy((json_t *)given) : json_array();
    const struct run_plan_options options = {
        .sets = sets,
        .seed = verb_option(invocation, "seed", NULL),
        .only = verb_option(invocation, "only", NULL),
        .nics = inquiry->manner.options.nics_dir};
    enum st st;

    if (outcome) {
        json_array_append_new(sets, json_string("stop_when_done=false"));
        json_array_append_new(sets, json_sprintf("faults=%s", outcome->faults));
        json_array_append_new(
            sets, json_sprintf("record={series: {of: hosts.affected, every: "
                               "%" PRId64 "ps}}",
                               inquiry->every_ps));
    }
    st = run_plan_read(invocation->operands[1], &options, plan, err);
    json_decref(sets);
    if (!st && plan->n_chosen != 1) {
        st = err_set(err, ST_INVALID, "usage",
                     "whatif is about one run, and %s has %zu",
                     invocation->operands[1], plan->n_chosen);
        err_set_remedy(err,
                       "choose one with --only and --seed; see orchlab "
                       "run %s --runs",
                       invocation->operands[1]);
    }
    return st;
}

/* Reads option 'name' as a time; without it '*ps' stays. */
static enum st
read_time(const struct inquiry *inquiry, const char *name, int64_t most_ps,
          int64_t *ps, struct err *err)
{
    const char *text = verb_option(inquiry->invocation, name, NULL);
    struct err wrong;

    if (!text) {
        return ST_OK;
    }
    if (quantity_parse(QUANTITY_TIME, text, ps, &wrong)) {
        return err_set(err, ST_INVALID, "usage", "--%s: %s", name,
                       wrong.reason);
    }
    if (*ps < PS_PER_US || *ps > most_ps) {
        return err_set(err, ST_INVALID, "usage",
                       "--%s %s is not within 1us..%" PRId64 "us", name, text,
                       most_ps / PS_PER_US);
    }
    return ST_OK;
}

/* Sets the times of the failure in a run that ends at 'stop_ps'. */
static enum st
read_times(struct inquiry *inquiry, int64_t stop_ps, struct err *err)
{
    const int64_t latest_ps = stop_ps - PS_PER_US;
    enum st st;

    if (stop_ps < 2 * STARTS_AFTER * PS_PER_US) {
        (void)err_set(err, ST_INVALID, "usage",
                      "the scenario is too short for a failure: it stops "
                      "after %" PRId64 " ns, and %d us are needed",
                      stop_ps / PS_PER_NS, 2 * STARTS_AFTER);
        err_set_remedy(err, "give it a later 'stop', for example with --set "
                            "stop=1ms");
        return ST_INVALID;
    }
    inquiry->at_ps = stop_ps / STARTS_AFTER;
    inquiry->for_ps = QUANTITY_INFINITE;
    st = read_time(inquiry, "at", latest_ps, &inquiry->at_ps, err);
    st = st ? st
            : read_time(inquiry, "for", QUANTITY_INFINITE, &inquiry->for_ps,
                        err);
    inquiry->every_ps = (stop_ps - inquiry->at_ps) / SAMPLES;
    if (inquiry->every_ps < PS_PER_US) {
        inquiry->every_ps = PS_PER_US;
    }
    return st ? st
              : read_time(inquiry, "every", stop_ps - inquiry->at_ps,
                          &inquiry->every_ps, err);
}

/* What fails ----------------------------------------------------------------
 */

/* Appends a fault of link 'link' to 'faults'. */
static void
add_fault(const struct inquiry *inquiry, const struct topology *topology,
          uint32_t link, const char *fault, struct text *faults)
{
    const struct topology_link *of = &topology->links[link];

    text_add(faults, faults->length ? ", " : "[");
    text_addf(faults, "{%s, link: %s.%s.%u, at: %" PRId64 "ps", fault,
              topology->nodes[of->node[0]].name,
              topology->nodes[of->node[1]].name, (unsigned int)of->parallel,
              inquiry->at_ps);
    if (inquiry->for_ps != QUANTITY_INFINITE) {
        text_addf(faults, ", for: %" PRId64 "ps", inquiry->for_ps);
    }
    text_add(faults, "}");
}

static void
add_outcome(struct inquiry *inquiry, const char *name, struct text *faults)
{
    text_add(faults, "]");
    inquiry->outcomes[inquiry->n++] = (struct outcome){
        .name = arena_strdup(inquiry->arena, name),
        .faults = arena_strdup(inquiry->arena, text_string(faults))};
    text_fini(faults);
}

/* Adds the failure of 'link', unless it is there. */
static void
add_link(struct inquiry *inquiry, const struct topology *topology,
         uint32_t link)
{
    struct text faults = {0}, name = {0};

    if (inquiry->is_chosen[link]) {
        return;
    }
    inquiry->is_chosen[link] = true;
    whatif_name_link(topology, link, &name);
    add_fault(inquiry, topology, link, "down: true", &faults);
    add_outcome(inquiry, text_string(&name), &faults);
    text_fini(&name);
}

/* Adds the failure of switch 'node', which takes all its links down, unless it
 * is there. */
static void
add_switch(struct inquiry *inquiry, const struct topology *topology,
           uint32_t node)
{
    bool *is_chosen = &inquiry->is_chosen[topology->n_links + node];
    struct text faults = {0};

    if (*is_chosen) {
        return;
    }
    *is_chosen = true;
    for (uint32_t i = 0; i < topology->nodes[node].n_ports; i++) {
        add_fault(inquiry, topology, topology_port(topology, node, i)->link,
                  "down: true", &faults);
    }
    add_outcome(inquiry, topology->nodes[node].name, &faults);
}

/* Stores the switch called 'name' in '*node'. */
static enum st
find_switch(const struct topology *topology, const char *name, uint32_t *node,
            struct err *err)
{
    struct choices choices;

    *node = topology_find(topology, name);
    if (*node != TOPOLOGY_NONE && !topology->nodes[*node].is_host) {
        return ST_OK;
    }
    choices_init(&choices, name);
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        choices_add(&choices, topology->nodes[i].name);
    }
    (void)err_set(err, ST_INVALID, "usage",
                  "there is no switch '%.60s' in the scenario", name);
    return choices_explain(&choices, "switch", err);
}

/* Adds the links or switches that the command line names. */
static enum st
add_named(struct inquiry *inquiry, const struct topology *topology,
          const char *what, struct err *err)
{
    const json_t *names = json_object_get(inquiry->invocation->arguments, what);
    const bool is_link = strcmp(what, "link") == 0;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        uint32_t found;

        st = is_link ? whatif_find_link(topology, name, true, &found, err)
                     : find_switch(topology, name, &found, err);
        if (!st) {
            (is_link ? add_link : add_switch)(inquiry, topology, found);
        }
    }
    return st;
}

/* Chooses what fails. */
static enum st
choose_failures(struct inquiry *inquiry, const struct topology *topology,
                struct err *err)
{
    const json_t *arguments = inquiry->invocation->arguments;
    const bool named = json_object_get(arguments, "link") ||
                       json_object_get(arguments, "switch");
    const char *each =
        verb_option(inquiry->invocation, "each", named ? "" : "link");
    const size_t most = topology->n_links + topology->n_switches;
    struct text faults = {0};
    enum st st;

    if (*each && strcmp(each, "link") != 0 && strcmp(each, "switch") != 0) {
        return err_set(err, ST_INVALID, "usage",
                       "--each is link or switch, not '%.40s'", each);
    }
    inquiry->outcomes =
        arena_alloc(inquiry->arena, most, sizeof *inquiry->outcomes);
    inquiry->is_chosen =
        arena_alloc(inquiry->arena, most, sizeof *inquiry->is_chosen);
    st = add_named(inquiry, topology, "link", err);
    st = st ? st : add_named(inquiry, topology, "switch", err);
    for (uint32_t i = 0; strcmp(each, "link") == 0 && i < topology->n_links;
         i++) {
        if (whatif_joins_switches(topology, i)) {
            add_link(inquiry, topology, i);
        }
    }
    for (uint32_t i = 0;
         strcmp(each, "switch") == 0 && i < topology->n_switches; i++) {
        add_switch(inquiry, topology, i);
    }
    /* Without a failure there is a fault that does nothing. */
    add_fault(inquiry, topology, 0, "loss: 0", &faults);
    text_add(&faults, "]");
    inquiry->usual.faults = arena_strdup(inquiry->arena, text_string(&faults));
    text_fini(&faults);
    inquiry->what = *each ? each : "one";
    return st;
}

/* Runs ----------------------------------------------------------------------
 */

/* Carries out the run of 'outcome'. */
static enum st
carry_out(struct inquiry *inquiry, struct outcome *outcome, struct err *err)
{
    struct arena *arena = arena_create(ARENA_BLOCK);
    struct run_outcome run;
    struct run_plan plan;
    enum st st = read_plan(inquiry, outcome, &plan, err);

    st =
        st ? st
           : run_one(&inquiry->manner, &plan, plan.chosen[0], arena, &run, err);
    if (!st && run.state == RESULTS_INTERRUPTED) {
        st = err_set(err, ST_BUSY, "interrupted", "interrupted");
    } else if (!st && run.state == RESULTS_FAILED) {
        *err = run.failure;
        st = err->status;
    }
    st = st ? st : failure_effect_read(run.path, &outcome->effect, err);
    arena_destroy(arena);
    run_plan_fini(&plan);
    return st;
}

static int
by_damage(const void *left, const void *right)
{
    const struct outcome *a = left, *b = right;

    if (a->effect.most != b->effect.most) {
        return a->effect.most > b->effect.most ? -1 : 1;
    }
    if (a->effect.lasts_ps != b->effect.lasts_ps) {
        return a->effect.lasts_ps > b->effect.lasts_ps ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

/* Refuses a failure that begins after the last flow has ended without one: it
 * could affect nobody. */
static enum st
check_traffic(const struct inquiry *inquiry, struct err *err)
{
    const int64_t end_ps = inquiry->usual.effect.end_ps;
    const int64_t early_us = end_ps / STARTS_AFTER / PS_PER_US;
    char at[METRIC_TEXT_SIZE], end[METRIC_TEXT_SIZE];

    if (end_ps > inquiry->at_ps) {
        return ST_OK;
    }
    (void)err_set(
        err, ST_INVALID, "usage",
        "a failure at %s affects nobody: the last flow ends at %s",
        metric_text((double)inquiry->at_ps * 1e-12, METRIC_SECONDS, at),
        metric_text((double)end_ps * 1e-12, METRIC_SECONDS, end));
    err_set_remedy(err,
                   "let it begin earlier, for example with --at %" PRId64
                   "us, or give the scenario traffic that lasts longer",
                   early_us ? early_us : 1);
    return ST_INVALID;
}

static enum st
carry_out_all(struct inquiry *inquiry, struct err *err)
{
    enum st st =
        run_key_models(&inquiry->manner.options, &inquiry->manner.models, err);

    st = st ? st : carry_out(inquiry, &inquiry->usual, err);
    st = st ? st : check_traffic(inquiry, err);
    for (size_t i = 0; !st && i < inquiry->n; i++) {
        st = carry_out(inquiry, &inquiry->outcomes[i], err);
        if (!st) {
            failure_effect_compare(&inquiry->outcomes[i].effect,
                                   &inquiry->usual.effect, inquiry->n_hosts,
                                   inquiry->every_ps);
        }
    }
    if (!st) {
        qsort(inquiry->outcomes, inquiry->n, sizeof *inquiry->outcomes,
              by_damage);
    }
    return st;
}

/* Reports -------------------------------------------------------------------
 */

static void
print_time(struct text *text, int64_t ps)
{
    char buffer[METRIC_TEXT_SIZE];

    text_add(text, metric_text((double)ps * 1e-12, METRIC_SECONDS, buffer));
}

/* Says in a sentence what there is in the table. */
static void
print_summary(const struct inquiry *inquiry)
{
    const struct outcome *worst = &inquiry->outcomes[0];
    struct text text = {0};
    size_t n = 0;

    for (size_t i = 0; i < inquiry->n; i++) {
        n += inquiry->outcomes[i].effect.most > 0;
    }
    text_addf(&text, "%zu of %zu failures at ", n, inquiry->n);
    print_time(&text, inquiry->at_ps);
    text_addf(&text, " affect%s hosts", n == 1 ? "s" : "");
    if (n) {
        text_addf(&text,
                  "; the worst is that of %s: up to %" PRId64
                  " of %u host%s, for ",
                  worst->name, worst->effect.most, inquiry->n_hosts,
                  inquiry->n_hosts == 1 ? "" : "s");
        print_time(&text, worst->effect.lasts_ps);
    }
    text_add(&text, ".\nRoutes follow ");
    print_time(&text, inquiry->convergence_ps);
    text_add(&text, " after a failure; hosts were looked at every ");
    print_time(&text, inquiry->every_ps);
    printf("%s.\n", text_string(&text));
    text_fini(&text);
}

static void
print_table(const struct inquiry *inquiry)
{
    static const struct grid_column columns[] = {
        {"fails", false},       {"hosts affected", true}, {"for", true},
        {"flows failed", true}, {"payload", true},        {"p99 FCT", true},
        {"drops", true},
    };
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; i <= inquiry->n; i++) {
        const struct outcome *outcome =
            i < inquiry->n ? &inquiry->outcomes[i] : &inquiry->usual;
        char buffer[METRIC_TEXT_SIZE];

        grid_line(grid);
        grid_text(grid, i < inquiry->n ? outcome->name : "(nothing)");
        grid_number(grid, outcome->effect.most);
        grid_text(grid,
                  outcome->effect.lasts_ps
                      ? metric_text((double)outcome->effect.lasts_ps * 1e-12,
                                    METRIC_SECONDS, buffer)
                      : "");
        grid_number(grid, (int64_t)outcome->effect.failed);
        text_format(buffer, sizeof buffer, "%.1f %%",
                    100 * outcome->effect.bytes / inquiry->usual.effect.bytes);
        grid_text(grid, inquiry->usual.effect.bytes > 0 ? buffer : "");
        grid_text(grid, outcome->effect.p99_s > 0
                            ? metric_text(outcome->effect.p99_s, METRIC_SECONDS,
                                          buffer)
                            : "");
        grid_number(grid, (int64_t)outcome->effect.drops);
    }
    grid_print(grid, 0);
}

static json_t *
describe(const struct outcome *outcome)
{
    return json_pack(
        "{s:s?, s:I, s:I, s:I, s:I, s:o, s:I}", "fails", outcome->name,
        "hosts_affected", (json_int_t)outcome->effect.most, "affected_ps",
        (json_int_t)outcome->effect.lasts_ps, "flows_failed",
        (json_int_t)outcome->effect.failed, "bytes",
        (json_int_t)outcome->effect.bytes, "p99_fct_s",
        outcome->effect.p99_s > 0 ? json_real(outcome->effect.p99_s)
                                  : json_null(),
        "drops", (json_int_t)outcome->effect.drops);
}

static void
report(const struct inquiry *inquiry)
{
    json_t *list = json_array();

    if (!inquiry->invocation->json) {
        print_table(inquiry);
        print_summary(inquiry);
        json_decref(list);
        return;
    }
    for (size_t i = 0; i < inquiry->n; i++) {
        json_array_append_new(list, describe(&inquiry->outcomes[i]));
    }
    verb_print_json(json_pack(
        "{s:I, s:I, s:I, s:I, s:o, s:o}", "hosts", (json_int_t)inquiry->n_hosts,
        "at_ps", (json_int_t)inquiry->at_ps, "every_ps",
        (json_int_t)inquiry->every_ps, "convergence_ps",
        (json_int_t)inquiry->convergence_ps, "without_failure",
        describe(&inquiry->usual), "failures", list));
}

/* Loads the scenario and decides what fails, and when. */
static enum st
prepare(struct inquiry *inquiry, struct err *err)
{
    struct experiment experiment;
    struct run_plan plan;
    enum st st = read_plan(inquiry, NULL, &plan, err);

    st = st ? st
            : run_plan_load(&plan, plan.chosen[0], inquiry->arena, &experiment,
                            err);
    st = st ? st : read_times(inquiry, experiment.scenario.stop_ps, err);
    st = st ? st : choose_failures(inquiry, &experiment.topology, err);
    if (!st) {
        inquiry->n_hosts = experiment.topology.n_hosts;
        inquiry->convergence_ps = experiment.scenario.fabric.convergence_ps;
    }
    if (!st && !inquiry->n) {
        st = err_set(err, ST_INVALID, "usage",
                     "the scenario has no links between switches; try --each "
                     "switch");
    }
    run_plan_fini(&plan);
    return st;
}

/* Draws how many hosts each failure affects, and for how long. */
static enum st
draw(const struct inquiry *inquiry, struct err *err)
{
    struct whatif_value *values =
        arena_alloc(inquiry->arena, 2 * inquiry->n, sizeof *values);

    for (size_t i = 0; i < inquiry->n; i++) {
        const struct outcome *outcome = &inquiry->outcomes[i];

        values[2 * i] = (struct whatif_value){"hosts", outcome->name,
                                              (double)outcome->effect.most};
        values[2 * i + 1] = (struct whatif_value){
            "time", outcome->name, (double)outcome->effect.lasts_ps * 1e-9};
    }
    return whatif_draw(inquiry->invocation, "fail",
                       inquiry->invocation->operands[1], values, 2 * inquiry->n,
                       err);
}

int
whatif_fail(const struct invocation *invocation)
{
    struct inquiry inquiry = {.invocation = invocation,
                              .arena = arena_create(ARENA_BLOCK)};
    struct err err = {0};
    enum st st;
    int code;

    whatif_set_manner(invocation, &inquiry.folders, &inquiry.manner);
    st = prepare(&inquiry, &err);
    st = st ? st : carry_out_all(&inquiry, &err);
    if (!st) {
        report(&inquiry);
        st = draw(&inquiry, &err);
    }
    code = st                                    ? verb_fail(&err)
           : inquiry.outcomes[0].effect.most > 0 ? LAB_NO
                                                 : LAB_DONE;
    failure_effect_fini(&inquiry.usual.effect);
    for (size_t i = 0; i < inquiry.n; i++) {
        failure_effect_fini(&inquiry.outcomes[i].effect);
    }
    arena_destroy(inquiry.arena);
    return code;
}
