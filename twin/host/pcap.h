/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_PCAP_H
#define ORCHD_TWIN_HOST_PCAP_H

/* The frames of a capture, from the bytes of a pcap file.
 *
 * The classic format: a header of 24 octets, then per frame 16 octets and its
 * bytes.  The magic number says how numbers are written (either way round) and
 * what fractions of seconds are (a1b2c3d4: microseconds, a1b23c4d:
 * nanoseconds).  Version 2.4, Ethernet without FCS (link type 1), nothing else.
 *
 * The reader is strict: what a field cannot be is an error that says where, and
 * nothing behind it is read.  It allocates nothing and borrows the bytes.
 *
 * Times are relative to the first frame, in picoseconds.  Captures of several
 * queues go back in time now and then; such a frame is taken to be as late as
 * the one before.
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

/* Begins to read the 'n' bytes of a file.  ST_INVALID if its header is not one,
 * ST_UNSUPPORTED if it is of another version or no Ethernet. */
enum st pcap_open(struct pcap *pcap, const uint8_t *bytes, size_t n,
                  struct err *err) ST_WARN_UNUSED;

/* Reads the next frame.  ST_NOT_FOUND at the end, ST_INVALID if it is not
 * whole, or more than 50 days after the first. */
enum st pcap_next(struct pcap *pcap, struct pcap_frame *frame,
                  struct err *err) ST_WARN_UNUSED;

#endif /* twin/host/pcap.h */
