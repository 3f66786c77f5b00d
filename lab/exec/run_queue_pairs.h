/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_QUEUE_PAIRS_H
#define ORCHD_LAB_EXEC_RUN_QUEUE_PAIRS_H

/* Queue pairs of flows: where they are, what their packets have as headers, and
 * what they are set to, by the profiles of hosts.
 *
 * A flow has one at each end; with 'failover' a TCP connection beside them, and
 * new ones when they have failed. */

#include "lab/exec/run_state.h"

/* Returns the adapter at the source of 'flow', or at its destination: that of
 * the host, or its loop. */
struct run_host *run_flow_end(const struct run_flow *flow, bool is_source);

/* Fails if the adapter at either end of 'flow' cannot do READs, by which 'what'
 * of it goes; 'remedy' follows what the error says to do.  ST_INVALID. */
enum st run_flow_check_reads(const struct run_flow *flow, const char *what,
                             const char *remedy,
                             struct err *err) ST_WARN_UNUSED;

/* Returns the headers of packets of 'flow', of TCP ('is_segment') or of RoCEv2
 * and SRD, from its source, or to it, with source port 'port'. */
struct sim_payload *run_flow_headers(const struct run_flow *flow,
                                     bool is_segment, bool from_source,
                                     uint16_t port);

/* What a TCP connection beside the queue pairs of a flow has: the headers of
 * its source and of its destination, which outlive it, and its class. */
struct run_stream {
    struct sim_payload *headers[2];
    uint8_t priority, dscp;
};

/* Adds an end of such a connection, which is '*qp' then.  ST_NO_RESOURCE: the
 * adapter refuses it. */
enum st run_flow_add_stream(struct run_flow *flow, bool is_source,
                            uint32_t peer_qp, const struct run_stream *stream,
                            uint32_t *qp) ST_WARN_UNUSED;

/* Adds queue pairs at both ends of 'flow', which uses them from now on. */
enum st run_flow_add_pair(struct run_flow *flow,
                          struct err *err) ST_WARN_UNUSED;

/* Returns the smallest power of 2 that is at least 'n', and can be the depth of
 * a queue of work requests. */
uint32_t run_queue_depth(uint64_t n);

/* Posts a receive work request, as 'flow' needs, to QP 'qp' of 'host', which
 * has room for it. */
void run_flow_post_receive(const struct run_flow *flow, struct run_host *host,
                           uint32_t qp);

/* Gives the queue pairs of 'host' the settings of its profile, which they can
 * have. */
void run_traffic_tune(struct run_host *host);

#endif /* lab/exec/run_queue_pairs.h */
