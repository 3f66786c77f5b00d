/* SPDX-License-Identifier: Apache-2.0 */

/* Scenarios of fabrics.
 *
 * An input is read as a scenario, with values from outside behind it
 * (bytes_file()); those whose names begin with "host." change a host of each
 * run.  A run that is accepted makes a topology that keeps its promises, flows
 * between hosts of it, and routes without a loop, also while links fail. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lab/builder/flows.h"
#include "lab/builder/references.h"
#include "lab/builder/routes.h"
#include "lab/builder/topology.h"
#include "lab/scenario/nic_files.h"
#include "lab/scenario/scenario.h"
#include "tests/fuzz/fuzz.h"

/* More takes too long for a fuzzer. */
enum { MAX_RUNS = 8, MAX_NODES = 500, MAX_FLOWS = 20000, MAX_FAILURES = 8 };

/* Implements route_fn. */
static void
check_route(void *context, const struct route *route)
{
    const struct topology_node *node = context;
    uint8_t length = route->prefix.length;

    FUZZ_CHECK(length <= 32 && route->next_hops.n > 0);
    FUZZ_CHECK(length == 32 || !(route->prefix.address & UINT32_MAX >> length));
    for (uint32_t i = 0; i < route->next_hops.n; i++) {
        FUZZ_CHECK(route->next_hops.ports[i] < node->n_ports);
    }
}

static void
try_routes(const struct scenario *scenario, const struct topology *topology)
{
    struct routes *routes =
        fabric_routes_create(topology, scenario->fabric.routing);
    struct err err = {0};

    for (uint32_t i = 0; i < MAX_FAILURES && i <= topology->n_links; i++) {
        if (fabric_routes_check(routes, &err)) {
            FUZZ_CHECK(strcmp(err.code, "loop") != 0);
        }
        for (uint32_t k = 0; k < topology->n_switches; k++) {
            fabric_routes_each(routes, k, check_route, &topology->nodes[k]);
        }
        if (topology->n_links) {
            fabric_routes_set_link(routes, i * 7 % topology->n_links, false);
        }
    }
    fabric_routes_destroy(routes);
}

/* Returns whether a fabric and its traffic are small enough. */
static bool
is_small(const struct scenario *scenario)
{
    const struct fabric_sizes *sizes = &scenario->fabric.sizes;
    int64_t n = sizes->dcs * sizes->podsets *
                (sizes->t0 * (sizes->hosts + 1) + sizes->t1);
    int64_t links = 0;

    for (size_t i = 0; i < scenario->fabric.n_links; i++) {
        links += scenario->fabric.links[i].parallel;
    }
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        if (scenario->traffic[i].qps > 16) {
            return false;
        }
    }
    for (int i = 0; i < FABRIC_N_LEVELS; i++) {
        if (scenario->fabric.levels[i].parallel > 4) {
            return false;
        }
    }
    return n + sizes->t2 + sizes->rh < MAX_NODES && links < MAX_NODES &&
           scenario->n_traffic < 16;
}

/* Returns what 'name' is a key of a host behind, NULL if it is none. */
static const char *
host_key(const char *name)
{
    static const char prefix[] = "host.";

    return strncmp(name, prefix, sizeof prefix - 1) == 0
               ? name + sizeof prefix - 1
               : NULL;
}

/* Changes the hosts that a run has by default. */
static void
try_changes(const struct bytes_file *file, const struct scenario *scenario,
            struct arena *arena)
{
    for (size_t i = 0; scenario->n_hosts && i < file->n_sets; i++) {
        const char *key = host_key(file->sets[i].name);
        struct host_spec host = scenario->hosts[0];
        struct err err = {0};

        if (key &&
            scenario_set_host(&host, key, file->sets[i].value, arena, &err)) {
            FUZZ_CHECK(err.status == ST_INVALID && err.reason[0]);
        }
    }
}

/* A refusal is explained with its place, unless a value from outside is the
 * cause. */
static void
check_refusal(enum st st, const struct scenario_input *input,
              const struct err *err)
{
    FUZZ_CHECK(st == ST_INVALID && err->status == st && err->reason[0]);
    FUZZ_CHECK(input->n_sets || !strncmp(err->reason, "input.yaml:", 11));
}

static void
try_run(const struct bytes_file *file, const struct scenario_input *input,
        size_t number, struct arena *arena)
{
    struct scenario scenario;
    struct topology topology;
    struct flow_list flows = {0};
    struct err err = {0};
    enum st st = scenario_parse(input, number, arena, &scenario, &err);

    if (!st) {
        try_changes(file, &scenario, arena);
    }
    if (!st && is_small(&scenario)) {
        st = topology_build(&scenario.fabric, input->file, arena, &topology,
                            &err);
        if (!st) {
            topology_check(&topology);
            try_routes(&scenario, &topology);
            st = references_check(&scenario, &topology, arena, &err);
        }
        if (!st && topology.n_hosts < 64) {
            st = flows_create(&scenario, &topology, arena, &flows, &err);
        }
        for (size_t i = 0; !st && i < flows.n && i < MAX_FLOWS; i++) {
            FUZZ_CHECK(topology.nodes[flows.flows[i].source].is_host);
            FUZZ_CHECK(topology.nodes[flows.flows[i].destination].is_host);
        }
    }
    if (st) {
        check_refusal(st, input, &err);
    }
}

/* The adapter that seeds name. */
static const char nic_text[] =
    "name: gen1\nabout: x\nassumptions: x\nburst: 16\ndcqcn: paper\n"
    "rc: {recovery_delay: 300us}\ncaches: {contexts: 4}\n";
static const struct nic_file nic = {"gen1", "gen1.yaml", nic_text,
                                    sizeof nic_text - 1};
static const struct nic_files nics = {&nic, 1};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes_file file = bytes_file(data, size);
    struct scenario_parameter sets[BYTES_MAX_SETS];
    struct scenario_input input = {.file = "input.yaml",
                                   .text = file.text,
                                   .length = file.length,
                                   .sets = sets,
                                   .nics = &nics};
    struct arena *arena = arena_create(0);
    struct scenario_plan plan = {0};
    struct scenario scenario;
    struct err err = {0};
    enum st st;

    for (size_t i = 0; i < file.n_sets; i++) {
        if (!host_key(file.sets[i].name)) {
            sets[input.n_sets++] = (struct scenario_parameter){
                file.sets[i].name, file.sets[i].value};
        }
    }
    st = scenario_list_runs(&input, arena, &plan, &err);
    if (st) {
        check_refusal(st, &input, &err);
        plan.n_runs = 0;
    } else {
        FUZZ_CHECK(scenario_parse(&input, plan.n_runs, arena, &scenario,
                                  &err) == ST_INVALID);
    }
    for (size_t i = 0; i < plan.n_runs && i < MAX_RUNS; i++) {
        try_run(&file, &input, i, arena);
    }
    arena_destroy(arena);
    free(file.text);
    return 0;
}
