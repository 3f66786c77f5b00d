/* SPDX-License-Identifier: Apache-2.0 */

/* The dynamic buffer model in the flow, on an attribute store: time from an
 * empty switch until all ports have their generated profiles, and CPU time of
 * the change of one cable.  Prints one JSON object per line. */

#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/intent/schema.h"
#include "orchd/reconcile/agent.h"
#include "tests/support/asic_table.h"
#include "vendors/store/store.h"

enum { FEW = 32, MANY = 514, ROUNDS = 200, NAME_SIZE = 32 };

static double
cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct bench {
    struct agent *agent;
    struct field *cables;
    char (*names)[NAME_SIZE];
    size_t n_ports;
};

static void
put(struct bench *bench, enum table table, const char *key,
    const struct field *fields, size_t n)
{
    intent_put(agent_intent(bench->agent), table, key, fields, n, 0);
}

static void
put_cables(struct bench *bench, size_t port, const char *length)
{
    bench->cables[port].value = length;
    put(bench, TABLE_CABLE_LENGTH, "AZURE", bench->cables, bench->n_ports);
}

static void
put_all(struct bench *bench)
{
    static const struct field device[] = {{"buffer_model", "dynamic"},
                                          {"platform", "x86_64-kvm_x86_64-r0"}};
    static const struct field defaults[] = {{"default_dynamic_th", "0"},
                                            {"over_subscribe_ratio", "2"}};
    static const struct field pool[] = {{"type", "ingress"},
                                        {"mode", "dynamic"}};
    static const struct field group[] = {{"profile", "NULL"}};

    put(bench, TABLE_DEVICE_METADATA, "localhost", device, 2);
    put(bench, TABLE_DEFAULT_LOSSLESS_BUFFER_PARAMETER, "AZURE", defaults, 2);
    put(bench, TABLE_BUFFER_POOL, "ingress_lossless_pool", pool, 2);
    for (size_t i = 0; i < bench->n_ports; i++) {
        char key[NAME_SIZE + 8], lanes[NAME_SIZE];
        const struct field port[] = {
            {"lanes", lanes}, {"speed", "100000"}, {"admin_status", "up"}};

        text_format(bench->names[i], NAME_SIZE, "Ethernet%zu", i);
        text_format(lanes, sizeof lanes, "%zu", i + 1);
        text_format(key, sizeof key, "%s|3-4", bench->names[i]);
        bench->cables[i] = (struct field){bench->names[i], "5m"};
        put(bench, TABLE_PORT, bench->names[i], port, 3);
        put(bench, TABLE_BUFFER_PG, key, group, 1);
    }
    put_cables(bench, 0, "5m");
}

static void
run_turns(struct bench *bench)
{
    while (agent_turn(bench->agent, 0, SIZE_MAX)) {
        continue;
    }
}

static void
report(const char *name, size_t n_ports, double ns)
{
    printf("{\"bench\": \"%s\", \"params\": {\"ports\": %zu}, \"value\": %.1f, "
           "\"unit\": \"us\"}\n",
           name, n_ports, ns / 1e3);
}

static void
measure(struct schema *schema, size_t n_ports)
{
    static const struct listener observer = {.context = NULL};
    const struct store_config config = {.memory_kb = UINT64_C(1) << 20,
                                        .with_switch = true};
    struct dynamic_state_chip chip = {.known = true};
    struct timeline *timeline = timeline_create();
    struct store *store = store_create(&config);
    struct bench bench = {.agent =
                              agent_create(schema, timeline, &observer, false),
                          .cables = check_calloc(n_ports, sizeof *bench.cables),
                          .names = check_calloc(n_ports, NAME_SIZE),
                          .n_ports = n_ports};
    struct agent_figures figures;
    struct err err;
    double start;
    bool known = asic_table_find("VS-ASIC", &chip.asic);
    enum st st = agent_attach(bench.agent, store_backend(store), &err);

    orch_assert(known && st == ST_OK);
    agent_set_chip(bench.agent, &chip);
    start = cpu_ns();
    put_all(&bench);
    run_turns(&bench);
    report("dynamic_converge", n_ports, cpu_ns() - start);
    agent_figures(bench.agent, &figures);
    orch_assert(figures.n_rows[ROW_STATE_APPLIED] >= 2 * n_ports + 2);
    start = cpu_ns();
    for (size_t i = 0; i < ROUNDS; i++) {
        put_cables(&bench, i % n_ports, (i / n_ports) % 2 ? "5m" : "40m");
        run_turns(&bench);
    }
    report("dynamic_cable", n_ports, (cpu_ns() - start) / ROUNDS);
    agent_destroy(bench.agent);
    store_destroy(store);
    timeline_destroy(timeline);
    free(bench.cables);
    free(bench.names);
}

int
main(void)
{
    struct schema *schema;
    struct err err = {0};

    if (schema_create(SCHEMA_DIR, &schema, &err)) {
        fprintf(stderr, "bench_dynamic: %s\n", err.reason);
        return 1;
    }
    measure(schema, FEW);
    measure(schema, MANY);
    schema_destroy(schema);
    return 0;
}
