/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_PCAP_H
#define ORCHD_TWIN_HOST_PCAP_H

/* Reads the frames of a capture from the bytes of a pcap file.
 *
 * The classic format: a header of 24 octets, then for each frame a header of 16
 * octets and its bytes.  The magic number gives the byte order of numbers and
 * the unit of fractions of seconds (a1b2c3d4: microseconds, a1b23c4d:
 * nanoseconds).  Version 2.4, Ethernet without FCS (link type 1), nothing else.
 *
 * The reader is strict: a value that a field cannot have is an error that gives
 * its position, and the reader stops there.  It allocates nothing and borrows
 * the bytes.
 *
 * Times are relative to the first frame, in picoseconds.  Captures of several
 * queues sometimes go back in time; such a frame gets the time of the frame
 * before it.
 *
 * Reference: draft-ietf-opsawg-pcap. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { PCAP_MAX_FRAME_BYTES = 65535 };

/* A reader; the members are private. */
struct pcap {
    const uint8_t *bytes;
    size_t n;
    size_t at;
    bool is_big_endian;
    bool is_ns;
    bool has_first;
    uint32_t snap_bytes;
    uint32_t first_s;
    uint32_t first_fraction;
    int64_t last_ps;
};

struct pcap_frame {
    int64_t when_ps;
    uint32_t length_bytes; /* On the wire, 14..PCAP_MAX_FRAME_BYTES. */
    uint32_t n;            /* Of 'bytes'; at most 'length_bytes'. */
    const uint8_t *bytes;  /* Borrowed. */
};

/* Begins to read a file of 'n' bytes.  ST_INVALID if its header is not that of
 * a pcap file, ST_UNSUPPORTED if it has another version or link type. */
enum st pcap_open(struct pcap *pcap, const uint8_t *bytes, size_t n,
                  struct err *err) ST_WARN_UNUSED;

/* Reads the next frame.  ST_NOT_FOUND at the end, ST_INVALID if it is cut
 * short, or more than 50 days after the first. */
enum st pcap_next(struct pcap *pcap, struct pcap_frame *frame,
                  struct err *err) ST_WARN_UNUSED;

#endif /* twin/host/pcap.h */
