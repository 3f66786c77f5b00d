/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_RANKS_STATE_H
#define ORCHD_LAB_EXEC_RUN_RANKS_STATE_H

/* What the ranks of a run consist of, for their own files only.
 *
 *   run_ranks.c          creates them, and drives their windows
 *   run_ranks_frames.c   frames that leave for another rank
 *   run_ranks_flows.c    flows between hosts of different ranks */

#include "lab/exec/communicator.h"
#include "lab/exec/run_journal.h"
#include "lab/exec/run_state.h"

/* Items of one kind, which may move. */
struct item_list {
    void *items;
    size_t n, room;
};

struct run_ranks {
    struct communicator *comm;
    const uint32_t *owners;
    int64_t lookahead_ps; /* EVENT_NEVER: no link is between ranks. */
    int64_t window_ps;    /* The longest window, at most the lookahead. */
    int64_t bound_ps;     /* The end of the window. */
    uint32_t *headers_of; /* By number of a payload. */
    uint32_t n_headers;
    struct item_list *frames; /* Of frame_record, by rank. */
    struct item_list *notes;  /* Of note, by rank. */
    struct run_journal journal;
    struct item_list deferred;
    struct parcel *out, *in; /* By rank. */
    uint32_t n_finite;       /* Flows that end by themselves, from here. */
    bool is_done;            /* All of these have ended, on all ranks. */
    int64_t next_ps;         /* The next event of all ranks. */
    struct run_progress progress;
    struct run_relay *relay;
};

/* Returns whether the ends of 'link' are on different ranks. */
static inline bool
run_ranks_cuts__(const struct run_ranks *ranks,
                 const struct topology_link *link)
{
    return ranks->owners[link->node[0]] != ranks->owners[link->node[1]];
}

/* Returns room for another item of 'size' bytes in 'list'. */
void *item_list_add__(struct item_list *list, size_t size);

/* Describes 'lists', by rank, of items of 'size' bytes as parcels; borrowed. */
const struct parcel *run_ranks_pack__(struct run_ranks *ranks,
                                      const struct item_list *lists,
                                      size_t size);

/* Empties 'lists', by rank. */
void run_ranks_empty__(struct run_ranks *ranks, struct item_list *lists);

/* Exchanges what has left for other ranks in this window. */
void run_ranks_exchange_frames__(struct run *run);

/* Knows the headers of all flows by their numbers. */
void run_ranks_number_headers__(struct run *run);

/* Exchanges what ranks say about flows, and what answers it. */
void run_ranks_exchange_notes__(struct run *run);

#endif /* lab/exec/run_ranks_state.h */
