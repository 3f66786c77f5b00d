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
#include "twin/switch/sim.h"

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
        {"steps: [{name: a, switches: t0-0}, {name: b, switches: t0-*}], "
         "guard: {traffic: p, within: 1us}",
         "step 'b' changes nothing: earlier steps have all of its switches"},
        {"steps: [{name: a, switches: t0-0}], start: 20ms, "
         "guard: {traffic: p, within: 1us}",
         "the rollout is not over when the run ends"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        struct err err = {0};

        (void)snprintf(text, sizeof text,
                       "name: x\nfabric: {star: {hosts: 2}}\n"
                       "traffic:\n"
                       "  - {name: p, ping: {pattern: all_to_all}}\n"
                       "  - {name: r, raw: {pattern: all_to_all}}\n"
                       "rollout: {%ssoak: 1ms, set: {'PORT_QOS_MAP|*': "
                       "{pfc_enable: '3'}}, %s}\n"
                       "stop: 20ms\n",
                       strstr(rows[i].rollout, "start:") ? "" : "start: 1ms, ",
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
    static const struct {
        const char *set, *words;
    } rows[] = {
        {"", "without an item in 'set'"},
        {"'PORT_QOS_MAPP|*': {pfc_enable: '3'}", "did you mean 'PORT_QOS_MAP'"},
        {"'PORT_QOS_MAP|*': {pfc_enabl: '3'}", "did you mean 'pfc_enable'"},
        {"'PORT_QOS_MAP|*': {pfc_enable: '9'}", "pfc_enable is \"9\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        struct err err = {0};

        (void)snprintf(text, sizeof text,
                       "name: x\nfabric: {star: {hosts: 2}}\n"
                       "traffic: [{name: p, ping: {pattern: all_to_all}}]\n"
                       "rollout: {start: 1ms, soak: 1ms, set: {%s},\n"
                       "          steps: [{name: a, switches: t0-0}],\n"
                       "          guard: {traffic: p, within: 1us}}\n"
                       "stop: 20ms\n",
                       rows[i].set);
        lab_run_refuse(text, &err);
        assert_non_null(strstr(err.reason, "test.yaml:4:"));
        if (!strstr(err.reason, rows[i].words)) {
            fail_msg("'%s' is not in: %s", rows[i].words, err.reason);
        }
    }
}

/* Three hosts that ping each other each 20 us, with 'timeout' from 'start' on,
 * and a rollout that begins after 2 ms, with 'guard', and other sections. */
static struct lab_run *
roll_out(const char *start, const char *timeout, const char *guard,
         const char *sections)
{
    char text[1536];

    (void)snprintf(
        text, sizeof text,
        "name: x\nfabric: {star: {hosts: 3}}\n"
        "traffic:\n"
        "  - {name: p, start: %s, ping: {pattern: all_to_all, every: 20us, "
        "timeout: %s}}\n"
        "rollout: {start: 2ms, soak: 1ms,\n"
        "          set: {'PORT_QOS_MAP|*': {pfc_enable: '3'}},\n"
        "          steps: [{name: a, switches: t0-0}],\n"
        "          guard: {traffic: p, %s}}\n"
        "%s\nstop: 5ms\n",
        start, timeout, guard, sections);
    return lab_run_create(text);
}

/* The counters say that the plan stops for the reason in 'stops'; errors of
 * probes may come with a high latency.  NULL: it does not stop. */
static void
assert_reason(struct lab_run *lab, const char *stops)
{
    static const struct {
        const char *counter, *text;
        bool of_probes;
    } reasons[] = {
        {"rollout_stopped_probes", "no probe was", false},
        {"rollout_stopped_errors", "had no answer", true},
        {"rollout_stopped_p99", "p99 of the probes", true},
        {"rollout_stopped_drops", "dropped, more", false},
        {"rollout_stopped_drift", "of switches differ", false},
    };

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const uint64_t n =
            lab_run_counter(lab, SINK_NONE, reasons[i].counter);
        const bool is_it = stops && strstr(stops, reasons[i].text);

        if (is_it || !reasons[i].of_probes || !stops) {
            assert_int_equal(n, is_it);
        }
        /* The log names all of them. */
        assert_int_equal(n, strstr(lab->log, reasons[i].text) &&
                                strstr(lab->log, "stops after"));
    }
}

/* What stops a rollout, and what does not. */
static void
test_the_guard(void **state)
{
    /* At a link of host 2: from the beginning, only for 1 ms, and in the step.
     */
#define FAULT(what)   "faults: [{" what ", link: h-0-2.t0-0}]"
#define EARLIER(what) "faults: [{" what ", link: h-0-2.t0-0, for: 1ms}]"
#define LATER(what)   "faults: [{" what ", link: h-0-2.t0-0, at: 2100us}]"
    static const struct {
        const char *start, *timeout, *guard, *sections;
        const char *stops; /* NULL: it does not. */
    } rows[] = {
        {"0", "1s", "within: 100us", "", NULL},
        /* Errors: what is lost, or late, or has no answer yet. */
        {"0", "200us", "within: 10ms", LATER("loss: 1"), "had no answer in"},
        {"0", "1s", "within: 100us", LATER("loss: 1"), "had no answer in"},
        {"0", "200us", "within: 100us", EARLIER("loss: 1"), "had no answer in"},
        {"0", "1s", "within: 20us", FAULT("delay: 50us"), "had no answer in"},
        {"0", "1s", "within: 20us",
         "faults: [{delay: 50us, link: h-0-2.t0-0, at: 2100us, for: 300us}]",
         "had no answer in"},
        {"0", "1s", "within: 20us, errors: 1", FAULT("delay: 50us"), NULL},
        {"0", "1s", "within: 20us", EARLIER("delay: 50us"), NULL},
        /* Four of six pairs are late. */
        {"0", "1s", "within: 10ms, p99: 20us", FAULT("delay: 50us"),
         "p99 of the probes is"},
        {"0", "1s", "within: 10ms, p99: 20us", EARLIER("delay: 50us"), NULL},
        /* A frame with a wrong FCS is in a counter, one that is lost in none.
         */
        {"0", "1s", "within: 10ms, errors: 1", LATER("corrupt: 1/2"),
         "dropped, more than 0"},
        {"0", "1s", "within: 10ms, errors: 1, drops: 1000000",
         LATER("corrupt: 1/2"), NULL},
        {"0", "1s", "within: 10ms, errors: 1", EARLIER("corrupt: 1/2"), NULL},
        {"0", "1s", "within: 10ms, errors: 1", LATER("loss: 1/2"), NULL},
        /* Values. */
        {"0", "1s", "within: 10ms", "drift: {at: 2100us, audit: 4ms}",
         "1 value of switches differs from what is intended, more than 0"},
        {"0", "1s", "within: 10ms, drift: 1", "drift: {at: 2100us, audit: 4ms}",
         NULL},
        /* Who does not answer may have nothing to answer. */
        {"4ms", "1s", "within: 10ms", "", "no probe was answered or lost"},
    };
#undef FAULT
#undef EARLIER
#undef LATER

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lab_run *lab = roll_out(rows[i].start, rows[i].timeout,
                                       rows[i].guard, rows[i].sections);

        lab_run_all(lab, 0);
        assert_non_null(lab->log);
        if (rows[i].stops && (!strstr(lab->log, "stops after step 1, a: ") ||
                              !strstr(lab->log, rows[i].stops))) {
            fail_msg("%s does not stop because '%s': %s", rows[i].guard,
                     rows[i].stops, lab->log);
        }
        if (!rows[i].stops && !strstr(lab->log, "step 1, a, has passed")) {
            fail_msg("%s, %s: %s", rows[i].guard, rows[i].sections, lab->log);
        }
        assert_int_equal(lab_run_counter(lab, SINK_NONE, "rollout_steps_begun"),
                         1);
        assert_int_equal(
            lab_run_counter(lab, SINK_NONE, "rollout_steps_passed"),
            !rows[i].stops);
        assert_int_equal(lab_run_counter(lab, SINK_NONE, "rollout_stopped"),
                         rows[i].stops != NULL);
        assert_reason(lab, rows[i].stops);
        assert_int_equal(lab_run_counter(lab, SINK_NONE, "rollout_switches"),
                         1);
        lab_run_destroy(lab);
    }
}

/* Pings of other items are no probes. */
static void
test_other_pings_are_no_probes(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\nfabric: {star: {hosts: 3}}\n"
        "traffic:\n"
        "  - {name: p, ping: {pattern: pairs, from: h-0-0, to: h-0-1, every: "
        "20us}}\n"
        "  - {name: q, ping: {pattern: pairs, from: h-0-2, to: h-0-1, every: "
        "20us}}\n"
        "faults: [{delay: 50us, link: h-0-2.t0-0}]\n"
        "rollout: {start: 2ms, soak: 1ms,\n"
        "          set: {'PORT_QOS_MAP|*': {pfc_enable: '3'}},\n"
        "          steps: [{name: a, switches: t0-0}],\n"
        "          guard: {traffic: p, within: 20us}}\n"
        "stop: 5ms\n");

    (void)state;
    lab_run_all(lab, 0);
    assert_int_equal(lab_run_counter(lab, SINK_NONE, "rollout_steps_passed"),
                     1);
    lab_run_destroy(lab);
}

/* A switch of two steps gets the rows once, and has them. */
static void
test_steps_add_switches(void **state)
{
    struct lab_run *lab = lab_run_create(
        "name: x\nfabric: {clos: {t0: 2, t1: 1, hosts: 1}}\n"
        "traffic:\n"
        "  - {name: p, ping: {pattern: all_to_all, every: 20us}}\n"
        "rollout: {start: 1ms, soak: 1ms,\n"
        "          set: {'PORT_QOS_MAP|*': {pfc_enable: '3'}},\n"
        "          steps: [{name: a, switches: t0-0},\n"
        "                  {name: b, switches: 't0-*'}],\n"
        "          guard: {traffic: p, within: 100us}}\n"
        "stop: 5ms\n");
    struct err err = {0};

    (void)state;
    lab_run_all(lab, 0);
    assert_non_null(strstr(lab->log, "step 1, a: 1 switch, 1 in all"));
    assert_non_null(strstr(lab->log, "step 2, b: 1 switch, 2 in all"));
    assert_int_equal(lab_run_counter(lab, SINK_NONE, "rollout_switches"), 2);
    assert_int_equal(lab_run_counter(lab, SINK_NONE, "rollout_steps_passed"),
                     2);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"t0-0", "t0-1", "t1-0"};
        struct switch_instance *sw;

        assert_int_equal(run_find_switch(lab->run, names[i], &sw, &err), ST_OK);
        assert_int_equal(
            sim_port_get(switch_instance_sim(sw), 0)->pfc_tx_enabled,
            i < 2 ? 1 << 3 : 1 << 3 | 1 << 4);
    }
    lab_run_destroy(lab);
}

/* All switches drift, each once; an audit finds that, and nothing else. */
static void
test_an_audit_of_all_switches(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 10; seed++) {
        struct lab_run *lab;
        char text[256];

        (void)snprintf(text, sizeof text,
                       "name: x\nseed: %d\n"
                       "fabric: {clos: {t0: 2, t1: 1, hosts: 1}}\n"
                       "drift: {switches: 3, at: 1ms, audit: 2ms}\nstop: "
                       "3ms\n",
                       seed);
        lab = lab_run_create(text);
        lab_run_all(lab, 0);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(lab_run_counter(lab, i, "drift_found"), 1);
            assert_int_equal(lab_run_counter(lab, i, "drift_false"), 0);
        }
        assert_int_equal(lab_run_counter(lab, SINK_NONE, "drift_missed"), 0);
        assert_true(lab_run_counter(lab, SINK_NONE, "drift_compared") > 300);
        lab_run_destroy(lab);
    }
}

/* What differs elsewhere on the switch counts apart. */
static void
test_an_audit_of_other_values(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 5; seed++) {
        struct switch_instance *sw;
        struct found all = {0};
        struct err err = {0};
        struct lab_run *lab;
        char text[256];

        (void)snprintf(text, sizeof text,
                       "name: x\nseed: %d\nfabric: {star: {hosts: 2}}\n"
                       "drift: {at: 1ms, audit: 2ms}\nstop: 3ms\n",
                       seed);
        lab = lab_run_create(text);
        assert_int_equal(run_until(lab->run, INT64_C(1500000000)), RUN_RUNNING);
        assert_int_equal(run_find_switch(lab->run, "t0-0", &sw, &err), ST_OK);
        for (uint64_t i = 0; i < 200; i++) {
            struct switch_drift made;
            struct random random;

            random_init(&random, i);
            assert_int_equal(switch_drift_make(sw, &random, &made, &err),
                             ST_OK);
        }
        (void)switch_drift_audit(sw, on_difference, &all);
        assert_true(all.n > 5);
        lab_run_all(lab, 0);
        assert_in_range(lab_run_counter(lab, 0, "drift_found"), 0, 1);
        assert_int_equal(lab_run_counter(lab, 0, "drift_found") +
                             lab_run_counter(lab, 0, "drift_false"),
                         all.n);
        assert_true(lab_run_counter(lab, 0, "drift_false") > 5);
        lab_run_destroy(lab);
    }
}

/* What a restart has repaired is missed. */
static void
test_an_audit_after_a_restart(void **state)
{
    struct lab_run *lab;

    (void)state;
    lab = lab_run_create(
        "name: x\nfabric: {star: {hosts: 2}}\n"
        "drift: {at: 1ms, audit: 2ms}\n"
        "restarts: [{switch: t0-0, kind: warm, at: 1200us, for: 200us}]\n"
        "stop: 3ms\n");
    lab_run_all(lab, 0);
    assert_int_equal(lab_run_counter(lab, 0, "drift_found"), 0);
    assert_int_equal(lab_run_counter(lab, SINK_NONE, "drift_missed"), 1);
    assert_true(lab_run_counter(lab, 0, "restart_set") > 0);
    lab_run_destroy(lab);
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
        cmocka_unit_test(test_the_guard),
        cmocka_unit_test(test_other_pings_are_no_probes),
        cmocka_unit_test(test_steps_add_switches),
        cmocka_unit_test(test_an_audit_of_all_switches),
        cmocka_unit_test(test_an_audit_of_other_values),
        cmocka_unit_test(test_an_audit_after_a_restart),
        cmocka_unit_test(test_an_audit_comes_after_the_drift),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
