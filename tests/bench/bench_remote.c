/* SPDX-License-Identifier: Apache-2.0 */

/* How long a SAI call takes on softasic in this process, and on one in another
 * process: what the second form adds.
 *
 *   bench_remote [CALLS]
 *
 * Prints one JSON object per line: median and 99th percentile of single calls
 * in nanoseconds, and the time for each object of one call on many. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "sai/loader/loader.h"
#include "tests/support/testhost.h"

enum {
    CALLS = 20000,
    THRESHOLDS = 4,
    QUEUES_PER_PORT = 20, /* Of the chip "generic". */
    PORTS = 200,
    QUEUES = PORTS * QUEUES_PER_PORT,
};

#define N(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct bench {
    struct sai_backend *backend;
    const char *where;
    sai_object_id_t profile, queues[QUEUES];
    uint32_t n_calls;
    int64_t *took_ns;
};

static int64_t
now_ns(void)
{
    struct timespec t;

    orch_assert(!clock_gettime(CLOCK_MONOTONIC, &t));
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Ends the program unless 'status' is success: then the number would be that of
 * refusals. */
static void
must(const char *what, sai_status_t status)
{
    if (status != SAI_STATUS_SUCCESS) {
        (void)fprintf(stderr, "bench_remote: %s: status %d\n", what,
                      (int)status);
        exit(1);
    }
}

static void
say(const struct bench *bench, const char *call, const char *what, double value)
{
    printf("{\"bench\": \"sai_call\", \"params\": {\"call\": \"%s\", "
           "\"switch\": \"%s\", \"figure\": \"%s\"}, \"value\": %.0f, "
           "\"unit\": \"ns\"}\n",
           call, bench->where, what, value);
}

static void
make_profile(struct bench *bench)
{
    struct sai_backend *b = bench->backend;
    const sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 1 << 20}}};
    sai_attribute_t profile[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = SAI_NULL_OBJECT_ID}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = 0}}};

    must("pool", b->ops->create(b, SAI_OBJECT_TYPE_BUFFER_POOL, N(pool), pool,
                                &profile[0].value.oid));
    must("profile", b->ops->create(b, SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                   N(profile), profile, &bench->profile));
}

static void
set(const struct bench *bench, uint32_t i)
{
    const sai_attribute_t threshold = {
        SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
        {.s8 = (int8_t)(i % THRESHOLDS)}};

    must("set", bench->backend->ops->set(bench->backend,
                                         SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                         bench->profile, &threshold));
}

static void
get(const struct bench *bench, uint32_t i)
{
    sai_attribute_t threshold = {.id =
                                     SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH};

    (void)i;
    must("get", bench->backend->ops->get(bench->backend,
                                         SAI_OBJECT_TYPE_BUFFER_PROFILE,
                                         bench->profile, 1, &threshold));
}

static int
compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

/* Times each call of 'one' by itself. */
static void
measure_calls(struct bench *bench, const char *call,
              void (*one)(const struct bench *bench, uint32_t i))
{
    for (uint32_t i = 0; i < bench->n_calls; i++) {
        const int64_t begin = now_ns();

        one(bench, i);
        bench->took_ns[i] = now_ns() - begin;
    }
    qsort(bench->took_ns, bench->n_calls, sizeof *bench->took_ns, compare);
    say(bench, call, "median", (double)bench->took_ns[bench->n_calls / 2]);
    say(bench, call, "p99",
        (double)bench->took_ns[(uint64_t)bench->n_calls * 99 / 100]);
}

static void
make_ports(struct bench *bench)
{
    struct sai_backend *b = bench->backend;

    for (uint32_t i = 0; i < PORTS; i++) {
        uint32_t lane = 5000 + i;
        const sai_attribute_t list[] = {
            {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {1, &lane}}},
            {SAI_PORT_ATTR_SPEED, {.u32 = 100000}}};
        sai_attribute_t queues = {
            SAI_PORT_ATTR_QOS_QUEUE_LIST,
            {.objlist = {QUEUES_PER_PORT,
                         &bench->queues[i * QUEUES_PER_PORT]}}};
        sai_object_id_t oid;

        must("port",
             b->ops->create(b, SAI_OBJECT_TYPE_PORT, N(list), list, &oid));
        must("queues", b->ops->get(b, SAI_OBJECT_TYPE_PORT, oid, 1, &queues));
    }
}

/* Times one call that sets a value of each of many queues. */
static void
measure_many(struct bench *bench)
{
    static sai_attribute_t attributes[QUEUES];
    static sai_status_t statuses[QUEUES];
    int64_t took_ns;

    make_ports(bench);
    for (uint32_t i = 0; i < QUEUES; i++) {
        attributes[i] = (sai_attribute_t){SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                                          {.oid = bench->profile}};
    }
    took_ns = -now_ns();
    must("many",
         backend_set_many(bench->backend, SAI_OBJECT_TYPE_QUEUE, QUEUES,
                          bench->queues, attributes,
                          SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses));
    took_ns += now_ns();
    say(bench, "set_4000_queues", "each", (double)took_ns / QUEUES);
}

/* Measures the switch that 'profile' leads to. */
static void
run(struct bench *bench, const struct loader_pair *profile, size_t n)
{
    const struct loader_options options = {
        .path = LIBSAI, .profile = profile, .n_profile = n};
    struct loader *loader;
    struct err err;

    if (loader_open(&options, &loader, &err) ||
        loader_create_switch(loader, 0, NULL, &err)) {
        (void)fprintf(stderr, "bench_remote: %s\n", err.reason);
        exit(1);
    }
    bench->backend = loader_backend(loader);
    make_profile(bench);
    measure_calls(bench, "set", set);
    measure_calls(bench, "get", get);
    measure_many(bench);
    loader_close(loader);
}

int
main(int argc, char **argv)
{
    const struct loader_pair inside[] = {
        {"SOFTASIC_MODEL_DIR", TOP_SRCDIR "/chips"},
        {"SOFTASIC_MODEL", "generic"}};
    static struct bench bench;
    struct testhost *host = testhost_start("generic");
    const struct loader_pair outside[] = {
        {"SOFTASIC_SOCKET", testhost_path(host)}};

    bench.n_calls = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : CALLS;
    orch_assert(bench.n_calls);
    bench.took_ns = check_calloc(bench.n_calls, sizeof *bench.took_ns);
    bench.where = "in this process";
    run(&bench, inside, N(inside));
    bench.where = "in another process";
    run(&bench, outside, N(outside));
    testhost_stop(host);
    free(bench.took_ns);
    return 0;
}
