/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_PCAP_WRITER_H
#define ORCHD_RESULTS_PCAP_WRITER_H

/* Writes captures in the classic pcap format with times in nanoseconds.
 *
 * The time of a packet is virtual time, rounded down, from 1970-01-01 on.  Its
 * bytes have no FCS (link type 1).  twin/host/pcap.h reads such files, as do
 * tcpdump, Wireshark and tcpreplay.
 *
 * Reference: draft-ietf-opsawg-pcap. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct pcap_writer;

/* Creates 'path', or replaces it, for packets of which at most 'snap_bytes'
 * (1..65535) are kept.  ST_IO: it cannot be written. */
enum st pcap_writer_create(const char *path, uint32_t snap_bytes,
                           struct pcap_writer **writer,
                           struct err *err) ST_WARN_UNUSED;

/* Adds a packet of 'length' bytes on the wire, without FCS, of which the first
 * 'n' are at 'bytes'.  The first error is kept for pcap_writer_close(). */
void pcap_writer_add(struct pcap_writer *writer, int64_t t_ps,
                     const uint8_t *bytes, size_t n, size_t length);

/* Writes what is buffered, closes the file and frees 'writer'.  ST_IO: some of
 * it is not in the file. */
enum st pcap_writer_close(struct pcap_writer *writer,
                          struct err *err) ST_WARN_UNUSED;

#endif /* results/pcap_writer.h */
