/* SPDX-License-Identifier: Apache-2.0 */

/* Removals whose outcome is unknown: whether the object is still there. */

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
#define PROFILE      "LLR_PROFILE", "a"
#define LLR_PORT     "LLR_PORT", "Ethernet0"

/* What the device answers to the next removals. */
struct answers {
    const sai_status_t *next;
    size_t n;
};

static sai_status_t
answer(void *context, const struct store_call *call)
{
    struct answers *answers = context;

    if (call->op != STORE_REMOVE || answers->n == 0) {
        return SAI_STATUS_SUCCESS;
    }
    answers->n--;
    return *answers->next++;
}

static void
put_profile(struct harness *harness, struct answers *answers)
{
    harness_init(harness, 1);
    harness_apply(harness, "PORT", "Ethernet0", "lanes=1,2,3,4;speed=100000");
    harness_apply(harness, PROFILE, LIMITS);
    store_set_hook(harness->store, answer, answers);
}

/* Asserts that the profile is there: a port can have it. */
static void
check_profile(struct harness *harness, const struct answers *answers)
{
    assert_int_equal(answers->n, 0);
    harness_pass(harness, 100 * SECOND_NS);
    harness_assert_state(harness, PROFILE, "applied");
    harness_apply(harness, LLR_PORT, "llr_profile=a;llr_local=enabled");
    harness_assert_state(harness, LLR_PORT, "applied");
    assert_int_equal(
        store_count(harness->store, SAI_OBJECT_TYPE_PORT_LLR_PROFILE), 1);
    store_set_hook(harness->store, NULL, NULL);
    harness_fini(harness);
}

/* Writes the row of the profile; the device may fail meanwhile. */
static void
rewrite(struct harness *harness, const char *fields)
{
    harness_apply(harness, PROFILE, fields);
    if (store_stopped(harness->store)) {
        store_resume(harness->store);
    }
}

static void
test_former_version_that_may_be_gone_is_not_taken_back(void **state)
{
    static const sai_status_t list[] = {STORE_STOP_AFTER};
    struct answers answers = {list, 1};
    struct harness harness;

    (void)state;
    put_profile(&harness, &answers);
    rewrite(&harness, OTHER_LIMITS);
    rewrite(&harness, LIMITS);
    check_profile(&harness, &answers);
}

static void
test_former_version_that_is_in_use_is_there(void **state)
{
    static const sai_status_t list[] = {SAI_STATUS_FAILURE,
                                        SAI_STATUS_OBJECT_IN_USE};
    struct answers answers = {list, 2};
    struct harness harness;
    sai_object_id_t before;

    (void)state;
    put_profile(&harness, &answers);
    before = agent_object(harness.agent, TABLE_LLR_PROFILE, "a", -1)->oid;
    rewrite(&harness, OTHER_LIMITS);
    harness_pass(&harness, SECOND_NS);
    rewrite(&harness, LIMITS);
    assert_true(agent_object(harness.agent, TABLE_LLR_PROFILE, "a", -1)->oid ==
                before);
    check_profile(&harness, &answers);
}

static void
test_replacement_that_may_be_gone_is_replaced(void **state)
{
    static const sai_status_t list[] = {SAI_STATUS_INSUFFICIENT_RESOURCES,
                                        STORE_STOP_AFTER};
    struct answers answers = {list, 2};
    struct harness harness;

    (void)state;
    put_profile(&harness, &answers);
    rewrite(&harness, OTHER_LIMITS);
    rewrite(&harness, LIMITS);
    rewrite(&harness, OTHER_LIMITS);
    check_profile(&harness, &answers);
}

/* The row comes back while a user that orchd does not know of holds it. */
static void
test_object_that_is_in_use_is_there(void **state)
{
    static const sai_status_t list[] = {SAI_STATUS_FAILURE,
                                        SAI_STATUS_OBJECT_IN_USE};
    struct answers answers = {list, 2};
    struct harness harness;
    sai_object_id_t before;

    (void)state;
    put_profile(&harness, &answers);
    before = agent_object(harness.agent, TABLE_LLR_PROFILE, "a", -1)->oid;
    rewrite(&harness, NULL);
    harness_pass(&harness, SECOND_NS);
    rewrite(&harness, LIMITS);
    assert_true(agent_object(harness.agent, TABLE_LLR_PROFILE, "a", -1)->oid ==
                before);
    check_profile(&harness, &answers);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_former_version_that_may_be_gone_is_not_taken_back),
        cmocka_unit_test(test_former_version_that_is_in_use_is_there),
        cmocka_unit_test(test_replacement_that_may_be_gone_is_replaced),
        cmocka_unit_test(test_object_that_is_in_use_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
