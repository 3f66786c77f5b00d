/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_FAILOVER_STATE_H
#define ORCHD_LAB_EXEC_RUN_FAILOVER_STATE_H

/* What connections between RDMA and TCP consist of, for their own files only:
 *
 *   run_failover.c         transports, messages, pace
 *   run_failover_report.c  what they count */

#include <stdbool.h>
#include <stdint.h>

#include "lab/exec/run_state.h"
#include "lab/storage/failover.h"

/* Queue pairs of RDMA that a connection has or had. */
struct failover_pair {
    struct failover_pair *next;
    uint32_t qps[2]; /* Of the source, of the destination. */
};

/* A connection. */
struct run_failover_flow {
    struct run_flow *flow;
    struct run_failover *item;
    struct failover client;
    struct failover_server server;
    uint64_t next_delivered; /* Number of what RDMA delivers next. */

    struct failover_pair *pairs;
    bool has_given_back; /* The last of them, and its memory. */

    struct sim_payload *headers[2]; /* Of TCP. */
    uint32_t qps[2];
    struct run_software *ends[2];
    uint64_t n_given, n_acked; /* Messages over TCP. */
    uint64_t next_arrived;     /* Number of what arrives over it next. */
    uint64_t n_ended[FAILOVER_N_TRANSPORTS];

    struct event open;
    bool is_opening;
};

/* The connections of an item. */
struct run_failover {
    struct run *run;
    const struct traffic_spec *traffic;
    struct failover_pace pace;
    struct run_failover_flow **order; /* Of conversions. */
    uint32_t n;
    struct event period;
    int64_t *busy_ps; /* By host: of its cores, when the last period began. */
    uint32_t n_over_tcp; /* Connections that are open over TCP. */
    int64_t begin_ps, half_ps, all_ps, back_ps; /* -1: not yet. */
};

#endif /* lab/exec/run_failover_state.h */
