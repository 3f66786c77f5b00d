/* SPDX-License-Identifier: Apache-2.0 */

/* Counts calls.
 *
 * There is a cell per type and operation, allocated at the first call: of some
 * hundred types and six operations a switch uses perhaps thirty pairs.  A
 * histogram with exponential buckets has the same cost for a microsecond and
 * for a second, and includes every call; four buckets per octave suffice to
 * distinguish a slower library from noise. */

#include <config.h>

#include "sai/stack/meter.h"

#include <stdlib.h>

#include "base/check.h"

/* Four buckets per octave of nanoseconds; the last ends at 2^42 ns, over an
 * hour. */
#define STEPS     4
#define N_BUCKETS (42 * STEPS)

/* SAI numbers types from 0, and extensions far above, which share a row. */
#define N_TYPES 256

struct cell {
    uint64_t n_calls;
    uint64_t n_failures;
    int64_t total_ns;
    int64_t max_ns;
    uint32_t buckets[N_BUCKETS];
};

struct meter {
    struct sai_backend backend; /* First: it is cast back. */
    struct sai_backend *inner;
    meter_clock_fn *clock;
    void *context;
    struct cell *cells[N_TYPES][N_OPS]; /* NULL: never called. */
};

static const struct sai_backend_ops meter_ops;

struct meter *
meter_create(struct sai_backend *inner, meter_clock_fn *clock, void *context)
{
    struct meter *meter = check_calloc(1, sizeof *meter);

    meter->backend.ops = &meter_ops;
    meter->backend.switch_id = inner->switch_id;
    meter->inner = inner;
    meter->clock = clock;
    meter->context = context;
    return meter;
}

void
meter_destroy(struct meter *meter)
{
    if (meter) {
        meter_clear(meter);
        free(meter);
    }
}

struct sai_backend *
meter_backend(struct meter *meter)
{
    return &meter->backend;
}

void
meter_clear(struct meter *meter)
{
    for (int type = 0; type < N_TYPES; type++) {
        for (int op = 0; op < N_OPS; op++) {
            free(meter->cells[type][op]);
            meter->cells[type][op] = NULL;
        }
    }
}

/* Returns the bucket of a latency: its octave and the quarter of the octave. */
static unsigned int
bucket_of(int64_t ns)
{
    unsigned int octave = 0;
    uint64_t value = ns < STEPS ? STEPS : (uint64_t)ns;
    unsigned int bucket;

    while (value >> octave >= 2 * STEPS) {
        octave++;
    }
    bucket = octave * STEPS + (unsigned int)(value >> octave) - STEPS;
    return bucket < N_BUCKETS ? bucket : N_BUCKETS - 1;
}

/* Returns the largest value of bucket 'bucket'. */
static int64_t
bucket_end(unsigned int bucket)
{
    const unsigned int octave = bucket / STEPS;

    return ((int64_t)(bucket % STEPS + STEPS + 1) << octave) - 1;
}

/* Returns the latency that 'percent' of the calls do not exceed. */
static int64_t
percentile(const struct cell *cell, unsigned int percent)
{
    /* Rounded up, so that all percentiles of a single call are its latency. */
    const uint64_t wanted = (cell->n_calls * percent + 99) / 100;
    uint64_t seen = 0;

    for (unsigned int i = 0; i < N_BUCKETS; i++) {
        seen += cell->buckets[i];
        if (seen >= wanted) {
            return bucket_end(i) < cell->max_ns ? bucket_end(i) : cell->max_ns;
        }
    }
    return cell->max_ns;
}

/* Counts the calls of 'cell' below each bound, which are ends of octaves. */
static void
count_within(const struct cell *cell, uint64_t within[METER_BOUNDS])
{
    uint64_t seen = 0;
    unsigned int bucket = 0;

    for (int i = 0; i < METER_BOUNDS; i++) {
        while (bucket < N_BUCKETS && bucket_end(bucket) < METER_BOUND_NS(i)) {
            seen += cell->buckets[bucket++];
        }
        within[i] = seen;
    }
}

void
meter_each(const struct meter *meter,
           void (*fn)(void *context, const struct meter_line *line),
           void *context)
{
    for (int type = 0; type < N_TYPES; type++) {
        for (int op = 0; op < N_OPS; op++) {
            const struct cell *cell = meter->cells[type][op];

            if (cell) {
                struct meter_line line = {
                    .op = (enum op)op,
                    .type = (sai_object_type_t)type,
                    .n_calls = cell->n_calls,
                    .n_failures = cell->n_failures,
                    .total_ns = cell->total_ns,
                    .p50_ns = percentile(cell, 50),
                    .p99_ns = percentile(cell, 99),
                    .max_ns = cell->max_ns,
                };

                count_within(cell, line.within);
                fn(context, &line);
            }
        }
    }
}

/* Counts a call that began at 'begin', and returns its status.  Updates the
 * switch id, which the call may have changed. */
static sai_status_t
finish(struct meter *meter, enum op op, sai_object_type_t type, int64_t begin,
       sai_status_t status)
{
    const int64_t end = meter->clock(meter->context);
    const int64_t ns = end > begin ? end - begin : 0;
    struct cell **slot =
        &meter->cells[(uint32_t)type < N_TYPES ? (uint32_t)type : 0][op];
    struct cell *cell = *slot;

    if (!cell) {
        cell = *slot = check_calloc(1, sizeof *cell);
    }
    cell->n_calls++;
    cell->n_failures +=
        status != SAI_STATUS_SUCCESS && status != SAI_STATUS_BUFFER_OVERFLOW;
    cell->total_ns += ns;
    cell->max_ns = ns > cell->max_ns ? ns : cell->max_ns;
    cell->buckets[bucket_of(ns)]++;
    meter->backend.switch_id = meter->inner->switch_id;
    return status;
}

static sai_status_t
meter_do_create(struct sai_backend *backend, sai_object_type_t type, uint32_t n,
                const sai_attribute_t *attributes, sai_object_id_t *oid)
{
    struct meter *meter = (struct meter *)backend;
    const int64_t begin = meter->clock(meter->context);

    return finish(
        meter, OP_CREATE, type, begin,
        meter->inner->ops->create(meter->inner, type, n, attributes, oid));
}

static sai_status_t
meter_do_remove(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid)
{
    struct meter *meter = (struct meter *)backend;
    const int64_t begin = meter->clock(meter->context);

    return finish(meter, OP_REMOVE, type, begin,
                  meter->inner->ops->remove(meter->inner, type, oid));
}

static sai_status_t
meter_do_set(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, const sai_attribute_t *attribute)
{
    struct meter *meter = (struct meter *)backend;
    const int64_t begin = meter->clock(meter->context);

    return finish(meter, OP_SET, type, begin,
                  meter->inner->ops->set(meter->inner, type, oid, attribute));
}

static sai_status_t
meter_do_get(struct sai_backend *backend, sai_object_type_t type,
             sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    struct meter *meter = (struct meter *)backend;
    const int64_t begin = meter->clock(meter->context);

    return finish(
        meter, OP_GET, type, begin,
        meter->inner->ops->get(meter->inner, type, oid, n, attributes));
}

static sai_status_t
meter_do_get_stats(struct sai_backend *backend, sai_object_type_t type,
                   sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                   sai_stats_mode_t mode, uint64_t *values)
{
    struct meter *meter = (struct meter *)backend;
    const int64_t begin = meter->clock(meter->context);

    return finish(meter, OP_GET_STATS, type, begin,
                  meter->inner->ops->get_stats(meter->inner, type, oid, n, ids,
                                               mode, values));
}

static sai_status_t
meter_do_get_stats_many(struct sai_backend *backend,
                        const struct backend_stats *call)
{
    struct meter *meter = (struct meter *)backend;
    const int64_t begin = meter->clock(meter->context);

    return finish(meter, OP_GET_STATS_MANY, call->type, begin,
                  backend_get_stats_many(meter->inner, call));
}

static sai_status_t
meter_do_many(struct sai_backend *backend, const struct backend_many *call)
{
    struct meter *meter = (struct meter *)backend;
    const int64_t begin = meter->clock(meter->context);

    return finish(meter, call->op, call->type, begin,
                  backend_do_many(meter->inner, call));
}

static const struct sai_backend_ops meter_ops = {
    .create = meter_do_create,
    .remove = meter_do_remove,
    .set = meter_do_set,
    .get = meter_do_get,
    .get_stats = meter_do_get_stats,
    .get_stats_many = meter_do_get_stats_many,
    .many = meter_do_many,
};
