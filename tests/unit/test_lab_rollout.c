/* SPDX-License-Identifier: Apache-2.0 */

/* Values that drift, the audit that finds them, and rollouts that stop. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/builder/switch_drift.h"
#include "lab/builder/switch_image.h"
#include "tests/support/lab_run.h"

/* What an audit has found. */
struct found {
    size_t n;
    struct switch_drift last;
};

static void
on_difference(void *context, const struct switch_difference *difference)
{
    struct found *found = context;

    found->n++;
    found->last = difference->of;
}

/* Each kind of drift, on switches that share the image, is found where it is,
 * and nowhere else. */
static void
test_drift_is_found(void **state)
{
    enum { DRAWS = 30 };
    struct lab_run *lab =
        lab_run_create("name: x\nfabric: {clos: {t0: 2, t1: 1, hosts: 1}}\n"
                       "stop: 1ms\n");
    uint32_t attributes = 0;

    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        struct switch_instance *sw[2];
        struct found found = {0}, other = {0}, after = {0};
        struct switch_restart repaired;
        struct switch_drift made;
        struct random random;
        struct err err = {0};

        random_init(&random, i);
        assert_int_equal(run_find_switch(lab->run, "t0-0", &sw[0], &err),
                         ST_OK);
        assert_int_equal(run_find_switch(lab->run, "t0-1", &sw[1], &err),
                         ST_OK);
        assert_int_equal(switch_drift_make(sw[0], &random, &made, &err), ST_OK);
        assert_true(switch_drift_audit(sw[0], on_difference, &found) > 100);
        assert_int_equal(found.n, 1);
        assert_true(found.last.oid == made.oid);
        assert_int_equal(found.last.attribute, made.attribute);
        attributes |= 1U << (made.attribute % 32);
        (void)switch_drift_audit(sw[1], on_difference, &other);
        assert_int_equal(other.n, 0);

        /* A control plane that starts repairs it. */
        assert_int_equal(switch_instance_restart(sw[0], &repaired, &err),
                         ST_OK);
        (void)switch_drift_audit(sw[0], on_difference, &after);
        assert_int_equal(after.n, 0);
    }
    /* More than one kind was drawn. */
    assert_true((attributes & (attributes - 1)) != 0);
    lab_run_destroy(lab);
}

static void
test_rollouts_that_cannot_be(void **state)
{
    static const struct {
        const char *rollout, *words;
    } rows[] = {
        {"steps: [], guard: {traffic: p, within: 1us}",
         "without an item in 'steps'"},
        {"steps: [{name: a, switches: t9-0}], guard: {traffic: p, within: 1us}",
         "there is no switch 't9-0'"},
        {"steps: [{name: a, switches: 't9-*'}], "
         "guard: {traffic: p, within: 1us}",
         "'t9-*'"},
        {"steps: [{name: a, switches: t0-0}], guard: {traffic: q, within: 1us}",
         "no item of 'traffic' is called 'q'"},
        {"steps: [{name: a, switches: t0-0}], guard: {traffic: r, within: 1us}",
         "is of kind 'ping', and 'r' is not"},
        {"steps: [{name: a, switches: t0-0}], guard: {traffic: p}",
         "needs the key 'within'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        struct err err = {0};

        (void)snprintf(
            text, sizeof text,
            "name: x\nfabric: {star: {hosts: 2}}\n"
            "traffic:\n"
            "  - {name: p, ping: {pattern: all_to_all}}\n"
            "  - {name: r, raw: {pattern: all_to_all}}\n"
            "rollout: {start: 1ms, soak: 1ms, set: {'PORT_QOS_MAP|*': "
            "{pfc_enable: '3'}}, %s}\n"
            "stop: 20ms\n",
            rows[i].rollout);
        lab_run_refuse(text, &err);
        if (!strstr(err.reason, rows[i].words)) {
            fail_msg("'%s' is not in: %s", rows[i].words, err.reason);
        }
    }
}

static void
test_a_rollout_sets_something(void **state)
{
    struct err err = {0};

    (void)state;
    lab_run_refuse("name: x\nfabric: {star: {hosts: 2}}\n"
                   "traffic: [{name: p, ping: {pattern: all_to_all}}]\n"
                   "rollout: {start: 1ms, soak: 1ms, set: {},\n"
                   "          steps: [{name: a, switches: t0-0}],\n"
                   "          guard: {traffic: p, within: 1us}}\n"
                   "stop: 20ms\n",
                   &err);
    assert_non_null(strstr(err.reason, "test.yaml:4:"));
    assert_non_null(strstr(err.reason, "without an item in 'set'"));
}

static void
test_an_audit_comes_after_the_drift(void **state)
{
    struct err err = {0};

    (void)state;
    lab_run_refuse("name: x\nfabric: {star: {hosts: 2}}\n"
                   "drift: {at: 2ms, audit: 1ms}\nstop: 20ms\n",
                   &err);
    assert_non_null(strstr(err.reason, "test.yaml:3:"));
    assert_non_null(strstr(err.reason, "'audit' is after 'at'"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drift_is_found),
        cmocka_unit_test(test_rollouts_that_cannot_be),
        cmocka_unit_test(test_a_rollout_sets_something),
        cmocka_unit_test(test_an_audit_comes_after_the_drift),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
