/* SPDX-License-Identifier: Apache-2.0 */

/* Properties of link-level retry, over many random changes of its rows on a
 * device that refuses at random, or carries out what it says that it has
 * refused:
 *
 *   - no direction of a port is on without a profile, after any call;
 *   - the profile of a port changes only while both directions are off;
 *   - nothing is tried over and over without time passing;
 *   - once the device gives in, each port is as its row says.
 *
 * A failure prints the seed; LLR_ORDER_SEED=n runs that one alone, and
 * LLR_ORDER_SEEDS=n runs so many. */

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

enum {
    N_SEEDS = 20,
    N_ROUNDS = 20, /* Of changes, and of the peace after them. */
    N_CHANGES = 15,
    N_PORTS = 2,
    N_PROFILES = 3,
    MAX_TURNS = 100, /* At one time, of one call each. */
};

static const char *const port_names[N_PORTS] = {"Ethernet0", "Ethernet4"};
static const char *const port_rows[N_PORTS] = {"lanes=1,2,3,4;speed=100000",
                                               "lanes=5,6,7,8;speed=100000"};
static const char *const profile_names[N_PROFILES] = {"a", "b", "c"};

/* The attributes of a port. */
struct llr {
    bool local, remote;
    sai_object_id_t profile;
};

struct trial {
    struct harness harness;
    uint64_t random;
    const char *seed;    /* Of the trial, as text. */
    bool bad;            /* The device refuses. */
    sai_attr_id_t stuck; /* What it always refuses then, ... */
    sai_status_t answer; /* ... and how. */
    struct llr seen[N_PORTS];

    /* What the newest rows say. */
    bool has_port[N_PORTS], has_row[N_PORTS], has_profile[N_PROFILES];
    struct llr wanted[N_PORTS]; /* Without the profile. */
    size_t profile_of[N_PORTS]; /* N_PROFILES: none. */
    bool is_dynamic[N_PORTS];   /* Which is not supported. */
};

static sai_attribute_value_t
read_attribute(const struct trial *trial, sai_object_id_t port,
               sai_attr_id_t id)
{
    struct sai_backend *backend = store_backend(trial->harness.store);
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(
        backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value;
}

/* Looks at a port after a call. */
static void
look(void *trial_, const struct object *object)
{
    struct trial *trial = trial_;

    for (size_t i = 0; i < N_PORTS; i++) {
        struct llr *seen = &trial->seen[i], now;

        if (object->type != SAI_OBJECT_TYPE_PORT ||
            object->oid == SAI_NULL_OBJECT_ID ||
            strcmp(object->name.name, port_names[i]) != 0) {
            continue;
        }
        now.local =
            read_attribute(trial, object->oid, SAI_PORT_ATTR_LLR_MODE_LOCAL)
                .booldata;
        now.remote =
            read_attribute(trial, object->oid, SAI_PORT_ATTR_LLR_MODE_REMOTE)
                .booldata;
        now.profile =
            read_attribute(trial, object->oid, SAI_PORT_ATTR_LLR_PROFILE).oid;
        if ((now.local || now.remote) && !now.profile) {
            fail_msg("LLR_ORDER_SEED=%s: %s is protected without a profile",
                     trial->seed, port_names[i]);
        }
        if (now.profile != seen->profile &&
            (now.local || now.remote || seen->local || seen->remote)) {
            fail_msg("LLR_ORDER_SEED=%s: %s gets another profile while on",
                     trial->seed, port_names[i]);
        }
        *seen = now;
    }
}

/* Runs whatever is due, one call at a time, and looks after each. */
static void
step(struct trial *trial)
{
    struct harness *harness = &trial->harness;
    size_t n = 0;
    bool more;

    do {
        if (++n > MAX_TURNS) {
            fail_msg("LLR_ORDER_SEED=%s: tried over and over", trial->seed);
        }
        more = agent_turn(harness->agent, harness->now, 1);
        store_resume(harness->store);
        agent_each_object(harness->agent, look, trial);
    } while (more);
}

/* Lets 'ns' pass so. */
static void
pass(struct trial *trial, int64_t ns)
{
    struct harness *harness = &trial->harness;
    int64_t end = harness->now + ns;

    step(trial);
    while (timeline_next(harness->timeline) <= end) {
        harness->now = timeline_next(harness->timeline);
        timeline_run(harness->timeline, harness->now);
        step(trial);
    }
    harness->now = end;
}

static const sai_status_t answers[] = {
    SAI_STATUS_INSUFFICIENT_RESOURCES, SAI_STATUS_INVALID_PARAMETER,
    /* Not of creations: nobody could find what was created. */
    SAI_STATUS_FAILURE, STORE_STOP_AFTER, STORE_STOP_AFTER,
    /* Of sets only: of removals it says that the object is there. */
    SAI_STATUS_OBJECT_IN_USE};

static sai_status_t
moody(void *trial_, const struct store_call *call)
{
    static const uint64_t n_answers[] = {
        [STORE_CREATE] = 2, [STORE_REMOVE] = 5, [STORE_SET] = 6};
    struct trial *trial = trial_;

    if (!trial->bad || call->op == STORE_GET) {
        return SAI_STATUS_SUCCESS;
    }
    if (call->op == STORE_SET && call->type == SAI_OBJECT_TYPE_PORT &&
        call->attributes->id == trial->stuck) {
        return trial->answer;
    }
    return seed_below(&trial->random, 3)
               ? SAI_STATUS_SUCCESS
               : answers[seed_below(&trial->random, n_answers[call->op])];
}

/* Chooses what the device always refuses: often nothing. */
static void
choose_stuck(struct trial *trial)
{
    static const sai_attr_id_t ids[] = {
        SAI_PORT_ATTR_LLR_PROFILE, SAI_PORT_ATTR_LLR_MODE_LOCAL,
        SAI_PORT_ATTR_LLR_MODE_REMOTE, SAI_PORT_ATTR_END, SAI_PORT_ATTR_END};

    trial->stuck = ids[seed_below(&trial->random, sizeof ids / sizeof *ids)];
    trial->answer =
        answers[seed_below(&trial->random, sizeof answers / sizeof *answers)];
}

/* --- Rows --------------------------------------------------------------- */

static void
put_profile(struct trial *trial, size_t i)
{
    struct text fields = {0};

    trial->has_profile[i] = seed_below(&trial->random, 4) > 0;
    text_addf(&fields, "max_outstanding_frames=%zu;max_outstanding_bytes=9",
              1 + seed_below(&trial->random, 2));
    if (seed_below(&trial->random, 2)) {
        text_addf(&fields, ";max_replay_count=%zu",
                  1 + seed_below(&trial->random, 3));
    }
    harness_put(&trial->harness, "LLR_PROFILE", profile_names[i],
                trial->has_profile[i] ? text_string(&fields) : NULL);
    text_fini(&fields);
}

/* Adds a direction, or leaves it out; returns whether it is on. */
static bool
add_direction(struct trial *trial, const char *field, struct text *fields)
{
    static const char *const words[] = {"enabled", "disabled"};
    const size_t choice = seed_below(&trial->random, 4);

    if (choice < 3) {
        text_addf(fields, ";%s=%s", field, words[choice / 2]);
    }
    return choice < 2;
}

static void
put_port(struct trial *trial, size_t i)
{
    struct text fields = {0};

    if (seed_below(&trial->random, 8) == 0) {
        trial->has_port[i] = !trial->has_port[i];
        harness_put(&trial->harness, "PORT", port_names[i],
                    trial->has_port[i] ? port_rows[i] : NULL);
    }
    trial->has_row[i] = seed_below(&trial->random, 5) > 0;
    trial->is_dynamic[i] = seed_below(&trial->random, 10) == 0;
    trial->profile_of[i] = seed_below(&trial->random, N_PROFILES + 1);
    text_addf(&fields, "llr_mode=%s",
              trial->is_dynamic[i] ? "dynamic" : "static");
    trial->wanted[i].local = add_direction(trial, "llr_local", &fields);
    trial->wanted[i].remote = add_direction(trial, "llr_remote", &fields);
    if (trial->profile_of[i] < N_PROFILES) {
        text_addf(&fields, ";llr_profile=%s",
                  profile_names[trial->profile_of[i]]);
    }
    harness_put(&trial->harness, "LLR_PORT", port_names[i],
                trial->has_row[i] ? text_string(&fields) : NULL);
    text_fini(&fields);
}

/* Writes one to three rows. */
static void
put_rows(struct trial *trial)
{
    for (size_t n = 1 + seed_below(&trial->random, 3); n > 0; n--) {
        const size_t choice = seed_below(&trial->random, N_PORTS + N_PROFILES);

        if (choice < N_PORTS) {
            put_port(trial, choice);
        } else {
            put_profile(trial, choice - N_PORTS);
        }
    }
}

/* Asserts that port 'i' is as its row says; a row that waits, or that is not
 * supported, says nothing. */
static void
check_final(const struct trial *trial, size_t i)
{
    const struct llr *seen = &trial->seen[i], *wanted = &trial->wanted[i];
    const bool named = trial->profile_of[i] < N_PROFILES;

    if (!trial->has_port[i]) {
        return;
    }
    if (!trial->has_row[i]) {
        if (seen->local || seen->remote || seen->profile) {
            fail_msg("LLR_ORDER_SEED=%s: %s keeps what no row wants",
                     trial->seed, port_names[i]);
        }
        return;
    }
    if (trial->is_dynamic[i] ||
        (named ? !trial->has_profile[trial->profile_of[i]]
               : wanted->local || wanted->remote)) {
        return;
    }
    if (strcmp(harness_state(&trial->harness, "LLR_PORT", port_names[i]),
               "applied") != 0 ||
        seen->local != wanted->local || seen->remote != wanted->remote ||
        (seen->profile != SAI_NULL_OBJECT_ID) != named) {
        fail_msg("LLR_ORDER_SEED=%s: %s is not as its row says", trial->seed,
                 port_names[i]);
    }
}

/* --- Trials ------------------------------------------------------------- */

/* Changes rows while the device refuses, and then lets it give in. */
static void
any_changes(struct trial *trial)
{
    trial->bad = true;
    choose_stuck(trial);
    for (int i = 0; i < N_CHANGES; i++) {
        put_rows(trial);
        pass(trial, (int64_t)seed_below(&trial->random, 5000) * 1000 * 1000);
    }
    trial->bad = false;
    agent_reconsider(trial->harness.agent);
    pass(trial, INT64_C(300) * 1000 * 1000 * 1000);
    for (size_t i = 0; i < N_PORTS; i++) {
        check_final(trial, i);
    }
}

static void
any_trial(uint64_t seed)
{
    struct trial trial = {.random = seed};
    struct text text = {0};

    text_addf(&text, "%llu", (unsigned long long)seed);
    trial.seed = text_string(&text);
    harness_init(&trial.harness, N_PORTS);
    for (size_t i = 0; i < N_PORTS; i++) {
        trial.has_port[i] = true;
        harness_put(&trial.harness, "PORT", port_names[i], port_rows[i]);
    }
    harness_settle(&trial.harness);
    store_set_hook(trial.harness.store, moody, &trial);
    for (int i = 0; i < N_ROUNDS; i++) {
        any_changes(&trial);
    }
    store_set_hook(trial.harness.store, NULL, NULL);
    harness_fini(&trial.harness);
    text_fini(&text);
}

static void
test_no_port_is_protected_without_a_profile(void **state)
{
    (void)state;
    for_seeds("LLR_ORDER", N_SEEDS, any_trial);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_port_is_protected_without_a_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
