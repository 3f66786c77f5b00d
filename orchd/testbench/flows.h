/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_FLOWS_H
#define ORCHD_TESTBENCH_FLOWS_H

/* Peers, flows and storms of a scenario on softasic: flows by name, and peers
 * that are there as soon as something needs them, behind the cable that
 * CABLE_LENGTH says.
 *
 * A flow is read as: sent, received, lost (the difference: also what is on its
 * way), received_bytes, ce, late, duplicates, and of what arrived
 * min_latency_ps, mean_latency_ps, max_latency_ps, p99_latency_ps, first_ps,
 * last_ps.  A peer as: sent, received, pauses_sent, pauses_received, paused (a
 * bit per priority), all_paused. */

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
    char **names; /* The number of a flow is its place here. */
    size_t n_names;
    char **peers; /* Ports that have one. */
    size_t n_peers;
};

/* What they work on; borrowed. */
struct flows_switch {
    struct agent *agent;
    struct switch_query *facts;
    const struct softasic_ops *softasic;
};

/* The operations of struct target_ops. */
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

/* Reads a flow or a peer; a flow that has not begun is all baseline. */
enum st flows_read(const struct flows *flows, const struct flows_switch *sw,
                   const struct target_object *object, struct arena *arena,
                   struct target_reading *reading, struct err *err);

/* Takes all peers away with their flows and storms, and forgets them.  Fails
 * with the first failure, but not before all was tried. */
enum st flows_end(struct flows *flows, struct switch_query *facts,
                  const struct softasic_ops *softasic, struct err *err);

/* Frees what it holds. */
void flows_fini(struct flows *flows);

#endif /* orchd/testbench/flows.h */
