/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_FRAME_LOG_H
#define ORCHD_BREAKPOINT_FRAME_LOG_H

/* Frames that left a port, and claims about them. */

#include <stddef.h>
#include <stdint.h>

#include "breakpoint/scenario.h"

/* All frames of a port in the order in which it was told of them.  Zeroed, it
 * is empty. */
struct frame_log {
    struct target_frames *rows; /* On the heap. */
    size_t n, room;
    bool ordered;    /* Rows that look the same stay apart. */
    uint64_t frames; /* Of all rows. */
};

/* Adds 'row'. */
void frame_log_add(struct frame_log *log, const struct target_frames *row);

/* Returns what 'claim' is about: a number of frames, of a thousand, or of
 * frames out of order, since 'before' (NULL: since the beginning). */
int64_t frame_log_value(const struct frame_log *log,
                        const struct frame_log *before,
                        const struct rx_claim *claim);

/* Makes '*copy' what 'log' is now. */
void frame_log_copy(struct frame_log *copy, const struct frame_log *log);

/* Frees what it holds. */
void frame_log_fini(struct frame_log *log);

#endif /* breakpoint/frame_log.h */
