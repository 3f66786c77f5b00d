/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_BLOCKS_H
#define ORCHD_TESTBENCH_BLOCKS_H

/* Ways to keep a port from transmitting, by SAI.
 *
 *   tx_enable        PKT_TX_ENABLE false
 *   port_scheduler   a scheduler of 1 byte per second at the port
 *   queue_scheduler  one of 1 byte per second at least and at most at queues
 *   queue_pir        one of at most 1 byte per second at queues
 *
 * Unblocked by a scheduler, a port or queue gets back what it had. */

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
    sai_object_id_t slow[N_TARGET_BLOCKS]; /* Created when needed. */
};

/* What blocks work on; borrowed. */
struct blocks_switch {
    struct sai_backend *backend;
    struct switch_query *facts;
    struct saved_attributes *changes; /* Where former bindings are kept. */
};

/* Blocks, or unblocks, what 'block' says.  A block of what is blocked so
 * already changes nothing. */
enum st blocks_set(struct blocks *blocks, const struct blocks_switch *sw,
                   const struct target_block *block, bool blocked,
                   struct err *err) ST_WARN_UNUSED;

/* Removes the schedulers, after all bindings were undone. */
enum st blocks_remove(struct blocks *blocks, struct sai_backend *backend,
                      struct err *err) ST_WARN_UNUSED;

#endif /* orchd/testbench/blocks.h */
