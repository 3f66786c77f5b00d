/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_CALIBRATE_ROLES_H
#define ORCHD_TESTS_BENCH_CALIBRATE_ROLES_H

/* The procedures: what is sent, and what is counted, for each role of a row.
 *
 * The egress port is blocked; packets are sent one after another, and the
 * switch is asked when it paused, dropped or began to share.  Nothing is
 * computed from the inputs of the row.  Indices count from 1; on chips whose
 * XOFF comes with the first packet in headroom the stated index of XOFF and of
 * the drop is one lower.
 *
 *   pfc          the packet at which PFC asserts
 *   pfc_seq      the same for PG number 'fill_index', the others before it
 *                filled to their own points, one after another
 *   pfc_n        one packet to each of 'n_pgs_filled' PGs in turn: whole
 *                rounds before one of them is XOFF.  PGs may be of several
 *                partitions; hardware is then asked for the number at which
 *                every partition pauses a sender
 *   ingr_drop    the first packet dropped at ingress
 *   hdrm         ingr_drop less pfc
 *   hdrm_full    the packets that one PG's headroom takes.  Where PGs of a port
 *                share it, all of them fill it in turn
 *   hdrm_partial all PGs to their points, then their headroom one after
 *                another: what the last one gets, of the partition that has
 *                the fewest
 *   xon          packets to drain until PFC is released
 *   egr_drop     the first packet dropped at egress, of a lossy queue
 *   fill_*       packets before the shared level of the PG (fill_ing_min*) or
 *                queue (fill_egr_min*) moves; in tests of pool watermarks,
 *                before the WATERMARK of the pool does
 *   shared_res   the bytes that 'extra_reserved' packets occupy in the pool */

#include "tests/bench/calibrate_switch.h"

/* Returns whether there is a procedure for 'role'. */
bool calibrate_role_exists(const char *role);

/* Runs the procedure of the row of 'bench'.  Returns false if it came to no
 * result; 'bench->reason' says why. */
bool calibrate_role_run(struct calibrate_switch *bench, int64_t *result);

#endif /* tests/bench/calibrate_roles.h */
