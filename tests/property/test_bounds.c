/* SPDX-License-Identifier: Apache-2.0 */

/* Properties of bounds that come in pairs, over many random changes of WRED
 * profiles and schedulers on a device that refuses at random, or carries out
 * what it says that it has refused:
 *
 *   - whenever the calls are stopped, no minimum is above its maximum;
 *   - once the device gives in, each attribute is what the row says.
 *
 * A failure prints the seed; BOUNDS_SEED=n runs that one alone. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "tests/support/agent_harness.h"
#include "tests/support/seed.h"
#include "tests/support/seeds.h"

enum { N_SEEDS = 400, N_CHANGES = 12 };

/* A pair of fields, and what they are on the ASIC. */
struct pair {
    const char *table;
    const char *min_field, *max_field;
    sai_object_type_t type;
    sai_attr_id_t min, max;
    bool wide; /* 64 bits. */
};

static const struct pair pairs[] = {
    {"WRED_PROFILE", "green_min_threshold", "green_max_threshold",
     SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_GREEN_MIN_THRESHOLD,
     SAI_WRED_ATTR_GREEN_MAX_THRESHOLD, false},
    {"WRED_PROFILE", "yellow_min_threshold", "yellow_max_threshold",
     SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_YELLOW_MIN_THRESHOLD,
     SAI_WRED_ATTR_YELLOW_MAX_THRESHOLD, false},
    {"WRED_PROFILE", "red_min_threshold", "red_max_threshold",
     SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_RED_MIN_THRESHOLD,
     SAI_WRED_ATTR_RED_MAX_THRESHOLD, false},
    {"SCHEDULER", "cir", "pir", SAI_OBJECT_TYPE_SCHEDULER,
     SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE,
     SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE, true},
    {"SCHEDULER", "cbs", "pbs", SAI_OBJECT_TYPE_SCHEDULER,
     SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_BURST_RATE,
     SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_BURST_RATE, true},
};

enum { N_PAIRS = sizeof pairs / sizeof *pairs };

/* What the newest rows say; a maximum of 0 is none. */
static uint64_t wanted_min[N_PAIRS], wanted_max[N_PAIRS];

static uint64_t
read_bound(struct sai_backend *backend, const struct pair *pair,
           sai_object_id_t oid, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(backend->ops->get(backend, pair->type, oid, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    return pair->wide ? attribute.value.u64 : attribute.value.u32;
}

struct check {
    struct harness *harness;
    uint64_t seed;
    bool final; /* And it is what the rows say. */
    size_t n;   /* Objects that were looked at. */
};

static void
check_object(void *context, const struct object *object)
{
    struct check *check = context;
    struct sai_backend *backend = store_backend(check->harness->store);

    for (size_t i = 0; i < N_PAIRS; i++) {
        uint64_t min, max;

        if (pairs[i].type != object->type) {
            continue;
        }
        min = read_bound(backend, &pairs[i], object->oid, pairs[i].min);
        max = read_bound(backend, &pairs[i], object->oid, pairs[i].max);
        check->n++;
        if (max != 0 && min > max) {
            fail_msg("BOUNDS_SEED=%llu: %s %llu is above %s %llu",
                     (unsigned long long)check->seed, pairs[i].min_field,
                     (unsigned long long)min, pairs[i].max_field,
                     (unsigned long long)max);
        }
        if (check->final && (min != wanted_min[i] || max != wanted_max[i])) {
            fail_msg("BOUNDS_SEED=%llu: %s is %llu, not %llu, or %s",
                     (unsigned long long)check->seed, pairs[i].min_field,
                     (unsigned long long)min, (unsigned long long)wanted_min[i],
                     pairs[i].max_field);
        }
    }
}

/* Runs whatever is due, one call at a time, and looks after each. */
static void
step(struct check *check)
{
    struct harness *harness = check->harness;
    bool more;

    do {
        more = agent_turn(harness->agent, harness->now, 1);
        store_resume(harness->store);
        agent_each_object(harness->agent, check_object, check);
    } while (more);
}

/* Lets 'ns' pass so. */
static void
pass(struct check *check, int64_t ns)
{
    struct harness *harness = check->harness;
    int64_t end = harness->now + ns;

    step(check);
    while (timeline_next(harness->timeline) <= end) {
        harness->now = timeline_next(harness->timeline);
        timeline_run(harness->timeline, harness->now);
        step(check);
    }
    harness->now = end;
}

struct mood {
    uint64_t seed;
    bool bad;
};

static sai_status_t
moody(void *context, const struct store_call *call)
{
    static const sai_status_t answers[] = {
        SAI_STATUS_INSUFFICIENT_RESOURCES, SAI_STATUS_FAILURE,
        SAI_STATUS_OBJECT_IN_USE, STORE_STOP_AFTER, STORE_STOP_AFTER};
    struct mood *mood = context;

    if (!mood->bad || call->op != STORE_SET || seed_next(&mood->seed) % 2) {
        return SAI_STATUS_SUCCESS;
    }
    return answers[seed_next(&mood->seed) % 5];
}

/* Writes random rows: all pairs in order, some bounds left out. */
static void
put_rows(struct harness *harness, uint64_t *seed)
{
    static const char *const tables[] = {"WRED_PROFILE", "SCHEDULER"};

    for (size_t t = 0; t < 2; t++) {
        struct text fields = {0};

        text_add(&fields, t ? "weight=3" : "ecn=ecn_all");
        for (size_t i = 0; i < N_PAIRS; i++) {
            uint64_t a = 1 + seed_next(seed) % 8, b = 1 + seed_next(seed) % 8;

            if (strcmp(pairs[i].table, tables[t])) {
                continue;
            }
            wanted_min[i] = a < b ? a : b;
            wanted_max[i] = a < b ? b : a;
            /* A burst without its rate would be an error. */
            if (strcmp(pairs[i].min_field, "cir") && seed_next(seed) % 4 == 0) {
                wanted_min[i] = 0;
            } else {
                text_addf(&fields, ";%s=%llu", pairs[i].min_field,
                          (unsigned long long)wanted_min[i]);
            }
            if (strcmp(pairs[i].max_field, "pir") && seed_next(seed) % 4 == 0) {
                wanted_max[i] = 0;
            } else {
                text_addf(&fields, ";%s=%llu", pairs[i].max_field,
                          (unsigned long long)wanted_max[i]);
            }
        }
        harness_put(harness, tables[t], "x", text_string(&fields));
        text_fini(&fields);
    }
}

static void
any_changes(uint64_t seed)
{
    struct mood mood = {seed * 3 + 1, true};
    struct harness harness;
    struct check check = {&harness, seed, false, 0};
    uint64_t random = seed;

    harness_init(&harness, 1);
    store_set_hook(harness.store, moody, &mood);
    for (int i = 0; i < N_CHANGES; i++) {
        put_rows(&harness, &random);
        pass(&check, (int64_t)(seed_next(&random) % 5000) * 1000 * 1000);
    }
    mood.bad = false;
    pass(&check, INT64_C(200) * 1000 * 1000 * 1000);
    check.final = true;
    check.n = 0;
    agent_each_object(harness.agent, check_object, &check);
    assert_int_equal(check.n, N_PAIRS);
    store_set_hook(harness.store, NULL, NULL);
    harness_fini(&harness);
}

static void
test_no_minimum_is_ever_above_its_maximum(void **state)
{
    (void)state;
    for_seeds("BOUNDS", N_SEEDS, any_changes);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_minimum_is_ever_above_its_maximum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
