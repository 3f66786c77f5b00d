/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_NEED_H
#define ORCHD_ORCHCTL_HEADROOM_NEED_H

/* Whether the headroom that a formula grants is enough for any packets.
 *
 * The formulas are those of the vendors, equal to the byte, with what they
 * leave out: cells that the chip takes for itself, a kilobit for 1,024 bits,
 * an average where the worst is what counts.  docs/explanation/headroom.md
 * shows by simulation where they lose.  Here the same is estimated: from what
 * is under way when a pause is decided on, and from how many cells that fills
 * if all packets are of the length for which it is the most:
 *
 *     under way * cells of a packet * bytes of a cell
 *                / (length + preamble, gap and FCS)
 *
 * Pure. */

#include <stdint.h>

#include "orchctl/headroom_plan.h"

/* Bytes of one PG. */
struct headroom_need {
    uint64_t has;      /* xoff, less what the chip takes for itself. */
    uint64_t taken;    /* That. */
    uint64_t large;    /* Needed if all packets are at least the mtu of
                        * lossless packets, ... */
    uint64_t any;      /* ... and whatever their length: */
    uint32_t any_size; /* the worst one, bytes without FCS. */
};

/* Estimates what a PG of group 'i' needs. */
void headroom_need(const struct plan_question *question, size_t i,
                   struct headroom_need *need);

#endif /* orchctl/headroom_need.h */
