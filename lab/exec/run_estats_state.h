/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_ESTATS_STATE_H
#define ORCHD_LAB_EXEC_RUN_ESTATS_STATE_H

/* What RDMA Estats of a run consists of, for its own files only: times of the
 * operations of its flows over RC, counters of hosts by interval, and findings
 * about sides (lab/estats).
 *
 *   run_estats.c         operations: what the flows call
 *   run_estats_report.c  intervals: counters, evidence, verdicts
 *
 * Flows over TCP and SRD and raw frames have none.  An event at the end of each
 * interval reads counters; nothing else is scheduled, and nothing of the run
 * depends on what is recorded, so its results are those without it. */

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include "lab/estats/clock.h"
#include "lab/estats/groups.h"
#include "lab/estats/side.h"
#include "lab/exec/run_state.h"

/* An operation that is not over: times of the simulation, -1: not yet. */
struct estats_op {
    int64_t at_ps[ESTATS_N_PARTS]; /* T1..T5. */
    int64_t seen_ps;               /* T5 as the host computes it. */
    uint64_t backlog_bytes;        /* Outstanding at T1, with its own. */
    uint32_t n_posts;              /* Not taken by the adapter, likewise. */
    uint32_t bytes;
    uint32_t first_psn, last_psn; /* 24 bits. */
    uint8_t operation;            /* enum estats_operation */
    bool is_probe;                /* All that was outstanding at T1, itself
                                   * included, fits into a packet. */
    bool is_over;                 /* It has failed. */
};

/* Operations of one queue of a QP in the order of posting: a ring, of numbers
 * modulo 2^32. */
struct estats_queue {
    struct estats_op *ops; /* 'room' of them, a power of 2. */
    uint32_t room;
    uint32_t first;  /* That is not over. */
    uint32_t t2, t5; /* The next to get these times. */
    uint32_t end;    /* One behind the last. */
};

/* An end of a flow. */
struct estats_end {
    struct estats_queue sends, receives;
    uint64_t outstanding_bytes;
    uint32_t next_psn;
    int64_t clock_ps; /* The largest bound in this interval. */
};

/* What two hosts have in common. */
struct estats_pair {
    uint32_t low, high; /* Nodes. */
    int64_t base_ps;    /* INT64_MAX: unknown. */
    /* By the host that posts, 'low' first: T5 - T1 of probes; NULL: none
     * yet. */
    struct histogram *probes[2];
    UT_hash_handle hh; /* By 'low' and 'high'. */
};

struct run_estats_flow {
    struct estats_end ends[2]; /* Of the source, of the destination. */
    struct estats_pair *pair;
    struct estats_evidence now; /* Sums of this interval. */
    uint64_t bytes, retransmitted;
    struct estats_cnps cnp_state;
    /* Counters when it began. */
    uint64_t cnps, naks, timeouts, rnr_naks, duplicates, sent_again;
    struct run_load loads[2]; /* Of the threads at both ends. */
};

/* Counters of a host. */
struct estats_host_state {
    struct estats_clock clock;
    /* By priority: how long it has asked for pauses or been paused, and since
     * when it does or is; -1: it is not. */
    int64_t asked_ps[RUN_PRIORITIES], asked_since_ps[RUN_PRIORITIES];
    int64_t obeyed_ps[RUN_PRIORITIES], obeyed_since_ps[RUN_PRIORITIES];
    struct estats_host before[RUN_PRIORITIES]; /* When the interval began. */
    int64_t error_ps, bound_ps;                /* Of T5, the largest. */
    uint64_t n_beyond; /* Times whose error was larger than its bound. */
};

/* A finding that waits for the end of the run. */
struct estats_row {
    uint32_t flow;
    uint32_t interval;
    int64_t start_ps, end_ps;
    uint64_t bytes, retransmitted;
    struct estats_evidence evidence;
};

struct run_estats {
    struct run *run;
    struct event timer;
    uint32_t interval;
    int64_t start_ps; /* Of the interval. */
    struct estats_groups *groups, *all;
    struct estats_host_state *hosts; /* By node - n_switches. */
    struct estats_pair *pairs;       /* A table. */
    struct estats_row *rows;         /* Owned: malloc(). */
    size_t n_rows, rows_size;
};

/* run_estats_report.c: begins the first interval. */
void run_estats_begin__(struct run_estats *estats);

#endif /* lab/exec/run_estats_state.h */
