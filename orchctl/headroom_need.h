/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_NEED_H
#define ORCHD_ORCHCTL_HEADROOM_NEED_H

/* Estimates whether the headroom that a formula grants is enough for packets of
 * any length.
 *
 * The formulas are exactly those of the vendors, including their inaccuracies:
 * they ignore cells that the chip takes for itself, take a kilobit as 1,024
 * bits, or use an average instead of the worst case.
 * docs/explanation/headroom.md shows by simulation where they lose packets.
 * This module estimates the same from the bytes in flight when the switch
 * decides to pause, and from the number of cells that they fill if all packets
 * have the worst length:
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
    uint64_t taken;    /* What the chip takes for itself. */
    uint64_t large;    /* Needed if all packets are at least as long as the
                        * lossless MTU, */
    uint64_t any;      /* and for packets of any length. */
    uint32_t any_size; /* The worst length, without FCS. */
};

/* Estimates what a PG of group 'i' needs. */
void headroom_need(const struct plan_question *question, size_t i,
                   struct headroom_need *need);

#endif /* orchctl/headroom_need.h */
