/* SPDX-License-Identifier: Apache-2.0 */

/* Runs an agent and its delivery by turns. */

#include <config.h>

#include "tests/support/delivery_harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/status.h"
#include "orchd/orchagent/asic_reader.h"
#include "orchd/orchagent/evidence.h"
#include "orchd/reconcile/listener.h"

/* Implement struct memory_redis_listener. */
static void
on_key(void *harness_, enum database database, const char *key)
{
    const struct delivery_harness *harness = harness_;

    delivery_key(harness->delivery, database, key);
}

static void
on_resync(void *harness_)
{
    const struct delivery_harness *harness = harness_;

    delivery_resync(harness->delivery);
}

void
delivery_harness_init(struct delivery_harness *harness, struct schema *schema,
                      int64_t now)
{
    const struct memory_redis_listener listener = {on_key, on_resync, harness};

    *harness = (struct delivery_harness){
        .schema = schema,
        .timeline = timeline_create(),
        .redis = memory_redis_create(asic_reader_keys, &listener),
        .now = now,
    };
}

void
delivery_harness_fini(struct delivery_harness *harness)
{
    delivery_harness_stop(harness);
    memory_redis_destroy(harness->redis);
    timeline_destroy(harness->timeline);
}

void
delivery_harness_start(struct delivery_harness *harness)
{
    static const struct listener silent = {0};
    const struct delivery_options options = {
        .agent =
            agent_create(harness->schema, harness->timeline, &silent, false),
        .redis = harness->redis,
        .timeline = harness->timeline,
        .confirm_ns = DELIVERY_HARNESS_CONFIRM_NS,
    };

    harness->agent = options.agent;
    harness->delivery = delivery_create(&options);
    memory_redis_connect(harness->redis);
    delivery_begin_reading(harness->delivery);
}

void
delivery_harness_stop(struct delivery_harness *harness)
{
    memory_redis_break(harness->redis);
    delivery_destroy(harness->delivery);
    agent_destroy(harness->agent);
    harness->delivery = NULL;
    harness->agent = NULL;
    harness->usable = false;
}

void
delivery_harness_turns(struct delivery_harness *harness)
{
    struct err err = {0};
    bool more = harness->agent != NULL;
    int n = 0;

    while (more) {
        if (delivery_turn(harness->delivery, harness->now)) {
            struct evidence *evidence = delivery_evidence(harness->delivery);

            agent_set_confirmation(harness->agent,
                                   evidence_confirmation(evidence),
                                   evidence_names(evidence));
            if (agent_attach(harness->agent, evidence_backend(evidence),
                             &err)) {
                fail_msg("attach: %s", err.reason);
            }
            harness->usable = true;
        }
        more = agent_turn(harness->agent, harness->now, 1000);
        more |= delivery_turn_end(harness->delivery, harness->now,
                                  agent_settled(harness->agent));
        assert_true(++n < 10000);
    }
}

void
delivery_harness_pass(struct delivery_harness *harness, int64_t ns)
{
    const int64_t end = harness->now + ns;

    while (timeline_next(harness->timeline) <= end) {
        harness->now = timeline_next(harness->timeline);
        timeline_run(harness->timeline, harness->now);
        delivery_harness_turns(harness);
    }
    harness->now = end;
    delivery_harness_turns(harness);
}

void
delivery_harness_drain(struct delivery_harness *harness)
{
    size_t n_arrived;
    int n = 0;

    do {
        n_arrived = 0;
        while (memory_redis_execute(harness->redis) ||
               memory_redis_answer(harness->redis) ||
               memory_redis_notify(harness->redis)) {
            n_arrived++;
        }
        delivery_harness_turns(harness);
        assert_true(++n < 1000);
    } while (n_arrived);
}
