/* SPDX-License-Identifier: Apache-2.0 */

/* Prints the hashes of the results of some runs, one per line.  Programs of
 * different compilers and options have to print the same:
 * scripts/compare_builds.sh. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "tests/support/lab_run.h"

static const char *const hosts[] = {"plain", "gen1", "gen2", "gen3", "fixed"};

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
    return 0;
}
