/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_PAPER_ROWS_H
#define ORCHD_ORCHLAB_PAPER_ROWS_H

/* The experiments, outages and systems of published papers that scenarios
 * reproduce: what "row:" of a scenario names.
 *
 * X(id, what).  The letter says where a row is from:
 *   A  Bai et al., "Empowering Azure Storage with RDMA", NSDI 2023
 *   B  Guo et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016:
 *      operation and results
 *   C  the same: design
 *   D  Shalev et al., "A Cloud-Optimized Transport Protocol for Elastic and
 *      Scalable HPC", IEEE Micro 2020 (SRD) */
#define PAPER_ROWS(X)                                                          \
    X("A1", "share of RDMA in all traffic")                                    \
    X("A2", "round trips in a region")                                         \
    X("A3", "shallow and deep buffers")                                        \
    X("A4", "disaggregated writes and reads")                                  \
    X("A5", "incast of reconstructions")                                       \
    X("A6", "frontend and backend in two lossless priorities")                 \
    X("A7", "go-back-N in firmware")                                           \
    X("A8", "costs of TCP and RDMA at hosts")                                  \
    X("A9", "fairness of different round trips")                               \
    X("A10", "PFC watchdogs on switch and card")                               \
    X("A11", "PFC storms")                                                     \
    X("A12", "trusted traffic only")                                           \
    X("A13", "storage protocol in user space")                                 \
    X("A14", "chunks, one at a time")                                          \
    X("A15", "conversion between TCP and RDMA")                                \
    X("A16", "storage protocol in the kernel")                                 \
    X("A17", "CRC from end to end")                                            \
    X("A18", "times of a message at hosts")                                    \
    X("A19", "SONiC's buffer model")                                           \
    X("A20", "tests of switches")                                              \
    X("A21", "headroom of long links")                                         \
    X("A22", "oversubscribed pool of headroom")                                \
    X("A23", "DCQCN of three generations")                                     \
    X("A24", "new to old: misses in the cache of contexts")                    \
    X("A25", "old to new: too many CNPs")                                      \
    X("A26", "one behaviour for all generations")                              \
    X("A27", "tuning in three steps")                                          \
    X("A28", "thresholds of ECN and PFC")                                      \
    X("A29", "injected faults")                                                \
    X("A30", "restarts of a T0")                                               \
    X("A31", "repair of an adapter")                                           \
    X("A32", "CPU and message times of the backend")                           \
    X("A33", "CPU of the frontend")                                            \
    X("A34", "latency of disks by size")                                       \
    X("A35", "message times by congestion control")                            \
    X("A36", "hidden fence of fast registration")                              \
    X("A37", "PFC beside MACsec")                                              \
    X("A38", "congestion leaking between flows")                               \
    X("A39", "slow receivers by loopback traffic")                             \
    X("A40", "cost of failover to TCP")                                        \
    X("A41", "networks inside hosts")                                          \
    X("A42", "small buffers")                                                  \
    X("A43", "programmable admission")                                         \
    X("A44", "generations of adapters as data")                                \
    X("A45", "probes of unknown adapters")                                     \
    X("B1", "drift of configurations")                                         \
    X("B2", "pauses and their intervals")                                      \
    X("B3", "Pingmesh")                                                        \
    X("B4", "latency of a service")                                            \
    X("B5", "throughput of a Clos network")                                    \
    X("B6", "latency under load, two tiers")                                   \
    X("B7", "collisions of hashes")                                            \
    X("C1", "PFC by DSCP or by VLAN tag")                                      \
    X("C2", "PFC and 802.3x")                                                  \
    X("C3", "cells of a buffer")                                               \
    X("C4", "verbs")                                                           \
    X("C5", "transport livelock")                                              \
    X("C6", "PFC deadlock")                                                    \
    X("C7", "pause storm of an adapter")                                       \
    X("C8", "slow receivers by misses")                                        \
    X("C9", "unfairness and victims of PFC")                                   \
    X("C10", "onboarding in steps")                                            \
    X("D1", "timeouts of TCP")                                                 \
    X("D2", "RoCE at scale")                                                   \
    X("D3", "spraying beside elephants")                                       \
    X("D4", "failures of links")                                               \
    X("D5", "delivery out of order")                                           \
    X("D6", "congestion control of SRD")                                       \
    X("D7", "queue pairs of SRD")                                              \
    X("D8", "message layer")                                                   \
    X("D9", "incast of bursts")                                                \
    X("D10", "lasting incast")                                                 \
    X("D11", "imbalance of ECMP")                                              \
    X("D12", "one outlier stalls a cluster")

#endif /* orchlab/paper_rows.h */
