/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the frames of a capture from the bytes of a pcap file. */

#include <config.h>

#include "twin/host/pcap.h"

#include "base/picoseconds.h"

enum {
    FILE_BYTES = 24,
    RECORD_BYTES = 16,
    MIN_FRAME_BYTES = 14,
    VERSION_MAJOR = 2,
    VERSION_MINOR = 4,
    LINK_ETHERNET = 1,
};

#define MAGIC_US UINT32_C(0xa1b2c3d4)
#define MAGIC_NS UINT32_C(0xa1b23c4d)

/* 50 days; the rest of the range of times is for the start of a replay. */
#define MAX_S (INT64_C(50) * 24 * 3600)

/* Returns the number in the 'n_bytes' octets at position 'at' of the file. */
static uint32_t
number(const struct pcap *pcap, size_t at, unsigned int n_bytes)
{
    uint32_t value = 0;

    for (unsigned int i = 0; i < n_bytes; i++) {
        unsigned int k = pcap->is_big_endian ? i : n_bytes - 1 - i;

        value = value << 8 | pcap->bytes[at + k];
    }
    return value;
}

/* Reads the byte order and the unit of time.  Returns false if it is not a pcap
 * file. */
static bool
read_magic(struct pcap *pcap)
{
    for (int i = 0; i < 2; i++) {
        uint32_t magic;

        pcap->is_big_endian = i == 1;
        magic = number(pcap, 0, 4);
        pcap->is_ns = magic == MAGIC_NS;
        if (pcap->is_ns || magic == MAGIC_US) {
            return true;
        }
    }
    return false;
}

enum st
pcap_open(struct pcap *pcap, const uint8_t *bytes, size_t n, struct err *err)
{
    struct pcap opened = {.bytes = bytes, .n = n, .at = FILE_BYTES};

    if (n < FILE_BYTES || !read_magic(&opened)) {
        return err_set(err, ST_INVALID, "pcap", "not a pcap file");
    }
    if (number(&opened, 4, 2) != VERSION_MAJOR ||
        number(&opened, 6, 2) != VERSION_MINOR) {
        return err_set(err, ST_UNSUPPORTED, "pcap", "version %u.%u, not 2.4",
                       (unsigned int)number(&opened, 4, 2),
                       (unsigned int)number(&opened, 6, 2));
    }
    if (number(&opened, 20, 4) != LINK_ETHERNET) {
        return err_set(err, ST_UNSUPPORTED, "pcap",
                       "link type %u; only Ethernet without FCS (1) is read",
                       (unsigned int)number(&opened, 20, 4));
    }
    opened.snap_bytes = number(&opened, 16, 4);
    *pcap = opened;
    return ST_OK;
}

/* Returns the time given by 'seconds' and 'fraction' relative to the first
 * frame, but not less than that of the previous frame; negative if it is too
 * far away. */
static int64_t
relative_ps(struct pcap *pcap, uint32_t seconds, uint32_t fraction)
{
    const int64_t unit_ps = pcap->is_ns ? 1000 : 1000000;
    int64_t ps;

    if (!pcap->has_first) {
        pcap->has_first = true;
        pcap->first_s = seconds;
        pcap->first_fraction = fraction;
    }
    if ((int64_t)seconds - pcap->first_s > MAX_S) {
        return -1;
    }
    if (seconds < pcap->first_s) {
        return pcap->last_ps;
    }
    ps = ((int64_t)seconds - pcap->first_s) * PS_PER_S +
         ((int64_t)fraction - pcap->first_fraction) * unit_ps;
    return ps > pcap->last_ps ? ps : pcap->last_ps;
}

/* Reports what is wrong with the frame at the position of 'pcap'. */
static enum st
refuse(const struct pcap *pcap, const char *what, struct err *err)
{
    return err_set(err, ST_INVALID, "pcap", "the frame at octet %zu %s",
                   pcap->at, what);
}

enum st
pcap_next(struct pcap *pcap, struct pcap_frame *frame, struct err *err)
{
    const size_t left = pcap->n - pcap->at;
    uint32_t fraction;
    uint32_t captured;
    uint32_t length;
    int64_t when_ps;

    if (left == 0) {
        return ST_NOT_FOUND;
    }
    if (left < RECORD_BYTES) {
        return refuse(pcap, "has no whole header", err);
    }
    fraction = number(pcap, pcap->at + 4, 4);
    captured = number(pcap, pcap->at + 8, 4);
    length = number(pcap, pcap->at + 12, 4);
    if (fraction >= (pcap->is_ns ? 1000000000u : 1000000u)) {
        return refuse(pcap, "has a fraction above a second", err);
    }
    if (captured > left - RECORD_BYTES) {
        return refuse(pcap, "extends beyond the end of the file", err);
    }
    if (captured > length || captured > pcap->snap_bytes ||
        captured < MIN_FRAME_BYTES || length > PCAP_MAX_FRAME_BYTES) {
        return refuse(pcap, "has an impossible length", err);
    }
    when_ps = relative_ps(pcap, number(pcap, pcap->at, 4), fraction);
    if (when_ps < 0) {
        return refuse(pcap, "is more than 50 days after the first", err);
    }
    pcap->last_ps = when_ps;
    *frame =
        (struct pcap_frame){.when_ps = when_ps,
                            .length_bytes = length,
                            .n = captured,
                            .bytes = pcap->bytes + pcap->at + RECORD_BYTES};
    pcap->at += RECORD_BYTES + captured;
    return ST_OK;
}
