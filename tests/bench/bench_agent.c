/* SPDX-License-Identifier: Apache-2.0 */

/* What the flow itself costs, without Redis and without a device: rows of a
 * generated configuration into the agent, over the attribute store.
 *
 *   bench_agent [PORTS...]
 *
 * Prints one JSON object per line: applying everything to an empty ASIC,
 * changing one profile, replacing one that six priority groups of each port
 * are bound to, comparing everything when nothing changed, removing all rows.
 */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/intent/schema.h"
#include "orchd/reconcile/agent.h"
#include "vendors/store/store.h"

enum { N_RUNS = 5, N_CHANGES = 200 };

struct bench {
    struct timeline *timeline;
    struct store *store;
    struct agent *agent;
    int64_t now;
};

static void
on_status(void *context, const struct row_status *status)
{
    *(size_t *)context += status->state != ROW_STATE_APPLIED;
}

static double
seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int
compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double
median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare_doubles);
    return values[n / 2];
}

static void
put(struct bench *bench, enum table table, const char *key, const char *fields)
{
    struct field list[16];
    size_t n = 0;
    char *copy = check_strdup(fields), *save = NULL;

    for (char *item = strtok_r(copy, ";", &save); item;
         item = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(item, '=');

        *equals = '\0';
        list[n++] = (struct field){item, equals + 1};
    }
    intent_put(agent_intent(bench->agent), table, key, list, n, bench->now);
    free(copy);
}

static void
put_port(struct bench *bench, unsigned int i)
{
    static const char *const queues[] = {"0-2", "3-4", "5-6"};
    struct text key = {0}, fields = {0};

    text_addf(&key, "Ethernet%u", i);
    text_addf(&fields, "lanes=%u;speed=100000;mtu=9100;admin_status=up", i);
    put(bench, TABLE_PORT, text_string(&key), text_string(&fields));
    put(bench, TABLE_PORT_QOS_MAP, text_string(&key),
        "dscp_to_tc_map=AZURE;tc_to_queue_map=AZURE;tc_to_pg_map=AZURE;"
        "pfc_enable=3,4");
    for (unsigned int pg = 0; pg < 8; pg++) {
        text_clear(&key);
        text_addf(&key, "Ethernet%u|%u", i, pg);
        put(bench, TABLE_BUFFER_PG, text_string(&key),
            pg == 3 || pg == 4 ? "profile=lossless" : "profile=lossy");
    }
    for (unsigned int q = 0; q < 3; q++) {
        text_clear(&key);
        text_addf(&key, "Ethernet%u|%s", i, queues[q]);
        put(bench, TABLE_BUFFER_QUEUE, text_string(&key), "profile=egress");
    }
    text_fini(&key);
    text_fini(&fields);
}

static void
put_all(struct bench *bench, unsigned int n_ports)
{
    for (unsigned int i = 0; i < n_ports; i++) {
        put_port(bench, i);
    }
    put(bench, TABLE_BUFFER_POOL, "in", "type=ingress;mode=dynamic;size=1000");
    put(bench, TABLE_BUFFER_POOL, "out", "type=egress;mode=dynamic;size=1000");
    put(bench, TABLE_BUFFER_PROFILE, "lossless",
        "pool=in;size=10;xoff=10;dynamic_th=0");
    put(bench, TABLE_BUFFER_PROFILE, "lossy", "pool=in;size=0;dynamic_th=3");
    put(bench, TABLE_BUFFER_PROFILE, "egress", "pool=out;size=0;dynamic_th=3");
    put(bench, TABLE_DSCP_TO_TC_MAP, "AZURE", "3=3;4=4;0=0");
    put(bench, TABLE_TC_TO_QUEUE_MAP, "AZURE", "3=3;4=4;0=0");
    put(bench, TABLE_TC_TO_PRIORITY_GROUP_MAP, "AZURE", "3=3;4=4;0=0");
}

static void
run_turns(struct bench *bench)
{
    while (agent_turn(bench->agent, bench->now, 1024)) {
    }
}

static void
print(const char *name, unsigned int n_ports, double value, const char *unit)
{
    printf("{\"bench\": \"%s\", \"params\": {\"ports\": %u}, \"value\": %.3f, "
           "\"unit\": \"%s\"}\n",
           name, n_ports, value, unit);
}

static double
measure_change(struct bench *bench)
{
    double took[N_CHANGES];
    struct text fields = {0};

    for (size_t i = 0; i < N_CHANGES; i++) {
        double start;

        text_clear(&fields);
        text_addf(&fields, "pool=in;size=0;dynamic_th=%zu", i % 4);
        start = seconds();
        put(bench, TABLE_BUFFER_PROFILE, "lossy", text_string(&fields));
        run_turns(bench);
        took[i] = (seconds() - start) * 1e6;
    }
    text_fini(&fields);
    return median(took, N_CHANGES);
}

/* Changes what can only be changed by replacing the profile. */
static double
measure_replace(struct bench *bench)
{
    static const char *const contents[] = {"pool=in;size=0;static_th=9",
                                           "pool=in;size=0;dynamic_th=3"};
    double took[N_RUNS];

    for (size_t i = 0; i < N_RUNS; i++) {
        double start = seconds();

        put(bench, TABLE_BUFFER_PROFILE, "lossy", contents[i % 2]);
        bench->now += INTENT_QUIET_NS; /* A field has gone. */
        timeline_run(bench->timeline, bench->now);
        run_turns(bench);
        took[i] = (seconds() - start) * 1e3;
    }
    return median(took, N_RUNS);
}

static double
measure_remove(struct bench *bench)
{
    double start = seconds();

    intent_resync_begin(agent_intent(bench->agent));
    intent_resync_end(agent_intent(bench->agent), bench->now);
    bench->now += INTENT_QUIET_NS;
    timeline_run(bench->timeline, bench->now);
    run_turns(bench);
    orch_assert(!store_count(bench->store, SAI_OBJECT_TYPE_BUFFER_POOL));
    return (seconds() - start) * 1e3;
}

static void
measure(struct schema *schema, unsigned int n_ports)
{
    double apply[N_RUNS], change[N_RUNS], compare[N_RUNS], replace[N_RUNS];
    double remove[N_RUNS];
    size_t n_bad = 0;
    const struct listener observer = {.row_status = on_status,
                                      .context = &n_bad};
    const struct store_config config = {.with_switch = true};

    for (size_t i = 0; i < N_RUNS; i++) {
        struct bench bench = {.timeline = timeline_create(),
                              .store = store_create(&config)};
        struct err err;
        double start;
        enum st status;

        bench.agent = agent_create(schema, bench.timeline, &observer, false);
        status = agent_attach(bench.agent, store_backend(bench.store), &err);
        orch_assert(status == ST_OK);
        start = seconds();
        put_all(&bench, n_ports);
        run_turns(&bench);
        apply[i] = (seconds() - start) * 1e3;
        orch_assert(n_bad == 0 && agent_settled(bench.agent));
        change[i] = measure_change(&bench);
        start = seconds();
        agent_compare_all(bench.agent);
        run_turns(&bench);
        compare[i] = (seconds() - start) * 1e3;
        replace[i] = measure_replace(&bench);
        remove[i] = measure_remove(&bench);
        agent_destroy(bench.agent);
        store_destroy(bench.store);
        timeline_destroy(bench.timeline);
    }
    print("agent_apply_all", n_ports, median(apply, N_RUNS), "ms");
    print("agent_change_one", n_ports, median(change, N_RUNS), "us");
    print("agent_compare_all", n_ports, median(compare, N_RUNS), "ms");
    print("agent_replace_one", n_ports, median(replace, N_RUNS), "ms");
    print("agent_remove_all", n_ports, median(remove, N_RUNS), "ms");
}

int
main(int argc, char **argv)
{
    struct schema *schema;
    struct err err;

    if (schema_create(SCHEMA_DIR, &schema, &err) != ST_OK) {
        fprintf(stderr, "%s\n", err.reason);
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        measure(schema, (unsigned int)strtoul(argv[i], NULL, 10));
    }
    if (argc == 1) {
        measure(schema, 32);
        measure(schema, 128);
        measure(schema, 512);
    }
    schema_destroy(schema);
    return 0;
}
