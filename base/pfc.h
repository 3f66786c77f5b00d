/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_PFC_H
#define ORCHD_BASE_PFC_H

/* Priority-based flow control (IEEE 802.1Q-2018 clause 36). */

#include <stdint.h>

/* The priorities of PFC, which are the values of a PCP (IEEE 802.1Q-2018 clause
 * 6.9.3) and of the class-enable vector in a PFC frame (annex 36A.2): 0..7. */
enum { PFC_N_PRIORITIES = 8 };

/* The destination of pause frames, of PFC and of 802.3x; a bridge never
 * forwards such a frame (IEEE 802.1Q-2018 table 8-1). */
#define PAUSE_FRAME_ADDRESS UINT64_C(0x0180c2000001)

#endif /* base/pfc.h */
