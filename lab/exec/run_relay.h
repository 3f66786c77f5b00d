/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_RELAY_H
#define ORCHD_LAB_EXEC_RUN_RELAY_H

/* Brings what the ranks of a run report to rank 0, which records it.
 *
 * Each rank, also rank 0, keeps its reports until run_relay_flush(); rank 0
 * then passes all of them to its sink, in the order of their times, and of
 * equal times in that of the ranks.  So one results file has everything, and
 * pauses are numbered, and know the pause that is their cause, as in a run on
 * one rank.
 *
 * All functions that bring something to rank 0 are collective. */

#include <stdint.h>

struct communicator;
struct engine;
struct histogram;
struct results;
struct run_relay;
struct sink;
struct topology;

/* Returns a relay to 'sink' of rank 0; the others do not use theirs.  With
 * 'engine', if there is one rank, reports are passed on in the order of the
 * events that they come from, and only those that 'sink' takes.  All is
 * borrowed. */
struct run_relay *run_relay_create(struct communicator *comm,
                                   const struct topology *topology,
                                   const struct sink *sink,
                                   const struct engine *engine);
void run_relay_destroy(struct run_relay *relay);

/* Returns the sink that keeps reports; borrowed. */
const struct sink *run_relay_sink(struct run_relay *relay);

/* With 'engine': the next report comes from an event at 't_ps' with 'order'
 * (event_order(), twin/event/event.h), not from the present one. */
void run_relay_date(struct run_relay *relay, int64_t t_ps, uint64_t order);

/* Passes what was reported on. */
void run_relay_flush(struct run_relay *relay);

/* Returns a recorder of queues, counters and oracles; borrowed.
 * run_relay_gather() adds those of other ranks to 'results' of rank 0. */
struct results *run_relay_results(struct run_relay *relay);
void run_relay_gather(struct run_relay *relay, struct results *results);

/* Adds the histograms of the other ranks to that of rank 0. */
void run_relay_merge(struct run_relay *relay, struct histogram *histogram);

#endif /* lab/exec/run_relay.h */
