/* SPDX-License-Identifier: Apache-2.0 */

/* The order in which link-level retry of a port changes while the device
 * refuses a part of it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/agent_harness.h"

#define SECOND_NS    (INT64_C(1000) * 1000 * 1000)
#define LIMITS       "max_outstanding_frames=99;max_outstanding_bytes=999"
#define OTHER_LIMITS "max_outstanding_frames=98;max_outstanding_bytes=999"
#define BOTH         "llr_local=enabled;llr_remote=enabled"
#define LLR_PORT     "LLR_PORT", "Ethernet0"

enum {
    N_IDS = SAI_PORT_ATTR_LLR_PROFILE - SAI_PORT_ATTR_LLR_MODE_LOCAL + 1,
    LOCAL = 0,
    REMOTE = SAI_PORT_ATTR_LLR_MODE_REMOTE - SAI_PORT_ATTR_LLR_MODE_LOCAL,
    PROFILE = SAI_PORT_ATTR_LLR_PROFILE - SAI_PORT_ATTR_LLR_MODE_LOCAL,
};

/* What the device answers if a port's attribute is set, and how often it was;
 * and what it answers to a creation. */
struct faults {
    sai_status_t answers[N_IDS];
    unsigned int seen[N_IDS];
    sai_status_t created;
};

static sai_status_t
refuse(void *context, const struct store_call *call)
{
    struct faults *faults = context;

    if (call->op == STORE_CREATE) {
        return faults->created;
    }
    if (call->op != STORE_SET || call->type != SAI_OBJECT_TYPE_PORT ||
        call->attributes->id < SAI_PORT_ATTR_LLR_MODE_LOCAL ||
        call->attributes->id > SAI_PORT_ATTR_LLR_PROFILE) {
        return SAI_STATUS_SUCCESS;
    }
    faults->seen[call->attributes->id - SAI_PORT_ATTR_LLR_MODE_LOCAL]++;
    return faults->answers[call->attributes->id - SAI_PORT_ATTR_LLR_MODE_LOCAL];
}

/* Protects a port with profile a. */
static void
put_llr(struct harness *harness, struct faults *faults)
{
    harness_init(harness, 1);
    harness_apply(harness, "PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000");
    harness_apply(harness, "LLR_PROFILE", "a", LIMITS);
    harness_apply(harness, "LLR_PROFILE", "b", LIMITS);
    harness_apply(harness, LLR_PORT, "llr_profile=a;" BOTH);
    harness_assert_state(harness, LLR_PORT, "applied");
    store_set_hook(harness->store, refuse, faults);
}

static void
end(struct harness *harness)
{
    store_set_hook(harness->store, NULL, NULL);
    harness_fini(harness);
}

/* Returns the value of an attribute of the port, as the store has it. */
static sai_attribute_value_t
value_of(const struct harness *harness, int at)
{
    struct sai_backend *backend = store_backend(harness->store);
    const struct object *port =
        agent_object(harness->agent, TABLE_PORT, "Ethernet0", -1);
    sai_attribute_t attribute = {.id = SAI_PORT_ATTR_LLR_MODE_LOCAL +
                                       (sai_attr_id_t)at};

    assert_int_equal(
        backend->ops->get(backend, port->type, port->oid, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value;
}

static void
assert_protected_by(const struct harness *harness, const char *profile)
{
    assert_true(value_of(harness, LOCAL).booldata);
    assert_true(value_of(harness, REMOTE).booldata);
    assert_true(
        value_of(harness, PROFILE).oid ==
        agent_object(harness->agent, TABLE_LLR_PROFILE, profile, -1)->oid);
}

/* What may succeed later is tried again after 1, 2, 4, ... s, what cannot is
 * not, and the link is protected meanwhile. */
static void
check_refusal(int at, sai_status_t answer, unsigned int n_tries)
{
    struct faults faults = {0};
    struct harness harness;

    put_llr(&harness, &faults);
    faults.answers[at] = answer;
    harness_put(&harness, LLR_PORT, "llr_profile=b;" BOTH);
    harness_pass(&harness, 0);
    assert_int_equal(faults.seen[at], 1);
    assert_protected_by(&harness, "a");
    harness_pass(&harness, 100 * SECOND_NS);
    assert_int_equal(faults.seen[at], n_tries);
    harness_assert_state(&harness, LLR_PORT, "failed");
    assert_string_equal(harness_status(&harness, LLR_PORT)->err.field,
                        "llr_profile");
    assert_protected_by(&harness, "a");

    faults.answers[at] = SAI_STATUS_SUCCESS;
    agent_reconsider(harness.agent);
    harness_pass(&harness, SECOND_NS);
    harness_assert_state(&harness, LLR_PORT, "applied");
    assert_protected_by(&harness, "b");
    end(&harness);
}

static void
test_profile_that_is_refused_leaves_the_former_one(void **state)
{
    (void)state;
    check_refusal(PROFILE, SAI_STATUS_INSUFFICIENT_RESOURCES, 7);
    check_refusal(PROFILE, SAI_STATUS_INVALID_PARAMETER, 1);
}

static void
test_direction_that_does_not_go_off_keeps_the_profile(void **state)
{
    (void)state;
    check_refusal(LOCAL, SAI_STATUS_INSUFFICIENT_RESOURCES, 7);
    check_refusal(LOCAL, SAI_STATUS_INVALID_PARAMETER, 1);
}

/* The other direction is not interrupted if that changes nothing. */
static void
test_direction_stays_on_if_the_profile_has_to(void **state)
{
    static const char *const rows[] = {
        "llr_profile=b;llr_local=disabled;llr_remote=enabled",
        "llr_profile=b;llr_local=enabled;llr_remote=disabled",
    };
    static const int refused[] = {LOCAL, REMOTE};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct faults faults = {0};
        struct harness harness;

        put_llr(&harness, &faults);
        faults.answers[refused[i]] = SAI_STATUS_INVALID_PARAMETER;
        harness_put(&harness, LLR_PORT, rows[i]);
        harness_pass(&harness, 10 * SECOND_NS);
        harness_assert_state(&harness, LLR_PORT, "failed");
        assert_int_equal(faults.seen[PROFILE], 0);
        assert_in_range(faults.seen[refused[1 - i]], 0, 2); /* Off and on. */
        assert_protected_by(&harness, "a");
        end(&harness);
    }
}

static void
test_profile_that_cannot_be_replaced_interrupts_nothing(void **state)
{
    struct faults faults = {.created = SAI_STATUS_INSUFFICIENT_RESOURCES};
    struct harness harness;

    (void)state;
    put_llr(&harness, &faults);
    harness_apply(&harness, "LLR_PROFILE", "a", OTHER_LIMITS);
    harness_assert_state(&harness, "LLR_PROFILE", "a", "failed");
    assert_int_equal(faults.seen[LOCAL], 0);
    assert_int_equal(faults.seen[REMOTE], 0);
    end(&harness);
}

/* The row is not applied, so what it had set stays. */
static void
test_port_of_a_row_that_waits_keeps_the_replaced_profile(void **state)
{
    struct faults faults = {0};
    struct harness harness;
    sai_object_id_t before;

    (void)state;
    put_llr(&harness, &faults);
    before = value_of(&harness, PROFILE).oid;
    harness_apply(&harness, LLR_PORT, "llr_profile=c;" BOTH);
    harness_assert_state(&harness, LLR_PORT, "waiting");
    harness_apply(&harness, "LLR_PROFILE", "a", OTHER_LIMITS);
    for (int at = 0; at < N_IDS; at++) {
        assert_int_equal(faults.seen[at], 0);
    }
    assert_true(value_of(&harness, PROFILE).oid == before);
    harness_apply(&harness, LLR_PORT, "llr_profile=a;" BOTH);
    harness_assert_state(&harness, LLR_PORT, "applied");
    assert_protected_by(&harness, "a");
    assert_true(value_of(&harness, PROFILE).oid != before);
    end(&harness);
}

/* A profile whose outcome is unknown protects nothing; nor is it changed while
 * it is unknown whether a direction is off. */
static void
test_unknown_outcomes_are_settled_first(void **state)
{
    struct faults faults = {0};
    struct harness harness;

    (void)state;
    put_llr(&harness, &faults);
    faults.answers[PROFILE] = SAI_STATUS_FAILURE;
    harness_put(&harness, LLR_PORT, "llr_profile=b;" BOTH);
    harness_pass(&harness, 0);
    assert_int_equal(faults.seen[PROFILE], 1);
    assert_false(value_of(&harness, LOCAL).booldata);
    assert_false(value_of(&harness, REMOTE).booldata);
    faults.answers[PROFILE] = SAI_STATUS_SUCCESS;
    harness_pass(&harness, 10 * SECOND_NS);
    harness_assert_state(&harness, LLR_PORT, "applied");
    assert_protected_by(&harness, "b");

    harness_apply(&harness, LLR_PORT, "llr_profile=b;llr_local=enabled");
    harness_assert_state(&harness, LLR_PORT, "applied");
    faults.seen[PROFILE] = 0;
    faults.answers[REMOTE] = SAI_STATUS_FAILURE;
    harness_apply(&harness, LLR_PORT, "llr_profile=b;" BOTH);
    harness_put(&harness, LLR_PORT, "llr_profile=a;" BOTH);
    harness_pass(&harness, 10 * SECOND_NS);
    assert_int_equal(faults.seen[PROFILE], 0);
    faults.answers[REMOTE] = SAI_STATUS_SUCCESS;
    harness_pass(&harness, 10 * SECOND_NS);
    harness_assert_state(&harness, LLR_PORT, "applied");
    assert_protected_by(&harness, "a");
    end(&harness);
}

/* The profile is due, but has to wait: that ends, too. */
static void
test_change_that_is_due_and_waits_is_not_planned_forever(void **state)
{
    struct faults faults = {0};
    struct harness harness;

    (void)state;
    put_llr(&harness, &faults);
    faults.answers[LOCAL] = SAI_STATUS_INSUFFICIENT_RESOURCES;
    faults.answers[REMOTE] = SAI_STATUS_INVALID_PARAMETER;
    harness_apply(&harness, LLR_PORT, "llr_profile=b;llr_local=enabled");
    harness_apply(&harness, "LLR_PROFILE", "b", LIMITS ";max_replay_count=7");
    harness_assert_state(&harness, "LLR_PROFILE", "b", "applied");
    harness_assert_state(&harness, LLR_PORT, "failed");
    assert_protected_by(&harness, "a");
    end(&harness);
}

/* --- Profiles ----------------------------------------------------------- */

/* Refuses to create a profile with the attribute '*context', and names it. */
static sai_status_t
lack(void *context, const struct store_call *call)
{
    const sai_attr_id_t *id = context;

    if (call->op != STORE_CREATE ||
        call->type != SAI_OBJECT_TYPE_PORT_LLR_PROFILE) {
        return SAI_STATUS_SUCCESS;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->attributes[i].id == *id) {
            return SAI_STATUS_ATTR_NOT_SUPPORTED_0 - (sai_status_t)i;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* What can be left out is: the row says so, and a port can have the profile. */
static void
test_profile_names_what_the_device_lacks(void **state)
{
    static const struct {
        sai_attr_id_t id;
        const char *field, *port_state;
    } cases[] = {
        {SAI_PORT_LLR_PROFILE_ATTR_REPLAY_COUNT_MAX, "max_replay_count",
         "applied"},
        {SAI_PORT_LLR_PROFILE_ATTR_OUTSTANDING_BYTES_MAX,
         "max_outstanding_bytes", "waiting"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sai_attr_id_t id = cases[i].id;
        const struct row_status *status;
        struct harness harness;

        harness_init(&harness, 1);
        store_set_hook(harness.store, lack, &id);
        harness_apply(&harness, "PORT", "Ethernet0",
                      "lanes=1,2,3,4;speed=100000");
        harness_apply(&harness, "LLR_PROFILE", "a",
                      LIMITS ";max_replay_count=7");
        harness_apply(&harness, LLR_PORT, "llr_profile=a;" BOTH);
        harness_assert_state(&harness, "LLR_PROFILE", "a", "unsupported");
        status = harness_status(&harness, "LLR_PROFILE", "a");
        assert_string_equal(status->err.field, cases[i].field);
        assert_true(*status->err.remedy);
        harness_assert_state(&harness, LLR_PORT, cases[i].port_state);
        end(&harness);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_that_is_refused_leaves_the_former_one),
        cmocka_unit_test(test_direction_that_does_not_go_off_keeps_the_profile),
        cmocka_unit_test(test_direction_stays_on_if_the_profile_has_to),
        cmocka_unit_test(
            test_profile_that_cannot_be_replaced_interrupts_nothing),
        cmocka_unit_test(
            test_port_of_a_row_that_waits_keeps_the_replaced_profile),
        cmocka_unit_test(test_unknown_outcomes_are_settled_first),
        cmocka_unit_test(
            test_change_that_is_due_and_waits_is_not_planned_forever),
        cmocka_unit_test(test_profile_names_what_the_device_lacks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
