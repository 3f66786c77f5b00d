/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_SEGMENT_H
#define ORCHD_NETDEV_SEGMENT_H

/* What a sender leaves to its adapter, done by software: checksums, and the
 * cutting of one large TCP or UDP frame into those that go on the wire.
 *
 * Nothing in a frame is believed: what does not fit together is refused.  Not
 * cut are frames in which the packet is inside another one (tunnels), those
 * with a routing header, and fragments.
 *
 * Pure.  Reference: RFC 1071 (checksums), RFC 9293, RFC 768; what a piece gets
 * of the flags and numbers of the whole is as in Linux,
 * Documentation/networking/segmentation-offloads.rst. */

#include <stdbool.h>
#include <stdint.h>

enum {
    SEGMENT_PIECES_MAX = 2048, /* Of one frame; TCP's least is 48 bytes each. */
};

/* How a frame is to be cut. */
struct segment_plan {
    uint32_t n_pieces;
    uint32_t piece_bytes; /* Of payload in each piece but the last. */
    uint32_t n;           /* Bytes of the whole frame. */
    uint32_t network;     /* Where the IP header begins, ... */
    uint32_t transport;   /* ... that of TCP or UDP, ... */
    uint32_t payload;     /* ... and what is behind that. */
    bool is_v6;
    bool is_udp;
};

/* Plans how 'frame' of 'n' bytes, with at most two tags, becomes pieces with
 * 'piece_bytes' of payload.  Returns false if it is not TCP (UDP if 'is_udp')
 * over IP, if its lengths do not say 'n', or if it would be too many pieces. */
bool segment_plan(const uint8_t *frame, uint32_t n, bool is_udp,
                  uint32_t piece_bytes, struct segment_plan *plan);

/* Returns how long the longest piece is. */
uint32_t segment_longest(const struct segment_plan *plan);

/* Writes piece 'i' (below n_pieces) of the frame that was planned to 'piece',
 * which has room for the longest, with all its checksums; returns its
 * length. */
uint32_t segment_write(const struct segment_plan *plan, const uint8_t *frame,
                       uint32_t i, uint8_t *piece);

/* Completes the checksum at 'start' + 'offset' of a frame of 'n' bytes, which
 * is that of all from 'start' on; what is there already counts (the addresses
 * and lengths).  A frame that ends before is left alone. */
void segment_complete(uint8_t *frame, uint32_t n, uint32_t start,
                      uint32_t offset);

#endif /* netdev/segment.h */
