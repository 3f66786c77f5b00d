/* SPDX-License-Identifier: Apache-2.0 */

/* How long it takes to build a fat tree from a scenario, and its memory.
 *
 *     bench_create [K]     (32: 1,280 switches, 8,192 hosts) */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/measure.h"
#include "tests/support/lab_run.h"

int
main(int argc, char **argv)
{
    const int k = argc > 1 ? atoi(argv[1]) : 32;
    const double before_ns = measure_cpu_ns();
    struct lab_run *lab;
    char text[256];

    (void)snprintf(text, sizeof text,
                   "name: x\nfabric: {fat_tree: {k: %d}}\nstop: 1ms\n", k);
    lab = lab_run_create(text);
    printf("k = %d: %u switches, %u hosts, %u links: %.2f s, %.0f MB\n", k,
           (unsigned int)lab->experiment.topology.n_switches,
           (unsigned int)lab->experiment.topology.n_hosts,
           (unsigned int)lab->experiment.topology.n_links,
           (measure_cpu_ns() - before_ns) / 1e9,
           (double)measure_resident_bytes() / 1e6);
    lab_run_destroy(lab);
    return 0;
}
