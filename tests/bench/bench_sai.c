/* SPDX-License-Identifier: Apache-2.0 */

/* What a SAI call costs on softasic, as orchd makes it: through the loader,
 * with and without the guard in front; and what it saves to set many queues at
 * once.
 *
 *   bench_sai [CALLS]
 *
 * Prints one JSON object per line, in nanoseconds per object. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "sai/loader/loader.h"
#include "sai/stack/guard.h"

enum {
    N_RUNS = 5,
    N_QUEUES = 4096,
    QUEUES_PER_PORT = 20, /* Of the chip "generic". */
    N_PORTS = (N_QUEUES + QUEUES_PER_PORT - 1) / QUEUES_PER_PORT,
};

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct bench {
    struct sai_backend *backend;
    const char *name;
    uint32_t n_calls;
    sai_object_id_t pool, profiles[2];
    sai_object_id_t queues[N_PORTS * QUEUES_PER_PORT];
};

static double
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Ends the program unless 'status' is success: then the number would be that
 * of refusals. */
static void
must(const char *what, sai_status_t status)
{
    if (status != SAI_STATUS_SUCCESS) {
        (void)fprintf(stderr, "bench_sai: %s: status %d\n", what, (int)status);
        exit(1);
    }
}

static sai_object_id_t
make_profile(struct bench *bench)
{
    const sai_attribute_t list[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = bench->pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 0}}};
    sai_object_id_t oid;

    must("profile", bench->backend->ops->create(bench->backend,
                                                SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                                N(list), list, &oid));
    return oid;
}

static void
make_port(struct bench *bench, uint32_t i)
{
    struct sai_backend *b = bench->backend;
    uint32_t lane = 5000 + i;
    const sai_attribute_t list[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = 100000}}};
    sai_attribute_t queues = {
        SAI_PORT_ATTR_QOS_QUEUE_LIST,
        {.objlist = {QUEUES_PER_PORT, &bench->queues[i * QUEUES_PER_PORT]}}};
    sai_object_id_t oid;

    must("port", b->ops->create(b, SAI_OBJECT_TYPE_PORT, N(list), list, &oid));
    must("queues", b->ops->get(b, SAI_OBJECT_TYPE_PORT, oid, 1, &queues));
}

static void
fill(struct bench *bench)
{
    struct sai_backend *b = bench->backend;
    const sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 32 << 20}}};

    for (uint32_t i = 0; i < N_PORTS; i++) {
        make_port(bench, i);
    }
    must("pool", b->ops->create(b, SAI_OBJECT_TYPE_BUFFER_POOL, N(pool), pool,
                                &bench->pool));
    bench->profiles[0] = make_profile(bench);
    bench->profiles[1] = make_profile(bench);
}

/* Each of these makes 'n_calls' calls, or sets as many objects. */

static void
run_set(struct bench *bench)
{
    struct sai_backend *b = bench->backend;

    for (uint32_t i = 0; i < bench->n_calls; i++) {
        const sai_attribute_t threshold = {
            SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = (int8_t)(i % 4)}};

        must("set", b->ops->set(b, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                bench->profiles[1], &threshold));
    }
}

static void
run_get(struct bench *bench)
{
    struct sai_backend *b = bench->backend;

    for (uint32_t i = 0; i < bench->n_calls; i++) {
        sai_attribute_t threshold = {
            .id = SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH};

        must("get", b->ops->get(b, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                bench->profiles[1], 1, &threshold));
    }
}

static void
run_create_remove(struct bench *bench)
{
    struct sai_backend *b = bench->backend;

    for (uint32_t i = 0; i < bench->n_calls; i += 2) {
        must("remove", b->ops->remove(b, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                      make_profile(bench)));
    }
}

/* Binds all queues to one profile, then to the other, and so on. */
static void
bind_queues(struct bench *bench, bool bulk)
{
    static sai_attribute_t attributes[N_QUEUES];
    static sai_status_t statuses[N_QUEUES];

    for (uint32_t done = 0; done < bench->n_calls; done += N_QUEUES) {
        for (uint32_t i = 0; i < N_QUEUES; i++) {
            attributes[i] = (sai_attribute_t){
                SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                {.oid = bench->profiles[done / N_QUEUES % 2]}};
        }
        if (bulk) {
            must("queues", backend_set_many(
                               bench->backend, SAI_OBJECT_TYPE_QUEUE, N_QUEUES,
                               bench->queues, attributes,
                               SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses));
        }
        for (uint32_t i = 0; !bulk && i < N_QUEUES; i++) {
            must("queue",
                 bench->backend->ops->set(bench->backend, SAI_OBJECT_TYPE_QUEUE,
                                          bench->queues[i], &attributes[i]));
        }
    }
}

static void
run_queues_singly(struct bench *bench)
{
    bind_queues(bench, false);
}

static void
run_queues_in_bulk(struct bench *bench)
{
    bind_queues(bench, true);
}

static const struct {
    const char *name;
    void (*run)(struct bench *bench);
} runs[] = {
    {"set", run_set},
    {"get", run_get},
    {"create_remove", run_create_remove},
    {"queues_4096_singly", run_queues_singly},
    {"queues_4096_in_bulk", run_queues_in_bulk},
};

/* Prints the best of some runs of everything. */
static void
measure(struct bench *bench)
{
    for (size_t i = 0; i < N(runs); i++) {
        double best = 1e300;

        for (int k = 0; k < N_RUNS; k++) {
            double begin = now_ns(), took;

            runs[i].run(bench);
            took = now_ns() - begin;
            best = took < best ? took : best;
        }
        printf("{\"bench\": \"sai_softasic\", \"params\": {\"call\": \"%s\", "
               "\"through\": \"%s\"}, \"value\": %.1f, \"unit\": \"ns\"}\n",
               runs[i].name, bench->name, best / bench->n_calls);
    }
}

int
main(int argc, char **argv)
{
    static struct bench bench;
    const struct loader_pair profile[] = {
        {"SOFTASIC_MODEL_DIR", TOP_SRCDIR "/chips"},
        {"SOFTASIC_MODEL", "generic"}};
    const struct loader_options options = {
        .path = LIBSAI, .profile = profile, .n_profile = N(profile)};
    const uint32_t wanted =
        argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 20 * N_QUEUES;

    bench.n_calls = (wanted / N_QUEUES + (wanted < N_QUEUES)) * N_QUEUES;
    for (int guarded = 0; guarded < 2; guarded++) {
        struct loader *loader;
        struct guard *guard;
        struct err err;

        if (loader_open(&options, &loader, &err) ||
            loader_create_switch(loader, 0, NULL, &err)) {
            (void)fprintf(stderr, "bench_sai: %s\n", err.reason);
            return 1;
        }
        guard = guard_create(loader_backend(loader));
        bench.name = guarded ? "loader_guard" : "loader";
        bench.backend = guarded ? guard_backend(guard) : loader_backend(loader);
        fill(&bench);
        measure(&bench);
        guard_destroy(guard);
        loader_close(loader);
    }
    return 0;
}
