/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SYNC_POINT_H
#define ORCHD_CONTROL_SYNC_POINT_H

/* Which rows a client that waits is responsible for.
 *
 * A client that writes rows with another program and then calls "config sync"
 * wants to know about its own rows.  orchd does not know who wrote a row, so
 * the rows of a call are those that changed since the last sync, load or
 * rollback that waited; if none has changed, a sync repeats the answer of the
 * last one.  Rows that orchd found at its start are of no call. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agent;
struct control_state;

/* Zeroed at first. */
struct sync_point {
    bool known;          /* What orchd found at its start is settled. */
    uint64_t generation; /* Rows that changed after it are news, */
    uint64_t reached;    /* as they were at this one, */
    uint64_t n_changes;  /* when so many rows had changed. */
    size_t n_withheld;   /* Removals held back, as reported last. */
};

/* The agent has settled after a start: what it found is known.  If clients have
 * written rows meanwhile, orchd cannot tell these from those it found, and all
 * are news.  Does nothing after the first call, nor if a client that waited has
 * already got the states of all rows. */
void sync_point_begin(struct sync_point *point, const struct agent *agent,
                      const struct control_state *state);

/* A client gets the states of the rows that it has written: all changes so far
 * are known. */
void sync_point_reach(struct sync_point *point, const struct agent *agent);

/* A client syncs.  Returns the generation after which a row is one of its
 * call. */
uint64_t sync_point_move(struct sync_point *point, const struct agent *agent,
                         const struct control_state *state);

/* Returns whether more than the 'n' removals that were reported last are held
 * back: one report is enough. */
bool sync_point_take_withheld(struct sync_point *point, size_t n);

#endif /* orchd/control/sync_point.h */
