/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_RX_FIFO_H
#define ORCHD_TWIN_NIC_RX_FIFO_H

/* The receive FIFO of an adapter, and the PCIe bus that drains it.
 *
 * A packet occupies the FIFO from its arrival until PCIe has transferred it.
 *
 * Before that the adapter may have to read something about it from the memory
 * of the host (twin/nic/lookups.h).  The reads of a packet follow each other,
 * those of 'lookups' packets overlap, and packets keep their order:
 *
 *   begin = max(arrival, end of the reads 'lookups' packets with reads before)
 *   end   = begin + number of reads * 'lookup_ps'
 *   ready = max(arrival, end, ready of the packet before)
 *
 * The bus transfers one packet at a time, in order of arrival:
 *
 *   start = max(ready, end of the transfer before, end of the transfer
 *           'reads_outstanding' packets before + latency)
 *   end   = start + bytes * 8 / rate
 *   done  = end + latency, not before the packet before is done
 *
 * The fraction of a picosecond of each transfer is carried to the next.  At
 * 'done' the packet leaves the FIFO and reaches its queue pair.
 *
 * Admission.  A packet that does not fit is dropped.  So is one of a lossy
 * priority that finds more than 'xoff_bytes' of its priority.  A lossless
 * priority that holds more than 'xoff_bytes' is XOFF until it holds at most
 * 'xon_bytes'; what arrives meanwhile uses the room above the mark.
 *
 * Pure: the caller provides the time, which must not go back. */

#include <stdbool.h>
#include <stdint.h>

#include "base/pfc.h"

struct rx_fifo_config {
    uint64_t size_bytes;                   /* 0: no limit. */
    uint32_t xoff_bytes[PFC_N_PRIORITIES]; /* 0: no mark. */
    uint32_t xon_bytes[PFC_N_PRIORITIES];
    uint8_t lossless;    /* A bit per priority. */
    uint64_t bits_per_s; /* Of the bus; not 0. */
    int64_t latency_ps;
    uint32_t outstanding; /* Not 0. */
    uint32_t lookups;     /* Packets whose reads overlap; 0: there are none. */
    int64_t lookup_ps;    /* Of a read. */
};

struct rx_fifo;

/* Returns a new, empty FIFO.  End with rx_fifo_destroy(). */
struct rx_fifo *rx_fifo_create(const struct rx_fifo_config *config);
void rx_fifo_destroy(struct rx_fifo *fifo);

/* Replaces the configuration, except for 'outstanding' and 'lookups', which
 * stay.  Packets that are in the FIFO are done when they were to be. */
void rx_fifo_configure(struct rx_fifo *fifo,
                       const struct rx_fifo_config *config);

/* Returns whether a packet of 'bytes' and 'priority' may enter; otherwise it is
 * dropped. */
bool rx_fifo_admits(const struct rx_fifo *fifo, uint32_t bytes,
                    uint8_t priority);

/* Adds 'packet' of 'bytes' and 'priority', which rx_fifo_admits(), arrives at
 * 'now_ps' and needs 'n_reads' (0 without 'lookups'). */
void rx_fifo_add(struct rx_fifo *fifo, uint32_t packet, uint32_t bytes,
                 uint8_t priority, uint32_t n_reads, int64_t now_ps);

/* Begins all transfers of packets in the FIFO again at 'now_ps': the bus stood
 * still. */
void rx_fifo_restart(struct rx_fifo *fifo, int64_t now_ps);

/* Returns when the first packet is done, INT64_MAX if the FIFO is empty. */
int64_t rx_fifo_next_ps(const struct rx_fifo *fifo);

/* Stores the first packet, and its bytes; the FIFO is not empty. */
void rx_fifo_first(const struct rx_fifo *fifo, uint32_t *packet,
                   uint32_t *bytes);

/* Removes the first packet, which is done, and returns it. */
uint32_t rx_fifo_take(struct rx_fifo *fifo);

/* Returns a bit per lossless priority that is XOFF. */
uint8_t rx_fifo_xoff(const struct rx_fifo *fifo);

/* Return how many packets and bytes the FIFO holds, and the most bytes that it
 * has held. */
uint32_t rx_fifo_packets(const struct rx_fifo *fifo);
uint64_t rx_fifo_bytes(const struct rx_fifo *fifo);
uint64_t rx_fifo_peak_bytes(const struct rx_fifo *fifo);

/* How long the two parts behind the FIFO have worked for the packets that have
 * left it: the bus, and the reads of lookups, where those that overlap count
 * several times. */
struct rx_fifo_work {
    int64_t bus_ps;
    int64_t lookup_ps;
};

void rx_fifo_get_work(const struct rx_fifo *fifo, struct rx_fifo_work *work);

/* Returns the rate of a bus in bits per second: 128b/130b encoding, and 26
 * bytes of framing per transaction of 'max_payload_bytes'; rounded down. */
uint64_t rx_fifo_pcie_rate(uint32_t lanes, uint32_t mega_transfers_per_s,
                           uint32_t max_payload_bytes);

#endif /* twin/nic/rx_fifo.h */
