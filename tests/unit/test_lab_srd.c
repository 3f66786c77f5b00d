/* SPDX-License-Identifier: Apache-2.0 */

/* SRD in runs: contexts and queue pairs of hosts, also to themselves. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/lab_run.h"

enum { TEXT_SIZE = 1024, SIZE_BYTES = 100000, N_EACH = 20, PROCESSES = 3 };

#define US INT64_C(1000000)

/* A host sends to itself, to another one, and gets messages of a third; all
 * have processors if 'cpu' says so. */
static struct lab_run *
run(const char *cpu)
{
    char text[TEXT_SIZE];
    struct lab_run *lab;

    (void)snprintf(text, sizeof text,
                   "name: x\n"
                   "fabric: {star: {hosts: 3, rate: 100G}}\n"
                   "hosts: {default: {cpu: %s}}\n"
                   "traffic:\n"
                   "  - {srd: {pattern: loopback, from: h-0-0, qps: %d,\n"
                   "     size: %dB, repeat: %d}}\n"
                   "  - {srd: {pattern: pairs, from: h-0-0, to: h-0-1,\n"
                   "     qps: %d, size: %dB, repeat: %d}}\n"
                   "  - {srd: {pattern: pairs, from: h-0-2, to: h-0-0,\n"
                   "     qps: %d, size: %dB, repeat: %d}}\n"
                   "stop: 20ms\n"
                   "record: {messages: true}\n",
                   cpu, (int)PROCESSES, (int)SIZE_BYTES, (int)N_EACH,
                   (int)PROCESSES, (int)SIZE_BYTES, (int)N_EACH, (int)PROCESSES,
                   (int)SIZE_BYTES, (int)N_EACH);
    lab = lab_run_create(text);
    lab_run_all(lab, 0);
    return lab;
}

static void
test_a_host_sends_to_itself_and_to_others(void **state)
{
    static const char *const cpus[] = {"off", "{cores: 4}"};

    (void)state;
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        struct lab_run *lab = run(cpus[i]);

        assert_int_equal(lab->n_flows, 3 * PROCESSES);
        for (uint32_t k = 0; k < lab->n_flows; k++) {
            assert_int_equal(lab->flows[k].state, SINK_FLOW_DONE);
        }
        assert_int_equal(lab->n_messages, 3 * PROCESSES * N_EACH);
        for (size_t k = 0; k < lab->n_messages; k++) {
            const struct sink_message *message = &lab->messages[k];

            assert_int_equal(message->bytes, SIZE_BYTES);
            /* 8 us at the speed of the link; three take turns, and the receive
             * direction of the host has those of two senders. */
            assert_true(message->end_ps - message->start_ps > 8 * US);
            assert_true(message->end_ps - message->start_ps < 80 * US);
        }
        lab_run_destroy(lab);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_host_sends_to_itself_and_to_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
