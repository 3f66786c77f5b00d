/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_FLOWS_H
#define ORCHD_TESTBENCH_FLOWS_H

/* The peers, flows and storms of a scenario on softasic.  Flows have names.  A
 * peer is connected as soon as something needs it, with the cable length in
 * CABLE_LENGTH.
 *
 * The counters of a flow are: sent, received, lost (the difference, including
 * frames in flight), received_bytes, ce, late, duplicates, and for the received
 * frames min_latency_ps, mean_latency_ps, max_latency_ps, p50_latency_ps,
 * p99_latency_ps, first_ps, last_ps.  Those of a peer are: sent, received,
 * pauses_sent, pauses_received, paused (a bit per priority), all_paused. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/target.h"

struct agent;
struct arena;
struct switch_query;
struct softasic_ops;

/* Zeroed, it is empty. */
struct flows {
    char **names; /* The number of a flow is its index here. */
    size_t n_names;
    char **peers; /* Ports that have a peer. */
    size_t n_peers;
};

/* The switch that flows act on; borrowed. */
struct flows_switch {
    struct agent *agent;
    struct switch_query *query;
    const struct softasic_ops *softasic;
};

/* Implement operations of struct target_ops. */
enum st flows_peer(struct flows *flows, const struct flows_switch *sw,
                   const struct target_peer *peer, struct err *err);
enum st flows_start(struct flows *flows, const struct flows_switch *sw,
                    const struct target_flow *flow, struct err *err);
enum st flows_stop(struct flows *flows, const struct flows_switch *sw,
                   const char *name, struct err *err);
enum st flows_storm(struct flows *flows, const struct flows_switch *sw,
                    const struct target_storm *storm, struct err *err);
enum st flows_storm_stop(struct flows *flows, const struct flows_switch *sw,
                         const char *port, struct err *err);

/* Reads a flow or a peer.  All counters of a flow that has not started are
 * 0. */
enum st flows_read(const struct flows *flows, const struct flows_switch *sw,
                   const struct target_object *object, struct arena *arena,
                   struct target_reading *reading, struct err *err);

/* Removes all peers with their flows and storms.  Tries all, and returns the
 * first failure. */
enum st flows_end(struct flows *flows, struct switch_query *query,
                  const struct softasic_ops *softasic, struct err *err);

/* Frees the contents of 'flows'. */
void flows_fini(struct flows *flows);

#endif /* orchd/testbench/flows.h */
