/* SPDX-License-Identifier: Apache-2.0 */

/* Scenarios that cannot be run: the message names the place if the scenario is
 * to blame. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

static void
test_messages(void **state)
{
    static const struct {
        const char *text, *place, *words;
    } rows[] = {
        /* Configurations. */
        {"fabric: {star: {hosts: 40}, switch: {t0: {config: star-32x100g}}}\n",
         "test.yaml:3:", "needs 40 ports, and its configuration has 32"},
        {"fabric: {star: {hosts: 2}, switch: {t0: {config: nowhere}}}\n",
         "test.yaml:3:", "cannot read the configuration"},
        {"fabric: {star: {hosts: 2, rate: 40G},\n"
         "  switch: {t0: {config: star-32x100g}}}\n",
         "test.yaml:4:", "speed"},
        {"fabric: {clos: {t0: 2, t1: 1, hosts: 1}, links: {t0_t1: {rate: 40G}},"
         "\n  switch: {t0: {config: t0-32x100g}, t1: {config: t1-64x100g}}}\n",
         "test.yaml:3:",
         "the link of t0-0 and t1-0 has 40 Gbps, but their ports have 100 "},
        {"fabric: {star: {hosts: 2},\n"
         "  switch: {t0: {chip: td9}}}\n",
         "test.yaml:4:", "td9"},
        {"fabric: {star: {hosts: 2},\n"
         "  switch: {t0: {set: {'WRED_PROFILE|AZURE_LOSSLESS': "
         "{green_min_threshold: many}}}}}\n",
         "test.yaml:4:", "green_min_threshold"},
        {"fabric: {star: {hosts: 2},\n"
         "  switch: {t0: {set: {'NO_TABLE|x': {y: z}}}}}\n",
         "test.yaml:4:", "NO_TABLE"},
        /* Hosts. */
        {"fabric: {star: {hosts: 2}}\n"
         "hosts: {default: {rx_fifo: {size: 64KiB, xoff: 10KB, xon: 20KB}}}\n",
         "test.yaml:4:", "xon"},
        /* Traffic. */
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{rc: {pattern: permutation, size: 3GB}}]\n",
         "test.yaml:4:", "2^31-1"},
        {"fabric: {star: {hosts: 2, rate: 40G}}\n"
         "traffic: [{raw: {pattern: permutation, rate: 50G}}]\n",
         "test.yaml:4:12", "'raw-0' is 50 Gbps, but the link of h-0-0 has 40"},
        {"fabric: {star: {hosts: 2}}\n"
         "hosts: {default: {dcqcn: {profile: paper, first_rate: 1/3}}}\n",
         "test.yaml:4:", "'first_rate' has to be a whole number of percent"},
        /* Series. */
        {"fabric: {star: {hosts: 2}}\n"
         "record: {series: {every: 1us, of: port.tx, priorities: 3}}\n",
         "test.yaml:4:19", "'priorities' chooses nothing"},
        {"fabric: {star: {hosts: 2}}\n"
         "record: {series: {every: 1us, of: flow.rate, at: h-0-0}}\n",
         "test.yaml:4:19", "use 'traffic'"},
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{name: a, raw: {pattern: permutation}}]\n"
         "record: {series: {every: 1us, of: port.tx, traffic: a}}\n",
         "test.yaml:5:19", "use 'at'"},
        {"fabric: {star: {hosts: 2}}\n"
         "record: {series: {every: 1us, of: pg.depth, at: h-0-0}}\n",
         "test.yaml:4:19", "nothing that is selected"},
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{rc: {pattern: permutation, size: 1}}]\n"
         "record: {series: {every: 1us, of: flow.cwnd}}\n",
         "test.yaml:5:19", "flow.cwnd is of TCP"},
        /* Faults. */
        {"fabric: {star: {hosts: 2}}\n"
         "faults: [{down: true, link: h-0-9.t0-0}]\n",
         "test.yaml:4:", "h-0-9"},
        {"fabric: {star: {hosts: 2}}\n"
         "faults:\n"
         "  - {loss: 1%, link: h-0-0.t0-0, at: 1ms, for: 2ms}\n"
         "  - {drop_every: 9, link: t0-0.h-0-0, at: 2ms}\n",
         "test.yaml:6:", "lasts at the same time (line 5)"},
        {"fabric: {star: {hosts: 2}}\n"
         "faults:\n"
         "  - {flap: 10us, link: h-0-0.t0-0}\n"
         "  - {down: true, link: h-0-0.t0-0}\n",
         "test.yaml:6:", "lasts at the same time (line 5)"},
        {"fabric: {star: {hosts: 2}}\n"
         "faults:\n"
         "  - {clear_ce: true, link: h-0-0.t0-0}\n"
         "  - {delay: 1us, link: h-0-0.t0-0}\n",
         "test.yaml:6:", "lasts at the same time (line 5)"},
        /* Defects that a node cannot have. */
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{rc: {pattern: incast, from: h-0-1, to: h-0-0, size: 1}}]\n"
         "faults: [{stall: true, link: t0-0.h-0-0}]\n",
         "test.yaml:5:", "t0-0 is a switch: name the host first"},
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{rc: {pattern: incast, from: h-0-1, to: h-0-0, size: 1}}]\n"
         "faults: [{stall: true, link: h-0-0.t0-0}]\n",
         "test.yaml:5:", "h-0-0 has no receive buffer"},
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{rc: {pattern: incast, from: h-0-1, to: h-0-0, size: 1}}]\n"
         "faults: [{storm: 3, link: h-0-0.t0-0}]\n",
         "test.yaml:5:", "h-0-0 is a host: use 'stall'"},
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{rc: {pattern: incast, from: h-0-1, to: h-0-0, size: 1}}]\n"
         "record: {series: {every: 1ms, of: hosts.affected}}\n",
         "test.yaml:5:", "'faults' needs one, and all with an 'at' after 0"},
        {"fabric: {star: {hosts: 2}}\n"
         "traffic: [{rc: {pattern: incast, from: h-0-1, to: h-0-0, size: 1}}]\n"
         "faults: [{down: true, link: h-0-0.t0-0, at: 1ms},\n"
         "         {down: true, link: h-0-1.t0-0}]\n"
         "record: {series: {every: 1ms, of: hosts.affected}}\n",
         "test.yaml:7:", "'faults' needs one, and all with an 'at' after 0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        struct err err = {0};

        (void)snprintf(text, sizeof text, "name: x\nstop: 5ms\n%s",
                       rows[i].text);
        lab_run_refuse(text, &err);
        if (strncmp(err.reason, rows[i].place, strlen(rows[i].place)) != 0 ||
            !strstr(err.reason, rows[i].words)) {
            fail_msg("'%s...%s' is not in: %s", rows[i].place, rows[i].words,
                     err.reason);
        }
    }
}

/* Faults of one link that do not change the same thing, or not at one time. */
static void
test_faults_together(void **state)
{
    (void)state;
    lab_run_destroy(
        lab_run_create("name: x\n"
                       "fabric: {star: {hosts: 2}}\n"
                       "faults:\n"
                       "  - {loss: 1%, link: h-0-0.t0-0, direction: forward}\n"
                       "  - {loss: 2%, link: t0-0.h-0-0, direction: forward}\n"
                       "  - {down: true, link: h-0-0.t0-0, at: 1ms, for: 1ms}\n"
                       "  - {down: true, link: h-0-0.t0-0, at: 2ms, for: 1ms}\n"
                       "stop: 5ms\n"));
}

/* 100 KB end within 9 us, and the run with them: what is planned for later is
 * named, not left out. */
static void
test_what_the_end_prevents(void **state)
{
    static const struct {
        const char *text, *place, *what;
    } rows[] = {
        {"faults: [{down: true, link: h-0-0.t0-0, at: 2ms}]\n",
         "test.yaml:6:", "this fault begins"},
        {"restarts: [{switch: t0-0, kind: warm, at: 5us, for: 1ms}]\n",
         "test.yaml:6:", "this restart is over"},
        {"drift: {at: 5us, audit: 1ms}\n",
         "test.yaml:6:", "the audit of 'drift'"},
        {"rollout: {start: 0, soak: 1ms, set: {'PORT_QOS_MAP|*': "
         "{pfc_enable: '3'}},\n"
         "  steps: [{name: a, switches: t0-0}],\n"
         "  guard: {traffic: p, within: 1us, errors: 1}}\n",
         "test.yaml:6:", "the rollout is over"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct err *failure;
        struct lab_run *lab;
        char text[1024], words[128];

        (void)snprintf(text, sizeof text,
                       "name: x\nfabric: {star: {hosts: 2}}\ntraffic:\n"
                       "  - {rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
                       "size: 100KB}}\n"
                       "  - {name: p, ping: {pattern: all_to_all}}\n"
                       "%sstop: 5ms\n",
                       rows[i].text);
        (void)snprintf(words, sizeof words,
                       "when its traffic is complete, before %s", rows[i].what);
        lab = lab_run_create(text);
        assert_int_equal(run_until(lab->run, INT64_MAX), RUN_FAILED);
        failure = run_failure(lab->run);
        if (strncmp(failure->reason, rows[i].place, strlen(rows[i].place)) ||
            !strstr(failure->reason, words) ||
            !strstr(failure->remedy, "'stop_when_done: false'")) {
            fail_msg("'%s' is not in: %s (%s)", words, failure->reason,
                     failure->remedy);
        }
        lab_run_destroy(lab);

        /* The remedy helps. */
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "stop_when_done: false\n");
        lab = lab_run_create(text);
        lab_run_all(lab, 0);
        lab_run_destroy(lab);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_what_the_end_prevents),
        cmocka_unit_test(test_faults_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
