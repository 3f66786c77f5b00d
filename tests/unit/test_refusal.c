/* SPDX-License-Identifier: Apache-2.0 */

/* When orchd tries again what SAI refused. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/agent_harness.h"

#define SECOND_NS (INT64_C(1000) * 1000 * 1000)

enum { N_TRIES = 9 };

/* When the size of a pool was set, which is always refused. */
struct tries {
    const struct harness *harness;
    size_t n;
    int64_t at_ns[N_TRIES];
};

static sai_status_t
refuse(void *context, const struct store_call *call)
{
    struct tries *tries = context;

    if (call->op != STORE_SET || call->type != SAI_OBJECT_TYPE_BUFFER_POOL) {
        return SAI_STATUS_SUCCESS;
    }
    assert_true(tries->n < N_TRIES);
    tries->at_ns[tries->n++] = tries->harness->now;
    return SAI_STATUS_INSUFFICIENT_RESOURCES;
}

static void
test_waits_double_from_one_second_to_sixty(void **state)
{
    static const int64_t waits_s[] = {1, 2, 4, 8, 16, 32, 60, 60};
    struct harness harness;
    struct tries tries = {.harness = &harness};

    (void)state;
    harness_init_applied(&harness);
    store_set_hook(harness.store, refuse, &tries);
    harness_apply(&harness, "BUFFER_POOL", "ingress",
                  "type=ingress;mode=dynamic;size=20000000");
    harness_pass(&harness, 200 * SECOND_NS);
    assert_int_equal(tries.n, N_TRIES);
    for (size_t i = 0; i + 1 < N_TRIES; i++) {
        assert_int_equal(tries.at_ns[i + 1] - tries.at_ns[i],
                         waits_s[i] * SECOND_NS);
    }
    assert_int_equal(
        harness_status(&harness, "BUFFER_POOL", "ingress")->attempts, N_TRIES);
    store_set_hook(harness.store, NULL, NULL);
    harness_pass(&harness, 61 * SECOND_NS);
    harness_assert_state(&harness, "BUFFER_POOL", "ingress", "applied");
    harness_fini(&harness);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits_double_from_one_second_to_sixty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
