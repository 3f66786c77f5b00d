/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_SIZE_RUNS_H
#define ORCHD_TWIN_SWITCH_SIZE_RUNS_H

/* Counts frames, their bytes, and their sizes, in two words.
 *
 * Frames come in runs of the same length: data of one MTU, and small
 * acknowledgements between them.  So a port has one run of short and one of
 * long frames, each a word with the length and the number of frames, and a
 * frame of the same length only increments it.  A run ends when a frame has
 * another length: what it counted moves to the totals of the port, which are
 * out of the way (in memory that other frames do not touch). */

#include <stdint.h>

#include "twin/switch/sim.h"

enum {
    SIZE_RUN_SHORT_BYTES = 256, /* Frames below this are short. */
    SIZE_RUN_SHIFT = 48,        /* Of the length; below it is the number. */
};

/* Empty if 0. */
struct size_runs {
    uint64_t runs[2]; /* Of short frames, and of long ones. */
};

/* What runs that have ended have counted. */
struct size_totals {
    uint64_t packets;
    uint64_t octets;
    uint64_t sizes[SIM_N_SIZES];
};

/* Adds 'n' frames of 'length_bytes' to 'totals'. */
void size_totals_add(struct size_totals *totals, uint32_t length_bytes,
                     uint64_t n);

/* Moves what 'runs' has counted to 'totals'. */
void size_runs_end(struct size_runs *runs, struct size_totals *totals);

/* Ends '*run' and begins another one with a frame of 'length_bytes'. */
void size_run_change__(uint64_t *run, struct size_totals *totals,
                       uint32_t length_bytes);

/* Counts a frame of 'length_bytes'. */
static inline void
size_runs_count(struct size_runs *runs, struct size_totals *totals,
                uint32_t length_bytes)
{
    uint64_t *run = &runs->runs[length_bytes >= SIZE_RUN_SHORT_BYTES];

    if (*run >> SIZE_RUN_SHIFT == length_bytes) {
        ++*run;
    } else {
        size_run_change__(run, totals, length_bytes);
    }
}

#endif /* twin/switch/size_runs.h */
