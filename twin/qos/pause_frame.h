/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_PAUSE_FRAME_H
#define ORCHD_TWIN_QOS_PAUSE_FRAME_H

/* Builds and parses pause frames of both kinds.
 *
 *   octets  PFC                               PAUSE (802.3x)
 *   0-5     01-80-C2-00-00-01                 the same
 *   6-11    address of the sending port       the same
 *   12-13   88-08, MAC control                the same
 *   14-15   opcode 01-01                      opcode 00-01
 *   16-17   class-enable vector               time in quanta
 *   18-33   time in quanta, priority 0 to 7   zero
 *   34-59   zero                              zero
 *
 * and the FCS, which no length here includes: 64 octets in all, 84 on the wire.
 * All numbers are big-endian.  A quantum is the time of 512 bits at the speed
 * of the port.  In a PFC frame only the times of the priorities in the vector
 * are valid; the upper octet of the vector is reserved, sent as zero, and
 * ignored when received.  A time of 0 ends the pause.
 *
 * Reference: IEEE 802.3-2018 clause 31 (MAC control), annexes 31B (PAUSE) and
 * 31D (PFC); IEEE 802.1Q-2018 clause 36. */

#include <stdbool.h>
#include <stdint.h>

#include "base/pfc.h"

enum {
    PAUSE_FRAME_BYTES = 60, /* Without the FCS. */
    PAUSE_FRAME_TYPE = 0x8808,
    PAUSE_FRAME_MAX_QUANTA = 65535,
    PAUSE_FRAME_QUANTUM_BITS = 512,
};

enum pause_frame_kind {
    PAUSE_FRAME_PFC, /* By priority. */
    PAUSE_FRAME_ALL, /* 802.3x: the whole port. */
};

struct pause_frame {
    enum pause_frame_kind kind;
    uint8_t priorities; /* PFC: the class-enable vector.  May be 0. */
    /* PFC: by priority, enabled or not.  802.3x: the first. */
    uint16_t quanta[PFC_N_PRIORITIES];
};

/* Writes the frame that 'pause' describes, from the port with address
 * 'src_mac' (the low 48 bits). */
void pause_frame_build(const struct pause_frame *pause, uint64_t src_mac,
                       uint8_t bytes[PAUSE_FRAME_BYTES]);

/* Reads a frame of 'n' bytes.  Returns whether it is a pause frame with all
 * significant octets; padding may be missing.  Else leaves '*pause' alone. */
bool pause_frame_parse(const uint8_t *bytes, uint32_t n,
                       struct pause_frame *pause);

/* Returns how long 'quanta' last at 'speed_mbps' (not 0), in picoseconds,
 * rounded up. */
int64_t pause_frame_quanta_to_ps(uint16_t quanta, uint32_t speed_mbps);

#endif /* twin/qos/pause_frame.h */
