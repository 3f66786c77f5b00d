/* SPDX-License-Identifier: Apache-2.0 */

/* A run on several ranks: each is a process with a part of the fabric, and its
 * events.
 *
 * Windows.  A frame that leaves a node at t arrives at the other end of its
 * link at t + lookahead or later: the lookahead of a link is its propagation
 * and what the smallest frame takes at its speed, for data and pauses alike.
 * (What the receiver then takes, such as the response time to a pause, passes
 * on its own rank.)  With the least lookahead L of all links between ranks, and
 * the least time N of all pending events of all ranks, no rank can get a frame
 * from another before N + L.  So all ranks handle their events before N + L,
 * exchange the frames that have left for each other, and find the next N.
 * Nothing is ever taken back (conservative synchronization: Chandy and Misra
 * 1979; Fujimoto, "Parallel discrete event simulation", 1990).
 *
 * Equal results.  The order of events at a place depends on time, class and
 * entity only, and random numbers on the seed, the entity and how many it has
 * drawn (twin/event).  So each place does the same on every partition. */

#include <config.h>

#include "lab/exec/run_ranks_state.h"

#include <stdlib.h>

#include "base/check.h"
#include "lab/exec/run.h"
#include "lab/exec/run_relay.h"
#include "twin/qos/pause_frame.h"

enum {
    MBPS = 1000000,
    FCS_BYTES = 4,
    TCP_ACK_BYTES = 58,
};

/* Lists -------------------------------------------------------------------- */

void *
item_list_add__(struct item_list *list, size_t size)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = check_realloc(list->items, list->room * size);
    }
    return (char *)list->items + list->n++ * size;
}

const struct parcel *
run_ranks_pack__(struct run_ranks *ranks, const struct item_list *lists,
                 size_t size)
{
    for (uint32_t r = 0; r < ranks->comm->n_ranks; r++) {
        ranks->out[r] = (struct parcel){lists[r].items, lists[r].n * size};
    }
    return ranks->out;
}

void
run_ranks_empty__(struct run_ranks *ranks, struct item_list *lists)
{
    for (uint32_t r = 0; r < ranks->comm->n_ranks; r++) {
        lists[r].n = 0;
    }
}

/* Creation ----------------------------------------------------------------- */

/* Returns the length of the smallest frame that can occur, without FCS. */
static uint32_t
smallest_frame(const struct run *run)
{
    int64_t least = PAUSE_FRAME_BYTES;

    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        const struct host_spec *spec = run->experiment->hosts[i];

        least = spec->ack_bytes < least ? spec->ack_bytes : least;
        least = spec->header_bytes < least ? spec->header_bytes : least;
    }
    for (size_t i = 0; i < run->scenario->n_traffic; i++) {
        const struct traffic_spec *traffic = &run->scenario->traffic[i];
        const int64_t bytes =
            traffic->kind == TRAFFIC_RAW ? traffic->frame_bytes - FCS_BYTES
            : traffic->transport == TRAFFIC_TRANSPORT_TCP ? TCP_ACK_BYTES
                                                          : PAUSE_FRAME_BYTES;

        least = bytes < least ? bytes : least;
    }
    return (uint32_t)least;
}

/* Finds the lookahead, and which ranks are neighbors. */
static void
measure_cuts(struct run *run)
{
    struct run_ranks *ranks = run->ranks;
    const struct topology *topology = run->topology;
    const uint32_t bytes = smallest_frame(run);
    bool *are = check_calloc(ranks->comm->n_ranks, sizeof *are);

    ranks->lookahead_ps = EVENT_NEVER;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct topology_link *link = &topology->links[i];
        int64_t lookahead_ps;

        if (!run_ranks_cuts__(ranks, link)) {
            continue;
        }
        lookahead_ps = run_link_delay_ps(link) +
                       frame_wire_ps(bytes, (uint32_t)(link->rate_bps / MBPS));
        if (lookahead_ps < ranks->lookahead_ps) {
            ranks->lookahead_ps = lookahead_ps;
        }
        for (unsigned int e = 0; e < 2; e++) {
            if (run_owns(run, link->node[e])) {
                are[ranks->owners[link->node[1 - e]]] = true;
            }
        }
    }
    ranks->comm->set_neighbors(ranks->comm, are);
    free(are);
}

/* ST_INVALID: 'run' has what several ranks cannot; 'err' names it. */
static enum st
check_shared(const struct run *run, struct err *err)
{
    const struct scenario_place *place;
    const char *shared = run_find_shared(run, &place);
    enum st st;

    if (!shared) {
        return ST_OK;
    }
    st = scenario_fail(run->scenario, place, err,
                       "a run on several ranks cannot have '%s'", shared);
    err_set_remedy(err, "run it on one rank, without mpirun");
    return st;
}

enum st
run_ranks_create(struct run *run, struct err *err)
{
    struct communicator *comm = run->options.comm;
    struct run_ranks *ranks;

    if (!comm || comm->n_ranks == 1) {
        return ST_OK;
    }
    ranks = check_calloc(1, sizeof *ranks);
    run->ranks = ranks;
    run->owners = ranks->owners = run->options.owners;
    run->rank = comm->rank;
    ranks->comm = comm;
    ranks->frames = check_calloc(comm->n_ranks, sizeof *ranks->frames);
    ranks->notes = check_calloc(comm->n_ranks, sizeof *ranks->notes);
    ranks->out = check_calloc(comm->n_ranks, sizeof *ranks->out);
    ranks->in = check_calloc(comm->n_ranks, sizeof *ranks->in);
    ranks->relay = run_relay_create(comm, run->topology, run->sink, NULL);
    run->sink = run_relay_sink(ranks->relay);
    measure_cuts(run);
    return check_shared(run, err);
}

void
run_ranks_destroy(struct run *run)
{
    struct run_ranks *ranks = run->ranks;

    if (!ranks) {
        return;
    }
    for (uint32_t r = 0; r < ranks->comm->n_ranks; r++) {
        free(ranks->frames[r].items);
        free(ranks->notes[r].items);
    }
    free(ranks->frames);
    free(ranks->notes);
    run_journal_fini(&ranks->journal);
    free(ranks->deferred.items);
    free(ranks->headers_of);
    free(ranks->out);
    free(ranks->in);
    run_relay_destroy(ranks->relay);
    free(ranks);
}

/* Windows ------------------------------------------------------------------ */

/* Makes the failure of one rank that of all. */
static void
share_failure(struct run *run)
{
    struct run_ranks *ranks = run->ranks;
    struct communicator *comm = ranks->comm;

    for (uint32_t r = 0; r < comm->n_ranks; r++) {
        ranks->out[r] = (struct parcel){
            &run->failure, run->has_failed ? sizeof run->failure : 0};
    }
    comm->exchange(comm, ranks->out, ranks->in);
    for (uint32_t r = 0; r < comm->n_ranks; r++) {
        if (ranks->in[r].n) {
            run_fail(run, ranks->in[r].bytes);
        }
    }
}

/* What all ranks agree on after a window: the least of each. */
enum agreement {
    AGREE_NEXT,        /* The next event. */
    AGREE_NOTES,       /* -1: a rank has notes. */
    AGREE_INTERRUPTED, /* -1: a rank is interrupted. */
    AGREE_FAILED,      /* -1: a rank has failed. */
    AGREE_LEFT,        /* Minus the most flows that are left. */
    N_AGREEMENTS,
};

/* Finds what is next, together with all ranks. */
static void
agree(struct run *run)
{
    struct run_ranks *ranks = run->ranks;
    int64_t values[N_AGREEMENTS] = {
        [AGREE_NEXT] = engine_next_ps(run->engine),
        [AGREE_INTERRUPTED] = -(int64_t)(*run->signalled != 0),
        [AGREE_FAILED] = -(int64_t)run->has_failed,
        [AGREE_LEFT] = (int64_t)run->n_done - (int64_t)ranks->n_finite,
    };

    for (uint32_t r = 0; r < ranks->comm->n_ranks; r++) {
        if (ranks->notes[r].n) {
            values[AGREE_NOTES] = -1;
        }
    }
    ranks->comm->minimum(ranks->comm, values, N_AGREEMENTS);
    ranks->next_ps = values[AGREE_NEXT];
    ranks->is_done = values[AGREE_LEFT] == 0;
    if (values[AGREE_NOTES]) {
        run_ranks_exchange_notes__(run);
    }
    run_journal_clear(&ranks->journal);
    if (values[AGREE_FAILED]) {
        share_failure(run);
    }
    run->is_interrupted = values[AGREE_INTERRUPTED] != 0;
}

/* Adds up how far all ranks are. */
static void
add_progress(struct run *run)
{
    struct run_ranks *ranks = run->ranks;
    struct run_progress *progress = &ranks->progress;
    uint64_t values[7];

    run_measure_progress(run, progress);
    values[0] = progress->hops;
    values[1] = progress->drops;
    values[2] = progress->pauses;
    values[3] = progress->marks;
    values[4] = progress->skipped;
    values[5] = progress->lost;
    values[6] = progress->flows_done;
    ranks->comm->sum(ranks->comm, values, sizeof values / sizeof values[0]);
    progress->hops = values[0];
    progress->drops = values[1];
    progress->pauses = values[2];
    progress->marks = values[3];
    progress->skipped = values[4];
    progress->lost = values[5];
    progress->flows_done = (uint32_t)values[6];
}

/* Returns the end of the next window, at most 'until_ps'. */
static int64_t
next_window_ps(const struct run *run, int64_t until_ps)
{
    const struct run_ranks *ranks = run->ranks;
    const int64_t end_ps = run_next_end_ps(run, ranks->is_done, ranks->next_ps);

    until_ps = end_ps < until_ps ? end_ps : until_ps;
    if (ranks->window_ps < EVENT_NEVER - ranks->next_ps &&
        ranks->next_ps + ranks->window_ps - 1 < until_ps) {
        until_ps = ranks->next_ps + ranks->window_ps - 1;
    }
    return until_ps;
}

/* Returns the longest window of this rank: whole ones of its lanes, because a
 * short rest costs nearly as much as a whole one. */
static int64_t
longest_window_ps(const struct run *run)
{
    const int64_t lookahead_ps = run->ranks->lookahead_ps;
    const int64_t lanes_ps =
        run->lanes ? engine_lookahead_ps(run->engine) : lookahead_ps;

    return lanes_ps < lookahead_ps ? lookahead_ps / lanes_ps * lanes_ps
                                   : lookahead_ps;
}

enum run_state
run_ranks_until(struct run *run, int64_t until_ps)
{
    struct run_ranks *ranks = run->ranks;
    int64_t values[] = {until_ps, longest_window_ps(run)};
    enum run_state state;

    if (until_ps > run->scenario->stop_ps) {
        values[0] = run->scenario->stop_ps;
    }
    /* The same on all ranks, whose callers have clocks of their own. */
    ranks->comm->minimum(ranks->comm, values, 2);
    until_ps = values[0];
    ranks->window_ps = values[1];
    run_ranks_exchange_frames__(run);
    agree(run);
    do {
        ranks->bound_ps = next_window_ps(run, until_ps);
        engine_run_until(run->engine, ranks->bound_ps);
        run_lanes_settle(run);
        run_ranks_exchange_frames__(run);
        agree(run);
        state = run_state_of(run, ranks->is_done);
    } while (state == RUN_RUNNING && run_now(run) < until_ps);
    add_progress(run);
    run_relay_flush(ranks->relay);
    return state;
}

const struct run_progress *
run_ranks_progress(const struct run *run)
{
    return &run->ranks->progress;
}

/* The end ------------------------------------------------------------------ */

void
run_ranks_flush(struct run *run)
{
    if (run->ranks) {
        run_relay_flush(run->ranks->relay);
    }
}

void
run_ranks_sum(const struct run *run, uint64_t *values, size_t n)
{
    if (run->ranks) {
        run->ranks->comm->sum(run->ranks->comm, values, n);
    }
}

struct results *
run_ranks_results(const struct run *run)
{
    return run_relay_results(run->ranks->relay);
}

void
run_ranks_gather(struct run *run, struct results *results)
{
    if (run->ranks) {
        run_relay_gather(run->ranks->relay, results);
    }
}

void
run_ranks_merge(const struct run *run, struct histogram *histogram)
{
    if (run->ranks && histogram) {
        run_relay_merge(run->ranks->relay, histogram);
    }
}
