/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_CALIBRATE_SWITCH_H
#define ORCHD_TESTS_BENCH_CALIBRATE_SWITCH_H

/* One switch, made of a chip and configured as one row of the table says.
 *
 * The switch is a softasic of this process, and everything is programmed
 * through the tables of SAI, as a control plane would: maps, pools, profiles,
 * priority groups, queues, profile lists of ports.  Three inputs of a row are
 * no SAI attributes but properties of the chip ("cells carved out in addition",
 * "S per partition", and more memory or ports than the chip has); these vary
 * the chip, by SOFTASIC_MODEL_SET.
 *
 * Layout: lossless PG number k is at port k / (PGs per port), so that
 * neighbours share a port, and all packets leave by the last port, whose
 * transmission is blocked.  One more PG, of the first port, is lossy. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "tests/bench/calibrate_csv.h"
#include "twin/chip/chip.h"
#include "vendors/softasic/softasic.h"

/* A chip and where its file is. */
struct calibrate_model {
    const char *directory;
    const char *file; /* Without ".yaml". */
    struct chip *chip;
};

/* One end of the traffic of a PG. */
struct calibrate_flow {
    sai_object_id_t port;
    sai_object_id_t pg;
    uint8_t dscp; /* Classified to that PG. */
    uint32_t partition;
    uint32_t port_index;
};

struct calibrate_switch {
    const struct softasic_ops *ops;
    const struct calibrate_row *row;
    sai_object_id_t sw;
    sai_object_id_t out; /* The blocked port. */
    sai_object_id_t ingress_pool;
    sai_object_id_t lossy_pool;    /* Egress. */
    sai_object_id_t lossless_pool; /* Egress. */
    struct calibrate_flow *lossless;
    uint32_t n_lossless; /* All that are configured. */
    uint32_t n_per_port;
    struct calibrate_flow lossy;
    sai_object_id_t lossless_queue; /* Of flow 0, at 'out'. */
    sai_object_id_t lossy_queue;
    uint32_t frame_bytes;
    bool shares_headroom; /* PGs of a port do. */
    /* By how much the stated indices of the family lie below those of the
     * packets: where the first packet in headroom asserts XOFF, the rows count
     * XOFF and drop from 0. */
    int64_t index_offset;
    char reason[256]; /* Why the last call failed. */
};

/* Creates the switch, of 'model', that 'row' needs.  Returns false if the chip
 * cannot be configured so; 'bench->reason' says why.  End with
 * calibrate_switch_fini() in any case. */
bool calibrate_switch_init(struct calibrate_switch *bench,
                           const struct calibrate_model *model,
                           const struct calibrate_row *row);

void calibrate_switch_fini(struct calibrate_switch *bench);

/* Blocks or unblocks the egress port. */
bool calibrate_switch_block(struct calibrate_switch *bench, bool block);

/* Reads one counter of a PG, queue or pool through SAI. */
bool calibrate_switch_stat(struct calibrate_switch *bench,
                           sai_object_type_t type, sai_object_id_t oid,
                           sai_stat_id_t id, uint64_t *value);

#endif /* tests/bench/calibrate_switch.h */
