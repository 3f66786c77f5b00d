/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_FRAME_LOG_H
#define ORCHD_BREAKPOINT_FRAME_LOG_H

/* The frames that left a port, and the evaluation of claims about them. */

#include <stddef.h>
#include <stdint.h>

#include "breakpoint/scenario.h"

/* All frames of a port in the order in which the target reported them.
 * Zeroed, it is empty. */
struct frame_log {
    struct target_frames *rows; /* On the heap. */
    size_t n, room;
    bool ordered;    /* Only consecutive equal rows are merged. */
    uint64_t frames; /* The sum over all rows. */
};

/* Adds 'row', merged with an equal row; if the log is ordered, only with the
 * last row. */
void frame_log_add(struct frame_log *log, const struct target_frames *row);

/* Returns the value of 'claim', a number of frames, their share in permille, or
 * the number of frames out of order, since 'before' (NULL: since the
 * beginning). */
int64_t frame_log_value(const struct frame_log *log,
                        const struct frame_log *before,
                        const struct rx_claim *claim);

/* Makes '*copy' a copy of 'log'. */
void frame_log_copy(struct frame_log *copy, const struct frame_log *log);

/* Frees the contents of 'log'. */
void frame_log_fini(struct frame_log *log);

#endif /* breakpoint/frame_log.h */
