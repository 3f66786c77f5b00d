/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_SEGMENT_H
#define ORCHD_NETDEV_SEGMENT_H

/* Checksum and segmentation offload in software: completes checksums, and
 * splits one large TCP or UDP frame into those that go on the wire.
 *
 * The code trusts nothing in a frame, and refuses inconsistent frames.  It does
 * not split tunnelled packets, packets with a routing header, and fragments.
 *
 * Pure.  Reference: RFC 1071 (checksums), RFC 9293, RFC 768; the flags and
 * numbers of a piece are as in Linux,
 * Documentation/networking/segmentation-offloads.rst. */

#include <stdbool.h>
#include <stdint.h>

enum {
    SEGMENT_PIECES_MAX = 2048, /* Of one frame; the least of TCP is 48 bytes
                                * each. */
};

/* How to split a frame. */
struct segment_plan {
    uint32_t n_pieces;
    uint32_t piece_bytes; /* Payload of each piece but the last. */
    uint32_t n;           /* Length of the whole frame. */
    uint32_t network;     /* Where the IP header begins, ... */
    uint32_t transport;   /* ... that of TCP or UDP, ... */
    uint32_t payload;     /* ... and the payload. */
    bool is_v6;
    bool is_udp;
};

/* Plans the split of 'frame' of 'n' bytes, with at most two tags, into pieces
 * with 'piece_bytes' of payload.  Returns false if it is not TCP (UDP if
 * 'is_udp') over IP, if its length fields do not match 'n', or if there would
 * be too many pieces. */
bool segment_plan(const uint8_t *frame, uint32_t n, bool is_udp,
                  uint32_t piece_bytes, struct segment_plan *plan);

/* Returns the length of the longest piece. */
uint32_t segment_longest(const struct segment_plan *plan);

/* Writes piece 'i' (below n_pieces) of the planned frame, with all its
 * checksums, to 'piece', which has room for the longest.  Returns its
 * length. */
uint32_t segment_write(const struct segment_plan *plan, const uint8_t *frame,
                       uint32_t i, uint8_t *piece);

/* Completes the checksum at 'start' + 'offset' of a frame of 'n' bytes, which
 * covers everything from 'start' on.  The present value counts (it covers
 * addresses and lengths).  Leaves a frame that ends earlier alone. */
void segment_complete(uint8_t *frame, uint32_t n, uint32_t start,
                      uint32_t offset);

#endif /* netdev/segment.h */
