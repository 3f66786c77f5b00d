/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REHEARSE_BLOCKS_H
#define ORCHD_REHEARSE_BLOCKS_H

/* Ways to keep a port from transmitting, by SAI.
 *
 *   tx_enable        PKT_TX_ENABLE false
 *   port_scheduler   a scheduler of 1 byte per second at the port
 *   queue_scheduler  one of 1 byte per second at least and at most at queues
 *   queue_pir        one of at most 1 byte per second at queues
 *
 * What had been bound there is bound again at the end. */

#include <stdbool.h>
#include <stddef.h>

#include <sai.h>

#include "base/status.h"
#include "breakpoint/target.h"

struct facts;
struct sai_backend;

/* A scheduler that was replaced. */
struct blocks_bound {
    sai_object_type_t type;
    sai_object_id_t oid;
    sai_object_id_t former;
};

/* Zeroed, it is empty. */
struct blocks {
    sai_object_id_t slow[N_TARGET_BLOCKS]; /* Created when needed. */
    struct blocks_bound *bound;
    size_t n_bound;
};

/* Blocks, or unblocks, what 'block' says.  A block of what is blocked so
 * already changes nothing. */
enum st blocks_set(struct blocks *blocks, struct sai_backend *backend,
                   struct facts *facts, const struct target_block *block,
                   bool blocked, struct err *err) ST_WARN_UNUSED;

/* Frees what it holds; the switch keeps its state. */
void blocks_fini(struct blocks *blocks);

#endif /* orchd/rehearse/blocks.h */
