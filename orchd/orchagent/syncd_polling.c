/* SPDX-License-Identifier: Apache-2.0 */

/* Connects the plan with Redis, and listens to the beat. */

#include <config.h>

#include "orchd/orchagent/syncd_polling.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/timeline.h"
#include "orchd/db/redis.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/key_reading.h"
#include "orchd/orchagent/syncd_plan.h"

#define NS_PER_MS INT64_C(1000000)

#define POOL_PREFIX "COUNTERS:"

static const struct redis_keys keys[] = {
    {FLEX_COUNTER_DB, SYNCD_PLAN_GROUPS ":*"},
    {FLEX_COUNTER_DB, SYNCD_PLAN_OBJECTS ":*"},
    {FLEX_COUNTER_DB, NULL},
};

/* The objects that are polled. */
static const struct {
    enum asic_map map;
    sai_object_type_t type;
} maps[] = {
    {ASIC_MAP_POOLS, SAI_OBJECT_TYPE_BUFFER_POOL},
    {ASIC_MAP_PGS, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP},
    {ASIC_MAP_QUEUES, SAI_OBJECT_TYPE_QUEUE},
    {ASIC_MAP_PORTS, SAI_OBJECT_TYPE_PORT},
};

struct syncd_polling {
    struct syncd_polling_options options;
    struct syncd_plan *plan;
    struct key_reading *reading;
    bool complete;       /* All rows were read. */
    bool changed;        /* A row has changed since the last turn. */
    bool beats;          /* The beat was heard, ... */
    int64_t beat;        /* at this time last. */
    int64_t since;       /* When something was asked for last. */
    bool stopped;        /* The beat has stopped. */
    int64_t repeat_at;   /* Then: when pools are asked for again. */
    uint64_t maps_epoch; /* Of the name maps in the plan. */
    struct timer timer;
};

static void
on_began(void *polling_)
{
    struct syncd_polling *polling = polling_;

    syncd_plan_clear(polling->plan);
    polling->complete = false;
}

/* Implements redis_fetch_fn. */
static void
on_fetched(void *polling_, const char *key, const struct field *fields,
           size_t n)
{
    struct syncd_polling *polling = polling_;

    syncd_plan_put(polling->plan, key, fields, n);
    polling->changed = true;
}

static void
on_ended(void *polling_)
{
    struct syncd_polling *polling = polling_;

    polling->complete = polling->changed = true;
}

struct syncd_polling *
syncd_polling_create(const struct syncd_polling_options *options)
{
    static const struct key_reading_ops ops = {
        .began = on_began, .fetched = on_fetched, .ended = on_ended};
    struct syncd_polling *polling = check_calloc(1, sizeof *polling);

    polling->options = *options;
    polling->plan = syncd_plan_create();
    polling->reading = key_reading_create(options->redis, keys, &ops, polling);
    polling->timer.fire = timer_wake;
    return polling;
}

void
syncd_polling_destroy(struct syncd_polling *polling)
{
    if (polling) {
        timeline_cancel(polling->options.timeline, &polling->timer);
        key_reading_destroy(polling->reading);
        syncd_plan_destroy(polling->plan);
        free(polling);
    }
}

void
syncd_polling_restart(struct syncd_polling *polling)
{
    polling->complete = false;
    key_reading_start(polling->reading);
}

bool
syncd_polling_key(struct syncd_polling *polling, enum database database,
                  const char *key, int64_t now)
{
    if (database == FLEX_COUNTER_DB) {
        redis_fetch(polling->options.redis, database, key, on_fetched, polling);
        return true;
    }
    if (database != COUNTERS_DB ||
        strncmp(key, POOL_PREFIX, strlen(POOL_PREFIX)) != 0) {
        return false;
    }
    polling->beats = true;
    polling->beat = now;
    if (polling->stopped) {
        polling->stopped = false;
        polling->changed = true;
        syncd_plan_repeat(polling->plan, SAI_OBJECT_TYPE_NULL);
    }
    return true;
}

/* Implements syncd_plan_send_fn. */
static void
send_request(void *polling_, const char *table, const char *key,
             const struct field *fields, size_t n)
{
    const struct syncd_polling *polling = polling_;

    redis_produce(polling->options.redis, FLEX_COUNTER_DB, table, key, fields,
                  n);
}

/* Objects of one type that are being added. */
struct adding {
    struct syncd_plan *plan;
    sai_object_type_t type;
};

static void
add_object(void *adding_, const char *name, sai_object_id_t oid)
{
    const struct adding *adding = adding_;

    (void)name;
    syncd_plan_add_object(adding->plan, adding->type, oid);
}

/* Returns how old the beat may be. */
static int64_t
patience(const struct syncd_polling *polling)
{
    return SYNCD_POLLING_BEATS * NS_PER_MS * polling->options.interval_ms +
           SYNCD_POLLING_GRACE_NS;
}

/* Takes the objects over if their names have changed. */
static void
update_objects(struct syncd_polling *polling)
{
    const uint64_t epoch = asic_rows_maps_epoch(polling->options.rows);

    if (epoch == polling->maps_epoch) {
        return;
    }
    polling->maps_epoch = epoch;
    polling->changed = true;
    syncd_plan_begin_objects(polling->plan);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        struct adding adding = {polling->plan, maps[i].type};

        asic_rows_each_named(polling->options.rows, maps[i].map, add_object,
                             &adding);
    }
}

/* Asks for pools again if the beat has stopped. */
static void
watch_beat(struct syncd_polling *polling, int64_t now)
{
    int64_t last = polling->since;

    if (!polling->options.interval_ms || !polling->since) {
        timeline_cancel(polling->options.timeline, &polling->timer);
        return; /* Nothing was asked for. */
    }
    if (polling->beats && polling->beat > last) {
        last = polling->beat;
    }
    if (!polling->stopped && now >= last + patience(polling)) {
        polling->stopped = true;
        polling->repeat_at = now;
    }
    if (polling->stopped && now >= polling->repeat_at) {
        polling->repeat_at = now + SYNCD_POLLING_REPEAT_NS;
        syncd_plan_repeat(polling->plan, SAI_OBJECT_TYPE_BUFFER_POOL);
        polling->changed = true;
    }
    timeline_set(polling->options.timeline, &polling->timer,
                 polling->stopped ? polling->repeat_at
                                  : last + patience(polling));
}

void
syncd_polling_turn(struct syncd_polling *polling, int64_t now)
{
    if (!polling->complete) {
        return;
    }
    update_objects(polling);
    watch_beat(polling, now);
    if (polling->changed) {
        polling->changed = false;
        if (syncd_plan_turn(polling->plan, polling->options.interval_ms,
                            send_request, polling)) {
            polling->since = now;
        }
    }
}

void
syncd_polling_end(struct syncd_polling *polling)
{
    polling->options.interval_ms = 0;
    if (polling->complete) {
        syncd_plan_disable(polling->plan, send_request, polling);
        polling->complete = false;
    }
}

bool
syncd_polling_is_recent(const struct syncd_polling *polling,
                        sai_object_type_t type, sai_stat_id_t id, int64_t now)
{
    return polling->complete && polling->beats &&
           now < polling->beat + patience(polling) &&
           syncd_plan_polls(polling->plan, type, id);
}
