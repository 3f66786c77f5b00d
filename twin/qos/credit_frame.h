/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_CREDIT_FRAME_H
#define ORCHD_TWIN_QOS_CREDIT_FRAME_H

/* Builds and parses the CC updates of credit-based flow control (credit.h).
 *
 *   octets  0-5     01-80-C2-00-00-01
 *           6-11    address of the sending port
 *           12-13   88-08, MAC control
 *           14-15   opcode FF-FE, an extension
 *           16-18   zero, where the organization of an extension is
 *           19      the first VC: 0 or 16
 *           20-59   what was consumed on 16 VCs, 20 bits each
 *
 * and the FCS, which no length here includes.  All numbers are big-endian.
 *
 * Public reports disagree about the format; that it is a MAC control frame of
 * 64 octets with 16 VCs they share.  The order of the members is our own.
 *
 * Reference: IEEE 802.3-2018 clause 31, annex 31C (extension). */

#include <stdbool.h>
#include <stdint.h>

#include "twin/qos/credit.h"

enum { CREDIT_FRAME_BYTES = CREDIT_CC_BYTES - 4 }; /* Without the FCS. */

struct credit_cc {
    uint8_t first_vc; /* 0 or CREDIT_CC_VCS. */
    uint32_t consumed[CREDIT_CC_VCS];
};

/* Writes the frame that '*cc' describes, from the port with address 'src_mac'
 * (the low 48 bits). */
void credit_frame_build(const struct credit_cc *cc, uint64_t src_mac,
                        uint8_t bytes[CREDIT_FRAME_BYTES]);

/* Reads a frame of 'n' bytes.  Returns whether it is a CC update; else leaves
 * '*cc' alone. */
bool credit_frame_parse(const uint8_t *bytes, uint32_t n, struct credit_cc *cc);

#endif /* twin/qos/credit_frame.h */
