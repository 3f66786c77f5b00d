/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_TESTBENCH_H
#define ORCHD_TESTBENCH_TESTBENCH_H

/* The test bench: the operations of a breakpoint scenario on a switch behind a
 * SAI backend, namely counters and attributes, and on softasic traffic and
 * time.
 *
 * The same code serves a switch created for one scenario (offline) and the one
 * behind a running orchd (orchd/control), so a scenario sees no difference.
 * Configuration is not here, because the two differ in where rows come from.
 *
 * The test bench records all changes (attributes, schedulers, access lists,
 * peers with their flows and storms, recordings of frames), and the operation
 * 'restore' undoes them.  Counters keep their values.
 *
 * With a libsai other than softasic, operations that need traffic or time fail
 * with ST_UNSUPPORTED. */

#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "breakpoint/target.h"
#include "orchd/testbench/baseline.h"
#include "orchd/testbench/blocks.h"
#include "orchd/testbench/flows.h"
#include "orchd/testbench/port_rules.h"
#include "orchd/testbench/saved_attributes.h"

struct agent;
struct switch_query;
struct sai_backend;
struct softasic_ops;

struct testbench {
    struct target target; /* First: the runner's target. */

    /* The switch; borrowed.  'softasic' is NULL for another libsai. */
    struct agent *agent;
    struct switch_query *query;
    struct sai_backend *backend;
    const struct softasic_ops *softasic;

    /* The activities on the switch.  Zeroed: none. */
    struct blocks blocks;
    struct saved_attributes saved;
    struct port_rules port_rules;
    struct flows flows;
    struct baseline baseline;
    sai_object_id_t *traced; /* Ports whose frames are recorded in order. */
    size_t n_traced;
    uint32_t trace_room; /* Maximum frames recorded per port. */
};

/* All operations but 'configure', for targets that are struct testbench. */
extern const struct target_ops testbench_target_ops;

/* Frees the contents of 'testbench' and zeroes it; the switch keeps its
 * state. */
void testbench_fini(struct testbench *testbench);

#endif /* orchd/testbench/testbench.h */
