/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_BLOCKS_H
#define ORCHD_TESTBENCH_BLOCKS_H

/* Ways to stop a port from transmitting by means of SAI.
 *
 *   tx_enable        PKT_TX_ENABLE false
 *   port_scheduler   a scheduler of 1 byte per second at the port
 *   queue_scheduler  one of 1 byte per second at least and at most at queues
 *   queue_pir        one of at most 1 byte per second at queues
 *
 * When a port or queue is unblocked, it gets its former scheduler back. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/status.h"
#include "breakpoint/target.h"

struct saved_attributes;
struct switch_query;
struct sai_backend;

/* Zeroed, it is empty. */
struct blocks {
    sai_object_id_t slow[N_TARGET_BLOCKS]; /* Created on demand. */
};

/* The switch that blocks act on; borrowed. */
struct blocks_switch {
    struct sai_backend *backend;
    struct switch_query *query;
    struct saved_attributes *saved; /* Keeps the former bindings. */
};

/* Blocks, or unblocks, the port or queues of 'block'.  Blocking again in the
 * same way changes nothing. */
enum st blocks_set(struct blocks *blocks, const struct blocks_switch *sw,
                   const struct target_block *block,
                   struct err *err) ST_WARN_UNUSED;

/* Removes the schedulers.  Call it after all bindings were undone. */
enum st blocks_remove(struct blocks *blocks, struct sai_backend *backend,
                      struct err *err) ST_WARN_UNUSED;

#endif /* orchd/testbench/blocks.h */
