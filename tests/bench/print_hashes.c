/* SPDX-License-Identifier: Apache-2.0 */

/* Prints the hashes of the results of some runs, one per line.  Programs of
 * different compilers and options have to print the same:
 * scripts/compare_builds.sh. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "tests/support/lab_run.h"

static const char *const hosts[] = {"plain", "gen1", "gen2", "gen3",
                                    "gen2-fixed"};

/* Settings of TCP. */
static const char *const tcp[] = {
    "control: reno, loss: newreno", "control: reno, ecn: true",
    "control: cubic, loss: sack",   "control: cubic, loss: rack",
    "control: dctcp, loss: rack",   "control: cubic, tso: 0, mss: 8960",
};

int
main(void)
{
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        char text[1024];

        (void)snprintf(
            text, sizeof text,
            "name: x\n"
            "fabric: {clos: {t0: 3, t1: 2, hosts: 4}, "
            "convergence: 20us}\n"
            "hosts: {default: {nic: %s, rc: {timeout: 6}}}\n"
            "traffic:\n"
            "  - {jitter: 3us, rc: {pattern: incast, "
            "from: 'h-[1..2]-*', to: h-0-0, size: 300KB, qps: 4}}\n"
            "  - {rc: {pattern: permutation, size: 1MB, "
            "verb: read}}\n"
            "  - {ping: {pattern: permutation, every: 10us, "
            "repeat: 9}}\n"
            "faults:\n"
            "  - {loss: 1e-3, link: t0-1.t1-0}\n"
            "  - {down: true, link: t0-2.t1-1, at: 50us, for: 60us}\n"
            "record: {messages: true}\n"
            "stop: 20ms\n",
            hosts[i]);
        printf("%s %016" PRIx64 "\n", hosts[i], lab_run_hash(text, 0));
    }
    for (size_t i = 0; i < sizeof tcp / sizeof *tcp; i++) {
        char text[1024];

        (void)snprintf(
            text, sizeof text,
            "name: x\n"
            "fabric: {clos: {t0: 2, t1: 2, hosts: 4}}\n"
            "hosts: {default: {tcp: {min_rto: 5ms, %s}}}\n"
            "traffic:\n"
            "  - {jitter: 3us, priority: 3, tcp: {pattern: incast, "
            "from: 'h-1-*', to: h-0-0, size: 2MB, connections: 4}}\n"
            "  - {tcp: {pattern: permutation, size: 1MB, repeat: 3}}\n"
            "  - {ping: {pattern: permutation, every: 10us, repeat: 9, "
            "transport: tcp}}\n"
            "faults:\n"
            "  - {loss: 1e-3, link: t0-1.t1-0}\n"
            "record: {messages: true}\n"
            "stop: 200ms\n"
            "stop_when_done: true\n",
            tcp[i]);
        printf("%s: %016" PRIx64 "\n", tcp[i], lab_run_hash(text, 0));
    }
    return 0;
}
