/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_TALLY_H
#define ORCHD_BREAKPOINT_TALLY_H

/* Frames that left a port, and claims about them. */

#include <stddef.h>
#include <stdint.h>

#include "breakpoint/scenario.h"

/* All frames of a port in the order in which it was told of them.  Zeroed, it
 * is empty. */
struct tally {
    struct target_frames *rows; /* On the heap. */
    size_t n, room;
    bool ordered;    /* Rows that look the same stay apart. */
    uint64_t frames; /* Of all rows. */
};

/* Adds 'row'. */
void tally_add(struct tally *tally, const struct target_frames *row);

/* Returns what 'claim' is about: a number of frames, of a thousand, or of
 * frames out of order, since 'before' (NULL: since the beginning). */
int64_t tally_value(const struct tally *tally, const struct tally *before,
                    const struct rx_claim *claim);

/* Makes '*copy' what 'tally' is now. */
void tally_copy(struct tally *copy, const struct tally *tally);

/* Frees what it holds. */
void tally_fini(struct tally *tally);

#endif /* breakpoint/tally.h */
