/* SPDX-License-Identifier: Apache-2.0 */

/* What lies between orchd and a vendor costs: nanoseconds per call on the
 * attribute store, bare, behind the guard, and behind the whole chain.
 *
 *   bench_guard [CALLS]
 *
 * Prints one JSON object per line. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "sai/stack/chain.h"
#include "sai/stack/guard.h"
#include "vendors/store/store.h"

enum { N_RUNS = 5, N_QUEUES = 4096, QUEUES_PER_PORT = 16 };

#define N_PORTS  (N_QUEUES / QUEUES_PER_PORT)
#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct bench {
    struct sai_backend *backend;
    const char *name;
    sai_object_id_t pool, profile, wred;
    sai_object_id_t queues[N_QUEUES];
    uint32_t n_calls;
};

static int64_t
now_ns(void *context)
{
    struct timespec t;

    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
stamp(void *context, char *buffer)
{
    (void)context;
    buffer[0] = '\0';
}

static void
pass_time(void *context, int64_t ns)
{
    (void)context;
    (void)ns;
}

static sai_object_id_t
make_profile(struct bench *bench)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = bench->pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 1}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -3}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    orch_assert(!bench->backend->ops->create(bench->backend,
                                             SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                             N(attributes), attributes, &oid));
    return oid;
}

/* Finds all queues, and makes what they can refer to. */
static void
prepare(struct bench *bench)
{
    struct sai_backend *b = bench->backend;
    sai_object_id_t ports[N_PORTS];
    sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST,
                            {.objlist = {N_PORTS, ports}}};
    const sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 4096}},
    };

    orch_assert(
        !b->ops->get(b, SAI_OBJECT_TYPE_SWITCH, b->switch_id, 1, &list));
    for (uint32_t i = 0; i < N_PORTS; i++) {
        sai_attribute_t queues = {
            SAI_PORT_ATTR_QOS_QUEUE_LIST,
            {.objlist = {QUEUES_PER_PORT,
                         &bench->queues[i * QUEUES_PER_PORT]}}};

        orch_assert(
            !b->ops->get(b, SAI_OBJECT_TYPE_PORT, ports[i], 1, &queues));
    }
    orch_assert(!b->ops->create(b, SAI_OBJECT_TYPE_BUFFER_POOL, N(pool), pool,
                                &bench->pool));
    orch_assert(
        !b->ops->create(b, SAI_OBJECT_TYPE_WRED, 0, NULL, &bench->wred));
    bench->profile = make_profile(bench);
}

static void
run_set(struct bench *bench)
{
    struct sai_backend *b = bench->backend;

    for (uint32_t i = 0; i < bench->n_calls; i++) {
        const sai_attribute_t size = {
            SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = i}};

        orch_assert(!b->ops->set(b, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                 bench->profile, &size));
    }
}

static void
run_get(struct bench *bench)
{
    struct sai_backend *b = bench->backend;

    for (uint32_t i = 0; i < bench->n_calls; i++) {
        sai_attribute_t size = {
            .id = SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE};

        orch_assert(!b->ops->get(b, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                 bench->profile, 1, &size));
    }
}

static void
run_create(struct bench *bench)
{
    struct sai_backend *b = bench->backend;

    for (uint32_t i = 0; i < bench->n_calls / 2; i++) {
        orch_assert(!b->ops->remove(b, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                    make_profile(bench)));
    }
}

static void
run_bulk(struct bench *bench)
{
    static sai_attribute_t attributes[N_QUEUES];
    static sai_status_t statuses[N_QUEUES];

    for (uint32_t done = 0; done < bench->n_calls; done += N_QUEUES) {
        for (uint32_t i = 0; i < N_QUEUES; i++) {
            attributes[i].id = SAI_QUEUE_ATTR_WRED_PROFILE_ID;
            attributes[i].value.oid = bench->wred;
        }
        orch_assert(!backend_set_many(
            bench->backend, SAI_OBJECT_TYPE_QUEUE, N_QUEUES, bench->queues,
            attributes, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses));
    }
}

static const struct {
    const char *name;
    void (*run)(struct bench *bench);
} runs[] = {
    {"set", run_set},
    {"get", run_get},
    {"create_remove", run_create},
    {"set_many_4096", run_bulk},
};

/* Prints the best of some runs of everything. */
static void
measure(struct bench *bench)
{
    for (size_t i = 0; i < N(runs); i++) {
        int64_t best = INT64_MAX;

        for (int k = 0; k < N_RUNS; k++) {
            const int64_t begin = now_ns(NULL);
            int64_t took;

            runs[i].run(bench);
            took = now_ns(NULL) - begin;
            best = took < best ? took : best;
        }
        printf("{\"bench\":\"sai_call\",\"params\":{\"call\":\"%s\","
               "\"through\":\"%s\"},\"value\":%.1f,\"unit\":\"ns\"}\n",
               runs[i].name, bench->name,
               (double)best / (double)bench->n_calls);
    }
}

/* Returns a switch with N_QUEUES queues. */
static struct store *
make_store(void)
{
    static struct store_port ports[N_PORTS];
    const struct store_config config = {.ports = ports,
                                        .n_ports = N_PORTS,
                                        .n_queues = QUEUES_PER_PORT,
                                        .with_switch = true};

    for (uint32_t i = 0; i < N_PORTS; i++) {
        ports[i] = (struct store_port){1, {i + 1}};
    }
    return store_create(&config);
}

int
main(int argc, char **argv)
{
    static struct bench bench;
    static const struct chain_system system = {
        .clock = {.now_ns = now_ns, .stamp = stamp}, .sleep = pass_time};
    const struct recorder_options record = {.path = NULL};
    const uint32_t n =
        argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100 * N_QUEUES;

    for (int way = 0; way < 3; way++) {
        struct store *store = make_store();
        struct guard *guard = guard_create(store_backend(store));
        struct chain *chain =
            chain_create(store_backend(store), &system, &record);

        bench.n_calls = n ? n : 1;
        bench.name = way == 0 ? "store" : way == 1 ? "guard" : "chain";
        bench.backend = way == 0   ? store_backend(store)
                        : way == 1 ? guard_backend(guard)
                                   : chain_backend(chain);
        prepare(&bench);
        measure(&bench);
        chain_destroy(chain);
        guard_destroy(guard);
        store_destroy(store);
    }
    return 0;
}
