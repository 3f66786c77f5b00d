/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_EFFORT_H
#define ORCHD_CONTROL_EFFORT_H

/* How much of a long work fits in a turn of the loop.
 *
 * What an event or a frame of a simulated switch costs depends on its traffic:
 * it differs by a factor of a thousand.  So a call begins with a few, measures,
 * and doubles or halves the number from turn to turn.  The results do not
 * depend on it. */

#include <stdint.h>

struct effort {
    uint64_t n; /* For this turn; not 0. */
    uint64_t most;
    int64_t begin_ns;
};

/* Begins with 'n', for at most 'most' per turn. */
void effort_init(struct effort *effort, uint64_t n, uint64_t most);

/* The turn's work begins; it ends, of 'n'. */
void effort_begin(struct effort *effort);
void effort_end(struct effort *effort, uint64_t n);

/* Decides about the next turn after 'n' have taken 'took_ns'. */
void effort_adapt(struct effort *effort, uint64_t n, int64_t took_ns);

#endif /* orchd/control/effort.h */
