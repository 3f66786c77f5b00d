/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_CHIP_CHIP_TRIMMING_H
#define ORCHD_TWIN_CHIP_CHIP_TRIMMING_H

/* What a chip can do with packets that a queue does not admit: the sizes to
 * which it trims them, and the queues that may take what is left. */

#include <stdbool.h>
#include <stdint.h>

struct text;

/* Sizes are without FCS.  All zero: nothing is known, and nothing is ruled
 * out. */
struct chip_trimming {
    uint32_t min_bytes;
    uint32_t max_bytes;  /* At least 'min_bytes'; 0: the chip does not trim. */
    uint32_t step_bytes; /* From 'min_bytes' on; at least 1. */
    uint64_t queues;     /* A bit for each; 0: any unicast queue, also the one
                          * that the new DSCP selects. */
};

/* Returns whether packets can be trimmed to 'size_bytes'. */
bool chip_trimming_has_size(const struct chip_trimming *trimming,
                            uint32_t size_bytes);

/* Returns whether queue 'index' of 'n' unicast queues may take trimmed
 * packets. */
bool chip_trimming_has_queue(const struct chip_trimming *trimming, uint32_t n,
                             uint32_t index);

/* Append the sizes, or the queues, that there are to 'text': "256..4084 in
 * steps of 4", "4, 9". */
void chip_trimming_add_sizes(const struct chip_trimming *trimming,
                             struct text *text);
void chip_trimming_add_queues(const struct chip_trimming *trimming, uint32_t n,
                              struct text *text);

#endif /* twin/chip/chip_trimming.h */
