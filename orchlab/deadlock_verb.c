/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab deadlock": whether the switches of a scenario could wait for each
 * other in a cycle, whatever traffic there is. */

#include <config.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "command/grid.h"
#include "lab/builder/dependency.h"
#include "lab/exec/run.h"
#include "lab/measure/sink.h"
#include "orchlab/run_folders.h"
#include "orchlab/run_plan.h"
#include "orchlab/verb.h"

enum { ARENA_BLOCK = 1 << 16 };

const struct option deadlock_options[] = {
    {"set", OPTION_TEXTS, "PATH=VALUE", 0, 0,
     "put a value into the scenario; may be repeated"},
    {"only", OPTION_TEXT, "RUN", 0, 0,
     "only the run with that number or label, or those of a variant"},
    RUN_FOLDERS_OPTIONS,
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* What there is about one run. */
struct examination {
    const struct topology *topology;
    const char *label;
    json_t *list; /* NULL: print text. */
    size_t n_cycles;
    bool rolls_out; /* The configuration changes later. */
};

/* Returns the channels of a cycle as JSON. */
static json_t *
describe(const struct topology *topology,
         const struct dependency_channel *cycle, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        const struct topology_port *to =
            topology_port(topology, cycle[i].node, cycle[i].port);

        json_array_append_new(
            list, json_pack("{s:i, s:s, s:s, s:i, s:s}", "step", (int)i, "node",
                            topology->nodes[cycle[i].node].name, "peer",
                            topology->nodes[to->peer].name, "priority",
                            (int)cycle[i].priority, "destination",
                            topology->nodes[cycle[i].host].name));
    }
    return list;
}

/* Prints the channels of a cycle as a table. */
static void
print_cycle(const struct topology *topology,
            const struct dependency_channel *cycle, size_t n)
{
    static const struct grid_column columns[] = {
        {"step", true},     {"node", false},        {"peer", false},
        {"priority", true}, {"destination", false}, {"next", false}};
    struct grid *grid = grid_create(columns, 6);

    for (size_t i = 0; i < n; i++) {
        const uint32_t peer =
            topology_port(topology, cycle[i].node, cycle[i].port)->peer;
        const struct dependency_channel *next = &cycle[(i + 1) % n];
        const uint32_t then =
            topology_port(topology, next->node, next->port)->peer;

        grid_line(grid);
        grid_number(grid, (int64_t)i);
        grid_text(grid, topology->nodes[cycle[i].node].name);
        grid_text(grid, topology->nodes[peer].name);
        grid_number(grid, cycle[i].priority);
        grid_text(grid, topology->nodes[cycle[i].host].name);
        grid_text(grid, topology->nodes[then].name);
    }
    grid_print(grid, 2);
}

/* Says why nothing waits, and that this may not last. */
static void
print_none_lossless(const struct examination *examination, const char *text)
{
    printf("%s: %s, no queues can wait for each other in a cycle: no class is "
           "lossless between switches.\n",
           examination->label, text);
    if (examination->rolls_out) {
        printf("  The rollout may change that, and is not examined: put what "
               "it sets into fabric.switch with --set.\n");
    }
}

/* Examines 'run' as it is now, which 'text' says. */
static void
examine(struct examination *examination, struct run *run, const char *text)
{
    struct dependency *graph = run_dependency(run);
    const struct dependency_channel *cycle;
    const size_t n = dependency_find_cycle(graph, &cycle);

    examination->n_cycles += n > 0;
    if (examination->list) {
        json_array_append_new(
            examination->list,
            json_pack("{s:s, s:s, s:I, s:I, s:o}", "run", examination->label,
                      "condition", text, "channels",
                      (json_int_t)dependency_n_channels(graph), "dependencies",
                      (json_int_t)dependency_n_edges(graph), "cycle",
                      describe(examination->topology, cycle, n)));
    } else if (n) {
        printf("%s: %s, %zu queues can wait for each other in a cycle, each "
               "for the one below it:\n",
               examination->label, text, n);
        print_cycle(examination->topology, cycle, n);
    } else if (dependency_n_channels(graph)) {
        printf("%s: %s, no queues can wait for each other in a cycle (%zu "
               "channels, %zu dependencies).\n",
               examination->label, text, dependency_n_channels(graph),
               dependency_n_edges(graph));
    } else {
        print_none_lossless(examination, text);
    }
    dependency_destroy(graph);
}

/* Examines 'run' in each state of its links that differs from the start. */
static enum st
examine_links(struct examination *examination, struct run *run, struct err *err)
{
    bool exists = true;
    enum st st = ST_OK;

    for (size_t i = 0; !st && exists; i++) {
        struct text down = {0}, text = {0};

        st = run_imagine_links(run, i, &exists, &down, err);
        if (!st && exists && down.length) {
            text_addf(&text, "when %s %s down", text_string(&down),
                      strchr(text_string(&down), ',') ? "are" : "is");
            examine(examination, run, text_string(&text));
        }
        text_fini(&down);
        text_fini(&text);
    }
    return st;
}

/* Returns the label of 'run' without its seed, on which links and routes do not
 * depend, or 'name' if nothing is left of it. */
static const char *
label_of(const struct scenario_run *run, const char *name, struct arena *arena)
{
    const char *seed = strstr(run->label, "seed=");
    size_t n = seed ? (size_t)(seed - run->label) : strlen(run->label);

    while (n > 0 && strchr(", ", run->label[n - 1])) {
        n--;
    }
    return n ? arena_strndup(arena, run->label, n) : name;
}

/* Builds run 'number' of 'plan' and examines it under each condition. */
static enum st
examine_run(const struct run_plan *plan, size_t number,
            const struct run_options *options, struct examination *examination,
            struct err *err)
{
    static const struct sink sink;
    struct arena *arena = arena_create(ARENA_BLOCK);
    struct experiment experiment;
    struct run *run = NULL;
    bool changes = false;
    enum st st = run_plan_load(plan, number, arena, &experiment, err);

    st = st ? st : run_create(&experiment, options, &sink, &run, err);
    examination->topology = &experiment.topology;
    if (!st) {
        examination->rolls_out = experiment.scenario.rollout.n_steps > 0;
        examine(examination, run, run_condition_text(RUN_CONDITION_START));
        st = examine_links(examination, run, err);
    }
    st = st ? st : run_imagine(run, RUN_CONDITION_SILENT, &changes, err);
    if (!st && changes) {
        examine(examination, run, run_condition_text(RUN_CONDITION_SILENT));
    }
    run_destroy(run);
    arena_destroy(arena);
    return st;
}

int
deadlock_verb(const struct invocation *invocation)
{
    struct run_plan_options plan_options = {
        .sets = json_object_get(invocation->arguments, "set"),
        .only = verb_option(invocation, "only", NULL)};
    struct examination examination = {.list = invocation->json ? json_array()
                                                               : NULL};
    struct run_options options = {.configs_dir = NULL};
    struct run_folders folders;
    struct run_plan plan;
    struct err err = {0};
    enum st st;

    run_folders_find(invocation, &folders, &options);
    plan_options.nics = options.nics_dir;
    st = run_plan_read(invocation->operands[0], &plan_options, &plan, &err);
    for (size_t i = 0; !st && i < plan.n_chosen; i++) {
        const struct scenario_run *of = &plan.plan.runs[plan.chosen[i]];

        /* Links and routes do not depend on the seed. */
        if (of->seed == plan.plan.runs[plan.chosen[0]].seed) {
            examination.label = label_of(of, plan.plan.name, plan.arena);
            st = examine_run(&plan, plan.chosen[i], &options, &examination,
                             &err);
        }
    }
    run_plan_fini(&plan);
    if (st) {
        json_decref(examination.list);
        return verb_fail(&err);
    }
    if (examination.list) {
        verb_print_json(examination.list);
    }
    return examination.n_cycles ? LAB_NO : LAB_DONE;
}
