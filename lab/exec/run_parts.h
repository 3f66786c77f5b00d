/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_PARTS_H
#define ORCHD_LAB_EXEC_RUN_PARTS_H

/* Parts of the fabric of a run, for its own files only: ranks, lanes of a rank,
 * and what concerns several of them.  Comes with run_state.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/exec/run_progress.h"

struct histogram;
struct results;
struct run;
struct run_flow;
struct scenario_place;
struct sink_flow;

/* run_ranks.c
 *
 * Of a run on one rank, which has no 'ranks', most of these do nothing.  All
 * but those about a flow are collective. */

/* Makes 'run' one of the ranks of its options, if there are several.
 * ST_INVALID: the scenario has what several ranks cannot; 'err' names it. */
enum st run_ranks_create(struct run *run, struct err *err) ST_WARN_UNUSED;
void run_ranks_destroy(struct run *run);

/* Lets frames cross link 'number', if its ends are on different ranks. */
void run_ranks_join(struct run *run, uint32_t number);

/* Follows the flows, once they exist. */
void run_ranks_follow(struct run *run);

/* Returns whether the ends of 'flow' are on different ranks. */
bool run_ranks_cross(const struct run_flow *flow);

/* Notes what the destination of 'flow', which is here while its source is not,
 * has counted. */
void run_ranks_note_counted(const struct run_flow *flow, uint32_t bytes,
                            bool is_marked);

/* run_until() and run_get_progress() of a run on several ranks. */
enum run_state run_ranks_until(struct run *run, int64_t until_ps);
const struct run_progress *run_ranks_progress(const struct run *run);

/* Returns false if the destination of 'flow' is here.  Else its report, which
 * lacks what the destination has counted, follows at the end of the window:
 * marked packets, and bytes and end if it 'takes' them from there. */
bool run_ranks_defer(struct run_flow *flow, const struct sink_flow *report,
                     bool takes_bytes, bool takes_end);

/* Tells the destination of 'flow', if it is elsewhere, that message 'number'
 * was posted now. */
void run_ranks_note_post(const struct run_flow *flow, uint64_t number);

/* Returns whether another rank would have to know at once that 'flow' fails
 * here: that of the source, or of the destination that answers pings. */
bool run_ranks_cannot_fail(const struct run_flow *flow);

/* After the last report of flows: answers what they ask, and collects their
 * paths on rank 0. */
void run_ranks_finish_flows(struct run *run);

/* Passes what was reported on to the sink of rank 0. */
void run_ranks_flush(struct run *run);

/* Adds up 'n' values of all ranks, or the histograms. */
void run_ranks_sum(const struct run *run, uint64_t *values, size_t n);
void run_ranks_merge(const struct run *run, struct histogram *histogram);

/* Returns where a rank records queues, counters and oracles, which
 * run_ranks_gather() then adds to 'results' of rank 0. */
struct results *run_ranks_results(const struct run *run);
void run_ranks_gather(struct run *run, struct results *results);

/* run_shared.c */

/* Returns what the scenario has that acts on several nodes at one instant, or
 * looks at them, NULL if there is nothing, with its place. */
const char *run_find_shared(const struct run *run,
                            const struct scenario_place **place);

/* run_lanes.c
 *
 * A run whose fabric is divided into lanes, which take turns (fabric_divide(),
 * twin/fabric/fabric.h), so that large fabrics stay in the caches.  Its results
 * are those of an undivided run: reports are passed on in the order in which
 * they would have happened.
 *
 * Divided are fabrics of one rank whose scenario has RoCEv2 (not READ) and raw
 * frames only, and nothing that acts on several nodes at one instant, or looks
 * at them.  A run that waits for something else than a time handles one event
 * at a time.
 *
 * These do nothing if 'run' is not divided. */

/* Divides 'run', which is complete, if that is possible and of use. */
void run_lanes_create(struct run *run);
void run_lanes_destroy(struct run *run);

/* Returns whether the destination of 'flow' may be at another time now.  Then
 * its report follows by run_lanes_settle(), with what the destination has
 * counted up to now: marked packets, and bytes if it 'takes_bytes'. */
bool run_lanes_defer(struct run_flow *flow, const struct sink_flow *report,
                     bool takes_bytes);

/* Returns whether the ends of 'flow', which are on this rank, are in different
 * lanes. */
bool run_lanes_cross(const struct run_flow *flow);

/* Notes what the destination of 'flow', whose source is in another lane, has
 * counted. */
void run_lanes_note_counted(const struct run_flow *flow, uint32_t bytes,
                            bool is_marked);

/* Passes on what was reported.  All lanes are at one time, and what has
 * happened since the last call lies before it. */
void run_lanes_settle(struct run *run);

/* run_apart.c */

/* Has noted what destinations count whose sources are in other parts of the
 * fabric: once lanes and ranks are known. */
void run_apart_follow(struct run *run);

#endif /* lab/exec/run_parts.h */
