/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_TESTBENCH_H
#define ORCHD_TESTBENCH_TESTBENCH_H

/* The verbs of a breakpoint scenario on a switch that is at hand: its counters,
 * its attributes, and on softasic its traffic and its time.
 *
 * The same code serves a switch that was made for one scenario (offline)
 * and the one behind a running orchd (orchd/control), so a scenario sees no
 * difference between them.  What is not here is configuration: where rows come
 * from is what tells those two apart.
 *
 * What is changed on the way (attributes, schedulers, peers with their flows
 * and storms, notes of frames) is remembered, and 'restore' of the operations
 * undoes it.  Frames that were counted stay counted.
 *
 * On another libsai than softasic what needs its traffic or its time fails with
 * ST_UNSUPPORTED. */

#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "breakpoint/target.h"
#include "orchd/testbench/baseline.h"
#include "orchd/testbench/blocks.h"
#include "orchd/testbench/flows.h"
#include "orchd/testbench/saved_attributes.h"

struct agent;
struct switch_query;
struct sai_backend;
struct softasic_ops;

struct testbench {
    struct target target; /* First: what the runner holds. */

    /* The switch; borrowed.  'softasic' is NULL if it is not ours. */
    struct agent *agent;
    struct switch_query *facts;
    struct sai_backend *backend;
    const struct softasic_ops *softasic;

    /* What is under way on it.  Zeroed: nothing. */
    struct blocks blocks;
    struct saved_attributes changes;
    struct flows flows;
    struct baseline baseline;
    sai_object_id_t *traced; /* Ports of which frames are noted in order. */
    size_t n_traced;
    uint32_t trace_room; /* Frames that are noted of each. */
};

/* All operations but 'configure', for targets that are struct testbench. */
extern const struct target_ops testbench_target_ops;

/* Frees what 'testbench' holds and zeroes it; the switch keeps its state. */
void testbench_fini(struct testbench *testbench);

#endif /* orchd/testbench/testbench.h */
