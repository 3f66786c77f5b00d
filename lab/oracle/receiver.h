/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_RECEIVER_H
#define ORCHD_LAB_ORACLE_RECEIVER_H

/* How fast an adapter can pass on what it receives, in theory.
 *
 * Two servers in a row, with a queue before them that is never empty: reads of
 * what its caches lack, and transfers over PCIe.  The slower one decides.
 * Source: LAB 2.1; PCI Express Base Specification (128b/130b, 26 bytes of
 * framing per transaction). */

/* Returns the share of hits in a cache with 'entries' of 'n', each of which is
 * used with the same probability: min(1, entries / n). */
double receiver_hit_ratio(double entries, double n);

/* Returns the rate of a PCIe link in bit/s: lanes of 'transfers_per_s', with
 * transactions of 'max_payload_bytes'. */
double receiver_pcie_bps(double lanes, double transfers_per_s,
                         double max_payload_bytes);

/* Returns the rate in bit/s of packets of 'bytes' that need 'reads' on average,
 * of 'read_ps' each, for 'overlap' packets at a time, and then a transfer at
 * 'bus_bps': min(bus, overlap * bytes * 8 / (reads * time)). */
double receiver_drain_bps(double bytes, double bus_bps, double reads,
                          double read_ps, double overlap);

#endif /* lab/oracle/receiver.h */
