/* SPDX-License-Identifier: Apache-2.0 */

/* Bulk-synchronous jobs with a barrier of messages: nobody begins a step before
 * all have ended the one before, and nobody waits for much more. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 1024, HOSTS_MAX = 8, STEPS = 4, COMPUTE_US = 50 };

#define US INT64_C(1000000)

/* Messages of three pieces of TCP at a processor. */
enum { SIZE_BYTES = 20000, LONG_BYTES = 150000 };

/* Runs a job of 'n' hosts with so many 'processes' each over 'kind', whose
 * messages have 'size_bytes', where 'faults' are.  'cpu' is that of hosts. */
static struct lab_run *
run_with(const char *kind, uint32_t n, uint32_t processes, uint32_t size_bytes,
         const char *faults, const char *cpu)
{
    char text[TEXT_SIZE];
    struct lab_run *lab;

    (void)snprintf(
        text, sizeof text,
        "name: x\n"
        "fabric: {star: {hosts: %u, rate: 100G}}\n"
        "hosts: {default: {tcp: {mss: 8948, ack_every: 1}, cpu: %s}}\n"
        "traffic: [{jitter: 20us, %s: {pattern: all_to_all, size: %uB,\n"
        "  %s: %u, repeat: %d, compute: %dus, barrier: dissemination}}]\n"
        "faults: [%s]\n"
        "stop: 50ms\n"
        "record: {messages: true}\n",
        n, cpu, kind, size_bytes,
        strcmp(kind, "tcp") == 0 ? "connections" : "qps", processes, (int)STEPS,
        (int)COMPUTE_US, faults);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    return lab;
}

static struct lab_run *
run(const char *kind, uint32_t n, uint32_t processes, const char *faults)
{
    return run_with(kind, n, processes, SIZE_BYTES, faults, "off");
}

/* Checks the steps of 'lab', each of 'n_each' messages of 'size_bytes'.
 * Returns the longest time from the end of a step to the last start of the next
 * one. */
static int64_t
check_steps_of(const struct lab_run *lab, size_t n_each, uint32_t size_bytes)
{
    int64_t first_ps[STEPS], start_ps[STEPS], end_ps[STEPS], longest_ps = 0;
    size_t n[STEPS] = {0};

    assert_int_equal(lab->n_messages, n_each * STEPS);
    for (size_t i = 0; i < lab->n_messages; i++) {
        const struct sink_message *message = &lab->messages[i];
        const uint64_t k = message->number;

        assert_true(k < STEPS);
        assert_int_equal(message->bytes, size_bytes);
        if (!n[k]++) {
            first_ps[k] = message->start_ps;
            start_ps[k] = message->start_ps;
            end_ps[k] = message->end_ps;
        }
        first_ps[k] =
            message->start_ps < first_ps[k] ? message->start_ps : first_ps[k];
        start_ps[k] =
            message->start_ps > start_ps[k] ? message->start_ps : start_ps[k];
        end_ps[k] = message->end_ps > end_ps[k] ? message->end_ps : end_ps[k];
    }
    for (size_t k = 0; k < STEPS; k++) {
        assert_int_equal(n[k], n_each);
        if (k) {
            /* The last one may have all signals of the others. */
            assert_true(first_ps[k] >= end_ps[k - 1] + COMPUTE_US * US);
            longest_ps = start_ps[k] - end_ps[k - 1] > longest_ps
                             ? start_ps[k] - end_ps[k - 1]
                             : longest_ps;
        }
    }
    return longest_ps;
}

static int64_t
check_steps(const struct lab_run *lab, size_t n_each)
{
    return check_steps_of(lab, n_each, SIZE_BYTES);
}

static void
test_nobody_begins_before_all_have_ended(void **state)
{
    static const char *const kinds[] = {"srd", "tcp"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t n = 2; n <= HOSTS_MAX; n++) {
            struct lab_run *lab = run(kinds[i], n, 2, "");
            const int64_t longest_ps = check_steps(lab, n * (n - 1) * 2);
            uint32_t rounds = 0;

            while (1U << rounds < n) {
                rounds++;
            }
            /* A signal takes less than 3 us; one message as long may be in
             * its way in each round. */
            assert_true(longest_ps < COMPUTE_US * US + 6 * US * rounds);
            assert_int_equal(lab->n_flows, n * (n - 1) * 2);
            for (uint32_t k = 0; k < lab->n_flows; k++) {
                assert_int_equal(lab->flows[k].state, SINK_FLOW_DONE);
            }
            lab_run_destroy(lab);
        }
    }
}

/* Cores work on signals as on any message, and programs get them later: in each
 * of two rounds by the work of both ends and the delay of the system. */
static void
test_processors_work_on_signals(void **state)
{
    static const struct {
        const char *kind, *cpu;
        int64_t least_ps; /* Of a round. */
    } cases[] = {
        {"tcp", "{cores: 4, tcp_spread: 0}", 12 * US},
        {"srd", "{cores: 4, rdma_spread: 0}", 2600000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lab_run *without =
            run_with(cases[i].kind, 4, 2, LONG_BYTES, "", "off");
        struct lab_run *with =
            run_with(cases[i].kind, 4, 2, LONG_BYTES, "", cases[i].cpu);
        const int64_t longer_ps = check_steps_of(with, 4 * 3 * 2, LONG_BYTES);

        (void)check_steps_of(without, 4 * 3 * 2, LONG_BYTES);
        assert_true(longer_ps >= COMPUTE_US * US + 2 * cases[i].least_ps);
        assert_true(longer_ps <= COMPUTE_US * US + 4 * cases[i].least_ps);
        lab_run_destroy(without);
        lab_run_destroy(with);
    }
}

/* One link of a host is late: all wait for it, and for signals over it. */
static void
test_one_late_host_stalls_all(void **state)
{
    struct lab_run *lab = run(
        "srd", 5, 1, "{delay: 300us, link: h-0-3.t0-0, direction: forward}");
    const int64_t longest_ps = check_steps(lab, 5 * 4);

    (void)state;
    /* Only the late host's signals are late, and not more than once in a row of
     * rounds. */
    assert_true(longest_ps > COMPUTE_US * US + 300 * US);
    assert_true(longest_ps < COMPUTE_US * US + 3 * 310 * US);
    lab_run_destroy(lab);
}

/* Some messages are lost and sent again: the steps stay steps. */
static void
test_losses_only_delay(void **state)
{
    struct lab_run *lab = run("srd", 7, 2, "{loss: 2%, link: h-0-2.t0-0}");

    (void)state;
    (void)check_steps(lab, 7 * 6 * 2);
    assert_true(lab->drops[SINK_DROP_FAULT] > 0);
    lab_run_destroy(lab);
}

static void
test_what_has_no_barrier_is_refused(void **state)
{
    static const struct {
        const char *traffic, *reason;
    } cases[] = {
        {"pattern: pairs, from: 'h-0-[0..1]', to: 'h-0-[2..3]'",
         "needs one flow from each of its hosts to each other one"},
        {"pattern: all_to_all, both_ways: true",
         "needs one flow from each of its hosts to each other one"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TEXT_SIZE];
        struct err err = {0};

        (void)snprintf(text, sizeof text,
                       "name: x\n"
                       "fabric: {star: {hosts: 4, rate: 100G}}\n"
                       "traffic: [{tcp: {%s, size: 1KB, repeat: 2,\n"
                       "  compute: 1us, barrier: dissemination}}]\n"
                       "stop: 1ms\n",
                       cases[i].traffic);
        lab_run_refuse(text, &err);
        assert_non_null(strstr(err.reason, cases[i].reason));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody_begins_before_all_have_ended),
        cmocka_unit_test(test_processors_work_on_signals),
        cmocka_unit_test(test_one_late_host_stalls_all),
        cmocka_unit_test(test_losses_only_delay),
        cmocka_unit_test(test_what_has_no_barrier_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
