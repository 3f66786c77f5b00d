/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_PROBE_NIC_PROBE_H
#define ORCHD_LAB_PROBE_NIC_PROBE_H

/* Finds how an adapter behaves, by experiment.
 *
 * The adapter is a black box: the probe runs experiments on a bench
 * (lab/probe/probe_bench.h) and sees packets, CNPs and messages, not the keys
 * of its file.  Most limits are found by bisection, until they are known to
 * within NIC_PROBE_RESOLUTION.
 *
 * CNPs: marked packets arrive x apart.  Each causes a CNP iff x is the gap or
 * more.  Two queue pairs tell a limit of the adapter from one of each queue
 * pair.
 *
 * Rate limiter: after one CNP packets arrive in groups, as many as the burst,
 * and the groups follow each other by the gap.  The rate increases when the
 * gaps become shorter.
 *
 * Cuts: a second CNP, y after the first, lowers the rate iff the window of the
 * reaction point is not longer than y.  Windows that run freely, at the end of
 * which an adapter cuts, are not resolved.
 *
 * Shared FIFO: a queue pair whose priority is paused slows down another.
 *
 * Recovery: a lost packet is followed by silence, then by what is sent again.
 *
 * Contexts: q queue pairs take turns.  All contexts are found iff q is not
 * above the size of the cache.
 *
 * Registration: latency with it, less that without; with a fence, eight
 * requests at a time complete no faster than one.
 *
 * Reference: Bai et al., "Empowering Azure Storage with RDMA", NSDI 2023,
 * section 9, which asks for it. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct nic_file;
struct run_options;

/* Of limits, relative. */
#define NIC_PROBE_RESOLUTION 0.002

enum { NIC_PROBE_MAX_CONTEXTS = 8192 };

enum nic_probe_recovery {
    NIC_PROBE_GO_BACK_N,
    NIC_PROBE_GO_BACK_0,
    NIC_PROBE_SELECTIVE,
};

struct nic_probe {
    bool notifies;        /* It sends CNPs; else the next two are 0. */
    int64_t cnp_gap_ps;   /* 0: none that could be seen, below 50 ns. */
    bool gap_is_of_qp;    /* Else of the whole adapter. */
    bool reacts;          /* A CNP lowers its rate; else the next six are 0. */
    uint32_t burst;       /* Packets. */
    int64_t burst_gap_ps; /* From the start of a group to that of the next,
                           * after one CNP, at 400 Gb/s, packets of 'wire_bytes'
                           * on the wire. */
    uint32_t wire_bytes;
    int64_t increase_ps;   /* 0: later than 2 ms. */
    int64_t cut_window_ps; /* 0: none that could be seen. */
    int64_t least_cut_ps;  /* What could be seen. */
    bool shares_fifo;
    enum nic_probe_recovery recovery;
    int64_t recovery_ps; /* 0: below 50 ns. */
    uint32_t contexts;   /* 0: more than NIC_PROBE_MAX_CONTEXTS. */
    int64_t registration_ps;
    bool registration_fence;
    uint32_t n_experiments;
};

/* Called after each experiment; may be NULL. */
typedef void nic_probe_progress_fn(void *context, uint32_t n_experiments);

/* Finds how the adapter 'file' behaves, and stores it in '*probe'.  ST_INVALID:
 * the file is wrong, and 'err' says where; others: an experiment failed. */
enum st nic_probe(const struct nic_file *file,
                  const struct run_options *options,
                  nic_probe_progress_fn *progress, void *context,
                  struct nic_probe *probe, struct err *err) ST_WARN_UNUSED;

/* Returns "go_back_n" and so on. */
const char *nic_probe_recovery_name(enum nic_probe_recovery recovery);

#endif /* lab/probe/nic_probe.h */
